/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/debuginfo.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sigbus.h"
#include "target/symbols/debug_file.h"
#include "target/symbols/dwarf_open.h"
#include "target/symbols/elf_file.h"
#include "target/symbols/elf_image.h"

#define DEBUG_DIRECTORY "/usr/lib/debug"

enum { NOTE_MAX = 1024 };

struct debuginfo {
	struct elf_file main, debug, alt; /* owned; debug: .gnu_debuglink and the like, alt: dwz */
	struct exports *exports;          /* owned; where there is no main; NULL: none          */
	struct Dwarf *dwarf, *alt_dwarf;  /* owned                                             */
	struct buf note;                  /* owned                                             */
	struct spending spending;         /* of all of these                                   */
	const struct debuginfo_set *set;  /* borrowed                                          */
	const struct module *module;      /* borrowed                                          */
	char *directory;                  /* owned; of the file with the DWARF; NULL: unknown   */
	bool debug_sought, dwarf_sought;
};

struct debuginfo_set {
	char *directory;             /* owned    */
	struct module_list *modules; /* borrowed */
	bool debuginfod, libc_lines;
};

struct debuginfo_set *debuginfo_set_new(struct module_list *modules,
					const struct debuginfo_options *options)
{
	struct debuginfo_set *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	sigbus_guard();
	s->modules = modules;
	if (options->memory)
		modules->budget.left = options->memory;
	s->debuginfod = options->debuginfod;
	s->libc_lines = options->libc_lines;
	s->directory = strdup(options->directory ? options->directory : DEBUG_DIRECTORY);
	if (!s->directory) {
		debuginfo_set_free(s);
		return NULL;
	}
	return s;
}

static void debuginfo_free(void *data)
{
	struct debuginfo *d = data;

	dwarf_end(d->dwarf);
	dwarf_end(d->alt_dwarf);
	elf_file_close(&d->alt);
	elf_file_close(&d->debug);
	elf_file_close(&d->main);
	budget_return(&d->spending);
	exports_free(d->exports);
	buf_fini(&d->note);
	free(d->directory);
	free(d);
}

void debuginfo_set_free(struct debuginfo_set *s)
{
	if (!s)
		return;
	free(s->directory);
	free(s);
}

struct module_list *debuginfo_modules(struct debuginfo_set *s)
{
	return s->modules;
}

const char *debuginfo_note(const struct debuginfo *d)
{
	return d->note.len ? d->note.data : NULL;
}

void debuginfo_add_note(struct debuginfo *d, const char *fmt, ...)
{
	AUTO_FREE char *text = NULL;
	va_list args;

	va_start(args, fmt);
	int n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		text = NULL;
	if (!text || d->note.len + (size_t)n > NOTE_MAX || strstr(buf_text(&d->note), text))
		return;
	buf_addf(&d->note, "%s%s", d->note.len ? "; " : "", text);
}

/* NULL: the file is the one that is mapped, as far as can be told. */
static struct error *check_identity(struct debuginfo *d, const struct file *f)
{
	const struct module *m = d->module;
	struct build_id id;

	build_id_of_file(f->fd, &id);
	if (m->build_id.len && !build_id_equal(&id, &m->build_id))
		return error_new(ERROR_NOT_FOUND, "file was replaced since it was mapped");
	if (!m->build_id.len && m->map.inode && f->st.st_ino != m->map.inode)
		debuginfo_add_note(d, "file may have been replaced since it was mapped, and has no "
				      "build-id to tell");
	return NULL;
}

static struct error *open_main(struct debuginfo *d)
{
	struct target *t = d->set->modules->target;
	const struct module *m = d->module;
	AUTO_BUF image = { 0 };
	AUTO_FILE f = FILE_CLOSED;
	struct error *err;

	if (m->is_vdso) {
		err = elf_image_of_vdso(t, m, &image);
		return err ? err : elf_file_open_image(&image, t->arch, &d->main);
	}
	err = target_open_file(t, &m->map, &f);
	if (!err)
		err = check_identity(d, &f);
	return err ? err : elf_file_open(&f, t->arch, &d->spending, &d->main);
}

static void open_files(struct debuginfo *d)
{
	AUTO_ERROR *err = open_main(d);
	AUTO_ERROR *second = NULL;

	if (err) {
		if (!d->module->is_vdso)
			second = exports_read(d->set->modules->target, d->module,
					      &d->set->modules->budget, &d->exports);
		debuginfo_add_note(d, "%s%s", error_message(err),
				   d->exports ? ": names only from exported symbols in memory"
					      : "");
	}
	if (second)
		log_debug(LOG_SYMBOL, "%s: %s", d->module->path, error_message(second));
	/* A descriptor is needed by libdw alone, and there may be many modules. */
	if (!elf_file_has_dwarf(&d->main))
		elf_file_drop_fd(&d->main);
}

/* The set, and what is borrowed with it, are those of the list that it has opened the files for. */
static void debuginfo_move(void *data, struct target *t, const struct module *m)
{
	struct debuginfo *d = data;

	d->module = m;
	if (d->exports)
		exports_move(d->exports, t, m);
}

static const struct part_ops part_ops = { debuginfo_free, debuginfo_move };

struct debuginfo *debuginfo_get(struct debuginfo_set *s, struct module *m)
{
	struct debuginfo *d = m->parts[MODULE_FILES].data;

	if (d)
		return d;
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->main = d->debug = d->alt = ELF_FILE_CLOSED;
	d->set = s;
	d->spending.from = &s->modules->budget;
	d->module = m;
	open_files(d);
	module_hang(m, MODULE_FILES, d, &part_ops);
	return d;
}

