/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What functions of live programs hold, held against what the programs say of themselves. */
#include "inferior.h"

#include <stdio.h>

#include "target/flow/flow.h"
#include "target/modules/exports.h"

enum { PLAIN = 1, NEST = 2 };

static const struct call_name {
	const char *name;
	struct flow_call call;
} names[] = {
	{ "omp_set_lock", { FLOW_TAKE, PLAIN, 0, 0 } },
	{ "omp_test_lock", { FLOW_TRY, PLAIN, 0, 0 } },
	{ "omp_unset_lock", { FLOW_GIVE, PLAIN, 0, 0 } },
	{ "omp_set_nest_lock", { FLOW_TAKE, NEST, 0, 0 } },
	{ "omp_test_nest_lock", { FLOW_TRY, NEST, 0, 0 } },
	{ "omp_unset_nest_lock", { FLOW_GIVE, NEST, 0, 0 } },
};

struct program {
	struct inferior inferior;
	struct target *target;
	struct module_list *modules;
	struct debuginfo_set *files;
	struct unwinder *unwinder;
	taddr calls[COUNT(names)];
	struct flow *flow;
};

static struct flow_call classify(void *context, taddr target)
{
	const struct program *p = context;

	for (size_t i = 0; i < COUNT(names); i++) {
		if (p->calls[i] == target)
			return names[i].call;
	}
	return (struct flow_call){ FLOW_NOTHING, 0, 0, 0 };
}

static void find_calls(struct program *p)
{
	for (size_t i = 0; i < p->modules->len; i++) {
		struct exports *e = NULL;
		ck_assert_no_error(
			exports_read(p->target, p->modules->items[i], &p->modules->budget, &e));
		for (size_t n = 0; n < COUNT(names); n++) {
			const struct export *export = exports_find(e, names[n].name);
			p->calls[n] = export ? export->addr : p->calls[n];
		}
		exports_free(e);
	}
	for (size_t n = 0; n < COUNT(names); n++)
		ck_assert_msg(p->calls[n] != 0, "no %s", names[n].name);
}

static void program_stop(struct program *p)
{
	static const struct debuginfo_options options = { .debuginfod = false };

	p->target = inferior_attach(&p->inferior);
	ck_assert_no_error(module_list_read(p->target, &p->modules));
	p->files = debuginfo_set_new(p->modules, &options);
	p->unwinder = unwinder_new(p->modules, p->files);
	ck_assert(p->files && p->unwinder);
	find_calls(p);
	p->flow = flow_new(p->target, p->unwinder, classify, p);
	ck_assert_ptr_nonnull(p->flow);
}

static void program_go_on(struct program *p)
{
	flow_free(p->flow);
	unwinder_free(p->unwinder);
	debuginfo_set_free(p->files);
	module_list_free(p->modules);
	ck_assert_no_error(target_detach(p->target));
	target_free(p->target);
}

/* "plain 0x4010", "nest 0x4020", by lines, sorted. */
struct lines {
	char text[16][64];
	size_t len;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void sort_lines(struct lines *l)
{
	qsort(l->text, l->len, sizeof(*l->text), by_text);
}

static void find_said(const struct inferior *i, struct lines *ret)
{
	const char *at = buf_text(&i->said);

	ret->len = 0;
	while ((at = strstr(at, "holds ")) && ret->len < COUNT(ret->text)) {
		at += strlen("holds ");
		snprintf(ret->text[ret->len++], sizeof(*ret->text), "%.*s", (int)strcspn(at, "\n"),
			 at);
	}
	sort_lines(ret);
}

/* What all frames of the program itself hold. */
static void find_held(struct program *p, struct lines *ret)
{
	struct thread *th = p->target->threads.items[0];
	struct unwind_stack stack = { 0 };

	ret->len = 0;
	ck_assert_no_error(unwind_thread(p->unwinder, th, UNWIND_FRAMES_DEFAULT, &stack));
	for (size_t i = 0; i < stack.len; i++) {
		const struct module *m = module_at(p->modules, stack.items[i].pc);
		struct flow_state s;
		if (!m || !m->is_exe)
			continue;
		flow_at(p->flow, th, &stack, i, &s);
		ck_assert_msg(s.complete, "frame %zu", i);
		for (size_t n = 0; n < s.nholds && ret->len < COUNT(ret->text); n++)
			snprintf(ret->text[ret->len++], sizeof(*ret->text), "%s %#jx%s",
				 s.holds[n].kind == PLAIN ? "plain" : "nest",
				 (uintmax_t)s.holds[n].object, s.holds[n].always ? "" : " maybe");
	}
	unwind_stack_fini(&stack);
	sort_lines(ret);
}

static void join_lines(const struct lines *l, struct buf *ret)
{
	for (size_t i = 0; i < l->len; i++)
		buf_addf(ret, "%s; ", l->text[i]);
}

static const char *const programs[] = { "flow_paths-gcc-O0", "flow_paths-gcc-O2",
					"flow_paths-clang-O0", "flow_paths-clang-O2" };
static const char *const scenarios[] = {
	"global",      "global_pointer", "argument",  "member",         "element",      "local",
	"heap",        "given_back",     "wrapper",   "guarded",        "early_return", "loop",
	"loop_global", "try_loop",       "try_once",  "try_failed",     "nest",         "cases",
	"region",      "one_fork",       "two_forks", "same_condition", "unlikely_way"
};

START_TEST(holds_are_those_that_the_program_tells)
{
	const char *name = programs[_i % COUNT(programs)];
	const char *scenario = scenarios[_i / COUNT(programs)];
	struct program p = { .inferior = { .in = -1, .out = -1 } };
	struct lines said, held;
	AUTO_BUF expected = { 0 }, found = { 0 };
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("TESTPROGS"), name);
	if (access(path, X_OK) != 0) {
		fprintf(stderr, "no %s\n", path);
		return;
	}
	if (!inferior_start(&p.inferior, ARGS(name, scenario)))
		return;
	program_stop(&p);
	find_said(&p.inferior, &said);
	find_held(&p, &held);
	program_go_on(&p);
	join_lines(&said, &expected);
	join_lines(&held, &found);
	ck_assert_msg(strcmp(buf_text(&expected), buf_text(&found)) == 0,
		      "%s %s holds '%s', found '%s'", name, scenario, buf_text(&expected),
		      buf_text(&found));
	inferior_finish(&p.inferior);
	inferior_fini(&p.inferior);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("flow");

	live_table(s, holds_are_those_that_the_program_tells, 2 * PATIENCE_S,
		   COUNT(programs) * COUNT(scenarios));
	return unit_run(s);
}
