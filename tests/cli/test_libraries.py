# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that is not there yet, in libraries that are loaded later; and programs and libraries whose debug
files lie elsewhere."""

import json

from debugger import *

SOURCES_OF_GDB = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb", "programs")


def line_in(source, mark):
    return line_of(mark, os.path.join(SOURCES_OF_GDB, source))


def built(own, program):
    """A program and the library that it is linked with, or loads."""
    compiler = need("gcc")
    run(compiler, "-g", "-O0", "-shared", "-fPIC", "-o", f"{own}/liblibrary.so", f"{SOURCES_OF_GDB}/library.c")
    run(compiler, "-g", "-O0", "-o", f"{own}/{program}", f"{SOURCES_OF_GDB}/{program}.c",
        *(["-ldl"] if program == "loads" else [f"{own}/liblibrary.so", f"-Wl,-rpath,{own}"]))
    return f"{own}/{program}"


# ------------------------------------------------------------------------------------ not there yet


@case
def pending_breakpoints_get_their_places():
    own = folder()
    added, begun = line_in("library.c", "library_add"), line_in("library.c", "library_constructor")
    said = session(built(own, "loads"), "break library_add", "set breakpoint pending on", "break library_add",
                   f"tbreak library.c:{begun}", "info breakpoints", "run", "info breakpoints", "continue", "run", "kill",
                   "info breakpoints", "run", cwd=own)
    said("break library_add").has('Function "library_add" not defined').has_not("pending")
    said("break library_add", 2).has('^warning: Function "library_add" not defined', r"^Breakpoint 1 \(library_add\) pending\.$")
    said("info breakpoints").has(r"^1 .*<PENDING> +library_add$", rf"^2 .*<PENDING> +library\.c:{begun}$")
    said("run").has(rf"^Temporary breakpoint 2, library_begin \(\) at library\.c:{begun}$").has_not(r"^Breakpoint 1 at")
    said("info breakpoints", 2).has(rf"^1 .* 0x[0-9a-f]+ in library_add at library\.c:{added}$").has_not("^2")
    said("continue").has(rf"^Breakpoint 1, library_add \(a=20, b=3\) at library\.c:{added}$")
    said("run", 2).has("^Breakpoint 1, library_add ")
    said("info breakpoints", 3).has("in library_add at")
    said("run", 3).has("^Breakpoint 1, library_add ")


@cases("gcc", "clang")
def a_runtime_that_is_unloaded(compiler):
    """What sleeps in code that is gone sleeps on, whoever stops the program and whenever."""
    part = testprog(f"why_part-{compiler}.so")
    said = session("omp_closed", f"set args {part}", "run", "catch unload", "run", "info sharedlibrary", "info threads", "continue",
                   "continue")
    said("run").has("^ready$", "exited normally").has_not("SIGSEGV")
    said("run", 2).has(r"hit Catchpoint 1\n +Inferior unloaded ")
    said("info sharedlibrary").has("libc").has_not("why_part")
    said("continue").has(r"hit Catchpoint 1\n +Inferior unloaded ")
    said("continue", 2).has("^ready$", "exited normally")
    program = start("omp_closed", part)
    for command in (("stack",), ("why", "--once"), ("-q", "--batch", "-ex", "info threads", "-p")):
        expect(ompdb(*command, program.pid).status in (0, 4), f"{command} has failed")
    program.untouched()
    program.finish()


@case
def a_program_is_told_of_their_places():
    own = folder()
    result = ompdb("-nx", "-q", "--json", "--batch", "-ex", "set breakpoint pending on", "-ex", "break library_add", "-ex", "run",
                   "-ex", "kill", built(own, "loads"), cwd=own, env={"XDG_STATE_HOME": own})
    found = [json.loads(line) for line in result.out.splitlines()]
    kinds = [each["type"] for each in found if each["type"] in ("warning", "breakpoint", "notice", "stop")]
    equal(kinds, ["warning", "breakpoint", "notice", "breakpoint", "stop"], "objects")
    pending, placed = [each for each in found if each["type"] == "breakpoint"]
    [notice] = [each for each in found if each["type"] == "notice"]
    equal((notice["what"], notice["number"], notice["text"]), ("breakpoint-resolved", 1, "library_add"), "notice")
    equal((pending["locations"], [each["function"] for each in placed["locations"]]), ([], ["library_add"]), "locations")


# ------------------------------------------------------------------------------------ debug files


def by_link(own, path):
    """Next to it in another folder, by the name that it has."""
    below = f"{own}/debug" + os.path.dirname(path)
    os.makedirs(below, exist_ok=True)
    return f"{below}/{os.path.basename(path)}.debug"


def by_build_id(own, path):
    notes = run(need("readelf"), "-n", path).out
    number = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
    os.makedirs(f"{own}/debug/.build-id/{number[:2]}", exist_ok=True)
    return f"{own}/debug/.build-id/{number[:2]}/{number[2:]}.debug"


def part(own, path, place):
    """Takes names and lines away to where "place" says."""
    debug = place(own, path)
    run(need("objcopy"), "--only-keep-debug", path, debug)
    run("objcopy", "--strip-all", *([f"--add-gnu-debuglink={debug}"] if place == by_link else []), path)


PLACES = {"a link": by_link, "build-id": by_build_id}


@cases(*PLACES)
def debug_files_lie_elsewhere(name):
    own, place = folder(), PLACES[name]
    program, added = built(own, "library_user"), line_in("library.c", "library_add")
    part(own, program, place)
    part(own, f"{own}/liblibrary.so", place)
    given = ("break main", f"break library.c:{added}", "run", "list", "info sharedlibrary", "continue", "bt", "list", "kill")

    def found(said, runs=1):
        said("break main").has(r"^Breakpoint \d+ at 0x[0-9a-f]+: file library_user\.c, line \d+\.$")
        said("run", runs).has(r"^Breakpoint \d+, main \(\) at library_user\.c:\d+$")
        said("list").has("MARK: first_call")
        said("info sharedlibrary").has(r"Yes +\S+/liblibrary\.so$")
        said("continue").has(rf"^Breakpoint \d+, library_add \(a=1, b=2\) at library\.c:{added}$")
        said("bt").has(rf"^#0  library_add .* at library\.c:{added}$", r"^#1 .* in main \(\) at library_user\.c:\d+$")
        said("list", 2).has("MARK: library_add")

    pending, where = "set breakpoint pending on", f"set debug-file-directory {own}/debug"
    found(session(program, *given, options=("-iex", pending, "-iex", where)))
    # At the prompt, before the program is named, and behind that.
    found(session(None, pending, where, f"file {program}", *given))
    said = session(program, pending, "break back", where, "info breakpoints", *given)
    said("info breakpoints").has(r"^1 .* in back at library_user\.c:\d+$")
    found(said)
    # Without them: the program runs, its library has no lines.
    said = session(program, "info line main", "start", "starti", "info sharedlibrary", "kill")
    said("info line main").has("not defined")
    said("info sharedlibrary").has(r"Yes \(\*\) +\S+$", r"^\(\*\): Shared library is missing debugging information\.$")
    # When the program is there already, the next run finds them.
    found(session(program, pending, "starti", where, "kill", *given))


main()
