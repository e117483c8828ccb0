/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "debugger/cli/arguments.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/cli/team_stack.h"
#include "debugger/cli/thread_table.h"
#include "debugger/output/format_stop.h"

/* ---- backtrace -------------------------------------------------------------------------- */

struct backtrace {
	bool raw;
	long count; /* so many of the innermost; negative: of the outermost; 0: all */
};

static struct error *parse_backtrace(const char *args, struct backtrace *ret)
{
	AUTO_ARGUMENTS words = { 0 };
	struct error *err = arguments_parse(args, false, &words);

	vec_for_each (word, &words) {
		char *end;
		long n = strtol(*word, &end, 10);
		if (!strcmp(*word, "-raw"))
			ret->raw = true;
		else if (end != *word && !*end)
			ret->count = n;
		else if (strcmp(*word, "full") != 0)
			return error_new(ERROR_USAGE,
					 "'%s' is neither a number of frames nor -raw or full",
					 *word);
	}
	return err;
}

/* How many frames there are, all of them unwound. */
static struct error *count_frames(struct cli *c, size_t *ret)
{
	struct frames *f = &c->control->frames;
	const struct frame *frame;
	struct error *err = frames_get(f, c->settings.backtrace_limit, &frame);

	*ret = f->items.len < c->settings.backtrace_limit ? f->items.len
							  : c->settings.backtrace_limit;
	return err;
}

static bool is_main_last(struct cli *c)
{
	const struct frames *f = &c->control->frames;

	const struct frame *last = f->items.len ? &f->items.items[f->items.len - 1] : NULL;

	return last && frames_is_main(f, last);
}

static struct error *add_backtrace(struct cli *c, const struct backtrace *b)
{
	size_t first = 0, len = 0;
	struct error *err = NULL;

	if (b->count > 0)
		len = (size_t)b->count;
	else
		err = count_frames(c, &len);
	if (!err && b->count < 0 && (size_t)-b->count < len)
		first = len - (size_t)-b->count;
	const struct frame *frame = NULL;
	for (size_t i = first; !err && i < len; i++) {
		err = frames_get(&c->control->frames, i, &frame);
		if (!frame)
			break;
		if (!err)
			err = running_tell_frame(c, i, false);
	}
	if (err)
		return err;
	err = frames_get(&c->control->frames, len, &frame);
	if (!err && b->count > 0 && frame)
		buf_adds(&c->out, "(More stack frames follow...)\n");
	const char *end = frames_end(&c->control->frames);
	if (!err && end && !frame && (b->raw || !is_main_last(c)))
		style_add_between(&c->out, "Backtrace stopped: ", end, "\n");
	return err;
}

static struct error *cmd_backtrace(struct cli *c, const char *args)
{
	struct backtrace b = { 0 };
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = parse_backtrace(args, &b);
	if (err)
		return err;
	bool stitched = false;
	c->control->frames.past_main = b.raw;
	if (!b.raw && b.count >= 0 && c->control->frames.thread)
		err = team_stack_add(c, b.count ? (size_t)b.count : c->settings.backtrace_limit,
				     &stitched);
	return err || stitched ? err : add_backtrace(c, &b);
}

/* ---- frames ----------------------------------------------------------------------------- */

static struct error *tell_selected(struct cli *c)
{
	return running_tell_frame(c, c->control->level, true);
}

static struct error *parse_level(const char *args, size_t otherwise, size_t *ret)
{
	*ret = otherwise;
	if (!strncmp(args, "level ", 6))
		args += 6;
	return *args ? options_parse_size(args, 0, INT_MAX, ret) : NULL;
}

static struct error *cmd_frame(struct cli *c, const char *args)
{
	size_t level;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = parse_level(args, c->control->level, &level);
	if (!err)
		err = control_select_frame(c->control, level);
	return err ? err : tell_selected(c);
}

static struct error *up(struct cli *c, const char *args)
{
	const struct frame *frame;
	size_t n;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = parse_level(args, 1, &n);
	if (!err)
		err = frames_get(&c->control->frames, c->control->level + n, &frame);
	if (err)
		return err;
	size_t last = c->control->frames.items.len - 1;
	if (!frame && c->control->level == last)
		return error_new(ERROR_USAGE, "Initial frame selected; you can't go up.");
	return control_select_frame(c->control, frame ? c->control->level + n : last);
}

