/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/data.h"

#include <ctype.h>
#include <string.h>

#include "debugger/output/format_value.h"
#include "debugger/output/json_value.h"
#include "debugger/values/objects.h"

struct data *data_of(struct cli *c)
{
	if (!c->data)
		c->data = calloc(1, sizeof(*c->data));
	return c->data;
}

void data_scope(struct cli *c, struct data_scope *ret)
{
	*ret = (struct data_scope){ 0 };
	/* Without a program numbers are all that there is. */
	if (c->data && c->data->task)
		ret->scope = *c->data->task;
	else
		error_ignore(control_scope(c->control, &ret->scope));
	static const enum scope_language languages[] = { SCOPE_AUTO, SCOPE_C, SCOPE_FORTRAN,
							 SCOPE_C };
	ret->scope.language = languages[c->control->settings.language];
	ret->context = control_evaluator(c->control, &ret->scope);
}

struct error *data_parse_format(const char **text, struct data_format *ret)
{
	const char *p = *text;
	bool negative = false;

	ret->count = 1;
	if (*p != '/')
		return NULL;
	negative = *++p == '-';
	p += negative;
	if (isdigit((unsigned char)*p)) {
		char *end;
		ret->count = strtol(p, &end, 10);
		p = end;
	}
	ret->count = negative ? -ret->count : ret->count;
	for (; *p && !isspace((unsigned char)*p); p++) {
		if (strchr("bhwg", *p))
			ret->size = ret->unit = *p;
		else if (format_value_knows(*p) || *p == 'i')
			ret->letter = *p;
		else if (*p == 'r')
			ret->raw = true;
		else
			return error_new(ERROR_USAGE, "undefined output format \"%c\"",
					 isprint((unsigned char)*p) ? *p : '?');
	}
	*text = p + strspn(p, " \t");
	return NULL;
}

struct error *data_show(struct cli *c, const struct scope *s, const struct value *v,
			const struct data_format *f, struct shown *ret)
{
	struct shown_limits limits = f->limits ? *f->limits : c->settings.print.values;

	limits.plain = f->letter && f->letter != 's';
	limits.raw |= f->raw;
	struct value whole = *v;
	bool follows = false;
	struct error *err = limits.object ? objects_follow(s, &whole, &follows) : NULL;
	if (!err)
		err = shown_make(s, &whole, &limits, ret);
	if (!err)
		ret->object = follows;
	return err;
}

struct error *data_add_members(struct cli *c, struct json *j, const struct scope *s,
			       const struct value *v, const struct data_format *f)
{
	AUTO_SHOWN shown = { 0 };
	struct error *err = data_show(c, s, v, f, &shown);

	if (!err)
		json_value_members(j, &shown, f->letter);
	return err;
}

struct error *data_print(struct cli *c, const struct scope *s, const struct value *v,
			 const struct data_format *f, bool top)
{
	AUTO_SHOWN shown = { 0 };
	struct error *err = data_show(c, s, v, f, &shown);

	if (err)
		return err;
	if (top)
		format_value_top(&c->out, &shown, f->letter);
	else
		format_value(&c->out, &shown, f->letter);
	return NULL;
}

char *data_function(const struct scope *s)
{
	struct variable f;

	if (!s->thread ||
	    !variables_function(s->session->variables, scope_lookup_pc(s), s->level, &f))
		return NULL;
	return f.name ? strdup(f.name) : NULL;
}
