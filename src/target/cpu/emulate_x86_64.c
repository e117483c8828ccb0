/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/emulate_x86_64.h"

#include <string.h>
#include <sys/user.h>

#include "target/cpu/insn_x86_64.h"

struct emulation {
	struct insn insn;
	bool operand16, address32, gs; /* prefixes */
	bool wide;                     /* REX.W     */
	bool escaped;                  /* by 0f     */
	uint8_t opcode;
	const uint8_t *behind_opcode;
	uint64_t next; /* the address behind it */
	struct user_regs_struct regs;
	const struct emulate_memory *memory;
};

/* ---- what stands before the operands ---------------------------------------------------- */

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
	       byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
	       byte == 0x65;
}

/* The decoder has found a whole instruction there. */
static void find_opcode(struct emulation *e, const uint8_t *code)
{
	for (; is_prefix(*code); code++) {
		e->operand16 |= *code == 0x66;
		e->address32 |= *code == 0x67;
		e->gs |= *code == 0x65;
	}
	if ((*code & 0xf0) == 0x40)
		e->wide = *code++ & 8;
	e->escaped = *code == 0x0f;
	if (e->escaped)
		code++;
	e->opcode = *code;
	e->behind_opcode = code + 1;
}

/* ---- registers and memory --------------------------------------------------------------- */

/* By their numbers in instructions. */
static unsigned long long *reg(struct emulation *e, uint8_t number)
{
	struct user_regs_struct *r = &e->regs;
	unsigned long long *const all[] = { &r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp,
					    &r->rsi, &r->rdi, &r->r8,  &r->r9,  &r->r10, &r->r11,
					    &r->r12, &r->r13, &r->r14, &r->r15 };

	return all[number & 15];
}

static uint64_t address(struct emulation *e)
{
	const struct insn *insn = &e->insn;
	uint64_t at = insn->displacement;

	if (insn->base != INSN_NO_REG)
		at += *reg(e, insn->base);
	if (insn->index != INSN_NO_REG)
		at += *reg(e, insn->index) * insn->scale;
	return insn->thread_local ? at + e->regs.fs_base : at;
}

static bool push(struct emulation *e, uint64_t value)
{
	if (!e->memory->write(e->memory->context, e->regs.rsp - 8, &value, sizeof(value)))
		return false;
	e->regs.rsp -= 8;
	return true;
}

/* To what is no address of 48 bits nobody jumps: the instruction faults. */
static bool go_to(struct emulation *e, uint64_t to)
{
	e->regs.rip = to;
	return (uint64_t)((int64_t)(to << 16) >> 16) == to;
}

/* ---- what is emulated ------------------------------------------------------------------- */

enum { CARRY = 1 << 0, PARITY = 1 << 2, ZERO = 1 << 6, SIGN = 1 << 7, OVERFLOW = 1 << 11 };
enum { TRAP_FLAG = 1 << 8, RESUME_FLAG = 1 << 16, VIRTUAL_FLAG = 1 << 17 };

/* Table B-1 of appendix B; the lowest bit turns it round. */
static bool holds(const struct emulation *e)
{
	uint64_t f = e->regs.eflags;
	bool less = !(f & SIGN) != !(f & OVERFLOW);
	const bool conditions[] = { f & OVERFLOW, f & CARRY,  f & ZERO, f & (CARRY | ZERO),
				    f & SIGN,     f & PARITY, less,     less || (f & ZERO) };

	return conditions[e->opcode >> 1 & 7] != (e->opcode & 1);
}

static bool jump(struct emulation *e)
{
	return go_to(e, e->insn.value);
}

static bool branch(struct emulation *e)
{
	return go_to(e, holds(e) ? e->insn.value : e->next);
}

/* loopne, loope, loop, jrcxz. */
static bool loop(struct emulation *e)
{
	bool zero = e->regs.eflags & ZERO, taken;

	if (e->opcode != 0xe3)
		e->regs.rcx--;
	taken = e->opcode == 0xe3 ? !e->regs.rcx : e->regs.rcx != 0;
	if (e->opcode == 0xe0)
		taken = taken && !zero;
	if (e->opcode == 0xe1)
		taken = taken && zero;
	return go_to(e, taken ? e->insn.value : e->next);
}

static bool call(struct emulation *e)
{
	return go_to(e, e->insn.value) && push(e, e->next);
}

/* call and jmp through a register or memory. */
static bool through(struct emulation *e)
{
	uint64_t to = 0;
	bool calls = e->insn.kind == INSN_CALL;

	if (e->insn.from != INSN_NO_REG)
		to = *reg(e, e->insn.from);
	else if (!e->memory->read(e->memory->context, address(e), &to, sizeof(to)))
		return false;
	return go_to(e, to) && (!calls || push(e, e->next));
}

static bool ret(struct emulation *e)
{
	uint64_t to = 0;

	if (!e->memory->read(e->memory->context, e->regs.rsp, &to, sizeof(to)))
		return false;
	e->regs.rsp += 8;
	if (e->opcode == 0xc2)
		e->regs.rsp += e->behind_opcode[0] | (uint64_t)e->behind_opcode[1] << 8;
	return go_to(e, to);
}

static bool push_register(struct emulation *e)
{
	e->regs.rip = e->next;
	return push(e, *reg(e, e->insn.from));
}

