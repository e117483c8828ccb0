/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/location_reader.h"

#include <dwarf.h>
#include <string.h>

enum { LISTS_MAX = 1 << 16 };

/* As for ranges (die.c): libdw uses 64-bit offsets out of .debug_loclists wherever they lead. */
static bool is_unchecked(Dwarf_Attribute *attribute)
{
	uint8_t offset_size;
	Dwarf_Die unit;

	if (dwarf_whatform(attribute) != DW_FORM_loclistx)
		return false;
	return !dwarf_cu_die(attribute->cu, &unit, NULL, NULL, NULL, &offset_size, NULL, NULL) ||
	       offset_size != 4;
}

/* Addresses and constants that stand in a table of the unit (.debug_addr). */
static bool resolve_index(Dwarf_Attribute *attribute, const Dwarf_Op *op, struct location_op *ret)
{
	Dwarf_Attribute its;
	Dwarf_Addr addr;
	Dwarf_Word value;

	if (dwarf_getlocation_attr(attribute, op, &its) != 0)
		return false;
	if (ret->atom == DW_OP_addrx) {
		ret->atom = DW_OP_addr;
		if (dwarf_formaddr(&its, &addr) != 0)
			return false;
		ret->number = addr;
		return true;
	}
	ret->atom = DW_OP_const8u;
	if (dwarf_formaddr(&its, &addr) == 0) {
		ret->number = addr;
		return true;
	}
	if (dwarf_formudata(&its, &value) != 0)
		return false;
	ret->number = value;
	return true;
}

static bool resolve_block(Dwarf_Attribute *attribute, const Dwarf_Op *op, struct location_op *ret)
{
	Dwarf_Block block;

	if (dwarf_getlocation_implicit_value(attribute, op, &block) != 0)
		return false;
	ret->number = block.length;
	ret->block = block.data;
	return true;
}

/* libdw has seen that the operations within this one end; they stand behind their length. */
static bool resolve_entry(const Dwarf_Op *op, struct location_op *ret)
{
	const uint8_t *length = (const uint8_t *)(uintptr_t)op->number2;

	while (*length & 0x80)
		length++;
	ret->block = length + 1;
	return true;
}

/* The base type that an operation names; at offset 0 the generic one is. */
static bool resolve_type(Dwarf_Attribute *attribute, const Dwarf_Op *op, Dwarf_Word offset,
			 struct location_op *ret)
{
	Dwarf_Die die;

	if (offset == 0)
		return true;
	if (dwarf_getlocation_die(attribute, op, &die) != 0 || dwarf_tag(&die) != DW_TAG_base_type)
		return false;
	ret->type = location_type_of(die_number(&die, DW_AT_encoding),
				     die_number(&die, DW_AT_byte_size));
	return true;
}

/* The entry that it names, a parameter or a variable, as its offset in the file. */
static bool resolve_entry_of(Dwarf_Attribute *attribute, const Dwarf_Op *op,
			     struct location_op *ret)
{
	Dwarf_Die die;

	if (dwarf_getlocation_die(attribute, op, &die) != 0)
		return false;
	ret->number = dwarf_dieoffset(&die);
	return true;
}

static bool resolve_const_type(Dwarf_Attribute *attribute, const Dwarf_Op *op,
			       struct location_op *ret)
{
	Dwarf_Attribute its;
	Dwarf_Block block;

	if (!resolve_type(attribute, op, op->number, ret) ||
	    dwarf_getlocation_attr(attribute, op, &its) != 0 || dwarf_formblock(&its, &block) != 0)
		return false;
	ret->number = block.length;
	ret->block = block.data;
	return true;
}

/* What DWARF 5 has taken over from GNU has a number of its own there. */
static uint8_t standard(uint8_t atom)
{
	static const uint8_t renamed[256] = {
		[DW_OP_GNU_push_tls_address] = DW_OP_form_tls_address,
		[DW_OP_GNU_addr_index] = DW_OP_addrx,
		[DW_OP_GNU_const_index] = DW_OP_constx,
		[DW_OP_GNU_implicit_pointer] = DW_OP_implicit_pointer,
		[DW_OP_GNU_entry_value] = DW_OP_entry_value,
		[DW_OP_GNU_const_type] = DW_OP_const_type,
		[DW_OP_GNU_regval_type] = DW_OP_regval_type,
		[DW_OP_GNU_deref_type] = DW_OP_deref_type,
		[DW_OP_GNU_convert] = DW_OP_convert,
		[DW_OP_GNU_reinterpret] = DW_OP_reinterpret,
	};

	return renamed[atom] ? renamed[atom] : atom;
}

