# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a debugger has said, as short lines that can be compared: facts.

    event Breakpoint 1              why it stopped: also "event signal SIGUSR1", "event exited 3",
                                    "event killed SIGSEGV", "event Catchpoint 2 (fork)",
                                    "event Hardware watchpoint 2: x"
    at f(a=1, b=2) file.c:31        where, with the arguments of base types; "at library": where
                                    no line of the program is
    line 31 source text             the source line; "line*": in the middle of it
    frame 1 main() file.c:40        of a backtrace
    value 5                         $1 = 5; "finished 5": what finish prints; "old 1", "new 2"
    display 1: x = 5
    set Breakpoint 1 file.c:31      a breakpoint that was made; "pending" without a place
    row 1 breakpoint keep y main file.c:31    of "info breakpoints", and "hits 3", "ignore 2",
                                    "condition i > 3", "for thread"
    thread* main file.c:31          of "info threads": the current one, without its number
    handled SIGUSR1 No No Yes       of "handle"
    code 31 main+8 main+12          of "info line"
    text something                  what scenarios print with a "~" before it, and output and x
    refused                         the command was not executed

The code of an OpenMP construct is the compiler's function for gdb, "main._omp_fn.0" with arguments of
its own, and for ompdb, on purpose, the function of the source that it is written in: "main ()". That is
what the facts of both say: what gdb calls by the compiler's name is looked up in the source.

Left out on purpose: addresses, numbers of processes and threads, the words of messages, names of
functions in libraries (which have several each), arguments of other types.
"""

import re

# Of programs that are not moved about: code and data, libraries and stacks.
HEX = re.compile(r"0x(5555|7fff)[0-9a-f]{8}\b")
FUNCTION = r"(?P<function>(?:\(anonymous namespace\)|[^\s(]).*?) \((?P<arguments>.*)\)"
PLACE = re.compile(
    r"^(?:#(?P<level>\d+) +)?(?:0x[0-9a-f]+ in )?" + FUNCTION +
    r"(?: at (?P<file>[^ :]+):(?P<line>\d+)| from (?P<library>\S+))(?P<more>.*)$")
NOWHERE = re.compile(r"^(?:#(?P<level>\d+) +)?(?:0x[0-9a-f]+ in )(?P<function>\S+) \(\)$")
POINT = re.compile(
    r"^(?:Thread .* hit )?(?P<kind>(?:Temporary )?(?:[Bb]reakpoint|[Cc]atchpoint)|"
    r"(?:Hardware )?(?:access \(read/write\) |read |acc )?watchpoint) +(?P<number>\d+(?:\.\d+)?)"
    r"(?P<rest>[,:]? .*)?$")
SOURCE = re.compile(r"^(?P<mid>0x[0-9a-f]+\t)?(?P<line>\d+)\t(?P<text>.*)$")
THREAD = re.compile(
    r"^(?P<current>[* ]) +\d[\d.]* .* (?P<function>[^\s()]+) \([^()]*\)"
    r"(?: at (?P<file>\S+):(?P<line>\d+)| from \S+)?.*$")
ROW = re.compile(
    r"^(?P<number>\d+(?:\.\d+)?) +(?:(?P<type>\S.*?) +(?P<disp>keep|del|dis) +)?(?P<enabled>[ynN]\*?) +"
    r"(?:(?P<address>0x[0-9a-f]+|<PENDING>|<MULTIPLE>) *)?(?P<what>.*)$")
BASE_VALUE = re.compile(r"-?(?:\d[\d.e+-]*|inf|nan|nan\(.*\))(?: '.*')?|true|false|\.TRUE\.|\.FALSE\.")

PLAIN = [
    (r"^(?:Program|Thread .*) received signal (\S+), .*$", r"event signal \1"),
    (r"^(?:Program|Thread .*) terminated with signal (\S+), .*$", r"event killed \1"),
    (r"^\[Inferior \d+ \(process \d+\) exited normally\]$", "event exited 0"),
    # Where that is not known, gdb says nothing.
    (r"^Value returned is \$\d+ = (?!<not known: )(.*)$", r"finished \1"),
    (r"^Run till exit from .*$", "finishing"),
    (r"^\$\d+ = (.*)$", r"value \1"),
    (r"^Old value = (.*)$", r"old \1"),
    (r"^New value = (.*)$", r"new \1"),
    (r"^Value = (.*)$", r"read \1"),
    (r"^~(.*)$", r"text \1"),
    (r"^((?:Source language|Producer|Compiled|It stopped) .*)\.$", r"text \1"),
    (r"^(\d+): +(y|n) +(\S.*)$", r"display \1 \2 \3"),
    (r"^(SIG\S+) +(Yes|No)\t(Yes|No)\t(Yes|No)\t.*$", r"handled \1 \2 \3 \4"),
    (r"^Line (\d+) of .* starts at address \S+ <(.*)> and ends at \S+ <(.*)>\.$", r"code \1 \2 \3"),
    (r"^Line (\d+) of .* is at address \S+ <(.*)> but contains no code\.$", r"code \1 \2"),
    (r"^(\d+): (.*) = (.*)$", r"display \1: \2 = \3"),
    (r"^Breakpoint (\d+), (.*) at .*: file .*?([^/]+), line (\d+)\.$", r"set Breakpoint \1 \3:\4"),
    (r"^(Temporary breakpoint|Breakpoint|Hardware assisted breakpoint|Dprintf) (\d+) at \S+: "
     r"file .*?([^/]+), line (\d+)\.$", r"set \1 \2 \3:\4"),
    (r"^(Temporary breakpoint|Breakpoint) (\d+) at \S+: (\S+)\. \((\d+) locations\)$",
     r"set \1 \2 (\4 locations)"),
    (r"^(Temporary breakpoint|Breakpoint) (\d+) at 0x[0-9a-f]+$", r"set \1 \2 in a library"),
    (r"^(Temporary breakpoint|Breakpoint) (\d+) \(.*\) pending\.$", r"set \1 \2 pending"),
    # gdb calls some temporary, when it makes them.
    (r"^(?:Temporary c|C)atchpoint +(\d+) (\(.*\))$", r"set Catchpoint \1 \2"),
    (r"^#(\d+) +<signal handler called>$", r"frame \1 of a signal"),
    (r"^<signal handler called>$", "at the frame of a signal"),
    (r"^\tbreakpoint already hit (\d+) times?$", r"hits \1"),
    (r"^\tcatchpoint already hit (\d+) times?$", r"hits \1"),
    (r"^\tignore next (\d+) hits$", r"ignore \1"),
    (r"^\tstop only if (.*?)(?: \(\w+ evals\))?$", r"condition \1"),
    (r"^\tstop only in thread \d+$", "for thread"),
]
PLAIN = [(re.compile(pattern), fact) for pattern, fact in PLAIN]
REFUSED = re.compile(
    r"^(The program is not being run|No (symbol|source file|line|label|breakpoint number|stack|"
    r"registers|frame|thread)\b|Function .* not defined|Initial frame selected|Bottom \(innermost\) frame|"
    r"\"finish\" not meaningful|Undefined command|'.*' is no part of a location|Cannot |No process |"
    r"No compiled code for line |Invalid |Unknown )")
EXITED = re.compile(r"^\[Inferior \d+ \(process \d+\) exited with code (\d+)\]$")


def base_name(path):
    return path.rsplit("/", 1)[-1]


def plain(words):
    """Without numbers of processes and folders."""
    return re.sub(r"[^\s\"]*/([^/\s]+)", r"\1", re.sub(r"process \d+", "process", words))


# Errors of expressions name the place in the text, which gdb's do not.
NEAR = re.compile(r", near `.*?'(?=>|\.?$)", re.M)


def value_of(text):
    """A value without addresses, which differ from one process to the next."""
    text = HEX.sub("ADDRESS", text)
    return re.sub(r" <.*?>", "", text) if "ADDRESS" in text else text


def arguments_of(text):
    """Those of base types: {name: value} as text."""
    kept = []
    for part in re.findall(r"""(\w+(?:@entry)?)=((?:'(?:\\.|[^'])*'|"(?:\\.|[^"])*"|\{.*?\}|[^,'"{])*)""",
                           re.sub(r"(\w+)=\1@entry=([^,)]*)", r"\1=\2, \1@entry=\2", text)):
        name, value = part[0], part[1].strip()
        value = re.sub(r"^@0x[0-9a-f]+: ", "&", value)
        if BASE_VALUE.fullmatch(value.lstrip("&")):
            kept.append(f"{name}={value}")
    return ", ".join(kept)


