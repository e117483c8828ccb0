/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/function_text.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "target/symbols/cu_entries.h"
#include "target/symbols/demangle.h"
#include "target/symbols/function_name.h"
#include "target/symbols/symbol_parts.h"
#include "target/symbols/type_reader.h"

enum { ORIGINS_MAX = 8, PARAMETERS_MAX = 256 };

/* What DWARF says of it. */
struct described {
	struct cu *cu;
	Dwarf_Die die;         /* where its code is                   */
	Dwarf_Die declaration; /* what that is an instance of, or it  */
	bool cxx;
};

static bool describe(struct symbol_table *s, taddr pc, size_t level, struct described *ret)
{
	static const unsigned int links[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Die chain[CU_LEVELS_MAX];
	struct unit_here here;
	size_t n = symbol_unit_at(s, pc, &here)
			   ? cu_chain(here.cu, pc - here.bias, chain, CU_LEVELS_MAX)
			   : 0;

	if (level >= n)
		return false;
	*ret = (struct described){ .cu = here.cu, .die = chain[n - 1 - level] };
	ret->declaration = ret->die;
	for (size_t i = 0, link = 0; i < ORIGINS_MAX && link < 2; i++) {
		Dwarf_Attribute its;
		for (link = 0; link < 2; link++) {
			if (dwarf_attr(&ret->declaration, links[link], &its) &&
			    dwarf_formref_die(&its, &ret->declaration))
				break;
		}
	}
	ret->cxx = cu_is_cxx(here.cu);
	return true;
}

/* ---- its own name and scopes -------------------------------------------------------------- */

static const char *without(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) ? text : text + strlen(word);
}

/* As C++ writes it: "char const*" for "const char *", "()" for "(void)". */
static void add_type(struct type_reader *r, Dwarf_Die *of, struct buf *out)
{
	AUTO_BUF text = { 0 };

	type_add_name(&text, type_reader_of(r, of));
	const char *all = buf_text(&text), *from = without(all, "const ");
	bool is_const = from != all;
	for (const char *p = from; *p; p++) {
		if (is_const && p[0] == ' ' && strchr("*&([", p[1])) {
			buf_adds(out, " const");
			is_const = false;
		}
		if (!strncmp(p, "(void)", 6)) {
			buf_adds(out, "()");
			p += 5;
			continue;
		}
		if (*p != ' ' || !p[1] || !strchr("*&", p[1]))
			buf_addc(out, *p);
	}
	buf_adds(out, is_const ? " const" : "");
}

/* The type of an entry is a constant one. *die becomes what that is made of. */
static bool pass_const(Dwarf_Die *die)
{
	Dwarf_Attribute its;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &its), die) &&
	       dwarf_tag(die) == DW_TAG_const_type;
}

/* A method that leaves its object alone: "this", itself a constant, points to one. */
static bool points_to_const(const Dwarf_Die *parameter)
{
	Dwarf_Die die = *parameter;

	if (pass_const(&die))
		pass_const(&die);
	return dwarf_tag(&die) == DW_TAG_pointer_type && pass_const(&die);
}

static void add_parameters(struct described *d, struct buf *out)
{
	struct type_reader r = { .store = type_store_new(), .spans = cu_spans(d->cu) };
	bool is_const = false;
	Dwarf_Die child;
	size_t n = 0;

	buf_addc(out, '(');
	for (int more = r.store ? dwarf_child(&d->declaration, &child) : 1;
	     more == 0 && n < PARAMETERS_MAX; more = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (dwarf_hasattr(&child, DW_AT_artificial)) {
			is_const |= points_to_const(&child);
			continue;
		}
		buf_adds(out, n++ ? ", " : "");
		add_type(&r, &child, out);
	}
	buf_adds(out, is_const ? ") const" : ")");
	type_reader_forget(&r);
	type_store_free(r.store);
}

static char *own_name(struct described *d, bool parameters)
{
	const char *name = die_string(&d->declaration, DW_AT_name, cu_spans(d->cu));
	struct buf text = { 0 };

	if (!name)
		name = die_string(&d->die, DW_AT_name, cu_spans(d->cu));
	if (!name)
		return NULL;
	Dwarf_Die declaration = d->declaration;
	die_add_scopes(NULL, &declaration, cu_spans(d->cu), &text);
	buf_adds(&text, name);
	if (parameters && d->cxx)
		add_parameters(d, &text);
	char *copy = strdup(buf_text(&text));
	buf_fini(&text);
	return copy;
}

/* ---- the linker's ------------------------------------------------------------------------- */

/* Where an argument of a template ends, or a pointer or reference to what it begins with. */
static size_t length_of_plain(const char *p)
{
	int depth = 0;
	size_t n = 0;

	for (; p[n] && (depth || !strchr(",>*&", p[n])); n++)
		depth += (p[n] == '<') - (p[n] == '>');
	while (n && p[n - 1] == ' ')
		n--;
	return n;
}

/* As demanglers write it: "a<b const, c*>" for "a<const b, c *>". */
static void add_plain(struct buf *out, const char *text, size_t len)
{
	static const char word[] = "const ";
	const size_t word_len = sizeof(word) - 1;

	for (size_t i = 0; i < len; i++) {
		bool starts = i > 1 && (text[i - 1] == '<' || !strncmp(text + i - 2, ", ", 2));
		if (starts && !strncmp(text + i, word, word_len)) {
			size_t n = length_of_plain(text + i + word_len);
			add_plain(out, text + i + word_len, n);
			buf_adds(out, " const");
			i += word_len + n - 1;
		} else if (text[i] != ' ' || !text[i + 1] || !strchr("*&", text[i + 1])) {
			buf_addc(out, text[i]);
		}
	}
}

static char *plain_name(const char *name)
{
	struct buf text = { 0 };

	add_plain(&text, name, strlen(name));
	char *copy = strdup(buf_text(&text));
	buf_fini(&text);
	return copy;
}

static char *linkage_name(struct described *d, bool parameters)
{
	const char *name = die_name(&d->die, cu_spans(d->cu));
	const char *readable = die_readable_name(&d->die, cu_spans(d->cu));
	size_t len;

	if (!name || strncmp(name, "_Z", 2) != 0)
		return NULL;
	if (readable != name)
		return plain_name(readable);
	AUTO_FREE char *shown = demangle_name(name);
	const char *from = shown ? function_name_without_result(shown, &len) : NULL;
	if (!from)
		return TAKE(shown);
	return strndup(from, parameters ? strlen(from) : len);
}

char *function_text(struct symbol_table *s, taddr pc, size_t level, bool parameters)
{
	const struct source_frame *levels;
	struct described d;
	size_t len;
	char *text = NULL;

	if (describe(s, pc, level, &d)) {
		text = linkage_name(&d, parameters);
		text = text ? text : own_name(&d, parameters);
	}
	/* A compiler's own function may have an entry without a name: _GLOBAL__sub_I_app.cc. */
	if (text)
		return text;
	struct error *err = symbol_locate(s, pc, &levels, &len);
	if (!err && level < len && levels[level].function)
		text = demangle_name(levels[level].function);
	error_ignore(err);
	return text;
}
