/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/outlined.h"

#include <string.h>

#include "target/symbols/places.h"

/* What stands in the names; the first that is found counts. */
static const struct {
	const char *sign;
	const char *construct;
} signs[] = {
	{ "._omp_fn.", NULL },
	{ "._omp_cpyfn.", NULL },
	{ ".omp_task_entry.", "task" },
	{ ".omp_task_privates_map.", "task" },
	{ ".omp_task_dup.", "task" },
	{ ".omp_task_destructor.", "task" },
	{ ".omp.copyprivate.", NULL },
	{ ".omp.reduction.", NULL },
	{ "_omp$reduction$", NULL },
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
