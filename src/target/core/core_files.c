/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_files.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/sorted.h"
#include "target/elf/build_id.h"
#include "target/elf/elf_header.h"
#include "target/process/memory.h"

enum { PHDRS_MAX = 128 };

struct core_file {
	struct error *refusal;   /* owned; why it is not used, NULL: it is, or was not tried  */
	struct file file;        /* owned; its fd -1: not open                                */
	const struct map **maps; /* borrowed; its nmaps maps, by address                      */
	size_t nmaps;
};

static bool is_deleted(const struct map *m)
{
	return m->flags & MAP_DELETED;
}

/* A file with a name and one without may have had the same path one after the other. */
static int compare_files(const struct map *a, const struct map *b)
{
	int order = strcmp(a->path, b->path);

	return order ? order : is_deleted(a) - is_deleted(b);
}

static int compare_maps(const void *a, const void *b)
{
	const struct map *x = *(const struct map *const *)a, *y = *(const struct map *const *)b;
	int order = compare_files(x, y);

	return order ? order : sorted_order(x->start, y->start);
}

static void group_maps(struct core_files *f)
{
	struct core_file *file = NULL;

	for (size_t i = 0; i < f->maps->len; i++) {
		if (!file || compare_files(*file->maps, f->by_path[i])) {
			file = &f->items[f->len++];
			*file = (struct core_file){ .file = FILE_CLOSED, .maps = f->by_path + i };
		}
		file->nmaps++;
	}
}

struct error *core_files_init(struct core_files *f, const struct core_image *image,
			      const struct map_list *maps, struct file_root *root)
{
	*f = (struct core_files){ .image = image, .maps = maps, .root = root };
	if (!maps->len)
		return NULL;
	f->by_path = calloc(maps->len, sizeof(*f->by_path));
	f->items = calloc(maps->len, sizeof(*f->items));
	if (!f->by_path || !f->items)
		return &error_nomem;
	for (size_t i = 0; i < maps->len; i++)
		f->by_path[i] = &maps->items[i];
	qsort(f->by_path, maps->len, sizeof(*f->by_path), compare_maps);
	group_maps(f);
	return NULL;
}

void core_files_search(struct core_files *f, struct file_root *root, const char *search_path)
{
	f->search_root = root;
	f->search_path = search_path;
}

void core_files_fini(struct core_files *f)
{
	for (size_t i = 0; i < f->len; i++) {
		error_free(f->items[i].refusal);
		file_close(&f->items[i].file);
	}
	free(f->items);
	free(f->by_path);
}

static struct core_file *find(struct core_files *f, const struct map *map)
{
	size_t at = sorted_count(file, f->items, f->len, compare_files(*file->maps, map) < 0);

	return at < f->len && !compare_files(*f->items[at].maps, map) ? &f->items[at] : NULL;
}

/* Only what the core itself holds: a file must not vouch for itself. */
static bool read_core(void *context, uint64_t from, void *ret, size_t len)
{
	return core_image_read(context, from, ret, len);
}

/* The build-id that the core's memory shows for a file. */
static void id_in_core(const struct core_files *f, const struct core_file *file,
		       struct build_id *ret)
{
	ret->len = 0;
	for (size_t i = 0; i < file->nmaps && !ret->len; i++) {
		if (file->maps[i]->offset == 0)
			build_id_read(read_core, (void *)f->image, file->maps[i]->start, true, ret);
	}
}

/*
 * The second best identity: where the linker put things. Sections are left out, they are gone
 * from a stripped file. What the core does not hold does not differ.
 */
