/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_dispatch: what LLVM's runtime keeps of the worksharing loop that a thread is in.
 *
 * LLVM's kmp.h and kmp_dispatch.h, as from LLVM 13 on. A thread has a kmp_disp, where its
 * kmp_info_t points; no word of libompd tells where. So the pointer is recognised by what it leads
 * to.
 */
#ifndef OMPD_LIBOMP_DISPATCH_H
#define OMPD_LIBOMP_DISPATCH_H

#include <string.h>

#include "target/process/memory.h"

/* kmp_disp */
struct libomp_dispatch {
	taddr enter_ordered, leave_ordered;
	taddr shared;   /* of the loop that it is in; 0: none that is given out in chunks     */
	taddr own;      /* the same, of this thread                                      */
	taddr buffers;  /* "own" is one of them                                          */
	uint32_t index; /* loops that it has begun                                        */
	uint32_t doacross_index;
	taddr doacross_flags; /* a bit for each iteration that has been done; 0: none         */
	taddr doacross_info;  /* numbers of 8 bytes: see libomp_turns.c                       */
};

/* Bytes of what "own" points to, and places in it. */
enum {
	LIBOMP_OWN_SIZE = 192,
	LIBOMP_OWN_PARAMETERS_NARROW = 32, /* of loops with numbers of 4 bytes; in newer ones as
					      others */
	LIBOMP_OWN_PARAMETERS = 64,
	LIBOMP_OWN_SCHEDULE = 128,
	LIBOMP_OWN_TYPE_SIZE = 152,
};

/* Number n of those of "size" bytes, at most 8, that begin there. */
static inline uint64_t libomp_number_at(const uint8_t *bytes, size_t n, size_t size)
{
	uint64_t ret = 0;

	memcpy(&ret, bytes + n * size, size);
	return ret;
}

/* Whether what "d" has may be a thread's kmp_disp. own: NULL, or what it has of its loop. */
typedef bool libomp_dispatch_fits(void *context, const struct libomp_dispatch *d,
				  const uint8_t *own);

/*
 * The only kmp_disp that a kmp_info_t points to and that fits. *ret_offset: of the pointer in the
 * kmp_info_t, the same in all of them. false: there is none, or there are several.
 */
bool libomp_dispatch_find(struct memory *m, taddr info, libomp_dispatch_fits *fits, void *context,
			  taddr *ret_offset);
/* Whether the pointer at an address leads to one that fits. */
bool libomp_dispatch_at(struct memory *m, taddr at, libomp_dispatch_fits *fits, void *context);

#endif
