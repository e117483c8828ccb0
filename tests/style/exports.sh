#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exports.sh LIBRARY HEADER: libompd-gomp.so exports the entry points that the header declares, and nothing else.
# Status 77: there is no nm here.
set -u
library=$1 header=$2

command -v nm >/dev/null || { echo "skipped: no nm here"; exit 77; }

# What a provider has; the symbols of runtimes, from ompd_dll_locations on, are not ours.
declared=$(sed '/ompd_dll_locations/,$d' "$header" | grep -oE '\bompd_[a-z_]+\(' | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -v '^$' | sort -u)
[ -n "$declared" ] || { echo "no entry points in $header"; exit 1; }

difference=$(diff <(printf '%s\n' "$declared") <(printf '%s\n' "$exported")) || {
	printf 'declared and not exported (<), exported and not declared (>):\n%s\n' "$difference"
	exit 1
}
echo "$(wc -l <<<"$exported") entry points are exported"
