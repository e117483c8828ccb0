# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The form of what `ompdb stack`, `omp` and `why` print with --json, as the manual has it."""

from harness import expect

NAME = (str, type(None))
NUMBER = (int, type(None))
SOURCE = {"ompd", "memory", "inferred", "none"}
WAITS = {"none", "idle", "due", "barrier", "explicit barrier", "region end", "worksharing end", "taskwait",
         "taskgroup", "dependence", "critical", "lock", "nest lock", "ordered", "atomic", "single",
         "copyprivate", "doacross", "teams", "task event", "passing", "team start", "runtime", "mutex", "condition", "join",
         "system call", "mpi", "memory", "crashed", "unknown"}
TARGET = {"pid": NUMBER, "core": NAME, "exe": str}
RUNTIME = {"kind": {"libgomp", "libomp"}, "path": str, "version": NAME, "status": str,
           "provider": NAME}
OMP = {"runtime": NUMBER, "num": NUMBER, "team": NUMBER, "team_size": NUMBER, "level": NUMBER,
       "role": {"initial", "primary", "worker", "idle", "foreign", "hidden helper", "none"}, "source": SOURCE}
WAIT = {"kind": WAITS, "object": NAME, "name": NAME, "variable": NAME, "file": NAME, "line": NUMBER,
        "source": SOURCE, "spinning": bool, "holder": NUMBER,
        "holder_source": (SOURCE - {"none"}, type(None)), "arrived": NUMBER, "total": NUMBER}
BORDER = {"kind": {"parallel", "task", "teams", "target", "callback"}, "team": NUMBER,
          "team_size": NUMBER, "level": NUMBER, "creator": NAME, "function": NAME, "file": NAME,
          "line": NUMBER, "source": SOURCE}
FRAME = {"pc": NAME, "cfa": NAME, "function": NAME, "offset": NUMBER, "file": NAME,
         "line": NUMBER, "module": NAME, "inline": bool, "guessed": bool, "kind": {"user", "runtime", "system"},
         "lwp": int, "hidden": bool, "construct": NAME, "tail_called": bool,
         "border": (BORDER, type(None))}
REGION = {"id": int, "parent": NUMBER, "runtime": int, "level": int, "size": NUMBER,
          "active": bool, "league": bool, "primary": NUMBER, "members": [NUMBER],
          "function": NAME, "file": NAME, "line": NUMBER, "source": SOURCE}
TASK = {"id": int, "kind": {"implicit", "explicit", "undeferred"},
        "state": {"running", "suspended", "queued", "blocked", "detached", "unknown"},
        "region": NUMBER, "creator": NUMBER, "lwp": NUMBER, "waits_for": [int],
        "function": NAME, "file": NAME, "line": NUMBER, "source": SOURCE}
ICV = {"name": str, "value": str, "runtime": int,
       "scope": {"process", "thread", "region", "task"}, "of": NUMBER}
BLAME = {"lwp": NUMBER, "omp": NAME, "function": NAME, "file": NAME, "line": NUMBER, "reason": str,
         "threads": [int],
         "values": [{"file": NAME, "line": NUMBER, "name": str, "text": str, "threads": [int]}]}
CRASH = {"signal": str, "cause": str, "address": NAME, "message": NAME}
WAITING = {"lwp": int, "omp": NAME, "kind": WAITS, "object": NAME, "name": NAME,
           "variable": NAME,
           "holder": {"lwp": NUMBER, "confidence": {"known", "probable", "unknown"},
                      "candidates": [int]},
           "function": NAME, "file": NAME, "line": NUMBER}
NODE = {"id": int, "kind": {"thread", "task", "object", "barrier", "nobody"}, "name": str,
        "state": NAME, "lwps": [int], "tasks": [int], "function": NAME, "file": NAME,
        "line": NUMBER, "stuck": bool}
EDGE = {"from": int, "to": int, "kind": {"waits for", "held by", "run by", "must come"},
        "confidence": {"known", "probable", "unknown"}}
PROGRESS = {"seconds": float, "barriers": NUMBER, "moved": int, "threads": int,
            "load": (float, type(None))}
SCHEDULE = {"kind": ({"static", "dynamic", "guided", "auto", "runtime", "static with stealing",
                      "trapezoidal"}, type(None)),
            "chunk": NUMBER, "modifier": ({"monotonic", "nonmonotonic"}, type(None)),
            "assumed": bool}
LOOP = {"region": NUMBER, "construct": {"loop", "sections"}, "directive": NAME, "file": NAME,
        "line": NUMBER, "function": NAME, "schedule": NAME, "in_force": SCHEDULE,
        "variables": [NAME], "numbers": {"values", "iterations"}, "begin": NUMBER, "end": NUMBER,
        "step": NUMBER, "iterations": NUMBER, "left": NUMBER, "next": NUMBER,
        "threads": [{"lwp": NUMBER, "number": NUMBER,
                     "state": {"inside", "asks", "at end", "away"}, "first": NUMBER,
                     "last": NUMBER, "computed": bool, "section_line": NUMBER,
                     "now": [int], "rest": NUMBER}]}
HEAD = {"v": int, "type": str, "target": TARGET, "runtimes": [RUNTIME]}
SCHEMAS = {
    "stack": {**HEAD, "threads": [{"lwp": int, "name": str, "omp": OMP, "wait": WAIT,
                                   "frames": [FRAME], "end": NAME}], "notes": [str]},
    "omp": {**HEAD, "threads": [{"lwp": int, "name": str, "omp": OMP, "wait": WAIT,
                                 "task": NUMBER}],
            "regions": [REGION], "tasks": [TASK], "icvs": [ICV], "notes": [str]},
    "loops": {**HEAD, "loops": [LOOP], "notes": [str]},
    "why": {**HEAD,
            "verdict": {"deadlock", "stuck", "crashed", "waiting", "progressing", "idle", "unknown"},
            "class": {"barrier-mismatch", "worksharing-mismatch", "lock-cycle", "self-deadlock",
                      "lost-lock", "ordered", "task", "detach", "lost-worker", "two-runtimes",
                      "busy-wait", "external", "held", "imbalance", "none"},
            "confidence": {"certain", "probable", "guess"}, "summary": str, "blame": [BLAME],
            "crash": (CRASH, type(None)),
            "waits": [WAITING], "graph": {"nodes": [NODE], "edges": [EDGE]},
            "reasons": [str], "hints": [str], "samples": int, "progress": PROGRESS,
            "notes": [str]},
}


def fits(value, form, where="the object"):
    """Fails unless a value has a form: a type, a set of words, members, items, or one or None."""
    if isinstance(form, dict):
        expect(isinstance(value, dict) and list(value) == list(form),
               f"members of {where}: {value}")
        for key, member in form.items():
            fits(value[key], member, f"{where}.{key}")
    elif isinstance(form, list):
        expect(isinstance(value, list), f"{where} is {value!r}")
        for number, item in enumerate(value):
            fits(item, form[0], f"{where}[{number}]")
    elif isinstance(form, tuple):
        if value is not None:
            fits(value, form[0], where)
    elif isinstance(form, set):
        expect(value in form, f"{where} is {value!r}")
    else:
        expect(type(value) is form, f"{where} is {value!r}")
