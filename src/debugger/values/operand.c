/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/operand.h"

#include <string.h>

static struct error *keep_text(struct expr *e, const char *text, size_t len)
{
	e->text = malloc(len + 1);
	if (!e->text)
		return &error_nomem;
	if (len)
		memcpy(e->text, text, len);
	e->text[len] = '\0';
	e->text_len = len;
	return NULL;
}

/* 'file.c'::name, or a name that is quoted because of what is in it: 'work(int)'. */
struct error *operand_quoted(struct parser *p, struct expr *e)
{
	struct error *err = keep_text(e, p->token.value.data, p->token.value.len);

	if (!err)
		err = parser_advance(p);
	bool file = !err && p->token.kind == TOKEN_NAME && !strncmp(p->token.start, "::", 2);
	if (!file)
		return err;
	e->file = TAKE(e->text);
	err = keep_text(e, p->token.start + 2, p->token.len - 2);
	return err ? err : parser_advance(p);
}

/* What names of source files end with. */
static bool is_file_ending(const char *text, size_t len)
{
	static const char *const endings[] = {
		"c", "cc", "cpp", "cxx", "C", "h", "hh", "hpp", "hxx", "f", "F", "f90", "F90",
	};

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		if (strlen(endings[i]) == len && !strncmp(endings[i], text, len))
			return true;
	}
	return false;
}

/* "work(int)::x": how long its first part is; 0: it is none. */
static size_t function_length(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;
	size_t depth = 0, i = 0;

	if (*behind != '(')
		return 0;
	do {
		depth += behind[i] == '(';
		depth -= behind[i] == ')';
	} while (behind[i++] && depth);
	return depth || strncmp(behind + i, "::", 2) ? 0 : p->token.len + i;
}

/* file.c::x, where the name at hand is the "file" of it, or work(int)::x. 0: it is none. */
static size_t file_length(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;
	size_t ending = *behind == '.' ? strcspn(behind + 1, ":. \t") : 0;

	if (!ending)
		return function_length(p);
	if (strncmp(behind + 1 + ending, "::", 2) || !is_file_ending(behind + 1, ending))
		return 0;
	return p->token.len + 1 + ending;
}

static struct error *parse_in_file(struct parser *p, struct expr *e)
{
	e->file = strndup(p->token.start, file_length(p));
	p->token.len = file_length(p);
	struct error *err = e->file ? parser_advance(p) : &error_nomem;
	if (!err && (p->token.kind != TOKEN_NAME || p->token.len < 3))
		err = parser_error();
	if (!err)
		err = keep_text(e, p->token.start + 2, p->token.len - 2);
	return err ? err : parser_advance(p);
}

struct error *operand_word(struct parser *p, struct expr *e)
{
	if (file_length(p))
		return parse_in_file(p, e);
	AUTO_FREE char *name = parser_name(p);
	struct error *err = name ? keep_text(e, name, strlen(name)) : &error_nomem;

	return err ? err : parser_advance(p);
}

struct error *operand_constant(struct parser *p, struct expr *e)
{
	e->kind = p->token.kind == TOKEN_IMAGINARY ? EXPR_IMAGINARY
		  : p->token.kind == TOKEN_FLOAT   ? EXPR_FLOAT
						   : EXPR_NUMBER;
	e->type = p->token.type;
	e->number = p->token.number;
	e->real = p->token.real;
	return parser_advance(p);
}

struct error *operand_string(struct parser *p, struct expr *e)
{
	AUTO_BUF text = { 0 };
	struct error *err = NULL;

	e->kind = EXPR_STRING;
	e->type = p->token.type;
	/* Those that follow are of the same text. */
	for (; !err && p->token.kind == TOKEN_STRING; err = parser_advance(p)) {
		if (p->token.type != e->type)
			return error_new(ERROR_USAGE, "texts of two widths are joined");
		buf_add(&text, p->token.value.data, p->token.value.len);
	}
	if (!err && !buf_ok(&text))
		err = &error_nomem;
	return err ? err : keep_text(e, text.data, text.len);
}
