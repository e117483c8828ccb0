/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What made-up functions hold, by their code: flow_cases.S; and code that is out to do harm. */
#include <stdio.h>

#include "code_fixture.h"
#include "flow_cases.h"
#include "target/flow/flow.h"
#include "target/flow/held.h"
#include "unit.h"

/* Addresses in the made-up program. */
enum {
	CODE = CODE_AT,
	OTHER = OTHER_AT,
	TAKE = TAKE_AT,
	GIVE = GIVE_AT,
	TRY = TRY_AT,
	WORK = WORK_AT,
	GIVE_OTHER_KIND = GIVE_OTHER_KIND_AT,
	END = END_AT,
	LOCK = LOCK_AT,
	STACK = 0x7ff000, /* the canonical frame address of the function                   */
};

static struct flow_call classify(void *context, taddr target)
{
	(void)context;
	switch (target) {
	case TAKE:
		return (struct flow_call){ FLOW_TAKE, 1, 0, 0 };
	case GIVE:
		return (struct flow_call){ FLOW_GIVE, 1, 0, 0 };
	case TRY:
		return (struct flow_call){ FLOW_TRY, 1, 0, 0 };
	case GIVE_OTHER_KIND:
		return (struct flow_call){ FLOW_GIVE, 2, 0, 0 };
	case END:
		return (struct flow_call){ FLOW_END, 0, 0, 0 };
	default:
		return (struct flow_call){ FLOW_NOTHING, 0, 0, 0 };
	}
}

/* ---- programs ------------------------------------------------------------------------------- */

struct program {
	struct code_fixture code;
	struct fake_target *fake; /* of code */
	struct flow *flow;
};

/* A program of code at CODE and OTHER, of so many bytes. */
static void program_init(struct program *p, const uint8_t *code, size_t size, const uint8_t *other,
			 size_t other_size)
{
	struct code_range ranges[] = { { CODE, CODE + (uint32_t)size },
				       { OTHER, OTHER + (uint32_t)other_size },
				       { TAKE, GIVE },
				       { GIVE, TRY },
				       { TRY, WORK },
				       { WORK, GIVE_OTHER_KIND },
				       { GIVE_OTHER_KIND, END },
				       { END, CALLED_END_AT } };
	uint8_t called[CALLED_END_AT - TAKE];

	if (!other_size)
		memmove(&ranges[1], &ranges[2], sizeof(ranges) - 2 * sizeof(*ranges));
	code_fixture_init(&p->code, ranges, COUNT(ranges) - !other_size);
	p->fake = p->code.fake;
	fake_target_add(p->fake, CODE, code, size);
	if (other_size)
		fake_target_add(p->fake, OTHER, other, other_size);
	memset(called, 0xc3, sizeof(called));
	fake_target_add(p->fake, TAKE, called, sizeof(called));
	p->flow = flow_new(&p->fake->base, p->code.unwinder, classify, NULL);
	ck_assert_ptr_nonnull(p->flow);
}

static void program_fini(struct program *p)
{
	flow_free(p->flow);
	code_fixture_fini(&p->code);
}

/* Locks, a table for jumps, what the stack holds, and registers. */
static void add_data(struct program *p)
{
	const struct arch *arch = p->fake->base.arch;
	const uint64_t pointer = LOCK + 0x38, element = LOCK + 0x28;
	uint64_t stack[16] = { 0 };

	stack[13] = 0x404300; /* 24 below the frame address */
	fake_target_add(p->fake, STACK - sizeof(stack), stack, sizeof(stack));
	fake_target_add(p->fake, POINTER_AT, &pointer, sizeof(pointer));
	fake_target_add(p->fake, 0x404308, &element, sizeof(element));
	fake_target_add(p->fake, TABLE_AT, flow_rows, sizeof(flow_rows));
	arch_put(arch_find_reg(arch, "rbx"), p->fake->general, 0x404300);
	arch_put(arch_find_reg(arch, "r12"), p->fake->general, LOCK + 8);
	arch_put(arch_find_reg(arch, "rsp"), p->fake->general, STACK - 8);
}

/* The call that ends at an address, as the case names it; or the address. */
static void describe_call(const struct flow_case *c, taddr call, struct buf *ret)
{
	const uint8_t *at = c->code + (call - CODE);

	if (at == c->taken || at == c->taken_too)
		buf_addf(ret, "%s", at == c->taken ? "a" : "b");
	else
		buf_addf(ret, "%#" PRIxTADDR, call);
}

static void describe_object(taddr object, struct buf *ret)
{
	if (!object)
		buf_addf(ret, " ?");
	else if (object == LOCK)
		buf_addf(ret, " lock");
	else
		buf_addf(ret, " lock+%#" PRIxTADDR, object - LOCK);
}

