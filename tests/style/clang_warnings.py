# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang_warnings.py BUILD: clang warns of nothing in the sources that gcc compiles in this build folder, with the same
options. 77: there is no clang."""

import collections
import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


# Starting clang takes longer than a source does.
AT_ONCE = 20


def commands(build):
    """clang's commands for the sources of the program."""
    sources = collections.defaultdict(list)
    with open(os.path.join(build, "compile_commands.json")) as f:
        for entry in json.load(f):
            if entry["output"].startswith("src/"):
                words = shlex.split(entry["command"])
                begin = next(at for at, word in enumerate(words) if word.startswith("-"))
                # Behind -MD is what it writes.
                sources[tuple(words[begin:words.index("-MD")])].append(entry["file"])
    for options, files in sources.items():
        for at in range(0, len(files), AT_ONCE):
            first, *others = files[at:at + AT_ONCE]
            # The driver would start one compiler for each, which is able to read several.
            yield ["clang", *options, "-Werror", "-fsyntax-only", first, *(word for other in others for word in ("-Xclang", other))]


def main():
    if not shutil.which("clang"):
        sys.exit(77)
    build = sys.argv[1]
    wanted = list(commands(build))
    if not wanted:
        sys.exit(f"{build}: nothing of the program is compiled there")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        statuses = list(pool.map(lambda command: subprocess.run(command, cwd=build).returncode, wanted))
    sys.exit(1 if any(statuses) else 0)


main()
