/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/prologue.h"

#include "base/sorted.h"
#include "target/symbols/cu_blocks.h"
#include "target/symbols/first_construct.h"
#include "target/symbols/symbol_parts.h"
#include "target/symbols/thread_number.h"

/* A function that begins somewhere, with what is known of its lines. */
struct function {
	struct symbol_table *symbols;
	struct unit_here unit;   /* cu NULL: none   */
	struct unit_lines *rows; /* NULL: no lines */
	enum cu_maker maker;
	taddr entry, end; /* in the target */
};

/* A row of the lines, in the target's addresses. */
struct row {
	taddr start, end;
	uint32_t file;
	int line; /* 0: there is none */
};

static struct row row_at(const struct function *f, taddr pc)
{
	taddr end = 0;
	const struct unit_row *row =
		f->rows ? unit_lines_at(f->rows, pc - f->unit.bias, &end) : NULL;

	if (!row)
		return (struct row){ .start = pc, .end = pc };
	return (struct row){ row->addr + f->unit.bias, end + f->unit.bias, row->file, row->line };
}

static taddr end_of(const struct function *f)
{
	struct cu_block blocks[CU_BLOCKS_MAX];
	struct symbol symbol;
	size_t n = f->unit.cu ? cu_blocks(f->unit.cu, f->entry - f->unit.bias, blocks) : 0;

	if (n)
		return blocks[n - 1].end + f->unit.bias;
	return symbol_at(f->symbols, f->entry, &symbol) ? symbol.addr + symbol.size : f->entry;
}

/* The first row of the function that is not before addr, of any line. */
static size_t first_row(const struct function *f, taddr addr)
{
	return sorted_count(row, f->rows->items, f->rows->len, row->addr + f->unit.bias < addr);
}

/* What the compiler says, in the file where the function begins. 0: nothing. */
static taddr marked_end(const struct function *f)
{
	struct row start = row_at(f, f->entry);

	for (size_t i = first_row(f, f->entry); start.line && i < f->rows->len; i++) {
		const struct unit_row *row = &f->rows->items[i];
		if (row->addr + f->unit.bias >= f->end)
			break;
		if (row->prologue_end && row->line && row->file == start.file)
			return row->addr + f->unit.bias;
	}
	return 0;
}

/* Two rows for its first instruction: what the source has before the body takes no instruction. */
static bool begins_twice(const struct function *f)
{
	taddr addr = f->entry - f->unit.bias;
	size_t rows = 0;

	for (size_t at = first_row(f, f->entry);
	     at < f->rows->len && f->rows->items[at].addr == addr; at++)
		rows += f->rows->items[at].line != 0;
	return rows > 1;
}

static bool is_inlined(const struct function *f, taddr pc)
{
	struct cu_block blocks[CU_BLOCKS_MAX];
	size_t n = cu_blocks(f->unit.cu, pc - f->unit.bias, blocks);

	for (size_t i = 0; i < n; i++) {
		if (blocks[i].kind == CU_BLOCK_INLINED)
			return true;
	}
	return false;
}

/* gdb's skip_prologue_using_sal(). 0: not known. */
static taddr second_line(const struct function *f)
{
	struct row row = row_at(f, f->entry);

	if (!row.line)
		return 0;
	if (begins_twice(f))
		return f->entry;
	if (row.end >= f->end)
		return 0;
	while (row.end < f->end) {
		struct row next = row_at(f, row.end);
		/* Earlier lines are of code that the optimiser has moved into the prologue. */
		if (!next.line || next.line >= row.line || next.file != row.file ||
		    is_inlined(f, row.end))
			break;
		row = next;
	}
	return row.end < f->end ? row.end : row.start;
}

struct pattern {
	uint8_t bytes[8], mask[8];
	uint8_t len;
};

/* Whether code begins so; what follows it then. */
static bool passes(const uint8_t **code, const uint8_t *end, const struct pattern *p)
{
	if (end - *code < p->len)
		return false;
	for (size_t i = 0; i < p->len; i++) {
		if (((*code)[i] & p->mask[i]) != p->bytes[i])
			return false;
	}
	*code += p->len;
	return true;
}

