/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/passing.h"

#include <stdint.h>
#include <string.h>

#include "target/process/ptrace.h"

static taddr pc_of(const struct tracees *ts, const struct thread *th)
{
	return arch_get(ts->target->arch->pc, th->general);
}

/* They go to the kernel with the next request (tracees.c). */
static void set_pc(const struct tracees *ts, struct thread *th, taddr pc)
{
	arch_put(ts->target->arch->pc, th->general, pc);
	th->general_changed = true;
}

/* ---- arriving --------------------------------------------------------------------------- */

/* What a handler is told of the instruction that failed: where it would be without the copy. */
static void mend_info(const struct thread *th, const struct copy *copy, siginfo_t *info)
{
	taddr addr = (taddr)(uintptr_t)info->si_addr;

	if (info->si_code <= 0 || addr < copy->at || addr >= copy->at + copy->size)
		return;
	info->si_addr = (void *)(uintptr_t)(addr - copy->at + copy->addr);
	error_ignore(ptrace_set_siginfo(th->lwp, info));
}

static void leave_copy(struct tracees *ts, struct thread *th, siginfo_t *info)
{
	const struct copy *copy = &ts->copies.items[th->passage.copy - 1];
	taddr pc = pc_of(ts, th);

	th->passage.copy = 0;
	if (pc == copy->at) {
		th->passage = (struct passage){ copy->addr, .arrived = true, .settled = true };
		set_pc(ts, th, copy->addr);
	} else if (pc == copy->at + copy->insn) {
		set_pc(ts, th, copy->addr + copy->insn);
	}
	if (info)
		mend_info(th, copy, info);
}

/* A trap that was taken out while the thread executed it: it has never been there. */
static void find_stale(struct tracees *ts, struct thread *th, struct stop *stop)
{
	const struct arch *arch = ts->target->arch;
	taddr at = pc_of(ts, th) - arch->trap_behind;
	uint8_t now[ARCH_TRAP_MAX];
	size_t n = ts->sites.read(ts->sites.context, at, now, arch->trap_size);

	if (n < arch->trap_size || !memcmp(now, arch->trap, n) || sites_find(&ts->sites, at))
		return;
	set_pc(ts, th, at);
	*stop = (struct stop){ .kind = STOP_INTERRUPTED };
}

/* A trap at a site is ompdb's: the thread stands before the instruction that belongs there. */
static void find_site(struct tracees *ts, struct thread *th, struct stop *stop)
{
	struct site *site = sites_hit(&ts->sites, pc_of(ts, th));

	if (!site) {
		find_stale(ts, th, stop);
		return;
	}
	set_pc(ts, th, site->addr);
	bool is_back = absences_end(&ts->absences, ts->target->arch, th->lwp, th->general);
	/* Of children nothing is told. */
	th->passage =
		(struct passage){ site->addr, .arrived = true, .settled = is_back || th->maker };
	*stop = (struct stop){ .kind = STOP_SITE, .value = (long)site->addr };
}

/*
 * What the debug registers say. One that stops before an instruction is a site of its own kind; but
 * where a trap is planted, too, that comes next, and tells.
 */
static void find_fired(struct tracees *ts, struct thread *th, struct stop *stop)
{
	unsigned int fired = 0;

	th->nfired = 0;
	error_ignore(debug_registers_fired(th->lwp, &fired)); /* it has been killed */
	for (unsigned int i = 0; i < DEBUG_REGISTERS; i++) {
		const struct debug_register *r = debug_registers_at(&ts->debug, th->lwp, i);
		if (!(fired >> i & 1) || !r)
			continue;
		if (r->kind == DEBUG_EXECUTE && sites_find(&ts->sites, r->addr))
			continue;
		th->fired[th->nfired++] = *r;
		if (r->kind != DEBUG_EXECUTE)
			continue;
		bool is_back = absences_end(&ts->absences, ts->target->arch, th->lwp, th->general);
		th->passage = (struct passage){ r->addr, .arrived = true, .settled = is_back,
						.passes = true };
		*stop = (struct stop){ .kind = STOP_SITE, .value = (long)r->addr };
	}
	if (stop->kind == STOP_WATCHPOINT && !th->nfired)
		*stop = (struct stop){ .kind = STOP_INTERRUPTED }; /* of one that is gone */
}

