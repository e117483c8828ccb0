/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Symbols of a stripped libomp, recovered from live processes and cores; each libomp that is to be
 * had. */
#include "inferior.h"

#include <elf.h>
#include <glob.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/stat.h>

#include "ompd/libomp/libomp.h"
#include "ompd/libomp/libomp_layout.h"
#include "ompd/libomp/libomp_symbols.h"
#include "ompd/runtimes.h"
#include "target/core/core.h"

/* NULL: the one that is installed. */
static const char *const versions[] = { NULL, "19", "16" };

/* The other symbols that libompd asks for, but for those that are not recovered. */
static const char *const variables[] = {
	"ompd_state",
	"__kmp_openmp_version",
	"__kmp_threads",
	"__kmp_stksize",
	"__kmp_omp_cancellation",
	"__kmp_max_task_priority",
	"__kmp_nested_nth",
	"__kmp_nested_proc_bind",
	"__kmp_display_affinity",
	"__kmp_affinity_format",
	"__kmp_avail_proc",
	"ompd_env_block",
	"ompd_env_block_size",
	"ompd_dll_locations",
};
static const char *const not_recovered[] = { "__kmp_tool", "__kmp_tool_libraries",
					     "__kmp_tool_verbose_init" };

static bool skip(const char *why)
{
	fprintf(stderr, "# skipped: %s\n", why);
	return false;
}

static bool find_installed(char ret[PATH_MAX])
{
	glob_t found = { 0 };
	bool any = glob("/usr/lib/llvm-*/lib/libomp.so.5", 0, NULL, &found) == 0;

	if (any)
		snprintf(ret, PATH_MAX, "%s", found.gl_pathv[0]);
	globfree(&found);
	return any || skip("no libomp is installed");
}

/* scripts/fetch-libomp unpacks it beside the test programs, where other tests look too. */
static bool fetch(const char *version, char ret[PATH_MAX])
{
	char command[PATH_MAX + 200];
	const char *programs = getenv("TESTPROGS"), *slash = strrchr(__FILE__, '/');

	snprintf(command, sizeof(command), "%.*s/../../scripts/fetch-libomp %s %s/../fetched 2>&1",
		 (int)(slash - __FILE__), __FILE__, version, programs ? programs : ".");
	FILE *f = popen(command, "r");
	ck_assert_ptr_nonnull(f);
	if (!fgets(ret, PATH_MAX, f))
		ret[0] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	return pclose(f) == 0 || skip(ret);
}

static bool find_libomp(const char *version, char ret[PATH_MAX])
{
	return version ? fetch(version, ret) : find_installed(ret);
}

/* ---- a look at a target ------------------------------------------------------------------- */

struct look {
	struct inferior inferior;
	struct target *target;
	struct module_list *modules;
	struct runtime_list runtimes;
	struct debuginfo_set *files;
	struct symbol_table *names;
	struct libomp_symbols *symbols;
};

static const struct runtime *libomp_of(const struct look *l)
{
	const struct runtime *found = NULL;

	for (size_t i = 0; i < l->runtimes.len; i++) {
		if (l->runtimes.items[i].ops != &libomp_ops)
			continue;
		ck_assert_ptr_null(found);
		found = &l->runtimes.items[i];
	}
	ck_assert_ptr_nonnull(found);
	return found;
}

static void look(struct look *l, struct target *t, bool names)
{
	static const struct debuginfo_options options = { .debuginfod = false };

	l->target = t;
	ck_assert_no_error(module_list_read(t, &l->modules));
	ck_assert_no_error(runtime_list_read(runtimes_known, l->modules, NULL, &l->runtimes));
	l->files = debuginfo_set_new(l->modules, &options);
	l->names = symbol_table_new(l->files);
	ck_assert(l->files && l->names);
	ck_assert_no_error(libomp_symbols_new(&l->runtimes, libomp_of(l), names ? l->names : NULL,
					      &l->symbols));
}

static void look_fini(struct look *l)
{
	libomp_symbols_free(l->symbols);
	symbol_table_free(l->names);
	debuginfo_set_free(l->files);
	runtime_list_fini(&l->runtimes);
	module_list_free(l->modules);
	target_free(l->target);
	inferior_fini(&l->inferior);
}
#define AUTO_LOOK AUTO(look_fini) struct look

