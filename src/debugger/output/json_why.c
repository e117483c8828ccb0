/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_why.h"

#include "debugger/output/json_picture.h"
#include "debugger/output/json_value.h"

/* A number >= 0 with three decimals, else null. printf() would do as the locale says. */
static void add_decimal(struct buf *out, double x)
{
	static const double most = 1e12; /* fits when multiplied */

	if (!(x >= 0)) {
		buf_adds(out, "null");
		return;
	}
	uint64_t thousandths = (uint64_t)((x < most ? x : most) * 1000 + 0.5);
	buf_addf(out, "%" PRIu64 ".%03" PRIu64, thousandths / 1000, thousandths % 1000);
}

/* "lwp":N|null,"omp":"T.N"|null */
static void add_thread(struct buf *out, const struct view *v, int thread)
{
	const struct picture_thread *t = view_thread(v, thread);
	AUTO_BUF name = { 0 };

	if (t && t->region >= 0 && t->number >= 0)
		picture_add_thread_name(&name, v->picture, thread);
	buf_adds(out, "\"lwp\":");
	json_picture_lwp(out, v, thread);
	buf_adds(out, ",\"omp\":");
	json_value_string(out, name.data);
	out->failed |= name.failed;
}

static void add_place(struct buf *out, const struct place *place)
{
	buf_adds(out, ",\"function\":");
	json_value_string(out, place->function);
	buf_adds(out, ",\"file\":");
	json_value_string(out, place->file);
	buf_adds(out, ",\"line\":");
	json_value_positive(out, place->line);
}

static void add_blame(struct buf *out, const struct view *v, const struct why_blame *b)
{
	buf_addc(out, '{');
	add_thread(out, v, b->thread);
	add_place(out, &b->place);
	buf_adds(out, ",\"reason\":");
	json_value_string(out, b->reason ? b->reason : "");
	buf_adds(out, ",\"threads\":[");
	for (size_t i = 0; i < b->threads.len; i++) {
		json_picture_comma(out, i);
		json_picture_lwp(out, v, b->threads.items[i]);
	}
	buf_adds(out, "]}");
}

/* Kinds of "waits" that are none: the thread runs, may run, or is not needed. */
static const bool is_no_wait[NUM_WAIT_KINDS] = {
	[WAIT_NONE] = true,
	[WAIT_IDLE] = true,
	[WAIT_RUNTIME] = true,
	[WAIT_UNKNOWN] = true,
};

static const char *holder_confidence(const struct view *v, const struct picture_wait *w)
{
	if (!view_thread(v, w->holder))
		return "unknown";
	switch (w->holder_source) {
	case SOURCE_OMPD:
	case SOURCE_MEMORY:
		return "known";
	case SOURCE_INFERRED:
		return "probable";
	case SOURCE_NONE:
		return "unknown";
	}
	return "unknown";
}

static void add_wait(struct buf *out, const struct view *v, int thread)
{
	const struct picture_wait *w = &v->picture->threads.items[thread].wait;

	buf_addc(out, '{');
	add_thread(out, v, thread);
	buf_addf(out, ",\"kind\":\"%s\",\"object\":", picture_wait_name(w->kind));
	json_value_address(out, w->object);
	buf_adds(out, ",\"name\":");
	json_value_string(out, w->name);
	buf_adds(out, ",\"holder\":{\"lwp\":");
	json_picture_lwp(out, v, w->holder);
	buf_addf(out, ",\"confidence\":\"%s\"}", holder_confidence(v, w));
	add_place(out, &w->place);
	buf_addc(out, '}');
}

static void add_waits(struct buf *out, const struct view *v)
{
	size_t n = 0;

	buf_adds(out, ",\"waits\":[");
	for (size_t i = 0; i < v->picture->threads.len; i++) {
		if (is_no_wait[v->picture->threads.items[i].wait.kind])
			continue;
		json_picture_comma(out, n++);
		add_wait(out, v, (int)i);
	}
	buf_addc(out, ']');
}

static void add_strings(struct buf *out, const char *name, char *const *strings, size_t len)
{
	buf_addf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < len; i++) {
		json_picture_comma(out, i);
		json_value_string(out, strings[i]);
	}
	buf_addc(out, ']');
}

static void add_progress(struct buf *out, const struct progress *p)
{
	size_t moved = 0;
	double load = -1; /* of no thread it is known */

	vec_for_each (t, &p->threads) {
		moved += t->moved;
		if (t->load >= 0)
			load = t->load + (load < 0 ? 0 : load);
	}
	buf_addf(out, ",\"samples\":%u,\"progress\":{\"seconds\":", p->looks);
	add_decimal(out, p->seconds);
	buf_adds(out, ",\"barriers\":");
	json_value_natural(out, p->barriers);
	buf_addf(out, ",\"moved\":%zu,\"threads\":%zu,\"load\":", moved, p->threads.len);
	add_decimal(out, load);
	buf_adds(out, "},");
}

void json_why(struct buf *out, const struct view *v, const struct why *w,
	      const struct progress *progress)
{
	json_picture_begin(out, v, "why");
	buf_addf(out, ",\"verdict\":\"%s\",\"class\":\"%s\",\"confidence\":\"%s\",\"summary\":",
		 why_verdict_name(w->verdict), why_class_name(w->class),
		 why_confidence_name(w->confidence));
	json_value_string(out, w->summary ? w->summary : "");
	buf_adds(out, ",\"blame\":[");
	for (size_t i = 0; i < w->blame.len; i++) {
		json_picture_comma(out, i);
		add_blame(out, v, &w->blame.items[i]);
	}
	buf_addc(out, ']');
	add_waits(out, v);
	add_strings(out, "reasons", w->reasons.items, w->reasons.len);
	add_strings(out, "hints", w->hints.items, w->hints.len);
	add_progress(out, progress);
	json_picture_notes(out, v);
	buf_adds(out, "}\n");
}
