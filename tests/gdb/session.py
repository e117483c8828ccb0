# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the same commands to a debugger, gdb or ompdb, and returns what it says to each."""

import os
import re
import subprocess
import tempfile
import time

import harness

# Without the debug information of the C library, which is installed here and not there.
SETTINGS = ["set confirm off", "set width 0", "set height 0", "set pagination off",
            "set debug-file-directory /nonexistent"]
OPTIONS = {
    # Asks no server for debug information, paints nothing, shows types of libraries as they are.
    "gdb": ["-iex", "set debuginfod enabled off", "-iex", "set style enabled off",
            "-iex", "set auto-load python-scripts off"],
    "ompdb": ["--color=never"],
}
SECONDS = 60


class Session:
    """What was said to each command, and how the debugger itself ended."""

    def __init__(self, said, status, seconds):
        self.said, self.status, self.seconds = said, status, seconds


def _arguments(commands, folder):
    """One option for each command, and an echo of its number before it."""
    for number, command in enumerate([*SETTINGS, *commands]):
        if number >= len(SETTINGS):
            yield from ("-ex", f"echo \\n@@{number - len(SETTINGS)}\\n")
        if "\n" in command:
            path = os.path.join(folder, f"block{number}")
            with open(path, "w") as f:
                f.write(command + "\n")
            yield from ("-x", path)
        else:
            yield from ("-ex", command)


def _end_of(process, seconds):
    """Its status; None: it did not come to an end, and was killed, and so was what it had launched."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return None


def run(debugger, tool, program, commands, folder, batch=False, printers=False):
    """debugger: "gdb" or "ompdb"; tool: its path; printers: gdb has those of libstdc++."""
    argv = [tool, "-nx", "-q", *OPTIONS[debugger]]
    if printers and debugger == "gdb":
        argv += ["-iex", "set auto-load python-scripts on"]
    argv.append(program)
    argv += ["--batch", "--return-child-result"] if batch else []
    argv += list(_arguments(commands, folder))
    env = dict(os.environ, LINES="24", COLUMNS="80", XDG_STATE_HOME=folder)
    began = time.monotonic()
    # A file, not a pipe: whatever outlives the debugger holds nobody up.
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   env=env, cwd=folder, start_new_session=True)
        status = _end_of(process, SECONDS)
        out.seek(0)
        text = out.read().decode(errors="replace")
    if status is None:
        text += f"\n(killed: no end within {SECONDS} s)\n"
    if harness._NEVER.search(text):
        raise harness.Failure(f"a report of the sanitizers: {text[-4000:]}")
    parts = re.split(r"^@@(\d+)\n", text, flags=re.M)
    said = [""] * len(commands)
    for number, part in zip(parts[1::2], parts[2::2]):
        said[int(number)] = part
    return Session(said, status, time.monotonic() - began)
