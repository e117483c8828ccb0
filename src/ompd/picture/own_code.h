/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Own_code: what runtimes' own_number() are made of: pointers that are followed from the thread
 * pointer on. Where one leads nowhere, the answer is that of a thread outside of all regions.
 *
 * Between two steps one number is on the stack: where it has come to.
 */
#ifndef OMPD_OWN_CODE_H
#define OMPD_OWN_CODE_H

#include "ompd/picture/runtime_ops.h"
#include "target/process/opcode.h"

enum { OWN_CODE_CHECKS = 12 };

struct own_code {
	struct buf *out; /* borrowed */
	enum own_number which;
	size_t jumps[OWN_CODE_CHECKS]; /* to the answer of a thread outside */
	size_t len;
};

/* Begins with the thread pointer. */
void own_code_begin(struct own_code *k, enum own_number which, struct buf *out);
/* Follows the pointer that is so many bytes further; it leads nowhere if it is NULL. */
void own_code_follow(struct own_code *k, uint64_t offset);
/* Takes a second number, which must not be 0. */
void own_code_check(struct own_code *k);
/* Ends with the number of 4 bytes that is so many bytes further; of TEAM the address. */
void own_code_end(struct own_code *k, uint64_t offset);

#endif
