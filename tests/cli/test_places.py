# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where names and lines lead to in programs that do not run: as in gdb, but where that is wrong."""

import json

from harness import *

HERE = os.path.dirname(os.path.abspath(__file__))
SHOW = os.path.join(BUILD, "tests", "live", "show_places")
BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")


def ask(path, questions, seconds=120):
    """The lines of each answer."""
    file = os.path.join(folder(), "asked")
    with open(file, "w", encoding="utf-8") as f:
        f.write("\n".join(questions) + "\n")
    with open(file, encoding="utf-8") as f:
        result = run(SHOW, path, stdin=f, seconds=seconds)
    equal(result.status, 0, f"status of {path}: {result.err}")
    answers = re.split(r"^\.\n", result.out, flags=re.M)
    equal(len(answers) - 1, len(questions), "the number of answers")
    return [answer.splitlines() for answer in answers[:-1]]


def places_in(answer):
    """[address, line] of each."""
    found = [re.match(r"(0x[0-9a-f]+) 0x[0-9a-f]+ .*:(\d+)(?: inlined)?$", line) for line in answer]
    return [[int(match[1], 16), int(match[2])] for match in found if match]


def gdb_places(path, questions):
    file = os.path.join(folder(), "questions")
    with open(file, "w", encoding="utf-8") as f:
        f.write("\n".join(questions) + "\n")
    result = run(need("gdb"), "-nx", "-batch", "-iex", "set debuginfod enabled off",
                 "-iex", "set breakpoint pending off", "-iex", "set width 0", path,
                 "-x", os.path.join(HERE, "gdb_places.py"), env=dict(os.environ, QUESTIONS=file), seconds=300)
    lines = [line for line in result.out.splitlines() if line.startswith("PLACES ")]
    expect(lines, f"gdb told nothing: {result}")
    return json.loads(lines[0][7:])


def function_names(path):
    """Of all functions that the debug information has entries for."""
    text = run(need("readelf"), "--debug-dump=info", path, seconds=120).out
    names, tag = set(), ""
    for line in text.splitlines():
        match = re.search(r"Abbrev Number: \d+ \((\w+)\)", line)
        tag = match[1] if match else tag
        match = re.search(r"DW_AT_name +: (?:\(.*?\): )?(.*)", line)
        if match and tag == "DW_TAG_subprogram":
            names.add(match[1].strip())
    return sorted(names)


def parts(path, kind, *options):
    """Where the parts of functions are that the compiler has put elsewhere."""
    rows = [line.split(maxsplit=3) for line in run(need("nm"), "-S", *options, path).out.splitlines()]
    return [(int(row[0], 16), int(row[0], 16) + int(row[1], 16))
            for row in rows if len(row) == 4 and kind in row[3]]


def outside(places, ranges):
    return {addr for addr, _ in places
            if not any(start <= addr < end for start, end in ranges)}


# The release whose rules ompdb follows. Since 15 gdb does not go on to a later line if that is in
# another function, and since 16 it has other places for functions in optimised code.
GDB = 13


def same_function(question, ours, gdbs, path, outlined):
    """Of templates and of outlined functions gdb does not find all names; and it takes what the
    compiler has outlined of a C++ function, or a lambda in it, for that function."""
    if ours and gdbs and release_of("gdb") > GDB and not path.endswith("-O0"):
        return True
    if "<" in question or ".omp_outlined" in question:
        return not gdbs
    our_set, gdb_set = {addr for addr, _ in ours}, {addr for addr, _ in gdbs}
    if our_set in (outside(gdbs, outlined), outside(gdbs, parts(path, "omp_"))):
        return True
    more = [place for place in ours if place[0] not in gdb_set]
    return gdb_set < our_set and not outside(more, parts(path, "<", "-C"))


def calls_of(path, *names):
    text = run(need("objdump"), "-d", "--no-show-raw-insn", path, seconds=120).out
    return [[int(addr, 16) for addr in re.findall(rf"^ +(\w+):\tcall +\w+ <{name}(?:@plt)?>$", text, flags=re.M)] for name in names]


def before_calls(ours, gdbs, calls):
    """gcc -O0 gives the construct that a function begins with no line: gdb stops in it or behind it, ompdb before it."""
    def moved(addr, line):
        before = [at for at, _ in ours if at < addr < at + 128 and any(at <= call < addr for call in calls)]
        return [before[-1], line] if before and addr not in {at for at, _ in ours} else [addr, line]
    return [moved(*place) for place in gdbs]


