/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/startup.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/log.h"
#include "base/text.h"
#include "debugger/cli/history_file.h"
#include "debugger/cli/job_launch.h"
#include "debugger/cli/prompt.h"
#include "debugger/cli/running.h"
#include "debugger/cli/setting.h"
#include "debugger/cli/wrapper.h"
#include "debugger/control/control.h"
#include "debugger/job/job.h"

#define OWN(member) offsetof(struct startup_options, member)
#define FLAG(option, short, member, text)                                                          \
	{                                                                                          \
		.name = (option), .letter = (short), .into = OWN(member), .help = (text)           \
	}
#define TEXT(option, short, what, member, text)                                                    \
	{                                                                                          \
		.name = (option), .letter = (short), .kind = OPTION_TEXT, .argument = (what),      \
		.into = OWN(member), .help = (text)                                                \
	}
#define LIST(option, short, what, member, text)                                                    \
	{                                                                                          \
		.name = (option), .letter = (short), .kind = OPTION_LIST, .argument = (what),      \
		.into = OWN(member), .help = (text)                                                \
	}

static const struct option_row startup_rows[] = {
	FLAG("args", 0, args,
	     "What follows PROGRAM are its arguments. It may be what only starts the program that "
	     "is to be debugged: mpirun, numactl, env, a script."),
	FLAG("mpi", 0, mpi,
	     "PROGRAM is what starts an MPI job, such as mpiexec or srun, and what follows are its "
	     "arguments: the prompt is over all ranks on this host, before they have initialised "
	     "MPI. They read nothing from this terminal. The job is killed at the end."),
	TEXT("pid", 'p', "PID", pid,
	     "Attach to the process with that number; of mpiexec and the like to all ranks that it "
	     "has started, which job:PID means of any process of a job."),
	TEXT("core", 'c', "CORE", core, "Look at a core file."),
	TEXT("exec", 'e', "PROGRAM", exec, "The program; for those who use -e or -se."),
	LIST("ex", 0, "COMMAND", commands, "Execute a command; can be given more than once."),
	LIST("command", 'x', "FILE", commands, "Execute the commands in a file."),
	LIST("iex", 0, "COMMAND", early, "Execute a command before the program is loaded."),
	LIST("ix", 0, "FILE", early, "Execute those of a file before the program is loaded."),
	FLAG("batch", 0, batch,
	     "End after the commands given, or at the first that fails; ask nothing."),
	FLAG("quiet", 'q', quiet, "Say no word of welcome."),
	FLAG("nx", 0, no_init, "Read no init file."),
	FLAG("nh", 'n', no_home_init, "Read no init file of the user's."),
	TEXT("cd", 0, "FOLDER", cd, "Work in that folder."),
	TEXT("tty", 0, "DEVICE", tty, "The terminal that the program gets."),
	FLAG("return-child-result", 0, child_result,
	     "End with the status of the program; 128 and the signal's number if one ended it."),
	FLAG("json", 0, json, "Print JSON objects, one a line, instead of text."),
};
const struct option_set startup_set = OPTION_SET(startup_rows, NULL);

void startup_options_fini(struct startup_options *o)
{
	vec_fini(&o->early);
	vec_fini(&o->commands);
}

bool startup_is_given(const struct startup_options *o)
{
	return o->early.len || o->commands.len || o->args || o->mpi || o->batch || o->quiet ||
	       o->no_init || o->no_home_init || o->child_result || o->json || o->pid || o->core ||
	       o->exec || o->cd || o->tty;
}

/* One session. */
struct startup {
	const struct startup_options *o;
	struct cli cli;
	struct prompt *prompt; /* owned */
	struct buf last;       /* the line that an empty one repeats */
};

/* With --batch, what fails ends the session: a script that goes on after an error lies. */
static void tell(struct startup *s, struct error *err)
{
	struct cli *c = &s->cli;

	if (!err)
		return;
	cli_tell_error(c, err);
	if (!c->batch)
		return;
	if (c->status == STATUS_OK || c->status == STATUS_FINDING)
		c->status = STATUS_FAILED;
	c->quits = true;
}

