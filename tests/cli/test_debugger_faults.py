# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input that makes no sense, files that are none, processes that end at the wrong moment: one
sentence, nothing changed, and the session goes on."""

import random
import resource
import stat

from damage import Elf
from debugger import *


@case
def nothing_but_files_is_written_to():
    pipe = os.path.join(folder(), "pipe")
    os.mkfifo(pipe)
    said = session("session-gcc-O0", "break twice", "run", f"generate-core-file {pipe}",
                   f"save breakpoints {pipe}", f"set logging file {pipe}", "set logging enabled on",
                   "print 1")
    said(f"generate-core-file {pipe}").has(r"^Cannot write a core file: \S+ is a pipe, not a file\.$")
    for command in f"save breakpoints {pipe}", "set logging enabled on":
        said(command).has(r"pipe: No such device or address\.$")
    said("print 1").value("1")
    expect(stat.S_ISFIFO(os.stat(pipe).st_mode), "the pipe was replaced")


@case
def what_printf_prints_is_bounded():
    said = session(None, 'printf "%99999d", 1', 'printf "%.99999d", 1', 'printf "%9999.9d", 1')
    said('printf "%99999d", 1').has("too wide")
    said('printf "%.99999d", 1').has("too wide")
    said('printf "%9999.9d", 1').has("^ +000000001")


@case
def files_that_are_no_cores():
    own = os.path.realpath(folder())
    os.mkdir(os.path.join(own, "dir"))
    said = session(None, "core-file dir", "core-file /bin/sh", "%x", cwd=own)
    said("core-file dir").has(r"^\./dir is a directory, not a file\.$")
    said("core-file /bin/sh").has("^/bin/sh is an executable or a shared library, not a core file")
    said("%x").has(r'^Undefined command: "%x": try "help"\.?$')


@cases("clear main", "clear 3", "break main", "tbreak *0", "until main", "jump 3", "list main", "info line main",
       "info scope main", "skip file", "finish", "up", "watch x", "catch throw", "rbreak x")
def there_is_no_program(command):
    said = session(None, command, "print 1")
    expect("\n" not in said(command).text.strip(), f"one sentence: {said(command).text}")
    said("print 1").value("1")


@cases(*BUILDS)
def who_has_been_set_elsewhere_is_there(build):
    """A stack is unwound anew after writes to registers and memory."""
    said = session(f"session-{build}", "break twice", "run", "bt", "set $pc = main", "print $pc", "bt", "info registers rip",
                   "set *(long *)$sp = 0", "bt", "finish", "print $pc")
    said("print $pc").has(r"= .*0x[0-9a-f]+ <main>$")
    said("info registers rip").has(r"<main>$")
    said("bt", 2).has(r"^#0  main \(").has_not("twice|loop")
    said("print $pc", 2).has("<main>$")


FIRST = "int f(int x)\n{\n\treturn x + 1;\n}\nint main(void)\n{\n\treturn f(1);\n}\n"
SECOND = "int extra(int y)\n{\n\treturn y * 3;\n}\n" + FIRST.replace("x + 1", "extra(x) + 1")


def built(parent, name, text):
    """The path of a program; its source is beside it."""
    path = os.path.join(parent, name)
    with open(path + ".c", "w") as f:
        f.write(text)
    subprocess.run([need("gcc"), "-g", "-O0", path + ".c", "-o", path + ".new"], check=True)
    os.replace(path + ".new", path)
    return path


@case
def a_program_is_built_again_between_two_runs():
    own = folder()
    program = built(own, "program", FIRST)
    saved = {suffix: open(program + suffix, "rb").read() for suffix in ("", ".c")}
    built(own, "program", SECOND)
    for suffix in "", ".c":
        os.rename(program + suffix, program + suffix + ".second")
        with open(program + suffix, "wb") as f:
            f.write(saved[suffix])
    os.chmod(program, 0o755)
    swap = f"shell mv {program}.second {program}; mv {program}.c.second {program}.c"
    said = session(program, "break f", "run", "kill", swap, "run", "bt", "kill", "info breakpoints", "break extra",
                   "run", "continue", "run")
    said("run").has(r"^Breakpoint 1, f \(x=1\) at program\.c:3\n3\t\treturn x \+ 1;").has_not("has changed")
    said("run", 2).has("^`/.*/program' has changed; re-reading symbols\\.\nStarting program", r"^Breakpoint 1, f \(x=1\) at program\.c:7\n7\t")
    said("info breakpoints").has(r" in f at program\.c:7$")
    said("break extra").has("^Breakpoint 2 at 0x[0-9a-f]+: file program.c, line 3")
    said("run", 3).has_not("has changed").has("^Breakpoint 1, f ")
    said("continue").has("^Breakpoint 2, extra ")


@case
def another_file_has_the_breakpoints_elsewhere():
    own = folder()
    first, second = built(own, "first", FIRST), built(own, "second", SECOND)
    said = session(first, "break f", "info breakpoints", f"file {second}", "info breakpoints", "file /nosuch", "info breakpoints")
    said("info breakpoints").has(r" in f at first\.c:3$")
    said("info breakpoints", 2).has(r" in f at second\.c:7$")
    said("info breakpoints", 3).has(r" in f at second\.c:7$")


@case
def nobody_waits_for_a_frozen_thread_when_the_others_have_ended():
    said = session("session-gcc-O0", "handle SIGUSR1 nostop noprint pass", "break @join", "run", "next",
                   "info threads", "freeze 1", "continue", "signal SIGUSR2", "jump @first", "thaw 1", "continue")
    said("run").has(r"\[New Thread ")
    said("info threads").has("^. 1 ").has_not("^. 2 ")
    for command in "continue", "signal SIGUSR2", "jump @first":
        said(command).has("All threads are frozen")
    said("continue", 2).has("exited with code 07")


@case
def there_are_few_descriptors():
    """It runs, or one sentence says that it cannot; nobody waits for a tracer that has no socket."""
    program = testprog("session-gcc-O0")
    options = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"    # to look for leaks takes descriptors
    for limit in range(4, 24):
        def set_limit(limit=limit):
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        result = ompdb("-nx", "-q", "--color=never", program, "-ex", "set confirm off", "-ex", "break twice", "-ex", "run", "-ex", "bt",
                       "-ex", "kill", "-ex", "quit 5", stderr=subprocess.STDOUT, preexec_fn=set_limit,
                       env={"ASAN_OPTIONS": options})
        if result.status == 5:
            expect("#0  twice " in result.out or "Too many open files" in result.out, str(result))
        else:
            expect("Too many open files" in result.out and result.status == 1, str(result))
    expect("#0  twice " in result.out, str(result))


@case
def what_was_watched_in_the_run_before_has_no_type_any_more():
    need_debug_registers()
    said = session("session-gcc-O0", "break twice", "run", "watch -location n", "run", "continue", "info watchpoints",
                   "file " + testprog("session-gcc-O2"), "kill", "run", "print 1")
    said("info watchpoints").has(" -location n$")
    said("print 1").value("1")


KILL_TRACER = ("shell for p in $(cat /proc/$PPID/task/$PPID/children); do "
               "grep -q openmp-tracer /proc/$p/comm && kill -9 $p; done")


@cases("next", "bt -raw", "continue", "run", "kill", "break late", "print $rip", "info threads")
def the_tracer_is_killed(command):
    """Who comes next is told, and the session is as it was before the program ran."""
    said = session("session-gcc-O0", "break twice", "run", KILL_TRACER, command, "next", "run",
                   "bt 1", "kill")
    if command == "run":
        said("run", 2).has("^warning: process [0-9]+ is not traced any longer|process that traced .* has ended")
        said("run", 2).has("hit Breakpoint 1, |^Breakpoint 1, ")
        return
    said("next", 2 if command == "next" else 1).has(r"not being run|process that traced .* has ended")
    said("run", 2).has(r"^(Thread .* hit )?Breakpoint 1, twice \(")
    said("bt 1").has("^#0  twice ")
    said("kill", 2 if command == "kill" else 1).has("killed")


@cases(".debug_line", ".debug_info", ".debug_")
def debug_information_is_damaged(sections):
    """It stops where it did, says something of its places, and ends as it does."""
    path = os.path.join(folder(), "program")
    commands = ("run", "bt", "info locals", "info args", "list", "info line",
                "info source", "info symbol $pc", "break 20", "break session.c:30", "next", "step",
                "finish", "info functions ^t", "delete", "continue")
    whole = session("session-gcc-O0", "break twice", "info breakpoints")("info breakpoints").text
    address = "break *" + re.search("0x[0-9a-f]+", whole)[0]
    for number in range(repeated(16)):
        elf = Elf(testprog("session-gcc-O0"))
        elf.damage(random.Random(f"{sections} {number}"), sections)
        elf.write(path)
        said = session(path, address, *commands)
        expect(said.result.status == 0, f"number {number}: {said.result}")
        said("continue").has("exited|SIG")


HOSTILE = {
    "unmap": "exited with code 07",     # its code, with a breakpoint in it
    "replace": "exited with code 07",   # the same, by code without one
    "protect": "Breakpoint 2, ",
    "jump": "exited with code 07",      # a signal's handler changes pc
    "traps": "exited with code 07",     # int3 and SIGTRAP of its own
    "loader": "exited with code 07",    # the list of libraries is a circle, names are escapes
    "list": "exited with code 07",      # ... is long and names what is none
    "name": "exited with code 07",
    "stack": "exited with code 07",
}


@cases(*HOSTILE)
def a_hostile_program(how):
    said = session("hostile", f"set args {how}", "handle SIGUSR1 SIGTRAP nostop noprint pass", "break stop", "break victim", "run", "bt", "continue",
                   "bt", "info sharedlibrary", "info threads", "next", "delete 1", "continue",
                   "info threads")
    text = said.result.out
    said("run").has("Breakpoint 1, stop ")
    said("continue", 2).has(HOSTILE[how])
    expect(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text), f"raw bytes: {text!r}")
    expect(len(text) < 10000, f"a flood: {text[:2000]}")


main()
