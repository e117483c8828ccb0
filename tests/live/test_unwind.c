/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Call frames of live threads: whole where that is possible, else ending with the reason. */
#include "inferior.h"

#include <stdio.h>

#include "target/code/unwind.h"

/* A stopped inferior with one thread's frames. */
struct stacks {
	struct inferior inferior;
	struct target *target;
	struct module_list *modules;
	struct debuginfo_set *files;
	struct unwinder *unwinder;
	struct unwind_stack stack;
};

static void stacks_begin(struct stacks *s, struct target *t)
{
	static const struct debuginfo_options options = { .debuginfod = false };

	s->target = t;
	ck_assert_no_error(module_list_read(t, &s->modules));
	s->files = debuginfo_set_new(s->modules, &options);
	s->unwinder = unwinder_new(s->modules, s->files);
	ck_assert(s->files && s->unwinder);
}

static void stacks_fini(struct stacks *s)
{
	unwind_stack_fini(&s->stack);
	unwinder_free(s->unwinder);
	debuginfo_set_free(s->files);
	module_list_free(s->modules);
	target_free(s->target);
	inferior_fini(&s->inferior);
}
#define AUTO_STACKS AUTO(stacks_fini) struct stacks

static void unwind(struct stacks *s, struct thread *th, size_t most)
{
	unwind_stack_fini(&s->stack);
	ck_assert_no_error(unwind_thread(s->unwinder, th, most, &s->stack));
}

/* Starts a program, attaches to it where it sleeps, and unwinds one of its threads. */
static void look_at(struct stacks *s, size_t thread, const char *const *args)
{
	*s = (struct stacks){ 0 };
	ck_assert(inferior_start(&s->inferior, args));
	inferior_await_sleep(&s->inferior);
	stacks_begin(s, inferior_attach(&s->inferior));
	ck_assert_uint_gt(s->target->threads.len, thread);
	unwind(s, s->target->threads.items[thread], UNWIND_FRAMES_DEFAULT);
}

static void let_go(struct stacks *s)
{
	ck_assert_no_error(target_detach(s->target));
	inferior_check_untouched(&s->inferior, "S");
	inferior_finish(&s->inferior);
}

static bool is_in(const struct stacks *s, const struct unwind_frame *f, const char *function)
{
	uint64_t size;
	taddr start = inferior_function(&s->inferior, function, &size);
	taddr at = f->exact ? f->pc : f->pc - 1;

	return at >= start && at < start + size;
}

/*
 * The innermost frame of a function, which must be at "from" or further out; for what is in
 * between, code of libraries, see the caller.
 */
static size_t find_frame(const struct stacks *s, size_t from, const char *function)
{
	for (size_t n = from; n < s->stack.len; n++) {
		if (is_in(s, &s->stack.items[n], function))
			return n;
	}
	ck_abort_msg("no frame of %s from frame %zu of %zu on; end: %s", function, from,
		     s->stack.len, s->stack.end ? s->stack.end : "none");
	return 0;
}

/* The functions called one another, directly. Returns the frame of the last one. */
static size_t check_calls(const struct stacks *s, size_t from, const char *const *functions)
{
	size_t n = find_frame(s, from, *functions);

	for (functions++; *functions; functions++) {
		n++;
		ck_assert_uint_lt(n, s->stack.len);
		ck_assert_msg(is_in(s, &s->stack.items[n], *functions), "frame %zu is not %s", n,
			      *functions);
	}
	return n;
}
#define CALLS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Frames are consistent with each other, and the stack reaches the start of the thread. */
static void check_complete(const struct stacks *s)
{
	const struct unwind_stack *st = &s->stack;
	size_t wrong = 0;

	ck_assert_msg(st->end == NULL, "%s", st->end);
	ck_assert(st->items[0].exact);
	vec_for_each (f, st)
		wrong += f->guessed || (f->signal && !f->exact) || !module_at(s->modules, f->pc);
	ck_assert_uint_eq(wrong, 0);
}

static size_t count_signal_frames(const struct stacks *s)
{
	size_t n = 0;

	vec_for_each (f, &s->stack)
		n += f->signal;
	return n;
}

/* ---- whole stacks ----------------------------------------------------------------------- */

static const char *const chains[] = {
	"chain-gcc-O0",    "chain-gcc-O2", "chain-clang-O0", "chain-clang-O2", "chain-static",
	"chain-staticpie", "chain-nopie",  "chain-stripped", "chain-exported", "chain-no_eh_hdr",
};

START_TEST(a_chain_of_calls_is_seen_as_it_is)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS(chains[_i]));
	check_complete(&s);
	if (!strstr(chains[_i], "stripped") && !strstr(chains[_i], "exported"))
		check_calls(&s, 1, CALLS("gamma_leaf", "beta", "alpha", "main"));
	for (size_t n = 1; n < s.stack.len; n++)
		ck_assert_uint_gt(s.stack.items[n].cfa, s.stack.items[n - 1].cfa);
	ck_assert_uint_ge(s.stack.len, 7); /* read, the four, and the C library's start */
	let_go(&s);
}
END_TEST

