/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/setting_row.h"

#include "debugger/cli/setting_effects.h"
#include "debugger/cli/sources.h"
#include "debugger/control/control.h"

static const char *const words_of_flavor[] = { "att", "intel", NULL };
static const char *const words_of_color[] = { "auto", "on", "off", NULL };
static const char *const words_of_arguments[] = { "all", "scalars", "none", "presence", NULL };
static const char *const words_of_entry[] = { "default",   "no",        "only",    "both",
					      "preferred", "if-needed", "compact", NULL };
static const char *const words_of_language[] = { "auto", "c", "fortran", "c++", NULL };
static const char *const words_of_fork[] = { "parent", "child", "auto", NULL };

#define OF(member)    offsetof(struct cli, member)
#define OWN(member)   OF(settings.member)
#define PRINT(member) OF(settings.print.member)
#define GROUP(title, shorts)                                                                       \
	{                                                                                          \
		.name = (title), .short_names = (shorts)                                           \
	}
#define SETTING(title, type, member, start, sentence, about)                                       \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .into = (member), .preset = (start),      \
		.show = (sentence), .what = (about)                                                \
	}
#define ONLY(title, value, sentence, about)                                                        \
	{                                                                                          \
		.name = (title), .kind = SETTING_ONLY, .preset = (value), .show = (sentence),      \
		.what = (about)                                                                    \
	}
#define NONE(title, reason)                                                                        \
	{                                                                                          \
		.name = (title), .kind = SETTING_NONE, .what = (reason)                            \
	}
#define CONTROL(title, type, member, sentence, about)                                              \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .owner = OWNER_CONTROL,                   \
		.into = offsetof(struct control_settings, member), .show = (sentence),             \
		.what = (about)                                                                    \
	}
#define CHOICE_CONTROL(title, type, member, words, sentence, about)                                \
	{                                                                                          \
		.name = (title), .kind = SETTING_##type, .owner = OWNER_CONTROL,                   \
		.into = offsetof(struct control_settings, member), .choices = (words),             \
		.show = (sentence), .what = (about)                                                \
	}

