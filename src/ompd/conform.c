/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/conform.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "ompd/client/loader.h"
#include "ompd/conform_icv.h"

/* ---- The library and the address space ----------------------------------------------------- */

static void check_library(struct conform *c)
{
	ompd_word_t version = 0;
	const char *text = NULL;

	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		void *entry;
		memcpy(&entry, (char *)&c->api + library_entries[i].offset, sizeof(entry));
		c->routine = library_entries[i].name;
		if (!entry)
			conform_tell(c, "for its address", "that it is exported", "none");
	}
	conform_expect_refused(c, CALL(c, get_api_version, NULL), "for nothing");
	conform_expect_refused(c, CALL(c, get_version_string, NULL), "for nothing");
	ompd_rc_t rc = CALL(c, get_version_string, &text);
	conform_expect_text(c, rc, text, "for the library's version");
	rc = CALL(c, get_api_version, &version);
	conform_expect_rc(c, rc, ompd_rc_ok, "for OMPD's version");
	conform_expect_refused(c, CALL(c, initialize, version, NULL), "without callbacks");
	conform_expect_refused(c, CALL(c, initialize, 1, &callbacks_table),
			       "for version 1 of OMPD");
	conform_expect_rc(c, CALL(c, initialize, version, &callbacks_table), ompd_rc_ok,
			  "for its own version");
}

/* No handle is as good as none. */
static void check_nulls(struct conform *c)
{
	void *out = NULL;
	ompd_word_t word;
	ompd_address_t at;
	ompd_frame_info_t frame;
	const char *text;
	uint64_t id = 0;
	int n;

#define REFUSED(entry, ...) conform_expect_refused(c, CALL(c, entry, __VA_ARGS__), "with no handle")
	REFUSED(process_initialize, NULL, (ompd_address_space_handle_t **)&out);
	REFUSED(device_initialize, NULL, NULL, 0, 0, NULL, (ompd_address_space_handle_t **)&out);
	REFUSED(rel_address_space_handle, NULL);
	REFUSED(get_device_thread_id_kinds, NULL, (ompd_thread_id_t **)&out, (ompd_size_t **)&out,
		&n);
	REFUSED(get_omp_version, NULL, &word);
	REFUSED(get_omp_version_string, NULL, &text);
	REFUSED(get_thread_in_parallel, NULL, 0, (ompd_thread_handle_t **)&out);
	REFUSED(get_thread_handle, NULL, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id,
		(ompd_thread_handle_t **)&out);
	REFUSED(rel_thread_handle, NULL);
	REFUSED(thread_handle_compare, NULL, NULL, &n);
	REFUSED(get_thread_id, NULL, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id);
	REFUSED(get_device_from_thread, NULL, (ompd_address_space_handle_t **)&out);
	REFUSED(get_curr_parallel_handle, NULL, (ompd_parallel_handle_t **)&out);
	REFUSED(get_enclosing_parallel_handle, NULL, (ompd_parallel_handle_t **)&out);
	REFUSED(get_task_parallel_handle, NULL, (ompd_parallel_handle_t **)&out);
	REFUSED(rel_parallel_handle, NULL);
	REFUSED(parallel_handle_compare, NULL, NULL, &n);
	REFUSED(get_curr_task_handle, NULL, (ompd_task_handle_t **)&out);
	REFUSED(get_generating_task_handle, NULL, (ompd_task_handle_t **)&out);
	REFUSED(get_scheduling_task_handle, NULL, (ompd_task_handle_t **)&out);
	REFUSED(get_task_in_parallel, NULL, 0, (ompd_task_handle_t **)&out);
	REFUSED(rel_task_handle, NULL);
	REFUSED(task_handle_compare, NULL, NULL, &n);
	REFUSED(get_task_function, NULL, &at);
	REFUSED(get_task_frame, NULL, &frame, &frame);
	text = NULL;
	REFUSED(enumerate_states, NULL, 0, &word, &text, &word);
	free((void *)text); /* libompd answers */
	REFUSED(get_state, NULL, &word, (ompd_wait_id_t *)&id);
	REFUSED(get_display_control_vars, NULL, (const char *const **)&out);
	REFUSED(rel_display_control_vars, NULL);
	REFUSED(enumerate_icvs, NULL, 0, (ompd_icv_id_t *)&id, &text, (ompd_scope_t *)&n, &n);
	REFUSED(get_icv_from_scope, NULL, ompd_scope_thread, 1, &word);
	REFUSED(get_icv_string_from_scope, NULL, ompd_scope_thread, 1, &text);
	REFUSED(get_tool_data, NULL, ompd_scope_thread, &word, &at);
#undef REFUSED
}

