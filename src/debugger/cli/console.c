/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

const char *const console_color_names[] = {
	[COLOR_AUTO] = "auto",
	[COLOR_ALWAYS] = "always",
	[COLOR_NEVER] = "never",
	NULL,
};

void console_init(void)
{
	/* open(2) takes the lowest number that is free; the mode makes any use fail. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(STATUS_FAILED);
	}
}

static bool terminal_has_colors(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_color && *no_color) && term && *term &&
	       strcmp(term, "dumb") != 0;
}

struct style console_style(enum color color)
{
	struct style style = { .utf8 = isatty(STDOUT_FILENO) && text_locale_is_utf8() };

	switch (color) {
	case COLOR_AUTO:
		style.color = terminal_has_colors();
		break;
	case COLOR_ALWAYS:
		style.color = true;
		break;
	case COLOR_NEVER:
		break;
	}
	return style;
}

struct error *console_write_bytes(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = write(fd, data, len);
		if (n < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		else if (n < 0 && errno != EINTR)
			return error_os(errno, "writing the output");
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return NULL;
}

/*
 * A reader that goes away shall be an error, not a SIGPIPE. The signal is ignored only here,
 * since a program that ompdb starts would inherit that.
 */
struct error *console_write(struct buf *out)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, before;

	if (!buf_ok(out))
		return &error_nomem;
	sigaction(SIGPIPE, &ignore, &before);
	struct error *err = console_write_bytes(STDOUT_FILENO, buf_text(out), out->len);
	sigaction(SIGPIPE, &before, NULL);
	out->len = 0;
	return err;
}

enum status console_print(struct buf *out)
{
	struct error *err = console_write(out);

	if (!err)
		return STATUS_OK;
	console_error(err);
	return STATUS_FAILED;
}

void console_error(struct error *err)
{
	AUTO_ERROR *mine = err;
	AUTO_BUF line = { 0 };

	buf_adds(&line, "ompdb: ");
	text_escape(&line, error_message(mine), strlen(error_message(mine)));
	buf_addc(&line, '\n');
	fputs(buf_ok(&line) ? buf_text(&line) : "ompdb: out of memory\n", stderr);
}

enum status console_usage_error(struct error *err, const char *usage)
{
	console_error(err);
	fprintf(stderr, "usage: %s\n", usage);
	return STATUS_USAGE;
}

void console_progress_begin(struct console_progress *p)
{
	clock_gettime(CLOCK_MONOTONIC, &p->began);
}

void console_progress(struct console_progress *p, bool shown, const char *what)
{
	struct timespec now;

	if (!shown || clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return;
	double seconds = (double)(now.tv_sec - p->began.tv_sec) +
			 (double)(now.tv_nsec - p->began.tv_nsec) / 1e9;
	if (seconds < 0.5 || (unsigned int)seconds + 1 == p->told || !isatty(STDERR_FILENO))
		return;
	p->told = (unsigned int)seconds + 1;
	fprintf(stderr, "\r%s: %u s (Ctrl-C gives up)", what, (unsigned int)seconds);
}

void console_progress_end(struct console_progress *p)
{
	if (p->told)
		fprintf(stderr, "\r%*s\r", 60, "");
	p->told = 0;
}
