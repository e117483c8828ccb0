/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/place_names.h"

#include <inttypes.h>

#include "debugger/values/reach.h"
#include "debugger/values/value.h"

static bool is_at(const struct scope *s, const char *name, taddr addr)
{
	struct variable v;
	struct value value;

	if (!variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, name, &v))
		return false;
	struct error *err = value_of_variable(s, &v, &value);
	if (!err && !value.missing)
		err = reach_settle(s, &value, false);
	const bool found = !err && !value.missing && value.place == VALUE_MEMORY;
	error_ignore(err);
	return found && value.addr == addr;
}

struct error *place_names_add(const struct scope *s, taddr addr, struct buf *out)
{
	struct variable_list all = { 0 };
	struct symbol symbol;
	const char *name = NULL;

	if (addr && symbol_at(s->session->symbols, addr, &symbol) && !symbol.function) {
		buf_adds(out, symbol.name);
		if (addr != symbol.addr)
			buf_addf(out, "+0x%" PRIx64, addr - symbol.addr);
		return NULL;
	}
	struct error *err =
		variables_in_scope(s->session->variables, scope_lookup_pc(s), s->level, &all);
	vec_for_each (v, &all) {
		if (!err && !name && v->name && !v->internal && is_at(s, v->name, addr))
			name = v->name;
	}
	if (name)
		buf_adds(out, name);
	else
		buf_addf(out, "0x%" PRIx64, addr);
	vec_fini(&all);
	return err;
}
