/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Let_go: how a live process ends to be a target: it goes on by itself, or is killed.
 */
#ifndef TARGET_LET_GO_H
#define TARGET_LET_GO_H

#include "target/process/tracee.h"

/* As the functions of the same name in target.h. */
MUST_CHECK struct error *let_go_detach(struct tracees *ts);
MUST_CHECK struct error *let_go_kill(struct tracees *ts);

#endif
