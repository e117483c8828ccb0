/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_files: the files that a core's process had mapped, as they are on this machine now.
 *
 * A core leaves out what a file holds as well. Such a file is believed only if it is the one that
 * was mapped: its build-id is the one in the core's memory, or the core shows none and the
 * file has not been written to since the core was. Each file is opened once, when it is first
 * needed; a refusal is remembered.
 */
#ifndef TARGET_CORE_FILES_H
#define TARGET_CORE_FILES_H

#include "base/file_root.h"
#include "target/core/core_image.h"

struct core_file; /* private to core_files.c */

struct core_files {
	const struct core_image *image; /* borrowed                                    */
	const struct map_list *maps;    /* borrowed                                    */
	struct file_root *root;         /* borrowed                                    */
	const char *search_path;        /* borrowed; as core_places has it; or NULL    */
	struct file_root *search_root;  /* borrowed; in which that is                  */
	const struct map **by_path;     /* owned; the maps, those of one file together */
	struct core_file *items;        /* owned; sorted by path                       */
	size_t len;
};

/* Opens nothing yet. All are borrowed; image and maps do not change any more. */
MUST_CHECK struct error *core_files_init(struct core_files *f, const struct core_image *image,
					 const struct map_list *maps, struct file_root *root);
void core_files_fini(struct core_files *f);

/* Only what is opened from now on. Both are borrowed. */
void core_files_search(struct core_files *f, struct file_root *root, const char *search_path);

/*
 * From now on the file at path stands for the file of a map, the program's. BAD_DATA: it has
 * another build-id than the core shows; NOT_FOUND, UNSUPPORTED: no such file, no ELF file.
 */
MUST_CHECK struct error *core_files_set_program(struct core_files *f, const struct map *map,
						const char *path);

/* As memory_source in memory.h. */
size_t core_files_read(struct core_files *f, taddr from, void *ret, size_t len);

/* Opens the file of a map; the error says why it is not to be had. *ret is the caller's. */
MUST_CHECK struct error *core_files_open(struct core_files *f, const struct map *map,
					 struct file *ret);

#endif
