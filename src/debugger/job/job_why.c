/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job_why.h"

#include <string.h>

#include "base/text.h"

#define GOES_ON "ranks go on from one call of MPI to the next"

enum { CIRCLE_SHOWN = 8 };

/* What a rank does, as far as the others are concerned. */
enum state {
	RANK_UNKNOWN,
	RANK_FINDING, /* cannot go on by itself              */
	RANK_IN_MPI,  /* waits for other ranks               */
	RANK_OUTSIDE, /* waits for something else            */
	RANK_RUNS,
};

/* What has been found out of a rank. */
struct found {
	enum state state;
	bool stuck;  /* it is in a circle, or waits for one that is */
	bool blamed; /* it is in the list */
};

struct judge {
	const struct job_rank *ranks;
	size_t n, missing;
	struct found *found; /* owned, by rank */
	struct job_why *why;
	struct buf text; /* of the summary */
	bool failed;
};

static const char *const class_names[NUM_JOB_CLASSES] = {
	[JOB_NONE] = "none",       [JOB_RANK] = "rank",
	[JOB_GONE] = "gone",       [JOB_COLLECTIVE] = "collective",
	[JOB_MESSAGE] = "message", [JOB_THREADS] = "threads",
	[JOB_OUTSIDE] = "outside", [JOB_IMBALANCE] = "imbalance",
};

const char *job_class_name(enum job_class class)
{
	return class_names[class];
}

void job_why_fini(struct job_why *w)
{
	vec_for_each (link, &w->blame) {
		vec_fini(&link->ranks);
		free(link->thread);
		free(link->where);
		free(link->does);
	}
	vec_fini(&w->blame);
	vec_fini_all(&w->reasons);
	free(w->summary);
}

void job_why_add_ranks(struct buf *out, const struct job_link *l)
{
	buf_adds(out, l->ranks.len == 1 ? "rank " : "ranks ");
	text_add_ranges(out, l->ranks.items, l->ranks.len, ',');
}

bool job_why_is_of_calls(const struct job_why *w)
{
	return w->class == JOB_COLLECTIVE || w->class == JOB_MESSAGE;
}

void job_why_add_key(struct buf *out, const struct job_why *w)
{
	vec_for_each (link, &w->blame) {
		job_why_add_ranks(out, link);
		buf_addf(out, " %s %s %s\n", link->thread, link->where, link->does);
	}
}

struct error *job_why_retract(struct job_why *w)
{
	const char *instead = w->class == JOB_GONE ? "ranks are being started" : GOES_ON;
	AUTO_BUF text = { 0 };

	w->verdict = WHY_PROGRESSING;
	w->class = JOB_NONE;
	w->confidence = WHY_PROBABLE;
	vec_fini_all(&w->reasons);
	free(w->summary);
	buf_addf(&text, "%s%s.", why_opening(w->verdict, w->confidence), instead);
	w->summary = text.failed ? NULL : strdup(buf_text(&text));
	return w->summary ? NULL : &error_nomem;
}

/* ---- what each rank does ------------------------------------------------------------------- */

static const struct report *report_of(const struct judge *j, size_t i)
{
	const struct report *r = j->ranks[i].report;

	return r && r->judged ? r : NULL;
}

/* The call that a rank depends on; NULL: on none. */
static const struct report_call *call_of(const struct judge *j, size_t i)
{
	return j->found[i].state == RANK_IN_MPI ? report_decisive(report_of(j, i)) : NULL;
}

static enum state state_of(const struct report *r)
{
	static const enum state states[NUM_WHY_VERDICTS] = {
		[WHY_UNKNOWN] = RANK_UNKNOWN,  [WHY_DEADLOCK] = RANK_FINDING,
		[WHY_STUCK] = RANK_FINDING,    [WHY_CRASHED] = RANK_FINDING,
		[WHY_WAITING] = RANK_OUTSIDE,  [WHY_IDLE] = RANK_RUNS,
		[WHY_PROGRESSING] = RANK_RUNS,
	};

