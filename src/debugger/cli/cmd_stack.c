/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/data.h"
#include "debugger/cli/frame_choice.h"
#include "debugger/cli/running.h"
#include "debugger/cli/team_stack.h"
#include "debugger/cli/thread_table.h"
#include "debugger/output/format_stop.h"

/* ---- backtrace -------------------------------------------------------------------------- */

struct backtrace {
	bool raw, full;
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
		else if (!strcmp(*word, "full") || !strcmp(*word, "-full"))
			ret->full = true;
		else if (end != *word && !*end)
			ret->count = n;
		else
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

static struct error *add_frame(struct cli *c, size_t level, bool full, struct json *j)
{
	struct frames *f = &c->control->frames;
	struct error *err;

	if (!j) {
		err = running_tell_frame(c, level, false);
		return err || !full ? err : running_add_locals(c, f, level);
	}
	json_add_object(j, NULL);
	json_add_unsigned(j, "number", level);
	err = running_add_frame_members(c, j, f, level);
	if (!err && full)
		err = running_add_locals_array(c, j, f, level);
	json_end(j);
	return err;
}

static struct error *add_frames(struct cli *c, const struct backtrace *b, size_t first, size_t len,
				struct json *j)
{
	const struct frame *frame;

	for (size_t i = first; i < len; i++) {
		struct error *err = frames_get(&c->control->frames, i, &frame);
		if (err || !frame)
			return err;
		err = add_frame(c, i, b->full, j);
		if (err)
			return err;
	}
	return NULL;
}

/* Which frames are meant: from *first on, up to *len. */
static struct error *find_range(struct cli *c, const struct backtrace *b, size_t *first,
				size_t *len)
{
	struct error *err = NULL;

	*first = *len = 0;
	if (b->count > 0)
		*len = (size_t)b->count;
	else
		err = count_frames(c, len);
	if (!err && b->count < 0 && (size_t)-b->count < *len)
		*first = *len - (size_t)-b->count;
	return err;
}

/* Whether there are more, and why there are none; NULL: the stack is whole. */
static struct error *find_end(struct cli *c, const struct backtrace *b, size_t len, bool *more,
			      const char **end)
{
	const struct frame *frame = NULL;
	struct error *err = frames_get(&c->control->frames, len, &frame);

	*more = frame;
	*end = frame || (!b->raw && is_main_last(c)) ? NULL : frames_end(&c->control->frames);
	return err;
}

static struct error *add_object(struct cli *c, const struct backtrace *b)
{
	size_t first, len;
	bool more = false;
	const char *end = NULL;
	struct json j;
	struct error *err = find_range(c, b, &first, &len);

	if (err)
		return err;
	cli_json_begin(c, &j, "backtrace");
	json_add_integer(&j, "lwp", c->control->selected);
	json_add_array(&j, "frames");
	err = add_frames(c, b, first, len, &j);
	json_end(&j);
	if (!err)
		err = find_end(c, b, len, &more, &end);
	json_add_bool(&j, "more", more);
	json_add_string(&j, "end", end);
	cli_json_end(c, &j);
	return err;
}

static struct error *add_backtrace(struct cli *c, const struct backtrace *b)
{
	size_t first, len;
	bool more;
	const char *end;
	struct error *err = find_range(c, b, &first, &len);

	if (!err)
		err = add_frames(c, b, first, len, NULL);
	if (!err)
		err = find_end(c, b, len, &more, &end);
	if (err)
		return err;
	if (b->count > 0 && more)
		buf_adds(&c->out, "(More stack frames follow...)\n");
	if (end)
		style_add_between(&c->out, "Backtrace stopped: ", end, "\n");
	return NULL;
}

static struct error *cmd_backtrace(struct cli *c, const char *args)
{
	struct backtrace b = { 0 };
	bool stitched = false;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = parse_backtrace(args, &b);
	if (err)
		return err;
	c->control->frames.past_main = c->control->frames.linker_names = b.raw;
	if (!b.raw && b.count >= 0 && c->control->frames.thread)
		err = team_stack_add(c, b.count ? (size_t)b.count : c->settings.backtrace_limit,
				     b.full, &stitched);
	if (!err && !stitched)
		err = c->json ? add_object(c, &b) : add_backtrace(c, &b);
	c->control->frames.linker_names = false;
	return err;
}

/* ---- frames ----------------------------------------------------------------------------- */

static struct error *tell_selected(struct cli *c)
{
	const struct control *k = c->control;

