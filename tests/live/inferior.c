/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "inferior.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include "target/process/procfs.h"
#include "target/tracer/tracer.h"

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* ---- starting and ending ---------------------------------------------------------------- */

static char *find_program(const char *name)
{
	const char *folder = getenv("TESTPROGS");
	char *path;

	if (strchr(name, '/'))
		path = strdup(name);
	else if (asprintf(&path, "%s/%s", folder ? folder : ".", name) < 0)
		path = NULL;
	ck_assert_ptr_nonnull(path);
	return path;
}

static void open_pipes(struct inferior *i, int theirs[2])
{
	int in[2], out[2];

	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	ck_assert_int_eq(fcntl(out[0], F_SETFL, O_NONBLOCK), 0);
	i->in = in[1];
	i->out = out[0];
	theirs[0] = in[0];
	theirs[1] = out[1];
}

enum { ARGS_MAX = 16 };

/* Its argv, with the path of the program in front, is put into argv. */
static void prepare(struct inferior *i, const char *const *args, const char *argv[ARGS_MAX],
		    int theirs[2])
{
	*i = (struct inferior){ .path = find_program(args[0]) };
	for (size_t n = 0; n < ARGS_MAX && (argv[n] = n ? args[n] : i->path); n++)
		;
	open_pipes(i, theirs);
}

void inferior_fini(struct inferior *i)
{
	cleanup_close(&i->in);
	cleanup_close(&i->out);
	free(i->path);
	buf_fini(&i->said);
}

bool inferior_listen(struct inferior *i)
{
	char bytes[4096];
	ssize_t n;

	while ((n = read(i->out, bytes, sizeof(bytes))) > 0)
		buf_add(&i->said, bytes, (size_t)n);
	return n < 0;
}

static bool is_ready(const struct inferior *i, size_t from)
{
	return i->said.len > from && strstr(buf_text(&i->said) + from, "ready\n");
}

static bool await_ready(struct inferior *i, size_t from)
{
	long limit = now_ms() + PATIENCE_S * 1000;

	while (!is_ready(i, from)) {
		struct pollfd out = { .fd = i->out, .events = POLLIN };
		ck_assert_msg(poll(&out, 1, (int)(limit - now_ms())) > 0, "%s is not ready: %s",
			      i->path, buf_text(&i->said));
		if (!inferior_listen(i) && !is_ready(i, from))
			return false;
	}
	return true;
}

void inferior_await_ready(struct inferior *i, size_t from)
{
	ck_assert_msg(await_ready(i, from), "%s ended before it was ready", i->path);
}

bool inferior_start(struct inferior *i, const char *const *args)
{
	enum { CANNOT = 77 };
	const char *argv[ARGS_MAX];
	int theirs[2], status;

	prepare(i, args, argv, theirs);
	i->pid = fork();
	ck_assert_int_ge(i->pid, 0);
	if (i->pid == 0) {
		dup2(theirs[0], 0);
		dup2(theirs[1], 1);
		execv(i->path, (char **)(uintptr_t)argv);
		_exit(errno == ENOEXEC ? CANNOT : 127);
	}
	close(theirs[0]);
	close(theirs[1]);
	if (await_ready(i, 0))
		return true;
	ck_assert_int_eq(waitpid(i->pid, &status, 0), i->pid);
	ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == CANNOT, "%s ended: status %#x",
		      i->path, (unsigned int)status);
	fprintf(stderr, "%s cannot run on this machine\n", i->path);
	return false;
}

/* Tests are executed anew to be tracers, as ompdb is. */
__attribute__((constructor)) static void be_tracer(int argc, char **argv)
{
	if (argc == 1 && tracer_is_meant(argv[0]))
		exit(tracer_main(NULL));
}

bool is_traced(void)
{
	return getenv("OMPDB_TRACED") != NULL;
}

struct error *attach_target(pid_t pid, struct target **ret)
{
	return is_traced() ? traced_attach(pid, ret) : live_attach(pid, ret);
}

struct error *launch_target(const struct launch_command *command, struct target **ret)
{
	return is_traced() ? traced_launch(command, ret) : live_launch(command, ret);
}

pid_t tracer_process(const struct target *t)
{
	return is_traced() ? traced_tracer(t) : getpid();
}

/* What a tracer reaped that was started here has still to be reaped here; then it alone is left. */
void check_none_left(const struct target *t)
{
	AUTO_BUF children = { 0 };
	char path[64];
	pid_t left = waitpid(-1, NULL, WNOHANG | __WALL);

	if (is_traced() && left > 0)
		left = waitpid(-1, NULL, WNOHANG | __WALL);
	ck_assert_int_eq(left, is_traced() && t ? 0 : -1);
	if (!is_traced() || !t)
		return;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", traced_tracer(t),
		 traced_tracer(t));
	ck_assert_no_error(buf_add_file(&children, path, 4096));
	ck_assert_str_eq(buf_text(&children), "");
}

