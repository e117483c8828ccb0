/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/ompd_abi.h"

#define ABI_NAME abi_of_ours
#include "abi_list.h"
