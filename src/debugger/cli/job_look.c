/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_look.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/sorted.h"
#include "base/text.h"
#include "debugger/job/report.h"
#include "debugger/output/format_job.h"
#include "debugger/output/format_outline.h"
#include "debugger/output/json.h"
#include "target/process/procfs.h"

enum {
	LOOKS_AT_ONCE = 256,
	CONFIRMATIONS = 3,       /* of a deadlock between ranks */
	ANSWER_MOST = 256 << 20, /* bytes of one */
};

/* What one process has said of one member. */
struct answer {
	const struct job_member *member;
	pid_t looker;            /* 0: none could be started, or it has ended */
	int out, messages, told; /* owned; files in memory              */
	enum status status;
	struct lwp_list lwps;
	struct buf text, complaint;
	struct report report; /* judged: there is one */
	struct buf key;       /* what is compared of them                                      */
	size_t equals;        /* answers that are equal to this one, itself among them; 0: shown */
};

/* There may be more answers than a process may have files. */
static void close_files(struct answer *a)
{
	int *files[] = { &a->out, &a->messages, &a->told };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		cleanup_close(files[i]);
		*files[i] = -1;
	}
}

static void fini_answers(struct answer *answers, size_t n)
{
	for (size_t i = 0; answers && i < n; i++) {
		close_files(&answers[i]);
		report_fini(&answers[i].report);
		buf_fini(&answers[i].text);
		buf_fini(&answers[i].complaint);
		buf_fini(&answers[i].key);
		lwp_list_fini(&answers[i].lwps);
	}
	free(answers);
}

/* --- looking --- */

/* In a process of its own. */
static void look(const struct answer *a, const struct job_work *work, struct gate *gate)
{
	AUTO_BUF report = { 0 };

	if (dup2(a->out, STDOUT_FILENO) < 0 || dup2(a->messages, STDERR_FILENO) < 0)
		_exit(STATUS_FAILED);
	const enum status status = work->look(work->context, a->member->target,
					      a->member->rank >= 0 ? &report : NULL, gate);
	gate_leave(gate);
	error_ignore(console_write_bytes(a->told, buf_text(&report), report.len));
	_exit(status);
}

/* The numbers of the threads are those from before the look: most programs keep theirs. */
static void start(struct answer *a, const struct job_work *work, struct gate *gate)
{
	a->out = memfd_create("answer", MFD_CLOEXEC);
	a->messages = memfd_create("messages", MFD_CLOEXEC);
	a->told = memfd_create("report", MFD_CLOEXEC);
	a->status = STATUS_FAILED;
	if (a->member->pid)
		error_ignore(procfs_tasks(a->member->pid, &a->lwps));
	a->looker = a->out < 0 || a->messages < 0 || a->told < 0 ? -1 : fork();
	if (!a->looker)
		look(a, work, gate);
	if (a->looker > 0)
		return;
	gate_leave(gate);
	buf_addf(&a->complaint, "ompdb: no process to look with: %s\n", strerror(errno));
	a->looker = 0;
}

static void read_back(struct buf *ret, int fd)
{
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return;
	error_ignore(buf_add_fd(ret, fd, ANSWER_MOST));
}

static void read_report(struct answer *a, struct outline *outline)
{
	AUTO_BUF text = { 0 };

	read_back(&text, a->told);
	if (!text.len)
		return;
	struct error *err =
		report_read(buf_text(&text), text.len, a->member->rank, &a->report, outline);
	if (err) {
		buf_addf(&a->complaint, "ompdb: %s\n", error_message(err));
		a->report.judged = false;
	}
	error_free(err);
}

