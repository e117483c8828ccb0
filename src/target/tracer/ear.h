/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ear: hears of Ctrl-C while a program has ompdb's terminal.
 *
 * The terminal sends SIGINT to the program's process group, and to nobody else; a program whose
 * threads all block it, or of which those that could take it stand, does not stop then. So a
 * process of ours joins that group. It hears what the terminal sends, and of nothing that programs
 * send.
 */
#ifndef TARGET_EAR_H
#define TARGET_EAR_H

#include <stdbool.h>
#include <sys/types.h>

struct ear {
	int fd;    /* owned; readable when it has heard something; -1: there is no ear */
	pid_t pid; /* of the process; 0: none                                          */
	pid_t program, group;
};
#define EAR_NONE                                                                                   \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* Into a group that a program has; nothing happens if it is there, or cannot get there. */
void ear_join(struct ear *e, pid_t program, pid_t group);
/* Unless it is that program's that it listens for. */
void ear_leave(struct ear *e, pid_t unless);

/* Whether it has heard something since this was asked last. */
bool ear_take(struct ear *e);

#endif
