/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/frames.h"

#include <string.h>

#include "base/text.h"
#include "target/symbols/function_text.h"
#include "target/symbols/places.h"

enum { FIRST_PIECE = 2, PIECE_GROWS = 8 };

void frames_fini(struct frames *f)
{
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

/* Adds the levels of the next raw frame. */
static struct error *add_levels(struct frames *f, const struct unwind_frame *raw)
{
	const struct source_frame *levels;
	size_t len, first = f->named ? 0 : f->hidden;
	struct error *err = symbol_locate(f->session->symbols, lookup_pc(raw), &levels, &len);

	if (err)
		return err;
	if (first >= len)
		first = len - 1;
	struct line_range range;
	bool has_line =
		places_line_range(f->session->symbols, lookup_pc(raw), &range) && range.line;
	for (size_t i = first; i < len; i++) {
		const struct source_frame *l = &levels[i];
		struct frame frame = {
			.raw = f->named,
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
		};
		/* Of several lines at one address that of the statement is meant. */
		if (!i && has_line) {
			frame.file = range.file;
			frame.line = range.line;
		}
		if (!vec_push(&f->items, frame))
			return &error_nomem;
	}
	f->named++;
	return NULL;
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
		err = add_levels(f, raw);
		if (err)
			return err;
	}
	*ret = &f->items.items[n];
	return NULL;
}

struct error *frames_scope(struct frames *f, size_t n, struct scope *ret)
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
		.registers = f->registers,
	};
	unwind_registers(f->session->unwinder, f->thread, frame->raw, f->registers, &scope.known);
	*ret = scope;
	return NULL;
}

static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

struct error *frames_place(const struct frames *f, const struct frame *frame,
			   struct report_place *ret)
{
	const struct module *m = module_at(f->session->modules, frame->pc);
	taddr pc = frame->exact || !frame->pc ? frame->pc : frame->pc - 1;
	struct report_place place = {
		.pc = frame->pc,
		.line = frame->line,
		.known = true,
		.signal = frame->signal,
		.function = function_text(f->session->symbols, pc, frame->level, false),
	};
	struct line_range range;

	/* As gdb: who holds an inlined call is shown without an address. */
	bool begins = frame->exact && places_line_range(f->session->symbols, frame->pc, &range) &&
		      range.begins;
	place.mid_line = !begins && !frame->level;
	if ((place.function || !frame->function) && copy(&place.file, frame->file) &&
	    copy(&place.module, m ? m->path : NULL)) {
		*ret = place;
		return NULL;
	}
	free(place.function);
	free(place.file);
	return &error_nomem;
}

size_t frames_calls_at(struct session *s, taddr pc)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t n = places_blocks(s->symbols, pc, blocks), calls = 0;

	while (calls < n && blocks[calls].inlined && blocks[calls].entry == pc)
		calls++;
	return calls;
}
