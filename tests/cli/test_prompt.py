# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The prompt: through tmux, as somebody sees it who types; and from pipes, scripts and options."""

import shlex

from harness import *

CHAIN = testprog("chain-gcc-O0")


def home():
    """A home of its own: no init file and no history of whoever runs the tests."""
    return {"HOME": folder(), "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "", "LC_ALL": "C.UTF-8"}


def written(path, text, mode=0o600):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)
    return path


def typed(text, *arguments, env=None, **how):
    """What ompdb does with lines from a pipe."""
    if isinstance(text, str):
        text = text.encode()
    done = subprocess.run([OMPDB, *arguments], input=text, capture_output=True, timeout=60,
                          env=dict(os.environ, **(env or home())), **how)
    result = Result([OMPDB, *arguments], done.returncode, done.stdout.decode(errors="replace"),
                    done.stderr.decode(errors="replace"), 0)
    expect(result.status >= 0, f"killed by signal {-result.status}: {result}")
    expect("Sanitizer" not in result.err and "runtime error" not in result.err, str(result))
    return result


# ------------------------------------------------------------------------------------ a terminal


class Screen:
    """ompdb in a terminal of tmux's."""

    count = 0

    def __init__(self, *arguments, width=80, height=24, env=None, term=None):
        tmux = need("tmux")
        Screen.count += 1
        self.tmux = [tmux, "-L", f"ompdb-test-{os.getpid()}-{Screen.count}", "-f", "/dev/null"]
        words = ["env", *(f"{k}={v}" for k, v in (env or home()).items())]
        words += [f"TERM={term}"] if term else []
        command = " ".join(map(shlex.quote, [*words, OMPDB, *map(str, arguments)]))
        self("new-session", "-d", "-x", width, "-y", height,
             f"{command}; echo it ended with $?; exec cat")
        self("set-option", "-g", "window-size", "manual")

    def __call__(self, *words):
        done = subprocess.run([*self.tmux, *map(str, words)], capture_output=True, timeout=60)
        expect(done.returncode == 0, f"tmux {words}: {done.stderr}")
        return done.stdout.decode(errors="replace")

    def text(self):
        return self("capture-pane", "-p", "-J").rstrip("\n")

    def see(self, wanted):
        """Waits until the screen shows a regular expression; its text then."""
        shown = []

        def look():
            shown[:] = [self.text()]
            return re.search(wanted, shown[0], re.M)

        try:
            wait_for(look, repr(wanted))
        except Failure as e:
            raise Failure(f"{e}; the screen:\n{shown[0]}") from None
        return shown[0]

    def keys(self, *names):
        self("send-keys", *names)

    def type(self, text):
        self("send-keys", "-l", text)

    def line(self, text):
        self.type(text)
        self.keys("Enter")

    def end(self):
        subprocess.run([*self.tmux, "kill-server"], capture_output=True, timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


PROMPT = r"^\(ompdb\) *$"


@case
def a_command_is_typed_and_answered():
    with Screen("-q") as s:
        s.see(PROMPT)
        s.line("pwd")
        s.see(r"^\(ompdb\) pwd\nWorking directory /.*\.\n\(ompdb\) *$")
        s.line("nonsense")
        s.see(r'^Undefined command: "nonsense"')
        s.line("quit 7")
        s.see("it ended with 7")


@case
def words_are_completed():
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.type("info")
        s.keys("Tab")
        s.type("lin")
        s.keys("Tab")
        s.type("gamma_l")
        s.keys("Tab")
        s.see(r"^\(ompdb\) info line gamma_leaf ?$")
        s.keys("Enter")
        s.see(r'^Line \d+ of "chain.c" starts at .*\n\(ompdb\) *$')
        s.type("set pri")
        s.keys("Tab")
        s.type("array")
        s.keys("Tab")
        s.see(r"^array +array-indexes\n\(ompdb\) set print array$")


@case
def an_interrupt_clears_the_line():
    with Screen("-q") as s:
        s.see(PROMPT)
        s.type("echo never")
        s.see("echo never$")
        s.keys("C-c")
        s.see(r"echo never\^C\n\(ompdb\) *$")
        s.line(r"echo but\ this\n")
        expect("\nnever" not in s.see("^but this$"), "the line was executed")


@case
def an_interrupt_ends_a_command():
    with Screen("-q") as s:
        s.see(PROMPT)
        s.line("define forever")
        s.see("^>$")
        s.line("forever2")
        s.line("end")
        s.line("define forever2")
        s.line("shell kill -INT $PPID; sleep 0.01")
        s.line("pwd")
        s.line("end")
        s.line("forever")
        s.see(r"^\(ompdb\) forever\n(Quit\.|Working)")
        s.line("quit")
        s.see("it ended with 0")


@case
def what_was_typed_can_be_recalled():
    env = home()
    with Screen("-q", env=env) as s:
        s.see(PROMPT)
        s.line(r"echo the\ first\n")
        s.see("^the first$")
        s.line("pwd")
        s.see("^Working")
        s.keys("Up", "Up")
        s.see(r"\(ompdb\) echo the. first.n$")
        s.keys("C-c")
        s.line("quit")
        s.see("it ended with 0")
    path = os.path.join(env["HOME"], ".local/state/ompdb/history")
    equal(os.stat(path).st_mode & 0o777, 0o600, "mode of the history")
    with Screen("-q", env=env) as s:
        s.see(PROMPT)
        s.keys("C-r")
        s.type("fir")
        s.see("first")
        s.keys("Enter")
        s.see("^the first$")


@case
def history_is_bounded_and_nobody_elses():
    env = home()
    path = written(os.path.join(env["HOME"], ".local/state/ompdb/history"),
                   "".join(f"echo {n}\n" for n in range(5000)))
    with Screen("-q", env=env) as s:
        s.see(PROMPT)
        s.line("quit")
        s.see("it ended with 0")
    with open(path) as f:
        kept = f.read().splitlines()
    equal((len(kept), kept[0], kept[-1]), (1001, "echo 4000", "quit"), "what is kept")
    os.unlink(path)
    os.symlink("/etc/passwd", path)
    with Screen("-q", env=env) as s:
        s.see("warning: history in ")
        s.see(PROMPT)


@case
def an_empty_line_repeats():
    with Screen("-q") as s:
        s.see(PROMPT)
        s.line("pwd")
        s.see("^Working")
        s.keys("Enter")
        s.line(r"echo done\n")
        shown = s.see("^done$")
        equal(shown.count("Working"), 1, "runs of pwd, which does not repeat")


@cases(40, 80)
def long_lines_and_resizing(width):
    with Screen("-q", width=width) as s:
        s.see(PROMPT)
        words = " ".join(f"word{n:02}" for n in range(20))
        s.type("echo " + words)
        s.see("word19")
        s("resize-window", "-x", 60, "-y", 20)
        s.type(r" end\n")
        s.see(r"end.n$")
        s.keys("Enter")
        s.see(r"word19 end$")
        s.line("quit")
        s.see("it ended with 0")


@case
def pages_wait_for_return():
    with Screen("-q", height=10) as s:
        s.see(PROMPT)
        s.line("help all")
        s.see("^--Type <RET> for more, q to quit")
        s.keys("q", "Enter")
        s.see(PROMPT)
        s.line("set pagination off")
        s.line("help all")
        s.line("quit")
        s.see("it ended with 0")


@case
def pages_of_a_narrow_terminal_have_room_for_the_question():
    """Which takes two rows here, and stands behind nothing where it breaks a line."""
    lines = ["head", *(letter * 50 for letter in "abcdefgh")]
    path = written(folder() + "/lines", "".join(f"echo {line}\\n\n" for line in lines))
    with Screen("-q", width=40, height=10) as s:
        s.see(PROMPT)
        s.line(f"source {path}")
        s.see("^--Type <RET> for more, q to quit, c to continue without paging--$")
        page = s.see("^head\n").split("\n")
        equal(page[-5:-1], [*lines[1:4], "d" * 40], "the page")
        s.keys("Enter")
        s.see("^" + "d" * 10 + "\n" + "e" * 50 + "$")
        s.keys("q", "Enter")
        s.see(PROMPT)


@case
def the_end_of_input_asks_before_a_process_dies():
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.line("break gamma_leaf")
        s.see("^Breakpoint 1 at")
        s.line("run")
        s.see("^Breakpoint 1, ")
        s.see(PROMPT)
        s.keys("C-d")
        s.see(r"^Quit anyway\? \(y or n\)")
        s.line("n")
        s.see(r"^\(ompdb\) *$")
        s.keys("C-d")
        s.see(r"anyway\? \(y or n\) n\n(.*\n)*Quit anyway\? \(y or n\)")
        s.line("y")
        s.see("it ended with 0")


@case
def an_interrupt_stops_the_program():
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.line("run")
        s.see("^ready")
        s.keys("C-c")
        s.see(r"received signal SIGINT")
        s.see(PROMPT)
        s.line("kill")
        s.see("killed|Kill the program")


@cases(("off", "bt 8", r"#\d+ .* in linger \(\).*\n#\d+ +<function called from gdb>\n"), ("on", "bt 1", r"#0  stop \(\)"))
def an_interrupt_ends_a_called_function(unwinds, command, shown):
    with Screen("-q", testprog("called_hard-gcc-O0"), height=50) as s:
        s.see(PROMPT)
        for line in ("break stop", "run", f"set unwindonsignal {unwinds}", "print (int)getpid()"):
            s.line(line)
        pid = int(re.search(r"= (\d+)", s.see(r"print \(int\)getpid\(\)\n\$1 = \d+\n\(ompdb\) *$"))[1])
        s.line("print linger()")
        wait_for(lambda: in_pause(pid), "the call")
        s.keys("C-c")
        s.see(r"received signal SIGINT(.*\n)*.*signaled while in a function called(.*\n)*\(ompdb\) *$")
        s.line(command)
        s.see(rf"{command}\n(.*\n)*{shown}")
        s.line("print two()")
        s.see(r"= 2\n\(ompdb\) *$")
        s.line("set confirm off")
        s.line("kill")
        s.see("killed")


@case
def an_interrupt_and_omp_why_say_who_is_missing():
    with Screen("-q", testprog("omp_barrier-gcc-O0")) as s:
        s.see(PROMPT)
        s.line("run")
        s.see("^ready")
        s.keys("C-c")
        s.see(r"received signal SIGINT")
        s.see(PROMPT)
        s.line("omp why")
        s.see(r"thread 0\.2\s+has not arrived|0\.2 has not arrived")
        s.line("omp barriers")
        s.see(r"^0 +4? *explicit barrier +0\.\[0,1,3\] +0\.2 ")
        s.line("kill")
        s.see("killed|Kill the program")


@case
def an_interrupt_stops_a_program_that_blocks_SIGINT():
    """Each time; the signal that waits meanwhile says nothing of the next one."""
    with Screen("-q", "--args", need("env"), "--block-signal=INT", CHAIN) as s:
        s.see(PROMPT)
        s.line("run")
        s.see("^ready")
        for count in 1, 2:
            s.keys("C-c")
            s.see(rf"(received signal SIGINT(.|\n)*){{{count}}}\(ompdb\) *$")
            s.line(f"continue {count}")
            s.see(rf"continue {count}\nContinuing")
        s.keys("C-c")
        s.see(r"continue 2\n(.|\n)*received signal SIGINT(.|\n)*\(ompdb\) *$")


@case
def what_is_started_may_read_the_terminal_at_once():
    """The shell that runs the program does so before there is a program: it is in the foreground."""
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.line("run $(head -n 1 | sed s/^/read:/ >/dev/tty)")
        s.see(r"^\(ompdb\) run .*$")
        s.line("words")
        s.see(r"^read:words$")
        s.see("^ready")


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(child) for child in f.read().split()]


