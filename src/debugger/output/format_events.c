/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_events.h"

#include "base/text.h"

static const char *const moments[] = {
	[WHEN_ENTERED] = "when it is called",
	[WHEN_RETURNED] = "when it has returned",
	[WHEN_CODE] = "when the code that it is given begins",
	[WHEN_CODE_END] = "when the code that it is given has ended",
	[WHEN_NEVER] = "never",
};

void format_events_row(struct buf *out, const struct event_row *row, size_t functions)
{
	buf_addf(out, "%-20s ", runtime_event_names[row->event]);
	if (row->when == WHEN_NEVER)
		buf_addf(out, "cannot be had: %s", row->note);
	else if (!functions)
		buf_addf(out, "this runtime has no %s()", row->function);
	else
		buf_addf(out, "%s(): %s", row->function, moments[row->when]);
	if (row->when != WHEN_NEVER && row->note)
		buf_addf(out, "; %s", row->note);
	buf_addc(out, '\n');
}

void json_events_row(struct json *j, const struct event_row *row, size_t functions)
{
	json_add_string(j, "event", runtime_event_names[row->event]);
	json_add_string(j, "function", row->function);
	json_add_string(j, "when", moments[row->when]);
	json_add_bool(j, "available", row->when != WHEN_NEVER && functions);
	json_add_string(j, "note", row->note);
}

static void add_sum(struct buf *out, const struct breakpoint *b, enum runtime_event event)
{
	uint64_t sum = 0;

	vec_for_each (n, &b->counted)
		sum += n->event == event ? n->count : 0;
	buf_addf(out, "%-20s %10" PRIu64 "\n", runtime_event_names[event], sum);
}

static void add_construct(struct buf *out, const struct counted_events *n,
			  const struct style *style)
{
	if (n->module)
		style_add_between(out, "in ", text_last_part(n->module), "");
	else
		style_add_inked(out, INK_NAME, n->function ? n->function : "??", style);
	if (n->file) {
		buf_adds(out, " () at ");
		style_add_line(out, n->file, n->line);
	}
}

void format_events_counts(struct buf *out, const struct breakpoint *b, const struct style *style)
{
	int last = -1;

	buf_addf(out, "Catchpoint %d (omp ", b->number);
	style_add_text(out, b->text);
	buf_adds(out, b->counted.len ? ") has counted\n" : ") has counted nothing\n");
	vec_for_each (n, &b->counted) {
		if ((int)n->event != last)
			add_sum(out, b, n->event);
		last = (int)n->event;
		buf_addf(out, "    %27" PRIu64 "  thread %d (LWP %d), ", n->count, n->thread,
			 n->lwp);
		add_construct(out, n, style);
		buf_addc(out, '\n');
	}
	if (b->uncounted)
		buf_addf(out,
			 "and %" PRIu64 " of more constructs and threads than there are rows\n",
			 b->uncounted);
}

static void json_add_construct(struct json *j, const struct counted_events *n)
{
	json_add_string(j, "event", runtime_event_names[n->event]);
	json_add_string(j, "function", n->function);
	json_add_string(j, "file", n->file);
	json_add_positive(j, "line", n->line);
	json_add_string(j, "module", n->module);
}

void json_events_counts(struct json *j, const struct breakpoint *b)
{
	json_add_integer(j, "number", b->number);
	json_add_array(j, "counts");
	vec_for_each (n, &b->counted) {
		json_add_object(j, NULL);
		json_add_construct(j, n);
		json_add_positive(j, "thread", n->thread);
		json_add_integer(j, "lwp", n->lwp);
		json_add_integer(j, "count", (int64_t)n->count);
		json_end(j);
	}
	json_end(j);
	json_add_integer(j, "uncounted", (int64_t)b->uncounted);
}

static double seconds_before(int64_t until, const struct counted_events *n)
{
	return (double)(until - n->last) / 1e6;
}

void format_events_history(struct buf *out, const struct counted_events *const *events, size_t n,
			   size_t most, int64_t until, const struct style *style)
{
	const struct counted_events *last = NULL;
	size_t shown = 0;

	for (size_t i = 0; i < n; last = events[i++]) {
		const struct counted_events *e = events[i];
		if (!last || last->lwp != e->lwp) {
			buf_addf(out, "thread %d (LWP %d)\n", e->thread, e->lwp);
			shown = 0;
		}
		if (shown++ >= most)
			continue;
		buf_addf(out, "    %12.6f s  %-20s ", -seconds_before(until, e),
			 runtime_event_names[e->event]);
		add_construct(out, e, style);
		buf_addf(out, ", %" PRIu64 " in all\n", e->count);
	}
}

void json_events_history(struct json *j, const struct counted_events *const *events, size_t n,
			 size_t most, int64_t until)
{
	size_t i = 0;

	json_add_array(j, "threads");
	while (i < n) {
		const struct counted_events *first = events[i];
		const size_t begin = i;
		json_add_object(j, NULL);
		json_add_positive(j, "thread", first->thread);
		json_add_integer(j, "lwp", first->lwp);
		json_add_array(j, "events");
		for (; i < n && events[i]->lwp == first->lwp; i++) {
			if (i - begin >= most)
				continue;
			json_add_object(j, NULL);
			json_add_construct(j, events[i]);
			json_add_decimal(j, "age", seconds_before(until, events[i]));
			json_add_integer(j, "count", (int64_t)events[i]->count);
			json_end(j);
		}
		json_end(j);
		json_end(j);
	}
	json_end(j);
}
