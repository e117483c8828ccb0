/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/service.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/live.h"

/* ---- what is asked ---------------------------------------------------------------------- */

static struct error *find(struct service *s, struct cursor *in, struct thread **ret)
{
	pid_t lwp = (pid_t)cursor_uint(in, 8);

	*ret = target_find_thread(s->target, lwp);
	return *ret ? NULL : error_new(ERROR_GONE, "thread %d has ended", lwp);
}

/* Terminals, pipes and folders are not to be held for as long as it traces; but for its log. */
static void let_go_of_files(void)
{
	AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	int last = STDERR_FILENO - !!log_switch;
	for (int fd = STDIN_FILENO; null >= 0 && fd <= last; fd++)
		dup2(null, fd);
	(void)!chdir("/");
}

static struct error *attach(struct service *s, struct cursor *in, struct buf *out)
{
	let_go_of_files();
	(void)out;
	return live_attach((pid_t)cursor_uint(in, 8), &s->target);
}

static struct error *launch(struct service *s, struct cursor *in, struct message *m)
{
	struct launch_command command;
	struct error *err = protocol_command(in, &command);

	if (err)
		return err;
	memcpy(command.fds, m->files, sizeof(command.fds));
	err = live_launch(&command, &s->target);
	protocol_free_command(&command);
	message_close_files(m);
	let_go_of_files();
	return err;
}

/* Who asks for it gets a socket of its own for what becomes a target of its own. */
static struct error *take_child(struct service *s, struct cursor *in, struct buf *out)
{
	struct target *child = NULL;
	int ends[2];
	struct error *err = target_take_child(s->target, (pid_t)cursor_uint(in, 8), &child);

	(void)out;
	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		target_free(child);
		return error_os(errno, "socketpair");
	}
	s->made = service_new(ends[1]);
	s->handed = ends[0];
	if (!s->made) {
		target_free(child);
		close(ends[1]);
		return &error_nomem;
	}
	s->made->target = child;
	return NULL;
}

static struct error *attach_again(struct service *s, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_attach(s->target);
}

static struct error *detach(struct service *s, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_detach(s->target);
}

static struct error *kill_it(struct service *s, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_kill(s->target);
}

static struct error *stop_all(struct service *s, struct cursor *in, struct buf *out)
{
	(void)in, (void)out;
	return target_stop_all(s->target);
}

static struct error *begin_wait(struct service *s, struct cursor *in, struct buf *out)
{
	(void)out;
	s->waits = true;
	s->now = cursor_uint(in, 8);
	return NULL;
}

static struct error *resume(struct service *s, struct cursor *in, struct buf *out)
{
	bool waits = cursor_uint(in, 8);
	enum resume_how how = cursor_uint(in, 8) ? RESUME_STEP : RESUME_CONTINUE;
	bool all = cursor_uint(in, 8);
	struct thread *th = NULL;
	struct error *err = all ? NULL : find(s, in, &th);

	(void)out;
	if (!err)
		err = target_resume(s->target, th, how);
	s->waits = !err && waits;
	return err;
}

static struct error *step_ranges(struct service *s, struct cursor *in, struct buf *out)
{
	bool waits = cursor_uint(in, 8);
	VEC(struct range_step) steps = { 0 };
	struct error *err = NULL;

	(void)out;
	while (!err && cursor_left(in)) {
		struct range_step step = { 0 };
		err = find(s, in, &step.thread);
		step.start = cursor_uint(in, 8);
		step.end = cursor_uint(in, 8);
		if (!err && !vec_push(&steps, step))
			err = &error_nomem;
	}
	if (!err)
		err = target_step_ranges(s->target, steps.items, steps.len);
	s->waits = !err && waits;
	s->steps = s->waits ? steps.len : 0;
	vec_fini(&steps);
	return err;
}

static struct error *pass_signals(struct service *s, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_pass_signals(s->target, cursor_uint(in, 8));
}

static struct error *trace_calls(struct service *s, struct cursor *in, struct buf *out)
{
	struct call_set calls = protocol_calls(in);

