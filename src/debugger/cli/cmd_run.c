/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/job_prompt.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/control/inferior.h"
#include "debugger/control/leave.h"
#include "debugger/control/placing.h"
#include "debugger/control/resume.h"
#include "debugger/output/format_stop.h"
#include "target/core/core_write.h"

static struct error *parse_count(const char *args, size_t *ret)
{
	*ret = 1;
	return *args ? options_parse_size(args, 0, INT_MAX, ret) : NULL;
}

/* ---- begin and end ---------------------------------------------------------------------- */

static struct error *cmd_file(struct cli *c, const char *args)
{
	return *args ? inferior_set_program(c->control, args)
		     : error_new(ERROR_USAGE, "which file?");
}

static struct error *set_args(struct cli *c, const char *args)
{
	char *copy = *args ? strdup(args) : NULL;

	if (!*args)
		return NULL;
	if (!copy)
		return &error_nomem;
	free(c->control->settings.args);
	c->control->settings.args = copy;
	return NULL;
}

static bool may_restart(struct cli *c)
{
	return !control_is_live(c->control) ||
	       cli_ask(c, "The program being debugged has been started already.\n"
			  "Start it from the beginning? ");
}

static struct error *read_again(struct cli *c)
{
	if (!control_program_has_changed(c->control))
		return NULL;
	style_add_between(&c->out, "`", c->control->program,
			  "' has changed; re-reading symbols.\n");
	return inferior_renew_program(c->control);
}

static struct error *start(struct cli *c, const char *args, bool stands)
{
	struct stop_report r = { 0 };

	if (!may_restart(c))
		return error_new(ERROR_USAGE, "Program not restarted.");
	struct error *err = set_args(c, args);
	if (!err)
		err = read_again(c);
	if (!err && c->control->program && !stands) {
		style_add_between(&c->out, "Starting program: ", c->control->program, " ");
		style_add_text(&c->out, c->control->settings.args ? c->control->settings.args : "");
		buf_addc(&c->out, '\n');
		err = cli_flush(c);
	}
	if (!err)
		err = inferior_run(c->control, stands, &r);
	if (!err && stands)
		buf_adds(&c->out, "\nProgram stopped.\n");
	return running_told(c, &r, err);
}

static struct error *cmd_run(struct cli *c, const char *args)
{
	return start(c, args, false);
}

static struct error *cmd_starti(struct cli *c, const char *args)
{
	return start(c, args, true);
}

static struct error *cmd_start(struct cli *c, const char *args)
{
	const struct placing how = { .kind = BREAK_CODE, .temporary = true };
	struct breakpoint *b;
	int line;
	struct session *s = control_session(c->control);
	struct error *err =
		placing_break(c->control, s ? places_main(s->symbols) : "main", &how, &b, &line);

	if (err)
		return err;
	running_tell_breakpoint(c, b);
	return start(c, args, false);
}

static struct error *attach_to_job(struct cli *c, const char *target)
{
	AUTO_JOB j = { 0 };
	struct error *err = job_find(target, &j);

	if (!err)
		err = job_check_there(&j);
	return err ? err : job_prompt_attach(c, &j);
}

static struct error *cmd_attach(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };
	size_t pid;

	if (!*args)
		return error_new(ERROR_USAGE, "Argument required (process-id to attach).");
	if (job_is_group(args))
		return attach_to_job(c, args);
	if (c->job)
		return error_new(ERROR_USAGE, "the prompt is that of a job: 'detach' its ranks "
					      "first");
	struct error *err = options_parse_size(args, 1, INT_MAX, &pid);
	if (!err)
		err = inferior_attach(c->control, (pid_t)pid, &r);
	if (!err)
		buf_addf(&c->out, "Attaching to process %zu\n", pid);
	return running_told(c, &r, err);
}

static struct error *cmd_core(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };
	AUTO_BUF path = { 0 };

	if (!*args)
		return error_new(ERROR_USAGE, "which core file?");
	/* No message shall begin with a name that could be a word. */
	buf_adds(&path, *args == '~' || strchr(args, '/') ? "" : "./");
	arguments_add_path(&path, args);
	return running_told(c, &r,
			    buf_ok(&path) ? inferior_core(c->control, buf_text(&path), &r)
					  : &error_nomem);
}

static struct error *cmd_detach(struct cli *c, const char *args)
{
	pid_t pid;
	struct error *err = inferior_detach(c->control, &pid);

	(void)args;
	if (!err)
		running_tell_end(c, c->control->inferior, pid, false);
	return err;
}

static struct error *cmd_kill(struct cli *c, const char *args)
{
	pid_t pid;

	(void)args;
	if (control_is_live(c->control) && !cli_ask(c, "Kill the program being debugged? "))
		return error_new(ERROR_USAGE, "Not killed.");
	struct error *err = inferior_kill(c->control, &pid);
	if (!err)
		running_tell_end(c, c->control->inferior, pid, true);
	return err;
}

/* ---- going on --------------------------------------------------------------------------- */

