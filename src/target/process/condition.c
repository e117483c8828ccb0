/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/condition.h"

#include <string.h>

#include "base/cursor.h"

struct machine {
	const struct condition_subject *subject;
	uint64_t stack[CONDITION_STACK];
	size_t depth;
	bool failed;
};

/* What an instruction does with what it takes from the stack (a below b) and its operand. */
typedef uint64_t action(struct machine *m, uint64_t a, uint64_t b, uint64_t operand);

static uint64_t fail(struct machine *m)
{
	m->failed = true;
	return 0;
}

/* ---- what is pushed --------------------------------------------------------------------- */

static uint64_t operand_itself(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)m, (void)a, (void)b;
	return operand;
}

static uint64_t reg(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	const struct arch *arch = m->subject->arch;

	(void)a, (void)b;
	if (operand >= arch->ncode_regs)
		return fail(m);
	return arch_get(arch->code_regs[operand], m->subject->general);
}

static uint64_t pc(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)a, (void)b, (void)operand;
	return arch_get(m->subject->arch->pc, m->subject->general);
}

static uint64_t base(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)a, (void)b, (void)operand;
	return arch_get(m->subject->arch->thread_pointer, m->subject->general);
}

static uint64_t argument(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)a, (void)b;
	if (!m->subject->arguments || operand >= ARCH_ARGUMENTS)
		return fail(m);
	return m->subject->arguments[operand];
}

static uint64_t load(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	uint8_t bytes[8] = { 0 };
	uint64_t value;

	(void)a;
	if (m->subject->read(m->subject->context, b, bytes, (size_t)operand) < operand)
		return fail(m);
	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* ---- what is computed ------------------------------------------------------------------- */

static uint64_t cut(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)m, (void)a;
	return operand == 8 ? b : b & ((UINT64_C(1) << (8 * operand)) - 1);
}

static uint64_t extend(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	unsigned int unused = 64 - 8 * (unsigned int)operand;

	(void)m, (void)a;
	return (uint64_t)((int64_t)(b << unused) >> unused);
}

/* The one quotient that is no number of 64 bits stays what the processor's multiplier makes of it.
 */
static bool overflows(uint64_t a, uint64_t b)
{
	return a == UINT64_C(1) << 63 && b == UINT64_MAX;
}

static uint64_t divide(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)operand;
	if (!b)
		return fail(m);
	return overflows(a, b) ? a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t divide_u(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)operand;
	return b ? a / b : fail(m);
}

static uint64_t rest(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)operand;
	if (!b)
		return fail(m);
	return overflows(a, b) ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t rest_u(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	(void)operand;
	return b ? a % b : fail(m);
}

#define SIMPLE(name, expression)                                                                   \
	static uint64_t name(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)          \
	{                                                                                          \
		(void)m, (void)a, (void)b, (void)operand;                                          \
		return expression;                                                                 \
	}

SIMPLE(add, a + b)
SIMPLE(subtract, a - b)
SIMPLE(multiply, a *b)
SIMPLE(and, a &b)
SIMPLE(or, a | b)
SIMPLE(xor, a ^ b)
SIMPLE(invert, ~b)
SIMPLE(negate, -b)
SIMPLE(not, !b)
SIMPLE(shift_left, b > 63 ? 0 : a << b)
SIMPLE(shift_right, b > 63 ? 0 : a >> b)
SIMPLE(shift_signed, (uint64_t)((int64_t)a >> (b > 63 ? 63 : b)))
SIMPLE(equal, a == b)
SIMPLE(less, (int64_t)a < (int64_t)b)
SIMPLE(less_u, a < b)
SIMPLE(less_or_equal, (int64_t)a <= (int64_t)b)
SIMPLE(less_or_equal_u, a <= b)

/* ---- floating point --------------------------------------------------------------------- */

