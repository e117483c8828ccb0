/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_container: any bytes as memory in which there are classes of the C++ standard library, shown
 * and asked. The first byte is the number of the variable in containers.cc that lies at the begin;
 * the next two, below 0xff, are those of which it says to have the name, and the members or the
 * template arguments: classes that are not laid out as their name promises. The fourth is an index.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "debugger/output/format_value.h"
#include "debugger/values/container_compare.h"
#include "debugger/values/container_iterators.h"
#include "debugger/values/container_ops.h"
#include "debugger/values/eval.h"
#include "debugger/values/shown.h"
#include "fuzz.h"
#include "fuzz_program.h"

enum { BASE = 1 << 16, ROOM = 1 << 16, HEAD = 4, VARIABLES_MAX = 64, TRUE = 0xff };

/* The memory that is shown where the program has none. */
static const uint8_t *bytes;
static size_t len;
static struct target_ops ops;
static memory_source *program_read;

/* It goes round in circles, so that lengths of nonsense are not found out by where it ends. */
static size_t read_memory(void *context, taddr from, void *ret, size_t n)
{
	if (from < BASE || from >= BASE + ROOM)
		return program_read(context, from, ret, n);
	size_t in = BASE + ROOM - from < n ? BASE + ROOM - from : n;
	for (size_t i = 0; i < in; i++)
		((uint8_t *)ret)[i] = len ? bytes[(from - BASE + i) % len] : 0;
	return in;
}

static void show_memory(struct target *t, const uint8_t *data, size_t size)
{
	if (t->ops != &ops) {
		program_read = t->ops->read;
		ops = *t->ops;
		ops.read = read_memory;
		t->ops = &ops;
		memory_free(t->memory);
		t->memory = memory_new(read_memory, t, MEMORY_PAGE);
		assert(t->memory);
	}
	bytes = data;
	len = size;
	memory_flush(t->memory);
}

static const struct type *type_of(const struct eval_context *c, unsigned int n)
{
	struct value v = { 0 };
	char name[8];

	snprintf(name, sizeof(name), "v%u", n);
	struct error *err = eval_text(c, name, &v);
	error_free(err);
	return err ? NULL : v.type;
}

/* afresh: types that were known before are those of another session. */
static const struct type *make_type(const struct eval_context *c, bool afresh,
				    const uint8_t head[HEAD])
{
	static const struct type *types[VARIABLES_MAX];
	static unsigned int n;

	if (afresh)
		for (n = 0; n < VARIABLES_MAX && (types[n] = type_of(c, n)); n++)
			;
	assert(n > 0);
	const struct type *is = type_strip(types[head[0] % n]);
	if (head[1] == TRUE && head[2] == TRUE)
		return is;
	struct type *t = type_new(is->store, TYPE_STRUCT, is->name, is->size);
	assert(t);
	const struct type *says = type_strip(types[head[1] % n]),
			  *has = type_strip(types[head[2] % n]);
	t->tag = is->tag;
	t->is_cxx = true;
	t->name = head[1] == TRUE ? is->name : says->name;
	t->members = type_members(head[2] == TRUE || head[2] % 2 ? is : has, &t->nmembers);
	t->namings = type_namings(head[2] == TRUE || head[2] % 2 == 0 ? is : has, &t->nnamings);
	t->is_complete = t->is_all_complete = true;
	return t;
}

static const struct {
	const char *name;
	size_t nargs;
} asked[] = {
	{ "size", 0 },  { "empty", 0 },  { "front", 0 },     { "back", 0 },     { "data", 0 },
	{ "[]", 1 },    { "at", 1 },     { "count", 1 },     { "contains", 1 }, { "find", 1 },
	{ "*", 0 },     { "->", 0 },     { "get", 0 },       { "value", 0 },    { "has_value", 0 },
	{ "index", 0 }, { "test", 1 },   { "use_count", 0 }, { "expired", 0 },  { "capacity", 0 },
	{ "load", 0 },  { "length", 0 }, { "value_or", 1 },  { "c_str", 0 },
};
/* An input asks a portion of them. */
enum { NUM_ASKED = sizeof(asked) / sizeof(*asked), PORTIONS = 4 };

static void show(const struct scope *s, const struct value *v)
{
	AUTO_BUF out = { 0 };
	AUTO_SHOWN shown = { 0 };
	struct error *err = shown_make(s, v, &SHOWN_LIMITS, &shown);

	if (!err)
		format_value_top(&out, &shown, 0);
	assert(err || out.len < 1 << 20);
	error_free(err);
}

static void ask(const struct scope *s, const struct value *v, uint8_t index)
{
	const struct value arg = value_of_int(&type_int, index);
	const struct number first = { .type = &type_int, .bits = index / 16 };
	const struct number last = { .type = &type_int, .bits = index % 16 };
	struct value ret = { 0 };
	bool known, yes;
	int order;

	for (size_t i = index % PORTIONS; i < NUM_ASKED; i += PORTIONS) {
		struct error *err =
			container_operate(s, v, asked[i].name, &arg, asked[i].nargs, &ret, &known);
		if (!err && known)
			show(s, &ret);
		error_free(err);
	}
	error_free(container_operate(s, v, "[]", v, 1, &ret, &known));
	error_free(container_slice(s, v, &first, &last, &ret, &known));
	error_free(container_get_part(s, v, index % 2 ? "0" : "1", NULL, &ret, &known));
	error_free(container_truth(s, v, &yes, &known));
	error_free(container_compare(s, v, v, &order));
	error_free(container_iterator_target(s, v, &ret, &known));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool afresh;
	bool is_new;
	struct scope scope = { .session = fuzz_session(&is_new) };
	struct convenience *values = convenience_new();
	const struct eval_context c = { &scope, values };
	struct value v = { 0 };

	assert(values);
	afresh |= is_new;
	if (size > HEAD) {
		show_memory(scope.session->target, data + HEAD, size - HEAD);
		struct error *err = value_read(&scope, make_type(&c, afresh, data), BASE, &v);
		afresh = false;
		if (!err)
			show(&scope, &v);
		if (!err)
			ask(&scope, &v, data[3]);
		error_free(err);
	}
	convenience_free(values);
	return 0;
}
