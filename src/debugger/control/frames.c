/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/frames.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/control/counted.h"
#include "debugger/control/jumped.h"
#include "debugger/control/loop_values.h"
#include "debugger/control/task_block.h"
#include "debugger/values/raw_scope.h"
#include "ompd/outlined.h"
#include "target/symbols/places.h"

enum { FIRST_PIECE = 1, PIECE_GROWS = 8 };

static void forget_creator(struct frames *f)
{
	if (f->around)
		frames_fini(f->around);
	free(f->around);
	f->around = NULL;
	free(f->given);
	f->given = NULL;
}

void frames_fini(struct frames *f)
{
	forget_creator(f);
	unwind_stack_fini(&f->raw);
	vec_fini(&f->items);
	*f = (struct frames){ 0 };
}

void frames_select(struct frames *f, struct session *s, struct thread *th, size_t hidden)
{
	frames_fini(f);
	f->session = s;
	f->thread = th;
	f->hidden = hidden;
	f->changes = s ? s->target->changes : 0;
}

/* The stack may be another one, after writes; who is elsewhere by one has no calls hidden. */
static void follow_changes(struct frames *f)
{
	struct target *t = f->thread ? f->session->target : NULL;
	const uint8_t *set;

	if (!t || f->changes == t->changes)
		return;
	f->changes = t->changes;
	struct error *err = f->raw.len ? target_general(t, f->thread, &set) : NULL;
	if (err || (f->raw.len && arch_get(t->arch->pc, set) != f->raw.items[0].pc))
		f->hidden = 0;
	error_ignore(err);
	unwind_stack_fini(&f->raw);
	f->raw = (struct unwind_stack){ 0 };
	f->items.len = f->named = 0;
	forget_creator(f);
	f->complete = false;
}

/* Unwinds from the start again: that costs little, as rules for the same code are remembered. */
static struct error *unwind(struct frames *f, size_t n)
{
	size_t most = FIRST_PIECE;
	struct unwind_stack raw = { 0 };

	while (most <= n)
		most *= PIECE_GROWS;
	if (most > UNWIND_FRAMES_MAX)
		most = UNWIND_FRAMES_MAX;
	struct error *err = unwind_thread(f->session->unwinder, f->thread, most, &raw);
	if (err)
		return err;
	unwind_stack_fini(&f->raw);
	f->raw = raw;
	f->complete = raw.len < most || most == UNWIND_FRAMES_MAX;
	return NULL;
}

struct error *frames_raw(struct frames *f, size_t n, const struct unwind_frame **ret)
{
	if (!f->thread)
		return error_new(ERROR_GONE, "there is no thread that stands still");
	follow_changes(f);
	struct error *err = n < f->raw.len || f->complete ? NULL : unwind(f, n);
	if (!err)
		*ret = n < f->raw.len ? &f->raw.items[n] : NULL;
	return err;
}

const char *frames_end(const struct frames *f)
{
	return f->complete ? f->raw.end : NULL;
}

static taddr lookup_pc(const struct unwind_frame *raw)
{
	return raw->exact || !raw->pc ? raw->pc : raw->pc - 1;
}

/* Adds the levels of a raw frame, or of one that a tail call has left. */
static struct error *add_levels(struct frames *f, const struct unwind_frame *raw, size_t index,
				bool left)
{
	const struct source_frame *levels;
	size_t len, first = f->named ? 0 : f->hidden;

	if (raw->made) {
		const struct frame made = {
			.raw = index, .pc = raw->pc, .cfa = raw->cfa, .exact = true, .made = true
		};
		return vec_push(&f->items, made) ? NULL : &error_nomem;
	}
	struct error *err = symbol_locate(f->session->symbols, lookup_pc(raw), &levels, &len);

	if (err)
		return err;
	if (first >= len)
		first = len - 1;
	for (size_t i = first; i < len; i++) {
		const struct source_frame *l = &levels[i];
		struct frame frame = {
			.raw = index,
			.level = i,
			.pc = raw->pc,
			.cfa = raw->cfa,
			.entry = l->function ? lookup_pc(raw) - l->offset : 0,
			.function = l->function,
			.file = l->file,
			.line = l->file ? l->line : 0,
			.exact = raw->exact,
			.inlined = l->inlined,
			.signal = raw->signal,
			.left = left,
		};
		if (!vec_push(&f->items, frame))
			return &error_nomem;
	}
	return NULL;
}

/* Between the raw frame that was named last and the next one. */
static struct error *add_left(struct frames *f, const struct unwind_frame *caller)
{
	taddr pcs[CALL_SITES_MAX];
	struct error *err = NULL;
	size_t n = 0;

	const struct unwind_frame *callee = f->named ? &f->raw.items[f->named - 1] : NULL;
	if (callee && !caller->exact && !callee->signal && !callee->guessed)
		n = jumped_between(f->session, caller->pc, lookup_pc(callee), pcs);
	for (size_t i = 0; i < n && !err; i++) {
		const struct unwind_frame left = { .pc = pcs[i], .cfa = callee->cfa };
		err = add_levels(f, &left, f->named - 1, true);
	}
	return err;
}

