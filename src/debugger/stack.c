/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/stack.h"

#include <search.h>
#include <stdio.h>
#include <string.h>

#include "target/symbols/symbol.h"

/* A function's linkage name, by its place in the symbol table, and what is shown for it. */
struct name {
	const char *linkage; /* borrowed */
	char *shown;         /* owned    */
};

struct stack_store {
	struct debuginfo_set *files;  /* owned */
	struct module_list *modules;  /* owned */
	struct unwinder *unwinder;    /* owned */
	struct symbol_table *symbols; /* owned */
	void *names;                  /* owned; tree of struct name, see tsearch(3)       */
	bool *seen;                   /* owned; for each module: a stack runs through it  */
	struct unwind_stack *raw;     /* owned; one for each thread, in their order       */
	size_t nraw;
	size_t ninlined; /* frames so far that are inlined calls */
};

static void name_free(void *p)
{
	struct name *name = p;

	free(name->shown);
	free(name);
}

static struct stack_store *store_new(size_t nthreads)
{
	struct stack_store *store = calloc(1, sizeof(*store));

	if (!store)
		return NULL;
	store->raw = calloc(nthreads + 1, sizeof(*store->raw));
	if (!store->raw) {
		free(store);
		return NULL;
	}
	store->nraw = nthreads;
	return store;
}

static void store_free(struct stack_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->nraw; i++)
		unwind_stack_fini(&store->raw[i]);
	free(store->raw);
	free(store->seen);
	tdestroy(store->names, name_free);
	symbol_table_free(store->symbols);
	unwinder_free(store->unwinder);
	debuginfo_set_free(store->files);
	module_list_free(store->modules);
	free(store);
}

void stack_free(struct stacks *s)
{
	if (!s)
		return;
	vec_for_each (thread, &s->threads) {
		free(thread->name);
		free(thread->end);
		vec_fini(&thread->frames);
	}
	vec_fini(&s->threads);
	vec_for_each (note, &s->notes)
		free(*note);
	vec_fini(&s->notes);
	free(s->exe);
	free(s->core);
	store_free(s->store);
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
		return NULL;
	case THREAD_STUCK:
		return "not stopped: the thread is in uninterruptible sleep (state D)";
	case THREAD_ZOMBIE:
		return "the main thread has ended, the others live on";
	case THREAD_GONE:
		return "the thread has ended";
	case THREAD_STOPPING:
	case THREAD_RUNNING:
		return "not stopped: the thread is running";
	}
	return "not stopped";
}

/* Unwinds one thread, or says in *ret_end why that is not possible. */
static struct error *collect_thread(struct unwinder *u, struct thread *th, size_t max_frames,
				    struct unwind_stack *raw, char **ret_end)
{
	const char *why = no_stack(th);
	AUTO_ERROR *err = NULL;

	if (!why && !max_frames)
		why = "not unwound: the threads before it have used up the frames that ompdb keeps";
	if (!why) {
		err = unwind_thread(u, th, max_frames, raw);
		if (err)
			why = error_is(err, ERROR_GONE) ? "the thread has ended"
							: error_message(err);
	}
	*ret_end = why ? strdup(why) : TAKE(raw->end);
	return why && !*ret_end ? &error_nomem : NULL;
}

static struct error *collect_threads(struct target *t, size_t max_frames, struct stacks *s)
{
	size_t left = STACK_FRAMES_TOTAL;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < t->threads.len; i++) {
		struct thread *th = t->threads.items[i];
		struct unwind_stack *raw = &s->store->raw[i];
		struct stack_thread thread = { .lwp = th->lwp };
		size_t most = left < max_frames ? left : max_frames;
		err = collect_thread(s->store->unwinder, th, most, raw, &thread.end);
		if (!err && !vec_push(&s->threads, thread)) {
			free(thread.end);
			err = &error_nomem;
		}
		left -= raw->len < left ? raw->len : left;
	}
	return err;
}

static struct error *fill_target(const struct target *t, struct stacks *s)
{
	s->pid = t->pid;
	s->exe = strdup(t->exe ? t->exe : "");
	s->core = t->core ? strdup(t->core) : NULL;
	return s->exe && (s->core || !t->core) ? NULL : &error_nomem;
}

struct error *stack_collect(struct target *t, const struct stack_options *options,
			    struct stacks **ret)
{
	AUTO_STACKS *s = calloc(1, sizeof(*s));

