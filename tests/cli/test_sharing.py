#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""info sharing: what the source says of variables, and where they are; held against the addresses that programs print."""

import json

from debugger import *

PROGRAMS = [f"omp_sharing-{build}" for build in BUILDS]

# What the source says: of which construct's line, on what it rests.
SAYS = {
    "tmp": (["shared"], "parallel", "rule"),
    "own": (["private"], "parallel", "clause"),
    "first": (["firstprivate"], "parallel", "clause"),
    "sum": (["reduction"], "for", "clause"),
    "inner": (["private"], "parallel", "rule"),
    "i": (["private"], "for", "rule"),
    "calls": (["shared"], "parallel", "clause"),
    "counter": (["threadprivate"], None, "clause"),
}


def objects(said):
    return [json.loads(line) for line in said.result.out.splitlines() if line.startswith('{"v"')]


def sharing(said, command="info sharing"):
    """The objects that were printed for info sharing, in their order."""
    found = [o for o in objects(said) if o.get("type") == "sharing"]
    expect(found, f"no object of type sharing: {said.result.out}")
    return found


def rows(told):
    return {v["name"]: v for v in told["variables"]}


def truth(text):
    """{name: {number: address}} as the program printed it."""
    found = {}
    for number, name, address in re.findall(r"(\d) (\w+) (0x[0-9a-f]+)", text):
        found.setdefault(name, {})[number] = address
    return found


def check_truth(told, printed):
    """Every address is the one that the thread has printed; how many there are is said."""
    compared = 0
    for name, row in rows(told).items():
        for place in row["places"]:
            if "address" not in place or name not in printed:
                continue
            equal(place["address"], printed[name][place["thread"].split(".")[1]], f"{name} in {place['thread']}")
            compared += 1
        known = {p["address"] for p in row["places"] if "address" in p}
        if len(known) and len(known) + sum("register" in p for p in row["places"]) > 1:
            equal(row["addresses"], "one each", name)
    expect(compared >= 16, f"only {compared} addresses were there to be compared")


def check_source(told, constructs):
    for name, row in rows(told).items():
        if name not in SAYS:
            continue
        names, construct, basis = SAYS[name]
        equal(row["sharing"], names, f"what {name} is")
        equal(row["rests_on"], basis, f"what that of {name} rests on")
        equal(row["construct_line"], constructs.get(construct), f"line that decides on {name}")
        equal(row["contradiction"], None, f"contradiction of {name}")


@cases(*PROGRAMS)
def addresses_are_those_that_threads_print(program):
    core = os.path.join(folder(), "core")
    said = session(program, "break here", "run", "up", "info sharing", f"generate-core-file {core}", "kill",
                   options=("--json",))
    [live] = sharing(said)
    printed = truth(said.result.out)
    parallel = line_of("parallel", "omp_sharing.c") - 1
    constructs = {c["name"]: c["line"] for c in live["constructs"]}
    equal(constructs["parallel"], parallel, "the region's line")
    equal([c["name"] for c in live["constructs"]], ["for", "parallel"], "constructs")
    check_truth(live, printed)
    check_source(live, constructs)
    equal(rows(live)["sum"]["operator"], "+", "the reduction")
    missing = set(SAYS) - set(rows(live))
    equal(missing, set(), "variables that are missing")
    # The same of the core file.
    path = testprog(program)
    [stop] = [o for o in objects(said) if o.get("type") == "stop" and o["reason"] == "breakpoint"]
    stopped = f"0.{stop['team_number']}"
    of_core = session(None, f"file {path}", f"core-file {core}", f"thread {stopped}", "up", "info sharing",
                      options=("--json",))
    [told] = sharing(of_core)
    check_truth(told, printed)
    check_source(told, constructs)


@cases(*[p for p in PROGRAMS if not p.endswith("clang-O2")])
def a_missing_private_is_seen(program):
    """clang -O2 keeps no location of what tmp refers to."""
    said = session(program, "break here", "run", "up", "info sharing", "info sharing tmp", "info sharing own", "kill")
    said("info sharing").has(r"^tmp +shared +one address in 4 threads +no clause names it in \"parallel\" of line \d+$",
                             r"^own +private +4 addresses in 4 threads +a clause of \"parallel\" of line \d+$")
    said("info sharing tmp").has(r"^    0\.\[0-3\]: 0x[0-9a-f]+$")
    said("info sharing own").has(*(rf"^    0\.{n}: 0x[0-9a-f]+$" for n in range(4)))


