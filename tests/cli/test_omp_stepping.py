#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps into, over and out of OpenMP's constructs: each stop by name, on both runtimes.

At -O0 all stops are named. At -O2 compilers leave lines out: there it is what the stops have in
common, that the first one is within the construct and where it goes on behind it.
"""

from debugger import *
from openmp import libomp_of, other_libomps

SOURCE = "omp_steps.c"
# A stop in the middle of nowhere: none of these may ever be where a step ends.
NOWHERE = (r"GOMP_|__kmp|\?\? \(\)|libgomp|libomp|\._omp_fn|\.omp_outlined|omp_task_entry|omp_cpyfn|"
           r"privates_map|start_thread|Cannot find bounds|warning")


def line(mark):
    return line_of(mark, SOURCE)


def lines(*marks):
    return [line(mark) for mark in marks]


class Steps:
    """What is said to the commands that follow a stop at a mark in a scenario."""

    def __init__(self, build, scenario, mark, *commands, **how):
        self.source = "omp_steps_fortran.f90" if scenario == "fortran" else SOURCE
        program = self.source.split(".")[0]
        self.said = session(f"{program}-{build}", f"tbreak {self.source}:{line_of(mark, self.source)}",
                            f"run {scenario}", *commands, **how)
        self.said(f"run {scenario}").has(rf"^{line_of(mark, self.source)}\t")
        self.text = "".join(self.said.parts[n] for n in range(2, 2 + len(commands)) if n in self.said.parts)
        expect(not re.search(NOWHERE, self.text), self.text)
        self.lines = [int(number) for number in re.findall(r"^(?:0x\w+\t)?(\d+)\t", self.text, re.M)]

    def has(self, *patterns):
        for pattern in patterns:
            expect(re.search(pattern, self.text, re.M), f"no {pattern!r} in:\n{self.text}")

    def without(self, *marks):
        """The lines of the stops, but for those of directives, which not all compilers have."""
        return [n for n in self.lines if n not in lines(*marks)]

    def stops(self, marks, but=()):
        equal(self.without(*but)[:len(marks)], lines(*marks), f"lines of the stops in:\n{self.text}")


def optimised(build):
    return build.endswith("O2")


@cases(*((build, *row) for build in BUILDS for row in (
    ("meets", "before-region", "parallel-begin", "region", "in-region", "behind-region"),
    ("task", "before-task", "task-create", "task", "in-task", "behind-task"))))
def steps_from_an_event_are_those_of_its_directive(build, scenario, before, event, directive, inside, behind):
    steps = Steps(build, scenario, before, f"catch omp {event}", "continue", "delete", "step")
    expect(optimised(build) or steps.lines[-1] == line(inside), steps.text)
    expect(line(directive) < steps.lines[-1] < line(behind), steps.text)
    steps = Steps(build, scenario, before, f"catch omp {event}", "continue", "delete", "next")
    expect(steps.lines[-1] >= line(behind), steps.text)


@cases(*BUILDS)
def a_step_enters_a_region_in_its_thread_and_leaves_it(build):
    steps = Steps(build, "meets", "before-region", *["step"] * 7)
    # The barrier's line is a stop of its own, where the line table has it.
    seen = steps.without("region", "barrier", "region-atomic")
    want = ["in-region", "region-last", "behind-region"]
    if optimised(build):
        equal([seen[0], line("behind-region") in seen], [line("in-region"), True], steps.text)
    else:
        seen = [n for n in seen if n != line("region-brace")]
        equal(seen[:3], lines(*want), f"lines of the stops in:\n{steps.text}")
    steps.has(rf"^meets \(\) at .*{SOURCE}:{line('in-region')}  \[parallel region 0, team of 3\]$",
              rf"^meets \(\) at .*{SOURCE}:{line('behind-region')}$")
    expect("Switching" not in steps.text, steps.text)


@cases(*BUILDS)
def next_runs_a_region(build):
    steps = Steps(build, "meets", "before-region", "next", "next")
    steps.stops(["behind-region"], but=["region"])


@cases(*BUILDS)
def a_breakpoint_inside_stops_there(build):
    steps = Steps(build, "meets", "before-region", f"tbreak {SOURCE}:{line('region-last')}", "next", "next")
    steps.stops(["region-last"], but=["region"])
    steps.has(r"hit Temporary breakpoint 2")


@cases(*BUILDS)
def finish_leaves_a_region(build):
    # Whichever thread has come first: of a worker's part the end is where the primary thread goes on.
    steps = Steps(build, "meets", "in-region", "finish", "next")
    expect(steps.lines[0] in lines("region", "behind-region"), steps.text)
    expect(line("behind-region") in steps.lines, steps.text)
    expect("[parallel region" not in steps.text, steps.text)


@cases(*(build for build in BUILDS if build.endswith("O0")))
def a_worker_goes_on_where_the_primary_does(build):
    steps = Steps(build, "meets", "before-region", f"break {SOURCE}:{line('region-last')} if id == 2", "continue",
                  "next", "next")
    steps.has(r"^Thread 0\.2 .*hit Breakpoint",
              r"^Thread 0\.2 has come to the end of the region; thread 0\.0 goes on behind it\.$")
    expect(line("behind-region") in steps.lines, steps.text)


@cases(*BUILDS)
def a_serialised_region_is_entered(build):
    steps = Steps(build, "serial", "before-serial", "step", "step", "step", "step", "step")
    if not optimised(build):
        steps.stops(["in-serial", "work"], but=["serial"])
    expect(line("in-serial") in steps.lines or line("work") in steps.lines, steps.text)
    steps = Steps(build, "serial", "before-serial", "next", "next")
    steps.stops(["behind-serial"], but=["serial"])


@cases(*BUILDS)
def a_loop_without_iterations_is_no_part(build):
    steps = Steps(build, "empty", "before-loop", "step", "step")
    steps.stops(["behind-loop"], but=["loop"])
    steps.has(rf"^The thread has come to no statement of the construct at .*{SOURCE}:{line('loop')}\.$")
    steps = Steps(build, "loop", "before-loop", "step", "step")
    expect(steps.without("loop")[0] in lines("in-loop", "loop-last", "work"), steps.text)


WHO = r"\[task created at .*{}:{} by thread 0\.0, executed by 0\.[012]\]$"


@cases(*BUILDS)
def a_step_goes_into_a_task_whoever_executes_it(build):
    steps = Steps(build, "task", "before-task", "step", "step", "print y", "finish")
    inside = steps.without("task")
    expect(inside[0] in lines("in-task", "task-last"), steps.text)
    steps.has(WHO.format(SOURCE, line("task")))


@cases(*BUILDS)
def a_step_goes_over_tasks_if_it_is_told_to(build):
    steps = Steps(build, "task", "before-task", "set omp-step over", "step", "step", "show omp-step")
    steps.stops(["behind-task"], but=["task"])
    steps.has('"over"')
    steps = Steps(build, "task", "before-task", "next", "next")
    steps.stops(["behind-task"], but=["task"])


@cases(*BUILDS)
def an_undeferred_task_is_entered_and_left(build):
    steps = Steps(build, "task", "before-undeferred", "step", "step", "step")
    steps.stops(["in-undeferred", "behind-undeferred"], but=["undeferred"])
    expect("Switching" not in steps.text, steps.text)


@cases(*BUILDS)
def the_end_of_a_task_is_followed_to_where_its_thread_goes_on(build):
    steps = Steps(build, "task", "task-last", "next")
    # In taskwait, or at the end of the region.
    expect(steps.lines[0] in lines("before-undeferred", "behind-tasks"), steps.text)
    if steps.lines[0] == line("behind-tasks"):
        steps.has(r"^Thread 0\.[12] has come to the end of the region; thread 0\.0 goes on behind it\.$")


@cases(*BUILDS)
def a_step_goes_into_the_task_of_a_taskloop_that_begins_first(build):
    steps = Steps(build, "taskloop", "before-taskloop", "step", "step")
    if optimised(build) and "no statement" in steps.text:  # gcc's line table has none there
        return
    expect(steps.without("taskloop", "taskloop-for")[0] == line("in-taskloop"), steps.text)
    steps.has(WHO.format(SOURCE, line("taskloop")))


@cases(*BUILDS)
def a_task_is_told_from_others_of_the_same_code(build):
    # fib(7) makes the task that calls fib(6); that one makes others of the same code, as do all threads.
    steps = Steps(build, "recursion", "before-fib-task", "step", "step", "step", "print n")
    expect(line("in-fib") in steps.lines, steps.text)
    steps.has(WHO.format(SOURCE, line("fib-task")), r"^fib \(n=6\) at " if build != "gcc-O2" else "fib")


@cases(*BUILDS)
def a_nested_region_is_entered_and_left(build):
    steps = Steps(build, "nests", "before-nested", *["step"] * 6)
    seen = steps.without("nested")
    equal([seen[0], line("behind-nested") in seen], [line("in-nested"), True], steps.text)


@cases(*BUILDS)
def a_region_directly_within_another_one_is_entered(build):
    steps = Steps(build, "directly", "before-directly", *["step"] * 3)
    expect(line("in-directly") in steps.lines and "no statement" not in steps.text, steps.text)


@cases("gcc-O0", "clang-O0")
def until_leaves_a_loop_and_not_its_region(build):
    steps = Steps(build, "counts", "counted", "until", "until")
    steps.stops(["counting", "behind-counting"])
    steps = Steps(build, "counts", "counted", "until", "until 2")
    expect(steps.lines[-1] > line("behind-counting"), steps.text)


@cases("gcc-O0", "clang-O0")
def who_has_advanced_within_the_region_has_not_come_to_its_end(build):
    steps = Steps(build, "counts", "counting", f"tbreak {SOURCE}:{line('counted')} if $omp_thread == 1", "continue",
                  f"advance {line('behind-counting')}", f"advance {line('counted')}")
    steps.stops(["counted", "behind-counting", "behind-counts"])
    equal(len(re.findall("Thread 0.1 has come to the end of the region", steps.text)), 1, steps.text)


@cases(*BUILDS)
def next_over_sections_stays_in_the_region(build):
    steps = Steps(build, "parts", "before-parts", *["next"] * 5)
    expect(line("behind-parts") in steps.lines, steps.text)


@cases(*BUILDS)
def finish_goes_to_where_the_creator_has_waited(build):
    steps = Steps(build, "task", "task-last", "finish -creator", "next")
    steps.has(r"^The task that thread 0\.[012] executed is over; thread 0\.0 has waited for it here\.$")
    expect(line("before-undeferred") in steps.lines, steps.text)
    said = session(f"omp_steps-{build}", f"tbreak {SOURCE}:{line('before-region')}", "run meets", "finish -creator")
    said("finish -creator").has("executes no task that another one has created")


@case
def a_task_that_cannot_be_followed_is_told():
    said = session("omp_joins-static", "tcatch omp task-create", "run task_at_end < /dev/null", "step", "kill")
    said("step").has(r"^The task created at omp_joins\.c:\d+ cannot be followed, as its runtime is linked into the program: a")


@cases(*BUILDS)
def no_wait_is_left_into_the_runtime(build):
    Steps(build, "waits", "in-waits", "finish -creator").has("^The task that thread .* executed is over;")


@cases(*BUILDS)
def what_compilers_put_around_statements_is_no_place(build):
    steps = Steps(build, "around", "in-joins", *["next"] * 3)
    expect(line("declared") not in steps.lines and line("joins") not in steps.lines, steps.text)
    steps = Steps(build, "around", "before-short", *["step"] * 2, *["next"] * 2)
    seen = [n for n in steps.lines if n in lines("short", "in-short", "before-teams")]
    expect(seen in (lines("short", "in-short", "before-teams"), lines("in-short", "before-teams")), steps.text)
    steps = Steps(build, "around", "before-teams", *["step"] * 2, *["next"] * 4)
    expect(line("in-teams") in steps.lines[:2] and line("behind-teams") in steps.lines, steps.text)
    expect(steps.lines.count(line("teams-brace")) < 2, steps.text)


@cases(*BUILDS)
def a_task_that_is_cancelled_is_not_waited_for(build):
    steps = Steps(build, "cancels", "before-cancelled", "step", "step", env={"OMP_CANCELLATION": "true"})
    steps.has(r"^The task created at .* was not executed\.$")
    expect(steps.without("cancelled")[0] in lines("behind-cancelled", "behind-cancelling"), steps.text)


@cases(*BUILDS)
def an_untied_task_is_followed_to_the_thread_that_goes_on_with_it(build):
    steps = Steps(build, "untied", "before-untied", "step", "step", *["next"] * 8)
    body = lines("in-untied", "untied-second", "untied-last")
    seen = [n for n in steps.lines if n in [*body, line("behind-untied-region")]]
    seen = [n for i, n in enumerate(seen) if not i or n != seen[i - 1]]  # behind the call in it once more
    if not optimised(build):
        equal(seen[:4], [*body, line("behind-untied-region")], f"lines of the stops in:\n{steps.text}")
    expect(line("untied-last") in seen or optimised(build), steps.text)
    steps.has(WHO.format(SOURCE, line("untied")))


@cases(*BUILDS)
def sections_are_gone_through(build):
    steps = Steps(build, "sections", "before-sections", *["step"] * 5)
    seen = [n for n in steps.lines if n in lines("section-1", "section-2", "behind-sections")]
    if not optimised(build):
        equal(seen[:3], lines("section-1", "section-2", "behind-sections"), f"lines in:\n{steps.text}")
    expect(line("behind-sections") in steps.lines, steps.text)


@cases("gcc-O0", "gcc-O2")
def next_runs_a_worksharing_loop(build):
    """One iteration after the other, as many as the thread gets of the 40: how many is the scheduler's to say."""
    # clang begins it with the header's line: a step from there goes by iterations.
    steps = Steps(build, "shares", "before-for", *["next"] * 42)
    behind = steps.lines.index(line("behind-for")) if line("behind-for") in steps.lines else None
    expect(behind is not None, steps.text)
    # Of copies of what is inlined, as gcc 14 makes them for -O2, only the line table tells.
    inside = {line("for"), line("for") + 1, line("in-for"), line("work")}
    equal(set(steps.lines[:behind]) - inside, set(), f"other lines in:\n{steps.text}")


