/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ompdb is killed at any moment while a tracer of its own traces a program: the program goes on as
 * if nothing had been. 100 deaths, each of another ompdb and another program;
 * OMPDB_DEATHS=1000 for more of them.
 */
#include "inferior.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "target/process/condition.h"

/* ---- what ompdb is about when it dies --------------------------------------------------- */

static void begin(const struct inferior *i, struct target **ret)
{
	if (traced_attach(i->pid, ret))
		_exit(1);
}

static void plant(struct target *t, const struct inferior *i)
{
	if (target_plant(t, inferior_symbol(i, "work")))
		_exit(1);
}

/* Whatever happens, until it is killed. */
static void go_on(struct target *t, enum resume_how how)
{
	struct event event;

	while (!target_resume(t, NULL, how) && !target_wait(t, -1, &event))
		;
	_exit(1);
}

static void run_through_a_breakpoint(const struct inferior *i, struct target *t)
{
	plant(t, i);
	go_on(t, RESUME_CONTINUE);
}

static bool can_watch; /* found out by a child, which is not to be taken for a tracer */

static void set(struct target *t, const struct inferior *i, struct point p, const char *where)
{
	p.id = 1;
	p.addr = inferior_symbol(i, where);
	if ((p.kind == POINT_CODE || can_watch) && target_set_point(t, &p))
		_exit(1);
	go_on(t, RESUME_CONTINUE);
}

static const uint8_t never[] = { CONDITION_PC, CONDITION_NOT };

static void run_through_a_false_condition(const struct inferior *i, struct target *t)
{
	set(t, i, (struct point){ .condition = never, .condition_size = sizeof(never) }, "work");
}

/* The bytes behind the code, through whose copies threads get over the site. */
static void run_through_copies(const struct inferior *i, struct target *t)
{
	struct map_list maps = { 0 };
	taddr work = inferior_symbol(i, "work");

	if (target_maps(t, &maps))
		_exit(1);
	taddr end = map_list_find(&maps, work)->end;
	if (target_lend(t, end - 256, end))
		_exit(1);
	run_through_a_false_condition(i, t);
}

static void watch(const struct inferior *i, struct target *t)
{
	set(t, i, (struct point){ .kind = POINT_WRITE, .size = 8 }, "watched");
}

static void watch_in_vain(const struct inferior *i, struct target *t)
{
	set(t, i,
	    (struct point){ .kind = POINT_ACCESS,
			    .size = 8,
			    .condition = never,
			    .condition_size = sizeof(never) },
	    "watched");
}

static void run_through_a_hard_breakpoint(const struct inferior *i, struct target *t)
{
	set(t, i, (struct point){ .kind = POINT_CODE_HARD }, "work");
}

static void step(const struct inferior *i, struct target *t)
{
	(void)i;
	go_on(t, RESUME_STEP);
}

static void step_over_a_breakpoint(const struct inferior *i, struct target *t)
{
	plant(t, i);
	for (int n = 0; n < 20; n++) {
		struct event event;
		if (target_resume(t, NULL, RESUME_CONTINUE) || target_wait(t, -1, &event))
			_exit(1);
	}
	go_on(t, RESUME_STEP);
}

static void attach_and_detach(const struct inferior *i, struct target *t)
{
	for (;;) {
		if (target_detach(t))
			_exit(1);
		target_free(t);
		begin(i, &t);
	}
}

static void stand_still(const struct inferior *i, struct target *t)
{
	struct event event;

	plant(t, i);
	while (!target_resume(t, NULL, RESUME_CONTINUE) && !target_wait(t, -1, &event)) {
		if (event.stop.kind == STOP_SITE)
			pause();
	}
	_exit(1);
}

static void catch_calls(const struct inferior *i, struct target *t)
{
	static const struct call_set calls = { .any = true, .all = true };

	(void)i;
	if (target_trace_calls(t, &calls))
		_exit(1);
	go_on(t, RESUME_CONTINUE);
}

/* As for a line of the source, while all others come to a breakpoint there. */
static void step_through_a_range(const struct inferior *i, struct target *t)
{
	uint64_t size;
	taddr work = inferior_function(i, "work", &size);
	struct event event;

	plant(t, i);
	while (!target_resume(t, NULL, RESUME_CONTINUE) && !target_wait(t, -1, &event)) {
		if (event.stop.kind == STOP_SITE &&
		    target_step_range(t, event.thread, work, work + size))
			_exit(1);
	}
	_exit(1);
}

/* Each becomes a target of its own, and is let go; those that share the memory never get there. */
static void follow_children(const struct inferior *i, struct target *t)
{
	struct event event;

	if (target_plant(t, inferior_symbol(i, "check")))
		_exit(1);
	while (!target_resume(t, NULL, RESUME_CONTINUE) && !target_wait(t, -1, &event)) {
		struct target *child = NULL;
		if (event.stop.kind == STOP_FORK || event.stop.kind == STOP_VFORK)
			error_ignore(target_take_child(t, (pid_t)event.stop.value, &child));
		if (child && target_detach(child))
			_exit(1);
		target_free(child);
	}
	_exit(1);
}

static void set_again_at_each_exec(const struct inferior *i, struct target *t)
{
	struct event event = { .stop.kind = STOP_EXEC };

	do {
		taddr entry = 0;
		if (event.stop.kind == STOP_EXEC &&
		    (target_auxv(t, AT_ENTRY, &entry) || target_plant(t, entry)))
			_exit(1);
	} while (!target_resume(t, NULL, RESUME_CONTINUE) && !target_wait(t, -1, &event));
	(void)i;
	_exit(1);
}

