/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/history_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MAX = 16 << 20 };

void history_file_fini(struct history_file *f)
{
	if (f->fd > 0)
		close(f->fd);
	f->fd = 0;
}

bool history_file_default(struct buf *ret)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	/* The XDG Base Directory Specification: paths that are not absolute are ignored. */
	if (state && *state == '/')
		buf_addf(ret, "%s/ompdb/history", state);
	else if (home && *home == '/')
		buf_addf(ret, "%s/.local/state/ompdb/history", home);
	return ret->len && buf_ok(ret);
}

/* Makes the folders that a path leads through. What cannot be made shows when it is opened. */
static void make_folders(const char *path)
{
	AUTO_FREE char *part = strdup(path);

	for (char *at = part ? strchr(part + 1, '/') : NULL; at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(part, 0700);
		*at = '/';
	}
}

static struct error *open_file(const char *path, int *ret_fd)
{
	struct stat st;

	make_folders(path);
	AUTO_CLOSE int fd =
		open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_os(errno, "history in %s", path);
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid())
		return error_new(
			ERROR_NOT_PERMITTED,
			"history in %s: it is no file of yours: see 'set history filename'", path);
	*ret_fd = TAKE_FD(fd);
	return NULL;
}

/* Where the last "most" lines begin. */
static const char *last_lines(const struct buf *text, size_t most)
{
	const char *start = buf_text(text), *at = start + text->len;

	for (size_t n = 0; at > start; at--) {
		if (at[-1] == '\n' && n++ == most)
			break;
	}
	return at;
}

/* Another session may append meanwhile: what it adds to the old file is lost, and nothing else. */
static void rewrite(const char *path, const char *text, int *fd)
{
	AUTO_BUF beside = { 0 };
	size_t len = strlen(text);

	buf_addf(&beside, "%s.%d", path, getpid());
	AUTO_CLOSE int new =
		open(buf_text(&beside), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (new < 0)
		return;
	if (write(new, text, len) != (ssize_t)len || rename(buf_text(&beside), path) < 0) {
		unlink(buf_text(&beside));
		return;
	}
	close(*fd);
	*fd = TAKE_FD(new);
}

struct error *history_file_load(struct history_file *f, const char *path, size_t most,
				void (*found)(void *context, const char *line), void *context)
{
	AUTO_BUF text = { 0 };
	AUTO_CLOSE int fd = -1;

	history_file_fini(f);
	struct error *err = open_file(path, &fd);
	if (!err)
		err = error_add(buf_add_fd(&text, fd, BYTES_MAX), "history in %s", path);
	if (err)
		return err;
	const char *at = last_lines(&text, most);
	/* Rewritten seldom: when half of it is of no use. */
	if ((size_t)(at - buf_text(&text)) > strlen(at))
		rewrite(path, at, &fd);
	while (*at) {
		size_t len = strcspn(at, "\n");
		AUTO_FREE char *line = strndup(at, len);
		if (line && len)
			found(context, line);
		at += len + (at[len] == '\n');
	}
	f->fd = TAKE_FD(fd);
	return NULL;
}

void history_file_add(struct history_file *f, const char *line)
{
	AUTO_BUF text = { 0 };

	if (f->fd <= 0 || strchr(line, '\n'))
		return;
	buf_addf(&text, "%s\n", line);
	/* One call: lines of sessions beside each other do not mix. */
	if (buf_ok(&text) && write(f->fd, text.data, text.len) < 0)
		history_file_fini(f);
}
