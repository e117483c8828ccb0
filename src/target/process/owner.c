/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/owner.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A user namespace makes root of anybody, a mount namespace has other files under the same paths,
 * and a process in another pid namespace is a container's, whatever else it shares.
 */
static const struct {
	const char *file, *name;
} namespaces[] = { { "user", "user" }, { "mnt", "mount" }, { "pid", "process" } };

struct error *owner_check_users(pid_t pid, const uid_t uids[4])
{
	for (size_t i = 0; i < 4; i++) {
		if (uids[i] != geteuid())
			return error_new(ERROR_NOT_PERMITTED,
					 "process %d belongs to user %u and ompdb runs as user %u",
					 pid, uids[i], geteuid());
	}
	return NULL;
}

/* The namespace has to be seen to be the same. */
static struct error *check_namespace(pid_t pid, pid_t lwp, const char *file, const char *name)
{
	struct stat ours, its;
	char path[64], our_path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/ns/%s", pid, lwp, file);
	snprintf(our_path, sizeof(our_path), "/proc/self/ns/%s", file);
	if (stat(our_path, &ours) == 0 && stat(path, &its) == 0 && ours.st_dev == its.st_dev &&
	    ours.st_ino == its.st_ino)
		return NULL;
	return error_new(ERROR_NOT_PERMITTED, "process %d lives in another %s namespace", pid,
			 name);
}

struct error *owner_check(pid_t pid, pid_t lwp)
{
	struct proc_status status = { 0 };
	struct error *err = procfs_status(pid, lwp, &status);

	if (!err)
		err = owner_check_users(pid, status.uids);
	for (size_t i = 0; !err && i < sizeof(namespaces) / sizeof(*namespaces); i++)
		err = check_namespace(pid, lwp, namespaces[i].file, namespaces[i].name);
	return err;
}
