/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Live: a target over a running process. See the essay in target.h.
 */
#ifndef TARGET_LIVE_H
#define TARGET_LIVE_H

#include "target/process/launch.h"
#include "target/process/patch.h"
#include "target/process/target.h"

/*
 * A process that goes on running: its memory and its mappings can be read as far as the system
 * allows. target_attach() stops it. pid and errors as below, but for those of attaching itself.
 */
MUST_CHECK struct error *live_open(pid_t pid, struct target **ret);

/*
 * Attaches to every thread of a process and stops it. pid may be any of its threads.
 * NOT_FOUND: no such process. NOT_PERMITTED: with the reason and what to do about it.
 * UNSUPPORTED: a kernel thread, a zombie, another architecture. GONE: it ended meanwhile.
 */
MUST_CHECK struct error *live_attach(pid_t pid, struct target **ret);

/*
 * Of a process that nobody traces any more: clears the debug registers that a tracer has left in
 * its threads when it was killed. Who has just come to what they watch, or to a trap that has been
 * taken out since, goes on as if nothing had been. As live_attach().
 */
MUST_CHECK struct error *live_mend(pid_t pid);

/*
 * For still.c, in one call each: many lines (memory_gather in memory.h; the context is the target;
 * sites are not hidden), and the text of the mappings, which ret gets added; and what it says.
 */
size_t live_gather(void *process, const taddr *lines, size_t n, void *ret);
MUST_CHECK struct error *live_maps_text(struct target *process, struct buf *ret);
MUST_CHECK struct error *live_parse_maps(struct target *process, const struct buf *text,
					 struct map_list *ret);

/*
 * Whether there may be something that target_wait() would tell at once. false: all that was told
 * stands, and until somebody is resumed only the end by a SIGKILL can follow.
 */
bool live_may_tell(const struct target *process);

/*
 * For a tracer whose memory is read by somebody else: adds what is planted in it (false: out of
 * memory); the file of the memory, borrowed, and how often one was opened: after an exec it is
 * another one.
 */
bool live_patches(const struct target *process, struct patch_list *ret);
int live_memory_file(const struct target *process, unsigned int *ret_times);

/*
 * Starts a program in a process group of its own, stopped before its first instruction. It
 * dies with ompdb. NOT_FOUND, NOT_PERMITTED or OS: it could not be executed.
 */
MUST_CHECK struct error *live_launch(const struct launch_command *command, struct target **ret);

#endif
