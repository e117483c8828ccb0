#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads of a team that are held, run alone, in an order, or together; orders as files; races."""

import signal

from debugger import *

PROGRAMS = [f"omp_order-{build}" for build in BUILDS]
LIBGOMP, LIBOMP = PROGRAMS[0], PROGRAMS[1]


def mark(name):
    return line_of(name, "omp_order.c")


def ordered(program, part, *commands, threads=2, at=None, **how):
    """A thread of the team is at the beginning of the region."""
    begin = (f"tbreak omp_order.c:{mark(at or part)}", f"run {part} {threads}")
    return session(program, *begin, *commands, **how)


def steps(path):
    with open(path) as f:
        return [line.split() for line in f.read().splitlines()[2:]]


# ------------------------------------------------------------------------------------ holding


@cases(*PROGRAMS)
def threads_are_held_and_released(program):
    said = ordered(program, "phases", "omp serialize", "omp hold", "omp hold 0.1 3", "omp hold", "info threads",
                   "omp hold 0.9", "omp hold x", "omp hold 7.0", "omp release 0.2-3", "omp release", "omp release",
                   "omp hold all", "continue", "omp release all", "omp schedule 9", "continue", threads=4)
    said("omp hold").has(r"^No thread is held\.$")
    said("omp hold 0.1 3").has(r"^Held: 0\.1, 0\.3$")
    said("omp hold", 2).has(r"^Held: 0\.1, 0\.3$")
    said("omp hold 0.9").has(r"There is no thread 0\.9: team 0 has 4")
    said("omp hold x").has(r"'x' is no name of a thread: T\.N, as in 'omp', or all")
    said("omp hold 7.0").has(r"There is no team 7: 'omp' lists them")
    said("omp release 0.2-3").has(r"^Released: 0\.3$")
    said("omp release").has(r"^Released: 0\.1$")
    said("omp release", 2).has(r"^No thread was held\.$")
    said("continue").has("All threads are frozen")
    said("omp schedule 9").has(r"There is no thread 0\.9: team 0 has 4")
    said("continue", 2).has("exited normally")


@cases(*PROGRAMS)
def one_that_is_held_is_not_run(program):
    said = ordered(program, "phases", "omp serialize", "omp hold 0.1", "omp shuffle", "omp release", "continue")
    said("omp shuffle").has(r"Thread 0\.1 is held: 'omp release 0\.1' lets it go on")
    said("continue").has("exited normally")


@cases(*PROGRAMS)
def others_are_run_while_one_is_held(program):
    runs = "omp run 0.0 --until barrier"
    said = ordered(program, "phases", "omp run 0.1 --until barrier", "omp hold 0.1", "omp next --team", runs, "omp schedule 2 0",
                   "omp schedule 0 2 2", "why", "omp threads", "info threads", "omp", "omp barrier", "next", "continue", "omp run 0.1 --until barrier",
                   "omp next --team", "omp release", "continue", threads=3)
    said("omp next --team").has(r"^0\.(0|\[0,2\]) at omp_order\.c:\d+, 0\.1 held")
    said(runs).has(r"^0\.0 has come to the barrier\.$")
    said("omp schedule 2 0").has(r"^0\.[02] waits at the barrier, where held thread 0\.1 has not arrived\.$")
    said("omp schedule 0 2 2").has(r"^0\.0 waits at the barrier, where held thread 0\.1 has not arrived\.$")
    at = r"at omp_order\.c:\d+"
    waits = rf"^Waiting: threads 0\.\[0,2\] wait at the barrier {at}; thread 0\.1 has not arrived: it is held by you \(omp hold\) {at}\.$"
    said("why").has(waits, r"^  thread 0\.1 .* is held by you \(omp hold\)$")
    said("omp threads").has(r"^0\.1 .* held by you \(omp hold\)  explicit barrier", r"^0\.\[0,2\] .* waits ")
    said("info threads").has(r" 0\.1 .*, held by you \(omp hold\) => ")
    said("omp").has(r"^ +0\.1  LWP .* held by you \(omp hold\), ")
    said("omp barrier").has(r"^  0\.1 has .*, held by you \(omp hold\)$", r"^  0\.\[0,2\] have arrived ")
    for command in ("next", "continue"):
        said(command).has(waits, r"^(0x[0-9a-f]+ in )?phases \(")
    said("omp run 0.1 --until barrier", 2).has(r"Thread 0\.1 is held: 'omp release 0\.1' lets it go on")
    said("omp next --team", 2).has(r"0\.1 held; 0\.0 waits .*; 0\.2 waits ")
    said("omp release").has(r"^Released: 0\.1$")
    said("continue", 2).has("exited normally")


