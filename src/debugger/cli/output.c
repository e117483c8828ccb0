/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "debugger/cli/console.h"

void output_fini(struct output *o)
{
	AUTO_BUF said = { 0 };
	int status;

	error_ignore(output_end_pipe(o, &said, &status));
	error_ignore(output_log_to(o, NULL, false));
}

void output_renew(struct output *o)
{
	const size_t width = output_width(o);

	cleanup_close(&o->log);
	cleanup_close(&o->pipe);
	cleanup_close(&o->said);
	*o = OUTPUT_INIT;
	o->width = width;
}

/* Pages ----------------------------------------------------------------------------------- */

static size_t terminal_size(bool rows)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row)
		return rows ? size.ws_row : size.ws_col;
	return rows ? 24 : 80;
}

size_t output_width(const struct output *o)
{
	return o->width ? o->width : terminal_size(false);
}

void output_begin_page(struct output *o)
{
	o->row = o->column = 0;
	o->unpaged = false;
}

/* The first letter of the line that is typed; 0: none, or an interrupt. */
static int read_answer(void)
{
	struct pollfd fds[] = { { .fd = STDIN_FILENO, .events = POLLIN },
				{ .fd = interrupt_fd(), .events = POLLIN } };
	char first = '\0', c = '\0';

	while (c != '\n') {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return 'q';
		if (interrupt_take())
			return 'q';
		if (!fds[0].revents)
			continue;
		if (read(STDIN_FILENO, &c, 1) != 1)
			return 'q';
		first = first ? first : c;
	}
	return first;
}

static const char question[] = "--Type <RET> for more, q to quit, c to continue without paging--";

static struct error *ask_for_more(struct output *o)
{
	if (o->column) /* of a line that is broken here */
		fputc('\n', stdout);
	fputs(question, stdout);
	fflush(stdout);
	int answer = read_answer();
	output_begin_page(o);
	if (answer == 'q' || answer == 'Q')
		return error_new(ERROR_GONE, "quit");
	o->unpaged = answer == 'c' || answer == 'C';
	return NULL;
}

/* Escapes (colours) take no room. */
static size_t escape_length(const char *s, size_t len)
{
	size_t n = 2;

	if (len < 2 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (n < len && (s[n] == ';' || (s[n] >= '0' && s[n] <= '9')))
		n++;
	return n < len ? n + 1 : n;
}

/* What a byte takes of a row: a character of UTF-8 is its first one, no tab breaks a line. */
static size_t cells_of(char c, size_t column, size_t width)
{
	size_t stop = 8 - column % 8;

	if (c == '\t')
		return stop < width - column ? stop : width - column;
	return c != '\n' && ((unsigned char)c & 0xc0) != 0x80;
}

/*
 * How many bytes fit on the rest of the page, which is counted down: the question takes its rows of
 * it. Where that breaks a line, the column says so.
 */
static size_t fitting(struct output *o, const char *s, size_t len)
{
	size_t rows = o->height ? o->height : terminal_size(true), width = output_width(o);
	size_t asks = (strlen(question) + width - 1) / width, i = 0;

	while (i < len && (!o->row || o->row + asks < rows)) {
		size_t escape = escape_length(s + i, len - i);
		size_t cells = escape ? 0 : cells_of(s[i], o->column, width);
		if (s[i] == '\n' || o->column + cells > width) {
			o->row++;
			if (s[i] == '\n' || o->row + asks < rows)
				o->column = 0;
			i += s[i] == '\n';
			continue;
		}
		o->column += cells;
		i += escape ? escape : 1;
	}
	return i;
}

static struct error *write_pages(struct output *o, const char *s, size_t len)
{
	while (len) {
		size_t fits = o->unpaged ? len : fitting(o, s, len);
		struct error *err =
			fits ? console_write_bytes(STDOUT_FILENO, s, fits) : ask_for_more(o);
		if (err)
			return err;
		s += fits;
		len -= fits;
	}
	return NULL;
}

/* Writing --------------------------------------------------------------------------------- */

/* A command that has seen enough ("head") has not failed. */
static struct error *write_pipe(struct output *o, const char *s, size_t len)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

	if (o->failed)
		return NULL;
	sigaction(SIGPIPE, &ignore, &before);
	struct error *err = console_write_bytes(o->pipe, s, len);
	sigaction(SIGPIPE, &before, NULL);
	o->failed = err ? EPIPE : 0;
	error_ignore(err);
	return NULL;
}

struct error *output_write(struct output *o, struct buf *text)
{
	struct error *err = NULL;

