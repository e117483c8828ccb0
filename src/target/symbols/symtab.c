/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/symtab.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/sorted.h"
#include "target/modules/ranges.h"

enum {
	TABLES_MAX = 4,
	NAME_MAX_LOOKED_AT =
		4096,   /* of a name, where many are compared: they may share their text */
	SCANS_MAX = 32, /* questions before an index is made, which costs as much as some 50 */
};

/* One symbol table. Its symbols are numbered on from those of the table before it. */
struct table {
	Elf *elf;                 /* NULL: there is no file                       */
	const Elf64_Sym *symbols; /* borrowed, n of them                           */
	const char *names;        /* borrowed, names_size bytes, the last one is 0 */
	size_t n, names_size;
	uint32_t first;
};

struct named {
	uint32_t hash, id;
	taddr addr;
};

/* Symbols by address; ids are their numbers. */
struct by_address {
	struct ranges sized;
	struct ranges unsized; /* one byte each: those whose size is not known */
};

/* Symbols by hash, address, number. */
struct by_name {
	struct named *items; /* owned */
	size_t len, cap;
};

struct symtab {
	struct by_address addresses; /* of all, if have_addresses */
	struct by_name names;        /* of all, if have_names     */
	unsigned int address_scans, name_scans;
	bool have_addresses, have_names;
	struct table tables[TABLES_MAX];
	size_t ntables;
	uint32_t nsymbols;
};

/* What lies in the file, if it is whole: elf_getdata() checks that. */
static const void *section_data(Elf *elf, size_t index, size_t align, size_t *ret_size)
{
	Elf_Data *data = elf_getdata(elf_getscn(elf, index), NULL);

	if (!data || !data->d_buf || (uintptr_t)data->d_buf % align)
		return NULL;
	*ret_size = data->d_size;
	return data->d_buf;
}

static bool open_section(const struct debuginfo_symtab *from, struct table *ret)
{
	GElf_Shdr header;
	size_t size;

	if (!gelf_getshdr(elf_getscn(from->elf, from->section), &header) ||
	    (header.sh_flags & SHF_COMPRESSED))
		return false;
	ret->elf = from->elf;
	ret->symbols = section_data(from->elf, from->section, _Alignof(Elf64_Sym), &size);
	ret->n = ret->symbols ? size / sizeof(*ret->symbols) : 0;
	ret->names = section_data(from->elf, header.sh_link, 1, &ret->names_size);
	return true;
}

static bool open_exports(const struct exports *from, struct table *ret)
{
	struct exports_table table = exports_table(from);

	*ret = (struct table){ .symbols = table.symbols,
			       .n = table.nsymbols,
			       .names = table.strings,
			       .names_size = table.strings_size };
	return true;
}

static bool open_table(const struct debuginfo_symtab *from, struct table *ret)
{
	if (!(from->exports ? open_exports(from->exports, ret) : open_section(from, ret)))
		return false;
	while (ret->names && ret->names_size && ret->names[ret->names_size - 1])
		ret->names_size--;
	return ret->n && ret->names && ret->names_size;
}

struct symtab *symtab_new(const struct debuginfo_symtab *tables, size_t n)
{
	struct symtab *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	for (size_t i = 0; i < n && i < TABLES_MAX; i++) {
		struct table *table = &s->tables[s->ntables];
		if (!open_table(&tables[i], table) || table->n > UINT32_MAX - s->nsymbols)
			continue;
		table->first = s->nsymbols;
		s->nsymbols += (uint32_t)table->n;
		s->ntables++;
	}
	return s;
}

static void by_name_fini(struct by_name *x)
{
	vec_fini(x);
}

static void by_address_fini(struct by_address *x)
{
	ranges_fini(&x->sized);
	ranges_fini(&x->unsized);
}

void symtab_free(struct symtab *s)
{
	if (!s)
		return;
	by_address_fini(&s->addresses);
	by_name_fini(&s->names);
	free(s);
}

static const struct table *table_of(const struct symtab *s, uint32_t id)
{
	size_t i = s->ntables - 1;

	while (id < s->tables[i].first)
		i--;
	return &s->tables[i];
}

static const Elf64_Sym *symbol_of(const struct symtab *s, uint32_t id)
{
	const struct table *table = table_of(s, id);

	return &table->symbols[id - table->first];
}

static const char *name_of(const struct symtab *s, uint32_t id)
{
	const struct table *table = table_of(s, id);
	uint32_t offset = table->symbols[id - table->first].st_name;

	return offset < table->names_size ? table->names + offset : "";
}

/* Absolute symbols are versions and sizes. */
static bool is_defined(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       symbol->st_shndx != SHN_COMMON;
}

static bool is_place(const Elf64_Sym *symbol)
{
	switch (ELF64_ST_TYPE(symbol->st_info)) {
	case STT_NOTYPE:
	case STT_OBJECT:
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return is_defined(symbol);
	default:
		return false;
	}
}

static bool is_local(const Elf64_Sym *symbol)
{
	return ELF64_ST_TYPE(symbol->st_info) == STT_TLS && is_defined(symbol);
}

