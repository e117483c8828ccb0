# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions with --json: every line that any command puts on standard output is one JSON object."""

import json

from debugger import *

# Answers that are for readers by nature; those of all other commands have members.
TEXTS = {"apropos", "attach", "cd", "clear", "complete", "condition", "continue", "delete breakpoints", "document",
         "delete", "directory", "echo", "generate-core-file", "help", "ignore", "info", "info proc", "jump", "output", "pipe", "printf", "pwd",
         "run", "save breakpoints", "set", "shell", "show", "signal", "skip", "skip file", "skip function", "start", "starti"}

# Of each command at least one line.
LOOKS = r"""
help
help info
apropos thread
complete info s
info
info address main
info all-registers
info args
info breakpoints
info display
info files
info frame
info common
info functions inner
info types ^int$
info inferiors
info line main
info locals
info omp counts
omp history
omp history 3
info omp events
info proc
info ranks
focus all
info proc mappings
info program
info registers
info registers rip nosuch
info scope main
info sharedlibrary
info sharing
info signals
info signals SIGINT
info skip
info source
info sources nested
info stack
info symbol main
info symbol 3
info threads
info threads -g
info variables arrived
info vtbl arrived
info watchpoints
break inner_work
tbreak read_data
hbreak main
thbreak main
rbreak ^wait_for
break nosuch
watch arrived
rwatch arrived
awatch done
catch fork
tcatch exec
break --at-barrier 1
tbreak --at-barrier 999999
dprintf main,"here\n"
skip file nosuch.c
skip function twice
skip wait_for_data
info skip
skip delete 1
disable 3
enable once 3
enable delete 3
enable count 2 3
enable 3
ignore 1 1
ignore 1 0
condition 1 outer == 0
condition 1
save breakpoints @saved
info breakpoints
clear main
delete 6
delete breakpoints 7 8 9 10
delete
commands
silent
end
handle SIGUSR1 nostop noprint
backtrace
backtrace full 2
backtrace -raw
stack
omp
omp icvs
omp threads
omp threads --group wait --sort lwp
omp waits
omp locks
omp barriers
omp states
omp loop
omp runtimes
omp regions
omp tasks
omp tree
omp thread 0.1
omp team 0
omp team
omp task 0
omp task 0 print arrived
omp hold 0.0
omp barrier
omp next --nosuch
omp step
omp finish
omp until
omp advance --team
omp serialize --nosuch
omp shuffle --nosuch
omp release
omp races
omp record
omp replay nosuch
omp run 0.9 --until barrier
omp schedule 9
why
omp why
frame
frame function main
select-frame 0
up
down
up-silently
down-silently
thread
thread 1
thread 9
thread name first
thread find first
freeze 1
thaw 1
frame apply all print $pc
frame apply 1 -q print nosuch
thread apply all -s print $pc
thread apply all -c print nosuch
faas print $sp
taas print $sp
tfaas print $sp
inferior
inferior 7
print arrived
print &arrived
print "text"
print nosuch
inspect 5
call 5
output 5
printf "%d\n", 5
set variable $a = 4
whatis arrived
ptype arrived
show convenience
show values
display
display/i $pc
display/2xw $sp
display arrived
info display
disable display 1
enable display 1
display
undisplay 1
delete display
x/4xw $sp
x/2i $pc
x/s $sp
x/2dg $sp
x 0
disassemble
disassemble /rs main
find $sp, +64, 0
with listsize 2 -- list main
list main
list
forward-search omp
reverse-search include
search nosuchthing
directory /tmp
set substitute-path /a /b
unset substitute-path
unset environment NOSUCH
symbol-file x
add-symbol-file x
pwd
cd .
show
show print
show args
show version
show directories
set listsize 5
define mine
print 5
end
document mine
It prints.
end
mine
help mine
show user
alias other = mine
if 1
print 1
else
print 2
end
while $a
set $a = $a - 1
loop_continue
end
while 1
loop_break
end
end
loop_break
loop_continue
else
source /nosuch
source @saved
delete
add-auto-load-safe-path /tmp
echo a text\n
shell echo from a shell
! echo from a shell
pipe print 5 | cat
| print 5 | cat
tty /dev/null
set logging file @log
set logging enabled on
print 5
set logging enabled off
queue-signal 0
bogus
set nosuch
"""

