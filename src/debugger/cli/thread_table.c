/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/thread_table.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/cli/running.h"
#include "debugger/look.h"
#include "debugger/output/format_picture.h"
#include "debugger/values/lock_names.h"
#include "debugger/wait_words.h"

/* More threads of an OpenMP program than these are told in groups. */
enum { LINES_MAX = 16 };

/* An inferior. */
struct part {
	struct debuggee debuggee;
	struct look look; /* empty: there is no OpenMP in it */
	struct view view;
};

struct row {
	const struct part *part; /* borrowed */
	const struct numbered_thread *thread;
	int in_picture;    /* its index there; -1: no OpenMP runtime knows it   */
	struct buf openmp; /* owned; "0.2", "idle"; empty: nothing             */
	struct buf target; /* owned; "LWP 4711 "app""                           */
	struct buf place;  /* owned; where it stands, and what it waits for     */
	bool selected, listed;
};

struct table {
	struct cli *cli;
	bool openmp; /* there is, in one of the parts */
	VEC(struct part) parts;
	VEC(struct row) rows;
};

static void table_fini(struct table *t)
{
	vec_for_each (row, &t->rows) {
		buf_fini(&row->openmp);
		buf_fini(&row->target);
		buf_fini(&row->place);
	}
	vec_fini(&t->rows);
	vec_for_each (part, &t->parts)
		look_fini(&part->look);
	vec_fini(&t->parts);
}

const char *thread_table_name(const struct debuggee *d, const struct numbered_thread *th)
{
	struct target *t = d->session->target;
	struct thread *known = target_find_thread(t, th->lwp);

	if (th->name)
		return th->name;
	return known ? target_thread_name(t, known) : "";
}

/* Core files have no names of threads. */
static void add_quoted_name(struct buf *out, const struct debuggee *d,
			    const struct numbered_thread *th)
{
	const char *name = thread_table_name(d, th);

	if (!*name)
		return;
	buf_adds(out, " \"");
	style_add_text(out, name);
	buf_addc(out, '"');
}

void thread_table_add_identity(struct cli *c, struct json *j, const struct debuggee *d,
			       const struct numbered_thread *th)
{
	json_add_integer(j, "inferior", d->number);
	json_add_integer(j, "thread", th->number);
	json_add_integer(j, "lwp", th->lwp);
	json_add_string(j, "name", thread_table_name(d, th));
	json_add_bool(j, "selected", d->number == c->control->inferior && th->lwp == d->selected);
	json_add_bool(j, "frozen", th->frozen);
}

/* The selected one; NULL: none is. */
static const struct numbered_thread *find_selected(struct cli *c, struct debuggee *ret)
{
	if (!forks_debuggee(c->control, c->control->inferior, ret) || !ret->session)
		return NULL;
	return threads_by_lwp(ret->threads, ret->selected);
}

static void add_number(const struct cli *c, struct buf *out, const struct debuggee *d,
		       const struct numbered_thread *th)
{
	const struct thread_id id = { d->number, th->number };

	thread_ids_add(c, out, &id);
}

static void add_object_of_selected(struct cli *c, const struct debuggee *d,
				   const struct numbered_thread *th)
{
	struct json j;

	cli_json_begin(c, &j, "thread");
	thread_table_add_identity(c, &j, d, th);
	cli_json_end(c, &j);
}

void thread_table_add_head(struct cli *c)
{
	struct debuggee d;
	const struct numbered_thread *th = find_selected(c, &d);

	if (th && c->json) {
		add_object_of_selected(c, &d, th);
	} else if (th) {
		buf_adds(&c->out, "\nThread ");
		add_number(c, &c->out, &d, th);
		buf_addf(&c->out, " (LWP %d", th->lwp);
		add_quoted_name(&c->out, &d, th);
		buf_adds(&c->out, "):\n");
	}
}

void thread_table_tell(struct cli *c, const char *what)
{
	struct debuggee d;
	const struct numbered_thread *th = find_selected(c, &d);

	if (th && c->json) {
		add_object_of_selected(c, &d, th);
	} else if (th) {
		buf_addf(&c->out, "[%s ", what);
		add_number(c, &c->out, &d, th);
		buf_addf(&c->out, " (LWP %d)]\n", th->lwp);
	}
}

