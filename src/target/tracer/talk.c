/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/talk.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "target/process/live.h"
#include "target/process/live_root.h"

/* ---- the end of the tracer -------------------------------------------------------------- */

/* Threads that have come to a trap by now die of it. Returns how many were left. */
static size_t take_patches_out(struct traced *tr)
{
	size_t n = 0;

	vec_for_each (p, &tr->patches) {
		uint8_t now[PATCH_MAX];
		bool left = !p->lent &&
			    pread(tr->files.mem, now, p->len, (off_t)p->addr) == p->len &&
			    !memcmp(now, p->planted, p->len);
		if (left && pwrite(tr->files.mem, p->original, p->len, (off_t)p->addr) == p->len)
			n++;
	}
	return n;
}

void talk_end(struct traced *tr)
{
	char byte;

	if (tr->socket >= 0) {
		/* It lets go of the program before it ends, and that closes its socket. */
		shutdown(tr->socket, SHUT_WR);
		while (TEMP_FAILURE_RETRY(read(tr->socket, &byte, 1)) > 0)
			;
		close(tr->socket);
	}
	tr->socket = -1;
	spawn_release(tr->tracer);
	tr->tracer = NULL;
}

/*
 * Debug registers outlive the tracer, and only a tracer can clear them, which takes a while. Until
 * then nobody may execute anything: they stop by job control, as soon as they go on. Returns
 * whether they have to be set going again.
 */
static bool hold_still(const struct traced *tr)
{
	if (!tr->debug_registers || tr->launched || !identity_holds(&tr->identity))
		return false;
	vec_for_each (th, &tr->base.threads) {
		if ((*th)->stop.kind == STOP_GROUP)
			return false; /* it stands in state T, and stays there */
	}
	return kill(tr->base.pid, SIGSTOP) == 0;
}

/* For a moment, this process is the tracer. */
static struct error *mend(const struct traced *tr, size_t traps, bool held)
{
	struct error *err = traps || tr->debug_registers ? live_mend(tr->base.pid) : NULL;

	if (held && identity_holds(&tr->identity))
		kill(tr->base.pid, SIGCONT);
	return err;
}

/* Of what was attached to. */
static struct error *say_what_is_left(const struct traced *tr, size_t traps, struct error *err)
{
	AUTO_BUF text = { 0 };
	bool lives = identity_holds(&tr->identity) && procfs_living_thread(tr->base.pid);

	buf_addf(&text, "the process that traced process %d has ended: ", tr->base.pid);
	buf_adds(&text, lives ? "the program goes on without it" : "the program has ended, too");
	if (!lives && (tr->patches.len || tr->debug_registers))
		buf_adds(&text, "; a SIGTRAP has killed it if a thread came to one of the traps or "
				"to what debug registers watch before that was mended");
	if (lives && traps)
		buf_addf(&text, "; %zu traps that were left in it were taken out", traps);
	if (lives && err)
		buf_addf(&text,
			 "; what is left in its threads cannot be mended (%s): who has come to a "
			 "trap, or comes to what debug registers watch, is sent a SIGTRAP, and "
			 "that kills it",
			 error_message(err));
	else if (lives && tr->debug_registers)
		buf_adds(&text, "; debug registers that were left in its threads were cleared");
	error_ignore(err);
	return error_new(ERROR_GONE, "%s", buf_text(&text));
}

void talk_drop_events(struct traced *tr)
{
	vec_for_each (told, &tr->told)
		error_free(told->error);
	vec_fini(&tr->told);
	tr->stopped = false;
}

/* The tracer has ended though nobody asked it to. */
static struct error *lose_tracer(struct traced *tr)
{
	pid_t pid = tr->base.pid;

	if (tr->socket < 0)
		return error_new(ERROR_GONE,
				 "process %d is not traced any longer: the process "
				 "that did so has ended",
				 pid);
	/* Its threads go on when it has ended, which takes a moment yet. */
	bool held = hold_still(tr);
	size_t traps = tr->launched ? 0 : take_patches_out(tr);
	talk_end(tr);
	vec_for_each (th, &tr->base.threads)
		(*th)->state = THREAD_GONE;
	tr->waits = false;
	talk_drop_events(tr);
	if (!pid)
		return error_new(ERROR_GONE, "the process that was to trace has ended");
	if (tr->launched)
		return error_new(ERROR_GONE,
				 "the process that traced process %d has ended: the program was "
				 "killed with it",
				 pid);
	return say_what_is_left(tr, traps, mend(tr, traps, held));
}

