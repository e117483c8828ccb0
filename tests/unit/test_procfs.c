/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/process/procfs.h"
#include "unit.h"

static void map_list_cleanup(struct map_list *l)
{
	map_list_fini(l);
}
#define AUTO_MAPS AUTO(map_list_cleanup) struct map_list

/* --- maps: one line --- */

#define RX (MAP_READ | MAP_EXEC)
#define RW (MAP_READ | MAP_WRITE)

static const struct {
	const char *line;
	struct map map; /* without a path: the line makes no sense */
} lines[] = {
	{ "00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/dbus-daemon\n",
	  { 0x400000, 0x452000, 0x1000, 173521, 8, 2, RX, "/usr/bin/dbus-daemon" } },
	{ "7f2a10000000-7f2a10021000 rw-p 00000000 00:00 0 \n",
	  { 0x7f2a10000000, 0x7f2a10021000, 0, 0, 0, 0, RW, "" } },
	{ "7f2a10000000-7f2a10021000 ---s 00000000 00:00 0",
	  { 0x7f2a10000000, 0x7f2a10021000, 0, 0, 0, 0, MAP_SHARED_, "" } },
	{ "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0          [vsyscall]\n",
	  { 0xffffffffff600000, 0xffffffffff601000, 0, 0, 0, 0, MAP_EXEC, "[vsyscall]" } },
	{ "0-ffffffffffffffff rwxs ffffffffffffffff ffffffff:ffffffff 18446744073709551615 /x\n",
	  { 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX, UINT32_MAX,
	    RW | MAP_EXEC | MAP_SHARED_, "/x" } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/name with  spaces \n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/tmp/name with  spaces " } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/two\\012lines\\012\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/tmp/two\nlines\n" } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/\\01\\0123\\\\012\\\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/tmp/\\01\n3\\\n\\" } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/a.out (deleted)\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ | MAP_DELETED, "/tmp/a.out" } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/a (deleted) (deleted)\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ | MAP_DELETED, "/tmp/a (deleted)" } },
	{ "1000-2000 r--p 0 fe:01 7 /tmp/a (deleted)b\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/tmp/a (deleted)b" } },
	{ "1000-2000 rw-s 0 00:01 0 /SYSV00000000 (deleted)\n",
	  { 0x1000, 0x2000, 0, 0, 0, 1, RW | MAP_SHARED_ | MAP_DELETED, "/SYSV00000000" } },
	{ "1000-2000 rw-p 0 00:00 0 [anon:pool (deleted)\n",
	  { 0x1000, 0x2000, 0, 0, 0, 0, RW, "[anon:pool (deleted)" } },
	{ "1000-2000 r--p 0 fe:01 7 /\033[31m\xff\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/\033[31m\xff" } },
	/* a path that looks like a line */
	{ "1000-2000 r--p 0 fe:01 7 /3000-4000 r--p 0 fe:01 7 /y\n",
	  { 0x1000, 0x2000, 0, 7, 0xfe, 1, MAP_READ, "/3000-4000 r--p 0 fe:01 7 /y" } },

	{ "\n", { 0 } },
	{ " 1000-2000 r--p 0 fe:01 7 /x\n", { 0 } },
	{ "1000 2000 r--p 0 fe:01 7 /x\n", { 0 } },
	{ "1000-2000r--p 0 fe:01 7 /x\n", { 0 } },
	{ "1000-2000 r--x 0 fe:01 7 /x\n", { 0 } },
	{ "1000-2000 r-- 0 fe:01 7 /x\n", { 0 } },
	{ "1000-2000 r--p g fe:01 7 /x\n", { 0 } },
	{ "1000-2000 r--p 0 fe01 7 /x\n", { 0 } },
	{ "1000-2000 r--p 0 fe:01 7/x\n", { 0 } },
	{ "1000-2000 r--p 0 fe:01 \n", { 0 } },
	{ "1000-2000 r--p 0 fe:01", { 0 } },
	{ "1000-200", { 0 } },
	{ "1000-1000 r--p 0 fe:01 7 /empty\n", { 0 } },
	{ "2000-1000 r--p 0 fe:01 7 /backwards\n", { 0 } },
	{ "-1000-2000 r--p 0 fe:01 7 /x\n", { 0 } },
	{ "0x1000-0x2000 r--p 0 fe:01 7 /x\n", { 0 } },
	{ "1000-10000000000000000 r--p 0 fe:01 7 /too-large\n", { 0 } },
	{ "1000-2000 r--p 0 100000000:01 7 /too-large\n", { 0 } },
	{ "1000-2000 r--p 0 fe:01 18446744073709551616 /too-large\n", { 0 } },
	{ "1000-2000 r--p 0 fe:01 99999999999999999999999 /too-large\n", { 0 } },
};

