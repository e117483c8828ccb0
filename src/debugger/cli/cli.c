/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/cli.h"
#include "debugger/control/control.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/arguments.h"
#include "debugger/cli/data_state.h"
#include "debugger/control/inferior.h"

enum { DEPTH_MAX = 200 }; /* of commands in commands */

/* One for each source of lines above the others, as gdb has it. */
#define TRACE_MARKS "++++++++++++++++"

/* Output ---------------------------------------------------------------------------------- */

/* What has been printed as text since the last object becomes one. */
static void add_text_object(struct cli *c)
{
	struct json j = { .out = &c->objects };

	if (!c->out.len)
		return;
	json_add_object(&j, NULL);
	json_add_integer(&j, "v", 1);
	json_add_string(&j, "type", "text");
	json_add_string(&j, "command", c->command ? c->command->name : NULL);
	json_add_lines(&j, "text", buf_text(&c->out));
	json_end(&j);
	buf_clear(&c->out);
}

static struct error *write_out(struct buf *out)
{
	struct cli *c = (struct cli *)((char *)out - offsetof(struct cli, out));

	console_progress_end(&c->progress);
	if (!c->json)
		return output_write(&c->output, out);
	add_text_object(c);
	return output_write(&c->output, &c->objects);
}

struct error *cli_flush(struct cli *c)
{
	if (c->out.error) {
		struct error *err = TAKE(c->out.error);
		c->out.failed = false;
		buf_clear(&c->out);
		return err;
	}
	return c->out.len || c->objects.len ? write_out(&c->out) : NULL;
}

void cli_json_begin(struct cli *c, struct json *ret, const char *type)
{
	add_text_object(c);
	buf_clear(&c->object);
	*ret = (struct json){ .out = &c->object };
	json_add_object(ret, NULL);
	json_add_integer(ret, "v", 1);
	json_add_string(ret, "type", type);
}

void cli_json_end(struct cli *c, struct json *j)
{
	json_end(j);
	if (buf_ok(&c->object))
		buf_add(&c->objects, c->object.data, c->object.len);
	else
		c->objects.failed = true;
	buf_clear(&c->object);
}

/* A message becomes a sentence: but "a.out: no such file" begins with a name. */
static bool begins_with_word(const char *message)
{
	size_t len = strspn(message, "abcdefghijklmnopqrstuvwxyz");

	return len && (message[len] == ' ' || message[len] == ',' || !message[len]);
}

void cli_add_sentence(struct buf *out, const char *message)
{
	size_t start = out->len, len = strlen(message);

	text_escape(out, message, len);
	if (buf_ok(out) && begins_with_word(message))
		out->data[start] = (char)toupper((unsigned char)message[0]);
	if (len && !strchr(".!?\"", message[len - 1]))
		buf_addc(out, '.');
}

/* {"v":1,"type":"error","message":"..."}, beside an object that is being made. */
static void add_message_object(struct cli *c, const char *type, const char *message)
{
	struct buf kept = c->object;
	AUTO_BUF line = { 0 };
	struct json j;

	cli_add_sentence(&line, message);
	c->object = (struct buf){ 0 };
	cli_json_begin(c, &j, type);
	json_add_string(&j, "command", c->command ? c->command->name : NULL);
	json_add_lines(&j, "message", buf_text(&line));
	cli_json_end(c, &j);
	buf_fini(&c->object);
	c->object = kept;
}

static void flush_before_message(struct cli *c)
{
	console_progress_end(&c->progress);
	error_ignore(cli_flush(c));
	fflush(stdout);
}

void cli_warn(struct cli *c, const char *fmt, ...)
{
	AUTO_BUF line = { 0 };
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	flush_before_message(c);
	if (c->json) {
		add_message_object(c, "warning", text);
		error_ignore(cli_flush(c));
		return;
	}
	buf_adds(&line, "warning: ");
	text_escape(&line, text, strlen(text));
	fprintf(stderr, "%s\n", buf_text(&line));
}

/* Those whose text has lines are complete sentences. */
static void add_error(struct buf *out, const struct error *err)
{
	const char *text = error_message(err);

	if (!error_is(err, ERROR_ABANDONED)) {
		cli_add_sentence(out, text);
		return;
	}
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		text_escape(out, text, len);
		if (text[len])
			buf_addc(out, '\n');
	}
}

