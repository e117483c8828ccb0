/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/call.h"

#include <elf.h>

#include "debugger/control/call_check.h"
#include "debugger/control/escape.h"
#include "debugger/control/resume.h"
#include "debugger/values/invoke.h"
#include "target/symbols/ifunc.h"

/* System V ABI, AMD64, 3.2.2: so much below the stack pointer is the function's own; and what its
 * arguments on the stack begin at is a multiple of that. */
enum { RED_ZONE = 128, ALIGNED = 32 };

struct calling {
	struct control *c;
	const struct scope *scope;
	const struct eval_call *call;
	struct thread *th;
	struct invocation what; /* owned */
	bool terminates;        /* gdb breaks the lines of what it says then in another place */
	/* What is to be as it was. */
	struct plan plan; /* owned */
	pid_t selected, given, framed;
	size_t level, hidden;
	int stopped_by, stop_signal;
	enum report_kind stopped_for;
};

/* ---- what the function is given --------------------------------------------------------- */

/* Where texts may be put: those of calls that are a part of this one's arguments stay. */
static taddr top_of_stack(const struct control *c, const struct thread *th, taddr sp)
{
	bool same = c->call_texts.lwp == th->lwp && c->call_texts.sp == sp;

	return same ? c->call_texts.kept : (sp - RED_ZONE) & ~(taddr)(ALIGNED - 1);
}

/* Where an ifunc's resolver is called, the function that it has chosen is meant. */
static struct error *resolve(struct calling *k)
{
	struct symbol_table *symbols = k->c->live->symbols;
	struct symbol symbol;

	if (!symbol_at(symbols, k->what.entry, &symbol) || symbol.addr != k->what.entry ||
	    !symbol.resolver)
		return NULL;
	taddr chosen = ifunc_chosen(symbols, symbol.module, symbol.name, symbol.addr);
	if (!chosen)
		return error_new(ERROR_UNSUPPORTED,
				 "which function %s is has not been chosen yet: the program has to "
				 "call it first",
				 k->call->name);
	k->what.entry = chosen;
	return NULL;
}

/* The stack and the registers as at the function's first instruction. */
static struct error *lay_out(struct calling *k, taddr at, taddr *ret_sp)
{
	struct target *t = k->c->live->target;
	const struct arch *a = t->arch;
	const struct abi_call *call = &k->what.call;
	taddr sp = (k->what.kept - call->stack.len) & ~(taddr)(ALIGNED - 1);
	struct error *err = NULL;

	*ret_sp = sp;
	if (!buf_ok(&call->stack))
		return &error_nomem;
	/* First of all: a thread that stands at a breakpoint is known by what its registers were.
	 * One that stands at this very function leaves it, and comes to it. */
	err = target_set_uint(t, k->th, a->pc, at);
	if (!err)
		err = target_set_uint(t, k->th, a->pc, k->what.entry);
	if (!err && call->stack.len)
		err = target_write(t, sp, call->stack.data, call->stack.len);
	sp -= a->stack_slot;
	if (!err)
		err = target_write(t, sp, &at, a->stack_slot);
	err = error_add(err, "the stack of thread %d cannot be written to", k->th->lwp);
	for (size_t i = 0; i < call->nvectors && !err; i++)
		err = invoke_write_vector(t, k->th, i, call->vectors[i], call->wide);
	for (size_t i = 0; i < call->nintegers && !err; i++)
		err = target_set_uint(t, k->th, a->code_regs[a->code_arguments[i]],
				      call->integers[i]);
	if (!err) /* how many vector registers a function with variable arguments has to save */
		err = target_set_uint(t, k->th, a->code_regs[a->code_result], call->nvectors);
	return err ? err : target_set_uint(t, k->th, a->sp, sp);
}

/* The frame of the debugger's, and what the thread shall do. *ret: the call's number. */
static struct error *begin(struct calling *k, unsigned int *ret)
{
	struct control *c = k->c;
	struct target *t = c->live->target;
	struct called one = { .point = ++c->next_point,
			      .lwp = k->th->lwp,
			      .signal = k->th->signal,
			      .sleep = call_sleep_find(c->live, k->th),
			      .number = thread_errno_find(c->live, k->th) };
	struct error *err = target_auxv(t, AT_ENTRY, &one.at);