	if (!r)
		return RANK_UNKNOWN;
	if (report_decisive(r))
		return RANK_IN_MPI;
	return r->verdict == WHY_IDLE && r->outside ? RANK_OUTSIDE : states[r->verdict];
}

static void add_call(struct buf *out, const struct report_call *call)
{
	buf_addf(out, "is in %s()", call->name);
	if (call->peer >= 0)
		buf_addf(out, call->kind == MPI_SEND ? " to rank %ld" : " from rank %ld",
			 call->peer);
	else if (call->peer == MPI_NUMBER_ANY)
		buf_adds(out, " from any rank");
	if (call->peer >= 0 && call->comm == MPI_COMM_IS_OTHER)
		buf_adds(out, " of another communicator");
	if (call->tag >= 0)
		buf_addf(out, ", tag %ld", call->tag);
}

/* ---- who waits for whom -------------------------------------------------------------------- */

static bool is_same_collective(const struct report_call *a, const struct report_call *b)
{
	return a && b && a->kind == MPI_COLLECTIVE && !strcmp(a->name, b->name);
}

static bool may_be(long a, long b)
{
	return a < 0 || b < 0 || a == b;
}

/* Whether a is sent what it waits for by b, or b takes what it sends. */
static bool do_meet(const struct report_call *a, int rank, const struct report_call *b)
{
	const bool receives = a->kind != MPI_SEND;

	if (!b || !may_be(b->peer, rank) || !may_be(a->tag, b->tag))
		return false;
	return b->kind == MPI_EXCHANGE || a->kind == MPI_EXCHANGE ||
	       b->kind == (receives ? MPI_SEND : MPI_RECEIVE);
}

/* Whether rank i cannot go on before rank k has done something that it is not doing. */
static bool waits_for(const struct judge *j, size_t i, size_t k)
{
	const struct report_call *own = call_of(j, i), *other = call_of(j, k);

	if (!own || i == k || own->comm != MPI_COMM_IS_WORLD)
		return false;
	if (own->kind == MPI_COLLECTIVE)
		return !is_same_collective(own, other);
	return own->peer == j->ranks[k].rank && !do_meet(own, j->ranks[i].rank, other);
}

/* Leaves those that nothing but others of them could let go on. */
static void find_stuck(struct judge *j)
{
	size_t *needs = calloc(j->n, sizeof(*needs));
	struct ints free_ones = { 0 };

	j->failed |= !needs;
	for (size_t i = 0; !j->failed && i < j->n; i++) {
		for (size_t k = 0; k < j->n; k++)
			needs[i] += waits_for(j, i, k);
		j->found[i].stuck = needs[i] > 0;
		if (!needs[i])
			j->failed |= !vec_push(&free_ones, (int)i);
	}
	for (size_t next = 0; !j->failed && next < free_ones.len; next++) {
		const size_t k = (size_t)free_ones.items[next];
		for (size_t i = 0; i < j->n; i++) {
			if (!j->found[i].stuck || !waits_for(j, i, k) || --needs[i])
				continue;
			j->found[i].stuck = false;
			j->failed |= !vec_push(&free_ones, (int)i);
		}
	}
	ints_fini(&free_ones);
	free(needs);
}

/* A circle of those that are stuck, from any of them on; empty: there is none. */
static void find_circle(struct judge *j, struct ints *ret)
{
	AUTO_INTS path = { 0 };
	int *seen = calloc(j->n, sizeof(*seen)); /* places on the path, from 1 on */
	size_t at = 0;

	j->failed |= !seen;
	while (!j->failed && at < j->n && !j->found[at].stuck)
		at++;
	while (!j->failed && at < j->n && !seen[at]) {
		size_t next = 0;
		j->failed |= !vec_push(&path, (int)at);
		seen[at] = (int)path.len;
		while (next < j->n && !(j->found[next].stuck && waits_for(j, at, next)))
			next++;
		at = next;
	}
	for (size_t i = at < j->n && !j->failed ? (size_t)seen[at] - 1 : path.len; i < path.len;
	     i++)
		j->failed |= !vec_push(ret, path.items[i]);
	free(seen);
}

