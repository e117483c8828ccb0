/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/conform_icv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void conform_list_icvs(struct conform *c)
{
	ompd_icv_id_t id = ICV_UNDEFINED;
	int more = 1;

	while (more && c->nicvs < OPENMP_ICVS_MAX) {
		struct openmp_icv_row row = { .id = ICV_UNDEFINED };
		ompd_rc_t rc = CALL(c, enumerate_icvs, c->space, id, &row.id, &row.name, &row.scope,
				    &more);
		if (!conform_expect_text(c, rc, row.name, "for the next ICV"))
			return;
		if (row.scope < ompd_scope_global || row.scope > ompd_scope_task)
			conform_tell(c, row.name, "a scope", "%d", (int)row.scope);
		id = row.id;
		c->icvs[c->nicvs++] = row;
	}
	if (more)
		conform_tell(c, "for all ICVs", "that they end", "%zu", c->nicvs);
}

/*
 * How many items the variable has that the process was started with; 0: not known, as of one that
 * has been changed: that is not on the stack any more, above the vector.
 */
static long count_items(const struct conform *c, const char *variable)
{
	struct memory *m = c->w->target->memory;
	struct exports *libc = c->w->runtimes.libc;
	const struct export *e = libc ? exports_find(libc, "environ") : NULL;
	size_t len = strlen(variable);
	taddr vector, string, before;
	char text[256];
	long n = 1;

	if (!e || !memory_try_read(m, e->addr, &vector, sizeof(vector)) ||
	    !memory_try_read(m, vector - 8, &before, sizeof(before)) || before)
		return 0;
	for (size_t i = 0; i < VARIABLES_MAX; i++) {
		if (!memory_try_read(m, vector + 8 * i, &string, sizeof(string)) || !string)
			return 0;
		if (string > vector && memory_try_read(m, string, text, len + 1) &&
		    !strncmp(text, variable, len) && text[len] == '=')
			break;
	}
	for (string += len; memory_try_read(m, ++string, text, 1) && *text;)
		n += *text == ',';
	return n;
}

void conform_check_display(struct conform *c)
{
	static const char *const lists[] = { "OMP_NUM_THREADS", "OMP_PROC_BIND" };
	const char *const *vars = NULL;
	ompd_rc_t rc = CALL(c, get_display_control_vars, c->space, &vars);

	if (!conform_is_answered(c, rc, "for all") || !vars)
		return;
	for (size_t i = 0; vars[i]; i++) {
		const char *value = strchr(vars[i], '=');
		if (!value)
			conform_tell(c, "for all", "NAME=VALUE", "%s", vars[i]);
		for (size_t k = 0; value && k < sizeof(lists) / sizeof(*lists); k++) {
			if (!strncmp(vars[i], lists[k], strlen(lists[k])) &&
			    count_items(c, lists[k]) > 1 && !strchr(value, ','))
				conform_tell(c, lists[k], "its list", "%s", vars[i]);
		}
	}
	conform_expect_rc(c, CALL(c, rel_display_control_vars, &vars), ompd_rc_ok,
			  "for its own list");
}

/* What the picture says of one; false: nothing. */
static bool find_truth(const struct conform *c, const struct subject *s, const char *name,
		       ompd_scope_t scope, int64_t *ret)
{
	const struct picture *p = c->w->picture;
	const struct picture_thread *th = picture_thread(p, s->thread);
	const struct picture_region *r = picture_region(p, s->region);
	const struct picture_task *task = picture_task(p, s->task);

	if (scope == ompd_scope_thread && !strcmp(name, "thread-num-var") && th &&
	    picture_is_numbered(th))
		*ret = th->number;
	else if (scope == ompd_scope_parallel && !strcmp(name, "levels-var") && r)
		*ret = r->level;
	else if (scope == ompd_scope_parallel && !strcmp(name, "team-size-var") && r && r->size)
		*ret = r->size;
	else if (scope == ompd_scope_task && !strcmp(name, "implicit-task-var") && task)
		*ret = task->kind == TASK_IMPLICIT;
	else
		return false;
	return true;
}

/* 5.2, 20.5.10.3: of what has several items a number is one alone. */
static void check_list(struct conform *c, const struct subject *s, const char *name, ompd_rc_t rc,
		       const char *text, const char *asked)
{
	static const char *const lists[][2] = { { "nthreads-var", "OMP_NUM_THREADS" },
						{ "bind-var", "OMP_PROC_BIND" } };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (strcmp(name, lists[i][0]))
			continue;
		bool is_list = count_items(c, lists[i][1]) - s->level > 1;
		c->routine = "ompd_get_icv_from_scope";
		if (rc == ompd_rc_ok && (is_list || (text && strchr(text, ','))))
			conform_tell(c, asked, "incomplete", "ok");
		c->routine = "ompd_get_icv_string_from_scope";
		if (is_list && text && !strchr(text, ','))
			conform_tell(c, asked, "a list", "%s", text);
	}
}

static void check_icv(struct conform *c, const struct subject *s, const struct openmp_icv_row *row,
		      void *handle)
{
	char asked[2 * NAME];
	int64_t truth;
	ompd_word_t value = 0;
	const char *text = NULL;

	snprintf(asked, sizeof(asked), "%s of %s", row->name, s->name);
	ompd_rc_t rc = CALL(c, get_icv_from_scope, handle, row->scope, row->id, &value);
	if (rc != ompd_rc_incomplete && rc != ompd_rc_incompatible)
		conform_is_answered(c, rc, asked);
	if (rc == ompd_rc_ok && find_truth(c, s, row->name, row->scope, &truth))
		conform_expect_number(c, value, truth, asked);
	ompd_rc_t of_text = CALL(c, get_icv_string_from_scope, handle, row->scope, row->id, &text);
	if (of_text == ompd_rc_ok && conform_expect_text(c, of_text, text, asked)) {
		char *end;
		long number = strtol(text, &end, 10);
		if (rc == ompd_rc_ok && !*end)
			conform_expect_number(c, number, value, asked);
	}
	check_list(c, s, row->name, rc, of_text == ompd_rc_ok ? text : NULL, asked);
	if (of_text == ompd_rc_ok)
		free((void *)text);
}

void conform_check_icvs(struct conform *c, const struct subject *s, ompd_scope_t scope,
			void *handle)
{
	/* That is where libompd looks for what it does not have: it is not asked. */
	const char *const *unread = c->w->known[c->runtime].openmp->ops->unread_icvs;

	for (size_t i = 0; handle && i < c->nicvs; i++) {
		if (c->icvs[i].scope == scope &&
		    !(unread && runtime_starts_with(unread, c->icvs[i].name)))
			check_icv(c, s, &c->icvs[i], handle);
	}
}

void conform_forget_icvs(struct conform *c)
{
	while (c->nicvs)
		free((void *)c->icvs[--c->nicvs].name);
}