START_TEST(parse_maps_reads_a_line_or_refuses_it)
{
	AUTO_MAPS list = { 0 };
	const struct map *want = &lines[_i].map;
	struct error *err = procfs_parse_maps(lines[_i].line, false, &list);

	if (!want->path) {
		ck_assert_error(err, ERROR_BAD_DATA, "line 1 of the memory map makes no sense");
		ck_assert_uint_eq(list.len, 0);
		return;
	}
	ck_assert_no_error(err);
	ck_assert_uint_eq(list.len, 1);
	const struct map *got = &list.items[0];
	ck_assert_uint_eq(got->start, want->start);
	ck_assert_uint_eq(got->end, want->end);
	ck_assert_uint_eq(got->offset, want->offset);
	ck_assert_uint_eq(got->inode, want->inode);
	ck_assert_uint_eq(got->dev_major, want->dev_major);
	ck_assert_uint_eq(got->dev_minor, want->dev_minor);
	ck_assert_uint_eq(got->flags, want->flags);
	ck_assert_str_eq(got->path, want->path);
}
END_TEST

/* --- maps: lists --- */

static const char three_lines[] = "1000-2000 r--p 0 fe:01 7 /x\n"
				  "2000-3000 rw-p 0 00:00 0 \n"
				  "5000-6000 rw-p 0 00:00 0     [heap]\n";

START_TEST(parse_maps_of_nothing_is_nothing)
{
	AUTO_MAPS list = { 0 };

	ck_assert_no_error(procfs_parse_maps("", false, &list));
	ck_assert_uint_eq(list.len, 0);
}
END_TEST

START_TEST(parse_maps_keeps_named_mappings_only_when_asked)
{
	AUTO_MAPS all = { 0 };
	AUTO_MAPS named = { 0 };

	ck_assert_no_error(procfs_parse_maps(three_lines, false, &all));
	ck_assert_no_error(procfs_parse_maps(three_lines, true, &named));
	ck_assert_uint_eq(all.len, 3);
	ck_assert_uint_eq(named.len, 2);
	ck_assert_str_eq(named.items[1].path, "[heap]");
}
END_TEST

START_TEST(parse_maps_appends)
{
	AUTO_MAPS list = { 0 };

	ck_assert_no_error(procfs_parse_maps(three_lines, false, &list));
	ck_assert_no_error(procfs_parse_maps("7000-8000 r--p 0 0:0 0\n", false, &list));
	ck_assert_uint_eq(list.len, 4);
	ck_assert_uint_eq(list.items[3].start, 0x7000);
}
END_TEST

START_TEST(parse_maps_leaves_the_list_alone_on_error)
{
	AUTO_MAPS list = { 0 };

	ck_assert_no_error(procfs_parse_maps(three_lines, false, &list));
	ck_assert_error(
		procfs_parse_maps("7000-8000 r--p 0 0:0 1 /z\nnonsense \033\n", false, &list),
		ERROR_BAD_DATA, "line 2 of the memory map makes no sense: 'nonsense \\x1b'");
	ck_assert_uint_eq(list.len, 3);
	ck_assert_str_eq(list.items[2].path, "[heap]");
}
END_TEST

static const char *const disorders[] = {
	"3000-4000 r--p 0 0:0 0\n1000-2000 r--p 0 0:0 0\n",
	"1000-3000 r--p 0 0:0 0\n2000-4000 r--p 0 0:0 0\n",
	"1000-3000 r--p 0 0:0 0\n1000-3000 r--p 0 0:0 0\n",
	"3000-4000 r--p 0 0:0 0\n1000-2000 r--p 0 0:0 1 /only-this-has-a-name\n",
};

