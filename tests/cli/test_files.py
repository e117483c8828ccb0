# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are gone, replaced, stripped, split or compressed: the most that can be told is, and
what is missing is said."""

from stacks import *

FRAMES = ("gamma_leaf", "beta", "alpha", "main")


def notes_about(shown, path):
    return [note for note in shown["notes"] if note.startswith((path + ": ", path + " "))]


def only_thread(shown):
    equal(len(shown["threads"]), 1, "number of threads")
    return shown["threads"][0]


def outer_pcs(thread):
    return [frame["pc"] for frame in thread["frames"] if not frame["inline"]]


# ---------------------------------------------------------------------------- gone while it runs


def replace(path):
    os.replace(copy("omp_nested-gcc-O0"), path)


def replace_by_a_script(path):
    with open(path + ".new", "w") as f:
        f.write("#!/bin/sh\nexit 1\n")
    os.replace(path + ".new", path)


CHANGES = {"removed": os.remove, "replaced": replace, "replaced by a script": replace_by_a_script}


@cases("removed", "replaced", "replaced by a script")
def an_executable_that_is_gone(how):
    path = copy("chain-gcc-O0")
    program = start(path)
    CHANGES[how](path)
    shown = report(program.pid)
    equal(shown["target"]["exe"], path, "path of the program")
    expect_chain(only_thread(shown))
    program.untouched()
    program.finish()


@cases("removed", "replaced")
def an_executable_that_is_gone_for_an_ordinary_user(how):
    path = copy("chain-gcc-O0")
    program = start(path, **ordinary_user())
    CHANGES[how](path)
    result = as_ordinary_user("stack", "--raw", "--json", program.pid)
    equal(result.status, 0, f"status of {result}")
    expect_chain(only_thread(json.loads(result.out)))
    program.untouched()
    program.finish()


def with_own_libgomp(**popen):
    """A program that waits in a libgomp of its own, and the path of that."""
    path = os.path.join(folder(), "libgomp.so.1")
    os.chmod(os.path.dirname(path), 0o755)
    shutil.copy(libgomp(), path)
    exe = copy("omp_barrier-gcc-O0")
    return start(exe, env={"LD_LIBRARY_PATH": os.path.dirname(path)}, **popen), path


def expect_barriers(shown, library):
    """All four threads with whole stacks through the library, and the names that it exports."""
    equal(len(shown["threads"]), 4, "number of threads")
    for thread in shown["threads"]:
        equal(thread["end"], None, f"what ends the stack of {thread['lwp']}")
        inside = [f["function"] for f in thread["frames"] if f["module"] == library]
        expect(inside, f"no frame in the library:\n{stack_of(thread)}")
        if thread is shown["threads"][0]:
            expect("GOMP_parallel" in inside, f"not the name:\n{stack_of(thread)}")


def may_follow_mappings(program):
    """Whether the files behind a program's mappings can be opened: root can, in few containers."""
    links = f"/proc/{program.pid}/map_files"
    try:
        return bool(os.stat(os.path.join(links, os.listdir(links)[0])))
    except OSError:
        return False


@cases("removed", "replaced")
def a_library_that_is_gone(how):
    program, library = with_own_libgomp()
    CHANGES[how](library)
    shown = report(program.pid)
    expect_barriers(shown, library)
    equal(notes_about(shown, library) == [], may_follow_mappings(program), "that its file is there")
    program.untouched()
    program.finish()


@cases("removed", "replaced")
def a_library_that_is_gone_for_an_ordinary_user(how):
    program, library = with_own_libgomp(**ordinary_user())
    CHANGES[how](library)
    result = as_ordinary_user("stack", "--raw", "--json", program.pid)
    equal(result.status, 0, f"status of {result}")
    shown = json.loads(result.out)
    expect_barriers(shown, library)
    expect(notes_about(shown, library), f"nothing said about {library}: {shown['notes']}")
    program.untouched()
    program.finish()


# ---------------------------------------------------------------------------- how it is built


@cases("dwarf4", "no_build_id", "nopie", "debuglink", "zlib", "split")
def a_program_with_lines(way):
    program = start("chain-" + way)
    shown = report(program.pid)
    expect_chain(only_thread(shown))
    equal(notes_about(shown, os.path.realpath(program.argv[0])), [], "notes about it")
    program.finish()


@case
def debug_sections_in_zstd():
    program = start("chain-zstd")
    shown = report(program.pid)
    thread = only_thread(shown)
    has_lines = thread["frames"][-1]["module"] and any(
        os.path.basename(f["file"] or "") == "chain.c" for f in thread["frames"])
    expect_chain(thread, lines=has_lines)
    if not has_lines:
        [note] = notes_about(shown, os.path.realpath(program.argv[0]))
        expect("zstd" in note and "objcopy" in note, f"no remedy: {note}")
    program.finish()


@case
def exported_functions_only():
    program = start("chain-exported")
    thread = only_thread(report(program.pid))
    expect_chain(thread, lines=False)
    own = [f for f in thread["frames"] if f["module"] == os.path.realpath(program.argv[0])]
    equal({f["line"] for f in own}, {None}, "lines")
    program.finish()


@case
def no_names_at_all():
    program = start("chain-stripped")
    thread = only_thread(report(program.pid))
    own = [f for f in thread["frames"] if f["module"] == os.path.realpath(program.argv[0])]
    equal(len(own), 5, f"frames in the program (with _start):\n{stack_of(thread)}")
    equal({f["function"] for f in own}, {None}, "their functions")
    equal(thread["end"], None, "what ends the stack")
    with open(f"/proc/{program.pid}/maps") as f:
        base = int(f.read().split("-")[0], 16)
    for frame in own:
        equal(int(frame["pc"], 16) - base, frame["offset"], "offset in the file's addresses")
    program.finish()


