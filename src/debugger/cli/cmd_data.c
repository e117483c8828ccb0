/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#include "base/text.h"
#include "debugger/cli/arguments.h"
#include "debugger/cli/command.h"
#include "debugger/cli/examine.h"
#include "debugger/cli/team_print.h"
#include "debugger/output/format_value.h"
#include "debugger/values/lookup.h"

/* ---- print ------------------------------------------------------------------------------ */

static struct error *bad_format(const struct data_format *f, const char *command)
{
	if (f->size)
		return error_new(ERROR_USAGE, "size letters are meaningless in \"%s\" command",
				 command);
	if (f->count != 1)
		return error_new(ERROR_USAGE,
				 "item count other than 1 is meaningless in \"%s\" command",
				 command);
	if (f->letter == 'i')
		return error_new(ERROR_USAGE,
				 "format letter \"i\" is meaningless in \"%s\" command", command);
	return NULL;
}

static struct error *check_size(const struct cli *c, const struct value *v)
{
	size_t size = v->missing ? 0 : type_size(v->type);

	if (size <= c->settings.print.max_value_size)
		return NULL;
	return error_new(ERROR_USAGE, "value requires %zu bytes, which is more than max-value-size",
			 size);
}

static struct error *evaluate(struct cli *c, const char *args, const char *command,
			      struct data_scope *s, struct data_format *f, struct value *ret)
{
	struct error *err = data_parse_format(&args, f);

	if (!err)
		err = bad_format(f, command);
	data_scope(c, s);
	if (err)
		return err;
	if (*args) {
		err = eval_shown(&s->context, args, ret);
		return err ? err : check_size(c, ret);
	}
	/* Nothing: the last value once more. */
	const struct value *last =
		convenience_history(c->control->values, convenience_recorded(c->control->values));
	*ret = last ? *last : (struct value){ .type = &type_void };
	return NULL;
}

static struct error *add_value_object(struct cli *c, const char *args, size_t number,
				      const struct scope *s, const struct value *v,
				      const struct data_format *f)
{
	struct json j;

	cli_json_begin(c, &j, "value");
	json_add_string(&j, "expression", args);
	json_add_positive(&j, "result_number", (intmax_t)number);
	json_add_object(&j, "value");
	struct error *err = data_add_members(c, &j, s, v, f);
	json_end(&j);
	if (*v->from)
		json_add_string(&j, "frame_of", v->from);
	cli_json_end(c, &j);
	return err;
}

/* In many threads. What they say has no number. */
static struct error *print_team(struct cli *c, const char *args, enum print_whom whom,
				struct data_format *f)
{
	struct json j;
	struct error *err = data_parse_format(&args, f);

	if (!err && whom == PRINT_RANKS)
		err = error_new(ERROR_USAGE, "there are no ranks here: 'attach job:PID' attaches "
					     "to those of a job");
	if (!err)
		err = bad_format(f, "print");
	if (!err && c->data && c->data->task)
		err = error_new(ERROR_USAGE, "the task has not begun, no thread has its variables: "
					     "print them without -team and -all");
	if (err || !c->json)
		return err ? err : team_print_add(c, NULL, whom, args, f);
	cli_json_begin(c, &j, "team_value");
	json_add_string(&j, "expression", args);
	err = team_print_add(c, &j, whom, args, f);
	cli_json_end(c, &j);
	return err;
}

/* Into the history, and out. */
static struct error *print_value(struct cli *c, const char *args, const struct data_scope *s,
				 struct value *v, const struct data_format *f)
{
	size_t number = 0;
	struct error *err = value_keep(&s->scope, v);

	if (!err)
		err = convenience_record(c->control->values, v, lookup_types(&s->scope), &number);
	if (err || c->json)
		return err ? err : add_value_object(c, args, number, &s->scope, v, f);
	buf_addf(&c->out, "$%zu = ", number);
	err = data_print(c, &s->scope, v, f, true);
	if (*v->from)
		buf_addf(&c->out, "  [frame of %s]", v->from);
	buf_addc(&c->out, '\n');
	return err;
}

static struct error *cmd_print(struct cli *c, const char *args)
{
	struct print_options options;
	struct data_format f = { 0 };
	struct data_scope s;
	struct value v;

