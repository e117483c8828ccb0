#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the C++ standard library, shown without scripts, also on cores."""

from debugger import *

PROGRAMS = [f"containers-{build}" for build in BUILDS]
# libc++ of all versions that there is something of, of which a run of all tests has those of two
# distributions, as each is to be fetched: odd ones at -O0, even ones at -O2.
LIBCXX = [f"libc++-{version}-O{2 - version % 2 * 2}" for version in ((14, 19) if WHOLE_RUN else range(14, 20))]
NEWEST = "libc++-19"
FETCHED = os.path.join(TESTPROGS, "..", "fetched")


def date(seconds):
    return time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(seconds))


HELD = {
    "text": '"hello"',
    "nothing": '""',
    "with_nul": r'"a\000b"',
    "brief": "'b' <repeats 15 times>",
    "short_one": "'s' <repeats 22 times>",
    "long_one": "'l' <repeats 23 times>",
    "view": '"hello"',
    "wide": 'L"wide \u00e9"',
    "wide_long": "L'w' <repeats 30 times>",
    "utf16": 'u"a \U0001f600"',
    "utf32": 'U"44444"',
    "utf16_view": 'u"a \U0001f600"',
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
    "listed": "std::initializer_list of length 2 = {3, 4}",
    "no_tuple": "empty std::tuple",
    "no_bits": "std::bitset",
    "variant": 'std::variant<int, std::string> [index 1] = {"text"}',
    "number": "std::variant<int, std::string> [index 0] = {3}",
    "no_pointer": "std::unique_ptr<int> = {get() = 0x0}",
    "with_deleter": "std::unique_ptr<int> = {get() = 0x0}",
    "no_shared": "std::shared_ptr<Named> (empty) = {get() = 0x0}",
    "stack": "std::stack wrapping: std::deque with 2 elements = {1, 2}",
    "queue": "std::queue wrapping: std::deque with 2 elements = {3, 4}",
    "heap": "std::priority_queue wrapping: std::vector of length 2, capacity 2 = {9, 5}",
    "bitset": "std::bitset = {[0] = 1, [1] = 1, [3] = 1}",
    "small_bitset": "std::bitset = {[1] = 1, [2] = 1}",
    "array": "std::array of length 3 = {7, 8, 9}",
    "atomic": "std::atomic<int> = {4}",
    "atomic_pointer": "std::atomic<int *> = {0x0}",
    "complex": "std::complex<double> = {1 + 2i}",
    "small_complex": "std::complex<float> = {1.5 + -2i}",
    "no_any": "std::any [no contained value]",
    "any_number": "std::any containing int = {[contained value] = 5}",
    "anys": "std::vector of length 2, capacity 2 = {std::any containing int = {[contained value] = 5}, "
            'std::any containing std::string = {[contained value] = "in it"}}',
    "any_large": "std::any containing Large = {[contained value] = {number = 6, more = {0 <repeats 99 times>}}}",
    "any_named": 'std::any containing Named = {[contained value] = {number = 2, name = "n"}}',
    "mutex": "std::mutex (not locked)",
    "thread": "std::thread (not joinable)",
    "no_function": "std::function<int (int)> (empty)",
    "duration": "std::chrono::duration = { 250ms }",
    "moment": f"std::chrono::system_clock::time_point = {{ 1700000000s [{date(1700000000)}] }}",
    "before": f"std::chrono::system_clock::time_point = {{ -1s [{date(-1)}] }}",
    "steady": "std::chrono::steady_clock::time_point = { 0ns }",
    "valarray": "std::valarray of length 3 = {1, 2, 3}",
}

