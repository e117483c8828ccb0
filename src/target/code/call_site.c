/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/call_site.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "target/code/code.h"

enum {
	CODE_MAX = 1 << 20,      /* bytes of one function                                     */
	CODE_ALL_MAX = 64 << 20, /* bytes of all                                              */
	BEFORE_MAX = 64,         /* bytes before a call in which constants are looked for     */
	PASSES_MAX = 8,          /* through a function with instructions that are not known   */
};

/* What is known of a byte of a function: the size of the instruction that begins there, and... */
enum { SIZE = 0x0f, JUMP_TARGET = 0x10 }; /* a jump leads there */

/* A jump out of a function. */
struct tail {
	taddr at, to;
};

/* A function, decoded as far as it was needed. */
struct function {
	struct code code;
	taddr known;            /* from its start up to here, one instruction behind the other */
	bool whole;             /* all that can be known of it is                    */
	uint8_t *marks;         /* owned; for each byte                              */
	VEC(struct tail) tails; /* owned; once it was searched for them               */
	bool searched, obscure; /* obscure: not all of its instructions are known     */
};

/* What is known of the call before a return address. */
struct call {
	struct call_site site;
	struct function *function; /* borrowed; NULL: it is not certain where it begins */
	taddr at;
};

struct call_sites {
	struct target *target;     /* borrowed                                                */
	struct unwinder *unwinder; /* borrowed                                                */
	struct hash_map functions; /* struct function, owned, by start                        */
	struct hash_map calls;     /* struct call, owned, by return address                   */
	size_t left;               /* bytes of code that may yet be decoded                   */
};

struct call_sites *call_sites_new(struct target *t, struct unwinder *u)
{
	struct call_sites *s = calloc(1, sizeof(*s));

	if (s)
		*s = (struct call_sites){ .target = t, .unwinder = u, .left = CODE_ALL_MAX };
	return s;
}

static void function_free(struct function *f)
{
	if (!f)
		return;
	code_fini(&f->code);
	vec_fini(&f->tails);
	free(f->marks);
	free(f);
}

void call_sites_free(struct call_sites *s)
{
	if (!s)
		return;
	map_for_each (item, &s->functions)
		function_free(item->pointer);
	map_for_each (item, &s->calls)
		free(item->pointer);
	map_fini(&s->functions);
	map_fini(&s->calls);
	free(s);
}

/* ---- functions ------------------------------------------------------------------------------ */

static void mark_target(struct function *f, const struct insn *insn)
{
	if (code_jumps(insn) && insn->value >= f->code.start && insn->value < f->code.end)
		f->marks[insn->value - f->code.start] |= JUMP_TARGET;
}

/*
 * Decodes on from an instruction to the first one that is known already, or not known at all, or
 * ends no earlier than "until". Returns where it has come to.
 */
static taddr decode_from(struct function *f, taddr at, taddr until)
{
	struct insn insn;

	while (at < until && !(f->marks[at - f->code.start] & SIZE) &&
	       code_decode(&f->code, at, &insn)) {
		f->marks[at - f->code.start] |= insn.size;
		mark_target(f, &insn);
		at += insn.size;
	}
	return at;
}

/*
 * An instruction begins where the function does, behind another one, and where a jump leads to:
 * the code behind an instruction that is not known is found by that.
 */
static void decode_all(struct function *f)
{
	size_t len = f->code.end - f->code.start;
	bool more = !f->whole;

	f->whole = true;
	f->known = decode_from(f, f->known, f->code.end);
	for (unsigned int pass = 0; more && pass < PASSES_MAX; pass++) {
		more = false;
		for (size_t i = 0; i < len; i++) {
			if (f->marks[i] != JUMP_TARGET)
				continue;
			decode_from(f, f->code.start + i, f->code.end);
			more |= f->marks[i] != JUMP_TARGET;
		}
	}
}

/* NULL: its code cannot be had. */
static struct function *function_new(struct call_sites *s, taddr start, taddr end)
{
	struct function *f = calloc(1, sizeof(*f));

	if (!f || end <= start || end - start > CODE_MAX || end - start > s->left ||
	    !(f->marks = calloc(end - start, 1)) || !code_read(s->target, start, end, &f->code)) {
		function_free(f);
		return NULL;
	}
	s->left -= end - start;
	f->known = start;
	return f;
}

/* The function around pc. NULL: there are no unwind tables, or its code cannot be had. */
static struct function *function_at(struct call_sites *s, taddr pc)
{
	taddr start, end;

	if (!unwind_function(s->unwinder, pc, &start, &end))
		return NULL;
	struct map_item *known = map_find(&s->functions, start);
	struct map_item *item = known ? known : map_add(&s->functions, start);
	if (item && !known)
		item->pointer = function_new(s, start, end);
	return item ? item->pointer : NULL;
}

static bool has_before(const struct function *f, taddr end, taddr *ret_at, struct insn *ret)
{
	for (taddr size = CODE_INSN_MAX - 1; f && size > 0; size--) {
		taddr at = end - size;
		if (at < f->code.start || at >= f->code.end ||
		    (f->marks[at - f->code.start] & SIZE) != size)
			continue;
		*ret_at = at;
		return code_decode(&f->code, at, ret);
	}
	return false;
}

