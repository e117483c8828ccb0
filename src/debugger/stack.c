/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stack.h"

#include <stdio.h>
#include <string.h>

void stack_free(struct stacks *s)
{
	if (!s)
		return;
	for (size_t i = 0; s->raw && i < s->threads.len; i++)
		unwind_stack_fini(&s->raw[i]);
	free(s->raw);
	vec_for_each (thread, &s->threads) {
		free(thread->name);
		free(thread->end);
		vec_fini(&thread->frames);
	}
	vec_fini(&s->threads);
	vec_fini_all(&s->notes);
	free(s->exe);
	free(s->core);
	free(s);
}

/* Collecting ------------------------------------------------------------------------------ */

/* Why a thread has no stack; NULL: it has one. */
static const char *no_stack(const struct thread *th)
{
	if (th->kernel_worker)
		return "kernel worker thread: runs no user code";
	switch (th->state) {
	case THREAD_STOPPED:
	case THREAD_PENDING:
	case THREAD_NEW:
		return NULL;
	case THREAD_STUCK:
		return "not stopped: the thread is in uninterruptible sleep (state D)";
	case THREAD_ZOMBIE:
		return "the main thread has ended, the others live on";
	case THREAD_ENDED:
	case THREAD_GONE:
		return "the thread has ended";
	case THREAD_RUNNING:
	case THREAD_STEPPING:
	case THREAD_PASSING:
	case THREAD_LISTENING:
	case THREAD_STARTING:
	case THREAD_STOPPING:
	case THREAD_LEAVING:
		return "not stopped: the thread is running";
	}
	return "not stopped";
}

/* Unwinds one thread, or says in *ret_end why that is not possible. */
static struct error *collect_thread(struct unwinder *u, struct thread *th, size_t max_frames,
				    struct unwind_stack *raw, char **ret_end)
{
	const char *why = no_stack(th);
	AUTO_BUF cut = { 0 };
	AUTO_ERROR *err = NULL;

	if (!why && !max_frames)
		why = "not unwound: the threads before it have used up the frames that ompdb keeps";
	if (!why) {
		err = unwind_thread(u, th, max_frames, raw);
		if (err)
			why = error_is(err, ERROR_GONE) ? "the thread has ended"
							: error_message(err);
	}
	if (!why && raw->cut)
		buf_addf(&cut, "only the first %zu %s", max_frames,
			 max_frames == 1 ? "frame is shown" : "frames are shown");
	if (!why)
		why = cut.len ? buf_text(&cut) : raw->end;
	*ret_end = why ? strdup(why) : NULL;
	return why && !*ret_end ? &error_nomem : NULL;
}

static struct error *collect_threads(struct stacks *s, size_t max_frames)
{
	const struct target *t = s->session->target;
	size_t left = STACK_FRAMES_TOTAL;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < t->threads.len; i++) {
		struct thread *th = t->threads.items[i];
		struct stack_thread thread = { .lwp = th->lwp };
		size_t most = left < max_frames ? left : max_frames;
		if (!vec_push(&s->threads, thread))
			return &error_nomem;
		err = collect_thread(s->session->unwinder, th, most, &s->raw[i],
				     &s->threads.items[i].end);
		left -= s->raw[i].len < left ? s->raw[i].len : left;
	}
	return err;
}

struct error *stack_collect(const struct session *from, size_t max_frames, struct stacks **ret)
{
	const struct target *t = from->target;
	AUTO_STACKS *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	s->session = from;
	s->pid = t->pid;
	s->raw = calloc(t->threads.len + 1, sizeof(*s->raw));
	s->exe = strdup(t->exe ? t->exe : "");
	s->core = t->core ? strdup(t->core) : NULL;
	if (!s->raw || !s->exe || (t->core && !s->core))
		return &error_nomem;
	struct error *err = collect_threads(s, max_frames);
	if (!err)
		*ret = TAKE(s);
	return err;
}

/* Naming ---------------------------------------------------------------------------------- */

