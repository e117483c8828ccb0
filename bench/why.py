#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures `ompdb why --once` beside `ompdb stack`, in turn on the same process.

usage: bench/why.py [--build DIR] [--runs N] [--threads N,N,...] [--only SCENARIO]

Prints medians of N runs and what the verdict costs more than the stacks alone. SCENARIO is one of
barrier (one thread has not arrived), locks (all but one wait for a lock), tasks (some are queued).
"""
import argparse
import os
import subprocess
import sys

from stack import Bench, program

SCENARIOS = {
    "barrier": ["omp_barrier"],
    "locks": ["omp_locks", "lock"],
    "tasks": ["omp_taskstates", "queued"],
}
COMPILERS = ["gcc", "clang"]
# libomp's threads do not sleep while they wait for a lock: so many would measure the scheduler.
SPINNERS_MAX = {("locks", "clang"): 64}


def check(command):
    """Measuring takes any exit status; a failure is none to measure."""
    status = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if status.returncode not in (0, 4):
        sys.exit(f"{' '.join(command)}: {status.stderr.decode(errors='replace')}")


def compare(bench, title, pid):
    commands = {name: [bench.ompdb, *words, str(pid)]
                for name, words in {"stack": ["stack"], "why": ["why", "--once"]}.items()}
    for command in commands.values():
        check(command)
    medians, peaks = bench.medians(commands)
    more = (medians["why"] / medians["stack"] - 1) * 100
    print(f"{title:28} stack {medians['stack'] * 1000:7.1f} ms {peaks['stack']:5.1f} MB   "
          f"why {medians['why'] * 1000:7.1f} ms {peaks['why']:5.1f} MB   {more:+6.1f} %",
          flush=True)


def run(bench, scenario):
    name, *arguments = SCENARIOS[scenario]
    for compiler in COMPILERS:
        path = bench.path("testprogs", f"{name}-{compiler}-O2")
        if not os.path.exists(path):
            print(f"{scenario}, {compiler}: its test program was not built")
            continue
        most = SPINNERS_MAX.get((scenario, compiler), sys.maxsize)
        for threads in (n for n in bench.options.threads if n <= most):
            with program([path, *arguments, str(threads)], OMP_STACKSIZE="128k",
                         OMP_WAIT_POLICY="passive", KMP_BLOCKTIME="0") as child:
                compare(bench, f"{scenario}, {compiler}, {threads} threads", child.pid)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--threads", default="16,64,512",
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--only", choices=SCENARIOS)
    options = parser.parse_args()
    bench = Bench(options)
    for scenario in [options.only] if options.only else SCENARIOS:
        run(bench, scenario)


if __name__ == "__main__":
    main()
