/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ctype.h>
#include <string.h>

#include "debugger/cli/arguments.h"
#include "debugger/cli/running.h"
#include "debugger/control/catching.h"
#include "debugger/control/construct_lines.h"
#include "debugger/control/placing.h"
#include "ompd/pragma.h"

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

/* "task-create barrier -count if $omp_thread == 2", behind "omp". */
static struct error *parse_omp(struct control *c, const char *args, struct catching *ret)
{
	AUTO_ARGUMENTS words = { 0 };
	AUTO_BUF text = { 0 };
	struct error *err = arguments_parse(args, false, &words);

	for (size_t i = 1; !err && i < words.len && strcmp(words.items[i], "if") != 0; i++) {
		const char *word = words.items[i];
		event_set events = runtime_event_find(word);
		if (!strcmp(word, "-count")) {
			ret->counts = true;
			continue;
		}
		if (!events)
			err = error_new(ERROR_NOT_FOUND,
					"OpenMP has no event '%s': 'info omp events' lists them",
					word);
		if (!err)
			err = error_add(catching_check(c, events), "event '%s'", word);
		ret->events |= events;
		buf_addf(&text, "%s%s", text.len ? " " : "", word);
	}
	if (!err && !ret->events)
		err = error_new(ERROR_USAGE,
				"which event? 'catch omp task-create'; 'info omp events' lists "
				"them");
	const char *condition = strstr(args, " if ");
	if (!err && condition)
		ret->condition = strdup(condition + 4 + strspn(condition + 4, " \t"));
	if (!err)
		ret->words = strdup(buf_text(&text));
	return err || (ret->words && (ret->condition || !condition)) ? err : &error_nomem;
}

static struct error *catch_omp(struct cli *c, const char *args)
{
	struct catching what = { .temporary = c->command->kind };
	struct breakpoint *b;
	struct error *err = parse_omp(c->control, args, &what);

	if (err) {
		free(what.words);
		free(what.condition);
		return err;
	}
	err = catching_add(c->control, &what, &b);
	if (err)
		return err;
	running_tell_breakpoint(c, b);
	return catching_tell(c->control, b);
}

/* By the source no thread arrives at a barrier there: it is none, nor in what ends with one, nor
 * does a region begin there, which does. */
static bool has_no_barrier(struct session *s, taddr pc, int line)
{
	AUTO_BUF name = { 0 };
	struct construct_lines around;
	struct line_range row;

	if (!places_line_range(s->symbols, pc, &row) || !source_cache_get(s->sources, row.file) ||
	    pragma_at(s->sources, row.file, line, &name) == PRAGMA_BARRIER ||
	    strstr(buf_text(&name), "parallel"))
		return false;
	construct_lines_find(s, row.file, line, &around);
	return !around.shares;
}

/* There may be a barrier at that line of the selected frame's file, or at one of another file. */
static struct error *check_line(struct cli *c, unsigned long line)
{
	AUTO_LINESPEC spec = { 0 };
	AUTO_BUF text = { 0 };
	struct code_places places = { 0 };
	int other = 0;

	if (!control_session(c->control))
		return NULL;
	const struct linespec_context where = control_linespecs(c->control);
	buf_addf(&text, "%lu", line);
	struct error *err = buf_ok(&text) ? linespec_parse(buf_text(&text), &spec) : &error_nomem;
	if (!err)
		err = linespec_resolve(&spec, &where, &places, &other);
	if (!err && !other && places.len &&
	    has_no_barrier(control_session(c->control), places.items[0].addr, (int)line))
		cli_warn(c,
			 "by the source there is no barrier in line %lu, and no loop, sections, "
			 "single or the like around it that ends with one",
			 line);
	vec_fini(&places);
	if (!err && other)
		cli_warn(c,
			 "line %lu has no code, the next one that has is %d; of a barrier that "
			 "has no directive of its own the compiler has chosen the line",
			 line, other);
	return error_is(err, ERROR_NOT_FOUND) ? running_let_pend(c, err) : err;
}

/* "[LINE] [if CONDITION]": all have arrived there, and nobody has left. */
static struct error *cmd_break_at_barrier(struct cli *c, const char *args)
{
	static const char event[] = "omp barrier-all-arrived";
	AUTO_BUF words = { 0 };
	char *end;
	const unsigned long line = strtoul(args, &end, 10);
	const bool has_line = isdigit((unsigned char)*args);
	const char *rest = end + strspn(end, " \t");
	const bool has_condition = !strncmp(rest, "if ", 3);
	if ((*rest && !has_condition) || has_line != (line > 0))
		return error_new(ERROR_USAGE, "where? 'break --at-barrier LINE if CONDITION': both "
					      "may be left out, and LINE is a number");
	struct error *err = has_line ? check_line(c, line) : NULL;
	if (err)
		return err;
	buf_adds(&words, event);
	if (has_line)
		buf_addf(&words, " if $omp_line == %lu", line);
	if (has_condition && has_line)
		buf_addf(&words, " && (%s)", rest + 3);
	else if (has_condition)
		buf_addf(&words, " %s", rest);
	return buf_ok(&words) ? catch_omp(c, buf_text(&words)) : &error_nomem;
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
				"signal, syscall, load, unload, throw, catch, rethrow, omp");
	if (!err && kind == CATCH_OMP)
		return catch_omp(c, args);
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
				      "unload", "throw", "catch", "rethrow", "omp",     NULL };

static const struct command rows[] = {
	{ .name = "catch",
	  .args = "EVENT",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_CHOICE,
	  .choices = events,
	  .run = cmd_catch,
	  .summary = "Stop the program at events: fork, vfork, exec, signal, syscall, load, "
		     "unload, throw, catch, rethrow, omp (OpenMP: 'info omp events')." },
	{ .name = "tcatch",
	  .args = "EVENT",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_CHOICE,
	  .choices = events,
	  .run = cmd_catch,
	  .kind = true,
	  .summary = "The same, once." },
	{ .name = "break --at-barrier",
	  .args = "[LINE] [if CONDITION]",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_break_at_barrier,
	  .summary = "Stop when all threads of a team have come to a barrier (that of a line), "
		     "before any leaves it.",
	  .help = "Of the barrier that a parallel region ends with the LINE is that of its "
		  "directive." },
	{ .name = "tbreak --at-barrier",
	  .args = "[LINE] [if CONDITION]",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_break_at_barrier,
	  .kind = true,
	  .summary = "The same, once." },
};

const struct command_table cmd_catch_table = COMMAND_TABLE(rows);
