# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gdb/side_by_side.py: gdb may be of several minds, ompdb may not."""

from harness import *

TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "gdb", "side_by_side.py")
SCENARIO = "a run of many threads without breakpoints"  # "run" alone


def stand_in(path, codes):
    """A debugger whose program ends with one of the codes after the other."""
    with open(path, "w") as f:
        f.write("#!/bin/sh\n"
                f"echo x >> {path}.asked\n"
                f"code=$(echo {codes} | cut -d' ' -f$(wc -l < {path}.asked))\n"
                'printf "\\n@@0\\n[Inferior 1 (process 1) exited with code 0$code]\\n"\n')
    os.chmod(path, 0o755)


@cases(
    ("agrees", "1", "1", True),
    ("agrees when it is asked again", "2 3 1", "1", True),
    ("says other things each time", "2 3 4", "1", False),
    ("says what ompdb says the next time", "2 2 2", "1 2", False),
    ("says what ompdb does not say now", "1 1 1", "2 1", False),
)
def gdb(what, gdb_says, ompdb_says, good):
    need("gcc")
    place = folder()
    stand_in(f"{place}/gdb", gdb_says)
    stand_in(f"{place}/ompdb", ompdb_says)
    env = dict(os.environ, PATH=f"{place}:{os.environ['PATH']}", OMPDB=f"{place}/ompdb", OMPDB_QUICK="1",
               PYTHONPATH=os.path.dirname(os.path.dirname(TOOL)))
    result = run(sys.executable, TOOL, "threads", SCENARIO, env=env)
    equal(result.status, 0 if good else 1, f"status of {result}")
    equal("before:" in result.out, good and " " in gdb_says, f"whether it is told in {result}")
    with open(f"{place}/ompdb.asked") as f:
        equal(len(f.readlines()), 1, "how often ompdb was asked")


main()
