/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_segments: which memory of a process belongs into a core file, by core(5) and madvise(2).
 * Text in, data out.
 */
#ifndef TARGET_CORE_SEGMENTS_H
#define TARGET_CORE_SEGMENTS_H

#include "target/process/procfs.h"

struct core_segment {
	struct map map;   /* path owned                                         */
	uint64_t content; /* bytes of it that go into the file, from its start on */
	bool changed;     /* has pages that are not those of its file            */
	bool left_out;    /* by madvise(MADV_DONTDUMP), or it is a device's     */
	bool huge;        /* of hugetlbfs                                       */
};

struct core_segments {
	struct core_segment *items; /* owned */
	size_t len, cap;
};
void core_segments_fini(struct core_segments *s);

/* The text of /proc/PID/smaps, without deciding on content. BAD_DATA: it cannot be read. */
MUST_CHECK struct error *core_segments_parse(const char *smaps, struct core_segments *ret);

/*
 * Sets content, by the bits of /proc/PID/coredump_filter; the first page of a file's mapping only
 * if is_elf says that an ELF file begins there.
 */
void core_segments_choose(struct core_segments *s, unsigned long filter,
			  bool (*is_elf)(void *context, taddr at), void *context);

#endif
