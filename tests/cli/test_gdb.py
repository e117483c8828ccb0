# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every frame of every thread agrees with gdb's: same pc, same function."""

import json

from harness import *

HERE = os.path.dirname(os.path.abspath(__file__))
BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")


def gdb_stacks(*target):
    result = run(need("gdb"), "-nx", "-batch", "-iex", "set debuginfod enabled off",
                 "-iex", "set backtrace past-main on", *target,
                 "-x", os.path.join(HERE, "gdb_frames.py"), seconds=120)
    lines = [line for line in result.out.splitlines() if line.startswith("FRAMES ")]
    expect(lines and len(lines[0]) > len("FRAMES {}"), f"gdb told nothing: {result}")
    return {int(lwp): frames for lwp, frames in json.loads(lines[0][7:]).items()}


def our_stacks(*target):
    result = ompdb("stack", "--raw", "--json", "--libc-lines", *target)
    equal(result.status, 0, "status")
    return {thread["lwp"]: thread["frames"] for thread in json.loads(result.out)["threads"]}


def plain(name):
    """A function's name without parameters, template arguments and what gdb leaves out."""
    if name is None:
        return None
    name = name.replace("(anonymous namespace)", "{anonymous}")
    name = re.sub(r" ?\[clone [^]]*\]", "", name).split("@")[0]
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    while re.search(r"\([^()]*\)", name):
        name = re.sub(r"\([^()]*\)(?: const)?", "", name)
    return re.sub(r"^.* ", "", name.strip())


def same_function(frame, name, start):
    ours, gdbs = plain(frame["function"]), plain(name)
    if ours == gdbs:
        return True
    if ours is None or gdbs is None:
        return False
    # Fortran: gdb shows DWARF's name of the main program, or the bare name of a module's procedure.
    if ours == "MAIN__" or ours.split("::")[-1] == gdbs.split("::")[-1]:
        return True
    return not frame["inline"] and start == int(frame["pc"], 16) - frame["offset"]


def compare(target, gdb_target):
    ours, gdbs = our_stacks(*target), gdb_stacks(*gdb_target)
    equal(sorted(ours), sorted(gdbs), "the list of threads")
    for lwp, frames in gdbs.items():
        shown = "\n".join(f"  {f['pc']} {f['function']}" for f in ours[lwp])
        gdb_shown = "\n".join(f"  {hex(pc)} {name} {kind}" for pc, name, kind, _ in frames)
        both = f"thread {lwp}: ompdb\n{shown}\ngdb\n{gdb_shown}"
        expect(len(ours[lwp]) == len(frames), f"different depth: {both}")
        for number, (frame, (pc, name, kind, start)) in enumerate(zip(ours[lwp], frames)):
            # gdb gives inlined frames the address of their holder, as we do.
            equal(int(frame["pc"], 16), pc, f"pc of frame {number}; {both}")
            equal(frame["inline"], kind == "inline", f"inlining of frame {number}; {both}")
            expect(kind == "signal" or same_function(frame, name, start),
                   f"frame {number}: {frame['function']} is {name} for gdb; {both}")


NAMES = [("omp_barrier", ()), ("omp_nested", ()), ("omp_tasks", ()), ("cxx_frames", ()),
         ("inline_frames", ()), ("callbacks", ()), ("signal_frames", ()), ("signal_frames", ("alt",))]


def in_builds(at, row):
    """A program in two builds; where time is short in one; other ones for the next program."""
    name, arguments = row
    two = [BUILDS[at % 2], BUILDS[3 - at % 2]]
    return [(f"{name}-{build}", arguments) for build in share(two, at)]


PROGRAMS = (
    [row for at, names in enumerate(NAMES) for row in in_builds(at, names)]
    + [("fortran_frames-gcc-O0", ()), ("fortran_frames-gcc-O2", ()), ("chain-static", ()),
       ("chain-staticpie", ()), ("chain-dwarf4", ()), ("chain-debuglink", ()),
       ("chain-no_build_id", ()), ("chain-nopie", ()), ("chain-stripped", ()), ("sleepers", (64,))])


def spins(name):
    """libomp's taskwait polls: two looks never see the same, a core does."""
    return name.startswith("omp_tasks-clang")


@cases(*(Shared(row) for row in PROGRAMS if not spins(row[0])))
def live(name, arguments):
    need("gdb")
    program = start(name, *arguments)
    compare([program.pid], ["-p", program.pid])
    program.finish()


@cases(*map(Shared, PROGRAMS))
def core(name, arguments):
    need("gdb")
    program = start(name, *arguments, settled=not spins(name))
    path = own_core_of(program)
    program.finish()
    compare([path], [testprog(name), "-c", path])


main()
