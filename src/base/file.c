/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void file_close(struct file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->path);
	*f = FILE_CLOSED;
}

static const char *kind_of(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *name;
	} kinds[] = {
		{ S_IFDIR, "a directory" }, { S_IFCHR, "a device" },  { S_IFBLK, "a device" },
		{ S_IFIFO, "a pipe" },      { S_IFSOCK, "a socket" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if ((mode & S_IFMT) == kinds[i].type)
			return kinds[i].name;
	}
	return "something else";
}

struct error *file_check_regular(const char *path, const struct stat *st)
{
	if (S_ISREG(st->st_mode))
		return NULL;
	return error_new(ERROR_UNSUPPORTED, "%s is %s, not a file", path, kind_of(st->st_mode));
}

struct error *file_reopen(int fd, int *ret_fd)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	int copy = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (copy < 0)
		return error_os(errno, "opening it for reading");
	*ret_fd = copy;
	return NULL;
}

/* open(2), O_PATH: names the file without opening it; what is looked at is what is opened then. */
struct error *file_open_regular(const char *path, int *ret_fd, struct stat *ret_st)
{
	struct stat st;
	AUTO_CLOSE int place = open(path, O_PATH | O_CLOEXEC);

	if (place < 0 || fstat(place, &st) < 0)
		return error_os(errno, "%s", path);
	struct error *err = file_check_regular(path, &st);
	if (!err)
		err = error_add(file_reopen(place, ret_fd), "%s", path);
	if (!err && ret_st)
		*ret_st = st;
	return err;
}

struct error *file_open(const char *path, struct file *ret)
{
	AUTO_FILE f = FILE_CLOSED;
	char real[PATH_MAX];
	struct error *err = file_open_regular(path, &f.fd, &f.st);

	if (err)
		return err;
	if (file_real_path(f.fd, real, sizeof(real)) && !(f.path = strdup(real)))
		return &error_nomem;
	*ret = f;
	f = FILE_CLOSED;
	return NULL;
}

bool file_real_path(int fd, char *ret, size_t size)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(link, ret, size);
	if (len <= 0 || (size_t)len >= size || ret[0] != '/')
		return false;
	ret[len] = '\0';
	return true;
}

size_t file_read_at(int fd, uint64_t from, void *ret, size_t len)
{
	size_t done = 0;

	if (from > INT64_MAX || len > INT64_MAX - from)
		return 0;
	while (done < len) {
		ssize_t n = pread(fd, (char *)ret + done, len - done, (off_t)(from + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	return done;
}

bool file_in_path(const char *name, struct buf *ret)
{
	const char *at = getenv("PATH");

	while (at && *at) {
		AUTO_BUF path = { 0 };
		const size_t len = strcspn(at, ":");
		buf_add(&path, at, len);
		buf_addf(&path, "/%s", name);
		if (len && buf_ok(&path) && access(buf_text(&path), X_OK) == 0) {
			buf_adds(ret, buf_text(&path));
			return true;
		}
		at += len + (at[len] == ':');
	}
	return false;
}
