/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_answers.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/text.h"
#include "debugger/job/likeness.h"

void answers_fini(struct answers *all)
{
	vec_for_each (a, all) {
		vec_fini(&a->ranks);
		report_fini(&a->report);
		buf_fini(&a->unread);
		buf_fini(&a->text);
		buf_fini(&a->complaint);
		lwp_list_fini(&a->lwps);
	}
	vec_fini(all);
}

struct answer *answers_add(struct answers *all)
{
	const struct answer a = { .status = STATUS_FAILED };

	return vec_push(all, a) ? &all->items[all->len - 1] : NULL;
}

/* --- which are equal --- */

enum { HOSTS_SHOWN = 20 };

static uint64_t key_of(const char *text, const char *more, const struct lwp_list *lwps, bool *whole)
{
	AUTO_BUF key = { 0 };

	likeness_add(&key, text, lwps);
	likeness_add(&key, more, lwps);
	*whole &= !key.failed;
	return hash_text(HASH_START, buf_text(&key));
}

bool answer_set_keys(struct answer *a)
{
	bool whole = true;

	a->key = key_of(buf_text(&a->text), buf_text(&a->complaint), &a->lwps, &whole);
	a->report_key = a->unread.len ? key_of(a->unread.data, "", &a->lwps, &whole) : 0;
	return whole;
}

bool answers_are_equal(const struct answer *a, const struct answer *b)
{
	return a->status == b->status && a->key == b->key && a->report_key == b->report_key;
}

bool answers_count_equals(struct answers *all)
{
	AUTO(map_fini) struct hash_map first = { 0 }; /* by their keys: numbers, from 1 on */

	vec_for_each (a, all) {
		const uint64_t key = hash_add(hash_add(a->key, a->status), a->report_key);
		struct map_item *item = map_add(&first, key);
		if (!item)
			return false;
		if (!item->number)
			item->number = a - all->items + 1;
		all->items[item->number - 1].equals += a->ranks.len ? a->ranks.len : 1;
	}
	return true;
}

/* --- showing --- */

struct answer *answers_next(struct answers *all)
{
	struct answer *ret = NULL;

	vec_for_each (a, all) {
		if (a->equals && (!ret || a->equals < ret->equals))
			ret = a;
	}
	return ret;
}

/* "rank 3, process 4714"; "rank 3, host node7"; "host node7" */
static void add_one(struct buf *out, const struct answers *all, const struct answer *a)
{
	if (all->ranks && a->ranks.len)
		buf_addf(out, "rank %ld, ", *a->ranks.items);
	if (a->member) {
		buf_adds(out, a->member->pid ? "process " : "core file ");
		text_escape(out, a->member->target, strlen(a->member->target));
	} else {
		buf_addf(out, "host %s", a->host);
	}
}

static int by_number(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;

	return sorted_order(x, y);
}

/* "0-2,7"; or "4711, ./core" */
static void add_all(struct buf *out, const struct answers *all, const struct answer *first)
{
	VEC(long) numbers = { 0 };
	const char *comma = "";

	for (const struct answer *a = first; a < all->items + all->len; a++) {
		if (!answers_are_equal(first, a))
			continue;
		vec_for_each (rank, &a->ranks)
			out->failed |= !vec_push(&numbers, *rank);
		if ((all->ranks && a->ranks.len) || !a->member)
			continue;
		buf_adds(out, comma);
		text_escape(out, a->member->target, strlen(a->member->target));
		comma = ", ";
	}
	if (all->ranks && numbers.len) {
		buf_adds(out, comma);
		qsort(numbers.items, numbers.len, sizeof(*numbers.items), by_number);
		text_add_ranges(out, numbers.items, numbers.len, ',');
	}
	vec_fini(&numbers);
}

/* "node3, node5 and 7 more", if none is of this host: what they have in common may be of those. */
static bool add_hosts(struct buf *out, const struct answers *all, const struct answer *first)
{
	const char *comma = "on ";
	size_t n = 0;

	for (const struct answer *a = first; a < all->items + all->len; a++) {
		if (!answers_are_equal(first, a))
			continue;
		if (!a->host)
			return false;
		if (n++ >= HOSTS_SHOWN)
			continue;
		buf_addf(out, "%s%s", comma, a->host);
		comma = ", ";
	}
	if (n > HOSTS_SHOWN)
		buf_addf(out, " and %zu more", n - HOSTS_SHOWN);
	return true;
}

void answers_add_who(struct buf *out, const struct answers *all, const struct answer *a)
{
	AUTO_BUF hosts = { 0 };

	if (a->equals <= 1) {
		add_one(out, all, a);
		return;
	}
	buf_addf(out, "%zu %s: ", a->equals, all->ranks ? "ranks" : "targets");
	add_all(out, all, a);
	if (add_hosts(&hosts, all, a)) {
		buf_addf(out, ", %s", buf_text(&hosts));
	} else {
		buf_adds(out, ", as ");
		add_one(out, all, a);
	}
	out->failed |= hosts.failed;
}

void answer_print_complaint(const struct answer *a, const char *who)
{
	const char *text = buf_text(&a->complaint);

	for (size_t len; *text; text += len) {
		const bool ours = text_starts_with(text, "ompdb: ");
		len = strcspn(text, "\n");
		len += text[len] == '\n';
		fprintf(stderr, "%s%s%s%.*s", ours ? "ompdb: " : "", ours ? who : "",
			ours ? ": " : "", (int)(len - (ours ? strlen("ompdb: ") : 0)),
			text + (ours ? strlen("ompdb: ") : 0));
	}
}
