/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

enum {
	NAME_WIDTH_MAX = 40, /* of the function column: longer names push their line's location */
	ADDRESS_DIGITS = 12, /* user space of x86-64 ends at 0x7fff_ffff_ffff                 */
};

enum role { ROLE_TITLE, ROLE_ADDRESS, ROLE_NAME, ROLE_WHERE, ROLE_NOTE };

/* ECMA-48, "select graphic rendition"; the colours that gdb uses. */
static const char *const colors[] = {
	[ROLE_TITLE] = "1",  [ROLE_ADDRESS] = "34", [ROLE_NAME] = "33",
	[ROLE_WHERE] = "32", [ROLE_NOTE] = "35",
};

static void begin_role(struct buf *out, enum role role, const struct style *style)
{
	if (style->color)
		buf_addf(out, "\033[%sm", colors[role]);
}

static void end_role(struct buf *out, const struct style *style)
{
	if (style->color)
		buf_adds(out, "\033[m");
}

static void add_text(struct buf *out, const char *s)
{
	text_escape(out, s, strlen(s));
}

static void add_spaces(struct buf *out, size_t n)
{
	static const char spaces[] = "                                                ";

	for (; n >= sizeof(spaces); n -= sizeof(spaces) - 1)
		buf_adds(out, spaces);
	buf_add(out, spaces, n);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Columns that a terminal needs for the UTF-8 text in out from "start" on, one a character. */
static size_t width_from(const struct buf *out, size_t start)
{
	size_t width = 0;

	for (size_t i = start; i < out->len; i++)
		width += ((unsigned char)out->data[i] & 0xc0) != 0x80;
	return width;
}

static size_t digits_of(size_t n)
{
	size_t digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits;
}

/* The function column of a frame; returns its width. */
static size_t add_name(struct buf *out, const struct stack_frame *f)
{
	size_t start = out->len;

	if (f->signal) {
		buf_adds(out, "<signal handler called>");
	} else if (!f->function) {
		buf_adds(out, "??");
	} else {
		add_text(out, f->function);
		if (f->offset && !f->inlined)
			buf_addf(out, "+0x%" PRIx64, f->offset);
	}
	return width_from(out, start);
}

static void add_location(struct buf *out, const struct stack_frame *f)
{
	if (f->file) {
		buf_adds(out, "at ");
		add_text(out, last_part(f->file));
		if (f->line > 0)
			buf_addf(out, ":%d", f->line);
	} else if (f->module) {
		buf_adds(out, "in ");
		add_text(out, last_part(f->module));
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
	begin_role(out, ROLE_ADDRESS, style);
	add_address(out, f);
	end_role(out, style);
	buf_adds(out, "  ");
	begin_role(out, ROLE_NAME, style);
	size_t width = add_name(out, f);
	end_role(out, style);
	add_spaces(out, (width < columns->name ? columns->name - width : 0) + 2);
	begin_role(out, ROLE_WHERE, style);
	add_location(out, f);
	end_role(out, style);
	buf_addc(out, '\n');
}

static void add_end(struct buf *out, const struct stack_thread *t, const struct style *style)
{
	buf_adds(out, "  ");
	begin_role(out, ROLE_NOTE, style);
	buf_adds(out, t->frames.len ? "(stack ends here: " : "(");
	add_text(out, t->end);
	buf_addc(out, ')');
	end_role(out, style);
	buf_addc(out, '\n');
}

void format_stacks_thread(struct buf *out, const struct stack_thread *t, const struct style *style)
{
	struct columns columns = {
		.number = digits_of(t->frames.len ? t->frames.len - 1 : 0),
		.name = name_width(t),
	};

	buf_addc(out, '\n');
	begin_role(out, ROLE_TITLE, style);
	buf_addf(out, "thread %d", t->lwp);
	if (*t->name) {
		buf_adds(out, " \"");
		add_text(out, t->name);
		buf_addc(out, '"');
	}
	end_role(out, style);
	buf_addc(out, '\n');
	for (size_t i = 0; i < t->frames.len; i++)
		add_frame(out, t, i, &columns, style);
	if (t->end)
		add_end(out, t, style);
}

void format_stacks_begin(struct buf *out, const struct stacks *s, const struct style *style)
{
	begin_role(out, ROLE_TITLE, style);
	if (s->core) {
		buf_adds(out, "core file ");
		add_text(out, s->core);
		buf_adds(out, " of ");
	}
	if (s->pid > 0)
		buf_addf(out, "process %d", s->pid);
	else
		buf_adds(out, "an unknown process");
	if (*s->exe) {
		buf_adds(out, " (");
		add_text(out, s->exe);
		buf_addc(out, ')');
	}
	buf_addf(out, ", %zu thread%s", s->threads.len, s->threads.len == 1 ? "" : "s");
	end_role(out, style);
	buf_addc(out, '\n');
}

void format_stacks_end(struct buf *out, const struct stacks *s, const struct style *style)
{
	if (s->notes.len)
		buf_addc(out, '\n');
	for (size_t i = 0; i < s->notes.len; i++) {
		begin_role(out, ROLE_NOTE, style);
		buf_adds(out, "note: ");
		add_text(out, s->notes.items[i]);
		end_role(out, style);
		buf_addc(out, '\n');
	}
}
