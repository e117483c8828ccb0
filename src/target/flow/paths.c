/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/paths.h"

#include <stdlib.h>
#include <string.h>

enum {
	BLOCKS_MAX = 256,
	PENDING_MAX = 30, /* that have been put off                                           */
	STEPS_MAX = 5000, /* instructions                                                     */
};

/* One that has got to the start of a block. */
struct path {
	struct machine_state state;
	uint32_t block;
	uint8_t turns[BLOCKS_MAX]; /* for each block: how often it went through it            */
};

struct paths {
	struct dataflow *r;      /* borrowed */
	const struct actual *at; /* borrowed */
	bool *leads;             /* owned; for each block: on to where the frame stands       */
	bool *repeats;           /* owned; for each block: it is in a loop                   */
	struct path *pending;    /* owned; PENDING_MAX                                       */
	size_t npending;
	unsigned int steps; /* that are left                                                 */
	bool failed, any;
	struct held held; /* on all that have arrived and fit                                */
};

static void paths_fini(struct paths *s)
{
	free(s->leads);
	free(s->repeats);
	free(s->pending);
}

/* Backwards from a block, all that lead to it: itself, too, if it is in a loop. */
static void find_leading(const struct cfg *cfg, uint32_t target, bool *leads)
{
	bool more = true;

	while (more) {
		more = false;
		vec_for_each (edge, &cfg->edges) {
			bool its = (edge->to == target || leads[edge->to]) && !leads[edge->from] &&
				   !cfg->blocks.items[edge->from].ends;
			leads[edge->from] |= its;
			more |= its;
		}
	}
}

/* false: no way leads to where the frame stands, or out of memory. */
static bool look_at_blocks(struct paths *s, const struct cfg *cfg)
{
	uint32_t target = cfg_find(cfg, s->at->pc, s->at->ends), n = (uint32_t)cfg->blocks.len;
	AUTO_FREE bool *leads = malloc(n * sizeof(*leads));

	if (target == CFG_NONE || !leads)
		return false;
	s->leads[target] = true;
	find_leading(cfg, target, s->leads);
	for (uint32_t i = 0; i < n; i++) {
		if (!s->leads[i])
			continue;
		memset(leads, 0, n * sizeof(*leads));
		find_leading(cfg, i, leads);
		s->repeats[i] = leads[i];
	}
	return s->leads[0];
}

/* A path has come to where the frame stands: perhaps not for the last time. */
static void arrive(struct paths *s, const struct machine_state *state)
{
	struct held held = state->held;
	uint64_t number;

	if (!actual_fits(s->at, &s->r->machine, state))
		return;
	for (size_t i = 0; i < held.len; i++) {
		struct term *object = &held.items[i].object;
		if (actual_number(s->at, &s->r->machine, state, *object, MACHINE_WORD, &number))
			*object = term_of(number);
		else
			*object = term_lost();
	}
	if (s->any)
		held_join(&s->held, &held);
	else
		s->held = held;
	s->any = true;
}

/* Puts off one path that goes on from a block. */
static void put_off(struct paths *s, const struct path *p, const struct cfg_edge *edge)
{
	const struct cfg *cfg = s->r->fn->cfg;
	const struct insn *last = &cfg_last(cfg, &cfg->blocks.items[edge->from])->insn;
	bool taken;

	if (!s->leads[edge->to] || cfg->blocks.items[edge->from].ends ||
	    (last->kind == INSN_BRANCH && effect_decides(&s->r->machine, last, &p->state, &taken) &&
	     taken != edge->taken))
		return;
	if (s->npending == PENDING_MAX) {
		s->failed = true;
		return;
	}
	struct path *next = &s->pending[s->npending++];
	*next = *p;
	next->block = edge->to;
	if (last->kind == INSN_BRANCH)
		effect_branch(&s->r->machine, last, edge->taken, &next->state);
}

/*
 * Each turn through a block has symbols of its own. Where there is but one, they are the same as in
 * the passes before, which have found out what some of them stand for.
 */
static uint64_t context_of(const struct paths *s, const struct path *p)
{
	return !s->repeats[p->block] ? 0
				     : ((uint64_t)p->block << 8 | p->turns[p->block]) *
						       UINT64_C(0x9e3779b97f4a7c15) |
					       1;
}

static void go_through(struct paths *s, struct path *p)
{
	const struct cfg *cfg = s->r->fn->cfg;
	const struct cfg_block *block = &cfg->blocks.items[p->block];

	if (++p->turns[p->block] == UINT8_MAX || s->steps < block->len) {
		s->failed = true;
		return;
	}
	s->steps -= block->len;
	s->r->machine.context = context_of(s, p);
	for (uint32_t n = block->first; n < block->first + block->len; n++) {
		const struct cfg_insn *insn = &cfg->insns.items[n];
		if (insn->addr + (s->at->ends ? insn->insn.size : 0) == s->at->pc)
			arrive(s, &p->state);
		dataflow_step(s->r, n, &p->state);
	}
	for (uint32_t i = 0; i < block->nedges; i++)
		put_off(s, p, &cfg->edges.items[block->first_edge + i]);
}

bool paths_find(struct dataflow *r, const struct actual *a, struct held *ret)
{
	const struct cfg *cfg = r->fn->cfg;
	AUTO(paths_fini) struct paths s = { .r = r, .at = a, .steps = STEPS_MAX };
	struct path *p;

	if (cfg->blocks.len > BLOCKS_MAX)
		return false;
	s.leads = calloc(cfg->blocks.len, sizeof(*s.leads));
	s.pending = malloc((PENDING_MAX + 1) * sizeof(*s.pending));
	s.repeats = calloc(cfg->blocks.len, sizeof(*s.repeats));
	if (!s.leads || !s.repeats || !s.pending || !look_at_blocks(&s, cfg))
		return false;
	p = &s.pending[PENDING_MAX]; /* the one that is gone on with */
	s.pending[s.npending++] = (struct path){ .state = r->begin };
	while (s.npending && !s.failed && !r->incomplete) {
		*p = s.pending[--s.npending];
		go_through(&s, p);
	}
	r->machine.context = 0;
	*ret = s.held;
	return s.any && !s.failed && !r->incomplete;
}
