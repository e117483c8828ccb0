/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * File_opener: looks a file up by somebody's rules, and opens it if it is harmless. What
 * file_root.h is made of: in this process where nothing can take time, else in a child.
 */
#ifndef BASE_FILE_OPENER_H
#define BASE_FILE_OPENER_H

#include "base/file.h"

struct file_groups {
	gid_t *items; /* owned */
	size_t len, cap;
};

/* Who files are read for. */
struct file_owner {
	uid_t uid;
	gid_t gid;
	struct file_groups groups; /* owned; the others */
};

static inline void file_groups_fini(struct file_groups *g)
{
	free(g->items);
	*g = (struct file_groups){ 0 };
}
static inline void file_owner_fini(struct file_owner *o)
{
	file_groups_fini(&o->groups);
}

struct file_rules {
	int folder;              /* owned; the root directory, -1: our own                       */
	struct file_owner owner; /* owned                                                        */
	bool as_owner;           /* read with the owner's rights, which are fewer than ours      */
	bool copies;             /* what could stop answering is copied while somebody waits     */
	size_t copied;           /* bytes */
};

/*
 * A descriptor (O_PATH) for a file. cached: fails with EAGAIN where that could take time. -1, with
 * errno: there is none, or it may not be looked up.
 */
int file_opener_find(const struct file_rules *rules, const char *path, bool cached);

/* Opens what a descriptor (O_PATH) names. path: for messages. UNSUPPORTED: it is not harmless. */
MUST_CHECK struct error *file_opener_open(struct file_rules *rules, int place, const char *path,
					  struct file *ret);

/*
 * The two ends of a socket between a child that opens files and its parent. link: path is not the
 * target's but ours, a link of /proc that leads to a file, and is followed with our own rights.
 */
void file_opener_serve(struct file_rules *rules, int socket) __attribute__((noreturn));
bool file_opener_ask(int socket, const char *path, bool link);
/* false: no answer came before the end of the time, in milliseconds. *err: what is the answer. */
bool file_opener_hear(int socket, int milliseconds, struct file *ret, struct error **err);

#endif
