/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/fixed_loop.h"

#include <string.h>

#include "base/hash.h"
#include "target/code/code.h"
#include "target/code/jump.h"

enum {
	REGISTERS = 16,
	SLOTS_MAX = 96,    /* bytes of the stack that a loop writes to                    */
	INSNS_MAX = 512,   /* that are gone through                                       */
	FRAME_MAX = 65536, /* bytes                                                       */
	BELOW_MAX = 128,   /* bytes below the stack pointer that a function may use       */
	DECODED = 64,      /* instructions that are remembered: a loop comes by again     */
};

/* A byte that the loop has written to the thread's stack. */
struct slot {
	taddr at;
	uint8_t value;
	bool seen;
};

/* All that decides how a loop goes on, but for memory that is not the thread's. What is "seen"
 * comes of that memory. */
struct state {
	uint64_t set[REGISTERS];
	uint32_t known, seen; /* registers, a bit each; what is not known is 0 */
	struct slot slots[SLOTS_MAX];
	size_t len;
	bool compared, only_equal; /* what was compared last; only whether it was equal is known */
	bool compared_seen;
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
	bool seen;    /* the instruction uses what is       */
	bool decides; /* that has decided where to go on   */
	struct fixed_loop found;
};

static uint64_t cut(uint64_t value, unsigned int bytes)
{
	return bytes >= sizeof(value) ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* ---- registers ---------------------------------------------------------------------------- */

static bool get(struct walk_through *w, uint8_t reg, uint64_t *ret)
{
	*ret = 0;
	if (reg == INSN_NO_REG)
		return true;
	if (reg >= REGISTERS || !(w->now.known >> reg & 1))
		return false;
	*ret = w->now.set[reg];
	w->seen |= w->now.seen >> reg & 1;
	return true;
}

static void forget(struct walk_through *w, uint32_t registers)
{
	for (uint8_t reg = 0; reg < REGISTERS; reg++) {
		if (registers >> reg & 1)
			w->now.set[reg] = 0;
	}
	w->now.known &= ~registers;
	w->now.seen &= ~registers;
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
	w->now.seen &= ~(UINT32_C(1) << reg);
	w->now.seen |= (uint32_t)w->seen << reg;
}

/* ---- memory ------------------------------------------------------------------------------- */

static bool address_of(struct walk_through *w, const struct insn *insn, taddr *ret)
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
	const uint64_t sp = w->now.set[w->sp], fp = w->now.set[w->fp];

	if (insn->base == w->sp)
		return true;
	return sp && fp >= sp && fp - sp < FRAME_MAX && at + BELOW_MAX >= sp && at < fp;
}

static void note_read(struct walk_through *w, taddr at, uint64_t value)
{
	struct fixed_loop *f = &w->found;
	size_t i = 0;

	w->seen = true;
	if (!f->looks || w->at < f->looks)
		f->looks = w->at;
	while (i < f->len && f->reads[i] != at)
		i++;
	f->more |= i == FIXED_LOOP_READS;
	if (i < f->len || f->more)
		return;
	f->reads[f->len++] = at;
	f->values += hash_add(hash_add(HASH_START, at), value);
}

static struct slot *find_slot(struct walk_through *w, taddr at)
{
	for (size_t i = 0; i < w->now.len; i++) {
		if (w->now.slots[i].at == at)
			return &w->now.slots[i];
	}
	return NULL;
}

static bool read_place(struct walk_through *w, const struct insn *insn, uint64_t *ret)
{
	taddr at;

	*ret = 0;
	if (insn->bytes > sizeof(*ret) || !address_of(w, insn, &at) ||
	    !memory_try_read(w->target->memory, at, ret, insn->bytes))
		return false;
	if (!is_own(w, insn, at))
		note_read(w, at, *ret);
	for (unsigned int i = 0; i < insn->bytes; i++) {
		const struct slot *s = find_slot(w, at + i);
		if (!s)
			continue;
		*ret = (*ret & ~(UINT64_C(0xff) << 8 * i)) | (uint64_t)s->value << 8 * i;
		w->seen |= s->seen;
	}
	return true;
}