@cases(*PROGRAMS)
def the_turn_of_one_that_is_held_does_not_come(program):
    # It may not have begun, and so have no name.
    waits = r"it is (probably )?the turn of thread (0\.1|\d+), which is held by you \(omp hold\)( at omp_order\.c:\d+)?\.$"
    said = ordered(program, "turns", "omp hold 0.1", "finish", "continue", "omp release", "set scheduler-locking on", "continue",
                   "set scheduler-locking off", "continue", threads=3, at="turn")
    said("finish").has(rf"^Waiting: .* for (its turn|their turns) at ordered at .*; {waits}")
    said("continue").has(rf"^Waiting: threads 0\.\[0,2\] wait for their turns at ordered at .*; {waits}")
    said("continue", 2).has(r"^Waiting: threads? 0\.(0|\[0,2\]) waits? .* which is held by scheduler-locking")
    said("continue", 3).has("order=012345", "exited normally")


# libgomp's primary thread waits for the pool before it begins a region.
@cases(*(p for p in PROGRAMS if "clang" in p))
def one_that_has_not_begun_its_part_has_its_name(program):
    said = ordered(program, "children", "set scheduler-locking on", f"tbreak omp_order.c:{mark('children')}", "continue",
                   "omp hold 1", "omp release", "set scheduler-locking off", "omp run 0 --until critical", "continue", at="pool")
    said("omp hold 1").has(r"^Held: \d\.1$")
    said("omp release").has(r"^Released: \d\.1$")
    said("omp run 0 --until critical").has(r"^\d\.0 has come to critical\.$")
    said("continue", 2).has("exited normally")


@cases(LIBGOMP, LIBOMP)
def nobody_stays_held_when_the_program_is_another_one_or_let_go(program):
    """All but one are held in each; what goes on then has nobody who is."""
    need_debug_registers()
    said = ordered(program, "executes", "omp serialize", "continue", threads=3)
    said("omp serialize").has(r"omp serialize is given up: the program executes another one")
    said("continue").has("exited normally")
    said = ordered(program, "executes", "omp run 0.1 --until critical", "omp hold", "continue", threads=3)
    said("omp run 0.1 --until critical").has("omp run is given up: the program executes another one")
    said("omp hold").has("No thread is held")
    said("continue").has("exited normally")
    said = ordered(program, "ends", "omp shuffle --at x", "omp hold 0.0", "run phases 2", threads=3)
    said("omp shuffle --at x").has(r"exited with code 03\]")
    said("omp hold 0.0").has("not being run")
    said("run phases 2").has("exited normally")


@case
def a_program_that_is_let_go_has_nobody_who_is_held():
    said = ordered(LIBGOMP, "locks", "omp run 0.1 --until critical", "omp hold all", "info program", "detach", threads=3)
    pid = int(re.search(r"child process (\d+)", said("info program").text)[1])
    wait_for(lambda: proc_state(pid) in (None, "Z"), "the program to end")


# ------------------------------------------------------------------------------------ one alone


@cases(*PROGRAMS)
def one_thread_runs_alone(program):
    inside, critical = mark("inside"), "omp run 0.1 --until critical"
    said = ordered(program, "locks", critical, f"omp run 0.1 --until {inside}", "omp run 0.2 --until critical",
                   f"omp run 0.2 --until {inside}", "print turns", "omp run 0.1 --until lock", "omp run 0.2 --until chunk",
                   "omp run 0.2", "omp run --until chunk", "omp run 0.* --until chunk", "omp run 0.1 --until nosuch",
                   "continue", threads=3)
    said(critical).has(r"^0\.1 has come to critical 'ledger'\.$", rf"^locks \(|in locks \(", r"\[parallel region 0, team of 3\]")
    said(f"omp run 0.1 --until {inside}").has(r"^0\.1 has come to the line\.$", rf"^{inside}\t")
    said(f"omp run 0.2 --until {inside}").has(r"0\.2 waits for critical 'ledger', which held thread 0\.1 has")
    said("print turns").has("= 0$")
    said("omp run 0.1 --until lock").has(r"^0\.1 has come to lock 'left'\.$")
    said("omp run 0.2 --until chunk").has(r"^0\.2 has come to the end of the region\.$")
    said("omp run 0.2").has("Until what")
    said("omp run --until chunk").has("Which threads")
    said("omp run 0.* --until chunk").has("One thread runs alone")
    said("omp run 0.1 --until nosuch").has("'nosuch' is none of barrier")
    said("continue").has(r"x=3 order=12c0ba|x=3 order=12(c0ab|c0ba|cb0a|bc0a|0..)", "exited normally")


