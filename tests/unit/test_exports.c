/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Exports of real libraries, held against their section headers, and of tables made up here. */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>

#include "base/buf.h"
#include "fake_target.h"
#include "target/modules/exports.h"
#include "unit.h"

enum { BIAS = 0x7f0000000000 };

/* ---- real libraries ------------------------------------------------------------------------ */

/* libomp may be missing: then its tests have nothing to say. */
static const char *const libraries[] = { "libc.so.6", "libgomp.so.1", "libomp.so.5" };

struct library {
	struct fake_target *target;
	struct module_list *modules;
	const struct module *module;
	struct exports *exports;
	struct buf file;
};

static bool find_library(const char *name, char ret[4096])
{
	struct link_map *map;
	void *handle = dlopen(name, RTLD_LAZY);

	if (!handle)
		return false;
	ck_assert_int_eq(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);
	snprintf(ret, 4096, "%s", map->l_name);
	return true;
}

static struct budget plenty = { .left = UINT64_MAX };

static bool library_open(struct library *l, const char *name)
{
	char path[4096];

	*l = (struct library){ 0 };
	if (!find_library(name, path))
		return false;
	l->target = fake_target_new();
	fake_target_add_file(l->target, path, BIAS);
	ck_assert_no_error(module_list_read(&l->target->base, &l->modules));
	ck_assert_uint_eq(l->modules->len, 1);
	l->module = l->modules->items[0];
	ck_assert_no_error(exports_read(&l->target->base, l->module, &plenty, &l->exports));
	ck_assert_no_error(buf_add_file(&l->file, path, 64 << 20));
	return true;
}

static void library_close(struct library *l)
{
	exports_free(l->exports);
	module_list_free(l->modules);
	target_free(&l->target->base);
	buf_fini(&l->file);
}

/* The first section of a type, behind another one. */
static const Elf64_Shdr *section_of_type(const struct library *l, uint32_t type,
					 const Elf64_Shdr *after)
{
	const Elf64_Ehdr *header = (const void *)l->file.data;
	const Elf64_Shdr *sections = (const void *)(l->file.data + header->e_shoff);

	for (unsigned int i = after ? (unsigned int)(after - sections) + 1 : 0; i < header->e_shnum;
	     i++) {
		if (sections[i].sh_type == type)
			return &sections[i];
	}
	return NULL;
}

static const void *contents(const struct library *l, const Elf64_Shdr *section)
{
	ck_assert_ptr_nonnull(section);
	return l->file.data + section->sh_offset;
}

/* The symbols of .dynsym as the section headers have them. */
struct dynsym {
	const Elf64_Sym *symbols;
	const uint16_t *versions;
	const char *names;
	size_t n;
};

static struct dynsym dynsym_of(const struct library *l)
{
	const Elf64_Ehdr *header = (const void *)l->file.data;
	const Elf64_Shdr *sections = (const void *)(l->file.data + header->e_shoff);
	const Elf64_Shdr *dynsym = section_of_type(l, SHT_DYNSYM, NULL);

	return (struct dynsym){
		.symbols = contents(l, dynsym),
		.versions = contents(l, section_of_type(l, SHT_GNU_versym, NULL)),
		.names = contents(l, &sections[dynsym->sh_link]),
		.n = dynsym->sh_size / sizeof(Elf64_Sym),
	};
}

static bool is_defined(const Elf64_Sym *symbol)
{
	return symbol->st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) != STB_LOCAL;
}

START_TEST(what_a_library_defines_is_defined_and_nothing_else)
{
	struct library l;

	if (!library_open(&l, libraries[_i]))
		return;
	struct dynsym d = dynsym_of(&l);
	size_t defined = 0;
	for (size_t i = 1; i < d.n; i++) {
		const char *name = d.names + d.symbols[i].st_name;
		bool is = exports_defines(&l.target->base, l.module, name);
		if (is_defined(&d.symbols[i]) && ++defined && !is)
			ck_abort_msg("%s is not defined", name);
		/* What one library needs of another it does not define itself. */
		if (!is_defined(&d.symbols[i]) && is && !exports_find(l.exports, name))
			ck_abort_msg("%s is defined", name);
		char longer[4096];
		snprintf(longer, sizeof(longer), "%sQ", name);
		if (exports_defines(&l.target->base, l.module, longer))
			ck_abort_msg("%s is defined", longer);
	}
	ck_assert_uint_gt(defined, 300);
	ck_assert(!exports_defines(&l.target->base, l.module, ""));
	ck_assert(!exports_defines(&l.target->base, l.module, "no_such_function"));
	library_close(&l);
}
END_TEST

