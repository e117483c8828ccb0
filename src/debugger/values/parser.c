/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/parser.h"

#include <string.h>

#include "debugger/values/expr_tree.h"
#include "debugger/values/token_fortran.h"
#include "target/symbols/function_name.h"

enum { STEPS_MAX = 24, DEPTH_MAX = 8, TEMPLATE_MAX = 4096, PARAMETERS_MAX = 64 };

/* ---- names ------------------------------------------------------------------------------ */

/* Behind the ">" that ends what begins with "<"; NULL: there is none. */
static const char *template_end(const char *at)
{
	size_t depth = 0, angles = 0;

	for (size_t i = 0; at[i] && i < TEMPLATE_MAX; i++) {
		if (strchr("([", at[i]))
			depth++;
		else if (strchr(")]", at[i]) && depth-- == 0)
			return NULL;
		else if (at[i] == '<' && !depth)
			angles++;
		else if (at[i] == '>' && !depth && --angles == 0)
			return at + i + 1;
		else if (strchr(";\"{}=|", at[i]))
			return NULL;
	}
	return NULL;
}

static bool is_word(char c)
{
	return c == '_' || (c & 0x80) || (c >= '0' && c <= '9') ||
	       ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Blanks stand between words alone: "unsigned long", "both<int,box<char>>". */
static char *without_blanks(const char *text, size_t len)
{
	char *ret = malloc(len + 1), *to = ret;

	for (size_t i = 0; ret && i < len; i++) {
		if (text[i] == ' ' && !(to > ret && is_word(to[-1]) && is_word(text[i + 1])))
			continue;
		*to++ = text[i];
	}
	if (ret)
		*to = '\0';
	return ret;
}

char *parser_name(const struct parser *p)
{
	return without_blanks(p->token.start, p->token.len);
}

/* "box<int>::zero": behind what can be a name with arguments of templates. NULL: nothing can. */
static struct error *find_template(const struct parser *p, const char **ret)
{
	const char *end = p->token.start + p->token.len;

	*ret = NULL;
	if (p->token.kind != TOKEN_NAME || *end != '<')
		return NULL;
	while (*end == '<' && (end = template_end(end)) && !strncmp(end, "::", 2)) {
		struct token more;
		struct error *err = token_read(end, &more);
		bool name = !err && more.kind == TOKEN_NAME;
		const char *next = more.start + more.len;
		token_fini(&more);
		if (err)
			return err;
		if (!name)
			break;
		end = next;
	}
	*ret = end;
	return NULL;
}

/* What stands between < and > is of the name if there is such a name. */
static struct error *take_template(struct parser *p)
{
	const char *end;

	if (!p->options || !p->options->is_known)
		return NULL;
	struct error *err = find_template(p, &end);
	if (err || !end)
		return err;
	AUTO_FREE char *name = without_blanks(p->token.start, (size_t)(end - p->token.start));
	if (!name)
		return &error_nomem;
	if (p->options->is_known(p->options->context, name))
		p->token.len = (size_t)(end - p->token.start);
	return NULL;
}

/* A function is called: "x.make<int>(1)" compares nothing. */
struct error *parser_take_member(struct parser *p)
{
	const char *end;
	struct error *err = find_template(p, &end);

	if (!err && end && (end[-1] != '>' || *end == '('))
		p->token.len = (size_t)(end - p->token.start);
	return err;
}

/* Of C++: "operator+", "Class::operator int" are names. */
static void take_operator(struct parser *p)
{
	const size_t word = strlen("operator");
	const char *start = p->token.start, *at = start + p->token.len - word;
	const bool may = p->options && p->options->words && p->token.kind == TOKEN_NAME &&
			 p->token.len >= word;
	const size_t len = may ? function_name_operator(start, at) : 0;

	if (len)
		p->token.len = (size_t)(at - start) + len;
}

struct error *parser_begin(struct parser *p)
{
	if (p->options && p->options->fortran)
		return token_fortran_read(p->text, &p->token);
	struct error *err = token_read(p->text, &p->token);
	if (!err)
		take_operator(p);
	return err ? err : take_template(p);
}

struct error *parser_advance(struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	token_fini(&p->token);
	if (p->options && p->options->fortran)
		return token_fortran_read(behind, &p->token);
	struct error *err = token_read(behind, &p->token);
	if (!err)
		take_operator(p);
	return err ? err : take_template(p);
}

/* C++ has words for some signs. NULL: that is none of them. */
static const char *sign_of_word(const struct parser *p)
{
	static const char *const words[][2] = {
		{ "and", "&&" },    { "or", "||" },    { "not", "!" },     { "xor", "^" },
		{ "compl", "~" },   { "bitand", "&" }, { "bitor", "|" },   { "not_eq", "!=" },
		{ "and_eq", "&=" }, { "or_eq", "|=" }, { "xor_eq", "^=" },
	};

	if (p->token.kind != TOKEN_NAME || !p->options || !p->options->words)
		return NULL;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (parser_at_word(p, words[i][0]))
			return words[i][1];
	}
	return NULL;
}

