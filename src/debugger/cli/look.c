/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/look.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "debugger/cli/options.h"
#include "target/core/core.h"
#include "target/process/live.h"

enum { MORE_MAX = 8 }; /* looks beyond those asked for, at threads that spin */

void look_fini(struct look *l)
{
	snapshot_free(l->snapshot);
	target_free(l->target);
	progress_fini(&l->progress);
	*l = (struct look){ 0 };
}

/* name: a process id, or the path of a core file. */
static struct error *open_target(const char *name, const char *exe, struct target **ret)
{
	size_t pid;

	if (name[strspn(name, "0123456789")]) {
		if (access(name, F_OK) < 0 && errno == ENOENT)
			return error_new(ERROR_NOT_FOUND,
					 "there is no file '%s': a target is a process id or the "
					 "path of a core file",
					 name);
		return core_open(name, exe, ret);
	}
	if (exe)
		return error_new(ERROR_USAGE,
				 "option '--exe' is for core files: process %s says "
				 "itself what its program is",
				 name);
	struct error *err = options_parse_size(name, 1, INT_MAX, &pid);
	if (!err)
		return live_attach((pid_t)pid, ret);
	error_ignore(err);
	return error_new(ERROR_NOT_FOUND, "there is no process %s: 'ps -e' lists them all", name);
}

/* meter: NULL if nothing is compared. */
static struct error *look(const struct look_source *source, struct progress_meter *meter,
			  struct look *ret)
{
	struct error *err = open_target(source->target, source->exe, &ret->target);

	if (err)
		return err;
	err = snapshot_take(ret->target, source->snapshot, &ret->snapshot);
	if (!err && meter)
		err = progress_add(meter, ret->snapshot);
	/* A thread that cannot be detached is dead, or the kernel releases it when ompdb ends. */
	error_ignore(target_detach(ret->target));
	return err;
}

struct error *look_once(const struct look_source *source, struct look *ret)
{
	return look(source, NULL, ret);
}

static void pause_for(unsigned int milliseconds)
{
	struct timespec left = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Lets the process run and measures it, then looks again. */
static struct error *look_again(const struct look_source *source, struct progress_meter *meter,
				unsigned int interval, struct look *l)
{
	pid_t pid = l->target->pid;

	look_fini(l);
	struct error *err = progress_begin(meter, pid);
	if (err)
		return err;
	pause_for(interval);
	err = progress_end(meter, pid);
	if (!err)
		err = look(source, meter, l);
	if (!error_is(err, ERROR_NOT_FOUND) && !error_is(err, ERROR_GONE))
		return err;
	error_free(err);
	return error_new(ERROR_GONE, "process %d has ended between two looks: it was not hung",
			 pid);
}

struct error *look_often(const struct look_source *source, unsigned int samples,
			 unsigned int interval, struct look *ret)
{
	struct progress_meter *meter = progress_new();

	if (!meter)
		return &error_nomem;
	struct error *err = look(source, meter, ret);
	bool lives = !err && !ret->snapshot->stacks->core;
	for (unsigned int i = 1; !err && lives && i < samples; i++)
		err = look_again(source, meter, interval, ret);
	for (unsigned int i = 0; !err && lives && samples > 1 && i < MORE_MAX; i++) {
		if (!progress_is_open(meter))
			break;
		err = look_again(source, meter, interval / 2 + 1, ret);
	}
	if (!err)
		err = progress_get(meter, &ret->progress);
	progress_free(meter);
	return err;
}
