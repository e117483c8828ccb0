/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/traced.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "target/process/owner.h"
#include "target/process/refusal.h"
#include "target/tracer/talk.h"
#include "target/tracer/terminal.h"

static struct traced *traced_of(const struct target *t)
{
	return (struct traced *)(uintptr_t)t;
}

pid_t traced_tracer(const struct target *t)
{
	return traced_of(t)->tracer ? traced_of(t)->tracer->pid : 0;
}

/* ---- running and stopping --------------------------------------------------------------- */

/* Whether to wait, too: nobody else will be resumed before that. */
static bool then_waits(const struct traced *tr, const struct thread *th)
{
	return !th || tr->base.threads.len == 1;
}

/* An order to run has been given: an event that came first has ended all waiting. */
static struct error *has_begun(struct traced *tr, struct error *err, bool waits)
{
	tr->waits = !err && waits && !tr->told.len;
	return err;
}

static struct error *traced_resume(struct target *t, struct thread *th, enum resume_how how)
{
	struct traced *tr = traced_of(t);

	if (th && th->state != THREAD_STOPPED)
		return error_new(ERROR_USAGE, "thread %d cannot be resumed: it is not stopped",
				 th->lwp);
	/* What has happened before they run goes first: nobody runs until it is told. */
	if (tr->told.len)
		return NULL;
	talk_forget_registers(tr);
	tr->stopped = false;
	bool waits = then_waits(tr, th);
	return has_begun(tr, TALK(tr, ORDER_RESUME, waits, how, !th, th ? (uint64_t)th->lwp : 0),
			 waits);
}

static struct error *traced_step_ranges(struct target *t, const struct range_step *steps, size_t n)
{
	struct traced *tr = traced_of(t);

	if (tr->told.len)
		return NULL;
	talk_forget_registers(tr);
	tr->stopped = false;
	bool waits = n > 1 || then_waits(tr, steps->thread);
	AUTO_MESSAGE m = talk_question(tr, ORDER_STEP_RANGES);
	struct cursor results;
	message_add(&m.body, waits, 8);
	for (size_t i = 0; i < n; i++) {
		message_add(&m.body, (uint64_t)steps[i].thread->lwp, 8);
		message_add(&m.body, steps[i].start, 8);
		message_add(&m.body, steps[i].end, 8);
	}
	return has_begun(tr, talk_ask(tr, &m, &results), waits);
}

static struct error *check_alive(const struct traced *tr)
{
	if (talk_living_thread(tr))
		return NULL;
	return error_new(ERROR_GONE, "process %d has ended", tr->base.pid);
}

static struct error *traced_stop_all(struct target *t)
{
	struct traced *tr = traced_of(t);

	if (!tr->told.len)
		target_drop_gone(t);
	if (tr->stopped) {
		tr->stopped = false;
		return check_alive(tr);
	}
	talk_forget_registers(tr);
	return TALK(tr, ORDER_STOP_ALL);
}

/* Whether something has been told, in time; a signal for ompdb ends that, too. */
static bool has_been_told(const struct traced *tr, long timeout_us)
{
	struct pollfd told = { .fd = tr->socket, .events = POLLIN };
	struct timespec limit = { .tv_sec = timeout_us / 1000000,
				  .tv_nsec = timeout_us % 1000000 * 1000 };

	if (timeout_us && message_await(tr->socket))
		return true;
	return ppoll(&told, 1, timeout_us < 0 ? NULL : &limit, NULL) > 0;
}

static void let_go(struct thread *th)
{
	if (th && th->held_back)
		th->state = THREAD_STOPPED;
	if (th)
		th->held_back = false;
}

/*
 * What was held back for the first event (talk.c) is as it is for the tracer. Who has more to tell
 * by now, an exec that has given its number away or its end, is not.
 */
static struct error *tell(struct traced *tr, struct event *ret)
{
	const struct told_event told = tr->told.items[0];

	memmove(tr->told.items, tr->told.items + 1, --tr->told.len * sizeof(told));
	*ret = told.event;
	ret->thread = target_find_thread(&tr->base, told.lwp);
	let_go(ret->thread);
	if (told.event.stop.kind == STOP_CLONE)
		let_go(target_find_thread(&tr->base, (pid_t)told.event.stop.value));
	return told.error;
}

