/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/output/format_why_graph.h"
#include "why_fixture.h"

static const struct style plain = { .color = false };
static const struct style utf8 = { .utf8 = true };
static const struct style colored = { .color = true };

static void add_graph(struct buf *out, const struct style *style)
{
	AUTO(why_outline_fini) struct why_outline outline = { 0 };

	ck_assert_no_error(why_outline_init(&outline, &world.picture, &why));
	format_why_graph(out, &world.view, &outline, style);
	ck_assert(buf_ok(out));
}

static void add_dot(struct buf *out)
{
	AUTO(why_groups_fini) struct why_groups groups = { 0 };

	ck_assert_no_error(why_groups_init(&groups, &world.picture, &why));
	format_why_dot(out, &world.view, &groups);
	ck_assert(buf_ok(out));
}

#define TITLE "\nwho waits for what\n"

/* expected: without the title. */
static void assert_graph(const char *expected)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF titled = { 0 };

	buf_addf(&titled, TITLE "%s", expected);
	add_graph(&out, &plain);
	ck_assert(buf_ok(&out));
	ck_assert_str_eq(buf_text(&out), buf_text(&titled));
}

static void assert_dot(const char *expected)
{
	AUTO_BUF out = { 0 };

	add_dot(&out);
	ck_assert(buf_ok(&out));
	ck_assert_str_eq(buf_text(&out), expected);
}

/* Trees ----------------------------------------------------------------------------------- */

START_TEST(who_waits_stands_above_those_who_could_end_it)
{
	why_add_chain();
	assert_graph("  threads 0.[0-2] wait for barrier of team 0 (3 of 5 arrived) at app.c:40\n"
		     "  +- must come: thread 0.3, waits for lock 'L' at app.c:22\n"
		     "  |  `- held by thread 0.4 (probably), in read(0) at app.c:31\n"
		     "  `- must come: thread 0.4, in read(0) at app.c:31\n");
}
END_TEST

/* A lock that this node holds; -1: nobody. */
static int add_lock(const char *name, int holder, enum why_knowledge knowledge)
{
	int lock = why_add_node(WHY_NODE_OBJECT, 0, name);

	if (holder >= 0)
		why_add_edge(lock, WHY_HELD_BY, holder, knowledge);
	return lock;
}

static void wait_for(int thread, int node)
{
	why_wait(thread, WAIT_LOCK, 22);
	why_add_edge(thread, WHY_WAITS_FOR, node, WHY_KNOWN);
}

START_TEST(lines_are_drawn_in_utf8_where_that_is_wanted)
{
	AUTO_BUF out = { 0 };

	why_add_team(3);
	wait_for(0, add_lock("lock 'L'", 1, WHY_KNOWN));
	wait_for(1, add_lock("lock 'M'", 2, WHY_KNOWN));
	why_wait(2, WAIT_NONE, 33);
	add_graph(&out, &utf8);
	ck_assert_str_eq(buf_text(&out),
			 TITLE "  thread 0.0 waits for lock 'L' at app.c:22\n"
			       "  └─ held by thread 0.1, waits for lock 'M' at app.c:22\n"
			       "     └─ held by thread 0.2, runs at app.c:33\n");
}
END_TEST

START_TEST(without_waits_there_is_no_tree)
{
	assert_graph("  nothing waits\n");
	why_add_team(2);
	assert_graph("  nothing waits\n");
}
END_TEST

START_TEST(what_was_shown_is_not_unfolded_again)
{
	why_add_team(5);
	int lock = add_lock("lock 'L'", 2, WHY_KNOWN);
	wait_for(0, lock);
	wait_for(1, lock);
	why_wait(1, WAIT_LOCK, 23);
	wait_for(2, add_lock("lock 'M'", 4, WHY_NOT_KNOWN));
	wait_for(3, add_lock("lock 'N'", 2, WHY_LIKELY));
	assert_graph("  thread 0.0 waits for lock 'L' at app.c:22\n"
		     "  `- held by thread 0.2, waits for lock 'M' at app.c:22\n"
		     "     `- held by thread 0.4 (perhaps), runs\n"
		     "  thread 0.1 waits for lock 'L' at app.c:23 (see above)\n"
		     "  thread 0.3 waits for lock 'N' at app.c:22\n"
		     "  `- held by thread 0.2 (probably) (see above)\n");
}
END_TEST

