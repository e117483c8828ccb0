/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/job_lookers.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	AT_ONCE = 256,
	ANSWER_MOST = 256 << 20, /* bytes of one */
	NO_PROCESS = -1,         /* in place of a status: errno of it is in the reply */
};

/* Where one of those that look at the same time writes to: files in memory. */
struct slot {
	int out, messages, told; /* owned                                               */
	pid_t looker;            /* a child; 0: there is none; known to its parent alone */
	int error;               /* errno, if none could be made                        */
};

struct lookers {
	const struct job *job;              /* borrowed */
	const struct looking *how;          /* borrowed */
	struct gate *gates[LOOKERS_ROUNDS]; /* owned; of each; NULL: there is none */
	int round;                          /* the one at hand                     */
	struct slot slots[AT_ONCE];         /* member i has slot i % AT_ONCE             */
	pid_t mother;                       /* of lookers; 0: this process is            */
	int socket;                         /* owned; to her, or hers to this; -1        */
};

/* What the mother is told, and what she answers. */
struct order {
	size_t member;
	int round; /* -1: the member's looker is to be awaited */
};
struct reply {
	int status; /* as of wait(2), or NO_PROCESS; the first tells that she has prepared */
	int error;
};

static struct gate *gate_of(const struct lookers *l, size_t i, int round)
{
	return i < AT_ONCE && l->job->members.items[i].pid ? l->gates[round] : NULL;
}

/* ---- one looker --------------------------------------------------------------------------- */

/* In a process of its own. */
static _Noreturn void look(struct lookers *l, size_t i, struct gate *gate)
{
	const struct job_member *member = &l->job->members.items[i];
	const struct slot *slot = &l->slots[i % AT_ONCE];
	AUTO_BUF report = { 0 };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	cleanup_close(&l->socket);
	if (dup2(slot->out, STDOUT_FILENO) < 0 || dup2(slot->messages, STDERR_FILENO) < 0)
		_exit(STATUS_FAILED);
	const enum status status = l->how->look(l->how->context, member->target,
						member->rank >= 0 ? &report : NULL, gate);
	gate_leave(gate);
	error_ignore(console_write_bytes(slot->told, buf_text(&report), report.len));
	_exit(status);
}

static void make(struct lookers *l, size_t i, int round)
{
	struct slot *slot = &l->slots[i % AT_ONCE];
	struct gate *gate = gate_of(l, i, round);
	const bool whole = slot->out >= 0 && slot->messages >= 0 && slot->told >= 0;

	errno = EMFILE;
	slot->looker = whole ? fork() : -1;
	slot->error = errno;
	if (!slot->looker)
		look(l, i, gate);
	if (slot->looker > 0)
		return;
	slot->looker = 0;
	gate_leave(gate);
}

static struct reply await(struct lookers *l, size_t i)
{
	struct slot *slot = &l->slots[i % AT_ONCE];
	struct reply ret = { NO_PROCESS, slot->error };

	if (slot->looker)
		(void)TEMP_FAILURE_RETRY(waitpid(slot->looker, &ret.status, 0));
	slot->looker = 0;
	return ret;
}

/* ---- their mother ------------------------------------------------------------------------- */

/* In a process of its own, until the other end of the socket is closed. */
static _Noreturn void serve(struct lookers *l, const char *first)
{
	struct reply reply = { 0 };
	struct order order;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	l->how->prepare(l->how->context, first);
	(void)TEMP_FAILURE_RETRY(send(l->socket, &reply, sizeof(reply), MSG_NOSIGNAL));
	while (TEMP_FAILURE_RETRY(recv(l->socket, &order, sizeof(order), 0)) == sizeof(order)) {
		if (order.round >= 0) {
			make(l, order.member, order.round);
			continue;
		}
		reply = await(l, order.member);
		(void)TEMP_FAILURE_RETRY(send(l->socket, &reply, sizeof(reply), MSG_NOSIGNAL));
	}
	_exit(STATUS_OK);
}

static void begin_mother(struct lookers *l, const char *first)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return;
	l->mother = fork();
	l->socket = ends[l->mother == 0];
	cleanup_close(&ends[l->mother != 0]);
	if (!l->mother)
		serve(l, first);
	if (l->mother > 0)
		return;
	l->mother = 0;
	cleanup_close(&l->socket);
	l->socket = -1;
}

static void end_mother(struct lookers *l)
{
	cleanup_close(&l->socket);
	l->socket = -1;
	if (l->mother)
		(void)TEMP_FAILURE_RETRY(waitpid(l->mother, NULL, 0));
	l->mother = 0;
}

/* false: she has ended. */
static bool hear(struct lookers *l, struct reply *ret)
{
	return l->mother &&
	       TEMP_FAILURE_RETRY(recv(l->socket, ret, sizeof(*ret), 0)) == sizeof(*ret);
}

