/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Fuzz_host_answer: any bytes as what launchers bring from other hosts, and as one host's answer.
 * What of it is printed is fit for a terminal.
 */
#include <assert.h>
#include <string.h>

#include "debugger/job/host_answer.h"
#include "debugger/job/host_lines.h"
#include "debugger/output/format_outline.h"
#include "fuzz.h"

static void check_printed(const char *text)
{
	for (; *text; text++)
		assert((unsigned char)*text >= ' ' || *text == '\n');
}

static void read_answer(const char *text, size_t len)
{
	AUTO(host_answer_fini) struct host_answer answer = { 0 };
	AUTO_OUTLINE outline = { 0 };
	const struct style style = { 0 };
	AUTO_BUF out = { 0 };
	struct error *err = host_answer_read(text, len, "1", &answer, &outline);

	outline_sort(&outline);
	format_outline(&out, &outline, &style);
	check_printed(buf_text(&out));
	for (size_t i = 0; !err && i < answer.groups.len; i++) {
		check_printed(answer.groups.items[i].text);
		check_printed(answer.groups.items[i].complaint);
	}
	error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO(host_texts_fini) struct host_texts texts = { 0 };
	AUTO_BUF lines = { 0 };

	buf_add(&lines, data, size);
	error_ignore(host_lines_read(buf_text(&lines), lines.len, &texts));
	vec_for_each (text, &texts) {
		check_printed(text->host);
		if (!text->lacks)
			read_answer(buf_text(&text->text), text->text.len);
	}
	read_answer(buf_text(&lines), lines.len);
	return 0;
}
