/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Terminal: ompdb's own, which a program that it has launched has while it runs.
 *
 * A program's process group is in the foreground then, so that it can read, and that Ctrl-C is for
 * it. While ompdb is in the background itself, or without a terminal, all of this does nothing, and
 * never stops ompdb (SIGTTOU).
 */
#ifndef TARGET_TERMINAL_H
#define TARGET_TERMINAL_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct terminal {
	int fd;      /* owned; -1: there is none                                         */
	pid_t group; /* the program's group that is in the foreground; 0: ompdb's own is */
	struct termios ours, its; /* modes                                               */
	bool its_known;
	pid_t its_group; /* which of its groups had it: shells make others */
};

/* At the beginning, before there is a program: the controlling terminal, if there is one. */
void terminal_open(struct terminal *t);
void terminal_close(struct terminal *t);

/* ompdb is in the foreground: what it launches may be (launch.h). */
bool terminal_is_ours(const struct terminal *t);

/* A program has been launched into the foreground: what it does to the terminal is its own affair.
 */
void terminal_given(struct terminal *t, pid_t group);

/* Before the program goes on; with the modes that it had set when it stopped. */
void terminal_give(struct terminal *t, pid_t group);

/* When it has stopped or ended; with ompdb's own modes. */
void terminal_take(struct terminal *t);

#endif