static void check_versions(struct conform *c)
{
	enum { FIRST = 199710, LAST = 210000 };
	ompd_word_t version = 0;
	const char *text = NULL;

	ompd_rc_t rc = CALL(c, get_omp_version, c->space, &version);
	if (conform_expect_rc(c, rc, ompd_rc_ok, "for the runtime's OpenMP") &&
	    (version < FIRST || version > LAST))
		conform_tell(c, "for the runtime's OpenMP", "as in _OPENMP", "%" PRId64, version);
	rc = CALL(c, get_omp_version_string, c->space, &text);
	if (conform_expect_text(c, rc, text, "for the runtime's OpenMP"))
		free((void *)text); /* 5.2, 20.5.3.2: it is ours */
}

static void check_kinds(struct conform *c)
{
	ompd_thread_id_t *kinds = NULL;
	ompd_size_t *sizes = NULL;
	int n = 0;

	ompd_rc_t rc = CALL(c, get_device_thread_id_kinds, c->space, &kinds, &sizes, &n);
	if (conform_is_answered(c, rc, "for kinds of thread ids") && (n < 1 || !kinds || !sizes))
		conform_tell(c, "for kinds of thread ids", "at least one", "%d", n);
	free(kinds);
	free(sizes);
}

static void check_states(struct conform *c)
{
	ompd_word_t state = ompt_state_undefined, more = 1;

	for (c->nstates = 0; more && c->nstates < STATES_MAX;) {
		const char *name = NULL;
		ompd_rc_t rc = CALL(c, enumerate_states, c->space, state, &state, &name, &more);
		if (!conform_expect_text(c, rc, name, "for the next state"))
			return;
		free((void *)name);
		c->states[c->nstates++] = state;
	}
	if (more)
		conform_tell(c, "for all states", "that they end", "%zu", c->nstates);
}

/* ---- Threads ------------------------------------------------------------------------------- */

static taddr id_of(const struct conform *c, int thread)
{
	return thread >= 0 ? c->w->pthreads.ids[thread] : 0;
}

static void check_identity(struct conform *c, const struct subject *s)
{
	ompd_address_space_handle_t *device = NULL;
	ompd_thread_handle_t *again = NULL;
	uint64_t id = id_of(c, s->thread), got = 0;
	int order = 0;

	ompd_rc_t rc = CALL(c, get_thread_id, s->th, OMPD_THREAD_ID_PTHREAD, sizeof(got), &got);
	if (conform_expect_rc(c, rc, ompd_rc_ok, s->name) && got != id)
		conform_tell(c, s->name, "its own", "another thread's");
	conform_expect_refused(c, CALL(c, get_thread_id, s->th, OMPD_THREAD_ID_PTHREAD, 3, &got),
			       "for 3 bytes of an id");
	rc = CALL(c, get_thread_handle, c->space, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id, &again);
	if (!conform_expect_rc(c, rc, ompd_rc_ok, s->name))
		return;
	rc = CALL(c, thread_handle_compare, s->th, again, &order);
	conform_expect_same(c, rc, order, s->name);
	conform_expect_rc(c, CALL(c, rel_thread_handle, again), ompd_rc_ok, s->name);
	conform_is_answered(c, CALL(c, get_device_from_thread, s->th, &device), s->name);
}

static void check_state(struct conform *c, const struct subject *s)
{
	const struct picture_thread *th = picture_thread(c->w->picture, s->thread);
	ompd_word_t state = -1;
	ompd_wait_id_t wait = 0;
	size_t i = 0;

	if (!conform_is_answered(c, CALL(c, get_state, s->th, &state, &wait), s->name))
		return;
	while (i < c->nstates && c->states[i] != state)
		i++;
	if (i == c->nstates && state != ompt_state_undefined)
		conform_tell(c, s->name, "one that is enumerated", "state %#" PRIx64, state);
	if (th->role == ROLE_IDLE && state != ompt_state_idle && state != ompt_state_undefined)
		conform_tell(c, s->name, "idle", "state %#" PRIx64, state);
	if (th->region >= 0 && (state == ompt_state_idle || state == ompt_state_work_serial))
		conform_tell(c, s->name, "one of a thread in a region", "state %#" PRIx64, state);
}

/* ---- Regions ------------------------------------------------------------------------------- */

