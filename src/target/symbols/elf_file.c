/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/elf_file.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/elf/elf_header.h"

/* gABI, section compression; <elf.h> lacks it where the C library is older than 2.38. */
enum { COMPRESS_ZSTD = 2 };

void elf_file_close(struct elf_file *f)
{
	elf_end(f->elf);
	free(f->image);
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
	char link[64];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", f->fd);
	ssize_t len = f->fd < 0 ? -1 : readlink(link, ret, PATH_MAX - 1);
	ret[len > 0 ? len : 0] = '\0';
	char *slash = strrchr(ret, '/');
	ret[slash ? slash + 1 - ret : 0] = '\0';
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

/* Takes what f owns. */
static struct error *finish(struct elf_file *f, const struct arch *arch, struct elf_file *ret)
{
	struct error *err = check(f->elf, arch);

	if (err)
		elf_file_close(f);
	else
		*ret = *f;
	return err;
}

struct error *elf_file_open(int fd, const struct arch *arch, struct elf_file *ret)
{
	struct elf_file f = { .fd = fd };
	struct stat st;

	elf_version(EV_CURRENT);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		f.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	return finish(&f, arch, ret);
}

struct error *elf_file_open_image(struct buf *image, const struct arch *arch, struct elf_file *ret)
{
	struct elf_file f = { .fd = -1, .image = image->data };

	elf_version(EV_CURRENT);
	if (image->len)
		f.elf = elf_memory(image->data, image->len);
	*image = (struct buf){ 0 };
	return finish(&f, arch, ret);
}

static const char *name_of(const struct elf_file *f, const GElf_Shdr *header)
{
	size_t names;

	if (elf_getshdrstrndx(f->elf, &names) != 0)
		return "";
	const char *name = elf_strptr(f->elf, names, header->sh_name);
	return name ? name : "";
}

/* ".zdebug_info" is ".debug_info" too: compressed in the older way, or uncompressed by libdw. */
static bool is_named(const char *its, const char *name)
{
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

static struct elf_section section_of(Elf_Scn *scn, const GElf_Shdr *header)
{
	return (struct elf_section){
		.index = elf_ndxscn(scn),
		.type = header->sh_type,
		.addr = header->sh_addr,
		.size = header->sh_size,
		.loaded = header->sh_flags & SHF_ALLOC,
		.compressed = header->sh_flags & SHF_COMPRESSED,
	};
}

/* The one behind *section; index 0 stands before the first. */
static bool next_section(const struct elf_file *f, const char *name, struct elf_section *section)
{
	Elf_Scn *scn = f->elf && section->index ? elf_getscn(f->elf, section->index) : NULL;
	GElf_Shdr header;

	while (next_header(f, &scn, &header)) {
		if (is_named(name_of(f, &header), name)) {
			*section = section_of(scn, &header);
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

bool elf_file_section_of_type(const struct elf_file *f, uint32_t type, struct elf_section *ret)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while (next_header(f, &scn, &header)) {
		if (header.sh_type == type) {
			*ret = section_of(scn, &header);
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

uint64_t elf_file_inflated_size(const struct elf_file *f)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	GElf_Chdr how;
	uint64_t sum = 0;

	while (next_header(f, &scn, &header)) {
		uint64_t size = 0;
		if (header.sh_type == SHT_NOBITS)
			continue;
		if ((header.sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, &how))
			size = how.ch_size;
		else if (!strncmp(name_of(f, &header), ".zdebug", strlen(".zdebug")))
			size = zdebug_size(scn);
		if (__builtin_add_overflow(sum, size, &sum))
			return UINT64_MAX;
	}
	return sum;
}

bool elf_file_has_zstd(const struct elf_file *f)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	GElf_Chdr how;

	while (next_header(f, &scn, &header)) {
		if ((header.sh_flags & SHF_COMPRESSED) && gelf_getchdr(scn, &how) &&
		    how.ch_type == COMPRESS_ZSTD)
			return true;
	}
	return false;
}
