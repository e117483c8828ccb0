/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/runtime.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/modules/dynamic.h"

/* Modules that are the system's, by a name that they define. */
static const char *const system_signs[] = {
	"__libc_start_main",   "pthread_create", /* libpthread, before glibc 2.34 */
	"_dl_rtld_di_serinfo", "__vdso_clock_gettime", NULL,
};

static bool defines_any(struct target *t, const struct module *m, const char *const *names)
{
	while (names && *names && !exports_defines(t, m, *names))
		names++;
	return names && *names;
}

/* What a module is. *ret_ops: the runtime; NULL: none. */
static enum code_kind classify(const struct runtime_list *l, const struct module *m,
			       const struct runtime_ops **ret_ops)
{
	struct target *t = l->modules->target;

	*ret_ops = NULL;
	/* The program may define anything: functions of its own that are called so. */
	for (size_t i = 0; !m->is_exe && l->known[i]; i++) {
		bool is_runtime = defines_any(t, m, l->known[i]->signs);
		if (is_runtime)
			*ret_ops = l->known[i];
		if (is_runtime || defines_any(t, m, l->known[i]->companions))
			return CODE_RUNTIME;
	}
	return m->is_vdso || (!m->is_exe && defines_any(t, m, system_signs)) ? CODE_SYSTEM
									     : CODE_USER;
}

/* Reads what the module exports, where that makes sense. */
static struct error *read_exports(struct target *t, const struct module *m, struct exports **ret)
{
	struct error *err = exports_read(t, m, ret);

	if (err && err != &error_nomem) {
		error_ignore(err);
		err = NULL;
	}
	return err;
}

/* An MPI library: what programs wait for in it has names. */
static struct error *note_mpi(struct runtime_list *l, const struct module *m)
{
	if (l->mpi || m->is_exe || !exports_defines(l->modules->target, m, "MPI_Init"))
		return NULL;
	l->mpi_module = m;
	return read_exports(l->modules->target, m, &l->mpi);
}

const char *runtime_mpi_function(const struct runtime_list *l, taddr pc)
{
	const struct export *e = l->mpi && module_at(l->modules, pc) == l->mpi_module
					 ? exports_at(l->mpi, pc)
					 : NULL;

	return e && (text_starts_with(e->name, "MPI_") || text_starts_with(e->name, "PMPI_"))
		       ? e->name
		       : NULL;
}

static struct error *add_module(struct runtime_list *l, size_t index)
{
	const struct module *m = l->modules->items[index];
	struct runtime runtime = { .module = m };

	l->kinds[index] = classify(l, m, &runtime.ops);
	if (l->kinds[index] == CODE_USER)
		return note_mpi(l, m);
	bool is_libc = l->kinds[index] == CODE_SYSTEM && !l->libc &&
		       exports_defines(l->modules->target, m, "pthread_create");
	if (is_libc) {
		l->libc_module = m;
		return read_exports(l->modules->target, m, &l->libc);
	}
	if (!runtime.ops)
		return NULL;
	struct error *err = read_exports(l->modules->target, m, &runtime.exports);
	if (err || !runtime.exports)
		return err;
	if (vec_push(l, runtime))
		return NULL;
	exports_free(runtime.exports);
	return &error_nomem;
}

/* ---- programs that are linked statically ------------------------------------------------- */

static bool note_symbol(void *context, const struct symbol *symbol)
{
	*(taddr *)context = symbol->addr;
	return false;
}

static taddr find_symbol(const struct runtime_list *l, const struct module *m, const char *name)
{
	taddr found = 0;

	symbol_find_in(l->symbols, l->modules->items[m->index], name, note_symbol, &found);
	return found;
}

static bool is_linked(const struct runtime_list *l, const struct runtime *r)
{
	const char *const *sign = r->ops->signs;

	while (r->ops->linked && *sign && !find_symbol(l, r->module, *sign))
		sign++;
	return r->ops->linked && *sign;
}

/* Such a program has no C library to load. */
static struct error *add_program(struct runtime_list *l, struct symbol_table *symbols)
{
	struct runtime runtime = { .module = module_exe(l->modules) };

	if (l->len || l->libc || !symbols || !runtime.module)
		return NULL;
	l->symbols = symbols;
	for (size_t i = 0; l->known[i]; i++) {
		runtime.ops = l->known[i];
		if (is_linked(l, &runtime))
			return vec_push(l, runtime) ? NULL : &error_nomem;
	}
	l->symbols = NULL;
	return NULL;
}

/* Whose a function of such a program is, by the start of its name. */
static enum code_kind code_by_name(const struct runtime_list *l, const char *name)
{
	static const char *const system[] = { "start_thread", "clone", "__clone", "__libc_start",
					      NULL };

