#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A job on several hosts, which ompdb reaches by the launchers that are there: ssh(1), clush(1), pdsh(1)."""

import shutil

import cluster
from mpi import *

HOSTS = 3  # with a rank on each, besides the one in front
LAUNCHERS = {"ssh": "ssh -o BatchMode=yes {host} {command}", "clush": "clush -q -S -w {hosts} {command}", "pdsh": "pdsh -S -w {host} {command}"}
ONE_NIC = {"OMPI_MCA_btl_tcp_if_include": "eth0", "OMPI_MCA_oob_tcp_if_include": "eth0", "PDSH_RCMD_TYPE": "ssh"}


class Job:
    """With its starter on node0; one rank is deadlocked, and the others wait for it."""

    def __init__(self, site):
        self.site = site
        hosts = ",".join(f"node{i}" for i in range(1, HOSTS + 1))
        argv = [need("mpiexec.openmpi"), "--bind-to", "none", "-host", hosts, "-np", str(HOSTS), "-x", "OMP_NUM_THREADS",
                "-x", "OMPI_MCA_mpi_yield_when_idle", testprog("mpi_job-openmpi-gcc-O0"), "team"]
        self.program = Program(self.site.hosts[0].words(*argv), env={**ENVIRONMENT, **ONE_NIC})
        self.starter = wait_for(lambda: self.site.hosts[0].processes("mpiexec.openmpi"), "the starter")[0]
        # Its table of ranks is filled last.
        wait_for(lambda: self.ask("stack").out.startswith("3 ranks"), "its ranks", 120)

    def words(self, command, *options, launcher="ssh"):
        return self.site.hosts[0].words(OMPDB, command, "--job", str(self.starter), "--launcher", LAUNCHERS[launcher],
                                        "--deadline", "200", *options)

    def ask(self, *words, **options):
        return run(*self.words(*words, **options), seconds=300, env={**os.environ, **ONE_NIC})

    def leaves_nothing(self):
        """No process of ompdb is on any host, and nobody is traced."""
        for i in range(1, HOSTS + 1):
            wait_for(lambda i=i: not self.site.hosts[i].processes("ompdb"), f"ompdb to end on node{i}")
            equal(self.site.hosts[i].run("sh", "-c", "cat /proc/[0-9]*/status 2>/dev/null | grep TracerPid | sort -u").out, "TracerPid:\t0\n", "tracers")


def each_launcher_finds_a_deadlock(job):
    wait_for(lambda: job.ask("why", "--interval", "200").status == 4, "the deadlock to be plain", 120)
    for launcher in filter(shutil.which, LAUNCHERS):
        result = job.ask("why", "--interval", "200", launcher=launcher)
        expect(result.out.startswith(f"3 ranks of mpiexec.openmpi {job.starter} (MPIR), 0 on this host\n"
                                     f"3 ranks on 3 of 3 other hosts, by {launcher}\n\n"
                                     "Deadlock: in rank 1 thread 0.0 waits at the barrier at mpi_job.c:"), result)
        expect(re.search(r"^== rank 1, host node2 ==$", result.out, re.M), result)
        equal((result.status, result.err), (4, ""), "status and complaints")
        result = job.ask("stack", launcher=launcher)
        expect(re.search(r"2 threads: \[0,2\]:main\n.*leave_team.*\n.*reduce +at mpi_job\.c:\d+\n", result.out), result)


def dead_and_frozen_hosts_are_named(job):
    for host, number in ((2, "-KILL"), (3, "-STOP")):
        job.site.hosts[host].run("pkill", number, "-f", "^sshd: .*listener")
    for deadline in (3, 30, 120):  # a busy machine may need longer for the host that answers
        result = job.ask("stack", "--deadline", str(deadline))
        if "rank 0, host node1" not in result.err:
            break
    expect(re.search(r"^ompdb: rank 1, host node2: no answer: .*Connection refused", result.err, re.M), result)
    expect(f"ompdb: rank 2, host node3: has not answered within {deadline} s (--deadline)" in result.err, result)
    expect("1 rank on 1 of 3 other hosts, by ssh" in result.out and "reduce" in result.out, result)
    equal(result.status, 3, "status")
    job.site.hosts[3].run("pkill", "-CONT", "-f", "^sshd: .*listener")


def ompdb_is_killed(job):
    asking = Program(job.words("why", "--interval", "600000", "--deadline", "3600"), env=ONE_NIC)
    wait_for(lambda: job.site.hosts[1].processes("ompdb") or asking.process.poll() is not None, "the look on node1")
    equal((asking.process.poll(), asking.stderr()), (None, ""), "the status of ompdb")
    job.site.hosts[0].run("pkill", "-KILL", "-x", "ompdb")
    asking.process.wait()
    job.leaves_nothing()


@case
def a_job_on_several_hosts():
    if trouble("openmpi"):
        skip(f"openmpi does not run here: {trouble('openmpi')}")
    if release_of("mpiexec.openmpi") >= 5:
        skip("Open MPI 5 keeps no table of ranks (MPIR), and no rank is on the starter's host")
    site = cluster.Cluster(HOSTS + 1)
    job = Job(site)
    each_launcher_finds_a_deadlock(job)
    ompdb_is_killed(job)
    dead_and_frozen_hosts_are_named(job)
    job.leaves_nothing()


if __name__ == "__main__":
    main()
