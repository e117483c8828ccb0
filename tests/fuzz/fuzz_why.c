/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_why: pictures and progress made of any bytes, what is said of them, and what is promised of
 * that. The one that matters most: a program in which somebody can still help is not called stuck.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "debugger/output/format_why.h"
#include "debugger/output/format_why_graph.h"
#include "debugger/output/json_why.h"
#include "debugger/why/why_verdict.h"
#include "fuzz.h"
#include "ompd/libomp/libomp.h"

enum { THREADS_MAX = 200, REGIONS_MAX = 12, TASKS_MAX = 100, HOLDS_MAX = 30 };

static const char *const words[] = { NULL, "read", "sem_wait", "pthread_join", "L", "\033[31m" };
static const char *const entries[] = { NULL, "GOMP_barrier", "GOMP_taskwait", "__kmpc_barrier" };

struct made {
	struct picture picture;
	struct stacks stacks;
	struct stitched stitched; /* empty */
	struct progress progress;
};

#define ADD(vec, ...) (vec_push(vec, __VA_ARGS__) ? (void)0 : abort())

/* ---- making them ------------------------------------------------------------------------ */

static unsigned int byte(struct cursor *c)
{
	return (unsigned int)cursor_uint(c, 1);
}

/* An index below "len", or -1. */
static int index_below(struct cursor *c, size_t len)
{
	return (int)(byte(c) % (len + 1)) - 1;
}

static struct place make_place(struct cursor *c)
{
	unsigned int bits = byte(c);

	return (struct place){ .pc = bits,
			       .function = bits & 1 ? "work" : NULL,
			       .file = bits & 2 ? "/srv/app.c" : NULL,
			       .line = (int)(bits >> 2) };
}

static void make_runtimes(struct made *m, struct cursor *c)
{
	for (unsigned int i = 0, n = byte(c) % 3; i < n; i++) {
		unsigned int bits = byte(c);
		ADD(&m->picture.runtimes, (struct picture_runtime){
						  .name = bits & 1 ? "libgomp" : "libomp",
						  .lists_tasks = bits & 2,
						  .detaches = bits & 4,
					  });
	}
}

static void make_region(struct made *m, size_t threads, struct cursor *c)
{
	struct picture *p = &m->picture;
	struct picture_region r = { .parent = index_below(c, p->regions.len),
				    .runtime = index_below(c, p->runtimes.len),
				    .primary = index_below(c, threads),
				    .generation = -1,
				    .place = make_place(c) };

	for (unsigned int i = 0, n = byte(c) % 16; i < n; i++)
		ADD(&r.members, index_below(c, threads));
	r.size = (long)r.members.len;
	ADD(&p->regions, r);
}

static struct picture_wait make_wait(const struct picture *p, size_t threads, struct cursor *c)
{
	unsigned int bits = byte(c);
	const char *name = words[byte(c) % (sizeof(words) / sizeof(*words))];

	return (struct picture_wait){ .kind = (enum wait_kind)(byte(c) % NUM_WAIT_KINDS),
				      .spinning = bits & 1,
				      .settled = bits & 2,
				      .limited = bits & 4,
				      .object = bits >> 5,
				      .name = name ? strdup(name) : NULL,
				      .fd = -1,
				      .holder = index_below(c, threads),
				      .holder_source = bits & 8 ? SOURCE_MEMORY : SOURCE_INFERRED,
				      .hold = index_below(c, p->holds.len),
				      .place = make_place(c) };
}

static void make_spans(struct picture_thread *th, struct cursor *c)
{
	for (unsigned int i = 0, n = byte(c) % 4; i < n; i++) {
		unsigned int bits = byte(c);
		ADD(&th->spans.list,
		    (struct span){ .call = (enum span_call)(bits % (SPAN_CALLBACK + 1)),
				   .entry = runtime_entry(&libomp_ops, entries[(bits >> 3) & 3]),
				   .root = bits & 0x80 });
	}
}

