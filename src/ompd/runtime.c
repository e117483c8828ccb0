/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/runtime.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/*
 * What a module is, by a name that it defines; the first row that fits counts. LLVM's libomp
 * defines libgomp's names, too.
 */
static const struct {
	const char *defines;
	enum code_kind code;
	bool is_runtime;
	enum runtime_kind runtime;
} signs[] = {
	{ "__kmpc_fork_call", CODE_RUNTIME, true, RUNTIME_LIBOMP },
	{ "GOMP_parallel", CODE_RUNTIME, true, RUNTIME_GOMP },
	{ "GOMP_parallel_start", CODE_RUNTIME, true, RUNTIME_GOMP }, /* before GCC 4.9 */
	{ "__tgt_register_lib", CODE_RUNTIME, false, 0 },            /* LLVM's libomptarget */
	{ "__libc_start_main", CODE_SYSTEM, false, 0 },
	{ "pthread_create", CODE_SYSTEM, false, 0 }, /* libpthread, before glibc 2.34 */
	{ "_dl_rtld_di_serinfo", CODE_SYSTEM, false, 0 },
	{ "__vdso_clock_gettime", CODE_SYSTEM, false, 0 },
};
enum { NSIGNS = sizeof(signs) / sizeof(*signs) };

const char *runtime_kind_name(enum runtime_kind kind)
{
	static const char *const names[] = {
		[RUNTIME_GOMP] = "libgomp", [RUNTIME_LIBOMP] = "libomp"
	};

	return names[kind];
}

static size_t find_sign(struct target *t, const struct module *m)
{
	size_t i = 0;

	/* The program may define anything: functions of its own that are called so. */
	if (m->is_exe)
		return NSIGNS;
	while (i < NSIGNS && !exports_defines(t, m, signs[i].defines))
		i++;
	return i;
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
	size_t sign = find_sign(l->modules->target, m);
	struct runtime runtime = { .module = m };

	l->kinds[index] = m->is_vdso ? CODE_SYSTEM : CODE_USER;
	if (sign == NSIGNS)
		return note_mpi(l, m);
	l->kinds[index] = signs[sign].code;
	bool is_libc = signs[sign].code == CODE_SYSTEM && !l->libc &&
		       exports_defines(l->modules->target, m, "pthread_create");
	if (is_libc) {
		l->libc_module = m;
		return read_exports(l->modules->target, m, &l->libc);
	}
	if (!signs[sign].is_runtime)
		return NULL;
	runtime.kind = signs[sign].runtime;
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

/* Such a program has no C library to load. */
static struct error *add_program(struct runtime_list *l, struct symbol_table *symbols)
{
	struct runtime runtime = { .kind = RUNTIME_GOMP, .module = module_exe(l->modules) };

	if (l->len || l->libc || !symbols || !runtime.module)
		return NULL;
	l->symbols = symbols;
	if (!find_symbol(l, runtime.module, "GOMP_parallel")) {
		l->symbols = NULL;
		return NULL;
	}
	return vec_push(l, runtime) ? NULL : &error_nomem;
}

/* Whose a function of such a program is, by the start of its name. */
static enum code_kind code_by_name(const char *name)
{
	static const struct {
		const char *start;
		enum code_kind kind;
	} rows[] = {
		{ "GOMP_", CODE_RUNTIME },       { "gomp_", CODE_RUNTIME },
		{ "omp_", CODE_RUNTIME },        { "start_thread", CODE_SYSTEM },
		{ "clone", CODE_SYSTEM },        { "__clone", CODE_SYSTEM },
		{ "__libc_start", CODE_SYSTEM },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (text_starts_with(name, rows[i].start))
			return rows[i].kind;
	}
	return CODE_USER;
}

static enum code_kind code_in_program(const struct runtime_list *l, taddr pc)
{
	struct symbol symbol;

	if (!l->symbols || !symbol_at(l->symbols, pc, &symbol))
		return CODE_USER;
	/* What gcc makes of a function is the program's, whatever that is called. */
	return strstr(symbol.name, "._omp_fn.") ? CODE_USER : code_by_name(symbol.name);
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

/* ---- all -------------------------------------------------------------------------------- */

struct error *runtime_list_read(struct module_list *modules, struct symbol_table *symbols,
				struct runtime_list *ret)
{
	struct runtime_list l = { .modules = modules };
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
