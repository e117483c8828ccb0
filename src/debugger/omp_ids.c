/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/omp_ids.h"

#include <stdlib.h>

#include "base/hash.h"
#include "ompd/picture/by_address.h"

/*
 * So often all threads are looked at for the sake of a region: its primary thread may just be where
 * no stack can be walked, as in clone().
 */
enum { LOOKS_MAX = 4 };

/* Where the thread that has begun a region goes on. */
struct way_back {
	taddr pc; /* 0: not known                  */
	taddr sp; /* of the frame, when it is there */
};

struct known_region {
	long id;
	int runtime, level;
	taddr handle, function;
	pid_t primary; /* 0: not known */
	struct way_back back;
	long generation;
	unsigned int point; /* counts whoever comes back; 0: none */
	int looks;          /* at all threads, while it was there */
	bool seen;          /* in the picture at hand             */
};

struct known_task {
	long id, region, creator; /* ids; -1: none, or not known */
	enum task_kind kind;
	taddr handle, function, arguments;
	taddr frame, creator_frame; /* the outermost of its code, of its creator's; 0: not known */
	taddr given_at, given_end;  /* the memory of the values that it was given               */
	uint64_t given;             /* a hash of them; 0: not known                             */
	long generation;            /* of its region: it is over before that rises; -1: unknown */
	pid_t lwp;                  /* who executes it; 0: nobody, or not known                  */
	bool begun, seen;
};

struct omp_ids {
	VEC(struct known_region) regions;
	VEC(struct known_task) tasks;
	long next_region, next_task;
	/* At the look that was last; nobody has gone on since. */
	unsigned long changes; /* of the target */
	bool stands;
};

/* What a picture is taken over with. */
struct assigning {
	struct omp_ids *ids;
	struct target *target;
	struct picture *picture;
	const struct unwind_stack *raw;
	const taddr *frames; /* of each task of the picture, its outermost one; 0: not known */
};

struct omp_ids *omp_ids_new(void)
{
	return calloc(1, sizeof(struct omp_ids));
}

void omp_ids_free(struct omp_ids *ids)
{
	if (!ids)
		return;
	vec_fini(&ids->regions);
	vec_fini(&ids->tasks);
	free(ids);
}

void omp_ids_forget(struct omp_ids *ids)
{
	vec_fini(&ids->regions);
	vec_fini(&ids->tasks);
}

/* What both know is the same. */
static bool agree(uint64_t a, uint64_t b)
{
	return !a || !b || a == b;
}

/* ---- regions ---------------------------------------------------------------------------- */

static struct way_back find_way_back(const struct assigning *a, int region)
{
	const struct picture_region *r = picture_region(a->picture, region);
	const struct picture_thread *th = picture_thread(a->picture, r->primary);

	for (size_t i = 0; a->raw && th && th->borders && i < th->spans.list.len; i++) {
		const struct unwind_stack *raw = &a->raw[r->primary];
		const size_t outer = th->spans.list.items[i].outer;
		if (th->borders[i].region != region || !outer || outer >= raw->len)
			continue;
		return (struct way_back){ raw->items[outer].pc, raw->items[outer - 1].cfa };
	}
	return (struct way_back){ 0 };
}

static pid_t lwp_of(const struct picture *p, int thread)
{
	const struct picture_thread *th = picture_thread(p, thread);

	return th ? th->lwp : 0;
}

static struct known_region describe_region(const struct assigning *a, int region)
{
	const struct picture_region *r = picture_region(a->picture, region);

	return (struct known_region){
		.runtime = r->runtime,
		.level = r->level,
		.handle = r->handle,
		.function = r->function,
		.primary = lwp_of(a->picture, r->primary),
		.back = find_way_back(a, region),
		.generation = r->generation,
		.looks = a->raw != NULL,
		.seen = true,
	};
}

/* Those who have begun it have come back. */
static bool has_ended(const struct assigning *a, const struct known_region *k)
{
	struct point_state state = { 0 };
	struct error *err = k->point ? target_point_state(a->target, k->point, &state) : NULL;

	error_ignore(err);
	return state.hits > 0;
}

