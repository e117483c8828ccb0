#!/bin/sh
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# man.sh OMPDB: what stands between the two comments GENERATED in man/ompdb.1 is what OMPDB prints
# about its commands and options. With BLESS=1 in the environment it is put there.
set -u
page=$(dirname "$0")/../../man/ompdb.1
begin='^\.\\" BEGIN GENERATED'
end='^\.\\" END GENERATED'

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
"$1" --dump-man >"$tmp/wanted" || exit 1
if [ -n "${BLESS-}" ]; then
	sed -e "/$begin/,/$end/{/GENERATED/!d}" -e "/$begin/r $tmp/wanted" "$page" >"$tmp/page" || exit 1
	cat "$tmp/page" >"$page"
fi
sed -n "/$begin/,/$end/p" "$page" | sed '1d;$d' >"$tmp/written"
if ! diff -u "$tmp/written" "$tmp/wanted"; then
	echo "man/ompdb.1 has not what ompdb --dump-man prints: BLESS=1 tests/style/man.sh OMPDB puts it there"
	exit 1
fi
