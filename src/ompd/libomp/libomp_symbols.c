/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/libomp/libomp_symbols.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "ompd/libomp/libomp_layout.h"
#include "ompd/libomp/libomp_threads.h"
#include "ompd/libomp/libomp_variables.h"

enum { NAMES_MAX = LIBOMP_LAYOUT_WORDS + 64 };

/* In the gap between the halves of the address space: no program has memory there. */
#define SYNTHETIC UINT64_C(0x8000000000000000)
enum {
	SYNTHETIC_STATE = 0,   /* ompd_state, 8 bytes           */
	SYNTHETIC_VERSION = 8, /* __kmp_openmp_version, 4 bytes */
	SYNTHETIC_GTIDS = 16,  /* __kmp_gtid of each thread, 4 bytes */
};

struct libomp_symbol {
	const char *name; /* of a constant */
	taddr addr;
};

struct libomp_symbols {
	uint8_t *synthetic; /* owned */
	size_t synthetic_size;
	struct libomp_threads threads;
	struct libomp_symbol symbols[NAMES_MAX]; /* sorted by name when all are there */
	size_t len;
	bool unfinished; /* a variable does not fit what it is for: it may be set later */
	enum libomp_status status;
	const char *note; /* a constant */
};

/* While it is made. */
struct making {
	struct libomp_symbols *s;
	struct libomp_image image;
	struct symbol_table *files; /* borrowed; NULL: not wanted, or the file is stripped */
	struct module *module;      /* borrowed */
	taddr anchor;               /* ompd_dll_locations; 0: not found                    */
	int step;                   /* of variables behind it, in words; 0: not known       */
	bool words_alone;           /* layout words are there, and no anchor is             */
	uint64_t words[LIBOMP_LAYOUT_WORDS];
};

/* ---- names of the file --------------------------------------------------------------------- */

/* The address of a symbol of the file; LLVM 14 mangles functions that others do not. 0: none. */
static taddr find_in_file(const struct making *m, const char *name)
{
	char mangled[80];
	taddr addr = m->files ? runtime_symbol(m->files, m->module, name) : 0;

	if (addr || !m->files)
		return addr;
	snprintf(mangled, sizeof(mangled), "_Z%zu%sv", strlen(name), name);
	return runtime_symbol(m->files, m->module, mangled);
}

/* Each name once; address 0: it is not known. */
static void add(struct making *m, const char *name, taddr addr)
{
	if (addr && m->s->len < NAMES_MAX)
		m->s->symbols[m->s->len++] = (struct libomp_symbol){ name, addr };
}

/* ---- layout words -------------------------------------------------------------------------- */

/* ompd_dll_locations points to the names of OMPD libraries, of which the first is this, and NULL.
 */
static bool is_anchor(const struct making *m, taddr variable)
{
	static const char first[] = "libompd.so";
	taddr list, names[3];
	char text[sizeof(first)];
	struct memory *memory = m->image.target->memory;

	return libomp_image_uint(&m->image, variable, 8, &list) &&
	       libomp_image_is_heap(&m->image, list) &&
	       memory_try_read(memory, list, names, sizeof(names)) && !names[2] &&
	       memory_try_read(memory, names[0], text, sizeof(text)) &&
	       !memcmp(text, first, sizeof(first));
}

static bool layout_from_file(struct making *m)
{
	taddr addrs[LIBOMP_LAYOUT_WORDS];
	taddr anchor = find_in_file(m, "ompd_dll_locations");

	if (!anchor || !is_anchor(m, anchor))
		return false;
	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS; i++) {
		addrs[i] = find_in_file(m, libomp_layout_name(i));
		if (!addrs[i] || !libomp_image_uint(&m->image, addrs[i], 8, &m->words[i]) ||
		    !libomp_layout_fits(i, m->words[i]))
			return false;
	}
	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS; i++)
		add(m, libomp_layout_name(i), addrs[i]);
	m->anchor = anchor;
	return true;
}

