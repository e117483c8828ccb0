# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged debug information, symbol tables and unwind tables: names may be lost, frames are not."""

import random
import struct

from damage import Elf
from stacks import *


def look_at(path):
    """The stacks of a program: frames, without inlined ones, and the end of each thread."""
    # One program at one path has its code at the same addresses each time.
    program = Program([need("setarch"), "x86_64", "-R", path], env={"KMP_BLOCKTIME": "0"})
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), f"{path} to sleep")
    found = stacks(program.pid, seconds=10)
    program.untouched()
    program.finish()
    return [([f["pc"] for f in thread["frames"] if not f["inline"]], thread["end"])
            for _, thread in sorted(found.items())]


def starts(path):
    """Whether a program can run at all: libgcc 13 and later sorts the unwind tables of a static one
    before main(), and may not survive damaged ones."""
    with open("/dev/null", encoding="utf-8") as nothing:
        return run(path, stdin=nothing).status == 0


def damaged_programs(name, times, damage):
    """Yields what ompdb shows of a test program, and of so many that damage(elf, rng) has changed;
    it shall be the same."""
    path = os.path.join(folder(), "program")
    Elf(testprog(name)).write(path)
    whole = look_at(path)
    started = 0
    for number in range(20 * times):
        elf = Elf(testprog(name))
        damage(elf, random.Random(f"{name} {number}"))
        elf.write(path)
        if starts(path):
            yield number, look_at(path), whole
            started += 1
        if started == times:
            return
    raise Failure(f"{started} of {20 * times} damaged programs start")


@cases(*(f"{name}-{compiler}-O{level}" for compiler in ("gcc", "clang")
         for name, level in (("inline_frames", 2), ("cxx_frames", 0))))
def debug_information(name):
    for number, found, whole in damaged_programs(
            name, repeated(20), lambda elf, rng: elf.damage(rng, ".debug_")):
        equal(found, whole, f"stacks of number {number}")


@cases("zlib", "zstd", "split", "dwarf4", "static")
def debug_information_of_other_kinds(way):
    for number, found, whole in damaged_programs(
            "chain-" + way, repeated(8), lambda elf, rng: elf.damage(rng, ".debug_")):
        equal(found, whole, f"stacks of number {number}")


@cases(("inline_frames-gcc-O2", 0), ("inline_frames-clang-O2", 0xff), ("cxx_frames-gcc-O0", 0x80),
       ("cxx_frames-clang-O0", 1))
def a_whole_section_of_debug_information(name, value):
    sections = [s for s in Elf(testprog(name)).sections if s.startswith(".debug_")]
    chosen = iter(sections)

    def damage(elf, _):
        elf.fill(*elf.sections[next(chosen)], value)

    for number, found, whole in damaged_programs(name, len(sections), damage):
        equal(found, whole, f"stacks with {sections[number]} full of {value}")


@cases(*(Shared((size,)) for size in (1 << 31, 1 << 40, (1 << 64) - 1)))
def compressed_sections_that_claim_to_be_huge(size):
    path = os.path.join(folder(), "program")
    elf = Elf(testprog("chain-zlib"))
    for name in (".debug_info", ".debug_line"):
        offset, _ = elf.sections[name]
        struct.pack_into("<Q", elf.data, offset + 8, size)  # Elf64_Chdr, ch_size
    elf.write(path)
    program = start(path)
    shown = report(program.pid)
    expect_chain(shown["threads"][0], lines=False)
    expect(any(path in note and "claim to unpack" in note for note in shown["notes"]),
           f"{shown['notes']}")
    used = peak(program.pid)
    expect(used <= 32, f"{used:.1f} MiB")
    program.finish()


@cases(*(Shared((name,)) for name in (".debug_info", ".debug_str", ".debug_aranges")))
def sections_that_are_bombs(name):
    """.debug_aranges is none that ompdb asks for: it stays packed, and does not count."""
    path = os.path.join(folder(), "program")
    elf = Elf(testprog("chain-zlib"))
    elf.pack(name, 64)
    elf.write(path)
    program = start(path)
    shown = report(program.pid)
    expect_chain(shown["threads"][0], lines=name == ".debug_aranges")
    equal(any(path in note and "claim to unpack to 64 MiB" in note for note in shown["notes"]),
          name != ".debug_aranges", f"that there is a note, in {shown['notes']}")
    used = peak(program.pid)
    expect(used <= 32, f"{used:.1f} MiB")
    program.finish()


