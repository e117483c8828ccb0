/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stitch.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ompd/outlined.h"

enum {
	HOPS_MAX = 1 << 10,     /* from one thread's stack to another's       */
	FRAMES_MAX = 1 << 20,   /* of one stitched stack                      */
	FRAMES_TOTAL = 1 << 23, /* of all                                     */
};

/* What is shown for a function: found once, although it is on many stacks. */
struct shown {
	const char *function; /* the key: as struct stack_frame has it       */
	const char *base;     /* NULL: outlined, and the name does not tell of what */
	const char *construct;
	bool outlined;
};

struct stitcher {
	const struct stacks *stacks;
	const struct picture *picture;
	struct stitched *out;
	void *shown;             /* owned; tree of struct shown               */
	size_t **starts;         /* owned; [thread][raw frame]: index of its first named frame */
	const char **constructs; /* owned array; of regions                   */
	size_t total;
};

/* Region and task around the frames that come next, for those that user code has called itself. */
struct direct {
	int region, task; /* -1: none */
};

/* Where a stitched stack has got to. */
struct position {
	int thread;
	size_t frame; /* raw frame that comes next     */
	size_t span;  /* span that comes next          */
	struct direct direct;
};

/* ---- names ------------------------------------------------------------------------------ */

static int compare_shown(const void *a, const void *b)
{
	const struct shown *x = a, *y = b;

	return (x->function > y->function) - (x->function < y->function);
}

/* NULL: out of memory. */
static const char *keep_name(struct stitcher *st, const char *text, size_t len)
{
	char *copy = strndup(text, len);

	if (copy && vec_push(&st->out->names, copy))
		return copy;
	free(copy);
	return NULL;
}

/* NULL: out of memory. */
static const struct shown *show_function(struct stitcher *st, const char *function)
{
	struct shown key = { .function = function, .base = function };
	struct shown *const *known = tfind(&key, &st->shown, compare_shown);
	struct outlined outlined;

	if (known)
		return *known;
	key.outlined = function && outlined_parse(function, &outlined);
	if (key.outlined) {
		key.construct = outlined.construct;
		key.base = outlined.len ? keep_name(st, function, outlined.len) : NULL;
		if (outlined.len && !key.base)
			return NULL;
	}
	struct shown *copy = malloc(sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = key;
	if (!tsearch(copy, &st->shown, compare_shown)) {
		free(copy);
		return NULL;
	}
	return copy;
}

static const char *construct_of(const struct span *s)
{
	return s->entry && s->entry->construct ? s->entry->construct : "parallel";
}

/* The source tells them, or the entry that the region's primary thread came through. */
static struct error *find_constructs(struct stitcher *st)
{
	const struct picture *p = st->picture;

	st->constructs = calloc(p->regions.len + 1, sizeof(*st->constructs));
	if (!st->constructs)
		return &error_nomem;
	vec_for_each (th, &p->threads) {
		for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
			const struct span *s = &th->spans.list.items[i];
			int region = th->borders[i].region;
			if (region >= 0 && !s->root)
				st->constructs[region] = construct_of(s);
		}
	}
	for (size_t i = 0; i < p->regions.len; i++) {
		if (p->regions.items[i].construct)
			st->constructs[i] = p->regions.items[i].construct;
	}
	return NULL;
}

/* ---- raw frames and named frames -------------------------------------------------------- */

static struct error *find_starts(struct stitcher *st)
{
	size_t n = st->stacks->threads.len;

	st->starts = calloc(n + 1, sizeof(*st->starts));
	if (!st->starts)
		return &error_nomem;
	for (size_t t = 0; t < n; t++) {
		const struct stack_thread *thread = &st->stacks->threads.items[t];
		size_t len = st->picture->threads.items[t].spans.len, at = 0;
		st->starts[t] = calloc(len + 1, sizeof(**st->starts));
		if (!st->starts[t])
			return &error_nomem;
		for (size_t raw = 0; raw < len; raw++) {
			st->starts[t][raw] = at;
			while (at < thread->frames.len && thread->frames.items[at++].inlined)
				;
		}
		st->starts[t][len] = thread->frames.len;
	}
	return NULL;
}

