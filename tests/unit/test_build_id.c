/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/elf/build_id.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "core_builder.h"
#include "unit.h"

enum { BASE = 0x7000, ID = 0xab };

/* An image at BASE; reads beyond it fail. */
static bool read_image(void *context, uint64_t from, void *ret, size_t len)
{
	const struct buf *image = context;

	if (from < BASE || from - BASE > image->len || len > image->len - (from - BASE))
		return false;
	memcpy(ret, image->data + (from - BASE), len);
	return true;
}

static struct build_id id_of(struct buf *image, bool in_memory)
{
	struct build_id id = { .len = 99 };

	build_id_read(read_image, image, BASE, in_memory, &id);
	return id;
}

static Elf64_Ehdr *header_of(struct buf *image)
{
	return (Elf64_Ehdr *)image->data;
}

static Elf64_Phdr *phdr_of(struct buf *image, int n)
{
	return (Elf64_Phdr *)(image->data + sizeof(Elf64_Ehdr)) + n;
}

static void check_id(const struct build_id *id)
{
	ck_assert_uint_eq(id->len, IMAGE_ID_SIZE);
	for (size_t i = 0; i < id->len; i++)
		ck_assert_uint_eq(id->bytes[i], ID);
}

START_TEST(the_id_is_found_behind_other_notes)
{
	AUTO_BUF image = { 0 };

	image_build(&image, ID, 2);
	struct build_id id = id_of(&image, false);
	check_id(&id);
	id = id_of(&image, true);
	check_id(&id);
}
END_TEST

START_TEST(addresses_count_in_memory_and_offsets_in_a_file)
{
	AUTO_BUF image = { 0 };

	image_build(&image, ID, 2);
	phdr_of(&image, 0)->p_vaddr = 0x400000;
	phdr_of(&image, 1)->p_vaddr += 0x400000;
	struct build_id id = id_of(&image, true);
	check_id(&id);
	phdr_of(&image, 1)->p_offset += 4;
	id = id_of(&image, true);
	check_id(&id);
	id = id_of(&image, false);
	ck_assert_uint_eq(id.len, 0);
}
END_TEST

START_TEST(notes_of_alignment_8_are_padded_to_8)
{
	AUTO_BUF image = { 0 };
	AUTO_BUF notes = { 0 };
	/* A property of 4 bytes, padded to 8, then the build-id. */
	Elf64_Nhdr property = { 4, 4, NT_GNU_PROPERTY_TYPE_0 };
	Elf64_Nhdr build_id = { 4, 8, NT_GNU_BUILD_ID };

	image_build(&image, 0, 1);
	buf_add(&notes, &property, sizeof(property));
	buf_add(&notes, "GNU\0....\0\0\0\0", 12);
	buf_add(&notes, &build_id, sizeof(build_id));
	buf_add(&notes, "GNU\0idididid", 12);
	memcpy(image.data + 512, notes.data, notes.len);
	phdr_of(&image, 1)->p_filesz = notes.len;
	phdr_of(&image, 1)->p_align = 8;
	struct build_id id = id_of(&image, true);
	ck_assert_uint_eq(id.len, 8);
	ck_assert_mem_eq(id.bytes, "idididid", 8);
}
END_TEST

START_TEST(a_file_with_misleading_segments_is_read_by_its_sections)
{
	AUTO_BUF image = { 0 };

	image_build(&image, ID, 1);
	Elf64_Shdr sections[] = {
		{ .sh_type = SHT_NULL },
		{ .sh_type = SHT_NOTE,
		  .sh_offset = phdr_of(&image, 1)->p_offset,
		  .sh_size = phdr_of(&image, 1)->p_filesz,
		  .sh_addralign = 4 },
	};
	phdr_of(&image, 1)->p_offset = 2048;
	header_of(&image)->e_shoff = image.len;
	header_of(&image)->e_shnum = 2;
	buf_add(&image, sections, sizeof(sections));
	struct build_id id = id_of(&image, false);
	check_id(&id);
}
END_TEST

/* What makes the id disappear: some bytes of the image, changed. Notes begin at 512. */
enum { PHDR1 = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr), ID_NOTE = 512 + 32 };
#define FIELD(struct_, member) offsetof(struct_, member), sizeof(((struct_ *)0)->member)
static const struct {
	const char *what;
	size_t at, in, size;
	uint64_t value;
} spoilt[] = {
	{ "no magic", 0, FIELD(Elf64_Ehdr, e_ident[0]), 'x' },
	{ "32 bits", 0, FIELD(Elf64_Ehdr, e_ident[EI_CLASS]), ELFCLASS32 },
	{ "big-endian", 0, FIELD(Elf64_Ehdr, e_ident[EI_DATA]), ELFDATA2MSB },
	{ "no program headers", 0, FIELD(Elf64_Ehdr, e_phnum), 0 },
	{ "strange program headers", 0, FIELD(Elf64_Ehdr, e_phentsize), 32 },
	{ "program headers beyond the end", 0, FIELD(Elf64_Ehdr, e_phoff), 1 << 20 },
	{ "program headers that wrap around", 0, FIELD(Elf64_Ehdr, e_phoff), UINT64_MAX - 100 },
	{ "no note segment", PHDR1, FIELD(Elf64_Phdr, p_type), PT_LOAD },
	{ "notes that wrap around", PHDR1, FIELD(Elf64_Phdr, p_vaddr), UINT64_MAX - 8 },
	{ "notes beyond the end", PHDR1, FIELD(Elf64_Phdr, p_vaddr), 1 << 20 },
	{ "endless notes", PHDR1, FIELD(Elf64_Phdr, p_filesz), UINT64_MAX },
	{ "cut notes", PHDR1, FIELD(Elf64_Phdr, p_filesz), 32 + 12 + 4 + IMAGE_ID_SIZE - 1 },
	{ "another type", ID_NOTE, FIELD(Elf64_Nhdr, n_type), NT_GNU_ABI_TAG },
	{ "an empty id", ID_NOTE, FIELD(Elf64_Nhdr, n_descsz), 0 },
	{ "an overlong id", ID_NOTE, FIELD(Elf64_Nhdr, n_descsz), BUILD_ID_MAX + 1 },
	{ "an endless id", ID_NOTE, FIELD(Elf64_Nhdr, n_descsz), UINT32_MAX },
	{ "an endless name", ID_NOTE, FIELD(Elf64_Nhdr, n_namesz), UINT32_MAX },
	{ "another owner", ID_NOTE, sizeof(Elf64_Nhdr), 1, 'X' },
};

