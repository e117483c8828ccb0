# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A thread in state D cannot be stopped, and must not be held when it leaves that state: a look is
over for it, too, when it is over."""

import contextlib

from stacks import *

HOUR = 3600 * 1000  # milliseconds: so long a case does not last
WHO = ("leader", "other")


def in_state_d(who, count=4):
    """A program with a thread in state D, and the id of that thread."""
    program = start("d_state", who, count, settled=False)
    [lwp] = [t for t in threads(program.pid) if proc_state(program.pid, t) == "D"]
    return program, lwp


@contextlib.contextmanager
def beside_us(*arguments, stdout=subprocess.DEVNULL):
    """ompdb at work while the case goes on. It is gone in the end: nothing that it traces could
    be killed before."""
    process = subprocess.Popen([OMPDB, *map(str, arguments)], stdin=subprocess.DEVNULL,
                               stdout=stdout, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def let_out(program, beside=None):
    """Lets the thread out of state D. It must be back although ompdb is still there."""
    program.send(b".")
    ready, _, _ = select.select([program.process.stdout], [], [], 10)
    held = {t: tracer(program.pid, t) for t in threads(program.pid) if tracer(program.pid, t)}
    expect(ready, f"the thread is not back, and these have a tracer: {held}")
    word, late = program.process.stdout.readline().split()
    equal(word, b"back", "what the program says")
    if beside:
        equal(beside.poll(), None, "that ompdb is still there")
    print(f"# back after {int(late)} us")


def finish(program):
    for tid in threads(program.pid):
        equal(tracer(program.pid, tid), 0, f"the tracer of thread {tid}")
    wait_for(lambda: asleep(program.pid), "the program to sleep on")
    program.finish()


def look_at_others(program, lwp):
    return look_awaited(program.pid, next(t for t in threads(program.pid) if t != lwp))


@cases(*WHO)
def each_look_gives_an_answer(who):
    program, lwp = in_state_d(who)
    for _ in range(2):
        shown = stacks(program.pid)
        equal(sorted(shown), threads(program.pid), "the threads")
        expect("not stopped" in (shown[lwp]["end"] or ""), f"not said: {shown[lwp]}")
    for options in (("--once",), ("--samples", 4, "--interval", 20)):
        result = ompdb("why", *options, program.pid)
        expect(result.status in (0, 4), f"no answer: {result}")
        expect("trace" not in result.out + result.err, f"ompdb saw itself: {result}")
    let_out(program)
    finish(program)


@cases(*WHO)
def it_leaves_between_two_looks(who):
    program, lwp = in_state_d(who)
    look_is_over = look_at_others(program, lwp)
    with beside_us("why", "--interval", HOUR, program.pid) as ours:
        look_is_over()
        let_out(program, ours)
    finish(program)


@cases(*WHO)
def the_look_after_it_has_left(who):
    program, lwp = in_state_d(who)
    look_is_over = look_at_others(program, lwp)
    with beside_us("why", "--interval", 2000, program.pid, stdout=subprocess.PIPE) as ours:
        look_is_over()
        program.send(b".")
        out, error = ours.communicate(timeout=60)
        expect(ours.returncode in (0, 4) and error == b"", f"no answer: {ours.returncode} {error}")
        expect(b"trace" not in out, f"ompdb saw itself: {out}")
    finish(program)


@cases(*WHO)
def it_leaves_while_nobody_reads(who):
    """The output of so many threads does not fit into the pipe."""
    program, _ = in_state_d(who, 1200)
    with beside_us("stack", "--flat", program.pid, stdout=subprocess.PIPE) as ours:
        select.select([ours.stdout], [], [])
        wait_for(lambda: proc_state(ours.pid) == "S", "ompdb to wait for its reader")
        let_out(program, ours)
        out, error = ours.communicate(timeout=60)
        equal((ours.returncode, error), (0, b""), "status and stderr")
        expect(out.count(b"thread ") >= 1200, "not all threads")
    finish(program)


@cases(*((who, when) for who in WHO for when in ("in a look", "between two looks")))
def ompdb_is_killed(who, when):
    program, lwp = in_state_d(who)
    look_is_over = look_at_others(program, lwp)
    with beside_us("why", "--interval", HOUR, program.pid) as ours:
        if when == "between two looks":
            look_is_over()
        else:
            wait_for(lambda: tracer(program.pid, lwp), "the look to begin")
    wait_for(lambda: not any(tracer(program.pid, t) for t in threads(program.pid)), "its end")
    let_out(program)
    finish(program)


main()
