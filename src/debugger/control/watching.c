/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/watching.h"

#include <string.h>

#include "debugger/values/eval.h"

/* System V ABI, AMD64, 3.2.2: functions that call none use what lies below the stack pointer. */
enum { CELL_BYTES_MAX = 8, FRAMES_MAX = 1 << 16, RED_ZONE = 128 };

static bool watches_location(const struct breakpoint *b)
{
	return !strncmp(b->text, WATCHING_LOCATION, strlen(WATCHING_LOCATION));
}

static const char *expression_of(const struct breakpoint *b)
{
	const char *option = watches_location(b) ? WATCHING_LOCATION : b->team ? WATCHING_TEAM : "";

	return b->text + strlen(option);
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
			 expression_of(b));
}

/* false: there are too many of them. */
static bool add_cell(struct watching_cells *cells, taddr addr, uint64_t size)
{
	while (size) {
		uint64_t part = fitting(addr, size);
		bool known = false;
		for (size_t i = 0; i < cells->len && !known; i++)
			known = cells->items[i].addr <= addr &&
				addr + part <= cells->items[i].addr + cells->items[i].size;
		if (!known && cells->len == WATCHING_CELLS_MAX)
			return false;
		if (!known)
			cells->items[cells->len++] = (struct scope_cell){ addr, part, false };
		addr += part;
		size -= part;
	}
	return true;
}

/* The places of a value, and of all that it was found by. */
static struct error *make_cells(const struct breakpoint *b, const struct scope_cells *read,
				const struct value *v, struct watching_cells *ret)
{
	bool whole = v->place == VALUE_MEMORY && !v->missing && !v->bit_size;

	ret->len = 0;
	ret->unplaced = read->unplaced;
	ret->of_region = read->of_region;
	/* Alone: where it lies is watched, and not what has led there. */
	bool alone = watches_location(b) && whole;
	if (whole && !add_cell(ret, v->addr, type_size(v->type)))
		return too_many(b);
	for (size_t i = 0; i < read->len && !alone; i++) {
		/* By such all threads of a team come to the one that they share (clang). */
		if (b->team && read->items[i].refers)
			continue;
		if (!add_cell(ret, read->items[i].addr, read->items[i].size))
			return too_many(b);
	}
	return NULL;
}

static struct error *compute(struct control *c, const struct breakpoint *b, struct scope scope,
			     struct watching_cells *ret_cells, struct value *ret)
{
	struct scope_cells read = { 0 };

	scope.cells = &read;
	const struct eval_context where = control_evaluator(c, &scope);
	struct error *err = eval_text(&where, expression_of(b), ret);
	/* p->x, and p leads to nowhere now: as soon as p changes it is looked at again. */
	if (error_is(err, ERROR_NO_ADDRESS) && read.len) {
		error_ignore(err);
		err = NULL;
		*ret = (struct value){ .type = &type_void, .missing = "unreadable" };
	}
	if (!err)
		err = make_cells(b, &read, ret, ret_cells);
	vec_fini(&read);
	scope.cells = NULL;
	return err ? err : value_keep(&scope, ret);
}

/* What debug registers alone can tell of: one number in one place. */
static bool is_plain(const struct value *v, const struct watching_cells *cells)
{
	const struct scope_cell *cell = cells->items;

	return cells->len == 1 && v->place == VALUE_MEMORY && !v->bit_size &&
	       type_is_scalar(v->type) && cell->addr == v->addr && cell->size == type_size(v->type);
}

/* The n-th location of a copy; NULL: it has fewer. */
static struct breakpoint_location *part_of(const struct breakpoint *b, size_t copy, size_t n)
{
	vec_for_each (l, &b->locations) {
		if (l->copy == copy && !n--)
			return l;
	}
	return NULL;
}

static struct error *take_cells(struct breakpoint *b, size_t copy,
				const struct watching_cells *cells)
{
	struct breakpoint_location *l;

	for (size_t i = 0; i < cells->len; i++) {
		if (!part_of(b, copy, i) &&
		    !vec_push(&b->locations, ((struct breakpoint_location){ .copy = copy })))
			return &error_nomem;
	}
	for (size_t i = 0; (l = part_of(b, copy, i)); i++) {
		l->enabled = i < cells->len;
		if (!l->enabled)
			continue;
		l->addr = cells->items[i].addr;
		l->size = cells->items[i].size;
	}
	return NULL;
}

