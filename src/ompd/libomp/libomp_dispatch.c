/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_dispatch.h"

#include "ompd/libomp/libomp_taskdata.h"

enum { OWN_BUFFERS = 64, SHARED_INDEX = 32 /* of the loop that it is used for */ };

static bool read_own(struct memory *m, const struct libomp_dispatch *d,
		     uint8_t ret[LIBOMP_OWN_SIZE])
{
	uint32_t index;

	return d->own && d->shared && d->own % 8 == 0 && d->shared % 8 == 0 &&
	       d->own >= d->buffers && d->own - d->buffers < OWN_BUFFERS * LIBOMP_OWN_SIZE &&
	       (d->own - d->buffers) % LIBOMP_OWN_SIZE == 0 &&
	       memory_try_read(m, d->own, ret, LIBOMP_OWN_SIZE) &&
	       memory_try_read(m, d->shared + SHARED_INDEX, &index, sizeof(index)) &&
	       index == d->index - 1;
}

bool libomp_dispatch_at(struct memory *m, taddr at, libomp_dispatch_fits *fits, void *context)
{
	uint8_t own[LIBOMP_OWN_SIZE];
	struct libomp_dispatch d;
	taddr to;

	return memory_try_read(m, at, &to, sizeof(to)) && to && to % 8 == 0 &&
	       memory_try_read(m, to, &d, sizeof(d)) &&
	       fits(context, &d, read_own(m, &d, own) ? own : NULL);
}

bool libomp_dispatch_find(struct memory *m, taddr info, libomp_dispatch_fits *fits, void *context,
			  taddr *ret_offset)
{
	unsigned int found = 0;
	taddr last = 0, to;

	for (taddr offset = 0; offset < LIBOMP_INFO_BYTES; offset += sizeof(to)) {
		if (!memory_try_read(m, info + offset, &to, sizeof(to)))
			break;
		if (to == last || !libomp_dispatch_at(m, info + offset, fits, context))
			continue;
		last = to;
		*ret_offset = offset;
		found++;
	}
	return found == 1;
}
