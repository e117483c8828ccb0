/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/exec_counter.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "target/process/debug_registers.h"

int exec_counter_open(pid_t lwp, taddr at)
{
	struct perf_event_attr what = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(what),
		.bp_type = HW_BREAKPOINT_X,
		.bp_addr = at,
		.bp_len = sizeof(long),
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	if (!debug_registers_work())
		return -1;
	return (int)syscall(SYS_perf_event_open, &what, lwp, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

bool exec_counter_is_risen(int counter)
{
	uint64_t times;

	return read(counter, &times, sizeof(times)) == (ssize_t)sizeof(times) && times;
}
