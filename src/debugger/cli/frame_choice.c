/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/frame_choice.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"
#include "debugger/cli/data.h"
#include "debugger/cli/running.h"
#include "debugger/cli/team_stack.h"
#include "target/symbols/function_text.h"

/* Selects the innermost frame that fits; ret: its level. */
static struct error *find_frame(struct cli *c,
				bool (*fits)(struct cli *c, const struct frame *f,
					     const void *wanted),
				const void *wanted, size_t *ret)
{
	for (size_t i = 0;; i++) {
		const struct frame *frame;
		struct error *err = frames_get(&c->control->frames, i, &frame);
		if (err)
			return err;
		*ret = i;
		if (!frame)
			return error_new(ERROR_NOT_FOUND, "no such frame");
		if (fits(c, frame, wanted))
			return NULL;
	}
}

static bool is_of_function(struct cli *c, const struct frame *f, const void *wanted)
{
	const struct code_places *places = wanted;

	(void)c;
	vec_for_each (p, places) {
		if (f->entry && f->entry == p->entry)
			return true;
	}
	return false;
}

/* Where the function is on another thread's stack, code of a construct in it will do. */
static bool is_construct_of(struct cli *c, const struct frame *f, const void *wanted)
{
	AUTO(report_place_fini) struct report_place place = { 0 };
	const struct code_places *places = wanted;
	struct error *err = frames_place(&c->control->frames, f, &place);
	bool is = false;

	vec_for_each (p, places) {
		AUTO_FREE char *name = function_text(c->control->live->symbols, p->addr, 0, false);
		is |= !err && place.outlined && text_same(name, place.function);
	}
	error_ignore(err);
	return is;
}

static struct error *find_function(struct cli *c, const char *name, size_t *ret)
{
	struct linespec_context where = control_linespecs(c->control);
	AUTO_PLACES places = { 0 };
	AUTO_LINESPEC spec = { 0 };
	int line;

	if (!*name)
		return error_new(ERROR_USAGE, "Missing function name argument");
	struct error *err = linespec_parse(name, &spec);
	if (!err && spec.kind != LINESPEC_FUNCTION)
		err = error_new(ERROR_USAGE, "'%s' is no name of a function", name);
	if (!err)
		err = linespec_resolve(&spec, &where, &places, &line);
	if (!err)
		err = find_frame(c, is_of_function, &places, ret);
	if (error_is(err, ERROR_NOT_FOUND) && places.len) {
		error_free(err);
		err = find_frame(c, is_construct_of, &places, ret);
	}
	if (!error_is(err, ERROR_NOT_FOUND) || !places.len)
		return err;
	error_free(err);
	return error_new(ERROR_NOT_FOUND, "No frame for function \"%s\".", name);
}

static bool is_at(struct cli *c, const struct frame *f, const void *wanted)
{
	(void)c;
	return f->cfa == *(const taddr *)wanted;
}

static struct error *find_address(struct cli *c, const char *text, size_t *ret)
{
	struct data_scope s;
	taddr cfa;

	data_scope(c, &s);
	struct error *err = eval_address(&s.context, text, &cfa);
	if (!err)
		err = find_frame(c, is_at, &cfa, ret);
	if (!error_is(err, ERROR_NOT_FOUND))
		return err;
	error_free(err);
	return error_new(ERROR_NOT_FOUND, "No frame at address %s.", text);
}

struct error *frame_choice_number(struct cli *c, const char *args, size_t otherwise, size_t *ret)
{
	struct data_scope s;
	int64_t n = (int64_t)otherwise;

	data_scope(c, &s);
	struct error *err = *args ? eval_integer(&s.context, args, &n) : NULL;
	if (!err && (n < 0 || n > INT_MAX))
		err = error_new(ERROR_NOT_FOUND, "No frame at level %s.", args);
	if (!err)
		*ret = (size_t)n;
	return err;
}

static struct error *find_level(struct cli *c, const char *text, size_t *ret)
{
	return frame_choice_number(c, text, 0, ret);
}

/*
 * What follows "frame", and how the frame is found by what stands behind it: by its number on the
 * stack that is shown, or among the frames of the selected thread itself.
 */
static const struct {
	const char *word;
	struct error *(*find)(struct cli *c, const char *text, size_t *ret);
} selectors[] = {
	{ "level", find_level },
	{ "function", find_function },
	{ "address", find_address },
};

/* The thread whose stack the selected frame is on is the selected one again. */
static void select_own(struct cli *c)
{
	struct control *k = c->control;
	const size_t hidden = k->stitched.hidden;

	if (k->stitched.lwp)
		control_select_lwp(k, k->stitched.lwp, hidden);
}

/* Behind the thread's own frames are those of who made its region. */
static struct error *select_level(struct cli *c, size_t level)
{
	bool is = false;

	if (c->control->stitched.lwp) {
		struct error *first = team_stack_select(c, level, &is);
		if (first || is)
			return first;
		select_own(c);
	}
	struct error *err = control_select_frame(c->control, level);
	if (!error_is(err, ERROR_NOT_FOUND) || !c->control->frames.thread)
		return err;
	struct error *second = team_stack_select(c, level, &is);
	if (!is || second) {
		error_ignore(second);
		return err;
	}
	error_free(err);
	return NULL;
}

struct error *frame_choice_select(struct cli *c, const char *args)
{
	size_t level;
	struct error *err = control_need_stack(c->control);
	struct error *(*find)(struct cli * c, const char *text, size_t *ret) = find_level;
	size_t len = strcspn(args, " \t");

	for (size_t i = 0; i < sizeof(selectors) / sizeof(*selectors); i++) {
		if (isalpha((unsigned char)*args) && args[len] &&
		    !strncmp(selectors[i].word, args, len)) {
			find = selectors[i].find;
			args += len + strspn(args + len, " \t");
			break;
		}
	}
	if (err || !*args)
		return err; /* it is the selected one */
	err = find(c, args, &level);
	if (err)
		return err;
	return find == find_level ? select_level(c, level)
				  : control_select_frame(c->control, level);
}
