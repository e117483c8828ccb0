/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stitch_frames.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/outlined.h"

enum {
	FRAMES_MAX = 1 << 20,   /* of one stitched stack                      */
	FRAMES_TOTAL = 1 << 23, /* of all                                     */
};

/* What is shown for a function: found once, although it is on many stacks. */
struct shown {
	const char *function;  /* NULL: outlined, and the name does not tell of what */
	const char *construct; /* NULL: it is not outlined                           */
};

/* ---- raw frames and named frames -------------------------------------------------------- */

struct error *stitch_frames_init(struct stitcher *st)
{
	size_t n = st->stacks->threads.len;

	st->starts = calloc(n + 1, sizeof(*st->starts));
	if (!st->starts)
		return &error_nomem;
	for (size_t t = 0; t < n; t++) {
		const struct stack_thread *thread = &st->stacks->threads.items[t];
		size_t len = picture_thread(st->picture, (int)t)->spans.len, at = 0;
		size_t *starts = st->starts[t] = calloc(len + 1, sizeof(*starts));
		if (!starts)
			return &error_nomem;
		for (size_t raw = 0; raw < len; raw++) {
			starts[raw] = at;
			while (at < thread->frames.len && thread->frames.items[at++].inlined)
				;
		}
		starts[len] = thread->frames.len;
	}
	return NULL;
}

void stitch_frames_fini(struct stitcher *st)
{
	for (size_t i = 0; st->starts && i < st->stacks->threads.len; i++)
		free(st->starts[i]);
	free(st->starts);
	map_for_each (item, &st->shown)
		free(item->pointer);
	map_fini(&st->shown);
}

const struct stack_frame *stitch_frames_at(const struct stitcher *st, int thread, size_t raw)
{
	const struct stack_thread *th = &st->stacks->threads.items[thread];
	size_t i = st->starts[thread][raw];

	return i < th->frames.len ? &th->frames.items[i] : NULL;
}

/* ---- names ------------------------------------------------------------------------------ */

/* Takes text, which the stitched stacks own then. NULL: out of memory, also as the text. */
static const char *keep_name(struct stitcher *st, char *text)
{
	if (text && vec_push(&st->out->names, text))
		return text;
	free(text);
	return NULL;
}

/* NULL: out of memory. */
static const struct shown *show_function(struct stitcher *st, const char *function)
{
	struct map_item *item = map_add(&st->shown, map_key(function));
	struct outlined outlined;

	if (!item || item->pointer)
		return item ? item->pointer : NULL;
	AUTO_FREE struct shown *shown = calloc(1, sizeof(*shown));
	if (!shown)
		return NULL;
	if (!function || !outlined_parse(function, &outlined)) {
		shown->function = function;
	} else {
		shown->construct = outlined.construct ? outlined.construct : "parallel";
		if (outlined.len)
			shown->function = keep_name(
				st, outlined_user(&outlined, st->stacks->session->symbols));
		if (outlined.len && !shown->function)
			return NULL;
	}
	return item->pointer = TAKE(shown);
}

/* Of the system's frames that the user called into, the outermost is enough to know. */
static bool is_inner_system(const struct spans *spans, size_t raw)
{
	return spans->kinds[raw] == CODE_SYSTEM && raw + 1 < spans->len &&
	       spans->kinds[raw + 1] == CODE_SYSTEM && !spans->hidden[raw + 1];
}

/*
 * The function that the user called, where the system's frame is what it jumped to: the name of
 * what the thread waits for. NULL: it is not that frame.
 */
static const char *called_name(const struct picture_thread *th, size_t raw)
{
	if (th->wait.kind == WAIT_MPI) /* its name is that of a frame further out */
		return NULL;
	for (size_t i = 0; i <= raw; i++) {
		if (th->spans.kinds[i] != CODE_SYSTEM)
			return NULL;
	}
	return th->wait.name;
}

static const char *function_around(struct stitcher *st, const struct stitched_frame *f)
{
	const struct stack_frame *frame = f->frame;

	if (!frame || !frame->file)
		return NULL;
	char *shown = outlined_around(st->stacks->session->symbols, frame->pc - 1, frame->file,
				      frame->line);
	return shown ? keep_name(st, shown) : NULL;
}

/*
 * Old compilers do not name the function that outlined code belongs to: a region's is that which
 * made the region, the next one further out.
 */
