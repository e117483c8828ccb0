# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run inside gdb: prints all frames of all threads as JSON, {lwp: [[pc, name, kind], ...]}."""
import json

import gdb


def frames():
    frame = gdb.newest_frame()
    while frame is not None:
        kind = {gdb.INLINE_FRAME: "inline", gdb.SIGTRAMP_FRAME: "signal"}.get(frame.type(), "")
        yield [frame.pc(), frame.name(), kind]
        frame = frame.older()


stacks = {}
for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.ptid[1]):
    thread.switch()
    stacks[thread.ptid[1]] = list(frames())
print("FRAMES " + json.dumps(stacks))
