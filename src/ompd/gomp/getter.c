/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/getter.h"

#include <string.h>

#include "ompd/gomp/insn.h"

/* More than accessors need; loops and hostile code end here. */
enum { MAX_WAYS = 16, MAX_STEPS = 600, MAX_STEPS_OF_WAY = 60 };
enum { RAX = 0 };

/* One way through the code, at the instruction at offset. */
struct way {
	size_t offset;
	int steps;
	struct gomp_path regs[16];
};

struct walk {
	const uint8_t *code;
	size_t len;
	uint64_t pc;
	struct way ways[MAX_WAYS]; /* not followed to their ends yet */
	size_t nways;
	struct gomp_getter *ret;
};

static const struct gomp_path unknown;

static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* x86-64 ELF ABI, 3.4.6: what %fs addresses is the thread pointer + the base + disp. */
static struct gomp_path thread_address(const struct gomp_insn *insn, const struct gomp_path *base)
{
	struct gomp_path p = { .root = GOMP_ROOT_THREAD, .add = insn->disp };

	if (!insn->has_base)
		return p;
	if (base->root == GOMP_ROOT_STATIC && base->nloads == 1 && !base->add) {
		p.slot = (uint64_t)base->at[0];
		return p;
	}
	if (base->root == GOMP_ROOT_CONSTANT) {
		p.tpoff = base->add;
		return p;
	}
	return unknown;
}

/* The address of a memory operand, as a path without its load. */
static struct gomp_path address_of(const struct way *w, const struct gomp_insn *insn)
{
	struct gomp_path p = { .root = GOMP_ROOT_STATIC, .add = insn->disp };

	if (insn->has_index)
		return unknown;
	if (insn->fs)
		return thread_address(insn, &w->regs[insn->base]);
	if (!insn->has_base)
		return p;
	p = w->regs[insn->base];
	p.add = plus(p.add, insn->disp);
	return p.root == GOMP_ROOT_CONSTANT ? unknown : p;
}

static struct gomp_path load(struct gomp_path address, uint8_t size)
{
	/* %fs:0 holds the thread pointer itself. */
	if (address.root == GOMP_ROOT_THREAD && !address.nloads && !address.slot &&
	    !address.tpoff && !address.add)
		return address;
	if (address.root == GOMP_ROOT_UNKNOWN || address.nloads == GOMP_PATH_LOADS)
		return unknown;
	address.at[address.nloads++] = address.add;
	address.add = 0;
	address.size = size;
	return address;
}

static struct gomp_path source_of(const struct way *w, const struct gomp_insn *insn)
{
	if (insn->has_imm)
		return (struct gomp_path){ .root = GOMP_ROOT_CONSTANT, .add = insn->imm };
	if (insn->store)
		return w->regs[insn->reg];
	return insn->memory ? load(address_of(w, insn), insn->size) : w->regs[insn->rm];
}

static bool is_thread_pointer(const struct gomp_path *p)
{
	return p->root == GOMP_ROOT_THREAD && !p->nloads && !p->slot && !p->tpoff && !p->add;
}

/* The thread pointer plus what says how far from it gomp_thread is. */
static struct gomp_path thread_plus(const struct gomp_path *offset)
{
	struct gomp_path p = { .root = GOMP_ROOT_THREAD };

	if (offset->root == GOMP_ROOT_CONSTANT) {
		p.tpoff = offset->add;
		return p;
	}
	if (offset->root != GOMP_ROOT_STATIC || offset->nloads != 1)
		return unknown;
	p.slot = (uint64_t)offset->at[0];
	p.add = offset->add;
	return p;
}

static struct gomp_path sum(const struct gomp_path *a, const struct gomp_path *b)
{
	struct gomp_path p = *a;

	if (is_thread_pointer(a))
		return thread_plus(b);
	if (is_thread_pointer(b))
		return thread_plus(a);
	if (a->root == GOMP_ROOT_UNKNOWN || b->root != GOMP_ROOT_CONSTANT)
		return unknown;
	p.add = plus(p.add, b->add);
	return p;
}

