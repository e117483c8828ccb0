/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format.h"

#include <inttypes.h>

enum {
	NAME_WIDTH_MAX = 40, /* of the function column: longer names push their line's location */
	ADDRESS_DIGITS = 12, /* user space of x86-64 ends at 0x7fff_ffff_ffff                 */
};

/* The function column of a frame; returns its width. */
static size_t add_name(struct buf *out, const struct stack_frame *f)
{
	size_t start = out->len;

	if (f->signal) {
		buf_adds(out, "<signal handler called>");
	} else if (!f->function) {
		buf_adds(out, "??");
	} else {
		style_add_text(out, f->function);
		if (f->offset && !f->inlined)
			buf_addf(out, "+0x%" PRIx64, f->offset);
	}
	return style_width(out, start);
}

static void add_location(struct buf *out, const struct stack_frame *f)
{
	if (f->file) {
		buf_adds(out, "at ");
		style_add_line(out, f->file, f->line);
	} else if (f->module) {
		buf_adds(out, "in ");
		style_add_last_part(out, f->module);
		if (!f->function)
			buf_addf(out, "+0x%" PRIx64, f->offset);
	} else {
		buf_adds(out, "in no file");
	}
	if (f->guessed)
		buf_adds(out, "  (guessed)");
}

static void add_address(struct buf *out, const struct stack_frame *f)
{
	if (f->inlined)
		buf_addf(out, "%-*s", ADDRESS_DIGITS + 2, "inlined");
	else
		buf_addf(out, "0x%0*" PRIxTADDR, ADDRESS_DIGITS, f->pc);
}

/* Width of the function column of a thread. */
static size_t name_width(const struct stack_thread *t)
{
	AUTO_BUF scratch = { 0 };
	size_t widest = 0;

	for (size_t i = 0; i < t->frames.len; i++) {
		scratch.len = 0;
		size_t width = add_name(&scratch, &t->frames.items[i]);
		if (width > widest && width <= NAME_WIDTH_MAX)
			widest = width;
	}
	return widest;
}

struct columns {
	size_t number, name; /* widths */
};

static void add_frame(struct buf *out, const struct stack_thread *t, size_t i,
		      const struct columns *columns, const struct style *style)
{
	const struct stack_frame *f = &t->frames.items[i];

	buf_addf(out, "  #%-*zu  ", (int)columns->number, i);
	style_begin(out, INK_ADDRESS, style);
	add_address(out, f);
	style_end(out, style);
	buf_adds(out, "  ");
	style_begin(out, INK_NAME, style);
	size_t width = add_name(out, f);
	style_end(out, style);
	style_add_spaces(out, (width < columns->name ? columns->name - width : 0) + 2);
	style_begin(out, INK_WHERE, style);
	add_location(out, f);
	style_end(out, style);
	buf_addc(out, '\n');
}

static void add_end(struct buf *out, const struct stack_thread *t, const struct style *style)
{
	buf_adds(out, "  ");
	style_begin(out, INK_NOTE, style);
	buf_adds(out, t->frames.len ? "(stack ends here: " : "(");
	style_add_text(out, t->end);
	buf_addc(out, ')');
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_stacks_thread(struct buf *out, const struct stack_thread *t, const struct style *style)
{
	struct columns columns = {
		.number = style_digits(t->frames.len ? t->frames.len - 1 : 0),
		.name = name_width(t),
	};

	buf_addc(out, '\n');
	style_begin(out, INK_TITLE, style);
	buf_addf(out, "thread %d", t->lwp);
	if (*t->name) {
		buf_adds(out, " \"");
		style_add_text(out, t->name);
		buf_addc(out, '"');
	}
	style_end(out, style);
	buf_addc(out, '\n');
	for (size_t i = 0; i < t->frames.len; i++)
		add_frame(out, t, i, &columns, style);
	if (t->end)
		add_end(out, t, style);
}

void format_stacks_begin(struct buf *out, const struct stacks *s, const struct style *style)
{
	style_begin(out, INK_TITLE, style);
	if (s->core) {
		buf_adds(out, "core file ");
		style_add_text(out, s->core);
		buf_adds(out, " of ");
	}
	if (s->pid > 0)
		buf_addf(out, "process %d", s->pid);
	else
		buf_adds(out, "an unknown process");
	if (*s->exe) {
		buf_adds(out, " (");
		style_add_text(out, s->exe);
		buf_addc(out, ')');
	}
	buf_addf(out, ", %zu thread%s", s->threads.len, s->threads.len == 1 ? "" : "s");
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_stacks_note(struct buf *out, const char *note, const struct style *style)
{
	style_begin(out, INK_NOTE, style);
	buf_adds(out, "note: ");
	style_add_text(out, note);
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_stacks_end(struct buf *out, const struct stacks *s, const struct style *style)
{
	if (s->notes.len)
		buf_addc(out, '\n');
	for (size_t i = 0; i < s->notes.len; i++)
		format_stacks_note(out, s->notes.items[i], style);
}
