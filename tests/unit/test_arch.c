/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <elf.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/cpu/arch.h"
#include "unit.h"

#define X86 (&arch_x86_64)

START_TEST(find_knows_x86_64_only_as_64_bit)
{
	ck_assert_ptr_eq(arch_find(EM_X86_64, ELFCLASS64), X86);
	ck_assert_ptr_null(arch_find(EM_X86_64, ELFCLASS32));
	ck_assert_ptr_null(arch_find(EM_386, ELFCLASS32));
	ck_assert_ptr_null(arch_find(EM_AARCH64, ELFCLASS64));
	ck_assert_ptr_null(arch_find(0, 0));
}
END_TEST

static const struct {
	uint16_t machine;
	uint8_t elf_class;
	const char *name;
} machines[] = {
	{ EM_386, ELFCLASS32, "i386" },           { EM_X86_64, ELFCLASS64, "x86-64" },
	{ EM_X86_64, ELFCLASS32, "x32" },         { EM_AARCH64, ELFCLASS64, "aarch64" },
	{ EM_RISCV, ELFCLASS64, "riscv64" },      { EM_RISCV, ELFCLASS32, "riscv32" },
	{ EM_PPC64, ELFCLASS64, "ppc64" },        { EM_S390, ELFCLASS64, "s390x" },
	{ 0xffff, 0xff, "an unknown processor" },
};

START_TEST(machine_name_is_what_people_call_it)
{
	ck_assert_str_eq(arch_machine_name(machines[_i].machine, machines[_i].elf_class),
			 machines[_i].name);
}
END_TEST

/* System V ABI, AMD64 supplement, figure 3.36. */
static const struct {
	int number;
	const char *name;
} dwarf_numbers[] = {
	{ 0, "rax" },     { 1, "rdx" },    { 2, "rcx" },      { 3, "rbx" },      { 4, "rsi" },
	{ 5, "rdi" },     { 6, "rbp" },    { 7, "rsp" },      { 8, "r8" },       { 15, "r15" },
	{ 16, "rip" },    { 17, "xmm0" },  { 32, "xmm15" },   { 33, "st0" },     { 40, "st7" },
	{ 49, "eflags" }, { 50, "es" },    { 51, "cs" },      { 52, "ss" },      { 53, "ds" },
	{ 54, "fs" },     { 55, "gs" },    { 58, "fs_base" }, { 59, "gs_base" }, { 64, "mxcsr" },
	{ 65, "fctrl" },  { 66, "fstat" },
};

START_TEST(dwarf_numbers_are_those_of_the_abi)
{
	const struct reg *r = arch_find_dwarf_reg(X86, dwarf_numbers[_i].number);

	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->name, dwarf_numbers[_i].name);
	ck_assert_ptr_eq(r, arch_find_reg(X86, dwarf_numbers[_i].name));
}
END_TEST

START_TEST(what_is_no_register_is_not_found)
{
	ck_assert_ptr_null(arch_find_reg(X86, "eax"));
	ck_assert_ptr_null(arch_find_reg(X86, ""));
	ck_assert_ptr_null(arch_find_dwarf_reg(X86, -1));
	ck_assert_ptr_null(arch_find_dwarf_reg(X86, 48));
	ck_assert_ptr_null(arch_find_dwarf_reg(X86, 100000));
}
END_TEST

START_TEST(the_table_has_no_gaps_and_no_twins)
{
	for (size_t i = 0; i < X86->nregs; i++) {
		const struct reg *r = &X86->regs[i];
		ck_assert_ptr_nonnull(r->name);
		ck_assert_msg(r->size > 0 && r->size * (r->upper ? 2 : 1) <= ARCH_REGISTER_MAX,
			      "size of %s", r->name);
		ck_assert_ptr_eq(arch_find_reg(X86, r->name), r);
		if (r->dwarf >= 0)
			ck_assert_ptr_eq(arch_find_dwarf_reg(X86, r->dwarf), r);
	}
}
END_TEST

START_TEST(general_registers_tile_their_set)
{
	uint8_t covered[ARCH_GENERAL_MAX] = { 0 };

	for (size_t i = 0; i < X86->nregs; i++) {
		const struct reg *r = &X86->regs[i];
		if (r->set != REGSET_GENERAL)
			continue;
		ck_assert_uint_le(r->offset + r->size, X86->general_size);
		for (size_t k = 0; k < r->size; k++)
			ck_assert_int_eq(covered[r->offset + k]++, 0);
	}
	for (size_t k = 0; k < X86->general_size; k++)
		ck_assert_int_eq(covered[k], 1);
}
END_TEST

