/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/wrapper.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "debugger/control/control.h"
#include "target/symbols/elf_file.h"

enum { LINE_MAX_BYTES = 256 }; /* that the kernel reads of it */

void wrapper_fini(struct wrapper *w)
{
	free(w->path);
	free(w->interpreter);
	free(w->argument);
	*w = (struct wrapper){ 0 };
}

static bool read_line(const char *path, char ret[LINE_MAX_BYTES])
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, LINE_MAX_BYTES - 1);

	if (n < 2 || memcmp(ret, "#!", 2) != 0)
		return false;
	ret[n] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

bool wrapper_read(const char *program, struct wrapper *ret)
{
	struct wrapper w = { .path = control_find_program(program) };
	char line[LINE_MAX_BYTES];

	if (!w.path || !read_line(w.path, line)) {
		wrapper_fini(&w);
		return false;
	}
	char *name = line + 2 + strspn(line + 2, " \t");
	char *rest = name + strcspn(name, " \t");
	if (*rest)
		*rest++ = '\0';
	rest += strspn(rest, " \t");
	for (size_t n = strlen(rest); n && strchr(" \t", rest[n - 1]); n--)
		rest[n - 1] = '\0';
	w.interpreter = *name ? strdup(name) : NULL;
	w.argument = *rest ? strdup(rest) : NULL;
	if (!w.interpreter || (*rest && !w.argument)) {
		wrapper_fini(&w);
		return false;
	}
	*ret = w;
	return true;
}

/* A word that a shell makes itself of again. */
static void add_quoted(struct buf *out, const char *word)
{
	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789_-+=./,:@%")]) {
		buf_adds(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *word);
	}
	buf_addc(out, '\'');
}

static bool has_dwarf(const struct session *s)
{
	struct module *exe = s ? module_exe(s->modules) : NULL;
	struct debuginfo *d = exe ? debuginfo_get(s->files, exe) : NULL;

	return d && elf_file_has_dwarf(debuginfo_dwarf_file(d));
}

struct error *wrapper_set_args(struct cli *c, const struct wrapper *script, int argc, char **argv)
{
	struct control_settings *settings = &c->control->settings;
	AUTO_BUF line = { 0 };

	buf_adds(&line, "set args");
	for (int i = 0; script && i < 2; i++) {
		const char *word = i ? script->path : script->argument;
		if (!word)
			continue;
		buf_addc(&line, ' ');
		add_quoted(&line, word);
	}
	for (int i = 1; i < argc; i++) {
		buf_addc(&line, ' ');
		add_quoted(&line, argv[i]);
	}
	if (c->control->program && !has_dwarf(c->control->file)) {
		settings->follow = FOLLOW_AUTO;
		c->settings.pending =
			c->settings.pending == SETTING_AUTO ? SETTING_ON : c->settings.pending;
	}
	return buf_ok(&line) ? cli_execute(c, buf_text(&line)) : &error_nomem;
}
