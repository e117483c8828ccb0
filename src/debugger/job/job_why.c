/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/job_why.h"

#include <string.h>

#include "base/text.h"

#define GOES_ON "ranks go on from one call of MPI to the next"

enum { CIRCLE_SHOWN = 8 };

struct judge {
	struct rank_waits r;
	size_t missing;
	bool all_here;
	bool *blamed; /* owned, by rank: it is in the list */
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
	job_links_fini(&w->blame);
	job_graph_fini(&w->graph);
	vec_fini_all(&w->reasons);
	free(w->summary);
}

bool job_why_is_of_calls(const struct job_why *w)
{
	return w->class == JOB_COLLECTIVE || w->class == JOB_MESSAGE;
}

void job_why_add_key(struct buf *out, const struct job_why *w)
{
	vec_for_each (link, &w->blame) {
		job_link_add_ranks(out, link);
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

/* ---- who waits for whom in a circle --------------------------------------------------------- */

/*
 * One that rank i, which is stuck, waits for and that is, too. Who is in another collective may
 * have left that of rank i early, if it has a root: it is one only if there is no other.
 */
static size_t next_of(const struct judge *j, size_t i)
{
	const size_t peer = rank_waits_peer(&j->r, i);
	const bool may_be_left = rank_waits_call(&j->r, i)->kind == MPI_ROOTED;
	size_t in_collective = j->r.n;

	if (peer < j->r.n)
		return peer;
	for (size_t k = 0; k < j->r.n; k++) {
		if (!j->r.found[k].stuck || !rank_waits_for(&j->r, i, k))
			continue;
		if (!may_be_left || !mpi_is_collective(rank_waits_call(&j->r, k)->kind))
			return k;
		in_collective = in_collective < k ? in_collective : k;
	}
	return in_collective;
}

/* A circle of those that are stuck, from any of them on; empty: there is none. */
static void find_circle(struct judge *j, struct ints *ret)
{
	AUTO_INTS path = { 0 };
	int *seen = calloc(j->r.n, sizeof(*seen)); /* places on the path, from 1 on */
	size_t at = 0;

	j->failed |= !seen;
	while (!j->failed && at < j->r.n && !j->r.found[at].stuck)
		at++;
	while (!j->failed && at < j->r.n && !seen[at]) {
		j->failed |= !vec_push(&path, (int)at);
		seen[at] = (int)path.len;
		at = next_of(j, at);
	}
	for (size_t i = at < j->r.n && !j->failed ? (size_t)seen[at] - 1 : path.len; i < path.len;
	     i++)
		j->failed |= !vec_push(ret, path.items[i]);
	free(seen);
}

/* ---- in words ------------------------------------------------------------------------------ */

static void blame(struct judge *j, size_t i)
{
	if (j->blamed[i] || j->failed)
		return;
	j->blamed[i] = true;
	j->failed |= !job_links_add(&j->why->blame, &j->r, i, NULL);
}

static void blame_all(struct judge *j, enum rank_doing state)
{
	for (size_t i = 0; i < j->r.n && !j->failed; i++) {
		if (j->r.found[i].state == state)
			blame(j, i);
	}
}

/* "rank 3 is in MPI_Recv() from rank 1 at halo.c:31"; "in rank 1 nobody has fulfilled..." */
static void add_rank(struct judge *j, size_t i)
{
	const char *thread, *where;
	AUTO_BUF does = { 0 };

	rank_waits_words(&j->r, i, &does, &thread, &where);
	buf_addf(&j->text, "%srank %d %s", text_starts_with(buf_text(&does), "nobody") ? "in " : "",
		 j->r.items[i].rank, buf_text(&does));
	if (*where)
		buf_addf(&j->text, strncmp(where, "at ", 3) ? " in %s" : " %s", where);
}

/* The first rank in that state; j->r.n: none is. */
static size_t first_of(const struct judge *j, enum rank_doing state)
{
	size_t i = 0;

	while (i < j->r.n && j->r.found[i].state != state)
		i++;
	return i;
}

static size_t count(const struct judge *j, enum rank_doing state)
{
	size_t n = 0;

	for (size_t i = 0; i < j->r.n; i++)
		n += j->r.found[i].state == state;
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

	if (i == j->r.n)
		return false;
	const struct report *r = rank_waits_report(&j->r, i);
	conclude(j, r->verdict, JOB_RANK, r->confidence);
	const size_t opening = j->text.len;
	buf_addf(&j->text, "in rank %d ", j->r.items[i].rank);
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

	for (size_t k = 0; k < j->r.n; k++)
		n += rank_waits_same_collective(rank_waits_call(&j->r, i),
						rank_waits_call(&j->r, k));
	return n;
}

static bool has_moved(const struct judge *j, const struct ints *circle)
{
	vec_for_each (i, circle) {
		if (rank_waits_report(&j->r, (size_t)*i)->moved)
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
	const struct report_call *others = rank_waits_call(&j->r, most);
	buf_addf(&j->text, " while %zu rank%s in %s()", count_same(j, most),
		 count_same(j, most) == 1 ? " is" : "s are", others->name);
	if (others->peer >= 0)
		buf_addf(&j->text, " with root %ld", others->peer);
	for (size_t i = 0; i < j->r.n; i++) {
		if (rank_waits_same_collective(rank_waits_call(&j->r, odd),
					       rank_waits_call(&j->r, i)))
			blame(j, i);
	}
}

/* "rank 0 waits for rank 1, which waits for rank 0" */
static void tell_circle(struct judge *j, const struct ints *circle)
{
	const int first = j->r.items[*circle->items].rank;

	buf_addf(&j->text, "rank %d%s", first, circle->len == 1 ? " waits for itself" : "");
	for (size_t i = 1; i < circle->len && i < CIRCLE_SHOWN; i++)
		buf_addf(&j->text, "%s waits for rank %d", i > 1 ? ", which" : "",
			 j->r.items[circle->items[i]].rank);
	if (circle->len > CIRCLE_SHOWN)
		buf_addf(&j->text, ", and so on through %zu more", circle->len - CIRCLE_SHOWN);
	if (circle->len > 1)
		buf_addf(&j->text, ", which waits for rank %d", first);
	vec_for_each (i, circle)
		blame(j, (size_t)*i);
}

static bool judge_circle(struct judge *j)
{
	AUTO_INTS circle = { 0 };
	bool collectives = true, once = false, uncounted = false;

	find_circle(j, &circle);
	if (j->failed || !circle.len || has_moved(j, &circle))
		return false;
	vec_for_each (i, &circle) {
		once |= rank_waits_report(&j->r, (size_t)*i)->looks == 1;
		uncounted |= rank_waits_report(&j->r, (size_t)*i)->uncounted;
		collectives &= mpi_is_collective(rank_waits_call(&j->r, (size_t)*i)->kind);
	}
	const enum job_class class = collectives ? JOB_COLLECTIVE : JOB_MESSAGE;
	if (once || uncounted) /* ranks that pass messages on without end look the same */
		conclude(j, WHY_UNKNOWN, once ? JOB_NONE : class, WHY_GUESS);
	else
		conclude(j, WHY_DEADLOCK, class, WHY_PROBABLE);
	(collectives ? tell_collectives : tell_circle)(j, &circle);
	for (size_t i = 0; i < j->r.n; i++) {
		if (j->r.found[i].stuck)
			blame(j, i);
	}
	say(j, once ? "One look does not tell whether they go on: 'ompdb why' without --once takes "
		      "several."
		    : "Messages that are on their way are not read.");
	if (!once && uncounted)
		say(j, "The kernel does not count (perf_event_open) whether ranks leave their "
		       "calls and come back: if none does, that is a deadlock.");
	return true;
}

/* "rank 2 has ended"; "2 ranks of this host have ended": which ones these are, if all are here. */
static void tell_missing(struct judge *j)
{
	VEC(long) gone = { 0 };
	size_t at = 0;

	for (size_t rank = 0; rank < j->r.n + j->missing && !j->failed; rank++) {
		if (at < j->r.n && j->r.items[at].rank == (int)rank)
			at++;
		else
			j->failed |= !vec_push(&gone, (long)rank);
	}
	if (j->all_here && gone.len == j->missing) {
		buf_adds(&j->text, gone.len == 1 ? "rank " : "ranks ");
		text_add_ranges(&j->text, gone.items, gone.len, ',');
	} else {
		buf_addf(&j->text, "%zu rank%s of this host", j->missing,
			 j->missing == 1 ? "" : "s");
	}
	buf_adds(&j->text, j->missing == 1 ? " has ended" : " have ended");
	vec_fini(&gone);
}

static bool judge_gone(struct judge *j)
{
	if (!j->missing || !count(j, RANK_IN_MPI))
		return false;
	for (size_t i = 0; i < j->r.n; i++) {
		const struct report_call *call = rank_waits_call(&j->r, i);
		if (call && !strcmp(call->name, "MPI_Finalize"))
			return false;
	}
	conclude(j, WHY_STUCK, JOB_GONE, WHY_PROBABLE);
	tell_missing(j);
	add_waiting(j);
	blame_all(j, RANK_IN_MPI);
	return true;
}

/* How many threads are in calls that may wait: others, as MPI_Wtime(), do no harm. */
static size_t count_waiting(const struct report *r)
{
	size_t n = 0;

	vec_for_each (call, &r->calls)
		n += call->kind != MPI_OTHER;
	return n;
}

/* Threads of a rank that are in MPI at the same time, which it has not allowed. */
static bool judge_threads(struct judge *j)
{
	static const char *const levels[] = { "MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
					      "MPI_THREAD_SERIALIZED" };

	for (size_t i = 0; i < j->r.n; i++) {
		const struct report *r = rank_waits_report(&j->r, i);
		if (!r || count_waiting(r) < 2 || r->threads < 0 ||
		    r->threads >= MPI_THREADS_MULTIPLE)
			continue;
		conclude(j, WHY_STUCK, JOB_THREADS, WHY_PROBABLE);
		buf_addf(&j->text,
			 "%zu threads of rank %d are in MPI at the same time, which %s "
			 "does not allow",
			 count_waiting(r), j->r.items[i].rank, levels[r->threads]);
		blame(j, i);
		return true;
	}
	return false;
}

/* Others than those that are in MPI decide. */
static bool judge_others(struct judge *j)
{
	static const struct {
		enum rank_doing state;
		enum why_verdict verdict;
		enum job_class class;
	} cases[] = {
		{ RANK_OUTSIDE, WHY_WAITING, JOB_OUTSIDE },
		{ RANK_GOES_ON, WHY_PROGRESSING, JOB_IMBALANCE },
		{ RANK_UNKNOWN, WHY_UNKNOWN, JOB_NONE },
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		const size_t i = first_of(j, cases[c].state);
		if (i == j->r.n)
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

	for (size_t i = 0; i < j->r.n; i++)
		moved |= rank_waits_report(&j->r, i)->moved;
	conclude(j, moved ? WHY_PROGRESSING : WHY_UNKNOWN, JOB_NONE,
		 moved ? WHY_PROBABLE : WHY_GUESS);
	if (moved)
		buf_adds(&j->text, GOES_ON);
	else if (j->r.n && count_same(j, 0) == j->r.n)
		buf_addf(&j->text, "all ranks are in %s(), which they may be about to leave",
			 rank_waits_call(&j->r, 0)->name);
	else
		buf_adds(&j->text, "all ranks are in calls of MPI, and for whom all of them wait "
				   "cannot be read");
	blame_all(j, RANK_IN_MPI);
}

struct error *job_why_find(const struct rank_report *ranks, size_t n, size_t missing, bool all_here,
			   struct job_why *ret)
{
	struct judge j = { .missing = missing, .all_here = all_here, .why = ret };
	AUTO_FREE bool *blamed = calloc(n + 1, sizeof(*blamed));

	j.blamed = blamed;
	j.failed = !rank_waits_find(ranks, n, &j.r) || !blamed;
	if (!j.failed && !judge_finding(&j) && !judge_threads(&j) && !judge_circle(&j) &&
	    !judge_gone(&j) && !judge_others(&j) && !j.failed)
		judge_rest(&j);
	j.failed |= !j.failed && !job_graph_make(&j.r, &ret->graph);
	buf_addc(&j.text, '.');
	ret->summary = j.text.failed ? NULL : strdup(buf_text(&j.text));
	buf_fini(&j.text);
	rank_waits_fini(&j.r);
	return j.failed || !ret->summary ? &error_nomem : NULL;
}
