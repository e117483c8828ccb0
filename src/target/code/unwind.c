/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/unwind.h"

#include <libunwind.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "target/code/eh_frame.h"

/*
 * Exported by libunwind, though not declared: searches a table of struct eh_frame_row in
 * the target (UNW_INFO_FORMAT_REMOTE_TABLE) and parses the FDE it finds.
 */
#define search_unwind_table UNW_OBJ(dwarf_search_unwind_table)
extern int search_unwind_table(unw_addr_space_t as, unw_word_t ip, unw_dyn_info_t *di,
			       unw_proc_info_t *pi, int need_unwind_info, void *arg);

/*
 * A table of our own is shown to libunwind, while it searches it, at addresses that no x86-64
 * program can have (neither half of the canonical address space).
 */
#define OWN_TABLE     UINT64_C(0x8000000000000000)
#define OWN_TABLE_END UINT64_C(0x8fffffffffffffff)

/* And a stack of which every word is 0. */
#define BLANK_STACK     UINT64_C(0x9000000000000000)
#define BLANK_STACK_END UINT64_C(0x9000000000010000)

enum { NO_FRAME = UNWIND_FRAMES_MAX };
enum { CACHED_ROWS = 2048 }; /* register rules of that many addresses */

/* How to unwind through a module. Hangs on it. */
struct tables {
	bool usable;
	struct eh_frame_table table; /* owned */
};

struct unwinder {
	unw_addr_space_t space;             /* owned                                       */
	struct module_list *modules;        /* borrowed                                    */
	unsigned long generation;           /* of them, when libunwind's cache was filled  */
	const struct eh_frame_table *shown; /* borrowed; at OWN_TABLE; NULL: none     */
	struct debuginfo_set *files;        /* borrowed                                    */
	struct memory *memory;              /* borrowed                                    */
	const struct arch *arch;
	uint64_t registers[UNW_TDEP_LAST_REG + 1]; /* of the thread that is unwound   */
	size_t wanted;  /* frame whose registers are kept in "found"; NO_FRAME: none  */
	bool found_any; /* they have been                                             */
	uint64_t found[UNW_TDEP_LAST_REG + 1];
	bool no_tables;   /* set when an address had none                */
	taddr unreadable; /* the last address that could not be read     */
};

void unwind_stack_fini(struct unwind_stack *s)
{
	vec_fini(s);
	free(s->end);
	s->end = NULL;
}

/* ---- unwind tables ---------------------------------------------------------------------- */

static bool find_tables(struct unwinder *u, struct module *m, struct eh_frame_table *ret)
{
	taddr section;
	uint64_t size;

	if (m->eh_frame_hdr &&
	    eh_frame_read_hdr(u->memory, m->eh_frame_hdr, m->eh_frame_hdr_size, ret))
		return true;
	struct debuginfo *d = u->files ? debuginfo_get(u->files, m) : NULL;
	return d && debuginfo_section(d, ".eh_frame", &section, &size) &&
	       eh_frame_scan(u->memory, section, size, ret);
}

static void tables_free(void *data)
{
	struct tables *t = data;

	eh_frame_table_fini(&t->table);
	free(t);
}

/* NULL: out of memory. */
static struct tables *tables_of(struct unwinder *u, struct module *m)
{
	struct tables *t = m->parts[MODULE_TABLES].data;

	if (t)
		return t;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->usable = find_tables(u, m, &t->table);
	log_debug(LOG_UNWIND, "%s: %zu unwind entries", m->path, t->table.len);
	module_hang(m, MODULE_TABLES, t, tables_free);
	return t;
}

static int find_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi,
			  int need_unwind_info, void *arg)
{
	struct unwinder *u = arg;
	struct module *m = module_at(u->modules, ip);
	const struct tables *t = m ? tables_of(u, m) : NULL;
	int result = -UNW_ENOINFO;

	if (t && t->usable) {
		unw_dyn_info_t di = {
			.start_ip = m->start,
			.end_ip = m->end,
			.format = UNW_INFO_FORMAT_REMOTE_TABLE,
			.u.rti.segbase = t->table.segbase,
			.u.rti.table_data = t->table.own ? OWN_TABLE : t->table.rows,
			.u.rti.table_len =
				t->table.len * sizeof(struct eh_frame_row) / sizeof(unw_word_t),
		};
		u->shown = &t->table;
		result = search_unwind_table(as, ip, &di, pi, need_unwind_info, arg);
		u->shown = NULL;
	}
	/* Broken tables are as good as none: libunwind then tries the frame pointer. */
	if (result < 0) {
		u->no_tables = true;
		return -UNW_ENOINFO;
	}
	return 0;
}

