# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that are called from the prompt: those that never return, and those of Fortran."""

import subprocess

from debugger import *


@cases("called_locks-gcc-O0", "called_locks-clang-O0")
def a_call_that_waits_for_a_held_thread_is_given_up(program):
    said = session(program, "break stop", "run", "print take()", "bt 1", "print two()")
    said("print take()").has(r"^The function waits for something at 0x[0-9a-f]+ in \w+\(\), which thread 2 \(LWP \d+\) "
                             "holds: only another thread can wake it", "^The call is given up")
    said("bt 1").has(r"^#0  stop \(\)")
    said("print two()").has(r"^\$1 = 2$")


@cases("omp_called-gcc-O0", "omp_called-clang-O0")
def who_has_what_a_call_waits_for_is_named(program):
    calls = {"print update()": "critical 'update'.* which thread 2 .LWP \\d+. holds:",
             "print prints()": "the lock of a stream, .* which thread 2 .LWP \\d+. holds:",
             "print sysmalloc(0)": "malloc's lock, .* which thread 2 .LWP \\d+. probably holds .in sysmalloc.:"}
    said = session(program, "break stop", "run", *calls, "print two()", "continue")
    for call, what in calls.items():
        said(call).has("^The function waits for " + what)
    said("print two()").has(r"= 2$")
    said("continue").has("exited normally")


@cases(*(f"called_by_all-{build}" for build in BUILDS))
def conditions_that_call_are_decided_for_each_of_many_threads(program):
    said = session(program, "break visit if is_wanted(n)",
                   'commands\nsilent\nprintf "wanted %d\\n", n\ncontinue\nend', "run", "info breakpoints")
    numbers = [int(n) for n in re.findall(r"^wanted (\d+)$", said.result.out, re.M)]
    equal(sorted(numbers), [n for n in range(200) if n % 7 == 3], "what is told")
    said("info breakpoints").has("breakpoint already hit 29 times")
    expect("exited normally" in said.result.out and "Error in testing" not in said.result.out, str(said.result))


@cases("called_locks-gcc-O0", "called_locks-clang-O0")
def the_end_of_thread_or_process_is_told(program):
    said = session(program, "break stop", "run", "print quit(3)", "print two()", "run", "print leave(1)")
    said("print quit(3)").has(r"exited with code 03", "exited while in a function called from GDB")
    said("print two()").has("without a process")
    said("print leave(1)").has("^The thread that called the function has ended in it")


@cases("called_hard-gcc-O0", "called_hard-clang-O2")
def what_would_end_the_program_is_refused(program):
    said = session(program, "set args filter", "break stop", "run", "print two()", "print number()",
                   "set unsafe-calls on", "print two()", "set may-call-functions off", "print number()", "kill",
                   "set args deep", "set may-call-functions on", "set unsafe-calls off", "run", "print two()")
    said("print two()").has("is under seccomp.*: .set unsafe-calls on. makes such calls all the same")
    said("print number()").has("is under seccomp")
    said("print two()", 2).value("2")
    said("print number()", 2).has("^Cannot call functions in the program: may-call-functions is off")
    said("run", 2).has("SIGSEGV")
    said("print two()", 3).has(r"has \d+ bytes of stack left below 0x[0-9a-f]+, too little for a function")


# With gdb 13 both are interrupted: the function's nap is what the kernel would go on with.
@cases("called_hard-gcc-O0", "called_hard-clang-O2")
def what_a_thread_sleeps_in_goes_on_after_a_call(program):
    calls = ["print two()", "print nap()", "print two()"]
    said = session(program, "break stop", "run", "thread 2", *calls, "thread 3", *calls, "thread 1", "continue")
    said("print two()", 4).value("2")
    said("print nap()", 2).value("0")
    said("continue").has("^nanosleep: done", "^poll: done", "exited normally")


# gdb 13 finds no copy constructor of std::string.
@cases(*(f"called_shapes-{build}" for build in BUILDS))
def objects_are_copied_as_their_class_does(program):
    values = {"take_heavy(3, object, 0.5)": "7", "made": "1", "ended": "1",
              "take_heavy(3, make_heavy(5), 0.5)": "5", "object.self == &object": "true"}
    if "gcc" in program:
        values.update({"take_text(texts.one)": "4", "take_text(texts.other)": "40", "texts.one": '"text"'})
    said = session(program, "break stop", "run", *(f"print {text}" for text in values), "print take_only(single)",
                   "continue")
    for text, value in values.items():
        said(f"print {text}").value(value)
    said("print take_only(single)").has("no code of the copy constructor of only, which may be inlined or deleted")
    said("continue").has("exited normally")