/*
 * It stands where that stood. What stacks tell of functions depends on where their threads are
 * (tail calls): of one whose end will be seen it is not asked.
 */
static bool is_alike(const struct known_region *k, const struct known_region *r)
{
	bool placed = k->handle && r->handle;
	bool framed = k->back.pc && r->back.pc;
	bool same_frame = agree(k->back.pc, r->back.pc) && agree(k->back.sp, r->back.sp);

	if (k->seen || k->runtime != r->runtime || k->level != r->level ||
	    !agree((uint64_t)k->primary, (uint64_t)r->primary) || !agree(k->handle, r->handle))
		return false;
	if (k->point)
		return placed || (framed && same_frame);
	return (placed || framed) && same_frame && agree(k->function, r->function);
}

/* The same one, surely, or as far as its barriers tell. */
static bool is_same(const struct assigning *a, const struct known_region *k,
		    const struct known_region *r)
{
	if (has_ended(a, k))
		return false;
	return k->point || k->generation == r->generation;
}

static void drop_region(struct assigning *a, struct known_region *k)
{
	struct omp_ids *ids = a->ids;

	if (k->point)
		error_ignore(target_clear_point(a->target, k->point));
	*k = ids->regions.items[--ids->regions.len];
}

static bool assign_region(struct assigning *a, int region)
{
	struct picture_region *r = picture_region(a->picture, region);
	struct known_region now = describe_region(a, region), *same = NULL;

	for (size_t i = 0; i < a->ids->regions.len && !same; i++) {
		struct known_region *k = &a->ids->regions.items[i];
		if (!is_alike(k, &now))
			continue;
		if (is_same(a, k, &now)) {
			same = k;
			break;
		}
		r->doubtful |= !has_ended(a, k);
		drop_region(a, k);
		i--;
	}
	now.id = same ? same->id : a->ids->next_region++;
	if (same) {
		now.point = same->point;
		now.looks += same->looks;
		if (!now.back.pc || now.point)
			now.back = same->back;
		now.handle = now.handle ? now.handle : same->handle;
		now.function = now.function ? now.function : same->function;
		now.primary = now.primary ? now.primary : same->primary;
		*same = now;
	}
	return (same || vec_push(&a->ids->regions, now)) &&
	       vec_push(&a->picture->region_ids, now.id);
}

/* ---- tasks ------------------------------------------------------------------------------ */

/* Frames in which the code of tasks has begun. NULL: out of memory. */
static taddr *find_frames(const struct assigning *a)
{
	const struct picture *p = a->picture;
	taddr *ret = calloc(p->tasks.len + 1, sizeof(*ret));

	for (size_t n = 0; a->raw && ret && n < p->threads.len; n++) {
		const struct picture_thread *th = &p->threads.items[n];
		for (size_t i = 0; th->borders && i < th->spans.list.len; i++) {
			const size_t inner = th->spans.list.items[i].inner;
			if (picture_task(p, th->borders[i].task) && inner && inner <= a->raw[n].len)
				ret[th->borders[i].task] = a->raw[n].items[inner - 1].cfa;
		}
	}
	return ret;
}

/*
 * What a task was given is kept with it: by LLVM in a block behind its kmp_task_t, which begins
 * with five words; by libgomp behind its struct, to the end of that memory, which GNU's malloc has
 * in the word before it, with flags in the last three bits. What is there is not changed by gcc's
 * code; clang's has its private copies there.
 */
static bool find_given(const struct assigning *a, const struct picture_task *t, taddr *ret_start,
		       taddr *ret_end)
{
	enum { KMP_TASK_SIZE = 40, MALLOC_FLAGS = 7, GIVEN_MAX = 1 << 12 };
	uint64_t size = 0;

	if (t->block) {
		*ret_start = t->block + KMP_TASK_SIZE;
		*ret_end = t->block + t->block_size;
	} else if (t->handle && t->arguments > t->handle) {
		struct error *err = target_read(a->target, t->handle - 8, &size, sizeof(size));
		if (err)
			size = 0;
		error_ignore(err);
		*ret_start = t->arguments;
		*ret_end = t->handle - 8 + (size & ~(uint64_t)MALLOC_FLAGS);
	} else {
		return false;
	}
	return *ret_end > *ret_start && *ret_end - *ret_start <= GIVEN_MAX;
}

