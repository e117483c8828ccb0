/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sigbus: lives on when a mapped file gets shorter.
 *
 * Program files are mapped, not read: debug information runs to gigabytes of which few pages
 * are looked at. Somebody may overwrite such a file meanwhile (cp over it, strip), and mmap(2)
 * then answers each access behind its new end with SIGBUS. The guard puts a page of zeros
 * there instead, which reads as damaged data: whoever reads mapped files copes with that anyway.
 */
#ifndef BASE_SIGBUS_H
#define BASE_SIGBUS_H

/* Installs the guard, for the whole process; again does no harm. */
void sigbus_guard(void);

#endif
