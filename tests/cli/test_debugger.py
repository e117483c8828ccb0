# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The debugger's commands, in sessions without a terminal: running, stopping, stepping."""

from debugger import *

# The program sends itself a signal, at which it would stop.
QUIET = "handle SIGUSR1 nostop noprint"
EXITED = r"^\[Inferior 1 \(process \d+\) exited with code 07\]$"


def programs(function):
    """A case for each build of the program."""
    return cases(*(f"session-{build}" for build in BUILDS))(function)


def known(program, value):
    """An argument of a function that has called: at -O2 its register may be used for something else."""
    return value if program.endswith("-O0") else f"({value}|<optimized out>)"


# ---------------------------------------------------------------------------- running


@programs
def run_to_the_end(program):
    said = session(program, QUIET, "run", "info program", "run", "continue")
    said("run").has(r"^Starting program: .*session-", EXITED)
    said("run", 2).has(EXITED)
    said("info program").has("not being run")
    said("continue").has("not being run")


@programs
def start_and_next(program):
    said = session(program, "start", "info breakpoints", "next", "next", "kill", "info program")
    said("start").has(r"^Temporary breakpoint 1 at ", r"^(Thread .* hit )?Temporary breakpoint 1, main \(")
    said("info breakpoints").has("No breakpoints")
    said("kill").has(r"^\[Inferior 1 \(process \d+\) killed\]$")
    said("info program").has("not being run")


@programs
def starti_stops_at_the_first_instruction(program):
    said = session(program, "starti", "info registers rip", "break main", "continue")
    said("starti").has(r"stopped\.", r"^0x[0-9a-f]+ in ")
    said("info registers rip").has(r"^rip +0x[0-9a-f]+")
    said("continue").has(r"Breakpoint 1, main \(")


@case
def arguments_environment_and_folder():
    own = folder()
    said = session("/bin/sh", "set args -c 'echo \"$GREETING $0 $1 ${NOTHERE-none}\"; pwd' 'a b' *.txt",
                   "show args", "set environment GREETING hello", "unset environment NOTHERE",
                   f"set cwd {own}", "run", env={"NOTHERE": "here"})
    open(os.path.join(own, "one.txt"), "w").close()
    said("run").has(r"^hello a b ", "none$", f"^{re.escape(own)}$", r"exited normally")
    said("show args").has("GREETING")


@case
def redirections_and_their_absence():
    own = folder()
    path = os.path.join(own, "out")
    session("/bin/echo", f"run one 'two  three' > {path}")
    with open(path) as f:
        equal(f.read(), "one two  three\n", "what the program printed")
    said = session("/bin/echo", "set startup-with-shell off", "run one > two")
    said("run one > two").has(r"^one > two$")


@case
def child_status():
    result = ompdb("-nx", "--batch", "--return-child-result", "-ex", QUIET, "-ex", "run", testprog("session-gcc-O0"))
    equal(result.status, 7, "status")
    result = ompdb("-nx", "--batch", "-ex", "nonsense", "-ex", "echo never", testprog("session-gcc-O0"))
    equal(result.status, 1, "status")
    expect("never" not in result.out, "a script that goes on after an error")
    result = ompdb("-nx", "-q", "-ex", "run", "--args", "/bin/echo", "-n", "--batch")
    expect("--batch" in result.out, f"options behind --args are the program's: {result}")


@programs
def attach_and_detach(program):
    inferior = start(program, "wait")
    said = session(None, "bt", "break loop", "detach", "info program", options=["-p", str(inferior.pid)])
    said("bt").has(rf"main \(argc={known(program, 2)}.*session\.c")
    said("detach").has("detached")
    said("info program").has("not being run")
    inferior.untouched()
    inferior.finish(7)


