/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ompd/outlined.h"
#include "ompd/pragma.h"

/* The directive that was read last: most threads wait in the same line. */
struct directive {
	const char *file;
	int line;
	enum pragma pragma;
	const char *name;              /* NULL: none */
	bool searched, in_worksharing; /* see pragma_in_worksharing() */
};

struct naming {
	struct picture *picture;
	struct symbol_table *symbols;
	struct source_cache *sources;
	struct directive last;
	const struct picture_task *task; /* the one that was named last */
	bool failed;                     /* memory is out               */
};

/* Keeps a name that is ours. NULL: out of memory. */
static const char *keep(struct naming *n, char *name)
{
	if (name && vec_push(&n->picture->names, name))
		return name;
	free(name);
	n->failed = true;
	return NULL;
}

/* ---- places ----------------------------------------------------------------------------- */

/* The user's function of a linkage name at a place; NULL: not known. */
static void name_function(struct naming *n, const char *linkage, struct place *place)
{
	struct outlined outlined;
	AUTO_FREE char *part = NULL;

	if (outlined_parse(linkage, &outlined)) {
		part = outlined_user(&outlined, n->symbols);
		n->failed |= !part;
		linkage = part;
		if (!outlined.len) {
			char *around =
				outlined_around(n->symbols, place->pc, place->file, place->line);
			place->function = around ? keep(n, around) : NULL;
			return;
		}
	}
	place->function = linkage ? keep(n, symbol_demangle(linkage)) : NULL;
}

/* "app+0x11d7", by the address in its file; NULL: in none. */
static const char *name_code(struct naming *n, taddr pc)
{
	uint64_t address;
	const struct module *m = symbol_module(n->symbols, pc, &address);
	AUTO_BUF text = { 0 };

	if (!m)
		return NULL;
	buf_addf(&text, "%s+0x%" PRIx64, text_last_part(m->path), address);
	return keep(n, text.failed ? NULL : strdup(buf_text(&text)));
}

/* What pc is in, from the inside out; false: nowhere, or memory is out. */
static bool locate(struct naming *n, taddr pc, const struct source_frame **ret, size_t *ret_len)
{
	if (pc && !n->failed)
		n->failed = symbol_locate(n->symbols, pc, ret, ret_len);
	return pc && !n->failed;
}

/* By where compilers and distributions put what comes with them: clang writes
 * "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex". */
static bool is_of_library(const char *file)
{
	const bool installed =
		text_starts_with(file, "/usr/") && !text_starts_with(file, "/usr/src/");

	return (installed && strstr(file, "/include/")) || strstr(file, "/include/c++/");
}

/* The innermost of what is inlined there whose source is the program's; false: there is none.
 * *callee: what that has called, the outermost function of what is not; left alone: not known. */
static bool name_own_place(struct naming *n, struct place *place, const char **callee)
{
	const struct source_frame *levels;
	size_t len, own = 0;

	if (!locate(n, place->pc, &levels, &len))
		return false;
	for (; own < len && (!levels[own].file || is_of_library(levels[own].file)); own++)
		*callee = levels[own].function ? levels[own].function : *callee;
	if (own == len)
		return false;
	place->file = levels[own].file;
	place->line = levels[own].line;
	if (levels[own].function)
		name_function(n, levels[own].function, place);
	return true;
}

static void name_place(struct naming *n, struct place *place)
{
	const struct source_frame *levels;
	size_t len;

	if (!locate(n, place->pc, &levels, &len))
		return;
	struct outlined outlined;
	const struct source_frame *outermost = &levels[len - 1];
	const char *linkage = outermost->function;
	bool entry = !place->somewhere && !outermost->offset && levels[0].file && linkage &&
		     outlined_parse(linkage, &outlined);
	place->file = levels[0].file;
	place->line = place->file && !place->somewhere ? levels[0].line : 0;
	/* A construct is where its function is declared (clang), else where that begins. */
	if (entry && outermost->declared_file) {
		place->file = outermost->declared_file;
		place->line = outermost->declared_line;
	} else if (entry) {
		place->file = levels[0].first_file;
		place->line = place->file ? levels[0].first_line : 0;
	}
	/* What is inlined at its beginning is not the function that it was written in. */
	const char *function = entry ? linkage : levels[0].function;
	if (function)
		name_function(n, function, place);
	if (!place->file)
		place->code = name_code(n, place->pc);
}

