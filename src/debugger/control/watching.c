/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/watching.h"

#include <string.h>

#include "debugger/values/eval.h"

/* System V ABI, AMD64, 3.2.2: functions that call none use what lies below the stack pointer. */
enum { CELLS_MAX = 4, CELL_BYTES_MAX = 8, FRAMES_MAX = 1 << 16, RED_ZONE = 128 };

static bool watches_location(const struct breakpoint *b)
{
	return !strncmp(b->text, WATCHING_LOCATION, strlen(WATCHING_LOCATION));
}

/* ---- cells ------------------------------------------------------------------------------ */

/* What a debug register can watch of that: 1, 2, 4 or 8 bytes at a multiple of that. */
static uint64_t fitting(taddr addr, uint64_t left)
{
	uint64_t size = CELL_BYTES_MAX;

	while (size > left || addr % size)
		size /= 2;
	return size;
}

static struct error *too_many(const struct breakpoint *b)
{
	return error_new(ERROR_UNSUPPORTED,
			 "'%s' lies in more places than the four that debug "
			 "registers watch, 8 bytes each",
			 b->text);
}

/* false: there are too many of them. */
static bool add_cell(struct scope_cell *cells, size_t *n, taddr addr, uint64_t size)
{
	while (size) {
		uint64_t part = fitting(addr, size);
		bool known = false;
		for (size_t i = 0; i < *n && !known; i++)
			known = cells[i].addr <= addr &&
				addr + part <= cells[i].addr + cells[i].size;
		if (!known && *n == CELLS_MAX)
			return false;
		if (!known)
			cells[(*n)++] = (struct scope_cell){ addr, part };
		addr += part;
		size -= part;
	}
	return true;
}

/* The places of a value, and of all that it was found by. */
static struct error *make_cells(const struct breakpoint *b, const struct scope_cells *read,
				const struct value *v, struct scope_cell cells[CELLS_MAX],
				size_t *ret)
{
	bool whole = v->place == VALUE_MEMORY && !v->missing && !v->bit_size;

	*ret = 0;
	/* Alone: where it lies is watched, and not what has led there. */
	bool alone = watches_location(b) && whole;
	if (whole && !add_cell(cells, ret, v->addr, type_size(v->type)))
		return too_many(b);
	for (size_t i = 0; i < read->len && !alone; i++) {
		if (!add_cell(cells, ret, read->items[i].addr, read->items[i].size))
			return too_many(b);
	}
	return NULL;
}

static struct error *compute(struct control *c, const struct breakpoint *b, struct scope scope,
			     struct scope_cell cells[CELLS_MAX], size_t *ret_n, struct value *ret)
{
	const char *text = b->text + (watches_location(b) ? strlen(WATCHING_LOCATION) : 0);
	struct scope_cells read = { 0 };

	scope.cells = &read;
	struct error *err = eval_text(&(struct eval_context){ &scope, c->values }, text, ret);
	/* p->x, and p leads to nowhere now: as soon as p changes it is looked at again. */
	if (error_is(err, ERROR_NO_ADDRESS) && read.len) {
		error_ignore(err);
		err = NULL;
		*ret = (struct value){ .type = &type_void, .missing = "unreadable" };
	}
	if (!err)
		err = make_cells(b, &read, ret, cells, ret_n);
	vec_fini(&read);
	scope.cells = NULL;
	return err ? err : value_keep(&scope, ret);
}

/* What debug registers alone can tell of: one number in one place. */
static bool is_plain(const struct value *v, const struct scope_cell *cells, size_t n)
{
	return n == 1 && v->place == VALUE_MEMORY && !v->bit_size && type_is_scalar(v->type) &&
	       cells[0].addr == v->addr && cells[0].size == type_size(v->type);
}

static struct error *take_cells(struct breakpoint *b, const struct scope_cell *cells, size_t n)
{
	while (b->locations.len < n) {
		if (!vec_push(&b->locations, ((struct breakpoint_location){ .enabled = true })))
			return &error_nomem;
	}
	for (size_t i = 0; i < b->locations.len; i++) {
		b->locations.items[i].enabled = i < n;
		if (i >= n)
			continue;
		b->locations.items[i].addr = cells[i].addr;
		b->locations.items[i].size = cells[i].size;
	}
	return NULL;
}

