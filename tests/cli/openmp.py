# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ompdb should say about the OpenMP test programs, as tables, and how it is held to it.

A scenario is a program of testprogs/, its argument, and for each of its threads what is expected:

    scenario("omp_joins", "barrier", {
        "0.0": waits("explicit barrier", "barrier", "barrier@barrier", *IN_TEAM),
        "0.1": stays("barrier@barrier, straggler", *IN_TEAM),
    })

A thread is known by the path of its OpenMP numbers from the outermost level inwards, as the program
itself has told it, and if need be by what the program calls it: "0.1 second".

Places are marks in the sources. "~mark" is near that mark: gcc gives calls that it adds by itself
(the end of a construct, the start of a region with a constant number of threads) no line of their
own, so that they seem to be in some line before or, optimised, elsewhere in the function. It is
exact for clang.

A stack is written innermost frame first: "function@mark", "function [construct]@mark",
"(function)" for one that was tail-called away, and between them borders, "-- parallel mark --",
"-- task mark by 0.0 --". What depends on how the program is built or run is a By, with its reason.

Each scenario is run in many variants: compiler, optimisation, runtime, wait policy; and looked at
both live and as a core file. Besides the table, the truth that the threads have told about
themselves is compared: numbers, sizes, levels and ancestors.
"""

import collections
import subprocess

from omp_json import SCHEMAS, fits
from stacks import *

BUILDS = ("gcc-O0", "gcc-O2", "clang-O0", "clang-O2")
NEAR = 15  # lines
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts")

IN_TEAM = ("in_team [parallel]@work", "-- parallel region --", "in_team@region", "main@run")
AFTER_TEAM = IN_TEAM[1:]


class By:
    """A value that depends on the variant: by runtime, compiler_level, compiler, level, policy; or a
    function of the variant."""

    def __init__(self, why, **values):
        self.why, self.values = why, values

    def of(self, variant):
        for key in (*variant.words, "default"):
            if key in self.values:
                value = self.values[key]
                return value(variant) if callable(value) else value
        raise Failure(f"nothing for {variant} where {self.why}")


def resolved(value, variant):
    return value.of(variant) if isinstance(value, By) else value


Wanted = collections.namedtuple("Wanted", "wait mark stack role holder object name staying")


def waits(kind, mark, *stack, role=None, holder=None, object=None, name=None):
    """A thread that waits, for this, at this place."""
    return Wanted(kind, mark, stack, role, holder, object, name, False)


def at(function, mark):
    """A frame at a mark, which may depend on the compiler."""
    if isinstance(mark, By):
        return By(mark.why, **{k: f"{function}@{m}" for k, m in mark.values.items()})
    return f"{function}@{mark}"


def stays(*stack, role=None):
    """A thread in testprog_omp.h's stay(), which reads stdin."""
    return Wanted("system call", None, stack, role, None, None, "read", True)


IDLE = Wanted("idle", None, (), "idle", None, None, None, False)


class Scenario(collections.namedtuple("Scenario",
                                      "program argument threads others tasks team env only never")):
    def __str__(self):
        return " ".join(filter(None, (self.program, self.argument)))


def scenario(program, argument, threads, others=(), tasks=None, team=None, env=None, only=None,
             never=None):
    """
    others: threads that the program tells nothing about. tasks: all but the implicit ones, as
    (kind, state, mark, thread that executes it or None). only, never: a word that the variant
    must have, must not have.
    """
    return Scenario(program, argument, threads, others, tasks, team, env or {}, only, never)


class Variant(collections.namedtuple("Variant", "build policy libomp preload")):
    """How a scenario is built and run. libomp: another version of it, or None."""

    @property
    def words(self):
        compiler, level = self.build.split("-")
        runtime = "libgomp" if compiler == "gcc" and not self.preload else "libomp"
        special = (self.preload and "preload", self.libomp and f"libomp{self.libomp}")
        return (*filter(None, special), f"{compiler}_{level}", runtime, compiler, level,
                self.policy)

    def __str__(self):
        return " ".join(filter(None, (self.build, self.policy if self.policy != "passive" else "",
                                      f"libomp {self.libomp}" if self.libomp else "",
                                      "on libomp" if self.preload else "")))


