# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who holds the locks and critical constructs that threads wait for: how often ompdb is right.

The programs tell what each thread holds and waits for ("holds_A_waits_B"). A holder that ompdb calls
known must be right; one that it infers may be missing, but only so often.
"""

from openmp import *

PROGRAMS = ("why_holders", "why_holders_many")
KINDS = ("critical", "lock", "nest lock")
SURE = ("lost_or_given_up",)  # whose holders are found by any code
WANTED = {"O0": 0.95, "O2": 0.85}  # of all waiting threads


def scenarios_of(program):
    with open(os.path.join(SOURCES, program + ".c")) as f:
        return re.findall(r"\bSCENARIO\((\w+)\)", f.read())


def letters(told, verb):
    """What a thread holds, or waits for."""
    found = re.search(verb + r"_([A-Z]+)", told["what"])
    return found.group(1) if found else ""


def holders_of(truths):
    """{waiting thread: the one that has what it waits for; None: nobody that could be seen}"""
    has = {letter: lwp for lwp, told in truths.items() for letter in letters(told, "holds")}
    return {lwp: has.get(letters(told, "waits")) for lwp, told in truths.items()
            if letters(told, "waits")}


class Score:
    def __init__(self):
        self.right, self.all, self.wrong, self.missed = 0, 0, [], []

    def add(self, what, shown, truths):
        """Holds what ompdb tells about a run against what the program tells."""
        waits = {t["lwp"]: t["wait"] for t in shown["threads"]}
        for lwp, holder in holders_of(truths).items():
            wait = waits[lwp]
            self.all += 1
            who = f"{what}: {truths[lwp]['num']} {truths[lwp]['what']}"
            if wait["kind"] in KINDS and wait["holder"] == holder:
                self.right += 1
            elif wait["holder"] is None:
                self.missed.append(f"{who}: {wait['kind']}")
            else:
                its = truths.get(wait["holder"], {"num": "?"})["num"]
                self.wrong.append(f"{who}: {wait['holder_source']} {its}")
                expect(wait["holder_source"] == "inferred", f"not so: {self.wrong[-1]}")

    def show(self, build):
        print(f"# {build}: {self.right} of {self.all} holders right, {len(self.wrong)} wrong")
        for line in self.wrong:
            print(f"#   wrong: {line}")
        for line in self.missed:
            print(f"#   missed: {line}")


def begin_holding(program, name, env=None):
    p = start(program, name, settled=False, env={"OMP_WAIT_POLICY": "passive", **(env or {})})
    truths = truths_of(p)
    expect(holders_of(truths), f"nobody waits: {p.said}")
    for lwp, told in truths.items():
        if not letters(told, "waits"):
            wait_for(lambda: proc_state(p.pid, lwp) == "S", f"{lwp} to stay")
    return p, truths


def run_all(build, env=None, with_core=True):
    """A core is as the process was: a whole run looks at each second one."""
    score, cores = Score(), itertools.cycle([True, not WHOLE_RUN])
    for program in PROGRAMS:
        for name in scenarios_of(program):
            p, truths = begin_holding(f"{program}-{build}", name, env)
            score.add(f"live {name}", picture("omp", p.pid), truths)
            if with_core and next(cores):
                score.add(f"core {name}", picture("omp", own_core_of(p)), truths)
            p.finish()
    score.show(build)
    failed = [line for line in score.wrong + score.missed if line.split(":")[0].split()[1] in SURE]
    expect(not failed, "\n".join(failed))
    expect(score.right >= WANTED[build[-2:]] * score.all,
           f"{score.right} of {score.all} holders are right")


@cases(*BUILDS)
def holders_by_the_code(build):
    run_all(build)


@cases("gcc-O0", "gcc-O2")
def holders_where_waiting_threads_spin(build):
    """With LLVM's runtime they always do."""
    run_all(build, env={"OMP_WAIT_POLICY": "active"}, with_core=False)


@cases("gcc-O0", "gcc-O2")
def holders_in_programs_of_gcc_with_the_other_runtime(build):
    run_all(build, env={"LD_PRELOAD": libomp_of(None)}, with_core=False)


@cases(*((build, kind) for build in ("clang-O0", "clang-O2") for kind in ("tas", "futex")))
def direct_locks_know_their_owner(build, kind):
    """Where the lock is known, its word tells."""
    for program, name in (("why_holders", "global"), ("why_holders", "in_struct"),
                          ("why_holders", "heap_element"), ("why_holders", "local"),
                          ("why_holders", "conditional_of_two"), ("why_holders_many", "named"),
                          ("why_holders_many", "nested_names")):
        p, truths = begin_holding(f"{program}-{build}", name, {"KMP_LOCK_KIND": kind})
        waits = {t["lwp"]: t["wait"] for t in picture("omp", p.pid)["threads"]}
        for lwp, holder in holders_of(truths).items():
            equal((waits[lwp]["holder"], waits[lwp]["holder_source"]), (holder, "memory"),
                  f"holder for {truths[lwp]['num']} in {name}")
        p.finish()


@cases("gcc-O0", "clang-O2")
def nobody_is_looked_for_where_nobody_waits(build):
    """Not even the one that holds a lock, while the others wait for something else."""
    program, _ = begin(scenario("omp_joins", "barrier", {}), variant(build))
    shown = picture("omp", program.pid)
    equal({t["wait"]["holder"] for t in shown["threads"]}, {None}, "the holders")
    program.finish()


main()
