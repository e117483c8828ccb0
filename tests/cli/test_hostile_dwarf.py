# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, places and names that no compiler writes: what is known is said, soon, and in few words."""

import re
import threading

from harness import *

TAGS = {"array": 0x01, "class": 0x02, "enum": 0x04, "parameter": 0x05, "block": 0x0b, "member": 0x0d,
        "pointer": 0x0f, "reference": 0x10, "unit": 0x11, "struct": 0x13, "function_type": 0x15,
        "typedef": 0x16, "union": 0x17, "inheritance": 0x1c, "member_pointer": 0x1f,
        "subrange": 0x21, "base": 0x24, "const": 0x26, "enumerator": 0x28, "function": 0x2e,
        "template": 0x2f, "variable": 0x34, "volatile": 0x35, "import": 0x3a, "namespace": 0x39,
        "imported_unit": 0x3d, "string": 0x12, "pack": 0x4107}
# Attributes: their codes and forms. ref4 is a name of another entry.
ATTRIBUTES = {"name": (0x03, "string"), "size": (0x0b, "data8"), "type": (0x49, "ref4"),
              "location": (0x02, "exprloc"), "at": (0x38, "data8"), "upper": (0x2f, "data8"),
              "count": (0x37, "data8"), "upper_is": (0x2f, "ref4"), "upper_of": (0x2f, "exprloc"),
              "encoding": (0x3e, "data8"), "value": (0x1c, "data8"), "bits": (0x0d, "data8"),
              "bit_at": (0x6b, "data8"), "holder": (0x1d, "ref4"), "origin": (0x31, "ref4"),
              "declared": (0x47, "ref4"), "imports": (0x18, "ref4"), "low": (0x11, "addr"),
              "high": (0x12, "data8"), "frame": (0x40, "exprloc"), "language": (0x13, "data8"),
              "data": (0x50, "exprloc"), "where": (0x38, "exprloc"), "stride": (0x51, "data8"),
              "length_of": (0x19, "exprloc")}
FORMS = {"string": 0x08, "data8": 0x07, "ref4": 0x13, "exprloc": 0x18, "addr": 0x01}

SKIP, CALL4, FBREG, STACK_VALUE, PIECE = 0x2f, 0x99, 0x91, 0x9f, 0x93
ADDR = [0x03, "victims"]  # DW_OP_addr


class Unit:
    """Entries of DWARF, as text for the assembler."""

    def __init__(self):
        self.abbrevs, self.info, self.numbers = [], [], {}

    def number(self, tag, names):
        """Of the abbreviation for an entry with such attributes."""
        if (tag, names) not in self.numbers:
            self.numbers[tag, names] = len(self.numbers) + 1
            self.abbrevs += [self.numbers[tag, names], TAGS[tag], 1]
            for name in names:
                self.abbrevs += ATTRIBUTES[name][0], FORMS[ATTRIBUTES[name][1]]
            self.abbrevs += [0, 0]
        return self.numbers[tag, names]

    def add(self, tag, attributes=None, children=(), label=None):
        attributes = attributes or {}
        self.info += [f".L{label}:"] if label else []
        self.info.append(f".uleb128 {self.number(tag, tuple(attributes))}")
        for name, value in attributes.items():
            self.info.append(getattr(self, ATTRIBUTES[name][1])(value))
        for child in children:
            self.add(*child)
        self.info.append(".byte 0")

    @staticmethod
    def string(value):
        data = value if isinstance(value, bytes) else value.encode()
        return ".byte " + ",".join(str(b) for b in data + b"\0")

    @staticmethod
    def data8(value):
        return f".quad {value & (1 << 64) - 1}"

    @staticmethod
    def ref4(value):
        return f".long {value}" if isinstance(value, int) else f".long .L{value} - .Lbegin"

    @staticmethod
    def addr(value):
        return f".quad {value}"

    @staticmethod
    def exprloc(value):
        """A list of bytes; a text is an address, or an offset in the unit if it begins with a dot."""
        size = sum(1 if isinstance(v, int) else 4 if v[0] == "." else 8 for v in value)
        lines = [f".uleb128 {size}"]
        for v in value:
            lines.append(f".byte {v & 255}" if isinstance(v, int) else
                         f".long {v} - .Lbegin" if v[0] == "." else f".quad {v}")
        return "\n".join(lines)

    def text(self):
        return "\n".join([
            ".section .debug_abbrev,\"\",@progbits", *(f".uleb128 {n}" for n in self.abbrevs), ".byte 0",
            ".section .debug_info,\"\",@progbits", ".Lbegin: .long .Lend - .Lstart", ".Lstart: .short 4",
            ".long .debug_abbrev", ".byte 8", *self.info, ".Lend:", ""])