static struct error *down(struct cli *c, const char *args)
{
	size_t n;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = parse_level(args, 1, &n);
	if (err)
		return err;
	size_t level = c->control->level;
	if (!level)
		return error_new(ERROR_USAGE,
				 "Bottom (innermost) frame selected; you can't go down.");
	return control_select_frame(c->control, n < level ? level - n : 0);
}

static struct error *cmd_up(struct cli *c, const char *args)
{
	struct error *err = up(c, args);

	return err ? err : tell_selected(c);
}

static struct error *cmd_down(struct cli *c, const char *args)
{
	struct error *err = down(c, args);

	return err ? err : tell_selected(c);
}

static struct error *cmd_frame_apply(struct cli *c, const char *args)
{
	size_t len = strcspn(args, " \t"), n, before = c->control->level;
	AUTO_FREE char *word = strndup(args, len);
	const char *command = args + len + strspn(args + len, " \t");
	struct error *err = word ? control_need_stack(c->control) : &error_nomem;

	if (!err && (!len || !*command))
		err = error_new(ERROR_USAGE, "Missing COUNT or 'all', or a command.");
	if (!err && !strcmp(word, "all"))
		err = count_frames(c, &n);
	else if (!err)
		err = options_parse_size(word, 1, INT_MAX, &n);
	for (size_t i = 0; !err && i < n; i++) {
		const struct frame *frame;
		err = frames_get(&c->control->frames, i, &frame);
		if (err || !frame)
			break;
		c->control->level = i;
		err = running_tell_frame(c, i, false);
		if (!err)
			err = cli_execute(c, command);
	}
	c->control->level = before;
	return err;
}

/* ---- a frame in full --------------------------------------------------------------------- */

/* "0x555555555131 in main (a.c:6)" */
static struct error *add_pc(struct cli *c, const struct frame *f)
{
	AUTO(report_place_fini) struct report_place place = { 0 };
	struct error *err = frames_place(&c->control->frames, f, &place);

	if (err)
		return err;
	buf_addf(&c->out, "0x%" PRIxTADDR, f->pc);
	if (place.function)
		style_add_between(&c->out, " in ", place.function, "");
	if (place.file) {
		buf_adds(&c->out, " (");
		style_add_line(&c->out, place.file, place.line);
		buf_addc(&c->out, ')');
	}
	return NULL;
}

/* The next frame out that is called, not inlined; NULL: there is none. */
static const struct unwind_frame *caller_of(struct cli *c, size_t raw)
{
	const struct unwind_frame *caller = NULL;

	error_ignore(frames_raw(&c->control->frames, raw + 1, &caller));
	return caller;
}

static struct error *cmd_info_frame(struct cli *c, const char *args)
{
	const char *pc = c->control->live ? c->control->live->target->arch->pc->name : "pc";
	const struct frame *shown;
	struct error *err = control_need_stack(c->control);

	(void)args;
	if (!err)
		err = frames_get(&c->control->frames, c->control->level, &shown);
	if (err)
		return err;
	if (!shown)
		return error_new(ERROR_USAGE, "No stack.");
	const struct frame f = *shown;
	buf_addf(&c->out, "Stack level %zu, frame at 0x%" PRIxTADDR ":\n %s = ", c->control->level,
		 f.cfa, pc);
	err = add_pc(c, &f);
	const struct unwind_frame *caller = caller_of(c, f.raw);
	if (caller)
		buf_addf(&c->out, "; saved %s = 0x%" PRIxTADDR "\n", pc, caller->pc);
	else
		buf_adds(&c->out, "\n Outermost frame\n");
	if (f.inlined)
		buf_addf(&c->out, " inlined into frame %zu\n", c->control->level + 1);
	else if (caller)
		buf_addf(&c->out, " called by frame at 0x%" PRIxTADDR "\n", caller->cfa);
	buf_addf(&c->out, " Previous frame's sp is 0x%" PRIxTADDR "\n", f.cfa);
	return err;
}

/* ---- threads ---------------------------------------------------------------------------- */

static struct error *cmd_info_threads(struct cli *c, const char *args)
{
	bool grouped = !strcmp(args, "-g");

	if (*args && !grouped)
		return error_new(ERROR_USAGE, "info threads takes -g alone, not '%s'", args);
	if (!c->control->live) {
		buf_adds(&c->out, "No threads.\n");
		return NULL;
	}
	return thread_table_add(c, grouped);
}

