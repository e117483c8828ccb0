# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ompdb why` where threads wait for each other's locks, for their own, and for locks that nobody
will give back."""

from why import *


def locks(argument, verdict, class_, chain, says=(), program="why_locks", **more):
    return hang(program, argument, verdict, class_, chain, says, confidence=LIKELY, **more)


def cycle(argument, chain, says=(), **more):
    """Two threads hold what the other wants."""
    one, other = list(chain)[:2]
    return locks(argument, "deadlock", "lock-cycle", chain, (one, other, *says),
                 held={one: other, other: one}, tells=more.get("team", 2), **more)


CYCLES = (
    cycle("ab_ba", {"0.0": "left, right", "0.1": "right, left"}, ("left", "right")),
    cycle("merged", {"0.0": None, "0.1": None}),
    cycle("two_of_four", {"0.1": "four: left, right", "0.2": "four: right, left", "0.0": REGION,
                          "0.3": REGION}, team=4),
    locks("dining", "deadlock", "lock-cycle", {f"0.{n}": "second fork" for n in range(3)},
          ("0.0", "0.1", "0.2", "'forks[0]'", "'forks[1]'", "'forks[2]'"),
          held={"0.0": "0.1", "0.1": "0.2", "0.2": "0.0"}, tells=3, team=3),
    cycle("lock_and_critical", {"0.0": "critical with lock", "0.1": "lock in critical"}, ("left",)),
    cycle("criticals", {"0.0": "journal in ledger", "0.1": "ledger in journal"},
          ("ledger", "journal")),
    cycle("nest_and_plain", {"0.0": "plain with nest", "0.1": "nest with plain"}),
    cycle("lock_and_mutex", {"0.0": "mutex with lock", "0.1": "lock with mutex"}, ("mutex",)),
    # Two locks of one name are told apart by their addresses.
    cycle("in_structs", {"0.0": "transfer", "0.1": "transfer"}, ("'to->lock at 0x",)),
    locks("members", "deadlock", "lock-cycle", {"0.0": "slot", "0.1": "entry", "0.2": "vault"},
          ("'slots[1]'", "'first->next->account.lock'", "'bank.vault.lock'"),
          held={"0.0": "0.1", "0.1": "0.2", "0.2": "0.0"}, tells=3, team=3),
    # clang 19 -O2 has no place for the variable at that call: then the lock is named by a global one.
    cycle("family", {"0.0": "child of village", "0.1": "village of child"},
          ("'child->lock'|'villages->forward->next->lock'", "'child->back->lock'")),
    cycle("wrappers", {"0.0": "acquire", "0.1": "acquire"}),
)

OWN = (
    locks("set_twice", "deadlock", "self-deadlock", {"0": "set twice"}, held={"0": "0"}, tells=1),
    locks("self_lock", "deadlock", "self-deadlock",
          {"0.2": "set twice", **{f"0.{n}": "self lock, barrier" for n in (0, 1, 3)}},
          ("0.2", "left"), held={"0.2": "0.2"}, tells=4, team=4),
    locks("self_critical", "deadlock", "self-deadlock", {"0.0": "add to ledger", "0.1": REGION},
          ("0.0", "ledger"), held={"0.0": "0.0"}, tells=2),
    locks("self_unnamed", "deadlock", "self-deadlock",
          {"0.0": "log line", **{f"0.{n}": "unnamed" for n in (1, 2, 3)}}, ("0.0", "critical"),
          held={f"0.{n}": "0.0" for n in range(4)}, tells=4, team=4),
    locks("self_continue", "deadlock", "self-deadlock", {"0.1": "set in loop", "0.0": REGION},
          ("0.1", "left"), held={"0.1": "0.1"}, tells=2),
    locks("around_region", "deadlock", "self-deadlock", {"0.0": "want left", "0.1": "want left"},
          ("0.0", "left"), held={"0.0": "0.0", "0.1": "0.0"}, tells=2),
    locks("around_worker", "deadlock", "lock-cycle", {"0.0": REGION, "0.1": "want left"},
          ("0.0", "0.1", "left"), held={"0.1": "0.0"}, tells=2),
)


def reader(argument, chain, says, **more):
    """Thread 0 has what thread 1 wants, and reads."""
    return locks(argument, "waiting", "external", chain, (*says, "read"), held={"0.1": "0.0"},
                 program="why_held", **more)


READERS = (
    reader("critical_reads", {"0.0": READ, "0.1": "wants to read"}, ("ledger",)),
    reader("tested", {"0.0": READ, "0.1": "want left"}, ("left",)),
    reader("given_back", {"0.0": READ, "0.1": "want left"}, ("left",), team=3),
)


def lost(argument, waiting, object, taken=None, says=(), program="why_held", **more):
    """Nobody will give back the lock that some threads wait for; nothing tells who took it."""
    return locks(argument, "stuck", "lost-lock", {NOBODY: taken, **waiting}, (object, *says), program,
                 held=dict.fromkeys(waiting), **more)


LOST = (
    lost("early_return", {"0.0": "want left"}, "left", "forgotten", tells=2),
    lost("next_region", {"0.0": "want left", "0.1": "want left"}, "left", tells=3),
    lost("destroyed", {"0.1": "want left"}, "left", tells=2),
    lost("thrown", {"0.0": "insert"}, "row[3]", "insert", says=("an exception can have left it held",),
         program="why_deciding", tells=2),
    lost("thread_ended", {"0.0": "use nested", "0.1": "use nested"}, "nested", tells=2),
)

# What one thread may have left behind, another one may have, too.
KEPT = (
    locks("kept_over_barriers", "deadlock", "lock-cycle",
          {"0.0": "kept, barrier", "0.2": "in each round", "0.3": "in each round"}, ("held by thread 0.0",),
          held={"0.2": "0.0", "0.3": "0.0"}, tells=4, team=4, program="why_held"),
    locks("own_leak", "deadlock", "self-deadlock",
          {"0.1": "looked up", **{f"0.{n}": "own leak, barrier" for n in (0, 2)}}, ("left",),
          held={"0.1": "0.1"}, tells=3, team=3, program="why_held"),
    locks("one_of_both", "deadlock", "self-deadlock", dict.fromkeys(("0.0", "0.1"), "wanted by both"),
          ("one of 0.0, 0.1, which wait for it themselves, taken at why_held.c:",),
          held=dict.fromkeys(("0.0", "0.1"), ("0.0", "0.1")), tells=2, program="why_held"),
)
# One way of several, of an address that is not known: a guess takes its time.
LEFT = hang("why_held", "left_by_other", "stuck", "lost-lock", {NOBODY: "row taken", "0.1": "row taken"},
            ("it was taken at|it may have been left held, taken at",), held={"0.1": None}, tells=2)

SHELF = hang("why_held", "some_shelf", "deadlock", "lock-cycle", {"0.0": "behind the shelves", "0.1": "wants a shelf"},
             ("perhaps held by thread 0.0",), held={"0.1": "0.0"}, tells=2)

SOME = tuple(s for s in (*CYCLES, *OWN, *READERS, *LOST) if s.argument in (
    "ab_ba", "criticals", "nest_and_plain", "self_lock", "early_return"))


@cases(*rows((*CYCLES, *OWN, *READERS, *LOST), NATIVE), *rows(KEPT, NATIVE[:2] + NATIVE[3:]), *rows((LEFT, SHELF), NATIVE[1:2]))
def locks_that_are_not_given_back(s, v):
    ask(s, v, once=v.build == "gcc-O2")


@cases(*rows(SOME, SPINNING[1::2]))
def spinning(s, v):
    ask(s, v, with_core=False, once=True)


@cases(*rows(SOME, OTHERS + PRELOADED[1:]))
def on_another_libomp(s, v):
    ask(s, v, with_core=False)


# The code does not tell which of two has it; that neither will give it back would be false.
ONE_OF_TWO = hang("why_held", "one_of_two", "waiting", "external",
                  {"0.0": READ, "0.2": "taken by some", "0.3": "taken by some"},
                  ("left", "one of 0.0, 0.1"), team=4,
                  held={"0.2": ("0.0", "0.1"), "0.3": ("0.0", "0.1")})


@cases(*rows((ONE_OF_TWO,), NATIVE))
def one_of_several_holds_it(s, v):
    ask(s, v)


@cases("gcc-O0", "gcc-O2")
def a_lock_that_a_thread_had_before_the_fork(build):
    """The reason is not code that can leave it behind, though there is such code."""
    program = start(f"why_held-{build}", "forked")
    wait_for(lambda: children(program.pid), "its child")
    [child] = children(program.pid)
    wait_until_it_hangs(child)
    told = why(child, *QUICK)
    equal((told["verdict"], told["class"]), ("stuck", "lost-worker"), told["summary"])
    equal([b["lwp"] for b in told["blame"]], [None, child], "who is blamed")
    expect("thread 0.1 does not exist any more" in told["summary"], told["summary"])
    program.kill()


NAMED = hang("why_named", "all_ways", "deadlock", "lock-cycle", {}, tells=10, team=10)
NAMES = {"0.1": "this->guard", "0.2": "all[2].guard", "0.3": "row[3]",
         "0.4": "named::table[1][2].guard"}
MUTEXES = {"0.5": "this->door", "0.6": "named::table[0][1].gate"}
# What they wait for in the library, and where the program has called it.
BELOW = {"0.7": ("system call", "std::future::get", "future"), "0.8": ("system call", "fgetc", "cin"),
         "0.9": ("condition", "pthread_cond_wait", "told")}


def in_the_program(wait, source):
    """The line of the wait, which is in the program's source, and not in a library's."""
    expect(wait["file"].endswith("/" + source), f"not in {source}: {wait}")
    return wait["line"]


@cases(*rows((NAMED,), NATIVE))
def names_that_cxx_has_for_locks(s, v):
    program, _ = begin_hang(s, v)
    for target in (program.pid, own_core_of(program)):
        told = why(target, *QUICK)["waits"]
        waits = {w["omp"]: w for w in told if w["kind"] == "lock"}
        equal(set(waits), set(NAMES), "threads that wait for locks")
        for omp, name in NAMES.items():
            # Not all code tells which lock it is.
            if waits[omp]["object"] or v.build.startswith("gcc"):
                equal(waits[omp]["name"], name, f"{v}: what thread {omp} waits for")
        mutexes = {w["omp"]: w for w in told if w["kind"] == "mutex"}
        equal({omp: w["variable"] for omp, w in mutexes.items()}, MUTEXES, f"{v}: mutexes")
        for w in mutexes.values():
            equal(w["holder"], {"lwp": program.pid, "confidence": "known", "candidates": []},
                  "who holds a mutex")
        equal(in_the_program(mutexes["0.5"], "why_named.cc"), line_of("why_named.cc", "enter"), f"{v}: {mutexes}")
        below = {w["omp"]: (w["kind"], w["name"], in_the_program(w, "why_named.cc"))
                 for w in told if w["omp"] in BELOW}
        lines = {omp: (kind, name, line_of("why_named.cc", mark)) for omp, (kind, name, mark) in BELOW.items()}
        equal(below, lines, f"{v}: below the library")


LED = hang("why_named", "led_to", "deadlock", "lock-cycle", {}, tells=7, team=7)
LED_TO = {"0.1": "locks[5]", "0.2": "tables.own->guard", "0.3": "tables.common->guard",
          "0.4": "tables.all[1]->guard", "0.5": "tables.rows[1][2].guard", "0.6": "refers->lock"}


@cases(*rows((LED,), NATIVE))
def locks_to_which_variables_of_the_program_lead(s, v):
    program, _ = begin_hang(s, v)
    for target in (program.pid, own_core_of(program)):
        waits = {w["omp"]: w for w in why(target, *QUICK)["waits"] if w["kind"] == "lock"}
        equal(set(waits), set(LED_TO), "threads that wait for locks")
        for omp, name in LED_TO.items():
            # Not all code tells which lock it is.
            if waits[omp]["object"] or v.build.startswith("gcc"):
                equal(waits[omp]["name"], name, f"{v}: what thread {omp} waits for")


FORTRAN = {"0.1": "many(3)", "0.2": "fixed(2)%guard", "0.3": "held%cells(4)%guard", "0.4": "held%own",
           "0.5": "list(6)"}


@cases("gcc-O0", "gcc-O2")
def names_that_fortran_has_for_locks(build):
    program = Program([testprog(f"why_named_fortran-{build}")])
    wait_for(lambda: len(threads(program.pid)) == 7, "its threads")
    wait_until_it_hangs(program.pid)
    for target in (program.pid, own_core_of(program)):
        told = why(target, *QUICK)["waits"]
        waits = {w["omp"]: w["name"] for w in told if w["kind"] == "lock"}
        equal(waits, FORTRAN, f"{build}: what threads wait for")
        [reads] = [w for w in told if w["omp"] == "0.6"]
        line = in_the_program(reads, "why_named_fortran.f90")
        equal((reads["name"], line), ("read", line_of("why_named_fortran.f90", "reads")), f"{build}")


@cases(*((build, "--strip-all") for build in BUILDS), ("gcc-O2", "--strip-debug"), ("clang-O2", "--strip-debug"))
def places_in_a_stripped_program(build, how):
    """Addresses in its file, which stand for the lines of the program as it was built; its
    functions have names as long as there are symbols."""
    path, stripped = testprog(f"why_locks-{build}"), os.path.join(folder(), "bare")
    run(need("strip"), how, "-o", stripped, path)
    program = Program([stripped, "set_twice"])
    read_truths(program, 1)
    wait_until_it_hangs(program.pid)
    said = ompdb("why", *QUICK, program.pid).out
    expect("bare has no debug information" in said, said)
    expect(re.search(r"which it probably holds\s+itself,\s+taken (at bare\+0x|in set_twice\(\))", said), said)
    function = "set_twice  " if how == "--strip-debug" else ""
    found = re.search(rf"thread [0-9.]+  {function}at bare\+(0x[0-9a-f]+)  waits for lock ", said)
    expect(found, f"no place in {said}")
    line = run(need("addr2line"), "-e", path, found[1]).out.split()[0]
    equal(line.rpartition("/")[2], f"why_locks.c:{line_of('why_locks.c', 'set twice')}", f"what {found[1]} is")


EXPORTS = """
#include <omp.h>
static omp_lock_t lock;
int main(void)
{
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	omp_set_lock(&lock);
}
"""


@case
def a_mark_of_the_linkers_is_no_name_of_a_lock():
    """Stripped, but for what the program exports: that has no lock, and _edata before it."""
    path = os.path.join(folder(), "exports")
    run(need("gcc"), "-s", "-rdynamic", "-fopenmp", "-x", "c", "-o", path, "-", input=EXPORTS.encode(), stdin=None)
    program = Program([path])
    wait_for(lambda: proc_state(program.pid) == "S", "it to wait")
    told = why(program.pid, *QUICK)
    equal((told["verdict"], [w["name"] for w in told["waits"]], told["blame"][0]["function"]), ("deadlock", [None], "main"), told["summary"])
    program.kill()


main()
