/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Procfs: /proc/PID as data. procfs.c reads the files; the parsers, procfs_parse.c, take text and
 * know no files, so tests feed them.
 *
 * Text from /proc is trusted to come from the kernel, names in it are not: they are kept as
 * they are and escaped where they are shown.
 */
#ifndef TARGET_PROCFS_H
#define TARGET_PROCFS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "target/cpu/arch.h"

enum map_flags {
	MAP_READ = 1,
	MAP_WRITE = 2,
	MAP_EXEC = 4,
	MAP_SHARED_ = 8,
	MAP_DELETED = 16,  /* the file has no name any longer */
	MAP_NO_FLAGS = 32, /* protection unknown (core files)  */
};

/* One mapping of the target: a line of /proc/PID/maps or an entry of a core's NT_FILE. */
struct map {
	taddr start, end; /* [start, end)                                    */
	uint64_t offset;  /* in the file, bytes                              */
	uint64_t inode;   /* 0: no file, or not known                        */
	uint32_t dev_major, dev_minor;
	unsigned int flags; /* enum map_flags                                  */
	char *path;         /* owned; "" for anonymous memory, or "[stack]"... */
};

/* Sorted by address, without overlaps. */
struct map_list {
	struct map *items;
	size_t len, cap;
};

void map_list_fini(struct map_list *l);

/* Adds a mapping at the end and takes its path, which is NULL where memory was out for it. */
MUST_CHECK struct error *map_list_take(struct map_list *l, struct map m);

/* The mapping that holds addr; NULL: none. */
const struct map *map_list_find(const struct map_list *l, taddr addr);

/* Cuts off what the kernel adds to the path of a file without a name; false: it did not. */
bool procfs_cut_deleted(const char *path, size_t *len);

/*
 * Parses the text of /proc/PID/maps, appending to ret. Lines it cannot read are BAD_DATA.
 * sparse: leaves out memory that has neither a name nor code, of which a process with thousands
 * of threads has thousands.
 */
MUST_CHECK struct error *procfs_parse_maps(const char *text, bool sparse, struct map_list *ret);

struct proc_status {
	char name[64]; /* comm, with the kernel's "\n" and "\\" undone     */
	char state;    /* R S D T t Z X I P                               */
	pid_t tgid, ppid, tracer;
	uid_t uids[4]; /* real, effective, saved, of files                  */
	gid_t gids[4];
	uint64_t cap_prm, cap_eff; /* capabilities, permitted and effective           */
	unsigned int threads;
	bool kernel_thread;           /* has no user memory and is no zombie             */
	unsigned int seccomp;         /* 0: none, 1: strict, 2: filters                  */
	unsigned int seccomp_filters; /* how many; 0 where the kernel does not say       */
	char features[64];            /* "shstk wrss": of the processor, for this thread */
	uint64_t caught;              /* signals that have handlers: a bit each, 1 for signal 1 */
	uint64_t voluntary_switches, forced_switches; /* of this thread alone             */
};

/* Parses the text of /proc/PID/status. Fields that are missing stay 0. */
void procfs_parse_status(const char *text, struct proc_status *ret);

/*
 * Reads /proc/PID/status, or /proc/PID/task/LWP/status when lwp is not 0. GONE, here and below:
 * no such process or thread.
 */
MUST_CHECK struct error *procfs_status(pid_t pid, pid_t lwp, struct proc_status *ret);

/* Of one thread, from /proc/PID/task/LWP/stat (proc_pid_stat(5): fields 3, 9, 14, 15 and 22). */
struct proc_stat {
	char state;
	unsigned long flags;   /* PF_* of the kernel's sched.h                       */
	uint64_t user_ticks;   /* CPU time in units of sysconf(_SC_CLK_TCK); 0 where   */
	uint64_t kernel_ticks; /* the text ends before it                             */
	uint64_t start_ticks;  /* when it began, since the system did; with the pid, its identity */
};
MUST_CHECK struct error *procfs_parse_stat(const char *text, struct proc_stat *ret);
MUST_CHECK struct error *procfs_stat(pid_t pid, pid_t lwp, struct proc_stat *ret);

/* The system call that a thread sleeps in; -1: none, or it cannot be told. */
long procfs_call(pid_t pid, pid_t lwp);

/* The thread is a kernel worker in a process's name (io_uring): it has no user stack. */
bool procfs_is_kernel_worker(const struct proc_stat *s);

/* How much a thread has run since it began. */
struct proc_use {
	uint64_t cpu_ns; /* CPU time                               */
	uint64_t runs;   /* how often it was put on a processor    */
};

/* Parses the text of a schedstat file. UNSUPPORTED: the kernel keeps no such numbers. */
MUST_CHECK struct error *procfs_parse_schedstat(const char *text, struct proc_use *ret);

/* The same from what every kernel has: less exact, and slow to read. */
struct proc_use procfs_coarse_use(const struct proc_stat *stat, const struct proc_status *status);

/* From whichever of those files the kernel offers. */
MUST_CHECK struct error *procfs_use(pid_t pid, pid_t lwp, struct proc_use *ret);

/* The LWPs of a process, ascending; replaces what ret holds. */
struct lwp_list {
	pid_t *items; /* owned */
	size_t len, cap;
};
void lwp_list_fini(struct lwp_list *l);

/* The thread that an entry of /proc/PID/task is; -1: none. */
pid_t procfs_parse_lwp(const char *name);

MUST_CHECK struct error *procfs_tasks(pid_t pid, struct lwp_list *ret);

/*
 * How many of them there are, without making a list: the kernel counts them as links of the
 * directory (proc_task_getattr() in fs/proc/base.c). 0: not known.
 */
size_t procfs_count_tasks(pid_t pid);

/* All processes of this system that ompdb can see, as above. */
MUST_CHECK struct error *procfs_processes(struct lwp_list *ret);

/*
 * A thread whose files tell about the process: the leader, or if that has exited another one. 0:
 * there is none.
 */
pid_t procfs_living_thread(pid_t pid);

/* Name of a thread (comm) without its newline; "" when it is gone. */
void procfs_thread_name(pid_t pid, pid_t lwp, char ret[64]);

#endif
