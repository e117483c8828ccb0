/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/core/core_files.h"
#include "target/core/core_program.h"

struct core {
	struct target base;
	struct core_image image;
	struct core_notes notes;      /* borrows from image */
	struct core_files files;      /* borrows from all others         */
	struct file_root *files_root; /* owned; NULL: as base */
	char *search_path;            /* owned; NULL: none    */
};

static struct core *core_of(struct target *t)
{
	return (struct core *)t;
}

static void free_core(struct target *t)
{
	struct core *c = core_of(t);

	target_fini(t);
	core_files_fini(&c->files);
	file_root_free(c->files_root);
	free(c->search_path);
	core_notes_fini(&c->notes);
	core_image_close(&c->image);
	free(c);
}

static size_t read_mixed(struct core *c, taddr page, uint8_t *ret, bool writable)
{
	bool filed = !writable && core_files_read(&c->files, page, ret, MEMORY_PAGE);

	if (!filed)
		memset(ret, 0, MEMORY_PAGE);
	switch (core_image_overlay(&c->image, page, ret)) {
	case CORE_HELD:
		return MEMORY_PAGE;
	case CORE_OMITTED:
		return filed ? MEMORY_PAGE : 0;
	case CORE_MIXED:
	case CORE_LOST:
		break;
	}
	return 0;
}

/*
 * Of memory that the program could write to, the file knows only how it began. The kernel and
 * gcore put such memory into the core as soon as it was written to; if it is not there, somebody
 * told them to leave it out (core(5), coredump_filter), and what it held is not known.
 */
static size_t read_run(struct core *c, taddr page, uint8_t *ret, size_t len)
{
	struct core_run run = core_image_run(&c->image, page);

	len = run.len < len ? run.len : len;
	switch (run.place) {
	case CORE_HELD:
		len = core_image_read_some(&c->image, page, ret, len);
		return len - len % MEMORY_PAGE;
	case CORE_MIXED:
		return read_mixed(c, page, ret, run.writable);
	case CORE_OMITTED:
		return run.writable ? 0 : core_files_read(&c->files, page, ret, len);
	case CORE_LOST:
		break;
	}
	return 0;
}

static size_t core_read(void *context, taddr from, void *ret, size_t len)
{
	struct core *c = context;
	size_t done = 0;

	while (len - done >= MEMORY_PAGE && from + done >= from) {
		size_t n = read_run(c, from + done, (uint8_t *)ret + done, len - done);
		if (!n)
			break;
		done += n;
	}
	return done;
}

static struct error *core_get_regset(struct target *t, struct thread *th, enum regset set,
				     void *ret, size_t *len)
{
	static const char *const names[NUM_REGSETS] = {
		[REGSET_GENERAL] = "general",     [REGSET_FLOAT] = "floating-point",
		[REGSET_EXTENDED] = "extended",   [REGSET_SIGINFO] = "signal",
		[REGSET_SIGMASK] = "signal mask",
	};
	const struct core_thread *from = core_notes_find(&core_of(t)->notes, th->lwp);

	if (!from || !from->sets[set].len)
		return error_new(ERROR_UNSUPPORTED, "this core has no %s registers of thread %d",
				 names[set], th->lwp);
	*len = from->sets[set].len < *len ? from->sets[set].len : *len;
	memcpy(ret, from->sets[set].data, *len);
	return NULL;
}

