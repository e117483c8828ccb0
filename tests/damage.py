# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ELF files whose sections are damaged at random, the same way each time."""

import os
import struct
import zlib


class Elf:
    """The bytes of an ELF file, of which sections can be damaged."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = bytearray(f.read())
        self.headers, = struct.unpack_from("<Q", self.data, 40)
        count, names = struct.unpack_from("<2H", self.data, 60)
        rows = [struct.unpack_from("<2I4Q", self.data, self.headers + 64 * i)
                for i in range(count)]
        self.sections = {}
        for name, _, _, _, offset, size in rows:
            start = rows[names][4] + name
            self.sections[self.data[start:self.data.index(0, start)].decode()] = (offset, size)

    def damage(self, rng, *prefixes):
        """Overwrites some bytes of the sections with names that begin so."""
        places = [place for name, place in sorted(self.sections.items())
                  if name.startswith(prefixes) and place[1]]
        assert places, f"no sections {prefixes}"
        for _ in range(rng.choice((1, 4, 16, 64, 256))):
            offset, size = rng.choice(places)
            at = rng.randrange(size)
            self.fill(offset + at, min(rng.choice((1, 1, 2, 4, 8, 64)), size - at),
                      rng.choice((0, 0xff, 0x7f, 0x80, rng.randrange(256))))

    def damage_headers(self, rng):
        """Overwrites some bytes of the section headers."""
        for _ in range(rng.choice((1, 4, 16))):
            self.fill(rng.randrange(self.headers, len(self.data)), 1,
                      rng.choice((0, 0xff, 0x7f, rng.randrange(256))))

    def fill(self, offset, size, value):
        self.data[offset:offset + size] = bytes([value]) * size

    def pack(self, name, mib):
        """Makes a section one that unpacks to so many zeros."""
        packer = zlib.compressobj()
        packed = struct.pack("<2I2Q", 1, 0, mib << 20, 1)  # Elf64_Chdr
        packed += b"".join(packer.compress(bytes(1 << 20)) for _ in range(mib)) + packer.flush()
        count, = struct.unpack_from("<H", self.data, 60)
        for header in range(self.headers, self.headers + 64 * count, 64):
            if struct.unpack_from("<2Q", self.data, header + 24) == self.sections[name]:
                struct.pack_into("<Q", self.data, header + 8, 0x800)  # SHF_COMPRESSED
                struct.pack_into("<2Q", self.data, header + 24, len(self.data), len(packed))
        self.data += packed

    def write(self, path):
        if os.path.exists(path):
            os.remove(path)  # it may still be mapped
        with open(path, "wb") as f:
            f.write(self.data)
        os.chmod(path, 0o755)
