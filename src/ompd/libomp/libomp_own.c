/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_own.h"

#include <stdio.h>

#include "ompd/client/openmp.h"
#include "ompd/libomp/libomp_symbols.h"
#include "ompd/libomp/libomp_threads.h"
#include "ompd/picture/own_code.h"
#include "target/code/code.h"

/* The words of the layout that lead to each; what is not listed is the sum of them. */
static const char *const to_number[] = { "kmp_info_t__th", "kmp_base_info_t__th_info",
					 "kmp_desc_t__ds", "kmp_desc_base_t__ds_tid", NULL };
static const char *const to_team[] = { "kmp_info_t__th", "kmp_base_info_t__th_team", NULL };
static const char *const to_level[] = { "kmp_team_p__t", "kmp_base_team_t__t_level", NULL };
static const char *const to_size[] = { "kmp_team_p__t", "kmp_base_team_t__t_nproc", NULL };

static bool find_offset(const struct openmp *o, const char *const *words, uint64_t *ret)
{
	struct memory *memory = o->context.target->memory;
	char name[64];
	taddr at;

	*ret = 0;
	for (; *words; words++) {
		uint64_t offset;
		snprintf(name, sizeof(name), "ompd_access__%s", *words);
		if (!libomp_symbols_find(o->context.own, name, NULL, &at) ||
		    !memory_try_read(memory, at, &offset, sizeof(offset)))
			return false;
		*ret += offset;
	}
	return true;
}

/* glibc's vector of thread-local blocks, as find_block() of libomp_threads.c reads it. */
static void add_block(struct own_code *k, uint64_t module)
{
	enum { ENTRY = 16 };

	own_code_follow(k, 8);
	opcode_add(k->out, CONDITION_DUPLICATE);
	opcode_add_load(k->out, (uint64_t)-ENTRY, 8);
	opcode_add_constant(k->out, module);
	opcode_add(k->out, CONDITION_SWAP);
	opcode_add(k->out, CONDITION_LESS_OR_EQUAL_U);
	own_code_check(k);
	own_code_follow(k, ENTRY * module);
	opcode_add(k->out, CONDITION_DUPLICATE);
	opcode_add(k->out, CONDITION_INVERT); /* -1: not touched yet */
	own_code_check(k);
}

/* The entry of the thread in __kmp_threads. */
static void add_entry(struct own_code *k, uint64_t number, taddr table)
{
	opcode_add_load(k->out, number, 4);
	opcode_add(k->out, CONDITION_DUPLICATE);
	opcode_add_constant(k->out, LIBOMP_GTID_END);
	opcode_add(k->out, CONDITION_LESS_U);
	own_code_check(k);
	opcode_add_constant(k->out, 8);
	opcode_add(k->out, CONDITION_MULTIPLY);
	opcode_add_constant(k->out, table);
	opcode_add_load(k->out, 0, 8);
	own_code_check(k); /* NULL when the runtime has ended */
	opcode_add_constant(k->out, table);
	opcode_add_load(k->out, 0, 8);
	opcode_add(k->out, CONDITION_ADD);
	own_code_follow(k, 0);
}

/* ---- num_threads ------------------------------------------------------------------------- */

/* A function that stores its third argument in the entry of a thread, and does nothing else. */
static bool is_setter(struct target *t, taddr at, taddr table, uint64_t *ret)
{
	enum { INSNS_MOST = 12 };
	size_t stores = 0;
	bool uses_table = false;
	struct insn insn;

	for (size_t i = 0; i < INSNS_MOST && code_insn_at(t, at, &insn); i++, at += insn.size) {
		const bool absolute = insn.base == INSN_NO_REG && insn.index == INSN_NO_REG;
		if (insn.kind == INSN_RETURN)
			return uses_table && stores == 1;
		uses_table |= (insn.kind == INSN_CONSTANT && insn.value == table) ||
			      (insn.kind == INSN_LOAD && absolute && insn.displacement == table);
		if (!insn.stores)
			continue;
		if (insn.kind != INSN_STORE || insn.operand != INSN_REGISTER || insn.bytes != 4 ||
		    insn.from != t->arch->code_arguments[2] || insn.base == INSN_NO_REG)
			return false;
		stores++;
		*ret = insn.displacement;
	}
	return false;
}

/* th_set_nproc, of which no word of the layout tells, by what __kmpc_push_num_threads() calls. */
static bool find_asked(const struct openmp *o, taddr table, uint64_t *ret)
{
	enum { CODE_MOST = 1 << 9 };
	const struct ompd_address_space_context *context = &o->context;
	struct insn insn;
	taddr start;

	if (!runtime_find(context->runtimes, context->runtime, "__kmpc_push_num_threads", &start))
		return false;
	for (taddr at = start; at < start + CODE_MOST && code_insn_at(context->target, at, &insn);
	     at += insn.size) {
		const bool goes = insn.kind == INSN_CALL || insn.kind == INSN_JUMP;
		if (goes && insn.via == INSN_VIA_ADDRESS &&
		    is_setter(context->target, insn.value, table, ret))
			return true;
	}
	return false;
}

enum own_state libomp_own_number(const struct openmp *o, enum own_number which, struct buf *ret)
{
	const struct libomp_symbols *s = o->context.own;
	uint64_t number_at, team_at, level_at, size_at, asked_at = 0;
	struct libomp_number number;
	struct own_code k;
	taddr table;

	if (libomp_symbols_status(s) == LIBOMP_NOT_INITIALIZED)
		return OWN_NOT_YET;
	if (!libomp_symbols_number(s, &number) ||
	    !libomp_symbols_find(s, "__kmp_threads", NULL, &table) ||
	    !find_offset(o, to_number, &number_at) || !find_offset(o, to_team, &team_at) ||
	    !find_offset(o, to_level, &level_at) || !find_offset(o, to_size, &size_at) ||
	    (which == OWN_ASKED && !find_asked(o, table, &asked_at)))
		return OWN_UNKNOWN;
	own_code_begin(&k, which, ret);
	if (number.module)
		add_block(&k, number.module);
	add_entry(&k, number.offset, table);
	if (which == OWN_LEVEL || which == OWN_TEAM_SIZE)
		own_code_follow(&k, team_at);
	own_code_end(&k, which == OWN_THREAD  ? number_at
			 : which == OWN_TEAM  ? team_at
			 : which == OWN_LEVEL ? level_at
			 : which == OWN_ASKED ? asked_at
					      : size_at);
	return OWN_KNOWN;
}
