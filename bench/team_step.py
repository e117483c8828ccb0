#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
team_step.py OMPDB [THREADS [STEPS]]: how long 'omp step --team' takes for a team of that many threads (64) at lines that
call nothing: the time of a session with so many steps (100) less that of one with none, for each compiler.
"""

import os
import subprocess
import sys
import tempfile
import time

PROGRAM = """
#include <stdlib.h>

int main(int argc, char **argv)
{
	int threads = atoi(argv[argc - 1]);
#pragma omp parallel num_threads(threads)
	{
		volatile int x = 0;
#pragma omp barrier
		for (;;) {
			x += 1;
			x += 2;
			x += 3;
		}
	}
}
"""


def seconds(ompdb, program, threads, steps):
    own = dict(os.environ, OMP_WAIT_POLICY="passive")
    argv = [ompdb, "-nx", "-q", "--batch", program, "-ex", "tbreak 12", "-ex", f"run {threads}", "-ex", "omp next --team"]
    argv += ["-ex", "omp step --team"] * steps + ["-ex", "kill"]
    began = time.monotonic()
    done = subprocess.run(argv, capture_output=True, text=True, env=own, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return time.monotonic() - began


def main():
    ompdb, *numbers = sys.argv[1:]
    threads, steps = (list(map(int, numbers)) + [64, 100][len(numbers):])[:2]
    with tempfile.TemporaryDirectory() as own:
        source = os.path.join(own, "team.c")
        with open(source, "w", encoding="utf-8") as f:
            f.write(PROGRAM)
        for compiler in "gcc", "clang":
            program = os.path.join(own, compiler)
            subprocess.run([compiler, "-g", "-O0", "-fopenmp", source, "-o", program], check=True)
            none, all_steps = (min(seconds(ompdb, program, threads, n) for _ in range(3)) for n in (0, steps))
            print(f"{compiler}: {1000 * (all_steps - none) / steps:.2f} ms for each step of {threads} threads")


main()
