# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hard processes: each is shown as it is and goes on as if nothing had been."""

from stacks import *


def look(program, times=1, least_threads=1):
    """Runs ompdb on a program, whose threads must then be untraced. ompdb must not run out of
    patience (10 s) with a thread."""
    for _ in range(repeated(times)):
        shown = stacks(program.pid, seconds=9)
        expect(len(shown) >= least_threads, f"only {len(shown)} threads")
        for tid in threads(program.pid):
            equal(tracer(program.pid, tid), 0, f"the tracer of thread {tid}")


@case
def threads_that_come_and_go():
    program = start("churn", settled=False)
    look(program, 10, least_threads=9)
    program.untouched()
    program.finish()


@cases(("to another thread", "signals", 3), ("to oneself", "raisers", 5))
def signals_that_come_meanwhile(_, name, least_threads):
    program = start(name, settled=False)
    look(program, 20, least_threads)
    program.untouched()
    program.finish()


@case
def processes_that_are_made_meanwhile():
    program = start("forkers", settled=False)
    look(program, 10, least_threads=5)
    program.untouched()
    program.finish()


@case
def system_calls_go_on():
    program = start("blocked_calls")
    look(program, 10, least_threads=6)
    program.untouched()
    program.finish()


def interrupted(program):
    """The names of the calls that have returned EINTR since they were last asked for."""
    wait_for(lambda: asleep(program.pid), "the program to sleep on")
    program.send(b".")
    return program.process.stdout.readline().decode().split()


@case
def system_calls_that_cannot_go_on():
    """They return EINTR, as they do after SIGSTOP and SIGCONT; target.h names them."""
    program = start("interrupted_calls")
    os.kill(program.pid, signal.SIGSTOP)
    wait_for(lambda: all_in_state(program, "T"), "the stop")
    os.kill(program.pid, signal.SIGCONT)
    by_signals = interrupted(program)
    expect("epoll_wait" in by_signals and "pause" not in by_signals, f"they are {by_signals}")
    for _ in range(5):
        look(program)
        equal(interrupted(program), by_signals, "interrupted calls")
    program.untouched()
    program.finish()


@case
def an_exec_again_and_again():
    program = start("exec_loop", settled=False)
    look(program, 10)
    program.untouched()
    program.finish()


def look_between_programs(program):
    """Whether a program that execs right now could be shown; it may as well be refused in a
    sentence, as one that ends, but never hold up ompdb or stay traced."""
    result = verdict(program.pid)
    for tid in threads(program.pid):
        equal(tracer(program.pid, tid), 0, f"the tracer of thread {tid}")
    return result.status == 0


@case
def execs_by_other_threads_again_and_again():
    program = start("exec_race", settled=False)
    times = repeated(100)
    shown = sum(look_between_programs(program) for _ in range(times))
    expect(shown >= times * 0.75, f"only {shown} of {times} looks showed anything")
    program.finish()


@case
def an_exec_by_another_thread_again_and_again():
    """The thread that calls exec takes over the number of the first one, which ends."""
    program = Program([testprog("exec_nonleader"), 100])
    looks = 0
    while not select.select([program.process.stdout], [], [], 0)[0]:
        looks += look_between_programs(program)
    expect(looks >= 1, f"only {looks} looks")
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    look(program, least_threads=5)
    program.untouched()
    program.finish()


@case
def the_first_thread_has_exited():
    program = start("zombie_leader")
    shown = stacks(program.pid)
    equal(sorted(shown), [t for t in threads(program.pid) if t != program.pid], "the threads")
    names = [name for thread in shown.values() for name in functions(thread)]
    equal((names.count("orphan"), names.count("keeper")), (2, 1), "orphans and keepers")
    program.untouched("Z")
    program.finish()


@case
def a_thread_of_a_process_stands_for_it():
    program = start("sleepers", 3)
    equal(sorted(stacks(threads(program.pid)[-1])), threads(program.pid), "the threads")
    program.untouched()
    program.finish()


def all_in_state(program, letter):
    return all(proc_state(program.pid, tid) == letter for tid in threads(program.pid))


@cases("chain-gcc-O0", "omp_barrier-gcc-O2", "zombie_leader")
def a_stopped_process_stays_stopped(name):
    program = start(name)
    letter = proc_state(program.pid)
    os.kill(program.pid, signal.SIGSTOP)
    living = [t for t in threads(program.pid) if proc_state(program.pid, t) != "Z"]
    stopped = lambda: all(proc_state(program.pid, t) == "T" for t in living)
    wait_for(stopped, "the stop")
    for _ in range(3):
        shown = stacks(program.pid)
        equal(sorted(shown), living, "the threads")
        for thread in shown.values():
            expect(thread["frames"], f"thread {thread['lwp']} has no stack")
        program.untouched("T" if letter != "Z" else "Z")
        wait_for(stopped, "all threads to be in state T again", 10)
    os.kill(program.pid, signal.SIGCONT)
    wait_for(lambda: asleep(program.pid), "the program to go on")
    program.finish()


@case
def a_signal_that_waits_is_delivered():
    program = start("sleepers", 4)
    os.kill(program.pid, signal.SIGSTOP)
    wait_for(lambda: all_in_state(program, "T"), "the stop")
    os.kill(program.pid, signal.SIGTERM)
    look(program, least_threads=4)
    program.untouched("T")
    os.kill(program.pid, signal.SIGCONT)
    program.finish(status=-signal.SIGTERM)


@case
def a_32_bit_program():
    program = start("tiny32")
    ompdb("stack", "--raw", program.pid).refused(3, str(program.pid), "32-bit")
    program.untouched()
    program.finish()


