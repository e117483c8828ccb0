/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The threads of a team, held and run one at a time, in an order that the user has chosen. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "debugger/cli/arguments.h"
#include "debugger/cli/cli.h"
#include "debugger/cli/listing_options.h"
#include "debugger/cli/options.h"
#include "debugger/cli/running.h"
#include "debugger/control/team_hold.h"
#include "debugger/control/team_names.h"
#include "debugger/control/team_run.h"
#include "debugger/control/team_step.h"
#include "debugger/output/format_barrier.h"
#include "debugger/output/format_races.h"

/* ---- holding ---------------------------------------------------------------------------- */

static void say(struct cli *c, const char *before, const struct buf *names, const char *nobody)
{
	struct json j;

	if (c->json) {
		cli_json_begin(c, &j, "team");
		json_add_string(&j, "what", before);
		json_add_string(&j, "threads", buf_text(names));
		cli_json_end(c, &j);
		return;
	}
	if (names->len)
		buf_addf(&c->out, "%s: %s\n", before, buf_text(names));
	else
		buf_addf(&c->out, "%s\n", nobody);
}

static struct error *cmd_hold(struct cli *c, const char *args)
{
	AUTO_BUF names = { 0 };
	struct error *err =
		*args ? team_hold(c->control, args, &names) : team_held(c->control, &names);

	if (!err)
		say(c, "Held", &names, "No thread is held.");
	return err;
}

static struct error *cmd_release(struct cli *c, const char *args)
{
	AUTO_BUF names = { 0 };
	struct error *err = team_release(c->control, args, &names);

	if (!err)
		say(c, "Released", &names, "No thread was held.");
	return err;
}

/* ---- what is typed ---------------------------------------------------------------------- */

/* Of all commands here; what none is given is NULL or 0. */
struct given {
	char *words;                    /* owned; what is no option */
	char *at, *until, *seed, *wait; /* owned; values of options */
	bool region, team, next;
};

static void given_fini(struct given *g)
{
	free(g->words);
	free(g->at);
	free(g->until);
	free(g->seed);
	free(g->wait);
}

struct word_option {
	const char *name;
	char **value; /* else it has none */
	bool *flag;
};

/* Up to the next option, or the end. */
static size_t value_length(const char *text)
{
	size_t len = 0;

	while (text[len] &&
	       !(isspace((unsigned char)text[len]) && text[len + 1] == '-' && text[len + 2] == '-'))
		len++;
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	return len;
}

static struct error *parse_option(struct cli *c, const char **args, const struct word_option *rows,
				  size_t n)
{
	const char *name = *args + 2;
	const size_t len = strcspn(name, " \t");
	size_t i = 0;

	while (i < n && (strlen(rows[i].name) != len || strncmp(rows[i].name, name, len) != 0))
		i++;
	if (i == n)
		return listing_options_refuse(c, *args);
	*args = name + len + strspn(name + len, " \t");
	if (rows[i].flag) {
		*rows[i].flag = true;
		return NULL;
	}
	const size_t value = value_length(*args);
	if (!value)
		return error_new(ERROR_USAGE, "--%s: what stands behind it is missing",
				 rows[i].name);
	free(*rows[i].value);
	*rows[i].value = strndup(*args, value);
	*args += value;
	return *rows[i].value ? NULL : &error_nomem;
}

static struct error *parse(struct cli *c, const char *args, struct given *ret)
{
	const struct word_option rows[] = {
		{ "at", &ret->at, NULL },         { "until", &ret->until, NULL },
		{ "seed", &ret->seed, NULL },     { "wait", &ret->wait, NULL },
		{ "region", NULL, &ret->region }, { "team", NULL, &ret->team },
		{ "next", NULL, &ret->next }
	};
	AUTO_BUF words = { 0 };
	struct error *err = NULL;

	while (!err && *(args += strspn(args, " \t"))) {
		if (args[0] == '-' && args[1] == '-') {
			err = parse_option(c, &args, rows, sizeof(rows) / sizeof(*rows));
			continue;
		}
		const size_t len = strcspn(args, " \t");
		buf_adds(&words, words.len ? " " : "");
		buf_add(&words, args, len);
		args += len;
	}
	ret->words = strdup(buf_text(&words));
	return err || ret->words ? err : &error_nomem;
}

