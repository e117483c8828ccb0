#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs of real MPI libraries that hang, and some that do not: which rank is to blame, and the stacks of all as one tree."""

import ctypes
import itertools
import json
import struct

from mpi import *
from why import *

SIZES = ("gcc-O0", "clang-O2", "gcc-O2", "clang-O0")
OTHERS = "MPI_Allreduce()"
NOT_COUNTED = "The kernel does not count (perf_event_open) whether ranks leave their calls and come back: if none does, that is a deadlock."

# By case: the verdict, its class, then by line of blame the ranks, the place, and words of what they do.
HANGS = {
    "team": ("deadlock", "rank", [("1", "leave", "waits at the end of the parallel region"), ("0,2", "reduce", OTHERS)]),
    "lock": ("deadlock", "rank", [("2", "again", "waits for lock 'lock', probably held by itself"), ("0,1", "reduce", OTHERS)]),
    "critical": ("deadlock", "rank", [("0", "critical", "waits at the end of the parallel region"), ("1,2", "reduce", OTHERS)]),
    "task": ("waiting", "outside", [("1", "task", "nobody has fulfilled the event of a detached task"), ("0,2", "reduce", OTHERS)]),
    "crash": ("crashed", "rank", [("1", "crash", "SIGSEGV: it used a null pointer"), ("0,2", "reduce", OTHERS)]),
    "input": ("waiting", "outside", [("2", "read", "is in read("), ("0,1", "reduce", OTHERS)]),
    "compute": ("progressing", "imbalance", [("1", None, "computes"), ("0,2", "reduce", OTHERS)]),
    "mismatch": ("deadlock", "collective", [("1", "other", "is in MPI_Barrier()"), ("0,2", "reduce", OTHERS)]),
    "create": ("deadlock", "collective", [("0", "graph", "is in MPI_Graph_create()"), ("1", "window", "is in MPI_Win_create_dynamic()"),
                                          ("2", "receive", "is in MPI_Recv() from rank 0, tag 9")]),
    "ring": ("deadlock", "message", [(str(n), "receive", f"is in MPI_Recv() from rank {(n + 1) % 3}, tag 7") for n in range(3)]),
    "region": ("deadlock", "message", [(str(n), "receive", f"is in MPI_Recv() from rank {(n + 1) % 3}, tag 7") for n in range(3)]),
    "unsent": ("deadlock", "message", [("0", "receive", "is in MPI_Recv() from rank 1, tag 5"), ("1,2", "reduce", OTHERS)]),
    "tag": ("deadlock", "message", [("0", "send", "is in MPI_Ssend() to rank 1, tag 1"),
                                    ("1", "receive", "is in MPI_Recv() from rank 0, tag 2"), ("2", "reduce", OTHERS)]),
    "head-on": ("deadlock", "message", [("0", "send", "is in MPI_Ssend() to rank 1, tag 3"),
                                        ("1", "send", "is in MPI_Ssend() to rank 0, tag 3"), ("2", "reduce", OTHERS)]),
    "probe": ("deadlock", "message", [("0", "probe", "is in MPI_Probe() from rank 2, tag 4"), ("2,1", "reduce", OTHERS)]),
    "exchange": ("deadlock", "message", [(str(n), "swap", f"is in MPI_Sendrecv() from rank {(n + 1) % 3}, tag 1, and to rank {(n + 1) % 3}, tag 1")
                                         for n in range(3)]),
    "finalize": ("deadlock", "message", [("0", "finalize", "is in MPI_Finalize()"),
                                         ("1,2", "receive", "is in MPI_Recv() from rank 0, tag 9")]),
    # What cannot be known is not guessed.
    "communicator": ("unknown", "none", [(str(n), "receive", f"from rank {(n + 1) % 3} of another communicator") for n in range(3)]),
    "fence": ("unknown", "none", [("0,1", "fence", "is in MPI_Win_fence()"), ("2", "reduce", OTHERS)]),
    "any": ("unknown", "none", [("0-2", "receive", "is in MPI_Recv() from any rank")]),
    "request": ("unknown", "none", [("0-2", "wait", "is in MPI_Wait()")]),
}


