/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/fixed_loop.h"

#include <string.h>

#include "target/code/code.h"
#include "target/code/jump.h"

enum {
	REGISTERS = 16,
	SLOTS_MAX = 16,    /* of the stack that a loop writes to                          */
	INSNS_MAX = 512,   /* that are gone through                                       */
	FRAME_MAX = 65536, /* bytes                                                       */
	BELOW_MAX = 128,   /* bytes below the stack pointer that a function may use       */
	DECODED = 64,      /* instructions that are remembered: a loop comes by again     */
	IDLE_MAX = 64,     /* bytes of an idle function                                   */
};

/* What the loop has written to the thread's stack. */
struct slot {
	taddr at;
	uint64_t value, bytes;
};

/* All that decides how a loop goes on, but for memory that is not the thread's. */
struct state {
	uint64_t set[REGISTERS];
	uint32_t known; /* registers, a bit each; what is not known is 0 */
	struct slot slots[SLOTS_MAX];
	size_t len;
	bool compared, only_equal; /* what was compared last; only whether it was equal is known */
	uint64_t left, right;
	unsigned int bytes;
};

struct decoded {
	taddr at;
	bool is_code;
	struct insn insn;
};

struct walk_through {
	struct target *target;
	struct decoded *decoded; /* DECODED of them */
	const struct fixed_loop_idle *idle;
	struct state now;
	uint8_t sp, fp; /* registers */
	taddr at, next;
	taddr looks; /* 0: nothing of others has been read */
};

