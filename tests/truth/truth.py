# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What debuggers say of variables, held against what the programs say themselves.

The programs stop at marks. What a mark's variables hold they have printed before, by value, so that
no variable is kept for its being looked at. bench/values.py and tests/cli/test_truth.py use it.
"""
import collections
import os
import pathlib
import re
import select
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent
CATEGORIES = {1: "serial", 2: "region", 3: "nested region", 4: "loop", 5: "reduction", 6: "task",
              7: "taskloop", 8: "lambda", 9: "member"}
LEVELS = ("O0", "Og", "O2")
# What is said of a variable: the later, the worse. "Untold": no value, but a reason. "Wrong as gdb": both
# say the same that is not true, as where a compiler has described an earlier value.
VERDICTS = ("right", "optimised out", "untold", "wrong as gdb", "wrong")
SECONDS = 120
# Copies of reductions in taskloops, of which no compiler tells where they are, of members, of which gcc does not,
# and of what is lastprivate(conditional), of which clang does not: who knows that has no worse answer than who takes them for optimised out, or shows the original,
# which may have the same value.
UNTOLD = (420, 710, 711, 908, 909)

Build = collections.namedtuple("Build", "name compiler source flags")
# A variable as it is asked for: at which position, in which thread, the how manyth time, in which frame.
Place = collections.namedtuple("Place", "position thread time frame name")


class Missing(Exception):
    """A debugger did not do what it was asked to."""


def builds(levels=LEVELS):
    """All builds of the programs that can be made here."""
    kinds = [("gcc", "truth.c", []), ("clang", "truth.c", []),
             ("g++", "truth.cpp", ["-std=c++17"]), ("clang++", "truth.cpp", ["-std=c++17"]),
             ("gfortran", "truth.F90", ["-ffree-line-length-none"])]
    return [Build(f"{compiler}-{level}", compiler, source, [f"-{level}", *flags])
            for compiler, source, flags in kinds if shutil.which(compiler) for level in levels]


def make(build, folder):
    """Compiles a program into a folder; returns its path, or None where its runtime is not there."""
    program, marks = pathlib.Path(folder) / build.name, pathlib.Path(folder) / "mark.o"
    modules = ["-J", str(folder)] if build.compiler == "gfortran" else []
    if not marks.exists():
        subprocess.run(["gcc", "-g", "-O0", "-c", HERE / "mark.c", "-o", marks], check=True)
    done = subprocess.run([build.compiler, "-g", "-fopenmp", *build.flags, *modules,
                           HERE / build.source, marks, "-o", program, "-lm"], capture_output=True, text=True)
    return program if done.returncode == 0 else None


def truths(text):
    """By place, what the program says that is there."""
    found, times = {}, collections.Counter()
    for line in text.splitlines():
        if not line.startswith("TRUTH\t"):
            continue
        position, thread, frame, name, value = line.split("\t")[1:]
        same = (int(position), int(thread), int(frame), name.strip())
        times[same] += 1
        found[Place(same[0], same[1], times[same], *same[2:])] = value
    return found


class Prompt:
    """A debugger at the other end of two pipes."""

    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, bufsize=0)
        self.said = b""
        self.answers(1)

    def answers(self, count):
        """The next answers, each of which a prompt follows."""
        prompt, out = re.compile(rb"\((?:gdb|ompdb)\) "), self.child.stdout.fileno()
        while len(prompt.findall(self.said)) < count:
            more = os.read(out, 65536) if select.select([out], [], [], SECONDS)[0] else b""
            if not more:
                raise Missing(f"no prompt after {self.said[-300:]!r}")
            self.said += more
        parts = prompt.split(self.said, maxsplit=count)
        self.said = parts.pop()
        return [part.decode(errors="replace").strip() for part in parts]

    def ask(self, *lines):
        self.child.stdin.write("".join(line + "\n" for line in lines).encode())
        return self.answers(len(lines))

    def end(self):
        self.child.kill()
        self.child.communicate()


def names_by_frame(found):
    """By position, which names are told in which frames."""
    names = collections.defaultdict(set)
    for place in found:
        names[place.position].add((place.frame, place.name))
    return names


def session(debugger, program, out):
    """What a debugger answers, by place; the program's own words are left in the file "out"."""
    named = names_by_frame(truths(subprocess.run([program], capture_output=True, text=True,
                                                 timeout=SECONDS, check=True).stdout))
    prompt, answers, times = Prompt([debugger, "-nx", "-q", program]), {}, collections.Counter()
    try:
        prompt.ask("set pagination off", "set confirm off", "set width 0", "break mark")
        said = prompt.ask(f"run > {out}")[0]
        while here := re.search(r"\bmark \(id=(\d+), thread=(\d+)\)", said):
            position, thread = int(here[1]), int(here[2])
            times[position, thread] += 1
            asked = sorted(named[position])
            lines = [line for frame, name in asked for line in (f"frame {frame}", f"print {name}")]
            told = prompt.ask(*lines)[1::2]
            for (frame, name), answer in zip(asked, told):
                answers[Place(position, thread, times[position, thread], frame, name)] = answer
            said = prompt.ask("continue")[0]
        if "exited" not in said:
            raise Missing(f"{debugger} does not go on to the end: {said[-300:]}")
    finally:
        prompt.end()
    return answers


