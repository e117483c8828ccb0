# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Namespaces of this machine as hosts, where root may make them: a cluster with one file system and an sshd on each."""

import functools

from harness import *

SCRIPTS = os.path.join(os.path.dirname(__file__), "..", "..", "scripts")

# site FOLDER HOSTS: node0, node1, ... on one switch. All of it ends with its first process.
SITE = r"""
set -e
mount --make-rprivate /
ip link set lo up
ip link add switch type bridge
ip link set switch up
i=0
while [ $i -lt "$2" ]; do
	unshare --net --uts --ipc --mount --pid --fork --kill-child --mount-proc sh "$1/node" "$1" $i &
	until [ "$(readlink /proc/$!/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do :; done
	ip link add port$i type veth peer name eth0 netns $!
	ip link set port$i master switch up
	i=$((i + 1))
done
wait
"""
NODE = r"""
set -e
mount -t tmpfs none /run
mount -t tmpfs none /dev/shm
mkdir -p /run/sshd /run/lock
mount --bind "$1/hosts" /etc/hosts
mount --bind "$1/passwd" /etc/passwd
hostname "node$2"
ip link set lo up
until ip addr add "10.77.0.$((10 + $2))/24" dev eth0 2>/dev/null; do :; done
ip link set eth0 up
LD_LIBRARY_PATH=$(cat "$1/libraries") "$(cat "$1/sshd")" -D -f "$1/sshd_config" -E "$1/log$2" &
exec sleep infinity
"""


def sshd():
    """Its path, and where its libraries may be. It is not installed: it would serve this machine."""
    if os.path.exists("/usr/sbin/sshd"):
        return "/usr/sbin/sshd", ""
    root = os.path.realpath(os.path.join(TESTPROGS, "..", "fetched", "sshd"))
    result = run(os.path.join(SCRIPTS, "fetch-packages"), root, "sbin/sshd", "openssh-server", "libwrap0", seconds=300)
    if result.status == 77:
        skip(result.out.strip())
    return result.out.strip(), f"{root}/usr/lib/{os.uname().machine}-linux-gnu"


def command_of(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as f:
            return f.read()
    except OSError:
        return ""  # it has ended


class Host:
    """What runs where its first process does, which is called so here. That one may bury nobody."""

    def __init__(self, first, env=None):
        self.first, self.env = first, {**os.environ, **(env or {})}

    def words(self, *argv):
        return ["nsenter", "-t", str(self.first), "-m", "-u", "-i", "-n", "-p", *argv]

    def run(self, *argv, **env):
        return run(*self.words(*argv), env={**self.env, **env}, seconds=300)

    def processes(self, name):
        """By its own numbers."""
        return [int(pid) for pid in self.run("pgrep", "--runstates", "DRSTt", "-x", name).out.split()]


def start_site(script, *arguments, env=None):
    """A shell script in namespaces of its own: all that is made in there ends with it."""
    for tool in ("ip", "nsenter"):
        need(tool)
    apart = ["unshare", "--net", "--uts", "--ipc", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh"]
    tried = run(*apart, "-c", "mount --make-rprivate / && ip link add switch type bridge && ip link add port0 type veth peer name eth0")
    if tried.status:
        skip(f"no right to make namespaces and networks here: {tried.err.strip()}")
    return Program([*apart, script, *arguments], env=env)


class Cluster:
    def __init__(self, hosts):
        for tool in ("ssh", "ssh-keygen"):
            need(tool)
        self.folder = folder()
        os.chmod(self.folder, 0o755)
        for key in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self._path(key))
        program, libraries = sshd()
        self._write("site", SITE)
        self._write("node", NODE)
        self._write("sshd", program)
        self._write("libraries", libraries)
        self._write("hosts", "".join(f"10.77.0.{10 + i} node{i}\n" for i in range(hosts)))
        # Its owner's home is in the folder: ssh(1) and what calls it find their settings there.
        with open("/etc/passwd") as f:
            others = [line for line in f if not line.startswith(("root:", "sshd:"))]
        self._write("passwd", f"root:x:0:0::{self.folder}:/bin/sh\nsshd:x:65534:65534::/run/sshd:/bin/false\n" + "".join(others))
        os.mkdir(self._path(".ssh"), 0o700)
        self._write(".ssh/config", f"IdentityFile {self._path('user')}\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n")
        self._write("sshd_config", f"HostKey {self._path('host')}\nAuthorizedKeysFile {self._path('user.pub')}\nPermitRootLogin yes\n"
                                   "StrictModes no\nUsePAM no\nPidFile none\n")
        self.site = start_site(self._path("site"), self.folder, hosts)
        self.hosts = [wait_for(functools.partial(self._host, i), f"node{i}") for i in range(hosts)]
        for i in range(1, hosts):
            wait_for(lambda: self.hosts[0].run("ssh", f"node{i}", "true").status == 0, f"node{i} to answer")

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, text):
        with open(self._path(name), "w") as f:
            f.write(text)

    def _host(self, i):
        """None: it is not there yet."""
        outer = [pid for shell in children(self.site.pid) for pid in children(shell) if command_of(pid).endswith(f"\0{i}\0")]
        inner = children(outer[0]) if outer else []
        return Host(inner[0]) if inner else None
