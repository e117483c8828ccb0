/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Argument_text: "text" where a function of the program wants a std::string or std::string_view, or
 * a reference to one: the object that C++ would make of it for the time of the call.
 */
#ifndef DEBUGGER_ARGUMENT_TEXT_H
#define DEBUGGER_ARGUMENT_TEXT_H

#include "debugger/values/passing.h"

/*
 * text: a pointer to its characters. *ret: where the object is. UNSUPPORTED: the class is not as
 * the libraries have it, or the program has none of the functions that make and end strings.
 */
MUST_CHECK struct error *argument_text_make(const struct passing *p, const struct value *text,
					    const struct type *class, taddr *ret);

#endif
