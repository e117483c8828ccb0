#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that only start the one that is to be debugged: breakpoints wait for that."""

import mpi
from debugger import *

APPS = [f"omp_sharing_copies-{build}" for build in ("gcc-O0", "clang-O0")]
COMMANDS = ("break here", "run", "bt", "info inferiors", "delete", "continue", "continue")


def wrapped(words, *commands, env=None):
    """A session of --args."""
    own = folder()
    argv = ["-nx", "-q", "--color=never", "-ex", "set confirm off", "-ex", "set width 0"]
    for number, command in enumerate(commands):
        argv += ["-ex", f"echo \\n@@{number}\\n", "-ex", command]
    env = {"XDG_STATE_HOME": own, **(env or {})}
    return Session(ompdb(*argv, "--args", *words, env=env, stderr=subprocess.STDOUT), commands)


def script(text):
    path = os.path.join(folder(), "start")
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)
    return path


def check_stop(said, app):
    said("break here").has(r"^Breakpoint 1 \(here\) pending\.$")
    said("run").has(r"hit Breakpoint 1, here \(place=1\) at \S*omp_sharing_copies\.c:\d+  \[parallel region \d+, team of 2\]$")
    said("bt").has(r"^#1 .* pointers ", r" main \(")
    return said


def check_executed(said, app):
    """It is the same process."""
    check_stop(said, app)
    said("run").has(rf"^process \d+ is executing new program: \S*{app}$").has_not("New inferior")
    said("info inferiors").has(rf"^\* 1 +process \d+ .*{app}$")
    said("continue").has(r"^\[Inferior 1 \(process \d+\) exited normally\]$")


def check_followed(said, app):
    """It is another one, and who has started it is let go."""
    check_stop(said, app)
    said("run").has(rf"^\[New inferior 2 \(process \d+\), which executes \S*{app}\]$",
                    r"^\[Inferior 1 \(process \d+\) detached\]$")
    said("continue").has(r"^\[Inferior 2 \(process \d+\) exited normally\]$")
    said("continue", 2).has("The program is not being run")


@cases(*APPS)
def what_is_executed(app):
    path = testprog(app)
    check_executed(wrapped(["env", "A=1", path], *COMMANDS), app)
    check_executed(wrapped([need("taskset"), "-c", "0", path], *COMMANDS), app)
    check_executed(wrapped(["sh", "-c", f"exec '{path}'"], *COMMANDS), app)
    check_executed(wrapped([script(f"#! /bin/sh -e\ntrue\nexec '{path}' $1\n"), "x y"], *COMMANDS), app)


@cases(*APPS)
def what_is_started_by_shells(app):
    path = testprog(app)
    said = wrapped(["sh", "-c", f"true; '{path}'; echo behind $?"], *COMMANDS)
    check_followed(said, app)
    expect("behind 0" in said.result.out, "the shell has not gone on")
    check_followed(wrapped([script(f"#!/usr/bin/env sh\n(true; '{path}'; true) & wait\n")], *COMMANDS), app)


@cases(*APPS)
def what_a_wrapper_forks(app):
    """It has debug information, so that the user says what it is."""
    path, settings = testprog(app), ("set follow-fork-mode auto", "set breakpoint pending on")
    check_followed(wrapped([testprog("forking_wrapper"), path], *settings, *COMMANDS), app)
    # Its parent ends meanwhile.
    said = wrapped([testprog("forking_wrapper"), "gone", path], *settings, *COMMANDS)
    check_stop(said, app)
    said("continue").has(r"^\[Inferior \d \(process \d+\) exited normally\]$")


@case
def mpirun():
    path = testprog(APPS[0])
    check_followed(wrapped([need("mpirun"), "-n", "1", path], *COMMANDS, env=mpi.STARTING), APPS[0])


@case
def nobody_is_an_openmp_program():
    """Children that map no runtime end in peace; the program goes on being debugged."""
    said = wrapped(["sh", "-c", "true; /bin/true; exit 3"], "show follow-fork-mode", "run", "print $_exitcode")
    said("show follow-fork-mode").has('"auto"')
    said("run").has(r"^\[Inferior 1 \(process \d+\) exited with code 03\]$").has_not("New inferior")
    said("print $_exitcode").value("3")


@case
def a_program_is_let_go():
    said = wrapped(["env", "sh", "-c", "echo went on"], "set follow-exec off", "run", "info inferiors", "continue")
    said("run").has(r"^\[Inferior 1 \(process \d+\) detached: it executes /\S+\]$")
    said("info inferiors").has("<null>")
    said("continue").has("The program is not being run")
    expect("went on" in said.result.out, "the program has not gone on")


main()
