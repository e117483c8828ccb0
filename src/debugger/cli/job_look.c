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
#include "debugger/output/json.h"
#include "target/process/procfs.h"

enum {
	LOOKS_AT_ONCE = 64,
	ANSWER_MOST = 256 << 20, /* bytes of one */
};

/* What one process has said of one member. */
struct answer {
	const struct job_member *member;
	pid_t looker;      /* 0: none could be started, or it has ended */
	int out, messages; /* owned; files in memory                    */
	enum status status;
	struct lwp_list lwps;
	struct buf text, complaint;
	struct buf key; /* what is compared of them                                      */
	size_t equals;  /* answers that are equal to this one, itself among them; 0: shown */
};

static void fini_answers(struct answer *answers, size_t n)
{
	for (size_t i = 0; answers && i < n; i++) {
		cleanup_close(&answers[i].out);
		cleanup_close(&answers[i].messages);
		buf_fini(&answers[i].text);
		buf_fini(&answers[i].complaint);
		buf_fini(&answers[i].key);
		lwp_list_fini(&answers[i].lwps);
	}
	free(answers);
}

/* --- looking --- */

/* The numbers of the threads are those from before the look: most programs keep theirs. */
static void start(struct answer *a, const struct job_work *work)
{
	a->out = memfd_create("answer", MFD_CLOEXEC);
	a->messages = memfd_create("messages", MFD_CLOEXEC);
	a->status = STATUS_FAILED;
	if (a->member->pid)
		error_ignore(procfs_tasks(a->member->pid, &a->lwps));
	a->looker = a->out < 0 || a->messages < 0 ? -1 : fork();
	if (a->looker < 0) {
		buf_addf(&a->complaint, "ompdb: no process to look with: %s\n", strerror(errno));
		a->looker = 0;
	} else if (!a->looker) {
		if (dup2(a->out, STDOUT_FILENO) < 0 || dup2(a->messages, STDERR_FILENO) < 0)
			_exit(STATUS_FAILED);
		_exit(work->look(work->context, a->member->target));
	}
}

static void read_back(struct buf *ret, int fd)
{
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return;
	error_ignore(buf_add_fd(ret, fd, ANSWER_MOST));
}

static void finish(struct answer *a)
{
	int status;

	if (!a->looker)
		return;
	while (waitpid(a->looker, &status, 0) < 0 && errno == EINTR)
		;
	a->looker = 0;
	read_back(&a->text, a->out);
	read_back(&a->complaint, a->messages);
	if (WIFEXITED(status))
		a->status = (enum status)WEXITSTATUS(status);
	else
		buf_addf(&a->complaint, "ompdb: the look was ended by signal %d (%s)\n",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
}

static void look_at_all(struct answer *answers, size_t n, const struct job_work *work)
{
	for (size_t i = 0; i < n + LOOKS_AT_ONCE; i++) {
		if (i >= LOOKS_AT_ONCE && i - LOOKS_AT_ONCE < n)
			finish(&answers[i - LOOKS_AT_ONCE]);
		if (i < n)
			start(&answers[i], work);
	}
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

static struct error *print_text(const struct job *j, struct answer *answers,
				const struct style *style)
{
	const size_t n = j->members.len;
	struct error *err = NULL;
	AUTO_BUF out = { 0 };

	buf_add(&out, buf_text(&j->found), j->found.len);
	for (struct answer *a; !err && (a = next_answer(answers, n)); a->equals = 0) {
		AUTO_BUF who = { 0 };
		add_who(&who, a, answers + n, job_has_ranks(j));
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

static struct error *print_json(const struct job *j, const struct answer *answers)
{
	AUTO_BUF out = { 0 };
	struct json json = { .out = &out };

	json_add_object(&json, NULL);
	json_add_integer(&json, "v", 1);
	json_add_lines(&json, "found", buf_text(&j->found));
	json_add_array(&json, "members");
	for (size_t i = 0; i < j->members.len; i++) {
		const struct answer *a = &answers[i];
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

static enum status worst(const struct answer *answers, size_t n)
{
	enum status ret = STATUS_OK;

	for (size_t i = 0; i < n; i++)
		ret = answers[i].status > ret ? answers[i].status : ret;
	return ret;
}

enum status job_look(const struct job *j, const struct job_work *work)
{
	const size_t n = j->members.len;
	struct answer *answers = calloc(n ? n : 1, sizeof(*answers));
	enum status ret = STATUS_FAILED;
	struct error *err = &error_nomem;

	for (size_t i = 0; answers && i < n; i++)
		answers[i] = (struct answer){ .member = &j->members.items[i],
					      .out = -1,
					      .messages = -1 };
	if (answers) {
		look_at_all(answers, n, work);
		count_equals(answers, n);
		ret = worst(answers, n);
		err = work->json ? print_json(j, answers) : print_text(j, answers, &work->style);
	}
	fini_answers(answers, n);
	if (!err)
		return ret;
	console_error(err);
	return STATUS_FAILED;
}
