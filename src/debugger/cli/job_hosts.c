/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_hosts.h"

#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/map.h"
#include "base/text.h"
#include "debugger/job/host_answer.h"
#include "debugger/job/host_lines.h"
#include "debugger/output/json.h"

enum {
	PROGRAMS_AT_ONCE = 64,
	ANSWER_MOST = 64 << 20, /* bytes, of one launcher for one host */
	ANSWERS_MOST = 1 << 30, /* of one for all hosts                */
};

void asked_hosts_fini(struct asked_hosts *a)
{
	for (size_t i = 0; i < a->len; i++)
		program_fini(&a->programs[i]);
	free(a->programs);
	buf_fini(&a->in);
}

/* --- asking --- */

static void tell_of_waiting(void *asked, size_t left)
{
	struct asked_hosts *a = asked;
	AUTO_BUF text = { 0 };

	if (a->len == 1)
		buf_addf(&text, "waiting for %s",
			 a->hosts->len == 1 ? "a host" : "the other hosts");
	else
		buf_addf(&text, "waiting for %zu of %zu hosts", left, a->len);
	console_progress(&a->progress, true, buf_text(&text));
}

/* Whether all are asked for the same target. */
static bool is_alike(const struct job_hosts *hosts)
{
	vec_for_each (host, hosts) {
		if (strcmp(host->how, hosts->items->how) != 0)
			return false;
	}
	return true;
}

/* The words for one host, or for all of them. */
static struct error *add_words(const struct asked_hosts *a, const struct job_hosts_work *work,
			       const struct job_host *hosts, size_t n, const char *target,
			       struct program *ret)
{
	char own[PATH_MAX] = "";
	VEC(const char *) words = { 0 };
	const char *path = work->program;

	if (!path && readlink("/proc/self/exe", own, sizeof(own) - 1) > 0)
		path = own;
	if (!path || !launcher_is_word(path))
		return error_new(ERROR_USAGE,
				 "the path of ompdb cannot be given to another host: name "
				 "a plain one (--remote-ompdb)");
	bool whole = vec_push(&words, path) && vec_push(&words, "host-look");
	vec_for_each (word, &work->words)
		whole &= vec_push(&words, *word);
	whole &= vec_push(&words, target);
	struct error *err = &error_nomem;
	for (size_t i = 0; whole && i < words.len; i++) {
		if (launcher_is_word(words.items[i]))
			continue;
		vec_fini(&words);
		return error_new(ERROR_USAGE,
				 "an option with such a value cannot be given to other "
				 "hosts: only letters, digits and . / _ : , = + @ %% -");
	}
	if (whole)
		err = launcher_words(a->launcher, hosts, n, words.items, words.len, ret);
	vec_fini(&words);
	return err;
}

static struct error *ask_all(struct asked_hosts *a, const struct job_hosts_work *work)
{
	const struct job_hosts *hosts = a->hosts;

	if (is_alike(hosts))
		return add_words(a, work, hosts->items, hosts->len, hosts->items->how, a->programs);
	vec_for_each (host, hosts)
		buf_addf(&a->in, "%s %s\n", host->name, host->how);
	a->programs->in = &a->in;
	return add_words(a, work, hosts->items, hosts->len, "table:-", a->programs);
}

struct error *job_hosts_ask(const struct job_hosts *hosts, const struct job_hosts_work *work,
			    struct asked_hosts *ret)
{
	const struct launcher *found = work->launcher ? NULL : launcher_find();
	struct error *err = NULL;

	ret->hosts = hosts;
	if (!hosts->len)
		return NULL;
	ret->launcher = found ? found->command : work->launcher;
	if (!ret->launcher)
		return NULL;
	const bool all = launcher_takes_all(ret->launcher);
	ret->programs = calloc(all ? 1 : hosts->len, sizeof(*ret->programs));
	if (!ret->programs)
		return &error_nomem;
	ret->len = all ? 1 : hosts->len;
	if (all)
		err = ask_all(ret, work);
	for (size_t i = 0; !all && !err && i < hosts->len; i++)
		err = add_words(ret, work, &hosts->items[i], 1, hosts->items[i].how,
				&ret->programs[i]);
	ret->options = (struct programs_options){ .at_once = PROGRAMS_AT_ONCE,
						  .most = all ? ANSWERS_MOST : ANSWER_MOST,
						  .seconds = work->deadline,
						  .waits = tell_of_waiting,
						  .context = ret };
	if (err)
		return err;
	interrupt_init();
	console_progress_begin(&ret->progress);
	programs_start(ret->programs, ret->len, &ret->options);
	return NULL;
}