static void describe(const struct flow_case *c, const struct flow_state *s, struct buf *ret)
{
	for (size_t i = 0; i < s->nholds; i++) {
		const struct flow_hold *hold = &s->holds[i];
		ck_assert_int_eq(hold->kind, 1);
		buf_addf(ret, "%s", i ? "; " : "");
		describe_call(c, hold->call, ret);
		describe_object(hold->object, ret);
		buf_addf(ret, "%s", hold->always ? "" : " maybe");
	}
	if (!s->complete)
		buf_addf(ret, "%sincomplete", s->nholds ? "; " : "");
}

static void case_init(struct program *p, const struct flow_case *c)
{
	bool other = c->other > c->code;

	program_init(p, c->code, (size_t)((other ? c->code_end : c->end) - c->code), c->other,
		     other ? (size_t)(c->end - c->other) : 0);
	add_data(p);
}

static void ask(struct program *p, taddr pc, struct flow_state *ret)
{
	struct unwind_frame frame = { .pc = pc, .cfa = STACK, .exact = true };
	struct unwind_stack stack = { .items = &frame, .len = 1, .cap = 1 };
	struct thread *th = target_find_thread(&p->fake->base, 1);

	if (!th)
		th = target_add_thread(&p->fake->base, 1);
	ck_assert_ptr_nonnull(th);
	th->general_valid = false;
	arch_put(p->fake->base.arch->pc, p->fake->general, pc);
	flow_at(p->flow, th, &stack, 0, ret);
}

/* ---- functions ------------------------------------------------------------------------------ */

START_TEST(what_functions_hold)
{
	const struct flow_case *c = &flow_cases[_i];
	taddr pc = CODE + (taddr)(c->here - c->code);
	AUTO_BUF found = { 0 };
	struct flow_state s = { 0 }, again;
	struct program p;

	case_init(&p, c);
	/* It remembers, and says the same again. */
	for (unsigned int n = 0; n < 2; n++) {
		again = s;
		if (c->here < c->code)
			flow_leaks(p.flow, CODE + 1, &s);
		else
			ask(&p, pc, &s);
	}
	ck_assert_mem_eq(&again, &s, sizeof(s));
	describe(c, &s, &found);
	ck_assert_msg(strcmp(buf_text(&found), c->expected) == 0, "%s: '%s', not '%s'", c->name,
		      buf_text(&found), c->expected);
	program_fini(&p);
}
END_TEST

/* ---- harm ----------------------------------------------------------------------------------- */

START_TEST(code_without_unwind_tables_is_not_understood)
{
	struct flow_state s;
	struct program p;

	case_init(&p, &flow_cases[0]);
	ask(&p, CODE + 0x100, &s);
	ck_assert(!s.complete);
	ck_assert_uint_eq(s.nholds, 0);
	flow_leaks(p.flow, 0, &s);
	ck_assert(!s.complete);
	program_fini(&p);
}
END_TEST

START_TEST(code_that_cannot_be_read_is_not_understood)
{
	struct flow_state s;
	struct program p;

	program_init(&p, (const uint8_t *)"\xc3", 1, NULL, 0);
	code_fixture_set(&p.code, (struct code_range[]){ { 0x500000, 0x500100 } }, 1);
	ask(&p, 0x500010, &s);
	ck_assert(!s.complete);
	ck_assert_uint_eq(s.nholds, 0);
	program_fini(&p);
}
END_TEST

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* Conditions without end, each with a call: more ways than anybody could go. */
static void fill_with_branches(uint8_t *code, size_t size)
{
	static const uint8_t piece[] = { 0x75, 0x05, 0xe8, 0, 0, 0, 0 };

	memset(code, 0x90, size);
	for (size_t at = 0; at + 16 < size; at += sizeof(piece)) {
		memcpy(code + at, piece, sizeof(piece));
		put32(code + at + 3, (uint32_t)((at % 2 ? TAKE : TRY) - (CODE + at + 7)));
	}
	/* Back to the start, so that all of it is one loop. */
	code[size - 6] = 0xe9;
	put32(code + size - 5, (uint32_t) - (size - 1));
	code[size - 1] = 0xc3;
}

static const struct {
	size_t size;
	bool complete; /* the smaller ones are gone through all the same */
} loops[] = { { 0x400, true }, { 0x1000, true }, { 0x7000, false }, { 0xf000, false } };

START_TEST(loops_of_branches_come_to_an_end)
{
	AUTO_FREE uint8_t *code = malloc(loops[_i].size);
	struct code_range range = { 0x410000, 0x410000 + (uint32_t)loops[_i].size };
	struct flow_state s;
	struct program p;

	ck_assert_ptr_nonnull(code);
	fill_with_branches(code, loops[_i].size);
	program_init(&p, (const uint8_t *)"\xc3", 1, NULL, 0);
	fake_target_add(p.fake, range.start, code, loops[_i].size);
	code_fixture_set(&p.code, &range, 1);
	for (unsigned int n = 0; n < 50; n++)
		ask(&p, range.start + 7 * n, &s);
	ck_assert_int_eq(s.complete, loops[_i].complete);
	program_fini(&p);
}
END_TEST

