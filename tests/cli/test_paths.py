# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules whose paths are hard to tell from what /proc/PID/maps makes of paths: there a newline is
shown as \\012, a backslash as it is, and a file that is gone has " (deleted)" after its name."""

from stacks import *

NAMES = {
    "newline": "two\nlines",
    "backslash": "back\\slash\\",
    "what a newline is shown as": "two\\012lines",
    "both": "a\nb\\012c",
}
LEAF = ("gamma_leaf", "chain.c", "leaf")
SOLVE = ("solve_part._omp_fn.0", "omp_part.c", "in part")


def shown_as(path):
    return path.replace("\n", r"\x0a")


def expect_module(shown, path, function, source, mark):
    """Fails unless that function is shown in that module and at its line, and nothing is amiss."""
    equal(shown["notes"], [], "notes")
    frames = [f for t in shown["threads"] for f in t["frames"] if f["function"] == function]
    expect(frames, f"no {function}:\n" + "\n".join(stack_of(t) for t in shown["threads"]))
    for frame in frames:
        equal(frame["module"], shown_as(path), "module")
        equal((os.path.basename(frame["file"] or ""), frame["line"]),
              (source, line_of(source, mark)), f"place of {function}")


def placed(name, which):
    """A folder for all users with copies of a program and a library under that name."""
    away = os.path.join(folder(), "in " + NAMES[name])
    os.makedirs(away)
    os.chmod(os.path.dirname(away), 0o755)
    path = os.path.join(away, NAMES[name])
    shutil.copy(testprog(which), path)
    return path


@cases(*NAMES)
def a_program_with_that_name(name):
    path = placed(name, "chain-gcc-O0")
    program = start(path)
    shown = report(program.pid)
    equal(shown["target"]["exe"], shown_as(path), "path of the program")
    expect_module(shown, path, *LEAF)
    program.finish()


@cases("program", "library")
def a_name_that_sounds_deleted(which):
    """As the kernel shows it, the file has the name without the last word; but it is found."""
    NAMES[which] = "gone (deleted)"
    if which == "program":
        path = placed(which, "chain-gcc-O0")
        program = start(path)
    else:
        need_root()  # who else may follow a mapping?
        path = placed(which, "omp_part-gcc.so")
        program = start("omp_load", path)
    place = LEAF if which == "program" else SOLVE
    expect_module(report(program.pid), path[:-len(" (deleted)")], *place)
    program.finish()


@cases(*((name, user) for name in NAMES for user in ("root", "an ordinary user")))
def a_library_with_that_name(name, user):
    if user == "root":
        need_root()
    path = placed(name, "omp_part-gcc.so")
    others = ordinary_user() if user != "root" else {}
    program = start(copy("omp_load"), path, **others)
    look = as_ordinary_user if others else ompdb
    result = look("stack", "--raw", "--json", program.pid)
    equal(result.status, 0, f"status of {result}")
    expect_module(json.loads(result.out), path, *SOLVE)
    program.untouched()
    program.finish()


@cases(*NAMES)
def a_library_with_that_name_in_another_mount_namespace(name):
    """Another file has that path here."""
    path = placed(name, "fake_mpi.so")
    script = ('mount -t tmpfs none "${2%/*}" && cp "$1" "$2" && exec "$3" "$2"')
    program = Program([*namespaces(["--mount"]), "sh", "-c", script, "sh",
                       testprog("omp_part-gcc.so"), path, testprog("omp_load")])
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    expect_module(report(program.pid), path, *SOLVE)
    program.untouched()
    program.finish()


main()