/* "31", "a.c:31": a place; anything else is an expression. */
static bool is_line(const char *text)
{
	const char *colon = strrchr(text, ':');

	return text_is_number(colon ? colon + 1 : text);
}

static void set_at(const struct given *g, struct team_run *ret)
{
	if (g->at && is_line(g->at))
		ret->line = g->at;
	else
		ret->at = g->at;
}

/* ---- running ---------------------------------------------------------------------------- */

static struct error *run(struct cli *c, struct team_run *how, struct error *err)
{
	struct stop_report r = { 0 };

	if (!err)
		err = team_run(c->control, how, &r);
	vec_fini(&how->list);
	return running_told(c, &r, err);
}

/* Threads of the current team as numbers in it. */
static struct error *find_numbers(struct cli *c, const char *words, struct ints *ret)
{
	AUTO_LOOK l = { 0 };
	AUTO_INTS threads = { 0 };
	int current = -1;
	struct error *err = team_look(c->control, false, &l);

	if (!err)
		err = team_need_current(c->control, &l.snapshot->picture, &current);
	if (!err)
		err = team_names_parse(c->control, &l.snapshot->picture, words, &threads);
	const struct picture_region *r = err ? NULL : picture_region(&l.snapshot->picture, current);
	vec_for_each (thread, &threads) {
		size_t number = 0;
		while (r && number < r->members.len && r->members.items[number] != *thread)
			number++;
		if (!err && number == r->members.len)
			err = error_new(ERROR_USAGE,
					"the current team is %ld, and '%s' names others",
					picture_region_id(&l.snapshot->picture, current), words);
		if (!err && !vec_push(ret, (int)number))
			err = &error_nomem;
	}
	return err;
}

/* Also those that are not in the region yet: a number is enough. */
static struct error *parse_numbers(struct cli *c, const char *words, struct ints *ret)
{
	if (words[strspn(words, "0123456789 ")])
		return find_numbers(c, words, ret);
	for (const char *at = words; *at;) {
		char *end;
		long n = strtol(at, &end, 10);
		if (n > INT_MAX)
			return error_new(ERROR_USAGE, "'%s' is no number of a thread", at);
		if (!vec_push(ret, (int)n))
			return &error_nomem;
		at = end + strspn(end, " ");
	}
	return NULL;
}

static struct error *cmd_schedule(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct team_run how = { .name = "omp schedule", .policy = ORDER_LIST };
	struct error *err = parse(c, args, &g);

	if (!err && !*g.words)
		err = error_new(ERROR_USAGE,
				"which threads, in which order? as in 'omp schedule 0 1 0'");
	if (!err)
		err = parse_numbers(c, g.words, &how.list);
	set_at(&g, &how);
	return run(c, &how, err);
}

static struct error *no_words(const struct given *g)
{
	return *g->words ? error_new(ERROR_USAGE, "'%s' is no option", g->words) : NULL;
}

static struct error *cmd_serialize(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct team_run how = { .name = "omp serialize", .policy = ORDER_SERIAL };
	struct error *err = parse(c, args, &g);

	if (!err)
		err = no_words(&g);
	how.to_barrier = !g.region;
	set_at(&g, &how);
	return run(c, &how, err);
}

static struct error *cmd_shuffle(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct team_run how = { .name = "omp shuffle", .policy = ORDER_RANDOM };
	size_t seed = 1;
	struct error *err = parse(c, args, &g);

	if (!err)
		err = no_words(&g);
	if (!err && g.seed)
		err = options_parse_size(g.seed, 0, SIZE_MAX, &seed);
	/* Small seeds are far from each other. */
	how.seed = ((uint64_t)seed + 1) * 0x9e3779b97f4a7c15;
	set_at(&g, &how);
	return run(c, &how, err);
}

static struct error *parse_until(const struct given *g, struct team_run *ret)
{
	static const char *const words[] = {
		[PLACE_BARRIER] = "barrier", [PLACE_CRITICAL] = "critical", [PLACE_LOCK] = "lock",
		[PLACE_CHUNK] = "chunk",     [PLACE_END] = "task-end",
	};

