/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/tracer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "target/process/heritage.h"
#include "target/process/live.h"
#include "target/process/ptrace.h"
#include "target/tracer/protocol.h"
#include "target/tracer/roll.h"

struct tracer {
	struct target *target; /* owned; NULL: none yet */
	struct roll roll;
	struct patch_list patches; /* as told last       */
	unsigned int opened; /* how often its memory had been opened when that was told last */
	bool waits;
	bool now; /* nothing is to be told, too, once */
};

/* ---- what is asked ---------------------------------------------------------------------- */

static struct error *find(struct tracer *tr, struct cursor *in, struct thread **ret)
{
	pid_t lwp = (pid_t)cursor_uint(in, 8);

	*ret = target_find_thread(tr->target, lwp);
	return *ret ? NULL : error_new(ERROR_GONE, "thread %d has ended", lwp);
}

/* Terminals, pipes and folders are not to be held for as long as it traces. */
static void let_go_of_files(void)
{
	AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = STDIN_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	(void)!chdir("/");
}

static struct error *attach(struct tracer *tr, struct cursor *in, struct buf *out)
{
	let_go_of_files();
	(void)out;
	return live_attach((pid_t)cursor_uint(in, 8), &tr->target);
}

static struct error *launch(struct tracer *tr, struct cursor *in, struct message *m)
{
	struct launch_command command;
	struct error *err = protocol_command(in, &command);

	if (err)
		return err;
	memcpy(command.fds, m->files, sizeof(command.fds));
	err = live_launch(&command, &tr->target);
	protocol_free_command(&command);
	message_close_files(m);
	let_go_of_files();
	return err;
}

static struct error *attach_again(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_attach(tr->target);
}

static struct error *detach(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_detach(tr->target);
}

static struct error *kill_it(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_kill(tr->target);
}

static struct error *stop_all(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_stop_all(tr->target);
}

static struct error *begin_wait(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)out;
	tr->waits = true;
	tr->now = cursor_uint(in, 8);
	return NULL;
}

static struct error *resume(struct tracer *tr, struct cursor *in, struct buf *out)
{
	enum resume_how how = cursor_uint(in, 8) ? RESUME_STEP : RESUME_CONTINUE;
	bool all = cursor_uint(in, 8);
	struct thread *th = NULL;
	struct error *err = all ? NULL : find(tr, in, &th);

	(void)out;
	return err ? err : target_resume(tr->target, th, how);
}

static struct error *step_range(struct tracer *tr, struct cursor *in, struct buf *out)
{
	struct thread *th;
	struct error *err = find(tr, in, &th);
	taddr start = cursor_uint(in, 8), end = cursor_uint(in, 8);

	(void)out;
	return err ? err : target_step_range(tr->target, th, start, end);
}

static struct error *pass_signals(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_pass_signals(tr->target, cursor_uint(in, 8));
}

static struct error *trace_calls(struct tracer *tr, struct cursor *in, struct buf *out)
{
	struct call_set calls = protocol_calls(in);

	(void)out;
	return target_trace_calls(tr->target, &calls);
}

static struct error *plant(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_plant(tr->target, cursor_uint(in, 8));
}

static struct error *unplant(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_unplant(tr->target, cursor_uint(in, 8));
}

static struct error *lend(struct tracer *tr, struct cursor *in, struct buf *out)
{
	taddr start = cursor_uint(in, 8), end = cursor_uint(in, 8);

	(void)out;
	return target_lend(tr->target, start, end);
}

static struct error *set_point(struct tracer *tr, struct cursor *in, struct buf *out)
{
	struct point p = protocol_point(in);

	(void)out;
	if (in->bad)
		return error_new(ERROR_BAD_DATA, "a point makes no sense");
	return target_set_point(tr->target, &p);
}

static struct error *clear_point(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_clear_point(tr->target, (unsigned int)cursor_uint(in, 8));
}

static struct error *point_state(struct tracer *tr, struct cursor *in, struct buf *out)
{
	struct point_state state = { 0 };
	struct error *err =
		target_point_state(tr->target, (unsigned int)cursor_uint(in, 8), &state);

	protocol_add_point_state(out, &state);
	return err;
}

static struct error *count_hit(struct tracer *tr, struct cursor *in, struct buf *out)
{
	bool stops = false;
	struct error *err = target_count_hit(tr->target, (unsigned int)cursor_uint(in, 8), &stops);

	message_add(out, stops, 1);
	return err;
}

