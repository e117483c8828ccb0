/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What goes between ompdb and its tracer, and what nonsense does to it. */
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake_target.h"
#include "target/tracer/message.h"
#include "target/tracer/roll.h"
#include "unit.h"

static int ends[2];

static void set_up(void)
{
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
}

static void tear_down(void)
{
	close(ends[0]);
	close(ends[1]);
}

START_TEST(what_is_sent_arrives_with_its_files)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	AUTO_MESSAGE got = MESSAGE_NONE;
	size_t len;

	m.kind = 7;
	m.files[1] = open("/dev/null", O_RDONLY | O_CLOEXEC);
	message_add(&m.body, 0x123456789abc, 6);
	message_add_text(&m.body, "a text");
	message_add_text(&m.body, "");
	message_add_text(&m.body, NULL);
	ck_assert(message_send(ends[0], &m));
	ck_assert(message_receive(ends[1], &got));
	ck_assert_uint_eq(got.kind, 7);
	ck_assert_int_eq(got.files[0], -1);
	ck_assert_int_ge(got.files[1], 0);
	ck_assert_int_eq(got.files[2], -1);
	struct cursor c = cursor_of(got.body.data, got.body.len);
	ck_assert_uint_eq(cursor_uint(&c, 6), 0x123456789abc);
	AUTO_FREE char *text = message_text(&c);
	ck_assert_str_eq(text, "a text");
	ck_assert_ptr_nonnull(message_bytes(&c, &len)); /* there, and empty */
	ck_assert_uint_eq(len, 0);
	ck_assert_ptr_null(message_bytes(&c, &len));
	ck_assert(!c.bad);
}
END_TEST

START_TEST(errors_arrive_as_they_were)
{
	AUTO_BUF b = { 0 };
	struct error *err = error_new(ERROR_GONE, "it is gone");

	message_add_error(&b, err);
	message_add_error(&b, NULL);
	error_free(err);
	struct cursor c = cursor_of(b.data, b.len);
	ck_assert_error(message_error(&c), ERROR_GONE, "it is gone");
	ck_assert_no_error(message_error(&c));
	ck_assert_error(message_error(&c), ERROR_BAD_DATA, "makes no sense"); /* beyond the end */
}
END_TEST

/* Kind, length and files, in place of what message_send() writes. */
static bool is_taken(uint32_t len, size_t sent)
{
	uint32_t head[] = { 1, len, 0 };
	AUTO_MESSAGE got = MESSAGE_NONE;

	ck_assert_int_eq(write(ends[0], head, sent), (ssize_t)sent);
	shutdown(ends[0], SHUT_WR);
	return message_receive(ends[1], &got);
}

START_TEST(what_is_cut_short_or_too_long_is_not_taken)
{
	static const struct {
		uint32_t len;
		size_t sent;
	} rows[] = { { 0, 0 }, { 0, 5 }, { 1, 12 }, { MESSAGE_MAX + 1, 12 }, { UINT32_MAX, 12 } };

	ck_assert(!is_taken(rows[_i].len, rows[_i].sent));
}
END_TEST

/* ---- threads as both ends know them ------------------------------------------------------- */

START_TEST(the_other_end_learns_what_has_changed_alone)
{
	struct fake_target *here = fake_target_new(), *there = fake_target_new();
	struct roll mine = { 0 }, theirs = { 0 };
	size_t sizes[3];

	for (int n = 0; n < 3; n++) {
		AUTO_BUF b = { 0 };
		if (n == 0) {
			for (pid_t lwp = 10; lwp < 15; lwp++)
				target_add_thread(&here->base, lwp)->state = THREAD_STOPPED;
		} else if (n == 1) {
			struct thread *th = target_find_thread(&here->base, 12);
			th->stop = (struct stop){ STOP_SIGNAL, SIGUSR1 };
			th->signal = SIGUSR1;
			target_find_thread(&here->base, 13)->state = THREAD_GONE;
		} else {
			target_drop_gone(&here->base);
		}
		roll_add_changes(&mine, &here->base, &b);
		sizes[n] = b.len;
		struct cursor c = cursor_of(b.data, b.len);
		ck_assert_no_error(roll_take_changes(&theirs, &there->base, false, &c));
		ck_assert(!c.bad && c.p == c.end);
	}
	ck_assert_uint_gt(sizes[0], sizes[1]);
	ck_assert_uint_eq(sizes[2], 4); /* that somebody is gone was told already */
	ck_assert_int_eq(target_find_thread(&there->base, 12)->signal, SIGUSR1);
	ck_assert_int_eq(target_find_thread(&there->base, 12)->stop.kind, STOP_SIGNAL);
	ck_assert_int_eq(target_find_thread(&there->base, 13)->state, THREAD_GONE);
	ck_assert_int_eq(target_find_thread(&there->base, 14)->state, THREAD_STOPPED);
	vec_fini(&mine);
	vec_fini(&theirs);
	target_free(&here->base);
	target_free(&there->base);
}
END_TEST

