#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run control beside gdb's, and beside what the kernel charges for it.

Each row runs ompdb, gdb and, where there is one, a bare loop of ptrace in turn on the same program;
printed are medians, their ratios, and in brackets the goals. What has no brackets has no goal. It
measures, it tests nothing, but for counts of hits: they must be exact.
"""
import argparse
import collections
import os
import pathlib
import re
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import big_dwarf

# floor: a function, or the name of a row above it; ompdb may cost so many times that.
# gdb: it must cost so many times what ompdb does.
Row = collections.namedtuple("Row", "name unit measure floor at_most gdb",
                             defaults=(None, None, None))
TIMEOUT = 900


class Missing(Exception):
    """What is measured is not there."""


class Bench:
    def __init__(self, build, big):
        self.folder, self.big = build / "bench", big
        self.debuggers = {"ompdb": build / "src/ompdb", "gdb": shutil.which("gdb")}

    def command(self, debugger, commands, program=None):
        """A session without the user's settings that executes commands."""
        if program and not pathlib.Path(program).exists():
            raise Missing(f"{pathlib.Path(program).name}: not built")
        line = [self.debuggers[debugger], "-nx", "-q", "--batch"]
        for text in commands:
            line += ["-ex", text]
        return [str(part) for part in line + ([program] if program else [])]

    def run(self, command, **options):
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, **options)
        if done.returncode:
            raise Missing(f"{command[0]}: status {done.returncode}: {done.stderr[-300:]}")
        return done.stdout

    def whole(self, command):
        """Seconds and peak MB of a command."""
        seconds, kib = self.run([self.folder / "measure", *command]).split()
        return float(seconds), float(kib) / 1024

    # What rows measure: functions of the debugger's name, those of the floor of nothing.

    def bare(self, how):
        return lambda: float(self.run([self.folder / "bare_loop", how, "20000"]).split()[1])

    def hits(self, commands, arguments, ours, theirs, counted=False):
        """Microseconds for each call of f(), as the program measures it: "hot ARGUMENTS", with
        so many calls by each thread under ompdb and under gdb."""
        def measure(debugger):
            each = str(ours if debugger == "ompdb" else theirs)
            go = ["break main", "run " + arguments.replace("N", each)] + commands + ["continue"]
            out = self.run(self.command(debugger, go + ["info breakpoints"], self.folder / "hot"))
            calls, each = re.search(r"(\d+) calls, ([\d.]+) us each", out).groups()
            if counted and f"already hit {calls} times" not in out:
                raise Missing(f"{debugger} did not count {calls} hits:\n{out[-500:]}")
            return float(each)
        return measure

    def start(self, which, commands, program):
        """Seconds (0) or MB (1) from the start to the end of a session."""
        return lambda debugger: self.whole(self.command(debugger, commands, program()))[which]

    def script(self, setup, line, times, program):
        """Seconds of a session that executes a line so many times, from a file."""
        def measure(debugger):
            with tempfile.NamedTemporaryFile("w", suffix=".gdb") as script:
                script.write((line + "\n") * times)
                script.flush()
                go = setup + [f"source {script.name}", "kill"]
                return self.whole(self.command(debugger, go, self.folder / program))[0]
        return measure

    def dwarf(self):
        program = self.big / "big"
        if not program.exists():
            raise Missing("there is no such program yet: --build-dwarf makes it, in some minutes")
        return program

    def team(self, runtime, threads, times=9):
        """Microseconds from a thread's call of here() to the prompt, from one session."""
        def measure(debugger):
            program = self.folder / f"team-{runtime}"
            with Prompt([self.debuggers[debugger], "-nx", "-q", program]) as prompt:
                for line in ("set pagination off", "set confirm off", "break here"):
                    prompt.ask(line)
                spans = [prompt.ask(f"run {threads} {times} < /dev/null")]
                spans += [prompt.ask("continue") for _ in range(times - 1)]
            return statistics.median(spans[1:])
        return measure

    def all_stop(self, runtime, threads):
        """Microseconds in which the live target stops so many threads that are asleep."""
        def measure():
            with Waiting([self.folder / f"team-{runtime}", str(threads), "0"]) as pid:
                return float(self.run([self.folder / "all_stop", str(pid), "9"]).split()[0])
        return measure

    def attached(self, threads, commands):
        """Seconds of a session that attaches to a program with so many threads."""
        def measure(debugger):
            with Waiting([self.folder / "team-libgomp", str(threads), "0"]) as pid:
                return self.whole(self.command(debugger, [f"attach {pid}", *commands]))[0]
        return measure


