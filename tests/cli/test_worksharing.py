# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb omp loop`: what it says of a loop is held against who executes which iteration."""

from debugger import *
from openmp import *

# {scenario: (schedule as written, {build or compiler: in force}, first value, step, iterations that
# a thread has at a time; None: it depends)}. What the compiler reckons itself is "assumed".
STATIC = {"gcc": ("static", True), "clang": ("static", False)}
STEALING = {"gcc": ("dynamic", False), "clang": ("static with stealing", False)}
SCENARIOS = {
    "for_static": ("static", STATIC, 0, 1, None),
    "for_plain": (None, STATIC, 5, 2, None),
    "for_static_chunk": ("static, 4", STATIC, 0, 1, 4),
    "for_dynamic": ("dynamic, 4", STEALING, 0, 1, 4),
    "for_monotonic": ("monotonic : dynamic, 3",
                      {"gcc": ("dynamic", False), "clang": ("dynamic", False)}, 10, 3, 3),
    "for_guided": ("guided, 2", {"gcc": ("guided", False), "clang": ("guided", False)}, 39, -1, None),
    "for_runtime": ("runtime", {"gcc": ("guided", False), "clang": ("guided", False)}, 0, 1, None),
    "for_auto": ("auto", {"gcc": ("static", True), "clang": ("guided", False)}, 0, 1, None),
    "for_unsigned": ("dynamic, 4", STEALING, 1 << 63, 2, 4),
    "for_high": ("dynamic, 4", STEALING, (1 << 64) - 82, 2, 4),
    "for_down": ("dynamic, 4", STEALING, 113, -3, 4),
    "for_collapse": ("dynamic, 4", STEALING, 0, 1, 4),
}
ITERATIONS = 40


def chunk_in_force(scenario):
    """The size of chunks: of what is written, or by OMP_SCHEDULE."""
    written = "guided,3" if scenario == "for_runtime" else SCENARIOS[scenario][0]
    return int(written.split(",")[1]) if "," in (written or "") else None


def truth_of(program):
    """Who stays in which iteration, by LWP, and who has executed each of them in the end."""
    program.finish()
    said = program.said + program.process.stdout.read().decode()
    told = re.findall(r"^now lwp=(\d+) num=\d+ i=(-?\d+)$", said, re.M)
    now = {int(lwp): int(i) for lwp, i in told}
    done = re.search(r"^done num=([\d,]+)$", said, re.M)[1]
    return now, [int(n) for n in done.split(",")]


def loops_of(target):
    result = ompdb("omp", "--json", "loop", target)
    expect(result.status == 0 and result.err == "", f"not a clean success: {result}")
    shown = json.loads(result.out)
    fits(shown, SCHEMAS["loops"])
    return shown["loops"]