/* --- hearing --- */

/* The last line that a launcher has complained with; *ret_len 0: none. */
static const char *last_line(const struct buf *lines, size_t *ret_len)
{
	const char *text = buf_text(lines), *end = text + lines->len;

	while (end > text && strchr("\r\n", end[-1]))
		end--;
	const char *line = end;
	while (line > text && line[-1] != '\n')
		line--;
	*ret_len = (size_t)(end - line);
	return line;
}

/* Why a program has brought no answer. */
static void add_reason(struct buf *out, const struct asked_hosts *a, const struct program *p)
{
	const int name = (int)strcspn(a->launcher, " ");
	size_t len;
	const char *line = last_line(&p->err, &len);

	switch (p->end) {
	case PROGRAM_LATE:
		buf_addf(out, "has not answered within %zu s (--deadline)", a->options.seconds);
		break;
	case PROGRAM_INTERRUPTED:
		buf_adds(out, "was not waited for");
		break;
	case PROGRAM_TOO_MUCH:
		buf_addf(out, "its answer has more than %zu MB", a->options.most >> 20);
		break;
	case PROGRAM_UNSTARTED:
		buf_addf(out, "%.*s cannot be executed: %s", name, a->launcher,
			 strerror(p->status));
		break;
	case PROGRAM_KILLED:
		buf_addf(out, "no answer: %.*s was ended by signal %d", name, a->launcher,
			 p->status);
		break;
	case PROGRAM_RUNS:
	case PROGRAM_EXITED:
		buf_addf(out, "no answer: %.*s has ended with status %d", name, a->launcher,
			 p->status);
		break;
	}
	if (len) {
		buf_adds(out, ": ");
		text_escape(out, line, len);
	}
}

static struct error *add_silence(struct answers *ret, const struct job_host *host,
				 const struct buf *reason)
{
	struct answer *a = answers_add(ret);

	if (!a)
		return &error_nomem;
	a->host = host->name;
	a->status = STATUS_TARGET;
	buf_addf(&a->complaint, "ompdb: %s\n", buf_text(reason));
	vec_for_each (rank, &host->ranks) {
		if (!vec_push(&a->ranks, *rank))
			return &error_nomem;
	}
	return !answer_set_keys(a) || a->complaint.failed || reason->failed ? &error_nomem : NULL;
}

/* What is in a group becomes an answer's. */
static struct error *add_group(struct answers *ret, const struct job_host *host,
			       struct host_group *group)
{
	struct answer *a = answers_add(ret);

	if (!a)
		return &error_nomem;
	a->host = host->name;
	a->status = (enum status)group->status;
	a->key = group->key;
	buf_adds(&a->text, group->text);
	buf_adds(&a->complaint, group->complaint);
	a->report = group->report;
	group->report = (struct report){ .decides = -1 };
	vec_for_each (rank, &group->ranks) {
		if (!vec_push(&a->ranks, *rank))
			return &error_nomem;
	}
	return a->text.failed || a->complaint.failed ? &error_nomem : NULL;
}

static struct error *add_answer(struct asked_hosts *a, struct answers *ret,
				const struct job_host *host, const struct buf *text,
				size_t *ret_missing, struct outline *outline)
{
	AUTO(host_answer_fini) struct host_answer answer = { 0 };
	struct error *err =
		host_answer_read(buf_text(text), text->len, OMPDB_VERSION, &answer, outline);

	if (err && err != &error_nomem) {
		AUTO_BUF reason = { 0 };
		buf_adds(&reason, error_message(err));
		error_free(err);
		return add_silence(ret, host, &reason);
	}
	*ret_missing += answer.missing;
	a->answers++;
	for (size_t i = 0; !err && i < answer.groups.len; i++) {
		a->ranks += answer.groups.items[i].ranks.len;
		err = add_group(ret, host, &answer.groups.items[i]);
	}
	return err;
}

