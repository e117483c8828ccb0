/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/why/why_ask.h"

#include "debugger/why/why_verdict.h"

static struct error *ask(struct session *s, const struct snapshot_options *options,
			 unsigned int samples, unsigned int interval, struct look *look,
			 struct why *why)
{
	struct snapshot_options its = *options;

	why_fini(why);
	*why = (struct why){ 0 };
	its.judged = true;
	its.footprints = samples > 1;
	struct error *err = look_often(s, &its, samples, interval, look);
	if (!err)
		err = snapshot_name(look->snapshot);
	return err ? err : why_verdict_find(look->snapshot, &look->progress, why);
}

/*
 * Of threads that spin one look does not tell whether they are about to go on. In a loop of the
 * program's a moment does not tell either.
 */
static bool needs_more(const struct look *look, const struct why *why)
{
	if (why_is_finding(why))
		return true;
	vec_for_each (th, &look->snapshot->picture.threads) {
		if (why->verdict == WHY_UNKNOWN && wait_kind_is_wait(th->wait.kind) &&
		    th->wait.kind != WAIT_MEMORY && (th->wait.spinning || !th->wait.settled))
			return true;
	}
	return false;
}

struct error *why_ask(struct session *s, const struct why_options *options, struct look *look,
		      struct why *why)
{
	enum { A_MOMENT = 20 /* milliseconds */ };

	struct error *err = ask(s, &options->snapshot, options->once ? 1 : options->samples,
				options->interval, look, why);
	/* One look may come between two steps of a runtime: a finding must last for a moment. */
	if (!err && options->once && !s->target->core && needs_more(look, why))
		err = ask(s, &options->snapshot, 2, A_MOMENT, look, why);
	return err;
}
