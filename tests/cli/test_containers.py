#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes of the C++ standard library, shown without scripts, also on cores."""

from debugger import *

PROGRAMS = [f"containers-{build}" for build in BUILDS]
HELD = {
    "text": '"hello"',
    "nothing": '""',
    "with_nul": r'"a\000b"',
    "view": '"hello"',
    "numbers": "std::vector of length 3, capacity 10 = {1, 2, 3}",
    "none": "std::vector of length 0, capacity 0",
    "bits": "std::vector<bool> of length 3, capacity 64 = {true, false, true}",
    "texts": 'std::vector of length 2, capacity 2 = {"a", "b"}',
    "named": 'std::vector of length 2, capacity 2 = {{number = 1, name = "x"}, {number = 2, name = "y"}}',
    "map": 'std::map with 3 elements = {["one"] = 1, ["three"] = 3, ["two"] = 2}',
    "narrow": "std::map with 1 element = {[97 'a'] = 1.5}",
    "empty_map": "std::map with 0 elements",
    "set": "std::set with 2 elements = {[0] = 1.5, [1] = 2.5}",
    "hashed": 'std::unordered_map with 1 element = {[7] = "seven"}',
    "hashed_set": "std::unordered_set with 1 element = {[0] = 9}",
    "list": "std::__cxx11::list = {[0] = 1, [1] = 2, [2] = 3}",
    "empty_list": "empty std::__cxx11::list",
    "named_list": 'std::__cxx11::list = {[0] = {number = 3, name = "z"}}',
    "forward": "std::forward_list = {[0] = 4, [1] = 5}",
    "tuple": 'std::tuple containing = {[1] = 1, [2] = "t", [3] = 2.5}',
    "pair": '{first = 1, second = "p"}',
    "five": "std::optional<int> = {[contained value] = 5}",
    "no_number": "std::optional<int> [no contained value]",
    "maybe": 'std::optional<std::string> = {[contained value] = "text"}',
    "variant": 'std::variant<int, std::string> [index 1] = {"text"}',
    "number": "std::variant<int, std::string> [index 0] = {3}",
    "no_pointer": "std::unique_ptr<int> = {get() = 0x0}",
    "no_shared": "std::shared_ptr<Named> (empty) = {get() = 0x0}",
    "bitset": "std::bitset = {[0] = 1, [1] = 1, [3] = 1}",
    "array": "std::array of length 3 = {7, 8, 9}",
    "atomic": "std::atomic<int> = {4}",
    "complex": "std::complex<double> = {1 + 2i}",
    "mutex": "std::mutex (not locked)",
    "no_function": "std::function<int (int)> (empty)",
    "duration": "std::chrono::duration = { 250ms }",
    "valarray": "std::valarray of length 3 = {1, 2, 3}",
}


def held(said):
    return {name: re.sub(r"^\$\d+ = ", "", said(f"print {name}").text.strip()) for name in HELD}


@cases(*PROGRAMS)
def what_they_hold(program):
    said = session(program, "break last", "run", "up", *(f"print {name}" for name in HELD), "kill")
    for name, value in held(said).items():
        equal(value, HELD[name], name)


@cases(*PROGRAMS)
def on_a_core(program):
    core = os.path.join(folder(), "core")
    session(program, "break last", "run", f"generate-core-file {core}", "kill")
    said = session(None, "up", *(f"print {name}" for name in HELD), "bt 1", options=[testprog(program), core])
    for name, value in held(said).items():
        equal(value, HELD[name], name)


@cases(*PROGRAMS)
def counts_and_many_elements(program):
    said = session(program, "break last", "run", "up", "print shared", "print weak",
                   "print -elements 3 -- deque", "print many", "print/r numbers", "kill")
    said("print shared").has(r"std::shared_ptr<Named> \(use count 2, weak count 1\) = \{get\(\) = 0x[0-9a-f]+\}")
    said("print weak").has(r"std::weak_ptr<Named> \(use count 2, weak count 1\) = ")
    said("print -elements 3 -- deque").has(r"= std::deque with 299 elements = \{1, 2, 3\.\.\.\}$")
    said("print many").has(r"'x' <repeats 200 times>\.\.\.$")
    said("print/r numbers").has(r"_M_start = ", r"_M_finish = ")


@cases("containers-gcc-O0")
def what_makes_no_sense_is_said(program):
    said = session(program, "break last", "run", "up",
                   "set var numbers._M_impl._M_finish = 0", "print numbers",
                   "set var set._M_t._M_impl._M_node_count = 5", "print set",
                   "set var list._M_impl._M_node._M_next->_M_next = 8", "print list",
                   # A circle: the first node leads to itself.
                   "set var forward._M_impl._M_head._M_next->_M_next = forward._M_impl._M_head._M_next",
                   "print -elements 4 -- forward",
                   "set var deque._M_impl._M_finish._M_node = 0", "print deque", "kill")
    said("print numbers").has(r"std::vector <damaged: its end lies before its beginning>$")
    said("print set").has(r"std::set with 5 elements = \{\[0\] = 1\.5, \[1\] = 2\.5, <damaged: [^>]*>\}$")
    said("print list").has(r"std::__cxx11::list = \{\[0\] = 1, .*<damaged: [^>]*>\}$")
    said("print -elements 4 -- forward").has(r"= \{\[0\] = 4, \[1\] = 4, \[2\] = 4, \[3\] = 4\.\.\.\}$")
    said("print deque").has(r"std::deque <damaged: its ends make no sense>$")


main()
