/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/environment.h"

#include <ctype.h>

enum { MAX_VARIABLES = 4096, MAX_NAME = 32 };

/* The vector that the kernel has made; 0: there is another one. */
static uint64_t find_vector(const ompd_address_space_handle_t *space)
{
	uint64_t variable, vector, before;

	/* The end of the vector of arguments is before it; in the heap, the size of the block. */
	return gomp_client_symbol(space->context, NULL, "environ", &variable) == ompd_rc_ok &&
			       gomp_space_read_word(space, variable, &vector) == ompd_rc_ok &&
			       gomp_space_read_word(space, vector - 8, &before) == ompd_rc_ok &&
			       !before
		       ? vector
		       : 0;
}

/* Byte by byte: behind the last variable the stack may end. */
static bool read_value(const ompd_address_space_handle_t *space, uint64_t at,
		       char ret[GOMP_ENVIRONMENT_VALUE])
{
	for (size_t i = 0; i < GOMP_ENVIRONMENT_VALUE; i++) {
		if (gomp_space_read(space, at + i, ret + i, 1) != ompd_rc_ok)
			return false;
		if (!ret[i])
			return true;
	}
	return false;
}

bool gomp_environment_get(const ompd_address_space_handle_t *space, const char *name,
			  char ret[GOMP_ENVIRONMENT_VALUE])
{
	uint64_t vector = find_vector(space), string;
	size_t len = strlen(name);
	char start[MAX_NAME];

	if (!vector || len >= MAX_NAME)
		return false;
	for (uint64_t i = 0; i < MAX_VARIABLES; i++) {
		if (gomp_space_read_word(space, vector + 8 * i, &string) != ompd_rc_ok || !string)
			return false;
		if (string > vector &&
		    gomp_space_read(space, string, start, len + 1) == ompd_rc_ok &&
		    !memcmp(start, name, len) && start[len] == '=')
			return read_value(space, string + len + 1, ret);
	}
	return false;
}

bool gomp_environment_next(const char *list, size_t *at, char ret[GOMP_ENVIRONMENT_ITEM])
{
	const char *from = list + *at, *end;
	size_t len = 0;

	from += *at && *from == ',';
	from += strspn(from, " \t");
	end = from + strcspn(from, ",");
	*at = (size_t)(end - list);
	while (from < end && len + 1 < GOMP_ENVIRONMENT_ITEM && !isspace((unsigned char)*from))
		ret[len++] = (char)tolower((unsigned char)*from++);
	from += strspn(from, " \t");
	ret[len] = '\0';
	return len && from == end;
}