static struct error *cmd_continue(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };
	size_t count;
	struct error *err = parse_count(args, &count);

	if (!err)
		err = control_need_live(c->control);
	if (err)
		return err;
	if (!c->batch)
		buf_adds(&c->out, "Continuing.\n");
	return running_told(c, &r, resume_continue(c->control, count, &r));
}

static struct error *step(struct cli *c, enum plan_kind kind, const char *args)
{
	struct stop_report r = { 0 };
	size_t count;
	struct error *err = parse_count(args, &count);

	if (err)
		return err;
	return running_told(c, &r, resume_step(c->control, kind, count, &r));
}

/* Of a row whose kind is a plan's. */
static struct error *cmd_step(struct cli *c, const char *args)
{
	return step(c, (enum plan_kind)c->command->kind, args);
}

static struct error *cmd_finish(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };
	const size_t before = c->out.len;
	const bool creator = !strcmp(args, "-creator");

	if (*args && !creator)
		return error_new(ERROR_USAGE, "finish takes no argument but \"-creator\"");
	struct error *err = creator ? control_need_live(c->control) : resume_may_finish(c->control);
	if (err)
		return err;
	if (!c->batch && !c->json) {
		buf_adds(&c->out, "Run till exit from ");
		err = running_tell_frame(c, c->control->level, false);
	}
	if (!err)
		err = resume_finish(c->control, creator, &r);
	/* Refused: what is still here has not been said. */
	if (err && r.kind == STOPPED_NOTHING && c->out.len > before)
		c->out.len = before;
	return running_told(c, &r, err);
}

static struct error *cmd_until(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };

	if (!*args)
		return step(c, PLAN_UNTIL, args);
	return running_told(c, &r, resume_reach(c->control, args, false, &r));
}

static struct error *cmd_advance(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };

	return running_told(c, &r, resume_reach(c->control, args, true, &r));
}

static struct error *cmd_jump(struct cli *c, const char *args)
{
	struct stop_report r = { 0 };

	return running_told(c, &r, resume_jump(c->control, args, &r));
}

static struct error *cmd_return(struct cli *c, const char *args)
{
	struct error *err = control_need_live(c->control);
	if (!err && !cli_ask(c, "Make the selected frame return now? "))
		return error_new(ERROR_USAGE, "Not confirmed.");
	if (!err)
		err = leave_frame(c->control, args);
	return err ? err : running_tell_frame(c, 0, true);
}

static struct error *cmd_tty(struct cli *c, const char *args)
{
	AUTO_BUF line = { 0 };

	if (!*args)
		return error_new(ERROR_USAGE, "Argument required (name of a terminal)");
	buf_addf(&line, "set inferior-tty %s", args);
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}

static struct error *cmd_generate_core(struct cli *c, const char *args)
{
	AUTO_BUF path = { 0 };
	struct control *control = c->control;
	struct error *err = control_need_live(control);

	if (err)
		return err;
	buf_adds(&path, *args ? args : "core");
	if (!*args || c->ranked) /* several ranks write one */
		buf_addf(&path, ".%d", control->pid);
	err = core_write(control->live->target, control_selected_thread(control), buf_text(&path));
	if (!err)
		style_add_between(&c->out, "Saved corefile ", buf_text(&path), "\n");
	return err;
}

/* What the last stop was for, as far as gdb has words for it. */
static void add_reason(struct cli *c)
{
	const struct control *control = c->control;
	int number = control->stopped_by, signal = control->stop_signal;

	if (control->stopped_for == STOPPED_STEPPED)
		buf_adds(&c->out, "It stopped after being stepped.\n");
	else if (number && breakpoint_find(&control->breakpoints, number))
		buf_addf(&c->out, "It stopped at breakpoint %d.\n", number);
	else if (number)
		buf_adds(&c->out, "It stopped at a breakpoint that has since been deleted.\n");
	else if (signal)
		buf_addf(&c->out, "It stopped with signal %s, %s.\n", signals_name(signal),
			 signals_text(signal));
}

static struct error *cmd_info_program(struct cli *c, const char *args)
{
	const struct unwind_frame *raw = NULL;
	const bool runs = control_is_live(c->control);
	struct json j;

	(void)args;
	if (c->json) {
		struct error *failed = runs ? frames_raw(&c->control->frames, 0, &raw) : NULL;
		cli_json_begin(c, &j, "program");
		json_add_bool(&j, "runs", runs);
		json_add_positive(&j, "pid", runs ? c->control->pid : 0);
		json_add_bool(&j, "attached", runs && c->control->attached);
		if (raw)
			json_add_address(&j, "pc", raw->pc);
		cli_json_end(c, &j);
		return failed;
	}
	if (!runs) {
		buf_adds(&c->out, "The program being debugged is not being run.\n");
		return NULL;
	}
	struct error *err = frames_raw(&c->control->frames, 0, &raw);
	buf_addf(&c->out, "\tUsing the running image of %s process %d.\n",
		 c->control->attached ? "attached" : "child", c->control->pid);
	if (raw)
		buf_addf(&c->out, "Program stopped at 0x%" PRIxTADDR ".\n", raw->pc);
	add_reason(c);
	buf_adds(&c->out, "Type \"info stack\" or \"info registers\" for more information.\n");
	return err;
}

