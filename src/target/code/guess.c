/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/guess.h"

#include <string.h>

#include "target/code/code.h"
#include "target/code/jump.h"

enum {
	SCAN_BYTES = 16 << 10, /* of the stack; kernels of OpenBLAS put up to 12 K there       */
	FRAME_MAX = 1 << 20,   /* bytes of one                                                */
	CODE_REACH = 64 << 10, /* bytes of a function                                         */
	TABLES_GAP = 64,       /* bytes at its end for which its unwind tables do not count    */
	AHEAD = 8,             /* frames that have to follow                                  */
	TRIES_MAX = 200,
};

/* How likely a call has led to the code. */
enum likeliness {
	NO_CALL,
	OTHER_CALL, /* to another function, which may have jumped on                          */
	ANY_CALL,   /* by a pointer                                                           */
	ITS_CALL,   /* to what may be its begin                                               */
};

struct candidate {
	enum likeliness likeliness;
	unsigned int odd; /* calls on its way that lead to other functions than those that follow */
	taddr back, sp;   /* the return address, and where the stack is behind it              */
	uint64_t fp;
	bool scanned;
};

struct guess {
	struct unwinder *u;
	const uint64_t *own;
	unsigned int tries; /* that are left */
	struct candidate best;
};

static taddr own_sp(const struct guess *g)
{
	return g->own[g->u->arch->sp->dwarf];
}

static bool has_tables(struct unwinder *u, taddr pc, unw_proc_info_t *ret)
{
	return unwind_proc_info(u->space, pc, ret, 0, u) == 0;
}

/*
 * The call before an address: by its bytes or, where those can be read as several, by all the
 * instructions of the function from its start on.
 */
static bool find_call(struct unwinder *u, taddr back, struct insn *ret)
{
	struct target *t = u->modules->target;
	unw_proc_info_t info = { 0 };

	if (!unwind_is_code(u, back - 1))
		return false;
	if (code_call_before(t, back, ret))
		return true;
	if (!has_tables(u, back - 1, &info) || back - info.start_ip > CODE_REACH)
		return false;
	for (taddr at = info.start_ip; at < back && code_insn_at(t, at, ret); at += ret->size) {
		if (at + ret->size == back)
			return code_is_call(t, ret);
	}
	return false;
}

/* A function that begins there may contain that code. */
static bool may_contain(struct unwinder *u, taddr start, taddr pc)
{
	unw_proc_info_t info = { 0 };

	if (start > pc || pc - start > CODE_REACH ||
	    module_at(u->modules, start) != module_at(u->modules, pc))
		return false;
	return !has_tables(u, start, &info) || info.end_ip > pc || pc - info.end_ip < TABLES_GAP;
}

static enum likeliness rate(struct unwinder *u, const struct insn *call, taddr pc)
{
	const taddr to = jump_target(u->modules->target, call);

	if (!to)
		return ANY_CALL;
	return may_contain(u, to, pc) ? ITS_CALL : OTHER_CALL;
}

static void set_registers(const struct guess *g, const struct candidate *c, taddr pc)
{
	struct unwinder *u = g->u;

	memcpy(u->registers, g->own, sizeof(u->registers));
	u->registers[UNW_TDEP_IP] = pc;
	u->registers[u->arch->sp->dwarf] = c->sp;
	u->registers[u->arch->fp->dwarf] = c->fp;
}

static uint64_t get(unw_cursor_t *cursor, unw_regnum_t reg)
{
	unw_word_t value = 0;

	return unw_get_reg(cursor, reg, &value) < 0 ? 0 : value;
}

/* The stack can be followed from there, by unwind tables, as far as there are any. */
static bool leads_on(const struct guess *g, struct candidate *c)
{
	struct unwinder *u = g->u;
	taddr sp = c->sp, pc = c->back;
	unw_proc_info_t info;
	unw_cursor_t cursor;
	struct insn call;

	c->odd = c->likeliness == OTHER_CALL;
	if (!has_tables(u, c->back - 1, &info))
		return !c->scanned;
	set_registers(g, c, c->back - 1);
	if (unw_init_remote(&cursor, u->space, u) < 0)
		return false;
	for (unsigned int n = 0; n < AHEAD; n++) {
		u->no_tables = false;
		u->unreadable = 0;
		int result = unw_step(&cursor);
		taddr back = get(&cursor, UNW_REG_IP), next = get(&cursor, UNW_REG_SP);
		if (result < 0 || u->unreadable)
			return false;
		if (u->no_tables || !result || !back)
			return n;
		if (next <= sp || !find_call(u, back, &call))
			return false;
		c->odd += rate(u, &call, pc - 1) == OTHER_CALL;
		sp = next;
		pc = back;
	}
	return true;
}

