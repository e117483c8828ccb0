/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/looked_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static bool is_looked_at(const struct picture_wait *w, taddr at)
{
	for (size_t i = 0; at && i < w->nlooks_at; i++) {
		if (w->looks_at[i] == at)
			return true;
	}
	return false;
}

/* "p->head, p->tail" */
static void add_deciding(struct buf *out, const struct deciding *d, int thread,
			 const struct picture_wait *w)
{
	vec_for_each (item, &d->items) {
		if (item->thread == thread && is_looked_at(w, item->at))
			buf_addf(out, "%s%s", out->len ? ", " : "", item->text);
	}
}

/* That has the memory in it. seen: that has been added last. */
static void add_global(struct buf *out, struct session *s, taddr at, taddr *seen)
{
	struct symbol symbol;

	if (!symbol_at(s->symbols, at, &symbol) || symbol.function || !symbol.size ||
	    symbol.addr == *seen)
		return;
	*seen = symbol.addr;
	AUTO_FREE char *name = symbol_demangle(symbol.name);
	out->failed |= !name;
	if (name)
		buf_addf(out, "%s%s", out->len ? ", " : "", name);
}

struct error *looked_at_name(struct session *s, const struct deciding *deciding,
			     struct snapshot *of)
{
	struct picture *p = &of->picture;

	for (int i = 0; i < (int)p->threads.len; i++) {
		struct picture_wait *w = &p->threads.items[i].wait;
		AUTO_BUF text = { 0 };
		if (w->kind != WAIT_MEMORY || w->variable)
			continue;
		add_deciding(&text, deciding, i, w);
		taddr seen = 0;
		for (size_t k = 0, none = !text.len; none && k < w->nlooks_at; k++)
			add_global(&text, s, w->looks_at[k], &seen);
		if (!text.len && !text.failed)
			continue;
		w->variable = text.failed ? NULL : strdup(buf_text(&text));
		if (!w->variable)
			return &error_nomem;
	}
	return NULL;
}
