/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Json_listing: rows of a listing as JSON: an object for each, with all keys of the listing. Sets
 * of threads are arrays of LWPs; what there is not is null.
 */
#ifndef DEBUGGER_OUTPUT_JSON_LISTING_H
#define DEBUGGER_OUTPUT_JSON_LISTING_H

#include "debugger/listing_lines.h"
#include "debugger/output/json.h"

/* What a row has for the key, as a member of that name; NULL: within an array. */
void json_listing_cell(struct json *j, const char *name, const struct listing *l,
		       const struct listing_row *row, const struct listing_key *key);

/* The array "rows"; with a group, of objects with the value of that, "group", and "rows". */
void json_listing(struct json *j, const struct listing *l, const struct listing_lines *lines,
		  const struct listing_key *group);

#endif
