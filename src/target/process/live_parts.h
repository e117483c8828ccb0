/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of live.h: what they share of a live process. live.c makes and frees it, resumes and
 * stops; the others have the names of what they do.
 */
#ifndef TARGET_LIVE_PARTS_H
#define TARGET_LIVE_PARTS_H

#include "target/process/identity.h"
#include "target/process/live_files.h"
#include "target/process/tracees.h"

struct live {
	struct target base;
	struct tracees tracees;
	struct live_files files;
	struct identity identity; /* another process may get its number */
	uid_t uids[4];            /* when it was opened: set-user-ID programs change them */
	bool attached, launched;
	bool fresh; /* opened, and not attached to yet */
	bool mends; /* traps that are not there any longer were another tracer's */
};

static inline struct live *live_of(struct target *t)
{
	return (struct live *)t;
}

/* live.c: one that is not attached to anything yet; its tracees, without any. */
MUST_CHECK struct error *live_new(pid_t pid, const struct arch *arch, struct live **ret);
void live_init_tracees(struct live *l);

/* live_attach.c, live_child.c: as the functions of target.h. */
MUST_CHECK struct error *live_attach_to(struct target *t);
MUST_CHECK struct error *live_visit(struct target *t, visit_function *look, void *context);
MUST_CHECK struct error *live_take_child(struct target *t, pid_t pid, struct target **ret);

/* live_memory.c: opens what /proc shows of the process, asked of a thread that lives. */
MUST_CHECK struct error *live_open_files(struct live *l);

/* Memory as it is, with what is planted in it (context: the target), and as the program's own. */
size_t live_read_bytes(void *context, taddr from, void *ret, size_t len);
MUST_CHECK struct error *live_write_bytes(void *context, taddr to, const void *bytes, size_t len);
size_t live_read(void *context, taddr from, void *ret, size_t len);
MUST_CHECK struct error *live_write(struct target *t, taddr to, const void *bytes, size_t len);

/* As the functions of target.h. */
MUST_CHECK struct error *live_maps(struct target *t, struct map_list *ret);
MUST_CHECK struct error *live_auxv(struct target *t, struct buf *ret);
MUST_CHECK struct error *live_open_file(struct target *t, const struct map *map, struct file *ret);
MUST_CHECK struct error *live_check_own(struct target *t);
void live_thread_name(struct target *t, struct thread *th, char ret[64]);

#endif
