/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/passage.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* Of each thread: as deep as handlers interrupt each other at sites. */
enum { ABSENCES_MAX = 8 };

void absences_fini(struct absences *a)
{
	vec_fini(a);
}

static void take_out(struct absences *a, size_t at)
{
	a->len--;
	memmove(a->items + at, a->items + at + 1, (a->len - at) * sizeof(*a->items));
}

static struct absence note(const struct arch *arch, pid_t lwp, const uint8_t *general)
{
	struct absence absence;

	memset(&absence, 0, sizeof(absence));
	absence.lwp = lwp;
	absence.pc = arch_get(arch->pc, general);
	for (size_t i = 0; i < arch->ncode_regs; i++)
		absence.code_regs[i] = arch_get(arch->code_regs[i], general);
	return absence;
}

struct error *absences_add(struct absences *a, const struct arch *arch, pid_t lwp,
			   const uint8_t *general)
{
	size_t of_thread = 0, oldest = 0;

	for (size_t i = a->len; i-- > 0;) {
		if (a->items[i].lwp != lwp)
			continue;
		of_thread++;
		oldest = i;
	}
	if (of_thread >= ABSENCES_MAX)
		take_out(a, oldest);
	return vec_push(a, note(arch, lwp, general)) ? NULL : &error_nomem;
}

bool absences_end(struct absences *a, const struct arch *arch, pid_t lwp, const uint8_t *general)
{
	if (!a->len)
		return false;
	struct absence back = note(arch, lwp, general);
	for (size_t i = a->len; i-- > 0;) {
		if (memcmp(&a->items[i], &back, sizeof(back)) != 0)
			continue;
		take_out(a, i);
		return true;
	}
	return false;
}

void absences_drop(struct absences *a, pid_t lwp)
{
	size_t left = 0;

	vec_for_each (absence, a) {
		if (lwp && absence->lwp != lwp)
			a->items[left++] = *absence;
	}
	a->len = left;
}
