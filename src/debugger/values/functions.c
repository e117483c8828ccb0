/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/functions.h"

#include <regex.h>
#include <string.h>

#include "debugger/values/complex.h"

enum { TEXT_MAX = 1 << 20 };

typedef const struct scope scope;

/* ---- arguments -------------------------------------------------------------------------- */

static bool is_text_kind(const struct type *t)
{
	return t->target && (t->kind == TYPE_ARRAY || t->kind == TYPE_POINTER) &&
	       type_size(t->target) == 1;
}

/* The bytes of a text, up to its NUL, or so many as are wanted. USAGE, NO_ADDRESS. */
static struct error *read_bytes(scope *s, const struct value *v, size_t most, bool all,
				struct buf *ret)
{
	const struct type *t = type_strip(v->type);
	taddr at;

	if (v->missing)
		return value_missing(v);
	if (v->place != VALUE_MEMORY && t->kind == TYPE_ARRAY) {
		size_t n = v->size < most ? v->size : most;
		buf_add(ret, (const char *)v->bytes, all ? n : strnlen((const char *)v->bytes, n));
		return NULL;
	}
	struct error *err = value_address(v, &at);
	for (char byte = 1; !err && ret->len < most;) {
		struct value one;
		err = value_read(s, &type_char, at + ret->len, &one);
		if (err)
			return err;
		byte = (char)one.bytes[0];
		if (!byte && !all)
			return NULL;
		buf_addc(ret, byte);
	}
	return err;
}

static struct error *read_text(scope *s, const struct value *v, struct buf *ret)
{
	if (!is_text_kind(type_strip(v->type)))
		return error_new(ERROR_USAGE, "the argument is no text");
	return read_bytes(s, v, TEXT_MAX, false, ret);
}

/* ---- each of them ----------------------------------------------------------------------- */

typedef struct error *(*function)(scope *s, const struct value *args, struct value *ret);

static struct error *real_part(scope *s, const struct value *args, struct value *ret)
{
	return complex_part(s, &args[0], false, ret);
}

static struct error *imaginary_part(scope *s, const struct value *args, struct value *ret)
{
	return complex_part(s, &args[0], true, ret);
}

static struct error *is_void(scope *s, const struct value *args, struct value *ret)
{
	(void)s;
	*ret = value_of_int(&type_int, type_strip(args[0].type)->kind == TYPE_VOID);
	return NULL;
}

static struct error *text_length(scope *s, const struct value *args, struct value *ret)
{
	AUTO_BUF text = { 0 };
	struct error *err = read_text(s, &args[0], &text);

	*ret = value_of_int(&type_int, text.len);
	return err;
}

static struct error *two_texts(scope *s, const struct value *args, struct buf *a, struct buf *b)
{
	struct error *err = read_text(s, &args[0], a);

	if (!err)
		err = read_text(s, &args[1], b);
	return !err && (!buf_ok(a) || !buf_ok(b)) ? &error_nomem : err;
}

static struct error *texts_equal(scope *s, const struct value *args, struct value *ret)
{
	AUTO_BUF a = { 0 }, b = { 0 };
	struct error *err = two_texts(s, args, &a, &b);

	*ret = value_of_int(&type_int, !strcmp(buf_text(&a), buf_text(&b)));
	return err;
}

/* From the beginning of the text on, as Python's re.match(). */
static struct error *text_matches(scope *s, const struct value *args, struct value *ret)
{
	AUTO_BUF text = { 0 }, pattern = { 0 };
	struct error *err = two_texts(s, args, &text, &pattern);
	regmatch_t where;
	regex_t compiled;

	if (err)
		return err;
	if (regcomp(&compiled, buf_text(&pattern), REG_EXTENDED) != 0)
		return error_new(ERROR_USAGE, "\"%s\" is no regular expression",
				 buf_text(&pattern));
	bool found = regexec(&compiled, buf_text(&text), 1, &where, 0) == 0 && where.rm_so == 0;
	regfree(&compiled);
	*ret = value_of_int(&type_int, found);
	return NULL;
}

static struct error *memory_equal(scope *s, const struct value *args, struct value *ret)
{
	AUTO_BUF a = { 0 }, b = { 0 };
	struct number n;
	struct error *err = value_number(&args[2], &n);

	if (err)
		return err;
	if (n.is_float || (__int128)n.bits < 0 || n.bits > TEXT_MAX)
		return error_new(ERROR_USAGE, "invalid number of bytes to compare");
	err = read_bytes(s, &args[0], (size_t)n.bits, true, &a);
	if (!err)
		err = read_bytes(s, &args[1], (size_t)n.bits, true, &b);
	bool equal = a.len == b.len && (!a.len || !memcmp(a.data, b.data, a.len));
	*ret = value_of_int(&type_int, equal);
	return err;
}

static const struct {
	const char *name;
	size_t arguments;
	function call;
} functions[] = {
	{ "_creal", 1, real_part },    { "_cimag", 1, imaginary_part },
	{ "_isvoid", 1, is_void },     { "_strlen", 1, text_length },
	{ "_streq", 2, texts_equal },  { "_regex", 2, text_matches },
	{ "_memeq", 3, memory_equal },
};

enum { NUM_FUNCTIONS = sizeof(functions) / sizeof(*functions) };

static size_t find(const char *name)
{
	size_t i = 0;

	while (i < NUM_FUNCTIONS && strcmp(functions[i].name, name))
		i++;
	return i;
}

bool functions_find(const char *name)
{
	return find(name) < NUM_FUNCTIONS;
}

struct error *functions_call(scope *s, const char *name, const struct value *args, size_t n,
			     struct value *ret)
{
	size_t row = find(name);

	if (n != functions[row].arguments)
		return error_new(ERROR_USAGE, "$%s takes %zu argument%s", name,
				 functions[row].arguments,
				 functions[row].arguments == 1 ? "" : "s");
	return functions[row].call(s, args, ret);
}
