/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/walk.h"

#include <stdlib.h>
#include <string.h>

#include "ompd/borders.h"
#include "ompd/client/quiet.h"
#include "ompd/client/walk_state.h"
#include "ompd/conform.h"
#include "ompd/constructs.h"
#include "ompd/crashes.h"
#include "ompd/footprint.h"
#include "ompd/holds.h"
#include "ompd/icv.h"
#include "ompd/infer.h"
#include "ompd/loops.h"
#include "ompd/picture/order.h"
#include "ompd/picture/parked.h"
#include "ompd/runtimes.h"
#include "ompd/wait.h"

/* ---- threads ---------------------------------------------------------------------------- */

/* A thread that the runtime made, and that is in none of the user's functions. */
static bool is_parked_worker(const struct walk *w, int thread)
{
	const struct spans *s = &picture_thread(w->picture, thread)->spans;

	return s->list.len == 1 && s->list.items[0].root && s->list.items[0].call == SPAN_WAITS;
}

/* The role of a thread that is not idle and in no region. */
static enum thread_role role_outside(const struct walk *w, int thread)
{
	const struct spans *s = &picture_thread(w->picture, thread)->spans;
	const struct target *t = w->target;

	/* With a task, but no region: the teams of a league may have level 0. */
	if (s->list.len && s->list.items[s->list.len - 1].root)
		return ROLE_PRIMARY;
	return t->threads.items[thread]->lwp == t->pid ? ROLE_INITIAL : ROLE_FOREIGN;
}

/* With several runtimes in the process: the one that the thread is in, or the first that knows it.
 */
static bool is_its_runtime(const struct openmp *o, const struct picture_thread *th)
{
	return th->runtime < 0 ||
	       (th->spans.list.len && th->spans.list.items[0].runtime == o->runtime);
}

/*
 * The region that a thread is in, by one runtime, and its number there. Returns whether it is one
 * of the runtime's own threads, which are in none of the program's.
 */
static bool read_place(struct walk *w, struct known *k, int thread, ompd_thread_handle_t *handle,
		       int64_t *ret_number)
{
	int *region = walk_innermost(w, (int)(k - w->known), thread);
	ompd_parallel_handle_t *its = openmp_region(k->openmp, handle);

	if (constructs_is_of_helpers(w, k, its))
		return true;
	*region = constructs_find_region(w, k, its);
	if (*region < 0)
		return false;
	if (!openmp_icv(k->openmp, handle, ICV_THREAD_NUM, ret_number) ||
	    *ret_number >= MEMBERS_MAX)
		*ret_number = -1;
	constructs_enter(w, *region, (long)*ret_number, thread);
	return false;
}

static void read_thread(struct walk *w, struct known *k, int thread)
{
	struct picture_thread *th = picture_thread(w->picture, thread);
	ompd_thread_handle_t *handle = openmp_thread(k->openmp, thread);
	bool its_runtime = is_its_runtime(k->openmp, th);
	int64_t number = -1;

	if (!handle)
		return;
	if (its_runtime) {
		w->handles[thread] = handle;
		th->runtime = (int)(k - w->known);
		th->source = SOURCE_OMPD;
		th->region = th->task = -1;
		th->number = -1;
		/*
		 * Idle workers keep what they were in: the memory of a team that is gone. So they
		 * are told apart before anything is asked about their region.
		 */
		if (is_parked_worker(w, thread) && k->openmp->ops->is_idle(w, thread)) {
			th->role = ROLE_IDLE;
			return;
		}
	}
	bool helps = read_place(w, k, thread, handle, &number);
	if (!its_runtime)
		return;
	if (helps && is_parked_worker(w, thread)) {
		th->role = ROLE_IDLE;
		return;
	}
	th->region = *walk_innermost(w, th->runtime, thread);
	th->number = (long)number;
	th->role = helps            ? ROLE_HELPER
		   : th->region < 0 ? role_outside(w, thread)
		   : number == 0    ? ROLE_PRIMARY
				    : ROLE_WORKER;
	constructs_read_task(w, k, thread);
}

static bool is_looked_at(const struct walk *w, size_t thread)
{
	return !w->only || w->target->threads.items[thread] == w->only;
}

