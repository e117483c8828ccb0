/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "fake_kernel.h"

#include <errno.h>
#include <sys/ptrace.h>

#include "target/process/ptrace.h"
#include "unit.h"

enum { THREADS = 3, STEP_TIME = 3, INTERRUPT_TIME = 2, START_TIME = 4, CALLS_MAX = 5000 };

static struct fake {
	enum { ABSENT, RUNS, STANDS, LISTENS, FREE, DEAD, REAPED } state;
	enum deed deed;
	bool done, untold, process, stepping, interrupt, group;
	unsigned int moment, due_step, due_interrupt;
	int report; /* told as long as it stands, unless taken   */
	bool seen;  /* it was told                               */
	int last;   /* the report that was told last             */
	int code;   /* si_code of it                             */
	int sent;   /* a signal that was sent again and not told */
	unsigned long message;
	unsigned int delivered[65];
} threads[THREADS];
static unsigned int now;

#define STOP(signal)         ((signal) << 8 | 0x7f)
#define EVENT(event, signal) ((event) << 16 | STOP(signal))

/* Check notes each of its assertions in a file; here there are millions. */
static void must(bool is, const char *else_what)
{
	if (!is)
		ck_abort_msg("%s", else_what);
}

static struct fake *find(pid_t lwp)
{
	struct fake *f = lwp >= LEADER && lwp < LEADER + THREADS ? &threads[lwp - LEADER] : NULL;

	return f && f->state != ABSENT && f->state != FREE ? f : NULL;
}

static void stop_with(struct fake *f, int report, int code)
{
	f->state = STANDS;
	f->report = report;
	f->seen = false;
	f->code = code;
	/* ptrace_stop() clears JOBCTL_TRAP_STOP */
	f->interrupt = false;
	f->stepping = false;
}

static bool is_alive(const struct fake *f)
{
	return f->state == RUNS || f->state == STANDS || f->state == LISTENS;
}

/* A process that it was about to tell of: the kernel lets it go when ompdb ends. */
static void forget_made(const struct fake *f)
{
	if (!f->seen && f->report == EVENT(PTRACE_EVENT_FORK, SIGTRAP))
		threads[MADE - LEADER].state = FREE;
}

static void end(struct fake *f, int report)
{
	forget_made(f);
	f->state = report ? DEAD : REAPED;
	f->report = report;
	f->seen = false;
}

/* Those of the process but one. */
static void end_others(const struct fake *one, int report)
{
	for (size_t i = 0; i < THREADS; i++) {
		if (&threads[i] != one && !threads[i].process && is_alive(&threads[i]))
			end(&threads[i], report);
	}
}

static void make(struct fake *maker, int event, bool process)
{
	struct fake *made = &threads[MADE - LEADER];

	*made = (struct fake){
		.state = RUNS, .process = process, .interrupt = true, .untold = !process
	};
	made->due_interrupt = now + START_TIME;
	made->done = true;
	maker->message = MADE;
	stop_with(maker, EVENT(event, SIGTRAP), 0);
}

static void act(struct fake *f)
{
	struct fake *leader = &threads[0];

	f->done = true;
	switch (f->deed) {
	case DEED_NOTHING:
		break;
	case DEED_SIGNAL:
		stop_with(f, STOP(SIGUSR1), SI_USER);
		break;
	case DEED_FAULT:
		stop_with(f, STOP(SIGSEGV), SEGV_MAPERR);
		break;
	case DEED_TRAP:
		stop_with(f, STOP(SIGTRAP), SI_KERNEL);
		break;
	case DEED_CLONE:
		make(f, PTRACE_EVENT_CLONE, false);
		break;
	case DEED_FORK:
		make(f, PTRACE_EVENT_FORK, true);
		break;
	case DEED_EXEC: /* the caller gets the leader's number */
		end_others(f, 0);
		if (f != leader) {
			*leader = *f;
			f->state = REAPED;
		}
		leader->untold = leader->group = false;
		leader->message = OTHER;
		stop_with(leader, EVENT(PTRACE_EVENT_EXEC, SIGTRAP), 0);
		break;
	case DEED_EXIT:
		if (f == leader)
			end_others(f, 1 << 8);
		end(f, 7 << 8);
		break;
	case DEED_GROUP:
		for (size_t i = 0; i < THREADS; i++)
			threads[i].group = !threads[i].process;
		break;
	}
}

