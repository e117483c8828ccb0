/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Run control over a kernel that is a table: two threads do something each, at every moment. */
#include "fake_kernel.h"
#include "target/process/halt.h"
#include "target/process/let_go.h"
#include "target/process/run.h"
#include "unit.h"

/* In calls of the kernel: beyond the last one all is quiet. */
enum { MOMENTS = 14, QUIET = 20 };
/* Sanitizers take ten times as long: there every eleventh pair of moments has to do. */
#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 11 };
#else
enum { STRIDE = 1 };
#endif

struct world {
	struct target target;
	struct tracees tracees;
	unsigned int told[2][STOP_RETURN + 1]; /* by thread                     */
	bool end_told, step_told;
};

static void begin(struct world *w, const enum deed deeds[2], const unsigned int moments[2])
{
	*w = (struct world){ .target = { .pid = LEADER, .arch = &arch_x86_64 } };
	w->tracees.target = &w->target;
	for (int i = 0; i < 2; i++) {
		struct thread *th = target_add_thread(&w->target, LEADER + i);
		ck_assert_ptr_nonnull(th);
		th->process = LEADER;
	}
	fake_kernel_begin(deeds, moments);
}

static void finish(struct world *w)
{
	ck_assert_no_error(let_go_detach(&w->tracees));
	ck_assert(fake_kernel_all_free());
	tracees_fini(&w->tracees);
	target_fini(&w->target);
}

static void note(struct world *w, const struct event *event)
{
	pid_t lwp = event->thread ? event->thread->lwp : LEADER;
	struct thread *made = NULL;

	ck_assert_msg(!w->end_told, "%s after the end", stop_kind_name(event->stop.kind));
	w->end_told = stop_is_end(&event->stop);
	w->step_told |= event->stop.kind == STOP_STEPPED;
	fake_kernel_tell(lwp);
	if (event->stop.kind == STOP_CLONE) {
		made = target_find_thread(&w->target, MADE);
		ck_assert(made && made->state == THREAD_STOPPED);
		fake_kernel_tell(MADE);
	}
	if (lwp != MADE)
		w->told[lwp - LEADER][event->stop.kind]++;
	if (!w->end_told)
		ck_assert_int_eq(event->thread->state, THREAD_STOPPED);
}

/* Tells one event; false: there is none now. */
static bool tell(struct world *w)
{
	struct event event;

	if (w->end_told)
		return false;
	ck_assert_no_error(run_wait(&w->tracees, 0, &event));
	if (event.stop.kind == STOP_NONE)
		return false;
	note(w, &event);
	if (w->tracees.new_program)
		ck_assert_no_error(run_follow_exec(&w->tracees));
	w->tracees.new_program = false;
	return true;
}

static void resume(struct world *w)
{
	ck_assert_no_error(run_resume(&w->tracees, NULL, RESUME_CONTINUE));
}

static void stop(struct world *w)
{
	struct error *err = halt_all(&w->tracees);

	ck_assert(!err || error_is(err, ERROR_GONE));
	error_ignore(err);
	ck_assert(fake_kernel_all_stand());
}

/* Resumes all after each event, until nothing happens any more. */
static void run(struct world *w)
{
	resume(w);
	for (int quiet = 0; quiet < QUIET && !w->end_told; quiet++) {
		if (!tell(w))
			continue;
		quiet = 0;
		resume(w);
	}
	ck_assert(w->end_told || fake_kernel_none_stands());
}

static void wait_only(struct world *w)
{
	run(w);
}

static void stop_between(struct world *w)
{
	for (int i = 0; i < 3; i++) {
		resume(w);
		stop(w);
		while (i && tell(w))
			;
	}
	while (tell(w))
		;
	run(w);
	stop(w);
}

/* The leader steps while the other one runs. */
static void step(struct world *w)
{
	struct thread *leader = w->target.threads.items[0], *other = w->target.threads.items[1];

	ck_assert_no_error(run_resume(&w->tracees, other, RESUME_CONTINUE));
	ck_assert_no_error(run_resume(&w->tracees, leader, RESUME_STEP));
	for (int i = 0; i < QUIET; i++)
		tell(w);
	run(w);
}

/* The same, with events of the other one in the queue. */
static void step_later(struct world *w)
{
	resume(w);
	stop(w);
	struct thread *leader = target_find_thread(&w->target, LEADER);
	if (leader && leader->state == THREAD_STOPPED) {
		bool clean = leader->stop.kind != STOP_GROUP;
		if (clean)
			ck_assert_no_error(run_resume(&w->tracees, leader, RESUME_STEP));
		/* Nothing else is told before it is done. */
		bool any = tell(w);
		for (int i = 0; !any && i < QUIET; i++)
			any = tell(w);
		if (clean && leader->stop.kind == STOP_STEPPED)
			ck_assert(w->step_told);
	}
	while (tell(w))
		;
	run(w);
}

static void (*const scripts[])(struct world *) = { wait_only, stop_between, step, step_later };

