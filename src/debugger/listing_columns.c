/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/listing_columns.h"

#include <string.h>

/*
 * Of each listing: its columns, in order; which of them only tell rows apart; and those that are
 * left out first where lines are short.
 */
static const struct {
	const char *columns, *names, *spare;
} listings[NUM_LISTINGS] = {
	[LIST_THREADS] = { "thread lwp task state wait object holder function at",
			   "thread lwp task", "lwp task function" },
	[LIST_REGIONS] = { "region parent level size by kind construct function at doubt",
			   "region by", "kind function construct" },
	[LIST_TASKS] = { "task region thread kind state creator waits-for awaited-by unfinished "
			 "function "
			 "at "
			 "doubt",
			 "task thread", "function region awaited-by kind" },
	[LIST_WAITS] = { "thread lwp task wait object holder held arrived function at",
			 "thread lwp task", "lwp task function held" },
	[LIST_LOCKS] = { "kind object holder held waiters function at", "", "function held" },
	[LIST_BARRIERS] = { "region size kind arrived missing function at", "", "function size" },
	[LIST_STATES] = { "state wait count threads", "", "" },
	[LIST_ICVS] = { "icv value scope region task thread", "region task thread", "" },
	[LIST_LOOPS] = { "thread state first last now rest directive schedule function at",
			 "thread", "function" },
	[LIST_RUNTIMES] = { "runtime version status provider path", "", "provider status" },
};

/* The word n of a list of keys. */
static const struct listing_key *key_of_list(enum listing_kind kind, const char *list, size_t n)
{
	for (; n && *list; n--) {
		list += strcspn(list, " ");
		list += strspn(list, " ");
	}
	return listing_key(kind, list, strcspn(list, " "));
}

const struct listing_key *listing_column(enum listing_kind kind, size_t n)
{
	return key_of_list(kind, listings[kind].columns, n);
}

const struct listing_key *listing_spare(enum listing_kind kind, size_t n)
{
	return key_of_list(kind, listings[kind].spare, n);
}

bool listing_is_name(enum listing_kind kind, const struct listing_key *key)
{
	const struct listing_key *name;

	for (size_t n = 0; (name = key_of_list(kind, listings[kind].names, n)); n++) {
		if (name == key)
			return true;
	}
	return false;
}
