/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/outlined.h"

#include <string.h>

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

bool outlined_parse(const char *name, struct outlined *ret)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const char *at = strstr(name, signs[i].sign);
		if (!at)
			continue;
		*ret = (struct outlined){
			.len = without_clone(name, (size_t)(at - name)),
			.construct = signs[i].construct,
		};
		return true;
	}
	return false;
}
