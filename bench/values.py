#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values beside gdb's: how many of them are true, and what they cost.

Programs that print what their variables hold (tests/truth) are looked at with ompdb and gdb; what each
says of every variable at every position is judged and counted by category. Behind that come times and
memory, as in run_control.py: medians, ratios, and goals in brackets. It measures, it tests nothing.
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import tempfile

from run_control import Bench, Missing, Row, big_dwarf, in_turn, told

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/truth"))
import truth


# ---- truth ------------------------------------------------------------------------------

def look(build, debuggers, folder):
    """By debugger, the verdicts of one build by triple."""
    program = truth.make(build, folder)
    if not program:
        print(f"  {build.name}: cannot be built here")
        return {}
    results = {}
    for who, path in debuggers.items():
        try:
            results[who] = truth.ask(path, program, folder)
        except (Missing, truth.Missing) as why:
            print(f"  {build.name}: {who}: {why}")
    if len(results) == 2:
        truth.forgive(*results.values())
    return results


def list_worse(build, results):
    """What is wrong, and where less is said than gdb says."""
    for place, said, heard, right in truth.worse(results["ompdb"], results.get("gdb", {})):
        print(f"  {build.name} position {place.position} frame {place.frame}: {place.name} is {right}; "
              f"ompdb: {said!r}, gdb: {heard!r}")


def list_differences(build, results):
    """A line for each triple of which the debuggers do not say the same."""
    for (position, frame, name), *verdicts, said, heard, right in truth.differences(*results.values()):
        print(f"  {build.name} {truth.category(position)} {position} frame {frame}: {name} is {right}; "
              f"ompdb {verdicts[0]}: {said!r}; gdb {verdicts[1]}: {heard!r}")


def row_of(name, counts):
    """A line of the table: what each debugger has said how often."""
    cells, total = [], 0
    for counter in counts:
        total = sum(counter.values())
        cells += [f"{counter[verdict]:>{width}}" for verdict, width in zip(truth.VERDICTS, (7, 7, 7, 7, 7))]
        cells.append("  |")
    return f"{name:16}{total:7}  |" + "".join(cells)


def print_truth(counts):
    """counts: by debugger, by category."""
    who = list(counts)
    print(f"\n{'':16}{'triples':>7}  |" + "".join(f"{name:^35}  |" for name in who))
    short = ("right", "opt.out", "untold", "alike", "wrong")
    print(f"{'':25}|" + "".join("".join(f"{word:>7}" for word in short) + "  |" for _ in who))
    totals = [collections.Counter() for _ in who]
    for category in truth.CATEGORIES.values():
        row = [counts[name][category] for name in who]
        for total, counter in zip(totals, row):
            total.update(counter)
        print(row_of(category, row))
    print(row_of("all", totals))
    rates = [total["right"] / max(1, sum(total.values())) for total in totals]
    print("right: " + ", ".join(f"{name} {100 * rate:.1f} %" for name, rate in zip(who, rates)))
    if len(rates) == 2 and rates[1]:
        wrong = totals[0]["wrong"] + totals[0]["wrong as gdb"]
        print(f"ompdb/gdb {rates[0] / rates[1]:.3f}; wrong: {wrong} {'NO' if wrong else 'yes'} (0), "
              f"of which {totals[0]['wrong as gdb']} alike: gdb says the same")


def measure_truth(debuggers, only, everything):
    counts = {who: collections.defaultdict(collections.Counter) for who in debuggers}
    with tempfile.TemporaryDirectory() as folder:
        for build in truth.builds():
            if not re.search(only, build.name):
                continue
            results = look(build, debuggers, folder)
            if "ompdb" in results:
                list_worse(build, results)
            if everything and len(results) == 2:
                list_differences(build, results)
            for who, found in results.items():
                for category, counter in truth.by_category(truth.triples(found)).items():
                    counts[who][category].update(counter)
    print_truth(counts)


# ---- costs ------------------------------------------------------------------------------

def rows(bench):
    first = ["break only_in_137", "run", "print x"]
    scalar = bench.hits(["break f if i == -1"], "1 0 N", 50000, 2000)
    stops = bench.script(["break main", "run"], "next\ninfo locals", 1000, "steps")
    only_stops = bench.script(["break main", "run"], "next", 1000, "steps")
    return [
        Row("print at the first stop: time", "s", bench.start(0, first, bench.dwarf), gdb=2),
        Row("print at the first stop: memory", "MB", bench.start(1, first, bench.dwarf), gdb=3),
        Row("1,000 next", "s", only_stops),
        Row("1,000 next and info locals", "s", stops, gdb=3),
        Row("condition with a local", "us/hit", scalar, bench.bare("trap"), 1.5, 12),
        # Its floor is what it may take: 30 ms.
        Row("print -team, 512 threads", "us", team(bench, 512), lambda: 30000, 1),
    ]


def team(bench, threads, times=20):
    """Microseconds of "print -team" over so many threads that stand in a region, without the stop."""
    def measure(debugger):
        if debugger != "ompdb":
            raise Missing("it has no such command")
        run = ["break here", f"run {threads} 1"]
        without = bench.whole(bench.command(debugger, run, bench.folder / "team-libgomp"))[0]
        many = run + ["print -team $pc"] * times
        return 1e6 * (bench.whole(bench.command(debugger, many, bench.folder / "team-libgomp"))[0]
                      - without) / times
    return measure


def measure_costs(bench, options):
    print(f"\nmedians of {options.runs} runs in turn; load {os.getloadavg()[0]:.1f} on "
          f"{os.cpu_count()} processors; goals in brackets")
    print(f"{'':36}{'ompdb':>9}{'floor':>9}{'gdb':>9}{'ompdb/floor':>18}{'gdb/ompdb':>18}")
    for row in rows(bench):
        if re.search(options.only, row.name):
            print(told(row, in_turn(bench, row, options.runs), {}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default="", metavar="ROW", help="a regular expression")
    parser.add_argument("--truth", nargs="?", const="", metavar="BUILD",
                        help="nothing but truth, of builds such as clang-O2")
    parser.add_argument("--differences", action="store_true",
                        help="list what the debuggers do not say alike, or both wrongly")
    parser.add_argument("--costs", action="store_true", help="nothing but times and memory")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--no-gdb", action="store_true")
    parser.add_argument("--dwarf", type=pathlib.Path, help="where the program with DWARF is")
    parser.add_argument("--build-dwarf", action="store_true", help="make it first")
    options = parser.parse_args()
    build = options.build.resolve()
    bench = Bench(build, (options.dwarf or build / "bench/big").resolve())
    if options.no_gdb or not bench.debuggers["gdb"]:
        del bench.debuggers["gdb"]
    if options.build_dwarf:
        big_dwarf.build(bench.big)
    if not options.costs:
        measure_truth(bench.debuggers, options.truth or "", options.differences)
    if options.truth is None:
        measure_costs(bench, options)


if __name__ == "__main__":
    sys.exit(main())
