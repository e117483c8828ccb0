/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/probe_inside.h"

#include "ompd/picture/spans.h"
#include "ompd/runtimes.h"

/* One thread. */
struct look {
	const struct session *s;
	const struct runtime_list *runtimes;
	const struct unwind_stack *raw;
	pid_t lwp;
	struct inside_calls *ret;
};

/* The frame's function has been called by the next one. */
static struct error *add(const struct look *l, size_t frame, taddr function, bool code,
			 enum runtime_event end)
{
	const struct unwind_frame *frames = l->raw->items;
	const struct inside_call new = { .lwp = l->lwp,
					 .function = function,
					 .back = frame + 1 < l->raw->len ? frames[frame + 1].pc : 0,
					 .sp = frames[frame].cfa,
					 .code = code,
					 .end = end };

	if (!function || !new.back || !new.sp || frames[frame + 1].exact)
		return NULL;
	return vec_push(l->ret, new) ? NULL : &error_nomem;
}

/* The runtime's functions that programs have called, which may have jumped on since. */
static struct error *add_functions(const struct look *l, const struct spans *spans)
{
	struct error *err = NULL;
	taddr function;

	vec_for_each (span, &spans->list) {
		if (!err && span->api && span->outer &&
		    runtime_find(l->runtimes, span->runtime, span->api, &function))
			err = add(l, span->outer - 1, function, false, NUM_EVENTS);
	}
	return err;
}

/* The code of constructs: just inside of the runtime's frames that call it. */
static struct error *add_codes(const struct look *l, const struct spans *spans)
{
	struct error *err = NULL;

	vec_for_each (span, &spans->list) {
		bool construct = span->call == SPAN_PARALLEL || span->call == SPAN_TASK;
		if (!err && construct && span->inner)
			err = add(l, span->inner - 1, span->callee, true,
				  span->call == SPAN_TASK ? EVENT_TASK_END
							  : EVENT_IMPLICIT_TASK_END);
	}
	return err;
}

/* The runtime's own code that its threads begin with; the first thread of a process has none. */
static struct error *add_start(const struct look *l, const struct spans *spans)
{
	const struct span *root = spans->list.len ? &spans->list.items[spans->list.len - 1] : NULL;
	taddr start, end;

	if (!root || !root->root || l->lwp == l->s->target->pid ||
	    !unwind_function(l->s->unwinder, spans_pc(&l->raw->items[root->outer - 1]), &start,
			     &end))
		return NULL;
	return add(l, root->outer - 1, start, true, EVENT_THREAD_END);
}

static struct error *look_at(const struct session *s, struct thread *th,
			     const struct runtime_list *runtimes, struct call_sites *calls,
			     struct inside_calls *ret)
{
	struct unwind_stack raw = { 0 };
	struct spans spans = { 0 };
	const struct look l = { s, runtimes, &raw, th->lwp, ret };
	struct error *err = unwind_thread(s->unwinder, th, UNWIND_FRAMES_DEFAULT, &raw);

	if (!err)
		err = spans_find(runtimes, s->unwinder, calls, th, &raw, &spans);
	if (!err)
		err = add_functions(&l, &spans);
	if (!err)
		err = add_codes(&l, &spans);
	if (!err)
		err = add_start(&l, &spans);
	spans_fini(&spans);
	unwind_stack_fini(&raw);
	return err;
}

struct error *probe_inside_find(const struct session *s, struct inside_calls *ret)
{
	struct runtime_list runtimes = { 0 };
	struct call_sites *calls = call_sites_new(s->target, s->unwinder);
	struct error *err =
		calls ? runtime_list_read(runtimes_known, s->modules, s->symbols, &runtimes)
		      : &error_nomem;

	vec_for_each (th, &s->target->threads) {
		if (!err && runtimes.len && thread_state_stands((*th)->state))
			err = look_at(s, *th, &runtimes, calls, ret);
	}
	runtime_list_fini(&runtimes);
	call_sites_free(calls);
	return err;
}