static struct debug_file_wanted wanted_for(struct debuginfo *d, const struct elf_file *f)
{
	return (struct debug_file_wanted){
		.main = f,
		.root = d->set->modules->target->root,
		.path = d->module->path,
		.build_id = d->module->build_id,
		.directory = d->set->directory,
		.arch = d->set->modules->target->arch,
		.debuginfod = d->set->debuginfod,
		.spending = &d->spending,
	};
}

/* Finds the separate debug file when it is first needed. */
static const struct elf_file *debug_file(struct debuginfo *d)
{
	const struct debug_file_wanted wanted = wanted_for(d, &d->main);
	uint64_t main_page, debug_page;

	if (d->debug_sought)
		return &d->debug;
	d->debug_sought = true;
	if (!debug_file_find(&wanted, &d->debug))
		return &d->debug;
	if (elf_file_first_page(&d->main, &main_page) &&
	    elf_file_first_page(&d->debug, &debug_page) && main_page != debug_page) {
		debuginfo_add_note(d, "its debug file is for other addresses");
		elf_file_close(&d->debug);
	}
	return &d->debug;
}

static bool add_symtab(const struct elf_file *f, uint32_t type, struct debuginfo_symtab *ret,
		       size_t *n)
{
	struct elf_section section;

	if (!elf_file_section_of_type(f, type, &section) || section.compressed)
		return false;
	ret[(*n)++] = (struct debuginfo_symtab){ .elf = f->elf, .section = section.index };
	return true;
}

size_t debuginfo_symtabs(struct debuginfo *d, struct debuginfo_symtab ret[4])
{
	size_t n = 0;

	if (!add_symtab(&d->main, SHT_SYMTAB, ret, &n))
		add_symtab(debug_file(d), SHT_SYMTAB, ret, &n);
	add_symtab(&d->main, SHT_DYNSYM, ret, &n);
	if (d->exports)
		ret[n++] = (struct debuginfo_symtab){ .exports = d->exports };
	return n;
}

/* NULL: there is none, and a note says why. */
static struct Dwarf *read_dwarf(struct debuginfo *d, struct elf_file *f)
{
	struct Dwarf *dwarf = NULL;
	struct error *err = dwarf_open(f, DWARF_OPEN_NEEDED, &d->spending, &dwarf);

	if (err)
		debuginfo_add_note(d, "%s", error_message(err));
	error_ignore(err);
	return dwarf;
}

/*
 * The file that several others share, where f names one. false: it is not there. libdw would
 * look for it by itself, and for one that it names in turn, and would open whatever has the name.
 */
static bool open_alt(struct debuginfo *d, const struct elf_file *f)
{
	const struct debug_file_wanted wanted = wanted_for(d, f);
	struct elf_section link;
	AUTO_FREE char *name = NULL;

	if (!debug_file_find_alt(&wanted, &d->alt, &name)) {
		debuginfo_add_note(d, "its debug information needs %s, which is missing",
				   name ? name : "a file");
		return false;
	}
	if (!d->alt.elf)
		return true;
	if (elf_file_section(&d->alt, ".gnu_debugaltlink", &link))
		return false;
	d->alt_dwarf = read_dwarf(d, &d->alt);
	return d->alt_dwarf;
}

static void open_dwarf(struct debuginfo *d, struct elf_file *f)
{
	char directory[PATH_MAX];

	if (!open_alt(d, f))
		return;
	elf_file_directory(f, directory);
	d->directory = strdup(directory);
	struct Dwarf *dwarf = read_dwarf(d, f);
	if (elf_file_has_zstd(f))
		debuginfo_add_note(d,
				   "debug sections are compressed with zstd, which this elfutils "
				   "cannot read: run objcopy --decompress-debug-sections on the "
				   "file");
	if (dwarf && d->alt_dwarf)
		dwarf_setalt(dwarf, d->alt_dwarf);
	d->dwarf = dwarf;
}

/* The files of glibc and musl: beginnings of their names. */
static bool is_c_library(const struct module *m)
{
	static const char *const names[] = {
		"libc.so",    "libc-2.",    "libm.so",  "libm-2.",    "libmvec",
		"libpthread", "ld-linux-x", "ld-2.",    "libdl.so",   "libdl-2.",
		"librt.so",   "librt-2.",   "ld-musl-", "libc.musl-",
	};
	const char *name = module_name(m);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	}
	return false;
}

static bool wants_debug_file(const struct debuginfo *d)
{
	return d->set->libc_lines || !is_c_library(d->module);
}

struct Dwarf *debuginfo_dwarf(struct debuginfo *d)
{
	if (!d->dwarf_sought) {
		d->dwarf_sought = true;
		if (elf_file_has_dwarf(&d->main))
			open_dwarf(d, &d->main);
		else if (wants_debug_file(d) && elf_file_has_dwarf(debug_file(d)))
			open_dwarf(d, &d->debug);
	}
	return d->dwarf;
}

const struct elf_file *debuginfo_dwarf_file(const struct debuginfo *d)
{
	return elf_file_has_dwarf(&d->main) ? &d->main : &d->debug;
}

struct spending *debuginfo_spending(struct debuginfo *d)
{
	return &d->spending;
}

const char *debuginfo_dwarf_directory(const struct debuginfo *d)
{
	return d->directory ? d->directory : "";
}

bool debuginfo_section(struct debuginfo *d, const char *name, taddr *ret_addr, uint64_t *ret_size)
{
	struct elf_section section;

	if (!elf_file_section(&d->main, name, &section) || !section.loaded)
		return false;
	*ret_addr = section.addr + d->module->bias;
	*ret_size = section.size;
	return true;
}
