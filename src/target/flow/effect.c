/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/effect.h"

#include <string.h>

enum {
	ESCAPE = 64, /* bytes behind a pointer that a function may change by it                  */
};

/* ---- operands ------------------------------------------------------------------------------- */

static struct term reg_or_zero(const struct operation *o, uint8_t reg)
{
	return reg == INSN_NO_REG ? term_of(0) : o->s->regs[reg];
}

/* base + index * scale + displacement, where one of both may have a symbol, if times one. */
static struct term address_of(const struct operation *o, unsigned int part)
{
	struct term base = reg_or_zero(o, o->insn->base), index = reg_or_zero(o, o->insn->index);
	uint64_t x, y, scale = o->insn->index == INSN_NO_REG ? 0 : o->insn->scale;

	if (o->insn->thread_local)
		return machine_born(o, part);
	if (base.symbol != TERM_LOST && (scale == 0 || index.symbol == TERM_NUMBER))
		return (struct term){ base.symbol,
				      base.offset + index.offset * scale + o->insn->displacement };
	if (base.symbol == TERM_NUMBER && scale == 1 && index.symbol != TERM_LOST)
		return (struct term){ index.symbol,
				      index.offset + base.offset + o->insn->displacement };
	bool known = terms_number(o->m->terms, base, &x) && terms_number(o->m->terms, index, &y);
	uint64_t number = known ? x + y * scale + o->insn->displacement : 0;
	return machine_derived(o, part, (struct term[]){ base, index }, known ? &number : NULL);
}

/* Symbols of addresses that are computed on the way do not get into the way of results. */
enum { ADDRESS_PART = 5 << 8 };

static struct term load_operand(const struct operation *o, unsigned int part)
{
	struct term address = address_of(o, ADDRESS_PART);
	return machine_load(o, part, address, o->insn->bytes);
}

static struct term operand_of(const struct operation *o)
{
	switch (o->insn->operand) {
	case INSN_VALUE:
		return term_of(o->insn->value);
	case INSN_REGISTER:
		return o->s->regs[o->insn->from];
	case INSN_MEMORY:
		return load_operand(o, ADDRESS_PART + 1);
	}
	return term_lost();
}

static void set(const struct operation *o, uint8_t reg, struct term term)
{
	o->s->regs[reg] = term;
}

/* A result of the operand's size. Symbols stand for objects' addresses, which are never cut. */
static struct term fit(struct term term, unsigned int bytes)
{
	return term.symbol == TERM_NUMBER && bytes >= 4 ? term_of(term_cut(term.offset, bytes))
							: term;
}

static bool is_truth(const struct operation *o, struct term term)
{
	return term.symbol > TERM_LOST && o->m->terms->items[term.symbol].tells_of;
}

/* ---- instructions --------------------------------------------------------------------------- */

static void do_constant(const struct operation *o)
{
	set(o, o->insn->to, term_of(o->insn->value));
}

static void do_address(const struct operation *o)
{
	set(o, o->insn->to, fit(address_of(o, o->insn->to), o->insn->bytes));
}

static void do_load(const struct operation *o)
{
	set(o, o->insn->to, load_operand(o, o->insn->to));
}

static void do_store(const struct operation *o)
{
	struct term term = operand_of(o);

	machine_store(o, address_of(o, ADDRESS_PART), o->insn->stores, term);
}

static uint64_t sign_extended(uint64_t number, unsigned int bytes)
{
	return bytes == 4 ? (uint64_t)(int32_t)number : number;
}

static bool compute(enum insn_operation operation, uint64_t x, uint64_t y, unsigned int bytes,
		    uint64_t *ret)
{
	unsigned int n = y & (8 * bytes - 1);

	switch (operation) {
	case INSN_ADD:
		*ret = x + y;
		return true;
	case INSN_SUBTRACT:
		*ret = x - y;
		return true;
	case INSN_AND:
		*ret = x & y;
		return true;
	case INSN_OR:
		*ret = x | y;
		return true;
	case INSN_XOR:
		*ret = x ^ y;
		return true;
	case INSN_TIMES:
		*ret = x * y;
		return true;
	case INSN_SHIFT_LEFT:
		*ret = x << n;
		return true;
	case INSN_SHIFT_RIGHT:
		*ret = term_cut(x, bytes) >> n;
		return true;
	case INSN_SHIFT_SIGNED:
		*ret = (uint64_t)((int64_t)sign_extended(x, bytes) >> n);
		return true;
	case INSN_UNKNOWN_OPERATION:
		break;
	}
	return false;
}

