/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "target/symbols/demangle.h"
#include "target/symbols/symbol_parts.h"

enum { LEVELS_MAX = 1 << 16 }; /* of all locations that are kept */

/* What is known of one module, and hangs on it; each part is made when it is first asked for. */
struct module_symbols {
	struct symtab *symtab; /* owned; NULL: none        */
	struct cu_index *cus;  /* owned; NULL: no DWARF    */
	bool symtab_read, cus_read;
};

/* The answer to one symbol_locate(). */
struct location {
	taddr pc;
	size_t len;
	struct source_frame frames[];
};

struct symbol_table {
	struct hash_map locations;   /* owned: struct location by pc               */
	size_t levels;               /* of all of them                             */
	struct hash_map shown;       /* owned: demangled names by their linkage name's place */
	unsigned long generation;    /* of the modules that both are about         */
	struct hash_map chosen;      /* ifunc.c's                                  */
	struct debuginfo_set *files; /* borrowed */
	struct module_list *list;    /* borrowed */
	bool (*interrupted)(void *context);
	void *interrupt_context;
};

static void free_map(struct hash_map *m)
{
	map_for_each (item, m)
		free(item->pointer);
	map_fini(m);
}

static void forget_locations(struct symbol_table *s)
{
	free_map(&s->locations);
	s->levels = 0;
}

/* What has been kept refers to names in files, which end with their modules. */
static void forget_old(struct symbol_table *s)
{
	if (s->generation == s->list->generation)
		return;
	s->generation = s->list->generation;
	forget_locations(s);
	free_map(&s->shown);
}

struct symbol_table *symbol_table_new(struct debuginfo_set *files)
{
	struct symbol_table *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->files = files;
	s->list = debuginfo_modules(files);
	return s;
}

void symbol_table_free(struct symbol_table *s)
{
	if (!s)
		return;
	forget_locations(s);
	free_map(&s->shown);
	map_fini(&s->chosen);
	free(s);
}

void symbol_table_set_interrupt(struct symbol_table *s, bool (*interrupted)(void *context),
				void *context)
{
	s->interrupted = interrupted;
	s->interrupt_context = context;
}

struct error *symbol_check_interrupt(const struct symbol_table *s)
{
	if (!s->interrupted || !s->interrupted(s->interrupt_context))
		return NULL;
	return error_new(ERROR_GONE, "interrupted");
}

struct module_list *symbol_modules(struct symbol_table *s)
{
	return s->list;
}

struct hash_map *symbol_chosen(struct symbol_table *s)
{
	return &s->chosen;
}

struct debuginfo *symbol_files(struct symbol_table *s, struct module *m)
{
	return debuginfo_get(s->files, m);
}

static void module_symbols_free(void *data)
{
	struct module_symbols *its = data;

	symtab_free(its->symtab);
	cu_index_free(its->cus);
	free(its);
}

/* All addresses in it are those of the file. */
static const struct part_ops part_ops = { module_symbols_free, part_stays };

/* NULL: out of memory. */
static struct module_symbols *symbols_of(struct module *m)
{
	struct module_symbols *its = m->parts[MODULE_SYMBOLS].data;

	if (its)
		return its;
	its = calloc(1, sizeof(*its));
	if (its)
		module_hang(m, MODULE_SYMBOLS, its, &part_ops);
	return its;
}

struct symtab *symbol_symtab(struct symbol_table *s, struct module *m)
{
	struct module_symbols *its = symbols_of(m);
	struct debuginfo_symtab tables[4];

	if (!its || its->symtab_read)
		return its ? its->symtab : NULL;
	its->symtab_read = true;
	struct debuginfo *d = debuginfo_get(s->files, m);
	if (d)
		its->symtab = symtab_new(tables, debuginfo_symtabs(d, tables));
	return its->symtab;
}

struct cu_index *symbol_units(struct symbol_table *s, struct module *m, taddr *ret_bias)
{
	struct module_symbols *its = symbols_of(m);

	if (its && !its->cus_read) {
		its->cus_read = true;
		struct debuginfo *d = debuginfo_get(s->files, m);
		struct Dwarf *dwarf = d ? debuginfo_dwarf(d) : NULL;
		if (dwarf)
			its->cus = cu_index_new(dwarf, debuginfo_dwarf_file(d),
						debuginfo_dwarf_directory(d), s->list->target->root,
						debuginfo_spending(d));
	}
	*ret_bias = m->bias;
	return its ? its->cus : NULL;
}

