/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Go on: one thread is resumed, over the site where it may stand.
 */
#ifndef TARGET_GO_ON_H
#define TARGET_GO_ON_H

#include "target/process/tracee.h"

/* Of one that stands at no site. */
MUST_CHECK struct error *go_on(struct tracees *ts, struct thread *th, enum resume_how how);

/* Of one that stands anywhere; nobody else stops but where only that leads over its site. */
MUST_CHECK struct error *go_on_over_site(struct tracees *ts, struct thread *th,
					 enum resume_how how);

/* Of what a standing thread has done, or had done for it, while nobody was to know of it. */
MUST_CHECK struct error *go_on_tell(struct tracees *ts, struct thread *th, enum stop_kind kind);

/* Over its site alone, which RESUME_STEP tells, while all others stand. */
MUST_CHECK struct error *go_on_in_place(struct tracees *ts, struct thread *th, struct site *site,
					enum resume_how how);

/* Of those that halt_others() has stopped and that have nothing to tell. Frees the list. */
MUST_CHECK struct error *go_on_others(struct tracees *ts, struct lwp_list *halted);

#endif
