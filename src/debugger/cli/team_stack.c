/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/team_stack.h"

#include "base/text.h"
#include "debugger/cli/running.h"
#include "debugger/look.h"
#include "debugger/output/format_picture.h"
#include "debugger/output/format_stop.h"
#include "debugger/output/json_stack.h"
#include "debugger/values/lock_names.h"
#include "debugger/whereabouts.h"

/* Only of who is in a region the others are looked at. */
static struct error *is_in_region(struct cli *c, struct frames *f, bool *ret)
{
	const struct unwind_frame *raw;
	struct whereabouts w;
	struct error *err = frames_raw(f, UNWIND_FRAMES_DEFAULT - 1, &raw);

	if (!err)
		err = whereabouts_find(c->control->live, f->thread, &f->raw, &w);
	*ret = !err && w.level;
	return err;
}

static const struct stitched_stack *find_stack(const struct snapshot *s, pid_t lwp)
{
	for (size_t i = 0; i < s->stitched.stacks.len; i++) {
		const struct stitched_stack *stack = &s->stitched.stacks.items[i];
		if (s->stacks->threads.items[stack->thread].lwp == lwp)
			return stack;
	}
	return NULL;
}

/* ---- frames and their numbers ----------------------------------------------------------- */

/*
 * A stitched stack, walked from the inside out. Each frame that is shown has the number that
 * "frame" takes: the thread's own have those of its machine stack, of which the runtime's are not
 * shown; those of other threads follow behind all of its own.
 */
struct walk {
	struct cli *cli;
	const struct view *view;            /* borrowed */
	const struct stitched_stack *stack; /* borrowed */
	struct json *json;                  /* borrowed; of objects */
	pid_t lwp;           /* of the thread whose stack it is                            */
	struct frames *mine; /* borrowed; of that thread                                   */
	struct frames held;  /* owned; those, where the selected frame is another thread's */
	struct frames other; /* owned; of the other thread whose frames come just now */
	size_t own_level, other_level;
	size_t own; /* frames of the thread's own */
	size_t others;
	bool full;
	bool ended; /* behind main(), or Fortran's main program, nothing is the user's */
};

/* Where a frame is that is shown. */
struct shown_frame {
	struct frames *frames; /* borrowed; NULL: a tail call has left it */
	size_t level, number;
	bool not_entered; /* an inlined call, at whose beginning the thread stands */
};

/* The thread whose stack is shown: that of the selected frame, which may be another thread's. */
static void find_mine(struct cli *c, struct frames *held, struct frames **ret)
{
	const struct control *k = c->control;

	*ret = &c->control->frames;
	if (!k->stitched.lwp)
		return;
	frames_select(held, k->live, target_find_thread(k->live->target, k->stitched.lwp),
		      k->stitched.hidden);
	held->past_main = k->frames.past_main;
	held->linker_names = k->frames.linker_names;
	*ret = held;
}

static struct error *walk_init(struct walk *w, struct cli *c)
{
	const struct frame *frame;

	*w = (struct walk){ .cli = c };
	find_mine(c, &w->held, &w->mine);
	struct error *err = frames_get(w->mine, UNWIND_FRAMES_DEFAULT, &frame);
	w->own = w->mine->items.len;
	w->lwp = w->mine->thread ? w->mine->thread->lwp : 0;
	return err;
}

static void walk_fini(struct walk *w)
{
	frames_fini(&w->held);
	frames_fini(&w->other);
}

/* How many levels of the same frame of the machine are further out: inlined calls. */
static size_t count_outer(const struct stack_frame *f)
{
	size_t n = 0;

	while (f[n].inlined)
		n++;
	return n;
}

/* *level: those before it are shown or left out. */
static struct error *find_level(struct frames *frames, const struct stack_frame *f, size_t *level,
				bool *ret)
{
	const struct frame_key key = { f->pc, f->cfa, count_outer(f) };
	struct error *err = frames_find(frames, &key, level, ret);

	*level += *ret;
	return err;
}

