/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/region_block.h"

#include <string.h>

#include "debugger/values/passed.h"
#include "debugger/values/source_around.h"
#include "ompd/picture/runtime.h"
#include "ompd/runtimes.h"
#include "target/code/call_site.h"
#include "target/symbols/source_unit.h"

/* How code is called by the entry that a call leads to. NULL: it begins no region. */
static const struct user_call *find_entry(struct session *s, taddr target)
{
	const struct user_call *call = NULL;
	struct runtime_list runtimes;
	struct error *err = runtime_list_read(runtimes_known, s->modules, s->symbols, &runtimes);

	if (err) {
		error_ignore(err);
		return NULL;
	}
	const struct runtime *r = runtime_at(&runtimes, target);
	if (r)
		call = runtime_user_call(r->ops, runtime_function_at(&runtimes, r, target));
	runtime_list_fini(&runtimes);
	return call && call->function && call->data &&
			       (call->calls == SPAN_PARALLEL || call->calls == SPAN_TEAMS)
		       ? call
		       : NULL;
}

/*
 * Where a variable of the scope's function is that is passed in the structure at "block" to code of
 * a construct that begins there. gcc does not describe what is in the structure if there is a
 * pointer to an array of a variable length: then the construct's own variable tells.
 */
static bool find_place(const struct scope *s, const struct variable *variable, taddr function,
		       taddr block, taddr *ret)
{
	struct variables *all = s->session->variables;
	struct variable pointer, its;
	size_t n = 0;

	if (!variables_find_unnamed(all, function, SIZE_MAX, &pointer) || !pointer.type ||
	    !type_is_pointer(pointer.type))
		return false;
	const struct type *t = type_strip(pointer.type)->target;
	const struct type_member *m = t ? passed_member(t, variable->name) : NULL;
	if (m) {
		*ret = block + m->offset;
		return !passed_is_address(m->type, variable->type);
	}
	if (t)
		type_members(type_strip(t), &n);
	return t && !n && variables_find_local(all, function, SIZE_MAX, variable->name, &its) &&
	       variable_line(&its) == variable_line(variable) && its.type &&
	       !passed_is_address(its.type, variable->type) &&
	       variables_behind(&pointer, &its, s->session->target, block, ret);
}

static bool is_innermost(const struct scope *s, const struct variable *variable)
{
	struct variable found;

	return variable->name &&
	       variables_find_local(s->session->variables, scope_lookup_pc(s), s->level,
				    variable->name, &found) &&
	       variable_is_same(&found, variable);
}

/*
 * The clauses say that the region has copies: then the original is left alone, unless something
 * comes back to it.
 */
static bool stays(const struct scope *s, const struct variable *variable)
{
	const unsigned int copies = 1 << SHARING_FIRSTPRIVATE | 1 << SHARING_LASTPRIVATE;
	const struct source_frame *levels;
	AUTO_CONSTRUCTS around = { 0 };
	unsigned int sharing = 0;
	const char *modifier;
	bool known;
	size_t n = 0;

	error_ignore(symbol_locate(s->session->symbols, scope_lookup_pc(s), &levels, &n));
	if (!n)
		return false;
	error_ignore(source_around(s->session, levels[0].file, levels[0].line, &around, &known));
	vec_for_each (c, &around.items) {
		if (!sharing && c->line == levels[0].line)
			sharing = directive_sharing(&c->directive, variable->name, around.fortran,
						    &modifier);
	}
	/* gcc copies what is both into the structure, and back. */
	return sharing & copies && (sharing & copies) != copies;
}

bool region_block_find(const struct scope *s, const struct variable *variable, taddr *ret)
{
	struct source_unit unit;
	taddr function, block;

	if (!s->thread || s->exact || s->level || !s->registers || !variable->type ||
	    !source_unit_at(s->session->symbols, scope_lookup_pc(s), &unit) || !unit.producer ||
	    strncmp(unit.producer, "GNU ", 4) != 0 || !strstr(unit.producer, "-fopenmp"))
		return false;
	struct call_sites *calls = session_calls(s->session);
	const struct call_site site =
		calls ? call_site_before(calls, s->pc) : (struct call_site){ 0 };
	const struct user_call *call = site.target ? find_entry(s->session, site.target) : NULL;
	if (!call ||
	    !call_site_passed(calls, s->pc, call->function - 1, s->registers, s->known, &function))
		return false;
	return is_innermost(s, variable) &&
	       call_site_passed(calls, s->pc, call->data - 1, s->registers, s->known, &block) &&
	       find_place(s, variable, function, block, ret) && !stays(s, variable);
}
