/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/code/blocked.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>

#include "target/code/code.h"

enum {
	LOCK_PI2 = 13, /* FUTEX_LOCK_PI2, Linux 5.14 */
};

static bool is_named(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; name && i < n; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}
#define IS_ONE_OF(name, names) is_named(name, names, sizeof(names) / sizeof(*(names)))

static const char *name_of(const struct arch *a, uint64_t number)
{
	return number < a->ncall_names ? a->call_names[number] : NULL;
}

/* The instruction before pc is the one that makes system calls. */
static bool is_behind_call(struct target *t, taddr pc)
{
	const struct arch *a = t->arch;
	uint8_t bytes[CODE_INSN_MAX];

	return a->call_insn_size <= sizeof(bytes) &&
	       memory_try_read(t->memory, pc - a->call_insn_size, bytes, a->call_insn_size) &&
	       !memcmp(bytes, a->call_insn, a->call_insn_size);
}

/*
 * A call that was interrupted has one of these results until the kernel restarts it, at the latest
 * when the thread runs again (Linux include/linux/errno.h); EINTR has one that cannot be restarted.
 * With any other result the call is over.
 */
static bool is_interrupted(uint64_t result)
{
	static const int64_t codes[] = {
		-512, /* ERESTARTSYS           */
		-513, /* ERESTARTNOINTR        */
		-514, /* ERESTARTNOHAND        */
		-516, /* ERESTART_RESTARTBLOCK */
		-4,   /* EINTR                 */
	};

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if ((uint64_t)codes[i] == result)
			return true;
	}
	return false;
}

/* The calls that the kernel restarts as restart_syscall(2). */
static bool is_restarted(const struct arch *a, uint64_t number)
{
	static const char *const restarted[] = { "poll", "nanosleep", "clock_nanosleep", "futex" };

	return IS_ONE_OF(name_of(a, number), restarted);
}

/*
 * The kernel restarts calls with a time limit as restart_syscall(2): the number is lost, and stands
 * only in the code that made the call, or on the stack: glibc 2.41 has one function that makes the
 * calls which can be cancelled (__internal_syscall_cancel()), and a part of it in assembler; their
 * number is its first argument on the stack. Arguments stay. The number itself where nothing tells.
 */
static uint64_t find_restarted(struct target *t, struct call_sites *s, struct thread *th,
			       taddr call, uint64_t number)
{
	enum { FRAMES = 2 };
	const char *name = name_of(t->arch, number);
	uint64_t first;

	if (!name || strcmp(name, "restart_syscall") != 0 || !s)
		return number;
	if (call_site_constant(s, call, t->arch->call_select, &first))
		return is_restarted(t->arch, first) ? first : number;
	for (size_t frame = 0; frame < FRAMES; frame++) {
		if (call_site_stack_argument(s, th, frame, &first) && is_restarted(t->arch, first))
			return first;
	}
	return number;
}

/* The call behind which a thread stands; ended: it is over. */
static struct blocked call_before(struct target *t, struct call_sites *s, struct thread *th,
				  bool ended)
{
	const struct blocked none = { 0 };
	const struct arch *a = t->arch;
	const uint8_t *general;

	if (!a || !a->call_number)
		return none;
	struct error *err = target_general(t, th, &general);
	if (err) {
		error_ignore(err);
		return none;
	}
	uint64_t number = arch_get(a->call_number, general), pc = arch_get(a->pc, general);
	if ((int64_t)number < 0 || is_interrupted(arch_get(a->call_result, general)) == ended ||
	    !is_behind_call(t, pc))
		return none;
	number = find_restarted(t, s, th, pc - a->call_insn_size, number);
	struct blocked b = { .in_call = true, .number = (long)number, .name = name_of(a, number) };
	for (size_t i = 0; i < sizeof(b.args) / sizeof(*b.args); i++)
		b.args[i] = arch_get(a->call_args[i], general);
	return b;
}