@cases(*PROGRAMS)
def one_thread_runs_to_a_barrier_and_a_chunk(program):
    said = ordered(program, "phases", "omp run 0.1 --until barrier", "omp run 0.1 --until barrier", "continue")
    said("omp run 0.1 --until barrier").has(r"^0\.1 has come to the barrier\.$")
    said("omp run 0.1 --until barrier", 2).has(r"0\.1 waits at the barrier, where held thread 0\.0 has not arrived")
    said("continue").has("exited normally")
    said = ordered(program, "loop", *["omp run 0.1 --until chunk"] * 4, "print order", "continue")
    said("omp run 0.1 --until chunk", 4).has(r"^0\.1 has come to the next chunk\.$")
    # libomp begins with a part for each thread.
    said("print order").has(r'= "1{2,3}"' if "gcc" in program else r'= "(\\000)+11+"')
    said("continue").has("exited normally")


@cases(LIBGOMP, LIBOMP)
def who_waits_for_a_lock_of_a_library_yields(program):
    said = ordered(program, "says", "delete", "omp schedule 1 0 0 0 1 1 1", "omp hold", "continue")
    said("omp schedule 1 0 0 0 1 1 1").has(r"^\[0\.0 sleeps in puts\(\) at omp_order\.c:")
    said("continue").has("exited normally")
    said = ordered(program, "says", "delete", *["omp next --team"] * 4, "omp hold", "continue")
    said("omp next --team", 4).has(r"0\.0 sleeps in puts\(\) at omp_order\.c:")
    said("omp hold").has("No thread is held")
    said("continue").has("exited normally")


# Of LLVM's: 0.6 waits for 0.7 before it counts as arrived.
@cases(*(p for p in PROGRAMS if "clang" in p))
def who_reduces_for_others_waits(program):
    said = ordered(program, "sum", "delete", "omp run 0.5 --until barrier", "omp run 0.6 --until barrier", "continue", threads=8)
    said("omp run 0.6 --until barrier").has(r"^0\.6 waits at the end of worksharing")
    said("continue").has("x=4950")


# libgomp has no count of a thread's own.
@cases(*(p for p in PROGRAMS if "clang" in p))
def who_is_held_at_a_barrier_that_is_over_does_not_wait(program):
    said = ordered(program, "phases", "omp run 0.1 --until barrier", "set scheduler-locking on", "stepi 5000", "omp threads",
                   "omp hold 0.1", "set scheduler-locking off", f"tbreak omp_order.c:{mark('second')}", "continue",
                   "omp threads", "omp barrier", "info threads", env={"KMP_BLOCKTIME": "infinite"})
    said("omp threads").has(r"^0\.1 .*waits +explicit barrier")
    said("omp threads", 2).has(r"^0\.1 .*passing")
    said("omp barrier").has(r"nobody is at a barrier")
    said("info threads").has(r"=> passes a barrier$")


@cases(LIBGOMP, LIBOMP)
def one_that_runs_alone_does_not_wait_for_others_to_come_out(program):
    """They stand, at the barrier's entry or inside."""
    runs = "omp run 0.0 --until chunk"
    said = ordered(program, "phases", "omp run 0.1 --until barrier", runs, "omp thread 0.0", "omp release", f"tbreak omp_order.c:{mark('second')} omp-thread 0",
                   "continue", "omp run 0.1 --until barrier", runs, "omp hold", "continue")
    said(runs).has("0.0 waits at the barrier, where held thread 0.1 has not arrived")
    said(runs, 2).has("0.0 (waits at the barrier, where held thread 0.1 has not arrived|has come to the end of the region)")
    said("omp hold").has("No thread is held")
    said("continue", 2).has("exited normally")