static void take_layout(struct making *m, const struct libomp_layout_place *place)
{
	const uint64_t *memory = (const uint64_t *)m->image.bytes;

	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS; i++) {
		size_t index = libomp_layout_index(place, i);
		m->words[i] = memory[index];
		add(m, libomp_layout_name(i), m->image.start + 8 * index);
	}
	m->step = place->step;
}

/* The words, and behind the last one the anchor. */
static bool layout_from_memory(struct making *m)
{
	struct libomp_layout_place place;
	size_t next = 0;

	while (libomp_layout_find((const uint64_t *)m->image.bytes, m->image.size / 8, next, &place,
				  &next)) {
		size_t behind = libomp_layout_index(&place, LIBOMP_LAYOUT_WORDS);
		taddr anchor = m->image.start + 8 * behind;
		if (behind >= m->image.size / 8)
			continue;
		m->words_alone = true;
		if (!is_anchor(m, anchor))
			continue;
		m->words_alone = false;
		m->anchor = anchor;
		take_layout(m, &place);
		return true;
	}
	return false;
}

/* ---- variables ----------------------------------------------------------------------------- */

/* What debuggers want beyond what libompd does; known by the names of the file only. */
static const char *const breakpoints[] = {
	"ompd_dll_locations_valid", "ompd_bp_parallel_begin", "ompd_bp_parallel_end",
	"ompd_bp_task_begin",       "ompd_bp_task_end",       "ompd_bp_thread_begin",
	"ompd_bp_thread_end",
};

static taddr find_added(const struct making *m, const char *name)
{
	for (size_t i = m->s->len; i-- > 0;) {
		if (!strcmp(m->s->symbols[i].name, name))
			return m->s->symbols[i].addr;
	}
	return 0;
}

static taddr find_by_place(const struct making *m, const struct libomp_variable *v)
{
	taddr neighbour = v->neighbour && m->step > 0 ? find_added(m, v->neighbour) : 0;

	if (v->behind_anchor && m->step)
		return m->anchor + (taddr)((int64_t)8 * v->behind_anchor * m->step);
	return neighbour ? neighbour + (taddr)(int64_t)v->distance : 0;
}

static void add_variable(struct making *m, const struct libomp_variable *v)
{
	const taddr candidates[] = { find_in_file(m, v->name),
				     libomp_variables_by_code(v, &m->image), find_by_place(m, v) };

	bool any = false;

	for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
		if (candidates[i] && v->fits(&m->image, candidates[i])) {
			add(m, v->name, candidates[i]);
			return;
		}
		any |= candidates[i] != 0;
	}
	m->s->unfinished |= any;
	log_debug(LOG_OMPD, "%s: %s is not known", m->module->path, v->name);
}

static void add_variables(struct making *m)
{
	add(m, "ompd_dll_locations", m->anchor);
	for (const struct libomp_variable *v = libomp_variables; v->name; v++)
		add_variable(m, v);
	for (size_t i = 0; i < sizeof(breakpoints) / sizeof(*breakpoints); i++)
		add(m, breakpoints[i], find_in_file(m, breakpoints[i]));
	add(m, "__kmp_threads", m->s->threads.table);
}

/* ---- what is made up ------------------------------------------------------------------------ */

static void put(struct libomp_symbols *s, size_t at, uint64_t value, size_t size)
{
	memcpy(s->synthetic + at, &value, size);
}

static int read_version(const struct libomp_image *i)
{
	char text[32];
	int major, minor, version;

	if (!libomp_image_constant(i, "OMP API version: ", text, sizeof(text)) ||
	    sscanf(text, "%d.%d (%d)", &major, &minor, &version) != 3)
		return 0;
	return version >= 199710 && version <= 209912 ? version : 0;
}

/* All constants are searched for it: once for each file. */
static int openmp_version(const struct making *m)
{
	static const struct part_ops part_ops = { free, part_stays };
	int *version = m->module->parts[MODULE_VERSION].data;

	if (version)
		return *version;
	version = malloc(sizeof(*version));
	if (!version)
		return 0;
	*version = read_version(&m->image);
	module_hang(m->module, MODULE_VERSION, version, &part_ops);
	return *version;
}