	struct error *err = print_options_parse(c, &args, &options);
	f.limits = &options.limits;
	if (!err && options.whom != PRINT_ONE)
		return print_team(c, args, options.whom, &f);
	if (!err)
		err = evaluate(c, args, "print", &s, &f, &v);
	return err ? err : print_value(c, args, &s, &v, &f);
}

static struct error *cmd_call(struct cli *c, const char *args)
{
	struct data_format f = { 0 };
	struct data_scope s;
	struct value v;

	struct error *err = evaluate(c, args, "call", &s, &f, &v);
	if (err || type_strip(v.type)->kind == TYPE_VOID)
		return err;
	return print_value(c, args, &s, &v, &f);
}

static struct error *cmd_output(struct cli *c, const char *args)
{
	struct data_format f = { 0 };
	struct data_scope s;
	struct value v;

	if (!*args)
		return error_new(ERROR_USAGE, "argument required (expression to compute)");
	struct error *err = evaluate(c, args, "output", &s, &f, &v);
	return err ? err : data_print(c, &s.scope, &v, &f, true);
}

static struct error *cmd_set_variable(struct cli *c, const char *args)
{
	struct data_scope s;
	struct value v;

	if (!*args)
		return error_new(ERROR_USAGE, "argument required (expression to compute)");
	data_scope(c, &s);
	return eval_text(&s.context, args, &v);
}

/* ---- printf ----------------------------------------------------------------------------- */

/* Where in the program's memory it is. */
static struct error *find_text(const struct data_scope *s, const struct value *v, taddr *ret)
{
	struct error *err = value_address(v, ret);

	return err || s->scope.session ? err : value_no_access(*ret);
}

/* A text of wide characters, up to its NUL, as UTF-8. */
static struct error *read_wide(const struct data_scope *s, const struct value *v, size_t width,
			       char **ret)
{
	enum { LONGEST = 1 << 18 };
	AUTO_BUF text = { 0 }, utf8 = { 0 };
	taddr addr;
	bool more;
	struct error *err = find_text(s, v, &addr);

	if (!err)
		err = examine_read_text(&s->scope, addr, width, LONGEST, &text, &more);
	if (err)
		return err;
	text_add_wide(&utf8, text.data, text.len, width);
	*ret = strdup(buf_text(&utf8));
	return NULL;
}

/* The text behind a conversion of printf, which is not our own: of the program, or of the user. */
static struct error *add_string(struct cli *c, const struct data_scope *s, const struct expr *e,
				const struct value *v, size_t width, const char *conversion)
{
	AUTO_FREE char *text = NULL;
	taddr addr;

	if (e->kind == EXPR_STRING) {
		AUTO_BUF utf8 = { 0 };
		text_add_wide(&utf8, e->text, e->text_len, e->type->size);
		text = strdup(buf_text(&utf8));
	} else if (width > 1) {
		struct error *err = read_wide(s, v, width, &text);
		if (err)
			return err;
	} else if (type_strip(v->type)->kind == TYPE_ARRAY && v->place != VALUE_MEMORY) {
		text = strndup((const char *)v->bytes, v->size);
	} else {
		struct error *err = find_text(s, v, &addr);
		if (!err)
			err = target_read_string(s->scope.session->target, addr, 1 << 20, &text);
		if (err)
			return err;
	}
	if (!text)
		return &error_nomem;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_addf(&c->out, conversion, text);
#pragma GCC diagnostic pop
	return NULL;
}

