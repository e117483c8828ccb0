/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_look.h"

#include <stdio.h>
#include <string.h>

#include "base/sorted.h"
#include "base/text.h"
#include "debugger/cli/job_answers.h"
#include "debugger/cli/job_hosts.h"
#include "debugger/output/format_job.h"
#include "debugger/output/format_outline.h"

/* --- what they have found --- */

/* All that the looks have found. */
struct findings {
	const struct job *job;
	struct answers answers;
	struct buf heard;         /* owned; how many are on other hosts                      */
	size_t missing;           /* ranks that are not there any more              */
	struct outline outline;   /* owned; of their stacks                         */
	struct job_counts counts; /* owned; of all of them; empty: there are none     */
	struct job_why why;       /* owned; on all of them; no summary: there is none */
};

static void findings_fini(struct findings *f)
{
	answers_fini(&f->answers);
	buf_fini(&f->heard);
	outline_fini(&f->outline);
	job_why_fini(&f->why);
	job_counts_fini(&f->counts);
}

static int by_rank(const void *a, const void *b)
{
	const struct rank_report *x = a, *y = b;

	return sorted_order(x->rank, y->rank);
}

struct rank_list {
	struct rank_report *items;
	size_t len, cap;
};

/* Each rank once: of what hosts say nothing is believed. */
static void drop_doubles(struct rank_list *ranks)
{
	size_t n = 0;

	if (ranks->len)
		qsort(ranks->items, ranks->len, sizeof(*ranks->items), by_rank);
	for (size_t i = 0; i < ranks->len; i++) {
		if (!n || ranks->items[n - 1].rank != ranks->items[i].rank)
			ranks->items[n++] = ranks->items[i];
	}
	ranks->len = n;
}

static struct error *judge(struct findings *f)
{
	struct rank_list ranks = { 0 };
	bool judged = false, whole = true;
	struct error *err = NULL;

	vec_for_each (a, &f->answers) {
		vec_for_each (rank, &a->ranks)
			whole &= vec_push(&ranks, (struct rank_report){ (int)*rank, &a->report });
		judged |= a->report.judged;
	}
	drop_doubles(&ranks);
	if (!whole || (f->answers.ranks && !job_counts_make(ranks.items, ranks.len, &f->counts)))
		err = &error_nomem;
	else if (judged && f->answers.ranks)
		err = job_why_find(ranks.items, ranks.len, f->missing,
				   !f->job->elsewhere && !f->job->hosts.len, &f->why);
	vec_fini(&ranks);
	return err;
}

static void add_found(struct buf *out, const struct findings *f)
{
	buf_adds(out, buf_text(&f->job->found));
	buf_adds(out, buf_text(&f->heard));
}

/* What ranks have in common is said once. */
static void add_notes(struct buf *out, const struct findings *f, const struct style *style)
{
	AUTO_BUF said = { 0 };

	vec_for_each (a, &f->answers) {
		vec_for_each (note, &a->report.notes) {
			AUTO_BUF line = { 0 };
			buf_addf(&line, "\n%s\n", *note);
			if (strstr(buf_text(&said), buf_text(&line)))
				continue;
			buf_add(&said, line.data, line.len);
			style_add_inked(out, INK_IDLE, *note, style);
			buf_addc(out, '\n');
		}
	}
	out->failed |= said.failed;
}

static struct error *print_outline(struct findings *f, const struct style *style)
{
	AUTO_BUF out = { 0 };

	add_found(&out, f);
	add_notes(&out, f, style);
	outline_sort(&f->outline);
	format_outline(&out, &f->outline, style);
	struct error *err = console_write(&out);
	for (struct answer *a; (a = answers_next(&f->answers)); a->equals = 0) {
		AUTO_BUF who = { 0 };
		answers_add_who(&who, &f->answers, a);
		answer_print_complaint(a, buf_text(&who));
	}
	return err;
}

static struct error *print_dot(const struct findings *f)
{
	AUTO_BUF out = { 0 };

	format_job_dot(&out, &f->why);
	return console_write(&out);
}

static struct error *print_answers(struct findings *f, const struct job_work *work)
{
	const struct style *style = &work->style;
	struct error *err = NULL;
	AUTO_BUF out = { 0 };

	add_found(&out, f);
	if (f->why.summary) {
		buf_addc(&out, '\n');
		format_job_why(&out, &f->why, style);
		if (work->graph)
			format_job_graph(&out, &f->why, style);
	}
	if (f->counts.rows.len) {
		buf_addc(&out, '\n');
		format_job_counts(&out, &f->counts, style);
	}
	for (struct answer *a; !err && (a = answers_next(&f->answers)); a->equals = 0) {
		AUTO_BUF who = { 0 };
		answers_add_who(&who, &f->answers, a);
		buf_addc(&out, '\n');
		style_begin(&out, INK_TITLE, style);
		buf_addf(&out, "== %s ==", buf_text(&who));
		style_end(&out, style);
		buf_addc(&out, '\n');
		buf_add(&out, buf_text(&a->text), a->text.len);
		out.failed |= who.failed;
		err = console_write(&out);
		answer_print_complaint(a, buf_text(&who));
	}
	return err;
}

