/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/thread_ids.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "debugger/control/forks.h"

/* The word stands at the beginning of text. */
static bool skip_word(const char **text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*text, word, len) != 0 ||
	    ((*text)[len] && !isspace((unsigned char)(*text)[len])))
		return false;
	*text += len + strspn(*text + len, " \t");
	return true;
}

static struct error *add_all(const struct threads *threads, bool ascending, struct ints *ret)
{
	size_t n = threads->items.len;

	for (size_t i = 0; i < n; i++) {
		const struct numbered_thread *th = &threads->items.items[ascending ? i : n - 1 - i];
		if (!th->ended && !vec_push(ret, th->number))
			return &error_nomem;
	}
	return NULL;
}

static struct error *add_range(struct cli *c, long first, long last, struct ints *ret)
{
	const struct threads *threads = &c->control->threads;
	const long most = (long)threads->items.len;

	if (first < 1 || first > INT_MAX || last > INT_MAX)
		return error_new(ERROR_USAGE, "Invalid thread ID: %ld", first < 1 ? first : last);
	if (last < first)
		return error_new(ERROR_USAGE, "inverted range");
	for (long n = first; n <= last && n <= most; n++) {
		if (!threads_by_number(threads, (int)n))
			cli_warn(c, "Unknown thread %ld", n);
		else if (!vec_push(ret, (int)n))
			return &error_nomem;
	}
	if (last > most)
		cli_warn(c, "Unknown thread %ld", first > most ? first : most + 1);
	return NULL;
}

/* "3", "1.3" of the selected inferior; -1: neither. */
static long read_number(const struct cli *c, const char *text, char **end)
{
	long n = strtol(text, end, 10);

	if (*end == text || **end != '.' || n != c->control->inferior)
		return *end == text ? -1 : n;
	text = *end + 1;
	n = strtol(text, end, 10);
	return *end == text ? -1 : n;
}

struct error *thread_ids_parse(struct cli *c, const char *text, struct ints *ret,
			       const char **ret_rest)
{
	struct error *err = NULL;

	if (skip_word(&text, "all")) {
		bool ascending = skip_word(&text, "-ascending");
		*ret_rest = text;
		return add_all(&c->control->threads, ascending, ret);
	}
	while (!err && isdigit((unsigned char)*text)) {
		char *end;
		long first = read_number(c, text, &end), last = first;
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtol(end + 1, &end, 10);
		if (*end && !isspace((unsigned char)*end))
			return error_new(ERROR_USAGE, "Invalid thread ID: %s", text);
		err = add_range(c, first, last, ret);
		text = end + strspn(end, " \t");
	}
	*ret_rest = text;
	return err;
}

struct error *thread_ids_select(struct cli *c, const char *text)
{
	char *end;
	long inferior = c->control->inferior, number = strtol(text, &end, 10);
	bool known = end != text;

	if (known && *end == '.') {
		inferior = number;
		text = end + 1;
		number = strtol(text, &end, 10);
		known = end != text;
	}
	if (!known || *end || number < 1 || number > INT_MAX || inferior < 1 || inferior > INT_MAX)
		return error_new(ERROR_USAGE, "Invalid thread ID: %s", text);
	struct error *err = NULL;
	if (inferior != c->control->inferior)
		err = forks_select(c->control, (int)inferior);
	return err ? err : control_select_thread(c->control, (int)number);
}