static void check_member(struct conform *c, const struct subject *s, long n)
{
	const struct picture_region *r = picture_region(c->w->picture, s->region);
	int wanted = (size_t)n < r->members.len ? r->members.items[n] : -1;
	ompd_thread_handle_t *member = NULL;
	char asked[2 * NAME];
	uint64_t id = 0;

	snprintf(asked, sizeof(asked), "thread %ld of %s", n, s->name);
	ompd_rc_t rc = CALL(c, get_thread_in_parallel, s->parallel, (int)n, &member);
	if (n < 0 || n >= r->size) {
		conform_expect_refused(c, rc, asked);
	} else if (conform_is_answered(c, rc, asked) && wanted >= 0 && id_of(c, wanted) &&
		   c->api.get_thread_id(member, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id) ==
			   ompd_rc_ok &&
		   id != id_of(c, wanted)) {
		int got = pthreads_find(&c->w->pthreads, id);
		char expected[NAME];
		snprintf(expected, sizeof(expected), "thread %d",
			 picture_thread(c->w->picture, wanted)->lwp);
		conform_tell(c, asked, expected, "thread %d",
			     got < 0 ? 0 : picture_thread(c->w->picture, got)->lwp);
	}
	if (rc == ompd_rc_ok)
		conform_expect_rc(c, CALL(c, rel_thread_handle, member), ompd_rc_ok, asked);
}

static void check_implicit_task(struct conform *c, const struct subject *s, long n)
{
	const struct picture_region *r = picture_region(c->w->picture, s->region);
	ompd_parallel_handle_t *back = NULL;
	ompd_task_handle_t *task = NULL;
	char asked[2 * NAME];
	int order = 0;

	snprintf(asked, sizeof(asked), "task %ld of %s", n, s->name);
	ompd_rc_t rc = CALL(c, get_task_in_parallel, s->parallel, (int)n, &task);
	if (n < 0 || n >= r->size)
		conform_expect_refused(c, rc, asked);
	else
		conform_is_answered(c, rc, asked);
	if (rc != ompd_rc_ok)
		return;
	if (n >= 0 && n < r->size &&
	    conform_is_answered(c, CALL(c, get_task_parallel_handle, task, &back), asked)) {
		rc = CALL(c, parallel_handle_compare, s->parallel, back, &order);
		conform_expect_same(c, rc, order, asked);
		conform_expect_rc(c, CALL(c, rel_parallel_handle, back), ompd_rc_ok, asked);
	}
	conform_expect_rc(c, CALL(c, rel_task_handle, task), ompd_rc_ok, asked);
}

static void check_team(struct conform *c, const struct subject *s)
{
	const struct picture_region *r = picture_region(c->w->picture, s->region);

	if (!r->size || r->league)
		return;
	for (long n = -1; n <= r->size; n++) {
		check_member(c, s, n);
		check_implicit_task(c, s, n);
	}
}

/* ---- Tasks --------------------------------------------------------------------------------- */

static void check_function(struct conform *c, const struct subject *s)
{
	const struct picture_task *task = picture_task(c->w->picture, s->task);
	ompd_address_t entry = { 0 };
	char expected[32];

	ompd_rc_t rc = CALL(c, get_task_function, s->running, &entry);
	if (!conform_is_answered(c, rc, s->name) || !task || !task->function)
		return;
	snprintf(expected, sizeof(expected), "%#" PRIx64, task->function);
	if (entry.address != task->function)
		conform_tell(c, s->name, expected, "%#" PRIx64, entry.address);
}

/* Whether it is of a thread's stack, as far as that is known. */
static bool is_on_stack(const struct conform *c, int thread, taddr frame)
{
	const struct unwind_stack *raw = &c->w->raw[thread];

	return !frame || !raw->len || !raw->items[raw->len - 1].cfa || raw->end || raw->cut ||
	       (frame + 512 >= raw->items[0].cfa && frame <= raw->items[raw->len - 1].cfa + 512);
}

static void check_frame(struct conform *c, const struct subject *s)
{
	ompd_frame_info_t exits = { 0 }, enters = { 0 };

	ompd_rc_t rc = CALL(c, get_task_frame, s->running, &exits, &enters);
	if (conform_is_answered(c, rc, s->name) &&
	    (!is_on_stack(c, s->thread, exits.frame_address.address) ||
	     !is_on_stack(c, s->thread, enters.frame_address.address)))
		conform_tell(c, s->name, "frames of its thread's stack",
			     "%#" PRIx64 " and %#" PRIx64, exits.frame_address.address,
			     enters.frame_address.address);
}

