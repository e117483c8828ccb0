/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/accesses_x86_64.h"

#include <string.h>
#include <sys/user.h>

#include "target/cpu/insn_x86_64.h"

/* No operand is longer; nor is what a repeated string instruction does between two traps. */
enum { OPERAND_MAX = 64 };

struct range {
	uint64_t at;
	size_t len;
};

static bool overlap(struct range a, struct range b)
{
	return a.at < b.at + b.len && b.at < a.at + a.len;
}

/* ---- one instruction -------------------------------------------------------------------- */

struct opcode {
	enum { PLAIN, MAP_0F, MAP_0F38, MAP_0F3A } map;
	uint8_t code, field; /* the reg field of ModRM */
	bool rep, segment, vex;
};

static size_t take_prefixes(const uint8_t *code, size_t size, struct opcode *ret)
{
	size_t at = 0;

	for (; at < size; at++) {
		uint8_t byte = code[at];
		ret->rep |= byte == 0xf3 || byte == 0xf2;
		ret->segment |= byte == 0x64 || byte == 0x65;
		if (byte != 0x66 && byte != 0x67 && byte != 0xf0 && byte != 0xf2 && byte != 0xf3 &&
		    byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 && byte != 0x64 &&
		    byte != 0x65 && (byte & 0xf0) != 0x40)
			break;
	}
	return at;
}

/* Of a whole instruction, so that nothing of it lies outside. */
static struct opcode opcode_of(const uint8_t *code, size_t size)
{
	struct opcode o = { 0 };
	size_t at = take_prefixes(code, size, &o);
	uint8_t first = code[at];

	o.vex = first == 0xc5 || first == 0xc4 || first == 0x62;
	if (first == 0xc5) {
		o.map = MAP_0F;
		o.rep = (code[at + 1] & 3) > 1;
		at += 2;
	} else if (o.vex) {
		o.map = code[at + 1] & 3;
		o.rep = (code[at + 2] & 3) > 1;
		at += first == 0xc4 ? 3 : 4;
	} else if (first == 0x0f) {
		uint8_t next = code[++at];
		o.map = next == 0x38 ? MAP_0F38 : next == 0x3a ? MAP_0F3A : MAP_0F;
		at += o.map != MAP_0F;
	}
	o.code = code[at];
	o.field = at + 1 < size ? code[at + 1] >> 3 & 7 : 0;
	return o;
}

/* What only writes its operand, though the decoder, which has no need to know, says that it reads
 * it as well. */
static const struct {
	int map;
	uint8_t first, last, fields; /* a bit for each value of the reg field */
	bool only_vex, not_rep;
} stores[] = {
	{ PLAIN, 0xd9, 0xd9, 0xcc, false, false },    /* fst, fstp, fnstenv, fnstcw */
	{ PLAIN, 0xdb, 0xdb, 0x8e, false, false },    /* fisttp, fist, fistp, fstp  */
	{ PLAIN, 0xdd, 0xdd, 0xce, false, false },    /* ...fnsave, fnstsw          */
	{ PLAIN, 0xdf, 0xdf, 0xce, false, false },    /* ...fbstp                   */
	{ MAP_0F, 0x7e, 0x7e, 0xff, false, true },    /* movd, movq                 */
	{ MAP_0F, 0xae, 0xae, 0x59, false, false },   /* fxsave, stmxcsr, xsave...  */
	{ MAP_0F, 0xc7, 0xc7, 0x30, false, false },   /* xsavec, xsaves             */
	{ MAP_0F38, 0x2e, 0x2f, 0xff, true, false },  /* vmaskmov                   */
	{ MAP_0F38, 0x8e, 0x8e, 0xff, true, false },  /* vpmaskmov                  */
	{ MAP_0F38, 0xf1, 0xf1, 0xff, false, true },  /* movbe                      */
	{ MAP_0F3A, 0x14, 0x17, 0xff, false, false }, /* pextr, extractps           */
	{ MAP_0F3A, 0x19, 0x19, 0xff, true, false },  /* vextractf128               */
	{ MAP_0F3A, 0x1d, 0x1d, 0xff, true, false },  /* vcvtps2ph                  */
	{ MAP_0F3A, 0x39, 0x39, 0xff, true, false },  /* vextracti128               */
};