@cases("gcc-O0")
def regions_and_tasks_of_fortran(build):
    marks = [line_of(mark, "omp_steps_fortran.f90") for mark in
             ("in-loop", "loop-last", "behind-loop", "in-task", "task-last", "before-task", "end")]
    steps = Steps(build, "fortran", "before-loop", *["step"] * 7)
    # Two iterations are those of the thread that steps; before and behind them is the directive.
    seen = [n for n in steps.lines if n in marks]
    equal(seen[:5], [*marks[:2], *marks[:2], marks[2]], f"lines of the stops in:\n{steps.text}")
    expect("no statement" not in steps.text, steps.text)
    steps = Steps(build, "fortran", "before-task", "step", "step", "next", "next")
    seen = [n for n in steps.lines if n in marks]
    equal(seen[:2], marks[3:5], f"lines of the stops in:\n{steps.text}")
    steps.has(r"\[task created at .*omp_steps_fortran\.f90:\d+ by thread 0\.0, executed by 0\.[01]\]$")


@cases("gcc-O0", "gcc-O2")
def parts_of_a_directive_before_it_are_not_the_construct(build):
    """Nor do they belong to what is inlined behind them."""
    steps = Steps(build, "fortran", "early", *["step"] * 6)
    expect("no statement" not in steps.text, steps.text)
    steps = Steps(build, "fortran", "inlined", "step", "step")
    steps.has(r"^(steps::)?fib \(n=5\) at .*omp_steps_fortran\.f90:\d+")
    expect(not re.search(r"^\d+\t!\$omp", steps.text, re.M), steps.text)


