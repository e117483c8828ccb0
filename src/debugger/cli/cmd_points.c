/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "debugger/cli/running.h"
#include "debugger/control/placing.h"
#include "ompd/outlined.h"
#include "target/symbols/function_text.h"

/* ---- dprintf ---------------------------------------------------------------------------- */

/* The comma behind the location: not one within brackets or quotes. */
static const char *find_comma(const char *s)
{
	int depth = 0;
	char quote = 0;

	for (; *s; s++) {
		if (*s == '"' || *s == '\'')
			quote = !quote ? *s : *s == quote ? 0 : quote;
		depth += *s == '(' || *s == '<';
		depth -= *s == ')' || *s == '>';
		if (*s == ',' && !quote && depth <= 0)
			return s;
	}
	return NULL;
}

static struct error *cmd_dprintf(struct cli *c, const char *args)
{
	const char *comma = find_comma(args);
	struct breakpoint *b;
	int line;

	if (!comma)
		return error_new(ERROR_USAGE, "Format string required");
	AUTO_FREE char *place = strndup(args, (size_t)(comma - args));
	if (!place)
		return &error_nomem;
	comma += 1 + strspn(comma + 1, " \t");
	const struct placing how = { .kind = BREAK_PRINT, .format = comma };
	if (*comma != '"')
		return error_new(ERROR_USAGE, "Bad format string");
	struct error *err = placing_break(c->control, place, &how, &b, &line);
	if (!err)
		running_tell_breakpoint(c, b);
	return err;
}

/* ---- rbreak ----------------------------------------------------------------------------- */

struct found_name {
	char *file; /* owned; NULL: unknown */
	char *name; /* owned                */
	taddr entry;
};

struct found_names {
	regex_t pattern;
	const char *file; /* NULL: any */
	bool symbols;     /* those that only the symbol table knows */
	VEC(struct found_name) items;
	bool failed;
};

static void found_names_fini(struct found_names *f)
{
	regfree(&f->pattern);
	vec_for_each (item, &f->items) {
		free(item->file);
		free(item->name);
	}
	vec_fini(&f->items);
}

static bool ends_with(const char *path, const char *end)
{
	size_t len = strlen(end), all = strlen(path);

	return all >= len && !strcmp(path + all - len, end) &&
	       (all == len || path[all - len - 1] == '/');
}

static bool take_name(void *context, const struct known_function *f)
{
	struct found_names *found = context;
	struct outlined outlined;

	if (found->symbols ? f->file || !f->module->is_exe
			   : !f->file || (found->file && !ends_with(f->file, found->file)))
		return true;
	/* The code of a construct is the function's that it is in. */
	if (outlined_parse(f->name, &outlined) ||
	    regexec(&found->pattern, f->name, 0, NULL, 0) != 0)
		return true;
	struct found_name item = { f->file ? strdup(f->file) : NULL, strdup(f->name), f->entry };
	if ((!f->file || item.file) && item.name && vec_push(&found->items, item))
		return true;
	free(item.file);
	free(item.name);
	found->failed = true;
	return false;
}

/* "int add(int, int);" */
static void add_signature(struct cli *c, struct session *s, const struct found_name *f)
{
	AUTO_BUF text = { 0 };
	struct variable v;

	if (!variables_function(s->variables, f->entry, SIZE_MAX, &v) || !v.type ||
	    type_strip(v.type)->kind != TYPE_FUNCTION) {
		style_add_between(&c->out, "<function, no debug info> ", f->name, ";\n");
		return;
	}
	const struct type *t = type_strip(v.type);
	type_add_name(&text, t->target);
	buf_addf(&text, "%s%s", text.len && text.data[text.len - 1] == '*' ? "" : " ", f->name);
	/* Those of C++ have them in their names. */
	bool named = strchr(f->name, '(');
	buf_adds(&text, named ? "" : "(");
	for (size_t i = 0; !named && i < t->nparameters; i++) {
		buf_adds(&text, i ? ", " : "");
		type_add_name(&text, t->parameters[i]);
	}
	if (!named)
		buf_adds(&text, t->nparameters || !t->prototyped ? ")" : "void)");
	style_add_between(&c->out, "", buf_text(&text), ";\n");
}

static int by_name(const void *a, const void *b)
{
	const struct found_name *x = a, *y = b;
	int order = x->file && y->file ? strcmp(x->file, y->file) : 0;

	return order ? order : strcmp(x->name, y->name);
}

/* With parameters in C++, so that no other overload is meant; in gdb's order. */
static struct error *complete_names(struct session *s, struct found_names *found)
{
	vec_for_each (f, &found->items) {
		const struct source_frame *levels;
		size_t len;
		struct error *err = symbol_locate(s->symbols, f->entry, &levels, &len);
		if (err)
			return err;
		char *name = function_text(s->symbols, f->entry, len - 1, true);
		if (!name)
			continue;
		free(f->name);
		f->name = name;
	}
	if (found->items.len)
		qsort(found->items.items, found->items.len, sizeof(*found->items.items), by_name);
	return NULL;
}