	if (!s || !(s->store = store_new(t->threads.len)))
		return &error_nomem;
	struct stack_store *store = s->store;
	struct error *err = fill_target(t, s);
	if (err)
		return err;
	err = module_list_read(t, &store->modules);
	if (err)
		return err;
	store->files = debuginfo_set_new(store->modules, &options->debuginfo);
	store->unwinder = store->files ? unwinder_new(store->modules, store->files) : NULL;
	store->symbols = store->files ? symbol_table_new(store->files) : NULL;
	if (!store->unwinder || !store->symbols)
		return &error_nomem;
	err = collect_threads(t, options->max_frames, s);
	if (err)
		return err;
	*ret = TAKE(s);
	return NULL;
}

struct module_list *stack_modules(const struct stacks *s)
{
	return s->store->modules;
}

struct unwinder *stack_unwinder(const struct stacks *s)
{
	return s->store->unwinder;
}

struct symbol_table *stack_symbols(const struct stacks *s)
{
	return s->store->symbols;
}

const struct unwind_stack *stack_raw(const struct stacks *s)
{
	return s->store->raw;
}

/* Naming ---------------------------------------------------------------------------------- */

/* A return address may lie behind the function that calls: after a call that never returns. */
static taddr lookup_address(const struct unwind_frame *raw)
{
	return raw->exact ? raw->pc : raw->pc - 1;
}

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return (x->linkage > y->linkage) - (x->linkage < y->linkage);
}

/* Demangling is slow, and every function is on many stacks. NULL: out of memory. */
static const char *name_of(struct stack_store *store, const char *linkage)
{
	struct name key = { .linkage = linkage };
	struct name *const *known = tfind(&key, &store->names, compare_names);

	if (known)
		return (*known)->shown;
	struct name *name = malloc(sizeof(*name));
	if (!name)
		return NULL;
	*name = (struct name){ .linkage = linkage, .shown = symbol_demangle(linkage) };
	if (!name->shown || !tsearch(name, &store->names, compare_names)) {
		name_free(name);
		return NULL;
	}
	return name->shown;
}

static struct error *add_level(struct stack_store *store, const struct unwind_frame *raw,
			       const struct source_frame *level, struct stack_thread *thread)
{
	taddr in = lookup_address(raw);
	const struct module *m = module_at(store->modules, in);
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
		frame.function = name_of(store, level->function);
		frame.offset = level->offset + (raw->pc - in);
		if (!frame.function)
			return &error_nomem;
	}
	if (m)
		store->seen[m->index] = true;
	store->ninlined += level->inlined;
	return vec_push(&thread->frames, frame) ? NULL : &error_nomem;
}

static struct error *name_frame(struct stack_store *store, const struct unwind_frame *raw,
				struct stack_thread *thread)
{
	const struct source_frame *levels;
	size_t len;
	struct error *err = symbol_locate(store->symbols, lookup_address(raw), &levels, &len);

	/* The last level is the function itself, which is always shown. */
	for (size_t i = 0; !err && i < len; i++) {
		if (i + 1 == len || store->ninlined < STACK_FRAMES_TOTAL)
			err = add_level(store, raw, &levels[i], thread);
	}
	return err;
}

static struct error *name_thread(struct stack_store *store, size_t index,
				 struct stack_thread *thread)
{
	struct target *t = store->modules->target;
	struct thread *th = target_find_thread(t, thread->lwp);
	struct unwind_stack *raw = &store->raw[index];

	thread->name = strdup(th ? target_thread_name(t, th) : "");
	if (!thread->name)
		return &error_nomem;
	struct error *err = NULL;
	for (size_t i = 0; !err && i < raw->len; i++)
		err = name_frame(store, &raw->items[i], thread);
	unwind_stack_fini(raw);
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
static struct error *add_notes(struct stacks *s)
{
	const struct module_list *modules = s->store->modules;
	struct error *err = NULL;

	for (size_t i = 0; !err && i < modules->len; i++) {
		if (!s->store->seen[i])
			continue;
		struct module *m = modules->items[i];
		const struct debuginfo *d = debuginfo_get(s->store->files, m);
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
	struct stack_store *store = s->store;

	store->seen = calloc(store->modules->len + 1, sizeof(*store->seen));
	if (!store->seen)
		return &error_nomem;
	for (size_t i = 0; i < s->threads.len; i++) {
		struct error *err = name_thread(store, i, &s->threads.items[i]);
		if (err)
			return err;
	}
	return add_notes(s);
}
