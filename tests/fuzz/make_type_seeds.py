#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seeds for fuzz_type: make_type_seeds.py SEED PROGRAM: the debug information of a program."""

import struct
import sys


def sections(image):
    """name -> bytes, of an ELF file of 64 bits."""
    at, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3a)
    headers = [struct.unpack_from("<IIQQQQ", image, at + size * n) for n in range(count)]
    texts = headers[names][4]
    for name, kind, _, _, offset, length in headers:
        end = image.index(b"\0", texts + name)
        yield image[texts + name:end].decode(), b"" if kind == 8 else image[offset:offset + length]


seed, program = sys.argv[1:]
with open(program, "rb") as f:
    found = dict(sections(f.read()))
abbrev, text, info = (found.get(name, b"") for name in (".debug_abbrev", ".debug_str", ".debug_info"))
with open(seed, "wb") as f:
    f.write(struct.pack("<HH", len(abbrev), len(text)) + abbrev + text + info)
