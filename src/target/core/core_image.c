/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/core/core_image.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sorted.h"
#include "target/elf/elf_header.h"
#include "target/process/memory.h"

enum { PHDRS_MAX = 1 << 20, NOTES_SIZE_MAX = 256 << 20 };

void core_image_close(struct core_image *im)
{
	if (im->fd >= 0)
		close(im->fd);
	im->fd = -1;
	free(im->path);
	free(im->note_bytes);
	vec_fini(&im->segments);
	vec_fini(&im->notes);
}

/* Puts the file's name in front of a sentence about it. */
static struct error *about_file(const struct core_image *im, struct error *err)
{
	if (!err || err == &error_nomem)
		return err;
	struct error *full = error_new(error_code(err), "%s %s", im->path, error_message(err));
	error_free(err);
	return full;
}

static bool is_inside(const struct core_image *im, uint64_t offset, uint64_t size)
{
	return offset <= im->size && size <= im->size - offset;
}

static struct error *truncated(const struct core_image *im, const char *lacks)
{
	static const char reason[] =
		"the disk may have been full, or the core size limit (ulimit -c) too small";

	if (!im->size)
		return error_new(ERROR_BAD_DATA, "is empty: %s", reason);
	if (im->end > im->size)
		return error_new(ERROR_BAD_DATA,
				 "is truncated (%" PRIu64 " of %" PRIu64 " bytes) and lacks %s: %s",
				 im->size, im->end, lacks, reason);
	return error_new(ERROR_BAD_DATA, "is truncated (%" PRIu64 " bytes) and lacks %s: %s",
			 im->size, lacks, reason);
}

static const char remedy[] = "give the pid of a running program or a core file";

static bool has_suffix(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len > n && !strcmp(path + len - n, suffix);
}

