/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/demangle.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"

enum {
	NAME_LEN_MAX = 32 * 1024,
	RESULT_LEN_MAX = 64 * 1024,
	SURE_BITS = 24, /* names that become at most 16 MB are made here */
	CHILD_TIME_US = 100 * 1000,
	CHILD_FAILURES_MAX = 8,
};

typedef char *cxa_demangle(const char *name, char *buffer, size_t *len, int *status);

/* The C++ runtime library, which is opened once and stays. */
static struct {
	cxa_demangle *demangle; /* NULL: there is none */
	bool tried;
	unsigned int failures; /* of the child        */
} library;

static void open_library(void)
{
	library.tried = true;
	void *handle = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	void *function = handle ? dlsym(handle, "__cxa_demangle") : NULL;
	memcpy(&library.demangle, &function, sizeof(function));
	if (!function)
		log_debug(LOG_SYMBOL, "C++ names stay as they are: %s", dlerror());
}

/* A reference to an earlier part of the name: S_, S0_, SA_, T_, T0_, ... Its length, 0: none. */
static size_t reference_length(const char *p)
{
	size_t n = 1;

	if (*p != 'S' && *p != 'T')
		return 0;
	while (isdigit((unsigned char)p[n]) || isupper((unsigned char)p[n]))
		n++;
	return p[n] == '_' ? n + 1 : 0;
}

/* Of a number that is not 0. */
static unsigned int bits_of(size_t n)
{
	return 64 - (unsigned int)__builtin_clzl(n);
}

/*
 * How large a name may become, as a power of two: each reference repeats at most all that is
 * before it, each pack (Dp, sp) at most once for each character. What looks like a reference in
 * an identifier counts too: this is a bound, not an estimate.
 */
static unsigned int growth_bits(const char *name, size_t len)
{
	unsigned int bits = bits_of(len) + 3; /* "c" becomes "char", "Sa" "std::allocator" */

	for (const char *p = name; *p;) {
		size_t reference = reference_length(p);
		if (!strncmp(p, "Dp", 2) || !strncmp(p, "sp", 2))
			bits += bits_of(len);
		bits += reference ? 1 : 0;
		p += reference ? reference : 1;
	}
	return bits;
}

static char *demangle_here(const char *name)
{
	int status = 0;

	return library.demangle(name, NULL, NULL, &status);
}

static void run_child(const char *name, int out)
{
	const struct itimerval limit = { .it_value = { .tv_usec = CHILD_TIME_US } };
	sigset_t signals;

	signal(SIGPROF, SIG_DFL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGPROF);
	sigprocmask(SIG_UNBLOCK, &signals, NULL);
	setitimer(ITIMER_PROF, &limit, NULL);
	char *text = demangle_here(name);
	size_t len = text ? strlen(text) : 0;
	bool done = text && len <= RESULT_LEN_MAX && write(out, text, len) == (ssize_t)len;
	_exit(done ? 0 : 1);
}

static char *demangle_in_child(const char *name)
{
	AUTO_BUF text = { 0 };
	int ends[2], status = 0;

	if (library.failures >= CHILD_FAILURES_MAX || pipe2(ends, O_CLOEXEC) < 0)
		return NULL;
	pid_t child = fork();
	if (child == 0)
		run_child(name, ends[1]);
	close(ends[1]);
	struct error *err = buf_add_fd(&text, ends[0], RESULT_LEN_MAX);
	close(ends[0]);
	bool done = child > 0 && TEMP_FAILURE_RETRY(waitpid(child, &status, 0)) == child && !err &&
		    WIFEXITED(status) && WEXITSTATUS(status) == 0;
	error_ignore(err);
	library.failures += !done;
	return done && text.len ? TAKE(text.data) : NULL;
}

static char *demangle_cxx(const char *name, size_t len)
{
	if (!library.tried)
		open_library();
	if (!library.demangle)
		return NULL;
	return growth_bits(name, len) <= SURE_BITS ? demangle_here(name) : demangle_in_child(name);
}

/* gfortran: module procedures are __MODULE_MOD_PROCEDURE; its identifiers are in lower case. */
static char *demangle_fortran(const char *name)
{
	const char *module = name + strlen("__");
	const char *mark = strstr(module, "_MOD_");
	char *text = NULL;

	if (!mark || mark == module || !mark[strlen("_MOD_")])
		return NULL;
	if (asprintf(&text, "%.*s::%s", (int)(mark - module), module, mark + strlen("_MOD_")) < 0)
		return NULL;
	return text;
}

char *demangle_name(const char *name)
{
	size_t len = strnlen(name, NAME_LEN_MAX);
	char *text = NULL;

	if (len < NAME_LEN_MAX && !strncmp(name, "_Z", 2))
		text = demangle_cxx(name, len);
	else if (len < NAME_LEN_MAX && !strncmp(name, "__", 2))
		text = demangle_fortran(name);
	return text ? text : strdup(name);
}
