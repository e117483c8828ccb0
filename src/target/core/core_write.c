/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_write.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "target/core/core_segments.h"

enum { SMAPS_MAX = 256 << 20, PIECE = 1 << 20 };

struct writer {
	struct target *target; /* borrowed */
	pid_t lwp;             /* a living thread, through which its files are read */
	const char *path;
	int fd;
	struct core_segments segments;
	struct buf notes;
};

/* ---- notes ------------------------------------------------------------------------------ */

static void add_note(struct writer *w, const char *name, uint32_t type, const void *data,
		     size_t len)
{
	static const char zeros[4];
	const Elf64_Nhdr head = { (uint32_t)strlen(name) + 1, (uint32_t)len, type };

	buf_add(&w->notes, &head, sizeof(head));
	buf_add(&w->notes, name, head.n_namesz);
	buf_add(&w->notes, zeros, -head.n_namesz % 4);
	buf_add(&w->notes, data, len);
	buf_add(&w->notes, zeros, -len % 4);
}

static void path_of(const struct writer *w, const char *file, char ret[64])
{
	snprintf(ret, 64, "/proc/%d/task/%d/%s", w->target->pid, w->lwp, file);
}

/* What cannot be read is left out: another debugger can do without. */
static void add_file(const struct writer *w, const char *file, size_t most, struct buf *ret)
{
	char path[64];

	path_of(w, file, path);
	error_ignore(buf_add_file(ret, path, most));
}

static void add_process(struct writer *w)
{
	struct elf_prpsinfo info = { .pr_pid = w->target->pid };
	struct proc_status status = { 0 };
	AUTO_BUF args = { 0 };

	error_ignore(procfs_status(w->target->pid, w->lwp, &status));
	info.pr_ppid = status.ppid;
	info.pr_pgrp = getpgid(w->target->pid);
	info.pr_sid = getsid(w->target->pid);
	info.pr_uid = status.uids[0];
	info.pr_gid = status.gids[0];
	info.pr_sname = 'T';
	memcpy(info.pr_fname, status.name, sizeof(info.pr_fname) - 1);
	add_file(w, "cmdline", 1 << 20, &args);
	for (size_t i = 0; i < args.len && i < sizeof(info.pr_psargs) - 1; i++)
		info.pr_psargs[i] = args.data[i] ? args.data[i] : ' ';
	add_note(w, "CORE", NT_PRPSINFO, &info, sizeof(info));
}

static void add_auxv(struct writer *w)
{
	AUTO_BUF auxv = { 0 };

	error_ignore(w->target->ops->auxv(w->target, &auxv));
	if (auxv.len)
		add_note(w, "CORE", NT_AUXV, auxv.data, auxv.len);
}

/* Linux fs/binfmt_elf.c, fill_files_note(). */
static void add_files(struct writer *w)
{
	AUTO_BUF note = { 0 }, names = { 0 };
	uint64_t head[2] = { 0, MEMORY_PAGE };

	buf_add(&note, head, sizeof(head));
	vec_for_each (s, &w->segments) {
		const struct map *m = &s->map;
		if (m->path[0] != '/')
			continue;
		const uint64_t entry[3] = { m->start, m->end, m->offset / MEMORY_PAGE };
		buf_add(&note, entry, sizeof(entry));
		buf_adds(&names, m->path);
		buf_adds(&names, m->flags & MAP_DELETED ? " (deleted)" : "");
		buf_addc(&names, '\0');
		head[0]++;
	}
	buf_add(&note, names.data, names.len);
	w->notes.failed |= !buf_ok(&note) || !buf_ok(&names);
	if (!buf_ok(&note))
		return;
	memcpy(note.data, head, sizeof(head));
	add_note(w, "CORE", NT_FILE, note.data, note.len);
}

static int signal_of(const struct thread *th)
{
	return th->stop.kind == STOP_SIGNAL ? (int)th->stop.value : 0;
}

static struct error *add_general(struct writer *w, struct thread *th)
{
	const struct arch *arch = w->target->arch;
	AUTO_FREE uint8_t *status = calloc(1, arch->prstatus_size);
	const uint8_t *general;

	if (!status)
		return &error_nomem;
	struct error *err = target_general(w->target, th, &general);
	if (err)
		return err;
	struct elf_prstatus head = { .pr_info.si_signo = signal_of(th),
				     .pr_cursig = (short)signal_of(th) };
	memcpy(status, &head, arch->prstatus_pid);
	memcpy(status + arch->prstatus_pid, &th->lwp, sizeof(th->lwp));
	memcpy(status + arch->prstatus_regs, general, arch->general_size);
	add_note(w, "CORE", NT_PRSTATUS, status, arch->prstatus_size);
	return NULL;
}