@programs
def attach_and_continue(program):
    inferior = start(program, "wait")
    said = session(program, f"attach {inferior.pid}", "info threads", "info inferiors", "detach")
    said("info threads").has(r"^\* 1 ")
    said("info inferiors").has(rf"^\* 1 +process {inferior.pid}")
    inferior.untouched()
    inferior.finish(7)


@programs
def a_session_that_ends_lets_go(program):
    inferior = start(program, "wait")
    session(None, "break twice", "quit", options=["-p", str(inferior.pid)])
    inferior.untouched()
    inferior.finish(7)


# ---------------------------------------------------------------------------- breakpoints


@programs
def break_and_continue(program):
    said = session(program, "break twice", "run", "bt", "continue", "continue", "info breakpoints",
                   "delete 1", "continue")
    said("break twice").has(rf"^Breakpoint 1 at 0x[0-9a-f]+: file .*session\.c, line {line_of('twice')}\.$")
    said("run").has(r"Breakpoint 1, twice \(n=0\) at ").stops_at("twice", "twice")
    said("bt").has(r"^#0 +twice \(n=0\) at ", r"^#1 .* loop \(.*\) at .*session\.c:\d+$",
                   rf"^#2 .* main \(argc={known(program, 1)}, .*\) at ")
    said("continue", 2).has(r"twice \(n=2\)")
    said("info breakpoints").has(
        r"^Num +Type +Disp +Enb +Address +What$",
        rf"^1 +breakpoint +keep +y +0x[0-9a-f]+ in twice at .*:{line_of('twice')}$",
        r"^\tbreakpoint already hit 3 times$")
    said("continue", 3).has("received signal SIGUSR1")


@programs
def tbreak_hbreak_and_rbreak(program):
    need_debug_registers()
    said = session(program, "tbreak twice", "hbreak descend", "run", "info breakpoints", "continue",
                   "continue", "delete", "rbreak ^twi", "continue")
    said("run").has(r"Temporary breakpoint 1, twice \(n=0\)")
    said("info breakpoints").has_not(r"^1 ").has(r"^2 +hw breakpoint +keep +y ")
    said("continue").has(r"Breakpoint 2, descend \(depth=3\)")
    said("continue", 2).has(r"descend \(depth=2\)")
    said("rbreak ^twi").has(r"^Breakpoint 3 at ")
    said("continue", 3).has(r"Breakpoint 3, twice \(n=100\)")


@programs
def conditions_ignore_and_counts(program):
    said = session(program, "break twice if n == 3", "run", "condition 1 n == 100", "continue",
                   "condition 1", "info breakpoints", "condition 1 n ==", "condition 9 n", "run",
                   "ignore 1 3", "continue", "info breakpoints")
    said("run").has(r"twice \(n=3\)")
    said("continue").has(r"twice \(n=100\)")
    said("condition 1").has("unconditional")
    said("info breakpoints").has(r"already hit 2 times").has_not("stop only if")
    said("condition 9 n").has("9")
    said("ignore 1 3").has("ignore next 3 crossings of breakpoint 1")
    said("continue", 2).has(r"twice \(n=4\)")


@programs
def conditions_that_are_decided_here(program):
    said = session(program, "break twice if n * 1.5 == 4.5", "break descend if $count++ == 1",
                   "break descend if depth == 1.0L", "run", "continue", "info breakpoints")
    said("info breakpoints").has(r"stop only if n \* 1\.5 == 4\.5$",
                                 r"stop only if \$count\+\+ == 1 \(host evals\)$",
                                 r"stop only if depth == 1\.0L \(host evals\)$")


@programs
def enable_and_disable(program):
    said = session(program, "break twice", "break descend", "disable 1", "run", "enable once 1",
                   "info breakpoints", "continue 4", "info breakpoints", "clear descend", "continue")
    said("run").has(r"descend \(depth=3\)")
    said("info breakpoints").has(r"^1 +breakpoint +dis +y", r"^2 +breakpoint +keep +y")
    said("info breakpoints", 2).has(r"^1 +breakpoint +dis +n")
    said("clear descend").has(r"Deleted breakpoint 2")


