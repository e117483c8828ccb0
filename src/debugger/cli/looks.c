/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/looks.h"

#include "debugger/cli/views.h"
#include "debugger/values/lock_names.h"
#include "ompd/conform.h"

/* Looks at the target once, lets it go and finds out the names. */
static struct error *look_at(struct session *s, const struct snapshot_options *options,
			     struct outcome *outcome, struct look *ret)
{
	struct error *err = look_once(s, options, ret);

	if (err)
		return err;
	outcome->failed = STATUS_FAILED;
	return snapshot_name(ret->snapshot);
}

static struct error *print_stacks(const struct snapshot *s, const struct frame_values *values,
				  const struct oneshot_options *o)
{
	const struct views_options options = {
		.raw = o->raw,
		.flat = o->flat,
		.all_frames = o->all_frames,
		.json = o->json,
		.values = o->args || o->locals ? values : NULL,
	};
	AUTO_BUF out = { .flush = console_write };
	struct error *err = views_add_stacks(&out, s, &options, &o->style);

	return err ? err : buf_end(&out);
}

bool looks_are_outlined(const struct oneshot_options *o)
{
	return !(o->json || o->flat || o->raw || o->args || o->locals);
}

struct error *look_at_stacks(struct session *s, const struct oneshot_options *o,
			     struct outcome *outcome)
{
	AUTO(frame_values_fini)
	struct frame_values values = { .arguments = o->args, .locals = o->locals };
	const struct snapshot_options options = {
		.max_frames = o->max_frames,
		.raw = o->raw,
		.few_names = !o->flat && !o->json,
		.more = views_find_values,
		.context = &values,
	};
	AUTO_LOOK l = { 0 };
	struct error *err = look_at(s, &options, outcome, &l);

	if (!err && outcome->report && looks_are_outlined(o))
		return views_report_stacks(outcome->report, l.snapshot, o->all_frames, &o->style);
	return err ? err : print_stacks(l.snapshot, &values, o);
}

static struct error *print_omp(const struct snapshot *s, const struct oneshot_options *o)
{
	const struct views_options options = { .json = o->json };
	AUTO_BUF out = { .flush = console_write };
	struct error *err = views_add_omp(&out, s, &options, &o->style);

	return err ? err : buf_end(&out);
}

static struct error *run_loops(struct session *s, const struct oneshot_options *o,
			       struct outcome *outcome)
{
	AUTO(worksharing_fini) struct worksharing loops = { 0 };
	const struct snapshot_options options = worksharing_options(&loops, !o->json);
	const struct views_options views = { .json = o->json };
	AUTO_LOOK l = { 0 };
	AUTO_BUF out = { .flush = console_write };

	struct error *err = look_at(s, &options, outcome, &l);
	if (!err)
		err = views_add_loops(&out, l.snapshot, &loops, &views, &o->style);
	return err ? err : buf_end(&out);
}

struct error *look_at_omp(struct session *s, const struct oneshot_options *o,
			  struct outcome *outcome)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .no_stacks = true,
						  .icvs = o->icvs,
						  .few_names = !o->json,
						  .more = lock_names_find };
	AUTO_LOOK l = { 0 };

	if (o->loops)
		return run_loops(s, o, outcome);
	struct error *err = look_at(s, &options, outcome, &l);
	if (!err)
		err = print_omp(l.snapshot, o);
	return err || !outcome->report ? err : views_report_omp(outcome->report, l.snapshot);
}

static struct error *print_why(const struct session *s, const struct look *l, const struct why *why,
			       const struct deciding *deciding, const struct oneshot_options *o)
{
	const struct views_options options = {
		.json = o->json, .dot = o->dot, .graph = o->graph, .deciding = deciding
	};
	AUTO_BUF out = { .flush = console_write };
	struct error *err = views_add_why(&out, s, l, why, &options, &o->style);

	return err ? err : buf_end(&out);
}

struct error *look_for_why(struct session *s, const struct oneshot_options *o,
			   struct outcome *outcome)
{
	AUTO(views_reasons_fini) struct views_reasons reasons = { .tells = outcome->report };
	const struct why_options options = {
		.snapshot = { .max_frames = UNWIND_FRAMES_DEFAULT,
			      .no_stacks = true,
			      .few_names = !o->json,
			      .more = views_find_reasons,
			      .context = &reasons },
		.samples = (unsigned int)o->samples,
		.interval = (unsigned int)o->interval,
		.once = o->once,
	};
	AUTO_LOOK l = { 0 };
	AUTO(why_fini) struct why why = { 0 };

	struct error *err = why_ask(s, &options, &l, &why);
	if (!err)
		err = views_add_reasons(s, &l, &why);
	if (!err)
		err = print_why(s, &l, &why, &reasons.deciding, o);
	if (!err && outcome->report)
		err = views_report_why(outcome->report, &l, &why, &reasons.calls);
	outcome->done = why_is_finding(&why) ? STATUS_FINDING : STATUS_OK;
	return err;
}

struct error *look_at_library(struct session *s, const struct oneshot_options *o,
			      struct outcome *outcome)
{
	AUTO_CONFORM *conform = NULL;
	struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
					    .no_stacks = true };
	AUTO_LOOK l = { 0 };
	AUTO_BUF out = { .flush = console_write };

	struct error *err = conform_new(o->checked_library, &conform);
	options.conform = conform;
	if (!err)
		err = look_once(s, &options, &l);
	if (err)
		return err;
	const struct picture *p = &l.snapshot->picture;
	if (!p->runtimes.len)
		return error_new(ERROR_NOT_FOUND,
				 "there is no OpenMP runtime about which a library could be asked");
	vec_for_each (line, &p->contradictions)
		buf_addf(&out, "%s\n", *line);
	outcome->done = p->contradictions.len ? STATUS_FAILED : STATUS_OK;
	return buf_end(&out);
}
