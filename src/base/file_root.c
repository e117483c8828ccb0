/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/file_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/log.h"

enum {
	DEADLINE = 5000, /* milliseconds for one file                        */
	LOST_MAX = 2,    /* children left behind, before no more file is opened */
};

struct file_root {
	struct file_rules rules; /* owned                                      */
	struct statx own_root;
	pid_t child;            /* 0: none                                          */
	int socket;             /* owned; to the child, -1: there is none           */
	char *silent[LOST_MAX]; /* owned; names that children have not come back with */
	size_t lost;            /* those                                              */
	bool unknown;           /* the root is not known                            */
};

struct file_root *file_root_new(void)
{
	struct file_root *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->rules.folder = r->socket = -1;
	if (statx(AT_FDCWD, "/", 0, STATX_INO | STATX_MNT_ID, &r->own_root) < 0)
		r->own_root.stx_mask = 0;
	return r;
}

static void rules_fini(struct file_rules *rules)
{
	if (rules->folder >= 0)
		close(rules->folder);
	file_owner_fini(&rules->owner);
}

/* One that hangs dies when it wakes up; nobody waits for that. */
static void stop_child(struct file_root *r, int wait_flags)
{
	if (!r->child)
		return;
	close(r->socket);
	kill(r->child, SIGKILL);
	(void)TEMP_FAILURE_RETRY(waitpid(r->child, NULL, wait_flags));
	r->child = 0;
	r->socket = -1;
}

void file_root_free(struct file_root *r)
{
	if (!r)
		return;
	stop_child(r, 0);
	rules_fini(&r->rules);
	for (size_t i = 0; i < r->lost; i++)
		free(r->silent[i]);
	free(r);
}

static bool is_own_root(const struct file_root *r, int folder)
{
	const struct statx *own = &r->own_root;
	struct statx its;

	return statx(folder, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO | STATX_MNT_ID,
		     &its) == 0 &&
	       its.stx_ino == own->stx_ino && its.stx_dev_major == own->stx_dev_major &&
	       its.stx_dev_minor == own->stx_dev_minor && its.stx_mnt_id == own->stx_mnt_id;
}

static bool is_same_owner(const struct file_owner *a, const struct file_owner *b)
{
	return a->uid == b->uid && a->gid == b->gid && a->groups.len == b->groups.len &&
	       (!a->groups.len || !memcmp(a->groups.items, b->groups.items,
					  a->groups.len * sizeof(*a->groups.items)));
}

static struct error *start_child(struct file_root *r)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_os(errno, "a socket");
	pid_t child = fork();
	if (child == 0)
		file_opener_serve(&r->rules, ends[1]);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return error_os(errno, "making a process");
	}
	r->child = child;
	r->socket = ends[0];
	return NULL;
}

void file_root_set(struct file_root *r, int folder, struct file_owner *owner)
{
	struct file_rules rules = { .folder = folder };

	r->unknown = !owner;
	if (owner) {
		rules.owner = *owner;
		*owner = (struct file_owner){ 0 };
	}
	if (folder >= 0 && is_own_root(r, folder)) {
		close(folder);
		rules.folder = -1;
	}
	rules.as_owner = geteuid() == 0 && rules.owner.uid != 0;
	rules.copies = rules.as_owner || rules.folder >= 0;
	bool same = rules.folder < 0 && r->rules.folder < 0 &&
		    rules.as_owner == r->rules.as_owner &&
		    is_same_owner(&rules.owner, &r->rules.owner);
	if (!same)
		stop_child(r, 0);
	rules_fini(&r->rules);
	r->rules = rules;
	if (rules.copies && !r->unknown && !r->child)
		error_ignore(start_child(r)); /* if it fails, it is made when it is needed */
}

bool file_root_is_elsewhere(const struct file_root *r)
{
	return r->unknown || r->rules.folder >= 0;
}

bool file_root_is_ours(const struct file_root *r)
{
	return !r->rules.as_owner && !file_root_is_elsewhere(r);
}

/* Nobody waits for the same folder twice, or for many. */
static bool is_silent(const struct file_root *r, const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash + 1 - path) : 0;

	for (size_t i = 0; i < r->lost; i++) {
		const char *known = r->silent[i];
		if (!known || (len && !strncmp(known, path, len)))
			return true;
	}
	return r->lost == LOST_MAX;
}

static struct error *lose_child(struct file_root *r, const char *path)
{
	stop_child(r, WNOHANG);
	r->silent[r->lost++] = strdup(path);
	log_debug(LOG_MODULE, "%s: nobody answers for it", path);
	return error_new(ERROR_GONE, "%s: nobody answers for it", path);
}

static struct error *ask(struct file_root *r, const char *path, bool link, struct file *ret)
{
	struct error *err = NULL;

	if (r->unknown)
		return error_new(ERROR_GONE, "%s: the root directory of the process is not known",
				 path);
	if (is_silent(r, path))
		return error_new(ERROR_GONE, "%s: nobody has answered for others", path);
	if (!r->child)
		err = start_child(r);
	if (err)
		return error_add(err, "opening %s", path);
	if (file_opener_ask(r->socket, path, link) &&
	    file_opener_hear(r->socket, DEADLINE, ret, &err))
		return err;
	return lose_child(r, path);
}

/* On a disk, or where ompdb itself and all that it needs may lie. */
static bool is_at_hand(const struct file_root *r, int place)
{
	struct statx st;

	return statx(place, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &st) == 0 &&
	       (st.stx_dev_major || (st.stx_mask & r->own_root.stx_mask & STATX_MNT_ID &&
				     st.stx_mnt_id == r->own_root.stx_mnt_id));
}

/* It cannot be told so fast. EINVAL: nor can this kernel, before Linux 5.12. */
static bool is_undecided(int errnum)
{
	return errnum == EAGAIN || errnum == EINVAL || errnum == ENOSYS || errnum == EPERM;
}

/* The child is still in the folder where ompdb was when it made it. */
static struct error *ask_from_here(struct file_root *r, const char *path, struct file *ret)
{
	AUTO_FREE char *here = *path != '/' && r->rules.folder < 0 ? getcwd(NULL, 0) : NULL;
	AUTO_BUF whole = { 0 };

	if (!here)
		return ask(r, path, false, ret);
	buf_addf(&whole, "%s/%s", here, path);
	return ask(r, buf_text(&whole), false, ret);
}

struct error *file_root_open(struct file_root *r, const char *path, struct file *ret)
{
	if (strlen(path) >= PATH_MAX)
		return error_os(ENAMETOOLONG, "%s", path);
	if (file_root_is_ours(r)) {
		AUTO_CLOSE int place = file_opener_find(&r->rules, path, true);
		if (place < 0 && !is_undecided(errno))
			return error_os(errno, "%s", path);
		if (place >= 0 && is_at_hand(r, place))
			return file_opener_open(&r->rules, place, path, ret);
	}
	return ask_from_here(r, path, ret);
}

struct error *file_root_open_link(struct file_root *r, const char *link, struct file *ret)
{
	if (file_root_is_ours(r)) {
		AUTO_CLOSE int place = open(link, O_PATH | O_CLOEXEC);
		if (place >= 0 && is_at_hand(r, place))
			return file_opener_open(&r->rules, place, link, ret);
	}
	return ask(r, link, true, ret);
}
