# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One program, its debug information made in all ways: the answers are those of the plain one."""

import random
import re

from damage import Elf
from harness import *

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb", "programs")
SOURCES = ("kinds.cc", "kinds_other.cc")

# What is asked in main(), in a function of the other unit, and in a region.
IN_MAIN = """
    print row|ptype row|whatis row|print one|ptype one|ptype struct shop::item|ptype/o shop::point
    print name|print points|whatis points|print pointer|print scaled|info locals|info args
    print corners|print method|print member|print one.*member|print shop::item::count|print hidden
    print 'kinds_other.cc'::here|print *hidden|ptype hidden|print hidden->rows[0].values[1]
    print (shop::flags)3|print sizeof(shop::item)|ptype shop::colour|print shop::colour::blue
    info scope kinds.cc:@call|info line total|ptype shop::box<shop::point, 3>|whatis total
    print total::r|print shop::both|ptype full|whatis full.held|print sizeof(crate::content)|ptype crate::lid<int>|ptype shop::opaque|print &shop::item::at|print -5 + one.low
"""
IN_OTHER = """
    info locals|info args|print sizes|print kept|print visits|ptype kept|print sum|print *i|bt
    print total::sum|print r.values[1]|whatis r|print i->paint|print *hidden|print &visits == 0|up
    print row|print main::scale|print points
"""
IN_REGION = """
    info locals|print own|print sum|print scale|print row|print row.values[i]|ptype row
    print one.paint|whatis one|print shop::item::count
"""


def questions(text):
    return [part for line in text.split("\n") for part in line.strip().split("|") if part]


def marks():
    found = {}
    for source in SOURCES:
        with open(os.path.join(PROGRAMS, source)) as f:
            for number, line in enumerate(f, 1):
                for mark in re.findall(r"MARK: (\w+)", line):
                    found[mark] = f"{source}:{number}"
    return found


def answers(program):
    """What ompdb says to all of it, without what differs from one build to the next."""
    place = marks()
    commands = ["set confirm off", "set width 0", f"break {place['region']} if i == 1", "run",
                *questions(IN_REGION), "delete", f"break {place['call']}", "continue",
                *questions(IN_MAIN), f"break {place['inner']}", "continue", *questions(IN_OTHER), "kill"]
    commands = [re.sub(r"kinds\.cc:@call", place["call"], command) for command in commands]
    arguments = [part for number, command in enumerate(commands)
                 for part in ("-ex", f"echo @@@{number}\\n", "-ex", command)]
    result = run(OMPDB, "--color=never", "-nx", "-q", program, *arguments, seconds=120,
                 stderr=subprocess.STDOUT)
    expect(result.status >= 0 and "Sanitizer" not in result.out, f"{result}")
    said = re.split(r"^@@@\d+\n", result.out, flags=re.M)[1:]
    equal(len(said), len(commands), "number of answers")
    for command, text in zip(commands, said):
        text = re.sub(r"\b(LWP|process) \d+", r"\1", re.sub(r"0x[0-9a-f]+", "ADDRESS", text))
        text = re.sub(r"^(\$\d+ = )", "", text.replace(os.path.dirname(program), ""))
        yield command, re.sub(r"\S*/(?=kinds)", "", text)


def build(compiler, *flags):
    """The program, in a folder of its own."""
    own = folder()
    result = run(need(compiler), "-g", "-O0", "-fopenmp", *flags,
                 *(os.path.join(PROGRAMS, source) for source in SOURCES), "-o", "kinds", cwd=own,
                 seconds=120)
    equal(result.status, 0, f"status of {compiler} {flags}: {result.err}")
    return os.path.join(own, "kinds")


def packed(tool, compiler, *flags):
    """With its .dwo files in one package, and without them."""
    program = build(compiler, "-gsplit-dwarf", *flags)
    own = os.path.dirname(program)
    result = run(need(tool), "-e", program, "-o", program + ".dwp", cwd=own)
    equal(result.status, 0, f"status of {tool}: {result.err}")
    split = [name for name in os.listdir(own) if name.endswith(".dwo")]
    equal(len(split), len(SOURCES), f"number of .dwo files in {own}")
    for name in split:
        os.remove(os.path.join(own, name))
    return program


def shrunk(*flags):
    """By dwz; -m: two of them share a file."""
    program = build("g++", "-gdwarf-4")
    own = os.path.dirname(program)
    shutil.copy(program, program + "2")
    result = run(need("dwz"), *flags, "kinds", *(["kinds2"] if flags else []), cwd=own)
    equal(result.status, 0, f"status of dwz: {result.err}")
    return program


_plain = {}


def plain(compiler):
    if compiler not in _plain:
        _plain[compiler] = list(answers(build(compiler, "-gdwarf-5")))
    return _plain[compiler]


MAKERS = {"build": build, "packed": packed, "shrunk": shrunk}
TYPES = "-fdebug-types-section"
WAYS = [
    ("build", "g++", "-gdwarf-4"), ("build", "g++", TYPES), ("build", "g++", TYPES, "-gdwarf-4"),
    ("build", "g++", "-gsplit-dwarf"), ("build", "g++", "-gsplit-dwarf", "-gdwarf-4"),
    ("build", "g++", "-gsplit-dwarf", TYPES), ("build", "g++", "-gsplit-dwarf", TYPES, "-gdwarf-4"),
    ("build", "g++", "-gz"), ("build", "g++", "-flto"), ("shrunk",), ("shrunk", "-m", "common"),
    ("packed", "dwp", "g++", TYPES, "-gdwarf-4"), ("packed", "llvm-dwp", "g++", TYPES),
    ("build", "clang++", "-gdwarf-4"), ("build", "clang++", "-gsplit-dwarf", TYPES),
    ("packed", "dwp", "clang++", TYPES, "-gdwarf-4"), ("packed", "llvm-dwp", "clang++", TYPES),
]


# Sanitizers see every sixth one: what is corrupt is theirs elsewhere.
@cases(*(row for at in range(0, len(WAYS), 6) for row in share([Shared(way) for way in WAYS[at:at + 6]], at)))
def as_with_plain_debug_information(maker, *flags):
    compiler = "clang++" if "clang++" in flags else "g++"
    wanted = plain(compiler)
    for (command, got), (_, as_plain) in zip(answers(MAKERS[maker](*flags)), wanted):
        equal(got, as_plain, f"what {command!r} says")


@case
def a_package_that_is_damaged():
    """Whatever is said, it is said soon, and without harm."""
    program = packed("dwp", "g++", TYPES, "-gdwarf-4")
    for number in range(3 if FEW else 10):
        elf = Elf(program + ".dwp")
        elf.damage(random.Random(number), ".debug_cu_index", ".debug_tu_index", ".debug_")
        elf.write(program + ".damaged")
        os.rename(program + ".damaged", program + ".dwp")
        expect(list(answers(program)), f"number {number}: nothing")


main()
