/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "debugger/cli/cli.h"
#include "debugger/control/control.h"
#include "debugger/values/eval.h"
#include "debugger/values/lookup.h"
#include "target/symbols/source_unit.h"

/* Without a word --------------------------------------------------------------------------- */

static struct error *cmd_info(struct cli *c, const char *args)
{
	(void)args;
	buf_adds(&c->out, "List of info subcommands:\n\n");
	vec_for_each (row, &c->commands.rows) {
		if (!strncmp((*row)->name, "info ", 5))
			buf_addf(&c->out, "%s -- %s\n", (*row)->name, (*row)->summary);
	}
	return NULL;
}

/* Lines and addresses ------------------------------------------------------------------------ */

/* " <main+4>"; nothing for an address without a symbol. */
static void add_symbol(struct cli *c, struct session *s, taddr addr)
{
	struct symbol symbol;

	if (!symbol_at(s->symbols, addr, &symbol))
		return;
	buf_adds(&c->out, " <");
	style_add_text(&c->out, symbol_shown_name(s->symbols, symbol.name));
	if (addr != symbol.addr)
		buf_addf(&c->out, "+%" PRIu64, addr - symbol.addr);
	buf_addc(&c->out, '>');
}

/* asked: the line that was asked for, if this is another one; else 0. */
static void add_place(struct cli *c, struct session *s, const struct code_place *p, int asked)
{
	struct line_range range;

	if (!places_line_range(s->symbols, p->addr, &range) || !range.line) {
		buf_addf(&c->out, "No line number information available for address 0x%" PRIx64,
			 p->addr);
		add_symbol(c, s, p->addr);
		buf_addc(&c->out, '\n');
		return;
	}
	buf_addf(&c->out, "Line %d of \"", asked ? asked : range.line);
	style_add_last_part(&c->out, range.file);
	buf_addf(&c->out, "\" %s at address 0x%" PRIx64, asked ? "is" : "starts", range.start);
	add_symbol(c, s, range.start);
	if (asked) {
		buf_adds(&c->out, " but contains no code.\n");
		return;
	}
	buf_addf(&c->out, " and ends at 0x%" PRIx64, range.end);
	add_symbol(c, s, range.end);
	buf_adds(&c->out, ".\n");
}

static void add_place_object(struct session *s, const struct code_place *p, int asked,
			     struct json *j)
{
	struct line_range range;

	json_add_object(j, NULL);
	json_add_address(j, "address", p->addr);
	json_add_string(j, "function", p->function);
	json_add_string(j, "file", p->file);
	json_add_positive(j, "line", p->line);
	if (asked)
		json_add_integer(j, "line_without_code", asked);
	if (places_line_range(s->symbols, p->addr, &range)) {
		json_add_address(j, "start", range.start);
		json_add_address(j, "end", range.end);
	}
	json_end(j);
}

static struct error *cmd_info_line(struct cli *c, const char *args)
{
	struct linespec_context where = control_linespecs(c->control);
	AUTO_LINESPEC spec = { 0 };
	AUTO_PLACES places = { 0 };
	struct session *s;
	struct json j;
	int line = 0;

	struct error *err = control_need_session(c->control, &s);
	if (!err)
		err = linespec_parse(args, &spec);
	where.entry = true;
	if (!err)
		err = linespec_resolve(&spec, &where, &places, &line);
	if (err)
		return err;
	const int asked = line ? spec.line : 0;
	if (!c->json) {
		vec_for_each (p, &places)
			add_place(c, s, p, asked);
		return NULL;
	}
	cli_json_begin(c, &j, "lines");
	json_add_array(&j, "places");
	vec_for_each (p, &places)
		add_place_object(s, p, asked, &j);
	json_end(&j);
	cli_json_end(c, &j);
	return NULL;
}

/* symbol: NULL: there is none. */
static void add_symbol_object(struct cli *c, struct session *s, taddr addr,
			      const struct symbol *symbol)
{
	struct json j;

	cli_json_begin(c, &j, "symbol");
	json_add_address(&j, "address", addr);
	json_add_string(&j, "symbol", symbol ? symbol_shown_name(s->symbols, symbol->name) : NULL);
	if (symbol) {
		json_add_unsigned(&j, "offset", addr - symbol->addr);
		json_add_string(&j, "module", symbol->module->path);
	}
	cli_json_end(c, &j);
}

static struct error *cmd_info_symbol(struct cli *c, const char *args)
{
	struct scope scope = { 0 };
	const struct eval_context context = control_evaluator(c->control, &scope);
	struct symbol symbol;
	struct session *s;
	taddr addr;

