# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""print, x, whatis and their kin say of a core file what gdb says of it."""

from harness import *

BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")

PRINTED = """
    1+1 5/2 -5%3 5u-6 1.5+1 10/3.0L 'a' '\\n' 0x10 1L<<40 -1U sizeof(long) (char)65 (int)3.9
    counter hidden mine bytes zeros table matrix matrix[1] matrix[1][2] ratio single wide yes paint
    mask odd letter minus limit most huge text nothing bad pointer anything fixed big callback
    *pointer *text &counter &table &table[2] table[1]+table[2] pointer[1] *pointer@3 &matrix
    (char*)anything *(int*)anything {int}&counter (long)&counter pointer-table paint==BLUE RED
    (enum color)5 (enum flags)3 work &work *work main local work::calls 'values.c'::hidden
    $sp==$rsp $eflags $cs $rsp $pc $nonexistent $xmm0.uint128 counter?10:20 text+1 &*text
""".split()
FORMATTED = """
    x:255 o:8 t:10 d:'a' c:65 x:-1 x:counter u:-1 x:table d:table f:3.5 z:5 a:&counter x:$sp x:bytes
    x:letter c:353 t:0 x:limit d:text x:yes x:paint x:1.5 s:text c:table
""".split()
TYPES = """
    counter 'a' 1.5f text table &table work &work callback fixed big paint mask $pc $sp $rax $eax
    $eflags matrix letter+letter 1==1 hidden+1u most+1 word
    counter++ counter=2.5 work(1,text) *work(1,text)+1L *(short*)0 &*(short*)0
""".split()
# Options of print; gdb has no short name for -max-depth.
OPTIONS = ("-elements 3", "-elements unlimited", "-array", "-array on", "-address off", "-symbol off", "-repeats 2",
           "-array-indexes on", "-null-stop on", "-union off", "-pretty", "-max-depth 0", "-depth 0", "-max-depth 1",
           "-depth 1", "-elements 2 -array-indexes -repeats unlimited")
WITH_OPTIONS = "table matrix bytes pointer text single &counter"
EXAMINED = ("4dw table", "3xb bytes", "2gx table", "s text", "c bytes", "2tb bytes", "2i work",
            "fg &ratio", "a &callback", "3uh table", "5ob table")
# Settings, and what is printed while they hold.
SETTINGS = (
    ("print elements 3", ["table", "matrix", "text", "bytes", "matrix[1]"]),
    ("print elements 1", ["table", "text"]),
    ("print elements unlimited", ["table", "zeros", "text"]),
    ("print repeats 2", ["zeros", "table", "bytes", "matrix", '"aabbb"']),
    ("print repeats unlimited", ["zeros"]),
    ("print array on", ["table", "matrix", "zeros", "bytes"]),
    ("print array-indexes on", ["table", "matrix", "zeros", "bytes"]),
    ("print null-stop on", ["bytes", "text"]),
    ("print symbol off", ["&counter", "pointer", "callback", "work", "text", "&table[2]"]),
    ("print address off", ["&counter", "pointer", "callback", "work", "text", "$pc"]),
)
PRESETS = ("print elements 200", "print repeats 10", "print array off", "print array-indexes off",
           "print null-stop off", "print symbol on", "print address on")


def commands():
    for setting, expressions in SETTINGS:
        yield f"set {setting}"
        yield f"show {setting.rsplit(' ', 1)[0]}"
        yield from (f"print {e}" for e in expressions)
        yield from (f"set {preset}" for preset in PRESETS)
    yield from (f"print {e}" for e in PRINTED)
    yield from (f"print {o} -- {e}" for o in OPTIONS for e in WITH_OPTIONS.split())
    yield from ("print {1,2,3}", "print {table[0],table[1]}", "print sizeof({1,2})")
    yield from (f"print/{e.split(':', 1)[0]} {e.split(':', 1)[1]}" for e in FORMATTED)
    yield from (f"whatis {e}" for e in TYPES)
    yield from (f"x/{e}" for e in EXAMINED)
    yield "info registers rip"
    yield "info registers eflags"
    yield 'printf "%d %s %5.2f %c %#lx|\\n", counter, text, ratio, letter, big'
    yield "output table"


def frame_of_work(debugger, *target):
    result = run(*debugger, *target, "-ex", "bt", seconds=120)
    found = re.search(r"^#(\d+) .*\bwork \(", result.out, re.M)
    expect(found, f"no frame of work: {result}")
    return found[1]


def answers(debugger, *target):
    script = ["set width 0", "set confirm off", f"frame {frame_of_work(debugger, *target)}"]
    for command in commands():
        script += ["echo @@@\\n", command if debugger[0] == OMPDB else command.replace(" -depth ", " -max-depth ")]
    script.append("quit")  # with --batch ompdb would end at the first error
    arguments = [part for line in script for part in ("-ex", line)]
    result = run(*debugger, *target, *arguments, seconds=120)
    return [part.strip() for part in result.out.split("@@@\n")[1:]]


@cases(*BUILDS)
def what_gdb_says(build):
    program = start(f"values-{build}")
    core = core_of(program)
    program.finish()
    path = testprog(f"values-{build}")
    gdb = (need("gdb"), "-nx", "-q", "-batch", "-iex", "set debuginfod enabled off")
    theirs = answers(gdb, path, core)
    ours = answers((OMPDB, "-q"), path, core)
    equal(len(ours), len(theirs), "answers")
    # Of the registers that the program's frame has not saved gdb shows those of the innermost one.
    wrong = [f"{command}\n  gdb:   {g}\n  ompdb: {o}"
             for command, g, o in zip(commands(), theirs, ours) if g != o]
    expect(not wrong, f"{len(wrong)} of {len(theirs)} differ:\n" + "\n".join(wrong))


# gdb 13 does not say so of what clang describes.
@cases(*BUILDS)
def elements_are_as_constant_as_their_array(build):
    types = {"still[1]": "const short [2]", "still[1][0]": "const short", "&still[1]": "const short (*)[2]",
             "*still": "const short [2]", "still+1": "const short (*)[2]", "still[1][0]@2": "const short [2]"}
    asked = [part for text in types for part in ("-ex", f"whatis {text}")]
    equal(run(OMPDB, "-q", "-nx", testprog(f"values-{build}"), "--batch", *asked).out.splitlines(),
          [f"type = {said}" for said in types.values()])


main()