START_TEST(nobody_and_nothing_end_a_branch)
{
	why_add_team(2);
	wait_for(0, add_lock("lock 'L'", -1, WHY_KNOWN));
	int nobody = why_add_node(WHY_NODE_NOBODY, 1, "nobody");
	wait_for(1, add_lock("lock 'M'", nobody, WHY_KNOWN));
	assert_graph("  thread 0.0 waits for lock 'L' at app.c:22\n"
		     "  thread 0.1 waits for lock 'M' at app.c:22\n"
		     "  `- held by nobody\n");
}
END_TEST

/* Each has a node of its own for whom it misses. */
START_TEST(those_who_wait_for_somebody_unknown_share_a_line)
{
	why_add_team(5);
	for (int i = 0; i < 5; i++) {
		int nobody = why_add_node(WHY_NODE_NOBODY, i, i < 4 ? "an event" : "tasks");
		why_wait(i, WAIT_TASKWAIT, 22);
		why_add_edge(i, WHY_WAITS_FOR, nobody, WHY_NOT_KNOWN);
	}
	assert_graph("  threads 0.[0-3] wait for an event at app.c:22\n"
		     "  thread 0.4 waits for tasks at app.c:22\n");
}
END_TEST

/* Threads first, then tasks that no thread waits for. */
START_TEST(tasks_have_their_states_and_places)
{
	why_add_team(2);
	int first = world_add_task(&world, TASK_EXPLICIT, TASK_QUEUED, -1);
	int nodes[5];
	for (int i = 0; i < 5; i++) {
		int task = i ? world_add_task(&world, TASK_EXPLICIT, TASK_BLOCKED, -1) : first;
		AUTO_BUF name = { 0 };
		buf_addf(&name, "task %d", task);
		world.picture.tasks.items[task].place = world_place("work", i ? 57 : 55);
		nodes[i] = why_add_node(WHY_NODE_TASK, task, buf_text(&name));
	}
	for (int i = 0; i < 4; i++)
		why_add_edge(0, WHY_WAITS_FOR, nodes[i], WHY_KNOWN);
	why_add_edge(nodes[4], WHY_WAITS_FOR, nodes[0], WHY_KNOWN);
	why_add_edge(nodes[0], WHY_RUN_BY, 1, WHY_LIKELY);
	why_wait(0, WAIT_TASKWAIT, 60);
	assert_graph("  thread 0.0 waits in taskwait for child tasks at app.c:60\n"
		     "  +- waits for task 0, queued, created at app.c:55\n"
		     "  |  `- run by thread 0.1 (probably), runs\n"
		     "  `- waits for tasks 1-3, blocked, created at app.c:57\n"
		     "  task 4, blocked, created at app.c:57\n"
		     "  `- waits for task 0 (see above)\n");
}
END_TEST

START_TEST(only_what_is_alike_shares_a_line)
{
	why_add_team(8);
	int lock = add_lock("lock 'L'", 7, WHY_KNOWN);
	for (int i = 0; i < 6; i++)
		wait_for(i, lock);
	why_wait(1, WAIT_LOCK, 23);
	why.nodes.items[2].stuck = true;
	why_wait(6, WAIT_LOCK, 22);
	why_add_edge(6, WHY_WAITS_FOR, lock, WHY_LIKELY);
	assert_graph("  threads 0.[0,3-5] wait for lock 'L' at app.c:22\n"
		     "  `- held by thread 0.7, runs\n"
		     "  thread 0.1 waits for lock 'L' at app.c:23 (see above)\n"
		     "  thread 0.2 waits for lock 'L' at app.c:22 (see above)\n"
		     "  thread 0.6 waits for lock 'L' (probably) at app.c:22 (see above)\n");
}
END_TEST

