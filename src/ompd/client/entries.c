/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/entries.h"

const struct library_entry library_entries[NUM_ENTRIES] = {
#define ENTRY(name, form) { "ompd_" #name, form, offsetof(struct library_api, name) },
	LIBRARY_ENTRIES(ENTRY)
#undef ENTRY
};
