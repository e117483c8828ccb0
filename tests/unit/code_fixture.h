/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Code_fixture: a made-up program of functions that have unwind tables.
 */
#ifndef UNIT_CODE_FIXTURE_H
#define UNIT_CODE_FIXTURE_H

#include "fake_target.h"
#include "target/code/unwind.h"

/* Where its module begins, where the tables are, and where it ends. */
enum { CODE_FIXTURE = 0x401000, CODE_FIXTURE_TABLES = 0x406000, CODE_FIXTURE_END = 0x420000 };

struct code_range {
	uint32_t start, end;
};

struct code_fixture {
	struct fake_target *fake; /* owned */
	struct module module, *only;
	struct module_list modules;
	struct unwinder *unwinder; /* owned */
};

/*
 * A target without code yet, in which nothing but a return address is on the stack anywhere in
 * these functions. Ranges by their start.
 */
void code_fixture_init(struct code_fixture *f, const struct code_range *ranges, size_t n);
/* Other functions instead, before anybody has asked for any. */
void code_fixture_set(struct code_fixture *f, const struct code_range *ranges, size_t n);
void code_fixture_fini(struct code_fixture *f);

#endif