START_TEST(those_who_run_share_a_line_if_they_do_the_same)
{
	why_add_team(6);
	int barrier = why_add_node(WHY_NODE_BARRIER, 0, "barrier of team 0");
	why_add_edge(0, WHY_WAITS_FOR, barrier, WHY_KNOWN);
	for (int i = 1; i < 6; i++) {
		why_add_edge(barrier, WHY_MUST_COME, i, WHY_KNOWN);
		why_wait(i, i < 3 ? WAIT_NONE : WAIT_SYSCALL, 31)->fd = i < 5 ? 0 : 3;
	}
	assert_graph("  thread 0.0 waits for barrier of team 0\n"
		     "  +- must come: threads 0.[1,2], run at app.c:31\n"
		     "  +- must come: threads 0.[3,4], in a system call at app.c:31\n"
		     "  `- must come: thread 0.5, in a system call at app.c:31\n");
}
END_TEST

/* Cycles ---------------------------------------------------------------------------------- */

START_TEST(a_cycle_begins_with_the_thread_to_blame)
{
	why_add_team(3);
	int a = add_lock("lock 'A'", 0, WHY_KNOWN);
	int b = add_lock("lock 'B'", 1, WHY_KNOWN);
	wait_for(0, b);
	wait_for(1, a);
	why_add_blame(1, 1, world_place("work", 22), "holds lock 'B', waits for lock 'A'");
	assert_graph("  thread 0.1 waits for lock 'A' at app.c:22\n"
		     "  `- held by thread 0.0, waits for lock 'B' at app.c:22\n"
		     "     `- held by thread 0.1 (cycle)\n");
	wait_for(2, a);
	assert_graph("  thread 0.2 waits for lock 'A' at app.c:22\n"
		     "  `- held by thread 0.0, waits for lock 'B' at app.c:22\n"
		     "     `- held by thread 0.1, waits for lock 'A' at app.c:22 (cycle)\n");
}
END_TEST

START_TEST(a_thread_can_wait_for_itself)
{
	why_add_team(2);
	wait_for(0, add_lock("lock 'L'", 0, WHY_KNOWN));
	wait_for(1, 1);
	assert_graph("  thread 0.0 waits for lock 'L' at app.c:22\n"
		     "  `- held by thread 0.0 (cycle)\n"
		     "  thread 0.1 waits for thread 0.1 at app.c:22 (cycle)\n");
}
END_TEST

START_TEST(a_cycle_without_threads_is_shown_as_well)
{
	int a = why_add_node(WHY_NODE_TASK, 0, "task 0"),
	    b = why_add_node(WHY_NODE_TASK, 1, "task 1");

	why_add_edge(a, WHY_WAITS_FOR, b, WHY_KNOWN);
	why_add_edge(b, WHY_WAITS_FOR, a, WHY_KNOWN);
	assert_graph("  task 0\n"
		     "  `- waits for task 1\n"
		     "     `- waits for task 0 (cycle)\n");
}
END_TEST

/* Size ------------------------------------------------------------------------------------ */

enum { MANY = 10000 };

START_TEST(ten_thousand_threads_are_few_lines)
{
	why_add_team(MANY);
	int barrier = why_add_node(WHY_NODE_BARRIER, 0, "barrier of team 0");
	for (int i = 0; i < MANY; i++) {
		if (i < MANY / 2)
			why_add_edge(i, WHY_WAITS_FOR, barrier, WHY_KNOWN);
		else
			why_add_edge(barrier, WHY_MUST_COME, i, WHY_KNOWN);
	}
	assert_graph("  threads 0.[0-4999] wait for barrier of team 0\n"
		     "  `- must come: threads 0.[5000-9999], run\n");
}
END_TEST

