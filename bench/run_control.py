#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run_control.py BUILD [--only NAME] [--times N]: what a hit costs that stops nobody.

A bare loop of ptrace stops, ompdb's live target and gdb in turn, on the same program; medians of
microseconds for each hit, and their ratios. It measures, it tests nothing.
"""

import argparse
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

# name, how, threads, sleepers, hits of ompdb, hits of gdb
ROWS = [
    ("break if false", "break", 1, 0, 100000, 4000),
    ("break if false, 4 threads", "break", 4, 0, 25000, 1000),
    ("break if false, 64 threads", "break", 1, 63, 100000, 4000),
    ("break if false, 64 at once", "break", 64, 0, 1500, 60),
    ("break if false, 2048 threads", "break", 1, 2047, 100000, 0),
    ("ignore", "ignore", 1, 0, 100000, 4000),
    ("another's thread", "thread", 1, 0, 100000, 4000),
    ("watch if false", "watch", 1, 0, 50000, 4000),
]
GDB = {
    "break": ["break f if x == -1"],
    "ignore": ["break f", "ignore 1 1000000000"],
    "thread": ["break f thread 1 if x == -1"],
    "watch": ["watch watched if watched == -1"],
}


def run(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"{command[0]}: {done.stderr}")
    return done.stdout


def place(program, symbol):
    for line in run(["nm", program]).splitlines():
        if line.endswith(f" {symbol}"):
            return "0x" + line.split()[0]
    sys.exit(f"no {symbol} in {program}")


def end_of_code(program):
    for line in run(["readelf", "-lW", program]).splitlines():
        fields = line.split()
        if fields[:1] == ["LOAD"] and "E" in fields[6:-1]:
            return hex(int(fields[2], 16) + int(fields[5], 16))
    return "0"


def bare(build, how, n):
    return float(run([build / "bench/bare_loop", "watch" if how == "watch" else "trap", n]).split()[1])


def ompdb(build, row):
    _, how, threads, sleepers, n, _ = row
    hot = build / "bench/hot"
    at = place(hot, "watched" if how == "watch" else "f")
    out = run([build / "bench/hit_rate", how, at, end_of_code(hot), hot, threads, sleepers, n])
    return float(out.split()[1])


def gdb(build, row):
    """The time of many hits, less that of few."""
    _, how, threads, sleepers, _, n = row
    if not n or not shutil.which("gdb"):
        return None
    spans = []
    for count in (10, n):
        command = ["gdb", "-nx", "--batch", "-ex", "set pagination off"]
        for line in GDB[how] + [f"run {threads} {sleepers} {count} > /dev/null"]:
            command += ["-ex", line]
        start = time.monotonic()
        run([*command, build / "bench/hot"])
        spans.append(time.monotonic() - start)
    return (spans[1] - spans[0]) * 1e6 / (threads * (n - 10))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--no-gdb", action="store_true")
    options = parser.parse_args()
    print(f"{'microseconds for each hit':32} {'bare':>8} {'ompdb':>8} {'gdb':>8} {'of bare':>8} {'of gdb':>8}")
    for row in ROWS:
        if not re.search(options.only, row[0]):
            continue
        tries = [(bare(options.build, row[1], 20000), ompdb(options.build, row)) for _ in range(options.times)]
        floor = statistics.median(b for b, _ in tries)
        ours = statistics.median(o for _, o in tries)
        theirs = None if options.no_gdb else gdb(options.build, row)
        other = f"{theirs:8.1f}" if theirs else "       -"
        ratio = f"{theirs / ours:7.1f}x" if theirs else "       -"
        print(f"{row[0]:32} {floor:8.2f} {ours:8.2f} {other} {ours / floor:7.2f}x {ratio}", flush=True)


if __name__ == "__main__":
    main()
