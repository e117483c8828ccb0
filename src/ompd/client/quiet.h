/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Quiet: keeps what an OMPD library prints off our standard output, where it would stand amid JSON.
 * LLVM's libompd complains there about symbols that it does not find.
 */
#ifndef OMPD_QUIET_H
#define OMPD_QUIET_H

/* Between these nothing gets to standard output. Returns what quiet_end() needs; -1: it failed. */
int quiet_begin(void);
void quiet_end(int saved);

#endif