START_TEST(special_registers_and_core_notes_are_where_the_kernel_puts_them)
{
	ck_assert_str_eq(X86->pc->name, "rip");
	ck_assert_str_eq(X86->sp->name, "rsp");
	ck_assert_str_eq(X86->fp->name, "rbp");
	ck_assert_str_eq(X86->thread_pointer->name, "fs_base");
	ck_assert_uint_eq(X86->general_size, 27 * 8);
	ck_assert_uint_eq(X86->prstatus_size, 336);
	ck_assert_uint_eq(X86->prstatus_pid, 32);
	ck_assert_uint_eq(X86->prstatus_regs, 112);
}
END_TEST

START_TEST(put_changes_its_register_and_nothing_else)
{
	for (size_t i = 0; i < X86->nregs; i++) {
		const struct reg *r = &X86->regs[i];
		uint8_t set[1024], expected[1024];
		uint64_t value = UINT64_C(0x0102030405060708);
		if (r->size > sizeof(value))
			continue;
		memset(set, 0xee, sizeof(set));
		memset(expected, 0xee, sizeof(expected));
		for (size_t k = 0; k < r->size; k++)
			expected[r->offset + k] = (uint8_t)(8 - k);
		arch_put(r, set, value);
		ck_assert_mem_eq(set, expected, sizeof(set));
		unsigned int unused_bits = 64 - 8 * r->size;
		ck_assert_uint_eq(arch_get(r, set), value << unused_bits >> unused_bits);
	}
}
END_TEST

START_TEST(copy_joins_the_two_parts_of_a_register)
{
	uint8_t set[832], value[ARCH_REGISTER_MAX];
	size_t size = 0;

	for (size_t i = 0; i < sizeof(set); i++)
		set[i] = (uint8_t)(i / 16);
	ck_assert_no_error(arch_copy(arch_find_reg(X86, "ymm15"), set, sizeof(set), value, &size));
	ck_assert_uint_eq(size, 32);
	ck_assert_int_eq(value[0], 160 / 16 + 15);
	ck_assert_int_eq(value[15], 160 / 16 + 15);
	ck_assert_int_eq(value[16], 576 / 16 + 15);
	ck_assert_int_eq(value[31], 576 / 16 + 15);
}
END_TEST

START_TEST(copy_refuses_a_set_that_is_too_short)
{
	uint8_t set[832] = { 0 }, value[ARCH_REGISTER_MAX];

	for (size_t i = 0; i < X86->nregs; i++) {
		const struct reg *r = &X86->regs[i];
		size_t end = (r->upper ? r->upper : r->offset) + r->size;
		size_t size = 12345;
		ck_assert_error(arch_copy(r, set, end - 1, value, &size), ERROR_BAD_DATA, r->name);
		ck_assert_uint_eq(size, 12345);
		ck_assert_no_error(arch_copy(r, set, end, value, &size));
		ck_assert_uint_eq(size, r->upper ? 2 * r->size : r->size);
	}
}
END_TEST

/* --- the table against a real thread of this processor --- */

/* A process that stands behind an int3 with known values in its registers. */
static pid_t start_patterned_child(const uint8_t pattern[32], bool avx)
{
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid)
		return pid;
	if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
		_exit(1);
	if (avx)
		__asm__ volatile("vmovdqu (%0), %%ymm3\n\tvmovdqu (%0), %%ymm15" : : "r"(pattern));
	__asm__ volatile("movdqu (%%rdi), %%xmm7\n\t"
			 "fninit\n\tfldz\n\tfld1\n\t" /* st0 = 1, st1 = 0 */
			 "movabs $0x1111111111111111, %%rax\n\t"
			 "movabs $0x2222222222222222, %%rbx\n\t"
			 "movabs $0x3333333333333333, %%rcx\n\t"
			 "movabs $0x4444444444444444, %%rdx\n\t"
			 "movabs $0x5555555555555555, %%rsi\n\t"
			 "movabs $0x6666666666666666, %%rbp\n\t"
			 "mov %%rdi, %%rsp\n\t"
			 "movabs $0x0808080808080808, %%r8\n\t"
			 "movabs $0x0909090909090909, %%r9\n\t"
			 "movabs $0x1010101010101010, %%r10\n\t"
			 "movabs $0x1212121212121212, %%r12\n\t"
			 "movabs $0x1515151515151515, %%r15\n\t"
			 "stc\n\t"
			 "int3"
			 :
			 : "D"(pattern)
			 : "memory");
	_exit(2);
}