@cases(*PROGRAMS)
def all_that_are_waited_for_are_named(program):
    said = ordered(program, "phases", "omp run 0.1 --until barrier", "omp run 0.1 --until barrier", "kill", threads=3)
    said("omp run 0.1 --until barrier", 2).has(r"0\.1 waits at the barrier, where held threads 0\.0, 0\.2 have not arrived")


@cases(*PROGRAMS)
def one_thread_runs_to_the_end_of_its_task(program):
    said = ordered(program, "tasks", "omp run 0.0 --until task-end", "continue", threads=1, at="task")
    said("omp run 0.0 --until task-end").has(r"^0\.0 has come to the end of its task\.$")
    said("continue").has("exited normally")
    said = ordered(program, "tasks", "omp run 0.0 --until task-end", threads=1)
    said("omp run 0.0 --until task-end").has(r"Thread 0\.0 executes no task")


# ------------------------------------------------------------------------------------ orders


@cases(*PROGRAMS)
def an_order_is_run(program):
    """Between barriers, in critical constructs, and chunk by chunk."""
    said = ordered(program, "phases", "omp schedule 3 2 1 0 3 2", "omp serialize --region", "continue", threads=4)
    said("omp schedule 3 2 1 0 3 2").has(r"^The order is through: 6 turns\.$")
    said("omp serialize --region").has(r"^All 4 threads have left the region: 6 turns\.$",
                                          r"^(0x[0-9a-f]+ in )?(phases|main) \(")
    said("continue").has("order=3210dcabBCDA")
    said = ordered(program, "loop", "omp schedule 1 0 1 0 1 1 0 0 1 1 0 0", "continue")
    said("continue").has("order=10" if "gcc" in program else r"order=0{2,3}1+")


@cases(*PROGRAMS)
def who_waits_yields_and_this_is_said(program):
    said = ordered(program, "locks", "omp schedule 0 0 1 1 1 1 1", "continue")
    said("omp schedule 0 0 1 1 1 1 1").has(
        r"^\[0\.1 waits for critical 'ledger', which held thread 0\.0 has: 0\.0 runs in its place\]$",
        r"^The order is through: \d turns\.$")
    said("continue").has("order=0.*1", "exited normally")
    said = ordered(program, "phases", "omp schedule 0 0 0", "continue")
    said("omp schedule 0 0 0").has(
        r"^\[0\.0 waits at the barrier, where held thread 0\.1 has not arrived: 0\.1 runs in its place\]$")
    said("continue").has("order=01a", "exited normally")


@cases(*PROGRAMS)
def who_executes_tasks_where_it_waits_has_arrived_there(program):
    again = (f"tbreak omp_order.c:{mark('children')}", "run children 2")
    seeds = range(1, 3 if FEW else 5)
    said = ordered(program, "children", *[c for seed in seeds for c in (f"omp shuffle --seed {seed}", "continue", *again)], "kill")
    for seed in seeds:
        said(f"omp shuffle --seed {seed}").has(r"^All 2 threads have left the region: \d+ turns\.$")
        said("continue", seed).has("x=6 ", "exited normally")


@cases(*PROGRAMS)
def who_executes_tasks_at_the_end_is_past_the_region(program):
    said = ordered(program, "remains", "omp serialize", "tbreak omp_order.c:%d" % mark("remains"), "run remains 3",
                   "omp barrier --next", "continue", threads=3)
    past = r"^\[0\.0, 0\.1 are past the region's code already, and run freely: nobody orders the tasks at its end\]$"
    said("omp serialize").has(past, r"^All 3 threads have left the region: 1 turn\.$")
    said("omp barrier --next").has(past, r"^All 3 threads have (left the region|arrived at the barrier)")
    said("continue").has("x=1 ", "exited normally")


@cases(LIBGOMP, LIBOMP)
def a_step_awaits_tasks_of_who_has_left_the_region(program):
    said = ordered(program, "leaves", "omp finish --team", "print x", "continue", at="await")
    said("omp finish --team").has(r"^0\.0 at omp_order\.c:\d+, 0\.1 left the region\.$", r"\tx \+= 2; |\tawait\(\);")
    said("print x").has("= 1$")
    said("continue").has("x=3 ", "exited normally")


