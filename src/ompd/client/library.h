/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Library: finds an OMPD library, checks that it can be trusted, loads it, and has its entry
 * points.
 *
 * A library is code that runs in ompdb, or in a sandbox (sandbox.h) unless it lies where only root
 * can write, below /usr, /lib or /opt, and reads a process of the user's own. The user has named
 * it, or root or the user owns it and every folder that leads to it, and nobody else can write
 * there. These places are searched: the file that the user named, libompd.so beside the mapped
 * runtime, the folders of LLVM installations, newest first. Where the runtime lies is the target's
 * word: it counts only for a process of the user's own (target_check_paths()), and no other path of
 * a target is even looked at. Any version of libompd can read any version of libomp. A library can
 * be built in, too.
 */
#ifndef OMPD_LIBRARY_H
#define OMPD_LIBRARY_H

#include <sys/stat.h>

#include "base/error.h"
#include "ompd/client/sandbox.h"

struct library {
	struct library_api api;  /* empty, if there is a sandbox           */
	char *path;              /* owned; NULL: built in                  */
	void *dl;                /* owned; loaded into ompdb; or NULL      */
	struct sandbox *sandbox; /* owned; loaded into a process of its own; or NULL */
};

/* Calls an entry, wherever the library is. Evaluates an argument once. */
#define library_call(l, entry, ...)                                                                \
	((l)->sandbox ? sandbox_call((l)->sandbox, ENTRY_##entry, __VA_ARGS__)                     \
		      : (l)->api.entry(__VA_ARGS__))

/* Borrows everything. */
struct library_source {
	const char *named;           /* by the user; NULL: search                        */
	const char *runtime_path;    /* of the mapped libomp; NULL: not known            */
	const struct error *refused; /* why no path of the target is believed; NULL: they are */
	bool stranger;               /* somebody else may have written what is read           */
};

/*
 * A library for libomp. NOT_FOUND: none anywhere; the message names the package that has one, and
 * where none was searched for. NOT_PERMITTED: there is one that cannot be trusted; the message
 * names what is wrong with it. UNSUPPORTED: it lacks entry points or speaks another version of
 * OMPD.
 */
MUST_CHECK struct error *library_load_libomp(const struct library_source *from,
					     struct library *ret);
/* Of a built-in one, or one that was never loaded (all zero), nothing. */
void library_unload(struct library *l);

/*
 * Whether code from that file may run in ompdb without the user having named it. real_path:
 * absolute, without symbolic links (realpath(3)). NOT_PERMITTED: it, or a folder that leads to it,
 * belongs to somebody else or can be written by others; the message says which. The file's owner
 * and mode are those of st, which comes from the opened file.
 */
MUST_CHECK struct error *library_check_trust(const char *real_path, const struct stat *st);

#endif
