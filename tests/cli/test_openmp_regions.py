# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel regions of all kinds: who is in which, and the stacks out to main()."""

import os

from openmp import *

# Of omp_regions.c. The stack of a thread in some level of a nest ends with that of its creator.
PLAIN = ("plain [parallel]@in plain", "-- parallel plain --", "plain@~plain", "main@run")
NESTED = ("nested [parallel]@in nested", "-- parallel nested inner --",
          "nested [parallel]@~nested inner", "-- parallel nested outer --", "nested@~nested outer",
          "main@run")
THREE = ("three_levels [parallel]@in three levels", "-- parallel level 3 --",
         "three_levels [parallel]@~level 3", "-- parallel level 2 --",
         "three_levels [parallel]@~level 2", "-- parallel level 1 --", "three_levels@~level 1",
         "main@run")
SERIAL_NEST = ("nested_serial [parallel]@in nested serial", "-- parallel serial in serial --",
               "nested_serial [parallel]@~serial in serial", "-- parallel serial --",
               "nested_serial [parallel]@~serial", "-- parallel active --",
               "nested_serial@~active", "main@run")
CALLED = ("called [parallel]@call", "-- parallel caller's region --", "called@~caller's region",
          "main@run")
IN_CALLEE = ("solve_in_parallel [parallel]@in callee", "-- parallel callee's region --",
             "solve_in_parallel@~callee's region", *CALLED)


def recursive(depth):
    """The stack out of the region of this depth, 1 being the outermost."""
    return ("-- parallel recursive --", "descend@~recursive",
            *("descend [parallel]@descend", "-- parallel recursive --", "descend@~recursive")
            * (depth - 1), "recursive@recursion begins", "main@run")


REGIONS = (
    scenario("omp_regions", "before", {"0": stays("before@before", "main@run")}),
    scenario("omp_regions", "plain", {f"0.{n}": stays(*PLAIN) for n in range(4)}),
    scenario("omp_regions", "nested",
             {f"0.{i}.{j}": stays(*NESTED) for i in (0, 1) for j in (0, 1)}),
    scenario("omp_regions", "three_levels",
             {f"0.{i}.{j}.{k}": stays(*THREE) for i in (0, 1) for j in (0, 1) for k in (0, 1)}),
    scenario("omp_regions", "serial_if", {
        "0.0": stays("serial_if [parallel]@in serial if", "-- parallel serial if --",
                     "serial_if@~serial if", "main@run")}),
    scenario("omp_regions", "serial_one", {
        "0.0": stays("serial_one [parallel]@in serial one", "-- parallel serial one --",
                     "serial_one@~serial one", "main@run")}),
    scenario("omp_regions", "nested_serial",
             {f"0.{n}.0.0": stays(*SERIAL_NEST) for n in (0, 1)}),
    scenario("omp_regions", "idle", {"0": stays("idle@idle", "main@run")}, others=(IDLE, IDLE)),
    scenario("omp_regions", "called", {
        "0.0": waits("region end", "~caller's region", *CALLED[1:]),
        "0.1.0": stays(*IN_CALLEE),
        "0.1.1": stays(*IN_CALLEE),
    }),
    scenario("omp_regions", "recursive", {
        "0.1": waits("region end", "~recursive", *recursive(1)),
        "0.0.1": waits("region end", "~recursive", *recursive(2)),
        "0.0.0.1": waits("region end", "~recursive", *recursive(3)),
        "0.0.0.0": stays("descend [parallel]@in recursive", *recursive(3)),
    }),
    scenario("omp_regions", "masked", {
        "0.0": stays("masked [parallel]@in master", "-- parallel masked --", "masked@~masked",
                     "main@run"),
        "0.1": waits("region end", "~masked", "-- parallel masked --", "masked@~masked",
                     "main@run"),
    }),
)


def loop(mark):
    """Of omp_loops.c: three threads, each in an iteration."""
    stack = (f"for_{mark} [parallel for]@in {mark}", f"-- parallel {mark} --",
             f"for_{mark}@~{mark}", "main@run")
    return scenario("omp_loops", f"for_{mark}", {f"0.{n}": stays(*stack) for n in range(3)})


ORDERED = ("-- parallel for ordered --", "for_ordered@~for ordered", "main@run")
SECTIONS = ("-- parallel sections --", "sections@~sections", "main@run")
IN_TEAMS = ("teams [parallel]@in teams", "-- parallel parallel in teams --",
            "teams [teams]@~parallel in teams", "-- teams teams --", "teams@~teams", "main@run")
IN_TARGET = ("target [parallel]@in target", "-- parallel parallel in target --",
             "target [target]@~parallel in target",
             By("clang without devices calls the region directly", gcc=("-- target target --",),
                clang=()), "target@~target", "main@run")

