/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/rank_env.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

/*
 * Hydra (MPICH 4.0) and Open MPI 4.1 were looked at; Open MPI 5 has the PMIx standard's; the others
 * are as their manuals say: MVAPICH2's user guide, srun(1), flux-environment(7), PALS of Cray.
 */
static const struct rank_row rows[] = {
	{ "OMPI_COMM_WORLD_RANK",
	  "OMPI_COMM_WORLD_SIZE",
	  "OMPI_COMM_WORLD_LOCAL_SIZE",
	  { "PMIX_NAMESPACE" } },
	{ "PMIX_RANK", NULL, NULL, { "PMIX_NAMESPACE" } },
	{ "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE", { NULL } },
	{ "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS", { NULL } },
	{ "PALS_RANKID", NULL, NULL, { "PALS_APID" } },
	{ "FLUX_TASK_RANK", "FLUX_JOB_SIZE", NULL, { "FLUX_JOB_ID" } },
	{ "SLURM_PROCID",
	  "SLURM_STEP_NUM_TASKS",
	  NULL,
	  { "SLURM_JOB_ID", "SLURM_STEP_ID" },
	  "SLURM_STEP_NODELIST",
	  "SLURMD_NODENAME" },
};
enum { NROWS = sizeof(rows) / sizeof(*rows) };

void rank_env_fini(struct rank_env *e)
{
	buf_fini(&e->job);
	buf_fini(&e->hosts);
	buf_fini(&e->host);
}

uint64_t rank_env_key(const struct rank_env *e)
{
	const uint64_t key = hash_text(hash_text(HASH_START, e->row->rank), buf_text(&e->job));

	return hash_add(key, (uint64_t)e->size);
}

bool rank_row_is_inner(const struct rank_row *a, const struct rank_row *b)
{
	return a < b;
}

/* The value of a variable, NUL behind it; NULL: it is not there. name may be NULL. */
static const char *find(const char *environment, size_t len, const char *name)
{
	size_t name_len = name ? strlen(name) : 0;
	const char *end = environment + len;

	for (const char *line = environment; name && line < end;) {
		const char *nul = memchr(line, '\0', (size_t)(end - line));
		if (!nul) /* cut short */
			return NULL;
		if (!strncmp(line, name, name_len) && line[name_len] == '=')
			return line + name_len + 1;
		line = nul + 1;
	}
	return NULL;
}

/* -1: text is NULL, or no number from 0 on. */
static int read_number(const char *text)
{
	if (!text || !text_is_number(text))
		return -1;
	errno = 0;
	long n = strtol(text, NULL, 10);
	return errno || n > INT_MAX ? -1 : (int)n;
}

/* 0: text is NULL, or no number above that. */
static int read_count(const char *text)
{
	const int n = read_number(text);

	return n > 0 ? n : 0;
}

bool rank_env_read(const char *environment, size_t len, struct rank_env *ret)
{
	*ret = (struct rank_env){ .rank = -1 };
	for (size_t i = 0; i < NROWS && !ret->row; i++) {
		ret->rank = read_number(find(environment, len, rows[i].rank));
		if (ret->rank >= 0)
			ret->row = &rows[i];
	}
	if (!ret->row)
		return true;
	ret->size = read_count(find(environment, len, ret->row->size));
	ret->local = read_count(find(environment, len, ret->row->local));
	for (size_t i = 0; i < 2; i++) {
		const char *id = find(environment, len, ret->row->jobs[i]);
		if (id)
			buf_addf(&ret->job, "%s%s", i ? "." : "", id);
	}
	const char *hosts = find(environment, len, ret->row->hosts);
	const char *host = find(environment, len, ret->row->host);
	buf_adds(&ret->hosts, hosts ? hosts : "");
	buf_adds(&ret->host, host ? host : "");
	return buf_ok(&ret->job) && buf_ok(&ret->hosts) && buf_ok(&ret->host);
}
