/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lock_calls: the entries of the OpenMP runtimes that take locks and critical constructs and give
 * them back.
 */
#ifndef OMPD_LOCK_CALLS_H
#define OMPD_LOCK_CALLS_H

#include "ompd/picture/picture.h"
#include "target/flow/flow_call.h"

/*
 * What a call that leads to this address does. Its kind is of enum wait_kind: CRITICAL, LOCK,
 * NEST_LOCK. The unnamed critical construct has no argument; its object is the caller's business.
 */
struct flow_call lock_calls_at(const struct runtime_list *runtimes, taddr target);

#endif
