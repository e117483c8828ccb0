/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/type_reader.h"

#include <dwarf.h>

#include "target/symbols/location_reader.h"

enum {
	DEPTH_MAX = 48,      /* of types within types   */
	CHAIN_MAX = 1 << 12, /* of qualifiers, names and arrays of one type */
	PARTS_MAX = 1 << 16, /* of a type: enumerators, parameters, dimensions */
};

static const struct {
	int tag;
	enum type_kind kind;
	const char *word; /* of C, in front of its name */
} tags[] = {
	{ DW_TAG_base_type, TYPE_INT, NULL },
	{ DW_TAG_unspecified_type, TYPE_VOID, NULL },
	{ DW_TAG_pointer_type, TYPE_POINTER, NULL },
	{ DW_TAG_reference_type, TYPE_REFERENCE, NULL },
	{ DW_TAG_rvalue_reference_type, TYPE_REFERENCE, NULL },
	{ DW_TAG_typedef, TYPE_ALIAS, NULL },
	{ DW_TAG_const_type, TYPE_CONST, NULL },
	{ DW_TAG_volatile_type, TYPE_VOLATILE, NULL },
	{ DW_TAG_restrict_type, TYPE_RESTRICT, NULL },
	{ DW_TAG_atomic_type, TYPE_ATOMIC, NULL },
	{ DW_TAG_enumeration_type, TYPE_ENUM, "enum" },
	{ DW_TAG_array_type, TYPE_ARRAY, NULL },
	{ DW_TAG_subroutine_type, TYPE_FUNCTION, NULL },
	{ DW_TAG_structure_type, TYPE_STRUCT, "struct" },
	{ DW_TAG_class_type, TYPE_STRUCT, "class" },
	{ DW_TAG_union_type, TYPE_STRUCT, "union" },
	{ DW_TAG_namelist, TYPE_STRUCT, "struct" },
	{ DW_TAG_ptr_to_member_type, TYPE_MEMBER_POINTER, NULL },
	{ DW_TAG_string_type, TYPE_ARRAY, NULL },
};

static const struct {
	unsigned int encoding;
	enum type_kind kind;
	bool is_signed;
} encodings[] = {
	{ DW_ATE_signed, TYPE_INT, true },       { DW_ATE_unsigned, TYPE_INT, false },
	{ DW_ATE_signed_char, TYPE_CHAR, true }, { DW_ATE_unsigned_char, TYPE_CHAR, false },
	{ DW_ATE_UTF, TYPE_CHAR, false },        { DW_ATE_boolean, TYPE_BOOL, false },
	{ DW_ATE_float, TYPE_FLOAT, true },      { DW_ATE_address, TYPE_INT, false },
};

void type_reader_forget(struct type_reader *r)
{
	map_fini(&r->known);
	r->known = (struct hash_map){ 0 };
	die_lists_fini(&r->lists);
}

/* What dwz has moved to a unit of its own is of the language of who refers to it. */
static enum die_language language_of(const struct type_reader *r, Dwarf_Die *die)
{
	enum die_language its = die_language(die);

	return its ? its : r->language;
}

static bool is_cxx(const struct type_reader *r, Dwarf_Die *die)
{
	return language_of(r, die) == DIE_LANGUAGE_CXX;
}

/* Of C++: what programmers have named bears the scopes around it. */
static void name_with_scopes(struct type_reader *r, Dwarf_Die *die, struct type *t)
{
	AUTO_BUF text = { 0 };

	t->is_cxx = (t->tag || t->kind == TYPE_ALIAS) && is_cxx(r, die);
	if (!t->name || !t->is_cxx)
		return;
	die_add_scopes(&r->lists, die, r->spans, &text);
	buf_adds(&text, t->name);
	const char *name = type_copy_text(r->store, buf_text(&text));
	t->name = name ? name : t->name;
}

static bool is_quad(const struct type *t)
{
	return t->size == 16 && t->name &&
	       (strstr(t->name, "128") || !strcmp(t->name, "real(kind=16)"));
}

