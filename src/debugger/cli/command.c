/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/command.h"

#include <stdlib.h>
#include <string.h>

static const struct command_table *const tables[] = {
	&cmd_run_table,     &cmd_break_table,     &cmd_catch_table,  &cmd_points_table,
	&cmd_signal_table,  &cmd_stack_table,     &cmd_frame_table,  &cmd_thread_table,
	&cmd_apply_table,   &cmd_variables_table, &cmd_data_table,   &cmd_type_table,
	&cmd_display_table, &cmd_memory_table,    &cmd_list_table,   &cmd_file_table,
	&cmd_find_table,    &cmd_inferior_table,  &cmd_job_table,    &cmd_info_table,
	&cmd_symbols_table, &cmd_omp_table,       &cmd_task_table,   &cmd_sharing_table,
	&cmd_events_table,  &cmd_team_table,      &cmd_script_table, &cmd_support_table,
};

const char *const command_class_names[NUM_COMMAND_CLASSES] = {
	[CLASS_RUNNING] = "running",   [CLASS_BREAKPOINTS] = "breakpoints",
	[CLASS_STACK] = "stack",       [CLASS_DATA] = "data",
	[CLASS_OPENMP] = "openmp",     [CLASS_FILES] = "files",
	[CLASS_STATUS] = "status",     [CLASS_SUPPORT] = "support",
	[CLASS_USER] = "user-defined",
};

const char *const command_class_texts[NUM_COMMAND_CLASSES] = {
	[CLASS_RUNNING] = "Running the program",
	[CLASS_BREAKPOINTS] = "Making program stop at certain points",
	[CLASS_STACK] = "Examining the stack and the threads",
	[CLASS_DATA] = "Examining data and source",
	[CLASS_OPENMP] = "What OpenMP does",
	[CLASS_FILES] = "Specifying and examining files",
	[CLASS_STATUS] = "Status inquiries",
	[CLASS_SUPPORT] = "Support facilities",
	[CLASS_USER] = "User-defined commands",
};

struct error *command_add(struct command_list *l, const struct command *row)
{
	const struct named name = { .name = row->name, .short_names = row->short_names };

	if (!vec_push(&l->rows, row))
		return &error_nomem;
	if (!vec_push(&l->names, name)) {
		l->rows.len--;
		return &error_nomem;
	}
	return NULL;
}

void command_remove(struct command_list *l, const struct command *row)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->rows.len; i++) {
		if (l->rows.items[i] == row)
			continue;
		l->rows.items[kept] = l->rows.items[i];
		l->names.items[kept++] = l->names.items[i];
	}
	l->rows.len = l->names.len = kept;
}

struct error *command_list_init(struct command_list *l)
{
	struct error *err = NULL;

	*l = (struct command_list){ 0 };
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		for (size_t k = 0; !err && k < tables[i]->len; k++)
			err = command_add(l, &tables[i]->rows[k]);
	}
	return err;
}

void command_list_fini(struct command_list *l)
{
	vec_fini(&l->rows);
	vec_fini(&l->names);
}

bool command_has_more(const struct command_list *l, const struct command *row)
{
	size_t len = strlen(row->name);

	for (size_t i = 0; i < l->rows.len; i++) {
		const char *name = l->rows.items[i]->name;
		if (!strncmp(name, row->name, len) && name[len] == ' ')
			return true;
	}
	return false;
}

static struct error *unknown(const struct abbrev_match *m, const char *word, size_t len)
{
	const char *gap = *m->words ? " " : "";
	const char *nearest = buf_text(&m->names);
	const char *several = strchr(nearest, ',') ? "one of " : "";

	if (*nearest)
		return error_new(ERROR_USAGE, "undefined %s%scommand: \"%.*s\": did you mean %s%s?",
				 m->words, gap, (int)len, word, several, nearest);
	return error_new(ERROR_USAGE, "undefined %s%scommand: \"%.*s\": try \"help%s%s\"", m->words,
			 gap, (int)len, word, gap, m->words);
}

static struct error *not_found(const struct abbrev_match *m, const char *line)
{
	int len = (int)(m->at + m->len - line);

	switch (m->outcome) {
	case ABBREV_AMBIGUOUS:
		return error_new(ERROR_USAGE, "ambiguous command \"%.*s\": %s", len, line,
				 buf_text(&m->names));
	case ABBREV_PARTIAL:
		return error_new(ERROR_USAGE, "\"%s\" must be followed by one of: %s", m->words,
				 buf_text(&m->names));
	case ABBREV_UNKNOWN:
	case ABBREV_FOUND:
		break;
	}
	return unknown(m, m->at, m->len);
}

struct error *command_find(const struct command_list *l, const char *line,
			   const struct command **ret, const char **ret_args)
{
	AUTO(abbrev_match_fini) struct abbrev_match m = { 0 };

	line += strspn(line, " \t");
	abbrev_find(&l->names, line, &m);
	if (m.outcome != ABBREV_FOUND)
		return not_found(&m, line);
	const struct command *row = l->rows.items[m.index];
	const bool wordless = !*row->args || row->completes == COMPLETES_LISTING;
	if (*m.at && *m.at != '-' && wordless && command_has_more(l, row))
		return unknown(&m, m.at, strcspn(m.at, " \t"));
	*ret = row;
	*ret_args = m.at;
	return NULL;
}
