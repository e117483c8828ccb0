/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_location: any bytes as operations of DWARF's location descriptions, executed, and made a
 * condition: as location_reader.c makes them of a file that was checked.
 */
#include <assert.h>
#include <dwarf.h>
#include <string.h>

#include "base/cursor.h"
#include "fuzz.h"
#include "fuzz_program.h"
#include "target/process/condition.h"
#include "target/symbols/location.h"

static bool has_block(uint8_t atom)
{
	return atom == DW_OP_implicit_value || atom == DW_OP_entry_value ||
	       atom == DW_OP_GNU_entry_value || atom == DW_OP_const_type ||
	       atom == DW_OP_GNU_const_type;
}

static void read_op(struct cursor *in, const uint8_t *end, uint64_t offset, struct location_op *ret)
{
	*ret = (struct location_op){ .atom = (uint8_t)cursor_uint(in, 1), .offset = offset };
	uint8_t how = (uint8_t)cursor_uint(in, 1);
	ret->number = how & 1 ? cursor_uint(in, 8) : (uint64_t)(int64_t)(int8_t)cursor_uint(in, 1);
	ret->number2 = how & 2 ? cursor_uint(in, 8) : (how >> 5);
	ret->type.encoding = (how >> 2) % (LOCATION_STRANGE + 1);
	ret->type.size = (uint8_t)(1u << (how >> 5));
	if (ret->type.encoding == LOCATION_GENERIC)
		ret->type.size = 0;
	if (ret->type.encoding != LOCATION_GENERIC && ret->type.size > 8)
		ret->type.encoding = LOCATION_STRANGE;
	if (!has_block(ret->atom))
		return;
	size_t left = cursor_left(in);
	ret->number = (ret->number & 15) < left ? ret->number & 15 : left;
	ret->block = end - left;
	for (uint64_t i = 0; i < ret->number; i++)
		cursor_uint(in, 1);
}

static void read_code(const uint8_t *data, size_t size, struct location_code *ret)
{
	struct cursor in = cursor_of(data, size);

	ret->n = 0;
	ret->missing = NULL;
	while (cursor_left(&in) && !in.bad && ret->n < LOCATION_OPS_MAX) {
		read_op(&in, data + size, size - cursor_left(&in), &ret->ops[ret->n]);
		ret->n += !in.bad;
	}
}

static size_t read_nothing(void *context, taddr from, void *ret, size_t len)
{
	(void)context, (void)from;
	memset(ret, 0x41, len);
	return len;
}

static const char *no_tls(void *context, uint64_t offset, taddr *ret)
{
	(void)context;
	*ret = offset + 0x1000;
	return offset % 2 ? "not available" : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t registers[32] = { 10, 11, 12, 13, 0x7000, 0x8000, 1, UINT64_MAX };
	static const struct location_code base = { .ops = { { .atom = DW_OP_call_frame_cfa } },
						   .n = 1 };
	static uint8_t general[ARCH_GENERAL_MAX];
	static struct location_code code;
	struct session *s = fuzz_session(NULL);
	const taddr object = 0x4000;
	struct location_frame frame = { .target = s->target,
					.pc = 0x1000,
					.cfa = 0x9000,
					.registers = registers,
					.known = 0xffff };
	const struct location_context c = { .frame = &frame,
					    .bias = 0x10000,
					    .frame_base = &base,
					    .tls = no_tls,
					    .initial = size % 2 ? &object : NULL,
					    .object = &object };
	const struct location_cfa cfa = { .reg = 4, .offset = 16 };
	const struct condition_subject subject = { s->target->arch, general, read_nothing, NULL };
	enum location_kind kind;
	struct location where;
	AUTO_BUF program = { 0 };
	bool failed;

	read_code(data, size, &code);
	location_run(&code, &c, &where);
	assert(where.n >= 1 && where.n <= LOCATION_PARTS_MAX);
	frame.registers = NULL;
	location_run(&code, &c, &where);
	struct error *err = location_compile(&code, &c, &cfa, &program, &kind);
	if (!err && program.len <= CONDITION_SIZE_MAX) {
		err = condition_check((const uint8_t *)program.data, program.len);
		assert(!err);
		condition_holds((const uint8_t *)program.data, program.len, &subject, &failed);
	}
	error_free(err);
	return 0;
}
