/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Awaited: whether a function waits for a task that it makes before it returns, by its source text:
 * then the frame that has made the task is there as long as the task is.
 *
 * The text is not compiled. What it does not tell for certain is a no: conditional compilation,
 * statements by which the wait could be passed by; in C++ calls, which may throw.
 */
#ifndef OMPD_AWAITED_H
#define OMPD_AWAITED_H

#include <stdbool.h>
#include <stddef.h>

/* Where a construct of a text in C or C++ is. */
struct awaited_task {
	int line, end; /* of the directive, and the last one of what it is of */
	int last;      /* of the construct around whose code makes the task; 0: the function does */
};

bool awaited_is(const char *text, size_t len, bool cxx, const struct awaited_task *task);

#endif
