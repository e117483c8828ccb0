# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of stacks share: ompdb's JSON, where the marks are, runs as other users."""

import json
from concurrent.futures import ThreadPoolExecutor

from harness import *

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "testprogs")
NOBODY = 65534
CHAIN = (("gamma_leaf", "leaf"), ("beta", "beta"), ("alpha", "alpha"), ("main", "main"))


def report(*arguments, **popen):
    """What `ompdb stack --raw --json` prints, which must succeed."""
    result = ompdb("stack", "--raw", "--json", *arguments, **popen)
    expect(result.status == 0 and result.err == "", f"not a clean success: {result}")
    return json.loads(result.out)


def stacks(*arguments, **popen):
    """The same as {lwp: thread}."""
    return {thread["lwp"]: thread for thread in report(*arguments, **popen)["threads"]}


def functions(thread):
    return [frame["function"] for frame in thread["frames"]]


def stack_of(thread):
    return "\n".join(f"  {f['pc']} {f['function']} {f['file']}:{f['line']} {f['module']}"
                     for f in thread["frames"]) + f"\n  end: {thread['end']}"


def line_of(source, mark):
    """The line of a test program's source that has this mark."""
    with open(os.path.join(SOURCES, source)) as f:
        for number, line in enumerate(f, 1):
            if line.rstrip().endswith((f"MARK: {mark}", f"MARK: {mark} */")):
                return number
    raise Failure(f"{source} has no mark {mark}")


def expect_calls(thread, source, calls, lines=True):
    """Fails unless these functions stand in the stack in this order, each at its mark."""
    frames = iter(thread["frames"])
    for function, mark in calls:
        frame = next((f for f in frames if f["function"] == function), None)
        expect(frame, f"no {function} where it belongs:\n{stack_of(thread)}")
        if lines:
            wanted = (source, line_of(source, mark))
            equal((os.path.basename(frame["file"] or ""), frame["line"]), wanted,
                  f"place of {function}")


def expect_chain(thread, lines=True):
    """Fails unless this is the whole stack of testprogs/chain.c."""
    expect_calls(thread, "chain.c", CHAIN, lines)
    equal(thread["end"], None, "what ends the stack")


def copy(name, to=None):
    """A copy of a test program in a folder of its own, which other users may enter."""
    path = os.path.join(folder(), to or name)
    os.chmod(os.path.dirname(path), 0o755)
    shutil.copy(testprog(name), path)
    return path


def libgomp():
    """The path of the OpenMP runtime that programs of gcc use here."""
    program = start("omp_barrier-gcc-O0")
    with open(f"/proc/{program.pid}/maps") as f:
        path = re.search(r"(/\S*/libgomp\.so\.1\S*)$", f.read(), re.M).group(1)
    program.finish()
    return path


def verdict(target, *options, seconds=10, **popen):
    """ompdb on something hostile: it shows stacks or refuses with one sentence, soon."""
    result = ompdb("stack", "--raw", *options, target, seconds=seconds, **popen)
    if result.status != 0:
        result.refused(3)
    return result


def peak(*arguments):
    """The most memory that ompdb had, in MiB; at least what Python has."""
    if SANITIZED:
        skip("sanitizers need memory of their own")
    with open(os.devnull, "wb") as null:
        process = subprocess.Popen([OMPDB, "stack", "--raw", *map(str, arguments)], stdout=null,
                                   stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode in (0, 3), f"status {process.returncode}")
    return usage.ru_maxrss / 1024


def switches(pid, tid):
    """How often a thread has left its processor: one that sleeps does it for a look alone."""
    with open(f"/proc/{pid}/task/{tid}/status") as f:
        return sum(map(int, re.findall(r"ctxt_switches:\s*(\d+)", f.read())))


def look_awaited(pid, tid):
    """A function that waits until a look at a thread that sleeps, after now, is over."""
    before = switches(pid, tid)

    def wait():
        wait_for(lambda: tracer(pid, tid) or switches(pid, tid) != before, "a look", 60)
        wait_for(lambda: not tracer(pid, tid), "the end of the look")

    return wait


def each(function, items):
    """Calls function(item) for all items, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(function, items))


def need_root():
    if os.geteuid() != 0:
        skip("only root can do this")


def ordinary_user():
    """Arguments of Popen for a process without privileges."""
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def ompdb_for_all():
    """The path of an ompdb that every user may run."""
    path = os.path.join(folder(), "ompdb")
    os.chmod(os.path.dirname(path), 0o755)
    shutil.copy(shutil.which(OMPDB), path)
    return path


def as_ordinary_user(*arguments):
    """ompdb, run by a user without privileges."""
    return ompdb(*arguments, executable=ompdb_for_all(), **ordinary_user())
