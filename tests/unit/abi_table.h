/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Abi table: the interface of OMPD as numbers, of our header and of LLVM's. Both declare the same
 * names, so each has a table of its own, in a file of its own.
 */
#ifndef UNIT_ABI_TABLE_H
#define UNIT_ABI_TABLE_H

struct abi_row {
	const char *what; /* NULL ends */
	long long value;
};

extern const struct abi_row abi_of_ours[];
extern const struct abi_row abi_of_llvm[]; /* empty where LLVM's header is not installed */

#endif