/* ---- in words ------------------------------------------------------------------------------ */

/* What is said of a rank: its own thread, place and words, none of them NULL. */
static void words_of(const struct judge *j, size_t i, struct buf *does, const char **ret_thread,
		     const char **ret_where)
{
	const struct report *r = report_of(j, i);
	const struct report_call *call = call_of(j, i);

	*ret_thread = call ? call->thread : r && r->thread ? r->thread : "";
	*ret_where = call ? call->where : r && r->where ? r->where : "";
	if (call)
		add_call(does, call);
	else if (r && r->reason)
		buf_adds(does, r->reason);
	else
		buf_adds(does, r ? r->summary : "could not be looked at");
}

/* The link of those of whom that is said, made if need be. NULL: out of memory. */
static struct job_link *get_link(struct job_why *w, const char *thread, const char *where,
				 const char *does)
{
	vec_for_each (l, &w->blame) {
		if (!strcmp(l->thread, thread) && !strcmp(l->where, where) &&
		    !strcmp(l->does, does))
			return l;
	}
	if (!vec_push(&w->blame, (struct job_link){ 0 }))
		return NULL;
	struct job_link *l = &w->blame.items[w->blame.len - 1];
	l->thread = strdup(thread);
	l->where = strdup(where);
	l->does = strdup(does);
	return l->thread && l->where && l->does ? l : NULL;
}

/* Adds a rank to those that do the same. */
static void blame(struct judge *j, size_t i)
{
	const char *thread, *where;
	AUTO_BUF does = { 0 };

	if (j->found[i].blamed || j->failed)
		return;
	j->found[i].blamed = true;
	words_of(j, i, &does, &thread, &where);
	struct job_link *l = get_link(j->why, thread, where, buf_text(&does));
	j->failed |= does.failed || !l || !vec_push(&l->ranks, j->ranks[i].rank);
}

static void blame_all(struct judge *j, enum state state)
{
	for (size_t i = 0; i < j->n && !j->failed; i++) {
		if (j->found[i].state == state)
			blame(j, i);
	}
}

/* "rank 3 is in MPI_Recv() from rank 1 at halo.c:31" */
static void add_rank(struct judge *j, size_t i)
{
	const char *thread, *where;

	buf_addf(&j->text, "rank %d ", j->ranks[i].rank);
	words_of(j, i, &j->text, &thread, &where);
	if (*where)
		buf_addf(&j->text, " in %s", where);
}

/* The first rank in that state; j->n: none is. */
static size_t first_of(const struct judge *j, enum state state)
{
	size_t i = 0;

	while (i < j->n && j->found[i].state != state)
		i++;
	return i;
}

static size_t count(const struct judge *j, enum state state)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += j->found[i].state == state;
	return n;
}

/* "; 3 ranks wait in MPI" */
static void add_waiting(struct judge *j)
{
	const size_t n = count(j, RANK_IN_MPI);

	if (n)
		buf_addf(&j->text, "; %zu rank%s in calls of MPI", n, n == 1 ? " waits" : "s wait");
}

static void say(struct judge *j, const char *reason)
{
	char *text = strdup(reason);

	if (text && vec_push(&j->why->reasons, text))
		return;
	free(text);
	j->failed = true;
}

static void conclude(struct judge *j, enum why_verdict verdict, enum job_class class,
		     enum why_confidence confidence)
{
	j->why->verdict = verdict;
	j->why->class = class;
	j->why->confidence = confidence;
	buf_adds(&j->text, why_opening(verdict, confidence));
}

/* ---- the cases, the most telling first ----------------------------------------------------- */

