/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_layout.h"

#include <string.h>

#include "debugger/values/casts.h"
#include "debugger/values/source_around.h"

/* Arrays of 16 bytes and more are aligned to that as variables, on x86-64. */
enum { LARGE_ARRAY = 16, ITEMS_MAX = 256, UNNAMED_MAX = 10 };

void task_layout_fini(struct task_layout *l)
{
	free(l->items);
}

/* The structure of the copies. */
struct copies {
	const struct type *type; /* NULL: in C++ DWARF only declares it           */
	uint64_t offset;         /* in kmp_task_t; without a type before it is aligned */
};

/* false: there are none. */
static bool find_copies(struct session *s, taddr function, bool is_loop, struct copies *ret)
{
	/* sizeof(kmp_task_t): that of a taskloop has five members more. */
	enum { TASK_SIZE = 40, LOOP_SIZE = 80 };
	struct variable f;
	size_t n = 0;

	if (!variables_function(s->variables, function, SIZE_MAX, &f) || !f.type ||
	    f.type->nparameters < 2 || !type_is_pointer(f.type->parameters[1]))
		return false;
	const struct type *task = type_strip(f.type->parameters[1])->target;
	task = task ? type_strip(task) : NULL;
	if (!task || !task->name || strcmp(task->name, "kmp_task_t_with_privates") != 0)
		return false;
	const struct type_member *members = type_members(task, &n);
	for (size_t i = 0; i < n; i++) {
		ret->type = type_strip(members[i].type);
		ret->offset = members[i].offset;
		if (ret->type->name && !strcmp(ret->type->name, ".kmp_privates.t"))
			return true;
	}
	*ret = (struct copies){ .offset = is_loop ? LOOP_SIZE : TASK_SIZE };
	return !n;
}

static uint64_t round_up(uint64_t n, uint64_t to)
{
	return (n + to - 1) / to * to;
}

/*
 * References are sorted as pointers, and laid out as what they refer to (ASTContext.cpp:
 * getDeclAlign()).
 */
static struct task_layout_item make_item(const struct variable *v)
{
	const uint64_t wanted = variable_alignment(v);
	const struct type *t = type_strip(v->type);
	const bool is_reference = t->kind == TYPE_REFERENCE && t->target;
	const bool refers = is_reference || v->refers;
	struct task_layout_item made = { .name = v->name,
					 .type = is_reference ? t->target : v->type };

	made.align = casts_alignment(made.type);
	if (wanted > made.align)
		made.align = wanted;
	made.key = refers && !wanted ? sizeof(taddr) : made.align;
	if (type_strip(made.type)->kind == TYPE_ARRAY && type_size(made.type) >= LARGE_ARRAY &&
	    made.key < LARGE_ARRAY && !refers)
		made.key = LARGE_ARRAY;
	return made;
}

/* Which items are taken to be shared: they have no copies. */
struct guess {
	bool shared[ITEMS_MAX];
};

static bool is_copy(const struct guess *g, size_t i)
{
	return !g->shared[i];
}

/* Offsets of copies in kmp_task_t; false: they do not fill it. */
static bool lay_out(const struct task_layout *l, const struct guess *g, const struct copies *copies,
		    uint64_t *offsets)
{
	uint64_t end = 0, most = 1;

	memset(offsets, 0, l->len * sizeof(*offsets));
	for (uint64_t key = 1 << 12; key; key /= 2) {
		for (size_t i = 0; i < l->len; i++) {
			const struct type *t = l->items[i].type;
			const uint64_t align = l->items[i].align;
			if (l->items[i].key != key || !is_copy(g, i))
				continue;
			if (!type_size(t) || type_is_dynamic(t))
				return false;
			end = round_up(end, align);
			offsets[i] = end;
			end += type_size(t);
			most = align > most ? align : most;
		}
	}
	end = round_up(end, most);
	const uint64_t base = round_up(copies->offset, most);
	for (size_t i = 0; i < l->len; i++)
		offsets[i] += base;
	return copies->type ? end == copies->type->size
			    : end && round_up(base + end, most < 8 ? 8 : most) == l->own_size;
}

