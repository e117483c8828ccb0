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
	FLOW_TRY,   /* takes if its result is not zero                                 */
	FLOW_GIVE,  /* back                                                            */
	FLOW_END,   /* never returns                                                   */
	FLOW_THROW, /* neither, but throws an exception                               */
};

/* What a call does. */
struct flow_call {
	enum flow_effect effect;
	int kind;              /* the caller's; only the same kind is given back           */
	unsigned int argument; /* that is the object, from 0; FLOW_NO_ARGUMENT: none, "object"  */
	taddr object;
	bool once; /* who has it cannot take it again: it would wait for itself           */
};
enum { FLOW_NO_ARGUMENT = ARCH_ARGUMENTS };

/*
 * target: of a direct call, as call_site_before() has it; where that is nothing of interest, or not
 * known, the slot that it leads through (jump_slot()).
 */
typedef struct flow_call flow_classify(void *context, taddr target);

/* A call that matters, in the function of a frame. */
struct flow_site {
	taddr call;   /* its return address                                                  */
	int kind;     /* of struct flow_call                                                 */
	taddr target; /* as flow_classify() gets it                                     */
	uint64_t arguments[ARCH_ARGUMENTS]; /* of those whose bits are set in "known". What code
					       loads from memory to pass it on counts as what
					       memory holds now                           */
	uint32_t known;
	uint64_t leads; /* sites that may come next after it, a bit each                 */
};

enum { FLOW_SITES_MAX = 64 };
struct flow_sites {
	struct flow_site items[FLOW_SITES_MAX]; /* in the order of the instructions       */
	size_t len;
	uint64_t ahead;  /* sites that may come next after where the frame stands, a bit each */
	uint64_t behind; /* sites that may have come last before that                       */
	bool complete;   /* all of the function's code is known, and these are all        */
};

#endif
