#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of GCC's own OpenMP test suite, each looked at whenever it comes, with every one-shot command: what is said of
them never contradicts itself, and none that ends by itself is called dead. They are of Debian's package of GCC's source,
of which the folders of libgomp's C programs alone are unpacked."""

from concurrent.futures import ThreadPoolExecutor
import glob
import subprocess

from invariants import violations
from why import *

VERSION = "12"
FOLDERS = ("libgomp.c", "libgomp.c-c++-common")
FIELD = os.path.join(os.environ["TESTPROGS"], "..", "tests", "field")
COMPILERS = (("gcc", "-O0"), ("clang", "-O0"), ("gcc", "-O2"), ("clang", "-O2"))
POLICIES = ("passive", "active")
# What needs a device, more than one file, or is not to be compiled or run.
NOT_HERE = re.compile(r"dg-do *(compile|link|preprocess)|dg-shouldfail|dg-error|omp target|offload|"
                      r"dg-additional-sources|requires", re.S)
AT_A_TIME = 2
LEAST = int(os.environ.get("OMPDB_FIELD", 8))  # programs that are looked at
SECONDS = 5  # for which others are, too
PATIENCE = 20      # seconds after which a program that is to end by itself has not done so
IN_ONE_LOOK = "in one look"
PASSING_MAX = 0.1
LOOKS = (("omp", "--json"), ("why", "--once", "--json"), ("stack", "--json"), ("why", "--json"), ("omp", "--json"))
NO_PROCESS = 3     # it has ended before the look, or meanwhile


def fetched():
    """The folder of libgomp's tests. In one step, so that an interrupted run leaves nothing that looks complete."""
    tests = os.path.join(FIELD, f"gcc-{VERSION}")
    if os.path.isdir(tests):
        return tests
    need("apt-get")
    need("dpkg-deb")
    os.makedirs(FIELD, exist_ok=True)
    scratch = folder(FIELD)
    # apt-get drops its privileges for downloads and must get into the folder for that.
    os.chmod(scratch, 0o755)
    package = run("apt-get", "download", "--quiet=2", f"gcc-{VERSION}-source", cwd=scratch, seconds=300)
    found = glob.glob(os.path.join(scratch, "*.deb"))
    if package.status or not found:
        skip(f"apt-get cannot download gcc-{VERSION}-source")
    unpack = (f"dpkg-deb --fsys-tarfile '{found[0]}' | tar xO --wildcards '*/gcc-*.tar.xz' | "
              f"tar xJ --strip-components=1 --wildcards '*/libgomp/testsuite/libgomp.c*'")
    result = run("bash", "-c", unpack, cwd=scratch, seconds=300)
    equal(result.status, 0, f"status of the unpacking, {result}")
    os.rename(os.path.join(scratch, "libgomp", "testsuite"), tests)
    return tests


def sources():
    """Those of one process, without special options, in an order that mixes what they are about."""
    tests = fetched()
    every = sorted(path for f in FOLDERS for path in glob.glob(os.path.join(tests, f, "*.c")))
    chosen = []
    for path in every:
        with open(path, errors="replace") as f:
            text = f.read()
        if "#pragma omp" in text and not NOT_HERE.search(text):
            chosen.append(path)
    return sorted(chosen, key=lambda path: os.path.basename(path)[::-1])


def compiled(path, compiler, scratch):
    """The program; None: this compiler does not know what it uses."""
    program = os.path.join(scratch, os.path.basename(path)[:-2] + "-" + "".join(compiler))
    result = run(*compiler, "-g", "-w", "-fopenmp", path, "-o", program, "-lm")
    return program if result.status == 0 else None


class Field:
    """What was seen, of all programs."""

    def __init__(self, scratch):
        self.scratch, self.end = scratch, time.monotonic() + SECONDS
        self.looks, self.problems, self.looked_at = collections.Counter(), [], set()
        self.passing = []  # looks at a team of which it was not seen that some threads pass a barrier

    def look(self, process, name, command):
        result = ompdb(*command, process.pid)
        if result.status == NO_PROCESS:
            return None
        self.looks[command[0]] += 1
        self.looked_at.add(name.split()[0])
        if result.status not in (0, 4):
            self.problems.append(f"{name}: {result}")
            return None
        told = json.loads(result.out)
        if command[0] == "omp":
            for sentence in violations(told):
                (self.passing if sentence.endswith(IN_ONE_LOOK) else self.problems).append(f"{name}: {sentence}")
        if command[0] == "why":
            self.looks[told["verdict"]] += 1
            return in_short(told) if told["verdict"] in FINDINGS else None
        return None

    def visit(self, program, policy):
        """From when it has threads on, and, if it was called dead, until it ends."""
        name = f"{os.path.basename(program)} ({policy})"
        env = {**os.environ, "OMP_NUM_THREADS": "4", "OMP_WAIT_POLICY": policy}
        with subprocess.Popen([program], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) < 2:
                time.sleep(0.0001)
            looks = [self.look(process, name, c) for c in LOOKS if process.poll() is None]
            findings = [finding for finding in looks if finding]
            try:
                # Only of one that was called dead it matters.
                process.wait(PATIENCE if findings else 0)
                self.problems += [f"{name} ended by itself: {finding}" for finding in findings]
            except subprocess.TimeoutExpired:
                process.kill()

    def try_one(self, i, path):
        if time.monotonic() > self.end and len(self.looked_at) >= LEAST:
            return
        program = compiled(path, COMPILERS[i % len(COMPILERS)], self.scratch)
        for policy in POLICIES if program else ():
            self.visit(program, policy)


@case
def pictures_of_programs_in_the_field_hold():
    paths = sources()
    field = Field(folder())
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(field.try_one, range(len(paths)), paths))
    print(f"# {len(field.looked_at)} programs; {dict(field.looks)}; in {len(field.passing)} looks not all is of one moment", flush=True)
    expect(not field.problems, "\n".join(field.problems))
    # These programs do little but pass barriers.
    expect(len(field.passing) <= field.looks["omp"] * PASSING_MAX, "\n".join(field.passing))


main()