/* Those of its members that DWARF tells of must be there. */
static bool fits(const struct task_layout *l, const struct guess *g, const uint64_t *offsets,
		 const struct copies *copies)
{
	size_t n = 0;
	const struct type_member *members = copies->type ? type_members(copies->type, &n) : NULL;

	for (size_t m = 0; m < n; m++) {
		bool found = false;
		for (size_t i = 0; i < l->len && !found; i++)
			found = is_copy(g, i) && offsets[i] == copies->offset + members[m].offset &&
				type_strip(l->items[i].type) == type_strip(members[m].type);
		if (!found)
			return false;
	}
	return true;
}

/* The constructs around the task's code; the first one is the task's. false: not known. */
static bool find_task(struct session *s, taddr function, struct constructs *ret)
{
	const struct source_frame *levels;
	size_t n = 0;
	bool known;

	error_ignore(symbol_locate(s->symbols, function, &levels, &n));
	if (n)
		error_ignore(source_around(s, levels[0].file, levels[0].line, ret, &known));
	return ret->items.len && ret->items.items[0].directive.parts & DIRECTIVE_TASK;
}

/* What the clauses of the task's directive say of each, in bits by enum sharing. */
static void read_clauses(const struct constructs *around, const struct task_layout *l,
			 unsigned int *ret)
{
	const char *modifier;

	for (size_t i = 0; i < l->len; i++)
		ret[i] = directive_sharing(&around->items.items[0].directive, l->items[i].name,
					   around->fortran, &modifier);
}

/* The variables of a taskloop's loops are those of its code, unless a clause names them. */
static bool is_counter(const struct construct *loop, const char *name, bool fortran)
{
	const char *modifier;
	bool its = false;

	vec_for_each (one, &loop->loops)
		its |= one->variable && !strcmp(one->variable, name);
	return its && !directive_sharing(&loop->directive, name, fortran, &modifier);
}

/* Puts them behind the others. */
static void part_counters(struct task_layout *l, const struct constructs *around)
{
	const size_t all = l->len;

	for (size_t i = 0; i < l->len;) {
		const struct task_layout_item item = l->items[i];
		if (!is_counter(&around->items.items[0], item.name, around->fortran)) {
			i++;
			continue;
		}
		memmove(&l->items[i], &l->items[i + 1], (all - i - 1) * sizeof(item));
		l->items[all - 1] = item;
		l->len--;
		l->counters++;
	}
}

static bool contradicts(const struct task_layout *l, const struct guess *g,
			const unsigned int *clauses)
{
	const unsigned int shared = 1 << SHARING_SHARED;

	for (size_t i = 0; i < l->len; i++) {
		if (clauses[i] && is_copy(g, i) == !!(clauses[i] & shared))
			return true;
	}
	return false;
}

static void take(struct task_layout *l, const struct guess *g, const uint64_t *offsets, bool any)
{
	for (size_t i = 0; i < l->len; i++) {
		struct task_layout_item *item = &l->items[i];
		bool shared = !is_copy(g, i);
		bool differs = shared != item->shared || (!shared && item->offset != offsets[i]);
		if (!any) {
			item->shared = shared;
			item->known = !shared;
			item->offset = shared ? 0 : offsets[i];
		} else if (differs)
			item->known = item->shared = false;
	}
}

static void attempt(struct task_layout *l, const struct guess *g, const unsigned int *clauses,
		    const struct copies *copies, bool *any)
{
	uint64_t offsets[ITEMS_MAX];

	if (!lay_out(l, g, copies, offsets) || !fits(l, g, offsets, copies) ||
	    contradicts(l, g, clauses))
		return;
	take(l, g, offsets, *any);
	*any = true;
}

/*
 * What is shared comes first, or (from clang 17 on) last, if it is named at all; how many those
 * are is what has to fit, and must not contradict clauses. Where more than one number does, only
 * what is the same by all is known.
 */
static void settle(struct task_layout *l, const unsigned int *clauses, const struct copies *copies,
		   bool shared_first)
{
	const size_t most = l->shared_size / sizeof(taddr);
	struct guess g = { 0 };
	bool any = false;

	for (size_t n = 0; n <= l->len && n <= most; n++) {
		if (n)
			g.shared[shared_first ? n - 1 : l->len - n] = true;
		attempt(l, &g, clauses, copies, &any);
	}
}

