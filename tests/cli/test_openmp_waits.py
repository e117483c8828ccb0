# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads wait for: barriers, ends of constructs, locks, turns; asleep and spinning; and what
is not OpenMP's."""

from openmp import *

WORKSHARE = "worksharing end"


def ends(argument, mark, inside, kind=WORKSHARE, place=None):
    """Of omp_joins.c: thread 1 stays in a construct at whose end thread 0 waits."""
    place = place or "~" + mark
    return scenario("omp_joins", argument, {
        "0.0": waits(kind, place, at(argument, place), *IN_TEAM),
        "0.1": stays(f"{argument}@{inside}", *IN_TEAM),
    })


REDUCTION = ("-- parallel reduction --", "reduction@~reduction", "main@run alone")

JOINS = (
    scenario("omp_joins", "barrier", {
        "0.0": waits("explicit barrier", "barrier", "barrier@barrier", *IN_TEAM),
        "0.1": stays("barrier@barrier, straggler", *IN_TEAM),
    }),
    scenario("omp_joins", "region_end", {
        "0.0": waits("region end", "region", *AFTER_TEAM),
        "0.1": stays("region_end@region end, worker", *IN_TEAM),
    }),
    scenario("omp_joins", "region_end_primary", {
        "0.0": stays("region_end_primary@region end, primary", *IN_TEAM),
        "0.1": waits("region end", "region", *AFTER_TEAM),
    }),
    scenario("omp_joins", "task_at_end", {
        "0.0": stays("task_at_end@creator of task at end", *IN_TEAM),
        "0.1 executes": stays("task_at_end [task]@in task at end", "-- task task at end by 0.0 --", *AFTER_TEAM),
        "0.2": waits("region end", "region", *AFTER_TEAM),
    }, team=3),
    ends("for_static", "for static", "in for static"),
    ends("for_dynamic", "for dynamic", "in for dynamic"),
    scenario("omp_joins", "sections", {
        "0.0": stays("sections@in section", *IN_TEAM),
        "0.1": waits(WORKSHARE, "~sections", "sections@~sections", *IN_TEAM),
    }),
    ends("single", "single", "in single"),
    ends("copyprivate", "copyprivate", "in copyprivate", kind="copyprivate",
         place=By("clang copies at the end, gcc where the others wait for the values",
                  gcc="copyprivate", clang="end of copyprivate")),
    scenario("omp_joins", "reduction", {
        "0.0": waits("region end", "reduction", *REDUCTION),
        "0.1": stays("summand@reduction, straggler", "reduction [parallel]@summand", *REDUCTION),
    }),
)

LARGER_TEAMS = (
    scenario("omp_joins", "barrier", {
        "0.1": stays("barrier@barrier, straggler", *IN_TEAM),
        **{f"0.{n}": waits("explicit barrier", "barrier", "barrier@barrier", *IN_TEAM)
           for n in (0, 2, 3, 4, 5)},
    }, team=6),
    scenario("omp_joins", "single", {
        "0.1": stays("single@in single", *IN_TEAM),
        **{f"0.{n}": waits(WORKSHARE, "~single", "single@~single", *IN_TEAM) for n in (0, 2, 3)},
    }, team=4),
)


def held(argument, kind, mark, inside, name=None, object=None, holder=None, only=None):
    """Of omp_locks.c: thread 0 has what thread 1 waits for."""
    return scenario("omp_locks", argument, {
        "0.0": stays("use@holder", f"{argument}@{inside}", *IN_TEAM),
        "0.1": waits(kind, mark, f"{argument}@{mark}", *IN_TEAM, name=name, object=object,
                     holder=holder),
    }, only=only)


LOCKS = (
    held("critical", "critical", "critical", "in critical"),
    held("critical_named", "critical", "critical named", "in critical named", name="ledger"),
    held("lock", "lock", "lock", "in lock", object="lock"),
    held("nest_lock", "nest lock", "nest lock", "in nest lock", object="nest_lock", holder="0.0"),
    held("ordered", "ordered", "~ordered", "in ordered", holder="0.0"),
    held("doacross", "doacross", "doacross", "in doacross"),
    held("atomic", "atomic", "~atomic", "in atomic", only="gcc"),
)


def outside(argument, kind, mark, name=None, object=None, holder=None):
    """Of omp_outside.c: thread 1 is blocked until thread 0 goes on, thread 2 waits for both."""
    return scenario("omp_outside", argument, {
        "0.0": stays("work@releases", *IN_TEAM),
        "0.1": waits(kind, mark, f"{argument}@{mark}", "work@blocked", *IN_TEAM, name=name,
                     object=object, holder=holder),
        "0.2": waits("explicit barrier", "barrier", "work@barrier", *IN_TEAM),
    })


OUTSIDE = (
    scenario("omp_outside", "in_read", {
        "0.0": stays("work@releases", *IN_TEAM),
        "0.1": waits("system call", None, "in_read@read", "work@blocked", *IN_TEAM, name="read"),
        "0.2": waits("explicit barrier", "barrier", "work@barrier", *IN_TEAM),
    }),
    outside("in_poll", "system call", "poll", name="poll"),
    outside("in_semaphore", "system call", "semaphore", name="sem_wait", object="semaphore"),
    outside("in_mutex", "mutex", "mutex", name="pthread_mutex_lock", object="mutex", holder="0.0"),
    outside("in_condition", "condition", "condition", name="pthread_cond_wait"),
    outside("in_sleep", "system call", "sleep", name="sleep"),
)


@cases(*rows((*JOINS, *LOCKS, *LARGER_TEAMS), NATIVE))
def asleep_or_yielding(s, v):
    look(s, v)


@cases(*rows((*JOINS, *LOCKS), SPINNING))
def spinning(s, v):
    look(s, v, with_core="O2" in v.words)


@cases(*rows(OUTSIDE, NATIVE))
def blocked_outside_of_openmp(s, v):
    look(s, v)


@cases(*rows((*JOINS, *LOCKS), OTHERS + PRELOADED))
def on_another_libomp(s, v):
    look(s, v, with_core=False)


main()
