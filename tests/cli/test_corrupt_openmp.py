# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged structures of the OpenMP runtimes: ompdb says what it can, and comes to an end.

Words in the writable memory of a core file are replaced: lists become rings, counts become large,
pointers lead astray.
"""

import json
import random
import struct

from stacks import *

LOOKS = 8 if FEW else 12
WRITABLE = 2
SEGMENT_MAX = 8 << 20


class Memory:
    """The bytes of a core file, of which words in writable memory can be damaged."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        headers, = struct.unpack_from("<Q", self.data, 32)
        size, count = struct.unpack_from("<2H", self.data, 54)
        self.words = []
        for i in range(count):
            kind, flags, offset, _, _, length = struct.unpack_from("<2I4Q", self.data,
                                                                   headers + size * i)
            if kind == 1 and flags & WRITABLE and length <= SEGMENT_MAX:
                self.words += [at for at in range(offset, min(offset + length, len(self.data)), 8)
                               if self.data[at:at + 8].strip(b"\0")]
        expect(len(self.words) > 100, f"{len(self.words)} words to damage")

    def damaged(self, rng):
        data = bytearray(self.data)
        for _ in range(rng.choice((1, 10, 100, 1000))):
            at = rng.choice(self.words)
            other = rng.choice(self.words)
            value, = struct.unpack_from("<Q", self.data, at)
            value = rng.choice((0, (1 << 64) - 1, value + 8, value ^ 1 << rng.randrange(64),
                                struct.unpack_from("<Q", self.data, other)[0],
                                1 << 31, rng.randrange(1 << 64)))
            struct.pack_into("<Q", data, at, value & (1 << 64) - 1)
        return data


@cases("omp_nested-gcc-O0", "omp_tasks-gcc-O2", "omp_nested-clang-O2", "omp_tasks-clang-O0")
def structures_that_make_no_sense(name):
    program = start(name, settled="tasks-clang" not in name)
    memory = Memory(core_of(program))
    program.finish()
    rng = random.Random(name)
    path = os.path.join(folder(), "core")
    for n in range(LOOKS):
        with open(path, "wb") as f:
            f.write(memory.damaged(rng))
        for command in (["stack", "--json"], ["omp", "--icvs", "--json"], ["stack"]):
            result = ompdb(*command, path, seconds=30)
            # What is damaged may be the list of modules, or where the registers are said to be.
            expect(result.status in (0, 1, 3), f"look {n}: {result}")
            expect(result.status == 0 or result.err.startswith("ompdb: "), f"look {n}: {result}")
            if result.status == 0 and "--json" in command:
                expect(json.loads(result.out)["threads"], f"look {n}: no threads")


main()
