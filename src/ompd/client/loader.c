/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

static const ompd_word_t versions[] = { OMPD_VERSION_5_0, OMPD_VERSION_5_1, OMPD_VERSION_5_2 };

/* What was loaded is the file that was looked at. */
static struct error *check_identity(void *dl, const char *path, const struct stat *st)
{
	struct link_map *map;
	struct stat loaded;

	if (dlinfo(dl, RTLD_DI_LINKMAP, &map) != 0)
		return error_new(ERROR_UNSUPPORTED, "%s: %s", path, dlerror());
	if (stat(map->l_name, &loaded) < 0)
		return error_os(errno, "%s", map->l_name);
	if (loaded.st_dev != st->st_dev || loaded.st_ino != st->st_ino)
		return error_new(ERROR_NOT_PERMITTED, "%s was replaced while it was loaded", path);
	return NULL;
}

static struct error *resolve(void *dl, const char *path, struct library_api *ret)
{
	for (size_t i = 0; i < NUM_ENTRIES; i++) {
		const char *form = library_entries[i].form;
		void *entry = dlsym(dl, library_entries[i].name);
		if (!entry && !(form && !*form))
			return error_new(ERROR_UNSUPPORTED,
					 "%s is no OMPD library that ompdb can use: it lacks %s",
					 path, library_entries[i].name);
		/* dlsym(3): a function comes as an object pointer. */
		memcpy((char *)ret + library_entries[i].offset, &entry, sizeof(entry));
	}
	return NULL;
}

static struct error *check_version(const struct library_api *api, const char *path)
{
	ompd_word_t version = 0;
	ompd_rc_t rc = api->get_api_version(&version);

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		if (rc == ompd_rc_ok && version == versions[i])
			return NULL;
	}
	return error_new(
		ERROR_UNSUPPORTED,
		"%s speaks version %lld of OMPD, ompdb those of OpenMP 5.0 to 5.2 (%d to %d)", path,
		(long long)version, OMPD_VERSION_5_0, OMPD_VERSION_5_2);
}

/*
 * By the real path, not by descriptor: the loader remembers libraries by name, and
 * /proc/self/fd/N would soon be another one.
 */
struct error *loader_load(const char *real_path, const struct stat *st, struct library_api *ret,
			  void **ret_dl)
{
	struct library_api api;

	/*
	 * RTLD_NOW: a function that is missing shall not end ompdb when it is called. The C++
	 * library comes first, so that this does not hold for its own thousands of calls.
	 */
	(void)dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	void *dl = dlopen(real_path, RTLD_NOW | RTLD_LOCAL);
	if (!dl)
		return error_new(ERROR_UNSUPPORTED, "%s cannot be loaded: %s", real_path,
				 dlerror());
	struct error *err = check_identity(dl, real_path, st);
	if (!err)
		err = resolve(dl, real_path, &api);
	if (!err)
		err = check_version(&api, real_path);
	if (err) {
		dlclose(dl);
		return err;
	}
	*ret = api;
	*ret_dl = dl;
	return NULL;
}

void loader_unload(void *dl)
{
	if (dl)
		dlclose(dl);
}
