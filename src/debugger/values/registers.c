/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/registers.h"

#include <string.h>

static const struct type_enumerator eflags[] = {
	{ "CF", 1 << 0 },  { "PF", 1 << 2 },   { "AF", 1 << 4 },   { "ZF", 1 << 6 },
	{ "SF", 1 << 7 },  { "TF", 1 << 8 },   { "IF", 1 << 9 },   { "DF", 1 << 10 },
	{ "OF", 1 << 11 }, { "NT", 1 << 14 },  { "RF", 1 << 16 },  { "VM", 1 << 17 },
	{ "AC", 1 << 18 }, { "VIF", 1 << 19 }, { "VIP", 1 << 20 }, { "ID", 1 << 21 },
};
static const struct type_enumerator mxcsr[] = {
	{ "IE", 1 << 0 },  { "DE", 1 << 1 },  { "ZE", 1 << 2 },  { "OE", 1 << 3 },
	{ "UE", 1 << 4 },  { "PE", 1 << 5 },  { "DAZ", 1 << 6 }, { "IM", 1 << 7 },
	{ "DM", 1 << 8 },  { "ZM", 1 << 9 },  { "OM", 1 << 10 }, { "UM", 1 << 11 },
	{ "PM", 1 << 12 }, { "FZ", 1 << 15 },
};

/* As gdb names them. */
static const struct type int64 = {
	.kind = TYPE_INT, .name = "int64_t", .size = 8, .is_signed = true
};
static const struct type int32 = {
	.kind = TYPE_INT, .name = "int32_t", .size = 4, .is_signed = true
};
static const struct type int16 = {
	.kind = TYPE_INT, .name = "int16_t", .size = 2, .is_signed = true
};
static const struct type int8 = {
	.kind = TYPE_INT, .name = "int8_t", .size = 1, .is_signed = true
};
static const struct type vector16 = { .kind = TYPE_OTHER, .name = "vec128", .size = 16 };
static const struct type vector32 = { .kind = TYPE_OTHER, .name = "vec256", .size = 32 };
#define FLAGS(its_name, names)                                                                     \
	{                                                                                          \
		.kind = TYPE_ENUM, .name = (its_name), .size = 4, .is_signed = true,               \
		.is_flags = true, .enumerators = (names),                                          \
		.nenumerators = sizeof(names) / sizeof(*(names))                                   \
	}
static const struct type flags_type = FLAGS("i386_eflags", eflags);
static const struct type mxcsr_type = FLAGS("i386_mxcsr", mxcsr);
static const struct type x87_type = { .kind = TYPE_FLOAT, .name = "i387_ext", .size = 16 };

#define WHOLE(its_name, its_type)                                                                  \
	{                                                                                          \
		.name = #its_name, .row = #its_name, .type = &(its_type)                           \
	}
#define NAMED(its_name, its_row, its_type)                                                         \
	{                                                                                          \
		.name = (its_name), .row = (its_row), .type = &(its_type), .group = REGISTERS_PART \
	}
#define PART(its_name, its_row, its_type, its_offset)                                              \
	{                                                                                          \
		.name = #its_name, .row = #its_row, .type = &(its_type), .offset = (its_offset),   \
		.group = REGISTERS_PART                                                            \
	}
