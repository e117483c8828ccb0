/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/captured.h"

#include <string.h>
#include <strings.h>

#include "debugger/values/source_around.h"

static const char not_told[] = "not known: the source does not tell whether this is a copy";

static bool names(const char *name, const char *variable, const char *block)
{
	size_t len = strlen(block);

	return !strcasecmp(name, variable) ||
	       (*name == '/' && !strncasecmp(name + 1, block, len) && name[1 + len] == '/');
}

static bool has_copy(const struct construct *c, const struct variable *v)
{
	const unsigned int copied = 1U << SHARING_PRIVATE | 1U << SHARING_FIRSTPRIVATE |
				    1U << SHARING_LASTPRIVATE | 1U << SHARING_REDUCTION |
				    1U << SHARING_LINEAR;
	bool shared = false;

	vec_for_each (row, &c->directive.rows) {
		bool its = names(row->name, v->name, v->common);
		if (its && copied >> row->sharing & 1)
			return true;
		shared |= its && row->sharing == SHARING_SHARED;
	}
	vec_for_each (loop, &c->loops) {
		if (loop->variable && !strcasecmp(loop->variable, v->name))
			return true;
	}
	vec_for_each (name, &c->sequential) {
		if (!strcasecmp(*name, v->name))
			return true;
	}
	return !shared && c->directive.sharing & copied;
}

/* The constructs around the scope's line. false: that cannot be told, or memory is out. */
static bool find_constructs(const struct scope *s, struct constructs *ret)
{
	const struct source_frame *levels;
	size_t n = 0;

	error_ignore(symbol_locate(s->session->symbols, scope_lookup_pc(s), &levels, &n));
	const struct source_frame *at = s->level < n ? &levels[s->level] : NULL;
	bool known = false;
	struct error *err = at ? source_around(s->session, at->file, at->line, ret, &known) : NULL;
	known &= !err;
	error_ignore(err);
	return known;
}

const char *captured_settle(const struct scope *s, struct variable *variable)
{
	const unsigned int outlined =
		DIRECTIVE_PARALLEL | DIRECTIVE_TASK | DIRECTIVE_TEAMS | DIRECTIVE_TARGET;
	AUTO_CONSTRUCTS around = { 0 };
	bool within = false, copy = false;
	struct variable common;

	if (!variables_find_original(s->session->variables, variable, &common) || !common.common)
		return NULL;
	if (!find_constructs(s, &around))
		return not_told;
	vec_for_each (c, &around.items) {
		within |= (c->directive.parts & outlined) != 0;
		copy |= has_copy(c, &common);
	}
	if (!within)
		return not_told;
	if (!copy)
		*variable = common;
	return NULL;
}
