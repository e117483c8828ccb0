/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/cpu/disassembly.h"

#include <string.h>

#if HAVE_ZYDIS
#include <Zydis/Zydis.h>

enum { TEXT_MAX = 256, MNEMONIC_WIDTH = 6 };

/* "mov %rsp, %rbp" becomes "mov    %rsp,%rbp". */
static void add_as_gdb(struct buf *out, const char *text)
{
	size_t mnemonic = strcspn(text, " ");

	buf_add(out, text, mnemonic);
	if (!text[mnemonic])
		return;
	for (size_t i = mnemonic; i < MNEMONIC_WIDTH; i++)
		buf_addc(out, ' ');
	for (const char *p = text + mnemonic; *p; p++) {
		if (!(*p == ' ' && p[-1] == ','))
			buf_addc(out, *p);
	}
}

static ZydisFormatter make_formatter(bool intel)
{
	static const struct {
		ZydisFormatterProperty property;
		ZyanUPointer value;
	} properties[] = {
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED },
		{ ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE },
		{ ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE },
		{ ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS, ZYDIS_SIGNEDNESS_UNSIGNED },
	};
	ZydisFormatter f;

	ZydisFormatterInit(&f, intel ? ZYDIS_FORMATTER_STYLE_INTEL : ZYDIS_FORMATTER_STYLE_ATT);
	for (size_t i = 0; i < sizeof(properties) / sizeof(*properties); i++)
		ZydisFormatterSetProperty(&f, properties[i].property, properties[i].value);
	return f;
}

/* "# 0x404018 <counter>" behind what is addressed by pc; " <work>" behind where a call goes. */
static void add_addresses(const struct disassembly *d, const ZydisDecodedInstruction *insn,
			  const ZydisDecodedOperand *operands, taddr addr, struct buf *out)
{
	for (size_t i = 0; i < insn->operand_count_visible; i++) {
		const ZydisDecodedOperand *o = &operands[i];
		bool memory =
			o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == ZYDIS_REGISTER_RIP;
		bool target = o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && o->imm.is_relative;
		ZyanU64 absolute;
		if ((!memory && !target) ||
		    !ZYAN_SUCCESS(ZydisCalcAbsoluteAddress(insn, o, addr, &absolute)))
			continue;
		if (memory)
			buf_addf(out, "        # 0x%" PRIx64, (uint64_t)absolute);
		if (d->add_symbol)
			d->add_symbol(d->context, out, absolute);
	}
}

static size_t decode(const struct disassembly *d, const uint8_t *bytes, size_t size, taddr addr,
		     struct buf *out)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoder decoder;
	char text[TEXT_MAX];

	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, size, &insn, operands)))
		return 0;
	ZydisFormatter f = make_formatter(d->intel);
	if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&f, &insn, operands,
							  insn.operand_count_visible, text,
							  sizeof(text), addr, ZYAN_NULL)))
		return 0;
	add_as_gdb(out, text);
	add_addresses(d, &insn, operands, addr, out);
	return insn.length;
}

#else

static size_t decode(const struct disassembly *d, const uint8_t *bytes, size_t size, taddr addr,
		     struct buf *out)
{
	struct insn insn;

	if (!d->arch->decode(bytes, size, addr, &insn) || !insn.size)
		return 0;
	buf_adds(out, ".byte ");
	for (size_t i = 0; i < insn.size; i++)
		buf_addf(out, "%s0x%02x", i ? "," : "", bytes[i]);
	return insn.size;
}

#endif

size_t disassembly_add(const struct disassembly *d, const uint8_t *bytes, size_t size, taddr addr,
		       struct buf *out)
{
	size_t its = decode(d, bytes, size < DISASSEMBLY_INSN_MAX ? size : DISASSEMBLY_INSN_MAX,
			    addr, out);

	if (!its)
		buf_adds(out, "(bad)");
	return its ? its : 1;
}