@cases(*PROGRAMS)
def who_has_left_the_region_is_left_out(program):
    said = ordered(program, "race", "omp schedule 0 0 1 1", "continue")
    said("omp schedule 0 0 1 1").has(r"^\[0\.0 has left the region: its turn is left out\]$",
                                     r"^All 2 threads have left the region: 2 turns\.$")
    said("continue").has("x=4 ")


@cases(*PROGRAMS)
def a_team_that_waits_for_itself_is_told_so(program):
    said = ordered(program, "hang", "omp schedule 0 0 1 1 0 0 1 1", "kill")
    said("omp schedule 0 0 1 1 0 0 1 1").has(
        r"^No thread of the team can go on: 0\.\d waits for lock '(left|right)', which held thread 0\.\d has; 0\.\d waits for "
        r"lock '(left|right)', which held thread 0\.\d has\.$")
    said("kill").has("killed")


@cases(*PROGRAMS)
def a_step_into_a_deadlock_ends_with_its_verdict(program):
    """Of the team, or of one thread while the others run."""
    first, inner = mark("first"), mark("inner")
    steps = ("omp next --team", "next", f"advance {inner}")
    said = ordered(program, "hang", f"omp run 0.0 --until {first}", f"omp run 0.1 --until {first}", "omp next --team", *steps, "kill")
    for n, step in enumerate(steps):
        said(step, 1 if n else 2).has(r"^Probably a deadlock: thread 0\.0 waits for lock .* probably held by thread 0\.1, which waits "
                                      r"for lock .* probably held by thread 0\.0\.$", rf"^{inner - 1}\t").has_not("given up")


@cases(*PROGRAMS)
def a_breakpoint_gives_the_order_up(program):
    said = ordered(program, "locks", f"break omp_order.c:{mark('locked')}", "omp shuffle", "delete", "continue")
    said("omp shuffle").has("hit Breakpoint 2", r"^The omp shuffle is given up\.$")
    said("continue").has("exited normally")
    # Of the one that has not come to the beginning yet.
    said = ordered(program, "locks", "set $other = 1 - $omp_thread", f"break omp_order.c:{mark('locked')} if $omp_thread == $other", "advance main", "kill")
    said("advance main").has("hit Breakpoint 2", r"^The advance of thread [12] is given up\.$")


@cases(*PROGRAMS)
def accesses_are_places_and_so_are_lines(program):
    need_debug_registers()
    every = "omp schedule 0 1 0 1 0 1 0 1 0 1 --at x"
    said = ordered(program, "race", every, "continue")
    said(every).has(r"^All 2 threads have left the region: 10 turns\.$")
    said("continue").has("x=2 ")
    store = f"omp schedule 0 1 0 1 0 1 0 1 --at {mark('store')}"
    said = ordered(program, "race", store, "continue")
    said("continue").has("x=2 ")
    said = ordered(program, "race", "omp schedule 0 --at nosuch", "omp schedule 0 --at 5 + 5", "omp schedule 0 --at order",
                   "omp schedule 0 --at", "omp schedule", "omp schedule 0 --nosuch", "omp shuffle 5", "continue")
    said("omp schedule 0 --at nosuch").has('No symbol "nosuch" in current context')
    for command in ("omp schedule 0 --at 5 + 5", "omp schedule 0 --at order"):
        said(command).has("cannot be watched")
    said("omp schedule 0 --at").has("--at: what stands behind it is missing")
    said("omp schedule").has("Which threads, in which order")
    said("omp schedule 0 --nosuch").has("There is no option '--nosuch'")
    said("omp shuffle 5").has("'5' is no option")
    said("continue").has("x=4 ")


# ------------------------------------------------------------------------------------ files, races


@cases(*PROGRAMS)
def a_lost_update_is_lost_again(program):
    """The same wrong result each time."""
    need_debug_registers()
    file = os.path.join(folder(), "order")
    again = (f"tbreak omp_order.c:{mark('race')}", "run race 2", f"omp replay {file}", "continue")
    times = 12 if FEW else 50
    said = ordered(program, "race", "omp shuffle --seed 7 --at x", "omp races", f"omp record {file}", "continue",
                   *again * times)
    lost = re.search(r"x=(\d) ", said("continue").text)[1]
    expect(lost in "23", f"nothing is lost: x={lost}")
    for n in range(times):
        said("continue", n + 2).has(f"x={lost} ", "exited normally")
        said(f"omp replay {file}", n + 1).has_not("is another one than in the file")
    equal(len(steps(file)), 1 + 10, "lines of the file")
    said("omp races").has("^Accesses that no barrier and no lock or critical construct ordered:$", "^x$",
                          rf"^  0\.\d writes  at \S*omp_order\.c:{mark('store')} in add",
                          rf"^  0\.\d reads   at \S*omp_order\.c:{mark('load')} in add")


