/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_functions.h"

#include <fnmatch.h>
#include <string.h>

#include "ompd/picture/runtime.h"
#include "ompd/runtimes.h"

void probe_functions_fini(struct probe_functions *f)
{
	vec_for_each (r, &f->runtimes)
		free(r->module);
	vec_fini(&f->runtimes);
	vec_fini(&f->items);
}

bool probe_functions_fits(const char *patterns, const char *name)
{
	char pattern[80];

	for (size_t len; *patterns; patterns += len + (patterns[len] == '|')) {
		len = strcspn(patterns, "|");
		if (len >= sizeof(pattern))
			continue;
		memcpy(pattern, patterns, len);
		pattern[len] = '\0';
		if (!fnmatch(pattern, name, 0))
			return true;
	}
	return false;
}

/* One function may have several names, of several versions, and be in several tables. */
static bool has(const struct probe_functions *f, const struct probe_function *new)
{
	vec_for_each (old, &f->items) {
		if (old->addr == new->addr && old->row->event == new->row->event &&
		    old->row->when == new->row->when && old->runtime == new->runtime)
			return true;
	}
	return false;
}

static struct error *add(struct probe_functions *ret, const char *name, taddr addr)
{
	const size_t last = ret->runtimes.len - 1;
	const struct event_row *row = NULL;
	const struct event_row *const *tables = ret->runtimes.items[last].ops->events;
	bool own = true;

	while ((row = runtime_event_next(tables, row))) {
		own &= row != tables[1];
		const struct probe_function new = { row, last, addr, own };
		if (!row->function || row->imported || !probe_functions_fits(row->function, name) ||
		    has(ret, &new))
			continue;
		if (!vec_push(&ret->items, new))
			return &error_nomem;
	}
	return NULL;
}

static struct error *add_exported(struct probe_functions *ret, const struct runtime *r)
{
	const struct exports_table table = exports_table(r->exports);
	struct error *err = NULL;

	for (size_t i = 0; i < table.nsymbols && !err; i++) {
		const Elf64_Sym *symbol = &table.symbols[i];
		bool function = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
		if (!function || symbol->st_shndx == SHN_UNDEF ||
		    symbol->st_name >= table.strings_size)
			continue;
		const char *name = table.strings + symbol->st_name;
		const struct runtime_entry *entry = runtime_entry(r->ops, name);
		const struct user_call *call = runtime_user_call(r->ops, name);
		const taddr at = symbol->st_value + r->module->bias;
		struct probe_range *range = &ret->runtimes.items[ret->runtimes.len - 1].range;
		if (entry && entry->internal && entry->calls == SPAN_PARALLEL) {
			range->invoker = at;
			range->invoker_end = at + symbol->st_size;
		} else if (call && call->calls == SPAN_TEAMS) {
			range->teams = at;
			range->teams_end = at + symbol->st_size;
		}
		if (entry)
			err = add(ret, name, at);
	}
	return err;
}

/* What it calls of the C library, for itself. */
static struct error *add_imported(struct probe_functions *ret, const struct runtime_list *l)
{
	const size_t last = ret->runtimes.len - 1;
	const struct event_row *const own[] = { ret->runtimes.items[last].ops->events[0], NULL };
	const struct event_row *row = NULL;

	while (l->libc && (row = runtime_event_next(own, row))) {
		const struct export *e =
			row->imported ? exports_find(l->libc, row->function) : NULL;
		if (e &&
		    !vec_push(&ret->items, ((struct probe_function){ row, last, e->addr, true })))
			return &error_nomem;
	}
	return NULL;
}

struct linked {
	struct probe_functions *ret;
	const struct runtime_ops *ops;
	struct error *err;
};

static bool take_linked(void *context, const struct symbol *symbol)
{
	struct linked *l = context;

	if (symbol->function && symbol->global && runtime_starts_with(l->ops->linked, symbol->name))
		l->err = add(l->ret, symbol->name, symbol->addr);
	return !l->err;
}

/* A part of the program. */
static struct error *add_linked(struct probe_functions *ret, const struct session *s,
				const struct runtime *r)
{
	struct linked l = { .ret = ret, .ops = r->ops };

	symbol_for_each_in(s->symbols, s->modules->items[r->module->index], take_linked, &l);
	return l.err;
}

static struct error *add_runtime(struct probe_functions *ret, const struct session *s,
				 const struct runtime_list *l, const struct runtime *r)
{
	struct probe_runtime new = { .ops = r->ops, .module = strdup(r->module->path) };

	if (r->exports)
		new.range =
			(struct probe_range){ .start = r->module->start, .end = r->module->end };
	if (!new.module || !vec_push(&ret->runtimes, new)) {
		free(new.module);
		return &error_nomem;
	}
	if (!r->exports)
		return add_linked(ret, s, r);
	struct error *err = add_exported(ret, r);
	return err ? err : add_imported(ret, l);
}

static bool same(const struct probe_functions *a, const struct probe_functions *b)
{
	bool ret = a->runtimes.len == b->runtimes.len && a->items.len == b->items.len;

	for (size_t i = 0; ret && i < a->items.len; i++)
		ret = a->items.items[i].row == b->items.items[i].row &&
		      a->items.items[i].addr == b->items.items[i].addr;
	return ret;
}

struct error *probe_functions_find(struct probe_functions *ret, const struct session *s,
				   bool *ret_changed)
{
	struct probe_functions new = { 0 };
	struct runtime_list l = { 0 };
	struct error *err = runtime_list_read(runtimes_known, s->modules, s->symbols, &l);

	for (size_t i = 0; i < l.len && !err; i++)
		err = add_runtime(&new, s, &l, &l.items[i]);
	runtime_list_fini(&l);
	if (err) {
		probe_functions_fini(&new);
		return err;
	}
	*ret_changed = !same(ret, &new);
	probe_functions_fini(ret);
	*ret = new;
	return NULL;
}
