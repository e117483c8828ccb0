# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""harness.py: failures are failures, and nothing that a case started outlives it."""

from harness import *

HEAD = "from harness import *\n"


def tap(body, **env):
    """Runs a test file with this text."""
    path = os.path.join(folder(), "test.py")
    with open(path, "w") as f:
        f.write(HEAD + body + "\nmain()\n")
    return run(sys.executable, path, env=dict(os.environ, **env))


def stand_in(script):
    """A program in place of ompdb."""
    path = os.path.join(folder(), "ompdb")
    with open(path, "w") as f:
        f.write("#!/bin/sh\n" + script)
    os.chmod(path, 0o755)
    return path


@cases(
    ("pass", "pass", 0, "ok 1 - it"),
    ("fail", "expect(1 == 2, 'no')", 1, "not ok 1 - it"),
    ("unequal", "equal(1, 2)", 1, "# line 4: value is 1, not 2"),
    ("exception", "[][0]", 1, "# IndexError"),
    ("skip", "skip('no tool')", 0, "ok 1 - it # SKIP no tool"),
    ("missing tool", "need('no-such-tool')", 0, "# SKIP no no-such-tool here"),
    ("missing program", "start('no-such-program')", 0, "# SKIP no-such-program is not built"),
    ("endless wait", "wait_for(lambda: False, 'a miracle', 0.1)", 1, "in vain for a miracle"),
)
def a_case_can(what, statement, status, words):
    result = tap(f"@case\ndef it():\n    {statement}\n")
    equal(result.status, status, f"status of {what}")
    expect(words in result.out and result.out.startswith("1..1\n"), f"{what}: {result}")


@cases(
    ("is killed", "kill -SEGV $$", "killed by signal 11"),
    ("reports an error of memory", "echo '==1==ERROR: AddressSanitizer: x' >&2", "sanitizers"),
    ("reports undefined behaviour", "echo 'a.c:1: runtime error: x' >&2", "sanitizers"),
    ("hangs", "exec sleep 60", "not done within 1 s"),
)
def notices_that_ompdb(what, script, words):
    result = tap("@case\ndef it():\n    ompdb('x', seconds=1)\n", OMPDB=stand_in(script))
    equal(result.status, 1, f"status where it {what}")
    expect(words in result.out, f"{what}: {result}")


@cases(
    ("output despite an error", "echo x; echo ompdb: y >&2; exit 3"),
    ("two lines", "echo 'ompdb: y\nz' >&2; exit 3"),
    ("another status", "echo ompdb: y >&2; exit 1"),
    ("no name", "echo y >&2; exit 3"),
    ("silence", "exit 3"),
)
def is_no_proper_refusal(what, script):
    result = tap("@case\ndef it():\n    ompdb('x').refused(3)\n", OMPDB=stand_in(script))
    equal(result.status, 1, f"status of {what}")


ROWS = """
BUILDS = ["gcc-O0", "clang-O0", "gcc-O2", "clang-O2"]

@cases(*(f"{name}-{build}" for name in ("one", "two", "three") for build in BUILDS), "alone", *(f"libc++-{n}-O{n % 2}" for n in range(14, 20)))
def alike(row):
    pass

@case
def single():
    pass

@case
def odd():
    pass

@case_of_each_run
def needed():
    pass

@cases(*(Shared((name, row)) for at, name in enumerate("abc") for row in share([*BUILDS, "other"], at)))
def shared_before(name, row):
    pass
"""


@case
def rows_are_shared_by_two_builds():
    def rows_of(**env):
        return re.findall(r"^ok \d+ - (.*)$", tap(ROWS, **{"OMPDB_QUICK": "0", "OMPDB_SANITIZED": "0", "OMPDB_SHARED": "0", "OMPDB_TURN": "0", **env}).out, re.M)

    every = rows_of(OMPDB_SHARED="0")
    equal(len(every), 37, "rows")
    seen = set()
    for turn in map(str, range(12)):
        plain = rows_of(OMPDB_SHARED="1", OMPDB_TURN=turn)
        sanitized = rows_of(OMPDB_SHARED="1", OMPDB_SANITIZED="1", OMPDB_TURN=turn)
        equal([row for row in plain if row in sanitized], ["needed"], "rows that are run twice")
        for name in ("single", "odd", "alike: alone"):
            equal([*plain, *sanitized].count(name), 1, f"how often {name} is run")
        for name in ("one", "two", "three"):
            [others], mine = ([row.split("-") for row in build if f" {name}-" in row] for build in (plain, sanitized))
            expect(len(mine) <= 1, mine)
            expect(all(m[1] != others[1] and m[2] != others[2] for m in mine), f"{mine} and {others}")
        expect(0 < len(re.findall(" (?:one|two|three)-", "\n".join(sanitized))) < 3, f"every second kind: {sanitized}")
        seen.update(plain, sanitized)
        if turn == "3":
            equal(len([row for row in seen if re.search(" (one|two|three)-", row)]), 12, "rows in four turns")
    equal(sorted(seen), sorted(every), "rows that are run")
    quick = rows_of(OMPDB_QUICK="1")
    equal(len(quick), 3 + 1 + 1 + 3 + 3, "one of each kind")
    equal(rows_of(OMPDB_SANITIZED="1"), quick, "what sanitizers run alone")


@case
def a_failed_case_leaves_no_process_and_no_folder():
    result = tap("@case\ndef it():\n    print('#', start('sleepers', 2).pid, folder())\n"
                 "    [][0]\n")
    pid, path = re.search(r"^# (\d+) (\S+)$", result.out, re.M).groups()
    equal(proc_state(int(pid)), None, "state of the program")
    expect(not os.path.exists(path), f"{path} is still there")


@case
def a_killed_test_leaves_no_process():
    path = os.path.join(folder(), "test.py")
    with open(path, "w") as f:
        f.write(HEAD + "@case\ndef it():\n    print('#', start('sleepers', 2).pid, flush=True)\n"
                "    signal.pause()\nmain()\n")
    test = subprocess.Popen([sys.executable, path], stdout=subprocess.PIPE)
    test.stdout.readline()
    pid = int(test.stdout.readline().split()[1])
    test.kill()
    test.wait()
    test.stdout.close()
    wait_for(lambda: proc_state(pid) in (None, "Z"), "the end of the program")


main()
