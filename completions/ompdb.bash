# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of ompdb's command line for bash.

_ompdb() {
	local word=$2 before=$3 command="" options i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--args | --mpi) return ;; # the program's own words
		why | stack | omp | check-ompd | rank)
			command=${COMP_WORDS[i]}
			break
			;;
		esac
	done
	case $before in
	-p | --pid)
		mapfile -t COMPREPLY < <(compgen -W "$(ps -eo pid= 2>/dev/null)" -- "$word")
		return
		;;
	--color)
		mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
		return
		;;
	esac
	if [[ $word != -* ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		if [[ $COMP_CWORD == 1 ]]; then
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W 'why stack omp check-ompd rank' -- "$word")
		fi
		return
	fi
	case $command in
	why) options='--graph --dot --long-names --json --samples --interval --once --job --hosts --launcher --remote-ompdb --deadline --exe --ompd-library
		--debuginfod -h --help --color --debug' ;;
	stack) options='--args --locals --long-names --flat --all-frames --raw --json --max-frames --job --hosts --launcher --remote-ompdb --deadline --exe --ompd-library
		--libc-lines --debuginfod -h --help --color --debug' ;;
	omp) options='--icvs --long-names --json --job --hosts --launcher --remote-ompdb --deadline --exe --ompd-library --debuginfod -h --help --color --debug' ;;
	check-ompd) options='--exe --ompd-library -h --help --color --debug' ;;
	rank) options='-h --help --color --debug' ;;
	*) options='--args --mpi -p --pid -c --core -e --exec --ex -x --command --iex --ix --batch -q
		--quiet --nx -n --nh --cd --tty --return-child-result --json --version --dump-man -h --help
		--color --debug' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}
complete -o filenames -F _ompdb ompdb
