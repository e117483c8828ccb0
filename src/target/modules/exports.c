/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/exports.h"

#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "target/modules/dynamic.h"
#include "target/modules/ranges.h"

enum {
	NAME_MAX_KEPT = 1024, /* bytes; longer names may share their text, many of them   */
	VERSION_HIDDEN = 0x8000,
	RELOCATIONS_MAX = 1 << 22, /* of one table                                    */
	SCANS_MAX =
		64, /* questions of a kind before an index is made, which costs as much as 100 */
};

struct exports {
	struct export *items;           /* owned; with addresses of the file                */
	const struct export **by_name;  /* owned; sorted, default versions first; NULL: no index */
	struct ranges *functions;       /* owned; ids are indices of items; NULL: no index  */
	struct export answer;           /* to the last question                             */
	unsigned int scans, name_scans; /* so far                                           */
	Elf64_Sym *symbols;             /* owned; as they are, undefined ones too           */
	char *strings;                  /* owned; the byte behind them is 0                 */
	size_t len, nsymbols;
	struct dynamic tables;
	struct spending spending;    /* for all of these                                    */
	struct target *target;       /* borrowed                                            */
	const struct module *module; /* borrowed                                            */
};

bool exports_defines(struct target *t, const struct module *m, const char *name)
{
	struct dynamic d;
	Elf64_Sym symbol;
	struct error *err = dynamic_read(t, m, &d);

	if (err) {
		error_ignore(err);
		return false;
	}
	return dynamic_find(t, m, &d, name, &symbol);
}

static struct error *read_symbols(struct exports *e)
{
	const struct dynamic *d = &e->tables;
	uint32_t n;
	struct error *err = dynamic_count_symbols(e->target, d, &n);

	if (err)
		return err;
	if (!dynamic_inside(e->module, d->symbols, n * sizeof(*e->symbols)))
		return error_new(ERROR_BAD_DATA, "%u dynamic symbols are not within the file", n);
	if (!budget_spend(&e->spending,
			  d->strings_size + n * (sizeof(*e->symbols) + sizeof(*e->items))))
		return error_new(ERROR_UNSUPPORTED,
				 "%u dynamic symbols are more than there is memory for", n);
	e->symbols = reallocarray(NULL, n, sizeof(*e->symbols));
	e->strings = malloc(d->strings_size + 1);
	if (!e->symbols || !e->strings)
		return &error_nomem;
	err = target_read(e->target, d->symbols, e->symbols, n * sizeof(*e->symbols));
	if (!err)
		err = target_read(e->target, d->strings, e->strings, d->strings_size);
	if (err)
		return error_add(err, "reading dynamic symbols");
	e->strings[d->strings_size] = 0;
	e->nsymbols = n;
	return NULL;
}

static const char *string_at(const struct exports *e, uint64_t offset)
{
	return offset < e->tables.strings_size ? e->strings + offset : "";
}

static struct export export_of(const struct exports *e, const Elf64_Sym *symbol, uint16_t version)
{
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	return (struct export){
		.name = string_at(e, symbol->st_name),
		.addr = symbol->st_value,
		.size = symbol->st_size,
		.function = type == STT_FUNC || type == STT_GNU_IFUNC,
		.thread_local = type == STT_TLS,
		.absolute = symbol->st_shndx == SHN_ABS,
		.other_version = version & VERSION_HIDDEN,
	};
}

static struct error *collect(struct exports *e)
{
	size_t size = e->nsymbols * sizeof(uint16_t);
	AUTO_FREE uint16_t *versions = malloc(size);

	e->items = reallocarray(NULL, e->nsymbols, sizeof(*e->items));
	if (!versions || !e->items)
		return &error_nomem;
	/* Where there is no such table, each symbol has one version. */
	if (!dynamic_inside(e->module, e->tables.versions, size) ||
	    !memory_try_read(e->target->memory, e->tables.versions, versions, size))
		memset(versions, 0, size);
	for (size_t i = 0; i < e->nsymbols; i++) {
		struct export export = export_of(e, &e->symbols[i], versions[i]);
		if (dynamic_is_export(&e->symbols[i]) && *export.name &&
		    strnlen(export.name, NAME_MAX_KEPT) < NAME_MAX_KEPT)
			e->items[e->len++] = export;
	}
	return NULL;
}

