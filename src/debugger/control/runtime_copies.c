/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/runtime_copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/modules/exports.h"

static bool is_memcpy(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	taddr *ret = context;

	(void)type, (void)addend;
	if (strcmp(name, "memcpy") != 0)
		return true;
	*ret = slot;
	return false;
}

static taddr find_slot(struct session *s, const struct module *m)
{
	struct exports *exports = NULL;
	taddr ret = 0;
	struct error *err = exports_read(s->target, m, &s->modules->budget, &exports);

	if (!err)
		err = exports_relocations(exports, is_memcpy, &ret);
	error_ignore(err);
	exports_free(exports);
	return ret;
}

/* The jump through the slot whose operand ends there; 0: there is none. */
static taddr jump_before(const struct arch *a, const uint8_t *end, taddr at, taddr slot)
{
	enum { OPERAND = 4, OPCODE_MAX = 3 };
	struct insn insn;

	for (int size = OPCODE_MAX + OPERAND; size > OPERAND; size--) {
		if (a->decode(end - size, (size_t)size, at - (taddr)size, &insn) &&
		    insn.kind == INSN_JUMP && insn.via == INSN_VIA_SLOT && insn.value == slot &&
		    insn.size == size)
			return at - (taddr)size;
	}
	return 0;
}

/*
 * Stubs have no names and no place of their own, but say where their slot is, relative to where
 * they end.
 */
static taddr find_jump(const struct arch *a, const uint8_t *code, size_t len, taddr start,
		       taddr slot)
{
	enum { LONGEST = 8 };

	for (size_t end = LONGEST; end <= len; end++) {
		int32_t distance;
		memcpy(&distance, code + end - sizeof(distance), sizeof(distance));
		if (start + end + (taddr)(int64_t)distance != slot)
			continue;
		taddr at = jump_before(a, code + end, start + end, slot);
		if (at)
			return at;
	}
	return 0;
}

taddr runtime_copies_at(struct session *s, const struct module *m)
{
	enum { CODE_MAX = 16 << 20 };
	const taddr slot = m ? find_slot(s, m) : 0;
	taddr ret = 0;

	for (size_t i = 0; slot && !ret && i < s->modules->maps.len; i++) {
		const struct map *map = &s->modules->maps.items[i];
		const size_t len = (size_t)(map->end - map->start);
		if (!(map->flags & MAP_EXEC) || map->start < m->start || map->end > m->end ||
		    len > CODE_MAX)
			continue;
		AUTO_FREE uint8_t *code = malloc(len);
		if (code && memory_try_read(s->target->memory, map->start, code, len))
			ret = find_jump(s->target->arch, code, len, map->start, slot);
	}
	return ret;
}
