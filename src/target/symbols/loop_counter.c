/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/loop_counter.h"

#include <dwarf.h>
#include <string.h>

#include "target/symbols/die_lists.h"
#include "target/symbols/function_code.h"
#include "target/symbols/location_reader.h"

enum {
	PLACES_MAX = 64,       /* places that code stores to what it has computed so     */
	ENTRIES_MAX = 1 << 12, /* of a block                                             */
};

static const char unknown[] = "not available: only its first value is described";

/* A place in the frame, that many bytes from the address that DWARF counts from. */
struct stored {
	int64_t at;
	uint8_t bytes; /* 0: not known */
};

/* What is known where an instruction stands, of registers by their numbers in struct insn. */
struct scan {
	const struct arch *arch;
	uint8_t frame;         /* the register that DWARF counts from           */
	int64_t iteration;     /* where ".omp.iv" is                            */
	uint32_t computed;     /* registers that hold what was computed from it */
	uint32_t pointing;     /* those that point into the frame,              */
	int64_t points[32];    /* where to                                      */
	struct stored *stored; /* borrowed                                      */
	size_t n;
};

/* Where in the frame the description says it is. false: it is somewhere else. */
static bool place_in_frame(Dwarf_Die *die, int64_t *ret)
{
	struct location_code code;
	Dwarf_Attribute its;

	/* What is optimised has a list. */
	if (!dwarf_attr_integrate(die, DW_AT_location, &its) ||
	    dwarf_whatform(&its) == DW_FORM_sec_offset || dwarf_whatform(&its) == DW_FORM_loclistx)
		return false;
	location_reader_get(&its, 0, &code);
	if (code.missing || code.n != 1 || code.ops[0].atom != DW_OP_fbreg)
		return false;
	*ret = (int64_t)code.ops[0].number;
	return true;
}

static bool is_made_by_compiler(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	bool artificial = false;

	return dwarf_tag(die) == DW_TAG_variable && !die_declared(die, DW_AT_decl_line) &&
	       dwarf_formflag(dwarf_attr_integrate(die, DW_AT_artificial, &its), &artificial) ==
		       0 &&
	       artificial;
}

/* What the compiler has made in the block of a variable. */
struct block {
	Dwarf_Die first;   /* of its entries                                                   */
	int64_t iteration; /* where ".omp.iv" is                                               */
	int64_t begin;     /* those for the test lie above                                     */
	int64_t below;     /* the loop's own lie below all of these                            */
	size_t tested;     /* how many of them there are                                       */
	size_t before;     /* those of them above the variable                                 */
	const struct dwarf_spans *spans;
	bool described; /* one is there                                                     */
};

typedef void look_fn(struct block *b, const char *name, int64_t place, int64_t at);

static void find_begin(struct block *b, const char *name, int64_t place, int64_t at)
{
	(void)at;
	if (!strcmp(name, ".omp.iv"))
		b->iteration = place;
	if (!strcmp(name, ".omp.lb") || (b->begin == INT64_MAX && !strcmp(name, ".omp.iv")))
		b->begin = place;
}

static void count_tested(struct block *b, const char *name, int64_t place, int64_t at)
{
	if (name[0] == '.' || place <= b->begin)
		return;
	b->below = place < b->below ? place : b->below;
	b->tested++;
	b->before += place > at;
}

static void find_place(struct block *b, const char *name, int64_t place, int64_t at)
{
	(void)name;
	b->described |= place == at;
}

static void look_around(struct block *b, look_fn *look, int64_t at)
{
	size_t left = ENTRIES_MAX;
	Dwarf_Die die = b->first;
	int64_t place;

	do {
		const char *name =
			is_made_by_compiler(&die) ? die_plain_name(&die, b->spans) : NULL;
		if (name && place_in_frame(&die, &place))
			look(b, name, place, at);
	} while (--left && dwarf_siblingof(&die, &die) == 0);
}

/* false: it is no variable for the test. */
static bool find_block(Dwarf_Die *variable, const struct dwarf_spans *spans, int64_t at,
		       struct block *ret)
{
	Dwarf_Die around[DIE_DEPTH_MAX];
	size_t depth = die_around(NULL, variable, around);

	*ret = (struct block){
		.spans = spans, .iteration = INT64_MAX, .begin = INT64_MAX, .below = INT64_MAX
	};
	if (!depth || dwarf_child(&around[depth - 1], &ret->first) != 0)
		return false;
	look_around(ret, find_begin, at);
	look_around(ret, count_tested, at);
	return ret->iteration != INT64_MAX && at > ret->begin && at != ret->iteration;
}

static bool in_frame(const struct scan *s, const struct insn *insn)
{
	return insn->base == s->frame && insn->index == INSN_NO_REG && !insn->thread_local;
}

static bool is_computed(const struct scan *s, uint8_t reg)
{
	return reg < 32 && s->computed >> reg & 1;
}

static bool place_is_computed(const struct scan *s, int64_t at)
{
	size_t i = 0;

	while (i < s->n && s->stored[i].at != at)
		i++;
	return i < s->n || at == s->iteration;
}

