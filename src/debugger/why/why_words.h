/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Why_words: the graph in sentences.
 */
#ifndef DEBUGGER_WHY_WORDS_H
#define DEBUGGER_WHY_WORDS_H

#include "debugger/why/why_case.h"

enum { WHY_PLACES_MAX = 3 }; /* others at the same barrier that are told of */

/* "thread 0.3", "threads 0.[0-2]" */
void why_words_threads(struct buf *out, const struct picture *p, const int *threads, size_t len);

/* "waits for lock 'L' at app.c:22", "wait ..." of many, "is in read(0) at app.c:31" */
void why_words_wait(struct buf *out, const struct why_graph *g, int thread, bool many);

/* What it does alone, and the place: " at app.c:31". */
void why_words_does(struct buf *out, const struct picture *p, int thread, bool many);
void why_words_place(struct buf *out, const struct place *place);

/* "lock 'L'", "critical", "mutex 0x55d0c0": what a thread waits for that can be held. */
void why_words_object(struct buf *out, const struct picture_wait *w);

/* ", probably held by ": before the holder of what a thread waits for. */
void why_words_held_by(struct buf *out, const struct picture *p, const struct picture_wait *w);

/* Where those took it that may hold what a thread waits for, if that is one place. */
void why_words_taken(struct buf *out, const struct picture *p, const struct picture_wait *w);

/* The node's name, as in struct why_node. */
void why_words_node(struct buf *out, const struct why_graph *g, int node);

/* Who or what is missing, as the end of a sentence: ", whose holder is not known". */
void why_words_end(struct buf *out, const struct why_graph *g, int node);

/*
 * "threads 0.[0-2] wait at the barrier at app.c:40; thread 0.3 has not arrived: it waits for
 * lock 'L' at app.c:22, held by thread 0.5, which is in read(0) at app.c:31"
 */
void why_words_path(struct buf *out, const struct why_case *c);

#endif