/* A return address may lie behind the function that calls: after a call that never returns. */
static taddr lookup_address(const struct unwind_frame *raw)
{
	return raw->exact ? raw->pc : raw->pc - 1;
}

/* Making the frames of one thread, and what is seen on the way. */
struct frame_maker {
	const struct session *session;
	bool *seen;      /* borrowed; for each module: a stack runs through it */
	size_t ninlined; /* frames so far that are inlined calls            */
};

static struct error *add_level(struct frame_maker *n, const struct unwind_frame *raw,
			       const struct source_frame *level, struct stack_thread *thread)
{
	taddr in = lookup_address(raw);
	const struct module *m = module_at(n->session->modules, in);
	struct stack_frame frame = {
		.pc = raw->pc,
		.cfa = raw->cfa,
		.offset = raw->pc - (m ? m->bias : 0),
		.file = level->file,
		.line = level->file ? level->line : 0,
		.module = m ? m->path : NULL,
		.inlined = level->inlined,
		.signal = raw->signal,
		.guessed = raw->guessed,
	};

	if (level->function) {
		frame.function = symbol_shown_name(n->session->symbols, level->function);
		frame.offset = level->offset + (raw->pc - in);
		if (!frame.function)
			return &error_nomem;
	}
	if (m)
		n->seen[m->index] = true;
	n->ninlined += level->inlined;
	return vec_push(&thread->frames, frame) ? NULL : &error_nomem;
}

static struct error *name_frame(struct frame_maker *n, const struct unwind_frame *raw,
				struct stack_thread *thread)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(n->session->symbols, lookup_address(raw), &levels, &len);

	/* The last level is the function itself, which is always shown. */
	for (size_t i = 0; !err && i < len; i++) {
		if (i + 1 == len || n->ninlined < STACK_FRAMES_TOTAL)
			err = add_level(n, raw, &levels[i], thread);
	}
	return err;
}

struct error *stack_name_thread(struct stacks *s, size_t i)
{
	struct target *t = s->session->target;
	struct stack_thread *thread = &s->threads.items[i];
	struct thread *th = target_find_thread(t, thread->lwp);

	thread->name = strdup(th ? target_thread_name(t, th) : "");
	return thread->name ? NULL : &error_nomem;
}

static struct error *name_frames(struct frame_maker *n, const struct unwind_stack *raw,
				 struct stack_thread *thread)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < raw->len; i++)
		err = name_frame(n, &raw->items[i], thread);
	vec_trim(&thread->frames);
	return err;
}

static struct error *add_note(struct stacks *s, const char *path, const char *text)
{
	AUTO_FREE char *note = NULL;
	bool named = !strncmp(text, path, strlen(path)); /* as messages about files are */

	if (asprintf(&note, "%s%s%s", named ? "" : path, named ? "" : ": ", text) < 0) {
		note = NULL;
		return &error_nomem;
	}
	if (!vec_push(&s->notes, note))
		return &error_nomem;
	note = NULL; /* in the list now */
	return NULL;
}

/* Says what is wrong with the files of the modules that stacks run through. */
static struct error *add_notes(struct stacks *s, const struct frame_maker *n)
{
	const struct module_list *modules = n->session->modules;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < modules->len; i++) {
		struct module *m = modules->items[i];
		if (!n->seen[i])
			continue;
		const struct debuginfo *d = debuginfo_get(n->session->files, m);
		if (!d)
			return &error_nomem;
		const char *text = debuginfo_note(d);
		if (text)
			err = add_note(s, m->path, text);
	}
	return err;
}

struct error *stack_name(struct stacks *s)
{
	AUTO_FREE bool *seen = calloc(s->session->modules->len + 1, sizeof(*seen));
	struct frame_maker n = { .session = s->session, .seen = seen };
	struct error *err = seen ? NULL : &error_nomem;

	for (size_t i = 0; !err && i < s->threads.len; i++)
		err = name_frames(&n, &s->raw[i], &s->threads.items[i]);
	return err ? err : add_notes(s, &n);
}
