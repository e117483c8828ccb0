/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/inline_exits.h"

#include "debugger/control/course.h"
#include "debugger/control/escape.h"
#include "target/flow/cfg.h"
#include "target/process/opcode.h"

enum {
	EXITS_MAX = 256,
	STEPS_MIN = 16, /* before the code is looked at, and again: most calls are short */
};

/* The inlined call, and what is known of where it is left. */
struct call {
	struct symbol_table *symbols;
	size_t depth;
	taddr entry;
	struct code_range piece; /* of its code: the one that was looked at last */
	struct exit {
		taddr addr;
		struct location_cfa cfa;
	} exits[EXITS_MAX];
	size_t len;
	bool loops, unknown;
};

static bool has(struct call *k, taddr addr)
{
	struct code_block blocks[CODE_BLOCKS_MAX];

	if (addr >= k->piece.start && addr < k->piece.end)
		return true;
	const size_t n = places_blocks(k->symbols, addr, blocks);
	if (n < k->depth || blocks[n - k->depth].entry != k->entry)
		return false;
	k->piece = (struct code_range){ blocks[n - k->depth].start, blocks[n - k->depth].end };
	return true;
}

static void add_exit(struct call *k, struct unwinder *u, taddr addr)
{
	struct exit exit = { .addr = addr };

	for (size_t i = 0; i < k->len; i++) {
		if (k->exits[i].addr == addr)
			return;
	}
	if (k->len == EXITS_MAX || !unwind_cfa(u, addr, &exit.cfa))
		k->unknown = true;
	else
		k->exits[k->len++] = exit;
}

static void add_edges(struct call *k, struct unwinder *u, const struct cfg *g,
		      const struct cfg_block *b)
{
	const taddr last = cfg_last(g, b)->addr;

	if (b->exits)
		add_exit(k, u, last);
	for (uint32_t i = b->first_edge; i < b->first_edge + b->nedges; i++) {
		const taddr to = g->insns.items[g->blocks.items[g->edges.items[i].to].first].addr;
		if (!has(k, to))
			add_exit(k, u, to);
		else if (to <= last)
			k->loops = true;
	}
}

static void find_exits(struct call *k, struct unwinder *u, const struct cfg *g)
{
	vec_for_each (b, &g->blocks) {
		for (uint32_t i = b->first; i < b->first + b->len; i++) {
			if (!has(k, g->insns.items[i].addr))
				continue;
			if (i + 1 == b->first + b->len)
				add_edges(k, u, g, b);
			else if (!has(k, g->insns.items[i + 1].addr))
				add_exit(k, u, g->insns.items[i + 1].addr);
		}
	}
}

static bool is_exit(const struct call *k, taddr addr)
{
	for (size_t i = 0; i < k->len; i++) {
		if (k->exits[i].addr == addr)
			return true;
	}
	return false;
}

/* A point there, in the plan's frame. */
static struct error *plant(struct plan *p, const struct plan_context *c, const struct exit *exit)
{
	const bool by_sp = exit->cfa.reg == c->session->target->arch->code_sp;
	AUTO_BUF frame = { 0 };

	if (by_sp)
		return plan_add_point(p, c, ROLE_OUT, exit->addr,
				      p->cfa - (taddr)exit->cfa.offset - 1);
	opcode_add_byte(&frame, CONDITION_REGISTER, (uint8_t)exit->cfa.reg);
	opcode_add_offset(&frame, (uint64_t)exit->cfa.offset);
	opcode_add_constant(&frame, p->cfa);
	opcode_add(&frame, CONDITION_EQUAL);
	if (frame.failed)
		return &error_nomem;
	return plan_set_point(
		p, c,
		&(struct plan_wish){
			.role = ROLE_OUT, .addr = exit->addr, .lwp = p->lwp, .condition = &frame });
}

static struct error *run(struct plan *p, const struct plan_context *c, const struct call *k)
{
	struct target *t = c->session->target;
	const struct unwind_frame *caller;
	uint64_t sp = 0;
	struct error *err = frames_raw(c->frames, 1, &caller);

	if (!err)
		err = target_get_uint(t, c->frames->thread, t->arch->code_regs[t->arch->code_sp],
				      &sp);
	if (!err)
		err = caller ? escape_run_to_frame(p, c, 1, ROLE_RETURN) : escape_watch(p, c);
	for (size_t i = 0; i < k->len && !err; i++)
		err = plant(p, c, &k->exits[i]);
	p->limit = sp;
	p->move = MOVE_RUN;
	return err;
}

struct error *inline_exits_run(struct plan *p, const struct plan_context *c, const struct where *w)
{
	const struct code_block *inlined = where_block(w, p->depth + 1);
	struct call k = { .symbols = c->session->symbols, .depth = p->depth + 1 };

	if (!inlined || where_depth(w) <= p->depth || !inlined->entry || !course_is_within(p, w))
		return NULL;
	/* To finish one is to leave it: that looks at once. */
	const unsigned int before = p->inlined++;
	if (before % STEPS_MIN || (!before && p->kind != PLAN_FINISH_INLINE))
		return NULL;
	k.entry = inlined->entry;
	struct cfg *g = cfg_new(c->session->target, c->session->unwinder, w->pc);
	const bool known = g && g->complete && cfg_find(g, w->pc, false) != CFG_NONE;
	if (known)
		find_exits(&k, c->session->unwinder, g);
	cfg_free(g);
	const bool runs = known && k.loops && k.len && !k.unknown && !is_exit(&k, w->pc);
	return runs ? run(p, c, &k) : NULL;
}
