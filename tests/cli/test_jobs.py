#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several targets at once: the ranks of a job, all processes of a program, any list of them."""

import json
import shutil

import mpi
from why import *

KINDS = {
    "PMI": ("PMI_RANK", "PMI_SIZE", {}),
    "Open MPI": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", {"PMIX_NAMESPACE": "{job}"}),
    "PMIx": ("PMIX_RANK", None, {"PMIX_NAMESPACE": "{job}"}),
    "Slurm": ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", {"SLURM_JOB_ID": "77", "SLURM_STEP_ID": "{job}"}),
}


def job(kind, size=4, name=os.getpid()):
    """Ranks 0 and 1, which wait for input, and 2, which is in a deadlock."""
    variable, sizes, more = KINDS[kind]
    env = {key: value.format(job=name) for key, value in more.items()}
    if sizes:
        env[sizes] = str(size)
    ranks = [start("chain-gcc-O0", env={**env, variable: str(n)}) for n in range(2)]
    hung = Program([testprog("why_locks-gcc-O2"), "ab_ba"], env={**env, variable: "2"})
    read_truths(hung, 2)
    wait_until_it_hangs(hung.pid)
    return [*ranks, hung]


def finish(ranks):
    for rank in ranks[:2]:
        rank.untouched()
        rank.finish()


def headings(result):
    return re.findall(r"^== (.*) ==$", result.out, re.M)


@cases(*KINDS)
def ranks_are_found_by_their_environment(kind):
    ranks, other = job(kind), job(kind, name="other") if KINDS[kind][2] else []
    for target in (["--job", ranks[1].pid], [f"job:{ranks[2].pid}"]):
        result = ompdb("why", *target)
        expect(re.match(rf"3.* ranks of \S+ {os.getpid()}.*, by {KINDS[kind][0]} in their environment\n", result.out), result)
        # The rarest answer comes first; LWPs and the time of the looks make no difference.
        equal(headings(result), [f"rank 2, process {ranks[2].pid}", f"2 ranks: 0,1, as rank 0, process {ranks[0].pid}"], "headings")
        expect(re.search(r"== rank 2, .*\n.*deadlock: thread 0\.0 waits for lock 'right'", result.out), result)
        equal((result.status, result.err), (4, ""), "status")
    finish(ranks)
    finish(other)


@case
def a_starter_stands_for_its_ranks():
    ranks = job("PMI", size=3)
    for command in (["stack", "--flat"], ["omp"]):
        result = ompdb(*command, f"job:{os.getpid()}")
        expect(result.out.startswith("3 ranks of "), result)
        equal([heading.split(",")[0] for heading in headings(result)], ["rank 2", "2 ranks: 0"], "headings")
        equal(result.status, 0, "status")
    rows = [line.split() for line in result.out.splitlines()[2:5]]
    equal((rows[0][:4], rows[1][:4], rows[2][:4]),
          (["ranks", "threads", "regions", "tasks"], ["0,1", "1", "0", "0"], ["2", "2", "1", "3"]), "the table of counts")
    finish(ranks)


@case
def stacks_of_ranks_are_one_tree():
    """Of what stacks have in their frames beside names there is none in a tree."""
    ranks = job("PMI", size=3)
    result = ompdb("stack", f"job:{os.getpid()}")
    expect(result.out.startswith("3 ranks of "), result)
    expect(re.search(r"^2 threads: \[0,1\]:main\n  main +at chain\.c:\d+\n(  .*\n)*  gamma_leaf +at chain\.c:\d+\n(  .*\n)*"
                     r"  read +in libc\.so\.6\n  => in read\(0\)$", result.out, re.M), result)
    expect(re.search(r"^2 threads: 2:0\.\[0,1\]\n  main +at why_locks\.c:\d+$", result.out, re.M), result)
    equal((headings(result), result.status), ([], 0), "headings and status")
    finish(ranks)


@case_of_each_run
def a_crash_over_files_of_all_ranks_is_none_of_theirs():
    if SANITIZED:
        skip("what is preloaded would stand before the sanitizers' library")
    ranks = job("PMI", size=3)
    once = shutil.copy(__file__, os.path.join(folder(), "once"))
    result = ompdb("stack", f"job:{ranks[0].pid}", env={"LD_PRELOAD": testprog("crashes_once.so"), "CRASH_ONCE": once})
    expect(not os.path.exists(once), "nobody has crashed")
    expect(re.search(r"^2 threads: \[0,1\]:main$", result.out, re.M), result)
    equal((result.status, result.err), (0, ""), "status")
    finish(ranks)


@case
def a_rank_is_the_program_behind_what_starts_it():
    """A shell with the same environment is none, nor is what the program starts."""
    path = testprog("omp_barrier-gcc-O0")
    shell = Program(["sh", "-c", f"{path}; true"], env={"PMI_RANK": "0", "PMI_SIZE": "1"})
    shell.wait_ready()
    program, = children(shell.pid)
    result = ompdb("omp", f"job:{shell.pid}")
    equal(headings(result), [f"rank 0, process {program}"], "headings")
    shell.finish()


