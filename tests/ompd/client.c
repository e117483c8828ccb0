/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "client.h"

#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static long live_memory;

void client_open(struct client *c, const char *library)
{
	c->dl = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	ck_assert_msg(c->dl != NULL, "%s", c->dl ? "" : dlerror());
	/* POSIX has dlsym() give functions as pointers to void. */
#define ENTRY(name)                                                                                \
	*(void **)&c->api.name = dlsym(c->dl, "ompd_" #name);                                      \
	ck_assert_msg(c->api.name != NULL, "no ompd_" #name)
	ENTRY(initialize);
	ENTRY(get_api_version);
	ENTRY(get_version_string);
	ENTRY(finalize);
	ENTRY(process_initialize);
	ENTRY(device_initialize);
	ENTRY(rel_address_space_handle);
	ENTRY(get_device_thread_id_kinds);
	ENTRY(get_omp_version);
	ENTRY(get_omp_version_string);
	ENTRY(get_thread_in_parallel);
	ENTRY(get_thread_handle);
	ENTRY(rel_thread_handle);
	ENTRY(thread_handle_compare);
	ENTRY(get_thread_id);
	ENTRY(get_device_from_thread);
	ENTRY(get_curr_parallel_handle);
	ENTRY(get_enclosing_parallel_handle);
	ENTRY(get_task_parallel_handle);
	ENTRY(rel_parallel_handle);
	ENTRY(parallel_handle_compare);
	ENTRY(get_curr_task_handle);
	ENTRY(get_generating_task_handle);
	ENTRY(get_scheduling_task_handle);
	ENTRY(get_task_in_parallel);
	ENTRY(rel_task_handle);
	ENTRY(task_handle_compare);
	ENTRY(get_task_function);
	ENTRY(get_task_frame);
	ENTRY(enumerate_states);
	ENTRY(get_state);
	ENTRY(get_display_control_vars);
	ENTRY(rel_display_control_vars);
	ENTRY(enumerate_icvs);
	ENTRY(get_icv_from_scope);
	ENTRY(get_icv_string_from_scope);
	ENTRY(get_tool_data);
#undef ENTRY
}

/* ---- The scenario ---- */

static void parse_fact(struct fact *f, const char *line)
{
	int n = 0;

	ck_assert_int_eq(sscanf(line,
				"fact %15s %ld %lu %lu %d %d %d %d %d %d %d %d %d %d %d %d %d%n",
				f->what, &f->lwp, &f->pthread, &f->errno_at, &f->number, &f->level,
				&f->active_level, &f->size, &f->max_threads, &f->dynamic,
				&f->max_active_levels, &f->final, &f->thread_limit, &f->sched,
				&f->chunk, &f->bind, &f->cancel, &n),
			 17);
	ck_assert_int_le(f->level, CLIENT_LEVELS);
	for (int i = 1; i <= f->level; i++) {
		int now = 0;

		ck_assert_int_eq(
			sscanf(line + n, "%d %d%n", &f->ancestor[i], &f->team_size[i], &now), 2);
		n += now;
	}
}

static void read_facts(struct client *c)
{
	char line[512];

	while (fgets(line, sizeof(line), c->out)) {
		if (!strcmp(line, "ready\n"))
			return;
		if (sscanf(line, "value %*s %lu", &c->value) == 1)
			continue;
		ck_assert_uint_lt(c->nfacts, CLIENT_FACTS);
		parse_fact(&c->facts[c->nfacts++], line);
	}
	ck_abort_msg("the scenario ended before it was ready");
}

static void read_maps(struct client *c)
{
	char path[64], line[512];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", c->pid);
	f = fopen(path, "r");
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f) && c->nmaps < CLIENT_MAPS) {
		struct client_map *m = &c->maps[c->nmaps];

		if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %255s", &m->start, &m->end, &m->offset,
			   m->path) == 4 &&
		    m->path[0] == '/')
			c->nmaps++;
	}
	fclose(f);
}