static bool is_site(const struct tracees *ts, taddr pc)
{
	vec_for_each (r, &ts->debug) {
		if (r->kind == DEBUG_EXECUTE && r->addr == pc)
			return true;
	}
	return sites_find(&ts->sites, pc) != NULL;
}

/* A step may lead away from a site, and to one. */
static void follow_step(struct tracees *ts, struct thread *th, bool stepped)
{
	taddr pc = pc_of(ts, th);

	if (pc != th->passage.at)
		th->passage.arrived = false;
	if (!th->passage.arrived && stepped && is_site(ts, pc))
		th->passage = (struct passage){ pc, .arrived = true };
}

/* A step over a system call leaves the trap flag where that saved the flags. */
static void mend_flags(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;
	uint64_t flags = arch_get(arch->call_flags, th->general);
	uint8_t code[ARCH_INSN_MAX];
	size_t n = arch->call_insn_size;

	if (!(flags & arch->step_flag) || arch_get(arch->call_pc, th->general) != pc_of(ts, th) ||
	    passing_read(ts, pc_of(ts, th) - n, code, n) < n ||
	    memcmp(code, arch->call_insn, n) != 0)
		return;
	arch_put(arch->call_flags, th->general, flags & ~arch->step_flag);
	th->general_changed = true;
}

void passing_note(struct tracees *ts, struct thread *th, struct stop *stop, siginfo_t *info)
{
	bool any_debug = debug_registers_any(&ts->debug, th->lwp) && !th->maker;
	bool trapped = stop->kind == STOP_BREAKPOINT && ts->sites.arch;
	bool stepped = stop->kind == STOP_STEPPED;
	bool fired = stop->kind == STOP_WATCHPOINT || (stepped && any_debug);
	const uint8_t *general;

	if (stop_is_end(stop) || stop->kind == STOP_EXEC ||
	    !(trapped || stepped || fired || th->passage.arrived || th->passage.copy))
		return;
	struct error *err = tracees_general(ts, th, &general);
	if (err) { /* it has been killed, and the end is told next */
		error_ignore(err);
		return;
	}
	if (th->passage.copy)
		leave_copy(ts, th, info);
	if (trapped)
		find_site(ts, th, stop);
	if (fired)
		find_fired(ts, th, stop);
	if (stop->kind != STOP_SITE)
		follow_step(ts, th, stepped);
	if (stepped)
		mend_flags(ts, th);
}

/* ---- getting over it -------------------------------------------------------------------- */

struct site *passing_site(struct tracees *ts, struct thread *th)
{
	const struct passage *p = &th->passage;
	const uint8_t *general;

	if (!ts->sites.len || th->state != THREAD_STOPPED || !p->arrived || !p->settled)
		return NULL;
	/* Its handler comes first, and the instruction when that returns. */
	if (th->signal)
		return NULL;
	struct error *err = tracees_general(ts, th, &general);
	bool there = !err && pc_of(ts, th) == p->at;
	error_ignore(err);
	return there ? sites_find(&ts->sites, p->at) : NULL;
}

/* What there is of the code at a site. */
static size_t read_code(struct tracees *ts, const struct site *site, uint8_t ret[ARCH_INSN_MAX])
{
	return passing_read(ts, site->addr, ret, ARCH_INSN_MAX);
}

/* Looks once for a copy of it; again when more is lent. */
static bool has_copy(struct tracees *ts, struct site *site)
{
	uint8_t code[ARCH_INSN_MAX];

	if (!site->copy && !site->alone) {
		size_t n = read_code(ts, site, code);
		site->copy = copies_make(&ts->copies, &ts->sites, site->addr, code, n);
		site->alone = !site->copy;
	}
	return site->copy != 0;
}

bool passing_is_in_place(struct tracees *ts, struct site *site)
{
	uint8_t code[ARCH_INSN_MAX];

	if (has_copy(ts, site))
		return false;
	size_t n = read_code(ts, site, code);
	return !ts->target->arch->emulate(code, n, site->addr, NULL, NULL);
}

bool passing_makes_call(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;
	uint8_t code[ARCH_INSN_MAX];
	const uint8_t *general;
	struct error *err = tracees_general(ts, th, &general);
	size_t n = err ? 0 : passing_read(ts, pc_of(ts, th), code, arch->call_insn_size);

	error_ignore(err); /* it has been killed */
	return n == arch->call_insn_size && !memcmp(code, arch->call_insn, n);
}