static struct error *traced_wait(struct target *t, long timeout_us, struct event *ret)
{
	struct traced *tr = traced_of(t);
	struct error *err = NULL;

	if (tr->told.len)
		return tell(tr, ret);
	target_drop_gone(t);
	*ret = (struct event){ 0 };
	bool asks_now = !tr->waits && !timeout_us;
	bool knows = asks_now && tr->quiet;
	tr->quiet = false;
	if (knows)
		return NULL;
	if (!tr->waits)
		err = talk_begin_wait(tr, asks_now);
	if (err || (!asks_now && !has_been_told(tr, timeout_us)))
		return err;
	err = talk_hear_event(tr);
	return err || !tr->told.len ? err : tell(tr, ret);
}

static int traced_wait_fd(struct target *t)
{
	return traced_of(t)->socket;
}

static struct error *traced_pass_signals(struct target *t, uint64_t signals)
{
	struct traced *tr = traced_of(t);

	if (tr->passes && tr->passed == signals)
		return NULL;
	struct error *err = TALK(tr, ORDER_PASS_SIGNALS, signals);
	tr->passes = !err;
	tr->passed = signals;
	return err;
}

static struct error *traced_trace_calls(struct target *t, const struct call_set *calls)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_TRACE_CALLS);
	struct cursor results;

	protocol_add_calls(&m.body, calls);
	return talk_ask(traced_of(t), &m, &results);
}

/* ---- sites and points ------------------------------------------------------------------- */

static struct error *traced_plant(struct target *t, taddr at)
{
	return TALK(traced_of(t), ORDER_PLANT, at);
}

static struct error *traced_unplant(struct target *t, taddr at)
{
	return TALK(traced_of(t), ORDER_UNPLANT, at);
}

static struct error *traced_lend(struct target *t, taddr start, taddr end)
{
	return TALK(traced_of(t), ORDER_LEND, start, end);
}

static struct error *traced_set_point(struct target *t, const struct point *p)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_SET_POINT);
	struct cursor results;

	protocol_add_point(&m.body, p);
	struct error *err = talk_ask(traced_of(t), &m, &results);
	traced_of(t)->debug_registers |= !err && p->kind != POINT_CODE;
	return err;
}

static struct error *traced_clear_point(struct target *t, unsigned int id)
{
	return TALK(traced_of(t), ORDER_CLEAR_POINT, id);
}

static struct error *traced_point_state(struct target *t, unsigned int id, struct point_state *ret)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_POINT_STATE);
	struct cursor results;

	message_add(&m.body, id, 8);
	struct error *err = talk_ask(traced_of(t), &m, &results);
	if (!err)
		*ret = protocol_point_state(&results);
	return err;
}

static struct error *traced_point_tally(struct target *t, unsigned int id, struct tally *ret)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_POINT_TALLY);
	struct cursor results;

	message_add(&m.body, id, 8);
	struct error *err = talk_ask(traced_of(t), &m, &results);
	if (!err)
		protocol_tally(&results, ret);
	return err;
}

static struct error *traced_note(struct target *t, const struct note *note)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_NOTE);
	struct cursor results;

	protocol_add_note(&m.body, note);
	return talk_ask(traced_of(t), &m, &results);
}

static struct error *traced_count_hit(struct target *t, unsigned int id, bool *ret_stops)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_COUNT_HIT);
	struct cursor results;

	message_add(&m.body, id, 8);
	struct error *err = talk_ask(traced_of(t), &m, &results);
	if (!err)
		*ret_stops = cursor_uint(&results, 1);
	return err;
}

/* ---- memory and registers --------------------------------------------------------------- */

static size_t traced_read(void *context, taddr from, void *ret, size_t len)
{
	struct traced *tr = traced_of(context);
	size_t got = live_files_read(&tr->files, from, ret, len);

	patch_list_hide(&tr->patches, from, ret, got);
	return got;
}

static struct error *traced_write(struct target *t, taddr to, const void *bytes, size_t len)
{
	enum { PIECE = 32 * 1024 };
	struct error *err = NULL;

