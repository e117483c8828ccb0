/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * fuse_silent FOLDER TEXT OPERATION: a filesystem on a folder, in which every name is a file with
 * this text. When it is asked for an operation (a number of linux/fuse.h) it says "asked", and
 * never answers anything any more.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "testprog.h"

static const char *text;
static int fd;
static union {
	struct fuse_in_header header;
	char bytes[1 << 20];
} request;

static struct fuse_attr attr_of(uint64_t node)
{
	return (struct fuse_attr){ .ino = node,
				   .mode = node == 1 ? S_IFDIR | 0755 : S_IFREG | 0644,
				   .nlink = 1,
				   .size = strlen(text) };
}

static void answer(int error, const void *data, size_t len)
{
	struct fuse_out_header h = { .len = (uint32_t)(sizeof(h) + len),
				     .error = error,
				     .unique = request.header.unique };
	struct iovec iov[] = { { &h, sizeof(h) }, { (void *)data, len } };

	if (writev(fd, iov, 2) < 0 && errno != ENOENT) /* who asked is gone */
		FAIL("answering: %m");
}

static void serve(void)
{
	struct fuse_init_out init = { .major = 7, .minor = 31, .max_write = 4096 };
	struct fuse_entry_out entry = { .nodeid = 2, .attr = attr_of(2) };
	struct fuse_attr_out attr = { .attr = attr_of(request.header.nodeid) };
	struct fuse_open_out opened = { .fh = 1 };
	struct fuse_statfs_out statfs = { .st = { .bsize = 4096 } };

	switch (request.header.opcode) {
	case FUSE_INIT:
		return answer(0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return answer(0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return answer(0, &attr, sizeof(attr));
	case FUSE_OPEN:
		return answer(0, &opened, sizeof(opened));
	case FUSE_READ:
		return answer(0, text, strlen(text));
	case FUSE_STATFS:
		return answer(0, &statfs, sizeof(statfs));
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		return answer(0, NULL, 0);
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return answer(-ENOSYS, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	char options[100];
	uint32_t silent = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;

	die_with_parent();
	fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fd);
	if (argc < 3 || fd < 0 || mount("test", argv[1], "fuse", 0, options) != 0)
		return 77;
	text = argv[2];
	ready();
	while (read(fd, &request, sizeof(request)) > 0 && request.header.opcode != silent)
		serve();
	if (write(1, "asked\n", 6) != 6)
		FAIL("nobody listens");
	block();
	return 0;
}
