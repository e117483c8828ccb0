/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/dynamic.h"

#include <stdlib.h>
#include <string.h>

enum {
	DYNAMIC_MAX = 1 << 10,   /* entries; about 30 are usual           */
	SYMBOLS_MAX = 1 << 20,   /* exported by one module                */
	STRINGS_MAX = 256 << 20, /* bytes of their names                  */
	BUCKETS_MAX = 1 << 22,
	CHAIN_MAX = 1 << 14, /* symbols in one bucket; a handful is usual */
};

static void note_entry(struct dynamic *d, const Elf64_Dyn *entry)
{
	const struct {
		int64_t tag;
		uint64_t *into;
	} wanted[] = {
		{ DT_SYMTAB, &d->symbols },         { DT_STRTAB, &d->strings },
		{ DT_STRSZ, &d->strings_size },     { DT_HASH, &d->hash },
		{ DT_GNU_HASH, &d->gnu_hash },      { DT_VERSYM, &d->versions },
		{ DT_RELA, &d->relocations },       { DT_RELASZ, &d->relocations_size },
		{ DT_JMPREL, &d->plt_relocations }, { DT_PLTRELSZ, &d->plt_relocations_size },
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		if (wanted[i].tag == entry->d_tag)
			*wanted[i].into = entry->d_un.d_val;
	}
}

bool dynamic_inside(const struct module *m, taddr addr, uint64_t size)
{
	return addr >= m->start && addr < m->end && size <= m->end - addr;
}

/* The dynamic linker has added the bias to most addresses, but not to all of them. */
static void make_absolute(const struct module *m, struct dynamic *d)
{
	taddr *const addresses[] = { &d->symbols,        &d->strings,  &d->hash,
				     &d->gnu_hash,       &d->versions, &d->relocations,
				     &d->plt_relocations };

	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		if (*addresses[i] && !dynamic_inside(m, *addresses[i], 1))
			*addresses[i] += m->bias;
	}
}

struct error *dynamic_read(struct target *t, const struct module *m, struct dynamic *ret)
{
	struct dynamic d = { 0 };
	Elf64_Dyn entry = { .d_tag = DT_NULL };

	if (!m->dynamic)
		return error_new(ERROR_NOT_FOUND, "no dynamic section");
	for (unsigned int i = 0; i < DYNAMIC_MAX; i++) {
		struct error *err =
			target_read(t, m->dynamic + i * sizeof(entry), &entry, sizeof(entry));
		if (err)
			return error_add(err, "reading the dynamic section");
		if (entry.d_tag == DT_NULL)
			break;
		note_entry(&d, &entry);
	}
	make_absolute(m, &d);
	if (!dynamic_inside(m, d.symbols, sizeof(Elf64_Sym)) ||
	    !dynamic_inside(m, d.strings, d.strings_size) || d.strings_size > STRINGS_MAX)
		return error_new(ERROR_BAD_DATA, "the dynamic section points outside of its file");
	*ret = d;
	return NULL;
}

/*
 * DT_GNU_HASH: four words (buckets, first symbol, words of the filter, shift), the filter,
 * buckets, and a word for each symbol from the first on, which ends a chain if it is odd.
 */
struct gnu_hash {
	uint32_t nbuckets, first, nfilter, shift;
	taddr filter, buckets, chains;
};

static struct error *read_gnu_hash(struct target *t, taddr at, struct gnu_hash *ret)
{
	uint32_t head[4];
	struct error *err = target_read(t, at, head, sizeof(head));

	if (err)
		return err;
	if (!head[0] || head[0] > BUCKETS_MAX || head[2] > BUCKETS_MAX)
		return error_new(ERROR_BAD_DATA, "the symbol hash table has %u buckets", head[0]);
	taddr filter = at + sizeof(head), buckets = filter + (taddr)head[2] * 8;
	*ret = (struct gnu_hash){
		.nbuckets = head[0],
		.first = head[1],
		.nfilter = head[2],
		.shift = head[3],
		.filter = filter,
		.buckets = buckets,
		.chains = buckets + (taddr)head[0] * 4,
	};
	return NULL;
}

/* The highest symbol index in the buckets: where the last chain of the table begins. */
static struct error *last_bucket(struct target *t, const struct gnu_hash *g, uint32_t *ret)
{
	AUTO_FREE uint32_t *buckets = reallocarray(NULL, g->nbuckets, sizeof(*buckets));

	if (!buckets)
		return &error_nomem;
	struct error *err = target_read(t, g->buckets, buckets, g->nbuckets * sizeof(*buckets));
	if (err)
		return err;
	*ret = 0;
	for (uint32_t i = 0; i < g->nbuckets; i++) {
		if (buckets[i] > *ret)
			*ret = buckets[i];
	}
	return NULL;
}

/* DT_GNU_HASH does not say how many symbols there are: they end with the last chain. */
static struct error *count_gnu_hash(struct target *t, taddr at, uint32_t *ret)
{
	struct gnu_hash g = { 0 };
	uint32_t last, link = 0;
	struct error *err = read_gnu_hash(t, at, &g);

	if (!err)
		err = last_bucket(t, &g, &last);
	if (err)
		return err;
	if (last < g.first) {
		*ret = g.first;
		return NULL;
	}
	for (; !(link & 1); last++) {
		if (last > SYMBOLS_MAX)
			return error_new(ERROR_BAD_DATA, "a symbol hash chain does not end");
		err = target_read(t, g.chains + (taddr)(last - g.first) * 4, &link, sizeof(link));
		if (err)
			return err;
	}
	*ret = last;
	return NULL;
}

