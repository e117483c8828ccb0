/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Demangle: names of the linker as their programmers wrote them.
 *
 * C++ names (Itanium ABI) go to the C++ runtime library, if there is one: __cxa_demangle().
 * A short name can stand for gigabytes, since it may refer to parts of itself that refer
 * to earlier parts (a hundred bytes double thirty times), and the library knows no limit. Names
 * that could do so are given to a child process, which has a tenth of a second.
 */
#ifndef TARGET_DEMANGLE_H
#define TARGET_DEMANGLE_H

/* As symbol_demangle() in symbol.h. */
char *demangle_name(const char *name);

#endif
