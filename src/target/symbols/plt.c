/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/plt.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum { STUB = 16, SECTION_MAX = 16 << 20 };

/* A search of all stubs. */
struct search {
	struct hash_map stubs; /* slot -> where the stub that jumps through it begins */
	bool (*found)(void *context, const char *name, taddr stub);
	void *context;
};

/* The slot that a stub jumps through: endbr64, bnd, jmp *slot(%rip). 0: it is none. */
static taddr slot_of(const uint8_t *code, size_t len, taddr at)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, jump[] = { 0xff, 0x25 };
	size_t n = len >= sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr)) ? 4 : 0;
	int32_t distance;

	if (n < len && code[n] == 0xf2)
		n++;
	if (len - n < sizeof(jump) + sizeof(distance) || memcmp(code + n, jump, sizeof(jump)) != 0)
		return 0;
	memcpy(&distance, code + n + sizeof(jump), sizeof(distance));
	return at + n + sizeof(jump) + sizeof(distance) + (taddr)(int64_t)distance;
}

static void add_stubs(struct search *s, struct debuginfo *d, struct target *t, const char *section,
		      size_t step)
{
	uint64_t size;
	taddr start;

	if (!debuginfo_section(d, section, &start, &size) || size > SECTION_MAX)
		return;
	AUTO_FREE uint8_t *code = malloc(size + 1);
	if (!code || !memory_try_read(t->memory, start, code, size))
		return;
	for (uint64_t i = 0; i < size; i += step) {
		size_t left = size - i < STUB ? size - i : STUB;
		taddr slot = slot_of(code + i, left, start + i);
		struct map_item *item = slot ? map_add(&s->stubs, slot) : NULL;
		if (item && !item->number)
			item->number = (int64_t)(start + i);
	}
}

static bool look_at_slot(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	const struct search *s = context;
	const struct map_item *item = map_find(&s->stubs, slot);

	(void)addend;
	if (!item || !*name || (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT))
		return true;
	return s->found(s->context, name, (taddr)item->number);
}

void plt_for_each(struct debuginfo *d, struct target *t, struct module *m,
		  bool (*found)(void *context, const char *name, taddr stub), void *context)
{
	struct search s = { .found = found, .context = context };
	struct budget budget = { .left = SECTION_MAX };
	struct exports *exports = NULL;
	AUTO_ERROR *err = exports_read(t, m, &budget, &exports);
	AUTO_ERROR *second = NULL;

	/* With indirect branch tracking the stubs that are called lie in a section of their own. */
	add_stubs(&s, d, t, ".plt.sec", STUB);
	add_stubs(&s, d, t, ".plt", STUB);
	add_stubs(&s, d, t, ".plt.got", STUB / 2);
	if (!err)
		second = exports_relocations(exports, look_at_slot, &s);
	exports_free(exports);
	map_fini(&s.stubs);
}