/* It goes on without the instruction: it will be back. */
static struct error *note_absence(struct tracees *ts, struct thread *th)
{
	th->passage.arrived = false;
	return absences_add(&ts->absences, ts->target->arch, th->lwp, th->general);
}

struct error *passing_enter(struct tracees *ts, struct thread *th, bool steps)
{
	struct passage *p = &th->passage;
	const uint8_t *general;

	if (!p->arrived)
		return NULL;
	struct site *site = p->settled ? sites_find(&ts->sites, p->at) : NULL;
	bool is_there = p->settled && is_site(ts, p->at);
	if (!is_there || (site && site->lifted_for == th->lwp)) {
		p->arrived = p->arrived && steps;
		return NULL;
	}
	struct error *err = tracees_unless_gone(tracees_general(ts, th, &general));
	if (err || !th->general_valid)
		return err;
	if (pc_of(ts, th) != p->at) {
		p->arrived = false;
		return NULL;
	}
	if (p->passes) {
		p->arrived = p->arrived && steps;
		return NULL;
	}
	if (!site || th->signal || !has_copy(ts, site))
		return site && steps && !th->signal ? NULL : note_absence(ts, th);
	p->copy = site->copy;
	p->arrived = p->arrived && steps;
	set_pc(ts, th, ts->copies.items[p->copy - 1].at);
	return NULL;
}

static bool is_restarted(const struct arch *arch, const struct thread *th, uint64_t *ret_number)
{
	/* include/linux/errno.h: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND;
	   ERESTART_RESTARTBLOCK makes a call of its own */
	enum { FIRST = 512, LAST = 514, BLOCK = 516 };
	int64_t number = (int64_t)arch_get(arch->call_number, th->general);
	int64_t result = -(int64_t)arch_get(arch->call_result, th->general);

	*ret_number = (uint64_t)number;
	for (size_t i = 0; result == BLOCK && i < arch->ncall_names; i++) {
		if (arch->call_names[i] && strcmp(arch->call_names[i], "restart_syscall") == 0)
			*ret_number = i;
	}
	return number >= 0 && (result == BLOCK || (result >= FIRST && result <= LAST));
}

bool passing_waits_in_call(struct tracees *ts, struct thread *th)
{
	const uint8_t *general;
	uint64_t number;
	struct error *err = tracees_general(ts, th, &general);
	bool waits = !err && is_restarted(ts->target->arch, th, &number);

	error_ignore(err); /* it has been killed */
	return waits;
}

struct error *passing_note_restart(struct tracees *ts, struct thread *th)
{
	const struct arch *arch = ts->target->arch;
	uint8_t then[ARCH_GENERAL_MAX];
	const uint8_t *general;
	uint64_t number;

	if (!th->passage.called || th->signal || !sites_find(&ts->sites, th->passage.at))
		return NULL;
	struct error *err = tracees_general(ts, th, &general);
	if (err)
		return tracees_unless_gone(err);
	if (pc_of(ts, th) != th->passage.at + arch->call_insn_size ||
	    !is_restarted(arch, th, &number))
		return NULL;
	memcpy(then, general, sizeof(then));
	arch_put(arch->pc, then, th->passage.at);
	arch_put(arch->call_result, then, number);
	return absences_add(&ts->absences, arch, th->lwp, then);
}

/* ---- emulation -------------------------------------------------------------------------- */

struct emulated {
	const struct debug_registers *debug;
	struct thread *th;
};

/* No debug register sees what ompdb does for a thread: those that would have stopped it. */
static void fire(struct emulated *e, taddr at, size_t len, bool writes)
{
	for (unsigned int i = 0; i < DEBUG_REGISTERS && !e->th->maker; i++) {
		const struct debug_register *r = debug_registers_at(e->debug, e->th->lwp, i);
		if (!r || (r->kind != DEBUG_ACCESS && (!writes || r->kind != DEBUG_WRITE)))
			continue;
		if (at < r->addr + r->size && r->addr < at + len && e->th->nfired < DEBUG_REGISTERS)
			e->th->fired[e->th->nfired++] = *r;
	}
}