static void check_symbol(const struct library *l, const struct dynsym *d, size_t i)
{
	const Elf64_Sym *symbol = &d->symbols[i];
	const char *name = d->names + symbol->st_name;
	const struct export *export = exports_find(l->exports, name);
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	if (!export || strcmp(export->name, name) != 0)
		ck_abort_msg("%s is not found", name);
	if (d->versions[i] & 0x8000) /* another one has the name */
		return;
	taddr addr = symbol->st_value +
		     (type == STT_TLS || symbol->st_shndx == SHN_ABS ? 0 : (taddr)BIAS);
	if (export->addr != addr || export->size != symbol->st_size || export->other_version ||
	    export->function != (type == STT_FUNC || type == STT_GNU_IFUNC) ||
	    export->thread_local != (type == STT_TLS))
		ck_abort_msg("%s is not as it should be", name);
}

START_TEST(exports_are_those_of_dynsym)
{
	struct library l;

	if (!library_open(&l, libraries[_i]))
		return;
	struct dynsym d = dynsym_of(&l);
	for (size_t i = 1; i < d.n; i++) {
		if (is_defined(&d.symbols[i]))
			check_symbol(&l, &d, i);
	}
	ck_assert_ptr_null(exports_find(l.exports, ""));
	ck_assert_ptr_null(exports_find(l.exports, "no_such_function"));
	ck_assert_ptr_null(exports_find(l.exports, "~"));
	library_close(&l);
}
END_TEST

START_TEST(functions_are_found_by_any_address_in_them)
{
	struct library l;

	if (!library_open(&l, libraries[_i]))
		return;
	struct dynsym d = dynsym_of(&l);
	for (size_t i = 1; i < d.n; i++) {
		const Elf64_Sym *symbol = &d.symbols[i];
		unsigned int type = ELF64_ST_TYPE(symbol->st_info);
		if (!is_defined(symbol) || type != STT_FUNC || !symbol->st_size)
			continue;
		const taddr start = BIAS + symbol->st_value;
		const struct export *first = exports_at(l.exports, start);
		const bool starts = first && first->addr == start;
		const struct export *last = exports_at(l.exports, start + symbol->st_size - 1);
		if (!starts || !last || last->addr < start || last->addr + last->size <= last->addr)
			ck_abort_msg("%s is not found by its address", d.names + symbol->st_name);
	}
	ck_assert_ptr_null(exports_at(l.exports, BIAS));
	ck_assert_ptr_null(exports_at(l.exports, 0));
	ck_assert_ptr_null(exports_at(l.exports, UINT64_MAX));
	library_close(&l);
}
END_TEST

static bool same(const struct export *a, const struct export *b)
{
	return a && b ? !strcmp(a->name, b->name) && a->addr == b->addr &&
				a->other_version == b->other_version
		      : a == b;
}

/* The first questions are answered by looking at all, later ones by an index. */
START_TEST(first_questions_are_answered_as_later_ones)
{
	enum { FIRST = 8, LATER = 100, STEP = 7 };
	struct library l;
	struct exports *fresh = NULL;

	if (!library_open(&l, libraries[_i]))
		return;
	for (size_t i = 0; i < LATER; i++) {
		exports_find(l.exports, "no_such_function");
		exports_at(l.exports, BIAS);
	}
	struct dynsym d = dynsym_of(&l);
	for (size_t i = 0; i * STEP < d.n; i++) {
		const Elf64_Sym *symbol = &d.symbols[i * STEP];
		const char *name = d.names + symbol->st_name;
		taddr inside = BIAS + symbol->st_value + symbol->st_size / 2;
		if (i % FIRST == 0) {
			exports_free(fresh);
			ck_assert_no_error(
				exports_read(&l.target->base, l.module, &plenty, &fresh));
		}
		if (!same(exports_find(fresh, name), exports_find(l.exports, name)))
			ck_abort_msg("%s is another by its name", name);
		if (!same(exports_at(fresh, inside), exports_at(l.exports, inside)))
			ck_abort_msg("%s is another by its address", name);
	}
	exports_free(fresh);
	library_close(&l);
}
END_TEST

