/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * print_values CORE FUNCTION EXPRESSION...: what each comes to in its frame of the first thread: a
 * line for each, as print has it. "args" and "locals" are those of the frame; "/x 1" has a format;
 * "whatis x" is a type.
 */
#include <stdio.h>
#include <string.h>

#include "debugger/output/format_value.h"
#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"

struct frame {
	struct unwind_stack stack;
	uint64_t registers[32];
	struct scope scope;
};

static size_t find_frame(struct session *s, const struct unwind_stack *stack, const char *function)
{
	struct symbol symbol;
	size_t i = 0, len = strlen(function);

	/* Of "work" also the cold part: work.cold. */
	while (i < stack->len && !(symbol_at(s->symbols, stack->items[i].pc - 1, &symbol) &&
				   !strncmp(symbol.name, function, len) &&
				   (!symbol.name[len] || symbol.name[len] == '.')))
		i++;
	return i;
}

static struct error *make_scope(struct session *s, const char *function, struct frame *ret)
{
	struct thread *th = s->target->threads.items[0];
	struct error *err = module_list_update(s->modules);

	for (size_t i = 0; i < s->target->threads.len; i++) {
		if (s->target->threads.items[i]->lwp == s->target->pid)
			th = s->target->threads.items[i];
	}
	if (!err)
		err = unwind_thread(s->unwinder, th, 64, &ret->stack);
	size_t index = err ? 0 : find_frame(s, &ret->stack, function);
	if (err || index >= ret->stack.len)
		return err ? err : error_new(ERROR_USAGE, "no such frame");
	const struct unwind_frame *f = &ret->stack.items[index];
	ret->scope = (struct scope){
		.session = s,
		.thread = th,
		.frame = index,
		.pc = f->pc,
		.cfa = f->cfa,
		.exact = f->exact,
		.registers = ret->registers,
	};
	unwind_registers(s->unwinder, th, index, ret->registers, &ret->scope.known);
	return NULL;
}

static struct error *print_type(const struct eval_context *c, const char *text, struct buf *out)
{
	AUTO_EXPR *e = NULL;
	const struct type *type;
	struct value v;
	struct error *err = eval_parse(c, text, false, &e, NULL);

	if (!err && e->kind == EXPR_TYPE) {
		err = lookup_type(c->scope, &e->cast, &type);
	} else if (!err && e->kind == EXPR_NAME && lookup_is_type((void *)c->scope, e->text)) {
		struct expr_type named = { .name = e->text };
		err = lookup_type(c->scope, &named, &type);
		type = !err && type->kind == TYPE_ALIAS ? type->target : type;
	} else if (!err) {
		err = eval(c, e, &v);
		type = v.type;
	}
	if (err)
		return err;
	buf_adds(out, "type = ");
	type_add_name(out, type);
	return NULL;
}

static struct error *print_variables(const struct eval_context *c, bool arguments, struct buf *out)
{
	AUTO_SHOWN_VARIABLES all = { 0 };
	struct error *err = arguments ? shown_arguments(c->scope, &SHOWN_LIMITS, &all)
				      : shown_locals(c->scope, &SHOWN_LIMITS, &all);

	if (!err)
		format_value_arguments(out, &all, ARGUMENTS_SCALARS, ENTRY_DEFAULT);
	return err;
}

static struct error *print_one(const struct eval_context *c, const char *text, struct buf *out)
{
	AUTO_SHOWN shown = { 0 };
	struct shown_limits limits = SHOWN_LIMITS;
	struct value v;
	char letter = 0;
	size_t number;

	if (!strcmp(text, "args") || !strcmp(text, "locals"))
		return print_variables(c, text[0] == 'a', out);
	if (!strncmp(text, "whatis ", 7))
		return print_type(c, text + 7, out);
	if (text[0] == '/') {
		letter = text[1];
		limits.plain = letter != 's';
		text += 2;
	}
	struct error *err = eval_text(c, text, &v);
	if (!err)
		err = convenience_record(c->values, &v, lookup_types(c->scope), &number);
	if (!err)
		err = shown_make(c->scope, &v, &limits, &shown);
	if (!err)
		format_value_top(out, &shown, letter);
	return err;
}

int main(int argc, char **argv)
{
	const struct session_options options = { 0 };
	AUTO_SESSION *s = NULL;
	struct frame f = { 0 };
	AUTO_ERROR *err = argc < 3 ? error_new(ERROR_USAGE, "usage: print_values CORE FRAME "
							    "EXPRESSION...")
				   : session_open(argv[1], NULL, &options, &s);

	if (!err)
		err = make_scope(s, argv[2], &f);
	if (err) {
		fprintf(stderr, "print_values: %s\n", error_message(err));
		return EXIT_FAILURE;
	}
	struct convenience *values = convenience_new();
	for (int i = 3; i < argc; i++) {
		const struct eval_context c = { &f.scope, values };
		AUTO_BUF out = { 0 };
		struct error *its = print_one(&c, argv[i], &out);
		printf("%s\n", its ? error_message(its) : buf_text(&out));
		error_free(its);
	}
	convenience_free(values);
	unwind_stack_fini(&f.stack);
	return EXIT_SUCCESS;
}
