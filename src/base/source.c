/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/source.h"

#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/map.h"

enum {
	LOOKED_AT_MAX = 16 << 20, /* bytes of a file  */
	KEPT_MAX = 64 << 20,      /* bytes of a cache */
};

/* Fills an empty ret with the text of a file. */
static bool read_text(int fd, struct buf *ret)
{
	struct error *err = buf_add_fd(ret, fd, LOOKED_AT_MAX);
	bool fine = !err || ret->len > LOOKED_AT_MAX;
	error_ignore(err);
	if (ret->len > LOOKED_AT_MAX) {
		ret->len = LOOKED_AT_MAX;
		ret->data[ret->len] = '\0';
	}
	return fine;
}

/* ---- what has been read ----------------------------------------------------------------- */

struct kept {
	char *file;      /* owned */
	struct buf text; /* owned */
	struct stat st;  /* of the file when it was read */
};

struct source_cache {
	struct hash_map kept; /* owned, by a hash of the name: of two with one hash, the last */
	size_t bytes;
	struct file_root *root; /* borrowed */
};

static void kept_free(struct kept *k)
{
	if (!k)
		return;
	free(k->file);
	buf_fini(&k->text);
	free(k);
}

struct source_cache *source_cache_new(struct file_root *root)
{
	struct source_cache *c = calloc(1, sizeof(*c));

	if (c)
		c->root = root;
	return c;
}

static void forget_all(struct source_cache *c)
{
	map_for_each (item, &c->kept)
		kept_free(item->pointer);
	map_fini(&c->kept);
	c->bytes = 0;
}

void source_cache_free(struct source_cache *c)
{
	if (!c)
		return;
	forget_all(c);
	free(c);
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

const struct buf *source_cache_get(struct source_cache *c, const char *file)
{
	AUTO_FILE f = FILE_CLOSED;
	struct error *err = file_root_open(c->root, file, &f);

	if (err) {
		log_debug(LOG_SYMBOL, "source: %s", error_message(err));
		error_free(err);
		return NULL;
	}
	if (c->bytes > KEPT_MAX)
		forget_all(c);
	struct map_item *item = map_add(&c->kept, hash_text(HASH_START, file));
	if (!item)
		return NULL;
	struct kept *k = item->pointer;
	if (k && !strcmp(k->file, file) && is_same(&k->st, &f.st))
		return &k->text;
	kept_free(k);
	item->pointer = k = calloc(1, sizeof(*k));
	if (!k)
		return NULL;
	k->st = f.st;
	k->file = strdup(file);
	if (!k->file || !read_text(f.fd, &k->text)) {
		kept_free(k);
		item->pointer = NULL;
		return NULL;
	}
	c->bytes += k->text.len;
	return &k->text;
}

/* ---- lines ------------------------------------------------------------------------------ */

const char *source_find(const struct buf *text, int line)
{
	const char *p = line > 0 ? buf_text(text) : NULL, *end = buf_text(text) + text->len;

	while (p && line-- > 1) {
		p = memchr(p, '\n', (size_t)(end - p));
		p = p ? p + 1 : NULL;
	}
	return p;
}

/* Length of a text of more than SOURCE_LINE_MAX bytes, cut where a character of UTF-8 begins. */
static size_t cut(const char *text)
{
	size_t len = SOURCE_LINE_MAX;

	while (len > SOURCE_LINE_MAX - 4 && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	return len;
}

bool source_cache_line(struct source_cache *c, const char *file, int line, struct buf *ret)
{
	const struct buf *text = file ? source_cache_get(c, file) : NULL;
	const char *start = text ? source_find(text, line) : NULL;
	const char *last = text ? buf_text(text) + text->len : NULL;

	if (!start || start == last)
		return false;
	const char *end = memchr(start, '\n', (size_t)(last - start));
	size_t len = (size_t)((end ? end : last) - start);
	if (memchr(text->data, '\0', (size_t)(start + len - text->data)))
		return false;
	if (end && len && start[len - 1] == '\r')
		len--;
	buf_add(ret, start, len > SOURCE_LINE_MAX ? cut(start) : len);
	return true;
}
