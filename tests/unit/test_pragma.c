/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <unistd.h>

#include "ompd/pragma.h"
#include "unit.h"

/* A source file, the line that is asked for, and what stands there. */
static const struct {
	const char *text;
	int line;
	enum pragma pragma;
	const char *name;
} sources[] = {
	{ "#pragma omp barrier\n", 1, PRAGMA_BARRIER, "barrier" },
	{ "int i;\n\t# pragma  omp  parallel   for simd\n", 2, PRAGMA_WORKSHARE,
	  "parallel for simd" },
	{ "#pragma omp parallel num_threads(for_all)\n", 1, PRAGMA_OTHER, "parallel" },
	{ "#pragma omp single nowait /* barrier */\n", 1, PRAGMA_WORKSHARE, "single" },
	{ "#pragma omp \\\n  sections\n", 1, PRAGMA_WORKSHARE, "sections" },
	{ "#pragma omp taskloop num_tasks(2)\n", 1, PRAGMA_OTHER, "taskloop" },
	{ "#pragma omp task depend(in: barrier)\n", 1, PRAGMA_OTHER, "task" },
	{ "  !$omp parallel do reduction(+:x)\n", 1, PRAGMA_WORKSHARE, "parallel do" },
	{ "!$OMP END DO\n", 1, PRAGMA_WORKSHARE, "end do" },
	{ "#pragma omp formula\n", 1, PRAGMA_OTHER, "" },
	{ "for (;;) omp_barrier();\n", 1, PRAGMA_OTHER, "" },
	{ "// #pragma omp barrier\n", 1, PRAGMA_OTHER, "" },
	{ "#include <omp.h>\n", 1, PRAGMA_OTHER, "" },
	{ "#pragma omp barrier", 1, PRAGMA_BARRIER, "barrier" },
	{ "#pragma omp barrier\n", 2, PRAGMA_OTHER, "" },
	{ "#pragma omp barrier\n", 1000, PRAGMA_OTHER, "" },
	{ "#pragma omp barrier\n", 0, PRAGMA_OTHER, "" },
	{ "", 1, PRAGMA_OTHER, "" },
};

START_TEST(the_directive_of_a_line)
{
	char path[] = "/tmp/ompdb-test-XXXXXX";
	int fd = mkstemp(path);
	AUTO_BUF name = { 0 };
	struct file_root *root = file_root_new();
	struct source_cache *cache = source_cache_new(root);
	ssize_t len = (ssize_t)strlen(sources[_i].text);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, sources[_i].text, (size_t)len), len);
	close(fd);
	enum pragma pragma = pragma_at(cache, path, sources[_i].line, &name);
	unlink(path);
	source_cache_free(cache);
	file_root_free(root);
	ck_assert_int_eq(pragma, sources[_i].pragma);
	ck_assert_str_eq(buf_text(&name), sources[_i].name);
}
END_TEST

static const char *const unreadable[] = { "/nonexistent", "/dev/zero", "/", "" };

START_TEST(a_file_that_cannot_be_read_has_none)
{
	AUTO_BUF name = { 0 };
	struct file_root *root = file_root_new();
	struct source_cache *cache = source_cache_new(root);

	ck_assert_int_eq(pragma_at(cache, unreadable[_i], 1, &name), PRAGMA_OTHER);
	source_cache_free(cache);
	file_root_free(root);
	ck_assert_uint_eq(name.len, 0);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("pragma");

	unit_table(s, the_directive_of_a_line, sources);
	unit_table(s, a_file_that_cannot_be_read_has_none, unreadable);
	return unit_run(s);
}