/* The next frame of the same thread further out that is one of its machine; NULL: there is none. */
static const struct stack_frame *next_out(const struct walk *w, const struct stitched_frame *f)
{
	const struct stitched_frame *end = w->stack->frames.items + w->stack->frames.len;

	for (const pid_t lwp = f->lwp; f < end && f->lwp == lwp; f++) {
		if (f->frame)
			return f->frame;
	}
	return NULL;
}

/* Of a function that a tail call has left: the frame of its line before the next of the machine. */
static struct error *find_left_level(const struct walk *w, struct frames *frames,
				     const struct stitched_frame *f, size_t *level, bool *ret)
{
	const struct stack_frame *outer = f->file ? next_out(w, f) : NULL;
	size_t end = *level;
	bool is_there = false;
	struct error *err = outer ? find_level(frames, outer, &end, &is_there) : NULL;

	for (size_t i = *level; is_there && i < end && !*ret; i++) {
		const struct frame *frame = &frames->items.items[i];
		*ret = frame->left && frame->line == f->line && text_same(frame->file, f->file);
		if (*ret)
			*level = i + 1;
	}
	return err;
}

/* It stands where an inlined call begins, which has not been entered. */
static bool is_not_entered(const struct frames *frames, const struct stack_frame *f)
{
	const struct frame *first = frames->items.len ? &frames->items.items[0] : NULL;

	return frames->hidden && first && first->pc == f->pc && first->cfa == f->cfa;
}

static struct error *walk_find(struct walk *w, const struct stitched_frame *f,
			       struct shown_frame *ret)
{
	const bool is_own = f->lwp == w->lwp;
	struct session *s = w->cli->control->live;
	struct thread *th = target_find_thread(s->target, f->lwp);
	struct frames *frames = is_own ? w->mine : &w->other;
	size_t *level = is_own ? &w->own_level : &w->other_level;
	bool found = false;

	*ret = (struct shown_frame){ 0 };
	if (!th)
		return NULL;
	if (!is_own && w->other.thread != th) {
		frames_select(&w->other, s, th, 0);
		w->other_level = 0;
	}
	struct error *err = f->frame ? find_level(frames, f->frame, level, &found)
				     : find_left_level(w, frames, f, level, &found);
	ret->not_entered = !err && !found && f->frame && is_not_entered(frames, f->frame);
	if (err || !found)
		return err;
	ret->frames = frames;
	ret->level = *level - 1;
	w->ended = frames_is_main(frames, &frames->items.items[ret->level]);
	ret->number = is_own ? ret->level : w->own + w->others++;
	return NULL;
}

/*
 * Shows all frames, the innermost first, but "most" at the most. add: where is NULL for a frame
 * that is hidden. *ret_whole: those were all.
 */
static struct error *walk_all(struct walk *w, size_t most,
			      struct error *(*add)(struct walk *w, size_t i,
						   const struct shown_frame *where),
			      bool *ret_whole)
{
	struct error *err = NULL;
	size_t i, shown = 0;

	for (i = 0; i < w->stack->frames.len && shown < most && !w->ended && !err; i++) {
		const struct stitched_frame *f = &w->stack->frames.items[i];
		struct shown_frame where;
		if (!f->hidden)
			err = walk_find(w, f, &where);
		if (!err)
			err = add(w, i, f->hidden ? NULL : &where);
		shown += !f->hidden;
	}
	*ret_whole = w->ended || i == w->stack->frames.len;
	return err;
}

/* ---- text ------------------------------------------------------------------------------- */

static struct error *add_frame(struct cli *c, const struct stitched_frame *f,
			       const struct shown_frame *where)
{
	AUTO(report_place_fini) struct report_place place = { 0 };

	if (where->not_entered)
		return NULL;
	if (where->frames) {
		buf_addf(&c->out, "#%-3zu", where->number);
		return running_add_frame(c, where->frames, where->level, &place);
	}
	buf_adds(&c->out, "    ");
	running_add_function(c, &c->out, f);
	buf_addc(&c->out, '\n');
	return NULL;
}

static void add_border(struct cli *c, const struct view *v, const struct border *b)
{
	style_begin(&c->out, INK_BORDER, &c->style);
	style_mark(&c->out, MARK_RULE, &c->style);
	buf_addc(&c->out, ' ');
	format_picture_border(&c->out, v, b);
	buf_addc(&c->out, ' ');
	style_mark(&c->out, MARK_RULE, &c->style);
	style_end(&c->out, &c->style);
	buf_addc(&c->out, '\n');
}

