# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ompdb does while a program stands still: nothing but registers, memory and its /proc folder."""

from harness import *

CALL = re.compile(r"^(\d+) +(?:<\.\.\. |\+\+\+ )?(\w+)(?:\(| resumed>| with)(.*)$")
REQUEST = re.compile(r"(PTRACE_\w+), (\d+)")
PATH = re.compile(r'"([^"]*)"')


def calls(*arguments):
    """The system calls of ompdb that trace or take a path, and the ends of its threads, in their
    order: thread, name and the rest."""
    log = os.path.join(folder(), "calls")
    result = run(need("strace"), "-f", "-s", "4096", "-o", log, "-e", "trace=ptrace,%file", OMPDB,
                 *arguments, seconds=120)
    with open(log, errors="replace") as f:
        found = [CALL.match(line) for line in f]
    return result, [match.groups() for match in found if match]


class Watch:
    """Which threads stand still, and which paths are looked at meanwhile."""

    def __init__(self, pid):
        self.own = f"/proc/{pid}/"
        self.tracer, self.standing, self.stops, self.strange = None, set(), 0, []

    def see(self, thread, name, rest):
        request = REQUEST.search(rest) if name == "ptrace" else None
        if request and request[1] == "PTRACE_INTERRUPT":
            self.stops += not self.standing
            self.standing.add(request[2])
            self.tracer = thread
        elif request and request[1] == "PTRACE_DETACH":
            self.standing.discard(request[2])
        elif name == "exited" and thread == self.tracer:
            self.standing.clear()  # the kernel lets go of all that a thread traces when it ends
        elif name != "ptrace" and self.standing:
            path = PATH.search(rest)
            # Without a path it asks about a file that is open.
            if path and path[1] and not path[1].startswith(self.own):
                self.strange.append(f"{name}({rest}")


def watch(program, *arguments):
    result, made = calls(*arguments, str(program.pid))
    seen = Watch(program.pid)
    for call in made:
        seen.see(*call)
    expect(not seen.standing, f"{seen.standing} were not let go")
    expect(not seen.strange, f"{result}: while the program stood still: {seen.strange[:5]}")
    return result, seen.stops


PROGRAMS = ("omp_barrier-gcc-O2", "omp_barrier-clang-O2", "omp_nested-gcc-O0", "omp_nested-clang-O2",
            "chain-debug_frame", "chain-no_eh_hdr", "cxx_frames-gcc-O2")


@cases(*PROGRAMS)
def nothing_is_opened_while_it_stands(name):
    program = start(name)
    for command in (("stack",), ("stack", "--raw"), ("omp", "--icvs")):
        result, stops = watch(program, *command)
        equal(result.status, 0, f"status of {result}")
        equal(stops, 1, f"stops of {result}")
    program.finish()


@case
def what_threads_that_spin_have_in_hand_is_taken_at_once():
    """Locks of libomp's are on its heap: only the stacks lead there."""
    program = start("omp_locks-clang-O2", "lock", 4, settled=False)
    stops = [watch(program, "why", "--once")[1] for _ in range(3)]
    equal(min(stops), 1, f"stops: {stops}")
    program.finish()


@cases("omp_barrier-gcc-O2", "omp_barrier-clang-O2")
def nor_at_later_looks(name):
    program = start(name)
    result, stops = watch(program, "why", "--samples", "3", "--interval", "20")
    expect(result.status in (0, 4), f"status of {result}")
    expect(stops >= 3, f"{result} stopped it {stops} times")
    result, stops = watch(program, "why", "--once")
    equal(stops, 1, f"stops of {result}")
    program.finish()


@cases("omp_locks-gcc-O2", "omp_locks-clang-O2")
def nor_where_locks_are_looked_at(name):
    program = start(name, "lock", "4", settled="clang" not in name)
    for command in (("stack",), ("why", "--once")):
        result, _ = watch(program, *command)
        expect(result.status in (0, 4), f"status of {result}")
    program.finish()


main()
