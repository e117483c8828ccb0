/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_frames.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"
#include "debugger/output/format_picture.h"

enum {
	NAME_WIDTH_MAX = 40, /* of the function column: longer names push their line's location */
	ADDRESS_DIGITS = 12, /* user space of x86-64 ends at 0x7fff_ffff_ffff */
	PERIOD_MAX = 4,      /* lines that repeat together */
	REPEATS_MIN = 3,     /* fewer are shown            */
};

/* What all lines of a run have in common. */
struct run {
	const struct format_frames *frames;
	const struct view *view;
	const struct style *style;
	size_t number_width, name_width; /* of columns; number 0: no numbers */
	struct buf name;                 /* owned; of the line at hand       */
};

void format_frames_name(struct buf *out, const struct view *v, const struct stitched_frame *f,
			const struct style *style)
{
	const struct stack_frame *machine = f->frame;

	if (machine && machine->signal)
		buf_adds(out, "<signal handler called>");
	else if (!f->function)
		buf_adds(out, "??");
	else if (v->raw)
		style_add_text(out, f->function);
	else
		style_add_function(out, f->function, style);
	if (v->raw && f->function && machine->offset && !machine->inlined && !machine->signal) {
		buf_adds(out, "+0x");
		buf_add_hex(out, machine->offset, 1);
	}
	if (f->construct)
		style_add_between(out, " [", f->construct, "]");
}

static const struct buf *name_of(struct run *run, const struct stitched_frame *f)
{
	run->name.len = 0;
	format_frames_name(&run->name, run->view, f, run->style);
	return &run->name;
}

static void add_address(struct buf *out, const struct stack_frame *f, const struct style *style)
{
	style_begin(out, INK_ADDRESS, style);
	if (f->inlined) {
		buf_addf(out, "%-*s", ADDRESS_DIGITS + 2, "inlined");
	} else {
		buf_adds(out, "0x");
		buf_add_hex(out, f->pc, ADDRESS_DIGITS);
	}
	style_end(out, style);
	buf_adds(out, "  ");
}

void format_frames_where(struct buf *out, const struct stitched_frame *f)
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

static void add_border(struct buf *out, struct run *run, const struct border *b)
{
	if (run->number_width)
		style_add_spaces(out, run->number_width + 3);
	style_begin(out, INK_BORDER, run->style);
	style_mark(out, MARK_RULE, run->style);
	buf_addc(out, ' ');
	format_picture_border(out, run->view, b);
	buf_addc(out, ' ');
	style_mark(out, MARK_RULE, run->style);
	style_end(out, run->style);
}

/* Hidden frames are of one colour. */
static void add_frame(struct buf *out, struct run *run, const struct format_frame *line)
{
	const struct stitched_frame *f = line->frame;
	const struct style plain = { 0 };

	if (run->number_width)
		buf_addf(out, "#%-*d  ", (int)run->number_width, line->number);
	if (run->view->raw)
		add_address(out, f->frame, run->style);
	if (f->hidden)
		style_begin(out, INK_HIDDEN, run->style);
	style_add_column(out, INK_NAME, name_of(run, f), run->name_width,
			 f->hidden ? &plain : run->style);
	buf_adds(out, "  ");
	if (!f->hidden)
		style_begin(out, INK_WHERE, run->style);
	format_frames_where(out, f);
	style_end(out, run->style);
}

static void add_values(struct buf *out, struct run *run, const struct format_frame *line)
{
	size_t i = (size_t)(line - run->frames->lines.items);
	AUTO_BUF prefix = { 0 };

	if (line->border || i >= run->frames->same.len)
		return;
	buf_adds(&prefix, run->frames->prefix);
	style_add_spaces(&prefix, run->number_width ? run->number_width + 5 : 4);
	format_frame_values(out, run->view, &run->frames->same.items[i], buf_text(&prefix),
			    run->style);
	out->failed |= prefix.failed;
}

static void add_line(struct buf *out, struct run *run, const struct format_frame *line)
{
	buf_adds(out, run->frames->prefix);
	if (line->border)
		add_border(out, run, &line->frame->border);
	else
		add_frame(out, run, line);
	buf_addc(out, '\n');
	add_values(out, run, line);
}