@cases("called_shapes-gcc-O0", "called_shapes-clang-O2")
def lists_are_assigned_and_cast(program):
    values = {"two_floats_kept = {1.5, 2}": r"\{a = 1\.5, b = 2\}", "two_floats_kept = {two_floats_kept.b}": r"\{a = 2, b = 0\}",
              "nested_kept = {{1, {{2, 3}}}, 4}": r"\{in = \{a = 1, b = \{\{a = 2, b = 3\}\}\}, c = 4\}",
              "chars_kept = {\"abc\"}": r'\{text = "abc\\000\\000\\000"\}', "ints_kept.v = {4, 5}": r"\{4, 5, 0, 0\}",
              "bits_kept = {7, 9, 3, -2}": r"\{a = 7, b = 9, c = 3, d = -2\}", "floats_kept = {1.5}": r"\{f = 1\.5, d = .*\}",
              "(ints){{1, 2}}": r"\{v = \{1, 2, 0, 0\}\}", "{1, 2, 3}": r"\{1, 2, 3\}", "{1.5, 2}[1]": "2", "$l = {1, 2}": r"\{1, 2\}",
              "ints_kept": r"\{v = \{4, 5, 0, 0\}\}"}
    wrong = {"ints_kept.v = {1, 2, 3, 4, 5}": r"^A list of 5 is too long for the type int \[4\], near `= {1, 2, 3, 4, 5}'\.$",
             "floats_kept = {1, 2}": "^A list of 2 is too long for the type floats",
             "chars_kept = {\"12345678\"}": "too long for the type char", "{}": "^What a list is of, the type says"}
    said = session(program, "ptype/o bits_kept", "break stop", "run", *(f"print {text}" for text in [*values, *wrong]))
    said("ptype/o bits_kept").has(r" 0: 3  .* b : 11;$", r" 1: 6  .* c : 40;$", r" 6: 6  .* d : 9;$")
    for text, value in values.items():
        said(f"print {text}").value(value)
    for text, why in wrong.items():
        said(f"print {text}").has(why)


# gdb 13 leaves out what the class inherits.
@cases("cxx_frames-gcc-O0", "cxx_frames-clang-O0")
def tables_of_virtual_functions_are_listed(program):
    said = session(program, "break relax", "run", "info vtbl this", "info vtbl cells", "info vtbl 3", "print this->relax", "print nosuch.relax", "ptype this",
                   "up", "info vtbl s", "whatis s.relax", "kill")
    for command, name in (("info vtbl this", "sim::grid<double, 3>"), ("info vtbl s", "sim::solver")):
        said(command).has(rf"^vtable for '{name}' @ 0x[0-9a-f]+ \(subobject @ 0x[0-9a-f]+\):$", r"^\[1\]: 0x.*~grid\(\)>$",
                          r"^\[2\]: 0x[0-9a-f]+ <sim::grid<double, 3>::relax\(.*\)>$")
    said("info vtbl cells").has("^This object does not have a virtual function table$")
    said("info vtbl 3").has("^This is no object in memory")
    # What is not called is the function.
    said("print this->relax").has(r"= \{\w+ \(.*grid<double, 3> ?\* ?const.*\)\} 0x[0-9a-f]+ <sim::grid<double, 3>::relax\(.*\)>$")
    said("print nosuch.relax").has('^No symbol "nosuch" in current context')
    said("whatis s.relax").has(r"^type = \w+ \(.*\* ?const.*\)$")
    said("ptype this").has_not(r"void grid")


# gdb 13 leaves errno and the mask of signals as the function did.
@cases(*(f"called_hard-{build}" for build in BUILDS))
def what_a_function_leaves_of_a_thread_is_put_back(program):
    own = ["print $ymm9.v4_int64", "print $st0", "print $mxcsr", "print $fctrl"]
    said = session(program, "break stop", "run", *own, "print spoil()", *own, "print $_errno", "print errno", "set var errno = 1", "break tell",
                   "break spoil", "print spoil()", "print spoil()", "return", "print spoil()", "up 2", "return", *own, "continue", "continue")
    for what in own:
        value = re.sub(r"^\$\d+ = ", "", said(what).text.strip())
        expect(value, what)
        for nth in (2, 3):
            said(what, nth).value(re.escape(value))
    said("return").has(r"^#0  spoil")
    said("return", 2).has(r"^#0  stop \(\)")
    said("print $_errno").value("7")
    said("print errno").value("1")
    said("continue", 2).has("^errno: 1, blocked: 0$")


# gdb 13 stops where the function has jumped to.
@cases(*(f"called_hard-{build}" for build in BUILDS))
def a_function_that_leaves_by_longjmp_has_not_been_called(program):
    said = session(program, "break stop", "run", "print leap(3)", "bt", "info threads", "print two()", "continue")
    said("print leap(3)").has(r"^The function has left by longjmp\(\) to a frame that was there", r"^\(leap.*\) will be abandoned")
    said("bt").has(r"^#0  stop \(\)", r"^#1 .* main \(").has_not("called from")
    said("info threads").has(r"^\* 1 .* stop \(\)")
    said("print two()").value("2")
    said("continue").has("exited normally")


