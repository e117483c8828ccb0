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

static const char behind_scan[] = "not available: clang describes that of the loop before \"scan\"";
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

/* false: it is in no block with a loop. */
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
	return ret->iteration != INT64_MAX;
}

static bool is_for_test(const struct block *b, int64_t at)
{
	return at > b->begin && at != b->iteration;
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

/* A loop begins with a call that is given the place of its first iteration, ".omp.lb". */
struct loops {
	const struct arch *arch;
	uint8_t frame;
	int64_t begin, iteration; /* where those of the loop are that is described    */
	int64_t given;            /* what the next call is given, if it is in the frame */
	uint64_t function;        /* that is called; 0: none so far                   */
	taddr next;               /* the last call of it,                             */
	int64_t next_begin;       /* and what that was given                          */
	taddr last;               /* the last instruction of the described loop       */
};

enum { FIRST_ITERATION = 4 }; /* which argument of __kmpc_for_static_init_4() that is */

static bool find_loops(void *context, taddr addr, const struct insn *insn)
{
	struct loops *l = context;
	const bool frame = insn->base == l->frame && insn->index == INSN_NO_REG;

	if (frame && (int64_t)insn->displacement == l->iteration)
		l->last = addr;
	if (frame && insn->kind == INSN_ADDRESS &&
	    insn->to == l->arch->code_arguments[FIRST_ITERATION])
		l->given = (int64_t)insn->displacement;
	if (insn->kind != INSN_CALL || insn->via != INSN_VIA_ADDRESS)
		return true;
	if (l->given == l->begin && !l->function)
		l->function = insn->value;
	if (insn->value == l->function) {
		l->next = addr;
		l->next_begin = l->given;
	}
	l->given = 0;
	return true;
}

/* Who writes to a place in the frame. */
struct writers {
	uint8_t frame;
	int64_t at;
	taddr first;
};

static bool find_writers(void *context, taddr addr, const struct insn *insn)
{
	struct writers *w = context;

	if (insn->base == w->frame && insn->index == INSN_NO_REG && insn->stores &&
	    (int64_t)insn->displacement == w->at)
		w->first = addr;
	return !w->first;
}

/* Of numbers and pointers, which are aligned to as much; else 0. */
static int64_t size_of(Dwarf_Die *variable)
{
	Dwarf_Die type;

	if (!die_type(variable, &type) || dwarf_peel_type(&type, &type) != 0)
		return 0;
	if (dwarf_tag(&type) == DW_TAG_pointer_type || dwarf_tag(&type) == DW_TAG_reference_type)
		return sizeof(taddr);
	uint64_t size =
		dwarf_tag(&type) == DW_TAG_base_type || dwarf_tag(&type) == DW_TAG_enumeration_type
			? die_number(&type, DW_AT_byte_size)
			: 0;
	return size <= 16 && (size & (size - 1)) == 0 ? (int64_t)size : 0;
}

/* Where the next one is, of that size. */
static int64_t below(int64_t place, int64_t size)
{
	return (place - size) & -size;
}

/*
 * Where the loop behind "scan" has such a variable: code without optimisation has one below the
 * other, in the order of their descriptions, from ".omp.lb" on. false: something else is between.
 */
static bool find_twin(const struct block *b, const struct loops *l, const Dwarf_Die *variable,
		      int64_t *ret)
{
	int64_t last = 0, twin = 0, at;
	Dwarf_Die die = b->first;

	for (size_t left = ENTRIES_MAX; left > 0; left--) {
		int64_t size =
			is_made_by_compiler(&die) && place_in_frame(&die, &at) ? size_of(&die) : 0;
		if (size && at == l->begin)
			twin = l->next_begin;
		else if (last && (!size || at != below(last, size)))
			return false;
		else if (last)
			twin = below(twin, size);
		if (twin)
			last = at;
		*ret = twin;
		if (die.addr == variable->addr)
			return twin != 0;
		if (dwarf_siblingof(&die, &die) != 0)
			break;
	}
	return false;
}

/* The code is that of the loop behind "scan": has code say where that has such a variable. */
static void find_behind_scan(const struct loop_counter_unit *u, Dwarf_Die *variable,
			     Dwarf_Die *function, const struct block *b, uint8_t frame,
			     struct location_code *code)
{
	struct loops l = {
		.arch = u->target->arch,
		.frame = frame,
		.begin = b->begin,
		.iteration = b->iteration,
	};
	struct writers w = { .frame = frame };

	if (!function_code_read(u->target, function, u->bias, find_loops, &l) || !l.last ||
	    l.last > l.next || l.next > u->pc)
		return;
	if (l.next_begin && find_twin(b, &l, variable, &w.at) &&
	    function_code_read(u->target, function, u->bias, find_writers, &w) && w.first > l.next)
		code->ops[0].number = (uint64_t)w.at;
	else
		*code = (struct location_code){ .missing = behind_scan };
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
	int frame = t->arch && t->arch->decode ? frame_register(t->arch, function) : -1;
	if (frame >= 0)
		find_behind_scan(u, variable, function, &b, (uint8_t)frame, code);
	if (code->missing || !is_for_test(&b, at))
		return;
	s.iteration = b.iteration;
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
