/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Client: the debugger that uses this provider, seen through its callbacks.
 *
 * The callback table is the only state that is not part of a handle. All memory comes from the
 * client's allocator. Targets are x86-64 processes, so bytes are read as they are and taken apart
 * as little-endian here: one callback for a whole structure instead of one for each word.
 */
#ifndef OMPD_GOMP_CLIENT_H
#define OMPD_GOMP_CLIENT_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ompd/client/ompd_abi.h"

/* Copies the table. BAD_INPUT: a callback is missing without which nothing works. */
ompd_rc_t gomp_client_set(const ompd_callbacks_t *callbacks);
void gomp_client_clear(void);
bool gomp_client_ready(void);

/* Zeroed memory; the caller owns it. NULL: there is none. */
void *gomp_client_alloc(uint64_t nbytes);
void gomp_client_free(void *memory);
/* A copy of a string, which the client will own. */
ompd_rc_t gomp_client_copy(const char *text, const char **ret);
void gomp_client_print(const char *text);

/* All of len bytes, or an error. */
ompd_rc_t gomp_client_read(ompd_address_space_context_t *context, uint64_t from, void *ret,
			   uint64_t len);
/* th: whose copy of a thread-local symbol; else NULL. UNAVAILABLE: no such symbol. */
ompd_rc_t gomp_client_symbol(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const char *name, uint64_t *ret);
/*
 * The target has 8-byte pointers and 4-byte ints, as far as the client says. INCOMPATIBLE: others.
 * BAD_INPUT: the client itself does not know that context.
 */
ompd_rc_t gomp_client_check(ompd_address_space_context_t *context);
ompd_rc_t gomp_client_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind,
			     uint64_t sizeof_id, const void *id, ompd_thread_context_t **ret);

static inline uint64_t gomp_u64(const uint8_t *bytes)
{
	uint64_t v;

	memcpy(&v, bytes, sizeof(v));
	return le64toh(v);
}

static inline uint32_t gomp_u32(const uint8_t *bytes)
{
	uint32_t v;

	memcpy(&v, bytes, sizeof(v));
	return le32toh(v);
}

static inline uint16_t gomp_u16(const uint8_t *bytes)
{
	return (uint16_t)(bytes[0] | bytes[1] << 8);
}

#endif
