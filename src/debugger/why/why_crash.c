/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_crash.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "debugger/why/why_words.h"

enum { KILO = 1024, MEGA = KILO * KILO };

/* ---- words ------------------------------------------------------------------------------ */

static void add_size(struct buf *out, uint64_t size)
{
	if (size >= MEGA)
		buf_addf(out, "%.3g MB", (double)size / MEGA);
	else
		buf_addf(out, "%.0f KB", (double)size / KILO);
}

/* Up to what stacks are made in: a few pages of it are the C library's. */
static void add_stack(struct buf *out, const struct picture_crash *crash)
{
	uint64_t size = (crash->stack_size + 64 * KILO - 1) / (64 * KILO) * (64 * KILO);

	buf_adds(out, " (");
	if (size) {
		add_size(out, size);
		buf_adds(out, ", ");
	}
	buf_addf(out, "%s%zu call%s deep", crash->deeper ? "more than " : "", crash->calls,
		 crash->calls == 1 ? "" : "s");
	if (crash->frame_size) {
		buf_adds(out, ", the last of which needs ");
		add_size(out, crash->frame_size);
	}
	buf_addc(out, ')');
}

/* "std::runtime_error" of its name for linkers, "St13runtime_error". */
static void add_type(struct buf *out, const char *name)
{
	static const char before[] = "typeinfo name for ";
	AUTO_BUF linkage = { 0 };

	buf_addf(&linkage, "_ZTS%s", name + (*name == '*'));
	AUTO_FREE char *text = symbol_demangle(buf_text(&linkage));
	bool known = text && text_starts_with(text, before);
	buf_addf(out, ": %s", known ? text + strlen(before) : name);
}

static void add_cause(struct buf *out, const struct picture_crash *crash)
{
	const struct crash_traits *traits = crash_traits(crash->cause);

	buf_adds(out, traits->text);
	if (traits->address)
		buf_addf(out, " (address 0x%" PRIxTADDR ")", crash->address);
	if (crash->cause == CRASH_STACK)
		add_stack(out, crash);
	if (crash->by && !crash->message)
		buf_addf(out,
			 " in %s, which has met an error of its own and has written it to the "
			 "standard error",
			 crash->by);
	if (crash->message && crash->cause == CRASH_EXCEPTION)
		add_type(out, crash->message);
	else if (crash->message)
		buf_addf(out, ": %s", crash->message);
	if (crash->handled)
		buf_adds(out, "; it stands in a handler of that signal");
}

/* What somebody would look for next. NULL: nothing in particular. */
static const char *hint_of(const struct picture_crash *crash)
{
	if (crash->cause == CRASH_STACK && crash->first_stack)
		return "'ulimit -s' limits the stack of the first thread; local arrays, private "
		       "copies and recursion fill it.";
	if (crash->cause == CRASH_STACK)
		return "OMP_STACKSIZE sets how large the stacks of a team's threads are; local "
		       "arrays, private copies and recursion fill them.";
	return NULL;
}

/* ---- the others ------------------------------------------------------------------------- */

static bool is_alike(const struct picture_thread *a, const struct picture_thread *b)
{
	return a->region == b->region &&
	       picture_wait_kind(&a->wait) == picture_wait_kind(&b->wait) &&
	       a->wait.place.line == b->wait.place.line && a->wait.object == b->wait.object;
}

/* The first thread of those that do the same adds a sentence for all. */
static void add_others(const struct why_case *c, int first)
{
	const struct picture *p = why_case_picture(c);
	const struct picture_thread *th = picture_thread(p, first);
	struct ints alike = { 0 };
	AUTO_BUF text = { 0 };

	for (int i = 0; i < (int)p->threads.len; i++) {
		const struct picture_thread *other = picture_thread(p, i);
		if (i == p->crash.thread || !is_alike(th, other))
			continue;
		if (i < first) {
			vec_fini(&alike);
			return;
		}
		c->graph.why->failed |= !vec_push(&alike, i);
	}
	buf_adds(&text, "Meanwhile ");
	why_words_threads(&text, p, alike.items, alike.len);
	buf_addc(&text, ' ');
	why_words_wait(&text, &c->graph, first, alike.len > 1);
	buf_addc(&text, '.');
	why_case_add_text(c, &c->graph.why->reasons, &text);
	vec_fini(&alike);
}

/* ---- all -------------------------------------------------------------------------------- */

static void blame(const struct why_case *c, const struct picture_crash *crash)
{
	struct why_blame b = { .thread = crash->thread, .place = crash->place };
	AUTO_BUF reason = { 0 };

	buf_addf(&reason, "%s: ", crash_signal(crash->signal));
	add_cause(&reason, crash);
	c->graph.why->failed |= !vec_push(&b.threads, crash->thread);
	why_case_add_blame(c, b, &reason);
}

static void summarise(const struct why_case *c, const struct picture_crash *crash)
{
	AUTO_BUF text = { 0 };

	buf_adds(&text, why_opening(WHY_CRASHED, WHY_CERTAIN));
	why_words_threads(&text, why_case_picture(c), &crash->thread, 1);
	buf_addf(&text, " got %s", crash_signal(crash->signal));
	why_words_place(&text, &crash->place);
	buf_adds(&text, ": ");
	add_cause(&text, crash);
	buf_addc(&text, '.');
	c->graph.why->summary = why_case_take_text(c, &text);
}

bool why_crash_judge(const struct why_case *c)
{
	const struct picture *p = why_case_picture(c);
	const struct stacks *s = c->snapshot->stacks;
	struct why *why = c->graph.why;
	AUTO_BUF next = { 0 }, hint = { 0 };

	if (!p->crash.cause)
		return false;
	why->verdict = WHY_CRASHED;
	why->class = WHY_NONE;
	why->confidence = WHY_CERTAIN;
	summarise(c, &p->crash);
	blame(c, &p->crash);
	for (int i = 0; i < (int)p->threads.len; i++) {
		if (i != p->crash.thread)
			add_others(c, i);
	}
	if (hint_of(&p->crash)) {
		buf_adds(&hint, hint_of(&p->crash));
		why_case_add_text(c, &why->hints, &hint);
	}
	if (s->core)
		buf_addf(&next, "'ompdb stack %s' shows all stacks.", s->core);
	else
		buf_addf(&next, "'ompdb stack %d' shows all stacks.", s->pid);
	why_case_add_text(c, &why->hints, &next);
	return true;
}
