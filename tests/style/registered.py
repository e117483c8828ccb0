#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""registered.py ROOT: every test, script and test program is named in the meson.build beside it.

Those files list what they build: a test that nobody lists would never run, and nobody would see.
"""

import pathlib
import re
import sys

# where, what of the file name counts
PATTERNS = [
    ("tests/*/test_*.c", r"test_(.*)\.c"),
    ("tests/*/test_*.py", r"(?:test_)?(.*?)(?:\.py)?"),
    ("tests/*/*/tst.*.cmd", r"(.*)\.cmd"),
    ("tests/*/*/err.*.cmd", r"(.*)\.cmd"),
    ("tests/self/tst.*.cmd", r"(.*\.cmd)"),
    ("tests/gdb/scripts/*", r"(.*)"),
    ("tests/fuzz/fuzz_*.c", r"fuzz_(.*)\.c"),
    ("testprogs/*.c", r"(.*)\.c"),
    ("testprogs/*.cc", r"(.*)\.cc"),
    ("testprogs/*.f90", r"(.*)\.f90"),
]


def listing(folder):
    """The text of the nearest meson.build."""
    while not (folder / "meson.build").exists():
        folder = folder.parent
    return (folder / "meson.build").read_text()


def main(root):
    unlisted = []
    for pattern, shape in PATTERNS:
        for path in sorted(root.glob(pattern)):
            name = re.fullmatch(shape, path.name)[1]
            if not re.search(rf"['/_]{re.escape(name)}['.]", listing(path.parent)):
                unlisted.append(path.relative_to(root).as_posix())
    print("\n".join(f"{name}: not in meson.build" for name in unlisted) or "all are listed")
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
