/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_layout.h"

#include <string.h>

#include "debugger/values/casts.h"
#include "ompd/enclosing.h"

/* Arrays of 16 bytes and more are aligned to that as variables, on x86-64. */
enum { LARGE_ARRAY = 16, ITEMS_MAX = 256 };

void task_layout_fini(struct task_layout *l)
{
	free(l->items);
}

/* The structure of the copies, and where that is in kmp_task_t. NULL: there is none. */
static const struct type *find_copies(struct session *s, taddr function, uint64_t *ret_offset)
{
	struct variable f;
	size_t n = 0;

	if (!variables_function(s->variables, function, SIZE_MAX, &f) || !f.type ||
	    f.type->nparameters < 2 || !type_is_pointer(f.type->parameters[1]))
		return NULL;
	const struct type *task = type_strip(f.type->parameters[1])->target;
	task = task ? type_strip(task) : NULL;
	const struct type_member *members =
		task && task->name && !strcmp(task->name, "kmp_task_t_with_privates")
			? type_members(task, &n)
			: NULL;
	for (size_t i = 0; i < n; i++) {
		const struct type *t = type_strip(members[i].type);
		*ret_offset = members[i].offset;
		if (t->name && !strcmp(t->name, ".kmp_privates.t"))
			return t;
	}
	return NULL;
}

static uint64_t sort_key(const struct type *t)
{
	uint64_t natural = casts_alignment(t);
	bool large = type_strip(t)->kind == TYPE_ARRAY && type_size(t) >= LARGE_ARRAY;

	return large && natural < LARGE_ARRAY ? LARGE_ARRAY : natural;
}

/* Offsets of items from "first" on, in one structure. Returns its size; 0: it cannot be. */
static uint64_t lay_out(const struct task_layout *l, size_t first, uint64_t *offsets)
{
	uint64_t end = 0, most = 1;

	for (uint64_t key = 1 << 12; key; key /= 2) {
		for (size_t i = first; i < l->len; i++) {
			const struct type *t = l->items[i].type;
			const uint64_t align = casts_alignment(t);
			if (sort_key(t) != key)
				continue;
			if (!type_size(t) || type_is_dynamic(t))
				return 0;
			end = (end + align - 1) / align * align;
			offsets[i] = end;
			end += type_size(t);
			most = align > most ? align : most;
		}
	}
	return (end + most - 1) / most * most;
}

/* Those of its members that DWARF tells of must be there. */
static bool fits(const struct task_layout *l, size_t first, const uint64_t *offsets,
		 const struct type *copies)
{
	size_t n = 0;
	const struct type_member *members = type_members(copies, &n);

	for (size_t m = 0; m < n; m++) {
		bool found = false;
		for (size_t i = first; i < l->len && !found; i++)
			found = offsets[i] == members[m].offset &&
				type_strip(l->items[i].type) == type_strip(members[m].type);
		if (!found)
			return false;
	}
	return true;
}

/* What the clauses of the task's directive say of each, in bits by enum sharing. */
static void read_clauses(struct session *s, taddr function, const struct task_layout *l,
			 unsigned int *ret)
{
	const struct source_frame *levels;
	AUTO_CONSTRUCTS around = { 0 };
	const char *modifier;
	size_t n = 0;

	error_ignore(symbol_locate(s->symbols, function, &levels, &n));
	const struct buf *text =
		n && levels[0].file ? source_cache_get(s->sources, levels[0].file) : NULL;
	if (text)
		error_ignore(enclosing_find(buf_text(text), text->len,
					    enclosing_form(levels[0].file), levels[0].line,
					    &around));
	if (!around.items.len || !(around.items.items[0].directive.parts & DIRECTIVE_TASK))
		return;
	for (size_t i = 0; i < l->len; i++)
		ret[i] = directive_sharing(&around.items.items[0].directive, l->items[i].name,
					   around.fortran, &modifier);
}

static bool contradicts(const struct task_layout *l, size_t first, const unsigned int *clauses)
{
	const unsigned int shared = 1 << SHARING_SHARED;

	for (size_t i = 0; i < l->len; i++) {
		if (clauses[i] && (i < first) != !!(clauses[i] & shared))
			return true;
	}
	return false;
}

/*
 * What is shared comes first, if it is named at all; how many those are is what has to fit, and
 * must not contradict clauses. Where more than one number does, only what is the same by all is
 * known.
 */
static void settle(struct task_layout *l, const unsigned int *clauses, const struct type *copies,
		   uint64_t base)
{
	const size_t most = l->shared_size / sizeof(taddr);
	uint64_t offsets[ITEMS_MAX];
	bool any = false;

	for (size_t first = 0; first <= l->len && first <= most; first++) {
		if (lay_out(l, first, offsets) != copies->size ||
		    !fits(l, first, offsets, copies) || contradicts(l, first, clauses))
			continue;
		for (size_t i = 0; i < l->len; i++) {
			struct task_layout_item *item = &l->items[i];
			bool shared = i < first;
			if (!any)
				*item = (struct task_layout_item){
					item->name, item->type, shared ? 0 : base + offsets[i],
					shared,     !shared,
				};
			else if (shared != item->shared ||
				 (!shared && item->offset != base + offsets[i]))
				item->known = item->shared = false;
		}
		any = true;
	}
}

struct error *task_layout_read(struct session *s, taddr function, struct task_layout *ret)
{
	struct variable_list all = { 0 };
	uint64_t base = 0;
	struct error *err = variables_inlined(s->variables, function, "omp_outlined", &all);

	ret->items = calloc(all.len + 1, sizeof(*ret->items));
	if (!ret->items)
		err = &error_nomem;
	vec_for_each (v, &all) {
		const struct type *t = v->type ? type_strip(v->type) : NULL;
		if (err || !v->name || !t)
			continue;
		if (v->argument && !strcmp(v->name, "__context") && type_is_pointer(t) && t->target)
			ret->shared_size = type_size(t->target);
		if (v->argument || v->internal || ret->len == ITEMS_MAX)
			continue;
		ret->items[ret->len++] = (struct task_layout_item){
			.name = v->name,
			.type = t->kind == TYPE_REFERENCE && t->target ? t->target : v->type,
		};
	}
	vec_fini(&all);
	const struct type *copies = err ? NULL : find_copies(s, function, &base);
	if (copies) {
		unsigned int clauses[ITEMS_MAX] = { 0 };
		read_clauses(s, function, ret, clauses);
		settle(ret, clauses, copies, base);
	}
	for (size_t i = 0; !err && !copies && i < ret->len; i++)
		ret->items[i].shared = true;
	return err;
}