class Waiting:
    """A program that has said that it is ready, and ends with its stdin."""

    def __init__(self, command):
        self.command = command

    def __enter__(self):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      text=True, env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        if "ready\n" not in self.child.stdout:
            raise Missing(f"{self.command[0]} did not start")
        return self.child.pid

    def __exit__(self, *unused):
        self.child.kill()
        self.child.communicate()


class Prompt:
    """A debugger at the other end of two pipes."""

    def __init__(self, command):
        self.command = command

    def __enter__(self):
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, bufsize=0,
                                      env=dict(os.environ, OMP_WAIT_POLICY="passive"))
        self.read()
        return self

    def read(self):
        """All that is said up to the prompt, and when that came."""
        said = b""
        while not said.endswith(b"db) "):
            if not select.select([self.child.stdout], [], [], 60)[0]:
                raise Missing(f"no prompt after {said[-300:]!r}")
            more = os.read(self.child.stdout.fileno(), 65536)
            if not more:
                raise Missing(f"{self.command[0]} ended after {said[-300:]!r}")
            said += more
        return said.decode(errors="replace"), time.monotonic() * 1e6

    def ask(self, line):
        """Microseconds since the time that the program said; 0: it said none."""
        self.child.stdin.write(line.encode() + b"\n")
        said, now = self.read()
        at = re.findall(r"^(?:\(\w+\) )?at ([\d.]+)$", said, re.MULTILINE)
        return now - float(at[-1]) if at else 0

    def __exit__(self, *unused):
        self.child.stdin.close()
        try:
            self.child.wait(20)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def rows(bench):
    """Name, unit, what is measured, beside what, at most how many times that, and of gdb's."""
    false = ["break f if x == -1"]
    ignore = ["break f", "ignore 2 1000000000"]
    other = ["break f thread 1"]
    watch = ["watch watched if watched == -1"]
    barrier = dict(counted=True)
    named, quit_ = ["break only_in_137"], ["quit"]
    trap, one, few = bench.bare("trap"), "condition, 1 thread", "barrier, 64 threads"
    return [
        Row(one, "us/hit", bench.hits(false, "1 0 N", 50000, 2000), trap, 1.5, 12),
        Row("condition, 4 threads", "us/hit", bench.hits(false, "4 0 N", 10000, 500), trap, 1.5, 8),
        Row("condition, 64 threads", "us/hit", bench.hits(false, "64 0 N", 1000, 30), one, 1.1, 8),
        Row("condition, 2048 threads", "us/hit", bench.hits(false, "2048 0 N", 30, 1), one, 2),
        Row("condition, 63 sleep", "us/hit", bench.hits(false, "1 63 N", 50000, 1000), one, 1.1, 8),
        Row("condition, 2047 sleep", "us/hit", bench.hits(false, "1 2047 N", 50000, 100), one, 2),
        Row("ignore, 1 thread", "us/hit",
            bench.hits(ignore, "1 0 N", 50000, 2000, True), trap, 1.5, 12),
        Row("ignore, 64 threads", "us/hit",
            bench.hits(ignore, "64 0 N", 1000, 30, True), "ignore, 1 thread", 1.1, 8),
        Row("another's, 1 thread", "us/hit", bench.hits(other, "1 0 N", 50000, 2000), trap, 1.5, 12),
        Row("another's, 64 threads", "us/hit",
            bench.hits(other, "64 0 N", 1000, 30), "another's, 1 thread", 1.1, 8),
        Row("watch, 1 thread", "us/hit",
            bench.hits(watch, "1 0 N", 20000, 1000), bench.bare("watch"), 1.5, 4),
        Row(few, "us/hit", bench.hits(ignore, "64 0 N barrier", 300, 20, **barrier), None, None, 5),
        Row("barrier, 512 threads", "us/hit",
            bench.hits(ignore, "512 0 N barrier", 40, 3, **barrier), few, 1.5, 5),
        Row("barrier, 2048 threads", "us/hit",
            bench.hits(ignore, "2048 0 N barrier", 10, 1, **barrier), few, 1.5, 5),
        Row("1,000 next", "s", bench.script(["break main", "run"], "next", 1000, "steps"),
            gdb=3),
        Row("1,000 step", "s", bench.script(["break main", "run"], "step", 1000, "steps")),
        Row("dwarf: time", "s", bench.start(0, named, bench.dwarf), gdb=2),
        Row("dwarf: memory", "MB", bench.start(1, named, bench.dwarf), gdb=3),
        *[Row(f"stop to prompt, 512, {runtime}", "us", bench.team(runtime, 512),
              bench.all_stop(runtime, 512), 2) for runtime in ("libgomp", "libomp")],
        Row("start and quit", "s", bench.start(0, quit_, lambda: None)),
        Row("attach, 2048 threads", "s", bench.attached(2048, [])),
        Row("info threads, 512 threads", "s", bench.attached(512, ["info threads"])),
        Row("bt, 512 threads", "s", bench.attached(512, ["bt"])),
    ]


