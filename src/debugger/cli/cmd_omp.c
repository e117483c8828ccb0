/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The one-shot commands on the process that stands still, or on the core file. */
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/cli.h"
#include "debugger/cli/views.h"
#include "debugger/control/control.h"
#include "debugger/output/format_omp.h"
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
	return err ? err : snapshot_name(ret->snapshot);
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
	const struct word words[] = { { "raw", &views.raw },
				      { "flat", &views.flat },
				      { "all-frames", &views.all_frames } };
	AUTO_LOOK l = { 0 };

	struct error *err = parse(args, words, 3);
	const struct snapshot_options options = {
		.max_frames = UNWIND_FRAMES_DEFAULT,
		.raw = views.raw,
		.few_names = !views.flat && !c->json,
		.more = lock_names_find,
	};
	if (!err)
		err = look(c, &options, &l);
	return err ? err : views_add_stacks(begin(c), l.snapshot, &views, &c->style);
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
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .few_names = !c->json,
						  .loops = true,
						  .more = views_find_loops,
						  .context = &loops };
	AUTO_LOOK l = { 0 };

	struct error *err = parse(args, NULL, 0);
	if (!err)
		err = look(c, &options, &l);
	return err ? err : views_add_loops(begin(c), l.snapshot, &loops, &views, &c->style);
}

static struct error *cmd_omp_icvs(struct cli *c, const char *args)
{
	(void)args;
	return cmd_omp(c, "icvs");
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
		.name = (words), .args = (arguments), .class = CLASS_OPENMP, .run = (how),         \
		.summary = (sentence), .help = (more)                                              \
	}

#define PART(words, what, sentence)                                                                \
	{                                                                                          \
		.name = (words), .args = "", .class = CLASS_OPENMP, .kind = (what),                \
		.run = cmd_omp, .summary = (sentence)                                              \
	}

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
	OMP("omp icvs", "", cmd_omp_icvs, "The same with the internal control variables.", NULL),
	PART("omp runtimes", OMP_RUNTIMES, "Print the OpenMP runtimes of the program."),
	PART("omp regions", OMP_REGIONS, "Print the parallel regions and their threads."),
	PART("omp tasks", OMP_TASKS, "Print the tasks, each below the one that created it."),
	PART("omp tree", OMP_REGIONS | OMP_TASKS, "Print regions, threads and tasks."),
	OMP("omp loop", "", cmd_omp_loop,
	    "Print the worksharing loops that threads are in: schedule, bounds, who has what.",
	    HELP_LOOP),
	OMP("omp why", "[-graph|-dot]", cmd_why,
	    "Say in one sentence why the program does not go on.", HELP_WHY),
	OMP("stack", "[-flat] [-all-frames] [-raw]", cmd_stack,
	    "Print the call stacks of all threads, across OpenMP regions.",
	    "Equal ones are shown once. -flat prints thread by thread, -all-frames also the frames "
	    "of the OpenMP runtime, and -raw the stacks as the machine has them."),
};

const struct command_table cmd_omp_table = COMMAND_TABLE(rows);