static void finish_command(struct startup *s, struct error *err)
{
	console_progress_end(&s->cli.progress);
	running_watch_long_work(&s->cli);
	if (!err)
		err = cli_flush(&s->cli);
	tell(s, err);
	if (!s->cli.batch && !s->cli.quits)
		s->cli.status = STATUS_OK;
}

static struct error *execute_file(struct cli *c, const char *path)
{
	AUTO_BUF line = { 0 };

	buf_addf(&line, "source %s", path);
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}

static void execute_given(struct startup *s, const struct option_list *list)
{
	vec_for_each (given, list) {
		bool is_file = given->row->name[strlen(given->row->name) - 1] != 'x' ||
			       !strcmp(given->row->name, "ix");
		if (s->cli.quits)
			return;
		finish_command(s, is_file ? execute_file(&s->cli, given->text)
					  : cli_execute(&s->cli, given->text));
	}
}

/* The line that an empty one means; NULL: nothing. */
static const char *repeated(struct startup *s)
{
	const struct command *row;
	const char *args, *line = buf_text(&s->last);

	struct error *err = *line ? command_find(&s->cli.commands, line, &row, &args)
				  : error_new(ERROR_USAGE, "nothing");
	if (err) {
		error_ignore(err);
		return NULL;
	}
	if (row->flags & COMMAND_REPEATS_BARE)
		return row->name;
	return row->flags & COMMAND_REPEATS ? line : NULL;
}

static void remember(struct startup *s, const char *line)
{
	prompt_remember(s->prompt, line);
	buf_clear(&s->last);
	buf_adds(&s->last, line);
	s->cli.last_args = "";
	const struct command *row;
	error_ignore(command_find(&s->cli.commands, buf_text(&s->last), &row, &s->cli.last_args));
}

static void execute_typed(struct startup *s, const char *line)
{
	bool empty = !line[strspn(line, " \t\r")];
	const char *what = empty ? repeated(s) : line;

	if (!what)
		return;
	AUTO_FREE char *copy = strdup(what);
	if (!copy)
		return finish_command(s, &error_nomem);
	if (!empty)
		remember(s, line);
	s->cli.repeats = empty;
	console_progress_begin(&s->cli.progress);
	output_begin_page(&s->cli.output);
	struct error *err = cli_execute(&s->cli, copy);
	s->cli.repeats = false;
	finish_command(s, err);
	if (s->cli.command_ran_program)
		prompt_disturbed(s->prompt);
	s->cli.command_ran_program = false;
}

static void prompt_loop(struct startup *s)
{
	struct line_source *source = prompt_source(s->prompt);
	AUTO_BUF line = { 0 };

	while (!s->cli.quits) {
		bool more = true;
		interrupt_take();
		running_take_terminal(&s->cli);
		struct error *err = source->next(source, s->cli.prompt, &line, &more);
		if (err && error_is(err, ERROR_GONE) && prompt_edits(s->prompt))
			error_ignore(err);
		else if (err)
			tell(s, err);
		else if (more)
			execute_typed(s, buf_text(&line));
		else {
			if (source->typed && !s->cli.json)
				puts("quit");
			finish_command(s, cli_execute(&s->cli, "quit"));
			if (!source->typed)
				s->cli.quits = true;
		}
	}
}

/* A word behind the program: a core file, or a process id if there is no such file. */
static struct error *open_second(struct cli *c, const char *word)
{
	AUTO_BUF line = { 0 };
	bool number = text_is_number(word);

	buf_addf(&line, "%s %s", number && access(word, F_OK) != 0 ? "attach" : "core-file", word);
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}

static struct error *open_named(struct cli *c, const char *command, const char *name)
{
	AUTO_BUF line = { 0 };

	if (!name)
		return NULL;
	buf_addf(&line, "%s%s", command, name);
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}

/* What has started ranks stands for them. */
static bool is_starter(const char *pid)
{
	return text_is_number(pid) && job_is_starter((pid_t)strtol(pid, NULL, 10));
}

