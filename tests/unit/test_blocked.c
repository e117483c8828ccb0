/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The system call that a thread is in, by its registers and the code before its pc. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "code_fixture.h"
#include "hex.h"
#include "target/code/blocked.h"
#include "unit.h"

enum { CODE = 0x401000, OBJECT = 0x555555001000 };
enum { RESTART = -512, NO_INTERRUPT = -513, NO_HANDLER = -514, RESTART_BLOCK = -516, EINTR_ = -4 };

static void set(struct fake_target *f, const char *name, uint64_t value)
{
	arch_put(arch_find_reg(f->base.arch, name), f->general, value);
}

/* A thread behind that code. */
static void add_thread_behind(struct fake_target *f, const char *code, int64_t number,
			      int64_t result)
{
	uint8_t bytes[MEMORY_PAGE / 2], part[HEX_MAX];
	size_t n = hex_bytes(code, part);

	memset(bytes, 0x90, sizeof(bytes));
	memcpy(bytes + sizeof(bytes) - n, part, n);
	fake_target_add(f, CODE, bytes, sizeof(bytes));
	set(f, "rip", CODE + sizeof(bytes));
	set(f, "orig_rax", (uint64_t)number);
	set(f, "rax", (uint64_t)result);
	ck_assert_ptr_nonnull(target_add_thread(&f->base, 1));
}

static struct fake_target *thread_behind(const char *code, int64_t number, int64_t result)
{
	struct fake_target *f = fake_target_new();

	add_thread_behind(f, code, number, result);
	return f;
}

static struct blocked get(struct fake_target *f)
{
	f->base.threads.items[0]->general_valid = false;
	return blocked_get(&f->base, NULL, f->base.threads.items[0]);
}

/* ---- whether it is in one ---------------------------------------------------------------------
 */

static const struct {
	const char *code;
	int64_t number, result;
	bool in_call, left; /* or has just come out of it */
} states[] = {
	{ "0f 05", SYS_read, RESTART, true },
	{ "0f 05", SYS_futex, NO_INTERRUPT, true },
	{ "0f 05", SYS_pause, NO_HANDLER, true },
	{ "0f 05", SYS_poll, RESTART_BLOCK, true },
	{ "0f 05", SYS_epoll_wait, EINTR_, true },
	/* It is over: with a result, or with an error of its own. */
	{ "0f 05", SYS_read, 0, false, true },
	{ "0f 05", SYS_read, 1, false, true },
	{ "0f 05", SYS_read, -11, false, true },
	{ "0f 05", SYS_futex, -110, false, true },
	/* Interrupted elsewhere. */
	{ "0f 05", -1, RESTART, false },
	{ "0f 05 90", SYS_read, RESTART, false },
	{ "0f 34", SYS_read, RESTART, false },
	{ "05 0f", SYS_read, RESTART, false },
};

START_TEST(in_a_call_or_not)
{
	struct fake_target *f =
		thread_behind(states[_i].code, states[_i].number, states[_i].result);
	struct blocked b = get(f);
	taddr addr;

	ck_assert_int_eq(b.in_call, states[_i].in_call);
	const bool left = blocked_left(&f->base, NULL, f->base.threads.items[0]).in_call;
	ck_assert_int_eq(left, states[_i].left);
	if (b.in_call) {
		ck_assert_int_eq(b.number, states[_i].number);
		ck_assert_ptr_nonnull(b.name);
	} else {
		ck_assert_ptr_null(b.name);
		ck_assert_int_eq(blocked_on_fd(&b), -1);
		ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	}
	target_free(&f->base);
}
END_TEST

START_TEST(arguments_are_in_their_registers)
{
	static const char *const registers[] = { "rdi", "rsi", "rdx", "r10", "r8", "r9" };
	struct fake_target *f = thread_behind("0f 05", SYS_ppoll, RESTART);

	for (size_t i = 0; i < COUNT(registers); i++)
		set(f, registers[i], UINT64_C(0x1111111111111111) * (i + 1));
	set(f, "rcx", 99);
	struct blocked b = get(f);
	ck_assert_str_eq(b.name, "ppoll");
	for (size_t i = 0; i < COUNT(registers); i++)
		ck_assert_uint_eq(b.args[i], UINT64_C(0x1111111111111111) * (i + 1));
	target_free(&f->base);
}
END_TEST

