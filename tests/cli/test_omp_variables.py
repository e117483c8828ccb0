#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""$omp_thread and its like: in expressions, and in conditions wherever they are judged."""

import os

from debugger import *

PROGRAMS = [f"omp_variables-{build}" for build in BUILDS]
OPENMP = "omp_variables.c"
SAME = "$omp_thread == number && $omp_level == level && $omp_team_size == size"
OTHER = "$omp_thread != number || $omp_level != level || $omp_team_size != size"


def at(mark):
    return f"{OPENMP}:{line_of(mark, OPENMP)}"


@cases(*PROGRAMS)
def a_program_counts_and_agrees(program):
    """In each call the runtime has told the program what ompdb finds out by itself."""
    core = os.path.join(folder(), "core")
    said = session(program, f"break here if {SAME}", "ignore 1 100000", f"break here if {OTHER}", f"break {at('end')}",
                   "run", "info breakpoints", "continue",
                   "break here if $omp_thread == 2 && $omp_level == 1", "delete 1 2 3", "run", "print $omp_thread",
                   "print $omp_team_size * 10 + $omp_level", "info breakpoints", f"generate-core-file {core}", "kill")
    calls = re.search(r"^(\d+) calls$", said.result.out, re.M)[1]
    said("run").has(rf"hit Breakpoint 3, main .*\n{line_of('end', OPENMP)}\b")
    table = said("info breakpoints").has(rf"already hit {calls} times").has_not("host evals").text
    equal(table.count("already hit"), 2, "breakpoints that have been hit: 1 and 3")
    said("run", 2).has(r"hit Breakpoint 4, here \(number=2, level=1, size=3\)")
    said("print $omp_thread").value("2")
    said("print $omp_team_size * 10 + $omp_level").value("31")
    said("info breakpoints", 2).has(r"\$omp_level == 1$")
    dead = session(program, "print $omp_thread", "thread apply all -s print $omp_team_size == size", "print $omp_level",
                   options=("-c", core))
    dead("print $omp_thread").value("2")
    dead("print $omp_level").value("1")