	struct error *err = control_need_session(c->control, &s);
	if (!err && !*args)
		err = error_new(ERROR_USAGE, "argument required (address)");
	if (!err)
		err = control_scope(c->control, &scope);
	if (!err)
		err = eval_address(&context, args, &addr);
	if (err)
		return err;
	const bool known = symbol_at(s->symbols, addr, &symbol);
	if (c->json) {
		add_symbol_object(c, s, addr, known ? &symbol : NULL);
		return NULL;
	}
	if (!known) {
		style_add_between(&c->out, "No symbol matches ", args, ".\n");
		return NULL;
	}
	style_add_text(&c->out, symbol_shown_name(s->symbols, symbol.name));
	if (addr != symbol.addr)
		buf_addf(&c->out, " + %" PRIu64, addr - symbol.addr);
	style_add_between(&c->out, " of ", symbol.module->path, "\n");
	return NULL;
}

/* It is there without a frame; as_thread: in the selected thread. */
static bool is_apart(const struct scope *s, const char *name, bool as_thread)
{
	const struct location_frame nowhere = { .target = s->session->target,
						.thread = as_thread ? s->thread : NULL };
	struct location where;
	struct variable v;

	if (!lookup_variable(s, NULL, name, &v))
		return false;
	variables_locate(s->session->variables, &v, &nowhere, &where);
	return where.parts[0].kind == LOCATION_MEMORY;
}

/* What a variable in memory is. */
static const char *storage_of(const struct scope *s, const char *name)
{
	return is_apart(s, name, false)  ? "static storage"
	       : is_apart(s, name, true) ? "thread-local storage of this thread"
					 : "a variable in the frame";
}

/* Of a variable: where it is in the selected frame. */
static struct error *variable_address(struct cli *c, const char *name)
{
	struct scope s;
	struct value v;
	struct json j;
	struct error *err = control_scope(c->control, &s);

	err = err ? err : lookup_name(&s, NULL, name, &v);
	if (err)
		return err;
	if (c->json) {
		cli_json_begin(c, &j, "addresses");
		json_add_array(&j, "addresses");
		if (!v.missing && v.place == VALUE_MEMORY)
			json_add_address(&j, NULL, v.addr);
		json_end(&j);
		cli_json_end(c, &j);
		return NULL;
	}
	style_add_between(&c->out, "Symbol \"", name, "\" is ");
	if (v.missing)
		buf_addf(&c->out, "%s.\n", v.missing);
	else if (v.place == VALUE_MEMORY)
		buf_addf(&c->out, "%s at address 0x%" PRIx64 ".\n", storage_of(&s, name), v.addr);
	else if (v.place == VALUE_REGISTER)
		buf_addf(&c->out, "a variable in $%s.\n", v.reg->name);
	else
		buf_adds(&c->out, "a value without a place.\n");
	return NULL;
}

static struct error *cmd_info_address(struct cli *c, const char *args)
{
	const struct places_query query = { .name = args, .exact_entry = true };
	struct code_places places = { 0 };
	struct session *s;
	struct json j;

	struct error *err = control_need_session(c->control, &s);
	if (!err && !*args)
		err = error_new(ERROR_USAGE, "argument required (name of a function or variable)");
	if (!err)
		err = places_of_function(s->symbols, &query, &places);
	if (!err && !places.len)
		return variable_address(c, args);
	if (!err && c->json) {
		cli_json_begin(c, &j, "addresses");
		json_add_array(&j, "addresses");
		vec_for_each (p, &places)
			json_add_address(&j, NULL, p->addr);
		json_end(&j);
		cli_json_end(c, &j);
	}
	for (size_t i = 0; !err && !c->json && i < places.len; i++) {
		style_add_between(&c->out, "Symbol \"", args, "\" is a function at address ");
		buf_addf(&c->out, "0x%" PRIx64 ".\n", places.items[i].addr);
	}
	vec_fini(&places);
	return err;
}

static size_t count_lines(const struct buf *text)
{
	size_t lines = 0;

	for (size_t i = 0; i < text->len; i++)
		lines += text->data[i] == '\n' || i + 1 == text->len;
	return lines;
}

/* Some of the file's code: that of the selected frame, or of the line that was listed. */
static taddr code_of(const struct linespec_context *where)
{
	const struct linespec_default *here = &where->here;
	AUTO_PLACES places = { 0 };
	int line;

	if (!here->pc)
		error_ignore(places_of_line(where->session->symbols, here->file, here->line,
					    &places, &line));
	return places.len ? places.items[0].addr : here->pc;
}