/* One that cannot be set does not keep the others from it. */
static struct error *break_at(struct cli *c, struct session *s, const struct found_names *found)
{
	const struct placing how = { .kind = BREAK_CODE };

	vec_for_each (f, &found->items) {
		AUTO_BUF place = { 0 };
		struct breakpoint *b;
		int line;
		buf_addf(&place, "%s%s%s", f->file ? f->file : "", f->file ? ":" : "", f->name);
		struct error *err = buf_ok(&place) ? placing_break(c->control, buf_text(&place),
								   &how, &b, &line)
						   : &error_nomem;
		if (error_is(err, ERROR_NOMEM) || error_is(err, ERROR_GONE))
			return err;
		if (err) {
			cli_add_error(c, err);
			continue;
		}
		running_tell_breakpoint(c, b);
		if (!c->json)
			add_signature(c, s, f);
	}
	return NULL;
}

/* "FILE:REGEX", but not "ns::". */
static const char *behind_file(const char *args)
{
	const char *colon = strchr(args, ':');

	return colon && colon > args && colon[1] != ':' ? colon : NULL;
}

static struct error *cmd_rbreak(struct cli *c, const char *args)
{
	struct session *s = control_session(c->control);
	const char *colon = behind_file(args);
	AUTO_FREE char *file = strndup(args, colon ? (size_t)(colon - args) : 0);
	struct found_names found = { .file = colon ? file : NULL };

	if (!s)
		return error_new(ERROR_USAGE, "No symbol table is loaded.  Use the \"file\" "
					      "command.");
	if (!file)
		return &error_nomem;
	args = colon ? colon + 1 + strspn(colon + 1, " \t") : args;
	if (regcomp(&found.pattern, args, REG_NOSUB) != 0)
		return error_new(ERROR_USAGE, "'%s' is no regular expression", args);
	struct error *err = places_functions(s->symbols, take_name, &found);
	if (!err && !found.items.len && !found.file) {
		found.symbols = true;
		err = places_functions(s->symbols, take_name, &found);
	}
	if (!err && found.failed)
		err = &error_nomem;
	if (!err)
		err = complete_names(s, &found);
	if (!err)
		err = break_at(c, s, &found);
	found_names_fini(&found);
	return err;
}

/* ---- save ------------------------------------------------------------------------------- */

static void add_saved(struct buf *out, const struct breakpoint *b)
{
	static const char *const names[] = {
		[BREAK_CODE] = "break",  [BREAK_PRINT] = "dprintf", [BREAK_CHANGE] = "watch",
		[BREAK_READ] = "rwatch", [BREAK_ACCESS] = "awatch", [BREAK_CATCH] = "catch",
	};

	buf_addf(out, "%s%s %s",
		 b->temporary                       ? "t"
		 : b->hard && b->kind == BREAK_CODE ? "h"
						    : "",
		 names[b->kind], b->text);
	if (b->format)
		buf_addf(out, ",%s", b->format);
	if (b->thread)
		buf_addf(out, " thread %d", b->thread);
	if (b->omp.is_thread)
		buf_addf(out, " omp-thread %d", b->omp.thread);
	if (b->omp.is_team)
		buf_addf(out, " omp-team %d", b->omp.team);
	buf_adds(out, b->omp.once ? " once-per-region" : "");
	buf_addc(out, '\n');
	if (b->condition)
		buf_addf(out, "  condition $bpnum %s\n", b->condition);
	if (b->ignore)
		buf_addf(out, "  ignore $bpnum %" PRIu64 "\n", b->ignore);
	if (b->commands)
		buf_addf(out, "  commands\n%s  end\n", b->commands);
	if (!b->enabled)
		buf_adds(out, "disable $bpnum\n");
}

static struct error *write_file(const char *path, const struct buf *text)
{
	/* A pipe that nobody reads is not waited for. */
	AUTO_CLOSE int fd =
		open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);

	for (size_t done = 0; fd >= 0 && done < text->len;) {
		ssize_t n = write(fd, text->data + done, text->len - done);
		if (n < 0)
			return error_os(errno, "%s", path);
		done += (size_t)n;
	}
	return fd >= 0 ? NULL : error_os(errno, "%s", path);
}

static struct error *cmd_save(struct cli *c, const char *args)
{
	AUTO_BUF text = { 0 };

	if (!*args)
		return error_new(ERROR_USAGE, "Argument required (file name in which to save)");
	vec_for_each (b, &c->control->breakpoints.items)
		add_saved(&text, *b);
	if (!text.len) {
		buf_adds(&c->out, "Nothing to save.\n");
		return NULL;
	}
	struct error *err = buf_ok(&text) ? write_file(args, &text) : &error_nomem;
	if (!err)
		style_add_between(&c->out, "Saved to file '", args, "'.\n");
	return err;
}

