/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/unwind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/code/guess.h"

enum { NO_FRAME = UNWIND_FRAMES_MAX };
enum { CACHED_ROWS = 2048 }; /* register rules of that many addresses */

void unwind_stack_fini(struct unwind_stack *s)
{
	vec_fini(s);
	free(s->end);
	s->end = NULL;
}

struct unwinder *unwinder_new(struct module_list *modules, struct debuginfo_set *files)
{
	struct unwinder *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->modules = modules;
	u->files = files;
	u->memory = modules->target->memory;
	u->arch = modules->target->arch;
	u->wanted = NO_FRAME;
	u->space = unw_create_addr_space(&unwind_accessors, 0);
	if (!u->space) {
		unwinder_free(u);
		return NULL;
	}
	unw_set_caching_policy(u->space, UNW_CACHE_GLOBAL);
	unw_set_cache_size(u->space, CACHED_ROWS, 0);
	return u;
}

void unwinder_free(struct unwinder *u)
{
	if (!u)
		return;
	if (u->space)
		unw_destroy_addr_space(u->space);
	free(u->breaks);
	free(u);
}

void unwinder_set_breaks(struct unwinder *u, struct unwind_break *breaks, size_t n)
{
	free(u->breaks);
	u->breaks = breaks;
	u->nbreaks = n;
}

/* ---- walking ---------------------------------------------------------------------------- */

static uint64_t get(unw_cursor_t *cursor, unw_regnum_t reg)
{
	unw_word_t value = 0;

	return unw_get_reg(cursor, reg, &value) < 0 ? 0 : value;
}

static void set_end(struct unwind_stack *s, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void set_end(struct unwind_stack *s, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&s->end, fmt, args) < 0)
		s->end = NULL;
	va_end(args);
}

/* Rules for code that is no longer there must not be used for what has its place now. */
static void forget_old_rules(struct unwinder *u)
{
	if (u->generation != u->modules->generation)
		unw_flush_cache(u->space, 0, 0);
	u->generation = u->modules->generation;
}

/* libunwind counts x86-64 registers as DWARF does. */
static void load_set(struct unwinder *u, const uint8_t *general)
{
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++) {
		const struct reg *r = arch_find_dwarf_reg(u->arch, i);
		u->registers[i] = r ? arch_get(r, general) : 0;
	}
}

static struct error *load_registers(struct unwinder *u, struct thread *th)
{
	const uint8_t *general;
	struct error *err = target_general(u->modules->target, th, &general);

	u->lwp = th->lwp;
	if (!err)
		load_set(u, general);
	return err;
}

/* The thread that has called clone(), of which the kernel is telling: nothing has been pushed. */
static bool is_in_clone(const struct unwinder *u, taddr pc)
{
	const struct arch *a = u->arch;
	uint8_t code[8];

	return a->clone_size <= sizeof(code) && u->registers[a->call_result->dwarf] &&
	       memory_try_read(u->memory, pc - a->call_insn_size, code, a->clone_size) &&
	       !memcmp(code, a->clone, a->clone_size);
}

/*
 * A call through a wild pointer leaves a pc where no code is. The return address is then still
 * on top of the stack: the walk goes on from the caller, as from clone(). true: *ret_frame is the
 * wild frame.
 */
static bool leave_wild_pc(struct unwinder *u, struct unwind_frame *ret_frame)
{
	taddr pc = u->registers[UNW_TDEP_IP], sp = u->registers[UNW_TDEP_SP], back;

	if ((unwind_is_code(u, pc) && !is_in_clone(u, pc)) ||
	    !memory_try_read(u->memory, sp, &back, sizeof(back)) || !unwind_is_code(u, back))
		return false;
	*ret_frame =
		(struct unwind_frame){ .pc = pc, .cfa = sp + u->arch->stack_slot, .exact = true };
	u->registers[UNW_TDEP_IP] = back - 1; /* into the call: this frame counts as exact */
	u->registers[UNW_TDEP_SP] = sp + u->arch->stack_slot;
	return true;
}

/* Why the walk cannot go on beyond its last frame; NULL: it is where the thread began. */
static void explain_end(const struct unwinder *u, struct unwind_stack *s, int result)
{
	const struct unwind_frame *last = &s->items[s->len - 1];
	const struct module *m = module_at(u->modules, last->pc);

	if (u->unreadable)
		set_end(s, "memory at 0x%" PRIxTADDR " cannot be read", u->unreadable);
	else if (u->no_tables)
		set_end(s,
			"no unwind tables for 0x%" PRIxTADDR "%s%s, and no frame pointer leads on",
			last->pc, m ? " in " : "", m ? module_name(m) : "");
	else if (result == -UNW_EBADFRAME)
		set_end(s, "the stack does not grow beyond 0x%" PRIxTADDR ": it may be damaged",
			last->cfa);
	else if (result < 0)
		set_end(s, "unwind tables for 0x%" PRIxTADDR " cannot be used: %s", last->pc,
			unw_strerror(result));
}