static struct error *cmd_info_source(struct cli *c, const char *args)
{
	struct linespec_context where = control_linespecs(c->control);
	const char *file = where.here.file;
	const struct buf *text = file ? source_cache_get(where.session->sources, file) : NULL;
	size_t lines = text ? count_lines(text) : 0;
	struct source_unit unit = { 0 };
	bool known = file && source_unit_at(where.session->symbols, code_of(&where), &unit);
	struct json j;

	(void)args;
	if (c->json) {
		cli_json_begin(c, &j, "source");
		json_add_string(&j, "file", file);
		json_add_positive(&j, "lines", (intmax_t)lines);
		json_add_string(&j, "directory", unit.directory);
		json_add_string(&j, "language", unit.language);
		json_add_string(&j, "producer", unit.producer);
		cli_json_end(c, &j);
		return NULL;
	}
	if (!file) {
		buf_adds(&c->out, "No current source file.\n");
		return NULL;
	}
	buf_adds(&c->out, "Current source file is ");
	style_add_last_part(&c->out, file);
	if (unit.directory)
		style_add_between(&c->out, "\nCompilation directory is ", unit.directory, "");
	style_add_between(&c->out, "\nLocated in ", file, "\n");
	if (text)
		buf_addf(&c->out, "Contains %zu line%s.\n", lines, lines == 1 ? "" : "s");
	if (unit.language)
		buf_addf(&c->out, "Source language is %s.\n", unit.language);
	if (unit.producer)
		style_add_between(&c->out, "Producer is ", unit.producer, ".\n");
	if (known)
		buf_addf(&c->out, "Compiled with DWARF %d debugging format.\n", unit.version);
	return NULL;
}

/* Files and processes ------------------------------------------------------------------------ */

static bool has_lines(struct session *s, struct module *m)
{
	struct debuginfo *d = debuginfo_get(s->files, m);

	return d && debuginfo_dwarf(d);
}

static void add_library_object(struct json *j, struct session *s, struct module *m)
{
	json_add_object(j, NULL);
	json_add_address(j, "start", m->start);
	json_add_address(j, "end", m->end);
	json_add_bool(j, "has_lines", has_lines(s, m));
	json_add_string(j, "path", m->path);
	json_end(j);
}

/* j: the array that gets them; NULL: text. Whether there are any. *ret_lack: some lack lines. */
static bool add_libraries(struct cli *c, struct session *s, struct json *j, bool *ret_lack)
{
	bool some = false;

	for (size_t i = 0; s && i < s->modules->len; i++) {
		struct module *m = s->modules->items[i];
		if (m->is_exe || m->is_vdso)
			continue;
		if (j) {
			add_library_object(j, s, m);
			continue;
		}
		if (!some)
			buf_adds(&c->out, "From                To                  Syms Read   "
					  "Shared Object Library\n");
		some = true;
		const bool lacks = !has_lines(s, m);
		*ret_lack |= lacks;
		buf_addf(&c->out, "0x%016" PRIx64 "  0x%016" PRIx64 "  %-12s", m->start, m->end,
			 lacks ? "Yes (*)" : "Yes");
		style_add_between(&c->out, "", m->path, "\n");
	}
	return some;
}

static struct error *cmd_info_sharedlibrary(struct cli *c, const char *args)
{
	struct session *s = c->control->live;
	bool lack = false;
	struct json j;

	(void)args;
	if (c->json) {
		cli_json_begin(c, &j, "libraries");
		json_add_array(&j, "libraries");
		add_libraries(c, s, &j, &lack);
		json_end(&j);
		cli_json_end(c, &j);
		return NULL;
	}
	const bool some = add_libraries(c, s, NULL, &lack);
	if (lack)
		buf_adds(&c->out, "(*): Shared library is missing debugging information.\n");
	if (!some)
		buf_adds(&c->out, "No shared libraries loaded at this time.\n");
	return NULL;
}

static struct error *cmd_info_files(struct cli *c, const char *args)
{
	const struct control *control = c->control;
	struct json j;

	(void)args;
	if (c->json) {
		cli_json_begin(c, &j, "files");
		json_add_string(&j, "program", control->program);
		json_add_positive(&j, "pid", control->runs ? control->pid : 0);
		json_add_bool(&j, "core", control->live && !control->runs);
		cli_json_end(c, &j);
		return NULL;
	}
	if (control->program)
		style_add_between(&c->out, "Symbols from \"", control->program, "\".\n");
	if (control->live && control->runs)
		buf_addf(&c->out, "Native process:\n\tprocess %d\n", control->pid);
	else if (control->live)
		buf_adds(&c->out, "Local core dump file.\n");
	return NULL;
}