static void make_thread(struct made *m, size_t threads, struct cursor *c)
{
	struct picture *p = &m->picture;
	pid_t lwp = 100 + (pid_t)p->threads.len;
	struct picture_thread th = { .lwp = lwp,
				     .runtime = index_below(c, p->runtimes.len),
				     .role = (enum thread_role)(byte(c) % NUM_ROLES),
				     .region = index_below(c, p->regions.len),
				     .number = index_below(c, threads),
				     .task = index_below(c, p->tasks.len),
				     .wait = make_wait(p, threads, c) };
	unsigned int bits = byte(c);

	make_spans(&th, c);
	ADD(&p->threads, th);
	ADD(&m->stacks.threads, (struct stack_thread){ .lwp = lwp });
	if (bits & 7) /* else it is not known how it moved */
		ADD(&m->progress.threads, (struct progress_thread){ .lwp = lwp,
								    .moved = bits >= 0xe0,
								    .load = (bits & 8) - 1.0 });
}

static void make_task(struct made *m, size_t threads, struct cursor *c)
{
	struct picture *p = &m->picture;
	unsigned int bits = byte(c);
	struct picture_task t = { .kind = (enum task_kind)(bits % NUM_TASK_KINDS),
				  .state = (enum task_state)((bits >> 2) % NUM_TASK_STATES),
				  .region = index_below(c, p->regions.len),
				  .creator = index_below(c, p->tasks.len),
				  .thread = index_below(c, threads),
				  .unfinished = index_below(c, 8),
				  .place = make_place(c) };

	for (unsigned int i = 0, n = byte(c) % 4; i < n; i++)
		ADD(&t.waits_for, (int)(byte(c) % (p->tasks.len + 1)));
	ADD(&p->tasks, t);
}

static void make(struct made *m, struct cursor *c)
{
	struct picture *p = &m->picture;
	size_t threads = byte(c) % (THREADS_MAX + 1), bits = byte(c);

	make_runtimes(m, c);
	for (unsigned int i = 0, n = byte(c) % REGIONS_MAX; i < n; i++)
		make_region(m, threads, c);
	for (unsigned int i = 0, n = threads ? byte(c) % TASKS_MAX : 0; i < n; i++)
		make_task(m, threads, c);
	for (unsigned int i = 0, n = threads ? byte(c) % HOLDS_MAX : 0; i < n; i++)
		ADD(&p->holds, (struct picture_hold){ .thread = (int)(byte(c) % threads),
						      .always = byte(c) & 1,
						      .place = make_place(c) });
	while (p->threads.len < threads)
		make_thread(m, threads, c);
	p->holds_complete = bits & 1;
	m->stacks.exe = strdup("app");
	m->stacks.core = bits & 2 ? strdup("core") : NULL;
	m->progress.looks = bits & 4 ? 1 : 2;
	m->progress.seconds = bits & 4 ? 0 : 0.25;
	m->progress.barriers = bits & 8 ? -1 : 0;
}

static void unmake(struct made *m)
{
	picture_fini(&m->picture);
	vec_fini(&m->stacks.threads);
	free(m->stacks.exe);
	free(m->stacks.core);
	progress_fini(&m->progress);
}

/* ---- what is promised ------------------------------------------------------------------- */

/* One of those that it leads to will do. */
static bool needs_one(const struct made *m, const struct why_node *n)
{
	const struct picture *p = &m->picture;

	if (n->kind == WHY_NODE_TASK)
		return p->tasks.items[n->index].state == TASK_QUEUED;
	if (n->kind == WHY_NODE_NOBODY || n->kind == WHY_NODE_BARRIER)
		return false;
	enum wait_kind kind = p->threads.items[n->index].wait.kind;
	if (n->kind == WHY_NODE_THREAD)
		return kind == WAIT_TEAMS;
	return kind == WAIT_ORDERED || kind == WAIT_DOACROSS;
}

/* One more round: true if somebody more is helped. */
static bool help(const struct made *m, const struct why *w, bool *helped)
{
	struct {
		size_t all, helped;
	} *edges = calloc(w->nodes.len + 1, sizeof(*edges));
	bool more = false;

	if (!edges)
		abort();
	vec_for_each (e, &w->edges) {
		edges[e->from].all++;
		edges[e->from].helped += helped[e->to];
	}
	for (size_t i = 0; i < w->nodes.len; i++) {
		bool now = edges[i].helped &&
			   (edges[i].helped == edges[i].all || needs_one(m, &w->nodes.items[i]));
		more = more || (now && !helped[i]);
		helped[i] = helped[i] || now;
	}
	free(edges);
	return more;
}

