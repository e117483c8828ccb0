# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every picture of OpenMP's state has to hold, whatever the program does: no fact of it may contradict another one."""

import collections

ENDS = ("region end", "explicit barrier", "barrier", "worksharing end")


def repeated(values):
    return [value for value, n in collections.Counter(values).items() if n > 1]


def members_once(picture):
    for r in picture["regions"]:
        for lwp in repeated(m for m in r["members"] if m):
            yield f"region {r['id']}: LWP {lwp} is a member twice"


def one_region_per_level(picture):
    places = [(r["runtime"], r["level"], lwp) for r in picture["regions"] for lwp in set(r["members"]) if lwp]
    for runtime, level, lwp in repeated(places):
        ids = [r["id"] for r in picture["regions"] if r["level"] == level and lwp in r["members"]]
        yield f"LWP {lwp} is in regions {ids}, all of level {level}"


def teams_are_as_large_as_their_members(picture):
    for r in picture["regions"]:
        if r["size"] and len(r["members"]) > r["size"]:
            yield f"region {r['id']}: {len(r['members'])} members of {r['size']}"


def levels_rise(picture):
    by_id = {r["id"]: r for r in picture["regions"]}
    for r in picture["regions"]:
        outer = by_id.get(r["parent"])
        if outer and r["level"] <= outer["level"]:
            yield f"region {r['id']}: level {r['level']} in one of level {outer['level']}"


def numbers_are_those_of_members(picture):
    by_id = {r["id"]: r for r in picture["regions"]}
    for t in picture["threads"]:
        omp = t["omp"]
        r = by_id.get(omp["team"]) if omp else None
        if r and omp["num"] is not None and omp["num"] < len(r["members"]) and r["members"][omp["num"]] != t["lwp"]:
            yield f"LWP {t['lwp']} is {omp['team']}.{omp['num']}, of whose members it is not that one: {r['members']}"


def who_waits_has_arrived(picture):
    waiting = collections.defaultdict(list)
    for t in picture["threads"]:
        w = t["wait"]
        if not w or w["kind"] not in ENDS or not w["total"]:
            continue
        if not 1 <= w["arrived"] <= w["total"]:
            yield f"LWP {t['lwp']} waits where {w['arrived']} of {w['total']} have arrived"
        waiting[w["object"], w["kind"], w["file"], w["line"], t["omp"] and t["omp"]["team"]].append(w)
    for key, waits in waiting.items():
        if key[0] and max(w["arrived"] for w in waits) < len(waits):
            yield f"{len(waits)} wait at {key}, {[w['arrived'] for w in waits]} have arrived"
        if len({w["arrived"] for w in waits}) > 1:
            yield f"{key}: {[w['arrived'] for w in waits]} have arrived, in one look"


def one_barrier_at_a_time(picture):
    """Of programs whose teams are not at odds: nobody waits at a barrier while others of the team wait at another one. Of
    what is not known to be the one or the other nothing is said."""
    waiting = collections.defaultdict(set)
    for t in picture["threads"]:
        if t["omp"] and t["wait"] and t["wait"]["kind"] in ENDS:
            waiting[t["omp"]["team"]].add(t["wait"]["kind"])
    for team, kinds in waiting.items():
        known = kinds - {"barrier"} if "region end" not in kinds else kinds
        if len(known) > 1:
            yield f"team {team} waits at {sorted(known)}, in one look"


INVARIANTS = (members_once, one_region_per_level, teams_are_as_large_as_their_members, levels_rise,
              numbers_are_those_of_members, who_waits_has_arrived, one_barrier_at_a_time)


def violations(picture):
    """Sentences; picture: what `ompdb omp --json` says."""
    return [sentence for invariant in INVARIANTS for sentence in invariant(picture)]
