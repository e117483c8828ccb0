#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print -team and -all: an expression in each thread; watch -team: what threads have."""

import json
import os

from debugger import *

WATCHED = [f"omp_watch-{build}" for build in BUILDS]
SHARED = [f"omp_sharing-{build}" for build in BUILDS if build.endswith("O0")]
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
    is_said(said("print -team nosuch"), "No symbol \"nosuch\" in current context, near `nosuch'.")
    is_said(said("print -team"), "Argument required: an expression.")


def vectors(shown):
    """What the threads of "vectors" have in the function that spins."""
    frames = ((t["omp"]["num"], f) for t in shown["threads"] for f in t["frames"] if f["function"] == "spin")
    return {number: {v["name"]: v["number"] if "number" in v else v["text"] for v in f["arguments"]}
            for number, f in frames}


@cases(*(f"vectors-{build}" for build in BUILDS))
def stacks_show_vector_registers(program):
    """Of a process that runs, too; they are taken where somebody asks for them."""
    inferior = start(program, settled=False)

    def shown(target):
        return vectors(json.loads(ompdb("stack", "--json", "--args", target).out))
    wait_for(lambda: len(shown(inferior.pid)) == 2, "both threads to spin")
    for target in (inferior.pid, own_core_of(inferior)):
        equal(shown(target), {n: {"real": str(2.5 + n), "narrow": "0.75"} for n in (0, 1)}, f"{program}, {target}")


def below(text, frame):
    """The values below the first frame that begins so."""
    return re.search(rf"^( +){re.escape(frame)} .*\n((?:\1    .*\n)*)", text, re.M)[2].split("\n")


@cases(*PROGRAMS)
def stacks_show_values(program):
    """Where the threads stand in their last function is not the same in each run."""
    cores = {threads: os.path.join(folder(), f"core{threads}") for threads in (4, 9)}
    for threads, core in cores.items():
        at_barrier(program, f"generate-core-file {core}", args=threads)(
            f"generate-core-file {core}").has("Saved corefile")
    shown = json.loads(ompdb("stack", "--json", "--args", "--locals", cores[4]).out)
    for thread in shown["threads"]:
        frame, = (f for f in thread["frames"] if f["function"] == "together")
        values = {v["name"]: v.get("text") for v in frame["arguments"] + frame["locals"]}
        n = thread["omp"]["num"]
        equal((values["share"], values["same"]), (f"{n / 4:g}", "7"), f"values in thread {n}")
        equal([v["name"] for v in frame["arguments"]], ["number"], "arguments")
        expect(all(f["locals"] is None for f in thread["frames"] if f["kind"] == "runtime"), "the runtime has values")
    plain = json.loads(ompdb("stack", "--json", cores[4]).out)
    expect("locals" not in plain["threads"][0]["frames"][0], "values that were not asked for")
    for option in ("--flat", "--raw"):
        said = ompdb("stack", option, "--locals", cores[4]).out
        equal(len(re.findall("^ {8,9}same = 7$", said, re.M)), 4, f"values with {option}")
    if program.endswith("O2"):
        return
    tree = {threads: ompdb("stack", "--args", "--locals", core).out for threads, core in cores.items()}
    expect("threads = 4" in "".join(below(tree[4], "main")), tree[4])
    expect("number = 0.0: 0  0.1: 1  0.2: 2  0.3: 3" in "".join(below(tree[4], "main [parallel]")), tree[4])
    expect("number = 0..8 (9 threads)" in "".join(below(tree[9], "main [parallel]")), tree[9])
    arguments = ompdb("stack", "--args", cores[4]).out
    expect("number = " in arguments and "same" not in arguments, arguments)


@cases(*(f"omp_nested-{build}" for build in BUILDS))
def stacks_of_a_process_show_values(name):
    program = start(name)
    said = ompdb("stack", "--args", program.pid).out
    program.finish()
    equal(sorted(re.findall(r"inner_work  .*\n[ |]* outer = (\d)$", said, re.M)), ["0", "0", "1", "1"], said)


