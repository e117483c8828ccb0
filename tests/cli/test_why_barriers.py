# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` where part of a team does not get to a barrier or a worksharing construct, and where
a turn does not come: who is missing, and where it is instead."""

from why import *


def missing(program, argument, class_, where, waits_at, says=("barrier",)):
    """Of four threads some are elsewhere, {thread: mark}; the others wait for them at a mark."""
    others = (f"0.{n}" for n in range(4) if f"0.{n}" not in where)
    chain = {**where, **{key: waits_at for key in others}}
    return hang(program, argument, "deadlock", class_, chain, says=(*where, *says), tells=4,
                confidence=LIKELY)


def at_barrier(argument, where, waits_at):
    return missing("why_barriers", argument, "barrier-mismatch", where, waits_at)


def reader(program, argument, chain, **more):
    """Some thread reads, and the others wait for that in the end."""
    return hang(program, argument, "waiting", "external", chain, says=("read",),
                confidence="probable", **more)


def team(mark, *numbers):
    return {f"0.{n}": mark for n in numbers}


BARRIERS = (
    at_barrier("skips", {"0.3": REGION}, "skips"),
    at_barrier("primary_skips", {"0.0": REGION}, "primary skips"),
    at_barrier("returns_early", {"0.2": REGION}, "returns early"),
    at_barrier("calls_last", {"0.2": REGION}, "ends with barrier"),
    at_barrier("one_call", {"0.2": "region of one call"}, None),
    at_barrier("meets_alone", {"0.2": "barrier of one"}, "region of one barrier"),
    at_barrier("too_few_rounds", {"0.1": REGION}, "round"),
    at_barrier("two_branches", {"0.2": REGION, "0.3": REGION}, "second of two"),
    hang("why_barriers", "nested", "deadlock", "barrier-mismatch",
         {"0.1.1": "inner region", "0.1.0": "inner barrier", "0.0": REGION},
         says=("barrier",), tells=3, team=2),
    hang("why_barriers", "in_critical", "deadlock", "lock-cycle",
         {"0.0": "barrier in critical", **team("critical", 1, 2, 3)},
         says=("turnstile", "barrier"), held=team("0.0", 1, 2, 3), tells=4),
    reader("why_barriers", "reads", {"0.3": READ, **team("reads barrier", 0, 1, 2)}),
    reader("why_barriers", "chain",
           {"0.1": READ, "0.3": "chain, lock", **team("chain, barrier", 0, 2)},
           held={"0.3": "0.1"}),
    hang("why_barriers", "computes", "progressing", "imbalance",
         {"0.3": "compute", **team("computes barrier", 0, 1, 2)}, says=("0.3",)),
)


MISMATCH = "worksharing-mismatch"


def at_construct(argument, mark):
    """Thread 3 goes round a construct."""
    return missing("why_worksharing", argument, MISMATCH, {"0.3": REGION}, mark, says=())


WORKSHARING = (
    at_construct("for_dynamic", "~for dynamic"),
    at_construct("for_static", "~for static"),
    at_construct("sections", "~sections"),
    at_construct("single", "~single"),
    at_construct("copyprivate", None),
    at_construct("reduction", "~reduction"),
    hang("why_worksharing", "once_more", "deadlock", MISMATCH,
         {"0.3": "~rows", **team(REGION, 0, 1, 2)}, says=("0.3",), tells=4),
    reader("why_worksharing", "reads_in_for",
           {"0.0": READ, **team("~reads in for", 1, 2, 3)}),
)

TURNS = (
    reader("why_worksharing", "ordered_reads", {"0.0": READ, **team("~ordered reads", 1, 2, 3)}),
    hang("why_worksharing", "ordered_skips", "deadlock", "ordered",
         {"0.0": REGION, **team("~ordered skips", 1, 2, 3)}, says=("0.0", "ordered"), tells=4),
    hang("why_worksharing", "ordered_lock", "deadlock", "lock-cycle",
         {"0.0": "lock before the turn", "0.1": "~turn with the lock"}, held={"0.0": "0.1"},
         says=("lock", "ordered"), tells=2, team=2),
    hang("why_worksharing", "ordered_barrier", "deadlock", "ordered",
         {"0.0": "meet", **team("~ordered barrier", 1, 2, 3)}, says=("ordered", "barrier"),
         tells=4),
    hang("why_worksharing", "doacross", "deadlock", "ordered",
         {"0.0": "~doacross loop", **team("doacross", 1, 2, 3)}, says=("0.0",), tells=4),
    reader("why_worksharing", "doacross_reads", {"0.0": READ, **team("doacross reads", 1, 2, 3)}),
)

SOME = tuple(s for s in (*BARRIERS, *WORKSHARING, *TURNS) if s.argument in (
    "skips", "in_critical", "chain", "for_dynamic", "ordered_skips"))


@cases(*rows((*BARRIERS, *WORKSHARING, *TURNS), NATIVE))
def part_of_a_team(s, v):
    ask(s, v, once=v.build == "gcc-O2")


@cases(*rows(SOME, SPINNING[1::2]))
def spinning(s, v):
    ask(s, v, with_core=False, once=True)


@cases(*rows(SOME, OTHERS + PRELOADED[1:]))
def on_another_libomp(s, v):
    ask(s, v, with_core=False)


main()
