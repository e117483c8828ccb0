# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ompdb says something else than gdb, on purpose.

A row begins at one command of one scenario: what gdb's facts are is seen by running it; what
ompdb's are to be is written here, for this command and those that follow it. A row that makes no
difference fails the test that it is in, unless gdb is wrong only sometimes.
"""

import fnmatch


class Purpose:
    def __init__(self, scenario, command, reason, *ompdb, builds="*", nth=1, sometimes=False):
        """ompdb: its facts at the nth time that the scenario gives this command, and at the next."""
        self.scenario, self.command, self.reason, self.ompdb = scenario, command, reason, ompdb
        self.builds, self.nth, self.sometimes = builds, nth, sometimes


PURPOSES = []


def purposes(scenario, build):
    return [p for p in PURPOSES
            if p.scenario == scenario and any(fnmatch.fnmatch(build, b) for b in p.builds.split())]


def index_of(purpose, commands):
    """Which command of a scenario a row is about."""
    found = [i for i, command in enumerate(commands) if command == purpose.command]
    return found[purpose.nth - 1] if len(found) >= purpose.nth else None