	(void)out;
	return target_trace_calls(s->target, &calls);
}

static struct error *plant(struct service *s, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_plant(s->target, cursor_uint(in, 8));
}

static struct error *unplant(struct service *s, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_unplant(s->target, cursor_uint(in, 8));
}

static struct error *lend(struct service *s, struct cursor *in, struct buf *out)
{
	taddr start = cursor_uint(in, 8), end = cursor_uint(in, 8);

	(void)out;
	return target_lend(s->target, start, end);
}

static struct error *set_point(struct service *s, struct cursor *in, struct buf *out)
{
	struct point p = protocol_point(in);

	(void)out;
	if (in->bad)
		return error_new(ERROR_BAD_DATA, "a point makes no sense");
	return target_set_point(s->target, &p);
}

static struct error *clear_point(struct service *s, struct cursor *in, struct buf *out)
{
	(void)out;
	return target_clear_point(s->target, (unsigned int)cursor_uint(in, 8));
}

static struct error *point_state(struct service *s, struct cursor *in, struct buf *out)
{
	struct point_state state = { 0 };
	struct error *err = target_point_state(s->target, (unsigned int)cursor_uint(in, 8), &state);

	protocol_add_point_state(out, &state);
	return err;
}

static struct error *count_hit(struct service *s, struct cursor *in, struct buf *out)
{
	bool stops = false;
	struct error *err = target_count_hit(s->target, (unsigned int)cursor_uint(in, 8), &stops);

	message_add(out, stops, 1);
	return err;
}

static struct error *point_tally(struct service *s, struct cursor *in, struct buf *out)
{
	struct tally tally = { 0 };
	struct error *err = target_point_tally(s->target, (unsigned int)cursor_uint(in, 8), &tally);

	protocol_add_tally(out, &tally);
	tally_fini(&tally);
	return err;
}

static struct error *note(struct service *s, struct cursor *in, struct buf *out)
{
	const struct note n = protocol_note(in);

	(void)out;
	if (in->bad)
		return error_new(ERROR_BAD_DATA, "a note makes no sense");
	return target_note(s->target, &n);
}

static struct error *get_regset(struct service *s, struct cursor *in, struct buf *out)
{
	enum { ROOM_MAX = 1 << 20 };
	struct thread *th;
	struct error *err = find(s, in, &th);
	uint64_t set = cursor_uint(in, 8);
	size_t len = cursor_uint(in, 8);
	AUTO_FREE uint8_t *bytes = len <= ROOM_MAX ? malloc(len + 1) : NULL;

	if (!err && (!bytes || set >= NUM_REGSETS))
		err = &error_nomem;
	if (!err)
		err = s->target->ops->get_regset(s->target, th, (enum regset)set, bytes, &len);
	if (!err)
		message_add_bytes(out, bytes, len);
	return err;
}

static struct error *set_regset(struct service *s, struct cursor *in, struct buf *out)
{
	struct thread *th;
	struct error *err = find(s, in, &th);
	uint64_t set = cursor_uint(in, 8);
	size_t len;
	const uint8_t *bytes = message_bytes(in, &len);

	(void)out;
	if (err || in->bad || set >= NUM_REGSETS)
		return err ? err : error_new(ERROR_BAD_DATA, "a set of registers makes no sense");
	th->general_valid = false;
	return s->target->ops->set_regset(s->target, th, (enum regset)set, bytes, len);
}

static struct error *keep_regset(struct service *s, struct cursor *in, struct buf *out)
{
	uint64_t lwp = cursor_uint(in, 8), set = cursor_uint(in, 8);
	size_t len;
	const uint8_t *bytes = message_bytes(in, &len);

	(void)out;
	if (in->bad || set >= NUM_REGSETS)
		return error_new(ERROR_BAD_DATA, "a set of registers makes no sense");
	return s->target->ops->keep_regset(s->target, (pid_t)lwp, (enum regset)set,
					   len ? bytes : NULL, len);
}

