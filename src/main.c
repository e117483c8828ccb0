/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "debugger/cli/oneshot.h"

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

static const char usage[] = "ompdb [OPTION...] COMMAND [OPTION...] TARGET";

static void add_help(struct buf *out)
{
	buf_addf(out, "usage: %s\n\n", usage);
	buf_adds(out,
		 "Looks at OpenMP programs. TARGET is the number of a process or a core file.\n"
		 "\nCommands:\n");
	oneshot_add_list(out);
	buf_adds(out, "\nOptions:\n");
	options_add_help(out, (const struct option_set[]){ program_set, oneshot_common_set }, 2);
	buf_adds(out, "\n'ompdb COMMAND --help' tells more of a command, 'man ompdb' of all.\n");
}

static void add_man(struct buf *out)
{
	oneshot_add_man(out);
	buf_adds(out, ".SH OPTIONS\n");
	options_add_man(out, &program_set);
	options_add_man(out, &oneshot_common_set);
}

static enum status run(int argc, char **argv)
{
	struct program_options program = { 0 };
	struct common_options common = { 0 };
	struct option_set sets[] = { program_set, oneshot_common_set };
	struct option_line line = { .argc = argc, .argv = argv, .stop = true };
	AUTO_BUF out = { 0 };

	sets[0].into = &program;
	sets[1].into = &common;
	struct error *err = options_parse(sets, 2, &line);
	if (err)
		return console_usage_error(err, usage);
	if (program.version)
		buf_adds(&out, "ompdb " OMPDB_VERSION "\n");
	else if (program.dump_man)
		add_man(&out);
	else if (common.help)
		add_help(&out);
	if (out.len)
		return console_print(&out);
	if (!line.argc)
		return console_usage_error(error_new(ERROR_USAGE, "no command is given"), usage);
	const struct oneshot *c = oneshot_find(argv[0]);
	if (!c) {
		err = error_new(ERROR_USAGE, "there is no command '%s': 'ompdb --help' lists them",
				argv[0]);
		return console_usage_error(err, usage);
	}
	return oneshot_run(c, line.argc - 1, argv + 1, &common);
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