static uint8_t random_byte(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint8_t)(*seed >> 56);
}

/* Bytes of which many are calls, jumps and branches within reach. */
static void fill_with_anything(uint8_t *code, size_t size, uint64_t *seed)
{
	static const uint8_t often[] = {
		0x74, 0x75, 0xeb, 0xe8, 0xff, 0xe0, 0x48, 0x8b, 0x89, 0x55,
		0x5d, 0x0f, 0x84, 0x8d, 0xc9, 0xc3, 0x3d, 0x85, 0xc0, 0x77
	};

	for (size_t i = 0; i < size; i++) {
		uint8_t byte = random_byte(seed);
		code[i] = byte & 1 ? often[byte % sizeof(often)] : byte / 8;
	}
	for (size_t i = 0; i + 5 < size; i++) {
		if (code[i] == 0xe8)
			put32(code + i + 1,
			      (random_byte(seed) & 1 ? TAKE : GIVE) - (uint32_t)(CODE + i + 5));
	}
}

START_TEST(any_code_is_survived)
{
	uint64_t seed = (uint64_t)_i * 1000 + 1;

	for (unsigned int round = 0; round < 200; round++) {
		uint8_t code[0x300], other[0x100];
		struct flow_state s;
		struct program p;
		fill_with_anything(code, sizeof(code), &seed);
		fill_with_anything(other, sizeof(other), &seed);
		put32(other + sizeof(other) - 4, CODE + 5 - OTHER - (uint32_t)sizeof(other));
		other[sizeof(other) - 5] = 0xe9;
		program_init(&p, code, sizeof(code), other, sizeof(other));
		add_data(&p);
		for (taddr pc = CODE; pc < CODE + sizeof(code); pc += 37)
			ask(&p, pc, &s);
		ask(&p, OTHER + round % sizeof(other), &s);
		flow_leaks(p.flow, CODE, &s);
		ck_assert_uint_le(s.nholds, FLOW_HOLDS_MAX);
		program_fini(&p);
	}
}
END_TEST

/* A loop that takes two and gives both back holds nothing, and has given back nothing else. */
START_TEST(of_two_that_are_not_known_one_is_given_back)
{
	const struct terms all = { 0 };
	struct held h = { .len = 0 };

	held_take(&h, &all, (struct held_by){ .call = 1 }, term_lost(), TERM_NUMBER);
	held_take(&h, &all, (struct held_by){ .call = 2 }, term_lost(), TERM_NUMBER);
	ck_assert_uint_eq(h.len, 2);
	ck_assert(held_give(&h, &all, 0, term_lost()));
	ck_assert_uint_eq(h.len, 1);
	ck_assert_uint_eq(h.items[0].by.call, 1);
	ck_assert(held_give(&h, &all, 0, term_lost()));
	ck_assert_uint_eq(h.len, 0);
	ck_assert(!held_give(&h, &all, 0, term_lost()));
}
END_TEST

/* Whoever gets it has not had it before, whichever call stands first in the code. */
START_TEST(what_can_be_taken_once_is_held_by_the_last_call)
{
	const struct terms all = { 0 };
	struct held h = { .len = 0 };

	for (taddr call = 3; call > 0; call--) {
		struct held_by by = { .call = call, .once = true };
		held_take(&h, &all, by, term_of(LOCK_AT), TERM_NUMBER);
		ck_assert_uint_eq(h.len, 1);
		ck_assert_uint_eq(h.items[0].by.call, call);
	}
	held_take(&h, &all, (struct held_by){ .call = 9, .once = true }, term_of(LOCK_AT + 1),
		  TERM_NUMBER);
	ck_assert(held_give(&h, &all, 0, term_of(LOCK_AT)));
	ck_assert_uint_eq(h.len, 1);
	ck_assert_uint_eq(h.items[0].by.call, 9);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flow");
	TCase *cases = tcase_create("cases"), *any = tcase_create("any");

	suite_add_tcase(s, cases);
	tcase_add_loop_test(cases, what_functions_hold, 0, flow_ncases);
	unit_case(s, "harm", code_without_unwind_tables_is_not_understood,
		  code_that_cannot_be_read_is_not_understood);
	unit_case(s, "held", of_two_that_are_not_known_one_is_given_back,
		  what_can_be_taken_once_is_held_by_the_last_call);
	unit_table(s, loops_of_branches_come_to_an_end, loops);
	suite_add_tcase(s, any);
	tcase_add_loop_test(any, any_code_is_survived, 0, 4);
	return unit_run(s);
}
