/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/program_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "target/core/program_headers.h"

struct program {
	struct target base;
	struct program_headers headers; /* path: base.exe */
	struct map_list maps;
	int fd;         /* owned */
	struct stat st; /* of it */
};

static struct program *program_of(struct target *t)
{
	return (struct program *)t;
}

static void program_free(struct target *t)
{
	struct program *p = program_of(t);

	map_list_fini(&p->maps);
	if (p->fd >= 0)
		close(p->fd);
	target_fini(t);
	free(p);
}

/* What the segment puts into a page, as the kernel maps it; false: nothing. */
static bool fill_page(const struct program *p, const Elf64_Phdr *ph, taddr page, uint8_t *bytes)
{
	uint64_t into = ph->p_vaddr % MEMORY_PAGE, start = ph->p_vaddr - into;
	uint64_t filled = into + ph->p_filesz, size = into + ph->p_memsz, at = page - start;

	if (ph->p_type != PT_LOAD || page < start || at >= size || filled < into || size < into ||
	    ph->p_offset < into)
		return false;
	uint64_t len = at < filled ? filled - at : 0;
	len = len < MEMORY_PAGE ? len : MEMORY_PAGE;
	return !len || file_read_at(p->fd, ph->p_offset - into + at, bytes, len) == len;
}

static size_t program_read(void *context, taddr from, void *ret, size_t len)
{
	const struct program *p = program_of(context);
	size_t done = 0;

	memset(ret, 0, len);
	for (; done < len; done += MEMORY_PAGE) {
		bool found = false;
		for (size_t i = 0; i < p->headers.header.e_phnum && !found; i++)
			found = fill_page(p, &p->headers.phdrs[i], from + done,
					  (uint8_t *)ret + done);
		if (!found)
			break;
	}
	return done;
}

static struct error *program_maps(struct target *t, struct map_list *ret)
{
	struct error *err = NULL;

	vec_for_each (from, &program_of(t)->maps) {
		struct map m = *from;
		m.path = strdup(from->path);
		if (!err)
			err = map_list_take(ret, m);
		else
			free(m.path);
	}
	return err;
}

static struct error *program_auxv(struct target *t, struct buf *ret)
{
	const Elf64_auxv_t vector[] = {
		{ .a_type = AT_ENTRY, .a_un.a_val = program_of(t)->headers.header.e_entry },
		{ .a_type = AT_NULL },
	};

	buf_add(ret, vector, sizeof(vector));
	return buf_ok(ret) ? NULL : &error_nomem;
}

static struct error *program_open_file(struct target *t, const struct map *map, struct file *ret)
{
	struct file f = { .fd = -1, .st = program_of(t)->st };

	(void)map; /* there is one file */
	struct error *err = file_reopen(program_of(t)->fd, &f.fd);
	if (err)
		return err;
	f.path = strdup(t->exe);
	*ret = f;
	return NULL;
}

static struct error *program_check(struct target *t)
{
	return error_new(ERROR_UNSUPPORTED, "%s does not run yet", t->exe);
}

static void program_thread_name(struct target *t, struct thread *th, char ret[64])
{
	(void)t;
	(void)th;
	*ret = 0;
}

static const struct target_ops program_ops = {
	.name = "program that does not run",
	.free = program_free,
	.read = program_read,
	.maps = program_maps,
	.auxv = program_auxv,
	.open_file = program_open_file,
	.check_own = program_check,
	.check_paths = program_check,
	.stop_all = target_nothing_to_do,
	.thread_name = program_thread_name,
	.visit = target_just_look,
	.attach = target_nothing_to_do,
	.detach = target_nothing_to_do,
};

/* What can be run: execve(2). */
static struct error *check_runs(const struct program *p, const char *path)
{
	unsigned int type = p->headers.header.e_type;

	if (type != ET_EXEC && type != ET_DYN)
		return error_new(ERROR_UNSUPPORTED, "%s is not a program: it is %s", path,
				 type == ET_CORE ? "a core file (ompdb -c)" : "an object file");
	if (!(p->st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)))
		return error_new(ERROR_UNSUPPORTED,
				 "%s is not executable: run 'chmod +x' on it first", path);
	return NULL;
}

/* The headers are mapped, but no section has them: as for gdb they are none of the program's data.
 */
static void hide_headers(struct program *p)
{
	const Elf64_Ehdr *h = &p->headers.header;
	uint64_t end = h->e_phoff + (uint64_t)h->e_phnum * h->e_phentsize;

	for (size_t i = 0; i < h->e_phnum; i++) {
		const Elf64_Phdr *ph = &p->headers.phdrs[i];
		if (ph->p_type == PT_LOAD && ph->p_offset == 0 && end <= ph->p_filesz) {
			p->base.unseen = ph->p_vaddr;
			p->base.unseen_end = ph->p_vaddr + end;
		}
	}
}

static struct error *load(struct program *p, const char *path)
{
	char real[PATH_MAX];
	struct error *err = program_headers_read(path, &p->headers, &p->fd);

	if (err)
		return err;
	if (fstat(p->fd, &p->st) < 0)
		return error_os(errno, "looking at %s", path);
	err = check_runs(p, path);
	if (err)
		return err;
	p->base.arch = p->headers.arch;
	p->base.exe = strdup(file_real_path(p->fd, real, sizeof(real)) ? real : path);
	if (!p->base.exe)
		return &error_nomem;
	p->headers.path = p->base.exe;
	hide_headers(p);
	err = program_headers_maps(&p->headers, 0, &p->maps);
	vec_for_each (m, &p->maps)
		m->inode = p->st.st_ino;
	return err;
}

/* What the file names is opened as its owner could: whoever made it chose the names. */
static void set_root(struct program *p)
{
	struct file_owner owner = { .uid = p->st.st_uid, .gid = p->st.st_gid };

	if (p->st.st_uid != 0)
		file_root_set(p->base.root, -1, &owner);
}

struct error *program_open(const char *path, struct target **ret)
{
	struct program *p = calloc(1, sizeof(*p));

	if (!p)
		return &error_nomem;
	p->fd = -1;
	struct error *err = target_init(&p->base, &program_ops);
	if (!err)
		err = load(p, path);
	if (err) {
		program_free(&p->base);
		return err;
	}
	set_root(p);
	*ret = &p->base;
	return NULL;
}
