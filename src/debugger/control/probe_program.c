/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_program.h"

#include <stdlib.h>

#include "target/process/opcode.h"

enum { WORD = 8 };

static void add(struct buf *out, uint64_t n)
{
	opcode_add_constant(out, n);
	opcode_add(out, CONDITION_ADD);
}

static void cut(struct buf *out, uint8_t size, bool is_signed)
{
	if (size && size < WORD)
		opcode_add_byte(out, is_signed ? CONDITION_SIGNED : CONDITION_CUT, size);
}

/* Behind the registers arguments are on the stack, at the entry above the return address. */
static void argument(struct buf *out, const struct arch *arch, uint8_t n, enum probe_place place)
{
	if (n <= ARCH_ARGUMENTS && place == PLACE_ENTRY) {
		opcode_add_byte(out, CONDITION_REGISTER, arch->code_arguments[n - 1]);
	} else if (n <= ARCH_ARGUMENTS) {
		opcode_add_byte(out, CONDITION_ARGUMENT, (uint8_t)(n - 1));
	} else {
		opcode_add_byte(out, CONDITION_REGISTER, arch->code_sp);
		add(out, (uint64_t)WORD * (n - ARCH_ARGUMENTS - (place == PLACE_RETURN)));
		opcode_add_byte(out, CONDITION_LOAD, WORD);
	}
}

void probe_program_value(struct buf *out, const struct arch *arch, const struct event_value *v,
			 enum probe_place place)
{
	if (v->what == VALUE_RESULT)
		opcode_add_byte(out, CONDITION_REGISTER, arch->code_result);
	else
		argument(out, arch, v->argument, place);
	if (v->pointed) {
		add(out, (uint64_t)(int64_t)v->offset);
		opcode_add_byte(out, CONDITION_LOAD, v->size ? v->size : WORD);
	}
	cut(out, v->size, v->is_signed);
	if (v->plus)
		add(out, (uint64_t)(int64_t)v->plus);
	if (v->is_zero)
		opcode_add(out, CONDITION_NOT);
}

void probe_program_test(struct buf *out, const struct arch *arch, const struct event_row *row,
			enum probe_place place)
{
	if (row->test.what == VALUE_NONE) {
		opcode_add_constant(out, 1);
		return;
	}
	probe_program_value(out, arch, &row->test, place);
	if (row->bits) {
		opcode_add_constant(out, row->bits);
		opcode_add(out, CONDITION_AND);
	}
	opcode_add(out, CONDITION_NOT);
	if (!row->not )
		opcode_add(out, CONDITION_NOT);
}

void probe_program_return(struct buf *out, const struct arch *arch)
{
	opcode_add_byte(out, CONDITION_REGISTER, arch->code_sp);
	opcode_add_byte(out, CONDITION_LOAD, WORD);
}

static void returns_into(struct buf *out, const struct arch *arch, taddr start, taddr end)
{
	probe_program_return(out, arch);
	opcode_add_constant(out, start);
	opcode_add(out, CONDITION_SUBTRACT);
	opcode_add_constant(out, end - start);
	opcode_add(out, CONDITION_LESS_U);
}

void probe_program_caller(struct buf *out, const struct arch *arch, enum event_caller caller,
			  const struct probe_range *runtime)
{
	if (caller == CALLED_BY_ANY || !runtime->end) {
		opcode_add_constant(out, 1);
		return;
	}
	returns_into(out, arch, runtime->start, runtime->end);
	if (caller == CALLED_BY_PROGRAM) {
		opcode_add(out, CONDITION_NOT);
		returns_into(out, arch, runtime->invoker, runtime->invoker_end);
		opcode_add(out, CONDITION_OR);
	} else {
		returns_into(out, arch, runtime->teams, runtime->teams_end);
		opcode_add(out, CONDITION_NOT);
		opcode_add(out, CONDITION_AND);
	}
}

static int compare(const void *a, const void *b)
{
	const taddr *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* A search by halves, so that many cost little. Leaves on top whether it is there. */
static void search(struct buf *out, const taddr *known, size_t n)
{
	size_t half = n / 2;

	if (n <= 1) {
		opcode_add_constant(out, n ? *known : 0);
		opcode_add(out, CONDITION_EQUAL);
		return;
	}
	opcode_add(out, CONDITION_DUPLICATE);
	opcode_add_constant(out, known[half]);
	opcode_add(out, CONDITION_LESS_U);
	size_t above = opcode_jump(out, CONDITION_JUMP_ZERO);
	search(out, known, half);
	size_t end = opcode_jump(out, CONDITION_JUMP);
	opcode_land(out, above);
	search(out, known + half, n - half);
	opcode_land(out, end);
}

void probe_program_unknown(struct buf *out, taddr *known, size_t n)
{
	if (n)
		qsort(known, n, sizeof(*known), compare);
	search(out, known, n);
	opcode_add(out, CONDITION_NOT);
}

void probe_program_and(struct buf *out)
{
	opcode_add(out, CONDITION_AND);
}
