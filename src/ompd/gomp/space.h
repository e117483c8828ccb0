/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Space: the handle of an address space, which is one copy of libgomp in one process or core file.
 *
 * All that does not change while the process lives is found when the handle is made: which libgomp
 * it is, and where gomp_thread is from a thread pointer. Which copy it is follows from the client's
 * symbol look-ups in that context.
 *
 * Every other handle belongs to a space and keeps it in memory. Released spaces answer nothing:
 * handles that outlive theirs are stale.
 */
#ifndef OMPD_GOMP_SPACE_H
#define OMPD_GOMP_SPACE_H

#include "ompd/gomp/client.h"
#include "ompd/gomp/facts.h"
#include "ompd/gomp/layout.h"
#include "ompd/gomp/types.h"

/* The first member of each handle: what it is, and whether it is one at all. */
struct gomp_handle {
	uint32_t magic;
	ompd_address_space_handle_t *space; /* of a space: itself */
	uint64_t address; /* in the target, of what the handle stands for: what is compared */
};

enum {
	GOMP_MAGIC_SPACE = 0x676f5350,
	GOMP_MAGIC_THREAD = 0x676f5448,
	GOMP_MAGIC_PARALLEL = 0x676f5041,
	GOMP_MAGIC_TASK = 0x676f544b,
};

struct ompd_address_space_handle {
	struct gomp_handle head;
	bool released;
	uint32_t handles;                      /* that belong to it                      */
	ompd_address_space_context_t *context; /* borrowed                               */
	const struct gomp_layout *layout;      /* NULL: unknown libgomp                  */
	struct gomp_release release;
	int64_t tpoff; /* gomp_thread, from the thread pointer   */
	struct gomp_facts facts;
};

/*
 * BAD_INPUT, CALLBACK_ERROR: the client does not know that context, or has no memory of it.
 * INCOMPATIBLE: no libgomp, or no 64-bit process. UNAVAILABLE: the dynamic linker has not relocated
 * it yet. An unknown libgomp gives a handle without a layout, so that one can ask why.
 */
ompd_rc_t gomp_space_new(ompd_address_space_context_t *context, ompd_address_space_handle_t **ret);
/* Lets go of the handle; its memory goes with the last handle that belongs to it. */
void gomp_space_release(ompd_address_space_handle_t *space);

/* Whether it is a handle of this kind that has not been released; its space may have been. */
bool gomp_space_is_handle(const void *handle, uint32_t magic);
/* STALE_HANDLE: it is none of this kind, or has been released, or its space has. */
ompd_rc_t gomp_space_check(const void *handle, uint32_t magic);
/* As before; and INCOMPATIBLE: its libgomp is unknown. */
ompd_rc_t gomp_space_check_known(const void *handle, uint32_t magic);

/* A zeroed handle of "size" bytes that belongs to the space, and its end. NULL: no memory. */
void *gomp_space_new_handle(ompd_address_space_handle_t *space, uint32_t magic, size_t size,
			    uint64_t address);
void gomp_space_free_handle(void *handle);

/* The version of OpenMP that this libgomp says it has, as in the macro _OPENMP. */
ompd_word_t gomp_space_omp_version(const ompd_address_space_handle_t *space);

static inline ompd_rc_t gomp_space_read(const ompd_address_space_handle_t *space, uint64_t from,
					void *ret, uint64_t len)
{
	return gomp_client_read(space->context, from, ret, len);
}

ompd_rc_t gomp_space_read_word(const ompd_address_space_handle_t *space, uint64_t from,
			       uint64_t *ret);

/* The value of one of libgomp's variables. UNAVAILABLE: where it is is not known. */
ompd_rc_t gomp_space_variable(const ompd_address_space_handle_t *space, enum gomp_static which,
			      uint64_t *ret);

#endif
