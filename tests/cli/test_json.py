# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`--json`: its schema, and that it tells what the text tells."""

from stacks import *

NONE = type(None)
FRAME = {"pc": str, "cfa": str, "function": (str, NONE), "offset": int, "file": (str, NONE),
         "line": (int, NONE), "module": str, "inline": bool, "guessed": bool}
THREAD = {"lwp": int, "name": str, "frames": [FRAME], "end": (str, NONE)}
TARGET = {"pid": (int, NONE), "core": (str, NONE), "exe": str}
STACK = {"v": int, "type": str, "target": TARGET, "threads": [THREAD], "notes": [str]}


def fits(value, schema, where="the object"):
    if isinstance(schema, dict):
        equal(type(value), dict, f"type of {where}")
        equal(list(value), list(schema), f"members of {where}")
        for key, member in schema.items():
            fits(value[key], member, f"{where}.{key}")
    elif isinstance(schema, list):
        equal(type(value), list, f"type of {where}")
        for number, item in enumerate(value):
            fits(item, schema[0], f"{where}[{number}]")
    else:
        allowed = schema if isinstance(schema, tuple) else (schema,)
        expect(type(value) in allowed, f"{where} is {value!r}")


def checked(*arguments):
    """The report, which must have the right form."""
    result = ompdb("stack", "--raw", "--json", *arguments)
    equal((result.status, result.err), (0, ""), "status and stderr")
    equal((result.out.count("\n"), result.out[-1]), (1, "\n"), "lines and the last character")
    shown = json.loads(result.out)
    fits(shown, STACK)
    equal((shown["v"], shown["type"]), (1, "stack"), "version and type")
    lwps = [thread["lwp"] for thread in shown["threads"]]
    equal(lwps, as_made(set(lwps), shown["target"]["pid"]), "order of the threads")
    for thread in shown["threads"]:
        for frame in thread["frames"]:
            for key in ("pc", "cfa"):
                expect(re.fullmatch(r"0x(0|[1-9a-f][0-9a-f]*)", frame[key]), f"{key} {frame[key]}")
            expect(frame["line"] is None or frame["line"] > 0 and frame["file"], f"{frame}")
            expect(not frame["inline"] or frame["function"], f"inlined, without a name: {frame}")
            expect(frame["offset"] >= 0, f"negative offset: {frame}")
    return shown


@cases("omp_nested-gcc-O0", "omp_barrier-clang-O2", "chain-stripped", "sleepers", "odd_names",
       "iouring", "signal_frames-gcc-O2", "fortran_frames-gcc-O0")
def schema(name):
    program = start(name)
    target = {"pid": program.pid, "core": None, "exe": os.path.realpath(program.argv[0])}
    equal(checked(program.pid)["target"], target, "target")
    path = own_core_of(program)
    program.finish()
    equal(checked(path)["target"], {**target, "core": path}, "target")


@case
def inlined_calls():
    program = start("inline_frames-gcc-O2")
    [thread] = checked(program.pid)["threads"]
    expect_calls(thread, "inline_frames.c", (
        ("sleep_here", "stuck"), ("inner", "inner"), ("middle", "middle"), ("outer", "outer"),
        *[("descend", "descend")] * 6, ("main", "main")))
    at = functions(thread).index("inner")
    group = thread["frames"][at:at + 4]
    equal([f["function"] for f in group], ["inner", "middle", "outer", "descend"], "functions")
    equal([f["inline"] for f in group], [True, True, True, False], "whether inlined")
    for key in ("pc", "cfa", "module"):
        equal(len({f[key] for f in group}), 1, f"different {key} in one frame")
    program.finish()


@case
def cxx_names():
    program = start("cxx_frames-gcc-O0")
    names = [n for t in checked(program.pid)["threads"] for n in functions(t) if n]
    for wanted in (r"^sim::grid<double, 3>::relax\(std::vector<int.*>&\)", r"sim::solver&",
                   r"::\{lambda\(int\)#1\}", r"\bapply<"):
        expect(any(re.search(wanted, n) for n in names), f"nothing like {wanted}: {names}")
    expect(not any(n.startswith("_Z") for n in names), f"mangled: {names}")
    program.finish()


