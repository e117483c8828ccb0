/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <regex.h>
#include <string.h>

#include "base/interrupt.h"
#include "debugger/cli/cli.h"
#include "debugger/control/control.h"

/* Names -------------------------------------------------------------------------------------- */

/* What a regular expression picks out of many names. */
struct picked {
	struct cli *cli;
	struct symbol_table *symbols;
	regex_t *regex;   /* NULL: all                               */
	const char *file; /* of the last name                        */
	bool nameless;    /* those without files have begun          */
	bool debug_alone; /* those that the symbol table alone knows are left out */
	struct variables *variables;
	struct json json; /* with --json: the array of what was picked */
};

static bool fits(const struct picked *p, const char *name)
{
	return name && (!p->regex || regexec(p->regex, name, 0, NULL, 0) == 0);
}

static bool add_function(void *context, const struct known_function *f)
{
	struct picked *p = context;
	struct buf *out = &p->cli->out;

	if (!fits(p, f->name) || (!f->file && p->debug_alone))
		return !interrupt_is_pending();
	if (p->cli->json) {
		json_add_object(&p->json, NULL);
		json_add_string(&p->json, "name", f->name);
		json_add_string(&p->json, "file", f->file);
		json_add_positive(&p->json, "line", f->line);
		json_add_address(&p->json, "address", f->entry);
		json_end(&p->json);
		return !interrupt_is_pending();
	}
	if (!f->file && !p->nameless)
		buf_adds(out, "\nNon-debugging symbols:\n");
	if (f->file && (!p->file || strcmp(p->file, f->file) != 0))
		style_add_between(out, "\nFile ", f->file, ":\n");
	p->nameless |= !f->file;
	p->file = f->file;
	if (f->line)
		buf_addf(out, "%d:\t", f->line);
	else
		buf_addf(out, "0x%016" PRIx64 "  ", f->entry);
	style_add_between(out, "", f->name, "\n");
	return !interrupt_is_pending();
}

static bool add_source(void *context, const char *path)
{
	struct picked *p = context;

	if (p->cli->json && fits(p, path))
		json_add_string(&p->json, NULL, path);
	else if (fits(p, path))
		style_add_between(&p->cli->out, "", path, "\n");
	return !interrupt_is_pending();
}

/* what: of the object, and of the array in it. */
static struct error *list_objects(struct cli *c, const char *what, struct session *s,
				  struct picked *p,
				  struct error *(*list)(struct session *s, struct picked *p))
{
	cli_json_begin(c, &p->json, what);
	json_add_array(&p->json, what);
	struct error *err = list(s, p);
	json_end(&p->json);
	cli_json_end(c, &p->json);
	return err;
}

/* Calls "list" with what a regular expression picks. */
static struct error *pick(struct cli *c, const char *what, const char *args, bool debug_alone,
			  struct error *(*list)(struct session *s, struct picked *p))
{
	struct picked p = { .cli = c, .debug_alone = debug_alone };
	struct session *s;
	regex_t regex;

	struct error *err = control_need_session(c->control, &s);
	if (err)
		return err;
	int wrong = *args ? regcomp(&regex, args, REG_NOSUB) : 0;
	if (wrong) {
		char text[200];
		regerror(wrong, &regex, text, sizeof(text));
		return error_new(ERROR_USAGE, "invalid regexp: %s", text);
	}
	p.regex = *args ? &regex : NULL;
	err = c->json ? list_objects(c, what, s, &p, list) : list(s, &p);
	if (p.regex)
		regfree(&regex);
	if (!err && interrupt_take())
		err = error_new(ERROR_GONE, "quit");
	return err;
}

static struct error *list_functions(struct session *s, struct picked *p)
{
	return places_functions(s->symbols, add_function, p);
}

static struct error *list_sources(struct session *s, struct picked *p)
{
	return places_files(s->symbols, add_source, p);
}

/* "-q" and "-n" before the regular expression. */
struct listing_flags {
	bool quiet, debug_alone;
};

static const char *skip_flags(const char *args, struct listing_flags *ret)
{
	while (args[0] == '-' && (args[1] == 'q' || args[1] == 'n') &&
	       (!args[2] || args[2] == ' ')) {
		ret->quiet |= args[1] == 'q';
		ret->debug_alone |= args[1] == 'n';
		args += 2 + strspn(args + 2, " ");
	}
	return args;
}

