/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/process/live_root.h"
#include "unit.h"

#define STATUS(uids, gids, groups)                                                                 \
	"Name:\ta\\nGroups:\nUid:" uids "\nGid:" gids "\nFDSize:\t64\nGroups:" groups              \
	"\nNStgid:\t1\n"

static const struct {
	const char *text;
	uid_t uid;
	gid_t gid;
	size_t ngroups;
	gid_t last;
} owners[] = {
	{ STATUS("\t1\t1\t1\t1", "\t2\t2\t2\t2", "\t3 4 5 "), 1, 2, 3, 5 },
	{ STATUS("\t1\t0\t0\t0", "\t2\t0\t0\t0", " "), 1, 2, 0, 0 },
	{ STATUS("\t0\t1\t0\t1", "\t0\t2\t0\t2", ""), 1, 2, 0, 0 },
	{ STATUS("\t0\t0\t7\t0", "\t0\t0\t8\t0", "\t0"), 7, 8, 1, 0 },
	{ STATUS("\t0\t0\t0\t0", "\t0\t0\t0\t5", "\t4294967294 "), 0, 5, 1, 4294967294 },
};

START_TEST(the_owner_is_the_first_who_is_not_root)
{
	AUTO(file_owner_fini) struct file_owner owner = { 0 };

	ck_assert_no_error(live_root_owner(owners[_i].text, &owner));
	ck_assert_uint_eq(owner.uid, owners[_i].uid);
	ck_assert_uint_eq(owner.gid, owners[_i].gid);
	ck_assert_uint_eq(owner.groups.len, owners[_i].ngroups);
	if (owner.groups.len)
		ck_assert_uint_eq(owner.groups.items[owner.groups.len - 1], owners[_i].last);
}
END_TEST

START_TEST(a_text_that_does_not_tell_is_refused)
{
	AUTO(file_owner_fini) struct file_owner owner = { 0 };

	ck_assert_error(live_root_owner("Name:\ta\n", &owner), ERROR_BAD_DATA, "cannot be seen");
}
END_TEST

START_TEST(our_own_process_is_ours)
{
	struct file_root *root = file_root_new();

	live_root_set(getpid(), root);
	ck_assert(file_root_is_ours(root));
	live_root_set(-1, root);
	ck_assert(!file_root_is_ours(root));
	file_root_free(root);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("live_root");

	unit_table(s, the_owner_is_the_first_who_is_not_root, owners);
	unit_case(s, "live_root", a_text_that_does_not_tell_is_refused, our_own_process_is_ours);
	return unit_run(s);
}
