/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* omp task: the variables of an explicit task, also of one that nobody has begun to execute. */
#include <ctype.h>
#include <string.h>

#include "debugger/cli/data.h"
#include "debugger/control/task_values.h"
#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"

/* ---- one that has not begun --------------------------------------------------------------- */

static struct error *show(struct cli *c, const struct scope *s, const struct task_variable *v,
			  struct shown *ret)
{
	struct value value;
	struct error *err = task_values_get(s, v, &value);

	if (err)
		value = (struct value){ .type = v->type, .missing = "unavailable" };
	error_ignore(err);
	return shown_make(s, &value, &c->settings.print.values, ret);
}

static void add_line(struct cli *c, const struct task_variable *v, const struct shown *shown)
{
	style_add_between(&c->out, "", v->name, " = ");
	format_value(&c->out, shown, 0);
	buf_adds(&c->out, v->shared ? "  (shared)\n" : "\n");
}

static struct error *list(struct cli *c, long number, const struct scope *s,
			  const struct task_values *values)
{
	struct json j;

	if (c->json) {
		cli_json_begin(c, &j, "task");
		json_add_natural(&j, "number", number);
		json_add_array(&j, "variables");
	} else if (!values->items.len) {
		buf_adds(&c->out, "It has been given no variables.\n");
	}
	vec_for_each (v, &values->items) {
		AUTO_SHOWN shown = { 0 };
		struct error *err = show(c, s, v, &shown);
		if (err)
			return err;
		if (!c->json) {
			add_line(c, v, &shown);
			continue;
		}
		json_add_object(&j, NULL);
		json_add_string(&j, "name", v->name);
		json_add_bool(&j, "shared", v->shared);
		json_value_members(&j, &shown, 0);
		json_end(&j);
	}
	if (c->json) {
		json_end(&j);
		cli_json_end(c, &j);
	}
	return NULL;
}

static struct error *in_memory(struct cli *c, long number, const struct task_data *task,
			       const char *command)
{
	AUTO_TASK_VALUES values = { 0 };
	struct session *s = c->control->live;

	if (!task->function)
		return error_new(ERROR_USAGE,
				 "the OpenMP runtime does not keep what task %ld was given: it "
				 "was executed at once, by the thread that met it",
				 number);
	if (!data_of(c))
		return &error_nomem;
	struct error *err = task_values_find(s, task, &values);
	const struct scope scope = task_values_scope(s, task, &values);
	if (err || !*command)
		return err ? err : list(c, number, &scope, &values);
	const struct scope *before = c->data->task;
	c->data->task = &scope;
	err = cli_execute(c, command);
	c->data->task = before;
	return err;
}

/* ---- one that has ------------------------------------------------------------------------- */

static struct error *in_frame(struct cli *c, const struct creators_task *task, const char *command)
{
	struct control *k = c->control;
	const struct control_selection before = control_selection(k);
	const unsigned long stops = c->stops;
	size_t index = 0;
	bool found = false;

	control_select_lwp(k, task->lwp, 0);
	struct error *err = frames_find(&k->frames, &task->frame, &index, &found);
	if (!err && !found)
		err = error_new(ERROR_NOT_FOUND, "the frame of the task was not found");
	if (!err)
		err = control_select_frame(k, index);
	if (!err)
		err = cli_execute(c, *command ? command : "info locals");
	/* A program that went on has selected who stopped it. */
	if (c->stops == stops && k->live)
		control_select_again(k, &before);
	return err;
}

/* "3", "3 print x" */
static struct error *cmd_omp_task(struct cli *c, const char *args)
{
	struct creators_task task;
	char *command;
	const long number = strtol(args, &command, 10);

	if (!isdigit((unsigned char)*args) || (*command && !isspace((unsigned char)*command)))
		return error_new(ERROR_USAGE, "argument required: the number of a task; \"omp\" "
					      "lists them");
	struct error *err = control_need_stack(c->control);
	if (!err)
		err = creators_find_task(c->control->live, number, &task);
	if (err)
		return err;
	command += strspn(command, " \t");
	return task.frame.pc ? in_frame(c, &task, command)
			     : in_memory(c, number, &task.data, command);
}

static const struct command rows[] = {
	{ .name = "omp task",
	  .args = "N [COMMAND]",
	  .class = CLASS_OPENMP,
	  .flags = COMMAND_JSON,
	  .completes = COMPLETES_COMMAND,
	  .run = cmd_omp_task,
	  .summary = "The variables of an explicit task, or a command with its names.",
	  .help = "\"omp\" lists the tasks with their numbers. Of a task that has not begun, its "
		  "firstprivate copies and what it shares are read where the OpenMP runtime keeps "
		  "them: \"omp task 5\" lists them, \"omp task 5 print x\" is any expression of "
		  "them. Of one that has begun it is \"info locals\", or the COMMAND, in its "
		  "frame." },
};

const struct command_table cmd_task_table = COMMAND_TABLE(rows);