START_TEST(parse_maps_refuses_overlaps_and_disorder)
{
	AUTO_MAPS list = { 0 };

	ck_assert_error(procfs_parse_maps(disorders[_i], true, &list), ERROR_BAD_DATA, "line 2");
	ck_assert_uint_eq(list.len, 0);
}
END_TEST

static const struct {
	taddr addr;
	int index; /* -1: none */
} finds[] = {
	{ 0, -1 },     { 0xfff, -1 },  { 0x1000, 0 },      { 0x1fff, 0 },
	{ 0x2000, 1 }, { 0x2fff, 1 },  { 0x3000, -1 },     { 0x4fff, -1 },
	{ 0x5000, 2 }, { 0x6000, -1 }, { UINT64_MAX, -1 },
};

START_TEST(find_gives_the_mapping_around_an_address)
{
	AUTO_MAPS list = { 0 };

	ck_assert_ptr_null(map_list_find(&list, finds[_i].addr));
	ck_assert_no_error(procfs_parse_maps(three_lines, false, &list));
	const struct map *want = finds[_i].index < 0 ? NULL : &list.items[finds[_i].index];
	ck_assert_ptr_eq(map_list_find(&list, finds[_i].addr), want);
}
END_TEST

static void read_own_maps(struct map_list *ret)
{
	AUTO_BUF text = { 0 };

	ck_assert_no_error(buf_add_file(&text, "/proc/self/maps", 1 << 22));
	ck_assert_no_error(procfs_parse_maps(buf_text(&text), false, ret));
}

/* Maps a page of a new file with that name in a folder of its own, then removes both or not. */
START_TEST(maps_of_this_process_show_hostile_and_deleted_names)
{
	static const char *const names[] = { "plain", "with space ", "two\nlines", " (deleted)",
					     "\033[31m\\" };
	char folder[] = "/tmp/ompdb-procfs-XXXXXX", path[128];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (size_t i = 0; i < 2 * COUNT(names); i++) {
		AUTO_MAPS list = { 0 };
		snprintf(path, sizeof(path), "%s/%s!", folder, names[i / 2]);
		AUTO_CLOSE int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		ck_assert_int_ge(fd, 0);
		ck_assert_int_eq(ftruncate(fd, 4096), 0);
		void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
		ck_assert_ptr_ne(page, MAP_FAILED);
		if (i % 2)
			unlink(path);
		read_own_maps(&list);
		unlink(path);
		const struct map *m = map_list_find(&list, (uintptr_t)page);
		ck_assert_ptr_nonnull(m);
		ck_assert_str_eq(m->path, path);
		ck_assert_uint_eq(m->flags, MAP_READ | MAP_SHARED_ | (i % 2 ? MAP_DELETED : 0));
		ck_assert_uint_ne(m->inode, 0);
		munmap(page, 4096);
	}
	rmdir(folder);
}
END_TEST

/* --- status --- */

static const char user_status[] = "Name:\ta: b\\nState:\\tX\\\\\n"
				  "Umask:\t0022\n"
				  "State:\tS (sleeping)\n"
				  "Tgid:\t1234\n"
				  "Ngid:\t0\n"
				  "Pid:\t1235\n"
				  "PPid:\t1\n"
				  "TracerPid:\t99\n"
				  "Uid:\t1000\t1001\t1002\t1003\n"
				  "Gid:\t5\t6\t7\t8\n"
				  "VmPeak:\t    2948 kB\n"
				  "VmSize:\t    2948 kB\n"
				  "Threads:\t64\n"
				  "CapPrm:\tffffffffffffffff\n"
				  "CapEff:\t000001ffffffffff\n"
				  "SigCgt:\t0000000180004002\n"
				  "Seccomp:\t2\n"
				  "Seccomp_filters:\t1\n"
				  "voluntary_ctxt_switches:\t12345678901\n"
				  "nonvoluntary_ctxt_switches:\t17\n";

