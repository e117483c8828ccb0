/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/thread.h"

#include "ompd/gomp/getter.h"

static uint32_t optional(const uint8_t *bytes, uint8_t offset)
{
	return offset ? gomp_u32(bytes + offset) : 0;
}

ompd_rc_t gomp_thread_read(const ompd_address_space_handle_t *space, uint64_t address,
			   struct gomp_thread *ret)
{
	const struct gomp_layout *l = space->layout;
	uint8_t b[GOMP_THREAD_MAX];
	const uint8_t *ts = b + GOMP_THREAD_TS;
	ompd_rc_t rc = gomp_space_read(space, address, b, l->thread.size);

	if (rc != ompd_rc_ok)
		return rc;
	*ret = (struct gomp_thread){
		.address = address,
		.fn = gomp_u64(b + GOMP_THREAD_FN),
		.data = gomp_u64(b + GOMP_THREAD_DATA),
		.team = gomp_u64(ts + GOMP_TS_TEAM),
		.work_share = gomp_u64(ts + GOMP_TS_WORK_SHARE),
		.last_work_share = gomp_u64(ts + GOMP_TS_LAST_WORK_SHARE),
		.team_id = gomp_u32(ts + GOMP_TS_TEAM_ID),
		.level = gomp_u32(ts + GOMP_TS_LEVEL),
		.active_level = gomp_u32(ts + GOMP_TS_ACTIVE_LEVEL),
		.task = gomp_u64(b + l->thread.task),
		.pool = gomp_u64(b + l->thread.pool),
		/* libgomp stores one less. */
		.num_teams = optional(b, l->thread.num_teams) + 1ULL,
		.team_num = optional(b, l->thread.team_num),
		.allocator = l->thread.allocator ? gomp_u64(b + l->thread.allocator) : 0,
	};
	return ompd_rc_ok;
}

bool gomp_thread_is_used(const struct gomp_thread *t)
{
	return t->team || t->task || t->pool || t->fn;
}

static bool is_thread_pointer(const ompd_address_space_handle_t *space, uint64_t tp)
{
	uint64_t word;

	return tp && !(tp & 7) && gomp_space_read_word(space, tp, &word) == ompd_rc_ok &&
	       word == tp;
}

/* How far from the thread pointer libc's errno is, as __errno_location() computes it. */
static bool find_errno_offset(const ompd_address_space_handle_t *space, uint64_t *ret)
{
	uint8_t code[GOMP_GETTER_CODE / 2];
	const struct gomp_path *p;
	struct gomp_getter g;
	uint64_t at, offset;

	if (gomp_client_symbol(space->context, NULL, "__errno_location", &at) != ompd_rc_ok ||
	    gomp_space_read(space, at, code, sizeof(code)) != ompd_rc_ok)
		return false;
	gomp_getter_follow(code, sizeof(code), at, &g);
	p = gomp_getter_find(&g, GOMP_ROOT_THREAD, 0);
	if (!p)
		return false;
	offset = (uint64_t)p->tpoff;
	if (p->slot && gomp_space_read_word(space, p->slot, &offset) != ompd_rc_ok)
		return false;
	*ret = offset + (uint64_t)p->add;
	return true;
}

/*
 * A client that knows threads by their LWP does not tell their thread pointers, but the addresses
 * of thread-local symbols: libc's errno, which is in every process, or libgomp's own where it has
 * symbols.
 */
static ompd_rc_t find_thread_pointer(const ompd_address_space_handle_t *space,
				     ompd_thread_context_t *th, uint64_t *ret)
{
	uint64_t offset, at;

	if (find_errno_offset(space, &offset) &&
	    gomp_client_symbol(space->context, th, "errno", &at) == ompd_rc_ok &&
	    is_thread_pointer(space, at - offset)) {
		*ret = at - offset;
		return ompd_rc_ok;
	}
	offset = (uint64_t)space->tpoff;
	if (gomp_client_symbol(space->context, th, "gomp_tls_data", &at) != ompd_rc_ok ||
	    !is_thread_pointer(space, at - offset))
		return ompd_rc_unsupported;
	*ret = at - offset;
	return ompd_rc_ok;
}

static ompd_rc_t new_handle(ompd_address_space_handle_t *space, const struct gomp_thread *t,
			    uint64_t lwp, ompd_thread_handle_t **ret)
{
	ompd_thread_handle_t *h =
		gomp_space_new_handle(space, GOMP_MAGIC_THREAD, sizeof(*h), t->address);

	if (!h)
		return ompd_rc_nomem;
	h->thread = *t;
	h->lwp = lwp;
	*ret = h;
	return ompd_rc_ok;
}

/* A thread pointer has 8 bytes, an LWP has 4 or 8. */
static bool is_size_of_id(ompd_thread_id_t kind, uint64_t size)
{
	return size == sizeof(uint64_t) || (kind == OMPD_THREAD_ID_LWP && size == sizeof(uint32_t));
}

ompd_rc_t gomp_thread_new(ompd_address_space_handle_t *space, ompd_thread_id_t kind,
			  uint64_t sizeof_id, const void *id, ompd_thread_handle_t **ret)
{
	bool lwp = kind == OMPD_THREAD_ID_LWP;
	ompd_thread_context_t *th;
	struct gomp_thread t;
	uint64_t number = 0, tp;
	ompd_rc_t rc;

	if (kind != OMPD_THREAD_ID_PTHREAD && !lwp)
		return ompd_rc_unsupported;
	if (!is_size_of_id(kind, sizeof_id))
		return ompd_rc_bad_input;
	memcpy(&number, id, sizeof_id);
	number = le64toh(number);
	tp = number;
	if (lwp) {
		rc = gomp_client_thread(space->context, kind, sizeof_id, id, &th);
		if (rc == ompd_rc_ok)
			rc = find_thread_pointer(space, th, &tp);
		if (rc != ompd_rc_ok)
			return rc;
	} else if (!is_thread_pointer(space, tp)) {
		return ompd_rc_bad_input;
	}
	rc = gomp_thread_read(space, tp + (uint64_t)space->tpoff, &t);
	if (rc != ompd_rc_ok)
		return rc;
	if (!gomp_thread_is_used(&t))
		return ompd_rc_unavailable;
	return new_handle(space, &t, lwp ? number : 0, ret);
}

ompd_rc_t gomp_thread_new_at(ompd_address_space_handle_t *space, uint64_t address,
			     ompd_thread_handle_t **ret)
{
	struct gomp_thread t;
	ompd_rc_t rc;

	if (!is_thread_pointer(space, address - (uint64_t)space->tpoff))
		return ompd_rc_unavailable;
	rc = gomp_thread_read(space, address, &t);
	return rc == ompd_rc_ok ? new_handle(space, &t, 0, ret) : rc;
}

ompd_rc_t gomp_thread_id(const ompd_thread_handle_t *thread, ompd_thread_id_t kind,
			 uint64_t sizeof_id, void *ret)
{
	uint64_t id = 0;

	if (kind == OMPD_THREAD_ID_LWP)
		id = thread->lwp;
	else if (kind == OMPD_THREAD_ID_PTHREAD)
		id = thread->thread.address - (uint64_t)thread->head.space->tpoff;
	if (!id)
		return ompd_rc_unsupported;
	if (!is_size_of_id(kind, sizeof_id))
		return ompd_rc_bad_input;
	id = htole64(id);
	memcpy(ret, &id, sizeof_id);
	return ompd_rc_ok;
}
