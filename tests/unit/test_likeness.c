/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which answers of two processes are equal; and which ranks a line means. */
#include "debugger/job/likeness.h"

#include "debugger/cli/rank_list.h"
#include "unit.h"

/* What processes 4711 (with thread 4712) and 4720 (with 4731) have said. */
static const struct {
	const char *one, *other;
	bool equal;
} answers[] = {
	{ "", "", true },
	{ "LWP 4711, 4712", "LWP 4720, 4731", true },
	{ "LWP 4711", "LWP 4712", false },
	{ "x = 4712", "x = 4713", false },
	{ "x = 47120", "x = 47310", false },
	{ "#1  0x0000555555555189 in f ()", "#1  0x00007f43cc9452ad in f ()", true },
	{ "#1  0x0000555555555189 in f ()", "#1  0x0000555555555189 in g ()", false },
	/* No address: flags, say. */
	{ "$1 = 0x1f", "$1 = 0x2f", false },
	{ "looked for 0.26 s in all", "looked for 0.31 s in all", true },
	{ "x = 0.26", "x = 0.31", false },
};

START_TEST(lwps_addresses_and_seconds_make_no_difference)
{
	pid_t one[] = { 4711, 4712 }, other[] = { 4720, 4731 };
	const struct lwp_list its = { one, 2, 2 }, theirs = { other, 2, 2 };
	AUTO_BUF first = { 0 }, second = { 0 };

	likeness_add(&first, answers[_i].one, &its);
	likeness_add(&second, answers[_i].other, &theirs);
	ck_assert_int_eq(!strcmp(buf_text(&first), buf_text(&second)), answers[_i].equal);
}
END_TEST

static const struct {
	const char *line, *left, *list; /* list NULL: none */
} lines[] = {
	{ "break f rank 2", "break f ", "2" },
	{ "tbreak f ranks 0-2,7 if x > 3", "tbreak f  if x > 3", "0-2,7" },
	{ "break f if rank == 2", "break f if rank == 2", NULL },
	{ "break f if a rank 2", "break f if a rank 2", NULL },
	{ "watch rank", "watch rank", NULL },
	{ "break rank", "break rank", NULL },
	{ "break rank rank 1", "break rank ", "1" },
	{ "rank 2", "rank 2", NULL },
	{ "break f rank", "break f rank", NULL },
};

START_TEST(ranks_are_taken_out_of_a_line)
{
	AUTO_FREE char *line = strdup(lines[_i].line);
	bool nomem;
	AUTO_FREE char *list = rank_list_take(line, &nomem);

	ck_assert_str_eq(line, lines[_i].left);
	ck_assert_int_eq(list != NULL, lines[_i].list != NULL);
	if (list)
		ck_assert_str_eq(list, lines[_i].list);
}
END_TEST

static const struct {
	const char *text, *has; /* has: a rank of 0 to 9 is a digit; NULL: it is no list */
} lists[] = {
	{ "3", "3" },   { "0-2,7", "0127" }, { "5,5-6", "56" }, { "", NULL },
	{ "a", NULL },  { "1,", NULL },      { "2-1", NULL },   { "1-", NULL },
	{ "-1", NULL }, { "1 2", NULL },     { "1,,2", NULL },  { "99999999999999999999", NULL },
};

START_TEST(lists_of_ranks_are_read)
{
	struct error *err = rank_list_check(lists[_i].text);

	ck_assert_int_eq(!err, lists[_i].has != NULL);
	for (int rank = 0; !err && rank < 10; rank++)
		ck_assert_int_eq(rank_list_has(lists[_i].text, rank),
				 strchr(lists[_i].has, '0' + rank) != NULL);
	error_free(err);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("likeness");

	unit_table(s, lwps_addresses_and_seconds_make_no_difference, answers);
	unit_table(s, ranks_are_taken_out_of_a_line, lines);
	unit_table(s, lists_of_ranks_are_read, lists);
	return unit_run(s);
}
