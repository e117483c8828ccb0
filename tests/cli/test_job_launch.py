#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of a job that are debugged from before main: those that wait for it."""

import functools
import subprocess

from harness import *

ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
STARTERS = {"mpich": ("mpiexec.hydra", "-n", "2"), "openmpi": ("mpiexec.openmpi", "--bind-to", "none", "-np", "2")}
WRAPPER = (OMPDB, "rank", "--")


def name_of(pid):
    return status_field(pid, None, "Name")


def below(pid):
    """All its descendants."""
    return [lower for child in children(pid) for lower in (child, *below(child))]


def held(starter, count):
    """The ranks that wait, when there are so many."""
    def look():
        found = [pid for pid in below(starter.pid) if name_of(pid) == "ompdb-held"]
        return len(found) == count and found
    return wait_for(look, f"{count} ranks that wait")


def hold(*command):
    program = Program([*WRAPPER, *command])
    wait_for(lambda: name_of(program.pid) == "ompdb-held", "it to wait")
    return program


@functools.cache
def runs(mpi):
    return run(need(STARTERS[mpi][0]), *STARTERS[mpi][1:], "true", env={**os.environ, **ENVIRONMENT}).status == 0


def launch(mpi, *command):
    if not runs(mpi):
        skip(f"{mpi} does not run here")
    return Program([need(STARTERS[mpi][0]), *STARTERS[mpi][1:], *WRAPPER, *command], env=ENVIRONMENT)


def attach(pid, *commands):
    return ompdb("--batch", "--nx", "-p", pid, *(word for command in commands for word in ("--ex", command)))


@case
def what_waits_is_the_program_before_main():
    """The same process; nothing else of it has changed either."""
    program = hold(testprog("chain-gcc-O0"))
    expect(f"ompdb -p {program.pid}" in program.stderr() and "\n" not in program.stderr(), program.stderr())
    equal(os.path.basename(os.readlink(f"/proc/{program.pid}/exe")), os.path.basename(OMPDB), "program before")
    result = attach(program.pid, "info symbol $pc", "break main", "continue", "backtrace", "detach")
    equal((result.status, result.err), (0, ""), "status and messages")
    expect(re.search(r"^_start .*of .*ld-linux", result.out, re.M), result)
    expect(re.search(r"^Breakpoint 1, main \(.*\n.*\n#0  main \(", result.out, re.M), result)
    program.wait_ready()
    program.untouched()
    program.finish()


@case
def it_inherits_what_it_was_given():
    script = "echo $$; grep -E 'Sig(Blk|Ign|Cgt)' /proc/self/status; ulimit -n; ls /proc/$$/fd; env | sort"
    plain = run("sh", "-c", script, env={"A": "b"}).out.splitlines()
    process = subprocess.Popen([*WRAPPER, "sh", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, env={"A": "b"}, text=True)
    wait_for(lambda: name_of(process.pid) == "ompdb-held", "it to wait")
    os.kill(process.pid, signal.SIGCONT)
    said = process.communicate()[0].splitlines()
    equal((said[0], said[1:], process.returncode), (str(process.pid), plain[1:], 0), "what it has")


@cases((127, "/nowhere/at/all"), (127, "no-such-program"), (126, "/"), (126, __file__.rsplit("/", 1)[0] + "/meson.build"))
def what_cannot_be_executed(status, program):
    ompdb("rank", "--", program, "x").refused(status, f"{program} cannot be executed")


@case
def the_status_is_the_programs():
    program = hold("sh", "-c", "exit 7")
    os.kill(program.pid, signal.SIGCONT)
    equal(program.process.wait(), 7, "status")
    equal(ompdb("rank").status, 2, "status without a program")


@cases("mpich", "openmpi")
def ranks_wait_for_a_debugger(mpi):
    starter = launch(mpi, testprog("chain-gcc-O0"))
    ranks = held(starter, 2)
    expect(re.search(rf"'ompdb -p job:({ranks[0]}|{ranks[1]})' on ", starter.stderr()), starter.stderr())
    equal(starter.stderr().count("ompdb: "), 1, "lines of all ranks")
    result = ompdb("omp", "--json", f"job:{starter.pid}")
    expect(all(f'"target":"{pid}"' in result.out for pid in ranks), result)
    for pid in ranks:
        result = attach(pid, "break main", "continue", "detach")
        expect(re.search(r"^Breakpoint 1, main ", result.out, re.M), result)
    starter.kill()


@cases("mpich", "openmpi")
def no_rank_outlives_its_starter(mpi):
    starter = launch(mpi, "true")
    ranks = held(starter, 2)
    starter.kill()
    wait_for(lambda: not any(name_of(pid) for pid in ranks), "the ranks to end")


main()
