/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_message.h"

#include <stdlib.h>
#include <string.h>

void job_done_fini(struct job_done *d)
{
	error_free(d->failed);
	free(d->thread);
	buf_fini(&d->answer);
	*d = (struct job_done){ 0 };
}

static bool send_and_free(int fd, struct message *m)
{
	const bool sent = message_send(fd, m);

	message_fini(m);
	return sent;
}

static struct message new_message(enum job_kind kind)
{
	struct message m = MESSAGE_NONE;

	m.kind = (uint32_t)kind;
	return m;
}

static struct cursor begin(const struct message *m)
{
	return cursor_of(m->body.data, m->body.len);
}

/* Texts with their NUL: they are read where they are. */
static void add_text(struct buf *b, const char *text)
{
	buf_add(b, text ? text : "", (text ? strlen(text) : 0) + 1);
}

static const char *read_text(struct cursor *c)
{
	const char *text = cursor_string(c);

	return text ? text : "";
}

static void add_numbers(struct buf *b, const struct job_numbers *n)
{
	message_add(b, (uint64_t)n->breakpoint, 4);
	message_add(b, n->values, 8);
}

static struct job_numbers read_numbers(struct cursor *c)
{
	const int breakpoint = (int)cursor_uint(c, 4);

	return (struct job_numbers){ breakpoint, cursor_uint(c, 8) };
}

/* ---- orders ----------------------------------------------------------------------------- */

bool job_send_order(int fd, const struct job_order *o)
{
	struct message m = new_message(o->kind);

	message_add(&m.body, o->repeats, 1);
	add_numbers(&m.body, &o->numbers);
	add_text(&m.body, o->text);
	add_text(&m.body, o->last);
	return send_and_free(fd, &m);
}

bool job_read_order(const struct message *m, struct job_order *ret)
{
	struct cursor c = begin(m);

	ret->kind = (enum job_kind)m->kind;
	ret->repeats = cursor_uint(&c, 1);
	ret->numbers = read_numbers(&c);
	ret->text = read_text(&c);
	ret->last = read_text(&c);
	return !c.bad && m->kind <= JOB_REPORT;
}

bool job_send_reply(int fd, bool yes)
{
	struct message m = new_message(JOB_REPLY);

	message_add(&m.body, yes, 1);
	return send_and_free(fd, &m);
}

bool job_read_reply(const struct message *m)
{
	struct cursor c = begin(m);

	return m->kind == JOB_REPLY && cursor_uint(&c, 1);
}

/* ---- what comes back -------------------------------------------------------------------- */

bool job_send_question(int fd, const char *text)
{
	struct message m = new_message(JOB_ASKS);

	add_text(&m.body, text);
	return send_and_free(fd, &m);
}

const char *job_read_question(const struct message *m)
{
	struct cursor c = begin(m);

	return read_text(&c);
}

bool job_send_lost(int fd, const struct error *err)
{
	struct message m = new_message(JOB_LOST);

	message_add_error(&m.body, err);
	return send_and_free(fd, &m);
}

struct error *job_read_lost(const struct message *m)
{
	struct cursor c = begin(m);

	return message_error(&c);
}

bool job_send_done(int fd, const struct job_done *d)
{
	struct message m = new_message(JOB_DONE);

	message_add_error(&m.body, d->failed);
	message_add(&m.body, d->live, 1);
	message_add(&m.body, d->quits, 1);
	message_add(&m.body, (uint64_t)d->status, 4);
	message_add(&m.body, (uint64_t)d->child_status, 4);
	add_numbers(&m.body, &d->numbers);
	message_add_text(&m.body, d->thread);
	message_add_bytes(&m.body, buf_text(&d->answer), d->answer.len);
	return send_and_free(fd, &m);
}

bool job_read_done(const struct message *m, struct job_done *ret)
{
	struct cursor c = begin(m);
	size_t len;

	*ret = (struct job_done){ .failed = message_error(&c) };
	ret->live = cursor_uint(&c, 1);
	ret->quits = cursor_uint(&c, 1);
	ret->status = (int)cursor_uint(&c, 4);
	ret->child_status = (int)cursor_uint(&c, 4);
	ret->numbers = read_numbers(&c);
	ret->thread = message_text(&c);
	const uint8_t *answer = message_bytes(&c, &len);
	buf_add(&ret->answer, answer, len);
	return !c.bad && m->kind == JOB_DONE;
}

/* ---- answers ---------------------------------------------------------------------------- */

void job_answer_value(struct buf *answer, const struct job_value *v)
{
	message_add(answer, v->is_number, 1);
	buf_add(answer, &v->number, sizeof(v->number));
	message_add_text(answer, v->text);
}

bool job_read_value(const struct buf *answer, struct job_value *ret)
{
	struct cursor c = cursor_of(answer->data, answer->len);

	ret->is_number = cursor_uint(&c, 1);
	const uint8_t *number = cursor_take(&c, sizeof(ret->number));
	if (number)
		memcpy(&ret->number, number, sizeof(ret->number));
	ret->text = message_text(&c);
	return ret->text && !c.bad;
}

void job_answer_words(struct buf *answer, const struct completion *words)
{
	message_add(answer, words->start, 4);
	message_add(answer, words->cut, 1);
	message_add(answer, words->open, 1);
	message_add(answer, words->len, 4);
	for (size_t i = 0; i < words->len; i++)
		message_add_text(answer, words->items[i]);
}

bool job_read_words(const struct buf *answer, struct completion *ret)
{
	struct cursor c = cursor_of(answer->data, answer->len);

	ret->start = cursor_uint(&c, 4);
	ret->cut = cursor_uint(&c, 1);
	ret->open = cursor_uint(&c, 1);
	for (uint64_t n = cursor_uint(&c, 4); n && !c.bad; n--) {
		char *word = message_text(&c);
		if (!word || !vec_push(ret, word)) {
			free(word);
			return false;
		}
	}
	return !c.bad;
}