bool frames_is_main(const struct frames *f, const struct frame *frame)
{
	return !frame->inlined &&
	       places_is_main(f->session->symbols, frame->exact ? frame->pc : frame->pc - 1);
}

/* Who calls main() is of no interest. */
static bool ends_at_main(const struct frames *f)
{
	const struct frame *last = f->items.len ? &f->items.items[f->items.len - 1] : NULL;

	return last && !f->past_main && frames_is_main(f, last);
}

struct error *frames_get(struct frames *f, size_t n, const struct frame **ret)
{
	follow_changes(f);
	while (n >= f->items.len) {
		const struct unwind_frame *raw;
		if (ends_at_main(f)) {
			*ret = NULL;
			return NULL;
		}
		struct error *err = frames_raw(f, f->named, &raw);
		if (err)
			return err;
		if (!raw) {
			*ret = NULL;
			return NULL;
		}
		err = add_left(f, raw);
		if (!err)
			err = add_levels(f, raw, f->named, false);
		if (err)
			return err;
		f->named++;
	}
	*ret = &f->items.items[n];
	return NULL;
}

/* How many levels of the same frame of the machine are further out: inlined calls. */
static struct error *count_outer(struct frames *f, size_t n, size_t *ret)
{
	const struct frame *frame;
	struct error *err = frames_get(f, n, &frame);

	for (*ret = 0; !err && frame && frame->inlined; ++*ret)
		err = frames_get(f, n + *ret + 1, &frame);
	return err;
}

struct error *frames_find(struct frames *f, const struct frame_key *key, size_t *index, bool *ret)
{
	const struct frame *frame;

	*ret = false;
	for (size_t i = *index; !*ret; i++) {
		size_t outer = 0;
		struct error *err = frames_get(f, i, &frame);
		if (err || !frame)
			return err;
		if (frame->pc != key->pc || frame->cfa != key->cfa)
			continue;
		err = count_outer(f, i, &outer);
		if (err)
			return err;
		*ret = outer == key->outer;
		*index = *ret ? i : *index;
	}
	return NULL;
}

static bool find_creator(const struct scope *s, struct scope *ret, const char **ret_why);
static bool find_beyond(const struct scope *s, struct scope *ret);
static struct error *make_scope(struct frames *f, size_t n, uint64_t *registers, struct scope *ret);

/* The next one that is no part of the same function, with what is inlined in it. */
static bool find_caller(const struct scope *s, struct scope *ret, uint64_t *registers)
{
	const struct frame *frame = NULL;
	size_t n = s->index;
	struct error *err;

	do
		err = frames_get(s->frames, n++, &frame);
	while (!err && frame && frame->inlined);
	if (!err && frame)
		err = make_scope(s->frames, n, registers, ret);
	bool found = !err && frame;
	error_ignore(err);
	ret->outward = s->outward + 1;
	return found;
}

static struct error *make_scope(struct frames *f, size_t n, uint64_t *registers, struct scope *ret)
{
	const struct frame *frame;
	struct error *err = frames_get(f, n, &frame);

	if (err)
		return err;
	if (!frame)
		return error_new(ERROR_NOT_FOUND, "there is no frame %zu: the stack has %zu", n,
				 f->items.len);
	struct scope scope = {
		.session = f->session,
		.thread = f->thread,
		.frame = frame->raw,
		.level = frame->level,
		.pc = frame->pc,
		.cfa = frame->cfa,
		.exact = frame->exact,
		.registers = registers,
		.caller = find_caller,
		.creator = find_creator,
		.beyond = find_beyond,
		.counted = counted_value,
		.loop = loop_values_get,
		.frames = f,
		.index = n,
	};
	/* What was left has put back what it had to keep: it is as the caller had it. */
	unwind_registers(f->session->unwinder, f->thread, frame->raw + frame->left, registers,
			 &scope.known);
	scope.known &= raw_scope_untouched(f->session, &f->raw, frame->raw) &
		       ~raw_scope_overwritten(f->session, &f->raw, frame->raw);
	*ret = scope;
	return NULL;
}

static bool is_of_construct(const struct frame *f)
{
	struct outlined o;

	return f->function && outlined_parse(f->function, &o);
}

static struct error *find_around(struct frames *f, const struct frame_key *key, bool *ret)
{
	f->around_level = 0;
	return frames_find(f->around, key, &f->around_level, ret);
}

/* Of several that may have made the task, that which has what the task shares with it. */
static struct error *find_maker(struct frames *f, bool *ret)
{
	struct scope scope;
	struct error *err = NULL;

	*ret = false;
	for (size_t i = 0; !err && !*ret && i < f->creator.nmaybe; i++) {
		err = find_around(f, &f->creator.maybe[i], ret);
		if (!err && *ret)
			err = frames_scope(f->around, f->around_level, &scope);
		*ret = *ret && !err && task_block_is_of(&scope, &f->creator.task);
	}
	return err;
}