	if (!buf_ok(text))
		return &error_nomem;
	if (o->pipe >= 0)
		err = write_pipe(o, buf_text(text), text->len);
	if (!err && o->pipe < 0 && o->log >= 0)
		err = error_add(console_write_bytes(o->log, buf_text(text), text->len), "log");
	if (!err && o->pipe < 0 && !(o->log >= 0 && o->log_alone))
		err = o->pages ? write_pages(o, buf_text(text), text->len) : console_write(text);
	buf_clear(text);
	return err;
}

struct error *output_log_to(struct output *o, const char *path, bool overwrite)
{
	int fd = -1;

	if (path) {
		fd = open(path,
			  O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
				  (overwrite ? O_TRUNC : O_APPEND),
			  0666);
		/* A pipe that nobody reads is not waited for; later writes wait. */
		if (fd < 0 || fcntl(fd, F_SETFL, overwrite ? 0 : O_APPEND) < 0)
			return error_os(errno, "log file %s", path);
	}
	if (o->log >= 0)
		close(o->log);
	o->log = fd;
	return NULL;
}

/* Shell commands -------------------------------------------------------------------------- */

/* What ompdb has set for itself is not the command's; it has input and output, if they are >= 0. */
static void become_shell(const char *command, int input, int output)
{
	static const int ours[] = { SIGINT, SIGPIPE, SIGTTOU, SIGQUIT };
	const char *shell = getenv("SHELL");

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		signal(ours[i], SIG_DFL);
	if (input >= 0)
		dup2(input, STDIN_FILENO);
	if (output >= 0)
		dup2(output, STDOUT_FILENO);
	shell = shell && *shell ? shell : "/bin/sh";
	if (command && *command)
		execl(shell, shell, "-c", command, NULL);
	else
		execl(shell, shell, NULL);
	_exit(127);
}

/* An interrupt is for the command, and ends the wait only when that has ended. */
static struct error *wait_for(pid_t child, int *ret_status)
{
	int status;

	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return error_os(errno, "waiting for a shell command");
	}
	interrupt_take();
	*ret_status = status;
	return NULL;
}

/* A file without a name, for what a command prints: a pipe could be full before it is read. */
static struct error *open_said(int *ret)
{
	*ret = memfd_create("said", MFD_CLOEXEC);
	return *ret < 0 ? error_os(errno, "making room for what a shell command prints") : NULL;
}

/* Closes it. */
static struct error *take_said(int said, struct buf *ret)
{
	char part[4096];
	ssize_t n = 0;

	if (said < 0)
		return NULL;
	for (off_t at = 0; (n = pread(said, part, sizeof(part), at)) > 0; at += n)
		buf_add(ret, part, (size_t)n);
	struct error *err =
		n < 0 ? error_os(errno, "reading what a shell command has printed") : NULL;
	close(said);
	return err;
}

struct error *output_shell(const char *command, struct buf *ret_said, int *ret_status)
{
	int said = -1;
	struct error *err = ret_said ? open_said(&said) : NULL;

	if (err)
		return err;
	fflush(stdout);
	pid_t child = fork();
	if (!child)
		become_shell(command, -1, said);
	err = child < 0 ? error_os(errno, "starting a shell") : wait_for(child, ret_status);
	struct error *second = take_said(said, ret_said);
	if (err)
		error_ignore(second);
	return err ? err : second;
}

static void close_all(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

struct error *output_pipe_to(struct output *o, const char *command, bool keeps)
{
	int ends[3] = { -1, -1, -1 }; /* of the pipe, and what it prints */

	if (o->pipe >= 0)
		return error_new(ERROR_USAGE, "output goes into a shell command already");
	if (pipe2(ends, O_CLOEXEC) < 0)
		return error_os(errno, "making a pipe");
	struct error *err = keeps ? open_said(&ends[2]) : NULL;
	fflush(stdout);
	pid_t child = err ? -1 : fork();
	if (!child)
		become_shell(command, ends[0], ends[2]);
	if (child < 0) {
		err = err ? err : error_os(errno, "starting a shell");
		close_all(ends, 3);
		return err;
	}
	close(ends[0]);
	o->said = ends[2];
	o->pipe = ends[1];
	o->piped = child;
	o->failed = 0;
	return NULL;
}

struct error *output_end_pipe(struct output *o, struct buf *ret_said, int *ret_status)
{
	if (o->pipe < 0)
		return NULL;
	close(o->pipe);
	o->pipe = -1;
	struct error *err = wait_for(o->piped, ret_status);
	struct error *second = take_said(o->said, ret_said);
	o->said = -1;
	if (err)
		error_ignore(second);
	return err ? err : second;
}