@cases("O0", "O2")
def fortran_names(level):
    program = start("fortran_frames-gcc-" + level)
    threads_shown = checked(program.pid)["threads"]
    names = [n for t in threads_shown for n in functions(t) if n]
    expect("heat::step" in names, f"no heat::step: {names}")
    expect(not any("_MOD_" in n for n in names), f"the compiler's names: {names}")
    guilty = next(t for t in threads_shown if "heat::step" in functions(t))
    expect_calls(guilty, "fortran_frames.f90", (("heat::step", "step"),))
    program.finish()


@case
def no_more_frames_than_asked_for():
    program = start("inline_frames-clang-O0")
    whole = checked(program.pid)["threads"][0]
    for most in (1, 2, 5):
        [thread] = checked("--max-frames", most, program.pid)["threads"]
        outer = [f for f in thread["frames"] if not f["inline"]]
        equal(len(outer), most, "number of frames")
        # The CFA of the last one is known only with its caller.
        equal([f["pc"] for f in thread["frames"]],
              [f["pc"] for f in whole["frames"][:len(thread["frames"])]], "pcs")
        expect(str(most) in thread["end"], f"not said that there are more: {thread['end']}")
    program.finish()


# ---------------------------------------------------------------------------- as the text

_LINE = re.compile(r"  #(\d+) +(0x[0-9a-f]+|inlined) +(\S.*?)  +(\S.*)$")


def text_frames(out):
    """{lwp: (name, [(number, pc or "inlined", function, place)], end)} of the text."""
    found = {}
    for line in out.splitlines():
        title = re.fullmatch(r'thread (\d+)(?: "(.*)")?', line)
        frame = _LINE.match(line)
        end = re.match(r"  \((?:stack ends here: )?(.*)\)$", line)
        if title:
            frames, ends = [], []
            found[int(title.group(1))] = (title.group(2) or "", frames, ends)
        elif frame:
            number, pc, function, place = frame.groups()
            frames.append((int(number), pc, function, place))
        elif end:
            ends.append(end.group(1))
    return found


def as_text(number, frame, signal_frame):
    """What the text has for a frame of the JSON."""
    pc = "inlined" if frame["inline"] else f"0x{int(frame['pc'], 16):012x}"
    function = frame["function"] or "??"
    if frame["function"] and frame["offset"] and not frame["inline"]:
        function += f"+0x{frame['offset']:x}"
    if frame["file"]:
        place = "at " + os.path.basename(frame["file"])
        place += f":{frame['line']}" if frame["line"] else ""
    elif frame["module"]:
        place = "in " + os.path.basename(frame["module"])
        place += "" if frame["function"] else f"+0x{frame['offset']:x}"
    else:
        place = "in no file"
    place += "  (guessed)" if frame["guessed"] else ""
    return number, pc, "<signal handler called>" if signal_frame else function, place


@cases("omp_nested-gcc-O0", "cxx_frames-clang-O2", "inline_frames-gcc-O2", "chain-stripped",
       "signal_frames-clang-O0", "zombie_leader", "odd_names", "chain-nounwind", "iouring")
def text_and_json_tell_the_same(name):
    program = start(name)
    text = text_frames(stack_text(program.pid))
    as_json = {thread["lwp"]: thread for thread in checked(program.pid)["threads"]}
    equal(sorted(text), sorted(as_json), "the threads")
    for lwp, thread in as_json.items():
        title, frames, ends = text[lwp]
        equal(title, thread["name"], f"name of {lwp}")
        equal(ends, [thread["end"]] if thread["end"] else [], f"end of {lwp}")
        equal(len(frames), len(thread["frames"]), f"number of frames of {lwp}")
        for number, (frame, line) in enumerate(zip(thread["frames"], frames)):
            in_signal = line[2] == "<signal handler called>"
            equal(line, as_text(number, frame, in_signal), f"frame {number} of {lwp}")
    program.finish()


def stack_text(target):
    result = ompdb("stack", "--raw", target)
    equal((result.status, result.err), (0, ""), "status and stderr")
    return result.out


main()
