# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions at the prompt, without a terminal: what is said to each command.

    said = session("session-gcc-O0", "break twice", "run", "bt")
    said("bt").has(r"#0  twice \\(n=0\\) at ")

"@mark" in a command is the place of a mark in the program's source.
"""

import re

from harness import *

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testprogs")
BUILDS = ["gcc-O0", "clang-O0", "gcc-O2", "clang-O2"]


def line_of(mark, source="session.c"):
    with open(os.path.join(SOURCES, source)) as f:
        for number, line in enumerate(f, 1):
            if re.search(rf"MARK: {mark}\b", line):
                return number
    raise Failure(f"no mark {mark} in {source}")


class Said:
    """What was printed for one command."""

    def __init__(self, command, text):
        # Optimised code may have the value that an argument had at the entry alone: "n=n@entry=5".
        self.command, self.text = command, re.sub(r"\b(\w+)=\1@entry=", r"\1=", text)

    def has(self, *patterns):
        for pattern in patterns:
            expect(re.search(pattern, self.text, re.M),
                   f"no {pattern!r} in what {self.command!r} says:\n{self.text}")
        return self

    def has_not(self, pattern):
        expect(not re.search(pattern, self.text, re.M),
               f"{pattern!r} in what {self.command!r} says:\n{self.text}")
        return self

    def stops_at(self, function, mark):
        """The line of a stop and the source line."""
        return self.has(rf"\b{function} \(.*\) at (\S*/)?session\.c:{line_of(mark)}",
                        rf"^{line_of(mark)}\t.*MARK: {mark} ")

    def value(self, text):
        return self.has(rf"^\$\d+ = {text}$")


class Session:
    def __init__(self, result, commands):
        self.result, self.commands = result, commands
        parts = re.split(r"^@@(\d+)\n", result.out, flags=re.M)
        self.parts = {int(n): text for n, text in zip(parts[1::2], parts[2::2])}

    def __call__(self, command, nth=1):
        """What was said when a command was given for the nth time."""
        found = [i for i, c in enumerate(self.commands) if c == command]
        expect(len(found) >= nth, f"{command!r} was not given {nth} times")
        expect(found[nth - 1] in self.parts, f"ended before {command!r}: {self.result}")
        return Said(command, self.parts[found[nth - 1]])


def written(parent, number, lines):
    """A command with a block is read from a file: options have one line."""
    path = os.path.join(parent, f"block{number}")
    with open(path, "w") as f:
        f.write(lines + "\n")
    return path


# Of "forkers": the first of the threads that fork has done so, and its child is kept.
SECOND_THREAD_FORKS = ("set detach-on-fork off", "tbreak forker", "run", "set scheduler-locking on", "thread 2",
                       "catch fork", "continue", "next", "set scheduler-locking off")


def session(program, *commands, options=(), env=None, **how):
    """Gives commands to ompdb, which ends after the last one."""
    path = program and (program if "/" in program else testprog(program))
    own = folder()
    argv = ["-nx", "-q", "--color=never", *options, *([path] if path else [])]
    argv += ["-ex", "set confirm off", "-ex", "set width 0"]
    for number, command in enumerate(commands):
        command = re.sub(r"@([a-z]\w*)", lambda m: f"session.c:{line_of(m[1])}", command)
        argv += ["-ex", f"echo \\n@@{number}\\n"]
        argv += ["-x", written(own, number, command)] if "\n" in command else ["-ex", command]
    env = {"XDG_STATE_HOME": own, **(env or {})}
    return Session(ompdb(*argv, env=env, stderr=subprocess.STDOUT, **how), commands)
