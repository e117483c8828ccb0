/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_barrier.h"

#include "base/text.h"
#include "debugger/merge.h"
#include "debugger/output/style.h"
#include "debugger/wait_words.h"

static const struct picture_wait *wait_of(const struct picture *p, int thread)
{
	return thread >= 0 ? &p->threads.items[thread].wait : NULL;
}

/* It is in a team of its own, or of a region within. */
static bool is_elsewhere(const struct picture *p, int region, int thread)
{
	return picture_thread(p, thread)->region != region;
}

static bool has_arrived(const struct picture *p, int region, int thread)
{
	const struct picture_wait *w = wait_of(p, thread);

	return w && !is_elsewhere(p, region, thread) && wait_kind_traits(w->kind)->is_barrier;
}

static bool same(const struct picture *p, int region, int a, int b)
{
	const struct picture_wait *x = wait_of(p, a), *y = wait_of(p, b);

	if (is_elsewhere(p, region, a) || is_elsewhere(p, region, b))
		return a == b;
	if (has_arrived(p, region, a) != has_arrived(p, region, b) ||
	    picture_thread(p, a)->held != picture_thread(p, b)->held)
		return false;
	if (has_arrived(p, region, a))
		return place_shares_line(&x->place, &y->place);
	return x->kind == y->kind && text_same(x->name, y->name);
}

static void add_elsewhere(struct buf *out, const struct picture *p, int region, size_t number)
{
	const int thread = p->regions.items[region].members.items[number];

	buf_addf(out, "  %ld.%zu has not: goes on as ", picture_region_id(p, region), number);
	picture_add_thread_name(out, p, thread);
	buf_addc(out, '\n');
}

static void add_group(struct buf *out, const struct picture *p, int region,
		      const struct ints *group)
{
	const struct picture_wait *w = wait_of(p, group->items[0]);
	const bool many = group->len > 1, arrived = has_arrived(p, region, group->items[0]);
	const struct wait_words *words = wait_words(w->kind);
	const char *held = wait_words_held(picture_thread(p, group->items[0])->held);

	buf_adds(out, "  ");
	merge_add_thread_set(out, p, group->items, group->len);
	buf_adds(out, many ? " have" : " has");
	buf_adds(out, arrived ? " arrived" : " not");
	if (arrived && w->place.file) {
		buf_adds(out, " at ");
		style_add_line(out, w->place.file, w->place.line);
	} else if (!arrived && wait_kind_is_wait(w->kind)) {
		buf_addf(out, ": %s", many ? words->many : words->one);
		if (w->name)
			style_add_between(out, " '", w->name, "'");
	} else if (!arrived) {
		buf_adds(out, many ? ": run" : ": runs");
	}
	if (held)
		buf_addf(out, ", %s", held);
	buf_addc(out, '\n');
}

static bool is_listed(const struct picture *p, int region, size_t i)
{
	const struct picture_region *r = &p->regions.items[region];

	for (size_t k = 0; k < i; k++) {
		if (r->members.items[k] >= 0 &&
		    same(p, region, r->members.items[k], r->members.items[i]))
			return true;
	}
	return false;
}

static void add_groups(struct buf *out, const struct picture *p, int region)
{
	const struct picture_region *r = &p->regions.items[region];

	for (size_t i = 0; i < r->members.len; i++) {
		AUTO_INTS group = { 0 };
		if (r->members.items[i] < 0 || is_listed(p, region, i))
			continue;
		for (size_t k = i; k < r->members.len; k++) {
			int thread = r->members.items[k];
			if (thread >= 0 && same(p, region, r->members.items[i], thread) &&
			    !vec_push(&group, thread))
				return;
		}
		if (is_elsewhere(p, region, r->members.items[i]))
			add_elsewhere(out, p, region, i);
		else
			add_group(out, p, region, &group);
	}
}

static size_t count(const struct picture *p, int region)
{
	size_t ret = 0;

	vec_for_each (thread, &p->regions.items[region].members)
		ret += has_arrived(p, region, *thread);
	return ret;
}

bool format_barrier(struct buf *out, const struct picture *p)
{
	bool ret = false;

	for (size_t i = 0; i < p->regions.len; i++) {
		const struct picture_region *r = &p->regions.items[i];
		const size_t arrived = count(p, (int)i);
		if (r->size < 2)
			continue;
		ret = true;
		buf_addf(out, "parallel region %ld, team of %ld: ", picture_region_id(p, (int)i),
			 r->size);
		if (arrived)
			buf_addf(out, "%zu %s arrived at a barrier\n", arrived,
				 arrived == 1 ? "has" : "have");
		else
			buf_adds(out, "nobody is at a barrier\n");
		if (arrived)
			add_groups(out, p, (int)i);
	}
	return ret;
}

void json_barrier(struct json *j, const struct picture *p)
{
	json_add_array(j, "teams");
	for (size_t i = 0; i < p->regions.len; i++) {
		const struct picture_region *r = &p->regions.items[i];
		json_add_object(j, NULL);
		json_add_integer(j, "team", picture_region_id(p, (int)i));
		json_add_integer(j, "size", r->size);
		json_add_array(j, "threads");
		vec_for_each (thread, &r->members) {
			const struct picture_wait *w = wait_of(p, *thread);
			if (!w)
				continue;
			json_add_object(j, NULL);
			json_add_integer(j, "lwp", p->threads.items[*thread].lwp);
			json_add_bool(j, "arrived", has_arrived(p, (int)i, *thread));
			json_add_string(j, "wait", picture_wait_name(w));
			json_add_string(j, "file", w->place.file);
			json_add_positive(j, "line", w->place.line);
			json_end(j);
		}
		json_end(j);
		json_end(j);
	}
	json_end(j);
}
