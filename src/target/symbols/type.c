/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/type.h"

#include <string.h>

#include "base/map.h"

enum { CHAIN_MAX = 64 };

/* ---- what needs no program -------------------------------------------------------------- */

#define BASIC(its_kind, its_name, its_size, its_sign)                                              \
	{                                                                                          \
		.kind = (its_kind), .name = (its_name), .size = (its_size),                        \
		.is_signed = (its_sign)                                                            \
	}
const struct type type_unknown = BASIC(TYPE_OTHER, "<unknown type>", 0, false);
const struct type type_void = BASIC(TYPE_VOID, "void", 1, false);
const struct type type_bool = BASIC(TYPE_BOOL, "bool", 1, false);
const struct type type_char = BASIC(TYPE_CHAR, "char", 1, true);
const struct type type_signed_char = BASIC(TYPE_CHAR, "signed char", 1, true);
const struct type type_unsigned_char = BASIC(TYPE_CHAR, "unsigned char", 1, false);
const struct type type_short = BASIC(TYPE_INT, "short", 2, true);
const struct type type_unsigned_short = BASIC(TYPE_INT, "unsigned short", 2, false);
const struct type type_int = BASIC(TYPE_INT, "int", 4, true);
const struct type type_unsigned_int = BASIC(TYPE_INT, "unsigned int", 4, false);
const struct type type_long = BASIC(TYPE_INT, "long", 8, true);
const struct type type_unsigned_long = BASIC(TYPE_INT, "unsigned long", 8, false);
const struct type type_long_long = BASIC(TYPE_INT, "long long", 8, true);
const struct type type_unsigned_long_long = BASIC(TYPE_INT, "unsigned long long", 8, false);
const struct type type_int128 = BASIC(TYPE_INT, "__int128", 16, true);
const struct type type_unsigned_int128 = BASIC(TYPE_INT, "unsigned __int128", 16, false);
const struct type type_float = BASIC(TYPE_FLOAT, "float", 4, true);
const struct type type_double = BASIC(TYPE_FLOAT, "double", 8, true);
const struct type type_long_double = BASIC(TYPE_FLOAT, "long double", 16, true);

const struct type type_text_symbol =
	BASIC(TYPE_FUNCTION, "<text variable, no debug info>", 1, false);
const struct type type_data_symbol = BASIC(TYPE_OTHER, "<data variable, no debug info>", 0, false);
static const struct type no_function = { .kind = TYPE_FUNCTION, .target = &type_void, .size = 1 };
const struct type type_code_pointer = { .kind = TYPE_POINTER, .size = 8, .target = &no_function };
const struct type type_data_pointer = { .kind = TYPE_POINTER, .size = 8, .target = &type_void };
const struct type type_null_pointer = {
	.kind = TYPE_ALIAS, .name = "decltype(nullptr)", .size = 8, .target = &type_data_pointer
};

/* The words of C that make up the names of basic types. */
enum word {
	UNSIGNED,
	SIGNED,
	CHAR,
	SHORT,
	LONG,
	INT,
	INT128,
	FLOAT,
	DOUBLE,
	BOOL,
	VOID,
	NUM_WORDS
};
static const char *const words[][2] = {
	[UNSIGNED] = { "unsigned" },  [SIGNED] = { "signed" }, [CHAR] = { "char" },
	[SHORT] = { "short" },        [LONG] = { "long" },     [INT] = { "int" },
	[INT128] = { "__int128" },    [FLOAT] = { "float" },   [DOUBLE] = { "double" },
	[BOOL] = { "_Bool", "bool" }, [VOID] = { "void" },
};

static const struct {
	uint8_t counts[NUM_WORDS]; /* how often each word is there */
	const struct type *type;
} basics[] = {
	{ { [UNSIGNED] = 1 }, &type_unsigned_int },
	{ { [SIGNED] = 1 }, &type_int },
	{ { [CHAR] = 1 }, &type_char },
	{ { [SIGNED] = 1, [CHAR] = 1 }, &type_signed_char },
	{ { [UNSIGNED] = 1, [CHAR] = 1 }, &type_unsigned_char },
	{ { [SHORT] = 1 }, &type_short },
	{ { [UNSIGNED] = 1, [SHORT] = 1 }, &type_unsigned_short },
	{ { [LONG] = 1 }, &type_long },
	{ { [UNSIGNED] = 1, [LONG] = 1 }, &type_unsigned_long },
	{ { [LONG] = 2 }, &type_long_long },
	{ { [UNSIGNED] = 1, [LONG] = 2 }, &type_unsigned_long_long },
	{ { [INT128] = 1 }, &type_int128 },
	{ { [UNSIGNED] = 1, [INT128] = 1 }, &type_unsigned_int128 },
	{ { [FLOAT] = 1 }, &type_float },
	{ { [DOUBLE] = 1 }, &type_double },
	{ { [LONG] = 1, [DOUBLE] = 1 }, &type_long_double },
	{ { [BOOL] = 1 }, &type_bool },
	{ { [VOID] = 1 }, &type_void },
	{ { [INT] = 1 }, &type_int },
};

