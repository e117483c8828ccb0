# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which OMPD libraries ompdb loads: never one that the target has planted."""

from openmp import *

PROGRAM = "omp_barrier-clang-O0"


def trusted_folder():
    """A new folder to which only root and whoever runs the test can write, from / on."""
    parent = "/var/lib" if os.geteuid() == 0 else os.path.expanduser("~")
    path = folder(parent)
    os.chmod(path, 0o755)
    part = path
    while part != "/":
        part = os.path.dirname(part)
        at = os.stat(part)
        if at.st_mode & 0o022 or at.st_uid not in (0, os.geteuid()):
            skip(f"others may write to {part}")
    return path


def place_runtime(where, library=True):
    """Puts libomp into a folder, and a planted libompd.so beside it."""
    shutil.copy(libomp_of(None), os.path.join(where, "libomp.so.5"))
    if library:
        shutil.copy(testprog("planted_ompd.so"), os.path.join(where, "libompd.so"))


def start_with(where, *before, **popen):
    """A program that uses the libomp of a folder; before: a command that runs it."""
    program = Program([*before, copy(PROGRAM)], env={"LD_LIBRARY_PATH": where}, **popen)
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    program.pid = (children(program.pid) or [program.pid])[0]  # of a command that forks
    with open(f"/proc/{program.pid}/maps") as f:
        expect(f"{where}/libomp.so.5" in f.read(), "the program has another libomp")
    return program


def expect_unharmed(target, **popen):
    """ompdb shows the program without having loaded the planted library."""
    made = os.path.join(folder(), "made")
    os.chmod(os.path.dirname(made), 0o777)
    for command in ("omp", "stack", "why"):
        options = ["--once"] if command == "why" else []
        result = ompdb(command, *options, target, env={"PLANTED_FILE": made}, **popen)
        expect(result.status in (0, 4), f"no success: {result}")
        expect(not os.path.exists(made), f"the planted library was loaded: {result}")
    return ompdb("omp", target, **popen).out


@case
def the_planted_library_works():
    """Else the other cases would prove nothing."""
    made, place = os.path.join(folder(), "made"), trusted_folder()
    place_runtime(place)
    program = start_with(place)
    ompdb("omp", program.pid, env={"PLANTED_FILE": made})
    expect(os.path.exists(made), "it was not loaded beside the runtime of one's own program")
    program.finish()


@case
def a_core_file_that_names_the_current_folder():
    first, second = trusted_folder(), trusted_folder()
    place_runtime(first, library=False)
    place_runtime(second)
    program = start_with(first)
    path = core_of(program)
    program.finish()
    # Of the same length, so that nothing in the core moves.
    link = "/proc/self/cwd"
    name = link + "/" * (len(first) - len(link))
    with open(path, "rb") as f:
        core = f.read()
    expect(core.count(first.encode()), "the core does not name the library's folder")
    with open(path, "wb") as f:
        f.write(core.replace(first.encode(), name.encode()))
    shutil.rmtree(first)
    expect("libomp" in expect_unharmed(path, cwd=second), "nothing is told about libomp")


@case
def a_process_of_another_user():
    need_root()
    place = trusted_folder()
    place_runtime(place)
    program = start_with(place, **ordinary_user())
    expect_unharmed(program.pid)
    program.finish()


NAMESPACES = {"mount": ("--mount",), "user": ("--user", "--map-root-user"),
              "all": ("--user", "--map-root-user", "--pid", "--fork", "--kill-child",
                      "--mount-proc")}


@cases(*NAMESPACES)
def a_process_in_another_namespace(kind):
    unshare = [need("unshare"), *NAMESPACES[kind]]
    if kind != "user" and os.geteuid() != 0:
        unshare.append("--user")
    probe = run(*unshare, "true")
    if probe.status != 0:
        skip(f"no new {kind} namespace here: {probe.err.strip()}")
    place = trusted_folder()
    place_runtime(place)
    program = start_with(place, *unshare)
    expect_unharmed(program.pid)
    program.finish()


@case
def what_is_refused_is_said_where_no_other_library_is():
    need_root()
    empty, place = folder(), trusted_folder()
    os.chmod(empty, 0o755)
    script = f'mount --bind {empty} "$(dirname "$1")" && shift && exec "$@"'
    installed = os.path.join(os.path.dirname(os.path.realpath(libomp_of(None))), "libompd.so")
    without = [need("unshare"), "--mount", "sh", "-c", script, "-", installed]
    if run(*without, "true").status != 0:
        skip("no new mount namespace here")
    place_runtime(place)
    program = start_with(place, **ordinary_user())
    result = run(*without, OMPDB, "omp", program.pid)
    equal(result.status, 0, f"status of {result}")
    for words in (f"beside {place}/libomp.so.5 none is looked for",
                  f"process {program.pid} belongs to user {NOBODY}", "--ompd-library"):
        expect(words in result.out, f"nothing about {words!r}: {result}")
    program.finish()


main()
