/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/debug_registers.h"

#include <inttypes.h>

#include "target/process/ptrace.h"

enum { STATUS = 6, CONTROL = 7 };

static struct debug_register *find(struct debug_registers *d, enum debug_kind kind, taddr addr,
				   size_t size)
{
	for (size_t i = 0; i < DEBUG_REGISTERS; i++) {
		struct debug_register *r = &d->items[i];
		if (r->wanted && r->kind == kind && r->addr == addr && r->size == size)
			return r;
	}
	return NULL;
}

struct error *debug_registers_add(struct debug_registers *d, enum debug_kind kind, taddr addr,
				  size_t size)
{
	struct debug_register *known = find(d, kind, addr, size);

	if (known) {
		known->wanted++;
		return NULL;
	}
	for (size_t i = 0; i < DEBUG_REGISTERS; i++) {
		if (d->items[i].wanted)
			continue;
		d->items[i] = (struct debug_register){ addr, size, kind, 1 };
		d->setting++;
		return NULL;
	}
	return error_new(ERROR_UNSUPPORTED,
			 "all %d debug registers of the processor are in use: delete a watchpoint "
			 "or a hardware breakpoint",
			 DEBUG_REGISTERS);
}

void debug_registers_drop(struct debug_registers *d, enum debug_kind kind, taddr addr, size_t size)
{
	struct debug_register *r = find(d, kind, addr, size);

	if (r && !--r->wanted)
		d->setting++;
}

bool debug_registers_any(const struct debug_registers *d)
{
	for (size_t i = 0; i < DEBUG_REGISTERS; i++) {
		if (d->items[i].wanted)
			return true;
	}
	return false;
}

/* DR7: a bit that enables each, and from bit 16 on four bits: its kind, and its size. */
static uint64_t control_of(const struct debug_registers *d)
{
	static const uint64_t sizes[] = { [1] = 0, [2] = 1, [4] = 3, [8] = 2 };
	uint64_t control = 0;

	for (size_t i = 0; i < DEBUG_REGISTERS; i++) {
		const struct debug_register *r = &d->items[i];
		if (!r->wanted)
			continue;
		control |= UINT64_C(1) << (2 * i);
		control |= ((uint64_t)r->kind | sizes[r->size] << 2) << (16 + 4 * i);
	}
	return control;
}

struct error *debug_registers_load(const struct debug_registers *d, pid_t lwp, unsigned int *has)
{
	struct error *err = NULL;

	if (*has == d->setting || (!*has && !debug_registers_any(d)))
		return NULL;
	err = ptrace_set_debug_register(lwp, CONTROL, 0);
	for (unsigned int i = 0; i < DEBUG_REGISTERS && !err; i++) {
		if (d->items[i].wanted)
			err = error_add(ptrace_set_debug_register(lwp, i, d->items[i].addr),
					"no debug register takes address 0x%" PRIx64,
					d->items[i].addr);
	}
	if (!err)
		err = ptrace_set_debug_register(lwp, CONTROL, control_of(d));
	if (!err)
		*has = d->setting;
	return err;
}

struct error *debug_registers_clear(pid_t lwp, unsigned int *has)
{
	if (!*has)
		return NULL;
	*has = 0;
	return ptrace_set_debug_register(lwp, CONTROL, 0);
}

struct error *debug_registers_fired(pid_t lwp, unsigned int *ret)
{
	uint64_t status = 0;
	struct error *err = ptrace_get_debug_register(lwp, STATUS, &status);

	if (!err && status)
		err = ptrace_set_debug_register(lwp, STATUS, 0);
	if (!err)
		*ret = status & ((1 << DEBUG_REGISTERS) - 1);
	return err;
}
