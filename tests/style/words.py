#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""words.py ROOT: the project's text names no machine, no place on one, and its own licence."""

import pathlib
import re
import sys

FORBIDDEN = {
    r"/(work|root)/": "a path of one machine",
    r"\blocalhost\b|\b127\.0\.0\.1\b": "a host",
    r"\b20\d\d-[01]\d-[0-3]\d\b": "a date; the history has it",
    r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))": "something left undone without the number of its issue",
}
EXCEPT = {"tests/style/words.py": FORBIDDEN, "CHANGELOG.md": [r"\b20\d\d-[01]\d-[0-3]\d\b"],
          # Tables of starters of MPI programs name this host so.
          "src/debugger/job/hosts.c": [r"\blocalhost\b|\b127\.0\.0\.1\b"]}
WITH_LICENCE = {".c", ".h", ".cc", ".f90", ".py", ".sh", ".build"}
SPDX = ["SPDX-FileCopyrightText: The ompdb developers",
        "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"]


def files(root):
    """All but what git keeps, and but folders of builds, whatever they are called."""
    builds = {p.parent for p in root.rglob("meson-info") if p.is_dir()}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not re.match(r"\.git/|build[^/]*/|.*__pycache__/", name) and not builds.intersection(path.parents):
            yield name, path


def check(name, path):
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        return  # a file of bytes: a corpus
    for pattern, what in FORBIDDEN.items():
        if pattern in EXCEPT.get(name, ()):
            continue
        for n, line in enumerate(lines, 1):
            if re.search(pattern, line):
                yield f"{name}:{n}: {what}: {line.strip()}"
    if path.suffix in WITH_LICENCE:
        head = "\n".join(lines[:4])
        if not all(line in head for line in SPDX):
            yield f"{name}: the two SPDX lines are missing"


if __name__ == "__main__":
    problems = [p for name, path in files(pathlib.Path(sys.argv[1])) for p in check(name, path)]
    print("\n".join(problems) or "nothing to complain about")
    sys.exit(1 if problems else 0)
