/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/cli/cli.h"
#include "debugger/control/sharing.h"
#include "debugger/output/format_sharing.h"

static struct error *cmd_info_sharing(struct cli *c, const char *args)
{
	AUTO_SHARINGS found = { 0 };
	struct error *err = control_need_stack(c->control);
	struct json j;

	if (!err)
		err = sharing_find(c->control, *args ? args : NULL, &found);
	if (err)
		return err;
	if (!c->json) {
		format_sharing(&c->out, &found, *args, &c->style);
		return NULL;
	}
	cli_json_begin(c, &j, "sharing");
	json_sharing_members(&j, &found);
	cli_json_end(c, &j);
	return NULL;
}

static const struct command rows[] = {
	{ .name = "info sharing",
	  .args = "[VARIABLE]",
	  .class = CLASS_OPENMP,
	  .completes = COMPLETES_EXPRESSION,
	  .run = cmd_info_sharing,
	  .summary = "Which variables the threads of the team share, and why.",
	  .help = "For each variable of the selected frame: shared, private, firstprivate, "
		  "lastprivate, reduction, linear, threadprivate, copyprivate or uniform, as the "
		  "directives around the selected line say, or where no clause names it the rules "
		  "of OpenMP 5.2; held against where it lies in each thread. With a VARIABLE, its "
		  "address in each of them.\n"
		  "A wrong sum that differs from run to run is often a private clause that is "
		  "missing: stop in the loop, and look for a variable that each thread should have "
		  "for itself, and which is \"shared\" with \"one address in 4 threads\".\n"
		  "The column BECAUSE names the directive and its line. A line \"but ...\" says "
		  "that "
		  "source and addresses contradict each other; where the source cannot be read, or "
		  "is not what was compiled, the addresses alone count, and that is said." },
};

const struct command_table cmd_sharing_table = COMMAND_TABLE(rows);
