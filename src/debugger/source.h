/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Source: lines of source files, where those can be read. Nobody vouches for the files.
 */
#ifndef DEBUGGER_SOURCE_H
#define DEBUGGER_SOURCE_H

#include "base/buf.h"

enum { SOURCE_LINE_MAX = 200 }; /* bytes of a line; the rest of it is left out */

/*
 * Adds a line of a regular file, from 1 on, as it is, without its line end. false, and adds
 * nothing: there is none within the first 16 MiB, it cannot be read, or it is no text.
 */
bool source_line(const char *file, int line, struct buf *ret);

#endif
