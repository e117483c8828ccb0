/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_picture.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "debugger/merge.h"
#include "debugger/wait_words.h"

enum { SET_WIDTH_MAX = 64 }; /* of a thread set: longer ones are cut */

static const char *const border_words[NUM_BORDERS] = {
	[BORDER_NONE] = "",
	[BORDER_PARALLEL] = "parallel region",
	[BORDER_TASK] = "task",
	[BORDER_TEAMS] = "teams region",
	[BORDER_TARGET] = "target region",
	[BORDER_CALLBACK] = "called back by the OpenMP runtime",
};

/* The target, its runtimes, and notes ----------------------------------------------------- */

void format_picture_target(struct buf *out, const struct stacks *s, const struct style *style)
{
	style_begin(out, INK_TITLE, style);
	if (s->core)
		style_add_between(out, "core file ", s->core, " of ");
	if (s->pid > 0)
		buf_addf(out, "process %d", s->pid);
	else
		buf_adds(out, "an unknown process");
	if (*s->exe)
		style_add_between(out, " (", s->exe, ")");
	buf_addf(out, ", %zu thread%s", s->threads.len, s->threads.len == 1 ? "" : "s");
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_picture_runtime(struct buf *out, const struct picture_runtime *r,
			    const struct style *style)
{
	buf_adds(out, r->name);
	if (r->version)
		style_add_between(out, r->version_of_compiler ? " of " : ", ", r->version, "");
	if (!r->status || !*r->status)
		return;
	style_begin(out, r->answers ? INK_IDLE : INK_NOTE, style);
	style_add_between(out, " (", r->status, ")");
	style_end(out, style);
}

static void add_note(struct buf *out, const char *note, const struct style *style)
{
	style_begin(out, INK_NOTE, style);
	style_add_between(out, "note: ", note, "");
	style_end(out, style);
	buf_addc(out, '\n');
}

void format_picture_notes(struct buf *out, const struct view *v, const struct style *style)
{
	if (v->stacks->notes.len || v->picture->notes.len)
		buf_addc(out, '\n');
	vec_for_each (note, &v->picture->notes)
		add_note(out, *note, style);
	vec_for_each (note, &v->stacks->notes)
		add_note(out, *note, style);
}

/* Threads --------------------------------------------------------------------------------- */

void format_picture_thread(struct buf *out, const struct view *v, int thread)
{
	const struct picture_thread *t = picture_thread(v->picture, thread);

	if (!t)
		return;
	bool numbered = picture_is_numbered(t);
	if (numbered)
		buf_adds(out, "thread ");
	merge_add_thread_set(out, v->picture, &thread, 1);
	if (!numbered && *view_name(v, thread) &&
	    strcmp(view_name(v, thread), view_name(v, 0)) != 0)
		style_add_between(out, " \"", view_name(v, thread), "\"");
}

/* Cuts a set behind a whole number. */
static void cut_set(struct buf *set)
{
	size_t end = SET_WIDTH_MAX;
	int open = 0;

	if (set->len <= SET_WIDTH_MAX)
		return;
	while (end && set->data[end - 1] != ',' && set->data[end - 1] != ' ')
		end--;
	set->len = end;
	for (size_t i = 0; i < end; i++)
		open += (set->data[i] == '[') - (set->data[i] == ']');
	buf_adds(set, open ? "...]" : "...");
}

void format_picture_set(struct buf *out, const struct view *v, const int *threads, size_t len)
{
	static const char lwps[] = "threads ";
	AUTO_BUF set = { 0 };

	merge_add_thread_set(&set, v->picture, threads, len);
	cut_set(&set);
	const char *text = buf_text(&set);
	if (!strncmp(text, lwps, strlen(lwps)))
		text += strlen(lwps);
	buf_adds(out, text);
	out->failed |= set.failed;
}

void format_picture_threads(struct buf *out, const struct view *v, const int *threads, size_t len)
{
	if (len == 1) {
		format_picture_thread(out, v, *threads);
		return;
	}
	buf_addf(out, "%zu threads: ", len);
	format_picture_set(out, v, threads, len);
}

const struct format_ids format_ids_tasks = { "task", picture_task_id };
const struct format_ids format_ids_regions = { "region", picture_region_id };

void format_picture_ids(struct buf *out, const struct picture *p, const struct format_ids *of,
			const int *items, size_t len)
{
	enum { RANGES = 8 };
	size_t ranges = 0;

	buf_addf(out, "%s%s", of->what, len == 1 ? "" : "s");
	for (size_t i = 0, end; i < len; i = end) {
		const long first = of->id(p, items[i]);
		for (end = i + 1; end < len && of->id(p, items[end]) == first + (long)(end - i);)
			end++;
		if (ranges++ == RANGES) {
			buf_adds(out, " ...");
			return;
		}
		buf_addf(out, " %ld", first);
		if (end > i + 1)
			buf_addf(out, "-%ld", first + (long)(end - i) - 1);
	}
}

/* Waits ----------------------------------------------------------------------------------- */

bool format_picture_place(struct buf *out, const struct place *place)
{
	if (place->file) {
		buf_adds(out, "at ");
		style_add_line(out, place->file, place->line);
	} else if (place->function) {
		style_add_between(out, "in ", place->function, "");
	} else if (place->code) {
		style_add_between(out, "at ", place->code, "");
	}
	return place_is_known(place);
}

static void add_details(struct buf *out, const struct picture_wait *w, int details)
{
	const char *name = details & WITH_NAME ? w->name : w->variable;

	if (name) {
		style_add_between(out, " '", name, "'");
	} else if ((details & WITH_OBJECT) && w->object) {
		buf_addf(out, " 0x%" PRIxTADDR, w->object);
	}
	if ((details & (WITH_CALL | WITH_FUNCTION)) && w->name) {
		style_add_between(out, details & WITH_FUNCTION ? " in " : " ", w->name, "(");
		if ((details & WITH_FD) && w->fd >= 0)
			buf_addf(out, "%d", w->fd);
		buf_addc(out, ')');
	}
	if ((details & WITH_SIGNAL) && w->name)
		style_add_between(out, " ", w->name, "");
	if ((details & WITH_ENTRY) && w->api)
		style_add_between(out, " (", w->api, ")");
}

static void add_holder(struct buf *out, const struct view *v, const struct picture_wait *w)
{
	const char *words = wait_words(w->kind)->holder;

	if (!words || (!picture_thread(v->picture, w->holder) && !w->ncandidates))
		return;
	buf_adds(out, w->holder < 0 || w->holder_source == SOURCE_INFERRED ? ", probably " : ", ");
	buf_addf(out, "%s ", words);
	merge_add_holder(out, v->picture, w);
}

void format_picture_wait(struct buf *out, const struct view *v, int thread, bool many)
{
	const struct picture_wait *w = &v->picture->threads.items[thread].wait;
	const struct wait_words *words = wait_words(picture_wait_kind(w));

	buf_adds(out, many ? words->many : words->one);
	if (!w->name && words->unnamed)
		buf_addf(out, " %s", words->unnamed);
	add_details(out, w, words->details);
	if (w->total > 0)
		buf_addf(out, " (%ld of %ld arrived)", w->arrived, w->total);
	add_holder(out, v, w);
	if (w->spinning && w->kind != WAIT_MEMORY && w->kind != WAIT_PASSING)
		buf_adds(out, ", spinning");
}

void format_picture_state(struct buf *out, const struct view *v, int thread, bool many)
{
	const struct picture_thread *th = &v->picture->threads.items[thread];
	const char *held = wait_words_held(th->held);

	buf_addf(out, "%s%s", held ? held : "", held && th->wait.kind != WAIT_NONE ? ", " : "");
	if (!held || th->wait.kind != WAIT_NONE)
		format_picture_wait(out, v, thread, many);
}

/* Not where the reader sees the thread, or nothing of it is seen. */
static bool is_elsewhere(const struct place *place, const struct stitched_frame *shown)
{
	if (!place->file && !place->function)
		return false;
	if (!shown)
		return true;
	if (!place->file)
		return !text_same(place->function, shown->function);
	return place->line != shown->line || !text_same(place->file, shown->file);
}

void format_picture_wait_below(struct buf *out, const struct view *v, int thread, bool many)
{
	const struct place *place = &v->picture->threads.items[thread].wait.place;

	format_picture_state(out, v, thread, many);
	if (is_elsewhere(place, stitch_innermost(v->stitched, thread))) {
		buf_adds(out, ", ");
		format_picture_place(out, place);
	}
}

enum ink format_picture_wait_ink(enum wait_kind kind)
{
	const struct wait_traits *traits = wait_kind_traits(kind);

	if (traits->whom == FOR_NOT_KNOWN)
		return INK_NOTE;
	if (traits->whom == FOR_WORK)
		return INK_IDLE;
	return wait_kind_is_wait(kind) && !traits->is_outside ? INK_WAIT : INK_BUSY;
}

void format_picture_wait_line(struct buf *out, const struct view *v, int thread, bool many,
			      const struct style *style)
{
	style_begin(out, format_picture_wait_ink(v->picture->threads.items[thread].wait.kind),
		    style);
	style_mark(out, MARK_ARROW, style);
	format_picture_wait_below(out, v, thread, many);
	style_end(out, style);
	buf_addc(out, '\n');
}

/* Regions and borders --------------------------------------------------------------------- */

void format_picture_region(struct buf *out, const struct view *v, int region)
{
	const struct picture_region *r = picture_region(v->picture, region);

	buf_addf(out, r && r->league ? "teams region" : "parallel region");
	if (!r)
		return;
	buf_addf(out, " %ld", picture_region_id(v->picture, region));
	if (r->size > 0)
		buf_addf(out, r->league ? ", league of %ld" : ", team of %ld", r->size);
	if (r->level > 0)
		buf_addf(out, ", level %d", r->level);
}

static void add_region_border(struct buf *out, const struct view *v, const struct border *b)
{
	const struct picture_region *r = picture_region(v->picture, b->region);
	const struct place *place = b->place.file || !r ? &b->place : &r->place;
	long team;
	size_t number;

	if (r)
		format_picture_region(out, v, b->region);
	else
		buf_adds(out, border_words[b->kind]);
	if (place_is_known(place))
		buf_adds(out, ", ");
	format_picture_place(out, place);
	if (r && picture_starter(v->picture, b->region, &team, &number))
		buf_addf(out, "%s by thread %ld.%zu", place_is_known(place) ? "" : ",", team,
			 number);
}

static void add_task_border(struct buf *out, const struct view *v, const struct border *b)
{
	bool placed = place_is_known(&b->place);
	bool created = picture_thread(v->picture, b->creator) != NULL;

	buf_adds(out, placed || created ? "task created " : "task");
	format_picture_place(out, &b->place);
	if (!created)
		return;
	buf_adds(out, placed ? " by " : "by ");
	format_picture_thread(out, v, b->creator);
}

void format_picture_border(struct buf *out, const struct view *v, const struct border *b)
{
	if (b->source == SOURCE_INFERRED)
		buf_adds(out, "probably ");
	switch (b->kind) {
	case BORDER_PARALLEL:
	case BORDER_TEAMS:
		add_region_border(out, v, b);
		return;
	case BORDER_TASK:
		add_task_border(out, v, b);
		return;
	case BORDER_TARGET:
	case BORDER_CALLBACK:
		buf_adds(out, border_words[b->kind]);
		if (place_is_known(&b->place))
			buf_addc(out, ' ');
		format_picture_place(out, &b->place);
		return;
	case BORDER_NONE:
	case NUM_BORDERS:
		return;
	}
}
