/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one-shot commands on the process that stands still, or on the core file. */
#include "debugger/cli/cli.h"
#include "debugger/cli/listing_options.h"
#include "debugger/cli/views.h"
#include "debugger/control/control.h"
#include "debugger/output/format_listing.h"
#include "debugger/output/format_omp.h"
#include "debugger/output/json_listing.h"
#include "debugger/output/json_picture.h"
#include "debugger/values/lock_names.h"
#include "debugger/why/why_verdict.h"

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
	const struct option_word words[] = { { "raw", &views.raw },
					     { "flat", &views.flat },
					     { "all-frames", &views.all_frames },
					     { "long-names", &style.long_names } };
	AUTO_LOOK l = { 0 };

	struct error *err = listing_options_words(c, args, words, sizeof(words) / sizeof(*words));
	const struct snapshot_options options = {
		.max_frames = UNWIND_FRAMES_DEFAULT,
		.raw = views.raw,
		.few_names = !views.flat && !c->json,
		.more = lock_names_find,
	};
	if (!err)
		err = control_look(c->control, &options, &l);
	return err ? err : views_add_stacks(begin(c), l.snapshot, &views, &style);
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Objects have all rows and all that is known of them. */
static struct error *parse_rows(struct cli *c, enum listing_kind kind, const char *args,
				const struct option_word *words, size_t nwords,
				struct listing_options *ret)
{
	struct error *err = listing_options_parse(kind, args, words, nwords, ret);

	ret->json |= c->json;
	ret->wishes.each = ret->each || ret->json;
	return err;
}

/* As a tree; parts: enum format_omp_part. */
static struct error *run_omp(struct cli *c, const char *args, unsigned int parts)
{
	AUTO_LISTING_OPTIONS o = { 0 };
	struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
					    .no_stacks = true,
					    .more = lock_names_find };
	const struct option_word words[] = { { "icvs", &options.icvs } };
	AUTO_LOOK l = { 0 };

	struct error *err = parse_rows(c, LIST_TASKS, args, words, 1, &o);
	const struct views_options views = { .json = o.json, .parts = parts, .wishes = &o.wishes };
	options.few_names = !o.wishes.each;
	if (!err && o.wishes.group)
		err = listing_options_refuse(c, "--group");
	if (!err)
		err = control_look(c->control, &options, &l);
	return err ? err : views_add_omp(begin(c), l.snapshot, &views, &c->style);
}

static struct error *cmd_omp(struct cli *c, const char *args)
{
	return run_omp(c, args, 0);
}

static struct error *cmd_omp_tree(struct cli *c, const char *args)
{
	return run_omp(c, args, OMP_REGIONS | OMP_TASKS);
}

static struct error *cmd_omp_loop(struct cli *c, const char *args)
{
	AUTO_LISTING_OPTIONS o = { 0 };
	AUTO(worksharing_fini) struct worksharing loops = { 0 };
	AUTO_LOOK l = { 0 };

	struct error *err = parse_rows(c, LIST_LOOPS, args, NULL, 0, &o);
	const struct views_options views = { .json = o.json, .each = o.each, .wishes = &o.wishes };
	const struct snapshot_options options = worksharing_options(&loops, !o.wishes.each);
	if (!err)
		err = control_look(c->control, &options, &l);
	return err ? err : views_add_loops(begin(c), l.snapshot, &loops, &views, &c->style);
}

/* ---- listings ----------------------------------------------------------------------------- */

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
				 const struct listing_options *o, bool dot)
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
	else if (dot)
		add_dot(c, out, &listing, &lines);
	else if (!lines.items.len)
		buf_adds(out, "None.\n");
	else if (o->each)
		format_listing_rows(out, &listing, &lines, o->wishes.group, &style);
	else
		format_listing(out, &listing, &lines, o->wishes.group, &style);
	return NULL;
}

static struct error *run_listing(struct cli *c, enum listing_kind kind,
				 const struct listing_options *o, bool dot)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = !o->json,
						  .icvs = kind == LIST_ICVS,
						  .holds = kind == LIST_LOCKS,
						  .more = lock_names_find };
	AUTO_LOOK l = { 0 };
	struct error *err = control_look(c->control, &options, &l);

	return err ? err : add_listing(c, l.snapshot, kind, o, dot);
}

static struct error *cmd_listing(struct cli *c, const char *args)
{
	const enum listing_kind kind = (enum listing_kind)c->command->kind;
	AUTO_LISTING_OPTIONS o = { 0 };
	struct error *err = parse_rows(c, kind, args, NULL, 0, &o);

	return err ? err : run_listing(c, kind, &o, false);
}

static struct error *cmd_tasks(struct cli *c, const char *args)
{
	AUTO_LISTING_OPTIONS o = { 0 };
	bool tree = false, dot = false;
	const struct option_word words[] = { { "tree", &tree }, { "dot", &dot } };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .more = lock_names_find };
	struct error *err = parse_rows(c, LIST_TASKS, args, words, 2, &o);
	const struct views_options views = { .json = o.json,
					     .parts = OMP_TASKS,
					     .wishes = &o.wishes };
	AUTO_LOOK l = { 0 };

	/* The graph has a form of its own within an object. */
	o.json = o.json && !(dot && c->json);
	if (!err && dot && (tree || o.each || o.json))
		err = error_new(ERROR_USAGE, "give one of the options -v, --json, --tree and "
					     "--dot");
	if (!err && !tree)
		return run_listing(c, LIST_TASKS, &o, dot);
	if (!err && o.wishes.group)
		err = error_new(ERROR_USAGE, "the tree is of all tasks, each below the one that "
					     "created it: groups are for the table");
	if (!err)
		err = control_look(c->control, &options, &l);
	return err ? err : views_add_omp(begin(c), l.snapshot, &views, &c->style);
}