	for (size_t i = 0; i < l->len; i++) {
		if (runtime_starts_with(l->items[i].ops->linked, name))
			return CODE_RUNTIME;
	}
	return runtime_starts_with(system, name) ? CODE_SYSTEM : CODE_USER;
}

static enum code_kind code_in_program(const struct runtime_list *l, taddr pc)
{
	struct symbol symbol;

	if (!l->symbols || !symbol_at(l->symbols, pc, &symbol))
		return CODE_USER;
	/* What gcc makes of a function is the program's, whatever that is called. */
	return strstr(symbol.name, "._omp_fn.") ? CODE_USER : code_by_name(l, symbol.name);
}

const char *runtime_function_at(const struct runtime_list *l, const struct runtime *r, taddr pc)
{
	const struct export *e = r->exports ? exports_at(r->exports, pc) : NULL;
	struct symbol symbol;

	if (r->exports)
		return e ? e->name : NULL;
	if (code_in_program(l, pc) != CODE_RUNTIME || !symbol_at(l->symbols, pc, &symbol))
		return NULL;
	return symbol.global ? symbol.name : NULL;
}

bool runtime_find(const struct runtime_list *l, const struct runtime *r, const char *name,
		  taddr *ret)
{
	const struct export *e = r->exports ? exports_find(r->exports, name) : NULL;

	if (r->exports && (!e || e->thread_local))
		return false;
	*ret = e ? e->addr : find_symbol(l, r->module, name);
	return *ret;
}

/* ---- what the program calls ------------------------------------------------------------- */

/* A name is in the table of strings if the module needs what it names, or defines it. */
static bool has_name(struct target *t, const struct module *m, const char *const *wanted)
{
	enum { STRINGS_MAX = 16 << 20 }; /* bytes of the names of one module */
	struct dynamic d;
	struct error *err = dynamic_read(t, m, &d);

	if (err || d.strings_size > STRINGS_MAX) {
		error_ignore(err);
		return false;
	}
	AUTO_FREE char *strings = malloc(d.strings_size + 1);
	if (!strings || !memory_try_read(t->memory, d.strings, strings, d.strings_size))
		return false;
	for (; *wanted; wanted++) {
		if (memmem(strings, d.strings_size, *wanted, strlen(*wanted) + 1))
			return true;
	}
	return false;
}

bool runtime_program_names(const struct runtime_list *l, const char *const *names)
{
	for (size_t i = 0; i < l->modules->len; i++) {
		if (l->kinds[i] == CODE_USER &&
		    has_name(l->modules->target, l->modules->items[i], names))
			return true;
	}
	return false;
}

/* ---- all -------------------------------------------------------------------------------- */

struct error *runtime_list_read(const struct runtime_ops *const *known, struct module_list *modules,
				struct symbol_table *symbols, struct runtime_list *ret)
{
	struct runtime_list l = { .known = known, .modules = modules };
	struct error *err = NULL;

	l.kinds = calloc(modules->len + 1, sizeof(*l.kinds));
	if (!l.kinds)
		return &error_nomem;
	error_ignore(target_auxv(modules->target, AT_ENTRY, &l.entry));
	for (size_t i = 0; !err && i < modules->len; i++)
		err = add_module(&l, i);
	if (!err)
		err = add_program(&l, symbols);
	if (err) {
		runtime_list_fini(&l);
		return err;
	}
	*ret = l;
	return NULL;
}

void runtime_list_fini(struct runtime_list *l)
{
	vec_for_each (runtime, l)
		exports_free(runtime->exports);
	vec_fini(l);
	exports_free(l->libc);
	exports_free(l->mpi);
	l->mpi = NULL;
	free(l->kinds);
	l->libc = NULL;
	l->kinds = NULL;
}

const struct runtime *runtime_at(const struct runtime_list *l, taddr pc)
{
	const struct module *m = module_at(l->modules, pc);

	for (size_t i = 0; m && i < l->len; i++) {
		const struct runtime *r = &l->items[i];
		if (r->module == m && (r->exports || code_in_program(l, pc) == CODE_RUNTIME))
			return r;
	}
	return NULL;
}

/* The program's first instructions, which call the C library's start-up code. */
static bool is_entry(const struct runtime_list *l, taddr pc)
{
	enum { ENTRY_SIZE = 64 };

	return l->entry && pc >= l->entry && pc - l->entry < ENTRY_SIZE;
}

enum code_kind runtime_code_at(const struct runtime_list *l, taddr pc)
{
	const struct module *m = module_at(l->modules, pc);

	if (!m)
		return CODE_USER;
	if (is_entry(l, pc))
		return CODE_SYSTEM;
	return l->symbols && m->is_exe ? code_in_program(l, pc) : l->kinds[m->index];
}
