/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/protocol.h"

#include <stdlib.h>
#include <string.h>

bool protocol_stops_all(const struct stop *s)
{
	return s->kind != STOP_CLONE;
}

void protocol_add_stop(struct buf *b, const struct stop *s)
{
	message_add(b, s->kind, 1);
	message_add(b, (uint64_t)s->value, 8);
	message_add(b, s->fault, 1);
}

struct stop protocol_stop(struct cursor *c)
{
	struct stop s = { .kind = (enum stop_kind)cursor_uint(c, 1) };

	s.value = (long)cursor_uint(c, 8);
	s.fault = cursor_uint(c, 1);
	c->bad = c->bad || s.kind > STOP_RETURN;
	return s;
}

/* ---- points ----------------------------------------------------------------------------- */

void protocol_add_point(struct buf *b, const struct point *p)
{
	message_add(b, p->id, 4);
	message_add(b, p->kind, 1);
	message_add(b, p->addr, 8);
	message_add(b, p->size, 8);
	message_add(b, (uint64_t)p->lwp, 4);
	message_add(b, p->own, 1);
	message_add(b, p->sp_above, 8);
	message_add_bytes(b, p->condition, p->condition_size);
	message_add(b, p->ignore, 8);
	message_add(b, p->asks, 1);
	message_add(b, p->quiet, 1);
	message_add(b, p->notes, 1);
	message_add(b, p->returns, 8);
	message_add_bytes(b, p->tally, p->tally_size);
}

struct point protocol_point(struct cursor *c)
{
	struct point p = { .id = (unsigned int)cursor_uint(c, 4) };

	p.kind = (enum point_kind)cursor_uint(c, 1);
	p.addr = cursor_uint(c, 8);
	p.size = cursor_uint(c, 8);
	p.lwp = (pid_t)cursor_uint(c, 4);
	p.own = cursor_uint(c, 1);
	p.sp_above = cursor_uint(c, 8);
	p.condition = message_bytes(c, &p.condition_size);
	p.ignore = cursor_uint(c, 8);
	p.asks = cursor_uint(c, 1);
	p.quiet = cursor_uint(c, 1);
	p.notes = cursor_uint(c, 1);
	p.returns = cursor_uint(c, 8);
	p.tally = message_bytes(c, &p.tally_size);
	c->bad = c->bad || p.kind > POINT_ACCESS;
	return p;
}

void protocol_add_point_state(struct buf *b, const struct point_state *s)
{
	message_add(b, s->hits, 8);
	message_add(b, s->ignore, 8);
	message_add(b, s->was, 8);
	message_add(b, s->is, 8);
	message_add(b, s->nothers, 1);
	for (size_t i = 0; i < s->nothers; i++)
		message_add(b, (uint64_t)s->others[i], 4);
	message_add(b, s->condition_failed, 1);
	message_add(b, s->argued, 1);
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		message_add(b, s->arguments[i], 8);
}

struct point_state protocol_point_state(struct cursor *c)
{
	struct point_state s = { .hits = cursor_uint(c, 8) };

	s.ignore = cursor_uint(c, 8);
	s.was = cursor_uint(c, 8);
	s.is = cursor_uint(c, 8);
	s.nothers = cursor_uint(c, 1);
	c->bad = c->bad || s.nothers > POINT_OTHERS_MAX;
	if (c->bad)
		s.nothers = 0;
	for (size_t i = 0; i < s.nothers; i++)
		s.others[i] = (pid_t)cursor_uint(c, 4);
	s.condition_failed = cursor_uint(c, 1);
	s.argued = cursor_uint(c, 1);
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		s.arguments[i] = cursor_uint(c, 8);
	return s;
}

void protocol_add_tally(struct buf *b, const struct tally *t)
{
	message_add(b, t->rest, 8);
	message_add(b, t->len, 4);
	vec_for_each (row, t) {
		message_add(b, (uint64_t)row->lwp, 4);
		message_add(b, row->key, 8);
		message_add(b, row->count, 8);
		message_add(b, (uint64_t)row->last, 8);
	}
}

void protocol_tally(struct cursor *c, struct tally *ret)
{
	ret->rest += cursor_uint(c, 8);
	for (uint64_t n = cursor_uint(c, 4); n && !c->bad; n--) {
		pid_t lwp = (pid_t)cursor_uint(c, 4);
		uint64_t key = cursor_uint(c, 8);
		uint64_t count = cursor_uint(c, 8);
		tally_add(ret, lwp, key, count, (int64_t)cursor_uint(c, 8));
	}
}

