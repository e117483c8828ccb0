/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Core_fixture: for each test a directory with a core file and the file of a library, or program,
 * that the core's process had mapped.
 */
#ifndef UNIT_CORE_FIXTURE_H
#define UNIT_CORE_FIXTURE_H

#include <time.h>

#include "core_builder.h"
#include "target/core/core.h"
#include "unit.h"

enum { PAGE = MEMORY_PAGE, LWP = 100, ID = 0xab };
#define DATA UINT64_C(0x10000000)
#define LIB  UINT64_C(0x7f0000000000)
#define VDSO UINT64_C(0x7fff00000000)

struct core_fixture {
	char dir[40], core_path[64], lib_path[64];
	struct core_builder b; /* has one thread, LWP     */
	struct buf core, lib;  /* what is in these files  */
	struct target *t;      /* the core, opened; freed */
};
extern struct core_fixture fix;

/* unit_case() and unit_table() with the fixture. */
#define fix_case(suite, name, ...)                                                                 \
	fix_add_case(suite, name, (const TTest *const[]){ __VA_ARGS__, NULL })
#define fix_table(suite, test, table) fix_add_table(suite, #table, test, COUNT(table))
void fix_add_case(Suite *s, const char *name, const TTest *const *tests);
void fix_add_table(Suite *s, const char *name, const TTest *test, size_t rows);

void fix_save(const char *path, const struct buf *bytes);
/* Seconds since the epoch: when the file was written. */
void fix_set_time(const char *path, time_t seconds);

/* Builds the core file; opens it too, with or without a program. */
void fix_build(void);
void fix_open_core(void);
struct error *fix_open_with(const char *exe);

/* The memory there holds this; cannot be read, and the message says where. */
void fix_check_byte(taddr at, uint8_t value);
void fix_check_missing(taddr at);
/* Opening the file that is mapped there fails so. */
void fix_check_open_error(taddr at, enum error_code code, const char *text);

/* At most 8 pages; page n is full of n + 1. */
const uint8_t *fix_pages(size_t n);

/*
 * Saves a library of three pages in lib_path, and adds it to the core as mapped at LIB from "path":
 * its headers are held by the core, its text and data are left out. 0: no build-id.
 */
void fix_add_lib(uint8_t id_in_core, uint8_t id_in_file, const char *path);

#endif