/* What lies behind two items that are sorted alike does not hang on which of them comes first. */
static bool is_regular(const struct task_layout *l)
{
	for (size_t i = 0; i < l->len; i++) {
		const struct task_layout_item *item = &l->items[i];
		size_t alike = 0;
		for (size_t k = 0; k < l->len; k++)
			alike += l->items[k].key == item->key;
		if (alike > 1 && (item->align != item->key || type_size(item->type) % item->key))
			return false;
	}
	return true;
}

/* The same without an order: any of what no clause names may be shared. */
static void settle_unordered(struct task_layout *l, const unsigned int *clauses,
			     const struct copies *copies)
{
	const size_t most = l->shared_size / sizeof(taddr);
	const unsigned int shared = 1 << SHARING_SHARED;
	size_t open[UNNAMED_MAX], n = 0, named = 0;
	bool any = false;

	if (!is_regular(l))
		return;
	for (size_t i = 0; i < l->len; i++) {
		named += !!(clauses[i] & shared);
		if (!clauses[i] && n == UNNAMED_MAX)
			return;
		if (!clauses[i])
			open[n++] = i;
	}
	for (unsigned int set = 0; set < 1U << n; set++) {
		struct guess g = { 0 };
		for (size_t i = 0; i < l->len; i++)
			g.shared[i] = clauses[i] & shared;
		for (size_t i = 0; i < n; i++)
			g.shared[open[i]] = set >> i & 1;
		if (named + (size_t)__builtin_popcount(set) <= most)
			attempt(l, &g, clauses, copies, &any);
	}
}

/* Nothing tells which of several of one alignment comes first. */
static void forget_alike(struct task_layout *l)
{
	for (size_t i = 0; i < l->len; i++) {
		for (size_t k = 0; k < l->len; k++)
			l->items[i].known &=
				k == i || l->items[k].shared || l->items[k].key != l->items[i].key;
	}
}

/* How the block is parted: behind kmp_task_t and the copies is what "arguments" points to. */
static void measure(const struct task_data *task, struct task_layout *ret)
{
	const uint64_t own = task->arguments ? task->arguments - task->block : task->block_size;

	if (own > task->block_size)
		return;
	ret->own_size = own;
	ret->shared_size = task->block_size - own;
}

struct error *task_layout_read(struct session *s, const struct task_data *task,
			       struct task_layout *ret)
{
	struct variable_list all = { 0 };
	struct copies copies = { 0 };
	bool is_loop = false;
	enum variables_order order = VARIABLES_AS_MADE;
	struct error *err =
		variables_inlined(s->variables, task->function, "omp_outlined", &all, &order);

	ret->items = calloc(all.len + 1, sizeof(*ret->items));
	if (!ret->items)
		err = &error_nomem;
	vec_for_each (v, &all) {
		if (err || !v->name || !v->type)
			continue;
		is_loop |= !strcmp(v->name, ".lb.");
		if (v->argument || v->internal || ret->len == ITEMS_MAX)
			continue;
		ret->items[ret->len++] = make_item(v);
	}
	vec_fini(&all);
	if (err)
		return err;
	measure(task, ret);
	AUTO_CONSTRUCTS around = { 0 };
	const bool is_known = find_task(s, task->function, &around);
	if (is_known && is_loop)
		part_counters(ret, &around);
	bool has_copies = find_copies(s, task->function, is_loop, &copies);
	if (has_copies && (is_known || !is_loop)) {
		unsigned int clauses[ITEMS_MAX] = { 0 };
		if (is_known)
			read_clauses(&around, ret, clauses);
		if (order == VARIABLES_IN_NO_ORDER) {
			settle_unordered(ret, clauses, &copies);
			forget_alike(ret);
		} else {
			settle(ret, clauses, &copies, order == VARIABLES_AS_MADE);
		}
	}
	for (size_t i = 0; !has_copies && i < ret->len; i++)
		ret->items[i].shared = true;
	return NULL;
}
