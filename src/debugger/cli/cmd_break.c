/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/control/placing.h"
#include "debugger/output/format_breakpoint.h"
#include "debugger/output/json_stop.h"

/* ---- numbers ---------------------------------------------------------------------------- */

struct chosen {
	struct breakpoint *breakpoint;
	struct breakpoint_location *location; /* NULL: the whole */
};

/* "2", "2.1"; NOT_FOUND: there is none. */
static struct error *choose(struct cli *c, const char *word, struct chosen *ret)
{
	const char *last = "$bpnum";
	char *end;
	long number = strtol(word, &end, 10), location = 0;

	if (!strncmp(word, last, strlen(last))) {
		number = c->control->breakpoints.last;
		end = (char *)word + strlen(last);
	}

	if (end == word || (*end && *end != '.') || number < INT_MIN || number > INT_MAX)
		return error_new(ERROR_USAGE, "Bad breakpoint number '%s'", word);
	if (*end == '.')
		location = strtol(end + 1, &end, 10);
	struct breakpoint *b = breakpoint_find(&c->control->breakpoints, (int)number);
	if (!b)
		return error_new(ERROR_NOT_FOUND, "No breakpoint number %ld.", number);
	if (*end || location < 0 || (size_t)location > b->locations.len)
		return error_new(ERROR_USAGE, "Bad breakpoint location number '%s'", word);
	*ret = (struct chosen){ b, location ? &b->locations.items[location - 1] : NULL };
	return NULL;
}

/* Does something with each one that is named: numbers, ranges; nothing: all of them. */
static struct error *for_each(struct cli *c, const char *args,
			      struct error *(*what)(struct cli *c, struct chosen *chosen,
						    void *context),
			      void *context)
{
	AUTO_ARGUMENTS words = { 0 };
	struct error *err = arguments_parse(args, false, &words);
	struct breakpoints *bs = &c->control->breakpoints;

	for (size_t i = bs->items.len; !err && !words.len && i-- > 0;)
		err = what(c, &(struct chosen){ bs->items.items[i], NULL }, context);
	vec_for_each (word, &words) {
		struct chosen chosen;
		int first, last;
		if (err)
			break;
		if (sscanf(*word, "%d-%d", &first, &last) == 2 && !strchr(*word, '.')) {
			for (int n = first; n <= last && n <= bs->last && !err; n++) {
				struct breakpoint *b = breakpoint_find(bs, n);
				if (b)
					err = what(c, &(struct chosen){ b, NULL }, context);
			}
			continue;
		}
		err = choose(c, *word, &chosen);
		if (!err)
			err = what(c, &chosen, context);
	}
	return err;
}

/* Where its condition means nothing. */
static void warn_of_locations(struct cli *c, const struct breakpoint *b)
{
	for (size_t i = 0; i < b->locations.len; i++) {
		const char *why = b->locations.items[i].invalid;
		if (why)
			cli_warn(c,
				 "failed to validate condition at location %d.%zu, disabling: %s",
				 b->number, i + 1, why);
	}
}

/* ---- making them ------------------------------------------------------------------------ */

enum place_flags { PLACE_ONCE = 1, PLACE_HARD = 2 };

/* Of a row whose kind is made of these flags. */
static struct error *cmd_break(struct cli *c, const char *args)
{
	struct placing how = {
		.kind = BREAK_CODE,
		.temporary = c->command->kind & PLACE_ONCE,
		.hard = c->command->kind & PLACE_HARD,
	};
	struct breakpoint *b;
	int line = 0;

	struct error *err = placing_break(c->control, args, &how, &b, &line);
	if (error_is(err, ERROR_NOT_FOUND)) {
		err = running_let_pend(c, err);
		how.may_be_pending = true;
		if (!err)
			err = placing_break(c->control, args, &how, &b, &line);
	}
	if (err)
		return err;
	warn_of_locations(c, b);
	running_tell_breakpoint(c, b);
	return NULL;
}

/* Of a row whose kind is a breakpoint's. */
static struct error *cmd_watch(struct cli *c, const char *args)
{
	struct breakpoint *b;
	struct error *err =
		placing_watch(c->control, args, (enum breakpoint_kind)c->command->kind, &b);

	if (!err)
		running_tell_breakpoint(c, b);
	return err;
}

/* ---- changing them ---------------------------------------------------------------------- */

