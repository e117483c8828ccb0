#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenMP at the prompt: who a thread is in stop lines, tables and stacks."""

from debugger import *

PROGRAMS = [f"omp_barrier-{build}" for build in BUILDS]


def hung(program):
    """A team of four: three wait at a barrier, number 2 reads from a pipe."""
    inferior = start(program, "4", "2")
    return inferior, lambda *commands: session(program, f"attach {inferior.pid}", *commands, "detach")


@cases(*PROGRAMS)
def threads_and_what_they_wait_for(program):
    inferior, look = hung(program)
    said = look("info threads", "info threads -g", "why", "bt", "thread 3", "bt -raw")
    rows = said("info threads").text.splitlines()
    expect(len([row for row in rows if re.match(r"[* ] \d", row)]) == 4, rows)
    said("info threads").has(r"^  Id +OpenMP +Target Id +Frame",
                             r"^[* ] \d+ +0\.2 +LWP \d+ .* in read\(0\)$",
                             r"^[* ] \d+ +0\.1 +LWP \d+ .*compute .* waits at .*barrier")
    said("info threads -g").has(r"^[* ] \S+ +0\.\[0,1,3\] +3 threads +.*compute .* wait at .*barrier")
    said("why").has("0.2")
    said("bt").has(r"parallel region 0, team of 4, level 1", r"#\d+ +(0x\w+ in )?main \(")
    said("bt -raw").has(r"^#0 ", r"^#1 ")
    inferior.finish()


@cases(*PROGRAMS)
def a_stop_says_who_it_is(program):
    said = session(program, "break load_matrix", "run", "bt", "info threads", "kill")
    said("run").has(r"^Thread 0\.2 \(LWP \d+\) hit Breakpoint 1, (0x[0-9a-f]+ in )?load_matrix \(\) at "
                    r".*omp_barrier\.c:\d+  \[parallel region 0, team of 4\]")
    said("bt").has(r"^#0 +(0x[0-9a-f]+ in )?load_matrix \(\)", "parallel region 0, team of 4")
    said("info threads").has(r"^\* \d+ +0\.2 ")


@cases(*PROGRAMS)
def frames_are_selected_by_the_numbers_of_the_stack(program):
    inferior, look = hung(program)
    primary = look("thread 1", "bt")("bt").text
    # The code of the region is main(), too; the outermost is the function.
    number = int(re.findall(r"^#(\d+) +(?:0x\w+ in )?main \(", primary, re.M)[-1])
    said = look("thread 1", f"frame {number}", "thread 2", "bt", f"frame {number + 20}")
    said(f"frame {number}").has(rf"^#{number} +(0x\w+ in )?main \(argc=")
    # The primary thread's, with its arguments.
    said("bt").has(r"^#\d+ +(0x\w+ in )?main \(argc=", r"^#\d+ .*compute")
    said(f"frame {number + 20}").has(f"^No frame at level {number + 20}: the thread has ")
    inferior.finish()


@cases(*PROGRAMS)
def another_thread_is_selected_by_its_number(program):
    inferior, look = hung(program)
    said = look("thread 1", "thread", "thread apply all -q bt 1", "thread name primary", "thread find primary")
    said("thread").has(r"Current thread is 1 ")
    said("thread find primary").has(r"Thread 1 ")
    inferior.finish()


REGIONS = [f"omp_regions-{build}" for build in BUILDS]
NAMES = r"_omp_fn|omp_outlined"


@cases(*REGIONS)
def a_construct_is_called_by_the_function_it_is_in(program):
    line = line_of("in plain", "omp_regions.c")
    frame = rf"\bplain \(\) at .*omp_regions\.c:{line}\b"
    said = session(program, f"break omp_regions.c:{line}", "set args plain", "run", "bt", "frame", "up", "down",
                   "info frame", "info threads", "info breakpoints", "info symbol $pc", "x/i $pc", "bt -raw",
                   "frame function plain", "kill")
    for command in ("run", "bt", "frame", "down", "info threads"):
        said(command).has(frame).has_not(NAMES)
    said("info breakpoints").has(rf" in plain at .*omp_regions\.c:{line}$").has_not(NAMES)
    said("info frame").has(rf" in plain \(.*omp_regions\.c:{line}\);",
                           rf"^ code of a construct, compiled as \S*({NAMES})")
    said("frame function plain").has(r"^#\d+ .*\bplain \(")
    # What the linker knows has the linker's name.
    for command in ("bt -raw", "info symbol $pc", "x/i $pc"):
        said(command).has(NAMES)