START_TEST(wishes_change_wishes_alone)
{
	struct fake_target *ours = fake_target_new(), *tracers = fake_target_new();
	struct roll mine = { 0 }, theirs = { 0 };
	AUTO_BUF b = { 0 };

	target_add_thread(&tracers->base, 10)->state = THREAD_RUNNING;
	struct thread *th = target_add_thread(&ours->base, 10);
	th->state = THREAD_STOPPED;
	th->signal = SIGUSR2;
	th->held = true;
	target_add_thread(&ours->base, 11); /* whom the tracer does not know (any more) */
	roll_add_changes(&mine, &ours->base, &b);
	struct cursor c = cursor_of(b.data, b.len);
	ck_assert_no_error(roll_take_changes(&theirs, &tracers->base, true, &c));
	th = target_find_thread(&tracers->base, 10);
	ck_assert_int_eq(th->state, THREAD_RUNNING);
	ck_assert_int_eq(th->signal, SIGUSR2);
	ck_assert(th->held);
	ck_assert_ptr_null(target_find_thread(&tracers->base, 11));
	vec_fini(&mine);
	vec_fini(&theirs);
	target_free(&ours->base);
	target_free(&tracers->base);
}
END_TEST

/* A thread that dies without an event, just before the other end wishes something. */
START_TEST(what_nobody_was_told_is_told_after_a_wish)
{
	struct fake_target *ours = fake_target_new(), *tracers = fake_target_new();
	struct roll mine = { 0 }, theirs = { 0 };

	for (int n = 0; n < 3; n++) {
		bool wishes = n == 1;
		AUTO_BUF b = { 0 };
		if (n == 0) {
			target_add_thread(&tracers->base, 10)->state = THREAD_RUNNING;
			target_add_thread(&tracers->base, 11)->state = THREAD_RUNNING;
		} else if (wishes) {
			target_find_thread(&tracers->base, 11)->state = THREAD_GONE;
			target_drop_gone(&tracers->base);
			target_add_thread(&tracers->base, 9);
			target_find_thread(&ours->base, 10)->held = true;
		}
		if (wishes)
			roll_add_changes(&mine, &ours->base, &b);
		else
			roll_add_changes(&theirs, &tracers->base, &b);
		struct cursor c = cursor_of(b.data, b.len);
		if (wishes)
			ck_assert_no_error(roll_take_changes(&theirs, &tracers->base, true, &c));
		else
			ck_assert_no_error(roll_take_changes(&mine, &ours->base, false, &c));
	}
	ck_assert_int_eq(target_find_thread(&ours->base, 11)->state, THREAD_GONE);
	ck_assert_ptr_nonnull(target_find_thread(&ours->base, 9));
	ck_assert(target_find_thread(&tracers->base, 10)->held);
	vec_fini(&mine);
	vec_fini(&theirs);
	target_free(&ours->base);
	target_free(&tracers->base);
}
END_TEST

START_TEST(a_list_that_makes_no_sense_is_refused)
{
	struct fake_target *t = fake_target_new();
	struct roll roll = { 0 };
	uint8_t row[18] = { 10 };

	row[4 + _i] = 0xee; /* a state, a kind of stop; or it ends too early */
	struct cursor c = cursor_of(row, _i < 2 ? sizeof(row) : 9);
	ck_assert_error(roll_take_changes(&roll, &t->base, false, &c), ERROR_BAD_DATA,
			"makes no sense");
	vec_fini(&roll);
	target_free(&t->base);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("message");
	TCase *tc = tcase_create("messages");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, what_is_sent_arrives_with_its_files);
	tcase_add_test(tc, errors_arrive_as_they_were);
	tcase_add_loop_test(tc, what_is_cut_short_or_too_long_is_not_taken, 0, 5);
	suite_add_tcase(s, tc);
	tc = tcase_create("roll");
	tcase_add_test(tc, the_other_end_learns_what_has_changed_alone);
	tcase_add_test(tc, wishes_change_wishes_alone);
	tcase_add_test(tc, what_nobody_was_told_is_told_after_a_wish);
	tcase_add_loop_test(tc, a_list_that_makes_no_sense_is_refused, 0, 3);
	suite_add_tcase(s, tc);
	return unit_run(s);
}
