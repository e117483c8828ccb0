#!/bin/sh
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# installed.sh BUILD VERSION: what "meson install" puts where, and that it works there.
set -u
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

DESTDIR=$tmp/root meson install -C "$1" --no-rebuild --quiet >"$tmp/log" 2>&1 || { cat "$tmp/log"; exit 1; }
# Distributions differ in the prefix and in the folder of libraries.
(cd "$tmp/root" && find . ! -type d) | sed -E 's|^\./usr/(local/)?||; s|^lib[^/]*/([^/]*-linux-gnu/)?|LIB/|' | sort >"$tmp/found"
cat >"$tmp/wanted" <<'END'
LIB/libompd-gomp.so
LIB/libompd-gomp.so.0
LIB/pkgconfig/libompd-gomp.pc
bin/ompdb
share/bash-completion/completions/ompdb
share/doc/ompdb/CHANGELOG.md
share/doc/ompdb/LICENSE
share/doc/ompdb/README.md
share/fish/vendor_completions.d/ompdb.fish
share/man/man1/ompdb.1
share/man/man7/libompd-gomp.7
share/ompdb/libompd-gomp-gdb.py
share/zsh/site-functions/_ompdb
END
diff -u "$tmp/wanted" "$tmp/found" || exit 1

status=0
is() { # FILE PATTERN WHAT
	file=$(find "$tmp/root" -path "*/$1") && grep -q -- "$2" "$file" || { echo "$1: $3"; status=1; }
}
is man1/ompdb.1 "^\.TH OMPDB 1 \"[A-Z][a-z]* 20[0-9]*\" \"ompdb $2\"" 'no version and date'
is man7/libompd-gomp.7 "^\.TH LIBOMPD-GOMP 7 \"[A-Z][a-z]* 20[0-9]*\" \"ompdb $2\"" 'no version and date'
is pkgconfig/libompd-gomp.pc '^library=.*/libompd-gomp.so$' 'no path of the library'
grep -q '^Cflags' "$(find "$tmp/root" -name '*.pc')" && { echo 'libompd-gomp.pc: nothing is to be compiled with it'; status=1; }
said=$("$(find "$tmp/root" -path '*/bin/ompdb')" --version | head -n 1)
[ "$said" = "ompdb $2" ] || { echo "ompdb --version says: $said"; status=1; }
exit $status
