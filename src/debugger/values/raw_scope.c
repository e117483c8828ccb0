/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/raw_scope.h"

uint32_t raw_scope_untouched(const struct session *s, const struct unwind_stack *raw, size_t frame)
{
	if (frame >= raw->len)
		return UINT32_MAX;
	const struct module *own = module_at(s->modules, raw->items[frame].pc);
	for (size_t i = frame; !raw->items[i].exact && i-- > 0;) {
		if (module_at(s->modules, raw->items[i].pc) != own)
			return s->target->arch->kept_regs;
	}
	return UINT32_MAX;
}

static bool find_caller(const struct scope *s, struct scope *ret, uint64_t *registers)
{
	if (s->frame + 1 >= s->raw->len)
		return false;
	*ret = raw_scope(s->session, s->thread, s->raw, s->frame + 1, registers);
	ret->language = s->language;
	ret->cells = s->cells;
	ret->outward = s->outward + 1;
	return true;
}

struct scope raw_scope(struct session *s, struct thread *th, const struct unwind_stack *raw,
		       size_t frame, uint64_t *registers)
{
	const struct unwind_frame *at = &raw->items[frame];
	struct scope ret = { .session = s,
			     .thread = th,
			     .frame = frame,
			     .pc = at->pc,
			     .cfa = at->cfa,
			     .exact = at->exact,
			     .registers = registers,
			     .caller = find_caller,
			     .raw = raw };

	if (registers) {
		unwind_registers(s->unwinder, th, frame, registers, &ret.known);
		ret.known &= raw_scope_untouched(s, raw, frame);
	}
	return ret;
}