/* !x and x & 1 of a truth value are truth values, too. */
static bool compute_truth(const struct operation *o, struct term x, struct term y)
{
	if (!is_truth(o, x) || y.symbol != TERM_NUMBER)
		return false;
	const struct symbolic *truth = &o->m->terms->items[x.symbol];
	uint32_t tells_of = truth->tells_of;
	bool negated = truth->negated;
	if (o->insn->operation == INSN_AND && (y.offset & 1))
		return true;
	if (o->insn->operation != INSN_XOR || !(y.offset & 1))
		return false;
	struct term not = machine_born(o, o->insn->to);
	if (not .symbol != TERM_LOST) {
		o->m->terms->items[not .symbol].tells_of = tells_of;
		o->m->terms->items[not .symbol].negated = !negated;
	}
	set(o, o->insn->to, not );
	return true;
}

/* Sums with one symbol, or what is just a number. */
static bool compute_sum(const struct operation *o, struct term x, struct term y, struct term *ret)
{
	if (o->insn->bytes < 4 || x.symbol == TERM_LOST || y.symbol == TERM_LOST)
		return false;
	if (o->insn->operation == INSN_ADD && (!x.symbol || !y.symbol))
		*ret = (struct term){ x.symbol | y.symbol, x.offset + y.offset };
	else if (o->insn->operation == INSN_SUBTRACT && !y.symbol)
		*ret = (struct term){ x.symbol, x.offset - y.offset };
	else
		return false;
	return true;
}

/* x operation y, as what the instruction makes for "part". */
static struct term computed(const struct operation *o, unsigned int part, struct term x,
			    struct term y)
{
	const struct insn *insn = o->insn;
	uint64_t a, b, number = 0;
	struct term sum;

	if (compute_sum(o, x, y, &sum))
		return fit(sum, insn->bytes);
	bool known = insn->bytes >= 4 && terms_number(o->m->terms, x, &a) &&
		     terms_number(o->m->terms, y, &b) &&
		     compute(insn->operation, a, b, insn->bytes, &number);
	number = term_cut(number, insn->bytes);
	return machine_derived(o, part, (struct term[]){ x, y }, known ? &number : NULL);
}

static void do_compute(const struct operation *o)
{
	struct term x = o->s->regs[o->insn->to], y = operand_of(o);

	if (!compute_truth(o, x, y))
		set(o, o->insn->to, computed(o, o->insn->to, x, y));
}

static void do_change(const struct operation *o)
{
	const struct insn *insn = o->insn;
	struct term address = address_of(o, ADDRESS_PART);
	struct term before = machine_load(o, ADDRESS_PART + 1, address, insn->bytes);

	machine_store(o, address, insn->stores, computed(o, TERM_STORED, before, operand_of(o)));
}

/* What the instruction makes of a number. */
static uint64_t changed(const struct insn *insn, uint64_t number)
{
	uint64_t extended = sign_extended(number, insn->bytes);

	if (insn->kind == INSN_COPY)
		return number & insn->value;
	if (insn->kind == INSN_MULTIPLY)
		return term_cut(number * insn->value, insn->bytes);
	if (insn->kind == INSN_EXTEND)
		return extended;
	return term_cut((int64_t)extended < 0 ? UINT64_MAX : 0, insn->bytes); /* SPREAD_SIGN */
}

/* A number if the operand is one. */
static void do_change_number(const struct operation *o)
{
	struct term from = operand_of(o);
	uint64_t number;
	bool known = (o->insn->kind == INSN_COPY || o->insn->bytes >= 4) &&
		     terms_number(o->m->terms, from, &number);

	if (known)
		number = changed(o->insn, number);
	set(o, o->insn->to,
	    machine_derived(o, o->insn->to, (struct term[]){ from, term_of(0) },
			    known ? &number : NULL));
}

