#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of a job that are debugged from before main: those that wait for it, and those that a starter tells of."""

from mpi import *

WRAPPER = (OMPDB, "rank", "--")
# MPICH's starter tells the others by a signal that one has ended.
PASSED = "handle SIGUSR1 nostop noprint pass"


def name_of(pid):
    return status_field(pid, None, "Name")


def below(pid):
    """All its descendants."""
    return [lower for child in children(pid) for lower in (child, *below(child))]


def end(pids):
    """Whoever inherits them may take its time to reap them."""
    wait_for(lambda: all(proc_state(pid) in (None, "Z") for pid in pids), "the processes to end")


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


def launch_held(mpi, *command):
    if trouble(mpi):
        skip(f"{mpi} does not run here: {trouble(mpi)}")
    return Program([need(STARTERS[mpi][0]), *STARTERS[mpi][1:], *WRAPPER, *command], env=ENVIRONMENT)


def at_main(result):
    """Those that have come to it; what comes at the same moment is told together."""
    texts = [text for ranks in re.findall(r"^Ranks? (\S+) thread 1 .*hit Breakpoint 1, main ", result.out, re.M) for text in ranks.split(",")]
    ends = [(text.split("-")[0], text.split("-")[-1]) for text in texts]
    return sorted(rank for first, last in ends for rank in range(int(first), int(last) + 1))


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


@cases(*share([Shared(("mpich",)), Shared(("openmpi",))], 0))
def ranks_wait_for_a_debugger(mpi):
    starter = launch_held(mpi, testprog("chain-gcc-O0"))
    ranks = held(starter, 3)
    wait_for(lambda: re.search(rf"'ompdb -p job:({ranks[0]}|{ranks[1]}|{ranks[2]})' on ", starter.stderr()), "how to attach")
    equal(starter.stderr().count("ompdb: "), 1, "lines of all ranks")
    result = ompdb("omp", "--json", f"job:{starter.pid}")
    expect(all(f'"target":"{pid}"' in result.out for pid in ranks), result)
    result = attach(f"job:{ranks[1]}", "break main", "continue")
    equal(at_main(result), [0, 1, 2], "ranks at main")
    starter.kill()


@cases(*share([Shared(("mpich",)), Shared(("openmpi",))], 1))
def no_rank_outlives_its_starter(mpi):
    starter = launch_held(mpi, "true")
    ranks = held(starter, 3)
    starter.kill()
    end(ranks)


def job(*command, commands=(), **env):
    return ompdb("--batch", "--nx", *(word for line in commands for word in ("--ex", line)), "--mpi", *command, env=env)


@case
def a_starter_tells_of_its_ranks():
    """Also of one that it starts later, which gets the breakpoints that all have; what it has names in is hostile."""
    commands = ["info ranks", "break tell rank 0", "break rank_main", "condition 2 number != 4", "break exit", "delete 3", "continue",
                "info breakpoints", "continue", "continue"]
    for what in ((), ("replaces",)):
        result = job(testprog("mpir_launch"), *what, commands=commands)
        expect(re.match(r"2 ranks of mpir_launch \d+ \(MPIR\), 2 on this host\n", result.out), result)
        expect(r"read by /nowhere/\x1b[1mqueues.so (MPIR_dll_name)" in result.out, result)
        expect("3 ranks of mpir_launch" in result.out, result)
        equal(sorted(re.findall(r"^rank (\d) runs$", result.out, re.M)), ["0", "1", "2"], "ranks that have run")
        for rank in (0, 1, 2):
            expect(re.search(rf"Rank {rank} thread 1 .* hit Breakpoint 2, rank_main \(number=(number@entry=)?{rank}\)", result.out), result)
        expect(re.search(r"^\[(1,)?2\]:\nNum .*\n2 +breakpoint ", result.out, re.M), result)
        expect("No rank of the job is left." in result.out, result)


