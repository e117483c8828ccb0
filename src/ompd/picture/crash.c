/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/picture/crash.h"

#include <signal.h>
#include <string.h>

static const struct crash_traits causes[NUM_CRASH_CAUSES] = {
	[CRASH_NOT] = { "none", "" },
	[CRASH_NULL] = { "null-pointer", "it used a null pointer", true },
	[CRASH_STACK] = { "stack-overflow", "its stack is full" },
	[CRASH_UNMAPPED] = { "no-memory", "there is no memory", true },
	[CRASH_PROTECTED] = { "protected-memory", "the memory there is not for that", true },
	[CRASH_WILD] = { "wild-pointer", "it used an address that no memory can have" },
	[CRASH_ALIGNMENT] = { "alignment", "an address is not aligned", true },
	[CRASH_TRUNCATED] = { "truncated-file", "a mapped file ends before", true },
	[CRASH_DIVISION] = { "division", "it divided an integer by zero" },
	[CRASH_ARITHMETIC] = { "arithmetic", "a floating-point operation was trapped" },
	[CRASH_INSTRUCTION] = { "instruction", "it executed what is no instruction here, or a trap "
					       "of the compiler's" },
	[CRASH_FORBIDDEN] = { "forbidden-call", "it made a system call that is forbidden here" },
	[CRASH_ABORT] = { "abort", "it called abort()" },
	[CRASH_EXCEPTION] = { "exception", "nobody caught a C++ exception" },
	[CRASH_RAISED] = { "raised", "it sent that signal to itself" },
};

const struct crash_traits *crash_traits(enum crash_cause cause)
{
	return &causes[cause < NUM_CRASH_CAUSES ? cause : CRASH_NOT];
}

/* What the kernel says of faults. The first row that fits counts; code 0: any of the kernel's. */
static const struct {
	int signal, code;
	enum crash_cause cause;
} faults[] = {
	{ SIGSEGV, SI_KERNEL, CRASH_WILD }, /* a general protection fault          */
	{ SIGSEGV, SEGV_ACCERR, CRASH_PROTECTED },
	{ SIGSEGV, 0, CRASH_UNMAPPED },
	{ SIGBUS, BUS_ADRALN, CRASH_ALIGNMENT },
	{ SIGBUS, SI_KERNEL, CRASH_WILD },
	{ SIGBUS, 0, CRASH_TRUNCATED },
	{ SIGFPE, FPE_INTDIV, CRASH_DIVISION },
	{ SIGFPE, 0, CRASH_ARITHMETIC },
	{ SIGILL, 0, CRASH_INSTRUCTION },
	{ SIGSYS, 0, CRASH_FORBIDDEN },
};

static const struct {
	int number;
	const char *name;
} signals[] = {
	{ SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" },   { SIGFPE, "SIGFPE" },
	{ SIGILL, "SIGILL" },   { SIGABRT, "SIGABRT" }, { SIGSYS, "SIGSYS" },
};

const char *crash_signal(int number)
{
	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (signals[i].number == number)
			return signals[i].name;
	}
	return NULL;
}

static enum crash_cause cause_of_fault(const siginfo_t *info)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		if (faults[i].signal == info->si_signo &&
		    (!faults[i].code || faults[i].code == info->si_code))
			return faults[i].cause;
	}
	return CRASH_NOT;
}

enum crash_cause crash_by_siginfo(const void *bytes, size_t len, int pid, int *ret_signal,
				  taddr *ret_address)
{
	enum { NULL_PAGES = 1 << 16 }; /* vm.mmap_min_addr */
	siginfo_t info;

	if (len < sizeof(info))
		return CRASH_NOT;
	memcpy(&info, bytes, sizeof(info));
	*ret_signal = info.si_signo;
	*ret_address = 0;
	/* By raise(), as abort() does. */
	const bool raised = info.si_code == SI_TKILL && info.si_pid == pid;
	if (info.si_signo == SIGABRT)
		return raised ? CRASH_ABORT : CRASH_NOT;
	if (raised && crash_signal(info.si_signo))
		return CRASH_RAISED;
	if (info.si_code <= 0)
		return CRASH_NOT;
	enum crash_cause cause = cause_of_fault(&info);
	if (crash_traits(cause)->address || cause == CRASH_DIVISION)
		*ret_address = (taddr)(uintptr_t)info.si_addr;
	bool memory = cause == CRASH_UNMAPPED || cause == CRASH_PROTECTED;
	return memory && *ret_address < NULL_PAGES ? CRASH_NULL : cause;
}