def variant(build, policy="passive", libomp=None, preload=False):
    return Variant(build, policy, libomp, preload)


def rows(scenarios, variants):
    """
    Rows for @cases: each scenario in each of the variants in which it exists, or in one of them.
    """
    found = []
    for i, s in enumerate(scenarios):
        fit = [v for v in variants if (not s.only or s.only in v.words) and s.never not in v.words]
        found += [Shared((s, v)) for v in share_of_kind(fit, i)]
    return found


def other_libomps():
    """
    The newest two that the machine's packages offer besides the one that clang links with. The
    packages, whose lists are long, are asked once for a build folder.
    """
    known = os.path.join(TESTPROGS, "other-libomps")
    if not os.path.exists(known):
        with tempfile.NamedTemporaryFile("w", dir=TESTPROGS, delete=False) as f:
            f.write(" ".join(offered_libomps()))
        os.rename(f.name, known)
    with open(known, encoding="utf-8") as f:
        return tuple(f.read().split())


def offered_libomps():
    try:
        names = subprocess.run(["apt-cache", "pkgnames", "libomp5-"], capture_output=True, text=True,
                               check=False).stdout
        own = subprocess.run(["clang", "-print-file-name=libomp.so.5"], capture_output=True,
                             text=True, check=False).stdout.strip()
    except OSError:
        names, own = "", ""
    # Debian 13: libomp5-17t64
    offered = {int(n) for n in re.findall(r"^libomp5-(\d+)(?:t64)?$", names, flags=re.M)}
    native = re.search(r"/llvm-(\d+)/", os.path.realpath(own))
    found = sorted(offered - {int(native[1]) if native else 0}, reverse=True)[:2]
    return tuple(str(n) for n in found) or ("19", "16")


NATIVE = [variant(build) for build in BUILDS]
SPINNING = [variant(build, policy="active") for build in BUILDS]
OTHERS = [variant("clang-O2", libomp=version) for version in other_libomps()]
PRELOADED = [variant("gcc-O0", preload=True), variant("gcc-O2", preload=True)]


# ---------------------------------------------------------------------------- running


def libomp_of(version):
    """The path of a libomp: of another version, or (None) of the one that clang links with here."""
    if version is None:
        path = run(need("clang"), "-print-file-name=libomp.so.5").out.strip()
        return path if os.path.isabs(path) else skip("clang has no libomp.so.5 here")
    result = run(os.path.join(SCRIPTS, "fetch-libomp"), version,
                 os.path.join(TESTPROGS, "..", "fetched"), seconds=300)
    if result.status == 77:
        skip(result.out.strip())
    equal(result.status, 0, "status of fetch-libomp")
    return result.out.strip()


def environment(s, v):
    env = {"OMP_WAIT_POLICY": v.policy, **s.env}
    if v.libomp:
        env["LD_LIBRARY_PATH"] = os.path.dirname(libomp_of(v.libomp))
    if v.preload:
        env["LD_PRELOAD"] = libomp_of(None)
    return env


def begin(s, v):
    """Starts the program of a scenario and waits until it is settled: it says so itself, and the
    threads that stay then do that soon."""
    arguments = [a for a in (s.argument, s.team) if a is not None]
    # Only the Fortran program cannot tell by itself that its other thread is where it stays.
    program = start(f"{s.program}-{v.build}", *arguments, settled=s.program == "omp_fortran",
                    env=environment(s, v))
    truths = truths_of(program)
    for lwp, told in truths.items():
        if told["what"] not in ("waits", "blocked", "calls"):
            wait_for(lambda: proc_state(program.pid, lwp) in ("S", None), f"{lwp} to read")
    all_threads = len(truths) + len(resolved(getattr(s, "others", ()), v))
    wait_for(lambda: len(os.listdir(f"/proc/{program.pid}/task")) >= all_threads, "the threads that tell nothing")
    return program, truths