/* What a step found must be plausible as a caller; false: it is not, and s->end says why. */
static bool check_caller(const struct unwinder *u, struct unwind_stack *s, taddr pc, taddr sp,
			 taddr before)
{
	const struct unwind_frame *last = &s->items[s->len - 1];
	bool may_jump = last->signal; /* back from an alternate signal stack */
	/* Where no call was made from, the return address may be in a register, as in vfork(). */
	bool may_stay = last->exact;

	if (!unwind_is_code(u, pc - !may_jump))
		set_end(s, "the return address 0x%" PRIxTADDR " is not in code", pc);
	else if (sp % u->arch->stack_slot)
		set_end(s, "the stack pointer 0x%" PRIxTADDR " is not aligned", sp);
	else if ((sp < before || (sp == before && !may_stay)) && !may_jump)
		set_end(s, "the stack does not grow beyond 0x%" PRIxTADDR ": it may be damaged",
			before);
	return !s->end;
}

static bool is_sigreturn(const struct unwinder *u, taddr pc)
{
	uint8_t code[16];
	size_t size = u->arch->sigreturn_size;

	return size <= sizeof(code) && memory_try_read(u->memory, pc, code, size) &&
	       !memcmp(code, u->arch->sigreturn, size);
}

/*
 * The kernel's signal trampoline, at its begin or at the system call that ends it. By its code, as
 * gdb does it: libunwind tells only when it has stepped out of it.
 */
static bool is_trampoline(const struct unwinder *u, taddr pc)
{
	return is_sigreturn(u, pc) ||
	       is_sigreturn(u, pc - (u->arch->sigreturn_size - u->arch->call_insn_size));
}

/* Adds a frame; false: there are as many as wanted, and s->cut says so, or memory is out. */
static bool add_frame(struct unwind_stack *s, size_t max_frames, const struct unwind_frame *frame)
{
	s->cut = s->len == max_frames;
	return !s->cut && vec_push(s, *frame);
}

/* Makes the registers of the cursor's frame those that a walk begins with. */
static void take_registers(struct unwinder *u, unw_cursor_t *cursor)
{
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++)
		u->registers[i] = get(cursor, i);
}

/* The cursor stands at the last frame of the stack. */
static void keep_wanted(struct unwinder *u, const struct unwind_stack *s, unw_cursor_t *cursor)
{
	if (s->len - 1 != u->wanted)
		return;
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++) {
		u->found[i] = get(cursor, i);
		if (unw_get_save_loc(cursor, i, &u->found_at[i]) < 0)
			u->found_at[i].type = UNW_SLT_NONE;
	}
	u->found_any = true;
}

/* Behind a frame of the debugger's the thread is as it was. */
static const struct unwind_break *find_break(const struct unwinder *u, taddr pc, taddr sp)
{
	for (size_t i = 0; i < u->nbreaks; i++) {
		const struct unwind_break *b = &u->breaks[i];
		if (b->lwp == u->lwp && b->pc == pc && b->sp == sp)
			return b;
	}
	return NULL;
}

/* What a walk begins with, or begins with once more: beside the registers that it goes on from. */
struct walk_start {
	bool again;
	bool calls; /* pc has been set into the call that it has made                        */
	bool guessed, scanned;
};

static struct error *pass_break(struct unwinder *u, size_t max_frames, const struct unwind_break *b,
				struct unwind_stack *s, struct walk_start *ret_next)
{
	const struct unwind_frame made = { .pc = b->pc, .cfa = b->sp, .exact = true, .made = true };

	if (!add_frame(s, max_frames, &made))
		return s->cut ? NULL : &error_nomem;
	load_set(u, b->general);
	ret_next->again = true;
	return NULL;
}

/*
 * The cursor stands at the last frame of the stack, in code that has no unwind tables. Where all of
 * its module lacks them, its own callers cannot be told from those further out.
 */
static bool pass_bare(struct unwinder *u, unw_cursor_t *cursor, struct unwind_stack *s,
		      struct walk_start *ret_next)
{
	uint64_t own[UNW_TDEP_LAST_REG + 1];