	if (!g->until)
		return error_new(ERROR_USAGE, "until what? --until barrier, chunk, critical, lock, "
					      "task-end, or a line");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (words[i] && !strcmp(words[i], g->until)) {
			ret->until = (enum order_place)i;
			return NULL;
		}
	}
	if (!is_line(g->until))
		return error_new(ERROR_USAGE,
				 "'%s' is none of barrier, chunk, critical, lock, "
				 "task-end, and no line",
				 g->until);
	ret->until = PLACE_LINE;
	ret->line = g->until;
	return NULL;
}

static struct error *cmd_run_alone(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct team_run how = { .name = "omp run", .policy = ORDER_ALONE };
	struct error *err = parse(c, args, &g);

	if (!err)
		err = parse_until(&g, &how);
	if (!err)
		err = find_numbers(c, g.words, &how.list);
	if (!err && how.list.len != 1)
		err = error_new(ERROR_USAGE, "one thread runs alone: which one?");
	return run(c, &how, err);
}

/* ---- barriers --------------------------------------------------------------------------- */

static struct error *show_barriers(struct cli *c)
{
	AUTO_LOOK l = { 0 };
	struct json j;
	struct error *err = team_look(c->control, false, &l);

	if (err)
		return err;
	if (c->json) {
		cli_json_begin(c, &j, "barrier");
		json_barrier(&j, &l.snapshot->picture);
		cli_json_end(c, &j);
	} else if (!format_barrier(&c->out, &l.snapshot->picture)) {
		buf_adds(&c->out, "There is no team of several threads.\n");
	}
	return NULL;
}

static struct error *cmd_barrier(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct team_run how = { .name = "omp barrier", .policy = ORDER_FREE, .to_barrier = true };
	size_t line = 0;
	struct error *err = parse(c, args, &g);

	if (!err && !g.next)
		err = no_words(&g);
	if (!err && !g.next)
		return show_barriers(c);
	if (!err && *g.words)
		err = options_parse_size(g.words, 1, INT_MAX, &line);
	how.barrier_line = (int)line;
	return run(c, &how, err);
}

/* ---- together --------------------------------------------------------------------------- */

static struct error *parse_wait(const struct given *g, struct team_step *ret)
{
	char *end = NULL;

	if (!g->wait)
		return NULL;
	ret->seconds = strtod(g->wait, &end);
	return *end || !(ret->seconds > 0 && ret->seconds < 1e6)
		       ? error_new(ERROR_USAGE, "'%s' is no number of seconds", g->wait)
		       : NULL;
}

/* Of a row whose kind is a plan's; the place of a PLAN_REACH may be anywhere in "advance". */
static struct error *cmd_team_step(struct cli *c, const char *args)
{
	AUTO(given_fini) struct given g = { 0 };
	struct stop_report r = { 0 };
	struct team_step how = { .kind = (enum plan_kind)c->command->kind };
	const bool reaches = how.kind == PLAN_REACH, until = how.kind == PLAN_UNTIL;
	struct error *err = parse(c, args, &g);

	if (!err && !g.team)
		err = error_new(ERROR_USAGE,
				"what the whole team does is said with --team; '%s' "
				"moves one thread",
				strchr(c->command->name, ' ') + 1);
	if (!err && *g.words && !reaches && !until)
		err = no_words(&g);
	if (!err && reaches && !*g.words)
		err = error_new(ERROR_USAGE, "Argument required (a location).");
	if (!err)
		err = parse_wait(&g, &how);
	AUTO_BUF name = { 0 };
	buf_addf(&name, "%s --team", c->command->name);
	how.name = buf_text(&name);
	how.anywhere = reaches;
	if (g.words && *g.words) {
		how.kind = PLAN_REACH;
		how.place = g.words;
	}
	if (!err)
		err = team_step(c->control, &how, &r);
	return running_told(c, &r, err);
}

/* ---- orders as files -------------------------------------------------------------------- */

static struct error *cmd_record(struct cli *c, const char *args)
{
	const struct order_record *order = &c->control->order;
	AUTO_BUF path = { 0 };