static void exports_cleanup(struct exports **e)
{
	exports_free(*e);
}

struct error *exports_read(struct target *t, const struct module *m, struct budget *budget,
			   struct exports **ret)
{
	AUTO(exports_cleanup) struct exports *e = calloc(1, sizeof(*e));

	if (!e)
		return &error_nomem;
	e->target = t;
	e->module = m;
	e->spending.from = budget;
	struct error *err = dynamic_read(t, m, &e->tables);
	if (!err)
		err = read_symbols(e);
	if (!err)
		err = collect(e);
	if (err)
		return error_add(err, "%s", module_name(m));
	*ret = TAKE(e);
	return NULL;
}

void exports_move(struct exports *e, struct target *t, const struct module *m)
{
	const taddr by = m->bias - e->module->bias;
	struct dynamic *d = &e->tables;
	taddr *const tables[] = { &d->symbols,  &d->strings,     &d->hash,           &d->gnu_hash,
				  &d->versions, &d->relocations, &d->plt_relocations };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		*tables[i] += *tables[i] ? by : 0;
	e->target = t;
	e->module = m;
}

void exports_free(struct exports *e)
{
	if (!e)
		return;
	if (e->functions)
		ranges_fini(e->functions);
	budget_return(&e->spending);
	free(e->functions);
	free(e->by_name);
	free(e->items);
	free(e->symbols);
	free(e->strings);
	free(e);
}

/* An item, with its address in the target. NULL: none. */
static const struct export *answer(struct exports *e, const struct export *item)
{
	if (!item)
		return NULL;
	e->answer = *item;
	if (!item->thread_local && !item->absolute)
		e->answer.addr += e->module->bias;
	return &e->answer;
}

/* ---- by name ---------------------------------------------------------------------------- */

/* Of one name the default version comes first. */
static int compare_names(const struct export *x, const struct export *y)
{
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	if (x->other_version != y->other_version)
		return x->other_version ? 1 : -1;
	return sorted_order(x->addr, y->addr);
}

static int by_name(const void *a, const void *b)
{
	return compare_names(*(const struct export *const *)a, *(const struct export *const *)b);
}

/* Once the questions so far have been too many to go without. */
static void index_names(struct exports *e)
{
	if (e->by_name || ++e->name_scans <= SCANS_MAX)
		return;
	e->by_name = reallocarray(NULL, e->len + 1, sizeof(*e->by_name));
	for (size_t i = 0; e->by_name && i < e->len; i++)
		e->by_name[i] = &e->items[i];
	if (e->by_name)
		qsort(e->by_name, e->len, sizeof(*e->by_name), by_name);
}

static const struct export *scan_names(const struct exports *e, const char *name)
{
	const struct export *best = NULL;

	for (size_t i = 0; i < e->len; i++) {
		const struct export *export = &e->items[i];
		if (!strcmp(export->name, name) && (!best || compare_names(export, best) < 0))
			best = export;
	}
	return best;
}

const struct export *exports_find(struct exports *e, const char *name)
{
	index_names(e);
	if (!e->by_name)
		return answer(e, scan_names(e, name));
	size_t at = sorted_count(export, e->by_name, e->len, strcmp((*export)->name, name) < 0);
	const bool found = at < e->len && !strcmp(e->by_name[at]->name, name);
	return answer(e, found ? e->by_name[at] : NULL);
}

/* ---- by address --------------------------------------------------------------------------- */

static bool is_function(const struct exports *e, const struct export *export)
{
	return export->function && !export->absolute &&
	       dynamic_inside(e->module, export->addr + e->module->bias, export->size);
}

static bool add_functions(const struct exports *e, struct ranges *functions)
{
	for (size_t i = 0; i < e->len; i++) {
		const struct export *export = &e->items[i];
		if (is_function(e, export) &&
		    !ranges_add(functions, export->addr, export->addr + export->size, i))
			return false;
	}
	return true;
}

