/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_stack.h"

#include "debugger/output/json_picture.h"
#include "debugger/output/json_value.h"

static const char *const border_names[NUM_BORDERS] = {
	[BORDER_NONE] = "",       [BORDER_PARALLEL] = "parallel", [BORDER_TASK] = "task",
	[BORDER_TEAMS] = "teams", [BORDER_TARGET] = "target",     [BORDER_CALLBACK] = "callback",
};

static const char *kind_name(enum code_kind kind)
{
	switch (kind) {
	case CODE_USER:
		return "user";
	case CODE_RUNTIME:
		return "runtime";
	case CODE_SYSTEM:
		return "system";
	}
	return "user";
}

/* "T.N" of the thread that made a task, or began a region within another. */
static void add_creator(struct buf *out, const struct view *v, const struct border *b)
{
	const struct picture_thread *t = view_thread(v, b->creator);
	int team;
	size_t number;

	if (b->kind == BORDER_TASK && t && t->region >= 0 && t->number >= 0)
		buf_addf(out, "\"%d.%ld\"", t->region, t->number);
	else if (b->kind != BORDER_TASK && view_starter(v, b->region, &team, &number))
		buf_addf(out, "\"%d.%zu\"", team, number);
	else
		buf_adds(out, "null");
}

static void add_border(struct buf *out, const struct view *v, const struct border *b)
{
	const struct picture_task *task = b->kind == BORDER_TASK ? view_task(v, b->task) : NULL;
	int team = task ? task->region : b->region;
	const struct picture_region *r = view_region(v, team);

	if (b->kind == BORDER_NONE) {
		buf_adds(out, "null");
		return;
	}
	buf_addf(out, "{\"kind\":\"%s\",\"team\":", border_names[b->kind]);
	json_value_natural(out, r ? team : -1);
	buf_adds(out, ",\"team_size\":");
	json_value_positive(out, r ? r->size : 0);
	buf_adds(out, ",\"level\":");
	json_value_positive(out, r ? r->level : 0);
	buf_adds(out, ",\"creator\":");
	add_creator(out, v, b);
	buf_addc(out, ',');
	json_picture_place(out, &b->place, b->source);
	buf_addc(out, '}');
}

/* What only the machine's frame tells is null where it is gone. */
static void add_machine(struct buf *out, const struct stitched_frame *f)
{
	const struct stack_frame *machine = f->frame;

	if (machine)
		buf_addf(out, "\"pc\":\"0x%" PRIxTADDR "\",\"cfa\":\"0x%" PRIxTADDR "\"",
			 machine->pc, machine->cfa);
	else
		buf_adds(out, "\"pc\":null,\"cfa\":null");
	buf_adds(out, ",\"function\":");
	json_value_string(out, f->function);
	if (machine)
		buf_addf(out, ",\"offset\":%" PRIu64 ",\"file\":", machine->offset);
	else
		buf_adds(out, ",\"offset\":null,\"file\":");
	json_value_string(out, f->file);
	buf_adds(out, ",\"line\":");
	json_value_positive(out, f->line);
	buf_adds(out, ",\"module\":");
	json_value_string(out, machine && machine->module ? machine->module : "");
	json_value_bool(out, ",\"inline\":", machine && machine->inlined);
}

static void add_frame(struct buf *out, const struct view *v, const struct stitched_frame *f)
{
	buf_addc(out, '{');
	add_machine(out, f);
	buf_addf(out, ",\"kind\":\"%s\",\"lwp\":%d", kind_name(f->kind), f->lwp);
	json_value_bool(out, ",\"hidden\":", f->hidden);
	buf_adds(out, ",\"construct\":");
	json_value_string(out, f->construct);
	json_value_bool(out, ",\"tail_called\":", !f->frame);
	buf_adds(out, ",\"border\":");
	add_border(out, v, &f->border);
	buf_addc(out, '}');
}

void json_stack_begin(struct buf *out, const struct view *v)
{
	json_picture_begin(out, v, "stack");
	buf_adds(out, ",\"threads\":[");
}

void json_stack_thread(struct buf *out, const struct view *v, size_t index)
{
	const struct stitched_stack *s = &v->stitched->stacks.items[index];

	json_picture_comma(out, index);
	buf_addc(out, '{');
	json_picture_thread(out, v, s->thread);
	buf_adds(out, ",\"frames\":[");
	for (size_t i = 0; i < s->frames.len; i++) {
		json_picture_comma(out, i);
		add_frame(out, v, &s->frames.items[i]);
	}
	buf_adds(out, "],\"end\":");
	json_value_string(out, s->end);
	buf_addc(out, '}');
}

void json_stack_end(struct buf *out, const struct view *v)
{
	buf_adds(out, "],");
	json_picture_notes(out, v);
	buf_adds(out, "}\n");
}
