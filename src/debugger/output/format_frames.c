/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_frames.h"

#include <inttypes.h>

#include "debugger/merge.h"
#include "debugger/output/format_picture.h"

enum {
	NAME_WIDTH_MAX = 40, /* of the function column: longer names push their line's location */
	PERIOD_MAX = 4,      /* lines that repeat together */
	REPEATS_MIN = 3,     /* fewer are shown            */
};

struct columns {
	size_t number, name; /* widths; number 0: no numbers */
};

/* The function column of a frame; returns its width. */
static size_t add_name(struct buf *out, const struct stitched_frame *f)
{
	size_t start = out->len;

	if (f->frame && f->frame->signal)
		buf_adds(out, "<signal handler called>");
	else if (!f->function)
		buf_adds(out, "??");
	else
		style_add_text(out, f->function);
	if (f->construct) {
		buf_adds(out, " [");
		style_add_text(out, f->construct);
		buf_addc(out, ']');
	}
	return style_width(out, start);
}

static void add_location(struct buf *out, const struct stitched_frame *f)
{
	const struct stack_frame *machine = f->frame;

	if (f->file) {
		buf_adds(out, "at ");
		style_add_line(out, f->file, f->line);
	} else if (machine && machine->module) {
		buf_adds(out, "in ");
		style_add_last_part(out, machine->module);
		if (!f->function)
			buf_addf(out, "+0x%" PRIx64, machine->offset);
	} else if (machine) {
		buf_adds(out, "in no file");
	}
	if (!machine)
		buf_adds(out, f->file ? "  (tail-called away)" : "(tail-called away)");
	else if (machine->guessed)
		buf_adds(out, "  (guessed)");
}

static void add_number(struct buf *out, const struct format_frame *line,
		       const struct columns *columns)
{
	if (!columns->number)
		return;
	if (line->border)
		style_add_spaces(out, columns->number + 3);
	else
		buf_addf(out, "#%-*d  ", (int)columns->number, line->number);
}

static void add_border(struct buf *out, const struct view *v, const struct border *b,
		       const struct style *style)
{
	style_begin(out, INK_BORDER, style);
	style_mark(out, MARK_RULE, style);
	buf_addc(out, ' ');
	format_picture_border(out, v, b);
	buf_addc(out, ' ');
	style_mark(out, MARK_RULE, style);
	style_end(out, style);
}

/* Hidden frames are of one colour. */
static void add_frame(struct buf *out, const struct stitched_frame *f,
		      const struct columns *columns, const struct style *style)
{
	style_begin(out, f->hidden ? INK_HIDDEN : INK_NAME, style);
	size_t width = add_name(out, f);
	if (!f->hidden)
		style_end(out, style);
	style_add_spaces(out, (width < columns->name ? columns->name - width : 0) + 2);
	if (!f->hidden)
		style_begin(out, INK_WHERE, style);
	add_location(out, f);
	style_end(out, style);
}

static bool same_line(const struct format_frame *a, const struct format_frame *b)
{
	return a->border == b->border && merge_same(a->frame, b->frame, a->border);
}

/* How often the "period" lines from i on come again right behind. */
static size_t count_repeats(const struct format_frames *frames, size_t i, size_t period)
{
	const struct format_frame *lines = frames->lines.items;
	size_t same = 0;

	while (i + period + same < frames->lines.len &&
	       same_line(&lines[i + same], &lines[i + period + same]))
		same++;
	return same / period;
}

static struct columns measure(const struct format_frames *frames)
{
	AUTO_BUF scratch = { 0 };
	struct columns columns = { 0 };
	int most = -1;

	vec_for_each (line, &frames->lines) {
		scratch.len = 0;
		if (line->border)
			continue;
		size_t width = add_name(&scratch, line->frame);
		if (width > columns.name && width <= NAME_WIDTH_MAX)
			columns.name = width;
		if (line->number > most)
			most = line->number;
	}
	columns.number = most < 0 ? 0 : style_digits((size_t)most);
	return columns;
}

static void add_repeats(struct buf *out, const struct format_frames *frames, size_t period,
			size_t repeats, const struct style *style)
{
	buf_adds(out, frames->prefix);
	style_begin(out, INK_NOTE, style);
	if (period == 1)
		buf_addf(out, "(the same call %zu more times)", repeats);
	else
		buf_addf(out, "(these %zu lines %zu more times)", period, repeats);
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_frames_add(struct buf *out, const struct view *v, const struct format_frames *frames,
		       const struct style *style)
{
	struct columns columns = measure(frames);
	size_t period = 0, repeats = 0, block_end = 0;

	for (size_t i = 0; i < frames->lines.len; i++) {
		const struct format_frame *line = &frames->lines.items[i];
		for (size_t p = 1; !repeats && p <= PERIOD_MAX; p++) {
			size_t n = count_repeats(frames, i, p);
			if (n < REPEATS_MIN)
				continue;
			period = p;
			repeats = n;
			block_end = i + p;
		}
		buf_adds(out, frames->prefix);
		add_number(out, line, &columns);
		if (line->border)
			add_border(out, v, &line->frame->border, style);
		else
			add_frame(out, line->frame, &columns, style);
		buf_addc(out, '\n');
		if (repeats && i + 1 == block_end) {
			add_repeats(out, frames, period, repeats, style);
			i += period * repeats;
			repeats = 0;
		}
	}
}
