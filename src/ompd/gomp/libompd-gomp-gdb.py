# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes LLVM's gdb plug-in for OMPD use libompd-gomp.so, on programs whose runtime is libgomp.

    (gdb) source PLUG-IN/ompd/__init__.py
    (gdb) source libompd-gomp-gdb.py
    (gdb) ompd init

The plug-in asks the program for the names of its OMPD libraries, which libgomp does not tell, and learns of
threads from breakpoints, which libgomp does not have. So "ompd init" opens the library that
"set libompd-gomp FILE" or $LIBOMPD_GOMP names, and asks about all threads each time. "ompd parallel" shows
threads of gdb's instead of functions: libgomp does not keep those of implicit tasks. It keeps no frames of
tasks either: with "ompd bt on" stacks are without libgomp's frames, by whose code they are.
"""

import itertools
import os

import gdb
import ompd
import ompdModule
from frame_filter import FrameFilter, OmpdFrameDecoratorThread
from ompd_address_space import ompd_address_space
from ompd_handles import ompd_parallel, ompd_thread


class Library(gdb.Parameter):
    """The OMPD library for libgomp; a name without a slash is searched as shared libraries are."""

    set_doc = show_doc = __doc__

    def __init__(self):
        super().__init__("libompd-gomp", gdb.COMMAND_FILES, gdb.PARAM_OPTIONAL_FILENAME)
        self.value = os.environ.get("LIBOMPD_GOMP", "libompd-gomp.so")


def is_of_libgomp(frame):
    """Of the shared library; or, where the program has it in it, a function that is called as one."""
    library = os.path.basename(gdb.solib_name(frame.pc()) or "")
    return library.startswith("libgomp") or str(frame.name()).lower().startswith("gomp_")


class Filter(FrameFilter):
    """The plug-in's own one asks for frames of tasks."""

    def filter_frames(self, frame_iter):
        return (OmpdFrameDecoratorThread(frame) for frame in frame_iter
                if not is_of_libgomp(frame.inferior_frame()))

    def set_switch_continue(self, on_off):
        if on_off:
            print("Stacks of workers end with the worker: libgomp keeps no frames of tasks.")


class TaskFrames(gdb.Command):
    """Frames of tasks, which libgomp does not keep."""

    def __init__(self):
        super().__init__("ompd taskframes", gdb.COMMAND_STACK)

    def invoke(self, arg, from_tty):
        print('libgomp keeps no frames of tasks; "ompd bt on" shows stacks without its own frames.')


def constructs():
    """Functions of the constructs in the selected frame's one."""
    function = gdb.selected_frame().function()
    name = function.linkage_name.split("._omp_fn.")[0] if function else ""
    for number in itertools.count():
        try:
            gdb.parse_and_eval(f"&'{name}._omp_fn.{number}'")
        except gdb.error:
            return
        yield f"{name}._omp_fn.{number}"


class Step(gdb.Command):
    """Step, and into the code of a construct where the selected thread comes to it."""

    def __init__(self):
        super().__init__("ompd step", gdb.COMMAND_RUNNING)

    def invoke(self, arg, from_tty):
        begins = [gdb.Breakpoint(f"'{name}'", internal=True) for name in constructs()]
        for begin in begins:
            begin.thread = gdb.selected_thread().num
        try:
            gdb.execute("step")
        finally:
            for begin in begins:
                begin.delete()


class Init(gdb.Command):
    """Open libompd-gomp.so for this program."""

    def __init__(self):
        super().__init__("ompd init", gdb.COMMAND_DATA)

    def invoke(self, arg, from_tty):
        if not gdb.selected_inferior().pid:
            gdb.execute("start")
        name = gdb.parameter("libompd-gomp")
        if ompdModule.ompd_open(name) <= 0:
            raise gdb.GdbError(f"{name} cannot be opened; name it with: set libompd-gomp FILE")
        ompd.addr_space = ompd_address_space()
        ompd.ff = Filter(ompd.addr_space)
        print("Loaded OMPD lib successfully!")


def find_threads():
    """Asks for each thread of gdb's whether it is one of OpenMP's."""
    space = ompd.addr_space
    space.threads = {}
    for thread in gdb.selected_inferior().threads():
        try:
            handle = ompdModule.get_thread_handle(thread.ptid[1], space.addr_space)
        except SystemError:
            continue
        if handle and not isinstance(handle, int):
            space.threads[thread.num] = ompd_thread(handle)


class Threads(gdb.Command):
    """Provide information on threads of current context."""

    def __init__(self):
        super().__init__("ompd threads", gdb.COMMAND_STATUS)

    def invoke(self, arg, from_tty):
        if ompd.init_error():
            return
        selected = gdb.selected_thread()
        find_threads()
        selected.switch()
        ompd.addr_space.list_threads(True)


def gdb_numbers():
    """gdb's numbers of threads, by their pthread_t."""
    return {int.from_bytes(thread.handle(), "little"): thread.num
            for thread in gdb.selected_inferior().threads()}


def print_parallel_region(region, team_size):
    numbers = gdb_numbers()
    for number in range(team_size):
        thread = region.get_thread_in_parallel(number)
        state, wait_id = thread.get_state()
        print(f"{number:6} {'' if number else '(master)':8} {ompd.addr_space.states[state]:<37} "
              f"{wait_id:#x}    gdb thread {numbers.get(thread.get_thread_id(), '?')}")


def get_enclosing_parallel_handle(self):
    """None for an outermost region, where the plug-in expects one of level 0."""
    try:
        return ompdModule.call_ompd_get_enclosing_parallel_handle(self.parallel_handle)
    except SystemError:
        return None


ompd.print_parallel_region = print_parallel_region
ompd_parallel.get_enclosing_parallel_handle = get_enclosing_parallel_handle
Library()
Init()
TaskFrames()
Step()
Threads()
