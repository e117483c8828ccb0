#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# gdb_plugin.sh SCENARIO LIBRARY SCRIPT FOLDER: another client than ours. LLVM's gdb plug-in, unpacked into
# FOLDER, opens LIBRARY for a gcc program with the help of SCRIPT (libompd-gomp-gdb.py) and shows threads,
# regions and ICVs. Status 77: the plug-in cannot be had, or does not fit this gdb.
set -u
scenario=$1 library=$2 script=$3 folder=$4

skip() { echo "skipped: $1"; exit 77; }
fail() { printf 'failed: %s\n%s\n' "$1" "${2-}"; exit 1; }

for tool in gdb apt-get dpkg; do
	command -v "$tool" >/dev/null || skip "no $tool here"
done
[ -x "$scenario" ] || skip "no gcc with OpenMP to build the scenario"
mkdir -p "$folder" || exit 1
plugin=
for version in 22 19; do
	plugin=$("$(dirname "$0")/../../scripts/fetch-packages" "$folder/libomp-$version-dev" \
		ompd/__init__.py "libomp-$version-dev") && break
	plugin=
done
[ -n "$plugin" ] || skip "apt-get cannot download libomp-22-dev or libomp-19-dev"

# Two teams of two in a team of two; each thread of them says its numbers, then stays.
coproc program { exec "$scenario" nested; }
pid=$program_PID
trap 'kill "$pid" 2>/dev/null' EXIT
lwp=
while read -r -u "${program[0]}" what _ number _ _ rest; do
	[ "$what" = ready ] && break
	[ "$what" = fact ] && lwp=$number
done
[ -n "$lwp" ] || fail "the scenario did not start"

show() { # command...
	local commands=() command
	for command; do commands+=(-ex "$command"); done
	LIBOMPD_GOMP=$library gdb -q -nx -batch -iex 'set debuginfod enabled off' -ex 'set pagination off' \
		-p "$pid" -ex "source $plugin" -ex "source $script" "${commands[@]}" </dev/null 2>&1
}

out=$(show 'ompd init')
grep -q "OMPD GDB support loaded" <<<"$out" || skip "the plug-in does not fit this gdb: $out"
grep -q "Loaded OMPD lib successfully" <<<"$out" || fail "ompd init" "$out"

# gdb knows the thread by its LWP; its number in gdb depends on the order of the kernel's list.
select="python [t.switch() for t in gdb.selected_inferior().threads() if t.ptid[1] == $lwp]"
out=$(show "$select" 'ompd init' 'ompd threads' 'ompd parallel' 'ompd icvs')
[ "$(grep -c 'is an OpenMP thread; state: ompt_state_work_parallel' <<<"$out")" = 4 ] ||
	fail "ompd threads does not show four working threads" "$out"
[ "$(grep -c 'is no OpenMP thread' <<<"$out")" = 1 ] ||
	fail "ompd threads does not tell the thread that waits for stdin from the others" "$out"
for level in 1 2; do
	grep -q "Nesting Level $level: Team Size: 2" <<<"$out" || fail "ompd parallel: no level $level" "$out"
done
[ "$(grep -c 'gdb thread [0-9]' <<<"$out")" = 4 ] || fail "ompd parallel does not show two teams of two" "$out"
grep -Eq '^levels-var +parallel +2$' <<<"$out" || fail "ompd icvs: levels-var" "$out"
grep -Eq '^team-size-var +parallel +2$' <<<"$out" || fail "ompd icvs: team-size-var" "$out"
grep -Eq '^final-task-var +task +0$' <<<"$out" || fail "ompd icvs: final-task-var" "$out"

# A stack is asked for only now, and is the user's own: no frame of libgomp's around that of the region.
out+=$(show "$select" 'ompd init' 'ompd bt on' bt 'ompd bt on continued' 'ompd bt off' 'echo raw:\n' bt \
	'ompd taskframes')
stack=$(sed -n '/Enabled filter for/,/^raw:/p' <<<"$out")
grep -q '@thread [0-9]*: nested\._omp_fn' <<<"$stack" || fail "ompd bt on: no frame of the region" "$out"
# A stripped libgomp's functions have no names where a worker is.
libgomp='gomp_[a-z]|libgomp\.so'
! grep -Eqi "$libgomp" <<<"$stack" || fail "ompd bt on: frames of libgomp's" "$out"
sed -n '/^raw:/,$p' <<<"$out" | grep -Eqi "$libgomp" || fail "ompd bt off: no frames of libgomp's" "$out"
grep -q 'libgomp keeps no frames of tasks;' <<<"$out" || fail "ompd taskframes" "$out"

# A step at a directive goes into the region, whose code gdb's own step passes over.
out+=$(LIBOMPD_GOMP=$library gdb -q -nx -batch -iex 'set debuginfod enabled off' -ex "source $plugin" \
	-ex "source $script" -ex 'break team' -ex 'run team' -ex 'ompd init' -ex 'ompd step' -ex kill "$scenario" <&"${program[0]}" 2>&1)
grep -q 'Breakpoint -[0-9]*, team._omp_fn' <<<"$out" || fail "ompd step does not go into the region" "$out"
! grep -q 'Traceback\|Python Exception\|Error' <<<"$out" || fail "the plug-in reports errors" "$out"
echo "threads, regions, ICVs and stacks are right"