START_TEST(parse_status_reads_its_fields)
{
	struct proc_status s;

	procfs_parse_status(user_status, &s);
	ck_assert_str_eq(s.name, "a: b\nState:\\tX\\");
	ck_assert_int_eq(s.state, 'S');
	ck_assert_int_eq(s.tgid, 1234);
	ck_assert_int_eq(s.ppid, 1);
	ck_assert_int_eq(s.tracer, 99);
	ck_assert_uint_eq(s.caught, 0x180004002);
	for (unsigned int i = 0; i < 4; i++) {
		ck_assert_uint_eq(s.uids[i], 1000 + i);
		ck_assert_uint_eq(s.gids[i], 5 + i);
	}
	ck_assert_uint_eq(s.threads, 64);
	ck_assert_uint_eq(s.cap_prm, UINT64_MAX);
	ck_assert_uint_eq(s.cap_eff, UINT64_C(0x1ffffffffff));
	ck_assert_uint_eq(s.voluntary_switches, UINT64_C(12345678901));
	ck_assert_uint_eq(s.forced_switches, 17);
	ck_assert(!s.kernel_thread);
}
END_TEST

static const struct {
	const char *what, *text;
	bool kernel_thread;
} kinds[] = {
	{ "program", "State:\tR (running)\nVmSize:\t 10 kB\n", false },
	{ "program, new kernel", "State:\tR (running)\nKthread:\t0\nVmSize:\t 10 kB\n", false },
	{ "exiting, new kernel", "State:\tD (disk sleep)\nKthread:\t0\n", false },
	{ "kernel thread", "State:\tS (sleeping)\nThreads:\t1\n", true },
	{ "kernel thread, idle", "State:\tI (idle)\n", true },
	{ "kernel thread, new kernel", "State:\tI (idle)\nKthread:\t1\n", true },
	{ "zombie", "State:\tZ (zombie)\n", false },
	{ "zombie, new kernel", "State:\tZ (zombie)\nKthread:\t0\n", false },
	{ "dead", "State:\tX (dead)\n", false },
	{ "nothing known", "", false },
};

START_TEST(parse_status_tells_kernel_threads)
{
	struct proc_status s;

	procfs_parse_status(kinds[_i].text, &s);
	ck_assert_msg(s.kernel_thread == kinds[_i].kernel_thread, "%s", kinds[_i].what);
}
END_TEST

static const char *const odd_status[] = {
	"",
	"\n\n\n",
	":\n::\n:\t:\n",
	"Name:",
	"Name:\n",
	"Name:\t\n",
	"State:",
	"State:\t\nTgid:\nUid:\n",
	"Tgid:\tx\nPPid:\t-1\nTracerPid:\t99999999999\nThreads:\t\n",
	"Uid:\t\t\t\nCapEff:\tg\nSeccomp:\t4294967296\n",
	"Nam:\tx\nNames:\ty\nxName:\tz\nname:\tw\n",
	"no colon at all",
};

START_TEST(parse_status_takes_odd_text_without_harm)
{
	struct proc_status s, zero;

	memset(&s, 0xee, sizeof(s));
	memset(&zero, 0, sizeof(zero));
	procfs_parse_status(odd_status[_i], &s);
	ck_assert_str_eq(s.name, "");
	ck_assert_int_eq(s.state, 0);
	ck_assert_int_eq(s.tgid, 0);
	ck_assert_int_eq(s.ppid, 0);
	ck_assert_int_eq(s.tracer, 0);
	ck_assert_uint_eq(s.uids[0], 0);
	ck_assert_uint_eq(s.threads, 0);
	ck_assert_uint_eq(s.cap_eff, 0);
	ck_assert(!s.kernel_thread);
}
END_TEST

START_TEST(parse_status_cuts_long_names)
{
	AUTO_BUF text = { 0 };
	struct proc_status s;

	buf_addf(&text, "Name:\t%0200d\nState:\tR (running)\n", 0);
	procfs_parse_status(buf_text(&text), &s);
	ck_assert_uint_eq(strlen(s.name), sizeof(s.name) - 1);
	ck_assert_int_eq(s.state, 'R');
}
END_TEST