static void tell(struct lookers *l, size_t member, int round)
{
	const struct order order = { member, round };

	(void)TEMP_FAILURE_RETRY(send(l->socket, &order, sizeof(order), MSG_NOSIGNAL));
}

/* ---- all of them -------------------------------------------------------------------------- */

/* The numbers of the threads are those from before the look: most programs keep theirs. */
static void start(struct lookers *l, size_t i, struct answer *a)
{
	if (a->member->pid)
		error_ignore(procfs_tasks(a->member->pid, &a->lwps));
	if (l->mother)
		tell(l, i, l->round);
	else
		make(l, i, l->round);
}

/* What was written there, which is nothing then. */
static void read_back(struct buf *ret, int fd)
{
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return;
	error_ignore(buf_add_fd(ret, fd, ANSWER_MOST));
	if (ftruncate(fd, 0) == 0)
		lseek(fd, 0, SEEK_SET);
}

static void read_report(struct answer *a, int fd, struct outline *outline)
{
	struct buf *text = &a->unread;

	read_back(text, fd);
	if (!text->len || !outline)
		return;
	struct error *err =
		report_read(buf_text(text), text->len, a->member->rank, &a->report, outline);
	buf_fini(text);
	if (err) {
		buf_addf(&a->complaint, "ompdb: %s\n", error_message(err));
		a->report.judged = false;
	}
	error_free(err);
}

static void finish(struct lookers *l, size_t i, struct answer *a, struct outline *outline)
{
	const struct slot *slot = &l->slots[i % AT_ONCE];
	struct reply reply = { 0 };
	const bool asked = l->mother;

	if (asked)
		tell(l, i, -1);
	else
		reply = await(l, i);
	const bool heard = !asked || hear(l, &reply);
	read_back(&a->text, slot->out);
	read_back(&a->complaint, slot->messages);
	read_report(a, slot->told, outline);
	if (heard && reply.status == NO_PROCESS)
		buf_addf(&a->complaint, "ompdb: no process to look with: %s\n",
			 strerror(reply.error));
	else if (!heard || WIFSIGNALED(reply.status))
		buf_addf(&a->complaint, "ompdb: the look was ended by signal %d (%s)\n",
			 heard ? WTERMSIG(reply.status) : SIGKILL,
			 strsignal(heard ? WTERMSIG(reply.status) : SIGKILL));
	else
		a->status = (enum status)WEXITSTATUS(reply.status);
}

void lookers_look(struct lookers *l, struct answers *answers, struct outline *outline)
{
	const size_t n = l->job->members.len;
	struct answer *a = answers->items;
	struct reply prepared;

	if (l->mother && !l->round && !hear(l, &prepared))
		end_mother(l);
	for (size_t i = 0; i < n; i++) {
		if (i >= AT_ONCE)
			finish(l, i - AT_ONCE, &a[i - AT_ONCE], outline);
		start(l, i, &a[i]);
	}
	for (size_t i = n > AT_ONCE ? n - AT_ONCE : 0; i < n; i++)
		finish(l, i, &a[i], outline);
	l->round++;
}

struct lookers *lookers_new(const struct job *j, const struct looking *how)
{
	AUTO_LOOKERS *l = calloc(1, sizeof(*l));
	const struct job_member *first = NULL;
	int at_once = 0;

	if (!l)
		return NULL;
	*l = (struct lookers){ .job = j, .how = how, .socket = -1 };
	for (size_t i = 0; i < AT_ONCE; i++) {
		const bool used = i < j->members.len;
		const struct job_member *m = used ? &j->members.items[i] : NULL;
		l->slots[i].out = used ? memfd_create("answer", MFD_CLOEXEC) : -1;
		l->slots[i].messages = used ? memfd_create("messages", MFD_CLOEXEC) : -1;
		l->slots[i].told = used ? memfd_create("report", MFD_CLOEXEC) : -1;
		at_once += m && m->pid;
		first = first || !m || !m->pid ? first : m;
	}
	for (int i = 0; i < LOOKERS_ROUNDS; i++)
		l->gates[i] = gate_new(at_once);
	if (at_once > 1)
		begin_mother(l, first->target);
	return TAKE(l);
}

void lookers_free(struct lookers *l)
{
	if (!l)
		return;
	end_mother(l);
	for (size_t i = 0; i < AT_ONCE; i++) {
		cleanup_close(&l->slots[i].out);
		cleanup_close(&l->slots[i].messages);
		cleanup_close(&l->slots[i].told);
	}
	for (int i = 0; i < LOOKERS_ROUNDS; i++)
		gate_free(l->gates[i]);
	free(l);
}
