# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` where the cause is not OpenMP's: lost workers, another runtime, what blocks threads
outside of OpenMP, threads that compute, programs in no region, and without OpenMP."""

from why import *


def outside(argument, verdict, class_, chain, says=(), tells=3, **more):
    return hang("why_outside", argument, verdict, class_, chain, says=says, tells=tells, **more)


def external(argument, mark, barrier, says, **more):
    """Thread 1 is blocked outside of OpenMP, the others wait at a barrier."""
    return outside(argument, "waiting", "external",
                   {"0.1": mark, "0.0": barrier, "0.2": barrier}, ("0.1", *says), **more)


BLOCKED = (
    external("in_read", READ, "barrier of read", ("read(0)",)),
    external("in_poll", "poll", "barrier of poll", ("poll",)),
    external("in_sleep", "sleep", "barrier of sleep", ("sleep",), ends=False),
    outside("in_mutex", "waiting", "external",
            {"0.2": READ, "0.0": "barrier of mutex"}, ("0.2", "read(0)"),
            held={"0.1": "0.2"}),
    outside("in_join", "waiting", "external",
            {"reads": READ, "0.1": "join", "0.0": "barrier of join", "0.2": "barrier of join"},
            ("0.1", "pthread_join()", "for the end of thread", "read(0)"), held={"0.1": "reads"}, tells=4),
    # All others wait as well: nobody is left to signal it.
    outside("in_condition", "stuck", "external",
            {"0.1": "condition", "0.0": "barrier of condition", "0.2": "barrier of condition"},
            ("0.1", "condition")),
)

# What the runtime called has jumped into the C library: that is no wait of the runtime's.
JUMPED = (
    hang("omp_tailcalls", "asleep", "waiting", "external",
         {"0.1": "sleep", "0.0": "~region ends with sleep"}, ("0.1", "nanosleep()"), tells=2, ends=False),
    hang("omp_tailcalls", "task_asleep", "waiting", "external",
         {"waits": "task sleeps"}, ("nanosleep()",), tells=1, ends=False),
)

MESSAGE = outside("in_mpi", "waiting", "external",
                  {"0.1": "receive", "0.0": "barrier of receive"}, ("0.1", "MPI_Recv"), tells=2)

MUTEXES = (
    outside("mutex_cycle", "deadlock", "lock-cycle",
            {"0.0": "second mutex", "0.1": "second mutex"}, ("0.0", "0.1", "mutex"),
            held={"0.0": "0.1", "0.1": "0.0"}, tells=2),
    outside("mutex_and_lock", "deadlock", "lock-cycle",
            {"0.0": "lock with mutex", "0.1": "mutex with lock"}, ("0.0", "0.1", "mutex", "lock"),
            held={"0.0": "0.1", "0.1": "0.0"}, tells=2),
    outside("mutex_at_barrier", "deadlock", "lock-cycle",
            {"0.0": "barrier with mutex", "0.1": "mutex before barrier",
             "0.2": "mutex before barrier"}, ("0.0", "mutex", "barrier"),
            held={"0.1": "0.0", "0.2": "0.0"}),
    outside("mutex_twice", "deadlock", "self-deadlock",
            {"0.1": "mutex again", "0.0": "barrier of mutex twice", "0.2": "barrier of mutex twice"},
            ("0.1", "mutex"), held={"0.1": "0.1"}),
    outside("join_with_mutex", "deadlock", "lock-cycle",
            {"0.1": "join", "joined": "joined locks"}, ("0.1", "for the end of thread", "mutex", "held by thread 0.1"),
            held={"joined": "0.1", "0.1": "joined"}, tells=4),
)

COMPUTING = (
    outside("one_computes", "progressing", "imbalance",
            {"0.1": "computes", "0.0": "barrier of computing", "0.2": "barrier of computing"},
            ("0.1",)),
    outside("task_computes", "progressing", "imbalance",
            {"0.1": "computes", "0.0": "taskwait for computing"}, ("0.1",), tells=2, team=2),
    outside("lock_computes", "progressing", "imbalance",
            {"0.1": "computes", "0.0": "lock", "0.2": "lock"}, ("0.1",),
            held={"0.0": "0.1", "0.2": "0.1"}),
)

FLAGS = outside("flags", "stuck", "busy-wait",
                {"0.1": "flag", "0.2": "flag", "0.0": REGION},
                ("busy-wait for a change of 'passed[me - 1]' at", "which nobody has changed"))
FLAG_OF_ONE = outside("flag_of_one", "progressing", "none", {"0.1": "computes"})
ALL_COMPUTE = outside("all_compute", "progressing", "none", {"0.0": "computes"})
MOST_COMPUTE = outside("all_but_one_compute", "progressing", "imbalance",
                       {"0.1": "computes", "0.0": "barrier of one"})
OVERSUBSCRIBED = outside("one_computes", "progressing", "imbalance",
                         {"0.1": "computes", "0.0": "barrier of computing"}, tells=4, team=4)

SERIAL = (
    outside("nothing", "idle", "none", {}),
    outside("not_begun", "idle", "none", {}, tells=1),
    outside("serial_part", "idle", "none", {}, tells=2),
)

GONE = ("0.0", "0.2", "0.1 does not exist")

LOST_WORKERS = (
    hang("why_workers", "exited_region", "stuck", "lost-worker",
         {NOBODY: REGION, "0.0": REGION, "0.2": REGION}, GONE, tells=2),
    hang("why_workers", "exited_barrier", "stuck", "lost-worker",
         {NOBODY: REGION, "0.0": "barrier", "0.2": "barrier"}, GONE, tells=2),
    hang("why_workers", "cancelled", "stuck", "lost-worker",
         {NOBODY: REGION, "0.0": REGION, "0.2": REGION}, GONE, tells=2),
)

ALONE = ("2 of the 3 threads of the team do not exist any more",)
FORKED = (
    hang("why_workers", "forked", "stuck", "lost-worker",
         {NOBODY: "~region of child", "child": "~region of child"}, ALONE, only="gcc"),
    hang("why_workers", "forked_inside", "stuck", "lost-worker",
         {NOBODY: REGION, "child": "barrier of child"}, ALONE, only="gcc"),
    hang("why_workers", "forked_soon", "stuck", "lost-worker",
         {NOBODY: "~region of child", "child": "~region of child"}, ALONE, only="gcc"),
    hang("why_workers", "forked_with_lock", "stuck", "lost-worker",
         {NOBODY: None, "child": "lock in child"}, ("do not exist",), only="gcc"),
    # libomp knows that its workers are not in the child.
    hang("why_workers", "forked", "idle", "none", {}, only="clang"),
)

BOTH = (
    outside("both_lock", "deadlock", "two-runtimes",
            {"0.0 waits": "barrier with lock", "0.0 part": "~why_part.c#part",
             "0.1 part": "lock of part"}, ("lock",)),
    outside("both_compute", "progressing", "imbalance",
            {"0.1 part": "computes", "0.0 part": "~why_part.c#part",
             "0.0 waits": "barrier of both"}),
)


@cases(*rows((*BLOCKED, *JUMPED), NATIVE))
def a_thread_is_blocked_outside_of_openmp(s, v):
    ask(s, v, with_core="O2" in v.words, once=True)


@cases(*rows(MUTEXES, NATIVE))
def mutexes_and_openmp_block_each_other(s, v):
    ask(s, v, with_core="O2" in v.words)


@cases("gcc-O2", "clang-O0")
def threads_have_other_numbers_in_a_pid_namespace(build):
    program = Program([*namespaces(), testprog(f"why_outside-{build}"), "mutex_cycle", 2])
    read_truths(program, 2)
    [pid] = children(program.pid)
    wait_until_it_hangs(pid)
    told = why(pid)
    equal((told["verdict"], told["class"], told["confidence"]), ("deadlock", "lock-cycle", "certain"), told["summary"])
    equal({w["lwp"]: w["holder"]["lwp"] for w in told["waits"]}, dict(zip(threads(pid), threads(pid)[::-1])), "holders")
    program.kill()


@cases(*rows((FLAGS,), NATIVE))
def a_flag_is_waited_for_that_nobody_sets(s, v):
    ask(s, v, with_core=False)


def wait_until_it_looks(program, threads=1):
    """As many of its threads as are given are in such loops, all others sleep."""
    def looks():
        kinds = [w["kind"] for w in why(program.pid, "--once")["waits"]]
        return kinds.count("memory") == threads and "none" not in kinds
    wait_for(looks, "the loops")


@cases("gcc-O2", "clang-O2")
def job_control_has_stopped_it(build):
    """Whatever its threads were at."""
    for scenario in ("one_computes", "serial_part"):
        program = Program([testprog(f"why_outside-{build}"), scenario])
        read_truths(program, 2)
        os.kill(program.pid, signal.SIGSTOP)
        wait_for(lambda p=program: proc_state(p.pid) == "T", "it to stop")
        told = why(program.pid, *QUICK)
        equal((told["verdict"], told["class"], told["confidence"]), ("waiting", "external", "certain"), told["summary"])
        equal(told["summary"], "Waiting: the process is stopped by a signal (state T), until it gets SIGCONT.", "summary")
        program.kill()


OTHER_WAYS = (("0.1", "yields", "told"), ("0.2", "flushes", "told"), ("0.3", "exchanges", "turn"),
              ("0.4", "sleeps for flag", "passed[me + 1]"), ("0.5", "sleeps longer", "passed[me]"),
              ("0.6", "exchanges a byte", "taken"))


@cases(*BUILDS)
def flags_are_looked_at_in_other_ways(build):
    """With sched_yield(), sleep or a flush in between, by way of variables of the thread's own, by a
    compare and swap, of a byte, too. What is looked at is named, and so is who writes there."""
    program = Program([testprog(f"why_outside-{build}"), "flags_otherwise", 7])
    wait_until_it_looks(program, 6)
    told = why(program.pid)
    equal((told["verdict"], told["class"]), ("stuck", "busy-wait"), told["summary"])
    waits = {w["omp"]: (w["kind"], w["line"], w["variable"]) for w in told["waits"]}
    for omp, mark, variable in OTHER_WAYS:
        kind, line, its = waits[omp]
        near = -1 <= line - line_of("why_outside.c", mark) <= 3
        known = its in (variable, re.sub(r"\[.*", "[5]", variable))  # me may be optimized out
        expect(kind == "memory" and known and near, f"thread {omp}: {waits}")
    expect("of 'told' at" in told["summary"], told["summary"])
    writer = f"'told' is written to by its name in publish() at why_outside.c:{line_of('why_outside.c', 'publishes')}."
    expect(writer in told["reasons"], f"{writer}: {told['reasons']}")


@cases("gcc-O2", "clang-O0")
def a_flag_is_waited_for_outside_of_a_region(build):
    """By one who sleeps in between: it is that only where it has been seen to stay as it is."""
    program = Program([testprog(f"why_outside-{build}"), "serial_flag"])
    wait_until_it_looks(program)

    def stays():
        told = why(program.pid, *QUICK)
        equal((told["verdict"], told["class"]), ("idle", "none"), told["summary"])
        expect("busy-waits for a change of 'told' at why_outside.c:" in told["summary"], told["summary"])
        return "which nobody has changed" in told["summary"]
    wait_for(stays, "looks that both see it look")


@cases("gcc-O2", "clang-O0")
def what_is_looked_at_changes(build):
    """By another process: the loop may well come to its end."""
    program = Program([testprog(f"why_outside-{build}"), "counted"])
    wait_until_it_looks(program)
    told = why(program.pid)
    equal(told["verdict"], "progressing", told["summary"])
    expect("busy-waits" in told["summary"] and "nobody" not in told["summary"], told["summary"])


@cases("gcc-O2", "clang-O2")
def threads_that_wait_for_each_other_by_turns(build):
    """One of them may always go on, though all are seen in loops that look at memory."""
    program = Program([testprog(f"why_outside-{build}"), "turns", 2])
    read_truths(program, 2)
    for _ in range(2):
        told = why(program.pid, *QUICK)
        expect(told["verdict"] == "progressing" and "nobody" not in told["summary"], told["summary"])


@cases("gcc-O2", "clang-O0")
def others_than_threads_may_change_what_is_looked_at(build):
    """A signal handler, or a process that has the same memory: then it is no finding."""
    for scenario, who in (("handled", "a signal handler might"), ("shared", "one of them might")):
        program = Program([testprog(f"why_outside-{build}"), scenario])
        wait_until_it_looks(program)
        told = why(program.pid)
        equal((told["verdict"], told["class"]), ("waiting", "external"), told["summary"])
        expect("0.1" in told["summary"] and "which nobody has changed" in told["summary"], told["summary"])
        expect(any(who in r for r in told["reasons"]), told["reasons"])
        writer = f"'replied' is written to by its name .*in on_signal\\(\\) at why_outside.c:{line_of('why_outside.c', 'in the handler')}"
        equal(any(re.match(writer, r) for r in told["reasons"]), scenario == "handled", f"writers: {told['reasons']}")


@case
def one_look_does_not_tell_whether_a_flag_is_set():
    program = Program([testprog("why_outside-gcc-O2"), "flags"])
    wait_until_it_looks(program, 2)
    core = why(own_core_of(program))
    equal((core["verdict"], core["class"]), ("unknown", "none"), core["summary"])
    expect(not any("left to change" in r for r in core["reasons"]), core["summary"])


@cases(*rows((*COMPUTING, FLAG_OF_ONE, ALL_COMPUTE, MOST_COMPUTE), NATIVE))
def it_is_not_hung(s, v):
    ask(s, v, with_core=False)


@cases(*rows((COMPUTING[0], OVERSUBSCRIBED, ALL_COMPUTE), SPINNING))
def it_is_not_hung_and_spins(s, v):
    ask(s, v, with_core=False)


@cases(*rows(SERIAL, NATIVE))
def no_region_is_active(s, v):
    ask(s, v, with_core=False)


@cases(*rows(LOST_WORKERS, NATIVE))
def a_worker_is_gone(s, v):
    ask(s, v, with_core="O2" in v.words, once=True)


@cases(*rows(FORKED, NATIVE))
def a_forked_child_has_no_workers(s, v):
    program = Program([testprog(f"why_workers-{v.build}"), s.argument], env=environment(s, v))
    read_truths(program, 1)
    truths = truths_of(program)
    [child] = truths
    wait_until_it_hangs(child)
    hold(s, v, truths, why(child, *QUICK))


@cases(*rows(BOTH, NATIVE))
def two_runtimes_in_one_process(s, v):
    other = "clang" if "gcc" in v.words else "gcc"
    ask(s._replace(team=testprog(f"why_part-{other}.so")), v, with_core=False)


@cases(*rows([MESSAGE], NATIVE))
def a_message_does_not_arrive(s, v):
    ask(s._replace(team=testprog("fake_mpi.so")), v, with_core="O2" in v.words)


@case
def without_openmp():
    program = start("sleepers", 3)
    told = why(program.pid, *QUICK)
    equal((told["verdict"], told["class"]), ("idle", "none"), "verdict and class")
    expect("OpenMP" in told["summary"], f"nothing about OpenMP: {in_short(told)}")
    program.finish()


@case
def it_ends_between_two_looks():
    """Or before the first: one sentence in either case."""
    program = start("sleepers", 3)
    asking = subprocess.Popen([OMPDB, "why", "--interval", "1000", str(program.pid)], text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    program.finish()
    out, err = asking.communicate(timeout=60)
    expect((asking.returncode, out) == (3, ""), f"status {asking.returncode}: {out}")
    expect(err.count("\n") == 1 and str(program.pid) in err, f"not one sentence: {err}")


def hold(s, v, truths, told):
    """Holds one look at a live process against what is expected."""
    check = WhyCheck(s, Seen(v, "live"), truths, told)
    check.everything()
    expect(not check.problems, "\n".join([*check.problems, in_short(told)]))


main()