static void add_member(struct json *json, const struct answer *a, intmax_t rank)
{
	json_add_object(json, NULL);
	json_add_natural(json, "rank", rank);
	json_add_string(json, "target", a->member ? a->member->target : NULL);
	json_add_string(json, "host", a->host);
	json_add_integer(json, "status", (intmax_t)a->status);
	json_add_lines(json, "messages", a->complaint.len ? buf_text(&a->complaint) : NULL);
	json_add_made(json, "answer", buf_text(&a->text));
	json_end(json);
}

static struct error *print_json(const struct findings *f)
{
	AUTO_BUF out = { 0 }, found = { 0 };
	struct json json = { .out = &out };

	json_add_object(&json, NULL);
	json_add_integer(&json, "v", 1);
	add_found(&found, f);
	json_add_lines(&json, "found", buf_text(&found));
	if (f->why.summary)
		json_job_why(&json, &f->why);
	json_add_array(&json, "members");
	vec_for_each (a, &f->answers) {
		for (size_t i = 0; i < a->ranks.len || !i; i++)
			add_member(&json, a, a->ranks.len ? a->ranks.items[i] : -1);
	}
	json_end(&json);
	json_end(&json);
	return console_write(&out);
}

static enum status worst(const struct findings *f)
{
	enum status ret = f->why.summary && why_verdict_is_finding(f->why.verdict) ? STATUS_FINDING
										   : STATUS_OK;

	vec_for_each (a, &f->answers)
		ret = a->status > ret ? a->status : ret;
	return ret;
}

static struct error *make_answers(struct findings *f)
{
	const struct job *j = f->job;

	f->answers.ranks = job_has_ranks(j);
	vec_for_each (member, &j->members) {
		struct answer *a = answers_add(&f->answers);
		if (!a || (member->rank >= 0 && !vec_push(&a->ranks, member->rank)))
			return &error_nomem;
		a->member = member;
	}
	return NULL;
}

/* Looks at all once more, in place of what was found before: here, while other hosts do so, too. */
static struct error *look_anew(struct findings *f, const struct job_work *work,
			       struct lookers *lookers)
{
	AUTO(asked_hosts_fini) struct asked_hosts hosts = { 0 };
	const struct job_hosts none = { 0 };

	findings_fini(f);
	*f = (struct findings){ .job = f->job, .missing = f->job->missing };
	struct error *err = make_answers(f);
	if (!err)
		err = job_hosts_ask(work->tells_front ? &none : &f->job->hosts, &work->asking,
				    &hosts);
	if (err)
		return err;
	lookers_look(lookers, &f->answers, work->tells_front ? NULL : &f->outline);
	bool whole = true;
	vec_for_each (a, &f->answers)
		whole &= answer_set_keys(a);
	err = !whole ? &error_nomem
		     : job_hosts_hear(&hosts, &f->answers, &f->missing, &f->outline, &f->heard);
	if (!err && !answers_count_equals(&f->answers))
		err = &error_nomem;
	return err || work->tells_front ? err : judge(f);
}

/*
 * Ranks in calls that do not fit each other may be about to leave them: only those that stay there
 * are in a deadlock.
 */
static struct error *look_until_sure(struct findings *f, const struct job_work *work)
{
	AUTO_LOOKERS *lookers = lookers_new(f->job, &work->looking);
	struct error *err = lookers ? look_anew(f, work, lookers) : &error_nomem;

	for (int i = 1; !err && i < LOOKERS_ROUNDS && job_why_is_of_calls(&f->why); i++) {
		AUTO_BUF before = { 0 }, now = { 0 };
		job_why_add_key(&before, &f->why);
		err = look_anew(f, work, lookers);
		job_why_add_key(&now, &f->why);
		if (!err && job_why_is_of_calls(&f->why) &&
		    !text_same(buf_text(&before), buf_text(&now)))
			return job_why_retract(&f->why);
	}
	if (!err && f->why.class == JOB_GONE && !job_is_as_it_was(f->job))
		return job_why_retract(&f->why);
	return err;
}

enum status job_look(const struct job *j, const struct job_work *work, struct error **ret_error)
{
	AUTO(findings_fini) struct findings f = { .job = j };
	struct error *err = look_until_sure(&f, work);

	if (!err && work->tells_front)
		err = job_hosts_tell(&f.answers, f.missing, work->json);
	else if (!err && work->json)
		err = print_json(&f);
	else if (!err && work->dot)
		err = f.why.summary ? print_dot(&f)
				    : error_new(ERROR_USAGE,
						"option '--dot' draws one target, or the ranks "
						"of a job");
	else if (!err && work->outlines && f.answers.ranks)
		err = print_outline(&f, &work->style);
	else if (!err)
		err = print_answers(&f, work);
	*ret_error = err;
	return err ? STATUS_FAILED : work->tells_front ? STATUS_OK : worst(&f);
}