static uint64_t cut(uint64_t value, unsigned int bytes)
{
	return bytes >= sizeof(value) ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* ---- registers ---------------------------------------------------------------------------- */

static bool get(const struct walk_through *w, uint8_t reg, uint64_t *ret)
{
	*ret = 0;
	if (reg == INSN_NO_REG)
		return true;
	if (reg >= REGISTERS || !(w->now.known >> reg & 1))
		return false;
	*ret = w->now.set[reg];
	return true;
}

static void forget(struct walk_through *w, uint32_t registers)
{
	for (uint8_t reg = 0; reg < REGISTERS; reg++) {
		if (registers >> reg & 1)
			w->now.set[reg] = 0;
	}
	w->now.known &= ~registers;
}

/* Results of fewer than 4 bytes leave the rest of a register as it is. */
static void set(struct walk_through *w, uint8_t reg, uint64_t value, unsigned int bytes)
{
	uint64_t before;

	if (reg >= REGISTERS)
		return;
	if (bytes < 4 && !get(w, reg, &before)) {
		forget(w, UINT32_C(1) << reg);
		return;
	}
	w->now.set[reg] = bytes < 4 ? (before & ~cut(UINT64_MAX, bytes)) | cut(value, bytes)
				    : cut(value, bytes);
	w->now.known |= UINT32_C(1) << reg;
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool address_of(const struct walk_through *w, const struct insn *insn, taddr *ret)
{
	uint64_t base, index;

	if (insn->thread_local || !get(w, insn->base, &base) || !get(w, insn->index, &index))
		return false;
	*ret = base + index * insn->scale + insn->displacement;
	return true;
}

/* In the frame of the function that is gone through, or just below. */
static bool is_own(const struct walk_through *w, const struct insn *insn, taddr at)
{
	uint64_t sp, fp;

	if (insn->base == w->sp)
		return true;
	return get(w, w->sp, &sp) && get(w, w->fp, &fp) && fp >= sp && fp - sp < FRAME_MAX &&
	       at + BELOW_MAX >= sp && at < fp;
}

static bool read_place(struct walk_through *w, const struct insn *insn, uint64_t *ret)
{
	taddr at;

	*ret = 0;
	if (insn->bytes > sizeof(*ret) || !address_of(w, insn, &at))
		return false;
	for (size_t i = 0; i < w->now.len; i++) {
		const struct slot *s = &w->now.slots[i];
		if (s->at == at && s->bytes == insn->bytes) {
			*ret = s->value;
			return true;
		}
		if (s->at < at + insn->bytes && at < s->at + s->bytes)
			return false;
	}
	if (!is_own(w, insn, at) && (!w->looks || w->at < w->looks))
		w->looks = w->at;
	return memory_try_read(w->target->memory, at, ret, insn->bytes);
}

/* What is there already need not be noted. */
static bool write_place(struct walk_through *w, const struct insn *insn, uint64_t value)
{
	uint64_t before;
	taddr at;

	value = cut(value, insn->bytes);
	if (!address_of(w, insn, &at) || !is_own(w, insn, at))
		return false;
	for (size_t i = 0; i < w->now.len; i++) {
		struct slot *s = &w->now.slots[i];
		if (s->at != at || s->bytes != insn->bytes)
			continue;
		s->value = value;
		return true;
	}
	if (!read_place(w, insn, &before) || w->now.len == SLOTS_MAX)
		return false;
	if (before != value)
		w->now.slots[w->now.len++] = (struct slot){ at, value, insn->bytes };
	return true;
}

static bool operand(struct walk_through *w, const struct insn *insn, uint64_t *ret)
{
	*ret = insn->value;
	if (insn->operand == INSN_REGISTER)
		return get(w, insn->from, ret);
	return insn->operand == INSN_VALUE || read_place(w, insn, ret);
}

/* ---- instructions ------------------------------------------------------------------------- */

static void compare_values(struct walk_through *w, const struct insn *insn, uint64_t left,
			   uint64_t right)
{
	w->now.compared = true;
	w->now.only_equal = false;
	w->now.left = left;
	w->now.right = right;
	w->now.bytes = insn->bytes;
}

static bool compare(struct walk_through *w, const struct insn *insn)
{
	uint64_t value, other = insn->value;

	if (!operand(w, insn, &value) ||
	    (insn->kind == INSN_COMPARE_BOTH && !get(w, insn->to, &other)))
		return false;
	/* It may be a test of the lowest bit alone. */
	if (insn->bytes == 1 && !other && (cut(value, 1) != 0) != (value & 1))
		return false;
	compare_values(w, insn, insn->reversed ? other : value, insn->reversed ? value : other);
	return true;
}

static bool compute(struct walk_through *w, const struct insn *insn)
{
	uint64_t value, with;
	bool known = get(w, insn->to, &value) && operand(w, insn, &with);

	if (known && insn->operation == INSN_ADD)
		value += with;
	else if (known && insn->operation == INSN_SUBTRACT)
		value -= with;
	else if (known && insn->operation == INSN_AND)
		value &= with;
	else if (known && insn->operation == INSN_OR)
		value |= with;
	else if (known && insn->operation == INSN_XOR)
		value ^= with;
	else
		return false;
	set(w, insn->to, value, insn->bytes);
	compare_values(w, insn, value, 0);
	w->now.only_equal = insn->operation == INSN_ADD || insn->operation == INSN_SUBTRACT;
	return true;
}

static bool holds(const struct walk_through *w, const struct insn *insn, bool *ret)
{
	bool equal = insn->condition == INSN_IF_EQUAL || insn->condition == INSN_IF_NOT_EQUAL;

	if (!w->now.compared || insn->condition == INSN_IF_OTHER || (w->now.only_equal && !equal))
		return false;
	*ret = insn_condition_holds(insn->condition, w->now.left, w->now.right, w->now.bytes);
	return true;
}

/* It succeeds, and changes memory, or it has found out what is there. */
static bool exchange(struct walk_through *w, const struct insn *insn)
{
	uint64_t wanted, value;

	if (insn->operand != INSN_MEMORY || !get(w, 0, &wanted) || !read_place(w, insn, &value) ||
	    cut(wanted, insn->bytes) == value)
		return false;
	compare_values(w, insn, wanted, value);
	set(w, 0, value, insn->bytes);
	return true;
}

static bool store(struct walk_through *w, const struct insn *insn)
{
	uint64_t value = insn->value;

	return (insn->operand == INSN_VALUE || get(w, insn->from, &value)) &&
	       write_place(w, insn, value);
}

/* Of changes none but a fence: or $0 with what is on the stack. */
static bool change(struct walk_through *w, const struct insn *insn)
{
	w->now.compared = false;
	return insn->operation == INSN_OR && insn->operand == INSN_VALUE && !insn->value &&
	       insn->reads == INSN_READS_OWN;
}

static bool nothing(struct walk_through *w, const struct insn *insn)
{
	return w->next == w->at + insn->size;
}

static bool assign(struct walk_through *w, const struct insn *insn)
{
	uint64_t value = insn->value;
	unsigned int bytes = sizeof(value);
	bool one;

	w->now.compared = w->now.compared && !insn->sets_flags;
	if (insn->kind == INSN_SET) {
		bool known = holds(w, insn, &one);
		set(w, insn->to, known && one, 1);
		return known;
	}
	if (insn->kind == INSN_ADDRESS ? !address_of(w, insn, &value)
				       : insn->kind != INSN_CONSTANT && !operand(w, insn, &value))
		return false;
	if (insn->kind == INSN_COPY)
		value &= insn->value;
	else if (insn->kind == INSN_LOAD)
		value = cut(value, insn->bytes);
	else if (insn->kind == INSN_ADDRESS && insn->bytes == 4)
		bytes = 4;
	else if (insn->kind == INSN_EXTEND && cut(value, insn->bytes) >> (8 * insn->bytes - 1))
		value |= ~cut(UINT64_MAX, insn->bytes);
	set(w, insn->to, value, bytes);
	return true;
}

static bool is_idle(const struct walk_through *w, taddr function)
{
	for (size_t i = 0; i < w->idle->len; i++) {
		if (w->idle->items[i] == function)
			return true;
	}
	return false;
}

static bool go_on(struct walk_through *w, const struct insn *insn)
{
	bool taken = true;

	if (insn->kind == INSN_CALL) {
		forget(w, insn->writes & ~(UINT32_C(1) << w->sp));
		w->now.compared = false;
		return is_idle(w, jump_target(w->target, insn));
	}
	if (insn->via != INSN_VIA_ADDRESS || (insn->kind == INSN_BRANCH && !holds(w, insn, &taken)))
		return false;
	if (taken)
		w->next = insn->value;
	return true;
}

/* What an instruction does; false: more than such a loop may do, or it is not known what. */
static bool (*const effects[])(struct walk_through *w, const struct insn *insn) = {
	[INSN_NOTHING] = nothing, [INSN_PAUSE] = nothing,        [INSN_CONSTANT] = assign,
	[INSN_COPY] = assign,     [INSN_ADDRESS] = assign,       [INSN_LOAD] = assign,
	[INSN_EXTEND] = assign,   [INSN_SET] = assign,           [INSN_COMPUTE] = compute,
	[INSN_COMPARE] = compare, [INSN_COMPARE_BOTH] = compare, [INSN_EXCHANGE] = exchange,
	[INSN_STORE] = store,     [INSN_CHANGE] = change,        [INSN_CALL] = go_on,
	[INSN_JUMP] = go_on,      [INSN_BRANCH] = go_on,
};

static bool execute(struct walk_through *w, const struct insn *insn)
{
	const size_t known = sizeof(effects) / sizeof(*effects);

	w->next = w->at + insn->size;
	return insn->kind < known && effects[insn->kind] && effects[insn->kind](w, insn);
}

static const struct insn *insn_at(struct walk_through *w, taddr at)
{
	struct decoded *d = &w->decoded[at % DECODED];

	if (d->at != at) {
		d->at = at;
		d->is_code = code_insn_at(w->target, at, &d->insn);
	}
	return d->is_code ? &d->insn : NULL;
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool is_compared_alike(const struct state *a, const struct state *b)
{
	return a->compared == b->compared &&
	       (!a->compared || (a->only_equal == b->only_equal && a->left == b->left &&
				 a->right == b->right && a->bytes == b->bytes));
}

static bool is_alike(const struct state *a, const struct state *b)
{
	bool ret = a->known == b->known && a->len == b->len && is_compared_alike(a, b) &&
		   !memcmp(a->set, b->set, sizeof(a->set));

	for (size_t i = 0; ret && i < a->len; i++)
		ret = a->slots[i].at == b->slots[i].at && a->slots[i].value == b->slots[i].value;
	return ret;
}

/* From where it stands: whether it comes back as it was before. Compared is with a turn that is
 * ever longer ago: the loop may have another one inside. */
static bool comes_back(struct walk_through *w)
{
	struct state before = w->now;
	const taddr start = w->at;
	const struct insn *insn;
	size_t turns = 0, until = 1;

	for (size_t n = 0; n < INSNS_MAX && (insn = insn_at(w, w->at)); n++) {
		if (!execute(w, insn))
			return false;
		w->at = w->next;
		if (w->at != start)
			continue;
		if (w->looks && is_alike(&before, &w->now))
			return true;
		if (++turns < until)
			continue;
		before = w->now;
		until *= 2;
	}
	return false;
}

static bool read_registers(struct target *t, struct thread *th, struct walk_through *w)
{
	const struct arch *arch = t->arch;

	for (uint8_t reg = 0; reg < REGISTERS; reg++) {
		struct error *err =
			reg < arch->ncode_regs
				? target_get_uint(t, th, arch->code_regs[reg], &w->now.set[reg])
				: NULL;
		if (err) {
			error_free(err);
			return false;
		}
		w->now.known |= reg < arch->ncode_regs ? UINT32_C(1) << reg : 0;
		if (reg < arch->ncode_regs && arch->code_regs[reg] == arch->sp)
			w->sp = reg;
		if (reg < arch->ncode_regs && arch->code_regs[reg] == arch->fp)
			w->fp = reg;
	}
	return true;
}

/* The idle function that it is in, or in a stub that leads to it; 0: none. */
static taddr entered_idle(const struct walk_through *w, taddr pc)
{
	taddr to = jump_follow(w->target, pc);

	for (size_t i = 0; i < w->idle->len; i++) {
		if (pc - w->idle->items[i] < IDLE_MAX || to == w->idle->items[i])
			return w->idle->items[i];
	}
	return 0;
}

/* Behind its call: it has no frame. */
static bool leave_idle(struct walk_through *w, taddr function)
{
	struct insn call;
	uint64_t back;

	if (!memory_try_read(w->target->memory, w->now.set[w->sp], &back, sizeof(back)) ||
	    !code_call_before(w->target, back, &call) || jump_target(w->target, &call) != function)
		return false;
	w->now.set[w->sp] += sizeof(back);
	forget(w, call.writes & ~(UINT32_C(1) << w->sp));
	w->at = back;
	return true;
}

/* What has been compared before is not known: it was equal, or it was not. */
static bool comes_back_either_way(const struct walk_through *w, taddr *ret)
{
	for (unsigned int unequal = 0; unequal < 2; unequal++) {
		struct walk_through from = *w;
		from.now.compared = from.now.only_equal = true;
		from.now.left = unequal;
		from.now.bytes = sizeof(from.now.left);
		if (!comes_back(&from))
			continue;
		*ret = from.looks;
		return true;
	}
	return false;
}

bool fixed_loop_find(struct target *t, struct thread *th, const struct fixed_loop_idle *idle,
		     taddr *ret)
{
	struct decoded decoded[DECODED] = { { 0 } };
	struct walk_through w = { .target = t, .decoded = decoded, .idle = idle };
	struct error *err = target_get_uint(t, th, t->arch->pc, &w.at);

	error_ignore(err);
	if (err || !read_registers(t, th, &w))
		return false;
	taddr function = entered_idle(&w, w.at);
	if (function && !leave_idle(&w, function))
		return false;
	return comes_back_either_way(&w, ret);
}
