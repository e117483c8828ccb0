/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Member_reader: what structures, classes and unions consist of, by DWARF: read when it is asked
 * for first (type_members()), for what one program declares is more than anybody looks at.
 *
 * For the files here that read DWARF, as die.h.
 */
#ifndef TARGET_MEMBER_READER_H
#define TARGET_MEMBER_READER_H

#include "target/symbols/type_reader.h"

/*
 * Reads members of a structure. false: its entry is gone, with its file, or only declares
 * it: another one of that name may say more.
 */
bool member_reader_read(struct type_reader *r, struct type *t);

/* The same of its functions and types. */
bool member_reader_read_others(struct type_reader *r, struct type *t);

/* Makes a structure consist of what another one of that name does. */
void member_reader_copy(struct type *t, const struct type *from);
void member_reader_copy_others(struct type *t, const struct type *from);

#endif