void cli_tell_error(struct cli *c, struct error *err)
{
	AUTO_ERROR *mine = err;
	AUTO_BUF line = { 0 };

	flush_before_message(c);
	if (c->json) {
		add_message_object(c, "error", error_message(mine));
		error_ignore(cli_flush(c));
		return;
	}
	add_error(&line, mine);
	fprintf(stderr, "%s\n", buf_ok(&line) ? buf_text(&line) : "Out of memory.");
}

void cli_add_error(struct cli *c, struct error *err)
{
	AUTO_ERROR *mine = err;

	if (c->json)
		add_message_object(c, "error", error_message(mine));
	else
		add_error(&c->out, mine);
	if (!c->json)
		buf_addc(&c->out, '\n');
}

/* Questions ------------------------------------------------------------------------------- */

/* 1: yes, 0: no, -1: neither. An empty line is none, as in gdb. */
static int meaning(const char *answer)
{
	answer += strspn(answer, " \t");
	int first = tolower((unsigned char)*answer);

	return first == 'y' ? 1 : first == 'n' ? 0 : -1;
}

static bool ask(struct cli *c, const char *question)
{
	AUTO_BUF prompt = { 0 }, answer = { 0 };
	const char *last = strrchr(question, '\n');
	bool more = true;

	/* A prompt is one line. */
	if (last) {
		printf("%.*s\n", (int)(last - question), question);
		question = last + 1;
	}

	buf_addf(&prompt, "%s(y or n) ", question);
	while (more) {
		struct error *err =
			c->keyboard->next(c->keyboard, buf_text(&prompt), &answer, &more);
		if (err) {
			error_ignore(err);
			return false;
		}
		int yes = meaning(buf_text(&answer));
		if (more && yes >= 0)
			return yes;
		if (more)
			puts("Please answer y or n.");
	}
	puts("EOF [assumed Y]");
	return true;
}

