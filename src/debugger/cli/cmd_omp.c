/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one-shot commands on the process that stands still, or on the core file. */
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/cli.h"
#include "debugger/cli/views.h"
#include "debugger/control/control.h"
#include "debugger/listing_lines.h"
#include "debugger/output/format_listing.h"
#include "debugger/output/format_omp.h"
#include "debugger/output/json_listing.h"
#include "debugger/output/json_picture.h"
#include "debugger/values/lock_names.h"
#include "debugger/why/why_verdict.h"

/* Words of options that are given: "-raw", or "--raw". */
struct word {
	const char *text;
	bool *into;
};

static struct error *parse(const char *args, const struct word *words, size_t nwords)
{
	AUTO_ARGUMENTS given = { 0 };
	struct error *err = arguments_parse(args, false, &given);

	for (size_t i = 0; !err && i < given.len; i++) {
		const char *text = given.items[i] + strspn(given.items[i], "-");
		size_t k = 0;
		while (k < nwords && strcmp(words[k].text, text) != 0)
			k++;
		if (k == nwords)
			err = error_new(ERROR_USAGE, "there is no option '%s'", given.items[i]);
		else
			*words[k].into = true;
	}
	return err;
}

/* All of the program as it stands now. */
static struct error *look(struct cli *c, const struct snapshot_options *options, struct look *ret)
{
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = snapshot_take(c->control->live, options, &ret->snapshot);
	if (err)
		return err;
	threads_mark_held(&c->control->threads, &ret->snapshot->picture);
	return snapshot_name(ret->snapshot);
}

/* Where it goes: objects are not text that becomes a part of one. */
static struct buf *begin(struct cli *c)
{
	struct error *err = c->json ? cli_flush(c) : NULL;

	error_ignore(err);
	return c->json ? &c->objects : &c->out;
}

static struct error *cmd_stack(struct cli *c, const char *args)
{
	struct views_options views = { .json = c->json };
	struct style style = c->style;
	const struct word words[] = { { "raw", &views.raw },
				      { "flat", &views.flat },
				      { "all-frames", &views.all_frames },
				      { "long-names", &style.long_names } };
	AUTO_LOOK l = { 0 };

	struct error *err = parse(args, words, sizeof(words) / sizeof(*words));
	const struct snapshot_options options = {
		.max_frames = UNWIND_FRAMES_DEFAULT,
		.raw = views.raw,
		.few_names = !views.flat && !c->json,
		.more = lock_names_find,
	};
	if (!err)
		err = look(c, &options, &l);
	return err ? err : views_add_stacks(begin(c), l.snapshot, &views, &style);
}

static struct error *cmd_omp(struct cli *c, const char *args)
{
	const struct views_options views = { .json = c->json,
					     .parts = (unsigned int)c->command->kind };
	struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
					    .no_stacks = true,
					    .few_names = !c->json,
					    .more = lock_names_find };
	const struct word words[] = { { "icvs", &options.icvs } };
	AUTO_LOOK l = { 0 };

	struct error *err = parse(args, words, 1);
	if (!err)
		err = look(c, &options, &l);
	return err ? err : views_add_omp(begin(c), l.snapshot, &views, &c->style);
}

static struct error *cmd_omp_loop(struct cli *c, const char *args)
{
	const struct views_options views = { .json = c->json };
	AUTO(worksharing_fini) struct worksharing loops = { 0 };
	const struct snapshot_options options = worksharing_options(&loops, !c->json);
	AUTO_LOOK l = { 0 };

	struct error *err = parse(args, NULL, 0);
	if (!err)
		err = look(c, &options, &l);
	return err ? err : views_add_loops(begin(c), l.snapshot, &loops, &views, &c->style);
}

/* ---- listings ----------------------------------------------------------------------------- */

struct listing_options {
	struct listing_wishes wishes;
	struct arguments words; /* owned; values of filters are parts of them */
	bool json, each, tree, dot;
};

static void listing_options_fini(struct listing_options *o)
{
	listing_wishes_fini(&o->wishes);
	arguments_fini(&o->words);
}

