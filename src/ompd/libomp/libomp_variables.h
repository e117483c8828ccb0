/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Libomp_variables: the variables of libomp that libompd reads, and how each is found and verified
 * where the file does not name it.
 *
 * By code: the last variable that an exported function uses (getter), or the one of that number. By
 * place: some are at the same distance from others in all builds of clang, which keeps the order of
 * declaration; some stand behind the layout words and their anchor.
 */
#ifndef OMPD_LIBOMP_VARIABLES_H
#define OMPD_LIBOMP_VARIABLES_H

#include "ompd/libomp/libomp_image.h"

struct libomp_variable {
	const char *name;
	bool (*fits)(const struct libomp_image *i, taddr variable); /* it holds what it may hold */
	const char *getter;
	size_t number; /* from 1 on; 0: the last one */
	const char *neighbour;
	int distance;      /* from the neighbour, bytes */
	int behind_anchor; /* words; 0: it is not there */
};

/* Ends with a row without a name; neighbours stand before those that need them. */
extern const struct libomp_variable libomp_variables[];

/* Where code says that it is; 0: nowhere. */
taddr libomp_variables_by_code(const struct libomp_variable *v, const struct libomp_image *i);

#endif
