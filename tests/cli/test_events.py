#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""catch omp EVENT: stops at events of OpenMP and counts of them, held against what the program counts itself."""

import json

from debugger import *
from openmp import libomp_of, other_libomps

PROGRAMS = [f"omp_events-{build}" for build in BUILDS]
SOURCE = "omp_events.c"


def at(mark):
    return rf"omp_events\.c:{line_of(mark, SOURCE)}\b"


def own_counts(text):
    """What the program says of itself: {"regions": 3, ...}."""
    line = re.search(r"^(.*?)(regions \d+ implicit .*)$", text, re.M)
    expect(line, f"the program did not come to its end: {text}")
    words = line.group(2).split()
    return {name: int(n) for name, n in zip(words[::2], words[1::2])}


def wanted(own, first=0):
    """The events that go with that; first: so many threads have come to a first barrier before the count."""
    locks = own["locked"] + own["tried"]
    regions, implicit = own["regions"] + own["looping"], own["implicit"] + 2 * own["looping"]
    return {
        "parallel-begin": regions, "parallel-end": regions, "implicit-task-begin": implicit, "implicit-task-end": implicit,
        "task-create": own["created"], "task-begin": own["run"], "task-end": own["run"], "task-switch": 2 * own["run"],
        "taskwait-begin": own["single"], "taskwait-end": own["single"],
        "critical-enter": own["critical"], "critical-acquired": own["critical"], "critical-released": own["critical"],
        "lock-acquired": locks, "lock-released": locks,
    }


def counted(text):
    return {event: int(n) for event, n in re.findall(r"^([a-z]+(?:-[a-z]+)*) +(\d+)$", text, re.M)}


@cases(*PROGRAMS, *((p, "on libomp") for p in PROGRAMS if "gcc" in p))
def counts_are_those_of_the_program(program, on_libomp=None):
    """On libomp, too, whose functions for programs of gcc call its own ones, or jump to them."""
    runtime = [f"set environment LD_PRELOAD {libomp_of(None)}"] if on_libomp else []
    said = session(program, *runtime, "catch omp all -count", "run", "info omp counts", "info breakpoints")
    own = own_counts(said.result.out)
    found = counted(said("info omp counts").text)
    for event, n in wanted(own).items():
        equal(found.get(event), n, event)
    equal(found["lock-init"], 1, "lock-init")
    equal(found["lock-destroy"], 1, "lock-destroy")
    equal(found["barrier-enter"], found["barrier-exit"], "barriers")
    # Threads begin in code of the runtime's that has no name.
    said("info omp counts").has(r"^thread-begin +1\n +1  thread 2 \(LWP \d+\), in lib(gomp|omp)\S*\.so\S*$").has_not(r"\?\?")
    # GCC leaves out the one that ends the single construct: the region's end follows. Optimised code jumps to it.
    equal(found["barrier-enter"], own["implicit"] * (2 if "clang" in program else 1), "arrivals")
    said("info breakpoints").has(r"omp all \(counted\)", rf"already hit {sum(found.values())} times")
    # By construct and thread: both have locked, on the line of that.
    said("info omp counts").has(rf" {own['locked'] // 2}  thread \d+ \(LWP \d+\), region \(\) at .*{at('lock')}")


