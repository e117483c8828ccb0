/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/source_around.h"

struct error *source_around(struct session *s, const char *file, int line, struct constructs *ret,
			    bool *ret_known)
{
	const struct buf *text = file && line > 0 ? source_cache_get(s->sources, file) : NULL;

	*ret_known = text != NULL;
	return text ? enclosing_find(buf_text(text), text->len, enclosing_form(file), line, ret)
		    : NULL;
}

enum source_storage source_storage_of(struct session *s, const char *file, int line,
				      const char *name)
{
	const struct buf *text = file && line > 0 ? source_cache_get(s->sources, file) : NULL;

	return text && enclosing_form(file) == SOURCE_C
		       ? source_storage_find(buf_text(text), text->len, line, name)
		       : STORAGE_UNSAID;
}
