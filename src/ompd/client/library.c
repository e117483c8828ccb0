/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/library.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "ompd/client/loader.h"

/* Where installations of LLVM put their libraries. Of several that fit one row the newest is first.
 */
static const char *const places[] = {
	"/usr/lib/llvm-*/lib/libompd.so",   /* Debian */
	"/usr/lib64/llvm*/lib*/libompd.so", /* Fedora, other versions than the system's */
	"/usr/lib/llvm/*/lib*/libompd.so",  /* Gentoo */
	"/usr/lib64/libompd.so",
	"/usr/lib/x86_64-linux-gnu/libompd.so",
	"/usr/lib/libompd.so",
	"/usr/local/lib64/libompd.so",
	"/usr/local/lib/libompd.so",
	"/usr/local/lib/x86_64-*/libompd.so",
	"/usr/local/llvm*/lib/libompd.so",
	"/opt/llvm*/lib/libompd.so",
	"/opt/rocm*/llvm/lib/libompd.so", /* AMD */
};

#define NAME_ONE "name a file with --ompd-library if you trust it"

static struct error *check_owner(const char *path, const struct stat *st, uid_t user)
{
	if (st->st_uid != 0 && st->st_uid != user)
		return error_new(ERROR_NOT_PERMITTED,
				 "%s belongs to user %u, neither to root nor to you; " NAME_ONE,
				 path, st->st_uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return error_new(ERROR_NOT_PERMITTED, "%s can be written by %s; " NAME_ONE, path,
				 st->st_mode & S_IWOTH ? "everybody" : "its group");
	return NULL;
}

/* Nobody but root and that user can write there. */
static struct error *check_way(const char *real_path, const struct stat *st, uid_t user)
{
	AUTO_FREE char *folder = strdup(real_path);

	if (!folder)
		return &error_nomem;
	if (folder[0] != '/')
		return error_new(ERROR_USAGE, "'%s' is no absolute path", real_path);
	struct error *err = check_owner(real_path, st, user);
	while (!err && folder[1]) {
		struct stat its;
		char *slash = strrchr(folder, '/');
		slash[slash == folder] = '\0';
		if (lstat(folder, &its) < 0)
			return error_os(errno, "%s", folder);
		err = check_owner(folder, &its, user);
	}
	return err;
}

struct error *library_check_trust(const char *real_path, const struct stat *st)
{
	return error_add(check_way(real_path, st, geteuid()), "%s is not loaded", real_path);
}

/* A package has brought it, or root has put it where packages do. */
static bool is_of_system(const char *real_path, const struct stat *st)
{
	static const char *const roots[] = { "/usr/", "/lib/", "/lib64/", "/opt/" };

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (text_starts_with(real_path, roots[i])) {
			struct error *err = check_way(real_path, st, 0);
			error_ignore(err);
			return !err;
		}
	}
	return false;
}

static struct error *load(const char *real_path, const struct stat *st, bool sandboxed,
			  struct library *ret)
{
	struct library l = { .path = strdup(real_path) };

	if (!l.path)
		return &error_nomem;
	struct error *err = sandboxed ? sandbox_new(real_path, st, &l.sandbox)
				      : loader_load(real_path, st, &l.api, &l.dl);
	if (err)
		library_unload(&l);
	else
		*ret = l;
	return err;
}

static struct error *load_file(const struct library_source *from, const char *path,
			       struct library *ret)
{
	AUTO_FREE char *real_path = realpath(path, NULL);
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (!real_path)
		return error_os(errno, "%s", path);
	struct error *err = file_open_regular(real_path, &fd, &st);
	if (!err && !from->named)
		err = library_check_trust(real_path, &st);
	bool sandboxed = from->stranger || !is_of_system(real_path, &st);
	return err ? err : load(real_path, &st, sandboxed, ret);
}

/* A search through several places. */
struct library_search {
	const struct library_source *from;
	struct library *ret;
	bool over;
	struct error *err; /* owned; why the first one that was there is not used; NULL: none was;
			      if it is over, what it came to */
};

static void try_file(struct library_search *s, const char *path)
{
	struct error *err = load_file(s->from, path, s->ret);

	s->over = !err || err == &error_nomem;
	if (s->over || (!s->err && !error_is(err, ERROR_NOT_FOUND))) {
		error_ignore(s->err);
		s->err = err;
	} else {
		error_ignore(err);
	}
}

/* The runtime's path is the target's word: where it leads, the rules of trust are the same. */
static void try_beside(struct library_search *s, const char *runtime_path)
{
	static const char name[] = "libompd.so";
	AUTO_FREE char *real_path = realpath(runtime_path, NULL);
	AUTO_FREE char *path = real_path ? malloc(strlen(real_path) + sizeof(name)) : NULL;

	if (!path)
		return;
	strcpy(path, real_path);
	strcpy(strrchr(path, '/') + 1, name);
	try_file(s, path);
}

static int newest_first(const void *a, const void *b)
{
	return strverscmp(*(char *const *)b, *(char *const *)a);
}

static void try_place(struct library_search *s, const char *pattern)
{
	glob_t found = { 0 };

	if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
		qsort(found.gl_pathv, found.gl_pathc, sizeof(*found.gl_pathv), newest_first);
		for (size_t i = 0; !s->over && i < found.gl_pathc; i++)
			try_file(s, found.gl_pathv[i]);
	}
	globfree(&found);
}

static struct error *nowhere(const struct library_source *from)
{
	struct error *err = error_new(
		ERROR_NOT_FOUND,
		"no libompd.so %sin LLVM's folders: install it, libomp-14-dev has libompd.so (any "
		"version does), or name a file with --ompd-library",
		from->refused ? "" : "beside the runtime or ");

	if (!from->refused || !from->runtime_path)
		return err;
	return error_add(err, "beside %s none is looked for, because %s", from->runtime_path,
			 error_message(from->refused));
}

struct error *library_load_libomp(const struct library_source *from, struct library *ret)
{
	struct library_search search = { .from = from, .ret = ret };

	if (from->named)
		return error_add(load_file(from, from->named, ret), "loading the OMPD library");
	if (from->runtime_path && !from->refused)
		try_beside(&search, from->runtime_path);
	for (size_t i = 0; !search.over && i < sizeof(places) / sizeof(*places); i++)
		try_place(&search, places[i]);
	return search.over || search.err ? search.err : nowhere(from);
}

void library_unload(struct library *l)
{
	loader_unload(l->dl);
	sandbox_free(l->sandbox);
	free(l->path);
	*l = (struct library){ 0 };
}
