#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.py SCRIPT.cmd: compares what ompdb prints with SCRIPT.out.

    # prog: chain-gcc-O0  same-on-core: yes  hide: system
    $ ompdb stack --raw TARGET

The first line says what the target is, items two blanks apart:

    prog: NAME [ARGUMENT...]  a test program, started and asleep before the first command
    core: NAME                a core file of corefile.py
    needs: TOOL...            skip where one is missing
    same-on-core: yes         once more with a core file of the program: the same output
    hide: system              frames in libraries of the system are shown as "..."

Each line that begins with "$ ompdb" is run; TARGET stands for the process or the core file. The
output is compared after paths have been replaced and, but for a core made by hand, addresses,
offsets, thread ids and line numbers too, these by the marks in the source: "chain.c@leaf".
Scripts tst.* must end with status 0, err.* must not. With BLESS=1 the output is written to
SCRIPT.out instead.
"""

import difflib
import shlex

import corefile
import harness
from harness import *

SYSTEM_FRAME = re.compile(
    r"  #\d+ .*  in (lib(c|m|gomp|omp|pthread|stdc\+\+|gfortran)|ld-linux\S*)\.so")

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "testprogs")


class Script:
    def __init__(self, path):
        self.path = path
        with open(path) as f:
            first, *lines = f.read().splitlines()
        self.items = dict(re.split(r":\s*", item, maxsplit=1)
                          for item in re.split(r"\s{2,}", first.lstrip("# ").strip()))
        unknown = set(self.items) - {"prog", "core", "needs", "same-on-core", "hide"}
        expect(not unknown, f"{path}: unknown items {unknown}")
        self.commands = [shlex.split(line[2:])[1:] for line in lines if line.startswith("$ ompdb ")]
        expect(self.commands, f"{path}: no commands")
        self.must_fail = os.path.basename(path).startswith("err.")

    def outputs(self):
        """What was printed, once for each kind of target, and normalised."""
        for tool in self.items.get("needs", "").split():
            need(tool)
        if "core" in self.items:
            path = os.path.join(folder(), "core")
            with open(path, "wb") as f:
                f.write(corefile.SEEDS[self.items["core"]]())
            yield self.run(path, [])
        elif "prog" in self.items:
            program = start(*shlex.split(self.items["prog"]))
            yield self.run(program.pid, threads(program.pid))
            if self.items.get("same-on-core") == "yes":
                core = core_of(program)
                yield self.run(core, threads(program.pid))
            program.finish()
        else:
            yield self.run("", [])

    def run(self, target, ids):
        text = ""
        for command in self.commands:
            words = [str(target) if word == "TARGET" else word for word in command]
            result = ompdb(*words)
            wrong = (result.status == 0) == self.must_fail
            expect(not wrong, f"status {result.status}: {result}")
            text += f"$ ompdb {' '.join(command)}\n{result.out}{result.err}"
        return self.normalise(text, str(target), ids)

    def normalise(self, text, target, ids):
        if "/" in target:
            text = text.replace(target, "TARGET")
        text = text.replace(TESTPROGS, "PROGS")
        text = re.sub(r"([\w.]+\.(?:c|cc|h|f90)):(\d+)", mark_of, text)
        if "core" in self.items:
            return text
        if self.items.get("hide") == "system":
            text = hide_system(text)
        text = re.sub(r"^(core file \S+ of )?process \d+ ", "TARGET ", text, flags=re.M)
        # Whichever release of the compilers is installed.
        text = re.sub(r"\bGCC \d+", "GCC N", text)
        text = re.sub(r"/usr/lib/llvm-\d+/", "/usr/lib/llvm-N/", text)
        text = re.sub(r"\+0x[0-9a-f]+", "+N", text)
        text = re.sub(r"0x[0-9a-f]+", "ADDRESS", text)
        text = re.sub(r"(?<=\S) {2,}", "  ", text)
        return number_threads(text, ids)


def mark_of(match):
    """A place in a test program by the mark on its line: "chain.c@leaf"."""
    try:
        with open(os.path.join(SOURCES, match[1])) as f:
            line = f.read().splitlines()[int(match[2]) - 1]
    except (OSError, IndexError):
        return match[0]
    mark = re.search(r"MARK: (.*?)(?: \*/)?$", line)
    return f"{match[1]}@{mark[1]}" if mark else f"{match[1]}:N"


def hide_system(text):
    """One "..." for frames in system libraries, whose number differs; so the others get none."""
    lines = ["  ..." if SYSTEM_FRAME.match(line) else re.sub(r"^  #\d+ +", "  # ", line)
             for line in text.splitlines()]
    once = [line for n, line in enumerate(lines) if line != "  ..." or lines[n - 1] != line]
    return "\n".join(once) + "\n"


def number_threads(text, ids):
    """Replaces thread ids by T1, T2... in the order in which they appear."""
    seen = {}

    def number(match):
        return f"T{seen.setdefault(match[0], len(seen) + 1)}" if int(match[0]) in ids else match[0]

    return re.sub(r"(?<![\w.])\d+(?![\w.])", number, text)


def compare(golden, text):
    try:
        with open(golden) as f:
            wanted = f.read()
    except FileNotFoundError:
        wanted = ""
    if text != wanted:
        raise Failure("\n" + "".join(difflib.unified_diff(
            wanted.splitlines(True), text.splitlines(True), golden, "what ompdb printed")))


def main(path):
    golden = path[:-len(".cmd")] + ".out"
    try:
        for n, text in enumerate(Script(path).outputs()):
            if os.environ.get("BLESS") == "1" and n == 0:
                with open(golden, "w") as f:
                    f.write(text)
            compare(golden, text)
    except Skip as e:
        print(f"skipped: {e}")
        return 77
    except Failure as e:
        print(e)
        return 1
    finally:
        harness.clean_up()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