/* ---- what there is to say of a thread --------------------------------------------------- */

/* Its innermost frame, while another thread stays selected; without the line break. */
static struct error *add_frame(struct cli *c, const struct part *part, struct thread *th,
			       struct buf *out)
{
	struct report_place place = { 0 };
	struct frames frames = { 0 };
	struct buf kept = c->out;

	c->out = (struct buf){ 0 };
	frames_select(&frames, part->debuggee.session, th, 0);
	struct error *err = running_add_frame(c, &frames, 0, &place);
	buf_add(out, c->out.data, strcspn(buf_text(&c->out), "\n"));
	report_place_fini(&place);
	frames_fini(&frames);
	buf_fini(&c->out);
	c->out = kept;
	return err;
}

/* The innermost frame of the user's code: what the runtime does below is said in words. */
static bool add_user_frame(const struct table *t, const struct row *row, struct buf *out)
{
	const struct view *v = &row->part->view;
	const struct stitched_frame *f =
		row->in_picture < 0 ? NULL : stitch_innermost(v->stitched, row->in_picture);
	const struct picture_thread *th = picture_thread(v->picture, row->in_picture);

	if (!f || !f->function || !th || th->wait.kind == WAIT_NONE)
		return false;
	running_add_function(t->cli, out, f);
	return true;
}

static void add_wait(const struct table *t, const struct row *row, struct buf *out, bool many)
{
	const struct view *v = &row->part->view;
	const struct picture_thread *th =
		v->picture ? picture_thread(v->picture, row->in_picture) : NULL;
	AUTO_BUF wait = { 0 };

	if (!th || th->wait.kind == WAIT_NONE)
		return;
	format_picture_wait(&wait, v, row->in_picture, many);
	if (!wait.len)
		return;
	buf_addc(out, ' ');
	style_mark(out, MARK_ARROW, &t->cli->style);
	style_begin(out, format_picture_wait_ink(th->wait.kind), &t->cli->style);
	buf_add(out, wait.data, wait.len);
	style_end(out, &t->cli->style);
}

static struct error *fill_place(struct table *t, struct row *row)
{
	struct target *target = row->part->debuggee.session->target;
	struct thread *known = target_find_thread(target, row->thread->lwp);

	if (!known || !thread_state_stands(known->state)) {
		buf_adds(&row->place, "(not stopped)");
		return NULL;
	}
	if (row->in_picture >= 0 && add_user_frame(t, row, &row->place))
		return NULL;
	return add_frame(t->cli, row->part, known, &row->place);
}

static void fill_names(struct row *row)
{
	const struct numbered_thread *th = row->thread;
	const struct picture *p = row->part->view.picture;
	const struct picture_thread *in =
		row->in_picture < 0 ? NULL : picture_thread(p, row->in_picture);

	buf_addf(&row->target, "LWP %d", th->lwp);
	add_quoted_name(&row->target, &row->part->debuggee, th);
	buf_adds(&row->target, th->frozen ? " (frozen)" : "");
	if (picture_is_numbered(in))
		picture_add_thread_name(&row->openmp, p, row->in_picture);
	else if (in && in->role == ROLE_IDLE)
		buf_adds(&row->openmp, "idle");
	else if (in && in->role == ROLE_HELPER)
		buf_adds(&row->openmp, "hidden helper");
}

static int find_in_picture(const struct part *part, pid_t lwp)
{
	const struct picture *p = part->view.picture;

	for (size_t i = 0; p && i < p->threads.len; i++) {
		if (p->threads.items[i].lwp == lwp)
			return (int)i;
	}
	return -1;
}

static struct error *add_row(struct table *t, const struct part *part,
			     const struct numbered_thread *th)
{
	struct row row = { .part = part,
			   .thread = th,
			   .in_picture = find_in_picture(part, th->lwp),
			   .selected = th->lwp == part->debuggee.selected };

	fill_names(&row);
	struct error *err = fill_place(t, &row);
	const struct picture_thread *in =
		row.in_picture < 0 ? NULL : picture_thread(part->view.picture, row.in_picture);
	if (in && in->held)
		buf_addf(&row.place, ", %s", wait_words_held(in->held));
	if (!err && vec_push(&t->rows, row))
		return NULL;
	buf_fini(&row.openmp);
	buf_fini(&row.target);
	buf_fini(&row.place);
	return err ? err : &error_nomem;
}

