/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_order.h"

#include <stdlib.h>
#include <string.h>

const char *const order_place_names[NUM_PLACES] = {
	[PLACE_START] = "start", [PLACE_BARRIER] = "barrier", [PLACE_CRITICAL] = "critical",
	[PLACE_LOCK] = "lock",   [PLACE_RELEASE] = "release", [PLACE_TASK] = "task",
	[PLACE_CHUNK] = "chunk", [PLACE_ACCESS] = "access",   [PLACE_LINE] = "line",
	[PLACE_WAIT] = "wait",   [PLACE_END] = "end",
};

enum order_place order_place_find(const char *name)
{
	enum order_place ret = PLACE_START;

	while (ret < NUM_PLACES && strcmp(order_place_names[ret], name) != 0)
		ret++;
	return ret;
}

void order_fini(struct order *o)
{
	vec_fini(&o->members);
	vec_fini(&o->locks);
	vec_fini(&o->list);
	vec_fini(&o->done);
}

bool order_init(struct order *o, size_t members)
{
	const struct order_member stands = { .state = MEMBER_STANDS, .at = PLACE_START };

	o->last = -1;
	for (size_t i = 0; i < members; i++) {
		if (!vec_push(&o->members, stands))
			return false;
	}
	return true;
}

/* ---- locks ------------------------------------------------------------------------------ */

static struct order_lock *find_lock(const struct order *o, uint64_t object)
{
	vec_for_each (lock, &o->locks) {
		if (lock->object == object)
			return lock;
	}
	return NULL;
}

int order_owner(const struct order *o, uint64_t object)
{
	const struct order_lock *lock = find_lock(o, object);

	return lock && lock->depth ? lock->owner : -1;
}

bool order_owns(struct order *o, int who, uint64_t object)
{
	struct order_lock *lock = find_lock(o, object);
	const struct order_lock taken = { .object = object, .owner = who, .depth = 1 };

	if (!lock)
		return vec_push(&o->locks, taken);
	lock->depth = lock->depth && lock->owner == who ? lock->depth + 1 : 1;
	lock->owner = who;
	return true;
}

static void give_back(struct order *o, int who, uint64_t object)
{
	struct order_lock *lock = find_lock(o, object);

	if (lock && lock->depth && lock->owner == who)
		lock->depth--;
}

static bool takes(const struct order_member *m)
{
	return m->object && (m->at == PLACE_CRITICAL || m->at == PLACE_LOCK);
}

/* Its turn begins with what it stood before. */
static bool leave(struct order *o, int who)
{
	struct order_member *m = &o->members.items[who];
	bool ok = m->state != MEMBER_STANDS || !takes(m) || order_owns(o, who, m->object);

	if (m->state == MEMBER_STANDS && m->at == PLACE_RELEASE)
		give_back(o, who, m->object);
	m->state = MEMBER_RUNS;
	return ok;
}

/* ---- whose turn ------------------------------------------------------------------------- */

static bool all_are(const struct order *o, enum order_state state)
{
	vec_for_each (m, &o->members) {
		if (m->state != state)
			return false;
	}
	return true;
}

/* Of others than the one that runs alone nobody comes out: they stand. */
static bool any_is_coming(const struct order *o)
{
	const int alone = o->policy == ORDER_ALONE ? o->list.items[0] : -1;

	for (int i = 0; i < (int)o->members.len; i++) {
		const struct order_member *m = &o->members.items[i];
		if (m->state == MEMBER_WAITS && m->coming && (alone < 0 || i == alone))
			return true;
	}
	return false;
}

/*
 * Where nobody is left to run, those that wait are not idle: they execute tasks there, or the last
 * one's arrival lets them out. Until they have been seen to stay all are about to come out.
 */
static bool may_all_come(struct order *o)
{
	vec_for_each (m, &o->members) {
		if (o->settled || m->state == MEMBER_STANDS || m->state == MEMBER_RUNS)
			return false;
	}
	vec_for_each (m, &o->members)
		m->coming = m->state == MEMBER_WAITS;
	return true;
}

/* Whom a member needs to go on; -1: nobody, it can run; -2: it is not known. */
static int needs(const struct order *o, int who)
{
	const struct order_member *m = &o->members.items[who];
	const int n = (int)o->members.len;
	int held = -2;

	if (m->state == MEMBER_STANDS || m->state == MEMBER_RUNS) {
		int owner = takes(m) ? order_owner(o, m->object) : -1;
		return owner == who ? -1 : owner;
	}
	for (int i = 1; m->state == MEMBER_WAITS && i < n; i++) {
		int other = (who + i) % n;
		if (o->members.items[other].state == MEMBER_STANDS)
			return other;
		if (held < 0 && o->members.items[other].state == MEMBER_HELD)
			held = other;
	}
	return held;
}

/* xorshift64*: the same numbers everywhere. */
static uint64_t draw(struct order *o)
{
	o->random ^= o->random >> 12;
	o->random ^= o->random << 25;
	o->random ^= o->random >> 27;
	return o->random * 0x2545f4914f6cdd1d;
}

/* One of those that can run; -1: none can. */
static int draw_member(struct order *o)
{
	size_t can = 0;

	for (size_t i = 0; i < o->members.len; i++)
		can += o->members.items[i].state == MEMBER_STANDS && needs(o, (int)i) == -1;
	if (!can)
		return -1;
	size_t nth = (size_t)(draw(o) >> 33) % can;
	for (size_t i = 0; i < o->members.len; i++) {
		if (o->members.items[i].state == MEMBER_STANDS && needs(o, (int)i) == -1 && !nth--)
			return (int)i;
	}
	return -1;
}

