/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <limits.h>
#include <string.h>

#include "debugger/cli/cli.h"
#include "debugger/cli/listing_options.h"
#include "debugger/cli/options.h"
#include "debugger/control/catching.h"
#include "debugger/output/format_events.h"

/* ---- info omp events ---------------------------------------------------------------------- */

struct event_rows {
	struct cli *cli;
	struct json *json;
	const char *module; /* borrowed; the last one */
	size_t len;
};

static bool add_row(void *context, const struct runtime_ops *ops, const char *module,
		    const struct event_row *row, size_t functions)
{
	struct event_rows *l = context;

	l->len++;
	if (l->cli->json) {
		json_add_object(l->json, NULL);
		json_add_string(l->json, "runtime", ops->name);
		json_add_string(l->json, "module", module);
		json_events_row(l->json, row, functions);
		json_end(l->json);
		return true;
	}
	if (l->module != module)
		buf_addf(&l->cli->out, "%s, %s:\n", ops->name, module);
	l->module = module;
	if (row->when == WHEN_NEVER || functions)
		format_events_row(&l->cli->out, row, functions);
	return true;
}

static struct error *cmd_info_omp_events(struct cli *c, const char *args)
{
	const struct probe_context context = control_probes(c->control);
	struct json j;
	struct event_rows l = { .cli = c, .json = &j };

	if (*args)
		return listing_options_refuse(c, args);
	if (!context.session)
		return error_new(ERROR_USAGE, "The program is not being run: which events there "
					      "are depends on its OpenMP runtime.");
	if (c->json) {
		cli_json_begin(c, &j, "events");
		json_add_array(&j, "events");
	}
	struct error *err = probes_rows(&context, add_row, &l);
	if (c->json) {
		json_end(&j);
		cli_json_end(c, &j);
	}
	if (!err && !l.len)
		err = error_new(ERROR_NOT_FOUND, "the process has no OpenMP runtime (yet)");
	return err;
}

/* ---- info omp counts ---------------------------------------------------------------------- */

static struct error *cmd_info_omp_counts(struct cli *c, const char *args)
{
	struct error *err = *args ? listing_options_refuse(c, args) : NULL;
	bool any = false;
	struct json j;

	vec_for_each (b, &c->control->breakpoints.items) {
		if (!(*b)->counts || err)
			continue;
		any = true;
		err = catching_count(c->control, *b);
	}
	if (!err && !any)
		err = error_new(ERROR_USAGE, "Nothing is counted: 'catch omp task-create -count' "
					     "does");
	if (err)
		return err;
	if (c->json) {
		cli_json_begin(c, &j, "event-counts");
		json_add_array(&j, "catchpoints");
	}
	vec_for_each (b, &c->control->breakpoints.items) {
		if (!(*b)->counts)
			continue;
		if (!c->json) {
			format_events_counts(&c->out, *b, &c->style);
			continue;
		}
		json_add_object(&j, NULL);
		json_events_counts(&j, *b);
		json_end(&j);
	}
	if (c->json) {
		json_end(&j);
		cli_json_end(c, &j);
	}
	return NULL;
}

/* ---- omp history -------------------------------------------------------------------------- */

static void show_history(struct cli *c, const struct catching_history *h, size_t most)
{
	const int64_t until = c->control->stood_at;
	struct json j;

	if (!c->json) {
		format_events_history(&c->out, h->items, h->len, most, until, &c->style);
		return;
	}
	cli_json_begin(c, &j, "event-history");
	json_events_history(&j, h->items, h->len, most, until);
	cli_json_end(c, &j);
}

static struct error *cmd_omp_history(struct cli *c, const char *args)
{
	enum { USUAL = 8 };
	struct catching_history history = { 0 };
	size_t most = USUAL;
	struct error *err = *args == '-' ? listing_options_refuse(c, args)
			    : *args      ? options_parse_size(args, 1, INT_MAX, &most)
					 : NULL;

	if (!err)
		err = catching_history(c->control, &history);
	if (!err && !history.len && !c->json)
		buf_adds(&c->out, "No event that is counted has come since the program was last "
				  "let go.\n");
	else if (!err)
		show_history(c, &history, most);
	vec_fini(&history);
	return err;
}

static const struct command rows[] = {
	{ .name = "info omp events",
	  .args = "",
	  .class = CLASS_OPENMP,
	  .flags = COMMAND_JSON,
	  .run = cmd_info_omp_events,
	  .summary = "Events that 'catch omp' stops at in this process.",
	  .help = "For each event the functions of the OpenMP runtime by which it is seen, and "
		  "when; or why this runtime cannot show it." },
	{ .name = "info omp counts",
	  .args = "",
	  .class = CLASS_OPENMP,
	  .flags = COMMAND_JSON,
	  .run = cmd_info_omp_counts,
	  .summary = "What 'catch omp EVENT... -count' has counted so far, or until the end.",
	  .help = "For each event how often it came about, and that for each construct and "
		  "thread." },
	{ .name = "omp history",
	  .args = "[COUNT]",
	  .class = CLASS_OPENMP,
	  .flags = COMMAND_JSON,
	  .run = cmd_omp_history,
	  .summary = "The last events of each thread since the program was last let go.",
	  .help = "Of the events that are counted ('catch omp all -count'), the latest first: how "
		  "long before the stop each came last, at which construct, and how often in all. "
		  "COUNT: so many for each thread, 8 unless said." },
};

const struct command_table cmd_events_table = COMMAND_TABLE(rows);
