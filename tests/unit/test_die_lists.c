/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/symbols/die_lists.h"

#include <dwarf.h>
#include <fcntl.h>
#include <unistd.h>

#include "symbol_fixture.h"
#include "unit.h"

/* gcc says of entries where they end, clang does not. Classes, and procedures of modules. */
static const char *const programs[] = { "containers-clang-O0", "containers-gcc-O0",
					"called_fortran-gcc-O2" };

/* The path of a walk is what lies around; what was declared elsewhere lies around that. */
static size_t expect_path(struct die_lists *lists, const struct die_walk *w)
{
	Dwarf_Die ret[DIE_DEPTH_MAX], die = w->path[w->depth - 1];

	for (size_t i = 0; i < w->depth; i++) {
		Dwarf_Die here = w->path[i];
		if (dwarf_hasattr(&here, DW_AT_specification))
			return 0;
	}
	ck_assert_uint_eq(die_around(lists, &die, ret), w->depth - 1);
	for (size_t i = 0; i + 1 < w->depth; i++)
		ck_assert_ptr_eq(ret[i].addr, w->path[i].addr);
	return 1;
}

static size_t expect_paths(Dwarf *dwarf, struct die_lists *lists, size_t each)
{
	static struct die_walk w;
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	size_t n = 0, entries = 0;

	while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &root, NULL) == 0) {
		w.left = DIE_ENTRIES_MAX;
		for (bool more = die_walk_start(&w, &root); more; more = die_walk_next(&w, true)) {
			if (entries++ % each == 0)
				n += expect_path(lists, &w);
		}
	}
	return n;
}

START_TEST(what_lies_around_is_the_way_to_it)
{
	struct die_lists lists = { 0 };
	char path[4096];

	if (!symbol_fixture_path(programs[_i], path))
		return;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
	ck_assert_ptr_nonnull(dwarf);
	size_t all = expect_paths(dwarf, &lists, 1);
	ck_assert_uint_gt(all, 100);
	/* Remembered, it is the same once more; and if nothing is, too. */
	ck_assert_uint_eq(expect_paths(dwarf, &lists, 1), all);
	die_lists_fini(&lists);
	ck_assert_uint_gt(expect_paths(dwarf, NULL, 997), all / 2000);
	dwarf_end(dwarf);
	close(fd);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("die_lists");

	unit_table(s, what_lies_around_is_the_way_to_it, programs);
	return unit_run(s);
}