	if (!*args)
		return error_new(ERROR_USAGE, "which file?");
	if (!order->steps.len)
		return error_new(ERROR_USAGE, "no order has been run yet: 'omp schedule', 'omp "
					      "serialize' and 'omp shuffle' run one");
	arguments_add_path(&path, args);
	struct error *err =
		buf_ok(&path) ? order_record_save(order, buf_text(&path)) : &error_nomem;
	if (err)
		return err;
	AUTO_BUF text = { 0 };
	buf_addf(&text, "%zu turn%s of %zu threads", order->steps.len,
		 order->steps.len == 1 ? "" : "s", order->members);
	say(c, "Saved", &text, "");
	return NULL;
}

static struct error *check_team(struct cli *c, const struct order_record *file)
{
	AUTO_LOOK l = { 0 };
	int current;
	struct error *err = team_look(c->control, false, &l);

	if (!err)
		err = team_need_current(c->control, &l.snapshot->picture, &current);
	if (err)
		return err;
	const long size = picture_region(&l.snapshot->picture, current)->size;
	return size == (long)file->members
		       ? NULL
		       : error_new(ERROR_USAGE,
				   "it is the order of %zu threads, and team %ld has %ld",
				   file->members, picture_region_id(&l.snapshot->picture, current),
				   size);
}

static struct error *cmd_replay(struct cli *c, const char *args)
{
	AUTO_ORDER_RECORD file = { 0 };
	AUTO_BUF path = { 0 };
	struct team_run how = { .name = "omp replay", .policy = ORDER_LIST };

	if (!*args)
		return error_new(ERROR_USAGE, "which file?");
	arguments_add_path(&path, args);
	struct error *err =
		buf_ok(&path) ? order_record_load(buf_text(&path), &file) : &error_nomem;
	if (!err)
		err = check_team(c, &file);
	vec_for_each (step, &file.steps) {
		if (!err && !vec_push(&how.list, step->who))
			err = &error_nomem;
	}
	how.at = file.at;
	how.line = file.line;
	how.replays = &file.steps;
	return run(c, &how, err);
}

/* ---- races ------------------------------------------------------------------------------ */

static struct error *cmd_races(struct cli *c, const char *args)
{
	const struct races *races = &c->control->races;
	struct race_pairs pairs = { 0 };
	struct json j;
	struct error *err = *args ? listing_options_refuse(c, args) : races_find(races, &pairs);

	if (!err && c->json) {
		cli_json_begin(c, &j, "races");
		json_races(&j, races, &pairs);
		cli_json_end(c, &j);
	} else if (!err) {
		format_races(&c->out, races, &pairs);
	}
	vec_fini(&pairs);
	return err;
}

/* ---- the table -------------------------------------------------------------------------- */

#define TEAM(words, arguments, completion, flag, how, sentence, more)                              \
	{                                                                                          \
		.name = (words), .args = (arguments), .class = CLASS_OPENMP,                       \
		.completes = (completion), .flags = (flag), .run = (how), .summary = (sentence),   \
		.help = (more)                                                                     \
	}

#define HELP_AT                                                                                    \
	"A turn ends where the thread comes to a barrier, to or behind a critical construct or "   \
	"lock, to a task, or to the next chunk of a loop; and with --at also behind each access "  \
	"to an expression, which debug registers watch, or at a line. "
#define HELP_YIELDS                                                                                \
	"A thread that waits for what one that stands has yields to that one, and this is said. "  \
	"A breakpoint gives the order up."

#define TOGETHER(words, arguments, plan, sentence)                                                 \
	{                                                                                          \
		.name = (words), .args = (arguments), .class = CLASS_OPENMP,                       \
		.flags = COMMAND_REPEATS, .kind = (plan), .run = cmd_team_step,                    \
		.summary = (sentence), .help = help_together                                       \
	}

static const char help_together[] =
	"Each stands where it has arrived, and those that are held where they are. Who cannot "
	"arrive, as it waits for one that has, is named with what it waits for, or a verdict says "
	"why the team does not go on; --wait: so are those that have not arrived after so many "
	"seconds. Threads that leave the region run on, and the primary one up to where it is out "
	"of it.";

