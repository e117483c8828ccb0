/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/running.h"
#include "debugger/control/placing.h"

static long call_number(const struct arch *a, const char *word)
{
	char *end;
	long number = strtol(word, &end, 10);

	if (!*end && end != word)
		return number;
	for (size_t i = 0; i < a->ncall_names; i++) {
		if (a->call_names[i] && !strcmp(a->call_names[i], word))
			return (long)i;
	}
	return -1;
}

/* Signals or system calls, by name or number. */
static struct error *parse_which(enum catch_kind kind, const struct arguments *words,
				 struct ints *ret)
{
	for (size_t i = 1; i < words->len; i++) {
		const char *word = words->items[i];
		long n =
			kind == CATCH_SIGNAL ? signals_find(word) : call_number(&arch_x86_64, word);
		if (kind == CATCH_SIGNAL && !strcmp(word, "all"))
			continue;
		if (n < 0 || (kind == CATCH_SIGNAL && !n))
			return error_new(ERROR_NOT_FOUND, "Unknown %s name '%s'.",
					 kind == CATCH_SIGNAL ? "signal" : "syscall", word);
		if (!vec_push(ret, (int)n))
			return &error_nomem;
	}
	return NULL;
}

/* Of a row whose kind is: whether it is temporary. */
static struct error *cmd_catch(struct cli *c, const char *args)
{
	AUTO_ARGUMENTS words = { 0 };
	struct ints which = { 0 };
	struct breakpoint *b;
	size_t kind = 0;
	struct error *err = arguments_parse(args, false, &words);

	while (!err && words.len && kind < NUM_CATCHES && strcmp(catch_names[kind], words.items[0]))
		kind++;
	if (!err && (!words.len || kind == NUM_CATCHES))
		err = error_new(ERROR_USAGE,
				"Catch requires an event name: fork, vfork, exec, "
				"signal, syscall, load, unload, throw, catch, rethrow");
	if (!err && (kind == CATCH_SIGNAL || kind == CATCH_SYSCALL))
		err = parse_which((enum catch_kind)kind, &words, &which);
	if (!err)
		err = placing_catch(c->control, (enum catch_kind)kind, c->command->kind, &which,
				    words.len > 1 ? words.items[1] : NULL, &b);
	vec_fini(&which);
	if (!err)
		running_tell_breakpoint(c, b);
	return err;
}

static const char *const events[] = { "fork",   "vfork", "exec",  "signal",  "syscall", "load",
				      "unload", "throw", "catch", "rethrow", NULL };

static const struct command rows[] = {
	{ .name = "catch",
	  .args = "EVENT",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_CHOICE,
	  .choices = events,
	  .run = cmd_catch,
	  .summary = "Stop the program at events: fork, vfork, exec, signal, syscall, load, "
		     "unload, throw, catch, rethrow." },
	{ .name = "tcatch",
	  .args = "EVENT",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_CHOICE,
	  .choices = events,
	  .run = cmd_catch,
	  .kind = true,
	  .summary = "The same, once." },
};

const struct command_table cmd_catch_table = COMMAND_TABLE(rows);
