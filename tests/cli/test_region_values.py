#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names in code of OpenMP constructs, and the frames of those who have made them."""

import json

from debugger import *

PROGRAMS = [f"omp_captured-{build}" for build in BUILDS]
FLAT, NESTED, TASK = ["break stop_here", "run"], ["break stop_here if where == 2", "run"], [
    "break stop_here if where == 3", "run"]


def numbers(said):
    """Those of the frames of a stack, and the functions."""
    return re.findall(r"^#(\d+) +(?:0x\w+ in )?(\w+) \(", said.text, re.M)


@cases(*PROGRAMS)
def what_was_not_captured_is_read_where_it_is(program):
    said = session(program, *FLAT, "up", "print uncaptured", "print shared", "print own", "print nosuch", "kill")
    said("print uncaptured").has(r"^\$1 = 30  \[frame of flat \(\), Thread 0\.0\]$")
    said("print shared").has(r"= (\(int &\) @0x\w+: )?61$")
    said("print own").has(r"= (101|<optimized out>)$")
    said("print nosuch").has('^No symbol "nosuch" in current context')


@cases(*PROGRAMS)
def static_variables_and_those_of_threads(program):
    said = session(program, "break stop_here if where == 4", "run", "up", "print counted", "print own",
                   "thread 1", "print own", "print counted", "kill")
    said("print counted").has(r"= 67$")
    # gcc -O2 describes no place of it at all.
    said("print own").has(r"= 10$" if "gcc-O2" not in program else r"= 10$|not available|optimized out")


@cases("omp_common-gcc-O0", "omp_common-gcc-O2")
def common_blocks_and_arrays_that_were_passed(program):
    """gcc describes them as variables of the region, with places of their own."""
    said = session(program, f"break {line_of('stopped', 'omp_common.f90')}",
                   "run", "up", "print shared_one", "print copied", "print listed", "print own", "print given",
                   "print bounds(2)", "print open_ended(2,1)", "info locals", "break omp_common.f90:21 if shared_one == 11",
                   "continue", "kill")
    said("print shared_one").has(r"= 11$")
    said("print copied").has(r"= (102|<optimized out>)$")
    said("print listed").has(r"= (15|<optimized out>)$")
    said("print own").has(r"= 20$")
    said("print bounds(2)").has(r"= 2$")
    said("info locals").has(r"^shared_one = 11$")
    said("continue").has(r"hit Breakpoint 2")
    if program.endswith("O0"):
        said("print given").has(r"= \(17, 18, 0\)$")
        said("print open_ended(2,1)").has(r"= 5$")


@cases(*PROGRAMS)
def an_object_says_where_it_was_read(program):
    said = session(program, *FLAT, "up", "print uncaptured", "print own", "kill", options=("--json",))
    told = [json.loads(line) for line in said.result.out.splitlines() if line.startswith("{")]
    values = {o["expression"]: o.get("frame_of") for o in told if o.get("type") == "value"}
    equal(values, {"uncaptured": "flat (), Thread 0.0", "own": None}, "frames of values")


@cases(*PROGRAMS)
def through_a_region_in_a_region(program):
    said = session(program, *NESTED, "up", "print uncaptured", "print middle", "kill")
    said("print uncaptured").has(r"= 80  \[frame of nested \(\), Thread 0\.0\]$")
    # Optimised, its block does not reach as far as the call.
    said("print middle").has(r"= 201  \[frame of nested \(\), Thread \d\.\d\]$|<optimized out>|^No symbol")
    if program.endswith("O0"):
        said("print middle").has("= 201 ")


@cases(*PROGRAMS)
def the_frame_that_made_a_task_may_be_gone(program):
    """Another call of its function is around it, and a global variable has the same name."""
    said = session(program, *TASK, "up", "print uncaptured", "print ::uncaptured", "kill")
    said("print uncaptured").has("= <not available: the frame that has made the task may be gone>$")


@cases(*PROGRAMS)
def up_and_down_across_threads(program):
    said = session(program, *FLAT, "bt", "up", "up", "print n", "info frame", "bt", "up", "up", "up", "down",
                   "down", "down", "down", "kill")
    shown = numbers(said("bt"))
    equal([f for _, f in shown], ["stop_here", "flat", "flat", "main"], "functions")
    equal(numbers(said("bt", 2)), shown, "the stack from the creator's frame")
    for nth, (number, function) in enumerate(shown[1:], 1):
        said("up", nth).has(rf"^#{number} +(0x\w+ in )?{function} \(")
    said("up", 2).has(r"^\[Switching to thread 1 ")
    said("print n").has(r"= (3|<optimized out>)$")
    said("info frame").has(rf"^Stack level {shown[2][0]}, ")
    said("up", 4).has("^Initial frame selected; you can't go up")
    for nth, (number, function) in enumerate(reversed(shown[:-1]), 1):
        said("down", nth).has(rf"^#{number} +(0x\w+ in )?{function} \(")
    said("down", 2).has(r"^\[Switching to thread 2 ")
    said("down", 4).has("^Bottom \\(innermost\\) frame selected; you can't go down")


@cases(*PROGRAMS)
def frames_by_the_numbers_of_the_stack(program):
    result = session(program, *FLAT, "bt", "kill")
    shown = numbers(result("bt"))
    frames = [f"frame {number}" for number, _ in shown]
    said = session(program, *FLAT, *frames, *reversed(frames[:-1]), "frame 2", "up", "kill")
    for nth in (1, 2):
        for number, function in shown[:-1]:
            said(f"frame {number}", nth).has(rf"^#{number} +(0x\w+ in )?{function} \(")
    # The runtime's are there by their numbers; from there it goes on among those that are shown.
    said("frame 2").has("^#2 ")
    said("up").has(rf"^#{shown[2][0]} ")


@cases(*PROGRAMS)
def a_core_says_the_same(program):
    path = os.path.join(folder(), "core")
    made = session(program, *FLAT, f"generate-core-file {path}", "bt", "kill")
    made(f"generate-core-file {path}").has("Saved corefile")
    said = session(program, f"core-file {path}", "thread 2", "bt", "up", "print uncaptured", "up", "info locals")
    equal(numbers(said("bt")), numbers(made("bt")), "the stack")
    said("print uncaptured").has(r"= 30  \[frame of flat \(\), Thread 0\.0\]$")
    said("up", 2).has(r"^\[Switching to thread 1 ")
    said("info locals").has("^uncaptured = 30$")


@case
def names_of_the_compiler_are_hidden():
    said = session("omp_captured-clang-O0", *FLAT, "up", "info args", "info args -all", "info args -some", "info scope "
                   "omp_captured.c:38", "info scope -all omp_captured.c:38", "bt", "kill")
    said("info args").has("^shared = ").has_not(r"_tid\.")
    said("info args -all").has(r"^\.global_tid\. = ", "^shared = ")
    said("info args -some").has("'-some' is not -all")
    said("info scope omp_captured.c:38").has("shared").has_not(r"_tid\.")
    said("info scope -all omp_captured.c:38").has("shared", r"\.global_tid\.")
    said("bt").has_not(r"_tid\.")


main()
