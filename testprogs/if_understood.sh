#!/bin/sh
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# if_understood.sh OUTPUT COMPILER ARGUMENT...: builds a program. Where the compiler does not know what it uses it becomes
# an empty file, and the tests that need it skip.
output=$1
shift
"$@" -o "$output" 2>"$output.errors" && rm "$output.errors" && exit
if "$@" -fsyntax-only 2>/dev/null; then
	cat "$output.errors" >&2
	exit 1
fi
rm "$output.errors"
: >"$output"
