/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/client.h"

static ompd_callbacks_t client;

ompd_rc_t gomp_client_set(const ompd_callbacks_t *callbacks)
{
	if (!callbacks || !callbacks->alloc_memory || !callbacks->free_memory ||
	    !callbacks->read_memory || !callbacks->symbol_addr_lookup)
		return ompd_rc_bad_input;
	client = *callbacks;
	return ompd_rc_ok;
}

void gomp_client_clear(void)
{
	client = (ompd_callbacks_t){ 0 };
}

bool gomp_client_ready(void)
{
	return client.read_memory;
}

void *gomp_client_alloc(uint64_t nbytes)
{
	void *memory = NULL;

	if (!gomp_client_ready() || client.alloc_memory(nbytes, &memory) != ompd_rc_ok || !memory)
		return NULL;
	return memset(memory, 0, nbytes);
}

void gomp_client_free(void *memory)
{
	if (memory && gomp_client_ready())
		client.free_memory(memory);
}

ompd_rc_t gomp_client_copy(const char *text, const char **ret)
{
	size_t size = strlen(text) + 1;
	void *copy = gomp_client_alloc(size);

	if (!copy)
		return ompd_rc_nomem;
	*ret = memcpy(copy, text, size);
	return ompd_rc_ok;
}

void gomp_client_print(const char *text)
{
	if (client.print_string)
		client.print_string(text, 0);
}

ompd_rc_t gomp_client_read(ompd_address_space_context_t *context, uint64_t from, void *ret,
			   uint64_t len)
{
	ompd_address_t address = { OMPD_SEGMENT_UNSPECIFIED, from };

	if (!gomp_client_ready() || from + len < from)
		return ompd_rc_error;
	return client.read_memory(context, NULL, &address, len, ret) == ompd_rc_ok
		       ? ompd_rc_ok
		       : ompd_rc_callback_error;
}

ompd_rc_t gomp_client_symbol(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const char *name, uint64_t *ret)
{
	ompd_address_t address = { OMPD_SEGMENT_UNSPECIFIED, 0 };

	if (!gomp_client_ready())
		return ompd_rc_error;
	if (client.symbol_addr_lookup(context, th, name, &address, NULL) != ompd_rc_ok ||
	    !address.address)
		return ompd_rc_unavailable;
	*ret = address.address;
	return ompd_rc_ok;
}

ompd_rc_t gomp_client_check(ompd_address_space_context_t *context)
{
	ompd_device_type_sizes_t sizes = { 0 };

	if (!client.sizeof_type)
		return ompd_rc_ok;
	if (client.sizeof_type(context, &sizes) != ompd_rc_ok)
		return ompd_rc_bad_input;
	return sizes.sizeof_pointer == 8 && sizes.sizeof_int == 4 ? ompd_rc_ok
								  : ompd_rc_incompatible;
}

ompd_rc_t gomp_client_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind,
			     uint64_t sizeof_id, const void *id, ompd_thread_context_t **ret)
{
	ompd_thread_context_t *th = NULL;

	if (!client.get_thread_context_for_thread_id)
		return ompd_rc_unsupported;
	if (client.get_thread_context_for_thread_id(context, kind, sizeof_id, id, &th) !=
		    ompd_rc_ok ||
	    !th)
		return ompd_rc_unavailable;
	*ret = th;
	return ompd_rc_ok;
}
