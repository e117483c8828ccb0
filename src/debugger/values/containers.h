/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Containers: what the classes of the C++ standard library hold, read from memory alone: those of
 * libstdc++ (by its headers of GCC 9 to 15) and of libc++ (LLVM 14 to 19). Nothing in the program
 * is called.
 *
 * containers.c finds out which one a value is; container_gnu.c and its
 * neighbours read them.
 * Whatever is in memory, reading ends; what makes no sense is said.
 */
#ifndef DEBUGGER_CONTAINERS_H
#define DEBUGGER_CONTAINERS_H

#include "debugger/values/container.h"

/*
 * What a value is, with at most so many elements or characters. false: it is no container that is
 * known here. With a fault, the items are those that made sense. No errors: what cannot be read is
 * missing.
 */
bool container_read(const struct scope *s, const struct value *v, size_t most,
		    struct container *ret);

/* As container_read(), but the items from that one on are handed to "take", each in turn: a key and
 * its value are two. */
bool container_each(const struct scope *s, const struct value *v, uint64_t first,
		    container_take *take, void *context, struct container *ret);

/* Whether a value of that type may be one: its name says so. */
bool container_is_known(const struct type *type);

/* "vector" in "std::vector<int>", so many characters of its name. NULL: it is none. */
const char *container_class(const struct type *type, size_t *ret_len);
bool container_is(const struct type *type, const char *class);

/* Of what the texts of a class of strings consist. */
const struct type *container_character(const struct type *type);

/* Whether a parameter of type "to" is a string or a view of one, or refers to one, that can be made
 * of a text of type "from". */
bool container_takes_text(const struct type *from, const struct type *to);

#endif
