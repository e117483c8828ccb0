# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside gdb: reads places from the file $QUESTIONS, one in each line, and prints as JSON where
gdb puts breakpoints for them: [[[address, line]...]...].
"""

import json
import os
import re

import gdb


def places(question):
    try:
        breakpoint = gdb.Breakpoint(question)
    except gdb.error:
        return []
    text = gdb.execute(f"info breakpoints {breakpoint.number}", to_string=True)
    breakpoint.delete()
    return [[int(addr, 16), int((re.search(r":(\d+)$", rest) or [0, 0])[1])]
            for addr, rest in re.findall(
                r"^\d+(?:\.\d+)?\s+(?:breakpoint\s+keep\s+)?y\s+(0x[0-9a-f]+)(.*)$", text, re.M)]


with open(os.environ["QUESTIONS"], encoding="utf-8") as f:
    answers = [places(line.rstrip("\n")) for line in f]
print("PLACES " + json.dumps(answers))