START_TEST(without_registers_or_code_it_is_in_none)
{
	struct fake_target *f = thread_behind("0f 05", SYS_read, RESTART);

	ck_assert(get(f).in_call);
	f->unreadable = true;
	memory_flush(f->base.memory);
	ck_assert(!get(f).in_call);
	f->unreadable = false;
	memory_flush(f->base.memory);
	set(f, "rip", 0);
	ck_assert(!get(f).in_call);
	set(f, "rip", 1);
	ck_assert(!get(f).in_call);
	f->base.arch = NULL;
	ck_assert(!get(f).in_call);
	target_free(&f->base);
}
END_TEST

/* ---- names --------------------------------------------------------------------------------------
 */

static const struct {
	int64_t number;
	const char *name;
} names[] = {
	{ SYS_read, "read" },   { SYS_futex, "futex" },
	{ SYS_wait4, "wait4" }, { SYS_clock_nanosleep, "clock_nanosleep" },
	{ SYS_rseq, "rseq" },   { SYS_restart_syscall, "restart_syscall" },
	{ 435, "clone3" },      { 449, "futex_waitv" },
	{ 335, NULL },          { 423, NULL },
	{ 4711, NULL },         { INT64_MAX, NULL },
};

START_TEST(names_of_calls)
{
	struct fake_target *f = thread_behind("0f 05", names[_i].number, RESTART);
	struct blocked b = get(f);
	taddr addr;

	ck_assert(b.in_call);
	ck_assert_int_eq(b.number, names[_i].number);
	ck_assert_pstr_eq(b.name, names[_i].name);
	if (!b.name) {
		ck_assert_int_eq(blocked_on_fd(&b), -1);
		ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	}
	target_free(&f->base);
}
END_TEST

/* The kernel goes on with it as restart_syscall(2); which it was stands in the code. */
static const struct {
	const char *code, *name;
} restarted[] = {
	{ "b8 07 00 00 00 0f 05", "poll" },
	{ "48 8b 7c 24 08 b8 07 00 00 00 0f 05", "poll" }, /* 08 b8 could be or %bh,7(%rax) */
	{ "48 8b 74 24 10 41 89 c0 48 8b 7c 24 08 b8 07 00 00 00 0f 05", "poll" },
	{ "b8 ca 00 00 00 44 89 e2 4c 89 ee 0f 05", "futex" },
	{ "48 c7 c0 e6 00 00 00 0f 05", "clock_nanosleep" },
	{ "b8 23 00 00 00 0f 05", "nanosleep" },
	/* The kernel treats no others so. */
	{ "b8 00 00 00 00 0f 05", "restart_syscall" },
	{ "b8 18 00 00 00 0f 05", "restart_syscall" },
	{ "41 b8 07 00 00 00 0f 05", "restart_syscall" },
	{ "b8 07 00 00 00 48 8b 07 0f 05", "restart_syscall" },
	{ "89 f8 0f 05", "restart_syscall" },
	{ "0f 05", "restart_syscall" },
};

START_TEST(calls_that_go_on_after_an_interruption)
{
	const struct code_range range = { CODE, CODE + MEMORY_PAGE / 2 };
	struct code_fixture code;

	code_fixture_init(&code, &range, 1);
	add_thread_behind(code.fake, restarted[_i].code, SYS_restart_syscall, RESTART_BLOCK);
	struct thread *th = code.fake->base.threads.items[0];
	struct call_sites *sites = call_sites_new(&code.fake->base, code.unwinder);
	struct blocked b = blocked_get(&code.fake->base, sites, th);
	ck_assert(b.in_call);
	ck_assert_str_eq(b.name, restarted[_i].name);
	ck_assert_str_eq(get(code.fake).name, "restart_syscall");
	/* Others are what the register says, whatever the code. */
	set(code.fake, "orig_rax", SYS_read);
	th->general_valid = false;
	ck_assert_str_eq(blocked_get(&code.fake->base, sites, th).name, "read");
	call_sites_free(sites);
	code_fixture_fini(&code);
}
END_TEST

/* ---- what it waits for
 * ---------------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint64_t operation;
	bool waits;
} futexes[] = {
	{ "futex", FUTEX_WAIT, true },
	{ "futex", FUTEX_WAIT | FUTEX_PRIVATE_FLAG, true },
	{ "futex", FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, true },
	{ "futex", FUTEX_LOCK_PI | FUTEX_PRIVATE_FLAG, true },
	{ "futex", 13 /* FUTEX_LOCK_PI2 */, true },
	{ "futex", FUTEX_WAIT_REQUEUE_PI, true },
	{ "futex", FUTEX_WAKE, false },
	{ "futex", FUTEX_WAKE | FUTEX_PRIVATE_FLAG, false },
	{ "futex", FUTEX_TRYLOCK_PI, false },
	{ "futex", 77, false },
	{ "futex_wait", 0, true },
	{ "futex_wake", 0, false },
	{ "read", FUTEX_WAIT, false },
	{ NULL, FUTEX_WAIT, false },
};