/* What a complex number consists of. */
static void set_component(struct type_reader *r, struct type *t)
{
	static const char *const names[][2] = {
		{ "float", "real(kind=4)" },
		{ "double", "real(kind=8)" },
		{ "long double", "real(kind=10)" },
		{ "_Float16", "real(kind=2)" },
	};
	size_t row = t->size == 8 ? 0 : t->size == 16 ? 1 : t->size == 32 ? 2 : 3;

	if (t->size != 4 && t->size != 8 && t->size != 16 && t->size != 32)
		return;
	const char *name = names[row][t->is_fortran];
	if (t->name && row == 2 && t->is_fortran && !strcmp(t->name, "complex(kind=16)"))
		name = "real(kind=16)";
	struct type *part = type_new(r->store, TYPE_FLOAT, name, t->size / 2);
	if (!part)
		return;
	part->is_signed = true;
	part->is_fortran = t->is_fortran;
	part->is_quad = t->size == 32 && t->name &&
			(strstr(t->name, "128") || !strcmp(name, "real(kind=16)"));
	t->target = part;
	t->kind = TYPE_COMPLEX;
}

static void set_encoding(struct type_reader *r, struct type *t, Dwarf_Die *die)
{
	uint64_t encoding = die_number(die, DW_AT_encoding);

	t->kind = TYPE_OTHER;
	for (size_t i = 0; i < sizeof(encodings) / sizeof(*encodings); i++) {
		if (encodings[i].encoding != encoding)
			continue;
		t->kind = encodings[i].kind;
		t->is_signed = encodings[i].is_signed;
	}
	/* gcc says "unsigned" of it, clang UTF. */
	if (t->kind == TYPE_INT && t->name && !strcmp(t->name, "char8_t"))
		t->kind = TYPE_CHAR;
	if (encoding == DW_ATE_complex_float) {
		set_component(r, t);
		return;
	}
	/* Two bytes are binary16, unless they are called __bf16. */
	bool half = t->size == 2 && t->name && !strstr(t->name, "bf");
	bool fits = t->kind == TYPE_FLOAT ? half || t->size == 4 || t->size == 8 || t->size == 16
					  : t->size && t->size <= 16;
	if (!fits)
		t->kind = TYPE_OTHER;
	t->is_quad = is_quad(t);
	/* "long unsigned int" is how gcc writes what others call "unsigned long". */
	const struct type *basic = t->name ? type_find_basic(t->name) : NULL;
	if (basic && basic->kind == t->kind && (t->kind == TYPE_INT || t->kind == TYPE_CHAR))
		t->name = basic->name;
}

/* How many children of an entry have that tag. */
static size_t count_children(Dwarf_Die *die, int tag)
{
	Dwarf_Die child;
	size_t n = 0;

	for (int more = dwarf_child(die, &child); more == 0 && n < PARTS_MAX;
	     more = dwarf_siblingof(&child, &child))
		n += dwarf_tag(&child) == tag;
	return n;
}

static int64_t constant_of(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	int64_t value;

	return die_constant(dwarf_attr(die, DW_AT_const_value, &its), &value) ? value : 0;
}

static bool is_bit(int64_t value)
{
	return value > 0 && !(value & (value - 1));
}

static void read_enumerators(struct type_reader *r, struct type *t, Dwarf_Die *die)
{
	size_t n = count_children(die, DW_TAG_enumerator);
	AUTO_BUF scopes = { 0 };
	Dwarf_Die child;

	/* Of an "enum class" they bear its name, too. */
	if (dwarf_hasattr(die, DW_AT_enum_class))
		t->tag = "enum class";
	if (t->is_cxx && t->name && dwarf_hasattr(die, DW_AT_enum_class))
		buf_addf(&scopes, "%s::", t->name);
	else if (is_cxx(r, die))
		die_add_scopes(&r->lists, die, r->spans, &scopes);
	struct type_enumerator *all = type_alloc(r->store, n, sizeof(*all));
	t->enumerators = all;
	t->is_flags = n > 0;
	for (int more = all ? dwarf_child(die, &child) : 1; more == 0 && t->nenumerators < n;
	     more = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_enumerator)
			continue;
		const char *name = die_string(&child, DW_AT_name, r->spans);
		struct type_enumerator *e = &all[t->nenumerators];
		AUTO_BUF full = { 0 };
		buf_addf(&full, "%s%s", buf_text(&scopes), name ? name : "");
		e->value = constant_of(&child);
		e->name = name ? type_copy_text(r->store, buf_text(&full)) : NULL;
		t->nenumerators += e->name != NULL;
		t->is_signed |= e->value < 0;
		t->is_flags &= e->value == 0 || is_bit(e->value);
	}
	const struct type *underlying = t->target ? type_strip(t->target) : NULL;
	if (underlying && type_is_integer(underlying))
		t->is_signed = underlying->is_signed;
	if (t->size > 8)
		t->kind = TYPE_OTHER;
}

