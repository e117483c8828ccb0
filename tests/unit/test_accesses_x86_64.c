/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What instructions do to memory, held against Zydis in the code of the C library. */
#include "unit.h"

#include <link.h>
#include <sys/user.h>

#include "target/cpu/accesses_x86_64.h"

#if HAVE_ZYDIS
#include <Zydis/Zydis.h>

/* Hints touch nothing, and what the stack pointer points to is no operand. */
static bool counts(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *o)
{
	bool stack = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		     (o->mem.base == ZYDIS_REGISTER_RSP || o->mem.base == ZYDIS_REGISTER_RBP);

	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
	       !stack && insn->meta.category != ZYDIS_CATEGORY_WIDENOP &&
	       insn->meta.category != ZYDIS_CATEGORY_PREFETCH &&
	       insn->meta.category != ZYDIS_CATEGORY_NOP;
}

static enum access wanted(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	bool reads = false, writes = false;

	for (size_t i = 0; i < insn->operand_count; i++) {
		if (!counts(insn, &operands[i]))
			continue;
		reads |= !!(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_READ);
		writes |= !!(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
	}
	return reads ? ACCESS_READS : writes ? ACCESS_WRITES : ACCESS_UNKNOWN;
}

static void compare(const uint8_t *code, size_t size)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	size_t n = 0;

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (size_t at = 0; at + ZYDIS_MAX_INSTRUCTION_LENGTH < size; at += insn.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &insn,
							 operands))) {
			insn.length = 1;
			continue;
		}
		enum access is = accesses_x86_64_kind(code + at, insn.length);
		ck_assert_msg(is == wanted(&insn, operands), "%s at %#zx: %d",
			      ZydisMnemonicGetString(insn.mnemonic), at, (int)is);
		n += is != ACCESS_UNKNOWN;
	}
	ck_assert_uint_gt(n, 1000);
}

static int take_code(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size, (void)context;
	for (size_t i = 0; strstr(info->dlpi_name, "libc.so") && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && p->p_flags & PF_X)
			compare((const uint8_t *)info->dlpi_addr + p->p_vaddr, p->p_memsz);
	}
	return 0;
}
#endif

START_TEST(all_of_the_c_library_is_understood)
{
#if HAVE_ZYDIS && defined(__x86_64__)
	dl_iterate_phdr(take_code, NULL);
#endif
}
END_TEST

/* What is before the instruction might be one with other operands. */
START_TEST(the_instruction_is_found_from_behind)
{
	static const struct {
		const char *bytes;
		enum access is;
	} rows[] = {
		{ "\xc7\x07\x8b\x07\x8b\x07", ACCESS_WRITES }, /* movl $0x78b078b,(%rdi) */
		{ "\x8b\x07", ACCESS_READS },
		{ "\x89\x07", ACCESS_WRITES },
		{ "\xff\x07", ACCESS_READS }, /* incl (%rdi) */
		{ "\x89\xc3", ACCESS_UNKNOWN },
		{ "\xd7", ACCESS_READS }, /* xlat */
	};
	enum { AT = 0x1000 };
	struct user_regs_struct regs = { .rdi = AT, .rsp = 0x2000 };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct access_code code = { .before = ACCESS_BEFORE,
					    .size = ACCESS_BEFORE,
					    .pc = 0x5000 };
		size_t n = strlen(rows[i].bytes);
		memset(code.bytes, 0x90, sizeof(code.bytes));
		memcpy(code.bytes + ACCESS_BEFORE - n, rows[i].bytes, n);
		ck_assert_int_eq(accesses_x86_64(&code, (const uint8_t *)&regs, AT, 8), rows[i].is);
	}
}
END_TEST

int main(void)
{
	Suite *s = suite_create("accesses_x86_64");

	unit_case(s, "accesses", all_of_the_c_library_is_understood,
		  the_instruction_is_found_from_behind);
	return unit_run(s);
}
