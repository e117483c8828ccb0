/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/type.h"

#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "target/symbols/type_parts.h"

enum { CHAIN_MAX = 64 };

/* ---- what needs no program -------------------------------------------------------------- */

#define BASIC(its_kind, its_name, its_size, its_sign)                                              \
	{                                                                                          \
		.kind = (its_kind), .name = (its_name), .size = (its_size),                        \
		.is_signed = (its_sign)                                                            \
	}
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
	void (*complete)(void *context, struct type *t); /* NULL: nobody does */
	void *context;
};

struct type_store *type_store_new(void)
{
	struct type_store *s = calloc(1, sizeof(*s));

	if (s)
		s->owners = 1;
	return s;
}

void type_store_set_source(struct type_store *s, void (*complete)(void *context, struct type *t),
			   void *context)
{
	s->complete = complete;
	s->context = context;
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

static const struct {
	enum type_kind kind;
	const char *word;
} qualifiers[] = {
	{ TYPE_CONST, "const" },
	{ TYPE_VOLATILE, "volatile" },
	{ TYPE_RESTRICT, "restrict" },
	{ TYPE_ATOMIC, "_Atomic" },
};
enum { NUM_QUALIFIERS = sizeof(qualifiers) / sizeof(*qualifiers) };

/* NULL: it is none. */
static const char *qualifier(const struct type *t)
{
	for (size_t i = 0; i < NUM_QUALIFIERS; i++) {
		if (qualifiers[i].kind == t->kind)
			return qualifiers[i].word;
	}
	return NULL;
}

/* ---- questions -------------------------------------------------------------------------- */

const struct type_member *type_members(const struct type *t, size_t *ret_n)
{
	/* Whoever holds a type sees no difference: it is the same with more known of it. */
	struct type *own = (struct type *)type_strip(t);

	*ret_n = 0;
	if (own->kind != TYPE_STRUCT)
		return NULL;
	if (!own->is_complete && own->store && own->store->complete) {
		own->is_complete = true; /* before: it may hold what holds itself */
		own->store->complete(own->store->context, own);
	}
	*ret_n = own->nmembers;
	return own->members;
}

static const struct type *skip(const struct type *t, bool aliases)
{
	for (size_t i = 0; t && i < CHAIN_MAX; i++) {
		if (!qualifier(t) && !(aliases && t->kind == TYPE_ALIAS))
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

uint64_t type_size(const struct type *t)
{
	size_t n;

	t = type_strip(t);
	if (t->is_declared)
		type_members(t, &n);
	return t->size;
}

/* ---- names ------------------------------------------------------------------------------ */

static void add_name(struct buf *out, const struct type *t, size_t depth);

static bool is_wrapper(const struct type *t)
{
	return t->kind == TYPE_POINTER || t->kind == TYPE_REFERENCE || t->kind == TYPE_ARRAY ||
	       t->kind == TYPE_MEMBER_POINTER || (t->kind == TYPE_FUNCTION && !t->name);
}

/* Qualifiers of a pointer stand behind its star; those of all else in front. */
static bool is_qualified_wrapper(const struct type *t)
{
	if (!qualifier(t))
		return false;
	const struct type *target = type_unqualified(t);
	return target->kind == TYPE_POINTER || target->kind == TYPE_REFERENCE ||
	       target->kind == TYPE_MEMBER_POINTER;
}

/* What all of the declarator applies to. */
static const struct type *base_of(const struct type *t)
{
	for (size_t i = 0; t && i < CHAIN_MAX; i++) {
		if (!is_wrapper(t) && !is_qualified_wrapper(t))
			return t;
		t = t->target;
	}
	return &type_void;
}

/* Each qualifier of a type once, in the order of their table. Returns what they qualify. */
static const struct type *add_qualifiers(struct buf *out, const struct type *t, bool before)
{
	bool has[NUM_QUALIFIERS] = { false };

	for (size_t n = 0; qualifier(t) && n < CHAIN_MAX; n++) {
		for (size_t i = 0; i < NUM_QUALIFIERS; i++)
			has[i] |= qualifiers[i].kind == t->kind;
		t = t->target ? t->target : &type_void;
	}
	for (size_t i = 0; i < NUM_QUALIFIERS; i++) {
		if (has[i])
			buf_addf(out, before ? "%s " : " %s", qualifiers[i].word);
	}
	return t;
}

static void add_base(struct buf *out, const struct type *t)
{
	t = add_qualifiers(out, t, true);
	if (t->tag && !(t->name && t->is_cxx))
		buf_addf(out, t->name ? "%s " : "%s {...}", t->tag);
	if (t->name)
		buf_adds(out, t->name);
	else if (!t->tag)
		buf_adds(out, "?");
}

static bool needs_parentheses(const struct type *target)
{
	return target &&
	       (target->kind == TYPE_ARRAY || (target->kind == TYPE_FUNCTION && !target->name));
}

/* "Class::" in front of the star of a pointer to its members. */
static void add_holder(struct buf *out, const struct type *t)
{
	const struct type *holder = t->holder ? type_strip(t->holder) : NULL;

	if (holder && holder->name)
		buf_addf(out, "%s::", holder->name);
}

static void add_prefix(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0 || (!is_wrapper(t) && !is_qualified_wrapper(t)))
		return;
	if (is_qualified_wrapper(t)) {
		add_prefix(out, type_unqualified(t), depth - 1);
		add_qualifiers(out, t, false);
		return;
	}
	add_prefix(out, t->target, depth - 1);
	if (t->target && is_qualified_wrapper(t->target))
		buf_addc(out, ' ');
	if (t->kind != TYPE_ARRAY && t->kind != TYPE_FUNCTION) {
		buf_adds(out, needs_parentheses(t->target) ? "(" : "");
		if (t->kind == TYPE_MEMBER_POINTER)
			add_holder(out, t);
		buf_adds(out, t->kind != TYPE_REFERENCE ? "*" : t->is_rvalue ? "&&" : "&");
	}
}

static void add_parameters(struct buf *out, const struct type *t, size_t depth)
{
	buf_addc(out, '(');
	for (size_t i = 0; i < t->nparameters; i++) {
		buf_adds(out, i ? ", " : "");
		add_name(out, t->parameters[i], depth);
	}
	if (t->varargs)
		buf_adds(out, t->nparameters ? ", ..." : "...");
	else if (!t->nparameters && t->prototyped)
		buf_adds(out, "void");
	buf_addc(out, ')');
}

static void add_suffix(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0 || (!is_wrapper(t) && !is_qualified_wrapper(t)))
		return;
	if (t->kind == TYPE_ARRAY && t->count)
		buf_addf(out, "[%" PRIu64 "]", t->count);
	else if (t->kind == TYPE_ARRAY && t->dynamic)
		buf_adds(out, "[variable length]");
	else if (t->kind == TYPE_ARRAY)
		buf_adds(out, "[]");
	else if (t->kind == TYPE_FUNCTION)
		add_parameters(out, t, depth - 1);
	else if (needs_parentheses(t->target))
		buf_addc(out, ')');
	add_suffix(out, t->target, depth - 1);
}

void type_add_inner_name(struct buf *out, const struct type *t, size_t depth)
{
	add_name(out, t, depth);
}

static void add_name(struct buf *out, const struct type *t, size_t depth)
{
	if (!t || depth == 0) {
		buf_adds(out, "void");
		return;
	}
	if (t->is_fortran) {
		type_add_fortran_name(out, t, depth);
		return;
	}
	add_base(out, base_of(t));
	if (!is_wrapper(t) && !is_qualified_wrapper(t))
		return;
	buf_addc(out, ' ');
	add_prefix(out, t, depth);
	add_suffix(out, t, depth);
}

void type_add_name(struct buf *out, const struct type *t)
{
	add_name(out, t, 16);
}