static struct error *add_filter(enum listing_kind kind, const char *text, bool without,
				struct listing_options *ret)
{
	const size_t len = strcspn(text, "=");
	struct listing_filter filter = { .value = text[len] ? text + len + 1 : NULL,
					 .without = without };
	struct error *err = listing_find_key(kind, text, len, &filter.key);

	if (err)
		return err;
	return vec_push(&ret->wishes.filters, filter) ? NULL : &error_nomem;
}

/* An option with a value, which is the next word, or behind a '='. */
static struct error *parse_value(enum listing_kind kind, const char *option, const char *value,
				 struct listing_options *ret)
{
	if (!strcmp(option, "with") || !strcmp(option, "without"))
		return add_filter(kind, value, !strcmp(option, "without"), ret);
	if (!strcmp(option, "group"))
		return listing_find_key(kind, value, strlen(value), &ret->wishes.group);
	ret->wishes.falling = *value == '-';
	value += *value == '-';
	return listing_find_key(kind, value, strlen(value), &ret->wishes.sort);
}

static bool takes_value(const char *option)
{
	return !strcmp(option, "with") || !strcmp(option, "without") || !strcmp(option, "group") ||
	       !strcmp(option, "sort");
}

static struct error *parse_flag(enum listing_kind kind, const char *word,
				struct listing_options *ret)
{
	const bool tasks = kind == LIST_TASKS;
	const struct word flags[] = {
		{ "json", &ret->json },
		{ "v", &ret->each },
		{ "tree", tasks ? &ret->tree : NULL },
		{ "dot", tasks ? &ret->dot : NULL },
	};
	const char *text = word + strspn(word, "-");

	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags) && text > word; i++) {
		if (flags[i].into && !strcmp(flags[i].text, text)) {
			*flags[i].into = true;
			return NULL;
		}
	}
	return error_new(ERROR_USAGE, "there is no option '%s'", word);
}

static struct error *check_listing(const struct listing_options *o)
{
	const struct listing_wishes *w = &o->wishes;

	if (o->json + o->tree + o->dot + o->each > 1)
		return error_new(ERROR_USAGE, "give one of the options -v, --json, --tree and "
					      "--dot");
	if (o->tree && (w->filters.len || w->group || w->sort))
		return error_new(ERROR_USAGE, "the tree is of all tasks, in their own order");
	return NULL;
}

static struct error *parse_listing(struct cli *c, enum listing_kind kind, const char *args,
				   struct listing_options *ret)
{
	struct error *err = arguments_parse(args, false, &ret->words);

	for (size_t i = 0; !err && i < ret->words.len; i++) {
		const char *word = ret->words.items[i], *option = word + strspn(word, "-");
		if (option == word || !takes_value(option))
			err = parse_flag(kind, word, ret);
		else if (i + 1 == ret->words.len)
			err = error_new(ERROR_USAGE, "%s wants a key", word);
		else
			err = parse_value(kind, option, ret->words.items[++i], ret);
	}
	if (!err)
		err = check_listing(ret);
	/* Objects have all rows and all that is known of them; the graph has its own. */
	ret->json |= c->json && !ret->dot;
	ret->wishes.each = ret->each || ret->json;
	return err;
}

static void add_json(struct buf *out, const struct view *view, const struct listing *l,
		     const struct listing_lines *lines, const struct listing_options *o)
{
	struct json j = { .out = out };
	AUTO_BUF type = { 0 };

	buf_addf(&type, "omp-%s", listing_name(l->kind));
	json_picture_begin(&j, view, buf_text(&type));
	json_listing(&j, l, lines, o->wishes.group);
	json_picture_end(&j, view);
}

/* A text of another language, also within an object. */
static void add_dot(struct cli *c, struct buf *out, const struct listing *l,
		    const struct listing_lines *lines)
{
	AUTO_BUF text = { 0 };
	struct json j;

	if (!c->json) {
		format_listing_dot(out, l, lines);
		return;
	}
	format_listing_dot(&text, l, lines);
	cli_json_begin(c, &j, "graph");
	json_add_lines(&j, "dot", buf_text(&text));
	cli_json_end(c, &j);
}