/*
 * What search_unwind_table() allocated comes from a pool inside libunwind that has no way back
 * from here. It stays bounded: one small record for each address in the cache of rules.
 */
static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as, (void)pi, (void)arg;
}

/* ---- what libunwind reads --------------------------------------------------------------- */

static bool read_own_table(const struct unwinder *u, taddr addr, void *ret, size_t len)
{
	const struct eh_frame_table *t = u->shown;
	size_t size = t && t->own ? t->len * sizeof(*t->own) : 0;
	taddr within = addr - OWN_TABLE;

	if (within > size)
		return false;
	/* libunwind reads aligned words, which may reach beyond the last row. */
	size_t there = size - within < len ? size - within : len;
	memset(ret, 0, len);
	if (there)
		memcpy(ret, (const char *)t->own + within, there);
	return true;
}

static int access_mem(unw_addr_space_t as, unw_word_t addr, unw_word_t *value, int write, void *arg)
{
	struct unwinder *u = arg;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (addr >= OWN_TABLE && addr <= OWN_TABLE_END)
		return read_own_table(u, addr, value, sizeof(*value)) ? 0 : -UNW_EINVAL;
	*value = 0;
	if ((addr >= BLANK_STACK && addr < BLANK_STACK_END) ||
	    memory_try_read(u->memory, addr, value, sizeof(*value)))
		return 0;
	u->unreadable = addr;
	return -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg, unw_word_t *value, int write,
		      void *arg)
{
	const struct unwinder *u = arg;

	(void)as;
	if (write || reg < 0 || reg > UNW_TDEP_LAST_REG)
		return -UNW_EBADREG;
	*value = u->registers[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *arg)
{
	(void)as, (void)reg, (void)value, (void)write, (void)arg;
	return -UNW_EBADREG;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *addr, void *arg)
{
	(void)as, (void)addr, (void)arg;
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t ip, char *name, size_t len,
			 unw_word_t *offset, void *arg)
{
	(void)as, (void)ip, (void)name, (void)len, (void)offset, (void)arg;
	return -UNW_ENOINFO;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
	.get_proc_name = get_proc_name,
};

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
	u->space = unw_create_addr_space(&accessors, 0);
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
	free(u);
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

static struct error *load_registers(struct unwinder *u, struct thread *th)
{
	const uint8_t *general;
	struct error *err = target_general(u->modules->target, th, &general);

	if (err)
		return err;
	/* libunwind counts x86-64 registers as DWARF does. */
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++) {
		const struct reg *r = arch_find_dwarf_reg(u->arch, i);
		u->registers[i] = r ? arch_get(r, general) : 0;
	}
	return NULL;
}

/* An instruction may be there: in an executable mapping, or where protections are not known. */
static bool is_code(const struct unwinder *u, taddr pc)
{
	const struct map *map = map_list_find(&u->modules->maps, pc);

	return map && map->flags & (MAP_EXEC | MAP_NO_FLAGS);
}

/*
 * A call through a wild pointer leaves a pc where no code is. The return address is then still
 * on top of the stack: the walk goes on from the caller. true: *ret_frame is the wild frame.
 */
