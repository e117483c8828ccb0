/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live_root.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "target/process/procfs.h"

enum { STATUS_MOST = 1 << 20 };

/* Names cannot begin a line: their "\n" is escaped. */
static struct error *read_groups(const char *text, struct file_groups *ret)
{
	static const char key[] = "\nGroups:";
	const char *p = strstr(text, key);
	char *end;

	if (!p)
		return error_new(ERROR_BAD_DATA, "whose process it is cannot be seen");
	for (p += strlen(key); *p && *p != '\n'; p = end) {
		p += strspn(p, " \t");
		gid_t id = (gid_t)strtoul(p, &end, 10);
		if (end == p || *p == '\n')
			break;
		if (!vec_push(ret, id))
			return &error_nomem;
	}
	return NULL;
}

struct error *live_root_owner(const char *text, struct file_owner *ret)
{
	struct proc_status status = { 0 };
	size_t i = 0;

	procfs_parse_status(text, &status);
	while (i < 3 && !status.uids[i])
		i++;
	ret->uid = status.uids[i];
	ret->gid = status.gids[i];
	return read_groups(text, &ret->groups);
}

/* -1: nobody has one. */
static int open_root(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/root", pid, procfs_living_thread(pid));
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void live_root_set(pid_t pid, struct file_root *root)
{
	AUTO(file_owner_fini) struct file_owner owner = { 0 };
	AUTO_BUF text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	struct error *err = buf_add_file(&text, path, STATUS_MOST);
	int folder = open_root(pid);
	if (!err)
		err = live_root_owner(buf_text(&text), &owner);
	if (err)
		log_debug(LOG_MODULE, "process %d: %s", pid, error_message(err));
	file_root_set(root, folder, err || folder < 0 ? NULL : &owner);
	error_ignore(err);
}
