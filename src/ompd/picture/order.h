/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Order: numbers the regions of a picture anew: each before those within it, and in the order of
 * their primary threads, whichever way they were found.
 */
#ifndef OMPD_ORDER_H
#define OMPD_ORDER_H

#include "ompd/picture/picture.h"

MUST_CHECK struct error *order_regions(struct picture *p);

#endif