struct error *watching_locate(struct control *c, struct breakpoint *b, const struct scope *scope)
{
	struct scope_cell cells[CELLS_MAX];
	struct value value;
	size_t n;
	struct error *err = compute(c, b, *scope, cells, &n, &value);

	if (err)
		return err;
	if (value.missing && (!n || strcmp(value.missing, "unreadable")))
		return error_new(ERROR_USAGE, "'%s' is <%s>", b->text, value.missing);
	if (!n || (watches_location(b) && value.place != VALUE_MEMORY))
		return error_new(ERROR_UNSUPPORTED, "Cannot watch constant value `%s'.", b->text);
	b->reckoned = !is_plain(&value, cells, n);
	b->seen = value;
	return take_cells(b, cells, n);
}

/* ---- frames ----------------------------------------------------------------------------- */

static bool is_local(const struct breakpoint *b, taddr sp, taddr cfa)
{
	vec_for_each (l, &b->locations) {
		if (l->enabled && l->addr >= sp - RED_ZONE && l->addr < cfa)
			return true;
	}
	return false;
}

struct error *watching_begin(struct control *c, struct breakpoint *b, const struct scope *scope)
{
	const struct unwind_frame *caller;
	uint64_t sp = 0;

	if (!scope->thread)
		return NULL;
	struct error *err =
		target_get_uint(c->live->target, scope->thread, c->live->target->arch->sp, &sp);
	if (!err)
		err = frames_raw(&c->frames, scope->frame + 1, &caller);
	if (err || !caller || !is_local(b, sp, scope->cfa))
		return err;
	struct point point = {
		.id = ++c->next_point,
		.kind = POINT_CODE,
		.addr = caller->pc,
		.lwp = scope->thread->lwp,
		.sp_above = scope->cfa - 1,
	};
	b->frame = scope->cfa;
	b->frame_lwp = scope->thread->lwp;
	err = target_set_point(c->live->target, &point);
	if (!err)
		b->scope_point = point.id;
	return err;
}

/* The scope that the expression means something in. NOT_FOUND: that frame is not there. */
static struct error *find_scope(struct control *c, const struct breakpoint *b, struct scope *ret)
{
	struct thread *th = target_find_thread(c->live->target, b->frame_lwp);

	*ret = (struct scope){ .session = c->live };
	if (!b->frame)
		return NULL;
	frames_select(&c->frames, c->live, th, 0);
	for (size_t i = 0; th && i < FRAMES_MAX; i++) {
		struct error *err = frames_scope(&c->frames, i, ret);
		if (err || ret->cfa == b->frame)
			return err;
	}
	return error_new(ERROR_NOT_FOUND, "the frame is gone");
}

/* ---- values ----------------------------------------------------------------------------- */

static bool same(const struct value *a, const struct value *b)
{
	if (a->missing || b->missing)
		return a->missing && b->missing;
	if (a->block && b->block)
		return a->block->size == b->block->size &&
		       !memcmp(a->block->bytes, b->block->bytes, a->block->size);
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static bool have_moved(const struct breakpoint *b, const struct scope_cell *cells, size_t n)
{
	for (size_t i = 0; i < b->locations.len; i++) {
		const struct breakpoint_location *l = &b->locations.items[i];
		if (l->enabled != (i < n) ||
		    (i < n && (l->addr != cells[i].addr || l->size != cells[i].size)))
			return true;
	}
	return n > b->locations.len;
}

struct error *watching_look(struct control *c, struct breakpoint *b, bool *ret_changed,
			    bool *ret_moved)
{
	struct scope_cell cells[CELLS_MAX];
	struct scope scope;
	struct value now;
	size_t n = 0;
	struct error *err = find_scope(c, b, &scope);

	*ret_changed = *ret_moved = false;
	if (error_is(err, ERROR_NOT_FOUND)) {
		error_ignore(err);
		return NULL;
	}
	if (err)
		return err;
	err = compute(c, b, scope, cells, &n, &now);
	if (err && err != &error_nomem) {
		error_ignore(err);
		err = NULL;
		now = (struct value){ .type = &type_void, .missing = "unreadable" };
	} else if (!err) {
		*ret_moved = have_moved(b, cells, n);
		err = take_cells(b, cells, n);
	}
	*ret_changed = !err && !same(&b->seen, &now);
	b->seen = now;
	return err;
}
