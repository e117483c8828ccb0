/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/elf_file.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "target/elf/elf_header.h"

/* gABI, section compression; <elf.h> lacks it where the C library is older than 2.38. */
enum { COMPRESS_ZSTD = 2 };

void elf_file_close(struct elf_file *f)
{
	elf_end(f->elf);
	free(f->image);
	free(f->path);
	if (f->fd >= 0)
		close(f->fd);
	*f = ELF_FILE_CLOSED;
}

void elf_file_drop_fd(struct elf_file *f)
{
	if (f->fd < 0 || elf_cntl(f->elf, ELF_C_FDDONE) != 0)
		return;
	close(f->fd);
	f->fd = -1;
}

void elf_file_directory(const struct elf_file *f, char ret[PATH_MAX])
{
	const char *slash = f->path ? strrchr(f->path, '/') : NULL;
	size_t len = slash ? (size_t)(slash + 1 - f->path) : 0;

	len = len < PATH_MAX ? len : 0;
	if (len)
		memcpy(ret, f->path, len);
	ret[len] = '\0';
}

/* Programs and libraries, and debug files made of them or (split DWARF) of objects; no cores. */
static struct error *check(Elf *elf, const struct arch *arch)
{
	size_t size = 0;
	const char *start = elf ? elf_rawfile(elf, &size) : NULL;
	Elf64_Ehdr header;
	const struct arch *its_arch;

	if (!start || size < sizeof(header) || elf_kind(elf) != ELF_K_ELF)
		return error_new(ERROR_UNSUPPORTED, "file is not an ELF file");
	memcpy(&header, start, sizeof(header));
	struct error *err = elf_header_arch(&header, &its_arch);
	if (err)
		return error_add(err, "file");
	if (arch && its_arch != arch)
		return error_new(ERROR_UNSUPPORTED, "file is for %s", its_arch->name);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN && header.e_type != ET_REL)
		return error_new(ERROR_UNSUPPORTED, "file is neither a program nor a library");
	return NULL;
}

/* ---- sections ----------------------------------------------------------------------------- */

static const char *name_of(const struct elf_file *f, const GElf_Shdr *header)
{
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names) != 0)
		return "";
	const char *name = elf_strptr(f->elf, names, header->sh_name);
	return name ? name : "";
}

bool elf_section_is(const struct elf_section *section, const char *name)
{
	const char *its = section->name;

	if (!strncmp(its, ".zdebug_", 8) && !strncmp(name, ".debug_", 7))
		return !strcmp(its + 8, name + 7);
	return !strcmp(its, name);
}

/* The next section whose header can be read; *scn is NULL at first. */
static bool next_header(const struct elf_file *f, Elf_Scn **scn, GElf_Shdr *ret)
{
	while (f->elf && (*scn = elf_nextscn(f->elf, *scn))) {
		if (gelf_getshdr(*scn, ret))
			return true;
	}
	return false;
}

static struct elf_section section_of(const struct elf_file *f, Elf_Scn *scn,
				     const GElf_Shdr *header)
{
	return (struct elf_section){
		.name = name_of(f, header),
		.index = elf_ndxscn(scn),
		.type = header->sh_type,
		.addr = header->sh_addr,
		.size = header->sh_size,
		.loaded = header->sh_flags & SHF_ALLOC,
		.compressed = header->sh_flags & SHF_COMPRESSED,
	};
}

bool elf_file_next(const struct elf_file *f, struct elf_section *section)
{
	Elf_Scn *scn = f->elf && section->index ? elf_getscn(f->elf, section->index) : NULL;
	GElf_Shdr header;

	if (!next_header(f, &scn, &header))
		return false;
	*section = section_of(f, scn, &header);
	return true;
}

/* The one with that name behind *section. */
static bool next_section(const struct elf_file *f, const char *name, struct elf_section *section)
{
	struct elf_section next = *section;

	while (elf_file_next(f, &next)) {
		if (elf_section_is(&next, name)) {
			*section = next;
			return true;
		}
	}
	return false;
}

bool elf_file_section(const struct elf_file *f, const char *name, struct elf_section *ret)
{
	struct elf_section section = { 0 };

	if (!next_section(f, name, &section))
		return false;
	*ret = section;
	return true;
}