@cases(*[p for p in PROGRAMS if not p.endswith("clang-O2")])
def a_source_that_has_changed(program):
    """Another text in the file's place: contradictions are told."""
    own = folder()
    with open(os.path.join(SOURCES, "omp_sharing.c")) as f:
        text = f.read()
    changed = os.path.join(own, "changed")
    gone = os.path.join(own, "gone")
    os.mkdir(changed)
    os.mkdir(gone)
    with open(os.path.join(changed, "omp_sharing.c"), "w") as f:
        f.write(text.replace("private(own)", "private(own, tmp, nosuch)"))
    with open(os.path.join(gone, "omp_sharing.c"), "w") as f:
        f.write(text.replace("#pragma omp parallel", "").replace("#pragma omp for", ""))
    for where, checks in ((changed, [r"^tmp +private +one address in 4 threads .*\n    but the threads have one address: the source",
                                     r"^Note: private\(nosuch\) of line \d+: the code here has no such variable"]),
                          (gone, [r"^Note: the code is that of a construct, and around line \d+ of the source there is none",
                                  r"^tmp +shared +one address in 4 threads +one address in all threads$",
                                  r"^own +private +4 addresses in 4 threads +an address for each thread$"])):
        said = session(program, "break here", "run", "up", f"set substitute-path {os.path.dirname(source_of(program))} {where}",
                       "info sharing", "kill")
        said("info sharing").has(*checks)


# By the mark of the place where the threads stand, what the source says; None: addresses alone do.
CXX = {
    "method": {"this": "shared", "ref": "shared", "copied": "firstprivate", "i": "private", "own": "private",
               "counter": "firstprivate"},
    "lambda": {"argument": "private", "sum": "private", "thread": None},
    "task": {"shared_one": "shared", "implicit": "shared", "first": "firstprivate", "creator": "firstprivate", "mine": "private"},
    "orphan": {"n": "private", "before": "private", "total": "reduction", "i": "private"},
}
# That is not described in what clang has made of a task, and of a lambda; in optimised code of tasks nothing tells of it.
UNKNOWN, UNTOLD = {"thread"}, {"shared_one", "implicit"}


@cases(*[f"omp_sharing_cxx-{build}" for build in BUILDS])
def objects_lambdas_tasks_and_orphans(program):
    unknown = UNKNOWN | (UNTOLD if program.endswith("clang-O2") else set())
    lines = ["break here", "run"]
    for _ in CXX:
        lines += ["up 2", "info sharing", "print named::counter", "continue"]
    said = session(program, *lines, options=("--json",))
    told = sharing(said)
    equal(len(told), len(CXX), "places")
    copy, *originals = (o["value"] for o in objects(said) if o.get("expression") == "named::counter")
    expect(copy.get("text") == "41" or ("missing" in copy and program.endswith("O2")), f"the copy: {copy}")
    equal([o.get("text") for o in originals], ["40"] * 3, "the original elsewhere")
    for (mark, wanted), here in zip(CXX.items(), told):
        table = rows(here)
        equal(here["line"], line_of(mark, "omp_sharing_cxx.cc"), f"the line of {mark}")
        equal({name for name in table} - set(wanted) - {"captured"}, set(), f"variables of {mark}")
        equal(set(wanted) - set(table) - unknown, set(), f"variables that are missing of {mark}")
        for name, row in table.items():
            equal(row["contradiction"], None, f"contradiction of {name}")
            if wanted.get(name):
                equal(row["sharing"], [wanted[name]], f"{name} of {mark}")
            else:
                expect(row["rests_on"] != "clause" and "declared" not in row["because"], f"{name}: {row['because']}")
        if "this" in table and program.endswith("O0"):
            equal(table["this"]["addresses"], "one address", "objects")


def source_of(program):
    said = session(program, "info source", "list main", "info source")
    found = re.search(r"(/\S*omp_sharing\.c)", said.result.out)
    return found[1] if found else os.path.abspath(os.path.join(SOURCES, "omp_sharing.c"))


@cases("omp_sharing_fortran-gcc-O0")
def fortran(program):
    said = session(program, "break here", "run", "up", "info sharing", "info sharing TMP", "kill", options=("--json",))
    every, one = sharing(said)
    [construct] = every["constructs"]
    equal(construct["name"], "parallel do", "construct")
    table = rows(every)
    wanted = {"tmp": ["shared"], "own": ["private"], "i": ["private"], "k": ["private"], "total": ["reduction"],
              "counted": ["shared"]}
    equal({name: table[name]["sharing"] for name in wanted if name in table}, wanted, "what they are")
    equal([v["sharing"] for v in one["variables"]], [["shared"]], "names of Fortran in capitals")
    # Arguments of a function that is called there are the caller's.
    [inside] = sharing(session(program, "break here", "run", "info sharing", "kill", options=("--json",)))
    equal({v["name"]: (v["sharing"], v["contradiction"]) for v in inside["variables"]},
          {name: ([], None) for name in "abc"}, "arguments")
    # What the compiler has made of an array has its name.
    said = session(program, "break seen", "run", "up", "info sharing", "info sharing a", "kill", options=("--json",))
    every, one = sharing(said)
    equal([(v["name"], v["sharing"]) for v in one["variables"]], [("a", ["shared"])], "an array")
    equal(sorted(rows(every)), ["a", "at"], "variables")