/* One that has been killed where it stood has none: its end is told later. */
static void add_general(struct service *s, struct thread *th, struct buf *out)
{
	const uint8_t *set = NULL;

	if (!th || !thread_state_stands(th->state))
		return;
	struct error *err = target_general(s->target, th, &set);
	if (!err) {
		message_add(out, (uint64_t)th->lwp, 4);
		buf_add(out, set, s->target->arch->general_size);
	}
	error_ignore(err);
}

static struct error *general(struct service *s, struct cursor *in, struct buf *out)
{
	(void)in;
	vec_for_each (th, &s->target->threads)
		add_general(s, *th, out);
	message_add(out, 0, 4);
	return NULL;
}

static struct error *write_memory(struct service *s, struct cursor *in, struct buf *out)
{
	taddr to = cursor_uint(in, 8);
	size_t len;
	const uint8_t *bytes = message_bytes(in, &len);

	(void)out;
	return bytes ? target_write(s->target, to, bytes, len) : NULL;
}

static struct error *(*const answers[NUM_ORDERS])(struct service *s, struct cursor *in,
						  struct buf *out) = {
	[ORDER_ATTACH] = attach,
	[ORDER_TAKE_CHILD] = take_child,
	[ORDER_ATTACH_AGAIN] = attach_again,
	[ORDER_DETACH] = detach,
	[ORDER_KILL] = kill_it,
	[ORDER_STOP_ALL] = stop_all,
	[ORDER_WAIT] = begin_wait,
	[ORDER_RESUME] = resume,
	[ORDER_STEP_RANGES] = step_ranges,
	[ORDER_TRACE_CALLS] = trace_calls,
	[ORDER_PASS_SIGNALS] = pass_signals,
	[ORDER_PLANT] = plant,
	[ORDER_UNPLANT] = unplant,
	[ORDER_LEND] = lend,
	[ORDER_SET_POINT] = set_point,
	[ORDER_CLEAR_POINT] = clear_point,
	[ORDER_POINT_STATE] = point_state,
	[ORDER_POINT_TALLY] = point_tally,
	[ORDER_NOTE] = note,
	[ORDER_COUNT_HIT] = count_hit,
	[ORDER_GET_REGSET] = get_regset,
	[ORDER_SET_REGSET] = set_regset,
	[ORDER_KEEP_REGSET] = keep_regset,
	[ORDER_GENERAL] = general,
	[ORDER_WRITE] = write_memory,
};

/* ---- what is told ----------------------------------------------------------------------- */

static bool is_same(const struct patch_list *a, const struct patch_list *b)
{
	return a->len == b->len &&
	       (!a->len || !memcmp(a->items, b->items, a->len * sizeof(*a->items)));
}

static void add_patches(struct service *s, struct buf *out)
{
	struct patch_list now = { 0 };

	if (!live_patches(s->target, &now))
		out->failed = true;
	bool same = is_same(&now, &s->patches);
	message_add(out, !same, 1);
	if (!same)
		protocol_add_patches(out, &now);
	vec_fini(&s->patches);
	s->patches = now;
}

static void add_news(struct service *s, struct message *m)
{
	unsigned int opened;

	message_add(&m->body, s->target != NULL, 1);
	if (!s->target)
		return;
	message_add(&m->body, (uint64_t)s->target->pid, 4);
	message_add(&m->body, s->target->arch->elf_machine, 2);
	message_add(&m->body, s->target->arch->elf_class, 1);
	roll_add_changes(&s->roll, s->target, &m->body);
	message_add(&m->body, live_may_tell(s->target), 1);
	add_patches(s, &m->body);
	int memory = live_memory_file(s->target, &opened);
	message_add(&m->body, opened != s->opened, 1);
	if (opened == s->opened)
		return;
	s->opened = opened;
	message_add_text(&m->body, s->target->exe);
	m->files[0] = memory;
}

