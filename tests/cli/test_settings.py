# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Settings: each that can be set does what it says; what there is not is refused with a reason."""

from debugger import *

NAMES = [name for name, _ in re.findall(r"^(\S.*?):  (.*)$", run(OMPDB, "-nx", "-q", "-batch", "-ex", "show").out, re.M)]


@case
def all_of_them_are_shown_and_have_help():
    expect(len(NAMES) > 40, f"settings: {NAMES}")
    for name in NAMES:
        said = session(None, f"show {name}", f"help set {name}")
        said(f"show {name}").has(r"\.$|\"$")


@cases(("scalars", r"twice \(n=0\)"), ("all", r"twice \(n=0\)"), ("none", r"twice \(n=\.\.\.\)"),
       ("presence", r"twice \(\.\.\.\)"))
def frame_arguments(value, wanted):
    said = session("session-gcc-O0", f"set print frame-arguments {value}", "break twice", "run", "bt")
    said("run").has(wanted)
    said("bt").has(rf"^#0  {wanted}")


@case
def addresses_are_left_out():
    said = session("session-gcc-O0", "break twice", "run", "set print address off", "bt", "stepi", "set print address on",
                   "bt", "set print nosuch on")
    said("set print nosuch on").has('^(?i:set) print: there is no setting "print nosuch"$')
    said("bt").has(r"^#1  loop \(").has_not("0x")
    said("stepi").has_not(r"^0x")
    said("bt", 2).has(r"^#1  0x[0-9a-f]+ in loop \(")


@case
def a_backtrace_has_a_limit():
    said = session("session-gcc-O0", "break twice if n == 100", "run", "bt", "set backtrace limit 2", "bt",
                   "set backtrace limit unlimited", "bt")
    said("bt").has("^#4  ")
    said("bt", 2).has("^#1  ").has_not("^#2  ")
    said("bt", 3).has("^#4  ")


@case
def instructions_are_written_in_two_ways():
    said = session("session-gcc-O0", "x/2i twice", "set disassembly-flavor intel", "x/2i twice", "show disassembly-flavor")
    said("x/2i twice").has("%rbp")
    said("x/2i twice", 2).has("rbp").has_not("%")
    said("show disassembly-flavor").has('"intel"')


@case
def what_finish_returns_may_be_kept_to_itself():
    said = session("session-gcc-O0", "break twice", "run", "set print finish off", "finish", "print $")
    said("finish").has(r"^Value returned is \$1 = <not displayed>$")
    said("print $").has("= 0$")


@case
def large_values_are_not_printed():
    said = session("session-gcc-O0", "set max-value-size 4", "print table", "print counter", "set max-value-size unlimited",
                   "print table")
    said("print table").has("Value requires 8 bytes, which is more than max-value-size")
    said("print counter").value("0")
    said("print table", 2).value("{1, 2, 3, 4}")


@cases(("on", "PENDING"), ("off", "No breakpoints"))
def locations_that_are_not_known_yet(value, wanted):
    said = session("session-gcc-O0", f"set breakpoint pending {value}", "break nowhere_at_all", "info breakpoints")
    said("info breakpoints").has(wanted)


@case
def list_prints_so_many_lines():
    said = session("session-gcc-O0", "set listsize 3", "list twice")
    equal(len(re.findall(r"^\d+\t", said("list twice").text, re.M)), 3, "lines")


@case
def debug_files_are_looked_for_in_a_folder():
    own = folder()
    for name in ("program", "program.debug"):
        path = os.path.join(own, name)
        with open(testprog("session-gcc-O0"), "rb") as source, open(path, "wb") as copy:
            copy.write(source.read())
        os.chmod(path, 0o755)
    program, debug = os.path.join(own, "program"), os.path.join(own, "program.debug")
    run(need("objcopy"), "--only-keep-debug", debug)
    run("objcopy", "--strip-debug", f"--add-gnu-debuglink={debug}", program)
    os.mkdir(os.path.join(own, "debug"))
    where = os.path.join(own, "debug", own.lstrip("/"))
    os.makedirs(where)
    os.rename(debug, os.path.join(where, "program.debug"))
    said = session(None, f"file {program}", "info line twice", f"set debug-file-directory {own}/debug", f"file {program}",
                   "info line twice")
    said("info line twice").has_not(r"session\.c")
    said("info line twice", 2).has(r"session\.c")


@cases("print demangle off", "non-stop on",
       "can-use-hw-watchpoints 0", "schedule-multiple on")
def what_there_is_not_is_refused_with_a_reason(setting):
    said = session(None, f"set {setting}")
    said(f"set {setting}").has(rf"^Set {setting.rsplit(' ', 1)[0]}: (there is no such setting|it is always \"\w+\"): \w+ .*\.$")


@cases("non-stop off", "can-use-hw-watchpoints 1", "language auto", "verbose off")
def what_it_is_already_may_be_set(setting):
    session(None, f"set {setting}", "show version")(f"set {setting}").has(r"\A\s*\Z")


@case
def libraries_of_a_core_file_are_found_elsewhere():
    """Below another root directory, or in folders that are searched."""
    compiler, own = need("gcc"), folder()
    for name in ("lib", "elsewhere", "root"):
        os.mkdir(os.path.join(own, name))
    with open(os.path.join(own, "library.c"), "w") as f:
        f.write("#include <stdlib.h>\nint in_library(int n)\n{\n\tif (n == 2)\n\t\tabort();\n"
                "\treturn in_library(n + 1) + 1;\n}\n")
    with open(os.path.join(own, "program.c"), "w") as f:
        f.write("int in_library(int n);\nint main(void)\n{\n\treturn in_library(0);\n}\n")
    library, program, core = (os.path.join(own, name) for name in ("lib/libmoved.so", "program", "core"))
    run(compiler, "-g", "-shared", "-fPIC", os.path.join(own, "library.c"), "-o", library)
    run(compiler, "-g", os.path.join(own, "program.c"), "-o", program, library, f"-Wl,-rpath,{own}/lib")
    session(program, "run", f"generate-core-file {core}", "kill")
    os.rename(library, os.path.join(own, "elsewhere/libmoved.so"))

    line = r"in_library \(n=2\) at (\S*/)?library\.c:5"
    said = session(program, f"core-file {core}", "bt", f"set solib-search-path /nosuch:{own}/elsewhere",
                   f"core-file {core}", "bt")
    said("bt").has_not(line).has("in_library")
    said("bt", 2).has(line)
    below = os.path.join(own, "root") + own
    os.makedirs(os.path.join(below, "lib"))
    shutil.copy(os.path.join(own, "elsewhere/libmoved.so"), os.path.join(below, "lib/libmoved.so"))
    said = session(program, f"set sysroot {own}/root", f"core-file {core}", "list in_library",
                   f"set sysroot {own}/nosuch", f"core-file {core}")
    said("list in_library").has(r"^5\t\t\tabort")
    said(f"core-file {core}", 2).has("nosuch: No such file")


main()
