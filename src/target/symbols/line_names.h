/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Line_names: the files of a line table, as its header lists them (DWARF 5, section 6.2.4).
 */
#ifndef TARGET_LINE_NAMES_H
#define TARGET_LINE_NAMES_H

#include "base/buf.h"
#include "base/cursor.h"

/* Sections of the file; their bytes must outlive the tables. Missing ones are empty. */
struct line_sections {
	struct cursor line, line_str, str;
};

/* A list of directories or files in the header. */
struct line_name_list {
	struct cursor format; /* version 5: pairs of content and form; else empty */
	struct cursor entries;
	uint64_t n; /* version 5: as it claims */
};

/* A path that was asked for. */
struct line_path {
	uint64_t file;
	char *text; /* owned; NULL: no such file */
};

struct line_names {
	const struct line_sections *sections; /* borrowed                                     */
	const char *directory;                /* borrowed; where the unit was compiled, or NULL */
	unsigned int version, offset_size;    /* of the header                                */
	struct line_name_list directories, files;
	VEC(struct line_path) paths; /* owned, and their texts */
};

/* Reads the lists at c, which then stands behind them, or is bad. The members before are set. */
void line_names_read(struct line_names *n, struct cursor *c);
void line_names_fini(struct line_names *n);

/* As line_table_file(), line_table_files() and line_table_names(). */
const char *line_names_path(struct line_names *n, uint64_t file);
uint64_t line_names_count(const struct line_names *n);
bool line_names_have(const struct line_names *n, const char *name);

#endif
