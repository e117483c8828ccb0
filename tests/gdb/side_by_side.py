#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""side_by_side.py GROUP [NAME...]: gdb and ompdb, given the same commands, say the same.

The scenarios are those of scripts/GROUP (scenario.py), what is compared are facts (facts.py), and
on_purpose.py has the differences that are wanted. ompdb is asked once; gdb, which has races of its own, is
asked up to three times until both say the same. What ompdb alone says, however seldom, fails.

    side_by_side.py GROUP --against-gdb    gdb with gdb: whether a scenario is deterministic
    side_by_side.py GROUP --show NAME...   all that both say
"""

import collections
import difflib
import sys

import facts as facts_of
import not_yet
import on_purpose
import scenario as scenarios
import session
from harness import *

GROUP = sys.argv[1]
OPTIONS = [word for word in sys.argv[2:] if word.startswith("--")]
SHOW = "--show" in OPTIONS
AGAINST = "gdb" if "--against-gdb" in OPTIONS else "ompdb"
TIMES = 3 if AGAINST == "ompdb" else 1  # that gdb is asked
sys.argv[1:] = [word for word in sys.argv[2:] if not word.startswith("--")]

# Programs that are built are shared by the scenarios of a group.
_folders_of = {}


def built(scenario, build):
    key = (scenario.source, build, str(sorted(scenario.keys.items())))
    if key not in _folders_of:
        path = tempfile.mkdtemp(prefix="ompdb-test-", dir=ROOT)
        _folders_of[key] = scenario.build(build, path)
    return _folders_of[key]


def ours(scenario):
    """The files that its places are in."""
    return {place.split(":")[0] for place in scenarios.marks(scenario.sources).values()} | {"generated.c"}


def listen(scenario, debugger, program):
    """A session with one of the two, as facts."""
    tool = need("gdb") if debugger == "gdb" else OMPDB
    told = session.run(debugger, tool, program, scenario.commands, os.path.dirname(program),
                       "batch" in scenario.keys, "printers" in scenario.keys)
    if debugger == "gdb" and told.status and told.status < 0 and on_purpose.crashes(scenario.name, release_of):
        skip("this release of gdb ends by a signal there")
    expect(told.status is not None and told.status >= 0,
           f"{debugger} ended by a signal, or not at all ({told.status}): {told.said[-1][-2000:]}")
    told.facts = facts_of.facts(scenario.commands, told.said, ours(scenario), scenario.words("quiet"),
                                scenarios.PROGRAMS if debugger == "gdb" else "")
    return told


def difference(gdb, ompdb):
    return list(difflib.ndiff(gdb, ompdb))


def wanted(scenario, build, gdb):
    """What ompdb is to say: what gdb says, but for what is on purpose."""
    result = [list(facts) for facts in gdb.facts]
    for purpose in on_purpose.purposes(scenario.name, build, release_of):
        index = on_purpose.index_of(scenario.fact(purpose.command), purpose.nth, scenario.commands)
        expect(index is not None, f"on_purpose.py: {scenario.name!r} has no command {purpose.command!r}")
        facts = [[scenario.fact(text) for text in each] for each in purpose.ompdb]
        stated = slice(index, index + len(facts))
        expect(result[stated] != facts or purpose.sometimes,
               f"on_purpose.py: gdb says the same at {purpose.command!r}: {facts}")
        result[stated] = facts
    return result


def show(scenario, gdb, ompdb):
    for command, *both in zip(scenario.commands, gdb.said, ompdb.said):
        print(f"# ==== {command!r}")
        for name, text in zip(("gdb", AGAINST), both):
            print("\n".join(f"# {name:5} | {line}" for line in text.splitlines() if line))


def compare(scenario, expected, gdb, ompdb):
    """The sentences about what differs."""
    if scenario.keys.get("order") == "any":
        lost = collections.Counter(facts_of.stops(expected))
        lost.subtract(facts_of.stops(ompdb.facts))
        for fact, count in sorted(lost.items()):
            if count:
                yield f"{abs(count)} times {'only gdb' if count > 0 else 'only ' + AGAINST}: {fact}"
        return
    for command, theirs, facts, said in zip(scenario.commands, expected, ompdb.facts, ompdb.said):
        if theirs != facts:
            yield f"(gdb) {command}"
            yield from ("  " + line for line in difference(theirs, facts) if line[0] in "-+ ")
            yield from ("      said: " + line for line in said.splitlines() if line.strip())


def check(scenario, build):
    missing = not_yet.reason(scenario.name, build) if AGAINST == "ompdb" else None
    try:
        hold_side_by_side(scenario, build)
    except Failure as failure:
        if not missing:
            raise
        print("\n".join("# " + line for line in str(failure).splitlines()))
        raise Skip(f"not yet as gdb: {missing[0]}")
    expect(not missing or missing[1] or release_of("gdb") != not_yet.GDB, "both agree now: its row in not_yet.py can go")


def differences(scenario, build, gdb, ompdb):
    """All sentences about what differs."""
    expect(any(gdb.facts), f"gdb says nothing: {gdb.said}")
    expected = wanted(scenario, build, gdb) if AGAINST == "ompdb" else gdb.facts
    yield from compare(scenario, expected, gdb, ompdb)
    if "batch" in scenario.keys and gdb.status != ompdb.status:
        yield f"its own status is {ompdb.status}, gdb's {gdb.status}"


def ask_gdb(scenario, build, program, ompdb):
    """What differs from what gdb says this time."""
    gdb = listen(scenario, "gdb", program)
    if SHOW:
        show(scenario, gdb, ompdb)
    different = list(differences(scenario, build, gdb, ompdb))
    if different:
        raise Failure("- gdb, + " + AGAINST + "\n" + "\n".join(different))


def hold_side_by_side(scenario, build):
    """gdb has races of its own: it may be asked again for what ompdb, which is asked once, has said."""
    need("gdb")
    if any(re.match(r"(t?hbreak|[ra]?watch)\b", command) for command in scenario.commands):
        need_debug_registers()
    program = built(scenario, build)
    ompdb = listen(scenario, AGAINST, program)
    first = None
    for again in range(TIMES):
        try:
            ask_gdb(scenario, build, program, ompdb)
        except Failure as failure:
            first = first or failure
            continue
        if again:
            print(f"# gdb says the same as ompdb when it is asked once more, time {again + 1}; before:")
            print("\n".join("# " + line for line in str(first).splitlines()))
        return
    raise first


def builds_of(scenario, turn, program):
    """All; in a whole run one for each program, so that it is built once, and none of every second scenario."""
    if FEW:
        return scenario.builds[:1]
    if not WHOLE_RUN or not scenario.any_build:
        return scenario.builds
    return scenario.builds[(program + TURN // 2) % len(scenario.builds):][:1] if (turn + TURN) % 2 else []


ROOT = tempfile.mkdtemp(prefix="ompdb-test-")
try:
    programs = {}
    for number, each in enumerate(scenarios.read(GROUP)):
        for one in builds_of(each, number, programs.setdefault(each.source, len(programs))):
            cases(Shared((each, one)))(check)
    main()
finally:
    shutil.rmtree(ROOT, ignore_errors=True)
