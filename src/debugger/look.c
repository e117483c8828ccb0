/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/look.h"

#include <errno.h>
#include <time.h>

#include "target/process/gate.h"

enum { MORE_MAX = 8 }; /* looks beyond those asked for, at threads that spin */

void look_fini(struct look *l)
{
	snapshot_free(l->snapshot);
	progress_fini(&l->progress);
	*l = (struct look){ 0 };
}

struct visit {
	struct session *session;
	const struct snapshot_options *options;
	struct snapshot *ret; /* owned */
};

static struct error *take(void *context)
{
	struct visit *v = context;

	return snapshot_take(v->session, v->options, &v->ret);
}

/* A snapshot of one moment, by as many stops as it takes. */
static struct error *take_whole(struct session *s, const struct snapshot_options *options,
				struct snapshot **ret)
{
	struct visit v = { s, options, NULL };
	s->target->deep = options->judged;
	struct error *err = s->target->runs ? snapshot_rehearse(s, options) : NULL;

	if (err == &error_nomem)
		return err;
	error_ignore(err); /* attaching tells */
	gate_meet(s->target->gate, GATE_READY);
	do {
		snapshot_free(v.ret);
		v.ret = NULL;
		err = target_visit(s->target, take, &v);
	} while (!err && !target_is_whole(s->target));
	if (!err)
		*ret = v.ret;
	return err;
}

/* meter: NULL if nothing is compared. The look before ends: this one may drop what it borrows. */
static struct error *look(struct session *s, const struct snapshot_options *options,
			  struct progress_meter *meter, struct look *l)
{
	look_fini(l);
	struct error *err = take_whole(s, options, &l->snapshot);

	if (!err && meter)
		err = progress_add(meter, &l->snapshot->picture, l->snapshot->stacks->raw);
	return err;
}

struct error *look_once(struct session *s, const struct snapshot_options *options, struct look *ret)
{
	return look(s, options, NULL, ret);
}

static void pause_for(unsigned int milliseconds)
{
	struct timespec left = { .tv_sec = milliseconds / 1000,
				 .tv_nsec = milliseconds % 1000 * 1000000L };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

/* Lets the process run and measures it, then looks again. */
static struct error *look_again(struct session *s, const struct snapshot_options *options,
				struct progress_meter *meter, unsigned int interval, struct look *l)
{
	pid_t pid = s->target->pid;

	progress_begin(meter, pid);
	pause_for(interval);
	progress_end(meter, pid);
	struct error *err = look(s, options, meter, l);
	if (!error_is(err, ERROR_NOT_FOUND) && !error_is(err, ERROR_GONE))
		return err;
	error_free(err);
	return error_new(ERROR_GONE, "process %d has ended between two looks: it was not hung",
			 pid);
}

struct error *look_often(struct session *s, const struct snapshot_options *options,
			 unsigned int samples, unsigned int interval, struct look *ret)
{
	AUTO_PROGRESS_METER *meter = progress_new();
	bool lives = !s->target->core;

	if (!meter)
		return &error_nomem;
	struct error *err = look(s, options, meter, ret);
	for (unsigned int i = 1; !err && lives && i < samples; i++)
		err = look_again(s, options, meter, interval, ret);
	for (unsigned int i = 0; !err && lives && samples > 1 && i < MORE_MAX; i++) {
		if (!progress_is_open(meter))
			break;
		err = look_again(s, options, meter, interval / 2 + 1, ret);
	}
	return err ? err : progress_get(meter, &ret->progress);
}