struct error *watching_find(struct control *c, const struct breakpoint *b,
			    const struct scope *scope, struct watching_cells *ret_cells,
			    struct value *ret)
{
	struct error *err = compute(c, b, *scope, ret_cells, ret);

	if (err)
		return err;
	if (ret->missing && (!ret_cells->len || strcmp(ret->missing, "unreadable")))
		return error_new(ERROR_USAGE, "'%s' is <%s>", expression_of(b), ret->missing);
	if (!ret_cells->len || (watches_location(b) && ret->place != VALUE_MEMORY))
		return error_new(ERROR_UNSUPPORTED,
				 ret_cells->unplaced
					 ? "Cannot watch `%s': it is optimized out of memory here."
					 : "Cannot watch constant value `%s'.",
				 expression_of(b));
	return NULL;
}

struct error *watching_add(struct breakpoint *b, const struct watching_cells *cells,
			   const struct value *v)
{
	const struct watched_copy copy = { .seen = *v, .of_region = cells->of_region };

	if (!vec_push(&b->copies, copy))
		return &error_nomem;
	b->reckoned |= !is_plain(v, cells);
	return take_cells(b, b->copies.len - 1, cells);
}

struct error *watching_locate(struct control *c, struct breakpoint *b, const struct scope *scope)
{
	struct watching_cells cells;
	struct value value;
	struct error *err = watching_find(c, b, scope, &cells, &value);

	if (err)
		return err;
	b->copies.len = 0;
	b->reckoned = false;
	return watching_add(b, &cells, &value);
}

/* ---- frames ----------------------------------------------------------------------------- */

static bool is_local(const struct breakpoint *b, size_t copy, taddr sp, taddr cfa)
{
	vec_for_each (l, &b->locations) {
		if (l->copy == copy && l->enabled && l->addr >= sp - RED_ZONE && l->addr < cfa)
			return true;
	}
	return false;
}

static struct error *end_at(struct control *c, struct watched_copy *own, pid_t lwp, taddr pc,
			    taddr cfa)
{
	const struct point point = {
		.id = ++c->next_point,
		.kind = POINT_CODE,
		.addr = pc,
		.lwp = lwp,
		.sp_above = cfa - 1,
	};
	struct error *err = target_set_point(c->live->target, &point);

	if (!err)
		own->scope_point = point.id;
	return err;
}

/* The frame of the thread that addr lies in: its CFA, and where it returns to; 0: there is none. */
static struct error *find_holder(struct control *c, struct thread *th, taddr addr, taddr *ret_pc,
				 taddr *ret_cfa)
{
	const struct unwind_frame *raw = NULL;
	struct frames frames = { 0 };
	uint64_t sp = 0;
	struct error *err = target_get_uint(c->live->target, th, c->live->target->arch->sp, &sp);
	const bool may_be = !err && addr >= sp - RED_ZONE;

	*ret_pc = *ret_cfa = 0;
	frames_select(&frames, c->live, th, 0);
	for (size_t i = 0; may_be && !err && i < FRAMES_MAX && !*ret_pc; i++) {
		err = frames_raw(&frames, i, &raw);
		if (err || !raw)
			break;
		if (*ret_cfa > addr)
			*ret_pc = raw->pc;
		else
			*ret_cfa = raw->cfa;
	}
	frames_fini(&frames);
	return err;
}

/* What the threads share may be a local variable of a function further out, of any of them. */
static struct error *end_with_holder(struct control *c, struct breakpoint *b, size_t copy)
{
	const struct breakpoint_location *first = part_of(b, copy, 0);
	struct error *err = NULL;
	taddr pc = 0, cfa;

	vec_for_each (th, &c->live->target->threads) {
		if (!err && !pc && first)
			err = find_holder(c, *th, first->addr, &pc, &cfa);
		if (!err && pc)
			return end_at(c, &b->copies.items[copy], (*th)->lwp, pc, cfa);
	}
	return err;
}

/* The runtime returns to the frame when the region has ended. */
static struct error *end_with_region(struct control *c, struct watched_copy *own,
				     const struct scope *scope)
{
	const struct unwind_frame *called = NULL;
	struct error *err =
		scope->frame ? frames_raw(scope->frames, scope->frame - 1, &called) : NULL;

	if (err || !called)
		return err;
	own->frame = scope->cfa;
	own->lwp = scope->thread->lwp;
	return end_at(c, own, own->lwp, scope->pc, called->cfa);
}