# What compilers call the code of a construct.
OUTLINED = re.compile(r"\._omp_fn\.|\.omp_outlined|\.omp_task_entry")


def function_around(path, number):
    """The function of the source around a line: the last that begins before it."""
    with open(path) as f:
        lines = f.read().splitlines()[:number]
    if path.endswith(".f90"):
        found = [re.match(r" *program (\w+)", line) for line in lines]
    else:
        found = [re.match(r"\w.*\b(\w+)\(.*\)$", line) for line in lines]
    if not any(found):  # one of a class
        found = [re.match(r"\s+\w.*\b(\w+)\(.*\)$", line) for line in lines]
    return [match[1] for match in found if match][-1]


class Reader:
    """Makes facts of lines. ours: the base names of the files that the program is made of.

    folder: where the sources are, for those of gdb; "": names of constructs are as they are."""

    def __init__(self, ours, arguments, folder=""):
        self.ours, self.folder = ours, folder
        self.arguments = arguments_of if arguments else lambda text: ""
        self.in_library = False

    def user_function(self, function, file, line):
        """What the source calls it, and whether it is code of a construct."""
        if not (self.folder and file and OUTLINED.search(function) and base_name(file) in self.ours):
            return function, False
        return function_around(f"{self.folder}/{base_name(file)}", int(line)), True

    def place(self, match):
        groups = match.groupdict()
        self.in_library = not (groups.get("file") and base_name(groups["file"]) in self.ours)
        if self.in_library:
            return "library"
        # OpenMP's words stand behind gdb's.
        function, construct = self.user_function(groups["function"], groups["file"], groups["line"])
        arguments = "" if construct else self.arguments(groups["arguments"])
        return (f"{function}({arguments}) "
                f"{base_name(groups['file'])}:{groups['line']}")

    def where(self, line):
        """A frame or the place of a stop."""
        match = PLACE.match(line) or NOWHERE.match(line)
        if not match:
            return None
        level = match.groupdict().get("level")
        place = self.place(match)
        return f"frame {level} {place}" if level is not None else f"at {place}"

    def point(self, line):
        """A breakpoint, watchpoint or catchpoint was hit, or was made."""
        match = POINT.match(line)
        if not match:
            return None
        kind, number, rest = match["kind"], match["number"], match["rest"] or ""
        if rest.startswith(", "):
            return [f"event {kind} {number}", self.where(rest[2:]) or f"at {rest[2:]}"]
        if rest.startswith(": "):
            return [f"event {kind} {number}{rest}"]
        caught = re.match(r" \((.*?)\)(?:, (.*))?$", rest)
        if caught and caught[2]:
            return [f"event {kind} {number} ({plain(caught[1])})", self.where(caught[2]) or "at library"]
        return None if rest else [f"event {kind} {number}"]

    def source(self, line):
        match = SOURCE.match(line)
        if not match or self.in_library:
            return None
        if re.match(r"in \S+$|\S+: No such file or directory\.?$", match["text"]):
            return f"line {match['line']} (no source)"
        return f"line{'*' if match['mid'] else ''} {match['line']} {match['text'].strip()}".rstrip()

    def row(self, line):
        match = ROW.match(line)
        if not match or not (match["type"] or "." in match["number"]):
            return None
        what = plain(match["what"])
        where = re.match(r"in (.*) at (\S+):(\d+)", what)
        if where:
            what = what.replace(where[1], self.user_function(*where.groups())[0], 1)
        if match["address"] and ":" not in what and not match["address"].startswith("<"):
            what = "library"
        if match["address"] and match["address"].startswith("<"):
            what = match["address"] + " " + what
        what = re.sub(r" (thread|inf) \d+$", "", what)
        what = re.sub(r"\([^()]*std::.*\)( const)?(?= at )", "(...)", what)
        what = re.sub(r"^in | at (\S+:\d+)", r" \1", what).strip()
        words = ["row", match["number"], match["type"], match["disp"], match["enabled"], what]
        return " ".join(word for word in words if word)

    def thread(self, line):
        match = THREAD.match(line)
        if not match:
            return None
        function = self.user_function(match["function"], match["file"], match["line"])[0]
        here = f"{function} {base_name(match['file'])}:{match['line']}" if match["file"] else ""
        ours = match["file"] and base_name(match["file"]) in self.ours
        return f"thread{match['current'].strip()} {here if ours else 'library'}"

    def facts(self, line):
        # gdb from 14 on warns of a source file that is not there.
        line = re.sub(r"^warning: (?=\d+\t)", "", line)
        for pattern, fact in PLAIN:
            if pattern.match(line):
                if fact.startswith("finished") and "{" in line:
                    return []  # neither of a base type nor a pointer
                return [value_of(pattern.sub(fact, line))]
        ended = EXITED.match(line)
        if ended:
            return [f"event exited {int(ended[1], 8)}"]
        if REFUSED.match(line):
            return ["refused"]
        for read in (self.point, self.row, self.thread, self.where, self.source):
            found = read(line)
            if found:
                return found if isinstance(found, list) else [found]
        return []


