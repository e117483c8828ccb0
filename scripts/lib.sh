# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
#
# What the scripts share: the packages that building and testing need, and how to get them.
# Nothing here asks a question or reads stdin.

# The one table of packages: for what, the Debian package, a command or file that shows that it is
# there on a system without dpkg.
packages='
build gcc               gcc
build libc6-dev         /usr/include/stdio.h
build meson             meson
build ninja-build       ninja
build pkg-config        pkg-config
build libelf-dev        /usr/include/libelf.h
build libdw-dev         /usr/include/elfutils/libdw.h
build libunwind-dev     /usr/include/libunwind.h
build libedit-dev       /usr/include/histedit.h
build libjansson-dev    /usr/include/jansson.h
build libzydis-dev      /usr/include/Zydis/Zydis.h
demo  clang             clang
demo  libomp-dev        clang
test  check             /usr/include/check.h
test  python3           python3
test  g++               g++
test  gfortran          gfortran
test  clang             clang
test  libomp-dev        clang
test  clang-format      clang-format
test  binutils          objcopy
test  dwz               dwz
test  llvm              llvm-dwp
test  gdb               gdb
test  elfutils          eu-stack
test  strace            strace
test  tmux              tmux
test  valgrind          valgrind
test  xz-utils          xz
test  zstd              zstd
test  mpich             mpiexec.hydra
test  libmpich-dev      mpicc.mpich
test  openmpi-bin       mpiexec.openmpi
test  libopenmpi-dev    mpicc.openmpi
test  iproute2          ip
test  procps            pkill
test  clustershell      clush
test  pdsh              pdsh
'

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# The packages of the purposes given ("build test"), one per line, as "package sign".
packages_for() {
	local purpose package sign
	while read -r purpose package sign; do
		case " $* " in *" $purpose "*) say "$package $sign" ;; esac
	done <<<"$packages"
}

is_installed() { # package sign
	local names=("$1")
	# Those of several releases of LLVM exclude each other: any of them will do.
	[ "$1" != libomp-dev ] || names+=('libomp-[0-9]*-dev')
	if have dpkg-query; then
		dpkg-query -W -f '${db:Status-Status}\n' "${names[@]}" 2>/dev/null | grep -qx installed
	else
		[ -e "$2" ] || have "$2"
	fi
}

missing_packages() {
	local package sign
	packages_for "$@" | while read -r package sign; do
		is_installed "$package" "$sign" || say "$package"
	done
}

# The command in front of apt-get that makes it root's; fails when nothing can.
as_root() {
	[ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null && say 'sudo -n'; }
}

# Whether need_packages() has installed something.
installed=

# Installs what is missing for the purposes given. Adds packages, never removes or replaces one.
need_packages() {
	local missing root install
	missing=$(missing_packages "$@" | paste -sd ' ' -)
	[ -n "$missing" ] || return 0
	install="apt-get install --yes --no-install-recommends --no-remove --no-upgrade $missing"
	if ! have apt-get; then
		say "These Debian packages, or what they are called here, seem to be missing: $missing"
		say 'Going on with what is there.'
	elif ! root=$(as_root); then
		die "missing packages: $missing
Install them as root, then start this script again:
    apt-get update && $install"
	else
		say "Installing what is missing: $missing"
		run_apt "$root" 'apt-get update' ||
			say 'apt-get update failed; trying with the package lists that are there.'
		run_apt "$root" "$install" || die "apt-get could not install: $missing"
		installed=1
	fi
}

# Runs an apt-get command; its output is shown only if it fails.
run_apt() { # "sudo -n" or nothing, and the command
	local log
	# shellcheck disable=SC2086 # words on purpose
	log=$($1 env DEBIAN_FRONTEND=noninteractive $2 --quiet=2 -o Dpkg::Use-Pty=0 \
		-o Dpkg::Options::=--force-confold </dev/null 2>&1) || { say "$log" >&2; return 1; }
}

# configure FOLDER COMPILER [OPTION...]: a meson build folder, made new if it does not serve, or was
# made without packages that are there now: what it did not find then it would not look for again.
configure() {
	local folder=$1 compiler=$2
	shift 2
	if [ -z "$installed" ] && [ -f "$folder/build.ninja" ] && meson configure "$folder" "$@" >/dev/null 2>&1; then
		return 0
	fi
	rm -rf "$folder"
	CC=$compiler meson setup "$folder" "$@" >"$folder.log" 2>&1 ||
		{ cat "$folder.log" >&2; die "meson cannot configure $folder"; }
	rm -f "$folder.log"
}

# compile FOLDER [TARGET...]: quiet unless it fails.
compile() {
	local log
	log=$(ninja -C "$@" 2>&1) || { say "$log" | grep -v '^\[' | tail -n 60 >&2; die "$1 does not build"; }
}