static struct error *cmd_why(struct cli *c, const char *args)
{
	AUTO(views_reasons_fini) struct views_reasons reasons = { .tells = c->report };
	struct views_options views = { .json = c->json, .deciding = &reasons.deciding };
	const struct option_word words[] = { { "graph", &views.graph },
					     { "v", &views.graph },
					     { "dot", &views.dot } };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = !c->json,
						  .more = views_find_reasons,
						  .context = &reasons };
	AUTO_LOOK l = { 0 };
	AUTO(why_fini) struct why why = { 0 };

	struct error *err = listing_options_words(c, args, words, 3);
	if (!err && views.json + views.dot + views.graph > 1)
		err = error_new(ERROR_USAGE, "give one of the options -dot and -graph, and none "
					     "with --json");
	if (!err)
		err = control_look(c->control, &options, &l);
	if (!err)
		err = why_verdict_find(l.snapshot, &l.progress, &why);
	if (!err)
		err = views_add_reasons(c->control->live, &l, &why);
	if (!err)
		err = views_add_why(begin(c), c->control->live, &l, &why, &views, &c->style);
	if (!err && c->report)
		err = views_report_why(c->report, &l, &why, &reasons.calls);
	if (!err && why_is_finding(&why) && c->status == STATUS_OK)
		c->status = STATUS_FINDING;
	return err;
}

#define OMP(words, arguments, how, sentence, more)                                                 \
	{                                                                                          \
		.name = (words), .args = (arguments), .class = CLASS_OPENMP,                       \
		.flags = COMMAND_JSON, .run = (how), .summary = (sentence), .help = (more)         \
	}

#define LISTING_ARGS                                                                               \
	"[--with KEY[=VALUE]] [--without KEY[=VALUE]] [--group KEY] [--sort [-]KEY] "              \
	"[-v|--json]"
#define TREE_ARGS "[--with KEY[=VALUE]] [--without KEY[=VALUE]] [--sort [-]KEY] [-v|--json]"
#define ROWS(words, arguments, what, how, sentence, more)                                          \
	{                                                                                          \
		.name = (words), .args = arguments, .class = CLASS_OPENMP,                         \
		.completes = COMPLETES_LISTING, .kind = (what), .run = (how),                      \
		.summary = (sentence), .help = (more)                                              \
	}
#define LISTING(words, what, sentence)                                                             \
	ROWS(words, LISTING_ARGS, what, cmd_listing, sentence, HELP_LISTING)

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
#define HELP_TREE                                                                                  \
	"Regions with their threads, and tasks, each below the one that has created it. -v "       \
	"prints each by itself; what is alike is one line else. --with, --without and --sort are " \
	"about tasks, as of 'omp tasks': shown are those that fit, with all that have created "    \
	"them, the threads that execute them, and their regions."

#define HELP_WHY                                                                                   \
	"The same as 'ompdb why --once', of the process as it stands: nothing runs meanwhile. "    \
	"-graph, or -v, prints also who waits for what, -dot that alone, in the language of "      \
	"graphviz. It has one answer, and no rows to choose from: 'omp waits' has them. Where "    \
	"all "                                                                                     \
	"ranks of a job are in focus, the verdict on all of them, joined through the calls of "    \
	"MPI "                                                                                     \
	"that they are in, is before those on each."

#define HELP_LOOP                                                                                  \
	"Of each loop, or sections construct: its directive, the schedule that is in force, its "  \
	"bounds, what no thread has been given yet, and for each thread of the team which "        \
	"iterations it has and where it is in them. What is given out in chunks is known from "    \
	"the "                                                                                     \
	"code and the OpenMP runtime. Which part of a static loop a thread has is computed where " \
	"the compiler has left no trace of it, and marked so. Iterations whose values of the "     \
	"variable are not known are counted from 0. Each thread of a loop is a row: --with, "      \
	"--without, --group and --sort choose and arrange them, and -v prints each by itself, "    \
	"with all that is known; the names of these keys are the KEYs."

static const struct command rows[] = {
	OMP("why", "[-graph|-dot]", cmd_why, "Say in one sentence why the program does not go on.",
	    HELP_WHY),
	ROWS("omp", TREE_ARGS, LIST_TASKS, cmd_omp,
	     "Print the OpenMP state: runtimes, regions, threads, tasks, waits.", HELP_TREE),
	LISTING("omp threads", LIST_THREADS,
		"The threads: what each does, what it waits for, and where."),
	LISTING("omp regions", LIST_REGIONS, "The parallel regions."),
	ROWS("omp tasks", LISTING_ARGS " [--tree|--dot]", LIST_TASKS, cmd_tasks,
	     "The tasks: who has created and who executes them, what they wait for, who "
	     "waits for them, how many of their child tasks have not ended.",
	     HELP_TASKS),
	LISTING("omp waits", LIST_WAITS,
		"The threads that wait: for what, and who holds or owes it."),
	LISTING("omp locks", LIST_LOCKS,
		"The locks, critical constructs and mutexes that somebody holds or waits for."),
	LISTING("omp barriers", LIST_BARRIERS,
		"The barriers that somebody has arrived at: who has, and who has not."),
	LISTING("omp states", LIST_STATES, "What threads do, and how many do it."),
	LISTING("omp icvs", LIST_ICVS, "The internal control variables."),
	LISTING("omp runtimes", LIST_RUNTIMES, "The OpenMP runtimes of the program."),
	ROWS("omp tree", TREE_ARGS, LIST_TASKS, cmd_omp_tree, "Print regions, threads and tasks.",
	     HELP_TREE),
	ROWS("omp loop", LISTING_ARGS, LIST_LOOPS, cmd_omp_loop,
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
