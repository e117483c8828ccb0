/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conform: holds an OMPD library to what the standard says (OpenMP 5.2, chapter 20) and to what
 * ompdb knows of the target.
 *
 * Each of the 37 routines is asked about all threads, regions and tasks that the picture has. A
 * contradiction is what cannot be true beside the picture, or beside another answer; that something
 * is unavailable or unsupported is none. The library runs in ompdb, be it that it crashes: then the
 * check ends there.
 */
#ifndef OMPD_CONFORM_H
#define OMPD_CONFORM_H

#include "base/cleanup.h"
#include "base/error.h"

struct conform;
struct walk;

/* NOT_FOUND: no such file; UNSUPPORTED: it is no OMPD library, or one of an unknown version. */
MUST_CHECK struct error *conform_new(const char *path, struct conform **ret);
void conform_free(struct conform *c);
CLEANUP(conform, struct conform)
#define AUTO_CONFORM AUTO(conform_cleanup) struct conform

/* A step of a walk: asks about each runtime, and adds the contradictions to the picture. */
void conform_check(struct conform *c, struct walk *w);

#endif
