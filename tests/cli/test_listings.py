# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""omp threads, regions, tasks, waits, locks, barriers, states, icvs, runtimes: their rows as text, as
JSON and as a graph; filters, groups and order."""

import json

from debugger import *

ROWS = [("live", build) for build in BUILDS] + [("core", "gcc-O2"), ("core", "clang-O0")]


def looked_at(where, build, program, *arguments):
    """Options of a session with the program, as it stands now."""
    # Threads of libomp that wait for a lock spin.
    inferior = start(f"{program}-{build}", *arguments, settled=program != "why_holders")
    if where == "core":
        return ["-c", own_core_of(inferior)]
    return ["-p", str(inferior.pid)]


def rows_of(said, command, kind):
    told = json.loads(re.search(r"^\{.*", said(command).text, re.M)[0])
    equal((told["v"], told["type"]), (1, f"omp-{kind}"), "version and type")
    return told


def place(source, mark):
    return f"{source}:{line_of(mark, source)}"


def of(rows, key, value):
    return [row for row in rows if row[key] == value]


@cases(*ROWS)
def tasks_and_who_waits_for_whom(where, build):
    how = looked_at(where, build, "omp_taskstates", "blocked")
    said = session(None, "omp tasks --json", "omp tasks --json --with state=blocked", "omp tasks --dot",
                   "omp tasks --json --with kind=explicit --without state=blocked",
                   "omp tasks --json --group state", "omp tasks --sort -line --with kind=explicit",
                   "omp tasks --tree", "omp tasks -v --with line=" + str(line_of("third", "omp_taskstates.c")),
                   "omp tasks --with state=b*d --with creator", "omp tasks --with kind=nosuch",
                   "omp tree --with thread=0.1", "omp tree --sort -line --with state=blocked", "omp tree --with kind=nosuch",
                   "omp tree --json --with thread=0.1", "omp tree -v", "omp why -v", options=how)
    rows = rows_of(said, "omp tasks --json", "tasks")["rows"]
    first, second, third = (of(rows, "at", place("omp_taskstates.c", mark))[0]
                            for mark in ("first", "second", "third"))
    creator = of(rows, "task", first["creator"])[0]
    equal((creator["kind"], creator["thread"], creator["unfinished"]), ("implicit", "0.0", 3), "the creator")
    equal([(t["state"], t["creator"], t["waits-for"]) for t in (first, second, third)],
          [("running", creator["task"], None), ("blocked", creator["task"], [first["task"]]),
           ("blocked", creator["task"], [second["task"]])], "the tasks")
    equal((first["thread"], second["thread"], first["function"]), ("0.1", None, "blocked"), "who executes them")

    equal([t["awaited-by"] for t in (first, second, third)], [[second["task"]], [third["task"]], None], "who waits for them")

    found = rows_of(said, "omp tasks --json --with state=blocked", "tasks")["rows"]
    equal([row["task"] for row in found], [second["task"], third["task"]], "those that are blocked")
    found = rows_of(said, "omp tasks --json --with kind=explicit --without state=blocked", "tasks")["rows"]
    equal([row["task"] for row in found], [first["task"]], "explicit ones that are not")
    groups = rows_of(said, "omp tasks --json --group state", "tasks")["groups"]
    equal({g["group"]: len(g["rows"]) for g in groups}["blocked"], 2, "rows of a group")
    equal(sum(len(g["rows"]) for g in groups), len(rows), "rows of all groups")

    number = [first["task"], second["task"], third["task"]]
    falling = re.findall(r"^(\d+) ", said("omp tasks --sort -line --with kind=explicit").text, re.M)
    equal(falling, [str(n) for n in reversed(number)], "order by line, the greatest first")
    said("omp tasks --dot").has(r"^digraph tasks \{$", rf'"task {number[0]}" \[label="task {number[0]}\\nblocked\\n',
                                r"running\\n0\.0\\n3 unfinished", rf"""task {creator['task']}" -> "task {number[1]}";$""",
                                rf'task {number[1]}" -> "task {number[0]}" \[style=dashed\]' , r"^\}$")
    said("omp tasks --tree").has(rf"task {number[2]}: explicit, blocked, .*waits for task {number[1]}, .*in blocked",
                                 rf"task {creator['task']}: implicit, .*, 3 unfinished child tasks$")
    said("omp tasks -v --with line=" + str(line_of("third", "omp_taskstates.c"))).has(
        rf"^task +{number[2]}$", r"^state +blocked$", rf"^waits-for +{number[1]}$").has_not(r"^thread")
    said("omp tasks --with state=b*d --with creator").has(rf"^{number[1]} ", rf"^{number[2]} ").has_not("running")
    said("omp tasks --with kind=nosuch").has(r"^None\.$")

    # Those that fit, with all above them, the threads that execute them, and these threads' region.
    said("omp tree --with thread=0.1").has(r"^  parallel region 0, ", r"^ +0\.1  LWP ", rf" task {creator['task']}: implicit",
                                           rf" task {number[0]}: explicit").has_not(rf"^ +0\.0 | task {number[1]}: ")
    falling = re.findall(r"- task (\d+): explicit", said("omp tree --sort -line --with state=blocked").text)
    equal(falling, [str(n) for n in (number[2], number[1])], "those of one creator, the greatest line first")
    said("omp tree --with kind=nosuch").has(r"^None\.$")
    tree = json.loads(re.search(r"^\{.*", said("omp tree --json --with thread=0.1").text, re.M)[0])
    equal(([t["omp"]["num"] for t in tree["threads"]], [r["id"] for r in tree["regions"]], number[1] in [t["id"] for t in tree["tasks"]]),
          ([1], [0], False), "threads, regions and tasks of the tree as JSON")
    said("omp tree -v").has(rf" task {number[1]}: .* waits for task {number[0]}, awaited by task {number[2]}, ")
    said("omp why -v").has("^who waits for what$")


