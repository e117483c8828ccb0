/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/escape.h"

static const struct {
	const char *name;
	enum point_role role;
} ways[] = {
	{ "__cxa_begin_catch", ROLE_CATCH }, { "longjmp", ROLE_JUMP },
	{ "_longjmp", ROLE_JUMP },           { "siglongjmp", ROLE_JUMP },
	{ "__longjmp_chk", ROLE_JUMP },
};

/*
 * Where glibc's jmp_buf of x86-64 has the stack pointer and pc to go to (sysdeps/x86_64/jmpbuf-
 * offsets.h), both mangled: rotated to the left and before that combined with a guard that lies
 * in the thread's control block (sysdeps/unix/sysv/linux/x86_64/pointer_guard.h).
 */
enum { BUFFER_SP = 6 * 8, BUFFER_PC = 7 * 8, ROTATED = 17, GUARD = 0x30 };

struct adding {
	struct plan *plan;
	const struct plan_context *context;
	enum point_role role;
	struct error *err;
};

static bool add(void *context, const struct symbol *symbol)
{
	struct adding *a = context;

	if (symbol->function)
		a->err = plan_add_point(a->plan, a->context, a->role, symbol->addr, 0);
	return !a->err;
}

struct error *escape_watch(struct plan *p, const struct plan_context *c)
{
	struct adding a = { .plan = p, .context = c };

	/* All of them are found together; other modules, other plans (loader.h). */
	vec_for_each (point, &p->points) {
		if (point->role == ROLE_CATCH || point->role == ROLE_JUMP)
			return NULL;
	}

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) && !a.err; i++) {
		a.role = ways[i].role;
		symbol_find(c->session->symbols, ways[i].name, add, &a);
	}
	return a.err;
}

static uint64_t demangle(uint64_t value, uint64_t guard)
{
	return (value >> ROTATED | value << (64 - ROTATED)) ^ guard;
}

/* Where the buffer leads to. */
static struct error *read_buffer(struct target *t, struct thread *th, taddr *ret_sp, taddr *ret_pc)
{
	const struct arch *a = t->arch;
	uint64_t buffer, base, guard, sp, pc;
	struct error *err = target_get_uint(t, th, a->code_regs[a->code_arguments[0]], &buffer);

	if (!err)
		err = target_get_uint(t, th, a->thread_pointer, &base);
	if (!err)
		err = target_read_uint(t, base + GUARD, 8, &guard);
	if (!err)
		err = target_read_uint(t, buffer + BUFFER_SP, 8, &sp);
	if (!err)
		err = target_read_uint(t, buffer + BUFFER_PC, 8, &pc);
	if (err)
		return err;
	*ret_sp = demangle(sp, guard);
	*ret_pc = demangle(pc, guard);
	return NULL;
}

static struct error *follow_jump(struct plan *p, const struct plan_context *c)
{
	taddr sp, pc;
	struct error *err = read_buffer(c->session->target, c->frames->thread, &sp, &pc);

	if (err || sp < p->limit || !module_at(c->session->modules, pc)) {
		error_ignore(err); /* the program jumps to nowhere: it will see */
		return NULL;
	}
	return plan_add_point(p, c, ROLE_JUMPED, pc, sp - 1);
}

static struct error *follow_catch(struct plan *p, const struct plan_context *c)
{
	const struct unwind_frame *callee, *handler;
	struct error *err = frames_raw(c->frames, 1, &handler);

	if (!err && handler)
		err = frames_raw(c->frames, 0, &callee);
	if (err || !handler || callee->cfa < p->limit)
		return err; /* caught within what is waited for */
	return plan_add_point(p, c, ROLE_LANDING, handler->pc, callee->cfa - 1);
}

struct error *escape_follow(struct plan *p, const struct plan_context *c, enum point_role role)
{
	return role == ROLE_JUMP ? follow_jump(p, c) : follow_catch(p, c);
}

struct error *escape_run_to_frame(struct plan *p, const struct plan_context *c, size_t k,
				  enum point_role role)
{
	const struct unwind_frame *frame, *callee;
	struct error *err = frames_raw(c->frames, k, &frame);

	if (!err)
		err = frames_raw(c->frames, k - 1, &callee);
	if (!err && (!frame || !callee))
		err = error_new(ERROR_NOT_FOUND, "who has called this frame cannot be found");
	if (err)
		return err;
	const taddr pc = frame->pc;
	p->limit = callee->cfa;
	p->move = MOVE_RUN;
	err = plan_add_point(p, c, role, pc, p->limit - 1);
	return err ? err : escape_watch(p, c);
}
