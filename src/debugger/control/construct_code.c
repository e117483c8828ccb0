/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/construct_code.h"

#include <string.h>

#include "debugger/control/stub.h"
#include "ompd/outlined.h"
#include "ompd/runtimes.h"

/* The runtimes of a session. What they are hangs on its modules, so that this costs little. */
static struct error *read_runtimes(struct session *s, struct runtime_list *ret)
{
	return runtime_list_read(runtimes_known, s->modules, s->symbols, ret);
}

struct error *construct_code_kind(struct session *s, taddr pc, enum code_kind *ret)
{
	struct runtime_list runtimes;
	struct error *err = read_runtimes(s, &runtimes);

	if (err)
		return err;
	*ret = runtime_code_at(&runtimes, pc);
	taddr target = *ret == CODE_USER && runtimes.len ? stub_leads_to(s, pc) : 0;
	if (target && runtime_code_at(&runtimes, target) == CODE_RUNTIME)
		*ret = CODE_RUNTIME;
	runtime_list_fini(&runtimes);
	return NULL;
}

struct error *construct_code_call(struct session *s, taddr pc, const struct user_call **ret,
				  const struct module **ret_module)
{
	struct runtime_list runtimes;
	struct error *err = read_runtimes(s, &runtimes);

	*ret = NULL;
	*ret_module = NULL;
	if (err)
		return err;
	const taddr target = runtimes.len && !runtime_at(&runtimes, pc) ? stub_leads_to(s, pc) : 0;
	const taddr at = target ? target : pc;
	const struct runtime *r = runtime_at(&runtimes, at);
	const char *name = r ? runtime_function_at(&runtimes, r, at) : NULL;
	const struct user_call *call = r ? runtime_user_call(r->ops, name) : NULL;
	taddr entry;
	if (call && runtime_find(&runtimes, r, name, &entry) && entry == at) {
		*ret = call;
		*ret_module = r->module;
	}
	runtime_list_fini(&runtimes);
	return NULL;
}

enum construct_code construct_code_of(const char *function)
{
	/* Of "declare reduction", by clang. */
	static const char *const reducing[] = { ".omp_combiner.", ".omp_initializer.", NULL };
	struct outlined o;

	if (!function)
		return CODE_PLAIN;
	if (runtime_starts_with(reducing, function))
		return CODE_HELPER;
	if (!outlined_parse(function, &o))
		return CODE_PLAIN;
	return o.helper ? CODE_HELPER : CODE_BODY;
}

/*
 * clang: .omp_outlined. calls .omp_outlined._debug__; .omp_task_entry. has .omp_outlined. inlined;
 * what is offloaded, likewise.
 */
bool construct_code_is_one(const char *inner, const char *outer)
{
	static const char outlined[] = ".omp_outlined", target[] = "__omp_offloading_";

	if (!inner || !outer)
		return false;
	if (!strncmp(inner, target, strlen(target)) && !strstr(inner, outlined))
		return !strncmp(outer, target, strlen(target));
	if (!strstr(inner, outlined))
		return false;
	return strstr(outer, strstr(inner, "_debug__") ? outlined : ".omp_task_entry.");
}

bool construct_code_is_task(const char *function)
{
	struct outlined o;

	return function && outlined_parse(function, &o) && o.construct &&
	       !strcmp(o.construct, "task");
}

enum construct_code construct_code_at(struct session *s, taddr pc)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t len = places_blocks(s->symbols, pc, blocks);
	struct symbol symbol;

	if (len)
		return construct_code_of(blocks[len - 1].function);
	return construct_code_of(symbol_at(s->symbols, pc, &symbol) ? symbol.name : NULL);
}
