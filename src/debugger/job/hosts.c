/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/hosts.h"

#include <string.h>

#include "base/hash.h"
#include "base/text.h"

enum { HOSTS_MOST = 100000, NAME_MOST = 255, DIGITS_MOST = 9 };

#define DIGITS "0123456789"

void job_hosts_fini(struct job_hosts *h)
{
	vec_for_each (host, h) {
		free(host->name);
		free(host->how);
		vec_fini(&host->ranks);
		vec_fini(&host->pids);
	}
	vec_fini(h);
	map_fini(&h->by_name);
}

bool host_is_name(const char *name)
{
	const size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"._:-" DIGITS);

	return len && len <= NAME_MOST && !name[len] && *name != '-';
}

bool host_is_same(const char *a, const char *b)
{
	const size_t len = strcspn(a, ".");

	return !strcmp(a, b) ||
	       (strcspn(b, ".") == len && !strncmp(a, b, len) && (!a[len] || !b[len]));
}

bool host_is_own(const char *name, const char *own)
{
	return !strcmp(name, "localhost") || host_is_same(name, own);
}

struct job_host *job_hosts_add(struct job_hosts *h, const char *name)
{
	struct map_item *item;

	for (uint64_t key = hash_text(HASH_START, name);; key++) {
		item = map_add(&h->by_name, key);
		if (!item || !item->number)
			break;
		if (!strcmp(h->items[item->number - 1].name, name))
			return &h->items[item->number - 1];
	}
	struct job_host host = { .name = item ? strdup(name) : NULL };
	if (!host.name || !vec_push(h, host)) {
		free(host.name);
		return NULL;
	}
	item->number = (int64_t)h->len;
	return &h->items[h->len - 1];
}

/* --- lists --- */

static struct error *no_list(const char *why)
{
	return error_new(ERROR_USAGE, "%s: hosts are given as in login,node[1-4,07-12]", why);
}

static struct error *add_name(struct job_hosts *ret, const char *name)
{
	if (!host_is_name(name)) {
		AUTO_BUF why = { 0 };
		buf_adds(&why, "'");
		text_escape(&why, name, strlen(name));
		buf_adds(&why, "' is no name of a host");
		return no_list(buf_text(&why));
	}
	if (ret->len >= HOSTS_MOST)
		return no_list("there are more than 100,000 names");
	return job_hosts_add(ret, name) ? NULL : &error_nomem;
}

/* Reads a number and goes on behind it. false: there is none. */
static bool read_number(const char **at, long *ret, size_t *ret_width)
{
	*ret_width = strspn(*at, DIGITS);
	if (!*ret_width || *ret_width > DIGITS_MOST)
		return false;
	*ret = strtol(*at, NULL, 10);
	*at += *ret_width;
	return true;
}

/* The names that a part in brackets stands for: at "1-4,07-12]...". */
static struct error *add_numbers(struct job_hosts *ret, const char *before, size_t len,
				 const char *at, const char *behind)
{
	struct error *err = NULL;

	for (bool more = true; more && !err; more = *at++ == ',') {
		long first, last;
		size_t width, last_width;
		if (!read_number(&at, &first, &width))
			return no_list("a number is missing in brackets");
		last = first;
		if (*at == '-' && (at++, !read_number(&at, &last, &last_width)))
			return no_list("the end of a range is missing");
		if (last < first)
			return no_list("a range ends before it begins");
		for (long n = first; !err && n <= last; n++) {
			AUTO_BUF name = { 0 };
			buf_add(&name, before, len);
			buf_add_decimal(&name, (uint64_t)n, (int)width);
			buf_adds(&name, behind);
			err = add_name(ret, buf_text(&name));
		}
	}
	return err ? err : at[-1] == ']' ? NULL : no_list("brackets do not fit");
}

static struct error *add_part(struct job_hosts *ret, const char *part)
{
	const char *open = strchr(part, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	if (!open)
		return add_name(ret, part);
	if (!close || strchr(close, '['))
		return no_list("a name has one pair of brackets");
	return add_numbers(ret, part, (size_t)(open - part), open + 1, close + 1);
}

struct error *hosts_read_list(const char *list, struct job_hosts *ret)
{
	struct error *err = NULL;

	for (const char *at = list; !err; at++) {
		AUTO_BUF part = { 0 };
		for (bool inside = false; *at && (inside || *at != ','); at++) {
			inside = *at == '[' || (inside && *at != ']');
			buf_addc(&part, *at);
		}
		err = part.failed ? &error_nomem : add_part(ret, buf_text(&part));
		if (!*at)
			break;
	}
	return err;
}
