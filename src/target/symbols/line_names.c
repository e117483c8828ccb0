/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/line_names.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum {
	PATH_LEN_MAX = 8192, /* of a source file      */
	FILES_MAX = 65536,
};

struct name {
	const char *text; /* borrowed; NULL: none */
	uint64_t directory;
};

static const char *string_at(struct cursor section, uint64_t offset)
{
	return cursor_take(&section, offset) ? cursor_string(&section) : NULL;
}

/* A value of a header entry: a string or a number. false: a form that is not known here. */
static bool read_form(const struct line_names *n, struct cursor *c, uint64_t form,
		      const char **ret_text, uint64_t *ret_number)
{
	static const uint8_t number_sizes[] = {
		[DW_FORM_data1] = 1, [DW_FORM_data2] = 2, [DW_FORM_data4] = 4, [DW_FORM_data8] = 8
	};
	const struct line_sections *s = n->sections;

	if (form < sizeof(number_sizes) && number_sizes[form]) {
		*ret_number = cursor_uint(c, number_sizes[form]);
		return true;
	}
	switch (form) {
	case DW_FORM_string:
		*ret_text = cursor_string(c);
		return true;
	case DW_FORM_line_strp:
		*ret_text = string_at(s->line_str, cursor_uint(c, n->offset_size));
		return true;
	case DW_FORM_strp:
		*ret_text = string_at(s->str, cursor_uint(c, n->offset_size));
		return true;
	case DW_FORM_udata:
		*ret_number = cursor_uleb128(c);
		return true;
	case DW_FORM_data16: /* checksums */
		cursor_take(c, 16);
		return true;
	case DW_FORM_block:
		cursor_take(c, cursor_uleb128(c));
		return true;
	default:
		return false;
	}
}

/* Section 6.2.4.1: an entry as its format says. */
static struct name read_entry(const struct line_names *n, const struct cursor *format,
			      struct cursor *c)
{
	struct cursor pairs = *format;
	struct name name = { 0 };

	while (cursor_left(&pairs)) {
		uint64_t content = cursor_uleb128(&pairs);
		uint64_t form = cursor_uleb128(&pairs), number = 0;
		const char *text = NULL;
		if (!read_form(n, c, form, &text, &number)) {
			c->bad = true;
			break;
		}
		if (content == DW_LNCT_path)
			name.text = text;
		else if (content == DW_LNCT_directory_index)
			name.directory = number;
	}
	return name;
}

/* The same in versions 2 to 4; an empty name ends the list. Directories are names only. */
static struct name read_old_entry(struct cursor *c, bool is_file)
{
	struct name name = { .text = cursor_string(c) };

	if (!name.text || !*name.text)
		return (struct name){ 0 };
	if (is_file) {
		name.directory = cursor_uleb128(c);
		cursor_uleb128(c); /* time   */
		cursor_uleb128(c); /* length */
	}
	return name;
}

/* Reads the head of a list and passes over its entries. */
static struct line_name_list read_list(const struct line_names *n, struct cursor *c)
{
	struct line_name_list list = { 0 };
	unsigned int pairs = (unsigned int)cursor_uint(c, 1);

	list.format = *c;
	for (unsigned int i = 0; i < 2 * pairs; i++)
		cursor_uleb128(c);
	list.format.end = c->p;
	list.n = cursor_uleb128(c);
	list.entries = *c;
	/* Each entry takes at least a byte, so a wrong count ends with the data. */
	for (uint64_t i = 0; pairs && i < list.n && !c->bad; i++)
		read_entry(n, &list.format, c);
	return list;
}

static struct line_name_list read_old_list(struct cursor *c, bool is_file)
{
	struct line_name_list list = { .entries = *c };

	while (read_old_entry(c, is_file).text && !c->bad)
		list.n++;
	return list;
}

/* The next entry of a list. false: it has ended. */
static bool next_name(const struct line_names *n, const struct line_name_list *list,
		      struct cursor *c, struct name *ret)
{
	*ret = n->version >= 5 ? read_entry(n, &list->format, c)
			       : read_old_entry(c, list == &n->files);
	return !c->bad && (ret->text || n->version >= 5);
}

static struct name find_name(const struct line_names *n, const struct line_name_list *list,
			     uint64_t index)
{
	struct cursor c = list->entries;
	struct name name = { 0 };

	if (n->version < 5 && index-- == 0) /* counted from 1 */
		return name;
	if (n->version >= 5 && (index >= list->n || !cursor_left(&list->format)))
		return name;
	while (next_name(n, list, &c, &name)) {
		if (index-- == 0)
			return name;
	}
	return (struct name){ 0 };
}

static const char *find_directory(const struct line_names *n, uint64_t index)
{
	if (n->version < 5 && index == 0)
		return n->directory;
	return find_name(n, &n->directories, index).text;
}

/* Where the unit was compiled / the directory of the file / the file, from the last root on. */
static char *make_path(const struct line_names *n, uint64_t file)
{
	struct name name = find_name(n, &n->files, file);
	const char *parts[] = {
		n->directory,
		n->version >= 5 ? find_directory(n, 0) : NULL,
		name.directory ? find_directory(n, name.directory) : NULL,
		name.text,
	};
	AUTO_BUF path = { 0 };

	for (size_t i = 0; name.text && i < sizeof(parts) / sizeof(*parts); i++) {
		if (!parts[i] || !*parts[i] ||
		    (i == 1 && n->directory && !strcmp(parts[1], n->directory)))
			continue;
		if (strnlen(parts[i], PATH_LEN_MAX) == PATH_LEN_MAX)
			return NULL;
		if (parts[i][0] == '/')
			path.len = 0;
		buf_addf(&path, "%s%s", path.len ? "/" : "", parts[i]);
	}
	return buf_ok(&path) ? TAKE(path.data) : NULL;
}

const char *line_names_path(struct line_names *n, uint64_t file)
{
	vec_for_each (path, &n->paths) {
		if (path->file == file)
			return path->text;
	}
	AUTO_FREE char *text = make_path(n, file);
	if (!vec_push(&n->paths, (struct line_path){ file, text }))
		return NULL;
	return TAKE(text);
}

uint64_t line_names_count(const struct line_names *n)
{
	uint64_t count = n->version >= 5 ? n->files.n : n->files.n + 1;

	return count < FILES_MAX ? count : FILES_MAX;
}

bool line_names_have(const struct line_names *n, const char *name)
{
	struct cursor c = n->files.entries;
	size_t len = strlen(name);
	struct name file;

	for (uint64_t i = 0; i < n->files.n && next_name(n, &n->files, &c, &file); i++) {
		size_t its = file.text ? strlen(file.text) : 0;
		if (its >= len && its && !strcmp(file.text + its - len, name) &&
		    (its == len || file.text[its - len - 1] == '/'))
			return true;
	}
	return false;
}

void line_names_read(struct line_names *n, struct cursor *c)
{
	n->directories = n->version >= 5 ? read_list(n, c) : read_old_list(c, false);
	n->files = n->version >= 5 ? read_list(n, c) : read_old_list(c, true);
}

void line_names_fini(struct line_names *n)
{
	vec_for_each (path, &n->paths)
		free(path->text);
	vec_fini(&n->paths);
}
