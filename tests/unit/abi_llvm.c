/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OMP_TOOLS_H: the path of LLVM's omp-tools.h, in quotes; not defined where there is none. */
#ifdef OMP_TOOLS_H
#include OMP_TOOLS_H

/* The standard deprecates some of the states. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define ABI_NAME abi_of_llvm
#include "abi_list.h"
#else
#include <stddef.h>

#include "abi_table.h"

const struct abi_row abi_of_llvm[] = { { NULL, 0 } };
#endif
