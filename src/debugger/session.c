/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/session.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "target/code/call_site.h"
#include "target/core/core.h"
#include "target/process/live.h"
#include "target/process/still.h"

struct error *session_no_process(const char *name)
{
	return error_new(ERROR_NOT_FOUND, "there is no process %s: 'ps -e' lists them all", name);
}

/* name: digits alone. */
static struct error *open_process(const char *name, const char *exe, struct target **ret)
{
	if (exe)
		return error_new(ERROR_USAGE,
				 "option '--exe' is for core files: process %s says "
				 "itself what its program is",
				 name);
	errno = 0;
	long pid = strtol(name, NULL, 10);
	if (errno || pid < 1 || pid > INT_MAX)
		return session_no_process(name);
	struct target *process;
	struct error *err = live_open((pid_t)pid, &process);
	return err ? err : still_new(process, ret);
}

static struct error *open_target(const char *name, const char *exe, struct target **ret)
{
	if (!name[strspn(name, "0123456789")])
		return open_process(name, exe, ret);
	if (access(name, F_OK) < 0 && errno == ENOENT)
		return error_new(ERROR_NOT_FOUND,
				 "there is no file '%s': a target is a process id or the "
				 "path of a core file",
				 name);
	return core_open(name, exe, ret);
}

struct error *session_open(const char *name, const char *exe, const struct session_options *options,
			   struct session **ret)
{
	struct target *t;
	struct error *err = open_target(name, exe, &t);

	return err ? err : session_new(t, options, ret);
}

static bool have_same_files(const struct target *a, const struct target *b)
{
	return a->arch == b->arch && file_root_is_ours(a->root) && file_root_is_ours(b->root);
}

struct error *session_new(struct target *t, const struct session_options *options,
			  struct session **ret)
{
	AUTO_SESSION *s = calloc(1, sizeof(*s));

	if (!s) {
		target_free(t);
		return &error_nomem;
	}
	s->target = t;
	s->ompd_library = options->ompd_library;
	t->gate = options->gate;
	s->modules = module_list_new(t);
	if (s->modules && options->model && have_same_files(t, options->model->target))
		module_list_inherit(s->modules, options->model->modules);
	s->files = s->modules ? debuginfo_set_new(s->modules, &options->debuginfo) : NULL;
	s->unwinder = s->files ? unwinder_new(s->modules, s->files) : NULL;
	s->symbols = s->files ? symbol_table_new(s->files) : NULL;
	s->ids = options->lasting_ids ? omp_ids_new() : NULL;
	s->sources = source_cache_new(t->root);
	s->variables = s->symbols ? variables_new(s->symbols) : NULL;
	if (!s->unwinder || !s->variables || !s->sources || (options->lasting_ids && !s->ids))
		return &error_nomem;
	source_cache_set_paths(s->sources, options->source_paths);
	*ret = TAKE(s);
	return NULL;
}

struct call_sites *session_calls(struct session *s)
{
	if (!s->calls || s->calls_then != s->target->changes) {
		call_sites_free(s->calls);
		s->calls = call_sites_new(s->target, s->unwinder);
		s->calls_then = s->target->changes;
	}
	return s->calls;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	call_sites_free(s->calls);
	lock_list_free(s->locks);
	omp_ids_free(s->ids);
	module_list_free(s->modules); /* and all that hangs on them */
	source_cache_free(s->sources);
	free(s->constructs);
	variables_free(s->variables);
	symbol_table_free(s->symbols);
	unwinder_free(s->unwinder);
	debuginfo_set_free(s->files);
	target_free(s->target);
	free(s);
}
