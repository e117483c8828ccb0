#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the C++ standard library, shown without scripts, also on cores."""

from debugger import *

PROGRAMS = [f"containers-{build}" for build in BUILDS]
# libc++ of all versions that there is something of: even ones at -O0, odd ones at -O2.
LIBCXX = [f"libc++-{version}-O{version % 2 * 2}" for version in range(14, 20)]
FETCHED = os.path.join(TESTPROGS, "..", "fetched")
HELD = {
    "text": '"hello"',
    "nothing": '""',
    "with_nul": r'"a\000b"',
    "brief": "'b' <repeats 15 times>",
    "short_one": "'s' <repeats 22 times>",
    "long_one": "'l' <repeats 23 times>",
    "view": '"hello"',
    "wide": r'L"wide \u00e9"',
    "wide_long": "L'w' <repeats 30 times>",
    "utf16": r'u"a \ud83d\ude00"',
    "utf32": 'U"44444"',
    "utf16_view": r'u"a \ud83d\ude00"',
    "numbers": "std::vector of length 3, capacity 10 = {1, 2, 3}",
    "none": "std::vector of length 0, capacity 0",
    "bits": "std::vector<bool> of length 3, capacity 64 = {true, false, true}",
    "texts": 'std::vector of length 2, capacity 2 = {"a", "b"}',
    "named": 'std::vector of length 2, capacity 2 = {{number = 1, name = "x"}, {number = 2, name = "y"}}',
    "map": 'std::map with 3 elements = {["one"] = 1, ["three"] = 3, ["two"] = 2}',
    "narrow": "std::map with 1 element = {[97 'a'] = 1.5}",
    "empty_map": "std::map with 0 elements",
    "down": "std::map with 2 elements = {[2] = 20, [1] = 10}",
    "multimap": "std::multimap with 2 elements = {[1] = 97 'a', [1] = 98 'b'}",
    "set": "std::set with 2 elements = {[0] = 1.5, [1] = 2.5}",
    "letters": "std::set with 5 elements = {[0] = 97 'a', [1] = 98 'b', [2] = 99 'c', [3] = 100 'd', [4] = 101 'e'}",
    "multiset": "std::multiset with 3 elements = {[0] = 1, [1] = 2, [2] = 2}",
    "hashed": 'std::unordered_map with 1 element = {[7] = "seven"}',
    "hashed_set": "std::unordered_set with 1 element = {[0] = 9}",
    "same_hash": "std::unordered_set with 1 element = {[0] = 4}",
    "hashed_multimap": "std::unordered_multimap with 1 element = {[109 'm'] = 1}",
    "hashed_multiset": "std::unordered_multiset with 2 elements = {[0] = 110 'n', [1] = 110 'n'}",
    "list": "std::__cxx11::list = {[0] = 1, [1] = 2, [2] = 3}",
    "empty_list": "empty std::__cxx11::list",
    "named_list": 'std::__cxx11::list = {[0] = {number = 3, name = "z"}}',
    "forward": "std::forward_list = {[0] = 4, [1] = 5}",
    "empty_forward": "empty std::forward_list",
    "empty_deque": "std::deque with 0 elements",
    "tuple": 'std::tuple containing = {[1] = 1, [2] = "t", [3] = 2.5}',
    "half": "std::tuple containing = {[1] = {<No data fields>}, [2] = 3}",
    "pair": '{first = 1, second = "p"}',
    "five": "std::optional<int> = {[contained value] = 5}",
    "no_number": "std::optional<int> [no contained value]",
    "maybe": 'std::optional<std::string> = {[contained value] = "text"}',
    "variant": 'std::variant<int, std::string> [index 1] = {"text"}',
    "number": "std::variant<int, std::string> [index 0] = {3}",
    "no_pointer": "std::unique_ptr<int> = {get() = 0x0}",
    "with_deleter": "std::unique_ptr<int> = {get() = 0x0}",
    "no_shared": "std::shared_ptr<Named> (empty) = {get() = 0x0}",
    "bitset": "std::bitset = {[0] = 1, [1] = 1, [3] = 1}",
    "small_bitset": "std::bitset = {[1] = 1, [2] = 1}",
    "array": "std::array of length 3 = {7, 8, 9}",
    "atomic": "std::atomic<int> = {4}",
    "atomic_pointer": "std::atomic<int *> = {0x0}",
    "complex": "std::complex<double> = {1 + 2i}",
    "small_complex": "std::complex<float> = {1.5 + -2i}",
    "mutex": "std::mutex (not locked)",
    "thread": "std::thread (not joinable)",
    "no_function": "std::function<int (int)> (empty)",
    "duration": "std::chrono::duration = { 250ms }",
    "valarray": "std::valarray of length 3 = {1, 2, 3}",
}