@programs
def commands_of_breakpoints(program):
    said = session(program, "break twice if n >= 2", "commands\nsilent\nprint n\nend", "run",
                   "continue", "info breakpoints", "commands 1\nprint n * 2\ncontinue\nend", "continue")
    said("run").value("2").has_not("Breakpoint 1,")
    said("info breakpoints").has(r"^ +silent$", r"^ +print n$")
    said("continue", 2).value("8").value("200").has("received signal SIGUSR1")


@programs
def saved_breakpoints(program):
    path = os.path.join(folder(), "saved")
    said = session(program, "break twice if n == 4", "tbreak descend", f"save breakpoints {path}",
                   "delete", f"source {path}", "info breakpoints", "run", "continue")
    said("info breakpoints").has(r"breakpoint +keep +y .* in twice ", "stop only if n == 4",
                                 r"breakpoint +del +y .* in descend ")
    said("run").has(r"twice \(n=4\)")
    said("continue").has(r"descend \(depth=3\)")


@programs
def places(program):
    first = line_of("twice")
    said = session(program, "break @twice", "run", "info symbol $pc", "delete", "break *$pc",
                   "info breakpoints", "delete", f"break {line_of('descend')}", "continue", "info line @join")
    said("run").stops_at("twice", "twice")
    said("info symbol $pc").has(r"^twice( \+ \d+)?\b")
    said("info breakpoints").has(rf"0x[0-9a-f]+ in twice at .*:{first}")
    said("continue").stops_at("descend", "descend")
    said("info line @join").has(rf"^Line {line_of('join')} of .*session\.c.* starts at address ")


@case
def places_that_do_not_exist():
    said = session("session-gcc-O0", "break twicee", "break nosuch.c:3", "break session.c:9999",
                   "break 77 thread 9", "tbreak *nonsense", "info breakpoints", QUIET, "run")
    said("break twicee").has("twicee", "twice")
    said("break nosuch.c:3").has(r"nosuch\.c")
    said("break session.c:9999").has("9999")
    said("info breakpoints").has("No breakpoints")
    said("run").has(EXITED)


@programs
def watchpoints(program):
    need_debug_registers()
    said = session(program, "break main", "run", "watch counter", "continue", "continue",
                   "info breakpoints", "delete 2", "rwatch counter", "awatch counter", "continue", "delete",
                   "continue")
    said("watch counter").has(r"^Hardware watchpoint 2: counter$")
    said("continue").has(r"Hardware watchpoint 2: counter", r"^Old value = 0$", r"^New value = 1$", r"twice \(")
    said("continue", 2).has(r"^Old value = 1$", r"^New value = 3$")
    said("info breakpoints").has(r"^2 +hw watchpoint +keep +y +counter$", "already hit 2 times")
    said("continue", 3).has("watchpoint [34]: counter")
    said("continue", 4).has("received signal SIGUSR1")


@programs
def too_many_watchpoints(program):
    need_debug_registers()
    said = session(program, "break main", "run", "watch counter", "watch table[0]", "watch table[1]",
                   "watch table[2]", "watch table[3]", "continue")
    all_said = "".join(said(f"watch table[{i}]").text for i in range(4)) + said("continue").text
    expect(re.search(r"register|too many|resources", all_said, re.I), f"nothing of registers: {all_said}")


@programs
def catchpoints(program):
    said = session(program, "catch signal SIGUSR1", "catch syscall exit_group", "catch fork", "run",
                   "info breakpoints", "continue", "continue")
    said("run").has(r"Catchpoint 1 \(signal SIGUSR1\)")
    said("info breakpoints").has(r'^1 +catchpoint +keep +y +signal "SIGUSR1"', r'^2 +catchpoint +keep +y +syscall "exit_group"')
    said("continue").has(r"Catchpoint 2 \(call to syscall exit_group\)")
    said("continue", 2).has(EXITED)


