/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/prompt.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "debugger/cli/history_file.h"
#include "debugger/cli/running.h"

struct prompt {
	struct line_source source;
	struct cli *cli;  /* borrowed                                    */
	EditLine *editor; /* owned; NULL: lines are not edited               */
	History *history; /* owned                                           */
	struct history_file file;
	const char *text;  /* borrowed; the prompt while a line is asked for  */
	mbstate_t decoder; /* of the bytes that are typed                     */
	bool interrupted, disturbed;
};

static volatile sig_atomic_t resized, continued;

static void on_change(int signal)
{
	resized = 1;
	continued |= signal == SIGCONT;
}

/* Bytes ----------------------------------------------------------------------------------- */

enum input { INPUT_BYTE, INPUT_END, INPUT_INTERRUPT, INPUT_RESIZE, INPUT_LOST };

/* Waits for a byte that is typed, or for what comes in between. */
static enum input read_byte(const struct prompt *p, char *ret)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = interrupt_fd(), .events = POLLIN },
		/* Without ranks: when it hangs up. */
		{ .fd = running_tracer_fd(p->cli), .events = p->cli->elsewhere ? POLLIN : 0 },
	};

	for (;;) {
		int n = poll(fds, 3, -1);
		if (interrupt_take())
			return INPUT_INTERRUPT;
		if (resized)
			return INPUT_RESIZE;
		if (n > 0 && fds[2].revents)
			return INPUT_LOST;
		if (n < 0 && errno != EINTR)
			return INPUT_END;
		if (n <= 0 || !fds[0].revents)
			continue;
		ssize_t len = read(STDIN_FILENO, ret, 1);
		if (len > 0)
			return INPUT_BYTE;
		if (len == 0 || (errno != EINTR && errno != EAGAIN))
			return INPUT_END;
	}
}

/* Lines that are not edited --------------------------------------------------------------- */

static struct error *interrupted(void)
{
	return error_new(ERROR_GONE, "quit");
}

/* For programs, that a line is waited for is an object as well. */
static void tell_prompt(const struct prompt *p)
{
	AUTO_BUF line = { 0 };
	struct json j = { .out = &line };

	if (p->cli->json && *p->text) {
		json_add_object(&j, NULL);
		json_add_integer(&j, "v", 1);
		json_add_string(&j, "type", "prompt");
		json_add_string(&j, "text", p->text);
		json_end(&j);
	}
	printf("%s", p->cli->json ? buf_text(&line) : p->text);
}

/* The tracer has ended, or the like: below the line that is being typed. The prompt may be another
 * one then. */
static void tell_lost(struct prompt *p)
{
	const bool is_prompt = p->text == p->cli->prompt;

	if (!p->cli->json)
		putchar('\n');
	running_tell_lost(p->cli);
	if (is_prompt)
		p->text = p->cli->prompt;
}

static struct error *read_plain(struct prompt *p, struct buf *ret, bool *ret_more)
{
	enum { LINE_MAX_BYTES = 1 << 20 };
	enum input input;
	char c = '\0';

	tell_prompt(p);
	fflush(stdout);
	while ((input = read_byte(p, &c)) != INPUT_END && !(input == INPUT_BYTE && c == '\n')) {
		if (input == INPUT_INTERRUPT)
			return interrupted();
		if (input == INPUT_LOST) {
			tell_lost(p);
			tell_prompt(p);
			fflush(stdout);
		}
		if (input == INPUT_RESIZE)
			resized = 0;
		else if (input == INPUT_BYTE && c && ret->len < LINE_MAX_BYTES)
			buf_addc(ret, c);
	}
	*ret_more = input == INPUT_BYTE || ret->len;
	return NULL;
}

/* Lines that are edited ------------------------------------------------------------------- */

static struct prompt *prompt_of(EditLine *editor)
{
	void *p = NULL;

	el_get(editor, EL_CLIENTDATA, &p);
	return p;
}

static char *prompt_text(EditLine *editor)
{
	return (char *)prompt_of(editor)->text;
}

enum { KEY_INTERRUPT = 3, KEY_TAB = '\t' };

/* One more byte of a character; false: it is not whole yet. What is no character becomes '?'. */
static bool decode(struct prompt *p, char byte, wchar_t *ret)
{
	size_t len = mbrtowc(ret, &byte, 1, &p->decoder);

	if (len == (size_t)-2)
		return false;
	if (len == (size_t)-1) {
		p->decoder = (mbstate_t){ 0 };
		*ret = L'?';
	}
	return true;
}