struct told {
	const Elf64_Rela *expected;
	const struct dynsym *symbols;
	size_t n, most;
	bool wrong;
};

static bool note_relocation(void *context, taddr slot, uint32_t type, const char *name,
			    int64_t addend)
{
	struct told *told = context;
	const Elf64_Rela *entry = &told->expected[told->n++];
	const struct dynsym *d = told->symbols;

	if (told->expected)
		told->wrong |=
			slot != BIAS + entry->r_offset || type != ELF64_R_TYPE(entry->r_info) ||
			addend != entry->r_addend ||
			strcmp(name, d->names + d->symbols[ELF64_R_SYM(entry->r_info)].st_name) !=
				0;
	return told->n < told->most;
}

START_TEST(relocations_are_those_of_rela_dyn_and_rela_plt)
{
	struct library l;

	if (!library_open(&l, libraries[_i]))
		return;
	struct dynsym d = dynsym_of(&l);
	AUTO_BUF all = { 0 };
	for (const Elf64_Shdr *s = NULL; (s = section_of_type(&l, SHT_RELA, s));)
		buf_add(&all, contents(&l, s), s->sh_size);
	struct told told = { (const void *)all.data, &d, 0, SIZE_MAX, false };
	ck_assert_no_error(exports_relocations(l.exports, note_relocation, &told));
	ck_assert_uint_eq(told.n, all.len / sizeof(Elf64_Rela));
	ck_assert_uint_gt(told.n, 20);
	ck_assert(!told.wrong);

	/* It can stop at any of them. */
	for (size_t most = 1; most < told.n; most += told.n / 7) {
		struct told some = { (const void *)all.data, &d, 0, most, false };
		ck_assert_no_error(exports_relocations(l.exports, note_relocation, &some));
		ck_assert_uint_eq(some.n, most);
	}
	library_close(&l);
}
END_TEST

START_TEST(of_several_versions_the_default_one_is_found)
{
	struct library l;

	ck_assert(library_open(&l, "libgomp.so.1"));
	const struct export *lock = exports_find(l.exports, "omp_set_nest_lock");
	ck_assert_ptr_nonnull(lock);
	ck_assert(!lock->other_version);
	struct dynsym d = dynsym_of(&l);
	size_t others = 0;
	for (size_t i = 1; i < d.n; i++) {
		if (strcmp(d.names + d.symbols[i].st_name, "omp_set_nest_lock") != 0)
			continue;
		bool other = d.versions[i] & 0x8000;
		others += other;
		ck_assert_int_eq(BIAS + d.symbols[i].st_value == lock->addr, !other);
	}
	ck_assert_uint_eq(others, 1);
	library_close(&l);
}
END_TEST

/* ---- tables made up here -------------------------------------------------------------------- */

enum { BASE = 0x400000, NSYMBOLS = 8 };

/* A module of one page: its tables lie as the members do. */
struct image {
	Elf64_Dyn dynamic[11];
	Elf64_Sym symbols[NSYMBOLS];
	uint16_t versions[NSYMBOLS];
	struct {
		uint32_t nbuckets, nchains, buckets[3], chains[NSYMBOLS];
	} hash;
	struct {
		uint32_t nbuckets, first, nfilter, shift;
		uint64_t filter[1];
		uint32_t buckets[1], chains[NSYMBOLS - 1];
	} gnu_hash;
	Elf64_Rela relocations[3];
	char strings[160];
};

static taddr place(size_t offset)
{
	return BASE + offset;
}
#define PLACE(member) place(offsetof(struct image, member))

static const char image_strings[] =
	"\0one\0two\0__one\0_one\0thread\0old\0lib.so\0V_1\0V_2\0inner\0needed";

static uint32_t name_at(const char *name)
{
	uint32_t at = 0;

	while (strcmp(image_strings + at, name) != 0) {
		at += (uint32_t)strlen(image_strings + at) + 1;
		ck_assert_uint_lt(at, sizeof(image_strings));
	}
	return at;
}

static Elf64_Sym symbol_of(const char *name, unsigned char type, uint64_t value, uint64_t size)
{
	return (Elf64_Sym){ .st_name = name_at(name),
			    .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
			    .st_shndx = 1,
			    .st_value = value,
			    .st_size = size };
}

