/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_values.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/control/frames.h"
#include "debugger/control/task_block.h"
#include "debugger/snapshot.h"
#include "debugger/values/captured.h"
#include "debugger/values/captured_array.h"
#include "debugger/values/passed.h"
#include "debugger/values/pushed.h"
#include "debugger/values/reach.h"
#include "ompd/outlined.h"

enum { DEPTH_MAX = 64, THREADS_MAX = 16 };

static const char no_address[] = "not available: nothing tells where the task has it",
		  not_begun[] = "not available: the task has not begun",
		  may_be_gone[] = "not available: the frame that has made the task may be gone";

/* What is read and made for one task. */
struct reading {
	struct session *s;
	const struct task_data *task;
	struct task_values *ret;
	struct task_layout layout;
	struct task_slots slots;
	bool nomem;
};

void task_values_fini(struct task_values *v)
{
	vec_fini(&v->items);
}

static struct task_variable *find(const struct task_values *v, const char *name)
{
	vec_for_each (item, &v->items) {
		if (!strcmp(item->name, name))
			return item;
	}
	return NULL;
}

/* name: lasts as long as the program's files. */
static void add(struct reading *r, const char *name, struct task_variable made)
{
	if (find(r->ret, name))
		return;
	made.name = name;
	r->nomem |= !vec_push(&r->ret->items, made);
}

/* ---- gcc ---------------------------------------------------------------------------------- */

/* The variable in the task's code, or in the function around that. */
static bool find_own(const struct reading *r, const char *name, struct variable *ret)
{
	struct variables *all = r->s->variables;
	size_t inner;

	return variables_find_local(all, r->task->function, SIZE_MAX, name, ret) ||
	       variables_find_outer(all, r->task->function, name, ret, &inner);
}

static void add_member(struct reading *r, const struct type_member *m)
{
	struct variable v;
	const struct type *own = find_own(r, m->name, &v) ? v.type : NULL;
	struct task_variable made = { .type = own ? own : m->type, .missing = no_address };
	taddr at = r->task->arguments + m->offset;

	made.line = own ? variable_line(&v) : 0;
	made.shared = own && passed_is_address(m->type, own);
	if (r->task->arguments && (own || !type_is_pointer(m->type)) &&
	    (!made.shared || memory_try_read(r->s->target->memory, at, &at, sizeof(at)))) {
		made.addr = at;
		made.missing = NULL;
	}
	/* A reference is passed as what it refers to. */
	if (!made.shared)
		made.type = m->type;
	add(r, m->name, made);
}

static void add_members(struct reading *r, const struct type *passed)
{
	size_t n = 0;
	const struct type_member *members = type_members(passed, &n);

	for (size_t i = 0; i < n; i++) {
		if (members[i].name && *members[i].name != '.')
			add_member(r, &members[i]);
	}
}

/* ---- clang -------------------------------------------------------------------------------- */

static void add_copies(struct reading *r)
{
	for (size_t i = 0; i < r->layout.len; i++) {
		const struct task_layout_item *item = &r->layout.items[i];
		struct task_variable made = { .type = item->type, .missing = no_address };
		if (item->shared)
			continue;
		if (item->known && r->task->block) {
			made.addr = r->task->block + item->offset;
			made.missing = NULL;
		}
		add(r, item->name, made);
	}
}

/* A variable of that name further out is not what the task's code means. */
static void add_counters(struct reading *r)
{
	for (size_t i = r->layout.len; i < r->layout.len + r->layout.counters; i++)
		add(r, r->layout.items[i].name,
		    (struct task_variable){ .type = r->layout.items[i].type,
					    .missing = not_begun });
}

/* The function that the programmer wrote there. */
static const char *written_in(struct session *s, taddr pc)
{
	const struct source_frame *levels;
	struct outlined o;
	size_t n = 0;

	error_ignore(symbol_locate(s->symbols, pc, &levels, &n));
	if (!n || !levels[n - 1].file)
		return NULL;
	/* From the inside out: what is inlined into a task's function is the task. */
	for (size_t i = 0; i < n; i++) {
		if (levels[i].function && outlined_parse(levels[i].function, &o))
			return symbol_function_around(s->symbols, pc, levels[i].file,
						      levels[i].line, NULL);
	}
	return levels[n - 1].function;
}

static void take_shared(struct reading *r, const struct scope *scope)
{
	struct variable_list all = { 0 };
	struct variable v;
	struct value value;

	error_ignore(
		variables_in_scope(r->s->variables, scope_lookup_pc(scope), scope->level, &all));
	vec_for_each (one, &all) {
		if (one->internal || find(r->ret, one->name) ||
		    !variables_find_local(r->s->variables, scope_lookup_pc(scope), scope->level,
					  one->name, &v))
			continue;
		struct error *err = value_of_variable(scope, &v, &value);
		if (!err)
			err = captured_array_find(scope, &v, &value);
		if (!err && !value.missing)
			err = reach_settle(scope, &value, false);
		if (!err && !value.missing && value.place == VALUE_MEMORY &&
		    task_slots_have(&r->slots, value.addr))
			add(r, one->name,
			    (struct task_variable){ .type = value.type,
						    .line = variable_line(&v),
						    .addr = value.addr,
						    .shared = true });
		error_ignore(err);
	}
	vec_fini(&all);
}