bool cli_ask(struct cli *c, const char *fmt, ...)
{
	char question[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(question, sizeof(question), fmt, args);
	va_end(args);
	flush_before_message(c);
	if (!c->confirm || c->batch || c->json)
		return true;
	if (c->ask)
		return c->ask(c, question);
	if (c->keyboard && c->keyboard->typed) {
		bool yes = ask(c, question);
		/* The user's time is no time of work. */
		console_progress_begin(&c->progress);
		return yes;
	}
	printf("%s(y or n) [answered Y; input not from terminal]\n", question);
	fflush(stdout);
	return true;
}

/* Executing ------------------------------------------------------------------------------- */

/* A task that has not begun has names and no frame; what is the session's needs neither. */
static struct error *check_frame(const struct cli *c, const struct command *row)
{
	const bool needs = row->class != CLASS_SUPPORT && row->class != CLASS_USER &&
			   !(row->flags & COMMAND_FRAMELESS);

	if (!needs || !c->data || !c->data->task)
		return NULL;
	return error_new(ERROR_USAGE,
			 "the task has not begun, it has no frame for '%s': print, x, ptype and "
			 "set variable are given its variables",
			 row->name);
}

static struct error *run_row(struct cli *c, const struct command *row, const char *args)
{
	const struct command *outer = c->command;
	struct error *err = check_frame(c, row);

	if (err)
		return err;
	c->command = row;
	err = cli_execute_hook(c, "hook-", row->name);
	if (!err)
		err = row->run(c, args);
	if (!err)
		err = cli_execute_hook(c, "hookpost-", row->name);
	if (err && (row->flags & COMMAND_OPENS) && c->status == STATUS_OK)
		c->status = STATUS_TARGET;
	if (c->json)
		add_text_object(c);
	c->command = outer;
	return err;
}

/* Takes "--json" out of the words of a command that knows it. */
static bool take_json(const struct command *row, char *args)
{
	static const char word[] = "--json";
	const size_t len = strlen(args), size = strlen(word);
	char *last = len >= size ? args + len - size : args;

	if (!(row->flags & COMMAND_JSON))
		return false;
	if (!strcmp(last, word) && (last == args || isspace((unsigned char)last[-1]))) {
		while (last > args && isspace((unsigned char)last[-1]))
			last--;
		*last = '\0';
		return true;
	}
	if (strncmp(args, word, size) != 0 || !isspace((unsigned char)args[size]))
		return false;
	const char *rest = args + size + strspn(args + size, " \t");
	memmove(args, rest, strlen(rest) + 1);
	return true;
}

/* The only one that does, in a session of texts. */
static struct error *run_as_json(struct cli *c, const struct command *row, const char *args)
{
	struct error *err = cli_flush(c);

	if (err)
		return err;
	c->json = true;
	err = run_row(c, row, args);
	struct error *failed = cli_flush(c);
	c->json = false;
	if (err)
		error_ignore(failed);
	return err ? err : failed;
}

bool cli_is_overtaken(const struct cli *c)
{
	return c->in_stop_commands && c->stops != c->stops_before;
}

/* Of breakpoints that were hit; they may let the program run to the next stop, with its own. */
static struct error *run_stop_commands(struct cli *c)
{
	struct error *err = NULL;

	if (c->in_stop_commands)
		return NULL;
	c->in_stop_commands = true;
	while (!err && !c->quits && c->stop_commands.len) {
		AUTO_BUF text = c->stop_commands;
		c->stop_commands = (struct buf){ 0 };
		c->stops_before = c->stops;
		err = cli_execute_text(c, buf_text(&text), NULL);
	}
	buf_clear(&c->stop_commands);
	c->in_stop_commands = false;
	return err;
}

static char *copy_args(const char *args, bool raw)
{
	size_t len = strlen(args);

	while (!raw && len && isspace((unsigned char)args[len - 1]))
		len--;
	return strndup(args, len);
}

struct error *cli_execute(struct cli *c, const char *line)
{
	const struct command *row;
	const char *args;

	line += strspn(line, " \t\r\n");
	if (!*line || *line == '#')
		return NULL;
	if (c->depth == DEPTH_MAX)
		return error_new(ERROR_USAGE, "max depth of commands in commands (%d) is exceeded",
				 DEPTH_MAX);
	struct error *err = command_find(&c->commands, line, &row, &args);
	if (err)
		return err;
	AUTO_FREE char *copy = copy_args(args, row->flags & COMMAND_RAW);
	if (!copy)
		return &error_nomem;
	if (!c->depth++)
		c->located = false;
	if (c->control)
		control_look_anew(c->control);
	bool here = true;
	if (c->elsewhere)
		err = c->elsewhere->execute(c, row, line, &here);
	if (!err && here)
		err = take_json(row, copy) && !c->json ? run_as_json(c, row, copy)
						       : run_row(c, row, copy);
	if (!err)
		err = run_stop_commands(c);
	if (!--c->depth && c->control && inferior_forget_lost(c->control) && !err)
		cli_warn(c,
			 "the process that traced the program has ended: 'run' or 'attach' again");
	return err;
}

static struct error *execute_hook_row(struct cli *c, const struct command *row)
{
	const struct command *outer = c->hook;

	/* A hook that calls its own command does not call itself. */
	if (row == outer)
		return NULL;
	const struct command *command = c->command;
	c->hook = c->command = row;
	struct error *err = row->run(c, "");
	c->hook = outer;
	c->command = command;
	return err;
}

struct error *cli_execute_hook(struct cli *c, const char *hook, const char *name)
{
	size_t len = strlen(hook);

	for (size_t i = c->commands.rows.len; i; i--) {
		const struct command *row = c->commands.rows.items[i - 1];
		if (*row->name != *hook || strncmp(row->name, hook, len) ||
		    strcmp(row->name + len, name) != 0)
			continue;
		return execute_hook_row(c, row);
	}
	return NULL;
}

static struct error *execute_line(struct cli *c, const char *line)
{
	AUTO_BUF expanded = { 0 };

	if (interrupt_take())
		return error_new(ERROR_GONE, "quit");
	if (c->arguments)
		arguments_expand(c->arguments, line, &expanded);
	else
		buf_adds(&expanded, line);
	if (!buf_ok(&expanded))
		return &error_nomem;
	line = buf_text(&expanded) + strspn(buf_text(&expanded), " \t");
	if (c->settings.trace_commands && *line && *line != '#')
		buf_addf(&c->out, "%.*s%s\n", (int)c->lines.depth, TRACE_MARKS, line);
	return cli_execute(c, line);
}

/* Where it went wrong: the innermost file and line say enough. */
static struct error *located(struct cli *c, const struct line_source *s, struct error *err)
{
	if (!s->name || c->located)
		return err;
	c->located = true;
	return error_add(err, "%s:%d: error in sourced command file", s->name, s->line);
}

static struct error *execute_lines(struct cli *c, struct line_source *s)
{
	AUTO_BUF line = { 0 };
	bool more = true;

	while (!c->quits && c->loop == LOOP_RUNS && !cli_is_overtaken(c)) {
		struct error *err = s->next(s, "", &line, &more);
		if (!err && !more)
			return NULL;
		if (!err)
			err = execute_line(c, buf_text(&line));
		if (err)
			return located(c, s, err);
	}
	return NULL;
}

struct error *cli_execute_text(struct cli *c, const char *text, const char *name)
{
	struct text_source t;

	text_source_init(&t, text, name);
	struct error *err = lines_push(&c->lines, &t.source);
	if (err)
		return err;
	err = execute_lines(c, &t.source);
	lines_pop(&c->lines);
	return err;
}

/* Blocks ---------------------------------------------------------------------------------- */

/* How a line changes the depth of a block; what is no command at all changes nothing. */
static int depth_change(struct cli *c, const char *line)
{
	const struct command *row;
	const char *args;

	if (!*line || *line == '#')
		return 0;
	if (!strncmp(line, "end", 3) && !line[3 + strspn(line + 3, " \t")])
		return -1;
	struct error *err = command_find(&c->commands, line, &row, &args);
	if (!err)
		return row->flags & COMMAND_HAS_BLOCK ? 1 : 0;
	error_ignore(err);
	return 0;
}

static int trimmed_length(const char *text)
{
	size_t len = strlen(text);

	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return (int)len;
}

static struct error *read_block(struct cli *c, const char *prompt, bool nested, struct buf *ret)
{
	struct line_source *s = c->lines.innermost;
	AUTO_BUF line = { 0 };
	int depth = 1;
	bool more;

	if (!s)
		return error_new(ERROR_USAGE, "there are no lines to read a block from");
	for (;;) {
		struct error *err = s->next(s, prompt, &line, &more);
		if (err)
			return err;
		if (!more && s->typed)
			return NULL;
		if (!more)
			return error_new(ERROR_USAGE, "a block ends without \"end\"");
		const char *text = buf_text(&line);
		text += strspn(text, " \t");
		int len = trimmed_length(text);
		int change = depth_change(c, text);
		depth += nested || change < 0 ? change : 0;
		if (!depth)
			return NULL;
		if (nested)
			buf_addf(ret, "%*s%.*s\n", 2 * (depth - 1 - (change > 0)), "", len, text);
		else
			buf_addf(ret, "%s\n", buf_text(&line));
	}
}

struct error *cli_read_block(struct cli *c, const char *prompt, struct buf *ret)
{
	return read_block(c, prompt, true, ret);
}

struct error *cli_read_text(struct cli *c, const char *prompt, struct buf *ret)
{
	return read_block(c, prompt, false, ret);
}

struct error *cli_init(struct cli *c)
{
	*c = (struct cli){ .child_status = -1,
			   .terminal.fd = -1,
			   .output = OUTPUT_INIT,
			   .out = { .flush = write_out } };
	return command_list_init(&c->commands);
}

void cli_renew(struct cli *c)
{
	setpgid(0, 0);
	interrupt_renew();
	terminal_close(&c->terminal);
	c->elsewhere = NULL;
	c->job = NULL;
	c->pages = false;
	buf_clear(&c->out);
	buf_clear(&c->objects);
	buf_clear(&c->object);
	buf_clear(&c->stop_commands);
	c->lines = (struct lines){ 0 };
	c->command = c->hook = NULL;
	c->arguments = NULL;
	c->depth = c->loops = 0;
	c->loop = LOOP_RUNS;
	c->located = c->in_stop_commands = c->repeats = c->quits = false;
	output_renew(&c->output);
}

void cli_fini(struct cli *c)
{
	if (c->elsewhere)
		c->elsewhere->end(c);
	error_ignore(cli_flush(c));
	data_state_free(c->data);
	control_free(c->control);
	terminal_close(&c->terminal);
	ear_leave(&c->ear, 0);
	output_fini(&c->output);
	buf_fini(&c->out);
	buf_fini(&c->objects);
	buf_fini(&c->object);
	buf_fini(&c->stop_commands);
	command_list_fini(&c->commands);
	user_commands_fini(&c->user);
	settings_fini(&c->settings);
	source_paths_fini(&c->source_paths);
}