/* Of the text that has come for a host; NULL: none has. */
static struct error *hear_host(struct asked_hosts *a, const struct job_host *host,
			       const struct program *p, const struct host_text *text,
			       struct answers *ret, size_t *ret_missing, struct outline *outline)
{
	AUTO_BUF reason = { 0 };

	if (text && !text->lacks)
		return add_answer(a, ret, host, &text->text, ret_missing, outline);
	if (text)
		buf_adds(&reason, text->lacks);
	else
		add_reason(&reason, a, p);
	return add_silence(ret, host, &reason);
}

static uint64_t short_name_key(const char *name)
{
	uint64_t key = HASH_START;

	for (; *name && *name != '.'; name++)
		key = hash_add(key, (unsigned char)*name);
	return key;
}

/* What one program has brought, of all hosts. */
static struct error *hear_all(struct asked_hosts *a, const struct host_texts *texts,
			      struct answers *ret, size_t *ret_missing, struct outline *outline)
{
	AUTO(map_fini) struct hash_map by_name = { 0 };
	struct error *err = NULL;

	vec_for_each (text, texts) {
		struct map_item *item = map_add(&by_name, short_name_key(text->host));
		if (!item)
			return &error_nomem;
		item->pointer = text;
	}
	for (size_t i = 0; !err && i < a->hosts->len; i++) {
		const struct job_host *host = &a->hosts->items[i];
		const struct host_text *text = map_get(&by_name, short_name_key(host->name));
		if (text && !host_is_same(text->host, host->name))
			text = NULL;
		err = hear_host(a, host, a->programs, text, ret, ret_missing, outline);
	}
	return err;
}

static struct error *hear(struct asked_hosts *a, size_t i, struct answers *ret, size_t *ret_missing,
			  struct outline *outline)
{
	AUTO(host_texts_fini) struct host_texts texts = { 0 };
	struct program *p = &a->programs[i];
	struct error *err = host_lines_read(buf_text(&p->out), p->out.len, &texts);

	if (!err && launcher_takes_all(a->launcher))
		err = hear_all(a, &texts, ret, ret_missing, outline);
	else if (!err)
		err = hear_host(a, &a->hosts->items[i], p, texts.items, ret, ret_missing, outline);
	buf_fini(&p->out);
	return err;
}

static struct error *add_unreachable(const struct job_hosts *hosts, struct answers *ret)
{
	struct error *err = NULL;
	AUTO_BUF reason = { 0 };

	buf_adds(&reason, "no program is there that reaches other hosts, such as ssh: name one "
			  "(--launcher)");
	for (size_t i = 0; !err && i < hosts->len; i++)
		err = add_silence(ret, &hosts->items[i], &reason);
	return err;
}

struct error *job_hosts_hear(struct asked_hosts *hosts, struct answers *ret, size_t *ret_missing,
			     struct outline *outline, struct buf *found)
{
	struct error *err = NULL;

	if (!hosts->hosts->len)
		return NULL;
	ret->ranks |= !ret->len;
	if (!hosts->launcher)
		return add_unreachable(hosts->hosts, ret);
	programs_finish(hosts->programs, hosts->len, &hosts->options);
	console_progress_end(&hosts->progress);
	interrupt_take();
	for (size_t i = 0; !err && i < hosts->len; i++)
		err = hear(hosts, i, ret, ret_missing, outline);
	buf_addf(found, "%zu rank%s on %zu of %zu other host%s, by %.*s\n", hosts->ranks,
		 hosts->ranks == 1 ? "" : "s", hosts->answers, hosts->hosts->len,
		 hosts->hosts->len == 1 ? "" : "s", (int)strcspn(hosts->launcher, " "),
		 hosts->launcher);
	return err;
}

