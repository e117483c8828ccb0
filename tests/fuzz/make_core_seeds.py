#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_core_seeds.py DIR: writes small core files, whole and broken: fuzz_core starts from them."""

import pathlib
import struct
import sys

PAGE = 4096
PT_LOAD, PT_NOTE = 1, 4
ET_DYN, ET_CORE = 3, 4
PN_XNUM = 0xffff
R, W, X = 4, 2, 1
AT_PHDR, AT_ENTRY, AT_SYSINFO_EHDR = 3, 9, 33
PRSTATUS, PRFPREG, PRPSINFO, AUXV, SIGINFO, FILE, XSTATE = (
    1, 2, 3, 6, 0x53494749, 0x46494c45, 0x202)
TEXT, DATA, STACK, VDSO = 0x400000, 0x600000, 0x7ffe00000000, 0x7fff00000000


def header(kind, phnum, phoff=64, shoff=0):
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    return ident + struct.pack("<HHIQQQIHHHHHH", kind, 62, 1, 0x401000, phoff, shoff, 0, 64, 56,
                               phnum, 64, 0, 0)


def phdr(kind, flags, offset, address, filesz, memsz, align=0):
    return struct.pack("<IIQQQQQQ", kind, flags, offset, address, 0, filesz, memsz, align)


def pad(data, align=4):
    return data + bytes(-len(data) % align)


def note(name, kind, desc):
    name = name.encode() + b"\0"
    return struct.pack("<III", len(name), len(desc), kind) + pad(name) + pad(desc)


def thread(lwp, pc=TEXT + 0x10, sp=STACK + 0x100):
    registers = [0] * 27
    registers[16], registers[19], registers[21] = pc, sp, TEXT
    desc = struct.pack("<iiihhQQiiii", 0, 0, 0, 0, 0, 0, 0, lwp, 1, 1, 1) + bytes(64)
    desc += struct.pack("<27Q", *registers) + bytes(8)
    assert len(desc) == 336
    return note("CORE", PRSTATUS, desc)


def process(pid):
    desc = struct.pack("<4B4xQIIiiii", 0, ord("R"), 0, 0, 0, 0, 0, pid, 1, 1, 1)
    return note("CORE", PRPSINFO, desc + b"prog".ljust(16, b"\0") + b"./prog -x".ljust(80, b"\0"))


def auxv(*pairs):
    return note("CORE", AUXV, b"".join(struct.pack("<QQ", *p) for p in (*pairs, (0, 0))))


def files(*rows, page=PAGE):
    desc = struct.pack("<QQ", len(rows), page)
    desc += b"".join(struct.pack("<QQQ", start, end, offset) for start, end, offset, _ in rows)
    return note("CORE", FILE, desc + b"".join(path.encode() + b"\0" for *_, path in rows))


def core(notes, loads, notes_last=False, many=False):
    """loads: (address, flags, bytes in the file, size in memory)"""
    after = 64 + 56 * (len(loads) + 1)
    memory = b"".join(data for _, _, data, _ in loads)
    notes_at = after + (len(memory) if notes_last else 0)
    at = after + (0 if notes_last else len(notes))
    table = phdr(PT_NOTE, 0, notes_at, 0, len(notes), 0)
    for address, flags, data, size in loads:
        table += phdr(PT_LOAD, flags, at, address, len(data), size)
        at += len(data)
    end = after + len(memory) + len(notes)
    head = header(ET_CORE, PN_XNUM if many else len(loads) + 1, shoff=end if many else 0)
    out = head + table + (memory + notes if notes_last else notes + memory)
    if many:
        out += bytes(44) + struct.pack("<I", len(loads) + 1) + bytes(16)
    return out


def image(build_id):
    """First page of a program."""
    ident = note("GNU", 3, build_id) if build_id else b""
    out = header(ET_DYN, 2)
    out += phdr(PT_LOAD, R, 0, 0, PAGE, PAGE)
    out += phdr(PT_NOTE, R, 512, 512, len(ident), len(ident), 4)
    return pad(pad(out, 512) + ident, PAGE)


def seeds():
    one = thread(100)
    registers = note("CORE", PRFPREG, bytes(512)) + note("LINUX", XSTATE, bytes(832))
    shell = files((TEXT, TEXT + PAGE, 0, "/bin/sh"), (TEXT + PAGE, TEXT + 3 * PAGE, 1, "/bin/sh"),
                  (DATA, DATA + PAGE, 3, "/lib/gone.so (deleted)"))
    program = auxv((AT_PHDR, TEXT + 64), (AT_ENTRY, 0x401000), (AT_SYSINFO_EHDR, VDSO))
    everything = (one + process(100) + note("CORE", SIGINFO, struct.pack("<i", 11) + bytes(124)) +
                  program + shell + registers + thread(101) + registers)
    memory = [(TEXT, R, image(b"0123456789abcdefghij"), PAGE), (TEXT + PAGE, R | X, b"", 2 * PAGE),
              (STACK, R | W, b"s" * 512, 512), (VDSO, R | X, image(b"vdso"), PAGE)]
    whole = core(everything, memory)

    yield "tiny", core(one, [])
    yield "kernel", whole
    yield "gcore", core(process(7) + one + registers + thread(101) + shell, memory, notes_last=True)
    yield "many_segments", core(everything, memory[2:], many=True)
    yield "no_build_id", core(everything, [(TEXT, R, image(b""), PAGE), *memory[1:3]])
    yield "no_headers", core(everything, memory[1:3])
    yield "no_files", core(one + program, memory[:1])
    yield "no_threads", core(process(7), memory[2:3])
    yield "twins", core(one + thread(5) + thread(5) + thread(-1) + thread(0), [])
    yield "overlap", core(one + files((DATA, DATA + 4 * PAGE, 0, "/bin/sh"),
                                      (DATA + PAGE, DATA + 2 * PAGE, 0, "/bin/ls"), page=1),
                          [(DATA, R, b"a" * 600, 3 * PAGE), (DATA + 100, R, b"b" * 700, 2 * PAGE),
                           (DATA + 100, R, b"", PAGE), (DATA + PAGE, R, b"c" * 9, 9)])
    yield "top", core(one, [((1 << 64) - PAGE, R, b"t" * 64, PAGE - 1), (0, R, b"z" * 64, PAGE),
                            (PAGE, R, b"w" * 64, (1 << 64) - 1)])
    yield "cut_memory", whole[:-PAGE - 100]
    yield "cut_notes", whole[:600]
    yield "cut_phdrs", whole[:100]
    yield "cut_header", whole[:40]
    yield "program", image(b"0123456789abcdefghij")
    yield "big_endian", whole[:5] + b"\x02" + whole[6:200]
    yield "elf32", whole[:4] + b"\x01" + whole[5:200]
    for name, magic in (("gzip", b"\x1f\x8b\x08"), ("xz", b"\xfd7zXZ\0"), ("bzip2", b"BZh9"),
                        ("zstd", b"\x28\xb5\x2f\xfd"), ("lz4", b"\x04\x22\x4d\x18")):
        yield name, magic + bytes(16)
    yield "empty", b""


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in seeds():
        (folder / name).write_bytes(data)
