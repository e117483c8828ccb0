/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/placing.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "debugger/control/catching.h"
#include "debugger/control/ifuncs.h"
#include "debugger/control/watching.h"
#include "debugger/control/watching_team.h"
#include "debugger/values/eval.h"

/* What was left open by the default file is fixed: it means the same place later. */
static struct error *fix(struct linespec *l, const struct linespec_context *c)
{
	bool open = (l->kind == LINESPEC_LINE && !l->file) || l->kind == LINESPEC_OFFSET;
	bool is_label = l->kind == LINESPEC_FUNCTION && l->labelled && !l->file;

	if (is_label && c->here.pc) {
		const struct source_frame *levels;
		size_t len;
		struct error *err = symbol_locate(c->session->symbols, c->here.pc, &levels, &len);
		if (!err && levels[len - 1].function)
			l->file = symbol_demangle(levels[len - 1].function);
		return err;
	}

	if (!open || !c->here.file)
		return NULL;
	if (l->kind == LINESPEC_OFFSET)
		l->line += c->here.line;
	l->kind = LINESPEC_LINE;
	l->file = strdup(c->here.file);
	return l->file ? NULL : &error_nomem;
}

/* A breakpoint at the selected frame is one at its line from now on. */
static void fix_here(struct linespec *l, const struct breakpoint *b)
{
	const struct breakpoint_location *at = b->locations.len ? b->locations.items : NULL;

	if (l->kind != LINESPEC_HERE || !at || !at->file)
		return;
	l->file = strdup(at->file);
	l->line = at->line;
	if (l->file)
		l->kind = LINESPEC_LINE;
}

/* What is not known yet when the program is loaded, and so may come. */
static bool may_come(const struct linespec *l)
{
	return l->kind == LINESPEC_FUNCTION || (l->kind == LINESPEC_LINE && l->file);
}

static struct error *fill(struct control *c, struct breakpoint *b, struct linespec *spec,
			  const struct breakpoint_context *context)
{
	struct error *err = fix(spec, &context->where);

	if (err)
		return err;
	b->thread = spec->thread;
	b->omp = spec->omp;
	b->condition = TAKE(spec->condition);
	b->text = strdup(spec->text);
	b->spec = *spec;
	*spec = (struct linespec){ 0 };
	if (!b->text)
		return &error_nomem;
	if (b->thread && !threads_by_number(&c->threads, b->thread))
		return error_new(ERROR_USAGE, "Unknown thread %d.", b->thread);
	return NULL;
}

static struct error *need_program(const struct control *c)
{
	return control_session(c)
		       ? NULL
		       : error_new(ERROR_USAGE, "No symbol table is loaded.  Use the \"file\" "
						"command.");
}

struct error *placing_break(struct control *c, const char *text, const struct placing *how,
			    struct breakpoint **ret, int *ret_line)
{
	AUTO_LINESPEC spec = { 0 };
	struct error *err = need_program(c);

	if (!err)
		err = linespec_parse(text, &spec);
	if (err)
		return err;
	struct breakpoint_context context = control_breakpoints(c);
	context.where = control_linespecs(c);
	struct breakpoint *b = breakpoint_add(&c->breakpoints, how->kind);
	if (!b)
		return &error_nomem;
	b->temporary = how->temporary;
	b->fate = how->temporary ? FATE_DELETE : FATE_KEEP;
	b->hard = how->hard;
	b->format = how->format ? strdup(how->format) : NULL;
	err = fill(c, b, &spec, &context);
	if (!err)
		err = breakpoint_resolve(b, &context, ret_line);
	bool pending = error_is(err, ERROR_NOT_FOUND) && how->may_be_pending && may_come(&b->spec);
	if (pending) {
		error_ignore(err);
		err = NULL;
	}
	fix_here(&b->spec, b);
	if (!err)
		err = breakpoint_check(b, &context);
	if (!err && context.target)
		err = breakpoint_arm(b, &context);
	if (!err && context.target)
		err = ifuncs_arm(c);
	if (err) {
		error_ignore(placing_remove(c, b));
		c->breakpoints.last--;
		return err;
	}
	convenience_set_int(c->values, "bpnum", b->number);
	*ret = b;
	return NULL;
}