/* --- stat --- */

static const struct {
	const char *text;
	char state; /* 0: makes no sense */
	unsigned long flags;
} stats[] = {
	{ "77 (cat) R 1 77 77 0 -1 4194304 95 0\n", 'R', 4194304 },
	{ "77 () S 1 77 77 0 -1 64", 'S', 64 },
	{ "77 (a b) c) D 1 77 77 0 -1 5 6", 'D', 5 },
	{ "77 () R 1 2 3 4 5 6 7) Z 1 77 77 0 -1 12 6", 'Z', 12 },
	{ "77 (new\nline) t 1 77 77 0 -1 18446744073709551615 6", 't', ULONG_MAX },
	{ "", 0, 0 },
	{ ")", 0, 0 },
	{ "77 (cat", 0, 0 },
	{ "77 (cat)", 0, 0 },
	{ "77 (cat) R", 0, 0 },
	{ "77 (cat) R 1 77 77 0 -1", 0, 0 },
	{ "77 (cat) R 1 77 77 0 -1 -5", 0, 0 },
	{ "77 (cat) R 1 77 77 0 -1 18446744073709551616", 0, 0 },
	{ "77 cat R 1 77 77 0 -1 5 6 7 8", 0, 0 },
};

START_TEST(parse_stat_finds_state_and_flags_behind_any_name)
{
	struct proc_stat s = { .state = 'x', .flags = 1 };
	struct error *err = procfs_parse_stat(stats[_i].text, &s);

	if (!stats[_i].state) {
		ck_assert_error(err, ERROR_BAD_DATA, "stat file");
		ck_assert_int_eq(s.state, 'x');
		return;
	}
	ck_assert_no_error(err);
	ck_assert_int_eq(s.state, stats[_i].state);
	ck_assert_uint_eq(s.flags, stats[_i].flags);
}
END_TEST

START_TEST(kernel_workers_are_told_by_their_flags)
{
	ck_assert(!procfs_is_kernel_worker(&(struct proc_stat){ .flags = 0x400040 }));
	ck_assert(procfs_is_kernel_worker(&(struct proc_stat){ .flags = 0x400050 }));
	ck_assert(procfs_is_kernel_worker(&(struct proc_stat){ .flags = 0x404040 }));
}
END_TEST

static const struct {
	const char *text;
	uint64_t user, kernel;
} ticks[] = {
	{ "77 (a 1 2) c) R 1 77 77 0 -1 64 95 1 2 3 11 22 0 0 20 0 1 0 97\n", 11, 22 },
	{ "77 (c) R 1 77 77 0 -1 64 95 1 2 3 18446744073709551615 0", UINT64_MAX, 0 },
	{ "77 (c) R 1 77 77 0 -1 64 95 1 2 3 11", 11, 0 },
	{ "77 (c) R 1 77 77 0 -1 64 95 1 2 3", 0, 0 },
	{ "77 (c) R 1 77 77 0 -1 64", 0, 0 },
	{ "77 (c) R 1 77 77 0 -1 64 95 1 2 3 -1 -1", 0, 0 },
};

START_TEST(parse_stat_finds_cpu_time_where_there_is_some)
{
	struct proc_stat s;

	ck_assert_no_error(procfs_parse_stat(ticks[_i].text, &s));
	ck_assert_uint_eq(s.user_ticks, ticks[_i].user);
	ck_assert_uint_eq(s.kernel_ticks, ticks[_i].kernel);
}
END_TEST

/* --- use of processors --- */

static const struct {
	const char *text;
	uint64_t cpu_ns, runs; /* runs 0: not counted */
} schedstats[] = {
	{ "587524 16899164 2\n", 587524, 2 },
	{ "0 0 1", 0, 1 },
	{ "18446744073709551615 0 18446744073709551615\n", UINT64_MAX, UINT64_MAX },
	{ "5 6 7 8\n", 5, 7 },
	{ "0 0 0\n", 0, 0 },
	{ "587524 16899164\n", 0, 0 },
	{ "587524 16899164 -2\n", 0, 0 },
	{ "587524 16899164 18446744073709551616\n", 0, 0 },
	{ "x 1 2\n", 0, 0 },
	{ "\n", 0, 0 },
	{ "", 0, 0 },
};

