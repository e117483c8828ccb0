#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures `ompdb stack` of a whole job beside one eu-stack or gdb for each rank, in turn on the same ranks.

usage: bench/job.py [--build DIR] [--runs N] [--ranks N] [--threads N]

Ranks are processes with the variables that a starter gives them, and sleep at a barrier: those of a
real MPI library spin, and would measure the scheduler. The peers' method is STAT's: one debugger
for each rank, one after the other, whose stacks are then merged; the merging is not counted. Prints
medians and the ratios to each peer, with the goal in brackets.
"""
import argparse
import contextlib
import os
import shlex
import sys

from stack import RUNTIMES, Bench, peers, program

GOAL = 6  # times as fast as a peer


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


if __name__ == "__main__":
    sys.exit(main())
