/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "debugger/merge.h"
#include "picture_fixture.h"
#include "unit.h"

static struct merge_node *merged(bool hidden)
{
	struct merge_node *root = NULL;

	ck_assert_no_error(merge_stacks(&world.stitched, hidden, false, &root));
	ck_assert_ptr_nonnull(root);
	return root;
}

/* "main:4(work:2[0 1] read:1[2])": nodes with their threads, and those that stay. */
static void describe(struct buf *out, const struct merge_node *n)
{
	if (n->frame)
		buf_addf(out, "%s:%zu", n->border ? "--" : n->frame->function, n->threads.len);
	if (n->here.len) {
		for (size_t i = 0; i < n->here.len; i++)
			buf_addf(out, "%s%d", i ? " " : "[", n->here.items[i]);
		buf_addc(out, ']');
	}
	if (!n->callees.len)
		return;
	buf_addc(out, '(');
	for (size_t i = 0; i < n->callees.len; i++) {
		if (i)
			buf_addc(out, ' ');
		describe(out, n->callees.items[i]);
	}
	buf_addc(out, ')');
}

static void assert_tree(bool hidden, const char *expected)
{
	AUTO_BUF out = { 0 };
	AUTO_MERGE *root = merged(hidden);

	describe(&out, root);
	ck_assert_str_eq(buf_text(&out), expected);
}

static void add_stack(const char *innermost, int line)
{
	world_add_thread(&world, ROLE_WORKER, -1, -1);
	world_add_frame(&world, innermost, line, NULL);
	world_add_frame(&world, "main", 80, NULL);
}

/* Trees ----------------------------------------------------------------------------------- */

START_TEST(no_threads_make_an_empty_tree)
{
	AUTO_MERGE *root = merged(false);

	ck_assert_uint_eq(root->callees.len + root->threads.len + root->here.len, 0);
}
END_TEST

START_TEST(equal_stacks_are_one_path)
{
	add_stack("f", 1);
	add_stack("f", 1);
	add_stack("f", 1);
	assert_tree(false, "(main:3(f:3[0 1 2]))");
}
END_TEST

START_TEST(stacks_part_where_they_differ)
{
	add_stack("f", 1);
	add_stack("g", 1);
	add_stack("f", 1);
	add_stack("f", 2);
	assert_tree(false, "(main:4(f:2[0 2] g:1[1] f:1[3]))");
}
END_TEST

START_TEST(a_stack_may_end_where_others_go_on)
{
	add_stack("f", 1);
	world_add_thread(&world, ROLE_INITIAL, -1, -1);
	world_add_frame(&world, "main", 80, NULL);
	assert_tree(false, "(main:2[1](f:1[0]))");
}
END_TEST

START_TEST(functions_of_one_name_at_different_addresses_are_the_same)
{
	char copy[] = "f";

	add_stack("f", 1);
	add_stack(copy, 1);
	assert_tree(false, "(main:2(f:2[0 1]))");
}
END_TEST

START_TEST(unknown_functions_are_told_apart_by_address)
{
	for (taddr pc = 1; pc <= 3; pc++) {
		world_add_thread(&world, ROLE_NONE, -1, -1);
		struct stitched_frame *f = world_add_frame(&world, NULL, 0, NULL);
		f->hidden = false;
		((struct stack_frame *)f->frame)->pc = pc / 2;
	}
	AUTO_MERGE *root = merged(false);
	ck_assert_uint_eq(root->callees.len, 2);
	ck_assert_uint_eq(root->callees.items[1]->threads.len, 2);
}
END_TEST

START_TEST(a_construct_makes_a_difference)
{
	add_stack("f", 1);
	add_stack("f", 1);
	world.stitched.stacks.items[1].frames.items[0].construct = "parallel";
	assert_tree(false, "(main:2(f:1[0] f:1[1]))");
}
END_TEST

START_TEST(a_frame_that_was_tail_called_away_is_another_one)
{
	add_stack("f", 1);
	add_stack("f", 1);
	world.stitched.stacks.items[1].frames.items[0].frame = NULL;
	assert_tree(false, "(main:2(f:1[0] f:1[1]))");
}
END_TEST

START_TEST(hidden_frames_are_left_out_unless_asked_for)
{
	add_stack("gomp_wait", 0);
	add_stack("futex", 0);
	assert_tree(false, "(main:2[0 1])");
	assert_tree(true, "(main:2(gomp_wait:1[0] futex:1[1]))");
}
END_TEST

START_TEST(many_callees_are_told_apart)
{
	enum { N = 1000 };
	static char names[N][8];

	for (int i = 0; i < 2 * N; i++) {
		snprintf(names[i % N], sizeof(names[0]), "f%d", i % N);
		add_stack(names[i % N], 7);
	}
	AUTO_MERGE *root = merged(false);
	ck_assert_uint_eq(root->callees.items[0]->callees.len, N);
	int right = 0;
	for (int i = 0; i < N; i++) {
		const struct merge_node *n = root->callees.items[0]->callees.items[i];
		right += n->here.len == 2 && n->here.items[0] == i && n->here.items[1] == N + i;
	}
	ck_assert_int_eq(right, N);
}
END_TEST

START_TEST(a_very_deep_stack_is_merged_and_freed)
{
	enum { DEPTH = 300000 };

	static const struct stack_frame machine;
	const struct stitched_frame frame = { .frame = &machine, .function = "f" };

	for (int thread = 0; thread < 2; thread++) {
		world_add_thread(&world, ROLE_WORKER, -1, -1);
		bool whole = true;
		for (int i = 0; i < DEPTH; i++)
			whole &= vec_push(&world_stack(&world)->frames, frame);
		ck_assert(whole);
	}
	AUTO_MERGE *root = merged(false);
	size_t depth = 0;
	for (const struct merge_node *n = root; n->callees.len; n = n->callees.items[0])
		depth += n->callees.items[0]->threads.len == 2;
	ck_assert_uint_eq(depth, DEPTH);
}
END_TEST