/* ---- the table -------------------------------------------------------------------------- */

#define RUNNING(n, shorts, arguments, completion, flag, function, says)                            \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments), .class = CLASS_RUNNING, \
		.completes = (completion), .flags = (flag), .run = (function), .summary = (says)   \
	}

#define STEPPING(n, shorts, plan, says)                                                            \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = "[N]", .class = CLASS_RUNNING,       \
		.flags = COMMAND_REPEATS, .kind = (plan), .run = cmd_step, .summary = (says)       \
	}

static const struct command rows[] = {
	{ .name = "file",
	  .args = "PROGRAM",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .flags = COMMAND_OPENS,
	  .run = cmd_file,
	  .summary = "Use a program: its names and lines, and what run starts." },
	{ .name = "exec-file",
	  .args = "PROGRAM",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .flags = COMMAND_OPENS,
	  .run = cmd_file,
	  .summary = "The same as file." },
	{ .name = "core-file",
	  .short_names = "core",
	  .args = "CORE",
	  .class = CLASS_FILES,
	  .completes = COMPLETES_FILE,
	  .flags = COMMAND_OPENS,
	  .run = cmd_core,
	  .summary = "Look at a core file." },
	RUNNING("run", "r", "[ARGUMENT...]", COMPLETES_FILE, COMMAND_RAW, cmd_run,
		"Start the program, with these arguments or those of the last time."),
	RUNNING("start", NULL, "[ARGUMENT...]", COMPLETES_FILE, COMMAND_RAW, cmd_start,
		"Start the program and stop it at the beginning of main()."),
	RUNNING("starti", NULL, "[ARGUMENT...]", COMPLETES_FILE, COMMAND_RAW, cmd_starti,
		"Start the program and stop it before its first instruction."),
	{ .name = "attach",
	  .args = "PID|job:PID",
	  .class = CLASS_RUNNING,
	  .flags = COMMAND_OPENS,
	  .run = cmd_attach,
	  .summary =
		  "Attach to a process that runs already, and stop it; or to all ranks of a job.",
	  .help = "job:PID is the job that process PID has started, or is a rank of. Commands go "
		  "to all its ranks on this machine, or to those in \"focus\"; equal answers are "
		  "shown once, with the ranks that have given them." },
	RUNNING("detach", NULL, "", COMPLETES_NOTHING, 0, cmd_detach,
		"Let the process go on as if nothing had been."),
	RUNNING("kill", "k", "", COMPLETES_NOTHING, 0, cmd_kill, "Kill the process."),
	RUNNING("continue", "c fg", "[N]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_continue,
		"Go on until something stops the program; N: ignore the breakpoint it stands at "
		"N-1 times."),
	STEPPING("step", "s", PLAN_STEP,
		 "Go on to another line, also of a function that is called."),
	STEPPING("next", "n", PLAN_NEXT, "Go on to another line of this function."),
	STEPPING("stepi", "si", PLAN_STEPI, "Execute one instruction."),
	STEPPING("nexti", "ni", PLAN_NEXTI, "Execute one instruction; a call up to its return."),
	RUNNING("finish", "fin", "[-creator]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_finish,
		"Go on until the selected frame has returned. Out of a parallel region: until all "
		"threads of it have; out of a task: to where its thread goes on. -creator: to "
		"where the task that has created this one has waited for it."),
	RUNNING("until", "u", "[LOCATION]", COMPLETES_LOCATION, COMMAND_REPEATS, cmd_until,
		"Go on to another line that is not before this one; or to a location."),
	RUNNING("advance", NULL, "LOCATION", COMPLETES_LOCATION, COMMAND_REPEATS, cmd_advance,
		"Go on to a location, or until this frame has returned."),
	RUNNING("jump", "j", "LOCATION", COMPLETES_LOCATION, 0, cmd_jump,
		"Go on from another place."),
	RUNNING("return", NULL, "[VALUE]", COMPLETES_EXPRESSION, 0, cmd_return,
		"Leave the selected frame as if it had returned; with a value: an integer, "
		"a pointer, float or double."),
	{ .name = "tty",
	  .args = "TERMINAL",
	  .class = CLASS_RUNNING,
	  .completes = COMPLETES_FILE,
	  .run = cmd_tty,
	  .summary = "The same as \"set inferior-tty\": the terminal of the program from the next "
		     "run on." },
	RUNNING("generate-core-file", "gcore", "[FILE]", COMPLETES_FILE, 0, cmd_generate_core,
		"Write a core file of the process; of a rank of a job, with its process id behind "
		"the file's name."),
	{ .name = "info program",
	  .args = "",
	  .class = CLASS_STATUS,
	  .run = cmd_info_program,
	  .summary = "Whether the program runs, and where it stands." },
};

const struct command_table cmd_run_table = COMMAND_TABLE(rows);
