/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "target/modules/dynamic.h"

/* Modules that are the system's, by a name that they define. */
static const char *const system_signs[] = {
	"__libc_start_main",   "pthread_create", /* libpthread, before glibc 2.34 */
	"_dl_rtld_di_serinfo", "__vdso_clock_gettime", NULL,
};

/* What Fortran programs call MPI through: Open MPI's module mpi_f08 has a library of its own. */
static const char *const mpi_for_fortran_signs[] = { "mpi_init_", "mpi_init_f08_", NULL };

/* What is known of a module. Hangs on it. */
struct code {
	enum code_kind kind;
	const struct runtime_ops *ops; /* NULL: it is no runtime                                */
	bool is_libc, is_mpi, is_mpi_for_fortran;
	bool asked, may_hold; /* of the program: may a runtime be in it?                  */
	struct exports
		*exports; /* owned; of a runtime, the C library, MPI; NULL: they make no sense */
};

static const struct code *code_of(const struct module *m)
{
	return m->parts[MODULE_CODE].data;
}

static void code_free(void *data)
{
	struct code *code = data;

	exports_free(code->exports);
	free(code);
}

static void code_move(void *data, struct target *t, const struct module *m)
{
	struct code *code = data;

	if (code->exports)
		exports_move(code->exports, t, m);
}

static const struct part_ops part_ops = { code_free, code_move };

static bool defines_any(struct target *t, const struct module *m, const char *const *names)
{
	while (names && *names && !exports_defines(t, m, *names))
		names++;
	return names && *names;
}

/* Whose code a module is. The program may define anything: functions of its own that are called so.
 */
static void classify(const struct runtime_list *l, const struct module *m, struct code *ret)
{
	struct target *t = l->modules->target;

	ret->kind = m->is_vdso ? CODE_SYSTEM : CODE_USER;
	if (m->is_exe)
		return;
	for (size_t i = 0; l->known[i] && ret->kind != CODE_RUNTIME; i++) {
		bool is_runtime = defines_any(t, m, l->known[i]->signs);
		if (is_runtime)
			ret->ops = l->known[i];
		if (is_runtime || defines_any(t, m, l->known[i]->companions))
			ret->kind = CODE_RUNTIME;
	}
	if (ret->kind == CODE_USER && defines_any(t, m, system_signs))
		ret->kind = CODE_SYSTEM;
	ret->is_libc = ret->kind == CODE_SYSTEM && exports_defines(t, m, "pthread_create");
	ret->is_mpi = ret->kind == CODE_USER && exports_defines(t, m, "MPI_Init");
	ret->is_mpi_for_fortran =
		ret->kind == CODE_USER && !ret->is_mpi && defines_any(t, m, mpi_for_fortran_signs);
}

static struct error *find_code(const struct runtime_list *l, struct module *m)
{
	struct code *code = calloc(1, sizeof(*code));
	struct error *err = NULL;

	if (!code)
		return &error_nomem;
	classify(l, m, code);
	if (code->ops || code->is_libc || code->is_mpi)
		err = exports_read(l->modules->target, m, &l->modules->budget, &code->exports);
	module_hang(m, MODULE_CODE, code, &part_ops);
	if (err == &error_nomem)
		return err;
	error_ignore(err);
	return NULL;
}