void protocol_add_note(struct buf *b, const struct note *n)
{
	message_add(b, (uint64_t)n->lwp, 4);
	message_add(b, n->function, 8);
	message_add(b, n->sp, 8);
	message_add(b, n->blank, 1);
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		message_add(b, n->arguments[i], 8);
}

struct note protocol_note(struct cursor *c)
{
	struct note n = { .lwp = (pid_t)cursor_uint(c, 4) };

	n.function = cursor_uint(c, 8);
	n.sp = cursor_uint(c, 8);
	n.blank = cursor_uint(c, 1);
	for (size_t i = 0; i < ARCH_ARGUMENTS; i++)
		n.arguments[i] = cursor_uint(c, 8);
	return n;
}

void protocol_add_calls(struct buf *b, const struct call_set *calls)
{
	message_add(b, calls->any, 1);
	message_add(b, calls->all, 1);
	buf_add(b, calls->bits, sizeof(calls->bits));
}

struct call_set protocol_calls(struct cursor *c)
{
	struct call_set calls = { .any = cursor_uint(c, 1) };

	calls.all = cursor_uint(c, 1);
	const uint8_t *bits = cursor_take(c, sizeof(calls.bits));
	if (bits)
		memcpy(calls.bits, bits, sizeof(calls.bits));
	return calls;
}

/* ---- patches ---------------------------------------------------------------------------- */

void protocol_add_patches(struct buf *b, const struct patch_list *l)
{
	message_add(b, l->len, 4);
	vec_for_each (p, l) {
		message_add(b, p->addr, 8);
		message_add_bytes(b, p->original, p->len);
		message_add_bytes(b, p->lent ? NULL : p->planted, p->len);
	}
}

struct error *protocol_patches(struct cursor *c, struct patch_list *ret)
{
	uint64_t n = cursor_uint(c, 4);

	ret->len = 0;
	for (uint64_t i = 0; i < n; i++) {
		size_t len, same;
		taddr addr = cursor_uint(c, 8);
		const uint8_t *original = message_bytes(c, &len);
		const uint8_t *planted = message_bytes(c, &same);
		if (c->bad || !original || (planted && len != same))
			return error_new(ERROR_BAD_DATA, "a list of patches makes no sense");
		if (!patch_list_add(ret, addr, original, planted, len))
			return &error_nomem;
	}
	return NULL;
}

/* ---- commands --------------------------------------------------------------------------- */

/* NULL, or texts that end with a NULL. */
static void add_texts(struct buf *b, const char *const *texts)
{
	message_add(b, texts != NULL, 1);
	for (; texts && *texts; texts++)
		message_add_text(b, *texts);
	if (texts)
		message_add_text(b, NULL);
}

static void free_texts(const char *const *texts)
{
	for (const char *const *t = texts; t && *t; t++)
		free((char *)(uintptr_t)*t);
	free((void *)(uintptr_t)texts);
}

static const char *const *take_texts(struct cursor *c)
{
	VEC(const char *) texts = { 0 };

	if (!cursor_uint(c, 1))
		return NULL;
	do {
		if (!vec_push(&texts, message_text(c)))
			abort(); /* before anything is attached: nobody is harmed */
	} while (texts.items[texts.len - 1]);
	return texts.items;
}

void protocol_add_command(struct buf *b, const struct launch_command *c)
{
	add_texts(b, c->argv);
	add_texts(b, c->env);
	message_add_text(b, c->shell);
	message_add_text(b, c->arguments);
	message_add_text(b, c->directory);
	message_add_text(b, c->tty);
	message_add(b, c->foreground, 1);
	message_add(b, c->keep_aslr, 1);
}

struct error *protocol_command(struct cursor *c, struct launch_command *ret)
{
	struct launch_command command = { .argv = take_texts(c), .fds = { -1, -1, -1 } };

	command.env = take_texts(c);
	command.shell = message_text(c);
	command.arguments = message_text(c);
	command.directory = message_text(c);
	command.tty = message_text(c);
	command.foreground = cursor_uint(c, 1);
	command.keep_aslr = cursor_uint(c, 1);
	if (!c->bad && command.argv && *command.argv) {
		*ret = command;
		return NULL;
	}
	protocol_free_command(&command);
	return error_new(ERROR_BAD_DATA, "a command makes no sense");
}

void protocol_free_command(struct launch_command *c)
{
	free_texts(c->argv);
	free_texts(c->env);
	free((char *)(uintptr_t)c->shell);
	free((char *)(uintptr_t)c->arguments);
	free((char *)(uintptr_t)c->directory);
	free((char *)(uintptr_t)c->tty);
}
