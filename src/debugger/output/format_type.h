/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Format_type: types in full, as ptype shows them: what structures, classes and enumerations
 * consist of, in gdb's forms.
 */
#ifndef DEBUGGER_OUTPUT_FORMAT_TYPE_H
#define DEBUGGER_OUTPUT_FORMAT_TYPE_H

#include "base/buf.h"
#include "target/symbols/type.h"

struct format_type_options {
	bool offsets;    /* where each member is, its size, and the holes: ptype/o */
	bool no_methods; /* ptype/m                                                */
	bool no_types;   /* no typedefs: ptype/t                                   */
};

/* What stands behind "type = ". Escaped. */
void format_type(struct buf *out, const struct type *type, const struct format_type_options *how);

#endif
