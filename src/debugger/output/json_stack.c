/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_stack.h"

#include "debugger/output/json_picture.h"
#include "debugger/output/json_value.h"

static const char *const border_names[NUM_BORDERS] = {
	[BORDER_NONE] = "",       [BORDER_PARALLEL] = "parallel", [BORDER_TASK] = "task",
	[BORDER_TEAMS] = "teams", [BORDER_TARGET] = "target",     [BORDER_CALLBACK] = "callback",
};

static const char *const kind_names[] = {
	[CODE_USER] = "user",
	[CODE_RUNTIME] = "runtime",
	[CODE_SYSTEM] = "system",
};

/* "T.N" of the thread that made a task, or began a region within another. */
static void add_creator(struct json *j, const struct view *v, const struct border *b)
{
	const struct picture_thread *t = picture_thread(v->picture, b->creator);
	AUTO_BUF name = { 0 };
	long team;
	size_t number;

	if (b->kind == BORDER_TASK && picture_is_numbered(t))
		picture_add_thread_name(&name, v->picture, b->creator);
	else if (b->kind != BORDER_TASK && picture_starter(v->picture, b->region, &team, &number))
		buf_addf(&name, "%ld.%zu", team, number);
	json_add_string(j, "creator", name.data);
	j->out->failed |= name.failed;
}

void json_stack_border(struct json *j, const struct view *v, const struct border *b)
{
	const struct picture_task *task =
		b->kind == BORDER_TASK ? picture_task(v->picture, b->task) : NULL;
	int team = task ? task->region : b->region;
	const struct picture_region *r = picture_region(v->picture, team);

	if (b->kind == BORDER_NONE) {
		json_add_null(j, "border");
		return;
	}
	json_add_object(j, "border");
	json_add_string(j, "kind", border_names[b->kind]);
	json_add_natural(j, "team", r ? picture_region_id(v->picture, team) : -1);
	json_add_positive(j, "team_size", r ? r->size : 0);
	json_add_positive(j, "level", r ? r->level : 0);
	add_creator(j, v, b);
	json_picture_sourced(j, &b->place, b->source);
	json_end(j);
}

/* What only the machine's frame tells is null where that is gone. */
static void add_machine(struct json *j, const struct stitched_frame *f)
{
	static const struct stack_frame none = { 0 };
	const struct stack_frame *machine = f->frame ? f->frame : &none;

	if (f->frame) {
		json_add_address(j, "pc", machine->pc);
		json_add_address(j, "cfa", machine->cfa);
	} else {
		json_add_null(j, "pc");
		json_add_null(j, "cfa");
	}
	json_add_string(j, "function", f->function);
	if (f->frame)
		json_add_unsigned(j, "offset", machine->offset);
	else
		json_add_null(j, "offset");
	json_add_string(j, "file", f->file);
	json_add_positive(j, "line", f->line);
	json_add_string(j, "module", machine->module ? machine->module : "");
	json_add_bool(j, "inline", machine->inlined);
	json_add_bool(j, "guessed", machine->guessed);
}

static void add_list(struct json *j, const char *key, const struct shown_variables *l)
{
	if (l)
		json_value_variables(j, key, l);
	else
		json_add_null(j, key);
}

/* null: they were not read. */
static void add_values(struct json *j, const struct view *v, const struct stitched_frame *f)
{
	const struct frame_values_item *item =
		v->values ? frame_values_of(v->values, v->stacks, f) : NULL;

	if (v->values && v->values->arguments)
		add_list(j, "arguments", item ? &item->arguments : NULL);
	if (v->values && v->values->locals)
		add_list(j, "locals", item ? &item->locals : NULL);
}

static void add_frame(struct json *j, const struct view *v, const struct stitched_frame *f)
{
	json_add_object(j, NULL);
	add_machine(j, f);
	if (!v->raw) {
		json_add_string(j, "kind", kind_names[f->kind]);
		json_add_integer(j, "lwp", f->lwp);
		json_add_bool(j, "hidden", f->hidden);
		json_add_string(j, "construct", f->construct);
		json_add_bool(j, "tail_called", !f->frame);
		json_stack_border(j, v, &f->border);
	}
	add_values(j, v, f);
	json_end(j);
}

void json_stacks(struct buf *out, const struct view *v)
{
	struct json j = { .out = out };
	struct stitched_stack scratch = { 0 };

	json_picture_begin(&j, v, "stack");
	json_add_array(&j, "threads");
	for (int i = 0; i < (int)v->stacks->threads.len; i++) {
		const struct stitched_stack *s = view_stack(v, i, &scratch, out);
		json_add_object(&j, NULL);
		json_picture_thread(&j, v, i);
		json_add_array(&j, "frames");
		vec_for_each (f, &s->frames)
			add_frame(&j, v, f);
		json_end(&j);
		json_add_string(&j, "end", s->end);
		json_end(&j);
	}
	json_end(&j);
	json_picture_end(&j, v);
	vec_fini(&scratch.frames);
}