	for (size_t done = 0; done < len && !err; done += PIECE) {
		AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_WRITE);
		struct cursor results;
		message_add(&m.body, to + done, 8);
		message_add_bytes(&m.body, (const uint8_t *)bytes + done,
				  len - done < PIECE ? len - done : PIECE);
		err = talk_ask(traced_of(t), &m, &results);
	}
	return err;
}

static struct error *traced_get_regset(struct target *t, struct thread *th, enum regset set,
				       void *ret, size_t *len)
{
	return talk_get_regset(traced_of(t), th, set, ret, len);
}

static struct error *send_regset(struct target *t, enum protocol_kind order, pid_t lwp,
				 enum regset set, const void *bytes, size_t len)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), order);
	struct cursor results;

	message_add(&m.body, (uint64_t)lwp, 8);
	message_add(&m.body, set, 8);
	message_add_bytes(&m.body, bytes, len);
	return talk_ask(traced_of(t), &m, &results);
}

static struct error *traced_set_regset(struct target *t, struct thread *th, enum regset set,
				       const void *bytes, size_t len)
{
	return send_regset(t, ORDER_SET_REGSET, th->lwp, set, bytes, len);
}

static struct error *traced_keep_regset(struct target *t, pid_t lwp, enum regset set,
					const void *bytes, size_t len)
{
	return send_regset(t, ORDER_KEEP_REGSET, lwp, set, bytes, len);
}

/* ---- files ------------------------------------------------------------------------------ */

static struct error *traced_maps(struct target *t, struct map_list *ret)
{
	return live_files_maps(&traced_of(t)->files, ret);
}

static struct error *traced_auxv(struct target *t, struct buf *ret)
{
	return live_files_auxv(&traced_of(t)->files, ret);
}

static struct error *traced_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return live_files_open_map(&traced_of(t)->files, t->root, map, ret);
}

static struct error *traced_check_own(struct target *t)
{
	struct error *err = owner_check_users(t->pid, traced_of(t)->uids);

	return err ? err : owner_check(t->pid, traced_of(t)->files.lwp);
}

static void traced_thread_name(struct target *t, struct thread *th, char ret[64])
{
	procfs_thread_name(t->pid, th->lwp, ret);
	if (!identity_holds(&traced_of(t)->identity))
		*ret = '\0';
}

/* ---- its life --------------------------------------------------------------------------- */

static struct error *traced_visit(struct target *t, visit_function *look, void *context)
{
	struct error *err = target_stop_all(t);

	return err ? err : look(context);
}

static struct error *traced_attach_again(struct target *t)
{
	traced_of(t)->passes = false;
	talk_forget_registers(traced_of(t));
	target_drop_gone(t);
	return TALK(traced_of(t), ORDER_ATTACH_AGAIN);
}

/* What is detached already need not be so again, even if the tracer has ended since. */
static struct error *traced_detach(struct target *t)
{
	struct traced *tr = traced_of(t);
	struct error *err = tr->socket < 0 ? NULL : TALK(tr, ORDER_DETACH);

	talk_drop_events(tr);
	return err;
}

static struct error *traced_kill(struct target *t)
{
	struct error *err = TALK(traced_of(t), ORDER_KILL);

	talk_drop_events(traced_of(t));
	return err;
}

static void traced_free(struct target *t)
{
	struct traced *tr = traced_of(t);

	talk_drop_events(tr);
	talk_end(tr);
	live_files_close(&tr->files);
	identity_fini(&tr->identity);
	vec_fini(&tr->roll);
	vec_fini(&tr->patches);
	target_fini(t);
	free(tr);
}

static struct error *traced_take_child(struct target *t, pid_t pid, struct target **ret);