def named(pids, name):
    """The one process that is called so."""
    found = [pid for pid in pids if open(f"/proc/{pid}/comm").read() == name + "\n"]
    equal(len(found), 1, f"processes called {name}")
    return found[0]


@cases(None, "dumb")
def the_tracer_is_killed_while_somebody_types(term):
    """That is told at once, below the line, which can be typed to its end."""
    with Screen("-q", CHAIN, term=term) as s:
        s.see(PROMPT)
        s.line("break gamma_leaf")
        s.line("run")
        s.see(r"Breakpoint 1, gamma_leaf (.|\n)*^\(ompdb\) *$")
        s.type("print 6 *")
        s.see(r"^\(ompdb\) print 6 \*$")
        shell = int(s("display-message", "-p", "#{pane_pid}"))
        os.kill(named(children_of(named(children_of(shell), "ompdb")), "openmp-tracer"), 9)
        s.see(r"^The process that traced process \d+ has ended: the program was killed with it\.\n"
              r"\(ompdb\) *" + ("" if term else r"print 6 \*$"))
        s.line(" 7")
        s.see(r"^\$1 = 42$")
        s.line("bt -raw")
        s.see(r"^No stack\.$")


def in_foreground(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return fields[5] == fields[2]    # tpgid and pgrp


@case
def an_interrupt_leads_back_from_a_stop_by_job_control():
    """Who is stopped hears of no Ctrl-C: ompdb does, until the program goes on."""
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.line("run")
        s.see("^ready")
        s.keys("C-z")
        s.see("received signal SIGTSTP")
        s.line("continue")
        said = s.see(r"^\[Process \d+ is stopped by SIGTSTP until it gets SIGCONT; Ctrl-C leads back")
        pid = int(re.search(r"Process (\d+) is stopped", said)[1])
        s.keys("C-c")
        s.see(r"received signal SIGINT(.*\n)*\(ompdb\) *$")
        s.line("continue 2")    # it stays so
        s.see("continue 2\nContinuing")
        s.keys("C-c")
        s.see(r"continue 2\n(.*\n)*.*received signal SIGINT(.*\n)*\(ompdb\) *$")
        s.line("handle SIGCONT nostop noprint pass")
        s.see("^SIGCONT +No")
        s.line(f"shell kill -CONT {pid}")
        s.line("echo again\\n")
        s.see("^again$")
        s.line("continue 3")
        wait_for(lambda: in_foreground(pid), "the program to have the terminal again")
        s.keys("C-c")
        s.see(r"continue 3\n(.*\n)*.*received signal SIGINT(.*\n)*\(ompdb\) *$")


@case
def a_program_that_hears_of_no_SIGCONT_goes_on_after_a_stop_by_job_control():
    """And has the terminal again; that it is stopped once more is told once more."""
    with Screen("-q", "--args", need("env"), "--block-signal=CONT", CHAIN) as s:
        s.see(PROMPT)
        s.line("handle SIGTSTP nostop noprint pass")
        s.line("run")
        s.see("^ready")
        for count in 1, 2:
            s.keys("C-z")
            told = s.see(rf"(is stopped by SIGTSTP until it gets SIGCONT(.|\n)*){{{count}}}")
            pid = int(re.search(r"Process (\d+) is stopped", told)[1])
            wait_for(lambda: not in_foreground(pid), "ompdb to have the terminal")
            os.kill(pid, signal.SIGCONT)
            wait_for(lambda: in_foreground(pid), "the program to have the terminal again")
        s.keys("C-c")
        s.see(r"received signal SIGINT(.*\n)*\(ompdb\) *$")


@case
def an_interrupt_ends_a_step_into_a_call_that_waits():
    with Screen("-q", CHAIN) as s:
        s.see(PROMPT)
        s.line("run")
        s.see("^ready")
        s.keys("C-c")
        s.see(r"received signal SIGINT")
        s.see(PROMPT)
        s.line("info program")
        pid = int(re.search(r"child process (\d+)", s.see("child process"))[1])
        for count in 3, 4:    # the call is made again, and waits again
            s.line(f"stepi {count}")
            wait_for(lambda: proc_state(pid) == "S", "the program to wait")
            s.keys("C-c")
            s.see(rf"stepi {count}\n(.*\n)*.*received signal SIGINT(.*\n)*\(ompdb\) *$")


@case
def a_pending_breakpoint_says_that_it_has_a_place():
    compiler, own = need("gcc"), folder()
    programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "gdb", "programs")
    run(compiler, "-g", "-shared", "-fPIC", "-o", f"{own}/liblibrary.so", f"{programs}/library.c")
    run(compiler, "-g", "-o", f"{own}/loads", f"{programs}/loads.c", "-ldl")
    with Screen("-q", f"{own}/loads", width=120) as s:
        s.see(PROMPT)
        s.line(f"cd {own}")
        s.line("break library_add")
        s.see(r"Make breakpoint pending on future shared library load\? \(y or n\) *$")
        s.line("y")
        s.see(r"^Breakpoint 1 \(library_add\) pending\.$")
        s.line("run")
        s.see(r"^Breakpoint 1 at 0x[0-9a-f]+: file library\.c, line \d+\.\n(.*\n)*Breakpoint 1, library_add \(a=20, b=3\)")
        s.line("kill")
        s.see(r"Kill the program being debugged\? \(y or n\) *$")
        s.line("y")
        s.see(r"^\[Inferior 1 .* killed\]\n\(ompdb\) *$")


