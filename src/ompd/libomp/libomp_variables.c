/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_variables.h"

#include <stdlib.h>

static bool is_between(const struct libomp_image *i, taddr variable, size_t size, uint64_t least,
		       uint64_t most)
{
	uint64_t value;

	return libomp_image_uint(i, variable, size, &value) && value >= least && value <= most;
}

static bool is_flag(const struct libomp_image *i, taddr variable)
{
	return is_between(i, variable, 4, 0, 1);
}

static bool is_natural(const struct libomp_image *i, taddr variable)
{
	return is_between(i, variable, 4, 0, INT32_MAX);
}

static bool is_processor_count(const struct libomp_image *i, taddr variable)
{
	return is_between(i, variable, 4, 1, 1 << 20);
}

static bool is_stack_size(const struct libomp_image *i, taddr variable)
{
	return is_between(i, variable, 8, 4096, UINT64_C(1) << 40);
}

static bool is_text_or_null(const struct libomp_image *i, taddr variable)
{
	enum { MOST = 1 << 16 };
	uint64_t text;
	char *string = NULL;

	if (!libomp_image_uint(i, variable, 8, &text))
		return false;
	if (!text)
		return true;
	struct error *err = target_read_string(i->target, text, MOST, &string);
	free(string);
	error_ignore(err);
	return !err;
}

static bool is_text(const struct libomp_image *i, taddr variable)
{
	return is_between(i, variable, 8, 1, UINT64_MAX) && is_text_or_null(i, variable);
}

/*
 * A list as OMP_NUM_THREADS and OMP_PROC_BIND make them: pointer to ints, room, how many of them.
 * There is always room for some.
 */
static bool is_list(const struct libomp_image *i, taddr variable)
{
	enum { MOST = 1 << 10 };
	uint64_t items, room, used, last;

	return libomp_image_uint(i, variable, 8, &items) && libomp_image_is_heap(i, items) &&
	       libomp_image_uint(i, variable + 8, 4, &room) && room >= 1 && room <= MOST &&
	       libomp_image_uint(i, variable + 12, 4, &used) && used <= room &&
	       libomp_image_uint(i, items + 4 * (room - 1), 4, &last);
}

static bool is_anything(const struct libomp_image *i, taddr variable)
{
	return libomp_image_has(i, variable, 4);
}

const struct libomp_variable libomp_variables[] = {
	{ "ompd_env_block", is_text_or_null, .behind_anchor = 2 },
	{ "ompd_env_block_size", is_anything, .behind_anchor = 3 },
	{ "__kmp_omp_cancellation", is_flag, "omp_get_cancellation" },
	{ "__kmp_max_task_priority", is_natural, "omp_get_max_task_priority" },
	{ "__kmp_stksize", is_stack_size, "kmp_get_stacksize_s" },
	{ "__kmp_avail_proc", is_processor_count, "omp_get_num_procs" },
	{ "__kmp_affinity_format", is_text, "omp_get_affinity_format", 2 },
	{ "__kmp_nested_proc_bind", is_list, NULL, 0, "__kmp_affinity_format", -0x18 },
	{ "__kmp_display_affinity", is_flag, NULL, 0, "__kmp_nested_proc_bind", 0x14 },
	{ "__kmp_nested_nth", is_list, NULL, 0, "__kmp_omp_cancellation", -0x18 },
	{ "__kmp_tool", is_natural },
	{ "__kmp_tool_libraries", is_text_or_null },
	{ "__kmp_tool_verbose_init", is_text_or_null },
	{ "__kmp_openmp_version", is_natural },
	{ NULL },
};

taddr libomp_variables_by_code(const struct libomp_variable *v, const struct libomp_image *i)
{
	taddr used[8];
	size_t n = v->getter ? libomp_image_variables(i, v->getter, used, 8) : 0;
	size_t wanted = v->number ? v->number : n;

	return wanted && wanted <= n ? used[wanted - 1] : 0;
}
