/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/host_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/text.h"

enum { PART_MOST = 900, HOST_MOST = 255 };

static const char mark[] = "%ompdb1 ";

void host_lines_add(struct buf *out, const char *host, const char *text)
{
	const size_t len = strlen(text), total = len / PART_MOST + 1;
	const uint64_t check = hash_text(HASH_START, text);

	for (size_t n = 0; n < total; n++) {
		const char *part = text + n * PART_MOST;
		buf_addf(out, "%s%s %zu %zu %016" PRIx64 " ", mark, host, n + 1, total, check);
		buf_add(out, part, strnlen(part, PART_MOST));
		buf_adds(out, "%\n");
	}
}

void host_texts_fini(struct host_texts *t)
{
	vec_for_each (item, t) {
		free(item->host);
		buf_fini(&item->text);
	}
	vec_fini(t);
}

/* --- reading --- */

struct part {
	size_t of; /* which text            */
	unsigned long n, total;
	uint64_t check;
	const char *data;
	size_t len;
};

struct reading {
	struct host_texts *texts;
	struct hash_map by_host; /* numbers of texts, from 1 on */
	VEC(struct part) parts;
};

/* The text of a host. false: out of memory. */
static bool find_text(struct reading *r, const char *host, size_t len, size_t *ret)
{
	AUTO_BUF name = { 0 };

	text_escape(&name, host, len);
	struct map_item *item = map_add(&r->by_host, hash_text(HASH_START, buf_text(&name)));
	if (!item || name.failed)
		return false;
	if (!item->number) {
		struct host_text text = { .host = strdup(buf_text(&name)) };
		if (!text.host || !vec_push(r->texts, text)) {
			free(text.host);
			return false;
		}
		item->number = (int64_t)r->texts->len;
	}
	*ret = (size_t)item->number - 1;
	return true;
}

/* line: behind the mark. false: out of memory. */
static bool read_line(struct reading *r, const char *line, const char *end)
{
	char numbers[64] = "";
	struct part part = { 0 };
	int at = 0;
	const size_t host = strcspn(line, " \n");

	while (end > line && end[-1] != '%')
		end--;
	if (!host || host > HOST_MOST || line + host + 1 >= end--)
		return true;
	line += host + 1;
	memcpy(numbers, line,
	       (size_t)(end - line) < sizeof(numbers) - 1 ? (size_t)(end - line)
							  : sizeof(numbers) - 1);
	if (sscanf(numbers, "%9lu %9lu %16" SCNx64 "%n", &part.n, &part.total, &part.check, &at) !=
		    3 ||
	    numbers[at] != ' ' || line + at + 1 > end)
		return true;
	part.data = line + at + 1;
	part.len = (size_t)(end - part.data);
	return find_text(r, line - host - 1, host, &part.of) && vec_push(&r->parts, part);
}

static int by_number(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	const int order = sorted_order(x->of, y->of);

	return order ? order : sorted_order(x->n, y->n);
}

/* Joins the parts of one text, which are n; the first has its number and its check. */
static void join(struct host_text *ret, const struct part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (parts[i].n != i + 1 || parts[i].total != parts->total ||
		    parts[i].check != parts->check) {
			ret->lacks = "a part of its answer is missing";
			return;
		}
		buf_add(&ret->text, parts[i].data, parts[i].len);
	}
	if (n != parts->total)
		ret->lacks = "the end of its answer is missing";
	else if (hash_text(HASH_START, buf_text(&ret->text)) != parts->check)
		ret->lacks = "its answer was garbled on the way";
}

struct error *host_lines_read(const char *lines, size_t len, struct host_texts *ret)
{
	struct reading r = { .texts = ret };
	const char *end = lines + len;
	bool whole = true;

	for (const char *line = lines, *next; whole && line < end; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		next = newline ? newline + 1 : end;
		const char *marked = memmem(line, (size_t)(next - line), mark, strlen(mark));
		if (marked)
			whole = read_line(&r, marked + strlen(mark), newline ? newline : end);
	}
	if (r.parts.len)
		qsort(r.parts.items, r.parts.len, sizeof(*r.parts.items), by_number);
	for (size_t i = 0, n; i < r.parts.len; i += n) {
		const struct part *first = &r.parts.items[i];
		for (n = 1; i + n < r.parts.len && first[n].of == first->of;)
			n++;
		join(&ret->items[first->of], first, n);
		whole &= !ret->items[first->of].text.failed;
	}
	map_fini(&r.by_host);
	vec_fini(&r.parts);
	return whole ? NULL : &error_nomem;
}