/* ---- directives ------------------------------------------------------------------------- */

/* What the programmer wrote at a place, where the file can be read. */
static struct directive *read_directive(struct naming *n, const struct place *place)
{
	AUTO_BUF name = { 0 };

	if (n->last.file == place->file && n->last.line == place->line)
		return &n->last;
	n->last = (struct directive){ .file = place->file, .line = place->line };
	if (place->file)
		n->last.pragma = pragma_at(n->sources, place->file, place->line, &name);
	if (name.len)
		n->last.name = keep(n, strdup(buf_text(&name)));
	return &n->last;
}

/* "parallel for" of "teams distribute parallel for"; NULL: the word is not in it. */
static const char *construct_at(struct naming *n, const struct place *place, const char *word)
{
	const char *name = read_directive(n, place)->name;

	return name ? strstr(name, word) : NULL;
}

/* GCC calls one function for all barriers: the source tells which it is. */
static void read_barrier(struct naming *n, struct picture_wait *wait)
{
	static const enum wait_kind kinds[] = {
		[PRAGMA_OTHER] = WAIT_NONE,
		[PRAGMA_BARRIER] = WAIT_EXPLICIT_BARRIER,
		[PRAGMA_WORKSHARE] = WAIT_WORKSHARE_END,
	};

	if (wait->kind != WAIT_BARRIER)
		return;
	struct directive *d = read_directive(n, &wait->place);
	if (d->pragma == PRAGMA_OTHER && d->file && !d->searched) {
		d->in_worksharing = pragma_in_worksharing(n->sources, d->file, d->line);
		d->searched = true;
	}
	wait->in_source = d->in_worksharing ? WAIT_WORKSHARE_END : kinds[d->pragma];
}

/* ---- regions, tasks, waits -------------------------------------------------------------- */

/* GCC's calls into the runtime bear the line before the directive, its functions that of it. */
static bool is_gcc_function(struct naming *n, taddr function)
{
	struct symbol symbol;

	return function && symbol_at(n->symbols, function, &symbol) &&
	       strstr(symbol.name, "._omp_fn.");
}

static void name_region(struct naming *n, struct picture_region *r)
{
	if (is_gcc_function(n, r->function))
		r->place.pc = r->function;
	name_place(n, &r->place);
	r->construct = construct_at(n, &r->place, r->league ? "teams" : "parallel");
}

static void name_task(struct naming *n, struct picture_task *task)
{
	/* Many come from one construct. */
	if (n->task && n->task->place.pc == task->place.pc && n->task->kind == task->kind) {
		task->place = n->task->place;
		task->construct = n->task->construct;
		return;
	}
	n->task = task;
	name_place(n, &task->place);
	if (task->kind != TASK_IMPLICIT)
		task->construct = construct_at(n, &task->place, "task");
}

struct error *names_object(struct symbol_table *symbols, enum wait_kind kind, taddr object,
			   char **ret)
{
	static const char critical[] = ".gomp_critical_user_";
	struct symbol symbol;

	if (!object || !wait_kind_traits(kind)->is_lock || !symbol_at(symbols, object, &symbol) ||
	    symbol.function)
		return NULL;
	const char *name = symbol.name;
	size_t len = strlen(name);
	if (kind == WAIT_CRITICAL) {
		if (strncmp(name, critical, strlen(critical)) != 0)
			return NULL; /* the runtime's, for the construct without a name */
		name += strlen(critical);
		len = strcspn(name, "."); /* clang: "foo.var" */
	}
	if (!len)
		return NULL;
	/* A lock within a larger variable: which member it is, symbols do not tell. What has no
	   size is a mark of the linker's, as _edata. */
	uint64_t offset = object - symbol.addr;
	if (offset && !symbol.size)
		return NULL;
	AUTO_BUF text = { 0 };
	buf_add(&text, name, len);
	if (offset)
		buf_addf(&text, "+0x%" PRIx64, offset);
	*ret = text.failed ? NULL : strdup(buf_text(&text));
	return *ret ? NULL : &error_nomem;
}