static const struct command rows[] = {
	TEAM("omp barrier", "[--next [LINE]]", COMPLETES_NOTHING, COMMAND_JSON, cmd_barrier,
	     "Print who has arrived at a barrier, and who has not; or go on until all threads of "
	     "the current team have arrived at the next one, and before any has left it.",
	     "LINE: at the one in that line. The barrier at the end of a region is none of those, "
	     "and what the compiler has made no call of the runtime for."),
	TOGETHER("omp step", "--team [--wait SECONDS]", PLAN_STEP,
		 "Let all threads of the current team step to another line, also of functions that "
		 "are called."),
	TOGETHER("omp next", "--team [--wait SECONDS]", PLAN_NEXT,
		 "Let all threads of the current team go on to another line of their functions."),
	TOGETHER("omp finish", "--team [--wait SECONDS]", PLAN_FINISH,
		 "Let all threads of the current team go on until their functions have returned."),
	TOGETHER("omp until", "--team [--wait SECONDS] [LOCATION]", PLAN_UNTIL,
		 "Let all threads of the current team go on to another line that is not before "
		 "theirs; or to a location."),
	TOGETHER(
		"omp advance", "--team [--wait SECONDS] LOCATION", PLAN_REACH,
		"Let all threads of the current team go on to a location, or until their functions "
		"have returned."),
	TEAM("omp hold", "[T.N...|all]", COMPLETES_NOTHING, COMMAND_JSON, cmd_hold,
	     "Let threads stay where they are when the program goes on; or say which ones do.",
	     "T.N is thread N of team T, as 'omp' lists them; also T.N-M, T.*, and N in the team "
	     "of the selected thread. Until 'omp release', or the program is let go or replaced. "
	     "When all others wait for those, and nobody can go on, the program stops, and that "
	     "is said."),
	TEAM("omp release", "[T.N...|all]", COMPLETES_NOTHING, 0, cmd_release,
	     "Let threads that are held go on with the others again; all of them, if none is "
	     "named.",
	     NULL),
	TEAM("omp run", "T.N --until barrier|chunk|critical|lock|task-end|LINE", COMPLETES_NOTHING,
	     COMMAND_REPEATS, cmd_run_alone,
	     "Let one thread of the current team run alone up to such a place, while all others "
	     "stand.",
	     "If it waits for what another one has, or for others at a barrier, it stops there, "
	     "and they are named."),
	TEAM("omp schedule", "N... [--at EXPRESSION|LINE]", COMPLETES_NOTHING, 0, cmd_schedule,
	     "Let the threads of the current team run in this order, one turn each.",
	     HELP_AT HELP_YIELDS),
	TEAM("omp serialize", "[--region] [--at EXPRESSION|LINE]", COMPLETES_NOTHING, 0,
	     cmd_serialize,
	     "Let the threads of the current team run one after the other up to the next barrier; "
	     "or with --region to the end of the region.",
	     HELP_YIELDS),
	TEAM("omp shuffle", "[--seed S] [--at EXPRESSION|LINE]", COMPLETES_NOTHING, 0, cmd_shuffle,
	     "Let the threads of the current team run in a random order up to the end of the "
	     "region.",
	     "The same seed gives the same order, as long as the threads do the same. " HELP_AT
		     HELP_YIELDS),
	TEAM("omp record", "FILE", COMPLETES_FILE, 0, cmd_record,
	     "Save the order in which a team was run last.", NULL),
	TEAM("omp replay", "FILE", COMPLETES_FILE, 0, cmd_replay,
	     "Let the threads of the current team run in the order that was saved.",
	     "Where a turn ends elsewhere than it did, that is said."),
	TEAM("omp races", "", COMPLETES_NOTHING, COMMAND_JSON, cmd_races,
	     "Print the accesses to what was watched that nothing ordered, both places of each "
	     "pair.",
	     "Those that stops of 'watch -team' have told, and those of 'omp shuffle --at' and its "
	     "like, of this process: by two threads of a team, one of them a write, between the "
	     "same barriers and under no common lock, critical or ordered construct. What "
	     "dependences of tasks or flags order is not known here, and an atomic load or store "
	     "that is a plain instruction looks like any other."),
};

const struct command_table cmd_team_table = COMMAND_TABLE(rows);