static struct error *add_set(struct writer *w, struct thread *th, enum regset set, const char *name)
{
	enum { SET_MAX = 16 * 1024 };
	AUTO_FREE uint8_t *bytes = malloc(SET_MAX);
	size_t len = SET_MAX;

	if (!bytes)
		return &error_nomem;
	struct error *err = w->target->ops->get_regset(w->target, th, set, bytes, &len);
	if (!err)
		add_note(w, name, w->target->arch->regset_note[set], bytes, len);
	error_ignore(err); /* not every processor has them all */
	return NULL;
}

/* All that the kernel says, if it is of the signal that is given for its reason. */
static void add_siginfo(struct writer *w, struct thread *th, const siginfo_t *reason)
{
	siginfo_t info = { 0 };
	size_t len = sizeof(info);
	struct error *err = w->target->ops->get_regset(w->target, th, REGSET_SIGINFO, &info, &len);

	bool whole = !err && info.si_signo == reason->si_signo;
	error_ignore(err);
	add_note(w, "CORE", NT_SIGINFO, whole ? &info : reason, sizeof(info));
}

static struct error *add_thread(struct writer *w, struct thread *th)
{
	siginfo_t info = { .si_signo = signal_of(th) };

	if (!thread_state_stands(th->state) || th->kernel_worker)
		return NULL;
	struct error *err = add_general(w, th);
	if (!err)
		err = add_set(w, th, REGSET_FLOAT, "CORE");
	if (!err)
		err = add_set(w, th, REGSET_EXTENDED, "LINUX");
	if (!err)
		add_siginfo(w, th, &info);
	return err;
}

/* The process's own notes stand behind those of the first thread, as the kernel has it. */
static struct error *add_notes(struct writer *w, const struct thread *first)
{
	struct thread *begin = first ? target_find_thread(w->target, first->lwp) : NULL;
	struct error *err = begin ? add_thread(w, begin) : NULL;

	add_process(w);
	add_auxv(w);
	add_files(w);
	vec_for_each (th, &w->target->threads) {
		if (!err && *th != begin)
			err = add_thread(w, *th);
	}
	return err || buf_ok(&w->notes) ? err : &error_nomem;
}

/* ---- memory ----------------------------------------------------------------------------- */

static bool is_elf(void *context, taddr at)
{
	struct writer *w = context;
	char magic[SELFMAG];

	return w->target->ops->read(w->target, at, magic, SELFMAG) == SELFMAG &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

static struct error *read_segments(struct writer *w)
{
	AUTO_BUF smaps = { 0 }, filter = { 0 };
	char path[64];

	path_of(w, "smaps", path);
	struct error *err = buf_add_file(&smaps, path, SMAPS_MAX);
	if (!err)
		err = core_segments_parse(buf_text(&smaps), &w->segments);
	if (err)
		return error_add(err, "reading the mappings of process %d", w->target->pid);
	add_file(w, "coredump_filter", 64, &filter);
	unsigned long bits = filter.len ? strtoul(buf_text(&filter), NULL, 16) : 0x33;
	core_segments_choose(&w->segments, bits, is_elf, w);
	return NULL;
}

static struct error *write_at(const struct writer *w, const void *bytes, size_t len, uint64_t at)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n = pwrite(w->fd, (const uint8_t *)bytes + done, len - done,
				   (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return error_os(n ? errno : ENOSPC, "writing %s", w->path);
		done += (size_t)n;
	}
	return NULL;
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
	return !len || (!bytes[0] && !memcmp(bytes, bytes + 1, len - 1));
}

/* Pages of zeros are not written: the file has holes there. */
static struct error *write_pages(const struct writer *w, const uint8_t *bytes, size_t len,
				 uint64_t at)
{
	struct error *err = NULL;

	for (size_t i = 0; i < len && !err; i += MEMORY_PAGE) {
		size_t piece = len - i < MEMORY_PAGE ? len - i : MEMORY_PAGE;
		if (!is_zero(bytes + i, piece))
			err = write_at(w, bytes + i, piece, at + i);
	}
	return err;
}

/* What cannot be read stays zero: guard pages, files that have become shorter. */
static struct error *write_segment(const struct writer *w, const struct core_segment *s,
				   uint8_t *piece, uint64_t at)
{
	struct error *err = NULL;

	for (uint64_t done = 0; done < s->content && !err;) {
		size_t len = s->content - done < PIECE ? (size_t)(s->content - done) : PIECE;
		size_t got = w->target->ops->read(w->target, s->map.start + done, piece, len);
		err = write_pages(w, piece, got, at + done);
		done += got ? got : MEMORY_PAGE;
	}
	return err;
}

/* ---- the file --------------------------------------------------------------------------- */

static uint64_t up_to_page(uint64_t n)
{
	return (n + MEMORY_PAGE - 1) & ~(uint64_t)(MEMORY_PAGE - 1);
}

static uint32_t protection(unsigned int flags)
{
	return (flags & MAP_READ ? PF_R : 0) | (flags & MAP_WRITE ? PF_W : 0) |
	       (flags & MAP_EXEC ? PF_X : 0);
}

/* The header of the file; of more segments than 16 bits can count the first section tells. */
static void add_header(const struct writer *w, struct buf *out, size_t nsegments)
{
	bool many = nsegments >= PN_XNUM;
	const Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, w->target->arch->elf_class,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = w->target->arch->elf_machine,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(Elf64_Ehdr) + (many ? sizeof(Elf64_Shdr) : 0),
		.e_shoff = many ? sizeof(Elf64_Ehdr) : 0,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = many ? PN_XNUM : (Elf64_Half)nsegments,
		.e_shentsize = many ? sizeof(Elf64_Shdr) : 0,
		.e_shnum = many,
	};
	const Elf64_Shdr counts = { .sh_info = (Elf64_Word)nsegments };

	buf_add(out, &head, sizeof(head));
	if (many)
		buf_add(out, &counts, sizeof(counts));
}