@case
def a_dumb_terminal_has_a_plain_prompt():
    with Screen("-q", term="dumb") as s:
        s.see(PROMPT)
        s.line("pwd")
        s.see("^Working")
        s.line("quit")
        s.see("it ended with 0")


@case
def odd_bytes_are_typed():
    with Screen("-q") as s:
        s.see(PROMPT)
        s("send-keys", "-H", "ff", "fe", "c3")
        s.keys("C-c")
        s.type("echo ä€\\n")
        s.keys("Enter")
        s.see("^ä€$")


# ------------------------------------------------------------------------------- pipes and options


@case
def a_pipe_gets_prompts_and_answers():
    result = typed("pwd\n\nnonsense\npwd\n", "-q")
    equal(result.status, 0, "status")
    expect(result.out.startswith("(ompdb) Working directory /"), f"no prompt: {result}")
    equal(result.out.count("Working"), 2, "answers")
    equal(result.err.count("\n"), 1, "lines of errors")


@cases(b"\xff\xfe\n", b"\0\0\n", b"x" * 100000 + b"\n", b"echo \\\nquit", b"end\n", b"if\n",
       b"define\n", b"define a\n", b"define a\nend\na\n", b"document a\n", b"pipe\n", b"|\n",
       b"set\n", b"show x\n", b"source /\n", b"source\n", b"alias\n", b"alias x =\n", b"help zz\n",
       b"apropos\n", b"complete\n", b"cd /nonexistent\n", b"set width x\n", b"echo %s%n\n",
       b"set logging file /nonexistent/x\nset logging enabled on\n", b"loop_break\n", b"else\n")
