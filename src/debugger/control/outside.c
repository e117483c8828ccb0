/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/outside.h"

#include "debugger/control/escape.h"

struct error *outside_pass(struct plan *p, const struct plan_context *c, bool *ret)
{
	struct target *t = c->session->target;
	uint64_t sp, back = 0;
	struct error *err =
		target_get_uint(t, c->frames->thread, t->arch->code_regs[t->arch->code_sp], &sp);

	*ret = false;
	if (err)
		return err;
	error_ignore(target_read_uint(t, sp, sizeof(back), &back));
	if (p->move != MOVE_RANGE || back <= p->way.start || back > p->way.end)
		return NULL;
	*ret = true;
	p->limit = sp + sizeof(back);
	p->move = MOVE_RUN;
	err = plan_add_point(p, c, ROLE_RETURN, back, p->limit - 1);
	return err ? err : escape_watch(p, c);
}

struct error *outside_leave(struct plan *p, const struct plan_context *c, taddr pc,
			    enum plan_answer *ret)
{
	const struct source_frame *levels;
	const struct unwind_frame *caller;
	size_t len;
	struct error *err = symbol_locate(c->session->symbols, pc, &levels, &len);
	bool named = !err && levels[0].function;

	if (!err && !named)
		err = frames_raw(c->frames, 1, &caller);
	if (err)
		return err;
	if (named) {
		p->hidden = 0;
		*ret = PLAN_DONE;
		return NULL;
	}
	p->move = MOVE_RUN;
	return caller ? escape_run_to_frame(p, c, 1, ROLE_RETURN) : NULL;
}
