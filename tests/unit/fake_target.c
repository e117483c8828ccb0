/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake_target.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Not ck_assert(), which counts as a check of the test. */
static void must(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "fake target: %s\n", what);
	abort();
}

static struct fake_target *fake_of(struct target *t)
{
	return (struct fake_target *)t;
}

static void fake_free(struct target *t)
{
	struct fake_target *f = fake_of(t);

	target_fini(t);
	vec_for_each (segment, &f->segments)
		free(segment->bytes);
	vec_fini(&f->segments);
	map_list_fini(&f->maps);
	buf_fini(&f->auxv);
	free(f);
}

/* Copies what a segment has of a page. false: nothing. */
static bool copy_part(const struct fake_segment *s, taddr page, uint8_t *ret)
{
	taddr start = page > s->start ? page : s->start;
	taddr end = s->start + s->len;

	end = end < page + MEMORY_PAGE ? end : page + MEMORY_PAGE;
	if (start >= end)
		return false;
	memcpy(ret + (start - page), s->bytes + (start - s->start), end - start);
	return true;
}

static size_t fake_read(void *context, taddr from, void *ret, size_t len)
{
	struct fake_target *f = context;
	size_t done = 0;

	for (; !f->unreadable && done < len; done += MEMORY_PAGE) {
		uint8_t *page = (uint8_t *)ret + done;
		bool any = false;
		memset(page, 0, MEMORY_PAGE);
		vec_for_each (segment, &f->segments)
			any |= copy_part(segment, from + done, page);
		if (!any)
			break;
	}
	return done;
}

static struct error *fake_get_regset(struct target *t, struct thread *th, enum regset set,
				     void *ret, size_t *len)
{
	(void)th;
	if (set != REGSET_GENERAL || *len < t->arch->general_size)
		return error_new(ERROR_UNSUPPORTED, "a fake has general registers only");
	*len = t->arch->general_size;
	memcpy(ret, fake_of(t)->general, *len);
	return NULL;
}

static struct error *fake_maps(struct target *t, struct map_list *ret)
{
	const struct map_list *maps = &fake_of(t)->maps;

	for (size_t i = 0; i < maps->len; i++) {
		struct map map = maps->items[i];
		map.path = strdup(map.path);
		if (!map.path || !vec_push(ret, map))
			return &error_nomem;
	}
	return NULL;
}

static struct error *fake_auxv(struct target *t, struct buf *ret)
{
	buf_add(ret, fake_of(t)->auxv.data, fake_of(t)->auxv.len);
	return buf_ok(ret) ? NULL : &error_nomem;
}

static struct error *fake_open_file(struct target *t, const struct map *map, struct file *ret)
{
	const char *instead = fake_of(t)->open_instead;
	const char *path = instead ? instead : map->path;

	if (!*path)
		return error_new(ERROR_NOT_FOUND, "file is deleted");
	return file_open(path, ret);
}

static void fake_thread_name(struct target *t, struct thread *th, char ret[64])
{
	(void)t, (void)th;
	strcpy(ret, "fake");
}

static const struct target_ops fake_ops = {
	.name = "fake",
	.free = fake_free,
	.read = fake_read,
	.get_regset = fake_get_regset,
	.maps = fake_maps,
	.auxv = fake_auxv,
	.open_file = fake_open_file,
	.check_own = target_nothing_to_do,
	.check_paths = target_nothing_to_do,
	.stop_all = target_nothing_to_do,
	.thread_name = fake_thread_name,
	.visit = target_just_look,
	.attach = target_nothing_to_do,
	.detach = target_nothing_to_do,
};

struct fake_target *fake_target_new(void)
{
	struct fake_target *f = calloc(1, sizeof(*f));

	must(f, "out of memory");
	f->base.arch = &arch_x86_64;
	must(!target_init(&f->base, &fake_ops), "out of memory");
	return f;
}

void fake_target_add(struct fake_target *f, taddr at, const void *bytes, size_t len)
{
	struct fake_segment segment = { .start = at, .bytes = malloc(len + 1), .len = len };

	must(segment.bytes, "out of memory");
	memcpy(segment.bytes, bytes, len);
	must(vec_push(&f->segments, segment), "out of memory");
	memory_flush(f->base.memory);
}

static int by_start(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void fake_target_add_map(struct fake_target *f, taddr start, taddr end, uint64_t offset,
			 const char *path)
{
	struct map map = { .start = start,
			   .end = end,
			   .offset = offset,
			   .flags = MAP_READ | MAP_EXEC,
			   .path = strdup(path) };

	must(map.path && vec_push(&f->maps, map), "out of memory");
	qsort(f->maps.items, f->maps.len, sizeof(map), by_start);
}

void fake_target_add_file(struct fake_target *f, const char *path, taddr bias)
{
	enum { FILE_MAX = 64 << 20 };
	AUTO_FREE char *absolute = realpath(path, NULL);
	AUTO_BUF file = { 0 };
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	struct error *err = buf_add_file(&file, path, FILE_MAX);
	must(absolute && !err, err ? error_message(err) : path);
	must(file.len >= sizeof(eh), path);
	memcpy(&eh, file.data, sizeof(eh));
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		memcpy(&ph, file.data + eh.e_phoff + i * sizeof(ph), sizeof(ph));
		if (ph.p_type != PT_LOAD)
			continue;
		/* mmap(2) maps whole pages, so a segment shows its neighbours in the file too. */
		uint64_t skew = ph.p_offset % MEMORY_PAGE;
		uint64_t size = ph.p_filesz + skew;
		uint64_t pages = (size + MEMORY_PAGE - 1) / MEMORY_PAGE * MEMORY_PAGE;
		taddr start = bias + ph.p_vaddr - skew;
		fake_target_add(f, start, file.data + ph.p_offset - skew, size);
		fake_target_add_map(f, start, start + pages, ph.p_offset - skew, absolute);
	}
}