static uint32_t hash_of(const char *name)
{
	uint32_t h = 0;

	for (; *name; name++) {
		h = (h << 4) + (unsigned char)*name;
		uint32_t high = h & 0xf0000000;
		h = (h ^ (high >> 24)) & ~high;
	}
	return h;
}

static void fill_hash(struct image *im)
{
	im->hash.nbuckets = COUNT(im->hash.buckets);
	im->hash.nchains = NSYMBOLS;
	for (uint32_t i = 1; i < NSYMBOLS; i++) {
		uint32_t *bucket =
			&im->hash.buckets[hash_of(im->strings + im->symbols[i].st_name) % 3];
		im->hash.chains[i] = *bucket;
		*bucket = i;
	}
}

static void fill_gnu_hash(struct image *im)
{
	im->gnu_hash.nbuckets = im->gnu_hash.nfilter = 1;
	im->gnu_hash.first = im->gnu_hash.buckets[0] = 1;
	im->gnu_hash.shift = 6;
	for (uint32_t i = 1; i < NSYMBOLS; i++) {
		uint32_t h = 5381;
		for (const char *c = im->strings + im->symbols[i].st_name; *c; c++)
			h = h * 33 + (unsigned char)*c;
		im->gnu_hash.filter[0] |= UINT64_C(1) << h % 64 | UINT64_C(1) << (h >> 6) % 64;
		im->gnu_hash.chains[i - 1] = (h & ~1U) | (i == NSYMBOLS - 1);
	}
}

static struct image image_of(int64_t hash_tag)
{
	struct image im = {
		.dynamic = {
			{ DT_SYMTAB, { PLACE(symbols) } },
			{ DT_STRTAB, { PLACE(strings) } },
			{ DT_STRSZ, { sizeof(im.strings) } },
			{ hash_tag, { hash_tag == DT_HASH ? PLACE(hash) : PLACE(gnu_hash) } },
			/* Not what the dynamic linker makes absolute. */
			{ DT_VERSYM, { PLACE(versions) - BASE } },
			{ DT_RELA, { PLACE(relocations) } },
			{ DT_RELASZ, { sizeof(im.relocations) } },
			{ DT_JMPREL, { PLACE(relocations[2]) } },
			{ DT_PLTRELSZ, { sizeof(*im.relocations) } },
		},
		.symbols = {
			{ 0 },
			symbol_of("one", STT_FUNC, 0x800, 0x40),
			symbol_of("two", STT_GNU_IFUNC, 0x840, 0x10),
			symbol_of("__one", STT_FUNC, 0x800, 0x40),
			symbol_of("_one", STT_FUNC, 0x800, 0x40),
			symbol_of("thread", STT_TLS, 0x10, 4),
			symbol_of("old", STT_OBJECT, 0x880, 0),
			symbol_of("inner", STT_FUNC, 0x810, 8),
		},
		.versions = { 0, 2, 3, 1, 0, 2, 0x8003, 99 },
		.relocations = {
			{ 0x900, ELF64_R_INFO(0, R_X86_64_RELATIVE), 0x800 },
			{ 0x908, ELF64_R_INFO(5, R_X86_64_TPOFF64), -1 },
			{ 0x910, ELF64_R_INFO(2, R_X86_64_JUMP_SLOT), 0 },
		},
	};

	memcpy(im.strings, image_strings, sizeof(image_strings));
	fill_hash(&im);
	fill_gnu_hash(&im);
	return im;
}

static const struct module image_module = {
	.path = (char *)"/lib/made-up.so",
	.start = BASE,
	.end = BASE + MEMORY_PAGE,
	.base = BASE,
	.bias = BASE,
	.dynamic = BASE + offsetof(struct image, dynamic),
};

static struct target *target_of(const struct image *im)
{
	struct fake_target *f = fake_target_new();

	_Static_assert(sizeof(*im) <= 0x800, "code begins there");
	fake_target_add(f, BASE, im, sizeof(*im));
	return &f->base;
}

static const int64_t hash_tags[] = { DT_HASH, DT_GNU_HASH };

