/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/iterations.h"

bool iterations_is_less(bool is_unsigned, uint64_t a, uint64_t b)
{
	return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

bool iterations_number(const struct iterations *b, uint64_t value, uint64_t *ret)
{
	uint64_t distance = b->step < 0 ? b->begin - value : value - b->begin;
	uint64_t width = b->step < 0 ? 0 - (uint64_t)b->step : (uint64_t)b->step;

	*ret = distance / width;
	return distance % width == 0 && *ret < b->total;
}

bool iterations_static_part(const struct schedule *s, const struct iterations *b, uint64_t team,
			    uint64_t number, const uint64_t *iteration, uint64_t *ret_first,
			    uint64_t *ret_last)
{
	uint64_t part = b->total / team, more = b->total % team;

	if (s->chunk && !iteration)
		return false;
	if (s->chunk) {
		*ret_first = *iteration / s->chunk * s->chunk;
		*ret_last = *ret_first + s->chunk - 1;
		if (*ret_last >= b->total)
			*ret_last = b->total - 1;
		return *iteration / s->chunk % team == number;
	}
	*ret_first = part * number + (number < more ? number : more);
	*ret_last = *ret_first + part + (number < more) - 1;
	return part + (number < more) &&
	       (!iteration || (*iteration >= *ret_first && *iteration <= *ret_last));
}
