#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures `ompdb stack` of a whole job beside one eu-stack or gdb for each rank, in turn on the same ranks.

usage: bench/job.py [--build DIR] [--runs N] [--ranks N] [--threads N]

Ranks are processes with the variables that a starter gives them, and sleep at a barrier: those of a
real MPI library spin, and would measure the scheduler. The peers' method is STAT's: one debugger
for each rank, one after the other, whose stacks are then merged; the merging is not counted. Prints
medians and the ratios to each peer, with the goal in brackets.

Standstill is how long a thread of the first rank stood, under ompdb and under two floors: a bare stop of all
threads of all ranks, of which registers are read, and what frames are found with, the innermost two pages of each
stack, by one process; or registers alone. The goal is about the former. Beside it the longest in which that thread
noticed nothing: behind the stop it waits for a processor while there are more lookers that think than processors.
"""
import argparse
import contextlib
import os
import shlex
import statistics
import subprocess
import sys

from stack import RUNTIMES, Bench, ask, peers, program

GOAL = 6  # times as fast as a peer
STANDSTILL = 1.5  # times as long as the floor
JUDGED = "standstill", "stop and read"


def one_by_one(name, pids):
    """The peer's commands for all ranks, as one."""
    lines = [shlex.join(peers([name], pid)[name]) for pid in pids if peers([name], pid)]
    return ["sh", "-c", " >/dev/null 2>&1\n".join(lines)] if lines else None


def compare(bench, runtime, options):
    path = bench.path("testprogs", RUNTIMES[runtime])
    if not os.path.exists(path):
        print(f"{runtime}: its test program was not built")
        return
    with contextlib.ExitStack() as ranks:
        pids = [ranks.enter_context(program([path, str(options.threads)], OMP_STACKSIZE="128k", PMI_RANK=str(n),
                                            PMI_SIZE=str(options.ranks))).pid for n in range(options.ranks)]
        commands = {"ompdb": [bench.ompdb, "stack", f"job:{pids[0]}"]}
        commands |= {name: line for name in ("eu-stack", "gdb") if (line := one_by_one(name, pids))}
        medians, peaks = bench.medians(commands)
        for name, seconds in medians.items():
            ratio = seconds / medians["ompdb"]
            told = "" if name == "ompdb" else f"  {ratio:6.1f} {'yes' if ratio >= GOAL else 'NO'} ({GOAL})"
            print(f"{runtime}, {options.ranks} ranks x {options.threads} threads  {name:9}"
                  f"{seconds * 1000:9.1f} ms {peaks[name]:6.1f} MB{told}", flush=True)


def standstill(bench, runtime, options):
    paths = [bench.path("bench", "watched-" + runtime), bench.path("testprogs", RUNTIMES[runtime])]
    if not all(map(os.path.exists, paths)):
        print(f"{runtime}: its programs were not built")
        return
    with contextlib.ExitStack() as stack:
        ranks = [stack.enter_context(program([paths[n > 0], str(options.threads)], OMP_STACKSIZE="128k", OMP_WAIT_POLICY="passive",
                                             KMP_BLOCKTIME="0", PMI_RANK=str(n), PMI_SIZE=str(options.ranks)))
                 for n in range(options.ranks)]
        pids = [str(rank.pid) for rank in ranks]
        floor = bench.path("bench", "floor")
        commands = {"ompdb": [bench.ompdb, "stack", f"job:{pids[0]}"], "stop and read": [floor, "--stacks", *pids],
                    "registers": [floor, *pids]}

        def longest(command):
            ask(ranks[0])
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            return ask(ranks[0])
        rounds = [{name: longest(command) for name, command in commands.items()} for _ in range(options.runs)]
        for i, what in enumerate(("noticed nothing", "standstill")):
            ours, *floors = (statistics.median(r[name][i] for r in rounds) for name in commands)
            for name, floor in zip(list(commands)[1:], floors):
                goal = f" {'yes' if ours / floor <= STANDSTILL else 'NO'} ({STANDSTILL})" if (what, name) == JUDGED else ""
                print(f"{what}, {runtime}, {options.ranks} ranks x {options.threads} threads  {ours:7.2f} ms, {name} {floor:7.2f} ms, "
                      f"ratio {ours / floor:.2f}{goal}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=32)
    parser.add_argument("--threads", type=int, default=4)
    options = parser.parse_args()
    bench = Bench(options)
    for runtime in RUNTIMES:
        compare(bench, runtime, options)
        standstill(bench, runtime, options)


if __name__ == "__main__":
    sys.exit(main())
