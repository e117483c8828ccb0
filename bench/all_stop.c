/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * all_stop PID [TIMES]: stops and resumes all threads of an attached process TIMES times and
 * prints the medians, in microseconds.
 */
#include "target/process/live.h"
#include "timing.h"

int main(int argc, char **argv)
{
	enum { TIMES_MAX = 1000 };
	static double stop[TIMES_MAX], resume[TIMES_MAX];
	size_t times = argc > 2 ? (size_t)atol(argv[2]) : 15;
	AUTO_TARGET *t = NULL;

	if (argc < 2 || times < 1 || times > TIMES_MAX) {
		fprintf(stderr, "usage: all_stop PID [TIMES]\n");
		return 2;
	}
	check(live_attach(atoi(argv[1]), &t));
	for (size_t i = 0; i < times; i++) {
		double start = now_us();
		check(target_resume(t, NULL, RESUME_CONTINUE));
		double middle = now_us();
		resume[i] = middle - start;
		/* Let them go back to sleep: stopping threads that still start is another thing. */
		nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
		middle = now_us();
		check(target_stop_all(t));
		stop[i] = now_us() - middle;
	}
	printf("%.0f %.0f\n", median(stop, times), median(resume, times));
	return 0;
}