@cases(*PROGRAMS)
def ids_last_and_are_given_once(program):
    """Thread 1 of each team of two comes twice, with a barrier between, to here()."""
    stops = 8
    said = session(program, "break here if $omp_thread == 1 && $omp_level == 1 && $omp_team_size == 2", "run 3",
                   *["print $omp_region\nprint $omp_task\nomp\nprint $omp_task\nprint $omp_region\ncontinue"] * (stops - 1),
                   "print $omp_parent_region", "print $omp_task_kind", "break here if $omp_region == 12345",
                   "info breakpoints", "kill")
    told = re.findall(r"Thread (\d+)\.1 .* hit .*parallel region (\d+), team of 2", said.result.out)
    equal(len(told), stops, "stops")
    expect(all(a == b for a, b in told), f"names of threads and regions: {told}")
    regions = [int(a) for a, _ in told]
    equal(regions[::2], regions[1::2], "regions before and behind the barrier")
    equal(len(set(regions)), stops // 2, "regions")
    values = [int(n) for n in re.findall(r"^\$\d+ = (\d+)$", said.result.out, re.M)]
    for i in range(stops - 1):
        before, task, after, again = values[4 * i:4 * i + 4]
        equal((before, again, task), (regions[i], regions[i], after), f"ids at stop {i}")
    said("print $omp_parent_region").value("-1")
    said("print $omp_task_kind").value('"implicit"')
    said("info breakpoints").has(r"12345 \(host evals\)$")


@cases(*PROGRAMS)
def breakpoints_for_a_thread_a_team_or_one_of_each(program):
    said = session(program, "break here omp-thread 1 if $omp_level == 1", "break here omp-thread", "run", "info breakpoints",
                   "print $omp_thread", "delete", "break here omp-team 0", "continue", "print $omp_region", "delete",
                   f"break {at('single')} once-per-region", *["continue\nprint $omp_region"] * 2, "info breakpoints",
                   "break here omp-thread 1 once-per-region", "save breakpoints saved", "kill", cwd=folder())
    said("break here omp-thread").has("'omp-thread' must be followed by a number")
    said("print $omp_thread").value("1")
    said("info breakpoints").has("stop only in OpenMP thread 1$").has_not("host evals")
    said("print $omp_region").value("0")
    regions = [int(n) for n in re.findall(r"^\$[34] = (\d+)$", said.result.out, re.M)]
    equal(len(set(regions)), 2, "regions in which it has stopped")
    said("info breakpoints", 2).has("stop only once in each parallel region", "hit 2 times")


@cases(*PROGRAMS)
def a_call_for_a_region_is_no_end_of_one(program):
    """The primary thread of a team calls for an inner region: it is not at the end of its own one."""
    call = "GOMP_parallel" if "gcc" in program else "__kmpc_fork_call"
    outer = "$omp_thread == 0 && $omp_level == 1"
    said = session(program, f"break here if {outer}", "run", "print $omp_region", f"break {call} if {outer}", "continue", "omp threads",
                   "delete 2", "continue", "print $omp_region", "kill")
    said("print $omp_region").value("0")
    said("continue").has(rf"hit Breakpoint 2, .*{call}")
    said("omp threads").has(r"^0\.(0|\[0.*) .* runtime +runtime ")
    said("continue", 2).has(r"hit Breakpoint 1, here \(number=0, level=1")
    said("print $omp_region", 2).value("0")


@cases(*PROGRAMS)
def threads_by_their_names_in_openmp(program):
    said = session(program, "break here if $omp_thread == 2 && $omp_level == 1", "run", "thread 0.2", "thread apply 0.* print 7",
                   "thread apply team print $omp_level", "thread apply 0.1-2 print 9", "thread apply 0.[0,2] print 8", "thread 0.[1]",
                   "thread 0.[0-1]", "thread 0.[2]", "omp hold 0.[0-1]", "omp thread 0.2", "omp team 0", "omp team",
                   "thread 0.7", "omp team 99", "omp thread 99.1", "info threads 0.2", "complete thread 0.", "kill")
    said("thread 0.2").has(r"^\[Switching to thread \d+ \(LWP", r"^#0 +here \(number=2, level=1")
    equal(len(re.findall(r" = 7$", said("thread apply 0.* print 7").text, re.M)), 3, "threads of the team")
    equal(len(re.findall(r" = 8$", said("thread apply 0.[0,2] print 8").text, re.M)), 2, "threads that are named together")
    said("thread 0.[1]").has(r"^\[Switching to thread \d+ \(LWP")
    said("thread 0.[0-1]").has(r"^Invalid thread ID: 0\.\[0-1\]\.$")
    said("thread 0.[2]").has(r"^#0 +here \(number=2, level=1")
    said("omp hold 0.[0-1]").has(r"^Held: \d\.\d, \d\.\d$")
    equal(len(re.findall(r"^\$\d+ = ", said("thread apply team print $omp_level").text, re.M)), 3, "threads of this team")
    equal(len(re.findall(r" = 9$", said("thread apply 0.1-2 print 9").text, re.M)), 2, "threads 1 and 2")
    for command in ("omp team 0", "omp team"):
        equal(len(re.findall(r"LWP \d+", said(command).text)), 3, "threads of the team")
    said("thread 0.7").has(r"^There is no thread 0\.7: team 0 has 3\.$")
    said("omp team 99").has(r"^There is no team 99: 'omp regions' lists them\.$")
    said("omp thread 99.1").has("^There is no team 99")
    equal(said("info threads 0.2").text.count("LWP"), 1, "rows")
    said("complete thread 0.").has(r"^thread 0\.\*$", r"^thread 0\.2$")


@cases(*PROGRAMS)
def parts_of_the_picture(program):
    said = session(program, "omp tasks", f"break {at('single')}", "run", "omp", "omp runtimes", "omp regions", "omp tasks", "omp tree",
                   "kill")
    said("omp tasks").has("^No stack")
    whole = said("omp").text
    tree = said("omp tree").has("^regions$", "^tasks$").has_not("^runtimes$").text.strip()
    expect(tree in whole, f"omp tree says what omp does not:\n{tree}\n---\n{whole}")
    regions = re.findall(r"parallel region (\d+), team", whole)
    equal(re.findall(r"^(\d+) ", said("omp regions").text, re.M), regions, "regions of the list")
    said("omp runtimes").has(r"^lib(gomp|omp) ")
    said("omp tasks", 2).has(r"^task +region", "implicit +running")


@case
def no_openmp():
    said = session("session-gcc-O0", "print $omp_thread", "break twice if $omp_thread == 1", "run", "print $omp_level",
                   "omp regions", "kill")
    said("print $omp_thread").has(r"^\$omp_thread is of a thread, and none stands still, near `\$omp_thread'\.$")
    said("run").has(r"condition for breakpoint 1: \$omp_thread: no OpenMP runtime is in the process", "hit Breakpoint 1|^Breakpoint 1")
    said("omp regions").has(r"^None\.$")
    said("print $omp_level").has(r"^\$omp_level: no OpenMP runtime is in the process, near `\$omp_level'\.$")


@case
def linked_statically():
    said = session("omp_joins-static", "break omp_get_thread_num if $omp_thread == 1 && $omp_team_size > 1",
                   "run barrier < /dev/null", "print $omp_thread", "info breakpoints", "kill")
    said("run barrier < /dev/null").has("hit Breakpoint 1, ")
    said("print $omp_thread").value("1")
    said("info breakpoints").has_not("host evals")


main()