static const struct picture_thread *thread_at(const struct stitcher *st, int thread)
{
	return &st->picture->threads.items[thread];
}

static struct error *push(struct stitcher *st, struct stitched_stack *stack,
			  const struct stitched_frame *frame)
{
	if (stack->frames.len == FRAMES_MAX || st->total == FRAMES_TOTAL)
		return NULL;
	st->total++;
	return vec_push(&stack->frames, *frame) ? NULL : &error_nomem;
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
	for (size_t i = 0; i < raw; i++) {
		if (th->spans.kinds[i] != CODE_SYSTEM)
			return NULL;
	}
	return th->spans.kinds[raw] == CODE_SYSTEM && !th->spans.hidden[raw] ? th->wait.name : NULL;
}

static struct error *push_named(struct stitcher *st, const struct position *at, size_t raw,
				const struct stack_frame *named, struct stitched_stack *stack)
{
	const struct spans *spans = &thread_at(st, at->thread)->spans;
	const struct shown *shown = show_function(st, named->function);
	struct stitched_frame frame = {
		.frame = named,
		.file = named->file,
		.line = named->line,
		.kind = spans->kinds[raw],
		.hidden = spans->hidden[raw] || is_inner_system(spans, raw),
		.lwp = thread_at(st, at->thread)->lwp,
		.border = { .region = -1, .task = -1, .creator = -1 },
	};

	if (!shown)
		return &error_nomem;
	const char *called = frame.hidden ? NULL : called_name(thread_at(st, at->thread), raw);
	frame.function = called ? called : shown->base;
	if (shown->outlined)
		frame.construct = shown->construct ? shown->construct : "parallel";
	return push(st, stack, &frame);
}

/* Adds the raw frames [from, to) of a thread. */
static struct error *push_frames(struct stitcher *st, const struct position *at, size_t to,
				 struct stitched_stack *stack)
{
	const size_t *starts = st->starts[at->thread];
	const struct stack_thread *thread = &st->stacks->threads.items[at->thread];
	struct error *err = NULL;

	for (size_t raw = at->frame; raw < to; raw++) {
		for (size_t i = starts[raw]; !err && i < starts[raw + 1]; i++)
			err = push_named(st, at, raw, &thread->frames.items[i], stack);
	}
	return err;
}

/* ---- borders ---------------------------------------------------------------------------- */

static struct border border_of_region(const struct stitcher *st, const struct picture_border *b)
{
	const struct picture_region *r = &st->picture->regions.items[b->region];

	return (struct border){
		.kind = r->league ? BORDER_TEAMS : BORDER_PARALLEL,
		.region = b->region,
		.task = -1,
		.creator = -1,
		.place = r->place,
		.source = b->source,
	};
}

static struct border border_of_task(const struct stitcher *st, const struct picture_border *b)
{
	const struct picture *p = st->picture;
	struct border border = { .kind = BORDER_TASK,
				 .region = -1,
				 .task = b->task,
				 .creator = -1,
				 .source = b->source };

	if (b->task < 0)
		return border;
	const struct picture_task *task = &p->tasks.items[b->task];
	border.place = task->place;
	if (task->creator >= 0)
		border.creator = p->tasks.items[task->creator].thread;
	return border;
}

static struct border border_of_call(enum span_call call)
{
	static const enum border_kind kinds[] = {
		[SPAN_WAITS] = BORDER_NONE,    [SPAN_PARALLEL] = BORDER_PARALLEL,
		[SPAN_TASK] = BORDER_TASK,     [SPAN_TEAMS] = BORDER_TEAMS,
		[SPAN_TARGET] = BORDER_TARGET, [SPAN_CALLBACK] = BORDER_CALLBACK,
	};