# ---------------------------------------------------------------------------- programs


def fetched(name, file, *packages):
    """The path of a file in packages that are not installed."""
    result = run(os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "fetch-packages"),
                 os.path.join(FETCHED, name), file, *packages, seconds=300)
    if result.status == 77:
        skip(result.out.strip().removeprefix("skipped: "))
    equal(result.status, 0, "status of fetch-packages")
    return result.out.strip()


def fetched_clang(version):
    """Headers of a version want its compiler, or the one before. Returns it, and its environment."""
    path = fetched(f"clang-{version}", f"llvm-{version}/bin/clang", f"clang-{version}",
                   f"libclang-common-{version}-dev", f"libclang-cpp{version}|libclang-cpp{version}t64",
                   f"libllvm{version}|libllvm{version}t64")
    own = os.path.dirname(os.path.dirname(path))
    libraries = os.path.join(os.path.dirname(own), os.uname().machine + "-linux-gnu")
    return path, {**os.environ, "LD_LIBRARY_PATH": f"{own}/lib:{libraries}"}


def compilers(version):
    """Runners of clang for a version of libc++, with the flags that take it, and what to link with: the
    clang of that version, too, for the headers may be too new for the one that is here."""
    library = fetched(f"libcxx-{version}", f"llvm-{version}/lib/libc++.a",
                      f"libc++-{version}-dev", f"libc++abi-{version}-dev")
    headers = os.path.join(os.path.dirname(library), "..", "include", "c++", "v1")
    flags = ["--driver-mode=g++", "-std=gnu++17", "-pthread", "-nostdinc++", "-isystem", headers]
    libraries = ["-nostdlib++", library, library.replace("libc++", "libc++abi")]

    def runner(path, env=None):
        return lambda arguments: run(path, *flags, *arguments, env=env, seconds=120)

    yield runner(need("clang")), libraries
    yield runner(*fetched_clang(version)), libraries


def compiled(version, *commands):
    """Runs a compiler that understands it all. "LIBRARIES" in a command stands for them."""
    for compiler, libraries in compilers(version):
        for command in commands:
            result = compiler([w for word in command for w in (libraries if word == "LIBRARIES" else [word])])
            if result.status != 0:
                break
        else:
            return
    raise Failure(f"does not compile: {result}")


def built(program):
    """The path of a program; one with libc++ is kept beside the library."""
    library, version, level = re.fullmatch(r"(.*)-(\w+)-(O\d)", program).groups()
    if library != "libc++":
        return testprog(program)
    source, path = os.path.join(SOURCES, "containers.cc"), os.path.join(FETCHED, f"containers-{program}")
    if not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(source):
        compiled(version, ["-g", f"-{level}", source, "-o", path + ".new", "LIBRARIES"])
        os.rename(path + ".new", path)
    return path


# ---------------------------------------------------------------------------- what is shown


def expect_held(program, said, names):
    for name in names:
        shown = re.sub(r"^\$\d+ = ", "", said(f"print {name}").text.strip())
        equal(shown, HELD[name].replace("__cxx11::", "" if "libc++" in program else "__cxx11::"), name)