/* Thread i waits for thread i + 1. */
static void add_long_chain(void)
{
	why_add_team(MANY);
	for (int i = 0; i + 1 < MANY; i++)
		wait_for(i, i + 1);
}

static size_t longest_line(const char *text, size_t *ret_lines)
{
	size_t longest = 0;

	for (*ret_lines = 0; *text; ++*ret_lines) {
		size_t len = strcspn(text, "\n");
		longest = len > longest ? len : longest;
		text += len + (text[len] != '\0');
	}
	return longest;
}

START_TEST(a_very_long_chain_is_drawn_in_time_and_on_the_screen)
{
	AUTO_BUF out = { 0 };
	size_t lines;

	add_long_chain();
	add_graph(&out, &plain);
	ck_assert(buf_ok(&out));
	ck_assert_uint_lt(longest_line(buf_text(&out), &lines), 120);
	ck_assert_uint_ge(lines, MANY / 2);
	ck_assert_uint_le(lines, MANY);
}
END_TEST

START_TEST(a_very_long_cycle_ends)
{
	AUTO_BUF out = { 0 };

	add_long_chain();
	wait_for(MANY - 1, 0);
	add_graph(&out, &plain);
	const char *cycle = strstr(buf_text(&out), "(cycle)");
	ck_assert_ptr_nonnull(cycle);
	ck_assert_str_eq(cycle, "(cycle)\n");
}
END_TEST

/* Graphviz -------------------------------------------------------------------------------- */

START_TEST(dot_has_shapes_and_labels)
{
	why_add_chain();
	why.nodes.items[3].stuck = why.nodes.items[6].stuck = true;
	int event = why_add_node(WHY_NODE_NOBODY, -1, "nobody");
	int task = why_add_node(WHY_NODE_TASK, 7, "task 7");
	why_add_edge(task, WHY_RUN_BY, event, WHY_NOT_KNOWN);
	assert_dot(
		"digraph why {\n"
		"\tn0 [shape=box, label=\"threads 0.[0-2]\\nat app.c:40\"];\n"
		"\tn3 [shape=box, label=\"thread 0.3\\nat app.c:22\", color=red, fontcolor=red];\n"
		"\tn4 [shape=box, label=\"thread 0.4\\nin read(0)\\nat app.c:31\"];\n"
		"\tn5 [shape=octagon, label=\"barrier of team 0\"];\n"
		"\tn6 [shape=ellipse, label=\"lock 'L'\", color=red, fontcolor=red];\n"
		"\tn7 [shape=plaintext, label=\"nobody\"];\n"
		"\tn8 [shape=note, label=\"task 7\"];\n"
		"\tn0 -> n5 [label=\"waits for\", style=solid];\n"
		"\tn3 -> n6 [label=\"waits for\", style=solid, color=red];\n"
		"\tn5 -> n3 [label=\"must come\", style=solid];\n"
		"\tn5 -> n4 [label=\"must come\", style=solid];\n"
		"\tn6 -> n4 [label=\"held by\", style=dashed];\n"
		"\tn8 -> n7 [label=\"run by\", style=dotted];\n"
		"}\n");
}
END_TEST

START_TEST(an_empty_graph_is_one_for_dot_as_well)
{
	why_add_team(2);
	assert_dot("digraph why {\n"
		   "}\n");
}
END_TEST

static char bad[] = "\033]0;x\a\xff\n\"\\n\\&lt;";

static void spoil(void)
{
	why_add_chain();
	int task = world_add_task(&world, TASK_EXPLICIT, TASK_QUEUED, -1);
	why_add_edge(why_add_node(WHY_NODE_TASK, task, ""), WHY_WAITS_FOR, 3, WHY_KNOWN);
	world_spoil(&world, bad);
	vec_for_each (node, &why.nodes) {
		free(node->name);
		node->name = strdup(bad);
	}
}