static bool headers_differ(const struct core_files *f, const struct core_file *file, int fd)
{
	const struct map *map = *file->maps;
	Elf64_Ehdr x, y;
	Elf64_Phdr p, q;

	if (map->offset || !core_image_read(f->image, map->start, &x, sizeof(x)))
		return false;
	if (file_read_at(fd, 0, &y, sizeof(y)) != sizeof(y) || x.e_entry != y.e_entry ||
	    x.e_phoff != y.e_phoff || x.e_phnum != y.e_phnum)
		return true;
	for (unsigned int i = 0; i < x.e_phnum && i < PHDRS_MAX; i++) {
		uint64_t at = x.e_phoff + i * sizeof(p);
		if (!core_image_read(f->image, map->start + at, &p, sizeof(p)))
			return false;
		if (file_read_at(fd, at, &q, sizeof(q)) != sizeof(q) || memcmp(&p, &q, sizeof(p)))
			return true;
	}
	return false;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* NULL: the open file is the one that was mapped. */
static struct error *check(const struct core_files *f, const struct core_file *file, int fd,
			   const struct stat *st)
{
	const struct map *map = *file->maps;
	struct build_id in_core, in_file;

	id_in_core(f, file, &in_core);
	if (in_core.len) {
		build_id_of_file(fd, &in_file);
		if (build_id_equal(&in_core, &in_file))
			return NULL;
		return error_new(ERROR_NOT_FOUND,
				 "%s has changed since the core was written (build-id differs)",
				 map->path);
	}
	if (headers_differ(f, file, fd))
		return error_new(ERROR_NOT_FOUND,
				 "%s has changed since the core was written (ELF headers differ)",
				 map->path);
	if (is_deleted(map))
		return error_new(ERROR_NOT_FOUND, "%s had been deleted before the core was written",
				 map->path);
	if (is_later(&st->st_mtim, &f->image->written))
		return error_new(
			ERROR_NOT_FOUND,
			"%s is newer than the core, which has no build-id to compare with it",
			map->path);
	return NULL;
}

static struct error *open_at(const struct core_files *f, struct core_file *file,
			     struct file_root *root, const char *path)
{
	struct error *err = file_root_open(root, path, &file->file);

	if (!err)
		err = check(f, file, file->file.fd, &file->file.st);
	if (err)
		file_close(&file->file);
	return err;
}

/* In the first folder that has it; false: none has. */
static bool search(const struct core_files *f, struct core_file *file)
{
	const char *slash = strrchr((*file->maps)->path, '/');

	for (const char *p = f->search_path; p && *p;) {
		size_t len = strcspn(p, ":");
		AUTO_BUF path = { 0 };
		buf_add(&path, p, len);
		buf_adds(&path, slash);
		struct error *err = len && buf_ok(&path)
					    ? open_at(f, file, f->search_root, buf_text(&path))
					    : &error_nomem;
		error_ignore(err);
		if (!err)
			return true;
		p += len + (p[len] == ':');
	}
	return false;
}

static struct error *open_file(const struct core_files *f, struct core_file *file)
{
	const struct map *map = *file->maps;

	if (map->path[0] != '/')
		return error_new(ERROR_NOT_FOUND, "%s is no file", map->path);
	struct error *err = open_at(f, file, f->root, map->path);
	if (!err || !search(f, file))
		return err;
	error_free(err);
	return NULL;
}

/* The file of a map, open; NULL: it cannot be used, and file->refusal says why. */
static bool is_usable(const struct core_files *f, struct core_file *file)
{
	if (file->file.fd < 0 && !file->refusal)
		file->refusal = open_file(f, file);
	return file->file.fd >= 0;
}

/* What the user names is not suspected of being newer, but must not be a different program. */
static struct error *check_program(const struct core_files *f, const struct core_file *file, int fd,
				   const char *path)
{
	char magic[SELFMAG], core_hex[BUILD_ID_HEX], file_hex[BUILD_ID_HEX];
	struct build_id in_core, in_file;

	if (!elf_header_is_elf(magic, file_read_at(fd, 0, magic, sizeof(magic))))
		return error_new(ERROR_UNSUPPORTED, "%s is not a program (no ELF file)", path);
	id_in_core(f, file, &in_core);
	build_id_of_file(fd, &in_file);
	if (!in_core.len && headers_differ(f, file, fd))
		return error_new(ERROR_BAD_DATA,
				 "%s is not the program of this core: its ELF headers differ",
				 path);
	if (!in_core.len || build_id_equal(&in_core, &in_file))
		return NULL;
	build_id_hex(&in_core, core_hex);
	build_id_hex(&in_file, file_hex);
	return error_new(ERROR_BAD_DATA,
			 "%s is not the program of this core: its build-id is %s, the core's %s",
			 path, in_file.len ? file_hex : "missing", core_hex);
}

struct error *core_files_set_program(struct core_files *f, const struct map *map, const char *path)
{
	struct core_file *file = find(f, map);
	AUTO_FILE named = FILE_CLOSED;

	if (!file)
		return error_new(ERROR_NOT_FOUND, "%s is not a mapped file", map->path);
	struct error *err = file_open(path, &named);
	if (!err)
		err = check_program(f, file, named.fd, path);
	if (err)
		return err;
	file_close(&file->file);
	file->file = named;
	named = FILE_CLOSED;
	return NULL;
}

/* As the kernel maps files: what follows the file's end in its last page is zero. */
size_t core_files_read(struct core_files *f, taddr from, void *ret, size_t len)
{
	const struct map *map = map_list_find(f->maps, from);
	struct core_file *file = map ? find(f, map) : NULL;

	if (!file || !is_usable(f, file))
		return 0;
	uint64_t into = from - map->start, left = map->end - from;
	len = left < len ? left : len;
	size_t got = file_read_at(file->file.fd, map->offset + into, ret, len);
	size_t odd = got % MEMORY_PAGE;
	if (odd) {
		memset((uint8_t *)ret + got, 0, MEMORY_PAGE - odd);
		got += MEMORY_PAGE - odd;
	}
	return got;
}

struct error *core_files_open(struct core_files *f, const struct map *map, struct file *ret)
{
	struct core_file *file = find(f, map);
	AUTO_FILE copy = FILE_CLOSED;

	if (!file)
		return error_new(ERROR_NOT_FOUND, "%s is not a mapped file", map->path);
	if (!is_usable(f, file))
		return error_new(error_code(file->refusal), "%s", error_message(file->refusal));
	struct error *err = file_reopen(file->file.fd, &copy.fd);
	if (err)
		return error_add(err, "%s", map->path);
	copy.st = file->file.st;
	if (file->file.path && !(copy.path = strdup(file->file.path)))
		return &error_nomem;
	*ret = copy;
	copy = FILE_CLOSED;
	return NULL;
}
