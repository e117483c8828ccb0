/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * By_address: numbers of things in the target, by their addresses.
 */
#ifndef OMPD_BY_ADDRESS_H
#define OMPD_BY_ADDRESS_H

#include "target/cpu/arch.h"

struct by_address {
	void *tree; /* owned; private; see tsearch(3) */
};

void by_address_fini(struct by_address *b);

/* The first number counts. false: out of memory. */
bool by_address_add(struct by_address *b, taddr address, int number);

/* -1: none, or the address is 0. */
int by_address_find(const struct by_address *b, taddr address);

#endif
