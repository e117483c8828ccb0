/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_image: a core file as ELF: its header, its notes as bytes, and the memory in it.
 *
 * The file is read with pread(2), never mapped: a file that somebody cuts short must not kill
 * ompdb. What its headers claim is checked against its size, so that memory used for it is in
 * proportion to the file.
 */
#ifndef TARGET_CORE_IMAGE_H
#define TARGET_CORE_IMAGE_H

#include <time.h>

#include "target/core/core_notes.h"

/* A PT_LOAD segment: memory that the process had, in the file or not. */
struct core_segment {
	taddr start;
	uint64_t size;   /* start + size does not wrap around                             */
	uint64_t filled; /* bytes that the writer put into the file, at most size         */
	uint64_t offset; /* of these in the file                                          */
	bool writable, executable;
};

struct core_note_segment {
	uint64_t offset, size; /* in the file */
};

struct core_image {
	char *path;              /* owned                              */
	int fd;                  /* owned                              */
	uint64_t size;           /* of the file                        */
	struct timespec written; /* when it was                        */
	const struct arch *arch;
	VEC(struct core_segment) segments; /* sorted, without overlaps */
	VEC(struct core_note_segment) notes;
	uint64_t end;        /* of the last segment: the size the file should have */
	uint8_t *note_bytes; /* owned; what core_image_notes() read */
};

/*
 * Opens a core file and reads its headers; errors as core_open(). im is zero but for its fd, -1.
 * The caller closes it also after an error.
 */
MUST_CHECK struct error *core_image_open(struct core_image *im, const char *path);
void core_image_close(struct core_image *im);

/* Reads and parses all notes; ret borrows from im. */
MUST_CHECK struct error *core_image_notes(struct core_image *im, struct core_notes *ret);

/* Where the memory of a page is. */
enum core_place {
	CORE_HELD,    /* all of it in the core file                                          */
	CORE_MIXED,   /* a segment or its part in the file begins or ends in it              */
	CORE_OMITTED, /* the writer left it out, or there was no such memory                 */
	CORE_LOST,    /* it was in the file, which is truncated                              */
};

/* The pages from one on that are all in the same place. */
struct core_run {
	enum core_place place;
	bool writable; /* CORE_OMITTED and CORE_MIXED: the program could write to it */
	uint64_t len;  /* bytes, whole pages, never 0                                */
};

struct core_run core_image_run(const struct core_image *im, taddr page);

/* Copies what the core holds of a page over "bytes". HELD: something, OMITTED: nothing, or LOST. */
enum core_place core_image_overlay(const struct core_image *im, taddr page, uint8_t *bytes);

/* Reads exactly len bytes that the core holds, over segment borders; false: it does not. */
bool core_image_read(const struct core_image *im, taddr from, void *ret, size_t len);

/* Reads up to len bytes from the start of a CORE_HELD run on; less: the file got shorter. */
size_t core_image_read_some(const struct core_image *im, taddr from, void *ret, size_t len);

/* The segment that has addr; NULL: none. */
const struct core_segment *core_image_find(const struct core_image *im, taddr addr);

#endif