def behind_calls(question, ours, gdbs, calls):
    """What clang (19) asks of the runtime before a function's body has the line of a construct: there gdb stops, where no
    argument is in its place yet. ompdb stops behind it, or at the construct itself: gdb's places, moved to there."""
    theirs, asked = {addr for addr, _ in gdbs}, question.rpartition(":")[2]
    more = sorted((addr, line) for addr, line in ours if addr not in theirs)
    moved = []
    for addr, line in gdbs:
        early = addr not in {ours_addr for ours_addr, _ in ours} and any(addr < call < addr + 24 for call in calls)
        behind = [to for to in more if to[0] > addr and (to[0] - addr < 64 or str(to[1]) == asked or to[1] == line)] if early else []
        moved += [list(behind[0])] if behind else [[addr, line]]
    return moved


def same(question, ours, gdbs, path, cold, outlined):
    """Whether two answers are the same; or differ on purpose."""
    our_set, gdb_set = {addr for addr, _ in ours}, {addr for addr, _ in gdbs}
    if our_set == gdb_set:
        return True
    name, _, line = question.rpartition(":")
    if not name or not line.isdigit():
        return same_function(question, ours, gdbs, path, outlined)
    if release_of("gdb") > GDB and {addr for addr, at in ours if at == int(line)} <= gdb_set <= our_set:
        return True
    # The line has code, none of which is marked as a statement: gdb goes on to a later line.
    if ours and all(at == int(line) for _, at in ours) and all(at != int(line) for _, at in gdbs):
        return True
    # Of code in a cold part, gdb stops at the beginning of the function.
    warm = outside(ours, cold)
    return len(warm) < len(our_set) and warm <= gdb_set


def compare(path, source):
    names = function_names(path)
    with open(source, encoding="utf-8") as f:
        length = len(f.readlines())
    lines = [f"{os.path.basename(source)}:{line}" for line in range(1, length + 1)]
    questions = names + lines
    answers = ask(path, [f"function {name}" for name in names] + [f"line {line}" for line in lines])
    gdbs = gdb_places(path, questions)
    # Of lambdas clang's names are odd.
    cold, outlined = parts(path, ".cold"), parts(path, "omp_") + parts(path, "$_")
    calls, constructs = calls_of(path, "__kmpc_global_thread_num", r"(?:GOMP_\w+|omp_get_(?:num_threads|thread_num))")
    gdbs = [before_calls(our_places, behind_calls(question, our_places, gdb, calls), constructs)
            for question, our_places, gdb in zip(questions, map(places_in, answers), gdbs)]
    different = [f"{question}: {[hex(a) for a, _ in ours]}, gdb {[hex(a) for a, _ in gdb]}"
                 for question, ours, gdb in zip(questions, map(places_in, answers), gdbs)
                 if not same(question, ours, gdb, path, cold, outlined)]
    expect(not different, f"{len(different)} of {len(questions)}: " + "; ".join(different[:10]))


def source_of(name):
    """The source of a test program."""
    at = os.path.join(os.path.dirname(os.path.dirname(HERE)), "testprogs")
    for ending in (".c", ".cc", ".f90"):
        if os.path.exists(os.path.join(at, name + ending)):
            return os.path.join(at, name + ending)
    raise Failure(f"no source of {name}")


@cases(*((name, build) for name in ("symbol_inline", "symbol_names", "inline_frames", "cxx_frames",
                                    "omp_regions", "omp_cxx", "omp_loops", "signal_frames")
         for build in BUILDS))
def places_are_those_of_gdb(name, build):
    compare(testprog(f"{name}-{build}"), source_of(name))


@cases(*((name, build) for name in ("omp_fortran", "symbol_module", "fortran_frames")
         for build in ("gcc-O0", "gcc-O2")))
def places_of_fortran_are_those_of_gdb(name, build):
    compare(testprog(f"{name}-{build}"), source_of(name))


def names_of_places(tool, path, names):
    """What a table of breakpoints says of the places of these functions: address -> name."""
    lines = ["set width 0", "set breakpoint pending off", *[f"break {name}" for name in names], "info breakpoints"]
    result = run(tool, "-nx", "-q", "--batch", *[word for line in lines for word in ("-ex", line)], path,
                 env=dict(os.environ, DEBUGINFOD_URLS=""), seconds=120)
    rows = re.findall(r"^\S.*(0x[0-9a-f]{16}) in (.*) at \S+:\d+$", result.out, flags=re.M)
    expect(rows, f"no breakpoint: {result}")
    return {int(addr, 16): name for addr, name in rows}