void client_start(struct client *c, const char *program, const char *scenario)
{
	char path[64];
	int in[2], out[2];

	ck_assert_int_eq(pipe2(in, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	c->pid = fork();
	if (!c->pid) {
		/* A test that fails ends without client_end(). */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl(program, program, scenario, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	c->in = in[1];
	c->out = fdopen(out[0], "r");
	read_facts(c);
	snprintf(path, sizeof(path), "/proc/%d/mem", c->pid);
	c->mem = open(path, O_RDONLY | O_CLOEXEC);
	read_maps(c);
	client_stop(c);
}

static void for_each_lwp(struct client *c, void (*act)(pid_t))
{
	char path[64];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", c->pid);
	d = opendir(path);
	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			act(atoi(e->d_name));
	closedir(d);
}

static void stop_one(pid_t lwp)
{
	int status;

	ck_assert_int_eq(ptrace(PTRACE_SEIZE, lwp, 0, 0), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, lwp, 0, 0), 0);
	ck_assert_int_eq(waitpid(lwp, &status, __WALL), lwp);
}

static void resume_one(pid_t lwp)
{
	ptrace(PTRACE_DETACH, lwp, 0, 0);
}

void client_stop(struct client *c)
{
	for_each_lwp(c, stop_one);
}

void client_resume(struct client *c)
{
	for_each_lwp(c, resume_one);
}

void client_end(struct client *c)
{
	int status;

	client_resume(c);
	close(c->in);
	ck_assert_int_eq(waitpid(c->pid, &status, 0), c->pid);
	fclose(c->out);
	close(c->mem);
	*c = (struct client){ .api = c->api, .dl = c->dl };
}

uint64_t client_futex(pid_t lwp)
{
	struct user_regs_struct regs;

	ck_assert_int_eq(ptrace(PTRACE_GETREGS, lwp, 0, &regs), 0);
	return regs.orig_rax == SYS_futex ? regs.rdi : 0;
}

/* ---- Callbacks ---- */

bool client_read(struct client *c, uint64_t from, void *ret, size_t len)
{
	return pread(c->mem, ret, len, (off_t)from) == (ssize_t)len;
}

const char *client_file(const struct client *c, uint64_t address)
{
	for (size_t i = 0; i < c->nmaps; i++)
		if (address >= c->maps[i].start && address < c->maps[i].end)
			return c->maps[i].path;
	return "";
}

struct file {
	const uint8_t *data; /* mapped */
	size_t size;
};

/* The symbol's address in the file; the default of several versions; 0: not there. */
static uint64_t find_in_section(const struct file *f, const Elf64_Shdr *sections,
				const Elf64_Shdr *table, const char *name)
{
	const Elf64_Sym *symbols = (const void *)(f->data + table->sh_offset);
	const char *strings = (const char *)f->data + sections[table->sh_link].sh_offset;

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (symbols[i].st_shndx && !strcmp(strings + symbols[i].st_name, name))
			return symbols[i].st_value;
	return 0;
}

static uint64_t find_in_file(const struct file *f, const char *name)
{
	const Elf64_Ehdr *head = (const void *)f->data;
	const Elf64_Shdr *sections = (const void *)(f->data + head->e_shoff);
	uint64_t value = 0;

	for (int i = 0; i < head->e_shnum && !value; i++)
		if (sections[i].sh_type == SHT_DYNSYM || sections[i].sh_type == SHT_SYMTAB)
			value = find_in_section(f, sections, &sections[i], name);
	return value;
}

static bool is_fixed(const struct file *f)
{
	return ((const Elf64_Ehdr *)(const void *)f->data)->e_type == ET_EXEC;
}

uint64_t client_symbol(struct client *c, const char *name)
{
	for (size_t i = 0; i < c->nmaps; i++) {
		struct client_map *m = &c->maps[i];
		struct stat st;
		struct file f;
		uint64_t value, base;
		int fd;

		if (m->offset)
			continue;
		fd = open(m->path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || fstat(fd, &st))
			continue;
		f.size = (size_t)st.st_size;
		f.data = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, fd, 0);
		close(fd);
		ck_assert_ptr_ne(f.data, MAP_FAILED);
		base = is_fixed(&f) ? 0 : m->start;
		value = memcmp(f.data, ELFMAG, SELFMAG) ? 0 : find_in_file(&f, name);
		munmap((void *)f.data, f.size);
		if (value)
			return base + value;
	}
	return 0;
}

/* A block is { its size, its bytes }; released ones stay, unusable. */
static ompd_rc_t alloc_memory(ompd_size_t nbytes, void **ptr)
{
	uint64_t *block = malloc(nbytes + 16);

	if (!block)
		return ompd_rc_nomem;
	block[0] = nbytes;
	memset(block + 2, 0xa5, nbytes);
	live_memory++;
	*ptr = block + 2;
	return ompd_rc_ok;
}

static ompd_rc_t free_memory(void *ptr)
{
	uint64_t *block = (uint64_t *)ptr - 2;

	ck_assert_ptr_nonnull(ptr);
	memset(ptr, 0xdd, block[0]);
	live_memory--;
	return ompd_rc_ok;
}

static ompd_rc_t sizeof_type(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
	ck_assert_ptr_nonnull(context);
	*sizes = (ompd_device_type_sizes_t){ 1, 2, 4, 8, 8, 8 };
	return ompd_rc_ok;
}

static ompd_rc_t symbol_addr(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const char *name, ompd_address_t *ret, const char *file_name)
{
	const struct fact *fact = (const struct fact *)th;

	ck_assert_ptr_null(file_name);
	ret->segment = OMPD_SEGMENT_UNSPECIFIED;
	/* This client finds thread-locals of libc only, as if libgomp had no symbol table. */
	if (th)
		ret->address = strcmp(name, "errno") ? 0 : fact->errno_at;
	else
		ret->address = client_symbol((struct client *)context, name);
	return ret->address ? ompd_rc_ok : ompd_rc_error;
}

static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			     const ompd_address_t *from, ompd_size_t nbytes, void *ret)
{
	(void)th;
	ck_assert_uint_lt(nbytes, 1 << 20);
	return client_read((struct client *)context, from->address, ret, nbytes) ? ompd_rc_ok
										 : ompd_rc_error;
}

static ompd_rc_t write_memory(ompd_address_space_context_t *context, ompd_thread_context_t *th,
			      const ompd_address_t *to, ompd_size_t nbytes, const void *from)
{
	(void)context, (void)th, (void)to, (void)nbytes, (void)from;
	ck_abort_msg("the library writes to the target");
	return ompd_rc_error;
}

static ompd_rc_t thread_context(ompd_address_space_context_t *context, ompd_thread_id_t kind,
				ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
	struct client *c = (struct client *)context;
	uint32_t lwp;

	ck_assert_uint_eq(kind, OMPD_THREAD_ID_LWP);
	ck_assert_uint_ge(size, sizeof(lwp));
	memcpy(&lwp, id, sizeof(lwp));
	for (size_t i = 0; i < c->nfacts; i++) {
		if (c->facts[i].lwp != lwp)
			continue;
		*ret = (ompd_thread_context_t *)&c->facts[i];
		return ompd_rc_ok;
	}
	return ompd_rc_bad_input;
}

static ompd_rc_t copy(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
		      ompd_size_t count, void *output)
{
	(void)context;
	memmove(output, input, unit * count);
	return ompd_rc_ok;
}

static ompd_rc_t print_string(const char *string, int category)
{
	(void)category;
	fprintf(stderr, "# %s\n", string);
	return ompd_rc_ok;
}

const ompd_callbacks_t *client_callbacks(void)
{
	static const ompd_callbacks_t callbacks = {
		.alloc_memory = alloc_memory,
		.free_memory = free_memory,
		.print_string = print_string,
		.sizeof_type = sizeof_type,
		.symbol_addr_lookup = symbol_addr,
		.read_memory = read_memory,
		.write_memory = write_memory,
		.read_string = read_memory,
		.device_to_host = copy,
		.host_to_device = copy,
		.get_thread_context_for_thread_id = thread_context,
	};

	return &callbacks;
}

long client_live_memory(void)
{
	return live_memory;
}