/* The object is passed by its own address: the slot that has that is the pointer. */
static void take_object(struct reading *r, const struct scope *scope)
{
	static const char name[] = "this";
	struct variable v;
	struct value value;
	taddr object = 0;

	if (!variables_find_local(r->s->variables, scope_lookup_pc(scope), scope->level, name,
				  &v) ||
	    !v.type || !type_is_pointer(v.type))
		return;
	struct error *err = value_of_variable(scope, &v, &value);
	if (!err && !value.missing)
		err = value_address(&value, &object);
	for (size_t i = 0; !err && object && i < r->slots.len; i++) {
		if (r->slots.items[i] == object)
			add(r, name,
			    (struct task_variable){ .type = v.type,
						    .addr = r->task->arguments +
							    i * sizeof(taddr) });
	}
	error_ignore(err);
}

/* In all of its frames that the task may have been made in, or that the region was made in. */
static void find_in_thread(struct reading *r, struct thread *th, const char *function)
{
	const struct frame *frame = NULL;
	struct frames frames = { 0 };
	struct scope scope;
	uint64_t registers[SCOPE_REGISTERS_MAX];
	const char *its;

	frames_select(&frames, r->s, th, 0);
	for (size_t i = 0; i < DEPTH_MAX; i++) {
		struct error *err = frames_get(&frames, i, &frame);
		its = !err && frame ? written_in(r->s, frame->pc - !frame->exact) : NULL;
		const bool is_of_it = its && !strcmp(its, function);
		if (is_of_it)
			err = frames_scope(&frames, i, &scope);
		if (err || !frame) {
			error_ignore(err);
			break;
		}
		if (!is_of_it)
			continue;
		pushed_settle(&scope, registers);
		take_shared(r, &scope);
		take_object(r, &scope);
	}
	frames_fini(&frames);
}

static bool is_all_found(const struct reading *r)
{
	size_t found = 0;

	vec_for_each (item, &r->ret->items)
		found += item->shared || !strcmp(item->name, "this");
	return found >= r->slots.len;
}

/* The thread that has made it first; others may have made the region, and have what that shares. */
static void find_shared(struct reading *r)
{
	struct thread *th = target_find_thread(r->s->target, r->task->creator);
	const char *function = written_in(r->s, r->task->function);
	const struct thread_list *all = &r->s->target->threads;

	if (!function || !r->slots.len)
		return;
	if (th)
		find_in_thread(r, th, function);
	for (size_t i = 0; i < all->len && i < THREADS_MAX && !is_all_found(r); i++) {
		if (all->items[i] != th)
			find_in_thread(r, all->items[i], function);
	}
}

/* What DWARF names, and nothing has told of. */
static void add_unknown(struct reading *r)
{
	for (size_t i = 0; i < r->layout.len; i++) {
		const struct task_layout_item *item = &r->layout.items[i];
		add(r, item->name,
		    (struct task_variable){
			    .type = item->type, .missing = may_be_gone, .shared = true });
	}
}

/* ---- all of them -------------------------------------------------------------------------- */

struct error *task_values_find(struct session *s, const struct task_data *task,
			       struct task_values *ret)
{
	struct reading r = { .s = s, .task = task, .ret = ret };
	struct error *err = NULL;

	if (!task->function)
		return NULL;
	const struct type *passed = task_block_type(s, task->function);
	if (passed)
		add_members(&r, passed);
	else
		err = task_layout_read(s, task, &r.layout);
	if (!err && !passed) {
		add_copies(&r);
		add_counters(&r);
		task_slots_read(s, task, &r.layout, &r.slots);
		find_shared(&r);
		add_unknown(&r);
	}
	task_layout_fini(&r.layout);
	return err ? err : r.nomem ? &error_nomem : NULL;
}

struct error *task_values_get(const struct scope *s, const struct task_variable *v,
			      struct value *ret)
{
	if (!v->missing)
		return value_read(s, v->type, v->addr, ret);
	*ret = (struct value){ .type = v->type, .missing = v->missing };
	return NULL;
}

static bool get_given(const struct scope *s, const char *name, int line, struct value *ret)
{
	(void)line;
	const struct task_variable *v = find(s->given_context, name);
	struct error *err = v ? task_values_get(s, v, ret) : NULL;

	if (err)
		*ret = (struct value){ .type = v->type, .missing = "unreadable" };
	error_ignore(err);
	return v;
}