	return (struct border){ .kind = kinds[call], .region = -1, .task = -1, .creator = -1 };
}

/*
 * Two functions of the compiler stand for one construct: clang calls the code of a region through a
 * function with debug information, and a task's through one with the runtime's arguments.
 */
static bool are_one(const struct stitched_frame *inner, const struct stitched_frame *outer)
{
	if (!inner->construct || !outer->construct || !inner->frame || !outer->frame ||
	    !strstr(inner->frame->function, ".omp_outlined"))
		return !strcmp(inner->construct ? inner->construct : "", "target") &&
		       outer->construct && !strcmp(outer->construct, "target");
	if (strstr(inner->frame->function, "_debug__"))
		return strstr(outer->frame->function, ".omp_outlined");
	return strstr(outer->frame->function, ".omp_task_entry.");
}

/*
 * The outermost frames of what a runtime called: the compiler's functions, of which one stands for
 * all, the innermost. from: where the user's frames begin in the stack. Returns where these do.
 */
static size_t mark_outlined(struct stitched_stack *stack, size_t from, const char *construct)
{
	struct stitched_frame *kept = NULL;
	size_t i = stack->frames.len;

	for (; i-- > from;) {
		struct stitched_frame *f = &stack->frames.items[i];
		if (!f->construct || (kept && !are_one(f, kept)))
			break;
		if (kept)
			kept->hidden = true;
		kept = f;
		kept->construct = construct;
	}
	return i + 1;
}

/* The region that a thread is in, at "region" or around it, and that no span of its stack ends. */
static int next_direct_region(const struct stitcher *st, const struct picture_thread *th,
			      int region)
{
	const struct picture *p = st->picture;
	int self = (int)(th - p->threads.items);

	for (; region >= 0; region = p->regions.items[region].parent) {
		bool ended = p->regions.items[region].primary != self;
		for (size_t i = 0; !ended && i < th->spans.list.len; i++)
			ended = th->borders[i].region == region;
		if (!ended)
			return region;
		if (p->regions.items[region].primary != self)
			return -1;
	}
	return -1;
}

/* The task that a thread is in, or that created that, and that no span of its stack calls. */
static int next_direct_task(const struct stitcher *st, const struct picture_thread *th, int task)
{
	const struct picture *p = st->picture;

	for (; task >= 0 && p->tasks.items[task].kind != TASK_IMPLICIT;
	     task = p->tasks.items[task].creator) {
		bool called = false;
		for (size_t i = 0; !called && i < th->spans.list.len; i++)
			called = th->borders[i].task == task;
		if (!called)
			return task;
	}
	return -1;
}

/* The border behind code that was called directly. caller: the next frame out; NULL: none. */
static struct border direct_border(const struct stitcher *st, const struct direct *direct,
				   bool task, const struct stitched_frame *caller)
{
	struct border border = border_of_call(task ? SPAN_TASK : SPAN_PARALLEL);
	struct picture_border b = { .task = direct->task, .region = direct->region };

	if (task && direct->task >= 0) {
		b.source = st->picture->tasks.items[direct->task].source;
		border = border_of_task(st, &b);
	} else if (!task && direct->region >= 0) {
		b.source = st->picture->regions.items[direct->region].source;
		border = border_of_region(st, &b);
	}
	if (!border.place.line && caller)
		border.place = (struct place){ .file = caller->file, .line = caller->line };
	return border;
}

/*
 * The compiler's functions among the frames from "from" on that the user's code called directly, as
 * it does for constructs that need no runtime: if(0). Groups of them stand for one construct.
 */
static void mark_direct(struct stitcher *st, struct position *at, size_t from, size_t to,
			struct stitched_stack *stack)
{
	const struct picture *p = st->picture;
	const struct picture_thread *th = thread_at(st, at->thread);