@case
def statements_before_a_construct_may_be_behind_its_line():
    """Optimised code has a part of the one before the task there; the task is still to come."""
    steps = Steps("gcc-O2", "fortran", "task", "step", "step")
    expect("no statement" not in steps.text, steps.text)
    equal(steps.lines[0], line_of("before-task", "omp_steps_fortran.f90"), steps.text)


@cases(("clang-O0", None), ("clang-O2", None), *(("clang-O0", version) for version in other_libomps()))
def workers_that_have_never_run_are_waited_for(build, version):
    """They are made in the step, and held from then on."""
    other = [f"set environment LD_PRELOAD {libomp_of(version)}"] if version else []
    said = session(f"omp_barrier-{build}", *other, "set args 3", f"tbreak omp_barrier.c:{line_of('region', 'omp_barrier.c')}", "run",
                   "set scheduler-locking on", "next", "kill")
    said("next").has(rf"^Waiting: thread 0\.0 waits at the barrier at omp_barrier\.c:{line_of('barrier', 'omp_barrier.c')}; "
                     r"thread \d+ has not arrived: it is held by scheduler-locking\.$")


@cases("clang-O0")
def a_function_that_begins_with_a_construct_has_its_arguments(build):
    """clang (19) asks first which thread this is, and only then keeps them where it says that they are."""
    said = session(f"omp_order-{build}", "break phases", "run phases 3", "kill")
    said("run phases 3").has(r"Breakpoint 1, (0x\w+ in )?phases \(threads=3\) at omp_order\.c:")


