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


main()
