/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/control/team_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/text.h"

enum { VERSION = 1, MEMBERS_MAX = 1 << 16, LARGEST = 64 << 20 };

void order_record_fini(struct order_record *r)
{
	free(r->at);
	free(r->line);
	vec_fini(&r->steps);
	*r = (struct order_record){ 0 };
}

void order_record_add_text(const struct order_record *r, struct buf *out)
{
	buf_addf(out, "ompdb-order %d\nthreads %zu\n", VERSION, r->members);
	if (r->at)
		buf_addf(out, "at %s\n", r->at);
	if (r->line)
		buf_addf(out, "line %s\n", r->line);
	vec_for_each (step, &r->steps)
		buf_addf(out, "%d %s\n", step->who, order_place_names[step->at]);
}

/* ---- reading ---------------------------------------------------------------------------- */

struct reader {
	char *line; /* without its end */
	size_t number;
	struct order_record *record;
};

static struct error *is_wrong(const struct reader *r, const char *wanted)
{
	AUTO_BUF shown = { 0 };

	text_escape(&shown, r->line, strnlen(r->line, 60));
	return error_new(ERROR_USAGE, "line %zu is no %s: '%s'", r->number, wanted,
			 buf_text(&shown));
}

/* The number that a word and a blank stand before; false: it is no such line. */
static bool parse_number(const char *text, const char *word, long most, long *ret)
{
	const size_t len = strlen(word);
	char *end;

	if (strncmp(text, word, len) != 0 || !isdigit((unsigned char)text[len]))
		return false;
	*ret = strtol(text + len, &end, 10);
	return !*end && *ret <= most;
}

static struct error *parse_head(const struct reader *r)
{
	long n;

	if (r->number == 1) {
		if (!parse_number(r->line, "ompdb-order ", LONG_MAX, &n))
			return is_wrong(r, "'ompdb-order 1', with which such files begin");
		return n == VERSION ? NULL
				    : error_new(ERROR_USAGE,
						"it is of version %ld, and this ompdb reads %d", n,
						VERSION);
	}
	if (!parse_number(r->line, "threads ", MEMBERS_MAX, &n) || !n)
		return is_wrong(r, "number of threads, as in 'threads 4'");
	r->record->members = (size_t)n;
	return NULL;
}

static struct error *parse_step(const struct reader *r)
{
	char *end;
	const bool number = isdigit((unsigned char)*r->line);
	const long who = number ? strtol(r->line, &end, 10) : -1;

	if (who < 0 || *end != ' ')
		return is_wrong(r, "turn of a thread, as in '0 barrier'");
	const struct order_step step = { .who = (int)who, .at = order_place_find(end + 1) };
	if ((size_t)who >= r->record->members)
		return error_new(ERROR_USAGE, "line %zu is of thread %ld, of a team of %zu",
				 r->number, who, r->record->members);
	if (step.at == NUM_PLACES)
		return is_wrong(r, "turn of a thread, as in '0 barrier'");
	return vec_push(&r->record->steps, step) ? NULL : &error_nomem;
}

static struct error *keep(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? NULL : &error_nomem;
}

static struct error *parse_line(const struct reader *r)
{
	if (r->number <= 2)
		return parse_head(r);
	if (!*r->line || *r->line == '#')
		return NULL;
	if (text_starts_with(r->line, "at "))
		return keep(&r->record->at, r->line + strlen("at "));
	if (text_starts_with(r->line, "line "))
		return keep(&r->record->line, r->line + strlen("line "));
	return parse_step(r);
}

struct error *order_record_parse(const char *text, struct order_record *ret)
{
	AUTO_FREE char *copy = strdup(text);
	AUTO_ORDER_RECORD made = { 0 };
	struct reader r = { .record = &made };
	struct error *err = copy ? NULL : &error_nomem;

	for (char *at = copy; !err && at && *at;) {
		char *end = strchr(at, '\n');
		if (end)
			*end = '\0';
		r.line = at;
		r.number++;
		err = parse_line(&r);
		at = end ? end + 1 : NULL;
	}
	if (!err && (r.number < 2 || !made.steps.len))
		err = error_new(ERROR_USAGE, "there is no order in it");
	if (err)
		return err;
	*ret = made;
	made = (struct order_record){ 0 };
	return NULL;
}

/* ---- files ------------------------------------------------------------------------------ */

struct error *order_record_save(const struct order_record *r, const char *path)
{
	AUTO_BUF text = { 0 };
	AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	order_record_add_text(r, &text);
	if (!buf_ok(&text))
		return &error_nomem;
	if (fd < 0)
		return error_os(errno, "writing %s", path);
	for (size_t done = 0; done < text.len;) {
		ssize_t n = write(fd, text.data + done, text.len - done);
		if (n < 0)
			return error_os(errno, "writing %s", path);
		done += (size_t)n;
	}
	return NULL;
}

struct error *order_record_load(const char *path, struct order_record *ret)
{
	AUTO_BUF text = { 0 };
	struct error *err = buf_add_file(&text, path, LARGEST);

	if (err)
		return err;
	if (strlen(buf_text(&text)) != text.len)
		err = error_new(ERROR_USAGE, "it is no text");
	if (!err)
		err = order_record_parse(buf_text(&text), ret);
	return err ? error_add(err, "%s", path) : NULL;
}