static bool push_flags(struct emulation *e)
{
	e->regs.rip = e->next;
	return push(e, e->regs.eflags & ~(uint64_t)(TRAP_FLAG | RESUME_FLAG | VIRTUAL_FLAG));
}

static bool nothing(struct emulation *e)
{
	e->regs.rip = e->next;
	return true;
}

static bool copy(struct emulation *e)
{
	*reg(e, e->insn.to) = *reg(e, e->insn.from) & e->insn.value;
	return nothing(e);
}

static bool address_to_register(struct emulation *e)
{
	*reg(e, e->insn.to) = address(e);
	return nothing(e);
}

typedef bool action(struct emulation *e);

/* Those whose operands are as decoded, of 64 bits where that matters. */
static const struct {
	bool escaped;
	uint8_t first, last; /* opcodes */
	enum insn_kind kind;
	bool wide; /* only with REX.W */
	action *action;
} rows[] = {
	{ false, 0x50, 0x57, INSN_PUSH, false, push_register },
	{ false, 0x70, 0x7f, INSN_BRANCH, false, branch },
	{ false, 0x89, 0x8b, INSN_COPY, false, copy },
	{ false, 0x8d, 0x8d, INSN_ADDRESS, true, address_to_register },
	{ false, 0x90, 0x90, INSN_NOTHING, false, nothing },
	{ false, 0xc2, 0xc3, INSN_RETURN, false, ret },
	{ false, 0xe0, 0xe3, INSN_BRANCH, false, loop },
	{ false, 0xe8, 0xe8, INSN_CALL, false, call },
	{ false, 0xe9, 0xeb, INSN_JUMP, false, jump },
	{ false, 0xff, 0xff, INSN_CALL, false, through },
	{ false, 0xff, 0xff, INSN_JUMP, false, through },
	{ true, 0x18, 0x1f, INSN_NOTHING, false, nothing },
	{ true, 0x80, 0x8f, INSN_BRANCH, false, branch },
};

/* Of nops, prefixes do not matter; what 66 does to a jump is another thing at each maker. */
static bool is_plain(const struct emulation *e)
{
	if (e->insn.kind == INSN_NOTHING)
		return true;
	return !(e->operand16 && !e->wide) && !e->address32 && !e->gs;
}

static action *find(struct emulation *e, const uint8_t *code, size_t size, uint64_t addr)
{
	enum { PUSHF = 0x9c };

	if (size && code[0] == PUSHF) {
		e->next = addr + 1;
		return push_flags;
	}
	if (!insn_x86_64_decode(code, size, addr, &e->insn))
		return NULL;
	e->next = addr + e->insn.size;
	find_opcode(e, code);
	if (!is_plain(e))
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].escaped == e->escaped && e->opcode >= rows[i].first &&
		    e->opcode <= rows[i].last && rows[i].kind == e->insn.kind &&
		    (e->wide || !rows[i].wide))
			return rows[i].action;
	}
	return NULL;
}

bool emulate_x86_64(const uint8_t *code, size_t size, uint64_t addr, uint8_t *general,
		    const struct emulate_memory *memory)
{
	struct emulation e = { .memory = memory };
	action *does = find(&e, code, size, addr);

	if (!general || !does)
		return does != NULL;
	memcpy(&e.regs, general, sizeof(e.regs));
	if (!does(&e))
		return false;
	memcpy(general, &e.regs, sizeof(e.regs));
	return true;
}

/* ---- copies ----------------------------------------------------------------------------- */

/* What depends on where it lies: system calls leave pc in rcx, and some of 0f 01 are calls, too. */
static bool is_bound(const struct emulation *e)
{
	static const enum insn_kind transfers[] = { INSN_CALL, INSN_JUMP, INSN_BRANCH, INSN_RETURN,
						    INSN_END };

	for (size_t i = 0; i < sizeof(transfers) / sizeof(*transfers); i++) {
		if (e->insn.kind == transfers[i])
			return true;
	}
	if (e->insn.relative_at && e->address32)
		return true;
	return e->escaped && (e->opcode == 0x05 || e->opcode == 0x01);
}

/* A distance of 32 bits; false: it is longer. */
static bool put_distance(uint8_t *to, uint64_t distance)
{
	int32_t value = (int32_t)distance;

	memcpy(to, &value, sizeof(value));
	return (uint64_t)(int64_t)value == distance;
}

static bool move_distance(uint8_t *distance, uint64_t by)
{
	int32_t before;

	memcpy(&before, distance, sizeof(before));
	return put_distance(distance, (uint64_t)(int64_t)before + by);
}

size_t emulate_x86_64_copy(const uint8_t *code, size_t size, uint64_t addr, uint64_t to,
			   uint8_t copied[INSN_COPY_MAX], size_t *ret_size)
{
	enum { JMP = 0xe9, JMP_SIZE = 5 };
	struct emulation e = { 0 };

	if (!insn_x86_64_decode(code, size, addr, &e.insn))
		return 0;
	find_opcode(&e, code);
	size_t n = e.insn.size;
	memcpy(copied, code, n);
	if (is_bound(&e) ||
	    (e.insn.relative_at && !move_distance(copied + e.insn.relative_at, addr - to)))
		return 0;
	copied[n] = JMP;
	if (!put_distance(copied + n + 1, addr + n - (to + n + JMP_SIZE)))
		return 0;
	*ret_size = n + JMP_SIZE;
	return n;
}