static size_t get_set(pid_t pid, enum regset set, uint8_t *ret, size_t room)
{
	struct iovec io = { .iov_base = ret, .iov_len = room };

	ck_assert_int_eq(ptrace(PTRACE_GETREGSET, pid, X86->regset_note[set], &io), 0);
	return io.iov_len;
}

static void check_bytes(pid_t pid, const char *name, const void *expected, size_t expected_size)
{
	const struct reg *r = arch_find_reg(X86, name);
	uint8_t set[16384], value[ARCH_REGISTER_MAX];
	size_t size = 0;

	ck_assert_no_error(arch_copy(r, set, get_set(pid, r->set, set, sizeof(set)), value, &size));
	ck_assert_uint_eq(size, expected_size);
	ck_assert_msg(!memcmp(value, expected, size), "%s is wrong", name);
}

START_TEST(registers_of_a_real_thread_are_found)
{
	static const struct {
		const char *name;
		uint64_t value;
	} expected[] = {
		{ "rax", 0x1111111111111111 },
		{ "rbx", 0x2222222222222222 },
		{ "rcx", 0x3333333333333333 },
		{ "rdx", 0x4444444444444444 },
		{ "rsi", 0x5555555555555555 },
		{ "rbp", 0x6666666666666666 },
		{ "r8", 0x0808080808080808 },
		{ "r9", 0x0909090909090909 },
		{ "r10", 0x1010101010101010 },
		{ "r12", 0x1212121212121212 },
		{ "r15", 0x1515151515151515 },
		{ "cs", 0x33 },
		{ "ss", 0x2b },
		{ "orig_rax", UINT64_MAX },
	};
	static const uint8_t one[10] = { [7] = 0x80, 0xff, 0x3f };
	uint64_t fs_base;
	uint8_t pattern[32], general[ARCH_GENERAL_MAX];
	int status;

	for (size_t i = 0; i < sizeof(pattern); i++)
		pattern[i] = (uint8_t)(0xa0 + i);
	__asm__("mov %%fs:0, %0"
		: "=r"(fs_base)); /* the thread control block holds its own address */
	bool avx = __builtin_cpu_supports("avx");
	pid_t pid = start_patterned_child(pattern, avx);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP);

	ck_assert_uint_eq(get_set(pid, REGSET_GENERAL, general, sizeof(general)),
			  X86->general_size);
	for (size_t i = 0; i < COUNT(expected); i++)
		ck_assert_msg(arch_get(arch_find_reg(X86, expected[i].name), general) ==
				      expected[i].value,
			      "%s is wrong", expected[i].name);
	ck_assert_uint_eq(arch_get(X86->sp, general), (uintptr_t)pattern);
	ck_assert_uint_eq(arch_get(X86->thread_pointer, general), fs_base);
	ck_assert_uint_eq(arch_get(arch_find_reg(X86, "eflags"), general) & 1, 1);
	long code = ptrace(PTRACE_PEEKTEXT, pid, arch_get(X86->pc, general) - 1, 0);
	ck_assert_int_eq(code & 0xff, 0xcc);

	check_bytes(pid, "xmm7", pattern, 16);
	check_bytes(pid, "st0", one, sizeof(one));
	check_bytes(pid, "mxcsr", &(uint32_t){ 0x1f80 }, 4);
	check_bytes(pid, "fctrl", &(uint16_t){ 0x037f }, 2);
	if (avx) {
		check_bytes(pid, "ymm3", pattern, 32);
		check_bytes(pid, "ymm15", pattern, 32);
		check_bytes(pid, "xmm15", pattern, 16);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("arch");

	unit_case(s, "find", find_knows_x86_64_only_as_64_bit, what_is_no_register_is_not_found);
	unit_table(s, machine_name_is_what_people_call_it, machines);
	unit_table(s, dwarf_numbers_are_those_of_the_abi, dwarf_numbers);
	unit_case(s, "table", the_table_has_no_gaps_and_no_twins, general_registers_tile_their_set,
		  special_registers_and_core_notes_are_where_the_kernel_puts_them);
	unit_case(s, "values", put_changes_its_register_and_nothing_else,
		  copy_joins_the_two_parts_of_a_register, copy_refuses_a_set_that_is_too_short);
	unit_case(s, "real thread", registers_of_a_real_thread_are_found);
	return unit_run(s);
}