static void start(struct look *l, const char *const *args)
{
	*l = (struct look){ 0 };
	ck_assert(inferior_start(&l->inferior, args));
	look(l, inferior_attach(&l->inferior), false);
}

static void let_go(struct look *l)
{
	ck_assert_no_error(target_detach(l->target));
	inferior_finish(&l->inferior);
}

/* libomp_ids WAY with the libomp of that row; false: that is not to be had. */
static bool start_ids(struct look *l, const char *way, int row)
{
	char path[PATH_MAX];

	*l = (struct look){ .inferior = { .in = -1, .out = -1 } };
	if (!find_libomp(versions[row], path))
		return false;
	start(l, ARGS("libomp_ids", way, path));
	return true;
}

static uint64_t read_at(const struct look *l, taddr from, size_t size)
{
	uint64_t value = 0;

	if (!libomp_symbols_read(l->symbols, from, size, &value))
		ck_assert_no_error(target_read_uint(l->target, from, size, &value));
	return value;
}

static uint64_t value_of(const struct look *l, const char *name, size_t size)
{
	taddr addr;

	ck_assert_msg(libomp_symbols_find(l->symbols, name, NULL, &addr), "no %s", name);
	return read_at(l, addr, size);
}

static uint64_t pthread_of(const struct look *l, struct thread *th)
{
	uint64_t value;

	ck_assert_no_error(target_get_uint(l->target, th, l->target->arch->thread_pointer, &value));
	return value;
}

/* The pthread_t that the runtime has for that number, by its own layout words. */
static uint64_t pthread_in_table(const struct look *l, int gtid)
{
	taddr table = value_of(l, "__kmp_threads", 8);
	taddr info = read_at(l, table + 8 * (taddr)gtid, 8);

	return read_at(l,
		       info + value_of(l, "ompd_access__kmp_info_t__th", 8) +
			       value_of(l, "ompd_access__kmp_base_info_t__th_info", 8) +
			       value_of(l, "ompd_access__kmp_desc_t__ds", 8) +
			       value_of(l, "ompd_access__kmp_desc_base_t__ds_thread", 8),
		       8);
}

static void check_thread(const struct look *l, struct thread *th, int gtid)
{
	int got;
	taddr addr;

	ck_assert_msg(libomp_symbols_gtid(l->symbols, th, &got), "thread %d has no number",
		      th->lwp);
	ck_assert_int_eq(got, gtid);
	ck_assert_uint_eq(pthread_in_table(l, gtid), pthread_of(l, th));
	ck_assert(libomp_symbols_find(l->symbols, "__kmp_gtid", th, &addr));
	ck_assert_int_eq((int)read_at(l, addr, 4), gtid);
}

/* Every thread has the number that it says itself. Returns how many have one. */
static size_t check_threads(const struct look *l)
{
	size_t numbered = 0;

	ck_assert_msg(libomp_symbols_status(l->symbols) == LIBOMP_READY, "%s",
		      libomp_symbols_note(l->symbols));
	vec_for_each (th, &l->target->threads) {
		char word[32];
		int got;
		taddr addr;
		snprintf(word, sizeof(word), "gtid%d ", (*th)->lwp);
		int gtid = (int)inferior_value(&l->inferior, word);
		if (gtid < 0) {
			ck_assert(!libomp_symbols_gtid(l->symbols, *th, &got));
			ck_assert(!libomp_symbols_find(l->symbols, "__kmp_gtid", *th, &addr));
			continue;
		}
		numbered++;
		check_thread(l, *th, gtid);
	}
	return numbered;
}

/* ---- tests ---------------------------------------------------------------------------------- */

START_TEST(threads_have_the_numbers_that_they_say)
{
	AUTO_LOOK l;

	if (!start_ids(&l, "team", _i))
		return;
	ck_assert_uint_eq(check_threads(&l), 4);
	ck_assert_str_eq(libomp_symbols_note(l.symbols), "symbols recovered");
	let_go(&l);
}
END_TEST