static const char *call_name(int number)
{
	const struct arch *a = &arch_x86_64;

	return number >= 0 && (size_t)number < a->ncall_names ? a->call_names[number] : NULL;
}

/* As it was asked for: "fork", "signal SIGUSR1 SIGINT", "syscall getpid". NULL: out of memory. */
static char *describe(const struct breakpoint *b)
{
	AUTO_BUF text = { 0 };

	buf_adds(&text, catch_names[b->catches]);
	if (b->any)
		buf_adds(&text, " all");
	if (b->library)
		buf_addf(&text, " %s", b->library);
	vec_for_each (n, &b->which) {
		const char *name = b->catches == CATCH_SIGNAL ? signals_name(*n) : call_name(*n);
		if (name)
			buf_addf(&text, " %s", name);
		else
			buf_addf(&text, " %d", *n);
	}
	return buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
}

struct error *placing_catch(struct control *c, enum catch_kind kind, bool temporary,
			    struct ints *which, const char *word, struct breakpoint **ret)
{
	struct breakpoint_context context = control_breakpoints(c);
	struct breakpoint *b = breakpoint_add(&c->breakpoints, BREAK_CATCH);
	int line;

	if (!b)
		return &error_nomem;
	b->catches = kind;
	b->temporary = temporary;
	b->fate = temporary ? FATE_DELETE : FATE_KEEP;
	b->which = *which;
	*which = (struct ints){ 0 };
	b->any = kind == CATCH_SIGNAL && word && !strcmp(word, "all");
	if ((kind == CATCH_LOAD || kind == CATCH_UNLOAD) && word && *word)
		b->library = strdup(word);
	b->text = describe(b);
	struct error *err = b->text ? NULL : &error_nomem;
	if (!err && context.where.session)
		err = breakpoint_resolve(b, &context, &line);
	if (error_is(err, ERROR_NOT_FOUND)) { /* pending, until the runtime library is loaded */
		error_ignore(err);
		err = NULL;
	}
	if (!err)
		err = placing_update(c, b);
	if (err) {
		error_ignore(placing_remove(c, b));
		c->breakpoints.last--;
		return err;
	}
	convenience_set_int(c->values, "bpnum", b->number);
	*ret = b;
	return NULL;
}

struct error *placing_remove(struct control *c, struct breakpoint *b)
{
	struct error *err = NULL;

	if (control_is_live(c)) {
		err = breakpoint_disarm(b, c->live->target);
		for (size_t i = 0; i < b->copies.len && !err; i++)
			err = watching_end(c, b, i);
	}
	if (!err && b->wish)
		err = catching_remove(c, b);
	if (!err)
		breakpoint_remove(&c->breakpoints, b);
	return err || !control_is_live(c) ? err : ifuncs_arm(c);
}

/* The system calls that catchpoints want told. */
static struct error *trace_calls(struct control *c)
{
	struct call_set calls = { 0 };

	vec_for_each (b, &c->breakpoints.items) {
		if ((*b)->kind != BREAK_CATCH || (*b)->catches != CATCH_SYSCALL || !(*b)->enabled)
			continue;
		calls.any = true;
		calls.all |= !(*b)->which.len;
		vec_for_each (n, &(*b)->which) {
			if (*n >= 0 && *n < CALLS_MAX)
				calls.bits[*n / 8] |= (uint8_t)(1 << *n % 8);
		}
	}
	return target_trace_calls(c->live->target, &calls);
}

static bool catches_calls(const struct breakpoint *b)
{
	return b->kind == BREAK_CATCH && b->catches == CATCH_SYSCALL;
}

struct error *placing_update(struct control *c, struct breakpoint *b)
{
	struct breakpoint_context context = control_breakpoints(c);

