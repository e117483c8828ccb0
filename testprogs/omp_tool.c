/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A tool of the program's own, which the runtime calls (OMPT): one of its callbacks gets stuck. */
#include <omp-tools.h>

#include "testprog_omp.h"

static const char *stuck = "";

static NOINLINE void observe(const char *callback)
{
	if (!strcmp(stuck, callback) && omp_get_thread_num() == omp_get_num_threads() - 1) {
		wait_for_arrivals(omp_in_parallel() ? team - 1 : 0);
		ready();
		block(); /* MARK: observed */
	}
	KEEP_FRAME();
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
			      unsigned int wished, int flags, const void *from)
{
	(void)task, (void)frame, (void)region, (void)wished, (void)flags, (void)from;
	observe("region"); /* MARK: region begins */
	KEEP_FRAME();
}

static void on_implicit_task(ompt_scope_endpoint_t end, ompt_data_t *region, ompt_data_t *task,
			     unsigned int size, unsigned int number, int flags)
{
	(void)region, (void)task, (void)size, (void)number;
	if (end == ompt_scope_begin && flags & ompt_task_implicit)
		observe("implicit"); /* MARK: implicit task begins */
	KEEP_FRAME();
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *made,
			   int flags, int depends, const void *from)
{
	(void)task, (void)frame, (void)made, (void)depends, (void)from;
	if (flags & ompt_task_explicit)
		observe("task"); /* MARK: task is made */
	KEEP_FRAME();
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t end, ompt_data_t *region,
		    ompt_data_t *task, const void *from)
{
	(void)kind, (void)region, (void)task, (void)from;
	if (end == ompt_scope_begin)
		observe("barrier"); /* MARK: barrier begins */
	KEEP_FRAME();
}

static int begin_tool(ompt_function_lookup_t find, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)find("ompt_set_callback");

	(void)device, (void)data;
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
	set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
	return 1;
}

static void end_tool(ompt_data_t *data)
{
	(void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime)
{
	static ompt_start_tool_result_t tool = { begin_tool, end_tool, { 0 } };

	(void)version, (void)runtime;
	return &tool;
}

static NOINLINE void work(void)
{
	arrive();
	if (omp_get_thread_num() == team - 1) {
#pragma omp task /* MARK: task */
		KEEP_FRAME();
	}
#pragma omp barrier /* MARK: barrier */
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	die_with_parent();
	stuck = argc > 1 ? argv[1] : "";
	team = 3;
	omp_set_dynamic(0);
#pragma omp parallel num_threads(team) /* MARK: parallel */
	{
		work(); /* MARK: work */
		KEEP_FRAME();
	}
	return 0;
}
