/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory and registers of a live process. */
#include "inferior.h"

#include <stdio.h>
#include <sys/auxv.h>

enum { PAGE = 4096, LARGE = 1 << 20 };

static struct target *attach_to_memory(struct inferior *i)
{
	ck_assert(inferior_start(i, ARGS("live_memory")));
	return inferior_attach(i);
}

/* ---- reading ---------------------------------------------------------------------------- */

START_TEST(a_large_read_gets_every_byte)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr large = inferior_value(&i, "large");
	AUTO_FREE uint8_t *got = malloc(LARGE);
	unsigned int next = 1, wrong = 0;

	ck_assert_no_error(target_read(t, large, got, LARGE));
	for (int n = 0; n < LARGE; n++) {
		next = next * 1103515245 + 12345;
		wrong += got[n] != (uint8_t)(next >> 16);
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(what_is_not_there_is_told_with_its_address)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr hole = inferior_value(&i, "pages") + PAGE;
	uint8_t bytes[32];
	char text[64];

	snprintf(text, sizeof(text), "no memory at 0x%" PRIxTADDR, hole);
	memset(bytes, 0x55, sizeof(bytes));
	ck_assert_no_error(target_read(t, hole - 16, bytes, 16));
	ck_assert_error(target_read(t, hole - 16, bytes, 17), ERROR_NO_ADDRESS, text);
	ck_assert_error(target_read(t, hole, bytes, 1), ERROR_NO_ADDRESS, text);
	ck_assert_error(target_read(t, 0, bytes, 1), ERROR_NO_ADDRESS, "no memory at 0x0");
	ck_assert_error(target_read(t, UINT64_MAX, bytes, 1), ERROR_NO_ADDRESS, "no memory at");
	ck_assert_error(target_read(t, UINT64_MAX - 7, bytes, 16), ERROR_NO_ADDRESS, "no memory");
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(a_page_that_the_program_may_not_read_is_read)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr closed = inferior_value(&i, "pages") + 2 * PAGE;
	char got[2 * PAGE], due[2 * PAGE];

	memset(due, 'c', PAGE);
	memset(due + PAGE, 'd', PAGE);
	ck_assert_no_error(target_read(t, closed, got, sizeof(got)));
	ck_assert_mem_eq(got, due, sizeof(due));
	/* Also when it comes second. */
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_read(t, closed + PAGE - 8, got, 16));
	ck_assert_mem_eq(got, "ccccccccdddddddd", 16);
	/* And where pages before it, which can be read, are fetched together with it. */
	taddr last = closed + 2 * PAGE;
	ck_assert_no_error(target_read(t, last - PAGE, got, 8));
	ck_assert_no_error(target_read(t, last, got, 8));
	ck_assert_mem_eq(got, "eeeeeeee", 8);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(strings_are_bounded)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr hole = inferior_value(&i, "pages") + PAGE, words = inferior_value(&i, "words");
	char *got = NULL, text[64];

	ck_assert_no_error(target_read_string(t, words, 100, &got));
	ck_assert_str_eq(got, "in read-only memory");
	free(got);
	ck_assert_no_error(target_read_string(t, words, 20, &got));
	free(got);
	ck_assert_error(target_read_string(t, words, 19, &got), ERROR_BAD_DATA, "19 bytes or more");
	/* 16 letters, and then no memory. */
	snprintf(text, sizeof(text), "no memory at 0x%" PRIxTADDR, hole);
	ck_assert_error(target_read_string(t, hole - 16, 100, &got), ERROR_NO_ADDRESS, text);
	ck_assert_error(target_read_string(t, hole - 16, 16, &got), ERROR_BAD_DATA, "16 bytes");
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(each_stop_shows_memory_anew)
{
	AUTO_INFERIOR i;
	uint64_t before, after;

	ck_assert(inferior_start(&i, ARGS("live_count", "1")));
	AUTO_TARGET *t = inferior_attach(&i);
	taddr counter = inferior_symbol(&i, "counters");
	for (int n = 0; n < 20; n++) {
		ck_assert_no_error(target_read_uint(t, counter, 8, &before));
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		while (inferior_peek(&i, counter) == before)
			;
		ck_assert_no_error(target_stop_all(t));
		ck_assert_no_error(target_read_uint(t, counter, 8, &after));
		ck_assert_uint_ne(after, before);
		ck_assert_uint_eq(after, inferior_peek(&i, counter));
	}
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(the_auxiliary_vector_is_read)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	uint64_t page, none;

	ck_assert_no_error(target_auxv(t, AT_PAGESZ, &page));
	ck_assert_uint_eq(page, PAGE);
	ck_assert_no_error(target_auxv(t, 4711, &none));
	ck_assert_uint_eq(none, 0);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- writing ---------------------------------------------------------------------------- */

START_TEST(a_planted_trap_is_hit_in_read_only_code)
{
	enum { HITS = 5 };
	static const uint8_t trap = 0xcc;
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr at = inferior_symbol(&i, "trap_here");
	uint8_t saved, got;

	ck_assert_no_error(target_read(t, at, &saved, 1));
	for (int n = 0; n < HITS; n++) {
		uint64_t pc;
		ck_assert_no_error(target_write(t, at, &trap, 1));
		ck_assert_no_error(target_read(t, at, &got, 1));
		ck_assert_uint_eq(got, trap);
		inferior_poke(&i);
		struct event event = run_until(t, STOP_BREAKPOINT, NULL);
		ck_assert_no_error(target_get_uint(t, event.thread, t->arch->pc, &pc));
		ck_assert_uint_eq(pc, at + 1);
		ck_assert_int_eq(event.thread->signal, SIGTRAP);
		/* What the breakpoints of later are to do. */
		event.thread->signal = 0;
		ck_assert_no_error(target_write(t, at, &saved, 1));
		ck_assert_no_error(target_set_uint(t, event.thread, t->arch->pc, at));
		ck_assert_no_error(target_resume(t, event.thread, RESUME_STEP));
		event = wait_event(t);
		ck_assert_int_eq(event.stop.kind, STOP_STEPPED);
	}
	ck_assert_no_error(target_detach(t));
	inferior_check_untouched(&i, "S");
	inferior_finish(&i);
}
END_TEST

START_TEST(writing_where_nothing_is_fails)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_memory(&i);
	taddr pages = inferior_value(&i, "pages");
	uint8_t bytes[16] = { 0 }, got[16];
	char text[64];

	snprintf(text, sizeof(text), "writing to 0x%" PRIxTADDR, pages + PAGE);
	ck_assert_error(target_write(t, pages + PAGE, bytes, 8), ERROR_OS, text);
	ck_assert_error(target_write(t, 0, bytes, 1), ERROR_OS, "writing to 0x0");
	ck_assert_no_error(target_write(t, pages + 2 * PAGE + 3, "xyz", 3));
	ck_assert_no_error(target_read(t, pages + 2 * PAGE, got, 8));
	ck_assert_mem_eq(got, "cccxyzcc", 8);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- registers -------------------------------------------------------------------------- */

static const char *const generals[] = { "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
					"r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

/* Attaches while all registers hold what live_registers has put there. */
static struct target *attach_to_registers(struct inferior *i)
{
	ck_assert(inferior_start(i, ARGS("live_registers")));
	struct target *t = inferior_attach(i);
	taddr spin = inferior_symbol(i, "spin");

	for (;;) {
		uint64_t pc;
		ck_assert_no_error(target_get_uint(t, t->threads.items[0], t->arch->pc, &pc));
		if (pc >= spin && pc < spin + 11)
			return t;
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_stop_all(t));
	}
}

static void let_go(struct target *t, struct inferior *i, int status)
{
	ck_assert_no_error(target_write(t, inferior_symbol(i, "go"), "\1", 1));
	ck_assert_no_error(target_detach(t));
	inferior_finish_with(i, status);
}

START_TEST(general_registers_are_as_the_program_set_them)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_registers(&i);
	struct thread *th = t->threads.items[0];
	uint8_t bytes[ARCH_REGISTER_MAX];
	size_t size;

	for (size_t n = 0; n < COUNT(generals); n++) {
		const struct reg *r = arch_find_reg(t->arch, generals[n]);
		uint64_t value;
		ck_assert_no_error(target_get_uint(t, th, r, &value));
		ck_assert_uint_eq(value, UINT64_C(0x0101010101010101) * (n + 1));
		ck_assert_no_error(target_get_register(t, th, r, bytes, &size));
		ck_assert_uint_eq(size, 8);
		ck_assert_mem_eq(bytes, &value, 8);
	}
	let_go(t, &i, 15);
}
END_TEST