/* ---- asking ----------------------------------------------------------------------------- */

pid_t talk_living_thread(const struct traced *tr)
{
	vec_for_each (th, &tr->base.threads) {
		if (thread_state_stands((*th)->state) || (*th)->state == THREAD_STUCK)
			return (*th)->lwp;
	}
	return 0;
}

static struct error *take_program(struct traced *tr, struct message *m, struct cursor *in)
{
	if (!cursor_uint(in, 1))
		return NULL;
	live_files_close(&tr->files);
	tr->files.mem = TAKE_FD(m->files[0]);
	free(tr->base.exe);
	tr->base.exe = message_text(in);
	memory_flush(tr->base.memory);
	live_root_set(tr->base.pid, tr->base.root);
	vec_for_each (th, &tr->base.threads) {
		free((*th)->name);
		(*th)->name = NULL;
	}
	return tr->base.exe ? NULL : &error_nomem;
}

static struct error *take_process(struct traced *tr, struct cursor *in)
{
	pid_t pid = (pid_t)cursor_uint(in, 4);
	uint16_t machine = (uint16_t)cursor_uint(in, 2);

	tr->base.arch = arch_find(machine, (uint8_t)cursor_uint(in, 1));
	if (!tr->base.arch)
		return error_new(ERROR_BAD_DATA, "the tracer says what makes no sense");
	if (!tr->base.pid)
		identity_note(pid, &tr->identity);
	tr->base.pid = tr->files.pid = pid;
	return NULL;
}

static struct error *take_news(struct traced *tr, struct message *m, struct cursor *in)
{
	if (!cursor_uint(in, 1))
		return NULL;
	struct error *err = take_process(tr, in);
	if (!err)
		err = roll_take_changes(&tr->roll, &tr->base, false, in);
	tr->quiet = !cursor_uint(in, 1);
	if (!err && cursor_uint(in, 1))
		err = protocol_patches(in, &tr->patches);
	if (!err)
		err = take_program(tr, m, in);
	pid_t lwp = talk_living_thread(tr);
	if (lwp)
		tr->files.lwp = lwp;
	tr->files.held = lwp; /* nobody else gets its number */
	return err;
}

void talk_take_general(struct traced *tr, struct cursor *in)
{
	pid_t lwp;

	while ((lwp = (pid_t)cursor_uint(in, 4))) {
		const uint8_t *set = cursor_take(in, tr->base.arch->general_size);
		struct thread *th = target_find_thread(&tr->base, lwp);
		if (!th || !set)
			continue;
		memcpy(th->general, set, tr->base.arch->general_size);
		th->general_valid = true;
	}
}

void talk_forget_registers(struct traced *tr)
{
	vec_for_each (th, &tr->base.threads)
		(*th)->general_valid = false;
	tr->general_asked = 0;
}

static void hold_one(struct traced *tr, pid_t lwp, enum thread_state as)
{
	struct thread *th = target_find_thread(&tr->base, lwp);

	if (!th || th->state != THREAD_STOPPED)
		return;
	th->state = as;
	th->held_back = true;
}

/* Until it is told, its thread and the one that it has made are as those of live.h. */
static void hold_back(struct traced *tr, const struct told_event *told)
{
	hold_one(tr, told->lwp, THREAD_PENDING);
	if (told->event.stop.kind == STOP_CLONE)
		hold_one(tr, (pid_t)told->event.stop.value, THREAD_NEW);
}

/* Takes err. */
static struct error *take_event(struct traced *tr, struct error *err, struct cursor *in)
{
	struct told_event told = { .lwp = (pid_t)cursor_uint(in, 4), .error = err };
	struct event *event = &told.event;

	event->stop = protocol_stop(in);
	tr->waits = cursor_uint(in, 1);
	if (!err && event->stop.kind == STOP_NONE)
		return NULL;
	event->npoints = cursor_uint(in, 1);
	for (size_t i = 0; i < event->npoints && i < EVENT_POINTS_MAX; i++)
		event->points[i] = (unsigned int)cursor_uint(in, 4);
	if (event->npoints > EVENT_POINTS_MAX)
		event->npoints = EVENT_POINTS_MAX;
	talk_forget_registers(tr);
	talk_take_general(tr, in);
	tr->heard++;
	tr->stopped = !err && !tr->waits && protocol_stops_all(&event->stop);
	memory_flush(tr->base.memory);
	hold_back(tr, &told);
	if (vec_push(&tr->told, told))
		return NULL;
	error_free(err);
	return &error_nomem;
}