static double real(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static uint64_t widen(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	const uint32_t low = (uint32_t)b;
	float value;

	(void)m, (void)a, (void)operand;
	memcpy(&value, &low, sizeof(value));
	return bits_of((double)value);
}

static uint64_t to_signed(struct machine *m, uint64_t a, uint64_t b, uint64_t operand)
{
	double value = real(b);

	(void)a, (void)operand;
	return value >= -0x1p63 && value < 0x1p63 ? (uint64_t)(int64_t)value : fail(m);
}

SIMPLE(narrow, bits_of((double)(float)real(b)))
SIMPLE(of_signed, bits_of((double)(int64_t)b))
SIMPLE(of_unsigned, bits_of((double)b))
SIMPLE(float_add, bits_of(real(a) + real(b)))
SIMPLE(float_subtract, bits_of(real(a) - real(b)))
SIMPLE(float_multiply, bits_of(real(a) * real(b)))
SIMPLE(float_divide, bits_of(real(a) / real(b)))
SIMPLE(float_equal, real(a) == real(b))
SIMPLE(float_less, real(a) < real(b))
SIMPLE(float_less_or_equal, real(a) <= real(b))

/* ---- programs --------------------------------------------------------------------------- */

enum operand { OPERAND_NONE, OPERAND_BYTES, OPERAND_REGISTER, OPERAND_NUMBER, OPERAND_PLACE };
static const size_t operand_size[] = { 0, 1, 1, 8, 2 };

/* Without an action: what follow() does by itself. */
static const struct {
	enum operand operand;
	unsigned int takes;
	action *action;
} ops[NUM_CONDITION_OPS] = {
	[CONDITION_END] = { OPERAND_NONE, 0, NULL },
	[CONDITION_CONST] = { OPERAND_NUMBER, 0, operand_itself },
	[CONDITION_REGISTER] = { OPERAND_REGISTER, 0, reg },
	[CONDITION_PC] = { OPERAND_NONE, 0, pc },
	[CONDITION_BASE] = { OPERAND_NONE, 0, base },
	[CONDITION_LOAD] = { OPERAND_BYTES, 1, load },
	[CONDITION_SIGNED] = { OPERAND_BYTES, 1, extend },
	[CONDITION_CUT] = { OPERAND_BYTES, 1, cut },
	[CONDITION_ADD] = { OPERAND_NONE, 2, add },
	[CONDITION_SUBTRACT] = { OPERAND_NONE, 2, subtract },
	[CONDITION_MULTIPLY] = { OPERAND_NONE, 2, multiply },
	[CONDITION_DIVIDE] = { OPERAND_NONE, 2, divide },
	[CONDITION_DIVIDE_U] = { OPERAND_NONE, 2, divide_u },
	[CONDITION_REST] = { OPERAND_NONE, 2, rest },
	[CONDITION_REST_U] = { OPERAND_NONE, 2, rest_u },
	[CONDITION_AND] = { OPERAND_NONE, 2, and},
	[CONDITION_OR] = { OPERAND_NONE, 2, or },
	[CONDITION_XOR] = { OPERAND_NONE, 2, xor},
	[CONDITION_INVERT] = { OPERAND_NONE, 1, invert },
	[CONDITION_NEGATE] = { OPERAND_NONE, 1, negate },
	[CONDITION_NOT] = { OPERAND_NONE, 1, not },
	[CONDITION_SHIFT_LEFT] = { OPERAND_NONE, 2, shift_left },
	[CONDITION_SHIFT_RIGHT] = { OPERAND_NONE, 2, shift_right },
	[CONDITION_SHIFT_SIGNED] = { OPERAND_NONE, 2, shift_signed },
	[CONDITION_EQUAL] = { OPERAND_NONE, 2, equal },
	[CONDITION_LESS] = { OPERAND_NONE, 2, less },
	[CONDITION_LESS_U] = { OPERAND_NONE, 2, less_u },
	[CONDITION_LESS_OR_EQUAL] = { OPERAND_NONE, 2, less_or_equal },
	[CONDITION_LESS_OR_EQUAL_U] = { OPERAND_NONE, 2, less_or_equal_u },
	[CONDITION_DUPLICATE] = { OPERAND_NONE, 1, NULL },
	[CONDITION_DROP] = { OPERAND_NONE, 1, NULL },
	[CONDITION_SWAP] = { OPERAND_NONE, 2, NULL },
	[CONDITION_JUMP] = { OPERAND_PLACE, 0, NULL },
	[CONDITION_JUMP_ZERO] = { OPERAND_PLACE, 1, NULL },
	[CONDITION_WIDEN] = { OPERAND_NONE, 1, widen },
	[CONDITION_NARROW] = { OPERAND_NONE, 1, narrow },
	[CONDITION_OF_SIGNED] = { OPERAND_NONE, 1, of_signed },
	[CONDITION_OF_UNSIGNED] = { OPERAND_NONE, 1, of_unsigned },
	[CONDITION_TO_SIGNED] = { OPERAND_NONE, 1, to_signed },
	[CONDITION_FLOAT_ADD] = { OPERAND_NONE, 2, float_add },
	[CONDITION_FLOAT_SUBTRACT] = { OPERAND_NONE, 2, float_subtract },
	[CONDITION_FLOAT_MULTIPLY] = { OPERAND_NONE, 2, float_multiply },
	[CONDITION_FLOAT_DIVIDE] = { OPERAND_NONE, 2, float_divide },
	[CONDITION_FLOAT_EQUAL] = { OPERAND_NONE, 2, float_equal },
	[CONDITION_FLOAT_LESS] = { OPERAND_NONE, 2, float_less },
	[CONDITION_FLOAT_LESS_OR_EQUAL] = { OPERAND_NONE, 2, float_less_or_equal },
	[CONDITION_ARGUMENT] = { OPERAND_REGISTER, 0, argument },
};

struct step {
	uint8_t op;
	uint64_t operand;
	size_t next;
};

/* false: there is no whole, known instruction. */
static bool fetch(const uint8_t *program, size_t size, size_t at, struct step *ret)
{
	struct cursor in = cursor_of(program + at, size - at);

	ret->op = (uint8_t)cursor_uint(&in, 1);
	if (in.bad || ret->op >= NUM_CONDITION_OPS)
		return false;
	ret->operand = cursor_uint(&in, operand_size[ops[ret->op].operand]);
	ret->next = size - cursor_left(&in);
	uint64_t n = ret->operand;
	bool sound = ops[ret->op].operand != OPERAND_BYTES || n == 1 || n == 2 || n == 4 || n == 8;
	return !in.bad && sound;
}

struct error *condition_check(const uint8_t *program, size_t size)
{
	bool starts[CONDITION_SIZE_MAX + 1] = { false };
	struct step step;

	if (size > CONDITION_SIZE_MAX)
		return error_new(ERROR_USAGE, "a condition of %zu bytes is too long", size);
	for (size_t at = 0; at < size; at = step.next) {
		if (!fetch(program, size, at, &step))
			return error_new(ERROR_USAGE, "no instruction at byte %zu of a condition",
					 at);
		starts[at] = true;
	}
	starts[size] = true;
	for (size_t at = 0; at < size; at = step.next) {
		bool sound = fetch(program, size, at, &step);
		bool jumps = ops[step.op].operand == OPERAND_PLACE;
		if (!sound || (jumps && (step.operand > size || !starts[step.operand])))
			return error_new(ERROR_USAGE,
					 "the jump at byte %zu of a condition leads nowhere", at);
	}
	return NULL;
}

static void push(struct machine *m, uint64_t value)
{
	if (m->depth == CONDITION_STACK)
		fail(m);
	else
		m->stack[m->depth++] = value;
}

/* Returns where it goes on. */
static size_t follow(struct machine *m, const struct step *step)
{
	uint64_t a = 0, b = 0;
	unsigned int takes = ops[step->op].takes;

	if (m->depth < takes) {
		fail(m);
		return step->next;
	}
	m->depth -= takes;
	if (takes) /* otherwise the stack may be empty */
		b = m->stack[m->depth + takes - 1];
	if (takes == 2)
		a = m->stack[m->depth];
	if (ops[step->op].action)
		push(m, ops[step->op].action(m, a, b, step->operand));
	if (step->op == CONDITION_DUPLICATE || step->op == CONDITION_SWAP)
		push(m, b);
	if (step->op == CONDITION_DUPLICATE)
		push(m, b);
	if (step->op == CONDITION_SWAP)
		push(m, a);
	bool jumps = step->op == CONDITION_JUMP || (step->op == CONDITION_JUMP_ZERO && !b);
	return jumps ? (size_t)step->operand : step->next;
}

bool condition_value(const uint8_t *program, size_t size, const struct condition_subject *subject,
		     uint64_t *ret)
{
	struct machine m = { .subject = subject };
	struct step step;
	size_t at = 0;

	for (int steps = 0; at < size && !m.failed; steps++) {
		if (steps == CONDITION_STEPS || !fetch(program, size, at, &step))
			fail(&m);
		else if (step.op == CONDITION_END)
			break;
		else
			at = follow(&m, &step);
	}
	if (m.failed || !m.depth)
		return false;
	*ret = m.stack[m.depth - 1];
	return true;
}

bool condition_holds(const uint8_t *program, size_t size, const struct condition_subject *subject,
		     bool *ret_failed)
{
	uint64_t value = 0;

	*ret_failed = !condition_value(program, size, subject, &value);
	return value;
}
