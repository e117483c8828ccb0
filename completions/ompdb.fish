# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion of ompdb's command line for fish.

complete -c ompdb -n __fish_use_subcommand -a 'why stack omp check-ompd rank'

complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l args
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l mpi
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s p -l pid -x -a '(__fish_complete_pids)'
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s c -l core -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s e -l exec -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l ex -x
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s x -l command -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l iex -x
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l ix -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l batch
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s q -l quiet
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l nx
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s n -l nh
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l cd -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l tty -r -F
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l return-child-result
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l json
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l version
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l dump-man
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -s h -l help
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l color -x -a 'auto always never'
complete -c ompdb -n 'not __fish_seen_subcommand_from why stack omp check-ompd rank' -l debug -x

complete -c ompdb -n '__fish_seen_subcommand_from why' -l graph
complete -c ompdb -n '__fish_seen_subcommand_from why' -l long-names
complete -c ompdb -n '__fish_seen_subcommand_from why' -l dot
complete -c ompdb -n '__fish_seen_subcommand_from why' -l json
complete -c ompdb -n '__fish_seen_subcommand_from why' -l samples -x
complete -c ompdb -n '__fish_seen_subcommand_from why' -l interval -x
complete -c ompdb -n '__fish_seen_subcommand_from why' -l once
complete -c ompdb -n '__fish_seen_subcommand_from why' -l job
complete -c ompdb -n '__fish_seen_subcommand_from why' -l hosts -x
complete -c ompdb -n '__fish_seen_subcommand_from why' -l launcher -x
complete -c ompdb -n '__fish_seen_subcommand_from why' -l deadline -x
complete -c ompdb -n '__fish_seen_subcommand_from why' -l remote-ompdb -r
complete -c ompdb -n '__fish_seen_subcommand_from why' -l exe -r -F
complete -c ompdb -n '__fish_seen_subcommand_from why' -l ompd-library -r -F
complete -c ompdb -n '__fish_seen_subcommand_from why' -l debuginfod
complete -c ompdb -n '__fish_seen_subcommand_from why' -s h -l help
complete -c ompdb -n '__fish_seen_subcommand_from why' -l color -x -a 'auto always never'
complete -c ompdb -n '__fish_seen_subcommand_from why' -l debug -x

complete -c ompdb -n '__fish_seen_subcommand_from stack' -l flat
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l long-names
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l args
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l locals
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l all-frames
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l raw
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l json
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l max-frames -x
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l job
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l hosts -x
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l launcher -x
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l deadline -x
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l remote-ompdb -r
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l exe -r -F
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l ompd-library -r -F
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l libc-lines
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l debuginfod
complete -c ompdb -n '__fish_seen_subcommand_from stack' -s h -l help
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l color -x -a 'auto always never'
complete -c ompdb -n '__fish_seen_subcommand_from stack' -l debug -x

complete -c ompdb -n '__fish_seen_subcommand_from omp' -l icvs
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l long-names
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l json
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l job
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l hosts -x
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l launcher -x
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l deadline -x
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l remote-ompdb -r
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l exe -r -F
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l ompd-library -r -F
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l debuginfod
complete -c ompdb -n '__fish_seen_subcommand_from omp' -s h -l help
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l color -x -a 'auto always never'
complete -c ompdb -n '__fish_seen_subcommand_from omp' -l debug -x

complete -c ompdb -n '__fish_seen_subcommand_from check-ompd' -l exe -r -F
complete -c ompdb -n '__fish_seen_subcommand_from check-ompd' -l ompd-library -r -F
complete -c ompdb -n '__fish_seen_subcommand_from check-ompd' -s h -l help
complete -c ompdb -n '__fish_seen_subcommand_from check-ompd' -l color -x -a 'auto always never'
complete -c ompdb -n '__fish_seen_subcommand_from check-ompd' -l debug -x
complete -c ompdb -n '__fish_seen_subcommand_from rank' -s h -l help
complete -c ompdb -n '__fish_seen_subcommand_from rank' -l color -x -a 'auto always never'
complete -c ompdb -n '__fish_seen_subcommand_from rank' -l debug -x