	return running_tell_numbered(c, k->stitched.lwp ? k->stitched.number : k->level, true);
}

static void tell_switch(struct cli *c, pid_t before)
{
	if (c->control->selected != before)
		thread_table_tell(c, "Switching to thread");
}

static struct error *select_frame(struct cli *c, const char *args)
{
	const pid_t before = c->control->selected;
	struct error *err = frame_choice_select(c, args);

	tell_switch(c, before);
	return err;
}

static struct error *cmd_frame(struct cli *c, const char *args)
{
	struct error *err = select_frame(c, args);

	return err ? err : tell_selected(c);
}

static struct error *up(struct cli *c, const char *args)
{
	const struct frame *frame;
	bool is = false;
	size_t n;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = frame_choice_number(c, args, 1, &n);
	if (!err && c->control->frames.thread)
		err = team_stack_move(c, (long)n, &is);
	if (err || is)
		return err;
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
	bool is = false;
	size_t n;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = frame_choice_number(c, args, 1, &n);
	if (!err && c->control->frames.thread)
		err = team_stack_move(c, -(long)n, &is);
	if (err || is)
		return err;
	size_t level = c->control->level;
	if (!level)
		return error_new(ERROR_USAGE,
				 "Bottom (innermost) frame selected; you can't go down.");
	return control_select_frame(c->control, n < level ? level - n : 0);
}

static struct error *cmd_up(struct cli *c, const char *args)
{
	const pid_t before = c->control->selected;
	struct error *err = up(c, args);

	if (!err)
		tell_switch(c, before);
	return err ? err : tell_selected(c);
}

static struct error *cmd_down(struct cli *c, const char *args)
{
	const pid_t before = c->control->selected;
	struct error *err = down(c, args);

	if (!err)
		tell_switch(c, before);
	return err ? err : tell_selected(c);
}

/* ---- the table -------------------------------------------------------------------------- */

#define STACK(n, shorts, arguments, completion, flag, function, says)                              \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments), .class = CLASS_STACK,   \
		.completes = (completion), .flags = (flag), .run = (function), .summary = (says)   \
	}

static const struct command rows[] = {
	STACK("backtrace", "bt where", "[-raw] [full] [N|-N]", COMPLETES_NOTHING, 0, cmd_backtrace,
	      "The call stack of the selected thread; N: so many frames from the inside, -N from "
	      "the outside; full: with their variables."),
	{ .name = "frame",
	  .short_names = "f",
	  .args = "[[level] N | function NAME | address CFA]",
	  .class = CLASS_STACK,
	  .completes = COMPLETES_LOCATION,
	  .run = cmd_frame,
	  .summary = "Select a frame of the stack, and show it.",
	  .help = "N is a number that backtrace shows; where that frame is one of the thread that "
		  "has begun the region, that thread is selected, and the stack stays the same. "
		  "The runtime's frames of the thread itself, which backtrace -raw shows alone, "
		  "have the numbers in between; up and down leave them out." },
	STACK("select-frame", NULL, "[[level] N | function NAME | address CFA]", COMPLETES_LOCATION,
	      0, select_frame, "As frame, but says nothing."),
	STACK("up", NULL, "[N]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_up,
	      "Select the frame that has called this one, of those that backtrace shows: behind "
	      "the "
	      "outermost one of a thread is who has begun its parallel region."),
	STACK("down", "dow", "[N]", COMPLETES_NOTHING, COMMAND_REPEATS, cmd_down,
	      "Select the frame that this one has called, of those that backtrace shows."),
	STACK("up-silently", NULL, "[N]", COMPLETES_NOTHING, 0, up, "As up, but says nothing."),
	STACK("down-silently", NULL, "[N]", COMPLETES_NOTHING, 0, down,
	      "As down, but says nothing."),
	{ .name = "info stack",
	  .short_names = "s",
	  .args = "[-raw] [full] [N|-N]",
	  .class = CLASS_STATUS,
	  .run = cmd_backtrace,
	  .summary = "The same as backtrace." },
};

const struct command_table cmd_stack_table = COMMAND_TABLE(rows);
