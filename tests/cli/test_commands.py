# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands at the prompt, in all builds: those that test_debugger.py and the others do not call;
that no command is without a test; and what --json makes of their answers."""

import glob
import json

from debugger import *

QUIET = "handle SIGUSR1 nostop noprint"

programs = cases(*[f"session-{build}" for build in BUILDS])
HERE = os.path.dirname(os.path.abspath(__file__))


def names():
    said = ompdb("-nx", "-q", "--batch", "-ex", "help all").out
    return [found[1] for found in re.finditer(r"^([a-z][a-z! -]*?)(?:, .*)? -- ", said, re.M)]


@case
def each_command_is_called_by_a_test():
    texts = [open(path).read() for path in glob.glob(f"{HERE}/*.py") + glob.glob(f"{HERE}/../gdb/scripts/*")]
    everything = "\n".join(texts)
    expect(len(names()) > 100, "help all lists no commands")
    lacking = [name for name in names() if not re.search(rf"(^|[\"'\n>])\s*{re.escape(name)}\b", everything)]
    equal(lacking, [], "commands that no test calls")


@programs
def breakpoints_in_other_words(program):
    need_debug_registers()
    said = session(program, "thbreak twice", "break descend", "info watchpoints", "run", "delete breakpoints 2",
                   "info breakpoints", "skip function twice", "info skip", "skip delete 1", "info skip")
    said("thbreak twice").has(r"^Temporary hardware assisted breakpoint 1 at .*|^Temporary h.* 1 at ")
    said("run").has(r"^Temporary breakpoint 1, .*twice \(")
    said("info breakpoints").has("^No breakpoints")
    said("info skip").has("twice")
    said("info skip", 2).has("^Not skipping")


@programs
def frames_by_what_they_are(program):
    said = session(program, "break twice if n == 100", "run", "backtrace", "frame function main", "down-silently",
                   "frame", "frame level 0", "up-silently 1", "select-frame 0", "frame", "frame function nosuch",
                   "frame function loop", "frame 99", "info stack 1", "p $sp", "frame address 1")
    said("backtrace").has(r"^#0 .*twice \(n=(n@entry=)?100\)", r"main \(")
    outermost = re.findall(r"^#(\d+)", said("backtrace").text, re.M)[-1]
    said("frame function main").has(rf"^#{outermost} .*main \(")
    said("frame").has(rf"^#{int(outermost) - 1} ")
    said("frame level 0").has(r"^#0 ")
    said("frame", 2).has(r"^#0 ")
    said("frame function nosuch").has('Function "nosuch" not defined')
    said("frame 99").has("No frame at level 99")
    said("info stack 1").has("^#0 ", "More stack frames follow")
    said("frame address 1").has("No frame at address 1")


@programs
def a_command_for_several(program):
    said = session(program, QUIET, "break twice if n == 1000", "run", "faas print n", "taas print n", "tfaas print n",
                   "frame apply 1 -q print n", "frame apply all -s print nosuch", "frame apply level 0 print n",
                   "frame apply 1 -c print nosuch", "frame apply -1 print 5", "thread apply all -q print 5",
                   "thread apply all -c print nosuch", "thread apply 2 -s print nosuch", "thread apply 7 print 5",
                   "thread apply 1", "thread apply all print nosuch", "thread apply all -x print 5", "thread 1.2",
                   "info threads 2", "thread 9.1")
    said("faas print n").has(r"^#0 .*twice \(n=(n@entry=)?1000\)", r"= 1000$").has_not("No symbol")
    said("taas print n").has(r"^Thread 2 ", r"= 1000$").has_not("^Thread 1 ")
    said("tfaas print n").has(r"^Thread 2 ", r"^#0 ", r"= 1000$").has_not("^Thread 1 ")
    said("frame apply 1 -q print n").has(r"= 1000$").has_not("^#0")
    equal(said("frame apply all -s print nosuch").text.strip(), "", "what is said of nobody")
    said("frame apply level 0 print n").has("^#0 ", "= 1000$").has_not("^#1")
    said("frame apply 1 -c print nosuch").has("^#0 ", "^No symbol")
    said("frame apply -1 print 5").has(r"^#[1-9]\d* ", "= 5$").has_not("^#0 ")
    said("thread apply all -q print 5").has(r"\$\d+ = 5\n\$\d+ = 5$").has_not("^Thread")
    said("thread apply all -c print nosuch").has("^Thread 2 ", "^No symbol", "^Thread 1 ")
    equal(said("thread apply 2 -s print nosuch").text.strip(), "", "what is said of nobody")
    said("thread apply 7 print 5").has("Unknown thread 7").has_not("= 5")
    said("thread apply 1").has("Please specify a command")
    said("thread apply all print nosuch").has("^Thread 2 ", "^No symbol").has_not("^Thread 1 ")
    said("thread apply all -x print 5").has("-x")
    said("thread 1.2").has("Switching to thread 2")
    said("info threads 2").has(r"^\* 2 ").has_not("^  1 ")
    said("thread 9.1").has("9")


@programs
def frozen_threads_stay(program):
    """The main thread waits for the other one: as long as that is frozen, nobody gets on."""
    said = session(program, QUIET, "break work", "run", "freeze 1", "info threads", "thaw 1", "info threads", "freeze",
                   "thaw all", "freeze 77", "continue")
    said("info threads").has(r"^  1 .*\(frozen\)").has_not(r"^\* 2 .*\(frozen\)")
    said("info threads", 2).has_not("frozen")
    said("freeze 77").has("Unknown thread 77")
    said("continue").has("exited with code 07")
    said = session(program, QUIET, "break work", "run", "freeze", "next", "freeze all", "continue", "thaw all", "kill")
    said("next").has("Thread 2 is frozen: 'thaw 2' lets it go on")
    said("continue").has("All threads are frozen: 'thaw all' lets them go on")


@programs
def a_frame_is_left_with_a_value(program):
    said = session(program, "break twice", "run", "return 40+2", "next", "next", "return nosuch", "info breakpoints",
                   "delete", "p sum", "tty /dev/null", "show inferior-tty")
    said("return 40+2").has(r"^#0 .*(loop|main) \(")
    said("return nosuch").has('No symbol "nosuch"')
    if "O0" in program:
        said("p sum").value("42")
    said("show inferior-tty").has("/dev/null")


@programs
def settings_for_one_command(program):
    said = session(program, "with listsize 3 -- list main", "show listsize", "with listsize 3 -- nosuch", "show listsize",
                   "with nosuch 3 -- print 1", "with listsize 3", "with directories /tmp -- print 1")
    equal(len(said("with listsize 3 -- list main").text.strip().splitlines()), 3, "lines")
    said("show listsize").has(" 10")
    said("with listsize 3 -- nosuch").has("Undefined command")
    said("show listsize", 2).has(" 10")
    said("with nosuch 3 -- print 1").has("nosuch").has_not("= 1$")
    said("with listsize 3").has("command")
    said("with directories /tmp -- print 1").has_not("= 1$")


@programs
def text_is_searched(program):
    said = session(program, "list 1,2", "forward-search KEEP_FRAME", "search int descend", "reverse-search int twice",
                   "forward-search nosuchthing", "forward-search [")
    said("forward-search KEEP_FRAME").has(r"^\d+\tNOINLINE|^\d+\t\tKEEP_FRAME")
    said("search int descend").has("descend")
    said("reverse-search int twice").has("twice")
    said("forward-search nosuchthing").has("Expression not found")
    said("forward-search [").has("regular expression")


@cases("values-gcc-O0", "values-clang-O2")
def whose_storage_a_variable_is_in(program):
    said = session(program, "break work", "run", "info address counter", "info address mine",
                   "info variables ^mine$", "kill")
    said("info variables ^mine$").has(r"^thread-local        int mine;$")
    said("info address counter").has(r'^Symbol "counter" is static storage at address 0x\w+\.$')
    said("info address mine").has(r'^Symbol "mine" is thread-local storage of this thread at address 0x\w+\.$')


@programs
def what_symbols_there_are(program):
    said = session(program, "info variables ^counter$", "info variables -q -n counter", "info scope twice",
                   "info types ^int$", "info address counter", "info address nosuch",
                   "info scope nosuch", "info functions -n ^twice$", "info line twice", "info line session.c:9999",
                   "info source", "break twicee", "break sesion.c:3", "list nosuch", "info symbol twice + 1", "info files")
    said("info variables ^counter$").has(r"0x[0-9a-f]+  int counter;$")
    said("info variables -q -n counter").has_not("^All")
    said("info types ^int$").has(r"^\tint$")
    said("info address counter").has(r'^Symbol "counter" is static storage at address 0x\w+\.$')
    said("info address nosuch").has('No symbol "nosuch" in current context')
    said("info scope twice").has(r"^Symbol n is an argument of type int, length 4\.$")
    said("info scope nosuch").has("not defined")
    said("info functions -n ^twice$").has(r"twice$").has_not("Non-debugging")
    said("info line twice").has(r'^Line \d+ of "session\.c" starts at address 0x\w+ <twice.*> and ends at 0x\w+ <')
    said("info line session.c:9999").has("9999")
    said("break twicee").has('Function "twicee" not defined: did you mean twice')
    said("break sesion.c:3").has("No source file named sesion.c: did you mean session.c")
    said("info symbol twice + 1").has(r"^twice \+ 1 ")
    said("info files").has("Symbols from")


@programs
def values_are_kept(program):
    said = session(program, "break twice", "run", "set variable counter = 50", "print counter", "print $", "show values",
                   "set $mine = 4", "show convenience", "ptype table", "display counter", "disable display 1",
                   "info display", "enable display 1", "info display", "undisplay 1", "info display")
    said("print counter").value("50")
    said("show values").has(r"^\$1 = 50$")
    said("show convenience").has(r"^\$mine = 4$")
    said("ptype table").has(r"^type = short \[4\]$")
    said("info display").has(r"^1: +n ")
    said("info display", 2).has(r"^1: +y ")
    said("info display", 3).has("There are no")


@case
def other_names_of_commands():
    said = session(None, f"exec-file {testprog('session-gcc-O0')}", "break twice", "run", "omp icvs", "kill")
    said("run").stops_at("twice", "twice")
    said = session(None, "symbol-file /nosuch", "set substitute-path /a /b", "show substitute-path", "unset substitute-path",
                   "show substitute-path", "add-symbol-file /nosuch 0", "clear main", "until main", "print {1, 2}")
    said("clear main").has("^No symbol table is loaded")
    said("print {1, 2}").has("^No symbol table is loaded")
    said("symbol-file /nosuch").has("not supported")
    said("show substitute-path").has("/a")
    said("show substitute-path", 2).has_not("/a")
    said("add-symbol-file /nosuch 0").has("not supported")
    inferior = start("omp_nested-gcc-O0")
    said = session(None, "omp icvs", options=["-p", str(inferior.pid)])
    said("omp icvs").has("nthreads|dyn")
    inferior.finish()


# ------------------------------------------------------------------------------------- inferiors


def two_inferiors(*commands):
    return session("forkers", *SECOND_THREAD_FORKS, *commands)


@case
def both_processes_of_a_fork_are_kept():
    said = two_inferiors("info inferiors", "inferior 2", "info inferiors", "thread 1.1", "inferior", "detach inferiors 2",
                         "kill inferiors 1", "info inferiors", "inferior 9")
    said("info inferiors").has(r"^\* 1 +process \d+", r"^  2 +process \d+")
    said("inferior 2").has(r"Switching to inferior 2 \[process \d+\]")
    said("info inferiors", 2).has(r"^  1 +process \d+", r"^\* 2 +process \d+")
    said("thread 1.1").has("Switching to inferior 1", "Switching to thread 1")
    said("inferior").has(r"Current inferior is 1 ")
    said("detach inferiors 2").has(r"Inferior 2 \(process \d+\) detached")
    said("kill inferiors 1").has(r"Inferior 1 \(process \d+\) killed")
    said("inferior 9").has("9")


@case
def threads_of_all_inferiors_are_listed():
    said = two_inferiors("info threads", "thread 2.1", "info threads", "info threads 1.*", "info threads -g", "thread find LWP",
                         "thread 2.9", "thread", "thread 3.1", "inferior 1", "freeze 2.1", "info threads 2.1", "kill inferiors 2",
                         "info threads")
    said("info threads").has(r"^  1\.1 +LWP", r"^\* 1\.2 +LWP", r"^  2\.1 +LWP").has_not(r"^\* [^1]")
    said("thread 2.1").has(r"Switching to inferior 2 \[", r"Switching to thread 2\.1 \(LWP \d+\)", "^#0 ")
    said("info threads", 2).has(r"^  1\.2 +LWP", r"^\* 2\.1 +LWP").has_not(r"^\* 1")
    said("info threads 1.*").has(r"^  1\.1 ", r"^  1\.2 ").has_not(r"^. 2\.")
    said("info threads -g").has(r"^\* 2\.1 +LWP")
    said("thread find LWP").has(r"^Thread 1\.1 has name", r"^Thread 2\.1 has name")
    said("thread 2.9").has(r"^Unknown thread 2\.9")
    said("thread").has(r"Current thread is 2\.1 ")
    said("thread 3.1").has("3")
    said("inferior 1").has(r"Switching to inferior 1 ", r"Switching to thread 1\.2 ")
    said("info threads 2.1").has(r"^  2\.1 .*\(frozen\)").has_not(r"^. 1\.")
    said("info threads", 3).has(r"^  1 +LWP", r"^\* 2 +LWP").has_not(r"\d\.\d +LWP")


@case
def threads_keep_their_numbers_when_an_inferior_is_gone():
    said = two_inferiors("kill inferiors 1", "info threads", "thread 2.1", "info threads", "kill", "thread apply all print 5")
    said("info threads").has(r"^  2\.1 +LWP").has_not(r"^. 1\.")
    said("thread 2.1").has(r"Switching to thread 2\.1 ", "^#0 ")
    said("info threads", 2).has(r"^\* 2\.1 +LWP")
    said("thread apply all print 5").has("^No threads")


@case
def a_command_for_threads_of_all_inferiors():
    said = two_inferiors("thread apply all print $_exitcode", "thread apply all -ascending print 5", "thread apply 2.* print 5",
                         "thread apply 1.1-2 2.1 -q print 5", "thread apply 2.1-2 print 5", "taas print 5", "thread",
                         "thread apply 2.1 kill", "thread apply all print 5", "inferior")
    heads = lambda command, nth=1: re.findall(r"^Thread (\S+) \(LWP", said(command, nth).text, re.M)
    first = heads("thread apply all print $_exitcode")
    equal((first[0], first[-2:]), ("2.1", ["1.2", "1.1"]), "the order")
    equal(heads("thread apply all -ascending print 5"), first[::-1], "-ascending")
    equal(heads("thread apply 2.* print 5"), ["2.1"], "all of inferior 2")
    equal(len(re.findall(r"= 5$", said("thread apply 1.1-2 2.1 -q print 5").text, re.M)), 3, "answers")
    said("thread apply 2.1-2 print 5").has(r"Unknown thread 2\.2", "= 5$")
    equal(heads("taas print 5"), first, "taas")
    said("thread").has(r"Current thread is 1\.2 ")
    said("thread apply 2.1 kill").has("Inferior 2 .* killed")
    said("inferior").has("Current inferior is 1 ")


# ------------------------------------------------------------------------------------- objects


def objects(program, *commands):
    words = [word for command in commands for word in ("-ex", command)]
    result = ompdb("-nx", "-q", "--json", *words, testprog(program), env={"XDG_STATE_HOME": folder()},
                   stdin=subprocess.DEVNULL)
    equal(result.err, "", "what is on standard error")
    found = [json.loads(line) for line in result.out.splitlines() if line.startswith("{")]
    for each in found:
        equal(each["v"], 1, "version")
    return found


def only(found, kind):
    return [each for each in found if each["type"] == kind]


@programs
def answers_are_objects(program):
    found = objects(program, "break twice if n == 3", "run", "print n", "print table", "print text", "bt", "bt full", "info locals",
                    "info args", "info breakpoints", "info threads", "up", "list 1,3", "display counter", "info line twice",
                    "print nosuch", "thread 1", "finish", "kill")
    [made] = only(found, "breakpoint")
    equal((made["number"], made["kind"], made["condition"]), (1, "breakpoint", "n == 3"), "the breakpoint")
    [stop, finished] = only(found, "stop")
    equal((stop["reason"], stop["hits"], stop["frame"]["function"]), ("breakpoint", [1], "twice"), "the stop")
    equal([(a["name"], a["type"], a["number"]) for a in stop["frame"]["arguments"]], [("n", "int", 3)], "arguments")
    n, table, text = only(found, "value")
    equal((n["expression"], n["result_number"]), ("n", 1), "n")
    n, table, text = n["value"], table["value"], text["value"]
    equal((n["type"], n["text"], n["number"]), ("int", "3", 3), "n")
    equal((table["type"], [item["number"] for item in table["items"]]), ("short [4]", [1, 2, 3, 4]), "table")
    equal((text["type"], text["string"]), ("const char *", "walk"), "text")
    short, full = only(found, "backtrace")
    equal([frame["number"] for frame in short["frames"]], list(range(len(short["frames"]))), "numbers of frames")
    equal((short["frames"][0]["function"], short["frames"][-1]["function"], short["end"]), ("twice", "main", None), "frames")
    expect(all("locals" in frame for frame in full["frames"]), "bt full without locals")
    equal([(each["what"], [v["name"] for v in each["variables"]]) for each in only(found, "variables")],
          [("locals", []), ("arguments", ["n"])], "variables")
    [table] = only(found, "breakpoints")
    equal([(b["number"], b["hits"], len(b["locations"])) for b in table["breakpoints"]], [(1, 1, 1)], "breakpoints")
    [threads] = only(found, "threads")
    equal([(t["thread"], t["selected"], t["frame"]["function"]) for t in threads["threads"]], [(1, True, "twice")], "threads")
    [lines] = only(found, "list")
    equal([line["line"] for line in lines["lines"]], [1, 2, 3], "lines")
    equal(only(found, "display")[0]["expression"], "counter", "display")
    expect(only(found, "lines")[0]["places"][0]["function"] == "twice", "info line")
    equal([each["message"] for each in only(found, "error")], ["No symbol \"nosuch\" in current context, near `nosuch'."], "errors")
    equal((finished["reason"], finished["result"]["number"]) if "gcc" in program or "O0" in program else None,
          ("finish", 6) if "gcc" in program or "O0" in program else None, "finish")


@case
def a_watchpoint_that_would_stop_nobody_is_refused():
    said = session("session-gcc-O0", "break main", "run", "watch counter", "kill")
    said("watch counter").has("debug registers of this machine do nothing" if debug_registers_stop_nobody() else "^Hardware watchpoint 2: counter$")


@case
def a_watchpoint_tells_both_values():
    need_debug_registers()
    found = objects("session-gcc-O0", "watch counter", "run", "continue", "kill")
    stops = only(found, "stop")
    equal([(s["reason"], s["old"]["number"], s["new"]["number"]) for s in stops],
          [("watchpoint", 0, 1), ("watchpoint", 1, 3)], "stops")


@cases("omp_nested-gcc-O0", "omp_nested-clang-O0")
def frames_of_a_team_have_numbers_that_are_selected(program):
    inferior = start(program)
    result = ompdb("-nx", "-q", "--json", "-ex", "info threads", "-ex", "thread apply all bt", "-p", str(inferior.pid),
                   stdin=subprocess.DEVNULL, env={"XDG_STATE_HOME": folder()})
    found = [json.loads(line) for line in result.out.splitlines() if line.startswith("{")]
    [threads] = only(found, "threads")
    expect(any(t.get("openmp") for t in threads["threads"]), f"no thread is in OpenMP: {threads}")
    number_of = {t["lwp"]: t["thread"] for t in threads["threads"]}
    commands, wanted = [], []
    for stack in only(found, "backtrace"):
        for frame in stack["frames"]:
            if frame.get("number") is not None:
                commands += [f"thread {number_of[stack['lwp']]}", f"frame {frame['number']}"]
                wanted.append((frame["lwp"], frame["pc"], frame["function"], frame["line"]))
    expect(any(f["lwp"] != s["lwp"] for s in only(found, "backtrace") for f in s["frames"]),
           "no stack goes on in another thread")
    words = [word for command in commands for word in ("-ex", command)]
    result = ompdb("-nx", "-q", "--json", *words, "-p", str(inferior.pid), stdin=subprocess.DEVNULL,
                   env={"XDG_STATE_HOME": folder()})
    frames = only([json.loads(line) for line in result.out.splitlines() if line.startswith("{")], "frame")
    equal([(f["lwp"], f["pc"], f["function"], f["line"]) for f in frames[1::2]], wanted, "what frame selects")
    inferior.finish()


@case
def what_came_with_a_signal():
    """In the process, and in a core file that is written of it; where there is none, nothing."""
    core = os.path.join(folder(), "core")
    ask = ("print $_siginfo.si_signo", "print $_siginfo._sifields._kill", "print/x $_siginfo._sifields._sigfault.si_addr")
    said = session("session-gcc-O0", "print $_siginfo", "break twice", "run", "call (int)raise(10)", *ask,
                   f"generate-core-file {core}", "kill", f"core-file {core}", *ask, "print $_siginfo.si_signo = 1")
    said("print $_siginfo").has(r"^\$1 = void$")
    for n in 1, 2:
        said(ask[0], n).has(r"^\$\d+ = 10$")
        said(ask[1], n).has(r"^\$\d+ = {si_pid = [1-9]\d*, si_uid = \d+}$")
    said("print $_siginfo.si_signo = 1").has("^Unable to write siginfo")


@case
def an_address_that_no_register_takes_is_told_once():
    need_debug_registers()
    said = session("session-gcc-O0", "hbreak *0xffff800000000000", "break twice", "run", "kill")
    said("run").has(r"^Breakpoint 2, twice ")
    told = re.findall(r"Cannot insert breakpoint 1: ", said.result.out + said.result.err)
    equal(len(told), 1, "warnings")


main()