@cases(("beside it", "chain-debuglink.debug"), ("in .debug", ".debug/chain-debuglink.debug"))
def a_separate_debug_file(where, name):
    path = copy("chain-debuglink")
    debug = os.path.join(os.path.dirname(path), name)
    os.makedirs(os.path.dirname(debug), exist_ok=True)
    shutil.copy(testprog("chain-debuglink.debug"), debug)
    program = start(path)
    expect_chain(only_thread(report(program.pid)))
    program.finish()


def damage(path):
    """Changes one byte in the middle of the build-id, and so the checksum too."""
    with open(path, "r+b") as f:
        data = f.read()
        at = data.index(b"\x14\0\0\0\3\0\0\0GNU\0") + 12 + 10
        f.seek(at)
        f.write(bytes([data[at] ^ 0xff]))


@case
def a_separate_debug_file_of_another_program():
    path = copy("chain-debuglink")
    debug = path + ".debug"
    shutil.copy(testprog("chain-debuglink.debug"), debug)
    damage(debug)
    program = start(path)
    thread = only_thread(report(program.pid))
    equal(thread["end"], None, "what ends the stack")
    own = [f for f in thread["frames"] if f["module"] == path]
    equal({(f["function"], f["line"]) for f in own}, {(None, None)}, "functions and lines")
    program.finish()


@case
def split_debug_information_that_is_missing():
    path = copy("chain-split")
    with open(path, "r+b") as f:
        data = f.read()
        expect(b"chain-split.dwo" in data, "the program does not name its .dwo file")
        f.seek(0)
        f.write(data.replace(b"chain-split.dwo", b"chain-gone!.dwo"))
    program = start(path)
    thread = only_thread(report(program.pid))
    expect_calls(thread, "chain.c", CHAIN[:1], lines=False)  # the call inlined into it is not known
    expect_calls(thread, "chain.c", CHAIN[1:])
    equal(thread["end"], None, "what ends the stack")
    program.finish()


# ---------------------------------------------------------------------------- gone behind a core


def core_of_copy(name):
    """A core, the path of the program that it is of, and what the live program's thread was."""
    path = copy(name)
    program = start(path)
    live = only_thread(report(program.pid))
    core = own_core_of(program)
    program.finish()
    return core, path, live


@cases("chain-gcc-O0", "chain-gcc-O2")
def a_core_without_its_program(name):
    core, path, live = core_of_copy(name)
    os.remove(path)
    shown = report(core)
    equal(shown["target"]["exe"], path, "path of the program")
    thread = only_thread(shown)
    # read() in the C library, whose file is there, and whoever called it.
    equal(outer_pcs(thread)[:2], outer_pcs(live)[:2], "the innermost pcs")
    expect(thread["end"] or outer_pcs(thread) == outer_pcs(live),
           f"neither complete nor said why:\n{shown}")
    expect(notes_about(shown, path), f"nothing said about {path}: {shown['notes']}")


@case
def a_core_of_a_program_that_was_built_anew():
    core, path, live = core_of_copy("chain-gcc-O0")
    shutil.copy(testprog("chain-gcc-O2"), path)
    shown = report(core)
    thread = only_thread(shown)
    equal(outer_pcs(thread)[:2], outer_pcs(live)[:2], "the innermost pcs")
    equal([f["line"] for f in thread["frames"] if f["module"] == path and f["line"]], [], "lines")
    notes = notes_about(shown, path)
    expect(any("build-id" in n or "changed" in n or "replaced" in n for n in notes),
           f"nothing said about the change: {shown['notes']}")


@case
def a_core_and_the_program_from_elsewhere():
    core, path, live = core_of_copy("chain-gcc-O0")
    os.remove(path)
    for option in (("--exe", testprog("chain-gcc-O0")), ("--exe=" + testprog("chain-gcc-O0"),)):
        shown = report(*option, core)
        expect_chain(only_thread(shown))
        equal(outer_pcs(only_thread(shown)), outer_pcs(live), "pcs")
        equal(notes_about(shown, path), [], "notes")


@cases("removed", "replaced")
def a_core_and_a_library_that_is_gone(how):
    program, library = with_own_libgomp()
    live = stacks(program.pid)
    core = own_core_of(program)
    program.finish()
    CHANGES[how](library)
    shown = report(core)
    expect(notes_about(shown, library), f"nothing said about {library}: {shown['notes']}")
    equal([t["lwp"] for t in shown["threads"]], as_made(live, shown["target"]["pid"]), "the threads")
    for thread in shown["threads"]:
        equal(thread["frames"][0]["pc"], live[thread["lwp"]]["frames"][0]["pc"], "innermost pc")
        expect(thread["end"] or len(thread["frames"]) == len(live[thread["lwp"]]["frames"]),
               f"neither complete nor said why:\n{stack_of(thread)}")


@cases(("another program", "chain-gcc-O2", "not the program"), ("no ELF file", None, "no ELF"),
       ("no file", "", "/nonexistent"))
def a_core_and_the_wrong_program(what, name, word):
    core, _, _ = core_of_copy("chain-gcc-O0")
    exe = testprog(name) if name else __file__ if name is None else "/nonexistent/program"
    ompdb("stack", "--raw", "--exe", exe, core).refused(3, exe, word)


@case
def a_core_of_a_program_with_a_separate_debug_file():
    core, path, live = core_of_copy("chain-debuglink")
    equal({f["function"] for f in live["frames"] if f["module"] == path}, {None}, "functions")
    shutil.copy(testprog("chain-debuglink.debug"), path + ".debug")
    expect_chain(only_thread(report(core)))


main()
