/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/member_reader.h"

#include <dwarf.h>

#include "target/symbols/location_reader.h"

enum { MEMBERS_MAX = 1 << 16 };

static bool flag(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute its;
	bool yes;

	return dwarf_formflag(dwarf_attr(die, attribute, &its), &yes) == 0 && yes;
}

/* ---- members ---------------------------------------------------------------------------- */

/* What a class inherits is private, unless it says so; what structures have is public. */
static enum type_access access_of(const struct type *t, Dwarf_Die *die)
{
	bool is_class = t->tag && !strcmp(t->tag, "class");

	switch (die_number(die, DW_AT_accessibility)) {
	case DW_ACCESS_public:
		return ACCESS_PUBLIC;
	case DW_ACCESS_protected:
		return ACCESS_PROTECTED;
	case DW_ACCESS_private:
		return ACCESS_PRIVATE;
	default:
		return is_class ? ACCESS_PRIVATE : ACCESS_PUBLIC;
	}
}

/* false: it is at a place that its object tells, as "where" says. */
static bool is_at_offset(struct type_reader *r, Dwarf_Die *die, struct type_member *m)
{
	Dwarf_Attribute its;
	Dwarf_Word offset;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_data_member_location, &its))
		return true;
	if (dwarf_formudata(&its, &offset) == 0) {
		m->offset = offset;
		return true;
	}
	/* Old compilers write an offset as an operation. */
	if (dwarf_getlocation(&its, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_plus_uconst) {
		m->offset = ops[0].number;
		return true;
	}
	struct location_code *where = type_alloc(r->store, 1, sizeof(*where));
	if (where)
		location_reader_get(&its, 0, where);
	m->where = where;
	return false;
}

/* Bits count from the lowest on. Before DWARF 4 they were counted from the top of a storage unit.
 */
static void read_bits(Dwarf_Die *die, struct type_member *m)
{
	uint64_t size = die_number(die, DW_AT_bit_size), at = m->offset * 8;
	uint64_t storage = die_number(die, DW_AT_byte_size);

	if (!size || size > 128)
		return;
	if (dwarf_hasattr(die, DW_AT_data_bit_offset))
		at = die_number(die, DW_AT_data_bit_offset);
	else if (dwarf_hasattr(die, DW_AT_bit_offset))
		at += 8 * (storage ? storage : type_size(m->type)) -
		      die_number(die, DW_AT_bit_offset) - size;
	m->offset = at / 8;
	m->bit_offset = at % 8;
	m->bit_size = (uint8_t)size;
}

static bool is_static(Dwarf_Die *die, int tag)
{
	/* DWARF 5 has them as variables, older ones as members that are declared. */
	return tag == DW_TAG_variable || (tag == DW_TAG_member && (flag(die, DW_AT_external) ||
								   flag(die, DW_AT_declaration)));
}

static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_member || tag == DW_TAG_inheritance || tag == DW_TAG_variable ||
	       tag == DW_TAG_namelist_item;
}

/* Of a namelist: a variable that is described elsewhere. */
static void read_listed(struct type_reader *r, Dwarf_Die *item, size_t index, struct type_member *m)
{
	Dwarf_Attribute its;
	Dwarf_Die die;

	m->kind = MEMBER_LISTED;
	m->offset = index;
	m->type = &type_void;
	if (!dwarf_formref_die(dwarf_attr(item, DW_AT_namelist_item, &its), &die))
		return;
	const struct type *type = type_reader_of(r, &die);
	const char *name = die_plain_name(&die, r->spans);
	m->type = type ? type : m->type;
	m->name = name ? type_copy_text(r->store, name) : NULL;
	if (dwarf_cu_getdwarf(die.cu) == dwarf_cu_getdwarf(item->cu))
		m->entry = dwarf_dieoffset(&die);
}

static void read_member(struct type_reader *r, const struct type *t, Dwarf_Die *die,
			struct type_member *m)
{
	int tag = dwarf_tag(die);
	const struct type *type = type_reader_of(r, die);
	const char *name = die_string(die, DW_AT_name, r->spans);
	Dwarf_Attribute its;