# ---------------------------------------------------------------------------- stepping


@programs
def finish_tells_the_value(program):
    said = session(program, "break descend if depth == 0", "run", "finish", "finish", "next")
    said("finish").has(r"^Run till exit from #0 +descend \(depth=0\)", r"^Value returned is \$1 = 200$")
    said("finish", 2).has(r"^Value returned is \$2 = 201$")


@programs
def up_down_and_frame(program):
    said = session(program, "break twice if n == 100", "run", "up", "up 2", "down", "frame 5", "frame",
                   "up 9", "down 99", "frame function main", "bt 2", "bt -1", "frame apply all -q bt 1")
    said("up").has(rf"^#1 .* descend \(depth={known(program, 0)}\)")
    said("up 2").has(rf"^#3 .* descend \(depth={known(program, 2)}\)")
    said("down").has(rf"^#2 .* descend \(depth={known(program, 1)}\)")
    said("frame 5").has(r"^#5 .* main \(")
    said("down 99").has(r"^#0 +twice \(n=100\)")
    said("bt 2").has(r"^#1 ", "More stack frames follow").has_not("^#2 ")
    said("bt -1").has(r"^#5 .* main \(")


@programs
def steps_enter_and_leave(program):
    said = session(program, "break @round if i == 2" if "O0" in program else "break twice if n == 2",
                   QUIET, "run", "step", "stepi", "nexti", "info registers rip", "tbreak descend", "continue",
                   "step", "until", "advance on_signal", "bt 1")
    said("continue").has(r"descend \(depth=3\)")
    said("info registers rip").has(r"^rip .*<\w+\+\d+>")
    said("bt 1").has("#0")


@programs
def jump_return_and_registers(program):
    said = session(program, "break twice if n == 3", "run", "set var counter = 5000", "print counter",
                   "print $rip", "set $rax = 9", "print $eax", "return", "bt 1", "continue")
    said("print counter").value("5000")
    said("print $eax").value("9")
    said("return").has(r"^#0 .* loop \(")
    said("continue").has("received signal SIGUSR1")


# ---------------------------------------------------------------------------- signals


@programs
def handle_and_signal(program):
    said = session(program, "handle SIGUSR1 nostop print", "info signals SIGUSR1", "break on_signal",
                   "run", "bt", "handle SIGUSR1 stop nopass", "run", "signal 0")
    said("handle SIGUSR1 nostop print").has(r"^SIGUSR1 +No\tYes\tYes\t")
    said("info signals SIGUSR1").has(r"^SIGUSR1 +No\tYes\tYes\t")
    said("run").has(r"received signal SIGUSR1", rf"Breakpoint 1, on_signal \(number={int(signal.SIGUSR1)}\)")
    said("bt").has("<signal handler called>", r"main \(")
    said("run", 2).has("received signal SIGUSR1").has_not("on_signal")
    said("signal 0").has(r"exited with code 01")


@programs
def queue_signal(program):
    said = session(program, "break @raise", "run", QUIET, "break on_signal",
                   "queue-signal SIGUSR1", "continue", "continue", "continue")
    said("continue").has(r"Breakpoint 2, on_signal \(number=10\)")
    said("continue", 2).has(r"Breakpoint 2, on_signal \(number=10\)")
    said("continue", 3).has("exited with code 01")


# ---------------------------------------------------------------------------- threads


@programs
def threads_are_numbered(program):
    said = session(program, QUIET, "break @work", "run", "info threads", "thread", "thread 1", "bt -1",
                   "thread apply all bt 1", "thread apply 1 print 5", "thread name first", "thread find first",
                   "thread 9")
    said("info threads").has(r"^ *Id +(OpenMP +)?Target Id", r"^  1 ", r"^\* 2 ")
    said("thread 1").has(r"Switching to thread 1")
    # Behind the system call that makes a thread, libc has no unwind tables.
    said("bt -1").has(r"main \(|clone3 \(")
    said("thread apply all bt 1").has(r"^Thread 2 ", r"^Thread 1 ")
    said("thread apply 1 print 5").has(r"^\$\d+ = 5$")
    said("thread find first").has("Thread 1")
    said("thread 9").has("9")


