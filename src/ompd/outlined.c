/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/outlined.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "target/symbols/function_name.h"
#include "target/symbols/function_text.h"
#include "target/symbols/places.h"

/* What stands in the names; the first that is found counts. */
static const struct {
	const char *sign;
	const char *construct;
	bool helper;
} signs[] = {
	{ "._omp_fn.", NULL },
	{ "._omp_cpyfn.", NULL, true },
	{ ".omp_task_entry.", "task" },
	{ ".omp_task_privates_map.", "task", true },
	{ ".omp_task_dup.", "task", true },
	{ ".omp_task_destructor.", "task", true },
	{ ".omp.copyprivate.", NULL, true },
	{ ".omp.reduction.", NULL, true },
	{ "_omp$reduction$", NULL, true },
	{ ".omp_outlined", NULL },
	{ "__omp_offloading_", "target" },
};

/* Demangled names of clones: "S::run() [clone ._omp_fn.0]". */
static size_t without_clone(const char *name, size_t len)
{
	static const char clone[] = " [clone ";
	size_t its = strlen(clone);

	return len >= its && !strncmp(name + len - its, clone, its) ? len - its : len;
}

/* What the names of target constructs begin with. */
static const char offloading[] = "__omp_offloading_";

/* "DEVICE_FILE_", both in hexadecimal, behind the prefix of target constructs. */
static const char *behind_numbers(const char *at)
{
	for (int i = 0; i < 2; i++) {
		size_t digits = strspn(at, "0123456789abcdef");

		if (!digits || at[digits] != '_')
			return NULL;
		at += digits + 1;
	}
	return at;
}

/*
 * The user's function in "__omp_offloading_fe00_a965d3_work_l95": what stands before the last "_l"
 * and a number.
 */
static void find_in_offloading(struct outlined *o, const char *name, const char *end)
{
	const char *user = behind_numbers(name + strlen(offloading));

	o->len = 0;
	for (const char *at = user ? end : NULL; at && at > user; at--) {
		if (end - at > 2 && !strncmp(at, "_l", 2) && at[2] >= '0' && at[2] <= '9') {
			o->user = user;
			o->len = (size_t)(at - user);
			return;
		}
	}
}

bool outlined_parse(const char *name, struct outlined *ret)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const char *at = strstr(name, signs[i].sign);
		if (!at)
			continue;
		*ret = (struct outlined){
			.user = name,
			.len = without_clone(name, (size_t)(at - name)),
			.construct = signs[i].construct,
			.helper = signs[i].helper,
		};
		if (!strncmp(name, offloading, strlen(offloading)))
			find_in_offloading(ret, name, name + (at > name ? ret->len : strlen(name)));
		return true;
	}
	return false;
}

char *outlined_user(const struct outlined *o, struct symbol_table *symbols)
{
	static const char program[] = "MAIN__"; /* gfortran's name of every main program */
	bool is_program = o->len == strlen(program) && !strncmp(o->user, program, o->len);

	return is_program ? strdup(places_main(symbols)) : strndup(o->user, o->len);
}

/* ---- as it is read ------------------------------------------------------------------------ */

static bool take_address(void *context, const struct symbol *symbol)
{
	taddr *ret = context;

	if (symbol->function)
		*ret = symbol->addr;
	return !symbol->function;
}

/* As function_text() says it; nothing may be left of the function itself but its name. */
static char *text_of(struct symbol_table *symbols, const char *linkage, bool parameters)
{
	const struct source_frame *levels;
	size_t nlevels = 0, len;
	taddr entry = 0;

	symbol_find(symbols, linkage, take_address, &entry);
	error_ignore(entry ? symbol_locate(symbols, entry, &levels, &nlevels) : NULL);
	if (nlevels)
		return function_text(symbols, entry, nlevels - 1, parameters);
	AUTO_FREE char *shown = symbol_demangle(linkage);
	const char *from = shown ? function_name_without_result(shown, &len) : NULL;
	if (!from || parameters)
		return TAKE(shown);
	return strndup(from, len);
}

/* Without template arguments, type of result and parameters. */
static char *without_instance(const char *shown)
{
	AUTO(function_name_fini) struct function_name name = { 0 };
	AUTO_BUF text = { 0 };

	if (!function_name_parse(shown, &name) || !name.nparts)
		return strdup(shown);
	for (size_t i = 0; i < name.nparts; i++)
		buf_addf(&text, "%s%.*s", i ? "::" : "", (int)name.parts[i].base,
			 name.parts[i].text);
	return buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
}

char *outlined_around(struct symbol_table *symbols, taddr pc, const char *file, int line)
{
	bool several = false;
	const char *linkage =
		file ? symbol_function_around(symbols, pc, file, line, &several) : NULL;
	AUTO_FREE char *shown = linkage ? symbol_demangle(linkage) : NULL;

	return shown && several ? without_instance(shown) : TAKE(shown);
}

char *outlined_text(struct symbol_table *symbols, const struct source_place *at, bool parameters,
		    const char **ret_outlined)
{
	const struct source_frame *levels;
	struct outlined o;
	size_t len = 0;
	AUTO_FREE char *user = NULL;

	*ret_outlined = NULL;
	error_ignore(symbol_locate(symbols, at->pc, &levels, &len));
	const char *linkage = at->level < len ? levels[at->level].function : NULL;
	if (!linkage || !outlined_parse(linkage, &o))
		return function_text(symbols, at->pc, at->level, parameters);
	*ret_outlined = linkage;
	if (o.len) {
		user = outlined_user(&o, symbols);
		return user ? text_of(symbols, user, parameters) : NULL;
	}
	bool several = false;
	if (at->file)
		linkage = symbol_function_around(symbols, at->pc, at->file, at->line, &several);
	user = text_of(symbols, linkage ? linkage : *ret_outlined, parameters && !several);
	return user && several ? without_instance(user) : TAKE(user);
}
