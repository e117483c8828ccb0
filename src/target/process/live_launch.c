/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live.h"
#include "target/process/live_parts.h"
#include "target/process/ptrace.h"
#include "target/process/refusal.h"
#include "target/process/seize.h"

/* What a shell says of it stands on stderr. */
static struct error *explain_end(const struct launch_command *c, const struct stop *end)
{
	if (!c->shell || end->kind != STOP_EXITED)
		return error_new(ERROR_GONE, "it ended before it ran");
	if (end->value == 127) /* POSIX, "Exit Status for Commands" */
		return error_new(ERROR_NOT_FOUND, "the shell %s does not find it", c->shell);
	if (end->value == 126)
		return error_new(ERROR_NOT_PERMITTED, "the shell %s cannot execute it", c->shell);
	return error_new(ERROR_USAGE,
			 "the shell %s did not execute it but ended with status %ld: look at its "
			 "arguments, %s",
			 c->shell, end->value, c->arguments ? c->arguments : "");
}

static struct error *follow_execs(struct live *l, const struct launch_command *c)
{
	struct event event = { 0 };

	for (unsigned int left = launch_execs(c); left;) {
		struct error *err = target_wait(&l->base, -1, &event);
		if (err)
			return err;
		if (stop_is_end(&event.stop))
			return explain_end(c, &event.stop);
		left -= event.stop.kind == STOP_EXEC;
		if (left) {
			err = target_resume(&l->base, event.thread, RESUME_CONTINUE);
			if (err)
				return err;
		}
	}
	target_drop_gone(&l->base);
	struct proc_status status;
	return refusal_check(l->base.pid, &status, &l->base.arch);
}

/* Takes err. */
static struct error *explain_seize(pid_t pid, struct error *err)
{
	if (!error_is(err, ERROR_NOT_PERMITTED))
		return err;
	error_ignore(err);
	return refusal_explain(pid);
}

struct error *live_launch(const struct launch_command *command, struct target **ret)
{
	struct launch launch = { 0 };
	struct live *l = NULL;
	struct error *err = ptrace_init();

	if (!err)
		err = launch_fork(command, &launch);
	if (err)
		return err;
	err = live_new(launch.pid, &arch_x86_64, &l);
	if (err) {
		launch_abandon(&launch);
		return err;
	}
	l->launched = l->tracees.exit_kill = true;
	err = seize_running(&l->tracees, launch.pid);
	if (err) {
		err = explain_seize(launch.pid, err);
		launch_abandon(&launch);
	} else {
		launch_go(&launch);
		err = launch_finish(&launch, follow_execs(l, command));
	}
	if (err) {
		target_free(&l->base);
		return error_add(err, "running %s", command->argv[0]);
	}
	*ret = &l->base;
	return NULL;
}
