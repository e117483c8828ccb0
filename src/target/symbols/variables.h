/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Variables: what names in a program mean: arguments and variables in scope at some pc, global
 * ones, functions, types, enumerators; what their types are, and where their values are.
 *
 * Borrows the symbol table. A struct variable borrows from the files that it was found in, and is
 * of no use after the next stop's module_list_update(); its type lives as long as the store.
 */
#ifndef TARGET_VARIABLES_H
#define TARGET_VARIABLES_H

#include "target/symbols/symbol.h"
#include "target/symbols/type_resolve.h"
#include "target/symbols/variable.h"

struct variables;

/* NULL: out of memory. */
struct variables *variables_new(struct symbol_table *symbols);
void variables_free(struct variables *v);

/* Owned by v, unless it is shared. */
struct type_store *variables_types(struct variables *v);

/*
 * The variable of that name in scope at pc, in the inlined level counted from the inside out: that
 * of the innermost block. false: none.
 */
bool variables_find_local(struct variables *v, taddr pc, size_t level, const char *name,
			  struct variable *ret);

/*
 * That of the functions which the one around pc was written in: of Fortran's internal procedures,
 * gcc's nested functions. It is to be located in a frame of the function it belongs to; *ret_inner:
 * how many functions lie between. Those of a block have a depth: who stands in the function may
 * have left that.
 */
bool variables_find_outer(struct variables *v, taddr pc, const char *name, struct variable *ret,
			  size_t *ret_inner);
bool variables_belong(struct variables *v, const struct variable *variable, taddr pc);

/* The frame (CFA) of the function around that at f->pc, by what it was passed; 0: not known. */
taddr variables_outer_frame(struct variables *v, taddr pc, const struct location_frame *f);

/*
 * The variable of a function of Fortran that gcc has made a local one of a construct's code of: it
 * is that one, unless the construct has a copy. false: it is not made so.
 */
bool variables_find_original(struct variables *v, const struct variable *variable,
			     struct variable *ret);

/* All of them, arguments first. */
MUST_CHECK struct error *variables_in_scope(struct variables *v, taddr pc, size_t level,
					    struct variable_list *ret);

/* Those of a common block of Fortran, in the function at pc and in those that it was written in. */
MUST_CHECK struct error *variables_in_common(struct variables *v, taddr pc, const char *block,
					     struct variable_list *ret);

/* Variables of the unit at pc that are in no function, at most so many. */
MUST_CHECK struct error *variables_of_unit(struct variables *v, taddr pc, size_t most,
					   struct variable_list *ret);
/* The name of such a variable, with its scopes: "ns::count". */
void variables_add_name(const struct variable *variable, struct buf *out);

/* In which order clang has described the variables of a function. */
enum variables_order {
	VARIABLES_AS_MADE,     /* until 16                                                  */
	VARIABLES_SHARED_LAST, /* from 17 on: what is shared comes behind the copies        */
	VARIABLES_IN_NO_ORDER, /* that helps: optimised code                               */
};

/*
 * Those of the outermost block of what is inlined directly into the function at pc and has such a
 * name, as they were written: they have types, and no places. None: there is none.
 */
MUST_CHECK struct error *variables_inlined(struct variables *v, taddr pc, const char *called,
					   struct variable_list *ret,
					   enum variables_order *ret_order);

/* The argument without a name of the function at pc: gcc passes what a construct has captured in
 * one. false: there is none. */
bool variables_find_unnamed(struct variables *v, taddr pc, size_t level, struct variable *ret);

/* The name by which the linker knows it, borrowed from the file; NULL: it has none. */
const char *variables_linkage_name(const struct variable *variable);

/*
 * The thing of that name: in the unit around pc (0: none) first, then in its module, then in all
 * others, the program first. Names may have scopes ("ns::x", "function::static_variable"); those of
 * types may begin with "struct" and the like. file, NULL: any: only in units whose path ends with
 * it. false: none.
 */
bool variables_find_global(struct variables *v, enum variable_sort sort, taddr pc, const char *file,
			   const char *name, struct variable *ret);

/* The function around pc, with its type and entry: in the inlined level. false: not known. */
bool variables_function(struct variables *v, taddr pc, size_t level, struct variable *ret);

/* Where it is. f->registers NULL: only what lies at a fixed address is found. */
void variables_locate(struct variables *v, const struct variable *variable,
		      const struct location_frame *f, struct location *ret);

/*
 * The type of an array at an address, and where its elements are, in the frame whose names and
 * variables are those at pc; pc 0: of none.
 */
void variables_resolve(struct variables *v, const struct type *type, taddr addr, taddr pc,
		       const struct location_frame *f, struct type_resolved *ret);

/* What an entry of the file that a variable is in describes, in the same frame as that, by its
 * offset: LOCATION_POINTER. Its type may be NULL. false: there is none. */
bool variables_at_entry(struct variables *v, const struct variable *beside, uint64_t entry,
			struct variable *ret);

/* The register, by DWARF's number, that an argument is passed in; -1: it is none. */
int variables_entry_register(struct variables *v, const struct variable *variable);

/* Where a variable is that its function finds by a pointer which it was passed, to a block; by what
 * holds where the function begins. false: it is found in another way. */
bool variables_behind(const struct variable *pointer, const struct variable *variable,
		      struct target *t, taddr block, taddr *ret);

/* The same for a condition: location_compile(). */
MUST_CHECK struct error *variables_compile(struct variables *v, const struct variable *variable,
					   struct target *t, const struct location_cfa *cfa,
					   struct buf *ret, enum location_kind *ret_kind);

#endif
