/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "target/process/ptrace.h"

/* Places begin at multiples of 8; what is lent is the rest of a page, but may be more. */
enum { PLACE = 24, LENT_MAX = 64 * 1024 };

void copies_fini(struct copies *c)
{
	vec_fini(c);
	vec_fini(&c->loans);
}

void copies_forget(struct copies *c)
{
	c->len = c->loans.len = c->used = 0;
}

static bool is_lent(const struct copies *c, taddr start, taddr end)
{
	vec_for_each (loan, &c->loans) {
		if (start < loan->end && end > loan->start)
			return true;
	}
	return false;
}

struct error *copies_lend(struct copies *c, taddr start, taddr end)
{
	struct loan loan = { .start = (start + 7) & ~(taddr)7, .end = end, .first = c->len };

	if (end <= start || end - start > LENT_MAX)
		return error_new(ERROR_USAGE, "0x%" PRIxTADDR " to 0x%" PRIxTADDR " cannot be lent",
				 start, end);
	if (is_lent(c, start, end))
		return NULL;
	for (taddr at = loan.start; at + PLACE <= end; at += PLACE) {
		if (!vec_push(c, (struct copy){ .at = at }))
			return &error_nomem;
		loan.n++;
	}
	return vec_push(&c->loans, loan) ? NULL : &error_nomem;
}

/* Writes a copy into a free place. false: that is too far away, or no memory. */
static bool use(struct copy *copy, const struct sites *s, taddr addr, const uint8_t *code,
		size_t size)
{
	uint8_t bytes[INSN_COPY_MAX];
	size_t n = 0;
	size_t insn = s->arch->copy(code, size, addr, copy->at, bytes, &n);

	if (!insn || s->replaced || s->read(s->context, copy->at, copy->before, n) < n)
		return false;
	struct error *err = s->write(s->context, copy->at, bytes, n);
	error_ignore(err);
	if (err)
		return false;
	copy->addr = addr;
	copy->insn = (uint8_t)insn;
	copy->size = (uint8_t)n;
	return true;
}

size_t copies_make(struct copies *c, const struct sites *s, taddr addr, const uint8_t *code,
		   size_t size)
{
	vec_for_each (loan, &c->loans) {
		for (size_t i = loan->first; i < loan->first + loan->n; i++) {
			if (c->items[i].insn)
				continue;
			if (!use(&c->items[i], s, addr, code, size))
				break; /* nor could the next one be used */
			c->used++;
			return i + 1;
		}
	}
	return 0;
}

static void put_back(struct copies *c, const struct sites *s, struct copy *copy)
{
	if (!s->replaced)
		error_ignore(s->write(s->context, copy->at, copy->before, copy->size));
	copy->insn = 0;
	c->used--;
}

void copies_take_out(struct copies *c, const struct sites *s, size_t number, bool busy)
{
	if (!number)
		return;
	c->items[number - 1].left = busy;
	if (!busy)
		put_back(c, s, &c->items[number - 1]);
}

void copies_remove(struct copies *c, const struct sites *s)
{
	vec_for_each (copy, c) {
		if (copy->insn && !copy->left)
			put_back(c, s, copy);
	}
	copies_forget(c);
}

struct error *copies_copy(const struct copies *from, struct copies *to)
{
	vec_for_each (copy, from) {
		if (!vec_push(to, *copy))
			return &error_nomem;
	}
	vec_for_each (loan, &from->loans) {
		if (!vec_push(&to->loans, *loan))
			return &error_nomem;
	}
	to->used = from->used;
	return NULL;
}

/* The part of a copy that was read. */
static void hide(const struct copy *copy, taddr from, uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < copy->size; i++) {
		taddr at = copy->at + i;
		if (at >= from && at - from < len)
			bytes[at - from] = copy->before[i];
	}
}

void copies_hide(const struct copies *c, taddr from, void *bytes, size_t len)
{
	if (!c->used)
		return;
	vec_for_each (loan, &c->loans) {
		if (loan->end <= from || loan->start >= from + len)
			continue;
		for (size_t i = loan->first; i < loan->first + loan->n; i++) {
			if (c->items[i].insn)
				hide(&c->items[i], from, bytes, len);
		}
	}
}

struct error *copies_clean(const struct copies *c, pid_t pid)
{
	struct error *err = NULL;

	for (size_t i = 0; i < c->len && c->used && !err; i++) {
		const struct copy *copy = &c->items[i];
		if (copy->insn)
			err = ptrace_poke(pid, copy->at, copy->before, copy->size);
		if (error_is(err, ERROR_OS)) { /* it has unmapped that page */
			error_ignore(err);
			err = NULL;
		}
	}
	return err;
}
