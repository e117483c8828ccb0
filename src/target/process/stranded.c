/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/stranded.h"

#include <string.h>
#include <sys/auxv.h>

#include "target/process/passing.h"

/* The code behind a system call of the vdso; 0: none. */
static taddr find_call(struct tracees *ts)
{
	enum { CHUNK = 4096, VDSO_MAX = 16 * CHUNK };
	const struct arch *arch = ts->target->arch;
	uint8_t code[CHUNK];
	uint64_t start = 0;

	error_ignore(target_auxv(ts->target, AT_SYSINFO_EHDR, &start));
	for (taddr at = start; start && at < start + VDSO_MAX; at += CHUNK) {
		const size_t len = passing_read(ts, at, code, sizeof(code));
		const uint8_t *call = memmem(code, len, arch->call_insn, arch->call_insn_size);
		if (call)
			return at + (taddr)(call - code) + arch->call_insn_size;
	}
	return 0;
}

struct error *stranded_save(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;
	uint8_t code[ARCH_INSN_MAX];

	if (!passing_waits_in_call(ts, th))
		return NULL;
	const taddr pc = arch_get(arch->pc, th->general), at = pc - arch->call_insn_size;
	if (passing_read(ts, at, code, arch->call_insn_size) == arch->call_insn_size)
		return NULL;
	const taddr other = find_call(ts);
	if (!other)
		return NULL;
	arch_put(arch->pc, th->general, other);
	th->general_changed = true;
	return tracees_flush(ts, th);
}
