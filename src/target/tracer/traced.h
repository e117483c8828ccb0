/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Traced: a live process that is traced by a process of its own (tracer.h), as a target of ompdb.
 *
 * The tracer owns threads, sites, steps and debug registers, and does all that stops, runs or
 * changes the program; what is asked of this target goes there over a socket (protocol.h). Memory,
 * mappings and files are read here, so that looking costs what it costs without a tracer: memory
 * through a file that the tracer hands over, with what is planted in it hidden. Of registers the
 * first thread's are asked for alone, and then those of all together.
 *
 * What differs from a target of live.h:
 *
 *  - When target_wait() tells an event, all threads stand still, but for STOP_CLONE: the
 *    target_stop_all() after it is free.
 *  - target_wait() is ended with STOP_NONE also by a signal for ompdb that has a handler.
 *  - When ompdb ends in any way, what it had attached to goes on as if nothing had been; what it
 *    had launched is killed.
 *  - When the tracer ends (it is killed), its socket hangs up (target_wait_fd()), and all that
 *    needs it is GONE, with a sentence that says what became of the program. What was launched is
 *    killed by the kernel then; of what was attached to, traps are taken out and debug registers
 *    cleared as soon as ompdb notices, for which it may be sent SIGSTOP and SIGCONT; threads that
 *    come to one before that, or are in the middle of a step, kill it. ompdb notices before they go
 *    on, or just after that: nothing is for sure.
 */
#ifndef TARGET_TRACED_H
#define TARGET_TRACED_H

#include "target/process/launch.h"
#include "target/process/target.h"

/* As live_attach() and live_launch(), with the same errors; and OS: no tracer can be started. */
MUST_CHECK struct error *traced_attach(pid_t pid, struct target **ret);
MUST_CHECK struct error *traced_launch(const struct launch_command *command, struct target **ret);

/* The process that traces such a target, for messages and tests. */
pid_t traced_tracer(const struct target *t);

#endif
