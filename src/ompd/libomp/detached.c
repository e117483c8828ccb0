/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/detached.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum {
	SEGMENTS_MAX = 64,
	STACK_MAX = 64 << 10, /* bytes */
	TASK_MAX = 4 << 10,   /* bytes */
	DATA_MAX = 1 << 20,   /* bytes of one segment */
	WORDS_MAX = 1 << 20,  /* in all */
};

/* ---- where they are ---------------------------------------------------------------------- */

static void look_at_word(struct detached_search *s, taddr word)
{
	struct libomp_taskdata task;

	if (libomp_taskdata_of_event(s->layout, word, &task) && task.detached &&
	    !s->found(s->context, &task))
		s->ended = true;
}

static void scan(struct detached_search *s, taddr from, uint64_t size)
{
	taddr words[64];

	from &= ~(taddr)7;
	for (uint64_t at = 0; at < size && !s->ended; at += sizeof(words)) {
		size_t n = (size - at < sizeof(words) ? size - at : sizeof(words)) / sizeof(*words);
		s->words += n;
		if (s->words > WORDS_MAX ||
		    !memory_try_read(s->layout->memory, from + at, words, n * sizeof(*words)))
			return;
		for (size_t i = 0; i < n; i++)
			look_at_word(s, words[i]);
	}
}

static void scan_stack(struct detached_search *s, size_t thread)
{
	const struct target *t = s->walk->target;
	const struct unwind_stack *raw = &s->walk->raw[thread];
	taddr end = raw->len ? raw->items[raw->len - 1].cfa : 0;
	uint64_t sp = 0;

	error_ignore(target_get_uint(s->walk->target, t->threads.items[thread], t->arch->sp, &sp));
	if (sp && sp < end)
		scan(s, sp, end - sp < STACK_MAX ? end - sp : STACK_MAX);
}

static void scan_variables(struct detached_search *s, const struct module *m)
{
	struct memory *memory = s->layout->memory;
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (!memory_try_read(memory, m->base, &eh, sizeof(eh)))
		return;
	for (taddr i = 0; i < eh.e_phnum && i < SEGMENTS_MAX; i++) {
		if (memory_try_read(memory, m->base + eh.e_phoff + i * sizeof(ph), &ph,
				    sizeof(ph)) &&
		    ph.p_type == PT_LOAD && (ph.p_flags & PF_W))
			scan(s, m->bias + ph.p_vaddr,
			     ph.p_memsz < DATA_MAX ? ph.p_memsz : DATA_MAX);
	}
}

void detached_find(struct detached_search *s)
{
	const struct runtime_list *l = &s->walk->runtimes;

	for (size_t i = 0; i < s->walk->target->threads.len; i++)
		scan_stack(s, i);
	for (size_t i = 0; i < l->modules->len; i++) {
		if (runtime_code_of(l->modules->items[i]) == CODE_USER)
			scan_variables(s, l->modules->items[i]);
	}
}

void detached_find_in(struct detached_search *s, const struct libomp_taskdata *task)
{
	scan(s, task->address, task->size < TASK_MAX ? task->size : TASK_MAX);
}
