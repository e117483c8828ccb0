/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "ompd/client/callbacks.h"
#include "ompd/client/keeper.h"
#include "ompd/client/sandbox_child.h"
#include "ompd/client/wire.h"

/* For one answer, and for all of a stop: the target stands still meanwhile. */
enum { ANSWER_SECONDS = 2, STOP_US = 5 * 1000 * 1000 };

struct sandbox {
	char *path;                               /* owned                              */
	char *failure;                            /* owned; see sandbox_failure()       */
	VEC(struct wire_release) releases;        /* that have not been sent yet        */
	struct ompd_address_space_context *space; /* borrowed; NULL: not known yet      */
	struct wire_message in, out;
	int64_t spent_us;   /* of this stop                                          */
	int64_t counted_us; /* up to that time, since the beginning of a call        */
	bool failed;
	struct keeper keeper;
	int fd; /* owned */
};

/* ---- failing ---------------------------------------------------------------------------- */

/* Kills what is left of the process, and says how it ended if it did so by itself. */
static void end_process(struct sandbox *s, char *ret, size_t size)
{
	int status = keeper_end(&s->keeper);

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS)
		snprintf(ret, size, "tried what its sandbox forbids");
	else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		snprintf(ret, size, "crashed (%s)", strsignal(WTERMSIG(status)));
	else if (WIFEXITED(status) && WEXITSTATUS(status) == SANDBOX_NO_JAIL)
		snprintf(ret, size, "needs a sandbox, which cannot be made here");
	else
		snprintf(ret, size, "ended by itself");
}

/* how: a clause; NULL: it has ended. */
static void fail(struct sandbox *s, const char *how)
{
	char end[100];

	if (s->failed)
		return;
	s->failed = true;
	end_process(s, end, sizeof(end));
	if (asprintf(&s->failure, "%s is not used: it %s", s->path, how ? how : end) < 0)
		s->failure = NULL;
}

/* false: it has failed. */
static bool send_message(struct sandbox *s, enum wire_kind kind, uint64_t len)
{
	s->out.kind = kind;
	s->out.len = len;
	if (s->failed)
		return false;
	if (wire_send(s->fd, &s->out))
		return true;
	fail(s, errno == EAGAIN ? "did not listen" : NULL);
	return false;
}

/* What the library makes us do counts, too: it has no other reason to end. */
static bool receive(struct sandbox *s)
{
	if (s->failed)
		return false;
	if (wire_receive(s->fd, &s->in)) {
		int64_t now = clock_us();
		s->spent_us += now - s->counted_us;
		s->counted_us = now;
		if (s->spent_us < STOP_US)
			return true;
		errno = EAGAIN;
	}
	fail(s, errno == EAGAIN    ? "did not answer in time"
		: errno == EBADMSG ? "answered what makes no sense"
				   : NULL);
	return false;
}

/* ---- serving what the library asks for -------------------------------------------------- */

static ompd_rc_t serve_pages(struct sandbox *s, const uint64_t *words, uint64_t *ret_len)
{
	ompd_address_t from = { .address = words[0] };

	for (uint64_t n = 0; n < words[1] && *ret_len < WIRE_BYTES; n++) {
		if (callbacks_table.read_memory(s->space, NULL, &from, MEMORY_PAGE,
						s->out.bytes + *ret_len) != ompd_rc_ok)
			break;
		from.address += MEMORY_PAGE;
		*ret_len += MEMORY_PAGE;
	}
	return ompd_rc_ok;
}

static ompd_rc_t serve_string(struct sandbox *s, const uint64_t *words, uint64_t *ret_len)
{
	ompd_address_t from = { .address = words[0] };
	uint64_t most = words[1] < WIRE_BYTES ? words[1] : WIRE_BYTES;
	ompd_rc_t rc = callbacks_table.read_string(s->space, NULL, &from, most, s->out.bytes);

	if (rc == ompd_rc_ok)
		*ret_len = strlen((char *)s->out.bytes) + 1;
	return rc;
}