struct scope task_values_scope(struct session *s, const struct task_data *task,
			       const struct task_values *values)
{
	return (struct scope){
		.session = s,
		.pc = task->function,
		.exact = true,
		.level = SIZE_MAX,
		.given = get_given,
		.given_context = values,
	};
}

/* The task whose code the frame is; NULL: it is none, or not known. Frames remember who made it. */
static const struct task_data *task_of(const struct scope *s)
{
	const struct frame *frame = NULL;
	const char *why = NULL;
	struct outlined o;
	struct scope at = { 0 };

	struct error *err = frames_get(s->frames, s->index, &frame);
	bool outlined = !err && frame && frame->function && outlined_parse(frame->function, &o);
	error_ignore(err);
	if (!outlined || !(s->creator(s, &at, &why) || why) || !at.made_task ||
	    !s->frames->creator.task.function)
		return NULL;
	return &s->frames->creator.task;
}

struct task_given {
	size_t len;
	struct task_variable items[];
};

/* What the task was given whose code the frame is, which is found once. NULL: it is none, or out of
 * memory. */
static const struct task_given *given_to(const struct scope *s)
{
	const struct task_data *task = task_of(s);
	AUTO_TASK_VALUES found = { 0 };

	if (!task || s->frames->given)
		return task ? s->frames->given : NULL;
	struct error *err = task_values_find(s->session, task, &found);
	const size_t len = found.items.len, size = len * sizeof(*found.items.items);
	struct task_given *given = err ? NULL : malloc(sizeof(*given) + size);
	error_ignore(err);
	if (!given)
		return NULL;
	given->len = len;
	if (len)
		memcpy(given->items, found.items.items, size);
	return s->frames->given = given;
}

static const struct task_variable *items_of(const struct scope *s, size_t *ret_len)
{
	const struct task_given *given = s->frames ? given_to(s) : NULL;
	const struct task_values *values = s->frames ? NULL : s->given_context;

	*ret_len = given ? given->len : values ? values->items.len : 0;
	return given ? given->items : values ? values->items.items : NULL;
}

static bool find_given(const struct scope *s, const char *name, int line, struct value *ret)
{
	size_t len;
	const struct task_variable *items = items_of(s, &len);

	for (size_t i = 0; i < len; i++) {
		const struct task_variable *v = &items[i];
		/* Optimised code may have its own copies elsewhere than in memory: DWARF knows
		 * them. */
		if (strcmp(v->name, name) != 0 || (!v->shared && strcmp(name, "this") != 0) ||
		    v->missing || (line && line != v->line))
			continue;
		struct error *err = task_values_get(s, v, ret);
		error_ignore(err);
		return !err;
	}
	return false;
}

/* The code that clang has made of a task; gcc describes what it is passed. */
static bool is_task_of_clang(const struct scope *s)
{
	struct variable v;

	return variables_find_local(s->session->variables, scope_lookup_pc(s), s->level, ".task_t.",
				    &v);
}

static void each_given(const struct scope *s, scope_found *found, void *context)
{
	size_t len = 0;
	const struct task_variable *items = is_task_of_clang(s) ? items_of(s, &len) : NULL;
	struct error *err = NULL;
	struct value value;

	for (size_t i = 0; !err && i < len; i++) {
		const struct task_variable *v = &items[i];
		if (v->missing || !v->shared)
			continue;
		err = task_values_get(s, v, &value);
		if (!err && !found(context, s, v->name, v->line, &value))
			break;
	}
	error_ignore(err);
}

void task_values_know(struct scope *ret)
{
	ret->given = find_given;
	ret->given_each = each_given;
}

/* ---- of raw stacks ------------------------------------------------------------------------ */

/* The task that has called a frame, as the next span further out tells. -1: none. */
static int find_task(const struct snapshot *from, int thread, size_t frame)
{
	const struct picture_thread *th = picture_thread(&from->picture, thread);

	for (size_t i = 0; th && th->borders && i < th->spans.list.len; i++) {
		if (th->spans.list.items[i].inner > frame)
			return th->borders[i].task;
	}
	return -1;
}

struct error *task_values_know_raw(void *last, const struct snapshot *from, int thread,
				   struct scope *ret)
{
	struct task_values_last *of = last;
	const int task = find_task(from, thread, ret->frame);
	const struct task_data data = creators_task_data(from, task);
	struct error *err = NULL;

	if (!data.function || !captured_is_outlined(ret))
		return NULL;
	if (!of->known || of->task != task) {
		task_values_fini(&of->values);
		of->values = (struct task_values){ 0 };
		of->task = task;
		err = task_values_find(of->session, &data, &of->values);
		of->known = !err;
	}
	ret->given_context = &of->values;
	task_values_know(ret);
	return err;
}
