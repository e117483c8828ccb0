/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Heritage: what a program inherits that ompdb starts: signals, limits and the OOM killer's opinion
 * of it are as they were when ompdb began, whatever ompdb has done to its own since.
 */
#ifndef TARGET_HERITAGE_H
#define TARGET_HERITAGE_H

/* Notes how things are; only the first call counts. To be called before anything is changed. */
void heritage_note(void);

/*
 * Puts things back, in a child that is about to execute another program. Async-signal-safe; changes
 * nothing in memory that such a child may share.
 */
void heritage_restore(void);

/* Asks the OOM killer to spare this process, as far as the system allows. */
void heritage_be_spared(void);

#endif
