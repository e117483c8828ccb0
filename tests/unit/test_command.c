/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/command.h"
#include "unit.h"

static struct error *nothing(struct cli *c, const char *args)
{
	(void)c;
	(void)args;
	return NULL;
}

#define ROW(words, shorts, arguments)                                                              \
	{                                                                                          \
		.name = (words), .short_names = (shorts), .args = (arguments), .run = nothing      \
	}
static const struct command rows[] = {
	ROW("backtrace", "bt where", "[N]"),
	ROW("break", "b br", "[LOCATION]"),
	ROW("continue", "c fg", "[N]"),
	ROW("info", "i", ""),
	ROW("info breakpoints", "b", "[NUMBER]"),
	ROW("info line", NULL, "[LOCATION]"),
	ROW("info locals", NULL, ""),
	ROW("info threads", NULL, ""),
	ROW("next", "n", "[N]"),
	ROW("print", "p inspect", "EXPRESSION"),
	ROW("step", "s", "[N]"),
	ROW("stepi", "si", "[N]"),
	ROW("shell", "!", "COMMAND"),
	ROW("thread", "t", "[NUMBER]"),
	ROW("thread apply", NULL, "NUMBERS COMMAND"),
	ROW("thread find", NULL, "WORD"),
	ROW("x", NULL, "ADDRESS"),
	ROW("generate-core-file", "gcore", "[FILE]"),
	ROW("save breakpoints", NULL, "FILE"),
};

static void make_list(struct command_list *l)
{
	*l = (struct command_list){ 0 };
	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_no_error(command_add(l, &rows[i]));
}

static const struct {
	const char *line, *name, *args;
} found[] = {
	{ "break", "break", "" },
	{ "b main", "break", "main" },
	{ "  brea   main  ", "break", "main  " },
	{ "bt", "backtrace", "" },
	{ "where 3", "backtrace", "3" },
	{ "bt -full", "backtrace", "-full" },
	{ "s", "step", "" },
	{ "step", "step", "" },
	{ "stepi 4", "stepi", "4" },
	{ "i", "info", "" },
	{ "i b", "info breakpoints", "" },
	{ "info b 2", "info breakpoints", "2" },
	{ "inf thr", "info threads", "" },
	{ "info line 31", "info line", "31" },
	{ "t 3", "thread", "3" },
	{ "thread ap all bt -full", "thread apply", "all bt -full" },
	{ "thread fin x", "thread find", "x" },
	{ "thread work", "thread", "work" },
	{ "x/4i $pc", "x", "/4i $pc" },
	{ "p/x 5", "print", "/x 5" },
	{ "p-5", "print", "-5" },
	{ "p*a@3", "print", "*a@3" },
	{ "p$rip", "print", "$rip" },
	{ "!ls -l", "shell", "ls -l" },
	{ "gen", "generate-core-file", "" },
	{ "generate-core x", "generate-core-file", "x" },
	{ "gcore-x", "generate-core-file", "-x" },
	{ "sav br f", "save breakpoints", "f" },
};

START_TEST(a_line_means_a_command)
{
	struct command_list l;
	const struct command *row = NULL;
	const char *args = NULL;

	make_list(&l);
	ck_assert_no_error(command_find(&l, found[_i].line, &row, &args));
	ck_assert_str_eq(row->name, found[_i].name);
	ck_assert_str_eq(args, found[_i].args);
	command_list_fini(&l);
}
END_TEST

static const struct {
	const char *line, *message;
} refused[] = {
	{ "nonsense", "undefined command: \"nonsense\"" },
	{ "brek main", "did you mean break" },
	{ "contnue", "did you mean continue" },
	{ "st", "ambiguous command \"st\": step, stepi" },
	{ "info l", "ambiguous command \"info l\": line, locals" },
	{ "info lin3", "undefined info command: \"lin3\"" },
	{ "info thraeds", "did you mean threads" },
	{ "save", "\"save\" must be followed by one of: breakpoints" },
	{ "save x", "undefined save command: \"x\"" },
	{ "$pc", "undefined command: \"$pc\"" },
	{ "12", "undefined command: \"12\"" },
	{ "\xff\xfe", "undefined command" },
};

START_TEST(a_line_that_means_none_is_refused_with_what_is_near)
{
	struct command_list l;
	const struct command *row;
	const char *args;

	make_list(&l);
	ck_assert_error(command_find(&l, refused[_i].line, &row, &args), ERROR_USAGE,
			refused[_i].message);
	command_list_fini(&l);
}
END_TEST

START_TEST(what_is_added_hides_what_there_was_until_it_is_removed)
{
	static const struct command mine = ROW("next", NULL, "");
	struct command_list l;
	const struct command *row;
	const char *args;

	make_list(&l);
	ck_assert_no_error(command_add(&l, &mine));
	ck_assert_no_error(command_find(&l, "next", &row, &args));
	ck_assert_ptr_eq(row, &mine);
	command_remove(&l, &mine);
	ck_assert_no_error(command_find(&l, "next", &row, &args));
	ck_assert_ptr_ne(row, &mine);
	command_list_fini(&l);
}
END_TEST