static struct error *write_file(struct writer *w)
{
	AUTO_BUF out = { 0 };
	AUTO_FREE uint8_t *piece = malloc(PIECE);
	size_t n = w->segments.len + 1;

	if (!piece)
		return &error_nomem;
	add_header(w, &out, n);
	uint64_t notes = out.len + n * sizeof(Elf64_Phdr), start = up_to_page(notes + w->notes.len);
	const Elf64_Phdr head = {
		.p_type = PT_NOTE, .p_offset = notes, .p_filesz = w->notes.len, .p_align = 4
	};
	buf_add(&out, &head, sizeof(head));
	uint64_t at = start;
	vec_for_each (s, &w->segments) {
		const Elf64_Phdr load = { .p_type = PT_LOAD,
					  .p_flags = protection(s->map.flags),
					  .p_offset = at,
					  .p_vaddr = s->map.start,
					  .p_filesz = s->content,
					  .p_memsz = s->map.end - s->map.start,
					  .p_align = MEMORY_PAGE };
		buf_add(&out, &load, sizeof(load));
		at += s->content;
	}
	buf_add(&out, w->notes.data, w->notes.len);
	struct error *err = buf_ok(&out) ? write_at(w, out.data, out.len, 0) : &error_nomem;
	if (!err && ftruncate(w->fd, (off_t)at) < 0)
		err = error_os(errno, "writing %s", w->path);
	at = start;
	vec_for_each (s, &w->segments) {
		if (!err)
			err = write_segment(w, s, piece, at);
		at += s->content;
	}
	return err;
}

/* Root's rename(2) would replace /dev/null as well. */
static struct error *check_place(const char *path)
{
	struct stat st;

	struct error *err = stat(path, &st) < 0 ? NULL : file_check_regular(path, &st);

	return error_add(err, "cannot write a core file");
}

/* Under a name of its own at first: what was there stays until all is well. */
static struct error *write_and_rename(struct writer *w)
{
	AUTO_BUF name = { 0 };

	buf_addf(&name, "%s.XXXXXX", w->path);
	if (!buf_ok(&name))
		return &error_nomem;
	w->fd = mkostemp(name.data, O_CLOEXEC);
	if (w->fd < 0)
		return error_os(errno, "creating %s", w->path);
	struct error *err = write_file(w);
	if (close(w->fd) < 0 && !err)
		err = error_os(errno, "writing %s", w->path);
	if (!err && rename(name.data, w->path) < 0)
		err = error_os(errno, "creating %s", w->path);
	if (err)
		unlink(name.data);
	return err;
}

struct error *core_write(struct target *t, const struct thread *first, const char *path)
{
	struct writer w = { .target = t, .path = path };

	vec_for_each (th, &t->threads) {
		if (!w.lwp && thread_state_stands((*th)->state))
			w.lwp = (*th)->lwp;
	}
	if (!w.lwp || !t->ops->wait)
		return error_new(ERROR_UNSUPPORTED, "there is no process to make a core file of");
	struct error *err = check_place(path);
	if (!err)
		err = read_segments(&w);
	if (!err)
		err = add_notes(&w, first);
	if (!err)
		err = write_and_rename(&w);
	core_segments_fini(&w.segments);
	buf_fini(&w.notes);
	return err;
}