void stitch_frames_name_outlined(struct stitcher *st, struct stitched_stack *stack)
{
	const struct border *border = NULL;
	const char *outer = NULL;

	for (size_t i = stack->frames.len; i-- > 0;) {
		struct stitched_frame *f = &stack->frames.items[i];
		if (f->border.kind != BORDER_NONE)
			border = &f->border;
		if (!f->function && f->construct) {
			bool task = border && border->kind == BORDER_TASK;
			f->function = task ? border->place.function : outer;
			if (!f->function)
				f->function = function_around(st, f);
			if (!f->function)
				f->function = f->frame ? f->frame->function : outer;
		}
		if (!f->hidden && f->kind == CODE_USER)
			outer = f->function;
	}
}

/* ---- adding ----------------------------------------------------------------------------- */

static struct error *push(struct stitcher *st, int thread, const struct stitched_frame *frame,
			  struct stitched_stack *stack)
{
	if (stack->frames.len == FRAMES_MAX || st->total == FRAMES_TOTAL)
		return NULL;
	st->total++;
	if (!vec_push(&stack->frames, *frame))
		return &error_nomem;
	struct stitched_frame *added = &stack->frames.items[stack->frames.len - 1];
	added->lwp = picture_thread(st->picture, thread)->lwp;
	added->border = (struct border){ .region = -1, .task = -1, .creator = -1 };
	return NULL;
}

static struct error *add_named(struct stitcher *st, int thread, size_t raw,
			       const struct stack_frame *named, struct stitched_stack *stack)
{
	const struct picture_thread *th = picture_thread(st->picture, thread);
	const struct shown *shown = show_function(st, named->function);

	if (!shown)
		return &error_nomem;
	bool hidden = th->spans.hidden[raw] || is_inner_system(&th->spans, raw);
	const char *called = hidden ? NULL : called_name(th, raw);
	return push(st, thread,
		    &(struct stitched_frame){
			    .frame = named,
			    .function = called ? called : shown->function,
			    .construct = shown->construct,
			    .file = named->file,
			    .line = named->line,
			    .kind = th->spans.kinds[raw],
			    .hidden = hidden,
		    },
		    stack);
}

struct error *stitch_frames_add(struct stitcher *st, int thread, size_t from, size_t to,
				struct stitched_stack *stack)
{
	const size_t *starts = st->starts[thread];
	const struct stack_frame *named = st->stacks->threads.items[thread].frames.items;
	struct error *err = NULL;

	for (size_t raw = from; raw < to; raw++) {
		for (size_t i = starts[raw]; !err && i < starts[raw + 1]; i++)
			err = add_named(st, thread, raw, &named[i], stack);
	}
	return err;
}

struct error *stitch_frames_add_elided(struct stitcher *st, int thread, const struct place *place,
				       const char *construct, struct stitched_stack *stack)
{
	return push(st, thread,
		    &(struct stitched_frame){ .function = place->function,
					      .construct = construct,
					      .file = place->file,
					      .line = place->line,
					      .kind = CODE_USER },
		    stack);
}

/* Where a function that was left is, as the user has it: clang's code of a region is inlined. */
static struct error *locate_left(struct stitcher *st, taddr pc, struct source_frame *ret)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(st->stacks->session->symbols, pc, &levels, &len);
	struct outlined outlined;

	if (err)
		return err;
	const struct source_frame *level = &levels[len - 1];
	while (level > levels && level->function && outlined_parse(level->function, &outlined) &&
	       level[-1].function && outlined_parse(level[-1].function, &outlined))
		level--;
	*ret = *level;
	return NULL;
}

/* The line is that of the jump; of several, where it is one. */
static struct error *add_left(struct stitcher *st, int thread, const struct call_left *left,
			      struct stitched_stack *stack)
{
	struct source_frame at, other;
	struct error *err = locate_left(st, left->njumps ? left->jumps[0] : left->function, &at);
	bool one_line = left->njumps;

	for (size_t i = 1; !err && i < left->njumps; i++) {
		err = locate_left(st, left->jumps[i], &other);
		one_line = one_line && !err && other.line == at.line;
	}
	if (err || !at.function)
		return err;
	const struct shown *shown = show_function(st, at.function);
	if (!shown)
		return &error_nomem;
	const char *name = shown->function;
	if (name && !shown->construct)
		name = keep_name(st, symbol_demangle(name));
	if (shown->function && !name)
		return &error_nomem;
	struct stitched_frame frame = { .function = name,
					.construct = shown->construct,
					.kind = CODE_USER };
	if (one_line) {
		frame.file = at.file;
		frame.line = at.line;
	}
	return push(st, thread, &frame, stack);
}

struct error *stitch_frames_add_left(struct stitcher *st, int thread, const struct call_left *left,
				     size_t n, struct stitched_stack *stack)
{
	struct error *err = NULL;

	while (!err && n-- > 0)
		err = add_left(st, thread, &left[n], stack);
	return err;
}