START_TEST(parse_schedstat_reads_time_and_runs_or_refuses)
{
	struct proc_use use = { 1, 1 };
	struct error *err = procfs_parse_schedstat(schedstats[_i].text, &use);

	if (!schedstats[_i].runs) {
		ck_assert_error(err, ERROR_UNSUPPORTED, "does not count runs");
		ck_assert_uint_eq(use.runs, 1);
		return;
	}
	ck_assert_no_error(err);
	ck_assert_uint_eq(use.cpu_ns, schedstats[_i].cpu_ns);
	ck_assert_uint_eq(use.runs, schedstats[_i].runs);
}
END_TEST

START_TEST(coarse_use_adds_up_ticks_and_switches)
{
	const uint64_t per_second = (uint64_t)sysconf(_SC_CLK_TCK);
	struct proc_use use = procfs_coarse_use(
		&(struct proc_stat){ .user_ticks = per_second, .kernel_ticks = 2 * per_second },
		&(struct proc_status){ .voluntary_switches = 40, .forced_switches = 2 });

	ck_assert_uint_eq(use.cpu_ns, UINT64_C(3000000000));
	ck_assert_uint_eq(use.runs, 42);
}
END_TEST

START_TEST(use_of_this_thread_rises)
{
	struct proc_use before, after;
	pid_t me = getpid();

	ck_assert_no_error(procfs_use(me, me, &before));
	do {
		sched_yield();
		ck_assert_no_error(procfs_use(me, me, &after));
	} while (after.cpu_ns == before.cpu_ns);
	ck_assert_uint_gt(after.cpu_ns, before.cpu_ns);
	ck_assert_uint_ge(after.runs, before.runs);
}
END_TEST

/* --- real processes --- */

START_TEST(status_and_stat_of_this_process_survive_its_name)
{
	static const char name[] = "a)\nR 1 \\(";
	char comm[64];
	struct proc_status status;
	struct proc_stat stat;
	pid_t me = getpid();

	ck_assert_int_eq(prctl(PR_SET_NAME, name), 0);
	ck_assert_no_error(procfs_status(me, 0, &status));
	ck_assert_str_eq(status.name, name);
	ck_assert_int_eq(status.tgid, me);
	ck_assert_int_eq(status.ppid, getppid());
	ck_assert_uint_eq(status.uids[0], getuid());
	ck_assert_int_eq(status.state, 'R');
	ck_assert_int_eq(status.tracer, 0);
	ck_assert(!status.kernel_thread);
	ck_assert_no_error(procfs_stat(me, me, &stat));
	ck_assert_int_eq(stat.state, 'R');
	ck_assert(!procfs_is_kernel_worker(&stat));
	procfs_thread_name(me, me, comm);
	ck_assert_str_eq(comm, name);
}
END_TEST

enum { THREADS = 20 };
static pthread_barrier_t started, finished;

static void *name_thread(void *number)
{
	char name[16];

	snprintf(name, sizeof(name), "worker %d", *(int *)number);
	prctl(PR_SET_NAME, name);
	*(int *)number = (int)syscall(SYS_gettid);
	pthread_barrier_wait(&started);
	pthread_barrier_wait(&finished);
	return NULL;
}

START_TEST(tasks_lists_every_thread_in_order)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	struct lwp_list list = { 0 };
	char name[64], expected[64];
	struct proc_status status;

	pthread_barrier_init(&started, NULL, THREADS + 1);
	pthread_barrier_init(&finished, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, name_thread, &numbers[i]), 0);
	}
	pthread_barrier_wait(&started);
	for (int again = 0; again < 2; again++)
		ck_assert_no_error(procfs_tasks(getpid(), &list));
	ck_assert_uint_ge(list.len, THREADS + 1); /* a sanitizer may have threads of its own */
	ck_assert_uint_eq(procfs_count_tasks(getpid()), list.len);
	for (size_t i = 1; i < list.len; i++)
		ck_assert_int_lt(list.items[i - 1], list.items[i]);
	for (int i = 0; i < THREADS; i++) {
		bool found = false;
		for (size_t k = 0; k < list.len; k++)
			found = found || list.items[k] == numbers[i];
		ck_assert(found);
		snprintf(expected, sizeof(expected), "worker %d", i);
		procfs_thread_name(getpid(), numbers[i], name);
		ck_assert_str_eq(name, expected);
		ck_assert_no_error(procfs_status(getpid(), numbers[i], &status));
		ck_assert_str_eq(status.name, expected);
		ck_assert_uint_eq(status.threads, list.len);
	}
	vec_fini(&list);
	pthread_barrier_wait(&finished);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

