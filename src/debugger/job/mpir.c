/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/job/mpir.h"

#include <stdio.h>

#include "debugger/look.h"
#include "ompd/picture/runtime.h"
#include "target/modules/exports.h"

enum {
	SPAWNED = 1, /* MPIR_DEBUG_SPAWNED: the table is filled */
	RANKS_MOST = 1 << 20,
	HOST_MOST = 256, /* bytes of a name, with its NUL: RFC 1123 has 255 */
};

/* As the starter has it. */
struct entry {
	uint64_t host, executable;
	int32_t pid, padding;
};

void mpir_fini(struct mpir *m)
{
	vec_for_each (rank, &m->ranks)
		free(rank->host);
	vec_fini(&m->ranks);
}

taddr mpir_find(const struct session *s, const char *name)
{
	vec_for_each (item, s->modules) {
		struct module *m = *item;
		if (!m->is_exe && !exports_defines(s->target, m, name))
			continue;
		const taddr at = runtime_symbol(s->symbols, m, name);
		if (at)
			return at;
	}
	return 0;
}

bool mpir_read_int(const struct session *s, const char *name, int32_t *ret)
{
	const taddr at = mpir_find(s, name);

	return at && memory_try_read(s->target->memory, at, ret, sizeof(*ret));
}

static struct error *add_rank(const struct session *s, taddr at, struct mpir *ret)
{
	struct mpir_rank rank = { 0 };
	struct entry entry;

	struct error *err = memory_read(s->target->memory, at, &entry, sizeof(entry));
	if (!err)
		err = memory_read_string(s->target->memory, entry.host, HOST_MOST, &rank.host);
	if (!err && entry.pid <= 0)
		err = error_new(ERROR_BAD_DATA, "it has a process of number %d", entry.pid);
	rank.pid = err ? 0 : entry.pid;
	if (!err && vec_push(&ret->ranks, rank))
		return NULL;
	free(rank.host);
	return err ? err : &error_nomem;
}

bool mpir_is_starter(const struct session *s)
{
	return mpir_find(s, "MPIR_Breakpoint") && mpir_find(s, "MPIR_proctable");
}

struct error *mpir_read_table(const struct session *s, struct mpir *ret)
{
	struct error *err = NULL;
	int32_t state, size;
	uint64_t table;

	mpir_fini(ret);
	const taddr at = mpir_find(s, "MPIR_proctable");
	if (!at || !mpir_read_int(s, "MPIR_debug_state", &state) || state != SPAWNED ||
	    !mpir_read_int(s, "MPIR_proctable_size", &size) ||
	    !memory_try_read(s->target->memory, at, &table, sizeof(table)))
		return NULL;
	if (size < 0 || size > RANKS_MOST)
		err = error_new(ERROR_BAD_DATA, "it has %d entries", size);
	for (int32_t i = 0; !err && i < size; i++)
		err = add_rank(s, table + (taddr)i * sizeof(struct entry), ret);
	return !err || err == &error_nomem
		       ? err
		       : error_place(err, "the table of ranks (MPIR) of process %d",
				     s->target->pid);
}

static struct error *read_table(void *mpir, struct session *s, struct snapshot *from)
{
	(void)from;
	return mpir_read_table(s, mpir);
}

struct error *mpir_read(pid_t starter, struct mpir *ret)
{
	const struct session_options options = { 0 };
	const struct snapshot_options snapshot = {
		.max_frames = 1, .raw = true, .few_names = true, .more = read_table, .context = ret
	};
	AUTO_SESSION *s = NULL;
	AUTO_LOOK l = { 0 };
	char name[16];

	snprintf(name, sizeof(name), "%d", starter);
	struct error *err = session_open(name, NULL, &options, &s);
	return err ? err : look_once(s, &snapshot, &l);
}
