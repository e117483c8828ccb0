/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/rank_waits.h"

#include <string.h>

#include "base/hash.h"
#include "base/sorted.h"
#include "base/text.h"

void rank_waits_fini(struct rank_waits *r)
{
	free(r->found);
}

void job_links_fini(struct job_links *l)
{
	vec_for_each (link, l) {
		vec_fini(&link->ranks);
		free(link->thread);
		free(link->where);
		free(link->does);
	}
	vec_fini(l);
	map_fini(&l->by_words);
}

/* ---- what each does ------------------------------------------------------------------------ */

const struct report *rank_waits_report(const struct rank_waits *r, size_t i)
{
	const struct report *report = r->items[i].report;

	return report && report->judged ? report : NULL;
}

const struct report_call *rank_waits_call(const struct rank_waits *r, size_t i)
{
	return r->found[i].state == RANK_IN_MPI ? report_decisive(rank_waits_report(r, i)) : NULL;
}

static enum rank_doing state_of(const struct report *r)
{
	static const enum rank_doing states[NUM_WHY_VERDICTS] = {
		[WHY_UNKNOWN] = RANK_UNKNOWN,     [WHY_DEADLOCK] = RANK_FINDING,
		[WHY_STUCK] = RANK_FINDING,       [WHY_CRASHED] = RANK_FINDING,
		[WHY_WAITING] = RANK_OUTSIDE,     [WHY_IDLE] = RANK_GOES_ON,
		[WHY_PROGRESSING] = RANK_GOES_ON,
	};

	if (!r)
		return RANK_UNKNOWN;
	if (report_decisive(r))
		return RANK_IN_MPI;
	return r->verdict == WHY_IDLE && r->outside ? RANK_OUTSIDE : states[r->verdict];
}

/* ---- who waits for whom -------------------------------------------------------------------- */

static bool may_be(long a, long b)
{
	return a < 0 || b < 0 || a == b;
}

static bool may_be_of_one(enum mpi_comm a, enum mpi_comm b)
{
	return a == MPI_COMM_UNKNOWN || b == MPI_COMM_UNKNOWN || a == b;
}

bool rank_waits_same_collective(const struct report_call *a, const struct report_call *b)
{
	return a && b && mpi_is_collective(a->kind) && !strcmp(a->name, b->name) &&
	       may_be(a->peer, b->peer) && may_be_of_one(a->comm, b->comm);
}

/* A message, as a call tells of it: with whom, and its tag. */
struct message {
	long peer, tag; /* MPI_NUMBER_NONE: there is none */
};

static struct message sent_by(const struct report_call *c)
{
	if (c->kind == MPI_EXCHANGE)
		return (struct message){ c->to, c->to_tag };
	return c->kind == MPI_SEND ? (struct message){ c->peer, c->tag }
				   : (struct message){ MPI_NUMBER_NONE };
}

static struct message received_by(const struct report_call *c)
{
	return c->kind == MPI_RECEIVE || c->kind == MPI_EXCHANGE
		       ? (struct message){ c->peer, c->tag }
		       : (struct message){ MPI_NUMBER_NONE };
}

/*
 * The rank of the other end of a message of rank i, which may be i itself, if no thread of that
 * rank has it; r->n: there is none.
 */
static size_t missing_end(const struct rank_waits *r, size_t i, struct message m, bool is_sent)
{
	const size_t k = sorted_count(rank, r->items, r->n, rank->rank < m.peer);

	if (k == r->n || r->items[k].rank != m.peer)
		return r->n;
	const struct report *peer = rank_waits_report(r, k);
	for (size_t c = 0; peer && c < peer->calls.len; c++) {
		const struct report_call *call = &peer->calls.items[c];
		const struct message end = is_sent ? received_by(call) : sent_by(call);
		if (end.peer != MPI_NUMBER_NONE && may_be(end.peer, r->items[i].rank) &&
		    may_be(m.tag, end.tag))
			return r->n;
	}
	return k;
}

