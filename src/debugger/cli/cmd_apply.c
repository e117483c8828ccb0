/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>

#include "debugger/cli/running.h"
#include "debugger/cli/thread_ids.h"
#include "debugger/cli/thread_table.h"

/* ---- flags ------------------------------------------------------------------------------ */

/* -q: without the line before each; -c: errors are told, and it goes on; -s: they are not. */
struct flags {
	bool quiet, goes_on, silent;
};

static struct error *parse_flags(const char **text, struct flags *ret)
{
	for (bool more = true; more && **text == '-';) {
		const char *word = *text;
		size_t len = strcspn(word, " \t");
		more = len != 2 || word[1] != '-';
		if (more && (len != 2 || !strchr("qcs", word[1])))
			return error_new(ERROR_USAGE, "'%.*s' is none of -q, -c, -s", (int)len,
					 word);
		ret->quiet |= word[1] == 'q';
		ret->goes_on |= word[1] == 'c';
		ret->silent |= word[1] == 's';
		*text = word + len + strspn(word + len, " \t");
	}
	if (ret->goes_on && ret->silent)
		return error_new(ERROR_USAGE, "-c and -s are mutually exclusive");
	return NULL;
}

/* What is printed meanwhile is kept. */
struct captured {
	struct buf out, objects;
};

static void capture(struct cli *c, struct captured *kept)
{
	*kept = (struct captured){ c->out, c->objects };
	c->out = c->objects = (struct buf){ 0 };
}

static void release(struct cli *c, struct captured *kept, struct captured *ret_said)
{
	*ret_said = (struct captured){ c->out, c->objects };
	c->out = kept->out;
	c->objects = kept->objects;
}

/* With -s: only what has something to say, below the line that says for what. */
static struct error *execute_silently(struct cli *c, const char *command,
				      struct error *(*add_head)(struct cli *c))
{
	struct captured kept, said;

	capture(c, &kept);
	struct error *err = cli_execute(c, command);
	release(c, &kept, &said);
	if (error_is(err, ERROR_GONE)) {
		buf_fini(&said.out);
		buf_fini(&said.objects);
		return err;
	}
	error_free(err);
	err = NULL;
	if (add_head && (said.out.len || said.objects.len))
		err = add_head(c);
	buf_add(&c->out, said.out.data, said.out.len);
	buf_add(&c->objects, said.objects.data, said.objects.len);
	buf_fini(&said.out);
	buf_fini(&said.objects);
	return err;
}

static struct error *execute(struct cli *c, const struct flags *flags, const char *command,
			     struct error *(*add_head)(struct cli *c))
{
	if (flags->quiet)
		add_head = NULL;
	if (flags->silent)
		return execute_silently(c, command, add_head);
	struct error *err = add_head ? add_head(c) : NULL;
	if (!err)
		err = cli_execute(c, command);
	if (!err || !flags->goes_on || error_is(err, ERROR_GONE))
		return err;
	cli_add_error(c, err);
	return NULL;
}

/* ---- threads ---------------------------------------------------------------------------- */

static struct error *add_thread(struct cli *c)
{
	thread_table_add_head(c);
	return NULL;
}

static struct error *apply_to_thread(struct cli *c, const struct thread_id *id,
				     const struct flags *flags, const char *command)
{
	struct debuggee d;

	/* The command before this one may have ended it. */
	if (!thread_ids_find(c, id, &d)) {
		AUTO_BUF text = { 0 };
		thread_ids_add(c, &text, id);
		cli_warn(c, "Thread %s has terminated.", buf_text(&text));
		return NULL;
	}
	struct error *err = thread_ids_select(c, id);
	return err ? err : execute(c, flags, command, add_thread);
}

/* What is selected, to be selected again. */
struct selected {
	int inferior;
	struct control_selection there;
	unsigned long stops;
};

static struct error *select_again(struct cli *c, const struct selected *before)
{
	struct debuggee d;
	struct error *err = NULL;

