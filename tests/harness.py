# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of the ompdb binary share: test programs, ompdb runs, waiting, TAP.

A test file is a list of cases and a last line that runs them:

    from harness import *

    @case
    def shows_the_blocked_function():
        program = start("chain-gcc-O0")
        result = ompdb("stack", "--raw", program.pid)
        equal(result.status, 0)
        expect("gamma_leaf" in result.out, "no gamma_leaf")
        program.finish()          # closes its stdin: the program checks itself and must exit 0

    main()

A case fails by an exception, and passes otherwise. Whatever it has started is killed after it.
Every ompdb run is checked for what must never happen: a signal, a sanitizer report, a time-out.
`TESTFILE NAME...` runs only the cases of these names.
"""

import errno
import functools
import itertools
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

OMPDB = os.environ.get("OMPDB", "ompdb")
BUILD = os.path.dirname(os.path.dirname(os.path.abspath(OMPDB)))
TESTPROGS = os.environ.get("TESTPROGS", ".")
SANITIZED = os.environ.get("OMPDB_SANITIZED") == "1"  # ompdb is built with sanitizers
# Each scenario in one variant, each in another one: sanitizers look for other mistakes and take
# their time, and "scripts/test --quick" is for those who wait for it.
FEW = SANITIZED or os.environ.get("OMPDB_QUICK") == "1"
# Two builds run, and have minutes for it: of four rows that are alike the one without sanitizers runs one, and that with
# them one that differs from it in compiler and level, but for every second kind of rows alone. A case that has no rows is
# run by one of the two. What they leave out is run with OMPDB_TURN=1, 2, 3; without OMPDB_SHARED=1 nothing is left out.
WHOLE_RUN = os.environ.get("OMPDB_SHARED") == "1"
OTHERS_RUN_FEW = WHOLE_RUN and not FEW
TURN = int(os.environ.get("OMPDB_TURN", "0"))

_cases = []
_tables, _singles = itertools.count(1), itertools.count()
_programs = []
_folders = []


class Failure(Exception):
    """A case has failed, for a reason that needs no traceback."""


class Skip(Exception):
    """A case cannot run here."""


def case(function):
    """Makes a function a test case, named by it."""
    if _is_ours(next(_singles), True):
        case_of_each_run(function)
    return function


def case_of_each_run(function):
    """The same for what sanitizers cannot run: the other build always does."""
    _cases.append((function.__name__.replace("_", " "), function, ()))
    return function


def repeated(times):
    """How often something is tried that goes wrong at times: less often where each try takes several times as long."""
    return max(1, times // 4) if FEW else times


def _is_ours(turn, alone):
    """Whether this build runs what it is the turn of; alone: no row of it is left to the other build."""
    if not WHOLE_RUN:
        return True
    sanitizers = (turn + TURN // 2) % 2 == 0
    return sanitizers if SANITIZED else not alone or not sanitizers


def share(rows, turn):
    """What this build runs of rows that are alike: all, or one, which differs by turn, or where the other one runs that,
    every fourth from one that differs from it."""
    one = (turn + 2 * TURN) % len(rows) if rows else 0
    if FEW:
        return rows[one:one + 1]
    if not OTHERS_RUN_FEW or len(rows) < 2:
        return rows
    other = len(rows) - 1 - one
    return rows[(other + ((other - one) % 4 == 0)) % 4::4]


def share_of_kind(rows, turn):
    """The same of a kind of rows, of which there are many kinds."""
    return share(rows, turn) if _is_ours(turn, len(rows) == 1) else []


class Shared(tuple):
    """A row for which share() has been asked already."""


def _share_of_alike(rows):
    """Alike are those that differ in compiler, level of optimization or version of libc++ alone."""
    alike = {}
    for at, row in enumerate(rows):
        kind = re.sub(r"(\b(gcc|clang|libc\+\+-\d+)-)?\bO[0-3g]\b", "", repr(row))
        alike.setdefault(at if isinstance(row, Shared) else kind, []).append(row)
    turn = next(_tables)
    return [row for at, group in enumerate(alike.values(), turn)
            for row in (group if isinstance(group[0], Shared) else share_of_kind(group, at))]


def cases(*rows):
    """Makes a function one test case per row: its arguments (a tuple, or a single value)."""

    def add(function):
        for row in _share_of_alike(rows):
            arguments = row if isinstance(row, tuple) else (row,)
            shown = ", ".join(str(a) for a in arguments[:2])
            _cases.append((f"{function.__name__.replace('_', ' ')}: {shown}", function, arguments))
        return function

    return add


def skip(reason):
    raise Skip(reason)


def expect(condition, sentence):
    if not condition:
        raise Failure(sentence)


def equal(got, wanted, what="value"):
    if got != wanted:
        raise Failure(f"{what} is {got!r}, not {wanted!r}")


def skip_without_entry(said):
    """A compiler's programs may call what an older OpenMP runtime does not have: the loader ends them, and says so."""
    missing = re.search(r"symbol lookup error: (\S+): undefined symbol: ((__kmpc|omp|GOMP|GOACC)_\w+)", said)
    if missing:
        skip(f"the runtime is too old for {os.path.basename(missing[1])}: no {missing[2]}")