@programs
def a_breakpoint_for_one_thread(program):
    said = session(program, "break main", "run", "break twice thread 1", "delete 1", "ignore 2 5", "continue",
                   "info breakpoints", "continue")
    said("info breakpoints").has("stop only in thread 1", "already hit 6 times")
    said("continue").has(r"twice \(n=100\)")
    said("continue", 2).has("received signal SIGUSR1")


# ---------------------------------------------------------------------------- data and source


@programs
def values(program):
    said = session(program, "break twice if n == 3", "run", "print n", "print/x n + 0x10", "print counter",
                   "print table[2]", "print *table@2", "output counter", 'printf "%d %s\\n", counter, text',
                   "print $nosuch", "print nosuch", "print &counter", "x/4dh &table", "x/s text", "print 1 +")
    said("print n").value("3")
    said("print/x n + 0x10").value("0x13")
    said("print counter").value("3")
    said("print table[2]").value("3")
    said("output counter").has("^3")
    said('printf "%d %s\\n", counter, text').has("^3 walk$")
    said("print nosuch").has("nosuch")
    said("x/4dh &table").has(r"<table>:\t1\t2\t3\t4$")
    said("x/s text").has(r':\t"walk"$')


@programs
def displays(program):
    said = session(program, "break twice", "run", "display n", "display/x counter", "continue",
                   "info display", "undisplay 1", "continue", "delete display", "continue")
    said("display n").has("^1: n = 0$")
    said("continue").has("^1: n = 1$", "^2: /x counter = 0x0$")
    said("info display").has(r"^1: +y +n$", r"^2: +y +/x counter$")
    said("continue", 2).has("^2: /x counter = 0x1$").has_not("^1: ")
    said("continue", 3).has_not("^[12]: ")


@programs
def lists(program):
    here = line_of("twice")
    said = session(program, f"list {here}", "list", "list -", "list descend", f"list {here},{here + 1}",
                   "list nosuch", "info source", "break twice", "run", "info source", "list")
    said(f"list {here}").has(rf"^{here}\t\tcounter \+= n;")
    equal(len([l for l in said(f"list {here}").text.splitlines() if l]), 10, "lines")
    equal(len([l for l in said(f"list {here},{here + 1}").text.splitlines() if l]), 2, "lines")
    said("list nosuch").has("nosuch")
    said("info source", 2).has(r"session\.c")


@programs
def disassembly(program):
    said = session(program, "disassemble twice", "disassemble /r twice", "break twice", "run",
                   "disassemble", "x/3i $pc", "disassemble /s")
    said("disassemble twice").has("^Dump of assembler code for function twice:$", r"^ +0x[0-9a-f]+ <\+0>:",
                                  "^End of assembler dump.$")
    said("disassemble").has(r"^=> 0x[0-9a-f]+ <\+\d+>:")
    said("x/3i $pc").has(r"^=> 0x[0-9a-f]+ <twice(\+\d+)?>:")
    said("disassemble /s").has(rf"^{line_of('twice')}\t")


@programs
def infos(program):
    said = session(program, "info functions ^twice$", "info line twice", "info address twice", "break twice",
                   "run", "info frame", "info sharedlibrary", "info registers", "info all-registers",
                   "info proc", "info signals", "info sources session", "info symbol twice", "info args",
                   "info nosuch", "info")
    said("info functions ^twice$").has(r"twice")
    said("info frame").has("rip", "twice")
    said("info sharedlibrary").has(r"libc\.so")
    said("info registers").has(r"^rax +0x", r"^rip +0x", r"^eflags +0x")
    said("info proc").has(r"^process \d+$", r"^exe = ")
    said("info sources session").has(r"session\.c")
    said("info nosuch").has("nosuch")


