#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py BUILD...: adds up what "meson test" has logged in build folders.

Every subtest of a TAP test counts, and every other test as one. What failed subtests say comes first,
each below its name, then a line for each, so that whoever reads but the end sees what failed. The last
line is alone and has the form "412 passed, 0 failed, 3 skipped"; the status is 0 only if nothing failed
and something has run.
"""

import itertools
import json
import pathlib
import re
import sys

PLAN = re.compile(r"1\.\.\d+\b", re.A)
POINT = re.compile(r"(not )?ok\b\s*\d*\s*-?\s*([^#]*)(?:#\s*(skip|todo)\S*\s*(.*))?", re.A | re.I)
GOOD, SKIPPED = ("OK", "EXPECTEDFAIL"), "SKIP"
SHOWN = 40  # lines of what a failed case says


class Count:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], {}

    def skip(self, name, reason):
        self.skipped.setdefault(reason or "no reason given", []).append(name)

    def add_points(self, test, lines):
        for number, line in enumerate(lines):
            point = POINT.match(line)
            if not point:
                continue
            is_bad, name, directive, reason = point.groups()
            name = f"{test}: {name.strip()}"
            if directive and directive.lower() == "skip":
                self.skip(name, reason)
            elif is_bad and not directive:
                said = itertools.takewhile(lambda line: line.startswith("#"), lines[number + 1:])
                self.failed.append("\n".join([name, *itertools.islice(said, SHOWN)]))
            else:
                self.passed += 1

    def add(self, folder, test):
        name, result = f"{folder}: {test['name']}", test["result"]
        lines = (test.get("stdout") or "").splitlines()
        is_tap = any(PLAN.match(line) for line in lines)
        if result == "EXPECTEDFAIL":
            self.passed += 1
        elif is_tap:
            failed, seen = len(self.failed), self.total()
            self.add_points(name, lines)
            if result not in (*GOOD, SKIPPED) and len(self.failed) == failed:
                self.failed.append(f"{name}: {result}")
            elif self.total() == seen:
                self.skip(name, " ".join(lines[:1]))
        elif result == SKIPPED and test.get("returncode") == 77:
            self.skip(name, " ".join(lines[-1:]).replace("skipped: ", ""))
        elif result in GOOD:
            self.passed += 1
        else:  # also SKIP without 77: a TAP test that said nothing at all
            self.failed.append(f"{name}: {result}")

    def total(self):
        return self.passed + len(self.failed) + sum(len(names) for names in self.skipped.values())


def main(folders):
    count = Count()
    for folder in folders:
        log = pathlib.Path(folder, "meson-logs", "testlog.json")
        for line in log.read_text().splitlines() if log.exists() else ():
            count.add(pathlib.Path(folder).name, json.loads(line))
    for reason, names in sorted(count.skipped.items()):
        print(f"skipped, {reason}: {len(names)}")
    for failure in count.failed:
        print(failure)
    for failure in count.failed:
        print(f"failed: {failure.splitlines()[0]}")
    skipped = sum(len(names) for names in count.skipped.values())
    print(f"{count.passed} passed, {len(count.failed)} failed, {skipped} skipped")
    return 0 if count.passed and not count.failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