	m->kind = tag == DW_TAG_inheritance ? MEMBER_BASE
		  : is_static(die, tag)     ? MEMBER_STATIC
					    : MEMBER_FIELD;
	m->type = type ? type : &type_void;
	m->name = name ? type_copy_text(r->store, name) : NULL;
	m->access = access_of(t, die);
	m->is_artificial = flag(die, DW_AT_artificial);
	m->is_virtual = die_number(die, DW_AT_virtuality) != 0;
	if (m->kind == MEMBER_STATIC && type_is_integer(m->type) &&
	    dwarf_attr(die, DW_AT_const_value, &its)) {
		m->has_constant = true;
		m->constant = die_number(die, DW_AT_const_value);
	}
	if (m->kind == MEMBER_BASE && !m->name)
		m->name = type_strip(m->type)->name;
	if (m->kind != MEMBER_STATIC && is_at_offset(r, die, m))
		read_bits(die, m);
}

/* Calls "found" for each entry in that of a structure. */
static size_t for_each_child(Dwarf_Die *die, bool (*wanted)(Dwarf_Die *),
			     void (*found)(void *context, Dwarf_Die *child), void *context)
{
	Dwarf_Die child;
	size_t n = 0;

	for (int more = dwarf_child(die, &child); more == 0 && n < MEMBERS_MAX;
	     more = dwarf_siblingof(&child, &child)) {
		if (!wanted(&child))
			continue;
		n++;
		if (found)
			found(context, &child);
	}
	return n;
}

/* What is being read into. */
struct reading {
	struct type_reader *r;
	struct type *t;
	struct type_member *members;
	struct type_method *methods;
	struct type_naming *namings;
};

/* Reads from the entry of a structure, whose unit's strings are good. false: the entry is gone. */
static bool read_entry(struct type_reader *r, struct type *t,
		       void (*read)(struct reading *g, Dwarf_Die *die))
{
	const struct type_origin *origin = t->origin;
	const struct dwarf_spans *before = r->spans;
	struct reading g = { .r = r, .t = t };
	struct dwarf_spans spans = { 0 };

	if (!origin || t->is_declared || origin->generation != r->generation)
		return false;
	Dwarf_Die die = origin->die;
	r->bias = origin->bias;
	r->language = origin->language;
	r->module = origin->module;
	die_add_spans(&die, &spans);
	r->spans = &spans;
	read(&g, &die);
	r->spans = before;
	return true;
}

static void take_member(void *context, Dwarf_Die *die)
{
	struct reading *g = context;
	size_t index = g->t->nmembers++;
	struct type_member *m = &g->members[index];

	if (dwarf_tag(die) == DW_TAG_namelist_item)
		read_listed(g->r, die, index, m);
	else
		read_member(g->r, g->t, die, m);
}

static void read_members(struct reading *g, Dwarf_Die *die)
{
	g->members = type_alloc(g->r->store, for_each_child(die, is_member, NULL, NULL),
				sizeof(*g->members));
	g->t->members = g->members;
	if (g->members)
		for_each_child(die, is_member, take_member, g);
}

bool member_reader_read(struct type_reader *r, struct type *t)
{
	return read_entry(r, t, read_members);
}

/* ---- functions and types ---------------------------------------------------------------- */

static bool is_method(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram;
}

static bool is_artificial_parameter(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_formal_parameter && flag(die, DW_AT_artificial);
}

static bool is_naming(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_typedef || tag == DW_TAG_template_type_parameter ||
	       tag == DW_TAG_template_value_parameter || tag == DW_TAG_GNU_template_parameter_pack;
}

static bool is_argument_of_pack(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_template_type_parameter || tag == DW_TAG_template_value_parameter;
}