struct target *inferior_attach(const struct inferior *i)
{
	struct target *t = NULL;

	ck_assert_no_error(attach_target(i->pid, &t));
	return t;
}

struct target *inferior_launch(struct inferior *i, const char *const *args)
{
	const char *argv[ARGS_MAX];
	struct target *t = NULL;
	int theirs[2];

	prepare(i, args, argv, theirs);
	struct launch_command command = { .argv = argv, .fds = { theirs[0], theirs[1], -1 } };
	ck_assert_no_error(launch_target(&command, &t));
	close(theirs[0]);
	close(theirs[1]);
	i->pid = t->pid;
	return t;
}

uint64_t inferior_value(const struct inferior *i, const char *word)
{
	const char *at = strstr(buf_text(&i->said), word);

	ck_assert_msg(at != NULL, "%s did not say '%s'", i->path, word);
	return strtoull(at + strlen(word), NULL, 0);
}

void inferior_poke(const struct inferior *i)
{
	ck_assert_int_eq(write(i->in, "x", 1), 1);
}

/* Of a process whose parent has not waited for it: the last field of proc(5)'s stat. */
static int status_of_zombie(pid_t pid)
{
	AUTO_BUF stat = { 0 };
	char path[64];

	inferior_await_state(pid, 0, "Z");
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	ck_assert_no_error(buf_add_file(&stat, path, 4096));
	return atoi(strrchr(buf_text(&stat), ' '));
}

void inferior_finish_with(struct inferior *i, int status)
{
	int got;

	cleanup_close(&i->in);
	i->in = -1;
	pid_t ended = waitpid(i->pid, &got, 0);
	if (is_traced() && ended < 0)
		got = status_of_zombie(i->pid); /* its tracer has started it */
	else
		ck_assert_int_eq(ended, i->pid);
	ck_assert_msg(WIFEXITED(got), "%s was killed by signal %d", i->path, WTERMSIG(got));
	ck_assert_int_eq(WEXITSTATUS(got), status);
}

void inferior_finish(struct inferior *i)
{
	inferior_finish_with(i, 0);
}

/* ---- looking at it beside the target ---------------------------------------------------- */

static bool find_symbol(const char *path, const char *name, GElf_Sym *ret, bool *ret_fixed)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool found = false;
	GElf_Ehdr eh;
	GElf_Shdr sh = { 0 };

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	ck_assert_msg(elf && gelf_getehdr(elf, &eh), "%s is no ELF file", path);
	*ret_fixed = eh.e_type == ET_EXEC;
	for (Elf_Scn *s = NULL; !found && (s = elf_nextscn(elf, s));) {
		if (!gelf_getshdr(s, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(s, NULL);
		for (int n = 0; !found && gelf_getsym(data, n, ret); n++)
			found = !strcmp(elf_strptr(elf, sh.sh_link, ret->st_name), name);
	}
	elf_end(elf);
	close(fd);
	return found;
}

static struct error *read_maps(const struct inferior *i, struct map_list *ret)
{
	AUTO_BUF text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", i->pid);
	ck_assert_no_error(buf_add_file(&text, path, 16 << 20));
	return procfs_parse_maps(buf_text(&text), false, ret);
}

/*
 * It may be running: the kernel gives the file page by page, and mappings that grow or merge
 * between two pages overlap then.
 */
static struct map_list maps_of(const struct inferior *i)
{
	enum { TRIES = 50 };
	struct map_list maps = { 0 };
	struct error *err = read_maps(i, &maps);

	for (int n = 0; err && n < TRIES; n++) {
		error_ignore(err);
		map_list_fini(&maps);
		err = read_maps(i, &maps);
	}
	ck_assert_no_error(err);
	return maps;
}

taddr inferior_symbol(const struct inferior *i, const char *name)
{
	uint64_t size;

	return inferior_function(i, name, &size);
}

taddr inferior_function(const struct inferior *i, const char *name, uint64_t *ret_size)
{
	AUTO_FREE char *real = realpath(i->path, NULL);
	struct map_list maps = maps_of(i);
	GElf_Sym symbol;
	taddr base = 0;
	bool fixed;

	ck_assert_msg(find_symbol(i->path, name, &symbol, &fixed), "%s has no %s", i->path, name);
	for (size_t n = 0; !fixed && !base && n < maps.len; n++) {
		if (!strcmp(maps.items[n].path, real))
			base = maps.items[n].start;
	}
	map_list_fini(&maps);
	ck_assert(fixed || base);
	*ret_size = symbol.st_size;
	return base + symbol.st_value;
}

uint64_t inferior_peek(const struct inferior *i, taddr from)
{
	uint64_t value = 0;
	struct iovec local = { &value, sizeof(value) };
	struct iovec remote = { (void *)(uintptr_t)from, sizeof(value) };

	ck_assert_int_eq(process_vm_readv(i->pid, &local, 1, &remote, 1, 0), sizeof(value));
	return value;
}

void inferior_await_state(pid_t pid, pid_t lwp, const char *states)
{
	long limit = now_ms() + PATIENCE_S * 1000;
	struct proc_stat stat = { 0 };

	for (;;) {
		ck_assert_no_error(procfs_stat(pid, lwp ? lwp : pid, &stat));
		if (strchr(states, stat.state))
			return;
		ck_assert_msg(now_ms() < limit, "thread %d is in state %c, not in %s",
			      lwp ? lwp : pid, stat.state, states);
		poll(NULL, 0, 1);
	}
}

void inferior_await_sleep(const struct inferior *i)
{
	struct lwp_list lwps = { 0 };

	ck_assert_no_error(procfs_tasks(i->pid, &lwps));
	vec_for_each (lwp, &lwps)
		inferior_await_state(i->pid, *lwp, "S");
	vec_fini(&lwps);
}

/* Compares code with the file it was mapped from, through links that survive renaming. */
static void check_code(const struct inferior *i, const struct map *map)
{
	char path[128];
	size_t len = map->end - map->start;
	AUTO_FREE char *in_memory = malloc(len);
	AUTO_FREE char *in_file = malloc(len);

	snprintf(path, sizeof(path), "/proc/%d/mem", i->pid);
	AUTO_CLOSE int mem = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, i->pid, map->start,
		 map->end);
	AUTO_CLOSE int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0) /* those links need privileges */
		return;
	ck_assert_int_eq(pread(mem, in_memory, len, (off_t)map->start), len);
	ssize_t n = pread(file, in_file, len, (off_t)map->offset);
	ck_assert_int_gt(n, 0);
	ck_assert_msg(!memcmp(in_memory, in_file, (size_t)n), "code of %s was changed", map->path);
}