static void add_head(struct cli *c, const struct listing_flags *flags, const char *what,
		     const char *regex)
{
	if (flags->quiet || c->json)
		return;
	buf_addf(&c->out, "All %s%s", *regex ? "" : "defined ", what);
	if (*regex)
		style_add_between(&c->out, " matching regular expression \"", regex, "\"");
	buf_adds(&c->out, ":\n");
}

static struct error *cmd_info_functions(struct cli *c, const char *args)
{
	struct listing_flags flags = { 0 };

	args = skip_flags(args, &flags);
	add_head(c, &flags, "functions", args);
	return pick(c, "functions", args, flags.debug_alone, list_functions);
}

/* Each with its type, where that is known. */
static bool add_variable(void *context, const struct known_function *f)
{
	struct picked *p = context;
	struct buf *out = &p->cli->out;
	AUTO_BUF type = { 0 };
	struct variable v;

	if (!fits(p, f->name))
		return !interrupt_is_pending();
	bool known =
		variables_find_global(p->variables, VARIABLE_DATA, 0, NULL, f->name, &v) && v.type;
	if (known)
		type_add_name(&type, v.type);
	if (!known && p->debug_alone)
		return !interrupt_is_pending();
	if (p->cli->json) {
		json_add_object(&p->json, NULL);
		json_add_string(&p->json, "name", f->name);
		json_add_string(&p->json, "type", known ? buf_text(&type) : NULL);
		if (f->local)
			json_add_string(&p->json, "address", NULL);
		else
			json_add_address(&p->json, "address", f->entry);
		json_end(&p->json);
		return !interrupt_is_pending();
	}
	if (f->local)
		buf_adds(out, "thread-local        ");
	else
		buf_addf(out, "0x%016" PRIx64 "  ", f->entry);
	style_add_between(out, "", known ? buf_text(&type) : "", known ? " " : "");
	style_add_between(out, "", f->name, known ? ";\n" : "\n");
	return !interrupt_is_pending();
}

static struct error *list_variables(struct session *s, struct picked *p)
{
	p->variables = s->variables;
	return places_data(s->symbols, add_variable, p);
}

static struct error *cmd_info_variables(struct cli *c, const char *args)
{
	struct listing_flags flags = { 0 };

	args = skip_flags(args, &flags);
	add_head(c, &flags, "variables", args);
	return pick(c, "globals", args, flags.debug_alone, list_variables);
}

/* "12:	typedef int number;" */
static bool add_type(void *context, const struct known_type *t)
{
	struct picked *p = context;
	struct buf *out = &p->cli->out;
	struct variable v;
	AUTO_BUF of = { 0 };

	if (!fits(p, t->name))
		return !interrupt_is_pending();
	if (p->cli->json) {
		json_add_object(&p->json, NULL);
		json_add_string(&p->json, "name", t->name);
		json_add_string(&p->json, "kind", t->word);
		json_add_string(&p->json, "file", t->file);
		json_add_positive(&p->json, "line", t->line);
		json_end(&p->json);
		return !interrupt_is_pending();
	}
	if (t->file && (!p->file || strcmp(p->file, t->file) != 0))
		style_add_between(out, "\nFile ", t->file, ":\n");
	else if (!t->file && !p->nameless)
		buf_addc(out, '\n');
	p->nameless |= !t->file;
	p->file = t->file;
	if (t->word && !strcmp(t->word, "typedef") &&
	    variables_find_global(p->variables, VARIABLE_TYPE, 0, NULL, t->name, &v) && v.type &&
	    v.type->target)
		type_add_name(&of, v.type->target);
	if (t->line)
		buf_addf(out, "%d:", t->line);
	buf_addf(out, "\t%s%s", t->word ? t->word : "", t->word ? " " : "");
	style_add_between(out, "", buf_text(&of), of.len ? " " : "");
	style_add_between(out, "", t->name, t->word ? ";\n" : "\n");
	return !interrupt_is_pending();
}

static struct error *list_types(struct session *s, struct picked *p)
{
	p->variables = s->variables;
	return places_types(s->symbols, add_type, p);
}