START_TEST(either_hash_table_will_do)
{
	struct image im = image_of(hash_tags[_i]);
	AUTO_TARGET *t = target_of(&im);
	static const char *const defined[] = { "one",    "two", "__one", "_one",
					       "thread", "old", "inner" };
	struct exports *e;

	for (size_t i = 0; i < COUNT(defined); i++)
		ck_assert(exports_defines(t, &image_module, defined[i]));
	ck_assert(!exports_defines(t, &image_module, "on"));
	ck_assert(!exports_defines(t, &image_module, "onee"));
	ck_assert(!exports_defines(t, &image_module, "V_1"));
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	for (size_t i = 0; i < COUNT(defined); i++)
		ck_assert_str_eq(exports_find(e, defined[i])->name, defined[i]);
	exports_free(e);
}
END_TEST

START_TEST(exports_stay_within_the_budget)
{
	struct image im = image_of(DT_HASH);
	AUTO_TARGET *t = target_of(&im);
	struct budget some = { .left = 100 };
	struct exports *e;

	ck_assert_error(exports_read(t, &image_module, &some, &e), ERROR_UNSUPPORTED,
			"more than there is memory for");
	ck_assert_uint_eq(some.left, 100);
	some.left = 10000;
	ck_assert_no_error(exports_read(t, &image_module, &some, &e));
	ck_assert_uint_lt(some.left, 10000);
	exports_free(e);
	ck_assert_uint_eq(some.left, 10000);
}
END_TEST

START_TEST(undefined_and_local_symbols_are_no_exports)
{
	struct image im = image_of(hash_tags[_i]);

	im.symbols[1].st_shndx = SHN_UNDEF;
	im.symbols[2].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
	AUTO_TARGET *t = target_of(&im);
	struct exports *e;
	ck_assert(!exports_defines(t, &image_module, "one"));
	ck_assert(!exports_defines(t, &image_module, "two"));
	ck_assert(exports_defines(t, &image_module, "_one"));
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_ptr_null(exports_find(e, "one"));
	ck_assert_ptr_null(exports_find(e, "two"));
	ck_assert_ptr_nonnull(exports_find(e, "_one"));
	exports_free(e);
}
END_TEST

START_TEST(kinds_and_versions_of_exports)
{
	struct image im = image_of(hash_tags[_i]);
	AUTO_TARGET *t = target_of(&im);
	struct exports *e;

	im.symbols[6].st_shndx = SHN_ABS;
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	const struct export *two = exports_find(e, "two");
	ck_assert(two->function && two->addr == BASE + 0x840 && two->size == 0x10);
	const struct export *thread = exports_find(e, "thread");
	ck_assert(thread->thread_local && !thread->function && thread->addr == 0x10);
	const struct export *old = exports_find(e, "old");
	ck_assert(old->other_version && !old->function && old->addr == BASE + 0x880);
	exports_free(e);
}
END_TEST

START_TEST(the_best_name_of_several_at_one_address)
{
	struct image im = image_of(hash_tags[_i]);
	AUTO_TARGET *t = target_of(&im);
	struct exports *e;

	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_ptr_null(exports_at(e, BASE + 0x7ff));
	ck_assert_str_eq(exports_at(e, BASE + 0x800)->name, "one");
	ck_assert_str_eq(exports_at(e, BASE + 0x810)->name, "inner");
	ck_assert_str_eq(exports_at(e, BASE + 0x817)->name, "inner");
	ck_assert_str_eq(exports_at(e, BASE + 0x818)->name, "one");
	ck_assert_str_eq(exports_at(e, BASE + 0x83f)->name, "one");
	ck_assert_str_eq(exports_at(e, BASE + 0x840)->name, "two");
	ck_assert_ptr_null(exports_at(e, BASE + 0x850));
	ck_assert_ptr_null(exports_at(e, BASE + 0x880)); /* no function */
	exports_free(e);
}
END_TEST

static bool count_relocation(void *context, taddr slot, uint32_t type, const char *name,
			     int64_t addend)
{
	(void)slot, (void)type, (void)name, (void)addend;
	(*(size_t *)context)++;
	return true;
}

static bool is_third(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	*(bool *)context = slot == BASE + 0x910 && type == R_X86_64_JUMP_SLOT && !addend &&
			   !strcmp(name, "two");
	return true;
}

START_TEST(relocations_of_the_plt_are_told_once)
{
	struct image im = image_of(DT_GNU_HASH);
	struct exports *e;
	size_t n = 0;
	bool third = false;

	if (_i)
		im.dynamic[6].d_un.d_val -= sizeof(Elf64_Rela); /* not among the others */
	AUTO_TARGET *t = target_of(&im);
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_no_error(exports_relocations(e, count_relocation, &n));
	ck_assert_uint_eq(n, 3);
	ck_assert_no_error(exports_relocations(e, is_third, &third));
	ck_assert(third);
	exports_free(e);
}
END_TEST

