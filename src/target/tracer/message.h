/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Message: what goes between ompdb and its tracer, over a pair of stream sockets: a kind, bytes of
 * any number, and open files.
 *
 * Bytes are numbers, little-endian and as wide as told, and texts with their length in front; they
 * are read with a cursor, which never leaves them.
 */
#ifndef TARGET_MESSAGE_H
#define TARGET_MESSAGE_H

#include "base/buf.h"
#include "base/cursor.h"

enum { MESSAGE_FILES = 3, MESSAGE_MAX = 256 << 20 };

struct message {
	uint32_t kind;
	struct buf body;          /* owned                 */
	int files[MESSAGE_FILES]; /* owned; -1: none there */
};
#define MESSAGE_NONE ((struct message){ .files = { -1, -1, -1 } })

void message_fini(struct message *m);
void message_close_files(struct message *m);
#define AUTO_MESSAGE AUTO(message_fini) struct message

/* false: memory ran out when it was made, or nobody is at the other end any more. */
bool message_send(int fd, const struct message *m);

/*
 * Looks for something to read for a while, without sleeping: to be woken up takes as long as what
 * the other side does until it answers. fd: a socket, or an epoll(7) of them. Returns whether there
 * is.
 */
bool message_await(int fd);

/* The next one, in place of what *ret held. false: the other end is gone, or makes no sense. */
bool message_receive(int fd, struct message *ret);

/* A number of size 1 to 8. */
void message_add(struct buf *b, uint64_t value, size_t size);

/* Bytes with their number; what is NULL is told from what has none. */
void message_add_bytes(struct buf *b, const void *bytes, size_t len);
void message_add_text(struct buf *b, const char *text);

/* Borrowed from the message. NULL: there is none. */
const uint8_t *message_bytes(struct cursor *c, size_t *ret_len);
/* The caller's; NULL: none, or out of memory. */
char *message_text(struct cursor *c);

/* An error or NULL, and back: *ret is set. */
void message_add_error(struct buf *b, const struct error *err);
MUST_CHECK struct error *message_error(struct cursor *c);

#endif