static bool count_word(const char *word, size_t len, uint8_t counts[NUM_WORDS])
{
	for (size_t i = 0; i < NUM_WORDS; i++) {
		for (size_t k = 0; k < 2; k++) {
			const char *known = words[i][k];
			if (known && strlen(known) == len && !strncmp(known, word, len))
				return counts[i]++ < 2;
		}
	}
	return false;
}

const struct type *type_find_basic(const char *name)
{
	uint8_t counts[NUM_WORDS] = { 0 };

	for (size_t len; *name; name += len) {
		name += strspn(name, " \t");
		len = strcspn(name, " \t");
		if (len && !count_word(name, len, counts))
			return NULL;
	}
	/* "int" and "signed" add nothing where another word tells the size. */
	bool sized = counts[SHORT] || counts[LONG] || counts[UNSIGNED] || counts[SIGNED];
	counts[INT] -= sized && counts[INT] == 1;
	counts[SIGNED] -= counts[SIGNED] == 1 && (counts[SHORT] || counts[LONG] || counts[INT128]);
	for (size_t i = 0; i < sizeof(basics) / sizeof(*basics); i++) {
		if (!memcmp(basics[i].counts, counts, sizeof(counts)))
			return basics[i].type;
	}
	return NULL;
}

/* ---- stores ----------------------------------------------------------------------------- */

struct type_store {
	VEC(void *) pieces;       /* owned                                 */
	struct hash_map pointers; /* by what they point to                 */
	struct hash_map made;     /* lists of types by what they are like  */
	size_t owners;
	struct type_source source; /* all NULL: none                        */
};

struct type_store *type_store_new(void)
{
	struct type_store *s = calloc(1, sizeof(*s));

	if (s)
		s->owners = 1;
	return s;
}

void type_store_set_source(struct type_store *s, const struct type_source *source)
{
	s->source = source ? *source : (struct type_source){ 0 };
}

struct hash_map *type_store_made(struct type_store *s)
{
	return &s->made;
}

struct type_store *type_store_share(struct type_store *s)
{
	s->owners++;
	return s;
}

void type_store_free(struct type_store *s)
{
	if (!s || --s->owners)
		return;
	vec_fini_all(&s->pieces);
	map_fini(&s->pointers);
	map_fini(&s->made);
	free(s);
}

void *type_alloc(struct type_store *s, size_t n, size_t size)
{
	void *piece = calloc(n ? n : 1, size);

	if (piece && !vec_push(&s->pieces, piece)) {
		free(piece);
		return NULL;
	}
	return piece;
}

char *type_copy_text(struct type_store *s, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = type_alloc(s, 1, size);

	return copy ? memcpy(copy, text, size) : NULL;
}

struct type *type_new(struct type_store *s, enum type_kind kind, const char *name, uint64_t size)
{
	struct type *t = type_alloc(s, 1, sizeof(*t));

	if (!t)
		return NULL;
	t->kind = kind;
	t->size = size;
	t->store = s;
	t->name = name ? type_copy_text(s, name) : NULL;
	return name && !t->name ? NULL : t;
}

const struct type *type_pointer_to(struct type_store *s, const struct type *target)
{
	struct map_item *item = map_add(&s->pointers, map_key(target));

	if (!item)
		return NULL;
	if (!item->pointer) {
		struct type *t = type_new(s, TYPE_POINTER, NULL, 8);
		if (t) {
			t->target = target;
			t->is_fortran = target && target->is_fortran;
		}
		item->pointer = t;
	}
	return item->pointer;
}