START_TEST(a_spoilt_image_has_no_id)
{
	AUTO_BUF image = { 0 };

	image_build(&image, ID, 1);
	memcpy(image.data + spoilt[_i].at + spoilt[_i].in, &spoilt[_i].value, spoilt[_i].size);
	struct build_id id = id_of(&image, true);
	ck_assert_msg(id.len == 0, "%s", spoilt[_i].what);
}
END_TEST

START_TEST(an_id_that_is_too_long_is_none_though_all_of_it_is_there)
{
	AUTO_BUF image = { 0 };
	uint32_t size = BUILD_ID_MAX + 1;

	image_build(&image, ID, 1);
	phdr_of(&image, 1)->p_filesz = 1024;
	memcpy(image.data + ID_NOTE + offsetof(Elf64_Nhdr, n_descsz), &size, sizeof(size));
	struct build_id id = id_of(&image, true);
	ck_assert_uint_eq(id.len, 0);
	size = BUILD_ID_MAX;
	memcpy(image.data + ID_NOTE + offsetof(Elf64_Nhdr, n_descsz), &size, sizeof(size));
	id = id_of(&image, true);
	ck_assert_uint_eq(id.len, BUILD_ID_MAX);
}
END_TEST

START_TEST(every_cut_image_is_survived)
{
	AUTO_BUF image = { 0 };

	image_build(&image, ID, 1);
	size_t end = 512 + phdr_of(&image, 1)->p_filesz;
	for (image.len = 0; image.len < end; image.len++) {
		struct build_id id = id_of(&image, true);
		ck_assert_uint_eq(id.len, 0);
	}
	struct build_id id = id_of(&image, true);
	check_id(&id);
}
END_TEST

START_TEST(countless_notes_come_to_an_end)
{
	AUTO_BUF image = { 0 };

	/* 65534 note segments, all of the same million empty notes. */
	image_build(&image, 0, 4000);
	memset(image.data + 512, 0, image.len - 512);
	header_of(&image)->e_phnum = 65534;
	for (int i = 1; i < 65534; i++)
		*phdr_of(&image, i) = (Elf64_Phdr){ .p_type = PT_NOTE,
						    .p_offset = 4 << 20,
						    .p_filesz = 12 << 20 };
	struct build_id id = id_of(&image, false);
	ck_assert_uint_eq(id.len, 0);
}
END_TEST

START_TEST(an_open_file_is_read_from_its_start)
{
	AUTO_BUF image = { 0 };
	AUTO_CLOSE int fd = memfd_create("image", MFD_CLOEXEC);
	struct build_id id;

	image_build(&image, ID, 1);
	ck_assert_int_eq(write(fd, image.data, image.len), (ssize_t)image.len);
	build_id_of_file(fd, &id);
	check_id(&id);
	build_id_of_file(-1, &id);
	ck_assert_uint_eq(id.len, 0);
}
END_TEST

START_TEST(equal_means_same_length_and_bytes)
{
	struct build_id a = { .len = 2, .bytes = { 1, 2 } }, b = a, none = { 0 };

	ck_assert(build_id_equal(&a, &b));
	ck_assert(build_id_equal(&none, &none));
	ck_assert(!build_id_equal(&a, &none));
	b.bytes[2] = 3;
	ck_assert(build_id_equal(&a, &b));
	b.len = 3;
	ck_assert(!build_id_equal(&a, &b));
	b = a;
	b.bytes[1] = 9;
	ck_assert(!build_id_equal(&a, &b));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("build_id");

	unit_case(s, "read", the_id_is_found_behind_other_notes,
		  addresses_count_in_memory_and_offsets_in_a_file,
		  notes_of_alignment_8_are_padded_to_8,
		  a_file_with_misleading_segments_is_read_by_its_sections);
	unit_table(s, a_spoilt_image_has_no_id, spoilt);
	unit_case(s, "hostile", an_id_that_is_too_long_is_none_though_all_of_it_is_there,
		  every_cut_image_is_survived, countless_notes_come_to_an_end);
	unit_case(s, "file", an_open_file_is_read_from_its_start);
	unit_case(s, "equal", equal_means_same_length_and_bytes);
	return unit_run(s);
}