static void open_target(struct startup *s, int argc, char **argv)
{
	const struct startup_options *o = s->o;
	struct cli *c = &s->cli;
	AUTO_WRAPPER script = { 0 };
	bool is_script = o->args && wrapper_read(argv[0], &script);
	const char *program = is_script ? script.interpreter : argc ? argv[0] : o->exec;

	if (o->tty)
		finish_command(s, open_named(c, "set inferior-tty ", o->tty));
	if (!c->quits && o->mpi)
		finish_command(s, job_launch(c, argc, argv));
	if (c->quits || o->mpi)
		return;
	finish_command(s, open_named(c, "file ", program));
	if (!c->quits && o->args)
		finish_command(s, wrapper_set_args(c, is_script ? &script : NULL, argc, argv));
	if (!c->quits && o->core)
		finish_command(s, open_named(c, "core-file ", o->core));
	if (!c->quits && o->pid)
		finish_command(
			s, open_named(c, is_starter(o->pid) ? "attach job:" : "attach ", o->pid));
	if (!c->quits && !o->args && argc > 1)
		finish_command(s, open_second(c, argv[1]));
}

static struct error *begin(struct startup *s, const struct common_options *common)
{
	struct cli *c = &s->cli;

	interrupt_init();
	struct error *err = cli_init(c);
	if (!err)
		err = running_init(c,
				   &(struct session_options){ .source_paths = &c->source_paths });
	if (!err)
		err = setting_init(c);
	if (!err)
		err = prompt_new(c, &s->prompt);
	if (err)
		return err;
	c->json = s->o->json;
	c->batch = s->o->batch;
	c->style = console_style((enum color)common->color);
	c->keyboard = prompt_source(s->prompt);
	c->pages = c->keyboard->typed && isatty(STDOUT_FILENO) && !c->batch && !c->json;
	c->output.pages = c->pages;
	interrupt_offer_end(c->pages ? "\nompdb is at work and does not listen. End it? (y or n) "
				     : NULL);
	c->settings.color = common->color;
	return lines_push(&c->lines, c->keyboard);
}

/* Init files ------------------------------------------------------------------------------ */

/* Root or the user owns it, and nobody else can write to it. */
static struct error *check_owner(const char *path, bool *ret_exists)
{
	struct stat st;

	*ret_exists = stat(path, &st) == 0;
	if (!*ret_exists)
		return errno == ENOENT || errno == ENOTDIR ? NULL : error_os(errno, "%s", path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return error_new(ERROR_NOT_PERMITTED,
				 "%s is not read: it belongs neither to you nor to root", path);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return error_new(ERROR_NOT_PERMITTED,
				 "%s is not read: others can write to it: chmod go-w mends that",
				 path);
	return NULL;
}

/* One that is not to be trusted is no failure of a command: it is told, and passed by. */
static void read_init_file(struct startup *s, const char *path)
{
	bool exists = false;
	struct error *err = s->cli.quits ? NULL : check_owner(path, &exists);

	if (err) {
		cli_warn(&s->cli, "%s", error_message(err));
		error_free(err);
	} else if (exists) {
		finish_command(s, execute_file(&s->cli, path));
	}
}

static void read_home_init(struct startup *s)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	AUTO_BUF path = { 0 };

	if (config && *config == '/')
		buf_addf(&path, "%s/ompdb/init", config);
	else if (home && *home == '/')
		buf_addf(&path, "%s/.config/ompdb/init", home);
	if (path.len && buf_ok(&path))
		read_init_file(s, buf_text(&path));
}

/* Whether a folder, without links in its path, is in a list of folders or below one of them. */
static bool is_safe(const char *folder, const char *list)
{
	while (*list) {
		size_t len = strcspn(list, ":");
		AUTO_FREE char *given = strndup(list, len);
		AUTO_FREE char *real = given && *given == '/' ? realpath(given, NULL) : NULL;
		size_t reallen = real ? strlen(real) : 0;
		if (reallen && !strncmp(folder, real, reallen) &&
		    (!folder[reallen] || folder[reallen] == '/' || reallen == 1))
			return true;
		list += len + (list[len] == ':');
	}
	return false;
}

