# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged structures of the OpenMP runtimes: ompdb says what it can, and comes to an end.

Words in the writable memory of a core file are replaced: lists become rings, counts become large,
pointers lead astray.
"""

import json
import mmap
import random
import struct

from stacks import *

LOOKS = 8 if FEW else 12
WRITABLE = 2
SEGMENT_MAX = 8 << 20


class Memory:
    """The bytes of a core file, which is large, of which words in writable memory can be damaged."""

    def __init__(self, path):
        with open(path, "r+b") as f:
            self.data = mmap.mmap(f.fileno(), 0)
        headers, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<2H", self.data, 54)
        self.words = []
        for i in range(count):
            kind, flags, offset, _, _, length = struct.unpack_from("<2I4Q", self.data,
                                                                   headers + size * i)
            if kind == 1 and flags & WRITABLE and length <= SEGMENT_MAX:
                words = memoryview(self.data[offset:offset + length & ~7]).cast("Q")
                self.words += [offset + 8 * i for i, word in enumerate(words) if word]
        expect(len(self.words) > 100, f"{len(self.words)} words to damage")

    def word(self, at):
        return struct.unpack_from("<Q", self.data, at)[0]

    def damage(self, rng):
        """Returns what was there before: {offset: word}."""
        before = {}
        for _ in range(rng.choice((1, 10, 100, 1000))):
            at = rng.choice(self.words)
            value = before.setdefault(at, self.word(at))
            value = rng.choice((0, (1 << 64) - 1, value + 8, value ^ 1 << rng.randrange(64),
                                self.word(rng.choice(self.words)), 1 << 31, rng.randrange(1 << 64)))
            self.put(at, value)
        return before

    def put(self, at, value):
        struct.pack_into("<Q", self.data, at, value & (1 << 64) - 1)


@cases("omp_nested-gcc-O0", "omp_tasks-gcc-O2", "omp_nested-clang-O2", "omp_tasks-clang-O0")
def structures_that_make_no_sense(name):
    program = start(name, settled="tasks-clang" not in name)
    path = own_core_of(program)
    program.finish()
    memory = Memory(path)
    rng = random.Random(name)
    for n in range(LOOKS):
        before = memory.damage(rng)
        for command in (["stack", "--json"], ["omp", "--icvs", "--json"], ["stack"]):
            result = ompdb(*command, path, seconds=30)
            # What is damaged may be the list of modules, or where the registers are said to be.
            expect(result.status in (0, 1, 3), f"look {n}: {result}")
            expect(result.status == 0 or result.err.startswith("ompdb: "), f"look {n}: {result}")
            if result.status == 0 and "--json" in command:
                expect(json.loads(result.out)["threads"], f"look {n}: no threads")
        for at, word in before.items():
            memory.put(at, word)


main()