static bool operand_is_computed(const struct scan *s, const struct insn *insn)
{
	if (insn->operand == INSN_REGISTER)
		return is_computed(s, insn->from);
	return insn->operand == INSN_MEMORY && in_frame(s, insn) &&
	       place_is_computed(s, (int64_t)insn->displacement);
}

static bool result_is_computed(const struct scan *s, const struct insn *insn)
{
	if (insn->kind == INSN_LOAD)
		return in_frame(s, insn) && place_is_computed(s, (int64_t)insn->displacement);
	if (insn->kind == INSN_ADDRESS)
		return is_computed(s, insn->base) || is_computed(s, insn->index);
	if (insn->kind == INSN_DIVIDE)
		return is_computed(s, insn->to) || is_computed(s, insn->also_to);
	if (insn->kind == INSN_COPY || insn->kind == INSN_MULTIPLY || insn->kind == INSN_EXTEND ||
	    insn->kind == INSN_SPREAD_SIGN)
		return operand_is_computed(s, insn);
	/* Unsigned division, whose two results are where its operand was. */
	if (insn->kind == INSN_OTHER && __builtin_popcount(insn->writes) == 2)
		return s->computed & insn->writes;
	return (insn->kind == INSN_COMPUTE || insn->kind == INSN_CHOOSE) &&
	       (is_computed(s, insn->to) || operand_is_computed(s, insn));
}

/* Of too many, the lowest are forgotten. */
static void add_stored(struct scan *s, int64_t at, uint8_t bytes)
{
	size_t i = 0;

	if (place_is_computed(s, at))
		return;
	while (i < s->n && s->stored[i].at > at)
		i++;
	memmove(&s->stored[i + 1], &s->stored[i], (s->n - i) * sizeof(*s->stored));
	s->stored[i] = (struct stored){ at, bytes };
	s->n += s->n < PLACES_MAX;
}

static bool execute(void *context, taddr addr, const struct insn *insn)
{
	struct scan *s = context;
	const uint8_t *passed = s->arch->code_arguments;
	bool computed = result_is_computed(s, insn);

	(void)addr;
	if (insn->kind == INSN_STORE && insn->operand == INSN_REGISTER && in_frame(s, insn) &&
	    is_computed(s, insn->from))
		add_stored(s, (int64_t)insn->displacement, insn->bytes);
	/* A narrow number: of which register is not known. */
	if (insn->kind == INSN_OTHER && (insn->stores == 1 || insn->stores == 2) &&
	    in_frame(s, insn) && s->computed)
		add_stored(s, (int64_t)insn->displacement, insn->stores);
	/* An iterator, which is moved on by that. */
	if (insn->kind == INSN_CALL && s->pointing >> passed[0] & 1 && is_computed(s, passed[1]))
		add_stored(s, s->points[passed[0]], 0);
	s->computed &= ~insn->writes;
	s->pointing &= ~insn->writes;
	if (computed)
		s->computed |= insn->writes;
	if (insn->kind == INSN_ADDRESS && in_frame(s, insn) && insn->to < 32) {
		s->pointing |= UINT32_C(1) << insn->to;
		s->points[insn->to] = (int64_t)insn->displacement;
	}
	return true;
}

static int frame_register(const struct arch *arch, Dwarf_Die *function)
{
	struct location_code code;
	Dwarf_Attribute its;

	location_reader_get(dwarf_attr(function, DW_AT_frame_base, &its), 0, &code);
	if (code.missing || code.n != 1 || code.ops[0].atom < DW_OP_reg0 ||
	    code.ops[0].atom > DW_OP_reg31)
		return -1;
	return location_code_reg(arch, code.ops[0].atom - DW_OP_reg0);
}

/* The place of the loop's own that belongs to the variable; NULL: not known. */
static const struct stored *choose(const struct scan *s, struct block *b)
{
	const struct stored *ret = NULL;
	size_t n = 0;

	for (size_t i = 0; i < s->n && n <= b->before; i++) {
		b->described = false;
		look_around(b, find_place, s->stored[i].at);
		if (s->stored[i].at >= b->below || b->described)
			continue;
		ret = &s->stored[i];
		n++;
	}
	return n > b->before ? ret : NULL;
}

void loop_counter_find(const struct loop_counter_unit *u, Dwarf_Die *variable, Dwarf_Die *function,
		       uint64_t size, struct location_code *code)
{
	struct stored stored[PLACES_MAX + 1];
	struct target *t = u->target;
	struct scan s = { .arch = t->arch, .stored = stored };
	struct block b;
	int64_t at;

	if (code->missing || code->n != 1 || !is_made_by_compiler(variable) ||
	    !place_in_frame(variable, &at) || !find_block(variable, u->spans, at, &b))
		return;
	s.iteration = b.iteration;
	int frame = t->arch && t->arch->decode ? frame_register(t->arch, function) : -1;
	s.frame = (uint8_t)frame;
	bool known = frame >= 0 && function_code_read(t, function, u->bias, execute, &s);
	/* No test was necessary. */
	if (known && place_is_computed(&s, at))
		return;
	const struct stored *own = known ? choose(&s, &b) : NULL;
	if (own && (!own->bytes || own->bytes == size))
		code->ops[0].number = (uint64_t)own->at;
	else
		*code = (struct location_code){ .missing = unknown };
}
