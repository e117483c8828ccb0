#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs with ranks on other hosts. The launcher is a script that executes its words on this one."""

import json

from why import *

LAUNCHER = r"""#!/bin/sh
# launcher HOST WORD...: what each host does by its name
host=$1
shift
case $host in
node*) exec "$@" ;;
dead) echo "ssh: connect to host dead port 22: No route to host" >&2; exit 255 ;;
frozen) echo $$ >"${0%/*}/frozen"; exec sleep 1000 ;;
silent) exit 0 ;;
garbled) "$@" | sed 's/pause/paws/' ;;
cut) "$@" | sed '$d' ;;
mixed) "$@" | sed 's/^/mixed: /' | tac; echo "mixed: good bye" ;;
told*) cat "${0%/*}/$host" ;;
esac
"""

# The same for all hosts at once: HOST,HOST WORD..., and a table on standard input.
LAUNCHER_OF_ALL = r"""#!/bin/sh
hosts=$1
shift
cat >"${0%/*}/table"
for host in $(echo $hosts | tr , ' '); do
	sed -n "s/^$host /$(hostname) /p" "${0%/*}/table" | "$@" | sed "s/%ompdb1 [^ ]*/%ompdb1 $host/; s/^/$host: /" &
done
wait
"""


def launcher(text=LAUNCHER):
    path = os.path.join(folder(), "launcher")
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, 0o755)
    return path


def ask(command, starter, path, *options, word="host"):
    return ompdb(command, "--job", starter.pid, "--launcher", f"{path} {{{word}}} {{command}}", "--deadline", "200", *options)


def lines_of(text, host="node"):
    """As ompdb writes them (job/host_lines.h)."""
    check = 0xcbf29ce484222325
    for byte in [*text.encode(), 1]:
        check = (check ^ byte) * 0x100000001b3 % 2**64
        check ^= check >> 32
    parts = [text[i:i + 900] for i in range(0, len(text) + 1, 900)]
    return "".join(f"%ompdb1 {host} {i + 1} {len(parts)} {check:016x} {part}%\n" for i, part in enumerate(parts))


def wrong_usage(result, words):
    equal((result.status, result.out), (2, ""), "status and output")
    expect(re.match("ompdb: .*" + re.escape(words) + ".*\nusage: ", result.err), result)


def version():
    return ompdb("--version").out.split()[1]


@case
def all_hosts_answer():
    path, starter = launcher(), start("mpir_starter", "on", ".", "node1", "node2", "node1")
    found = (rf"4 ranks of mpir_starter {starter.pid} \(MPIR\), 1 on this host\n"
             r"3 ranks on 2 of 2 other hosts, by \S+launcher\n")
    result = ask("stack", starter, path)
    expect(re.match(found + r"(.*\n)*4 threads: \[0-3\]:main\n  main +at mpir_starter\.c:\d+\n(  .*\n)*  => in pause\(\)\n$", result.out), result)
    equal((result.status, result.err), (0, ""), "status")
    result = ask("why", starter, path, "--once")
    expect(re.match(found + r"\nWaiting: rank 0 is in pause\(\) in \w+ at mpir_starter.c:\d+, and 3 more\.\n", result.out), result)
    expect(re.search(r"^  ranks 0-3 .*is in pause\(\)$", result.out, re.M), result)
    expect(re.search(rf"^== 4 ranks: 0-3, as rank 0, process \d+ ==$", result.out, re.M), result)
    result = ask("omp", starter, path)
    expect(re.search(r"^0-3 +1 +0 +0 +1$", result.out, re.M), result)
    answer = json.loads(ask("stack", starter, path, "--json").out)
    equal(sorted((m["rank"], m["host"], m["answer"]["type"]) for m in answer["members"]),
          [(0, None, "stack"), (1, "node1", "stack"), (2, "node2", "stack"), (3, "node1", "stack")], "members")
    starter.untouched()
    starter.finish()


@case
def one_launcher_reaches_all_hosts():
    path, starter = launcher(LAUNCHER_OF_ALL), start("mpir_starter", "on", ".", "node1", "node2", "node1")
    result = ask("stack", starter, path, word="hosts")
    expect("3 ranks on 2 of 2 other hosts" in result.out and "4 threads: [0-3]:main" in result.out, result)
    equal((result.status, result.err), (0, ""), "status")
    starter.finish()


@case
def hosts_that_do_not_answer_are_named():
    path = launcher()
    told = {
        "told-old": lines_of('{"v":1,"version":"0.0.1","missing":0,"groups":[]}'),
        "told-nothing": lines_of("[]"),
        "told-deep": lines_of("[" * 100000),
        "told-evil": lines_of(json.dumps({"v": 1, "version": version(), "missing": 0, "groups": [
            {"ranks": [[9, 9]], "status": 1, "key": "1", "text": "", "messages": "ompdb: \x1b[2J\u202e\n",
             "report": {"v": 1, "lines": [[1, 0, "\x1b]0;f\x07", "", "0.0", 1]]}}]}, ensure_ascii=False)),
        "told-absurd": lines_of(json.dumps({"v": 1, "version": version(), "missing": 0, "groups": [
            {"ranks": [[0, 2**40]], "status": 1, "key": "1", "text": "", "messages": ""}]})),
    }
    for host, text in told.items():
        with open(os.path.join(os.path.dirname(path), host), "w") as f:
            f.write(text)
    hosts = [".", "dead", "silent", "garbled", "cut", "mixed", *told, "-oProxyCommand=id", "a;id"]
    starter = start("mpir_starter", "on", *hosts)
    result = ask("stack", starter, path)
    for rank, words in ((1, "host dead: no answer: .* has ended with status 255: ssh: connect to host dead port 22: No route to host"),
                        ("2,4, on silent", "cut: no answer: .* has ended with status 0"),
                        (3, "host garbled: its answer was garbled on the way"),
                        (6, f"host told-old: ompdb has version 0.0.1 there, and {re.escape(version())} here"),
                        (7, "host told-nothing: its answer makes no sense: it has no version"),
                        (8, "host told-deep: its answer makes no sense: maximum parsing depth"),
                        (9, r"host told-evil: \\x1b\[2J\\xe2\\x80\\xae"),
                        (10, "host told-absurd: its answer makes no sense: its ranks")):
        expect(re.search(rf"^ompdb: (rank|2 ranks:) {rank}, {words}", result.err, re.M), result)
    for rank in (11, 12):
        expect(f"note: the host of rank {rank} has no name of one" in result.out, result)
    expect("2 ranks on 2 of 10 other hosts" in result.out and r"\x1b]0;f\x07" in result.out, result)
    expect("2 threads: [0,5]:main" in result.out, result)
    equal(result.status, 3, "status")
    result = ompdb("stack", "--job", starter.pid, "--launcher", "no-such-launcher {host} {command}")
    expect(re.search("on dead, silent, .*: no-such-launcher cannot be executed: No such file or directory", result.err), result)
    starter.untouched()
    starter.finish()