void symbol_prepare(struct symbol_table *s, struct module *m)
{
	taddr bias;

	symbol_symtab(s, m);
	symbol_units(s, m, &bias);
}

static struct symbol symbol_of(const struct symtab_entry *e, struct module *m)
{
	return (struct symbol){
		.name = e->name,
		.addr = e->addr + m->bias,
		.size = e->size,
		.module = m,
		.function = e->function,
		.global = e->global,
		.resolver = e->resolver,
	};
}

/* Data behind the end of the file (.bss) lies in mappings without a name. */
static struct module *module_around(const struct module_list *l, taddr addr)
{
	for (size_t i = 0; i < l->len; i++) {
		if (l->items[i]->base <= addr && addr - l->items[i]->base < l->items[i]->size)
			return l->items[i];
	}
	return NULL;
}

bool symbol_at(struct symbol_table *s, taddr pc, struct symbol *ret)
{
	struct module *m = module_at(s->list, pc);

	if (!m)
		m = module_around(s->list, pc);
	struct symtab *symtab = m ? symbol_symtab(s, m) : NULL;
	struct symtab_entry entry;

	if (!symtab || !symtab_at(symtab, pc - m->bias, &entry))
		return false;
	*ret = symbol_of(&entry, m);
	return true;
}

/* A search by name, in one module. */
struct name_search {
	struct module *module;
	bool (*found)(void *context, const struct symbol *symbol);
	void *context;
};

static bool found_in_module(void *context, const struct symtab_entry *entry)
{
	const struct name_search *search = context;
	struct symbol symbol = symbol_of(entry, search->module);

	return search->found(search->context, &symbol);
}

/* false: found said so. */
static bool find_in(struct symbol_table *s, const char *name, const struct name_search *search)
{
	struct symtab *symtab = symbol_symtab(s, search->module);

	return !symtab || symtab_find(symtab, name, found_in_module, (void *)search);
}

void symbol_find_in(struct symbol_table *s, struct module *m, const char *name,
		    bool (*found)(void *context, const struct symbol *symbol), void *context)
{
	find_in(s, name, &(struct name_search){ m, found, context });
}

void symbol_for_each_in(struct symbol_table *s, struct module *m,
			bool (*found)(void *context, const struct symbol *symbol), void *context)
{
	struct symtab *symtab = symbol_symtab(s, m);
	struct name_search search = { m, found, context };

	if (symtab)
		symtab_for_each(symtab, found_in_module, &search);
}

