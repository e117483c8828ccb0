/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/lock_calls.h"

#include "base/text.h"

/* Entries of the runtimes; longer names before those they begin with. */
static const struct {
	const char *start;
	enum wait_kind kind;
	enum flow_effect effect;
	unsigned int argument;
} entries[] = {
	{ "omp_set_lock", WAIT_LOCK, FLOW_TAKE, 0 },
	{ "omp_test_lock", WAIT_LOCK, FLOW_TRY, 0 },
	{ "omp_unset_lock", WAIT_LOCK, FLOW_GIVE, 0 },
	{ "omp_set_nest_lock", WAIT_NEST_LOCK, FLOW_TAKE, 0 },
	{ "omp_test_nest_lock", WAIT_NEST_LOCK, FLOW_TRY, 0 },
	{ "omp_unset_nest_lock", WAIT_NEST_LOCK, FLOW_GIVE, 0 },
	{ "GOMP_critical_name_start", WAIT_CRITICAL, FLOW_TAKE, 0 },
	{ "GOMP_critical_name_end", WAIT_CRITICAL, FLOW_GIVE, 0 },
	{ "GOMP_critical_start", WAIT_CRITICAL, FLOW_TAKE, FLOW_NO_ARGUMENT },
	{ "GOMP_critical_end", WAIT_CRITICAL, FLOW_GIVE, FLOW_NO_ARGUMENT },
	{ "__kmpc_critical", WAIT_CRITICAL, FLOW_TAKE, 2 },
	{ "__kmpc_end_critical", WAIT_CRITICAL, FLOW_GIVE, 2 },
	{ "__kmpc_set_lock", WAIT_LOCK, FLOW_TAKE, 2 },
	{ "__kmpc_test_lock", WAIT_LOCK, FLOW_TRY, 2 },
	{ "__kmpc_unset_lock", WAIT_LOCK, FLOW_GIVE, 2 },
	{ "__kmpc_set_nest_lock", WAIT_NEST_LOCK, FLOW_TAKE, 2 },
	{ "__kmpc_test_nest_lock", WAIT_NEST_LOCK, FLOW_TRY, 2 },
	{ "__kmpc_unset_nest_lock", WAIT_NEST_LOCK, FLOW_GIVE, 2 },
};

struct flow_call lock_calls_at(const struct runtime_list *runtimes, taddr target)
{
	const struct runtime *r = runtime_at(runtimes, target);
	const char *name = r ? runtime_function_at(runtimes, r, target) : NULL;

	for (size_t i = 0; name && i < sizeof(entries) / sizeof(*entries); i++) {
		if (text_starts_with(name, entries[i].start))
			return (struct flow_call){
				.effect = entries[i].effect,
				.kind = (int)entries[i].kind,
				.argument = entries[i].argument,
			};
	}
	return (struct flow_call){ .effect = FLOW_NOTHING };
}