def odd_lines_do_no_harm(text):
    result = typed(text + b"pwd\n", "-q")
    equal(result.status, 0, "status")


@cases(
    (["-ex", "pwd"], 0, ["Working"], ""),
    (["-ex", "nonsense", "-ex", "pwd"], 1, [], "Undefined command"),
    (["-ex", "pwd", "-ex", "nonsense"], 1, ["Working"], "Undefined command"),
    (["-ex", "quit 5", "-ex", "pwd"], 5, [], ""),
    (["-x", "/nonexistent"], 1, [], "/nonexistent"),
    (["/nonexistent", "-ex", "pwd"], 3, [], "/nonexistent"),
    (["--args", CHAIN, "-ex", "pwd", "-ex", "show args"], 0, [], ""),
    (["-batch", "-ex", "show args", "--args", CHAIN, "a b", "it's"], 0,
     ["""is "'a b' 'it'\\''s'"."""], ""),
    (["-ex", r"echo a\n", "-x", "SCRIPT", "-ex", r"echo c\n"], 0, ["a\nscript\nc\n"], ""),
    (["-ix", "SCRIPT", "-iex", r"echo b\n"], 0, ["script\nb\n"], ""),
    (["--cd", "/usr", "-ex", "pwd"], 0, ["Working directory /usr."], ""),
)
def batch(arguments, status, out, err):
    script = written(os.path.join(folder(), "script"), "echo script\\n\n")
    arguments = [script if a == "SCRIPT" else a for a in arguments]
    result = ompdb("--batch", *arguments, env=home())
    equal(result.status, status, f"status of {result}")
    for text in out:
        expect(text in result.out, f"no {text!r}: {result}")
    expect("Working" not in result.out or "Working" in "".join(out), f"it went on: {result}")
    expect(err in result.err if err else not result.err, f"errors: {result}")


