/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/footprint.h"

#include "base/hash.h"

enum {
	FRAMES_BYTES = 4096, /* of the user's frames, from the innermost one on            */
	REGS_MAX = 32,
};

/* The first frame of the user's: the one that called the runtime, or MPI. 0: there is none. */
static size_t first_frame(const struct picture_thread *th, const struct unwind_stack *raw)
{
	if (th->wait.kind != WAIT_MPI)
		return th->spans.list.items[0].outer;
	for (size_t i = 1; th->wait.place.pc && i < raw->len; i++) {
		if (spans_pc(&raw->items[i]) == th->wait.place.pc)
			return i;
	}
	return 0;
}

static uint64_t hash_frames(struct walk *w, int thread)
{
	const struct picture_thread *th = picture_thread(w->picture, thread);
	const struct unwind_stack *raw = &w->raw[thread];
	size_t frame = first_frame(th, raw);
	uint64_t words[FRAMES_BYTES / 8], values[REGS_MAX];
	uint64_t hash = HASH_START;
	uint32_t known;

	if (!frame || frame >= raw->len)
		return 0;
	taddr start = raw->items[frame - 1].cfa, end = raw->items[raw->len - 1].cfa;
	size_t len =
		end > start && end - start < sizeof(words) ? (size_t)(end - start) : sizeof(words);
	if (start && end > start && memory_try_read(w->target->memory, start, words, len)) {
		for (size_t i = 0; i < len / 8; i++)
			hash = hash_add(hash, words[i]);
	}
	if (!unwind_registers(w->unwinder, w->target->threads.items[thread], frame, values, &known))
		return hash;
	for (size_t i = 0; i < REGS_MAX && i < w->target->arch->ncode_regs; i++) {
		if ((known & w->target->arch->code_kept) >> i & 1)
			hash = hash_add(hash, values[i]);
	}
	return hash;
}

void footprint_find(struct walk *w)
{
	for (int i = 0; i < (int)w->picture->threads.len; i++) {
		struct picture_thread *th = picture_thread(w->picture, i);
		/* A loop of the program's that calls the runtime is told by what it does. */
		const bool calls = th->wait.kind == WAIT_MEMORY && spans_innermost(&th->spans);
		const bool spins = th->wait.spinning && th->spans.list.len && !calls &&
				   wait_kind_whom(th->wait.kind) != FOR_WORK;
		if (spins || th->wait.kind == WAIT_MPI)
			th->footprint = hash_frames(w, i);
	}
}