static void index_functions(struct exports *e)
{
	if (e->functions || ++e->scans <= SCANS_MAX)
		return;
	e->functions = calloc(1, sizeof(*e->functions));
	if (!e->functions || add_functions(e, e->functions))
		return;
	ranges_fini(e->functions);
	free(TAKE(e->functions));
}

/* The better one of two functions that hold an address; b: NULL: none. */
static const struct export *better(const struct export *a, const struct export *b)
{
	if (!b || a->addr != b->addr)
		return !b || a->addr > b->addr ? a : b;
	size_t x = strspn(a->name, "_"), y = strspn(b->name, "_");
	if (x != y)
		return x < y ? a : b;
	return compare_names(a, b) < 0 ? a : b;
}

static const struct export *scan_functions(const struct exports *e, taddr addr)
{
	const struct export *best = NULL;

	for (size_t i = 0; i < e->len; i++) {
		const struct export *export = &e->items[i];
		if (addr - export->addr < export->size && is_function(e, export))
			best = better(export, best);
	}
	return best;
}

const struct export *exports_at(struct exports *e, taddr addr)
{
	const struct export *best = NULL;
	const struct range *range = NULL;

	index_functions(e);
	addr -= e->module->bias;
	if (!e->functions)
		return answer(e, scan_functions(e, addr));
	while ((range = ranges_find(e->functions, addr, range))) {
		if (best && range->start != best->addr)
			break;
		best = better(&e->items[range->id], best);
	}
	return answer(e, best);
}

/* ---- as they are -------------------------------------------------------------------------- */

struct exports_table exports_table(const struct exports *e)
{
	return (struct exports_table){ e->symbols, e->strings, e->nsymbols,
				       e->tables.strings_size };
}

/* Whoever is told of relocations. */
struct listener {
	bool (*found)(void *context, taddr slot, uint32_t type, const char *name, int64_t addend);
	void *context;
	bool content; /* wants no more */
};

static void tell(const struct exports *e, const Elf64_Rela *entry, struct listener *listener)
{
	uint32_t index = ELF64_R_SYM(entry->r_info);
	taddr slot = entry->r_offset + e->module->bias;

	if (!dynamic_inside(e->module, slot, 1))
		return;
	listener->content = !listener->found(
		listener->context, slot, ELF64_R_TYPE(entry->r_info),
		index && index < e->nsymbols ? string_at(e, e->symbols[index].st_name) : "",
		entry->r_addend);
}

static struct error *tell_table(const struct exports *e, taddr at, uint64_t size,
				struct listener *listener)
{
	Elf64_Rela entries[128];
	size_t left = size / sizeof(*entries), n;

	if (!at || !left)
		return NULL;
	if (left > RELOCATIONS_MAX || !dynamic_inside(e->module, at, size))
		return error_new(ERROR_BAD_DATA, "%s: %zu relocations are not within the file",
				 module_name(e->module), left);
	for (; left && !listener->content; left -= n, at += n * sizeof(*entries)) {
		n = left < 128 ? left : 128;
		struct error *err = target_read(e->target, at, entries, n * sizeof(*entries));
		if (err)
			return error_add(err, "%s: reading relocations", module_name(e->module));
		for (size_t i = 0; i < n && !listener->content; i++)
			tell(e, &entries[i], listener);
	}
	return NULL;
}

struct error *exports_relocations(const struct exports *e,
				  bool (*found)(void *context, taddr slot, uint32_t type,
						const char *name, int64_t addend),
				  void *context)
{
	const struct dynamic *d = &e->tables;
	struct listener listener = { .found = found, .context = context };
	struct error *err = tell_table(e, d->relocations, d->relocations_size, &listener);

	/* Some linkers count those of the PLT among the others. */
	if (err || listener.content || d->plt_relocations - d->relocations < d->relocations_size)
		return err;
	return tell_table(e, d->plt_relocations, d->plt_relocations_size, &listener);
}