START_TEST(vector_registers_are_as_the_program_set_them)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_registers(&i);
	bool avx = __builtin_cpu_supports("avx");

	for (int n = 0; n < 32; n++) {
		char name[8];
		uint8_t got[ARCH_REGISTER_MAX];
		size_t size;
		bool wide = n >= 16;
		if (wide && !avx)
			break;
		snprintf(name, sizeof(name), "%cmm%d", wide ? 'y' : 'x', n % 16);
		ck_assert_no_error(target_get_register(t, t->threads.items[0],
						       arch_find_reg(t->arch, name), got, &size));
		ck_assert_uint_eq(size, wide ? 32 : 16);
		for (size_t k = 0; k < size; k++)
			ck_assert_uint_eq(got[k], (uint8_t)(n % 16 * 16 + (int)k));
	}
	let_go(t, &i, 15);
}
END_TEST

START_TEST(thread_pointers_are_as_the_program_says)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_registers(&i);
	struct thread *th = t->threads.items[0];
	uint64_t fs, gs;

	ck_assert_no_error(target_get_uint(t, th, t->arch->thread_pointer, &fs));
	ck_assert_no_error(target_get_uint(t, th, arch_find_reg(t->arch, "gs_base"), &gs));
	ck_assert_uint_eq(fs, inferior_value(&i, "fs"));
	ck_assert_uint_eq(gs, inferior_value(&i, "gs"));
	let_go(t, &i, 15);
}
END_TEST