START_TEST(labels_of_hostile_names_are_quoted)
{
	AUTO_BUF out = { 0 };

	spoil();
	add_dot(&out);
	ck_assert_ptr_nonnull(strstr(buf_text(&out),
				     "\tn6 [shape=ellipse, label=\"\\\\x1b]0;x\\\\x07\\\\xff\\\\x0a"
				     "\\\"\\\\n\\\\&amp;lt;\"];\n"));
}
END_TEST

/* Each statement on a line of its own, with an even number of quotes that are not escaped. */
START_TEST(every_statement_of_dot_is_whole)
{
	AUTO_BUF out = { 0 };
	bool quoted = false;

	spoil();
	add_dot(&out);
	for (const char *p = strchr(buf_text(&out), '\n') + 1; *p; p++) {
		if (quoted && *p == '\\')
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (*p == '\n')
			ck_assert_msg(!quoted && (p[-1] == ';' || p[-1] == '}'), "%s",
				      buf_text(&out));
	}
	ck_assert(!quoted);
}
END_TEST

/* Looks ----------------------------------------------------------------------------------- */

START_TEST(hostile_strings_are_harmless_wherever_they_stand)
{
	AUTO_BUF out = { 0 };
	size_t harmful = 0;

	spoil();
	add_graph(&out, &plain);
	add_dot(&out);
	for (size_t i = 0; i < out.len; i++)
		harmful +=
			!strchr("\n\t", out.data[i]) && (out.data[i] < 0x20 || out.data[i] > 0x7e);
	ck_assert_uint_eq(harmful, 0);
}
END_TEST

START_TEST(colors_change_nothing_but_the_color)
{
	AUTO_BUF out = { 0 };
	AUTO_BUF without = { 0 };

	why_add_chain();
	why.nodes.items[3].stuck = true;
	wait_for(4, 4);
	add_graph(&out, &colored);
	unit_add_without_colors(&without, &out);
	ck_assert_uint_lt(without.len, out.len);
	assert_graph(buf_text(&without) + strlen(TITLE));
}
END_TEST

START_TEST(what_is_stuck_stands_out)
{
	AUTO_BUF out = { 0 };

	why_add_chain();
	why.nodes.items[3].stuck = true;
	add_graph(&out, &colored);
	ck_assert_ptr_nonnull(strstr(buf_text(&out), "\033[1;31mthread 0.3\033[m"));
	ck_assert_ptr_null(strstr(buf_text(&out), "\033[1;31mthread 0.4\033[m"));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("format_why_graph");

	why_case(s, "trees", who_waits_stands_above_those_who_could_end_it,
		 lines_are_drawn_in_utf8_where_that_is_wanted, without_waits_there_is_no_tree,
		 what_was_shown_is_not_unfolded_again, nobody_and_nothing_end_a_branch,
		 those_who_wait_for_somebody_unknown_share_a_line,
		 tasks_have_their_states_and_places, only_what_is_alike_shares_a_line,
		 those_who_run_share_a_line_if_they_do_the_same);
	why_case(s, "cycles", a_cycle_begins_with_the_thread_to_blame, a_thread_can_wait_for_itself,
		 a_cycle_without_threads_is_shown_as_well);
	why_case(s, "size", ten_thousand_threads_are_few_lines,
		 a_very_long_chain_is_drawn_in_time_and_on_the_screen, a_very_long_cycle_ends);
	why_case(s, "graphviz", dot_has_shapes_and_labels, an_empty_graph_is_one_for_dot_as_well,
		 labels_of_hostile_names_are_quoted, every_statement_of_dot_is_whole);
	why_case(s, "looks", hostile_strings_are_harmless_wherever_they_stand,
		 colors_change_nothing_but_the_color, what_is_stuck_stands_out);
	return unit_run(s);
}
