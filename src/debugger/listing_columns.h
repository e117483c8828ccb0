/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Listing_columns: which keys of a listing are its columns.
 */
#ifndef DEBUGGER_LISTING_COLUMNS_H
#define DEBUGGER_LISTING_COLUMNS_H

#include "debugger/listing_keys.h"

/* The column n, from 0 on; NULL: there are no more. */
const struct listing_key *listing_column(enum listing_kind kind, size_t n);
/* Those of them that lines can do without, the least wanted first. */
const struct listing_key *listing_spare(enum listing_kind kind, size_t n);
/* It only tells rows apart: those that are alike in all other columns can be one line. */
bool listing_is_name(enum listing_kind kind, const struct listing_key *key);

#endif
