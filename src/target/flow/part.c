/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/part.h"

#include <stdlib.h>

enum {
	BYTES_MAX = 64 << 10,
	SCAN_MAX = 16 << 10, /* bytes of other code that are searched for jumps              */
};

void part_fini(struct part *p)
{
	code_fini(&p->code);
	free(p->insn);
	free(p->leads);
	*p = (struct part){ 0 };
}

bool part_init(struct target *t, taddr start, taddr end, struct part *ret)
{
	struct part p = { 0 };

	if (end - start > BYTES_MAX || !code_read(t, start, end, &p.code))
		return false;
	p.insn = calloc(end - start, sizeof(*p.insn));
	p.leads = calloc(end - start, sizeof(*p.leads));
	if (!p.insn || !p.leads) {
		part_fini(&p);
		return false;
	}
	*ret = p;
	return true;
}

bool part_next_jump(const struct code *c, taddr *at, struct insn *ret)
{
	while (*at < c->end) {
		bool known = code_decode(c, *at, ret);
		*at += known ? ret->size : 1;
		if (known && code_jumps(ret))
			return true;
	}
	return false;
}

struct part_visits part_visits(const struct code *from, taddr start, taddr end)
{
	struct part_visits v = { 0 };
	struct insn insn;

	for (taddr at = from->start; part_next_jump(from, &at, &insn);) {
		v.start |= insn.value == start;
		v.middle |= insn.value > start && insn.value < end;
	}
	return v;
}

struct part_visits part_visits_from(struct target *t, taddr from, taddr from_end, taddr start,
				    taddr end)
{
	struct part_visits v = { 0 };
	struct code c;

	if (from_end - from > SCAN_MAX || !code_read(t, from, from_end, &c))
		return v;
	v = part_visits(&c, start, end);
	code_fini(&c);
	return v;
}
