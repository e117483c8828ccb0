/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/mover_words.h"

#include <string.h>

#include "base/text.h"

static bool same_end(const struct mover *a, const struct mover *b)
{
	return a->state == b->state && a->number == b->number && text_same(a->file, b->file);
}

/* "0.[0-3,5]" of those that have come to the same end; each is told once. */
static void add_group(const struct movers *m, size_t first, struct buf *out)
{
	const struct mover *of = &m->items.items[first];
	const char *sep = "[";
	size_t len = 0;

	for (size_t i = first; i < m->items.len; i++)
		len += same_end(of, &m->items.items[i]);
	if (len == 1) {
		buf_addf(out, "%d.%zu", m->team.number, first);
		return;
	}
	buf_addf(out, "%d.", m->team.number);
	for (size_t i = first; i < m->items.len; i++) {
		size_t last = i;
		if (!same_end(of, &m->items.items[i]))
			continue;
		while (last + 1 < m->items.len && same_end(of, &m->items.items[last + 1]))
			last++;
		buf_addf(out, last > i ? "%s%zu-%zu" : "%s%zu", sep, i, last);
		sep = ",";
		i = last;
	}
	buf_addc(out, ']');
}

static bool is_first_of_group(const struct movers *m, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (same_end(&m->items.items[k], &m->items.items[i]))
			return false;
	}
	return true;
}

static void add_end(const struct mover *of, struct buf *out)
{
	if (of->state == MOVER_LEFT)
		buf_adds(out, " left the region");
	else if (of->state == MOVER_GONE)
		buf_adds(out, " has ended");
	else if (of->state == MOVER_HELD)
		buf_adds(out, " held");
	else if (of->file)
		buf_addf(out, " at %s:%d", text_last_part(of->file), of->number);
	else
		buf_adds(out, " where no line is");
}

struct error *movers_stop(const struct movers *m, struct stop_report *r, const struct buf *missing)
{
	AUTO_BUF text = { 0 };
	const char *sep = "";

	for (size_t i = 0; i < m->items.len; i++) {
		const struct mover *of = &m->items.items[i];
		if (of->state < MOVER_ARRIVED || !is_first_of_group(m, i))
			continue;
		buf_adds(&text, sep);
		add_group(m, i, &text);
		add_end(of, &text);
		sep = ", ";
	}
	if (missing->len)
		buf_addf(&text, "%s%s", *sep ? "; " : "", buf_text(missing));
	free(r->text);
	r->kind = STOPPED_TEAM;
	r->text = buf_ok(&text) ? strdup(buf_text(&text)) : NULL;
	return r->text ? NULL : &error_nomem;
}