@case
def the_processes_of_a_program():
    name = f"job-{os.getpid()}"    # no process of another test is called so
    path = shutil.copy(testprog("chain-gcc-O0"), os.path.join(folder(), name))
    programs = [start(path) for _ in range(3)]
    result = ompdb("stack", f"name:{name}")
    expect(result.out.startswith(f"3 processes that run {name}\n"), result)
    pids = ", ".join(str(program.pid) for program in programs)
    equal(headings(result), [f"3 targets: {pids}, as process {programs[0].pid}"], "headings")
    for program in programs:
        program.untouched()
        program.finish()
    ompdb("stack", "name:no-such-program").refused(3, "no process of yours runs", "no-such-program")


@case
def any_targets():
    """Live and cores; what one look meets does no harm to another."""
    program = start("chain-gcc-O0")
    core = own_core_of(program)
    result = ompdb("stack", program.pid, core, "4194304")
    equal(headings(result)[0], f"process {program.pid}", "heading")
    expect(f"== core file {core} ==" in result.out, result)
    equal(result.err, "ompdb: process 4194304: there is no process 4194304: 'ps -e' lists them all\n", "message")
    equal(result.status, 3, "status")
    expect(result.out.count("gamma_leaf") == 2, result)
    answer = json.loads(ompdb("stack", "--json", program.pid, "4194304").out)
    equal([(m["rank"], m["target"], m["status"]) for m in answer["members"]],
          [(None, str(program.pid), 0), (None, "4194304", 3)], "members")
    equal(answer["members"][0]["answer"]["type"], "stack", "type")
    equal(answer["members"][1]["answer"], None, "answer of none")
    expect("there is no process" in answer["members"][1]["messages"], answer)
    program.untouched()
    program.finish()


@case
def ranks_are_found_by_the_table_of_their_starter():
    starter = start("mpir_starter")
    ranks = sorted(children(starter.pid))
    result = ompdb("omp", "--launcher", "false {host} {command}", f"job:{starter.pid}")
    expect(result.out.startswith(f"4 ranks of mpir_starter {starter.pid} (MPIR), 3 on this host, 1 of them not there\n"), result)
    equal(headings(result), ["rank 2, host elsewhere.example", f"2 ranks: 0,1, as rank 0, process {ranks[0]}"], "headings")
    starter.untouched()
    starter.finish()


@cases(("size", "it has 2147483647 entries"), ("negative", "it has -1 entries"), ("nowhere", "0x10"), ("pid", "it has a process of number -1"),
       ("name", "256 bytes or more"))
def tables_that_make_no_sense(what, words):
    starter = start("mpir_starter", what)
    ompdb("why", f"job:{starter.pid}").refused(3, words, "the table of ranks (MPIR) of process")
    starter.untouched()
    starter.finish()


@cases(("early", "has started no ranks"), ("gone", "one of the job's 4 ranks on this host is there"))
def starters_whose_ranks_are_not_there(what, words):
    starter = start("mpir_starter", what)
    ompdb("why", f"job:{starter.pid}").refused(3, words)
    ompdb("why", "--json", f"job:{starter.pid}").refused(3, words)
    expect(words in ompdb("--batch", "-p", f"job:{starter.pid}").err, f"-p: {words}")
    starter.untouched()
    starter.finish()


@case
def ranks_of_two_jobs_are_not_mixed():
    one = f"sh -c 'PMI_RANK=0 PMI_SIZE=1 {testprog('chain-gcc-O0')} <&3 & wait' &"
    script = Program(["sh", "-c", f"exec 3<&0; {one} {one} wait"])
    script.wait_ready()
    script.wait_ready()
    ompdb("why", f"job:{script.pid}").refused(3, f"process {script.pid} has started ranks of several jobs: give a rank of one, such as")
    script.finish()


@case
def what_is_no_job():
    program = start("chain-gcc-O0")
    ompdb("why", f"job:{program.pid}").refused(3, "has started no ranks", str(program.pid))
    ompdb("why", "job:4194304").refused(3, "there is no process 4194304")
    for arguments, words in ((["job:x"], "a job is named by a process of it"), (["--dot", "1", "2"], "'--dot' draws one target"),
                             (["--job", "job:"], "a job is named")):
        result = ompdb("why", *arguments)
        equal(result.status, 2, f"status of {arguments}")
        expect(words in result.err, result)
    program.finish()


@case
def ranks_of_a_real_starter():
    """None but the first has the starter's stdin."""
    starter = Program([need("mpiexec"), "-n", "3", testprog("why_locks-gcc-O2"), "ab_ba"],
                      env=mpi.STARTING)
    read_truths(starter, 6)
    with open(f"/proc/{starter.pid}/comm") as f:
        found = f"3 ranks of {f.read().strip()} {starter.pid}, by "
    hung = r"^== 3 ranks: 0-2, as rank 0, process \d+ ==\nProbably a deadlock: "
    wait_for(lambda: re.search(hung, ompdb("why", f"job:{starter.pid}").out, re.M), "all ranks to hang")
    result = ompdb("why", f"job:{starter.pid}")
    expect(result.out.startswith(found) and re.search(hung, result.out, re.M), result)
    equal(result.status, 4, "status")
    starter.kill()


main()
