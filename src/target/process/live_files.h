/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Live_files: what /proc shows of a process: its memory, mappings, files. No ptrace.
 *
 * Everything is asked of one living thread (/proc/PID/task/LWP/...), because the files of a
 * leader that has exited are empty.
 */
#ifndef TARGET_LIVE_FILES_H
#define TARGET_LIVE_FILES_H

#include "base/file_root.h"
#include "target/process/procfs.h"

struct live_files {
	pid_t pid, lwp;      /* lwp: the living thread */
	int mem;             /* owned; /proc/PID/task/LWP/mem, -1: closed */
	bool held;           /* the numbers are theirs: ompdb is the tracer  */
	unsigned int opened; /* how often its memory was opened         */
};

/* Opens the memory of the process; again after an exec, which replaces it. */
MUST_CHECK struct error *live_files_open(struct live_files *f, pid_t pid, pid_t lwp);
void live_files_close(struct live_files *f);

/* As memory_source in memory.h. */
size_t live_files_read(struct live_files *f, taddr from, void *ret, size_t len);

/* As memory_gather in memory.h. */
size_t live_files_gather(const struct live_files *f, const taddr *lines, size_t n, void *ret);

MUST_CHECK struct error *live_files_maps_text(struct live_files *f, struct buf *ret);
/* sparse: as in procfs_parse_maps(). Looks at the links of the mappings, too. */
MUST_CHECK struct error *live_files_parse_maps(struct live_files *f, const struct buf *text,
					       bool sparse, struct map_list *ret);
MUST_CHECK struct error *live_files_maps(struct live_files *f, struct map_list *ret);
MUST_CHECK struct error *live_files_auxv(struct live_files *f, struct buf *ret);

/* Path of the program; *ret is the caller's. */
MUST_CHECK struct error *live_files_exe(struct live_files *f, char **ret);

/* As target_open_file() in target.h. */
MUST_CHECK struct error *live_files_open_map(struct live_files *f, struct file_root *root,
					     const struct map *map, struct file *ret);

#endif