static void add_return(struct gomp_getter *g, const struct gomp_path *p)
{
	for (size_t i = 0; i < g->n; i++)
		if (!memcmp(&g->returns[i], p, sizeof(*p)))
			return;
	if (g->n < GOMP_GETTER_RETURNS)
		g->returns[g->n++] = *p;
}

static void add_way(struct walk *walk, const struct way *from, size_t offset)
{
	struct way *w;

	if (walk->nways == MAX_WAYS || offset >= walk->len)
		return;
	w = &walk->ways[walk->nways++];
	*w = *from;
	w->offset = offset;
}

static void set(struct way *w, const struct gomp_insn *insn, struct gomp_path value)
{
	if (!insn->store)
		w->regs[insn->reg] = value;
	else if (!insn->memory)
		w->regs[insn->rm] = value;
}

/* Applies one instruction. false: the way ends. */
static bool step(struct walk *walk, struct way *w, const struct gomp_insn *insn)
{
	const struct gomp_path *to = &w->regs[insn->store ? insn->rm : insn->reg];
	size_t next = w->offset + insn->len;
	struct gomp_path value = unknown;

	w->offset = next;
	switch (insn->op) {
	case GOMP_OP_NONE:
		return true;
	case GOMP_OP_UNKNOWN:
		set(w, insn, unknown);
		return true;
	case GOMP_OP_MOVE:
		set(w, insn, source_of(w, insn));
		return true;
	case GOMP_OP_LEA:
		set(w, insn, address_of(w, insn));
		return true;
	case GOMP_OP_ADD:
		value = source_of(w, insn);
		if (!insn->store || !insn->memory)
			set(w, insn, sum(to, &value));
		return true;
	case GOMP_OP_XOR:
		if (!insn->memory && insn->rm == insn->reg)
			value = (struct gomp_path){ .root = GOMP_ROOT_CONSTANT };
		set(w, insn, value);
		return true;
	case GOMP_OP_CMOVE:
		add_way(walk, w, next);
		set(w, insn, source_of(w, insn));
		return true;
	case GOMP_OP_CMPXCHG:
		if (insn->memory && walk->ret->locks.root == GOMP_ROOT_UNKNOWN)
			walk->ret->locks = address_of(w, insn);
		w->regs[RAX] = unknown;
		set(w, insn, unknown);
		return true;
	case GOMP_OP_BRANCH:
		add_way(walk, w, next);
		w->offset = insn->target - walk->pc;
		return true;
	case GOMP_OP_JUMP:
		w->offset = insn->target - walk->pc;
		return true;
	case GOMP_OP_RETURN:
		add_return(walk->ret, &w->regs[RAX]);
		return false;
	}
	return false;
}

void gomp_getter_follow(const uint8_t *code, size_t len, uint64_t pc, struct gomp_getter *ret)
{
	struct walk walk = { .code = code, .len = len, .pc = pc, .nways = 1, .ret = ret };
	struct gomp_insn insn;
	int steps = 0;

	memset(ret, 0, sizeof(*ret));
	while (walk.nways) {
		struct way w = walk.ways[--walk.nways];

		while (steps++ < MAX_STEPS && w.steps++ < MAX_STEPS_OF_WAY && w.offset < len &&
		       gomp_insn_read(code + w.offset, len - w.offset, pc + w.offset, &insn) &&
		       step(&walk, &w, &insn))
			continue;
	}
}

const struct gomp_path *gomp_getter_find(const struct gomp_getter *g, enum gomp_root root,
					 uint8_t nloads)
{
	const struct gomp_path *found = NULL;

	for (size_t i = 0; i < g->n; i++) {
		const struct gomp_path *p = &g->returns[i];

		if (p->root != root || p->nloads != nloads)
			continue;
		if (found)
			return NULL;
		found = p;
	}
	return found;
}