static void tell_thread(struct cli *c, const char *what)
{
	const struct numbered_thread *th =
		threads_by_lwp(&c->control->threads, c->control->selected);

	if (th)
		buf_addf(&c->out, "[%s %d (LWP %d)]\n", what, th->number, th->lwp);
}

static struct error *cmd_thread(struct cli *c, const char *args)
{
	size_t number;

	if (!c->control->live)
		return error_new(ERROR_USAGE, "No thread selected");
	if (!*args) {
		tell_thread(c, "Current thread is");
		return NULL;
	}
	struct error *err = options_parse_size(args, 1, INT_MAX, &number);
	if (err) {
		error_free(err);
		return error_new(ERROR_USAGE, "Invalid thread ID: %s", args);
	}
	err = control_select_thread(c->control, (int)number);
	if (err)
		return err;
	tell_thread(c, "Switching to thread");
	return tell_selected(c);
}

/* "all", "1-4", "1 3": the threads that words name; what follows is the command. */
static struct error *parse_threads(struct cli *c, const char *args, struct ints *ret,
				   const char **ret_command)
{
	const struct threads *threads = &c->control->threads;

	if (!strncmp(args, "all", 3) && (isspace((unsigned char)args[3]) || !args[3])) {
		for (size_t i = threads->items.len; i > 0; i--) {
			if (!threads->items.items[i - 1].ended && !vec_push(ret, (int)i))
				return &error_nomem;
		}
		*ret_command = args + 3 + strspn(args + 3, " \t");
		return NULL;
	}
	while (isdigit((unsigned char)*args)) {
		char *end;
		long first = strtol(args, &end, 10), last = first;
		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (long n = first; n <= last && n <= (long)threads->items.len; n++) {
			if (!threads_by_number(threads, (int)n))
				return error_new(ERROR_NOT_FOUND, "Unknown thread %ld.", n);
			if (!vec_push(ret, (int)n))
				return &error_nomem;
		}
		if (last > (long)threads->items.len)
			return error_new(ERROR_NOT_FOUND, "Unknown thread %ld.", last);
		args = end + strspn(end, " \t");
	}
	*ret_command = args;
	return NULL;
}

static struct error *apply_to(struct cli *c, int number, const char *command, bool quiet)
{
	struct error *err = control_select_thread(c->control, number);

	if (err)
		return err;
	const struct numbered_thread *th = threads_by_number(&c->control->threads, number);
	if (!quiet) {
		buf_addf(&c->out, "\nThread %d (LWP %d \"", number, th->lwp);
		style_add_text(&c->out, thread_table_name(c, th));
		buf_adds(&c->out, "\"):\n");
	}
	return cli_execute(c, command);
}

static struct error *cmd_thread_apply(struct cli *c, const char *args)
{
	struct ints numbers = { 0 };
	const char *command = "";
	pid_t before = c->control->selected;
	size_t level = c->control->level, hidden = c->control->frames.hidden;
	struct error *err = c->control->live ? NULL : error_new(ERROR_USAGE, "No threads.");
	bool quiet = false;

	if (!err)
		err = parse_threads(c, args, &numbers, &command);
	while (!err && (!strncmp(command, "-q ", 3) || !strncmp(command, "-s ", 3))) {
		quiet |= command[1] == 'q';
		command += 3;
	}
	if (!err && (!numbers.len || !*command))
		err = error_new(ERROR_USAGE, "Please specify a command at the end of 'thread apply "
					     "all|N...'");
	for (size_t i = 0; !err && i < numbers.len; i++)
		err = apply_to(c, numbers.items[i], command, quiet);
	vec_fini(&numbers);
	if (c->control->live) {
		control_select_lwp(c->control, before, hidden);
		c->control->level = level;
	}
	return err;
}

static struct error *cmd_thread_name(struct cli *c, const char *args)
{
	struct numbered_thread *th = threads_by_lwp(&c->control->threads, c->control->selected);
	char *name = *args ? strdup(args) : NULL;

	if (!th || (*args && !name)) {
		free(name);
		return th ? &error_nomem : error_new(ERROR_USAGE, "No thread selected");
	}
	free(th->name);
	th->name = name;
	return NULL;
}

static struct error *cmd_thread_find(struct cli *c, const char *args)
{
	bool found = false;