static void name_object(struct naming *n, enum wait_kind kind, taddr object, char **ret)
{
	if (!*ret)
		n->failed |= names_object(n->symbols, kind, object, ret) != NULL;
}

/* The thread jumped into the runtime by one of several instructions: where they have one line. */
static void name_jumps(struct naming *n, const struct span *s, struct place *place)
{
	const struct call_left *last = s && s->nleft ? &s->left[s->nleft - 1] : NULL;

	for (size_t i = 1; last && i < last->njumps; i++) {
		struct place other = { .pc = last->jumps[i] };
		name_place(n, &other);
		if (other.line != place->line)
			place->line = 0;
	}
}

/* The innermost of the user's frames whose source is the program's, or else is known. What it has
 * called of a library, borrowed; NULL: nothing, or it is not known. */
static const char *name_site(struct naming *n, const struct sites *sites, struct place *ret)
{
	const char *callee = NULL;

	for (size_t i = 0; i < sites->len && !n->failed; i++) {
		struct place place = { .pc = sites->pcs[i] };
		if (name_own_place(n, &place, &callee)) {
			*ret = place;
			return callee;
		}
	}
	for (size_t i = 0; i < sites->len && !ret->line; i++) {
		struct place place = { .pc = sites->pcs[i] };
		name_place(n, &place);
		if (place.line || !i)
			*ret = place;
	}
	return NULL;
}

/* "std::future::get" of "std::future<int>::get()" */
static void add_bare(struct buf *out, const char *name)
{
	int depth = 0;

	for (; *name && (depth || *name != '('); name++) {
		depth += *name == '<';
		if (!depth)
			buf_addc(out, *name);
		depth -= *name == '>';
	}
}

/* A system call by which a library waits says nothing; the function of C++ that was called does. */
static void name_call(struct naming *n, const char *callee, struct picture_wait *wait)
{
	bool plain = wait->kind == WAIT_SYSCALL && wait->name &&
		     (!strcmp(wait->name, "syscall") || !strcmp(wait->name, "futex"));
	AUTO_FREE char *name = plain && callee ? symbol_demangle(callee) : NULL;
	AUTO_BUF bare = { 0 };

	n->failed |= plain && callee && !name;
	if (!name || !text_starts_with(name, "std::"))
		return;
	add_bare(&bare, name);
	char *copy = bare.failed ? NULL : strdup(buf_text(&bare));
	n->failed |= !copy;
	if (!copy)
		return;
	free(wait->name);
	wait->name = copy;
}

static void name_wait(struct naming *n, struct picture_thread *th)
{
	struct picture_wait *wait = &th->wait;
	const struct picture_region *r = picture_region(n->picture, th->region);

	if (wait->kind == WAIT_REGION_END && r) {
		wait->place = r->place;
		return;
	}
	if (wait->sites.len)
		name_call(n, name_site(n, &wait->sites, &wait->place), wait);
	else
		name_place(n, &wait->place);
	name_jumps(n, spans_innermost(&th->spans), &wait->place);
	name_object(n, wait->kind, wait->object, &wait->name);
	read_barrier(n, wait);
}

static void name_crash(struct naming *n, struct picture *p)
{
	struct picture_crash *crash = &p->crash;

	if (!crash->cause)
		return;
	(void)name_site(n, &crash->sites, &crash->place);
	picture_thread(p, crash->thread)->wait.place = crash->place;
}

struct error *names_find(struct picture *p, struct symbol_table *symbols,
			 struct source_cache *sources)
{
	struct naming n = { .picture = p, .symbols = symbols, .sources = sources };

	vec_for_each (region, &p->regions)
		name_region(&n, region);
	vec_for_each (task, &p->tasks)
		name_task(&n, task);
	vec_for_each (th, &p->threads)
		name_wait(&n, th);
	name_crash(&n, p);
	vec_for_each (hold, &p->holds) {
		name_place(&n, &hold->place);
		name_object(&n, hold->kind, hold->object, &hold->name);
	}
	vec_for_each (leak, &p->leaks)
		name_place(&n, &leak->place);
	return n.failed ? &error_nomem : NULL;
}