static struct error *remove_one(struct cli *c, struct chosen *chosen, void *context)
{
	(void)context;
	if (chosen->location)
		return error_new(ERROR_USAGE, "a location cannot be deleted: disable it");
	return placing_remove(c->control, chosen->breakpoint);
}

static struct error *cmd_delete(struct cli *c, const char *args)
{
	if (!*args && c->control->breakpoints.items.len && !cli_ask(c, "Delete all breakpoints? "))
		return NULL;
	return for_each(c, args, remove_one, NULL);
}

struct change {
	bool enabled;
	enum breakpoint_fate fate;
	bool has_fate;
	unsigned long count;
};

static struct error *change_one(struct cli *c, struct chosen *chosen, void *context)
{
	const struct change *change = context;
	struct breakpoint *b = chosen->breakpoint;

	if (chosen->location) {
		chosen->location->enabled = change->enabled;
		return placing_update(c->control, b);
	}
	b->enabled = change->enabled;
	if (change->has_fate)
		b->fate = change->fate;
	b->enable_count = change->count;
	return placing_update(c->control, b);
}

static struct error *cmd_enable(struct cli *c, const char *args)
{
	return for_each(c, args, change_one, &(struct change){ .enabled = true });
}

static struct error *cmd_disable(struct cli *c, const char *args)
{
	return for_each(c, args, change_one, &(struct change){ 0 });
}

static struct error *cmd_enable_once(struct cli *c, const char *args)
{
	return for_each(
		c, args, change_one,
		&(struct change){ .enabled = true, .has_fate = true, .fate = FATE_DISABLE });
}

static struct error *cmd_enable_delete(struct cli *c, const char *args)
{
	return for_each(c, args, change_one,
			&(struct change){ .enabled = true, .has_fate = true, .fate = FATE_DELETE });
}

static struct error *cmd_enable_count(struct cli *c, const char *args)
{
	char *end;
	unsigned long count = strtoul(args, &end, 10);

	if (end == args || !count)
		return error_new(ERROR_USAGE, "a count is missing: 'enable count 3 1'");
	while (isspace((unsigned char)*end))
		end++;
	return for_each(
		c, end, change_one,
		&(struct change){
			.enabled = true, .has_fate = true, .fate = FATE_DISABLE, .count = count });
}

/* The number, and what stands behind it. */
static struct error *choose_first(struct cli *c, const char *args, struct chosen *ret,
				  const char **ret_rest)
{
	size_t len = strcspn(args, " \t");
	AUTO_FREE char *word = strndup(args, len);

	if (!word)
		return &error_nomem;
	if (!len)
		return error_new(ERROR_USAGE, "Argument required (breakpoint number).");
	args += len;
	*ret_rest = args + strspn(args, " \t");
	return choose(c, word, ret);
}

static struct error *cmd_ignore(struct cli *c, const char *args)
{
	struct chosen chosen;
	const char *rest = args;
	size_t count;
	struct error *err = choose_first(c, args, &chosen, &rest);

	if (!err)
		err = options_parse_size(rest, 0, SIZE_MAX / 2, &count);
	if (err)
		return err;
	chosen.breakpoint->ignore = count;
	if (count)
		buf_addf(&c->out, "Will ignore next %zu crossing%s of breakpoint %d.\n", count,
			 count == 1 ? "" : "s", chosen.breakpoint->number);
	else
		buf_addf(&c->out, "Will stop next time breakpoint %d is reached.\n",
			 chosen.breakpoint->number);
	return placing_update(c->control, chosen.breakpoint);
}

static struct error *cmd_condition(struct cli *c, const char *args)
{
	struct chosen chosen;
	const char *rest = args;
	struct error *err = choose_first(c, args, &chosen, &rest);

	if (err)
		return err;
	if (!*rest)
		buf_addf(&c->out, "Breakpoint %d now unconditional.\n", chosen.breakpoint->number);
	err = placing_condition(c->control, chosen.breakpoint, *rest ? rest : NULL);
	if (!err)
		warn_of_locations(c, chosen.breakpoint);
	return err;
}

static struct error *cmd_commands(struct cli *c, const char *args)
{
	struct breakpoints *bs = &c->control->breakpoints;
	struct chosen chosen = { 0 };
	AUTO_BUF lines = { 0 };
	struct error *err = NULL;

	if (*args)
		err = choose(c, args, &chosen);
	else if (bs->items.len)
		chosen.breakpoint = bs->items.items[bs->items.len - 1];
	else
		err = error_new(ERROR_USAGE, "No breakpoints specified.");
	if (!err)
		err = cli_read_block(c, ">", &lines);
	if (err)
		return err;
	free(chosen.breakpoint->commands);
	chosen.breakpoint->commands = lines.len ? strdup(buf_text(&lines)) : NULL;
	return NULL;
}