	*ret = one.point;
	if (!err && !one.at)
		err = error_new(ERROR_UNSUPPORTED, "where the program begins is not known: a "
						   "called function has nowhere to return to");
	if (!err)
		err = target_save_registers(t, k->th, &one.saved);
	if (err)
		return err;
	err = lay_out(k, one.at, &one.sp);
	if (err) {
		struct error *undone = target_load_registers(t, k->th, &one.saved);
		error_ignore(undone);
		register_sets_fini(&one.saved);
		return err;
	}
	k->th->signal = 0;
	return called_add(&c->called, c->live, &one);
}

/* ---- while it runs ---------------------------------------------------------------------- */

struct terminating {
	struct control *c;
	const struct plan_context *context;
	struct error *err;
};

static bool watch_terminate(void *context, const struct symbol *symbol)
{
	struct terminating *t = context;

	if (symbol->function)
		t->err = plan_add_point(&t->c->plan, t->context, ROLE_TERMINATE, symbol->addr, 0);
	return !t->err;
}

static struct error *make_plan(struct calling *k, taddr sp)
{
	struct control *c = k->c;
	const struct plan_context context = control_plans(c);
	struct terminating t = { c, &context, NULL };

	c->plan = (struct plan){
		.kind = PLAN_CALL, .lwp = k->th->lwp, .count = 1, .move = MOVE_RUN, .limit = sp
	};
	if (!c->settings.keeps_terminating)
		symbol_find(c->live->symbols, "_ZSt9terminatev", watch_terminate, &t);
	return t.err ? t.err : escape_watch(&c->plan, &context);
}

static void remember(struct calling *k)
{
	struct control *c = k->c;

	k->plan = c->plan;
	c->plan = (struct plan){ 0 };
	k->selected = c->selected;
	k->given = c->given;
	k->framed = c->frames.thread ? c->frames.thread->lwp : 0;
	k->level = c->level;
	k->hidden = c->frames.hidden;
	k->stopped_by = c->stopped_by;
	k->stop_signal = c->stop_signal;
	k->stopped_for = c->stopped_for;
}

/* The scope that the expression is evaluated in means what it did. */
static struct error *put_back(struct calling *k)
{
	struct control *c = k->c;
	const struct plan_context context = control_plans(c);
	struct scope again;

	plan_drop(&c->plan, &context);
	c->plan = k->plan;
	k->plan = (struct plan){ 0 };
	c->selected = k->selected;
	c->given = k->given;
	c->stopped_by = k->stopped_by;
	c->stop_signal = k->stop_signal;
	c->stopped_for = k->stopped_for;
	frames_select(&c->frames, c->live,
		      k->framed ? target_find_thread(c->live->target, k->framed) : NULL, k->hidden);
	c->level = k->level;
	if (k->scope->frames != &c->frames)
		return NULL;
	return frames_scope(&c->frames, k->scope->index, &again);
}

/* ---- how it ends ------------------------------------------------------------------------ */

static struct error *undo(struct calling *k, unsigned int number)
{
	struct control *c = k->c;
	struct called *one = called_find(&c->called, number);
	struct error *err = one ? called_undo(&c->called, c->live, one) : NULL;
	struct error *back = put_back(k);

	if (err)
		error_ignore(back);
	return err ? err : back;
}

static const char stays[] = "When the function is done executing, GDB will silently stop.";

/* With its parameters in C++, as other places show it. */
static const char *name_of(const struct calling *k)
{
	struct symbol symbol;
	struct session *s = k->c->live;
	bool known =
		s && symbol_at(s->symbols, k->what.entry, &symbol) && symbol.addr == k->what.entry;
	const char *shown = known ? symbol_shown_name(s->symbols, symbol.name) : NULL;

	return shown ? shown : k->call->name;
}