def why(starter, *options):
    return ompdb("why", "--json", *QUICK, *options, f"job:{starter.pid}")


def told(starter):
    """The verdict, once there is one; {} before."""
    result = why(starter)
    return json.loads(result.out) if result.out else {}


def ranks_of(link):
    text = ",".join(str(rank) for rank in link["ranks"])
    return "0-2" if text == "0,1,2" else text


def is_told(answer, verdict, kind, blame, source):
    """Places are at the end of 'function at file:line'."""
    links = answer.get("blame", [])
    if kind in ("collective", "message") and NOT_COUNTED in answer.get("reasons", []):
        verdict = "unknown"
    return (answer.get("verdict"), answer.get("class"), len(links)) == (verdict, kind, len(blame)) and all(
        ranks_of(link) == ranks and words in link["does"] and
        (mark is None or link["where"].endswith(" at " + place(source, mark)))
        for link, (ranks, mark, words) in zip(links, blame))


def expect_told(starter, wanted, source):
    answers = []

    def look():
        answers.append(told(starter))
        return is_told(answers[-1], *wanted, source)
    try:
        wait_for(look, "the verdict", seconds=300)
    except Failure:
        said = answers[-1]
        alone = [(m["rank"], m["messages"], (m["answer"] or {}).get("summary")) for m in said.get("members", [])]
        raise Failure(f"{said.get('verdict')}, {said.get('class')}, {said.get('blame')}, not {wanted}; of the ranks: {alone}") from None
    return answers[-1]


def counters(lwp):
    """Hardware breakpoints of a thread, until none is left. An empty list: the kernel does not give any."""
    event = struct.pack("2I5Q2I2Q", 5, 72, 0, 0, 0, 0, 1 << 5 | 1 << 6, 0, 4, 8, 8)  # PERF_TYPE_BREAKPOINT, ..., HW_BREAKPOINT_X
    files = []
    while (file := ctypes.CDLL(None).syscall(298, event, lwp, -1, -1, 8)) >= 0:  # perf_event_open
        files.append(file)
    return files


def expect_doubt_without_counters(starter, answer):
    """Ranks may be passing messages to and fro."""
    counted = [counters(int(m["target"])) for m in answer["members"]]
    counts = all(counted) and not debug_registers_stop_nobody()
    equal((answer["verdict"], answer["confidence"]), ("deadlock", "probable") if counts else ("unknown", "guess"), "while the kernel counts, if it does")
    result = why(starter)
    answer = json.loads(result.out)
    equal((result.status, answer["verdict"], answer["confidence"], NOT_COUNTED in answer["reasons"]), (0, "unknown", "guess", True), "without counters")
    for file in itertools.chain(*counted):
        os.close(file)


# Each case runs with one MPI or the other, every fifth with sanitizers: ranks spin while they wait,
# and everything else waits for them.
PAIRS = [[Shared((name, f"{mpi}-{size}")) for mpi, size in zip(STARTERS, sizes)]
         for name, sizes in zip(HANGS, itertools.cycle(itertools.permutations(SIZES, 2)))]


@cases(*(row for at, pair in enumerate(PAIRS) if not WHOLE_RUN or SANITIZED == (at % 5 == 0) for row in pair[at % 2:at % 2 + 1]))
def ranks_that_hang(name, build):
    mpi = build.split("-")[0]
    starter = launch(mpi, f"mpi_job-{build}", name)
    answer = expect_told(starter, HANGS[name], "mpi_job")
    finding = answer["verdict"] in ("deadlock", "crashed")
    equal(max(m["status"] for m in answer["members"]) == 4, HANGS[name][1] == "rank", "a finding in a rank")
    if name == "ring":
        expect_doubt_without_counters(starter, answer)
    if HANGS[name][1] in ("rank", "imbalance"):
        result = ompdb("why", *QUICK, f"job:{starter.pid}")
        equal(result.status, 4 if finding else 0, "status")
        # What computes is at another line by now.
        expect(answer["summary"].split(" in ")[0] in result.out, result)
    starter.kill()