static void add_threads(struct walk *w)
{
	for (size_t i = 0; !w->failed && i < w->target->threads.len; i++) {
		struct picture_thread th = {
			.lwp = w->target->threads.items[i]->lwp,
			.runtime = -1,
			.region = -1,
			.number = -1,
			.task = -1,
			.wait = { .holder = -1, .hold = -1, .fd = -1 },
		};
		struct error *err = NULL;
		if (is_looked_at(w, i))
			err = spans_find(&w->runtimes, w->unwinder, w->calls,
					 w->target->threads.items[i], &w->raw[i], &th.spans);
		w->failed = err || !vec_push(&w->picture->threads, th);
		if (w->failed)
			spans_fini(&th.spans);
		const struct parked_source from = { w->unwinder, w->calls, &w->runtimes,
						    w->target->threads.items[i], &w->raw[i] };
		if (is_looked_at(w, i))
			parked_read(&from, &w->parked[i]);
	}
}

/* ---- runtimes --------------------------------------------------------------------------- */

static char *copy_text(struct walk *w, const char *text)
{
	char *copy = text ? strdup(text) : NULL;

	w->failed |= text && !copy;
	return copy;
}

static void describe(struct walk *w, const struct openmp *o)
{
	const char *library = o->library.path ? o->library.path : "built in";
	struct picture_runtime r = {
		.name = o->ops->name,
		.version_of_compiler = o->ops->version_of_compiler,
		.path = copy_text(w, o->runtime->module->path),
		.version = copy_text(w, o->version),
		.status = copy_text(w, o->status),
		.provider = copy_text(w, o->space ? library : NULL),
		.answers = o->space,
		.detaches = runtime_program_names(&w->runtimes, o->ops->detaching),
	};
	char *note = copy_text(w, o->note);

	w->failed |= !vec_push(&w->picture->runtimes, r) ||
		     (note && !vec_push(&w->picture->notes, note));
}

static void note_hidden(struct walk *w)
{
	static const char hidden[] = "an OpenMP runtime may be linked into the program, where it "
				     "was not found by symbols: do not strip the program, or "
				     "link it with the shared runtime";
	char *note = copy_text(w, w->runtimes.hidden ? hidden : NULL);

	w->failed |= note && !vec_push(&w->picture->notes, note);
}

static void begin_sessions(struct walk *w, const struct walk_source *source)
{
	const struct openmp_source from = {
		.runtimes = &w->runtimes,
		.pthreads = &w->pthreads,
		.symbols = source->symbols,
		.ompd_library = source->ompd_library,
	};
	size_t n = w->runtimes.len, places = n * w->target->threads.len;

	w->known = calloc(n + 1, sizeof(*w->known));
	w->innermost = malloc((places + 1) * sizeof(*w->innermost));
	w->failed |= !w->known || !w->innermost;
	for (size_t i = 0; !w->failed && i < places; i++)
		w->innermost[i] = -1;
	for (size_t i = 0; !w->failed && i < n; i++) {
		w->nknown = i + 1;
		w->failed = openmp_begin(&from, &w->runtimes.items[i], &w->known[i].openmp);
		if (!w->failed)
			describe(w, w->known[i].openmp);
	}
}

static void ask_runtimes(struct walk *w)
{
	for (size_t i = 0; i < w->nknown; i++) {
		for (size_t th = 0; !w->failed && th < w->picture->threads.len; th++) {
			if (is_looked_at(w, th))
				read_thread(w, &w->known[i], (int)th);
		}
	}
	constructs_fill_members(w);
	constructs_place_members(w);
	for (size_t i = 0; w->only && !w->failed && i < w->nknown; i++) {
		const struct openmp *o = w->known[i].openmp;
		if (o->space && o->ops->add_handles)
			o->ops->add_handles(w, (int)i);
	}
	if (w->only)
		return;
	constructs_read_left_tasks(w);
	for (size_t i = 0; !w->failed && i < w->nknown; i++) {
		if (w->known[i].openmp->space)
			w->known[i].openmp->ops->add_tasks(w, (int)i);
	}
}