bool parser_at_operator_word(const struct parser *p)
{
	return sign_of_word(p) != NULL;
}

bool parser_at_sign(const struct parser *p, const char *sign)
{
	const char *word = sign_of_word(p);

	if (word)
		return !strcmp(word, sign);
	return p->token.kind == TOKEN_SIGN && p->token.len == strlen(sign) &&
	       !strncmp(p->token.start, sign, p->token.len);
}

bool parser_at_word(const struct parser *p, const char *word)
{
	return p->token.kind == TOKEN_NAME && p->token.len == strlen(word) &&
	       !strncmp(p->token.start, word, p->token.len);
}

struct error *parser_error(void)
{
	return error_new(ERROR_USAGE, "a syntax error in expression");
}

struct error *parser_expect(struct parser *p, const char *sign)
{
	return parser_at_sign(p, sign) ? parser_advance(p) : parser_error();
}

/* ---- types ------------------------------------------------------------------------------ */

static const char *const type_words[] = {
	"unsigned", "signed", "char", "short",  "long",  "int",  "__int128", "float",    "double",
	"_Bool",    "bool",   "void", "struct", "union", "enum", "class",    "_Complex",
};

static bool is_tag(const char *word, size_t len)
{
	return (len == 6 && !strncmp(word, "struct", 6)) ||
	       (len == 5 && (!strncmp(word, "union", 5) || !strncmp(word, "class", 5))) ||
	       (len == 4 && !strncmp(word, "enum", 4));
}

static bool is_qualifier(const struct parser *p)
{
	return parser_at_word(p, "const") || parser_at_word(p, "volatile") ||
	       parser_at_word(p, "restrict");
}

/* "decltype(x)", "typeof(x)" */
static bool at_type_of(const struct parser *p)
{
	static const char *const words[] = { "decltype", "typeof", "__typeof__", "__typeof" };
	const char *behind = p->token.start + p->token.len;
	size_t i = 0, n = sizeof(words) / sizeof(*words);

	while (i < n && !parser_at_word(p, words[i]))
		i++;
	return i < n && p->expression && behind[strspn(behind, " ")] == '(';
}

bool parser_at_type_word(const struct parser *p)
{
	if (at_type_of(p))
		return true;
	for (size_t i = 0; i < sizeof(type_words) / sizeof(*type_words); i++) {
		if (parser_at_word(p, type_words[i]))
			return true;
	}
	return is_qualifier(p);
}

static bool is_named_type(const struct parser *p, const struct token *name)
{
	if (!p->options || !p->options->is_type || name->kind != TOKEN_NAME)
		return false;
	AUTO_FREE char *text = without_blanks(name->start, name->len);
	return text && p->options->is_type(p->options->context, text);
}

bool parser_at_type(const struct parser *p)
{
	return parser_at_type_word(p) || is_named_type(p, &p->token);
}

/* The words of its name: those of C, or one other, or a tag and one other. */
static struct error *parse_words(struct parser *p, struct buf *name, bool *ret_const,
				 bool *ret_volatile)
{
	bool tagged = false, any = false, named = false;

	while (p->token.kind == TOKEN_NAME) {
		bool qualifier = is_qualifier(p);
		if (!qualifier && !tagged && !parser_at_type_word(p) && (any || named))
			break;
		if (!qualifier && named)
			break;
		*ret_const |= parser_at_word(p, "const");
		*ret_volatile |= parser_at_word(p, "volatile");
		if (!qualifier) {
			AUTO_FREE char *word = parser_name(p);
			buf_adds(name, name->len ? " " : "");
			buf_adds(name, word ? word : "");
			named = tagged || !parser_at_type_word(p);
			any = true;
			tagged = !tagged && is_tag(p->token.start, p->token.len);
		}
		struct error *err = parser_advance(p);
		if (err)
			return err;
	}
	return any && !tagged ? NULL : parser_error();
}