	/* A program that went on has selected who stopped it. */
	if (c->stops != before->stops || !forks_debuggee(c->control, before->inferior, &d) ||
	    !d.session || !threads_by_lwp(d.threads, before->there.lwp))
		return NULL;
	if (before->inferior != c->control->inferior)
		err = forks_select(c->control, before->inferior);
	if (!err)
		control_select_again(c->control, &before->there);
	return err;
}

static struct error *cmd_thread_apply(struct cli *c, const char *args)
{
	struct flags flags = { 0 };
	struct thread_ids ids = { 0 };
	const char *command = "";
	const struct selected before = { c->control->inferior, control_selection(c->control),
					 c->stops };

	const bool some = c->control->live || forks_are_kept(c->control);
	struct error *err = some ? NULL : error_new(ERROR_USAGE, "No threads.");
	if (!err && !*args)
		err = error_new(ERROR_USAGE, "Please specify a thread ID list");
	if (!err)
		err = thread_ids_parse(c, args, &ids, &command);
	if (!err)
		err = parse_flags(&command, &flags);
	if (!err && command == args)
		err = error_new(ERROR_USAGE, "Invalid thread ID: %s", args);
	if (!err && !*command)
		err = error_new(ERROR_USAGE,
				"Please specify a command at the end of 'thread apply'");
	vec_for_each (id, &ids) {
		if (!err)
			err = apply_to_thread(c, id, &flags, command);
	}
	vec_fini(&ids);
	struct error *second = select_again(c, &before);
	if (err)
		error_ignore(second);
	return err ? err : second;
}

/* ---- frames ----------------------------------------------------------------------------- */

/* "1", "3-5" */
struct levels {
	size_t first, last;
};

static struct error *read_levels(const char **text, struct levels *ret)
{
	char *end;
	long first = strtol(*text, &end, 10), last = first;

	if (end != *text && *end == '-' && isdigit((unsigned char)end[1]))
		last = strtol(end + 1, &end, 10);
	if (end == *text || (*end && !isspace((unsigned char)*end)) || first < 0 || last < first)
		return error_new(ERROR_USAGE, "Invalid frame level: %s", *text);
	*ret = (struct levels){ (size_t)first, (size_t)last };
	*text = end + strspn(end, " \t");
	return NULL;
}

static struct error *count_frames(struct cli *c, size_t *ret)
{
	const struct frame *frame;
	struct error *err = frames_get(&c->control->frames, c->settings.backtrace_limit, &frame);

	*ret = c->control->frames.items.len;
	return err;
}

/* "all", "3", "-3" */
static struct error *read_count(struct cli *c, const char **text, struct levels *ret)
{
	size_t all = 0;
	char *end;
	long n = strtol(*text, &end, 10);
	bool counted = end != *text && (!*end || isspace((unsigned char)*end));

	if (!counted &&
	    (strncmp(*text, "all", 3) != 0 || ((*text)[3] && !isspace((unsigned char)(*text)[3]))))
		return error_new(ERROR_USAGE,
				 **text ? "Invalid COUNT argument." : "Missing COUNT argument.");
	struct error *err = counted && n > 0 ? NULL : count_frames(c, &all);
	*ret = (struct levels){ 0, counted && n > 0 ? (size_t)n - 1 : all ? all - 1 : 0 };
	if (counted && n < 0 && (size_t)-n < all)
		ret->first = all - (size_t)-n;
	if (counted && !n)
		*ret = (struct levels){ 1, 0 };
	*text += counted ? (size_t)(end - *text) : 3;
	*text += strspn(*text, " \t");
	return err;
}

static struct error *add_frame(struct cli *c)
{
	return running_tell_frame(c, c->control->level, false);
}

