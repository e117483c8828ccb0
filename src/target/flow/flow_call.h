/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Flow_call: what the calls do that flow.h asks about.
 */
#ifndef TARGET_FLOW_CALL_H
#define TARGET_FLOW_CALL_H

#include "target/cpu/arch.h"

enum flow_effect {
	FLOW_NOTHING, /* of no interest                                                  */
	FLOW_TAKE,
	FLOW_TRY,  /* takes if its result is not zero                                 */
	FLOW_GIVE, /* back                                                            */
};

/* What a call does. */
struct flow_call {
	enum flow_effect effect;
	int kind;              /* the caller's; only the same kind is given back           */
	unsigned int argument; /* that is the object, from 0; FLOW_NO_ARGUMENT: none, "object"  */
	taddr object;
};
enum { FLOW_NO_ARGUMENT = ARCH_ARGUMENTS };

/* target: of a direct call, as call_site_before() has it. */
typedef struct flow_call flow_classify(void *context, taddr target);

#endif
