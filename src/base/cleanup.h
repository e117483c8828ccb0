/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Cleanup: what a scope owns, it frees when it ends; TAKE() hands it over instead.
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdlib.h>
#include <unistd.h>

#define AUTO(fn) __attribute__((cleanup(fn)))

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* AUTO_FREE char *s = ...; AUTO_CLOSE int fd = -1; */
#define AUTO_FREE  AUTO(cleanup_free)
#define AUTO_CLOSE AUTO(cleanup_close)

/* CLEANUP(thing, struct thing) makes thing_cleanup() of thing_free(), for AUTO(). */
#define CLEANUP(noun, type)                                                                        \
	static inline void noun##_cleanup(type **p)                                                \
	{                                                                                          \
		noun##_free(*p);                                                                   \
	}

/* The value of p, which is ours no longer. */
#define TAKE(p)                                                                                    \
	({                                                                                         \
		__typeof__(p) took = (p);                                                          \
		(p) = NULL;                                                                        \
		took;                                                                              \
	})
#define TAKE_FD(fd)                                                                                \
	({                                                                                         \
		int took = (fd);                                                                   \
		(fd) = -1;                                                                         \
		took;                                                                              \
	})

#endif