/* The instruction that ends at an address. false: none does for certain. */
static bool insn_before(struct function *f, taddr end, taddr *ret_at, struct insn *ret)
{
	if (!f || end <= f->code.start || end > f->code.end)
		return false;
	f->known = decode_from(f, f->known, end);
	if (has_before(f, end, ret_at, ret))
		return true;
	decode_all(f);
	return has_before(f, end, ret_at, ret);
}

/* ---- calls --------------------------------------------------------------------------------- */

static struct call find_call(struct call_sites *s, taddr return_address)
{
	struct call call = { .function = function_at(s, return_address - 1) };
	struct insn insn;

	if (!insn_before(call.function, return_address, &call.at, &insn)) {
		call.function = NULL;
		if (!code_call_before(s->target, return_address, &insn))
			return call;
	} else if (!code_is_call(s->target, &insn)) {
		return call;
	}
	call.site.kind = insn.via == INSN_VIA_OTHER ? CALL_INDIRECT : CALL_DIRECT;
	if (insn.via == INSN_VIA_ADDRESS && !jump_slot(s->target, &insn))
		call.site.function = insn.value;
	call.site.target = jump_target(s->target, &insn);
	return call;
}

/* NULL: out of memory. */
static const struct call *call_at(struct call_sites *s, taddr return_address)
{
	struct call *call = map_get(&s->calls, return_address);

	if (call)
		return call;
	call = malloc(sizeof(*call));
	struct map_item *item = call ? map_add(&s->calls, return_address) : NULL;
	if (!item) {
		free(call);
		return NULL;
	}
	*call = find_call(s, return_address);
	item->pointer = call;
	return call;
}

struct call_site call_site_before(struct call_sites *s, taddr return_address)
{
	const struct call *call = call_at(s, return_address);

	return call ? call->site : (struct call_site){ .kind = CALL_NONE };
}

/* ---- constants ------------------------------------------------------------------------------ */

/* A jump leads to between two addresses, or to one of them: it may bring along another value. */
static bool is_joined(const struct function *f, taddr from, taddr to)
{
	for (taddr at = from; at <= to && at < f->code.end; at++) {
		if (f->marks[at - f->code.start] & JUMP_TARGET)
			return true;
	}
	return false;
}

/* Registers that hold at the end what they hold now. */
struct kept {
	const uint64_t *values;
	uint32_t known;
};

/* What an instruction sets its register to, by those alone. */
static bool by_kept(const struct insn *insn, const struct kept *kept, uint64_t *ret)
{
	bool copies = insn->kind == INSN_COPY && insn->value == UINT64_MAX;
	bool adds = insn->kind == INSN_ADDRESS && insn->index == INSN_NO_REG;
	uint8_t reg = copies ? insn->from : insn->base;

	if ((!copies && !adds) || reg == INSN_NO_REG || !(kept->known >> reg & 1))
		return false;
	*ret = kept->values[reg] + (adds ? insn->displacement : 0);
	return true;
}

/* Backwards from an address to what has set a register, by its number in struct insn. */
static bool find_value(struct function *f, taddr end, uint8_t reg, struct kept kept, uint64_t *ret)
{
	uint64_t mask = UINT64_MAX;
	struct insn insn;

	if (f)
		decode_all(f); /* for the jumps in it */
	for (taddr next = end, at; end - next < BEFORE_MAX; next = at) {
		if (!insn_before(f, next, &at, &insn) || is_joined(f, next, end) ||
		    code_ends(&insn))
			return false;
		if (!(insn.writes >> reg & 1)) {
			kept.known &= ~insn.writes;
			continue;
		}
		if (insn.kind == INSN_CONSTANT || by_kept(&insn, &kept, &insn.value)) {
			*ret = insn.value & mask;
			return true;
		}
		if (insn.kind != INSN_COPY)
			return false;
		reg = insn.from;
		mask &= insn.value;
	}
	return false;
}

bool call_site_constant(struct call_sites *s, taddr at, uint8_t reg, uint64_t *ret)
{
	return find_value(function_at(s, at - 1), at, reg, (struct kept){ 0 }, ret);
}

bool call_site_passed(struct call_sites *s, taddr return_address, unsigned int n,
		      const uint64_t *registers, uint32_t known, uint64_t *ret)
{
	const struct call *call = call_at(s, return_address);
	const struct arch *a = s->target->arch;
	const struct kept kept = { registers, known & a->code_kept };

	return call && call->site.kind != CALL_NONE && n < ARCH_ARGUMENTS &&
	       find_value(call->function, call->at, a->code_arguments[n], kept, ret);
}

bool call_site_argument(struct call_sites *s, taddr return_address, unsigned int n, taddr *ret)
{
	return call_site_passed(s, return_address, n, NULL, 0, ret);
}