static struct error *apply_to_levels(struct cli *c, const struct levels *which,
				     const struct flags *flags, const char *command)
{
	const unsigned long stops = c->stops;
	struct error *err = NULL;

	for (size_t i = which->first; !err && i <= which->last && c->stops == stops; i++) {
		const struct frame *frame;
		err = frames_get(&c->control->frames, i, &frame);
		if (err || !frame)
			return err;
		c->control->level = i;
		err = execute(c, flags, command, add_frame);
	}
	return err;
}

static struct error *cmd_frame_apply(struct cli *c, const char *args)
{
	struct flags flags = { 0 };
	VEC(struct levels) which = { 0 };
	struct levels some;
	size_t level = c->control->level;
	const unsigned long stops = c->stops;
	struct error *err = control_need_stack(c->control);

	if (!err && !strncmp(args, "level", 5) && isspace((unsigned char)args[5])) {
		args += 5 + strspn(args + 5, " \t");
		do {
			err = read_levels(&args, &some);
			if (!err && !vec_push(&which, some))
				err = &error_nomem;
		} while (!err && isdigit((unsigned char)*args));
	} else if (!err) {
		err = read_count(c, &args, &some);
		if (!err && !vec_push(&which, some))
			err = &error_nomem;
	}
	if (!err)
		err = parse_flags(&args, &flags);
	if (!err && !*args)
		err = error_new(ERROR_USAGE,
				"Please specify a command to apply on the selected frames");
	vec_for_each (w, &which) {
		if (!err)
			err = apply_to_levels(c, w, &flags, args);
	}
	vec_fini(&which);
	if (c->stops == stops)
		c->control->level = level;
	return err;
}

/* ---- in short --------------------------------------------------------------------------- */

static struct error *apply(struct cli *c, struct error *(*run)(struct cli *, const char *),
			   const char *before, const char *args)
{
	AUTO_BUF line = { 0 };

	if (!*args)
		return error_new(ERROR_USAGE, "Please specify a command to apply");
	buf_adds(&line, before);
	buf_adds(&line, args);
	return buf_ok(&line) ? run(c, buf_text(&line)) : &error_nomem;
}

static struct error *cmd_faas(struct cli *c, const char *args)
{
	return apply(c, cmd_frame_apply, "all -s ", args);
}

static struct error *cmd_taas(struct cli *c, const char *args)
{
	return apply(c, cmd_thread_apply, "all -s ", args);
}

static struct error *cmd_tfaas(struct cli *c, const char *args)
{
	return apply(c, cmd_thread_apply, "all -s -- frame apply all -s ", args);
}

/* ---- the table -------------------------------------------------------------------------- */

#define APPLY_FLAGS                                                                                \
	"With -q nothing is printed of which one it is; with -c what goes wrong in one is told "   \
	"and the others follow; with -s it is not told, nor those that have nothing to say."

#define APPLY(title, arguments, function, says, more)                                              \
	{                                                                                          \
		.name = (title), .args = (arguments), .class = CLASS_STACK,                        \
		.completes = COMPLETES_COMMAND, .run = (function), .summary = (says),              \
		.help = (more)                                                                     \
	}

static const struct command rows[] = {
	APPLY("frame apply", "all|N|-N|level LEVEL... [-q] [-c|-s] COMMAND", cmd_frame_apply,
	      "Execute a command in several frames: all, or the N innermost or outermost.",
	      APPLY_FLAGS),
	APPLY("thread apply", "all [-ascending]|team|N|I.N|I.*|T.N|T.*... [-q] [-c|-s] COMMAND",
	      cmd_thread_apply, "Execute a command in several threads.", APPLY_FLAGS),
	APPLY("faas", "COMMAND", cmd_faas, "The same as \"frame apply all -s\".", NULL),
	APPLY("taas", "COMMAND", cmd_taas, "The same as \"thread apply all -s\".", NULL),
	APPLY("tfaas", "COMMAND", cmd_tfaas,
	      "The same as \"thread apply all -s -- frame apply all -s\".", NULL),
};

const struct command_table cmd_apply_table = COMMAND_TABLE(rows);
