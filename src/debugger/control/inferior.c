/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/inferior.h"

#include <string.h>

#include "debugger/control/candidates.h"
#include "debugger/control/decide.h"
#include "debugger/control/loader.h"
#include "debugger/control/placing.h"
#include "debugger/control/resume.h"
#include "target/core/core.h"
#include "target/process/held.h"
#include "target/tracer/traced.h"

/* ---- starting --------------------------------------------------------------------------- */

struct strings {
	const char **items; /* owned; what they point to is borrowed */
	size_t len, cap;
};

static bool names(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(entry, name, len) && entry[len] == '=';
}

static bool is_replaced(const struct control_settings *s, const char *entry)
{
	vec_for_each (name, &s->unset) {
		if (names(entry, *name))
			return true;
	}
	vec_for_each (own, &s->environment) {
		size_t len = strcspn(*own, "=");
		if (!strncmp(entry, *own, len + 1))
			return true;
	}
	return false;
}

/* ompdb's own, as the settings change it; libomp is asked to keep what OMPD wants to know. */
static struct error *make_environment(const struct control_settings *s, struct strings *ret)
{
	static const char debug[] = "OMP_DEBUG=enabled";
	bool ok = true;

	for (char **e = environ; *e && ok; e++) {
		if (!is_replaced(s, *e))
			ok = vec_push(ret, *e);
	}
	vec_for_each (own, &s->environment)
		ok = ok && vec_push(ret, *own);
	if (ok && !s->no_omp_debug && !getenv("OMP_DEBUG") && !is_replaced(s, debug))
		ok = vec_push(ret, debug);
	return ok && vec_push(ret, NULL) ? NULL : &error_nomem;
}

/* Without a shell, the words of the arguments are what blanks part. */
static struct error *launch_words(const struct launch_command *with, struct target **ret)
{
	struct launch_command command = *with;
	AUTO_FREE char *args = strdup(with->arguments);
	struct strings argv = { 0 };
	char *save = NULL;
	bool ok = args && vec_push(&argv, with->argv[0]);

	for (char *w = ok ? strtok_r(args, " \t", &save) : NULL; ok && w;
	     w = strtok_r(NULL, " \t", &save))
		ok = vec_push(&argv, w);
	ok = ok && vec_push(&argv, NULL);
	command.argv = argv.items;
	command.shell = NULL;
	struct error *err = ok ? traced_launch(&command, ret) : &error_nomem;
	vec_fini(&argv);
	return err;
}

static struct error *launch(const struct control *c, struct target **ret)
{
	const struct control_settings *s = &c->settings;
	const char *argv[] = { c->program, NULL };
	const char *shell = getenv("SHELL");
	struct strings env = { 0 };
	struct error *err = make_environment(s, &env);
	const struct launch_command command = {
		.argv = argv,
		.env = env.items,
		.shell = shell && *shell ? shell : "/bin/sh",
		.arguments = s->args ? s->args : "",
		.directory = s->directory,
		.tty = s->terminal,
		.fds = { -1, -1, -1 },
		.foreground = !s->terminal,
		.keep_aslr = s->keep_aslr,
	};

	if (!err && s->no_shell)
		err = launch_words(&command, ret);
	else if (!err)
		err = traced_launch(&command, ret);
	vec_fini(&env);
	return err;
}

/* Takes a process, or a core file, that stands. */
static struct error *take(struct control *c, struct target *t, bool runs)
{
	struct error *err = session_new(t, &c->options, &c->live);

	if (err)
		return err;
	c->runs = runs;
	c->pid = t->pid;
	c->stands = true;
	frames_select(&c->frames, c->live, NULL, 0);
	races_fini(&c->races);
	if (!runs)
		return module_list_update(c->live->modules);
	vec_for_each (b, &c->breakpoints.items)
		breakpoint_forget(*b); /* what they know is of the program file */
	err = loader_begin(c);
	return err ? err : placing_renew(c);
}

/* Where it stands now. */
static struct error *begin(struct control *c, struct stop_report *ret)
{
	const struct target *t = c->live->target;
	struct error *err = threads_update(&c->threads, t);

	if (err)
		return err;
	pid_t wanted = t->first ? t->first : t->pid;
	if (t->threads.len)
		control_select_lwp(
			c, target_find_thread(t, wanted) ? wanted : t->threads.items[0]->lwp, 0);
	stop_report_fini(ret);
	return control_report(c, ret);
}

/* Takes err; what has begun is ended. */
static struct error *undo(struct control *c, struct error *err)
{
	if (err && c->live)
		error_ignore(placing_end(c));
	return err;
}

static void forget_hits(struct control *c)
{
	vec_for_each (b, &c->breakpoints.items)
		(*b)->hits = 0;
}

struct error *inferior_set_program(struct control *c, const char *path)
{
	struct error *err = control_set_program(c, path);

	if (err || c->live)
		return err;
	vec_for_each (b, &c->breakpoints.items)
		breakpoint_forget(*b);
	return placing_renew(c);
}

struct error *inferior_renew_program(struct control *c)
{
	AUTO_FREE char *path = c->program ? strdup(c->program) : NULL;