@cases("chain-static", "chain-staticpie")
def a_program_without_libraries(name):
    program = start(name)
    expect_chain(stacks(program.pid)[program.pid])
    program.untouched()
    program.finish()


@case
def a_stripped_program_without_libraries():
    walks = []
    for name in ("chain-staticpie", "chain-staticpie_stripped"):
        program = start(name)
        thread = stacks(program.pid)[program.pid]
        equal(thread["end"], None, f"what ends the stack of {name}")
        pcs = [int(f["pc"], 16) for f in thread["frames"] if not f["inline"]]
        walks.append([pc - pcs[0] for pc in pcs])
        program.untouched()
        program.finish()
    equal(walks[1], walks[0], "distances between the frames")


@case
def a_thread_in_uninterruptible_sleep():
    program = start("vfork_d", settled=False)
    result = ompdb("stack", "--raw", program.pid, seconds=5)
    equal(result.status, 0, "status")
    expect("not stopped" in result.out, f"not said that it was not stopped: {result}")
    expect("vfork_d.c:" in result.out, f"no stack of the other thread: {result}")
    program.untouched("D")
    program.finish()


@case
def a_process_that_another_one_traces():
    program = start("traced")
    [child] = children(program.pid)
    wait_for(lambda: asleep(child), "the child to sleep")
    ompdb("stack", "--raw", child).refused(3, "already", str(program.pid), "traced")
    equal(tracer(child), program.pid, "tracer")
    equal(proc_state(child), "S", "state")
    look(program)
    program.untouched()
    program.finish()


@case
def a_program_in_other_namespaces():
    away = folder()
    there = os.path.join(away, "omp_barrier-gcc-O0")
    script = ('mount -t tmpfs none "$1" && cp "$2" "$1" && cp "$3" "$1/libgomp.so.1" &&'
              'LD_LIBRARY_PATH=$1 exec "$4"')
    program = Program([*namespaces(), "sh", "-c", script, "sh", away,
                       testprog("omp_barrier-gcc-O0"), libgomp(), there])
    program.wait_ready()
    equal(os.listdir(away), [], "what can be seen from here")
    [pid] = children(program.pid)
    wait_for(lambda: asleep(pid), "the program to sleep")
    shown = report(pid)
    equal((shown["target"]["exe"], shown["notes"]), (there, []), "path of the program and notes")
    equal(len(shown["threads"]), 4, "number of threads")
    guilty = [t for t in shown["threads"] if "read_block" in functions(t)]
    equal(len(guilty), 1, "threads in read_block")
    expect_calls(guilty[0], "omp_barrier.c", (
        ("read_block", "stuck"), ("load_matrix", "load"), ("compute", "guilty")))
    libraries = {os.path.dirname(f["module"]) for f in shown["threads"][0]["frames"]
                 if f["function"] == "GOMP_parallel"}
    equal(libraries, {away}, "folder of libgomp")
    equal(tracer(pid), 0, "the tracer")
    wait_for(lambda: proc_state(pid) == "S", "the program to sleep on")
    program.finish()


@cases("omp_barrier-gcc-O0", "omp_barrier-clang-O0")
def numbers_of_threads_that_begin_anew(name):
    """The kernel gives small ones again behind the greatest: the first thread has that, and stays the first."""
    script = ('echo $(($(cat /proc/sys/kernel/pid_max) - 3)) > /proc/sys/kernel/ns_last_pid || exit 77; mkfifo "$1/said"\n'
              '"$2" 4 <&3 > "$1/said" 3<&- & read line < "$1/said"\n'
              '"$3" -nx -q -p $! -ex "info threads" -ex "generate-core-file $1/core" -ex detach; "$3" stack --args "$1/core"\n'
              '"$3" -nx -q -c "$1/core" -ex "info threads"; "$3" omp --json $!')
    there = folder()
    told, held = os.pipe()
    try:
        said = run(*namespaces(), "sh", "-c", f"exec 3<&{told}; {script}", "sh", there, testprog(name), OMPDB, pass_fds=[told])
    finally:
        os.close(told), os.close(held)
    if said.status == 77:
        skip("numbers of processes cannot be chosen here")
    for number in 1, 2, 3, 4:
        equal(len(re.findall(rf"^[ *] {number} +0\.{number - 1} ", said.out, re.M)), 2, f"thread {number}, of process and core, in {said}")
    expect("guilty = 2" in said.out, said)
    lwps = [int(lwp) for lwp in re.findall(r'"lwp": ?(\d+)', said.out[said.out.index('"threads"'):])][:4]
    expect(lwps[0] == max(lwps) and lwps[1:] == sorted(lwps[1:]), f"threads are {lwps}")


@cases(64, 512, 2048)
def many_threads(count):
    program = start("sleepers", count)
    shown = stacks(program.pid)
    equal(sorted(shown), threads(program.pid), "the threads")
    equal(len(shown), count, "number of threads")
    place = line_of("sleepers.c", "pause")
    for lwp, thread in shown.items():
        equal(thread["end"], None, f"what ends the stack of {lwp}")
        if lwp != program.pid:
            frames = [f for f in thread["frames"] if f["function"] == "sleeper"]
            equal([f["line"] for f in frames], [place], f"lines of sleeper() in {lwp}")
    program.untouched()
    program.finish()


@case
def a_worker_of_the_kernel():
    program = start("iouring")
    shown = stacks(program.pid)
    equal(sorted(shown), threads(program.pid), "the threads")
    expect_calls(shown.pop(program.pid), "iouring.c", (("main", "main"),))
    for worker in shown.values():
        equal(worker["frames"], [], "frames of the worker")
        expect("kernel" in worker["end"], f"not said what it is: {worker}")
    program.untouched()
    program.finish()


main()
