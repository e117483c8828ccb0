#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables of loops, and copies of reductions, which compilers describe by values of before, or not at all."""

from debugger import *

PROGRAMS = [f"omp_counters-{build}" for build in BUILDS]
STOPS = 61 # as many iterations as there are in all loops
# What holds the values that reached() is told, by the number of the loop; else "i".
NAMES = {7: ("*i",), 8: ("*i",), 9: ("*i",), 10: ("i", "j"), 12: ("i", "sum"), 13: ("i", "all")}
REASON = re.compile("not available: |optimized out|not saved")
ASKED = ("i", "*i", "j", "sum", "all")


def iterations(program):
    """Of all iterations: the loop, what is told, and what is said of that by name."""
    each = ["info args", "up", *(f"print {name}" for name in ASKED), "continue"]
    said = session(program, "break reached", "run", *each * STOPS)
    said("continue", STOPS).has("exited normally")
    for nth in range(1, STOPS + 1):
        loop, *truth = re.findall(r"^(?:loop|first|second) = (-?\d+)$", said("info args", nth).text, re.M)
        names = NAMES.get(int(loop), ("i",))
        yield int(loop), dict(zip(names, truth)), {name: said(f"print {name}", nth).text for name in names}


@cases(*PROGRAMS)
def a_value_is_that_of_the_iteration_or_not_known(program):
    found = list(iterations(program))
    equal({loop for loop, _, _ in found}, set(range(1, 14)), "loops")
    for loop, truth, said in found:
        for name, value in truth.items():
            told = re.search(rf"(= |: ){value}( '.*')?$", said[name], re.M)
            expect(told or (REASON.search(said[name]) and not program.endswith("O0")),
                   f"loop {loop}: {name} is {value}:\n{said[name]}")


@case
def what_has_no_place_is_reckoned_from_the_iteration():
    """clang's optimised code describes of these loops the number of the iteration alone."""
    found = list(iterations("omp_counters-clang-O2"))
    for loop, truth, said in found:
        if loop in (4, 6):
            told = said["i"]
            expect(re.search(rf"= {truth['i']}( '.*')?$", told, re.M), f"loop {loop}: i is {truth['i']}:\n{told}")


@cases("omp_counters-gcc-O0", "omp_counters-gcc-O2")
def iterators_have_no_number(program):
    """gcc's runtime gives out places behind the beginning; the iterator is not one."""
    said = session(program, "break reached if loop == 9", "run", "omp loop", "kill")
    said("omp loop").has(r"^    \S+ +LWP \d+  iteration [0-5]$")


# A loop around others whose code goes back into the midst of it.
NESTED = """
static int *start[65], data[1024];
static volatile int seen;
__attribute__((noinline)) static long count(int n)
{
    long total = 0;
#pragma omp parallel for reduction(+ : total) schedule(dynamic, 8)
    for (int u = 0; u < n; u++) {
        seen = u;
        for (int *v = start[u]; v < start[u + 1] && *v <= u; v++) {
            int *it = start[*v];
            for (int *w = start[u]; w < start[u + 1] && *w <= *v; w++) {
                while (*it < *w)
                    it++;
                total += *w == *it;
            }
        }
    }
    return total;
}
int main(void)
{
    int *at = data;
    for (int u = 0; u < 64; u++) {
        start[u] = at;
        for (int i = 0; i < 5; i++)
            *at++ = (u * 7 + i * 13) % 64 < u ? i * u / 5 : u;
        *at++ = 64;
    }
    start[64] = at;
    return count(64) == 0;
}
"""


@case
def a_counter_is_known_in_the_loops_within():
    own, compiler = folder(), need("clang")
    with open(f"{own}/nested.c", "w") as f:
        f.write(NESTED)
    run(compiler, "-g", "-O2", "-fopenmp", f.name, "-o", f"{own}/nested")
    said = session(f"{own}/nested", "break 15 if seen == 9", "run", "print u - seen", "kill", env={"OMP_NUM_THREADS": "1"})
    said("print u - seen").has("= 0$")


main()