# By the mark of the place: variables, and whether threads have one address.
COPIES = {"pointers": {"p": "one each", "pp": "one each"}, "lengths": {"a": "one address", "n": "one each"},
          "tasks": {"own": "one each"}, "apart": {"sum": "unknown"}}

# Of variables that are declared in a region.
DECLARED = {"common": "shared", "table": "shared", "more": "shared", "each": "threadprivate", "plain": "private"}


@cases("omp_sharing_copies-gcc-O0", "omp_sharing_copies-clang-O0")
def shared_variables_of_which_threads_have_copies(program):
    """gcc passes what nobody writes as a copy, and each task has its creator's: nothing of that is a contradiction.
    And in a block with a reduction's copy, the name means that."""
    lines = ["break here", "run"]
    for _ in COPIES:
        lines += ["up", "info sharing", "continue", "continue"]
    lines += ["up", "info sharing"]
    told = sharing(session(program, *lines, options=("--json",)))
    declared = {name: row["sharing"] for name, row in rows(told.pop()).items()}
    equal(declared, {name: [what] for name, what in DECLARED.items()}, "what is declared in a region")
    equal([here["line"] for here in told], [line_of(mark, "omp_sharing_copies.c") for mark in COPIES], "places")
    for (mark, wanted), here in zip(COPIES.items(), told):
        equal([v["name"] for v in here["variables"]], list(wanted), f"variables of {mark}")
        for name, row in rows(here).items():
            equal((row["sharing"], row["contradiction"]), (["shared"], None), f"{name} of {mark}")
            equal(row["addresses"], wanted[name] if "gcc" in program or mark in ("apart", "tasks") else "one address", name)
            if mark == "pointers" and "gcc" in program:
                expect("each thread has a copy" in row["because"], row["because"])


@cases("omp_sharing_copies-gcc-O0", "omp_sharing_copies-clang-O0")
def a_thread_that_has_not_made_its_frame(program):
    said = session(program, "break here", "run", "up", "print/x $pc", "info symbol $pc", "kill")
    [pc] = re.findall(r"^\$1 = (0x[0-9a-f]+)", said.result.out, re.M)
    [offset] = re.findall(r"^\S+ \+ (\d+) ", said.result.out, re.M)
    said = session(program, "start", f"break *{int(pc, 16) - int(offset):#x}", "continue", "info sharing p", "kill",
                   options=("--json",))
    [told] = sharing(said)
    missing = {p.get("missing") for v in told["variables"] for p in v["places"]}
    expect("at the beginning of the function" in missing, f"places: {told['variables']}")
    equal({p.get("address") for v in told["variables"] for p in v["places"]}, {None}, "addresses")


def line_with(text, source):
    with open(os.path.join(SOURCES, source)) as f:
        return next(number for number, line in enumerate(f, 1) if text in line)


@case
def at_a_directive_that_is_not_entered_yet():
    """The line is one of the inner construct, the code that of the outer one."""
    program = "omp_captured-clang-O0"
    asks = line_with("if (middle == 201)", "omp_captured.c")
    said = session(program, f"break {asks + 1}", "run", "frame", "info sharing", "delete", "break stop_here if where == 2",
                   "continue", "up", "info sharing", "kill")
    said("frame").has(f"^{asks + 1}\t#pragma omp parallel")
    said("info sharing").has(rf'^Line {asks + 1} of \S+, in "parallel" of line {asks - 5}:$')
    said("info sharing", 2).has(f', in "parallel" of line {asks + 1}, in "parallel" of line {asks - 5}:$')


@case
def where_nothing_is_shared():
    said = session("omp_sharing-gcc-O0", "info sharing", "start", "info sharing", "break here", "continue", "up",
                   "info sharing nosuch", "kill")
    said("info sharing").has("no process|No thread|no stack|No stack|not being run")
    said("info sharing", 2).has("in no parallel region, and the selected line is in no construct")
    said("info sharing nosuch").has('[Nn]o symbol "nosuch" in current context')


main()
