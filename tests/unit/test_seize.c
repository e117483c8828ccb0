/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/seize.h"

#include "target/process/ptrace.h"
#include "unit.h"

enum { FIRST = 5000000 }; /* beyond any number of a real one */

static pid_t last = FIRST;

/* They stand for the functions without the prefix: see meson.build. */
struct error *__wrap_procfs_tasks(pid_t pid, struct lwp_list *ret);
struct error *__wrap_ptrace_seize(pid_t lwp, enum ptrace_options options);

/* Another thread each time. */
struct error *__wrap_procfs_tasks(pid_t pid, struct lwp_list *ret)
{
	(void)pid;
	ck_assert(vec_push(ret, ++last));
	return NULL;
}

struct error *__wrap_ptrace_seize(pid_t lwp, enum ptrace_options options)
{
	(void)options;
	return error_new(ERROR_GONE, "thread %d is gone", lwp);
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

int main(void)
{
	Suite *s = suite_create("seize");

	unit_case(s, "bounds", threads_that_are_always_gone_come_to_an_end);
	return unit_run(s);
}