static const struct program {
	const char *name, *argument;
} callbacks[] = {
	{ "callbacks-gcc-O2", "qsort" },
	{ "callbacks-clang-O0", "qsort" },
	{ "callbacks-gcc-O0", "bsearch" }, /* with -O2 it is inlined */
};

START_TEST(frames_cross_a_callback_of_the_C_library)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS(callbacks[_i].name, callbacks[_i].argument));
	check_complete(&s);
	size_t callback = check_calls(&s, 1, CALLS("sleep_once", "compare"));
	size_t caller = find_frame(&s, callback + 1, "call");
	ck_assert_uint_gt(caller, callback + 1); /* qsort or bsearch is in between */
	check_calls(&s, caller, CALLS("call", "main"));
	let_go(&s);
}
END_TEST

START_TEST(a_thread_ends_at_its_start)
{
	AUTO_STACKS s;

	look_at(&s, 1, ARGS("callbacks-gcc-O2", "thread"));
	check_complete(&s);
	size_t start = check_calls(&s, 1, CALLS("sleep_once", "start"));
	ck_assert_uint_le(s.stack.len, start + 3); /* start_thread, clone3 */
	let_go(&s);
}
END_TEST

static const struct program handlers[] = {
	{ "signal_frames-gcc-O0", NULL },
	{ "signal_frames-gcc-O2", NULL },
	{ "signal_frames-gcc-O0", "alt" },
	{ "signal_frames-clang-O2", "alt" },
};

START_TEST(frames_cross_a_signal_handler)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS(handlers[_i].name, handlers[_i].argument));
	check_complete(&s);
	ck_assert_uint_eq(count_signal_frames(&s), 1);
	size_t handler = check_calls(&s, 1, CALLS("in_handler", "handler"));
	ck_assert(s.stack.items[handler + 1].signal);
	/* The very first instruction: one before belongs to another function. */
	const struct unwind_frame *hit = &s.stack.items[handler + 2];
	ck_assert(hit->exact);
	uint64_t size;
	ck_assert_uint_eq(hit->pc,
			  inferior_function(&s.inferior, "first_instruction_faults", &size));
	check_calls(&s, handler + 2, CALLS("first_instruction_faults", "interrupted", "main"));
	let_go(&s);
}
END_TEST

START_TEST(every_thread_of_many_is_unwound)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS("sleepers", "64"));
	vec_for_each (th, &s.target->threads) {
		bool leader = (*th)->lwp == s.target->pid;
		unwind(&s, *th, UNWIND_FRAMES_DEFAULT);
		check_complete(&s);
		find_frame(&s, 1, leader ? "main" : "sleeper");
	}
	let_go(&s);
}
END_TEST

/* ---- no unwind tables ------------------------------------------------------------------- */

START_TEST(frames_without_tables_are_marked_as_guesses)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS("chain-nounwind"));
	size_t leaf = find_frame(&s, 1, "gamma_leaf");
	size_t last = check_calls(&s, leaf, CALLS("gamma_leaf", "beta", "alpha", "main"));
	/* The frame of a function with tables, read(), has led to gamma_leaf. */
	ck_assert(!s.stack.items[leaf].guessed);
	for (size_t n = leaf + 1; n <= last; n++)
		ck_assert(s.stack.items[n].guessed);
	let_go(&s);
}
END_TEST

START_TEST(a_scan_of_eh_frame_does_without_a_table_to_search)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS("chain-no_eh_hdr"));
	ck_assert_uint_eq(module_at(s.modules, s.stack.items[0].pc)->eh_frame_hdr, 0);
	check_calls(&s, 1, CALLS("gamma_leaf", "beta", "alpha", "main"));
	let_go(&s);
}
END_TEST

/* ---- damaged stacks --------------------------------------------------------------------- */

static const struct damage {
	const char *how, *reason;
} damages[] = {
	{ "cycle", "no frame pointer leads on" }, { "cfi-cycle", "does not grow" },
	{ "misaligned", "is not in code" }, /* nor is what lies at an odd address a good one */
	{ "cfi-misaligned", "is not in code" },   { "unreadable", "cannot be read" },
	{ "cfi-unreadable", "cannot be read" },
};

START_TEST(a_damaged_stack_ends_with_the_reason)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS("cyclic_frames", damages[_i].how));
	size_t stuck = find_frame(&s, 1, "stuck");
	ck_assert_uint_lt(s.stack.len, stuck + 10);
	ck_assert_msg(s.stack.end && strstr(s.stack.end, damages[_i].reason), "the reason is '%s'",
		      s.stack.end);
	let_go(&s);
}
END_TEST