static struct error *cmd_clear(struct cli *c, const char *args)
{
	struct breakpoints *bs = &c->control->breakpoints;
	AUTO_LINESPEC spec = { 0 };
	struct code_places places = { 0 };
	const struct linespec_context where = control_linespecs(c->control);
	AUTO_BUF gone = { 0 };
	int line;
	struct error *err = linespec_parse(args, &spec);

	if (!err)
		err = linespec_resolve(&spec, &where, &places, &line);
	for (size_t i = 0; !err && i < bs->items.len;) {
		struct breakpoint *b = bs->items.items[i];
		bool there = false;
		vec_for_each (l, &b->locations) {
			vec_for_each (p, &places)
				there |= l->addr == p->addr;
		}
		if (there)
			buf_addf(&gone, " %d", b->number);
		if (there)
			err = placing_remove(c->control, b);
		else
			i++;
	}
	vec_fini(&places);
	if (!err && !gone.len)
		return error_new(ERROR_NOT_FOUND, "No breakpoint at %s.", *args ? args : "here");
	if (!err)
		buf_addf(&c->out, "Deleted breakpoint%s%s\n",
			 strchr(buf_text(&gone) + 1, ' ') ? "s" : "", buf_text(&gone));
	return err;
}

/* ---- showing them ----------------------------------------------------------------------- */

static struct error *show_one(struct cli *c, struct chosen *chosen, void *context)
{
	struct json *j = context;

	if (!j) {
		format_breakpoint_row(&c->out, chosen->breakpoint, &c->style);
		return NULL;
	}
	json_add_object(j, NULL);
	json_stop_breakpoint(j, chosen->breakpoint);
	json_end(j);
	return NULL;
}

static struct error *show_all(struct cli *c, const char *args, bool watch, struct json *j)
{
	struct error *err = NULL;

	if (*args)
		return for_each(c, args, show_one, j);
	vec_for_each (b, &c->control->breakpoints.items) {
		if (!err && (!watch || breakpoint_is_watch(*b)))
			err = show_one(c, &(struct chosen){ *b, NULL }, j);
	}
	return err;
}

static bool has_invalid(const struct breakpoints *all)
{
	vec_for_each (b, &all->items) {
		vec_for_each (l, &(*b)->locations) {
			if (l->invalid)
				return true;
		}
	}
	return false;
}

/* All of them, or the watchpoints. */
static struct error *show_table(struct cli *c, const char *args, bool watch)
{
	const struct breakpoints *all = &c->control->breakpoints;
	struct json j;
	bool any = false;

	placing_count(c->control);
	if (c->json) {
		cli_json_begin(c, &j, "breakpoints");
		json_add_array(&j, "breakpoints");
		struct error *err = show_all(c, args, watch, &j);
		json_end(&j);
		cli_json_end(c, &j);
		return err;
	}
	vec_for_each (b, &all->items)
		any |= !watch || breakpoint_is_watch(*b);
	if (!any) {
		buf_addf(&c->out, "No %swatchpoints.\n", watch ? "" : "breakpoints or ");
		return NULL;
	}
	format_breakpoint_head(&c->out);
	struct error *err = show_all(c, args, watch, NULL);
	if (!err && has_invalid(all))
		buf_adds(&c->out, "(*): Breakpoint condition is invalid at this location.\n");
	return err;
}

static struct error *cmd_info_breakpoints(struct cli *c, const char *args)
{
	return show_table(c, args, false);
}

static struct error *cmd_info_watchpoints(struct cli *c, const char *args)
{
	return show_table(c, args, true);
}

/* ---- the table -------------------------------------------------------------------------- */

#define BREAKING(n, shorts, arguments, completion, function, says)                                 \
	{                                                                                          \
		.name = (n), .short_names = (shorts), .args = (arguments),                         \
		.class = CLASS_BREAKPOINTS, .completes = (completion), .run = (function),          \
		.summary = (says)                                                                  \
	}
#define PLACING(n, shorts, flags, says)                                                            \
	{                                                                                          \
		.name = (n), .short_names = (shorts),                                              \
		.args = "[LOCATION] [thread N] [omp-thread N] [omp-team T] [once-per-region] [if " \
			"CONDITION]",                                                              \
		.class = CLASS_BREAKPOINTS, .completes = COMPLETES_LOCATION, .kind = (flags),      \
		.run = cmd_break, .summary = (says)                                                \
	}