static struct error *add_listing(struct cli *c, const struct snapshot *s, enum listing_kind kind,
				 const struct listing_options *o)
{
	const struct view view = { .stacks = s->stacks, .picture = &s->picture };
	AUTO_LISTING listing = { 0 };
	AUTO_LISTING_LINES lines = { 0 };
	struct buf *out = begin(c);
	struct style style = c->style;
	struct error *err = listing_make(&s->picture, kind, &listing);

	if (c->pages || c->output.width)
		style.width = output_width(&c->output);

	if (!err)
		err = listing_lines_make(&listing, &o->wishes, &lines);
	if (err)
		return err;
	if (o->json)
		add_json(out, &view, &listing, &lines, o);
	else if (o->dot)
		add_dot(c, out, &listing, &lines);
	else if (!lines.items.len)
		buf_adds(out, "None.\n");
	else if (o->each)
		format_listing_rows(out, &listing, &lines, o->wishes.group, &style);
	else
		format_listing(out, &listing, &lines, o->wishes.group, &style);
	return NULL;
}

static struct error *cmd_listing(struct cli *c, const char *args)
{
	const enum listing_kind kind = (enum listing_kind)c->command->kind;
	AUTO(listing_options_fini) struct listing_options o = { 0 };
	struct error *err = parse_listing(c, kind, args, &o);
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = !o.json,
						  .icvs = kind == LIST_ICVS,
						  .holds = kind == LIST_LOCKS,
						  .more = lock_names_find };
	const struct views_options tree = { .json = c->json, .parts = OMP_TASKS };
	AUTO_LOOK l = { 0 };

	if (!err)
		err = look(c, &options, &l);
	if (err)
		return err;
	return o.tree ? views_add_omp(begin(c), l.snapshot, &tree, &c->style)
		      : add_listing(c, l.snapshot, kind, &o);
}

static struct error *cmd_why(struct cli *c, const char *args)
{
	AUTO(deciding_fini) struct deciding deciding = { 0 };
	struct views_options views = { .json = c->json, .deciding = &deciding };
	const struct word words[] = { { "graph", &views.graph }, { "dot", &views.dot } };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = !c->json,
						  .more = views_find_deciding,
						  .context = &deciding };
	AUTO_LOOK l = { 0 };
	AUTO(why_fini) struct why why = { 0 };

	struct error *err = parse(args, words, 2);
	if (!err && views.json + views.dot + views.graph > 1)
		err = error_new(ERROR_USAGE, "give one of the options -dot and -graph, and none "
					     "with --json");
	if (!err)
		err = look(c, &options, &l);
	l.progress.stands = true;
	if (!err)
		err = why_verdict_find(l.snapshot, &l.progress, &why);
	if (!err)
		err = views_add_why(begin(c), c->control->live, &l, &why, &views, &c->style);
	if (!err && why_is_finding(&why) && c->status == STATUS_OK)
		c->status = STATUS_FINDING;
	return err;
}

#define OMP(words, arguments, how, sentence, more)                                                 \
	{                                                                                          \
		.name = (words), .args = (arguments), .class = CLASS_OPENMP,                       \
		.flags = COMMAND_JSON, .run = (how), .summary = (sentence), .help = (more)         \
	}

#define PART(words, what, sentence)                                                                \
	{                                                                                          \
		.name = (words), .args = "", .class = CLASS_OPENMP, .flags = COMMAND_JSON,         \
		.kind = (what), .run = cmd_omp, .summary = (sentence)                              \
	}

#define LISTING_ARGS                                                                               \
	"[--with KEY[=VALUE]] [--without KEY[=VALUE]] [--group KEY] [--sort [-]KEY] "              \
	"[-v|--json]"
#define LISTING(words, arguments, what, sentence, more)                                            \
	{                                                                                          \
		.name = (words), .args = LISTING_ARGS arguments, .class = CLASS_OPENMP,            \
		.completes = COMPLETES_LISTING, .kind = (what), .run = cmd_listing,                \
		.summary = (sentence), .help = (more)                                              \
	}

