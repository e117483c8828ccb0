/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/tracer/message.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

struct head {
	uint32_t kind;
	uint32_t len;
	uint32_t files; /* which of them are there: a bit each */
};

union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(MESSAGE_FILES * sizeof(int))];
};

void message_close_files(struct message *m)
{
	for (size_t i = 0; i < MESSAGE_FILES; i++) {
		if (m->files[i] >= 0)
			close(m->files[i]);
		m->files[i] = -1;
	}
}

void message_fini(struct message *m)
{
	message_close_files(m);
	buf_fini(&m->body);
}

/* ---- sending ---------------------------------------------------------------------------- */

static bool send_all(int fd, const void *bytes, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = TEMP_FAILURE_RETRY(
			send(fd, (const char *)bytes + done, len - done, MSG_NOSIGNAL));
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* Puts the files of a message into control; returns which they are. */
static uint32_t put_files(const struct message *m, struct msghdr *msg, union control *control)
{
	int files[MESSAGE_FILES];
	uint32_t which = 0;
	size_t n = 0;

	for (size_t i = 0; i < MESSAGE_FILES; i++) {
		if (m->files[i] < 0)
			continue;
		files[n++] = m->files[i];
		which |= 1U << i;
	}
	if (!n)
		return 0;
	control->header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(n * sizeof(int)),
					    .cmsg_level = SOL_SOCKET,
					    .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control->header), files, n * sizeof(int));
	msg->msg_control = control->bytes;
	msg->msg_controllen = CMSG_SPACE(n * sizeof(int));
	return which;
}

/* In one piece where that is possible: each one would wake the other side. */
bool message_send(int fd, const struct message *m)
{
	struct head head = { .kind = m->kind, .len = (uint32_t)m->body.len };
	union control control = { 0 };
	struct iovec pieces[] = { { &head, sizeof(head) }, { m->body.data, m->body.len } };
	struct msghdr msg = { .msg_iov = pieces, .msg_iovlen = 2 };

	if (!buf_ok(&m->body) || m->body.len > MESSAGE_MAX)
		return false;
	head.files = put_files(m, &msg, &control);
	ssize_t n = TEMP_FAILURE_RETRY(sendmsg(fd, &msg, MSG_NOSIGNAL));
	if (n <= 0)
		return false;
	size_t of_head = (size_t)n < sizeof(head) ? (size_t)n : sizeof(head);
	size_t of_body = (size_t)n - of_head;
	return send_all(fd, (const char *)&head + of_head, sizeof(head) - of_head) &&
	       send_all(fd, buf_text(&m->body) + of_body, m->body.len - of_body);
}

/* ---- receiving -------------------------------------------------------------------------- */

bool message_await(int fd)
{
	enum { SPIN_US = 150 };
	struct pollfd there = { .fd = fd, .events = POLLIN };
	long start = clock_us();
	int n;

	while ((n = poll(&there, 1, 0)) == 0 && clock_us() - start < SPIN_US)
		sched_yield(); /* the other side may need this very processor */
	return n > 0;
}

static bool receive_all(int fd, void *ret, size_t len)
{
	for (size_t done = 0; done < len;) {
		ssize_t n = TEMP_FAILURE_RETRY(recv(fd, (char *)ret + done, len - done, 0));
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static void take_files(struct msghdr *msg, struct message *ret, uint32_t which)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	int files[MESSAGE_FILES];
	size_t n = 0, used = 0;

	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return;
	n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	if (n > MESSAGE_FILES)
		n = MESSAGE_FILES;
	memcpy(files, CMSG_DATA(c), n * sizeof(int));
	for (size_t i = 0; i < MESSAGE_FILES; i++) {
		if (which & 1U << i && used < n)
			ret->files[i] = files[used++];
	}
	while (used < n)
		close(files[used++]);
}

static bool receive_head(int fd, struct message *ret, struct head *head)
{
	union control control;
	struct iovec piece = { head, sizeof(*head) };
	struct msghdr msg = { .msg_iov = &piece,
			      .msg_iovlen = 1,
			      .msg_control = control.bytes,
			      .msg_controllen = sizeof(control.bytes) };
	ssize_t n = TEMP_FAILURE_RETRY(recvmsg(fd, &msg, MSG_CMSG_CLOEXEC));

	if (n <= 0 || !receive_all(fd, (char *)head + n, sizeof(*head) - (size_t)n))
		return false;
	take_files(&msg, ret, head->files);
	return true;
}

bool message_receive(int fd, struct message *ret)
{
	enum { PIECE = 64 * 1024 };
	struct head head;
	char piece[PIECE];

	message_close_files(ret);
	ret->body.len = 0;
	if (!receive_head(fd, ret, &head) || head.len > MESSAGE_MAX)
		return false;
	ret->kind = head.kind;
	while (ret->body.len < head.len) {
		size_t n = head.len - ret->body.len < PIECE ? head.len - ret->body.len : PIECE;
		if (!receive_all(fd, piece, n))
			return false;
		buf_add(&ret->body, piece, n);
		if (!buf_ok(&ret->body))
			return false;
	}
	return true;
}

/* ---- what is in them -------------------------------------------------------------------- */

void message_add(struct buf *b, uint64_t value, size_t size)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	buf_add(b, bytes, size);
}

void message_add_bytes(struct buf *b, const void *bytes, size_t len)
{
	message_add(b, bytes ? len : UINT32_MAX, 4);
	if (bytes)
		buf_add(b, bytes, len);
}

void message_add_text(struct buf *b, const char *text)
{
	message_add_bytes(b, text, text ? strlen(text) : 0);
}

const uint8_t *message_bytes(struct cursor *c, size_t *ret_len)
{
	static const uint8_t nothing;
	uint64_t len = cursor_uint(c, 4);
	const uint8_t *bytes = len == UINT32_MAX ? NULL : cursor_take(c, len);

	*ret_len = bytes ? len : 0;
	return bytes || len || c->bad ? bytes : &nothing;
}

char *message_text(struct cursor *c)
{
	size_t len;
	const uint8_t *bytes = message_bytes(c, &len);

	return bytes ? strndup((const char *)bytes, len) : NULL;
}

void message_add_error(struct buf *b, const struct error *err)
{
	message_add(b, err ? error_code(err) : UINT8_MAX, 1);
	if (err)
		message_add_text(b, error_message(err));
}

struct error *message_error(struct cursor *c)
{
	uint64_t code = cursor_uint(c, 1);

	if (code == UINT8_MAX)
		return NULL;
	AUTO_FREE char *text = message_text(c);
	if (!text || c->bad || code > ERROR_UNSUPPORTED)
		return error_new(ERROR_BAD_DATA, "the tracer says what makes no sense");
	return error_new((enum error_code)code, "%s", text);
}