@cases(*PROGRAMS)
def what_locks_order_is_no_race(program):
    need_debug_registers()
    said = ordered(program, "locks", "omp races", "omp shuffle --seed 3 --at x", "omp races", "continue")
    said("omp races").has("No accesses have been seen")
    said("omp races", 2).has("^All accesses that have been seen were ordered")
    said = ordered(program, "race", "watch -team x", "set scheduler-locking on", "continue", "continue",
                   "set scheduler-locking off", "continue", "continue", "omp races")
    said("omp races").has("^x$", *[rf"^  0\.{n} writes  at \S*omp_order\.c:{mark('store')} in add" for n in (0, 1)])


@cases(*PROGRAMS)
def what_is_done_in_turns_is_no_race(program):
    need_debug_registers()
    said = ordered(program, "turns", "watch -team turns", *["continue"] * 7, "omp races", at="turn")
    said("omp races").has("^All accesses that have been seen were ordered")


@cases(*PROGRAMS)
def writes_at_the_same_time_are_a_race(program):
    need_debug_registers()
    said = ordered(program, "bumps", "watch -team x", *["continue"] * 21, "omp races")
    said("omp races").has("^x$", *[rf"^  0\.{n} writes  at \S*omp_order\.c:{mark('bump')} in bumps(,|$)" for n in (0, 1)])


@cases(*PROGRAMS)
def writes_of_several_threads_in_one_stop_are_told(program):
    need_debug_registers()
    said = ordered(program, "atomics", "watch -team x", *["continue"] * 31, threads=3)
    told = [re.search(r"^Old value = (\d+)\nNew value = (\d+)\n(Other threads have written there at the same time: .*\n)?",
                      said("continue", nth).text, re.M) for nth in range(1, 31)]
    values = [(int(t[1]), int(t[2]), bool(t[3])) for t in told if t]
    equal((values[0][0], [old for old, _, _ in values[1:]], values[-1][1]), (0, [new for _, new, _ in values[:-1]], 30), "chain")
    equal([v for v in values if v[1] - v[0] > 1 and not v[2]], [], "changes of several threads that one is said to have made")


@cases(*PROGRAMS)
def who_is_in_another_function_writes_the_same_variable(program):
    need_debug_registers()
    said = ordered(program, "race", f"omp run 0.0 --until {mark('load')}", "omp hold 0.0", "watch -team x", "continue",
                   "omp release", "delete", "continue")
    said("watch -team x").has_not("nothing is watched")
    said("continue").has(r"^Thread 0\.1 .*hit Hardware watchpoint 2: -team x$")
    said("continue", 2).has("exited normally")


@case
def files_that_are_no_orders():
    own = folder()
    good = os.path.join(own, "good")
    def bad(name, text):
        with open(os.path.join(own, name), "wb") as f:
            f.write(text)
        return os.path.join(own, name)
    other = bad("other", b"ompdb-order 1\nthreads 2\n0 barrier\n1 end\n")
    more = bad("more", b"ompdb-order 1\nthreads 5\n0 end\n")
    binary = bad("binary", b"\x7fELF\0\0")
    said = ordered(LIBGOMP, "race", f"omp record {good}", f"omp replay {own}/nosuch", f"omp replay {more}", f"omp replay {binary}",
                   "omp replay", "omp record", f"omp replay {other}", f"omp record {own}/none/x", "continue")
    said(f"omp record {good}").has("No order has been run yet")
    said(f"omp replay {own}/nosuch").has(rf"^{own}/nosuch: No such file or directory\.$")
    said(f"omp replay {more}").has("It is the order of 5 threads, and team 0 has 2")
    said(f"omp replay {binary}").has("[Ii]t is no text")
    said("omp replay").has("Which file")
    said("omp record").has("Which file")
    said(f"omp replay {other}").has(r"^\[Turn 1 is another one than in the file: 0\.0 end, and was 0 barrier there\]$",
                                    "All 2 threads have left the region: 2 turns")
    said(f"omp record {own}/none/x").has("No such file")
    said("continue").has("exited normally")


