/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The ELF files of a live process. */
#include "inferior.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include "target/modules/module.h"

static struct module_list *modules_of(struct target *t)
{
	struct module_list *list = NULL;

	ck_assert_no_error(module_list_read(t, &list));
	return list;
}

static const struct module *find(const struct module_list *list, const char *name)
{
	const struct module *found = NULL;

	for (size_t n = 0; n < list->len; n++) {
		if (strcmp(module_name(list->items[n]), name) != 0)
			continue;
		ck_assert_msg(!found, "%s is there twice", name);
		found = list->items[n];
	}
	ck_assert_msg(found != NULL, "no %s", name);
	return found;
}

/* Where this very library has a function, relative to its start. */
static taddr offset_of(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW);
	struct link_map *map;
	ck_assert_ptr_nonnull(handle);
	ck_assert_int_eq(dlinfo(handle, RTLD_DI_LINKMAP, &map), 0);

	return (uintptr_t)dlsym(handle, name) - map->l_addr;
}

START_TEST(program_libraries_and_vdso_are_found)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_modules")));
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	const struct module *exe = find(list, "live_modules"), *libc = find(list, "libc.so.6"),
			    *libm = find(list, "libm.so.6"), *vdso = find(list, "[vdso]"),
			    *linker = find(list, "ld-linux-x86-64.so.2");

	/* In the order of the link map: what is opened later comes later. */
	ck_assert_uint_eq(exe->link_order, 1);
	ck_assert_uint_gt(vdso->link_order, 0);
	ck_assert_uint_gt(libc->link_order, 1);
	ck_assert_uint_gt(linker->link_order, libc->link_order);
	ck_assert_uint_gt(libm->link_order, linker->link_order);
	for (size_t n = 0; n < list->len; n++) {
		const struct module *m = list->items[n];
		ck_assert(m->is_exe == (m == exe) && m->is_vdso == (m == vdso) && !m->deleted);
		ck_assert(m->eh_frame_hdr > m->start && m->eh_frame_hdr < m->end);
		ck_assert(m->dynamic > m->start && m->dynamic < m->end);
		ck_assert_uint_gt(m->build_id.len, 0);
		ck_assert(n == 0 || list->items[n - 1]->end <= m->start);
	}
	ck_assert_uint_eq(libc->bias + offset_of("libc.so.6", "getpid"),
			  inferior_value(&i, "getpid"));
	ck_assert_uint_eq(libm->bias + offset_of("libm.so.6", "lgamma"),
			  inferior_value(&i, "lgamma"));
	ck_assert_ptr_eq(module_at(list, inferior_value(&i, "main")), exe);
	ck_assert_ptr_eq(module_at(list, inferior_value(&i, "lgamma")), libm);
	ck_assert_ptr_null(module_at(list, 0));
	ck_assert_ptr_null(module_at(list, list->items[0]->start - 1));
	ck_assert_ptr_null(module_at(list, inferior_value(&i, "copy")));
	uint64_t base;
	ck_assert_no_error(target_auxv(t, AT_SYSINFO_EHDR, &base));
	ck_assert_uint_eq(vdso->base, base);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(the_program_alone_is_there_before_its_first_instruction)
{
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_modules"));
	AUTO_MODULES *list = modules_of(t);

	ck_assert(find(list, "live_modules")->is_exe);
	ck_assert_uint_eq(find(list, "live_modules")->link_order, 0);
	ck_assert_uint_eq(find(list, "ld-linux-x86-64.so.2")->link_order, 0);
	ck_assert(find(list, "[vdso]")->is_vdso);
	ck_assert_uint_eq(list->len, 3);
}
END_TEST

START_TEST(a_static_program_needs_no_link_map)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("chain-static")));
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	const struct module *exe = find(list, "chain-static");

	ck_assert_uint_eq(list->len, 2);
	ck_assert_uint_eq(exe->link_order, 0);
	ck_assert_uint_eq(exe->bias, 0);
	ck_assert_ptr_eq(module_at(list, inferior_symbol(&i, "main")), exe);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

/* ---- files that are not what they were -------------------------------------------------- */

static char folder[] = "/tmp/ompdb-modules-XXXXXX";

static void copy_file(const char *from, const char *to)
{
	AUTO_BUF bytes = { 0 };
	AUTO_CLOSE int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	ck_assert_int_ge(fd, 0);
	ck_assert_no_error(buf_add_file(&bytes, from, 64 << 20));
	ck_assert_int_eq(write(fd, bytes.data, bytes.len), bytes.len);
}