/* A child that has ended but is not reaped. */
static pid_t make_zombie(void)
{
	siginfo_t info;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (!pid)
		_exit(0);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	return pid;
}

START_TEST(a_zombie_is_no_kernel_thread)
{
	pid_t pid = make_zombie();
	struct proc_status status;
	struct proc_stat stat;

	ck_assert_no_error(procfs_status(pid, 0, &status));
	ck_assert_no_error(procfs_stat(pid, pid, &stat));
	ck_assert_int_eq(status.state, 'Z');
	ck_assert_int_eq(stat.state, 'Z');
	ck_assert(!status.kernel_thread);
	waitpid(pid, NULL, 0);
}
END_TEST

START_TEST(what_is_gone_is_said_to_be_gone)
{
	pid_t pid = make_zombie();
	struct proc_status status;
	struct proc_stat stat;
	struct proc_use use;
	pid_t kept[] = { 7 };
	struct lwp_list list = { .items = kept, .len = 1, .cap = 1 };
	char name[64] = "old";

	waitpid(pid, NULL, 0);
	ck_assert_error(procfs_status(pid, 0, &status), ERROR_GONE, "/status");
	ck_assert_error(procfs_status(pid, pid, &status), ERROR_GONE, "/status");
	ck_assert_error(procfs_status(getpid(), pid, &status), ERROR_GONE, "/task/");
	ck_assert_error(procfs_stat(pid, pid, &stat), ERROR_GONE, "/stat");
	ck_assert_error(procfs_use(pid, pid, &use), ERROR_GONE, "/stat");
	ck_assert_error(procfs_tasks(pid, &list), ERROR_GONE, "/task");
	ck_assert_uint_eq(procfs_count_tasks(pid), 0);
	ck_assert_ptr_eq(list.items, kept);
	procfs_thread_name(pid, pid, name);
	ck_assert_str_eq(name, "");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("procfs");

	unit_table(s, parse_maps_reads_a_line_or_refuses_it, lines);
	unit_case(s, "parse_maps", parse_maps_of_nothing_is_nothing,
		  parse_maps_keeps_named_mappings_only_when_asked, parse_maps_appends,
		  parse_maps_leaves_the_list_alone_on_error);
	unit_table(s, parse_maps_refuses_overlaps_and_disorder, disorders);
	unit_table(s, find_gives_the_mapping_around_an_address, finds);
	unit_case(s, "parse_status", parse_status_reads_its_fields, parse_status_cuts_long_names);
	unit_table(s, parse_status_tells_kernel_threads, kinds);
	unit_table(s, parse_status_takes_odd_text_without_harm, odd_status);
	unit_table(s, parse_stat_finds_state_and_flags_behind_any_name, stats);
	unit_table(s, parse_stat_finds_cpu_time_where_there_is_some, ticks);
	unit_table(s, parse_schedstat_reads_time_and_runs_or_refuses, schedstats);
	unit_case(s, "use", coarse_use_adds_up_ticks_and_switches, use_of_this_thread_rises);
	unit_case(s, "stat", kernel_workers_are_told_by_their_flags);
	unit_case(s, "real processes", maps_of_this_process_show_hostile_and_deleted_names,
		  status_and_stat_of_this_process_survive_its_name,
		  tasks_lists_every_thread_in_order, a_zombie_is_no_kernel_thread,
		  what_is_gone_is_said_to_be_gone);
	return unit_run(s);
}