const struct setting setting_rows[] = {
	CONTROL("args", TEXT, args,
		"Argument list to give program being debugged when it is started is \"%s\".",
		"the arguments that run gives the program, as in a shell"),
	GROUP("auto-load", NULL),
	SETTING("auto-load safe-path", TEXT, OWN(safe_path), "",
		"List of directories from which it is safe to auto-load files is %s.",
		"the folders, with colons between, whose .ompdbinit is read at the start"),
	GROUP("backtrace", NULL),
	SETTING("backtrace limit", SIZE, OWN(backtrace_limit), "unlimited",
		"An upper bound on the number of backtrace levels is %s.",
		"how many frames a backtrace has at most"),
	GROUP("breakpoint", NULL),
	SETTING("breakpoint pending", AUTO_BOOL, OWN(pending), "auto",
		"Debugger's behavior regarding pending breakpoints is %s.",
		"whether a location that is not known yet makes a pending breakpoint: auto asks"),
	ONLY("can-use-hw-watchpoints", "1",
	     "Debugger's willingness to use watchpoint hardware is %s.",
	     "watchpoints are made with debug registers, and with nothing else"),
	{ .name = "color",
	  .kind = SETTING_CHOICE,
	  .into = OWN(color),
	  .choices = words_of_color,
	  .show = "Printing in colours is %s.",
	  .what = "whether to print in colours",
	  .changed = setting_style_changed },
	SETTING("confirm", BOOL, OF(confirm), "on",
		"Whether to confirm potentially dangerous operations is %s.",
		"whether to ask before something that cannot be undone"),
	{ .name = "cwd",
	  .kind = SETTING_TEXT,
	  .owner = OWNER_CONTROL,
	  .into = offsetof(struct control_settings, directory),
	  .what = "the folder in which run starts the program",
	  .showing = setting_show_cwd },
	{ .name = "debug-file-directory",
	  .kind = SETTING_TEXT,
	  .into = OWN(debug_folder),
	  .preset = "/usr/lib/debug",
	  .show = "The directory where separate debug symbols are searched for is \"%s\".",
	  .what = "where debug files are installed; counts for what is opened from then on",
	  .changed = setting_debug_folder_changed },
	CONTROL("detach-on-fork", NOT, keep_forks,
		"Whether ompdb will detach the child of a fork is %s.",
		"whether the process that is not followed over a fork is let go"),
	CONTROL("disable-randomization", NOT, keep_aslr,
		"Disabling randomization of debuggee's virtual address space is %s.",
		"whether addresses are the same in each run"),
	{ .name = "directories",
	  .kind = SETTING_OWN,
	  .what = "folders in which source files are looked for",
	  .set = sources_add_folders,
	  .showing = sources_show_folders },
	{ .name = "disassembly-flavor",
	  .kind = SETTING_EITHER,
	  .into = OWN(intel),
	  .choices = words_of_flavor,
	  .show = "The disassembly flavor is \"%s\".",
	  .what = "how instructions are written" },
	{ .name = "environment",
	  .kind = SETTING_OWN,
	  .what = "a variable of the environment that the program gets: NAME VALUE",
	  .set = setting_set_environment,
	  .showing = setting_show_environment },
	CONTROL("follow-exec", NOT, leaves_exec,
		"Whether a program that the process executes is debugged on is %s.",
		"whether a program that the process executes is debugged on; off: it is let go"),
	CHOICE_CONTROL(
		"follow-fork-mode", CHOICE, follow, words_of_fork,
		"Debugger response to a program call of fork or vfork is \"%s\".",
		"which process is looked at behind a fork; auto: the one that maps an OpenMP "
		"runtime, all others are let go then"),
	SETTING("height", SIZE, OF(output.height), NULL,
		"Number of lines ompdb thinks are in a page is %s.",
		"how many lines a page has; 0 is unlimited"),
	GROUP("history", NULL),
	SETTING("history filename", TEXT, OWN(history_file), NULL,
		"The filename in which to record the command history is \"%s\".",
		"where the lines that are typed are kept; read at the start: for init files"),
	SETTING("history save", BOOL, OWN(history_save), "on",
		"Saving of the history record is %s.", "whether they are kept"),
	SETTING("history size", SIZE, OWN(history_size), "1000",
		"The size of the command history is %s.",
		"how many are kept; read at the start: for init files"),
	CONTROL("inferior-tty", TEXT, terminal,
		"Terminal for future runs of program being debugged is \"%s\".",
		"the terminal that the program gets"),
	{ .name = "language",
	  .kind = SETTING_CHOICE,
	  .owner = OWNER_CONTROL,
	  .into = offsetof(struct control_settings, language),
	  .choices = words_of_language,
	  .what = "the language of expressions that are typed; auto: that of the selected frame",
	  .showing = setting_show_language },
	SETTING("listsize", SIZE, OWN(listsize), "10",
		"Number of source lines ompdb will list by default is %s.",
		"how many lines list prints"),
	GROUP("logging", NULL),
	{ .name = "logging enabled",
	  .kind = SETTING_BOOL,
	  .into = OWN(log),
	  .show = "Logging is %s.",
	  .what = "whether what commands print is written to a file, too",
	  .changed = setting_log_changed },
	SETTING("logging file", TEXT, OWN(log_file), "ompdb.txt", "The current logfile is \"%s\".",
		"the file"),
	SETTING("logging overwrite", BOOL, OWN(log_overwrite), "off",
		"Overwriting of the log file is %s.", "whether it begins empty"),
	{ .name = "logging redirect",
	  .kind = SETTING_BOOL,
	  .into = OWN(log_redirect),
	  .show = "Output to the log file alone is %s.",
	  .what = "whether the terminal gets nothing then",
	  .changed = setting_log_option_changed },
	SETTING("max-completions", SIZE, OWN(max_completions), "200",
		"Maximum number of completion candidates is %s.",
		"how many words the Tab key lists"),
	SETTING("max-value-size", SIZE, PRINT(max_value_size), "65536",
		"Maximum value size is %s bytes.", "how large a value may be that is printed"),
	ONLY("non-stop", "off", "Controlling the inferior in non-stop mode is %s.",
	     "all threads stop together"),
	{ .name = "pagination",
	  .kind = SETTING_BOOL,
	  .into = OWN(pagination),
	  .preset = "on",
	  .show = "State of pagination is %s.",
	  .what = "whether to wait for RETURN after each page",
	  .changed = setting_pagination_changed },
	CONTROL("omp-debug", NOT, no_omp_debug,
		"OpenMP's runtime is asked to keep what debuggers want to know: %s.",
		"whether a program is started with OMP_DEBUG=enabled, unless that is set"),
	CHOICE_CONTROL("omp-step", CHOICE, omp_step, omp_step_names,
		       "Mode of step at a construct of tasks is \"%s\".",
		       "whether step at a construct of tasks goes into the task, whoever executes "
		       "it, or over it"),
	GROUP("print", "p pr"),
	{ .name = "print address",
	  .kind = SETTING_BOOL,
	  .into = PRINT(values.address),
	  .preset = "on",
	  .show = "Printing of addresses is %s.",
	  .what = "whether addresses are printed",
	  .changed = setting_style_changed },
	SETTING("print array", BOOL, PRINT(values.array), "off",
		"Pretty formatting of arrays is %s.", "whether each element has a line"),
	SETTING("print array-indexes", BOOL, PRINT(values.indexes), "off",
		"Printing of array indexes is %s.", "whether indexes are printed"),
	SETTING("print elements", SIZE, PRINT(values.elements), "200",
		"Limit on string chars or array elements to print is %s.",
		"how much of strings and arrays is printed"),
	SETTING("print finish", BOOL, PRINT(finish), "on",
		"Printing of return value after `finish' is %s.",
		"whether finish prints the value"),
	{ .name = "print entry-values",
	  .kind = SETTING_CHOICE,
	  .into = PRINT(entry_values),
	  .choices = words_of_entry,
	  .preset = "default",
	  .show = "Printing of function arguments at function entry is \"%s\".",
	  .what = "what is printed of arguments at the time when their function was entered" },
	{ .name = "print frame-arguments",
	  .kind = SETTING_CHOICE,
	  .into = PRINT(frame_arguments),
	  .choices = words_of_arguments,
	  .preset = "scalars",
	  .show = "Printing of non-scalar frame arguments is \"%s\".",
	  .what = "which arguments are printed with frames" },
	SETTING("print inferior-events", BOOL, PRINT(inferior_events), "on",
		"Printing of inferior events is %s.", "whether forks and their like are told"),
	SETTING("print max-depth", COUNT, PRINT(values.depth), "20", "Maximum print depth is %s.",
		"how many structures within structures are printed"),
	SETTING("print null-stop", BOOL, PRINT(values.null_stop), "off",
		"Printing of char arrays to stop at first null char is %s.",
		"whether char arrays end at a null byte"),
	{ .name = "print object",
	  .kind = SETTING_BOOL,
	  .into = PRINT(values.object),
	  .preset = "off",
	  .show = "Printing of object's derived type based on vtable info is %s.",
	  .what = "whether objects with virtual functions are of the class that they tell "
		  "themselves",
	  .changed = setting_object_changed },
	SETTING("print pretty", BOOL, PRINT(values.pretty), "off",
		"Pretty formatting of structures is %s.", "whether each part has a line"),
	SETTING("print raw-values", BOOL, PRINT(values.raw), "off",
		"Whether to print values in raw form is %s.",
		"whether classes of the standard library are printed as they lie in memory"),
	SETTING("print repeats", SIZE, PRINT(values.repeats), "10",
		"Threshold for repeated print elements is %s.",
		"how many equal elements are printed as one"),
	SETTING("print static-members", BOOL, PRINT(values.statics), "on",
		"Printing of C++ static members is %s.", "whether static members are printed"),
	SETTING("print symbol", BOOL, PRINT(values.symbol), "on",
		"Printing of symbols when printing pointers is %s.",
		"whether a pointer is printed with the symbol that it points to"),
	SETTING("print thread-events", BOOL, PRINT(thread_events), "on",
		"Printing of thread events is %s.", "whether new threads and their ends are told"),
	SETTING("print union", BOOL, PRINT(values.unions), "on",
		"Printing of unions interior to structures is %s.",
		"whether unions within structures are printed"),
	SETTING("print vtbl", BOOL, PRINT(values.vtbl), "off",
		"Printing of C++ virtual function tables is %s.",
		"changes nothing: pointers to tables of virtual functions are printed as symbols"),
	{ .name = "prompt",
	  .kind = SETTING_BLANKS,
	  .into = OWN(prompt),
	  .preset = "(ompdb) ",
	  .show = "Ompdb's prompt is \"%s\".",
	  .what = "the prompt",
	  .changed = setting_prompt_changed },
	SETTING("rank-wait", SIZE, OWN(rank_wait), "unlimited",
		"Seconds that ranks run on when others in focus have stopped: %s.",
		"for how many seconds ranks of a job that are in focus run on when others have "
		"stopped; then they are stopped, too"),
	CHOICE_CONTROL("scheduler-locking", CHOICE, locking, locking_names,
		       "Mode for locking scheduler during execution is \"%s\".",
		       "whether other threads stay where they are when one goes on"),
	CONTROL("solib-search-path", TEXT, search_path,
		"The search path for loading non-absolute shared library symbol files is %s.",
		"folders, with colons between, in which the libraries of a core file are looked "
		"for that "
		"are not where it says; counts for the next core file. Of a process the files are "
		"those that it has mapped"),
	CONTROL("startup-with-shell", NOT, no_shell, "Use of shell to start subprocesses is %s.",
		"whether a shell reads the arguments of the program"),
	CONTROL("step-mode", BOOL, step_mode, "Mode of the step operation is %s.",
		"whether step enters functions without lines"),
	{ .name = "substitute-path",
	  .kind = SETTING_OWN,
	  .what = "FROM TO: source files whose paths begin with FROM are looked for below TO",
	  .set = sources_set_rule,
	  .showing = sources_show_rules },
	CONTROL("sysroot", TEXT, sysroot, "The current system root is \"%s\".",
		"the folder that stands for the root directory of the machine that a core file is "
		"from; counts for the next core file. Of a process the files are those that it has "
		"mapped"),
	SETTING("trace-commands", BOOL, OWN(trace_commands), "off",
		"State of CLI command tracing is %s.", "whether commands are printed first"),
	{ .name = "user",
	  .kind = SETTING_OWN,
	  .what = "the commands that the user has defined",
	  .set = setting_cannot_set,
	  .showing = setting_show_user },
	ONLY("verbose", "off", "Verbosity is %s.", "all that there is to tell is told"),
	{ .name = "version",
	  .kind = SETTING_OWN,
	  .what = "which ompdb this is",
	  .set = setting_cannot_set,
	  .showing = setting_show_version },
	SETTING("width", SIZE, OF(output.width), NULL,
		"Number of characters ompdb thinks are in a line is %s.",
		"how long lines are; 0 is unlimited"),
	/* In init files of gdb users. */
	NONE("auto-solib-add", "files are read when something is asked of them"),
	NONE("print asm-demangle", "names are always those of the source"),
	NONE("print demangle", "names are always those of the source"),
	NONE("schedule-multiple", "one process is looked at"),
	NONE("stop-on-solib-events", "\"catch load\" stops there"),
	NONE("target-async", "all threads stop together"),
	CONTROL("may-call-functions", NOT, calls_nothing,
		"Permission to call functions in the program is %s.",
		"whether expressions may call functions of the program"),
	CONTROL("unsafe-calls", BOOL, calls_anyway,
		"Calling functions where that may end the program is %s.",
		"whether expressions call functions even where that may end the program: under "
		"seccomp, with hardly any stack left"),
	CONTROL("unwind-on-signal", BOOL, unwinds_signals,
		"Unwinding of stack if a signal is received while in a call dummy is %s.",
		"whether a function that an expression calls is given up when it gets a signal"),
	CONTROL("unwind-on-terminating-exception", NOT, keeps_terminating,
		"Unwind stack if a C++ exception is unhandled while in a call dummy is %s.",
		"whether a function that an expression calls is given up when nobody catches its "
		"exception"),
	CONTROL("unwindonsignal", BOOL, unwinds_signals,
		"Unwinding of stack if a signal is received while in a call dummy is %s.",
		"the same as unwind-on-signal"),
};

const size_t setting_nrows = sizeof(setting_rows) / sizeof(*setting_rows);
