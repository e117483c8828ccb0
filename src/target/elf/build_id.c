/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/elf/build_id.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* Real files have about 13 program headers, 4 notes and, with debug information, 40 sections. */
enum { PHDRS_MAX = 128, SECTIONS_MAX = 4096, NOTES_MAX = 128 };

struct image {
	build_id_reader *read;
	void *context;
	uint64_t base;
	uint64_t phoff, shoff;
	unsigned int phnum, shnum;
	unsigned int nnotes; /* looked at so far */
};

/* Part of the image. */
struct notes {
	uint64_t offset, size, align;
};

static bool read_at(const struct image *im, uint64_t offset, void *ret, size_t len)
{
	uint64_t from, last;

	if (__builtin_add_overflow(im->base, offset, &from) ||
	    __builtin_add_overflow(from, len, &last))
		return false;
	return im->read(im->context, from, ret, len);
}

static bool open_image(struct image *im)
{
	Elf64_Ehdr eh;

	if (!read_at(im, 0, &eh, sizeof(eh)) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_ident[EI_CLASS] != ELFCLASS64 || eh.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	im->phoff = eh.e_phoff;
	im->shoff = eh.e_shoff;
	if (eh.e_phentsize == sizeof(Elf64_Phdr))
		im->phnum = eh.e_phnum < PHDRS_MAX ? eh.e_phnum : PHDRS_MAX;
	if (eh.e_shentsize == sizeof(Elf64_Shdr))
		im->shnum = eh.e_shnum < SECTIONS_MAX ? eh.e_shnum : SECTIONS_MAX;
	return true;
}

/* The next program header of a type, from *at on; false: there are no more. */
static bool next_phdr(const struct image *im, uint32_t type, unsigned int *at, Elf64_Phdr *ret)
{
	for (; *at < im->phnum; ++*at) {
		uint64_t offset;
		if (__builtin_add_overflow(im->phoff, *at * sizeof(*ret), &offset) ||
		    !read_at(im, offset, ret, sizeof(*ret)))
			return false;
		if (ret->p_type == type) {
			++*at;
			return true;
		}
	}
	return false;
}

static uint64_t align_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & ~(align - 1);
}

static bool is_build_id(const struct image *im, uint64_t offset, const Elf64_Nhdr *nh)
{
	char name[sizeof(ELF_NOTE_GNU)];

	return nh->n_type == NT_GNU_BUILD_ID && nh->n_namesz == sizeof(name) && nh->n_descsz > 0 &&
	       nh->n_descsz <= BUILD_ID_MAX &&
	       read_at(im, offset + sizeof(*nh), name, sizeof(name)) &&
	       !memcmp(name, ELF_NOTE_GNU, sizeof(name));
}

/* gABI chapter 5, "Note Section"; notes of alignment 8 are padded to that. */
static bool find_in_notes(struct image *im, const struct notes *notes, struct build_id *ret)
{
	uint64_t align = notes->align == 8 ? 8 : 4;
	uint64_t at = 0;

	if (notes->size > UINT32_MAX || notes->offset > UINT64_MAX - notes->size)
		return false;
	while (at + sizeof(Elf64_Nhdr) <= notes->size && im->nnotes++ < NOTES_MAX) {
		Elf64_Nhdr nh;
		if (!read_at(im, notes->offset + at, &nh, sizeof(nh)))
			return false;
		uint64_t desc = at + align_up(sizeof(nh) + (uint64_t)nh.n_namesz, align);
		uint64_t end = desc + nh.n_descsz;
		if (end > notes->size)
			return false;
		if (is_build_id(im, notes->offset + at, &nh)) {
			ret->len = nh.n_descsz;
			ret->at = im->base + notes->offset + desc;
			return read_at(im, notes->offset + desc, ret->bytes, ret->len);
		}
		at = align_up(end, align);
	}
	return false;
}

static bool find_in_segments(struct image *im, bool in_memory, struct build_id *ret)
{
	uint64_t first = 0; /* address of file offset 0 before relocation */
	unsigned int at = 0;
	Elf64_Phdr ph;

	if (in_memory && next_phdr(im, PT_LOAD, &at, &ph))
		first = ph.p_vaddr - ph.p_offset;
	at = 0;
	while (next_phdr(im, PT_NOTE, &at, &ph)) {
		struct notes notes = { .offset = in_memory ? ph.p_vaddr - first : ph.p_offset,
				       .size = ph.p_filesz,
				       .align = ph.p_align };
		if (find_in_notes(im, &notes, ret))
			return true;
	}
	return false;
}

static bool find_in_sections(struct image *im, struct build_id *ret)
{
	for (unsigned int i = 0; i < im->shnum; i++) {
		uint64_t offset;
		Elf64_Shdr sh;
		if (__builtin_add_overflow(im->shoff, i * sizeof(sh), &offset) ||
		    !read_at(im, offset, &sh, sizeof(sh)))
			return false;
		struct notes notes = { sh.sh_offset, sh.sh_size, sh.sh_addralign };
		if (sh.sh_type == SHT_NOTE && find_in_notes(im, &notes, ret))
			return true;
	}
	return false;
}

/*
 * The program headers of a separate debug file are copies of the program's and may point
 * nowhere (eu-strip leaves them so): its sections know better.
 */
void build_id_read(build_id_reader *read, void *context, uint64_t base, bool in_memory,
		   struct build_id *ret)
{
	struct image im = { .read = read, .context = context, .base = base };
	struct build_id found = { 0 };

	*ret = found;
	if (!open_image(&im))
		return;
	if (find_in_segments(&im, in_memory, &found) ||
	    (!in_memory && find_in_sections(&im, &found)))
		*ret = found;
}

static bool read_file(void *context, uint64_t from, void *ret, size_t len)
{
	const int *fd = context;

	return file_read_at(*fd, from, ret, len) == len;
}

void build_id_of_file(int fd, struct build_id *ret)
{
	build_id_read(read_file, &fd, 0, false, ret);
}

void build_id_hex(const struct build_id *id, char ret[BUILD_ID_HEX])
{
	*ret = '\0';
	for (size_t i = 0; i < id->len; i++)
		snprintf(ret + 2 * i, 3, "%02x", id->bytes[i]);
}

bool build_id_equal(const struct build_id *a, const struct build_id *b)
{
	return a->len == b->len && !memcmp(a->bytes, b->bytes, a->len);
}