/* Who computes can end all that comes down to nobody else: none of that is stuck. */
static void check_helped(const struct made *m, const struct why *w)
{
	bool *helped = calloc(w->nodes.len + 1, sizeof(*helped));

	if (!helped)
		abort();
	for (size_t i = 0; i < m->picture.threads.len; i++)
		helped[i] = m->picture.threads.items[i].wait.kind == WAIT_NONE;
	while (help(m, w, helped))
		;
	for (size_t i = 0; i < w->nodes.len; i++)
		assert(!helped[i] || !w->nodes.items[i].stuck);
	free(helped);
}

/* What is stuck waits for something that is, or for nothing at all. */
static void check_stuck(const struct why *w)
{
	size_t n = w->nodes.len;
	bool *waits = calloc(n + 1, sizeof(*waits)), *reason = calloc(n + 1, sizeof(*reason));

	if (!waits || !reason)
		abort();
	vec_for_each (e, &w->edges) {
		waits[e->from] = true;
		reason[e->from] = reason[e->from] || w->nodes.items[e->to].stuck;
	}
	for (size_t i = 0; i < n; i++)
		assert(!w->nodes.items[i].stuck || !waits[i] || reason[i]);
	free(waits);
	free(reason);
}

static void check_graph(const struct made *m, const struct why *w)
{
	size_t n = w->nodes.len;

	assert(n >= m->picture.threads.len);
	for (size_t i = 0; i < n; i++)
		assert(w->nodes.items[i].name && *w->nodes.items[i].name);
	for (size_t i = 0; i < w->edges.len; i++) {
		const struct why_edge *e = &w->edges.items[i];
		assert(e->from >= 0 && (size_t)e->from < n && e->to >= 0 && (size_t)e->to < n);
		assert(!i || e[-1].from <= e->from);
	}
}

static void check_blame(const struct made *m, const struct why *w)
{
	int threads = (int)m->picture.threads.len;

	vec_for_each (b, &w->blame) {
		assert(b->reason && b->thread >= -1 && b->thread < threads);
		assert((b->thread < 0) == !b->threads.len);
		vec_for_each (th, &b->threads)
			assert(*th >= 0 && *th < threads);
	}
}

static void check_finding(const struct made *m, const struct why *w)
{
	bool stuck = false;

	for (size_t i = 0; i < m->picture.threads.len; i++)
		stuck = stuck || w->nodes.items[i].stuck;
	assert(!why_is_finding(w) || (stuck && w->blame.len));
	assert(w->summary && w->summary[strlen(w->summary) - 1] == '.');
	assert(w->reasons.len && w->hints.len);
}

static void write_all(const struct made *m, const struct why *w)
{
	const struct view v = { &m->stacks, &m->picture, &m->stitched, false, false };
	const struct style style = { .utf8 = true };
	AUTO(why_outline_fini) struct why_outline outline = { 0 };
	AUTO_BUF out = { 0 };

	if (why_outline_init(&outline, &m->picture, w))
		abort();
	format_why(&out, &v, w, &style);
	format_why_graph(&out, &v, &outline, &style);
	format_why_dot(&out, &v, &outline.groups);
	json_why(&out, &v, &outline.groups, &m->progress);
	assert(buf_ok(&out) && !memchr(buf_text(&out), '\033', out.len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct cursor c = cursor_of(data, size);
	struct made m = { 0 };
	struct why why = { 0 };

	make(&m, &c);
	const struct snapshot s = { .stacks = &m.stacks, .picture = m.picture };
	if (why_verdict_find(&s, &m.progress, &why))
		abort();
	check_graph(&m, &why);
	check_helped(&m, &why);
	check_stuck(&why);
	check_blame(&m, &why);
	check_finding(&m, &why);
	write_all(&m, &why);
	why_fini(&why);
	unmake(&m);
	return 0;
}