static uint64_t hash_given(struct target *t, taddr at, taddr end)
{
	uint64_t hash = HASH_START, word = 0;

	for (; at < end; at += sizeof(word)) {
		const size_t len = end - at < sizeof(word) ? end - at : sizeof(word);
		struct error *err = target_read(t, at, &word, len);
		error_ignore(err);
		if (err)
			return 0;
		hash = hash_add(hash, word);
	}
	return hash ? hash : 1;
}

/* Whoever has written to tasks while all stood was the user: they are the same as before. */
static void follow_writes(struct omp_ids *ids, struct target *t)
{
	vec_for_each (k, &ids->tasks) {
		if (ids->stands && ids->changes != t->changes && k->given)
			k->given = hash_given(t, k->given_at, k->given_end);
	}
	ids->changes = t->changes;
}

static struct known_task describe_task(const struct assigning *a, int task)
{
	const struct picture *p = a->picture;
	const struct picture_task *t = picture_task(p, task);
	const struct picture_region *r = picture_region(p, t->region);
	struct known_task made = {
		.region = picture_region_id(p, t->region),
		.creator = picture_task_id(p, t->creator),
		.kind = t->kind,
		.handle = t->handle,
		.function = t->function,
		.arguments = t->arguments,
		.frame = a->frames[task],
		.creator_frame = picture_task(p, t->creator) ? a->frames[t->creator] : 0,
		.generation = r ? r->generation : -1,
		.lwp = lwp_of(p, t->thread),
		.begun = t->state == TASK_RUNNING || t->state == TASK_SUSPENDED ||
			 t->state == TASK_DETACHED,
		.seen = true,
	};

	if (t->kind == TASK_EXPLICIT && find_given(a, t, &made.given_at, &made.given_end))
		made.given = hash_given(a->target, made.given_at, made.given_end);
	return made;
}

static bool differ(long a, long b)
{
	return a >= 0 && b >= 0 && a != b;
}

enum sameness { OTHER, MAYBE, SAME };

/* Those around everything may have no address: libgomp makes none for threads of the program. */
static enum sameness compare_tasks(const struct known_task *k, const struct known_task *t)
{
	const bool executed = k->begun && t->begun;

	if (k->seen || k->kind != t->kind || k->handle != t->handle || differ(k->region, t->region))
		return OTHER;
	if (k->kind == TASK_IMPLICIT)
		return k->handle || k->lwp == t->lwp ? SAME : OTHER;
	if (!k->handle || differ(k->creator, t->creator) || !agree(k->function, t->function) ||
	    !agree(k->arguments, t->arguments) || !agree(k->creator_frame, t->creator_frame) ||
	    differ(k->generation, t->generation) || (k->begun && !t->begun))
		return OTHER;
	if (!agree(k->given, t->given))
		return t->begun ? MAYBE : OTHER;
	if (executed && !agree((uint64_t)k->lwp, (uint64_t)t->lwp))
		return MAYBE; /* an untied one may go on elsewhere */
	return executed && !agree(k->frame, t->frame) ? OTHER : SAME;
}

/* What was known of it, and is not now: a look at one thread tells less. */
static void keep_known(struct known_task *t, const struct known_task *before)
{
	t->id = before->id;
	t->region = t->region >= 0 ? t->region : before->region;
	t->creator = t->creator >= 0 ? t->creator : before->creator;
	t->function = t->function ? t->function : before->function;
	t->arguments = t->arguments ? t->arguments : before->arguments;
	t->frame = t->frame ? t->frame : before->frame;
	t->creator_frame = t->creator_frame ? t->creator_frame : before->creator_frame;
	if (!t->given) {
		t->given = before->given;
		t->given_at = before->given_at;
		t->given_end = before->given_end;
	}
	t->generation = t->generation >= 0 ? t->generation : before->generation;
	t->begun |= before->begun;
}