# ---------------------------------------------------------------------------- OpenMP, files, support


@cases("gcc", "clang")
def openmp_words(build):
    inferior = start(f"omp_nested-{build}-O0")
    said = session(None, "why", "omp why", "omp", "bt", "bt -raw", "stack", "omp barrier", options=["-p", str(inferior.pid)])
    # Who waits in a team within has not come to a barrier of the one around it.
    said("omp barrier").has(r"^parallel region 0, team of 2: nobody is at a barrier$",
                            r"^parallel region [12], team of 2: 1 has arrived at a barrier$")
    # Frames have the numbers of the machine's stack, of which the runtime's are not shown.
    raw = dict(re.findall(r"^#(\d+) +(?:0x\w+ in )?(\S+) \(", said("bt -raw").text, re.M))
    own = re.findall(r"^#(\d+) +(?:0x\w+ in )?(\S+) \(", said("bt").text, re.M)
    expect(own, "no frame has a number")
    for number, function in own:
        expect(raw.get(number, function) in (function, f"{function}._omp_fn.0") or "outlined" in raw[number] or
               "_omp_fn" in raw[number], f"frame {number} is {function}, and {raw.get(number)}")
    expect(said("bt -raw").text != said("bt").text, "the stitched stack is the raw one")
    expect(said("omp").text.strip() and said("why").text.strip(), "nothing about OpenMP")
    inferior.finish()


@case
def cores():
    inferior = start("session-gcc-O0", "wait")
    core = own_core_of(inferior)
    inferior.finish(7)
    said = session("session-gcc-O0", "bt", "print counter", "info threads", "continue", "step", "break twice",
                   "info proc", options=["-c", core])
    said("bt").has(r"main \(argc=2")
    said("print counter").value("0")
    said("continue").has("core|not being run")


@programs
def core_files_are_made(program):
    path = os.path.join(folder(), "made.core")
    said = session(program, "break twice if n == 4", "run", f"generate-core-file {path}")
    said(f"generate-core-file {path}").has("Saved corefile")
    after = session(program, "bt", "print counter", options=["-c", path])
    after("bt").has(r"^#0 .*twice \(n=4\)", r"main \(")
    after("print counter").value("6")


@case
def scripts_definitions_and_loops():
    path = os.path.join(folder(), "script")
    with open(path, "w") as f:
        f.write("define greet\n  echo hello $arg0\\n\nend\ndocument greet\nSays hello.\nend\n"
                "set $i = 0\nwhile $i < 3\n  echo round\\n\n  set $i = $i + 1\nend\n"
                "if $i == 3\n  greet you\nelse\n  greet nobody\nend\n")
    said = session("session-gcc-O0", f"source {path}", "help greet", "shell echo from the shell",
                   "!echo again", "pipe help | wc -l", "show confirm", "help", "help break", "apropos watch",
                   "nonsense", "in", "source /nosuch/file")
    said(f"source {path}").has("hello you")
    equal(said(f"source {path}").text.count("round"), 3, "rounds")
    said("help greet").has("Says hello.")
    said("shell echo from the shell").has("^from the shell$")
    said("!echo again").has("^again$")
    said("pipe help | wc -l").has(r"^ *\d+$")
    said("show confirm").has("off")
    said("help break").has("^break")
    said("apropos watch").has("^watch")
    said("nonsense").has("nonsense")
    said("source /nosuch/file").has("/nosuch/file")


@case
def what_is_said_can_be_logged():
    path = os.path.join(folder(), "log")
    session("session-gcc-O0", f"set logging file {path}", "set logging enabled on", "echo logged\\n",
            "set logging enabled off", "echo not logged\\n")
    with open(path) as f:
        equal(f.read().count("logged"), 1, "lines in the log")


