/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/mpir_launch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "debugger/control/inferior.h"
#include "debugger/control/placing.h"
#include "debugger/control/resume.h"

enum {
	SPAWNED = 1, /* values of MPIR_debug_state */
	ABORTING = 2,
	TEXT_MOST = 4096,
};

void mpir_news_fini(struct mpir_news *n)
{
	mpir_fini(&n->ranks);
	error_free(n->bad);
	free(n->text);
	*n = (struct mpir_news){ 0 };
}

/* What signals do to it is its own affair. */
static void pass_all_signals(struct control *c)
{
	for (int signal = 1; signal < SIGNALS_END; signal++) {
		if (signal != SIGTRAP)
			c->signals.of[signal] = (struct signal_policy){ .pass = true };
	}
}

static struct error *break_at(struct control *c, taddr at, bool once)
{
	const struct placing how = { .kind = BREAK_CODE, .temporary = once };
	struct breakpoint *b;
	char text[32];
	int line;

	snprintf(text, sizeof(text), "*0x%" PRIx64, at);
	return placing_break(c, text, &how, &b, &line);
}

static bool ends(const struct stop_report *r, struct mpir_news *ret)
{
	if (!stop_report_is_end(r))
		return false;
	ret->kind = MPIR_ENDS;
	ret->signal = r->kind == STOPPED_KILLED ? r->signal : 0;
	ret->status = r->value;
	return true;
}

/* From its first instruction to its entry: what it is linked with is mapped then. */
static struct error *go_to_entry(struct control *c, struct stop_report *r)
{
	uint64_t entry = 0;
	struct error *err = target_auxv(c->live->target, AT_ENTRY, &entry);

	if (!err)
		err = break_at(c, entry, true);
	return err ? err : resume_continue(c, 1, r);
}

static struct error *set_int(const struct session *s, const char *name, int32_t value)
{
	const taddr at = mpir_find(s, name);

	return at ? target_write(s->target, at, &value, sizeof(value)) : NULL;
}

/* It stands at its entry. */
static struct error *look_for_table(struct control *c, struct mpir_news *ret)
{
	struct error *err = module_list_update(c->live->modules);

	if (err)
		return err;
	ret->kind = MPIR_BEGINS;
	ret->table = mpir_is_starter(c->live);
	if (!ret->table)
		return NULL;
	err = set_int(c->live, "MPIR_being_debugged", 1);
	return err ? err : break_at(c, mpir_find(c->live, "MPIR_Breakpoint"), false);
}

static struct error *begin(struct control *c, struct stop_report *r, struct mpir_news *ret)
{
	struct error *err = go_to_entry(c, r);

	return err || ends(r, ret) ? err : look_for_table(c, ret);
}

static struct error *catch_exec(struct control *c)
{
	struct breakpoint *b;
	struct ints none = { 0 };

	return placing_catch(c, CATCH_EXEC, true, &none, NULL, &b);
}

struct error *mpir_launch_begin(struct control *c, bool script, struct mpir_news *ret)
{
	AUTO_STOP_REPORT r = { 0 };
	struct error *err = inferior_run(c, true, &r);

	pass_all_signals(c);
	if (!err && script)
		err = catch_exec(c);
	if (!err && script)
		err = resume_continue(c, 1, &r);
	return err || ends(&r, ret) ? err : begin(c, &r, ret);
}

/* What is too long is cut off. NULL: there is none. */
static char *read_text(struct memory *m, taddr at)
{
	char cut[TEXT_MOST] = "", *ret = NULL;
	struct error *err = memory_read_string(m, at, TEXT_MOST, &ret);

	if (err && memory_try_read(m, at, cut, TEXT_MOST - 1))
		ret = strdup(cut);
	error_ignore(err);
	return ret;
}

/* It has called MPIR_Breakpoint(). ret->kind stays BEGINS if that tells nothing. */
static struct error *read_news(const struct session *s, struct mpir_news *ret)
{
	int32_t state = 0;
	uint64_t text;

	if (!mpir_read_int(s, "MPIR_debug_state", &state))
		return NULL;
	if (state == SPAWNED) {
		ret->kind = MPIR_SPAWNED;
		ret->bad = mpir_read_table(s, &ret->ranks);
	} else if (state == ABORTING) {
		ret->kind = MPIR_ABORTS;
		const taddr at = mpir_find(s, "MPIR_debug_abort_string");
		if (at && memory_try_read(s->target->memory, at, &text, sizeof(text)) && text)
			ret->text = read_text(s->target->memory, text);
	}
	return ret->bad == &error_nomem ? TAKE(ret->bad) : NULL;
}

struct error *mpir_launch_go_on(struct control *c, struct mpir_news *ret)
{
	struct error *err = NULL;

	mpir_news_fini(ret);
	while (!err && ret->kind == MPIR_BEGINS) {
		AUTO_STOP_REPORT r = { 0 };
		err = resume_continue(c, 1, &r);
		if (err || ends(&r, ret))
			break;
		if (r.kind == STOPPED_INTERRUPTED)
			ret->kind = MPIR_INTERRUPTED;
		else if (r.kind == STOPPED_BREAKPOINT)
			err = read_news(c->live, ret);
	}
	return err;
}

void mpir_launch_leave(const struct control *c)
{
	error_ignore(set_int(c->live, "MPIR_being_debugged", 0));
}

struct error *mpir_launch_greet(const struct session *rank, char **ret_dll)
{
	const taddr at = mpir_find(rank, "MPIR_dll_name");

	*ret_dll = NULL;
	if (at)
		error_ignore(memory_read_string(rank->target->memory, at, TEXT_MOST, ret_dll));
	return set_int(rank, "MPIR_debug_gate", 1);
}
