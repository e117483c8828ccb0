/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Name_scopes: what a name of C++ may be in full, seen from some code: in the class and the
 * namespaces of the function there, in those that "using" names, and by other names of namespaces.
 */
#ifndef TARGET_NAME_SCOPES_H
#define TARGET_NAME_SCOPES_H

#include "target/symbols/variable_reader.h"

struct scoped_names {
	char **items; /* owned, as all of them */
	size_t len, cap;
};
void scoped_names_fini(struct scoped_names *l);
#define AUTO_NAMES AUTO(scoped_names_fini) struct scoped_names

/*
 * Adds them in the order in which the language looks for them; the last one is the name itself. In
 * other languages, and with "::" in front, there is no other one. top: of the function or inlined
 * call at addr, NULL: none is known. false: out of memory.
 */
bool name_scopes_find(struct variables *v, struct variable_unit *u, const Dwarf_Die *top,
		      Dwarf_Addr addr, const char *name, struct scoped_names *ret);

/*
 * Adds what names with scopes may stand for that these do not hold themselves: a namespace has what
 * "using" brings in, a class what it inherits. By what the unit says. false: nothing was added.
 */
bool name_scopes_find_brought(struct variables *v, struct variable_unit *u,
			      struct scoped_names *names);

/* Where the last part of a name begins, behind "::" that is not between < and >. */
const char *name_scopes_last(const char *name);

/* Whether two names are one, wherever blanks stand in them: "box<char> >" and "box<char>>". */
int name_scopes_compare(const char *a, const char *b);

#endif
