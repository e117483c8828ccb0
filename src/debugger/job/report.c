/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/report.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

#include "base/text.h"

enum {
	CALLS_MOST = 10000,
	LINES_MOST = 1 << 20,
	DEPTH_MOST = 1100, /* of lines: more than json_report.h writes */
};

void report_fini(struct report *r)
{
	vec_for_each (call, &r->calls) {
		free(call->thread);
		free(call->name);
		free(call->where);
	}
	vec_fini(&r->calls);
	vec_for_each (count, &r->counts)
		free(count->what);
	vec_fini(&r->counts);
	vec_fini_all(&r->notes);
	free(r->summary);
	free(r->thread);
	free(r->where);
	free(r->reason);
	*r = (struct report){ .decides = -1, .threads = MPI_THREADS_UNKNOWN };
}

static struct error *no_report(const char *what)
{
	return error_new(ERROR_BAD_DATA, "the report of a rank makes no sense: %s", what);
}

/* A copy that is fit for a terminal, "" of what is no text. NULL: out of memory. */
static char *text_of(const json_t *value)
{
	AUTO_BUF text = { 0 };

	if (json_is_string(value))
		text_escape(&text, json_string_value(value), json_string_length(value));
	return text.failed ? NULL : strdup(buf_text(&text));
}

/* Within limits, else what there is in its place. */
static long number_of(const json_t *value, long least, long most, long otherwise)
{
	if (!json_is_integer(value) || json_integer_value(value) < least ||
	    json_integer_value(value) > most)
		return otherwise;
	return (long)json_integer_value(value);
}

/* Which of n names a text is; otherwise: none. */
static int name_of(const json_t *value, const char *(*name)(int), int n, int otherwise)
{
	const char *text = json_string_value(value);

	for (int i = 0; text && i < n; i++) {
		if (!strcmp(name(i), text))
			return i;
	}
	return otherwise;
}

static const char *verdict_name(int i)
{
	return why_verdict_name((enum why_verdict)i);
}

static const char *confidence_name(int i)
{
	return why_confidence_name((enum why_confidence)i);
}

static const char *comm_name(int i)
{
	return mpi_comm_name((enum mpi_comm)i);
}

static long argument_of(const json_t *value)
{
	return number_of(value, MPI_NUMBER_NONE, INT_MAX, MPI_NUMBER_UNKNOWN);
}

static bool read_call(const json_t *from, struct report_call *ret)
{
	ret->thread = text_of(json_object_get(from, "thread"));
	ret->name = text_of(json_object_get(from, "name"));
	ret->where = text_of(json_object_get(from, "where"));
	ret->peer = argument_of(json_object_get(from, "peer"));
	ret->tag = argument_of(json_object_get(from, "tag"));
	ret->to = argument_of(json_object_get(from, "to"));
	ret->to_tag = argument_of(json_object_get(from, "to_tag"));
	ret->comm = (enum mpi_comm)name_of(json_object_get(from, "comm"), comm_name, NUM_MPI_COMMS,
					   MPI_COMM_UNKNOWN);
	ret->kind = ret->name ? mpi_kind_of(ret->name) : MPI_OTHER;
	return ret->thread && ret->name && ret->where;
}

static struct error *read_calls(const json_t *calls, struct report *ret)
{
	for (size_t i = 0; i < json_array_size(calls) && i < CALLS_MOST; i++) {
		if (!vec_push(&ret->calls, (struct report_call){ 0 }) ||
		    !read_call(json_array_get(calls, i), &ret->calls.items[i]))
			return &error_nomem;
	}
	return NULL;
}

static struct error *read_why(const json_t *from, struct report *ret)
{
	const json_t *cause = json_object_get(from, "cause");

