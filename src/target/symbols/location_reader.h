/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Location_reader: makes a row of operations (location.h) of an attribute of DWARF: a description,
 * or the one of a list of them that holds at some pc.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_LOCATION_READER_H
#define TARGET_LOCATION_READER_H

#include "target/symbols/die.h"
#include "target/symbols/location.h"

/*
 * pc: as the DWARF has it. An attribute that is not there, and a list without an entry for pc, give
 * a code that is missing: "optimized out".
 */
void location_reader_get(Dwarf_Attribute *attribute, taddr pc, struct location_code *ret);

/* Whether it leads to what each thread has for itself (DWARF 5, 2.5.1.3). */
bool location_reader_is_thread_local(const struct location_code *code);

#endif
