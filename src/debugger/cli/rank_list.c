/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/rank_list.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

#define BLANKS " \t"

/* "3" or "0-2" at *text, which is moved behind it; false: neither. */
static bool read_range(const char **text, long *ret_first, long *ret_last)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*ret_first = *ret_last = strtol(*text, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*ret_last = strtol(end + 1, &end, 10);
	}
	*text = end;
	return *ret_first <= *ret_last && *ret_last <= INT_MAX;
}

struct error *rank_list_check(const char *text)
{
	const char *at = text;
	long first, last;

	do {
		at += at != text;
		if (!read_range(&at, &first, &last))
			break;
		if (!*at)
			return NULL;
	} while (*at == ',');
	return error_new(ERROR_USAGE, "ranks are given as 3, or 0-2,7, not as '%s'", text);
}

bool rank_list_has(const char *list, int rank)
{
	long first, last;

	while (read_range(&list, &first, &last)) {
		if (rank >= first && rank <= last)
			return true;
		list += *list == ',';
	}
	return false;
}

static bool is_word(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && !strncmp(at, word, len);
}

char *rank_list_take(char *line, bool *ret_nomem)
{
	char *at = line;

	*ret_nomem = false;
	while (*(at += strspn(at, BLANKS))) {
		const size_t len = strcspn(at, BLANKS);
		char *list = at + len + strspn(at + len, BLANKS);
		const size_t size = strcspn(list, BLANKS);
		if (is_word(at, len, "if"))
			return NULL;
		if (at > line && (is_word(at, len, "rank") || is_word(at, len, "ranks")) && size &&
		    strspn(list, "0123456789,-") == size) {
			char *ret = strndup(list, size);
			*ret_nomem = !ret;
			memmove(at, list + size, strlen(list + size) + 1);
			return ret;
		}
		at += len;
	}
	return NULL;
}
