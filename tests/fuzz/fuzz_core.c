/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_core: any bytes as a core file: open it and look at all of it.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "target/core/core.h"
#include "target/elf/build_id.h"

/* An input can describe more threads and maps than are worth looking at. */
enum { LOOKED_AT = 32, STRING_MAX = 4096 };

/* Any answer will do, as long as it comes. */
static void read_around(struct target *t, taddr at)
{
	static uint8_t room[3 * MEMORY_PAGE];
	uint64_t value;
	char *text = NULL;

	error_ignore(target_read(t, at, room, sizeof(room)));
	error_ignore(target_read(t, at - sizeof(room), room, sizeof(room)));
	error_ignore(target_read_uint(t, at - 4, 8, &value));
	error_ignore(target_read_string(t, at, STRING_MAX, &text));
	free(text);
}

static void look_at_thread(struct target *t, struct thread *th)
{
	uint8_t room[ARCH_REGISTER_MAX];
	uint64_t value = 0;
	size_t size;

	for (size_t i = 0; i < t->arch->nregs; i++)
		error_ignore(target_get_register(t, th, &t->arch->regs[i], room, &size));
	error_ignore(target_get_uint(t, th, t->arch->pc, &value));
	read_around(t, value);
	error_ignore(target_get_uint(t, th, t->arch->sp, &value));
	read_around(t, value);
	if (!target_thread_name(t, th) || th->state != THREAD_STOPPED)
		abort();
}

static bool read_target(void *context, uint64_t from, void *ret, size_t len)
{
	struct target *t = context;

	return memory_try_read(t->memory, from, ret, len);
}

static void look_at_map(struct target *t, const struct map *m)
{
	struct build_id id;
	AUTO_FILE f = FILE_CLOSED;

	if (m->start >= m->end || !m->path)
		abort();
	read_around(t, m->start);
	read_around(t, m->end);
	build_id_read(read_target, t, m->start, true, &id);
	error_ignore(target_open_file(t, m, &f));
}

static void look_at_target(struct target *t)
{
	struct map_list maps = { 0 };
	uint64_t value;

	for (size_t i = 0; i < t->threads.len && i < LOOKED_AT; i++) {
		if (i && lwp_rank(t->pid, t->threads.items[i - 1]->lwp) >=
				 lwp_rank(t->pid, t->threads.items[i]->lwp))
			abort();
		look_at_thread(t, t->threads.items[i]);
	}
	error_ignore(target_maps(t, &maps));
	for (size_t i = 0; i < maps.len && i < LOOKED_AT; i++) {
		if (i && maps.items[i - 1].end > maps.items[i].start)
			abort();
		look_at_map(t, &maps.items[i]);
	}
	map_list_fini(&maps);
	for (uint64_t type = 0; type < 64; type++) {
		error_ignore(target_auxv(t, type, &value));
		read_around(t, value);
	}
	read_around(t, 0);
}

static void look(const char *path, const char *exe)
{
	struct target *t;
	struct error *err = core_open(path, exe, &t);

	if (err) {
		if (!*error_message(err))
			abort();
		error_free(err);
		return;
	}
	look_at_target(t);
	target_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_CLOSE int fd = memfd_create("core", MFD_CLOEXEC);
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	look(path, NULL);
	/* The same bytes as the program of the core too. */
	look(path, path);
	return 0;
}