@cases("chain-gcc-O0", "chain-clang-O2")
def a_program_goes_on_where_it_was_when_ompdb_dies_in_a_call(name):
    program = start(name)
    ours = subprocess.Popen([OMPDB, "-nx", "-q", "-p", str(program.pid), "-ex", "print (int)pause()"],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: in_pause(program.pid), "the call")
    finally:
        ours.kill()
        ours.wait()
    wait_for(lambda: tracer(program.pid) == 0, "the tracer's end")
    program.untouched()
    program.finish()


@cases("chain-gcc-O0")
def a_program_that_is_let_go_in_a_called_function_goes_on_where_it_was(name):
    program = start(name)
    result = ompdb("-nx", "-q", "-p", program.pid, "-ex", "break getppid", "-ex", "print (int)getppid()", "-ex", "bt 1",
                   "-ex", "detach")
    expect("#0  " in result.out and "getppid" in result.out, str(result))
    program.finish()


# gdb 13 passes what is not a variable by reference all the same, and knows no texts and descriptors.
OF_FORTRAN = {
    "add(i, j)": "7", "add(1, 2)": "3", "add(i + 1, j * 2)": "12", "add(add(1, 2), a(3))": "6",
    "add_values(i, 2)": "5", "half(3d0)": r"1\.5", "half(3)": r"1\.5", "twice(c)": r"\(6,8\)",
    "twice((1, 2))": r"\(2,4\)", "invert(.true.)": r"\.FALSE\.",
    "lengths(s, 3, 'xyz')": "533", "lengths('', 3, s)": "35", "last('hi')": "32", "fixed()": "'abcd'",
    "make(5, 6)%y": "6", "squares(3)": r"\(1, 4, 9\)", "sum_shape(m)": "2021",
    "sum_shape(m(:, 1:3:2))": "2014", "sum_of(a, 2)": "3", "first(p)": "1", "given(1, 2)": "201",
    "apply(add, 5)": "10", "area(sh)": "6", "chosen(3, 4)": "7",
    # What needs no call.
    "a + 1": r"\(2, 3, 4\)", "2 * m": r"\(\(2, 4\) \(6, 8\) \(10, 12\)\)", "a - m(1, :)": r"\(0, -1, -2\)",
    "-a(1:2)": r"\(-1, -2\)", "a(3:1:-1) == a": r"\(\.FALSE\., \.TRUE\., \.FALSE\.\)", "(a / 2.0)(3)": r"1\.5",
    "sum(m)": "21", "maxval(a * a)": "9", "all(a > 1)": r"\.FALSE\.", "any(a > 1)": r"\.TRUE\.",
    "c ** 2": r"\(-7,24\)", "c ** (-1)": r"\(0\.12,-0\.16\)", "(3.0, 4.0) ** 0.5": r"\(2,1\)",
    "1.1_wide": r"1\.1000000000000001", "kind(1_wide)": "8",
}
# What an object is, _vptr tells. gdb 13 shows arrays of CLASS(*) as pointers.
NO_MARKS = r"\( shape = \( r = 2 \), marks = <not allocated> \)"
MARKS = rf"{NO_MARKS}, \( shape = \( r = 2 \), marks = \(5, 6\) \), {NO_MARKS}"
OF_A_CLASS = {
    "one%marks": r"\(5, 6\)", "many": rf"\( _data = \({MARKS}\), _vptr = .*", "many(2)%marks(2)": "6",
    "any_of": r"\( _data = \(1\.5, 2\.5\), _vptr = .*", "sum(any_of)": "4", "any_of(2)": r"2\.5", "size(many)": "3",
    "rings(3:1:-1)": rf"\({MARKS}\)",
}
# What is refused, and why.
NOT_OF_FORTRAN = {
    "add(1)": "Too few arguments", "add(1, 2, 3)": "Too many arguments", "add(1, 'a')": "of another type",
    "sum_of(m(1, :), 2)": "without gaps", "sum_shape(a)": "of another rank", "add(a, 1)": "no array",
    "none(1, 2)": "The pointer is not associated", "a + m": "The arrays have different shapes",
    "a(1:2) + a": "The arrays have different shapes", "1_nosuch": 'No symbol "nosuch"',
    "size_of(al)": "allocatable or a pointer", "repeated('ab', 3)": "its caller has to know the size",
}


