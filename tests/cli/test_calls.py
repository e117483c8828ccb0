# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are called from the prompt, and never return."""

from debugger import *


@cases("called_locks-gcc-O0", "called_locks-clang-O0")
def a_call_that_waits_for_a_held_thread_is_given_up(program):
    said = session(program, "break stop", "run", "print take()", "bt 1", "print two()")
    said("print take()").has(r"^The function waits for something at 0x[0-9a-f]+ in \w+\(\), which thread 2 \(LWP \d+\) "
                             "holds: only another thread can wake it", "^The call is given up")
    said("bt 1").has(r"^#0  stop \(\)")
    said("print two()").has(r"^\$1 = 2$")


@cases("called_locks-gcc-O0", "called_locks-clang-O0")
def the_end_of_thread_or_process_is_told(program):
    said = session(program, "break stop", "run", "print quit(3)", "print two()", "run", "print leave(1)")
    said("print quit(3)").has(r"exited with code 03", "exited while in a function called from GDB")
    said("print two()").has("without a process")
    said("print leave(1)").has("^The thread that called the function has ended in it")


main()
