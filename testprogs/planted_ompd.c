/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OMPD library that means harm. It does what PLANTED says as soon as it is loaded, or when the
 * entry of the name PLANTED_AT is called; all entries are those of the library PLANTED_REAL, but
 * that "be wrong" has one give a wrong answer.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIPE 3 /* its only way out */

struct message {
	uint32_t kind;
	int32_t value;
	uint64_t len, words[8];
	uint8_t bytes[1 << 16];
};

static void make_file(void)
{
	open(getenv("PLANTED_FILE"), O_WRONLY | O_CREAT, 0666);
}

static void run(void)
{
	char command[5000] = "touch ";

	if (system(strncat(command, getenv("PLANTED_FILE"), 4000)) != 0)
		abort();
}

static void send_signal(void)
{
	kill(getppid(), SIGKILL);
}

static void connect_out(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void hang(void)
{
	for (;;)
		__asm__ volatile("");
}

static void crash(void)
{
	__builtin_trap();
}

static void leave(void)
{
	_exit(0);
}

static void eat(void)
{
	while (mmap(NULL, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		;
	crash();
}

static void make_noise(void)
{
	static char noise[100000];

	memset(noise, 0xff, sizeof(noise));
	if (write(PIPE, noise, sizeof(noise)) < 0)
		_exit(1);
	hang();
}

/* Well-formed messages that say anything: loaded, then wild answers and wild questions. */
static void lie(void)
{
	static struct message in, out;
	uint64_t random = 1;

	out.kind = 4;
	memset(out.bytes, 'A', sizeof(out.bytes));
	do {
		if (write(PIPE, &out, 16 + sizeof(out.words) + out.len) < 0)
			_exit(1);
		random = random * 6364136223846793005u + 1442695040888963407u;
		out.kind = random >> 61 ? 5 : 6 + (random >> 32) % 4;
		out.value = random >> 60 ? 0 : 1;
		out.len = (random >> 40) % sizeof(out.bytes);
		for (int i = 0; i < 8; i++)
			out.words[i] = random >> (random >> 20) % 61 >> 7 * (i % 3);
	} while (read(PIPE, &in, sizeof(in)) > 0);
	_exit(0);
}

static void never_end(void)
{
	static struct message out;

	out.kind = 6; /* pages, for ever */
	while (write(PIPE, &out, 16 + sizeof(out.words)) > 0)
		if (read(PIPE, &out, sizeof(out)) <= 0)
			_exit(0);
		else
			out.kind = 6;
}

static const struct {
	const char *name;
	void (*does)(void);
} deeds[] = {
	{ "make a file", make_file },
	{ "run", run },
	{ "send a signal", send_signal },
	{ "connect", connect_out },
	{ "hang", hang },
	{ "crash", crash },
	{ "leave", leave },
	{ "eat", eat },
	{ "make noise", make_noise },
	{ "lie", lie },
	{ "never end", never_end },
};

static void act(const char *at)
{
	const char *deed = getenv("PLANTED"), *when = getenv("PLANTED_AT");

	for (size_t i = 0; i < sizeof(deeds) / sizeof(*deeds); i++) {
		if (deed && !strcmp(deed, deeds[i].name) && !strcmp(at, when ? when : ""))
			deeds[i].does();
	}
}

__attribute__((constructor)) static void begin(void)
{
	act("");
}

typedef uint64_t entry(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static entry *real(const char *name)
{
	static void *library;
	entry *found;

	if (!library)
		library = dlopen(getenv("PLANTED_REAL"), RTLD_NOW);
	void *address = dlsym(library, name);
	memcpy(&found, &address, sizeof(found));
	return found;
}

/* Answers that look right. */
static uint64_t answer(const char *name, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
		       uint64_t f)
{
	const char *deed = getenv("PLANTED"), *at = getenv("PLANTED_AT");
	int wrong = deed && at && !strcmp(deed, "be wrong") && !strcmp(at, name + 5);

	if (wrong && !strcmp(at, "get_thread_in_parallel"))
		b = 0;
	uint64_t rc = real(name)(a, b, c, d, e, f);
	if (!wrong || rc)
		return rc;
	if (!strcmp(at, "get_api_version"))
		*(int64_t *)(uintptr_t)a = 1;
	if (!strcmp(at, "get_icv_from_scope"))
		++*(int64_t *)(uintptr_t)d;
	if (!strcmp(at, "get_state"))
		*(int64_t *)(uintptr_t)b = 0x100; /* idle */
	return rc;
}

#define ENTRY(name)                                                                                \
	entry ompd_##name;                                                                         \
	uint64_t ompd_##name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,           \
			     uint64_t f)                                                           \
	{                                                                                          \
		act(#name);                                                                        \
		return answer("ompd_" #name, a, b, c, d, e, f);                                    \
	}
ENTRY(get_api_version)
ENTRY(get_version_string)
ENTRY(initialize)
ENTRY(finalize)
ENTRY(process_initialize)
ENTRY(rel_address_space_handle)
ENTRY(get_thread_handle)
ENTRY(rel_thread_handle)
ENTRY(get_thread_id)
ENTRY(get_thread_in_parallel)
ENTRY(get_curr_parallel_handle)
ENTRY(get_enclosing_parallel_handle)
ENTRY(get_task_parallel_handle)
ENTRY(rel_parallel_handle)
ENTRY(parallel_handle_compare)
ENTRY(get_curr_task_handle)
ENTRY(get_generating_task_handle)
ENTRY(get_scheduling_task_handle)
ENTRY(get_task_in_parallel)
ENTRY(rel_task_handle)
ENTRY(task_handle_compare)
ENTRY(get_task_function)
ENTRY(get_task_frame)
ENTRY(get_state)
ENTRY(enumerate_states)
ENTRY(enumerate_icvs)
ENTRY(get_icv_from_scope)
ENTRY(get_icv_string_from_scope)
ENTRY(get_display_control_vars)
ENTRY(rel_display_control_vars)
ENTRY(device_initialize)
ENTRY(get_device_thread_id_kinds)
ENTRY(get_omp_version)
ENTRY(get_omp_version_string)
ENTRY(thread_handle_compare)
ENTRY(get_device_from_thread)
ENTRY(get_tool_data)