def kinds(own, libomp, attached):
    """The events that go with what omp_event_kinds.c says of itself; None: they cannot be had."""
    same = {
        "taskgroup-begin": "groups", "taskgroup-end": "groups", "dependence": "depending", "lock-enter": "nested",
        "lock-acquired": "nested", "lock-released": "nested", "ordered-enter": "ordered", "ordered-acquired": "ordered",
        "ordered-released": "ordered", "single": "singles", "copyprivate": "copied", "cancel": "cancels", "teams": "teams",
    }
    # clang makes a loop of sections, once for each thread. gcc calls nothing for static loops.
    one = {"masked": "masked", "flush": "flushed", "reduction": "static", "sections": "sharing", "control": "controls",
           "atomic": None, "target-begin": None, "target-end": None}
    other = {"masked": None, "flush": None, "reduction": None, "sections": "sections", "control": None, "atomic": "atomics",
             "target-begin": "targets", "target-end": "targets"}
    found = {event: own.get(name) for event, name in {**same, **(one if libomp else other)}.items()}
    static = own["static"] if libomp else 0
    return {**found, "loop-begin": own["loops"] + static, "loop-end": own["loops"] + static,
            # Each of the two teams executes what a task does, too.
            "task-begin": own["depending"] + own["alike"] - 2 * own["teams"],
            "task-create": own["depending"] + own["alike"] - 2 * own["teams"],
            "loop-chunk": own["chunks"] + static, "lock-init": 1, "lock-destroy": 1,
            # Who attaches finds the first team's begun. Those of libgomp's pool stay until the process ends.
            "thread-begin": own["threads"] - 2 * attached, "thread-end": own["threads" if libomp else "ended"]}


def hold_kinds(said, out, libomp, attached=False):
    line = re.search(r"counted (groups .*)$", out, re.M)
    expect(line, f"the program did not come to its end: {out}")
    words = line.group(1).split()
    own = {name: int(n) for name, n in zip(words[::2], words[1::2])}
    found = counted(said("info omp counts").text)
    for event, n in kinds(own, libomp, attached).items():
        equal(found.get(event), n, event)


def library_of(version):
    return {"LD_LIBRARY_PATH": os.path.dirname(libomp_of(version))} if version else None


# Of other releases the build without sanitizers has all.
OTHERS = [] if WHOLE_RUN and SANITIZED else other_libomps()


@cases(*((build, None) for build in BUILDS), *(("clang-O0", version) for version in OTHERS), *(("clang-O2", version) for version in OTHERS))
def other_kinds_of_constructs_are_counted(build, version):
    said = session(f"omp_event_kinds-{build}", "catch omp all -count", "run", "info omp counts", env=library_of(version))
    hold_kinds(said, said.result.out, "clang" in build)


@cases(*((build, None) for build in BUILDS), *(("clang-O2", version) for version in OTHERS))
def other_kinds_of_constructs_are_counted_when_attached(build, version):
    inferior = start(f"omp_event_kinds-{build}", "wait", env=library_of(version))
    said = session(None, f"attach {inferior.pid}", "catch omp all -count", f"shell echo > /proc/{inferior.pid}/fd/0",
                   "continue", "info omp counts")
    told = inferior.process.stdout.read().decode()
    inferior.finish()
    hold_kinds(said, told, "clang" in build, attached=True)


@cases("static", "inside")
def a_runtime_in_the_program_shows_them(how):
    said = session(f"omp_joins-{how}", "set args barrier", "catch omp barrier-enter", "catch omp flush", "run", "delete",
                   "info omp events", "kill")
    said("run").has(r"hit Catchpoint 1 \(omp barrier-enter\), barrier \(\) at \S*omp_joins\.c:\d+ ",
                    r"^\d+\s+#pragma omp barrier")
    equal(said("run").text.count("Catchpoint 2 (omp flush): it cannot be had"), 1, "times that it is said")
    said("info omp events").has(r"^barrier-enter +GOMP_barrier\*\(\): when it is called$")


@cases(("gcc", "gcc"), ("gcc", "clang"), ("clang", "gcc"))
def what_is_counted_outlives_the_runtime(first, second):
    """Libraries are loaded and unloaded, whose runtimes go with them or stay: the second one counts anew."""
    parts = [testprog(f"why_part-{compiler}.so") for compiler in (first, second)]
    said = session("omp_closed", f"set args {' '.join(parts)}", "catch omp parallel implicit-task-begin -count", "break ready",
                   "set breakpoint pending on", "break share_part", "ignore 3 1", "run", "finish", "omp runtimes", "continue",
                   "info omp counts", "kill")
    # Threads of the one that is gone have what looks like numbers of the other one.
    said("omp runtimes").has("^libgomp .*layout of" if second == "gcc" else "^libomp .*symbols recovered")
    counts = said("info omp counts")
    for event, n in {"parallel-begin": 2, "parallel-end": 2, "implicit-task-begin": 4}.items():
        equal(counted(counts.text).get(event), n, event)
    counts.has(rf" why_part\.c:{line_of('part', 'why_part.c')}$").has_not(r"\?\?")