/* The one whose turn it was, as long as it can go on; then the next. */
static int next_in_line(const struct order *o)
{
	const int n = (int)o->members.len;

	for (int i = 0; i < n; i++) {
		int who = o->last < 0 ? i : (o->last + i) % n;
		if (o->members.items[who].state == MEMBER_STANDS && needs(o, who) == -1)
			return who;
	}
	return -1;
}

static int first_that(const struct order *o, enum order_state state)
{
	for (size_t i = 0; i < o->members.len; i++) {
		if (o->members.items[i].state == state)
			return (int)i;
	}
	return 0;
}

static int wanted(struct order *o, struct order_choice *ret)
{
	if (o->policy == ORDER_ALONE)
		return o->list.items[0];
	if (o->policy != ORDER_LIST) {
		int who = o->policy == ORDER_RANDOM ? draw_member(o) : next_in_line(o);
		return who >= 0 ? who : first_that(o, MEMBER_WAITS);
	}
	while (o->next < o->list.len &&
	       o->members.items[o->list.items[o->next]].state == MEMBER_ENDED)
		ret->left_out = o->list.items[o->next++];
	return o->next < o->list.len ? o->list.items[o->next] : -1;
}

/* Who runs so that "who" can at last. */
static void follow(struct order *o, int who, struct order_choice *ret)
{
	const int first = who;

	for (size_t i = 0; i <= o->members.len; i++) {
		int whom = needs(o, who);
		ret->who = who;
		if (whom == -1) {
			ret->verdict = ORDER_RUN;
			return;
		}
		if (whom < 0 || o->members.items[whom].state == MEMBER_ENDED)
			break;
		if (ret->nyields < ORDER_YIELDS_MAX)
			ret->yields[ret->nyields++] = (struct order_yield){
				.who = who,
				.whom = whom,
				.at = o->members.items[who].at,
				.object = o->members.items[who].object,
			};
		who = whom;
		if (who == first)
			break;
	}
	ret->verdict = ORDER_STUCK;
}

/* Those that stood. */
static void run_all(struct order *o)
{
	vec_for_each (m, &o->members) {
		if (m->state == MEMBER_STANDS)
			m->state = MEMBER_RUNS;
	}
}

struct order_choice order_pick(struct order *o)
{
	struct order_choice ret = { .who = -1, .left_out = -1 };

	if (all_are(o, MEMBER_ENDED)) {
		ret.verdict = ORDER_ENDED;
		return ret;
	}
	if (o->policy == ORDER_FREE) {
		run_all(o);
		ret.verdict = ORDER_WAIT;
		return ret;
	}
	if (any_is_coming(o) || may_all_come(o)) {
		ret.verdict = ORDER_WAIT;
		return ret;
	}
	int who = wanted(o, &ret);
	if (who < 0) {
		ret.verdict = ORDER_OVER;
		return ret;
	}
	follow(o, who, &ret);
	if (ret.verdict != ORDER_RUN)
		return ret;
	if (o->policy == ORDER_LIST && ret.who == who)
		o->next++;
	if (!leave(o, ret.who))
		ret.verdict = ORDER_STUCK;
	o->last = ret.who;
	return ret;
}

/* ---- what happens ----------------------------------------------------------------------- */

/* A barrier opens when all that are left in the region have arrived. */
static void open_barrier(struct order *o)
{
	vec_for_each (m, &o->members) {
		if (m->state != MEMBER_ENDED &&
		    (m->state != MEMBER_WAITS || m->at != PLACE_BARRIER || m->coming))
			return; /* or has not come out of the one before */
	}
	o->barriers++;
	vec_for_each (m, &o->members)
		m->coming = m->state == MEMBER_WAITS;
}

static bool note(struct order *o, int who, enum order_place at)
{
	const struct order_step step = { .who = who, .at = at };

	return o->members.items[who].state != MEMBER_RUNS || vec_push(&o->done, step);
}

bool order_arrives(struct order *o, int who, enum order_place at, uint64_t object)
{
	struct order_member *m = &o->members.items[who];
	bool ok = note(o, who, at), waits = at == PLACE_BARRIER || at == PLACE_WAIT;

	o->settled = false;
	*m = (struct order_member){ .state = waits ? MEMBER_WAITS : MEMBER_STANDS,
				    .at = at,
				    .object = object,
				    .coming = at == PLACE_WAIT };
	if (at == PLACE_BARRIER)
		open_barrier(o);
	return ok;
}

bool order_blocks(struct order *o, int who, bool barrier)
{
	if (barrier)
		return order_arrives(o, who, PLACE_BARRIER, 0);
	bool ok = note(o, who, PLACE_WAIT);

	o->settled = false;
	o->members.items[who].state = MEMBER_WAITS;
	o->members.items[who].at = PLACE_WAIT;
	return ok;
}

void order_returns(struct order *o, int who)
{
	o->settled = false;
	o->members.items[who] = (struct order_member){ .state = MEMBER_STANDS, .at = PLACE_START };
}

bool order_ends(struct order *o, int who)
{
	bool ok = note(o, who, PLACE_END);

	o->settled = false;
	o->members.items[who] = (struct order_member){ .state = MEMBER_ENDED, .at = PLACE_END };
	open_barrier(o);
	return ok;
}

void order_settles(struct order *o)
{
	vec_for_each (m, &o->members)
		m->coming = false;
	o->settled = true;
}