def hold_thread(loop, thread, value, owners, scenario):
    _, _, begin, step, chunk = SCENARIOS[scenario]
    equal(thread["state"], "inside", "state")
    counts = loop["numbers"] == "iterations"
    if thread["first"] is None:
        expect(scenario in ("for_static_chunk",), f"nothing is known of {thread}")
        return
    at = [(thread[key] - (0 if counts else begin)) // (1 if counts else step)
          for key in ("first", "last")]
    here = ((value + (1 << 64)) % (1 << 64) if begin >> 63 else value) - begin
    expect(at[0] <= here // step <= at[1], f"{value} is not in {at}")
    equal(owners[at[0]:at[1] + 1], [thread["number"]] * (at[1] + 1 - at[0]), f"who executes {at}")
    if chunk:
        equal(at[1] + 1 - at[0], chunk, "iterations at a time")
    if thread["now"] and len(thread["now"]) == 1:
        equal(thread["now"][0], here + begin, "the variable's value")
        equal(thread["rest"], at[1] - here // step, "iterations behind it")


def hold(scenario, build, loops, now, owners):
    written, in_force, begin, step, _ = SCENARIOS[scenario]
    equal(len(loops), 1, "loops")
    loop = loops[0]
    equal((loop["schedule"], loop["line"]),
          (written, line_of("omp_worksharing.c", scenario.removeprefix("for_"))), "directive")
    equal((loop["in_force"]["kind"], loop["in_force"]["assumed"]), in_force[build.split("-")[0]],
          "schedule in force")
    if scenario != "for_auto":
        equal(loop["in_force"]["chunk"], chunk_in_force(scenario), "chunk in force")
    if loop["begin"] is not None:
        equal((loop["begin"], loop["step"], loop["iterations"], loop["end"]),
              (begin, step, ITERATIONS, begin + (ITERATIONS - 1) * step), "bounds")
    else:
        expect(scenario == "for_collapse" or (scenario, build[-2:]) == ("for_down", "O2"),
               "the bounds are not known")
    equal(len(loop["threads"]), 3, "threads")
    taken = 0
    for thread in loop["threads"]:
        hold_thread(loop, thread, now[thread["lwp"]], owners, scenario)
        if thread["last"] is not None:
            taken += (thread["last"] - thread["first"]) // loop["step"] + 1
    if loop["left"] is not None:
        equal(loop["left"], ITERATIONS - taken, "iterations that nobody has got")


@cases(*((scenario, build) for scenario in SCENARIOS for build in BUILDS))
def who_has_what(scenario, build):
    program = start(f"omp_worksharing-{build}", scenario, env={"OMP_SCHEDULE": "guided,3"})
    shown = [loops_of(program.pid)]
    if scenario in ("for_dynamic", "for_static"):
        shown.append(loops_of(own_core_of(program)))
    now, owners = truth_of(program)
    for loops in shown:
        hold(scenario, build, loops, now, owners)


@cases(*((scenario, version) for version in other_libomps()
         for scenario in ("for_dynamic", "for_guided")))
def on_another_libomp(scenario, version):
    library = os.path.dirname(libomp_of(version))
    program = start("omp_worksharing-clang-O2", scenario, env={"LD_LIBRARY_PATH": library})
    shown = loops_of(program.pid)
    hold(scenario, "clang-O2", shown, *truth_of(program))


@cases(*BUILDS)
def tasks_of_a_taskloop(build):
    program = start(f"omp_worksharing-{build}", "for_tasks")
    shown = [loops_of(program.pid), loops_of(own_core_of(program))]
    now, owners = truth_of(program)
    for loops in shown:
        equal(len(loops), 3, "tasks")
        for loop in loops:
            [thread] = loop["threads"]
            equal((loop["directive"], loop["line"], loop["in_force"]["kind"], thread["computed"]),
                  ("taskloop", line_of("omp_worksharing.c", "tasks"), None, False), "taskloop")
            first, last = ((thread[key] - 5) // 2 for key in ("first", "last"))
            here = (now[thread["lwp"]] - 5) // 2
            equal([i for i in range(ITERATIONS) if owners[i] == owners[here]],
                  list(range(first, last + 1)), "iterations of a task")


# Of what gcc's code distributes nothing tells which part a team has.
@cases(*BUILDS)
def a_distributed_loop(build):
    program = start(f"omp_worksharing-{build}", "for_distribute")
    loops = loops_of(program.pid)
    now, owners = truth_of(program)
    equal([loop["schedule"] for loop in loops], [None, "static, 20"] if "clang" in build else [None],
          "from the inside out")
    for loop in loops[1:]:
        equal((loop["in_force"]["kind"], loop["threads"][0]["now"]), ("static", []), "distributed")
    [thread] = [thread for thread in loops[0]["threads"] if thread["state"] == "inside"]
    equal([thread["lwp"]], list(now), "who is in it")
    if "gcc" in build:
        equal((thread["first"], thread["last"]), (None, None), "a part")
    else:
        equal((owners, thread["first"], thread["last"]), ([0] * ITERATIONS, 0, 39), "a part")


# gfortran counts the iterations of a step of 2; main() is in the line that ends the program.
@cases(*itertools.product(("by_two", "down"), ("gcc-O0", "gcc-O2")))
def loops_of_fortran(name, build):
    program = start(f"omp_worksharing_fortran-{build}", name)
    [loop] = loops_of(program.pid)
    equal(loop["line"], line_of("omp_worksharing_fortran.f90", name), "directive")
    equal(sorted(thread["state"] for thread in loop["threads"]), ["at end", "inside"], "states")
    inside = next(thread for thread in loop["threads"] if thread["state"] == "inside")
    if name == "by_two" or build == "gcc-O0":
        equal((inside["first"], inside["last"]), (5, 9) if name == "by_two" else (20, 11), "part")
    program.finish()


@cases(*BUILDS)
def a_thread_that_waits_at_the_end(build):
    program = start(f"omp_worksharing-{build}", "for_short")
    loop, = loops_of(program.pid)
    equal([thread["state"] for thread in loop["threads"]], ["inside", "inside", "at end"], "states")
    equal(loop["begin"], None, "what a call would tell, which is not made")
    program.finish()


@cases("gcc-O0", "clang-O0")
def as_text(build):
    program = start(f"omp_worksharing-{build}", "for_dynamic")
    said = ompdb("omp", "loop", program.pid).out
    expect(re.search(r"^loop of region 0, at omp_worksharing.c:\d+ in for_dynamic$", said, re.M), said)
    expect("i from 0 to 39, step 1: 40 iterations; 28 not given" in said or "clang" in build, said)
    expect("i = 0 to 3, now i = 1, 2 more" in said, said)
    threads_that_are_chosen(program)
    program.finish()


def threads_that_are_chosen(program):
    said = session(None, "omp loop --with thread=0.1", "omp loop --sort -now", "omp loop -v --with now=1",
                   "omp loop --without state=inside", "omp loop --group state", "omp loop --group state --json",
                   "omp loop --without thread=0.1 --json", options=["-p", str(program.pid)])
    said("omp loop --with thread=0.1").has(r"^loop of region 0, ", r"^    0\.1  LWP ").has_not(r"^    0\.[02] ")
    falling = [int(n) for n in re.findall(r"now i = (\d+)", said("omp loop --sort -now").text)]
    equal((len(falling), falling), (3, sorted(falling, reverse=True)), "the greatest first")
    said("omp loop -v --with now=1").has(r"^thread +0\.\d$", r"^directive +parallel for$", r"^first +0$", r"^last +3$", r"^rest +2$")
    said("omp loop --without state=inside").has(r"^None\.$")
    said("omp loop --group state").has(r"^state inside: 3$", r"^loop of region 0, ")
    told = [json.loads(re.search(r"^\{.*", said(f"omp loop {how} --json").text, re.M)[0])
            for how in ("--group state", "--without thread=0.1")]
    equal([(g["group"], len(g["loops"][0]["threads"])) for g in told[0]["groups"]], [("inside", 3)], "groups")
    equal([t["number"] for t in told[1]["loops"][0]["threads"]], [0, 2], "those that are left")


@cases(*BUILDS)
def sections_by_their_lines(build):
    program = start(f"omp_loops-{build}", "sections")
    loop, = loops_of(program.pid)
    lines = [line_of("omp_loops.c", name) - 2 for name in ("first section", "second section")]
    equal(loop["construct"], "sections", "construct")
    equal(sorted(thread["section_line"] for thread in loop["threads"]), lines, "sections")
    said = ompdb("omp", "loop", program.pid).out
    expect(f"of line {lines[1]}" in said, said)
    program.finish()


# libomp's threads spin while they wait for their turn: nobody can wait for them to sleep.
@cases("gcc-O0", "gcc-O2")
def an_ordered_loop(build):
    program = start(f"omp_loops-{build}", "for_ordered")
    loop, = loops_of(program.pid)
    equal(loop["schedule"], "static, 1", "schedule")
    equal([thread["now"] for thread in loop["threads"]], [[0], [1], [2]], "iterations")
    program.finish()


@cases(*BUILDS)
def as_variables(build):
    """Those of the thread that has stopped; conditions on them are decided by the front end."""
    names = "$omp_iteration", "$omp_chunk_begin", "$omp_chunk_end", "$omp_schedule"
    said = session(f"omp_worksharing-{build}", "set args for_monotonic", "break main", "run", "print $omp_iteration",
                   "break one if $omp_iteration == 22", "catch omp loop-chunk if $omp_chunk_end > 100", "continue", "info breakpoints",
                   "print i", *(f"print {name}" for name in names), "delete", "break one", "set args for_dynamic", "run",
                   "print $omp_schedule", "kill")
    said("print $omp_iteration").value("void")
    said("info breakpoints").has(r"stop only if \$omp_iteration == 22 \(host evals\)")
    said("print i").value("22")
    for name, value, command in zip(names[:3], ("22", "19", "28"), (2, 1, 1)):
        said(f"print {name}", command).value(value)
    said("print $omp_schedule").has(r'= "dynamic, 3')
    said("print $omp_schedule", 2).value(r'"dynamic, 4 \(static with stealing\)"' if "clang" in build else '"dynamic, 4"')


@cases("clang-O0", "clang-O2")
def chunks_that_are_chosen_at_run_time(build):
    said = session(f"omp_worksharing-{build}", "set args for_runtime", "set environment OMP_SCHEDULE static,3", "break one if i == 4",
                   "run", "omp loop", "kill")
    said("omp loop").has(r"schedule\(runtime\), in force: static, 3$", " i = 3 to 5, now i = 4, 1 more$")


@cases("gcc-O0")
def no_loop(build):
    program = start(f"omp_regions-{build}", "plain")
    expect("No thread is in a worksharing loop." in ompdb("omp", "loop", program.pid).out, "a loop")
    program.finish()


main()