@cases(*share([Shared((build,)) for build in ("mpich-gcc-O2", "openmpi-gcc-O0", "openmpi-gcc-O2")], 0))
def ranks_in_fortran(build):
    """Arguments are addresses there, and functions of one or two libraries stand between."""
    starter = launch(build.split("-")[0], f"mpi_job_fortran-{build}")
    expect_told(starter, HANGS["ring"], "mpi_job_fortran")
    starter.kill()


@case
def threads_that_must_not_be_in_mpi_together():
    """Open MPI alone tells what it has granted."""
    starter = launch("openmpi", "mpi_job-openmpi-gcc-O0", "threads")
    answer = expect_told(starter, ("stuck", "threads", [("0", "receive", "is in MPI_Recv() from rank 1")]), "mpi_job")
    summary = "Probably stuck: 2 threads of rank 0 are in MPI at the same time, which MPI_THREAD_FUNNELED does not allow.\n"
    equal(answer["summary"], summary.rstrip("\n"), "summary")
    # At the prompt it counts, too, though no rank says so of itself.
    result = ompdb("-q", "-nx", "-p", f"job:{starter.pid}", "--batch", "-ex", "omp why")
    equal((result.status, summary in result.out, "stuck" in result.out.replace(summary, "")), (4, True, False), f"{result}")
    starter.kill()


@case
def a_rank_that_has_ended():
    starter = launch("mpich", "mpi_job-mpich-gcc-O0", "gone")
    answer = expect_told(starter, ("stuck", "gone", [("0,2", "reduce", OTHERS)]), "mpi_job")
    expect(": rank 1 has ended; " in answer["summary"], answer)
    expect(answer["found"].startswith("2 of 3 ranks of "), answer)
    starter.kill()


@cases(*share([Shared(("healthy", "mpich-gcc-O2")), Shared(("healthy", "openmpi-clang-O2")), Shared(("ping-pong", "openmpi-gcc-O2")),
                Shared(("apart", "mpich-clang-O2"))], 1))
def ranks_that_go_on(name, build):
    """Each look may find them in calls that do not fit each other."""
    starter = launch(build.split("-")[0], f"mpi_job-{build}", name)
    wait_for(lambda: (answer := told(starter)) and len(answer["members"]) == 3 and answer["verdict"] != "waiting", "the ranks, behind MPI_Init()")
    answer = json.loads(why(starter, "--once").out)
    expect(answer["verdict"] in ("progressing", "unknown"), answer)
    for _ in range(5 if name == "healthy" else 2):
        answer = told(starter)
        expect(answer["verdict"] in ("progressing", "unknown"), answer)
    starter.kill()


@cases(*share([Shared(("mpich-gcc-O0",)), Shared(("openmpi-clang-O0",))], 0))
def stacks_are_one_tree(build):
    starter = launch(build.split("-")[0], f"mpi_job-{build}", "team")
    expect_told(starter, HANGS["team"], "mpi_job")
    result = ompdb("stack", f"job:{starter.pid}")
    equal((result.status, result.err), (0, ""), "status")
    # What MPI's functions call is their own affair.
    lines = [re.sub(r"^[ |`+-]*", "", line) for line in result.out.splitlines()]
    at = lines.index("2 threads: [0,2]:main", lines.index(f"main  at {place('mpi_job', 'called')}"))
    functions = [line.split()[0] for line in lines[at + 1:at + 5]]
    equal((functions[:2], functions[2].lstrip("P"), functions[3]), (["leave_team", "reduce"], "MPI_Allreduce", "=>"), "stack of 0 and 2")
    expect(any(line.startswith("thread 1:0.1 => waits at the end of the region") for line in lines), result)
    expect(f"-- parallel region 0, team of 2, level 1, at {place('mpi_job', 'leave')} --" in result.out, result)
    starter.kill()


main()