/* A tracer whose ompdb has ended takes a moment. It may exit meanwhile. */
static void await_untraced(pid_t pid, pid_t lwp)
{
	long limit = now_ms() + (is_traced() ? PATIENCE_S * 1000 : 0);
	struct proc_status status;

	do {
		status = (struct proc_status){ 0 };
		error_ignore(procfs_status(pid, lwp, &status));
	} while (status.tracer && now_ms() < limit && poll(NULL, 0, 1) == 0);
	ck_assert_int_eq(status.tracer, 0);
}

void inferior_check_untouched(const struct inferior *i, const char *states)
{
	struct lwp_list lwps = { 0 };
	struct map_list maps = maps_of(i);

	ck_assert_no_error(procfs_tasks(i->pid, &lwps));
	vec_for_each (lwp, &lwps) {
		await_untraced(i->pid, *lwp);
	}
	inferior_await_state(i->pid, 0, states);
	vec_for_each (map, &maps) {
		if (map->path[0] == '/' && map->flags & MAP_EXEC)
			check_code(i, map);
	}
	map_list_fini(&maps);
	vec_fini(&lwps);
}

/* ---- running it ------------------------------------------------------------------------- */

struct event wait_event(struct target *t)
{
	struct event event = { 0 };

	ck_assert_no_error(target_wait(t, PATIENCE_S * 1000000L, &event));
	ck_assert_msg(event.stop.kind != STOP_NONE, "nothing happens");
	return event;
}

static void note(struct told *told, const struct event *event)
{
	if (told)
		told->of[event->stop.kind]++;
}

struct event run_until(struct target *t, enum stop_kind kind, struct told *told)
{
	for (;;) {
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		struct event event = wait_event(t);
		note(told, &event);
		if (event.stop.kind == kind)
			return event;
		ck_assert_msg(!stop_is_end(&event.stop), "it ended: %s %ld",
			      stop_kind_name(event.stop.kind), event.stop.value);
	}
}

void run_until_ready(struct target *t, struct inferior *i, struct told *told)
{
	enum { INTERVAL = 1000 }; /* microseconds between looks at its stdout */
	long limit = now_ms() + PATIENCE_S * 1000;

	for (inferior_listen(i); !is_ready(i, 0); inferior_listen(i)) {
		struct event event = { 0 };
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		ck_assert_no_error(target_wait(t, INTERVAL, &event));
		note(told, &event);
		ck_assert_msg(now_ms() < limit, "%s is not ready", i->path);
		ck_assert_msg(!stop_is_end(&event.stop), "it ended: %s %ld",
			      stop_kind_name(event.stop.kind), event.stop.value);
	}
	ck_assert_no_error(target_stop_all(t));
}

void run_to_end(struct target *t, struct inferior *i, struct told *told)
{
	cleanup_close(&i->in);
	i->in = -1;
	struct event event = run_until(t, STOP_EXITED, told);
	ck_assert_int_eq(event.stop.value, 0);
}

size_t count_threads(const struct target *t, enum thread_state state)
{
	size_t n = 0;

	vec_for_each (th, &t->threads)
		n += state == THREAD_STOPPED ? thread_state_stands((*th)->state)
					     : (*th)->state == state;
	return n;
}
