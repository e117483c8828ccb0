/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call_order: the calls of a function that matter, in which order they can come, with which
 * arguments: what flow_sites() in flow.h answers.
 */
#ifndef TARGET_CALL_ORDER_H
#define TARGET_CALL_ORDER_H

#include "target/flow/dataflow.h"

/*
 * r has been through the function, which is that of the frame. ret is filled, but for "complete".
 * false: there are too many, or out of memory.
 */
bool call_order_find(struct dataflow *r, const struct unwind_frame *frame, struct flow_sites *ret);

#endif
