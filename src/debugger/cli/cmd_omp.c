/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/cli.h"
#include "debugger/cli/command.h"

const struct command_table cmd_omp_table = { 0 };