@cases("gcc-O0", "clang-O0")
def constructs_that_do_not_show_an_event_are_told_once(build):
    said = session(f"omp_event_kinds-{build}", "catch omp loop-end", "break main", "run", "catch omp loop-begin", "catch omp all", "kill")
    why = "loops with a static schedule call nothing: GCC reckons their bounds in place"
    told = ["run", "catch omp loop-begin"] if "gcc" in build else []
    for number, command in (1, "run"), (3, "catch omp loop-begin"):
        event = "loop-end" if number == 1 else "loop-begin"
        equal(f"warning: Catchpoint {number} (omp {event}): {why}" in said.result.out, command in told, command)
    equal(said.result.out.count(why), len(told), "times that it is said")


@cases("gcc-O0", "clang-O2")
def what_cannot_be_had_is_refused_with_the_reason(build):
    events = ["control", "shutdown", "flush"] if "gcc" in build else ["device-finalize", "target-begin", "shutdown"]
    said = session(f"omp_event_kinds-{build}", f"catch omp {events[0]}", "break main", "run",
                   *(f"catch omp {event}" for event in events), "catch omp sync", "delete $bpnum", "catch omp thread-begin", "continue", "kill")
    said(f"catch omp {events[0]}").has(rf"^Catchpoint 1 \(omp {events[0]}\)$")
    said("run").has(rf"Catchpoint 1 \(omp {events[0]}\): it cannot be had in this program \(lib(gomp|omp): .*\)$")
    equal(said("run").text.count("cannot be had"), 1, "times that it is said")
    own = "libgomp" if "gcc" in build else "libomp"
    for event in events:
        said(f"catch omp {event}", 2 if event == events[0] else 1).has(
            rf"Event '{event}': it cannot be had in this program \({own}: [^;]*\)").has_not(r"libomp.*libgomp")
    said("catch omp sync").has(r"^Catchpoint \d+ \(omp sync\)$")
    said("continue").has(rf"^Thread [23] .* hit Catchpoint \d+ \(omp thread-begin\), 0x\w+ in .*{own}")


@cases(*PROGRAMS)
def conditions_are_judged_where_the_program_is_traced(program):
    """Once OpenMP has begun, those on the debugger's own variables are."""
    said = session(program, "catch omp task-create -count if $omp_thread == 0", "catch omp task-create -count if $omp_thread == 1",
                   "catch omp task-create -count", "run", "info omp counts")
    sums = [int(n) for n in re.findall(r"^task-create +(\d+)$", said("info omp counts").text, re.M)]
    equal(sums[-1], own_counts(said.result.out)["created"], "tasks")
    equal(sum(sums[:-1]), sums[-1], "tasks of both threads")


@cases(*PROGRAMS)
def the_last_one_at_a_barrier(program):
    """Once for each barrier and team: the other one has come, and nobody has left."""
    said = session(program, "catch omp barrier-all-arrived -count", "catch omp barrier-all-arrived", "run", "info threads", "continue",
                   "disable 2", "continue", "info omp counts")
    own = own_counts(said.result.out)
    found = counted(said("info omp counts").text)
    # The ends of regions and of the loop that is one, the one in the region, and what ends the single construct.
    ends = own["regions"] + own["looping"]
    expect(found["barrier-all-arrived"] - ends in (own["regions"], 2 * own["regions"]), f"{found} of {own}")
    said("run").has(r"Catchpoint 2 \(omp barrier-all-arrived\), .*region \(\) at ")
    said("continue").has(r"Catchpoint 2 \(omp barrier-all-arrived\)")