/* "this" is constant, which compilers do not always say. */
static const struct type *parameter_type(struct type_reader *r, Dwarf_Die *die)
{
	const struct type *type = type_reader_of(r, die);
	Dwarf_Attribute its;

	if (!type || type->kind != TYPE_POINTER || !is_cxx(r, die) ||
	    !dwarf_attr_integrate(die, DW_AT_artificial, &its))
		return type;
	struct type *constant = type_new(r->store, TYPE_CONST, NULL, 0);
	if (!constant)
		return type;
	constant->target = type;
	return constant;
}

/*
 * Where a function begins, a parameter that is passed by value is the content of a register, or
 * lies in the frame; one that is passed by reference lies where a register or a word there says.
 */
static enum type_passed passed_at_entry(Dwarf_Die *function, Dwarf_Die *parameter)
{
	struct location_code code;
	Dwarf_Attribute its;
	taddr entry = die_entry(function);

	location_reader_get(dwarf_attr_integrate(parameter, DW_AT_location, &its), entry, &code);
	if (code.missing || !code.n)
		return PASSED_UNKNOWN;
	const uint8_t atom = code.ops[0].atom;
	bool is_register = atom == DW_OP_regx || (atom >= DW_OP_reg0 && atom <= DW_OP_reg31);
	return is_register || (atom == DW_OP_fbreg && code.n == 1) ? PASSED_VALUE
								   : PASSED_REFERENCE;
}

/* Names that no program has: "__result" and its length, "_s" is the length of "s". */
static enum type_passed passed(struct type_reader *r, Dwarf_Die *function, Dwarf_Die *parameter)
{
	const char *name = die_plain_name(parameter, r->spans);
	Dwarf_Attribute its;

	if (dwarf_attr_integrate(parameter, DW_AT_artificial, &its) &&
	    (!name || name[0] == '_' || name[0] == '.'))
		return PASSED_HIDDEN;
	return passed_at_entry(function, parameter);
}

/* t: a function of Fortran. */
static void read_passing(struct type_reader *r, struct type *t, Dwarf_Die *die)
{
	enum type_passed *all = type_alloc(r->store, t->nparameters, sizeof(*all));
	size_t n = 0;
	Dwarf_Die child;

	for (int more = all ? dwarf_child(die, &child) : 1; more == 0 && n < t->nparameters;
	     more = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) == DW_TAG_formal_parameter)
			all[n++] = passed(r, die, &child);
	}
	t->passed = all;
}

static void read_parameters(struct type_reader *r, struct type *t, Dwarf_Die *die)
{
	size_t n = count_children(die, DW_TAG_formal_parameter);
	Dwarf_Attribute its;
	Dwarf_Die child;

	t->size = 1;
	t->prototyped = dwarf_attr_integrate(die, DW_AT_prototyped, &its) || die_is_cxx(die) ||
			die_is_fortran(die);
	t->parameters = type_alloc(r->store, n, sizeof(*t->parameters));
	for (int more = t->parameters ? dwarf_child(die, &child) : 1; more == 0;
	     more = dwarf_siblingof(&child, &child)) {
		int tag = dwarf_tag(&child);
		t->varargs |= tag == DW_TAG_unspecified_parameters;
		if (tag == DW_TAG_formal_parameter && t->nparameters < n)
			t->parameters[t->nparameters++] = parameter_type(r, &child);
		if (tag == DW_TAG_unspecified_parameters)
			break;
	}
}