/*
 * by_handle: those that were known; others are looked for one by one, which are few. Where there is
 * another one now, that is over.
 */
static bool assign_task(struct omp_ids *ids, const struct by_address *by_handle, size_t known,
			struct known_task *t, bool *ret_doubtful)
{
	int index = by_address_find(by_handle, t->handle);
	struct known_task *before = index >= 0 ? &ids->tasks.items[index] : NULL;

	for (size_t i = 0; !t->handle && !before && i < known; i++) {
		if (compare_tasks(&ids->tasks.items[i], t) == SAME)
			before = &ids->tasks.items[i];
	}
	const enum sameness same = before ? compare_tasks(before, t) : OTHER;
	*ret_doubtful = same == MAYBE;
	t->id = ids->next_task;
	if (same == SAME)
		keep_known(t, before);
	else
		ids->next_task++;
	if (before)
		*before = *t;
	return before || vec_push(&ids->tasks, *t);
}

static bool assign_tasks(struct assigning *a)
{
	struct by_address by_handle = { 0 };
	struct omp_ids *ids = a->ids;
	const size_t known = ids->tasks.len;
	AUTO_FREE taddr *frames = find_frames(a);
	bool whole = frames != NULL;

	a->frames = frames;
	for (size_t i = 0; whole && i < known; i++) {
		ids->tasks.items[i].seen = false;
		whole = !ids->tasks.items[i].handle ||
			by_address_add(&by_handle, ids->tasks.items[i].handle, (int)i);
	}
	for (int i = 0; whole && i < (int)a->picture->tasks.len; i++) {
		struct known_task now = describe_task(a, i);
		whole = assign_task(ids, &by_handle, known, &now,
				    &a->picture->tasks.items[i].doubtful) &&
			vec_push(&a->picture->task_ids, now.id);
	}
	by_address_fini(&by_handle);
	a->frames = NULL;
	return whole;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* What a look at all threads has not found has ended. */
static void drop_unseen(struct assigning *a)
{
	struct omp_ids *ids = a->ids;

	for (size_t i = ids->regions.len; i-- > 0;) {
		if (!ids->regions.items[i].seen)
			drop_region(a, &ids->regions.items[i]);
	}
	for (size_t i = ids->tasks.len; i-- > 0;) {
		if (!ids->tasks.items[i].seen)
			ids->tasks.items[i] = ids->tasks.items[--ids->tasks.len];
	}
}

struct error *omp_ids_assign(struct omp_ids *ids, struct target *t, struct picture *p,
			     const struct unwind_stack *raw)
{
	struct assigning a = { .ids = ids, .target = t, .picture = p, .raw = raw };
	bool whole = true;

	follow_writes(ids, t);
	ids->stands = true;
	vec_for_each (k, &ids->regions)
		k->seen = false;
	for (int i = 0; whole && i < (int)p->regions.len; i++)
		whole = assign_region(&a, i);
	if (!whole || !assign_tasks(&a))
		return &error_nomem;
	if (raw)
		drop_unseen(&a);
	return NULL;
}

bool omp_ids_lasts(const struct omp_ids *ids, long region)
{
	vec_for_each (k, &ids->regions) {
		if (k->id == region)
			return k->looks >= LOOKS_MAX || k->point || k->back.pc;
	}
	return false;
}

/* Nobody is stopped there, and nobody told: it counts. */
static void arm(struct known_region *k, struct target *t, unsigned int *next_point)
{
	const struct point point = {
		.id = *next_point + 1,
		.kind = POINT_CODE,
		.addr = k->back.pc,
		.lwp = k->primary,
		.sp_above = k->back.sp - 1,
		.ignore = UINT64_MAX,
	};
	struct error *err = target_set_point(t, &point);

	if (!err)
		k->point = ++*next_point;
	error_ignore(err); /* it is known as far as its barriers tell */
}

void omp_ids_arm(struct omp_ids *ids, struct target *t, unsigned int *next_point)
{
	follow_writes(ids, t);
	ids->stands = false;
	vec_for_each (k, &ids->regions) {
		if (!k->point && k->back.pc && k->primary)
			arm(k, t, next_point);
	}
}
