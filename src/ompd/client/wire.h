/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Wire: messages between ompdb and an OMPD library in its sandbox, over a pair of sockets that
 * keeps them apart (SOCK_SEQPACKET).
 *
 * The parent calls, and waits for the answer; until that comes it serves what the child asks for:
 *
 *     parent                         child
 *     CALL, entry and parameters ->
 *                                 <- PAGES, STRING, SYMBOL or THREAD
 *     REPLY                      ->
 *                                 <- ANSWER, code and results
 *
 * RELEASE and STOP are not answered; READY, or why not, is the first thing that the child says.
 */
#ifndef OMPD_WIRE_H
#define OMPD_WIRE_H

#include <stdbool.h>
#include <stdint.h>

enum wire_kind {
	WIRE_CALL,    /* value: the entry; words: parameters by its form, bytes: those of "b" */
	WIRE_RELEASE, /* bytes: handles, of struct wire_release                               */
	WIRE_STOP,    /* a new stop: what the target's memory holds is another                */
	WIRE_REPLY,   /* value: a code of OMPD; words, bytes: what was asked for              */
	WIRE_READY,   /* value: 0, or 1: it cannot be loaded; bytes: why                       */
	WIRE_ANSWER,  /* value: a code of OMPD; words: results by the form, bytes: strings    */
	WIRE_PAGES,   /* words: address, how many                                             */
	WIRE_STRING,  /* words: address, most bytes                                           */
	WIRE_SYMBOL,  /* words: thread; bytes: name                                           */
	WIRE_THREAD,  /* words: kind, size and value of its id                                */
};

enum { WIRE_WORDS = 8, WIRE_BYTES = 64 << 10, WIRE_HEAD = 16 + 8 * WIRE_WORDS };

/* What is sent of it ends with the bytes that are in use. */
struct wire_message {
	uint32_t kind; /* enum wire_kind */
	int32_t value;
	uint64_t len; /* of bytes: at most WIRE_BYTES */
	uint64_t words[WIRE_WORDS];
	uint8_t bytes[WIRE_BYTES];
};

struct wire_release {
	uint64_t entry, handle;
};

/* false: it cannot be sent, in the time that the socket has for it; errno says why. */
bool wire_send(int fd, const struct wire_message *m);

/* The next one. false: none comes, or what comes is none; errno says why, 0: the other end is gone.
 */
bool wire_receive(int fd, struct wire_message *ret);

#endif
