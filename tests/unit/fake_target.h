/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fake_target: a target whose memory, mappings and files are what a test puts there.
 */
#ifndef UNIT_FAKE_TARGET_H
#define UNIT_FAKE_TARGET_H

#include "target/process/target.h"

struct fake_segment {
	taddr start;
	uint8_t *bytes; /* owned */
	size_t len;
};

struct fake_target {
	struct target base; /* target_free(&f->base) frees everything */
	VEC(struct fake_segment) segments;
	struct map_list maps; /* owned                                                     */
	struct buf auxv;
	uint8_t general[ARCH_GENERAL_MAX]; /* the general registers of every thread        */
	const char *open_instead; /* the file behind every mapping; "": deleted; NULL: its path */
	bool unreadable;          /* memory cannot be read (any more): see memory_flush()       */
};

/* An empty x86-64 target. Whatever fails here and below aborts the test. */
struct fake_target *fake_target_new(void);

/* Copies bytes to an address. What else is in their pages is zero. */
void fake_target_add(struct fake_target *f, taddr at, const void *bytes, size_t len);

/* The mapping is in the list of mappings; memory must be added too. */
void fake_target_add_map(struct fake_target *f, taddr start, taddr end, uint64_t offset,
			 const char *path);

/* Maps the segments of an ELF file, as the loader would, with that bias. */
void fake_target_add_file(struct fake_target *f, const char *path, taddr bias);

#endif