def need(tool):
    """The path of a program that a case cannot do without."""
    path = shutil.which(tool)
    if not path:
        skip(f"no {tool} here")
    return path


@functools.cache
def release_of(name):
    """The first number of a tool's version."""
    told = run(need(name), "--version").out.splitlines()[0]
    found = re.search(r"\b(\d+)\.\d[\d.]*( |$)", re.sub(r"\(.*?\)", "", told))
    expect(found, f"no release in {told!r}")
    return int(found[1])


def wait_for(predicate, what, seconds=120):
    """Polls until predicate() returns something true, and returns that."""
    deadline = time.monotonic() + seconds
    pause = 0.0005
    while True:
        result = predicate()
        if result:
            return result
        if time.monotonic() > deadline:
            raise Failure(f"waited {seconds} s in vain for {what}")
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def folder(parent=None):
    """A new directory that is removed after the case."""
    _folders.append(tempfile.mkdtemp(prefix="ompdb-test-", dir=parent))
    return _folders[-1]


# ---------------------------------------------------------------------------- processes


def status_field(pid, tid, field):
    try:
        with open(f"/proc/{pid}/task/{tid or pid}/status", errors="replace") as f:
            return re.search(rf"^{field}:\s*(.*)$", f.read(), re.M).group(1)
    except (OSError, AttributeError):
        return None


def proc_state(pid, tid=None):
    """The letter of a thread's state as in proc(5): R S D T t Z; None: there is none."""
    text = status_field(pid, tid, "State")
    return text[0] if text else None


READ, PAUSE = 0, 34  # system calls of x86-64


def in_call(pid, call, tid=None):
    """Whether a thread, the first one if not said, is in that system call."""
    with open(f"/proc/{pid}/task/{tid or pid}/syscall") as f:
        return f.read().startswith(f"{call} ")


def in_pause(pid):
    """Whether its first thread is in pause(2)."""
    return in_call(pid, PAUSE)


def tracer(pid, tid=None):
    """Who traces a thread; 0: nobody."""
    return int(status_field(pid, tid, "TracerPid") or 0)


