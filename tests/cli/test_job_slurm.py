#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of a real Slurm: its srun(1) as a starter, and as the launcher that there is inside an allocation.

Its daemons are unpacked, not installed, and serve one node of this machine, in namespaces that end with the test.
"""

import cluster
from harness import *
from why import QUICK

PACKAGES = ("slurmd", "slurmctld", "slurm-client", "slurm-wlm-basic-plugins", "munge", "libmunge2", "libgcrypt20", "libgpg-error0",
            "libjson-c5", "libyaml-0-2")
SETTINGS = """ClusterName=test
SlurmctldHost=node1(10.78.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge
CredType=cred/munge
PluginDir={plugins}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=node1 NodeAddr=10.78.0.1 CPUs=2 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
"""
SITE = """set -e
mount --make-rprivate /
ip link set lo up
# Without an address besides the loopback's no name is resolved (AI_ADDRCONFIG).
ip link add eth0 type veth peer name eth1
ip addr add 10.78.0.1/24 dev eth0
ip link set eth0 up
hostname node1
mkdir {folder}/state {folder}/spool
cd {folder}
{root}/usr/sbin/munged --force --key-file={folder}/key --socket={folder}/munge --pid-file={folder}/munge.pid --log-file={folder}/munge.log --seed-file={folder}/seed
# They ask what they are called.
for name in slurmctld slurmd slurmstepd; do
	ln -s {root}/usr/sbin/$name{suffix} $name
done
{folder}/slurmctld -i
exec {folder}/slurmd -D -d {folder}/slurmstepd
"""


def slurm():
    """The host of it, and its srun."""
    root = os.path.realpath(os.path.join(TESTPROGS, "..", "fetched", "slurm"))
    fetched = run(os.path.join(cluster.SCRIPTS, "fetch-packages"), root, "bin/srun", *PACKAGES, seconds=300)
    if fetched.status == 77:
        skip(fetched.out.strip())
    srun, here = fetched.out.strip(), folder()
    libraries = f"{root}/usr/lib/{os.uname().machine}-linux-gnu"
    words = {"folder": here, "root": root, "suffix": "-wlm" if os.path.exists(f"{root}/usr/sbin/slurmd-wlm") else "",
             "plugins": f"{libraries}/slurm-wlm"}
    for name, text in (("slurm.conf", SETTINGS.format(**words)), ("site", SITE.format(**words)), ("key", "a key of its own" * 64)):
        with open(f"{here}/{name}", "w") as f:
            f.write(text)
        os.chmod(f"{here}/{name}", 0o400)
    env = {"SLURM_CONF": f"{here}/slurm.conf", "LD_LIBRARY_PATH": f"{libraries}:{libraries}/slurm-wlm",
           "PATH": f"{os.path.dirname(srun)}:{os.environ['PATH']}"}
    site = cluster.start_site(f"{here}/site", env=env)
    return cluster.Host(wait_for(lambda: children(site.pid), "its first process")[0], env), srun


@case
def a_step_of_srun():
    host, srun = slurm()
    wait_for(lambda: host.run(srun, "true").status == 0, "a node that is ready", 120)
    Program(host.words(srun, "-n", "2", "--overcommit", "--overlap", testprog("why_locks-gcc-O2"), "ab_ba"), env=host.env)
    ranks = wait_for(lambda: (lambda pids: len(pids) == 2 and pids)(host.processes("why_locks-gcc-O")), "its ranks", 120)
    starter = host.processes("srun")[0]
    why = lambda pid: host.run(OMPDB, "why", *QUICK, "--deadline", "200", "--job", pid)
    verdict = r"\nProbably a deadlock: in rank 0 thread 0\.0 waits for lock 'right' at why_locks\.c:\d+, probably held by thread 0\.1"
    wait_for(lambda: re.search(verdict, why(starter).out), "the deadlock", 120)
    result = why(starter)
    expect(re.match(rf"2 ranks of srun {starter} \(MPIR\), 2 on this host\n{verdict}", result.out), result)
    result = why(ranks[0])
    expect(re.match(rf"2 ranks of slurmstepd\S* \d+, by SLURM_PROCID in their environment\n{verdict}", result.out), result)
    # Seen from another host: the step's own node is reached by srun, as the job is an allocation.
    result = host.run("unshare", "--uts", "sh", "-c", f"hostname front; exec {OMPDB} stack --job {starter}", SLURM_JOB_ID="2")
    expect(re.match(rf"2 ranks of srun {starter} \(MPIR\), 0 on this host\n2 ranks on 1 of 1 other host, by srun\n(.*\n)*4 threads: \[0,1\]:0\.\[0,1\]\n",
                    result.out), result)
    equal((result.status, result.err), (0, ""), "status and complaints")
    expect(not host.processes("ompdb"), "ompdb is left")


if __name__ == "__main__":
    main()