/* Takes err. false: ompdb is gone. */
static bool tell(struct service *s, enum protocol_kind kind, struct error *err,
		 const struct buf *results)
{
	struct message m = MESSAGE_NONE;

	m.kind = kind;
	m.files[1] = s->handed;
	message_add_error(&m.body, err);
	add_news(s, &m);
	buf_add(&m.body, results->data, results->len);
	bool sent = message_send(s->socket, &m);
	buf_fini(&m.body); /* the file of the memory is the target's */
	if (s->handed >= 0)
		close(s->handed);
	s->handed = -1;
	error_ignore(err);
	return sent;
}

static void add_event(const struct event *event, bool waits_on, struct buf *out)
{
	message_add(out, event->thread ? (uint64_t)event->thread->lwp : 0, 4);
	protocol_add_stop(out, &event->stop);
	message_add(out, waits_on, 1);
	message_add(out, event->npoints, 1);
	for (size_t i = 0; i < event->npoints; i++)
		message_add(out, event->points[i], 4);
}

bool service_wait(struct service *s, long timeout_us)
{
	struct event event = { 0 };
	AUTO_BUF out = { 0 };
	struct error *err = target_wait(s->target, s->now ? 0 : timeout_us, &event);
	bool none = !err && event.stop.kind == STOP_NONE;

	if (none && !s->now)
		return true;
	if (!none) {
		bool stepped = !err && event.stop.kind == STOP_STEPPED;
		s->steps = stepped && s->steps ? s->steps - 1 : 0;
	}
	s->waits = none || s->steps;
	s->now = false;
	s->told += !none;
	pid_t lwp = event.thread ? event.thread->lwp : 0;
	add_event(&event, s->waits, &out);
	if (!err && !none && !stop_is_end(&event.stop)) {
		if (!s->waits && protocol_stops_all(&event.stop))
			error_ignore(target_stop_all(s->target)); /* an end is the next event */
		add_general(s, target_find_thread(s->target, lwp), &out);
	}
	message_add(&out, 0, 4);
	return tell(s, TELL_EVENT, err, &out);
}

static struct error *take_wishes(struct service *s, struct cursor *in)
{
	/* Who has been told of no thread yet, as of a child's, wants nothing of any. */
	if (s->target && s->roll.len)
		return roll_take_changes(&s->roll, s->target, true, in);
	cursor_uint(in, 4); /* none */
	return NULL;
}

/* What has happened before goes first. */
static bool runs(uint32_t kind)
{
	return kind == ORDER_RESUME || kind == ORDER_STEP_RANGES;
}

static bool answer(struct service *s, struct message *m)
{
	struct cursor in = cursor_of(m->body.data, m->body.len);
	AUTO_BUF out = { 0 };
	bool knows = cursor_uint(&in, 4) == s->told;
	struct error *err = take_wishes(s, &in);
	bool begins = m->kind == ORDER_ATTACH || m->kind == ORDER_LAUNCH;

	s->waits = false;
	s->steps = 0;
	if (!err && (m->kind >= NUM_ORDERS || begins == (s->target != NULL)))
		err = error_new(ERROR_USAGE, "the tracer cannot do that now");
	if (!err && m->kind == ORDER_LAUNCH)
		err = launch(s, &in, m);
	else if (!err && (knows || !runs(m->kind)))
		err = answers[m->kind](s, &in, &out);
	if (m->kind == ORDER_WAIT && s->waits)
		return true;
	return tell(s, TELL_ANSWER, err, &out);
}

bool service_obey(struct service *s, struct service **ret_made)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	bool heard = message_receive(s->socket, &m) && answer(s, &m);

	*ret_made = TAKE(s->made);
	return heard;
}

struct service *service_new(int socket)
{
	struct service *s = calloc(1, sizeof(*s));

	if (s) {
		s->socket = socket;
		s->handed = -1;
	}
	return s;
}

void service_free(struct service *s)
{
	if (!s)
		return;
	target_free(s->target);
	close(s->socket); /* ompdb may wait for that: it is let go */
	vec_fini(&s->roll);
	vec_fini(&s->patches);
	free(s);
}
