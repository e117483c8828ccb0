/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/split_dwarf.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "base/log.h"
#include "target/symbols/dwarf_open.h"
#include "target/symbols/dwo_image.h"

/* ---- a copy ----------------------------------------------------------------------------- */

/* In memory, but with a name: /proc/self/fd/N. */
static struct error *copy_file(const struct split_dwarf *from, const char *path, int *ret_fd)
{
	AUTO_FILE f = FILE_CLOSED;
	struct error *err = file_root_open(from->root, path, &f);

	if (err)
		return err;
	if (!budget_spend(from->spending, (uint64_t)f.st.st_size))
		return error_new(ERROR_UNSUPPORTED, "%s is too large", path);
	AUTO_CLOSE int copy = memfd_create("dwo", MFD_CLOEXEC);
	if (copy < 0 || fchmod(copy, 0400) < 0) /* 0777 at first: as if others could write */
		return error_os(errno, "copying %s", path);
	for (ssize_t left = f.st.st_size, n; left > 0; left -= n) {
		n = sendfile(copy, f.fd, NULL, (size_t)left);
		if (n <= 0)
			return error_new(ERROR_BAD_DATA, "%s cannot be read", path);
	}
	*ret_fd = TAKE_FD(copy);
	return NULL;
}

static struct error *file_of_image(const struct buf *image, int *ret_fd)
{
	AUTO_CLOSE int copy = memfd_create("dwo", MFD_CLOEXEC);

	if (copy < 0 || fchmod(copy, 0400) < 0)
		return error_os(errno, "making a .dwo file");
	for (size_t at = 0; at < image->len;) {
		ssize_t n = write(copy, image->data + at, image->len - at);
		if (n <= 0)
			return error_os(errno, "making a .dwo file");
		at += (size_t)n;
	}
	*ret_fd = TAKE_FD(copy);
	return NULL;
}

/* What libdw would not read. */
static struct error *mend_copy(struct spending *spending, int *fd)
{
	struct elf_file f = ELF_FILE_CLOSED;
	AUTO_FILE copy = FILE_CLOSED;
	AUTO_BUF image = { 0 };

	struct error *err = file_reopen(*fd, &copy.fd);
	if (!err)
		err = elf_file_open(&copy, NULL, spending, &f);
	if (!err && dwo_image_is_needed(&f)) {
		err = dwo_image_merge(&f, spending, &image);
		close(*fd);
		*fd = -1;
		if (!err)
			err = file_of_image(&image, fd);
	}
	elf_file_close(&f);
	return err;
}

static bool has_unit(Dwarf *dwarf, uint64_t id)
{
	Dwarf_CU *unit = NULL;
	uint64_t its;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, NULL, NULL) == 0) {
		if (!dwarf_cu_info(unit, NULL, NULL, NULL, NULL, &its, NULL, NULL) && its == id)
			return true;
	}
	return false;
}

/* Reads it once as libdw is going to. */
static struct error *check_copy(int fd, uint64_t id, struct spending *spending)
{
	struct elf_file f = ELF_FILE_CLOSED;
	AUTO_FILE copy = FILE_CLOSED;
	struct elf_section link;
	struct Dwarf *dwarf = NULL;

	struct error *err = file_reopen(fd, &copy.fd);
	if (!err)
		err = elf_file_open(&copy, NULL, spending, &f);
	/* libdw would go on to the file that the link names. */
	if (!err && elf_file_section(&f, ".gnu_debugaltlink", &link))
		err = error_new(ERROR_UNSUPPORTED, "file has a part that lies in another one");
	if (!err)
		err = dwarf_open(&f, DWARF_OPEN_ALL, spending, &dwarf);
	if (!err && (!dwarf || !has_unit(dwarf, id)))
		err = error_new(ERROR_NOT_FOUND, "file is of another program");
	dwarf_end(dwarf);
	elf_file_close(&f);
	return err;
}

static struct error *open_copy(const struct split_dwarf *from, const char *path, uint64_t id,
			       int *ret_fd)
{
	AUTO_CLOSE int fd = -1;
	struct error *err = copy_file(from, path, &fd);

	if (!err)
		err = mend_copy(from->spending, &fd);
	if (!err)
		err = error_add(check_copy(fd, id, from->spending), "%s", path);
	if (!err)
		*ret_fd = TAKE_FD(fd);
	return err;
}

/* Beside the program, or where it was compiled, as __libdw_find_split_unit() looks, too. */
static struct error *find_copy(const struct split_dwarf *from, uint64_t id, int *ret_fd)
{
	const char *name = from->name, *compiled = from->compiled;
	AUTO_BUF path = { 0 };

	buf_addf(&path, "%s%s", name[0] == '/' ? "" : from->directory, name);
	struct error *err = open_copy(from, buf_text(&path), id, ret_fd);
	if (!error_is(err, ERROR_NOT_FOUND) || name[0] == '/' || !compiled)
		return err;
	path.len = 0;
	buf_addf(&path, "%s%s/%s", compiled[0] == '/' ? "" : from->directory, compiled, name);
	error_ignore(err);
	return open_copy(from, buf_text(&path), id, ret_fd);
}

/* ---- packages --------------------------------------------------------------------------- */

void dwo_package_close(struct dwo_package *p)
{
	elf_file_close(&p->file);
	free(p->path);
	*p = (struct dwo_package){ .file = ELF_FILE_CLOSED };
}

