# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scenarios: a program, how it is built, and what is typed at a debugger.

    [a recursion is left by finish] recurse.c
    builds: gcc-O0 clang-O0
    break @bottom
    run
    finish

A file of scripts/ is a list of these; an empty line ends one. "@bottom" (but not "@entry") is the place of the comment
"MARK: bottom" in the sources. "next *3" is typed three times. Commands that have a block go on
to their "end". Lines "NAME: ..." before the first command:

    builds: COMPILER-LEVEL...   gcc-O0 and clang-O0, unless said; in a whole run one of the two
    flags: FLAG...              for the compiler
    with: SOURCE...             more sources of the same program
    library: SOURCE             is built as libSOURCE.so, and linked unless "linked: no"
    linked: no
    executes: SOURCE            is built as a program of that name
    order: any                  what happens has no fixed order: stops are compared as a multiset
    quiet: WORD...              kinds of facts that are not compared (facts.py); "arguments": those
                                of functions (before the prologue they are what was on the stack)
    printers: yes               gdb has the printers that libstdc++ brings with it
    batch: yes                  by --batch --return-child-result: ompdb's own exit status, too
"""

import os
import re
import shlex
import subprocess

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
SHARED = os.path.join(HERE, "..", "..", "testprogs")
SCRIPTS = os.path.join(HERE, "scripts")

KEYS = {"builds", "flags", "with", "library", "linked", "executes", "order", "quiet", "batch", "printers"}
BLOCKS = ("commands", "define", "document", "if", "while")
TOOLS = {
    "gcc": {".c": "gcc", ".cc": "g++", ".f90": "gfortran"},
    "clang": {".c": "clang", ".cc": "clang++"},
}
_built = {}


def path_of(name):
    """A source, of ours or else of those that all tests share."""
    own = os.path.join(PROGRAMS, name)
    return own if os.path.exists(own) else os.path.join(SHARED, name)


class Scenario:
    def __init__(self, name, source, lines):
        self.name, self.source = name, source
        self.keys = {}
        while lines and re.match(r"\w+: ", lines[0]) and lines[0].split(":")[0] in KEYS:
            key, _, value = lines.pop(0).partition(": ")
            self.keys[key] = value
        self.sources = [source, *self.words("with"), *self.words("library"), *self.words("executes")]
        self.marks = marks(self.sources)
        self.commands = list(_commands(lines, self.marks))
        default = "gcc-O0" if source.endswith(".f90") else "gcc-O0 clang-O0"
        self.builds = self.keys.get("builds", default).split()
        self.any_build = "builds" not in self.keys

    def __str__(self):
        return self.name

    def fact(self, text):
        """A fact with the places of marks: "line @end" becomes "line 31 return x;"."""

        def line(match):
            name, number = self.marks[match[2]].split(":")
            with open(path_of(name)) as f:
                return f"{match[1]} {number} {f.read().splitlines()[int(number) - 1].strip()}"

        text = re.sub(r"^(line\*?) @(\w+)$", line, text)
        return re.sub(r"@(\w+)\b(?!@)", lambda match: self.marks[match[1]], text)

    def words(self, key):
        return self.keys.get(key, "").split()

    def needs(self, build):
        """The compiler of a build."""
        tool = TOOLS[build.split("-")[0]].get(os.path.splitext(self.source)[1])
        return harness.need(tool or "compiler for it")

    def build(self, build, folder):
        """Compiles all that it is made of into a folder; returns the program's path."""
        compiler, level = self.needs(build), "-" + build.split("-")[1]
        flags = [level, "-g", "-D_GNU_SOURCE", "-pthread", "-fopenmp", *self.words("flags")]
        path = os.path.join(folder, os.path.splitext(self.source)[0])
        libraries = []
        for source in self.words("library"):
            name = os.path.splitext(source)[0]
            _compile(compiler, [*flags, "-shared", "-fPIC"], [source], os.path.join(folder, f"lib{name}.so"))
            if self.keys.get("linked") != "no":
                libraries += ["-L" + folder, "-l" + name, "-Wl,-rpath,$ORIGIN"]
        for source in self.words("executes"):
            _compile(compiler, flags, [source], os.path.join(folder, os.path.splitext(source)[0]))
        if self.source.endswith(".f90"):
            flags += ["-J", folder]
        _compile(compiler, flags, [self.source, *self.words("with")], path, libraries)
        return path


def _compile(compiler, flags, sources, path, libraries=()):
    command = [compiler, *flags, *map(path_of, sources), "-o", path, *libraries]
    result = harness.run(*command, seconds=120)
    if result.status != 0:
        raise harness.Failure(f"does not compile: {result}")


def marks(sources):
    """{name: "FILE:LINE"} of the marks in some sources, and in the headers beside them."""
    found = {}
    for source in sources:
        stem = os.path.splitext(source)[0]
        headers = [name for name in os.listdir(PROGRAMS)
                   if name.startswith(stem + "_") and name.endswith(".h")]
        for name in (source, *headers):
            with open(path_of(name)) as f:
                for number, line in enumerate(f, 1):
                    for mark in re.findall(r"MARK: (\w+)", line):
                        found[mark] = f"{name}:{number}"
    return found


def _commands(lines, places):
    """Each command as one string; one with a block has several lines."""

    def place(match):
        if match[1] not in places:
            raise harness.Failure(f"no mark {match[1]}")
        return places[match[1]]

    depth, block = 0, []
    for line in lines:
        line = re.sub(r"@(?!entry\b)(\w+)\b(?!@)", place, line)
        times = re.fullmatch(r"(.*) \*(\d+)", line)
        if not block and times:
            yield from [times[1]] * int(times[2])
            continue
        block.append(line)
        first = line.split()[0]
        if first in BLOCKS:
            depth += 1
        elif first == "end":
            depth -= 1
        if depth == 0:
            yield "\n".join(block)
            block = []
    if block:
        raise harness.Failure(f"no end of {block[0]}")


def read(group):
    """The scenarios of scripts/GROUP, in their order."""
    found, current = [], None
    with open(os.path.join(SCRIPTS, group)) as f:
        lines = [line.strip() for line in f if not line.startswith("#")]
    for line in lines:
        header = re.fullmatch(r"\[(.*)\] (\S+)", line)
        if header:
            current = (header[1], header[2], [])
            found.append(current)
        elif line and current:
            current[2].append(line)
        elif line:
            raise harness.Failure(f"{group}: {line!r} belongs to no scenario")
        else:
            current = None
    names = [name for name, _, _ in found]
    if len(set(names)) != len(names):
        raise harness.Failure(f"{group}: two scenarios have one name")
    return [Scenario(*row) for row in found]
