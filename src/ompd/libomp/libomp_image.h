/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_image: a copy of the variables of a libomp in the target's memory, and what the code of
 * its exported functions tells of them.
 *
 * x86-64 only: of code, instructions that address memory relative to the instruction pointer are
 * recognised by their bytes. What is found so is a guess until values verify it.
 */
#ifndef OMPD_LIBOMP_IMAGE_H
#define OMPD_LIBOMP_IMAGE_H

#include "ompd/picture/runtime.h"

struct libomp_image {
	uint8_t *bytes; /* owned; copy of memory from start on, zero where it cannot be read  */
	taddr start;    /* a multiple of 8                                                */
	size_t size;    /* a multiple of 8; 0: it makes no sense as an ELF image            */
	taddr writable, writable_end; /* all that it can write; may be more than the copy, if libomp
					 is part of a program with large arrays */
	taddr relro, relro_end;       /* pointers that the dynamic linker has set              */
	taddr tls;                    /* initial contents of its thread-local variables       */
	uint64_t tls_size;            /* bytes                                                  */
	struct target *target;        /* borrowed */
	const struct module_list *modules; /* borrowed */
	const struct runtime *runtime;     /* borrowed */
};

/* The target must be stopped. Errors only for lack of memory. */
MUST_CHECK struct error *libomp_image_read(const struct runtime_list *runtimes,
					   const struct runtime *runtime, struct libomp_image *ret);
void libomp_image_fini(struct libomp_image *i);

/* All of the object is in what the runtime can write. */
bool libomp_image_has(const struct libomp_image *i, taddr addr, size_t size);

/* A little-endian number of size 1, 2, 4 or 8, from anywhere in the target. */
bool libomp_image_uint(const struct libomp_image *i, taddr from, size_t size, uint64_t *ret);

/* The address could be one that malloc() gave: aligned, and in no module. */
bool libomp_image_is_heap(const struct libomp_image *i, taddr addr);

/*
 * The variables of the runtime that an exported function uses, in the order in which it does so
 * first. Returns how many, at most "most"; 0 if there is no such function.
 */
size_t libomp_image_variables(const struct libomp_image *i, const char *function, taddr *ret,
			      size_t most);

/*
 * The constant string that begins with "text", without that, as far as it fits into size bytes with
 * a NUL. false: there is none.
 */
bool libomp_image_constant(const struct libomp_image *i, const char *text, char *ret, size_t size);

#endif