static bool is_function(const Elf64_Sym *symbol)
{
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

static struct symtab_entry entry_of(const struct symtab *s, uint32_t id)
{
	const Elf64_Sym *symbol = symbol_of(s, id);
	unsigned int binding = ELF64_ST_BIND(symbol->st_info);

	return (struct symtab_entry){
		.name = name_of(s, id),
		.addr = symbol->st_value,
		.size = symbol->st_size,
		.function = is_function(symbol),
		.resolver = ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC,
		.global = binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE,
	};
}

/* ---- by address --------------------------------------------------------------------------- */

static bool add_address(const struct symtab *s, uint32_t id, struct by_address *x)
{
	const Elf64_Sym *symbol = symbol_of(s, id);
	taddr addr = symbol->st_value;

	if (!is_place(symbol) || !*name_of(s, id))
		return true;
	if (!symbol->st_size)
		return ranges_add(&x->unsized, addr, addr + 1, id);
	return ranges_add(&x->sized, addr, addr + symbol->st_size, id);
}

static void index_addresses(struct symtab *s)
{
	if (s->have_addresses)
		return;
	s->have_addresses = true;
	for (uint32_t id = 0; id < s->nsymbols; id++) {
		if (!add_address(s, id, &s->addresses))
			return;
	}
}

/* A look at all symbols for one address. */
struct scan {
	const struct symtab *symtab;
	struct by_address *found; /* what holds the address; unsized, what begins last before it */
	taddr addr;
	uint64_t behind[2]; /* how far behind the last one that begins: [1] with a size, [0] others
			     */
};

/* One that holds the address, or begins no further before it than those that were found. */
static bool scan_symbol(struct scan *s, const Elf64_Sym *symbol, uint32_t id)
{
	const bool has_size = symbol->st_size != 0;
	const uint64_t behind = s->addr - symbol->st_value;

	if (symbol->st_value > s->addr || !is_place(symbol) || !*name_of(s->symtab, id))
		return true;
	if (behind < s->behind[has_size]) {
		s->behind[has_size] = behind;
		s->found->unsized.len = has_size ? s->found->unsized.len : 0;
	}
	return (has_size && behind >= symbol->st_size) || add_address(s->symtab, id, s->found);
}

/*
 * Those of all symbols that matter to one address. Nearly none does, and their order says nothing:
 * one condition, without a jump in it.
 */
static void scan_addresses(const struct symtab *s, taddr addr, struct by_address *ret)
{
	struct scan scan = { .symtab = s, .found = ret, .addr = addr, .behind = { addr, addr } };

	for (const struct table *t = s->tables; t < s->tables + s->ntables; t++) {
		for (uint32_t i = 0; i < t->n; i++) {
			const Elf64_Sym *symbol = &t->symbols[i];
			const uint64_t behind = addr - symbol->st_value;
			const bool matters = (behind < symbol->st_size) |
					     (behind <= scan.behind[symbol->st_size != 0]);
			if (matters && !scan_symbol(&scan, symbol, t->first + i))
				return;
		}
	}
	if (scan.behind[1] < scan.behind[0])
		ret->unsized.len = 0;
}

/* How good a name for an address a symbol is: less is better, the first member counts most. */
struct rank {
	uint64_t members[5];
};

static struct rank rank_of(const struct symtab *s, uint32_t id)
{
	static const uint8_t by_binding[16] = {
		[STB_GLOBAL] = 0, [STB_GNU_UNIQUE] = 0, [STB_WEAK] = 1, [STB_LOCAL] = 2
	};
	const Elf64_Sym *symbol = symbol_of(s, id);
	const char *name = name_of(s, id);

	return (struct rank){ {
		!is_function(symbol),
		~symbol->st_value, /* what begins last is what is nearest */
		by_binding[ELF64_ST_BIND(symbol->st_info)],
		name[0] == '_' ? 1 + (name[1] == '_') : 0,
		strnlen(name, NAME_MAX_LOOKED_AT),
	} };
}

static bool is_better(const struct rank *a, const struct rank *b)
{
	for (size_t i = 0; i < sizeof(a->members) / sizeof(*a->members); i++) {
		if (a->members[i] != b->members[i])
			return a->members[i] < b->members[i];
	}
	return false;
}

/* The best of the symbols whose ranges hold addr. */
static bool best_at(const struct symtab *s, struct ranges *ranges, taddr addr, uint32_t *ret)
{
	const struct range *range = NULL;
	struct rank best = { 0 };
	bool any = false;

	while ((range = ranges_find(ranges, addr, range))) {
		struct rank rank = rank_of(s, (uint32_t)range->id);
		if (!any || is_better(&rank, &best)) {
			best = rank;
			*ret = (uint32_t)range->id;
		}
		any = true;
	}
	return any;
}

/* The section of a file that holds an address. */
static bool section_at(Elf *elf, taddr addr, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, ret) && (ret->sh_flags & SHF_ALLOC) && addr >= ret->sh_addr &&
		    addr - ret->sh_addr < ret->sh_size)
			return true;
	}
	return false;
}