static bool is_store(const struct opcode *o)
{
	for (size_t i = 0; i < sizeof(stores) / sizeof(*stores); i++) {
		if ((int)o->map == stores[i].map && o->code >= stores[i].first &&
		    o->code <= stores[i].last && (stores[i].fields >> o->field & 1) &&
		    !(stores[i].only_vex && !o->vex) && !(stores[i].not_rep && o->rep))
			return true;
	}
	return false;
}

/* movs, cmps, stos, lods, scas: through rsi, through rdi. */
static const struct {
	bool known, source, target_read, target_written;
} strings[16] = {
	[0x4] = { true, true, false, true },  [0x5] = { true, true, false, true },
	[0x6] = { true, true, true, false },  [0x7] = { true, true, true, false },
	[0xa] = { true, false, false, true }, [0xb] = { true, false, false, true },
	[0xc] = { true, true, false, false }, [0xd] = { true, true, false, false },
	[0xe] = { true, false, true, false }, [0xf] = { true, false, true, false },
};

static bool is_string(const struct opcode *o)
{
	return o->map == PLAIN && (o->code & 0xf0) == 0xa0 && strings[o->code & 0xf].known;
}

static enum access kind_of(const struct insn *insn, const struct opcode *o)
{
	bool operand = insn->reads != INSN_READS_NOTHING || insn->stores;

	if (is_string(o))
		return strings[o->code & 0xf].source || strings[o->code & 0xf].target_read
			       ? ACCESS_READS
			       : ACCESS_WRITES;
	if (!operand)
		return ACCESS_UNKNOWN;
	return insn->reads == INSN_READS_NOTHING || is_store(o) ? ACCESS_WRITES : ACCESS_READS;
}

enum access accesses_x86_64_kind(const uint8_t *code, size_t size)
{
	struct insn insn;

	if (!insn_x86_64_decode(code, size, 0, &insn))
		return ACCESS_UNKNOWN;
	struct opcode o = opcode_of(code, insn.size);
	return kind_of(&insn, &o);
}

/* ---- where it did so -------------------------------------------------------------------- */

static uint64_t value_of(const struct user_regs_struct *r, uint8_t number)
{
	const unsigned long long all[] = { r->rax, r->rcx, r->rdx, r->rbx, r->rsp, r->rbp,
					   r->rsi, r->rdi, r->r8,  r->r9,  r->r10, r->r11,
					   r->r12, r->r13, r->r14, r->r15 };

	return all[number & 15];
}

/* What a pointer of string instructions went over: they have moved it behind that, or before. */
static struct range passed(uint64_t pointer, bool repeated, bool down)
{
	size_t len = repeated ? OPERAND_MAX : 8;

	return (struct range){ down ? pointer + 1 : pointer - len, len };
}

static enum access string_access(const struct opcode *o, const struct user_regs_struct *r,
				 struct range what)
{
	enum { DIRECTION = 1 << 10 };
	bool down = r->eflags & DIRECTION;
	bool source = overlap(passed(r->rsi, o->rep, down), what);
	bool target = overlap(passed(r->rdi, o->rep, down), what);
	unsigned int row = o->code & 0xf;

	if ((source && strings[row].source) || (target && strings[row].target_read))
		return ACCESS_READS;
	return target && strings[row].target_written ? ACCESS_WRITES : ACCESS_UNKNOWN;
}

/* The registers of its address are those that they were. */
static bool is_address_kept(const struct insn *insn)
{
	return (insn->base == INSN_NO_REG || !(insn->writes >> insn->base & 1)) &&
	       (insn->index == INSN_NO_REG || !(insn->writes >> insn->index & 1));
}