@case
def symbol_tables():
    for number, found, whole in damaged_programs(
            "chain-gcc-O2", repeated(20), lambda elf, rng: elf.damage(rng, ".symtab", ".strtab")):
        equal(found, whole, f"stacks of number {number}")


@cases("chain-gcc-O2", "cxx_frames-clang-O2", "chain-static", "chain-no_eh_hdr")
def unwind_tables(name):
    """A wrong table may say anything: only where the thread is stays certain."""
    for number, found, whole in damaged_programs(
            name, repeated(8), lambda elf, rng: elf.damage(rng, ".eh_frame")):
        # Threads are in the order of their numbers, which begin anew at some time.
        equal(sorted(pcs[0] for pcs, _ in found), sorted(pcs[0] for pcs, _ in whole),
              f"the innermost pcs of number {number}")


@cases((".eh_frame", 0), (".eh_frame", 0xff), (".eh_frame_hdr", 0), (".eh_frame_hdr", 0xff))
def no_usable_unwind_tables(section, value):
    for name, has_frame_pointers in (("chain-gcc-O0", True), ("chain-gcc-O2", False)):
        path = os.path.join(folder(), "program")
        elf = Elf(testprog(name))
        elf.fill(*elf.sections[section], value)
        elf.write(path)
        program = start(path)
        thread = stacks(program.pid)[program.pid]
        if has_frame_pointers:
            expect_calls(thread, "chain.c", CHAIN)
        expect(thread["end"] or "main" in functions(thread), f"not said why:\n{stack_of(thread)}")
        program.finish()


# ---------------------------------------------------------------------------- behind a core

# What the dynamic linker needs: the program could not start with it.


@cases(("chain-exported", "dynamic symbols"), ("chain-gcc-O0", "section headers"),
       ("chain-clang-O2", "section headers"))
def a_program_that_could_not_start(name, what):
    path = os.path.join(folder(), "program")
    Elf(testprog(name)).write(path)
    program = start(path)
    core = own_core_of(program)
    program.finish()
    whole = stacks(core)[program.pid]["frames"]
    for number in range(repeated(20)):
        elf = Elf(testprog(name))
        rng = random.Random(f"{name} {number}")
        if what == "dynamic symbols":
            elf.damage(rng, ".dynsym", ".dynstr", ".gnu.hash", ".gnu.version")
        else:
            elf.damage_headers(rng)
        elf.write(path)
        found = stacks(core, seconds=10)[program.pid]["frames"]
        if what == "dynamic symbols":
            equal([f["pc"] for f in found if not f["inline"]],
                  [f["pc"] for f in whole if not f["inline"]], f"pcs of number {number}")
        equal(found[0]["pc"], whole[0]["pc"], f"the innermost pc of number {number}")


SHOW = os.path.join(BUILD, "tests", "live", "show_places")


@cases(*(f"{name}-{compiler}-O{level}" for compiler in ("gcc", "clang")
         for name, level in (("inline_frames", 2), ("cxx_frames", 0), ("symbol_names", 2))))
def places_in_damaged_debug_information(name):
    """Whatever is said, it is said soon, and without harm."""
    source = name.split("-")[0] + (".c" if name.startswith("inline") else ".cc")
    questions = os.path.join(folder(), "questions")
    with open(questions, "w", encoding="utf-8") as f:
        for line in range(1, 60, 3):
            print(f"line {source}:{line}", file=f)
        print("function main\nfunction twice\nfunction operator()\nfunction vector\nfunctions\n"
              "files\ncomplete m\nresemble mian\nresemble-file cxx_frame.cc", file=f)
        for address in range(0x1000, 0x3000, 0x5b):
            print(f"range {address}\nblocks {address}", file=f)
    path = os.path.join(folder(), "program")
    for number in range(repeated(40)):
        elf = Elf(testprog(name))
        elf.damage(random.Random(f"places {name} {number}"), ".debug_", ".symtab", ".strtab")
        elf.write(path)
        with open(questions, encoding="utf-8") as f:
            result = run(SHOW, path, stdin=f, seconds=30)
        equal(result.status, 0, f"status of number {number}: {result.err}")


main()
