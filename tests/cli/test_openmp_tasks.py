# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks: waits for them, their states, and the stacks of those that execute them."""

from openmp import *

CREATE = ("create_or_execute@create", *IN_TEAM)


def awaited(argument, kind, mark, task, inside, construct="task", only=None, never=None):
    """Of omp_taskwaits.c: thread 0 waits for a task that thread 1 executes at the region's end."""
    return scenario("omp_taskwaits", argument, {
        "0.0": waits(kind, mark, at(argument, mark), *CREATE),
        "0.1": stays("body@body", f"{argument} [{construct}]@{inside}", f"-- task {task} by 0.0 --",
                     *AFTER_TEAM),
    }, tasks=(("explicit", "running", task, "0.1"),), only=only, never=never)


WAITS = (
    awaited("taskwait", "taskwait", "taskwait", "awaited task", "in awaited task"),
    awaited("taskgroup", "taskgroup", By("gcc has no line for it", gcc="~taskgroup",
                                         clang="end of taskgroup"),
            "task of group", "in task of group"),
    # Through libomp's entries for gcc such a task now and then never begins, or libomp dies of it.
    awaited("dependence", "dependence", "~consumer", "producer", "in producer", never="preload"),
    awaited("taskwait_depend", "dependence", "~taskwait depend", "awaited producer",
            "in awaited producer", only="gcc"),
    scenario("omp_taskwaits", "detached", {
        "0.0": waits("taskwait", "taskwait for event", "detached@taskwait for event", *CREATE),
        "0.1": stays("fulfil@fulfil", "create_or_execute@call fulfil", *IN_TEAM),
    }, tasks=(("explicit", "detached", "detached task", None),),
        never="preload"),  # libomp's entries for gcc know no events
    scenario("omp_taskwaits", "taskyield", {
        "0.0": waits("explicit barrier", "barrier with tasks", "taskyield@barrier with tasks",
                     *CREATE),
        "0.1": stays("body@body", "taskyield [task]@in yielding task",
                     "-- task yielding task by 0.0 --", "create_or_execute@barrier of executor",
                     *IN_TEAM),
    }, tasks=(("explicit", "running", "yielding task", "0.1"),)),
    awaited("taskloop", "taskgroup", "~taskloop", "taskloop", "in taskloop", construct="taskloop"),
)


UNDEFERRED = By("LLVM's library does not tell them apart, but clang calls them directly",
                libgomp="undeferred", preload="explicit", libomp="undeferred")
INCLUDED = By("LLVM's library does not tell them apart", libgomp="undeferred", libomp="explicit")


def executed(argument, task, inside, creator, *out):
    """Of omp_taskstates.c: thread 1 executes a task that thread 0, which stays, has created."""
    return scenario("omp_taskstates", argument, {
        "0.0": stays(f"{argument}@{creator}", *IN_TEAM),
        "0.1": stays("body@body", inside, f"-- task {task} by 0.0 --", *out),
    }, tasks=(("explicit", "running", task, "0.1"),))


def undeferred(argument, outer, inner, inside, inner_kind=UNDEFERRED):
    """Both threads execute a task in a task, each its own, on the spot."""
    stack = ("body@body", f"{argument} [task]@{inside}", None, f"{argument} [task]@~{inner}", None,
             f"{argument}@~{outer}", *IN_TEAM)

    def of(key):
        return stays(*(f"-- task {mark} by {key} --" if mark else line for line, mark in zip(
            stack, (None, None, inner, None, outer, *[None] * (len(stack) - 5)))))

    return scenario("omp_taskstates", argument, {"0.0": of("0.0"), "0.1": of("0.1")},
                    tasks=tuple((kind, state, mark, key) for key in ("0.0", "0.1")
                                for kind, state, mark in ((inner_kind, "running", inner),
                                                          (UNDEFERRED, "suspended", outer))))


DESCEND = ("-- task recursive task by 0.0 --", "descend@recursive taskwait")

STATES = (
    scenario("omp_taskstates", "queued", {
        f"0.{n}": stays("queued@creator of queued", *IN_TEAM) for n in (0, 1)
    }, tasks=(("explicit", "queued", "queued task", None),) * 3),
    scenario("omp_taskstates", "priorities", {
        f"0.{n}": stays("priorities@creator of priorities", *IN_TEAM) for n in (0, 1)
    }, tasks=(("explicit", "queued", "task with priority", None),) * 3,
        env={"OMP_MAX_TASK_PRIORITY": "3"}),
    scenario("omp_taskstates", "blocked", {
        "0.0": stays("blocked@creator of blocked", *IN_TEAM),
        "0.1": stays("body@body", "blocked [task]@in first", "-- task first by 0.0 --",
                     *AFTER_TEAM),
    }, tasks=(("explicit", "blocked", "second", None), ("explicit", "blocked", "third", None),
              ("explicit", "running", "first", "0.1"))),
    executed("in_barrier", "task for barrier", "in_barrier [task]@in task in barrier",
             "creator of task for barrier", "in_barrier@barrier", *IN_TEAM),
    executed("stolen", "stolen task", "create_task_to_steal [task]@in stolen task",
             "creator of stolen task", *AFTER_TEAM),
    executed("untied", "untied task", "untied [task]@in untied task", "creator of untied task",
             *AFTER_TEAM),
    undeferred("undeferred", "undeferred task", "undeferred in undeferred", "in undeferred task"),
    undeferred("final", "final task", "included task", "in included task", inner_kind=INCLUDED),
    scenario("omp_taskstates", "recursive", {
        "0.0": stays("body@body", "descend [task]@deepest", *DESCEND,
                     "descend [task]@descend", *DESCEND, "descend [task]@descend", *DESCEND,
                     "recursive@recursion begins", *IN_TEAM),
        "0.1": stays("recursive@aside", *IN_TEAM),
    }, tasks=(("explicit", "running", "recursive task", "0.0"),
              *(("explicit", "suspended", "recursive task", "0.0"),) * 2)),
)


@cases(*rows((*WAITS, *STATES), NATIVE))
def tasks(s, v):
    look(s, v)


@cases(*rows(WAITS, SPINNING))
def spinning(s, v):
    look(s, v, with_core="O2" in v.words)


@cases(*rows((*WAITS, *STATES), OTHERS + PRELOADED))
def on_another_libomp(s, v):
    look(s, v, with_core=False)


main()
