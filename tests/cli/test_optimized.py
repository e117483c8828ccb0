#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables of which optimising compilers leave a description alone: constants, parts, registers."""

from debugger import *

LOST = "<optimized out>"
CONSTANTS = {"number": "200", "minus": "-56", "letter": "233 u'\u00e9'", "shade": "DARK", "wide": "3000000000",
             "byte": "200 '\\310'", "LIGHT": "LIGHT", "(int)LIGHT": "200", "shade == DARK": "true"}
# gcc 12 leaves nothing of the second link at -O2, clang 14 nothing of words and pointers.
PIECES = {
    "fields": "{low = 5, middle = -3, top = true}",
    "fields.middle": "-3",
    "fields.top": "true",
    "first.value": "6",
    "numbers[1]": "2",
    "words[1]": "0x0",
    "*words[0]": "111 'o'",
    "words[0][1]": "110 'n'",
    "words[0][3]": "0 '\\000'",
}
INLINED = {"at->value": "6", "(*at).value": "6", "same.value": "6", "same": "6, next = ", "*at": "6, next = "}
NOWHERE = {"pieces": {"clang-O2": {"*words[0]", "words[0][1]", "words[1]", "words[0][3]"}},
           "inlined": {"clang-O2": set(INLINED)}}


def at_stop(build, times, *commands):
    return session(f"optimized-{build}", "break stop", "run", *(["continue"] * (times - 1)), "up", *commands)


def holds(build, place, times, wanted, *also):
    said = at_stop(build, times, *(f"print {name}" for name in wanted), *also)
    for name, value in wanted.items():
        lost = name in NOWHERE.get(place, {}).get(build, ())
        said(f"print {name}").has("optimized out" if lost else rf"^\$\d+ = .*{re.escape(value)}")
    return said


@cases("gcc-O0", "gcc-O2", "clang-O0")
def constants_have_the_signs_that_compilers_mean(build):
    """clang passes over the function at -O2. gcc writes 200 in one byte, as it does -56 with a sign."""
    said = holds(build, "constants", 1, CONSTANTS, "info locals")
    for name in ("number", "minus", "letter", "shade", "wide", "byte"):
        said("info locals").has(rf"^{name} = {re.escape(CONSTANTS[name])}$")


@cases(*BUILDS)
def parts_of_bytes_and_what_has_no_address_are_shown(build):
    holds(build, "inlined", 2, INLINED)
    holds(build, "pieces", 3, PIECES)


@case
def what_has_no_address_is_said_to_be_so():
    said = at_stop("gcc-O2", 2, "info args", "print at", "print &same", "print at == 0", "frame 2", "print words",
                   "print first", "print $", "down 2", "print *$$2")
    said("info args").has(r"^at = <synthetic pointer>$",
                          rf"^same = <synthetic pointer>: {{value = 6, next = {LOST}}}$")
    said("print at").has(r"= <synthetic pointer>$")
    said("print &same").has("isn't an lvalue")
    said("print at == 0").has(r"^Value is not available: synthetic pointer, near `== 0'\.$")
    said("print words").has(r"= {<synthetic pointer>, 0x0}$")
    said("print first").has(rf"= {{value = 6, next = {LOST}}}$")
    # What a pointer of another frame means nobody knows here.
    said("print *$$2").has("not available|no|optimized out")


@cases(*BUILDS)
def a_part_that_is_told_is_no_whole(build):
    """clang describes four bytes of more: what follows them in memory is something else."""
    said = at_stop(build, 3, "info locals")
    said("info locals").has(r"^first = {value = 6, next = (0x[0-9a-f]+|<synthetic pointer>|<optimized out>)}$")


@cases(*BUILDS)
def what_is_kept_in_the_frame_is_read_there(build):
    """clang 14 converts its address at -O2, as gdb tells it."""
    said = at_stop(build, 4, "print yes", "print no", "info args")
    for name, value in (("yes", "true"), ("no", "false")):
        said(f"print {name}").has(rf"= {value}$|optimized out")
        said("info args").has(rf"^{name} = ({value}|<optimized out>)$")