static bool write_place(struct walk_through *w, const struct insn *insn, uint64_t value)
{
	taddr at;

	if (insn->bytes > sizeof(value) || !address_of(w, insn, &at) || !is_own(w, insn, at))
		return false;
	for (unsigned int i = 0; i < insn->bytes; i++) {
		struct slot *s = find_slot(w, at + i);
		if (!s && w->now.len == SLOTS_MAX)
			return false;
		if (!s)
			s = &w->now.slots[w->now.len++];
		*s = (struct slot){ at + i, (uint8_t)(value >> 8 * i), w->seen };
	}
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
	w->now.compared_seen = w->seen;
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
	if (insn->lowest)
		value &= 1;
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

static bool holds(struct walk_through *w, const struct insn *insn, bool *ret)
{
	bool equal = insn->condition == INSN_IF_EQUAL || insn->condition == INSN_IF_NOT_EQUAL;

	if (!w->now.compared || insn->condition == INSN_IF_OTHER || (w->now.only_equal && !equal))
		return false;
	*ret = insn_condition_holds(insn->condition, w->now.left, w->now.right, w->now.bytes);
	w->seen |= w->now.compared_seen;
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

/* It changes memory, unless that has the same value. */
static bool swap(struct walk_through *w, const struct insn *insn)
{
	uint64_t mine, value;

	if (!get(w, insn->from, &mine) || !read_place(w, insn, &value) ||
	    cut(mine, insn->bytes) != value)
		return false;
	set(w, insn->from, value, insn->bytes);
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

static bool move_byte(struct walk_through *w, const struct insn *insn)
{
	uint64_t value;

	if (!operand(w, insn, &value))
		return false;
	if (insn->stores)
		return write_place(w, insn, value);
	set(w, insn->to, value, 1);
	return true;
}

static bool simple(struct walk_through *w, const struct insn *insn)
{
	return insn->simple == INSN_MOVES_BYTE ? move_byte(w, insn)
					       : insn->simple == INSN_SWAPS && swap(w, insn);
}

static bool is_idle(const struct walk_through *w, taddr function)
{
	return function && w->idle->is && w->idle->is(w->idle->context, function);
}

static void return_from_idle(struct walk_through *w, const struct insn *call)
{
	forget(w, call->writes & ~(UINT32_C(1) << w->sp));
	w->now.compared = false;
	w->seen = false;
	set(w, w->target->arch->code_result, 0, sizeof(uint64_t));
}

static bool go_on(struct walk_through *w, const struct insn *insn)
{
	bool taken = true;

	if (insn->kind == INSN_CALL) {
		return_from_idle(w, insn);
		return is_idle(w, jump_target(w->target, insn));
	}
	if (insn->via != INSN_VIA_ADDRESS || (insn->kind == INSN_BRANCH && !holds(w, insn, &taken)))
		return false;
	if (taken)
		w->next = insn->value;
	w->decides |= insn->kind == INSN_BRANCH && w->seen;
	return true;
}

/* What an instruction does; false: more than such a loop may do, or it is not known what. */
static bool (*const effects[])(struct walk_through *w, const struct insn *insn) = {
	[INSN_NOTHING] = nothing, [INSN_PAUSE] = nothing,        [INSN_CONSTANT] = assign,
	[INSN_COPY] = assign,     [INSN_ADDRESS] = assign,       [INSN_LOAD] = assign,
	[INSN_EXTEND] = assign,   [INSN_SET] = assign,           [INSN_COMPUTE] = compute,
	[INSN_COMPARE] = compare, [INSN_COMPARE_BOTH] = compare, [INSN_EXCHANGE] = exchange,
	[INSN_STORE] = store,     [INSN_CHANGE] = change,        [INSN_CALL] = go_on,
	[INSN_JUMP] = go_on,      [INSN_BRANCH] = go_on,         [INSN_OTHER] = simple,
};

static bool execute(struct walk_through *w, const struct insn *insn)
{
	const size_t known = sizeof(effects) / sizeof(*effects);

	w->next = w->at + insn->size;
	w->seen = false;
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
		if (is_alike(&before, &w->now))
			return w->decides;
		if (++turns < until)
			continue;
		before = w->now;
		w->decides = false;
		w->found = (struct fixed_loop){ 0 };
		until *= 2;
	}
	return false;
}

/* What has been compared before is not known: it was equal, or it was not. */
static bool comes_back_either_way(const struct walk_through *w, struct fixed_loop *ret)
{
	for (unsigned int unequal = 0; unequal < 2; unequal++) {
		struct walk_through from = *w;
		from.now.compared = from.now.only_equal = true;
		from.now.left = unequal;
		from.now.bytes = sizeof(from.now.left);
		if (!comes_back(&from))
			continue;
		*ret = from.found;
		return true;
	}
	return false;
}

/* ---- where it begins ---------------------------------------------------------------------- */

static bool read_registers(struct target *t, struct thread *th, struct fixed_loop_frame *ret)
{
	const struct arch *arch = t->arch;

	for (uint8_t reg = 0; reg < FIXED_LOOP_REGISTERS && reg < arch->ncode_regs; reg++) {
		struct error *err =
			target_get_uint(t, th, arch->code_regs[reg], &ret->registers[reg]);
		error_ignore(err);
		if (err)
			return false;
		ret->known |= UINT32_C(1) << reg;
	}
	return true;
}

bool fixed_loop_find(struct target *t, const struct fixed_loop_frame *frame,
		     const struct fixed_loop_idle *idle, struct fixed_loop *ret)
{
	struct decoded decoded[DECODED] = { { 0 } };
	struct walk_through w = { .target = t, .decoded = decoded, .idle = idle, .at = frame->pc };
	struct insn call;

	for (uint8_t reg = 0; reg < t->arch->ncode_regs; reg++) {
		w.sp = t->arch->code_regs[reg] == t->arch->sp ? reg : w.sp;
		w.fp = t->arch->code_regs[reg] == t->arch->fp ? reg : w.fp;
	}
	memcpy(w.now.set, frame->registers, sizeof(w.now.set));
	w.now.known = frame->known & ((UINT32_C(1) << REGISTERS) - 1);
	if (frame->called) {
		if (!code_call_before(t, frame->pc, &call) || !is_idle(&w, jump_target(t, &call)))
			return false;
		return_from_idle(&w, &call);
	}
	return comes_back_either_way(&w, ret);
}

bool fixed_loop_of_thread(struct target *t, struct thread *th, const struct fixed_loop_idle *idle,
			  struct fixed_loop *ret)
{
	struct fixed_loop_frame frame = { 0 };
	struct error *err = target_get_uint(t, th, t->arch->pc, &frame.pc);

	error_ignore(err);
	return !err && read_registers(t, th, &frame) && fixed_loop_find(t, &frame, idle, ret);
}
