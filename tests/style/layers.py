#!/usr/bin/env python3
# SPDX-FileCopyrightText: The ompdb developers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layers.py SRC: fails when a source file includes, or prints, what its place does not allow.

The tables are the architecture. A module is NAME.c and NAME.h together.
"""

import pathlib
import re
import sys

# Folders, low to high. A folder may include what stands in rows above it; folders of one row
# share one order of modules.
LAYERS = [
    ["base"],
    ["target/cpu"],
    ["target/elf"],
    ["target/process"],
    ["target/tracer"],
    ["target/core"],
    ["target/modules"],
    ["target/symbols"],
    ["target/code"],
    ["target/flow"],
    ["ompd/picture"],
    ["ompd/client"],
    ["ompd/libgomp"],
    ["ompd/libomp"],
    ["ompd"],
    ["debugger"],
    ["debugger/why"],
    ["debugger/values"],
    ["debugger/job"],
    ["debugger/control"],
    ["debugger/output"],
    ["debugger/cli", "debugger/dap", "debugger/trace"],
    ["main"],
]

# Modules of a row, by its first folder, low to high: a module may include those of its own line and
# of lines above. Rows that are not listed have no order of their own.
ORDER = {
    "base": [
        "cleanup clock hash",
        "error",
        "buf cursor file interrupt log map programs sigbus sorted text",
        "file_opener",
        "file_root",
        "half",
        "budget source",
    ],
    "target/cpu": [
        "insn calls_x86_64 emulate accesses",
        "insn_x86_64_parts",
        "insn_x86_64 insn_x86_64_meaning",
        "emulate_x86_64 accesses_x86_64",
        "arch arch_x86_64",
        "disassembly",
    ],
    "target/elf": [
        "elf_header build_id",
    ],
    "target/process": [
        "stop heritage patch gate",
        "thread_state memory procfs procfs_parse ptrace point condition passage notes tally",
        "debug_registers",
        "exec_counter",
        "points opcode",
        "refusal live_files live_root owner visit identity held",  # what is in /proc
        "target kept_registers site kept_signals",
        "events copies",
        "tracees",
        "passing",
        "stranded",
        "tracee",
        "hits late_traps stepping adopt",
        "halt",
        "go_on",
        "children",
        "run seize let_go",
        "live launch live_parts live_attach live_child live_launch live_memory",
        "still_lines", "still",
    ],
    "target/tracer": [
        "message terminal ear",
        "protocol roll",
        "spawn service",
        "talk",
        "traced tracer",
    ],
    "target/core": [
        "core_notes core_image core_files core_segments program_headers",
        "core_program program_file",
        "core core_write",
    ],
    "target/modules": [
        "ranges",
        "link_map module",
        "dynamic",
        "exports",
    ],
    "target/symbols": [
        "line_names",
        "elf_file function_name line_table name_hits",
        "debug_file",
        "unit_lines",
        "demangle dwarf_check dwarf_open dwo_image split_dwarf die die_lists cu cu_entries cu_index cu_blocks",
        "debuginfo elf_image",
        "plt",
        "symbol symtab symbol_parts type type_array type_name type_parts",
        "location location_value",
        "type_dynamic type_resolve",
        "type_reader array_reader code_places function_code location_reader location_compile tls variable",
        "copied_in first_construct frame_slot loop_counter lost_statics member_reader passed_variable stale_value task_copy thread_number",
        "call_sites function_text source_unit variable_reader",
        "gcc_faults name_scopes",
        "variables variable_inlined variable_place variable_resolve variable_search",
        "prologue",
        "ifunc",
        "places place_functions place_lines place_lists place_names place_parts place_types",
    ],
    "target/code": [
        "eh_frame",
        "unwind_access",
        "code",
        "jump",
        "guess",
        "unwind",
        "call_site lsda wait_loop fixed_loop writers",
        "blocked",
    ],
    "target/flow": [
        "term flow_call part",
        "cfg held",
        "machine routine",
        "actual effect",
        "dataflow",
        "call_order paths",
        "flow",
    ],
    "ompd/picture": [
        "by_address crash loop pthreads wait_kind runtime_event",
        "runtime_ops event_values",
        "own_code",
        "runtime",
        "parked spans",
        "picture",
        "arrivals order",
    ],
    "ompd/client": [
        "ompd_abi quiet jail keeper wire",
        "entries",
        "callbacks loader",
        "sandbox_child",
        "sandbox",
        "library",
        "openmp",
        "known",
        "walk_state",
    ],
    "ompd/libgomp": [
        "libgomp_entries libgomp_events libgomp_facts libgomp_loops libgomp_own",
        "libgomp",
    ],
    "ompd/libomp": [
        "libomp_entries libomp_events libomp_image libomp_layout",
        "libomp_threads libomp_variables",
        "libomp_symbols",
        "libomp_taskdata",
        "detached libomp_barriers libomp_dispatch libomp_locks libomp_own",
        "libomp_depends libomp_lock_table libomp_loops libomp_tasks libomp_turns",
        "libomp",
    ],
    "ompd": [
        "callee conform_tell fortran_text loop_header outlined pragma runtimes",
        "conform_icv own_numbers",
        "clauses source_tokens source_storage",
        "awaited enclosing_parts",
        "fortran_decisions",
        "enclosing enclosing_c enclosing_fortran sharing_rules",
        "left borders constructs conform crashes footprint icv infer leaks loops names wait",
        "holds",
        "walk",
    ],
    "debugger": [
        "lock_list wait_words omp_ids",
        "session",
        "stack",
        "stitched",
        "stitch_frames",
        "stitch_borders",
        "stitch",
        "merge snapshot",
        "branches listing progress",
        "listing_keys",
        "listing_columns",
        "listing_lines",
        "chosen",
        "look overview",
        "whereabouts",
    ],
    "debugger/job": [
        "outline rank_env mpi_call mpir host_lines hosts likeness",
        "job report processes launcher",
        "rank_waits host_answer",
        "job_graph",
        "job_why",
        "job_counts",
    ],
    "debugger/values": [
        "scope token token_fortran expr_type iterations passed",
        "raw_scope expr_tree",
        "parser pushed",
        "precedence",
        "expr_fortran",
        "deciding_words source_around",
        "captured operand region_block work work_source",
        "value value_part value_place value_write abi",
        "captured_array",
        "expr",
        "thread_errno",
        "convenience registers lookup lookup_type arithmetic",
        "omp_variables",
        "reach classes",
        "original",
        "container locks vtables",
        "container_parts objects siginfo",
        "container_links",
        "container_any container_chrono container_function container_nodes container_gnu container_gnu_single container_llvm",
        "containers lock_names lock_path lock_search",
        "casts methods",
        "copying",
        "passing",
        "argument_text",
        "fortran fortran_element fortran_arrays fortran_class",
        "complex fortran_functions",
        "functions",
        "operate emit argument argument_fortran invoke",
        "container_compare container_iterators vector",
        "container_elements container_keys",
        "container_ops",
        "compile eval eval_parts eval_fortran eval_container eval_call eval_list eval_names eval_operators eval_place eval_aside eval_types",
        "shown shown_parts shown_container shown_fortran shown_frame",
        "frame_values",
        "eval_text",
        "apart",
        "deciding worksharing",
        "looked_at",
        "work_rows",
    ],
    "debugger/why": [
        "why",
        "why_end",
        "why_groups",
        "why_outline",
        "why_nodes",
        "why_thread",
        "why_tasks",
        "why_graph",
        "why_live why_case",
        "why_words",
        "why_blame",
        "why_crash why_halt why_report",
        "why_verdict",
        "why_ask",
    ],
    "debugger/control": [
        "jumped stop_report sharing_rows signals threads result counted loop_values task_creator construct_lines runtime_copies driver team_order team_races wait_mark",
        "team_file creators left_place",
        "task_layout",
        "task_block",
        "probe_program probe_wish arrivals",
        "probe_functions probe_inside probe_jumps",
        "probe_parts",
        "probe_wants probe_counts",
        "probes",
        "frames linespec stub place_names",
        "thread_errno call_sleep task_values",
        "breakpoint plan called",
        "where construct_code region_end",
        "course",
        "escape loop_exits",
        "outside task_step creator_wait inline_exits",
        "task_finish",
        "construct_step",
        "step",
        "control",
        "members watching",
        "watching_team",
        "sharing_places",
        "sharing",
        "call_stuck reduction",
        "call_check call_end",
        "ifuncs catching",
        "placing report",
        "team_accesses",
        "watch_hits",
        "loader decision",
        "event_hits",
        "candidates",
        "forks leave",
        "decide stopping",
        "team_names",
        "hang",
        "resume",
        "team_stations",
        "team_hold team_member",
        "team_moves",
        "team_look",
        "team_run mover",
        "mover_words",
        "team_step",
        "call",
        "inferior",
        "mpir_launch",
    ],
}

# Headers with few users: start of the name -> the files and folders that may include it.
DWARF = ["target/symbols/"]
DOORS = {
    "<sys/ptrace.h>": ["target/process/ptrace.c"],
    "<linux/ptrace.h>": ["target/process/ptrace.c"],
    "<linux/perf_event.h>": ["target/process/exec_counter.c"],
    "<pthread.h>": ["target/process/visit.c", "ompd/client/keeper.h"],
    "<libunwind": ["target/code/unwind_access.h"],
    "<elfutils/": DWARF,
    "<dwarf.h>": DWARF,
    "<libelf.h>": DWARF,
    "<gelf.h>": DWARF,
    "<Zydis/": ["target/cpu/disassembly.c"],
    "<dlfcn.h>": ["target/symbols/demangle.c", "ompd/client/loader.c"],
    "<jansson.h>": ["debugger/job/host_answer.c", "debugger/job/report.c"],
    "<omp-tools.h>": [],
    '"ompd/client/ompd_abi.h"': ["ompd/"],
    '"target/process/ptrace.h"': ["target/"],
    # What kind of target it is shall be known only where one is made.
    '"target/process/live.h"': ["target/process/live.c", "target/process/live_attach.c", "target/process/live_launch.c",
                                "target/process/live_memory.c", "target/process/launch.c",
                                "target/process/still.c", "target/tracer/service.c", "target/tracer/talk.c",
                                "debugger/"],
    '"target/core/core.h"': ["target/core/core.c", "debugger/"],
}

# Only these may write to stdout.
PRINTERS = ["debugger/cli/", "debugger/dap/", "debugger/trace/", "main.c", "ompd/client/quiet.c"]
PRINTS = re.compile(r"\b(?:v?printf|puts|putchar|putc|stdout|STDOUT_FILENO)\b")

# What prints decides nothing: it sees results alone, does nothing that can fail in more than one
# way, and neither sorts nor searches. What is to be grouped or put in order is so before it gets here.
OUTPUT = "debugger/output/"
OUTPUT_INCLUDES = [
    "base/",
    "debugger/output/",
    "debugger/control/breakpoint.h",
    "debugger/control/sharing_rows.h",
    "debugger/control/signals.h",
    "debugger/control/stop_report.h",
    "debugger/control/team_races.h",
    "debugger/job/job_counts.h",
    "debugger/job/job_why.h",
    "debugger/job/mpi_call.h",
    "debugger/job/outline.h",
    "debugger/stitch.h",
    "debugger/merge.h",
    "debugger/branches.h",
    "debugger/listing_lines.h",
    "debugger/overview.h",
    "debugger/chosen.h",
    "debugger/values/shown.h",
    "target/symbols/type.h",
    "debugger/values/deciding.h",
    "debugger/values/frame_values.h",
    "debugger/values/worksharing.h",
    "debugger/wait_words.h",
    "debugger/why/why.h",
    "debugger/why/why_groups.h",
    "debugger/why/why_outline.h",
]
DECIDES = re.compile(r"\b(?:error_\w+|struct error|qsort(?:_r)?|bsearch|[lt]search|[lt]find"
                     r"|malloc|calloc|realloc(?:array)?)\b")

# Stands alone: it includes nothing of ours but its own headers, OMPD's types and the decoder of
# instructions, which is pure. It is built in, too.
PROVIDER = "ompd/gomp"
PROVIDER_INCLUDES = ["ompd/client/ompd_abi.h", "target/cpu/insn_x86_64.h"]
PROVIDER_OFFERS = "ompd/gomp/gomp_extra.h"
INCLUDE = re.compile(r'\s*#\s*include\s*(?:(<[^>]+>)|("[^"]+"))')
COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def layer_of(path):
    """The folder of the table that a file belongs to, or None."""
    if "/" not in path:
        return "main"
    folder = path.rsplit("/", 1)[0]
    known = {name for row in LAYERS for name in row}
    return folder if folder in known else None


def rank(table, name):
    return next((n for n, row in enumerate(table) if name in (row.split() if isinstance(row, str)
                                                              else row)), None)


def order_of(folder):
    """The order of the modules of a folder and of those that share its row."""
    row = rank(LAYERS, folder)
    return ORDER.get(LAYERS[row][0]) if row is not None else None


def stem(path):
    return path.rsplit(".", 1)[0]


def judge_layers(me, other):
    """Why the file me may not include the project's file other; None: it may."""
    if me.startswith(PROVIDER + "/"):
        if not other.startswith(PROVIDER + "/") and other not in PROVIDER_INCLUDES:
            return f"{PROVIDER}/ includes only its own headers"
        return None
    if other == PROVIDER_OFFERS:
        return None if layer_of(me).startswith("ompd") else f"{other} is for ompd/"
    mine, theirs = layer_of(me), layer_of(other)
    if not theirs:
        return f"{other} is in no layer; write paths from src"
    if me.startswith(OUTPUT) and not other.startswith(tuple(OUTPUT_INCLUDES)):
        return f"{other} is no result that {OUTPUT} may see"
    if order_of(mine) and order_of(mine) == order_of(theirs):
        return judge_order(me, other, order_of(mine))
    if mine != theirs and rank(LAYERS, mine) <= rank(LAYERS, theirs):
        return f"{mine}/ may not include {theirs}/"
    return None