START_TEST(waiting_for_a_futex)
{
	struct fake_target *f = fake_target_new();
	struct blocked b = { .in_call = true,
			     .name = futexes[_i].name,
			     .args = { OBJECT, futexes[_i].operation } };
	taddr addr = 1;

	ck_assert_int_eq(blocked_on_futex(&f->base, &b, &addr), futexes[_i].waits);
	ck_assert_uint_eq(addr, futexes[_i].waits ? OBJECT : 1);
	b.in_call = false;
	ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	target_free(&f->base);
}
END_TEST

static const struct {
	const char *name;
	uint64_t operation, count;
	bool wakes;
} wakers[] = {
	{ "futex", FUTEX_WAKE, INT_MAX, true },
	{ "futex", FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX, true },
	{ "futex", FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, INT_MAX, true },
	{ "futex", FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, false },
	{ "futex", FUTEX_WAIT | FUTEX_PRIVATE_FLAG, INT_MAX, false },
	{ "read", FUTEX_WAKE, INT_MAX, false },
	{ NULL, FUTEX_WAKE, INT_MAX, false },
};

START_TEST(waking_all)
{
	struct blocked b = { .in_call = true,
			     .name = wakers[_i].name,
			     .args = { OBJECT, wakers[_i].operation, wakers[_i].count } };
	taddr addr;

	ck_assert_int_eq(blocked_wakes_all(&b, &addr), wakers[_i].wakes);
	ck_assert_uint_eq(addr, OBJECT);
	b.in_call = false;
	ck_assert(!blocked_wakes_all(&b, &addr));
}
END_TEST

START_TEST(waiting_for_several_futexes_is_for_the_first)
{
	struct fake_target *f = fake_target_new();
	const struct {
		uint64_t value, address;
		uint32_t flags, reserved;
	} waiters[] = { { 1, OBJECT, 2, 0 }, { 1, OBJECT + 8, 2, 0 } };
	struct blocked b = { .in_call = true, .name = "futex_waitv", .args = { CODE, 2 } };
	taddr addr = 0;

	fake_target_add(f, CODE, waiters, sizeof(waiters));
	ck_assert(blocked_on_futex(&f->base, &b, &addr));
	ck_assert_uint_eq(addr, OBJECT);
	b.args[1] = 0;
	ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	b.args[1] = 2;
	b.args[0] = 0x10;
	ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	b.args[0] = UINT64_MAX;
	ck_assert(!blocked_on_futex(&f->base, &b, &addr));
	target_free(&f->base);
}
END_TEST

START_TEST(waiting_for_a_file)
{
	static const char *const files[] = { "read",    "write",   "pread64", "readv",  "accept",
					     "accept4", "connect", "recvmsg", "sendto", "ioctl",
					     "flock",   "fsync",   "fcntl",   "writev", "splice" };
	static const char *const none[] = { "poll",  "select", "epoll_wait", "futex",
					    "wait4", "pause",  "openat",     "clock_nanosleep" };
	struct blocked b = { .in_call = true, .args = { 5, 6, 7 } };

	for (size_t i = 0; i < COUNT(files); i++) {
		b.name = files[i];
		ck_assert_msg(blocked_on_fd(&b) == 5, "%s", files[i]);
	}
	for (size_t i = 0; i < COUNT(none); i++) {
		b.name = none[i];
		ck_assert_msg(blocked_on_fd(&b) == -1, "%s", none[i]);
	}
	b.name = "read";
	b.args[0] = UINT64_MAX; /* read(-1) does not wait */
	ck_assert_int_eq(blocked_on_fd(&b), -1);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("blocked");

	unit_table(s, in_a_call_or_not, states);
	unit_table(s, names_of_calls, names);
	unit_table(s, calls_that_go_on_after_an_interruption, restarted);
	unit_table(s, waiting_for_a_futex, futexes);
	unit_table(s, waking_all, wakers);
	unit_case(s, "blocked", arguments_are_in_their_registers,
		  without_registers_or_code_it_is_in_none,
		  waiting_for_several_futexes_is_for_the_first, waiting_for_a_file);
	return unit_run(s);
}
