/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Container_parts: what those share that read containers (containers.h).
 */
#ifndef DEBUGGER_CONTAINER_PARTS_H
#define DEBUGGER_CONTAINER_PARTS_H

#include "debugger/values/container.h"

/* A container that is being read. */
struct container_reading {
	const struct scope *s;
	const struct value *v;
	const struct type *type; /* stripped                                        */
	const char *name;        /* "vector": without scopes and template arguments */
	size_t most;
	container_take *take; /* NULL: items are kept                            */
	void *context;
	uint64_t first; /* the item that is wanted first                     */
	uint64_t added; /* how many have come by                             */
	struct container *ret;
};

/* false: it is not laid out as the reader knows; it may have set a fault. */
typedef bool container_reader(struct container_reading *r);
struct container_row {
	const char *name;
	container_reader *read;
};

/* They end with a row without a name. */
extern const struct container_row container_any_rows[], container_chrono_rows[],
	container_function_rows[], container_gnu_rows[], container_gnu_single_rows[],
	container_llvm_rows[], container_node_rows[];

/* "a.b|c": the member b of a, or else c; through what is inherited. false: there is none. */
bool container_get(const struct container_reading *r, const struct value *v, const char *path,
		   struct value *ret);
/* The same as a number, or an address. */
bool container_number(const struct container_reading *r, const struct value *v, const char *path,
		      uint64_t *ret);

/* Template argument n, if it is a type, or a number. */
const struct type *container_argument(const struct type *t, size_t n);
bool container_argument_number(const struct type *t, size_t n, int64_t *ret);

/* What a type has to be aligned to, as far as its parts tell; at least 1. */
uint64_t container_alignment(const struct type *t);
uint64_t container_align(uint64_t at, const struct type *t);

/* Adds an element that lies at an address. What cannot be read is missing: false. */
bool container_add(struct container_reading *r, const struct type *type, taddr at);
void container_add_value(struct container_reading *r, const struct value *v, const char *label);
/* Of a NUMBERED one. */
void container_add_numbered(struct container_reading *r, const struct value *v, uint64_t number);

bool container_word(const struct container_reading *r, taddr at, uint64_t *ret);

/* It makes no sense: true, as readers return it. */
bool container_damaged(struct container_reading *r, const char *why);

/* "std::vector" */
void container_head(struct container_reading *r, const char *what);
/* "std::vector of length 3, capacity 4" */
void container_head_length(struct container_reading *r, uint64_t length, uint64_t capacity);
/* "std::unique_ptr<int>": with its first template argument. */
void container_head_with(struct container_reading *r);
/* "std::string" of a type. */
void container_head_add(struct container_reading *r, const struct type *type);
/* "std::variant<int, std::string>" */
void container_head_type(struct container_reading *r);

/* Elements one behind the other. */
void container_add_row(struct container_reading *r, const struct type *type, taddr first,
		       uint64_t n);
/* A vector of bits, in words of 64. */
bool container_bits(struct container_reading *r, taddr first, uint64_t n, uint64_t capacity);
/* What a string consists of, by its first template argument: sets their width and prefix. false:
 * they are no characters. */
bool container_characters(struct container_reading *r);
/* So many of those. */
bool container_text(struct container_reading *r, taddr at, uint64_t len);
/* The same, of which at least as many as are wanted are here. */
bool container_text_here(struct container_reading *r, const void *bytes, uint64_t len);

#endif
