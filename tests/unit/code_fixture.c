/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "code_fixture.h"

#include "unit.h"

enum { CIE_SIZE = 24, FDE_SIZE = 20 };

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

/* DWARF 5, section 6.4.1; "The Linux Standard Base", .eh_frame_hdr. Ranges by their start. */
static size_t make_tables(const struct code_range *ranges, size_t n, uint8_t *hdr)
{
	static const uint8_t cie[CIE_SIZE] = {
		CIE_SIZE - 4, 0,   0, 0, 0,    0,  0, 0,    1,
		'z',          'R', 0, 1, 0x78, 16, 1, 0x1b, /* addresses relative to themselves, 4
							       bytes */
		0x0c,         7,   8,                       /* the frame address is rsp + 8 */
		0x90,         1,                            /* the return address is below it */
	};
	size_t hdr_size = 12 + 8 * n;
	uint8_t *frame = hdr + hdr_size;

	memcpy(hdr, (uint8_t[]){ 1, 0x1b, 0x03, 0x3b }, 4);
	put32(hdr + 4, (uint32_t)(hdr_size - 4));
	put32(hdr + 8, (uint32_t)n);
	memcpy(frame, cie, sizeof(cie));
	for (size_t i = 0; i < n; i++) {
		size_t offset = CIE_SIZE + i * FDE_SIZE;
		uint8_t *fde = frame + offset;
		put32(hdr + 12 + 8 * i, ranges[i].start - CODE_FIXTURE_TABLES);
		put32(hdr + 16 + 8 * i, (uint32_t)(hdr_size + offset));
		memset(fde, 0, FDE_SIZE);
		put32(fde, FDE_SIZE - 4);
		put32(fde + 4, (uint32_t)offset + 4);
		put32(fde + 8,
		      ranges[i].start - (uint32_t)(CODE_FIXTURE_TABLES + hdr_size + offset + 8));
		put32(fde + 12, ranges[i].end - ranges[i].start);
	}
	return hdr_size + CIE_SIZE + n * FDE_SIZE;
}

void code_fixture_set(struct code_fixture *f, const struct code_range *ranges, size_t n)
{
	uint8_t tables[512];

	ck_assert(12 + 8 * n + CIE_SIZE + FDE_SIZE * n <= sizeof(tables));
	f->module.eh_frame_hdr_size = make_tables(ranges, n, tables);
	fake_target_add(f->fake, CODE_FIXTURE_TABLES, tables, f->module.eh_frame_hdr_size);
}

void code_fixture_init(struct code_fixture *f, const struct code_range *ranges, size_t n)
{
	static char path[] = "fake";

	*f = (struct code_fixture){ .fake = fake_target_new() };
	f->module = (struct module){ .path = path,
				     .start = CODE_FIXTURE,
				     .end = CODE_FIXTURE_END,
				     .eh_frame_hdr = CODE_FIXTURE_TABLES };
	code_fixture_set(f, ranges, n);
	f->only = &f->module;
	f->modules = (struct module_list){ .target = &f->fake->base, .items = &f->only, .len = 1 };
	f->unwinder = unwinder_new(&f->modules, NULL);
	ck_assert_ptr_nonnull(f->unwinder);
}

void code_fixture_fini(struct code_fixture *f)
{
	unwinder_free(f->unwinder);
	module_hang(&f->module, MODULE_TABLES, NULL, NULL);
	target_free(&f->fake->base);
}