/*
 * Hand-written code often has symbols without sizes. Such a one counts as far as the next
 * symbol of any kind, or the end of its section.
 */
static bool nearest_unsized(const struct symtab *s, struct by_address *x, taddr addr, uint32_t *ret)
{
	const struct range *sized = ranges_before(&x->sized, addr);
	const struct range *unsized = ranges_before(&x->unsized, addr);
	GElf_Shdr section;

	if (!unsized || (sized && sized->start > unsized->start) ||
	    !best_at(s, &x->unsized, unsized->start, ret))
		return false;
	return section_at(table_of(s, *ret)->elf, addr, &section) &&
	       symbol_of(s, *ret)->st_value >= section.sh_addr;
}

/* All symbols by address, or some, which are filled in: those that matter to this address. */
static struct by_address *addresses_for(struct symtab *s, taddr addr, struct by_address *some)
{
	if (s->address_scans < SCANS_MAX) {
		s->address_scans++;
		scan_addresses(s, addr, some);
		return some;
	}
	index_addresses(s);
	return &s->addresses;
}

bool symtab_at(struct symtab *s, taddr addr, struct symtab_entry *ret)
{
	AUTO(by_address_fini) struct by_address some = { 0 };
	struct by_address *x = addresses_for(s, addr, &some);
	uint32_t id;

	if (!best_at(s, &x->sized, addr, &id) && !nearest_unsized(s, x, addr, &id))
		return false;
	*ret = entry_of(s, id);
	return true;
}

/* ---- by name ------------------------------------------------------------------------------ */

/* The hash of DT_GNU_HASH: quick, and spreads names well. */
static uint32_t hash_of(const char *name)
{
	uint32_t h = 5381;

	for (size_t i = 0; name[i] && i < NAME_MAX_LOOKED_AT; i++)
		h = h * 33 + (unsigned char)name[i];
	return h;
}

static int by_hash(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	if (x->hash != y->hash)
		return sorted_order(x->hash, y->hash);
	return x->addr != y->addr ? sorted_order(x->addr, y->addr) : sorted_order(x->id, y->id);
}

/* false: out of memory. */
static bool add_name(const struct symtab *s, uint32_t id, struct by_name *x)
{
	const Elf64_Sym *symbol = symbol_of(s, id);

	return !is_place(symbol) ||
	       vec_push(x, (struct named){ hash_of(name_of(s, id)), id, symbol->st_value });
}

static void sort_names(struct by_name *x)
{
	if (x->len)
		qsort(x->items, x->len, sizeof(*x->items), by_hash);
}

static void index_names(struct symtab *s)
{
	if (s->have_names)
		return;
	s->have_names = true;
	for (uint32_t id = 0; id < s->nsymbols; id++) {
		if (!add_name(s, id, &s->names))
			break;
	}
	sort_names(&s->names);
}

static void scan_names(const struct symtab *s, const char *name, struct by_name *ret)
{
	for (uint32_t id = 0; id < s->nsymbols; id++) {
		if (!strcmp(name_of(s, id), name) && !add_name(s, id, ret))
			break;
	}
	sort_names(ret);
}

/* All symbols by name, or some, which are filled in: those with this name. */
static const struct by_name *names_for(struct symtab *s, const char *name, struct by_name *some)
{
	if (s->name_scans < SCANS_MAX) {
		s->name_scans++;
		scan_names(s, name, some);
		return some;
	}
	index_names(s);
	return &s->names;
}

bool symtab_find(struct symtab *s, const char *name,
		 bool (*found)(void *context, const struct symtab_entry *entry), void *context)
{
	AUTO(by_name_fini) struct by_name some = { 0 };
	const struct by_name *x = names_for(s, name, &some);
	const struct named *last = NULL;
	uint32_t hash = hash_of(name);
	size_t first = sorted_count(n, x->items, x->len, n->hash < hash);

	for (size_t i = first; i < x->len && x->items[i].hash == hash; i++) {
		const struct named *named = &x->items[i];
		/* Dynamic symbols are in the full table too: once is enough. */
		if ((last && last->addr == named->addr) || strcmp(name_of(s, named->id), name) != 0)
			continue;
		last = named;
		struct symtab_entry entry = entry_of(s, named->id);
		if (!found(context, &entry))
			return false;
	}
	return true;
}

static void for_each(struct symtab *s, bool (*is_sought)(const Elf64_Sym *symbol),
		     bool (*found)(void *context, const struct symtab_entry *entry), void *context)
{
	for (uint32_t id = 0; id < s->nsymbols; id++) {
		struct symtab_entry entry = entry_of(s, id);
		if (is_sought(symbol_of(s, id)) && *entry.name && !found(context, &entry))
			return;
	}
}

void symtab_for_each(struct symtab *s,
		     bool (*found)(void *context, const struct symtab_entry *entry), void *context)
{
	for_each(s, is_place, found, context);
}

void symtab_for_each_local(struct symtab *s,
			   bool (*found)(void *context, const struct symtab_entry *entry),
			   void *context)
{
	for_each(s, is_local, found, context);
}