LOOPS = (
    *(loop(mark) for mark in ("static", "dynamic", "guided", "runtime")),
    scenario("omp_loops", "for_ordered", {
        "0.0": stays("for_ordered [parallel for]@in ordered", *ORDERED),
        **{f"0.{n}": waits("ordered", "~ordered", "for_ordered [parallel for]@~ordered", *ORDERED)
           for n in (1, 2)},
    }),
    scenario("omp_loops", "sections", {
        "first": stays("sections [parallel sections]@first section", *SECTIONS),
        "second": stays("sections [parallel sections]@second section", *SECTIONS),
    }),
    scenario("omp_loops", "teams", {f"0.{n}": stays(*IN_TEAMS) for n in (0, 1)},
             others=By("libgomp executes one team after the other", libgomp=(),
                       libomp=(waits("teams", None, role="primary"), IDLE)),
             env={"KMP_TEAMS_THREAD_LIMIT": "8"}),
    scenario("omp_loops", "target", {f"0.{n}": stays(*IN_TARGET) for n in (0, 1)}),
)

METHOD = ("-- parallel method --", "sim::solver::relax@~method",
          "sim::(anonymous namespace)::method@call of method", "main@run")


def named(gcc, clang):
    return By("compilers name lambdas as they like", gcc=gcc, clang=clang)


def clang_name(variant):
    """What the compiler calls the lambda in lambda(): clang numbers those of a function, older ones those of a file."""
    symbols = run(need("nm"), testprog(f"omp_cxx-{variant.build}")).out
    return re.search(r"6lambdaEvENK\d(\$_\d+)clEi$", symbols, re.M)[1]


def in_lambda(suffix):
    name = "sim::(anonymous namespace)::lambda()::%s::operator()" + suffix
    return named(name % "{lambda(int)#1}", lambda variant: name % clang_name(variant))


def template(suffix):
    name = "void sim::for_each_thread<sim::(anonymous namespace)::called_lambda()::%s>" + suffix
    return named(name % "{lambda(int)#1}", name % "$_0")


def called_lambda(suffix):
    name = "sim::(anonymous namespace)::called_lambda()::%s::operator()" + suffix
    return named(name % "{lambda(int)#1}", name % "$_0")


CXX = (
    scenario("omp_cxx", "method", {f"0.{n}": stays("sim::solver::relax [parallel]@in method",
                                                   *METHOD) for n in (0, 1)}),
    scenario("omp_cxx", "lambda", {f"0.{n}": stays(
        in_lambda(" [parallel]@in lambda"), "-- parallel lambda --", in_lambda("@~lambda"),
        "sim::(anonymous namespace)::lambda@call of lambda", "main@run") for n in (0, 1)}),
    scenario("omp_cxx", "called_lambda", {f"0.{n}": stays(
        called_lambda("@in called lambda"), template(" [parallel]@in template"),
        "-- parallel template --", template("@~template"),
        "sim::(anonymous namespace)::called_lambda@call with lambda", "main@run")
        for n in (0, 1)}),
    scenario("omp_cxx", "behind_lambda", {f"0.{n}": stays(
        "sim::(anonymous namespace)::behind_lambda [parallel]@in region behind lambda",
        "-- parallel behind lambda --", "sim::(anonymous namespace)::behind_lambda@~behind lambda",
        "main@run") for n in (0, 1)}),
)

FLOW = ("-- parallel flow --", "ocean::flow@~flow", "omp_fortran@call of flow",
        "main@~program")
FORTRAN = scenario("omp_fortran", None, {
    "0.0": waits("explicit barrier", "barrier", "ocean::flow [parallel]@barrier", *FLOW),
    "0.1": stays("ocean::flow [parallel]@stays in flow", *FLOW),
}, only="gcc")


@cases(*rows((*REGIONS, *LOOPS, *CXX, FORTRAN), NATIVE))
def regions(s, v):
    look(s, v)


@cases(*rows(REGIONS, OTHERS + PRELOADED))
def regions_on_another_libomp(s, v):
    look(s, v, with_core=False)


@cases(*rows((*REGIONS, *LOOPS), [v for v in NATIVE if "libomp" in v.words]))
def with_state_tracking(s, v):
    """The runtime keeps frames and states for debuggers then, and libompd answers otherwise."""
    os.environ["OMP_DEBUG"] = "enabled"
    try:
        look(s, v, with_core=False)
    finally:
        del os.environ["OMP_DEBUG"]


@cases("clang-O0", "clang-O2")
def teams_of_a_league_that_have_no_region(build):
    """LLVM's library does not tell which league the second team is of; that it is of one is known."""
    program, truths = begin(scenario("omp_loops", "league", {}, env={"KMP_TEAMS_THREAD_LIMIT": "8"}), variant(build))
    for target in (program.pid, own_core_of(program)):
        for thread in picture("stack", target)["threads"]:
            name = truths[thread["lwp"]]["what"]
            constructs = [f["construct"] for f in thread["frames"] if f["construct"] and not f["hidden"]]
            borders = [f["border"]["kind"] for f in thread["frames"] if f["border"]]
            equal((constructs, borders), (["teams"], ["teams"]), f"what the {name} team is in")
    program.finish()


main()
