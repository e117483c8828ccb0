/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_report: any bytes as reports of ranks, a line for each: what is read of them, the verdict on
 * all, and their stacks as one tree. What is printed of them is fit for a terminal.
 */
#include <assert.h>
#include <string.h>

#include "debugger/output/format_job.h"
#include "debugger/output/format_outline.h"
#include "fuzz.h"

enum { RANKS_MOST = 16 };

static void check_printed(const struct buf *out)
{
	for (size_t i = 0; i < out->len; i++)
		assert((unsigned char)out->data[i] >= ' ' || out->data[i] == '\n');
}

static void judge(const struct report *reports, size_t n)
{
	const struct style style = { 0 };
	struct rank_report ranks[RANKS_MOST];
	AUTO(job_why_fini) struct job_why why = { 0 };
	AUTO(job_counts_fini) struct job_counts counts = { 0 };
	AUTO_BUF out = { 0 };

	for (size_t i = 0; i < n; i++)
		ranks[i] = (struct rank_report){ (int)i, &reports[i] };
	error_ignore(job_why_find(ranks, n, 0, true, &why));
	assert(why.summary);
	format_job_why(&out, &why, &style);
	assert(job_counts_make(ranks, n, &counts));
	format_job_counts(&out, &counts, &style);
	check_printed(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct report reports[RANKS_MOST] = { 0 };
	const struct style style = { 0 };
	AUTO_OUTLINE outline = { 0 };
	AUTO_BUF out = { 0 };
	size_t n = 0;

	for (size_t at = 0, len; at < size && n < RANKS_MOST; at += len + 1) {
		const char *end = memchr(text + at, '\n', size - at);
		len = end ? (size_t)(end - text) - at : size - at;
		struct error *err = report_read(text + at, len, (long)n, &reports[n], &outline);
		reports[n].judged &= !err;
		error_free(err);
		n++;
	}
	judge(reports, n);
	outline_sort(&outline);
	format_outline(&out, &outline, &style);
	check_printed(&out);
	for (size_t i = 0; i < n; i++)
		report_fini(&reports[i]);
	return 0;
}
