/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_picture.h"
#include "picture_fixture.h"

/* Waits ----------------------------------------------------------------------------------- */

enum { NOBODY = -1, MEMBER = 1, STRANGER = 2 };

static const struct {
	const char *one, *many;
	struct picture_wait wait;
} waits[] = {
	{ "runs", "run", { .holder = NOBODY } },
	{ "runs, spinning", "run, spinning", { .spinning = true, .holder = NOBODY } },
	{ "idle in the pool", "idle in the pool", { .kind = WAIT_IDLE, .holder = NOBODY } },
	{ "not woken yet", "not woken yet", { .kind = WAIT_DUE, .holder = NOBODY } },
	{ "waits at a barrier, explicit or implied",
	  "wait at a barrier, explicit or implied",
	  { .kind = WAIT_BARRIER, .holder = NOBODY } },
	{ "waits at barrier (3 of 4 arrived)",
	  "wait at barrier (3 of 4 arrived)",
	  { .kind = WAIT_EXPLICIT_BARRIER, .arrived = 3, .total = 4, .holder = NOBODY } },
	{ "waits at barrier (0 of 4 arrived), spinning",
	  "wait at barrier (0 of 4 arrived), spinning",
	  { .kind = WAIT_EXPLICIT_BARRIER, .total = 4, .spinning = true, .holder = NOBODY } },
	{ "waits at the end of the region (1 of 2 arrived)",
	  "wait at the end of the region (1 of 2 arrived)",
	  { .kind = WAIT_REGION_END, .arrived = 1, .total = 2, .holder = NOBODY } },
	{ "waits at the end of worksharing 'for'",
	  "wait at the end of worksharing 'for'",
	  { .kind = WAIT_WORKSHARE_END, .name = (char *)"for", .holder = NOBODY } },
	{ "waits in taskwait for child tasks",
	  "wait in taskwait for child tasks",
	  { .kind = WAIT_TASKWAIT, .holder = NOBODY } },
	{ "waits at the end of taskgroup for its tasks",
	  "wait at the end of taskgroup for its tasks",
	  { .kind = WAIT_TASKGROUP, .holder = NOBODY } },
	{ "waits for tasks that it depends on",
	  "wait for tasks that they depend on",
	  { .kind = WAIT_DEPENDENCE, .holder = NOBODY } },
	{ "waits for critical 'foo', probably held by 0.1",
	  "wait for critical 'foo', probably held by 0.1",
	  { .kind = WAIT_CRITICAL,
	    .name = (char *)"foo",
	    .holder = MEMBER,
	    .holder_source = SOURCE_INFERRED } },
	{ "waits for critical",
	  "wait for critical",
	  { .kind = WAIT_CRITICAL, .object = 0x10, .holder = NOBODY } },
	{ "waits for lock 0x55d0c0de0080, held by thread 4244",
	  "wait for lock 0x55d0c0de0080, held by thread 4244",
	  { .kind = WAIT_LOCK,
	    .object = 0x55d0c0de0080,
	    .holder = STRANGER,
	    .holder_source = SOURCE_MEMORY } },
	{ "waits for nest lock 'lk', held by 0.1",
	  "wait for nest lock 'lk', held by 0.1",
	  { .kind = WAIT_NEST_LOCK,
	    .object = 0x10,
	    .name = (char *)"lk",
	    .holder = MEMBER,
	    .holder_source = SOURCE_OMPD } },
	{ "waits for its turn at ordered, it is the turn of 0.1",
	  "wait for their turns at ordered, it is the turn of 0.1",
	  { .kind = WAIT_ORDERED, .holder = MEMBER, .holder_source = SOURCE_MEMORY } },
	{ "waits for atomic", "wait for atomic", { .kind = WAIT_ATOMIC, .holder = NOBODY } },
	{ "waits for the end of single, probably executed by 0.1",
	  "wait for the end of single, probably executed by 0.1",
	  { .kind = WAIT_SINGLE, .holder = MEMBER, .holder_source = SOURCE_INFERRED } },
	{ "waits for copyprivate of single",
	  "wait for copyprivate of single",
	  { .kind = WAIT_COPYPRIVATE, .holder = NOBODY } },
	{ "waits for an earlier iteration (doacross)",
	  "wait for an earlier iteration (doacross)",
	  { .kind = WAIT_DOACROSS, .holder = 99 } },
	{ "waits at the end of the teams region",
	  "wait at the end of the teams region",
	  { .kind = WAIT_TEAMS, .holder = NOBODY } },
	{ "waits for the event of a detached task",
	  "wait for the event of a detached task",
	  { .kind = WAIT_TASK_EVENT, .holder = NOBODY } },
	{ "passes a barrier",
	  "pass a barrier",
	  { .kind = WAIT_PASSING, .spinning = true, .holder = NOBODY } },
	{ "waits for the workers of its team",
	  "wait for the workers of its team",
	  { .kind = WAIT_TEAM_START, .holder = NOBODY } },
	{ "in the OpenMP runtime (GOMP_parallel)",
	  "in the OpenMP runtime (GOMP_parallel)",
	  { .kind = WAIT_RUNTIME, .api = "GOMP_parallel", .holder = NOBODY } },
	{ "waits for mutex 0x10 in pthread_mutex_lock(), held by thread 4244",
	  "wait for mutex 0x10 in pthread_mutex_lock(), held by thread 4244",
	  { .kind = WAIT_MUTEX,
	    .object = 0x10,
	    .name = (char *)"pthread_mutex_lock",
	    .holder = STRANGER,
	    .holder_source = SOURCE_MEMORY } },
	{ "waits for condition",
	  "wait for condition",
	  { .kind = WAIT_CONDITION, .holder = NOBODY } },
	{ "waits in pthread_join(), for the end of thread 4244",
	  "wait in pthread_join(), for the end of thread 4244",
	  { .kind = WAIT_JOIN,
	    .name = (char *)"pthread_join",
	    .holder = STRANGER,
	    .holder_source = SOURCE_MEMORY } },
	{ "in read(0)",
	  "in read(0)",
	  { .kind = WAIT_SYSCALL, .name = (char *)"read", .holder = NOBODY } },
	{ "in nanosleep()",
	  "in nanosleep()",
	  { .kind = WAIT_SYSCALL, .name = (char *)"nanosleep", .fd = -1, .holder = NOBODY } },
	{ "in a system call",
	  "in a system call",
	  { .kind = WAIT_SYSCALL, .fd = -1, .holder = NOBODY } },
	{ "in MPI_Recv()",
	  "in MPI_Recv()",
	  { .kind = WAIT_MPI, .name = (char *)"MPI_Recv", .holder = NOBODY } },
	{ "in MPI", "in MPI", { .kind = WAIT_MPI, .holder = NOBODY } },
	{ "busy-waits for a change in memory",
	  "busy-wait for a change in memory",
	  { .kind = WAIT_MEMORY, .spinning = true, .holder = NOBODY } },
	{ "crashed by SIGSEGV",
	  "crashed by SIGSEGV",
	  { .kind = WAIT_CRASHED, .name = (char *)"SIGSEGV", .holder = NOBODY } },
	{ "could not be looked at",
	  "could not be looked at",
	  { .kind = WAIT_UNKNOWN, .holder = NOBODY } },
};