def threads(pid):
    """The thread ids of a process, in ascending order."""
    try:
        return sorted(int(name) for name in os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return []


def as_made(lwps, pid):
    """Thread ids of process pid in the order in which they were made: numbers begin anew behind the greatest."""
    return sorted(lwps, key=lambda lwp: (lwp < (pid or 0), lwp))


def asleep(pid):
    """Whether all threads of a process sleep or have ended."""
    return all(proc_state(pid, tid) in ("S", "Z", None) for tid in threads(pid))


def children(pid):
    found = []
    for tid in threads(pid):
        try:
            with open(f"/proc/{pid}/task/{tid}/children") as f:
                found += [int(word) for word in f.read().split()]
        except OSError:
            pass
    return found


class Program:
    """A running program whose stdin we hold, which is what keeps it alive."""

    def __init__(self, argv, env=None, **popen):
        self.argv = [str(a) for a in argv]
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                self.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                env=dict(os.environ, **(env or {})), **popen)
        except OSError as e:
            if e.errno == errno.ENOEXEC:
                skip(f"{os.path.basename(self.argv[0])} cannot run on this machine")
            raise
        self.pid = self.process.pid
        # Many spin while they wait: whoever has something to do goes first.
        os.setpriority(os.PRIO_PROCESS, self.pid, 10)
        _programs.append(self)

    def wait_ready(self, seconds=300):
        """Waits for the line "ready", and keeps what came before it as self.said."""
        line, deadline = b"", time.monotonic() + seconds
        out = self.process.stdout.fileno()
        while not line.endswith(b"ready\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([out], [], [], left)[0]:
                raise Failure(f"{self.argv[0]} was not ready within {seconds} s")
            byte = os.read(out, 1)
            if not byte:
                self._not_ready()
            line += byte
        self.said = line.decode(errors="replace")

    def _not_ready(self):
        status = self.process.wait()
        if status == 77:
            skip(f"{os.path.basename(self.argv[0])} cannot run on this machine")
        skip_without_entry(self.stderr())
        raise Failure(f"{self.argv[0]} ended with status {status}: {self.stderr()}")

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace").strip()

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def finish(self, status=0, seconds=60):
        """Ends the program by the end of its stdin; its status says what it has noticed."""
        self.process.stdin.close()
        try:
            got = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.argv[0]} did not end within {seconds} s (state "
                          f"{proc_state(self.pid)}, traced by {tracer(self.pid)})") from None
        if got != status:
            skip_without_entry(self.stderr())
            raise Failure(f"{self.argv[0]} ended with status {got}, not {status}: {self.stderr()}")

    def untouched(self, state="S"):
        """Fails unless nobody traces the program and its first thread is in that state."""
        for tid in threads(self.pid):
            equal(tracer(self.pid, tid), 0, f"the tracer of thread {tid}")
        wait_for(lambda: proc_state(self.pid) == state,
                 f"state {state} of {self.argv[0]}, which is {proc_state(self.pid)}", 10)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            try:
                stream.close()
            except OSError:
                pass


def testprog(name):
    """The path of a test program; skips where no compiler could build it."""
    path = os.path.join(TESTPROGS, name)
    if not os.path.exists(path) or not os.path.getsize(path):
        skip(f"{name} is not built: no compiler for it")
    return path


def namespaces(options=("--mount", "--pid", "--fork", "--mount-proc"), trial=("true",)):
    """The start of a command line for new namespaces; skips where nobody can have them."""
    for as_root in ([], ["--map-root-user"]):
        command = [need("unshare"), *as_root, *options]
        if run(*command, *trial).status == 0:
            return command
    skip("new namespaces are not permitted here")


def need_debug_registers():
    """Virtual machines exist where they stop nobody."""
    if debug_registers_stop_nobody():
        skip("debug registers stop nobody on this machine")


@functools.cache
def debug_registers_stop_nobody():
    return run(testprog("debug_registers")).status == 77


def start(name, *arguments, settled=True, **popen):
    """Starts a test program (or the program of a path) and waits until it is ready, and asleep
    unless settled is False."""
    program = Program([name if "/" in name else testprog(name), *arguments], **popen)
    program.wait_ready()
    if settled:
        wait_for(lambda: asleep(program.pid), f"{name} to sleep")
    return program


# ---------------------------------------------------------------------------- ompdb


class Result:
    def __init__(self, argv, status, out, err, seconds):
        self.argv, self.status, self.out, self.err, self.seconds = argv, status, out, err, seconds

    def __str__(self):
        return f"{' '.join(self.argv)}: status {self.status}\n{self.err}{self.out[-4000:]}"

    def refused(self, status, *words):
        """Fails unless ompdb has ended with this status and one sentence which has these words."""
        if self.status != status:
            raise Failure(f"status {self.status}, not {status}: {self}")
        expect(self.out == "", f"output despite the error: {self}")
        expect(self.err.startswith("ompdb: ") and self.err.count("\n") == 1
               and self.err.endswith("\n"), f"not one line 'ompdb: ...': {self}")
        for word in words:
            expect(word in self.err, f"nothing about {word!r}: {self}")


