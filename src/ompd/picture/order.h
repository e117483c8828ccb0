/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Order: gives the regions of a picture new numbers that do not depend on how they were found: each
 * comes before those within it, and then in the order of their primary threads.
 */
#ifndef OMPD_ORDER_H
#define OMPD_ORDER_H

#include "ompd/picture/picture.h"

MUST_CHECK struct error *order_regions(struct picture *p);

#endif
