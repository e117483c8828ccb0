/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/options.h"
#include "unit.h"

static const char *const moods[] = { "glad", "sad", NULL };

struct chosen {
	bool quick, help;
	size_t number;
	const char *file;
	int mood;
};

#define INTO(member) offsetof(struct chosen, member)
static const struct option_row rows[] = {
	{ .name = "quick", .into = INTO(quick), .help = "Hurry." },
	{ .name = "number",
	  .letter = 'n',
	  .kind = OPTION_SIZE,
	  .argument = "N",
	  .into = INTO(number),
	  .least = 2,
	  .most = 20,
	  .preset = 10,
	  .help = "How many." },
	{ .name = "file",
	  .letter = 'f',
	  .kind = OPTION_TEXT,
	  .argument = "FILE",
	  .into = INTO(file),
	  .help = "Which." },
	{ .name = "mood",
	  .kind = OPTION_CHOICE,
	  .argument = "MOOD",
	  .into = INTO(mood),
	  .choices = moods,
	  .help = "Which." },
};
static const struct option_row more_rows[] = {
	{ .name = "help", .letter = 'h', .into = INTO(help), .help = "Help." },
};

enum { WORDS = 10 };

/* Parses the words of a line, which must stay alive. Operands are put into operands. */
static struct error *parse(char *line, bool stop, struct chosen *ret, struct buf *operands)
{
	const struct option_set sets[] = { OPTION_SET(rows, ret), OPTION_SET(more_rows, ret) };
	char *argv[WORDS];
	struct option_line words = { .argv = argv, .stop = stop };

	for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
		argv[words.argc++] = !strcmp(word, "''") ? word + 2 : word;
	options_preset(&sets[0]);
	struct error *err = options_parse(sets, COUNT(sets), &words);
	for (int i = 0; !err && i < words.argc; i++)
		buf_addf(operands, "%s%s", i ? " " : "", argv[i]);
	return err;
}

/* Parsing --------------------------------------------------------------------------------- */

static const struct {
	const char *line;
	bool stop;
	struct chosen chosen;
	const char *operands;
} right[] = {
	{ "", false, { .number = 10 }, "" },
	{ "x y", false, { .number = 10 }, "x y" },
	{ "--quick x", false, { .number = 10, .quick = true }, "x" },
	{ "x --quick y", false, { .number = 10, .quick = true }, "x y" },
	{ "--number 2 x", false, { .number = 2 }, "x" },
	{ "--number=20 x", false, { .number = 20 }, "x" },
	{ "--number 007", false, { .number = 7 }, "" },
	{ "-n 3 x", false, { .number = 3 }, "x" },
	{ "-n3 x", false, { .number = 3 }, "x" },
	{ "--number 3 --number 4", false, { .number = 4 }, "" },
	{ "--file a=b", false, { .number = 10, .file = "a=b" }, "" },
	{ "--file=a=b", false, { .number = 10, .file = "a=b" }, "" },
	{ "--file= x", false, { .number = 10, .file = "" }, "x" },
	{ "--file '' x", false, { .number = 10, .file = "" }, "x" },
	{ "--file --quick", false, { .number = 10, .file = "--quick" }, "" },
	{ "--file -- x", false, { .number = 10, .file = "--" }, "x" },
	{ "--mood sad", false, { .number = 10, .mood = 1 }, "" },
	{ "-h", false, { .number = 10, .help = true }, "" },
	{ "- x", false, { .number = 10 }, "- x" },
	{ "-- --quick -h", false, { .number = 10 }, "--quick -h" },
	{ "x -- --", false, { .number = 10 }, "x --" },
	{ "'' x", false, { .number = 10 }, " x" },
	{ "--quick x --number 3", true, { .number = 10, .quick = true }, "x --number 3" },
	{ "-- x --quick", true, { .number = 10 }, "x --quick" },
	{ "x -- --quick", true, { .number = 10 }, "x -- --quick" },
};

START_TEST(a_right_line_sets_options_and_leaves_operands)
{
	AUTO_FREE char *line = strdup(right[_i].line);
	AUTO_BUF operands = { 0 };
	struct chosen got = { 0 };
	const struct chosen *wanted = &right[_i].chosen;

	ck_assert_no_error(parse(line, right[_i].stop, &got, &operands));
	ck_assert_str_eq(buf_text(&operands), right[_i].operands);
	ck_assert_int_eq(got.quick, wanted->quick);
	ck_assert_int_eq(got.help, wanted->help);
	ck_assert_uint_eq(got.number, wanted->number);
	ck_assert_int_eq(got.mood, wanted->mood);
	ck_assert_int_eq(got.file != NULL, wanted->file != NULL);
	if (got.file)
		ck_assert_str_eq(got.file, wanted->file);
}
END_TEST