	if (!control_is_live(c))
		return NULL;
	struct error *err = catches_calls(b) ? trace_calls(c) : NULL;
	if (!err && b->wish)
		return catching_update(c, b);
	return err ? err : breakpoint_arm(b, &context);
}

struct error *placing_condition(struct control *c, struct breakpoint *b, const char *condition)
{
	char *new = condition ? strdup(condition) : NULL;
	char *old = b->condition;

	if (condition && !new)
		return &error_nomem;
	b->condition = new;
	const struct breakpoint_context context = control_breakpoints(c);
	struct error *err = breakpoint_check(b, &context);
	if (!err)
		err = placing_update(c, b);
	if (!err) {
		free(old);
		return NULL;
	}
	b->condition = old;
	free(new);
	error_ignore(breakpoint_check(b, &context));
	error_ignore(placing_update(c, b));
	return err;
}

static struct error *renew(struct control *c, struct breakpoint *b,
			   const struct breakpoint_context *context)
{
	int line;
	const bool pending = breakpoint_is_pending(b);
	struct scope scope = { .session = context->where.session };
	struct error *err = breakpoint_is_watch(b) && !breakpoint_is_local(b)
				    ? watching_locate(c, b, &scope)
				    : breakpoint_resolve(b, context, &line);

	if (error_is(err, ERROR_NOT_FOUND)) {
		error_ignore(err);
		err = NULL;
	}
	if (!err && context->target)
		err = breakpoint_arm(b, context);
	if (pending && !breakpoint_is_pending(b))
		control_notice(c, &(struct notice){ .kind = NOTICE_RESOLVED,
						    .number = b->number,
						    .text = b->text });
	if (err == &error_nomem)
		return err;
	bool known = err && b->told;
	b->told = err || (b->wish && b->told); /* see check_event() */
	if (known)
		error_ignore(err);
	else
		control_warn(c, err);
	return NULL;
}

/* OpenMP may have been loaded now: what it cannot tell of is said, once. */
static struct error *check_event(struct control *c, struct breakpoint *b)
{
	struct error *err = catching_check(c, b->events);
	const bool refused = err;

	if (b->told)
		error_ignore(err);
	else
		control_warn(c, error_add(err, "Catchpoint %d (omp %s)", b->number, b->text));
	b->told |= refused;
	return refused ? NULL : catching_tell(c, b);
}

static struct error *renew_events(struct control *c)
{
	const struct probe_context context = control_probes(c);

	struct error *err = NULL;

	vec_for_each (b, &c->breakpoints.items) {
		if (!err && (*b)->wish && (*b)->events)
			err = check_event(c, *b);
	}
	return err ? err : probes_renew(c->probes, &context);
}

struct error *placing_renew(struct control *c)
{
	struct breakpoint_context context = control_breakpoints(c);
	struct error *err = NULL;
	bool calls = false;

	if (!context.where.session)
		return NULL;
	for (size_t i = 0; i < c->breakpoints.items.len && !err; i++) {
		struct breakpoint *b = c->breakpoints.items.items[i];
		calls |= catches_calls(b);
		err = renew(c, b, &context);
	}
	if (!err && context.target)
		err = ifuncs_arm(c);
	if (!err && context.target)
		control_warn(c, renew_events(c));
	return err || !calls || !context.target ? err : trace_calls(c);
}

uint64_t placing_quiet_signals(const struct control *c)
{
	uint64_t ret = signals_quiet(&c->signals);

	vec_for_each (b, &c->breakpoints.items) {
		if ((*b)->kind != BREAK_CATCH || (*b)->catches != CATCH_SIGNAL || !(*b)->enabled)
			continue;
		if (!(*b)->which.len)
			return 0;
		vec_for_each (n, &(*b)->which)
			ret &= ~(UINT64_C(1) << (*n - 1));
	}
	return ret;
}

void placing_count(struct control *c)
{
	if (!control_is_live(c))
		return;
	vec_for_each (b, &c->breakpoints.items) {
		breakpoint_count(*b, c->live->target);
		control_warn(c, catching_count(c, *b));
	}
}

