# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb omp --icvs`: the internal control variables are what the user and the program have set."""

from openmp import *

ENVIRONMENT = {"OMP_NUM_THREADS": "7,3,2", "OMP_SCHEDULE": "guided,5", "OMP_MAX_TASK_PRIORITY": "4",
               "OMP_THREAD_LIMIT": "19"}
# In the region: the program has switched dyn-var off, the second level would have three threads,
# the third one two.
VALUES = {"nthreads-var": "3,2", "run-sched-var": "guided,5", "max-task-priority-var": "4",
          "thread-limit-var": "19", "dyn-var": "0", "levels-var": "1", "active-levels-var": "1",
          "team-size-var": "4", "implicit-task-var": "1", "final-task-var": "0", "cancel-var": "0"}


@cases(*BUILDS)
def icvs(build):
    program = start(f"omp_regions-{build}", "plain", env=ENVIRONMENT)
    path = own_core_of(program)
    for target in (program.pid, path):
        shown = {icv["name"]: icv["value"] for icv in picture("omp", target, "--icvs")["icvs"]}
        wrong = {name: (shown.get(name), value) for name, value in VALUES.items()
                 if shown.get(name) != value}
        equal(wrong, {}, f"what differs (shown, set) for {target}")
    program.finish()


@cases("gcc-O0", "clang-O0")
def none_unless_asked_for(build):
    program = start(f"omp_regions-{build}", "plain")
    equal(picture("omp", program.pid)["icvs"], [], "internal control variables")
    program.finish()


main()