@cases(*PROGRAMS, *LIBCXX)
def what_they_hold(program):
    """Live, and on a core."""
    path, core = built(program), os.path.join(folder(), "core")
    said = session(path, "break last", "run", "up", *(f"print {name}" for name in HELD), "print shared", "print weak", "print expired",
                   "print -elements 3 -- deque", "print -elements 2 -- larges", "print -elements 3 -- tree",
                   "print tree", "print many", "print function", "print locked", f"generate-core-file {core}", "kill")
    expect_held(program, said, HELD)
    counts = r"\(use count 2, weak count 1\) = \{get\(\) = 0x[0-9a-f]+\}"
    said("print shared").has(rf"std::shared_ptr<Named> {counts}")
    said("print weak").has(rf"std::weak_ptr<Named> {counts}")
    said("print expired").has(r"std::weak_ptr<int> \(expired, weak count 1\) = ")
    said("print -elements 3 -- deque").has(r"= std::deque with 299 elements = \{1, 2, 3\.\.\.\}$")
    said("print -elements 3 -- tree").has(r"= std::set with 300 elements = \{\[0\] = 0, \[1\] = 1, \[2\] = 2\.\.\.\}$")
    said("print -elements 2 -- larges").has(r"= std::deque with 39 elements = \{\{number = 1, .*\{number = 2, .*\.\.\.\}$")
    said("print tree").has(r" \[198\] = 198, \[199\] = 199\.\.\.\}$")
    said("print many").has(r"'x' <repeats 200 times>\.\.\.$")
    said("print function").has(r"std::function<int \(int\)> = \{.*<std::.*twice|std::function<int \(int\)> = \{invoker = 0x")
    said("print locked").has(r"std::mutex \(locked by LWP \d+\)$")
    # The first words about a class take longest; what libraries differ in has been seen live.
    names = list(HELD) if program in PROGRAMS else list(HELD)[::5]
    said = session(None, "up", *(f"print {name}" for name in names), "print 1", options=[path, core])
    expect_held(program, said, names)


@cases(*PROGRAMS)
def as_they_lie_in_memory(program):
    said = session(program, "break last", "run", "up", "print/r numbers", "kill")
    said("print/r numbers").has(r"_M_start = ", r"_M_finish = ")


@cases("containers-gcc-O0")
def wide_text_as_json(program):
    said = ompdb("--json", "-nx", "-q", "-batch", "-ex", "break last", "-ex", "run", "-ex", "up", "-ex", "print wide",
                 "-ex", "print utf16", testprog(program), env={"XDG_STATE_HOME": folder()})
    expect('"string":"wide \u00e9"' in said.out and '"string":"a \U0001f600"' in said.out, said)


def with_declared_strings(library):
    """The path of the program, whose debug information has no more of strings than a declaration."""
    if library == "libstdc++":
        return testprog("declared_strings-clang")
    source, own = os.path.join(SOURCES, "declared_strings.cc"), folder()
    maker, path = os.path.join(own, "maker.o"), os.path.join(own, "program")
    compiled(library.removeprefix("libc++-"), ["-g0", "-DMAKER", "-c", source, "-o", maker],
             ["-g", source, maker, "-o", path, "LIBRARIES"])
    return path


@cases("libstdc++", "libc++-16")
def strings_that_are_only_declared(library):
    path = with_declared_strings(library)
    said = session(path, f"break declared_strings.cc:{line_of('show', 'declared_strings.cc')}", "run", "ptype brief",
                   "print brief", "print wordy", "print names", "print numbers", "print named", "print set", "kill")
    said("ptype brief").has("incomplete type|no data fields")
    said("print brief").has(r": \"hello\"$")
    said("print wordy").has(r": 'w' <repeats 100 times>$")
    said("print names").has(r": std::vector of length 2, capacity 2 = \{\"a\", 'b' <repeats 30 times>\}$")
    said("print numbers").has(r': std::map with 2 elements = \{\["x"\] = 1, \["y"\] = 2\}$')
    said("print named").has(r': std::map with 1 element = \{\[3\] = "three"\}$')
    said("print set").has(r': std::set with 2 elements = \{\[0\] = "one", \[1\] = "two"\}$')