@cases("gcc-O0", "clang-O0")
def a_task_waits_for_what_an_undeferred_one_depends_on(build):
    program = start(f"omp_taskwaits-{build}", "dependence", settled="gcc" in build)
    wait_for(lambda: '"kind":"dependence"' in ompdb("omp", "--json", program.pid).out, "the task to wait")
    said = session(None, "omp tasks --json", "omp tree", options=["-p", str(program.pid)])
    rows = rows_of(said, "omp tasks --json", "tasks")["rows"]
    producer, = of(rows, "at", place("omp_taskwaits.c", "producer"))
    waiter, = of(rows, "task", producer["creator"])
    equal((waiter["waits-for"], producer["awaited-by"]), ([producer["task"]], [waiter["task"]]), "who waits for whom")
    said("omp tree").has(rf" task {waiter['task']}: implicit, running on 0\.0, region 0, waits for task {producer['task']}, ")


@cases(*ROWS)
def tasks_that_are_alike_are_one_line(where, build):
    said = session(None, "omp tasks --with state=queued", "omp tasks -v --with state=queued",
                   options=looked_at(where, build, "omp_taskstates", "queued"))
    text = said("omp tasks --with state=queued").text
    lines = [line for line in text.splitlines() if "queued" in line]
    equal(len(lines), 1, f"lines of three tasks in {text!r}")
    numbers = re.fullmatch(r"(\d+)-(\d+)", lines[0].split()[0])
    expect(numbers and int(numbers[2]) - int(numbers[1]) == 2, f"no three numbers in {lines[0]!r}")
    equal(len(re.findall(r"^state +queued", said("omp tasks -v --with state=queued").text, re.M)), 3, "rows")


