/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbol_fixture.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

bool symbol_fixture_path(const char *program, char ret[4096])
{
	const char *directory = getenv("TESTPROGS");

	ck_assert_msg(directory != NULL, "TESTPROGS is not set");
	snprintf(ret, 4096, "%s/%s", directory, program);
	return access(ret, R_OK) == 0;
}

void symbol_fixture_init(struct symbol_fixture *s)
{
	*s = (struct symbol_fixture){ .target = fake_target_new() };
}

void symbol_fixture_read(struct symbol_fixture *s, const struct debuginfo_options *options)
{
	ck_assert_no_error(module_list_read(&s->target->base, &s->modules));
	s->files = debuginfo_set_new(s->modules, options);
	ck_assert_ptr_nonnull(s->files);
	s->symbols = symbol_table_new(s->files);
	ck_assert_ptr_nonnull(s->symbols);
}

void symbol_fixture_fini(struct symbol_fixture *s)
{
	symbol_table_free(s->symbols);
	debuginfo_set_free(s->files);
	module_list_free(s->modules);
	if (s->target)
		target_free(&s->target->base);
	*s = (struct symbol_fixture){ 0 };
}

static bool has_fixed_addresses(const char *path)
{
	Elf64_Ehdr header = { 0 };
	FILE *f = fopen(path, "rb");

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_eq(fread(&header, sizeof(header), 1, f), 1);
	fclose(f);
	return header.e_type == ET_EXEC;
}

bool symbol_fixture_open(struct symbol_fixture *s, const char *program)
{
	const struct debuginfo_options options = { 0 };
	char path[4096];

	*s = (struct symbol_fixture){ 0 };
	if (!symbol_fixture_path(program, path))
		return false;
	symbol_fixture_init(s);
	fake_target_add_file(s->target, path, has_fixed_addresses(path) ? 0 : SYMBOL_BIAS);
	symbol_fixture_read(s, &options);
	ck_assert_uint_eq(s->modules->len, 1);
	return true;
}

const char *symbol_fixture_note(struct symbol_fixture *s)
{
	struct debuginfo *d = debuginfo_get(s->files, s->modules->items[0]);

	ck_assert_ptr_nonnull(d);
	return debuginfo_note(d);
}

static bool keep_first(void *context, const struct symbol *symbol)
{
	*(struct symbol *)context = *symbol;
	return false;
}

struct symbol symbol_fixture_find(struct symbol_fixture *s, const char *name)
{
	struct symbol symbol = { 0 };

	symbol_find(s->symbols, name, keep_first, &symbol);
	ck_assert_msg(symbol.name != NULL, "no symbol %s", name);
	return symbol;
}

struct source_frame symbol_fixture_level(struct symbol_fixture *s, taddr pc, size_t level,
					 size_t *ret_levels)
{
	const struct source_frame *frames;

	ck_assert_no_error(symbol_locate(s->symbols, pc, &frames, ret_levels));
	ck_assert_uint_gt(*ret_levels, level);
	return frames[level];
}

int symbol_fixture_mark(const char *file, const char *mark)
{
	char wanted[100], text[1000];
	FILE *f = fopen(file, "r");
	int line = 0, found = 0;

	if (!f)
		return 0;
	snprintf(wanted, sizeof(wanted), "MARK: %s", mark);
	while (!found && fgets(text, sizeof(text), f)) {
		const char *at = strstr(text, wanted);
		char after = at ? at[strlen(wanted)] : 0;
		line++;
		if (at && strchr(" \n", after))
			found = line;
	}
	fclose(f);
	return found;
}

bool symbol_fixture_is_at(const struct source_frame *frame, const char *function, const char *mark)
{
	AUTO_FREE char *text = frame->function ? symbol_demangle(frame->function) : NULL;

	return text && !strncmp(text, function, strlen(function)) && frame->file &&
	       frame->line == symbol_fixture_mark(frame->file, mark) && frame->line;
}