static void check_same_task(struct conform *c, const struct subject *s)
{
	ompd_task_handle_t *again = NULL;
	int order = 0;

	if (!conform_expect_rc(c, CALL(c, get_curr_task_handle, s->th, &again), ompd_rc_ok,
			       s->name))
		return;
	ompd_rc_t rc = CALL(c, task_handle_compare, s->running, again, &order);
	conform_expect_same(c, rc, order, s->name);
	conform_expect_rc(c, CALL(c, rel_task_handle, again), ompd_rc_ok, s->name);
}

/* Neither it nor the creator is the task itself; an explicit task has suspended another one. */
static void check_others(struct conform *c, const struct subject *s)
{
	const struct picture_task *task = picture_task(c->w->picture, s->task);
	ompd_task_handle_t *other = NULL;
	int order = 1;

	ompd_rc_t rc = CALL(c, get_generating_task_handle, s->running, &other);
	if (conform_is_answered(c, rc, s->name)) {
		rc = c->api.task_handle_compare(s->running, other, &order);
		if (rc == ompd_rc_ok && !order)
			conform_tell(c, s->name, "another task", "the task itself");
		conform_expect_rc(c, CALL(c, rel_task_handle, other), ompd_rc_ok, s->name);
	}
	rc = CALL(c, get_scheduling_task_handle, s->running, &other);
	if (!conform_is_answered(c, rc, s->name))
		return;
	rc = c->api.task_handle_compare(s->running, other, &order);
	if (rc == ompd_rc_ok && !order && task && task->kind != TASK_IMPLICIT)
		conform_tell(c, s->name, "another task", "the task itself");
	conform_expect_rc(c, CALL(c, rel_task_handle, other), ompd_rc_ok, s->name);
}

static void check_tool_data(struct conform *c, const struct subject *s)
{
	ompd_address_t at = { 0 };
	ompd_word_t value;

	conform_is_answered(c, CALL(c, get_tool_data, s->running, ompd_scope_task, &value, &at),
			    s->name);
}

/* ---- All of it ----------------------------------------------------------------------------- */

static void (*const of_space[])(struct conform *) = { check_nulls,       check_versions,
						      check_kinds,       check_states,
						      conform_list_icvs, conform_check_display };
static void (*const of_thread[])(struct conform *, const struct subject *) = { check_identity,
									       check_state };
static void (*const of_region[])(struct conform *, const struct subject *) = { check_team };
static void (*const of_task[])(struct conform *, const struct subject *) = {
	check_same_task, check_function, check_frame, check_others, check_tool_data
};
#define RUN(rows, ...)                                                                             \
	for (size_t row = 0; row < sizeof(rows) / sizeof(*rows); row++)                            \
	rows[row](__VA_ARGS__)

/* From the innermost region outwards: as many as there are levels. */
static void check_regions(struct conform *c, struct subject *s)
{
	const struct picture_thread *th = picture_thread(c->w->picture, s->thread);
	ompd_parallel_handle_t *outer = NULL;
	int order = 0;

	ompd_rc_t rc = CALL(c, get_curr_parallel_handle, s->th, &s->parallel);
	if (th->region >= 0)
		conform_expect_rc(c, rc, ompd_rc_ok, s->name);
	for (int region = th->region; rc == ompd_rc_ok && region >= 0;) {
		const struct picture_region *r = picture_region(c->w->picture, region);
		s->region = region;
		snprintf(s->name, NAME, "the region of level %d of thread %d", r->level, th->lwp);
		rc = CALL(c, parallel_handle_compare, s->parallel, s->parallel, &order);
		conform_expect_same(c, rc, order, s->name);
		conform_check_icvs(c, s, ompd_scope_parallel, s->parallel);
		RUN(of_region, c, s);
		rc = CALL(c, get_enclosing_parallel_handle, s->parallel, &outer);
		if (r->parent >= 0)
			conform_expect_rc(c, rc, ompd_rc_ok, s->name);
		conform_expect_rc(c, CALL(c, rel_parallel_handle, s->parallel), ompd_rc_ok,
				  s->name);
		s->parallel = rc == ompd_rc_ok || outer ? outer : NULL;
		rc = outer ? ompd_rc_ok : ompd_rc_unavailable;
		outer = NULL;
		region = r->parent;
	}
	if (rc == ompd_rc_ok && s->parallel)
		c->api.rel_parallel_handle(s->parallel);
}

