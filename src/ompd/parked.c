/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/parked.h"

#include "target/code/call_site.h"

void parked_read(struct target *t, struct thread *th, const struct runtime_list *runtimes,
		 struct parked *ret)
{
	uint64_t pc = 0;

	*ret = (struct parked){ 0 };
	if (th->state != THREAD_STOPPED || th->kernel_worker)
		return;
	ret->blocked = blocked_get(t, th);
	if (ret->blocked.in_call) {
		if (!blocked_on_futex(t, &ret->blocked, &ret->address))
			ret->address = 0;
		return;
	}
	error_ignore(target_get_uint(t, th, t->arch->pc, &pc));
	if (runtime_code_at(runtimes, pc) == CODE_RUNTIME)
		ret->polling = call_site_polls(t, th, &ret->address);
}
