/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/getter.h"

#include <string.h>

#include "target/cpu/insn_x86_64.h"

/* More than accessors need; loops and hostile code end here. */
enum { MAX_BRANCHES = 16, MAX_STEPS = 600, MAX_STEPS_OF_BRANCH = 60 };
enum { RAX = 0 };

/* One way through the code: at the instruction at offset. */
struct branch {
	size_t offset;
	int steps;
	struct gomp_path regs[16];
};

struct follower {
	const uint8_t *code;
	size_t len;
	uint64_t pc;
	struct branch branches[MAX_BRANCHES]; /* not followed to their ends yet */
	size_t nbranches;
	struct gomp_getter *ret;
};

static const struct gomp_path unknown;

static int64_t plus(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
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

/* The address of a memory operand, as a path without its load. */
static struct gomp_path address_of(const struct branch *w, const struct insn *insn)
{
	const struct gomp_path *base = insn->base == INSN_NO_REG ? NULL : &w->regs[insn->base];
	struct gomp_path p = { .root = GOMP_ROOT_STATIC };

	if (insn->index != INSN_NO_REG)
		return unknown;
	/* x86-64 ELF ABI, 3.4.6: %fs is the thread pointer. */
	if (insn->thread_local)
		p = base ? thread_plus(base) : (struct gomp_path){ .root = GOMP_ROOT_THREAD };
	else if (base)
		p = *base;
	if (p.root == GOMP_ROOT_UNKNOWN || p.root == GOMP_ROOT_CONSTANT)
		return unknown;
	p.add = plus(p.add, (int64_t)insn->displacement);
	return p;
}

static bool is_thread_pointer(const struct gomp_path *p)
{
	return p->root == GOMP_ROOT_THREAD && !p->nloads && !p->slot && !p->tpoff && !p->add;
}

static struct gomp_path load(struct gomp_path address, uint8_t size)
{
	/* %fs:0 holds the thread pointer itself. */
	if (is_thread_pointer(&address))
		return address;
	if (address.root == GOMP_ROOT_UNKNOWN || address.nloads == GOMP_PATH_LOADS)
		return unknown;
	address.at[address.nloads++] = address.add;
	address.add = 0;
	address.size = size;
	return address;
}

static struct gomp_path operand_of(const struct branch *w, const struct insn *insn)
{
	switch (insn->operand) {
	case INSN_VALUE:
		return (struct gomp_path){ .root = GOMP_ROOT_CONSTANT,
					   .add = (int64_t)insn->value };
	case INSN_REGISTER:
		return w->regs[insn->from];
	case INSN_MEMORY:
		return load(address_of(w, insn), insn->bytes);
	}
	return unknown;
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

static bool same_path(const struct gomp_path *a, const struct gomp_path *b)
{
	return a->root == b->root && a->slot == b->slot && a->tpoff == b->tpoff &&
	       a->nloads == b->nloads && a->size == b->size && a->add == b->add &&
	       !memcmp(a->at, b->at, sizeof(a->at));
}

static void add_return(struct gomp_getter *g, const struct gomp_path *p)
{
	for (size_t i = 0; i < g->n; i++)
		if (same_path(&g->returns[i], p))
			return;
	if (g->n < GOMP_GETTER_RETURNS)
		g->returns[g->n++] = *p;
}

static void add_branch(struct follower *f, const struct branch *from, size_t offset)
{
	struct branch *w;

	if (f->nbranches == MAX_BRANCHES || offset >= f->len)
		return;
	w = &f->branches[f->nbranches++];
	*w = *from;
	w->offset = offset;
}

/* What the instruction makes of its register "to"; unknown: it has no such, or cannot be told. */
static struct gomp_path result_of(const struct branch *w, const struct insn *insn)
{
	bool address = insn->kind == INSN_CONSTANT && insn->operand == INSN_MEMORY;
	bool moves = insn->kind == INSN_COPY || insn->kind == INSN_LOAD ||
		     insn->kind == INSN_EXTEND || insn->kind == INSN_CHOOSE;
	struct gomp_path operand;

	if (insn->kind == INSN_ADDRESS)
		return address_of(w, insn);
	if (insn->kind == INSN_CONSTANT)
		return (struct gomp_path){ .root = address ? GOMP_ROOT_STATIC : GOMP_ROOT_CONSTANT,
					   .add = (int64_t)insn->value };
	operand = operand_of(w, insn);
	if (insn->kind == INSN_COMPUTE && insn->operation == INSN_ADD)
		return sum(&w->regs[insn->to], &operand);
	return moves ? operand : unknown;
}

/* Goes on to the next instruction. false: the way ends, or it cannot be told where it goes. */
static bool go_on(const struct follower *f, struct branch *w, const struct insn *insn)
{
	bool jumps = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH;

	if (insn->kind == INSN_CALL || insn->kind == INSN_RETURN || insn->kind == INSN_END)
		return false;
	w->offset = jumps ? insn->value - f->pc : w->offset + insn->size;
	return !jumps || insn->via == INSN_VIA_ADDRESS;
}

/* Applies one instruction. false: the way ends. */
static bool step(struct follower *f, struct branch *w, const struct insn *insn)
{
	struct gomp_path result = result_of(w, insn);

	if (insn->kind == INSN_BRANCH || insn->kind == INSN_CHOOSE)
		add_branch(f, w, w->offset + insn->size);
	if (insn->kind == INSN_EXCHANGE && insn->operand == INSN_MEMORY &&
	    f->ret->locks.root == GOMP_ROOT_UNKNOWN)
		f->ret->locks = address_of(w, insn);
	if (insn->kind == INSN_RETURN)
		add_return(f->ret, &w->regs[RAX]);
	for (unsigned int i = 0; i < 16; i++) {
		if (insn->writes >> i & 1)
			w->regs[i] = i == insn->to ? result : unknown;
	}
	return go_on(f, w, insn);
}

void gomp_getter_follow(const uint8_t *code, size_t len, uint64_t pc, struct gomp_getter *ret)
{
	struct follower f = { .code = code, .len = len, .pc = pc, .nbranches = 1, .ret = ret };
	struct insn insn;
	int steps = 0;

	memset(ret, 0, sizeof(*ret));
	while (f.nbranches) {
		struct branch w = f.branches[--f.nbranches];

		while (steps++ < MAX_STEPS && w.steps++ < MAX_STEPS_OF_BRANCH && w.offset < len &&
		       insn_x86_64_decode(code + w.offset, len - w.offset, pc + w.offset, &insn) &&
		       step(&f, &w, &insn))
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