static void check_task(struct conform *c, struct subject *s)
{
	const struct picture_thread *th = picture_thread(c->w->picture, s->thread);

	ompd_rc_t rc = CALL(c, get_curr_task_handle, s->th, &s->running);
	if (th->task >= 0)
		conform_expect_rc(c, rc, ompd_rc_ok, s->name);
	if (rc != ompd_rc_ok)
		return;
	s->task = th->task;
	snprintf(s->name, NAME, "the task of thread %d", th->lwp);
	conform_check_icvs(c, s, ompd_scope_task, s->running);
	RUN(of_task, c, s);
	conform_expect_rc(c, CALL(c, rel_task_handle, s->running), ompd_rc_ok, s->name);
}

static void check_thread(struct conform *c, int thread)
{
	const struct picture_thread *th = picture_thread(c->w->picture, thread);
	const struct picture_region *r = picture_region(c->w->picture, th->region);
	struct subject s = {
		.thread = thread, .region = -1, .task = -1, .level = r ? r->level : 0
	};
	uint64_t id = id_of(c, thread);

	snprintf(s.name, NAME, "thread %d", th->lwp);
	ompd_rc_t rc = CALL(c, get_thread_handle, c->space, OMPD_THREAD_ID_PTHREAD, sizeof(id), &id,
			    &s.th);
	if (!conform_expect_rc(c, rc, ompd_rc_ok, s.name))
		return;
	RUN(of_thread, c, &s);
	conform_check_icvs(c, &s, ompd_scope_thread, s.th);
	check_task(c, &s);
	s.task = -1;
	check_regions(c, &s);
	conform_expect_rc(c, CALL(c, rel_thread_handle, s.th), ompd_rc_ok, "for a thread");
}

static void check_runtime(struct conform *c, int runtime)
{
	const struct picture *p = c->w->picture;
	struct openmp *o = c->w->known[runtime].openmp;
	struct subject s = { .thread = -1, .region = -1, .task = -1 };

	c->runtime = runtime;
	c->space = NULL;
	check_library(c);
	snprintf(s.name, NAME, "the process with %s", o->ops->name);
	ompd_rc_t rc = CALL(c, process_initialize, &o->context, &c->space);
	if (!conform_expect_rc(c, rc, ompd_rc_ok, s.name))
		return;
	RUN(of_space, c);
	conform_check_icvs(c, &s, ompd_scope_address_space, c->space);
	for (int i = 0; i < (int)p->threads.len && !c->w->failed; i++) {
		/* Others the runtime does not know: libompd reads wild memory then. */
		if (picture_thread(p, i)->runtime == runtime && c->w->handles[i])
			check_thread(c, i);
	}
	conform_expect_rc(c, CALL(c, rel_address_space_handle, c->space), ompd_rc_ok, s.name);
}

/* ---- Where it crashes ---------------------------------------------------------------------- */

static const int deadly[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL };
enum { NDEADLY = sizeof(deadly) / sizeof(*deadly) };
static sigjmp_buf crashed; /* a handler is given nothing else */

static void leave(int sig)
{
	siglongjmp(crashed, sig);
}

void conform_check(struct conform *c, struct walk *w)
{
	struct sigaction action = { .sa_handler = leave }, before[NDEADLY];

	c->w = w;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < NDEADLY; i++)
		sigaction(deadly[i], &action, &before[i]);
	int sig = sigsetjmp(crashed, 1);
	if (sig) {
		conform_tell(c, "what is asked of each", "an answer", "a crash (signal %d)", sig);
	} else {
		for (int i = 0; i < (int)w->nknown; i++) {
			if (w->known[i].openmp->space)
				check_runtime(c, i);
			conform_forget_icvs(c);
		}
	}
	conform_forget_icvs(c);
	for (size_t i = 0; i < NDEADLY; i++)
		sigaction(deadly[i], &before[i], NULL);
}

/* ---- Beginning and end --------------------------------------------------------------------- */

struct error *conform_new(const char *path, struct conform **ret)
{
	AUTO_FREE char *real_path = realpath(path, NULL);
	AUTO_CONFORM *c = calloc(1, sizeof(*c));
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (!real_path && errno != ENOMEM)
		return error_os(errno, "%s", path);
	if (!real_path || !c)
		return &error_nomem;
	struct error *err = file_open_regular(real_path, &fd, &st);
	if (!err)
		err = loader_load(real_path, &st, &c->api, &c->dl);
	if (err)
		return err;
	*ret = TAKE(c);
	return NULL;
}

void conform_free(struct conform *c)
{
	if (!c)
		return;
	loader_unload(c->dl);
	free(c);
}