/* The terminal is another; behind SIGCONT it is as the shell had it. */
static void look_again(EditLine *editor)
{
	resized = 0;
	if (continued) {
		continued = 0;
		el_set(editor, EL_PREP_TERM, 0);
		el_set(editor, EL_PREP_TERM, 1);
	}
	el_resize(editor);
	el_set(editor, EL_REFRESH);
}

/* libedit's way to a character: 1, 0 at the end. */
static int get_character(EditLine *editor, wchar_t *ret)
{
	struct prompt *p = prompt_of(editor);
	char byte = '\0';

	for (;;) {
		switch (read_byte(p, &byte)) {
		case INPUT_END:
			return 0;
		case INPUT_INTERRUPT:
			p->interrupted = true;
			*ret = KEY_INTERRUPT;
			return 1;
		case INPUT_RESIZE:
			look_again(editor);
			break;
		case INPUT_LOST:
			tell_lost(p);
			el_set(editor, EL_REFRESH);
			break;
		case INPUT_BYTE:
			if (decode(p, byte, ret))
				return 1;
			break;
		}
	}
}

static unsigned char clear_line(EditLine *editor, int key)
{
	(void)key;
	prompt_of(editor)->interrupted = true;
	return CC_NEWLINE;
}

static size_t columns(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* All that a word may become, in columns below the line. */
static void list(const struct completion *c)
{
	AUTO_BUF out = { 0 };
	size_t widest = 1;

	for (size_t i = 0; i < c->len; i++) {
		if (strlen(c->items[i]) > widest)
			widest = strlen(c->items[i]);
	}
	size_t across = columns() / (widest + 2);
	across = across ? across : 1;
	size_t down = (c->len + across - 1) / across;
	for (size_t row = 0; row < down; row++) {
		for (size_t i = row; i < c->len; i += down) {
			size_t start = out.len;
			text_escape(&out, c->items[i], strlen(c->items[i]));
			if (i + down < c->len)
				buf_addf(&out, "%*s", (int)(widest + 2 - (out.len - start)), "");
		}
		buf_addc(&out, '\n');
	}
	printf("\n%s%s", buf_text(&out), c->cut ? "*** List may be truncated.\n" : "");
	fflush(stdout);
}

/* How many bytes all of them begin with. */
static size_t common_length(const struct completion *c)
{
	size_t len = strlen(c->items[0]);

	for (size_t i = 1; i < c->len; i++) {
		size_t k = 0;
		while (k < len && c->items[0][k] == c->items[i][k])
			k++;
		len = k;
	}
	/* Not within a character. */
	while (len && (c->items[0][len] & 0xc0) == 0x80)
		len--;
	return len;
}

static unsigned char apply(EditLine *editor, const struct completion *c, const char *word)
{
	AUTO_BUF more = { 0 };
	size_t len = strlen(word), common = c->len ? common_length(c) : 0;

	if (!c->len)
		return CC_REFRESH_BEEP;
	if (common > len)
		buf_add(&more, c->items[0] + len, common - len);
	if (c->len == 1 && !c->open)
		buf_addc(&more, ' ');
	if (more.len) {
		el_insertstr(editor, buf_text(&more));
		return CC_REFRESH;
	}
	if (c->len == 1)
		return CC_REFRESH_BEEP;
	list(c);
	return CC_REDISPLAY;
}

static unsigned char complete_word(EditLine *editor, int key)
{
	AUTO_COMPLETION c = { 0 };
	struct prompt *p = prompt_of(editor);
	const LineInfo *info = el_line(editor);

	(void)key;
	AUTO_FREE char *line = strndup(info->buffer, (size_t)(info->cursor - info->buffer));
	if (!line)
		return CC_REFRESH_BEEP;
	completion_find(p->cli, line, &c);
	return c.start <= strlen(line) ? apply(editor, &c, line + c.start) : CC_REFRESH_BEEP;
}

/* Ctrl-D ends input on an empty line; else it deletes a character, or completes at the end. */
static unsigned char end_or_delete(EditLine *editor, int key)
{
	const LineInfo *info = el_line(editor);

	if (info->lastchar == info->buffer)
		return CC_EOF;
	if (info->cursor == info->lastchar)
		return complete_word(editor, key);
	el_cursor(editor, 1);
	el_deletestr(editor, 1);
	return CC_REFRESH;
}

/* A program that ompdb runs may have left the terminal anywhere within a line. */
static void begin_line(struct prompt *p)
{
	if (p->disturbed)
		printf("%*s\r\033[K", (int)columns(), "");
	p->disturbed = false;
	fflush(stdout);
}

static struct error *read_edited(struct prompt *p, struct buf *ret, bool *ret_more)
{
	int len = 0;

	/* Before the prompt is there: what is typed at its sight would be echoed by the kernel. */
	el_set(p->editor, EL_PREP_TERM, 1);
	begin_line(p);
	p->interrupted = false;
	p->decoder = (mbstate_t){ 0 };
	if (resized) {
		resized = 0;
		el_resize(p->editor);
	}
	const char *line = el_gets(p->editor, &len);
	if (p->interrupted) {
		puts("^C");
		return interrupted();
	}
	*ret_more = line && len > 0;
	if (*ret_more)
		buf_add(ret, line, (size_t)len - (line[len - 1] == '\n'));
	return NULL;
}

static struct error *next_of_prompt(struct line_source *s, const char *prompt, struct buf *ret,
				    bool *ret_more)
{
	struct prompt *p = (struct prompt *)s;
	struct error *err = NULL;
	bool goes_on = true;

	buf_clear(ret);
	fflush(stdout);
	interrupt_listen(true);
	for (p->text = prompt; !err && goes_on; p->text = "") {
		err = (p->editor ? read_edited : read_plain)(p, ret, ret_more);
		s->line++;
		goes_on = *ret_more && ret->len && ret->data[ret->len - 1] == '\\';
		if (!err && goes_on)
			ret->data[--ret->len] = '\0';
	}
	interrupt_listen(false);
	if (!err && !buf_ok(ret))
		err = &error_nomem;
	return err;
}

/* Making ---------------------------------------------------------------------------------- */

static bool can_edit(void)
{
	const char *term = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

static bool make_editor(struct prompt *p)
{
	HistEvent event;

	setlocale(LC_CTYPE, "");
	p->editor = el_init("ompdb", stdin, stdout, stderr);
	p->history = history_init();
	if (!p->editor || !p->history)
		return false;
	history(p->history, &event, H_SETSIZE, HISTORY_LINES_DEFAULT);
	history(p->history, &event, H_SETUNIQUE, 1);
	el_set(p->editor, EL_CLIENTDATA, p);
	el_set(p->editor, EL_PROMPT, prompt_text);
	el_set(p->editor, EL_EDITOR, "emacs");
	el_set(p->editor, EL_HIST, history, p->history);
	el_set(p->editor, EL_GETCFN, get_character);
	el_set(p->editor, EL_ADDFN, "ompdb-complete", "complete a word", complete_word);
	el_set(p->editor, EL_ADDFN, "ompdb-clear", "throw the line away", clear_line);
	el_set(p->editor, EL_ADDFN, "ompdb-end", "end input, or delete", end_or_delete);
	el_set(p->editor, EL_BIND, "^D", "ompdb-end", NULL);
	el_set(p->editor, EL_BIND, "^I", "ompdb-complete", NULL);
	el_set(p->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
	el_source(p->editor, NULL);
	el_set(p->editor, EL_BIND, "^C", "ompdb-clear", NULL);
	struct sigaction action = { .sa_handler = on_change };
	sigaction(SIGWINCH, &action, NULL);
	sigaction(SIGCONT, &action, NULL);
	return true;
}

struct error *prompt_new(struct cli *c, struct prompt **ret)
{
	struct prompt *p = calloc(1, sizeof(*p));

	if (!p)
		return &error_nomem;
	p->cli = c;
	p->source = (struct line_source){ .next = next_of_prompt, .typed = isatty(STDIN_FILENO) };
	if (can_edit() && !make_editor(p)) {
		prompt_free(p);
		return error_new(ERROR_OS, "the terminal cannot be used");
	}
	*ret = p;
	return NULL;
}

void prompt_free(struct prompt *p)
{
	if (!p)
		return;
	if (p->editor)
		el_end(p->editor);
	if (p->history)
		history_end(p->history);
	history_file_fini(&p->file);
	free(p);
}

struct line_source *prompt_source(struct prompt *p)
{
	return &p->source;
}

bool prompt_edits(const struct prompt *p)
{
	return p->editor;
}

void prompt_disturbed(struct prompt *p)
{
	p->disturbed = true;
}

/* History --------------------------------------------------------------------------------- */

static void recall(void *context, const char *line)
{
	struct prompt *p = context;
	HistEvent event;

	history(p->history, &event, H_ENTER, line);
}

struct error *prompt_load_history(struct prompt *p, const char *path, size_t most)
{
	HistEvent event;

	if (!p->history)
		return NULL;
	history(p->history, &event, H_SETSIZE, (int)most);
	return path ? history_file_load(&p->file, path, most, recall, p) : NULL;
}

void prompt_remember(struct prompt *p, const char *line)
{
	if (!p->history || !line[strspn(line, " \t")])
		return;
	recall(p, line);
	if (p->cli->settings.history_save)
		history_file_add(&p->file, line);
}
