/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/unwind_access.h"

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

/* How to unwind through a module. Hangs on it. */
struct tables {
	bool usable;
	struct eh_frame_table table; /* owned */
};

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

static const struct part_ops part_ops = { .free = tables_free };

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
	module_hang(m, MODULE_TABLES, t, &part_ops);
	return t;
}

int unwind_proc_info(unw_addr_space_t as, unw_word_t ip, unw_proc_info_t *pi, int need_unwind_info,
		     void *arg)
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

bool unwind_is_bare(struct unwinder *u, taddr pc)
{
	struct module *m = module_at(u->modules, pc);
	const struct tables *t = m ? tables_of(u, m) : NULL;

	return m && !(t && t->usable);
}

/*
 * What search_unwind_table() allocated comes from a pool inside libunwind that has no way back
 * from here. It stays bounded: one small record for each address in the cache of rules.
 */
static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *pi, void *arg)
{
	(void)as, (void)pi, (void)arg;
}

bool unwind_is_code(const struct unwinder *u, taddr pc)
{
	const struct map *map = map_list_find(&u->modules->maps, pc);

	return map && map->flags & (MAP_EXEC | MAP_NO_FLAGS);
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

unw_accessors_t unwind_accessors = {
	.find_proc_info = unwind_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
	.get_proc_name = get_proc_name,
};
