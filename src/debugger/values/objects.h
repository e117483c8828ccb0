/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Objects: what pointers and references of C++ lead to, by the class that the object itself tells
 * ("set print object").
 */
#ifndef DEBUGGER_OBJECTS_H
#define DEBUGGER_OBJECTS_H

#include "debugger/values/value.h"

/*
 * A pointer or reference to an object with virtual functions, or one in memory, becomes that to
 * the whole object of which it is a part, of the class that its table says. *ret_is: there is one;
 * else v is as it was. Errors only for lack of memory.
 */
MUST_CHECK struct error *objects_follow(const struct scope *s, struct value *v, bool *ret_is);

#endif