static uint64_t address_of(const struct insn *insn, const struct user_regs_struct *r)
{
	uint64_t at = insn->displacement;

	if (insn->base != INSN_NO_REG)
		at += value_of(r, insn->base);
	if (insn->index != INSN_NO_REG)
		at += value_of(r, insn->index) * insn->scale;
	return at;
}

struct candidate {
	enum access kind;
	bool certain; /* its operand is known to be there */
	unsigned int votes;
};

static struct candidate judge(const uint8_t *code, size_t size, uint64_t addr,
			      const struct user_regs_struct *r, struct range what)
{
	struct candidate c = { 0 };
	struct insn insn;

	if (!insn_x86_64_decode(code, size, addr, &insn) || insn.size != size)
		return c;
	struct opcode o = opcode_of(code, size);
	if (is_string(&o)) {
		c.kind = string_access(&o, r, what);
		c.certain = true;
		return c;
	}
	c.kind = kind_of(&insn, &o);
	c.certain = !o.segment && is_address_kept(&insn) && insn.reads != INSN_READS_SOMEWHERE &&
		    insn.stores != INSN_STORES_SOMEWHERE;
	if (c.certain && !overlap((struct range){ address_of(&insn, r), OPERAND_MAX }, what))
		c.kind = ACCESS_UNKNOWN;
	return c;
}

/* ---- which of them it was --------------------------------------------------------------- */

/* How many of the places before lead to an instruction of each length that ends at pc. */
static void vote(const struct access_code *code, unsigned int votes[INSN_X86_64_MAX + 1])
{
	uint8_t sizes[ACCESS_BEFORE] = { 0 };
	struct insn insn;

	for (size_t i = 0; i < code->before; i++) {
		if (insn_x86_64_decode(code->bytes + i, code->before - i, 0, &insn))
			sizes[i] = insn.size;
	}
	for (size_t start = 0; start + INSN_X86_64_MAX < code->before; start++) {
		size_t at = start, last = start;
		while (at < code->before && sizes[at]) {
			last = at;
			at += sizes[at];
		}
		if (at == code->before)
			votes[at - last]++;
	}
}

static bool is_better(const struct candidate *a, const struct candidate *than)
{
	if (a->certain != than->certain)
		return a->certain;
	return a->votes >= than->votes; /* the longer one */
}

/* Calls and pushes write where the stack pointer is now, returns and pops read below. */
static enum access stack_access(const struct user_regs_struct *r, struct range what)
{
	if (overlap((struct range){ r->rsp, 8 }, what))
		return ACCESS_WRITES;
	return overlap((struct range){ r->rsp - 8, 8 }, what) ? ACCESS_READS : ACCESS_UNKNOWN;
}

/* A repeated instruction that is not done yet: pc is still there. */
static enum access under_way(const struct access_code *code, const struct user_regs_struct *r,
			     struct range what)
{
	const uint8_t *at = code->bytes + code->before;
	struct insn insn;

	if (!insn_x86_64_decode(at, code->size - code->before, code->pc, &insn))
		return ACCESS_UNKNOWN;
	struct opcode o = opcode_of(at, insn.size);
	return is_string(&o) && o.rep ? string_access(&o, r, what) : ACCESS_UNKNOWN;
}

enum access accesses_x86_64(const struct access_code *code, const uint8_t *general, uint64_t at,
			    size_t len)
{
	struct user_regs_struct regs, *r = &regs;
	unsigned int votes[INSN_X86_64_MAX + 1] = { 0 };
	struct range what = { at, len };
	struct candidate best = { 0 };

	memcpy(&regs, general, sizeof(regs));
	vote(code, votes);
	for (size_t size = 1; size <= INSN_X86_64_MAX && size <= code->before; size++) {
		struct candidate c =
			judge(code->bytes + code->before - size, size, code->pc - size, r, what);
		c.votes = votes[size];
		if (c.kind && (!best.kind || is_better(&c, &best)))
			best = c;
	}
	if (best.certain)
		return best.kind;
	enum access other = under_way(code, r, what);
	if (!other)
		other = stack_access(r, what);
	return other ? other : best.kind;
}
