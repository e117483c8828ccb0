/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/displays.h"

#include <string.h>

#include "base/text.h"
#include "debugger/cli/examine.h"
#include "debugger/cli/team_print.h"

void displays_add_text(struct buf *out, const struct data_display *d)
{
	static const char *const words[] = { [PRINT_TEAM] = "-team ", [PRINT_ALL] = "-all " };

	displays_add_format(out, &d->format);
	buf_adds(out, d->format.letter ? " " : "");
	style_add_between(out, d->whom ? words[d->whom] : "", d->text, "");
}

static bool is_examined(const struct data_format *f)
{
	return f->letter == 'i' || f->letter == 's' || f->size;
}

void displays_add_format(struct buf *out, const struct data_format *f)
{
	if (!f->letter && !f->size)
		return;
	buf_addc(out, '/');
	if (f->count != 1)
		buf_addf(out, "%ld", f->count);
	if (f->letter)
		buf_addc(out, f->letter);
	if (f->size && f->letter != 'i' && f->letter != 's')
		buf_addc(out, f->size);
}

static bool means_nothing(const struct error *err)
{
	return error_is(err, ERROR_NOT_FOUND);
}

/* ---- objects ---------------------------------------------------------------------------- */

static void begin_object(struct cli *c, const struct data_display *d, struct json *ret)
{
	AUTO_BUF format = { 0 };

	displays_add_format(&format, &d->format);
	cli_json_begin(c, ret, "display");
	json_add_integer(ret, "number", d->number);
	json_add_string(ret, "expression", d->text);
	if (format.len)
		json_add_string(ret, "format", buf_text(&format));
}

/* Takes failed: why there is no value, or no more memory; NULL: nothing is missing. */
static void end_object(struct cli *c, struct json *j, struct error *failed)
{
	if (failed)
		json_add_string(j, "error", error_message(failed));
	cli_json_end(c, j);
	error_ignore(failed);
}

/* ---- text ------------------------------------------------------------------------------- */

/* Takes err: "<error: Cannot access memory at address 0x0>" */
static void add_failure(struct cli *c, struct error *err)
{
	AUTO_BUF words = { 0 };

	if (!err)
		return;
	cli_add_sentence(&words, error_message(err));
	size_t len = words.len;
	if (len && words.data[len - 1] == '.')
		len--;
	buf_adds(&c->out, "<error: ");
	buf_add(&c->out, words.data, len);
	buf_adds(&c->out, ">\n");
	error_ignore(err);
}

/* ---- both ------------------------------------------------------------------------------- */

/* "2: x/i $pc", and what is there. */
static struct error *show_examined(struct cli *c, const struct data_display *d,
				   struct data_scope *s)
{
	struct json j;
	taddr at;
	struct error *err = eval_address(&s->context, d->text, &at);

	if (means_nothing(err))
		return err;
	if (c->json) {
		begin_object(c, d, &j);
		end_object(c, &j, err ? err : examine_add(c, &j, s, at, &d->format));
		return NULL;
	}
	buf_addf(&c->out, "%d: x", d->number);
	displays_add_format(&c->out, &d->format);
	buf_addf(&c->out, " %s\n", d->text);
	add_failure(c, err ? err : examine_add(c, NULL, s, at, &d->format));
	return NULL;
}

/* Takes failed, why it has no value; NULL: v is it. */
static struct error *add_value_object(struct cli *c, const struct data_display *d,
				      const struct scope *s, const struct value *v,
				      struct error *failed)
{
	struct error *err = NULL;
	struct json j;

	begin_object(c, d, &j);
	if (!failed) {
		json_add_object(&j, "value");
		err = data_add_members(c, &j, s, v, &d->format);
		json_end(&j);
	}
	end_object(c, &j, failed);
	return err;
}

/* "1: x = 5" */
static struct error *show_value(struct cli *c, const struct data_display *d, struct data_scope *s)
{
	struct value v;
	struct error *err = eval_shown(&s->context, d->text, &v);

	if (means_nothing(err))
		return err;
	if (c->json)
		return add_value_object(c, d, &s->scope, &v, err);
	buf_addf(&c->out, "%d: ", d->number);
	displays_add_format(&c->out, &d->format);
	buf_addf(&c->out, "%s%s = ", d->format.letter ? " " : "", d->text);
	if (!err)
		err = data_print(c, &s->scope, &v, &d->format, true);
	if (!err)
		buf_addc(&c->out, '\n');
	add_failure(c, err);
	return NULL;
}

/* "1: -team x", and a line for each value. */
static struct error *show_team(struct cli *c, const struct data_display *d)
{
	const enum print_whom whom = (enum print_whom)d->whom;
	struct error *err = NULL;
	struct json j;

	if (c->json) {
		begin_object(c, d, &j);
		end_object(c, &j, team_print_add(c, &j, whom, d->text, &d->format));
		return NULL;
	}
	struct buf kept = c->out;
	c->out = (struct buf){ 0 };
	err = team_print_add(c, NULL, whom, d->text, &d->format);
	AUTO_BUF said = c->out;
	c->out = kept;
	if (means_nothing(err) || error_is(err, ERROR_USAGE))
		return err;
	buf_addf(&c->out, "%d: ", d->number);
	displays_add_text(&c->out, d);
	buf_addc(&c->out, '\n');
	buf_add(&c->out, said.data, said.len);
	add_failure(c, err);
	return NULL;
}

struct error *displays_show_one(struct cli *c, const struct data_display *d)
{
	struct data_scope s;

	data_scope(c, &s);
	if (d->whom != PRINT_ONE)
		return show_team(c, d);
	return (is_examined(&d->format) ? show_examined : show_value)(c, d, &s);
}

void displays_show(struct cli *c)
{
	struct data_scope s;

	if (!c->data)
		return;
	data_scope(c, &s);
	AUTO_FREE char *here = data_function(&s.scope);
	vec_for_each (display, &c->data->displays) {
		/* What means nothing in this frame is left out, as in gdb. */
		if (display->enabled && (!display->function || text_same(display->function, here)))
			error_ignore(displays_show_one(c, display));
	}
}