# What is answered from memory: nothing is called, so it is the same on a core.
ANSWERS = {
    "numbers.size()": "3",
    "numbers.capacity()": "10",
    "numbers[2]": "3",
    "numbers.at(1) + numbers.front() * numbers.back()": "5",
    "*&numbers[1]": "2",
    "numbers[3]": "Index 3 is out of range: the size is 3, near `[3]'.",
    "numbers[-1]": "Index -1 is out of range: the size is 3, near `[-1]'.",
    "none.front()": "Index 0 is out of range: the size is 0, near `()'.",
    "numbers.empty()": "false",
    "none.empty()": "true",
    "numbers == none": "false",
    "numbers != numbers": "false",
    "numbers[1..2]": "{2, 3}",
    "numbers[0]@2": "{1, 2}",
    "bits[0..2]": "{true, false, true}",
    "bits[1]": "false",
    "inherits.size() + inherits[1]": "8",
    'text == "hello"': "true",
    '"help" <= text': "false",
    "text != view": "false",
    "text.length()": "5",
    "text[1]": "101 'e'",
    "text[1..3]": '"ell"',
    "*view.data()": "104 'h'",
    "short_one.c_str()[21]": "115 's'",
    "many == many": "true",
    f'many == "{"x" * 99}"': "false",
    'texts[1] == "b"': "true",
    'map["two"]': "2",
    'map.at(texts[0])': "There is no such key, near `(texts[0])'.",
    'map["four"]': "There is no such key, near `[\"four\"]'.",
    'map.count("two") + map.count("four")': "1",
    "deep[1][1]": "2",
    "deep[2].size()": "0",
    "down[1]": "10",
    "down[9]": "No key is equal to that one; which are the same to it, a function of the program tells, near `[9]'.",
    "named[1].name": '"y"',
    "nested[2][1]": "3.5",
    "multimap.count(1)": "2",
    "set.count(1.5) + set.count(3)": "1",
    "letters.count('c')": "1",
    "hashed[7]": '"seven"',
    "hashed_multiset.count('n')": "2",
    "list.size()": "3",
    "list.back()": "3",
    "forward.front()": "4",
    "deque.size()": "299",
    "deque[127]": "128",
    "deque[126..129]": "{127, 128, 129, 130}",
    "larges[38].number": "39",
    "get<1>(tuple)": '"t"',
    "std::get<double>(tuple)": "2.5",
    "get<5>(tuple)": "There is no element 5: there are 3, near `(tuple)'.",
    "get<1>(pair)": '"p"',
    "get<2>(array) + array[0]": "16",
    "std::get<1>(variant)": '"text"',
    "std::get<std::string>(variant).size()": "4",
    "std::get<0>(variant)": "It does not hold that: its index is 1, near `(variant)'.",
    "variant.index()": "1",
    "*five + five.value()": "10",
    "five == 5": "true",
    "no_number < five": "true",
    "no_number.has_value()": "false",
    "*no_number": "The std::optional holds nothing, near `*no_number'.",
    "no_number.value_or(7)": "7",
    "maybe->size()": "4",
    "*unique": "3",
    "unique.get() == &*unique": "true",
    "no_pointer == 0": "true",
    "*no_pointer": "Cannot access memory at address 0x0, near `*no_pointer'.",
    "!no_pointer && unique ? 1 : 2": "1",
    "shared->name": '"s"',
    "(*shared).name.size()": "1",
    "shared.use_count() + weak.use_count()": "4",
    "expired.expired()": "true",
    "bitset[3]": "true",
    "bitset.test(2)": "false",
    "bitset.count()": "3",
    "bitset[70]": "Index 70 is out of range: the size is 70, near `[70]'.",
    "bitset.any() && !bitset.none() && !bitset.all()": "true",
    "bitset.size()": "70",
    "stack.top()": "2",
    "stack.size() + queue.size()": "4",
    "queue.front() * 10 + queue.back()": "34",
    "heap.top()": "9",
    "heap.empty()": "false",
    "complex.real() + complex.imag()": "3",
    "small_complex.imag()": "-2",
    "listed[1] + listed.size()": "6",
    "valarray[1]": "2",
    "atomic.load()": "4",
    "atomic + 1": "5",
    "2 * atomic - (int)atomic": "4",
    "-atomic": "-4",
    "!atomic": "false",
    "array[atomic - 3]": "8",
    "atomic == 4 && atomic > 3": "true",
    "atomic_pointer == nullptr": "true",
    "null": "(decltype(nullptr)) 0x0",
    "null == unique.get()": "false",
    "no_pointer == nullptr": "true",
    "!nullptr": "true",
    "sizeof(null)": "8",
    "*numbers_at": "2",
    "numbers_at": "2",
    "map_at": '{first = "two", second = 2}',
    "set_at": "1.5",
    "deque_at": "131",
    "numbers_back": "3",
    "*numbers_back": "3",
    "bit_at": "true",
    "no_bit_at": "false",
    "bit": "true",
    "!bit": "false",
    "bit + small_bit": "2",
    "small_bit": "true",
    "std::string": "Attempt to use a type name as an expression, near `std::string'.",
    "map_at->second": "2",
    "*set_at": "1.5",
    "*list_at + *forward_at": "5",
    "*deque_at": "131",
    "hashed_at->second": '"seven"',
    "*numbers.begin() + *list.begin()": "2",
    "*(numbers.begin() + 1)": "2",
    "*(numbers.end() - 1)": "3",
    "*numbers.rbegin()": "3",
    "numbers.end() - numbers.begin()": "3",
    "numbers_at - numbers.begin()": "1",
    "numbers_at == numbers.begin()": "false",
    "map.begin()->first": '"one"',
    "map.rbegin()->second": "2",
    "map_end == map.end()": "true",
    "map_at != map.end()": "true",
    "list_end == list.end()": "true",
    "*forward.begin()": "4",
    "hashed_at == hashed.begin()": "true",
    "hashed.begin() == hashed.end()": "false",
    "list_end": "<no element>",
    "*list_end": "The iterator is behind the last element, near `*list_end'.",
    "list_back": "3",
    "*list_back + 1": "4",
    "map_end": "<no element>",
    "map_back": '{first = "two", second = 2}',
    "map_back->first": '"two"',
    "map_front": "<no element>",
    "set_back": "1.5",
    "deque_back": "127",
    "wide.size()": "6",
    'wide == L"wide"': "false",
    "wide[1]": "105 L'i'",
    'utf32 == U"44444" && wide_long < L"x"': "true",
}
EXPECTED = {**HELD, **ANSWERS}


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
        equal(shown, EXPECTED[name].replace("__cxx11::", "" if "libc++" in program else "__cxx11::"), name)