@cases("clang-O0", "clang-O2")
def who_does_not_execute_a_single_construct_goes_behind_it(build):
    """Not once more to its line, where the barrier at its end is."""
    steps = Steps(build, "either", "before-single", "step", "step")
    steps.stops(["single", "behind-single"])
    steps.has(rf"^The thread has come to no statement of the construct at .*{SOURCE}:{line('single')}\.$")


@cases("gcc-O0", "clang-O0")
def the_construct_without_statements_is_the_one_that_is_named(build):
    """Not the next one, which the same step enters; an atomic update is a statement itself."""
    steps = Steps(build, "follows", "before-none", *["step"] * 6)
    expect(line("behind-second") in steps.lines, steps.text)
    named = re.findall(r"no statement of the construct at .*:(\d+)\.$", steps.text, re.M)
    expect(set(named) <= {str(line("none"))}, steps.text)


@cases("gcc-O0", "clang-O0")
def a_task_outside_of_a_region_is_of_threads_without_numbers(build):
    steps = Steps(build, "outside", "before-outside", "step", "step")
    steps.has(rf":{line('in-outside')}  \[task created at .*:{line('outside')} by thread of LWP \d+, executed by thread of LWP \d+\]$")


@cases(*BUILDS)
def next_at_a_jump_to_another_library_goes_on_where_that_returns(build):
    steps = Steps(build, "jumps", "before-jump", "next", "next", "next")
    steps.stops(["jump"])
    expect(line("behind-jump") in steps.lines, steps.text)


@cases("gcc-O0", "clang-O0")
def a_function_that_begins_with_a_construct_is_stopped_before_it(build):
    """gcc gives the code that begins a region no line: the next one is in the region, or behind it."""
    said = session(f"omp_steps-{build}", "break counts", "run counts", "step", "kill")
    said("run counts").has(r"Breakpoint 1, (0x\w+ in )?counts \(\) at ").has_not("parallel region")
    said("step").has(rf"^counts \(\) at .*:{line('counting')}  \[parallel region 0, team of 2\]$")


main()