RUNS = r"""
set args </dev/null >/dev/null 2>&1
break inner_work
run
generate-core-file @core
finish
start
next
step
stepi
nexti
until
advance inner_work
signal 0
start
jump main
start
return
continue
starti
kill inferiors 1
run
detach inferiors 1
run
detach
run
kill
attach 999999999
core-file /nosuch
exec-file /nosuch
file /nosuch
"""

END = "quit\n"


def named(lines, folder):
    return lines.replace("@", folder + "/")


def said(lines, *options):
    """The objects of a session that reads lines."""
    with tempfile.TemporaryFile("w+") as file:
        file.write(lines)
        file.seek(0)
        result = ompdb("-nx", "-q", "--json", *options, stdin=file, env={"XDG_STATE_HOME": folder()})
    equal(result.err, "", "what is on standard error")
    found = []
    for line in result.out.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            raise Failure(f"no object: {line!r} behind {found[-1:]}")
        expect(isinstance(found[-1], dict) and found[-1].get("v") == 1 and "type" in found[-1], f"not of our form: {line}")
    equal({each["command"] for each in found if each["type"] == "text"} - TEXTS, set(), "commands whose answer is text alone")
    return found


def only(found, kind):
    return [each for each in found if each["type"] == kind]


@case
def each_command_is_in_the_session():
    help = ompdb("-nx", "-q", "--batch", "-ex", "help all").out
    names = [found[1] for found in re.finditer(r"^([a-z][a-z! -]*?)(?:, .*)? -- ", help, re.M)]
    expect(len(names) > 100, "help all lists no commands")
    lines = (LOOKS + RUNS + END).splitlines()
    equal([name for name in names if not any(re.match(rf"{re.escape(name)}\b", line) for line in lines)], [],
          "commands that no session gives")


@cases("omp_nested-gcc-O0", "omp_nested-clang-O2")
def every_line_is_an_object(program):
    path, own = testprog(program), folder()
    said(named(LOOKS + END, own))
    said(named(LOOKS + END, own), path)
    at_work = "set args </dev/null >/dev/null 2>&1\nbreak inner_work\nrun\n"
    found = said(named(at_work + LOOKS + END, own), path)
    expect(only(found, "stop")[0]["reason"] == "breakpoint", "it does not stop in the region")
    said(named(RUNS + END, own), path)
    expect(os.path.exists(f"{own}/core"), "no core file was written")
    found = said(named(LOOKS + END, own), "-c", f"{own}/core", path)
    equal(only(found, "stop")[0]["reason"], "core", "reason")


@case
def threads_of_two_inferiors_are_objects():
    found = said("\n".join(["set args </dev/null >/dev/null", *SECOND_THREAD_FORKS]) + "\ninfo threads\n"
                 "thread apply 2.* print 5\nthread 2.1\ninferior 1\ninfo inferiors\nkill inferiors 2\n" + END, testprog("forkers"))
    threads = [(t["inferior"], t["thread"], t["selected"]) for t in only(found, "threads")[0]["threads"]]
    expect({(1, 1, False), (1, 2, True), (2, 1, False)} <= set(threads), f"threads: {threads}")
    equal([(t["inferior"], t["thread"]) for t in only(found, "thread")], [(1, 2), (2, 1), (2, 1), (1, 2)], "selected threads")
    equal([(i["number"], i["selected"]) for i in only(found, "inferiors")[0]["inferiors"]], [(1, True), (2, False)], "inferiors")
    equal([(i["number"], i.get("what")) for i in only(found, "inferior")], [(1, None), (2, "killed")], "inferior")


@case
def what_is_no_program_is_an_object():
    for options in ("/nosuch",), ("-p", "999999999"), ("-c", "/etc/passwd"), ("-x", "/nosuch"):
        expect(only(said("", *options), "error"), f"no error is told of {options}")