START_TEST(a_deep_stack_is_seen_whole)
{
	AUTO_STACKS s;

	look_at(&s, 1, ARGS("deep_recursion"));
	unwind(&s, s.target->threads.items[1], UNWIND_FRAMES_MAX);
	check_complete(&s);
	size_t first = find_frame(&s, 1, "recurse"), n = first + 1;
	taddr call = s.stack.items[n].pc;
	ck_assert(is_in(&s, &s.stack.items[n], "recurse"));
	while (n < s.stack.len && s.stack.items[n].pc == call)
		n++;
	ck_assert_uint_eq(n - first, 131072 + 1);
	ck_assert(is_in(&s, &s.stack.items[n], "start"));
	let_go(&s);
}
END_TEST

START_TEST(a_deep_stack_is_cut_where_told)
{
	AUTO_STACKS s;

	look_at(&s, 1, ARGS("deep_recursion"));
	unwind(&s, s.target->threads.items[1], 100);
	ck_assert_uint_eq(s.stack.len, 100);
	ck_assert_msg(!s.stack.end, "%s", s.stack.end);
	ck_assert(s.stack.cut);
	unwind(&s, s.target->threads.items[1], 1);
	ck_assert_uint_eq(s.stack.len, 1);
	let_go(&s);
}
END_TEST

/* ---- a call to where no code is --------------------------------------------------------- */

START_TEST(a_call_to_nowhere_shows_its_caller)
{
	AUTO_STACKS s = { 0 };
	struct target *t = inferior_launch(&s.inferior, ARGS("live_wild"));
	struct event event = run_until(t, STOP_SIGNAL, NULL);

	ck_assert_int_eq(event.stop.value, SIGSEGV);
	stacks_begin(&s, t);
	unwind(&s, event.thread, UNWIND_FRAMES_DEFAULT);
	ck_assert_uint_eq(s.stack.items[0].pc, 0x10);
	ck_assert(s.stack.items[0].exact && !s.stack.items[1].exact);
	check_calls(&s, 1, CALLS("call_wild", "main"));
	ck_assert_msg(s.stack.end == NULL, "%s", s.stack.end);
}
END_TEST

START_TEST(a_call_to_nowhere_shows_its_caller_below_the_handler)
{
	AUTO_STACKS s;

	look_at(&s, 0, ARGS("live_wild"));
	size_t handler = check_calls(&s, 1, CALLS("in_handler", "handler"));
	ck_assert(s.stack.items[handler + 1].signal);
	ck_assert_uint_eq(s.stack.items[handler + 2].pc, 0x10);
	ck_assert(s.stack.items[handler + 2].exact && !s.stack.items[handler + 3].exact);
	check_calls(&s, handler + 3, CALLS("call_wild", "main"));
	ck_assert_msg(s.stack.end == NULL, "%s", s.stack.end);
	let_go(&s);
}
END_TEST

/* ---- anywhere --------------------------------------------------------------------------- */

START_TEST(any_instruction_can_be_unwound_from)
{
	enum { STEPS = 3000 };
	AUTO_STACKS s = { 0 };
	struct target *t = inferior_launch(&s.inferior, ARGS("live_makes", "thread", "0"));
	size_t whole = 0, cut = 0;

	run_until_ready(t, &s.inferior, NULL);
	cleanup_close(&s.inferior.in);
	s.inferior.in = -1;
	stacks_begin(&s, t);
	/* From read() in the C library through main() into exit(). */
	for (int n = 0; n < STEPS; n++) {
		struct thread *th = t->threads.items[0];
		ck_assert_no_error(target_resume(t, th, RESUME_STEP));
		struct event event = wait_event(t);
		if (stop_is_end(&event.stop))
			break;
		unwind(&s, th, UNWIND_FRAMES_DEFAULT);
		ck_assert_uint_lt(s.stack.len, 30);
		whole += !s.stack.end && !s.stack.cut;
		cut += s.stack.cut;
	}
	/* The compiler's own code before and after main() has no unwind tables. */
	ck_assert_uint_gt(whole, 100);
	ck_assert_uint_lt(cut, whole / 20);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("unwind");

	live_table(s, a_chain_of_calls_is_seen_as_it_is, 60, COUNT(chains));
	live_table(s, frames_cross_a_callback_of_the_C_library, 60, COUNT(callbacks));
	live_table(s, frames_cross_a_signal_handler, 60, COUNT(handlers));
	live_table(s, a_damaged_stack_ends_with_the_reason, 60, COUNT(damages));
	live_case(s, "whole stacks", 60, a_thread_ends_at_its_start,
		  every_thread_of_many_is_unwound);
	live_case(s, "no unwind tables", 60, frames_without_tables_are_marked_as_guesses,
		  a_scan_of_eh_frame_does_without_a_table_to_search);
	live_case(s, "deep stacks", 60, a_deep_stack_is_seen_whole, a_deep_stack_is_cut_where_told);
	live_case(s, "nowhere", 60, a_call_to_nowhere_shows_its_caller,
		  a_call_to_nowhere_shows_its_caller_below_the_handler);
	live_case(s, "anywhere", 60, any_instruction_can_be_unwound_from);
	return unit_run(s);
}