static void advance(struct fake *f)
{
	bool stepped = f->stepping && now >= f->due_step;

	if (f->state == LISTENS && f->interrupt && now >= f->due_interrupt)
		stop_with(f, EVENT(PTRACE_EVENT_STOP, SIGSTOP), 0);
	if (f->state != RUNS)
		return;
	if (!f->done && now >= f->moment)
		act(f);
	if (f->state != RUNS)
		return;
	if (f->group && f->last != EVENT(PTRACE_EVENT_STOP, SIGSTOP))
		stop_with(f, EVENT(PTRACE_EVENT_STOP, SIGSTOP), 0);
	else if (f->interrupt && now >= f->due_interrupt)
		stop_with(f, EVENT(PTRACE_EVENT_STOP, SIGTRAP), 0);
	else if (f->sent) {
		stop_with(f, STOP(f->sent), SI_TKILL);
		f->sent = 0;
	} else if (stepped)
		stop_with(f, STOP(SIGTRAP), TRAP_TRACE);
}

static void tick(void)
{
	now++;
	must(now < CALLS_MAX, "it hangs");
	for (size_t i = 0; i < THREADS; i++)
		advance(&threads[i]);
}

/* ---- what the test sees ----------------------------------------------------------------- */

void fake_kernel_begin(const enum deed deeds[2], const unsigned int moments[2])
{
	now = 0;
	memset(threads, 0, sizeof(threads));
	for (int i = 0; i < 2; i++) {
		threads[i] = (struct fake){ .state = STANDS,
					    .deed = deeds[i],
					    .moment = moments[i],
					    .report = EVENT(PTRACE_EVENT_STOP, SIGTRAP),
					    .seen = true,
					    .last = EVENT(PTRACE_EVENT_STOP, SIGTRAP) };
		threads[i].done = deeds[i] == DEED_NOTHING;
	}
}

void fake_kernel_tell(pid_t lwp)
{
	threads[lwp - LEADER].untold = false;
}

unsigned int fake_kernel_delivered(pid_t lwp, int signal)
{
	return threads[lwp - LEADER].delivered[signal];
}

bool fake_kernel_did(pid_t lwp)
{
	return threads[lwp - LEADER].done && !threads[lwp - LEADER].sent;
}

static bool all(bool (*is)(const struct fake *))
{
	for (size_t i = 0; i < THREADS; i++) {
		if (!is(&threads[i]))
			return false;
	}
	return true;
}

static bool stands(const struct fake *f)
{
	return !is_alive(f) || (f->state == STANDS && (f->seen || !f->report));
}

static bool goes(const struct fake *f)
{
	return f->state != STANDS;
}

static bool is_free(const struct fake *f)
{
	return !is_alive(f);
}

bool fake_kernel_all_stand(void)
{
	return all(stands);
}

bool fake_kernel_none_stands(void)
{
	return all(goes);
}

bool fake_kernel_all_free(void)
{
	return all(is_free);
}

/* ---- ptrace.h --------------------------------------------------------------------------- */

static struct error *gone(void)
{
	return error_os(ESRCH, "asking a thread");
}

/* ptrace(2): ESRCH unless it is stopped; and ompdb has to know why. */
static struct error *go(pid_t lwp, int signal, int state, bool may_be_untold)
{
	struct fake *f = find(lwp);

	if (!f || !is_alive(f))
		return gone();
	must(f->state == STANDS && (f->seen || !f->report),
	     "a thread is asked that is not stopped");
	must(f->code != TRAP_TRACE || !f->report, "the trap of a step would reach the program");
	must(!f->untold || may_be_untold || state == FREE, "a thread goes on before it is told");
	bool in_group = f->last == EVENT(PTRACE_EVENT_STOP, SIGSTOP);
	must(!in_group || state != RUNS, "job control is broken");
	must(in_group || state != LISTENS, "a thread listens without a group-stop");
	f->delivered[signal]++;
	f->state = state;
	f->report = 0;
	f->untold = false;
	tick();
	return NULL;
}