static struct error *get_regset(struct tracer *tr, struct cursor *in, struct buf *out)
{
	enum { ROOM_MAX = 1 << 20 };
	struct thread *th;
	struct error *err = find(tr, in, &th);
	uint64_t set = cursor_uint(in, 8);
	size_t len = cursor_uint(in, 8);
	AUTO_FREE uint8_t *bytes = len <= ROOM_MAX ? malloc(len + 1) : NULL;

	if (!err && (!bytes || set >= NUM_REGSETS))
		err = &error_nomem;
	if (!err)
		err = tr->target->ops->get_regset(tr->target, th, (enum regset)set, bytes, &len);
	if (!err)
		message_add_bytes(out, bytes, len);
	return err;
}

static struct error *set_regset(struct tracer *tr, struct cursor *in, struct buf *out)
{
	struct thread *th;
	struct error *err = find(tr, in, &th);
	uint64_t set = cursor_uint(in, 8);
	size_t len;
	const uint8_t *bytes = message_bytes(in, &len);

	(void)out;
	if (err || in->bad || set >= NUM_REGSETS)
		return err ? err : error_new(ERROR_BAD_DATA, "a set of registers makes no sense");
	th->general_valid = false;
	return tr->target->ops->set_regset(tr->target, th, (enum regset)set, bytes, len);
}

/* One that has been killed where it stood has none: its end is told later. */
static void add_general(struct tracer *tr, struct thread *th, struct buf *out)
{
	const uint8_t *set = NULL;

	if (!th || !thread_state_stands(th->state))
		return;
	struct error *err = target_general(tr->target, th, &set);
	if (!err) {
		message_add(out, (uint64_t)th->lwp, 4);
		buf_add(out, set, tr->target->arch->general_size);
	}
	error_ignore(err);
}

static struct error *general(struct tracer *tr, struct cursor *in, struct buf *out)
{
	(void)in;
	vec_for_each (th, &tr->target->threads)
		add_general(tr, *th, out);
	message_add(out, 0, 4);
	return NULL;
}

static struct error *write_memory(struct tracer *tr, struct cursor *in, struct buf *out)
{
	taddr to = cursor_uint(in, 8);
	size_t len;
	const uint8_t *bytes = message_bytes(in, &len);

	(void)out;
	return bytes ? target_write(tr->target, to, bytes, len) : NULL;
}

static struct error *(*const answers[NUM_ORDERS])(struct tracer *tr, struct cursor *in,
						  struct buf *out) = {
	[ORDER_ATTACH] = attach,
	[ORDER_ATTACH_AGAIN] = attach_again,
	[ORDER_DETACH] = detach,
	[ORDER_KILL] = kill_it,
	[ORDER_STOP_ALL] = stop_all,
	[ORDER_WAIT] = begin_wait,
	[ORDER_RESUME] = resume,
	[ORDER_STEP_RANGE] = step_range,
	[ORDER_TRACE_CALLS] = trace_calls,
	[ORDER_PASS_SIGNALS] = pass_signals,
	[ORDER_PLANT] = plant,
	[ORDER_UNPLANT] = unplant,
	[ORDER_LEND] = lend,
	[ORDER_SET_POINT] = set_point,
	[ORDER_CLEAR_POINT] = clear_point,
	[ORDER_POINT_STATE] = point_state,
	[ORDER_COUNT_HIT] = count_hit,
	[ORDER_GET_REGSET] = get_regset,
	[ORDER_SET_REGSET] = set_regset,
	[ORDER_GENERAL] = general,
	[ORDER_WRITE] = write_memory,
};

/* ---- what is told ----------------------------------------------------------------------- */

static bool is_same(const struct patch_list *a, const struct patch_list *b)
{
	return a->len == b->len &&
	       (!a->len || !memcmp(a->items, b->items, a->len * sizeof(*a->items)));
}

static void add_patches(struct tracer *tr, struct buf *out)
{
	struct patch_list now = { 0 };

	if (!live_patches(tr->target, &now))
		out->failed = true;
	bool same = is_same(&now, &tr->patches);
	message_add(out, !same, 1);
	if (!same)
		protocol_add_patches(out, &now);
	vec_fini(&tr->patches);
	tr->patches = now;
}