@cases(("gcc", "clang", "meet"), ("clang", "gcc", "meet"), ("gcc", "gcc", "apart"))
def the_last_one_where_a_runtime_comes_later(first, second, how):
    """Threads of the second one are told apart from those that are in no region of the first one."""
    parts = [testprog(f"why_part-{compiler}.so") for compiler in (first, second)]
    said = session("omp_closed", f"set args {' '.join(parts)} {how}",
                   f"catch omp barrier-all-arrived if $omp_line == {line_of('meet', 'why_part.c')}", "run", "continue", "continue")
    for command in "run", "continue":
        said(command).has(rf"Catchpoint 1 .*, meet_part \(\) at .*why_part\.c:{line_of('meet', 'why_part.c')} ")
    said("continue", 2).has("exited normally")


@cases(*[p for p in PROGRAMS if p.endswith("O0")])
def a_breakpoint_at_a_barrier(program):
    """At that of the line alone, each time that all have come."""
    line = line_of("barrier", "omp_events.c")
    behind = line_of("behind", "omp_events.c")
    said = session(program, f"break --at-barrier {line}", "tbreak --at-barrier if $omp_line > 1", "break --at-barrier here",
                   f"tbreak --at-barrier {behind}",
                   "break --at-barrier 0", "break --at-barrier 9999", "run", "omp barrier", "continue", "print $omp_line", "info breakpoints", "kill")
    said(f"break --at-barrier {line}").has_not("warning")
    said(f"tbreak --at-barrier {behind}").has(f"by the source there is no barrier in line {behind}, and")
    said("break --at-barrier here").has("LINE is a number")
    said("break --at-barrier 0").has("LINE is a number")
    said("break --at-barrier 9999").has(r"No line 9999 in file .*: line \d+ is the last that has code")
    for command in "run", "continue":
        said(command).has(rf"hit .*\(omp barrier-all-arrived\), region \(\) at \S*omp_events\.c:{line} ")
    said("omp barrier").has(rf"0\.\[0,1\] have arrived at omp_events\.c:{line}$")
    said("print $omp_line").value(str(line))
    said("info breakpoints").has(rf"stop only if \$omp_line == {line} ", "catchpoint already hit 2 times").has_not("omp_line > 1")


@cases(*PROGRAMS)
def a_region_ends_with_a_barrier(program):
    """No frame of the program's own is left of most threads there."""
    line = line_of("whole", "omp_events.c")
    said = session(program, f"break --at-barrier {line}", "run", "omp barrier", "print $omp_line", "continue")
    said(f"break --at-barrier {line}").has_not("warning")
    said("run").has(rf"hit .*\(omp barrier-all-arrived\), .*\(\) at \S*omp_events\.c:{line} ", rf"^{line}\s+#pragma omp parallel for")
    said("omp barrier").has(r"2 have arrived at a barrier$")
    said("print $omp_line").value(str(line))
    said("continue").has("exited normally")


@cases("gcc-O2", "clang-O2")
def code_that_jumps_to_a_barrier(build):
    """It has no frame then, and jumps to others that return to the same place."""
    line = line_of("barrier at end", "omp_tailcalls.c")
    said = session(f"omp_tailcalls-{build}", "set args ends", "catch omp barrier-enter barrier-exit -count",
                   f"break --at-barrier {line}", "run", "continue", "continue", "info omp counts")
    for command in "run", "continue":
        said(command).has(rf"hit .*\(omp barrier-all-arrived\), ends \(\) at \S*omp_tailcalls\.c:{line} ", rf"^{line}\s+#pragma omp barrier")
    found = counted(said("info omp counts").text)
    expect(found["barrier-enter"] >= 4, f"two threads have come to the barrier twice: {found}")
    equal(found["barrier-exit"], found["barrier-enter"], "who has left barriers")