@cases(*PROGRAMS, *LIBCXX)
def what_they_hold(program):
    """Live, and on a core."""
    path, core = built(program), os.path.join(folder(), "core")
    prints = [f"print {name}" for name in EXPECTED]
    said = session(path, "break last", "run", "up", *prints,
                   "print shared", "print weak", "print expired",
                   "print -elements 3 -- deque", "print -elements 2 -- larges", "print -elements 3 -- tree",
                   "print tree", "print many", "print function", "print lambda", "print locked", "print any_number",
                   "print any_text", "print no_any", "print any_number.has_value()", "print no_any.has_value()",
                   f"generate-core-file {core}", "kill")
    expect_held(program, said, EXPECTED)
    counts = r"\(use count 2, weak count 1\) = \{get\(\) = 0x[0-9a-f]+\}"
    said("print shared").has(rf"std::shared_ptr<Named> {counts}")
    said("print weak").has(rf"std::weak_ptr<Named> {counts}")
    said("print expired").has(r"std::weak_ptr<int> \(expired, weak count 1\) = ")
    said("print -elements 3 -- deque").has(r"= std::deque with 299 elements = \{1, 2, 3\.\.\.\}$")
    said("print -elements 3 -- tree").has(r"= std::set with 300 elements = \{\[0\] = 0, \[1\] = 1, \[2\] = 2\.\.\.\}$")
    said("print -elements 2 -- larges").has(r"= std::deque with 39 elements = \{\{number = 1, .*\{number = 2, .*\.\.\.\}$")
    said("print tree").has(r" \[198\] = 198, \[199\] = 199\.\.\.\}$")
    said("print many").has(r"'x' <repeats 200 times>\.\.\.$")
    said("print function").has(r"std::function<int \(int\)> = \{target = 0x[0-9a-f]+ <.*twice\(int\)>\}$")
    said("print lambda").has(r"std::function<int \(int\)> calling .*(lambda|\$_).* = \{invoker = 0x")
    if "libc++" not in program:
        said("print any_number").has(r"std::any containing int = \{\[contained value\] = 5\}$")
        said("print any_text").has(r'std::any containing std::string = \{\[contained value\] = "held"\}$')
        said("print any_number.has_value()").has(r"= true$")
        said("print no_any.has_value()").has(r"= false$")
        said("print no_any").has(r"std::any \[no contained value\]$")
    said("print locked").has(r"std::mutex \(locked by LWP \d+\)$")
    # The first words about a class take longest; what libraries differ in has been seen live.
    names = list(EXPECTED) if program in PROGRAMS else list(EXPECTED)[::5]
    said = session(None, "up", *(f"print {name}" for name in names), "print 1", options=[path, core])
    expect_held(program, said, names)


@cases(*PROGRAMS)
def as_they_lie_in_memory(program):
    need_debug_registers()
    said = session(program, "break last", "run", "up", "print/r numbers",
                   'set var map["one"] = 77', 'print map["one"]', "set var numbers[2] = 9", "print numbers",
                   "whatis numbers.size()", "whatis shared->name[0]", "watch numbers[1]",
                   "print map_end", "print *map_end", "print/r map_end", "kill")
    said("print map_end").has(r"= <no element>$")
    said("print *map_end").has(r"^The iterator is behind the last element, near `\*map_end'\.$")
    said("print/r map_end").has(r"= \{_M_node = 0x[0-9a-f]+\}$")
    said('print map["one"]').has(r"^\$2 = 77$")
    said("print numbers").has(r"= \{1, 2, 9\}$")
    said("whatis numbers.size()").has(r"^type = unsigned long$")
    said("whatis shared->name[0]").has(r"^type = char$")
    said("watch numbers[1]").has(r"^Hardware watchpoint 2: numbers\[1\]$")
    said("print/r numbers").has(r"_M_start = ", r"_M_finish = ")


