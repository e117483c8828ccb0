# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ompdb differs from gdb and should not: what is still to be done.

Such a scenario is run all the same, and counts as skipped while it differs. As soon as both agree it
fails, and its row has to go; but for what differs only sometimes, or with gdb 13 and the compilers
of its time only.
"""

import fnmatch

ORDER = "the order of things that happen at once"

GDB = 13  # the release that the rows are about

# scenario, builds, what is missing, whether it agrees now and then
ROWS = [
    ("two signals arrive while one steps", "*", ORDER, True),
    ("a step with a breakpoint that others hit", "*", ORDER, True),
]


def reason(scenario, build):
    """What is missing, and whether it need not show; None: nothing."""
    for name, builds, missing, sometimes in ROWS:
        if name == scenario and fnmatch.fnmatch(build, builds):
            return missing, sometimes
    return None
