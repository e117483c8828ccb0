/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/symbols/cu_blocks.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/prologue.h"
#include "target/symbols/symbol_parts.h"

void code_places_fini(struct code_places *p)
{
	vec_fini(p);
}

void name_list_fini(struct name_list *l)
{
	vec_fini_all(l);
}

taddr places_skip_prologue(struct symbol_table *s, taddr entry)
{
	return prologue_end(s, entry);
}

/* Behind a call-offset (Itanium ABI, 5.1.4.2): "h" number "_", or "v" number "_" number "_". */
static const char *behind_offset(const char *p)
{
	size_t numbers = *p == 'v' ? 2 : 1;

	if (*p != 'h' && *p != 'v')
		return NULL;
	for (p++; numbers; numbers--) {
		p += *p == 'n';
		size_t digits = strspn(p, "0123456789");
		if (!digits || p[digits] != '_')
			return NULL;
		p += digits + 1;
	}
	return p;
}

static bool take_address(void *context, const struct symbol *symbol)
{
	*(taddr *)context = symbol->addr;
	return false;
}

taddr places_thunk_target(struct symbol_table *s, taddr pc)
{
	AUTO_FREE char *method = NULL;
	struct symbol symbol;
	taddr addr = 0;

	if (!symbol_at(s, pc, &symbol) || !symbol.function || strncmp(symbol.name, "_ZT", 3) != 0)
		return 0;
	bool covariant = symbol.name[3] == 'c';
	const char *rest = behind_offset(symbol.name + 3 + covariant);
	if (covariant && rest)
		rest = behind_offset(rest);
	if (rest && asprintf(&method, "_Z%s", rest) >= 0)
		symbol_find_in(s, symbol.module, method, take_address, &addr);
	return addr;
}

/* ---- main() ------------------------------------------------------------------------------- */

const char *places_main(struct symbol_table *s)
{
	struct module *exe = module_exe(symbol_modules(s));
	const char *name = NULL;
	struct unit_here unit;
	taddr addr = 0;

	/* Compilers of Fortran make a main() beside the main program. */
	if (exe)
		symbol_find_in(s, exe, "main", take_address, &addr);
	if (addr && symbol_unit_at(s, addr, &unit))
		name = cu_main_program(unit.cu);
	return name ? name : "main";
}

bool places_is_main(struct symbol_table *s, taddr pc)
{
	struct module *m = module_at(symbol_modules(s), pc);
	struct unit_here unit;
	struct symbol symbol;
	Dwarf_Die die;

	if (!m || !m->is_exe)
		return false;
	/* Parts of it may have symbols of their own. */
	if (symbol_unit_at(s, pc, &unit) && cu_function_at(unit.cu, pc - unit.bias, &die))
		return (cu_is_fortran(unit.cu) && die_is_main_program(&die)) ||
		       text_same(die_name(&die, cu_spans(unit.cu)), "main");
	return symbol_at(s, pc, &symbol) && !strcmp(symbol.name, "main");
}

/* ---- around an address -------------------------------------------------------------------- */

struct line_search {
	struct line_table *table;
	const char *file;
	int line;
	bool found;
};

static bool find_line(void *context, const struct line_row *row)
{
	struct line_search *s = context;

	s->found = row->line == s->line && text_same(line_table_file(s->table, row->file), s->file);
	return !s->found;
}

bool places_have_line(struct symbol_table *s, taddr pc, const char *file, int line)
{
	struct unit_here unit;
	struct line_search search = { .file = file, .line = line };

	search.table = symbol_unit_at(s, pc, &unit) ? cu_lines(unit.cu) : NULL;
	if (search.table)
		line_table_rows(search.table, find_line, &search);
	return search.found;
}

bool places_line_range(struct symbol_table *s, taddr pc, struct line_range *ret)
{
	struct unit_here unit;
	taddr end;

	if (!symbol_unit_at(s, pc, &unit) || !cu_rows(unit.cu))
		return false;
	const struct unit_row *row = unit_lines_at(cu_rows(unit.cu), pc - unit.bias, &end);
	if (!row)
		return false;
	*ret = (struct line_range){
		.start = row->addr + unit.bias,
		.end = end + unit.bias,
		.file = line_table_file(cu_lines(unit.cu), row->file),
		.line = row->line,
		.begins = row->addr + unit.bias == pc,
		.is_start = row->addr + unit.bias == pc && row->is_stmt,
	};
	return true;
}

/* Whether addr is in the block, too. */
static bool is_in(struct cu *cu, taddr addr, const struct cu_block *block)
{
	struct cu_block blocks[CU_BLOCKS_MAX];
	size_t n = cu_blocks(cu, addr, blocks), i = 0;

	while (i < n && blocks[i].id != block->id)
		i++;
	return i < n;
}

static bool begins(struct cu *cu, taddr addr, const struct cu_block *b)
{
	if (b->kind != CU_BLOCK_INLINED)
		return false;
	return b->entry == addr || (b->start == addr && !is_in(cu, addr - 1, b));
}

static struct code_block block_of(const struct cu_block *b, taddr bias)
{
	return (struct code_block){
		.function = b->function,
		.start = b->start + bias,
		.end = b->end + bias,
		.entry = b->entry ? b->entry + bias : 0,
		.inlined = b->kind == CU_BLOCK_INLINED,
		.call_file = b->call_file,
		.call_line = b->call_line,
	};
}

/* A function of which the symbol table alone tells. */
static size_t block_of_symbol(struct symbol_table *s, taddr pc, struct code_block *ret)
{
	struct symbol symbol;

	if (!symbol_at(s, pc, &symbol) || !symbol.function || pc - symbol.addr >= symbol.size)
		return 0;
	*ret = (struct code_block){
		.function = symbol.name,
		.start = symbol.addr,
		.end = symbol.addr + symbol.size,
		.entry = symbol.addr,
	};
	return 1;
}

size_t places_blocks(struct symbol_table *s, taddr pc, struct code_block ret[CODE_BLOCKS_MAX])
{
	struct cu_block blocks[CU_BLOCKS_MAX];
	struct unit_here unit;
	size_t all = symbol_unit_at(s, pc, &unit) ? cu_blocks(unit.cu, pc - unit.bias, blocks) : 0;
	size_t n = 0;

	for (size_t i = 0; i < all && n < CODE_BLOCKS_MAX; i++) {
		if (blocks[i].kind == CU_BLOCK_LEXICAL)
			continue;
		ret[n] = block_of(&blocks[i], unit.bias);
		ret[n++].begins = begins(unit.cu, pc - unit.bias, &blocks[i]);
	}
	return n ? n : block_of_symbol(s, pc, ret);
}

size_t places_calls(const struct code_block *blocks, size_t n)
{
	size_t calls = 0;

	while (calls < n && blocks[calls].begins)
		calls++;
	return calls;
}
