/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/ifunc.h"

#include <elf.h>
#include <string.h>

#include "base/map.h"
#include "target/modules/exports.h"
#include "target/symbols/symbol_parts.h"

struct search {
	struct symbol_table *symbols;
	struct module *owner; /* of the resolver */
	const char *name;
	taddr resolver;
	struct module *module; /* whose slots are looked at */
	taddr chosen;
};

/* Where the dynamic linker is called, as long as a slot is not bound. */
static bool is_in_stubs(const struct search *s, taddr addr)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };
	struct debuginfo *d = symbol_files(s->symbols, s->owner);

	for (size_t i = 0; d && i < sizeof(sections) / sizeof(*sections); i++) {
		taddr start;
		uint64_t size;
		if (debuginfo_section(d, sections[i], &start, &size) && addr - start < size)
			return true;
	}
	return false;
}

/* Code of the resolver's own module, which is neither the resolver nor a way to it. */
static bool may_be_chosen(const struct search *s, taddr addr)
{
	struct module_list *list = symbol_modules(s->symbols);
	const struct map *map = map_list_find(&list->maps, addr);

	return addr != s->resolver && module_at(list, addr) == s->owner && map &&
	       map->flags & (MAP_EXEC | MAP_NO_FLAGS) && !is_in_stubs(s, addr);
}

static bool look_at_slot(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	struct search *s = context;
	uint64_t value = 0;
	bool own = type == R_X86_64_IRELATIVE && s->module == s->owner &&
		   (taddr)addend + s->owner->bias == s->resolver;
	bool named = (type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
		      (type == R_X86_64_64 && !addend)) &&
		     !strcmp(name, s->name);

	if (!own && !named)
		return true;
	error_ignore(
		target_read_uint(symbol_modules(s->symbols)->target, slot, sizeof(value), &value));
	if (may_be_chosen(s, value))
		s->chosen = value;
	return !s->chosen;
}

taddr ifunc_chosen(struct symbol_table *s, struct module *m, const char *name, taddr resolver)
{
	struct module_list *list = symbol_modules(s);
	struct search search = { s, m, name, resolver, NULL, 0 };
	const struct map_item *known = map_find(symbol_chosen(s), resolver);

	if (known && may_be_chosen(&search, (taddr)known->number))
		return (taddr)known->number;
	for (size_t i = 0; i < list->len && !search.chosen; i++) {
		struct exports *exports = NULL;
		search.module = list->items[i];
		struct error *err =
			exports_read(list->target, search.module, &list->budget, &exports);
		if (!err)
			err = exports_relocations(exports, look_at_slot, &search);
		error_ignore(err); /* one without relocations calls nobody */
		exports_free(exports);
	}
	return search.chosen;
}

void ifunc_note(struct symbol_table *s, taddr resolver, taddr chosen)
{
	struct map_item *item = map_add(symbol_chosen(s), resolver);

	if (item)
		item->number = (int64_t)chosen;
}

void ifunc_forget(struct symbol_table *s)
{
	map_fini(symbol_chosen(s));
}