const struct type *type_array_of(struct type_store *s, const struct type *target, uint64_t count)
{
	struct type *t = type_new(s, TYPE_ARRAY, NULL, 0);

	if (!t || __builtin_mul_overflow(type_size(target), count, &t->size))
		return NULL;
	t->target = target;
	t->count = count;
	t->is_fortran = target->is_fortran;
	t->lower = t->is_fortran;
	return t;
}

/* ---- qualifiers ------------------------------------------------------------------------- */

static bool is_qualifier(const struct type *t)
{
	return t->kind == TYPE_CONST || t->kind == TYPE_VOLATILE || t->kind == TYPE_RESTRICT ||
	       t->kind == TYPE_ATOMIC;
}

/* ---- questions -------------------------------------------------------------------------- */

/* Whoever holds a type sees no difference: it is the same with more known of it. */
static struct type *own_struct(const struct type *t)
{
	struct type *own = (struct type *)type_strip(t);

	return own->kind == TYPE_STRUCT ? own : NULL;
}

const struct type_member *type_members(const struct type *t, size_t *ret_n)
{
	struct type *own = own_struct(t);
	const struct type_source *source = own && own->store ? &own->store->source : NULL;

	*ret_n = 0;
	if (!own)
		return NULL;
	if (!own->is_complete && source && source->members) {
		own->is_complete = true; /* before: it may hold what holds itself */
		source->members(source->context, own);
	}
	*ret_n = own->nmembers;
	return own->members;
}

static struct type *with_others(const struct type *t)
{
	struct type *own = own_struct(t);
	const struct type_source *source = own && own->store ? &own->store->source : NULL;

	if (own && !own->is_all_complete && source && source->others) {
		own->is_all_complete = true;
		source->others(source->context, own);
	}
	return own;
}

const struct type_method *type_methods(const struct type *t, size_t *ret_n)
{
	const struct type *own = with_others(t);

	*ret_n = own ? own->nmethods : 0;
	return own ? own->methods : NULL;
}

const struct type_naming *type_namings(const struct type *t, size_t *ret_n)
{
	const struct type *own = with_others(t);

	*ret_n = own ? own->nnamings : 0;
	return own ? own->namings : NULL;
}

static const struct type *skip(const struct type *t, bool aliases)
{
	for (size_t i = 0; t && i < CHAIN_MAX; i++) {
		if (!is_qualifier(t) && !(aliases && t->kind == TYPE_ALIAS))
			return t;
		t = t->target;
	}
	return &type_void;
}

const struct type *type_strip(const struct type *t)
{
	return skip(t, true);
}

const struct type *type_unqualified(const struct type *t)
{
	return skip(t, false);
}

bool type_is_struct(const struct type *t)
{
	return type_strip(t)->kind == TYPE_STRUCT;
}

bool type_is_integer(const struct type *t)
{
	enum type_kind kind = type_strip(t)->kind;

	return kind == TYPE_INT || kind == TYPE_CHAR || kind == TYPE_BOOL || kind == TYPE_ENUM;
}

bool type_is_pointer(const struct type *t)
{
	enum type_kind kind = type_strip(t)->kind;

	return kind == TYPE_POINTER || kind == TYPE_REFERENCE;
}

bool type_is_scalar(const struct type *t)
{
	return type_is_integer(t) || type_is_pointer(t) || type_strip(t)->kind == TYPE_FLOAT;
}

bool type_is_text(const struct type *t)
{
	t = type_strip(t);
	return t->kind == TYPE_CHAR && t->size == 1;
}

size_t type_text_width(const struct type *t, const char **ret_prefix)
{
	static const char *const wide[][2] = {
		{ "wchar_t", "L" },
		{ "char16_t", "u" },
		{ "char32_t", "U" },
	};
	const struct type *its = type_strip(t);

	*ret_prefix = NULL;
	for (size_t i = 0; type_is_integer(its) && t && i < CHAIN_MAX; i++, t = t->target) {
		for (size_t k = 0; t->name && k < sizeof(wide) / sizeof(*wide); k++) {
			if (strcmp(t->name, wide[k][0]) != 0)
				continue;
			*ret_prefix = wide[k][1];
			return its->size == 2 || its->size == 4 ? its->size : 0;
		}
	}
	return its->kind == TYPE_CHAR && its->size == 1;
}

uint64_t type_size(const struct type *t)
{
	size_t n;

	t = type_strip(t);
	if (t->is_declared)
		type_members(t, &n);
	return t->size;
}
