/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What environments say of ranks. */
#include "debugger/job/rank_env.h"

#include "unit.h"

/* Lines stand for what the kernel ends by a NUL. */
static const struct row {
	const char *environment, *variable;
	int rank, size;
	const char *job;
} rows[] = {
	{ "PMI_RANK=2\nPMI_SIZE=4\n", "PMI_RANK", 2, 4, "" },
	{ "HOME=/\nPMIX_NAMESPACE=77@1\nPMIX_RANK=0\n", "PMIX_RANK", 0, 0, "77@1" },
	{ "SLURM_PROCID=3\nSLURM_STEP_NUM_TASKS=8\nSLURM_JOB_ID=12\nSLURM_STEP_ID=0\n",
	  "SLURM_PROCID", 3, 8, "12.0" },
	{ "FLUX_TASK_RANK=1\nFLUX_JOB_SIZE=2\nFLUX_JOB_ID=f1\n", "FLUX_TASK_RANK", 1, 2, "f1" },
	/* The innermost starter's, wherever it stands. */
	{ "SLURM_PROCID=0\nPMI_RANK=5\n", "PMI_RANK", 5, 0, "" },
	{ "PMI_RANK=5\nOMPI_COMM_WORLD_RANK=1\nPMIX_RANK=7\n", "OMPI_COMM_WORLD_RANK", 1, 0, "" },
	/* What is no number is no rank, and no size. */
	{ "PMI_RANK=\n", NULL, -1, 0, "" },
	{ "PMI_RANK=-1\n", NULL, -1, 0, "" },
	{ "PMI_RANK=1x\n", NULL, -1, 0, "" },
	{ "PMI_RANK=99999999999999999999\n", NULL, -1, 0, "" },
	{ "PMI_RANK=1\nPMI_SIZE=many\n", "PMI_RANK", 1, 0, "" },
	{ "XPMI_RANK=1\nPMI_RANKS=1\n=\n\n", NULL, -1, 0, "" },
	{ "", NULL, -1, 0, "" },
	/* Cut short. */
	{ "PMI_RANK=1", NULL, -1, 0, "" },
};

START_TEST(environments_say_who_is_which_rank)
{
	const struct row *row = &rows[_i];
	AUTO_BUF text = { 0 };
	AUTO(rank_env_fini) struct rank_env e = { 0 };

	buf_adds(&text, row->environment);
	for (size_t i = 0; i < text.len; i++)
		text.data[i] = text.data[i] == '\n' ? '\0' : text.data[i];
	ck_assert(rank_env_read(buf_text(&text), text.len, &e));
	ck_assert_int_eq(e.row != NULL, row->variable != NULL);
	if (e.row)
		ck_assert_str_eq(e.row->rank, row->variable);
	ck_assert_int_eq(e.rank, row->rank);
	ck_assert_int_eq(e.size, row->size);
	ck_assert_str_eq(buf_text(&e.job), row->job);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("rank_env");

	unit_table(s, environments_say_who_is_which_rank, rows);
	return unit_run(s);
}