/* What strings take by the ABI of their library. */
static uint64_t string_size(const char *name)
{
	static const struct {
		const char *name;
		uint64_t size;
	} strings[] = {
		{ "std::__cxx11::basic_string<", 32 },
		{ "std::__1::basic_string<", 24 },
		{ "std::__2::basic_string<", 24 },
		{ "std::basic_string<", 8 },
	};

	for (size_t i = 0; name && i < sizeof(strings) / sizeof(*strings); i++) {
		if (!strncmp(name, strings[i].name, strlen(strings[i].name)))
			return strings[i].size;
	}
	return 0;
}

/* Where a program makes no strings by a function of its own, clang declares their class alone. */
static void note_string(struct type *t)
{
	const uint64_t size = t->is_declared && !t->size ? string_size(t->name) : 0;

	if (!size)
		return;
	t->size = size;
	t->passing = PASSING_REFERENCE;
}

/* Members are read when somebody asks for them. */
static void note_origin(struct type_reader *r, struct type *t, Dwarf_Die *die)
{
	struct type_origin *origin = type_alloc(r->store, 1, sizeof(*origin));
	Dwarf_Attribute its;
	bool declared;
	Dwarf_Word passing;

	if (!origin)
		return;
	*origin = (struct type_origin){ *die, r->generation, r->bias, language_of(r, die),
					r->module };
	t->origin = origin;
	t->is_union = dwarf_tag(die) == DW_TAG_union_type;
	t->is_namelist = dwarf_tag(die) == DW_TAG_namelist;
	t->is_declared = dwarf_formflag(dwarf_attr(die, DW_AT_declaration, &its), &declared) == 0 &&
			 declared;
	if (dwarf_formudata(dwarf_attr(die, DW_AT_calling_convention, &its), &passing) == 0)
		t->passing = passing == DW_CC_pass_by_reference ? PASSING_REFERENCE : PASSING_VALUE;
	note_string(t);
}

static const struct type *type_of(void *context, Dwarf_Die *die)
{
	return type_reader_of(context, die);
}

/* Whether t is made of itself, as no type can be: "typedef t t;", arrays of themselves. */
static bool is_endless(const struct type *t)
{
	static const bool consists[] = {
		[TYPE_ARRAY] = true,  [TYPE_ENUM] = true,     [TYPE_ALIAS] = true,
		[TYPE_CONST] = true,  [TYPE_VOLATILE] = true, [TYPE_RESTRICT] = true,
		[TYPE_ATOMIC] = true, [TYPE_OTHER] = false,
	};
	const struct type *inner = t->target;

	for (size_t i = 0; inner && i < CHAIN_MAX; inner = inner->target, i++) {
		if (!consists[inner->kind] || inner == t)
			return inner == t;
	}
	return inner;
}

static void fill(struct type_reader *r, struct type *t, Dwarf_Die *die, int tag)
{
	const struct array_reader arrays = { r->store, r->generation, r->bias, type_of, r };
	Dwarf_Attribute its;
	Dwarf_Die holder;

	if (dwarf_hasattr(die, DW_AT_type))
		t->target = type_reader_of(r, die);
	if (is_endless(t))
		t->target = &type_unknown;
	switch (tag) {
	case DW_TAG_unspecified_type:
		if (t->name && !strcmp(t->name, type_null_pointer.name)) {
			t->kind = TYPE_ALIAS;
			t->target = type_null_pointer.target;
		}
		break;
	case DW_TAG_base_type:
		set_encoding(r, t, die);
		break;
	case DW_TAG_enumeration_type:
		read_enumerators(r, t, die);
		break;
	case DW_TAG_subroutine_type:
		read_parameters(r, t, die);
		break;
	case DW_TAG_array_type:
		if (!t->target) {
			t->kind = TYPE_OTHER;
			break;
		}
		array_reader_read(&arrays, t, die);
		t->is_vector = t->kind == TYPE_ARRAY && dwarf_hasattr(die, DW_AT_GNU_vector);
		break;
	case DW_TAG_string_type:
		array_reader_read_string(&arrays, t, die);
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_namelist:
		note_origin(r, t, die);
		break;
	case DW_TAG_ptr_to_member_type:
		if (dwarf_attr(die, DW_AT_containing_type, &its) &&
		    dwarf_formref_die(&its, &holder))
			t->holder = type_reader_get(r, &holder);
		/* Of the Itanium ABI: functions are an address and what is added to "this". */
		t->size = t->target && type_strip(t->target)->kind == TYPE_FUNCTION ? 16 : 8;
		break;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		t->size = 8;
		t->is_rvalue = tag == DW_TAG_rvalue_reference_type;
		break;
	default:
		break;
	}
}

