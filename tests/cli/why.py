# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `ompdb why` should say about programs that hang, as tables, and how it is held to it.

A scenario is a program of testprogs/, its argument, the verdict, its class, and the chain of
blame: for threads that must be in it their marks, the cause first:

    hang("why_barriers", "skips", "stuck", "barrier-mismatch",
         {"0.3": "region", "0.0": "barrier", "0.1": "barrier", "0.2": "barrier"}, tells=4)

Threads and marks are named as in openmp.py; a mark of None stands for any place. The cause is the
thread NOBODY where there is none.
What differs between a live process, one look at it and a core file is a By with live, once, core.

A program in which some thread stays in read(2) says "ready". Where all hang none can: then the
program hangs as soon as as many threads as "tells" have told their truth, and each of them sleeps,
or spins on.

The programs are the oracle, too: one that only waits must end well when its stdin ends.
"""

from openmp import *

NOBODY = "nobody"  # the cause is no thread
FINDINGS = ("deadlock", "stuck")
SURE = ("guess", "probable", "certain")
QUICK = ("--interval", "60")
PATIENT = ("--interval", "2000")  # where other processes leave threads that spin hardly any time
SPUN = 3  # clock ticks of CPU time after which a thread that has told spins
ASLEEP = 0.01  # seconds after which one that has not been switched stays asleep

# Of threads that spin one look does not tell whether they are about to go on.
LIKELY = By("one look does not tell all", live="probable", once="guess", core="guess")

READ = "testprog_why.h#read"
REGION = "testprog_omp.h#region"


class Hang(collections.namedtuple("Hang", "program argument verdict class_ chain says never_says "
                                          "held confidence tells team env only never ends")):
    def __str__(self):
        return " ".join(filter(None, (self.program, self.argument)))


def hang(program, argument, verdict, class_, chain, says=(), never_says=(), held=None,
         confidence=None, tells=None, team=None, env=None, only=None, never=None, ends=None):
    """
    chain: {thread: mark}, the cause first. says, never_says: words of the summary. held: {thread:
    who holds what it waits for; several: one of them}. confidence: at least this one. ends: whether the program ends with
    its stdin; those do that only wait.
    """
    return Hang(program, argument, verdict, class_, chain, says, never_says, held or {}, confidence,
                tells, team, env or {}, only, never, verdict == "waiting" if ends is None else ends)


class Seen(collections.namedtuple("Seen", "variant where")):
    """A variant and how it is looked at: live, once (live, with one look only) or core."""

    @property
    def words(self):
        return (self.where, *self.variant.words)

    @property
    def build(self):
        return self.variant.build


# ---------------------------------------------------------------------------- running


def begin_hang(s, v):
    """Starts the program of a scenario and waits until it hangs, or is where it stays."""
    if s.tells is None:
        return begin(s, v)
    path = testprog(f"{s.program}-{v.build}")
    arguments = [a for a in (s.argument, s.team) if a is not None]
    program = Program([path, *arguments], env=environment(s, v))
    read_truths(program, s.tells)
    wait_until_it_hangs(program.pid)
    return program, truths_of(program)


def read_truths(program, count, seconds=60):
    """Reads what a program says until so many of its threads have told the truth."""
    said, deadline = b"", time.monotonic() + seconds
    while True:
        program.said = said.decode(errors="replace")
        if said.endswith(b"\n") and len(truths_of(program)) >= count:
            return
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([program.process.stdout], [], [], left)[0]:
            raise Failure(f"{program.argv[0]}: {len(truths_of(program))} of {count} have told")
        read = os.read(program.process.stdout.fileno(), 65536)
        if not read:
            program._not_ready()
        said += read


def usage(pid, tid):
    """The state of a thread, how often it was switched, and its CPU time in clock ticks."""
    try:
        with open(f"/proc/{pid}/task/{tid}/stat", errors="replace") as f:
            fields = f.read().rpartition(")")[2].split()
        with open(f"/proc/{pid}/task/{tid}/status", errors="replace") as f:
            switches = re.findall(r"ctxt_switches:\s*(\d+)", f.read())
    except OSError:
        return "Z", (), 0
    return fields[0], tuple(switches), int(fields[11]) + int(fields[12])


def wait_until_it_hangs(pid):
    """Each thread has slept for a while, or has spun since all have told."""
    first = {tid: usage(pid, tid)[2] for tid in threads(pid)}
    still = {}

    def stuck(tid):
        seen, now = usage(pid, tid), time.monotonic()
        if seen != still.get(tid, (None,))[0]:
            still[tid] = seen, now
        spun = seen[2] - first.get(tid, 0) >= SPUN
        return spun or seen[0] in "SZ" and now - still[tid][1] >= ASLEEP

    wait_for(lambda: all([stuck(tid) for tid in threads(pid)]), f"{pid} to hang")


def why(target, *options):
    """What `ompdb why --json` tells, of the form that the manual promises, and its exit status."""
    result = ompdb("why", "--json", *options, target)
    expect(result.status in (0, 4) and result.err == "", f"not a clean success: {result}")
    told = json.loads(result.out)
    fits(told, SCHEMAS["why"])
    equal((told["v"], told["type"]), (1, "why"), "version and type")
    equal(result.status, 4 if told["verdict"] in FINDINGS else 0,
          f"exit status for {told['verdict']}")
    return told


def why_live(pid, states):
    """What it tells of a process. Threads that spin must have spun meanwhile to be stuck."""
    told = why(pid, *(() if "R" in states.values() else QUICK))
    return why(pid, *PATIENT) if told["confidence"] == "guess" else told


def ask(s, v, with_core=True, once=False):
    """Runs a scenario and holds ompdb to it: live, as a core file, and with one look."""
    program, truths = begin_hang(s, v)
    states = {lwp: proc_state(program.pid, lwp) for lwp in threads(program.pid)}
    told = {"live": why_live(program.pid, states)}
    if once:
        told["once"] = why(program.pid, "--once")
    path = own_core_of(program) if with_core else None
    program.finish() if s.ends else program.kill()
    if path:
        told["core"] = why(path)
        begins_with_the_sentence(path, told["core"])
    problems = []
    for where, answer in told.items():
        check = WhyCheck(s, Seen(v, where), truths, answer, states)
        check.everything()
        problems += [f"{where}: {p}" for p in check.problems]
        if check.problems:
            problems.append(f"{where}: {in_short(answer)}")
    expect(not problems, "\n".join(problems))


def begins_with_the_sentence(target, told):
    result = ompdb("why", target)
    equal(result.status, 4 if told["verdict"] in FINDINGS else 0, "exit status of the text form")
    equal(result.out.partition("\n")[0], told["summary"], "first line")


def with_names_in_full(text):
    """The text, "0.[0-2,5]" being "0.0, 0.1, 0.2, 0.5" in it."""

    def in_full(match):
        ends = [part.split("-") for part in match[2].split(",")]
        numbers = (n for end in ends for n in range(int(end[0]), int(end[-1]) + 1))
        return ", ".join(f"{match[1]}.{n}" for n in numbers)

    return re.sub(r"(\d+)\.\[([\d,-]+)\]", in_full, text)


def in_short(told):
    """An answer, for whoever reads why a case has failed."""
    lines = [f"{told['confidence']} {told['verdict']}, {told['class']}: {told['summary']}"]
    lines += [f"  {b['omp']} {b['lwp']} {b['threads']} {b['function']}@{shown_place(b)}: "
              f"{b['reason']}" for b in told["blame"]]
    return "\n".join(lines + [f"  {reason}" for reason in told["reasons"]])


# ---------------------------------------------------------------------------- checking


class WhyCheck(Check):
    """What ompdb says about one run, against the table."""

    def __init__(self, s, v, truths, told, states=None):
        super().__init__(s, v, truths, {}, states or {})
        self.told, self.chain, self.held = told, resolved(s.chain, v), resolved(s.held, v)
        self.keys = {lwp: self.key_of(told) for lwp, told in truths.items()}

    def key_of(self, told):
        """A thread as the table has it: "0.1", "0.1 second" or "second"."""
        path = ".".join(str(n) for n in told["ancestors"])
        holders = {h for one in self.held.values() for h in (one if isinstance(one, tuple) else (one,))}
        named = {*self.chain, *self.held, *holders}
        names = (path, f"{path} {told['what']}".strip(), told["what"])
        return next((n for n in names if n in named), path)

    def everything(self):
        told, s = self.told, self.s
        if self.v.where == "once" and told["verdict"] == "unknown" and "R" in self.states.values():
            # Threads that spin may have been about to go on: several looks did not tell either.
            self.same([r for r in told["reasons"] if "one look" in r], [], "how it was looked at")
            return self.same((told["class"], told["confidence"]), ("none", "guess"), "what it says")
        self.same((told["verdict"], told["class"]),
                  (resolved(s.verdict, self.v), resolved(s.class_, self.v)), "verdict and class")
        least = resolved(s.confidence, self.v) or "guess"
        if SURE.index(told["confidence"]) < SURE.index(least):
            self.problems.append(f"only {told['confidence']}, not {least}")
        self.sentence()
        self.hint()
        self.cause()
        for key, mark in self.chain.items():
            self.link(key, resolved(mark, self.v))
        for key, holder in self.held.items():
            self.holder(key, resolved(holder, self.v))
        for blame in told["blame"]:
            self.same(blame["threads"][:1] or [None], [blame["lwp"]], "the first of some threads")
            self.number(blame)
        self.graph()

    def graph(self):
        """Edges lead to all nodes and nowhere else; who waits for a lock comes to its holder."""
        nodes, edges = (self.told["graph"][part] for part in ("nodes", "edges"))
        by_id = {n["id"]: n for n in nodes}
        self.same({e[end] for e in edges for end in ("from", "to")}, set(by_id), "nodes of edges")
        lwps = [lwp for n in nodes for lwp in n["lwps"]]
        self.same(sorted(set(lwps)), sorted(lwps), "threads of nodes")
        for wait in self.told["waits"]:
            holder = wait["holder"]["lwp"]
            if holder is None or wait["kind"] not in ("lock", "nest lock", "critical"):
                continue
            things = {e["to"] for e in edges if wait["lwp"] in by_id[e["from"]]["lwps"]}
            holders = [by_id[e["to"]]["lwps"] for e in edges
                       if e["from"] in things and e["kind"] == "held by"]
            if [holder] not in holders:
                self.problems.append(f"{wait['lwp']} does not come to its holder in the graph")

    def sentence(self):
        summary = with_names_in_full(self.told["summary"])
        for word in resolved(self.s.says, self.v):
            if not any(either in summary for either in word.split("|")):
                self.problems.append(f"the summary says nothing of {word!r}")
        for word in resolved(self.s.never_says, self.v):
            if word in summary:
                self.problems.append(f"the summary speaks of {word!r}")
        if not summary.endswith(".") or "\n" in summary:
            self.problems.append("the summary is no sentence")

    def hint(self):
        """There is no order of one lock; mutexes have types."""
        locks = [w for w in self.told["waits"] if w["kind"] in ("lock", "nest lock", "critical", "mutex")]
        if len(locks) == 1 and any("same order" in h for h in self.told["hints"]):
            self.problems.append("one lock is to be taken in an order")
        if self.told["class"] == "self-deadlock":
            of_mutexes = [h for h in self.told["hints"] if "PTHREAD_MUTEX_RECURSIVE" in h]
            self.same(len(of_mutexes), sum(w["kind"] == "mutex" for w in locks), "hints at mutexes' types")

    def cause(self):
        """The first in the table is the first that is blamed."""
        if not self.chain:
            return self.same(self.told["blame"], [], "the blame")
        if not self.told["blame"]:
            return self.problems.append("nobody is blamed")
        lwp, wanted = self.told["blame"][0]["lwp"], next(iter(self.chain))
        self.same(NOBODY if lwp is None else self.keys.get(lwp, lwp), wanted, "the cause")

    def link(self, key, mark):
        """A thread is in the chain of blame, at its mark."""
        links = [b for b in self.told["blame"] if key in self.members(b)]
        if not links:
            return self.problems.append(f"{key} is not in the chain of blame")
        places = [shown_place(b) for b in links]
        if mark and not any(self.equal_places(p, place(self.s.program, mark)) for p in places):
            self.problems.append(f"{key} is blamed at {', '.join(places)}, not at "
                                 f"{place(self.s.program, mark)} ({mark})")

    def members(self, blame):
        if blame["lwp"] is None:
            return [NOBODY]
        return [self.keys.get(lwp, lwp) for lwp in {blame["lwp"], *blame["threads"]}]

    def holder(self, key, wanted):
        """Who holds what a thread waits for: right, or not known."""
        held = [w["holder"] for w in self.told["waits"] if self.keys.get(w["lwp"]) == key]
        if not held:
            return self.problems.append(f"{key} is not among those that wait")
        if isinstance(wanted, tuple):
            several = {self.keys.get(lwp, lwp) for lwp in held[0]["candidates"]}
            return self.same((held[0]["lwp"], several), (None, set(wanted)), f"holder for {key}")
        self.same(self.keys.get(held[0]["lwp"], held[0]["lwp"]), wanted, f"holder for {key}")
        if (held[0]["lwp"] is None) != (held[0]["confidence"] == "unknown"):
            self.problems.append(f"the holder for {key} is {held[0]}")

    def number(self, blame):
        """A thread in a region has the number that it has told."""
        truth = self.truths.get(blame["lwp"])
        if truth and truth["level"] >= 1 and blame["omp"]:
            self.same(blame["omp"].split(".")[-1], str(truth["num"]),
                      f"number of {self.keys[blame['lwp']]}")
