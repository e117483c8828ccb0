/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "debugger/cli/help.h"
#include "debugger/cli/setting.h"
#include "debugger/cli/startup.h"
#include "target/process/heritage.h"
#include "target/tracer/tracer.h"

struct program_options {
	bool version, dump_man;
};

#define OWN(member) offsetof(struct program_options, member)
static const struct option_row program_rows[] = {
	{ .name = "version", .into = OWN(version), .help = "Print the version and end." },
	{ .name = "dump-man",
	  .into = OWN(dump_man),
	  .help = "Print the part of the manual page that is made from ompdb's own tables, and "
		  "end." },
};

static const struct option_set program_set = OPTION_SET(program_rows, NULL);

static const char usage[] = "ompdb [OPTION...] [PROGRAM [CORE|PID]]";
static const char usage_oneshot[] = "ompdb [OPTION...] COMMAND [OPTION...] TARGET";

static void add_help(struct buf *out)
{
	buf_addf(out,
		 "usage: %s\n"
		 "       ompdb [OPTION...] --args PROGRAM ARGUMENT...\n"
		 "       ompdb [OPTION...] --mpi STARTER ARGUMENT...\n"
		 "       %s\n\n",
		 usage, usage_oneshot);
	buf_adds(out, "A debugger for OpenMP programs, with gdb's commands: type 'help' at the "
		      "prompt.\n"
		      "\nCommands that look once at TARGET, a process or a core file, and end:\n");
	oneshot_add_list(out);
	buf_adds(out, "\nOptions:\n");
	options_add_help(
		out, (const struct option_set[]){ startup_set, program_set, oneshot_common_set },
		3);
	buf_adds(out, "\n'ompdb COMMAND --help' tells more of a command, 'man ompdb' of all.\n");
}

static void add_man(struct buf *out)
{
	struct command_list commands;
	struct error *err = command_list_init(&commands);

	oneshot_add_man(out);
	buf_adds(out, ".SH OPTIONS\n");
	options_add_man(out, &startup_set);
	options_add_man(out, &program_set);
	options_add_man(out, &oneshot_common_set);
	if (!err) {
		help_add_man(out, &commands);
		setting_add_man(out);
	}
	command_list_fini(&commands);
	error_ignore(err);
}

struct given_options {
	struct program_options program;
	struct startup_options startup;
	struct common_options common;
};

static void given_fini(struct given_options *given)
{
	startup_options_fini(&given->startup);
}

/* What stands behind the program's name may be options, too, but not those of a one-shot command.
 */
static struct error *parse(struct given_options *given, struct option_line *line,
			   const struct oneshot **ret)
{
	struct option_set sets[] = { startup_set, program_set, oneshot_common_set };

	sets[0].into = &given->startup;
	sets[1].into = &given->program;
	sets[2].into = &given->common;
	struct error *err = options_parse(sets, 3, line);
	const bool whole = given->startup.args || given->startup.mpi;
	*ret = !err && line->argc && !whole ? oneshot_find(line->argv[0]) : NULL;
	if (err || *ret || whole || line->ended)
		return err;
	line->stop = false;
	line->stop_if = &given->startup.args;
	return options_parse(sets, 3, line);
}

static enum status run(int argc, char **argv)
{
	AUTO(given_fini) struct given_options given = { 0 };
	struct option_line line = { .argc = argc, .argv = argv, .stop = true, .one_dash = true };
	const struct oneshot *oneshot = NULL;
	AUTO_BUF out = { 0 };

	struct error *err = parse(&given, &line, &oneshot);
	if (err)
		return console_usage_error(err, usage);
	if (given.program.version)
		buf_adds(&out, "ompdb " OMPDB_VERSION "\n");
	else if (given.program.dump_man)
		add_man(&out);
	else if (given.common.help && !oneshot)
		add_help(&out);
	if (out.len)
		return console_print(&out);
	if (!oneshot)
		return startup_run(&given.startup, &given.common, line.argc, argv);
	if (startup_is_given(&given.startup))
		return console_usage_error(error_new(ERROR_USAGE,
						     "options of the prompt are given to '%s'; a "
						     "program of that name needs a path: ./%s",
						     argv[0], argv[0]),
					   usage_oneshot);
	return oneshot_run(oneshot, line.argc - 1, argv + 1, &given.common);
}

/* Each file that a core needs stays open. */
static void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

int main(int argc, char **argv)
{
	heritage_note();
	if (tracer_is_meant(argv[0]))
		return tracer_main(argv[1]);
	console_init();
	mallopt(M_ARENA_MAX, 1); /* threads take turns: visit.h */
	allow_many_files();
	/* Whoever may trace through raised privileges may do everything. */
	if (getauxval(AT_SECURE)) {
		console_error(error_new(ERROR_NOT_PERMITTED,
					"ompdb does not run with privileges that its user lacks: "
					"take away its set-user-ID bit or its file capabilities"));
		return STATUS_FAILED;
	}
	return run(argc > 0 ? argc - 1 : 0, argv + 1);
}
