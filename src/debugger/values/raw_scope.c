/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/raw_scope.h"

enum { CODE_MAX = 128, INWARD_MAX = 16 };

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

static bool find_start(const struct session *s, taddr pc, taddr *ret)
{
	struct symbol symbol;
	taddr end;

	if (unwind_function(s->unwinder, pc, ret, &end))
		return true;
	if (!symbol_at(s->symbols, pc, &symbol) || !symbol.function)
		return false;
	*ret = symbol.addr;
	return true;
}

/* By the code of a function up to where a frame stands in it. */
static uint32_t written_before(const struct session *s, const struct unwind_frame *f)
{
	const struct arch *arch = s->target->arch;
	const taddr pc = f->exact ? f->pc : f->pc - 1;
	uint8_t bytes[CODE_MAX];
	struct insn insn;
	uint32_t ret = 0;
	taddr start;

	if (!arch->decode || !find_start(s, pc, &start))
		return 0;
	const size_t len = pc - start < CODE_MAX ? pc - start : CODE_MAX;
	if (!memory_try_read(s->target->memory, start, bytes, len))
		return 0;
	for (size_t at = 0; at < len; at += insn.size) {
		/* What is in the midst of it, as the call that the frame has made, is not done. */
		if (!arch->decode(bytes + at, len - at, start + at, &insn) || !insn.size ||
		    insn.kind == INSN_BRANCH || insn.kind == INSN_JUMP || insn.kind == INSN_CALL)
			break;
		ret |= insn.writes;
	}
	return ret & ~arch->kept_regs;
}

uint32_t raw_scope_overwritten(const struct session *s, const struct unwind_stack *raw,
			       size_t frame)
{
	uint32_t ret = 0;

	for (size_t i = frame, n = 0; i < raw->len && !raw->items[i].exact && i > 0; n++) {
		/* Nothing is left of so many calls before. */
		if (n == INWARD_MAX)
			return ~s->target->arch->kept_regs;
		ret |= written_before(s, &raw->items[--i]);
	}
	return ret;
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
		/* What functions keep is not overwritten. */
		if (ret.known & ~s->target->arch->kept_regs)
			ret.known &= ~raw_scope_overwritten(s, raw, frame);
	}
	return ret;
}
