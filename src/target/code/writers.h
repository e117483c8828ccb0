/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writers: code that writes to a variable at a fixed address, and has that address in it.
 *
 * Four bytes that may be the distance to the variable, or its address, show in which functions to
 * look; these are gone through instruction by instruction, with what registers hold of addresses on
 * the way from one to the next. What writes to it by a pointer that it was given is not found.
 */
#ifndef TARGET_WRITERS_H
#define TARGET_WRITERS_H

#include "target/code/unwind.h"

enum { WRITERS_MAX = 32, WRITERS_CODE_MAX = 8 << 20 /* bytes */ };

struct writers_asked {
	taddr start, end; /* the variable                                              */
	taddr at;         /* in it: an element whose number the code has does not count if it is
			     another one                                               */
};

/*
 * In the code of the module that has the variable. Returns how many instructions there are; 0 also
 * if there is too much code, or it cannot be read.
 */
size_t writers_find(struct unwinder *u, const struct module_list *modules,
		    const struct writers_asked *asked, taddr ret[WRITERS_MAX]);

#endif