@cases(Shared(("gcc-O2",)), Shared(("clang-O2",)))
def a_stop_behind_a_jump_is_in_the_code_that_has_jumped(build):
    """GCC's DWARF says where its jumps lead, clang's code."""
    line, caller = line_of("barrier", "omp_tailcalls.c"), line_of("call of barrier", "omp_tailcalls.c")
    said = session(f"omp_tailcalls-{build}", "catch omp barrier-enter", "catch omp barrier-enter -count", "set args barrier", "run", "backtrace", "list",
                   "up", "info omp counts", "kill")
    said("run").has(rf"hit .*\(omp barrier-enter\), end_with_barrier \(\) at \S*omp_tailcalls\.c:{line} ", rf"^{line}\s+#pragma omp barrier")
    said("backtrace").has(rf"^#1 .* in end_with_barrier \(\) at \S*:{line}\n#2 .* in barrier \(\) at \S*:{caller}\n").has_not(r"^ +end_with_barrier")
    said("list").has(rf"^{line}\s+#pragma omp barrier")
    said("up").has(rf"^#2 .* in barrier \(\) at \S*:{caller}\n")
    said("info omp counts").has(rf"thread 1 \(LWP \d+\), end_with_barrier \(\) at \S*:{line}$")


@cases(*[p for p in PROGRAMS if p.endswith("O0")])
def who_was_inside_when_it_was_attached(program):
    """Optimised code has jumped to the barrier, and left nothing on the stack. A region, its implicit tasks and a barrier that have begun before: their ends are seen."""
    inferior = start(program, "wait")
    said = session(None, f"attach {inferior.pid}", "catch omp all -count", f"shell echo > /proc/{inferior.pid}/fd/0",
                   "continue", "info omp counts")
    own = own_counts(inferior.process.stdout.read().decode())
    found = counted(said("info omp counts").text)
    more = {"parallel-end": 1, "implicit-task-end": 2}
    for event, n in wanted(own).items():
        equal(found.get(event), n + more.get(event, 0), event)
    # One thread was at the barrier, the other one came to it later.
    equal(found["barrier-exit"], found["barrier-enter"] + 1, "who has left barriers")


@cases(*(f"omp_event_kinds-{build}" for build in BUILDS))
def what_a_task_depends_on(program):
    """Two forms of GCC's list; optimised code of clang does not say where it has the variable."""
    said = session(program, "catch omp dependence", "run", "continue", "print $omp_num_dependences", "kill")
    name = "x|0x[0-9a-f]+" if program.endswith("clang-O2") else "x"
    for command, kind in ("run", "out"), ("continue", "mutexinoutset"):
        said(command).has(rf"Catchpoint 1 \(omp dependence\), code at .*, 1 dependence, depend\({kind} ({name})\), ")
    said("print $omp_num_dependences").value("1")


@cases(*((build, None) for build in BUILDS), *(("clang-O0", version) for version in other_libomps()), ("gcc-O0", "on libomp"))
def which_tasks_one_will_wait_for(build, library):
    """Of three, each of which depends on the one before."""
    other = [] if not library else [f"set environment LD_PRELOAD {libomp_of(None if library == 'on libomp' else library)}"]
    said = session(f"omp_taskstates-{build}", *other, "set args blocked", "catch omp dependence", "run", "continue", "omp tasks --json",
                   "continue", "omp tasks --json", "kill")
    rows = [json.loads(re.search(r"^\{.*", said("omp tasks --json", n).text, re.M)[0])["rows"] for n in (1, 2)]
    first, = (row["task"] for row in rows[0] if row["kind"] == "explicit")
    second, = (row["task"] for row in rows[1] if row["waits-for"])
    said("run").has(r"1 dependence, depend\(out datum\), waits for no task, ")
    said("continue").has(rf"depend\((inout|out) datum\), waits for task {first}, ")
    said("continue", 2).has(rf"depend\(in datum\), waits for task {second}, ")


@cases(*((build, None) for build in BUILDS), *(("clang-O2", version) for version in other_libomps()))
def an_untied_task_ends_once(build, version):
    """Of clang's each part is a call of its code, and any thread may execute it."""
    other = [f"set environment LD_PRELOAD {libomp_of(version)}"] if version else []
    said = session(f"omp_steps-{build}", *other, "set args untied", "catch omp task-begin task-end task-switch -count", "run", "info omp counts")
    found = counted(said("info omp counts").text)
    equal((found["task-begin"], found["task-end"]), (1, 1), "the task")
    expect(found["task-switch"] > 2 if "clang" in build else found["task-switch"] == 2, f"its parts: {found}")