/* What a deed is told as, and the signal that has then to be delivered; 0: none. */
static const struct {
	enum stop_kind kind;
	int signal;
} results[DEEDS] = {
	[DEED_SIGNAL] = { STOP_SIGNAL, SIGUSR1 },
	[DEED_FAULT] = { STOP_SIGNAL, SIGSEGV },
	[DEED_TRAP] = { STOP_BREAKPOINT, SIGTRAP },
	[DEED_CLONE] = { STOP_CLONE, 0 },
	[DEED_FORK] = { STOP_FORK, 0 },
};

static bool ends_others(enum deed deed, int who)
{
	return deed == DEED_EXEC || (deed == DEED_EXIT && who == 0);
}

static void check(const struct world *w, const enum deed deeds[2], int i)
{
	const unsigned int *told = w->told[i];
	bool voided = ends_others(deeds[!i], !i);
	enum deed deed = deeds[i];
	pid_t lwp = LEADER + i;
	bool did = fake_kernel_did(lwp); /* not if it was stopped or ended before */

	if (results[deed].kind) {
		/* Each once, unless an end or an exec of another came first. */
		ck_assert_uint_le(told[results[deed].kind], did);
		ck_assert(voided || told[results[deed].kind] == did);
	}
	for (int signal = 1; signal < 65; signal++) {
		unsigned int n = fake_kernel_delivered(lwp, signal);
		bool due = did && signal == results[deed].signal;
		if (voided ? n > due : n != due)
			ck_abort_msg("thread %d got signal %d %u times", i, signal, n);
	}
	ck_assert_uint_eq(told[STOP_NONE] + told[STOP_KILLED], 0);
	ck_assert_uint_le(told[STOP_GROUP], deeds[0] == DEED_GROUP || deeds[1] == DEED_GROUP);
	ck_assert_uint_le(told[STOP_INTERRUPTED], deeds[0] == DEED_GROUP || deeds[1] == DEED_GROUP);
	ck_assert_uint_le(told[STOP_STEPPED], i == 0);
}

static void check_process(const struct world *w, const enum deed deeds[2])
{
	bool exec = deeds[0] == DEED_EXEC || deeds[1] == DEED_EXEC;

	if (deeds[0] == DEED_EXIT && !exec && fake_kernel_did(LEADER))
		ck_assert_uint_eq(w->told[0][STOP_EXITED], 1);
	if (deeds[0] != DEED_EXIT && exec && deeds[0] != DEED_GROUP && deeds[1] != DEED_GROUP)
		ck_assert_uint_ge(w->told[0][STOP_EXEC], 1);
	ck_assert_uint_eq(w->told[1][STOP_EXEC] + w->told[1][STOP_EXITED], 0);
	ck_assert_int_eq(w->end_told, w->told[0][STOP_EXITED]);
}

/* Row _i: a pair of deeds, under each script, at each pair of moments. */
START_TEST(whatever_happens_when_is_told_once_and_nothing_is_lost)
{
	const enum deed deeds[2] = { (enum deed)(_i / DEEDS), (enum deed)(_i % DEEDS) };

	/* Two that make threads would make the same one. */
	if ((deeds[0] == DEED_CLONE || deeds[0] == DEED_FORK) &&
	    (deeds[1] == DEED_CLONE || deeds[1] == DEED_FORK))
		return;
	for (unsigned int at = 0; at < MOMENTS * MOMENTS * COUNT(scripts); at += STRIDE) {
		const unsigned int moments[2] = { at % MOMENTS, at / MOMENTS % MOMENTS };
		struct world w;
		begin(&w, deeds, moments);
		scripts[at / MOMENTS / MOMENTS](&w);
		check(&w, deeds, 0);
		check(&w, deeds, 1);
		check_process(&w, deeds);
		finish(&w);
	}
}
END_TEST

/* ---- explicit orders -------------------------------------------------------------------- */

