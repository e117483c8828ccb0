# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values that `ompdb why` shows beside those whom it blames: of the loops and branches around
the place where a thread is, and of subscripts there."""

from why import *

PASSES = {  # text as the source has it: {number of the thread: what it is}
    "limit": dict.fromkeys("012", "5"),
    "used[i]": {"0": "0", "1": "1", "2": "2"},
    "i": {"0": "0", "1": "1", "2": "2"},
    "name": dict.fromkeys("012", '"bay"'),
    "round": dict.fromkeys("012", "7"),
}
FORTRAN = {
    "list(i)": dict.fromkeys("01", "7"),
    "i": dict.fromkeys("01", "3"),
    "n": dict.fromkeys("01", "3"),
    "me": {"0": "0", "1": "1"},
}
LOCKS = {"k": {"1": "2"}, "slot": {"1": "0"}, "omp_get_thread_num()": {"1": "1"}}
SKIPS = {"omp_get_thread_num()": {"0": "0", "1": "1", "2": "2"}}
ROUNDS = {"i": dict.fromkeys("023", "2"), "rounds": dict.fromkeys("023", "3")}

HANGS = (
    ("why_deciding", "passes", 4, PASSES, {"branch": "used[i]", "rounds": "round"}),
    ("why_deciding", "locks", 4, LOCKS, {"locks": "slot"}),
    ("why_barriers", "skips", 4, SKIPS, {}),
    ("why_barriers", "too_few_rounds", 4, ROUNDS, {}),
)


def values_of(told):
    """{name: {number of the thread: value}} of all links, without addresses of texts."""
    numbers = {w["lwp"]: w["omp"].split(".")[-1] for w in told["waits"] if w["omp"]}
    found = {}
    for blame in told["blame"]:
        for value in blame["values"]:
            text = re.sub(r"^0x\w+ (?=\")", "", value["text"])
            for lwp in value["threads"]:
                found.setdefault(value["name"], {})[numbers[lwp]] = text
    return found


def holds(told, wanted, optimised, where):
    """All of it where nothing is optimised; else what is there is right."""
    found = values_of(told)
    for name, values in found.items():
        expect(values.items() <= wanted.get(name, {}).items(),
               f"{where}: {name} is {values}, not {wanted.get(name)}")
    if not optimised:
        equal(found, wanted, where)


def at_marks(told, source, marks):
    places = {value["name"]: shown_place(value) for b in told["blame"] for value in b["values"]}
    for mark, name in marks.items():
        if name in places:
            equal(places[name], place(source, mark), f"line of {name}")


def both(program, wanted, source, marks, build):
    optimised = build.endswith("O2")
    for target in (program.pid, own_core_of(program)):
        told = why(target)
        holds(told, wanted, optimised, f"{build}, {target}")
        at_marks(told, source, marks)
    if optimised:
        return
    text = ompdb("why", program.pid).out
    for name in wanted:
        expect(f" {name} = " in text, f"{name} is not in {text}")


@cases(*((*h, v) for h in HANGS for v in NATIVE))
def what_decides_is_shown(name, argument, tells, wanted, marks, v):
    s = hang(name, argument, None, None, {}, tells=tells, team=4)
    program, _ = begin_hang(s, v)
    both(program, wanted, name, marks, v.build)


@cases("gcc-O0", "gcc-O2")
def what_decides_in_fortran(build):
    program = Program([testprog(f"why_fortran-{build}")])
    wait_for(lambda: len(threads(program.pid)) == 3, "its threads")
    wait_until_it_hangs(program.pid)
    both(program, FORTRAN, "why_fortran", {"loop": "i"}, build)


@case
def without_the_source_arguments_are_shown():
    path = os.path.join(folder(), "elsewhere")
    run(need("g++"), "-g", "-fopenmp", f"-fdebug-prefix-map={SOURCES}=/nowhere", "-o", path,
        os.path.join(SOURCES, "why_deciding.cc"))
    program = Program([path, "passes", "4"])
    read_truths(program, 4)
    wait_until_it_hangs(program.pid)
    found = values_of(why(program.pid))
    equal(found.get("i"), PASSES["i"], "an argument")
    expect("limit" not in found, f"{found} without the source")


main()
