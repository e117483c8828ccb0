/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Conform_icv: what an OMPD library says of internal control variables, and of the environment.
 */
#ifndef OMPD_CONFORM_ICV_H
#define OMPD_CONFORM_ICV_H

#include "ompd/conform_tell.h"

/* The library's ICVs, for what follows; and their end. */
void conform_list_icvs(struct conform *c);
void conform_forget_icvs(struct conform *c);
void conform_check_display(struct conform *c);
/* All of a scope. handle: of the kind that the scope says. */
void conform_check_icvs(struct conform *c, const struct subject *s, ompd_scope_t scope,
			void *handle);

#endif
