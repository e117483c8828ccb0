/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Log: what ompdb does, for the people who debug ompdb. Off unless log_enable() says so.
 *
 * Lines go to stderr as "ompdb: DOMAIN: text". This is not for users: what they must know
 * is an error or part of a result.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/error.h"

enum log_domain { LOG_PTRACE, LOG_MODULE, LOG_SYMBOL, LOG_UNWIND, LOG_OMPD, LOG_DOMAINS };

/* "ptrace,unwind" or "all". Unknown domains are an error that lists the known ones. */
MUST_CHECK struct error *log_enable(const char *domains);

/* A bit for each domain that is on. Read through log_on() only. */
extern unsigned int log_switch;
#define log_on(domain) (log_switch & (1U << (domain)))

#define log_debug(domain, ...)                                                                     \
	do {                                                                                       \
		if (__builtin_expect(log_on(domain), 0))                                           \
			log_print(domain, __VA_ARGS__);                                            \
	} while (0)
void log_print(enum log_domain domain, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
