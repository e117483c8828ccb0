#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures `ompdb stack` beside eu-stack and gdb, in turn on the same process.

usage: bench/stack.py [--build DIR] [--old DIR] [--runs N] [--threads N,N,...] [--only PART]

Prints medians of N runs (at least 5) and the ratios to each peer. PART is one of
live, curve, sleepers, standstill, overload, looks, sandbox, allstop, core. Peers that are not installed are left out; "raw" is
`ompdb stack --raw`, without anything of OpenMP.
"""
import argparse
import contextlib
import glob
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

PARTS = ["live", "curve", "sleepers", "standstill", "overload", "looks", "sandbox", "allstop",
         "core"]
RUNTIMES = {"libgomp": "omp_barrier-gcc-O2", "libomp": "omp_barrier-clang-O2"}


@contextlib.contextmanager
def program(command, **environment):
    """A test program that has said that it is ready."""
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                             env=dict(os.environ, **environment))
    try:
        if "ready\n" not in child.stdout:  # some say more before
            sys.exit(f"{command[0]} did not start")
        yield child
    finally:
        child.kill()
        child.wait()


def ask(child):
    """What it answers to a line, on the time since the one before: the longest in which it noticed nothing, and the
    longest without waiting for a processor, in milliseconds."""
    child.stdin.write("tell\n")
    child.stdin.flush()
    return [float(word) / 1000 for word in child.stdout.readline().split()]


def peers(names, pid):
    commands = {
        "eu-stack": ["eu-stack", "-p", str(pid)],
        "gdb": ["gdb", "-nx", "-batch", "-p", str(pid), "-ex", "thread apply all bt"],
    }
    return {name: commands[name] for name in names if shutil.which(name)}


class Bench:
    def __init__(self, options):
        self.options = options
        self.ompdb = os.path.join(options.build, "src", "ompdb")

    def path(self, *parts):
        return os.path.join(self.options.build, *parts)

    def run(self, command):
        """Wall seconds and peak memory (MB) of one run."""
        out = subprocess.run([self.path("bench", "measure"), *command], check=True,
                             stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        seconds, kib = out.split()
        return float(seconds), int(kib) / 1024

    def medians(self, commands):
        """Runs all commands in turn; by name, the medians of their seconds and their peaks."""
        times = {name: [] for name in commands}
        peaks = {name: 0 for name in commands}
        for command in commands.values():
            self.run(command)  # warms the page cache
        for _ in range(self.options.runs):
            for name, command in commands.items():
                seconds, peak = self.run(command)
                times[name].append(seconds)
                peaks[name] = max(peaks[name], peak)
        return {name: statistics.median(t) for name, t in times.items()}, peaks

    def compare(self, title, commands):
        """Prints medians and ratios of the first to the others."""
        medians, peaks = self.medians(commands)
        ours = medians["ompdb"]
        for name in commands:
            ratio = "" if name in ("ompdb", "raw") else f"  ompdb takes 1/{medians[name] / ours:.1f}"
            print(f"{title:24} {name:9} {medians[name] * 1000:8.1f} ms {peaks[name]:6.1f} MB{ratio}")

    def barrier(self, runtime, threads):
        return program([self.path("testprogs", RUNTIMES[runtime]), str(threads)],
                       OMP_STACKSIZE="128k")

    def stack(self, target):
        return [self.ompdb, "stack", str(target)]

    def both(self, target):
        return {"ompdb": self.stack(target), "raw": [self.ompdb, "stack", "--raw", str(target)]}

    def live(self):
        for runtime in RUNTIMES:
            if not os.path.exists(self.path("testprogs", RUNTIMES[runtime])):
                print(f"{runtime}: its test program was not built")
                continue
            for threads in self.options.threads:
                with self.barrier(runtime, threads) as child:
                    self.compare(f"{runtime}, {threads} threads",
                                 {**self.both(child.pid),
                                  **peers(["eu-stack", "gdb"], child.pid)})

    def curve(self):
        """Whether the cost grows with the number of threads, and no faster."""
        for runtime in RUNTIMES:
            for threads in (64, 128, 256, 512, 1024, 2048):
                with self.barrier(runtime, threads) as child:
                    seconds, peaks = zip(*(self.run(self.stack(child.pid))
                                           for _ in range(self.options.runs)))
                    took = statistics.median(seconds)
                    print(f"{runtime}, {threads:4} threads {took * 1000:8.1f} ms "
                          f"{took / threads * 1e6:6.1f} us a thread {max(peaks):6.1f} MB")

    def sleepers(self):
        with program([self.path("testprogs", "sleepers"), "2048"]) as child:
            self.compare("2048 sleeping threads",
                         {**self.both(child.pid), **peers(["eu-stack"], child.pid)})

    def standstill(self):
        """How long one thread of the target stood still, under ompdb and under the floor."""
        for runtime, threads in itertools.product(RUNTIMES, self.options.threads):
            watched = self.path("bench", "watched-" + runtime)
            if not os.path.exists(watched):
                continue
            with program([watched, str(threads)], OMP_STACKSIZE="128k", OMP_WAIT_POLICY="passive",
                         KMP_BLOCKTIME="0") as child:
                commands = {"stack": self.stack(child.pid), "omp": [self.ompdb, "omp", "--icvs", str(child.pid)],
                            "floor": [self.path("bench", "floor"), str(child.pid)]}

                def longest(command):
                    ask(child)
                    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                    return ask(child)[1]
                rounds = [{name: longest(command) for name, command in commands.items()}
                          for _ in range(self.options.runs)]
                medians = {name: statistics.median(r[name] for r in rounds) for name in commands}
                floor = max(medians.pop("floor"), 0.001)  # the clock has microseconds
                for name, ours in medians.items():
                    print(f"standstill, {runtime}, {threads:4} threads  {name:5} {ours:7.2f} ms, floor {floor:7.2f} ms,"
                          f" ratio {ours / floor:.2f}", flush=True)

    def overload(self):
        """The longest that one thread of many did not run, where others want the processors, too.
        "nothing" is what that is without a look, in half a second."""
        cpus = os.cpu_count()
        for threads in (4 * cpus, 32 * cpus):
            with contextlib.ExitStack() as all_of_it:
                child = all_of_it.enter_context(program([self.path("bench", "overloaded"), str(threads)]))
                for _ in range(2 * cpus):
                    all_of_it.enter_context(program(["sh", "-c", "echo ready; while :; do :; done"]))
                self.compare_gaps(f"overload, {threads} threads", child)

    def compare_gaps(self, title, child):
        commands = {"nothing": ["sleep", "0.5"], "ompdb": self.stack(child.pid)}
        if self.options.old:
            commands["old"] = [os.path.join(self.options.old, "src", "ompdb"), "stack", str(child.pid)]
        commands.update(peers(["eu-stack", "gdb"], child.pid))

        def longest(command):
            ask(child)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return ask(child)[0]
        looks = [{name: longest(command) for name, command in commands.items()}
                 for _ in range(self.options.runs)]
        for name in commands:
            times = [look[name] for look in looks]
            print(f"{title:24} {name:9} a thread did not run for {statistics.median(times):8.1f} ms, "
                  f"at worst {max(times):8.1f} ms")

    def looks(self):
        """The first look of a session, and later ones, which find out only what is new."""
        for runtime, threads in itertools.product(RUNTIMES, self.options.threads):
            with self.barrier(runtime, threads) as child:
                looks = [subprocess.run([self.path("bench", "looks"), str(child.pid)], check=True,
                                        capture_output=True, text=True).stdout.split()
                         for _ in range(self.options.runs)]
                first, later = (statistics.median(map(float, column)) for column in zip(*looks))
                print(f"looks, {runtime}, {threads:4} threads  first {first / 1000:7.2f} ms, later {later / 1000:7.2f} ms,"
                      f" ratio {later / first:.2f}")

    def sandbox(self):
        """The system's OMPD library in ompdb, and a copy of it, which runs in a sandbox."""
        found = glob.glob("/usr/lib/llvm-*/lib/libompd.so")
        if not found or not os.path.exists(self.path("testprogs", RUNTIMES["libomp"])):
            print("sandbox: no libompd.so is installed, or its test program was not built")
            return
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            copy = shutil.copy(found[0], folder)
            for threads in self.options.threads:
                with self.barrier("libomp", threads) as child:
                    stack = [self.ompdb, "stack", str(child.pid), "--ompd-library"]
                    medians, _ = self.medians({"inside": [*stack, found[0]],
                                               "sandbox": [*stack, copy]})
                inside, sandbox = medians["inside"], medians["sandbox"]
                print(f"sandbox, libomp, {threads:4} threads  inside {inside * 1000:7.2f} ms, "
                      f"sandbox {sandbox * 1000:7.2f} ms, ratio {sandbox / inside:.2f}")

    def allstop(self):
        for threads in (64, 512, 2048):
            with program([self.path("testprogs", "sleepers"), str(threads)]) as child:
                out = subprocess.run([self.path("bench", "all_stop"), str(child.pid)], check=True,
                                     capture_output=True, text=True).stdout
                stop, resume = (float(x) for x in out.split())
                print(f"all-stop, {threads:4} threads      stop {stop / 1000:7.2f} ms "
                      f"({stop / threads:.2f} us a thread), resume {resume / 1000:7.2f} ms")

    def core(self):
        if not shutil.which("gcore"):
            print("core: gcore is not installed")
            return
        for threads in self.options.threads:
            with tempfile.TemporaryDirectory() as folder, self.barrier("libgomp", threads) as child:
                subprocess.run(["gcore", "-o", os.path.join(folder, "core"), str(child.pid)],
                               check=True, capture_output=True)
                core = os.path.join(folder, f"core.{child.pid}")
                exe = self.path("testprogs", RUNTIMES["libgomp"])
                commands = self.both(core)
                if shutil.which("eu-stack"):
                    commands["eu-stack"] = ["eu-stack", "--core", core, "-e", exe]
                self.compare(f"core, {threads} threads", commands)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--old", help="the build of another ompdb to compare with")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--threads", default="1,16,64,512",
                        type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--only", choices=PARTS)
    options = parser.parse_args()
    bench = Bench(options)
    for part in [options.only] if options.only else PARTS:
        getattr(bench, part)()


if __name__ == "__main__":
    main()