@cases(*PROGRAMS)
def who_is_elsewhere_is_said(program):
    own = "pairs[own].number"
    said = at_barrier(program, "print -team same", "print -all same", f"print -all {own}", f"print -team {own} + same",
                      args="4 2")
    # What lies in no frame is there for all, in expressions, too.
    is_said(said(f"print -all {own}"), "0.0: 10", "0.1: 20", "0.2: 30", "0.3: 40")
    is_said(said(f"print -team {own} + same"), "0.0: 17", "0.1: 27", "0.2: <not in together>", "0.3: 47")
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
def numbers_that_are_none_and_such_that_are_close_to_each_other(program):
    none, close, closest = ("(share - 0.75) / (share - 0.75)", "-1UL - (unsigned long)(share * 4)",
                            "-1UL - (unsigned long)(share * 4) % 3")
    said = at_barrier(program, *(f"print -team {text}" for text in (none, close, closest)), args="20")
    said(f"print -team {none}").has(r"^minimum 1 \(0\.0 \.\.\.\), .* sum 19, 19 threads; left out: 1 without a finite number$")
    for text, bars in ((close, 8), (closest, 2)):
        shown = re.findall(r"^  from (\d+) +(\d+) +#+$", said(f"print -team {text}").text, re.M)
        equal((len(shown), len(dict(shown)), sum(int(n) for _, n in shown)), (bars, bars, 20), "bars")


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


# ---- watch -team ---------------------------------------------------------------------------


def watching(program, *commands, args="4", options=()):
    return session(program, f"break omp_watch.c:{line_of('together', 'omp_watch.c')}", f"run {args}", "thread 1",
                   "delete", *commands, options=options)


def stops(said, n):
    """Of n times "continue": (thread, "watchpoint: what", old, new, what it holds)."""
    told = [said("continue", i + 1).text for i in range(n)]
    pattern = (r"Thread (0\.\d+) \(LWP \d+\) hit Hardware watchpoint \d+: (.+)\n\n"
               r"Old value = (.+)\nNew value = (.+)\nHolding (.+)\n")
    return [m.groups() if (m := re.search(pattern, text)) else text for text in told]


@cases(*WATCHED)
def who_changes_what_all_share_and_under_what(program):
    need_debug_registers()
    said = watching(program, "watch -team total", "info watchpoints", *["continue"] * 6, "kill")
    ledger, guard = (f"(taken at omp_watch.c:{line_of(mark, 'omp_watch.c')})" for mark in ("ledger", "guard"))
    is_said(said("watch -team total"), "Hardware watchpoint 2: -team total")
    said("info watchpoints").has(r"^2 +hw watchpoint  keep y +-team total$")
    nothing = "no critical construct and no lock"
    equal(stops(said, 6),
          [("0.0", "-team total", "0", "1", f"critical 'ledger' {ledger}"),
           ("0.0", "-team total", "1", "101", f"lock 'guard' {guard}"),
           ("0.0", "-team total", "101", "1101", nothing),
           ("0.1", "-team total", "1101", "1103", f"critical 'ledger' {ledger}"),
           ("0.1", "-team total", "1103", "1203", f"lock 'guard' {guard}"),
           ("0.1", "-team total", "1203", "2203", nothing)], "stops")


@cases(*WATCHED)
def each_thread_watches_its_own_copy(program):
    """However many there are: each has debug registers of its own. It ends with the last of the frames."""
    need_debug_registers()
    said = watching(program, "watch -team copy", "info watchpoints", *["continue"] * 8, args="6")
    text = "-team copy (6 copies, each watched in its own thread alone)"
    is_said(said("watch -team copy"), f"Hardware watchpoint 2: {text}")
    said("info watchpoints").has(re.escape(text))
    nothing = "no critical construct and no lock"
    equal(stops(said, 6), [(f"0.{n}", "-team copy, its own copy", str(10 * n), str(10 * n + 1), nothing)
                           for n in range(6)], "stops")
    said("continue", 7).has("Watchpoint 2 deleted because the program has left the block")
    said("continue", 8).has("exited normally")


