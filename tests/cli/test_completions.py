# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The completions for shells know the options that --help knows, and no others."""

from harness import *

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "completions")
COMMANDS = (None, "why", "stack", "omp", "check-ompd", "rank")


def text(name):
    with open(os.path.join(FOLDER, name)) as f:
        return f.read()


def options(command):
    """Those of --help: {"-p", "--pid", ...}"""
    said = run(OMPDB, *([command] if command else []), "--help").out
    found = re.findall(r"^ +(?:(-\w), |    )(--[a-z-]+)", said, re.M)
    return {word for pair in found for word in pair if word}


@cases(*COMMANDS)
def bash(command):
    script = """
        . "$1"
        COMP_WORDS=(ompdb $2 -) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _ompdb ompdb - "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    result = run("bash", "-c", script, "bash", os.path.join(FOLDER, "ompdb.bash"), command or "")
    equal((set(result.out.split()), result.err), (options(command), ""), "options")


@cases(*COMMANDS)
def zsh(command):
    part = re.search(rf"^{re.escape(command or '*')}\)\n\toptions=\((.*?)\n\t\)", text("_ompdb"), re.S | re.M)[1]
    equal(set(re.findall(r"'\*?(-[a-z-]+)", part)), options(command), "options")


@cases(*COMMANDS)
def fish(command):
    lines = [line for line in text("ompdb.fish").splitlines()
             if (f"_from {command}'" if command else "'not __fish") in line]
    found = {"--" + name for line in lines for name in re.findall(r" -l (\S+)", line)}
    found |= {"-" + letter for line in lines for letter in re.findall(r" -s (\S)", line)}
    equal(found, options(command), "options")


@cases(("bash", "ompdb.bash"), ("zsh", "_ompdb"), ("fish", "ompdb.fish"))
def the_shell_can_read_it(shell, name):
    result = run(need(shell), "-n", os.path.join(FOLDER, name))
    equal((result.status, result.err), (0, ""), "status and messages")


main()
