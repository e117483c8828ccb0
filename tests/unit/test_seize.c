/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/seize.h"

#include "target/process/ptrace.h"
#include "unit.h"

enum { FIRST = 5000000 }; /* beyond any number of a real one */

static pid_t last = FIRST;
static bool late; /* one more is found by the second scan, and then no more */
static int scans, seized, seized_when_stopped;

/* They stand for the functions without the prefix: see meson.build. */
struct error *__wrap_procfs_tasks(pid_t pid, struct lwp_list *ret);
struct error *__wrap_ptrace_seize(pid_t lwp, enum ptrace_options options);
void __wrap_ptrace_guard_end(void);
void __real_ptrace_guard_end(void);

/* Another thread each time. */
struct error *__wrap_procfs_tasks(pid_t pid, struct lwp_list *ret)
{
	(void)pid;
	if (!late) {
		ck_assert(vec_push(ret, ++last));
		return NULL;
	}
	ck_assert(vec_push(ret, FIRST + 1));
	if (scans++)
		ck_assert(vec_push(ret, FIRST + 2));
	return NULL;
}

struct error *__wrap_ptrace_seize(pid_t lwp, enum ptrace_options options)
{
	(void)options;
	seized++;
	return late ? NULL : error_new(ERROR_GONE, "thread %d is gone", lwp);
}

/* Behind the last scan, before any is stopped. */
void __wrap_ptrace_guard_end(void)
{
	if (!seized_when_stopped)
		seized_when_stopped = seized;
	__real_ptrace_guard_end();
}

START_TEST(threads_that_are_always_gone_come_to_an_end)
{
	struct target target = { .pid = FIRST };
	struct tracees tracees = { .target = &target };
	AUTO_ERROR *err = NULL;

	ck_assert_no_error(ptrace_init());
	err = seize_all(&tracees);
	ck_assert(error_is(err, ERROR_UNSUPPORTED));
	ck_assert_ptr_nonnull(strstr(error_message(err), "kill -STOP 5000000"));
	tracees_fini(&tracees);
	target_fini(&target);
}
END_TEST

/* Who was made behind a scan by a thread that was not ours yet. */
START_TEST(threads_are_looked_for_until_none_is_new)
{
	struct target target = { .pid = FIRST };
	struct tracees tracees = { .target = &target };

	late = true;
	ck_assert_no_error(ptrace_init());
	ck_assert_no_error(seize_all(&tracees));
	ck_assert_int_eq(seized_when_stopped, 2);
	tracees_fini(&tracees);
	target_fini(&target);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("seize");

	unit_case(s, "scans", threads_are_looked_for_until_none_is_new);
	unit_case(s, "bounds", threads_that_are_always_gone_come_to_an_end);
	return unit_run(s);
}