static bool leave_wild_pc(struct unwinder *u, struct unwind_frame *ret_frame)
{
	taddr pc = u->registers[UNW_TDEP_IP], sp = u->registers[UNW_TDEP_SP], back;

	if (is_code(u, pc) || !memory_try_read(u->memory, sp, &back, sizeof(back)) ||
	    !is_code(u, back))
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

	if (!is_code(u, pc - !may_jump))
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

/* Adds a frame; false: there are as many as wanted, and s->end says so, or memory is out. */
static bool add_frame(struct unwind_stack *s, size_t max_frames, const struct unwind_frame *frame)
{
	if (s->len == max_frames)
		set_end(s, "only the first %zu %s", max_frames,
			max_frames == 1 ? "frame is shown" : "frames are shown");
	return s->len < max_frames && vec_push(s, *frame);
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
	for (int i = 0; i <= UNW_TDEP_LAST_REG; i++)
		u->found[i] = get(cursor, i);
	u->found_any = true;
}

/*
 * Walks from u->registers on. *ret_again: it has come to code that a signal interrupted at a
 * wild pc, and has left the registers of that.
 */
static struct error *walk(struct unwinder *u, size_t max_frames, struct unwind_stack *s,
			  bool *ret_again)
{
	bool after_signal = true; /* the first frame's pc is exact, too */
	bool guessed = false;
	struct unwind_frame wild;
	unw_cursor_t cursor;

	*ret_again = false;
	bool after_wild = leave_wild_pc(u, &wild);
	if (after_wild && !add_frame(s, max_frames, &wild))
		return s->end ? NULL : &error_nomem;
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
		};
		if (!add_frame(s, max_frames, &frame))
			return s->end ? NULL : &error_nomem;
		keep_wanted(u, s, &cursor);
		u->no_tables = false;
		u->unreadable = 0;
		result = unw_step(&cursor);
		taddr caller_sp = get(&cursor, UNW_REG_SP), caller_pc = get(&cursor, UNW_REG_IP);
		if (result > 0 && signal && !is_code(u, caller_pc)) {
			s->items[s->len - 1].cfa = caller_sp;
			take_registers(u, &cursor);
			*ret_again = true;
			return NULL;
		}
		if (result <= 0 || !caller_pc) {
			s->items[s->len - 1].cfa = caller_sp > sp ? caller_sp : 0;
			explain_end(u, s, result);
			return NULL;
		}
		s->items[s->len - 1].cfa = caller_sp;
		if (!check_caller(u, s, caller_pc, caller_sp, sp))
			return NULL;
		guessed = u->no_tables;
		after_signal = signal;
		after_wild = false;
	}
	return NULL;
}

struct error *unwind_thread(struct unwinder *u, struct thread *th, size_t max_frames,
			    struct unwind_stack *ret)
{
	struct unwind_stack s = { 0 };
	bool again = true;
	struct error *err = load_registers(u, th);

	forget_old_rules(u);
	while (!err && again)
		err = walk(u, max_frames, &s, &again);
	if (err) {
		unwind_stack_fini(&s);
		return err;
	}
	*ret = s;
	return NULL;
}

/* Behind a guess only what the guess was made by counts. */
static bool is_guess(const struct unwind_stack *s, size_t index)
{
	for (size_t i = 0; i <= index && i < s->len; i++) {
		if (s->items[i].guessed)
			return true;
	}
	return false;
}

bool unwind_registers(struct unwinder *u, struct thread *th, size_t index, uint64_t *ret_values,
		      uint32_t *ret_known)
{
	struct unwind_stack s = { 0 };

	u->wanted = index;
	u->found_any = false;
	struct error *err = unwind_thread(u, th, index + 1, &s);
	u->wanted = NO_FRAME;
	*ret_known = 0;
	for (size_t i = 0; !err && u->found_any && i < u->arch->ncode_regs; i++) {
		const struct reg *r = u->arch->code_regs[i];
		bool usable = !is_guess(&s, index) || r == u->arch->fp || r == u->arch->sp;
		if (r->dwarf < 0 || r->dwarf > UNW_TDEP_LAST_REG || !usable)
			continue;
		ret_values[i] = u->found[r->dwarf];
		*ret_known |= UINT32_C(1) << i;
	}
	error_free(err);
	unwind_stack_fini(&s);
	return *ret_known;
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

	if (find_proc_info(u->space, pc, &info, 0, u) != 0 || info.start_ip > pc ||
	    info.end_ip <= pc)
		return false;
	*ret_start = info.start_ip;
	*ret_end = info.end_ip;
	return true;
}
