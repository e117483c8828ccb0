# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside gdb: prints all frames of all threads as JSON, {lwp: [[pc, name, kind, start], ...]}.

Frames that gdb makes up for calls that were jumps (TAILCALL_FRAME) are left out: no stack has them.
start is where the symbol before the pc begins, which names a function whatever it is called: the
C library's have several names each.
"""
import json
import re

import gdb


def start_of(pc):
    told = re.match(r"\S+( \+ (\d+))? in section", gdb.execute(f"info symbol {pc}", to_string=True))
    return pc - int(told.group(2) or 0) if told else None


def frames():
    frame, exact = gdb.newest_frame(), True
    while frame is not None:
        kind = {gdb.INLINE_FRAME: "inline", gdb.SIGTRAMP_FRAME: "signal"}.get(frame.type(), "")
        pc = frame.pc()
        if frame.type() == gdb.TAILCALL_FRAME:
            frame = frame.older()
            continue
        yield [pc, frame.name(), kind, start_of(pc if exact or kind == "signal" else pc - 1)]
        exact = kind == "signal" or (exact and kind == "inline")
        frame = frame.older()


stacks = {}
for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.ptid[1]):
    thread.switch()
    stacks[thread.ptid[1]] = list(frames())
print("FRAMES " + json.dumps(stacks))