@cases(*other_libomps())
def threads_that_a_region_asks_for(version):
    said = session("omp_events-clang-O0", f"set environment LD_PRELOAD {libomp_of(version)}",
                   "catch omp parallel-begin if $omp_requested_team_size == 2", "run", "print $omp_requested_team_size", "kill")
    said("run").has(r"Catchpoint 1 \(omp parallel-begin\), code at .*, 2 threads asked for, ")
    said("print $omp_requested_team_size").value("2")


@cases(*PROGRAMS)
def stops_are_at_the_construct(program):
    said = session(program, "catch omp parallel-begin", "tcatch omp critical-acquired", "catch omp task-create if created() == 2",
                   "info breakpoints", "run", "bt 1", "omp threads", "delete 1", "continue", "info breakpoints", "continue",
                   "p counts[2]", "delete", "continue")
    said("catch omp parallel-begin").has(r"^Catchpoint 1 \(omp parallel-begin\)$")
    said("run").has(rf"Catchpoint 1 \(omp parallel-begin\), code at .*omp_events\.c:\d+, 2 threads asked for, region \(.*\) at .*omp_events\.c:\d+")
    said("omp threads").has(r"^\d+ +(\d+ +)?runtime +runtime +region +.*omp_events\.c:\d+$")
    said("continue").has(r"Temporary catchpoint 2 \(omp critical-acquired\), critical ledger, object 0x[0-9a-f]+, region \(\) at ")
    said("info breakpoints", 2).has_not("critical-acquired").has(r"stop only if created\(\) == 2 \(host evals\)")
    said("continue", 2).has(r"Catchpoint 3 \(omp task-create\), code at .*omp_events\.c:\d+")
    said("p counts[2]").value("3")
    own_counts(said.result.out)


@cases(*PROGRAMS)
def what_calls_tell_is_in_variables(program):
    said = session(program, "catch omp lock-acquired", "run", "p (long) $omp_object == (long) &lock", "p $omp_executes",
                   "delete", "catch omp parallel-begin if $omp_object == 0", "kill", options=())
    said("p (long) $omp_object == (long) &lock").value("1")
    said("p $omp_executes").value("void")


@cases(*BUILDS)
def the_schedule_of_a_loop_that_begins(build):
    said = session(f"omp_event_kinds-{build}", "catch omp loop-begin if $omp_chunk_end > 1", "run", "print $omp_schedule", "omp loop",
                   "info breakpoints", "delete", "frame 0", "finish", "omp loop", "kill")
    shown = re.search(r"hit Catchpoint 1 \(omp loop-begin\), schedule\(([^)]*)\), iterations \[0, 12\), ", said("run").text)
    expect(shown and re.fullmatch("dynamic, 2(, (non)?monotonic)?", shown[1]), said("run").text)
    said("print $omp_schedule").value(f'"{shown[1]}"')
    said("info breakpoints").has(r"\$omp_chunk_end > 1 \(host evals\)")
    # Nobody has been given anything yet; with clang also behind the call that begins it.
    said("omp loop").has(r"^  for, schedule\(dynamic, CHUNK\)", "asks for its next iterations$").has_not(r" i = |chunk not known| now ")
    if "clang" in build:
        said("omp loop", 2).has("asks for its next iterations$")


@cases("omp_events-gcc-O0", "omp_events-clang-O2")
def commands_conditions_and_counts_of_hits(program):
    said = session(program, "catch omp task-begin", "ignore 1 10", "run", "p counts[3]", "info breakpoints", "disable 1", "continue")
    said("run").has(r"Catchpoint 1 \(omp task-begin\)")
    said("info breakpoints").has("already hit 11 times")
    own_counts(said.result.out)