def judge_order(me, other, order):
    if not order or stem(me) == stem(other):
        return None
    mine, theirs = (rank(order, stem(path).rsplit("/", 1)[1]) for path in (me, other))
    if mine is not None and theirs is not None and mine < theirs:
        return f"{stem(me)} stands below {stem(other)}"
    return None


def judge_doors(me, name):
    for start, users in DOORS.items():
        if name.startswith(start) and not any(me == u or u.endswith("/") and me.startswith(u)
                                              for u in users):
            return f"{name} is for {', '.join(users) or 'nobody'}"
    return None


def without_comments_and_strings(text):
    return COMMENT_OR_STRING.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def check_file(me, text, graph):
    """Yields what is wrong with one file, and adds what it includes to the graph."""
    folder, _, name = stem(me).rpartition("/")
    if not layer_of(me) and not me.startswith(PROVIDER + "/"):
        yield f"{me}: {folder}/ is in no layer: give it a place in layers.py"
        return
    if order_of(folder) and rank(order_of(folder), name) is None:
        yield f"{me}: has no place in the order of {folder}/: give it one in layers.py"
    for n, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        wrong = judge_doors(me, found[1] or found[2])
        if found[2]:
            other = found[2].strip('"')
            wrong = judge_layers(me, other) or wrong
            if stem(other) != stem(me):
                graph.setdefault(stem(me), set()).add(stem(other))
        if wrong:
            yield f"{me}:{n}: {wrong}"
    for n, line in enumerate(without_comments_and_strings(text).splitlines(), 1):
        decides = me.startswith(OUTPUT) and DECIDES.search(line)
        if decides:
            yield f"{me}:{n}: {OUTPUT} decides nothing: {decides[0]} is for what is below it"
        if PRINTS.search(line) and "format(printf" not in line and \
                not me.startswith(tuple(PRINTERS)):
            yield f"{me}:{n}: only {', '.join(PRINTERS)} may print"


def cycles(graph):
    """Yields every cycle that a walk through the modules runs into."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for other in sorted(graph.get(node, ())):
            if state.get(other) == "open":
                start = (trail + [node]).index(other)
                yield "cycle: " + " -> ".join((trail + [node])[start:] + [other])
            elif other not in state:
                yield from visit(other, trail + [node])
        state[node] = "done"

    for node in sorted(graph):
        if node not in state:
            yield from visit(node, [])


def check_tree(root):
    graph, wrong = {}, []
    files = sorted(p for p in root.rglob("*.[ch]"))
    if not files:
        return [f"no source files in {root}"]
    for path in files:
        wrong += check_file(path.relative_to(root).as_posix(), path.read_text(), graph)
    return wrong + list(cycles(graph))


if __name__ == "__main__":
    problems = check_tree(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) or "all includes are where they may be")
    sys.exit(1 if problems else 0)
