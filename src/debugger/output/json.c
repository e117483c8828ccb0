/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* Puts a backslash before each quote and backslash in out from "start" on. */
static void quote(struct buf *out, size_t start)
{
	AUTO_BUF plain = { 0 };

	if (!buf_ok(out) || out->len == start || !strpbrk(out->data + start, "\"\\"))
		return;
	buf_add(&plain, out->data + start, out->len - start);
	out->len = start;
	for (size_t i = 0; i < plain.len; i++) {
		if (plain.data[i] == '"' || plain.data[i] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, plain.data[i]);
	}
	out->failed |= plain.failed;
}

/* text_escape() leaves no control character and no invalid UTF-8 to escape. */
static void add_string(struct buf *out, const char *s)
{
	if (!s) {
		buf_adds(out, "null");
		return;
	}
	buf_addc(out, '"');
	size_t start = out->len;
	text_escape(out, s, strlen(s));
	quote(out, start);
	buf_addc(out, '"');
}

static void add_positive(struct buf *out, intmax_t n)
{
	if (n > 0)
		buf_addf(out, "%" PRIdMAX, n);
	else
		buf_adds(out, "null");
}

void json_stacks_begin(struct buf *out, const struct stacks *s)
{
	buf_adds(out, "{\"v\":1,\"type\":\"stack\",\"target\":{\"pid\":");
	add_positive(out, s->pid);
	buf_adds(out, ",\"core\":");
	add_string(out, s->core);
	buf_adds(out, ",\"exe\":");
	add_string(out, s->exe);
	buf_adds(out, "},\"threads\":[");
}

static void add_frame(struct buf *out, const struct stack_frame *f)
{
	buf_addf(out,
		 "{\"pc\":\"0x%" PRIxTADDR "\",\"cfa\":\"0x%" PRIxTADDR "\",\"function\":", f->pc,
		 f->cfa);
	add_string(out, f->function);
	buf_addf(out, ",\"offset\":%" PRIu64 ",\"file\":", f->offset);
	add_string(out, f->file);
	buf_adds(out, ",\"line\":");
	add_positive(out, f->line);
	buf_adds(out, ",\"module\":");
	add_string(out, f->module ? f->module : "");
	buf_adds(out, f->inlined ? ",\"inline\":true}" : ",\"inline\":false}");
}

void json_stacks_thread(struct buf *out, const struct stacks *s, size_t index)
{
	const struct stack_thread *t = &s->threads.items[index];

	buf_addf(out, "%s{\"lwp\":%d,\"name\":", index ? "," : "", t->lwp);
	add_string(out, t->name);
	buf_adds(out, ",\"frames\":[");
	for (size_t i = 0; i < t->frames.len; i++) {
		if (i)
			buf_addc(out, ',');
		add_frame(out, &t->frames.items[i]);
	}
	buf_adds(out, "],\"end\":");
	add_string(out, t->end);
	buf_addc(out, '}');
}

void json_stacks_end(struct buf *out, const struct stacks *s)
{
	buf_adds(out, "],\"notes\":[");
	for (size_t i = 0; i < s->notes.len; i++) {
		if (i)
			buf_addc(out, ',');
		add_string(out, s->notes.items[i]);
	}
	buf_adds(out, "]}\n");
}
