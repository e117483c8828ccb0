/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/oneshot.h"

#include <string.h>

#include "base/log.h"
#include "debugger/cli/job_look.h"
#include "debugger/cli/looks.h"
#include "debugger/cli/oneshot_help.h"
#include "debugger/cli/rank.h"

struct oneshot {
	const char *name;
	const char *arguments; /* what stands behind the options         */
	bool names_library;    /* before the target                      */
	bool names_command;    /* which it executes for another host     */
	const char *word;      /* that may stand before the target; NULL: none */
	size_t word_into;      /* its bool, of struct oneshot_options    */
	const char *summary;   /* one sentence                           */
	const char *help;      /* paragraphs, an empty line between them */
	struct option_set set; /* of struct oneshot_options              */
	struct error *(*run)(struct session *s, const struct oneshot_options *o,
			     struct outcome *outcome);
	/* Instead: what stands behind the options is a program and its arguments. */
	enum status (*execute)(int argc, char **argv);
};

#define COMMON(member) offsetof(struct common_options, member)
static const struct option_row common_rows[] = {
	{ .name = "help", .letter = 'h', .into = COMMON(help), .help = "Print help and end." },
	{ .name = "color",
	  .kind = OPTION_CHOICE,
	  .argument = "WHEN",
	  .into = COMMON(color),
	  .choices = console_color_names,
	  .help = "Print in colours: always, never, or auto, which means on a terminal unless "
		  "NO_COLOR is set, and is the default." },
	{ .name = "debug",
	  .kind = OPTION_TEXT,
	  .argument = "DOMAINS",
	  .into = COMMON(debug),
	  .help = "Tell on standard error what ompdb does itself: all, or some of ptrace, module, "
		  "symbol, unwind and ompd, with commas between them." },
};

/* Rows of the commands' own options. */
#define OWN(member) offsetof(struct oneshot_options, member)
#define FLAG(option, member, text)                                                                 \
	{                                                                                          \
		.name = (option), .into = OWN(member), .help = (text)                              \
	}
#define TEXT(option, what, member, text)                                                           \
	{                                                                                          \
		.name = (option), .kind = OPTION_TEXT, .argument = (what), .into = OWN(member),    \
		.help = (text)                                                                     \
	}
#define SIZE(option, what, member, from, to, otherwise, text)                                      \
	{                                                                                          \
		.name = (option), .kind = OPTION_SIZE, .argument = (what), .into = OWN(member),    \
		.least = (from), .most = (to), .preset = (otherwise), .help = (text)               \
	}
/* Whose ranks are asked, too: other hosts are not told of these options, but of the last. */
#define HERE(option, what, member, text)                                                           \
	{                                                                                          \
		.name = (option), .kind = OPTION_TEXT, .argument = (what), .into = OWN(member),    \
		.help = (text), .stays = true                                                      \
	}
#define ROWS_OF_JOB                                                                                \
	{ .name = "job",                                                                           \
	  .into = OWN(job),                                                                        \
	  .stays = true,                                                                           \
	  .help = "TARGET, the id of a process, stands for all ranks of its job: job:TARGET." },   \
		HERE("hosts", "LIST", hosts,                                                       \
		     "The job has ranks on these hosts, too: login,node[1-4]. Needed only where "  \
		     "its starter does not say so."),                                              \
		HERE("launcher", "COMMAND", launcher,                                              \
		     "How other hosts are reached: 'ssh {host} {command}'."),                      \
		HERE("remote-ompdb", "FILE", remote,                                               \
		     "Where ompdb is on the other hosts, if not where it is here."),               \
		SIZE("deadline", "SECONDS", deadline, 1, 24 * 3600, 10,                            \
		     "Do not wait longer for other hosts.")
#define ROW_JSON FLAG("json", json, "Print one JSON object instead of text.")
/* What all commands ask about the target. */
#define ROWS_OF_TARGET                                                                             \
	TEXT("exe", "FILE", exe,                                                                   \
	     "The program that a core file is of, where the core file does not say or "            \
	     "the file "                                                                           \
	     "is elsewhere now."),                                                                 \
		TEXT("ompd-library", "FILE", ompd_library,                                         \
		     "The OMPD library (libompd.so) for LLVM's runtime, instead of the one found " \
		     "beside the runtime, if the process is your own, or in LLVM's folders. It "   \
		     "runs in a sandbox unless it lies in a folder of the system.")
#define ROW_LONG_NAMES                                                                             \
	FLAG("long-names", long_names,                                                             \
	     "Do not shorten names of functions that have more than 80 characters.")