static struct error *say(const struct calling *k, const char *what, const char *behind)
{
	AUTO_BUF text = { 0 };

	buf_adds(&text, what);
	buf_addc(&text, '\n');
	buf_adds(&text, k->terminates ? "Evaluation of the expression containing the function "
				      : "Evaluation of the expression containing the function\n");
	buf_addf(&text, "(%s)", name_of(k));
	buf_adds(&text, k->terminates ? "\nwill be abandoned." : " will be abandoned.");
	if (*behind)
		buf_addf(&text, "\n%s", behind);
	return buf_ok(&text) ? error_new(ERROR_ABANDONED, "%s", buf_text(&text)) : &error_nomem;
}

/* The program stays where it is, which is told; what was to be done before is given up. */
static struct error *stays_there(struct calling *k, const struct stop_report *r)
{
	struct control *c = k->c;
	bool signalled = r->kind == STOPPED_SIGNAL || r->kind == STOPPED_INTERRUPTED;
	const char *what = "The program being debugged stopped while in a function called from "
			   "GDB.";

	plan_forget(&k->plan); /* its points stop nobody */
	c->call_stays = true;
	if (c->listener.stopped)
		c->listener.stopped(c->listener.context, r);
	if (stop_report_is_end(r))
		return say(k,
			   "The program being debugged exited while in a function called from "
			   "GDB.",
			   "");
	if (signalled)
		what = "The program being debugged was signaled while in a function called from "
		       "GDB.\nGDB remains in the frame where the signal was received.\nTo change "
		       "this behavior use \"set unwindonsignal on\".";
	return say(k, what, stays);
}

static struct error *is_signalled(struct calling *k, unsigned int number, struct stop_report *r)
{
	struct control *c = k->c;
	struct error *err;

	if (c->listener.stopped)
		c->listener.stopped(c->listener.context, r);
	err = undo(k, number);
	return err ? err
		   : say(k,
			 "The program being debugged was signaled while in a function called "
			 "from GDB.\nGDB has restored the context to what it was before the "
			 "call.\nTo change this behavior use \"set unwindonsignal off\".",
			 "");
}

/* The program's own is put back; what the function has left there is $_errno. */
static void keep_errno(struct calling *k, unsigned int number)
{
	struct control *c = k->c;
	const struct called *one = called_find(&c->called, number);
	uint32_t value;

	if (one && thread_errno_now(&one->number, c->live->target, &value))
		convenience_set_int(c->values, "_errno", (int32_t)value);
}

static struct error *is_through(struct calling *k, unsigned int number, enum call_end how,
				struct value *ret)
{
	struct abi_result registers = { 0 };
	struct value value = { .type = &type_void };
	struct error *err = NULL;

	if (how == CALL_RETURNED)
		err = invoke_read_registers(k->c->live->target, k->th, &registers);
	if (!err && how == CALL_RETURNED)
		err = invoke_finish(k->scope, &k->what, &registers, &value);
	keep_errno(k, number);
	struct error *undone = undo(k, number);
	if (err)
		error_ignore(undone);
	err = err ? err : undone;
	if (err)
		return err;
	*ret = value;
	k->terminates = how == CALL_TERMINATES;
	if (how == CALL_TERMINATES)
		return say(k,
			   "The program being debugged entered a std::terminate call, most "
			   "likely\ncaused by an unhandled C++ exception.  GDB blocked this "
			   "call in order\nto prevent the program from being terminated, and has "
			   "restored the\ncontext to its original state before the call.\nTo "
			   "change this behaviour use \"set unwind-on-terminating-exception "
			   "off\".",
			   "");
	if (how == CALL_JUMPED)
		return say(k,
			   "The function has left by longjmp() to a frame that was there before "
			   "it was called.\nThe context has been restored to what it was before "
			   "the call.",
			   "");
	return NULL;
}

static struct error *judge(struct calling *k, unsigned int number, struct stop_report *r,
			   struct value *ret)
{
	bool signalled = r->kind == STOPPED_SIGNAL || r->kind == STOPPED_INTERRUPTED;