@cases(*[(*row, team) for row in ROWS for team in (4, 64)])
def a_team_of_any_size_is_some_lines(where, build, team):
    guilty = team // 2
    said = session(None, "omp threads", "omp barriers", "omp threads --json", "omp barriers --json", "omp states",
                   "omp regions", "omp waits", f"omp threads --json --with thread=0.{guilty}",
                   "omp threads --group wait", "omp regions --json",
                   options=looked_at(where, build, "omp_barrier", str(team)))
    threads = rows_of(said, "omp threads --json", "threads")["rows"]
    equal([t["thread"] for t in sorted(threads, key=lambda t: int(t["thread"][2:]))],
          [f"0.{n}" for n in range(team)], "threads")
    waiting = [t for t in threads if t["wait"] == "explicit barrier"]
    equal(len(waiting), team - 1, "threads at the barrier")
    equal({t["at"] for t in waiting}, {place("omp_barrier.c", "barrier")}, "where they wait")
    found = rows_of(said, f"omp threads --json --with thread=0.{guilty}", "threads")["rows"]
    equal([t["thread"] for t in found], [f"0.{guilty}"], "a thread by its name")
    lines = said("omp threads").text.strip().splitlines()
    equal(len(lines), 3, "lines of all threads")
    for line in lines:
        expect(len(line) <= 120, f"wider than a terminal: {line!r}")
    said("omp threads --group wait").has(rf"^wait explicit barrier: {team - 1}$", "^wait system call: 1$")

    barrier, = rows_of(said, "omp barriers --json", "barriers")["rows"]
    equal((barrier["size"], len(barrier["arrived"]), barrier["kind"]), (team, team - 1, "explicit barrier"), "barrier")
    equal(barrier["missing"], [found[0]["lwp"]], "who is missing")
    said("omp barriers").has(rf"0\.\[.*\] +0\.{guilty} ")
    said("omp states").has(rf"^waits +explicit barrier +{team - 1} ", r"^blocked +system call +1 ")
    region, = rows_of(said, "omp regions --json", "regions")["rows"]
    equal((region["size"], region["level"], region["at"], region["thread"], len(region["threads"])),
          (team, 1, place("omp_barrier.c", "region"), "0.0", team), "the region")
    said("omp regions").has(rf"^0 +1 +{team} ")
    said("omp waits").has("explicit barrier", "system call +read")


@cases(*ROWS)
def locks_with_who_holds_and_who_waits(where, build):
    said = session(None, "omp locks", "omp locks --json", "omp waits --json --with wait=lock",
                   "omp threads --with holder", options=looked_at(where, build, "why_holders", "global"))
    lock, = of(rows_of(said, "omp locks --json", "locks")["rows"], "object", "lock_a")
    waits = rows_of(said, "omp waits --json --with wait=lock", "waits")["rows"]
    expect(waits, "nobody waits for the lock")
    equal(sorted(lock["waiters"]), sorted(row["lwp"] for row in waits), "who waits")
    equal({row["holder"][0] for row in waits}, {lock["holder"][0]}, "who holds it")
    equal({row["object"] for row in waits}, {"lock_a"}, "for what")
    said("omp locks").has(r"^lock +lock_a +0\.\d+ +probably")
    said("omp threads --with holder").has("lock_a").has_not("blocked")


@cases("gcc-O0", "clang-O0")
def icvs_of_the_initial_task(build):
    said = session(f"omp_order-{build}", "set environment OMP_NUM_THREADS 7,3,2", "set environment OMP_SCHEDULE guided,5",
                   "set environment OMP_THREAD_LIMIT 19", f"tbreak omp_order.c:{line_of('end', 'omp_order.c')}", "run", "omp icvs", "kill")
    wanted = {"nthreads-var": "7,3,2", "run-sched-var": "guided,5", "thread-limit-var": "19", "max-active-levels-var": "2"}
    said("omp icvs").has(*[rf"^{name} +{value} " for name, value in wanted.items()])


@cases("gcc-O0", "clang-O0")
def icvs_and_runtimes(build):
    said = session(None, "omp icvs --with icv=nthreads-var --json", "omp icvs --with scope=region", "omp runtimes",
                   options=looked_at("live", build, "omp_barrier"))
    rows = rows_of(said, "omp icvs --with icv=nthreads-var --json", "icvs")["rows"]
    expect(rows and all(row["icv"] == "nthreads-var" and row["value"] for row in rows), f"no such ICVs: {rows}")
    said("omp icvs --with scope=region").has(r"^\S+ +\S+ +region +0$")
    said("omp runtimes").has(r"^lib(gomp|omp) .*lib(gomp|omp)\S*\.so")


@cases(*BUILDS)
def a_task_has_its_id_alone(build):
    """Six tasks, most of them in the memory of the one before."""
    tasks = 6
    said = session(f"omp_reuse-{build}", "break here", "break again", "run",
                   *["print $omp_task", "omp tasks --json --with kind=explicit", "print $omp_task", "continue"] * (2 * tasks))
    listed = [json.loads(line) for line in re.findall(r'^\{.*"omp-tasks".*', said.result.out, re.M)]
    numbers = [int(n) for n in re.findall(r"^\$\d+ = (\d+)$", said.result.out, re.M)]
    equal((len(listed), len(numbers)), (2 * tasks, 4 * tasks), "looks")
    equal(numbers[::2], numbers[1::2], "ids before and behind a look at all")
    ids = numbers[::2]
    equal(ids[::2], ids[1::2], "ids at two stops in a task")
    equal(len(set(ids)), tasks, f"tasks of {ids}")
    for i, look in enumerate(listed):
        running = [row["task"] for row in look["rows"] if row["state"] == "running"]
        expect(ids[i] in running, f"task {ids[i]} is none of those that run: {look['rows']}")