static ompd_rc_t serve_symbol(struct sandbox *s, const uint64_t *words, uint64_t *ret_len)
{
	ompd_address_t addr = { 0 };

	*ret_len = 0;
	if (!s->in.len || s->in.bytes[s->in.len - 1])
		return ompd_rc_bad_input;
	ompd_rc_t rc = callbacks_table.symbol_addr_lookup(
		s->space, (ompd_thread_context_t *)(uintptr_t)words[0], (char *)s->in.bytes, &addr,
		NULL);
	s->out.words[0] = addr.address;
	return rc;
}

static ompd_rc_t serve_thread(struct sandbox *s, const uint64_t *words, uint64_t *ret_len)
{
	ompd_thread_context_t *thread = NULL;
	ompd_rc_t rc = callbacks_table.get_thread_context_for_thread_id(
		s->space, words[0], words[1], &words[2], &thread);

	*ret_len = 0;
	s->out.words[0] = (uintptr_t)thread;
	return rc;
}

/* false: it has failed. */
static bool serve(struct sandbox *s)
{
	static ompd_rc_t (*const servers[])(struct sandbox *, const uint64_t *, uint64_t *) = {
		[WIRE_PAGES] = serve_pages,
		[WIRE_STRING] = serve_string,
		[WIRE_SYMBOL] = serve_symbol,
		[WIRE_THREAD] = serve_thread,
	};
	uint64_t len = 0;

	if (s->in.kind >= sizeof(servers) / sizeof(*servers) || !servers[s->in.kind] || !s->space) {
		fail(s, "answered what makes no sense");
		return false;
	}
	s->out.value = servers[s->in.kind](s, s->in.words, &len);
	return send_message(s, WIRE_REPLY, len);
}

/* ---- calls ------------------------------------------------------------------------------ */

/* A parameter of a call: a number that goes in, or where a result goes. */
union parameter {
	uint64_t number;
	void *pointer;
};

static void flush_releases(struct sandbox *s)
{
	uint64_t len = s->releases.len * sizeof(*s->releases.items);

	if (len) {
		memcpy(s->out.bytes, s->releases.items, len);
		send_message(s, WIRE_RELEASE, len);
	}
	s->releases.len = 0;
}

static void release(struct sandbox *s, enum entry_number entry, const void *handle)
{
	struct wire_release r = { entry, (uintptr_t)handle };

	if (vec_push(&s->releases, r) && s->releases.len == WIRE_BYTES / sizeof(r))
		flush_releases(s);
}

/* Both handles have the number of what they are about in their upper halves. */
static void compare(const union parameter *p)
{
	uint64_t a = p[0].number >> 32, b = p[1].number >> 32;

	*(int *)p[2].pointer = a < b ? -1 : a > b;
}

static void read_parameters(const char *form, va_list ap, union parameter *ret)
{
	for (size_t i = 0; form[i]; i++) {
		if (form[i] == 'n')
			ret[i].number = (uint64_t)va_arg(ap, int);
		else if (form[i] == 'w')
			ret[i].number = va_arg(ap, uint64_t);
		else
			ret[i].pointer = va_arg(ap, void *);
	}
}

static void send_call(struct sandbox *s, enum entry_number entry, const union parameter *p)
{
	const char *form = library_entries[entry].form;

	flush_releases(s);
	s->counted_us = clock_us();
	for (size_t i = 0; form[i]; i++) {
		s->out.words[i] = strchr("nwh", form[i]) ? p[i].number : 0;
		if (form[i] == 'c')
			s->space = p[i].pointer;
		if (form[i] == 'b') /* little-endian, as everything that arch knows */
			memcpy(&s->out.words[i], p[i].pointer, p[i - 1].number);
	}
	s->out.value = entry;
	send_message(s, WIRE_CALL, 0);
}

/* The string that stands first in bytes; NULL: there is none. */
static char *take_string(const uint8_t *bytes, uint64_t len, uint64_t most)
{
	return len && len <= most ? strndup((const char *)bytes, len) : NULL;
}