def truths_of(program):
    """{lwp: what the thread has told last}"""
    truths = {}
    for line in program.said.splitlines():
        if line.startswith("truth "):
            told = dict(word.split("=") for word in line.split()[1:])
            for key in ("lwp", "num", "level"):
                told[key] = int(told.get(key, -1))
            for key in ("ancestors", "sizes"):
                told[key] = [int(n) for n in told[key].split(",")] if key in told else []
            truths[told["lwp"]] = told
    return truths


def objects_of(program):
    return dict(re.findall(r"^object (\w+)=(0x[0-9a-f]+)$", program.said, re.M))


def picture(command, target, *options):
    """What `ompdb stack` or `ompdb omp` tells, as JSON of the form that the manual promises."""
    result = ompdb(command, "--json", *options, target)
    expect(result.status == 0 and result.err == "", f"not a clean success: {result}")
    shown = json.loads(result.out)
    fits(shown, SCHEMAS[command])
    equal((shown["v"], shown["type"]), (1, command), "version and type")
    return shown


def cpu_ns(pid, lwp):
    try:
        with open(f"/proc/{pid}/task/{lwp}/schedstat") as f:
            return int(f.read().split()[0])
    except OSError:
        return float("inf")


def rested_state(pid, lwp):
    """Of a thread that was stopped before: one that sleeps begins its call again, which is no time to one that spins."""
    began = cpu_ns(pid, lwp)
    while (state := proc_state(pid, lwp)) == "R" and cpu_ns(pid, lwp) - began < 1e6:
        time.sleep(0.0005)
    return state


def states_while(program, act):
    """What act() returns, and the state of each thread meanwhile; None: it changed."""
    def states():
        return {lwp: rested_state(program.pid, lwp) for lwp in threads(program.pid)}
    before, done, after = states(), act(), states()
    return done, {lwp: state if after.get(lwp) == state else None for lwp, state in before.items()}


def look(s, v, with_core=True):
    """Runs a scenario once and holds ompdb to it, live and on a core file."""
    program, truths = begin(s, v)

    def both(target):
        return picture("stack", target), picture("omp", target)
    shown = [("live", *states_while(program, lambda: both(program.pid)))]
    if with_core:
        path, states = states_while(program, lambda: own_core_of(program))
    program.finish()
    if with_core:
        shown.append(("core", both(path), states))
    problems = []
    for where, (stack, omp), states in shown:
        check = Check(s, v, truths, objects_of(program), states)
        check.everything(stack, omp)
        problems += [f"{where}: {p}" for p in check.problems]
    expect(not problems, "\n".join(problems))


# ---------------------------------------------------------------------------- places


def source_of(program):
    return next(name for name in (program + ".c", program + ".cc", program + ".f90")
                if os.path.exists(os.path.join(SOURCES, name)))


def place(program, mark):
    """A mark as "file:line", "~mark" as "file:~line"; "FILE.c#mark" is in that file."""
    if mark.startswith("~"):
        return place(program, mark[1:]).replace(":", ":~")
    if "#" in mark:
        name, mark = mark.split("#")
        return f"{name}:{line_of(name, mark)}"
    for name in (source_of(program), "testprog_omp.h"):
        try:
            return f"{name}:{line_of(name, mark)}"
        except Failure:
            pass
    raise Failure(f"{program} has no mark {mark}")


def staying(program):
    """The innermost frames of a thread that stays."""
    if program == "omp_fortran":
        return [f"ocean::stay@{place(program, 'stay')}"]
    return [f"stay_until_the_end@{place(program, 'stay')}"]


def shown_place(of):
    return f"{os.path.basename(of['file'] or '?')}:{of['line']}"


