/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbol_fixture: a test program as a fake target, with its files and symbols.
 */
#ifndef UNIT_SYMBOL_FIXTURE_H
#define UNIT_SYMBOL_FIXTURE_H

#include "fake_target.h"
#include "target/symbols/symbol.h"

#define SYMBOL_BIAS UINT64_C(0x555555554000)

struct symbol_fixture {
	struct fake_target *target;
	struct module_list *modules;
	struct debuginfo_set *files;
	struct symbol_table *symbols;
};

/* Path of a program of $TESTPROGS; false: there is none, the compiler may be missing. */
bool symbol_fixture_path(const char *program, char ret[4096]);

/* A target with nothing in it; add files to s->target, then read it. */
void symbol_fixture_init(struct symbol_fixture *s);
void symbol_fixture_read(struct symbol_fixture *s, const struct debuginfo_options *options);
void symbol_fixture_fini(struct symbol_fixture *s);

/* All of it for one program, at its own addresses or at SYMBOL_BIAS. false: there is none. */
bool symbol_fixture_open(struct symbol_fixture *s, const char *program);

const char *symbol_fixture_note(struct symbol_fixture *s);

/* The first symbol with that name; a test fails where there is none. */
struct symbol symbol_fixture_find(struct symbol_fixture *s, const char *name);

struct source_frame symbol_fixture_level(struct symbol_fixture *s, taddr pc, size_t level,
					 size_t *ret_levels);

/* The line of the marker in a source file; 0: there is no such marker. */
int symbol_fixture_mark(const char *file, const char *mark);

/* Is the frame in that function (as it is written, or the start of it), at that marker? */
bool symbol_fixture_is_at(const struct source_frame *frame, const char *function, const char *mark);

#endif
