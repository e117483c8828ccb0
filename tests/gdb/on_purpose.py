# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ompdb says something else than gdb, on purpose.

A row is for one command of one scenario: what gdb's facts would be is seen by running it; what
ompdb's are to be is written here. A row that makes no difference fails the test that it is in.
"""

import fnmatch


class Purpose:
    def __init__(self, scenario, command, ompdb, reason, builds="*", nth=1):
        """ompdb: its facts at the nth time that the scenario gives this command."""
        self.scenario, self.command, self.ompdb, self.reason = scenario, command, ompdb, reason
        self.builds, self.nth = builds, nth


PURPOSES = []


def purposes(scenario, build):
    return [p for p in PURPOSES
            if p.scenario == scenario and any(fnmatch.fnmatch(build, b) for b in p.builds.split())]


def index_of(purpose, commands):
    """Which command of a scenario a row is about."""
    found = [i for i, command in enumerate(commands) if command == purpose.command]
    return found[purpose.nth - 1] if len(found) >= purpose.nth else None