/* An address of ours in place of the one, if any, that is known. */
static void replace(struct making *m, const char *name, taddr addr)
{
	struct libomp_symbols *s = m->s;

	for (size_t i = 0; i < s->len; i++) {
		if (!strcmp(s->symbols[i].name, name))
			s->symbols[i--] = s->symbols[--s->len];
	}
	add(m, name, addr);
}

/* false: out of memory. Whole pages, for who reads no less. */
static bool make_up_numbers(struct libomp_symbols *s)
{
	size_t size = SYNTHETIC_GTIDS + 4 * s->threads.len;
	size += -size % MEMORY_PAGE;
	uint8_t *synthetic = realloc(s->synthetic, size);

	if (!synthetic)
		return false;
	memset(synthetic + SYNTHETIC_GTIDS, 0, size - SYNTHETIC_GTIDS);
	s->synthetic = synthetic;
	s->synthetic_size = size;
	for (size_t i = 0; i < s->threads.len; i++)
		put(s, SYNTHETIC_GTIDS + 4 * i, (uint64_t)(int64_t)s->threads.items[i].gtid, 4);
	return true;
}

static struct error *make_up(struct making *m)
{
	struct libomp_symbols *s = m->s;
	int version = openmp_version(m);

	if (!make_up_numbers(s))
		return &error_nomem;
	put(s, SYNTHETIC_STATE, 1, 8);
	put(s, SYNTHETIC_VERSION, (uint64_t)version, 8);
	replace(m, "ompd_state", SYNTHETIC + SYNTHETIC_STATE);
	if (version)
		replace(m, "__kmp_openmp_version", SYNTHETIC + SYNTHETIC_VERSION);
	return NULL;
}

/* ---- making --------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct libomp_symbol *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void decide(struct libomp_symbols *s, enum libomp_status status, const char *note)
{
	s->status = status;
	s->note = note;
}

/* What it is if there is no layout. */
static void decide_without_layout(const struct making *m)
{
	/* ompd_init() fills the words in first, and the anchor then. */
	if (m->s->threads.numbered && m->words_alone)
		decide(m->s, LIBOMP_UNVERIFIED,
		       "its layout words are there, but not the variables that belong to them");
	else if (m->s->threads.numbered)
		decide(m->s, LIBOMP_NO_OMPD,
		       "built without OMPD, or its layout words are unlike those of LLVM 13 to 19");
	else
		decide(m->s, LIBOMP_NOT_INITIALIZED, "not initialised yet");
}

static void decide_with_layout(const struct making *m)
{
	const struct libomp_threads *t = &m->s->threads;

	if (!t->table && t->numbered)
		decide(m->s, LIBOMP_UNVERIFIED,
		       t->ambiguous ? "several variables could be its table of threads"
				    : "its table of threads is nowhere to be found");
	else
		decide(m->s, LIBOMP_READY, m->step ? "symbols recovered" : "symbols from .symtab");
}

static struct error *find_threads(struct making *m, const struct runtime_list *runtimes,
				  bool layout)
{
	struct libomp_threads_hints hints = {
		.layout = layout,
		.pthread = layout ? libomp_layout_pthread(m->words) : 0,
		.table = find_in_file(m, "__kmp_threads"),
	};

	return libomp_threads_find(&m->image, runtimes, &hints, &m->s->threads);
}

static struct error *make(struct making *m, const struct runtime_list *runtimes)
{
	/* One question finds out whether the file is stripped. */
	if (m->files && !find_in_file(m, "__kmp_threads"))
		m->files = NULL;
	bool layout = layout_from_file(m) || layout_from_memory(m);
	struct error *err = find_threads(m, runtimes, layout);
	if (err)
		return err;
	if (!layout) {
		decide_without_layout(m);
		return NULL;
	}
	decide_with_layout(m);
	add_variables(m);
	err = make_up(m);
	qsort(m->s->symbols, m->s->len, sizeof(*m->s->symbols), by_name);
	return err;
}

