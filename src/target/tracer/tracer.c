/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/tracer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/log.h"
#include "target/process/heritage.h"
#include "target/process/ptrace.h"
#include "target/tracer/service.h"

struct tracer {
	struct service **items; /* owned, and what they point to: a target each */
	size_t len, cap;
	int sockets; /* owned; epoll(7): of all of them                           */
};

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

static bool add(struct tracer *tr, struct service *s)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = s };

	if (s && vec_push(tr, s)) {
		epoll_ctl(tr->sockets, EPOLL_CTL_ADD, s->socket, &event);
		return true;
	}
	service_free(s);
	return false;
}

static void drop(struct tracer *tr, struct service *s)
{
	size_t kept = 0;

	vec_for_each (item, tr) {
		if (*item != s)
			tr->items[kept++] = *item;
	}
	tr->len = kept;
	service_free(s);
}

static size_t count_waiting(const struct tracer *tr)
{
	size_t n = 0;

	vec_for_each (s, tr)
		n += (*s)->waits;
	return n;
}

/* Tells what happens until there are orders; of several targets the one waits while another does.
 */
static void wait_for_events(struct tracer *tr)
{
	enum { LOOK = 50 * 1000 };
	size_t waiting;

	while ((waiting = count_waiting(tr)) && !ptrace_is_woken()) {
		for (size_t i = 0; i < tr->len; i++) {
			if (tr->items[i]->waits &&
			    !service_wait(tr->items[i], waiting > 1 ? 0 : -1))
				return; /* the end of its socket is an order, too */
		}
		if (waiting > 1)
			ptrace_doze(LOOK);
	}
}

static void obey(struct tracer *tr)
{
	struct epoll_event event;
	struct service *made = NULL;

	message_await(tr->sockets);
	if (epoll_wait(tr->sockets, &event, 1, -1) < 1)
		return;
	if (!service_obey(event.data.ptr, &made))
		drop(tr, event.data.ptr);
	if (made)
		(void)add(tr, made);
}

int tracer_main(const char *logs)
{
	struct tracer tr = { .sockets = epoll_create1(EPOLL_CLOEXEC) };

	log_switch = logs ? (unsigned int)strtoul(logs, NULL, 10) : 0;
	heritage_note();
	ignore_signals();
	heritage_be_spared();
	prctl(PR_SET_NAME, PROTOCOL_NAME);
	fcntl(PROTOCOL_SOCKET, F_SETFD, FD_CLOEXEC);
	ptrace_wake_on(tr.sockets);
	if (!add(&tr, service_new(PROTOCOL_SOCKET)))
		return 1;
	while (tr.len) {
		wait_for_events(&tr);
		obey(&tr);
	}
	vec_fini(&tr);
	close(tr.sockets);
	return 0;
}