def has_wide_registers():
    with open("/proc/cpuinfo") as f:
        return re.search(r"^flags.*\bavx\b", f.read(), re.M)


EIGHT = r"{[01], 1, 2, 3, 4, 5, 6, 7}"


@cases(*BUILDS)
def variables_in_wide_registers(build):
    if not has_wide_registers():
        skip("the processor has no registers of 32 bytes")
    inferior = start(f"optimized-{build}", "spin", settled=False)
    wait_for(lambda: re.search("lanes", ompdb("stack", inferior.pid).out), "the thread to spin")
    for target in (inferior.pid, own_core_of(inferior)):
        shown = ompdb("stack", "--locals", target).out
        expect(re.search(rf"eight = {EIGHT}", shown), f"{target}: {shown}")
    said = session(None, f"attach {inferior.pid}", "print eight", "print eight[3]", "print $ymm0.v8_float[7]", "detach")
    said("print eight").has(rf"= {EIGHT}$")
    said("print eight[3]").value("3")
    if build.endswith("O2"):
        said("print $ymm0.v8_float[7]").value("7")


LOST_PARTS = """
struct S {
    int m;
    __attribute__((noinline)) int get(int k) { return m + k; }
};
__attribute__((noinline)) void stop(int *at) { __asm__ volatile("" ::"r"(at) : "memory"); }
int main(int argc, char **)
{
    S s = { argc };
    int (S::*own)(int) = &S::get;
    int n = argc + 4;
    int many[n];
    for (int i = 0; i < n; i++)
        many[i] = i;
    stop(many);
    return (s.*own)(1) + many[2];
}
"""


@cases("g++", "clang++")
def what_is_lost_in_part_is_neither_null_nor_empty(compiler):
    """clang 14 leaves the second half of the pointer, and nothing of the bound; gcc the bound."""
    own = folder()
    with open(f"{own}/lost.cc", "w") as f:
        f.write(LOST_PARTS)
    run(need(compiler), "-O2", "-g", f"{own}/lost.cc", "-o", f"{own}/lost")
    said = session(f"{own}/lost", "break stop", "run", "up", "print own", "print sizeof(many)")
    said("print own").has(rf"= ({LOST}|\(int \(S::\*\).* <S::get\(int\)>)$")
    said("print sizeof(many)").has(r"= 20$|^Value has been optimized out, near `sizeof\(many\)'\.$")


@cases("g++", "clang++")
def a_char8_t_is_a_character_of_all_compilers(compiler):
    """gcc describes it as a number without a sign, clang as a character."""
    own = folder()
    with open(f"{own}/byte.cc", "w") as f:
        f.write("char8_t byte = u8'c', text[] = u8\"text\";\nint main() { return byte + text[0]; }\n")
    run(need(compiler), "-std=c++20", "-g", f"{own}/byte.cc", "-o", f"{own}/byte")
    said = session(f"{own}/byte", "print byte", "print text", "whatis byte")
    said("print byte").has(r"= 99 'c'$")
    said("print text").has(r'= "text"$')
    said("whatis byte").has("^type = char8_t$")


TWO_BASES = """
struct A { int same = 1, a = 2; };
struct B { int same = 3, b = 4; };
struct C : A, B {} c;
int main() { return c.a + c.b == 6 ? 0 : 1; }
"""


@case
def what_is_wrong_with_a_member_is_told_before_it_is_needed():
    own = folder()
    with open(f"{own}/two.cc", "w") as f:
        f.write(TWO_BASES)
    run(need("g++"), "-g", f"{own}/two.cc", "-o", f"{own}/two")
    said = session(f"{own}/two", "break main if c.same == 1", "break main if c.nosuch", "break main if c.A::same == 1 && c.b == 4",
                   "run", "kill")
    said("break main if c.same == 1").has("^Request for member 'same' is ambiguous in type 'C': .* near `.same == 1'")
    said("break main if c.nosuch").has("^There is no member named nosuch, near `.nosuch'")
    said("run").has("^Breakpoint 1, main")


main()
