/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_stations.h"

#include <string.h>

#include "ompd/picture/runtime.h"
#include "ompd/runtimes.h"

enum { UNNAMED = 1 }; /* as an object: the critical construct without a name */

/* ---- what an entry is ------------------------------------------------------------------- */

static void classify_lock(const struct runtime_entry *e, struct station *ret)
{
	ret->place = e->kind == WAIT_CRITICAL ? PLACE_CRITICAL : PLACE_LOCK;
	ret->tries = e->effect == FLOW_TRY;
	if (e->effect == FLOW_GIVE)
		ret->place = PLACE_RELEASE;
	ret->object = e->object;
}

/* false: nothing passes there. */
static bool classify(const struct runtime_ops *ops, const char *name, struct station *ret)
{
	const struct runtime_entry *e = runtime_entry(ops, name);
	const struct loop_call *loop = runtime_loop_call(ops, name);
	const enum wait_whom whom = e ? wait_kind_whom(e->kind) : FOR_NOBODY;

	*ret = (struct station){ .kind = STATION_STANDS };
	if (loop && (loop->role == LOOP_NEXT || loop->role == LOOP_BEGIN)) {
		ret->place = PLACE_CHUNK;
		return true;
	}
	if (!e || e->internal || strstr(name, "nowait"))
		return false;
	if (e->effect != FLOW_NOTHING) {
		classify_lock(e, ret);
	} else if (e->calls == SPAN_PARALLEL) {
		ret->kind = STATION_REGION;
	} else if (e->point == POINT_CREATION || whom == FOR_CHILDREN) {
		ret->place = PLACE_TASK;
	} else if (wait_kind_traits(e->kind)->is_barrier) {
		ret->kind = STATION_WAITS;
		ret->place = PLACE_BARRIER;
	} else if (whom == FOR_TURN || whom == FOR_TEAM) {
		ret->kind = STATION_WAITS;
		ret->place = PLACE_WAIT;
	} else {
		return false;
	}
	return true;
}

/* ---- points ----------------------------------------------------------------------------- */

static struct error *add(struct control *c, struct stations *s, struct station *made)
{
	made->point = ++c->next_point;
	const struct point point = { .id = made->point, .kind = POINT_CODE, .addr = made->addr };
	struct error *err = target_set_point(c->live->target, &point);

	if (!err && vec_push(&s->items, *made))
		return NULL;
	if (!err)
		error_ignore(target_clear_point(c->live->target, made->point));
	return err ? err : &error_nomem;
}

static struct error *plant_entry(struct control *c, struct stations *s, const struct runtime *r,
				 const char *name, taddr addr)
{
	struct station made;

	if (!classify(r->ops, name, &made) || stations_at(s, addr))
		return NULL;
	made.addr = addr;
	made.name = strdup(name);
	struct error *err = made.name ? add(c, s, &made) : &error_nomem;
	if (err)
		free(made.name);
	return err;
}

static struct error *plant_runtime(struct control *c, struct stations *s, const struct runtime *r)
{
	const struct exports_table table = exports_table(r->exports);
	struct error *err = NULL;

	for (size_t i = 0; !err && i < table.nsymbols; i++) {
		const Elf64_Sym *sym = &table.symbols[i];
		bool function = ELF64_ST_TYPE(sym->st_info) == STT_FUNC && sym->st_shndx;
		if (!function || sym->st_name >= table.strings_size)
			continue;
		err = plant_entry(c, s, r, table.strings + sym->st_name,
				  r->module->bias + sym->st_value);
	}
	return err;
}

struct error *stations_plant(struct control *c, struct stations *ret)
{
	AUTO(runtime_list_fini) struct runtime_list list = { 0 };
	struct error *err = module_list_update(c->live->modules);
	bool is_linked = false;

	if (!err)
		err = runtime_list_read(runtimes_known, c->live->modules, c->live->symbols, &list);
	for (size_t i = 0; !err && i < list.len; i++) {
		is_linked |= !list.items[i].exports;
		err = list.items[i].exports ? plant_runtime(c, ret, &list.items[i]) : NULL;
	}
	if (err || ret->items.len)
		return err;
	return error_new(ERROR_NOT_FOUND, is_linked ? "the OpenMP runtime is linked into the "
						      "program: where it synchronises is not known"
						    : "the process has no OpenMP runtime");
}

void stations_clear(struct control *c, struct stations *s)
{
	vec_for_each (station, &s->items) {
		if (c)
			error_ignore(target_clear_point(c->live->target, station->point));
		free(station->name);
	}
	vec_fini(&s->items);
}

const struct station *stations_find(const struct stations *s, unsigned int point)
{
	vec_for_each (station, &s->items) {
		if (station->point == point)
			return station;
	}
	return NULL;
}

const struct station *stations_at(const struct stations *s, taddr addr)
{
	vec_for_each (station, &s->items) {
		if (station->addr == addr && station->kind != STATION_RETURN)
			return station;
	}
	return NULL;
}

struct error *stations_add_return(struct control *c, struct stations *s, taddr addr)
{
	struct station made = { .addr = addr, .kind = STATION_RETURN };

	vec_for_each (station, &s->items) {
		if (station->addr == addr && station->kind == STATION_RETURN)
			return NULL;
	}
	struct error *err = c->stands ? NULL : target_stop_all(c->live->target);
	c->stands = !err;
	return err ? err : add(c, s, &made);
}

/* ---- calls ------------------------------------------------------------------------------ */

/* The entry around an address, by the order of entries: the last one before it. */
static const struct station *around(const struct stations *s, taddr pc)
{
	enum { LONGEST = 4096 };
	const struct station *ret = NULL;

	vec_for_each (station, &s->items) {
		bool before = station->kind != STATION_RETURN && station->addr <= pc;
		if (before && pc - station->addr < LONGEST && (!ret || station->addr > ret->addr))
			ret = station;
	}
	return ret;
}

struct error *stations_read_call(struct control *c, const struct stations *s, struct thread *th,
				 const struct station *at, struct station_call *ret)
{
	struct target *t = c->live->target;
	uint64_t sp = 0, back = 0, object = 0;
	struct symbol symbol;
	struct error *err = target_get_uint(t, th, t->arch->sp, &sp);

	if (!err)
		err = target_read_uint(t, sp, sizeof(uint64_t), &back);
	if (!err && at->object)
		err = target_get_uint(t, th, t->arch->call_args[at->object - 1], &object);
	if (err)
		return err;
	const struct station *caller = around(s, back);
	bool known = caller && symbol_at(c->live->symbols, back, &symbol);
	*ret = (struct station_call){
		.back = back,
		.sp = sp + sizeof(uint64_t),
		.object = at->place == PLACE_CRITICAL || at->place == PLACE_RELEASE ||
					  at->place == PLACE_LOCK
				  ? (object ? object : UNNAMED)
				  : 0,
		.inside = known && symbol.addr == caller->addr,
	};
	return NULL;
}