START_TEST(threads_of_the_pool_are_known)
{
	AUTO_LOOK l;

	if (!start_ids(&l, "pool", _i))
		return;
	ck_assert_uint_eq(check_threads(&l), 4);
	let_go(&l);
}
END_TEST

START_TEST(a_runtime_that_nobody_has_used_is_not_initialised)
{
	AUTO_LOOK l;
	taddr addr;
	int gtid;

	if (!start_ids(&l, "unused", _i))
		return;
	ck_assert_int_eq(libomp_symbols_status(l.symbols), LIBOMP_NOT_INITIALIZED);
	ck_assert_str_eq(libomp_symbols_note(l.symbols), "not initialised yet");
	ck_assert(!libomp_symbols_find(l.symbols, "ompd_state", NULL, &addr));
	vec_for_each (th, &l.target->threads)
		ck_assert(!libomp_symbols_gtid(l.symbols, *th, &gtid));
	let_go(&l);
}
END_TEST

START_TEST(a_forked_child_has_only_its_own_thread)
{
	AUTO_LOOK l = { .inferior = { .in = -1, .out = -1 } };
	char path[PATH_MAX];
	struct target *child;

	if (!find_libomp(versions[_i], path))
		return;
	ck_assert(inferior_start(&l.inferior, ARGS("libomp_ids", "fork", path)));
	pid_t pid = (pid_t)inferior_value(&l.inferior, "child ");
	ck_assert_no_error(live_attach(pid, &child));
	look(&l, child, false);
	ck_assert_uint_eq(l.target->threads.len, 1);
	ck_assert_uint_eq(check_threads(&l), 1);
	let_go(&l);
}
END_TEST

START_TEST(a_preloaded_libomp_serves_a_program_of_gcc)
{
	AUTO_LOOK l = { .inferior = { .in = -1, .out = -1 } };
	char path[PATH_MAX];

	if (!find_libomp(versions[_i], path))
		return;
	setenv("LD_PRELOAD", path, 1);
	bool ready = inferior_start(&l.inferior, ARGS("libomp_ids", "team"));
	unsetenv("LD_PRELOAD");
	ck_assert(ready);
	look(&l, inferior_attach(&l.inferior), false);
	ck_assert_uint_eq(check_threads(&l), 4);
	let_go(&l);
}
END_TEST

START_TEST(a_program_linked_with_libomp)
{
	AUTO_LOOK l = { .inferior = { .in = -1, .out = -1 } };
	char path[PATH_MAX], program[PATH_MAX];

	snprintf(program, sizeof(program), "%s/omp_barrier-clang-O2", getenv("TESTPROGS"));
	if (!find_libomp(versions[_i], path) || (access(program, X_OK) < 0 && !skip("no clang")))
		return;
	*strrchr(path, '/') = '\0';
	setenv("LD_LIBRARY_PATH", path, 1);
	start(&l, ARGS(program, "20"));
	unsetenv("LD_LIBRARY_PATH");
	ck_assert_uint_eq(l.target->threads.len, 20);
	vec_for_each (th, &l.target->threads) {
		int gtid = -1;
		ck_assert(libomp_symbols_gtid(l.symbols, *th, &gtid));
		check_thread(&l, *th, gtid);
	}
	let_go(&l);
}
END_TEST

START_TEST(all_that_libompd_asks_for_is_found)
{
	AUTO_LOOK l;
	taddr addr;

	if (!start_ids(&l, "team", _i))
		return;
	const struct module *m = libomp_of(&l)->module;
	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS; i++) {
		const char *name = libomp_layout_name(i);
		ck_assert_msg(libomp_layout_fits(i, value_of(&l, name, 8)), "%s", name);
	}
	for (size_t i = 0; i < COUNT(variables); i++)
		value_of(&l, variables[i], 4);
	for (size_t i = 0; i < COUNT(not_recovered); i++)
		ck_assert(!libomp_symbols_find(l.symbols, not_recovered[i], NULL, &addr));
	ck_assert(!libomp_symbols_find(l.symbols, "no_such_symbol", NULL, &addr));
	ck_assert(!libomp_symbols_find(l.symbols, "", NULL, &addr));
	ck_assert(libomp_symbols_find(l.symbols, "__kmp_threads", NULL, &addr));
	ck_assert(addr > m->start);
	/* Made up. */
	ck_assert_uint_eq(value_of(&l, "ompd_state", 8), 1);
	ck_assert_uint_eq(value_of(&l, "__kmp_openmp_version", 4), 201611);
	let_go(&l);
}
END_TEST