size_t rank_waits_peer(const struct rank_waits *r, size_t i)
{
	const struct report_call *own = rank_waits_call(r, i);

	if (!own || own->comm != MPI_COMM_IS_WORLD || mpi_is_collective(own->kind))
		return r->n;
	const size_t k = missing_end(r, i, received_by(own), false);
	return k < r->n ? k : missing_end(r, i, sent_by(own), true);
}

bool rank_waits_for(const struct rank_waits *r, size_t i, size_t k)
{
	const struct report_call *own = rank_waits_call(r, i);

	if (!own || i == k || own->comm != MPI_COMM_IS_WORLD)
		return false;
	if (mpi_is_collective(own->kind))
		return !rank_waits_same_collective(own, rank_waits_call(r, k));
	return rank_waits_peer(r, i) == k;
}

/* ---- who is stuck: whom nothing but others of them could let go on --------------------------- */

/*
 * Those in one collective: all of them go on when there are no others that cannot. Where some may
 * leave it early, others may be past it: any that can go on may be whom they wait for.
 */
struct collective {
	const struct report_call *call; /* borrowed; of one of them */
	size_t n;                       /* of them that are stuck   */
};

struct search {
	struct rank_waits *r;
	size_t *first, *next; /* owned; who waits for a peer, as lists: numbers, from 1 on */
	size_t *collective;   /* owned; of each, from 1 on; 0: none                        */
	VEC(struct collective) collectives;
	VEC(size_t) free_ones; /* in the order in which they are let go */
	size_t stuck;
	bool failed;
};

static size_t collective_of(struct search *s, const struct report_call *call)
{
	for (size_t i = 0; i < s->collectives.len; i++) {
		if (rank_waits_same_collective(s->collectives.items[i].call, call))
			return i + 1;
	}
	s->failed |= !vec_push(&s->collectives, (struct collective){ .call = call });
	return s->failed ? 0 : s->collectives.len;
}

static void let_go(struct search *s, size_t i)
{
	if (!s->r->found[i].stuck)
		return;
	s->r->found[i].stuck = false;
	s->stuck--;
	if (s->collective[i])
		s->collectives.items[s->collective[i] - 1].n--;
	s->failed |= !vec_push(&s->free_ones, i);
}

/* All that are in a collective which nobody keeps waiting any more, as far as is known. */
static void let_collectives_go(struct search *s)
{
	for (size_t c = 0; c < s->collectives.len; c++) {
		const struct collective *all = &s->collectives.items[c];
		const bool may_go = all->call->kind == MPI_ROOTED && s->free_ones.len;
		if (!all->n || (!may_go && all->n != s->stuck))
			continue;
		for (size_t i = 0; i < s->r->n && !s->failed; i++) {
			if (s->collective[i] == c + 1)
				let_go(s, i);
		}
	}
}

static void search(struct search *s)
{
	for (size_t i = 0; i < s->r->n && !s->failed; i++) {
		const struct report_call *call = rank_waits_call(s->r, i);
		const size_t peer = rank_waits_peer(s->r, i);
		s->r->found[i].stuck = true;
		s->stuck++;
		if (call && mpi_is_collective(call->kind) && call->comm == MPI_COMM_IS_WORLD) {
			s->collective[i] = collective_of(s, call);
			if (!s->failed)
				s->collectives.items[s->collective[i] - 1].n++;
		} else if (peer < s->r->n) {
			s->next[i] = s->first[peer];
			s->first[peer] = i + 1;
		}
	}
	for (size_t i = 0; i < s->r->n && !s->failed; i++) {
		if (!s->collective[i] && rank_waits_peer(s->r, i) == s->r->n)
			let_go(s, i);
	}
	let_collectives_go(s);
	for (size_t at = 0; at < s->free_ones.len && !s->failed; at++) {
		for (size_t i = s->first[s->free_ones.items[at]]; i; i = s->next[i - 1])
			let_go(s, i - 1);
		if (at + 1 == s->free_ones.len)
			let_collectives_go(s);
	}
}

static bool find_stuck(struct rank_waits *r)
{
	struct search s = { .r = r, .first = calloc(3 * r->n + 1, sizeof(size_t)) };

	s.failed = !s.first;
	if (!s.failed) {
		s.next = s.first + r->n;
		s.collective = s.next + r->n;
		search(&s);
	}
	vec_fini(&s.collectives);
	vec_fini(&s.free_ones);
	free(s.first);
	return !s.failed;
}

