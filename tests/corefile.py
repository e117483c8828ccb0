# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small ELF core files (core(5)) made by hand: bytes whose every field a test can choose.

`corefile.py FOLDER` writes those of SEEDS into a folder: where fuzzing starts from.
"""

import os
import struct
import sys

PAGE = 4096
EXECUTE, WRITE, READ = 1, 2, 4
TEXT, STACK = 0x400000, 0x7FFD00000000
NT_PRSTATUS, NT_FPREGSET, NT_PRPSINFO, NT_AUXV = 1, 2, 3, 6
NT_FILE, NT_SIGINFO, NT_X86_XSTATE = 0x46494C45, 0x53494749, 0x202
AT_PHDR, AT_PHENT, AT_PHNUM, AT_PAGESZ, AT_ENTRY, AT_SYSINFO_EHDR = 3, 4, 5, 6, 9, 33
# struct user_regs_struct
REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags "
             "rsp ss fs_base gs_base ds es fs gs").split()


def note(kind, desc, owner=b"CORE"):
    name = owner + b"\0"
    padded = [part + b"\0" * (-len(part) % 4) for part in (name, desc)]
    return struct.pack("<3I", len(name), len(desc), kind) + padded[0] + padded[1]


def prstatus(lwp, **registers):
    values = {"cs": 0x33, "ss": 0x2B, "eflags": 0x202, **registers}
    head = struct.pack("<3iH2x2Q4i8Q", 0, 0, 0, 0, 0, 0, lwp, 1, lwp, lwp, *[0] * 8)
    general = struct.pack("<27Q", *(values.get(name, 0) for name in REGISTERS))
    return note(NT_PRSTATUS, head + general + struct.pack("<i4x", 0))


def prpsinfo(name, arguments, pid):
    return note(NT_PRPSINFO, struct.pack("<4b4xQ2I4i16s80s", 0, ord("S"), 0, 0, 0, 0, 0, pid, 1,
                                         pid, pid, name, arguments))


def auxv(**values):
    pairs = [(globals()[name], value) for name, value in values.items()] + [(0, 0)]
    return note(NT_AUXV, b"".join(struct.pack("<2Q", *pair) for pair in pairs))


def files(*rows):
    """NT_FILE; a row is (start, end, offset in pages, path)."""
    body = struct.pack("<2Q", len(rows), PAGE)
    body += b"".join(struct.pack("<3Q", *row[:3]) for row in rows)
    return note(NT_FILE, body + b"".join(row[3] + b"\0" for row in rows))


def core(notes, segments, notes_last=False, phnum=None, machine=62, kind=4):
    """The bytes of a core; a segment is (address, bytes in the file[, size in memory])."""
    count = 1 + len(segments)
    at = 64 + 56 * count
    note_at = at if not notes_last else at + sum(len(s[1]) for s in segments)
    headers = [struct.pack("<2I6Q", 4, 0, note_at, 0, 0, len(notes), 0, 4)]
    body = b"" if notes_last else notes
    for address, data, *size in segments:
        flags = READ | (EXECUTE if address == TEXT else WRITE)
        headers.append(struct.pack("<2I6Q", 1, flags, at + len(body), address, 0, len(data),
                                   size[0] if size else len(data), PAGE))
        body += data
    phnum = count if phnum is None else phnum
    elf = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack("<2HI3QI6H", kind, machine, 1, 0, 64, 0, 0, 64,
                                                      56, phnum, 0, 0, 0)
    return elf + b"".join(headers) + body + (notes if notes_last else b"")


def chain(depth, step=16, loop=False):
    """A stack on which each frame pointer leads to the next, all called from TEXT."""
    frames = b""
    for i in range(depth):
        up = STACK + step * (i + 1) if i + 1 < depth else STACK if loop else 0
        frames += struct.pack("<2Q", up, TEXT + 16 * i + 8).ljust(step, b"\0")
    return frames.ljust(PAGE, b"\0")


def plain(threads=1, **stack):
    notes = b"".join(prstatus(100 + i, rip=TEXT + 4, rsp=STACK, rbp=STACK) for i in range(threads))
    notes += prpsinfo(b"plain", b"./plain -x", 100)
    notes += auxv(AT_PHDR=TEXT + 64, AT_PHENT=56, AT_PHNUM=2, AT_PAGESZ=PAGE, AT_ENTRY=TEXT)
    notes += files((TEXT, TEXT + PAGE, 0, b"/nowhere/plain"))
    return notes, [(TEXT, b"\x90" * PAGE), (STACK, chain(8, **stack))]


def with_module():
    """A core whose text is an ELF file with dynamic section and unwind table that lead nowhere."""
    headers = struct.pack("<2I6Q", 1, 5, 0, TEXT, 0, PAGE, PAGE, PAGE)
    headers += struct.pack("<2I6Q", 2, 6, 512, TEXT + 512, 0, 48, 48, 8)
    headers += struct.pack("<2I6Q", 0x6474E550, 4, 1024, TEXT + 1024, 0, 28, 28, 4)
    headers += struct.pack("<2I6Q", 4, 4, 768, TEXT + 768, 0, 36, 36, 4)
    text = b"\x7fELF\2\1\1" + b"\0" * 9
    text += struct.pack("<2HI3QI6H", 2, 62, 1, TEXT, 64, 0, 0, 64, 56, 4, 0, 0, 0) + headers
    text = text.ljust(512, b"\0") + struct.pack("<6Q", 21, STACK + 2048, 0, 0, 0, 0)
    text = text.ljust(768, b"\0") + struct.pack("<3I", 4, 20, 3) + b"GNU\0" + bytes(range(20))
    # .eh_frame_hdr: version 1, pcrel sdata4, udata4, datarel sdata4; one entry
    text = text.ljust(1024, b"\0") + struct.pack("<4BiIii", 1, 0x1B, 3, 0x3B, 124, 1, -1024, 152)
    # CIE: "zR", CFA is rbp + 16, rip and rbp below it; then an FDE for all of the page
    text = text.ljust(1152, b"\0") + struct.pack("<2I", 20, 0)
    text += b"\1zR\0\1\x78\x10\1\x1b" + b"\x0c\6\x10\x90\1\x86\2"
    text += struct.pack("<2Iii4x", 16, 28, -1184, PAGE)
    r_debug = struct.pack("<i4x4Q", 1, STACK + 2112, 0, 0, 0).ljust(64, b"\0")
    link = struct.pack("<5Q", 0, STACK + 2200, TEXT + 512, STACK + 2112, 0)
    link = link.ljust(88, b"\0") + b"name\0"
    stack = (chain(8)[:2048] + r_debug + link).ljust(PAGE, b"\0")
    return plain()[0], [(TEXT, text.ljust(PAGE, b"\0")), (STACK, stack)]


SEEDS = {
    "plain": lambda: core(*plain()),
    "threads": lambda: core(*plain(threads=5)),
    "notes-last": lambda: core(*plain(), notes_last=True),
    "loop": lambda: core(*plain(loop=True)),
    "misaligned": lambda: core(*plain(step=20)),
    "no-notes": lambda: core(b"", plain()[1]),
    "no-memory": lambda: core(plain()[0], []),
    "other-machine": lambda: core(*plain(), machine=183),
    "module": lambda: core(*with_module()),
    "sparse": lambda: core(plain()[0], [(TEXT, b"\x90" * 64, 1 << 40), (STACK, chain(3), 1 << 44)]),
}


def main(target):
    for name, make in SEEDS.items():
        with open(os.path.join(target, "core-" + name), "wb") as f:
            f.write(make())


if __name__ == "__main__":
    main(sys.argv[1])