	if (!c->program)
		return NULL;
	return path ? inferior_set_program(c, path) : &error_nomem;
}

struct error *inferior_run(struct control *c, bool stands, struct stop_report *ret)
{
	struct target *t;
	pid_t pid;

	if (!c->program)
		return error_new(ERROR_USAGE, "No executable file specified.  Use the \"file\" "
					      "or \"exec-file\" command.");
	struct error *err = c->live ? inferior_kill(c, &pid) : NULL;
	if (inferior_forget_lost(c)) {
		control_warn(c, err);
		err = NULL;
	}
	forget_hits(c);
	if (!err)
		err = launch(c, &t);
	if (!err)
		err = take(c, t, true);
	if (!err)
		err = begin(c, ret);
	if (err)
		return undo(c, err);
	return stands ? NULL : resume_continue(c, 1, ret);
}

/* ---- attaching -------------------------------------------------------------------------- */

static struct error *go_on_as_before(struct control *c, void *self)
{
	(void)self;
	return target_resume(c->live->target, NULL, RESUME_CONTINUE);
}

/* It stops when it executes, after all that follows from that. */
static struct error *stop_at_exec(struct control *c, void *self, const struct event *event,
				  struct stop_report *r, pid_t *ret_lwp, bool *ret_stops,
				  bool *ret_own)
{
	(void)self;
	(void)ret_lwp;
	if (event->stop.kind != STOP_EXEC)
		return NULL;
	*ret_own = true;
	struct error *err = decide_event(c, event, r, ret_stops);
	if (!err && !*ret_stops) {
		*ret_stops = true;
		r->kind = STOPPED_STANDS;
	}
	return err;
}

static struct error *wait_on(struct control *c, void *self, struct stop_report *r, pid_t *ret_lwp,
			     bool *ret_stops)
{
	(void)c;
	(void)self;
	(void)r;
	(void)ret_lwp;
	(void)ret_stops;
	return NULL;
}

/* What waits to become a program becomes it, and stands before its first instruction. */
static struct error *become_program(struct control *c, struct stop_report *ret)
{
	const struct driver driver = { .go_on = go_on_as_before,
				       .take = stop_at_exec,
				       .look = wait_on };

	held_let_go(c->pid);
	return resume_driven(c, &driver, ret);
}

struct error *inferior_attach(struct control *c, pid_t pid, struct stop_report *ret)
{
	struct target *t;

	if (c->live)
		return error_new(ERROR_USAGE, "there is a process already: 'detach' or 'kill' it "
					      "first");
	struct error *err = traced_attach(pid, &t);
	if (err)
		return err;
	c->attached = true;
	err = take(c, t, true);
	err = undo(c, err ? err : begin(c, ret));
	return err || !held_is(pid) ? err : become_program(c, ret);
}

struct error *inferior_core(struct control *c, const char *path, struct stop_report *ret)
{
	struct target *t;

	if (control_is_live(c))
		return error_new(ERROR_USAGE, "there is a process already: 'detach' or 'kill' it "
					      "first");
	const struct core_places places = {
		.exe = c->program,
		.root = c->settings.sysroot && *c->settings.sysroot ? c->settings.sysroot : NULL,
		.search_path = c->settings.search_path,
	};
	struct error *err = core_open_from(path, &places, &t);
	if (!err && c->live)
		err = placing_end(c);
	if (!err)
		err = take(c, t, false);
	err = undo(c, err ? err : begin(c, ret));
	if (err)
		return err;
	const struct thread *th = control_selected_thread(c);
	ret->kind = STOPPED_CORE;
	ret->signal = th && th->stop.kind == STOP_SIGNAL ? (int)th->stop.value : 0;
	return NULL;
}

/* ---- ending ----------------------------------------------------------------------------- */

struct error *inferior_detach(struct control *c, pid_t *ret_pid)
{
	pid_t pid = c->pid;

	if (!c->live)
		return control_need_live(c);
	placing_count(c);
	struct error *err = target_detach(c->live->target);
	if (err)
		return err;
	candidates_end(c, false);
	*ret_pid = pid;
	return placing_end(c);
}

struct error *inferior_kill(struct control *c, pid_t *ret_pid)
{
	pid_t pid = c->pid;

	if (!c->live)
		return control_need_live(c);
	placing_count(c);
	struct error *err = c->runs ? target_kill(c->live->target) : NULL;
	if (err)
		return err;
	candidates_end(c, true);
	*ret_pid = pid;
	return placing_end(c);
}

int inferior_tracer_fd(const struct control *c)
{
	return c->live && c->runs ? target_wait_fd(c->live->target) : -1;
}

struct error *inferior_lose(struct control *c)
{
	/* Whatever is asked of it now: the answer is what has become of the program. */
	struct error *err = target_detach(c->live->target);

	error_ignore(placing_end(c));
	return err ? err : error_new(ERROR_GONE, "the program is not traced any longer");
}

bool inferior_forget_lost(struct control *c)
{
	if (!c->live || !c->runs || traced_tracer(c->live->target))
		return false;
	error_ignore(placing_end(c));
	return true;
}