#define ROW_DEBUGINFOD                                                                             \
	FLAG("debuginfod", debuginfod,                                                             \
	     "Download missing debug information from the servers in DEBUGINFOD_URLS.")

static const struct option_row stack_rows[] = {
	FLAG("flat", flat, "Print thread by thread instead of one tree of equal stacks."),
	FLAG("all-frames", all_frames,
	     "Print the frames of the OpenMP runtime and of the start of threads, too."),
	FLAG("raw", raw, "Print the stacks as the machine has them, and nothing of OpenMP."),
	FLAG("args", args, "Print the arguments of each frame below it."),
	FLAG("locals", locals, "Print the local variables of each frame below it."),
	ROW_LONG_NAMES,
	ROW_JSON,
	SIZE("max-frames", "N", max_frames, 1, UNWIND_FRAMES_MAX, UNWIND_FRAMES_DEFAULT,
	     "Follow each stack for at most N frames."),
	ROWS_OF_JOB,
	ROWS_OF_TARGET,
	FLAG("libc-lines", libc_lines,
	     "Look up source lines inside the C library too, where its debug package is installed: "
	     "slower."),
	ROW_DEBUGINFOD,
};

static const struct option_row omp_rows[] = {
	FLAG("icvs", icvs, "Print the internal control variables as well."),
	ROW_LONG_NAMES,
	ROW_JSON,
	ROWS_OF_JOB,
	ROWS_OF_TARGET,
	ROW_DEBUGINFOD,
};

static const struct option_row why_rows[] = {
	FLAG("graph", graph, "Print also who waits for what and who could end it, as a tree."),
	FLAG("dot", dot, "Print that graph alone, in the language of graphviz."),
	ROW_LONG_NAMES,
	ROW_JSON,
	SIZE("samples", "N", samples, 1, 1000, 2, "Look at a process N times."),
	SIZE("interval", "MS", interval, 1, 3600 * 1000, 250,
	     "Let it run for MS milliseconds between two looks."),
	FLAG("once", once,
	     "Look once, and for a moment at threads that spin: faster, and less certain."),
	ROWS_OF_JOB,
	ROWS_OF_TARGET,
	ROW_DEBUGINFOD,
};

static const struct option_row check_rows[] = { ROWS_OF_TARGET };

const struct option_set oneshot_common_set = OPTION_SET(common_rows, NULL);

static const struct oneshot commands[] = {
	{ .name = "why",
	  .arguments = "TARGET...",
	  .run = look_for_why,
	  .set = OPTION_SET(why_rows, NULL),
	  .summary = "Say in one sentence why an OpenMP program does not go on.",
	  .help = oneshot_help_why },
	{ .name = "stack",
	  .arguments = "TARGET...",
	  .run = look_at_stacks,
	  .set = OPTION_SET(stack_rows, NULL),
	  .summary = "Print the call stacks of all threads, across OpenMP regions.",
	  .help = oneshot_help_stack },
	{ .name = "omp",
	  .arguments = "[loop] TARGET...",
	  .word = "loop",
	  .word_into = OWN(loops),
	  .run = look_at_omp,
	  .set = OPTION_SET(omp_rows, NULL),
	  .summary = "Print the OpenMP state: runtimes, regions, threads, tasks, waits.",
	  .help = oneshot_help_omp },
	{ .name = "check-ompd",
	  .arguments = "LIBRARY TARGET",
	  .names_library = true,
	  .run = look_at_library,
	  .set = OPTION_SET(check_rows, NULL),
	  .summary = "Hold an OMPD library to the standard and to what ompdb knows.",
	  .help = oneshot_help_check },
	{ .name = "host-look",
	  .arguments = "COMMAND [OPTION...] TARGET",
	  .names_command = true,
	  .summary = "Execute a command for ompdb on another host.",
	  .help = oneshot_help_host },
	{ .name = "rank",
	  .arguments = "PROGRAM [ARGUMENT...]",
	  .execute = rank_execute,
	  .summary = "Become a program, a rank of a job, when a debugger has attached.",
	  .help = oneshot_help_rank },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(*commands) };

const struct oneshot *oneshot_find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++) {
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	}
	return NULL;
}

static void add_usage(struct buf *out, const struct oneshot *c)
{
	buf_addf(out, "ompdb %s", c->name);
	options_add_usage(out, &c->set);
	buf_addf(out, " %s", c->arguments);
}