@cases(*[program for program in PROGRAMS if program.endswith("O0")])
def a_construct_of_another_threads_function_is_selected(program):
    inferior, look = hung(program)
    said = look("thread 2", "frame function main", "frame function load_matrix")
    said("frame function main").has(r"\bmain \(\) at .*omp_barrier\.c:\d+")
    said("frame function load_matrix").has(r'^No frame for function "load_matrix"\.$')
    inferior.finish()


@cases(*REGIONS)
def objects_have_both_names_of_a_construct(program):
    line = line_of("in plain", "omp_regions.c")
    result = run(OMPDB, "-nx", "--json", "--batch", os.path.join(TESTPROGS, program), "-ex", "set args plain",
                 "-ex", f"break omp_regions.c:{line}", "-ex", "run", "-ex", "kill")
    place = '"function":"plain","outlined":"[^"]*(' + NAMES + ')[^"]*",'
    expect(re.search(rf'^{{"v":1,"type":"stop".*"place":{{[^}}]*{place}.*"frame":{{[^}}]*{place}', result.out, re.M),
           result.out)


CXX = [f"omp_cxx-{build}" for build in BUILDS]


@cases(*CXX)
def a_construct_of_a_method(program):
    line = line_of("in method", "omp_cxx.cc")
    said = session(program, f"break omp_cxx.cc:{line}", "set args method", "run", "bt", "info threads",
                   "info breakpoints", "kill")
    for command in ("run", "bt", "info threads"):
        said(command).has(rf"\bsim::solver::relax \(\) at .*omp_cxx\.cc:{line}\b").has_not(NAMES)
    said("info breakpoints").has(rf" in sim::solver::relax\(\) at .*omp_cxx\.cc:{line}$")


@cases(*CXX)
def a_construct_of_a_lambda(program):
    line = line_of("in lambda", "omp_cxx.cc")
    said = session(program, f"break omp_cxx.cc:{line}", "set args lambda", "run", "bt", "kill")
    name = re.search(r"hit Breakpoint 1, (?:0x\w+ in )?(\S.*operator\(\)|operator\(\)) \(\) at", said("run").text)
    expect(name, said("run").text)
    said("bt").has(rf"^#0 +(0x\w+ in )?{re.escape(name[1])} \(\) at", rf"^#\d.*{re.escape(name[1])} \([^)]")


@cases("omp_fortran-gcc-O0", "omp_fortran-gcc-O2")
def a_construct_of_fortran(program):
    line = line_of("stays in flow", "omp_fortran.f90")
    said = session(program, f"break omp_fortran.f90:{line}", "run", "bt", "kill")
    said("run").has(rf"\bocean::flow \(\) at .*omp_fortran\.f90:\d+\b")
    # Behind the program nothing is the user's: main() is gfortran's.
    said("bt").has(rf"^#0 .*\bocean::flow \(\) at .*:\d+$", r"^#\d+ .*\bocean::flow \(cells=",
                   r"^#\d+ .*\bomp_fortran \(\) at ")
    if program.endswith("O0"):
        said("bt").has_not(r"\bmain \(")


@case
def the_runtime_keeps_what_ompd_wants_unless_it_is_told_not_to():
    asks = ("start", 'print (char *) getenv("OMP_DEBUG")')
    said = session("session-gcc-O0", "show omp-debug", *asks, "set omp-debug off", *asks)
    said("show omp-debug").has("on")
    said(asks[1]).has('"enabled"$')
    said(asks[1], 2).has(r"= 0x0$")


main()