/* A rank cannot go on for a reason of its own. */
static bool judge_finding(struct judge *j)
{
	const size_t i = first_of(j, RANK_FINDING);

	if (i == j->n)
		return false;
	const struct report *r = report_of(j, i);
	conclude(j, r->verdict, JOB_RANK, r->confidence);
	const size_t opening = j->text.len;
	buf_addf(&j->text, "in rank %d ", j->ranks[i].rank);
	const char *own = r->summary;
	if (!strncmp(own, j->text.data, opening))
		own += opening;
	buf_add(&j->text, own, strlen(own) - (*own && own[strlen(own) - 1] == '.'));
	add_waiting(j);
	blame_all(j, RANK_FINDING);
	blame_all(j, RANK_IN_MPI);
	return true;
}

/* How many ranks are in the same collective as rank i. */
static size_t count_same(const struct judge *j, size_t i)
{
	size_t n = 0;

	for (size_t k = 0; k < j->n; k++)
		n += is_same_collective(call_of(j, i), call_of(j, k));
	return n;
}

static bool has_moved(const struct judge *j, const struct ints *circle)
{
	vec_for_each (i, circle) {
		if (report_of(j, (size_t)*i)->moved)
			return true;
	}
	return false;
}

/* Ranks in different collectives: those that fewest are in have gone wrong, as it seems. */
static void tell_collectives(struct judge *j, const struct ints *circle)
{
	size_t odd = (size_t)*circle->items, most = odd;

	vec_for_each (i, circle) {
		odd = count_same(j, (size_t)*i) < count_same(j, odd) ? (size_t)*i : odd;
		most = count_same(j, (size_t)*i) >= count_same(j, most) && (size_t)*i != odd
			       ? (size_t)*i
			       : most;
	}
	add_rank(j, odd);
	buf_addf(&j->text, " while %zu rank%s in %s()", count_same(j, most),
		 count_same(j, most) == 1 ? " is" : "s are", call_of(j, most)->name);
	for (size_t i = 0; i < j->n; i++) {
		if (is_same_collective(call_of(j, odd), call_of(j, i)))
			blame(j, i);
	}
}

/* "rank 0 waits for rank 1, which waits for rank 0" */
static void tell_circle(struct judge *j, const struct ints *circle)
{
	const int first = j->ranks[*circle->items].rank;

	buf_addf(&j->text, "rank %d", first);
	for (size_t i = 1; i < circle->len && i < CIRCLE_SHOWN; i++)
		buf_addf(&j->text, "%s waits for rank %d", i > 1 ? ", which" : "",
			 j->ranks[circle->items[i]].rank);
	if (circle->len > CIRCLE_SHOWN)
		buf_addf(&j->text, ", and so on through %zu more", circle->len - CIRCLE_SHOWN);
	buf_addf(&j->text, ", which waits for rank %d", first);
	vec_for_each (i, circle)
		blame(j, (size_t)*i);
}

static bool judge_circle(struct judge *j)
{
	AUTO_INTS circle = { 0 };
	bool collectives = true;

	find_stuck(j);
	find_circle(j, &circle);
	if (j->failed || !circle.len || has_moved(j, &circle))
		return false;
	vec_for_each (i, &circle)
		collectives &= call_of(j, (size_t)*i)->kind == MPI_COLLECTIVE;
	conclude(j, WHY_DEADLOCK, collectives ? JOB_COLLECTIVE : JOB_MESSAGE, WHY_PROBABLE);
	(collectives ? tell_collectives : tell_circle)(j, &circle);
	for (size_t i = 0; i < j->n; i++) {
		if (j->found[i].stuck)
			blame(j, i);
	}
	say(j, "Messages that are on their way are not read.");
	return true;
}