@cases("called_fortran-gcc-O0", "called_fortran-gcc-O2")
def procedures_of_fortran_are_called(program):
    calls = [f"print {text}" for text in [*OF_FORTRAN, *NOT_OF_FORTRAN]]
    at = line_of("calls", "called_fortran.f90")
    said = session(program, f"break {at}", "run", *calls, "call bump(counted)", "call bump(7)", "print counted",
                   "continue")
    for text, value in OF_FORTRAN.items():
        # What gcc has optimised, or says nothing about, is not passed.
        lost = "|.*optimized out.*" if program.endswith("-O2") else ""
        said(f"print {text}").has(rf"^(\$\d+ = {value}{lost})\.?$")
    for text, why in NOT_OF_FORTRAN.items():
        said(f"print {text}").has(why)
    said("print counted").value("3")
    said("continue").has("exited normally")


@case
def an_argument_that_was_not_passed_is_absent():
    said = session("called_fortran-gcc-O0", "break given", "run", "info args", "print b", "print present(b)",
                   "print present(a)", "print a + b", "set variable b = 1",
                   "break open_ended", "continue", "print rows(1,1)", "print rows(1,2)", "print rows(1,1:2)", "break inside", "continue", "print r", "print len(r)",
                   "print grown", "print len(grown)", *[f"print {text}" for text in OF_A_CLASS], "kill")
    said("run").has(r"given \(a=1, b=<absent>\)")
    said("info args").has("^a = 1$", "^b = <absent>$")
    said("print b").value("<absent>")
    said("print present(b)").value(".FALSE.")
    said("print present(a)").value(".TRUE.")
    for command, place in (("print a + b", r"\+ b"), ("set variable b = 1", "= 1")):
        said(command).has(rf"^Value is not available: absent, near `{place}'\.$")
    # gcc 12 does not describe the upper bound of rows(0:n - 1, *).
    said("print rows(1,1)").value("2")
    for text in ("rows(1,2)", "rows(1,1:2)"):
        said(f"print {text}").has("^Dimension 1 has no bounds")
    # Their lengths are in a variable of the function around, and behind a pointer.
    for text in ("r", "grown"):
        said(f"print {text}").value("'hi   hi   '")
        said(f"print len({text})").value("10")
    for text, value in OF_A_CLASS.items():
        said(f"print {text}").has(rf"^\$\d+ = {value}$")


def shapes_of(source):
    with open(os.path.join(SOURCES, source)) as f:
        return re.findall(r"SHAPE\(ANY, (\w+),", f.read())


# gdb 13 passes and returns some of them wrongly: vectors, what is packed, what is in two registers.
@cases(*(f"called_shapes-{build}" for build in BUILDS))
def values_of_each_shape_are_passed_and_returned(program):
    names = shapes_of("called_shapes.cc")
    calls = [f"print {what}" for n in names for what in (f"{n}_b", f"make_{n}()", f"take_{n}(3, {n}_a, 0.5)")]
    finishes = [c for n in names for c in (f"tbreak make_{n}", "continue", "finish")]
    returns = [c for n in names for c in (f"tbreak make_{n}", "continue", f"return {n}_a")]
    said = session(program, "break stop", "run", *calls, *finishes, *returns, "continue")
    for n, name in enumerate(names):
        value = re.sub(r"^\$\d+ = ", "", said(f"print {name}_b").text.strip())
        expect(value, name)
        said(f"print make_{name}()").value(re.escape(value))
        said(f"print take_{name}(3, {name}_a, 0.5)").value("1")
        said("finish", n + 1).has(rf"^Value returned is \$\d+ = {re.escape(value)}$")
        said("continue", 2 * len(names) + 1).has(rf"^{name} 1$")


@case
def what_a_function_of_no_convention_returns_is_not_known():
    """LLVM changes functions, and marks them. The same mark is put on all of a program of gcc's."""
    text, path = os.path.join(folder(), "marked.s"), os.path.join(folder(), "marked")
    source = "void leave(void) {}\nstatic int work(int n) { leave(); return n * 3; }\nint main(int n, char **v) { return work(n) + !v; }\n"
    subprocess.run([need("gcc"), "-S", "-g", "-O0", "-xc", "-", "-o", text], input=source, text=True, check=True)
    with open(text) as f:
        plain = f.read()
    # DW_AT_prototyped, a flag, becomes DW_AT_calling_convention: DW_CC_nocall.
    marked = plain.replace("\t.uleb128 0x27\n\t.uleb128 0x19\n", "\t.uleb128 0x36\n\t.uleb128 0x21\n\t.sleb128 3\n")
    expect(marked != plain, "no function has that flag")
    with open(text, "w") as f:
        f.write(marked)
    subprocess.run(["gcc", text, "-o", path], check=True)
    said = session(path, "break leave", "run", "up", "finish", "kill")
    said("finish").has(r"^Value returned is \$1 = <not known: the compiler has given the function a calling convention of its own>$")



main()
