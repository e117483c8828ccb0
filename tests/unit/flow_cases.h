/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Flow_cases: functions for test_flow.c, in assembler, and what they are expected to hold.
 */
#ifndef UNIT_FLOW_CASES_H
#define UNIT_FLOW_CASES_H

/* Addresses in the made-up program. */
#define CODE_AT            0x401000 /* the function                                    */
#define OTHER_AT           0x401800 /* its unlikely part, or another function          */
#define TAKE_AT            0x402000
#define GIVE_AT            0x402010
#define TRY_AT             0x402020
#define WORK_AT            0x402030
#define GIVE_OTHER_KIND_AT 0x402040
#define END_AT             0x402050
#define CALLED_END_AT      0x402060
#define LOCK_AT            0x404000 /* several; LOCK + 32 points to one of them         */
#define POINTER_AT         0x404100
#define TABLE_AT           0x405000

#ifndef __ASSEMBLER__
#include <stdint.h>

/* Places in its code; what it does without lies before "code". */
struct flow_case {
	const char *name, *expected;
	const uint8_t *code, *other, *here, *end, *taken, *taken_too, *code_end;
};

extern const struct flow_case flow_cases[];
extern const int flow_ncases;
extern const int32_t flow_rows[3]; /* at TABLE_AT */
#endif

#endif