def in_turn(bench, row, runs):
    """By who was measured, the median of what it took."""
    calls = {who: lambda who=who: row.measure(who) for who, path in bench.debuggers.items() if path}
    if callable(row.floor):
        calls["floor"] = row.floor
    taken = {who: [] for who in calls}
    for _ in range(runs):
        for who, call in list(calls.items()):
            try:
                taken[who].append(call())
            except (Missing, subprocess.TimeoutExpired) as why:
                print(f"  {row.name}: {who}: {why}")
                del calls[who]
    return {who: statistics.median(values) for who, values in taken.items() if values}


def ratio(value, goal, holds):
    """A ratio and its goal."""
    if value is None:
        return "-"
    text = f"{value:.2f}" if value < 10 else f"{value:.1f}"
    if goal is None:
        return text + " " * 9
    return f"{text} {'yes' if holds else 'NO ':3} {f'({goal:g})':5}"


def told(row, result, before):
    """One line of the table."""
    def quotient(a, b):
        return a / b if a is not None and b else None
    def number(value):
        return "-" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"
    ours, theirs = result.get("ompdb"), result.get("gdb")
    floor = before.get(row.floor) if isinstance(row.floor, str) else result.get("floor")
    of_floor, of_gdb = quotient(ours, floor), quotient(theirs, ours)
    cells = [number(ours), number(floor), number(theirs),
             ratio(of_floor, row.at_most, of_floor and of_floor <= (row.at_most or 0)),
             ratio(of_gdb, row.gdb, of_gdb and of_gdb >= (row.gdb or 0))]
    return f"{row.name:28} {row.unit:7}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(cells, (9, 9, 9, 18, 18)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="ROW", help="a regular expression")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--no-gdb", action="store_true")
    parser.add_argument("--dwarf", type=pathlib.Path, help="where the program with DWARF is")
    parser.add_argument("--build-dwarf", action="store_true", help="make it first")
    options = parser.parse_args()
    build = options.build.resolve()
    bench = Bench(build, (options.dwarf or build / "bench/big").resolve())
    if options.no_gdb:
        del bench.debuggers["gdb"]
    if options.build_dwarf:
        big_dwarf.build(bench.big)
    print(f"medians of {options.runs} runs in turn; load {os.getloadavg()[0]:.1f} on "
          f"{os.cpu_count()} processors; goals in brackets")
    print(f"{'':36}{'ompdb':>9}{'floor':>9}{'gdb':>9}{'ompdb/floor':>18}{'gdb/ompdb':>18}")
    medians = {}
    for row in rows(bench):
        if re.search(options.only, row.name):
            result = in_turn(bench, row, options.runs)
            medians[row.name] = result.get("ompdb")
            print(told(row, result, medians), flush=True)
    print(f"load at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
