# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP in odd places: foreign threads, functions without frames, libraries, two runtimes, forked
processes, static and stripped programs, no OpenMP at all."""

from openmp import *

IN_OWN = ("region_of_its_own [parallel]@in own region", "-- parallel own region --",
          "region_of_its_own@~own region")
BESIDE = ("unused [parallel]@in region beside", "-- parallel region beside --",
          "unused@~region beside", "main@run")

FOREIGN = (
    scenario("omp_foreign", "two_regions", {
        "0": stays("two_regions@main of two regions", "main@run"),
        **{f"0.{n} {name}": stays(*IN_OWN) for n in (0, 1) for name in ("first", "second")},
    }),
    scenario("omp_foreign", "used", {
        "0 stays": stays("used@main of used", "main@run"),
        "0 first": stays("has_used@has used", role="foreign"),
    }, others=(IDLE,)),
    scenario("omp_foreign", "unused", {
        **{f"0.{n}": stays(*BESIDE) for n in range(3)},
        "first": stays("has_not_used@has not used", role="none"),
    }),
)


def gone(function, mark):
    """A function that ends with a call of the runtime has no frame where that is a jump."""
    return By("optimised, the call is a jump", O0=f"{function}@{mark}", O2=f"({function})@{mark}")


def left(function, construct, mark):
    return By("optimised, the call is a jump", O0=f"{function}{construct}@{mark}", O2=f"({function})@{mark}")


IN_LASTS = ("in_both@in both regions", left("inner_last", " [parallel]", "call in inner"))
BEHIND_LASTS = ("-- parallel inner that is last --", left("inner_last", "", "~inner that is last"),
                left("outer_last", " [parallel]", "call in outer"), "-- parallel outer that is last --",
                left("outer_last", "", "~outer that is last"), "lasts@call of lasts")


def jump(argument, kind, mark, call, straggler):
    return scenario("omp_tailcalls", argument, {
        "0.0": waits(kind, mark, gone("end_with_" + mark, mark), f"{argument}@{call}", *IN_TEAM),
        "0.1": stays(f"{argument}@{straggler}", *IN_TEAM),
    })


TAIL_CALLS = (
    jump("barrier", "explicit barrier", "barrier", "call of barrier", "straggler"),
    jump("set_lock", "lock", "lock", "call of lock", "holder"),
    scenario("omp_tailcalls", "taskwait", {
        "0.0": waits("taskwait", "taskwait", gone("end_with_taskwait", "taskwait"),
                     "taskwait@call of taskwait", *IN_TEAM),
        "0.1": stays("body@body", "taskwait [task]@in task", "-- task task by 0.0 --",
                     *AFTER_TEAM),
    }),
    scenario("omp_tailcalls", "region", {
        "0.0": waits("explicit barrier", "barrier ends region",
                     By("optimised, the call is a jump", O0="region [parallel]@barrier ends region",
                        O2="(region)@barrier ends region"), "-- parallel region ends with barrier --",
                     "region@~region ends with barrier", "main@run alone"),
        "0.1": stays("region [parallel]@straggler in region",
                     "-- parallel region ends with barrier --",
                     "region@~region ends with barrier", "main@run alone"),
    }),
    scenario("omp_tailcalls", "regions", {f"0.{n}.0": stays(
        "regions [parallel]@in inner region", "-- parallel inner region --",
        By("optimised, the call is a jump", O0="regions [parallel]@~inner region",
           O2="(regions)@~inner region"),
        "-- parallel outer region --", "regions@~outer region", "main@run alone")
        for n in (0, 1)}),
    scenario("omp_tailcalls", "lasts", {f"0.{n}.{m}": stays(*IN_LASTS, *BEHIND_LASTS, "main@run alone")
                                        for n in (0, 1) for m in (0, 1)}),
    scenario("omp_tailcalls", "lasts_end", {f"0.{n}.{m}": told(*BEHIND_LASTS, "lasts_end@call to end", "main@run alone")
                                            for n in (0, 1) for m, told in (
        (0, lambda *out: waits("region end", "inner that is last", *out)), (1, lambda *out: stays(*IN_LASTS, *out)))}),
)


@cases(*rows((*FOREIGN, *TAIL_CALLS), NATIVE))
def threads_and_functions(s, v):
    look(s, v)


# ---------------------------------------------------------------------------- libraries

PART = ("solve_part [parallel]@omp_part.c#in part", "-- parallel omp_part.c#part --",
        "solve_part@~omp_part.c#part")
BOTH = scenario("omp_both", "within", {
    "0.0 waits": waits("explicit barrier", "barrier", "within@barrier", *IN_TEAM),
    **{f"0.{n} stays": stays(*PART, "call_part@call of part", "within@calls", *IN_TEAM)
       for n in (0, 1)},
})


def kinds(shown):
    return [runtime["kind"] for runtime in shown["runtimes"]]


def look_at(s, v, program, wanted_kinds):
    """Holds ompdb to a scenario of a program that has been started otherwise."""
    truths = truths_of(program)
    wait_for(lambda: all(proc_state(program.pid, t) == "S" for t in truths), "it to stay")
    (stack, omp), states = states_while(
        program, lambda: (picture("stack", program.pid), picture("omp", program.pid)))
    equal(sorted(kinds(stack)), sorted(wanted_kinds), "the runtimes")
    check = Check(s, v, truths, {}, states)
    check.everything(stack, omp)
    expect(not check.problems, "\n".join(check.problems))
    program.finish()


@cases(("gcc", "libgomp"), ("clang", "libomp"))
def a_library_that_is_loaded_late_brings_the_runtime(compiler, runtime):
    s = scenario("omp_load", None, {f"0.{n}": stays(*PART, "main@call of part") for n in (0, 1)})
    program = start("omp_load", testprog(f"omp_part-{compiler}.so"))
    look_at(s, variant(f"{compiler}-O1"), program, [runtime])


@cases("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")
def both_runtimes_in_one_process(build):
    other = "clang" if build.startswith("gcc") else "gcc"
    program = start(f"omp_both-{build}", "within", testprog(f"omp_part-{other}.so"), settled=False,
                    env={"OMP_WAIT_POLICY": "passive"})
    # One of the two is always gcc's, for whose regions marks with "~" are.
    look_at(BOTH, variant("gcc-" + build[-2:]), program, ["libgomp", "libomp"])


@cases("gcc-O0", "gcc-O2")
def libgomp_beside_a_preloaded_libomp_is_not_used(build):
    s = scenario("omp_regions", "plain", {f"0.{n}": stays(
        "plain [parallel]@in plain", "-- parallel plain --", "plain@~plain", "main@run")
        for n in range(4)})
    program = start(f"omp_regions-{build}", "plain", env={"LD_PRELOAD": libomp_of(None)})
    look_at(s, variant(build, preload=True), program, ["libgomp", "libomp"])


# ---------------------------------------------------------------------------- processes


@cases(*BUILDS)
def a_child_forked_after_a_region(build):
    program = start("omp_fork-" + build)
    [child] = children(program.pid)
    for target in (child, program.pid):
        stack, omp = picture("stack", target), picture("omp", target)
        for seen in stack, omp:
            equal([t["lwp"] for t in seen["threads"]], as_made(threads(target), target), "the threads")
        equal(omp["regions"], [], "regions, of which none is left")
    shown = {t["lwp"]: t for t in picture("stack", program.pid)["threads"]}
    # The numbers of threads may have begun anew in between.
    roles = [shown[lwp]["omp"]["role"] for lwp in sorted(shown, key=lambda n: (n != program.pid, n))]
    equal(roles, ["initial", "idle", "idle"], "roles in the parent")
    [alone] = picture("stack", child)["threads"]
    expect(alone["omp"]["role"] in ("initial", "none"), f"role in the child: {alone['omp']}")
    equal(alone["omp"]["team"], None, "team in the child")
    check = Check(scenario("omp_fork", None, {}), variant(build), {}, {}, {})
    equal(check.shown(alone), [check.with_place(line) for line in (
        "stay_until_the_end@stay", "be_the_child@child", "main@fork")], "stack of the child")
    program.finish()


@cases(*((how, *row) for how in ("static", "inside") for row in (
    ("barrier", "explicit barrier"), ("region_end", "region end"), ("single", "worksharing end"))))
def the_runtime_in_the_program(how, argument, kind):
    """With all other libraries, and with none but it."""
    program = start(f"omp_joins-{how}", argument, env={"OMP_WAIT_POLICY": "passive"})
    truths = truths_of(program)
    shown = {t["lwp"]: t for t in picture("stack", program.pid)["threads"]}
    for lwp, told in truths.items():
        omp = shown[lwp]["omp"]
        equal((omp["num"], omp["team_size"], omp["level"]),
              (told["num"], told["sizes"][-1], told["level"]), f"num, size and level of {lwp}")
        wait = shown[lwp]["wait"]["kind"]
        equal(wait, kind if told["what"] == "waits" else "system call", f"wait of {lwp}")
    program.finish()


@cases(*BUILDS)
def a_thread_that_waits_for_a_message(build):
    program = start(f"omp_mpi-{build}", testprog("fake_mpi.so"))
    shown = picture("stack", program.pid)
    waits = {t["omp"]["num"]: t["wait"] for t in shown["threads"]}
    equal((waits[0]["kind"], waits[0]["name"]), ("mpi", "MPI_Recv"), "wait of thread 0")
    equal(f"omp_mpi.c:{waits[0]['line']}", place("omp_mpi", "receive"), "its place")
    expect(waits[1]["kind"].endswith("barrier"), f"wait of thread 1: {waits[1]}")
    functions = [f["function"] for t in shown["threads"] if t["omp"]["num"] == 0
                 for f in t["frames"] if not f["hidden"]]
    equal(functions.count("MPI_Recv"), 1, f"frames of MPI_Recv in {functions}")
    program.finish()


@cases("clang-O0", "clang-O2")
def without_an_ompd_library(build):
    """The remedy is named, and stacks and waits are still known, marked as inferred."""
    program = start(f"omp_barrier-{build}")
    shown = picture("stack", program.pid, "--ompd-library", "/dev/null")
    [runtime] = shown["runtimes"]
    equal(runtime["provider"], None, "the library")
    expect(any("/dev/null" in note for note in shown["notes"]), f"notes: {shown['notes']}")
    for thread in shown["threads"]:
        equal(thread["omp"]["source"], "inferred", "source of the thread's role")
        visible = [f["function"] for f in thread["frames"] if not f["hidden"]]
        equal(visible[-1], "main", f"the end of {visible}")
        borders = [f["border"] for f in thread["frames"] if f["border"]]
        equal([b["source"] for b in borders], ["inferred"], f"sources of {borders}")
    kinds = sorted(t["wait"]["kind"] for t in shown["threads"])
    equal(kinds, ["explicit barrier"] * (len(kinds) - 1) + ["system call"], "waits")
    program.finish()


@cases(*BUILDS)
def a_stripped_program(build):
    """Without symbols of the program, who is who and waits for what is still known."""
    path = copy("omp_joins-" + build)
    run(need("strip"), path)
    program = start(path, "barrier", env={"OMP_WAIT_POLICY": "passive"})
    truths = truths_of(program)
    (stack, omp), states = states_while(
        program, lambda: (picture("stack", program.pid), picture("omp", program.pid)))
    check = Check(scenario("omp_joins", "barrier", {}), variant(build), truths, {}, states)
    check.regions = {r["id"]: r for r in omp["regions"]}
    for thread in stack["threads"]:
        told = truths[thread["lwp"]]
        check.truth(thread, told)
        waits_in = ("system call",) if told["what"] == "stays" else ("barrier", "explicit barrier")
        expect(thread["wait"]["kind"] in waits_in, f"wait of {told}: {thread['wait']}")
    expect(not check.problems, "\n".join(check.problems))
    program.finish()


def answer_of(program):
    """What `ompdb why` says; whatever its status."""
    return json.loads(ompdb("why", "--json", program.pid).out)


@cases(*BUILDS)
def in_a_construct_without_a_team(build):
    """Nothing is waited for, and yet it is not outside of OpenMP."""
    for argument in ("target", "teams"):
        program = start(f"omp_target-{build}", argument)
        shown = picture("stack", program.pid)
        names = [f["function"] for t in shown["threads"] for f in t["frames"]]
        expect(not any("omp_offloading" in (name or "") for name in names), f"frames: {names}")
        for target in (program.pid, own_core_of(program)):
            answer = json.loads(ompdb("why", "--json", target).out)
            equal(answer["verdict"], "waiting", f"{argument}: {answer['summary']}")
        program.finish()


@cases(*BUILDS)
def a_target_within_a_team(build):
    """Its thread is still in the team, whatever the runtime has it be meanwhile."""
    for argument in ("of_primary", "of_worker"):
        program = start(f"omp_target-{build}", argument)
        [region] = picture("omp", program.pid)["regions"]
        equal((region["size"], region["line"]), (2, line_of("omp_target.c", "team")), "region")
        roles = {t["omp"]["role"]: t["omp"]["team"] for t in picture("stack", program.pid)["threads"]}
        equal(roles, {"primary": region["id"], "worker": region["id"]}, argument)
        program.finish()


@cases(*BUILDS)
def a_task_of_a_target(build):
    """libomp has threads of its own for it, which are no team of the program's."""
    program = start(f"omp_target-{build}", "target_task", settled=False)
    omp = picture("omp", program.pid)
    equal(omp["regions"], [], "regions")
    answer = answer_of(program)
    equal(answer["verdict"], "waiting", answer["summary"])
    if build.startswith("clang"):
        roles = sorted(t["omp"]["role"] for t in picture("stack", program.pid)["threads"])
        equal(set(roles), {"idle", "initial", "hidden helper"}, "roles")
        equal(roles.count("hidden helper"), 1, "threads that execute a task")
        expect("waits in taskwait" in answer["summary"] and "omp_target.c" in answer["summary"] and
               "executed by hidden helper thread " in answer["summary"], answer["summary"])
        shown = ompdb("stack", program.pid).out
        expect("hidden helper thread of the runtime" in shown and
               f"task created at {place('omp_target', 'target task')}" in shown, shown)
    program.finish()