@case
def it_ends_with_the_session():
    result = job(testprog("mpir_launch"), commands=["info ranks", "break rank_main", "continue"])
    pids = [int(pid) for pid in re.findall(r"^\* \d +(\d+) ", result.out, re.M)]
    expect(len(pids) >= 2, result)
    end(pids)
    expect(not re.search(r"^rank [01] runs", result.out, re.M), result)


@case
def news_come_while_nobody_types():
    """And nothing is left of the job when ompdb is killed."""
    program = Program([OMPDB, "--nx", "-q", "--mpi", testprog("mpir_launch")])
    said = b""
    while not re.search(rb"Rank 2 thread 1:\n(.*\n)+", said):
        got = os.read(program.process.stdout.fileno(), 4096)
        expect(got, f"it has ended: {said} {program.stderr()}")
        said += got
    starter = int(re.search(rb"3 ranks of mpir_launch (\d+) ", said)[1])
    pids = [starter, *children(starter)]
    equal(len(pids), 4, "processes of the job")
    program.kill()
    end(pids)


@cases(("abort", ["continue"], r"The job is being given up by its starter: no \x1b[31mway\x0a."), ("absurd", [], "It has 2147483647 entries"),
       ("ends", [], "has ended with status 3 before it has told of any rank"))
def what_else_a_starter_tells(what, commands, words):
    result = job(testprog("mpir_launch"), what, commands=["break rank_main", *commands] if commands else [])
    expect(words in result.out + result.err, result)
    equal(result.status, 0 if commands else 1, "status")


@case
def what_starts_no_ranks():
    for command, words in ((["/nowhere/mpiexec"], "No such file"), (["true"], "'true' has no table of its ranks for debuggers (MPIR)"),
                           (["sh", "-c", "exit 5 # ompdb rank "], "has ended with status 5 before")):
        result = job(*command)
        expect(words in result.err and result.status == 1, result)
    for arguments in (["--mpi"], ["--mpi", "--args", "true"], ["--mpi", "-p", "1", "true"]):
        equal(ompdb(*arguments).status, 2, f"status of {arguments}")


@cases(*share([Shared(("mpich",)), Shared(("openmpi",))], 0))
def ranks_that_wait_are_found(mpi):
    if trouble(mpi):
        skip(f"{mpi} does not run here: {trouble(mpi)}")
    result = job(*STARTERS[mpi], *WRAPPER, testprog(f"mpi_job-{mpi}-gcc-O0"), "nothing", commands=["break main", "continue", "delete", PASSED, "continue"], **ENVIRONMENT)
    expect(re.search(r"^3 ranks of (mpiexec|prterun)\S* \d+, by ", result.out, re.M), result)
    equal(at_main(result), [0, 1, 2], "ranks at main")
    expect("No rank of the job is left." in result.out and "waits for a debugger" not in result.err, result)


@cases(("openmpi", True), ("mpich", False))
def ranks_are_told_by_real_starters(mpi, names_library):
    result = job(*starter_with_table(mpi), testprog(f"mpi_job-{mpi}-gcc-O0"), "healthy", commands=["break reduce", "continue"], **ENVIRONMENT)
    expect(re.match(r"3 ranks of mpiexec\S* \d+ \(MPIR\), 3 on this host\n", result.out), result)
    equal("(MPIR_dll_name)" in result.out, names_library, "names a library for queues of messages")
    expect(re.search(r"^Ranks? [-0-2,]+ thread 1 hit Breakpoint 1, reduce \(\) at mpi_job.c:\d+$", result.out, re.M), result)


@cases(("openmpi",), ("mpich",))
def ranks_are_found_by_real_starters(mpi):
    starter = Program([*starter_with_table(mpi), testprog(f"mpi_job-{mpi}-gcc-O0"), "team"], env=ENVIRONMENT)
    found = rf"3 ranks of \S+ {starter.pid} \(MPIR\), 3 on this host\n\nDeadlock: in rank 1 thread 0.0 waits at the barrier at mpi_job.c:\d+; "
    wait_for(lambda: re.match(found, ompdb("why", f"job:{starter.pid}").out), "the job to hang, and its table")
    starter.kill()


main()
