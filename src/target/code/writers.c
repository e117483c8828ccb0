/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/writers.h"

#include <string.h>

#include "target/code/code.h"

enum { REGISTERS = 16, FUNCTION_MAX = 1 << 20 /* bytes */, DISTANCE = 4 };

/* What is known of an address. */
struct place {
	enum { NOWHERE, EXACTLY, SOMEWHERE_FROM } how;
	taddr at;
};

struct search {
	const struct writers_asked *asked;
	struct place known[REGISTERS];
	taddr *ret;
	size_t len;
};

/* ---- one function ------------------------------------------------------------------------- */

static struct place of_register(const struct search *s, uint8_t reg)
{
	return reg < REGISTERS ? s->known[reg] : (struct place){ NOWHERE };
}

/* Something was added to it that is not known. */
static struct place from_there(struct place p)
{
	return (struct place){ p.how ? SOMEWHERE_FROM : NOWHERE, p.at };
}

static struct place operand_place(const struct search *s, const struct insn *insn)
{
	struct place p = { EXACTLY, 0 };

	if (insn->thread_local)
		return (struct place){ NOWHERE };
	if (insn->base != INSN_NO_REG)
		p = of_register(s, insn->base);
	if (insn->index != INSN_NO_REG && p.how)
		p = from_there(p);
	else if (insn->index != INSN_NO_REG && insn->scale == 1)
		p = from_there(of_register(s, insn->index));
	p.at += insn->displacement;
	return p;
}

static struct place computed(const struct search *s, const struct insn *insn)
{
	const struct place to = of_register(s, insn->to);

	if (insn->operation != INSN_ADD || insn->bytes < 8)
		return (struct place){ NOWHERE };
	if (insn->operand == INSN_VALUE)
		return (struct place){ to.how, to.at + insn->value };
	if (to.how || insn->operand != INSN_REGISTER)
		return from_there(to);
	return from_there(of_register(s, insn->from));
}

/* What an instruction leaves in the register that it computes. */
static struct place result(const struct search *s, const struct insn *insn)
{
	if (insn->kind == INSN_CONSTANT)
		return (struct place){ EXACTLY, insn->value };
	if (insn->kind == INSN_ADDRESS)
		return operand_place(s, insn);
	if (insn->kind == INSN_COPY && insn->value == UINT64_MAX)
		return of_register(s, insn->from);
	if (insn->kind == INSN_COMPUTE)
		return computed(s, insn);
	return (struct place){ NOWHERE };
}

static void follow(struct search *s, const struct insn *insn)
{
	const struct place p = result(s, insn);

	if (code_ends(insn))
		memset(s->known, 0, sizeof(s->known));
	for (uint8_t reg = 0; reg < REGISTERS; reg++) {
		if (insn->writes >> reg & 1)
			s->known[reg] = (struct place){ NOWHERE };
	}
	if (p.how && insn->to < REGISTERS)
		s->known[insn->to] = p;
}

/* Of vectors it is not known how much of them is written. */
static bool writes(const struct search *s, const struct insn *insn)
{
	const struct writers_asked *a = s->asked;

	if (!insn->stores || insn->stores == INSN_STORES_SOMEWHERE)
		return false;
	const struct place p = operand_place(s, insn);
	if (p.how == SOMEWHERE_FROM)
		return p.at >= a->start && p.at < a->end;
	return p.how && (p.at == a->at || (insn->stores <= sizeof(uint64_t) && a->at > p.at &&
					   a->at - p.at < insn->stores));
}

static void search_function(struct search *s, const struct code *c)
{
	struct insn insn;

	memset(s->known, 0, sizeof(s->known));
	for (taddr at = c->start; code_decode(c, at, &insn); at += insn.size) {
		if (s->len < WRITERS_MAX && writes(s, &insn))
			s->ret[s->len++] = at;
		follow(s, &insn);
	}
}

/* ---- where to look ------------------------------------------------------------------------ */

/* A distance counts from the end of the instruction, which may have up to four bytes more. */
static bool may_lead_there(const struct writers_asked *a, taddr at, const uint8_t *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	const taddr there = at + DISTANCE + (taddr)(int64_t)number;
	return there - a->start + DISTANCE < a->end - a->start + DISTANCE ||
	       (uint32_t)number - a->start < a->end - a->start;
}

static void search_code(struct unwinder *u, struct target *t, const struct map *m, struct search *s)
{
	AUTO(code_fini) struct code all = { 0 };
	taddr start, end, behind = m->start;

	if (!code_read(t, m->start, m->end, &all))
		return;
	for (taddr at = m->start; at + DISTANCE <= m->end; at++) {
		AUTO(code_fini) struct code c = { 0 };
		if (!may_lead_there(s->asked, at, all.bytes + (at - m->start)) || at < behind ||
		    !unwind_function(u, at, &start, &end) || end - start > FUNCTION_MAX)
			continue;
		if (code_read(t, start, end, &c))
			search_function(s, &c);
		behind = end;
	}
}

size_t writers_find(struct unwinder *u, const struct module_list *modules,
		    const struct writers_asked *asked, taddr ret[WRITERS_MAX])
{
	const struct module *m = module_at(modules, asked->at);
	struct search s = { .asked = asked, .ret = ret };
	size_t left = WRITERS_CODE_MAX;

	for (size_t i = 0; m && i < modules->maps.len; i++) {
		const struct map *map = &modules->maps.items[i];
		if (!(map->flags & MAP_EXEC) || map->start < m->start || map->end > m->end)
			continue;
		if (map->end - map->start > left)
			return 0;
		left -= map->end - map->start;
		search_code(u, modules->target, map, &s);
	}
	return s.len;
}
