# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` of cores that the kernel wrote because a program crashed, and of processes that stand in
the handler of such a signal: who, where, of what, and what the others did."""

import resource
import shutil
import signal

from openmp import *

BUILDS = tuple(f"{c}-{o}" for c in ("gcc", "clang") for o in ("O0", "O2"))


def core_of_crash(program, scenario, *more):
    """Runs a program that crashes; the path of the kernel's core file."""
    where = folder()
    result = run(testprog(program), scenario, *more, cwd=where,
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)))
    expect(result.status < 0, f"it did not crash: {result}")
    cores = [name for name in os.listdir(where) if name.startswith("core")]
    if not cores:
        skip("this machine writes no core files into the current folder")
    return os.path.join(where, cores[0]), -result.status


def told(core, status=4):
    result = ompdb("why", "--json", core)
    equal(result.status, status, "exit status")
    return json.loads(result.out)


# scenario: signal, cause, line of it, words of the summary
CRASHES = {
    "null": ("SIGSEGV", "null-pointer", "null", "it used a null pointer (address 0xc)"),
    "unmapped": ("SIGSEGV", "no-memory", "unmapped", "there is no memory (address 0x7"),
    "constant": ("SIGSEGV", "protected-memory", "constant", "the memory there is not for that"),
    "wild": ("SIGSEGV", "wild-pointer", "wild", "no memory can have"),
    "overflow": ("SIGSEGV", "stack-overflow", "deep", "calls deep)"),
    "leaps": ("SIGSEGV", "stack-overflow", "far", "the last of which needs 64 MB)"),
    "unheard": ("SIGSEGV", "stack-overflow", "deep", "calls deep)"),
    "leaps-unheard": ("SIGSEGV", "stack-overflow", "far", "the last of which needs 64 MB)"),
    "truncated": ("SIGBUS", "truncated-file", "truncated", "a mapped file ends before (address 0x7"),
    "divides": ("SIGFPE", "division", "divides", "divided an integer by zero"),
    "traps": ("SIGILL", "instruction", "traps", "no instruction here"),
    "aborts": ("SIGABRT", "abort", "aborts", "it called abort()."),
    "asserts": ("SIGABRT", "abort", "asserts", "Assertion `zero == 1' failed."),
    "throws": ("SIGABRT", "exception", "throws", "a C++ exception: (anonymous namespace)::overdrawn"),
    "copies": ("SIGSEGV", "null-pointer", "copies", "it used a null pointer"),
    "again": ("SIGSEGV", "null-pointer", "null", "it used a null pointer (address 0xc)"),
    "raises": ("SIGSEGV", "raised", "raises", "it sent that signal to itself"),
}


@cases(*((build, scenario) for build in BUILDS for scenario in CRASHES))
def a_core_of_a_crash(build, scenario):
    name, cause, mark, words = CRASHES[scenario]
    core, number = core_of_crash(f"crashes-{build}", scenario)
    equal(signal.Signals(number).name, name, "the signal it died of")
    why = told(core)
    equal(why["verdict"], "crashed", "verdict")
    equal((why["crash"]["signal"], why["crash"]["cause"]), (name, cause), "crash")
    blame = why["blame"][0]
    equal(blame["omp"], "0.2", "who crashed")
    lines = {line_of("crashes.cc", mark) - (mark in ("deep", "far")) * n for n in range(6)}
    if scenario == "throws" and "clang" in build:  # clang lets no exception out of the region: it has unwound to there
        lines |= {line_of("crashes.cc", "run") - n for n in range(4)}
    expect(blame["file"].endswith("crashes.cc") and blame["line"] in lines, f"where: {blame}")
    expect(words in why["summary"], f"{words!r} is not in {why['summary']!r}")
    equal("OMP_STACKSIZE" in " ".join(why["hints"]), cause == "stack-overflow", f"hints: {why['hints']}")
    others = [r for r in why["reasons"] if r.startswith("Meanwhile thread")]
    expect(any(" wait" in r for r in others), f"what the others did: {why['reasons']}")
    stack = ompdb("stack", core)
    expect(f"crashed by {name}" in stack.out, f"the stack does not say so: {stack}")


HANDLED = {"handled": ("null-pointer", "null"), "plainly": ("null-pointer", "null"), "aside": ("stack-overflow", "deep")}
OTHER_SIGNALS = {"divides-handled": ("division", "divides"), "traps-handled": ("instruction", "traps"),
                 "truncated-handled": ("truncated-file", "truncated"), "aborts-handled": ("abort", "aborts")}


@cases(*((build, scenario) for build in BUILDS for scenario in HANDLED), *zip(BUILDS, OTHER_SIGNALS))
def a_process_in_a_handler(build, scenario):
    """A crash reporter, say, that waits for somebody to look; also one to which the kernel does not
    say why, and one on a stack of its own."""
    cause, mark = {**HANDLED, **OTHER_SIGNALS}[scenario]
    program = start(f"crashes-{build}", scenario)
    result = ompdb("why", "--json", program.pid)
    why = json.loads(result.out)
    equal((result.status, why["verdict"], why["crash"]["cause"]), (4, "crashed", cause), "verdict")
    lines = [line_of("crashes.cc", mark) - (mark == "deep") * n for n in range(6)]
    expect(why["blame"][0]["line"] in lines, f"line: {why['blame']}")
    expect("in a handler" in why["summary"], why["summary"])
    stack = ompdb("stack", program.pid)
    expect(f"crashed by {why['crash']['signal']}" in stack.out, f"the stack does not say so: {stack}")
    program.kill()


@cases(*BUILDS)
def the_first_thread_overflows(build):
    core, _ = core_of_crash(f"crashes-{build}", "overflow", "first")
    why = told(core)
    equal((why["crash"]["cause"], why["blame"][0]["omp"]), ("stack-overflow", "0.0"), "crash")
    expect("ulimit -s" in " ".join(why["hints"]), f"hints: {why['hints']}")


@cases(*(build for build in BUILDS if "clang" in build))
def a_runtime_gives_up(build):
    """libomp finds that there is another one: what it says is in no file, but still on its stack, unless that was used again (19)."""
    other = os.path.join(folder(), "libother.so")
    shutil.copy(libomp_of(None), other)
    core, _ = core_of_crash(f"crashes-{build}", "second", other)
    why = told(core)
    equal((why["crash"]["cause"], why["blame"][0]["line"]), ("abort", line_of("crashes.cc", "second")), "crash")
    words = "OMP: Error #15: Initializing lib"
    with open(core, "rb") as file:
        left = words.encode() in file.read()
    said = f"it called abort(): {words}" if left else "it called abort() in libomp, which has met an error of its own"
    expect(said in why["summary"], why["summary"])


@cases(*BUILDS)
def a_signal_from_outside_is_no_crash(build):
    """Cores of programs that hang are made by kill -ABRT."""
    where = folder()
    program = start(f"crashes-{build}", "hangs", cwd=where,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)))
    os.kill(program.pid, signal.SIGABRT)
    program.process.wait()
    cores = [name for name in os.listdir(where) if name.startswith("core")]
    if not cores:
        skip("this machine writes no core files into the current folder")
    result = ompdb("why", "--json", os.path.join(where, cores[0]))
    why = json.loads(result.out)
    expect(why["verdict"] != "crashed" and why["crash"] is None, f"a crash: {why['summary']}")


main()
