/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_links: how nodes of lists and trees lead to each other: whether one is the end, which
 * has no element, and which one is before it.
 */
#ifndef DEBUGGER_CONTAINER_LINKS_H
#define DEBUGGER_CONTAINER_LINKS_H

#include "debugger/values/container_parts.h"

/* Where in a node the addresses of others are. */
struct container_links {
	bool in_ring;     /* a list; else a tree                                          */
	bool has_red_end; /* the end tells that it is one, and has the last node at its right */
	uint64_t before;  /* of a list                                                    */
	uint64_t parent, left, right;
};
extern const struct container_links container_links_gnu_list, container_links_gnu_tree,
	container_links_llvm_list, container_links_llvm_tree;

/* Whether a node is the end; size: of a node with an element. false: that cannot be told. */
bool container_links_end(const struct container_reading *r, const struct container_links *l,
			 taddr node, uint64_t size, bool *ret);

/* The node before that one, which may be the end. false: that cannot be told. */
bool container_links_before(const struct container_reading *r, const struct container_links *l,
			    taddr node, taddr *ret);

#endif
