#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events of OpenMP: what counting one costs, beside a bare stop and resume by ptrace, and gdb.

    omp_control.py [--build BUILD] [--runs N] [--tasks N]

ompdb counts the creation and the beginning of each task ('catch omp task-create task-begin -count');
gdb passes by a breakpoint at GOMP_task with an ignore count. All run in turn; medians are told. A wrong count
is an error.
"""
import argparse
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

TIMEOUT = 900


def run(command):
    began = time.monotonic()
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL)
    return time.monotonic() - began, done.stdout


def session(debugger, commands, program, n):
    line = [debugger, "-nx", "-q", "--batch"]
    for text in commands:
        line += ["-ex", text]
    return run(line + ["--args", program, n])


def ompdb(args, program):
    """Microseconds for each event, without what starting and ending the program takes; peak memory is not measured."""
    commands = ["catch omp task-create task-begin -count", "run", "info omp counts"]
    nothing, _ = session(args.ompdb, commands, program, 0)
    seconds, said = session(args.ompdb, commands, program, args.tasks)
    for event in ("task-create", "task-begin"):
        found = re.search(rf"^{event} +(\d+)$", said, re.M)
        if not found or int(found.group(1)) != args.tasks:
            sys.exit(f"{event}: {found and found.group(1)} instead of {args.tasks} were counted:\n{said[-2000:]}")
    return (seconds - nothing) * 1e6 / (2 * args.tasks)


def gdb(args, program):
    """The same of a tenth of the tasks, and of their creation alone: it takes long."""
    n = max(args.tasks // 10, 1)
    commands = ["set breakpoint pending on", "break GOMP_task", "ignore 1 1000000000", "run", "info breakpoints"]
    nothing, _ = session("gdb", commands, program, 0)
    seconds, said = session("gdb", commands, program, n)
    if f"already hit {n} times" not in said:
        sys.exit(f"gdb has not counted {n} tasks:\n{said[-2000:]}")
    return (seconds - nothing) * 1e6 / n


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tasks", type=int, default=100000)
    args = parser.parse_args()
    args.ompdb = args.build / "src/ompdb"
    for runtime in ("libgomp", "libomp"):
        program = args.build / "bench" / f"tasks-{runtime}"
        if not program.exists():
            print(f"{runtime}: no compiler for it")
            continue
        results = {"bare": [], "ompdb": [], "gdb": []}
        for _ in range(args.runs):
            results["bare"].append(float(run([args.build / "bench/bare_loop", "trap", args.tasks])[1].split()[1]))
            results["ompdb"].append(ompdb(args, program))
            if runtime == "libgomp" and shutil.which("gdb"):
                results["gdb"].append(gdb(args, program))
        medians = {name: statistics.median(r) for name, r in results.items() if r}
        print(f"{runtime}: us for each event: " + ", ".join(f"{name} {m:.2f}" for name, m in medians.items()))
        print(f"  ompdb / bare {medians['ompdb'] / medians['bare']:.2f} [goal 1.60]")
        if "gdb" in medians:
            print(f"  gdb / ompdb {medians['gdb'] / medians['ompdb']:.1f} [goal 10]")


main()
