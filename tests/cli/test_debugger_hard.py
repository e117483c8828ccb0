# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What debuggers stumble over, in sessions: signals into steps, code of the kernel's, its workers."""

from debugger import *


@case
def steps_under_a_fire_of_signals():
    """Each `next` leads to the next line, though a signal comes each millisecond."""
    first, last = (line_of(mark, "hard_steps.c") for mark in ("first", "last"))
    count = 200
    said = session("hard_steps", f"break hard_steps.c:{first}", "handle SIGALRM nostop noprint pass", "run",
                   "delete", *["next"] * count, "print handled > 0", "kill")
    for n in range(1, count + 1):
        lines = [int(line) for line in re.findall(r"^(\d+)\t", said("next", n).text, re.M)]
        # The loop's own line may be one of them.
        expect(len(lines) == 1 and first - 1 <= lines[0] <= last, f"next {n}: {said('next', n).text}")
        if n > 1 and first <= before < last:
            equal(lines[0], before + 1, f"the line after line {before}")
        before = lines[0]
    said("print handled > 0").value("1")


@case
def a_breakpoint_in_the_vdso():
    said = session("live_hard", "set args vdso", "break main", "run", "tbreak __vdso_clock_gettime",
                   "break __vdso_clock_gettime", "ignore 3 1000", "continue", "continue", "info breakpoints")
    said("continue").has(r"Temporary breakpoint 2, .*clock_gettime")
    said("continue", 2).has("exited normally")
    said("info breakpoints").has("already hit 20 times")


@case
def memory_that_others_change_while_it_stands():
    """Another process writes to what is shared with it: the next command shows that."""
    program = start("live_hard", "shared")
    fd = next(n for n in os.listdir(f"/proc/{program.pid}/fd")
              if "memfd:code" in os.readlink(f"/proc/{program.pid}/fd/{n}"))
    look = "x/1xb " + re.search(r"code (0x[0-9a-f]+)", program.said).group(1)
    write = f"shell printf '\\{{:o}}' | dd of=/proc/{program.pid}/fd/{fd} conv=notrunc status=none"
    said = session(None, f"attach {program.pid}", look, write.format(0x90), look, write.format(0xb8), look,
                   "detach")
    for nth, byte in enumerate(("0xb8", "0x90", "0xb8"), 1):
        said(look, nth).has(rf":\s+{byte}$")
    program.finish()


@case
def a_worker_of_io_uring_is_shown_and_let_go():
    """The kernel lists it; it has no registers of user code, and goes on with the others."""
    program = start("iouring")
    said = session(None, f"attach {program.pid}", "info threads", "detach")
    said("attach " + str(program.pid)).has_not("rror")
    said("info threads").has(r'LWP %d "iouring"' % program.pid, r"iou-wrk")
    said("detach").has("detached")
    program.finish()


@case
def who_makes_a_thread_has_a_stack_at_each_instruction():
    """Behind its system call clone3() has no unwind rules."""
    count = 16
    said = session("live_makes", "set args thread 1", "break main", "run", "break clone3", "continue",
                   *["stepi", "backtrace"] * count, "kill")
    if "not defined" in said("break clone3").text:
        raise Skip("this C library makes threads without clone3()")
    for n in range(1, count + 1):
        said("backtrace", n).has(r" in make ", r" main ").has_not("Backtrace stopped")


main()
