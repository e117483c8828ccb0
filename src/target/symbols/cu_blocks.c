/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/cu_blocks.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "target/symbols/cu_entries.h"

enum cover { COVERS, COVERS_NOT, HAS_NO_RANGE };

/* The range of an entry around addr. */
static enum cover cover_of(struct die_walk *w, Dwarf_Die *die, taddr addr, struct die_ranges *ret)
{
	struct die_ranges r = { 0 };
	bool any = false;

	for (; w->left && die_next_range(die, &r); any = true) {
		w->left--;
		*ret = r;
		if (r.start <= addr && addr < r.end)
			return COVERS;
	}
	return any ? COVERS_NOT : HAS_NO_RANGE;
}

static bool is_block(int tag)
{
	return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* The next block around addr below an entry. A block without addresses is there for its names. */
static bool find_block(struct die_walk *w, const Dwarf_Die *top, taddr addr, Dwarf_Die *ret,
		       struct die_ranges *ret_range)
{
	for (bool more = die_walk_start(w, top); more;) {
		Dwarf_Die *die = die_walk_here(w);
		enum cover cover =
			is_block(dwarf_tag(die)) ? cover_of(w, die, addr, ret_range) : COVERS_NOT;
		if (cover == COVERS) {
			*ret = *die;
			return true;
		}
		more = die_walk_next(w, cover == HAS_NO_RANGE);
	}
	return false;
}

/* Something with a name is declared or inlined in it: gdb knows no other blocks. */
static bool has_names(const Dwarf_Die *die)
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	Dwarf_Attribute name;

	for (bool more = die_walk_start(&w, die); more; more = die_walk_next(&w, false)) {
		switch (dwarf_tag(die_walk_here(&w))) {
		case DW_TAG_lexical_block:
		case DW_TAG_call_site:
		case DW_TAG_GNU_call_site:
			break;
		case DW_TAG_imported_module:
		case DW_TAG_imported_declaration:
			return true;
		default:
			if (dwarf_attr_integrate(die_walk_here(&w), DW_AT_name, &name))
				return true;
		}
	}
	return false;
}

static void set_call(struct cu *cu, Dwarf_Die *die, struct cu_block *ret)
{
	uint64_t line = die_number(die, DW_AT_call_line);

	if (!cu_lines(cu) || !dwarf_hasattr(die, DW_AT_call_file) || line > INT_MAX)
		return;
	ret->call_file = line_table_file(cu_lines(cu), die_number(die, DW_AT_call_file));
	ret->call_line = (int)line;
}

static struct cu_block block_of(struct cu *cu, Dwarf_Die *die, const struct die_ranges *range)
{
	struct cu_block b = {
		.kind = CU_BLOCK_LEXICAL,
		.id = dwarf_dieoffset(die),
		.start = range->start,
		.end = range->end,
		.entry = die_start(die),
	};
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_inlined_subroutine) {
		b.kind = CU_BLOCK_INLINED;
		set_call(cu, die, &b);
	} else if (tag == DW_TAG_subprogram) {
		b.kind = CU_BLOCK_FUNCTION;
	}
	if (b.kind != CU_BLOCK_LEXICAL)
		b.function = die_readable_name(die, cu_spans(cu));
	return b;
}

static void reverse(struct cu_block *blocks, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct cu_block b = blocks[i];
		blocks[i] = blocks[n - 1 - i];
		blocks[n - 1 - i] = b;
	}
}

static size_t find_blocks(struct cu *cu, taddr addr, struct cu_block ret[CU_BLOCKS_MAX])
{
	struct die_walk w = { .left = DIE_ENTRIES_MAX };
	struct die_ranges range = { 0 };
	Dwarf_Die die;
	size_t n = 0;

	if (!cu_function_at(cu, addr, &die) || cover_of(&w, &die, addr, &range) != COVERS)
		return 0;
	ret[n++] = block_of(cu, &die, &range);
	while (n < CU_BLOCKS_MAX && find_block(&w, &die, addr, &die, &range)) {
		struct cu_block b = block_of(cu, &die, &range);
		if (b.kind != CU_BLOCK_LEXICAL || has_names(&die))
			ret[n++] = b;
	}
	reverse(ret, n);
	return n;
}

/* The last answers: all threads of a team are asked about at the same few places. */
struct cu_block_memo {
	struct cu_block_answer {
		taddr addr;
		size_t n; /* 0: none */
		struct cu_block blocks[8];
	} answers[16];
};

size_t cu_blocks(struct cu *cu, taddr addr, struct cu_block ret[CU_BLOCKS_MAX])
{
	struct cu_block_memo **memo = cu_block_memo(cu);

	if (!*memo)
		*memo = calloc(1, sizeof(**memo));
	if (!*memo)
		return find_blocks(cu, addr, ret);
	const size_t many = sizeof((*memo)->answers) / sizeof(*(*memo)->answers);
	struct cu_block_answer *answer = &(*memo)->answers[addr % many];
	size_t n = answer->n;

	if (n && answer->addr == addr) {
		memcpy(ret, answer->blocks, n * sizeof(*ret));
		return n;
	}
	n = find_blocks(cu, addr, ret);
	if (n <= sizeof(answer->blocks) / sizeof(*answer->blocks)) {
		answer->addr = addr;
		answer->n = n;
		memcpy(answer->blocks, ret, n * sizeof(*ret));
	}
	return n;
}