static struct error *begin(struct control *c, struct breakpoint *b, size_t copy,
			   const struct scope *scope)
{
	struct watched_copy *own = &b->copies.items[copy];
	const struct unwind_frame *caller;
	uint64_t sp = 0;

	if (!scope->thread || watches_location(b))
		return NULL;
	if (own->of_region)
		return end_with_region(c, own, scope);
	struct error *err =
		target_get_uint(c->live->target, scope->thread, c->live->target->arch->sp, &sp);
	if (!err)
		err = frames_raw(scope->frames, scope->frame + 1, &caller);
	if (err || !caller)
		return err;
	if (!is_local(b, copy, sp, scope->cfa))
		return b->team ? end_with_holder(c, b, copy) : NULL;
	own->frame = scope->cfa;
	own->lwp = scope->thread->lwp;
	return end_at(c, own, own->lwp, caller->pc, scope->cfa);
}

struct error *watching_begin(struct control *c, struct breakpoint *b, const struct scope *scope)
{
	return begin(c, b, b->copies.len - 1, scope);
}

struct error *watching_end(struct control *c, struct breakpoint *b, size_t copy)
{
	struct watched_copy *own = &b->copies.items[copy];
	unsigned int point = own->scope_point;

	own->scope_point = 0;
	own->over = true;
	vec_for_each (l, &b->locations)
		l->enabled &= l->copy != copy;
	return point ? target_clear_point(c->live->target, point) : NULL;
}

struct error *watching_scope(struct control *c, const struct watched_copy *copy, struct scope *ret)
{
	struct thread *th = target_find_thread(c->live->target, copy->lwp);

	*ret = (struct scope){ .session = c->live };
	if (!copy->lwp)
		return NULL;
	frames_select(&c->frames, c->live, th, 0);
	for (size_t i = 0; th && i < FRAMES_MAX; i++) {
		struct error *err = frames_scope(&c->frames, i, ret);
		if (err || !copy->frame || ret->cfa == copy->frame)
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

static bool have_moved(const struct breakpoint *b, size_t copy, const struct watching_cells *cells)
{
	const struct breakpoint_location *l;
	size_t i;

	for (i = 0; (l = part_of(b, copy, i)); i++) {
		const struct scope_cell *cell = &cells->items[i];
		bool used = i < cells->len;
		if (l->enabled != used ||
		    (used && (l->addr != cell->addr || l->size != cell->size)))
			return true;
	}
	return cells->len > i;
}

struct error *watching_look(struct control *c, struct breakpoint *b, size_t copy, bool *ret_changed,
			    bool *ret_moved)
{
	struct watched_copy *own = &b->copies.items[copy];
	struct watching_cells cells;
	struct scope scope;
	struct value now;
	struct error *err = watching_scope(c, own, &scope);

	*ret_changed = *ret_moved = false;
	if (error_is(err, ERROR_NOT_FOUND)) {
		error_ignore(err);
		return NULL;
	}
	if (err)
		return err;
	err = compute(c, b, scope, &cells, &now);
	if (err && err != &error_nomem) {
		error_ignore(err);
		err = NULL;
		now = (struct value){ .type = &type_void, .missing = "unreadable" };
	} else if (!err) {
		*ret_moved = have_moved(b, copy, &cells);
		err = take_cells(b, copy, &cells);
	}
	*ret_changed = !err && !same(&own->seen, &now);
	own->seen = now;
	return err;
}

/* Watches the value where it is now. */
static struct error *locate_again(struct control *c, struct breakpoint *b, size_t copy)
{
	struct watched_copy *own = &b->copies.items[copy];
	struct watching_cells cells;
	struct scope scope;
	struct value now;
	struct error *err = watching_scope(c, own, &scope);

	if (!err)
		err = watching_find(c, b, &scope, &cells, &now);
	if (err)
		return err;
	own->seen = now;
	own->of_region = cells.of_region;
	b->reckoned |= !is_plain(&now, &cells);
	err = take_cells(b, copy, &cells);
	return err ? err : begin(c, b, copy, &scope);
}

struct error *watching_follow(struct control *c, struct breakpoint *b, size_t copy,
			      bool *ret_follows)
{
	struct watched_copy *own = &b->copies.items[copy];
	const unsigned int point = own->scope_point;

	*ret_follows = false;
	if (!own->of_region)
		return NULL;
	own->scope_point = 0;
	struct error *err = target_clear_point(c->live->target, point);
	if (err)
		return err;
	err = locate_again(c, b, copy);
	*ret_follows = !err;
	if (err == &error_nomem)
		return err;
	error_ignore(err); /* it is in a register, or nowhere */
	return NULL;
}