/* A stack that is made rounder than it comes: lea 8(%rsp),%r10; and $-32,%rsp; push -8(%r10) */
static void pass_alignment(const uint8_t **code, const uint8_t *end)
{
	static const struct pattern push = { { 0x50 }, { 0xf8 }, 1 },
				    lea = { { 0x48, 0x8d, 0x44, 0x24, 0x08 },
					    { 0xfb, 0xff, 0xc7, 0xff, 0xe7 },
					    5 },
				    and8 = { { 0x48, 0x83, 0xe4, 0 }, { 0xff, 0xff, 0xff, 0 }, 4 },
				    and32 = { { 0x48, 0x81, 0xe4 }, { 0xff, 0xff, 0xff }, 7 },
				    copy = { { 0xff, 0x70, 0xf8 }, { 0xff, 0xf8, 0xff }, 3 },
				    copy_r10 = { { 0x41, 0xff, 0x70, 0xf8 },
						 { 0xff, 0xff, 0xf8, 0xff },
						 4 };
	const uint8_t *p = *code;

	passes(&p, end, &push);
	if (passes(&p, end, &lea) && (passes(&p, end, &and8) || passes(&p, end, &and32)) &&
	    (passes(&p, end, &copy) || passes(&p, end, &copy_r10)))
		*code = p;
}

/* gdb's amd64_analyze_prologue(): behind what makes a frame; entry, if there is none. */
static taddr frame_made(const struct function *f)
{
	static const struct pattern endbr = { { 0xf3, 0x0f, 0x1e, 0xfa },
					      { 0xff, 0xff, 0xff, 0xff },
					      4 },
				    push = { { 0x55 }, { 0xff }, 1 },
				    mov = { { 0x48, 0x89, 0xe5 }, { 0xff, 0xff, 0xff }, 3 },
				    mov2 = { { 0x48, 0x8b, 0xec }, { 0xff, 0xff, 0xff }, 3 };
	uint8_t bytes[64];
	const uint8_t *p = bytes;
	struct target *t = symbol_modules(f->symbols)->target;
	size_t len = sizeof(bytes);

	while (len && !memory_try_read(t->memory, f->entry, bytes, len))
		len /= 2;
	const uint8_t *end = bytes + len;
	pass_alignment(&p, end);
	passes(&p, end, &endbr);
	if (passes(&p, end, &push) && (passes(&p, end, &mov) || passes(&p, end, &mov2)))
		return f->entry + (taddr)(p - bytes);
	return f->entry;
}

static struct function function_at(struct symbol_table *s, taddr entry)
{
	struct function ret = { .symbols = s, .entry = entry, .maker = CU_MAKER_OTHER };

	if (symbol_unit_at(s, entry, &ret.unit)) {
		ret.rows = cu_rows(ret.unit.cu);
		ret.maker = cu_maker(ret.unit.cu);
	}
	ret.end = end_of(&ret);
	return ret;
}

/* Behind what clang marks as the body's, though it is none of the source's. */
static taddr body_of(const struct function *f, taddr marked)
{
	const struct target *t = symbol_modules(f->symbols)->target;

	return marked ? thread_number_end(t, marked, row_at(f, marked).end) : 0;
}

bool prologue_has(struct symbol_table *s, taddr entry, taddr addr)
{
	const struct function f = function_at(s, entry);

	return f.rows && marked_end(&f) == addr && body_of(&f, addr) != addr;
}

taddr prologue_end(struct symbol_table *s, taddr entry)
{
	const struct function f = function_at(s, entry);

	if (f.maker == CU_MAKER_GCC_TRACKED || f.maker == CU_MAKER_ASSEMBLER)
		return entry;
	const taddr marked = f.rows ? marked_end(&f) : 0, body = body_of(&f, marked);
	if (body != marked)
		return body;
	taddr after = marked;
	if (!after && f.maker == CU_MAKER_CLANG && f.rows)
		after = second_line(&f);
	if (!after)
		after = frame_made(&f);
	struct row row = row_at(&f, after);
	bool midst = row.line && row.start != after && row.end < f.end;
	if (!midst)
		return after;
	const taddr construct = f.maker == CU_MAKER_GCC ? first_construct(s, after, row.end) : 0;
	return construct ? construct : row.end;
}
