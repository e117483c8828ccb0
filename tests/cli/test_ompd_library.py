# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which OMPD libraries ompdb loads: never one that the target has planted. And the sandbox of those
that are not the system's: what they answer is the same, and harm comes from none."""

from openmp import *

PROGRAM = "omp_barrier-clang-O0"


def trusted_folder():
    """A new folder to which only root and whoever runs the test can write, from / on."""
    parent = "/var/lib" if os.geteuid() == 0 else os.path.expanduser("~")
    path = folder(parent)
    os.chmod(path, 0o755)
    part = path
    while part != "/":
        part = os.path.dirname(part)
        at = os.stat(part)
        if at.st_mode & 0o022 or at.st_uid not in (0, os.geteuid()):
            skip(f"others may write to {part}")
    return path


def place_runtime(where, library=True):
    """Puts libomp into a folder, and a planted libompd.so beside it."""
    shutil.copy(libomp_of(None), os.path.join(where, "libomp.so.5"))
    if library:
        shutil.copy(testprog("planted_ompd.so"), os.path.join(where, "libompd.so"))


def start_with(where, *before, **popen):
    """A program that uses the libomp of a folder; before: a command that runs it."""
    program = Program([*before, copy(PROGRAM)], env={"LD_LIBRARY_PATH": where}, **popen)
    program.wait_ready()
    wait_for(lambda: asleep(program.pid), "the program to sleep")
    program.pid = (children(program.pid) or [program.pid])[0]  # of a command that forks
    with open(f"/proc/{program.pid}/maps") as f:
        expect(f"{where}/libomp.so.5" in f.read(), "the program has another libomp")
    return program


def installed():
    """The libompd.so of the system."""
    path = os.path.join(os.path.dirname(os.path.realpath(libomp_of(None))), "libompd.so")
    return path if os.path.exists(path) else skip("no libompd.so here")


COMMANDS = (("omp", "--icvs"), ("stack",), ("stack", "--json"), ("why", "--once"))


def shown(target, *options, env=None, commands=COMMANDS, **popen):
    """What all commands show."""
    out = ""
    for command in commands:
        result = ompdb(*command, *options, target, env=env, **popen)
        expect(result.status in (0, 4) and result.err == "", f"no success: {result}")
        out += result.out
    return out


def expect_unharmed(target, **popen):
    """ompdb shows the program with the system's library: the planted one would not get so far."""
    made = os.path.join(folder(), "made")
    os.chmod(os.path.dirname(made), 0o777)
    out = shown(target, env={"PLANTED": "make a file", "PLANTED_FILE": made}, **popen)
    expect(not os.path.exists(made), "the planted library was loaded")
    expect("sandbox" not in out, f"the planted library was loaded: {out}")
    expect(installed() in out, f"not the library of the system: {out}")


@case
def the_planted_library_works():
    """Else the other cases would prove nothing."""
    place = trusted_folder()
    place_runtime(place)
    program = start_with(place)
    result = ompdb("omp", program.pid, env={"PLANTED_REAL": installed()})
    expect(f"{place}/libompd.so" in result.out, f"it was not loaded: {result}")
    program.finish()


@case
def a_core_file_that_names_the_current_folder():
    first, second = trusted_folder(), trusted_folder()
    place_runtime(first, library=False)
    place_runtime(second)
    program = start_with(first)
    path = core_of(program)
    program.finish()
    # Of the same length, so that nothing in the core moves.
    link = "/proc/self/cwd"
    name = link + "/" * (len(first) - len(link))
    with open(path, "rb") as f:
        core = f.read()
    expect(core.count(first.encode()), "the core does not name the library's folder")
    with open(path, "wb") as f:
        f.write(core.replace(first.encode(), name.encode()))
    shutil.rmtree(first)
    expect_unharmed(path, cwd=second)


