/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/call_order.h"

#include <stdlib.h>
#include <string.h>

#include "target/code/call_site.h"

/* By instruction: 1 + the site that it is; 0: none. */
struct index {
	const struct cfg *cfg;
	uint32_t *sites;  /* owned */
	bool *seen;       /* owned; by block: its start has been come to */
	uint32_t *blocks; /* owned; that are still to be gone through    */
	size_t waiting;
	const struct cfg_block *stands; /* where the frame goes on; NULL: not known */
	uint32_t at;                    /* its instruction, or the block's end     */
	bool passes;                    /* a way from a site on leads there          */
};

static void index_fini(struct index *x)
{
	free(x->sites);
	free(x->seen);
	free(x->blocks);
}

static bool index_init(struct index *x, const struct cfg *cfg)
{
	x->cfg = cfg;
	x->sites = calloc(cfg->insns.len + 1, sizeof(*x->sites));
	x->seen = calloc(cfg->blocks.len + 1, sizeof(*x->seen));
	x->blocks = calloc(cfg->blocks.len + 1, sizeof(*x->blocks));
	return x->sites && x->seen && x->blocks;
}

/* The site that comes first from one instruction of a block to another; 0: there is none. */
static uint32_t first_in(const struct index *x, uint32_t n, uint32_t end)
{
	for (; n < end; n++) {
		if (x->sites[n])
			return x->sites[n];
	}
	return 0;
}

static void go_on(struct index *x, const struct cfg_block *block)
{
	for (uint32_t i = 0; i < block->nedges && !block->ends; i++) {
		uint32_t to = x->cfg->edges.items[block->first_edge + i].to;
		if (!x->seen[to])
			x->blocks[x->waiting++] = to;
		x->seen[to] = true;
	}
}

/* The sites that come first on each way from instruction n of a block on. */
static uint64_t come_next(struct index *x, const struct cfg_block *block, uint32_t n)
{
	uint64_t ret = 0;

	memset(x->seen, 0, x->cfg->blocks.len * sizeof(*x->seen));
	x->waiting = 0;
	for (;;) {
		uint32_t site = first_in(x, n, block->first + block->len);
		x->passes |= block == x->stands && n <= x->at && !first_in(x, n, x->at);
		if (site)
			ret |= UINT64_C(1) << (site - 1);
		else
			go_on(x, block);
		if (!x->waiting)
			return ret;
		block = &x->cfg->blocks.items[x->blocks[--x->waiting]];
		n = block->first;
	}
}

static void read_arguments(struct dataflow *r, struct flow_site *site, taddr addr)
{
	struct machine_state s;

	if (!dataflow_at(r, addr, false, &s))
		return;
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++) {
		struct term value = s.regs[r->machine.target->arch->code_arguments[i]];
		if (terms_number(r->machine.terms, value, &site->arguments[i]))
			site->known |= 1U << i;
	}
}

/* A block is too much for none of these numbers: the call ends it, or stands in it. */
static const struct cfg_block *block_of(const struct cfg *cfg, uint32_t insn)
{
	vec_for_each (block, &cfg->blocks) {
		if (insn >= block->first && insn < block->first + block->len)
			return block;
	}
	return NULL;
}

static bool add_sites(struct dataflow *r, struct index *x, struct flow_sites *ret)
{
	vec_for_each (call, &r->fn->calls) {
		const struct cfg_insn *insn = &x->cfg->insns.items[call->insn];
		if (call->does.effect == FLOW_NOTHING)
			continue;
		if (ret->len == FLOW_SITES_MAX)
			return false;
		struct flow_site *site = &ret->items[ret->len++];
		*site = (struct flow_site){
			.call = insn->addr + insn->insn.size,
			.kind = call->does.kind,
			.target = jump_target(r->machine.target, &insn->insn),
		};
		if (!site->target)
			site->target = jump_slot(r->machine.target, &insn->insn);
		read_arguments(r, site, insn->addr);
		x->sites[call->insn] = (uint32_t)ret->len;
	}
	return true;
}

/* The instruction at the frame's pc, or the one behind the call that it is in. */
static void find_frame(struct index *x, const struct unwind_frame *frame)
{
	uint32_t number = cfg_find(x->cfg, frame->pc, !frame->exact);

	if (number == CFG_NONE)
		return;
	const struct cfg_block *block = &x->cfg->blocks.items[number];
	uint32_t n = block->first;
	while (n < block->first + block->len && x->cfg->insns.items[n].addr < frame->pc)
		n++;
	x->stands = block;
	x->at = n;
}

static void follow(struct index *x, uint32_t insn, size_t site, struct flow_sites *ret)
{
	const struct cfg_block *block = block_of(x->cfg, insn);

	if (!block)
		return;
	x->passes = false;
	ret->items[site].leads = come_next(x, block, insn + 1);
	ret->behind |= (uint64_t)x->passes << site;
}

bool call_order_find(struct dataflow *r, const struct unwind_frame *frame, struct flow_sites *ret)
{
	AUTO(index_fini) struct index x = { 0 };

	if (!index_init(&x, r->fn->cfg) || !add_sites(r, &x, ret))
		return false;
	find_frame(&x, frame);
	vec_for_each (call, &r->fn->calls) {
		if (x.sites[call->insn])
			follow(&x, call->insn, x.sites[call->insn] - 1, ret);
	}
	ret->ahead = x.stands ? come_next(&x, x.stands, x.at) : 0;
	return true;
}
