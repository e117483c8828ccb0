/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/looked_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "debugger/values/lock_names.h"
#include "debugger/values/lock_path.h"
#include "ompd/outlined.h"
#include "target/code/writers.h"

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

static bool find_global(struct session *s, taddr at, struct symbol *ret)
{
	return symbol_at(s->symbols, at, ret) && !ret->function && ret->size;
}

/* Members with such names are the library's own: of what programmers write they are the whole. */
static void cut_reserved(char *path)
{
	char *member = strstr(path, "._");

	if (member)
		*member = '\0';
}

/* As its part is called, if types tell, else as a whole. */
static void add_name(struct buf *out, struct session *s, taddr at, taddr pc,
		     const struct symbol *symbol)
{
	AUTO_BUF text = { 0 };
	struct lock_global g;

	bool known = lock_names_global(s, at, pc, &text, &g) &&
		     lock_path_add_scalar(&text, g.type, g.offset, g.fortran);
	AUTO_FREE char *name = symbol_demangle(symbol->name);
	out->failed |= !name || text.failed;
	if (known && !text.failed)
		cut_reserved(text.data);
	if (name)
		buf_addf(out, "%s%s", out->len ? ", " : "", known ? buf_text(&text) : name);
}

/* That has the memory in it. seen: that has been added last. */
static void add_global(struct buf *out, struct session *s, taddr at, taddr pc, taddr *seen)
{
	struct symbol symbol;

	if (!find_global(s, at, &symbol) || symbol.addr == *seen)
		return;
	*seen = symbol.addr;
	add_name(out, s, at, pc, &symbol);
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
			add_global(&text, s, w->looks_at[k], w->place.pc, &seen);
		if (!text.len && !text.failed)
			continue;
		w->variable = text.failed ? NULL : strdup(buf_text(&text));
		if (!w->variable)
			return &error_nomem;
	}
	return NULL;
}

/* ---- who could change it ------------------------------------------------------------------ */

enum { PLACES_MAX = 3 };

/* Places in the source, each once; that of the loop itself does not count. */
struct telling {
	struct session *session;
	const struct place *loop;
	struct source_place told[PLACES_MAX];
	size_t len;
	bool more;
	struct buf *out;
};

static bool is_told(const struct telling *t, const char *file, int line)
{
	if (t->loop->file && t->loop->line == line && !strcmp(t->loop->file, file))
		return true;
	for (size_t i = 0; i < t->len; i++) {
		if (t->told[i].line == line && !strcmp(t->told[i].file, file))
			return true;
	}
	return false;
}

/* "in setter() at app.c:14" */
static void tell_writer(struct telling *t, taddr pc)
{
	const struct source_frame *levels;
	const char *outlined;
	size_t len = 0;

	t->out->failed |= symbol_locate(t->session->symbols, pc, &levels, &len) != NULL;
	if (!len || !levels->file || !levels->line || is_told(t, levels->file, levels->line))
		return;
	const struct source_place at = {
		.pc = pc, .level = 0, .file = levels->file, .line = levels->line
	};
	t->more |= t->len == PLACES_MAX;
	if (t->more)
		return;
	AUTO_FREE char *function = outlined_text(t->session->symbols, &at, false, &outlined);
	buf_adds(t->out, t->len ? "," : " by its name");
	if (function)
		buf_addf(t->out, " in %s()", function);
	buf_addf(t->out, " at %s:%d", text_last_part(at.file), at.line);
	t->told[t->len++] = at;
}

static void tell_writers(struct telling *t, taddr at, const struct symbol *symbol)
{
	const struct writers_asked asked = { symbol->addr, symbol->addr + symbol->size, at };
	taddr pcs[WRITERS_MAX];
	const size_t n = writers_find(t->session->unwinder, t->session->modules, &asked, pcs);
	AUTO_FREE char *name = symbol_demangle(symbol->name);

	t->out->failed |= !name;
	if (name)
		buf_addf(t->out, "'%s' is written to", name);
	for (size_t i = 0; i < n && !t->out->failed; i++)
		tell_writer(t, pcs[i]);
	buf_adds(t->out, t->more || n == WRITERS_MAX ? ", and elsewhere." : ".");
}

struct error *looked_at_writers(struct session *s, const struct picture_wait *w, struct buf *ret)
{
	struct symbol symbol;

	for (size_t i = 0; w->kind == WAIT_MEMORY && i < w->nlooks_at; i++) {
		AUTO_BUF text = { 0 };
		struct telling t = { .session = s, .loop = &w->place, .out = &text };
		if (!find_global(s, w->looks_at[i], &symbol))
			continue;
		tell_writers(&t, w->looks_at[i], &symbol);
		if (t.len)
			buf_adds(ret, buf_text(&text));
		ret->failed |= text.failed;
		if (t.len || ret->failed)
			break;
	}
	return ret->failed ? &error_nomem : NULL;
}