	ret->judged = json_is_string(json_object_get(from, "verdict"));
	ret->verdict = (enum why_verdict)name_of(json_object_get(from, "verdict"), verdict_name,
						 NUM_WHY_VERDICTS, WHY_UNKNOWN);
	ret->confidence =
		(enum why_confidence)name_of(json_object_get(from, "confidence"), confidence_name,
					     NUM_WHY_CONFIDENCES, WHY_GUESS);
	ret->looks = number_of(json_object_get(from, "looks"), 0, INT_MAX, 0);
	ret->moved = json_is_true(json_object_get(from, "moved"));
	ret->uncounted = json_is_true(json_object_get(from, "uncounted"));
	ret->decides = (int)number_of(json_object_get(from, "decides"), 0, CALLS_MOST, -1);
	ret->threads = (int)number_of(json_object_get(from, "threads"), 0, MPI_THREADS_MULTIPLE,
				      MPI_THREADS_UNKNOWN);
	ret->summary = text_of(json_object_get(from, "summary"));
	if (!ret->summary)
		return &error_nomem;
	if (json_is_object(cause)) {
		ret->thread = text_of(json_object_get(cause, "thread"));
		ret->where = text_of(json_object_get(cause, "where"));
		ret->reason = text_of(json_object_get(cause, "reason"));
		ret->outside = json_is_true(json_object_get(cause, "outside"));
		if (!ret->thread || !ret->where || !ret->reason)
			return &error_nomem;
	}
	return read_calls(json_object_get(from, "calls"), ret);
}

/* Whose report it is. */
struct reporters {
	const long *ranks; /* rising */
	size_t n;
};

/* [depth, kind, text, where, threads, how many]; depth 1: outermost. */
static struct error *read_line(const json_t *from, const struct reporters *of,
			       struct outline_node **path, long *depth, struct outline *outline)
{
	const long at = number_of(json_array_get(from, 0), 1, *depth + 1, 0);
	const long kind = number_of(json_array_get(from, 1), 0, NUM_OUTLINES - 1, -1);
	const long n = number_of(json_array_get(from, 5), 1, LINES_MOST, 0);
	AUTO_FREE char *text = text_of(json_array_get(from, 2));
	AUTO_FREE char *where = text_of(json_array_get(from, 3));
	AUTO_FREE char *threads = text_of(json_array_get(from, 4));

	if (!at || at > DEPTH_MOST || kind < 0 || !n)
		return no_report("a line of its stacks");
	if (!text || !where || !threads)
		return &error_nomem;
	path[at] = outline_add(outline, path[at - 1], (enum outline_kind)kind, text, where);
	if (!path[at] || !outline_add_set(path[at], threads, (size_t)n, of->ranks, of->n))
		return &error_nomem;
	*depth = at;
	return NULL;
}

static struct error *read_lines(const json_t *lines, const struct reporters *of,
				struct outline *outline)
{
	struct outline_node *path[DEPTH_MOST + 2] = { NULL };
	struct error *err = NULL;
	long depth = 0;

	for (size_t i = 0; !err && i < json_array_size(lines) && i < LINES_MOST; i++)
		err = read_line(json_array_get(lines, i), of, path, &depth, outline);
	return err;
}

static struct error *read_notes(const json_t *notes, struct report *ret)
{
	for (size_t i = 0; i < json_array_size(notes) && i < CALLS_MOST; i++) {
		char *note = text_of(json_array_get(notes, i));
		if (note && vec_push(&ret->notes, note))
			continue;
		free(note);
		return &error_nomem;
	}
	return NULL;
}

/* [what, how many] */
static struct error *read_counts(const json_t *counts, struct report *ret)
{
	for (size_t i = 0; i < json_array_size(counts) && i < CALLS_MOST; i++) {
		const json_t *from = json_array_get(counts, i);
		struct report_count count = {
			.what = text_of(json_array_get(from, 0)),
			.n = number_of(json_array_get(from, 1), 0, INT_MAX, 0),
		};
		if (count.what && vec_push(&ret->counts, count))
			continue;
		free(count.what);
		return &error_nomem;
	}
	return NULL;
}

struct error *report_read_object(const json_t *from, const long *ranks, size_t n,
				 struct report *ret, struct outline *outline)
{
	const struct reporters of = { ranks, n };

	if (!json_is_object(from) || json_integer_value(json_object_get(from, "v")) != 1)
		return no_report("it is no object of version 1");
	struct error *err = read_why(from, ret);
	if (!err)
		err = read_notes(json_object_get(from, "notes"), ret);
	if (!err)
		err = read_counts(json_object_get(from, "counts"), ret);
	return err ? err : read_lines(json_object_get(from, "lines"), &of, outline);
}

struct error *report_read(const char *text, size_t len, long rank, struct report *ret,
			  struct outline *outline)
{
	json_error_t where;
	json_t *from = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);

	if (!from)
		return no_report(where.text);
	struct error *err = report_read_object(from, &rank, 1, ret, outline);
	json_decref(from);
	return err;
}