@cases("gcc-O0", "clang-O0")
def many_threads_are_told_in_groups(build):
    how = looked_at("live", build, "omp_barrier", "64")
    said = session(None, "info threads", "info threads all", "omp", "omp barrier", options=how)
    equal(said("info threads all").text.count(" LWP "), 64, "lines of all threads")
    lines = said("info threads").text.strip().splitlines()
    equal(len(lines), 3, f"lines of the groups: {lines}")
    expect(any("63 threads" in line and "barrier" in line for line in lines), f"no group in {lines}")
    said("omp").has(r"^ +0\.\[0-31,33-63\]  63 threads  wait at explicit barrier|63 threads  wait at barrier",
                    r"^ +0\.32 +LWP \d+ ")
    said("omp barrier").has("^parallel region 0, team of 64: 63 have arrived")


@case
def a_table_fits_the_width_that_is_set():
    how = looked_at("live", "gcc-O0", "omp_barrier")
    said = session(None, "omp threads", "set width 70", "omp threads", "set width 0", "omp threads -v", options=how)
    said("omp threads").has("^thread +lwp .*function +at$")
    lines = said("omp threads", 2).has("^thread +.*at$", "explicit barrier").has_not("lwp").text.strip().splitlines()
    expect(all(len(line) <= 70 for line in lines), f"longer than 70 characters: {lines}")
    said("omp threads -v").has("^lwp +", "^function +compute")


@case
def what_is_wrong_is_refused():
    how = looked_at("live", "gcc-O0", "omp_barrier")
    for command, words in (("omp threads --with", "--with wants a key"), ("omp threads --nosuch", "no option '--nosuch'"),
                           ("omp threads --with nosuch=1", "'nosuch' is no key of threads: there are thread, "),
                           ("omp locks --sort level", "'level' is no key of locks"),
                           ("omp threads --tree", "no option '--tree'"), ("omp threads -v --json", "give one of the options"),
                           ("omp tasks --tree --group state", "the tree is of all tasks"),
                           ("omp tree --group state", "'omp tree' takes no --group; these do: omp threads, "),
                           ("omp why --with thread=0.1", "'omp why' takes no --with; these do: omp, omp threads, "),
                           ("omp barrier --sort thread", "'omp barrier' takes no --sort; these do: "),
                           ("omp history -v", "'omp history' takes no -v; these do: "),
                           ("info omp counts --group event", "'info omp counts' takes no --group; these do: "),
                           ("omp loop --with nosuch", "'nosuch' is no key of loops: there are thread, "),
                           ("omp tasks plain", "no option 'plain'")):
        result = ompdb("-nx", "-q", "--batch", *how, "-ex", command)
        expect(result.status == 1 and words.lower() in result.err.lower(), f"{command}: {result}")


@case
def keys_and_teams_are_completed():
    how = looked_at("live", "gcc-O0", "omp_barrier")
    said = session(None, "complete omp threads --wi", "complete omp threads --with wa", "complete omp tasks --sort un",
                   "complete omp tree --", "complete omp loop --sort re", "complete omp team ", "complete omp thread 0.", "complete break main omp-t",
                   "complete break main omp-team ", "complete break main omp-thread 2", "complete omp tasks --with state=",
                   options=how)
    said("complete omp threads --wi").has("^omp threads --with$", "^omp threads --without$")
    said("complete omp threads --with wa").has("^omp threads --with wait$").has_not("waiters")
    said("complete omp tasks --sort un").has("^omp tasks --sort unfinished$")
    said("complete omp tree --").has("^omp tree --without$").has_not("--group|--dot")
    said("complete omp loop --sort re").has("^omp loop --sort rest$")
    said("complete omp team ").has("^omp team 0$")
    said("complete omp thread 0.").has(r"^omp thread 0\.0$", r"^omp thread 0\.3$")
    said("complete break main omp-t").has("^break main omp-team$", "^break main omp-thread$")
    said("complete break main omp-team ").has("^break main omp-team 0$")
    said("complete break main omp-thread 2").has("^break main omp-thread 2$")


if __name__ == "__main__":
    main()
