/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/debug_registers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/process/ptrace.h"

enum { STATUS = 6, CONTROL = 7 };

void debug_registers_fini(struct debug_registers *d)
{
	vec_fini(d);
}

static struct debug_register *find(struct debug_registers *d, const struct debug_register *wanted)
{
	vec_for_each (r, d) {
		if (r->kind == wanted->kind && r->addr == wanted->addr && r->size == wanted->size &&
		    r->lwp == wanted->lwp)
			return r;
	}
	return NULL;
}

/* Nobody who is to have it there has another one there. */
static bool is_free(const struct debug_registers *d, unsigned int slot, pid_t lwp)
{
	vec_for_each (r, d) {
		if (r->slot == slot && (!r->lwp || !lwp || r->lwp == lwp))
			return false;
	}
	return true;
}

struct error *debug_registers_add(struct debug_registers *d, const struct debug_register *wanted)
{
	struct debug_register *known = find(d, wanted);
	struct debug_register new = *wanted;

	if (known) {
		known->wanted++;
		return NULL;
	}
	new.wanted = 1;
	for (new.slot = 0; new.slot < DEBUG_REGISTERS; new.slot++) {
		if (!is_free(d, new.slot, new.lwp))
			continue;
		if (!vec_push(d, new))
			return &error_nomem;
		d->setting++;
		return NULL;
	}
	return error_new(ERROR_UNSUPPORTED,
			 "all %d debug registers of the processor are in use: delete a watchpoint "
			 "or a hardware breakpoint",
			 DEBUG_REGISTERS);
}

void debug_registers_drop(struct debug_registers *d, const struct debug_register *wanted)
{
	struct debug_register *r = find(d, wanted);

	if (!r || --r->wanted)
		return;
	*r = d->items[--d->len];
	d->setting++;
}

const struct debug_register *debug_registers_at(const struct debug_registers *d, pid_t lwp,
						unsigned int slot)
{
	vec_for_each (r, d) {
		if (r->slot == slot && (!r->lwp || r->lwp == lwp))
			return r;
	}
	return NULL;
}

bool debug_registers_any(const struct debug_registers *d, pid_t lwp)
{
	vec_for_each (r, d) {
		if (!r->lwp || r->lwp == lwp)
			return true;
	}
	return false;
}

/* DR7: a bit that enables each, and from bit 16 on four bits: its kind, and its size. */
static uint64_t control_of(const struct debug_register *r)
{
	static const uint64_t sizes[] = { [1] = 0, [2] = 1, [4] = 3, [8] = 2 };

	return UINT64_C(1) << (2 * r->slot) | ((uint64_t)r->kind | sizes[r->size] << 2)
						      << (16 + 4 * r->slot);
}

struct error *debug_registers_load(const struct debug_registers *d, pid_t lwp, unsigned int *has)
{
	struct error *err = NULL;
	uint64_t control = 0;

	if (*has == d->setting || (!*has && !debug_registers_any(d, lwp)))
		return NULL;
	err = ptrace_set_debug_register(lwp, CONTROL, 0);
	for (unsigned int i = 0; i < DEBUG_REGISTERS && !err; i++) {
		const struct debug_register *r = debug_registers_at(d, lwp, i);
		if (!r)
			continue;
		control |= control_of(r);
		err = error_add(ptrace_set_debug_register(lwp, i, r->addr),
				"no debug register takes address 0x%" PRIxTADDR, r->addr);
	}
	if (!err)
		err = ptrace_set_debug_register(lwp, CONTROL, control);
	if (!err)
		*has = d->setting;
	return err;
}

struct error *debug_registers_clear(pid_t lwp, unsigned int *has)
{
	if (!*has)
		return NULL;
	*has = 0;
	return ptrace_set_debug_register(lwp, CONTROL, 0);
}

struct error *debug_registers_fired(pid_t lwp, unsigned int *ret)
{
	uint64_t status = 0;
	struct error *err = ptrace_get_debug_register(lwp, STATUS, &status);

	if (!err && status)
		err = ptrace_set_debug_register(lwp, STATUS, 0);
	if (!err)
		*ret = status & ((1 << DEBUG_REGISTERS) - 1);
	return err;
}

/* ---- whether they stop anybody ------------------------------------------------------------ */

static volatile uint64_t probed;

/* Writes when the other end of the pipe is closed. */
static _Noreturn void write_then(int pipe)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)!TEMP_FAILURE_RETRY(read(pipe, &byte, 1));
	probed = 1;
	_exit(0);
}

/* The signal of its stop; 0: it has ended. */
static int await(pid_t child)
{
	int status;
	const pid_t ended = TEMP_FAILURE_RETRY(waitpid(child, &status, __WALL));

	return ended == child && WIFSTOPPED(status) ? WSTOPSIG(status) : 0;
}

static struct error *prepare(pid_t child)
{
	AUTO(debug_registers_fini) struct debug_registers d = { 0 };
	const struct debug_register r = { .addr = (taddr)(uintptr_t)&probed,
					  .size = sizeof(probed),
					  .kind = DEBUG_WRITE };
	unsigned int has = 0;
	struct error *err = debug_registers_add(&d, &r);

	if (!err)
		err = ptrace_seize(child, PTRACE_EXIT_KILL);
	if (!err)
		err = ptrace_interrupt(child);
	if (!err && !await(child))
		err = error_new(ERROR_GONE, "process %d did not stop", child);
	if (!err)
		err = debug_registers_load(&d, child, &has);
	return err ? err : ptrace_cont(child, 0);
}

static bool find_out(int pipe[2])
{
	const pid_t child = fork();

	if (!child) {
		cleanup_close(&pipe[1]);
		write_then(pipe[0]);
	}
	if (child < 0)
		return true;
	AUTO_ERROR *err = prepare(child);
	cleanup_close(&pipe[1]);
	pipe[1] = -1;
	const bool stopped = !err && await(child);
	if (err || stopped) {
		kill(child, SIGKILL);
		await(child);
	}
	return err || stopped;
}

bool debug_registers_work(void)
{
	static enum { UNKNOWN, YES, NO } known;
	int pipe[2];

	if (known || pipe2(pipe, O_CLOEXEC) < 0)
		return known != NO;
	known = find_out(pipe) ? YES : NO;
	cleanup_close(&pipe[0]);
	cleanup_close(&pipe[1]);
	return known == YES;
}