/* Symbols stand for objects' addresses, which lose nothing with their upper half. */
static void do_copy(const struct operation *o)
{
	struct term from = o->s->regs[o->insn->from];

	if (from.symbol != TERM_NUMBER && (o->insn->value >= UINT32_MAX || is_truth(o, from)))
		set(o, o->insn->to, from);
	else
		do_change_number(o);
}

/* The upper half is taken for the sign of the lower one, as compilers have it for "/" and "%". */
static bool divide(uint64_t a, uint64_t b, unsigned int bytes, uint64_t *ret_quotient,
		   uint64_t *ret_rest)
{
	int64_t x = (int64_t)sign_extended(a, bytes), y = (int64_t)sign_extended(b, bytes);

	if (y == 0 || y == -1)
		return false;
	*ret_quotient = term_cut((uint64_t)(x / y), bytes);
	*ret_rest = term_cut((uint64_t)(x % y), bytes);
	return true;
}

static void do_divide(const struct operation *o)
{
	const struct insn *insn = o->insn;
	struct term from[] = { o->s->regs[insn->to], operand_of(o) };
	uint64_t a, b, quotient, rest;
	bool known = terms_number(o->m->terms, from[0], &a) &&
		     terms_number(o->m->terms, from[1], &b) &&
		     divide(a, b, insn->bytes, &quotient, &rest);

	set(o, insn->to, machine_derived(o, insn->to, from, known ? &quotient : NULL));
	set(o, insn->also_to, machine_derived(o, insn->also_to, from, known ? &rest : NULL));
}

static void do_compare(const struct operation *o)
{
	o->s->left = operand_of(o);
	o->s->right = o->insn->value;
	o->s->width = o->insn->bytes;
	o->s->compared = true;
}

/*
 * The symbol that the last comparison tests; 0: none. *ret_zero: it is zero if the condition holds.
 */
static uint32_t tested(const struct machine *m, const struct machine_state *s,
		       enum insn_condition condition, bool *ret_zero)
{
	bool equal = condition == INSN_IF_EQUAL || condition == INSN_IF_NOT_GREATER;
	bool differs = condition == INSN_IF_NOT_EQUAL || condition == INSN_IF_GREATER;

	if (!s->compared || s->right != 0 || s->left.symbol <= TERM_LOST || s->left.offset != 0 ||
	    (!equal && !differs))
		return 0;
	const struct symbolic *left = &m->terms->items[s->left.symbol];
	*ret_zero = equal != (left->tells_of && left->negated);
	return left->tells_of ? left->tells_of : s->left.symbol;
}

static void do_set(const struct operation *o)
{
	bool zero = false;
	uint32_t symbol = tested(o->m, o->s, o->insn->condition, &zero);
	struct term term = machine_born(o, o->insn->to);

	set(o, o->insn->to, term);
	if (!symbol || term.symbol == TERM_LOST)
		return;
	o->m->terms->items[term.symbol].tells_of = symbol;
	o->m->terms->items[term.symbol].negated = zero;
}

static void push(const struct operation *o, struct term term)
{
	const struct arch *arch = o->m->target->arch;
	struct term *sp = &o->s->regs[arch->code_sp];

	sp->offset -= arch->stack_slot;
	machine_store(o, *sp, arch->stack_slot, term);
}

static void do_push(const struct operation *o)
{
	push(o, o->insn->from == INSN_NO_REG ? term_lost() : o->s->regs[o->insn->from]);
}

static void pop(const struct operation *o, uint8_t reg)
{
	const struct arch *arch = o->m->target->arch;
	struct term *sp = &o->s->regs[arch->code_sp], from = *sp;

	sp->offset += arch->stack_slot;
	set(o, reg, machine_load(o, reg, from, arch->stack_slot));
}

static void do_pop(const struct operation *o)
{
	pop(o, o->insn->to);
}