static void check_list(const struct look *l, const char *name, const int *items, uint64_t n)
{
	taddr addr;

	ck_assert(libomp_symbols_find(l->symbols, name, NULL, &addr));
	ck_assert_uint_eq(read_at(l, addr + 12, 4), n);
	for (uint64_t i = 0; i < n; i++)
		ck_assert_int_eq((int)read_at(l, read_at(l, addr, 8) + 4 * i, 4), items[i]);
}

START_TEST(variables_hold_what_the_environment_says)
{
	enum { CLOSE = 3, SPREAD = 4 }; /* omp_proc_bind_t */
	static const char format[] = "thread %n of ompdb's test";
	static const char *const environment[][2] = {
		{ "OMP_NUM_THREADS", "7,3,5" },    { "OMP_STACKSIZE", "3M" },
		{ "OMP_CANCELLATION", "true" },    { "OMP_MAX_TASK_PRIORITY", "13" },
		{ "OMP_AFFINITY_FORMAT", format }, { "OMP_PROC_BIND", "spread,close" },
	};
	AUTO_LOOK l;
	char *text;
	cpu_set_t cpus;

	for (size_t i = 0; i < COUNT(environment); i++)
		setenv(environment[i][0], environment[i][1], 1);
	if (!start_ids(&l, "team", _i))
		return;
	ck_assert_uint_eq(value_of(&l, "__kmp_stksize", 8), 3 << 20);
	ck_assert_uint_eq(value_of(&l, "__kmp_omp_cancellation", 4), 1);
	ck_assert_uint_eq(value_of(&l, "__kmp_max_task_priority", 4), 13);
	ck_assert_uint_eq(value_of(&l, "__kmp_display_affinity", 4), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
	ck_assert_uint_eq(value_of(&l, "__kmp_avail_proc", 4), (uint64_t)CPU_COUNT(&cpus));
	check_list(&l, "__kmp_nested_nth", (const int[]){ 7, 3, 5 }, 3);
	check_list(&l, "__kmp_nested_proc_bind", (const int[]){ SPREAD, CLOSE }, 2);
	ck_assert_no_error(
		target_read_string(l.target, value_of(&l, "__kmp_affinity_format", 8), 512, &text));
	ck_assert_str_eq(text, format);
	free(text);
	ck_assert_no_error(
		target_read_string(l.target, value_of(&l, "ompd_env_block", 8), 1 << 16, &text));
	ck_assert_ptr_nonnull(strstr(text, "OMP_STACKSIZE"));
	free(text);
	let_go(&l);
}
END_TEST

START_TEST(threads_are_known_where_states_are_tracked)
{
	AUTO_LOOK l;

	setenv("OMP_DEBUG", "enabled", 1);
	if (!start_ids(&l, "team", _i))
		return;
	ck_assert_uint_eq(check_threads(&l), 4);
	let_go(&l);
}
END_TEST

/* ---- the same from elsewhere -------------------------------------------------------------- */

/* Both give the same answers, addresses relative to their libomp; but for one name. */
static void check_same(const struct look *a, const struct look *b, const char *but)
{
	taddr a_bias = libomp_of(a)->module->bias, b_bias = libomp_of(b)->module->bias;
	taddr a_addr, b_addr;

	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS + COUNT(variables); i++) {
		const char *name = i < LIBOMP_LAYOUT_WORDS ? libomp_layout_name(i)
							   : variables[i - LIBOMP_LAYOUT_WORDS];
		bool in_a = libomp_symbols_find(a->symbols, name, NULL, &a_addr);
		ck_assert(in_a && libomp_symbols_find(b->symbols, name, NULL, &b_addr));
		if (a_addr < (taddr)1 << 63 && strcmp(name, but) != 0) /* not made up */
			ck_assert_msg(a_addr - a_bias == b_addr - b_bias, "%s", name);
	}
}