void expr_type_fini(struct expr_type *t)
{
	for (size_t i = 0; i < t->nsteps; i++) {
		for (size_t k = 0; k < t->steps[i].nparameters; k++)
			expr_type_fini(&t->steps[i].parameters[k]);
		free(t->steps[i].parameters);
		free(t->steps[i].holder);
	}
	expr_free(t->of);
	free(t->steps);
	free(t->name);
	*t = (struct expr_type){ 0 };
}

/* NULL: too many. */
static struct expr_step *add_step(struct expr_type *t, enum expr_step_kind kind)
{
	if (!t->steps)
		t->steps = calloc(STEPS_MAX, sizeof(*t->steps));
	if (!t->steps || t->nsteps == STEPS_MAX)
		return NULL;
	t->steps[t->nsteps] = (struct expr_step){ .kind = kind };
	return &t->steps[t->nsteps++];
}

static struct error *too_long(void)
{
	return error_new(ERROR_USAGE, "that type has too many parts");
}

static struct error *parse_type(struct parser *p, size_t depth, struct expr_type *ret);

/* "Class::*": a name token, and a star behind "::". */
static bool at_member_star(const struct parser *p)
{
	const char *behind = p->token.start + p->token.len;

	return p->token.kind == TOKEN_NAME && !strncmp(behind, "::*", 3);
}

static struct error *parse_member_star(struct parser *p, struct expr_type *ret)
{
	struct expr_step *step = add_step(ret, STEP_MEMBER);
	struct error *err = NULL;

	if (!step)
		return too_long();
	step->holder = parser_name(p);
	for (int i = 0; !err && i < 3; i++) /* the name, "::", "*" */
		err = parser_advance(p);
	return err;
}

/* "*", "&", "const" and so on. */
static struct error *parse_stars(struct parser *p, struct expr_type *ret)
{
	static const struct {
		const char *word;
		enum expr_step_kind kind;
	} steps[] = {
		{ "*", STEP_POINTER },   { "&", STEP_REFERENCE },       { "&&", STEP_RVALUE },
		{ "const", STEP_CONST }, { "volatile", STEP_VOLATILE },
	};

	for (;;) {
		struct error *err = NULL;
		size_t i = 0, n = sizeof(steps) / sizeof(*steps);
		while (i < n && !parser_at_sign(p, steps[i].word) &&
		       !parser_at_word(p, steps[i].word))
			i++;
		if (at_member_star(p)) {
			err = parse_member_star(p, ret);
		} else if (i < n || parser_at_word(p, "restrict")) {
			if (i < n && !add_step(ret, steps[i].kind))
				return too_long();
			err = parser_advance(p);
		} else {
			return NULL;
		}
		if (err)
			return err;
	}
}

/* "(int, char *)" */
static struct error *parse_parameters(struct parser *p, size_t depth, struct expr_type *ret)
{
	struct expr_step *step = add_step(ret, STEP_FUNCTION);
	struct error *err = step ? parser_advance(p) : too_long();

	if (err)
		return err;
	step->parameters = calloc(PARAMETERS_MAX, sizeof(*step->parameters));
	if (!step->parameters)
		return &error_nomem;
	step->prototyped = !parser_at_sign(p, ")");
	while (!parser_at_sign(p, ")")) {
		if (step->nparameters == PARAMETERS_MAX || step->varargs)
			return too_long();
		step->varargs = parser_at_sign(p, "...");
		err = step->varargs
			      ? parser_advance(p)
			      : parse_type(p, depth + 1, &step->parameters[step->nparameters++]);
		if (!err && !parser_at_sign(p, ")"))
			err = parser_expect(p, ",");
		if (err)
			return err;
	}
	/* "(void)" */
	struct expr_type *first = step->parameters;
	if (step->nparameters == 1 && !first->nsteps && first->name &&
	    !strcmp(first->name, "void")) {
		expr_type_fini(first);
		step->nparameters = 0;
	}
	return parser_advance(p);
}

