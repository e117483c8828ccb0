# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test programs themselves: left alone, each gets where it should, sees nothing, exits 0."""

from harness import *

BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")
MATRIX = ("callbacks", "chain", "cxx_frames", "inline_frames", "omp_barrier", "omp_nested",
          "omp_tasks", "signal_frames")
BUSY = ("churn", "exec_loop", "exec_race", "forkers", "raisers", "signals", "vfork_d")
SINGLE = ("blocked_calls", "cyclic_frames", "deep_recursion", "exec_nonleader", "iouring",
          "odd_names", "sleepers", "traced", "zombie_leader", "tiny32",
          "fortran_frames-gcc-O0", "fortran_frames-gcc-O2",
          *("chain-" + way for way in (
              "debug_frame", "debuglink", "dwarf4", "exported", "no_build_id", "no_eh_hdr",
              "nopie", "nounwind", "split", "static", "staticpie", "staticpie_stripped",
              "stripped", "zlib", "zstd")))


@cases(*(f"{name}-{build}" for name in MATRIX for build in BUILDS), *SINGLE)
def undisturbed(name):
    start(name, settled=not name.startswith("omp_tasks-clang")).finish()


@cases(*BUSY)
def undisturbed_and_busy(name):
    start(name, settled=False).finish()


@cases(("signal_frames-gcc-O0", "alt"), ("callbacks-gcc-O2", "bsearch"),
       ("callbacks-clang-O2", "thread"), ("omp_barrier-gcc-O2", 1), ("omp_barrier-clang-O0", 1),
       ("cyclic_frames", "misaligned"), ("cyclic_frames", "unreadable"),
       ("cyclic_frames", "cfi-cycle"), ("cyclic_frames", "cfi-misaligned"),
       ("cyclic_frames", "cfi-unreadable"), ("sleepers", 512), ("exec_nonleader", 0))
def undisturbed_with_arguments(name, *arguments):
    start(name, *arguments).finish()


@cases("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")
def a_large_team_waits_at_the_barrier(build):
    environment = {"OMP_STACKSIZE": "64k", "OMP_WAIT_POLICY": "passive", "KMP_BLOCKTIME": "0"}
    program = start("omp_barrier-" + build, 512, env=environment)
    equal(len(threads(program.pid)), 512, "number of threads")
    program.finish()


@case
def an_exec_for_each_byte():
    program = start("exec_nonleader", 1)
    for _ in range(3):
        program.send(b"x")
        program.wait_ready()
    program.finish()


@case
def a_vfork_parent_is_in_state_D():
    program = start("vfork_d", settled=False)
    equal(proc_state(program.pid), "D", "state")
    program.finish()


@case
def a_zombie_leader_has_threads():
    program = start("zombie_leader")
    equal(proc_state(program.pid), "Z", "state of the leader")
    equal(len(threads(program.pid)), 4, "number of threads")
    program.finish()


@case
def a_disturbed_program_says_so():
    program = start("sleepers", 2)
    os.kill(program.pid, signal.SIGTERM)
    try:
        program.finish()
    except Failure as e:
        return expect("status -15" in str(e), f"something else: {e}")
    raise Failure("a signal that killed the program went unnoticed")


main()
