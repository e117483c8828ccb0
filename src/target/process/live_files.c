/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live_files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/memory.h"

static void path_of(const struct live_files *f, const char *name, char ret[64])
{
	snprintf(ret, 64, "/proc/%d/task/%d/%s", f->pid, f->lwp, name);
}

void live_files_close(struct live_files *f)
{
	if (f->mem >= 0)
		close(f->mem);
	f->mem = -1;
}

struct error *live_files_open(struct live_files *f, pid_t pid, pid_t lwp)
{
	char path[64];

	live_files_close(f);
	f->pid = pid;
	f->lwp = lwp;
	path_of(f, "mem", path);
	f->opened++;
	f->mem = open(path, O_RDWR | O_CLOEXEC);
	if (f->mem < 0)
		f->mem = open(path, O_RDONLY | O_CLOEXEC);
	return f->mem < 0 ? error_os(errno, "%s", path) : NULL;
}

size_t live_files_gather(const struct live_files *f, const taddr *lines, size_t n, void *ret)
{
	enum { PIECES = 512 };
	struct iovec remote[PIECES];
	size_t pieces = 0;

	if (n > PIECES)
		n = PIECES;
	/* The kernel is faster with lines that follow each other if they are one piece. */
	for (size_t i = 0; i < n; i++) {
		if (i && lines[i] == lines[i - 1] + MEMORY_LINE)
			remote[pieces - 1].iov_len += MEMORY_LINE;
		else
			remote[pieces++] =
				(struct iovec){ (void *)(uintptr_t)lines[i], MEMORY_LINE };
	}
	struct iovec local = { ret, n * MEMORY_LINE };
	ssize_t got = n ? process_vm_readv(f->lwp, &local, 1, remote, pieces, 0) : 0;
	return got < 0 ? 0 : (size_t)got / MEMORY_LINE;
}

/* As many bytes as one call gives: up to the first page without read permission. */
static size_t read_piece(const struct live_files *f, taddr from, void *ret, size_t len)
{
	enum { PIECES = 64 };
	struct iovec remote[PIECES];
	size_t n = 0, asked = 0;

	/* A piece that fails ends the transfer at its start: so one piece a page. */
	while (n < PIECES && asked < len) {
		size_t piece = MEMORY_PAGE - (from + asked) % MEMORY_PAGE;
		piece = piece < len - asked ? piece : len - asked;
		remote[n++] = (struct iovec){ (void *)(uintptr_t)(from + asked), piece };
		asked += piece;
	}
	struct iovec local = { ret, asked };
	ssize_t got = process_vm_readv(f->lwp, &local, 1, remote, n, 0);
	return got < 0 ? 0 : (size_t)got;
}

/*
 * process_vm_readv(2) is faster, but refuses pages without read permission, and everything
 * once the thread is dead; the file goes on serving both, and stays with the process: a number may
 * be another's as soon as nobody holds its thread.
 */
size_t live_files_read(struct live_files *f, taddr from, void *ret, size_t len)
{
	size_t got = f->held ? read_piece(f, from, ret, len) : 0;
	ssize_t n = got ? 0 : pread(f->mem, ret, len, (off_t)from);

	return n > 0 ? (size_t)n : got;
}

/* What the link of a mapping says, a file that is gone without the word; false: nothing. */
static bool read_mapped(const struct live_files *f, const struct map *map, char ret[PATH_MAX])
{
	char link[96];

	snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, f->pid, map->start,
		 map->end);
	ssize_t n = readlink(link, ret, PATH_MAX - 1);
	size_t len = n > 0 ? (size_t)n : 0;
	if (map->flags & MAP_DELETED)
		procfs_cut_deleted(ret, &len);
	ret[len] = '\0';
	return len > 0;
}

/*
 * A newline in a path and the four characters that the kernel shows for it look the same in the
 * list of mappings; the link of each mapping tells them apart. A program may have thousands of
 * such paths: of most the guess is good enough.
 */
static struct error *set_odd_paths(const struct live_files *f, struct map_list *maps)
{
	enum { ODD_MOST = 256 };
	size_t odd = 0;

	vec_for_each (map, maps) {
		char path[PATH_MAX];
		if (map->path[0] != '/' || !strchr(map->path, '\n') || odd++ >= ODD_MOST ||
		    !read_mapped(f, map, path))
			continue;
		char *copy = strdup(path);
		if (!copy)
			return &error_nomem;
		free(map->path);
		map->path = copy;
	}
	return NULL;
}

struct error *live_files_maps_text(struct live_files *f, struct buf *ret)
{
	enum { MAPS_MAX = 256 << 20 };
	char path[64];

	path_of(f, "maps", path);
	return error_add(buf_add_file(ret, path, MAPS_MAX), "reading the mappings of process %d",
			 f->pid);
}

struct error *live_files_parse_maps(struct live_files *f, const struct buf *text, bool sparse,
				    struct map_list *ret)
{
	struct error *err = procfs_parse_maps(buf_text(text), sparse, ret);

	if (!err)
		err = set_odd_paths(f, ret);
	return error_add(err, "reading the mappings of process %d", f->pid);
}

struct error *live_files_maps(struct live_files *f, struct map_list *ret)
{
	AUTO_BUF text = { 0 };
	struct error *err = live_files_maps_text(f, &text);

	return err ? err : live_files_parse_maps(f, &text, true, ret);
}

struct error *live_files_auxv(struct live_files *f, struct buf *ret)
{
	enum { AUXV_MAX = 64 * 1024 };
	char path[64];

	path_of(f, "auxv", path);
	return buf_add_file(ret, path, AUXV_MAX);
}

struct error *live_files_exe(struct live_files *f, char **ret)
{
	char path[64], target[PATH_MAX];

	path_of(f, "exe", path);
	ssize_t n = readlink(path, target, sizeof(target));
	if (n < 0)
		return error_os(errno, "%s", path);
	size_t len = (size_t)n;
	procfs_cut_deleted(target, &len);
	*ret = strndup(target, len);
	return *ret ? NULL : &error_nomem;
}

/* Takes err, the outcome of opening f. true: it is open, and no other one that has the name. */
static bool is_mapped(struct error *err, const struct map *map, struct file *f)
{
	/* The device is not compared: overlay filesystems show another one in the mappings. */
	bool same = !err && (!map->inode || f->st.st_ino == map->inode);

	if (!err && !same)
		file_close(f);
	error_ignore(err);
	return same;
}

static bool open_link(struct file_root *root, const char *link, const struct map *map,
		      struct file *ret)
{
	return is_mapped(file_root_open_link(root, link, ret), map, ret);
}

/*
 * By its name first, which is right in containers; then the mapping itself, which reaches deleted
 * files but needs privileges; then, if the program is meant, its exe link, which needs none.
 */
struct error *live_files_open_map(struct live_files *f, struct file_root *root,
				  const struct map *map, struct file *ret)
{
	bool deleted = map->flags & MAP_DELETED;
	char link[96], exe[64];

	if (map->path[0] != '/')
		return error_new(ERROR_NOT_FOUND, "%s is no file", map->path);
	snprintf(link, sizeof(link), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, f->pid, map->start,
		 map->end);
	path_of(f, "exe", exe);
	if ((!deleted && is_mapped(file_root_open(root, map->path, ret), map, ret)) ||
	    open_link(root, link, map, ret) || (map->inode && open_link(root, exe, map, ret)))
		return NULL;
	return error_new(ERROR_NOT_FOUND, "%s",
			 deleted ? "file is deleted" : "file is missing or was replaced");
}