def typed(name, label):
    return ("variable", {"name": name, "type": label, "location": ADDR})


def placed(name, *operations):
    return ("variable", {"name": name, "type": "int", "location": list(operations)})


def members(n, label="int"):
    return [("member", {"name": f"m{i}", "type": label, "at": 0}) for i in range(n)]


ESCAPES = b"\x1b[2J\x07\n\xff\xfe\xc3"
DEPTH = 60


def entries():
    """Yields what the unit holds: types that are endless, places that are nowhere, names that are harm."""
    yield "base", {"name": "int", "size": 4, "encoding": 5}, (), "int"
    yield "base", {"name": "char", "size": 1, "encoding": 6}, (), "char"
    yield "base", {"name": "wide", "size": 1 << 60, "encoding": 5}, (), "wide"
    yield "base", {"name": "float", "size": 3, "encoding": 4}, (), "odd"
    for kind in ("typedef", "const", "volatile", "pointer", "reference", "array", "enum", "function_type",
                 "member_pointer"):
        yield kind, {"name": f"self_{kind}", "size": 8, "type": f"self_{kind}"}, (
            [("subrange", {"upper": 3})] if kind == "array" else
            [("parameter", {"type": f"self_{kind}"})] if kind == "function_type" else ()), f"self_{kind}"
    yield "typedef", {"name": "ping", "type": "pong"}, (), "ping"
    yield "const", {"name": "pong", "type": "ping"}, (), "pong"
    yield "struct", {"name": "self_member", "size": 8}, [
        ("member", {"name": "me", "type": "self_member", "at": 0}),
        ("member", {"name": "again", "type": "self_member", "at": 0})], "self_member"
    yield "struct", {"name": "self_base", "size": 8}, [
        ("inheritance", {"type": "self_base", "at": 0}), *members(1)], "self_base"
    yield "struct", {"name": "chicken", "size": 8}, [("inheritance", {"type": "egg", "at": 0})], "chicken"
    yield "struct", {"name": "egg", "size": 8}, [("inheritance", {"type": "chicken", "at": 0})], "egg"
    yield "struct", {"name": "nameless", "size": 8}, [("member", {"type": "nameless", "at": 0})], "nameless"
    yield "struct", {"name": "leaf", "size": 4}, members(1), "tree0"
    for n in range(DEPTH):  # each of them twice the one before
        yield "struct", {"name": f"tree{n + 1}", "size": 4}, members(2, f"tree{n}"), f"tree{n + 1}"
    yield "struct", {"size": 4}, members(1), "bush0"
    for n in range(DEPTH):  # the same without names
        yield "struct", {"size": 4}, [("member", {"type": f"bush{n}", "at": 0})] * 2, f"bush{n + 1}"
    yield "struct", {"name": "heir0", "size": 4}, members(1), "heir0"
    for n in range(DEPTH):  # the same by inheritance
        yield "struct", {"name": f"heir{n + 1}", "size": 4}, [
            ("inheritance", {"type": f"heir{n}", "at": 0})] * 2, f"heir{n + 1}"
    yield "function_type", {"type": "int"}, (), "call0"
    for n in range(DEPTH):  # names that are twice as long
        yield "pointer", {"type": f"call{n}"}, (), f"to_call{n}"
        yield "function_type", {"type": "int"}, [("parameter", {"type": f"to_call{n}"})] * 2, f"call{n + 1}"
    yield "struct", {"name": "crowd", "size": 8}, members(70000), "crowd"
    yield "enum", {"name": "many", "size": 4}, [
        ("enumerator", {"name": f"e{i}", "value": i}) for i in range(3000)], "many"
    yield "struct", {"name": "giant", "size": 1 << 62}, [
        ("member", {"name": "far", "type": "int", "at": (1 << 63) - 1}),
        ("member", {"name": "bits", "type": "int", "at": 1 << 60, "bits": 127, "bit_at": (1 << 64) - 1}),
        ("member", {"name": "lost", "type": "int", "where": [SKIP, 0xfd, 0xff]}),
        ("member", {"name": "near", "type": "int", "at": 0})], "giant"
    for name, bounds in (("bytes", {"count": 1 << 40}), ("overflow", {"count": 1 << 63}),
                         ("negative", {"upper": -5}), ("all", {"upper": (1 << 63) - 1}),
                         ("strided", {"upper": 9, "stride": 1 << 61}), ("bound_is_array", {"upper_is": "varray"}),
                         ("bound_loops", {"upper_of": [SKIP, 0xfd, 0xff]})):
        yield "array", {"type": "char"}, [("subrange", bounds)], f"array_{name}"
        yield typed(f"array_{name}", f"array_{name}")
    yield "array", {"type": "array_bytes"}, [("subrange", {"count": 1 << 30})] * 40, "array_of_arrays"
    yield "array", {"type": "int", "data": [0x97, 0x06, SKIP, 0xfc, 0xff]}, [("subrange", {"upper": 3})], "array_moving"
    yield "variable", {"name": "varray", "type": "array_bound_is_array", "location": ADDR}, (), "varray"
    yield "string", {"size": 1 << 62}, (), "text"
    yield "string", {"length_of": [SKIP, 0xfd, 0xff], "size": 8}, (), "text_moving"
    yield "struct", {"name": "std::vector<int, std::allocator<int> >", "size": 24}, [
        ("member", {"name": "_M_impl", "type": "self_member", "at": 0})], "vector"
    yield "struct", {"name": "packed", "size": 4}, [
        ("pack", {"name": "Ts"}, [("template", {"type": "self_typedef"})] * 300)] * 5, "packed"
    yield "struct", {"name": ESCAPES, "size": 4}, [("member", {"name": ESCAPES + b"m", "type": "int", "at": 0})], "escapes"
    yield "enum", {"name": b"\x1b]0;e", "size": 4}, [("enumerator", {"name": ESCAPES, "value": 0x41424344})], "escaped_enum"
    yield "struct", {"name": "n" * 300000, "size": 4}, members(1), "long_name"
    for label in ("wide", "odd", "self_typedef", "self_const", "self_volatile", "self_pointer", "self_reference",
                  "self_array", "self_enum", "self_function_type", "self_member_pointer", "ping", "self_member",
                  "self_base", "chicken", "nameless", f"tree{DEPTH}", "tree15", f"bush{DEPTH}", "bush12",
                  f"heir{DEPTH}", "heir12", f"to_call{DEPTH - 1}", "to_call12", "crowd", "many", "giant",
                  "array_of_arrays", "array_moving", "text", "text_moving", "vector", "packed", "escapes",
                  "escaped_enum", "long_name", "unit", "a_function", "varray"):
        yield typed("v_" + label, label)
    for label, n in (("nowhere", 0x7fffffff), ("header", 2), ("middle", 1001)):
        yield "variable", {"name": "v_" + label, "type": n, "location": ADDR}
    yield "variable", {"name": ESCAPES + b"v", "type": "int", "location": ADDR}
    yield "variable", {"name": "v_origin", "origin": "v_origin", "location": ADDR}, (), "v_origin"
    yield "variable", {"name": "v_declared", "declared": "v_declared"}, (), "v_declared"
    yield placed("l_loops", SKIP, 0xfd, 0xff)
    yield placed("l_grows", 0x30, 0x12, SKIP, 0xfc, 0xff)  # lit0, dup, skip
    yield "variable", {"name": "l_calls", "type": "int", "location": [CALL4, ".Ll_calls"]}, (), "l_calls"
    yield placed("l_entry", 0xa3, 3, 0xa3, 1, 0xa3, STACK_VALUE)
    yield placed("l_wild", 0x0e, *[0xff] * 8, 0x06, 0x06)  # const8u, deref, deref
    yield placed("l_huge", 0x50, PIECE, *[0xff] * 8, 0x7f)
    yield placed("l_pieces", *[0x50, PIECE, 1] * 2000)
    yield placed("l_bits", 0x50, 0x9d, *[0xff] * 8, 0x7f, *[0xff] * 8, 0x7f)
    yield placed("l_divides", 0x31, 0x30, 0x1b, STACK_VALUE)  # 1 / 0
    yield placed("l_least", 0x11, *[0x80] * 9, 0x7f, 0x11, 0x7f, 0x1b, STACK_VALUE)
    yield placed("l_shifts", 0x31, 0x08, 0xff, 0x24, STACK_VALUE)
    yield placed("l_empty", 0x13)
    yield placed("l_cut", 0x0e, 1)
    yield placed("l_frame", FBREG, 0)
    yield placed("l_typed", 0xa8, 0x7f)  # convert to what is no type
    yield placed("l_pointer", 0xa0, ".Ll_pointer", 0)
    yield "variable", {"name": "l_pointer2", "type": "self_pointer", "location": [0xa0, ".Ll_pointer", 0]}, (), "l_pointer"
    yield "namespace", {"name": "ring"}, [("import", {"imports": "ring"}), typed("inside", "int")], "ring"
    yield "import", {"imports": "ring"}
    yield "imported_unit", {"imports": "unit"}
    yield "function", {"name": "main", "type": "int", "low": "main", "high": 4, "frame": [FBREG, 0]}, [
        ("parameter", {"name": "p_frame", "type": "int", "location": [FBREG, 0]}),
        ("variable", {"name": "p_self", "type": f"tree{DEPTH}", "location": ADDR}),
        ("block", {"origin": "a_function"}, [typed("p_block", "self_member")]),
        ("function", {"name": "inner", "origin": "a_function"})], "a_function"


