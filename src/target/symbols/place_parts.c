/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/place_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "base/text.h"
#include "target/symbols/prologue.h"

bool place_is_file(const char *path, const char *file)
{
	size_t path_len = strlen(path), len = strlen(file);

	while (file[0] == '.' && file[1] == '/') {
		file += 2;
		len -= 2;
	}
	return len && len <= path_len && !strcmp(path + path_len - len, file) &&
	       (len == path_len || file[0] == '/' || path[path_len - len - 1] == '/');
}

/* The line of an address, as unit_lines has it. */
static void set_line(struct symbol_table *s, struct code_place *p)
{
	struct unit_here unit;
	taddr end;

	if (!symbol_unit_at(s, p->addr, &unit) || !cu_rows(unit.cu))
		return;
	const struct unit_row *row = unit_lines_at(cu_rows(unit.cu), p->addr - unit.bias, &end);
	p->file = row ? line_table_file(cu_lines(unit.cu), row->file) : NULL;
	p->line = p->file ? row->line : 0;
}

/* A function often begins with calls that were inlined into it. */
static size_t level_of(const struct source_frame *frames, size_t n, const char *function)
{
	size_t found = n - 1;

	if (!function)
		return 0;
	/* The first of several ranges need not be where the call begins (DW_AT_entry_pc). */
	for (size_t i = n; i-- > 0;) {
		bool is_it = text_same(frames[i].function, function);
		if (is_it && (!frames[i].inlined || !frames[i].offset))
			return i;
		if (is_it)
			found = i;
	}
	return found;
}

/* That of the outermost call that is inlined there. */
static void set_call_line(struct symbol_table *s, struct code_place *p)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t n = places_blocks(s, p->addr, blocks);

	if (n < 2 || !blocks[n - 2].call_line)
		return;
	p->file = blocks[n - 2].call_file;
	p->line = blocks[n - 2].call_line;
}

struct error *place_add(struct symbol_table *s, const struct meant_code *meant,
			struct code_places *ret)
{
	const taddr addr = meant->addr;
	struct code_place p = { .addr = addr, .module = module_at(symbol_modules(s), addr) };
	const struct source_frame *frames;
	size_t n = 0;
	struct error *err = symbol_locate(s, addr, &frames, &n);

	if (err)
		return err;
	const struct source_frame *own = &frames[level_of(frames, n, meant->function)];
	const struct source_frame *outer = &frames[n - 1];
	p.function = own->function;
	p.entry = own->function ? addr - own->offset : 0;
	p.inlined = own->inlined;
	taddr end = !meant->exact && outer->function ? prologue_end(s, addr - outer->offset) : 0;
	bool moves = end > addr;
	p.addr = moves ? end : addr;
	set_line(s, &p);
	if (moves)
		set_call_line(s, &p);
	/* Of several lines at one address the one that was asked for is told. */
	else if (meant->file && p.file && place_is_file(p.file, meant->file))
		p.line = meant->line;
	return vec_push(ret, p) ? NULL : &error_nomem;
}

static int by_address(const void *a, const void *b)
{
	const struct code_place *x = a, *y = b;

	return sorted_order(x->addr, y->addr);
}

void places_sort(struct code_places *p)
{
	size_t kept = 0;

	if (p->len)
		qsort(p->items, p->len, sizeof(*p->items), by_address);
	vec_for_each (place, p) {
		if (!kept || p->items[kept - 1].addr != place->addr)
			p->items[kept++] = *place;
	}
	p->len = kept;
}
