/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fake libgomp: a process that consists of a libgomp, as the provider sees it through callbacks.
 *
 * Its accessors are those of real libraries, byte by byte at their addresses: stock ones of Debian
 * (GCC 10.2.1, 12.2.0, 14.2.0, 16.2.0) and one built from GCC 11.3.0's sources. Version nodes are
 * the test's to choose.
 */
#ifndef UNIT_FAKE_LIBGOMP_H
#define UNIT_FAKE_LIBGOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompd/client/ompd_abi.h"

struct fake_code {
	const char *name; /* NULL ends a table */
	uint64_t address; /* in the file       */
	const char *hex;
};

struct fake_release {
	int version;      /* of GCC                           */
	const char *node; /* that came with it                */
	const struct fake_code *code;
	uint64_t slot;              /* GOT entry with gomp_tls_data's offset */
	uint64_t icv, default_lock; /* where variables are              */
};

enum { FAKE_NUM_RELEASES = 5 };
extern const struct fake_release fake_releases[FAKE_NUM_RELEASES];

enum { FAKE_IMAGE = 1 << 19, FAKE_TPOFF = -0x90 };
#define FAKE_BASE 0x7f0000000000ULL

struct fake_libgomp {
	const struct fake_release *release;
	uint8_t image[FAKE_IMAGE]; /* at FAKE_BASE */
	uint64_t reads;
	const char *missing; /* this symbol is not there */
	/* Other memory; false: there is none at that address. NULL: none at all. */
	bool (*read)(void *context, uint64_t from, void *ret, size_t len);
	void *context;
};

/* nodes: the names of all version nodes, NULL ends; NULL: none, as in a static executable. */
void fake_libgomp_init(struct fake_libgomp *f, const struct fake_release *release,
		       const char *const *nodes);

/* The callbacks; a context is a fake_libgomp. */
const ompd_callbacks_t *fake_libgomp_callbacks(void);
/* Pieces of memory that the provider has and nobody has given back. */
long fake_libgomp_live_memory(void);

#endif