/* Borders --------------------------------------------------------------------------------- */

static void add_member(int region, int line)
{
	world_add_thread(&world, ROLE_WORKER, region, 0);
	world_add_frame(&world, "work", line, "parallel");
	world_end_region(&world, region);
	world_add_frame(&world, "main", 80, NULL);
}

START_TEST(a_border_is_shared_by_all_lines_of_a_region)
{
	world_add_region(&world, -1, 0, 2, 41);
	add_member(0, 45);
	add_member(0, 47);
	assert_tree(false, "(main:2(--:2(work:1[0] work:1[1])))");
}
END_TEST

START_TEST(borders_of_different_regions_are_different)
{
	world_add_region(&world, -1, 0, 1, 41);
	world_add_region(&world, -1, 1, 1, 41);
	add_member(0, 45);
	add_member(1, 45);
	assert_tree(false, "(main:2(--:1(work:1[0]) --:1(work:1[1])))");
}
END_TEST

START_TEST(the_border_of_a_hidden_frame_stays)
{
	world_add_region(&world, -1, 0, 1, 41);
	world_add_thread(&world, ROLE_PRIMARY, 0, 0);
	world_add_frame(&world, "gomp_team_end", 0, NULL);
	world_end_region(&world, 0);
	world_add_frame(&world, "main", 80, NULL);
	assert_tree(false, "(main:1(--:1[0]))");
}
END_TEST

START_TEST(tasks_of_one_construct_and_creator_are_one)
{
	for (int i = 0; i < 3; i++) {
		world_add_thread(&world, ROLE_WORKER, -1, -1);
		world_add_frame(&world, "solve", 60, "task");
		world_end_task(&world, i / 2, 57);
		world_stack(&world)->frames.items[0].border.task = i;
		world_add_frame(&world, "main", 80, NULL);
	}
	assert_tree(false, "(main:3(--:2(solve:2[0 1]) --:1(solve:1[2])))");
}
END_TEST

START_TEST(an_inferred_border_is_another_one)
{
	world_add_region(&world, -1, 0, 2, 41);
	add_member(0, 45);
	add_member(0, 45);
	world.stitched.stacks.items[1].frames.items[0].border.source = SOURCE_INFERRED;
	assert_tree(false, "(main:2(--:1(work:1[0]) --:1(work:1[1])))");
}
END_TEST

/* Sets of threads ------------------------------------------------------------------------- */

static const struct {
	const char *text;
	int len;
	int threads[8]; /* 0-7: 0.0 to 0.7; 8, 9: 1.0, 1.1; 10-15: in no team, LWP 4252 to 4257 */
} sets[] = {
	{ "", 0, { 0 } },
	{ "0.3", 1, { 3 } },
	{ "0.[3,4]", 2, { 3, 4 } },
	{ "0.[0-3,7] 1.0", 6, { 0, 1, 2, 3, 7, 8 } },
	{ "0.[0-3,7] 1.0", 6, { 8, 3, 7, 0, 2, 1 } },
	{ "0.[0,2,4-6]", 5, { 0, 2, 4, 5, 6 } },
	{ "0.[0-7]", 8, { 0, 1, 2, 3, 4, 5, 6, 7 } },
	{ "1.[0,1]", 2, { 8, 9 } },
	{ "thread 4252", 1, { 10 } },
	{ "threads 4252 4253", 2, { 10, 11 } },
	{ "threads 4252-4254 4257", 4, { 10, 11, 12, 15 } },
	{ "0.1 1.1 threads 4252 4254", 4, { 12, 1, 10, 9 } },
};

START_TEST(sets_are_written_as_people_write_them)
{
	AUTO_BUF out = { 0 };

	for (int i = 0; i < 8; i++)
		world_add_thread(&world, ROLE_WORKER, 0, i);
	for (int i = 0; i < 2; i++)
		world_add_thread(&world, ROLE_WORKER, 1, i);
	for (int i = 0; i < 6; i++)
		world_add_thread(&world, ROLE_NONE, -1, -1);
	merge_add_thread_set(&out, &world.picture, sets[_i].threads, (size_t)sets[_i].len);
	ck_assert_str_eq(buf_text(&out), sets[_i].text);
}
END_TEST

START_TEST(a_member_without_a_number_goes_by_its_lwp)
{
	AUTO_BUF out = { 0 };
	int thread = world_add_thread(&world, ROLE_WORKER, 0, -1);

	merge_add_thread_set(&out, &world.picture, &thread, 1);
	ck_assert_str_eq(buf_text(&out), "thread 4242");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("merge");

	world_case(s, "trees", no_threads_make_an_empty_tree, equal_stacks_are_one_path,
		   stacks_part_where_they_differ, a_stack_may_end_where_others_go_on,
		   functions_of_one_name_at_different_addresses_are_the_same,
		   unknown_functions_are_told_apart_by_address, a_construct_makes_a_difference,
		   a_frame_that_was_tail_called_away_is_another_one,
		   hidden_frames_are_left_out_unless_asked_for, many_callees_are_told_apart,
		   a_very_deep_stack_is_merged_and_freed);
	world_case(s, "borders", a_border_is_shared_by_all_lines_of_a_region,
		   borders_of_different_regions_are_different, the_border_of_a_hidden_frame_stays,
		   tasks_of_one_construct_and_creator_are_one, an_inferred_border_is_another_one);
	world_table(s, sets_are_written_as_people_write_them, sets);
	world_case(s, "numbers", a_member_without_a_number_goes_by_its_lwp);
	return unit_run(s);
}