struct error *placing_end(struct control *c)
{
	placing_count(c);
	probes_forget(c->probes);
	for (size_t i = c->breakpoints.items.len; i-- > 0;) {
		struct breakpoint *b = c->breakpoints.items.items[i];
		bool local = breakpoint_is_local(b);
		breakpoint_forget(b);
		if (local)
			breakpoint_remove(&c->breakpoints, b);
	}
	plan_forget(&c->plan);
	called_forget(&c->called);
	vec_fini(&c->deferred);
	frames_fini(&c->frames);
	control_forget_team(c);
	threads_fini(&c->threads);
	session_free(c->live);
	c->live = NULL;
	c->runs = c->attached = false;
	c->selected = c->pid = 0;
	c->rests = false;
	c->level = 0;
	c->loader_point = 0;
	ifuncs_forget(c);
	return placing_renew(c);
}

/* ---- data ------------------------------------------------------------------------------- */

/* What an option says that stands before the expression, as b's text says it. */
static const struct {
	const char *option, *text;
	bool team;
} watch_options[] = {
	{ "-l", WATCHING_LOCATION, false },
	{ "-location", WATCHING_LOCATION, false },
	{ "-team", WATCHING_TEAM, true },
	{ "", "", false },
};

static struct error *take_text(struct breakpoint *b, const char *text)
{
	size_t i = 0, word = strcspn(text, " \t");

	while (*watch_options[i].option && (strlen(watch_options[i].option) != word ||
					    strncmp(text, watch_options[i].option, word) != 0))
		i++;
	b->team = watch_options[i].team;
	text += strlen(watch_options[i].option);
	text += strspn(text, " \t");
	if (!*text)
		return error_new(ERROR_USAGE, "Argument required (expression to compute).");
	if (asprintf(&b->text, "%s%s", watch_options[i].text, text) >= 0)
		return NULL;
	b->text = NULL;
	return &error_nomem;
}

/* In all threads, if that can be; else each copy in its own, if each thread has one of its own. */
static struct error *watch_team(struct control *c, struct breakpoint *b)
{
	bool shared;
	struct error *err = watching_team(c, b, &shared);

	if (err)
		return err;
	bool fits = b->locations.len <= WATCHING_CELLS_MAX;
	if (!fits && shared)
		return error_new(ERROR_UNSUPPORTED,
				 "'%s' lies in %zu places, some of which several threads share: "
				 "debug registers watch four",
				 b->text, b->locations.len);
	err = fits ? placing_update(c, b) : NULL;
	if (fits && (!error_is(err, ERROR_UNSUPPORTED) || shared))
		return err;
	error_ignore(err);
	err = breakpoint_disarm(b, c->live->target);
	b->own = true;
	return err ? err : placing_update(c, b);
}

static struct error *fill_watch(struct control *c, struct breakpoint *b, struct linespec *spec)
{
	struct scope scope;
	struct error *err = take_text(b, spec->text);

	b->thread = spec->thread;
	b->omp = spec->omp;
	b->condition = TAKE(spec->condition);
	if (!err)
		err = control_scope(c, &scope);
	if (!err && b->team)
		return watch_team(c, b);
	if (!err)
		err = watching_locate(c, b, &scope);
	if (!err && control_is_live(c))
		err = watching_begin(c, b, &scope);
	return err ? err : placing_update(c, b);
}

struct error *placing_watch(struct control *c, const char *text, enum breakpoint_kind kind,
			    struct breakpoint **ret)
{
	AUTO_LINESPEC spec = { 0 };
	struct error *err = linespec_split(text, &spec);

	if (err)
		return err;
	struct breakpoint *b = breakpoint_add(&c->breakpoints, kind);
	if (!b)
		return &error_nomem;
	err = fill_watch(c, b, &spec);
	if (err) {
		error_ignore(placing_remove(c, b));
		c->breakpoints.last--;
		return err;
	}
	convenience_set_int(c->values, "bpnum", b->number);
	*ret = b;
	return NULL;
}