	if (r->kind == STOPPED_CALL_ENDED)
		return is_through(k, number, (enum call_end)r->value, ret);
	if (signalled && k->c->settings.unwinds_signals)
		return is_signalled(k, number, r);
	return stays_there(k, r);
}

/* ---- all of it -------------------------------------------------------------------------- */

/* It could not be run to its end: nobody knows what else is wrong, but the thread is as it was. */
static struct error *give_up(struct calling *k, unsigned int number, struct error *why)
{
	struct control *c = k->c;
	struct error *err = c->live ? target_stop_all(c->live->target) : NULL;

	c->stands = !err;
	if (!err && c->live)
		err = undo(k, number);
	error_ignore(err);
	return why;
}

static struct error *run(struct calling *k, struct value *ret)
{
	struct control *c = k->c;
	AUTO_STOP_REPORT r = { 0 };
	unsigned int number;

	remember(k);
	struct error *err = begin(k, &number);
	const struct called *one = err ? NULL : called_find(&c->called, number);
	if (!err)
		err = make_plan(k, one->sp);
	if (!err)
		err = resume_loop(c, &r);
	return err ? give_up(k, number, err) : judge(k, number, &r, ret);
}

static struct error *prepare(struct calling *k)
{
	struct control *c = k->c;
	struct target *t = c->live->target;
	taddr sp;
	struct error *err = c->stands ? NULL : target_stop_all(t);

	c->stands = !err;
	if (!err)
		err = call_check(c, k->th);
	if (!err)
		err = target_get_uint(t, k->th, t->arch->sp, &sp);
	if (!err)
		err = invoke_prepare(k->scope, &k->call->function, k->call->returns, k->call->args,
				     k->call->n, top_of_stack(c, k->th, sp), &k->what);
	if (err)
		return err;
	c->call_texts.lwp = k->th->lwp;
	c->call_texts.sp = sp;
	c->call_texts.kept = k->what.kept;
	return resolve(k);
}

/* ---- copies of objects that it is given -------------------------------------------------- */

/* function: of the object's class; without a type: none. other: what it is given; may be NULL. */
static struct error *call_for(struct calling *k, const struct value *function, taddr object,
			      const struct value *other)
{
	struct value args[2], nothing;
	const struct type *type = function->type ? type_strip(function->type) : NULL;
	/* gcc tells of a hidden parameter of destructors, which nobody passes. */
	const struct eval_call call = {
		.name = k->call->name, .function = *function, .args = args, .n = 2
	};

	if (!type || !type->nparameters)
		return NULL;
	args[0] = value_of_int(type->parameters[0], object);
	args[1] = other ? *other : value_of_int(&type_int, 0);
	return call_function(k->c, k->scope, &call, &nothing);
}

static struct error *make_copies(struct calling *k)
{
	struct error *err = NULL;

	for (size_t i = 0; i < k->what.copies.len && !err; i++) {
		const struct passing_copy *one = &k->what.copies.items[i];
		err = call_for(k, &one->how.makes, one->at, &one->from);
	}
	return err;
}

static struct error *end_copies(struct calling *k)
{
	struct error *err = NULL;

	for (size_t i = k->what.copies.len; i-- > 0 && !err;) {
		const struct passing_copy *one = &k->what.copies.items[i];
		err = call_for(k, &one->how.ends, one->at, NULL);
	}
	return err;
}

struct error *call_function(void *caller, const struct scope *s, const struct eval_call *call,
			    struct value *ret)
{
	struct calling k = { .c = caller, .scope = s, .call = call, .th = s->thread };

	k.c->call_stays = false;

	if (!control_is_live(k.c))
		return error_new(ERROR_USAGE,
				 k.c->live ? "a function cannot be called in a core file: nothing "
					     "runs there"
					   : "You can't do that without a process to debug.");
	struct error *err = prepare(&k);
	if (!err)
		err = make_copies(&k);
	if (!err)
		err = run(&k, ret);
	if (!err)
		err = end_copies(&k);
	invocation_fini(&k.what);
	plan_forget(&k.plan);
	return err;
}
