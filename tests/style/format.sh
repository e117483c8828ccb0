#!/bin/sh
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# format.sh: every C and C++ file is laid out as .clang-format says. Versions of clang-format
# differ in details; 14 is the one that counts.
set -u
cd "$(dirname "$0")/../.." || exit 1

for tool in clang-format-14 clang-format; do
	version=$("$tool" --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	[ "$version" = 14 ] && break
done
if [ "$version" != 14 ]; then
	echo "skipped: no clang-format 14 here"
	exit 77
fi
found=$(find src tests testprogs bench \( -name "*.[ch]" -o -name "*.cc" \) -print0 |
	xargs -0 "$tool" --style=file --dry-run 2>&1 | sed -n "s/^\([^:]*\):.*warning: .*/\1/p" | sort -u)
if [ -n "$found" ]; then
	echo "these are laid out otherwise; clang-format -i FILE mends them:"
	echo "$found"
	exit 1
fi