/* ---- skip ------------------------------------------------------------------------------- */

static struct error *add_skip(struct cli *c, const char *prefix, const char *name)
{
	AUTO_BUF text = { 0 };

	buf_addf(&text, "%s%s", prefix, name);
	if (!buf_ok(&text) || !vec_push(&c->control->skips, text.data))
		return &error_nomem;
	text = (struct buf){ 0 };
	style_add_between(&c->out, *prefix ? "File " : "Function ", name,
			  " will be skipped when stepping.\n");
	return NULL;
}

/* Of the selected frame. */
static struct error *skip_here(struct cli *c, bool file)
{
	const struct frame *frame = NULL;
	struct error *err = control_need_stack(c->control);

	if (!err)
		err = frames_get(&c->control->frames, c->control->level, &frame);
	const char *name = !frame ? NULL : file ? frame->file : frame->function;
	if (!err && !name)
		err = error_new(ERROR_USAGE, "No default %s now.", file ? "file" : "function");
	if (err)
		return err;
	if (!file)
		name = symbol_shown_name(c->control->live->symbols, name);
	return name ? add_skip(c, file ? "file:" : "", name) : &error_nomem;
}

static struct error *cmd_skip_function(struct cli *c, const char *args)
{
	return *args ? add_skip(c, "", args) : skip_here(c, false);
}

static struct error *cmd_skip_file(struct cli *c, const char *args)
{
	return *args ? add_skip(c, "file:", args) : skip_here(c, true);
}

static struct error *cmd_skip_delete(struct cli *c, const char *args)
{
	size_t n = strtoul(args, NULL, 10);

	if (*args && (!n || n > c->control->skips.len))
		return error_new(ERROR_NOT_FOUND, "No skiplist entries found with number %s.",
				 args);
	if (!*args) {
		vec_fini_all(&c->control->skips);
		return NULL;
	}
	free(c->control->skips.items[n - 1]);
	c->control->skips.len--;
	memmove(c->control->skips.items + n - 1, c->control->skips.items + n,
		(c->control->skips.len - n + 1) * sizeof(char *));
	return NULL;
}

static struct error *cmd_info_skip(struct cli *c, const char *args)
{
	struct json j;

	(void)args;
	if (c->json) {
		cli_json_begin(c, &j, "skips");
		json_add_array(&j, "skips");
		for (size_t i = 0; i < c->control->skips.len; i++) {
			json_add_object(&j, NULL);
			json_add_unsigned(&j, "number", i + 1);
			json_add_string(&j, "text", c->control->skips.items[i]);
			json_end(&j);
		}
		json_end(&j);
		cli_json_end(c, &j);
		return NULL;
	}
	if (!c->control->skips.len) {
		buf_adds(&c->out, "Not skipping any files or functions.\n");
		return NULL;
	}
	buf_adds(&c->out, "Num   What\n");
	for (size_t i = 0; i < c->control->skips.len; i++) {
		buf_addf(&c->out, "%-5zu ", i + 1);
		style_add_text(&c->out, c->control->skips.items[i]);
		buf_addc(&c->out, '\n');
	}
	return NULL;
}

/* ---- the table -------------------------------------------------------------------------- */

static const struct command rows[] = {
	{ .name = "dprintf",
	  .args = "LOCATION,\"FORMAT\"[,EXPRESSION...]",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_LOCATION,
	  .run = cmd_dprintf,
	  .summary = "Print something whenever the program comes to a place, and go on." },
	{ .name = "rbreak",
	  .args = "[FILE:]REGEX",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_rbreak,
	  .summary = "Set breakpoints at all functions whose names match." },
	{ .name = "save breakpoints",
	  .args = "FILE",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_FILE,
	  .run = cmd_save,
	  .summary = "Write all breakpoints to a file, as commands for source." },
	{ .name = "skip",
	  .args = "[FUNCTION]",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_LOCATION,
	  .run = cmd_skip_function,
	  .summary = "Let step pass by a function; that of the selected frame without a name." },
	{ .name = "skip function",
	  .args = "[FUNCTION]",
	  .class = CLASS_BREAKPOINTS,
	  .completes = COMPLETES_LOCATION,
	  .run = cmd_skip_function,
	  .summary = "The same as skip." },
	{ .name = "skip file",
	  .args = "[FILE]",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_skip_file,
	  .summary = "Let step pass by the functions of a file." },
	{ .name = "skip delete",
	  .args = "[N]",
	  .class = CLASS_BREAKPOINTS,
	  .run = cmd_skip_delete,
	  .summary = "Step into it again." },
	{ .name = "info skip",
	  .args = "",
	  .class = CLASS_STATUS,
	  .run = cmd_info_skip,
	  .summary = "What step passes by." },
};

const struct command_table cmd_points_table = COMMAND_TABLE(rows);
