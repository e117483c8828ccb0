# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py counts what it should, and never takes silence for success."""

import json

from harness import *

SUMMARY = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "summary.py")


def summary(*tests):
    """Status and lines of summary.py for one build folder with these tests in its log."""
    build = folder()
    os.mkdir(os.path.join(build, "meson-logs"))
    with open(os.path.join(build, "meson-logs", "testlog.json"), "w") as f:
        for result, status, out in tests:
            f.write(json.dumps({"name": "t", "stdout": out, "result": result, "returncode": status,
                                "env": {}, "command": []}) + "\n")
    done = run(sys.executable, SUMMARY, build)
    return done.status, done.out.splitlines()


@cases(
    ("subtests", "OK", 0, "1..3\nok 1 - a\nok 2 b\nok 3 - c # SKIP no tool\n", 0, (2, 0, 1)),
    ("a failed subtest", "FAIL", 1, "1..2\nok 1\nnot ok 2 - b\n", 1, (1, 1, 0)),
    ("a plan at the end", "OK", 0, "ok 1 - a\nok 2 - b\n1..2\n", 0, (2, 0, 0)),
    ("a crash after good subtests", "ERROR", -11, "1..9\nok 1 - a\n", 1, (1, 1, 0)),
    ("a time-out", "TIMEOUT", -9, "1..9\nok 1 - a\n", 1, (1, 1, 0)),
    ("fewer subtests than planned", "ERROR", 0, "1..3\nok 1 - a\n", 1, (1, 1, 0)),
    ("nothing but a plan of none", "SKIP", 0, "1..0 # SKIP no gdb\n", 1, (0, 0, 1)),
    ("silence of a TAP test", "SKIP", 0, "", 1, (0, 1, 0)),
    ("a plain test", "OK", 0, "hello\n", 0, (1, 0, 0)),
    ("a plain test that fails", "FAIL", 1, "", 1, (0, 1, 0)),
    ("a plain test that skips", "SKIP", 77, "skipped: no tool\n", 1, (0, 0, 1)),
    ("one that should fail", "EXPECTEDFAIL", 1, "differs\n", 0, (1, 0, 0)),
    ("one that should fail and does not", "UNEXPECTEDPASS", 0, "", 1, (0, 1, 0)),
    ("a word that begins like ok", "OK", 0, "1..1\nokay\nok 1 - a\n", 0, (1, 0, 0)),
)
def counts(what, result, returncode, out, status, numbers):
    line = "%d passed, %d failed, %d skipped" % numbers
    got, lines = summary((result, returncode, out))
    equal((got, lines[-1]), (status, line), what)


@case
def adds_up_tests():
    status, lines = summary(("OK", 0, "1..1\nok 1\n"), ("OK", 0, ""), ("FAIL", 1, "1..1\nnot ok 1\n"))
    equal((status, lines[-1]), (1, "2 passed, 1 failed, 0 skipped"))


@case
def says_why_a_subtest_failed():
    status, lines = summary(("FAIL", 1, "1..2\nnot ok 1 - a\n# it is 3\n# not 4\nok 2 - b\n# 0.1 s\n"))
    equal(lines[-5:-1], [lines[-5], "# it is 3", "# not 4", f"failed: {lines[-5]}"])
    expect(lines[-5].endswith(": a"), lines)


@case
def no_test_at_all_is_a_failure():
    equal(summary(), (1, ["0 passed, 0 failed, 0 skipped"]))
    equal(run(sys.executable, SUMMARY, "/nonexistent").status, 1, "status without a log")


main()
