# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Core files: the same stacks as the live program; cut short, damaged and compressed ones."""

import random
import resource
import struct

import corefile
from stacks import *

PT_NOTE = 4
SEED = 2


def contents(path):
    with open(path, "rb") as f:
        return f.read()


def written(data, where=None):
    """A new file with these contents."""
    fd, path = tempfile.mkstemp(prefix="core-", dir=where or folder())
    with open(fd, "wb") as f:
        f.write(data)
    return path


def all_are_refused_or_shown(cores):
    """Each of many broken cores, bytes, gets stacks or one sentence."""
    where = folder()

    def check(data):
        path = written(data, where)
        verdict(path)
        os.remove(path)

    each(check, cores)


def kernel_core_of(name, *arguments):
    """A core that the kernel wrote of a program that was aborted, and its stacks before."""
    with open("/proc/sys/kernel/core_pattern") as f:
        pattern = f.read().strip()
    if pattern != "core":
        skip(f"the kernel puts core files elsewhere: core_pattern is {pattern}")
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
        skip("the size of core files has a hard limit")
    where = folder()
    no_limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    program = start(name, *arguments, cwd=where,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, no_limit))
    live = stacks(program.pid)
    program.process.send_signal(signal.SIGABRT)
    equal(program.process.wait(60), -signal.SIGABRT, "status of the program")
    for path in ("core", f"core.{program.pid}"):
        if os.path.exists(os.path.join(where, path)):
            return os.path.join(where, path), live
    skip("the kernel has written no core file")


# ---------------------------------------------------------------------------- as the live program


def same_stacks(core, live):
    equal(sorted(core), sorted(live), "the threads")
    for lwp, thread in live.items():
        both = f"thread {lwp}: core\n{stack_of(core[lwp])}\nlive\n{stack_of(thread)}"
        expect(core[lwp]["frames"] == thread["frames"], f"different stacks, {both}")
        expect(core[lwp]["end"] == thread["end"], f"different ends, {both}")


BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")


@cases(*(f"{name}-{build}" for build in BUILDS for name in ("omp_barrier", "cxx_frames",
                                                            "signal_frames")),
       "fortran_frames-gcc-O2", "inline_frames-clang-O2", "chain-staticpie", "chain-split",
       "sleepers")
def a_core_shows_what_the_program_showed(name):
    program = start(name)
    live = stacks(program.pid)
    path = core_of(program)
    program.finish()
    shown = report(path)
    target = {"pid": program.pid, "core": path, "exe": os.path.realpath(program.argv[0])}
    equal(shown["target"], target, "target")
    same_stacks({thread["lwp"]: thread for thread in shown["threads"]}, live)


@cases(("omp_barrier-gcc-O2",), ("omp_barrier-clang-O0",), ("sleepers", 64), ("chain-static",),
       ("zombie_leader",))
def a_core_of_the_kernel_shows_what_the_program_showed(name, *arguments):
    path, live = kernel_core_of(name, *arguments)
    same_stacks(stacks(path), live)


# ---------------------------------------------------------------------------- cut short


def chain_core():
    program = start("chain-gcc-O0")
    path = core_of(program)
    program.finish()
    return contents(path)


@case
def a_core_of_gcore_cut_short():
    data = chain_core()
    some = {0, 1, 3, 4, 15, 16, 40, 63, 64, 65, 119, 120, 4095, 4096, 4097,
            *(len(data) - n for n in (1, 2, 4, 16, 64, 512, 4096)),
            *(len(data) * n // 24 for n in range(1, 24))}
    all_are_refused_or_shown(data[:length] for length in sorted(some))
    verdict(written(data[: len(data) // 2])).refused(3, "truncated")
    equal(verdict(written(data)).status, 0, "status of the whole core")


@case
def a_core_of_the_kernel_cut_short():
    path, live = kernel_core_of("omp_barrier-gcc-O2", 16)
    data = contents(path)
    for part in (0.3, 0.6, 0.9):
        found = stacks(written(data[: int(len(data) * part)]))
        equal(sorted(found), sorted(live), f"the threads of the first {part}")
        for thread in found.values():
            expect(thread["frames"], f"no frame of thread {thread['lwp']} at {part}")
            equal(thread["frames"][0]["pc"], live[thread["lwp"]]["frames"][0]["pc"], "the first pc")
            depth = len([f for f in live[thread["lwp"]]["frames"] if not f["inline"]])
            expect(len([f for f in thread["frames"] if not f["inline"]]) == depth or thread["end"],
                   f"not said why the stack is not whole:\n{stack_of(thread)}")


# ---------------------------------------------------------------------------- damaged


def note_bytes(data):
    """Where the notes of a core are: (offset, size) of each segment."""
    phoff, = struct.unpack_from("<Q", data, 32)
    phnum, = struct.unpack_from("<H", data, 56)
    found = []
    for i in range(phnum):
        kind, _, offset, _, _, size = struct.unpack_from("<2I4Q", data, phoff + 56 * i)
        if kind == PT_NOTE:
            found.append((offset, size))
    return phoff + 56 * phnum, found


def headers_and_notes(data):
    """Offsets of all bytes in headers and notes."""
    headers, segments = note_bytes(data)
    places = list(range(headers))
    for offset, size in segments:
        places += range(offset, offset + size)
    return places


def corrupted(data, places, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16, 64))):
        at = rng.choice(places)
        width = rng.choice((1, 1, 2, 4, 8))
        value = rng.choice((0, 0xff, 0x7f, 0x80, rng.randrange(256)))
        data[at:at + width] = bytes([value]) * len(data[at:at + width])
    return bytes(data)


@cases("kernel or gcore", "module", "threads")
def headers_and_notes_that_are_damaged(which):
    rng = random.Random(SEED)
    if which in corefile.SEEDS:
        data, times = corefile.SEEDS[which](), repeated(50)
    else:
        data, times = chain_core(), repeated(100)
    places = headers_and_notes(data)
    all_are_refused_or_shown([corrupted(data, places, rng) for _ in range(times)])


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0xff]) + data[at + 1:]


@case
def any_byte_of_the_first_page_flipped():
    data = corefile.SEEDS["module"]()
    step = 48 if FEW else 24
    all_are_refused_or_shown(flipped(data, at) for at in range(0, 4096, step))


@case
def any_byte_of_memory_flipped():
    """Unwind tables, dynamic section, link map and stack are hostile, too."""
    data = corefile.SEEDS["module"]()
    step = 96 if FEW else 48
    all_are_refused_or_shown(
        flipped(data, at) for at in range(len(data) - 2 * corefile.PAGE, len(data), step))


# ---------------------------------------------------------------------------- compressed


@cases(("gzip", ".gz"), ("xz", ".xz"), ("zstd", ".zst"), ("gzip", ""), ("xz", ""))
def the_command_that_decompresses(tool, suffix):
    path = written(corefile.SEEDS["plain"]())
    run(need(tool), path)
    packed = path + {"gzip": ".gz", "xz": ".xz", "zstd": ".zst"}[tool]
    os.rename(packed, path + ".packed" + suffix)
    if os.path.exists(path):
        os.remove(path)
    result = ompdb("stack", "--raw", path + ".packed" + suffix)
    result.refused(3, tool)
    command = re.search(r"'(.*)'", result.err).group(1)
    equal(run("sh", "-c", command).status, 0, f"status of {command}")
    [made] = [os.path.join(os.path.dirname(path), name) for name in os.listdir(os.path.dirname(path))
              if name != os.path.basename(path) + ".packed" + suffix]
    equal(ompdb("stack", "--raw", made).status, 0, "status for what was made")


main()
