/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/die_lists.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* An entry that others lie in. */
struct holder {
	Dwarf_Die die;
	const void *end; /* the next entry beside it; NULL: there is none, or it is not known yet */
};

/* The entries below one, as far as they have been walked. */
struct list {
	VEC(struct holder) holders;
	Dwarf_Die last;
	bool ended;
};

enum { LISTS_MAX = 1 << 16 }; /* remembered of one file */

static void free_list(struct list *list)
{
	vec_fini(&list->holders);
	free(list);
}

void die_lists_fini(struct die_lists *l)
{
	map_for_each (item, &l->of)
		free_list(item->pointer);
	map_fini(&l->of);
	*l = (struct die_lists){ 0 };
}

/* The list below an entry; NULL: it has none, or memory is out. */
static struct list *list_below(struct die_lists *l, Dwarf_Die *outer)
{
	struct map_item *item = map_add(&l->of, map_key(outer->addr));
	struct list *list = item ? item->pointer : NULL;

	if (!item || list)
		return list;
	list = calloc(1, sizeof(*list));
	if (list && dwarf_child(outer, &list->last) != 0)
		list->ended = true;
	item->pointer = list;
	return list;
}

/* Whether an entry comes behind another one of its file. */
static bool is_behind(const void *entry, const void *other)
{
	return (uintptr_t)entry > (uintptr_t)other;
}

/* To the entry beside the last one; what leads back ends the list. */
static bool walk(struct list *list)
{
	Dwarf_Die next;
	bool holds = dwarf_haschildren(&list->last) > 0;

	list->ended =
		dwarf_siblingof(&list->last, &next) != 0 || !is_behind(next.addr, list->last.addr);
	struct holder h = { list->last, list->ended ? NULL : next.addr };
	if (!list->ended)
		list->last = next;
	return !holds || vec_push(&list->holders, h);
}

/* The entry of a list that another one lies in. */
static const struct holder *holder_of(struct list *list, const void *entry)
{
	size_t low = 0, high;

	while (!list->ended && !is_behind(list->last.addr, entry)) {
		if (!walk(list))
			return NULL;
	}
	for (high = list->holders.len; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (is_behind(entry, list->holders.items[middle].die.addr))
			low = middle + 1;
		else
			high = middle;
	}
	const struct holder *h = low ? &list->holders.items[low - 1] : NULL;
	return h && (!h->end || is_behind(h->end, entry)) ? h : NULL;
}

static size_t around(struct die_lists *l, Dwarf_Die *die, Dwarf_Die ret[DIE_DEPTH_MAX])
{
	Dwarf_Die outer;
	size_t n = 0;

	if (!dwarf_diecu(die, &outer, NULL, NULL))
		return 0;
	while (n < DIE_DEPTH_MAX) {
		struct list *list = list_below(l, n ? &ret[n - 1] : &outer);
		const struct holder *h = list ? holder_of(list, die->addr) : NULL;
		if (!h)
			break;
		ret[n++] = h->die;
	}
	return n;
}

/* Where what is defined at the top of a unit was declared, as are types in units of their own. */
static bool is_declared(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute its;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_specification, &its), ret);
}

static size_t declared_around(struct die_lists *l, Dwarf_Die *die, Dwarf_Die ret[DIE_DEPTH_MAX])
{
	Dwarf_Die declared, inner[DIE_DEPTH_MAX];
	size_t n = around(l, is_declared(die, &declared) ? &declared : die, ret);

	if (!n || !is_declared(&ret[0], &declared))
		return n;
	memcpy(inner, ret, n * sizeof(*inner));
	size_t more = around(l, &declared, ret);
	n = n < DIE_DEPTH_MAX - more ? n : DIE_DEPTH_MAX - more;
	memcpy(ret + more, inner, n * sizeof(*inner));
	return more + n;
}

size_t die_around(struct die_lists *l, Dwarf_Die *die, Dwarf_Die ret[DIE_DEPTH_MAX])
{
	AUTO(die_lists_fini) struct die_lists once = { 0 };

	if (l && l->of.len >= LISTS_MAX)
		die_lists_fini(l);
	return declared_around(l ? l : &once, die, ret);
}

static void add_scope(Dwarf_Die *scope, const struct dwarf_spans *spans, bool fortran,
		      struct buf *out)
{
	const char *name = die_plain_name(scope, spans);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
		buf_addf(out, "%s::", name ? name : "(anonymous namespace)");
		break;
	case DW_TAG_subprogram:
		out->len = 0;
		if (!fortran)
			break;
		/* fall through */
	case DW_TAG_class_type:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (name)
			buf_addf(out, "%s::", name);
		break;
	default:
		break;
	}
}

void die_add_scopes(struct die_lists *l, Dwarf_Die *die, const struct dwarf_spans *spans,
		    struct buf *out)
{
	Dwarf_Die scopes[DIE_DEPTH_MAX];
	enum die_language language = die_language(die);
	size_t n = language != DIE_LANGUAGE_OTHER ? die_around(l, die, scopes) : 0;

	for (size_t i = 0; i < n; i++)
		add_scope(&scopes[i], spans, language == DIE_LANGUAGE_FORTRAN, out);
}