#define HELP_LISTING                                                                               \
	"Rows that differ in nothing but their names are one line. -v prints each by itself, "     \
	"with all that is known; the names of these keys, and those of the columns, are the "      \
	"KEYs. --with KEY=VALUE: only rows that have this value, or a word of it "                 \
	"(wait=barrier); with * and ? in it, it is a pattern; KEY alone: that have any, KEY= "     \
	"that have none. --without: the others. Both may be given several times. --sort "          \
	"-KEY: the greatest first."
#define HELP_TASKS                                                                                 \
	HELP_LISTING " --tree prints each task below the one that created it, --dot a graph in "   \
		     "the language of graphviz, dashed from who waits to whom it waits for."

#define HELP_WHY                                                                                   \
	"The same as 'ompdb why --once', of the process as it stands: nothing runs meanwhile. "    \
	"-graph prints also who waits for what, -dot that alone, in the language of graphviz."

#define HELP_LOOP                                                                                  \
	"Of each loop, or sections construct: its directive, the schedule that is in force, its "  \
	"bounds, what no thread has been given yet, and for each thread of the team which "        \
	"iterations it has and where it is in them. What is given out in chunks is known from "    \
	"the "                                                                                     \
	"code and the OpenMP runtime. Which part of a static loop a thread has is computed where " \
	"the compiler has left no trace of it, and marked so. Iterations whose values of the "     \
	"variable are not known are counted from 0."

static const struct command rows[] = {
	OMP("why", "[-graph|-dot]", cmd_why, "Say in one sentence why the program does not go on.",
	    HELP_WHY),
	OMP("omp", "", cmd_omp, "Print the OpenMP state: runtimes, regions, threads, tasks, waits.",
	    NULL),
	LISTING("omp threads", "", LIST_THREADS,
		"The threads: what each does, what it waits for, and where.", HELP_LISTING),
	LISTING("omp regions", "", LIST_REGIONS, "The parallel regions.", HELP_LISTING),
	LISTING("omp tasks", " [--tree|--dot]", LIST_TASKS,
		"The tasks: who has created and who executes them, what they wait for, how many "
		"of their child tasks have not ended.",
		HELP_TASKS),
	LISTING("omp waits", "", LIST_WAITS,
		"The threads that wait: for what, and who holds or owes it.", HELP_LISTING),
	LISTING("omp locks", "", LIST_LOCKS,
		"The locks, critical constructs and mutexes that somebody holds or waits for.",
		HELP_LISTING),
	LISTING("omp barriers", "", LIST_BARRIERS,
		"The barriers that somebody has arrived at: who has, and who has not.",
		HELP_LISTING),
	LISTING("omp states", "", LIST_STATES, "What threads do, and how many do it.",
		HELP_LISTING),
	LISTING("omp icvs", "", LIST_ICVS, "The internal control variables.", HELP_LISTING),
	LISTING("omp runtimes", "", LIST_RUNTIMES, "The OpenMP runtimes of the program.",
		HELP_LISTING),
	PART("omp tree", OMP_REGIONS | OMP_TASKS, "Print regions, threads and tasks."),
	OMP("omp loop", "", cmd_omp_loop,
	    "Print the worksharing loops that threads are in: schedule, bounds, who has what.",
	    HELP_LOOP),
	OMP("omp why", "[-graph|-dot]", cmd_why,
	    "Say in one sentence why the program does not go on.", HELP_WHY),
	OMP("stack", "[-flat] [-all-frames] [-raw] [-long-names]", cmd_stack,
	    "Print the call stacks of all threads, across OpenMP regions.",
	    "Equal ones are shown once. -flat prints thread by thread, -all-frames also the frames "
	    "of the OpenMP runtime, and -raw the stacks as the machine has them. Names of "
	    "functions "
	    "that have more than 80 characters are shortened, unless -long-names is given."),
};

const struct command_table cmd_omp_table = COMMAND_TABLE(rows);
