/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_accesses.h"

#include <string.h>

#include "base/text.h"
#include "debugger/values/source_around.h"
#include "ompd/outlined.h"

/* The instruction before pc, by the row of the line table that it is in; 0: not known. */
static taddr instruction_before(struct target *t, const struct line_range *row, taddr pc,
				uint8_t *ret_first, struct insn *ret)
{
	enum { LONGEST = 16, ROW_MAX = 4096 };
	taddr at = row->start;

	while (pc - at <= ROW_MAX && at < pc) {
		uint8_t code[LONGEST];
		struct error *err = target_read(t, at, code, sizeof(code));
		if (err || !t->arch->decode(code, sizeof(code), at, ret) || !ret->size) {
			error_ignore(err);
			return 0;
		}
		*ret_first = code[0];
		if (at + ret->size == pc)
			return at;
		at += ret->size;
	}
	return 0;
}

static bool is_atomic(struct target *t, const struct line_range *row, taddr pc)
{
	enum { LOCK = 0xf0 };
	struct insn insn;
	uint8_t first = 0;

	return instruction_before(t, row, pc, &first, &insn) &&
	       (first == LOCK || insn.kind == INSN_EXCHANGE);
}

static bool copy(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return !from || *to;
}

/* As in stop lines: what is inlined by its name, code of a construct by the function around it. */
static char *function_at(struct control *c, taddr pc, const struct line_range *row)
{
	const struct source_place place = { pc, 0, row->file, row->line };
	const char *outlined;

	return outlined_text(c->live->symbols, &place, false, &outlined);
}

static bool is_ordered(struct control *c, const struct source_frame *at)
{
	AUTO_CONSTRUCTS around = { 0 };
	bool known = false, ret = false;
	struct error *err = source_around(c->live, at->file, at->line, &around, &known);

	error_ignore(err);
	if (err || !known)
		return false;
	vec_for_each (construct, &around.items)
		ret |= text_same(construct->directive.name, "ordered");
	return ret;
}

bool team_accesses_ordered(struct control *c, taddr pc)
{
	enum { LEVELS_MAX = 8 };
	const struct source_frame *levels;
	struct source_frame copies[LEVELS_MAX];
	size_t len = 0;
	bool ret = false;
	struct error *err = symbol_locate(c->live->symbols, pc, &levels, &len);

	error_ignore(err);
	len = err ? 0 : len < LEVELS_MAX ? len : LEVELS_MAX;
	for (size_t i = 0; i < len; i++)
		copies[i] = levels[i];
	for (size_t i = 0; i < len && !ret; i++)
		ret = copies[i].file && is_ordered(c, &copies[i]);
	return ret;
}

struct error *team_accesses_note(struct control *c, struct thread *th, struct race_access *made)
{
	struct target *t = c->live->target;
	struct line_range row = { 0 };
	uint64_t pc = 0;
	bool ok = made->what;
	struct error *err = target_get_uint(t, th, t->arch->pc, &pc);

	if (!err && places_line_range(c->live->symbols, pc - 1, &row)) {
		made->line = row.line;
		made->atomic = is_atomic(t, &row, pc);
		ok &= copy(&made->file, row.file);
	}
	if (!err && made->nlocks < RACE_LOCKS_MAX && team_accesses_ordered(c, pc - 1))
		made->locks[made->nlocks++] = (uint64_t)WAIT_ORDERED;
	if (!err)
		made->function = function_at(c, pc - 1, &row);
	if (!err && ok)
		return races_add(&c->races, made);
	free(made->what);
	free(made->file);
	free(made->function);
	return err ? err : &error_nomem;
}
