/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Inferior: a test program, alone or under a target, and what its keepers may check of it.
 *
 * Programs come from testprogs/ (the folder is in $TESTPROGS) and follow testprog.h there: they
 * write "ready", and lines before it, end when their stdin ends, and their exit status says
 * whether they were disturbed. All functions fail the running test when something goes wrong.
 * Each test starts its own: Check runs it in a process of its own, and the programs die with it.
 */
#ifndef LIVE_INFERIOR_H
#define LIVE_INFERIOR_H

#include "../unit/unit.h"
#include "base/buf.h"
#include "target/process/live.h"
#include "target/tracer/traced.h"

enum { PATIENCE_S = 20 }; /* longer than anything takes that works */

struct inferior {
	char *path; /* owned; file of the program                   */
	pid_t pid;
	int in, out;     /* owned; its stdin and stdout, -1: closed */
	struct buf said; /* owned; what came from its stdout so far     */
};

void inferior_fini(struct inferior *i);
#define AUTO_INFERIOR AUTO(inferior_fini) struct inferior

/* A list of arguments; the first is a name in $TESTPROGS, or a path. */
#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Starts a program and waits until it is ready. false: this machine cannot do what it is about. */
bool inferior_start(struct inferior *i, const char *const *args);

/* Stops all threads of a started program, as ompdb does. */
struct target *inferior_attach(const struct inferior *i);

/* Starts a program under a target, stopped before its first instruction. */
struct target *inferior_launch(struct inferior *i, const char *const *args);

/*
 * As the functions of live.h; or of traced.h, if OMPDB_TRACED is set in the environment: the same
 * tests run through a tracer then. The tracer's process is this one in the first case.
 */
struct error *attach_target(pid_t pid, struct target **ret);
struct error *launch_target(const struct launch_command *command, struct target **ret);
bool is_traced(void);
pid_t tracer_process(const struct target *t);

/* Fails unless no process is left that was launched, made or attached to. */
void check_none_left(const struct target *t);

/* Takes what it has written by now; false: that was all. */
bool inferior_listen(struct inferior *i);

/* Waits until it has written "ready" after byte "from" of what it says. */
void inferior_await_ready(struct inferior *i, size_t from);

/* The word after a word that it wrote, as a number: "counters 0x4010". */
uint64_t inferior_value(const struct inferior *i, const char *word);

/* Writes one byte to its stdin. */
void inferior_poke(const struct inferior *i);

/* Ends its stdin and waits for its end, which must be the exit with that status. */
void inferior_finish_with(struct inferior *i, int status);
void inferior_finish(struct inferior *i);

/* Address of a symbol of the program, by its file and its mappings. */
taddr inferior_symbol(const struct inferior *i, const char *name);
taddr inferior_function(const struct inferior *i, const char *name, uint64_t *ret_size);

/* Reads its memory beside the target, whether it is stopped or not. */
uint64_t inferior_peek(const struct inferior *i, taddr from);

/* Waits until a thread is in one of the states (letters of proc(5)); lwp 0: the leader. */
void inferior_await_state(pid_t pid, pid_t lwp, const char *states);

/* Waits until all its threads sleep. */
void inferior_await_sleep(const struct inferior *i);

/*
 * Fails unless nothing has been left behind: no thread is traced, the leader comes to be in one of
 * the states, and all its code is what the files say.
 */
void inferior_check_untouched(const struct inferior *i, const char *states);

/* What a target told, by kind. */
struct told {
	unsigned int of[STOP_RETURN + 1];
};

/* Resumes all threads, again after each event, until one of that kind comes, which it returns. */
struct event run_until(struct target *t, enum stop_kind kind, struct told *told);

/* Runs the target until the program is ready; stops all threads then. */
void run_until_ready(struct target *t, struct inferior *i, struct told *told);

/* Ends its stdin and runs it to its end, which must be the exit with status 0. */
void run_to_end(struct target *t, struct inferior *i, struct told *told);

/* The next event; fails when none comes. */
struct event wait_event(struct target *t);

/* How many threads are in that state; STOPPED counts all that stand still. */
size_t count_threads(const struct target *t, enum thread_state state);

/* live_case(suite, "attaching", seconds, one_test, another_test): seconds for each of them. */
#define live_case(suite, name, seconds, ...)                                                       \
	live_add_case(suite, name, seconds, (const TTest *const[]){ __VA_ARGS__, NULL })

static inline void live_add_case(Suite *s, const char *name, double seconds,
				 const TTest *const *tests)
{
	TCase *tc = tcase_create(name);

	suite_add_tcase(s, tc);
	tcase_set_timeout(tc, seconds);
	for (; *tests; tests++)
		tcase_add_test(tc, *tests);
}

/* One test for each row of a table; the test's row number is _i. */
#define live_table(suite, test, seconds, rows)                                                     \
	do {                                                                                       \
		TCase *its_case = tcase_create(#test);                                             \
		suite_add_tcase(suite, its_case);                                                  \
		tcase_set_timeout(its_case, seconds);                                              \
		tcase_add_loop_test(its_case, test, 0, (int)(rows));                               \
	} while (0)

#endif