def text(said):
    """What x and output print, without addresses."""
    return ["text " + re.sub(r"\s+", " ", value_of(line)) for line in said.splitlines() if line]


def facts(commands, said, ours, quiet=(), folder=""):
    """The facts in what was said to each command: a list of lists.

    quiet: kinds that are left out; "arguments": those of functions, everywhere.
    folder: see Reader."""
    reader = Reader(ours, "arguments" not in quiet, folder)
    result = []
    for command, words in zip(commands, said):
        words = NEAR.sub("", words)
        if re.match(r"x/|output ", command):
            result.append(text(words))
            continue
        # That table is longer where there are names for signals that Linux does not have.
        lines = [] if command.startswith("handle all") else words.splitlines()
        found = [fact for line in lines for fact in reader.facts(line)]
        # What was not found is pending then: no refusal.
        found = [fact for fact, next_fact in zip(found, [*found[1:], ""])
                 if fact != "refused" or not next_fact.endswith(" pending")]
        result.append([fact for fact in found if fact.split()[0].rstrip("*") not in quiet])
    return result


def stops(all_facts):
    """The same as a sorted list of what belongs together: an event with its place, anything else alone."""
    together = []
    for fact in (fact for facts in all_facts for fact in facts):
        kind = fact.split()[0]
        if together and kind in ("at", "line", "line*", "old", "new") and together[-1].startswith("event"):
            together[-1] += " | " + fact
        else:
            together.append(fact)
    return sorted(together)
