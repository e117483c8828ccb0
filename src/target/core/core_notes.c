/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_notes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/procfs.h>

#include "base/cursor.h"
#include "base/sorted.h"
#include "target/process/memory.h"

enum { THREADS_MAX = 1 << 20, MAPS_MAX = 1 << 20 };

struct note {
	const char *name; /* not terminated */
	size_t name_len;  /* without the NUL */
	uint32_t type;
	struct core_bytes desc;
	const struct arch *arch;
};

void core_notes_fini(struct core_notes *n)
{
	vec_fini(&n->threads);
	map_list_fini(&n->maps);
}

static struct error *bad_note(const char *name)
{
	return error_new(ERROR_BAD_DATA, "is corrupt: its %s note contradicts itself", name);
}

static struct error *add_thread(struct core_notes *n, const struct note *note)
{
	const struct arch *arch = note->arch;
	size_t size = arch->prstatus_regs + arch->general_size;
	struct core_thread th = { .order = n->threads.len };

	if (note->desc.len < size)
		return bad_note("NT_PRSTATUS");
	if (n->threads.len == THREADS_MAX)
		return error_new(ERROR_BAD_DATA, "is corrupt: it has more than %d threads",
				 THREADS_MAX);
	memcpy(&th.lwp, note->desc.data + arch->prstatus_pid, sizeof(th.lwp));
	th.sets[REGSET_GENERAL] =
		(struct core_bytes){ note->desc.data + arch->prstatus_regs, arch->general_size };
	if (!n->threads.len)
		n->first = th.lwp;
	return vec_push(&n->threads, th) ? NULL : &error_nomem;
}

static void copy_text(char *ret, const uint8_t *text, size_t len)
{
	memcpy(ret, text, len);
	ret[len] = '\0';
}

/* The layout of struct elf_prpsinfo is the same on all 64-bit Linux. */
static struct error *add_process(struct core_notes *n, const struct note *note)
{
	const uint8_t *info = note->desc.data;

	if (note->desc.len < sizeof(struct elf_prpsinfo))
		return bad_note("NT_PRPSINFO");
	memcpy(&n->pid, info + offsetof(struct elf_prpsinfo, pr_pid), sizeof(n->pid));
	memcpy(&n->uid, info + offsetof(struct elf_prpsinfo, pr_uid), sizeof(n->uid));
	memcpy(&n->gid, info + offsetof(struct elf_prpsinfo, pr_gid), sizeof(n->gid));
	copy_text(n->name, info + offsetof(struct elf_prpsinfo, pr_fname), sizeof(n->name) - 1);
	copy_text(n->args, info + offsetof(struct elf_prpsinfo, pr_psargs), sizeof(n->args) - 1);
	return NULL;
}

static struct error *add_auxv(struct core_notes *n, const struct note *note)
{
	enum { AUXV_MAX = 64 * 1024 }; /* the kernel writes some 400 bytes */

	n->auxv = note->desc;
	if (n->auxv.len > AUXV_MAX)
		n->auxv.len = AUXV_MAX;
	return NULL;
}

/* gcore writes one for each thread, the kernel only for the first. */
static struct error *add_siginfo(struct core_notes *n, const struct note *note)
{
	if (note->desc.len < sizeof(n->signal))
		return bad_note("NT_SIGINFO");
	if (n->threads.len)
		n->threads.items[n->threads.len - 1].sets[REGSET_SIGINFO] = note->desc;
	if (n->threads.len <= 1)
		memcpy(&n->signal, note->desc.data, sizeof(n->signal));
	return NULL;
}

static bool is_possible(const struct map *m)
{
	uint64_t end;

	return m->start < m->end && m->start % MEMORY_PAGE == 0 && m->end % MEMORY_PAGE == 0 &&
	       !__builtin_add_overflow(m->offset, m->end - m->start, &end) && end <= INT64_MAX;
}

static struct error *add_map(struct core_notes *n, struct map m, const char *path)
{
	size_t len = strlen(path);

	if (!len || !is_possible(&m))
		return NULL;
	m.flags = MAP_NO_FLAGS;
	if (procfs_cut_deleted(path, &len))
		m.flags |= MAP_DELETED;
	m.path = strndup(path, len);
	return map_list_take(&n->maps, m);
}

/*
 * Linux fs/binfmt_elf.c, fill_files_note(): count, page size, then start, end and file offset in
 * pages for each mapping, then their names. gcore says that a page is one byte.
 */
static struct error *add_files(struct core_notes *n, const struct note *note)
{
	enum { ENTRY = 24 };
	struct cursor c = cursor_of(note->desc.data, note->desc.len);
	uint64_t count = cursor_uint(&c, 8), page_size = cursor_uint(&c, 8);
	struct cursor names = c;