/* flags: "%-08.3"; its letter decides what is taken, and always as the widest type there is. */
static struct error *add_conversion(struct cli *c, const struct data_scope *s, const char *flags,
				    char letter, const struct expr *e, const struct value *v)
{
	AUTO_BUF conversion = { 0 };
	struct number n;

	buf_adds(&conversion, flags);
	if (letter == 's' || letter == 'S') {
		buf_addc(&conversion, 's');
		return add_string(c, s, e, v, letter == 'S' ? sizeof(wchar_t) : 1,
				  buf_text(&conversion));
	}
	struct value copy = *v;
	struct error *err = value_number(&copy, &n);
	if (err)
		return err;
	bool real = strchr("aAeEfFgG", letter);
	buf_adds(&conversion, real ? "L" : letter == 'c' || letter == 'p' ? "" : "ll");
	buf_addc(&conversion, letter);
	const struct value as = value_of_number(real ? &type_long_double : &type_long, &n);
	err = value_number(&as, &n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	if (real)
		buf_addf(&c->out, buf_text(&conversion), (long double)n.real);
	else if (letter == 'c')
		buf_addf(&c->out, buf_text(&conversion), (int)n.bits);
	else if (letter == 'p')
		buf_addf(&c->out, buf_text(&conversion), (void *)(uintptr_t)n.bits);
	else
		buf_addf(&c->out, buf_text(&conversion), (long long)n.bits);
#pragma GCC diagnostic pop
	return err;
}

/* "8.3", of len bytes: neither number has more than four digits. */
static bool narrow(const char *p, size_t len)
{
	size_t width = strcspn(p, ".");

	return len <= 4 || (width <= 4 && len - width <= 5);
}

/* Behind a '%': flags, width and precision in ret, bounded; lengths are left out, but "ls" is S. */
static struct error *read_conversion(const char **at, struct buf *ret, char *ret_letter)
{
	const char *p = *at;
	size_t len = strspn(p, "-+ #0'"), flags = len;

	buf_addc(ret, '%');
	len += strspn(p + len, "0123456789.");
	/* Up to "%9999.9999d": screens, and not gigabytes. */
	if (flags > 6 || !narrow(p + flags, len - flags))
		return error_new(ERROR_USAGE, "a conversion in the format is too wide");
	buf_add(ret, p, len);
	p += len;
	p += strspn(p, "hljztLqw");
	if (!*p || !strchr("diouxXcsaAeEfFgGp", *p))
		return error_new(ERROR_USAGE, "unrecognized format specifier '%c' in printf",
				 *p ? *p : '%');
	*ret_letter = *p == 's' && p[-1] == 'l' ? 'S' : *p;
	*at = p + 1;
	return NULL;
}

struct printing {
	struct cli *c;
	struct data_scope scope;
	const char *rest; /* of the arguments: at a comma, or at the end */
};

static struct error *print_next(struct printing *p, const char **at)
{
	AUTO_BUF flags = { 0 };
	AUTO_EXPR *e = NULL;
	struct value v;
	char letter = 0;

	struct error *err = read_conversion(at, &flags, &letter);
	if (!err && *p->rest != ',')
		err = error_new(ERROR_USAGE, "bad format string, missing arguments");
	if (!err)
		err = eval_parse(&p->scope.context, p->rest + 1, true, &e, &p->rest);
	if (!err && e->kind != EXPR_STRING)
		err = eval(&p->scope.context, e, &v);
	return err ? err : add_conversion(p->c, &p->scope, buf_text(&flags), letter, e, &v);
}

static struct error *cmd_printf(struct cli *c, const char *args)
{
	struct printing p = { .c = c };
	AUTO_EXPR *format = NULL;

	data_scope(c, &p.scope);
	if (*args != '"')
		return error_new(ERROR_USAGE, *args ? "bad format string"
						    : "argument required (format-control string "
						      "and values to print)");
	struct error *err = eval_parse(&p.scope.context, args, true, &format, &p.rest);
	if (!err && format->kind != EXPR_STRING)
		err = error_new(ERROR_USAGE, "bad format string");
	for (const char *at = err ? "" : format->text; !err && *at;) {
		if (*at != '%' || at[1] == '%') {
			buf_addc(&c->out, *at);
			at += *at == '%' ? 2 : 1;
		} else {
			at++;
			err = print_next(&p, &at);
		}
	}
	if (!err && *p.rest == ',')
		err = error_new(ERROR_USAGE, "wrong number of arguments for specified "
					     "format-string");
	return err;
}

/* ---- what is kept ---------------------------------------------------------------------- */

static void show_one(void *context, const char *name, const struct value *v)
{
	struct cli *c = context;
	struct data_scope s;
	const struct data_format f = { 0 };

	data_scope(c, &s);
	if (c->json) {
		AUTO_BUF text = { 0 };
		buf_addf(&text, "$%s", name);
		error_ignore(add_value_object(c, buf_text(&text), 0, &s.scope, v, &f));
		return;
	}
	buf_addf(&c->out, "$%s = ", name);
	error_ignore(data_print(c, &s.scope, v, &f, true));
	buf_addc(&c->out, '\n');
}

static struct error *cmd_show_convenience(struct cli *c, const char *args)
{
	(void)args;
	convenience_for_each(c->control->values, show_one, c);
	return NULL;
}

static struct error *cmd_show_values(struct cli *c, const char *args)
{
	size_t n = convenience_recorded(c->control->values);
	const struct data_format f = { 0 };
	struct data_scope s;

	(void)args;
	data_scope(c, &s);
	struct error *err = NULL;
	for (size_t i = n > 10 ? n - 9 : 1; !err && i <= n; i++) {
		const struct value *v = convenience_history(c->control->values, i);
		if (c->json) {
			err = add_value_object(c, NULL, i, &s.scope, v, &f);
			continue;
		}
		buf_addf(&c->out, "$%zu = ", i);
		err = data_print(c, &s.scope, v, &f, true);
		buf_addc(&c->out, '\n');
	}
	return err;
}

static const struct command rows[] = {
	{ .name = "print",
	  .short_names = "p inspect",
	  .args = "[OPTION... --] [/FORMAT] [EXPRESSION]",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_print,
	  .summary = "Print the value of an expression.",
	  .help = "Values are numbered: $1 is the first one, $ the last, $$ the one before. "
		  "Formats are x (hexadecimal), d, u, o, t (binary), z (with zeros), a (address), "
		  "c (character), f (floating point), s (string). p[2]@3 is three elements from "
		  "p[2] on, $rax a register, 'file.c'::x a static variable. In code of Fortran "
		  "(\"set language\") expressions are its own: a%b(2:4), x**2 .gt. 3, size(a).\n"
		  "-team evaluates it in each thread of the team that the selected thread is in, "
		  "-all in all threads: in each one's innermost frame of the selected function; "
		  "equal values stand in one line. Of a reduction variable -team also says what "
		  "all "
		  "copies and the original would come to now (\"so far\"). "
		  "-ranks evaluates it in all ranks of a job that are in focus. "
		  "What code of a parallel region has not captured is read in the frame that has "
		  "begun the region, which is said behind the value. "
		  "Locks of OpenMP and mutexes say who holds them and who waits for them; "
		  "\"perhaps\" where the code around the frames of a thread does not tell for "
		  "sure. orig(x) is the variable of which code of a construct has a private, "
		  "firstprivate, lastprivate or reduction copy; where the program has an orig() "
		  "of its own, it is $_orig(x). "
		  "{1, 2} is an array; assigned or cast to an array or structure it becomes that, "
		  "and what it does not say is zero. "
		  "Other options are those of \"set print\": -pretty, -elements N, -depth N, "
		  "-array, -array-indexes, -repeats N, -address, -symbol, -null-stop, -union, "
		  "-static-members, -object, -raw-values." },
	{ .name = "call",
	  .args = "EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_call,
	  .summary = "Evaluate an expression; print its value if it has one.",
	  .help = "Functions of the program are called by the selected thread, while all others "
		  "stand still." },
	{ .name = "output",
	  .args = "[/FORMAT] EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_output,
	  .summary = "Print a value without a number, and without an end of line." },
	{ .name = "printf",
	  .args = "\"FORMAT\", EXPRESSION...",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_printf,
	  .summary = "Print values as printf(3) does." },
	{ .name = "set variable",
	  .short_names = "var",
	  .args = "NAME = EXPRESSION",
	  .class = CLASS_DATA,
	  .completes = COMPLETES_EXPRESSION,
	  .flags = COMMAND_RAW | COMMAND_FRAMELESS,
	  .run = cmd_set_variable,
	  .summary = "Evaluate an expression that assigns something." },
	{ .name = "show convenience",
	  .args = "",
	  .class = CLASS_DATA,
	  .run = cmd_show_convenience,
	  .summary = "List the variables of the debugger." },
	{ .name = "show values",
	  .args = "",
	  .class = CLASS_DATA,
	  .run = cmd_show_values,
	  .summary = "List the last ten values of the history." },
};
const struct command_table cmd_data_table = COMMAND_TABLE(rows);
