/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Build-id: the identity of an ELF file (NT_GNU_BUILD_ID), read from an image or from a file.
 */
#ifndef TARGET_BUILD_ID_H
#define TARGET_BUILD_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BUILD_ID_MAX = 64, BUILD_ID_HEX = 2 * BUILD_ID_MAX + 1 };

struct build_id {
	size_t len; /* 0: none */
	uint8_t bytes[BUILD_ID_MAX];
	uint64_t at; /* where the reader has them */
};

/* Reads exactly len bytes at a place; false: they are not there. */
typedef bool build_id_reader(void *context, uint64_t from, void *ret, size_t len);

/*
 * The build-id among the PT_NOTE segments of the ELF image that begins at "base" for the
 * reader. in_memory: segments lie at their p_vaddr relative to the image's first page, else at
 * their p_offset (a file); a file's note sections are looked at too. No build-id, or no 64-bit
 * little-endian ELF: len 0.
 */
void build_id_read(build_id_reader *read, void *context, uint64_t base, bool in_memory,
		   struct build_id *ret);

/* The same of an open file. */
void build_id_of_file(int fd, struct build_id *ret);

/* Its digits, as they are written everywhere. */
void build_id_hex(const struct build_id *id, char ret[BUILD_ID_HEX]);

/* Two that are absent are equal. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

#endif
