/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Job_hosts: the same command on the other hosts of a job. A launcher (job/launcher.h) executes
 * "ompdb host-look COMMAND OPTION... TARGET" on each, whose answer comes back on its standard
 * output (job/host_lines.h). No port is opened, and nothing stays behind: host-look ends when
 * nobody hears it any more, or when it must be too late.
 */
#ifndef DEBUGGER_CLI_JOB_HOSTS_H
#define DEBUGGER_CLI_JOB_HOSTS_H

#include "debugger/cli/job_answers.h"
#include "debugger/cli/options.h"
#include "debugger/job/launcher.h"

/* What hosts are asked. */
struct job_hosts_work {
	struct option_words words; /* borrowed; the command, and its options */
	const char *launcher; /* a command (launcher.h); NULL: the first that is there           */
	const char *program;  /* ompdb's path there; NULL: the same as here                    */
	size_t deadline;      /* seconds                                                       */
};

/* Hosts that are being asked. */
struct asked_hosts {
	const struct job_hosts *hosts; /* borrowed */
	struct program *programs;      /* owned; one for each host, or one for all */
	size_t len;
	const char *launcher;  /* borrowed; NULL: there is none */
	size_t answers, ranks; /* of hosts that have answered; of ranks in them */
	struct buf in;         /* what launchers read */
	struct programs_options options;
	struct console_progress progress;
};
void asked_hosts_fini(struct asked_hosts *a);

/* Asks hosts; there may be none. Borrows them. USAGE: the launcher makes no sense, or ompdb's path
 * is nothing that can be said to another host. */
MUST_CHECK struct error *job_hosts_ask(const struct job_hosts *hosts,
				       const struct job_hosts_work *work, struct asked_hosts *ret);

/* Waits for their answers, and adds them; of hosts without one, why. found: what has come. */
MUST_CHECK struct error *job_hosts_hear(struct asked_hosts *hosts, struct answers *ret,
					size_t *ret_missing, struct outline *outline,
					struct buf *found);

/* On the host that is asked: ends this process when nobody reads its standard output any more, or
 * after that many seconds. */
void job_hosts_watch(size_t seconds);

/* Prints the answers of this host for the one that has asked; equals are counted. json: their texts
 * are objects. */
MUST_CHECK struct error *job_hosts_tell(const struct answers *answers, size_t missing, bool json);

/* The section HOSTS of the manual page. */
void job_hosts_add_man(struct buf *out);

#endif