struct error *ptrace_cont(pid_t lwp, int signal)
{
	return go(lwp, signal, RUNS, false);
}

/* Its threads make no system calls. */
struct error *ptrace_cont_to_call(pid_t lwp, int signal)
{
	return ptrace_cont(lwp, signal);
}

bool ptrace_leaves_call(pid_t lwp)
{
	(void)lwp;
	return false;
}

struct error *ptrace_step(pid_t lwp, int signal)
{
	/* A step may be repeated without the signal that came into it. */
	struct fake *f = find(lwp);

	if (f) {
		f->stepping = true;
		f->due_step = now + STEP_TIME;
	}
	return go(lwp, signal, RUNS, !signal);
}

struct error *ptrace_listen(pid_t lwp)
{
	return go(lwp, 0, LISTENS, false);
}

struct error *ptrace_detach(pid_t lwp, int signal)
{
	return go(lwp, signal, FREE, false);
}

struct error *ptrace_interrupt(pid_t lwp)
{
	struct fake *f = find(lwp);

	tick();
	if (!f || !is_alive(f))
		return gone();
	f->interrupt = true;
	f->due_interrupt = now + INTERRUPT_TIME;
	return NULL;
}

/* ompdb knows now why it has stopped. */
static void see(struct fake *f)
{
	f->last = f->report;
	f->untold |= f->state == STANDS && !f->seen && f->report >> 16 != PTRACE_EVENT_STOP &&
		     f->code != TRAP_TRACE && !f->process;
	f->seen = true;
}

bool ptrace_poll(pid_t lwp, int *ret_status, bool *ret_gone)
{
	struct fake *f = find(lwp);

	tick();
	f = find(lwp);
	*ret_gone = !f || f->state == REAPED;
	/* The leader's end is told last; of what nobody was told, /proc would tell. */
	bool early = f == &threads[0] && f->state == DEAD && threads[1].state == DEAD;
	if (*ret_gone || !f->report || early)
		return false;
	*ret_status = f->report;
	if (f->state == DEAD)
		f->state = REAPED;
	see(f);
	if (f->report == EVENT(PTRACE_EVENT_EXEC, SIGTRAP))
		f->report = 0;
	return true;
}

void ptrace_reap_dead(pid_t lwp)
{
	struct fake *f = find(lwp);

	if (f && f->state == DEAD)
		f->state = REAPED;
}

int ptrace_take(pid_t lwp)
{
	struct fake *f = find(lwp);

	tick();
	if (!f || !f->report)
		return 0;
	int report = f->report;
	if (f->state == DEAD)
		f->state = REAPED;
	must(f->state == REAPED || f->code == TRAP_TRACE ||
		     report == EVENT(PTRACE_EVENT_EXEC, SIGTRAP),
	     "a report is taken, and a signal is lost if ompdb dies");
	f->last = report;
	f->report = 0;
	return report;
}

struct error *ptrace_siginfo(pid_t lwp, siginfo_t *ret)
{
	struct fake *f = find(lwp);

	if (!f || f->state != STANDS)
		return gone();
	int report = f->report ? f->report : f->last;
	if (f->report == STOP(SIGTRAP))
		see(f);
	*ret = (siginfo_t){ .si_signo = report >> 8 & 0xff,
			    .si_code = report >> 16 ? report >> 8 : f->code };
	ret->si_pid = f->code == SI_TKILL ? getpid() : 1;
	return NULL;
}

struct error *ptrace_set_siginfo(pid_t lwp, const siginfo_t *info)
{
	ck_assert_int_eq(find(lwp)->last >> 8, info->si_signo);
	ck_assert_int_eq(info->si_pid, 1); /* as it first came */
	return NULL;
}