static void add_news(struct tracer *tr, struct message *m)
{
	unsigned int opened;

	message_add(&m->body, tr->target != NULL, 1);
	if (!tr->target)
		return;
	message_add(&m->body, (uint64_t)tr->target->pid, 4);
	message_add(&m->body, tr->target->arch->elf_machine, 2);
	message_add(&m->body, tr->target->arch->elf_class, 1);
	roll_add_changes(&tr->roll, tr->target, &m->body);
	add_patches(tr, &m->body);
	int memory = live_memory_file(tr->target, &opened);
	message_add(&m->body, opened != tr->opened, 1);
	if (opened == tr->opened)
		return;
	tr->opened = opened;
	message_add_text(&m->body, tr->target->exe);
	m->files[0] = memory;
}

/* Takes err. false: ompdb is gone. */
static bool tell(struct tracer *tr, enum protocol_kind kind, struct error *err,
		 const struct buf *results)
{
	struct message m = MESSAGE_NONE;

	m.kind = kind;
	message_add_error(&m.body, err);
	add_news(tr, &m);
	buf_add(&m.body, results->data, results->len);
	bool sent = message_send(PROTOCOL_SOCKET, &m);
	buf_fini(&m.body); /* its file is the target's */
	error_ignore(err);
	return sent;
}

static void add_event(const struct event *event, struct buf *out)
{
	message_add(out, event->thread ? (uint64_t)event->thread->lwp : 0, 4);
	protocol_add_stop(out, &event->stop);
	message_add(out, event->npoints, 1);
	for (size_t i = 0; i < event->npoints; i++)
		message_add(out, event->points[i], 4);
}

/* Waits until there is something to tell, or ompdb asks. false: it is gone. */
static bool wait_and_tell(struct tracer *tr)
{
	struct event event = { 0 };
	AUTO_BUF out = { 0 };
	struct error *err = target_wait(tr->target, tr->now ? 0 : -1, &event);
	bool none = !err && event.stop.kind == STOP_NONE;

	if (none && !tr->now)
		return true;
	tr->waits = none;
	tr->now = false;
	pid_t lwp = event.thread ? event.thread->lwp : 0;
	add_event(&event, &out);
	if (!err && !none && !stop_is_end(&event.stop)) {
		error_ignore(target_stop_all(tr->target)); /* an end is the next event */
		add_general(tr, target_find_thread(tr->target, lwp), &out);
	}
	message_add(&out, 0, 4);
	return tell(tr, TELL_EVENT, err, &out);
}

static struct error *take_wishes(struct tracer *tr, struct cursor *in)
{
	if (tr->target)
		return roll_take_changes(&tr->roll, tr->target, true, in);
	cursor_uint(in, 4); /* none */
	return NULL;
}

static bool answer(struct tracer *tr, struct message *m)
{
	struct cursor in = cursor_of(m->body.data, m->body.len);
	AUTO_BUF out = { 0 };
	struct error *err = take_wishes(tr, &in);
	bool begins = m->kind == ORDER_ATTACH || m->kind == ORDER_LAUNCH;

	tr->waits = false;
	if (!err && (m->kind >= NUM_ORDERS || begins == (tr->target != NULL)))
		err = error_new(ERROR_USAGE, "the tracer cannot do that now");
	if (!err && m->kind == ORDER_LAUNCH)
		err = launch(tr, &in, m);
	else if (!err)
		err = answers[m->kind](tr, &in, &out);
	if (tr->waits)
		return true;
	return tell(tr, TELL_ANSWER, err, &out);
}

/* ---- its life --------------------------------------------------------------------------- */

bool tracer_is_meant(const char *name)
{
	return name && !strcmp(name, PROTOCOL_NAME);
}

/* What a terminal and its users send is for ompdb; when that ends, the socket tells. */
static void ignore_signals(void)
{
	static const int signals[] = { SIGINT,  SIGQUIT, SIGTSTP, SIGTTIN,
				       SIGTTOU, SIGHUP,  SIGTERM, SIGPIPE };
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &ignore, NULL);
}

int tracer_main(void)
{
	struct tracer tr = { 0 };
	AUTO_MESSAGE m = MESSAGE_NONE;
	bool heard = true;

	heritage_note();
	ignore_signals();
	heritage_be_spared();
	prctl(PR_SET_NAME, PROTOCOL_NAME);
	fcntl(PROTOCOL_SOCKET, F_SETFD, FD_CLOEXEC);
	ptrace_wake_on(PROTOCOL_SOCKET);
	while (heard && message_receive(PROTOCOL_SOCKET, &m)) {
		heard = answer(&tr, &m);
		while (heard && tr.waits && !ptrace_is_woken())
			heard = wait_and_tell(&tr);
	}
	target_free(tr.target);
	vec_fini(&tr.roll);
	vec_fini(&tr.patches);
	return 0;
}