def answer(kind, *commands, program="session-gcc-O0"):
    """The last object of a kind."""
    lines = "\n".join(("set args </dev/null >/dev/null 2>&1", "break twice if n == 3", "run") + commands + (END,))
    found = only(said(lines, testprog(program)), kind)
    expect(found, f"no object of type {kind}: {commands}")
    return found[-1]


@case
def memory_has_addresses_and_numbers():
    two = answer("memory", "x/2dw &table")["units"]
    equal([unit["symbol"] for unit in two], ["table", "table+4"], "symbols")
    equal(int(two[1]["address"], 16) - int(two[0]["address"], 16), 4, "bytes between them")
    equal([unit["number"] for unit in answer("memory", "x/4dh &table")["units"]], [1, 2, 3, 4], "numbers")
    equal([unit["number"] for unit in answer("memory", "x/2db &table")["units"]], [1, 0], "bytes")
    [text] = answer("memory", "x/s text")["texts"]
    equal((text["string"], text["more"]), ("walk", False), "text")
    first, second = answer("memory", "x/2i $pc")["instructions"]
    expect(first["current"] and not second["current"], f"which one is current: {first} {second}")
    equal(int(second["address"], 16) - int(first["address"], 16), len(first["bytes"].split()), "bytes of the first one")
    whole = answer("instructions", "disassemble /s")
    equal((whole["function"], whole["instructions"][0]["address"]), ("twice", whole["start"]), "function")
    expect(all(each["line"] > 0 and each["text"] for each in whole["instructions"]), f"lines: {whole}")


@case
def other_answers_have_members():
    registers = {each["name"]: each for each in answer("registers", "info registers")["registers"]}
    expect({"rax", "rip", "eflags"} <= set(registers), f"registers: {registers}")
    equal(registers["rip"]["symbol"].split("+")[0], "twice", "rip")
    expect(isinstance(registers["rax"]["number"], int), f"rax: {registers['rax']}")
    symbol = answer("symbol", "info symbol twice + 1")
    equal((symbol["symbol"], symbol["offset"]), ("twice", 1), "symbol")
    equal(answer("symbol", "info symbol 3")["symbol"], None, "symbol of 3")
    equal(answer("addresses", "info address twice")["addresses"], [hex(int(symbol["address"], 16) - 1)], "address")
    [inferior] = answer("inferiors", "info inferiors")["inferiors"]
    equal((inferior["number"], inferior["selected"]), (1, True), "inferior")
    shown = answer("displays", "display counter", "display/2xw &table", "info display")["displays"]
    equal([(d["number"], d["enabled"], d["format"], d["expression"]) for d in shown],
          [(1, True, None, "counter"), (2, True, "/2xw", "&table")], "displays")
    equal(len(answer("display", "display/2xw &table")["units"]), 2, "units of a display")
    equal("address" in answer("display", "display/xw 0")["error"], True, "error of a display")
    expect(answer("source", "info source")["file"].endswith("/session.c"), "source")
    [function] = answer("functions", "info functions ^twice$")["functions"]
    equal((function["name"], function["address"]), ("twice", hex(int(symbol["address"], 16) - 1)), "function")
    [variable] = answer("globals", "info variables ^counter$")["globals"]
    equal((variable["name"], variable["type"]), ("counter", "int"), "variable")
    equal(answer("addresses", "info address counter")["addresses"], [variable["address"]], "its address")
    equal(answer("types", "info types ^int$")["types"],
          [{"name": "int", "kind": None, "file": None, "line": None}], "types")
    equal([(v["name"], v["type"], v["size"], v["argument"]) for v in answer("scope", "info scope twice")["variables"]],
          [("n", "int", 4, True)], "scope")
    [library] = [each for each in answer("libraries", "info sharedlibrary")["libraries"] if "libc.so" in each["path"]]
    expect(int(library["start"], 16) < int(library["end"], 16), f"library: {library}")
    equal(answer("signals", "info signals SIGINT")["signals"][0]["name"], "SIGINT", "signal")
    expect(answer("program", "info program")["runs"], "it does not run")
    frame = answer("frame", "info frame")
    expect(int(frame["caller_cfa"], 16) > int(frame["cfa"], 16), f"frame: {frame}")
    [found] = answer("found", "find /1 &table, +8, (short) 3")["found"]
    equal(found["symbol"], "table+4", "found")
    equal(answer("type", "whatis table")["text"], "short [4]", "type")
    equal(answer("setting", "show listsize")["value"], "10", "setting")
    equal(answer("skips", "skip function main", "info skip")["skips"][0]["number"], 1, "skip")
    equal([t["name"] for t in answer("threads", "thread name mine", "thread find mine")["threads"]], ["mine"], "thread")
    equal(answer("text", "shell echo said")["text"], "said\n", "what a shell says")
    equal(answer("inferior", "kill")["what"], "killed", "what is killed")