bool rank_waits_find(const struct rank_report *ranks, size_t n, struct rank_waits *ret)
{
	*ret = (struct rank_waits){ ranks, n, calloc(n + 1, sizeof(*ret->found)) };
	for (size_t i = 0; ret->found && i < n; i++)
		ret->found[i].state = state_of(rank_waits_report(ret, i));
	return ret->found && find_stuck(ret);
}

/* ---- in words ------------------------------------------------------------------------------ */

static void add_call(struct buf *out, const struct report_call *call)
{
	static const char *const words[] = {
		[MPI_OTHER] = "of rank",    [MPI_COLLECTIVE] = "of rank",
		[MPI_ROOTED] = "with root", [MPI_RECEIVE] = "from rank",
		[MPI_SEND] = "to rank",     [MPI_EXCHANGE] = "from rank",
		[MPI_WAIT] = "for rank",
	};

	buf_addf(out, "is in %s()", call->name);
	if (call->peer >= 0)
		buf_addf(out, " %s %ld", words[call->kind], call->peer);
	else if (call->peer == MPI_NUMBER_ANY)
		buf_adds(out, " from any rank");
	if (call->comm == MPI_COMM_IS_OTHER)
		buf_adds(out, " of another communicator");
	if (call->tag >= 0)
		buf_addf(out, ", tag %ld", call->tag);
	if (call->kind != MPI_EXCHANGE || call->to < 0)
		return;
	buf_addf(out, ", and to rank %ld", call->to);
	if (call->to_tag >= 0)
		buf_addf(out, ", tag %ld", call->to_tag);
}

void rank_waits_words(const struct rank_waits *r, size_t i, struct buf *does,
		      const char **ret_thread, const char **ret_where)
{
	const struct report *report = rank_waits_report(r, i);
	const struct report_call *call = rank_waits_call(r, i);

	*ret_thread = call ? call->thread : report && report->thread ? report->thread : "";
	*ret_where = call ? call->where : report && report->where ? report->where : "";
	if (call)
		add_call(does, call);
	else if (report && report->reason)
		buf_adds(does, report->reason);
	else
		buf_adds(does, report ? report->summary : "could not be looked at");
}

static bool is_link(const struct job_link *l, const char *thread, const char *where,
		    const char *does)
{
	return !strcmp(l->thread, thread) && !strcmp(l->where, where) && !strcmp(l->does, does);
}

/* The link of those of whom that is said, made if need be. NULL: out of memory. */
static struct job_link *get_link(struct job_links *all, const char *thread, const char *where,
				 const char *does)
{
	struct map_item *item;

	for (uint64_t key = hash_text(hash_text(hash_text(HASH_START, thread), where), does);;
	     key++) {
		item = map_add(&all->by_words, key);
		if (!item)
			return NULL;
		if (!item->number)
			break;
		if (is_link(&all->items[item->number - 1], thread, where, does))
			return &all->items[item->number - 1];
	}
	if (!vec_push(all, (struct job_link){ 0 }))
		return NULL;
	struct job_link *l = &all->items[all->len - 1];
	item->number = (int64_t)all->len;
	l->thread = strdup(thread);
	l->where = strdup(where);
	l->does = strdup(does);
	return l->thread && l->where && l->does ? l : NULL;
}

bool job_links_add(struct job_links *all, const struct rank_waits *r, size_t i, size_t *ret_at)
{
	const char *thread, *where;
	AUTO_BUF does = { 0 };

	rank_waits_words(r, i, &does, &thread, &where);
	struct job_link *l = get_link(all, thread, where, buf_text(&does));
	if (does.failed || !l || !vec_push(&l->ranks, r->items[i].rank))
		return false;
	if (ret_at)
		*ret_at = (size_t)(l - all->items);
	return true;
}

void job_link_add_ranks(struct buf *out, const struct job_link *l)
{
	buf_adds(out, l->ranks.len == 1 ? "rank " : "ranks ");
	text_add_ranges(out, l->ranks.items, l->ranks.len, ',');
}