/* Where a link of the /proc folder leads; nothing: it cannot be read. */
static void read_link(struct cli *c, const char *name, struct buf *ret)
{
	char path[64], text[4096];

	snprintf(path, sizeof(path), "/proc/%d/%s", c->control->pid, name);
	ssize_t len = readlink(path, text, sizeof(text) - 1);
	if (len > 0)
		buf_add(ret, text, (size_t)len);
}

/* The file with the arguments: NUL characters end them. */
static void read_cmdline(struct cli *c, const char *name, struct buf *ret)
{
	enum { BYTES_MAX = 1 << 20 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", c->control->pid, name);
	struct error *err = buf_add_file(ret, path, BYTES_MAX);
	for (size_t i = 0; !err && i + 1 < ret->len; i++) {
		if (!ret->data[i])
			ret->data[i] = ' ';
	}
	error_ignore(err);
}

static const struct {
	const char *name;
	void (*read)(struct cli *c, const char *name, struct buf *ret);
} proc_facts[] = {
	{ "cmdline", read_cmdline },
	{ "cwd", read_link },
	{ "exe", read_link },
};

/* Shown as gdb does: "exe = '/bin/true'". */
static void add_proc_facts(struct cli *c)
{
	struct json j;

	if (c->json) {
		cli_json_begin(c, &j, "process");
		json_add_integer(&j, "pid", c->control->pid);
	} else {
		buf_addf(&c->out, "process %d\n", c->control->pid);
	}
	for (size_t i = 0; i < sizeof(proc_facts) / sizeof(*proc_facts); i++) {
		AUTO_BUF text = { 0 };
		proc_facts[i].read(c, proc_facts[i].name, &text);
		if (c->json) {
			json_add_string(&j, proc_facts[i].name, text.len ? buf_text(&text) : NULL);
		} else if (text.len) {
			buf_addf(&c->out, "%s = '", proc_facts[i].name);
			style_add_between(&c->out, "", buf_text(&text), "'\n");
		}
	}
	if (c->json)
		cli_json_end(c, &j);
}

static void add_proc_file(struct cli *c, const char *name)
{
	enum { BYTES_MAX = 16 << 20 };
	AUTO_BUF text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", c->control->pid, name);
	struct error *err = buf_add_file(&text, path, BYTES_MAX);
	for (const char *line = buf_text(&text); !err && *line;) {
		size_t len = strcspn(line, "\n");
		text_escape(&c->out, line, len);
		buf_addc(&c->out, '\n');
		line += len + (line[len] == '\n');
	}
	error_ignore(err);
}

static struct error *cmd_info_proc(struct cli *c, const char *args)
{
	static const char *const files[][2] = {
		{ "mappings", "maps" },
		{ "status", "status" },
		{ "stat", "stat" },
	};

	if (!c->control->pid)
		return error_new(ERROR_USAGE,
				 "no current process: you must start or attach to one");
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (*args && !strncmp(files[i][0], args, strlen(args))) {
			if (!c->json)
				buf_addf(&c->out, "process %d\n", c->control->pid);
			add_proc_file(c, files[i][1]);
			return NULL;
		}
	}
	add_proc_facts(c);
	return NULL;
}

static const char *const proc_words[] = { "mappings", "stat", "status", NULL };

static const struct command rows[] = {
	{ .name = "info",
	  .short_names = "i inf",
	  .args = "",
	  .class = CLASS_STATUS,
	  .run = cmd_info,
	  .summary = "Show things about the program being debugged." },
	COMMAND_INFO("address", NULL, "NAME", cmd_info_address, COMPLETES_LOCATION,
		     "Describe where a function is stored, or a variable of the selected frame."),
	COMMAND_INFO("files", "target", "", cmd_info_files, COMPLETES_NOTHING,
		     "Names of targets and files being debugged."),
	COMMAND_INFO("line", NULL, "[LOCATION]", cmd_info_line, COMPLETES_LOCATION,
		     "Core addresses of the code for a source line."),
	{ .name = "info proc",
	  .args = "[mappings|stat|status]",
	  .class = CLASS_STATUS,
	  .completes = COMPLETES_CHOICE,
	  .choices = proc_words,
	  .run = cmd_info_proc,
	  .summary = "Show what /proc tells of the process." },
	COMMAND_INFO("sharedlibrary", "dll", "", cmd_info_sharedlibrary, COMPLETES_NOTHING,
		     "Status of loaded shared object libraries."),
	COMMAND_INFO("source", NULL, "", cmd_info_source, COMPLETES_NOTHING,
		     "Information about the current source file."),
	COMMAND_INFO("symbol", NULL, "ADDRESS", cmd_info_symbol, COMPLETES_EXPRESSION,
		     "Describe what symbol is at an address."),
};

const struct command_table cmd_info_table = COMMAND_TABLE(rows);