# ------------------------------------------------------------------------------------ faults


@cases(*((LIBGOMP, c) for c in ("omp shuffle", "omp run 0.0 --until barrier", "omp serialize", "omp schedule 0 0", "omp finish --team", "omp barrier --next")),
       (LIBOMP, "omp shuffle"))
def an_interrupt_ends_it_and_nobody_is_held(program, command):
    argv = [OMPDB, "-nx", "-q", "--color=never", testprog(program), "-ex", f"tbreak omp_order.c:{mark('spins')}", "-ex",
            "run spins 2", "-ex", command, "-ex", "omp hold", "-ex", "set var turns = 1", "-ex", "continue"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                          env=dict(os.environ, XDG_STATE_HOME=folder())) as s:
        said = ""
        while "spinning" not in said and (line := s.stdout.readline()):
            said += line
        s.send_signal(signal.SIGINT)
        said += s.stdout.read()
    expect(re.search("received signal SIGINT", said) and re.search(rf"^The omp .* is given up\.$", said, re.M), said)
    expect("No thread is held" in said and "exited normally" in said, said)


# ------------------------------------------------------------------------------------ together


@cases(*PROGRAMS)
def a_team_steps_together(program):
    said = ordered(program, "phases", "omp next --team", "omp next --team", "omp next --team", "info threads", "omp next",
                   "omp next --team 5", "omp next --team --wait x", "omp next --team --nosuch", "omp advance --team",
                   f"omp advance --team {mark('third')}", "omp finish --team", "omp step --team", "continue", threads=4)
    for n in 1, 2, 3:
        said("omp next --team", n).has(r"^0\.\[0-3\] at omp_order\.c:\d+\.$" if "O0" in program else r"^0\.\S+ at omp_order",
                                       r"\[parallel region 0, team of 4\]$")
    said(f"omp advance --team {mark('third')}").has(rf"^0\.\[0-3\] at omp_order\.c:{mark('third')}\.$")
    said("omp finish --team").has(r"0\.\[1-3\] left the region", r"0\.0 at omp_order\.c:")
    said("omp next").has("What the whole team does is said with --team; 'next' moves one thread")
    said("omp next --team 5").has("'5' is no option")
    said("omp next --team --wait x").has("'x' is no number of seconds")
    said("omp next --team --nosuch").has("There is no option '--nosuch'")
    said("omp advance --team").has("Argument required")
    said("omp step --team").has("no parallel region|no team")
    said("continue").has("exited normally")


@cases(*(p for p in PROGRAMS if p.endswith("O0")))
def who_waits_at_first_gets_no_further_than_the_others(program):
    """Its call returns to where the next line begins."""
    second = mark("second")
    waits = [f"omp run 0.{who} --until barrier" for who in (1, 0)]
    for command in "omp next --team", f"omp advance --team {second}":
        said = ordered(program, "phases", *waits, command, "continue")
        said(command).has(rf"^0\.\[0-1\] at omp_order\.c:{second}\.$")
        said("continue").has("exited normally")


@cases(*PROGRAMS)
def who_cannot_arrive_is_named(program):
    """One of the others comes into the critical construct, the other one waits for that."""
    said = ordered(program, "locks", "omp run 0.0 --until critical", f"omp run 0.0 --until {mark('inside')}",
                   f"omp advance --team {mark('inside')}", "omp release", "continue", threads=3)
    said(f"omp advance --team {mark('inside')}").has(rf"0\.[12] at omp_order\.c:{mark('inside')}[,;]",
                                                     r"0\.[12] waits for critical 'ledger' at omp_order")
    said("continue").has("exited normally")
    said = ordered(program, "spins", "omp next --team --wait 0.3", f"omp advance --team --wait 0.3 {mark('spinning')}",
                   "set var turns = 1", "continue")
    said("set var turns = 1").has_not("rror")
    said("continue").has("exited normally")