static void walk_fini(struct walk *w)
{
	for (size_t i = 0; w->known && i < w->nknown; i++) {
		known_fini(&w->known[i]);
		openmp_end(w->known[i].openmp);
	}
	free(w->known);
	free(w->handles);
	free(w->innermost);
	free(w->parked);
	vec_for_each (q, &w->queues)
		free(q->numbers);
	vec_fini(&w->queues);
	call_sites_free(w->calls);
	vec_fini(&w->region_handles);
	pthreads_fini(&w->pthreads);
	runtime_list_fini(&w->runtimes);
}

/* What is at hand from the beginning. false: memory is out. */
static bool begin(struct walk *w, const struct walk_source *source)
{
	size_t n = w->target->threads.len + 1;

	w->handles = calloc(n, sizeof(*w->handles));
	w->parked = calloc(n, sizeof(*w->parked));
	w->calls = call_sites_new(w->target, w->unwinder);
	return w->handles && w->parked && w->calls &&
	       !runtime_list_read(runtimes_known, source->modules, source->symbols, &w->runtimes) &&
	       !pthreads_read(w->target, w->only, &w->pthreads);
}

static void find_locks(struct walk *w)
{
	for (size_t i = 0; !w->failed && i < w->nknown; i++) {
		const struct openmp *o = w->known[i].openmp;
		if (o->space && o->ops->add_locks)
			o->ops->add_locks(w, (int)i);
	}
}

static void find_predecessors(struct walk *w, const struct dependences_wish *wish)
{
	struct picture *p = w->picture;

	vec_for_each (th, &p->threads) {
		const struct openmp *o = th->lwp == wish->lwp && th->runtime >= 0
						 ? w->known[th->runtime].openmp
						 : NULL;
		if (o && o->space && o->ops->add_predecessors && picture_task(p, th->task))
			p->predecessors_known =
				o->ops->add_predecessors(w, th->task, wish->items, wish->len);
	}
}

static void walk(struct walk *w, const struct walk_source *source)
{
	static void (*const steps[])(struct walk *) = { ask_runtimes, infer_regions, borders_find,
							wait_find,    holds_find,    crashes_find };

	w->failed = !begin(w, source);
	if (!w->failed)
		add_threads(w);
	if (!w->failed)
		begin_sessions(w, source);
	if (!w->failed)
		note_hidden(w);
	for (size_t i = 0; !w->failed && i < (w->only ? 1 : sizeof(steps) / sizeof(*steps)); i++)
		steps[i](w);
	if (!w->failed && source->footprints)
		footprint_find(w);
	if (!w->failed && source->loops)
		loops_find(w);
	if (!w->failed && source->locks)
		find_locks(w);
	if (!w->failed && source->depends)
		find_predecessors(w, source->depends);
	if (!w->failed && source->icvs)
		icv_read(w);
	if (!w->failed && source->conform)
		conform_check(source->conform, w);
	if (!w->failed)
		w->failed = order_regions(w->picture);
}

static bool library_is_lost(struct walk *w)
{
	bool lost = false;

	for (size_t i = 0; w->known && i < w->nknown; i++)
		lost |= openmp_lost(w->known[i].openmp);
	return lost;
}

/* *ret_again: a library has failed. What it had said before is in no picture. */
static struct error *walk_once(const struct walk_source *source, struct picture *ret,
			       bool *ret_again)
{
	struct picture p = { 0 };
	struct walk w = {
		.picture = &p,
		.target = source->modules->target,
		.unwinder = source->unwinder,
		.raw = source->raw,
		.only = source->only,
		.judged = source->judged,
		.holds = source->holds,
	};

	walk(&w, source);
	*ret_again = !w.failed && library_is_lost(&w);
	p.code = w.runtimes; /* whose names are used all over the picture */
	w.runtimes = (struct runtime_list){ 0 };
	walk_fini(&w);
	if (w.failed || *ret_again)
		picture_fini(&p);
	else
		*ret = p;
	return w.failed ? &error_nomem : NULL;
}

struct error *walk_picture(const struct walk_source *source, struct picture *ret)
{
	int output = quiet_begin();
	bool again = true;
	struct error *err = NULL;

	while (!err && again) /* a session loses its library once */
		err = walk_once(source, ret, &again);
	quiet_end(output);
	return err;
}
