/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/rank_print.h"

#include <string.h>

#include "debugger/cli/job_front.h"
#include "debugger/cli/print_options.h"
#include "debugger/output/format_team.h"

/* What an expression is in one rank, or why it is nothing. */
static bool add_value(struct team_values *l, struct job_rank *r)
{
	const struct error *failed = NULL;
	struct team_value made = { 0 };
	struct job_value value = { 0 };

	vec_for_each (p, &r->pieces)
		failed = p->failed ? p->failed : failed;
	made.is_error = failed || !job_read_value(&r->answer, &value);
	made.is_number = value.is_number;
	made.number = value.number;
	if (made.is_error)
		buf_addf(&made.text, "<%s>", failed ? error_message(failed) : "no answer");
	else
		buf_adds(&made.text, value.text);
	free(value.text);
	return team_values_add(l, r->number, &made);
}

static void add_value_object(struct cli *c, const struct team_values *l, const char *expression)
{
	struct json j;

	cli_json_begin(c, &j, "rank_values");
	json_add_string(&j, "expression", expression);
	json_add_array(&j, "values");
	vec_for_each (v, l) {
		json_add_object(&j, NULL);
		json_add_array(&j, "ranks");
		vec_for_each (rank, &v->threads)
			json_add_integer(&j, NULL, *rank);
		json_end(&j);
		json_add_string(&j, v->is_error ? "error" : "text", buf_text(&v->text));
		json_end(&j);
	}
	json_end(&j);
	cli_json_end(c, &j);
}

struct error *rank_print(struct cli *c, const char *args)
{
	const struct job_ranks *all = &c->job->all;
	AUTO_TEAM_VALUES values = { 0 };
	struct print_options options;
	bool ok = true;

	job_front_ask(c, &(struct job_order){ .kind = JOB_VALUE, .text = args }, job_front_aims_at);
	vec_for_each (r, &all->items) {
		if ((*r)->addressed)
			ok = ok && add_value(&values, *r);
	}
	job_front_forget(c);
	job_front_finish(c);
	if (!ok)
		return &error_nomem;
	/* What is wrong with the text is wrong for everyone. */
	if (values.len == 1 && values.items[0].is_error) {
		const struct buf *text = &values.items[0].text;
		return error_new(ERROR_USAGE, "%.*s", (int)text->len - 2, buf_text(text) + 1);
	}
	error_ignore(print_options_parse(c, &args, &options));
	if (c->json)
		add_value_object(c, &values, args);
	else
		format_team(&c->out, &values, NULL, c->settings.print.values.elements);
	return NULL;
}

bool rank_print_is_meant(const struct cli *c, const struct command *row, const char *line,
			 const char **ret_args)
{
	struct print_options options;

	if (strcmp(row->name, "print"))
		return false;
	struct error *err = command_find(&c->commands, line, &row, ret_args);
	const char *at = *ret_args;
	if (!err)
		err = print_options_parse(c, &at, &options);
	const bool is = !err && options.whom == PRINT_RANKS;
	error_ignore(err);
	return is;
}