@cases(*PROGRAMS, *LIBCXX[-1:])
def texts_are_passed_as_strings(program):
    values = {'joined("a", "b")': '"a b"', 'joined("a text that does not fit into a string", text)':
              '"a text that does not fit into a string hello"', "joined(text, text)": '"hello hello"', 'length_of("four")': "4", 'length_of("")': "0",
              'length_of("1234567890" "1234567890")': "20", 'wide_length(L"\u00e9 and 19 others")': "15",
              "length_of(view)": "5", 'chosen("four")': "1", "chosen(4)": "2", "add_to(text)": "6", "text": '"hello!"'}
    said = session(built(program), "break last", "run", "up", *(f"print {text}" for text in values),
                   'print add_to("text")', "continue")
    for text, value in values.items():
        said(f"print {text}").value(re.escape(value))
    said('print add_to("text")').has("An argument cannot be converted to its parameter's type")
    said("continue").has("exited normally")


@cases("containers-gcc-O0")
def wide_text_as_json(program):
    said = ompdb("--json", "-nx", "-q", "-batch", "-ex", "break last", "-ex", "run", "-ex", "up", "-ex", "print wide",
                 "-ex", "print utf16", testprog(program), env={"XDG_STATE_HOME": folder()})
    expect('"string":"wide \u00e9"' in said.out and '"string":"a \U0001f600"' in said.out, said)


@cases("containers-gcc-O0")
def what_a_terminal_of_ascii_can_show(program):
    said = ompdb("-nx", "-q", "-batch", "-ex", "break last", "-ex", "run", "-ex", "up", "-ex", "print wide",
                 "-ex", "print utf16", "-ex", 'print "\u00e9"', testprog(program), env={"LC_ALL": "C"})
    for shown in (r'L"wide \u00e9"', r'u"a \U0001f600"', r'"\303\251"'):
        expect(shown in said.out, f"no {shown}: {said}")


def with_declared_strings(library):
    """The path of the program, whose debug information has no more of strings than a declaration."""
    if library == "libstdc++":
        return testprog("declared_strings-clang")
    source, own = os.path.join(SOURCES, "declared_strings.cc"), folder()
    maker, path = os.path.join(own, "maker.o"), os.path.join(own, "program")
    compiled(library.removeprefix("libc++-"), ["-g0", "-DMAKER", "-c", source, "-o", maker],
             ["-g", source, maker, "-o", path, "LIBRARIES"])
    return path


@cases("libstdc++", NEWEST)
def strings_that_are_only_declared(library):
    path = with_declared_strings(library)
    said = session(path, f"break declared_strings.cc:{line_of('show', 'declared_strings.cc')}", "run", "ptype brief",
                   "print brief", "print wordy", "print names", "print numbers", "print named", "print set",
                   "print *&row[0].name@1", "print row[1]", "print sizeof(row[0].name)", "print given(brief)",
                   "print held(wordy)", "break given", "continue", "finish", "kill")
    said("ptype brief").has("incomplete type|no data fields")
    said("print brief").has(r": \"hello\"$")
    said("print wordy").has(r": 'w' <repeats 100 times>$")
    said("print names").has(r": std::vector of length 2, capacity 2 = \{\"a\", 'b' <repeats 30 times>\}$")
    said("print numbers").has(r': std::map with 2 elements = \{\["x"\] = 1, \["y"\] = 2\}$')
    said("print named").has(r': std::map with 1 element = \{\[3\] = "three"\}$')
    said("print set").has(r': std::set with 2 elements = \{\[0\] = "one", \[1\] = "two"\}$')
    said("print *&row[0].name@1").has(r'= \{"first"\}$')
    said("print row[1]").has(r'\{name = "second", number = 2\}$')
    said("print sizeof(row[0].name)").has(r"= 32$" if library == "libstdc++" else r"= 24$")
    said("print given(brief)").has(r'= "hello"$')
    said("print held(wordy)").has(r"= \{name = 'w' <repeats 100 times>, number = 4\}$")
    said("finish").has(r'^Value returned is \$\d+ = "hello"$')


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


@cases(NEWEST + "-O0")
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
                   "set var deque._M_impl._M_finish._M_node = 0", "print deque",
                   "set var text._M_string_length = 16", "print text",
                   "set var many._M_string_length = 1ll << 40", "print many", "print many.size()", "kill")
    said("print numbers").has(r"std::vector <damaged: its end lies before its beginning>$")
    said("print set").has(r"std::set with 5 elements = \{\[0\] = 1\.5, \[1\] = 2\.5, <damaged: [^>]*>\}$")
    said("print list").has(r"std::__cxx11::list = \{\[0\] = 1, .*<damaged: [^>]*>\}$")
    said("print -elements unlimited -- forward").has(r"= \{\[0\] = 4, <damaged: its chain is a circle>\}$")
    said("print deque").has(r"std::deque <damaged: its ends make no sense>$")
    for command in ("print text", "print many"):
        said(command).has(r"std::basic_string <damaged: it is longer than the room that it has>$")
    said("print many.size()").has("is damaged")


main()
