/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * looks PID [TIMES]: looks at a process TIMES times in one session, names included, letting it go
 * after each; prints the microseconds of the first look and the median of the later ones.
 */
#include "debugger/look.h"
#include "timing.h"

int main(int argc, char **argv)
{
	enum { TIMES_MAX = 1000 };
	static double times[TIMES_MAX];
	const struct session_options of_session = { .ompd_library = NULL };
	const struct snapshot_options options = { .max_frames = UNWIND_FRAMES_DEFAULT };
	size_t n = argc > 2 ? (size_t)atol(argv[2]) : 15;
	AUTO_SESSION *s = NULL;

	if (argc < 2 || n < 2 || n > TIMES_MAX) {
		fprintf(stderr, "usage: looks PID [TIMES]\n");
		return 2;
	}
	for (size_t i = 0; i < n; i++) {
		AUTO_LOOK l = { 0 };
		double start = now_us();
		if (!s)
			check(session_open(argv[1], NULL, &of_session, &s));
		check(look_once(s, &options, &l));
		check(snapshot_name(l.snapshot));
		times[i] = now_us() - start;
		/* Let the threads go back to sleep. */
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	}
	printf("%.0f %.0f\n", times[0], median(times + 1, n - 1));
	return 0;
}