DAMAGED = [
    ("numbers.__end_ = 0", "numbers", "std::vector <damaged: its end lies before its beginning>"),
    ("bits.__size_ = 65", "bits", "std::vector <damaged: it is longer than the room that it has>"),
    ("set.__tree_.__pair3_.__value_ = 5", "set",
     "std::set with 5 elements = {[0] = 1.5, [1] = 2.5, <damaged: it has fewer elements than it says>}"),
    ("letters.__tree_.__pair3_.__value_ = 1", "letters",
     "std::set with 1 element = {[0] = 97 'a', <damaged: it has more elements than it says>}"),
    ("map.__tree_.__begin_node_ = 8", "map",
     "std::map with 3 elements = {[<unavailable>] = <unavailable>, "
     "<damaged: its tree leads to where nothing can be read>}"),
    ("list.__size_alloc_.__value_ = 1", "list", "std::list = {[0] = 1, <damaged: its chain is longer than it says>}"),
    ("list.__end_.__next_->__next_ = 8", "named_list", 'std::list = {[0] = {number = 3, name = "z"}}'),
    ("forward.__before_begin_.__value_.__next_->__next_ = forward.__before_begin_.__value_.__next_", "forward",
     "std::forward_list = {[0] = 4, <damaged: its chain is a circle>}"),
    ("hashed_set.__table_.__p2_.__value_ = 1ull << 60", "hashed_set",
     "std::unordered_set <damaged: its number of elements makes no sense>"),
    ("hashed.__table_.__p2_.__value_ = 2", "hashed",
     'std::unordered_map with 2 elements = {[7] = "seven", <damaged: it has fewer elements than it says>}'),
    ("deque.__size_.__value_ = 1ull << 60", "deque", "std::deque <damaged: it is longer than the room that it has>"),
    ("larges.__map_.__begin_ = 8", "larges", "std::deque with 39 elements <damaged: its buffers cannot be read>"),
    ("((long *)&many)[1] = 1ll << 40", "many",
     "std::basic_string <damaged: it is longer than the room that it has>"),
    ("((long *)&long_one)[2] = 8", "long_one", "std::basic_string <damaged: its text cannot be read>"),
    ("*(unsigned char *)&text = 254", "text", "std::basic_string <damaged: it is longer than the room that it has>"),
    ("variant.__impl_.__index = 2", "variant", "std::variant<int, std::string> <damaged: its index is that of no kind>"),
    ("function.__f_.__f_ = 8", "function", "std::function<int (int)> <damaged: what it calls cannot be read>"),
    ("valarray.__end_ = 0", "valarray", "std::valarray <damaged: its end lies before its beginning>"),
]


@cases("libc++-16-O0")
def what_makes_no_sense_is_said_of_libcxx(program):
    path = built(program)
    damaged = [command for damage, name, _ in DAMAGED
               for command in (f"set var {damage}", f"print -elements unlimited -- {name}")]
    said = session(path, "break last", "run", "up", *damaged, "kill")
    for _, name, wanted in DAMAGED:
        shown = said(f"print -elements unlimited -- {name}").text.strip()
        equal(re.sub(r"^\$\d+ = ", "", shown), wanted, name)


@cases("containers-gcc-O0")
def what_makes_no_sense_is_said(program):
    said = session(program, "break last", "run", "up",
                   "set var numbers._M_impl._M_finish = 0", "print numbers",
                   "set var set._M_t._M_impl._M_node_count = 5", "print set",
                   "set var list._M_impl._M_node._M_next->_M_next = 8", "print list",
                   # A circle: the first node leads to itself.
                   "set var forward._M_impl._M_head._M_next->_M_next = forward._M_impl._M_head._M_next",
                   "print -elements unlimited -- forward",
                   "set var deque._M_impl._M_finish._M_node = 0", "print deque", "kill")
    said("print numbers").has(r"std::vector <damaged: its end lies before its beginning>$")
    said("print set").has(r"std::set with 5 elements = \{\[0\] = 1\.5, \[1\] = 2\.5, <damaged: [^>]*>\}$")
    said("print list").has(r"std::__cxx11::list = \{\[0\] = 1, .*<damaged: [^>]*>\}$")
    said("print -elements unlimited -- forward").has(r"= \{\[0\] = 4, <damaged: its chain is a circle>\}$")
    said("print deque").has(r"std::deque <damaged: its ends make no sense>$")


main()