@cases(*WATCHED)
def a_copy_that_another_thread_changes(program):
    """Two copies are watched in all threads."""
    need_debug_registers()
    said = watching(program, "watch -team copy", "condition 2 $_thread == 1 && copy == 0", "condition 2",
                    *["continue"] * 3, args="2")
    is_said(said("watch -team copy"), "Hardware watchpoint 2: -team copy (2 copies)")
    told = stops(said, 3)
    equal([t[0] for t in told], ["0.0", "0.1", "0.0"], "threads")
    expect(re.fullmatch(r"-team copy, the copy of 0\.1 \(LWP \d+\)", told[2][1]), told)
    equal(told[2][2:4], ("11", "99"), "values")


# clang -O2 says that the pair is constant, and gdb knows no more.
@cases(*(w for w in WATCHED if not w.endswith("clang-O2")))
def structures_and_conditions_of_a_team(program):
    """A condition means the copy of the thread whose copy it is."""
    need_debug_registers()
    said = watching(program, "watch -team pair if copy > 30", "info watchpoints", *["continue"] * 2, "delete",
                    "watch -team", "kill", args="5")
    said("watch -team pair if copy > 30").has(r"^Hardware watchpoint 2: -team pair \(5 copies, each")
    told = stops(said, 2)
    equal([(t[0], t[2], t[3]) for t in told],
          [(f"0.{n}", f"{{number = {n}, half = 0}}", f"{{number = {n}, half = {(10 * n + 1) // 2}}}")
           for n in (3, 4)], "stops")
    said("watch -team").has("Argument required")


@cases(*PROGRAMS)
def who_is_elsewhere_is_not_watched(program):
    need_debug_registers()
    said = at_barrier(program, "watch -team same", args="4 2")
    said("watch -team same").has(r"^warning: nothing is watched for 0\.2: not in together$", r"\(3 copies\)$")


@cases(*SHARED)
def what_is_shared_is_one_place(program):
    """Also where each thread comes to it by a reference of its own (clang)."""
    need_debug_registers()
    at = line_of("loop", "omp_sharing.c")
    said = session(program, f"break omp_sharing.c:{at}", "run", "delete", "watch -team tmp", "watch -team own",
                   "watch -team counter", "kill")
    is_said(said("watch -team tmp"), "Hardware watchpoint 2: -team tmp")
    for name in ("own", "counter"):
        said(f"watch -team {name}").has(r"\(4 copies, each watched in its own thread alone\)$")


@cases(*(f"omp_captured-{build}" for build in BUILDS))
def what_is_shared_ends_with_its_function(program):
    """Which is another one than the code of the region, and maybe on the stack of another thread."""
    need_debug_registers()
    said = session(program, "break stop_here if where == 1", "run", "delete", "up", "watch -team shared", "continue",
                   "info watchpoints", "kill")
    said("watch -team shared").has("^Hardware watchpoint 2: -team shared$")
    said("continue").has("Watchpoint 2 deleted because the program has left the block in", r"^(0x\w+ in )?main \(")
    said("info watchpoints").has("^No watchpoints")


@cases(*(f"omp_team-{build}" for build in BUILDS if build.endswith("O2")))
def what_is_optimized_out_is_no_constant(program):
    said = at_barrier(program, "watch -team number", "watch -team 5")
    said("watch -team number").has(r"^'number' is <optimized out>\.$|^Cannot watch `number': it is optimized out of memory here\.$")
    said("watch -team 5").has(r"^Cannot watch constant value `5'\.$")


@case
def outside_of_a_region_no_team_is_watched():
    said = session("session-gcc-O0", "watch -team counter", "start", "watch -team counter", "kill")
    said("watch -team counter").has("not being run")
    said("watch -team counter", 2).has("in no parallel region")