@cases(*BUILDS)
def regions_of_one_thread_within_each_other(build):
    """libompd tells of the innermost alone."""
    program = start(f"omp_target-{build}", "chain")
    regions = sorted(picture("omp", program.pid)["regions"], key=lambda r: r["level"])
    equal([r["level"] for r in regions], [1, 2, 3], "levels")
    equal([r["parent"] for r in regions], [None, regions[0]["id"], regions[1]["id"]], "parents")
    equal([f"omp_target.c:{r['line']}" for r in regions],
          [place("omp_target", f"chain {n}") for n in (1, 2, 3)], "places")
    program.finish()


@cases("static", "inside")
def a_runtime_that_cannot_be_found(how):
    """In a stripped program: it is never said to be certain that there is none."""
    path = copy("omp_joins-" + how)
    run(need("strip"), path)
    program = start(path, "barrier", env={"OMP_WAIT_POLICY": "passive"})
    answer = answer_of(program)
    equal((answer["verdict"], answer["confidence"]), ("unknown", "guess"), "verdict")
    expect(any("runtime may be linked into the program" in n for n in answer["notes"]),
           f"notes: {answer['notes']}")
    program.finish()


@cases("chain-gcc-O0", "sleepers", "chain-static")
def a_program_without_openmp(name):
    program = start(name)
    stack, omp = picture("stack", program.pid), picture("omp", program.pid)
    equal((omp["runtimes"], omp["regions"], omp["tasks"]), ([], [], []), "runtimes, regions, tasks")
    equal({t["omp"]["role"] for t in stack["threads"]}, {"none"}, "roles")
    equal({t["omp"]["source"] for t in stack["threads"]}, {"none"}, "sources")
    equal(stack["notes"], [], "notes")
    answer = answer_of(program)
    equal((answer["verdict"], answer["confidence"]), ("idle", "certain"), "why")
    raw = stacks(program.pid)
    for thread in stack["threads"]:
        user = [f["function"] for f in thread["frames"] if f["function"] and not f["hidden"]]
        expect(user, f"no frame of {thread['lwp']}")
        there = functions(raw[thread["lwp"]])
        expect(set(user) <= set(there), f"frames that are not there: {user}")
    program.finish()


