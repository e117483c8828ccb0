/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/rank_why.h"

#include <string.h>

#include "debugger/cli/job_front.h"
#include "debugger/cli/job_told.h"
#include "debugger/job/job_why.h"
#include "debugger/output/format_job.h"

bool rank_why_is_meant(const struct cli *c, const struct command *row)
{
	const struct job_ranks *all = &c->job->all;
	const size_t n = job_front_count(all, job_front_has);

	return (!strcmp(row->name, "why") || !strcmp(row->name, "omp why")) && n > 1 &&
	       job_front_count(all, job_front_aims_at) == n;
}

/* What the ranks have answered. */
struct reports {
	struct report *reports;      /* owned; one for each of the job's ranks */
	struct rank_report *answers; /* owned                                  */
	size_t n, missing;
};

static void reports_fini(struct reports *r)
{
	for (size_t i = 0; i < r->n; i++)
		report_fini(&r->reports[i]);
	free(r->reports);
	free(r->answers);
}

static struct error *read_all(const struct job_ranks *all, struct reports *ret)
{
	ret->reports = calloc(all->items.len + 1, sizeof(*ret->reports));
	ret->answers = calloc(all->items.len + 1, sizeof(*ret->answers));
	if (!ret->reports || !ret->answers)
		return &error_nomem;
	vec_for_each (r, &all->items) {
		struct report *its = &ret->reports[ret->n];
		AUTO(outline_fini) struct outline none = { 0 };
		if (!job_front_has(*r)) {
			ret->missing += (*r)->gone;
			continue;
		}
		ret->answers[ret->n++] = (struct rank_report){ (*r)->number, its };
		struct error *err = report_read(buf_text(&(*r)->answer), (*r)->answer.len,
						(*r)->number, its, &none);
		its->judged &= !err && (*r)->answered;
		error_ignore(err);
	}
	return NULL;
}

static void tell(struct cli *c, const struct job_why *why)
{
	struct json j;

	if (!c->json) {
		format_job_why(&c->out, why, &c->style);
		buf_addc(&c->out, '\n');
		return;
	}
	cli_json_begin(c, &j, "job_why");
	json_job_why(&j, why);
	cli_json_end(c, &j);
}

/* Of none that has said why it stands there is a verdict. */
static bool is_any_judged(const struct reports *r)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->reports[i].judged)
			return true;
	}
	return false;
}

static struct error *judge(struct cli *c)
{
	AUTO(reports_fini) struct reports reports = { 0 };
	AUTO(job_why_fini) struct job_why why = { 0 };
	struct job_ranks *all = &c->job->all;
	struct error *err = read_all(all, &reports);

	if (err || !is_any_judged(&reports))
		return err;
	err = job_why_find(reports.answers, reports.n, reports.missing, false, &why);
	if (err)
		return err;
	tell(c, &why);
	if (why_verdict_is_finding(why.verdict) && all->status == STATUS_OK)
		all->status = STATUS_FINDING;
	return NULL;
}

struct error *rank_why(struct cli *c, const char *line)
{
	const struct job_order order = {
		.kind = JOB_REPORT, .text = line, .last = c->last_args, .repeats = c->repeats
	};
	struct job_front *f = c->job;

	f->gathering.exact = false;
	f->all.status = STATUS_OK;
	job_front_ask(c, &order, job_front_aims_at);
	struct error *err = judge(c);
	job_told_show(c, &f->all, false, &err);
	job_front_finish(c);
	return err;
}