START_TEST(a_core_gives_the_same_answers)
{
	char folder[] = "/tmp/ompdb-libomp-XXXXXX", command[200], path[PATH_MAX];
	AUTO_LOOK l;
	AUTO_LOOK c = { .inferior = { .in = -1, .out = -1 } };
	struct target *core;

	if (!start_ids(&l, "team", _i))
		return;
	ck_assert_no_error(target_detach(l.target));
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(command, sizeof(command), "gcore -o %s/core %d >/dev/null 2>&1 </dev/null", folder,
		 l.inferior.pid);
	bool made = system(command) == 0 || skip("no gcore");
	snprintf(path, sizeof(path), "%s/core.%d", folder, l.inferior.pid);
	if (made) {
		ck_assert_no_error(core_open(path, NULL, &core));
		look(&c, core, false);
		buf_adds(&c.inferior.said, buf_text(&l.inferior.said));
		ck_assert_uint_eq(check_threads(&c), 4);
		check_same(&l, &c, "");
	}
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
	inferior_finish(&l.inferior);
}
END_TEST

/* Writes "section:offset" of an address of a file. */
static void place_in_file(const struct buf *file, uint64_t addr, char *ret, size_t size)
{
	const Elf64_Ehdr *eh = (const Elf64_Ehdr *)file->data;
	const Elf64_Shdr *sh = (const Elf64_Shdr *)(file->data + eh->e_shoff);
	const char *names = file->data + sh[eh->e_shstrndx].sh_offset;

	for (unsigned int i = 0; i < eh->e_shnum; i++) {
		if (!(sh[i].sh_flags & SHF_ALLOC) || (sh[i].sh_flags & SHF_TLS) ||
		    addr < sh[i].sh_addr || addr - sh[i].sh_addr >= sh[i].sh_size)
			continue;
		snprintf(ret, size, "%s:0x%lx", names + sh[i].sh_name,
			 (unsigned long)(addr - sh[i].sh_addr));
		return;
	}
	ck_abort_msg("no section has 0x%lx", (unsigned long)addr);
}

static void name_symbol(FILE *options, const struct buf *file, const char *name, uint64_t addr)
{
	char place[100];

	place_in_file(file, addr, place, sizeof(place));
	fprintf(options, "--add-symbol %s=%s,object,local\n", name, place);
}

/* The file's name for it is not where code says. */
static const char misplaced[] = "__kmp_max_task_priority";

/* Options for objcopy that give the file the names which it once had, as far as they are known. */
static void write_options(const struct look *l, const struct buf *file, const char *path)
{
	FILE *options = fopen(path, "w");
	taddr bias = libomp_of(l)->module->bias, addr;

	ck_assert_ptr_nonnull(options);
	for (size_t i = 0; i < LIBOMP_LAYOUT_WORDS + COUNT(variables); i++) {
		const char *name = i < LIBOMP_LAYOUT_WORDS ? libomp_layout_name(i)
							   : variables[i - LIBOMP_LAYOUT_WORDS];
		ck_assert(libomp_symbols_find(l->symbols, name, NULL, &addr));
		if (addr < (taddr)1 << 63 && strcmp(name, misplaced) != 0)
			name_symbol(options, file, name, addr - bias);
	}
	/* Things that only names tell. */
	ck_assert(libomp_symbols_find(l->symbols, "__kmp_avail_proc", NULL, &addr));
	name_symbol(options, file, "__kmp_tool", addr - bias);
	name_symbol(options, file, misplaced, addr - bias);
	addr = exports_find(libomp_of(l)->exports, "omp_get_level")->addr;
	name_symbol(options, file, "ompd_bp_thread_begin", addr - bias);
	name_symbol(options, file, "_Z22ompd_bp_parallel_beginv", addr - bias);
	ck_assert_int_eq(fclose(options), 0);
}

