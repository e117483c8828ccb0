# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` where threads wait for tasks that cannot end: that need what the waiting thread has,
that nobody is left to execute, whose event nobody fulfils."""

from why import *

GROUP = By("gcc has no line for it", gcc="~taskgroup", clang="end of taskgroup")
EVENT_GROUP = By("gcc has no line for it", gcc="~taskgroup for event",
                 clang="end of taskgroup for event")


def tasks(argument, verdict, class_, chain, says=(), **more):
    return hang("why_tasks", argument, verdict, class_, chain, says=says, **more)


def cycle(argument, mark, inside="lock in task", says=("0.0", "0.1", "lock")):
    """Thread 0 waits for a task, which thread 1 executes, which needs what thread 0 has."""
    return tasks(argument, "deadlock", "lock-cycle", {"0.0": mark, "0.1": inside}, says,
                 held={"0.1": "0.0"}, tells=2)


CYCLES = (
    cycle("child_needs_lock", "taskwait"),
    cycle("group_needs_lock", GROUP),
    cycle("producer_needs_lock", "~consumer"),
    cycle("predecessor_needs_lock", "taskwait for successor"),
    cycle("child_needs_critical", "taskwait", "critical in task", ("0.0", "0.1", "ledger")),
    tasks("successor_gives_lock", "deadlock", "task",
          {"0.1": "lock in task", "0.0": "taskwait for signal"},
          ("0.0", "0.1", "lock", f"to be given back by the task created at why_tasks.c:{line_of('why_tasks.c', 'gives signal')}"),
          tells=2),
    tasks("own_child_needs_lock", "deadlock", "self-deadlock",
          {"0.0": "lock in task", "0.1": REGION}, ("0.0", "lock"), held={"0.0": "0.0"}, tells=2),
)


def reader(argument, mark):
    """Thread 0 waits for a task in which thread 1 reads."""
    return tasks(argument, "waiting", "external", {"0.1": READ, "0.0": mark}, ("0.1", "read"),
                 tells=2)


READERS = (
    reader("child_reads", "taskwait"),
    reader("group_reads", GROUP),
    reader("producer_reads", "~consumer"),
    reader("predecessor_reads", "taskwait for successor"),
)

NOBODY_LEFT = (
    tasks("only_consumers", "stuck", "task", {"0.0": "consumes", "0.1": "consumes"},
          ("0.0", "0.1", "task"), tells=2),
    tasks("tied", "stuck", "task", {"0.1": "consumes", "0.0": "taskwait of tied task"},
          ("0.0", "0.1", "task"), tells=2),
)


def detached(argument, chain):
    return tasks(argument, "stuck", "detach", {NOBODY: "~detached task", **chain}, ("event",),
                 tells=2)


DETACHED = (
    detached("detached_taskwait", {"0.0": "taskwait for event"}),
    detached("detached_taskgroup", {"0.0": EVENT_GROUP}),
    detached("detached_dependence", {"0.0": "~task after event"}),
    detached("detached_barrier", {"0.0": "barrier for event", "0.1": "barrier of executor"}),
    detached("detached_region", {"0.0": REGION, "0.1": REGION}),
)

UNKEPT = tasks("detached_unkept", "stuck", "detach",
               {NOBODY: "~task whose event is not kept", "0.0": "taskwait for lost event"}, ("event",), tells=2,
               only="clang")


@cases(*rows(CYCLES, NATIVE))
def the_waiting_thread_has_what_the_task_needs(s, v):
    ask(s, v, with_core="O2" in v.words)


@cases(*rows(READERS, NATIVE))
def a_task_is_blocked_outside_of_openmp(s, v):
    ask(s, v, with_core="O2" in v.words)


@cases(*rows(NOBODY_LEFT, NATIVE))
def nobody_is_left_to_execute_a_task(s, v):
    ask(s, v, with_core="O2" in v.words)


@cases(*rows((*DETACHED, UNKEPT), NATIVE))
def nobody_fulfils_an_event(s, v):
    ask(s, v, with_core="O2" in v.words)


# Newer ones keep waking the threads at a barrier.
@cases(*rows(DETACHED[3:], OTHERS))
def nobody_fulfils_an_event_on_another_libomp(s, v):
    ask(s, v, with_core=False)


@cases(*rows((CYCLES[0], READERS[0], *NOBODY_LEFT, DETACHED[0]), SPINNING))
def spinning(s, v):
    ask(s, v, with_core=False)


main()
