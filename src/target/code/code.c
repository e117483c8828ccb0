/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/code.h"

#include <stdlib.h>

bool code_read(struct target *t, taddr start, taddr end, struct code *ret)
{
	*ret = (struct code){ .arch = t->arch, .start = start, .end = end };
	if (!t->arch || !t->arch->decode || end <= start)
		return false;
	ret->bytes = malloc(end - start);
	if (ret->bytes && memory_try_read(t->memory, start, ret->bytes, end - start))
		return true;
	code_fini(ret);
	return false;
}

void code_fini(struct code *c)
{
	free(c->bytes);
	*c = (struct code){ 0 };
}

bool code_decode(const struct code *c, taddr at, struct insn *ret)
{
	return at >= c->start && at < c->end &&
	       c->arch->decode(c->bytes + (at - c->start), c->end - at, at, ret);
}

bool code_insn_at(struct target *t, taddr at, struct insn *ret)
{
	uint8_t bytes[CODE_INSN_MAX];
	taddr border = (at | (MEMORY_PAGE - 1)) + 1;
	size_t size = border - at < sizeof(bytes) ? border - at : sizeof(bytes);

	if (!t->arch || !t->arch->decode)
		return false;
	if (memory_try_read(t->memory, at, bytes, sizeof(bytes)))
		size = sizeof(bytes);
	else if (!memory_try_read(t->memory, at, bytes, size))
		return false;
	return t->arch->decode(bytes, size, at, ret);
}

/* Four bytes are rarely a distance to something that is there. */
bool code_is_call(struct target *t, const struct insn *insn)
{
	uint8_t byte;

	return insn->kind == INSN_CALL &&
	       (insn->via == INSN_VIA_OTHER || memory_try_read(t->memory, insn->value, &byte, 1));
}

static bool same_call(const struct insn *a, const struct insn *b)
{
	return a->via == b->via && (a->via == INSN_VIA_OTHER || a->value == b->value);
}

bool code_call_before(struct target *t, taddr end, struct insn *ret)
{
	struct insn insn;
	bool any = false;

	for (taddr size = 2; size < CODE_INSN_MAX; size++) {
		if (!code_insn_at(t, end - size, &insn) || insn.size != size ||
		    !code_is_call(t, &insn))
			continue;
		if (any && !same_call(ret, &insn))
			return false;
		*ret = insn;
		any = true;
	}
	return any;
}

bool code_jumps(const struct insn *insn)
{
	return (insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH) &&
	       insn->via == INSN_VIA_ADDRESS;
}

bool code_ends(const struct insn *insn)
{
	return insn->kind == INSN_JUMP || insn->kind == INSN_RETURN || insn->kind == INSN_END;
}