def hostile():
    """The program, and the names of its variables."""
    unit = Unit()
    children = list(entries())
    unit.add("unit", {"name": "hostile.c", "language": 4, "low": "main", "high": 4}, children, "unit")
    own = folder()
    path = os.path.join(own, "hostile")
    with open(path + ".s", "w") as f:
        f.write(".globl main, victims\n.text\nmain: xor %eax, %eax\nnop\nret\n.data\n.balign 8\n"
                "victims: .quad victims, 0x4142434445464748, victims, -1, 0, 0, 0, 0\n" + unit.text())
    result = run(need("gcc"), "-no-pie", path + ".s", "-o", path, "-z", "noexecstack", seconds=120)
    equal(result.status, 0, f"status of gcc: {result.err[:2000]}")
    names = [attributes["name"] for tag, attributes, *_ in children if tag == "variable"]
    return path, [name for name in names if isinstance(name, str)]


# What one answer may take: seconds are those of a machine that has other things to do, too.
SECONDS, BYTES = 30, 4 << 20


def ask(path, commands, live):
    """(command, what is said, seconds) for each of them."""
    script = [*(["break main", "run"] if live else []), *commands]
    process = subprocess.Popen([OMPDB, "-q", "-nx", "--color=never", path], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        for command in script:
            began = time.monotonic()
            watch = threading.Timer(60, process.kill)
            watch.start()
            process.stdin.write(f"{command}\necho @@@\\n\n".encode())
            process.stdin.flush()
            lines = []
            while not lines or not lines[-1].endswith(b"@@@\n"):
                lines.append(process.stdout.readline())
                expect(lines[-1], f"ended at {command!r}: {lines[-9:]!r}, status {process.poll()}")
            watch.cancel()
            yield command, b"".join(lines), time.monotonic() - began
    finally:
        process.kill()
        process.wait()


@cases(*share([Shared(("file",)), Shared(("process",))], 0))
def what_is_known_is_said_soon(kind):
    path, names = hostile()
    commands = ["info locals", "info args", "bt", "info scope main", "ptype struct giant", "ptype struct crowd",
                "info variables v_", "info functions inner", "ptype enum many", "print (enum many)3",
                "print ring::inside", "print 'ring'::nope", "info types tree", "ptype union none",
                "print v_giant.near", "print v_giant.far", "print v_self_member.me.me.again", "info line main",
                "print *v_self_pointer", "print **********v_self_pointer", "print v_crowd.m69999",
                "print v_crowd.nope", "print v_self_base.nope", f"print v_heir{DEPTH}.nope", f"print v_bush{DEPTH}.nope",
                f"print sizeof(v_tree{DEPTH})", "print array_bytes[5]", "print array_bytes[1099511627775]",
                "print *array_bytes@100000000", "print array_all == array_all", "print v_chicken", "info frame",
                "print v_chicken == v_chicken", "whatis v_self_base.m0", "print -5 + v_ping", "finish"]
    words = ("print",) if kind == "process" else ("print", "ptype", "whatis", "print &", "print sizeof ")
    commands += [f"{word} {name}" for name in names for word in words]
    commands += [f"ptype/o {name}" for name in ("v_tree15", "v_giant", "v_bush12", "v_nameless")]
    slow = []
    for command, text, seconds in ask(path, commands, kind == "process"):
        expect(not _NEVER.search(text.decode(errors="replace")), f"{command!r}: {text[-4000:]!r}")
        if seconds > SECONDS or len(text) > BYTES:
            slow.append(f"{command!r}: {seconds:.1f} s, {len(text)} bytes")
        expect(not re.search(rb"[\x00-\x08\x0b-\x1f]", text), f"{command!r} says control characters: {text[:300]!r}")
        text.decode()  # else it is no UTF-8
    equal(slow, [], "what takes long")


_NEVER = re.compile(r"(AddressSanitizer|LeakSanitizer|runtime error:|Assertion .* failed)")
main()