@cases(*WATCHED)
def a_hit_of_a_team_as_an_object(program):
    need_debug_registers()
    said = watching(program, "watch -team total", "watch -team copy if $_thread > 1", *["continue"] * 4, options=("--json",),
                    args="5")
    told = [json.loads(line) for line in said.result.out.splitlines() if line.startswith("{")]
    second, *_, first = [o for o in told if o.get("reason") == "watchpoint"]
    equal((first["watchpoints"][0]["copy_thread"], first["watchpoints"][0]["new"], first["holds"]),
          ("0.1", first["new"], []), "of a copy")
    equal([(h["kind"], h["name"], h["certain"]) for h in second["holds"]], [("critical", "ledger", True)], "holds")


# ---- locks ---------------------------------------------------------------------------------


def of_lock(form):
    """What a lock consists of, in libgomp and in libomp."""
    return rf"{form} = \{{_(x|lk) = (0x)?[^{{}}]+\}}"


@cases(*WATCHED)
def locks_say_who_holds_them(program):
    """By themselves, in arrays of structures, in the team and in a core file."""
    core = os.path.join(folder(), "core")
    ask = ("print accounts", "print mutex", "print *&accounts[1].nested", "print/r guard")
    said = session(program, f"break omp_watch.c:{line_of('held', 'omp_watch.c')}", "run", *ask,
                   "print -team accounts[1].lock", f"generate-core-file {core}", "delete",
                   f"break omp_watch.c:{line_of('kept', 'omp_watch.c')}", "continue", "print kept",
                   f"break omp_watch.c:{line_of('behind all', 'omp_watch.c')}", "continue", "print kept", "print guard", "kill")
    then = session(program, f"core-file {core}", *ask)
    for each in said, then:
        free, lock = (of_lock(rf"omp_lock_t \({what}\)") for what in ("not held", r"held by 0\.0 \(LWP \d+\)"))
        free_nested, nested = (of_lock(rf"omp_nest_lock_t \({what}\)")
                               for what in ("not held", rf"held by 0\.0 \(LWP \d+\), 2 times"))
        each("print accounts").has(rf"^\$\d+ = {{{{number = 0, lock = {free}, nested = {free_nested}}}, "
                                   rf"{{number = 0, lock = {lock}, nested = {nested}}}}}$")
        each("print mutex").has(r"^\$\d+ = pthread_mutex_t \(locked by 0\.0 \(LWP \d+\)\) = {__data = {__lock = 1")
        each("print *&accounts[1].nested").has(rf"^\$\d+ = {nested}$")
        each("print/r guard").has(r"^\$\d+ = {_")
    # What omp_test_nest_lock() has told is not looked at. LLVM's runtime keeps who has taken it.
    said("print kept").has(of_lock(r"^\$\d+ = omp_nest_lock_t \(held by 1\.1 \(LWP \d+\)\)"))
    whom = "not known by whom" if "gcc" in program else r"LWP \d+"
    said("print kept", 2).has(of_lock(rf"^\$\d+ = omp_nest_lock_t \(held(,| by) {whom}\)"))
    said("print guard").has(of_lock(r"^\$\d+ = omp_lock_t \(not held\)"))
    said("print -team accounts[1].lock").has(rf"^0\.\[0-3\]: {lock}$")


@cases(*((f"omp_locks-{build}", kind) for build in BUILDS for kind in ("lock", "nest_lock")))
def locks_say_who_waits_for_them(program, kind):
    inferior = start(program, kind, "4", settled=False, env={"OMP_WAIT_POLICY": "passive"})
    name, other = ("plain_lock", "nested_lock") if kind == "lock" else ("nested_lock", "plain_lock")
    said = session(program, f"attach {inferior.pid}", f"print {name}", f"print {other}", "detach")
    said(f"print {name}").has(r"^\$1 = omp_(nest_)?lock_t \(held by 0\.0 \(LWP \d+\)(, 2 times)?, "
                              r"waited for by 0\.1, 0\.2, 0\.3\) = {")
    said(f"print {other}").has(r"^\$2 = omp_(nest_)?lock_t \(not held\) = {")


main()