/* Thread 0 is the one that waits; thread 1 is 0.1, thread 2 in no region. */
static void add_waiter(void)
{
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_thread(&world, ROLE_WORKER, 0, 1);
	world_add_thread(&world, ROLE_NONE, -1, -1);
}

START_TEST(each_wait_has_its_words)
{
	AUTO_BUF one = { 0 };
	AUTO_BUF many = { 0 };

	add_waiter();
	struct picture_wait before = world.picture.threads.items[0].wait;
	world.picture.threads.items[0].wait = waits[_i].wait;
	format_picture_wait(&one, &world.view, 0, false);
	format_picture_wait(&many, &world.view, 0, true);
	world.picture.threads.items[0].wait = before;
	ck_assert_str_eq(buf_text(&one), waits[_i].one);
	ck_assert_str_eq(buf_text(&many), waits[_i].many);
}
END_TEST

START_TEST(no_kind_of_wait_is_forgotten)
{
	bool tested[NUM_WAIT_KINDS] = { false };

	for (size_t i = 0; i < COUNT(waits); i++)
		tested[waits[i].wait.kind] = true;
	for (int kind = 0; kind < NUM_WAIT_KINDS; kind++)
		ck_assert_msg(tested[kind], "kind %d", kind);
}
END_TEST

static const struct {
	const char *text;
	const char *function, *file;
	int line;
} places[] = {
	{ "runs", "work", "/srv/u/src/app.c", 45 },
	{ "runs, at app.c:46", "work", "/srv/u/src/app.c", 46 },
	{ "runs, at other.c:45", "work", "/srv/u/src/other.c", 45 },
	{ "runs, at app.c", "work", "/srv/u/src/app.c", 0 },
	{ "runs", "work", NULL, 0 },
	{ "runs, in work2", "work2", NULL, 0 },
	{ "runs", NULL, NULL, 0 },
};