static const struct {
	const char *line, *message;
} wrong[] = {
	{ "--fast", "there is no option '--fast'" },
	{ "--quic", "there is no option '--quic'" },
	{ "--quickly", "there is no option '--quickly'" },
	{ "--quick=yes", "option '--quick' takes no argument" },
	{ "--quick=", "option '--quick' takes no argument" },
	{ "-hx", "option '-h' takes no argument" },
	{ "-x", "there is no option '-x'" },
	{ "---quick", "there is no option '---quick'" },
	{ "--=x", "there is no option '--'" },
	{ "x --number", "option '--number' needs an argument, N" },
	{ "-n", "option '-n' needs an argument, N" },
	{ "--number 1", "option '--number': '1' is not a number from 2 to 20" },
	{ "--number 21", "option '--number': '21' is not a number from 2 to 20" },
	{ "--number -3", "'-3' is not" },
	{ "--number +3", "'+3' is not" },
	{ "--number 3x", "'3x' is not" },
	{ "--number 0x3", "'0x3' is not" },
	{ "--number ''", "'' is not" },
	{ "--number 18446744073709551619", "'18446744073709551619' is not" },
	{ "--mood so-so", "option '--mood': 'so-so' is none of glad, sad" },
};

START_TEST(a_wrong_line_is_refused_with_what_is_wrong)
{
	AUTO_FREE char *line = strdup(wrong[_i].line);
	AUTO_BUF operands = { 0 };
	struct chosen got;

	ck_assert_error(parse(line, false, &got, &operands), ERROR_USAGE, wrong[_i].message);
}
END_TEST

/* Text ------------------------------------------------------------------------------------ */

START_TEST(usage_shows_each_option)
{
	const struct option_set set = OPTION_SET(rows, NULL);
	AUTO_BUF out = { 0 };

	options_add_usage(&out, &set);
	ck_assert_str_eq(buf_text(&out), " [--quick] [--number N] [--file FILE] [--mood MOOD]");
}
END_TEST

START_TEST(help_shows_options_in_columns)
{
	const struct option_set set = OPTION_SET(rows, NULL);
	AUTO_BUF out = { 0 };

	options_add_help(&out, &set, 1);
	ck_assert_str_eq(buf_text(&out),
			 "      --quick      Hurry.\n"
			 "  -n, --number N   How many. N is 2 to 20, and 10 if not given.\n"
			 "  -f, --file FILE  Which.\n"
			 "      --mood MOOD  Which.\n");
}
END_TEST

START_TEST(man_text_is_safe_from_roff)
{
	const struct option_set set = OPTION_SET(rows, NULL);
	AUTO_BUF out = { 0 }, text = { 0 };

	options_add_man(&out, &set);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), ".TP\n\\fB\\-n\\fR, \\fB\\-\\-number\\fR "
						     "\\fIN\\fR\nHow many.\nN is 2 to 20"));
	options_add_roff(&text, ".so \"x\"\n'br \\e a-b\nc.d. .e");
	ck_assert_str_eq(buf_text(&text), "\\&.so \\(dqx\\(dq\n\\&'br \\ee a\\-b\nc.d.\n\\&.e");
}
END_TEST

START_TEST(wrapped_text_keeps_to_80_columns)
{
	AUTO_BUF text = { 0 }, out = { 0 };

	for (int i = 0; i < 100; i++)
		buf_adds(&text, "word ");
	buf_adds(&out, "     ");
	options_add_wrapped(&out, buf_text(&text), 5);
	for (const char *line = buf_text(&out); *line;) {
		size_t len = strcspn(line, "\n");
		ck_assert_uint_le(len, 80);
		ck_assert_uint_ge(strspn(line, " "), 5);
		line += len + 1;
	}
}
END_TEST

START_TEST(wrapped_text_keeps_paragraphs)
{
	AUTO_BUF out = { 0 };

	options_add_wrapped(&out, "one\n\ntwo three", 2);
	ck_assert_str_eq(buf_text(&out), "one\n\n  two three\n");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("options");

	unit_table(s, a_right_line_sets_options_and_leaves_operands, right);
	unit_table(s, a_wrong_line_is_refused_with_what_is_wrong, wrong);
	unit_case(s, "text", usage_shows_each_option, help_shows_options_in_columns,
		  man_text_is_safe_from_roff, wrapped_text_keeps_to_80_columns,
		  wrapped_text_keeps_paragraphs);
	return unit_run(s);
}
