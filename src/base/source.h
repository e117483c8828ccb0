/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source: the text of source files, where those can be read. Nobody vouches for the files, so they
 * are opened as file_root.h says, and of each only the first 16 MiB are looked at.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include "base/buf.h"
#include "base/file_root.h"

enum { SOURCE_LINE_MAX = 200 }; /* bytes of a line; the rest of it is left out */

/*
 * Texts of files that have been read, so that many questions about one open it once: a file that
 * has been changed meanwhile is read again when the cache was told to look again.
 */
struct source_cache;

/* It borrows the root of the files. NULL: out of memory. */
struct source_cache *source_cache_new(struct file_root *root);
void source_cache_free(struct source_cache *c);

/*
 * Where files are that are not where the compiler saw them. First the paths that the rules make of
 * a name, then the name, then the same below each of the folders, then its last part in them.
 */
struct source_paths {
	struct source_rule {
		char *from, *to; /* owned; beginnings of paths that end where a part ends */
	} * rules;               /* owned */
	size_t len, cap;
	struct {
		char **items; /* owned, and what they point to */
		size_t len, cap;
	} folders;
};
void source_paths_fini(struct source_paths *p);
MUST_CHECK struct error *source_paths_add_rule(struct source_paths *p, const char *from,
					       const char *to);
/* NULL: all. false: there is none. */
bool source_paths_remove_rule(struct source_paths *p, const char *from);

/* paths: borrowed; NULL: none. */
void source_cache_set_paths(struct source_cache *c, const struct source_paths *paths);

/* The text of a file, borrowed until the next call; NULL: it cannot be read. */
const struct buf *source_cache_get(struct source_cache *c, const char *file);

/* As long as it gives the same number, what source_cache_get() gives for a file is the same text.
 */
unsigned long source_cache_changes(const struct source_cache *c);

/* From now on each file is asked for once more whether it is there and has been changed. */
void source_cache_look_again(struct source_cache *c);

/* Where a line of a text begins, from 1 on; NULL: it has fewer. */
const char *source_find(const struct buf *text, int line);

/*
 * Adds a line of a file, from 1 on, as it is, without its line end. false, and adds nothing: there
 * is none, the file cannot be read, or it is no text.
 */
bool source_cache_line(struct source_cache *c, const char *file, int line, struct buf *ret);

#endif
