/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json.h"

#include "debugger/output/json_value.h"

void json_stacks_begin(struct buf *out, const struct stacks *s)
{
	buf_adds(out, "{\"v\":1,\"type\":\"stack\",\"target\":");
	json_value_target(out, s);
	buf_adds(out, ",\"threads\":[");
}

static void add_frame(struct buf *out, const struct stack_frame *f)
{
	buf_addf(out,
		 "{\"pc\":\"0x%" PRIxTADDR "\",\"cfa\":\"0x%" PRIxTADDR "\",\"function\":", f->pc,
		 f->cfa);
	json_value_string(out, f->function);
	buf_addf(out, ",\"offset\":%" PRIu64 ",\"file\":", f->offset);
	json_value_string(out, f->file);
	buf_adds(out, ",\"line\":");
	json_value_positive(out, f->line);
	buf_adds(out, ",\"module\":");
	json_value_string(out, f->module ? f->module : "");
	buf_adds(out, f->inlined ? ",\"inline\":true}" : ",\"inline\":false}");
}

void json_stacks_thread(struct buf *out, const struct stacks *s, size_t index)
{
	const struct stack_thread *t = &s->threads.items[index];

	buf_addf(out, "%s{\"lwp\":%d,\"name\":", index ? "," : "", t->lwp);
	json_value_string(out, t->name);
	buf_adds(out, ",\"frames\":[");
	for (size_t i = 0; i < t->frames.len; i++) {
		if (i)
			buf_addc(out, ',');
		add_frame(out, &t->frames.items[i]);
	}
	buf_adds(out, "],\"end\":");
	json_value_string(out, t->end);
	buf_addc(out, '}');
}

void json_stacks_end(struct buf *out, const struct stacks *s)
{
	buf_adds(out, "],\"notes\":[");
	for (size_t i = 0; i < s->notes.len; i++) {
		if (i)
			buf_addc(out, ',');
		json_value_string(out, s->notes.items[i]);
	}
	buf_adds(out, "]}\n");
}