struct blocked blocked_get(struct target *t, struct call_sites *s, struct thread *th)
{
	return call_before(t, s, th, false);
}

struct blocked blocked_left(struct target *t, struct call_sites *s, struct thread *th)
{
	return call_before(t, s, th, true);
}

/* Whether that operation of futex(2) waits. */
static bool waits(uint64_t operation)
{
	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_REQUEUE_PI:
	case LOCK_PI2:
		return true;
	default:
		return false;
	}
}

bool blocked_on_futex(struct target *t, const struct blocked *b, taddr *ret)
{
	static const char *const names[] = { "futex", "futex_wait", "futex_waitv" };
	/* An entry of futex_waitv(2): value, address, flags. */
	enum { ADDRESS_AT = 8 };

	if (!b->in_call || !IS_ONE_OF(b->name, names))
		return false;
	if (!strcmp(b->name, "futex_waitv"))
		return b->args[1] &&
		       memory_try_read(t->memory, b->args[0] + ADDRESS_AT, ret, sizeof(*ret));
	if (!strcmp(b->name, "futex") && !waits(b->args[1]))
		return false;
	*ret = b->args[0];
	return true;
}

bool blocked_wakes_all(const struct blocked *b, taddr *ret)
{
	uint64_t operation = b->args[1] & FUTEX_CMD_MASK;

	*ret = b->args[0];
	return b->in_call && b->name && !strcmp(b->name, "futex") &&
	       (operation == FUTEX_WAKE || operation == FUTEX_WAKE_BITSET) &&
	       (uint32_t)b->args[2] == INT_MAX;
}

uint32_t blocked_changes(struct target *t, const struct blocked *b)
{
	uint32_t now;

	if (!b->in_call || !b->name || strcmp(b->name, "futex") != 0)
		return 0;
	switch (b->args[1] & FUTEX_CMD_MASK) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
		return memory_try_read(t->memory, b->args[0], &now, sizeof(now))
			       ? now ^ (uint32_t)b->args[2]
			       : 0;
	default:
		return 0;
	}
}

bool blocked_has_limit(const struct blocked *b)
{
	static const struct {
		const char *name;
		size_t argument; /* NULL: no limit */
	} limits[] = {
		{ "futex", 3 },           { "futex_wait", 4 },      { "futex_waitv", 3 },
		{ "select", 4 },          { "pselect6", 4 },        { "ppoll", 2 },
		{ "rt_sigtimedwait", 2 }, { "semtimedop", 3 },      { "mq_timedreceive", 4 },
		{ "nanosleep", 0 },       { "clock_nanosleep", 2 },
	};
	static const char *const milliseconds[] = { "poll", "epoll_wait", "epoll_pwait" };

	for (size_t i = 0; b->name && i < sizeof(limits) / sizeof(*limits); i++) {
		if (!strcmp(b->name, limits[i].name))
			return b->args[limits[i].argument];
	}
	if (!b->name || !IS_ONE_OF(b->name, milliseconds))
		return false;
	return (int)b->args[b->name[0] == 'p' ? 2 : 3] >= 0;
}

int blocked_on_fd(const struct blocked *b)
{
	/* Their first argument is the descriptor. */
	static const char *const names[] = {
		"accept",   "accept4",    "connect",         "copy_file_range", "fallocate",
		"fcntl",    "fdatasync",  "flock",           "fsync",           "ftruncate",
		"getdents", "getdents64", "ioctl",           "mq_timedreceive", "mq_timedsend",
		"pread64",  "preadv",     "preadv2",         "pwrite64",        "pwritev",
		"pwritev2", "read",       "readahead",       "readv",           "recvfrom",
		"recvmmsg", "recvmsg",    "sendfile",        "sendmmsg",        "sendmsg",
		"sendto",   "splice",     "sync_file_range", "syncfs",          "tee",
		"vmsplice", "write",      "writev",
	};

	return b->in_call && IS_ONE_OF(b->name, names) ? (int)b->args[0] : -1;
}
