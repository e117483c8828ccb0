/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_segments.h"

#include <stdlib.h>
#include <string.h>

#include "target/process/memory.h"

void core_segments_fini(struct core_segments *s)
{
	vec_for_each (segment, s)
		free(segment->map.path);
	vec_fini(s);
}

/* The rest of a line that begins with a name; NULL: it is another one. */
static const char *value_of(const char *line, const char *name)
{
	size_t len = strlen(name);

	return strncmp(line, name, len) ? NULL : line + len;
}

/* "VmFlags: rd wr mr dd": whether one of them is there. */
static bool has_flag(const char *flags, size_t len, const char *flag)
{
	for (size_t i = 0; i + 2 < len; i++) {
		if (flags[i] == ' ' && flags[i + 1] == flag[0] && flags[i + 2] == flag[1])
			return true;
	}
	return false;
}

static void read_detail(struct core_segment *s, const char *line, size_t len)
{
	const char *value = value_of(line, "Anonymous:");

	if (value)
		s->changed = strtoull(value, NULL, 10) > 0;
	value = value_of(line, "VmFlags:");
	if (!value)
		return;
	size_t left = len - (size_t)(value - line);
	s->left_out = has_flag(value, left, "dd") || has_flag(value, left, "io");
	s->huge = has_flag(value, left, "ht");
}

/* Details begin with a capital letter, mappings with a hexadecimal digit in lower case. */
static bool is_mapping(const char *line)
{
	return strchr("0123456789abcdef", *line);
}

static struct error *add_mapping(struct core_segments *s, const char *line, size_t len)
{
	AUTO(map_list_fini) struct map_list maps = { 0 };
	AUTO_BUF text = { 0 };

	buf_add(&text, line, len);
	if (!buf_ok(&text))
		return &error_nomem;
	struct error *err = procfs_parse_maps(buf_text(&text), false, &maps);
	if (err || !maps.len)
		return err;
	if (!vec_push(s, (struct core_segment){ .map = maps.items[0] }))
		return &error_nomem;
	maps.len = 0; /* its path is the segment's */
	return NULL;
}

struct error *core_segments_parse(const char *smaps, struct core_segments *ret)
{
	struct core_segments s = { 0 };
	struct error *err = NULL;

	for (const char *line = smaps; *line && !err;) {
		const char *end = strchrnul(line, '\n');
		size_t len = (size_t)(end - line);
		if (is_mapping(line))
			err = add_mapping(&s, line, len);
		else if (s.len)
			read_detail(&s.items[s.len - 1], line, len);
		line = *end ? end + 1 : end;
	}
	if (err)
		core_segments_fini(&s);
	else
		*ret = s;
	return err;
}

/* Bits of coredump_filter: core(5). */
enum {
	FILTER_PRIVATE = 1 << 0,
	FILTER_SHARED = 1 << 1,
	FILTER_FILE_PRIVATE = 1 << 2,
	FILTER_FILE_SHARED = 1 << 3,
	FILTER_ELF_HEADERS = 1 << 4,
	FILTER_HUGE_PRIVATE = 1 << 5,
	FILTER_HUGE_SHARED = 1 << 6,
};

/* Which bit asks for the whole of a segment. */
static unsigned long bit_of(const struct core_segment *s)
{
	bool shared = s->map.flags & MAP_SHARED_, file = s->map.inode && !s->changed;

	if (s->huge)
		return shared ? FILTER_HUGE_SHARED : FILTER_HUGE_PRIVATE;
	if (shared) /* what has no name any longer is a memory of its own: shmem, memfd */
		return s->map.flags & MAP_DELETED ? FILTER_SHARED : FILTER_FILE_SHARED;
	return file ? FILTER_FILE_PRIVATE : FILTER_PRIVATE;
}

void core_segments_choose(struct core_segments *s, unsigned long filter,
			  bool (*is_elf)(void *context, taddr at), void *context)
{
	vec_for_each (segment, s) {
		const struct map *m = &segment->map;
		bool is_vdso = !strcmp(m->path, "[vdso]");
		segment->content = 0;
		if (segment->left_out && !is_vdso)
			continue;
		if (is_vdso || (m->flags & MAP_READ && filter & bit_of(segment)))
			segment->content = m->end - m->start;
		else if (filter & FILTER_ELF_HEADERS && m->flags & MAP_READ && m->inode &&
			 !m->offset && is_elf(context, m->start))
			segment->content = MEMORY_PAGE;
	}
}