/* The program has a runtime: all of its threads are looked at. */
static struct error *look_at_openmp(struct part *part)
{
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT,
						  .few_names = true,
						  .more = lock_names_find };
	struct error *err = look_once(part->debuggee.session, &options, &part->look);

	if (!err)
		err = snapshot_name(part->look.snapshot);
	if (err || !part->look.snapshot->picture.runtimes.len)
		return err;
	threads_mark_held(part->debuggee.threads, &part->look.snapshot->picture);
	part->view = (struct view){ .stacks = part->look.snapshot->stacks,
				    .picture = &part->look.snapshot->picture,
				    .stitched = &part->look.snapshot->stitched };
	return NULL;
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Its index in the picture; -1: none. */
static int region_of(const struct row *row)
{
	const struct picture_thread *in =
		row->in_picture < 0 ? NULL
				    : picture_thread(row->part->view.picture, row->in_picture);

	return in ? in->region : -1;
}

static bool are_alike(const struct table *t, const struct row *a, const struct row *b)
{
	AUTO_BUF x = { 0 }, y = { 0 };

	if (a->part != b->part || strcmp(buf_text(&a->place), buf_text(&b->place)) != 0 ||
	    !a->openmp.len != !b->openmp.len || region_of(a) != region_of(b))
		return false;
	add_wait(t, a, &x, false);
	add_wait(t, b, &y, false);
	return !strcmp(buf_text(&x), buf_text(&y));
}

/* "2-4,7", "2.2-4,2.7" */
static void add_numbers(const struct cli *c, struct buf *out, int inferior,
			const struct ints *numbers)
{
	for (size_t i = 0; i < numbers->len;) {
		size_t last = i;
		while (last + 1 < numbers->len &&
		       numbers->items[last + 1] == numbers->items[last] + 1)
			last++;
		const struct thread_id id = { inferior, numbers->items[i] };
		buf_adds(out, i ? "," : "");
		thread_ids_add(c, out, &id);
		if (last > i)
			buf_addf(out, "-%d", numbers->items[last]);
		i = last + 1;
	}
}

static void add_line(const struct table *t, const struct row *row, const char *id,
		     const char *openmp, const char *target)
{
	struct buf *out = &t->cli->out;

	buf_addf(out, "%c %-4s ", row->selected ? '*' : ' ', id);
	if (t->openmp)
		buf_addf(out, "%-10s ", openmp);
	buf_addf(out, "%-32s %s", target, buf_text(&row->place));
	add_wait(t, row, out, strstr(target, " threads"));
	buf_addc(out, '\n');
}

/* A row and those behind it that are alike. */
static struct error *add_group(struct table *t, size_t first)
{
	AUTO_BUF id = { 0 }, target = { 0 }, openmp = { 0 };
	struct ints numbers = { 0 }, members = { 0 };
	struct row row = t->rows.items[first];
	bool ok = true;

	for (size_t i = first; i < t->rows.len && ok; i++) {
		struct row *other = &t->rows.items[i];
		if (other->listed || !are_alike(t, &t->rows.items[first], other))
			continue;
		other->listed = true;
		row.selected |= other->selected;
		ok = vec_push(&numbers, other->thread->number) &&
		     vec_push(&members, other->in_picture);
	}
	add_numbers(t->cli, &id, row.part->debuggee.number, &numbers);
	if (row.openmp.len)
		format_picture_set(&openmp, &row.part->view, members.items, members.len);
	if (numbers.len > 1)
		buf_addf(&target, "%zu threads", numbers.len);
	else
		buf_adds(&target, buf_text(&row.target));
	add_line(t, &row, buf_text(&id), buf_text(&openmp), buf_text(&target));
	vec_fini(&numbers);
	vec_fini(&members);
	return ok ? NULL : &error_nomem;
}

static struct error *add_lines(struct table *t, bool grouped)
{
	struct error *err = NULL;

