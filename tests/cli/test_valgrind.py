# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A few commands under valgrind: no use of undefined memory, nothing lost."""

import corefile
from harness import *

VALGRIND = ("valgrind", "--quiet", "--error-exitcode=99", "--leak-check=full",
            "--errors-for-leak-kinds=definite", "--trace-children=no")


def clean(*arguments, status=0):
    result = run(need("valgrind"), *VALGRIND[1:], OMPDB, *arguments, seconds=300)
    equal(result.status, status, f"status of {result}")
    expect("==" not in result.err, f"a report of valgrind: {result}")
    return result


@cases(("--version",), ("--help",), ("--dump-man",))
def says_of_itself(argument):
    clean(argument)


@case
def a_refusal():
    clean("stack", "--raw", "/dev/null", status=3)


@cases("chain-gcc-O2", "cxx_frames-clang-O2", "fortran_frames-gcc-O2", "omp_nested-clang-O0",
       "inline_frames-gcc-O2", "chain-no_eh_hdr", "zombie_leader")
def a_process(name):
    program = start(name)
    clean("stack", "--raw", program.pid)
    if name == "inline_frames-gcc-O2":
        clean("stack", "--raw", "--json", program.pid)
    program.finish()


@cases("omp_nested-clang-O0", "omp_tasks-gcc-O0")
def a_picture(name):
    program = start(name, settled="tasks-clang" not in name)
    clean("stack", "--args", "--locals", program.pid)
    if "nested" in name:
        clean("stack", "--flat", "--all-frames", program.pid)
    clean("omp", "--icvs", "--json", program.pid)
    program.finish()


@cases("session-gcc-O0", "transfer-gcc-O0")
def a_session(name):
    commands = ["break twice" if "session" in name else "break save", "run", "next", "bt", "print $rip", "info threads",
                "info breakpoints", "info locals", "display 1 + 1", "complete print ", "set print pretty on", "kill"]
    options = [part for command in commands for part in ("-ex", command)]
    clean("-nx", "-q", "--batch", *options, testprog(name))


@case
def a_session_whose_answers_are_objects():
    commands = ["break twice", "run", "bt", "print counter", "info threads", "info breakpoints", "kill"]
    options = [part for command in commands for part in ("-ex", command)]
    clean("-nx", "-q", "--json", "--batch", *options, testprog("session-gcc-O0"))


@cases("plain", "module", "loop", "sparse")
def a_made_core(name):
    path = os.path.join(folder(), "core")
    with open(path, "wb") as f:
        f.write(corefile.SEEDS[name]())
    clean("stack", "--raw", path)


@case
def a_core_of_a_process():
    program = start("omp_barrier-gcc-O2")
    clean("stack", "--raw", own_core_of(program))
    program.finish()


main()