static void read_local_init(struct startup *s)
{
	static const char name[] = ".ompdbinit";
	AUTO_FREE char *folder = getcwd(NULL, 0);
	AUTO_BUF path = { 0 };

	if (!folder || access(name, F_OK) != 0)
		return;
	if (!is_safe(folder, s->cli.settings.safe_path)) {
		cli_warn(
			&s->cli,
			"%s/%s is not read: say 'add-auto-load-safe-path %s' in your own init file "
			"if you trust it",
			folder, name, folder);
		return;
	}
	buf_addf(&path, "%s/%s", folder, name);
	read_init_file(s, buf_text(&path));
}

/* What is typed is kept from the end of the start on: init files may say where. */
static void load_history(struct startup *s)
{
	const struct settings *set = &s->cli.settings;
	size_t size = set->history_size > HISTORY_LINES_MAX ? HISTORY_LINES_MAX : set->history_size;
	struct error *err = prompt_load_history(
		s->prompt, set->history_save && !s->cli.batch ? set->history_file : NULL, size);

	if (err) {
		cli_warn(&s->cli, "%s", error_message(err));
		error_free(err);
	}
}

static void welcome(struct startup *s)
{
	if (!s->o->quiet && !s->o->batch && prompt_source(s->prompt)->typed)
		buf_adds(&s->cli.out, "ompdb " OMPDB_VERSION ": \"help\" lists the commands.\n");
	finish_command(s, NULL);
}

static void run(struct startup *s, int argc, char **argv)
{
	welcome(s);
	if (!s->o->no_init)
		read_init_file(s, "/etc/ompdb/init");
	if (!s->o->no_init && !s->o->no_home_init)
		read_home_init(s);
	execute_given(s, &s->o->early);
	if (!s->cli.quits)
		open_target(s, argc, argv);
	if (!s->cli.quits && !s->o->no_init)
		read_local_init(s);
	if (!s->cli.quits)
		execute_given(s, &s->o->commands);
	if (!s->cli.quits && s->o->batch)
		s->cli.quits = true;
	if (!s->cli.quits)
		load_history(s);
	prompt_loop(s);
}

static struct error *check(const struct startup_options *o, const struct common_options *common,
			   int argc)
{
	struct error *err = common->debug ? log_enable(common->debug) : NULL;

	if (!err && o->args && !argc)
		err = error_new(ERROR_USAGE, "'--args' is given without a program");
	if (!err && o->mpi && (!argc || o->args || o->pid || o->core || o->exec))
		err = error_new(ERROR_USAGE, argc ? "'--mpi' starts a job: it does not go with "
						    "'--args', '--pid', '--core' or '--exec'"
						  : "'--mpi' is given without mpiexec or another "
						    "starter");
	if (!err && !o->args && !o->mpi && argc > 2)
		err = error_new(ERROR_USAGE,
				"there is more than a program and a core file or process: "
				"arguments of the program need '--args' in front of it");
	if (!err && o->cd && chdir(o->cd) < 0)
		err = error_os(errno, "option '--cd': %s", o->cd);
	return err;
}

enum status startup_run(const struct startup_options *o, const struct common_options *common,
			int argc, char **argv)
{
	struct startup s = { .o = o };
	struct error *err = check(o, common, argc);

	if (err)
		return console_usage_error(err, "ompdb [OPTION...] [PROGRAM [CORE|PID]]");
	err = begin(&s, common);
	if (!err)
		run(&s, argc, argv);
	int status = s.cli.status;
	if (o->child_result && s.cli.child_status >= 0)
		status = s.cli.child_status;
	if (err) {
		console_error(err);
		status = STATUS_FAILED;
	}
	cli_fini(&s.cli);
	prompt_free(s.prompt);
	buf_fini(&s.last);
	return (enum status)status;
}
