/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why.h"

#include <stdlib.h>

static const char *const verdict_names[NUM_WHY_VERDICTS] = {
	[WHY_DEADLOCK] = "deadlock",       [WHY_STUCK] = "stuck", [WHY_WAITING] = "waiting",
	[WHY_PROGRESSING] = "progressing", [WHY_IDLE] = "idle",   [WHY_UNKNOWN] = "unknown",
};

static const char *const class_names[NUM_WHY_CLASSES] = {
	[WHY_NONE] = "none",
	[WHY_BARRIER_MISMATCH] = "barrier-mismatch",
	[WHY_WORKSHARING_MISMATCH] = "worksharing-mismatch",
	[WHY_LOCK_CYCLE] = "lock-cycle",
	[WHY_SELF_DEADLOCK] = "self-deadlock",
	[WHY_LOST_LOCK] = "lost-lock",
	[WHY_ORDERED] = "ordered",
	[WHY_TASK] = "task",
	[WHY_DETACH] = "detach",
	[WHY_LOST_WORKER] = "lost-worker",
	[WHY_TWO_RUNTIMES] = "two-runtimes",
	[WHY_EXTERNAL] = "external",
	[WHY_IMBALANCE] = "imbalance",
};

static const char *const confidence_names[NUM_WHY_CONFIDENCES] = {
	[WHY_CERTAIN] = "certain",
	[WHY_PROBABLE] = "probable",
	[WHY_GUESS] = "guess",
};

const char *why_verdict_name(enum why_verdict verdict)
{
	return verdict_names[verdict];
}

const char *why_class_name(enum why_class class)
{
	return class_names[class];
}

const char *why_confidence_name(enum why_confidence confidence)
{
	return confidence_names[confidence];
}

bool why_is_finding(const struct why *w)
{
	return w->verdict == WHY_DEADLOCK || w->verdict == WHY_STUCK;
}

void why_fini(struct why *w)
{
	vec_for_each (b, &w->blame) {
		vec_fini(&b->threads);
		free(b->reason);
	}
	vec_fini(&w->blame);
	vec_for_each (text, &w->reasons)
		free(*text);
	vec_fini(&w->reasons);
	vec_for_each (text, &w->hints)
		free(*text);
	vec_fini(&w->hints);
	vec_for_each (node, &w->nodes)
		free(node->name);
	vec_fini(&w->nodes);
	vec_fini(&w->edges);
	free(w->summary);
}
