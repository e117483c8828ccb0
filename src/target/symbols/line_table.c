/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/line_table.h"

#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "target/modules/ranges.h"

enum {
	MARK_EVERY = 1024, /* rows, or at the next one of another address that has a line */
	STRETCH_MAX = 2 * MARK_EVERY,
};

/* The registers of the machine that runs the program, as far as they matter here. */
struct machine {
	struct cursor code;
	taddr addr;
	uint64_t op_index, file;
	uint32_t line, column;
	uint32_t discriminator;
	bool is_stmt, prologue_end;
	bool discriminated; /* a discriminator was given since the line changed          */
	bool end_sequence;  /* the last row was the end of a sequence: start anew */
};

struct line_table {
	struct line_sections sections;
	struct line_names names;
	uint8_t min_length, max_ops, line_range, opcode_base;
	int8_t line_base;
	bool is_stmt;           /* at first */
	const uint8_t *lengths; /* of the operands of opcodes 1 to opcode_base - 1 */
	struct cursor program;
	struct ranges ranges; /* of addresses; ids are indexes of marks */
	VEC(struct machine) marks;
	bool indexed;
};

/* The length of a unit or of a header: 32 bits, or an escape and 64. */
static uint64_t read_length(struct cursor *c, unsigned int *ret_offset_size)
{
	uint64_t length = cursor_uint(c, 4);

	*ret_offset_size = length == 0xffffffff ? 8 : 4;
	return length == 0xffffffff ? cursor_uint(c, 8) : length;
}

static bool read_header(struct line_table *t, uint64_t offset)
{
	struct cursor c = t->sections.line;

	cursor_take(&c, offset);
	uint64_t unit_length = read_length(&c, &t->names.offset_size);
	if (unit_length < cursor_left(&c))
		c.end = c.p + unit_length;
	t->names.version = (unsigned int)cursor_uint(&c, 2);
	if (t->names.version < 2 || t->names.version > 5)
		return false;
	if (t->names.version >= 5)
		cursor_take(&c, 2); /* sizes of addresses and segment selectors */
	uint64_t header_length = cursor_uint(&c, t->names.offset_size);
	t->program = c;
	cursor_take(&t->program, header_length);
	t->min_length = (uint8_t)cursor_uint(&c, 1);
	t->max_ops = t->names.version >= 4 ? (uint8_t)cursor_uint(&c, 1) : 1;
	t->is_stmt = cursor_uint(&c, 1) != 0;
	t->line_base = (int8_t)cursor_uint(&c, 1);
	t->line_range = (uint8_t)cursor_uint(&c, 1);
	t->opcode_base = (uint8_t)cursor_uint(&c, 1);
	if (c.bad || t->program.bad || !t->max_ops || !t->line_range || !t->opcode_base)
		return false;
	t->lengths = cursor_take(&c, t->opcode_base - 1u);
	line_names_read(&t->names, &c);
	return t->lengths;
}

struct line_table *line_table_new(const struct line_sections *sections, uint64_t offset,
				  const char *directory)
{
	struct line_table *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->sections = *sections;
	t->names.sections = &t->sections;
	t->names.directory = directory;
	if (!read_header(t, offset)) {
		line_table_free(t);
		return NULL;
	}
	return t;
}

void line_table_free(struct line_table *t)
{
	if (!t)
		return;
	line_names_fini(&t->names);
	vec_fini(&t->marks);
	ranges_fini(&t->ranges);
	free(t);
}

static struct machine machine_at_start(const struct line_table *t, const struct cursor *code)
{
	return (struct machine){ .code = *code, .file = 1, .line = 1, .is_stmt = t->is_stmt };
}

static void advance_line(struct machine *m, int64_t lines)
{
	m->line += (uint32_t)lines;
	if (lines)
		m->discriminated = m->discriminator != 0;
}

static void advance(const struct line_table *t, struct machine *m, uint64_t operations)
{
	operations += m->op_index;
	m->addr += t->min_length * (operations / t->max_ops);
	m->op_index = operations % t->max_ops;
}

/* Section 6.2.5.3. true: it made a row. */
static bool run_extended(struct machine *m)
{
	uint64_t len = cursor_uleb128(&m->code);
	struct cursor operands = cursor_of(cursor_take(&m->code, len), len);

	switch (cursor_uint(&operands, 1)) {
	case DW_LNE_end_sequence:
		m->end_sequence = true;
		return !operands.bad;
	case DW_LNE_set_address:
		m->addr = cursor_left(&operands) <= 8
				  ? cursor_uint(&operands, cursor_left(&operands))
				  : 0;
		m->op_index = 0;
		return false;
	case DW_LNE_set_discriminator:
		m->discriminator = (uint32_t)cursor_uleb128(&operands);
		m->discriminated |= m->discriminator != 0;
		return false;
	default:
		return false;
	}
}

/* Section 6.2.5.2. true: it made a row. */
static bool run_standard(const struct line_table *t, struct machine *m, uint8_t opcode)
{
	switch (opcode) {
	case DW_LNS_copy:
		return true;
	case DW_LNS_advance_pc:
		advance(t, m, cursor_uleb128(&m->code));
		return false;
	case DW_LNS_advance_line:
		advance_line(m, cursor_sleb128(&m->code));
		return false;
	case DW_LNS_set_file:
		m->file = cursor_uleb128(&m->code);
		return false;
	case DW_LNS_set_column:
		m->column = (uint32_t)cursor_uleb128(&m->code);
		return false;
	case DW_LNS_negate_stmt:
		m->is_stmt = !m->is_stmt;
		return false;
	case DW_LNS_set_prologue_end:
		m->prologue_end = true;
		return false;
	case DW_LNS_const_add_pc:
		advance(t, m, (255u - t->opcode_base) / t->line_range);
		return false;
	case DW_LNS_fixed_advance_pc:
		m->addr += cursor_uint(&m->code, 2);
		m->op_index = 0;
		return false;
	default: /* flags that are not kept, and opcodes of later versions */
		for (unsigned int i = 0; i < t->lengths[opcode - 1]; i++)
			cursor_uleb128(&m->code);
		return false;
	}
}

