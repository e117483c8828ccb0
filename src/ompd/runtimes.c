/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/runtimes.h"

#include <stddef.h>

#include "ompd/libgomp/libgomp.h"
#include "ompd/libomp/libomp.h"

const struct runtime_ops *const runtimes_known[] = {
	&libomp_ops, /* defines libgomp's names, too: before it */
	&libgomp_ops,
	NULL,
};
