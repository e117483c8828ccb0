/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/spans.h"

#include <stdlib.h>
#include <string.h>

void spans_fini(struct spans *s)
{
	vec_fini(&s->list);
	free(s->kinds);
	free(s->hidden);
	s->kinds = NULL;
	s->hidden = NULL;
	s->len = 0;
}

/* What finding the spans of one stack needs. */
struct finder {
	const struct runtime_list *runtimes;
	struct unwinder *unwinder;
	struct call_sites *calls;
	struct thread *thread;
	const struct unwind_frame *frames;
	struct spans *spans;
};

/* The exported function of a runtime around pc. */
struct exported {
	const char *name;                  /* borrowed; NULL: an internal one, or none */
	const struct runtime_entry *entry; /* NULL: not of those that are known       */
};

static struct exported exported_at(const struct finder *f, taddr pc)
{
	const struct runtime *r = runtime_at(f->runtimes, pc);
	const char *name = r ? runtime_function_at(f->runtimes, r, pc) : NULL;

	return (struct exported){ name, r ? runtime_entry(r->ops, name) : NULL };
}

/* That programs call, among the many that a runtime exports. */
static bool is_api(const struct exported *function)
{
	return function->entry && !function->entry->internal;
}

static const struct runtime_entry *entry_of(const struct finder *f, size_t frame)
{
	return exported_at(f, spans_pc(&f->frames[frame])).entry;
}

/* ---- which frames are whose ------------------------------------------------------------- */

static bool is_runtime(const struct finder *f, size_t i)
{
	return i < f->spans->len && f->spans->kinds[i] == CODE_RUNTIME;
}

static bool calls_by_pointer(const struct finder *f, size_t i)
{
	return call_site_before(f->calls, f->frames[i].pc).kind == CALL_INDIRECT;
}

/*
 * System code that the runtime called is the runtime's, but by a pointer it calls only the user's
 * functions, of which one has jumped to there. What lies further out than the last frame of user or
 * runtime started the thread or the process.
 */
static void hide(struct finder *f)
{
	struct spans *s = f->spans;
	enum code_kind outer = CODE_SYSTEM;

	for (size_t i = s->len; i-- > 0;) {
		if (s->kinds[i] != CODE_SYSTEM)
			outer = s->kinds[i];
		else if (is_runtime(f, i + 1) && !f->frames[i + 1].exact &&
			 calls_by_pointer(f, i + 1))
			outer = CODE_USER;
		s->hidden[i] = outer != CODE_USER;
	}
}

static struct error *classify(struct finder *f, size_t len)
{
	struct spans *s = f->spans;

	s->kinds = calloc(len + 1, sizeof(*s->kinds));
	s->hidden = calloc(len + 1, sizeof(*s->hidden));
	if (!s->kinds || !s->hidden)
		return &error_nomem;
	s->len = len;
	for (size_t i = 0; i < len; i++)
		s->kinds[i] = runtime_code_at(f->runtimes, spans_pc(&f->frames[i]));
	hide(f);
	return NULL;
}

/* ---- where the runtime calls the user --------------------------------------------------- */

/* The runtime's frame i has called user code, or a function of the user's that is gone. */
static bool leaves_runtime(const struct finder *f, size_t i)
{
	if (i == 0 || !is_runtime(f, i) || f->frames[i].exact)
		return false;
	if (!f->spans->hidden[i - 1])
		return true;
	if (!is_runtime(f, i - 1) || !calls_by_pointer(f, i))
		return false;
	/*
	 * A tail call has replaced the user's function, unless the runtime calls functions of its
	 * own by pointers; even then it does not call its entries for programs.
	 */
	const struct runtime *r = runtime_at(f->runtimes, spans_pc(&f->frames[i]));
	struct exported called = exported_at(f, spans_pc(&f->frames[i - 1]));
	return r && (!r->ops->calls_back || is_api(&called));
}

static bool calls(const struct runtime_entry *entry, enum span_call call)
{
	return entry && entry->calls == call;
}

/* The runtime's frame i calls user code: as what? s: the span, of which i is the innermost frame.
 */
static enum span_call classify_call(const struct finder *f, const struct span *s, size_t i)
{
	const struct runtime_entry *entry = entry_of(f, i);
	const struct runtime_entry *outer = i + 1 < s->outer ? entry_of(f, i + 1) : NULL;

	if (entry && entry->calls) {
		bool teams = entry->calls == SPAN_PARALLEL && calls(s->entry, SPAN_TEAMS);
		return teams ? SPAN_TEAMS : entry->calls;
	}
	/* The runtime's wrapper for code of another compiler stands between. */
	if (outer && outer->internal)
		return outer->calls;
	if (calls(s->entry, SPAN_TARGET))
		return SPAN_TARGET;
	/* From the first function of a worker straight into the region's. */
	if (!entry && s->root && s->runtime->ops->workers_direct && !is_runtime(f, i + 1))
		return SPAN_PARALLEL;
	return SPAN_TASK;
}

/* Whether it is one that programs call; then the user came into the span through it. */
static bool enter_by(struct span *s, struct exported function)
{
	if (!is_api(&function))
		return false;
	s->api = function.name;
	s->entry = function.entry;
	return true;
}

/* The way by jumps into the runtime, through that entry if it is known. */
struct way_in {
	const struct finder *finder;
	const struct runtime_entry *entry; /* NULL: any */
};

/* omp_set_lock() jumps on to __kmpc_set_lock(). */
static bool is_entry(const struct runtime_entry *e, const struct runtime_entry *wanted)
{
	return e == wanted ||
	       (e && wanted && e->effect && e->effect == wanted->effect && e->kind == wanted->kind);
}

