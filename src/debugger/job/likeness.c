/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/likeness.h"

#include <string.h>

#include "base/sorted.h"
#include "base/text.h"

#define DIGITS "0123456789"

/* What is loaded anywhere, and stacks, lie above 4 GiB: "0x555555555189". */
enum { ADDRESS_LEAST = 2 + 9 };

bool likeness_is_lwp(const struct lwp_list *lwps, long number)
{
	size_t at = sorted_count(lwp, lwps->items, lwps->len, *lwp < number);

	return at < lwps->len && lwps->items[at] == number;
}

/* How long the number is that a text begins with, if it is one of seconds: "0.26 s". 0: it is not.
 */
static size_t seconds_length(const char *text)
{
	size_t len = strspn(text, DIGITS);

	if (!len || text[len] != '.')
		return 0;
	len += 1 + strspn(text + len + 1, DIGITS);
	return text_starts_with(text + len, " s ") ? len : 0;
}

/* How long the number is that a text begins with, if it is one like 0x1f; 0: it is not. */
static size_t hex_length(const char *text)
{
	return text_starts_with(text, "0x") ? 2 + strspn(text + 2, DIGITS "abcdef") : 0;
}

void likeness_add(struct buf *key, const char *text, const struct lwp_list *lwps)
{
	for (size_t len; *text; text += len) {
		const size_t seconds = seconds_length(text);
		const size_t hex = hex_length(text);
		if (hex) {
			len = hex;
			if (len < ADDRESS_LEAST)
				buf_add(key, text, len);
			continue;
		}
		len = seconds ? seconds : strspn(text, DIGITS);
		if (!len)
			len = strcspn(text, DIGITS);
		else if (seconds || likeness_is_lwp(lwps, strtol(text, NULL, 10)))
			continue;
		buf_add(key, text, len);
	}
	buf_addc(key, '\n');
}
