# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What print says of variables, held against what the programs say themselves, and against gdb."""

import os
import sys

from harness import *

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "truth"))
import truth


def told(build):
    """What ompdb and gdb say in the same program."""
    gdb, own = need("gdb"), folder()
    program = truth.make(build, own)
    if not program:
        skip(f"{build.compiler} cannot build it")
    ours, theirs = truth.ask(OMPDB, program, own), truth.ask(gdb, program, own)
    truth.forgive(ours, theirs)
    return ours, theirs


BUILDS = {build.name: build for build in truth.builds()}


@cases(*BUILDS)
def nothing_is_wrong_and_nothing_worse_than_in_gdb(name):
    ours, theirs = told(BUILDS[name])
    expect(len(ours) > 50, f"{len(ours)} values are known")
    found = [f"{place}: {said!r}, not {right} (gdb: {heard!r})"
             for place, said, heard, right in truth.worse(ours, theirs)]
    expect(not found, "\n".join(found))
    alike = [f"{place}: {said!r}, not {right}, as gdb" for place, (verdict, said, right) in ours.items()
             if verdict == "wrong as gdb"]
    expect(not alike, "\n".join(alike))


# Values that compilers describe wrongly, and what is said instead: of folded calls, and of a reduction.
DESCRIBED_WRONGLY = {"gcc-O2": (111, "level", "folded into one"), "clang-O2": (501, "sum", "begins with")}


@cases(*(name for name in DESCRIBED_WRONGLY if name in BUILDS))
def what_is_described_wrongly_is_not_known(name):
    position, variable, reason = DESCRIBED_WRONGLY[name]
    ours, _ = told(BUILDS[name])
    found = [(verdict, said) for place, (verdict, said, _) in ours.items()
             if (place.position, place.frame, place.name) == (position, 1, variable)]
    # Some releases describe it well.
    expect(found and all(verdict == "right" or "<not available: " in said and reason in said for verdict, said in found),
           f"{found}")


@case
def answers_are_judged():
    said = {"$1 = 7": "7", "$12 = 97 'a'": "97", "$1 = (int &) @0x7ffc12: 7": "7", "$1 = 0x5555 \"x\"": "\"x\"",
            "$1 = 0.25": "0.25", "$1 = .TRUE.": "true", "$3 = \"words\\000\\000\"": "\"words\""}
    for answer, value in said.items():
        equal(truth.judge(answer, value), "right", answer)
    equal(truth.judge("$1 = 8", "7"), "wrong")
    equal(truth.judge("$1 = <optimized out>", "7"), "optimised out")
    equal(truth.judge("No symbol \"x\" in current context.", "7"), "untold")
    equal(truth.judge("$1 = <not available: it is gone>", "7"), "untold")
    equal(truth.judge("$1 = 7  [frame of main (), Thread 0.0]", "7"), "right")
    equal(truth.judge(None, "7"), "wrong", "where it did not stop")


@case
def only_what_both_say_is_forgiven():
    here, there = truth.Place(1, 1, 1, 1, "x"), truth.Place(1, 2, 1, 1, "x")
    for said, verdict in ("$1 = 8", "wrong as gdb"), ("$1 = 9", "wrong"):
        ours, theirs = {here: ("wrong", said, "7")}, {there: ("wrong", "$4 = 8", "7")}
        truth.forgive(ours, theirs)
        equal(ours[here][0], verdict, said)


main()