static struct error *core_maps(struct target *t, struct map_list *ret)
{
	vec_for_each (m, &core_of(t)->notes.maps) {
		struct map copy = *m;
		copy.path = strdup(m->path);
		struct error *err = map_list_take(ret, copy);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *core_auxv(struct target *t, struct buf *ret)
{
	const struct core_bytes *auxv = &core_of(t)->notes.auxv;

	buf_add(ret, auxv->data, auxv->len);
	return buf_ok(ret) ? NULL : &error_nomem;
}

static struct error *core_open_file(struct target *t, const struct map *map, struct file *ret)
{
	return core_files_open(&core_of(t)->files, map, ret);
}

static struct error *core_check_own(struct target *t)
{
	struct stat st;

	if (fstat(core_of(t)->image.fd, &st) < 0)
		return error_os(errno, "%s", t->core);
	if (st.st_uid == geteuid())
		return NULL;
	return error_new(ERROR_NOT_PERMITTED, "%s belongs to user %u", t->core, st.st_uid);
}

static struct error *core_check_paths(struct target *t)
{
	return error_new(ERROR_NOT_PERMITTED, "%s can name any file that whoever wrote it wanted",
			 t->core);
}

static void core_thread_name(struct target *t, struct thread *th, char ret[64])
{
	const struct core_notes *n = &core_of(t)->notes;

	strcpy(ret, th->lwp == n->pid ? n->name : "");
}

static const struct target_ops core_ops = {
	.name = "core file",
	.free = free_core,
	.read = core_read,
	.get_regset = core_get_regset,
	.maps = core_maps,
	.auxv = core_auxv,
	.open_file = core_open_file,
	.check_own = core_check_own,
	.check_paths = core_check_paths,
	.stop_all = target_nothing_to_do,
	.thread_name = core_thread_name,
	.visit = target_just_look,
	.attach = target_nothing_to_do,
	.detach = target_nothing_to_do,
};

/* gcore interrupts the threads of a program that runs on: that signal is not the program's. */
static struct stop stop_of_first(const struct core_notes *n)
{
	if (!n->signal || n->signal == SIGSTOP)
		return (struct stop){ .kind = STOP_INTERRUPTED };
	return (struct stop){ .kind = STOP_SIGNAL, .value = n->signal };
}

static struct error *add_threads(struct core *c)
{
	const struct core_notes *n = &c->notes;

	if (!n->threads.len)
		return error_new(ERROR_BAD_DATA, "%s is corrupt: it has no threads", c->base.core);
	c->base.pid = n->pid;
	vec_for_each (from, &n->threads) {
		struct thread *th = target_add_thread(&c->base, from->lwp);
		if (!th)
			return &error_nomem;
		th->state = THREAD_STOPPED;
		th->stop = from->lwp == n->first ? stop_of_first(n)
						 : (struct stop){ .kind = STOP_INTERRUPTED };
	}
	c->base.first = n->first;
	return NULL;
}

/* NT_FILE lists files only; the vdso is the segment at AT_SYSINFO_EHDR. */
static struct error *add_vdso(struct core *c)
{
	taddr start;
	struct error *err = target_auxv(&c->base, AT_SYSINFO_EHDR, &start);

	if (err)
		return err;
	const struct core_segment *s = core_image_find(&c->image, start);
	if (!start || !s || start % MEMORY_PAGE)
		return NULL;
	return map_list_take(&c->notes.maps, (struct map){
						     .start = start,
						     .end = s->start + s->size,
						     .flags = MAP_NO_FLAGS,
						     .path = strdup("[vdso]"),
					     });
}

/* NT_FILE does not tell protections, the segments do, where they are in the core. */
static void set_flags(const struct core *c, struct map *m)
{
	const struct core_segment *s = core_image_find(&c->image, m->start);

	if (!s)
		return;
	m->flags &= ~(unsigned int)MAP_NO_FLAGS;
	m->flags |= MAP_READ | (s->writable ? MAP_WRITE : 0) | (s->executable ? MAP_EXEC : 0);
}

/* Code that is in no file: a just-in-time compiler's. */
static struct error *add_anonymous_code(struct core *c)
{
	struct map_list found = { 0 };
	struct error *err = NULL;

	vec_for_each (s, &c->image.segments) {
		struct map m = { .start = s->start, .end = s->start + s->size };
		if (err || !s->executable || map_list_find(&c->notes.maps, s->start))
			continue;
		set_flags(c, &m);
		m.path = strdup("");
		err = map_list_take(&found, m);
	}
	vec_for_each (m, &found) {
		if (err)
			free(m->path);
		else
			err = map_list_take(&c->notes.maps, *m);
	}
	vec_fini(&found);
	return err;
}

static struct error *finish_maps(struct core *c)
{
	struct error *err = add_vdso(c);

	if (err)
		return err;
	core_notes_finish(&c->notes);
	vec_for_each (m, &c->notes.maps)
		set_flags(c, m);
	err = add_anonymous_code(c);
	core_notes_finish(&c->notes);
	return err;
}

/* A mapping of the program; NULL: NT_FILE has none. */
static const struct map *find_program(const struct core *c, taddr phdrs, taddr entry)
{
	const struct map *map = phdrs ? map_list_find(&c->notes.maps, phdrs) : NULL;

	return map || !entry ? map : map_list_find(&c->notes.maps, entry);
}

static char *program_path(const struct core *c, const struct map *map, const char *exe)
{
	const char *args = c->notes.args;

	if (map)
		return strdup(map->path);
	return exe ? strdup(exe) : strndup(args, strcspn(args, " "));
}

static struct error *load_files(struct core *c, const struct core_places *places)
{
	const char *exe = places->exe;
	taddr phdrs = 0, entry = 0;
	struct error *err = target_auxv(&c->base, AT_PHDR, &phdrs);

	if (!err)
		err = target_auxv(&c->base, AT_ENTRY, &entry);
	if (!err && exe && !find_program(c, phdrs, entry))
		err = core_program_maps(exe, phdrs, entry, &c->notes.maps);
	if (!err)
		err = finish_maps(c);
	if (err)
		return err;
	err = core_files_init(&c->files, &c->image, &c->notes.maps,
			      c->files_root ? c->files_root : c->base.root);
	if (err)
		return err;
	if (places->search_path) {
		c->search_path = strdup(places->search_path);
		if (!c->search_path)
			return &error_nomem;
		core_files_search(&c->files, c->base.root, c->search_path);
	}
	const struct map *program = find_program(c, phdrs, entry);
	c->base.exe = program_path(c, program, exe);
	if (!c->base.exe)
		return &error_nomem;
	return exe && program ? core_files_set_program(&c->files, program, exe) : NULL;
}

/*
 * Files are read as the owner of the core could. One of root may have been written by the kernel
 * for a program of somebody else's.
 */
static struct error *set_root(struct core *c, const struct core_places *places)
{
	struct file_owner owner = { .uid = c->notes.uid, .gid = c->notes.gid };
	struct stat st;

	if (fstat(c->image.fd, &st) == 0 && st.st_uid != 0)
		owner = (struct file_owner){ .uid = st.st_uid, .gid = st.st_gid };
	file_root_set(c->base.root, -1, &owner);
	if (!places->root)
		return NULL;
	int folder = open(places->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return error_os(errno, "%s", places->root);
	c->files_root = file_root_new();
	if (!c->files_root) {
		close(folder);
		return &error_nomem;
	}
	file_root_set(c->files_root, folder, &owner);
	return NULL;
}

static struct error *load(struct core *c, const char *path, const struct core_places *places)
{
	struct error *err = core_image_open(&c->image, path);

	if (!err)
		err = core_image_notes(&c->image, &c->notes);
	if (!err)
		err = set_root(c, places);
	if (err)
		return err;
	c->base.arch = c->image.arch;
	c->base.core = strdup(path);
	if (!c->base.core)
		return &error_nomem;
	err = add_threads(c);
	return err ? err : load_files(c, places);
}

struct error *core_open_from(const char *path, const struct core_places *places,
			     struct target **ret)
{
	struct core *c = calloc(1, sizeof(*c));

	if (!c)
		return &error_nomem;
	c->image.fd = -1;
	struct error *err = target_init(&c->base, &core_ops);
	if (!err)
		err = load(c, path, places);
	if (err)
		free_core(&c->base);
	else
		*ret = &c->base;
	return err;
}

struct error *core_open(const char *path, const char *exe, struct target **ret)
{
	return core_open_from(path, &(struct core_places){ .exe = exe }, ret);
}

bool core_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode) && !S_ISCHR(st.st_mode) &&
	       !S_ISBLK(st.st_mode);
}