@cases(*PROGRAMS)
def one_that_has_come_to_the_end_before_goes_on_behind_it(program):
    """The primary thread is in no code of the region any more, and the others find no end of it by that."""
    end = "omp run 0.0 --until chunk"
    said = ordered(program, "locks", "omp run 0.0 --until critical", "omp run 0.0 --until lock", end, "omp finish --team",
                   "continue", threads=3)
    said(end).has("0.0 has come to the end of the region")
    said("omp finish --team").has(r"^0\.0 at omp_order\.c:\d+, 0\.\[1-2\] left the region\.$")
    said("continue").has("x=3 ", "exited normally")
    # Another one has: in its barrier nothing tells it from one that has not begun.
    said = session(program, f"tbreak omp_order.c:{mark('locks')} omp-thread 0", "run locks 2", "omp run 0.1 --until chunk", "omp thread 0.0", "omp next --team",
                   "omp finish --team", "continue")
    said("omp next --team").has(r"^0\.0 at ")
    said("omp finish --team").has(r"^0\.0 at omp_order\.c:\d+, 0\.1 left the region\.$")
    said("continue").has("x=2 ", "exited normally")


@cases(LIBGOMP, LIBOMP)
def teams_within_the_team_are_waited_for(program):
    nested = f"omp advance --team {mark('nested')}"
    said = ordered(program, "nests", nested, "continue")
    said(nested).has(rf"^0\.\[0-1\] at omp_order\.c:{mark('nested')}\.$")
    said("continue").has("exited normally")
    alone = "omp run 0.1 --until barrier"
    said = ordered(program, "nests", alone, "continue")
    said(alone).has(r"^0\.1 has come to the barrier\.$")
    said("continue").has("exited normally")


@cases(LIBGOMP, LIBOMP)
def a_deadlock_is_told_at_once(program):
    said = ordered(program, "hang", "omp schedule 0 0 1 1", "omp finish --team", "kill")
    said("omp finish --team").has("deadlock|each other|waits for lock")
    said("kill").has("killed")


@cases(LIBGOMP, LIBOMP)
def a_program_that_ends_in_the_midst_of_a_team_step(program):
    said = ordered(program, "ends", "omp finish --team", "omp hold", threads=3)
    said("omp finish --team").has(r"exited with code 03\]")
    said = ordered(program, "executes", "omp finish --team", "omp hold", "continue", threads=3)
    said("omp finish --team").has("omp finish --team is given up: the program executes another one")
    said("omp hold").has("No thread is held")
    said("continue").has("exited normally")


@cases(LIBGOMP, LIBOMP)
def a_member_that_ends_in_the_midst_of_a_team_step(program):
    """Another one is selected then; and steps of those that are left go on without it."""
    said = ordered(program, "quits", "omp next --team", "omp thread 0.1", "omp finish --team", "omp next --team", "omp hold", "info threads", "kill", threads=3)
    said("omp finish --team").has(r"^\[Switching to Thread 1 ", r"^0\.1 has ended; 0\.0 waits at ", r"^\d+\t#pragma omp barrier")
    said("omp next --team", 2).has(r"^0\.1 has ended; 0\.0 waits at .*; 0\.2 waits at ")
    said("omp hold").has("No thread is held")
    said("info threads").has(r"^\* 1 +0\.0 ")


@cases(*PROGRAMS)
def all_have_arrived_and_nobody_has_left(program):
    second = mark("second") + 1
    said = ordered(program, "phases", "omp barrier", "omp barrier --next", "omp barrier", "print turns", f"omp barrier --next {second}",
                   "print turns", "omp barrier --next", "print turns", "omp barrier x", "continue", threads=4)
    said("omp barrier").has("nobody is at a barrier|ha(s|ve) arrived")
    said("omp barrier --next").has(r"^All 4 threads have arrived at the barrier\.$")
    said("omp barrier", 2).has(r"^parallel region 0, team of 4: [1-4] ha(s|ve) arrived at a barrier$")
    said("print turns").value("4")
    said("print turns", 2).value("8")
    said("omp barrier --next", 2).has(r"^All 4 threads have left the region")
    said("print turns", 3).value("12")
    said("omp barrier x").has("'x' is no option")
    said("continue").has("exited normally")


@case
def outside_of_a_region():
    commands = ("omp next --team", "omp barrier", "omp hold", "omp hold 0.0", "omp release", "omp run 0.0 --until barrier", "omp schedule 0", "omp serialize",
                "omp shuffle", "omp races")
    said = session("session-gcc-O0", *commands, "start", *commands, "kill")
    for command in commands[:-1]:
        said(command).has("not being run")
        said(command, 2).has("There is no team|No thread is held|No thread was held|no team|no parallel region|no OpenMP runtime")


main()