	for (size_t i = from; i < to; i++) {
		struct stitched_frame *f = &stack->frames.items[i];
		if (!f->construct)
			continue;
		bool task = !strcmp(f->construct, "task");
		bool target = !strcmp(f->construct, "target");
		for (; i + 1 < to && are_one(&stack->frames.items[i], &stack->frames.items[i + 1]);
		     i++) {
			stack->frames.items[i + 1].hidden = true;
			task |= !strcmp(stack->frames.items[i + 1].construct, "task");
		}
		if (target)
			continue; /* a plain call, on the host */
		f->construct = task ? "task" : "parallel";
		const struct stitched_frame *caller =
			i + 1 < stack->frames.len ? &stack->frames.items[i + 1] : NULL;
		struct direct next = {
			.region = next_direct_region(st, th, at->direct.region),
			.task = next_direct_task(st, th, at->direct.task),
		};
		stack->frames.items[i].border = direct_border(st, &next, task, caller);
		if (task && next.task >= 0)
			at->direct.task = p->tasks.items[next.task].creator;
		else if (!task && next.region >= 0)
			at->direct.region = p->regions.items[next.region].parent;
	}
}

/* The user's function that the runtime called, of which nothing is left on the stack. */
static struct error *push_elided(struct stitcher *st, const struct position *at,
				 const struct border *border, const char *construct,
				 struct stitched_stack *stack)
{
	const struct stitched_frame frame = {
		.function = border->place.function,
		.construct = construct,
		.file = border->place.file,
		.line = border->place.line,
		.kind = CODE_USER,
		.lwp = thread_at(st, at->thread)->lwp,
		.border = { .region = -1, .task = -1, .creator = -1 },
	};

	return push(st, stack, &frame);
}

/* The user's function that jumped into the runtime. */
static struct error *push_tail(struct stitcher *st, const struct position *at, taddr function,
			       struct stitched_stack *stack)
{
	const struct source_frame *levels;
	size_t len;
	struct stitched_frame frame = {
		.kind = CODE_USER,
		.lwp = thread_at(st, at->thread)->lwp,
		.border = { .region = -1, .task = -1, .creator = -1 },
	};
	struct error *err = symbol_locate(st->stacks->session->symbols, function, &levels, &len);

	if (err || !levels[len - 1].function)
		return err;
	AUTO_FREE char *shown = symbol_demangle(levels[len - 1].function);
	frame.function = shown ? keep_name(st, shown, strlen(shown)) : NULL;
	return frame.function ? push(st, stack, &frame) : &error_nomem;
}

/* Puts the border behind the last frame. */
static void set_border(struct stitched_stack *stack, const struct border *border)
{
	if (stack->frames.len)
		stack->frames.items[stack->frames.len - 1].border = *border;
}

/*
 * The place of a construct that the picture has not: of the outlined function, which for gcc is
 * that of the directive, or of the call into the runtime.
 */
static struct error *find_place(const struct stitcher *st, const struct position *at,
				const struct span *s, struct place *ret)
{
	const size_t *starts = st->starts[at->thread];
	const struct stack_thread *thread = &st->stacks->threads.items[at->thread];
	const struct spans *spans = &thread_at(st, at->thread)->spans;
	const struct source_frame *levels;
	size_t len;

	if (s->callee) {
		struct error *err =
			symbol_locate(st->stacks->session->symbols, s->callee, &levels, &len);
		if (err)
			return err;
		const char *function = levels[len - 1].function;
		if (levels[0].file && function && strstr(function, "._omp_fn.")) {
			ret->file = levels[0].file;
			ret->line = levels[0].line;
			return NULL;
		}
	}
	if (!s->root && s->outer < spans->len && starts[s->outer] < thread->frames.len) {
		ret->file = thread->frames.items[starts[s->outer]].file;
		ret->line = thread->frames.items[starts[s->outer]].line;
	}
	return NULL;
}

