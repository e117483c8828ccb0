# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb check-ompd`: ours contradicts nothing, LLVM's what is known, one that is wrong what it is wrong about."""

from openmp import *

OURS = os.path.join(TESTPROGS, "..", "src", "ompd", "gomp", "libompd-gomp.so")
SCENARIO = os.path.join(TESTPROGS, "..", "tests", "ompd", "scenario-O0")
ENVIRONMENT = {"OMP_NUM_THREADS": "4,3,2", "OMP_PROC_BIND": "spread,close", "OMP_PLACES": "threads",
               "OMP_WAIT_POLICY": "passive"}

# What LLVM's libompd is known to get wrong: the first release that does, routine, words of the line.
# All of it is so in 22 still.
KNOWN = (
    (14, "ompd_get_device_thread_id_kinds", "expected that it is exported"),
    (14, "ompd_get_device_from_thread", "expected that it is exported"),
    # It does not look at the handle, and makes up answers.
    (14, "ompd_enumerate_states", "with no handle, got ok"),
    # "undefined" of what is a list.
    (14, "ompd_get_display_control_vars", "=undefined, expected its list"),
    # Without OMP_DEBUG=enabled the runtime keeps no states: that is needs_state_tracking.
    (14, "ompd_get_state", "got state 0, expected one of a thread in a region"),
    # Of a runtime that has not been initialised.
    (14, "ompd_get_icv_from_scope", "num-procs-var of the process with libomp, got error"),
)


def check(library, target, **popen):
    result = ompdb("check-ompd", library, target, **popen)
    expect(result.status in (0, 1) and not result.err, f"no check: {result}")
    lines = result.out.splitlines()
    equal(result.status, 1 if lines else 0, f"status of {result}")
    return lines


def libompd(release):
    """LLVM's library, of the release that is installed (14) or of another one's package."""
    if release == 14:
        path = os.path.join(os.path.dirname(os.path.realpath(libomp_of(None))), "libompd.so")
        return path if os.path.exists(path) else skip("no libompd.so here")
    if str(release) not in other_libomps():
        skip(f"this machine's packages have no libomp {release}, or two that are newer")
    name = f"libomp-{release}-dev"
    result = run(os.path.join(SCRIPTS, "fetch-packages"), os.path.join(TESTPROGS, "..", "fetched", name),
                 "libompd.so", name, seconds=300)
    if result.status == 77:
        skip(result.out.strip())
    return result.out.strip()


@cases(("omp_regions-gcc-O0", "nested"), ("omp_regions-gcc-O2", "three_levels"),
       ("omp_regions-gcc-O0", "serial_one"), ("omp_regions-gcc-O0", "before"),
       ("omp_joins-gcc-O2", "barrier"), ("omp_tasks-gcc-O0", None), (SCENARIO, "outer_serialised"))
def ours_contradicts_nothing(name, argument):
    if not os.path.exists(name if "/" in name else testprog(name)):
        skip(f"no {name} here")
    program = start(name, *filter(None, [argument]), env=ENVIRONMENT, settled="/" not in name)
    equal(check(OURS, program.pid), [], "contradictions")
    program.untouched()
    program.finish()


@cases(14, 16, 19, 21)
def what_is_known_of_llvms(release):
    library = libompd(release)
    for argument in ("nested", "serial_one", "before"):
        program = start("omp_regions-clang-O0", argument, env=ENVIRONMENT)
        lines = check(library, program.pid)
        new = [line for line in lines
               if not any(release >= first and line.startswith(routine + ":") and words in line
                          for first, routine, words in KNOWN)]
        equal(new, [], "contradictions that are not known")
        for first, routine, words in KNOWN[:4]:
            expect(release < first or any(line.startswith(routine + ":") and words in line for line in lines),
                   f"{routine} is not found to be wrong any more: {lines}")
        program.finish()


@cases(("get_thread_in_parallel", "asked thread 1 of the region of level 1"),
       ("get_icv_from_scope", "asked levels-var of the region of level 1"),
       ("get_state", "got state 0x100, expected one of a thread in a region"))
def an_answer_that_is_wrong(routine, words):
    program = start("omp_regions-gcc-O0", "plain")
    lines = check(testprog("planted_ompd.so"), program.pid,
                  env={"PLANTED_REAL": OURS, "PLANTED": "be wrong", "PLANTED_AT": routine})
    expect(any(line.startswith(f"ompd_{routine}: ") and words in line for line in lines),
           f"it is not told: {lines}")
    others = {line.split(":")[0] for line in lines} - {f"ompd_{routine}"}
    # A number and a text that differ are told of as they are compared.
    expect(others <= {"ompd_get_icv_string_from_scope"}, f"others are told of: {lines}")
    program.finish()


@case
def one_that_crashes():
    program = start("omp_regions-gcc-O0", "plain")
    # What it had allocated is nobody's then.
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    lines = check(testprog("planted_ompd.so"), program.pid,
                  env={"PLANTED_REAL": OURS, "PLANTED": "crash", "PLANTED_AT": "get_task_function", "ASAN_OPTIONS": options})
    expect(lines and lines[-1].startswith("ompd_get_task_function: ") and "a crash" in lines[-1],
           f"it is not told: {lines}")
    program.untouched()
    program.finish()


@case
def what_cannot_be_checked():
    program = start("omp_regions-gcc-O0", "plain")
    plain = start("blocked_calls", "pause")
    text = os.path.join(folder(), "text")
    with open(text, "w", encoding="utf-8") as f:
        f.write("no library\n")
    planted = {"PLANTED_REAL": OURS, "PLANTED": "be wrong", "PLANTED_AT": "get_api_version"}
    for library, target, status, words, env in (
            ("/no/such.so", program.pid, 3, "/no/such.so: No such file", None),
            (text, program.pid, 3, "cannot be loaded", None),
            (testprog("fake_mpi.so"), program.pid, 3, "is no OMPD library that ompdb can use: it lacks", None),
            (testprog("planted_ompd.so"), program.pid, 3, "speaks version 1 of OMPD", planted),
            (OURS, plain.pid, 3, "there is no OpenMP runtime", None)):
        result = ompdb("check-ompd", library, target, env=env)
        equal((result.status, result.out), (status, ""), f"status and output of {result}")
        expect(words in result.err and result.err.count("\n") == 1, f"not {words!r} alone: {result}")
    for arguments in ((), (OURS,), (OURS, program.pid, "more")):
        equal(ompdb("check-ompd", *arguments).status, 2, f"status with {arguments}")
    program.finish()
    plain.finish()


main()