static struct error *cmd_info_types(struct cli *c, const char *args)
{
	struct listing_flags flags = { 0 };

	args = skip_flags(args, &flags);
	add_head(c, &flags, "types", args);
	return pick(c, "types", args, false, list_types);
}

static struct error *cmd_info_sources(struct cli *c, const char *args)
{
	return pick(c, "sources", args, false, list_sources);
}

/* Scopes ------------------------------------------------------------------------------------- */

static void add_in_scope(struct cli *c, const struct variable *v)
{
	AUTO_BUF type = { 0 };

	type_add_name(&type, v->type);
	style_add_between(&c->out, "Symbol ", v->name ? v->name : "?", " is ");
	style_add_between(&c->out, v->argument ? "an argument of type " : "a variable of type ",
			  buf_text(&type), "");
	if (v->type)
		buf_addf(&c->out, ", length %" PRIu64, type_size(v->type));
	buf_adds(&c->out, ".\n");
}

static void add_scope_object(struct cli *c, const char *args, const struct variable_list *l)
{
	struct json j;

	cli_json_begin(c, &j, "scope");
	json_add_string(&j, "location", args);
	json_add_array(&j, "variables");
	vec_for_each (v, l) {
		AUTO_BUF type = { 0 };
		type_add_name(&type, v->type);
		json_add_object(&j, NULL);
		json_add_string(&j, "name", v->name);
		json_add_string(&j, "type", buf_text(&type));
		json_add_positive(&j, "size", v->type ? (intmax_t)type_size(v->type) : 0);
		json_add_bool(&j, "argument", v->argument);
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

static void leave_out_internal(struct variable_list *list)
{
	size_t n = 0;

	vec_for_each (v, list) {
		if (!v->internal)
			list->items[n++] = *v;
	}
	list->len = n;
}

static struct error *cmd_info_scope(struct cli *c, const char *args)
{
	struct linespec_context where = control_linespecs(c->control);
	AUTO_LINESPEC spec = { 0 };
	AUTO_PLACES places = { 0 };
	struct variable_list list = { 0 };
	const bool internal = !strncmp(args, "-all ", 5);
	struct session *s;
	int line;

	args += internal ? 5 : 0;
	struct error *err = control_need_session(c->control, &s);
	if (!err && !*args)
		err = error_new(ERROR_USAGE,
				"requires an argument (an expression or variable): a linespec");
	if (!err)
		err = linespec_parse(args, &spec);
	if (!err)
		err = linespec_resolve(&spec, &where, &places, &line);
	if (!err && places.len)
		err = variables_in_scope(s->variables, places.items[0].addr, 0, &list);
	if (!internal)
		leave_out_internal(&list);
	if (!err && c->json)
		add_scope_object(c, args, &list);
	else if (!err && list.len)
		style_add_between(&c->out, "Scope for ", args, ":\n");
	else if (!err)
		style_add_between(&c->out, "Symbol table for ", args, " has no locals.\n");
	vec_for_each (v, &list) {
		if (!err && !c->json)
			add_in_scope(c, v);
	}
	vec_fini(&list);
	return err;
}

static const struct command rows[] = {
	COMMAND_INFO("functions", NULL, "[-q] [-n] [REGEX]", cmd_info_functions, COMPLETES_NOTHING,
		     "All function names, or those that match a regular expression."),
	COMMAND_INFO("scope", NULL, "[-all] LOCATION", cmd_info_scope, COMPLETES_LOCATION,
		     "The variables in scope at a place; -all: those that the compiler made, too."),
	COMMAND_INFO("sources", NULL, "[REGEX]", cmd_info_sources, COMPLETES_NOTHING,
		     "All source files in the program or those that match a regular expression."),
	COMMAND_INFO("types", NULL, "[-q] [REGEX]", cmd_info_types, COMPLETES_NOTHING,
		     "All types that the program's files define, or those that match a regular "
		     "expression."),
	COMMAND_INFO("variables", NULL, "[-q] [-n] [REGEX]", cmd_info_variables, COMPLETES_NOTHING,
		     "All global and static variables, or those that match; -n: those with a type "
		     "alone."),
};

const struct command_table cmd_symbols_table = COMMAND_TABLE(rows);