static enum call_way way_in(void *context, taddr target)
{
	const struct way_in *to = context;
	struct exported function = exported_at(to->finder, target);

	if (is_api(&function))
		return !to->entry || is_entry(function.entry, to->entry) ? WAY_GOAL : WAY_NOWHERE;
	return runtime_code_at(to->finder->runtimes, target) == CODE_USER ? WAY_THROUGH
									  : WAY_NOWHERE;
}

/* The user's function that was called further out jumped, maybe through others, into the span. */
static void enter_by_jumps(struct finder *f, struct span *s, taddr function)
{
	struct way_in to = { f, s->entry };
	taddr goal;

	s->nleft = call_site_left(f->calls, function, way_in, &to, s->left, &goal);
	if (!s->nleft)
		s->left[s->nleft++] = (struct call_left){ .function = function };
	else
		enter_by(s, exported_at(f, goal));
}

/*
 * The entry through which the user came into the span. Jumps may have replaced its frame, and that
 * of the user's function that jumped: the call further out still names them.
 */
static void find_entry(struct finder *f, struct span *s, bool user_outside)
{
	bool found = enter_by(s, exported_at(f, spans_pc(&f->frames[s->outer - 1])));

	if (!user_outside)
		return;
	struct call_site site = call_site_before(f->calls, f->frames[s->outer].pc);
	if (site.kind != CALL_DIRECT || !site.target)
		return;
	if (site.function && runtime_code_at(f->runtimes, site.function) == CODE_USER)
		enter_by_jumps(f, s, site.function);
	if (!found && !s->entry)
		enter_by(s, exported_at(f, site.target));
}

static const struct runtime *runtime_of(const struct finder *f, const struct span *s)
{
	const struct runtime *r = NULL;

	for (size_t i = s->outer; !r && i-- > s->inner;)
		r = runtime_at(f->runtimes, spans_pc(&f->frames[i]));
	return r;
}

/* An argument of the call into the span; compilers keep what several calls are passed in a
 * register. */
static bool argument(const struct finder *f, const struct span *s, unsigned int n, taddr *ret)
{
	enum { REGISTERS = 32 };
	const taddr back = f->frames[s->outer].pc;
	uint64_t registers[REGISTERS];
	uint32_t known;

	return call_site_argument(f->calls, back, n, ret) ||
	       (unwind_registers(f->unwinder, f->thread, s->outer, registers, &known) &&
		call_site_passed(f->calls, back, n, registers, known, ret));
}

/* By the argument of the entry that is the function which the runtime calls in the end. */
static taddr code_by_argument(const struct finder *f, const struct span *s)
{
	const unsigned int n = s->entry && s->entry->function ? s->entry->function - 1 : 0;
	taddr function = 0;

	if (!s->entry || !s->entry->function)
		return 0;
	/* The call stands in the code that has jumped on, if that has. */
	const bool known =
		s->nleft ? call_site_left_argument(f->calls, &s->left[s->nleft - 1], n, &function)
			 : argument(f, s, n, &function);
	return known && runtime_code_at(f->runtimes, function) == CODE_USER ? function : 0;
}

/* Adds the span [inner, outer); calls: its innermost frame has called user code. */
static struct error *add_span(struct finder *f, size_t inner, size_t outer, bool calls)
{
	size_t end = outer;
	struct span s = { .inner = inner };

	/* Without the system code that started a thread of the runtime. */
	while (end > inner && f->spans->kinds[end - 1] == CODE_SYSTEM)
		end--;
	s.outer = end > inner ? end : outer;
	bool user_outside = outer < f->spans->len && !f->spans->hidden[outer];
	bool entered = !user_outside && outer < f->spans->len && is_runtime(f, outer);
	s.root = !user_outside && !entered;
	s.runtime = runtime_of(f, &s);
	if (!s.runtime)
		return NULL; /* libomptarget, or code without a known runtime */
	find_entry(f, &s, user_outside && s.outer == outer);
	if (!s.root && s.outer < f->spans->len)
		s.code = code_by_argument(f, &s);
	if (calls) {
		s.callee = s.code;
		s.elided = f->spans->hidden[inner - 1];
		s.call = classify_call(f, &s, inner);
		taddr start, callee_end;
		if (!s.elided && unwind_function(f->unwinder, spans_pc(&f->frames[inner - 1]),
						 &start, &callee_end))
			s.callee = start;
	}
	return vec_push(&f->spans->list, s) ? NULL : &error_nomem;
}

struct error *spans_find(const struct runtime_list *runtimes, struct unwinder *unwinder,
			 struct call_sites *calls, struct thread *th,
			 const struct unwind_stack *raw, struct spans *ret)
{
	struct spans s = { 0 };
	struct finder f = { runtimes, unwinder, calls, th, raw->items, &s };
	struct error *err = classify(&f, raw->len);

	for (size_t i = 0; !err && i < s.len;) {
		size_t inner = i;
		/* Start-up code alone is no span. */
		bool has_runtime = false;
		if (!s.hidden[i]) {
			i++;
			continue;
		}
		do
			has_runtime |= s.kinds[i++] == CODE_RUNTIME;
		while (i < s.len && s.hidden[i] && !leaves_runtime(&f, i));
		if (has_runtime)
			err = add_span(&f, inner, i, leaves_runtime(&f, inner));
	}
	if (err) {
		spans_fini(&s);
		return err;
	}
	vec_trim(&s.list);
	*ret = s;
	return NULL;
}

size_t spans_behind_system(const struct spans *s, size_t i)
{
	while (i < s->len && s->kinds[i] == CODE_SYSTEM && !s->hidden[i])
		i++;
	return i;
}