START_TEST(a_register_can_be_set)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = attach_to_registers(&i);
	struct thread *th = t->threads.items[0];
	const struct reg *r15 = arch_find_reg(t->arch, "r15");
	uint64_t value;

	ck_assert_no_error(target_set_uint(t, th, r15, 0x1234567890abcd2a));
	ck_assert_no_error(target_get_uint(t, th, r15, &value));
	ck_assert_uint_eq(value, 0x1234567890abcd2a);
	/* Still so in the next stop. */
	ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
	ck_assert_no_error(target_stop_all(t));
	ck_assert_no_error(target_get_uint(t, th, r15, &value));
	ck_assert_uint_eq(value, 0x1234567890abcd2a);
	ck_assert_error(target_set_uint(t, th, arch_find_reg(t->arch, "mxcsr"), 0),
			ERROR_UNSUPPORTED, "register mxcsr cannot be set");
	let_go(t, &i, 0x2a);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("memory_live");

	live_case(s, "reading", 60, a_large_read_gets_every_byte,
		  what_is_not_there_is_told_with_its_address,
		  a_page_that_the_program_may_not_read_is_read, strings_are_bounded,
		  each_stop_shows_memory_anew, the_auxiliary_vector_is_read);
	live_case(s, "writing", 60, a_planted_trap_is_hit_in_read_only_code,
		  writing_where_nothing_is_fails);
	live_case(s, "registers", 60, general_registers_are_as_the_program_set_them,
		  vector_registers_are_as_the_program_set_them,
		  thread_pointers_are_as_the_program_says, a_register_can_be_set);
	return unit_run(s);
}