KERNELS = {0: ("plain_kernel", "plain"), 1: ("saving_kernel", "saving"), 2: ("saving_kernel", "by pointer"),
           3: ("buffer_kernel", "buffer")}


@cases(*BUILDS)
def kernels_without_unwind_rules(build):
    """Who called them is guessed, and said to be; from there on the stack is as everywhere."""
    program = start(f"omp_kernel-{build}", settled=False)
    truths = truths_of(program)
    for lwp in truths:
        wait_for(lambda: in_call(program.pid, READ, lwp), f"{lwp} to read")
    for target in (program.pid, own_core_of(program)):
        for thread in picture("stack", target)["threads"]:
            kernel, mark = KERNELS[truths[thread["lwp"]]["num"]]
            calls = [function_name(f["function"]) for f in thread["frames"]
                     if f["kind"] == "user" and not f["hidden"]]
            equal(calls, [kernel, "multiply", "main", "main"], f"the calls of {mark}")
            equal(shown_place(thread["frames"][1]), place("omp_kernel", mark), f"the call of {kernel}")
            equal(thread["end"], None, f"why the stack of {mark} ends")
        raw = ompdb("stack", "--raw", target).out.splitlines()
        equal([line.split()[2].partition("+")[0] for line in raw if "(guessed)" in line], ["multiply"] * 4, "guesses")
    program.finish()