static bool read_as(void *context, uint64_t from, void *ret, size_t len)
{
	struct emulated *e = context;

	fire(e, from, len, false);
	return ptrace_read_as(e->th->lwp, from, ret, len);
}

static bool write_as(void *context, uint64_t to, const void *bytes, size_t len)
{
	struct emulated *e = context;

	fire(e, to, len, true);
	return ptrace_write_as(e->th->lwp, to, bytes, len);
}

/* Calls and returns of a thread with a shadow stack change that as well. */
static bool has_shadow(struct tracees *ts, const struct thread *th)
{
	if (!ts->no_shadows)
		return ptrace_has_regset(th->lwp, ts->target->arch->shadow_note, &ts->no_shadows);
	return false;
}

bool passing_emulate_at(struct tracees *ts, struct thread *th, taddr pc)
{
	struct emulated emulated = { &ts->debug, th };
	struct emulate_memory memory = { read_as, write_as, &emulated };
	uint8_t code[ARCH_INSN_MAX];
	const struct arch *arch = ts->target->arch;

	if (has_shadow(ts, th))
		return false;
	size_t n = passing_read(ts, pc, code, sizeof(code));
	th->nfired = 0;
	if (!arch->emulate(code, n, pc, th->general, &memory)) {
		th->nfired = 0;
		return false;
	}
	th->general_changed = true;
	th->passage.arrived = false;
	if (sites_find(&ts->sites, pc_of(ts, th)))
		th->passage = (struct passage){ pc_of(ts, th), .arrived = true };
	return true;
}

bool passing_emulate(struct tracees *ts, struct thread *th, struct site *site)
{
	return !has_copy(ts, site) && passing_emulate_at(ts, th, site->addr);
}

/* ---- sites and copies ------------------------------------------------------------------- */

size_t passing_read(struct tracees *ts, taddr from, void *ret, size_t len)
{
	size_t got = ts->sites.read(ts->sites.context, from, ret, len);

	sites_hide(&ts->sites, from, ret, got);
	copies_hide(&ts->copies, from, ret, got);
	return got;
}

static bool is_busy(const struct tracees *ts, size_t copy)
{
	for (size_t i = 0; i < tracees_len(ts); i++) {
		if (tracees_at(ts, i)->passage.copy == copy)
			return true;
	}
	return false;
}

static void forget_copy(struct tracees *ts, struct site *site)
{
	copies_take_out(&ts->copies, &ts->sites, site->copy, is_busy(ts, site->copy));
	site->copy = 0;
	site->alone = false;
}

struct error *passing_write(struct tracees *ts, taddr to, const void *bytes, size_t len)
{
	vec_for_each (site, &ts->sites) {
		if (site->addr + ARCH_INSN_MAX > to && site->addr < to + len)
			forget_copy(ts, site);
	}
	return sites_write(&ts->sites, to, bytes, len);
}

struct error *passing_lend(struct tracees *ts, taddr start, taddr end)
{
	vec_for_each (site, &ts->sites)
		site->alone = false;
	return copies_lend(&ts->copies, start, end);
}

struct error *passing_unplant(struct tracees *ts, taddr addr)
{
	struct site *site = sites_find(&ts->sites, addr);

	if (site && site->wanted == 1)
		forget_copy(ts, site);
	return sites_unplant(&ts->sites, addr);
}

struct error *passing_clean(struct tracees *ts, pid_t pid)
{
	struct error *err = sites_clean(&ts->sites, pid);

	return err ? err : copies_clean(&ts->copies, pid);
}

struct error *passing_give(const struct tracees *maker, struct tracees *child, bool shared)
{
	struct error *err = sites_copy(&maker->sites, &child->sites);

	child->sites.shared = shared;
	child->debug = maker->debug;
	for (size_t i = 0; shared && i < child->sites.len; i++) {
		child->sites.items[i].copy = 0;
		child->sites.items[i].alone = true;
	}
	return err || shared ? err : copies_copy(&maker->copies, &child->copies);
}

void passing_remove(struct tracees *ts)
{
	vec_for_each (site, &ts->sites)
		forget_copy(ts, site);
	copies_remove(&ts->copies, &ts->sites);
	sites_remove(&ts->sites);
}

void passing_forget(struct tracees *ts)
{
	copies_forget(&ts->copies);
	sites_forget(&ts->sites);
	absences_drop(&ts->absences, 0);
}