	buf_addf(&t->cli->out, "  Id   %s%-32s Frame \n", t->openmp ? "OpenMP     " : "",
		 "Target Id");
	for (size_t i = 0; i < t->rows.len && !err; i++) {
		const struct row *row = &t->rows.items[i];
		AUTO_BUF id = { 0 };
		if (grouped && !row->listed)
			err = add_group(t, i);
		if (grouped)
			continue;
		add_number(t->cli, &id, &row->part->debuggee, row->thread);
		add_line(t, row, buf_text(&id), buf_text(&row->openmp), buf_text(&row->target));
	}
	return err;
}

/* ---- as objects ------------------------------------------------------------------------- */

/* What OpenMP knows of it. */
static void add_openmp_members(struct json *j, const struct row *row)
{
	AUTO_BUF wait = { 0 };
	const struct view *v = &row->part->view;
	const struct picture_thread *in =
		row->in_picture < 0 ? NULL : picture_thread(v->picture, row->in_picture);
	const struct stitched_frame *f = in ? stitch_innermost(v->stitched, row->in_picture) : NULL;

	if (!in)
		return;
	json_add_string(j, "openmp", row->openmp.len ? buf_text(&row->openmp) : NULL);
	if (in->wait.kind != WAIT_NONE)
		format_picture_wait(&wait, v, row->in_picture, false);
	json_add_string(j, "wait", wait.len ? buf_text(&wait) : NULL);
	if (f) {
		json_add_object(j, "user_place");
		json_add_string(j, "function", f->function);
		json_add_string(j, "file", f->file);
		json_add_positive(j, "line", f->line);
		json_end(j);
	}
}

static struct error *add_object(struct table *t, struct json *j, const struct row *row)
{
	struct cli *c = t->cli;
	const struct debuggee *d = &row->part->debuggee;
	struct thread *known = target_find_thread(d->session->target, row->thread->lwp);
	struct frames frames = { 0 };
	struct error *err = NULL;

	json_add_object(j, NULL);
	thread_table_add_identity(c, j, d, row->thread);
	add_openmp_members(j, row);
	if (known && thread_state_stands(known->state)) {
		frames_select(&frames, d->session, known, 0);
		err = running_add_frame_object(c, j, "frame", &frames, 0);
		frames_fini(&frames);
	}
	json_end(j);
	return err;
}

static struct error *add_objects(struct table *t)
{
	struct error *err = NULL;
	struct json j;

	cli_json_begin(t->cli, &j, "threads");
	json_add_array(&j, "threads");
	vec_for_each (row, &t->rows) {
		if (!err)
			err = add_object(t, &j, row);
	}
	json_end(&j);
	cli_json_end(t->cli, &j);
	return err;
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool is_wanted(const struct thread_table_options *o, int inferior, int number)
{
	vec_for_each (id, &o->ids) {
		if (id->inferior == inferior && id->number == number)
			return true;
	}
	return !o->some;
}

static struct error *add_part(struct table *t, int inferior)
{
	struct part part = { 0 };

	if (!forks_debuggee(t->cli->control, inferior, &part.debuggee) || !part.debuggee.session)
		return NULL;
	struct error *err = look_at_openmp(&part);
	/* For other errors, the threads are there even so. */
	if (err != &error_nomem) {
		error_ignore(err);
		t->openmp |= part.view.picture != NULL;
		err = vec_push(&t->parts, part) ? NULL : &error_nomem;
	}
	if (err)
		look_fini(&part.look);
	return err;
}

static struct error *add_rows(struct table *t, const struct thread_table_options *o)
{
	struct error *err = NULL;

	for (int n = 0; !err && n <= t->cli->control->last_inferior; n++)
		err = add_part(t, n);
	vec_for_each (part, &t->parts) {
		vec_for_each (th, &part->debuggee.threads->items) {
			if (!err && !th->ended && is_wanted(o, part->debuggee.number, th->number))
				err = add_row(t, part, th);
		}
	}
	return err;
}

struct error *thread_table_add(struct cli *c, const struct thread_table_options *o)
{
	AUTO(table_fini) struct table t = { .cli = c };
	struct error *err = add_rows(&t, o);

	if (err || c->json)
		return err ? err : add_objects(&t);
	if (!t.rows.len) {
		buf_adds(&c->out, o->some ? "No threads match.\n" : "No threads.\n");
		return NULL;
	}
	/* Where there are many, those of one region that wait for the same are one line. */
	return add_lines(&t, o->grouped || (!o->some && t.openmp && t.rows.len > LINES_MAX));
}