def value_of(answer):
    """The value in an answer of print, without its number, its type and what belongs to a number."""
    said = re.sub(r"^\$\d+ = ", "", answer.splitlines()[-1] if answer else "")
    said = re.sub(r"  \[frame of .*\]$", "", said)
    said = re.sub(r"^\((?:[^()]*&|REF TO -> .*)\) @0x[0-9a-f]+: ", "", said)
    said = re.sub(r"^(?:\([^()]*&\) )?<synthetic pointer>: ", "", said)
    said = re.sub(r"^(?:\([^()]*\) )?0x[0-9a-f]+ (?:<[^>]*> )?(?=\")", "", said)
    said = re.sub(r"^\{.*\} (0x[0-9a-f]+) <.*>$", r"\1", said)  # of a function, its address
    return re.sub(r"^(-?\d+) '.*'$", r"\1", said)


def equal(said, truth):
    if said.lower().strip(".") == truth:
        return True
    try:
        return float(said) == float(truth)
    except ValueError:
        return re.sub(r"(\\000)+\"$", "\"", said) == truth


def judge(answer, truth):
    if answer is None:
        return "wrong"  # it did not stop there
    if "optimized out" in answer:
        return "optimised out"
    last = answer.splitlines()[-1] if answer else ""
    if not re.match(r"\$\d+ = ", last) or re.search(r"<error|= <(not|un)\w* ?", last):
        return "untold"
    return "right" if equal(value_of(answer), truth) else "wrong"


def ask(debugger, program, folder):
    """By place: (verdict, what the debugger says, the truth)."""
    out = pathlib.Path(folder) / (pathlib.Path(debugger).name + ".out")
    answers = session(debugger, program, out)
    found = truths(out.read_text())
    return {place: (judge(answers.get(place), truth), answers.get(place), truth)
            for place, truth in found.items()}


def triple(place):
    return place.position, place.frame, place.name


def counterparts(theirs, place):
    """What the other debugger was told there. A task may have been another thread's under that one."""
    if place in theirs:
        return [theirs[place]]
    return [result for other, result in theirs.items() if triple(other) == triple(place)]


def forgive(ours, theirs):
    """What both debuggers say that is not true is no fault of either that the other has avoided."""
    before = [(results, dict(others)) for results, others in ((ours, theirs), (theirs, ours))]
    for results, others in before:
        for place, (verdict, said, right) in list(results.items()):
            if verdict == "wrong" and said and any(
                    other == "wrong" and heard and value_of(heard) == value_of(said)
                    for other, heard, _ in counterparts(others, place)):
                results[place] = "wrong as gdb", said, right


def triples(results):
    """By variable and position, the worst verdict of all threads and times."""
    worst = {}
    for place, (verdict, _, _) in results.items():
        key = triple(place)
        worst[key] = max(worst.get(key, "right"), verdict, key=VERDICTS.index)
    return worst


def category(position):
    return CATEGORIES[position // 100]


def by_category(verdicts):
    """By category, how many triples have which verdict."""
    counts = collections.defaultdict(collections.Counter)
    for (position, _, _), verdict in verdicts.items():
        counts[category(position)][verdict] += 1
    return counts


def worse(ours, theirs):
    """The places of which a debugger says less than the other one: (place, what each says, the truth)."""
    for place, (verdict, said, truth) in sorted(ours.items()):
        others = counterparts(theirs, place)
        other, heard, _ = max(others, key=lambda result: VERDICTS.index(result[0])) if others else (
            None, None, None)
        if verdict == "untold" and place.position in UNTOLD:
            continue
        if verdict == "wrong" or (other and VERDICTS.index(verdict) > VERDICTS.index(other)):
            yield place, said, heard, truth


def differences(ours, theirs):
    """Each triple of which the debuggers do not say the same, or nothing right in both: (triple, the
    verdict on each, what each says, the truth). Of several times and threads, the first such."""
    found = {}
    for place, (verdict, said, truth) in sorted(ours.items()):
        others = counterparts(theirs, place)
        other, heard, _ = max(others, key=lambda result: VERDICTS.index(result[0])) if others else (
            "untold", None, None)
        if verdict != other or "wrong" in verdict:
            found.setdefault(triple(place), (verdict, other, said, heard, truth))
    return [(key, *found[key]) for key in found]
