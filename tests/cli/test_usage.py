# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: help and version, wrong usage, and targets that are none."""

import corefile
from harness import *


def written(name, data):
    path = os.path.join(folder(), name)
    with open(path, "wb") as f:
        f.write(data)
    return path


def stack(*arguments, **how):
    return ompdb("stack", "--raw", *arguments, **how)


# ------------------------------------------------------------------------- what it says of itself


@case
def version_is_one_line():
    result = ompdb("--version")
    equal(result.status, 0, "status")
    expect(re.fullmatch(r"ompdb \d+\.\d+\.\d+\n", result.out), f"not a version: {result}")


@cases(("--help",), ("-h",), ("stack", "--help"), ("why", "--help"))
def help_goes_to_stdout(*arguments):
    result = ompdb(*arguments)
    equal((result.status, result.err), (0, ""), "status and stderr")
    expect(result.out.startswith("usage: ompdb "), f"no usage: {result}")
    expect("--json" in result.out or "COMMAND" in result.out, f"no help: {result}")
    long = [line for line in result.out.splitlines()
            if len(line) > 80 and not line.startswith("usage: ")]
    expect(not long, f"lines longer than 80 columns: {long}")


# ---------------------------------------------------------------------------- wrong usage


@cases(("--nonsense",), ("--args",), ("a", "b", "c"), ("stack",), ("stack", "--raw"),
       ("why", "--dot", "1", "2"), ("stack", "--raw", ""), ("stack", "--raw", "--nonsense", "1"), ("stack", "--raw", "-j", "1"),
       ("stack", "--raw", "--max-frames", "1"), ("stack", "--raw", "--max-frames", "0", "1"),
       ("stack", "--raw", "--max-frames", "x", "1"), ("stack", "--raw", "--max-frames=-1", "1"),
       ("stack", "--raw", "--max-frames", "99999999999999999999", "1"),
       ("stack", "--raw", "--exe", "x", "1"), ("stack", "--raw", "--color=purple", "1"),
       ("stack", "--raw", "--debug=nonsense", "1"), ("why",), ("why", "--samples", "0", "1"),
       ("why", "--interval", "0", "1"), ("why", "--json", "--dot", "1"), ("why", "--graph", "--dot", "1"),
       ("stack", "--\033[31m"))
def wrong_usage(*arguments):
    result = ompdb(*arguments)
    equal((result.status, result.out), (2, ""), "status and stdout")
    lines = result.err.splitlines()
    expect(len(lines) == 2 and lines[0].startswith("ompdb: ")
           and lines[1].startswith("usage: ompdb"), f"not one sentence and one line of usage: {result}")
    expect("\033" not in result.err, f"a control character: {result}")


@case
def a_closed_stdout_is_an_error():
    program = start("chain-gcc-O0")
    with open("/dev/full", "w") as full:
        done = subprocess.run([OMPDB, "stack", "--raw", str(program.pid)], stdout=full,
                              stderr=subprocess.PIPE, timeout=60)
    equal(done.returncode, 1, "status")
    expect(b"No space left" in done.stderr or b"no space" in done.stderr, f"says {done.stderr}")
    program.finish()


@case
def closed_standard_streams_do_no_harm():
    for redirections in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        result = run("sh", "-c", f'exec "$0" stack --raw 999999999 {redirections}', OMPDB)
        equal(result.status, 3, f"status with {redirections}")


# ---------------------------------------------------------------------------- no such process


@cases("0", "4194305", "2147483647", "2147483648", "18446744073709551617", "9" * 400)
def no_such_process(number):
    stack(number).refused(3, "no process")


@case
def a_process_that_has_ended():
    program = start("chain-gcc-O0")
    program.finish()
    stack(program.pid).refused(3, "no process", str(program.pid))


@case
def a_zombie():
    """A child of the test itself: a shell may reap its own after any command (dash does)."""
    child = os.spawnlp(os.P_NOWAIT, "true", "true")
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    stack(child).refused(3, str(child))
    os.waitpid(child, 0)


@case
def a_kernel_thread():
    if not os.path.exists("/proc/2/status") or os.path.exists("/proc/2/exe") and proc_exe(2):
        skip("no kernel threads are visible here")
    stack(2).refused(3, "2", "kernel")


def proc_exe(pid):
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return None


# ---------------------------------------------------------------------------- no core file

ELF_PROGRAM = os.path.realpath(sys.executable)
PLAIN = corefile.SEEDS["plain"]()


@case
def no_such_file():
    stack("/nonexistent/core").refused(3, "/nonexistent/core")


@case
def a_directory():
    stack("/tmp").refused(3, "/tmp", "directory")


@cases("/dev/null", "/dev/zero", "/dev/tty")
def a_device(path):
    stack(path).refused(3, path)


@case
def a_fifo_does_not_block():
    path = os.path.join(folder(), "fifo")
    os.mkfifo(path)
    stack(path, seconds=20).refused(3, path)


@case
def an_unreadable_file():
    path = written("core", PLAIN)
    os.chmod(path, 0)
    if os.access(path, os.R_OK):
        skip("root may read everything")
    stack(path).refused(3, path)


@case
def a_program_instead_of_a_core():
    stack(ELF_PROGRAM).refused(3, ELF_PROGRAM, "core")


@cases(("empty", b""), ("text", b"#!/bin/sh\necho hello\n"), ("one byte", b"\x7f"),
       ("magic number only", b"\x7fELF"), ("zeros", bytes(5000)), ("an archive", b"!<arch>\n"),
       ("header only", PLAIN[:64]), ("half a header", PLAIN[:40]),
       ("before the notes", PLAIN[:200]), ("within the notes", PLAIN[:500]))
def no_core(what, data):
    path = written("file", data)
    stack(path).refused(3, path)


@cases("other-machine", "no-notes")
def a_core_that_cannot_be_shown(name):
    path = written("core", corefile.SEEDS[name]())
    stack(path).refused(3, path)


@cases(("gzip", "gz"), ("xz", "xz"), ("zstd", "zst"))
def a_compressed_core(tool, suffix):
    path = written("core." + suffix, subprocess.run([need(tool), "-c"], input=PLAIN, check=True,
                                                    capture_output=True).stdout)
    stack(path).refused(3, path, tool, "-d")


@case
def a_name_with_control_characters():
    result = stack("/nonexistent/\033[31m\n\"")
    result.refused(3)
    expect("\033" not in result.err, f"a control character: {result}")


@case
def a_core_named_like_a_number_needs_a_path():
    path = written("4194305", PLAIN)
    stack("4194305", cwd=os.path.dirname(path)).refused(3, "no process")
    equal(stack("./4194305", cwd=os.path.dirname(path)).status, 0, "status")


# ---------------------------------------------------------------------------- and one that is


@cases("plain", "threads", "notes-last", "loop", "misaligned", "module", "sparse")
def a_small_core(name):
    result = stack(written("core", corefile.SEEDS[name]()))
    equal(result.status, 0, f"status of {result}")
    expect(f"{corefile.TEXT + 4:x}" in result.out, f"not the thread's pc: {result}")


main()