/* Runs the program up to its next row. false: there is none. */
static bool next_row(const struct line_table *t, struct machine *m)
{
	if (m->end_sequence)
		*m = machine_at_start(t, &m->code);
	m->discriminator = 0;
	m->prologue_end = false;
	while (cursor_left(&m->code) && !m->code.bad) {
		uint8_t opcode = *m->code.p++;
		bool row;
		if (opcode >= t->opcode_base) {
			uint8_t adjusted = opcode - t->opcode_base;
			advance(t, m, adjusted / t->line_range);
			advance_line(m, t->line_base + adjusted % t->line_range);
			row = true;
		} else if (opcode) {
			row = run_standard(t, m, opcode);
		} else {
			row = run_extended(m);
		}
		if (row)
			return true;
	}
	return false;
}

/*
 * Runs the whole program once and marks the machine at the start of each stretch of rows. A
 * sequence at address 0 belongs to a function that the linker has thrown away.
 */
static void index_rows(struct line_table *t)
{
	struct machine m = machine_at_start(t, &t->program), first = m;
	size_t rows = 0; /* from "first" on */
	taddr last = 0;
	bool dead = false;

	t->indexed = true;
	while (next_row(t, &m)) {
		if (rows == 0) {
			dead = m.addr == 0;
			first = m;
		} else if (m.end_sequence || rows == STRETCH_MAX ||
			   (rows >= MARK_EVERY && m.addr != last && m.line)) {
			if (!dead && (!ranges_add(&t->ranges, first.addr, m.addr, t->marks.len) ||
				      !vec_push(&t->marks, first)))
				return;
			first = m;
			rows = 0;
		}
		last = m.addr;
		rows = m.end_sequence ? 0 : rows + 1;
	}
}

static struct line_row row_of(const struct machine *m)
{
	return (struct line_row){
		.addr = m->addr,
		.file = m->file,
		.line = m->line <= INT_MAX ? (int)m->line : 0,
		.column = m->column <= INT_MAX ? (int)m->column : 0,
		.is_stmt = m->is_stmt,
		.prologue_end = m->prologue_end,
		.discriminated = m->discriminated,
		.end = m->end_sequence,
		.first_file = m->file,
		.first_line = m->line <= INT_MAX ? (int)m->line : 0,
	};
}

/*
 * Whether a row counts rather than one before it, for the same address. At the address itself it
 * does if it is a statement, as in gdb.
 */
static bool counts_at(const struct line_row *row, const struct line_row *before)
{
	return row->is_stmt || !before->is_stmt;
}

/*
 * Within the instruction the last one counts, which made it, be it a statement or not; one of the
 * function's own file before any other.
 */
static bool counts_within(struct line_table *t, const struct line_row *row,
			  const struct line_row *before, const char *own)
{
	return !own || text_same(line_table_file(t, row->file), own) ||
	       !text_same(line_table_file(t, before->file), own);
}

/* Whether a row is of the function's own file; where that is not known, of the unit's first one. */
static bool is_own(struct line_table *t, uint64_t file, const char *own)
{
	return text_same(line_table_file(t, file), own ? own : line_table_file(t, 1));
}

static bool find_from(struct line_table *t, const struct machine *mark, taddr addr, const char *own,
		      struct line_row *ret)
{
	struct machine m = *mark;
	struct line_row found = row_of(&m);

	for (size_t rows = 0; rows <= STRETCH_MAX && !m.end_sequence; rows++) {
		if (!next_row(t, &m))
			return false;
		struct line_row row = row_of(&m);
		if (row.addr > addr && found.addr <= addr) {
			*ret = found;
			return true;
		}
		bool more = row.addr == found.addr && found.line;
		bool counts = !more || (row.addr < addr ? counts_within(t, &row, &found, own)
							: counts_at(&row, &found));
		if (!row.line || !counts)
			continue;
		if (more && (is_own(t, found.first_file, own) || !is_own(t, row.file, own))) {
			row.first_file = found.first_file;
			row.first_line = found.first_line;
		}
		found = row;
	}
	return false;
}

bool line_table_find(struct line_table *t, taddr addr, const char *own, struct line_row *ret)
{
	const struct range *range = NULL;

	if (!t->indexed)
		index_rows(t);
	while ((range = ranges_find(&t->ranges, addr, range))) {
		if (find_from(t, &t->marks.items[range->id], addr, own, ret))
			return true;
	}
	return false;
}

void line_table_rows(struct line_table *t, bool (*found)(void *context, const struct line_row *row),
		     void *context)
{
	struct machine m = machine_at_start(t, &t->program);
	bool first = true, dead = false;

	while (next_row(t, &m)) {
		struct line_row row = row_of(&m);
		dead = first ? m.addr == 0 : dead;
		first = m.end_sequence;
		if (!dead && !found(context, &row))
			return;
	}
}

const char *line_table_file(struct line_table *t, uint64_t file)
{
	return line_names_path(&t->names, file);
}

uint64_t line_table_files(const struct line_table *t)
{
	return line_names_count(&t->names);
}

bool line_table_names(const struct line_table *t, const char *name)
{
	return line_names_have(&t->names, name);
}
