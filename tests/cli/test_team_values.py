#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print -team and -all: an expression in each thread."""

import json

from debugger import *

PROGRAMS = [f"omp_team-{build}" for build in BUILDS]


def is_said(said, *lines):
    equal(said.text.strip().splitlines(), list(lines), f"what {said.command!r} says")


def at_barrier(program, *commands, args="", options=()):
    """All threads are between the barriers, as the primary thread stands behind the first one."""
    return session(program, f"break omp_team.c:{line_of('together', 'omp_team.c')}", f"run {args}", "thread 1",
                   *commands, "kill", options=options)


@cases(*PROGRAMS)
def each_thread_has_its_value(program):
    said = at_barrier(program, "print -team number", "print -team same", "print -team/x number",
                      "print -team share", "print -team pair", "print -team pair.number - pair.half",
                      "print -all same", "print -team nosuch", "print -team")
    is_said(said("print -team share"), "0.0: 0", "0.1: 0.25", "0.2: 0.5", "0.3: 0.75")
    is_said(said("print -team same"), "0.[0-3]: 7")
    # clang 14 -O2 says where one half of the pair is, and gdb knows no more.
    if "optimized out" in said("print -team pair").text and program.endswith("clang-O2"):
        said("print -team pair").has(r"^0\.\[0,1\]: {number = <optimized out>, half = 0}$")
    else:
        is_said(said("print -team pair"), *(f"0.{n}: {{number = {n}, half = {n // 2}}}" for n in range(4)))
        is_said(said("print -team pair.number - pair.half"), "0.0: 0", "0.[1,2]: 1", "0.3: 2")
    is_said(said("print -all same"), "0.[0-3]: 7")
    is_said(said("print -team nosuch"), 'No symbol "nosuch" in current context.')
    is_said(said("print -team"), "Argument required: an expression.")


@cases(*PROGRAMS)
def who_is_elsewhere_is_said(program):
    said = at_barrier(program, "print -team same", "print -all same", args="4 2")
    for command in ("print -team same", "print -all same"):
        is_said(said(command), "0.[0,1,3]: 7", "0.2: <not in together>")


@cases(*PROGRAMS)
def many_numbers_are_summed_up(program):
    said = at_barrier(program, "print -team share * 4", "print -elements 3 -team -- share * 4", args="20")
    text = said("print -team share * 4").text
    expect("minimum 0 (0.0), maximum 19 (0.19), sum 190, 20 threads\n" in text, text)
    # Eight parts of the values from 0 to 19, each of two or three threads.
    bars = [int(n) for n in re.findall(r"^  from \S+ +(\d+) +#+$", text, re.M)]
    equal((len(bars), sum(bars)), (8, 20), "bars")
    said("print -elements 3 -team -- share * 4").has(
        r"^0\.0: 0$", r"^0\.2: 2$", r"^\.\.\. and 17 other values$", r"^minimum 0 ")


@cases(*PROGRAMS)
def a_display_of_the_team(program):
    said = at_barrier(program, "display -team same", "display", "info display", "undisplay 1")
    for command in ("display -team same", "display"):
        is_said(said(command), "1: -team same", "0.[0-3]: 7")
    said("info display").has("-team same")


@case
def outside_of_a_region():
    said = session("session-gcc-O0", "print -team 1", "start", "print -team 1", "print -all 1", "kill")
    said("print -team 1").has("No thread selected|no process")
    said("print -team 1", 2).has("in no parallel region")


@cases(*PROGRAMS)
def as_an_object(program):
    said = at_barrier(program, "print -team share", options=("--json",), args="4 1")
    objects = [json.loads(line) for line in said.result.out.splitlines() if line.startswith("{")]
    [told] = [o for o in objects if o.get("type") == "team_value"]
    equal(told["expression"], "share", "expression")
    values = {t["thread"]: v.get("value", {}).get("text") for v in told["values"] for t in v["threads"]}
    equal(values, {"0.0": "0", "0.1": None, "0.2": "0.5", "0.3": "0.75"}, "values")
    [away] = [v for v in told["values"] if "error" in v]
    equal(away["error"], "<not in together>", "why there is none")


main()
