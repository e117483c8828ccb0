/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/source_storage.h"

#include "ompd/source_tokens.h"

static const struct {
	const char *word;
	enum source_storage storage;
} words[] = {
	{ "static", STORAGE_STATIC },
	{ "thread_local", STORAGE_THREAD },
	{ "_Thread_local", STORAGE_THREAD },
	{ "__thread", STORAGE_THREAD },
};

/* That of a word, where it says more than what was said. */
static enum source_storage storage_of(const struct source_token *t, enum source_storage said)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (source_token_is(t, words[i].word) && words[i].storage > said)
			return words[i].storage;
	}
	return said;
}

enum source_storage source_storage_find(const char *text, size_t len, int line, const char *name)
{
	enum source_storage said = STORAGE_UNSAID, found = STORAGE_UNSAID;
	struct source_token token = { 0 };
	struct source_tokens tokens;
	bool assigned = false; /* the token before was "=" */
	bool named = false;    /* it was a name           */
	bool called = false;   /* it was "(" behind one   */
	int braces = 0;        /* around it, of an initial value */

	source_tokens_init(&tokens, text, len);
	for (;;) {
		source_tokens_next(&tokens, &token);
		if (token.kind == SOURCE_END || token.line > line)
			break;
		/* Parameters: what stands before is the function's. */
		if (called && token.kind == SOURCE_NAME)
			said = STORAGE_UNSAID;
		if (token.kind == SOURCE_NAME && token.line == line &&
		    source_token_is(&token, name)) {
			found = said;
			break;
		}
		bool opens = source_token_is(&token, "{"), closes = source_token_is(&token, "}");
		if (opens && (braces || assigned))
			braces++;
		else if (closes && braces)
			braces--;
		else if (!braces && (opens || closes || token.kind == SOURCE_PRAGMA ||
				     source_token_is(&token, ";")))
			said = STORAGE_UNSAID;
		else if (token.kind == SOURCE_NAME)
			said = storage_of(&token, said);
		assigned = source_token_is(&token, "=");
		called = named && source_token_is(&token, "(");
		named = token.kind == SOURCE_NAME;
	}
	source_tokens_fini(&tokens);
	return found;
}
