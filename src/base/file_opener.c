/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file_opener.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>

/* ---- looking up -------------------------------------------------------------------------- */

/* openat2(2) is there since Linux 5.6; filters of containers that do not know it refuse it. */
static bool lacks_openat2(int errnum)
{
	return errnum == ENOSYS || errnum == EPERM;
}

int file_opener_find(const struct file_rules *rules, const char *path, bool cached)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_MAGICLINKS | (rules->folder < 0 ? 0 : RESOLVE_IN_ROOT) |
			   (cached ? RESOLVE_CACHED : 0),
	};
	int folder = rules->folder < 0 ? AT_FDCWD : rules->folder;

	if (rules->folder >= 0 && path[0] != '/') {
		errno = ENOENT;
		return -1;
	}
	int place = (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
	/* Without it, only our own root is one that links do not lead out of. */
	if (place < 0 && lacks_openat2(errno) && rules->folder < 0 && !cached)
		place = open(path, O_PATH | O_CLOEXEC);
	return place;
}

/* ---- is it harmless? --------------------------------------------------------------------- */

enum {
	LOCAL = 1,       /* the kernel alone answers for it */
	MAY_BE_EMPTY = 2 /* it may have no blocks           */
};

/* statfs(2), f_type. What is not listed may have to wait for a server, or lie on what does. */
static const struct {
	unsigned long type;
	unsigned int traits;
} filesystems[] = {
	{ EXT4_SUPER_MAGIC, LOCAL },           { XFS_SUPER_MAGIC, LOCAL },
	{ BTRFS_SUPER_MAGIC, LOCAL },          { F2FS_SUPER_MAGIC, LOCAL },
	{ TMPFS_MAGIC, LOCAL | MAY_BE_EMPTY }, { RAMFS_MAGIC, LOCAL | MAY_BE_EMPTY },
	{ FUSE_SUPER_MAGIC, MAY_BE_EMPTY }, /* many of its servers do not say */
};

static unsigned int traits_of(const struct statfs *fs)
{
	for (size_t i = 0; i < sizeof(filesystems) / sizeof(*filesystems); i++) {
		if ((unsigned long)fs->f_type == filesystems[i].type)
			return filesystems[i].traits;
	}
	return 0;
}

/*
 * Reading files of the kernel (proc, sysfs, tracefs, ...) can do things. Their filesystems have no
 * blocks (Linux fs/libfs.c, simple_statfs()), all others do.
 */
static bool is_kernels(const struct statfs *fs)
{
	return !fs->f_blocks && !(traits_of(fs) & MAY_BE_EMPTY);
}

/* setfsuid(2) takes the rights of root to read everything away, and gives them back. */
static bool take_uid(uid_t uid)
{
	setfsuid(uid);
	return (uid_t)setfsuid((uid_t)-1) == uid;
}

/* A copy that needs no server, and that nobody can change while it is read. */
static struct error *copy(struct file_rules *rules, const char *path, struct file *f)
{
	enum { COPIED_MAX = 1 << 30, PIECE = 1 << 20 };

	take_uid(geteuid()); /* it is ours */
	AUTO_CLOSE int to = memfd_create("ompdb", MFD_CLOEXEC);
	ssize_t n = to < 0 || fchmod(to, S_IRUSR) < 0 ? -1 : 1;

	while (n > 0 && rules->copied <= COPIED_MAX) {
		n = sendfile(to, f->fd, NULL, PIECE);
		rules->copied += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		return error_os(errno, "copying %s", path);
	if (n > 0)
		return error_new(ERROR_UNSUPPORTED, "%s and others are too large to be copied",
				 path);
	if (lseek(to, 0, SEEK_SET) < 0)
		return error_os(errno, "copying %s", path);
	close(f->fd);
	f->fd = TAKE_FD(to);
	return NULL;
}

/* As its root names it. */
static struct error *name_file(const struct file_rules *rules, int place, struct file *f)
{
	char real[PATH_MAX], root[PATH_MAX];
	size_t len = 0;

	if (!file_real_path(place, real, sizeof(real)))
		return NULL;
	if (rules->folder >= 0 && file_real_path(rules->folder, root, sizeof(root)))
		len = strcmp(root, "/") != 0 ? strlen(root) : 0;
	bool below = !strncmp(real, root, len) && real[len] == '/';
	f->path = strdup(below ? real + len : real);
	return f->path ? NULL : &error_nomem;
}

struct error *file_opener_open(struct file_rules *rules, int place, const char *path,
			       struct file *ret)
{
	AUTO_FILE f = FILE_CLOSED;
	struct statfs fs;
	char first;