@case
def nobody_waits_for_a_host_that_is_frozen():
    """Nor is anything left behind when ompdb is killed, or interrupted."""
    path, starter = launcher(), start("mpir_starter", "on", ".", "frozen")
    note = os.path.join(os.path.dirname(path), "frozen")
    result = ask("stack", starter, path, "--deadline", "1")
    expect("rank 1, host frozen: has not answered within 1 s (--deadline)" in result.err, result)
    expect("thread 0:main" in result.out, result)
    for number, status in ((signal.SIGINT, 3), (signal.SIGKILL, -signal.SIGKILL)):
        os.unlink(note)
        words = [OMPDB, "stack", "--job", str(starter.pid), "--launcher", f"{path} {{host}} {{command}}", "--deadline", "600"]
        asking = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_for(lambda: os.path.exists(note) and os.path.getsize(note), "the launcher")
        with open(note) as f:
            frozen = int(f.read())
        asking.send_signal(number)
        out, err = asking.communicate()
        equal(asking.returncode, status, "status")
        if number == signal.SIGINT:
            expect("thread 0:main" in out and "rank 1, host frozen: was not waited for" in err, (out, err))
        wait_for(lambda: proc_state(frozen) in ("Z", None), "the launcher to end")
    starter.untouched()
    starter.finish()


@case
def a_host_that_is_not_heard_any_more_ends_its_look():
    starter = start("mpir_starter", "on", ".")
    rank, = children(starter.pid)
    looking = subprocess.Popen([OMPDB, "host-look", "why", "--interval=3600000", "--deadline=3600", f"ranks:0.{rank}"],
                               stdout=subprocess.PIPE)
    wait_for(lambda: len(children(looking.pid)) == 2, "it to look")
    others = children(looking.pid)
    looking.stdout.close()
    equal(looking.wait(), -signal.SIGTERM, "status")
    for pid in others:
        wait_for(lambda: proc_state(pid) in ("Z", None), "its processes to end")
    starter.untouched()
    starter.finish()


@case
def ranks_are_found_by_their_environment_there():
    """And on the hosts of a list, where nothing else tells of them."""
    key = f"job-{os.getpid()}"
    env = {"PMIX_NAMESPACE": key, "OMPI_COMM_WORLD_SIZE": "4"}
    ranks = [start("chain-gcc-O0", env={**env, "OMPI_COMM_WORLD_RANK": str(n)}) for n in range(2)]
    result = ask("stack", ranks[0], launcher(), "--hosts", "node[01-02]")
    expect("4 ranks on 2 of 2 other hosts" in result.out, result)    # the same ones: it is the same host
    step = {"SLURM_STEP_NUM_TASKS": "2", "SLURM_JOB_ID": "1", "SLURM_STEP_ID": key, "SLURMD_NODENAME": "node1", "SLURM_PROCID": "0"}
    for list_, words in (("node[1-2]", "1 rank on 1 of 1 other host"), (";id", "note: SLURM_STEP_NODELIST: ';id' is no name of a host")):
        rank = start("chain-gcc-O0", env={**step, "SLURM_STEP_NODELIST": list_})
        result = ask("stack", rank, launcher())
        expect(words in result.out and "thread 0:main" in result.out.replace("2 threads: [0,0]", "thread 0"), result)
        rank.finish()
    for list_, words in (("a b", "'a b' is no name of a host"), ("n[1-", "brackets"), ("n[2-1]", "ends before it begins"),
                         ("n[1-2]x[1]", "one pair of brackets"), ("n[0-999999999]", "more than 100,000"), ("-x", "'-x' is no name")):
        wrong_usage(ask("stack", ranks[0], "x", "--hosts", list_), words)
    for options, words in ((["--launcher", "ssh"], "a launcher is a command with the words {command} and {host}"),
                           (["--remote-ompdb", "a b"], "the path of ompdb"), (["--ompd-library", "a;b"], "an option with such a value")):
        wrong_usage(ompdb("stack", "--job", ranks[0].pid, "--hosts", "node1", "--launcher", "x {host} {command}", *options), words)
    wrong_usage(ompdb("host-look", "check-ompd"), "give one of the commands why, stack and omp")
    wrong_usage(ompdb("host-look", "why", "ranks:1"), "ranks are given as in")
    ompdb("host-look", "why", "key:1").refused(3, "no ranks of the job are there")
    ompdb("host-look", "why", "table:-").refused(3, "is not in the table of hosts")
    for rank in ranks:
        rank.untouched()
        rank.finish()


main()
