# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layers.py refuses each kind of offence, and lets a tree without one pass."""

import pathlib

from harness import *
from layers import check_tree

CLEAN = {
    "base/error.h": "#include <stdio.h>\nPRINTF __attribute__((format(printf, 1, 2)));\n",
    "base/error.c": '#include "base/error.h"\n/* printf */ char *s = "stdout";\n',
    "target/process/memory.h": '#include "base/error.h"\n',
    "target/process/ptrace.c": "#include <sys/ptrace.h>\n",
    "target/process/target.c": '#include "target/process/memory.h"\n',
    "ompd/gomp/layout.c": '#include "ompd/gomp/layout.h"\n',
    "ompd/gomp/layout.h": "#include <stdint.h>\n",
    "ompd/gomp/getter.c": '#include "target/cpu/insn_x86_64.h"\n',
    "debugger/stack.h": '#include "target/code/unwind.h"\n',
    "debugger/output/format.c": '#include "debugger/stitch.h"\n/* qsort() */ int errors;\n',
    "debugger/cli/prompt.c": '#include "debugger/output/format.h"\nputs("x");\n',
    "main.c": '#include "debugger/cli/prompt.h"\nint main(void) { puts(""); }\n',
}


def problems(files):
    root = pathlib.Path(folder())
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return check_tree(root)


@case
def a_tree_without_offence_passes():
    equal(problems(CLEAN), [])


@case
def an_empty_tree_is_refused():
    equal(len(problems({})), 1)


@cases(
    ("a lower layer", "base/buf.c", '#include "target/process/target.h"', "base/ may not include target/process/"),
    ("the engine", "debugger/why/why.c", '#include "debugger/output/json.h"', "may not include"),
    ("front ends", "debugger/dap/dap.c", '#include "debugger/cli/prompt.h"', "may not include"),
    ("main", "debugger/cli/oneshot.c", '#include "main.h"', "may not include"),
    ("the provider", "ompd/gomp/walk.c", '#include "base/buf.h"', "only its own headers"),
    ("the provider's processor", "ompd/gomp/walk.c", '#include "target/cpu/arch.h"', "only its own headers"),
    ("the order of a layer", "target/process/stop.c", '#include "target/process/target.h"', "stands below"),
    ("a name without folder", "target/process/stop.c", '#include "stop.h"', "may not include main/"),
    ("a processor", "target/cpu/arch.c", '#include "target/elf/build_id.h"', "may not include target/elf/"),
    ("a format", "target/elf/build_id.c", '#include "target/process/target.h"', "may not include target/process/"),
    ("a process", "target/process/target.c", '#include "target/modules/module.h"', "may not include target/modules/"),
    ("a core", "target/core/core_image.c", '#include "target/modules/module.h"', "may not include target/modules/"),
    ("a module", "target/modules/module.c", '#include "target/symbols/symbol.h"', "may not include target/symbols/"),
    ("a symbol", "target/symbols/symbol.c", '#include "target/code/unwind.h"', "may not include target/code/"),
    ("code", "target/code/unwind.c", '#include "target/flow/flow.h"', "may not include target/flow/"),
    ("a flow", "target/flow/flow.c", '#include "ompd/picture/picture.h"', "may not include ompd/"),
    ("a picture", "ompd/picture/picture.c", '#include "ompd/client/openmp.h"', "may not include ompd/client/"),
    ("the order of pictures", "ompd/picture/runtime.c", '#include "ompd/picture/spans.h"', "stands below"),
    ("a client", "ompd/client/openmp.c", '#include "ompd/libomp/libomp.h"', "may not include ompd/libomp/"),
    ("a runtime", "ompd/libgomp/libgomp_facts.c", '#include "ompd/libomp/libomp.h"', "may not include ompd/libomp/"),
    ("the other runtime", "ompd/libomp/libomp_locks.c", '#include "ompd/wait.h"', "may not include ompd/"),
    ("a walk", "ompd/wait.c", '#include "ompd/walk.h"', "stands below"),
    ("what is above a walk", "ompd/walk.c", '#include "debugger/stack.h"', "may not include debugger/"),
    ("a question", "debugger/snapshot.c", '#include "debugger/why/why.h"', "may not include debugger/why/"),
    ("an unknown folder", "tools/x.c", "", "is in no layer"),
    ("an unplaced module", "target/process/novelty.c", "", "has no place"),
    ("the door of ptrace", "target/process/live.c", "#include <sys/ptrace.h>", "is for target/process/ptrace.c"),
    ("the door of libunwind", "target/code/eh_frame.c", "#include <libunwind.h>", "is for"),
    ("the door of elfutils", "debugger/stack.c", "#include <elfutils/libdwfl.h>", "is for"),
    ("the door of dwarf.h", "target/modules/module.c", "#include <dwarf.h>", "is for"),
    ("the door of dlopen", "target/symbols/symbol.c", "#  include <dlfcn.h>", "is for"),
    ("the door of jansson", "debugger/cli/prompt.c", "#include <jansson.h>", "is for"),
    ("the door of live", "target/code/unwind.c", '#include "target/process/live.h"', "is for"),
    ("the door of OMPD", "debugger/why/why.c", '#include "ompd/client/ompd_abi.h"', "is for"),
    ("output that looks", "debugger/output/json.c", '#include "target/process/memory.h"',
     "is no result"),
    ("output that computes", "debugger/output/json.c", '#include "debugger/why/why_graph.h"',
     "is no result"),
    ("output that asks the runtime", "debugger/output/json.c", '#include "ompd/wait.h"',
     "is no result"),
    ("output that sorts", "debugger/output/json.c", "qsort_r(a, n, 4, by_name, NULL);", "decides"),
    ("output that stores", "debugger/output/json.c", "int *n = calloc(1, sizeof(*n));", "decides"),
    ("output that can fail", "debugger/output/json.c", "struct error *err = merge(s, &root);",
     "decides"),
    ("output that hides failing", "debugger/output/json.c", "error_ignore(merge(s, &root));",
     "decides"),
    ("printing", "debugger/stack.c", 'void f(void) { printf("x"); }', "may print"),
    ("writing to stdout", "debugger/output/json.c", "fputs(s, stdout);", "may print"),
)
def refuses(what, name, text, words):
    found = problems({**CLEAN, name: text + "\n"})
    expect(len(found) == 1 and words in found[0] and found[0].startswith(name), f"{what}: {found}")


@case
def refuses_a_cycle_through_a_source_file():
    found = problems({**CLEAN, "base/buf.h": '#include "base/text.h"\n',
                      "base/text.c": '#include "base/log.h"\n',
                      "base/log.h": '#include "base/buf.h"\n'})
    equal(found, ["cycle: base/buf -> base/text -> base/log -> base/buf"])


main()