static void symbols_cleanup(struct libomp_symbols **s)
{
	libomp_symbols_free(*s);
}

struct error *libomp_symbols_new(const struct runtime_list *runtimes, const struct runtime *runtime,
				 struct symbol_table *symbols, struct libomp_symbols **ret)
{
	AUTO(symbols_cleanup) struct libomp_symbols *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	struct making m = {
		.s = s,
		.files = symbols,
		.module = module_at(runtimes->modules, runtime->module->start),
	};
	struct error *err = libomp_image_read(runtimes, runtime, &m.image);
	if (err)
		return err;
	err = make(&m, runtimes);
	libomp_image_fini(&m.image);
	if (err)
		return err;
	log_debug(LOG_OMPD, "%s: %s, %zu names, %zu of %zu threads", runtime->module->path, s->note,
		  s->len, s->threads.numbered, s->threads.len);
	*ret = TAKE(s);
	return NULL;
}

bool libomp_symbols_renew(struct libomp_symbols *s, const struct runtime_list *runtimes,
			  const struct runtime *runtime, const struct pthreads *pthreads)
{
	const struct libomp_image image = { .target = runtimes->modules->target,
					    .modules = runtimes->modules,
					    .runtime = runtime };

	return !s->unfinished && libomp_threads_renew(&s->threads, &image, pthreads) &&
	       make_up_numbers(s);
}

void libomp_symbols_free(struct libomp_symbols *s)
{
	if (!s)
		return;
	libomp_threads_fini(&s->threads);
	free(s->synthetic);
	free(s);
}

/* ---- answers -------------------------------------------------------------------------------- */

enum libomp_status libomp_symbols_status(const struct libomp_symbols *s)
{
	return s->status;
}

const char *libomp_symbols_note(const struct libomp_symbols *s)
{
	return s->note;
}

static const struct libomp_thread *thread_of(const struct libomp_symbols *s,
					     const struct thread *th)
{
	return s->status == LIBOMP_READY ? libomp_threads_get(&s->threads, th->lwp) : NULL;
}

static bool find_gtid(const struct libomp_symbols *s, const struct thread *th, taddr *ret)
{
	const struct libomp_thread *found = th ? thread_of(s, th) : NULL;

	if (!found)
		return false;
	*ret = found->variable
		       ? found->variable
		       : SYNTHETIC + SYNTHETIC_GTIDS + 4 * (taddr)(found - s->threads.items);
	return true;
}

bool libomp_symbols_find(const struct libomp_symbols *s, const char *name, const struct thread *th,
			 taddr *ret)
{
	const struct libomp_symbol wanted = { .name = name }, *found;

	if (s->status != LIBOMP_READY)
		return false;
	if (!strcmp(name, "__kmp_gtid"))
		return find_gtid(s, th, ret);
	found = bsearch(&wanted, s->symbols, s->len, sizeof(*s->symbols), by_name);
	if (!found)
		return false;
	*ret = found->addr;
	return true;
}

bool libomp_symbols_read(const struct libomp_symbols *s, taddr from, size_t len, void *ret)
{
	taddr offset = from - SYNTHETIC;

	if (!s->synthetic || offset > s->synthetic_size || len > s->synthetic_size - offset)
		return false;
	memcpy(ret, s->synthetic + offset, len);
	return true;
}

bool libomp_symbols_gtid(const struct libomp_symbols *s, const struct thread *th, int *ret)
{
	const struct libomp_thread *found = thread_of(s, th);

	if (!found)
		return false;
	*ret = found->gtid;
	return true;
}

bool libomp_symbols_number(const struct libomp_symbols *s, struct libomp_number *ret)
{
	if (s->status != LIBOMP_READY || !s->threads.has_number)
		return false;
	*ret = s->threads.number;
	return true;
}