static struct error *check_compressed(const struct core_image *im, const void *start, size_t len)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *name, *suffix;
	} table[] = {
		{ "\x1f\x8b", 2, "gzip", ".gz" },
		{ "\xfd"
		  "7zXZ",
		  6, "xz", ".xz" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd", ".zst" },
		{ "BZh", 3, "bzip2", ".bz2" },
		{ "\x04\x22\x4d\x18", 4, "lz4", ".lz4" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		if (len < table[i].len || memcmp(start, table[i].magic, table[i].len))
			continue;
		const char *name = table[i].name, *path = im->path;
		if (has_suffix(path, table[i].suffix))
			return error_new(
				ERROR_UNSUPPORTED,
				"is compressed with %s: decompress it first with '%s -dk %s'", name,
				name, path);
		return error_new(
			ERROR_UNSUPPORTED,
			"is compressed with %s: decompress it first with '%s -dc <%s >%s.core'",
			name, name, path, path);
	}
	return NULL;
}

static struct error *check_type(uint16_t type)
{
	static const char *const names[] = {
		[ET_REL] = "an object file",
		[ET_EXEC] = "an executable",
		[ET_DYN] = "an executable or a shared library",
	};
	const char *what = type < sizeof(names) / sizeof(*names) ? names[type] : NULL;

	if (type == ET_CORE)
		return NULL;
	return error_new(ERROR_UNSUPPORTED, "is %s, not a core file: %s",
			 what ? what : "an ELF file of an unknown type", remedy);
}

static struct error *read_header(struct core_image *im, Elf64_Ehdr *ret)
{
	size_t len = file_read_at(im->fd, 0, ret, sizeof(*ret));

	if (!len)
		return truncated(im, "its ELF header");
	struct error *err = check_compressed(im, ret, len);
	if (err)
		return err;
	if (!elf_header_is_elf(ret, len))
		return error_new(ERROR_UNSUPPORTED, "is not a core file: %s", remedy);
	if (len < sizeof(*ret))
		return truncated(im, "its ELF header");
	err = elf_header_arch(ret, &im->arch);
	if (!err)
		err = check_type(ret->e_type);
	if (err)
		return err;
	if (ret->e_phentsize != sizeof(Elf64_Phdr))
		return error_new(ERROR_BAD_DATA,
				 "is corrupt: its program headers have %u bytes, not %zu",
				 ret->e_phentsize, sizeof(Elf64_Phdr));
	return NULL;
}

/*
 * How many program headers there are. More than 65534 are told by section header 0 (gABI chapter
 * 4, e_phnum), which the kernel writes last: where it is cut off, the notes, which the kernel
 * writes first and right behind the program headers, tell as well.
 */
static uint64_t count_phdrs(const struct core_image *im, const Elf64_Ehdr *eh)
{
	Elf64_Shdr sh;
	Elf64_Phdr ph;

	if (eh->e_phnum != PN_XNUM)
		return eh->e_phnum;
	if (file_read_at(im->fd, eh->e_shoff, &sh, sizeof(sh)) == sizeof(sh))
		return sh.sh_info;
	if (file_read_at(im->fd, eh->e_phoff, &ph, sizeof(ph)) == sizeof(ph) &&
	    ph.p_type == PT_NOTE && ph.p_offset > eh->e_phoff)
		return (ph.p_offset - eh->e_phoff) / sizeof(ph);
	return PN_XNUM;
}

static bool add_segment(struct core_image *im, const Elf64_Phdr *ph)
{
	struct core_segment s = {
		.start = ph->p_vaddr,
		.size = ph->p_memsz,
		.filled = ph->p_filesz < ph->p_memsz ? ph->p_filesz : ph->p_memsz,
		.offset = ph->p_offset,
		.writable = ph->p_flags & PF_W,
		.executable = ph->p_flags & PF_X,
	};

	if (!s.size || s.start + s.size < s.start)
		return true;
	return vec_push(&im->segments, s);
}

static struct error *add_phdr(struct core_image *im, const Elf64_Phdr *ph)
{
	uint64_t end;

	if (ph->p_type != PT_LOAD && ph->p_type != PT_NOTE)
		return NULL;
	if (__builtin_add_overflow(ph->p_offset, ph->p_filesz, &end) || end > INT64_MAX)
		return error_new(ERROR_BAD_DATA,
				 "is corrupt: a segment of it would end beyond any file");
	if (ph->p_filesz && end > im->end)
		im->end = end;
	if (ph->p_type == PT_LOAD)
		return add_segment(im, ph) ? NULL : &error_nomem;
	struct core_note_segment notes = { ph->p_offset, ph->p_filesz };
	return vec_push(&im->notes, notes) ? NULL : &error_nomem;
}

static struct error *read_phdrs(struct core_image *im, const Elf64_Ehdr *eh)
{
	Elf64_Phdr chunk[64];
	uint64_t left = count_phdrs(im, eh), offset = eh->e_phoff;

	if (left > PHDRS_MAX)
		return error_new(ERROR_BAD_DATA, "is corrupt: it claims %" PRIu64 " segments",
				 left);
	if (!is_inside(im, offset, left * sizeof(*chunk)))
		return truncated(im, "its program headers");
	while (left) {
		size_t n = left < 64 ? left : 64;
		if (file_read_at(im->fd, offset, chunk, n * sizeof(*chunk)) != n * sizeof(*chunk))
			return truncated(im, "its program headers");
		for (size_t i = 0; i < n; i++) {
			struct error *err = add_phdr(im, &chunk[i]);
			if (err)
				return err;
		}
		offset += n * sizeof(*chunk);
		left -= n;
	}
	return NULL;
}

/* Where segments overlap, the one with more in the file comes first and wins. */
static int compare_segments(const void *a, const void *b)
{
	const struct core_segment *x = a, *y = b;

	return x->start != y->start ? sorted_order(x->start, y->start)
				    : sorted_order(y->filled, x->filled);
}

static void cut_front(struct core_segment *s, taddr start)
{
	uint64_t cut = start - s->start;

	cut = cut < s->size ? cut : s->size;
	uint64_t cut_filled = cut < s->filled ? cut : s->filled;
	s->start += cut;
	s->size -= cut;
	s->filled -= cut_filled;
	s->offset += cut_filled;
}

static void sort_segments(struct core_image *im)
{
	size_t kept = 0;
	taddr end = 0;

	if (im->segments.len)
		qsort(im->segments.items, im->segments.len, sizeof(*im->segments.items),
		      compare_segments);
	vec_for_each (s, &im->segments) {
		if (s->start < end)
			cut_front(s, end);
		if (!s->size)
			continue;
		end = s->start + s->size;
		im->segments.items[kept++] = *s;
	}
	im->segments.len = kept;
}

static struct error *read_headers(struct core_image *im)
{
	Elf64_Ehdr eh;
	struct error *err = read_header(im, &eh);

	if (!err)
		err = read_phdrs(im, &eh);
	if (!err)
		sort_segments(im);
	return err;
}

struct error *core_image_open(struct core_image *im, const char *path)
{
	struct stat st;
	struct error *err = file_open_regular(path, &im->fd, &st);

	if (err)
		return err;
	im->path = strdup(path);
	im->size = (uint64_t)st.st_size;
	im->written = st.st_mtim;
	if (!im->path)
		return &error_nomem;
	return about_file(im, read_headers(im));
}

/* The note segments lie in the file, and together they are no longer than it. */
static struct error *size_notes(const struct core_image *im, size_t *ret)
{
	uint64_t sum = 0;

	vec_for_each (s, &im->notes) {
		if (!is_inside(im, s->offset, s->size))
			return truncated(im, "its notes (threads, registers)");
		sum += s->size;
		if (sum > im->size || sum > NOTES_SIZE_MAX)
			return error_new(ERROR_BAD_DATA, "is corrupt: its notes are too long");
	}
	*ret = sum;
	return NULL;
}

static struct error *read_notes(struct core_image *im, struct core_notes *ret)
{
	size_t size = 0;
	struct error *err = size_notes(im, &size);

	if (err)
		return err;
	im->note_bytes = malloc(size + 1);
	if (!im->note_bytes)
		return &error_nomem;
	uint8_t *at = im->note_bytes;
	vec_for_each (s, &im->notes) {
		if (file_read_at(im->fd, s->offset, at, s->size) != s->size)
			return truncated(im, "its notes (threads, registers)");
		err = core_notes_add(ret, im->arch, at, s->size);
		if (err)
			return err;
		at += s->size;
	}
	core_notes_finish(ret);
	return NULL;
}

struct error *core_image_notes(struct core_image *im, struct core_notes *ret)
{
	return about_file(im, read_notes(im, ret));
}

/* Index of the first segment that ends behind addr. */
static size_t place_of(const struct core_image *im, taddr addr)
{
	return sorted_count(s, im->segments.items, im->segments.len, s->start + s->size <= addr);
}

/* The first segment that ends behind addr; NULL: none. */
static const struct core_segment *find_behind(const struct core_image *im, taddr addr)
{
	size_t at = place_of(im, addr);

	return at < im->segments.len ? &im->segments.items[at] : NULL;
}

const struct core_segment *core_image_find(const struct core_image *im, taddr addr)
{
	const struct core_segment *s = find_behind(im, addr);

	return s && s->start <= addr ? s : NULL;
}

/* How much of the segment's part in the file is there. */
static uint64_t held(const struct core_image *im, const struct core_segment *s)
{
	uint64_t there = s->offset < im->size ? im->size - s->offset : 0;

	return there < s->filled ? there : s->filled;
}

static uint64_t whole_pages(uint64_t len)
{
	return len & ~(uint64_t)(MEMORY_PAGE - 1);
}

static struct core_run run_in(const struct core_image *im, const struct core_segment *s, taddr page)
{
	uint64_t into = page - s->start, there = held(im, s);
	struct core_run run = { .place = CORE_MIXED, .writable = s->writable, .len = MEMORY_PAGE };

	if (into < there && there - into >= MEMORY_PAGE) {
		run.place = CORE_HELD;
		run.len = whole_pages(there - into);
	} else if (into >= there && into < s->filled) {
		run.place = CORE_LOST;
	} else if (into >= s->filled && s->size - into >= MEMORY_PAGE) {
		run.place = CORE_OMITTED;
		run.len = whole_pages(s->size - into);
	}
	return run;
}

struct core_run core_image_run(const struct core_image *im, taddr page)
{
	const struct core_segment *s = find_behind(im, page);

	if (s && s->start <= page)
		return run_in(im, s, page);
	/* To the end of the address space, the last page of which nobody has. */
	uint64_t gap = whole_pages((s ? s->start : UINT64_MAX) - page);
	if (gap)
		return (struct core_run){ .place = CORE_OMITTED, .len = gap };
	return (struct core_run){ .place = CORE_MIXED,
				  .writable = s && s->writable,
				  .len = MEMORY_PAGE };
}

enum core_place core_image_overlay(const struct core_image *im, taddr page, uint8_t *bytes)
{
	enum core_place place = CORE_OMITTED;
	taddr last = page + (MEMORY_PAGE - 1);

	for (size_t i = place_of(im, page); i < im->segments.len; i++) {
		const struct core_segment *s = &im->segments.items[i];
		if (s->start > last)
			break;
		taddr from = s->start > page ? s->start : page;
		uint64_t into = from - s->start;
		if (into >= s->filled)
			continue;
		uint64_t n = s->filled - into;
		n = n < last - from + 1 ? n : last - from + 1;
		if (file_read_at(im->fd, s->offset + into, bytes + (from - page), n) != n)
			return CORE_LOST;
		place = CORE_HELD;
	}
	return place;
}

size_t core_image_read_some(const struct core_image *im, taddr from, void *ret, size_t len)
{
	const struct core_segment *s = core_image_find(im, from);

	if (!s)
		return 0;
	uint64_t into = from - s->start, there = held(im, s);
	uint64_t n = into < there ? there - into : 0;
	return n ? file_read_at(im->fd, s->offset + into, ret, n < len ? n : len) : 0;
}

bool core_image_read(const struct core_image *im, taddr from, void *ret, size_t len)
{
	uint8_t *at = ret;

	while (len) {
		size_t n = core_image_read_some(im, from, at, len);
		if (!n)
			return false;
		at += n;
		from += n;
		len -= n;
	}
	return true;
}