static void take_results(struct sandbox *s, const char *form, const union parameter *p)
{
	const uint64_t *word = s->in.words;
	const uint8_t *bytes = s->in.bytes;

	for (size_t i = 0; form[i]; i++) {
		switch (form[i]) {
		case 'N':
			*(int *)p[i].pointer = (int)*word++;
			break;
		case 'W':
		case 'B':
			memcpy(p[i].pointer, word++, form[i] == 'B' ? p[i - 1].number : 8);
			break;
		case 'A':
			*(ompd_address_t *)p[i].pointer = (ompd_address_t){ word[0], word[1] };
			word += 2;
			break;
		case 'S':
			*(char **)p[i].pointer = take_string(bytes, *word++, s->in.len);
			break;
		case 'H':
		case 'P':
		case 'T':
			*(void **)p[i].pointer = (void *)(uintptr_t)*word++;
			break;
		default: /* a parameter that goes in */
			break;
		}
	}
}

ompd_rc_t sandbox_call(struct sandbox *s, enum entry_number entry, ...)
{
	const char *form = library_entries[entry].form;
	union parameter p[ENTRY_PARAMETERS];
	va_list ap;

	va_start(ap, entry);
	read_parameters(form, ap, p);
	va_end(ap);
	if (*form == 'r') {
		release(s, entry, p[0].pointer);
		return ompd_rc_ok;
	}
	if (*form == 'C') {
		compare(p);
		return ompd_rc_ok;
	}
	send_call(s, entry, p);
	while (receive(s)) {
		if (s->in.kind != WIRE_ANSWER && serve(s))
			continue;
		if (!s->failed && s->in.value == ompd_rc_ok)
			take_results(s, form, p);
		break;
	}
	return s->failed ? ompd_rc_error : (ompd_rc_t)s->in.value;
}

void sandbox_begin_stop(struct sandbox *s)
{
	flush_releases(s);
	s->spent_us = 0;
	send_message(s, WIRE_STOP, 0);
}

const char *sandbox_failure(const struct sandbox *s)
{
	return !s->failed ? NULL : s->failure ? s->failure : "out of memory";
}

/* ---- beginning and end ------------------------------------------------------------------ */

static struct error *wait_until_loaded(struct sandbox *s)
{
	if (!receive(s))
		return error_new(ERROR_UNSUPPORTED, "%s", sandbox_failure(s));
	if (s->in.kind == WIRE_READY && s->in.value == 0)
		return NULL;
	return error_new(ERROR_UNSUPPORTED, "%.*s", (int)s->in.len, (char *)s->in.bytes);
}

/* What the child needs; it has a copy as soon as it is there. */
struct beginning {
	const char *path;
	const struct stat *st;
	int fd;
};

static void run_child(void *context, pid_t parent)
{
	const struct beginning *b = context;

	sandbox_child_run(parent, b->fd, b->path, b->st);
}

static struct error *start(struct sandbox *s, const struct stat *st)
{
	const struct timeval limit = { .tv_sec = ANSWER_SECONDS };
	struct beginning b = { .path = s->path, .st = st };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return error_os(errno, "a pair of sockets");
	s->counted_us = clock_us();
	s->fd = ends[0];
	b.fd = ends[1];
	int errnum = keeper_start(&s->keeper, run_child, &b);
	close(ends[1]);
	if (errnum)
		return error_os(errnum, "a process for %s", s->path);
	log_debug(LOG_OMPD, "%s: in a sandbox, process %d", s->path, s->keeper.pid);
	setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	return wait_until_loaded(s);
}

struct error *sandbox_new(const char *real_path, const struct stat *st, struct sandbox **ret)
{
	struct sandbox *s = calloc(1, sizeof(*s));

	if (!s)
		return &error_nomem;
	s->fd = -1;
	s->path = strdup(real_path);
	struct error *err = s->path ? start(s, st) : &error_nomem;
	if (err)
		sandbox_free(s);
	else
		*ret = s;
	return err;
}

void sandbox_free(struct sandbox *s)
{
	char end[100];

	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	if (s->keeper.pid)
		end_process(s, end, sizeof(end));
	vec_fini(&s->releases);
	free(s->failure);
	free(s->path);
	free(s);
}