START_TEST(a_wait_below_a_stack_says_where_only_if_that_is_news)
{
	AUTO_BUF out = { 0 };

	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_frame(&world, "hidden", 0, NULL);
	world_add_frame(&world, "read", 0, NULL)->hidden = false;
	world_add_frame(&world, "work", 45, NULL);
	world.picture.threads.items[0].wait.place = (struct place){ .function = places[_i].function,
								    .file = places[_i].file,
								    .line = places[_i].line };
	format_picture_wait_below(&out, &world.view, 0, false);
	ck_assert_str_eq(buf_text(&out), places[_i].text);
}
END_TEST

/* Threads --------------------------------------------------------------------------------- */

START_TEST(sets_are_cut_behind_a_whole_number)
{
	AUTO_BUF out = { 0 };
	int threads[64];

	for (int i = 0; i < 64; i++) {
		threads[i] = world_add_thread(&world, ROLE_WORKER, i / 8, 2 * (i % 8));
	}
	format_picture_set(&out, &world.view, threads, 64);
	ck_assert_str_eq(buf_text(&out), "0.[0,2,4,6,8,10,12,14] 1.[0,2,4,6,8,10,12,14] "
					 "2.[0,2,4,6,8,10,...]");
	out.len = 0;
	format_picture_set(&out, &world.view, threads, 17);
	ck_assert_str_eq(buf_text(&out), "0.[0,2,4,6,8,10,12,14] 1.[0,2,4,6,8,10,12,14] 2.0");
}
END_TEST

START_TEST(threads_are_counted_where_there_are_several)
{
	AUTO_BUF out = { 0 };
	const int all[] = { 0, 1, 2 };

	add_waiter();
	format_picture_threads(&out, &world.view, all, 1);
	buf_addc(&out, '\n');
	format_picture_threads(&out, &world.view, all, 3);
	buf_addc(&out, '\n');
	format_picture_threads(&out, &world.view, all + 2, 1);
	ck_assert_str_eq(buf_text(&out), "thread 0.0\n3 threads: 0.[0,1] thread 4244\nthread 4244");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_picture");

	world_table(s, each_wait_has_its_words, waits);
	world_table(s, a_wait_below_a_stack_says_where_only_if_that_is_news, places);
	world_case(s, "waits", no_kind_of_wait_is_forgotten);
	world_case(s, "threads", sets_are_cut_behind_a_whole_number,
		   threads_are_counted_where_there_are_several);
	return unit_run(s);
}
