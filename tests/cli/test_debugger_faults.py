# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input that makes no sense, files that are none, processes that end at the wrong moment: one
sentence, nothing changed, and the session goes on."""

import signal
import stat

from debugger import *


@case
def nothing_but_files_is_written_to():
    pipe = os.path.join(folder(), "pipe")
    os.mkfifo(pipe)
    said = session("session-gcc-O0", "break twice", "run", f"generate-core-file {pipe}",
                   f"save breakpoints {pipe}", f"set logging file {pipe}", "set logging enabled on",
                   "print 1")
    said(f"generate-core-file {pipe}").has(r"^Cannot write a core file: \S+ is a pipe, not a file\.$")
    for command in f"save breakpoints {pipe}", "set logging enabled on":
        said(command).has(r"pipe: No such device or address\.$")
    said("print 1").value("1")
    expect(stat.S_ISFIFO(os.stat(pipe).st_mode), "the pipe was replaced")


@case
def what_printf_prints_is_bounded():
    said = session(None, 'printf "%99999d", 1', 'printf "%.99999d", 1', 'printf "%9999.9d", 1')
    said('printf "%99999d", 1').has("too wide")
    said('printf "%.99999d", 1').has("too wide")
    said('printf "%9999.9d", 1').has("^ +000000001")


@case
def files_that_are_no_cores():
    own = os.path.realpath(folder())
    os.mkdir(os.path.join(own, "dir"))
    said = session(None, "core-file dir", "core-file /bin/sh", "%x", cwd=own)
    said("core-file dir").has(r"^\./dir is a directory, not a file\.$")
    said("core-file /bin/sh").has("^/bin/sh is an executable or a shared library, not a core file")
    said("%x").has(r'^Undefined command: "%x": try "help"\.?$')


KILL_TRACER = ("shell for p in $(cat /proc/$PPID/task/$PPID/children); do "
               "grep -q openmp-tracer /proc/$p/comm && kill -9 $p; done")


@cases("next", "bt -raw", "continue", "run", "kill", "break late", "print $rip", "info threads")
def the_tracer_is_killed(command):
    """Who comes next is told, and the session is as it was before the program ran."""
    said = session("session-gcc-O0", "break twice", "run", KILL_TRACER, command, "next", "run",
                   "bt 1", "kill")
    if command == "run":
        said("run", 2).has("^warning: process [0-9]+ is not traced any longer|process that traced .* has ended")
        said("run", 2).has("hit Breakpoint 1, |^Breakpoint 1, ")
        return
    said("next", 2 if command == "next" else 1).has(r"not being run|process that traced .* has ended")
    said("run", 2).has(r"^(Thread .* hit )?Breakpoint 1, twice \(")
    said("bt 1").has("^#0  twice ")
    said("kill", 2 if command == "kill" else 1).has("killed")


main()