static void do_leave(const struct operation *o)
{
	set(o, o->m->target->arch->code_sp, o->s->regs[o->insn->from]);
	pop(o, o->insn->from);
}

static void set_unknown(const struct operation *o)
{
	for (uint8_t i = 0; i < o->m->target->arch->ncode_regs; i++) {
		if (o->insn->writes >> i & 1)
			set(o, i, machine_born(o, i));
	}
}

static void do_call(const struct operation *o)
{
	const struct arch *arch = o->m->target->arch;

	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		machine_forget(o->m, o->s->regs[arch->code_arguments[i]], ESCAPE, o->s);
	machine_forget_below(o->m, o->s);
	set_unknown(o);
}

static void do_other(const struct operation *o)
{
	if (o->insn->stores == INSN_STORES_SOMEWHERE)
		o->s->nslots = 0;
	else if (o->insn->stores)
		machine_store(o, address_of(o, ADDRESS_PART), o->insn->stores, term_lost());
	set_unknown(o);
}

/* NULL: nothing that matters here. */
static void (*const handlers[])(const struct operation *o) = {
	[INSN_OTHER] = do_other,
	[INSN_CONSTANT] = do_constant,
	[INSN_COPY] = do_copy,
	[INSN_ADDRESS] = do_address,
	[INSN_LOAD] = do_load,
	[INSN_STORE] = do_store,
	[INSN_COMPUTE] = do_compute,
	[INSN_CHANGE] = do_change,
	[INSN_MULTIPLY] = do_change_number,
	[INSN_DIVIDE] = do_divide,
	[INSN_EXTEND] = do_change_number,
	[INSN_SPREAD_SIGN] = do_change_number,
	[INSN_COMPARE] = do_compare,
	[INSN_SET] = do_set,
	[INSN_CHOOSE] = do_other,
	[INSN_EXCHANGE] = do_other,
	[INSN_PUSH] = do_push,
	[INSN_PUSH_CONSTANT] = do_push,
	[INSN_POP] = do_pop,
	[INSN_LEAVE] = do_leave,
	[INSN_CALL] = do_call,
	[INSN_END] = NULL,
};

void effect_apply(const struct machine *m, taddr addr, const struct insn *insn,
		  struct machine_state *s)
{
	struct operation o = { m, addr, insn, s };

	if (insn->sets_flags)
		s->compared = false;
	if (handlers[insn->kind])
		handlers[insn->kind](&o);
}

/* ---- calls and branches --------------------------------------------------------------------- */

void effect_enter(const struct machine *m, struct machine_state *s)
{
	struct operation call = { .m = m, .s = s };

	push(&call, term_of(0)); /* the return address */
	s->compared = false;
}

/* What came out of the same call before is something else now. */
static bool comes_from(const struct machine *m, struct term term)
{
	return term.symbol > TERM_LOST && m->terms->items[term.symbol].context == m->context;
}

void effect_leave(const struct machine *m, const struct effect_call *call, struct machine_state *s)
{
	uint8_t result = m->target->arch->code_result;
	struct term returned = s->regs[result];

	memcpy(s->regs, call->before->regs, sizeof(s->regs));
	for (size_t i = 0; i < m->target->arch->ncode_regs; i++) {
		if (comes_from(call->callee, s->regs[i]))
			s->regs[i] = term_lost();
	}
	effect_apply(m, call->addr, call->insn, s);
	s->regs[result] = returned;
}

bool effect_decides(const struct machine *m, const struct insn *branch,
		    const struct machine_state *s, bool *ret_taken)
{
	uint64_t left;

	if (branch->condition == INSN_IF_OTHER || !s->compared || s->width < 4 ||
	    !terms_number(m->terms, s->left, &left))
		return false;
	*ret_taken = insn_condition_holds(branch->condition, left, s->right, s->width);
	return true;
}

void effect_branch(const struct machine *m, const struct insn *branch, bool taken,
		   struct machine_state *s)
{
	bool zero;
	uint32_t symbol = tested(m, s, branch->condition, &zero);

	if (symbol)
		held_resolve(&s->held, symbol, zero == taken);
}