static uint64_t own_fp(const struct guess *g)
{
	return g->own[g->u->arch->fp->dwarf];
}

static bool is_likelier(const struct guess *g, const struct candidate *a, const struct candidate *b)
{
	if (a->odd != b->odd)
		return a->odd < b->odd;
	if (a->likeliness != b->likeliness)
		return a->likeliness > b->likeliness;
	/* Calls that are over have left frame pointers of frames further out, too. */
	return a->scanned && a->sp == b->sp && b->fp != own_fp(g) && a->fp < b->fp;
}

/* It leads on, with what may be the frame pointer, and is likelier than what was found before. */
static void try(struct guess *g, struct candidate *c)
{
	const struct candidate *best = &g->best;

	if (!g->tries)
		return;
	g->tries--;
	if (leads_on(g, c) && (best->likeliness == NO_CALL || is_likelier(g, c, best)))
		g->best = *c;
}

/* The frame pointer has not changed since the call, or has been put on the stack. */
static void consider(struct guess *g, struct candidate c)
{
	const taddr slot = g->u->arch->stack_slot;
	struct insn call;
	uint64_t kept;

	if (!find_call(g->u, c.back, &call))
		return;
	c.likeliness = rate(g->u, &call, g->own[UNW_TDEP_IP]);
	try(g, &c);
	for (taddr at = own_sp(g); c.scanned && at + slot < c.sp; at += slot) {
		if (!memory_try_read(g->u->memory, at, &kept, sizeof(kept)) || kept < c.sp ||
		    kept - c.sp > FRAME_MAX || kept % slot)
			continue;
		c.fp = kept;
		try(g, &c);
	}
}

static bool is_sure(const struct candidate *c)
{
	return c->likeliness == ITS_CALL && !c->odd;
}

static void scan(struct guess *g)
{
	const taddr slot = g->u->arch->stack_slot, sp = own_sp(g);
	struct candidate c = { .fp = own_fp(g), .scanned = true };

	for (taddr at = sp; at - sp < SCAN_BYTES && g->tries && !is_sure(&g->best); at += slot) {
		c.sp = at + slot;
		if (!memory_try_read(g->u->memory, at, &c.back, sizeof(c.back)))
			return;
		consider(g, c);
	}
}

/* Code that has a frame pointer, as its callers, is no matter for guesses. */
static void follow_fp(struct guess *g)
{
	const taddr slot = g->u->arch->stack_slot, sp = own_sp(g);
	const uint64_t fp = own_fp(g);
	struct candidate c = { .sp = fp + 2 * slot };

	if (fp >= sp && fp - sp < FRAME_MAX && fp % slot == 0 &&
	    memory_try_read(g->u->memory, fp, &c.fp, sizeof(c.fp)) &&
	    memory_try_read(g->u->memory, fp + slot, &c.back, sizeof(c.back)))
		consider(g, c);
}

bool guess_caller(struct unwinder *u, const uint64_t own[UNW_TDEP_LAST_REG + 1], bool *ret_scanned)
{
	struct guess g = { .u = u, .own = own, .tries = TRIES_MAX };
	const taddr unreadable = u->unreadable;

	follow_fp(&g);
	if (!is_sure(&g.best)) {
		/* Where nothing tells them apart, what has left the frame pointer alone is
		 * likelier. */
		g.best = (struct candidate){ 0 };
		scan(&g);
		follow_fp(&g);
	}
	u->no_tables = true;
	u->unreadable = unreadable;
	set_registers(&g, &g.best, g.best.back);
	*ret_scanned = g.best.scanned;
	return g.best.likeliness != NO_CALL;
}