bool call_site_stack_argument(struct call_sites *s, struct thread *th, size_t frame, uint64_t *ret)
{
	struct unwind_stack stack = { 0 };
	struct error *err = unwind_thread(s->unwinder, th, frame + 1, &stack);
	bool known = !err && stack.len > frame && stack.items[frame].cfa;

	error_ignore(err);
	for (size_t i = 0; known && i <= frame; i++)
		known = !stack.items[i].guessed && !stack.items[i].signal;
	/* What is above the return address, with which the CFA begins. */
	known = known &&
		memory_try_read(s->target->memory, stack.items[frame].cfa, ret, sizeof(*ret));
	unwind_stack_fini(&stack);
	return known;
}

/* ---- functions that jumps have left --------------------------------------------------------- */

/* Where a jump out of a function leads to; 0: it is none, or it cannot be told. */
static taddr tail_of(struct target *t, const struct function *f, const struct insn *insn)
{
	bool inside = insn->via == INSN_VIA_ADDRESS && insn->value >= f->code.start &&
		      insn->value < f->code.end;

	if ((insn->kind != INSN_JUMP && insn->kind != INSN_BRANCH) || inside)
		return 0;
	return jump_target(t, insn);
}

/* The jumps out of a function. false: not all of its instructions are known. */
static bool find_tails(struct call_sites *s, struct function *f)
{
	struct insn insn;

	for (taddr at = f->code.start; !f->searched && at < f->code.end; at += insn.size) {
		if (!code_decode(&f->code, at, &insn)) {
			f->obscure = true;
			break;
		}
		struct tail tail = { at, tail_of(s->target, f, &insn) };
		f->obscure |= tail.to && !vec_push(&f->tails, tail);
	}
	f->searched = true;
	return !f->obscure;
}

/* A search for the one way. */
struct search {
	struct call_sites *sites;
	enum call_way (*way)(void *context, taddr target);
	void *context;
	struct call_left now[CALL_LEFT_MAX], *ret;
	size_t len, nret; /* functions on the way at hand, and on the one that was found */
	taddr goal;
	unsigned int budget; /* functions that may yet be entered */
	bool failed;         /* there are several, or it cannot be told */
};

static void add_jump(struct call_left *left, taddr jump)
{
	bool known = !left->njumps; /* that there are too many */

	for (size_t i = 0; i < left->njumps && !known; i++)
		known = left->jumps[i] == jump;
	if (!known && left->njumps == CALL_JUMPS_MAX)
		left->njumps = 0;
	else if (!known)
		left->jumps[left->njumps++] = jump;
}

/* Two ways through the same functions are one: by which of their jumps is not known then. */
static void note_way(struct search *q, taddr goal)
{
	bool same = !q->nret || (q->len == q->nret && goal == q->goal);

	for (size_t i = 0; i < q->nret && same; i++) {
		same = q->ret[i].function == q->now[i].function;
		add_jump(&q->ret[i], q->now[i].jumps[0]);
	}
	q->failed |= !same;
	if (q->nret)
		return;
	memcpy(q->ret, q->now, q->len * sizeof(*q->now));
	q->nret = q->len;
	q->goal = goal;
}

static bool is_on_way(const struct search *q, const struct function *f)
{
	for (size_t i = 0; i < q->len; i++) {
		if (q->now[i].function == f->code.start)
			return true;
	}
	return false;
}

/* NOLINTNEXTLINE(misc-no-recursion): CALL_LEFT_MAX deep */
static void follow_tails(struct search *q, taddr pc)
{
	struct function *f = function_at(q->sites, pc);

	if (!f || q->len == CALL_LEFT_MAX || !q->budget || !find_tails(q->sites, f)) {
		q->failed = true;
		return;
	}
	if (is_on_way(q, f))
		return;
	q->budget--;
	q->len++;
	for (size_t i = 0; i < f->tails.len && !q->failed; i++) {
		const struct tail *tail = &f->tails.items[i];
		enum call_way way = q->way(q->context, tail->to);
		q->now[q->len - 1] = (struct call_left){ f->code.start, { tail->at }, 1 };
		if (way == WAY_GOAL)
			note_way(q, tail->to);
		else if (way == WAY_THROUGH)
			follow_tails(q, tail->to);
	}
	q->len--;
}

size_t call_site_left(struct call_sites *s, taddr pc,
		      enum call_way (*way)(void *context, taddr target), void *context,
		      struct call_left ret[CALL_LEFT_MAX], taddr *ret_goal)
{
	enum { FUNCTIONS_MAX = 64 };
	struct search q = {
		.sites = s,
		.way = way,
		.context = context,
		.ret = ret,
		.budget = FUNCTIONS_MAX,
	};

	follow_tails(&q, pc);
	if (q.failed)
		return 0;
	*ret_goal = q.goal;
	return q.nret;
}

bool call_site_left_argument(struct call_sites *s, const struct call_left *left, unsigned int n,
			     taddr *ret)
{
	const struct arch *a = s->target->arch;
	bool known = left->njumps && n < ARCH_ARGUMENTS;

	for (size_t i = 0; i < left->njumps && known; i++) {
		const taddr jump = left->jumps[i];
		uint64_t value = 0;
		known = find_value(function_at(s, jump), jump, a->code_arguments[n],
				   (struct kept){ 0 }, &value) &&
			(!i || value == *ret);
		*ret = value;
	}
	return known;
}