@case
def without_batch_a_failed_command_does_not_end_it():
    result = typed("pwd\n", "-q", "-ex", "nonsense", "-ex", r"echo second\n")
    equal(result.status, 0, "status")
    expect("second\n" in result.out and "Working" in result.out, str(result))


@case
def the_status_may_be_the_programs():
    result = ompdb("--batch", "--return-child-result", "-ex", "run", "/bin/false", env=home())
    equal(result.status, 1, "status")
    result = ompdb("--batch", "--return-child-result", "-ex", "run", "--args", "/bin/sh", "-c",
                   "exit 17", env=home())
    equal(result.status, 17, "status")


@case
def an_error_names_file_and_line():
    script = written(os.path.join(folder(), "script"), "# a comment\n\npwd\nnonsense\npwd\n")
    result = ompdb("--batch", "-x", script, env=home())
    equal(result.status, 1, "status")
    equal(result.out.count("Working"), 1, "commands executed")
    expect(f"{script}:4: " in result.err, str(result))


@case
def json_is_one_object_a_line():
    import json

    result = ompdb("--batch", "--json", "-ex", "pwd", "-ex", r"echo \033[1m\n", "-ex", "nonsense",
                   env=home())
    equal(result.status, 1, "status")
    objects = [json.loads(line) for line in result.out.splitlines()]
    equal([(o["v"], o["type"], o.get("command")) for o in objects],
          [(1, "text", "pwd"), (1, "text", "echo"), (1, "error", None)], "objects")
    expect(objects[0]["text"].startswith("Working directory /") and
           objects[0]["text"].endswith(".\n"), f"no line of text: {objects[0]}")
    expect("Undefined" not in result.err, str(result))