/* Template arguments of a pack count as so many. */
static size_t count_namings(Dwarf_Die *die)
{
	size_t n = for_each_child(die, is_naming, NULL, NULL);
	Dwarf_Die child;

	for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child))
		n += dwarf_tag(&child) == DW_TAG_GNU_template_parameter_pack
			     ? for_each_child(&child, is_argument_of_pack, NULL, NULL)
			     : 0;
	return n;
}

static const char *copy_name(struct reading *g, Dwarf_Die *die, unsigned int attribute)
{
	const char *name = die_string(die, attribute, g->r->spans);

	return name ? type_copy_text(g->r->store, name) : NULL;
}

/* The place of a virtual function in the table of its class, which is always a constant. */
static uint64_t slot_of(Dwarf_Die *die)
{
	Dwarf_Attribute its;
	Dwarf_Word number;
	Dwarf_Op *ops;
	size_t n;

	if (!dwarf_attr(die, DW_AT_vtable_elem_location, &its))
		return UINT64_MAX;
	if (dwarf_formudata(&its, &number) == 0)
		return number;
	if (dwarf_getlocation(&its, &ops, &n) != 0 || n != 1)
		return UINT64_MAX;
	if (ops[0].atom >= DW_OP_lit0 && ops[0].atom <= DW_OP_lit31)
		return ops[0].atom - (uint64_t)DW_OP_lit0;
	return ops[0].atom == DW_OP_constu ? ops[0].number : UINT64_MAX;
}

static void take_method(void *context, Dwarf_Die *die)
{
	struct reading *g = context;
	struct type_method *m = &g->methods[g->t->nmethods];

	m->name = copy_name(g, die, DW_AT_name);
	m->linkage = copy_name(g, die, DW_AT_linkage_name);
	m->type = type_reader_function(g->r, die);
	m->access = access_of(g->t, die);
	m->is_virtual = die_number(die, DW_AT_virtuality) != 0;
	m->slot = m->is_virtual ? slot_of(die) : UINT64_MAX;
	m->is_artificial = flag(die, DW_AT_artificial);
	m->is_defaulted = die_number(die, DW_AT_defaulted) == DW_DEFAULTED_in_class;
	m->nartificial = for_each_child(die, is_artificial_parameter, NULL, NULL);
	/* clang says only where the code is which parameter is "this". */
	m->is_static = !m->nartificial && !dwarf_hasattr(die, DW_AT_object_pointer);
	g->t->nmethods += m->name && m->type;
}

static void take_naming(void *context, Dwarf_Die *die)
{
	struct reading *g = context;
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_GNU_template_parameter_pack) {
		for_each_child(die, is_argument_of_pack, take_naming, g);
		return;
	}
	struct type_naming *n = &g->namings[g->t->nnamings++];

	n->name = copy_name(g, die, DW_AT_name);
	n->type = tag == DW_TAG_typedef ? type_reader_get(g->r, die) : type_reader_of(g->r, die);
	n->type = n->type ? n->type : &type_void;
	n->is_parameter = tag != DW_TAG_typedef;
	n->is_value = tag == DW_TAG_template_value_parameter;
	n->value = (int64_t)die_number(die, DW_AT_const_value);
	n->access = access_of(g->t, die);
}

static void read_others(struct reading *g, Dwarf_Die *die)
{
	g->methods = type_alloc(g->r->store, for_each_child(die, is_method, NULL, NULL),
				sizeof(*g->methods));
	g->namings = type_alloc(g->r->store, count_namings(die), sizeof(*g->namings));
	g->t->methods = g->methods;
	g->t->namings = g->namings;
	if (g->methods && g->namings) {
		for_each_child(die, is_method, take_method, g);
		for_each_child(die, is_naming, take_naming, g);
	}
}

bool member_reader_read_others(struct type_reader *r, struct type *t)
{
	return read_entry(r, t, read_others);
}

void member_reader_copy(struct type *t, const struct type *from)
{
	t->members = type_members(from, &t->nmembers);
	t->size = from->size;
}

void member_reader_copy_others(struct type *t, const struct type *from)
{
	t->methods = type_methods(from, &t->nmethods);
	t->namings = type_namings(from, &t->nnamings);
}