/* The type at an entry, whatever that says of an entry elsewhere. */
static const struct type *get_here(struct type_reader *r, Dwarf_Die *die)
{
	int tag = dwarf_tag(die);
	size_t row = 0, n = sizeof(tags) / sizeof(*tags);

	const struct type *known = map_get(&r->known, map_key(die->addr));
	if (known)
		return known;
	while (row < n && tags[row].tag != tag)
		row++;
	struct map_item *item = row < n ? map_add(&r->known, map_key(die->addr)) : NULL;
	if (!item)
		return NULL;
	struct type *t = type_new(r->store, tags[row].kind, die_string(die, DW_AT_name, r->spans),
				  die_number(die, DW_AT_byte_size));
	if (!t)
		return NULL;
	item->pointer = t; /* before what it is made of: types may hold themselves */
	t->tag = tags[row].word;
	t->is_fortran = language_of(r, die) == DIE_LANGUAGE_FORTRAN;
	name_with_scopes(r, die, t);
	if (r->depth == DEPTH_MAX)
		return t;
	r->depth++;
	fill(r, t, die, tag);
	r->depth--;
	return t;
}

/* The type of that signature, in a file of its own. NULL: it is lost. */
static const struct type *get_signed(struct type_reader *r, const Dwarf_Attribute *its)
{
	struct dwarf_spans spans = { 0 };
	uint64_t signature;
	Dwarf_Die die;

	if (dwarf_check_room(r->spans, (const char *)its->valp) < sizeof(signature))
		return NULL;
	memcpy(&signature, its->valp, sizeof(signature));
	if (!r->find_signed || !r->find_signed(r->context, r->module, signature, &die))
		return NULL;
	const struct dwarf_spans *before = r->spans;
	die_add_spans(&die, &spans);
	r->spans = &spans;
	const struct type *t = get_here(r, &die);
	r->spans = before;
	return t;
}

/* The type that an attribute refers to. NULL: it leads nowhere. */
static const struct type *get_referred(struct type_reader *r, Dwarf_Attribute *its)
{
	Dwarf_Die die;

	if (dwarf_formref_die(its, &die))
		return get_here(r, &die);
	return its && dwarf_whatform(its) == DW_FORM_ref_sig8 ? get_signed(r, its) : NULL;
}

const struct type *type_reader_get(struct type_reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute its;

	/* Declared here, defined in a type unit. */
	const struct type *t = get_referred(r, dwarf_attr(die, DW_AT_signature, &its));
	return t ? t : get_here(r, die);
}

const struct type *type_reader_of(struct type_reader *r, Dwarf_Die *die)
{
	Dwarf_Attribute its;
	Dwarf_Die target;

	if (!dwarf_attr_integrate(die, DW_AT_type, &its))
		return NULL;
	if (dwarf_formref_die(&its, &target))
		return type_reader_get(r, &target);
	const struct type *t = get_referred(r, &its);
	return t ? t : &type_unknown;
}

const struct type *type_reader_function(struct type_reader *r, Dwarf_Die *die)
{
	struct type *t = type_new(r->store, TYPE_FUNCTION, NULL, 1);

	if (!t)
		return NULL;
	t->is_fortran = language_of(r, die) == DIE_LANGUAGE_FORTRAN;
	t->target = type_reader_of(r, die);
	read_parameters(r, t, die);
	if (t->is_fortran)
		read_passing(r, t, die);
	return t;
}
