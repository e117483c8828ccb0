/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

enum { KEY_MAX = 64 };

/* What stands before a value: a comma, its key. In one piece: there are very many of them. */
static void begin(struct json *j, const char *key)
{
	char text[KEY_MAX], *end = text;

	if (j->comma)
		*end++ = ',';
	j->comma = true;
	if (key) {
		*end++ = '"';
		end = stpcpy(end, key);
		*end++ = '"';
		*end++ = ':';
	}
	buf_add(j->out, text, (size_t)(end - text));
}

static void open(struct json *j, const char *key, bool array)
{
	begin(j, key);
	buf_addc(j->out, array ? '[' : '{');
	j->is_array = (j->is_array & ~(UINT64_C(1) << j->depth)) | (uint64_t)array << j->depth;
	j->depth++;
	j->comma = false;
}

void json_add_object(struct json *j, const char *key)
{
	open(j, key, false);
}

void json_add_array(struct json *j, const char *key)
{
	open(j, key, true);
}

void json_end(struct json *j)
{
	j->depth--;
	buf_addc(j->out, j->is_array >> j->depth & 1 ? ']' : '}');
	j->comma = true;
	if (!j->depth)
		buf_addc(j->out, '\n');
}

void json_add_made(struct json *j, const char *key, const char *object)
{
	begin(j, key);
	if (*object == '{')
		buf_add(j->out, object, strcspn(object, "\n"));
	else
		buf_adds(j->out, "null");
}

/* text_escape() leaves no control character and no invalid UTF-8 to escape. */
static void add_escaped(struct buf *out, const char *s, size_t len)
{
	AUTO_BUF text = { 0 };

	text_escape(&text, s, len);
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '"' || text.data[i] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, text.data[i]);
	}
	out->failed |= text.failed;
}

/* As nearly all strings are. */
static bool is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] < 0x20 || s[i] > 0x7e || s[i] == '"' || s[i] == '\\')
			return false;
	}
	return len <= TEXT_MAX;
}

void json_add_string(struct json *j, const char *key, const char *s)
{
	if (!s) {
		json_add_null(j, key);
		return;
	}
	size_t len = strlen(s);
	begin(j, key);
	buf_addc(j->out, '"');
	if (is_plain(s, len))
		buf_add(j->out, s, len);
	else
		add_escaped(j->out, s, len);
	buf_addc(j->out, '"');
}

void json_add_lines(struct json *j, const char *key, const char *s)
{
	if (!s) {
		json_add_null(j, key);
		return;
	}
	begin(j, key);
	buf_addc(j->out, '"');
	while (*s) {
		size_t len = strcspn(s, "\n\t");
		/* A line may be longer than what is kept of a name. */
		for (size_t part = 0; part < len; part += TEXT_MAX)
			add_escaped(j->out, s + part,
				    len - part < TEXT_MAX ? len - part : TEXT_MAX);
		if (s[len])
			buf_adds(j->out, s[len] == '\n' ? "\\n" : "\\t");
		s += len + (s[len] != '\0');
	}
	buf_addc(j->out, '"');
}

static void add_word(struct json *j, const char *key, const char *word)
{
	begin(j, key);
	buf_adds(j->out, word);
}

void json_add_null(struct json *j, const char *key)
{
	add_word(j, key, "null");
}

void json_add_bool(struct json *j, const char *key, bool value)
{
	add_word(j, key, value ? "true" : "false");
}

void json_add_unsigned(struct json *j, const char *key, uintmax_t n)
{
	begin(j, key);
	buf_add_decimal(j->out, n, 1);
}

void json_add_integer(struct json *j, const char *key, intmax_t n)
{
	begin(j, key);
	if (n < 0)
		buf_addc(j->out, '-');
	buf_add_decimal(j->out, n < 0 ? -(uint64_t)n : (uint64_t)n, 1);
}

void json_add_positive(struct json *j, const char *key, intmax_t n)
{
	json_add_natural(j, key, n > 0 ? n : -1);
}

void json_add_natural(struct json *j, const char *key, intmax_t n)
{
	if (n < 0)
		json_add_null(j, key);
	else
		json_add_integer(j, key, n);
}

/* printf() would do as the locale says. */
void json_add_decimal(struct json *j, const char *key, double x)
{
	static const double most = 1e12; /* fits when multiplied */

	if (!(x >= 0)) {
		json_add_null(j, key);
		return;
	}
	uint64_t thousandths = (uint64_t)((x < most ? x : most) * 1000 + 0.5);
	begin(j, key);
	buf_addf(j->out, "%" PRIu64 ".%03" PRIu64, thousandths / 1000, thousandths % 1000);
}

void json_add_address(struct json *j, const char *key, uint64_t address)
{
	begin(j, key);
	buf_add(j->out, "\"0x", 3);
	buf_add_hex(j->out, address, 1);
	buf_addc(j->out, '"');
}
