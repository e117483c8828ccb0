/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/host_answer.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"

enum { GROUPS_MOST = 100000, RANKS_MOST = 1 << 20, STATUS_MOST = 255 };

void host_answer_fini(struct host_answer *a)
{
	vec_for_each (group, &a->groups) {
		vec_fini(&group->ranks);
		free(group->text);
		free(group->complaint);
		report_fini(&group->report);
	}
	vec_fini(&a->groups);
}

static struct error *no_answer(const char *what)
{
	return error_new(ERROR_BAD_DATA, "its answer makes no sense: %s", what);
}

/* Lines of text, each fit for a terminal. NULL: out of memory. */
static char *lines_of(const json_t *value)
{
	const char *at = json_is_string(value) ? json_string_value(value) : "";
	AUTO_BUF text = { 0 };

	while (*at) {
		const size_t len = strcspn(at, "\n");
		text_escape(&text, at, len);
		buf_adds(&text, at[len] ? "\n" : "");
		at += len + (at[len] != '\0');
	}
	return text.failed ? NULL : strdup(buf_text(&text));
}

/* [[first, last], ...], rising. */
static struct error *read_ranks(const json_t *from, struct host_group *ret)
{
	long before = -1;

	for (size_t i = 0; i < json_array_size(from); i++) {
		const json_t *range = json_array_get(from, i);
		const json_int_t first = json_integer_value(json_array_get(range, 0));
		const json_int_t last = json_integer_value(json_array_get(range, 1));
		if (json_array_size(range) != 2 || first <= before || last < first ||
		    last >= RANKS_MOST)
			return no_answer("its ranks");
		for (before = (long)first; before <= (long)last; before++) {
			if (!vec_push(&ret->ranks, before))
				return &error_nomem;
		}
		before = (long)last;
	}
	return ret->ranks.len ? NULL : no_answer("an answer of no rank");
}

static struct error *read_group(const json_t *from, struct host_group *ret, struct outline *outline)
{
	const json_t *report = json_object_get(from, "report");
	const json_t *object = json_object_get(from, "object");
	const char *key = json_string_value(json_object_get(from, "key"));
	const json_int_t status = json_integer_value(json_object_get(from, "status"));
	struct error *err = read_ranks(json_object_get(from, "ranks"), ret);

	if (err)
		return err;
	if (status < 0 || status > STATUS_MOST || !key)
		return no_answer("its status");
	ret->status = (int)status;
	ret->key = strtoull(key, NULL, 16);
	ret->text = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII)
			   : lines_of(json_object_get(from, "text"));
	ret->complaint = lines_of(json_object_get(from, "messages"));
	if (!ret->text || !ret->complaint)
		return &error_nomem;
	return json_is_object(report) ? report_read_object(report, ret->ranks.items, ret->ranks.len,
							   &ret->report, outline)
				      : NULL;
}

static struct error *read_object(const json_t *from, const char *version, struct host_answer *ret,
				 struct outline *outline)
{
	const char *other = json_string_value(json_object_get(from, "version"));
	const json_t *groups = json_object_get(from, "groups");
	const json_int_t missing = json_integer_value(json_object_get(from, "missing"));
	AUTO_BUF escaped = { 0 };
	struct error *err = NULL;
	size_t ranks = 0;

	if (!other)
		return no_answer("it has no version");
	text_escape(&escaped, other, strlen(other));
	if (strcmp(other, version) != 0)
		return error_new(ERROR_UNSUPPORTED, "ompdb has version %s there, and %s here",
				 buf_text(&escaped), version);
	if (missing < 0 || missing > RANKS_MOST || json_array_size(groups) > GROUPS_MOST)
		return no_answer("too much of it");
	ret->missing = (size_t)missing;
	for (size_t i = 0; !err && i < json_array_size(groups); i++) {
		if (!vec_push(&ret->groups, (struct host_group){ 0 }))
			return &error_nomem;
		err = read_group(json_array_get(groups, i), &ret->groups.items[i], outline);
		ranks += ret->groups.items[i].ranks.len;
		if (!err && ranks > RANKS_MOST)
			err = no_answer("it has too many ranks");
	}
	return err;
}

struct error *host_answer_read(const char *text, size_t len, const char *version,
			       struct host_answer *ret, struct outline *outline)
{
	json_error_t where;
	json_t *from = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);

	if (!from)
		return no_answer(where.text);
	struct error *err = read_object(from, version, ret, outline);
	json_decref(from);
	return err;
}