# What "--json" behind a command of a session of texts answers with.
ONE_OBJECT = {"omp": "omp", "omp tree": "omp", "omp loop": "loops", "omp why": "why", "why -graph": "error", "why": "why", "stack": "stack",
              "omp tasks": "omp-tasks", "omp history 3": "event-history", "info omp counts": "event-counts", "info omp events": "events",
              "omp barrier": "barrier", "omp hold": "team", "omp races": "races", "omp team": "threads"}


@cases("omp_nested-gcc-O0", "omp_nested-clang-O2")
def one_answer_of_a_session_of_texts_is_an_object(program):
    commands = list(ONE_OBJECT)
    texts = session(program, "set args >/dev/null", "catch omp loop -count", "break inner_work", "run", "print 1+1",
                   *(f"{command} --json" for command in commands), "omp --json x", "omp bogus", "print 2+2", "kill", options=())
    for command in commands:
        text = texts(f"{command} --json").text
        if ONE_OBJECT[command] == "error":
            texts(f"{command} --json").has("^Give one of the options")
        else:
            equal(json.loads(text.strip().splitlines()[-1])["type"], ONE_OBJECT[command], command)
    texts("omp --json x").has("There is no option 'x'")
    texts("omp bogus").has('Undefined omp command: "bogus"')
    texts("print 1+1").value("2")
    texts("print 2+2").value("4")


@case
def listings_of_a_session_of_objects_know_their_options():
    lines = "set args >/dev/null\nbreak inner_work\nrun\nomp threads -v\nomp tasks --tree\nomp tasks --dot\n" + END
    found = said(lines, testprog("omp_nested-gcc-O0"))
    expect(only(found, "omp-threads")[0]["rows"] and only(found, "omp")[0]["tasks"], "no threads or tasks")
    expect(only(found, "graph")[0]["dot"].startswith("digraph"), "no graph of tasks")


@case
def several_threads_and_frames_are_objects():
    lines = "set args </dev/null >/dev/null 2>&1\nhandle SIGUSR1 nostop noprint\nbreak twice if n == 1000\nrun\n"
    path = testprog("session-gcc-O0")

    def answers(command):
        found = said(f"{lines}{command}\n{END}", path)
        last = max(i for i, each in enumerate(found) if each["type"] == "stop")
        return [(each["type"], each.get("thread", each.get("level", each.get("value", {}).get("number"))))
                for each in found[last + 1:] if each["type"] != "prompt"]

    equal(answers("thread apply all print 5"), [("thread", 2), ("value", 5), ("thread", 1), ("value", 5)], "thread apply")
    equal(answers("thread apply all -q print 5"), [("value", 5)] * 2, "thread apply -q")
    equal(answers("thread apply 1-2 -c print nosuch"), [("thread", 1), ("error", None), ("thread", 2), ("error", None)],
          "thread apply -c")
    equal(answers("taas print n"), [("thread", 2), ("value", 1000)], "taas")
    equal(answers("faas print n")[:2], [("frame", 0), ("value", 1000)], "faas")
    equal(answers("frame apply 2 -q print 5"), [("value", 5)] * 2, "frame apply")
    equal(answers("tfaas print n")[:3], [("thread", 2), ("frame", 0), ("value", 1000)], "tfaas")


main()
