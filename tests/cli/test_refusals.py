# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ompdb cannot or must not do: one sentence with the remedy, and nothing is harmed."""

import contextlib
import random

from stacks import *


def stack(*arguments, **how):
    return ompdb("stack", "--raw", *arguments, **how)


@contextlib.contextmanager
def beside_us(target, stdout=subprocess.DEVNULL):
    """ompdb at work while the case goes on. It is gone in the end: nothing that it traces could
    be killed before."""
    process = subprocess.Popen([OMPDB, "stack", "--raw", str(target)], stdout=stdout,
                               stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# ---------------------------------------------------------------------------- not permitted


@case
def a_negative_number():
    stack("--", "-1").refused(3, "-1")


@case
def ompdb_itself():
    result = run("sh", "-c", 'exec "$0" stack --raw $$', OMPDB)
    result.refused(3, "ompdb itself")


@case
def the_process_of_another_user():
    need_root()
    program = start("chain-gcc-O0")
    result = as_ordinary_user("stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "root (uid 0)", "as that user or as root")
    program.untouched()
    program.finish()


@case
def ones_own_process_as_an_ordinary_user():
    program = start(copy("chain-gcc-O0"), **ordinary_user())
    result = as_ordinary_user("stack", "--raw", "--json", program.pid)
    equal(result.status, 0, f"status of {result}")
    expect_chain(json.loads(result.out)["threads"][0])
    program.untouched()
    program.finish()


@case
def root_without_the_capability():
    need_root()
    without = [need("setpriv"), "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace", OMPDB]
    program = start("chain-gcc-O0")
    result = run(*without, "stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "CAP_SYS_PTRACE", "--cap-add=SYS_PTRACE")
    program.untouched()
    program.finish()


@case
def a_process_that_must_not_be_dumped():
    path = copy("chain-gcc-O0")
    os.chmod(path, 0o111)  # who may run but not read a program does not get to see its memory
    program = start(path, **ordinary_user())
    result = as_ordinary_user("stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "protected", "run ompdb as root")
    program.untouched()
    if os.geteuid() == 0:
        expect_chain(stacks(program.pid)[program.pid])
        program.untouched()
    program.finish()


@case
def a_process_of_the_same_user_in_another_group():
    need_root()
    program = start(copy("chain-gcc-O0"), user=NOBODY, group=4711, extra_groups=[])
    result = as_ordinary_user("stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "group", "gid 4711", f"gid {NOBODY}", "sg(1)", "as root")
    program.untouched()
    result = ompdb("stack", "--raw", "--json", program.pid, executable=ompdb_for_all(),
                   user=NOBODY, group=4711, extra_groups=[])
    equal(result.status, 0, f"status of {result}")
    program.finish()


@case
def a_process_with_more_capabilities():
    need_root()
    capable = [need("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
               "--inh-caps=+net_raw", "--ambient-caps=+net_raw"]
    program = Program([*capable, copy("chain-gcc-O0")])
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    result = as_ordinary_user("stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "capabilities", "as root")
    program.untouched()
    program.finish()


@case
def root_of_another_user_namespace():
    """Who is root in a container has no capability over what runs outside of it."""
    away = [need("unshare"), "--user", "--map-root-user"]
    if run(*away, "true").status != 0:
        skip("new namespaces are not permitted here")
    program = start("chain-gcc-O0")
    result = run(*away, OMPDB, "stack", "--raw", program.pid)
    result.refused(3, str(program.pid), "user namespace")
    program.untouched()
    program.finish()


@case
def raised_privileges():
    need_root()
    path = ompdb_for_all()
    os.chmod(path, 0o4755)
    result = run(path, "--version", **ordinary_user())
    if result.status == 0:
        skip("set-user-ID programs have no effect in the folder for temporary files")
    result.refused(1, "set-user-ID")


# ---------------------------------------------------------------------------- ending meanwhile


@case
def a_process_that_ends_meanwhile():
    rng = random.Random(1)
    outcomes = set()
    longest = 0.008
    for _ in range(repeated(60)):
        child = subprocess.Popen(["sleep", f"{rng.uniform(0, longest):.4f}"])
        outcomes.add(verdict(child.pid).status)
        longest *= 1 if 0 in outcomes else 1.4  # a busy machine
        equal(child.wait(), 0, "status of the program")
    expect(0 in outcomes, "ompdb was never fast enough")


@case
def a_process_that_is_killed_meanwhile():
    rng = random.Random(2)
    for _ in range(repeated(20)):
        program = start("sleepers", 64)
        with beside_us(program.pid) as ours:
            time.sleep(rng.uniform(0, 0.08 if SANITIZED else 0.02))
            program.process.kill()
            _, error = ours.communicate(timeout=20)
        expect(ours.returncode in (0, 3), f"status {ours.returncode}: {error}")
        expect(error.count(b"\n") <= 1, f"more than one sentence: {error}")
        equal(program.process.wait(20), -signal.SIGKILL, "status of the program")
        program.kill()


# ---------------------------------------------------------------------------- ompdb ends


@cases(("SIGINT", 12), ("SIGTERM", 12), ("SIGKILL", 24))
def ompdb_is_ended_at_its_work(name, times):
    rng = random.Random(name)
    program = start("sleepers", 512)
    for _ in range(repeated(times)):
        with beside_us(program.pid) as ours:
            time.sleep(rng.uniform(0, 0.15 if SANITIZED else 0.03))
            ours.send_signal(signal.Signals[name])
            ours.wait(20)
        wait_for(lambda: asleep(program.pid), "all threads to sleep on", 10)
        program.untouched()
    equal(len(stacks(program.pid)), 512, "number of threads")
    program.untouched()
    program.finish()


@case
def ompdb_is_killed_over_a_stopped_process():
    rng = random.Random(3)
    program = start("sleepers", 64)
    os.kill(program.pid, signal.SIGSTOP)
    stopped = lambda: all(proc_state(program.pid, t) == "T" for t in threads(program.pid))
    wait_for(stopped, "the stop")
    for _ in range(repeated(12)):
        with beside_us(program.pid):
            time.sleep(rng.uniform(0, 0.08 if SANITIZED else 0.015))
        wait_for(stopped, "all threads to be in state T again", 10)
        program.untouched("T")
    os.kill(program.pid, signal.SIGCONT)
    program.finish()


# ---------------------------------------------------------------------------- output


@case
def stdout_is_closed():
    """What ompdb opens must not become its standard output: that might be the target's memory."""
    program = start("chain-gcc-O0")
    result = run("sh", "-c", 'exec "$0" stack --raw "$1" >&-', OMPDB, program.pid)
    result.refused(1, "output", "Bad file descriptor")
    program.untouched()
    program.finish()


@case
def nobody_reads_the_output():
    program = start("sleepers", 512)
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([OMPDB, "stack", "--raw", str(program.pid)], stdout=write_end,
                          stderr=subprocess.PIPE, timeout=60)
    os.close(write_end)
    equal(done.returncode, 1, "status")
    expect(done.stderr.startswith(b"ompdb: ") and done.stderr.count(b"\n") == 1,
           f"not one sentence: {done.stderr}")
    program.untouched()
    program.finish()


@case
def a_reader_that_dawdles_does_not_hold_the_program():
    """Nothing is printed before the program runs again."""
    program = start("sleepers", 512)
    with beside_us(program.pid, stdout=subprocess.PIPE) as ours:
        ours.stdout.read(1)
        wait_for(lambda: proc_state(ours.pid) == "S", "ompdb to wait for its reader")
        program.untouched()
        _, error = ours.communicate(timeout=60)
        equal((ours.returncode, error), (0, b""), "status and stderr")
    program.finish()


# ---------------------------------------------------------------------------- hostile names

ODD = b"x\x1b[31m\n\r\t\x07\x7f\x9b\xff\xc0\xe2\x80\xae\"\\y"


def expect_clean(result):
    """Fails if anything but printable UTF-8 in lines has reached the terminal."""
    for stream in (result.out, result.err):
        odd = [hex(ord(c)) for c in stream
               if ord(c) < 32 and c != "\n" or 0x7f <= ord(c) < 0xa0 or 0xd800 <= ord(c) < 0xe000
               or 0x202a <= ord(c) <= 0x202e or 0x2066 <= ord(c) <= 0x2069]
        expect(not odd, f"characters {odd}: {result!s:.2000}")


def looks_odd(target, *options):
    """The JSON of a target with odd names, after a look at its text as well."""
    text = stack(*options, target)
    expect_clean(text)
    equal(text.status, 0, "status")
    for line in text.out.splitlines():
        expect(re.match(r"$|process |core file |thread |note: |  #|  \(", line), f"odd line {line!r}")
    as_json = stack("--json", *options, target)
    expect_clean(as_json)
    equal((as_json.status, as_json.out.count("\n")), (0, 1), "status and lines")
    return json.loads(as_json.out)


@case
def odd_names_of_threads():
    program = start("odd_names")
    shown = looks_odd(program.pid)
    names = [thread["name"] for thread in shown["threads"]]
    expect(r't\x1b[31mX\x1b[0m"\x0a' in names, f"names are {names}")
    expect(r"\x9b\xff\xc0\"}]" in names, f"names are {names}")
    program.finish()


@cases("program", "core", "core without its program")
def odd_names_of_files(which):
    path = os.path.join(folder().encode(), ODD)
    os.mkdir(path)
    path = os.path.join(path, ODD)
    shutil.copy(testprog("chain-gcc-O0"), path)
    program = start(os.fsdecode(path))
    if which == "program":
        looks_odd(program.pid)
        return program.finish()
    made = own_core_of(program)
    program.finish()
    target = os.path.join(os.path.dirname(made), os.fsdecode(ODD))
    os.rename(made, target)
    if which == "core without its program":
        os.remove(path)
    looks_odd(target)


@case
def odd_names_of_functions():
    path = os.path.join(folder(), "program")
    with open(testprog("chain-gcc-O0"), "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data.replace(b"gamma_leaf", ODD[:10]).replace(b"chain.c", b"\x1b[2J\xff\nc"))
    os.chmod(path, 0o755)
    program = start(path)
    shown = looks_odd(program.pid)
    expect(r"x\x1b[31m\x0a\x0d\x09\x07" in functions(shown["threads"][0]), "not the odd function")
    expect(any(r"\x1b[2J\xff\x0ac" in (f["file"] or "") for f in shown["threads"][0]["frames"]),
           "not the odd file")
    program.finish()


main()