/* Those outside the link map, such as the vdso, come last. */
static int by_link_order(const void *a, const void *b)
{
	const struct module *x = *(struct module *const *)a, *y = *(struct module *const *)b;
	unsigned int x_order = x->link_order - 1, y_order = y->link_order - 1;

	if (x_order != y_order)
		return x_order < y_order ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

struct module **symbol_modules_in_order(struct symbol_table *s)
{
	size_t n = s->list->len;
	struct module **modules = reallocarray(NULL, n + 1, sizeof(*modules));

	for (size_t i = 0; modules && i < n; i++)
		modules[i] = s->list->items[i];
	if (modules)
		qsort(modules, n, sizeof(*modules), by_link_order);
	return modules;
}

void symbol_find(struct symbol_table *s, const char *name,
		 bool (*found)(void *context, const struct symbol *symbol), void *context)
{
	AUTO_FREE struct module **modules = symbol_modules_in_order(s);

	for (size_t i = 0; modules && i < s->list->len; i++) {
		if (!find_in(s, name, &(struct name_search){ modules[i], found, context }))
			return;
	}
}

static struct cu *cu_at(struct symbol_table *s, struct module *m, taddr pc, taddr *ret_bias)
{
	struct cu_index *cus = symbol_units(s, m, ret_bias);

	return cus ? cu_index_find(cus, pc - *ret_bias) : NULL;
}

bool symbol_unit_at(struct symbol_table *s, taddr pc, struct unit_here *ret)
{
	ret->module = module_at(symbol_modules(s), pc);
	ret->cu = ret->module ? cu_at(s, ret->module, pc, &ret->bias) : NULL;
	return ret->cu;
}

bool symbol_has_dwarf(struct symbol_table *s, taddr pc)
{
	struct unit_here here;

	return symbol_unit_at(s, pc, &here);
}

const char *symbol_function_around(struct symbol_table *s, taddr pc, const char *file, int line,
				   bool *ret_several)
{
	struct module *m = module_at(s->list, pc);
	taddr bias;
	bool several = false;
	struct cu *cu = m ? cu_at(s, m, pc, &bias) : NULL;
	const char *found = cu ? cu_function_around(cu, file, line, &several) : NULL;

	if (ret_several)
		*ret_several = several;
	return found;
}

static size_t levels_at(struct symbol_table *s, struct module *m, taddr pc,
			struct cu_level ret[CU_LEVELS_MAX])
{
	taddr bias;
	struct cu *cu = cu_at(s, m, pc, &bias);

	if (!cu)
		return 0;
	size_t n = cu_locate(cu, pc - bias, ret);
	struct debuginfo *d = debuginfo_get(s->files, m);
	if (cu_note(cu) && d)
		debuginfo_add_note(d, "%s", cu_note(cu));
	for (size_t i = 0; i < n; i++)
		ret[i].entry += ret[i].entry ? bias : 0;
	return n;
}

static struct source_frame frame_of(const struct cu_level *level, taddr pc)
{
	return (struct source_frame){
		.function = level->function,
		.file = level->file,
		.line = level->line,
		.first_file = level->first_file,
		.first_line = level->first_line,
		.declared_file = level->declared_file,
		.declared_line = level->declared_line,
		.column = level->column,
		.inlined = level->inlined,
		.offset = level->entry && level->entry <= pc ? pc - level->entry : 0,
	};
}

/* What gfortran calls every main program. */
static bool is_program(const char *name)
{
	return !strcmp(name, "MAIN__");
}

/*
 * The linker's name tells clones and parts of a function apart, which DWARF's does not. But a
 * symbol that merely is near says less than DWARF.
 */
static void name_function(struct symbol_table *s, taddr pc, struct source_frame *function)
{
	struct symbol symbol;

	if (!symbol_at(s, pc, &symbol) ||
	    (function->function && (!(symbol.function && symbol.size) || is_program(symbol.name))))
		return;
	function->function = symbol.name;
	function->offset = pc - symbol.addr;
}

static struct location *locate(struct symbol_table *s, struct module *m, taddr pc)
{
	struct cu_level levels[CU_LEVELS_MAX];
	size_t n = levels_at(s, m, pc, levels);

	if (n == 0)
		levels[n++] = (struct cu_level){ 0 };
	struct location *l = malloc(sizeof(*l) + n * sizeof(*l->frames));
	if (!l)
		return NULL;
	l->pc = pc;
	l->len = n;
	for (size_t i = 0; i < n; i++)
		l->frames[i] = frame_of(&levels[i], pc);
	name_function(s, pc, &l->frames[n - 1]);
	return l;
}

/* Keeps it; bounded: damaged stacks have any number of pcs. Takes l. NULL: out of memory. */
static const struct location *keep(struct symbol_table *s, struct location *l)
{
	if (s->levels + l->len > LEVELS_MAX)
		forget_locations(s);
	struct map_item *item = map_add(&s->locations, l->pc);
	if (!item) {
		free(l);
		return NULL;
	}
	s->levels += l->len;
	item->pointer = l;
	return l;
}

const struct module *symbol_module(const struct symbol_table *s, taddr pc, uint64_t *ret_address)
{
	const struct module *m = module_at(s->list, pc);

	*ret_address = m ? pc - m->bias : 0;
	return m;
}

struct error *symbol_locate(struct symbol_table *s, taddr pc, const struct source_frame **ret,
			    size_t *ret_len)
{
	static const struct source_frame nowhere;
	struct module *m = module_at(s->list, pc);

	forget_old(s);
	*ret = &nowhere;
	*ret_len = 1;
	if (!m)
		return NULL;
	const struct location *known = map_get(&s->locations, pc);
	if (!known) {
		struct location *l = locate(s, m, pc);
		known = l ? keep(s, l) : NULL;
	}
	if (!known)
		return &error_nomem;
	*ret = known->frames;
	*ret_len = known->len;
	return NULL;
}

char *symbol_demangle(const char *name)
{
	return demangle_name(name);
}

const char *symbol_shown_name(struct symbol_table *s, const char *name)
{
	forget_old(s);
	struct map_item *item = map_add(&s->shown, map_key(name));
	if (item && !item->pointer)
		item->pointer = demangle_name(name);
	return item ? item->pointer : NULL;
}
