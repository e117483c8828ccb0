/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/omp_variables.h"

#include <string.h>

#include "debugger/values/lookup.h"
#include "debugger/whereabouts.h"
#include "ompd/own_numbers.h"

struct omp_variable {
	const char *name;
	bool own; /* what the runtime would say to the thread itself: number */
	enum own_number number;
	long (*get)(const struct whereabouts *w);
};

static long region(const struct whereabouts *w)
{
	return w->region;
}

static long parent_region(const struct whereabouts *w)
{
	return w->parent;
}

static long task(const struct whereabouts *w)
{
	return w->task;
}

static long parent_task(const struct whereabouts *w)
{
	return w->creator;
}

static long number(const struct whereabouts *w)
{
	return w->number;
}

static long level(const struct whereabouts *w)
{
	return w->level;
}

static long team_size(const struct whereabouts *w)
{
	return w->size;
}

static const struct omp_variable rows[] = {
	{ "omp_thread", true, OWN_THREAD, number },
	{ "omp_level", true, OWN_LEVEL, level },
	{ "omp_team_size", true, OWN_TEAM_SIZE, team_size },
	{ "omp_region", .get = region },
	{ "omp_parent_region", .get = parent_region },
	{ "omp_task", .get = task },
	{ "omp_parent_task", .get = parent_task },
	{ "omp_task_kind" }, /* a text */
};

enum { NUM_ROWS = sizeof(rows) / sizeof(*rows) };

const struct omp_variable *omp_variable_find(const char *name)
{
	for (size_t i = 0; i < NUM_ROWS; i++) {
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	}
	return NULL;
}

const char *omp_variable_name(size_t n)
{
	return n < NUM_ROWS ? rows[n].name : NULL;
}

static struct own_numbers_source source_of(const struct session *s)
{
	return (struct own_numbers_source){
		.modules = s->modules,
		.symbols = s->symbols,
		.ompd_library = s->ompd_library,
	};
}

/* ---- here ------------------------------------------------------------------------------- */

static struct error *find_whereabouts(const struct scope *s, struct whereabouts *ret)
{
	struct unwind_stack raw = { 0 };
	struct session *session = s->session;
	struct error *err =
		unwind_thread(session->unwinder, s->thread, UNWIND_FRAMES_DEFAULT, &raw);

	if (!err)
		err = whereabouts_find(session, s->thread, &raw, ret);
	unwind_stack_fini(&raw);
	return err;
}

/* What the runtime would say; where it does not let itself be read, what OMPD says. */
static struct error *read_own(const struct scope *s, const struct omp_variable *v,
			      const struct whereabouts *w, struct value *ret)
{
	const struct own_numbers_source from = source_of(s->session);
	uint64_t n = 0;
	struct error *err = own_numbers_read(&from, v->number, s->thread, &n);

	if (error_is(err, ERROR_UNSUPPORTED) && w->level) {
		error_ignore(err);
		err = NULL;
		n = (uint64_t)v->get(w);
	}
	if (!err)
		*ret = value_of_int(&type_int, n);
	return err;
}

struct error *omp_variable_text(const struct scope *s, const char *text, struct value *ret)
{
	const size_t size = strlen(text) + 1;
	const uint8_t none_lost[VALUE_BYTES_MAX] = { 0 };

	ret->type = type_array_of(lookup_types(s), &type_char, size);
	return ret->type ? value_set_bytes(s, ret, (const uint8_t *)text, none_lost, size)
			 : &error_nomem;
}

static struct error *read_kind(const struct scope *s, const struct whereabouts *w,
			       struct value *ret)
{
	const char *text = w->task < 0 ? "none" : picture_task_kind_name(w->task_kind);

	return omp_variable_text(s, text, ret);
}

struct error *omp_variable_value(const struct scope *s, const struct omp_variable *v,
				 struct value *ret)
{
	struct whereabouts w;

	if (!s || !s->thread)
		return error_new(ERROR_USAGE, "$%s is of a thread, and none stands still", v->name);
	*ret = (struct value){ .type = v->own ? &type_int : &type_long };
	struct error *err = module_list_update(s->session->modules);
	if (!err)
		err = find_whereabouts(s, &w);
	if (err)
		return err;
	if (w.role == ROLE_IDLE)
		ret->missing = "not known: the thread waits for its next region";
	else if (v->own)
		err = read_own(s, v, &w, ret);
	else if (v->get)
		*ret = value_of_int(&type_long, (uint64_t)v->get(&w));
	else
		err = read_kind(s, &w, ret);
	return error_add(err, "$%s", v->name);
}

/* ---- where the program is traced -------------------------------------------------------- */

struct error *omp_variable_compile(struct session *s, const struct omp_variable *v, struct buf *ret,
				   bool *ret_doubtful)
{
	const struct own_numbers_source from = source_of(s);
	struct own_numbers_known known;

	if (!v->own)
		return error_new(ERROR_UNSUPPORTED, "a condition cannot use $%s", v->name);
	struct error *err = own_numbers_compile(&from, v->number, ret, &known);
	*ret_doubtful = !err && known.several;
	if (!err && known.late)
		err = error_new(ERROR_TOO_EARLY, "an OpenMP runtime has not begun yet");
	return error_add(err, "$%s", v->name);
}
