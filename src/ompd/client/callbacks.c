/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/callbacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"

static struct thread *thread_of(const struct ompd_address_space_context *space,
				const ompd_thread_context_t *thread)
{
	uintptr_t index = (uintptr_t)thread;

	return index && index <= space->target->threads.len
		       ? space->target->threads.items[index - 1]
		       : NULL;
}

/* Cleared: libompd uses members of handles that it has not set. */
static ompd_rc_t alloc_memory(ompd_size_t size, void **ret)
{
	enum { MOST = 64 << 20 };

	if (!ret)
		return ompd_rc_bad_input;
	*ret = size <= MOST ? calloc(1, size ? size : 1) : NULL;
	return *ret ? ompd_rc_ok : ompd_rc_nomem;
}

static ompd_rc_t free_memory(void *p)
{
	free(p);
	return ompd_rc_ok;
}

static ompd_rc_t print_string(const char *text, int category)
{
	log_debug(LOG_OMPD, "library (%d): %s", category, text ? text : "");
	return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(struct ompd_address_space_context *space,
			     ompd_device_type_sizes_t *ret)
{
	(void)space;
	*ret = (ompd_device_type_sizes_t){ 1, 2, 4, 8, 8, 8 };
	return ompd_rc_ok;
}

static bool find_symbol(struct ompd_address_space_context *space, struct thread *th,
			const char *name, taddr *ret)
{
	if (space->runtime->ops->find_symbol)
		return space->runtime->ops->find_symbol(space, name, th, ret);
	return runtime_find(space->runtimes, space->runtime, name, ret);
}

/* libompd overwrites an error of this function (access()), so the address is valid in no case. */
static ompd_rc_t symbol_addr_lookup(struct ompd_address_space_context *space,
				    ompd_thread_context_t *thread, const char *name,
				    ompd_address_t *ret, const char *file)
{
	taddr addr = 0;

	(void)file;
	if (!space || !name || !ret)
		return ompd_rc_bad_input;
	bool found = find_symbol(space, thread_of(space, thread), name, &addr);
	*ret = (ompd_address_t){ OMPD_SEGMENT_UNSPECIFIED, found ? addr : 0 };
	if (!found)
		log_debug(LOG_OMPD, "no symbol %s", name);
	return found ? ompd_rc_ok : ompd_rc_unavailable;
}

static ompd_rc_t read_memory(struct ompd_address_space_context *space,
			     ompd_thread_context_t *thread, const ompd_address_t *from,
			     ompd_size_t len, void *ret)
{
	(void)thread;
	if (!space || !from || !ret)
		return ompd_rc_bad_input;
	const struct runtime_ops *ops = space->runtime->ops;
	if (ops->read && ops->read(space, from->address, len, ret))
		return ompd_rc_ok;
	if (memory_try_read(space->target->memory, from->address, ret, len))
		return ompd_rc_ok;
	return ompd_rc_error;
}

static ompd_rc_t read_string(struct ompd_address_space_context *space,
			     ompd_thread_context_t *thread, const ompd_address_t *from,
			     ompd_size_t len, void *ret)
{
	char *to = ret;

	(void)thread;
	if (!space || !from || !ret || !len)
		return ompd_rc_bad_input;
	for (ompd_size_t i = 0; i < len; i++) {
		if (!memory_try_read(space->target->memory, from->address + i, to + i, 1))
			return ompd_rc_error;
		if (!to[i])
			return ompd_rc_ok;
	}
	to[len - 1] = '\0';
	return ompd_rc_ok;
}

static ompd_rc_t write_memory(struct ompd_address_space_context *space,
			      ompd_thread_context_t *thread, const ompd_address_t *to,
			      ompd_size_t len, const void *bytes)
{
	(void)space, (void)thread, (void)to, (void)len, (void)bytes;
	return ompd_rc_unsupported; /* nothing of the target is ever changed for looking at it */
}

static ompd_rc_t copy_units(struct ompd_address_space_context *space, const void *from,
			    ompd_size_t size, ompd_size_t count, void *ret)
{
	ompd_size_t bytes;

	(void)space;
	if (!from || !ret || __builtin_mul_overflow(size, count, &bytes))
		return ompd_rc_bad_input;
	memmove(ret, from, bytes);
	return ompd_rc_ok;
}

static int find_lwp(const struct target *t, int64_t lwp)
{
	for (size_t i = 0; i < t->threads.len; i++) {
		if (t->threads.items[i]->lwp == lwp)
			return (int)i;
	}
	return -1;
}

static ompd_rc_t get_thread_context(struct ompd_address_space_context *space, ompd_thread_id_t kind,
				    ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
	uint64_t number = 0;
	int index = -1;

	if (!space || !id || !ret || size > sizeof(number))
		return ompd_rc_bad_input;
	memcpy(&number, id, size); /* little-endian, as everything that arch knows */
	if (kind == OMPD_THREAD_ID_PTHREAD)
		index = pthreads_find(space->pthreads, number);
	else if (kind == OMPD_THREAD_ID_LWP)
		index = find_lwp(space->target, (int64_t)number);
	else
		return ompd_rc_unsupported;
	if (index < 0)
		return ompd_rc_unavailable;
	*ret = (ompd_thread_context_t *)((uintptr_t)index + 1);
	return ompd_rc_ok;
}

const ompd_callbacks_t callbacks_table = {
	.alloc_memory = alloc_memory,
	.free_memory = free_memory,
	.print_string = print_string,
	.sizeof_type = sizeof_type,
	.symbol_addr_lookup = symbol_addr_lookup,
	.read_memory = read_memory,
	.write_memory = write_memory,
	.read_string = read_string,
	.device_to_host = copy_units,
	.host_to_device = copy_units,
	.get_thread_context_for_thread_id = get_thread_context,
};