static void finish(struct answer *a, struct outline *outline)
{
	int status;

	if (!a->looker)
		return;
	while (waitpid(a->looker, &status, 0) < 0 && errno == EINTR)
		;
	a->looker = 0;
	read_back(&a->text, a->out);
	read_back(&a->complaint, a->messages);
	read_report(a, outline);
	close_files(a);
	if (WIFEXITED(status))
		a->status = (enum status)WEXITSTATUS(status);
	else
		buf_addf(&a->complaint, "ompdb: the look was ended by signal %d (%s)\n",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static void look_at_all(struct answer *answers, size_t n, const struct job_work *work,
			struct outline *outline)
{
	int at_once = 0;

	for (size_t i = 0; i < n && i < LOOKS_AT_ONCE; i++)
		at_once += answers[i].member->pid > 0;
	struct gate *gate = gate_new(at_once);
	for (size_t i = 0; i < n; i++) {
		if (i >= LOOKS_AT_ONCE)
			finish(&answers[i - LOOKS_AT_ONCE], outline);
		start(&answers[i], work, i < LOOKS_AT_ONCE && answers[i].member->pid ? gate : NULL);
	}
	for (size_t i = n > LOOKS_AT_ONCE ? n - LOOKS_AT_ONCE : 0; i < n; i++)
		finish(&answers[i], outline);
	gate_free(gate);
}

/* --- which are equal --- */

#define DIGITS "0123456789"

static bool has_lwp(const struct lwp_list *lwps, long number)
{
	size_t at = sorted_count(lwp, lwps->items, lwps->len, *lwp < number);

	return at < lwps->len && lwps->items[at] == number;
}

/* How long the number is that a text begins with, if it is one of seconds: "0.26 s". 0: it is not.
 */
static size_t seconds_length(const char *text)
{
	size_t len = strspn(text, DIGITS);

	if (!len || text[len] != '.')
		return 0;
	len += 1 + strspn(text + len + 1, DIGITS);
	return text_starts_with(text + len, " s ") ? len : 0;
}

/* Adds a text without what differs between processes that do the same: LWPs, addresses, seconds. */
static void add_key(struct buf *key, const char *text, const struct lwp_list *lwps)
{
	for (size_t len; *text; text += len) {
		const size_t seconds = seconds_length(text);
		if (text_starts_with(text, "0x")) {
			len = 2 + strspn(text + 2, "0123456789abcdef");
			continue;
		}
		len = seconds ? seconds : strspn(text, DIGITS);
		if (!len)
			len = strcspn(text, DIGITS);
		else if (seconds || has_lwp(lwps, strtol(text, NULL, 10)))
			continue;
		buf_add(key, text, len);
	}
	buf_addc(key, '\n');
}

static bool are_equal(const struct answer *a, const struct answer *b)
{
	return a->status == b->status && text_same(buf_text(&a->key), buf_text(&b->key));
}

/* Each is counted at the first that it is equal to, be it itself. */
static void count_equals(struct answer *answers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		size_t first = 0;
		add_key(&answers[i].key, buf_text(&answers[i].text), &answers[i].lwps);
		add_key(&answers[i].key, buf_text(&answers[i].complaint), &answers[i].lwps);
		while (!are_equal(&answers[first], &answers[i]))
			first++;
		answers[first].equals++;
	}
}

/* --- showing --- */

/* "rank 3, process 4714" */
static void add_one(struct buf *out, const struct answer *a, bool ranks)
{
	if (ranks)
		buf_addf(out, "rank %d, ", a->member->rank);
	buf_adds(out, a->member->pid ? "process " : "core file ");
	text_escape(out, a->member->target, strlen(a->member->target));
}

/* "3 ranks: 0-2, as rank 0, process 4711"; "2 targets: 4711, ./core, as process 4711" */
static void add_who(struct buf *out, const struct answer *a, const struct answer *end, bool ranks)
{
	VEC(long) numbers = { 0 };

	if (a->equals > 1)
		buf_addf(out, "%zu %s: ", a->equals, ranks ? "ranks" : "targets");
	for (const struct answer *other = a; a->equals > 1 && other < end; other++) {
		if (!are_equal(a, other))
			continue;
		out->failed |= !vec_push(&numbers, other->member->rank);
		if (ranks)
			continue;
		text_escape(out, other->member->target, strlen(other->member->target));
		buf_adds(out, ", ");
	}
	if (ranks)
		text_add_ranges(out, numbers.items, numbers.len, ',');
	if (a->equals > 1)
		buf_adds(out, ranks ? ", as " : "as ");
	add_one(out, a, ranks);
	vec_fini(&numbers);
}

/* Messages as they came, each with whom it is about in front: "ompdb: rank 3, process 4714: ..." */
static void print_complaint(const struct answer *a, const char *who)
{
	const char *text = buf_text(&a->complaint);

	for (size_t len; *text; text += len) {
		const bool ours = text_starts_with(text, "ompdb: ");
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		fprintf(stderr, "%s%s%s%.*s", ours ? "ompdb: " : "", ours ? who : "",
			ours ? ": " : "", (int)(len - (ours ? strlen("ompdb: ") : 0)),
			text + (ours ? strlen("ompdb: ") : 0));
	}
}

/* Of the answers that are not shown yet the rarest, then the first. */
static struct answer *next_answer(struct answer *answers, size_t n)
{
	struct answer *ret = NULL;

	for (size_t i = 0; i < n; i++) {
		if (answers[i].equals && (!ret || answers[i].equals < ret->equals))
			ret = &answers[i];
	}
	return ret;
}

/* All that the looks have found. */
struct findings {
	const struct job *job;
	struct answer *answers;   /* owned; of each member                          */
	struct outline outline;   /* owned; of their stacks                         */
	struct job_counts counts; /* owned; of all of them; empty: there are none     */
	struct job_why why;       /* owned; on all of them; no summary: there is none */
};

static void findings_fini(struct findings *f)
{
	fini_answers(f->answers, f->answers ? f->job->members.len : 0);
	outline_fini(&f->outline);
	job_why_fini(&f->why);
	job_counts_fini(&f->counts);
}

static struct error *judge(struct findings *f)
{
	const size_t n = f->job->members.len;
	AUTO_FREE struct job_rank *ranks = calloc(n ? n : 1, sizeof(*ranks));
	bool judged = false;

	for (size_t i = 0; ranks && i < n; i++) {
		ranks[i] = (struct job_rank){ f->answers[i].member->rank, &f->answers[i].report };
		judged |= f->answers[i].report.judged;
	}
	if (!ranks || (job_has_ranks(f->job) && !job_counts_make(ranks, n, &f->counts)))
		return &error_nomem;
	return judged && job_has_ranks(f->job) ? job_why_find(ranks, n, f->job->missing, &f->why)
					       : NULL;
}

/* What ranks have in common is said once. */
static void add_notes(struct buf *out, const struct findings *f, const struct style *style)
{
	AUTO_BUF said = { 0 };

	for (size_t i = 0; i < f->job->members.len; i++) {
		vec_for_each (note, &f->answers[i].report.notes) {
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

	buf_add(&out, buf_text(&f->job->found), f->job->found.len);
	add_notes(&out, f, style);
	outline_sort(&f->outline);
	format_outline(&out, &f->outline, style);
	struct error *err = console_write(&out);
	for (size_t i = 0; i < f->job->members.len; i++) {
		AUTO_BUF who = { 0 };
		add_one(&who, &f->answers[i], true);
		print_complaint(&f->answers[i], buf_text(&who));
	}
	return err;
}

static struct error *print_answers(struct findings *f, const struct style *style)
{
	const size_t n = f->job->members.len;
	struct answer *answers = f->answers;
	struct error *err = NULL;
	AUTO_BUF out = { 0 };

	count_equals(answers, n);
	buf_add(&out, buf_text(&f->job->found), f->job->found.len);
	if (f->why.summary) {
		buf_addc(&out, '\n');
		format_job_why(&out, &f->why, style);
	}
	if (f->counts.rows.len) {
		buf_addc(&out, '\n');
		format_job_counts(&out, &f->counts, style);
	}
	for (struct answer *a; !err && (a = next_answer(answers, n)); a->equals = 0) {
		AUTO_BUF who = { 0 };
		add_who(&who, a, answers + n, job_has_ranks(f->job));
		buf_addc(&out, '\n');
		style_begin(&out, INK_TITLE, style);
		buf_addf(&out, "== %s ==", buf_text(&who));
		style_end(&out, style);
		buf_addc(&out, '\n');
		buf_add(&out, buf_text(&a->text), a->text.len);
		out.failed |= who.failed;
		err = console_write(&out);
		print_complaint(a, buf_text(&who));
	}
	return err;
}

static struct error *print_json(const struct findings *f)
{
	AUTO_BUF out = { 0 };
	struct json json = { .out = &out };

	json_add_object(&json, NULL);
	json_add_integer(&json, "v", 1);
	json_add_lines(&json, "found", buf_text(&f->job->found));
	if (f->why.summary)
		json_job_why(&json, &f->why);
	json_add_array(&json, "members");
	for (size_t i = 0; i < f->job->members.len; i++) {
		const struct answer *a = &f->answers[i];
		json_add_object(&json, NULL);
		json_add_natural(&json, "rank", a->member->rank);
		json_add_string(&json, "target", a->member->target);
		json_add_integer(&json, "status", (intmax_t)a->status);
		json_add_lines(&json, "messages",
			       a->complaint.len ? buf_text(&a->complaint) : NULL);
		json_add_made(&json, "answer", buf_text(&a->text));
		json_end(&json);
	}
	json_end(&json);
	json_end(&json);
	return console_write(&out);
}

static enum status worst(const struct findings *f)
{
	enum status ret = f->why.summary && why_verdict_is_finding(f->why.verdict) ? STATUS_FINDING
										   : STATUS_OK;

	for (size_t i = 0; i < f->job->members.len; i++)
		ret = f->answers[i].status > ret ? f->answers[i].status : ret;
	return ret;
}

/* Looks at all once more, in place of what was found before. */
static struct error *look_anew(struct findings *f, const struct job_work *work)
{
	const struct job *j = f->job;
	const size_t n = j->members.len;

	findings_fini(f);
	*f = (struct findings){ .job = j, .answers = calloc(n ? n : 1, sizeof(*f->answers)) };
	if (!f->answers)
		return &error_nomem;
	for (size_t i = 0; i < n; i++)
		f->answers[i] = (struct answer){
			.member = &j->members.items[i], .out = -1, .messages = -1, .told = -1
		};
	look_at_all(f->answers, n, work, &f->outline);
	return judge(f);
}

/*
 * Ranks in calls that do not fit each other may be about to leave them: only those that stay there
 * are in a deadlock.
 */
static struct error *look_until_sure(struct findings *f, const struct job_work *work)
{
	struct error *err = look_anew(f, work);

	for (int i = 0; !err && i < CONFIRMATIONS && job_why_is_of_calls(&f->why); i++) {
		AUTO_BUF before = { 0 }, now = { 0 };
		job_why_add_key(&before, &f->why);
		err = look_anew(f, work);
		job_why_add_key(&now, &f->why);
		if (!err && job_why_is_of_calls(&f->why) &&
		    !text_same(buf_text(&before), buf_text(&now)))
			return job_why_retract(&f->why);
	}
	if (!err && f->why.class == JOB_GONE && !job_is_as_it_was(f->job))
		return job_why_retract(&f->why);
	return err;
}

enum status job_look(const struct job *j, const struct job_work *work)
{
	AUTO(findings_fini) struct findings f = { .job = j };
	struct error *err = look_until_sure(&f, work);

	if (!err)
		err = work->json                           ? print_json(&f)
		      : work->outlines && job_has_ranks(j) ? print_outline(&f, &work->style)
							   : print_answers(&f, &work->style);
	if (!err)
		return worst(&f);
	console_error(err);
	return STATUS_FAILED;
}