/* ---- sections that others may change ---------------------------------------------------- */

enum { PAGE = 4096 }; /* smallest there is */

/*
 * Puts a copy in the place of the pages. Writing to them is not enough, though the mapping is
 * private: the kernel drops such pages when the file is truncated, and reads the file again.
 */
static bool own(char *start, size_t len)
{
	char *page = (char *)((uintptr_t)start & ~(uintptr_t)(PAGE - 1));
	size_t size = ((size_t)(start - page) + len + PAGE - 1) & ~(size_t)(PAGE - 1);
	char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (copy == MAP_FAILED)
		return false;
	memcpy(copy, page, size);
	return mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
}

bool elf_file_own(const struct elf_file *f, const struct elf_section *section,
		  struct spending *spending)
{
	Elf_Scn *scn = elf_getscn(f->elf, section->index);
	size_t size = 0;
	char *file = elf_rawfile(f->elf, &size);
	GElf_Shdr header;

	if (!f->changeable || section->type == SHT_NOBITS || !gelf_getshdr(scn, &header) ||
	    !header.sh_size || header.sh_offset > size || header.sh_size > size - header.sh_offset)
		return true;
	return budget_spend(spending, header.sh_size) &&
	       own(file + header.sh_offset, header.sh_size);
}

void elf_file_release(const struct elf_file *f, struct cursor bytes)
{
	size_t size = 0;
	const char *file = f->elf ? elf_rawfile(f->elf, &size) : NULL;
	uintptr_t from = ((uintptr_t)bytes.p + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t to = (uintptr_t)bytes.end & ~(uintptr_t)(PAGE - 1);

	/* What was copied must stay; and what was unpacked lies elsewhere. */
	if (file && !f->changeable && !f->image && from < to && from >= (uintptr_t)file &&
	    to <= (uintptr_t)file + size)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

/* Tables of names and symbols, and the names of other files. */
static bool holds_names(const struct elf_section *section)
{
	return section->type == SHT_STRTAB || section->type == SHT_SYMTAB ||
	       section->type == SHT_DYNSYM || elf_section_is(section, ".gnu_debuglink") ||
	       elf_section_is(section, ".gnu_debugaltlink");
}

static struct error *own_names(const struct elf_file *f, struct spending *spending)
{
	struct elf_section section = { 0 };

	while (f->changeable && elf_file_next(f, &section)) {
		if (holds_names(&section) && !elf_file_own(f, &section, spending))
			return error_new(ERROR_UNSUPPORTED,
					 "file is another user's and its symbols are too large to "
					 "copy: run ompdb as that user");
	}
	return NULL;
}

/* ---- opening ------------------------------------------------------------------------------ */

/* Takes what f owns. */
static struct error *finish(struct elf_file *f, struct error *err, struct elf_file *ret)
{
	if (err)
		elf_file_close(f);
	else
		*ret = *f;
	return err;
}

/*
 * libelf allocates for as many sections and segments as the file claims, and a file with holes
 * may claim 2^32 of them. Numbers that do not fit into the header are for objects and cores.
 */
static struct error *check_counts(int fd)
{
	Elf64_Ehdr header = { 0 };

	if (file_read_at(fd, 0, &header, sizeof(header)) == sizeof(header) &&
	    ((!header.e_shnum && header.e_shoff) || header.e_phnum == PN_XNUM))
		return error_new(ERROR_UNSUPPORTED,
				 "file claims more sections or segments than a program has");
	return NULL;
}

/* Others than those whom we trust with all that we do. */
static bool is_changeable(const struct stat *st)
{
	return (st->st_uid != 0 && st->st_uid != geteuid()) || (st->st_mode & S_IWOTH);
}

struct error *elf_file_open(struct file *file, const struct arch *arch, struct spending *spending,
			    struct elf_file *ret)
{
	struct elf_file f = { .fd = TAKE_FD(file->fd), .path = TAKE(file->path) };
	struct stat st; /* of a copy, if it is one */

	elf_version(EV_CURRENT);
	struct error *err = check_counts(f.fd);
	if (!err && fstat(f.fd, &st) == 0 && S_ISREG(st.st_mode)) {
		f.changeable = is_changeable(&st);
		f.elf = elf_begin(f.fd, ELF_C_READ_MMAP, NULL);
	}
	if (!err)
		err = check(f.elf, arch);
	if (!err)
		err = own_names(&f, spending);
	return finish(&f, err, ret);
}

struct error *elf_file_open_image(struct buf *image, const struct arch *arch, struct elf_file *ret)
{
	struct elf_file f = { .fd = -1, .image = image->data };

	elf_version(EV_CURRENT);
	if (image->len)
		f.elf = elf_memory(image->data, image->len);
	*image = (struct buf){ 0 };
	return finish(&f, check(f.elf, arch), ret);
}

bool elf_file_section_of_type(const struct elf_file *f, uint32_t type, struct elf_section *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while (next_header(f, &scn, &header)) {
		if (header.sh_type == type) {
			*ret = section_of(f, scn, &header);
			return true;
		}
	}
	return false;
}

bool elf_file_next_data(const struct elf_file *f, const char *name, struct elf_section *section,
			struct cursor *ret)
{
	while (next_section(f, name, section)) {
		if (section->type == SHT_NOBITS || section->compressed)
			continue;
		Elf_Data *data = elf_getdata(elf_getscn(f->elf, section->index), NULL);
		if (data && data->d_buf) {
			*ret = cursor_of(data->d_buf, data->d_size);
			return true;
		}
	}
	return false;
}

struct cursor elf_file_data(const struct elf_file *f, const char *name)
{
	struct elf_section section = { 0 };
	struct cursor data = { 0 };

	elf_file_next_data(f, name, &section, &data);
	return data;
}

bool elf_file_first_page(const struct elf_file *f, uint64_t *ret)
{
	size_t n = 0;
	GElf_Phdr ph;

	if (!f->elf || elf_getphdrnum(f->elf, &n) != 0)
		return false;
	for (int i = 0; (size_t)i < n && gelf_getphdr(f->elf, i, &ph); i++) {
		if (ph.p_type == PT_LOAD) {
			*ret = ph.p_vaddr & ~(uint64_t)(ph.p_align > 1 ? ph.p_align - 1 : 0);
			return true;
		}
	}
	return false;
}

bool elf_file_has_dwarf(const struct elf_file *f)
{
	struct elf_section info;

	return elf_file_section(f, ".debug_info", &info) && info.type != SHT_NOBITS &&
	       info.size > 0;
}

/* The older way, sections named .zdebug_*: "ZLIB", then the size with its highest byte first. */
static uint64_t zdebug_size(Elf_Scn *scn)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	uint64_t size = 0;

	if (!data || !data->d_buf || data->d_size < 12 || memcmp(data->d_buf, "ZLIB", 4))
		return 0;
	for (size_t i = 4; i < 12; i++)
		size = size << 8 | ((const uint8_t *)data->d_buf)[i];
	return size;
}

uint64_t elf_file_inflated_size(const struct elf_file *f, const struct elf_section *section)
{
	Elf_Scn *scn = elf_getscn(f->elf, section->index);
	GElf_Chdr how;

	if (section->type == SHT_NOBITS)
		return 0;
	if (section->compressed)
		return gelf_getchdr(scn, &how) ? how.ch_size : 0;
	return !strncmp(section->name, ".zdebug", strlen(".zdebug")) ? zdebug_size(scn) : 0;
}

bool elf_file_has_zstd(const struct elf_file *f)
{
	struct elf_section section = { 0 };
	GElf_Chdr how;

	while (elf_file_next(f, &section)) {
		if (section.compressed && gelf_getchdr(elf_getscn(f->elf, section.index), &how) &&
		    how.ch_type == COMPRESS_ZSTD)
			return true;
	}
	return false;
}

/* READ_MMAP: libelf has the headers in memory of its own. */
void elf_file_hide(const struct elf_file *f, const struct elf_section *section)
{
	Elf_Scn *scn = elf_getscn(f->elf, section->index);
	GElf_Shdr header;

	if (!gelf_getshdr(scn, &header))
		return;
	header.sh_type = SHT_NOBITS;
	gelf_update_shdr(scn, &header);
}