/* --- on the host that is asked --- */

/* Of a process that has no other task: waits until nobody reads, or the other has ended. */
static void watch(pid_t whom, int it)
{
	struct pollfd fds[] = { { STDOUT_FILENO, 0, 0 }, { it, POLLIN, 0 } };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!fds[0].revents && !fds[1].revents)
		poll(fds, 2, -1);
	if (fds[0].revents && !fds[1].revents)
		kill(whom, SIGTERM);
	_exit(0);
}

void job_hosts_watch(size_t seconds)
{
	const pid_t self = getpid();
	AUTO_CLOSE int it = (int)syscall(SYS_pidfd_open, self, 0);

	alarm((unsigned int)seconds);
	if (it >= 0 && fork() == 0)
		watch(self, it);
}

static void add_ranges(struct json *j, const struct answers *all, const struct answer *first)
{
	json_add_array(j, "ranks");
	for (const struct answer *a = first; a < all->items + all->len; a++) {
		if (!answers_are_equal(first, a) || !a->ranks.len)
			continue;
		json_add_array(j, NULL);
		json_add_integer(j, NULL, *a->ranks.items);
		json_add_integer(j, NULL, *a->ranks.items);
		json_end(j);
	}
	json_end(j);
}

static void add_object(struct json *j, const struct answers *all, const struct answer *a, bool json)
{
	AUTO_BUF key = { 0 };

	buf_add_hex(&key, a->key, 16);
	json_add_object(j, NULL);
	add_ranges(j, all, a);
	json_add_integer(j, "status", (intmax_t)a->status);
	json_add_string(j, "key", buf_text(&key));
	if (json)
		json_add_made(j, "object", buf_text(&a->text));
	else
		json_add_lines(j, "text", buf_text(&a->text));
	json_add_lines(j, "messages", buf_text(&a->complaint));
	json_add_made(j, "report", buf_text(&a->unread));
	json_end(j);
	j->out->failed |= key.failed;
}

struct error *job_hosts_tell(const struct answers *answers, size_t missing, bool json)
{
	char name[HOST_NAME_MAX + 1] = "";
	AUTO_BUF text = { 0 }, out = { 0 };
	struct json j = { .out = &text };

	gethostname(name, HOST_NAME_MAX);
	json_add_object(&j, NULL);
	json_add_integer(&j, "v", 1);
	json_add_string(&j, "version", OMPDB_VERSION);
	json_add_unsigned(&j, "missing", missing);
	json_add_array(&j, "groups");
	vec_for_each (a, answers) {
		if (a->equals)
			add_object(&j, answers, a, json);
	}
	json_end(&j);
	json_end(&j);
	text.len -= text.len && text.data[text.len - 1] == '\n';
	if (text.data)
		text.data[text.len] = '\0';
	host_lines_add(&out, name, buf_text(&text));
	return text.failed ? &error_nomem : console_write(&out);
}

void job_hosts_add_man(struct buf *out)
{
	buf_adds(out,
		 ".SH HOSTS\n"
		 "Other hosts that have ranks of a job are those of the table that its starter "
		 "keeps "
		 "(MPIR), of the list that Slurm gives to its ranks, or of\n"
		 ".BR \\-\\-hosts .\n"
		 "Each is reached by a program that is there already, which executes\n"
		 ".B ompdb host\\-look\n"
		 "there: no port is opened, and nothing stays behind.\n"
		 "Of these the first is taken that is installed, inside an allocation of Slurm\n"
		 ".BR srun ;\n"
		 "another one is given by\n"
		 ".BR \\-\\-launcher .\n"
		 "Hosts that cannot be reached, do not answer in time or have another version of "
		 "ompdb are "
		 "named with the reason, and the rest is answered; an interrupt ends the "
		 "waiting.\n");
	for (const struct launcher *l = launchers; l->name; l++) {
		buf_adds(out, ".TP\n.B \"");
		options_add_roff(out, l->command);
		buf_adds(out, "\"\n");
		options_add_roff(out, l->tried);
		buf_addc(out, '\n');
	}
}
