# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process that a control group has frozen: ompdb does not hang on it and says what it can, and
the process goes on when it is thawed, whether ompdb is still there or not."""

import contextlib

from stacks import *

HOUR = 3600 * 1000  # milliseconds: so long a case does not last


def text_of(path):
    with open(path) as f:
        return f.read()


def set_text(path, text):
    with open(path, "w") as f:
        f.write(text)


class Version1:
    """The freezer of the first version; its tasks are in state D."""
    mount, option = "cgroup", "freezer"

    def __init__(self, path):
        self.path = path

    def freeze(self, wanted):
        file, word = os.path.join(self.path, "freezer.state"), "FROZEN" if wanted else "THAWED"
        set_text(file, word)
        wait_for(lambda: text_of(file).strip() == word, word)


class Version2:
    """Its tasks can be traced: they freeze where they would return from a system call."""
    mount, option = "cgroup2", ""

    def __init__(self, path):
        self.path = path

    def freeze(self, wanted):
        set_text(os.path.join(self.path, "cgroup.freeze"), str(int(wanted)))
        events = os.path.join(self.path, "cgroup.events")
        wait_for(lambda: f"frozen {int(wanted)}" in text_of(events), f"frozen {int(wanted)}")


VERSIONS = {"first version": Version1, "second version": Version2}


def hierarchy(version):
    """Where the groups of that version are; skips if nowhere, or if they cannot be frozen."""
    need_root()
    for line in text_of("/proc/mounts").splitlines():
        _, at, kind, options = line.split()[:4]
        if kind == version.mount and version.option in ("", *options.split(",")):
            return at
    skip(f"no {version.mount} {version.option} is mounted here")


@contextlib.contextmanager
def frozen(version, *command):
    """A program in a group of its own, frozen; and the group. Both are thawed in the end."""
    program = start(*command, settled=False)
    path = os.path.join(hierarchy(version), f"ompdb-test-{os.getpid()}")
    group = version(path)
    try:
        os.mkdir(path)
        set_text(os.path.join(path, "cgroup.procs"), str(program.pid))
        group.freeze(True)
    except OSError as e:
        with contextlib.suppress(OSError):
            os.rmdir(path)
        skip(f"no group can be frozen here: {e}")
    try:
        yield program, group
    finally:
        group.freeze(False)
        if program.process.poll() is None:
            program.kill()
        wait_for(lambda: not text_of(os.path.join(path, "cgroup.procs")), "the group to be empty")
        os.rmdir(path)


def untraced(program):
    for tid in threads(program.pid):
        equal(tracer(program.pid, tid), 0, f"the tracer of thread {tid}")


@cases(*VERSIONS)
def a_look_at_it(version):
    with frozen(VERSIONS[version], "sleepers", 4) as (program, group):
        for _ in range(2):
            shown = stacks(program.pid, seconds=20)
            equal(sorted(shown), threads(program.pid), "the threads")
            for thread in shown.values():
                expect(thread["frames"] or "not stopped" in thread["end"], f"no answer: {thread}")
            untraced(program)
        result = ompdb("why", program.pid, seconds=20)
        expect(result.status in (0, 4) and "trace" not in result.out, f"no answer: {result}")
        untraced(program)
        group.freeze(False)
        wait_for(lambda: asleep(program.pid), "the program to sleep on")
        program.finish()


@cases(*VERSIONS)
def it_is_thawed_between_two_looks(version):
    with frozen(VERSIONS[version], "live_count", 2) as (program, group):
        look_is_over = look_awaited(program.pid, program.pid)
        ours = subprocess.Popen([OMPDB, "why", "--interval", str(HOUR), str(program.pid)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            look_is_over()
            group.freeze(False)
            wait_for(lambda: proc_state(program.pid) == "S", "the program to go on")
            equal(ours.poll(), None, "that ompdb is still there")
            untraced(program)
        finally:
            ours.kill()
            ours.communicate()
        program.finish()


main()
