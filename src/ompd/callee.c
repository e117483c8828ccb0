/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/callee.h"

#include <string.h>

void callee_fini(struct callee_search *s)
{
	vec_fini(&s->slots);
	vec_fini(&s->modules);
}

/* What never returns to who calls it, in the C library, and what compilers call of theirs. */
static const char *const enders[] = {
	"_Exit",
	"_Unwind_Resume",
	"_ZSt9terminatev",
	"__assert",
	"__assert_fail",
	"__assert_perror_fail",
	"__chk_fail",
	"__cxa_bad_cast",
	"__cxa_bad_typeid",
	"__cxa_throw_bad_array_new_length",
	"__fortify_fail",
	"__longjmp_chk",
	"__stack_chk_fail",
	"_exit",
	"_gfortran_error_stop_numeric",
	"_gfortran_error_stop_string",
	"_gfortran_os_error",
	"_gfortran_os_error_at",
	"_gfortran_runtime_error",
	"_gfortran_runtime_error_at",
	"_gfortran_stop_numeric",
	"_gfortran_stop_string",
	"_longjmp",
	"abort",
	"err",
	"errx",
	"exit",
	"longjmp",
	"pthread_exit",
	"quick_exit",
	"siglongjmp",
	"thrd_exit",
	"verr",
	"verrx",
};

/* Of what is in no runtime. */
static enum flow_effect effect_of(const char *name)
{
	static const char thrower[] = "_ZSt"; /* std::__throw_length_error(char const*) */

	if (strcmp(name, "__cxa_throw") == 0 || strcmp(name, "__cxa_rethrow") == 0 ||
	    (strncmp(name, thrower, strlen(thrower)) == 0 && strstr(name, "__throw_")))
		return FLOW_THROW;
	for (size_t i = 0; i < sizeof(enders) / sizeof(*enders); i++) {
		if (strcmp(name, enders[i]) == 0)
			return FLOW_END;
	}
	return FLOW_NOTHING;
}

static bool is_of_interest(const struct runtime *r, const char *name)
{
	return runtime_entry(r->ops, name) || runtime_loop_call(r->ops, name);
}

/* A relocation: the name is kept as the runtime has it. */
static bool look_at_slot(void *context, taddr slot, uint32_t type, const char *name, int64_t addend)
{
	struct callee_search *s = context;
	const struct runtime_list *l = &s->w->runtimes;
	const struct export *e = NULL;

	(void)type;
	(void)addend;
	const enum flow_effect effect = effect_of(name);
	if (effect != FLOW_NOTHING)
		s->w->failed |=
			!vec_push(&s->slots, ((struct slot_call){ slot, { .effect = effect } }));
	for (size_t i = 0; i < l->len && !e; i++) {
		const struct runtime *r = &l->items[i];
		bool may = r->exports && is_of_interest(r, name);
		e = may ? exports_find(r->exports, name) : NULL;
		if (e)
			s->w->failed |= !vec_push(
				&s->slots,
				((struct slot_call){ slot, { r, e->name, FLOW_NOTHING } }));
	}
	return !s->w->failed;
}

static void read_slots(struct callee_search *s, const struct module *m)
{
	struct module_list *modules = s->w->runtimes.modules;
	struct exports *exports = NULL;

	vec_for_each (known, &s->modules) {
		if (*known == m)
			return;
	}
	s->w->failed |= !vec_push(&s->modules, m);
	struct error *err = exports_read(s->w->target, m, &modules->budget, &exports);
	if (!err)
		err = exports_relocations(exports, look_at_slot, s);
	error_ignore(err);
	exports_free(exports);
}

struct callee callee_find(struct callee_search *s, taddr target)
{
	const struct runtime_list *l = &s->w->runtimes;
	const struct runtime *r = target ? runtime_at(l, target) : NULL;
	const struct module *m = target && !r ? module_at(l->modules, target) : NULL;

	if (r)
		return (struct callee){ r, runtime_function_at(l, r, target), FLOW_NOTHING };
	if (m && runtime_code_of(m) == CODE_USER)
		read_slots(s, m);
	vec_for_each (known, &s->slots) {
		if (known->slot == target)
			return known->called;
	}
	return (struct callee){ 0 };
}