static struct error *add_text(struct walk *w, size_t i, const struct shown_frame *where)
{
	const struct stitched_frame *f = &w->stack->frames.items[i];
	struct error *err = where ? add_frame(w->cli, f, where) : NULL;

	if (!err && where && where->frames && w->full)
		err = running_add_locals(w->cli, where->frames, where->level);
	if (!err && f->border.kind != BORDER_NONE)
		add_border(w->cli, w->view, &f->border);
	return err;
}

static struct error *add_stack(struct walk *w, size_t most)
{
	struct cli *c = w->cli;
	bool whole;
	struct error *err = walk_all(w, most, add_text, &whole);

	if (!err && !whole)
		buf_adds(&c->out, "(More stack frames follow...)\n");
	else if (!err && !w->ended && w->stack->end)
		style_add_between(&c->out, "Backtrace stopped: ", w->stack->end, "\n");
	return err;
}

/* ---- objects ---------------------------------------------------------------------------- */

/* Between this frame and the next one that is shown. */
static const struct border *border_behind(const struct stitched_stack *stack, size_t i)
{
	const struct stitched_frame *f = &stack->frames.items[i];

	while (f->border.kind == BORDER_NONE && ++i < stack->frames.len &&
	       stack->frames.items[i].hidden)
		f = &stack->frames.items[i];
	return &f->border;
}

static struct error *add_object(struct walk *w, size_t i, const struct shown_frame *where)
{
	const struct stitched_frame *f = &w->stack->frames.items[i];
	struct json *j = w->json;
	struct error *err = NULL;

	if (!where || where->not_entered)
		return NULL;
	json_add_object(j, NULL);
	if (where->frames)
		json_add_unsigned(j, "number", where->number);
	else
		json_add_null(j, "number");
	json_add_integer(j, "lwp", f->lwp);
	json_add_string(j, "user_function", f->function);
	json_add_string(j, "construct", f->construct);
	json_stack_border(j, w->view, border_behind(w->stack, i));
	if (where->frames)
		err = running_add_frame_members(w->cli, j, where->frames, where->level);
	if (!err && where->frames && w->full)
		err = running_add_locals_array(w->cli, j, where->frames, where->level);
	json_end(j);
	return err;
}

static struct error *add_objects(struct walk *w, size_t most)
{
	struct json j;
	bool whole;

	cli_json_begin(w->cli, &j, "backtrace");
	json_add_integer(&j, "lwp", w->lwp);
	json_add_array(&j, "frames");
	w->json = &j;
	struct error *err = walk_all(w, most, add_object, &whole);
	json_end(&j);
	json_add_string(&j, "end", w->stack->end);
	cli_json_end(w->cli, &j);
	return err;
}

/* ---- both ------------------------------------------------------------------------------- */

/* ret starts empty; *ret_stack NULL: the thread is in no region. */
static struct error *look(struct cli *c, struct look *ret, const struct stitched_stack **ret_stack)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .more = lock_names_find };
	struct frames held = { 0 }, *mine;
	bool is = false;

	*ret_stack = NULL;
	find_mine(c, &held, &mine);
	const pid_t lwp = mine->thread ? mine->thread->lwp : 0;
	struct error *err = lwp ? is_in_region(c, mine, &is) : NULL;
	frames_fini(&held);
	if (err || !is)
		return err;
	err = look_once(c->control->live, &options, ret);
	if (!err)
		err = snapshot_name(ret->snapshot);
	if (!err)
		*ret_stack = find_stack(ret->snapshot, lwp);
	return err;
}

struct error *team_stack_add(struct cli *c, size_t most, bool full, bool *ret_is)
{
	const struct stitched_stack *stack;
	AUTO_LOOK l = { 0 };
	struct walk w;
	struct error *err = look(c, &l, &stack);

	*ret_is = !err && stack;
	if (!*ret_is)
		return err;
	const struct view v = { .stacks = l.snapshot->stacks,
				.picture = &l.snapshot->picture,
				.stitched = &l.snapshot->stitched };
	err = walk_init(&w, c);
	w.view = &v;
	w.stack = stack;
	w.full = full;
	if (!err)
		err = (c->json ? add_objects : add_stack)(&w, most);
	walk_fini(&w);
	return err;
}

