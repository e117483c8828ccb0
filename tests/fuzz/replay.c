/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Replay: a fuzz target as a TAP test, without a fuzzer: replay [-m N] [-o DIR] FILE|DIR...
 *
 * Each file is a subtest: it and N mutations of it are given to the target in a process of their
 * own, which must neither fail nor take long nor grow large. An input for which it does is
 * written to DIR, for the corpus.
 */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "fuzz.h"
#include "mutate.h"

enum { SECONDS_MAX = 10, MEMORY_MAX_KB = 1 << 20, FILE_SIZE_MAX = 64 << 20 };

struct options {
	int mutations;
	const char *folder; /* NULL: keep nothing */
};

/* In a block of just that size, so that a sanitizer sees a step beyond its end. */
static void give(const struct input *in)
{
	/* The processor's time: others may have the machine. */
	const struct itimerval limit = { .it_value.tv_sec = SECONDS_MAX };
	uint8_t *data = malloc(in->len ? in->len : 1);

	if (!data)
		exit(EXIT_FAILURE);
	memcpy(data, in->bytes, in->len);
	setitimer(ITIMER_PROF, &limit, NULL);
	if (LLVMFuzzerTestOneInput(data, in->len) != 0)
		exit(EXIT_FAILURE);
	free(data);
}

/* The child process. in is in memory that the parent sees, and finds there what was the last. */
static _Noreturn void run(const struct buf *seed, struct input *in, int mutations)
{
	uint64_t random = 0x9e3779b97f4a7c15;

	for (int i = 0; i <= mutations; i++) {
		memcpy(in->bytes, buf_text(seed), seed->len);
		in->len = seed->len;
		if (i > 0)
			mutate(in, &random);
		give(in);
	}
	exit(EXIT_SUCCESS); /* not _exit(): leaks are looked for at exit */
}

static const char *what_is_wrong(int status, const struct rusage *used)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		return "took too long";
	if (WIFSIGNALED(status))
		return strsignal(WTERMSIG(status));
	if (status)
		return "ended with an error";
	return used->ru_maxrss > MEMORY_MAX_KB ? "took too much memory" : NULL;
}

static void keep(const struct input *in, const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s.failed", folder, name);
	FILE *f = fopen(path, "w");
	if (!f)
		return;
	fwrite(in->bytes, 1, in->len, f);
	fclose(f);
	printf("# the input is in %s\n", path);
}

/* An input in memory shared with children; NULL: no memory. */
static struct input *shared_input(size_t max)
{
	struct input *in = mmap(NULL, sizeof(*in) + max, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (in == MAP_FAILED)
		return NULL;
	*in = (struct input){ .bytes = (uint8_t *)(in + 1), .max = max };
	return in;
}

static bool replay(const struct options *o, const char *path, int number)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	AUTO_BUF seed = { 0 };
	struct rusage used;
	int status = -1;
	struct error *err = buf_add_file(&seed, path, FILE_SIZE_MAX);
	struct input *in = err ? NULL : shared_input(seed.len + MUTATE_GROWTH);
	const char *wrong = "cannot be read";

	error_free(err);
	fflush(stdout);
	pid_t pid = in ? fork() : -1;
	if (pid == 0)
		run(&seed, in, o->mutations);
	if (pid > 0 && wait4(pid, &status, 0, &used) == pid)
		wrong = what_is_wrong(status, &used);
	printf("%sok %d - %s%s%s\n", wrong ? "not " : "", number, name, wrong ? ": " : "",
	       wrong ? wrong : "");
	if (wrong && in && o->folder)
		keep(in, o->folder, name);
	if (in)
		munmap(in, sizeof(*in) + in->max);
	return !wrong;
}

static bool replay_all(const struct options *o, const char *path, int *number)
{
	struct dirent **entries = NULL;
	struct stat st;
	bool ok = true;

	if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return replay(o, path, ++*number);
	int n = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		char file[PATH_MAX];
		snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			ok &= replay(o, file, ++*number);
		free(entries[i]);
	}
	free(entries);
	return ok;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	int number = 0, option;
	bool ok = true;

	while ((option = getopt(argc, argv, "m:o:")) != -1) {
		if (option == 'm')
			o.mutations = atoi(optarg);
		else if (option == 'o')
			o.folder = optarg;
		else
			return 2;
	}
	for (int i = optind; i < argc; i++)
		ok &= replay_all(&o, argv[i], &number);
	printf("1..%d\n", number);
	return ok && number ? EXIT_SUCCESS : EXIT_FAILURE;
}
