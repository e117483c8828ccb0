#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures how long ompdb takes over the answers of many hosts.

usage: bench/job_hosts.py [--build DIR] [--runs N] [--hosts N,N...] [--threads N] [--command stack|why|omp]
       bench/job_hosts.py [--build DIR] [--runs N] --starter PID --nodes LIST

The first form makes the answers: one of a real process with that many threads, once for each host
with other ranks in it, which a launcher prints as if they had come. Prints seconds and memory for
each number of hosts, and what a host costs, which shall not grow.

The second asks the hosts of a real job, whose starter runs here, in turn with ssh and clush that
execute `true` on the same hosts, and prints the ratio.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from stack import RUNTIMES, Bench, program

SECONDS, MEGABYTES, HOSTS = 3, 512, 10000  # goal
RATIO = 1.3  # to a launcher that executes "true"


def lines_of(text, host):
    """As ompdb writes them (src/debugger/job/host_lines.h)."""
    check = 0xcbf29ce484222325
    for byte in [*text.encode(), 1]:
        check = (check ^ byte) * 0x100000001b3 % 2**64
        check ^= check >> 32
    parts = [text[i:i + 900] for i in range(0, len(text) + 1, 900)]
    return "".join(f"{host}: %ompdb1 {host} {i + 1} {len(parts)} {check:016x} {part}%\n" for i, part in enumerate(parts))


def answer_of(bench, command, pid):
    """The real answer of a host with that process as its only rank."""
    out = subprocess.run([bench.ompdb, "host-look", command, f"ranks:0.{pid}"], check=True, capture_output=True, text=True).stdout
    parts = re.findall(r"^%ompdb1 \S+ \d+ \d+ \S+ (.*)%$", out, re.M)
    answer = json.loads("".join(parts))
    assert answer["groups"][0]["report"]
    return answer


def make(bench, path, answer, hosts):
    with open(path, "w") as f:
        for n in range(hosts):
            answer["groups"][0]["ranks"] = [[n + 1, n + 1]]
            f.write(lines_of(json.dumps(answer, separators=(",", ":")), f"node{n}"))


def many(bench, options):
    with tempfile.TemporaryDirectory() as folder, \
         program([bench.path("testprogs", RUNTIMES["libgomp"]), str(options.threads)], PMI_RANK="0", PMI_SIZE="1") as rank:
        answer = answer_of(bench, options.command, rank.pid)
        launcher, path = os.path.join(folder, "launcher"), os.path.join(folder, "answers")
        with open(launcher, "w") as f:
            f.write(f"#!/bin/sh\nexec cat {path}\n")
        os.chmod(launcher, 0o755)
        for hosts in map(int, options.hosts.split(",")):
            make(bench, path, answer, hosts)
            command = [bench.ompdb, options.command, "--job", str(rank.pid), "--hosts", f"node[0-{hosts - 1}]", "--deadline", "600",
                       "--launcher", f"{launcher} {{hosts}} {{command}}"]
            out = subprocess.run(command, check=False, capture_output=True, text=True).stdout
            assert f"{hosts} ranks on {hosts} of {hosts} other hosts" in out, out[:1000]
            medians, peaks = bench.medians({"ompdb": command})
            good = medians["ompdb"] <= SECONDS and peaks["ompdb"] <= MEGABYTES
            told = f"  {'yes' if good else 'NO'} ({SECONDS} s, {MEGABYTES} MB)" if hosts == HOSTS else ""
            print(f"{options.command}: {hosts:6} hosts x {options.threads} threads, {os.path.getsize(path) / hosts / 1024:.1f} KB each: {medians['ompdb']:6.2f} s "
                  f"{peaks['ompdb']:6.1f} MB  {medians['ompdb'] / hosts * 1e6:5.0f} us a host{told}", flush=True)


def real(bench, options):
    plain = {"clush": ["clush", "-q", "-w", options.nodes, "true"],
             "ssh": ["sh", "-c", f"for i in $(nodeset -e {options.nodes}); do ssh $i true & done; wait"]}
    how = {"clush": "clush -q -S -w {hosts} {command}", "ssh": "ssh -o BatchMode=yes {host} {command}"}
    for name, command in plain.items():
        asked = [bench.ompdb, "stack", "--job", str(options.starter), "--launcher", how[name]]
        medians, _ = bench.medians({name: command, "ompdb": asked})
        ratio = medians["ompdb"] / medians[name]
        print(f"{options.nodes}: {name} true {medians[name]:.2f} s, ompdb stack {medians['ompdb']:.2f} s: {ratio:.2f} "
              f"{'yes' if ratio <= RATIO else 'NO'} ({RATIO})", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--hosts", default="1000,3000,10000")
    parser.add_argument("--threads", type=int, default=64)
    parser.add_argument("--command", default="stack", choices=("stack", "why", "omp"))
    parser.add_argument("--starter", type=int)
    parser.add_argument("--nodes")
    options = parser.parse_args()
    (real if options.starter else many)(Bench(options), options)


if __name__ == "__main__":
    sys.exit(main())
