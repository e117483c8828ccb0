/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/flow/cfg.h"

#include <stdlib.h>

#include "target/code/call_site.h"
#include "target/flow/part.h"

enum {
	PARTS_MAX = 8,
	INSNS_MAX = 20000,
	TABLE_MAX = 1024, /* places that one jump leads to                                  */
	ROWS_MAX = 4096,  /* of all tables                                                  */
	TRAIL_MAX = 24,   /* instructions before a jump through a table                     */
};

/* A jump through a table. */
struct table_edge {
	taddr from, to;
};

/* What is under construction. */
struct builder {
	struct target *t;
	struct unwinder *u;
	struct part parts[PARTS_MAX];
	size_t nparts;
	VEC(struct cfg_insn) found;    /* in the order in which they were found               */
	VEC(taddr) todo;               /* addresses to follow code from                       */
	VEC(struct table_edge) tables; /* by the jumps                                        */
	bool incomplete, no_memory;
	struct cfg *cfg;
};

static void builder_fini(struct builder *b)
{
	for (size_t i = 0; i < b->nparts; i++)
		part_fini(&b->parts[i]);
	vec_fini(&b->found);
	vec_fini(&b->todo);
	vec_fini(&b->tables);
	cfg_free(b->cfg);
}

void cfg_free(struct cfg *c)
{
	if (!c)
		return;
	vec_fini(&c->insns);
	vec_fini(&c->blocks);
	vec_fini(&c->edges);
	free(c->entries);
	free(c);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* It jumps to the middle of what has unwind tables of its own; not to a stub of the PLT. */
static bool enters_middle(struct builder *b, const struct insn *jump, taddr *ret_start,
			  taddr *ret_end)
{
	return unwind_function(b->u, jump->value, ret_start, ret_end) &&
	       *ret_start != jump->value && jump_target(b->t, jump) == jump->value;
}

/* Of two that jump into one another: the one that begins where the other jumps to is no function.
 */
static bool is_part_of(struct builder *b, const struct part *p, taddr start, taddr end)
{
	struct part_visits there = part_visits(&p->code, start, end);
	struct part_visits back = part_visits_from(b->t, start, end, p->code.start, p->code.end);

	return back.start ||
	       (back.middle && !there.start && p->code.end - p->code.start < end - start);
}

/*
 * Where the function begins whose unlikely part this is; 0: it is a function itself. Where such a
 * part begins, the function has already saved registers, mostly: that is no entry.
 */
static taddr find_likely_part(struct builder *b, const struct part *p)
{
	bool entry = unwind_is_entry(b->u, p->code.start);
	struct insn insn;
	taddr start, end;

	for (taddr at = p->code.start; part_next_jump(&p->code, &at, &insn);) {
		bool outside = insn.value < p->code.start || insn.value >= p->code.end;
		if (outside && enters_middle(b, &insn, &start, &end) &&
		    unwind_is_entry(b->u, start) && (!entry || is_part_of(b, p, start, end)))
			return start;
	}
	b->incomplete |= !entry;
	return 0;
}

/* Whether a jump to outside of all parts leads to another part of the function; then adds that. */
static bool add_part(struct builder *b, const struct insn *jump)
{
	const struct part *likely = &b->parts[0];
	taddr start, end;

	if (jump_target(b->t, jump) != jump->value ||
	    !unwind_function(b->u, jump->value, &start, &end))
		return false;
	if (unwind_is_entry(b->u, start) &&
	    !part_visits_from(b->t, start, end, likely->code.start, likely->code.end).middle)
		return false;
	if (b->nparts == PARTS_MAX || !part_init(b->t, start, end, &b->parts[b->nparts])) {
		b->incomplete = true;
		return false;
	}
	b->nparts++;
	return true;
}

static struct part *part_at(struct builder *b, taddr at)
{
	for (size_t i = 0; i < b->nparts; i++) {
		if (at >= b->parts[i].code.start && at < b->parts[i].code.end)
			return &b->parts[i];
	}
	return NULL;
}

/* ---- jumps through tables ------------------------------------------------------------------- */

static const struct insn *before(const struct builder *b, size_t n)
{
	return n < b->found.len && n < TRAIL_MAX ? &b->found.items[b->found.len - 1 - n].insn
						 : NULL;
}

/* What a register is set to, if the whole function sets it to one address only. */
static taddr only_constant(const struct builder *b, uint8_t reg)
{
	taddr only = 0;

	vec_for_each (found, &b->found) {
		const struct insn *insn = &found->insn;
		if (insn->kind != INSN_CONSTANT || insn->to != reg || insn->value < MEMORY_PAGE)
			continue;
		if (only && only != insn->value)
			return 0;
		only = insn->value;
	}
	return only;
}

/* The address of a table: loaded into a register shortly before, or long before. */
static taddr find_table(const struct builder *b)
{
	const struct insn *insn;
	uint8_t base = INSN_NO_REG;

	for (size_t n = 0; (insn = before(b, n)) && insn->kind != INSN_BRANCH; n++) {
		if (insn->kind == INSN_CONSTANT && insn->value >= MEMORY_PAGE)
			return insn->value;
		if (insn->reads == INSN_READS_SHARED && insn->scale == 4)
			base = insn->base;
	}
	return base == INSN_NO_REG ? 0 : only_constant(b, base);
}

/*
 * The function has put the stack back to what it was when it began: the jump is a call through a
 * pointer in the place of a return.
 */
static bool is_indirect_exit(const struct builder *b)
{
	const struct insn *insn;

	for (size_t n = 1; (insn = before(b, n)) && insn->kind != INSN_BRANCH; n++) {
		bool adds = insn->kind == INSN_COMPUTE && insn->operation == INSN_ADD &&
			    insn->operand == INSN_VALUE && insn->to == b->t->arch->code_sp;
		if (insn->kind == INSN_POP || insn->kind == INSN_LEAVE || adds)
			return true;
		if (insn->kind == INSN_PUSH || insn->kind == INSN_CALL)
			return false;
	}
	return false;
}

/* How many rows it has: by "cmp $n,...; ja", or "sub $n,...; ja". 0: that is not there. */
static size_t find_table_size(const struct builder *b)
{
	const struct insn *branch, *compare;

	for (size_t n = 0; (branch = before(b, n)) && (compare = before(b, n + 1)); n++) {
		bool fits = compare->kind == INSN_COMPARE ||
			    (compare->kind == INSN_COMPUTE && compare->operation == INSN_SUBTRACT &&
			     compare->operand == INSN_VALUE);
		if (branch->kind == INSN_BRANCH && branch->condition == INSN_IF_ABOVE && fits)
			return compare->value < TABLE_MAX ? compare->value + 1 : 0;
		if (branch->kind == INSN_BRANCH)
			return 0;
	}
	return 0;
}

static void follow(struct builder *b, taddr to)
{
	struct part *p = part_at(b, to);

	if (!p)
		return;
	p->leads[to - p->code.start] = true;
	if (!p->insn[to - p->code.start] && !vec_push(&b->todo, to))
		b->no_memory = true;
}

/* Row n: distances of 4 bytes from the table, or, where the jump names the table, addresses. */
static bool table_row(struct builder *b, const struct insn *jump, taddr table, size_t n, taddr *ret)
{
	int32_t distance;

	if (jump->from == INSN_NO_REG)
		return memory_try_read(b->t->memory, table + 8 * n, ret, sizeof(*ret));
	if (!memory_try_read(b->t->memory, table + sizeof(distance) * n, &distance,
			     sizeof(distance)))
		return false;
	*ret = table + (taddr)distance;
	return true;
}

/*
 * The last of b->found is a jump through a register, or through memory. As compilers do it:
 *
 *     cmp $7,%eax; ja ...; lea table(%rip),%rdx; movslq (%rdx,%rax,4),%rax; add %rdx,%rax; jmp
 * *%rax cmp $7,%eax; ja ...; jmp *table(,%rax,8)
 */
static void follow_table(struct builder *b, taddr from, const struct insn *jump)
{
	bool named = jump->from == INSN_NO_REG && jump->base == INSN_NO_REG && jump->scale == 8;
	taddr table = named ? jump->displacement : find_table(b), to;
	size_t size = table ? find_table_size(b) : 0;

	if (!size && is_indirect_exit(b))
		return;
	if (!size || (jump->from == INSN_NO_REG && !named) || b->tables.len + size > ROWS_MAX) {
		b->incomplete = true;
		return;
	}
	for (size_t n = 0; n < size; n++) {
		if (!table_row(b, jump, table, n, &to) || !part_at(b, to)) {
			b->incomplete = true;
			return;
		}
		b->no_memory |= !vec_push(&b->tables, (struct table_edge){ from, to });
		follow(b, to);
	}
}

/* ---- following code ------------------------------------------------------------------------- */

static void follow_jump(struct builder *b, taddr from, const struct insn *jump)
{
	if (jump->via == INSN_VIA_OTHER)
		follow_table(b, from, jump);
	if (jump->via == INSN_VIA_ADDRESS && (part_at(b, jump->value) || add_part(b, jump)))
		follow(b, jump->value);
}

/* Adds the instruction at an address. false: it is known already, or there is none. */
static bool add_insn(struct builder *b, taddr at, struct insn *ret)
{
	struct part *p = part_at(b, at);

	if (!p || p->insn[at - p->code.start])
		return false; /* where a call does not return, the code may just end */
	if (!code_decode(&p->code, at, ret) || b->found.len == INSNS_MAX) {
		b->incomplete = true;
		return false;
	}
	if (!vec_push(&b->found, (struct cfg_insn){ .addr = at, .insn = *ret })) {
		b->no_memory = true;
		return false;
	}
	p->insn[at - p->code.start] = (uint32_t)b->found.len;
	return true;
}

static void follow_all(struct builder *b)
{
	struct insn insn;

	while (b->todo.len && !b->no_memory) {
		taddr at = b->todo.items[--b->todo.len];
		while (add_insn(b, at, &insn)) {
			if (insn.kind == INSN_JUMP || insn.kind == INSN_BRANCH)
				follow_jump(b, at, &insn);
			at += insn.size;
			if (insn.kind == INSN_BRANCH)
				follow(b, at);
			if (code_ends(&insn))
				break;
		}
	}
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* What an instruction goes on to begins a block, unless it is the next one in order. */
static void mark_detached(struct builder *b)
{
	for (size_t i = 0; i < b->found.len; i++) {
		const struct cfg_insn *insn = &b->found.items[i];
		taddr next = insn->addr + insn->insn.size;
		struct part *p = part_at(b, next);
		if (!p || code_ends(&insn->insn))
			continue;
		for (taddr at = insn->addr + 1; at < next && at >= p->code.start; at++)
			p->leads[next - p->code.start] |= p->insn[at - p->code.start] != 0;
	}
}

static void add_block(struct builder *b)
{
	struct cfg *c = b->cfg;
	struct cfg_block block = { .first = (uint32_t)c->insns.len };

	b->no_memory |= !vec_push(&c->blocks, block);
}

/* All instructions of a part in the order of their addresses. */
static void add_blocks(struct builder *b, struct part *p)
{
	struct cfg *c = b->cfg;
	taddr expected = 0;

	for (taddr at = p->code.start; at < p->code.end && !b->no_memory; at++) {
		uint32_t found = p->insn[at - p->code.start];
		if (!found)
			continue;
		if (at != expected || p->leads[at - p->code.start])
			add_block(b);
		const struct cfg_insn *insn = &b->found.items[found - 1];
		if (b->no_memory || !vec_push(&c->insns, *insn)) {
			b->no_memory = true;
			return;
		}
		c->blocks.items[c->blocks.len - 1].len++;
		p->insn[at - p->code.start] = (uint32_t)c->blocks.len;
		expected = !code_ends(&insn->insn) ? at + insn->insn.size : 0;
	}
}

/* The number of the block that begins at an address; CFG_NONE: none does. */
static uint32_t block_at(struct builder *b, taddr at)
{
	const struct part *p = part_at(b, at);
	uint32_t number = p ? p->insn[at - p->code.start] : 0;

	if (!number || b->cfg->insns.items[b->cfg->blocks.items[number - 1].first].addr != at)
		return CFG_NONE;
	return number - 1;
}

static void add_edge(struct builder *b, uint32_t from, taddr to, bool taken)
{
	uint32_t block = block_at(b, to);

	if (taken && block == CFG_NONE)
		b->cfg->blocks.items[from].exits = true;
	if (block != CFG_NONE && !vec_push(&b->cfg->edges, (struct cfg_edge){ from, block, taken }))
		b->no_memory = true;
}

static void add_table_edges(struct builder *b, uint32_t from, taddr jump)
{
	vec_for_each (row, &b->tables) {
		if (row->from == jump)
			add_edge(b, from, row->to, true);
	}
}

static void add_edges(struct builder *b, uint32_t number)
{
	struct cfg_block *block = &b->cfg->blocks.items[number];
	const struct cfg_insn *last = cfg_last(b->cfg, block);

	block->first_edge = (uint32_t)b->cfg->edges.len;
	block->exits = last->insn.kind == INSN_RETURN;
	if (last->insn.kind == INSN_JUMP && last->insn.via == INSN_VIA_SLOT)
		block->exits = true;
	if (last->insn.kind == INSN_JUMP && last->insn.via == INSN_VIA_OTHER) {
		add_table_edges(b, number, last->addr);
		block->exits = block->first_edge == b->cfg->edges.len;
	}
	if (code_jumps(&last->insn))
		add_edge(b, number, last->insn.value, true);
	if (!code_ends(&last->insn))
		add_edge(b, number, last->addr + last->insn.size, false);
	block->nedges = (uint32_t)b->cfg->edges.len - block->first_edge;
}

/* Sorts the edges by where they lead to: counts, then places. */
static bool sort_entries(struct cfg *c)
{
	uint32_t sum = 0;

	c->entries = calloc(c->edges.len + 1, sizeof(*c->entries));
	if (!c->entries)
		return false;
	vec_for_each (edge, &c->edges)
		c->blocks.items[edge->to].entries++;
	vec_for_each (block, &c->blocks) {
		block->first_entry = sum;
		sum += block->entries;
		block->entries = 0;
	}
	for (uint32_t i = 0; i < c->edges.len; i++) {
		struct cfg_block *to = &c->blocks.items[c->edges.items[i].to];
		c->entries[to->first_entry + to->entries++] = i;
	}
	return true;
}

static bool build(struct builder *b)
{
	follow(b, b->cfg->start);
	follow_all(b);
	mark_detached(b);
	for (size_t i = 0; i < b->nparts; i++)
		add_blocks(b, &b->parts[i]);
	b->incomplete |= b->cfg->blocks.len > CFG_BLOCKS_MAX;
	for (uint32_t i = 0; i < b->cfg->blocks.len && !b->no_memory; i++)
		add_edges(b, i);
	b->cfg->complete = !b->incomplete;
	return !b->no_memory && b->cfg->blocks.len <= CFG_BLOCKS_MAX && sort_entries(b->cfg);
}

/* Begins with the code around pc that has unwind tables of its own. */
static bool begin(struct builder *b, taddr pc)
{
	taddr start, end;

	if (!unwind_function(b->u, pc, &start, &end) || !part_init(b->t, start, end, b->parts))
		return false;
	b->nparts = 1;
	return true;
}

static bool find_parts(struct builder *b, taddr pc)
{
	if (!begin(b, pc))
		return false;
	taddr likely = find_likely_part(b, &b->parts[0]);
	if (!likely)
		return true;
	part_fini(&b->parts[0]);
	b->nparts = 0;
	return begin(b, likely);
}

struct cfg *cfg_new(struct target *t, struct unwinder *u, taddr pc)
{
	AUTO(builder_fini) struct builder b = { .t = t, .u = u };

	b.cfg = calloc(1, sizeof(*b.cfg));
	if (!b.cfg || !find_parts(&b, pc))
		return NULL;
	b.cfg->start = b.parts[0].code.start;
	return build(&b) ? TAKE(b.cfg) : NULL;
}

uint32_t cfg_find(const struct cfg *c, taddr addr, bool ends)
{
	for (uint32_t i = 0; i < c->blocks.len; i++) {
		const struct cfg_block *b = &c->blocks.items[i];
		for (uint32_t n = b->first; n < b->first + b->len; n++) {
			const struct cfg_insn *insn = &c->insns.items[n];
			if (insn->addr + (ends ? insn->insn.size : 0) == addr)
				return i;
		}
	}
	return CFG_NONE;
}
