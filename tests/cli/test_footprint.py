# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much memory ompdb takes for programs, for endless stacks, for hostile cores."""

import corefile
from stacks import *


@cases(("chain-gcc-O0",), ("omp_barrier-gcc-O2", 64), ("omp_barrier-clang-O2", 64),
       ("cxx_frames-clang-O0",))
def memory_for_a_small_program(name, *arguments):
    program = start(name, *arguments)
    used = peak(program.pid)
    expect(used <= 32, f"{used:.1f} MiB")
    program.finish()


@cases(("the usual number of frames", 32), ("many frames", 48, "--max-frames", 65536),
       ("all frames", 256, "--max-frames", 1 << 20))
def memory_for_endless_stacks(_, most, *options):
    program = start("deep_recursion", 1 << 20)
    used = peak(*options, program.pid)
    expect(used <= most, f"{used:.1f} MiB")
    program.finish()


@cases("sparse", "loop", "module", "threads")
def memory_for_hostile_cores(name):
    path = os.path.join(folder(), "core")
    with open(path, "wb") as f:
        f.write(corefile.SEEDS[name]())
    used = peak(path)
    expect(used <= 32, f"{used:.1f} MiB")


main()