	if (count > MAPS_MAX - n->maps.len || !cursor_take(&names, count * ENTRY) || c.bad)
		return bad_note("NT_FILE");
	for (; count > 0; count--) {
		struct map m = { .start = cursor_uint(&c, 8) };
		m.end = cursor_uint(&c, 8);
		uint64_t pages = cursor_uint(&c, 8);
		const char *name = cursor_string(&names);
		if (!name)
			return bad_note("NT_FILE");
		if (__builtin_mul_overflow(pages, page_size, &m.offset))
			continue;
		struct error *err = add_map(n, m, name);
		if (err)
			return err;
	}
	return NULL;
}

static bool is_called(const struct note *note, const char *name)
{
	return note->name_len == strlen(name) && !memcmp(note->name, name, note->name_len);
}

static void add_regset(struct core_notes *n, const struct note *note)
{
	for (int set = REGSET_GENERAL + 1; set < REGSET_SIGINFO; set++) {
		uint32_t type = note->arch->regset_note[set];
		/* Types from 0x100 on came later and are Linux's own. */
		if (n->threads.len && note->type == type &&
		    is_called(note, type < 0x100 ? "CORE" : "LINUX"))
			n->threads.items[n->threads.len - 1].sets[set] = note->desc;
	}
}

static struct error *add_note(struct core_notes *n, const struct note *note)
{
	static const struct {
		uint32_t type;
		struct error *(*add)(struct core_notes *, const struct note *);
	} handlers[] = {
		{ NT_PRSTATUS, add_thread }, { NT_PRPSINFO, add_process }, { NT_AUXV, add_auxv },
		{ NT_SIGINFO, add_siginfo }, { NT_FILE, add_files },
	};

	add_regset(n, note);
	for (size_t i = 0; i < sizeof(handlers) / sizeof(*handlers); i++) {
		if (note->type == handlers[i].type && is_called(note, "CORE"))
			return handlers[i].add(n, note);
	}
	return NULL;
}

/* elf(5), "Notes (Nhdr)". Core files pad to 4 bytes, whatever their p_align says. */
struct error *core_notes_add(struct core_notes *n, const struct arch *arch, const void *bytes,
			     size_t len)
{
	struct cursor c = cursor_of(bytes, len);

	while (cursor_left(&c) >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr nh;
		memcpy(&nh, cursor_take(&c, sizeof(nh)), sizeof(nh));
		struct note note = { .type = nh.n_type, .arch = arch };
		note.name = (const char *)cursor_take(&c, ((uint64_t)nh.n_namesz + 3) & ~3ULL);
		note.desc = (struct core_bytes){ cursor_take(&c, nh.n_descsz), nh.n_descsz };
		if (c.bad)
			return error_new(ERROR_BAD_DATA,
					 "is corrupt: a note runs beyond the end of its segment");
		note.name_len = strnlen(note.name, nh.n_namesz);
		struct error *err = add_note(n, &note);
		if (err)
			return err;
		cursor_take(&c, -nh.n_descsz & 3); /* the last one may lack it */
	}
	return NULL;
}

static int compare_threads(const void *a, const void *b)
{
	const struct core_thread *x = a, *y = b;

	return x->lwp != y->lwp ? sorted_order(x->lwp, y->lwp) : sorted_order(x->order, y->order);
}

static int compare_maps(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	return x->start != y->start ? sorted_order(x->start, y->start)
				    : sorted_order(x->end, y->end);
}

static void sort_threads(struct core_notes *n)
{
	size_t kept = 0;

	if (n->threads.len)
		qsort(n->threads.items, n->threads.len, sizeof(*n->threads.items), compare_threads);
	vec_for_each (th, &n->threads) {
		if (!kept || n->threads.items[kept - 1].lwp != th->lwp)
			n->threads.items[kept++] = *th;
	}
	n->threads.len = kept;
}

static void sort_maps(struct map_list *l)
{
	size_t kept = 0;

	if (l->len)
		qsort(l->items, l->len, sizeof(*l->items), compare_maps);
	vec_for_each (m, l) {
		if (!kept || l->items[kept - 1].end <= m->start)
			l->items[kept++] = *m;
		else
			free(m->path);
	}
	l->len = kept;
}

void core_notes_finish(struct core_notes *n)
{
	sort_threads(n);
	sort_maps(&n->maps);
}

const struct core_thread *core_notes_find(const struct core_notes *n, pid_t lwp)
{
	size_t at = sorted_count(th, n->threads.items, n->threads.len, th->lwp < lwp);

	return at < n->threads.len && n->threads.items[at].lwp == lwp ? &n->threads.items[at]
								      : NULL;
}