	take_registers(u, cursor);
	memcpy(own, u->registers, sizeof(own));
	if (unwind_is_bare(u, own[UNW_TDEP_IP]) || !guess_caller(u, own, &ret_next->scanned))
		return false;
	s->items[s->len - 1].cfa = u->registers[UNW_TDEP_SP];
	u->registers[UNW_TDEP_IP]--;
	ret_next->again = ret_next->calls = ret_next->guessed = true;
	return true;
}

/*
 * Walks from u->registers on. ret_next->again: it has come to code that a signal interrupted at a
 * wild pc, to a break, or to a caller that is guessed, and has left the registers of that.
 */
static struct error *walk(struct unwinder *u, size_t max_frames, struct unwind_stack *s,
			  const struct walk_start *start, struct walk_start *ret_next)
{
	bool after_signal = true; /* the first frame's pc is exact, too */
	bool guessed = start->guessed, scanned = start->scanned;
	struct unwind_frame wild;
	unw_cursor_t cursor, here;

	*ret_next = (struct walk_start){ 0 };
	bool left = !start->calls && leave_wild_pc(u, &wild), after_wild = start->calls || left;
	if (left && !add_frame(s, max_frames, &wild))
		return s->cut ? NULL : &error_nomem;
	int result = unw_init_remote(&cursor, u->space, u);
	if (result < 0)
		set_end(s, "libunwind cannot start: %s", unw_strerror(result));
	while (result >= 0) {
		taddr pc = get(&cursor, UNW_REG_IP), sp = get(&cursor, UNW_REG_SP);
		bool signal = is_trampoline(u, pc);
		struct unwind_frame frame = {
			.pc = after_wild ? pc + 1 : pc, /* the return address again */
			.exact = !after_wild && (after_signal || signal),
			.signal = signal,
			.guessed = guessed,
			.scanned = scanned,
		};
		if (!add_frame(s, max_frames, &frame))
			return s->cut ? NULL : &error_nomem;
		keep_wanted(u, s, &cursor);
		u->no_tables = false;
		u->unreadable = 0;
		here = cursor;
		result = unw_step(&cursor);
		if (u->no_tables && frame.exact && !signal && pass_bare(u, &here, s, ret_next))
			return NULL;
		taddr caller_sp = get(&cursor, UNW_REG_SP), caller_pc = get(&cursor, UNW_REG_IP);
		if (result > 0 && signal && !unwind_is_code(u, caller_pc)) {
			s->items[s->len - 1].cfa = caller_sp;
			take_registers(u, &cursor);
			ret_next->again = true;
			return NULL;
		}
		if (result <= 0 || !caller_pc) {
			s->items[s->len - 1].cfa = caller_sp > sp ? caller_sp : 0;
			explain_end(u, s, result);
			return NULL;
		}
		s->items[s->len - 1].cfa = caller_sp;
		const struct unwind_break *made = find_break(u, caller_pc, caller_sp);
		if (made)
			return pass_break(u, max_frames, made, s, ret_next);
		if (!check_caller(u, s, caller_pc, caller_sp, sp))
			return NULL;
		guessed = u->no_tables;
		scanned = false;
		after_signal = signal;
		after_wild = false;
	}
	return NULL;
}

struct error *unwind_thread(struct unwinder *u, struct thread *th, size_t max_frames,
			    struct unwind_stack *ret)
{
	struct unwind_stack s = { 0 };
	struct walk_start start, next = { .again = true };
	struct error *err = load_registers(u, th);

	forget_old_rules(u);
	while (!err && next.again) {
		start = next;
		err = walk(u, max_frames, &s, &start, &next);
	}
	if (err) {
		unwind_stack_fini(&s);
		return err;
	}
	*ret = s;
	return NULL;
}

/* Behind a guess only what the guess was made by counts. */
static bool is_usable(const struct unwinder *u, const struct unwind_stack *s, size_t index,
		      const struct reg *r)
{
	bool usable = true;

	for (size_t i = 0; i <= index && i < s->len; i++) {
		if (s->items[i].guessed)
			usable &= r == u->arch->sp || (r == u->arch->fp && !s->items[i].scanned);
	}
	return usable;
}

/* Fills "found" with what frame "index" has; false: there is none. ret: the stack down to it. */
static bool find_frame(struct unwinder *u, struct thread *th, size_t index,
		       struct unwind_stack *ret)
{
	u->wanted = index;
	u->found_any = false;
	struct error *err = unwind_thread(u, th, index + 1, ret);
	u->wanted = NO_FRAME;
	error_ignore(err);
	return !err && u->found_any;
}