def function_name(name):
    """As the table has it: without the parameters of C++."""
    name = re.sub(r"\)( const)?$", ")", name or "?")
    depth, at = 0, len(name)
    while name.endswith(")"):
        at -= 1
        depth += {")": 1, "(": -1}.get(name[at], 0)
        if depth == 0:
            return name[:at]
    return name


# ---------------------------------------------------------------------------- checking


class Check:
    """What ompdb shows about one run, against the table and against the truth."""

    def __init__(self, s, v, truths, objects, states):
        self.s, self.v, self.truths, self.objects, self.states = s, v, truths, objects, states
        self.problems = []
        self.keys = {}

    def same(self, got, wanted, what):
        if got != wanted:
            self.problems.append(f"{what} is {got!r}, not {wanted!r}")

    def everything(self, stack, omp):
        self.regions = {r["id"]: r for r in omp["regions"]}
        made = as_made(self.states, stack["target"]["pid"])
        self.same([t["lwp"] for t in stack["threads"]], made, "the threads")
        self.runtimes(stack["runtimes"])
        for key in ("target", "runtimes"):
            self.same(omp[key], stack[key], f"{key} of omp")
        told = {t["lwp"]: t for t in omp["threads"]}
        wanted = self.by_lwp(made)
        for thread in stack["threads"]:
            other = told.get(thread["lwp"], {})
            for key in ("name", "omp"):
                self.same(other.get(key), thread[key], f"{key} of {thread['lwp']} in omp")
            if thread["lwp"] in self.truths:
                self.truth(thread, self.truths[thread["lwp"]])
            if thread["lwp"] in wanted:
                self.thread(thread, *wanted[thread["lwp"]])
        self.tasks(omp["tasks"], told)

    def runtimes(self, runtimes):
        """The one that the program uses is there, once, and explained."""
        wanted = "libgomp" if "libgomp" in self.v.words else "libomp"
        self.same([r["kind"] for r in runtimes if r["kind"] == wanted], [wanted], "the runtime")
        for runtime in runtimes:
            if runtime["kind"] == wanted and (not runtime["provider"] or not runtime["status"]):
                self.problems.append(f"provider and status of {runtime}")

    def by_lwp(self, made):
        """{lwp: (its key, what is expected of it)}; those that tell nothing have the order in which they were made."""
        found, rest = {}, list(resolved(self.s.others, self.v))
        for lwp in made:
            told = self.truths.get(lwp)
            if told:
                path = ".".join(str(n) for n in told["ancestors"])
                names = [n for n in (path, f"{path} {told['what']}".strip(), told["what"])
                         if n in self.s.threads]
                self.keys[lwp] = names[0] if names else path
                if names:
                    found[lwp] = (names[0], self.s.threads[names[0]])
                else:
                    self.problems.append(f"thread {path} {told['what']} is not in the table")
            elif rest:
                found[lwp] = (f"thread {lwp}", rest.pop(0))
            else:
                self.problems.append(f"thread {lwp} is not in the table")
        missing = set(self.s.threads) - {key for key, _ in found.values()}
        if missing or rest:
            self.problems.append(f"no thread for {sorted(missing)} and {len(rest)} others")
        return found

    # ------------------------------------------------------------ the truth

    def truth(self, thread, told):
        omp, key = thread["omp"], self.keys.get(thread["lwp"], thread["lwp"])
        if told["level"] < 1:
            self.same(omp["team"], None, f"team of {key}, which is in none")
            return
        self.same((omp["num"], omp["team_size"], omp["level"]),
                  (told["num"], told["sizes"][-1], told["level"]), f"num, size and level of {key}")
        if omp["source"] not in ("ompd", "memory"):
            self.problems.append(f"source of {key} is {omp['source']}")
        if omp["team"] in self.regions:
            self.nest(thread, told, key)
        else:
            self.problems.append(f"{key} is in region {omp['team']}, which omp does not show")
        self.borders(thread, told, key)

    def nest(self, thread, told, key):
        """The regions around a thread have the sizes, and it and its ancestors the numbers, that it
        has told."""
        region, lwp = self.regions[thread["omp"]["team"]], thread["lwp"]
        for level in range(told["level"], 0, -1):
            what = f"of the region of {key} at level {level}"
            number, size = told["ancestors"][level], told["sizes"][level]
            members = region["members"]
            self.same((region["level"], region["size"], len(members)), (level, size, size),
                      f"level, size, members {what}")
            self.same(region["active"], size > 1, f"activity {what}")
            if lwp is not None and number < len(members):
                self.same(members[number], lwp, f"member {number} {what}")
            self.same(members[:1], [region["primary"]], f"primary {what}")
            lwp = region["primary"]
            parent = self.regions.get(region["parent"])
            while parent and parent["league"]:
                parent = self.regions.get(parent["parent"])
            if (level > 1) != (parent is not None):
                self.problems.append(f"parent {what} is {region['parent']}")
                return
            region = parent

    def borders(self, thread, told, key):
        """Each parallel border of the stack is of the next level out."""
        level = told["level"]
        for frame in thread["frames"]:
            border = frame["border"]
            if border and border["kind"] == "parallel" and level > 0:
                self.same((border["level"], border["team_size"]), (level, told["sizes"][level]),
                          f"level and size of a border in {key}")
                level -= 1

    # ------------------------------------------------------------ the table

    def thread(self, thread, key, wanted):
        omp, wait = thread["omp"], thread["wait"]
        told = self.truths.get(thread["lwp"], {"num": -1, "level": -1})
        role = resolved(wanted.role, self.v) or ("initial" if told["level"] == 0 else "primary"
                                                if told["num"] == 0 else "worker")
        self.same(omp["role"], role, f"role of {key}")
        self.same(wait["kind"], resolved(wanted.wait, self.v), f"wait of {key}")
        self.wait(thread, key, wanted)
        if role == "idle":
            self.same(self.shown(thread), [], f"frames and parents of {key}, which is idle")
        else:
            self.stack(thread, key, wanted)

    def wait(self, thread, key, wanted):
        wait = thread["wait"]
        mark = resolved(wanted.mark, self.v)
        if mark:
            expected = place(self.s.program, mark)
            if not self.equal_places(shown_place(wait), expected):
                self.same(shown_place(wait), expected, f"place of the wait of {key}")
        for field in ("name", "object"):
            value = resolved(getattr(wanted, field), self.v)
            if field == "object" and value:
                value = self.objects[value]
            if value:
                self.same(wait[field], value, f"{field} of the wait of {key}")
        holder = resolved(wanted.holder, self.v)
        if holder:
            self.same(self.keys.get(wait["holder"]), holder, f"holder for {key}")
        if wait["kind"] != "none" and wait["source"] not in ("ompd", "memory", "inferred"):
            self.problems.append(f"source of the wait of {key} is {wait['source']}")
        if wait["kind"].endswith(("barrier", " end")) and self.s.program == "omp_joins":
            arrived = sum(told["what"] != "stays" for told in self.truths.values())
            self.same((wait["arrived"], wait["total"]), (arrived, len(self.truths)),
                      f"arrived and total of {key}")
        state = self.states.get(thread["lwp"])
        if state in ("R", "S"):
            self.same(wait["spinning"], state == "R", f"spinning of {key}")

    def stack(self, thread, key, wanted):
        lines = self.shown(thread)
        expected = self.expected(wanted)
        if len(lines) != len(expected) or not all(map(self.equal_places, lines, expected)):
            both = "\n".join(f"  {' ' if self.equal_places(a, b) else '!'} {a:60} | {b}"
                             for a, b in pad(lines, expected))
            self.problems.append(f"stack of {key} (shown | expected):\n{both}")
        # LLVM's library gives a league no region, so nothing leads from its teams to the construct.
        end = "the region that this thread belongs to is not known" if wanted.wait == "teams" else None
        self.same(thread["end"], end, f"end of the stack of {key}")

    def shown(self, thread):
        lines = []
        for frame in thread["frames"]:
            # block() is inlined, and the compilers do not agree whether that is worth a record.
            inlined = function_name(frame["function"]) == "block"
            if frame["kind"] == "user" and not frame["hidden"] and not inlined:
                lines.append(self.frame(frame))
            if frame["border"]:
                lines.append(self.border(frame["border"]))
        return lines

    def frame(self, frame):
        name = function_name(frame["function"])
        if frame["tail_called"]:
            return f"({name})@{shown_place(frame)}" if frame["line"] else f"({name})"
        construct = f" [{frame['construct']}]" if frame["construct"] else ""
        return f"{name}{construct}@{shown_place(frame)}"

    def border(self, border):
        by = ""
        if border["kind"] == "task":
            by = " by " + self.creator(border["creator"])
        return f"-- {border['kind']} {shown_place(border)}{by} --"

    def creator(self, name):
        """ "T.N" as a key of the table. """
        try:
            team, number = (int(n) for n in name.split("."))
            return self.keys[self.regions[team]["members"][number]]
        except (AttributeError, LookupError, ValueError):
            return str(name)

    def expected(self, wanted):
        lines = []
        stack = resolved(wanted.stack, self.v)
        for item in stack:
            item = resolved(item, self.v)
            lines += [item] if isinstance(item, str) else item or ()
        lines = [self.with_place(line) for line in lines]
        return (staying(self.s.program) if wanted.staying else []) + lines

    def equal_places(self, shown, wanted):
        """"FUNCTION@FILE:LINE", where "~" in front of the line stands for near it."""
        if "~" not in wanted:
            return shown == wanted
        exact = wanted.replace("~", "")
        if not self.v.build.startswith("gcc"):
            return shown == exact
        (a, _, line), (b, _, other) = shown.rpartition(":"), exact.rpartition(":")
        return a == b and line.isdigit() and abs(int(line) - int(other)) <= NEAR

    def with_place(self, line):
        border = re.fullmatch(r"-- (\w+) (.*?)( by \S+)? --", line)
        if border:
            kind, mark, by = border.groups()
            return f"-- {kind} {place(self.s.program, mark)}{by or ''} --"
        if "@" not in line:
            return line
        name, mark = line.split("@")
        return f"{name}@{place(self.s.program, mark)}"

    def tasks(self, tasks, told):
        """Every thread of a team has its implicit task; the others are as the table has them."""
        implicit = [t["lwp"] for t in tasks if t["kind"] == "implicit"]
        for lwp, truth in self.truths.items():
            if truth["level"] > 0 and lwp not in implicit:
                self.problems.append(f"no implicit task of {self.keys.get(lwp)}")
        ids = {t["id"] for t in tasks}
        for lwp, thread in told.items():
            if thread["task"] is not None and thread["task"] not in ids:
                self.problems.append(f"thread {lwp} executes {thread['task']}, which is no task")
        wanted = resolved(self.s.tasks, self.v)
        if wanted is None:
            return
        got = sorted(f"{t['kind']} {t['state']} on {self.keys.get(t['lwp'])} at {shown_place(t)}"
                     for t in tasks if t["kind"] != "implicit")
        # Optimised, the first line of a task's function need not be the construct's.
        expected = sorted(f"{resolved(kind, self.v)} {state} on {key} at "
                          f"{place(self.s.program, '~' + resolved(mark, self.v))}"
                          for kind, state, mark, key in wanted)
        if len(got) != len(expected) or not all(map(self.equal_places, got, expected)):
            self.same(got, expected, "the tasks")


def pad(a, b):
    """Pairs of two lists of lines."""
    n = max(len(a), len(b))
    return zip(a + [""] * (n - len(a)), b + [""] * (n - len(b)))