/* Starts a copy of a program; ret_path is where that is. */
static ino_t start_copy(struct inferior *i, char ret_path[PATH_MAX])
{
	char from[PATH_MAX];
	struct stat st;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(ret_path, PATH_MAX, "%s/copy", folder);
	snprintf(from, sizeof(from), "%s/live_queue",
		 getenv("TESTPROGS") ? getenv("TESTPROGS") : ".");
	copy_file(from, ret_path);
	ck_assert_int_eq(stat(ret_path, &st), 0);
	ck_assert(inferior_start(i, ARGS(ret_path)));
	return st.st_ino;
}

enum change { RENAMED, DELETED, REPLACED, REPLACED_BY_LINK, NUM_CHANGES };

static void change(const char *path, enum change how)
{
	char other[PATH_MAX];

	snprintf(other, sizeof(other), "%s/other", folder);
	if (how == RENAMED)
		ck_assert_int_eq(rename(path, other), 0);
	else
		ck_assert_int_eq(unlink(path), 0);
	if (how == REPLACED)
		copy_file("/bin/true", path);
	if (how == REPLACED_BY_LINK)
		ck_assert_int_eq(symlink("/bin/true", path), 0);
}

static void remove_files(const char *path)
{
	char other[PATH_MAX];

	snprintf(other, sizeof(other), "%s/other", folder);
	unlink(path);
	unlink(other);
	ck_assert_int_eq(rmdir(folder), 0);
}

START_TEST(the_file_that_is_mapped_is_opened_whatever_became_of_its_name)
{
	AUTO_INFERIOR i;
	char path[PATH_MAX];
	ino_t inode = start_copy(&i, path);
	struct build_id id;

	change(path, _i);
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	const struct module *exe = find(list, _i == RENAMED ? "other" : "copy");
	ck_assert(exe->is_exe);
	ck_assert_int_eq(exe->deleted, _i != RENAMED);
	ck_assert_uint_eq(exe->link_order, 1);
	AUTO_FILE f = FILE_CLOSED;
	ck_assert_no_error(target_open_file(t, &exe->map, &f));
	ck_assert_uint_eq(f.st.st_ino, inode);
	build_id_of_file(f.fd, &id);
	ck_assert(id.len && build_id_equal(&id, &exe->build_id));
	ck_assert_no_error(target_detach(t));
	remove_files(path);
	inferior_finish(&i);
}
END_TEST

