# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ompdb says something else than gdb, on purpose.

A row begins at one command of one scenario: what gdb's facts are is seen by running it; what
ompdb's are to be is written here, for this command and those that follow it. A row that makes no
difference fails the test that it is in, unless gdb is wrong only sometimes. Some are about releases
of a tool, gdb or a compiler, alone: "since" that one, "before" that one. gdb was measured as 13 and 16,
gcc as 12 and 14, clang as 14 and 19.
"""

import fnmatch


class Purpose:
    def __init__(self, scenario, command, reason, *ompdb, builds="*", nth=1, sometimes=False, since=None, before=None):
        """ompdb: its facts at the nth time that the scenario gives this command, and at the next.

        since, before: "gdb 16"."""
        self.scenario, self.command, self.reason, self.ompdb = scenario, command, reason, ompdb
        self.builds, self.nth, self.sometimes = builds, nth, sometimes
        self.since, self.before = since, before


COUNTS = "gdb counts a hit again when a fork stops the step over the breakpoint"
VFORK = "gdb counts hits twice after vfork, and misses them in the parent while the child borrows its memory"
THROWN = "gdb misses the handler that the exception leads to"
JUMPED = "gdb misses the place that longjmp() leads to"
FLAGS = "gdb's step leaks its trap flag into the flags that pushf stores"
TRAPS = "a SIGTRAP that is the program's own is passed to it"
HANDLERS = "a breakpoint is not hit again by coming back to it from a handler"
RESOLVER = "the call of a resolver is no hit of the function that it chooses"
CHOSEN = "gdb does not see which function of another library the loader has chosen"
SELECTED = "a breakpoint has its locations in the process that is selected"
MAY_COME = "a breakpoint that the new program has no place for is pending, not disabled"
REPEATS = "a hit counts once for each arrival, not for each turn of a rep instruction"
NO_LINE = "gdb knows no line for the body of an inlined call that is a part of a loop's statement"
NEW_IMAGE = "gdb 16 may step on in the program that another thread has replaced by exec"
NEW_FRAME = "gdb 16 shows the frame again behind a function that it has skipped"
NO_STATEMENT = "gdb leaves a line out that has code of a template, but no statement in the line table"

OVER = "a step over a construct ends behind it, not in it"
IN_RUNTIME = "where OpenMP is loaded, a thread that waits in a library is shown in the code that called it"

RETURNED = "what a function returns by a tail call is its own value, too"
PAST_MAIN = "who calls main() is not shown, even if the main program of Fortran is inlined into it"
INLINED_ENTRY = "what is inlined has not been entered by the call whose registers gdb looks at"
PARAMETERS = "gdb leaves out the types of the parameters of static functions that are inlined"

OF_BLOCK = "gdb takes an inlined call for the function that it is inlined into"

MORE = "expressions go beyond gdb's: newer C and C++, slices, files without quotes, whole 16 bytes"
BOOLS = "bool is a number: C11 6.3.1.1, C++17 7.6"
STATIC = "a static member is one, in however many bases it is"
INTS = "enumerators and bit-fields are numbers with a sign: C11 6.3.1.1, 6.7.2.2, C++17 7.6"
CHOSEN_ONE = "both sides of ?: have one type: C11 6.5.15"
RTTI = "gdb 13 takes a virtual table for the object"
OF_FORTRAN = "gdb lacks that part of Fortran"
ABSENT = "an argument that was not passed is absent, not a null pointer that cannot be read"
CALLED = "gdb calls no objects, and no operators whose object stands on the right"
WHOLE = "gdb passes the first half of what two registers, or a large one, take"
NOT_BEGUN = "gdb reads what a procedure has not put there yet"
BACKWARDS = "gdb counts the elements of a section that goes backwards from its wrong end"

# What only some releases do.
GDB, GCC, CLANG = "gdb 16", "gcc 14", "clang 19"
PIECES = "gdb 13 takes each piece of an inlined call for another call, and steps out of it"
NEXT_LINE = "gdb 16 refuses a line without code if the next line that has some is of another function"
PRINTERS = "libstdc++'s printers from 14 on leave template arguments out and count what a tuple has from 0"
ROWS = "info line tells of one row of the line table, as in gdb 13; gdb 16 joins those of a line that follow"
SIGNED = "gdb 16 takes what describes a number without a sign for one with a sign"
SILENT = "gdb 16 does not tell of the signal where the call is unwound"
BOUNDS = "of the signals that have them: lengths and bounds of a fault, which gdb 16 leaves out"
LENGTH = "what a pointer points to has a length when it is looked at, not as its type"
BY_NAME = "a pattern does not match clang's names of constructs, which begin with the function's from 19 on; and what it asks the runtime before a body is none of it"

PURPOSES = [
    Purpose("what gdb does not take", "print 1'000'000", MORE, ["value 1000000"], ["value {20, 30, 40}"],
            ["value 8"], ["value 8"], ['value "text"'], ["value 422550200076076467165567735125"]),
    Purpose("what gdb does not take", "print yes + yes", BOOLS, ["value 2"],
            ["value 18446744073709551615"]),
    Purpose("members of several bases", "print both.all", STATIC, ["value 71"], ["value 71"]),
    Purpose("what gdb does not take", "print ONE - 2", INTS, ["value -1"]),
    Purpose("what gdb does not take", "print (0 ? 1.0 : 5) / 2", CHOSEN_ONE, ["value 2.5"], ["value 4294967295"]),
    Purpose("what gdb does not take", "print sizeof(1 ? 1 : 2.0)", CHOSEN_ONE, ["value 8"]),
    Purpose("what gdb takes for numbers without a sign", "run", INTS,
            ["event Breakpoint 1", "at item::check(n=3) @check", "line @check"], ["value -2"], ["value -4"],
            ["event Breakpoint 2", "at item::check(n=5) @check", "line @check"]),
    Purpose("what gdb does not take of C++", "print shade - 5", INTS, ["value -1"]),
    Purpose("what gdb does not take of C++", 'print $_streq(typeid(*p_base).name(), "7derived")', MORE, ["value 1"],
            ["value true"], ["value true"], ["value false"], ["value true"], ["value false"], ["value true"],
            ["value false"], [], [], ["value 3"]),
    Purpose("what gdb does not take of C++", "print int(real) + 1", MORE, ["value 3"], ["value 8"]),
    Purpose("what gdb does not take of C++", "print dynamic_cast<derived *>(p_side) == p_derived", RTTI,
            ["value true"], before=GDB),
    Purpose("what gdb does not take of C++", "print true + true", BOOLS, ["value 2"]),
    Purpose("what gdb does not take of C++", "print const_cast<int &>(fixed) + 1", MORE, ["value 66"], before=GDB),
    *(Purpose("objects that are called", f"print {text}", CALLED, [f"value {value}"])
      for text, value in [("2 * b", "{x = 6, y = 8}"), ("b(5)", "15"), ("times(2) - 2 * n", "0"), ("int(b)", "3")]),
    Purpose("operators of classes are called", "print a.scaled(2.5)", MORE, ["value 2.5"]),
    *(Purpose("vectors are passed and returned", f"print {text}", WHOLE, [f"value {value}"], sometimes=True)
      for text, value in [("twice_four(four)", "{4, 8, 12, 16}"), ("twice_vectors(vectors)", "{v = {20, 24, 28, 32}}"),
                          ("twice_wide(wide)", "28"), ("twice_wide(3)", "6")]),
    Purpose("optional arguments and automatic arrays", "print n", ABSENT, ["value <absent>"]),
    *(Purpose("what gdb does not know of Fortran", f"print {text}", OF_FORTRAN, [f"value {value}"])
      for text, value in [("p%id", "7"), ("c%label", "'the label'"), ("c%id", "7"), ("cp", "'stor'"),
                          ("c%label == 'the label'", ".TRUE."), ("len(c%label)", "9"),
                          ("c%label(5:) // '!'", "'label!'"), ("1_8", "1"),
                          ("many%w", "(1.5, 1.5, 1.5)"), ("many(3:1:-2)%w", "(1.5, 1.5)")]),
    *(Purpose("operators and functions of Fortran", f"print {text}", OF_FORTRAN, [f"value {value}"])
      for text, value in [("-one", "(-1, -2, -3, -4, -5)"), ("one + 1", "(2, 3, 4, 5, 6)")]),
    Purpose("variables of the program around", "print settings",
            "gdb takes what a namelist lists for variables of the innermost procedure",
            ["value ( total = 5, k = 1, ready = .TRUE. )"], ["value 1"]),
    Purpose("arguments that are arrays", "run", NOT_BEGUN,
            ["event Temporary breakpoint 1", "at shapes::adjustable(_s=5) @adjustable_entry", "line @adjustable_entry"],
            ["value <not there yet>"]),
    Purpose("arguments that are arrays", "print x", NOT_BEGUN, ["value <its bounds are not reckoned yet>"],
            ["value <not there yet>"]),
    Purpose("conditions of Fortran", "print x(1)", NOT_BEGUN, ["value 1"]),
    Purpose("an array that goes backwards", "print a(1,2)", BACKWARDS, ["value 6"]),
    Purpose("an array that goes backwards", "print a(2,1)", BACKWARDS, ["value 1"]),
    Purpose("frames of inlined calls", "frame function main", OF_BLOCK,
            ["frame 2 main() @call_calls", "line @call_calls"]),
    Purpose("tail calls: a breakpoint behind them", "finish", RETURNED,
            ["finishing", "at main() @call", "line @call", "finished 5"], builds="gcc-O2"),
    Purpose("procedures of modules", "bt", PAST_MAIN,
            ["frame 0 first_module::change() @first_change", "frame 1 modules() @calls",
             "frame 2 main() @program"], builds="gcc-O2"),
    Purpose("exceptions in optimised code", "run", INLINED_ENTRY,
            ["event Breakpoint 1.3", "at throws(n=0) @throws_if"],
            ["event Breakpoint 1.3", "at throws(n=5) @throws_if"], builds="gcc-O2"),
    Purpose("exceptions in optimised code", "info breakpoints", PARAMETERS,
            ["row 1 breakpoint keep y <MULTIPLE>", "hits 3", "row 1.1 y throws(int) @throw",
             "row 1.2 y throws(int) @call_thrown", "row 1.3 y throws(int) @throws_if",
             "row 2 catchpoint keep y exception throw"], builds="gcc-O2"),
    Purpose("steps in a region", "next", OVER, ["line @loop"], ["line @for"], nth=2, builds="clang-O0"),
    Purpose("threads and their stacks", "info threads", IN_RUNTIME,
            ["thread main thread_turns.c:40", "thread* turn thread_turns.c:13",
             "thread work thread_turns.c:22"], builds="clang-*"),
    Purpose("fork by a thread: the child is followed", "info threads", IN_RUNTIME,
            ["thread forks thread_fork.c:32", "thread* in_child thread_fork.c:12"], builds="clang-*"),
    Purpose("signal sends another one", "signal SIGUSR2", HANDLERS,
            ["event signal SIGUSR1", "at library"], ["refused"], ["refused"]),
    Purpose("the child is kept and selected", "continue", SELECTED,
            ["event Breakpoint 1", "at work(n=10) @work", "line @work"]),
    Purpose("exec finds breakpoints again", "info breakpoints", MAY_COME,
            ["row 1 breakpoint keep y number_of @number_of", "hits 1",
             "row 2 breakpoint keep y <PENDING> before", "hits 1"], nth=2),
    Purpose("an instruction that repeats itself", "info breakpoints", REPEATS,
            ["row 1 breakpoint keep y copy @rep", "hits 3", "ignore 99997"]),
    Purpose("an instruction that sees its own flags", "continue", FLAGS,
            ["event Breakpoint 1"], ["event Breakpoint 1"],
            ["row 1 breakpoint keep y push_flags @pushf", "hits 3"], ["event exited 0"]),

    Purpose("a function that the loader chooses", "info breakpoints", RESOLVER,
            ["row 1 breakpoint keep y chosen @chosen", "hits 1"], sometimes=True),
    Purpose("a function whose resolver is left by longjmp", "info breakpoints", RESOLVER,
            ["row 1 breakpoint keep y main @sets", "hits 1", "row 2 breakpoint keep y chosen @chosen_late", "hits 1"]),
    Purpose("functions of the C library that the loader chooses", "break strlen", CHOSEN,
            ["set Breakpoint 2 in a library"],
            ["row 1 breakpoint keep y main @begins", "hits 1", "row 2 breakpoint keep y library"],
            ["event Breakpoint 2", "at library"], ["frame 1 main(argc=1) @measures", "line @measures"],
            ["event exited 49"], sometimes=True),

    Purpose("own traps", "continue", TRAPS, ["event exited 4"], nth=4),
    Purpose("own traps that pass", "continue", TRAPS,
            ["event Breakpoint 2", "at main() @last", "line @last"], ["event exited 4"]),

    Purpose("the parent is followed", "info breakpoints", COUNTS,
            ["row 1 breakpoint keep y work @work", "hits 2"], sometimes=True),
    Purpose("children have no traps", "info breakpoints", COUNTS,
            ["row 1 breakpoint keep y common @common", "hits 4"], sometimes=True),
    Purpose("fork by a thread: the parent goes on", "info breakpoints", COUNTS,
            ["row 1 breakpoint keep y forks @wait", "hits 1",
             "row 2 breakpoint keep y in_child @in_child"], sometimes=True),
    Purpose("vfork: the parent goes on", "info breakpoints", VFORK,
            ["row 1 breakpoint keep y common @common", "hits 3"], sometimes=True),

    Purpose("next over longjmp into the same function", "next", JUMPED,
            ["line @caught"], ["line @plain_end"]),
    Purpose("step over longjmp", "step", JUMPED,
            ["at plain() @setjmp", "line @setjmp"], ["line @caught"], nth=2),
    Purpose("next over longjmp from below", "next", JUMPED,
            ["at plain() @setjmp", "line @setjmp"], ["line @caught"]),
    Purpose("next over longjmp in the same frame", "next", JUMPED,
            ["line @round"], ["line @rounds_if"],
            ["event Breakpoint 1", "at in_frame() @same_frame", "line @same_frame"], ["line @round"]),
    Purpose("finish out of a function that jumps away", "finish", JUMPED,
            ["finishing", "at plain() @setjmp", "line @setjmp"]),
    Purpose("next over longjmp from a depth", "next", JUMPED, ["line @depth_if"], ["line @depth_end"]),
    Purpose("siglongjmp out of a handler", "next", JUMPED, ["line @signal_if"], ["line @signal_end"]),
    Purpose("a breakpoint before siglongjmp", "next", JUMPED,
            ["at by_signal() @sigsetjmp", "line @sigsetjmp"], ["line @signal_if"], []),
    Purpose("next over a call to nowhere", "next", JUMPED,
            ["at main() @sigsetjmp", "line @sigsetjmp"]),

    Purpose("next over a call that throws to a handler here", "next", THROWN,
            ["line @catch"], ["line @caught"], ["line @catch_end"], []),
    Purpose("a parser: next over what throws to here", "next", THROWN,
            ["line @catch"], ["line @caught"], [], nth=2),
    Purpose("step over a throw", "step", THROWN,
            ["at catches(n=5) @catch", "line @catch"], ["line @caught"], ["line @catch_end"], []),
    Purpose("finish of a function that throws", "finish", THROWN,
            ["finishing", "at catches(n=5) @catch", "line @catch"]),
    Purpose("finish of a function that passes an exception on", "finish", THROWN,
            ["finishing", "at catches(n=5) @catch", "line @catch"]),
    Purpose("tcatch throw and next", "finish", THROWN,
            ["finishing", "at catches(n=5) @catch", "line @catch"]),
    Purpose("next over a throw in the same function", "next", THROWN,
            ["line @local_catch"], ["line @local_caught"], ["line @local_catch_end"], []),
    Purpose("rethrow", "next", THROWN,
            ["line @again_catch"], ["line @again_caught"], ["line @rethrow"], ["line @again_end"],
            ["at nested(n=6) @nested_caught", "line @nested_caught"], ["line @nested_catch_end"], [], builds="gcc-O0"),
    Purpose("rethrow", "next", THROWN,
            ["line @again_catch"], ["line @again_caught"], ["line @rethrow"],
            ["at nested(n=6) @nested_caught", "line @nested_caught"], ["line @nested_catch_end"],
            ["line @nested_end"], [], builds="clang-O0"),

    Purpose("skip a file", "step", NEW_FRAME, ["line 1000 (no source)"], sometimes=True),
    Purpose("next over exec by another thread", "next", NEW_IMAGE, ["event exited 8"], sometimes=True),

    Purpose("iterations of a loop", "break iteration", NO_LINE, ["set Breakpoint 1 @pragma"],
            builds="clang-O2"),
    Purpose("iterations of a loop", "info breakpoints", NO_LINE,
            ["row 1 breakpoint keep y iteration @pragma"], builds="clang-O2"),

    Purpose("templates in optimised code", "break @put", NO_STATEMENT,
            ["set Breakpoint 1 (2 locations)"],
            ["event Breakpoint 1.1", "at Ring<int, 2>::put(value=2) @put"],
            ["frame 0 Ring<int, 2>::put(value=2) @put", "frame 1 main() @ints"],
            ["event Breakpoint 1.1", "at Ring<int, 2>::put(value=4) @put"],
            ["event Breakpoint 1.2", "at Ring<double, 3>::put(value=3) @put"],
            ["row 1 breakpoint keep y <MULTIPLE>", "hits 3", "row 1.1 y Ring<int, 2>::put(int) @put",
             "row 1.2 y Ring<double, 3>::put(double) @put"],
            ["event exited 11"], builds="gcc-O2"),

    Purpose("an optimised interpreter", "next", PIECES,
            ["line @case_dup"], ["line 40 m->steps++;"], ["line @dispatch"], ["line @case_multiply"],
            ["line 40 m->steps++;"], ["line @dispatch"], ["line @halt"], ["line @call"], ["line @call_goto"],
            nth=12, builds="gcc-O2", before=GDB),
    Purpose("pointers to arrays of variable length", "print p", LENGTH,
            ["value (int (*)[variable length]) ADDRESS"], since=GDB),
    Purpose("operators and functions of Fortran", "print 2**(-1)", OF_FORTRAN, ["value 0"], since=GDB),
    *(Purpose("classes of the standard library", f"print {text}", PRINTERS, [f"value {value}"], since=GCC)
      for text, value in [("tuple", 'std::tuple containing = {[1] = 1, [2] = "t", [3] = 2.5}'),
                          ("five", "std::optional<int> = {[contained value] = 5}"),
                          ("no_number", "std::optional<int> [no contained value]"),
                          ("maybe", 'std::optional<std::string> = {[contained value] = "text"}'),
                          ("variant", 'std::variant<int, std::string> [index 1] = {"text"}'),
                          ("number", "std::variant<int, std::string> [index 0] = {3}")]),
    Purpose("classes of the standard library, laid out", "print maybe", PRINTERS,
            ["value std::optional<std::string> = {"], since=GCC),
    Purpose("a called function that gets a signal", "print faults(0)", SILENT,
            ["event signal SIGSEGV", "at faults() @faults", "line @faults"], nth=2, since=GDB),
    Purpose("at a function, a line, an address", "break @add", NEXT_LINE,
            ["set Breakpoint 2 steps.c:33"], ["refused"],
            ["event Breakpoint 1", "at main() @loop", "line @loop"], ["set Breakpoint 3 @loop"],
            ["row 1 breakpoint keep y main @loop", "hits 1", "row 2 breakpoint keep y main steps.c:33", "hits 1",
             "row 3 breakpoint keep y main @loop"],
            ["event exited 7"], ["refused"], ["refused"], ["refused"],
            ["row 1 breakpoint keep y main @loop", "hits 1", "row 2 breakpoint keep y main steps.c:33", "hits 1",
             "row 3 breakpoint keep y main @loop"], builds="gcc-O2", since=GDB),
    Purpose("where there is no code", "break @no_code", NEXT_LINE,
            ["set Breakpoint 2 @choose"],
            ["row 1 breakpoint keep y many @while", "row 2 breakpoint keep y choose @choose"],
            ["event Breakpoint 1", "at many(n=4) @while", "line @while"],
            ["row 1 breakpoint keep y many @while", "hits 1", "row 2 breakpoint keep y choose @choose"],
            ["event Breakpoint 2", "at choose(a=3, b=1) @choose", "line @choose"], since=GDB),
    Purpose("tasks are counted", "break @task", NEXT_LINE,
            ["set Breakpoint 1 omp_tasks.c:15"], [], ["event exited 0"],
            ["row 1 breakpoint keep y main omp_tasks.c:15", "hits 1", "ignore 8"], builds="gcc-O2", since=GDB),
    Purpose("values that are reckoned with types", "print quotient", SIGNED, ["value 2999999985"], ["value 1e+09"],
            since=GDB),
    Purpose("info line and source", "info line @call", ROWS, ["code 43 main+117 main+123"], builds="clang-O0", since=GDB),
    Purpose("info line and source", "info line", ROWS, ["code 18 add+10 add+13"], builds="clang-O0", since=GDB),
    Purpose("breakpoints at names by a pattern", "rbreak main", BY_NAME, ["set Breakpoint 2 omp_for.c:15"],
            ["row 1 breakpoint keep y iteration omp_for.c:10", "row 2 breakpoint keep y main omp_for.c:15"],
            builds="clang-*", since=CLANG),
    Purpose("breakpoints at names of C++ by a pattern", "rbreak run", BY_NAME,
            ["set Breakpoint 1 omp_methods.cc:7"], ["set Breakpoint 2 omp_methods.cc:17"],
            ["set Breakpoint 3 omp_methods.cc:17"],
            ["row 1 breakpoint keep y Solver::run(int) omp_methods.cc:7", "row 2 breakpoint keep y main() omp_methods.cc:17",
             "row 3 breakpoint keep y main() omp_methods.cc:17"], builds="clang-*", since=CLANG),
    Purpose("what the kernel says of a fault", "print $_siginfo._sifields._sigfault", BOUNDS,
            ["value {si_addr = 0x0, _addr_lsb = 0, _addr_bnd = {_lower = 0x0, _upper = 0x0}}"], since=GDB),
    Purpose("what the kernel says of a fault", "print $_siginfo", BOUNDS,
            ["value {si_signo = 10, si_errno = 0, si_code = 1, _sifields = {_pad = {0 <repeats 28 times>}, "
             "_kill = {si_pid = 0, si_uid = 0}, "
             "_timer = {si_tid = 0, si_overrun = 0, si_sigval = {sival_int = 0, sival_ptr = 0x0}}, "
             "_rt = {si_pid = 0, si_uid = 0, si_sigval = {sival_int = 0, sival_ptr = 0x0}}, "
             "_sigchld = {si_pid = 0, si_uid = 0, si_status = 0, si_utime = 0, si_stime = 0}, "
             "_sigfault = {si_addr = 0x0, _addr_lsb = 0, _addr_bnd = {_lower = 0x0, _upper = 0x0}}, "
             "_sigpoll = {si_band = 0, si_fd = 0}, _sigsys = {_call_addr = 0x0, _syscall = 0, _arch = 0}}}"], since=GDB),
]

# Scenarios that end gdb by a signal, from which release on.
CRASHES = {"objects that are called": "gdb 16"}


def is_since(first, release_of):
    """Whether a tool is of that release, or later. release_of(name): its number."""
    name, number = first.split()
    return release_of(name) >= int(number)


def purposes(scenario, build, release_of):
    return [p for p in PURPOSES
            if p.scenario == scenario and any(fnmatch.fnmatch(build, b) for b in p.builds.split())
            and (not p.since or is_since(p.since, release_of)) and not (p.before and is_since(p.before, release_of))]


def crashes(scenario, release_of):
    """Whether gdb is known to end by a signal there."""
    return scenario in CRASHES and is_since(CRASHES[scenario], release_of)


def index_of(row, nth, commands):
    """Which command of a scenario a row is about."""
    found = [i for i, command in enumerate(commands) if command == row]
    return found[nth - 1] if len(found) >= nth else None
