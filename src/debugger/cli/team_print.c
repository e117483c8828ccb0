/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/team_print.h"

#include "debugger/control/members.h"
#include "debugger/control/reduction.h"
#include "debugger/output/format_team.h"
#include "debugger/output/format_value.h"
#include "debugger/values/apart.h"
#include "debugger/values/reach.h"

/* As a number, if it is one. */
static bool is_number(const struct scope *s, struct value v, long double *ret)
{
	struct number n;
	struct error *err = reach_settle(s, &v, false);

	if (!err && !type_is_scalar(v.type))
		return false;
	if (!err && type_is_pointer(v.type))
		return false;
	if (!err)
		err = value_number(&v, &n);
	error_ignore(err);
	if (err)
		return false;
	bool negative = !n.is_float && n.type->is_signed && (__int128)n.bits < 0;
	*ret = n.is_float ? n.real : negative ? (long double)(__int128)n.bits : (long double)n.bits;
	return true;
}

static struct error *show(struct cli *c, const struct scope *scope, const struct value *of,
			  const struct data_format *f, struct team_value *ret)
{
	struct value v = *of;

	struct error *err = data_show(c, scope, &v, f, &ret->shown);
	if (err)
		return err;
	ret->is_number = is_number(scope, v, &ret->number);
	format_value_top(&ret->text, &ret->shown, f->letter);
	return NULL;
}

static struct error *evaluate(struct cli *c, const struct scope *scope, const char *text,
			      const struct data_format *f, struct team_value *ret)
{
	const struct eval_context context = control_evaluator(c->control, scope);
	struct value v;
	struct error *err = eval_shown(&context, text, &v);

	return err ? err : show(c, scope, &v, f, ret);
}

/* For who stands elsewhere, of what lies in no frame. */
static struct error *evaluate_apart(struct cli *c, const struct scope *here, const struct member *m,
				    const struct apart *of, const struct data_format *f,
				    struct team_value *ret)
{
	const struct scope there = apart_scope(of, here, m->frames.thread);
	struct eval_context context = control_evaluator(c->control, &there);
	struct value v;

	context.call = NULL;
	struct error *err = apart_value(of, &context, &v);
	return err ? err : show(c, &there, &v, f, ret);
}

static struct error *evaluate_in(struct cli *c, struct member *m, const char *text,
				 const struct data_format *f, struct team_value *ret)
{
	struct scope scope;
	struct error *err = member_scope(m, &scope);

	return err ? err : evaluate(c, &scope, text, f, ret);
}

/* Why a thread has no value: it stands elsewhere, or "err", which is freed. */
static void explain(const struct members *all, struct error *err, struct team_value *ret)
{
	ret->is_error = true;
	buf_addc(&ret->text, '<');
	if (err)
		buf_adds(&ret->text, error_message(err));
	else
		members_add_absence(all, &ret->text);
	buf_addc(&ret->text, '>');
	error_free(err);
}

/* What the copies of a reduction come to: a line, or members of an object. */
static struct error *add_reduction(struct cli *c, struct json *j, const char *text,
				   const struct data_format *f)
{
	AUTO_SHOWN original = { 0 }, so_far = { 0 };
	AUTO_REDUCTION r = { 0 };
	struct data_scope s;
	struct error *err = reduction_find(c->control, text, &r);

	if (err || !r.op)
		return err;
	data_scope(c, &s);
	if (!r.why.len)
		err = data_show(c, &s.scope, &r.original, f, &original);
	if (!err && !r.why.len)
		err = data_show(c, &s.scope, &r.so_far, f, &so_far);
	if (!err)
		format_team_reduction(&c->out, j,
				      &(struct team_reduction){ r.op,
								r.why.len ? buf_text(&r.why) : NULL,
								&original, &so_far, f->letter });
	return err;
}

struct error *team_print_add(struct cli *c, struct json *j, enum print_whom whom, const char *text,
			     const struct data_format *f)
{
	AUTO_TEAM_VALUES values = { 0 };
	AUTO_MEMBERS all = { 0 };
	struct scope here;
	const struct shown_limits *limits = f->limits ? f->limits : &c->settings.print.values;
	struct error *err = NULL;
	size_t answers = 0;

	if (!*text)
		return error_new(ERROR_USAGE, "argument required: an expression");
	err = members_find(c->control, whom == PRINT_ALL, &all);
	if (err)
		return err;
	err = control_scope(c->control, &here);
	const struct eval_context context = control_evaluator(c->control, &here);
	struct apart apart = { 0 };
	if (!err)
		apart_find(&context, text, &apart);
	error_ignore(err);
	vec_for_each (member, &all.items) {
		struct team_value made = { 0 };
		const bool stands_there = member->stands_there;
		struct error *failed = stands_there ? evaluate_in(c, member, text, f, &made)
				       : apart.is
					       ? evaluate_apart(c, &here, member, &apart, f, &made)
					       : NULL;
		/* What is wrong with the text is wrong for everyone. */
		if (failed && !answers && member->frames.thread &&
		    member->frames.thread->lwp == c->control->selected) {
			team_values_fini(&values);
			return failed;
		}
		if (failed || !(stands_there || apart.is))
			explain(&all, failed, &made);
		answers += !made.is_error;
		if (!team_values_add(&values, member->thread, &made))
			return &error_nomem;
	}
	const struct picture *p = &all.look.snapshot->picture;
	if (j)
		json_team_members(j, &values, p, f->letter);
	else
		format_team(&c->out, &values, p, limits->elements);
	return whom == PRINT_TEAM ? add_reduction(c, j, text, f) : NULL;
}

struct error *team_print_selected(struct cli *c, const char *text, struct team_value *ret)
{
	struct print_options options;
	struct data_format f = { 0 };
	struct data_scope s;
	struct error *err = print_options_parse(c, &text, &options);

	if (!err)
		err = data_parse_format(&text, &f);
	if (!err && !*text)
		err = error_new(ERROR_USAGE, "argument required: an expression");
	if (err)
		return err;
	f.limits = &options.limits;
	data_scope(c, &s);
	return evaluate(c, &s.scope, text, &f, ret);
}
