/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * show_places PROGRAM: what the symbols of a program that does not run say, one question for each
 * line of the input, for tests that compare it with others: "function NAME", "entry NAME", "line
 * FILE:LINE", "range ADDRESS", "blocks ADDRESS", "functions", "files", "complete TEXT", "resemble
 * TEXT". Answers are lines, and a lone "." at the end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/core/program_file.h"
#include "target/symbols/places.h"

static void show_error(struct error *err)
{
	if (err)
		printf("error: %s\n", error_message(err));
	error_free(err);
}

static void show_places(struct code_places *found)
{
	vec_for_each (p, found)
		printf("0x%" PRIxTADDR " 0x%" PRIxTADDR " %s %s:%d%s\n", p->addr, p->entry,
		       p->function ? p->function : "-", p->file ? p->file : "-", p->line,
		       p->inlined ? " inlined" : "");
	code_places_fini(found);
}

static void show_function(struct symbol_table *s, const char *name, bool exact)
{
	const struct places_query q = { .name = name, .exact_entry = exact };
	struct code_places found = { 0 };

	show_error(places_of_function(s, &q, &found));
	show_places(&found);
}

static void show_line(struct symbol_table *s, char *text)
{
	struct code_places found = { 0 };
	char *colon = strrchr(text, ':');
	int line = 0;

	if (!colon)
		return;
	*colon = 0;
	struct error *err = places_of_line(s, text, atoi(colon + 1), &found, &line);
	if (!err)
		printf("line %d\n", line);
	show_error(err);
	show_places(&found);
}

static void show_range(struct symbol_table *s, taddr addr)
{
	struct line_range r;

	if (places_line_range(s, addr, &r))
		printf("0x%" PRIxTADDR " 0x%" PRIxTADDR " %s:%d%s\n", r.start, r.end, r.file,
		       r.line, r.is_start ? " start" : "");
}

static void show_blocks(struct symbol_table *s, taddr addr)
{
	struct code_block blocks[CODE_BLOCKS_MAX];
	size_t n = places_blocks(s, addr, blocks);

	for (size_t i = 0; i < n; i++)
		printf("%s 0x%" PRIxTADDR " 0x%" PRIxTADDR " 0x%" PRIxTADDR "%s %s:%d\n",
		       blocks[i].function ? blocks[i].function : "-", blocks[i].start,
		       blocks[i].end, blocks[i].entry, blocks[i].inlined ? " inlined" : "",
		       blocks[i].call_file ? blocks[i].call_file : "-", blocks[i].call_line);
}

static void show_names(struct symbol_table *s, enum place_names what, const char *text,
		       bool resembling)
{
	struct name_list names = { 0 };

	if (resembling)
		show_error(places_resemble(s, what, text, 20, &names));
	else
		show_error(places_complete(s, what, text, 20, &names));
	vec_for_each (name, &names)
		puts(*name);
	name_list_fini(&names);
}

static bool show_known(void *context, const struct known_function *f)
{
	(void)context;
	printf("0x%" PRIxTADDR " %s %s:%d\n", f->entry, f->name, f->file ? f->file : "-", f->line);
	return true;
}

static bool show_file(void *context, const char *path)
{
	(void)context;
	puts(path);
	return true;
}

static void answer(struct symbol_table *s, char *line)
{
	char *space = strchr(line, ' ');
	char *rest = space ? space + 1 : line + strlen(line);

	if (space)
		*space = 0;
	if (!strcmp(line, "function") || !strcmp(line, "entry"))
		show_function(s, rest, *line == 'e');
	else if (!strcmp(line, "line"))
		show_line(s, rest);
	else if (!strcmp(line, "range"))
		show_range(s, strtoull(rest, NULL, 0));
	else if (!strcmp(line, "blocks"))
		show_blocks(s, strtoull(rest, NULL, 0));
	else if (!strcmp(line, "complete") || !strcmp(line, "resemble"))
		show_names(s, PLACE_FUNCTIONS, rest, *line == 'r');
	else if (!strcmp(line, "complete-file") || !strcmp(line, "resemble-file"))
		show_names(s, PLACE_FILES, rest, *line == 'r');
	else if (!strcmp(line, "functions"))
		show_error(places_functions(s, show_known, NULL));
	else if (!strcmp(line, "files"))
		show_error(places_files(s, show_file, NULL));
	else
		printf("error: no question\n");
	printf(".\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	const struct debuginfo_options options = { 0 };
	AUTO_TARGET *t = NULL;
	AUTO_MODULES *modules = NULL;
	char line[65536];
	AUTO_ERROR *err =
		argc > 1 ? program_open(argv[1], &t) : error_new(ERROR_USAGE, "which program?");

	if (!err)
		err = module_list_read(t, &modules);
	if (err) {
		fprintf(stderr, "%s\n", error_message(err));
		return 1;
	}
	struct debuginfo_set *files = debuginfo_set_new(modules, &options);
	struct symbol_table *s = symbol_table_new(files);
	while (s && fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = 0;
		answer(s, line);
	}
	symbol_table_free(s);
	debuginfo_set_free(files);
	return 0;
}
