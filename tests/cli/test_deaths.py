# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ompdb dies at its work, in any moment: the program loses no signal and no thread of it is held.
Its front end is killed, or all of its processes. OMPDB_LOOKS=500 lets it die so often."""

import itertools
import random
import statistics

from stacks import *

# With sanitizers a look takes some ten times as long.
DEATHS = int(os.environ.get("OMPDB_LOOKS", 8 if SANITIZED else 24))
SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
COMMANDS = [["stack"], ["why", "--once"]]


def heed_signals():
    """nohup(1) and shells make their children ignore some."""
    for number in SIGNALS[1:]:
        signal.signal(number, signal.SIG_DFL)


def begin(command, pid):
    """ompdb at its work, in a session of its own."""
    return subprocess.Popen([OMPDB, *command, str(pid)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
                            preexec_fn=heed_signals)


def spend(seconds):
    """Sleeps, but for the end: that would take longer."""
    end = time.perf_counter() + seconds
    time.sleep(max(0, seconds - 0.002))
    while time.perf_counter() < end:
        pass


def when_traced(ours, pid):
    """Waits until ompdb holds the first thread, or has ended."""
    while not tracer(pid) and ours.poll() is None:
        pass


def length_of(command, pid):
    """The seconds of a look, and those from its first ptrace(2) to its end."""
    looks = []
    for _ in range(5):
        began = time.perf_counter()
        ours = begin(command, pid)
        when_traced(ours, pid)
        traced = time.perf_counter()
        _, error = ours.communicate(timeout=60)
        equal((ours.returncode, error), (0, b""), "status and stderr of a whole look")
        ended = time.perf_counter()
        looks.append((ended - began, ended - traced))
    return [statistics.median(column) for column in zip(*looks)]


def still_there(program):
    status = program.process.poll()
    expect(status is None, f"the program has ended with status {status}: {program.stderr()}")


def goes_on(program):
    """Fails unless all threads of a program do, soon."""
    held = lambda: [t for t in threads(program.pid)
                    if tracer(program.pid, t) or proc_state(program.pid, t) in ("t", "T")]
    wait_for(lambda: not held(), f"threads {held()} to be let go", 20)


def die(program, ours, number, all_of_it):
    """Whether ompdb was still at its work when it got the signal."""
    try:
        (os.killpg if all_of_it else os.kill)(ours.pid, number)
    except ProcessLookupError:
        pass  # it was faster
    _, error = ours.communicate(timeout=20)
    still_there(program)
    expect(b"Sanitizer" not in error, f"a report of the sanitizers: {error}")
    expect(ours.returncode in (0, -number), f"status {ours.returncode} after {number!r}: {error}")
    return ours.returncode == -number


def die_in_looks(program, command, number, rng, times, lengths):
    """Until it has died so often at its work. Returns the number of looks."""
    whole, rest = lengths
    died = 0
    for look in itertools.count():
        if died == times:
            return look
        expect(look < 10 * times, f"ompdb was too fast: {died} deaths in {look} looks")
        ours = begin(command, program.pid)
        if look % 2:
            when_traced(ours, program.pid)
        spend(rng.uniform(0, rest if look % 2 else whole))
        died += die(program, ours, number, all_of_it=look % 4 >= 2)
        goes_on(program)


@cases(*(" ".join(command) for command in COMMANDS))
def no_signal_is_lost(command):
    """One program lives through all ways to die: it counts its signals at the end."""
    rng = random.Random(command)
    program = start("counted_signals", 10000, settled=False)
    times = -(-DEATHS // (len(COMMANDS) * len(SIGNALS)))
    lengths = length_of(command.split(), program.pid)
    for number in SIGNALS:
        looks = die_in_looks(program, command.split(), number, rng, times, lengths)
        print(f"# died by {number.name} in {times} of {looks} looks")
    program.finish(seconds=120)


main()