/* Makes a copy of libomp with names. false: that cannot be done here. */
static bool make_named(const struct look *l, const char *folder, char ret[PATH_MAX])
{
	const char *path = libomp_of(l)->module->path;
	char options[PATH_MAX], command[3 * PATH_MAX];
	AUTO_BUF file = { 0 };

	ck_assert_no_error(buf_add_file(&file, path, 64 << 20));
	snprintf(options, sizeof(options), "%s/options", folder);
	snprintf(ret, PATH_MAX, "%s/libomp.so", folder);
	write_options(l, &file, options);
	snprintf(command, sizeof(command), "objcopy @%s %s %s", options, path, ret);
	bool made = system(command) == 0 || skip("no objcopy");
	unlink(options);
	return made;
}

START_TEST(names_of_the_file_come_first)
{
	char folder[] = "/tmp/ompdb-libomp-XXXXXX", path[PATH_MAX];
	AUTO_LOOK l;
	AUTO_LOOK named = { .inferior = { .in = -1, .out = -1 } };
	taddr a, b;

	if (!start_ids(&l, "team", _i))
		return;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	if (make_named(&l, folder, path)) {
		ck_assert(inferior_start(&named.inferior, ARGS("libomp_ids", "team", path)));
		look(&named, inferior_attach(&named.inferior), true);
		ck_assert_str_eq(libomp_symbols_note(named.symbols), "symbols from .symtab");
		ck_assert_uint_eq(check_threads(&named), 4);
		check_same(&l, &named, misplaced);
		ck_assert(libomp_symbols_find(named.symbols, "__kmp_tool", NULL, &a));
		ck_assert(libomp_symbols_find(named.symbols, "__kmp_avail_proc", NULL, &b));
		ck_assert_uint_eq(a, b);
		ck_assert(libomp_symbols_find(named.symbols, misplaced, NULL, &a));
		ck_assert_uint_eq(a, b);
		ck_assert(libomp_symbols_find(named.symbols, "ompd_bp_parallel_begin", NULL, &a));
		ck_assert(libomp_symbols_find(named.symbols, "ompd_bp_thread_begin", NULL, &b));
		ck_assert_uint_eq(a, b);
		let_go(&named);
	}
	unlink(path);
	ck_assert_int_eq(rmdir(folder), 0);
	let_go(&l);
}
END_TEST

START_TEST(the_names_of_a_stripped_file_say_nothing)
{
	AUTO_LOOK l = { .inferior = { .in = -1, .out = -1 } };
	char path[PATH_MAX];

	if (!find_libomp(versions[_i], path))
		return;
	ck_assert(inferior_start(&l.inferior, ARGS("libomp_ids", "team", path)));
	look(&l, inferior_attach(&l.inferior), true);
	ck_assert_str_eq(libomp_symbols_note(l.symbols), "symbols recovered");
	ck_assert_uint_eq(check_threads(&l), 4);
	let_go(&l);
}
END_TEST

static Suite *libomp_symbols_suite(void)
{
	enum { SECONDS = 120 }; /* a version may have to be fetched first */
	Suite *s = suite_create("live-libomp_symbols");

	live_table(s, threads_have_the_numbers_that_they_say, SECONDS, COUNT(versions));
	live_table(s, threads_of_the_pool_are_known, SECONDS, COUNT(versions));
	live_table(s, a_runtime_that_nobody_has_used_is_not_initialised, SECONDS, COUNT(versions));
	live_table(s, a_forked_child_has_only_its_own_thread, SECONDS, COUNT(versions));
	live_table(s, a_preloaded_libomp_serves_a_program_of_gcc, SECONDS, COUNT(versions));
	live_table(s, a_program_linked_with_libomp, SECONDS, COUNT(versions));
	live_table(s, all_that_libompd_asks_for_is_found, SECONDS, COUNT(versions));
	live_table(s, variables_hold_what_the_environment_says, SECONDS, COUNT(versions));
	live_table(s, threads_are_known_where_states_are_tracked, SECONDS, COUNT(versions));
	live_table(s, a_core_gives_the_same_answers, SECONDS, COUNT(versions));
	live_table(s, names_of_the_file_come_first, SECONDS, COUNT(versions));
	live_table(s, the_names_of_a_stripped_file_say_nothing, SECONDS, COUNT(versions));
	return s;
}

int main(void)
{
	return unit_run(libomp_symbols_suite());
}
