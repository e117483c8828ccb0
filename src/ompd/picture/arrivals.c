/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/arrivals.h"

#include <stdlib.h>

#include "base/cleanup.h"

/* Of a region's end, or of its other barriers. */
struct arrivals {
	long waiting;
	long arrived, total; /* as the runtime counts; total 0: not known */
	bool differs;        /* it gave several numbers                   */
};

static void note(struct arrivals *a, const struct picture_wait *wait)
{
	a->waiting++;
	if (!wait->total)
		return;
	a->differs |= a->total && (a->arrived != wait->arrived || a->total != wait->total);
	a->arrived = wait->arrived;
	a->total = wait->total;
}

static void settle(const struct arrivals *a, long size, struct picture_wait *wait)
{
	long arrived = a->total ? a->arrived : a->waiting;
	long total = a->total ? a->total : size;
	bool in_flux = a->differs || arrived < a->waiting || arrived > total;

	wait->arrived = in_flux ? 0 : arrived;
	wait->total = in_flux ? 0 : total;
}

bool arrivals_count(struct picture *p)
{
	AUTO_FREE struct arrivals(*all)[2] = calloc(p->regions.len + 1, sizeof(*all));

	for (int set = 0; all && set < 2; set++) {
		vec_for_each (th, &p->threads) {
			const struct picture_region *r = picture_region(p, th->region);
			if (!r || !wait_kind_traits(th->wait.kind)->is_barrier)
				continue;
			struct arrivals *a = &all[th->region][th->wait.kind == WAIT_REGION_END];
			if (set)
				settle(a, r->size, &th->wait);
			else
				note(a, &th->wait);
		}
	}
	return all;
}
