/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/split_dwarf.h"

#include <elfutils/libdw.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/log.h"
#include "target/symbols/dwarf_check.h"

static bool check_dwarf(const struct elf_file *f)
{
	struct elf_section link;

	/* libdw would go on to the file that the link names. */
	if (!dwarf_check_size(f) || elf_file_section(f, ".gnu_debugaltlink", &link))
		return false;
	struct Dwarf *dwarf = dwarf_begin_elf(f->elf, DWARF_C_READ, NULL);
	bool sound = dwarf && dwarf_check_units(f);
	dwarf_end(dwarf);
	return sound;
}

static bool check_file(const char *path)
{
	struct elf_file f = ELF_FILE_CLOSED;
	int fd;
	struct error *err = file_open_regular(path, &fd, NULL);
	bool absent = error_is(err, ERROR_NOT_FOUND);

	if (!err)
		err = elf_file_open(fd, NULL, &f);
	bool sound = absent || (!err && check_dwarf(&f));
	if (!sound)
		log_debug(LOG_SYMBOL, "%s is not used: %s", path,
			  err ? error_message(err) : "damaged");
	error_ignore(err);
	elf_file_close(&f);
	return sound;
}

/*
 * The two places where __libdw_find_split_unit() looks. Without a directory of
 * compilation elfutils 0.188 reads an attribute that it has not got.
 */
bool split_dwarf_is_safe(const char *directory, const char *compiled, const char *name)
{
	AUTO_BUF beside = { 0 };
	AUTO_BUF where_compiled = { 0 };

	if (!compiled || !*name)
		return false;
	buf_addf(&beside, "%s%s", name[0] == '/' ? "" : directory, name);
	buf_addf(&where_compiled, "%s%s/%s", compiled[0] == '/' ? "" : directory, compiled, name);
	if (!buf_ok(&beside) || !buf_ok(&where_compiled) || !check_file(buf_text(&beside)))
		return false;
	return name[0] == '/' || check_file(buf_text(&where_compiled));
}