static void collect(void *context, const char *word, size_t len)
{
	buf_addf(context, "%.*s ", (int)len, word);
}

static const struct {
	const char *line, *words;
	size_t start;
} completed[] = {
	{ "ste", "step stepi ", 0 },
	{ "info l", "line locals ", 5 },
	{ "i l", "line locals ", 2 },
	{ "info ", "breakpoints line locals threads ", 5 },
	{ " thread", "thread ", 1 },
	{ "thread ", "apply find ", 7 },
	{ "zz", "", 0 },
};

START_TEST(a_line_is_completed)
{
	struct command_list l;
	AUTO_BUF words = { 0 };
	size_t start = 99;

	make_list(&l);
	ck_assert(abbrev_complete(&l.names, completed[_i].line, &start, collect, &words));
	ck_assert_str_eq(buf_text(&words), completed[_i].words);
	ck_assert_uint_eq(start, completed[_i].start);
	command_list_fini(&l);
}
END_TEST

START_TEST(arguments_are_not_completed_as_commands)
{
	struct command_list l;
	AUTO_BUF words = { 0 };
	size_t start;

	make_list(&l);
	ck_assert(!abbrev_complete(&l.names, "break ma", &start, collect, &words));
	ck_assert(!abbrev_complete(&l.names, "x/4i st", &start, collect, &words));
	ck_assert_str_eq(buf_text(&words), "");
	command_list_fini(&l);
}
END_TEST

/* gdb's: what its users type every day, in the tables of all commands there are. */
static const struct {
	const char *line, *name;
} habits[] = {
	{ "h", "help" },
	{ "q", "quit" },
	{ "sho conf", "show" },
	{ "! ls", "shell" },
	{ "| help", "pipe" },
	{ "exit", "quit" },
	{ "b", "break" },
	{ "r", "run" },
	{ "c", "continue" },
	{ "n", "next" },
	{ "s", "step" },
	{ "p 1", "print" },
	{ "i", "info" },
	{ "l", "list" },
	{ "x/4i $pc", "x" },
	{ "bt -full", "backtrace" },
	{ "where", "backtrace" },
	{ "fin", "finish" },
	{ "u", "until" },
	{ "disas", "disassemble" },
	{ "tb main", "tbreak" },
	{ "ni", "nexti" },
	{ "si", "stepi" },
	{ "k", "kill" },
	{ "j 3", "jump" },
	{ "d 1", "delete" },
	{ "i b", "info breakpoints" },
	{ "info thr", "info threads" },
	{ "i r", "info registers" },
	{ "thr ap all bt", "thread apply" },
	{ "set var x=1", "set variable" },
	{ "p/x 5", "print" },
	{ "f 1", "frame" },
	{ "t 2", "thread" },
	{ "adv 9", "advance" },
	{ "dis 1", "disable" },
	{ "cond 1 x", "condition" },
	{ "ign 1 2", "ignore" },
	{ "tbr f", "tbreak" },
};

START_TEST(the_tables_know_gdbs_habits)
{
	struct command_list l;
	const struct command *row;
	const char *args;

	ck_assert_no_error(command_list_init(&l));
	ck_assert_no_error(command_find(&l, habits[_i].line, &row, &args));
	ck_assert_str_eq(row->name, habits[_i].name);
	command_list_fini(&l);
}
END_TEST

START_TEST(each_row_of_the_tables_is_whole)
{
	struct command_list l;

	ck_assert_no_error(command_list_init(&l));
	for (size_t i = 0; i < l.rows.len; i++) {
		const struct command *row = l.rows.items[i];
		ck_assert_msg(row->name && row->args && row->run && row->summary, "row %zu: %s", i,
			      row->name);
		size_t len = strlen(row->summary);
		ck_assert_msg(len && row->summary[len - 1] == '.', "%s: no sentence", row->name);
		ck_assert_msg(row->completes != COMPLETES_CHOICE || row->choices, "%s: no choices",
			      row->name);
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(strcmp(row->name, l.rows.items[k]->name) != 0,
				      "%s is there twice", row->name);
	}
	command_list_fini(&l);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("command");

	unit_table(s, a_line_means_a_command, found);
	unit_table(s, a_line_that_means_none_is_refused_with_what_is_near, refused);
	unit_table(s, a_line_is_completed, completed);
	unit_table(s, the_tables_know_gdbs_habits, habits);
	unit_case(s, "lists", what_is_added_hides_what_there_was_until_it_is_removed,
		  arguments_are_not_completed_as_commands, each_row_of_the_tables_is_whole);
	return unit_run(s);
}