static const struct target_ops traced_ops = {
	.name = "process",
	.free = traced_free,
	.read = traced_read,
	.line = MEMORY_LINE,
	.write = traced_write,
	.get_regset = traced_get_regset,
	.set_regset = traced_set_regset,
	.keep_regset = traced_keep_regset,
	.maps = traced_maps,
	.auxv = traced_auxv,
	.open_file = traced_open_file,
	.check_own = traced_check_own,
	.check_paths = traced_check_own,
	.resume = traced_resume,
	.stop_all = traced_stop_all,
	.wait = traced_wait,
	.wait_fd = traced_wait_fd,
	.plant = traced_plant,
	.unplant = traced_unplant,
	.set_point = traced_set_point,
	.clear_point = traced_clear_point,
	.point_state = traced_point_state,
	.count_hit = traced_count_hit,
	.point_tally = traced_point_tally,
	.note = traced_note,
	.step_ranges = traced_step_ranges,
	.pass_signals = traced_pass_signals,
	.lend = traced_lend,
	.trace_calls = traced_trace_calls,
	.take_child = traced_take_child,
	.thread_name = traced_thread_name,
	.visit = traced_visit,
	.attach = traced_attach_again,
	.detach = traced_detach,
	.kill = traced_kill,
};

/* With a tracer of its own, or with a socket to that of another target. */
static struct error *traced_new(const struct traced *other, int socket, struct traced **ret)
{
	struct traced *tr = calloc(1, sizeof(*tr));

	if (!tr)
		return &error_nomem;
	tr->files.mem = tr->socket = -1;
	tr->identity = IDENTITY_NONE;
	for (size_t i = 0; i < 4; i++)
		tr->uids[i] = geteuid();
	struct error *err = target_init(&tr->base, &traced_ops);
	if (!err && !other)
		err = spawn_tracer(&tr->tracer, &tr->socket);
	if (!err && other) {
		tr->tracer = other->tracer;
		tr->tracer->users++;
		tr->socket = socket;
		tr->launched = other->launched;
		memcpy(tr->uids, other->uids, sizeof(tr->uids));
	}
	if (err)
		traced_free(&tr->base);
	else
		*ret = tr;
	return err;
}

/* Asks a new tracer to attach or to launch. Takes tr. */
static struct error *begin(struct traced *tr, struct message *m, struct target **ret)
{
	struct cursor results;
	struct error *err = talk_ask(tr, m, &results);

	if (err) {
		traced_free(&tr->base);
		return err;
	}
	*ret = &tr->base;
	return NULL;
}

static struct error *traced_take_child(struct target *t, pid_t pid, struct target **ret)
{
	AUTO_MESSAGE m = talk_question(traced_of(t), ORDER_TAKE_CHILD);
	struct cursor results;
	struct traced *child = NULL;

	message_add(&m.body, (uint64_t)pid, 8);
	struct error *err = talk_ask(traced_of(t), &m, &results);
	if (!err)
		err = traced_new(traced_of(t), m.files[1], &child);
	if (err)
		return err;
	m.files[1] = -1;
	AUTO_MESSAGE first = talk_question(child, ORDER_ATTACH_AGAIN); /* brings all news */
	return begin(child, &first, ret);
}

struct error *traced_attach(pid_t pid, struct target **ret)
{
	struct proc_status status = { 0 };
	const struct arch *arch;
	struct traced *tr;
	struct error *err = refusal_check(pid, &status, &arch);

	if (!err)
		err = traced_new(NULL, -1, &tr);
	if (err)
		return err;
	memcpy(tr->uids, status.uids, sizeof(tr->uids));
	AUTO_MESSAGE m = talk_question(tr, ORDER_ATTACH);
	message_add(&m.body, (uint64_t)pid, 8);
	return begin(tr, &m, ret);
}

static bool is_in_foreground(void)
{
	struct terminal terminal;

	terminal_open(&terminal);
	bool ours = terminal_is_ours(&terminal);
	terminal_close(&terminal);
	return ours;
}

struct error *traced_launch(const struct launch_command *command, struct target **ret)
{
	struct traced *tr;
	struct error *err = traced_new(NULL, -1, &tr);

	if (err)
		return err;
	tr->launched = true;
	AUTO_MESSAGE m = talk_question(tr, ORDER_LAUNCH);
	struct launch_command here = *command;
	here.foreground = command->foreground && is_in_foreground();
	protocol_add_command(&m.body, &here);
	for (size_t i = 0; i < MESSAGE_FILES; i++) {
		int fd = command->fds[i];
		m.files[i] = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	return begin(tr, &m, ret);
}
