# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps of one thread while others run, or are not to run."""

from debugger import *

ALARM = "handle SIGALRM nostop noprint pass"
PROGRAMS = ["stepping-gcc-O0", "stepping-clang-O0"]
LINES = ["plain", "tick", "between", "other", "loop"]


def line(mark):
    return line_of(mark, "stepping.c")


def at(mark):
    return f"stepping.c:{line(mark)}"


def shown(said):
    """The numbers of the source lines that are shown."""
    return [int(number) for number in re.findall(r"^(\d+)\t", said.text, re.M)]


@cases(*PROGRAMS)
def lines_in_order_with_signals_and_threads(program):
    said = session(program, ALARM, f"tbreak {at('plain')}", "run", *["next"] * 200, "print ticks >= 40",
                   "print sum", "info threads")
    for n in range(1, 201):
        equal(shown(said("next", n)), [line(LINES[n % 5])], f"lines after {n} next")
        said("next", n).has_not("main|SIGALRM|Thread")
    said("print ticks >= 40").value("1")
    said("print sum").value(str(sum(range(40)) + 2 * 40))
    said("info threads").has(r"^\* ?1 ", r"^  ?2 ", r"^  ?3 ")


@cases(*(f"{program} {how}" for program in PROGRAMS for how in ("on", "step")))
def others_stay_while_one_steps(name):
    program, how = name.split()
    said = session(program, ALARM, f"tbreak {at('plain')}", "run", f"set scheduler-locking {how}",
                   "set $a = spins[0]", "set $b = spins[1]", "next", "next", "step", "stepi",
                   "print spins[0] == $a && spins[1] == $b", "set scheduler-locking off",
                   f"tbreak {at('plain')}", "continue", "print spins[1] != $b")
    equal(shown(said("next")), [line("tick")], "line")
    equal(shown(said("next", 2)), [line("between")], "line")
    equal(shown(said("step")), [line("other")], "line")
    said("print spins[0] == $a && spins[1] == $b").value("1")
    equal(shown(said("continue")), [line("plain")], "line")
    said("print spins[1] != $b").value("1")


@cases(*PROGRAMS)
def others_run_when_one_goes_on_with_locking_of_steps(program):
    said = session(program, ALARM, f"tbreak {at('other')}", "run", "set scheduler-locking step",
                   "set $b = spins[1]", f"tbreak {at('plain')}", "continue", "print spins[1] != $b")
    equal(shown(said("continue")), [line("plain")], "line")
    said("print spins[1] != $b").value("1")


@cases(*PROGRAMS)
def frozen_threads_stay(program):
    said = session(program, ALARM, f"tbreak {at('plain')}", "run", "freeze 2", "set $a = spins[0]",
                   *["next"] * 9, f"tbreak {at('last')}", "continue", "print spins[0] == $a", "thaw 2", "next",
                   "print spins[0] != $a")
    for n in range(1, 10):
        equal(shown(said("next", n)), [line(LINES[n % 5])], f"lines after {n} next")
    equal(shown(said("continue")), [line("last")], "line")
    said("print spins[0] == $a").value("1")
    equal(shown(said("next", 10)), [line("last") + 1], "line")
    said("print spins[0] != $a").value("1")


@cases(*PROGRAMS)
def a_loop_of_one_jump_is_left_by_a_signal(program):
    said = session(program, ALARM, f"tbreak {at('leaves')}", f"tbreak {at('left')}", "run",
                   "set scheduler-locking on", "next", "next", "print leaves")
    equal(shown(said("next")), [line("jump")], "line")
    equal(shown(said("next", 2)), [line("left")], "line")
    said("print leaves").value("0")


@cases(*BUILDS)
def inlined_calls_are_run_out_of(build):
    # Stepped through, their loops would take minutes.
    def stops(*commands):
        return [n for command in commands for n in shown(said(*command))]

    def mark(name):
        return line_of(name, "inline_loops.c")

    said = session(f"inline_loops-{build}", "tbreak spins", "run", "finish", "next",
                   "tbreak descends if depth == 2", "continue", "finish", "print depth", "next",
                   "tbreak jumps", "continue", "finish", "next", "tbreak plain", "run", "next", "next")
    # Optimised code may have no instruction left in the line of the call.
    expect(mark("behind-plain") in stops(("finish",), ("next",)), "behind-plain by finish")
    said("finish", 2).has(r"^recursion \(depth=(depth@entry=)?2\) at ")
    said("print depth").value("2")
    expect(mark("landed") in stops(("finish", 3), ("next", 3)), "landed")
    expect(mark("behind-plain") in stops(("next", 4), ("next", 5)), "behind-plain by next")


main()
