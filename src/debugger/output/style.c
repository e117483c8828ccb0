/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/style.h"

#include <string.h>

#include "base/text.h"
#include "debugger/output/short_name.h"

/* ECMA-48, "select graphic rendition"; where gdb has the same thing, its colours. */
static const char *const colors[NUM_INKS] = {
	[INK_TITLE] = "1",   [INK_ADDRESS] = "34", [INK_NAME] = "33",   [INK_WHERE] = "32",
	[INK_NOTE] = "35",   [INK_HIDDEN] = "2",   [INK_BORDER] = "36", [INK_WAIT] = "35",
	[INK_BUSY] = "1;31", [INK_IDLE] = "2",
};

static const struct {
	const char *ascii, *utf8;
} marks[NUM_MARKS] = {
	[MARK_BRANCH] = { "+- ", "├─ " }, [MARK_LAST] = { "`- ", "└─ " },
	[MARK_PASS] = { "|  ", "│  " },   [MARK_GAP] = { "   ", "   " },
	[MARK_RULE] = { "--", "──" },     [MARK_ARROW] = { "=> ", "→ " },
};

void style_begin(struct buf *out, enum ink ink, const struct style *style)
{
	if (style->color)
		buf_addf(out, "\033[%sm", colors[ink]);
}

void style_end(struct buf *out, const struct style *style)
{
	if (style->color)
		buf_adds(out, "\033[m");
}

void style_mark(struct buf *out, enum mark mark, const struct style *style)
{
	buf_adds(out, style->utf8 ? marks[mark].utf8 : marks[mark].ascii);
}

void style_add_text(struct buf *out, const char *s)
{
	text_escape(out, s, strlen(s));
}

void style_add_source(struct buf *out, const char *s)
{
	for (const char *tab = strchr(s, '\t'); tab; tab = strchr(s, '\t')) {
		text_escape(out, s, (size_t)(tab - s));
		buf_addc(out, '\t');
		s = tab + 1;
	}
	style_add_text(out, s);
}

void style_add_between(struct buf *out, const char *before, const char *s, const char *after)
{
	buf_adds(out, before);
	style_add_text(out, s);
	buf_adds(out, after);
}

void style_add_function(struct buf *out, const char *name, const struct style *style)
{
	AUTO_BUF text = { 0 };

	if (!style->long_names)
		short_name_add(&text, name);
	style_add_text(out, style->long_names ? name : buf_text(&text));
	out->failed |= text.failed;
}

void style_add_inked(struct buf *out, enum ink ink, const char *s, const struct style *style)
{
	style_begin(out, ink, style);
	style_add_text(out, s);
	style_end(out, style);
}

void style_add_column(struct buf *out, enum ink ink, const struct buf *text, size_t width,
		      const struct style *style)
{
	size_t used = style_width(text);

	style_begin(out, ink, style);
	buf_add(out, text->data, text->len);
	style_end(out, style);
	style_add_spaces(out, used < width ? width - used : 0);
	out->failed |= text->failed;
}

void style_add_last_part(struct buf *out, const char *path)
{
	style_add_text(out, path ? text_last_part(path) : "??");
}

void style_add_line(struct buf *out, const char *file, int line)
{
	style_add_last_part(out, file);
	if (line > 0) {
		buf_addc(out, ':');
		buf_add_decimal(out, (uint64_t)line, 1);
	}
}

void style_add_spaces(struct buf *out, size_t n)
{
	static const char spaces[] = "                                                ";

	for (; n >= sizeof(spaces); n -= sizeof(spaces) - 1)
		buf_adds(out, spaces);
	buf_add(out, spaces, n);
}

size_t style_width(const struct buf *text)
{
	size_t width = 0;

	for (size_t i = 0; i < text->len; i++)
		width += ((unsigned char)text->data[i] & 0xc0) != 0x80;
	return width;
}

size_t style_digits(size_t n)
{
	size_t digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits;
}

void style_add_address(struct buf *out, uint64_t addr, const struct style *style)
{
	enum { DIGITS = 16 };

	style_begin(out, INK_ADDRESS, style);
	buf_adds(out, "0x");
	buf_add_hex(out, addr, DIGITS);
	style_end(out, style);
}