/* Of a process that job control has stopped: its threads step, and are sent back into it. */
static void step_in_a_group_stop(const struct inferior *i, struct target *t)
{
	struct event event;

	plant(t, i);
	for (size_t n = 0;; n++) {
		struct thread *th = t->threads.items[n % t->threads.len];
		if (target_resume(t, th, RESUME_STEP) || target_wait(t, -1, &event) ||
		    target_resume(t, NULL, RESUME_CONTINUE) || target_wait(t, 0, &event) ||
		    target_stop_all(t))
			_exit(1);
	}
}

enum program { BUSY, STOPPED, FORKERS, EXECS };

/* What ompdb is attached to, and in which state that is afterwards. Whoever is always another one
 * has no code that could be compared. */
static const struct {
	const char *name, *states;
	bool fleeting;
} programs[] = {
	[BUSY] = { "live_busy", "SR", false },
	[STOPPED] = { "live_busy", "T", false },
	[FORKERS] = { "forkers", "SRD", false },
	[EXECS] = { "exec_loop", "SR", true },
};

static const struct business {
	const char *name;
	void (*be_about)(const struct inferior *i, struct target *t);
	unsigned int moments; /* in microseconds after its birth, at most */
	enum program program;
} businesses[] = {
	{ "running through a breakpoint", run_through_a_breakpoint, 60000, BUSY },
	{ "a false condition", run_through_a_false_condition, 60000, BUSY },
	{ "copies", run_through_copies, 60000, BUSY },
	{ "a watchpoint", watch, 60000, BUSY },
	{ "a watchpoint with a false condition", watch_in_vain, 60000, BUSY },
	{ "a hard breakpoint", run_through_a_hard_breakpoint, 60000, BUSY },
	{ "stepping", step, 40000, BUSY },
	{ "stepping over a breakpoint", step_over_a_breakpoint, 60000, BUSY },
	{ "attaching", attach_and_detach, 30000, BUSY },
	{ "standing still", stand_still, 30000, BUSY },
	{ "calls that are caught", catch_calls, 60000, BUSY },
	{ "a range", step_through_a_range, 60000, BUSY },
	{ "children", follow_children, 60000, FORKERS },
	{ "programs that are replaced", set_again_at_each_exec, 60000, EXECS },
	{ "a stop by job control", step_in_a_group_stop, 40000, STOPPED },
};

/* ---- deaths ----------------------------------------------------------------------------- */

static void pass(unsigned int microseconds)
{
	struct timespec time = { .tv_nsec = microseconds * 1000L };

	nanosleep(&time, NULL);
}

static pid_t begin_ompdb(const struct inferior *i, const struct business *b)
{
	struct target *t;
	pid_t pid = fork();

	if (pid == 0) {
		begin(i, &t);
		b->be_about(i, t);
		_exit(1);
	}
	ck_assert_int_gt(pid, 0);
	return pid;
}

/*
 * The tracers of one that has died are children of this process then. They end by themselves when
 * they have let go, with a status that tells of no sanitizer.
 */
static void await_tracers(const struct inferior *i)
{
	for (;;) {
		int status;
		pid_t ended = waitpid(-1, &status, WNOHANG | __WALL);
		ck_assert_msg(ended != i->pid, "the program has ended with status %#x",
			      (unsigned int)status);
		if (ended > 0)
			ck_assert_int_eq(status, 0);
		AUTO_BUF children = { 0 };
		char path[64], alone[16];
		snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
		snprintf(alone, sizeof(alone), "%d ", i->pid);
		ck_assert_no_error(buf_add_file(&children, path, 4096));
		if (!strcmp(buf_text(&children), alone))
			return;
		if (ended <= 0)
			pass(200);
	}
}

static void die_once(const struct business *b, unsigned int *seed)
{
	AUTO_INFERIOR i;
	int status;

	ck_assert(inferior_start(&i, ARGS(programs[b->program].name)));
	if (b->program == STOPPED)
		ck_assert_int_eq(kill(i.pid, SIGSTOP), 0);
	pid_t ompdb = begin_ompdb(&i, b);
	pass((unsigned int)rand_r(seed) % b->moments);
	ck_assert_int_eq(kill(ompdb, SIGKILL), 0);
	ck_assert_int_eq(waitpid(ompdb, &status, 0), ompdb);
	ck_assert_msg(WIFSIGNALED(status), "%s: ompdb has ended before it was killed", b->name);
	await_tracers(&i);
	if (!programs[b->program].fleeting)
		inferior_check_untouched(&i, programs[b->program].states);
	if (b->program == STOPPED)
		ck_assert_int_eq(kill(i.pid, SIGCONT), 0);
	inferior_finish(&i);
}

static int deaths(void)
{
	const char *wanted = getenv("OMPDB_DEATHS");

	return (wanted ? atoi(wanted) : 100) / (int)COUNT(businesses) + 1;
}

START_TEST(the_program_goes_on_as_if_nothing_had_been)
{
	unsigned int seed = (unsigned int)_i;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (int n = 0; n < deaths(); n++)
		die_once(&businesses[_i], &seed);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tracer_deaths");

	can_watch = debug_registers_work();
	live_table(s, the_program_goes_on_as_if_nothing_had_been, 170, COUNT(businesses));
	return unit_run(s);
}