/* The leader is made to step while a signal for it is on its way. */
START_TEST(a_signal_in_the_middle_of_a_step_comes_after_it)
{
	const enum deed deeds[2] = { DEED_SIGNAL, DEED_NOTHING };
	const unsigned int moments[2] = { 0, 0 };
	struct world w;
	struct event event;

	begin(&w, deeds, moments);
	struct thread *leader = w.target.threads.items[0];
	ck_assert_no_error(run_resume(&w.tracees, leader, RESUME_STEP));
	ck_assert_no_error(run_wait(&w.tracees, 1000000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	ck_assert_int_eq(leader->signal, 0);
	ck_assert_uint_eq(fake_kernel_delivered(LEADER, SIGUSR1), 0);
	ck_assert_no_error(run_resume(&w.tracees, leader, RESUME_CONTINUE));
	ck_assert_no_error(run_wait(&w.tracees, 1000000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_SIGNAL);
	ck_assert_int_eq(leader->signal, SIGUSR1);
	fake_kernel_tell(LEADER);
	finish(&w);
	ck_assert_uint_eq(fake_kernel_delivered(LEADER, SIGUSR1), 1);
}
END_TEST

START_TEST(a_fault_ends_a_step)
{
	const enum deed deeds[2] = { DEED_FAULT, DEED_NOTHING };
	const unsigned int moments[2] = { 0, 0 };
	struct world w;
	struct event event;

	begin(&w, deeds, moments);
	ck_assert_no_error(run_resume(&w.tracees, w.target.threads.items[0], RESUME_STEP));
	ck_assert_no_error(run_wait(&w.tracees, 1000000, &event));
	ck_assert_int_eq(event.stop.kind, STOP_SIGNAL);
	ck_assert_int_eq(event.stop.value, SIGSEGV);
	fake_kernel_tell(LEADER);
	finish(&w);
}
END_TEST

/* When it wakes, its interrupt is a late one: it goes on with the others. */
START_TEST(who_is_stuck_goes_on_with_all)
{
	const enum deed deeds[2] = { DEED_NOTHING, DEED_NOTHING };
	const unsigned int moments[2] = { 0, 0 };
	struct world w;

	begin(&w, deeds, moments);
	struct thread *leader = w.target.threads.items[0], *other = w.target.threads.items[1];
	other->state = THREAD_STUCK;
	ck_assert_no_error(run_resume(&w.tracees, leader, RESUME_CONTINUE));
	ck_assert_int_eq(other->state, THREAD_STUCK);
	ck_assert_no_error(run_resume(&w.tracees, NULL, RESUME_CONTINUE));
	ck_assert_int_eq(other->state, THREAD_RUNNING);
	other->state = THREAD_STOPPED; /* as it is for the kernel */
	finish(&w);
}
END_TEST

START_TEST(the_end_is_told_after_what_happened_before_it)
{
	struct world w;
	const enum deed deeds[2] = { DEED_EXEC, DEED_NOTHING };
	const unsigned int moments[2] = { 0, 0 };

	begin(&w, deeds, moments);
	struct events *queue = &w.tracees.events;
	struct thread *leader = w.target.threads.items[0], *other = w.target.threads.items[1];
	leader->stop = (struct stop){ .kind = STOP_EXITED };
	ck_assert(events_add(queue, leader));
	other->stop = (struct stop){ .kind = STOP_SIGNAL };
	ck_assert(events_add(queue, other));
	ck_assert_int_eq(events_first(queue)->stop.kind, STOP_SIGNAL);
	events_drop(queue, other);
	other->stop = (struct stop){ .kind = STOP_STEPPED };
	ck_assert(events_add(queue, other));
	ck_assert_int_eq(events_first(queue)->stop.kind, STOP_STEPPED);
	events_drop(queue, other);
	ck_assert_uint_eq(events_count(queue), 1);
	ck_assert_int_eq(events_first(queue)->stop.kind, STOP_EXITED);
	events_drop(queue, leader);
	ck_assert_ptr_null(events_first(queue));
	finish(&w);
}
END_TEST

/* Whatever is taken out: the first, as a rule, or one that has ended meanwhile. */
START_TEST(many_events_keep_their_order)
{
	enum { MANY = 500, ROUNDS = 5 };
	struct thread threads[MANY] = { 0 };
	struct events queue = { 0 };

	for (size_t round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < MANY; i++) {
			threads[i].stop.kind = STOP_SITE;
			ck_assert(events_add(&queue, &threads[i]));
			/* The last one comes again and again, and goes first: it has stepped. */
			threads[MANY - 1].stop.kind = STOP_STEPPED;
			if (i < MANY - 1) {
				ck_assert(events_add(&queue, &threads[MANY - 1]));
				ck_assert_ptr_eq(events_first(&queue)->thread, &threads[MANY - 1]);
				events_drop(&queue, &threads[MANY - 1]);
			}
		}
		for (size_t i = 0; i < MANY; i += 10)
			events_drop(&queue, &threads[i]);
		for (size_t i = 0; i < MANY; i++) {
			if (i % 10 == 0)
				continue;
			ck_assert_ptr_eq(events_first(&queue)->thread, &threads[i]);
			events_drop(&queue, &threads[i]);
			events_drop(&queue, &threads[i]); /* it has no other */
		}
		ck_assert_uint_eq(events_count(&queue), 0);
		ck_assert_ptr_null(events_first(&queue));
	}
	events_fini(&queue);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("run");
	TCase *orders = tcase_create("orders");

	suite_add_tcase(s, orders);
	tcase_set_timeout(orders, 60);
	tcase_add_loop_test(orders, whatever_happens_when_is_told_once_and_nothing_is_lost, 0,
			    DEEDS * DEEDS);
	unit_case(s, "explicit", a_signal_in_the_middle_of_a_step_comes_after_it,
		  a_fault_ends_a_step, who_is_stuck_goes_on_with_all,
		  the_end_is_told_after_what_happened_before_it, many_events_keep_their_order);
	return unit_run(s);
}