static bool convert(Dwarf_Attribute *attribute, const Dwarf_Op *op, struct location_op *ret)
{
	*ret = (struct location_op){
		.atom = standard(op->atom),
		.number = op->number,
		.number2 = op->number2,
		.offset = op->offset,
	};
	switch (ret->atom) {
	case DW_OP_addrx:
	case DW_OP_constx:
		return resolve_index(attribute, op, ret);
	case DW_OP_implicit_value:
		return resolve_block(attribute, op, ret);
	case DW_OP_entry_value:
		return resolve_entry(op, ret);
	case DW_OP_GNU_parameter_ref:
	case DW_OP_implicit_pointer:
		return resolve_entry_of(attribute, op, ret);
	case DW_OP_const_type:
		return resolve_const_type(attribute, op, ret);
	case DW_OP_convert:
	case DW_OP_reinterpret:
		return resolve_type(attribute, op, op->number, ret);
	case DW_OP_deref_type:
	case DW_OP_regval_type:
		return resolve_type(attribute, op, op->number2, ret);
	default:
		return true;
	}
}

static void convert_all(Dwarf_Attribute *attribute, const Dwarf_Op *ops, size_t n,
			struct location_code *ret)
{
	if (n > LOCATION_OPS_MAX) {
		ret->missing = "its location is too long";
		return;
	}
	for (; ret->n < n; ret->n++) {
		if (!convert(attribute, &ops[ret->n], &ret->ops[ret->n])) {
			ret->missing = "its location makes no sense";
			return;
		}
	}
}

/*
 * Half of a register that is kept in the frame: clang (measured with 19) describes half of the
 * address of where, and what is there.
 */
static void mend_halves(struct location_code *code)
{
	for (size_t i = 0; i + 3 < code->n; i++) {
		struct location_op *op = &code->ops[i];
		bool in_frame = op[0].atom == DW_OP_breg6 || op[0].atom == DW_OP_breg7;
		if (!in_frame || op[1].number != UINT32_MAX || op[2].atom != DW_OP_and ||
		    op[3].atom != DW_OP_deref ||
		    (op[1].atom != DW_OP_constu && op[1].atom != DW_OP_const4u))
			continue;
		const struct location_op deref = op[3];
		op[3] = op[2];
		op[2] = op[1];
		op[1] = deref;
	}
}

/*
 * What is kept in the frame and converted from a narrower type: clang (measured with 14) converts
 * the address of where it is, as it did with the register that had it before.
 */
static void mend_kept(struct location_code *code)
{
	struct location_op *op = code->ops;
	bool in_frame = op[0].atom == DW_OP_breg6 || op[0].atom == DW_OP_breg7;

	if (!in_frame || code->n < 2 || code->n == LOCATION_OPS_MAX || op[1].atom != DW_OP_convert)
		return;
	memmove(&op[2], &op[1], (code->n++ - 1) * sizeof(*op));
	op[1] = (struct location_op){ .atom = DW_OP_deref };
}

void location_reader_get(Dwarf_Attribute *attribute, taddr pc, struct location_code *ret)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	Dwarf_Op *ops;
	size_t n;

	*ret = (struct location_code){ .missing = "optimized out" };
	if (!attribute)
		return;
	if (is_unchecked(attribute)) {
		ret->missing = "its location is in a form that ompdb does not read";
		return;
	}
	for (size_t i = 0; i < LISTS_MAX; i++) {
		at = dwarf_getlocations(attribute, at, &base, &start, &end, &ops, &n);
		if (at <= 0)
			return;
		/* One that holds everywhere has no bounds: 0 and the highest address. */
		if (start <= pc && pc < end) {
			ret->missing = NULL;
			convert_all(attribute, ops, n, ret);
			mend_halves(ret);
			mend_kept(ret);
			return;
		}
	}
}

bool location_reader_is_thread_local(const struct location_code *code)
{
	bool found = false;

	for (size_t i = 0; i < code->n && !found; i++)
		found = code->ops[i].atom == DW_OP_form_tls_address;
	return found;
}