@case
def a_stop_is_an_object():
    import json

    result = ompdb("--batch", "--json", "-ex", "break gamma_leaf", "-ex", "run", "-ex", "kill",
                   CHAIN, env=home())
    objects = [json.loads(line) for line in result.out.splitlines()]
    stops = [o for o in objects if o["type"] == "stop"]
    equal([(o["reason"], o["number"], o["hits"], o["place"]["function"]) for o in stops],
          [("breakpoint", 1, [1], "gamma_leaf")], "stops")


# ------------------------------------------------------------------------------------- init files


@case
def the_users_init_file_is_read():
    env = home()
    written(os.path.join(env["HOME"], ".config/ompdb/init"), "echo from home\\n\n")
    expect("from home" in ompdb("--batch", env=env).out, "it is not read")
    for option in ("-n", "-nx", "--nh"):
        expect("from home" not in ompdb("--batch", option, env=env).out, f"read despite {option}")
    other = folder()
    written(os.path.join(other, "ompdb/init"), "echo from xdg\\n\n")
    result = ompdb("--batch", env=dict(env, XDG_CONFIG_HOME=other))
    expect("from xdg" in result.out and "from home" not in result.out, str(result))


@cases(0o620, 0o602, 0o666)
def an_init_file_that_others_can_write_to_is_not_read(mode):
    env = home()
    path = written(os.path.join(env["HOME"], ".config/ompdb/init"), "echo evil\\n\n", mode)
    result = ompdb("--batch", "-ex", "pwd", env=env)
    equal(result.status, 0, "status")
    expect("evil" not in result.out and "Working" in result.out, str(result))
    expect("warning: " in result.err and path in result.err, str(result))


@case
def an_init_file_of_another_user_is_not_read():
    if os.geteuid():
        skip("only root can make one")
    env = home()
    path = written(os.path.join(env["HOME"], ".config/ompdb/init"), "echo evil\\n\n")
    os.chown(path, 12345, 12345)
    result = ompdb("--batch", env=env)
    expect("evil" not in result.out and "warning: " in result.err, str(result))


@case
def the_local_init_file_is_read_where_that_is_allowed_alone():
    env = home()
    here = os.path.realpath(folder())
    path = written(os.path.join(here, ".ompdbinit"), "echo local\\n\n")
    result = ompdb("--batch", env=env, cwd=here)
    expect("local\n" not in result.out and "add-auto-load-safe-path" in result.err, str(result))
    equal(result.status, 0, "status")
    written(os.path.join(env["HOME"], ".config/ompdb/init"), f"add-auto-load-safe-path {here}\n")
    expect("local\n" in ompdb("--batch", env=env, cwd=here).out, "it is not read")
    beside = here + "x"
    os.mkdir(beside)
    shutil.copy(path, beside)
    result = ompdb("--batch", env=env, cwd=beside)
    shutil.rmtree(beside)
    expect("local\n" not in result.out, "a folder whose name begins so is not that folder")
    os.chmod(path, 0o666)
    expect("local\n" not in ompdb("--batch", env=env, cwd=here).out, "others can write to it")


# ---------------------------------------------------------------------------------------- scripts