static enum status usage_error(const struct oneshot *c, struct error *err)
{
	AUTO_BUF usage = { 0 };

	add_usage(&usage, c);
	return console_usage_error(err, buf_text(&usage));
}

/* Tells of an error. "otherwise": the status of those that are not the command line's. */
static enum status fail(const struct oneshot *c, struct error *err, enum status otherwise)
{
	if (error_is(err, ERROR_USAGE))
		return usage_error(c, err);
	console_error(err);
	return otherwise;
}

static enum status print_help(const struct oneshot *c)
{
	AUTO_BUF out = { 0 };

	buf_addf(&out, "usage: ompdb %s [OPTION...] %s\n\n%s\n\n", c->name, c->arguments,
		 c->summary);
	options_add_wrapped(&out, c->help, 0);
	buf_adds(&out, "\nOptions:\n");
	const struct option_set sets[] = { c->set, oneshot_common_set };
	options_add_help(&out, sets, 2);
	return console_print(&out);
}

/* One command, as it was called. */
struct call {
	const struct oneshot *command;
	struct oneshot_options *options;
	bool tells_front;      /* another host has asked */
	struct session *model; /* owned; of one of the job's processes; NULL: none */
};

static struct session_options session_options_of(const struct call *call)
{
	const struct oneshot_options *o = call->options;

	return (struct session_options){
		.debuginfo = { .debuginfod = o->debuginfod, .libc_lines = o->libc_lines },
		.ompd_library = o->ompd_library,
		.model = call->model,
	};
}

/* Looks tell what is wrong with it. */
static void prepare(void *context, const char *target)
{
	struct call *call = context;
	const struct session_options options = session_options_of(call);

	if (call->model)
		return;
	struct error *err = session_open(target, call->options->exe, &options, &call->model);
	if (!err)
		err = snapshot_prepare(call->model);
	error_ignore(err);
}

static struct error *run(const struct call *call, const char *target, struct gate *gate,
			 struct outcome *outcome)
{
	const struct oneshot_options *o = call->options;
	struct session_options options = session_options_of(call);
	AUTO_SESSION *s = NULL;

	options.gate = gate;
	outcome->failed = STATUS_TARGET;
	struct error *err = session_open(target, o->exe, &options, &s);
	if (!err)
		err = call->command->run(s, o, outcome);
	/* A process that was made for this look ends now: what it shares with the one that made it
	 * would be copied to be given back. */
	if (call->model)
		(void)TAKE(s);
	return err;
}

static enum status look_alone(const void *context, const char *target, struct buf *report,
			      struct gate *gate)
{
	const struct call *call = context;
	struct outcome outcome = { .failed = STATUS_FAILED, .report = report };
	struct error *err = run(call, target, gate, &outcome);

	return err ? fail(call->command, err, outcome.failed) : outcome.done;
}

static struct error *find_targets(char **targets, int n, bool job, struct job *ret)
{
	struct error *err = NULL;

	for (int i = 0; !err && i < n; i++) {
		AUTO_BUF name = { 0 };
		buf_addf(&name, "%s%s", job && !job_is_group(targets[i]) ? "job:" : "", targets[i]);
		err = name.failed ? &error_nomem : job_find(buf_text(&name), ret);
	}
	return err;
}

/* What hosts are asked: the same. */
static struct error *get_words(const struct call *call, struct option_words *ret)
{
	struct option_set set = call->command->set;
	char *name = strdup(call->command->name);

	set.into = call->options;
	if (!name || !vec_push(ret, name)) {
		free(name);
		return &error_nomem;
	}
	char *word = call->options->loops ? strdup(call->command->word) : NULL;
	if (!options_add_words(&set, ret) || (word && !vec_push(ret, word)))
		return &error_nomem;
	return NULL;
}

static enum status look_at_job(struct call *call, struct job *j)
{
	struct oneshot_options *o = call->options;
	struct job_work work = {
		.looking = { look_alone, prepare, call },
		.json = o->json,
		.graph = o->graph,
		.dot = o->dot,
		.outlines = call->command->run == look_at_stacks && looks_are_outlined(o),
		.tells_front = call->tells_front,
		.asking = { .launcher = o->launcher,
			    .program = o->remote,
			    .deadline = o->deadline },
		.style = o->style,
	};
	struct error *err = get_words(call, &work.asking.words);
	enum status ret = STATUS_FAILED;

