# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` never calls a healthy program dead: a storm of looks at programs that go through all
constructs again and again, each at whatever moment it comes; they check what they compute."""

import itertools
import tempfile
from concurrent.futures import ThreadPoolExecutor

from invariants import violations
from why import *

CONSTRUCTS = ("barriers", "loops", "ordered", "doacross", "singles", "sections", "criticals",
              "locks", "nest_locks", "atomics", "reductions", "tasks", "taskgroups",
              "dependences", "detached", "nested", "teams", "mutexes", "sleeps", "flags", "polls",
              "contended", "trees", "all")
LOOKS = (("--once",), ("--interval", "5"))
AT_A_TIME = 2  # programs that are looked at
SECONDS = 0.25 if FEW else 0.6  # for which each is
LEAST = 4      # looks at each, however slow it is
TEAMS = {"passive": 3, "active": 2}
RUNTIMES = [(build, policy) for build in ("gcc-O2", "clang-O2") for policy in TEAMS]


def look_again_and_again(build, policy, construct):
    """Looks at a program that uses a construct; returns how often each verdict came, and what is
    wrong with one that a healthy program must not get."""
    program = start(f"why_healthy-{build}", construct, TEAMS[policy], settled=False,
                    env={"OMP_WAIT_POLICY": policy, "KMP_TEAMS_THREAD_LIMIT": "8"})
    verdicts, problem, end = collections.Counter(), None, time.monotonic() + SECONDS
    while not problem and (verdicts.total() < LEAST or time.monotonic() < end):
        told = why(program.pid, *LOOKS[verdicts.total() % len(LOOKS)])
        verdicts[told["verdict"]] += 1
        if told["verdict"] in FINDINGS:
            problem = f"{construct}: {in_short(told)}"
    program.finish()
    return verdicts, problem


@cases(*RUNTIMES)
def healthy_programs_are_not_called_dead(build, policy):
    # Where time is short, those of one policy are not those of the other.
    constructs = CONSTRUCTS[list(TEAMS).index(policy)::len(TEAMS)] if FEW else CONSTRUCTS
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        seen = list(pool.map(lambda c: look_again_and_again(build, policy, c), constructs))
    total = sum((verdicts for verdicts, _ in seen), collections.Counter())
    shown = ", ".join(f"{n} {verdict}" for verdict, n in total.most_common())
    print(f"# {total.total()} looks: {shown}", flush=True)
    problems = [problem for _, problem in seen if problem]
    expect(not problems, "\n".join(problems))


@cases(*RUNTIMES)
def who_makes_a_task_waits_for_no_dependence(build, policy):
    program = start(f"why_healthy-{build}", "trees", 3, settled=False, env={"OMP_WAIT_POLICY": policy})
    for _ in range(LOOKS_AT_TREES):
        shown = ompdb("omp", program.pid)
        expect("depend" not in shown.out, f"there are no dependences: {shown}")
    program.finish()


# Where nested regions end, members of libomp's teams have two numbers for a moment.
@cases(*((*row, construct) for row in RUNTIMES for construct in ("phases", "nested")))
def pictures_do_not_contradict_themselves(build, policy, construct):
    program = start(f"why_healthy-{build}", construct, 3, settled=False, env={"OMP_WAIT_POLICY": policy})
    found = [v for _ in range(LOOKS_AT_PHASES) for v in violations(json.loads(ompdb("omp", "--json", program.pid).out))]
    program.finish()
    expect(not found, "\n".join(found))


LOOKS_AT_TREES = 20
LOOKS_AT_PHASES = 12
CORES = 2 if FEW else 4
IN_CORES = {
    "gcc-O2": ("loops", "ordered", "doacross", "tasks", "dependences", "teams", "nest_locks"),
    "clang-O2": ("loops", "ordered", "doacross", "sections", "tasks", "criticals", "locks", "nest_locks", "reductions"),
}


def core_again_and_again(build, policy, construct):
    """What is wrong with what is said of core files of a program that uses a construct."""
    program = start(f"why_healthy-{build}", construct, TEAMS[policy], settled=False,
                    env={"OMP_WAIT_POLICY": policy})
    problem = None
    for _ in range(CORES):
        path = own_core_of(program)
        told = why(path)
        os.unlink(path)
        if told["verdict"] in FINDINGS:
            problem = f"{construct}: {in_short(told)}"
    program.finish()
    return problem


@cases(*RUNTIMES)
def cores_of_healthy_programs_are_not_called_dead(build, policy):
    problems = [p for p in (core_again_and_again(build, policy, c) for c in IN_CORES[build]) if p]
    expect(not problems, "\n".join(problems))


def cores_on_the_way(program, argument, *commands, env=None, n=8, apart=5):
    """No core of a thread that goes on alone from where the commands have led is called dead; instructions lie between."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(i)) for i in range(n)]
        steps = [command for path in paths for command in (f"stepi {apart}", f"generate-core-file {path}")]
        options = [word for command in (*commands, "set scheduler-locking on", *steps) for word in ("-ex", command)]
        run = ompdb("-batch", *options, "--args", testprog(program), *argument.split(), env=env)
        told = [why(path) for path in paths if os.path.exists(path)]
    equal(len(told), len(paths), f"cores of {run}")
    expect(not any(t["verdict"] in FINDINGS for t in told), "\n".join(map(in_short, told)))
    return told


# On its way to the lock it has not begun to wait, in whatever function of the runtime's it is.
@cases(*itertools.product(("gcc-O2", "clang-O2"), ("omp_set_lock", "omp_set_nest_lock")))
def who_takes_a_lock_alone_waits_for_nobody(build, entry):
    cores_on_the_way(f"why_healthy-{build}", "alone", f"break {entry}", "run", "continue 4", env={"OMP_WAIT_POLICY": "active"})


# A reduction of few threads has no barrier: the primary thread finds that out behind the other one, who is
# at the region's end; whichever comes first.
AT_REDUCTION = """break __kmpc_reduce_nowait
run
set scheduler-locking on
if $omp_thread == 0
    thread 0.1
    continue
    stepi 2000
    thread 0.0
else
    stepi 2000
    thread 0.0
    continue
end
stepi 10
"""


@cases("clang-O2")
def who_reduces_by_atomics_waits_for_nobody(build):
    with tempfile.NamedTemporaryFile("w", suffix=".cmds") as commands:
        commands.write(AT_REDUCTION)
        commands.flush()
        told = cores_on_the_way(f"why_healthy-{build}", "reductions 2", f"source {commands.name}",
                                env={"OMP_WAIT_POLICY": "active"})
    expect(all("0.1 waits at the end" in t["summary"] for t in told), "\n".join(map(in_short, told)))


# At the end of the region it executes a task for which the other one waits.
@cases("gcc-O2", "clang-O2")
def who_ends_a_task_waits_for_nobody(build):
    cores_on_the_way(f"why_tasks-{build}", "child_reads", "break finish", "run", n=6, apart=15)


main()
