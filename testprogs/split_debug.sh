#!/bin/sh
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# split_debug.sh OBJCOPY PROGRAM STRIPPED DEBUG: moves the debug information of PROGRAM to DEBUG.
set -eu
"$1" --only-keep-debug "$2" "$4"
"$1" --strip-all --add-gnu-debuglink="$4" "$2" "$3"