/* ---- selecting -------------------------------------------------------------------------- */

/* A frame that is shown. */
struct place_on_stack {
	pid_t lwp;
	size_t level, number;
};
struct places_on_stack {
	struct place_on_stack *items; /* owned */
	size_t len, cap;
};

/* All that are shown, up to main(). */
static struct error *list_frames(struct walk *w, struct places_on_stack *ret)
{
	struct error *err = NULL;

	for (size_t i = 0; i < w->stack->frames.len && !err && !w->ended; i++) {
		const struct stitched_frame *f = &w->stack->frames.items[i];
		struct shown_frame where = { 0 };
		if (!f->hidden)
			err = walk_find(w, f, &where);
		const struct place_on_stack place = { f->lwp, where.level, where.number };
		if (!err && where.frames && !vec_push(ret, place))
			err = &error_nomem;
	}
	return err;
}

/* *ret_is: the thread is in a region; else it has no frames but its own. */
static struct error *list_stack(struct cli *c, struct places_on_stack *ret, pid_t *ret_lwp,
				bool *ret_is)
{
	const struct stitched_stack *stack;
	AUTO_LOOK l = { 0 };
	struct walk w;
	struct error *err = look(c, &l, &stack);

	*ret_is = !err && stack;
	if (!*ret_is)
		return err;
	err = walk_init(&w, c);
	w.stack = stack;
	if (!err)
		err = list_frames(&w, ret);
	*ret_lwp = w.lwp;
	walk_fini(&w);
	return err;
}

/* lwp: of the thread whose stack that is. */
static void select_place(struct cli *c, const struct place_on_stack *p, pid_t lwp)
{
	struct control *k = c->control;
	const size_t hidden = k->stitched.lwp ? k->stitched.hidden : k->frames.hidden;

	if (p->lwp != k->selected)
		control_select_lwp(k, p->lwp, p->lwp == lwp ? hidden : 0);
	k->level = p->level;
	k->stitched.lwp = p->lwp == lwp ? 0 : lwp;
	k->stitched.hidden = hidden;
	k->stitched.number = p->number;
}

struct error *team_stack_select(struct cli *c, size_t number, bool *ret_is)
{
	struct places_on_stack all = { 0 };
	pid_t lwp = 0;
	bool is;
	struct error *err = list_stack(c, &all, &lwp, &is);

	*ret_is = false;
	for (size_t i = 0; !err && i < all.len && !*ret_is; i++) {
		*ret_is = all.items[i].number == number;
		if (*ret_is)
			select_place(c, &all.items[i], lwp);
	}
	vec_fini(&all);
	return err;
}

/* The index of the selected frame, or of the next one out, which *ret_between says. */
static size_t find_selected(const struct control *k, const struct places_on_stack *all,
			    bool *ret_between)
{
	const size_t number = k->stitched.lwp ? k->stitched.number : k->level;
	size_t i = 0;

	while (i < all->len && all->items[i].number < number)
		i++;
	*ret_between = i == all->len || all->items[i].number != number;
	return i;
}

struct error *team_stack_move(struct cli *c, long count, bool *ret_is)
{
	struct places_on_stack all = { 0 };
	bool between;
	pid_t lwp = 0;
	struct error *err = list_stack(c, &all, &lwp, ret_is);

	if (err || !all.len) {
		*ret_is = false;
		vec_fini(&all);
		return err;
	}
	const size_t at = find_selected(c->control, &all, &between);
	const long last = (long)all.len - 1;
	long to = (long)at + count - (between && count > 0);
	if (count > 0 && (long)at + !between > last)
		err = error_new(ERROR_USAGE, "Initial frame selected; you can't go up.");
	else if (count < 0 && !at)
		err = error_new(ERROR_USAGE,
				"Bottom (innermost) frame selected; you can't go down.");
	else
		select_place(c, &all.items[to < 0 ? 0 : to > last ? last : to], lwp);
	vec_fini(&all);
	return err;
}