static bool judge_gone(struct judge *j)
{
	if (!j->missing || !count(j, RANK_IN_MPI))
		return false;
	for (size_t i = 0; i < j->n; i++) {
		const struct report_call *call = call_of(j, i);
		if (call && !strcmp(call->name, "MPI_Finalize"))
			return false;
	}
	conclude(j, WHY_STUCK, JOB_GONE, WHY_PROBABLE);
	buf_addf(&j->text, "%zu rank%s of this host %s ended", j->missing,
		 j->missing == 1 ? "" : "s", j->missing == 1 ? "has" : "have");
	add_waiting(j);
	blame_all(j, RANK_IN_MPI);
	return true;
}

/* Threads of a rank that are in MPI at the same time, which it has not allowed. */
static bool judge_threads(struct judge *j)
{
	static const char *const levels[] = { "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
					      "MPI_THREAD_SERIALIZED" };

	for (size_t i = 0; i < j->n; i++) {
		const struct report *r = report_of(j, i);
		if (!r || r->calls.len < 2 || r->threads < 0 || r->threads >= MPI_THREADS_MULTIPLE)
			continue;
		conclude(j, WHY_STUCK, JOB_THREADS, WHY_PROBABLE);
		buf_addf(&j->text,
			 "%zu threads of rank %d are in MPI at the same time, which %s "
			 "does not allow",
			 r->calls.len, j->ranks[i].rank, levels[r->threads]);
		blame(j, i);
		return true;
	}
	return false;
}

/* Others than those that are in MPI decide. */
static bool judge_others(struct judge *j)
{
	static const struct {
		enum state state;
		enum why_verdict verdict;
		enum job_class class;
	} cases[] = {
		{ RANK_OUTSIDE, WHY_WAITING, JOB_OUTSIDE },
		{ RANK_RUNS, WHY_PROGRESSING, JOB_IMBALANCE },
		{ RANK_UNKNOWN, WHY_UNKNOWN, JOB_NONE },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		const size_t i = first_of(j, cases[c].state);
		if (i == j->n)
			continue;
		conclude(j, cases[c].verdict, cases[c].class, WHY_PROBABLE);
		add_rank(j, i);
		if (count(j, cases[c].state) > 1)
			buf_addf(&j->text, ", and %zu more", count(j, cases[c].state) - 1);
		add_waiting(j);
		blame_all(j, cases[c].state);
		blame_all(j, RANK_IN_MPI);
		return true;
	}
	return false;
}

/* All are in MPI, and nothing shows that any of them cannot go on. */
static void judge_rest(struct judge *j)
{
	bool moved = false;

	for (size_t i = 0; i < j->n; i++)
		moved |= report_of(j, i)->moved;
	conclude(j, moved ? WHY_PROGRESSING : WHY_UNKNOWN, JOB_NONE,
		 moved ? WHY_PROBABLE : WHY_GUESS);
	if (moved)
		buf_adds(&j->text, GOES_ON);
	else if (j->n && count_same(j, 0) == j->n)
		buf_addf(&j->text, "all ranks are in %s(), which they may be about to leave",
			 call_of(j, 0)->name);
	else
		buf_adds(&j->text, "all ranks are in calls of MPI, and for whom all of them wait "
				   "cannot be read");
	blame_all(j, RANK_IN_MPI);
}

struct error *job_why_find(const struct job_rank *ranks, size_t n, size_t missing,
			   struct job_why *ret)
{
	struct judge j = { .ranks = ranks, .n = n, .missing = missing, .why = ret };
	AUTO_FREE struct found *found = calloc(n + 1, sizeof(*found));

	if (!found)
		return &error_nomem;
	j.found = found;
	for (size_t i = 0; i < n; i++)
		found[i].state = state_of(report_of(&j, i));
	if (!judge_finding(&j) && !judge_threads(&j) && !judge_circle(&j) && !judge_gone(&j) &&
	    !judge_others(&j) && !j.failed)
		judge_rest(&j);
	buf_addc(&j.text, '.');
	ret->summary = j.text.failed ? NULL : strdup(buf_text(&j.text));
	buf_fini(&j.text);
	return j.failed || !ret->summary ? &error_nomem : NULL;
}
