/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Containers of libc++: names and order of members by its headers, 14 to 19. */
#include "debugger/values/container_parts.h"

const struct container_row container_llvm_rows[] = {
	{ NULL, NULL },
};
