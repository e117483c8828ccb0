/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "unit.h"

#include <string.h>

#include "target/core/core_segments.h"

static const char smaps[] =
	"1000-3000 r--p 00000000 08:01 7    /bin/a\nAnonymous:       0 kB\nVmFlags: rd mr \n"
	"3000-5000 r-xp 00002000 08:01 7    /bin/a\nAnonymous:       0 kB\nVmFlags: rd ex mr \n"
	"5000-6000 rw-p 00004000 08:01 7    /bin/a\nAnonymous:       4 kB\nVmFlags: rd wr \n"
	"7000-9000 rw-p 00000000 00:00 0 \nAnonymous:       8 kB\nVmFlags: rd wr dd \n"
	"a000-b000 rw-p 00000000 00:00 0    [heap]\nAnonymous:       0 kB\nVmFlags: rd wr \n"
	"b000-c000 ---p 00000000 00:00 0 \nAnonymous:       0 kB\nVmFlags: mr \n"
	"c000-d000 rw-s 00000000 00:01 9    /dev/zero (deleted)\nVmFlags: rd wr sh \n"
	"d000-e000 rw-s 00000000 08:01 8    /srv/data\nVmFlags: rd wr sh \n"
	"e000-f000 rw-s 00000000 00:05 3    /dev/gpu\nVmFlags: rd wr sh io dd \n"
	"f000-10000 r-xp 00000000 00:00 0    [vdso]\nVmFlags: rd ex de \n"
	"200000-400000 rw-p 00000000 00:00 0 \nAnonymous: 0 kB\nVmFlags: rd wr ht \n";

static bool is_program(void *context, taddr at)
{
	(void)context;
	return at == 0x1000;
}

static const struct {
	unsigned long filter;
	unsigned int pages[11]; /* that go into the core */
} rows[] = {
	{ 0x33, { 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 512 } }, /* the kernel's preset */
	{ 0x00, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 } },
	{ 0x04, { 2, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0 } },
	{ 0x08, { 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0 } },
	{ 0x7f, { 2, 2, 1, 0, 1, 0, 1, 1, 0, 1, 512 } },
};

START_TEST(the_filter_and_the_flags_decide)
{
	AUTO(core_segments_fini) struct core_segments s = { 0 };

	ck_assert_no_error(core_segments_parse(smaps, &s));
	ck_assert_uint_eq(s.len, COUNT(rows[0].pages));
	core_segments_choose(&s, rows[_i].filter, is_program, NULL);
	for (size_t i = 0; i < s.len; i++)
		ck_assert_msg(s.items[i].content == rows[_i].pages[i] * 4096UL, "segment %zu: %lu",
			      i, (unsigned long)s.items[i].content);
}
END_TEST

START_TEST(text_that_makes_no_sense_is_refused)
{
	AUTO(core_segments_fini) struct core_segments s = { 0 };

	ck_assert_error(core_segments_parse("12-zz r--p\n", &s), ERROR_BAD_DATA, "");
	ck_assert_no_error(core_segments_parse("Size: 4 kB\nVmFlags:", &s));
	ck_assert_uint_eq(s.len, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("core_segments");

	unit_table(s, the_filter_and_the_flags_decide, rows);
	unit_case(s, "bad", text_that_makes_no_sense_is_refused);
	return unit_run(s);
}