/* The border between user code and the runtime that called it; the frames from "from" on are
 * inside. */
static struct error *end_called(struct stitcher *st, struct position *at, size_t from,
				struct stitched_stack *stack)
{
	static const char *const constructs[] = {
		[BORDER_NONE] = NULL,     [BORDER_PARALLEL] = "parallel", [BORDER_TASK] = "task",
		[BORDER_TEAMS] = "teams", [BORDER_TARGET] = "target",     [BORDER_CALLBACK] = NULL,
	};
	const struct picture_thread *th = thread_at(st, at->thread);
	const struct span *s = &th->spans.list.items[at->span];
	const struct picture_border *b = &th->borders[at->span];
	struct border border = border_of_call(s->call);

	if (s->call == SPAN_WAITS)
		return NULL; /* the innermost: there are no frames */
	if (s->call == SPAN_TASK)
		border = border_of_task(st, b);
	else if (b->region >= 0)
		border = border_of_region(st, b);
	struct error *err = NULL;
	if (!border.place.line)
		err = find_place(st, at, s, &border.place);
	const char *construct = constructs[border.kind];
	if (border.region >= 0 && st->constructs[border.region])
		construct = st->constructs[border.region];
	else if (border.task >= 0 && st->picture->tasks.items[border.task].construct)
		construct = st->picture->tasks.items[border.task].construct;
	size_t to = stack->frames.len;
	if (err)
		return err;
	if (s->elided)
		err = push_elided(st, at, &border, construct, stack);
	else
		to = mark_outlined(stack, from, construct);
	mark_direct(st, at, from, to, stack);
	set_border(stack, &border);
	return err;
}

/* The border of a region in whose end barrier the thread is: its own code is over. */
static void end_region(struct stitcher *st, const struct position *at, struct stitched_stack *stack)
{
	const struct picture_thread *th = thread_at(st, at->thread);
	const struct picture_border *b = &th->borders[at->span];

	if (b->region < 0 || th->spans.list.items[at->span].call == SPAN_PARALLEL)
		return;
	struct border border = border_of_region(st, b);
	set_border(stack, &border);
}

/* ---- from one thread to the next -------------------------------------------------------- */

/* The place on the primary thread's stack where it made the region. */
static bool find_fork(const struct stitcher *st, int region, struct position *ret)
{
	const struct picture_region *r = region >= 0 ? &st->picture->regions.items[region] : NULL;
	const struct picture_thread *th = r && r->primary >= 0 ? thread_at(st, r->primary) : NULL;

	for (size_t i = 0; th && th->borders && i < th->spans.list.len; i++) {
		if (th->borders[i].region == region && !th->spans.list.items[i].root) {
			*ret = (struct position){
				.thread = r->primary,
				.frame = th->spans.list.items[i].outer,
				.span = i + 1,
				.direct = { .region = r->parent, .task = -1 },
			};
			return true;
		}
	}
	return false;
}

static struct error *set_end(struct stitched_stack *stack, const char *why)
{
	stack->end = why ? strdup(why) : NULL;
	return why && !stack->end ? &error_nomem : NULL;
}

/* Why a thread that the runtime made has nothing further out. */
static const char *why_no_fork(const struct stitcher *st, const struct position *at)
{
	const struct picture_thread *th = thread_at(st, at->thread);
	int region = th->borders[at->span].region;

	if (th->role == ROLE_IDLE)
		return NULL;
	if (region < 0)
		return "the region that this thread belongs to is not known";
	return "the place where its region was begun was not found";
}

/*
 * Passes the user's frames and the span behind them. *ret_done: nothing comes behind it.
 */
static struct error *pass_span(struct stitcher *st, struct position *at,
			       struct stitched_stack *stack, bool *ret_done)
{
	const struct picture_thread *th = thread_at(st, at->thread);
	const struct spans *spans = &th->spans;
	const struct span *s = at->span < spans->list.len ? &spans->list.items[at->span] : NULL;
	size_t from = stack->frames.len;
	struct error *err = push_frames(st, at, s ? s->inner : spans->len, stack);