@cases("run nothing", "attach 1 2", "attach 999999999", "core-file /dev/null", "file /nosuch", "thread x",
       "frame 99", "delete x", "x/9999999999 0", "print *(int *)0", "x/4x 0", "list 99999", "handle SIGNONE stop",
       "set $nosuchregister = ", "jump nosuch", "until nosuch", "catch nonsense", "watch nosuch", "condition",
       "ignore 1", "commands 9", "signal SIGNONE", "thread apply x bt", "frame apply x", "display nosuch(",
       "info line nosuch", "disassemble nosuch", "find nonsense", "set follow-fork-mode sideways", "tbreak nosuch.c:1")
def one_sentence_and_the_session_goes_on(command):
    said = session("session-gcc-O0", "break twice", "run" if "run" not in command else "echo\n", command, "print 5")
    expect(len([line for line in said(command).text.splitlines() if line]) <= 3 or "run" in command,
           f"more than a sentence: {said(command).text}")
    said("print 5").has(r"^\$\d+ = 5$")


# ---------------------------------------------------------------------------- completion


@cases(("print n", "n"), ("display 2 * n", "n"), ("watch n", "n"), ("print $ri", "$rip"),
       ("print $mi", "$mine"), ("break session.c:twi", "twice"), ("info loc", "locals"), ("info reg", "registers"),
       ("set print pre", "pretty"), ("show print pre", "pretty"), ("set breakpoint pending a", "auto"),
       ("set print pretty of", "off"))
def words_that_may_follow(line, wanted):
    said = session("session-gcc-O0", "break twice", "run", "set var $mine = 1", f"complete {line}")
    lines = said(f"complete {line}").text.split("\n")
    begins = line[:max(line.rfind(" "), line.rfind(":")) + 1]
    expect(begins + wanted in lines, f"{begins + wanted!r} is not in {lines}")


@case
def a_file_is_followed_by_functions_alone():
    said = session("session-gcc-O0", "complete break session.c:")
    said("complete break session.c:").has(r"^break session\.c:descend$").has_not(r"session\.c:session\.c|:thread$")


# ---------------------------------------------------------------------------- variables of a frame


@programs
def variables_of_a_frame(program):
    said = session(program, "info locals", "break twice", "run", "info args", "info locals", "up", "info args")
    said("info locals").has("^No frame selected")
    said("info args").has("^n = 0$")
    said("info locals", 2).has(r"^No locals\.$")
    said("info args", 2).has("^rounds = (5|<optimized out>)$")


@cases(("&table, +sizeof(table), (short)3", r"^0x[0-9a-f]+ <table\+4>$", "1 pattern found"),
       ("/h &table, +8, 2, 3", r"^0x[0-9a-f]+ <table\+2>$", "1 pattern found"),
       ('text, +5, "alk"', "^0x[0-9a-f]+", "1 pattern found"), ('text, +3, "walk"', "Pattern not found", "not found"),
       ("/b/2 &table, +8, 0", r"<table\+1>\n0x[0-9a-f]+ <table\+3>\n2 patterns", "2 patterns"),
       ("&table, +sizeof(table), 70000", "Pattern not found", "not found"),
       ("0, +8, 1", "The search ends at 0x0: ", "0x0"), ("&table", "usage: find START", "LENGTH"),
       ("&table, +8", "What is to be looked for", "bytes"))
def memory_is_searched(what, *wanted):
    said = session("session-gcc-O0", "break twice", "run", f"find {what}")
    said(f"find {what}").has(*wanted)


@case
def registers_that_a_library_need_not_keep():
    """Compilers keep values there over calls of functions that they see, and over no others."""
    said = session("kept_registers-gcc-O0", "break own", "run", "up", "print fleeting", "break puts",
                   "continue", "frame 1", "print fleeting", "kill")
    said("print fleeting").value("42")
    said("print fleeting", 2).value("<not saved>")


main()