@cases(*((name, build) for name in ("symbol_names", "symbol_inline", "cxx_frames", "omp_cxx")
         for build in ("gcc-O0", "clang-O0")),
       *((name, "gcc-O0") for name in ("fortran_frames", "symbol_module", "omp_fortran")))
def functions_are_called_what_gdb_calls_them(name, build):
    path = testprog(f"{name}-{build}")
    names = [name for name in function_names(path) if re.fullmatch(r"\w+", name)]
    found = zip(names, ask(path, [f"function {name}" for name in names]), gdb_places(path, names))
    names = [name for name, our_places, gdbs in found if places_in(our_places) and gdbs]
    ours, theirs = names_of_places(OMPDB, path, names), names_of_places(need("gdb"), path, names)
    both = sorted(ours.keys() & theirs.keys())
    expect(len(both) * 2 > len(theirs), f"most places are the same: {ours} {theirs}")
    equal({addr: ours[addr] for addr in both}, {addr: theirs[addr] for addr in both}, "names")


@cases("dwarf4", "zlib", "split", "static", "stripped", "exported", "nopie")
def places_in_files_of_other_kinds(way):
    compare(testprog("chain-" + way), source_of("chain"))


def refused(path):
    with open("/dev/null", encoding="utf-8") as nothing:
        result = run(SHOW, path, stdin=nothing)
    equal(result.status, 1, f"status of {path}")
    equal(len(result.err.splitlines()), 1, f"lines about {path}: {result.err}")
    return result.err


@case
def files_that_are_no_programs_are_refused():
    at = folder()
    shutil.copy(testprog("chain-static"), os.path.join(at, "program"))
    os.chmod(os.path.join(at, "program"), 0o644)
    with open(os.path.join(at, "text"), "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\n")
    with open(testprog("chain-static"), "rb") as f:
        whole = f.read()
    for name, data in ("cut", whole[:100]), ("object", whole[:16] + b"\1\0" + whole[18:]):
        with open(os.path.join(at, name), "wb") as f:
            f.write(data)
        os.chmod(os.path.join(at, name), 0o755)
    for name, words in (("missing", "No such file"), ("", "a directory"), ("text", "no ELF file"),
                        ("program", "not executable"), ("cut", "corrupt"),
                        ("object", "an object file")):
        told = refused(os.path.join(at, name))
        expect(words in told and at in told, f"{name}: {told}")
    told = refused(testprog("tiny32"))
    expect("32-bit program" in told, told)


@cases("gcc-O0", "clang-O2")
def names_are_completed_and_resembled(build):
    answers = ask(testprog(f"symbol_names-{build}"), [
        "complete mesh::vis", "complete vis", "complete mai", "complete no_such_name",
        "resemble vsiit", "resemble mian", "resemble mesh::vist", "resemble quite_another_name",
        "complete-file symbol_n", "resemble-file symbol_name.cc", "functions", "files"])
    for answer, expected in zip(answers, (
            ["mesh::visit"], ["visit"], ["main"], [], ["visit"], ["main"], ["mesh::visit"], [],
            ["symbol_names.cc"], ["symbol_names.cc"])):
        equal(answer, expected)
    expect(any(re.search(r" main .*/symbol_names\.cc:\d+$", line) for line in answers[-2]),
           "no main in the list of functions")
    equal(answers[-1], sorted(set(answers[-1])), "files")
    expect(any(line.endswith("/symbol_names.cc") for line in answers[-1]), "its file is missing")


@cases(*BUILDS)
def what_is_not_there_is_told(build):
    answers = ask(testprog(f"symbol_inline-{build}"), [
        "function no_such_function", "line no_such_file.c:1", "line symbol_inline.c:100000",
        "function", "function ((", "function ::", "function <", "line symbol_inline.c:0"])
    equal(answers[0], [])
    expect("no source file named no_such_file.c" in answers[1][0], answers[1])
    expect(re.search(r'No line 100000 in file "symbol_inline.c": line \d+ is the last', answers[2][0]),
           answers[2])
    for answer in answers[3:7]:
        equal(answer, [])
    expect(answers[7][0].startswith("line "), answers[7])


main()