@case
def a_process_of_another_user():
    need_root()
    place = trusted_folder()
    place_runtime(place)
    program = start_with(place, **ordinary_user())
    expect_unharmed(program.pid)
    program.finish()


NAMESPACES = {"mount": ("--mount",), "user": ("--user", "--map-root-user"),
              "all": ("--user", "--map-root-user", "--pid", "--fork", "--kill-child",
                      "--mount-proc")}


@cases(*NAMESPACES)
def a_process_in_another_namespace(kind):
    unshare = [need("unshare"), *NAMESPACES[kind]]
    if kind != "user" and os.geteuid() != 0:
        unshare.append("--user")
    probe = run(*unshare, "true")
    if probe.status != 0:
        skip(f"no new {kind} namespace here: {probe.err.strip()}")
    place = trusted_folder()
    place_runtime(place)
    program = start_with(place, *unshare)
    expect_unharmed(program.pid)
    program.finish()


@case
def what_is_refused_is_said_where_no_other_library_is():
    need_root()
    empty, place = folder(), trusted_folder()
    os.chmod(empty, 0o755)
    script = f'mount --bind {empty} "$(dirname "$1")" && shift && exec "$@"'
    without = [need("unshare"), "--mount", "sh", "-c", script, "-", installed()]
    if run(*without, "true").status != 0:
        skip("no new mount namespace here")
    place_runtime(place)
    program = start_with(place, **ordinary_user())
    result = run(*without, OMPDB, "omp", program.pid)
    equal(result.status, 0, f"status of {result}")
    for words in (f"beside {place}/libomp.so.5 none is looked for",
                  f"process {program.pid} belongs to user {NOBODY}", "--ompd-library"):
        expect(words in result.out, f"nothing about {words!r}: {result}")
    program.finish()


# ---------------------------------------------------------------------------- the sandbox


def own_copy(name="libompd.so"):
    """A copy of the system's library, or of a test's, where the system has none."""
    path = os.path.join(folder(), "libompd.so")
    os.chmod(os.path.dirname(path), 0o755)
    shutil.copy(installed() if name == "libompd.so" else testprog(name), path)
    return path


@cases(("omp_nested-clang-O0", None), ("omp_barrier-clang-O2", None), ("omp_joins-clang-O0", "barrier"),
       ("omp_nested-gcc-O2", None))
def a_library_in_its_sandbox_answers_the_same(name, argument):
    program = start(name, *filter(None, [argument]), env={"OMP_WAIT_POLICY": "passive"})
    path = own_copy()
    for target in (program.pid, own_core_of(program)):
        equal(shown(target, "--ompd-library", path).replace(path, installed()), shown(target),
              "what is shown")
    several = [ompdb("why", *options, program.pid).out for options in ((), ("--ompd-library", path))]
    equal(*[re.sub(r"[0-9.]+ s in all", "", out) for out in several], "what several looks show")
    program.finish()


def in_sandbox(target):
    result = ompdb("--debug=ompd", "omp", target)
    equal(result.status, 0, f"status of {result}")
    expect(installed() in result.out, f"not the library of the system: {result}")
    return f"{installed()}: in a sandbox" in result.err


@case
def what_strangers_have_written_is_read_in_a_sandbox():
    need_root()
    program = start(copy(PROGRAM))
    theirs = start(copy(PROGRAM), **ordinary_user())
    core = own_core_of(program)
    equal([in_sandbox(t) for t in (program.pid, core, theirs.pid)], [False, False, True],
          "who gets a sandbox")
    os.chown(core, NOBODY, NOBODY)
    expect(in_sandbox(core), "the core of another user is read in ompdb")
    program.finish()
    theirs.finish()


FORBIDDEN = "tried what its sandbox forbids"
DEEDS = {
    "make a file": FORBIDDEN,
    "run": FORBIDDEN,
    "send a signal": FORBIDDEN,
    "connect": FORBIDDEN,
    "hang": "did not answer in time",
    "crash": "crashed",
    "leave": "ended by itself",
    "eat": "crashed",
    "make noise": "answered what makes no sense",
}