bool ptrace_send_again(pid_t pid, pid_t lwp, const siginfo_t *info)
{
	ck_assert_int_eq(pid, LEADER);
	if (find(lwp))
		find(lwp)->sent = info->si_signo;
	return false;
}

struct error *ptrace_event_message(pid_t lwp, unsigned long *ret)
{
	*ret = find(lwp) ? find(lwp)->message : 0;
	return NULL;
}

/* Now and then a child that nobody knows. */
pid_t ptrace_sleep(long timeout_us)
{
	static const pid_t hints[] = { LEADER, 4999999, OTHER, 0, -1, MADE };

	(void)timeout_us;
	tick();
	return hints[now % COUNT(hints)];
}

void ptrace_nudge(void)
{
	tick();
}

int ptrace_fd(void)
{
	return -1;
}

bool ptrace_is_thread(pid_t pid, pid_t lwp)
{
	return find(lwp) && pid == LEADER && !find(lwp)->process;
}

bool ptrace_any_report(void)
{
	bool any = false;

	for (size_t i = 0; i < THREADS; i++)
		any |= (threads[i].state == STANDS || threads[i].state == DEAD) &&
		       threads[i].report;
	return any;
}

bool ptrace_has_stopped(pid_t lwp)
{
	return find(lwp) && find(lwp)->report;
}

bool ptrace_shares_memory(pid_t a, pid_t b, bool if_unknown)
{
	(void)a, (void)b, (void)if_unknown;
	return false;
}

void ptrace_kill(pid_t pid)
{
	(void)pid;
	end_others(NULL, SIGKILL);
}

/* All registers are 0. */
struct error *ptrace_get_regset(pid_t lwp, uint32_t note, void *ret, size_t *len)
{
	(void)lwp, (void)note;
	memset(ret, 0, *len);
	return NULL;
}

bool ptrace_has_regset(pid_t lwp, uint32_t note, bool *ret_never)
{
	(void)lwp, (void)note;
	*ret_never = true;
	return false;
}

bool ptrace_read_as(pid_t lwp, taddr from, void *ret, size_t len)
{
	(void)lwp, (void)from, (void)ret, (void)len;
	return false;
}

bool ptrace_write_as(pid_t lwp, taddr to, const void *bytes, size_t len)
{
	(void)lwp, (void)to, (void)bytes, (void)len;
	return false;
}

/* What these tests do without. */
static struct error *never(void)
{
	ck_abort_msg("nobody calls this");
	return NULL;
}

struct error *ptrace_get_debug_register(pid_t lwp, unsigned int n, uint64_t *ret)
{
	(void)lwp, (void)n, (void)ret;
	return never();
}

struct error *ptrace_set_debug_register(pid_t lwp, unsigned int n, uint64_t value)
{
	(void)lwp, (void)n, (void)value;
	return never();
}

struct error *ptrace_seize(pid_t lwp, enum ptrace_options options)
{
	(void)lwp, (void)options;
	return never();
}

struct error *ptrace_set_regset(pid_t lwp, uint32_t note, const void *set, size_t len)
{
	(void)lwp, (void)note, (void)set, (void)len;
	return never();
}

struct error *ptrace_peek(pid_t lwp, taddr from, void *ret, size_t len)
{
	(void)lwp, (void)from, (void)ret, (void)len;
	return never();
}

struct error *ptrace_poke(pid_t lwp, taddr to, const void *bytes, size_t len)
{
	(void)lwp, (void)to, (void)bytes, (void)len;
	return never();
}

/* Nobody else speaks to the tracer. */
bool ptrace_is_woken(void)
{
	return false;
}

pid_t ptrace_doze(long timeout_us)
{
	return ptrace_sleep(timeout_us);
}

/* A trap comes before an interrupt that is sent later, and stops the thread. */
bool ptrace_has_trap(pid_t lwp)
{
	(void)lwp;
	return false;
}

bool ptrace_has_signal(pid_t lwp, int signal)
{
	return find(lwp) && find(lwp)->sent == signal;
}
