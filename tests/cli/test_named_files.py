# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that a program names, in its debug information: what its owner cannot read, or what lies
outside of its container, is not shown, whoever asks; and no file makes anybody wait."""

from stacks import *

NAME = b"a-name-in-whose-place-tests-put-the-path-of-a-file-that-must-not-be-longer-than-this-is.c"
FUSE_LOOKUP, FUSE_GETATTR, FUSE_OPEN, FUSE_READ, FUSE_STATFS = 1, 3, 14, 15, 17
NEVER = 0


def naming(source):
    """A program that blocks in line 2 of that source file, as it says."""
    path = copy("named_source-gcc-O0")
    with open(path, "r+b") as f:
        data = f.read()
        expect(NAME in data and len(source) <= len(NAME), f"no room for {source}")
        f.seek(0)
        f.write(data.replace(NAME, source.encode().ljust(len(NAME), b"\0")))
    return path


def text_file(text, mode=0o644, where=None, name="text.c"):
    """The path of a file with this text in its second line."""
    path = os.path.join(where or folder(), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.chmod(os.path.dirname(path), 0o755)
    with open(path, "w") as f:
        f.write(f"first\n{text}\nthird\n")
    os.chmod(path, mode)
    return path


def source_line(target, *options):
    """What `ompdb why` shows of line 2 of the file; None: nothing."""
    result = ompdb("why", "--once", *options, target)
    expect(result.status == 0, f"not an answer: {result}")
    expect(":2 " in result.out, f"not the place: {result}")
    lines = re.findall(r"^ +2 \| (.*)$", result.out, re.M)
    return lines[0] if lines else None


def as_root():
    if os.geteuid() != 0:
        skip("only root can read what others cannot")


# ---------------------------------------------------------------------------- whose rights


@cases(("everybody", 0o644, "a text"), ("root", 0o600, None))
def root_looks_at_the_program_of_a_user_with_a_file_of(whom, mode, shown):
    as_root()
    program = start(naming(text_file("a text", mode)), **ordinary_user())
    equal(source_line(program.pid), shown, "the line")
    equal("a text" in ompdb("stack", program.pid).out, False, "whether stack prints it")
    program.untouched()
    program.finish()


@case
def a_user_looks_at_an_own_program():
    program = start(naming(text_file("a text", 0o600)))
    equal(source_line(program.pid), "a text", "the line")
    program.finish()


@cases("of the user", "of root")
def root_looks_at_the_core_of_a_user(owner):
    as_root()
    for mode, shown in ((0o600, None), (0o644, "a text")):
        program = start(naming(text_file("a text", mode)), **ordinary_user())
        core = own_core_of(program)
        if owner == "of the user":
            os.chown(core, NOBODY, NOBODY)
        program.finish()
        equal(source_line(core), shown, f"the line of a file of mode {mode:o}")


@cases("/proc/cpuinfo", "/proc/kmsg", "/proc/self/status", "/proc/self/cwd/text.c")
def files_of_the_kernel(path):
    where = os.path.dirname(text_file("a text"))
    program = start(naming(path))
    result = ompdb("why", "--once", program.pid, cwd=where)
    equal((result.status, re.findall(r"^ +2 \| .*", result.out, re.M)), (0, []), "status and lines")
    program.finish()


# ---------------------------------------------------------------------------- containers


def box(program):
    """A root directory in which that program can run, as /program."""
    root = folder()
    os.chmod(root, 0o755)
    for path in re.findall(r"(/\S+) \(0x", run(need("ldd"), program).out):
        os.makedirs(root + os.path.dirname(path), exist_ok=True)
        shutil.copy(path, root + path)
    shutil.copy(program, os.path.join(root, "program"))
    return root


@cases("a file", "a link", "a link in the way", "nothing")
def a_program_in_a_container_names(what):
    outside = text_file("of the host", name="dir/text.c")
    away = os.path.dirname(os.path.dirname(outside))
    text_file("of the host", where=away, name="other/text.c")
    path = naming(outside)
    root = box(path)
    inside = {"a file": outside, "nothing": outside + ".other"}.get(what, away + "/other/text.c")
    text_file("of the container", where=root, name=inside[1:])
    if what == "a link":
        os.makedirs(root + away + "/dir")
        os.symlink(inside, root + outside)
    if what == "a link in the way":
        os.symlink(away + "/other", root + away + "/dir")
    away = namespaces(["--mount", "--pid", "--fork"], [need("chroot"), "/", "true"])
    program = Program([*away, "chroot", root, "/program"])
    program.wait_ready()
    [pid] = children(program.pid)
    wait_for(lambda: asleep(pid), "the program to sleep")
    equal(source_line(pid), None if what == "nothing" else "of the container", "the line")
    program.finish()


# ---------------------------------------------------------------------------- that nobody answers for


def silent(operation):
    """A process in a mount namespace with a filesystem, and the path of a file in that."""
    as_root()
    where = folder()
    server = Program([need("unshare"), "--mount", testprog("fuse_silent"), where,
                      "first\na text\n", operation])
    server.wait_ready()
    return server, os.path.join(where, "text.c")


SILENT = [("beside it", NEVER), ("from outside", NEVER), ("beside it", FUSE_OPEN),
          ("from outside", FUSE_READ), ("beside it", FUSE_LOOKUP), ("beside it", FUSE_STATFS),
          ("beside it", FUSE_GETATTR)]


@cases(*SILENT[:3 if FEW else None])
def a_file_that_a_server_is_silent_about(where, operation):
    server, path = silent(operation)
    if operation == FUSE_GETATTR:
        path = os.path.dirname(path)  # the one name that the kernel knows without asking
    enter = [need("nsenter"), "--mount", f"--target={server.pid}"]
    program = Program([*enter, naming(path)])
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    looking = subprocess.Popen([*(enter if where == "beside it" else []), shutil.which(OMPDB), "why",
                                "--once", str(program.pid)], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if operation != NEVER:
        expect(select.select([server.process.stdout], [], [], 60)[0], "the server was not asked")
        program.untouched()  # while ompdb waits for the file
    try:
        out = looking.communicate(timeout=60)[0].decode()
    except subprocess.TimeoutExpired:
        looking.kill()
        raise Failure("ompdb waits for the file") from None
    expect(looking.returncode == 0 and ":2 " in out, f"not the answer: {out}")
    equal(re.findall(r"^ +2 \| (.*)$", out, re.M), ["a text"] if operation == NEVER else [],
          "the line")
    program.finish()


@case
def a_root_directory_that_a_server_is_silent_about():
    server, path = silent(FUSE_GETATTR)
    script = ("import os, sys; os.chroot(sys.argv[1]); os.write(1, b'ready\\n'); "
              "sys.stdin.read(); os._exit(0)")
    program = Program([need("nsenter"), "--mount", f"--target={server.pid}", sys.executable, "-c",
                       script, os.path.dirname(path)])
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    result = ompdb("stack", "--flat", program.pid)
    expect(result.status == 0 and "read" in result.out, f"not the stack: {result}")
    program.untouched()
    program.finish()


main()
