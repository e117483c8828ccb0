/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/siginfo.h"

#include <string.h>

#include "debugger/values/lookup.h"

enum { SIGINFO_SIZE = 128, UNION_AT = 16, PADS = 28 };

#define FIELD(n, t, at)                                                                            \
	{                                                                                          \
		.kind = MEMBER_FIELD, .name = (n), .type = &(t), .offset = (at)                    \
	}
#define COUNT(members) (sizeof(members) / sizeof(*(members)))
#define STRUCT(n, size_, m)                                                                        \
	{                                                                                          \
		.kind = TYPE_STRUCT, .tag = "struct", .name = (n), .size = (size_),                \
		.members = (m), .nmembers = COUNT(m), .is_complete = true, .is_all_complete = true \
	}
#define UNION(n, size_, m)                                                                         \
	{                                                                                          \
		.kind = TYPE_STRUCT, .tag = "union", .name = (n), .size = (size_), .members = (m), \
		.nmembers = COUNT(m), .is_complete = true, .is_all_complete = true,                \
		.is_union = true                                                                   \
	}
#define ALIAS(n, t)                                                                                \
	{                                                                                          \
		.kind = TYPE_ALIAS, .name = (n), .target = &(t), .size = sizeof(int)               \
	}

/* The kernel's include/uapi/asm-generic/siginfo.h, with gdb's names (linux-tdep.c). */
static const struct type pid = ALIAS("__pid_t", type_int);
static const struct type uid = ALIAS("__uid_t", type_unsigned_int);
static const struct type clock = {
	.kind = TYPE_ALIAS, .name = "__clock_t", .target = &type_long, .size = 8
};
static const struct type pad = {
	.kind = TYPE_ARRAY, .target = &type_int, .count = PADS, .size = PADS * sizeof(int)
};

static const struct type_member sigval_members[] = {
	FIELD("sival_int", type_int, 0),
	FIELD("sival_ptr", type_data_pointer, 0),
};
static const struct type sigval_union = UNION("sigval_t", 8, sigval_members);
static const struct type_member kill_members[] = {
	FIELD("si_pid", pid, 0),
	FIELD("si_uid", uid, 4),
};
static const struct type kill_type = STRUCT(NULL, 8, kill_members);
static const struct type_member timer_members[] = {
	FIELD("si_tid", type_int, 0),
	FIELD("si_overrun", type_int, 4),
	FIELD("si_sigval", sigval_union, 8),
};
static const struct type timer_type = STRUCT(NULL, 16, timer_members);
static const struct type_member rt_members[] = {
	FIELD("si_pid", pid, 0),
	FIELD("si_uid", uid, 4),
	FIELD("si_sigval", sigval_union, 8),
};
static const struct type rt_type = STRUCT(NULL, 16, rt_members);
static const struct type_member child_members[] = {
	FIELD("si_pid", pid, 0),      FIELD("si_uid", uid, 4),      FIELD("si_status", type_int, 8),
	FIELD("si_utime", clock, 16), FIELD("si_stime", clock, 24),
};
static const struct type child_type = STRUCT(NULL, 32, child_members);
static const struct type_member bound_members[] = {
	FIELD("_lower", type_data_pointer, 0),
	FIELD("_upper", type_data_pointer, 8),
};
static const struct type bound_type = STRUCT(NULL, 16, bound_members);
static const struct type_member fault_members[] = {
	FIELD("si_addr", type_data_pointer, 0),
	FIELD("_addr_lsb", type_short, 8),
	FIELD("_addr_bnd", bound_type, 16),
};
static const struct type fault_type = STRUCT(NULL, 32, fault_members);
static const struct type_member poll_members[] = {
	FIELD("si_band", type_long, 0),
	FIELD("si_fd", type_int, 8),
};
static const struct type poll_type = STRUCT(NULL, 16, poll_members);
static const struct type_member call_members[] = {
	FIELD("_call_addr", type_data_pointer, 0),
	FIELD("_syscall", type_int, 8),
	FIELD("_arch", type_unsigned_int, 12),
};
static const struct type call_type = STRUCT(NULL, 16, call_members);
static const struct type_member union_members[] = {
	FIELD("_pad", pad, 0),
	FIELD("_kill", kill_type, 0),
	FIELD("_timer", timer_type, 0),
	FIELD("_rt", rt_type, 0),
	FIELD("_sigchld", child_type, 0),
	FIELD("_sigfault", fault_type, 0),
	FIELD("_sigpoll", poll_type, 0),
	FIELD("_sigsys", call_type, 0),
};
static const struct type union_type = UNION(NULL, PADS * sizeof(int), union_members);
static const struct type_member siginfo_members[] = {
	FIELD("si_signo", type_int, 0),
	FIELD("si_errno", type_int, 4),
	FIELD("si_code", type_int, 8),
	FIELD("_sifields", union_type, UNION_AT),
};
static const struct type siginfo_type = STRUCT("siginfo", SIGINFO_SIZE, siginfo_members);

static struct error *read_info(const struct scope *s, uint8_t ret[SIGINFO_SIZE])
{
	struct target *t = s->session->target;
	size_t len = SIGINFO_SIZE;

	memset(ret, 0, SIGINFO_SIZE);
	if (!t->ops->get_regset)
		return error_new(ERROR_UNSUPPORTED, "Unable to read siginfo");
	struct error *err = t->ops->get_regset(t, s->thread, REGSET_SIGINFO, ret, &len);
	if (!err || err == &error_nomem)
		return err;
	error_ignore(err);
	return error_new(ERROR_UNSUPPORTED, "Unable to read siginfo");
}

struct error *siginfo_value(const struct scope *s, struct value *ret)
{
	static const uint8_t lost[SIGINFO_SIZE];
	struct value v = { .type = &siginfo_type, .place = VALUE_SIGNAL };
	uint8_t bytes[SIGINFO_SIZE];
	struct error *err = read_info(s, bytes);

	if (!err)
		err = value_set_bytes(s, &v, bytes, lost, SIGINFO_SIZE);
	if (!err)
		*ret = v;
	return err;
}

struct error *siginfo_assign(const struct scope *s, const struct value *part,
			     const struct value *from)
{
	struct target *t = s->session->target;
	uint64_t size = type_size(part->type);
	uint8_t bytes[SIGINFO_SIZE];

	if (!t->ops->set_regset || t->core || size > from->size || part->addr > SIGINFO_SIZE - size)
		return error_new(ERROR_UNSUPPORTED, "Unable to write siginfo");
	struct error *err = read_info(s, bytes);
	if (err)
		return err;
	memcpy(bytes + part->addr, from->bytes, size);
	return t->ops->set_regset(t, s->thread, REGSET_SIGINFO, bytes, SIGINFO_SIZE);
}