bool runtime_is_mpi(const struct runtime_list *l, taddr pc)
{
	const struct module *m = module_at(l->modules, pc);

	return m && (m == l->mpi_module || (code_of(m) && code_of(m)->is_mpi_for_fortran));
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

static struct error *add_module(struct runtime_list *l, struct module *m)
{
	struct error *err = code_of(m) ? NULL : find_code(l, m);

	if (err)
		return err;
	const struct code *code = code_of(m);
	if (code->is_libc && !l->libc)
		l->libc = code->exports;
	if (code->is_mpi && !l->mpi) {
		l->mpi = code->exports;
		l->mpi_module = m;
	}
	if (!code->ops || !code->exports)
		return NULL;
	return vec_push(l, (struct runtime){ code->ops, m, code->exports }) ? NULL : &error_nomem;
}

/* ---- runtimes that are linked into the program -------------------------------------------- */

static bool note_symbol(void *context, const struct symbol *symbol)
{
	*(taddr *)context = symbol->addr;
	return false;
}

taddr runtime_symbol(struct symbol_table *symbols, struct module *m, const char *name)
{
	taddr found = 0;

	symbol_find_in(symbols, m, name, note_symbol, &found);
	return found;
}

static taddr find_symbol(const struct runtime_list *l, const struct module *m, const char *name)
{
	return runtime_symbol(l->symbols, l->modules->items[m->index], name);
}

static bool is_linked(const struct runtime_list *l, const struct runtime *r)
{
	const char *const *sign = r->ops->signs;

	while (r->ops->linked && *sign && !find_symbol(l, r->module, *sign))
		sign++;
	return r->ops->linked && *sign;
}

static bool has_names(struct target *t, const struct module *m, const char *const *wanted);

/*
 * What the runtimes need of the C library, all of one row, and hardly anything else does: the
 * program may have one in it. One that is linked statically may have anything.
 */
static bool may_hold_runtime(const struct runtime_list *l, const struct module *program)
{
	static const char *const needs[][4] = {
		{ "pthread_attr_setaffinity_np", "pthread_getaffinity_np" }, /* libgomp */
		{ "pthread_setcanceltype", "pthread_getattr_np", "times" },  /* libomp  */
	};
	struct code *code = program->parts[MODULE_CODE].data;

	if (l->libc && !code->asked) {
		code->asked = true;
		code->may_hold = has_names(l->modules->target, program, needs[0]) ||
				 has_names(l->modules->target, program, needs[1]);
	}
	return !l->libc || code->may_hold;
}

/* It has symbols of its own; some function is where each program starts. */
static bool has_symbols(const struct runtime_list *l, const struct module *program)
{
	static const char *const starts[] = { "main", "_start", "_rt0_amd64_linux", NULL };
	const char *const *start = starts;

	while (*start && !find_symbol(l, program, *start))
		start++;
	return *start;
}

/* A runtime that is a part of the program. */
static struct error *add_program(struct runtime_list *l, struct symbol_table *symbols)
{
	struct runtime runtime = { .module = module_exe(l->modules) };

	if (l->len || !runtime.module || !may_hold_runtime(l, runtime.module))
		return NULL;
	l->symbols = symbols;
	for (size_t i = 0; symbols && l->known[i]; i++) {
		runtime.ops = l->known[i];
		if (is_linked(l, &runtime))
			return vec_push(l, runtime) ? NULL : &error_nomem;
	}
	/* Of a runtime without "linked" nothing is known by its symbols. */
	l->hidden = l->libc || !symbols || !has_symbols(l, runtime.module);
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

/* How many of these names the module needs or defines: those in its table of strings. */
static size_t count_names(struct target *t, const struct module *m, const char *const *wanted)
{
	enum { STRINGS_MAX = 16 << 20 }; /* bytes of the names of one module */
	struct dynamic d;
	size_t n = 0;
	struct error *err = dynamic_read(t, m, &d);

	if (err || d.strings_size > STRINGS_MAX) {
		error_ignore(err);
		return 0;
	}
	AUTO_FREE char *strings = malloc(d.strings_size + 1);
	if (!strings || !memory_try_read(t->memory, d.strings, strings, d.strings_size))
		return 0;
	for (; *wanted; wanted++)
		n += memmem(strings, d.strings_size, *wanted, strlen(*wanted) + 1) != NULL;
	return n;
}

/* All of them; the list ends with NULL. */
static bool has_names(struct target *t, const struct module *m, const char *const *wanted)
{
	size_t n = 0;

	while (wanted[n])
		n++;
	return count_names(t, m, wanted) == n;
}

bool runtime_program_names(const struct runtime_list *l, const char *const *names)
{
	for (size_t i = 0; names && i < l->modules->len; i++) {
		if (runtime_code_of(l->modules->items[i]) == CODE_USER &&
		    count_names(l->modules->target, l->modules->items[i], names))
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

	for (size_t i = 0; !err && i < modules->len; i++)
		err = add_module(&l, modules->items[i]);
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
	vec_fini(l);
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

	taddr entry = l->modules->entry;

	return entry && pc >= entry && pc - entry < ENTRY_SIZE;
}

enum code_kind runtime_code_of(const struct module *m)
{
	return code_of(m)->kind;
}

enum code_kind runtime_code_at(const struct runtime_list *l, taddr pc)
{
	const struct module *m = module_at(l->modules, pc);

	if (!m)
		return CODE_USER;
	if (is_entry(l, pc))
		return CODE_SYSTEM;
	return l->symbols && m->is_exe ? code_in_program(l, pc) : runtime_code_of(m);
}
