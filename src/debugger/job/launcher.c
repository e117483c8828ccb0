/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/launcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/*
 * ssh(1) asks no questions (BatchMode) and finds out in time that a host is dead. clush(1) says
 * nothing of its own (-q); it and pdsh(1) end with the status of what they have executed (-S).
 * What each carries was tried with Debian 12's on up to 16 hosts.
 */
const struct launcher launchers[] = {
	{ "srun", "srun --overlap --nodes=1 --ntasks=1 --nodelist={host} {command}", "SLURM_JOB_ID",
	  "Inside an allocation of Slurm. Tried with Slurm 22.05 and 24.11, on one node." },
	{ "clush", "clush -q -S -w {hosts} {command}", NULL,
	  "ClusterShell, whose gateways carry the load of many hosts. Tried over ssh." },
	{ "pdsh", "pdsh -S -w {host} {command}", NULL, "Tried over ssh (PDSH_RCMD_TYPE=ssh)." },
	{ "ssh", "ssh -o BatchMode=yes -o ConnectTimeout=10 {host} {command}", NULL,
	  "Tried with OpenSSH." },
	{ "mpiexec", "mpiexec -n 1 -host {host} {command}", NULL,
	  "Tried with MPICH's and Open MPI's, over ssh." },
	{ 0 },
};

/* --- choosing one --- */

const struct launcher *launcher_find(void)
{
	for (const struct launcher *l = launchers; l->name; l++) {
		AUTO_BUF path = { 0 };
		if ((!l->needs || getenv(l->needs)) && file_in_path(l->name, &path))
			return l;
	}
	return NULL;
}

bool launcher_takes_all(const char *command)
{
	return strstr(command, "{hosts}") != NULL;
}

/* --- its words --- */

bool launcher_is_word(const char *text)
{
	const size_t len =
		strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			     "./_:,=+@%-");

	return len && !text[len];
}

static bool add_hosts(struct buf *out, const char *word, const struct job_host *hosts, size_t n)
{
	const char *at = strstr(word, launcher_takes_all(word) ? "{hosts}" : "{host}");

	buf_add(out, word, at ? (size_t)(at - word) : strlen(word));
	for (size_t i = 0; at && i < n; i++)
		buf_addf(out, "%s%s", i ? "," : "", hosts[i].name);
	if (at)
		buf_adds(out, strchr(at, '}') + 1);
	return at != NULL;
}

struct error *launcher_words(const char *command, const struct job_host *hosts, size_t n,
			     const char *const *words, size_t nwords, struct program *ret)
{
	bool has_host = false, has_command = false, whole = true;

	for (const char *at = command + strspn(command, " "); *at && whole;) {
		AUTO_BUF word = { 0 }, filled = { 0 };
		const size_t len = strcspn(at, " ");
		buf_add(&word, at, len);
		at += len + strspn(at + len, " ");
		if (!strcmp(buf_text(&word), "{command}")) {
			has_command = true;
			for (size_t i = 0; i < nwords && whole; i++)
				whole = program_add_word(ret, words[i]);
			continue;
		}
		has_host |= add_hosts(&filled, buf_text(&word), hosts, n);
		whole = !word.failed && !filled.failed && program_add_word(ret, buf_text(&filled));
	}
	if (!whole || !program_add_word(ret, NULL))
		return &error_nomem;
	return has_host && has_command
		       ? NULL
		       : error_new(
				 ERROR_USAGE,
				 "a launcher is a command with the words {command} and {host}, or "
				 "{hosts}, as in 'ssh {host} {command}'");
}
