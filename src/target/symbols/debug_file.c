/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/debug_file.h"

#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/log.h"

/* The polynomial of ISO 3309, which .gnu_debuglink uses too, bit by bit. */
static uint32_t crc_of_byte(uint32_t byte)
{
	for (int bit = 0; bit < 8; bit++)
		byte = byte >> 1 ^ (byte & 1 ? 0xedb88320 : 0);
	return byte;
}

static bool crc_of_file(int fd, uint32_t *ret)
{
	enum { CHUNK = 256 * 1024 };
	uint32_t table[256], crc = 0xffffffff;
	AUTO_FREE uint8_t *chunk = malloc(CHUNK);
	size_t n;

	if (!chunk)
		return false;
	for (uint32_t i = 0; i < 256; i++)
		table[i] = crc_of_byte(i);
	for (uint64_t at = 0; (n = file_read_at(fd, at, chunk, CHUNK)) > 0; at += n) {
		for (size_t i = 0; i < n; i++)
			crc = table[(crc ^ chunk[i]) & 0xff] ^ crc >> 8;
	}
	*ret = ~crc;
	return true;
}

/* What is looked for, and how a candidate proves to be it. */
struct file_search {
	const struct debug_file_wanted *wanted;
	const struct build_id *build_id; /* len 0: by checksum */
	const uint32_t *crc;             /* NULL: by build-id  */
	struct elf_file *ret;
};

static bool proves(int fd, const struct file_search *s)
{
	struct build_id its;
	uint32_t crc;

	build_id_of_file(fd, &its);
	if (its.len && s->build_id->len)
		return build_id_equal(&its, s->build_id);
	return s->crc && crc_of_file(fd, &crc) && crc == *s->crc;
}

static bool open_file(struct file *f, const struct file_search *s)
{
	if (!proves(f->fd, s))
		return false;
	struct error *err = elf_file_open(f, s->wanted->arch, s->wanted->spending, s->ret);
	if (err)
		log_debug(LOG_SYMBOL, "debug file: %s", error_message(err));
	error_ignore(err);
	return !err;
}

/* root NULL: a file that ompdb looks for by itself, in our own root. */
static bool try_path(const struct file_search *s, struct file_root *root, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
static bool try_path(const struct file_search *s, struct file_root *root, const char *fmt, ...)
{
	AUTO_FREE char *path = NULL;
	AUTO_FILE f = FILE_CLOSED;
	va_list args;

	va_start(args, fmt);
	int len = vasprintf(&path, fmt, args);
	va_end(args);
	if (len < 0) {
		path = NULL; /* undefined until now */
		return false;
	}
	struct error *err = root ? file_root_open(root, path, &f) : file_open(path, &f);
	if (err) {
		error_ignore(err);
		return false;
	}
	bool found = open_file(&f, s);
	log_debug(LOG_SYMBOL, "debug file %s: %s", path, found ? "found" : "is another's");
	return found;
}

/* /usr/lib/debug/.build-id/ab/cdef0123.debug */
static bool try_build_id(const struct file_search *s)
{
	static const char fmt[] = "%s/.build-id/%.2s/%s.debug";
	const char *directory = s->wanted->directory;
	struct file_root *root = s->wanted->root;
	char hex[BUILD_ID_HEX];

	build_id_hex(s->build_id, hex);
	return s->build_id->len >= 2 &&
	       ((file_root_is_elsewhere(root) && try_path(s, root, fmt, directory, hex, hex + 2)) ||
		try_path(s, NULL, fmt, directory, hex, hex + 2));
}

/* A plain name, padding to a multiple of 4, the checksum. */
static const char *debuglink(const struct elf_file *f, uint32_t *ret_crc)
{
	struct cursor c = elf_file_data(f, ".gnu_debuglink");
	const char *name = cursor_string(&c);

	if (!name || !*name || strchr(name, '/'))
		return NULL;
	cursor_take(&c, -(strlen(name) + 1) & 3);
	*ret_crc = (uint32_t)cursor_uint(&c, sizeof(*ret_crc));
	return c.bad ? NULL : name;
}

static bool find_by_link(const struct debug_file_wanted *wanted, struct elf_file *ret)
{
	uint32_t crc;
	const char *name = debuglink(wanted->main, &crc);
	const struct file_search s = { wanted, &wanted->build_id, &crc, ret };
	const char *slash = strrchr(wanted->path, '/');

	if (!name || !slash)
		return false;
	int len = (int)(slash - wanted->path);
	const char *dir = wanted->path;
	struct file_root *root = wanted->root;
	return try_path(&s, root, "%.*s/%s", len, dir, name) ||
	       try_path(&s, root, "%.*s/.debug/%s", len, dir, name) ||
	       try_path(&s, root, "%s%.*s/%s", wanted->directory, len, dir, name);
}

static int no_elf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **path,
		  Elf **elf)
{
	(void)module, (void)data, (void)name, (void)base, (void)path, (void)elf;
	return -1;
}

/*
 * libdwfl loads the client for debuginfod when it is needed. A module that has a build-id
 * and nothing else is all it wants to know.
 */
static bool find_by_server(const struct file_search *s)
{
	static const Dwfl_Callbacks callbacks = { .find_elf = no_elf };
	const struct build_id *id = s->build_id;
	Dwfl *dwfl = s->wanted->debuginfod && id->len ? dwfl_begin(&callbacks) : NULL;
	AUTO_FILE f = FILE_CLOSED;

	if (!dwfl)
		return false;
	Dwfl_Module *module = dwfl_report_module(dwfl, "wanted", 0, 1);
	if (module && !dwfl_module_report_build_id(module, id->bytes, id->len, 0))
		f.fd = dwfl_standard_find_debuginfo(module, NULL, NULL, 0, NULL, NULL, 0, &f.path);
	bool found = f.fd >= 0 && fstat(f.fd, &f.st) == 0 && open_file(&f, s);
	dwfl_end(dwfl);
	return found;
}

bool debug_file_find(const struct debug_file_wanted *wanted, struct elf_file *ret)
{
	const struct file_search s = { wanted, &wanted->build_id, NULL, ret };

	return try_build_id(&s) || find_by_link(wanted, ret) || find_by_server(&s);
}

/* A name, then a build-id up to the end. */
static const char *debugaltlink(const struct elf_file *f, struct build_id *ret)
{
	struct cursor c = elf_file_data(f, ".gnu_debugaltlink");
	const char *name = cursor_string(&c);

	*ret = (struct build_id){ .len = cursor_left(&c) };
	if (!name || !ret->len || ret->len > BUILD_ID_MAX)
		return NULL;
	memcpy(ret->bytes, c.p, ret->len);
	return name;
}

bool debug_file_find_alt(const struct debug_file_wanted *wanted, struct elf_file *ret,
			 char **ret_name)
{
	struct elf_section section;
	struct build_id id;
	const char *name = debugaltlink(wanted->main, &id);
	const struct file_search s = { wanted, &id, NULL, ret };
	char dir[PATH_MAX] = "";

	*ret_name = NULL;
	if (!elf_file_section(wanted->main, ".gnu_debugaltlink", &section))
		return true;
	if (name) {
		if (name[0] != '/')
			elf_file_directory(wanted->main, dir);
		if (try_build_id(&s) || try_path(&s, wanted->root, "%s%s", dir, name) ||
		    find_by_server(&s))
			return true;
	}
	*ret_name = strdup(name ? name : "a file whose name is damaged");
	return false;
}
