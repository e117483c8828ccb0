/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#include "base/file.h"

static const struct {
	const char *name;
	size_t offset; /* in struct library_api */
} entries[] = {
#define ENTRY(name) { "ompd_" #name, offsetof(struct library_api, name) },
	LIBRARY_ENTRIES(ENTRY)
#undef ENTRY
};

static const ompd_word_t versions[] = { OMPD_VERSION_5_0, OMPD_VERSION_5_1, OMPD_VERSION_5_2 };

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

static struct error *check_owner(const char *path, const struct stat *st)
{
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return error_new(ERROR_NOT_PERMITTED,
				 "%s belongs to user %u, neither to root nor to you; " NAME_ONE,
				 path, st->st_uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return error_new(ERROR_NOT_PERMITTED, "%s can be written by %s; " NAME_ONE, path,
				 st->st_mode & S_IWOTH ? "everybody" : "its group");
	return NULL;
}

struct error *library_check_trust(const char *real_path, const struct stat *st)
{
	AUTO_FREE char *folder = strdup(real_path);

	if (!folder)
		return &error_nomem;
	if (folder[0] != '/')
		return error_new(ERROR_USAGE, "'%s' is no absolute path", real_path);
	struct error *err = check_owner(real_path, st);
	while (!err && folder[1]) {
		struct stat its;
		char *slash = strrchr(folder, '/');
		slash[slash == folder] = '\0';
		if (lstat(folder, &its) < 0)
			return error_os(errno, "%s", folder);
		err = check_owner(folder, &its);
	}
	return error_add(err, "%s is not loaded", real_path);
}

/* What was loaded is the file that was looked at. */
static struct error *check_identity(const struct library *l, const struct stat *st)
{
	struct link_map *map;
	struct stat loaded;

	if (dlinfo(l->dl, RTLD_DI_LINKMAP, &map) != 0)
		return error_new(ERROR_UNSUPPORTED, "%s: %s", l->path, dlerror());
	if (stat(map->l_name, &loaded) < 0)
		return error_os(errno, "%s", map->l_name);
	if (loaded.st_dev != st->st_dev || loaded.st_ino != st->st_ino)
		return error_new(ERROR_NOT_PERMITTED, "%s was replaced while it was loaded",
				 l->path);
	return NULL;
}

static struct error *resolve(struct library *l)
{
	for (size_t i = 0; i < sizeof(entries) / sizeof(*entries); i++) {
		void *entry = dlsym(l->dl, entries[i].name);
		if (!entry)
			return error_new(ERROR_UNSUPPORTED,
					 "%s is no OMPD library that ompdb can use: it lacks %s",
					 l->path, entries[i].name);
		/* dlsym(3): a function comes as an object pointer. */
		memcpy((char *)&l->api + entries[i].offset, &entry, sizeof(entry));
	}
	return NULL;
}

static struct error *check_version(const struct library *l)
{
	ompd_word_t version = 0;
	ompd_rc_t rc = l->api.get_api_version(&version);

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (rc == ompd_rc_ok && version == versions[i])
			return NULL;
	}
	return error_new(
		ERROR_UNSUPPORTED,
		"%s speaks version %lld of OMPD, ompdb those of OpenMP 5.0 to 5.2 (%d to %d)",
		l->path, (long long)version, OMPD_VERSION_5_0, OMPD_VERSION_5_2);
}

/*
 * Loads by the real path, not by descriptor: the loader remembers libraries by name, and
 * /proc/self/fd/N would soon be another one.
 */
static struct error *load(const char *real_path, const struct stat *st, struct library *ret)
{
	struct library l = { .path = strdup(real_path) };

	if (!l.path)
		return &error_nomem;
	/*
	 * RTLD_NOW: a function that is missing shall not end ompdb when it is called. The C++
	 * library comes first, so that this does not hold for its own thousands of calls.
	 */
	(void)dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	l.dl = dlopen(real_path, RTLD_NOW | RTLD_LOCAL);
	struct error *err = NULL;
	if (!l.dl)
		err = error_new(ERROR_UNSUPPORTED, "%s cannot be loaded: %s", real_path, dlerror());
	if (!err)
		err = check_identity(&l, st);
	if (!err)
		err = resolve(&l);
	if (!err)
		err = check_version(&l);
	if (err)
		library_unload(&l);
	else
		*ret = l;
	return err;
}

static struct error *load_file(const char *path, bool trusted, struct library *ret)
{
	AUTO_FREE char *real_path = realpath(path, NULL);
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (!real_path)
		return error_os(errno, "%s", path);
	struct error *err = file_open_regular(real_path, &fd, &st);
	if (!err && !trusted)
		err = library_check_trust(real_path, &st);
	return err ? err : load(real_path, &st, ret);
}

/* A search through several places. */
struct library_search {
	struct library *ret;
	bool over;
	struct error *err; /* owned; why the first one that was there is not used; NULL: none was;
			      if it is over, what it came to */
};

static void try_file(struct library_search *s, const char *path)
{
	struct error *err = load_file(path, false, s->ret);

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
		from->stranger ? "" : "beside the runtime or ");

	if (!from->stranger || !from->runtime_path)
		return err;
	return error_add(err, "beside %s none is looked for, because %s", from->runtime_path,
			 error_message(from->stranger));
}

struct error *library_load_libomp(const struct library_source *from, struct library *ret)
{
	struct library_search search = { .ret = ret };

	if (from->named)
		return error_add(load_file(from->named, true, ret), "loading the OMPD library");
	if (from->runtime_path && !from->stranger)
		try_beside(&search, from->runtime_path);
	for (size_t i = 0; !search.over && i < sizeof(places) / sizeof(*places); i++)
		try_place(&search, places[i]);
	return search.over || search.err ? search.err : nowhere(from);
}

void library_unload(struct library *l)
{
	if (l->dl)
		dlclose(l->dl);
	free(l->path);
	*l = (struct library){ 0 };
}