/* ---- tables that make no sense ------------------------------------------------------------ */

START_TEST(a_module_without_dynamic_section_exports_nothing)
{
	struct image im = image_of(DT_HASH);
	AUTO_TARGET *t = target_of(&im);
	struct module m = image_module;
	struct exports *e;

	m.dynamic = 0;
	ck_assert(!exports_defines(t, &m, "one"));
	ck_assert_error(exports_read(t, &m, &plenty, &e), ERROR_NOT_FOUND,
			"made-up.so: no dynamic section");
	m.dynamic = 0x10000;
	ck_assert(!exports_defines(t, &m, "one"));
	ck_assert_error(exports_read(t, &m, &plenty, &e), ERROR_NO_ADDRESS, "dynamic section");
}
END_TEST

enum damage {
	SYMBOLS_OUTSIDE,
	STRINGS_OUTSIDE,
	STRINGS_TOO_LONG,
	NO_HASH,
	HASH_OUTSIDE,
	NO_BUCKETS,
	WILD_COUNT,
	NUM_DAMAGES,
};

static void damage(struct image *im, enum damage how)
{
	switch (how) {
	case SYMBOLS_OUTSIDE:
		im->dynamic[0].d_un.d_val = BASE + 0x2000;
		break;
	case STRINGS_OUTSIDE:
		im->dynamic[1].d_un.d_val = BASE - 0x1000;
		break;
	case STRINGS_TOO_LONG:
		im->dynamic[2].d_un.d_val = UINT64_MAX;
		break;
	case NO_HASH:
		im->dynamic[3].d_tag = DT_FLAGS;
		break;
	case HASH_OUTSIDE:
		im->dynamic[3].d_un.d_val = 0x123456789;
		break;
	case NO_BUCKETS:
		im->hash.nbuckets = im->gnu_hash.nbuckets = 0;
		im->hash.nchains = 0;
		break;
	case WILD_COUNT:
		im->hash.nbuckets = im->gnu_hash.nfilter = 0x7fffffff;
		im->hash.nchains = 1 << 20;
		break;
	case NUM_DAMAGES:
		break;
	}
}

START_TEST(damaged_tables_are_errors)
{
	struct image im = image_of(hash_tags[_i % 2]);
	struct exports *e;

	damage(&im, _i / 2);
	AUTO_TARGET *t = target_of(&im);
	ck_assert(!exports_defines(t, &image_module, "one"));
	struct error *err = exports_read(t, &image_module, &plenty, &e);
	ck_assert_ptr_nonnull(err);
	ck_assert_msg(!strncmp(error_message(err), "made-up.so: ", 12), "%s", error_message(err));
	ck_assert(error_is(err, ERROR_BAD_DATA) || error_is(err, ERROR_NO_ADDRESS));
	error_free(err);
}
END_TEST

START_TEST(a_hash_chain_that_does_not_end_ends)
{
	struct image im = image_of(hash_tags[_i]);
	struct exports *e;

	for (uint32_t i = 0; i < NSYMBOLS; i++)
		im.hash.chains[i] = i ? 1 : 0;
	for (uint32_t i = 0; i < 3; i++)
		im.hash.buckets[i] = 1;
	for (uint32_t i = 0; i < NSYMBOLS - 1; i++)
		im.gnu_hash.chains[i] = 2;
	im.gnu_hash.filter[0] = UINT64_MAX;
	AUTO_TARGET *t = target_of(&im);
	ck_assert(!exports_defines(t, &image_module, "two"));
	/* The GNU table's chain ends with the first odd word behind it: more symbols than there
	 * are. */
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_ptr_nonnull(exports_find(e, "two"));
	exports_free(e);
}
END_TEST

