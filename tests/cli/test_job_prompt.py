#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One prompt over the ranks of a job: which of them are told what, what all of them say, and that none is left behind."""

import json

import harness
from debugger import *
from mpi import *

MARKS = "job_ranks.c"


class Prompt:
    """A session that is told lines one by one, as its answers come."""

    def __init__(self, *arguments):
        own = {"XDG_STATE_HOME": folder(), "XDG_CONFIG_HOME": folder()}
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([OMPDB, "-q", "-nx", "--color=never", *map(str, arguments)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, env={**os.environ, **own})
        self.pid, self.text, self.told = self.process.pid, "", 0
        harness._programs.append(self)    # ends before the ranks: what is traced ends only when its tracer has heard of it
        self.see(PROMPT)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def see(self, wanted, seconds=120):
        """Waits until what has been said since the last line matches; all of that then."""
        deadline = time.monotonic() + seconds
        while not re.search(wanted, self.text, re.M):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Failure(f"no {wanted!r} in {seconds} s, but: {self.text!r} {self.complaints()!r}")
            part = os.read(self.process.stdout.fileno(), 65536).decode(errors="replace")
            if not part:
                raise Failure(f"ended before {wanted!r}: {self.text!r} {self.complaints()!r}")
            self.text += part
        return self.text

    def complaints(self):
        """What was written to standard error since this was asked last."""
        self.errors.seek(self.told)
        new = self.errors.read()
        self.told += len(new)
        expect(b"Sanitizer" not in new and b"runtime error" not in new, new)
        return new.decode(errors="replace")

    def send(self, line):
        self.text = ""
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def __call__(self, line):
        """What is said to a line, up to the next prompt."""
        self.send(line)
        return Said(line, self.see(PROMPT))

    def hears(self):
        """What is told while a line is waited for, above another prompt."""
        said, before = [], self.text
        wait_for(lambda: said.append(self.complaints()) or "".join(said).endswith("\n"), "a word while a line is waited for")
        self.see(re.escape(before) + r"\n\(ompdb[^)]*\) \Z")
        return "".join(said)

    def interrupt(self):
        os.kill(self.pid, signal.SIGINT)

    def end(self, status=0):
        self.process.stdin.close()
        ended = self.process.wait(60)
        equal((self.complaints(), ended), ("", status), "standard error and status")


PROMPT = r"^\(ompdb[^)]*\) \Z"


def job(n=4):
    return [start("job_ranks-gcc-O0", env={"PMI_RANK": str(rank), "PMI_SIZE": str(n)}) for rank in range(n)]


def rounds(ranks):
    for rank in ranks:
        rank.send(b"r")


def engine_of(rank):
    return int(status_field(tracer(rank.pid), None, "PPid"))


def place(mark):
    return rf"job_ranks\.c:{line_of(mark, MARKS)}"


def told(text, what):
    """The ranks that something was told of, however many together: "Ranks 0,2-3 thread 0.1 hit"."""
    found = []
    for said in re.findall(rf"^Ranks? ([\d,-]+) thread {what}", text, re.M):
        for part in said.split(","):
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
    return sorted(found)


def let_go(*ranks):
    """They go on as if nothing had been, and nobody who traced them is left."""
    for rank in ranks:
        wait_for(lambda: not any(tracer(rank.pid, tid) for tid in threads(rank.pid)), "the end of the tracer")
        rank.untouched()
        rank.finish()


@case
def breakpoints_in_all_ranks_and_in_some():
    ranks = job()
    prompt = Prompt("-p", f"job:{os.getpid()}")
    expect(re.match(r"4 ranks of \S+ \d+, by PMI_RANK in their environment\n.* in \S+ \(\) from ", prompt.text), prompt.text)
    prompt("break work").has(rf"^Breakpoint 1 at 0x\w+: file job_ranks.c, line {line_of('work', MARKS)}\.$")
    # What all say is said once, and by nobody.
    rounds(ranks)
    text = prompt("continue").text
    equal(told(text, rf"0\.1(?: \(LWP \d+\))? hit Breakpoint 1, work "), [0, 1, 2, 3], "ranks at the breakpoint")
    # Values differ, and are known by their ranks; numbers are given once in the job.
    prompt("print rank").has(*(rf"^\[{n}\]: \$1 = {n}$" for n in range(4)))
    prompt("print -ranks n").has(*(rf"^\[{n}\]: {n + 1}$" for n in range(4)), r"^minimum 1 \(\[0\]\), maximum 4 \(\[3\]\), sum 10, 4 ranks$")
    prompt("print -ranks rounds").has(r"\A\[0-3\]: 1$").has_not("minimum")
    # A focus, a breakpoint beside it, and what is asked in it.
    prompt("focus 1-2").has(r"^Focus: ranks 1,2$", r"^\(ompdb 1,2\) \Z")
    prompt("break @round rank 3".replace("@round", f"{line_of('round', MARKS)}")).has(r"^Breakpoint 2 at ")
    prompt("print rounds + rank").has(r"^\[1\]: \$2 = 2$", r"^\[2\]: \$2 = 3$").has_not(r"\[[03]\]")
    text = prompt("next").text
    expect(re.search(r"^Ranks 0,3 stand still: they are not in focus; calls of MPI may wait for them\.$", text, re.M), text)
    expect(re.search(r"^\d+\t\}$", text, re.M), text)
    # Said once, and no more: they run into the next round while the others stand.
    rounds(ranks[1:3])
    text = prompt("continue").text
    equal((told(text, r"1\.1(?: \(LWP \d+\))? hit Breakpoint 1"), "stand still" in text), ([1, 2], False), text)
    prompt("focus all").has(r"^Focus: ranks 0-3, all there are$", r"^\(ompdb\) \Z")
    prompt("info breakpoints").has(r"^\[0\]:\n.*\n1 .*\n.*already hit 1 time\n\[3\]:\n.*\n1 .*\n.*\n2 ", r"^\[1,2\]:\n.*\n1 .*\n.* 2 times\n")
    prompt("delete 1")
    # One comes to its own breakpoint, one ends; the others are waited for, until somebody does not want to any more.
    ranks[3].send(b"r")
    ranks[2].send(b"x")
    prompt.send("continue")
    text = prompt.see(r"^Ranks 0,1 still run; Ctrl-C stops them\.$")
    equal(told(text, r"\d+(?: \(LWP \d+\))? hit Breakpoint 2"), [3], "ranks at the breakpoint")
    expect(re.search(r"^\[2\]: \[Inferior 1 \(process \d+\) exited with code 02\]$", text, re.M), text)
    prompt.interrupt()
    text = prompt.see(PROMPT)
    equal(told(text, r"\d+(?: \(LWP \d+\))? received signal SIGINT"), [0, 1], "interrupted ranks")
    prompt("info ranks").has(rf"^\* 0 +{ranks[0].pid} +stands, thread [\d.]+ in ", r"^  2 +\d+ +has ended with status 2$",
                            rf"^\* 3 +{ranks[3].pid} +stands, thread 1 in round_of_two \(\) at {place('round')}$")
    prompt("focus 2")
    equal(prompt.complaints(), "There is no rank 2: there are ranks 0,1,3.\n", "what is said of it")
    # Those that run on are stopped after a while, if that is wanted.
    prompt("set rank-wait 1")
    prompt("focus 0,3")
    ranks[3].send(b"r")
    text = prompt("continue").text
    equal((told(text, r"\d+(?: \(LWP \d+\))? hit Breakpoint 2"), told(text, r"\d+ \(LWP \d+\) received signal SIGINT")), ([3], [0]), "stops")
    # A step out of a function, in the focus; the line is asked for again by an empty one.
    prompt("focus rank 3")
    prompt("next").has(r"\A\d+\t\}$")
    prompt("finish").has(r"^Run till exit from ", rf"main \(\) at {place('read').split(':')[0]}:\d+")
    prompt("focus all")
    prompt.end()
    equal(ranks[2].process.wait(60), 2, "status of the rank that has ended")
    let_go(*ranks[:2], ranks[3])


@case
def what_is_wrong_with_a_line_is_said_once_or_with_its_ranks():
    ranks = job(2)
    prompt = Prompt("-p", f"job:{os.getpid()}")

    def refused(line, words):
        prompt(line)
        equal(prompt.complaints(), words + "\n", f"what is said to {line!r}")
    refused("print nosuch", "No symbol \"nosuch\" in current context, near `nosuch'.")
    refused("print -ranks nosuch", "No symbol \"nosuch\" in current context, near `nosuch'.")
    refused("print -ranks", "Argument required: an expression.")
    refused("run", "'run' is for a program of its own: the ranks of a job are started by its starter.")
    refused(f"attach {ranks[0].pid}", "The prompt is that of a job: 'detach' its ranks first.")
    refused("focus 2-1", "Ranks are given as 3, or 0-2,7, not as '2-1'.")
    refused("focus 7", "There is no rank 7: there are ranks 0,1.")
    refused("break work rank 5", "There is no rank 5: there are ranks 0,1.")
    refused("nosuch", 'Undefined command: "nosuch": try "help"')
    refused("tbreak work ranks 1 if nosuch > 0", "No symbol \"nosuch\" in current context, near `nosuch > 0'.")
    prompt("tbreak work rank 1 if rank == 1").has(r"^Temporary breakpoint 1 at ")
    refused("delete 1", "Rank 0: No breakpoint number 1.")
    # Lines that belong together, here and there; what is defined is known in both.
    prompt.send("define both\nprint -ranks rank\nend")
    prompt.see(r"\(ompdb\) \Z")
    prompt("both").has(r"^\[0\]: 0$", r"^\[1\]: 1$")
    prompt.send("if rank == 1\nboth\nend")
    prompt.see(r"\(ompdb\) \Z")
    equal(prompt.complaints(), "Rank 1: there are no ranks here: 'attach job:PID' attaches to those of a job.\n", "in one rank")
    prompt("set listsize 2")
    prompt("show listsize").has("2")
    prompt("list 20,21").has(r"\A20\t", r"^21\t").has_not("22")
    prompt("complete info rank").has("^info ranks$")
    prompt("complete break round_of").has("^break round_of_two$")
    prompt("pipe print rank | grep -c rank").has("^0$")
    # Asked once.
    prompt("kill").has(r"^Of ranks 0,1: Kill the program being debugged\? \(y or n\) \[answered Y", r"^No rank of the job is left\.$")
    refused("focus 0", "There is no job: 'attach job:PID' attaches to the ranks of one.")
    refused("info ranks", "There is no job: 'attach job:PID' attaches to the ranks of one.")
    prompt.end()
    equal([rank.process.wait(60) for rank in ranks], [-signal.SIGKILL] * 2, "ends of the ranks")


@case
def debuggers_of_ranks_that_are_killed():
    ranks = job(3)
    prompt = Prompt("-p", f"job:{os.getpid()}")
    prompt("break work")
    engines = [engine_of(rank) for rank in ranks]
    # While a line is waited for, at a prompt that names it.
    prompt("focus 1")
    os.kill(engines[1], signal.SIGKILL)
    equal(prompt.hears(), f"Rank 1: its debugger (process {engines[1]}) has ended by signal 9 (Killed); the rank goes on without.\n",
          "what is said of it")
    expect(prompt.text.endswith("\n(ompdb none) "), prompt.text)
    wait_for(lambda: tracer(ranks[1].pid) == 0, "the rank to be let go")
    prompt("focus all")
    prompt("info ranks").has(r"^\* 0 ", rf"^  1 +\d+ +its debugger \(process {engines[1]}\) has ended by signal 9 \(Killed\)$", r"^\* 2 ")
    # While ranks run.
    prompt.send("continue")
    wait_for(lambda: asleep(ranks[2].pid) and proc_state(ranks[2].pid) == "S", "the ranks to run")
    os.kill(engines[2], signal.SIGKILL)
    ranks[0].send(b"r")
    equal(told(prompt.see(PROMPT), "0.1"), [0], "stops")
    expect(f"Rank 2: its debugger (process {engines[2]}) has ended by signal 9" in prompt.complaints(), "nothing is said of rank 2")
    # Those that have been lost can be had again.
    prompt(f"attach job:{os.getpid()}")
    prompt("info ranks").has(*(rf"^\* {n} +{ranks[n].pid} +stands" for n in range(3)))
    # The tracer of one is killed, while its engine waits: it tells, and its rank is lost.
    os.kill(tracer(ranks[1].pid), signal.SIGKILL)
    expect(prompt.hears().startswith("Rank 1: "), "nothing is said of rank 1")
    prompt("info ranks").has(r"^  1 +\d+ +is not traced any more$")
    prompt.end()
    let_go(*ranks)


@cases("stand", "run")
def the_prompt_is_killed(how):
    ranks = job(2)
    prompt = Prompt("-p", f"job:{os.getpid()}")
    prompt("break work")
    engines = [engine_of(rank) for rank in ranks]
    rounds(ranks)
    prompt("continue")
    if how == "run":
        prompt.send("continue")
        wait_for(lambda: all(proc_state(rank.pid) == "S" for rank in ranks), "the ranks to run")
    prompt.process.kill()
    prompt.process.wait()
    for engine in engines:
        wait_for(lambda: proc_state(engine) in (None, "Z"), "the end of the engine")
    let_go(*ranks)


@case
def objects_and_the_first_error_ends_a_batch():
    ranks = job(2)
    target = f"job:{os.getpid()}"
    result = ompdb("-q", "-nx", "--json", "-p", target, "-ex", "break work", "-ex", "print rank", "-ex", "print -ranks rank",
                   "-ex", "info ranks", "-ex", "omp why", "-ex", "print nosuch", "--batch")
    objects = [json.loads(line) for line in result.out.splitlines()]
    of = {n: [o for o in objects if o.get("rank") == n and o["type"] == "rank"] for n in range(2)}
    equal([o["answers"][-1]["value"]["text"] for o in (of[0][2], of[1][2])], ["0", "1"], "values")
    equal([o["answers"][0]["type"] for o in of[1][:3]], ["stop", "breakpoint", "value"], "types")
    merged, = (o for o in objects if o["type"] == "rank_values")
    equal(merged["values"], [{"ranks": [0], "text": "0"}, {"ranks": [1], "text": "1"}], "values of ranks")
    equal([(o["rank"], o["pid"], o["there"]) for o in objects if o["type"] == "rank_state"],
          [(n, rank.pid, True) for n, rank in enumerate(ranks)], "states")
    equal([o["verdict"] for o in objects if o["type"] == "job_why"], ["waiting"], "verdicts on both")
    equal((result.status, "nosuch" in objects[-1]["message"]), (1, True), "status")
    result = ompdb("-q", "-nx", "-p", f"job:{ranks[0].pid}", "--batch", "-ex", "focus 1", "-ex", "detach", "-ex", "info ranks")
    expect(re.search(r"^  0 .* stands, .*\n  1 .* is not debugged any more$", result.out, re.M), result)
    equal("other hosts" in result.out, False, "ranks elsewhere")
    one = start("job_ranks-gcc-O0", env={"OMPI_COMM_WORLD_RANK": "5", "OMPI_COMM_WORLD_SIZE": "6", "OMPI_COMM_WORLD_LOCAL_SIZE": "1",
                                          "PMIX_NAMESPACE": f"{os.getpid()}-elsewhere"})
    result = ompdb("-q", "-nx", "-p", f"job:{one.pid}", "--batch")
    expect("The job has 5 ranks on other hosts: ompdb looks at such ranks (ompdb why job:PID), but does not drive them from here.\n"
           in result.out, result)
    result = ompdb("-q", "-nx", "-p", "name:nosuch-program", "--batch")
    equal((result.status, result.out), (3, ""), f"{result}")
    let_go(*ranks)


@case
def a_rank_that_was_let_go_has_not_ended():
    starter = launch("mpich", "mpi_job-mpich-gcc-O0", "mismatch")
    wait_for(lambda: "rank 1 is in MPI_Barrier()" in ompdb("why", "--once", f"job:{starter.pid}").out, "the ranks to hang")
    said = ompdb("-q", "-nx", "-p", starter.pid, "--batch", "-ex", "omp why", "-ex", "focus 1", "-ex", "detach", "-ex", "focus all",
                 "-ex", "omp why").out
    expect(re.search(r"^Not known: rank 1 is in MPI_Barrier\(\) .* while 2 ranks are in MPI_Allreduce\(\)\.$", said, re.M), said)
    behind = said[said.index("Focus: ranks 0,2"):]
    expect("MPI_Allreduce()" in behind and "has ended" not in behind, said)
    starter.kill()


@cases(*share([Shared((mpi,)) for mpi in STARTERS], 0))
def ranks_of_an_mpi(mpi):
    """Found by their starter; some come to the breakpoint, those that wait in MPI for others are stopped."""
    starter = launch(mpi, f"mpi_job-{mpi}-gcc-O0", "healthy")
    wait_for(lambda: ompdb("omp", f"job:{starter.pid}").out.startswith("3 ranks of "), "the ranks")
    prompt = Prompt("-p", starter.pid)
    expect(re.match(r"3 ranks of (mpi|prterun)", prompt.text), prompt.text)
    prompt("set rank-wait 1")
    prompt("break reduce")
    text = prompt("continue").text
    hit = told(text, r"\d+(?: \(LWP \d+\))? hit Breakpoint 1")
    equal((sorted(hit + told(text, r"[\d.]+(?: \(LWP \d+\))? received signal SIGINT")), hit != []), ([0, 1, 2], True), text)
    prompt("print -ranks rank").has(*(rf"^\[{n}\]: {n}$" for n in range(3)), "sum 3, 3 ranks$")
    prompt("omp why").has(r"^[A-Z].*: .*\brank \d", r"^How sure: ")
    pids = [int(pid) for pid in re.findall(r"^\* \d +(\d+) +stands, ", prompt("info ranks").text, re.M)]
    equal(len(pids), 3, "ranks that stand")
    prompt.end()
    wait_for(lambda: not any(tracer(pid, tid) for pid in pids for tid in threads(pid)), "the ranks to be let go")
    equal([pid for pid in pids if proc_state(pid) in ("t", "T", None)], [], "ranks that do not go on")
    starter.kill()


main()