struct error *dynamic_count_symbols(struct target *t, const struct dynamic *d, uint32_t *ret)
{
	uint32_t head[2], n = 0;
	struct error *err = NULL;

	if (d->gnu_hash) {
		err = count_gnu_hash(t, d->gnu_hash, &n);
	} else if (d->hash) {
		err = target_read(t, d->hash, head, sizeof(head));
		n = err ? 0 : head[1];
	}
	if (err)
		return error_add(err, "counting symbols");
	if (!n || n > SYMBOLS_MAX)
		return error_new(ERROR_BAD_DATA, "%u dynamic symbols", n);
	*ret = n;
	return NULL;
}

bool dynamic_is_export(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
}

/* What a look-up by name goes through. */
struct lookup {
	struct memory *memory;
	const struct module *module;
	const struct dynamic *tables;
	const char *name;
};

static bool read_word(const struct lookup *l, taddr at, uint32_t *ret)
{
	return dynamic_inside(l->module, at, sizeof(*ret)) &&
	       memory_try_read(l->memory, at, ret, sizeof(*ret));
}

/* The name's bytes and its end are there. */
static bool has_name(const struct lookup *l, uint32_t offset)
{
	size_t len = strlen(l->name) + 1, n;
	char part[64];

	if (offset > l->tables->strings_size || len > l->tables->strings_size - offset)
		return false;
	for (size_t done = 0; done < len; done += n) {
		n = len - done < sizeof(part) ? len - done : sizeof(part);
		if (!memory_try_read(l->memory, l->tables->strings + offset + done, part, n) ||
		    memcmp(part, l->name + done, n) != 0)
			return false;
	}
	return true;
}

static bool is_wanted(const struct lookup *l, uint32_t index, Elf64_Sym *ret)
{
	taddr at = l->tables->symbols + (taddr)index * sizeof(*ret);

	return dynamic_inside(l->module, at, sizeof(*ret)) &&
	       memory_try_read(l->memory, at, ret, sizeof(*ret)) && dynamic_is_export(ret) &&
	       has_name(l, ret->st_name);
}

static uint32_t gnu_hash_of(const char *name)
{
	uint32_t h = 5381;

	for (; *name; name++)
		h = h * 33 + (unsigned char)*name;
	return h;
}

/* The filter is a Bloom filter with two bits for each name. */
static bool passes_filter(const struct lookup *l, const struct gnu_hash *g, uint32_t h)
{
	uint32_t word = (h / 64) & (g->nfilter - 1);
	uint64_t bits = UINT64_C(1) << (h % 64) | UINT64_C(1) << (h >> (g->shift % 32)) % 64;
	uint64_t filter;

	return memory_try_read(l->memory, g->filter + (taddr)word * 8, &filter, sizeof(filter)) &&
	       (filter & bits) == bits;
}

static bool find_by_gnu_hash(const struct lookup *l, const struct gnu_hash *g, Elf64_Sym *ret)
{
	uint32_t h = gnu_hash_of(l->name), index, link = 0;

	if (!g->nfilter || !passes_filter(l, g, h) ||
	    !read_word(l, g->buckets + (taddr)(h % g->nbuckets) * 4, &index) || index < g->first)
		return false;
	for (unsigned int n = 0; !(link & 1) && n < CHAIN_MAX; n++, index++) {
		if (!read_word(l, g->chains + (taddr)(index - g->first) * 4, &link))
			return false;
		if ((link | 1) == (h | 1) && is_wanted(l, index, ret))
			return true;
	}
	return false;
}

/* System V ABI, "Hash Table". */
static uint32_t sysv_hash_of(const char *name)
{
	uint32_t h = 0;

	for (; *name; name++) {
		h = (h << 4) + (unsigned char)*name;
		h ^= (h >> 24) & 0xf0;
		h &= 0x0fffffff;
	}
	return h;
}

/* DT_HASH: numbers of buckets and of symbols, the buckets, and for each symbol the next one. */
static bool find_by_hash(const struct lookup *l, Elf64_Sym *ret)
{
	taddr at = l->tables->hash;
	uint32_t nbuckets, index;

	if (!read_word(l, at, &nbuckets) || !nbuckets ||
	    !read_word(l, at + 8 + (taddr)(sysv_hash_of(l->name) % nbuckets) * 4, &index))
		return false;
	for (unsigned int n = 0; index && n < CHAIN_MAX; n++) {
		if (is_wanted(l, index, ret))
			return true;
		if (!read_word(l, at + 8 + ((taddr)nbuckets + index) * 4, &index))
			return false;
	}
	return false;
}

bool dynamic_find(struct target *t, const struct module *m, const struct dynamic *d,
		  const char *name, Elf64_Sym *ret)
{
	const struct lookup l = { t->memory, m, d, name };
	struct gnu_hash g = { 0 };

	if (!d->gnu_hash)
		return d->hash && find_by_hash(&l, ret);
	struct error *err = read_gnu_hash(t, d->gnu_hash, &g);
	if (err) {
		error_ignore(err);
		return false;
	}
	return find_by_gnu_hash(&l, &g, ret);
}