_ASAN_OPTIONS = os.environ.get("ASAN_OPTIONS", "")


def look_for_leaks(wanted):
    """Whether the next ompdb does: it takes longer than all the rest of a short command."""
    if SANITIZED:
        os.environ["ASAN_OPTIONS"] = _ASAN_OPTIONS + f":detect_leaks={int(wanted)}"


_NEVER = re.compile(r"(AddressSanitizer|LeakSanitizer|runtime error:|Assertion .* failed)")


def run(*argv, seconds=300, stdin=subprocess.DEVNULL, **popen):
    """Runs a command and returns its Result."""
    argv = [str(a) for a in argv]
    began = time.monotonic()
    try:
        pipes = {"stdin": stdin, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen}
        done = subprocess.run(argv, timeout=seconds, **pipes)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(argv)}: not done within {seconds} s") from None
    except OSError as e:
        raise Failure(f"{' '.join(argv)}: {e}") from None
    return Result(argv, done.returncode, done.stdout.decode(errors="surrogateescape"),
                  (done.stderr or b"").decode(errors="surrogateescape"), time.monotonic() - began)


def ompdb(*arguments, seconds=300, env=None, **popen):
    """Runs ompdb with arguments and returns its Result. The first one of a case looks for leaks."""
    result = run(OMPDB, *arguments, seconds=seconds, env=dict(os.environ, **(env or {})), **popen)
    look_for_leaks(False)
    expect(result.status >= 0, f"killed by signal {-result.status}: {result}")
    expect(not _NEVER.search(result.err), f"a report of the sanitizers: {result}")
    skip_without_entry(result.out + result.err)
    return result


def core_of(program):
    """Writes a core file of a program without harm to it and returns its path."""
    prefix = os.path.join(folder(), "core")
    result = run(need("gcore"), "-o", prefix, program.pid, seconds=120)
    path = f"{prefix}.{program.pid}"
    expect(os.path.exists(path), f"no core file: {result}")
    return path


def own_core_of(program):
    """The same by ompdb, without sanitizers, which takes a third of the time: where it does not
    matter who writes it."""
    quick = os.path.join(os.path.dirname(TESTPROGS), "src", "ompdb")
    if SANITIZED and not os.path.exists(quick):
        return core_of(program)
    path = os.path.join(folder(), f"core.{program.pid}")
    result = run(quick if SANITIZED else OMPDB, "--batch", "--nx", "-p", program.pid, "--ex",
                 f"generate-core-file {path}")
    expect(result.status == 0 and os.path.exists(path), f"no core file: {result}")
    return path


# ---------------------------------------------------------------------------- running


def clean_up():
    while _programs:
        _programs.pop().kill()
    while _folders:
        shutil.rmtree(_folders.pop(), ignore_errors=True)


def _run_case(function, arguments):
    """What is wrong (None: nothing), and why it was skipped (None: it was not)."""
    look_for_leaks(True)
    try:
        function(*arguments)
    except Skip as e:
        return None, str(e)
    except Failure as e:
        line = traceback.extract_tb(e.__traceback__)[1].lineno
        return f"line {line}: {e}", None
    except Exception:
        return traceback.format_exc(), None
    finally:
        clean_up()
    return None, None


def _stop(signum, frame):
    raise SystemExit(f"stopped by signal {signum}")


def main():
    signal.signal(signal.SIGTERM, _stop)
    wanted = sys.argv[1:]
    chosen = [c for c in _cases if not wanted or any(w in c[0] for w in wanted)]
    failed = 0
    print(f"1..{len(chosen)}", flush=True)
    for number, (name, function, arguments) in enumerate(chosen, 1):
        began = time.monotonic()
        try:
            wrong, skipped = _run_case(function, arguments)
        finally:
            clean_up()
        name = name.replace("#", "").encode("unicode_escape").decode()
        if wrong:
            failed += 1
            print(f"not ok {number} - {name}")
            print("\n".join("# " + line for line in wrong.splitlines()))
        else:
            print(f"ok {number} - {name}" + (f" # SKIP {skipped}" if skipped else ""))
        print(f"# {time.monotonic() - began:.2f} s", flush=True)
    sys.exit(1 if failed else 0)