/* Fills f->around and what belongs to it, for the n-th frame. */
static struct error *look_for_creator(struct frames *f, size_t n)
{
	const struct frame *frame;
	struct frame_key key;
	bool found = false;
	struct error *err = frames_get(f, n, &frame);

	if (err || !frame)
		return err;
	key = (struct frame_key){ .pc = frame->pc, .cfa = frame->cfa };
	err = count_outer(f, n, &key.outer);
	if (!err)
		err = creators_find(f->session, f->thread->lwp, &key, &f->creator);
	struct thread *th = target_find_thread(f->session->target, f->creator.lwp);
	if (err || !th)
		return err;
	frames_select(f->around, f->session, th, 0);
	err = f->creator.known ? find_around(f, &f->creator.frame, &found) : find_maker(f, &found);
	if (!found)
		frames_select(f->around, f->session, NULL, 0);
	return err;
}

static bool take_entry(void *context, const struct symbol *symbol)
{
	taddr *ret = context;

	if (symbol->function)
		*ret = symbol->addr;
	return !symbol->function;
}

/* Where the function begins that code of a construct was written in; 0: not known. */
static taddr written_in(const struct frames *f, const struct frame *frame)
{
	const taddr pc = frame->exact || !frame->pc ? frame->pc : frame->pc - 1;
	bool several = false;
	const char *linkage = frame->file
				      ? symbol_function_around(f->session->symbols, pc, frame->file,
							       frame->line, &several)
				      : NULL;
	taddr entry = 0;

	if (linkage && !several)
		symbol_find(f->session->symbols, linkage, take_entry, &entry);
	return entry;
}

/* The frame at "index" becomes that at "within", whose creator is known, as far as it can be. */
static struct error *know_creator(struct frames *f, size_t index)
{
	if (f->around && f->within == index)
		return NULL;
	forget_creator(f);
	f->around = calloc(1, sizeof(*f->around));
	f->within = index;
	return f->around ? look_for_creator(f, index) : &error_nomem;
}

static bool scope_around(struct frames *f, struct scope *ret)
{
	struct error *err = frames_scope(f->around, f->around_level, ret);
	const bool found = !err;

	error_ignore(err);
	if (found)
		ret->where = f->creator.thread;
	return found;
}

static bool find_creator(const struct scope *s, struct scope *ret, const char **ret_why)
{
	struct frames *f = s->frames;

	if (!is_of_construct(&f->items.items[s->index]))
		return false;
	struct error *err = know_creator(f, s->index);
	*ret_why = err ? NULL : f->creator.why;
	bool found = !err && f->around->thread && !f->creator.is_beyond && scope_around(f, ret);
	error_ignore(err);
	if (!found && *ret_why)
		*ret = (struct scope){ .pc = written_in(f, &f->items.items[s->index]) };
	ret->made_task = f->creator.is_task;
	return found;
}

static bool find_beyond(const struct scope *s, struct scope *ret)
{
	struct frames *f = s->frames;

	if (!is_of_construct(&f->items.items[s->index]))
		return false;
	struct error *err = know_creator(f, s->index);
	bool found = !err && f->around->thread && f->creator.is_beyond && scope_around(f, ret);
	error_ignore(err);
	return found;
}

struct error *frames_scope(struct frames *f, size_t n, struct scope *ret)
{
	return make_scope(f, n, f->registers, ret);
}

static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

/* The name that is shown, and the compiler's where that is another one. */
static bool add_names(const struct frames *f, const struct frame *frame, struct report_place *ret)
{
	const struct source_place at = {
		.pc = frame->exact || !frame->pc ? frame->pc : frame->pc - 1,
		.level = frame->level,
		.file = frame->file,
		.line = frame->line,
	};
	const char *outlined = NULL;

	ret->function = outlined_text(f->session->symbols, &at, false, &outlined);
	if (outlined && f->linker_names) {
		free(ret->function);
		ret->function = symbol_demangle(outlined);
		outlined = NULL;
	}
	return (ret->function || !frame->function) && copy(&ret->outlined, outlined);
}

struct error *frames_place(const struct frames *f, const struct frame *frame,
			   struct report_place *ret)
{
	const struct module *m = module_at(f->session->modules, frame->pc);
	struct report_place place = {
		.pc = frame->pc,
		.line = frame->line,
		.known = true,
		.signal = frame->signal,
		.made = frame->made,
	};
	struct line_range range;

	if (frame->made) {
		*ret = place;
		return NULL;
	}
	/* As gdb: who holds an inlined call is shown without an address. */
	bool begins = frame->exact && places_line_range(f->session->symbols, frame->pc, &range) &&
		      range.is_start;
	place.mid_line = !begins && !frame->level;
	if (add_names(f, frame, &place) && copy(&place.file, frame->file) &&
	    copy(&place.module, m ? m->path : NULL)) {
		*ret = place;
		return NULL;
	}
	report_place_fini(&place);
	return &error_nomem;
}

size_t frames_calls_at(struct session *s, taddr pc)
{
	struct code_block blocks[CODE_BLOCKS_MAX];

	return places_calls(blocks, places_blocks(s->symbols, pc, blocks));
}
