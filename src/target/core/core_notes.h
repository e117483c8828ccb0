/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_notes: what the notes of a core file say of its process: threads and their registers,
 * mapped files, auxiliary vector (core(5); Linux fs/binfmt_elf.c). Pure: bytes in, data out.
 *
 * The kernel and gcore write the same notes in a different order; both begin a new thread at each
 * NT_PRSTATUS, and what follows belongs to it.
 */
#ifndef TARGET_CORE_NOTES_H
#define TARGET_CORE_NOTES_H

#include <sys/types.h>

#include "target/cpu/arch.h"
#include "target/process/procfs.h"

struct core_bytes {
	const uint8_t *data; /* borrowed */
	size_t len;
};

struct core_thread {
	pid_t lwp;
	size_t order;                        /* place among the notes, from 0 on                 */
	struct core_bytes sets[NUM_REGSETS]; /* len 0: not in the core    */
};

struct core_notes {
	VEC(struct core_thread) threads;
	struct map_list maps;   /* owned; NT_FILE, without inodes and protections         */
	struct core_bytes auxv; /* len 0: none                                            */
	pid_t pid;              /* of the process; 0: not said                            */
	uid_t uid;              /* whose it was; 0: root's, or not said                   */
	gid_t gid;
	pid_t first;       /* LWP of the first thread, the one that got the signal   */
	int signal;        /* what NT_SIGINFO says of the first thread; 0: nothing   */
	char name[16 + 1]; /* of the process's first thread (comm)                   */
	char args[80 + 1]; /* the beginning of its command line                      */
};

void core_notes_fini(struct core_notes *n);

/*
 * Adds the notes of one PT_NOTE segment, which n borrows. BAD_DATA: they contradict themselves.
 * Mappings that cannot be are left out. After the last call, call core_notes_finish().
 */
MUST_CHECK struct error *core_notes_add(struct core_notes *n, const struct arch *arch,
					const void *bytes, size_t len);

/* Puts threads and maps in order, which may be done again; of threads with the same LWP, and of
 * overlaps, one stays. */
void core_notes_finish(struct core_notes *n);

/* The thread with that LWP; NULL: there is none. */
const struct core_thread *core_notes_find(const struct core_notes *n, pid_t lwp);

#endif