@cases("omp_events-gcc-O0", "omp_events-clang-O0")
def they_are_told_as_json(program):
    said = session(program, "catch omp lock-acquired", "run", "delete", "catch omp task -count", "continue", "info omp counts",
                   "omp history", options=("--json",))
    objects = [json.loads(line) for line in said.result.out.splitlines() if line.startswith('{"v"')]
    [stop] = [o for o in objects if o.get("type") == "stop" and o.get("reason") == "catchpoint"]
    equal(stop["event"]["name"], "lock-acquired", "the event")
    expect(stop["event"]["object"].startswith("0x"), "the lock")
    equal(stop["event"]["object_name"], "lock", "its name")
    [latest] = [o for o in objects if o.get("type") == "event-history"]
    expect(all({"event", "age", "count", "line"} <= set(e) for t in latest["threads"] for e in t["events"])
           and {"task-create", "task-end"} & {e["event"] for t in latest["threads"] for e in t["events"]}, f"{latest}")
    [counts] = [o for o in objects if o.get("type") == "event-counts"]
    [point] = counts["catchpoints"]
    created = [c for c in point["counts"] if c["event"] == "task-create"]
    equal(sum(c["count"] for c in created), 15, "tasks")
    equal(point["uncounted"], 0, "events without a row")


def history(text):
    """{thread: its events, the latest first: seconds before the stop, name, place, how many}"""
    found = {}
    for line in text.splitlines():
        thread = re.match(r"(?:\(ompdb\) )?thread (\d+) \(LWP \d+\)$", line)
        event = re.match(r" +-([\d.]+) s  (\S+) +(.*), (\d+) in all$", line)
        if thread:
            own = found.setdefault(int(thread[1]), [])
        elif event:
            own.append((float(event[1]), event[2], event[3], int(event[4])))
    return found


# With clang's optimisation the line behind the region has gone to somewhere in main().
@cases(*PROGRAMS[:3])
def the_last_events_of_each_thread(program):
    said = session(program, "omp history", "catch omp all -count", f"break {SOURCE}:{line_of('behind', SOURCE)}", "run", "omp history 100",
                   "omp history 1", "continue", "omp history", "stepi", "omp history", "omp history x")
    said("omp history").has("^Nothing is counted: 'catch omp all -count' does")
    all_of_it = history(said("omp history 100").text)
    equal(set(all_of_it), {1, 2}, "threads")
    for thread, events in all_of_it.items():
        equal([e[0] for e in events], sorted(e[0] for e in events), f"times of thread {thread}")
    names = [e[1] for e in all_of_it[1]]
    equal(names[0], "parallel-end", "the last event of the primary thread")
    expect(names.index("lock-released") < names.index("lock-acquired") < names.index("critical-enter")
           < names.index("parallel-begin"), f"{names}")
    first = history(said("omp history 1").text)
    equal({thread: len(events) for thread, events in first.items()}, {1: 1, 2: 1}, "how many")
    equal(first[1][0][1:], all_of_it[1][0][1:], "the same")
    # Those of the first region do not come again, but count.
    again = history(said("omp history", 2).text)
    equal(len(again[1]), 8, "as many as usual")
    equal((again[1][0][1], again[1][0][3]), ("parallel-end", 2), "the last event")
    said("omp history", 3).has("^No event that is counted has come since the program was last let go")
    said("omp history x").has("x")


@case
def what_there_is_to_catch():
    said = session("omp_events-gcc-O0", "info omp events", "catch omp nosuch", "catch omp", "catch omp flush",
                   "catch omp task -count if counts[1]", "break main", "run", "info omp events", "kill")
    said("info omp events").has("not being run")
    said("catch omp nosuch").has(r"OpenMP has no event 'nosuch'")
    said("catch omp").has("Which event")
    said("catch omp task -count if counts[1]").has("computed where the program is traced")
    said("info omp events", 2).has(r"^libgomp, .*:$", r"^task-create .*GOMP_task", r"^flush +cannot be had: GCC makes an instruction")


main()
