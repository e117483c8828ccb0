/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launcher: a program that starts others on other hosts, and is there already: ompdb has no network
 * of its own.
 *
 * It is a command whose word {host} stands for one host: it is called once for each; or whose word
 * {hosts} stands for all of them, with commas between: once for all, and what it reads is given to
 * all. {command} stands for the words that are to be executed there, which no shell takes for
 * anything else.
 */
#ifndef DEBUGGER_JOB_LAUNCHER_H
#define DEBUGGER_JOB_LAUNCHER_H

#include "base/programs.h"
#include "debugger/job/hosts.h"

struct launcher {
	const char *name;    /* of its program                                           */
	const char *command; /* its words, with blanks between                           */
	const char *needs;   /* a variable of the environment; NULL: none                 */
	const char *tried;   /* how it was tried, a sentence; for the manual page          */
};

/* In the order in which they are preferred; the last has no name. */
extern const struct launcher launchers[];

/* The first whose program is in $PATH, and what it needs in the environment; NULL: there is none.
 */
const struct launcher *launcher_find(void);

/* Whether it is called once for all hosts. */
bool launcher_takes_all(const char *command);

/*
 * The words of the program that reaches a host, or all (hosts[0] to [n-1]), and executes the
 * words there. USAGE: the command lacks {command}, or {host} and {hosts}.
 */
MUST_CHECK struct error *launcher_words(const char *command, const struct job_host *hosts, size_t n,
					const char *const *words, size_t nwords,
					struct program *ret);

/* Whether no shell takes it for anything but a word. */
bool launcher_is_word(const char *text);

#endif