	if (!*args)
		return error_new(ERROR_USAGE, "a part of a name, or a number, is missing");
	vec_for_each (th, &c->control->threads.items) {
		AUTO_BUF lwp = { 0 };
		if (th->ended || !c->control->live)
			continue;
		buf_addf(&lwp, "LWP %d", th->lwp);
		if (!strstr(thread_table_name(c, th), args) && !strstr(buf_text(&lwp), args))
			continue;
		buf_addf(&c->out, "Thread %d has name '", th->number);
		style_add_text(&c->out, thread_table_name(c, th));
		buf_addf(&c->out, "' and is LWP %d\n", th->lwp);
		found = true;
	}
	if (!found)
		style_add_between(&c->out, "No threads match '", args, "'\n");
	return NULL;
}

static struct error *freeze(struct cli *c, const char *args, bool frozen)
{
	struct ints numbers = { 0 };
	const char *rest = "";
	struct numbered_thread *selected =
		threads_by_lwp(&c->control->threads, c->control->selected);
	struct error *err = parse_threads(c, args, &numbers, &rest);

	if (!err && *rest)
		err = error_new(ERROR_USAGE, "'%s' is no number of a thread", rest);
	if (!err && !numbers.len && !selected)
		err = error_new(ERROR_USAGE, "No thread selected");
	if (!err && !numbers.len)
		selected->frozen = frozen;
	vec_for_each (n, &numbers) {
		if (!err)
			threads_by_number(&c->control->threads, *n)->frozen = frozen;
	}
	vec_fini(&numbers);
	return err;
}

static struct error *cmd_freeze(struct cli *c, const char *args)
{
	return freeze(c, args, true);
}

static struct error *cmd_thaw(struct cli *c, const char *args)
{
	return freeze(c, args, false);
}

/* ---- the table -------------------------------------------------------------------------- */

#define STACK(n, shorts, arguments, completion, flag, function, says)                              \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments), .class = CLASS_STACK,   \
		.completes = (completion), .flags = (flag), .run = (function), .summary = (says)   \
	}

static const struct command rows[] = {
	STACK("backtrace", "bt where", "[-raw] [N|-N]", COMPLETES_NOTHING, 0, cmd_backtrace,
	      "The call stack of the selected thread; N: so many frames from the inside, -N from "
	      "the outside."),
	STACK("frame", "f", "[N]", COMPLETES_NOTHING, 0, cmd_frame,
	      "Select a frame of the stack, and show it."),
	STACK("frame apply", NULL, "N|all COMMAND", COMPLETES_COMMAND, 0, cmd_frame_apply,
	      "Execute a command in several frames."),
	STACK("up", NULL, "[N]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_up,
	      "Select the frame that has called this one."),
	STACK("down", "dow", "[N]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_down,
	      "Select the frame that this one has called."),
	STACK("up-silently", NULL, "[N]", COMPLETES_NOTHING, 0, up, "As up, but says nothing."),
	STACK("down-silently", NULL, "[N]", COMPLETES_NOTHING, 0, down,
	      "As down, but says nothing."),
	STACK("thread", "t", "[N]", COMPLETES_THREAD, 0, cmd_thread,
	      "Select a thread; or say which one is selected."),
	STACK("thread apply", NULL, "all|N... COMMAND", COMPLETES_COMMAND, 0, cmd_thread_apply,
	      "Execute a command in several threads."),
	STACK("thread name", NULL, "[NAME]", COMPLETES_NOTHING, 0, cmd_thread_name,
	      "Give the selected thread a name."),
	STACK("thread find", NULL, "TEXT", COMPLETES_NOTHING, 0, cmd_thread_find,
	      "Find threads by their names or numbers."),
	STACK("freeze", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_freeze,
	      "Let threads stay where they are when the program goes on."),
	STACK("thaw", NULL, "[N...|all]", COMPLETES_THREAD, 0, cmd_thaw,
	      "Let frozen threads go on with the others again."),
	{ .name = "info frame",
	  .short_names = "info f",
	  .args = "",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_NOTHING,
	  .run = cmd_info_frame,
	  .summary = "The selected frame: where it is, who called it." },
	{ .name = "info threads",
	  .args = "[-g]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_THREAD,
	  .run = cmd_info_threads,
	  .summary = "The threads of the program, where they stand, and what they do in OpenMP.",
	  .help = "With -g, threads that stand at the same place and wait for the same are one "
		  "line." },
	{ .name = "info stack",
	  .short_names = "s",
	  .args = "[-raw] [N|-N]",
	  .class = CLASS_STATUS,
	  .run = cmd_backtrace,
	  .summary = "The same as backtrace." },
};

const struct command_table cmd_stack_table = COMMAND_TABLE(rows);