	if (fstat(place, &f.st) < 0)
		return error_os(errno, "%s", path);
	struct error *err = file_check_regular(path, &f.st);
	if (!err && fstatfs(place, &fs) < 0)
		err = error_os(errno, "%s", path);
	if (!err && is_kernels(&fs))
		err = error_new(ERROR_UNSUPPORTED, "%s is not a file, but something of the kernel",
				path);
	if (!err)
		err = error_add(file_reopen(place, &f.fd), "%s", path);
	if (!err)
		err = name_file(rules, place, &f);
	if (!err && !(traits_of(&fs) & LOCAL)) {
		file_read_at(f.fd, 0, &first, sizeof(first)); /* does its server answer? */
		err = rules->copies ? copy(rules, path, &f) : NULL;
	}
	if (err)
		return err;
	*ret = f;
	f = FILE_CLOSED;
	return NULL;
}

/* ---- in a child -------------------------------------------------------------------------- */

struct request {
	bool link;
	char path[PATH_MAX];
};

struct answer {
	bool open;
	enum error_code code;
	struct stat st;
	char text[PATH_MAX + 128]; /* of the error, or the path of the file; "": not known */
};

/* Room for one descriptor. */
union passed {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

static void put_descriptor(struct msghdr *m, union passed *passed, int fd)
{
	m->msg_control = passed->bytes;
	m->msg_controllen = sizeof(passed->bytes);
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
}

static int descriptor_of(struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);
	int fd = -1;

	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	return fd;
}

static void send_answer(int socket, const struct file *f, const struct error *err)
{
	struct answer answer = { .open = !err, .st = f->st };
	const char *text = err ? error_message(err) : f->path ? f->path : "";
	struct iovec iov = { &answer, sizeof(answer) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };
	union passed passed = { 0 };

	if (err)
		answer.code = error_code(err);
	strncpy(answer.text, text, sizeof(answer.text) - 1);
	if (!err)
		put_descriptor(&m, &passed, f->fd);
	if (sendmsg(socket, &m, MSG_NOSIGNAL) < 0)
		_exit(1);
}

static bool take_groups(const struct file_owner *owner)
{
	setfsgid(owner->gid);
	return (gid_t)setfsgid((gid_t)-1) == owner->gid &&
	       syscall(SYS_setgroups, owner->groups.len, owner->groups.items) == 0;
}

static struct error *serve_one(struct file_rules *rules, const struct request *r, struct file *ret)
{
	bool taken = !rules->as_owner || (take_groups(&rules->owner) &&
					  take_uid(r->link ? geteuid() : rules->owner.uid));

	if (!taken)
		return error_new(ERROR_NOT_PERMITTED, "%s: user %u cannot be stood in for", r->path,
				 rules->owner.uid);
	AUTO_CLOSE int place = r->link ? open(r->path, O_PATH | O_CLOEXEC)
				       : file_opener_find(rules, r->path, false);
	if (place < 0)
		return error_os(errno, "%s", r->path);
	return file_opener_open(rules, place, r->path, ret);
}

/* Holds on to nothing of its parent's, which it may outlive in a call that never returns. */
static void keep_only(int *socket, int *folder)
{
	enum { FIRST, SECOND, THIRD };

	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	*socket = dup2(*socket, FIRST);
	if (*folder >= 0)
		*folder = dup2(*folder, SECOND);
	closefrom(*folder >= 0 ? THIRD : SECOND);
}

void file_opener_serve(struct file_rules *rules, int socket)
{
	struct request r = { 0 };

	keep_only(&socket, &rules->folder);
	while (recv(socket, &r, sizeof(r), 0) > 0) {
		AUTO_FILE f = FILE_CLOSED;
		AUTO_ERROR *err = serve_one(rules, &r, &f);
		send_answer(socket, &f, err);
	}
	_exit(0);
}

/* ---- its parent -------------------------------------------------------------------------- */

bool file_opener_ask(int socket, const char *path, bool link)
{
	struct request r = { .link = link };
	size_t len = strlen(path) + 1;

	if (len > sizeof(r.path))
		return false;
	memcpy(r.path, path, len);
	len += offsetof(struct request, path);
	return send(socket, &r, len, MSG_NOSIGNAL) == (ssize_t)len;
}

static bool wait_for(int socket, int milliseconds)
{
	struct pollfd p = { .fd = socket, .events = POLLIN };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	int64_t start = now.tv_sec * 1000 + now.tv_nsec / 1000000, gone = 0;
	while (gone <= milliseconds) {
		int n = poll(&p, 1, milliseconds - (int)gone);
		if (n >= 0 || errno != EINTR)
			return n > 0;
		clock_gettime(CLOCK_MONOTONIC, &now);
		gone = now.tv_sec * 1000 + now.tv_nsec / 1000000 - start;
	}
	return false;
}

bool file_opener_hear(int socket, int milliseconds, struct file *ret, struct error **err)
{
	struct answer answer;
	struct iovec iov = { &answer, sizeof(answer) };
	union passed passed = { 0 };
	struct msghdr m = { .msg_iov = &iov,
			    .msg_iovlen = 1,
			    .msg_control = passed.bytes,
			    .msg_controllen = sizeof(passed.bytes) };
	AUTO_FILE f = FILE_CLOSED;

	if (!wait_for(socket, milliseconds) ||
	    recvmsg(socket, &m, MSG_CMSG_CLOEXEC) != sizeof(answer))
		return false;
	f.fd = descriptor_of(&m);
	f.st = answer.st;
	f.path = answer.open && *answer.text ? strdup(answer.text) : NULL;
	if (answer.open && f.fd < 0)
		return false;
	*err = answer.open ? NULL : error_new(answer.code, "%s", answer.text);
	*ret = f;
	f = FILE_CLOSED;
	return true;
}
