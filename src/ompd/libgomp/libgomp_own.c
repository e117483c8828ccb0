/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libgomp/libgomp_own.h"

#include "ompd/client/openmp.h"
#include "ompd/gomp/gomp_extra.h"
#include "ompd/picture/own_code.h"

enum own_state libgomp_own_number(const struct openmp *o, enum own_number which, struct buf *ret)
{
	struct own_code k;
	struct gomp_own own;

	/* What a region asks for is an argument of the call that begins it. */
	if (which == OWN_ASKED || !o->space || gomp_extra_own(o->space, &own) != ompd_rc_ok)
		return OWN_UNKNOWN;
	const uint64_t state = (uint64_t)own.state;
	own_code_begin(&k, which, ret);
	if (which == OWN_TEAM_SIZE)
		own_code_follow(&k, state + own.team);
	own_code_end(&k, which == OWN_TEAM_SIZE ? own.team_size
			 : which == OWN_TEAM    ? state + own.team
			 : which == OWN_LEVEL   ? state + own.level
						: state + own.number);
	return OWN_KNOWN;
}