START_TEST(wild_names_and_indices_are_left_out)
{
	struct image im = image_of(DT_GNU_HASH);
	struct exports *e;
	size_t n = 0;

	im.symbols[1].st_name = UINT32_MAX;
	im.symbols[2].st_name = sizeof(im.strings);
	im.symbols[3].st_name = sizeof(im.strings) - 4;
	memset(im.strings + sizeof(im.strings) - 4, 'z', 4); /* not terminated */
	im.symbols[7].st_size = UINT64_MAX;
	im.relocations[0].r_offset = UINT64_MAX / 2;
	im.relocations[1].r_info = ELF64_R_INFO(UINT32_MAX, R_X86_64_64);
	AUTO_TARGET *t = target_of(&im);
	ck_assert(!exports_defines(t, &image_module, "one"));
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_ptr_null(exports_find(e, ""));
	ck_assert_ptr_null(exports_find(e, "one"));
	ck_assert_ptr_nonnull(exports_find(e, "zzzz"));
	ck_assert_ptr_null(exports_at(e, BASE + 0x900));
	ck_assert_no_error(exports_relocations(e, count_relocation, &n));
	ck_assert_uint_eq(n, 2);
	exports_free(e);
}
END_TEST

START_TEST(relocations_outside_of_the_module_are_an_error)
{
	static const uint64_t sizes[] = { UINT64_MAX, 0x10000, 24 * (UINT64_C(1) << 40) };
	struct image im = image_of(DT_GNU_HASH);
	struct exports *e;
	size_t n = 0;

	im.dynamic[6].d_un.d_val = sizes[_i];
	AUTO_TARGET *t = target_of(&im);
	ck_assert_no_error(exports_read(t, &image_module, &plenty, &e));
	ck_assert_error(exports_relocations(e, count_relocation, &n), ERROR_BAD_DATA,
			"made-up.so: ");
	exports_free(e);
}
END_TEST

START_TEST(any_damage_is_survived)
{
	uint64_t seed = (uint64_t)_i + 1;

	for (unsigned int round = 0; round < 3000; round++) {
		struct image im = image_of(hash_tags[round % 2]);
		struct exports *e = NULL;
		size_t n = 0;
		for (unsigned int i = 0; i < 1 + round % 8; i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			/* Values near the borders are worse than others. */
			static const uint8_t bytes[] = { 0, 1, 0x7f, 0x80, 0xff };
			((uint8_t *)&im)[(seed >> 33) % offsetof(struct image, strings)] =
				bytes[(seed >> 20) % COUNT(bytes)];
		}
		AUTO_TARGET *t = target_of(&im);
		exports_defines(t, &image_module, "inner");
		struct error *err = exports_read(t, &image_module, &plenty, &e);
		for (taddr pc = BASE; !err && pc < BASE + MEMORY_PAGE; pc += 8)
			exports_at(e, pc);
		if (!err) {
			exports_find(e, "two");
			error_free(exports_relocations(e, count_relocation, &n));
		}
		error_free(err);
		exports_free(e);
	}
}
END_TEST

#define add_loop(s, name, n)                                                                       \
	do {                                                                                       \
		TCase *its_case = tcase_create(#name);                                             \
		suite_add_tcase(s, its_case);                                                      \
		tcase_add_loop_test(its_case, name, 0, (int)(n));                                  \
	} while (0)

int main(void)
{
	Suite *s = suite_create("exports");

	unit_table(s, what_a_library_defines_is_defined_and_nothing_else, libraries);
	unit_table(s, exports_are_those_of_dynsym, libraries);
	unit_table(s, functions_are_found_by_any_address_in_them, libraries);
	unit_table(s, first_questions_are_answered_as_later_ones, libraries);
	unit_table(s, relocations_are_those_of_rela_dyn_and_rela_plt, libraries);
	unit_table(s, either_hash_table_will_do, hash_tags);
	unit_table(s, undefined_and_local_symbols_are_no_exports, hash_tags);
	unit_table(s, kinds_and_versions_of_exports, hash_tags);
	unit_table(s, the_best_name_of_several_at_one_address, hash_tags);
	unit_table(s, a_hash_chain_that_does_not_end_ends, hash_tags);
	add_loop(s, damaged_tables_are_errors, 2 * NUM_DAMAGES);
	add_loop(s, relocations_outside_of_the_module_are_an_error, 3);
	add_loop(s, relocations_of_the_plt_are_told_once, 2);
	add_loop(s, any_damage_is_survived, 4);
	unit_case(s, "exports", exports_stay_within_the_budget,
		  of_several_versions_the_default_one_is_found,
		  a_module_without_dynamic_section_exports_nothing,
		  wild_names_and_indices_are_left_out);
	return unit_run(s);
}