/* The next message of the kind that is expected; an event that was told just then is kept. */
static struct error *hear(struct traced *tr, enum protocol_kind kind, struct message *m,
			  struct cursor *ret)
{
	do {
		message_await(tr->socket);
		if (!message_receive(tr->socket, m))
			return lose_tracer(tr);
		*ret = cursor_of(m->body.data, m->body.len);
		struct error *told = message_error(ret);
		struct error *err = take_news(tr, m, ret);
		if (m->kind == TELL_EVENT && tr->waits && !err) {
			err = take_event(tr, told, ret);
			if (err)
				return err;
		} else if (m->kind != kind || err) {
			error_ignore(told);
			return err ? err : lose_tracer(tr);
		} else if (told) {
			return told;
		}
	} while (m->kind != kind);
	return NULL;
}

struct message talk_question(struct traced *tr, enum protocol_kind kind)
{
	struct message m = MESSAGE_NONE;

	m.kind = kind;
	message_add(&m.body, tr->heard, 4);
	roll_add_changes(&tr->roll, &tr->base, &m.body);
	return m;
}

struct error *talk_ask(struct traced *tr, struct message *m, struct cursor *ret)
{
	if (tr->socket < 0 || !message_send(tr->socket, m)) {
		message_fini(m);
		*m = MESSAGE_NONE;
		return lose_tracer(tr);
	}
	struct error *err = hear(tr, TELL_ANSWER, m, ret);
	tr->waits = false;
	return err;
}

struct error *talk_ask_numbers(struct traced *tr, enum protocol_kind kind, size_t n,
			       const uint64_t *numbers)
{
	AUTO_MESSAGE m = talk_question(tr, kind);
	struct cursor results;

	for (size_t i = 0; i < n; i++)
		message_add(&m.body, numbers[i], 8);
	return talk_ask(tr, &m, &results);
}

struct error *talk_begin_wait(struct traced *tr, bool now)
{
	AUTO_MESSAGE m = talk_question(tr, ORDER_WAIT);

	message_add(&m.body, now, 8);
	if (tr->socket < 0 || !message_send(tr->socket, &m))
		return lose_tracer(tr);
	tr->waits = true;
	return NULL;
}

struct error *talk_hear_event(struct traced *tr)
{
	AUTO_MESSAGE m = MESSAGE_NONE;
	struct cursor in;

	return hear(tr, TELL_EVENT, &m, &in);
}

/* ---- registers -------------------------------------------------------------------------- */

/* Of whom one thread's was not enough wants those of many. */
static struct error *get_all_general(struct traced *tr)
{
	AUTO_MESSAGE m = talk_question(tr, ORDER_GENERAL);
	struct cursor results;
	struct error *err = talk_ask(tr, &m, &results);

	if (!err)
		talk_take_general(tr, &results);
	return err;
}

static struct error *get_regset(struct traced *tr, struct thread *th, enum regset set, void *ret,
				size_t *len)
{
	AUTO_MESSAGE m = talk_question(tr, ORDER_GET_REGSET);
	struct cursor results;
	size_t size;

	message_add(&m.body, (uint64_t)th->lwp, 8);
	message_add(&m.body, set, 8);
	message_add(&m.body, *len, 8);
	struct error *err = talk_ask(tr, &m, &results);
	const uint8_t *bytes = err ? NULL : message_bytes(&results, &size);
	if (err || !bytes || size > *len)
		return err ? err : error_new(ERROR_BAD_DATA, "registers make no sense");
	memcpy(ret, bytes, size);
	*len = size;
	return NULL;
}

struct error *talk_get_regset(struct traced *tr, struct thread *th, enum regset set, void *ret,
			      size_t *len)
{
	const struct arch *arch = tr->base.arch;

	if (set == REGSET_GENERAL && tr->general_asked++) {
		struct error *err = get_all_general(tr);
		if (err)
			return err;
		if (th->general_valid && *len >= arch->general_size) {
			*len = arch->general_size;
			memmove(ret, th->general, *len);
			return NULL;
		}
	}
	return get_regset(tr, th, set, ret, len);
}
