/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/loader.h"

#include <link.h>
#include <string.h>

#include "base/text.h"
#include "debugger/control/catching.h"
#include "debugger/control/escape.h"
#include "debugger/control/placing.h"
#include "target/process/opcode.h"

static bool take(void *context, const struct symbol *symbol)
{
	taddr *ret = context;

	if (!symbol->function)
		return true;
	*ret = symbol->addr;
	return false;
}

static bool take_data(void *context, const struct symbol *symbol)
{
	taddr *ret = context;

	*ret = symbol->addr;
	return false;
}

/*
 * A condition: the linker does not tell that it is about to unmap something. Nothing is to be done
 * then, and nobody to be stopped, who might be sleeping in code that is gone before it is back in
 * its system call (target/process/stranded.h). Empty: it is unknown where that is said.
 */
static void add_unless_closing(const struct session *s, struct buf *ret)
{
	taddr debug = 0;

	symbol_find(s->symbols, "_r_debug", take_data, &debug);
	if (!debug)
		return;
	opcode_add_constant(ret, debug);
	opcode_add_load(ret, offsetof(struct r_debug, r_state), sizeof(uint32_t));
	opcode_add_constant(ret, RT_DELETE);
	opcode_add(ret, CONDITION_EQUAL);
	opcode_add(ret, CONDITION_NOT);
}

struct error *loader_watch(struct session *s, unsigned int *next, unsigned int *ret)
{
	AUTO_BUF condition = { 0 };
	taddr addr = 0;

	symbol_find(s->symbols, "_dl_debug_state", take, &addr);
	if (!addr)
		return NULL;
	add_unless_closing(s, &condition);
	if (condition.failed)
		return &error_nomem;
	struct point point = { .id = ++*next, .kind = POINT_CODE, .addr = addr };
	point.condition = (const uint8_t *)condition.data;
	point.condition_size = condition.len;
	struct error *err = target_set_point(s->target, &point);
	if (!err)
		*ret = point.id;
	return error_add(err, "watching the dynamic linker");
}

struct error *loader_arm(struct control *c)
{
	return c->loader_point ? NULL : loader_watch(c->live, &c->next_point, &c->loader_point);
}

/*
 * Modules are told apart by where they lie and what they are called: dlmopen() loads a file once
 * more.
 */
struct known_module {
	char *path; /* owned */
	taddr base;
};

struct known_modules {
	VEC(struct known_module) items; /* owned */
};

static void known_modules_fini(struct known_modules *l)
{
	vec_for_each (m, &l->items)
		free(m->path);
	vec_fini(&l->items);
}

static bool has_module(const struct known_modules *l, const struct known_module *m)
{
	vec_for_each (other, &l->items) {
		if (other->base == m->base && !strcmp(other->path, m->path))
			return true;
	}
	return false;
}

static struct error *list_modules(const struct control *c, struct known_modules *ret)
{
	vec_for_each (m, c->live->modules) {
		const struct known_module made = { strdup((*m)->path), (*m)->base };
		if (!made.path || !vec_push(&ret->items, made)) {
			free(made.path);
			return &error_nomem;
		}
	}
	return NULL;
}

static struct breakpoint *find_catch(const struct control *c, enum catch_kind kind,
				     const char *path)
{
	vec_for_each (b, &c->breakpoints.items) {
		if ((*b)->kind == BREAK_CATCH && (*b)->catches == kind && (*b)->enabled &&
		    (!(*b)->library || strstr(path, (*b)->library)))
			return *b;
	}
	return NULL;
}

/* "Inferior loaded /lib/libm.so.6": what is in one list and not in the other. */
static void compare(const struct control *c, const struct known_modules *from,
		    const struct known_modules *to, enum catch_kind kind, struct breakpoint **ret,
		    struct buf *text)
{
	vec_for_each (m, &to->items) {
		if (has_module(from, m))
			continue;
		struct breakpoint *b = find_catch(c, kind, m->path);
		*ret = b ? b : *ret;
		buf_addf(text, "%s%s", text->len ? "\n    " : "", m->path);
	}
}

/* What room there is for copies of instructions (target_lend()); without, threads take longer. */
static struct error *look_at_modules(struct control *c)
{
	struct error *err = module_list_update(c->live->modules);

	if (err)
		return err;
	vec_for_each (m, c->live->modules) {
		if ((*m)->spare < (*m)->spare_end && !(*m)->is_vdso)
			error_ignore(target_lend(c->live->target, (*m)->spare, (*m)->spare_end));
	}
	return NULL;
}

struct error *loader_begin(struct control *c)
{
	c->loader_point = 0;
	struct error *err = look_at_modules(c);
	return err ? err : loader_arm(c);
}

/* What leaves frames without returning may be in what is new. */
static struct error *watch_new(struct control *c)
{
	const struct plan_context context = control_plans(c);
	struct error *err = plan_drop_points(&c->plan, &context, ROLE_CATCH);

	if (!err)
		err = plan_drop_points(&c->plan, &context, ROLE_JUMP);
	if (!err && c->plan.kind != PLAN_NONE && c->plan.move == MOVE_RUN)
		err = escape_watch(&c->plan, &context);
	return err;
}

struct error *loader_answer(struct control *c, struct breakpoint **ret, char **ret_text)
{
	AUTO(known_modules_fini) struct known_modules before = { 0 }, after = { 0 };
	AUTO_BUF loaded = { 0 }, unloaded = { 0 };
	struct breakpoint *load = NULL, *unload = NULL;
	struct error *err = list_modules(c, &before);

	*ret = NULL;
	control_warn(c, catching_name(c));
	if (!err)
		err = look_at_modules(c);
	if (!err)
		err = list_modules(c, &after);
	if (!err) {
		compare(c, &before, &after, CATCH_LOAD, &load, &loaded);
		compare(c, &after, &before, CATCH_UNLOAD, &unload, &unloaded);
	}
	if (!err && (loaded.len || unloaded.len))
		err = placing_renew(c);
	if (!err && loaded.len)
		err = watch_new(c);
	if (!err && (load || unload)) {
		const char *text = buf_text(load ? &loaded : &unloaded);
		AUTO_BUF said = { 0 };
		buf_addf(&said, "%s %s", load ? "loaded" : "unloaded", text);
		*ret = load ? load : unload;
		*ret_text = strdup(buf_text(&said));
	}
	return err;
}