#define WATCHING(n, what, says)                                                                    \
	{                                                                                          \
		.name = (n), .args = "[-location|-team] EXPRESSION [thread N] [if CONDITION]",     \
		.class = CLASS_BREAKPOINTS, .completes = COMPLETES_EXPRESSION, .kind = (what),     \
		.run = cmd_watch, .summary = (says), .help = watch_help                            \
	}

static const char watch_help[] =
	"-location watches where the expression lies now, also when its names mean something "
	"else.\n"
	"-team watches it for each thread of the team that the selected thread is in: what they "
	"share in one place; of what each has a copy of, each copy. A stop says which thread has "
	"changed whose copy, and which critical constructs and locks that thread holds. The four "
	"debug registers of the processor watch up to four copies for writes of all threads; of "
	"more, each thread watches its own copy, and what others write there is not seen. Where "
	"they stop nobody, as in some virtual machines, nothing is watched, and this is said.";

static const struct command rows[] = {
	PLACING("break", "b br bre brea", 0, "Stop the program when it comes to a place."),
	PLACING("tbreak", "tb tbr", PLACE_ONCE, "The same, once."),
	PLACING("hbreak", NULL, PLACE_HARD,
		"The same by a debug register: for code that cannot be written to."),
	PLACING("thbreak", NULL, PLACE_HARD | PLACE_ONCE, "The same by a debug register, once."),
	WATCHING("watch", BREAK_CHANGE,
		 "Stop the program when a value changes by one of its instructions."),
	WATCHING("rwatch", BREAK_READ,
		 "Stop the program when an instruction reads a value, be it to change it as well; "
		 "what the kernel reads and writes for system calls is not seen."),
	WATCHING("awatch", BREAK_ACCESS, "Stop the program when a value is read or written."),
	BREAKING("delete", "d del", "[NUMBER...]", COMPLETES_BREAKPOINT, cmd_delete,
		 "Delete breakpoints, all without a number."),
	BREAKING("delete breakpoints", NULL, "[NUMBER...]", COMPLETES_BREAKPOINT, cmd_delete,
		 "Delete breakpoints, all without a number."),
	BREAKING("clear", "cl", "[LOCATION]", COMPLETES_LOCATION, cmd_clear,
		 "Delete the breakpoints at a place."),
	BREAKING("enable", "en", "[NUMBER...]", COMPLETES_BREAKPOINT, cmd_enable,
		 "Enable breakpoints."),
	BREAKING("enable once", NULL, "NUMBER...", COMPLETES_BREAKPOINT, cmd_enable_once,
		 "Enable breakpoints until they are hit."),
	BREAKING("enable delete", NULL, "NUMBER...", COMPLETES_BREAKPOINT, cmd_enable_delete,
		 "Enable breakpoints, and delete them when they are hit."),
	BREAKING("enable count", NULL, "COUNT NUMBER...", COMPLETES_BREAKPOINT, cmd_enable_count,
		 "Enable breakpoints for so many hits."),
	BREAKING("disable", "dis disa", "[NUMBER...]", COMPLETES_BREAKPOINT, cmd_disable,
		 "Disable breakpoints."),
	BREAKING("ignore", NULL, "NUMBER COUNT", COMPLETES_BREAKPOINT, cmd_ignore,
		 "Pass by a breakpoint so many times."),
	BREAKING("condition", NULL, "NUMBER [CONDITION]", COMPLETES_BREAKPOINT, cmd_condition,
		 "Stop at a breakpoint only if a condition holds."),
	{ .name = "commands",
	  .args = "[NUMBER]",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_BREAKPOINT,
	  .flags = COMMAND_HAS_BLOCK,
	  .run = cmd_commands,
	  .summary = "Commands that are executed when a breakpoint is hit, up to \"end\"." },
	{ .name = "info breakpoints",
	  .short_names = "b",
	  .args = "[NUMBER...]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_BREAKPOINT,
	  .run = cmd_info_breakpoints,
	  .summary = "Breakpoints, watchpoints, catchpoints, and how often they were hit." },
	{ .name = "info watchpoints",
	  .args = "[NUMBER...]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_BREAKPOINT,
	  .run = cmd_info_watchpoints,
	  .summary = "Watchpoints, and how often they were hit." },
};

const struct command_table cmd_break_table = COMMAND_TABLE(rows);
