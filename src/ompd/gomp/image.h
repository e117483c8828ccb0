/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Image: the ELF file in the target that a function belongs to, read from the target's memory, and
 * the release of libgomp that its symbol-version nodes name.
 *
 * A client gives addresses of symbols only. The file that holds one starts at the nearest ELF
 * header below it; its program headers say where it ends, its dynamic section where its version
 * nodes are.
 */
#ifndef OMPD_GOMP_IMAGE_H
#define OMPD_GOMP_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "ompd/client/ompd_abi.h"

struct gomp_image {
	uint64_t bias;       /* address in the target minus address in the file  */
	uint64_t start, end; /* of all its segments                              */
	uint64_t dynamic;    /* address of its dynamic section; 0: it has none   */
	uint64_t dynamic_size;
};

/* UNAVAILABLE: there is no ELF header below that address whose segments hold it. */
ompd_rc_t gomp_image_find(ompd_address_space_context_t *context, uint64_t function,
			  struct gomp_image *ret);

enum gomp_nodes {
	GOMP_NODES_NONE, /* it defines no versions of GOMP_: not a shared library      */
	GOMP_NODES_KNOWN,
	GOMP_NODES_UNKNOWN, /* there is one that no release known here has, or they are unreadable
			     */
};

/* The release that the version nodes name: major versions from least to most. */
struct gomp_version {
	enum gomp_nodes nodes;
	int least, most;
	char newest[24]; /* "GOMP_5.1": the newest one, or the unknown one; may be "" */
};
void gomp_image_version(ompd_address_space_context_t *context, const struct gomp_image *image,
			struct gomp_version *ret);

#endif