/* rax: eax, ax, al, ah */
#define LETTER(c)                                                                                  \
	PART(e##c##x, r##c##x, int32, 0), PART(c##x, r##c##x, int16, 0),                           \
		PART(c##l, r##c##x, int8, 0), PART(c##h, r##c##x, int8, 1)
#define POINTER(c) PART(e##c, r##c, int32, 0), PART(c, r##c, int16, 0), PART(c##l, r##c, int8, 0)
#define NUMBER(n)                                                                                  \
	PART(r##n##d, r##n, int32, 0), PART(r##n##w, r##n, int16, 0), PART(r##n##l, r##n, int8, 0)
#define FLOAT(its_name, its_type)                                                                  \
	{                                                                                          \
		.name = #its_name, .row = #its_name, .type = &(its_type), .group = REGISTERS_FLOAT \
	}
#define VECTOR(its_name, its_type)                                                                 \
	{                                                                                          \
		.name = #its_name, .row = #its_name, .type = &(its_type),                          \
		.group = REGISTERS_VECTOR                                                          \
	}

/* In gdb's order. */
const struct register_view register_views[] = {
	WHOLE(rax, int64),
	WHOLE(rbx, int64),
	WHOLE(rcx, int64),
	WHOLE(rdx, int64),
	WHOLE(rsi, int64),
	WHOLE(rdi, int64),
	WHOLE(rbp, type_data_pointer),
	WHOLE(rsp, type_data_pointer),
	WHOLE(r8, int64),
	WHOLE(r9, int64),
	WHOLE(r10, int64),
	WHOLE(r11, int64),
	WHOLE(r12, int64),
	WHOLE(r13, int64),
	WHOLE(r14, int64),
	WHOLE(r15, int64),
	WHOLE(rip, type_code_pointer),
	WHOLE(eflags, flags_type),
	WHOLE(cs, type_int),
	WHOLE(ss, type_int),
	WHOLE(ds, type_int),
	WHOLE(es, type_int),
	WHOLE(fs, type_int),
	WHOLE(gs, type_int),
	WHOLE(fs_base, type_long),
	WHOLE(gs_base, type_long),
	/* clang-format off */
	FLOAT(st0, x87_type), FLOAT(st1, x87_type), FLOAT(st2, x87_type), FLOAT(st3, x87_type),
	FLOAT(st4, x87_type), FLOAT(st5, x87_type), FLOAT(st6, x87_type), FLOAT(st7, x87_type),
	FLOAT(fctrl, type_int), FLOAT(fstat, type_int),
	FLOAT(mxcsr, mxcsr_type),
	VECTOR(xmm0, vector16), VECTOR(xmm1, vector16), VECTOR(xmm2, vector16),
	VECTOR(xmm3, vector16), VECTOR(xmm4, vector16), VECTOR(xmm5, vector16),
	VECTOR(xmm6, vector16), VECTOR(xmm7, vector16), VECTOR(xmm8, vector16),
	VECTOR(xmm9, vector16), VECTOR(xmm10, vector16), VECTOR(xmm11, vector16),
	VECTOR(xmm12, vector16), VECTOR(xmm13, vector16), VECTOR(xmm14, vector16),
	VECTOR(xmm15, vector16),
	VECTOR(ymm0, vector32), VECTOR(ymm1, vector32), VECTOR(ymm2, vector32),
	VECTOR(ymm3, vector32), VECTOR(ymm4, vector32), VECTOR(ymm5, vector32),
	VECTOR(ymm6, vector32), VECTOR(ymm7, vector32), VECTOR(ymm8, vector32),
	VECTOR(ymm9, vector32), VECTOR(ymm10, vector32), VECTOR(ymm11, vector32),
	VECTOR(ymm12, vector32), VECTOR(ymm13, vector32), VECTOR(ymm14, vector32),
	VECTOR(ymm15, vector32),
	/* clang-format on */
	NAMED("orig_rax", "orig_rax", type_long),
	NAMED("pc", "rip", type_code_pointer),
	NAMED("sp", "rsp", type_data_pointer),
	NAMED("fp", "rbp", type_data_pointer),
	NAMED("ps", "eflags", flags_type),
	LETTER(a),
	LETTER(b),
	LETTER(c),
	LETTER(d),
	POINTER(si),
	POINTER(di),
	POINTER(bp),
	POINTER(sp),
	NUMBER(8),
	NUMBER(9),
	NUMBER(10),
	NUMBER(11),
	NUMBER(12),
	NUMBER(13),
	NUMBER(14),
	NUMBER(15),
};
const size_t register_view_count = sizeof(register_views) / sizeof(*register_views);

/* gdb's names of them. */
const struct register_part register_parts[] = {
	{ { "v4_float", "v8_float" }, &type_float },
	{ { "v2_double", "v4_double" }, &type_double },
	{ { "v16_int8", "v32_int8" }, &type_signed_char },
	{ { "v8_int16", "v16_int16" }, &type_short },
	{ { "v4_int32", "v8_int32" }, &type_int },
	{ { "v2_int64", "v4_int64" }, &type_long },
	{ { "uint128", "v2_int128" }, &type_unsigned_int128 },
};
const size_t register_part_count = sizeof(register_parts) / sizeof(*register_parts);

bool register_is_vector(const struct type *t)
{
	return t == &vector16 || t == &vector32;
}

const char *register_part_name(const struct register_part *part, const struct type *vector)
{
	return part->names[vector == &vector32];
}

const struct register_view *register_find(const char *name)
{
	for (size_t i = 0; i < register_view_count; i++) {
		if (!strcmp(register_views[i].name, name))
			return &register_views[i];
	}
	return NULL;
}

/* The bytes of the row in the frame of the scope; *ret_missing: they were not saved. */
static struct error *read_row(const struct scope *s, const struct reg *row, uint8_t *ret,
			      size_t *ret_size, const char **ret_missing)
{
	struct target *t = s->session->target;

	if (row == t->arch->pc) {
		memcpy(ret, &s->pc, *ret_size = 8);
		return NULL;
	}
	for (size_t i = 0; s->registers && i < t->arch->ncode_regs; i++) {
		if (t->arch->code_regs[i] != row)
			continue;
		if (!(s->known >> i & 1))
			*ret_missing = "not saved";
		memcpy(ret, &s->registers[i], *ret_size = 8);
		return NULL;
	}
	return target_get_register(t, s->thread, row, ret, ret_size);
}

struct error *register_value(const struct scope *s, const struct register_view *r,
			     struct value *ret)
{
	uint8_t bytes[ARCH_REGISTER_MAX] = { 0 };
	const char *missing = NULL;
	size_t size = 0;

	if (!s->thread)
		return error_new(ERROR_USAGE, "no registers");
	const struct reg *row = arch_find_reg(s->session->target->arch, r->row);
	if (!row)
		return error_new(ERROR_UNSUPPORTED, "this processor has no register %s", r->name);
	struct error *err = read_row(s, row, bytes, &size, &missing);
	if (err)
		return err;
	struct value v = { .type = r->type };
	v.missing = missing;
	v.place = VALUE_REGISTER;
	v.reg = row;
	v.reg_offset = r->offset;
	v.size = type_size(r->type);
	size_t have = r->offset < size ? size - r->offset : 0;
	memcpy(v.bytes, bytes + r->offset, have < v.size ? have : v.size);
	*ret = v;
	return NULL;
}