# What a tool of the program's is told of (OMPT): function, and what the runtime was called for.
TOLD = {"region": ("on_parallel_begin", "parallel"), "implicit": ("on_implicit_task", None),
        "task": ("on_task_create", "task"), "barrier": ("on_sync", "barrier")}


@cases("clang-O0", "clang-O2")
def what_a_tool_is_told_of_is_no_task(build):
    for argument, (function, mark) in TOLD.items():
        program = start(f"omp_tool-{build}", argument, settled=False, env={"KMP_BLOCKTIME": "0"})
        called = "-- called back by the OpenMP runtime" + (f" at omp_tool.c:{line_of('omp_tool.c', mark)}" if mark else "") + " --"
        for target in (program.pid, own_core_of(program)) if argument == "task" else (program.pid,):
            lines = [line.strip(" |+`-") for line in ompdb("stack", target).out.splitlines()]
            expect(called.strip(" -") in lines, f"{argument}: {lines}")
            behind = lines[lines.index(called.strip(" -")) + 1]
            expect(behind.startswith(function + " ") and not any(line.startswith("task") for line in lines), f"{argument}: {lines}")
        told = ompdb("why", "--once", program.pid).out
        expect(told.startswith("Waiting: ") and (argument == "region" or "thread 0.2 has not arrived: it is in read(0)" in told), told)
        program.finish()


main()
