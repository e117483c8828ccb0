/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/part.h"

#include <stdlib.h>

enum { SCAN_MAX = 16 << 10 }; /* bytes of other code that are searched for jumps             */

void part_fini(struct part *p)
{
	free(p->bytes);
	free(p->insn);
	free(p->leads);
	*p = (struct part){ 0 };
}

bool part_init(struct target *t, taddr start, taddr end, struct part *ret)
{
	size_t len = end - start;
	struct part p = { .start = start, .end = end };

	if (end <= start || len > PART_BYTES_MAX)
		return false;
	p.bytes = malloc(len);
	p.insn = calloc(len, sizeof(*p.insn));
	p.leads = calloc(len, sizeof(*p.leads));
	if (!p.bytes || !p.insn || !p.leads || !memory_try_read(t->memory, start, p.bytes, len)) {
		part_fini(&p);
		return false;
	}
	*ret = p;
	return true;
}

bool part_decode(const struct target *t, const struct part *p, taddr at, struct insn *ret)
{
	return at >= p->start && at < p->end &&
	       t->arch->decode(p->bytes + (at - p->start), p->end - at, at, ret);
}

bool part_jumps(const struct insn *insn)
{
	return (insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH) &&
	       insn->via == INSN_VIA_ADDRESS;
}

bool part_next_jump(const struct target *t, const struct part *p, taddr *at, struct insn *ret)
{
	while (*at < p->end) {
		bool known = part_decode(t, p, *at, ret);
		*at += known ? ret->size : 1;
		if (known && part_jumps(ret))
			return true;
	}
	return false;
}

struct part_visits part_visits(struct target *t, const struct part *from, taddr start, taddr end)
{
	struct part_visits v = { 0 };
	struct insn insn;

	for (taddr at = from->start; part_next_jump(t, from, &at, &insn);) {
		v.start |= insn.value == start;
		v.middle |= insn.value > start && insn.value < end;
	}
	return v;
}

struct part_visits part_visits_from(struct target *t, taddr from, taddr from_end, taddr start,
				    taddr end)
{
	struct part_visits v = { 0 };
	struct part p;

	if (from_end - from > SCAN_MAX || !part_init(t, from, from_end, &p))
		return v;
	v = part_visits(t, &p, start, end);
	part_fini(&p);
	return v;
}
