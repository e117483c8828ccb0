/* SPDX-FileCopyrightText: The ompdb developers
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How a program says what its variables hold, without keeping them: by value, before the position.
 * The hundreds of a position's number are its category (truth.py). */
#ifndef TRUTH_H
#define TRUTH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

int me(void); /* a number for this thread */
void mark(int id, int thread);
void use(long value);
void use_address(const void *address);
void truth_int(int id, int frame, const char *name, long value);
void truth_bool(int id, int frame, const char *name, bool value);
void truth_real(int id, int frame, const char *name, double value);
void truth_text(int id, int frame, const char *name, const char *value);

#ifdef __cplusplus
}
static inline __attribute__((always_inline)) void truth(int id, int frame, const char *name,
							bool value)
{
	truth_bool(id, frame, name, value);
}
#define TRUTH_IS(type, function)                                                                   \
	static inline __attribute__((always_inline)) void truth(int id, int frame,                 \
								const char *name, type value)      \
	{                                                                                          \
		function(id, frame, name, value);                                                  \
	}
TRUTH_IS(int, truth_int)
TRUTH_IS(char, truth_int)
TRUTH_IS(short, truth_int)
TRUTH_IS(long, truth_int)
TRUTH_IS(unsigned, truth_int)
TRUTH_IS(float, truth_real)
TRUTH_IS(double, truth_real)
TRUTH_IS(const char *, truth_text)
#else
#define truth(id, frame, name, value)                                                              \
	_Generic((value), bool: truth_bool, float: truth_real, double: truth_real,                 \
		char *: truth_text, const char *: truth_text, default: truth_int)(id, frame, name, value)
#endif

#define TELL_1(id, f, x)                       truth(id, f, #x, x)
#define TELL_2(id, f, x, ...)                  TELL_1(id, f, x), TELL_1(id, f, __VA_ARGS__)
#define TELL_3(id, f, x, ...)                  TELL_1(id, f, x), TELL_2(id, f, __VA_ARGS__)
#define TELL_4(id, f, x, ...)                  TELL_1(id, f, x), TELL_3(id, f, __VA_ARGS__)
#define TELL_5(id, f, x, ...)                  TELL_1(id, f, x), TELL_4(id, f, __VA_ARGS__)
#define TELL_6(id, f, x, ...)                  TELL_1(id, f, x), TELL_5(id, f, __VA_ARGS__)
#define TELL_7(id, f, x, ...)                  TELL_1(id, f, x), TELL_6(id, f, __VA_ARGS__)
#define TELL_8(id, f, x, ...)                  TELL_1(id, f, x), TELL_7(id, f, __VA_ARGS__)
#define TELL_N(a, b, c, d, e, f, g, h, n, ...) TELL_##n

/* What variables of a frame hold: 1 is that of the position, 2 its caller's. */
#define TELL(id, frame, ...)                                                                       \
	(TELL_N(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)(id, frame, __VA_ARGS__))
/* A position, and what its variables hold. What stands behind the call keeps it from being a jump.
 */
#define MARK(id, ...)                                                                              \
	do {                                                                                       \
		TELL(id, 1, __VA_ARGS__);                                                          \
		mark(id, me());                                                                    \
		__asm__ volatile("");                                                              \
	} while (0)

#define APART __attribute__((noinline))

#endif