static void measure(struct run *run)
{
	int most = -1;

	vec_for_each (line, &run->frames->lines) {
		if (line->border)
			continue;
		size_t width = style_width(name_of(run, line->frame));
		if (width > run->name_width && width <= NAME_WIDTH_MAX)
			run->name_width = width;
		most = line->number > most ? line->number : most;
	}
	run->number_width = most < 0 ? 0 : style_digits((size_t)most);
}

/* Repeats --------------------------------------------------------------------------------- */

/* Each call has values of its own. */
static bool has_values(const struct view *v, const struct format_frame *line)
{
	return v->values && !line->border && frame_values_of(v->values, v->stacks, line->frame);
}

static bool same_line(const struct format_frame *a, const struct format_frame *b)
{
	return a->border == b->border && merge_same(a->frame, b->frame, a->border);
}

/* How often the "period" lines from i on come again right behind. */
static size_t count_repeats(const struct run *run, size_t i, size_t period)
{
	const struct format_frames *frames = run->frames;
	const struct format_frame *lines = frames->lines.items;
	size_t same = 0;

	while (i + period + same < frames->lines.len &&
	       same_line(&lines[i + same], &lines[i + period + same]) &&
	       !has_values(run->view, &lines[i + same]) &&
	       !has_values(run->view, &lines[i + period + same]))
		same++;
	return same / period;
}

/* How many lines repeat together from line i on; 0: none do. */
static size_t find_period(struct run *run, size_t i, size_t *ret_repeats)
{
	for (size_t period = 1; !run->view->raw && period <= PERIOD_MAX; period++) {
		size_t repeats = count_repeats(run, i, period);
		if (repeats < REPEATS_MIN)
			continue;
		*ret_repeats = repeats;
		return period;
	}
	return 0;
}

static void add_repeats(struct buf *out, struct run *run, size_t period, size_t repeats)
{
	buf_adds(out, run->frames->prefix);
	style_begin(out, INK_NOTE, run->style);
	if (period == 1)
		buf_addf(out, "(the same call %zu more times)", repeats);
	else
		buf_addf(out, "(these %zu lines %zu more times)", period, repeats);
	style_end(out, run->style);
	buf_addc(out, '\n');
}

/* Interpreters ---------------------------------------------------------------------------- */

/* By what the files that they are in begin with. */
static const struct interpreter {
	const char *file, *name;
} interpreters[] = {
	{ "libpython", "Python" },
	{ "python", "Python" },
	{ "libR.so", "R" },
	{ "libjulia", "Julia" },
};

/* Whose inner workings a frame is; NULL: it is a frame like others. */
static const char *interpreter_of(const struct run *run, const struct format_frame *line)
{
	const struct stack_frame *machine = line->frame->frame;
	const char *file = machine ? machine->module : NULL;

	if (!file || line->border || line->number >= 0 || has_values(run->view, line))
		return NULL;
	file = text_last_part(file);
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(*interpreters); i++) {
		if (strncmp(file, interpreters[i].file, strlen(interpreters[i].file)) == 0)
			return interpreters[i].name;
	}
	return NULL;
}

/* A run of an interpreter's frames is one line. Returns how many there are; 0: it is none. */
static size_t add_interpreted(struct buf *out, struct run *run, size_t i)
{
	const struct format_frame *lines = run->frames->lines.items;
	const bool all = run->view->raw || run->view->all_frames;
	const char *name = all ? NULL : interpreter_of(run, &lines[i]);
	size_t n = 1;

	while (name && i + n < run->frames->lines.len && interpreter_of(run, &lines[i + n]) == name)
		n++;
	if (!name || n == 1)
		return 0;
	buf_adds(out, run->frames->prefix);
	style_begin(out, INK_NOTE, run->style);
	buf_addf(out, "(%zu %s frames)", n, name);
	style_end(out, run->style);
	buf_addc(out, '\n');
	return n;
}

void format_frames(struct buf *out, const struct view *v, const struct format_frames *frames,
		   const struct style *style)
{
	struct run run = { .frames = frames, .view = v, .style = style };

	measure(&run);
	for (size_t i = 0; i < frames->lines.len;) {
		size_t folded = add_interpreted(out, &run, i);
		if (folded) {
			i += folded;
			continue;
		}
		size_t repeats = 0, period = find_period(&run, i, &repeats);
		for (size_t end = i + (period ? period : 1); i < end; i++)
			add_line(out, &run, &frames->lines.items[i]);
		if (period)
			add_repeats(out, &run, period, repeats);
		i += period * repeats;
	}
	buf_fini(&run.name);
}
