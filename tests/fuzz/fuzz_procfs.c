/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_procfs: the parsers of /proc text and text_escape(), on any bytes, and what they promise of
 * their results.
 */
#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "fuzz.h"
#include "target/process/procfs.h"

static void check_maps(const struct map_list *l)
{
	taddr lowest = 0;

	vec_for_each (m, l) {
		assert(m->start >= lowest && m->start < m->end && m->path);
		assert(map_list_find(l, m->start) == m && map_list_find(l, m->end - 1) == m);
		lowest = m->end;
	}
}

static void fuzz_maps(const char *text)
{
	struct map_list all = { 0 }, named = { 0 };
	struct error *err = procfs_parse_maps(text, false, &all);
	struct error *named_err = procfs_parse_maps(text, true, &named);

	assert(!err == !named_err && named.len <= all.len);
	check_maps(&all);
	check_maps(&named);
	if (err)
		assert(!all.len);
	error_free(err);
	error_free(named_err);
	map_list_fini(&all);
	map_list_fini(&named);
}

static void fuzz_status(const char *text)
{
	struct proc_status status;

	procfs_parse_status(text, &status);
	assert(strnlen(status.name, sizeof(status.name)) < sizeof(status.name));
}

static void fuzz_stat(const char *text)
{
	struct proc_stat stat;
	struct error *err = procfs_parse_stat(text, &stat);

	assert(err || stat.state);
	error_free(err);
}

static void fuzz_escape(const char *text, size_t len)
{
	AUTO_BUF shown = { 0 };

	text_escape(&shown, text, len);
	for (size_t i = 0; i < shown.len; i++)
		assert((unsigned char)shown.data[i] >= ' ' && shown.data[i] != 0x7f);
	assert(shown.len <= 4 * (TEXT_MAX + 4));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_FREE char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	fuzz_maps(text);
	fuzz_status(text);
	fuzz_stat(text);
	fuzz_escape(text, size);
	return 0;
}