/* NULL: there is none. */
static const struct elf_file *package_of(const struct split_dwarf *from)
{
	struct dwo_package *p = from->package;
	AUTO_FILE f = FILE_CLOSED;

	if (p->tried || !p->path)
		return p->file.elf ? &p->file : NULL;
	p->tried = true;
	struct error *err = file_root_open(from->root, p->path, &f);
	if (!err)
		err = elf_file_open(&f, NULL, from->spending, &p->file);
	if (err)
		log_debug(LOG_SYMBOL, "%s", error_message(err));
	error_ignore(err);
	return p->file.elf ? &p->file : NULL;
}

static struct error *extract(const struct split_dwarf *from, uint64_t id, int *ret_fd)
{
	const struct elf_file *package = package_of(from);
	AUTO_CLOSE int fd = -1;
	AUTO_BUF image = { 0 };

	if (!package)
		return error_new(ERROR_NOT_FOUND, "there is no package");
	struct error *err = dwo_image_extract(package, id, from->spending, &image);
	if (!err)
		err = file_of_image(&image, &fd);
	if (!err)
		err = check_copy(fd, id, from->spending);
	if (!err)
		*ret_fd = TAKE_FD(fd);
	return error_add(err, "%s", from->package->path);
}

bool dwo_package_unit_of_type(const struct dwo_package *p, uint64_t signature, uint64_t *ret_id)
{
	return p->file.elf && dwo_image_unit_of_type(&p->file, signature, ret_id);
}

static struct error *find(const struct split_dwarf *from, uint64_t id, int *ret_fd)
{
	struct error *err = find_copy(from, id, ret_fd);

	if (error_is(err, ERROR_NOT_FOUND)) {
		struct error *other = extract(from, id, ret_fd);
		if (!error_is(other, ERROR_NOT_FOUND)) {
			error_ignore(err);
			return other;
		}
		error_ignore(other);
	}
	if (!error_is(err, ERROR_NOT_FOUND))
		return err;
	log_debug(LOG_SYMBOL, "%s", error_message(err));
	error_ignore(err);
	return error_new(ERROR_NOT_FOUND, "%s not found", from->name);
}

/* ---- libdw ------------------------------------------------------------------------------ */

enum { PAGE = 4096, PATH_LEN = sizeof("/proc/self/fd/2147483647") };

/* The section that a name is in. NULL: none. */
static Elf_Scn *section_of(Dwarf *dwarf, const char *name)
{
	Elf *elf = dwarf_getelf(dwarf);
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = elf_getdata(scn, NULL);
		const char *start = data ? data->d_buf : NULL;
		if (start && start <= name && name < start + data->d_size)
			return scn;
	}
	return NULL;
}

/* For a name at the end of its section, in place of which there is a copy for the time of the call.
 * Which of both descriptions libdw has depends on its version. */
static bool link_at_end(Dwarf_Die *skeleton, const char *name, const char *path, Dwarf_Die *ret)
{
	Elf_Scn *scn = section_of(dwarf_cu_getdwarf(skeleton->cu), name);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL, *raw = elf_rawdata(scn, NULL);
	size_t len = strlen(path) + 1;
	AUTO_FREE char *copy = data && raw ? malloc(data->d_size + len) : NULL;
	Dwarf_Die split = { 0 };

	if (!copy)
		return false;
	const struct {
		char *data, *raw;
	} whole = { data->d_buf, raw->d_buf };
	memcpy(copy, whole.data, data->d_size);
	memcpy(copy + (name - whole.data), path, len);
	data->d_buf = copy;
	raw->d_buf = copy;
	dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
	data->d_buf = whole.data;
	raw->d_buf = whole.raw;
	*ret = split;
	return split.addr;
}

/*
 * libdw opens a file by no other name than the one in the skeleton. For the time of the call
 * the copy's stands there, in our own memory: the file is mapped MAP_PRIVATE, or unpacked. The
 * next strings are in the way if it is longer, but nobody reads them meanwhile; names that stand
 * in the entry itself (DW_FORM_string) have entries behind them, which libdw does read.
 */
static bool link_copy(const struct split_dwarf *from, Dwarf_Die *skeleton, int fd, Dwarf_Die *ret)
{
	char path[PATH_LEN], saved[PATH_LEN], *name = (char *)from->name;
	char *page = (char *)((uintptr_t)name & ~(uintptr_t)(PAGE - 1));
	size_t len = (size_t)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd) + 1;
	size_t room = from->in_entry ? strlen(name) + 1 : dwarf_check_room(from->spans, name);
	Dwarf_Die split = { 0 };

	if (room < len && !from->in_entry)
		return link_at_end(skeleton, name, path, ret);
	if (room < len || mprotect(page, (size_t)(name - page) + len, PROT_READ | PROT_WRITE) != 0)
		return false;
	memcpy(saved, name, len);
	memcpy(name, path, len);
	dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
	memcpy(name, saved, len);
	*ret = split;
	return split.addr;
}

struct error *split_dwarf_open(const struct split_dwarf *from, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	AUTO_CLOSE int fd = -1;
	uint64_t id;
	struct error *err = NULL;

	if (dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0)
		return error_new(ERROR_BAD_DATA, "%s has no identity", from->name);
	err = find(from, id, &fd);
	if (!err && !link_copy(from, skeleton, fd, ret))
		err = error_new(ERROR_UNSUPPORTED, "%s cannot be read", from->name);
	return err;
}
