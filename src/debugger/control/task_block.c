/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/task_block.h"

#include <string.h>

#include "debugger/values/passed.h"
#include "debugger/values/pushed.h"
#include "debugger/values/value.h"

void task_slots_read(struct session *s, const struct task_data *task, const struct task_layout *l,
		     struct task_slots *ret)
{
	ret->len = 0;
	for (uint64_t i = 0; i < l->shared_size / sizeof(taddr) && i < TASK_SLOTS_MAX; i++) {
		if (task->arguments &&
		    memory_try_read(s->target->memory, task->arguments + i * sizeof(taddr),
				    &ret->items[i], sizeof(taddr)))
			ret->len = i + 1;
	}
}

bool task_slots_have(const struct task_slots *slots, taddr addr)
{
	for (size_t i = 0; i < slots->len; i++) {
		if (addr && slots->items[i] == addr)
			return true;
	}
	return false;
}

const struct type *task_block_type(struct session *s, taddr function)
{
	struct variable v;
	size_t n = 0;

	if (!variables_find_unnamed(s->variables, function, SIZE_MAX, &v) || !v.type ||
	    !type_is_pointer(v.type))
		return NULL;
	const struct type *t = type_strip(v.type)->target;
	t = t ? type_strip(t) : NULL;
	return t && type_is_struct(t) && type_members(t, &n) && n ? t : NULL;
}

/* Where the frame itself has a variable; 0: nowhere in memory. What is referred to is elsewhere. */
static taddr own_address(const struct scope *frame, const char *name, const struct type **ret_type)
{
	struct variable v;
	struct value value;

	if (!variables_find_local(frame->session->variables, scope_lookup_pc(frame), frame->level,
				  name, &v) ||
	    !v.type || type_strip(v.type)->kind == TYPE_REFERENCE)
		return 0;
	struct error *err = value_of_variable(frame, &v, &value);
	const bool in_memory = !err && !value.missing && value.place == VALUE_MEMORY;
	error_ignore(err);
	*ret_type = v.type;
	return in_memory ? value.addr : 0;
}

static bool has_member(const struct scope *frame, const struct task_data *task,
		       const struct type_member *m)
{
	const struct type *own = NULL;
	const taddr addr = m->name ? own_address(frame, m->name, &own) : 0;
	taddr passed = 0;

	return addr && passed_is_address(m->type, own) &&
	       memory_try_read(frame->session->target->memory, task->arguments + m->offset, &passed,
			       sizeof(passed)) &&
	       passed == addr;
}

static bool is_named(const struct task_layout *l, const char *name)
{
	for (size_t i = 0; i < l->len; i++) {
		if (!strcmp(l->items[i].name, name))
			return l->items[i].shared || !l->items[i].known;
	}
	return false;
}

/* An address may be that of a variable which a reference of another call refers to. */
static bool has_references(const struct variable_list *all)
{
	vec_for_each (v, all) {
		if (v->type && type_strip(v->type)->kind == TYPE_REFERENCE)
			return true;
	}
	return false;
}

static bool has_slot(const struct scope *frame, const struct task_data *task)
{
	struct task_layout layout = { 0 };
	struct variable_list all = { 0 };
	struct task_slots slots;
	const struct type *type;
	bool found = false;

	error_ignore(task_layout_read(frame->session, task, &layout));
	error_ignore(variables_in_scope(frame->session->variables, scope_lookup_pc(frame),
					frame->level, &all));
	task_slots_read(frame->session, task, &layout, &slots);
	const bool by_name = has_references(&all);
	vec_for_each (v, &all) {
		if (v->name && (!by_name || is_named(&layout, v->name)) &&
		    task_slots_have(&slots, own_address(frame, v->name, &type)))
			found = true;
	}
	vec_fini(&all);
	task_layout_fini(&layout);
	return found;
}

bool task_block_is_of(const struct scope *frame, const struct task_data *task)
{
	uint64_t registers[SCOPE_REGISTERS_MAX];
	struct scope settled = *frame;
	bool found = false;
	size_t n = 0;

	if (!task->function || !task->arguments)
		return false;
	pushed_settle(&settled, registers);
	const struct type *passed = task_block_type(frame->session, task->function);
	if (!passed)
		return has_slot(&settled, task);
	const struct type_member *members = type_members(passed, &n);
	for (size_t i = 0; i < n && !found; i++)
		found = has_member(&settled, task, &members[i]);
	return found;
}