def expect_stacks_alone(program, path, env, sentence):
    result = ompdb("stack", "--json", "--ompd-library", path, program.pid, env=env)
    expect(result.status == 0 and result.err == "", f"no success: {result}")
    told = json.loads(result.out)
    [note] = [n for n in told["notes"] if path in n]
    expect(sentence in note, f"not {sentence!r}: {note}")
    bare = json.loads(ompdb("stack", "--json", "--ompd-library", "/dev/null", program.pid).out)
    equal(told["threads"], bare["threads"], "the stacks")
    equal([r["provider"] for r in told["runtimes"]], [None], "the library")
    program.untouched()


@cases(*[Shared(row) for turn, deed in enumerate(DEEDS)
         for row in share([(deed, at) for at in ("", "process_initialize", "get_curr_task_handle")], turn)])
def harm_in_the_sandbox(deed, at):
    made = os.path.join(folder(), "made")
    os.chmod(os.path.dirname(made), 0o777)
    program = start("omp_nested-clang-O0")
    env = {"PLANTED": deed, "PLANTED_AT": at, "PLANTED_FILE": made, "PLANTED_REAL": installed()}
    expect_stacks_alone(program, own_copy("planted_ompd.so"), env, DEEDS[deed])
    expect(not os.path.exists(made), "the library could write")
    equal(children(os.getpid()), [program.pid], "the processes that are left")
    program.finish()


@cases("lie", "never end")
def lies_from_the_sandbox(deed):
    """Answers that look right and are wild: whatever is shown, ompdb goes on and soon ends."""
    program = start("omp_nested-clang-O0")
    for at in ("", "get_thread_handle"):
        env = {"PLANTED": deed, "PLANTED_AT": at, "PLANTED_REAL": installed()}
        # Those that never end cost each command what it may take.
        shown(program.pid, "--ompd-library", own_copy("planted_ompd.so"), env=env,
              commands=COMMANDS[-1:] if deed == "never end" else COMMANDS)
    program.untouched()
    program.finish()


def held_with_its_sandbox(program):
    """An ompdb that is stopped, so that no time runs out, and its sandbox behind its filter."""
    env = dict(os.environ, PLANTED="hang", PLANTED_AT="")
    library = own_copy("planted_ompd.so")

    def sandbox(of):
        return [c for c in children(of.pid)
                if proc_state(c) != "Z" and status_field(c, None, "Seccomp") == "2"]

    for _ in range(20):  # ompdb may have waited for its answer in vain before it is seen
        process = subprocess.Popen([OMPDB, "stack", "--ompd-library", library, str(program.pid)],
                                   env=env, stdout=subprocess.DEVNULL)
        wait_for(lambda: process.poll() is not None or sandbox(process), "the sandbox")
        process.send_signal(signal.SIGSTOP)
        wait_for(lambda: proc_state(process.pid) in ("T", "Z", None), "ompdb to stand")
        if sandbox(process):
            return process, sandbox(process)[0]
        process.kill()
        process.wait()
    raise Failure("no sandbox is seen")


@case
def the_sandbox_ends_with_ompdb():
    program = start("omp_nested-clang-O0")
    process, child = held_with_its_sandbox(program)
    equal(status_field(child, None, "NoNewPrivs"), "1", "whether it may gain privileges")
    if os.geteuid() == 0:
        equal(status_field(child, None, "Uid").split(), [str(NOBODY)] * 4, "its user")
        # While its library is being loaded, there is one more.
        wait_for(lambda: sorted(os.listdir(f"/proc/{child}/fd")) == ["0", "1", "2", "3"],
                 "its descriptors to be those that it is given")
    process.kill()
    process.wait()
    wait_for(lambda: proc_state(child) in ("Z", None), "the end of the sandbox")
    program.untouched()
    program.finish()

main()
