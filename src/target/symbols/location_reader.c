/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/location_reader.h"

#include <dwarf.h>

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
	if (op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index) {
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

static bool convert(Dwarf_Attribute *attribute, const Dwarf_Op *op, struct location_op *ret)
{
	*ret = (struct location_op){
		.atom = op->atom,
		.number = op->number,
		.number2 = op->number2,
		.offset = op->offset,
	};
	switch (op->atom) {
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		return resolve_index(attribute, op, ret);
	case DW_OP_implicit_value:
		return resolve_block(attribute, op, ret);
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		return resolve_entry(op, ret);
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
			return;
		}
	}
}