bool unwind_registers(struct unwinder *u, struct thread *th, size_t index, uint64_t *ret_values,
		      uint32_t *ret_known)
{
	struct unwind_stack s = { 0 };
	const bool found = find_frame(u, th, index, &s);

	*ret_known = 0;
	for (size_t i = 0; found && i < u->arch->ncode_regs; i++) {
		const struct reg *r = u->arch->code_regs[i];
		if (r->dwarf < 0 || r->dwarf > UNW_TDEP_LAST_REG || !is_usable(u, &s, index, r))
			continue;
		ret_values[i] = u->found[r->dwarf];
		*ret_known |= UINT32_C(1) << i;
	}
	unwind_stack_fini(&s);
	return *ret_known;
}

bool unwind_saved(struct unwinder *u, struct thread *th, size_t index, const struct reg *r,
		  taddr *ret)
{
	struct unwind_stack s = { 0 };
	uint64_t now = 0;

	bool sure = find_frame(u, th, index, &s) && r->dwarf >= 0 && r->dwarf <= UNW_TDEP_LAST_REG;
	for (size_t i = 0; i < s.len && i <= index; i++)
		sure = sure && !s.items[i].guessed && !s.items[i].made && !s.items[i].signal;
	unwind_stack_fini(&s);
	if (!sure)
		return false;
	const unw_save_loc_t *at = &u->found_at[r->dwarf];
	*ret = at->type == UNW_SLT_MEMORY ? at->u.addr : 0;
	if (*ret)
		sure = memory_try_read(u->memory, *ret, &now, sizeof(now));
	else
		sure = at->type == UNW_SLT_REG && !target_get_uint(u->modules->target, th, r, &now);
	return sure && now == u->found[r->dwarf];
}

bool unwind_is_entry(struct unwinder *u, taddr start)
{
	const taddr sp = BLANK_STACK + (BLANK_STACK_END - BLANK_STACK) / 2;
	unw_cursor_t cursor;

	forget_old_rules(u);
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++)
		u->registers[i] = sp;
	u->registers[UNW_TDEP_IP] = start;
	if (unw_init_remote(&cursor, u->space, u) < 0 || unw_step(&cursor) < 0)
		return false;
	return get(&cursor, UNW_REG_SP) == sp + u->arch->stack_slot;
}

/* The CFA at pc for a stack pointer and a frame pointer on the blank stack; 0: not known. */
static taddr cfa_for(struct unwinder *u, taddr pc, taddr sp, taddr fp)
{
	unw_cursor_t cursor;

	memset(u->registers, 0, sizeof(u->registers));
	u->registers[u->arch->sp->dwarf] = sp;
	u->registers[u->arch->fp->dwarf] = fp;
	u->registers[UNW_TDEP_IP] = pc;
	u->no_tables = false;
	if (unw_init_remote(&cursor, u->space, u) < 0 || unw_step(&cursor) < 0 || u->no_tables)
		return 0;
	return get(&cursor, UNW_REG_SP);
}

static int code_reg(const struct unwinder *u, const struct reg *r)
{
	for (size_t i = 0; i < u->arch->ncode_regs; i++) {
		if (u->arch->code_regs[i] == r)
			return (int)i;
	}
	return -1;
}

bool unwind_cfa(struct unwinder *u, taddr pc, struct location_cfa *ret)
{
	const taddr sp = BLANK_STACK + 0x2000, fp = BLANK_STACK + 0x8000, more = 0x1000;

	forget_old_rules(u);
	taddr cfa = cfa_for(u, pc, sp, fp);
	taddr by_sp = cfa ? cfa_for(u, pc, sp + more, fp) : 0;
	taddr by_fp = cfa ? cfa_for(u, pc, sp, fp + more) : 0;
	if (by_sp == cfa + more && by_fp == cfa)
		*ret = (struct location_cfa){ code_reg(u, u->arch->sp), (int64_t)(cfa - sp) };
	else if (by_fp == cfa + more && by_sp == cfa)
		*ret = (struct location_cfa){ code_reg(u, u->arch->fp), (int64_t)(cfa - fp) };
	else
		return false;
	return ret->reg >= 0;
}

bool unwind_function(struct unwinder *u, taddr pc, taddr *ret_start, taddr *ret_end)
{
	unw_proc_info_t info = { 0 };

	if (unwind_proc_info(u->space, pc, &info, 0, u) != 0 || info.start_ip > pc ||
	    info.end_ip <= pc)
		return false;
	*ret_start = info.start_ip;
	*ret_end = info.end_ip;
	return true;
}

taddr unwind_lsda(struct unwinder *u, taddr pc, taddr *ret_start)
{
	unw_proc_info_t info = { 0 };

	if (unwind_proc_info(u->space, pc, &info, 0, u) != 0)
		return 0;
	*ret_start = info.start_ip;
	return info.lsda;
}