START_TEST(every_mapped_file_can_be_opened)
{
	AUTO_INFERIOR i;

	ck_assert(inferior_start(&i, ARGS("live_modules")));
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	for (size_t n = 0; n < list->len; n++) {
		const struct module *m = list->items[n];
		AUTO_FILE f = FILE_CLOSED;
		struct build_id id;
		if (m->is_vdso) {
			ck_assert_error(target_open_file(t, &m->map, &f), ERROR_NOT_FOUND,
					"is no file");
			continue;
		}
		ck_assert_no_error(target_open_file(t, &m->map, &f));
		build_id_of_file(f.fd, &id);
		ck_assert(build_id_equal(&id, &m->build_id));
	}
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(modules_can_be_read_in_every_stop_of_starting_up)
{
	enum { STEPS = 400 };
	AUTO_INFERIOR i;
	AUTO_TARGET *t = inferior_launch(&i, ARGS("live_modules"));

	/* While the dynamic linker is at work, its lists are half made. */
	for (int n = 0; n < STEPS; n++) {
		AUTO_MODULES *list = modules_of(t);
		ck_assert(find(list, "live_modules")->is_exe);
		ck_assert_no_error(target_resume(t, NULL, RESUME_CONTINUE));
		for (volatile int delay = 0; delay < n * 20; delay++)
			;
		ck_assert_no_error(target_stop_all(t));
	}
	run_until_ready(t, &i, NULL);
	AUTO_MODULES *list = modules_of(t);
	ck_assert_uint_eq(find(list, "live_modules")->link_order, 1);
	run_to_end(t, &i, NULL);
}
END_TEST

/* ---- from one stop to the next ----------------------------------------------------------- */

/* Lets the program go a step further. */
static void step(struct target *t, struct inferior *i)
{
	size_t said = i->said.len;

	inferior_poke(i);
	ck_assert_no_error(target_detach(t));
	inferior_await_ready(i, said);
	inferior_await_sleep(i);
	ck_assert_no_error(target_attach(t));
}

static void count_end(void *data)
{
	++*(int *)data;
}

static const struct part_ops counted = { .free = count_end };

/* Finds a module and hangs something on it, the end of which is counted. */
static struct module *mark(const struct module_list *list, const char *name, int *ends)
{
	struct module *m = module_at(list, find(list, name)->start);

	*ends = 0;
	module_hang(m, MODULE_OMPD, ends, &counted);
	return m;
}

START_TEST(a_module_lives_as_long_as_it_is_mapped)
{
	AUTO_INFERIOR i;
	int exe_ends, libc_ends, libm_ends;

	ck_assert(inferior_start(&i, ARGS("live_changes")));
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	const struct module *exe = mark(list, "live_changes", &exe_ends);
	const struct module *libc = mark(list, "libc.so.6", &libc_ends);
	unsigned long generation = list->generation;
	size_t len = list->len;

	ck_assert_no_error(module_list_update(list));
	ck_assert_uint_eq(list->len, len);
	step(t, &i); /* has loaded a library */
	ck_assert_no_error(module_list_update(list));
	ck_assert_uint_eq(list->len, len + 1);
	ck_assert_ptr_eq(find(list, "live_changes"), exe);
	ck_assert_ptr_eq(find(list, "libc.so.6"), libc);
	ck_assert_uint_eq(list->generation, generation);
	mark(list, "libm.so.6", &libm_ends);
	for (size_t n = 0; n < list->len; n++)
		ck_assert_uint_eq(list->items[n]->index, n);

	step(t, &i); /* has changed a page of it */
	const struct module *libm = find(list, "libm.so.6");
	taddr end = libm->map.end;
	ck_assert_no_error(module_list_update(list));
	ck_assert_ptr_eq(find(list, "libm.so.6"), libm);
	ck_assert_int_eq(libm_ends, 0);
	ck_assert_uint_lt(libm->map.end, end);
	ck_assert_uint_eq(libm->map.end, map_list_find(&list->maps, libm->base)->end);

	step(t, &i); /* has unloaded it */
	ck_assert_int_eq(libm_ends, 0);
	ck_assert_no_error(module_list_update(list));
	ck_assert_int_eq(libm_ends, 1);
	ck_assert_uint_eq(list->len, len);
	ck_assert_uint_gt(list->generation, generation);
	ck_assert_ptr_eq(find(list, "libc.so.6"), libc);
	ck_assert(exe_ends == 0 && libc_ends == 0);

	step(t, &i); /* executes itself anew */
	ck_assert_no_error(module_list_update(list));
	ck_assert(exe_ends == 1 && libc_ends == 1);
	ck_assert_ptr_null(find(list, "live_changes")->parts[MODULE_OMPD].data);
	ck_assert_uint_eq(list->len, len);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

START_TEST(at_another_load_of_a_library_nothing_is_known_of_it)
{
	AUTO_INFERIOR i;
	int ends;
	taddr other = 1;

	ck_assert(inferior_start(&i, ARGS("live_modules")));
	AUTO_TARGET *t = inferior_attach(&i);
	AUTO_MODULES *list = modules_of(t);
	struct module *m = mark(list, "libm.so.6", &ends);

	/* As if its entry of the link map had been another one at the stop before. */
	taddr link_map = m->link_map;
	m->link_map = other;
	ck_assert_no_error(module_list_update(list));
	ck_assert_int_eq(ends, 1);
	ck_assert_uint_eq(find(list, "libm.so.6")->link_map, link_map);

	/* And as if its file had been another one. */
	m = mark(list, "libm.so.6", &ends);
	m->build_id.bytes[0] ^= 1;
	ck_assert_no_error(module_list_update(list));
	ck_assert_int_eq(ends, 1);
	ck_assert_no_error(target_detach(t));
	inferior_finish(&i);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("modules");

	live_case(s, "finding", 60, program_libraries_and_vdso_are_found,
		  the_program_alone_is_there_before_its_first_instruction,
		  a_static_program_needs_no_link_map,
		  modules_can_be_read_in_every_stop_of_starting_up);
	live_case(s, "stops", 60, a_module_lives_as_long_as_it_is_mapped,
		  at_another_load_of_a_library_nothing_is_known_of_it);
	live_case(s, "files", 60, every_mapped_file_can_be_opened);
	live_table(s, the_file_that_is_mapped_is_opened_whatever_became_of_its_name, 60,
		   NUM_CHANGES);
	return unit_run(s);
}