@cases(
    ("define f\necho $arg1 $arg0 $argc\\n\nend\nf one 'two three'\n", "'two three' one 2\n"),
    ("define hook-pwd\necho <\\n\nend\ndefine hookpost-pwd\necho >\\n\nend\ncd /usr\npwd\n",
     "<\nWorking directory /usr.\n>\n"),
    ("alias hi = echo hello\nhi you\\n\n", "hello you\n"),
    ("echo one \\\ntwo\\n\n", "one two\n"),
    ("define f\nend\ndocument f\nFirst.\nSecond.\nend\nhelp f\n", "First.\nUsage: f"),
    ("set prompt >>\\n\nshow confirm\n", "Whether to confirm"),
    ("pipe show version | tr a-z A-Z\n", "OMPDB "),
    ("!echo from the shell\n", "from the shell\n"),
    ("define a\ndefine b\necho inner\\n\nend\nb\nend\na\n", "inner\n"),
)
def scripts(text, wanted):
    result = typed(text, "-q")
    out = result.out.replace("(ompdb) ", "").replace(">\\n", "")
    expect(wanted in out or wanted in re.sub(r"^>+", "", out, flags=re.M), str(result))


@cases(
    ("if 1 == 2\necho a\\n\nelse\necho b\\n\nend\n", "b\n"),
    ("if 1\nif 0\necho a\\n\nelse\necho b\\n\nend\nelse\necho c\\n\nend\n", "b\n"),
    ("set $i = 0\nwhile $i < 9\nset $i = $i + 1\nif $i == 2\nloop_continue\nend\nif $i == 4\n"
     "loop_break\nend\necho turn\\n\nend\n", "turn\nturn\n"),
    ("define f\nwhile $argc > 1\necho x\\n\nloop_break\nend\nend\nf 1 2\n", "x\n"),
)
def conditions_and_loops(text, wanted):
    script = written(os.path.join(folder(), "script"), text)
    result = ompdb("--batch", "-x", script, env=home())
    equal((result.status, result.out), (0, wanted), f"what is printed by {result}")


@case
def silent_stops_are_not_told():
    script = written(os.path.join(folder(), "script"),
                     "break gamma_leaf\ncommands\nsilent\necho here\\n\nend\nrun\nkill\n")
    result = ompdb("--batch", "-x", script, CHAIN, env=home())
    expect("here\n" in result.out and "Breakpoint 1, " not in result.out, str(result))


@case
def source_files_are_found_elsewhere():
    path = re.search("Located in (.*)", ompdb("--batch", "-ex", "info source", CHAIN,
                                              env=home()).out)[1]
    new = folder()
    with open(os.path.join(new, os.path.basename(path)), "w") as f:
        f.write("a line of mine\n" * 100)
    result = ompdb("--batch", "-ex", f"set substitute-path {os.path.dirname(path)} {new}", "-ex",
                   "break gamma_leaf", "-ex", "run", "-ex", "kill", CHAIN, env=home())
    expect("\ta line of mine\n" in result.out, str(result))
    expect(f"searched: {new}:$cdir" in ompdb("--batch", "-ex", f"directory {new}",
                                             env=home()).out, "no list of folders")


@case
def a_log_gets_what_is_printed():
    log = os.path.join(folder(), "log")
    result = typed(f"set logging file {log}\nset logging enabled on\npwd\nset logging enabled off\n"
                   "show confirm\n", "-q")
    expect("Working" in result.out, str(result))
    with open(log) as f:
        text = f.read()
    expect("Working directory" in text and "confirm" not in text, text)


@case
def zero_bytes_end_no_script():
    script = os.path.join(folder(), "script")
    with open(script, "wb") as f:
        f.write(b"echo one\\n\n\0echo t\0wo\\n\necho three\\n\n\0")
    for result in ompdb("--batch", "-x", script, env=home()), typed(open(script, "rb").read(), "-q"):
        equal(result.out.replace("(ompdb) ", "").split(), ["one", "two", "three"], "what is printed")


@case
def a_file_that_sources_itself_ends():
    script = os.path.join(folder(), "script")
    written(script, f"source {script}\n")
    result = ompdb("--batch", "-x", script, env=home())
    equal(result.status, 1, "status")
    expect("max depth" in result.err and result.err.count("\n") == 1, str(result))


main()
