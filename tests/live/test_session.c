/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Several looks at one process in a session: what is kept, and what is found out anew. */
#include "inferior.h"

#include <stdio.h>

#include "debugger/look.h"

static const struct session_options of_session = { .ompd_library = NULL };
static const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };

static struct session *open_session_as(const struct inferior *i, const struct session_options *as)
{
	struct session *s = NULL;
	char name[32];

	snprintf(name, sizeof(name), "%d", i->pid);
	ck_assert_no_error(session_open(name, NULL, as, &s));
	return s;
}

static struct session *open_session(const struct inferior *i)
{
	return open_session_as(i, &of_session);
}

static void look(struct session *s, struct look *ret)
{
	ck_assert_no_error(look_once(s, &options, ret));
	ck_assert_no_error(snapshot_name(ret->snapshot));
}

/* All that hangs on the modules. */
struct known {
	const void *parts[256];
	size_t len, runtimes;
};

static void note(const struct session *s, struct known *ret)
{
	*ret = (struct known){ 0 };
	vec_for_each (m, s->modules) {
		for (size_t part = 0; part < NUM_MODULE_PARTS; part++) {
			ck_assert_uint_lt(ret->len, COUNT(ret->parts));
			ret->parts[ret->len++] = (*m)->parts[part].data;
		}
		ret->runtimes += (*m)->parts[MODULE_OMPD].data != NULL;
	}
}

static const char *const programs[] = { "omp_nested-gcc-O2", "omp_nested-clang-O2" };

START_TEST(a_second_look_says_the_same_and_makes_nothing_anew)
{
	AUTO_INFERIOR i;
	struct known first, second;
	AUTO_LOOK l = { 0 };

	ck_assert(inferior_start(&i, ARGS(programs[_i])));
	inferior_await_sleep(&i);
	AUTO_SESSION *s = open_session(&i);
	look(s, &l);
	note(s, &first);
	size_t regions = l.snapshot->picture.regions.len, tasks = l.snapshot->picture.tasks.len;
	size_t frames = l.snapshot->stitched.stacks.items[0].frames.len;
	ck_assert(regions == 3 && tasks > 0 && frames > 1);
	ck_assert_uint_eq(first.runtimes, 1);
	ck_assert_uint_gt(l.snapshot->stacks->raw[0].len, 0); /* the raw stacks are still there */
	inferior_check_untouched(&i, "S");
	for (int n = 0; n < 3; n++) {
		look(s, &l);
		note(s, &second);
		ck_assert(!memcmp(&first, &second, sizeof(first)));
		ck_assert_uint_eq(l.snapshot->picture.regions.len, regions);
		ck_assert_uint_eq(l.snapshot->picture.tasks.len, tasks);
		ck_assert_uint_eq(l.snapshot->stitched.stacks.items[0].frames.len, frames);
		inferior_check_untouched(&i, "S");
	}
	inferior_finish(&i);
}
END_TEST

/* All that the first thread's stack says, its addresses excepted: they are others in each process.
 */
static char *in_words(const struct session *s, const struct look *l)
{
	AUTO_BUF ret = { 0 };
	struct symbol symbol;

	vec_for_each (f, &l->snapshot->stitched.stacks.items[0].frames) {
		buf_addf(&ret, "%s %s:%d", f->function ? f->function : "", f->file ? f->file : "",
			 f->line);
		if (f->frame && symbol_at(s->symbols, f->frame->pc, &symbol))
			buf_addf(&ret, " %s of %s", symbol.name, module_name(symbol.module));
		buf_addc(&ret, '\n');
	}
	ck_assert(buf_ok(&ret));
	return strdup(buf_text(&ret));
}

START_TEST(a_session_begins_with_what_is_known_of_another_process)
{
	AUTO_INFERIOR first;
	AUTO_INFERIOR second;
	AUTO_LOOK l = { 0 };

	ck_assert(inferior_start(&first, ARGS(programs[_i])));
	ck_assert(inferior_start(&second, ARGS(programs[_i])));
	inferior_await_sleep(&first);
	inferior_await_sleep(&second);
	AUTO_SESSION *model = open_session(&first);
	ck_assert_no_error(snapshot_prepare(model));
	const void *files = module_exe(model->modules)->parts[MODULE_FILES].data;
	ck_assert_ptr_nonnull(files);
	AUTO_SESSION *alone = open_session(&second);
	look(alone, &l);
	AUTO_FREE char *expected = in_words(alone, &l);
	look_fini(&l);
	AUTO_SESSION *s = open_session_as(&second, &(struct session_options){ .model = model });
	look(s, &l);
	AUTO_FREE char *words = in_words(s, &l);
	ck_assert_str_eq(words, expected);
	ck_assert_ptr_eq(module_exe(s->modules)->parts[MODULE_FILES].data, files);
	ck_assert_ptr_null(module_exe(model->modules)->parts[MODULE_FILES].data);
	ck_assert_uint_ne(module_exe(s->modules)->bias, module_exe(model->modules)->bias);
	look_fini(&l);
	inferior_check_untouched(&first, "S");
	inferior_finish(&first);
	inferior_finish(&second);
}
END_TEST

