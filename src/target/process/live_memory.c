/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdlib.h>
#include <unistd.h>

#include "target/process/live.h"
#include "target/process/live_parts.h"
#include "target/process/owner.h"
#include "target/process/passing.h"
#include "target/process/ptrace.h"
#include "target/process/refusal.h"
#include "target/process/run.h"

/* A thread whose files in /proc tell about the process: not a leader that has exited. */
static pid_t living_thread(const struct live *l)
{
	vec_for_each (th, &l->base.threads) {
		if (thread_state_stands((*th)->state) || (*th)->state == THREAD_STUCK)
			return (*th)->lwp;
	}
	return 0;
}

/* Opens what /proc shows of the process, asked of a thread that lives. */
struct error *live_open_files(struct live *l)
{
	pid_t lwp = living_thread(l);

	if (!lwp)
		return refusal_explain(l->base.pid);
	free(l->base.exe); /* of an earlier attempt */
	l->base.exe = NULL;
	struct error *err = live_files_open(&l->files, l->base.pid, lwp);
	if (!err)
		err = live_files_exe(&l->files, &l->base.exe);
	return error_add(err, "process %d", l->base.pid);
}

/* The thread through which they are seen may have exited. */
static struct live_files *files_of(struct target *t)
{
	struct live *l = live_of(t);
	pid_t lwp = living_thread(l);

	if (lwp)
		l->files.lwp = lwp;
	return &l->files;
}

/*
 * Memory as it is, with what is planted in it. A thread that has not been reaped has its number,
 * which is all that reading needs.
 */
size_t live_read_bytes(void *context, taddr from, void *ret, size_t len)
{
	struct live *l = live_of(context);
	const struct thread *known = target_find_thread(&l->base, l->files.lwp);
	bool has_number = known && !thread_state_is_over(known->state);
	struct live_files *files = has_number ? &l->files : files_of(context);

	files->held = live_of(context)->attached;
	return live_files_read(files, from, ret, len);
}

struct error *live_write_bytes(void *context, taddr to, const void *bytes, size_t len)
{
	struct live *l = live_of(context);
	pid_t lwp = living_thread(l);

	if (pwrite(l->files.mem, bytes, len, (off_t)to) == (ssize_t)len)
		return NULL;
	/* Kernels may forbid writing through read-only mappings that way (proc_mem.force_override).
	 */
	if (lwp)
		return error_add(ptrace_poke(lwp, to, bytes, len), "writing to 0x%" PRIxTADDR, to);
	return error_new(ERROR_NO_ADDRESS, "cannot write to 0x%" PRIxTADDR, to);
}

size_t live_read(void *context, taddr from, void *ret, size_t len)
{
	return passing_read(&live_of(context)->tracees, from, ret, len);
}

struct error *live_write(struct target *t, taddr to, const void *bytes, size_t len)
{
	return passing_write(&live_of(t)->tracees, to, bytes, len);
}

size_t live_gather(void *process, const taddr *lines, size_t n, void *ret)
{
	return live_files_gather(files_of(process), lines, n, ret);
}

struct error *live_maps_text(struct target *process, struct buf *ret)
{
	return live_files_maps_text(files_of(process), ret);
}

struct error *live_parse_maps(struct target *process, const struct buf *text, struct map_list *ret)
{
	return live_files_parse_maps(files_of(process), text, false, ret);
}

bool live_may_tell(const struct target *process)
{
	return run_may_tell(&((const struct live *)process)->tracees);
}

bool live_patches(const struct target *process, struct patch_list *ret)
{
	const struct tracees *ts = &((const struct live *)process)->tracees;

	vec_for_each (site, &ts->sites) {
		if (!patch_list_add(ret, site->addr, site->original, ts->sites.arch->trap,
				    ts->sites.arch->trap_size))
			return false;
	}
	for (size_t i = 0; ts->copies.used && i < ts->copies.len; i++) {
		const struct copy *copy = &ts->copies.items[i];
		if (copy->insn && !patch_list_add(ret, copy->at, copy->before, NULL, copy->size))
			return false;
	}
	patch_list_sort(ret);
	return true;
}

int live_memory_file(const struct target *process, unsigned int *ret_times)
{
	const struct live_files *files = &((const struct live *)process)->files;

	*ret_times = files->opened;
	return files->mem;
}

struct error *live_maps(struct target *t, struct map_list *ret)
{
	return live_files_maps(files_of(t), ret);
}

struct error *live_auxv(struct target *t, struct buf *ret)
{
	return live_files_auxv(files_of(t), ret);
}

struct error *live_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return live_files_open_map(files_of(t), t->root, map, ret);
}

struct error *live_check_own(struct target *t)
{
	struct error *err = owner_check_users(t->pid, live_of(t)->uids);

	return err ? err : owner_check(t->pid, files_of(t)->lwp);
}

void live_thread_name(struct target *t, struct thread *th, char ret[64])
{
	procfs_thread_name(t->pid, th->lwp, ret);
	if (!identity_holds(&live_of(t)->identity))
		*ret = '\0';
}