	if (!err && s)
		err = end_called(st, at, from, stack);
	if (!err && !s)
		mark_direct(st, at, from, stack->frames.len, stack);
	if (err || !s) {
		*ret_done = true;
		return err ? err : set_end(stack, st->stacks->threads.items[at->thread].end);
	}
	at->frame = s->inner;
	err = push_frames(st, at, s->root ? spans->len : s->outer, stack);
	end_region(st, at, stack);
	if (!err && s->tail)
		err = push_tail(st, at, s->tail, stack);
	at->frame = s->outer;
	if (err || !s->root) {
		at->span++;
		return err;
	}
	if (find_fork(st, th->borders[at->span].region, at))
		return NULL;
	*ret_done = true;
	return set_end(stack, why_no_fork(st, at));
}

static struct error *stitch_thread(struct stitcher *st, int thread, struct stitched_stack *stack)
{
	const struct picture_thread *th = thread_at(st, thread);
	struct position at = { .thread = thread, .direct = { th->region, th->task } };
	struct error *err = NULL;
	bool done = false;

	stack->thread = thread;
	for (int hops = 0; !err && !done; hops++) {
		err = pass_span(st, &at, stack, &done);
		if (!done && hops == HOPS_MAX) {
			done = true;
			err = set_end(stack, "too many regions are around each other");
		}
	}
	return err;
}

/* ---- names that only the neighbours tell ------------------------------------------------ */

static const char *function_around(struct stitcher *st, const struct stitched_frame *f)
{
	const struct stack_frame *frame = f->frame;

	if (!frame || !frame->file)
		return NULL;
	const char *linkage = symbol_function_around(st->stacks->session->symbols, frame->pc - 1,
						     frame->file, frame->line);
	AUTO_FREE char *shown = linkage ? symbol_demangle(linkage) : NULL;
	return shown ? keep_name(st, shown, strlen(shown)) : NULL;
}

/*
 * Old compilers do not name the function that outlined code belongs to: a region's is that which
 * made the region, the next one further out.
 */
static void name_outlined(struct stitcher *st, struct stitched_stack *stack)
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

/* ---- all -------------------------------------------------------------------------------- */

void stitch_fini(struct stitched *s)
{
	vec_for_each (stack, &s->stacks) {
		vec_fini(&stack->frames);
		free(stack->end);
	}
	vec_fini(&s->stacks);
	vec_for_each (name, &s->names)
		free(*name);
	vec_fini(&s->names);
}

static void stitcher_fini(struct stitcher *st)
{
	for (size_t i = 0; st->starts && i < st->stacks->threads.len; i++)
		free(st->starts[i]);
	free(st->starts);
	free(st->constructs);
	tdestroy(st->shown, free);
}

static struct error *stitch_all(struct stitcher *st)
{
	struct error *err = find_starts(st);

	if (!err)
		err = find_constructs(st);
	for (size_t i = 0; !err && i < st->stacks->threads.len; i++) {
		struct stitched_stack stack = { 0 };
		err = stitch_thread(st, (int)i, &stack);
		name_outlined(st, &stack);
		if (!vec_push(&st->out->stacks, stack)) {
			vec_fini(&stack.frames);
			free(stack.end);
			error_ignore(err);
			err = &error_nomem;
		}
	}
	return err;
}

struct error *stitch(const struct stacks *s, const struct picture *p, struct stitched *ret)
{
	struct stitched out = { 0 };
	struct stitcher st = { .stacks = s, .picture = p, .out = &out };
	struct error *err = stitch_all(&st);

	stitcher_fini(&st);
	if (err) {
		stitch_fini(&out);
		return err;
	}
	*ret = out;
	return NULL;
}
