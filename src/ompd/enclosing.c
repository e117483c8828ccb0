/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/enclosing.h"

#include <string.h>
#include <strings.h>

enum source_form enclosing_form(const char *file)
{
	static const struct {
		const char *end;
		enum source_form form;
	} ends[] = {
		{ ".f", SOURCE_FIXED },   { ".for", SOURCE_FIXED }, { ".ftn", SOURCE_FIXED },
		{ ".fpp", SOURCE_FIXED }, { ".f90", SOURCE_FREE },  { ".f95", SOURCE_FREE },
		{ ".f03", SOURCE_FREE },  { ".f08", SOURCE_FREE },  { ".f18", SOURCE_FREE },
	};
	const char *dot = strrchr(file, '.');

	for (size_t i = 0; dot && i < sizeof(ends) / sizeof(*ends); i++) {
		if (!strcasecmp(dot, ends[i].end))
			return ends[i].form;
	}
	return SOURCE_C;
}

struct error *enclosing_find(const char *text, size_t len, enum source_form form, int line,
			     struct constructs *ret)
{
	struct constructs c = { .fortran = form != SOURCE_C };
	struct error *err =
		form == SOURCE_C
			? enclosing_find_c(text, len, line, &c)
			: enclosing_find_fortran(text, len, form == SOURCE_FIXED, line, &c);

	if (err)
		constructs_fini(&c);
	else
		*ret = c;
	return err;
}