	if (call->tells_front)
		job_hosts_watch(o->deadline);
	if (j->hosts.len) /* answers of all hosts look alike */
		o->style = (struct style){ .long_names = o->long_names };
	if (!err)
		ret = job_look(j, &work, &err);
	vec_fini_all(&work.asking.words);
	return err ? fail(call->command, err, ret) : ret;
}

static enum status look_at_targets(struct call *call, char **targets, int n)
{
	const struct oneshot_options *o = call->options;
	AUTO_JOB j = { 0 };

	if (n == 1 && !o->job && !o->hosts && !call->tells_front && !job_is_group(*targets))
		return look_alone(call, *targets, NULL, NULL);
	struct error *err = o->hosts ? job_give_hosts(&j, o->hosts) : NULL;
	if (!err)
		err = find_targets(targets, n, o->job || o->hosts, &j);
	if (!err && !call->tells_front)
		err = job_check_there(&j);
	return err ? fail(call->command, err, STATUS_TARGET) : look_at_job(call, &j);
}

static enum status run_command(const struct oneshot *c, int argc, char **argv,
			       struct common_options *common, bool tells_front)
{
	struct oneshot_options o = { 0 };
	struct option_set sets[] = { c->set, oneshot_common_set };
	struct option_line line = { .argc = argc, .argv = argv, .stop = c->execute != NULL };
	struct call call = { c, &o, tells_front, NULL };

	sets[0].into = &o;
	sets[1].into = common;
	options_preset(&sets[0]);
	struct error *err = options_parse(sets, 2, &line);
	if (!err && common->help)
		return print_help(c);
	if (!err && c->execute && line.argc) {
		argv[line.argc] = NULL;
		return c->execute(line.argc, argv);
	}
	if (!err && c->execute)
		err = error_new(ERROR_USAGE, "give a program, and its arguments");
	if (!err && c->word && line.argc > 1 && !strcmp(argv[0], c->word)) {
		*(bool *)((char *)&o + c->word_into) = true;
		line.argc--;
		argv++;
	}
	if (!err && c->names_library && line.argc == 2) {
		o.checked_library = *argv++;
		line.argc--;
	} else if (!err && c->names_library) {
		err = error_new(ERROR_USAGE, "give an OMPD library and one target");
	}
	if (!err && (line.argc < 1 || !*argv[0]))
		err = error_new(ERROR_USAGE,
				"give a target: a process id or the path of a core file");
	if (!err && o.json + o.dot + o.graph > 1)
		err = error_new(ERROR_USAGE,
				"give one of the options '--json', '--dot' and '--graph'");
	if (!err && common->debug)
		err = log_enable(common->debug);
	o.style = console_style((enum color)common->color);
	o.style.long_names = o.long_names;
	const enum status ret =
		err ? fail(c, err, STATUS_FAILED) : look_at_targets(&call, argv, line.argc);
	session_free(call.model);
	return ret;
}

enum status oneshot_run(const struct oneshot *c, int argc, char **argv,
			struct common_options *common)
{
	const struct oneshot *named = c->names_command && argc ? oneshot_find(argv[0]) : NULL;

	if (!c->names_command)
		return run_command(c, argc, argv, common, false);
	if (named && named->set.rows != check_rows && !named->names_command)
		return run_command(named, argc - 1, argv + 1, common, true);
	if (argc && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h")))
		return print_help(c);
	return usage_error(c,
			   error_new(ERROR_USAGE, "give one of the commands why, stack and omp"));
}

void oneshot_add_list(struct buf *out)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		buf_addf(out, "  %-10s  %s\n", commands[i].name, commands[i].summary);
}

static void add_paragraphs(struct buf *out, const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t len = end ? (size_t)(end - text) : strlen(text);
		AUTO_BUF paragraph = { 0 };
		buf_add(&paragraph, text, len);
		buf_adds(out, ".PP\n");
		options_add_roff(out, buf_text(&paragraph));
		buf_addc(out, '\n');
		text += len + (end ? 2 : 0);
	}
}

void oneshot_add_man(struct buf *out)
{
	buf_adds(out, ".SH COMMANDS\n");
	for (size_t i = 0; i < NCOMMANDS; i++) {
		AUTO_BUF usage = { 0 };
		add_usage(&usage, &commands[i]);
		buf_adds(out, ".SS \"");
		options_add_roff(out, buf_text(&usage));
		buf_adds(out, "\"\n");
		options_add_roff(out, commands[i].summary);
		buf_addc(out, '\n');
		add_paragraphs(out, commands[i].help);
		options_add_man(out, &commands[i].set);
	}
	job_hosts_add_man(out);
}
