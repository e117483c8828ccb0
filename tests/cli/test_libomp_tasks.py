# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks that no thread executes, in LLVM's runtime: queued, blocked, detached."""

from collections import Counter

from openmp import *

# {scenario: (the tasks that are not implicit, how many of them their creators still count)}. A task
# is "STATE MARK by CREATOR", and what it waits for; implicit tasks are 0 and 1.
SCENARIOS = {
    "full": ({"queued plain by implicit": 259}, 259),
    "wrapped": ({"running last of the first by implicit": 1, "queued plain by implicit": 150}, 151),
    "diamond": ({"running top by implicit": 1, "blocked left by implicit, after top": 1,
                 "blocked right by implicit, after top": 1,
                 "blocked bottom by implicit, after left, right": 1}, 4),
    "excluded": ({"running excludes by implicit": 1, "blocked excluded by implicit, after excludes": 1,
                  "queued not excluded by implicit": 1}, 3),
    # What has ended still counts what it has created.
    "families": ({"unknown gone parent by implicit": 1, "running parent by gone parent": 1,
                  "queued plain by gone parent": 2, "queued plain by parent": 3,
                  "queued plain by implicit": 1}, 7),
    "outer": ({"queued plain by implicit": 8}, 8),
    "untied": ({"queued untied by implicit": 1, "queued mergeable by implicit": 1}, 2),
    "in_variable": ({"running occupies by implicit": 1, "detached detached by implicit": 1}, 2),
    "on_stack": ({"running occupies by implicit": 1, "detached detached by implicit": 1}, 2),
    "on_heap": ({"running occupies by implicit": 1, "detached detached by implicit": 1}, 2),
    "in_task": ({"running occupies by implicit": 1, "detached detached by implicit": 1,
                 "blocked dependent by implicit, after detached": 1,
                 "queued fulfils by implicit": 1}, 4),
}
EVENTS = ("in_variable", "on_stack", "on_heap", "in_task")
MARKS = ("plain", "last of the first", "top", "left", "right", "bottom", "excludes", "excluded", "not excluded", "gone parent", "parent",
         "untied", "mergeable", "detached", "occupies", "dependent", "fulfils")


def mark_of(task):
    """The mark at or, as optimised code has it, before the line."""
    if task["kind"] == "implicit":
        return "implicit"
    lines = {line_of("libomp_tasks.c", mark): mark for mark in MARKS}
    return lines[max(n for n in lines if n <= task["line"])]


def described(tasks):
    by_id = {task["id"]: task for task in tasks}
    lines = Counter()
    for task in tasks:
        if task["kind"] == "implicit":
            continue
        after = sorted(mark_of(by_id[other]) for other in task["waits_for"])
        lines[f"{task['state']} {mark_of(task)} by {mark_of(by_id[task['creator']])}"
              + (", after " + ", ".join(after) if after else "")] += 1
    return dict(lines)


def hold(name, target):
    wanted, unfinished = SCENARIOS[name]
    result = ompdb("--debug=ompd", "omp", "--json", target)
    equal(result.status, 0, "status")
    shown = json.loads(result.out)
    fits(shown, SCHEMAS["omp"])
    equal(described(shown["tasks"]), wanted, f"tasks of {target}")
    counted = re.findall(r"tasks with (\d+) unfinished children(.*)", result.err)
    # The last time: a process is looked at before it stops, too.
    equal(counted[-1:], [(str(unfinished), "")], "unfinished children, and whether that is all")


def look_at(name, v, env=None, core=False):
    variables = environment(scenario("libomp_tasks", name, {}, env=env), v)
    program = start(f"libomp_tasks-{v.build}", name, env=variables)
    hold(name, program.pid)
    if core:
        hold(name, own_core_of(program))
    program.finish()


CLANG = [variant("clang-O0"), variant("clang-O2")]


@cases(*((name, v) for name in SCENARIOS for v in CLANG))
def live_and_core(name, v):
    look_at(name, v, core=True)


@cases(*((name, v) for name in SCENARIOS for v in OTHERS))
def on_another_libomp(name, v):
    look_at(name, v)


# LLVM's entries for code by GCC know no events.
@cases(*((name, v) for name in SCENARIOS if name not in EVENTS for v in PRELOADED))
def of_gcc(name, v):
    look_at(name, v)


@cases(*SCENARIOS)
def with_state_tracking(name):
    look_at(name, CLANG[0], env={"OMP_DEBUG": "enabled"})


@case
def where_they_are_not_known_it_is_said():
    program = start("libomp_tasks-clang-O2", "full", env={"LD_LIBRARY_PATH": os.path.dirname(libomp_of("13"))})
    for command in ("omp", "stack"):
        notes = picture(command, program.pid)["notes"]
        expect(any("tasks that no thread executes are not shown" in note for note in notes), f"notes of {command}: {notes}")
    program.finish()


main()