/* Each of them is in a file of its own. */
START_TEST(names_of_numbered_threads_are_read_where_they_are_wanted_alone)
{
	AUTO_INFERIOR i;
	AUTO_LOOK l = { 0 };

	ck_assert(inferior_start(&i, ARGS(programs[_i])));
	inferior_await_sleep(&i);
	AUTO_SESSION *s = open_session(&i);
	for (int few = 0; few < 2; few++) {
		const struct snapshot_options its = { .max_frames = UNWIND_FRAMES_DEFAULT,
						      .few_names = few };
		ck_assert_no_error(look_once(s, &its, &l));
		ck_assert_no_error(snapshot_name(l.snapshot));
		ck_assert_str_ne(l.snapshot->stacks->threads.items[0].name, "");
		ck_assert_uint_gt(l.snapshot->stacks->threads.len, 2);
		for (int t = 1; t < (int)l.snapshot->stacks->threads.len; t++) {
			const struct picture_thread *th = picture_thread(&l.snapshot->picture, t);
			bool wanted = !few || !picture_is_numbered(th);
			ck_assert(!l.snapshot->stacks->threads.items[t].name == !wanted);
		}
	}
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_loaded_between_two_looks_is_seen)
{
	AUTO_INFERIOR i;
	AUTO_LOOK l = { 0 };

	ck_assert(inferior_start(&i, ARGS("live_changes")));
	AUTO_SESSION *s = open_session(&i);
	look(s, &l);
	size_t len = s->modules->len, said = i.said.len;
	inferior_poke(&i);
	inferior_await_ready(&i, said);
	look(s, &l);
	ck_assert_uint_eq(s->modules->len, len + 1);
	inferior_finish(&i);
}
END_TEST

static void check_same_icvs(const struct picture *p, const struct picture *expected)
{
	ck_assert_uint_eq(p->icvs.len, expected->icvs.len);
	for (size_t n = 0; n < p->icvs.len; n++) {
		ck_assert_str_eq(p->icvs.items[n].name, expected->icvs.items[n].name);
		ck_assert_str_eq(p->icvs.items[n].value, expected->icvs.items[n].value);
	}
}

static void check_same_wait(const struct picture_wait *wait, const struct picture_wait *expected)
{
	ck_assert_int_ge(expected->holder, 0);
	ck_assert_int_eq(wait->kind, expected->kind);
	ck_assert_int_eq(wait->holder, expected->holder);
	ck_assert_int_eq(wait->holder_source, expected->holder_source);
}

/* Without an OMPD library, too. */
static const struct {
	const char *program;
	struct session_options options;
	bool answers;
} later[] = {
	{ "omp_later-gcc-O2", { .ompd_library = NULL }, true },
	{ "omp_later-clang-O2", { .ompd_library = NULL }, true },
	{ "omp_later-clang-O2", { .ompd_library = "/no/libompd.so" }, false },
};

START_TEST(what_a_runtime_makes_between_two_looks_is_seen)
{
	static const struct snapshot_options with_icvs = { .max_frames = UNWIND_FRAMES_DEFAULT,
							   .icvs = true };
	AUTO_INFERIOR i;
	AUTO_LOOK l = { 0 };
	AUTO_LOOK fresh = { 0 };

	ck_assert(inferior_start(&i, ARGS(later[_i].program)));
	AUTO_SESSION *s = open_session_as(&i, &later[_i].options);
	ck_assert_no_error(look_once(s, &with_icvs, &l));
	size_t said = i.said.len;
	inferior_poke(&i);
	inferior_await_ready(&i, said);
	ck_assert_no_error(look_once(s, &with_icvs, &l));
	AUTO_SESSION *other = open_session_as(&i, &later[_i].options);
	ck_assert_no_error(look_once(other, &with_icvs, &fresh));
	const struct picture *p = &l.snapshot->picture, *expected = &fresh.snapshot->picture;
	ck_assert_uint_eq(p->regions.len, 1);
	ck_assert(expected->icvs.len > 0 || !later[_i].answers);
	check_same_icvs(p, expected);
	check_same_wait(&p->threads.items[0].wait, &expected->threads.items[0].wait);
	inferior_finish(&i);
}
END_TEST

START_TEST(a_process_that_has_ended_is_not_looked_at_again)
{
	AUTO_INFERIOR i;
	AUTO_LOOK l = { 0 };

	ck_assert(inferior_start(&i, ARGS("sleepers", "2")));
	AUTO_SESSION *s = open_session(&i);
	look(s, &l);
	inferior_finish(&i);
	ck_assert_error(look_once(s, &options, &l), ERROR_NOT_FOUND, "has ended");
}
END_TEST

START_TEST(a_program_that_ompdb_cannot_look_at_is_refused_at_each_look)
{
	AUTO_LOOK l = { 0 };
	AUTO_INFERIOR other;
	char path[4096];

	if (!inferior_start(&other, ARGS("tiny32")))
		return;
	inferior_finish(&other);
	AUTO_INFERIOR i;
	snprintf(path, sizeof(path), "%s/tiny32", getenv("TESTPROGS") ? getenv("TESTPROGS") : ".");
	ck_assert(inferior_start(&i, ARGS("live_changes", path)));
	AUTO_SESSION *s = open_session(&i);
	look(s, &l);
	for (int n = 0; n < 4; n++) {
		size_t said = i.said.len;
		inferior_poke(&i);
		inferior_await_ready(&i, said);
	}
	for (int n = 0; n < 3; n++)
		ck_assert_error(look_once(s, &options, &l), ERROR_UNSUPPORTED, "32-bit");
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("session");

	live_table(s, a_second_look_says_the_same_and_makes_nothing_anew, 60, COUNT(programs));
	live_table(s, a_session_begins_with_what_is_known_of_another_process, 60, COUNT(programs));
	live_table(s, names_of_numbered_threads_are_read_where_they_are_wanted_alone, 60,
		   COUNT(programs));
	live_table(s, what_a_runtime_makes_between_two_looks_is_seen, 60, COUNT(later));
	live_case(s, "changes", 60, what_is_loaded_between_two_looks_is_seen,
		  a_process_that_has_ended_is_not_looked_at_again,
		  a_program_that_ompdb_cannot_look_at_is_refused_at_each_look);
	return unit_run(s);
}
