/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/json_value.h"

#include <string.h>

#include "base/text.h"
#include "debugger/output/format_value.h"

enum { ITEMS_DEPTH_MAX = 16 };

/* What is no character becomes what json.h makes of it. */
static void add_utf8(struct buf *out, const struct shown *s)
{
	text_add_wide(out, buf_text(&s->text), s->text.len, s->text_width ? s->text_width : 1);
}

static void add_number(struct json *j, const struct shown *s)
{
	const struct type *t = type_strip(s->type);
	uint64_t n = 0;

	if (s->size > sizeof(n))
		return;
	memcpy(&n, s->bytes, s->size);
	if (type_is_pointer(t))
		json_add_address(j, "address", n);
	else if (t->is_signed && s->size)
		json_add_integer(j, "number",
				 (intmax_t)(n << (64 - 8 * s->size)) >> (64 - 8 * s->size));
	else
		json_add_unsigned(j, "number", n);
}

static void add_members(struct json *j, const struct shown *s, char letter, size_t depth);

static void add_items(struct json *j, const struct shown *s, char letter, size_t depth)
{
	json_add_array(j, "items");
	for (size_t i = 0; i < s->nitems; i++) {
		const struct shown *item = &s->items[i];
		bool repeated = i + 1 < s->nitems && item[1].again;
		uint64_t times = repeated ? item[1].times : item->times;
		if (item->again)
			continue;
		json_add_object(j, NULL);
		if (item->name)
			json_add_string(j, "name", item->name);
		if (times > 1)
			json_add_unsigned(j, "times", times);
		add_members(j, item, letter, depth + 1);
		json_end(j);
	}
	json_end(j);
	if (s->more)
		json_add_bool(j, "more", true);
}

static void add_members(struct json *j, const struct shown *s, char letter, size_t depth)
{
	const struct type *t = type_strip(s->type);
	AUTO_BUF type = { 0 }, text = { 0 };

	type_add_name(&type, s->type);
	json_add_string(j, "type", buf_text(&type));
	if (s->missing) {
		json_add_string(j, "missing", s->missing);
		return;
	}
	format_value(&text, s, letter);
	json_add_lines(j, "text", buf_text(&text));
	if (type_is_integer(t) || type_is_pointer(t))
		add_number(j, s);
	if (s->head)
		json_add_string(j, "container", s->head);
	if (s->fault)
		json_add_string(j, "damaged", s->fault);
	if (s->has_text && !s->text_fault) {
		AUTO_BUF string = { 0 };
		add_utf8(&string, s);
		json_add_string(j, "string", buf_text(&string));
		json_add_bool(j, "more", s->text_more);
	}
	if (s->symbol)
		json_add_string(j, "symbol", s->symbol);
	if (s->items && depth < ITEMS_DEPTH_MAX)
		add_items(j, s, letter, depth);
}

void json_value_members(struct json *j, const struct shown *s, char letter)
{
	add_members(j, s, letter, 0);
}

void json_value_variables(struct json *j, const char *key, const struct shown_variables *l)
{
	json_add_array(j, key);
	vec_for_each (variable, l) {
		json_add_object(j, NULL);
		json_add_string(j, "name", variable->name);
		json_value_members(j, &variable->value, 0);
		json_end(j);
	}
	json_end(j);
}