/* "[3]", or "[]". */
static struct error *parse_bounds(struct parser *p, struct expr_type *ret)
{
	struct expr_step *step = add_step(ret, STEP_ARRAY);
	struct error *err = step ? parser_advance(p) : too_long();

	if (!err && p->token.kind == TOKEN_NUMBER) {
		step->count = p->token.number;
		err = parser_advance(p);
	}
	return err ? err : parser_expect(p, "]");
}

bool parser_at_inner(const struct parser *p)
{
	const char *at = p->token.start + p->token.len;

	if (!parser_at_sign(p, "("))
		return false;
	at += strspn(at, " ");
	while (is_word(*at) || !strncmp(at, "::", 2)) /* "(Class::*)" */
		at += is_word(*at) ? 1 : 2;
	if (*at != '*' && *at != '&')
		return false;
	at += strspn(at, "*& ");
	while (!strncmp(at, "const", 5))
		at += 5 + strspn(at + 5, "*& ");
	return *at == ')' || *at == '[' || *at == '(';
}

/* What was read into "from" applies behind what is in "to", or the other way round: in reverse. */
static struct error *move_steps(struct expr_type *from, struct expr_type *to, bool reverse)
{
	for (size_t i = 0; i < from->nsteps; i++) {
		struct expr_step *step = add_step(to, STEP_CONST);
		if (!step)
			return too_long();
		size_t which = reverse ? from->nsteps - 1 - i : i;
		*step = from->steps[which];
		from->steps[which] = (struct expr_step){ 0 };
	}
	return NULL;
}

static struct error *parse_declarator(struct parser *p, size_t depth, struct expr_type *ret)
{
	struct expr_type inner = { 0 }, behind = { 0 };
	struct error *err = depth < DEPTH_MAX ? parse_stars(p, ret) : too_long();
	bool parenthesised = !err && parser_at_inner(p);

	if (parenthesised) {
		err = parser_advance(p);
		if (!err)
			err = parse_declarator(p, depth + 1, &inner);
		if (!err)
			err = parser_expect(p, ")");
	}
	while (!err && (parser_at_sign(p, "[") || (parenthesised && parser_at_sign(p, "("))))
		err = parser_at_sign(p, "[") ? parse_bounds(p, &behind)
					     : parse_parameters(p, depth, &behind);
	if (!err)
		err = move_steps(&behind, ret, true);
	if (!err)
		err = move_steps(&inner, ret, false);
	expr_type_fini(&inner);
	expr_type_fini(&behind);
	return err;
}

/* C++, [dcl.type.decltype]: what can be assigned to and is no name is referred to. */
static bool is_referred(const struct expr *e)
{
	return e->kind == EXPR_INDEX || e->kind == EXPR_ASSIGN ||
	       (e->kind == EXPR_UNARY && e->op == EXPR_DEREFERENCE);
}

static struct error *parse_type_of(struct parser *p, struct expr_type *ret)
{
	bool declared = parser_at_word(p, "decltype");
	struct expr *of = NULL;
	struct error *err = parser_advance(p);

	if (!err)
		err = parser_expect(p, "(");
	if (!err)
		err = p->expression(p, &of);
	if (!err)
		err = parser_expect(p, ")");
	expr_type_fini(ret);
	ret->of = of;
	if (!err && declared && is_referred(of) && !add_step(ret, STEP_REFERENCE))
		err = &error_nomem;
	return err;
}

struct error *parser_type_words(struct parser *p, struct expr_type *ret)
{
	bool constant = false, shaky = false;
	AUTO_BUF name = { 0 };

	if (at_type_of(p))
		return parse_type_of(p, ret);
	struct error *err = parse_words(p, &name, &constant, &shaky);

	if (err)
		return err;
	expr_type_fini(ret);
	if ((constant && !add_step(ret, STEP_CONST)) || (shaky && !add_step(ret, STEP_VOLATILE)))
		return &error_nomem;
	ret->name = strdup(buf_text(&name));
	return ret->name ? NULL : &error_nomem;
}

static struct error *parse_type(struct parser *p, size_t depth, struct expr_type *ret)
{
	struct error *err = parser_type_words(p, ret);

	return err ? err : parse_declarator(p, depth, ret);
}

struct error *parser_type(struct parser *p, struct expr_type *ret)
{
	return parse_type(p, 0, ret);
}
