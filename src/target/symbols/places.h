/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Places: from names and lines to code: where breakpoints go; and which lines code is made of:
 * what steps go by.
 *
 * What is answered is what gdb 13 does, address by address (tests/cli/test_places.py holds it
 * against gdb), but for this:
 *
 *  - a line whose code has no row that is a statement is stopped at nevertheless, if that is shown
 *    to be the line; gdb goes on to a later line (gcc -O2, instances of templates);
 *  - in a cold part of a function, a line is stopped at there; gdb stops at the function's entry;
 *  - what the compiler has outlined of a function, or a lambda in it, is none of that name; for
 *    gdb it is in C++, by accident;
 *  - names of templates with their arguments are found by all spellings of the linker's name;
 *  - where clang (19) puts a call for OpenMP before a function's body, and says the line of a
 *    construct of it, gdb stops there; ompdb behind it, or at the construct (thread_number.h);
 *  - where gcc gives a function's first construct no line, gdb stops in or behind that; ompdb
 *    before it (first_construct.h).
 *
 * Of many compile units only those are read in full that can matter: those in which a name is
 * mentioned (name_hits.h), in whose files a line can be, or whose code has an address. What is
 * known of units is kept with the modules. Nothing is left out by that but what a name is only by
 * an alias of Fortran or C++ (using, a namespace's other name): the function's own name counts.
 * Of split DWARF each unit is opened, since the strings lie elsewhere. Completion and names that
 * are alike come from the symbol tables alone: a function that exists inlined only is in neither,
 * though a breakpoint at it finds it.
 *
 * Addresses are the target's. Strings are borrowed from the symbol table, until a module goes.
 * Long work asks now and then whether it is to go on (symbol_table_set_interrupt()), and else
 * ends with ERROR_GONE "interrupted".
 */
#ifndef TARGET_PLACES_H
#define TARGET_PLACES_H

#include "target/symbols/symbol.h"

/* One copy of some code: a function's, or that of a line in it. */
struct code_place {
	taddr addr;           /* where to stop: behind the prologue, or where the line begins    */
	taddr entry;          /* of the function around it; 0: unknown                           */
	const char *function; /* linkage name; NULL: unknown                                     */
	const char *file;     /* full path; NULL: no line information                            */
	int line;             /* of addr; 0: unknown                                             */
	bool inlined;         /* the copy of a function that was inlined somewhere               */
	bool resolver;        /* returns the function, which has not been chosen yet (ifunc.h)   */
	struct module *module;
};
struct code_places {
	struct code_place *items; /* owned; by address, each once */
	size_t len, cap;
};
void code_places_fini(struct code_places *p);
#define AUTO_PLACES AUTO(code_places_fini) struct code_places

/*
 * All copies of the functions with a name, as a user writes it:
 *   work                any function of that name, in any scope or namespace (all of them, as gdb)
 *   ns::Class::work     with scopes, which may lack outer ones
 *   Class<int>::work    template arguments; without them: all instances
 *   work(int, char*)    one overload; blanks do not matter
 *   file.c:work         left to the caller: "file" then limits it to files of that name
 *   MODULE::proc, proc  Fortran, in any case; main program by its own name, too
 *   work._omp_fn.0      linkage names, exactly
 * A construct that the compiler has outlined belongs to the function it was written in, and is no
 * function of that name. addr is behind the prologue (prologue.h). Inlined copies count, and of
 * functions that are in no module the program's stubs. Of one that the dynamic linker chooses it is
 * the one that was chosen, or its resolver. exact_entry: the first instruction.
 * file, NULL: any: only functions whose code begins in a file whose path ends so, or that are of
 * a compile unit of it. Finding none is no error.
 */
struct places_query {
	const char *name;
	const char *file;
	bool exact_entry;
	bool qualified; /* the name has all of its scopes, those without names, too */
};
MUST_CHECK struct error *places_of_function(struct symbol_table *s, const struct places_query *q,
					    struct code_places *ret);

/* Adds where a label of C is in the function that has code at pc. */
MUST_CHECK struct error *places_of_label(struct symbol_table *s, taddr pc, const char *label,
					 struct code_places *ret);

/*
 * All copies of the code of a line: one for each function, inlined call, template instance or
 * constructor body that has code of it, where that begins there. file: a path or the end of one at
 * a slash. Of several stretches of one block the first counts. A line without code means the next
 * one that has some, in *ret_line. NOT_FOUND: no such file is known; there is no code at the line
 * or after it, and which line with code is the last.
 */
MUST_CHECK struct error *places_of_line(struct symbol_table *s, const char *file, int line,
					struct code_places *ret, int *ret_line);

/* The row of the line table that an address belongs to: neighbours may be of the same line. */
struct line_range {
	taddr start, end;
	const char *file;
	int line;      /* 0: belongs to no line                                                */
	bool begins;   /* pc is where it begins, be it a statement or not                      */
	bool is_start; /* pc is where it begins, and it is a statement: what a step stops at   */
};
/* false: no line information there. */
bool places_line_range(struct symbol_table *s, taddr pc, struct line_range *ret);

/* Whether the compile unit of the code at pc has code of that line. file: as a frame has it. */
bool places_have_line(struct symbol_table *s, taddr pc, const char *file, int line);

/*
 * The functions around an address from the inside out, as code: the inlined ones, then the one that
 * was called. For stepping: where they begin and end.
 */
struct code_block {
	const char *function;
	taddr start, end; /* the range around pc; a block may have others                       */
	taddr entry;      /* the start of its first range, as in gdb 13, not DW_AT_entry_pc  */
	bool inlined;
	/*
	 * An inlined one that is entered at pc: where it begins, or where one of its other pieces
	 * follows on code that is not its own.
	 */
	bool begins;
	const char *call_file; /* of an inlined one: where it is called                        */
	int call_line;
};
enum { CODE_BLOCKS_MAX = 64 };
size_t places_blocks(struct symbol_table *s, taddr pc, struct code_block ret[CODE_BLOCKS_MAX]);
/* How many of them are entered at pc: who stands there has not called them yet. */
size_t places_calls(const struct code_block *blocks, size_t n);

/*
 * Where the user's program begins: main(), or the main program of Fortran, by its own name. The
 * name is borrowed. places_is_main: the function around pc, not what is inlined in it, is that.
 */
const char *places_main(struct symbol_table *s);
bool places_is_main(struct symbol_table *s, taddr pc);

/*
 * The method that the compiler's thunk at pc adjusts "this" for, by the name that the Itanium ABI
 * gives thunks; 0: there is none.
 */
taddr places_thunk_target(struct symbol_table *s, taddr pc);

/* Behind the prologue of the function that begins there. */
taddr places_skip_prologue(struct symbol_table *s, taddr entry);

/*
 * Names that begin with text (completion), or resemble it (did you mean), at most "most", sorted:
 * of functions, of source files (last parts of paths). They are the caller's.
 */
enum place_names { PLACE_FUNCTIONS, PLACE_FILES };
struct name_list {
	char **items; /* owned, and what they point to */
	size_t len, cap;
};
void name_list_fini(struct name_list *l);
MUST_CHECK struct error *places_complete(struct symbol_table *s, enum place_names what,
					 const char *text, size_t most, struct name_list *ret);
MUST_CHECK struct error *places_resemble(struct symbol_table *s, enum place_names what,
					 const char *text, size_t most, struct name_list *ret);

/*
 * For info functions, sources, line, scope: each function or file once, in order of file and name;
 * until "found" says false.
 */
struct known_function {
	const char *name; /* shown */
	const char *file; /* NULL: known to the symbol table alone */
	int line;
	taddr entry;
	bool local; /* data that each thread has at another address: none is told */
	struct module *module;
};
MUST_CHECK struct error *places_functions(struct symbol_table *s,
					  bool (*found)(void *context,
							const struct known_function *f),
					  void *context);
/* Data that has a name in a symbol table, as a known_function without a file, in no order. */
MUST_CHECK struct error *places_data(struct symbol_table *s,
				     bool (*found)(void *context, const struct known_function *f),
				     void *context);
MUST_CHECK struct error *places_files(struct symbol_table *s,
				      bool (*found)(void *context, const char *path),
				      void *context);

/* A type that a file defines, or (without a file) that the language has. */
struct known_type {
	char *name;       /* with its scopes                                     */
	const char *word; /* "struct", "typedef"; NULL: none                     */
	const char *file; /* NULL: none                                          */
	int line;
};
/* Each once, in order of file and name, until "found" says false. */
MUST_CHECK struct error *places_types(struct symbol_table *s,
				      bool (*found)(void *context, const struct known_type *t),
				      void *context);

#endif
