/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/source.h"

#include <stdlib.h>
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

/* ---- where files are -------------------------------------------------------------------- */

static void rule_fini(struct source_rule *rule)
{
	free(rule->from);
	free(rule->to);
}

void source_paths_fini(struct source_paths *p)
{
	source_paths_remove_rule(p, NULL);
	free(p->rules);
	vec_fini_all(&p->folders);
	*p = (struct source_paths){ 0 };
}

/* "/build/" is "/build". */
static char *copy_beginning(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return strndup(path, len);
}

struct error *source_paths_add_rule(struct source_paths *p, const char *from, const char *to)
{
	struct source_rule rule = { copy_beginning(from), copy_beginning(to) };
	bool fits = rule.from && rule.to && vec_grow(&p->rules, &p->cap, p->len, sizeof(*p->rules));

	if (!fits) {
		rule_fini(&rule);
		return &error_nomem;
	}
	source_paths_remove_rule(p, rule.from);
	p->rules[p->len++] = rule;
	return NULL;
}

bool source_paths_remove_rule(struct source_paths *p, const char *from)
{
	size_t kept = 0, before = p->len;

	for (size_t i = 0; i < p->len; i++) {
		if (!from || !strcmp(p->rules[i].from, from))
			rule_fini(&p->rules[i]);
		else
			p->rules[kept++] = p->rules[i];
	}
	p->len = kept;
	return kept < before;
}

/* ---- what has been read ----------------------------------------------------------------- */

struct kept {
	char *file;         /* owned */
	struct buf text;    /* owned */
	struct stat st;     /* of the file when it was read            */
	bool there;         /* the file is, and can be read            */
	unsigned int asked; /* when the file was asked for last        */
};

struct source_cache {
	struct hash_map kept; /* owned, by a hash of the name: of two with one hash, the last */
	size_t bytes;
	unsigned int now;                 /* how often all were to be asked for again */
	unsigned long changes;            /* how often a text became another one      */
	struct file_root *root;           /* borrowed */
	const struct source_paths *paths; /* borrowed; NULL: none */
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
		*c = (struct source_cache){ .root = root, .now = 1 };
	return c;
}

void source_cache_look_again(struct source_cache *c)
{
	c->now++;
}

void source_cache_set_paths(struct source_cache *c, const struct source_paths *paths)
{
	c->paths = paths;
	source_cache_look_again(c);
}

static void forget_all(struct source_cache *c)
{
	map_for_each (item, &c->kept)
		kept_free(item->pointer);
	map_fini(&c->kept);
	c->bytes = 0;
	c->changes++;
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

static bool try_open(const struct source_cache *c, const char *path, struct file *ret)
{
	struct error *err = file_root_open(c->root, path, ret);

	if (!err)
		return true;
	log_debug(LOG_SYMBOL, "source: %s", error_message(err));
	error_free(err);
	return false;
}

/* "BEFORE", "SLASH" and "BEHIND" are one path. */
static bool try_joined(const struct source_cache *c, const char *before, const char *slash,
		       const char *behind, struct file *ret)
{
	AUTO_BUF path = { 0 };

	buf_addf(&path, "%s%s%s", before, slash, behind);
	return buf_ok(&path) && try_open(c, buf_text(&path), ret);
}

static bool try_rules(const struct source_cache *c, const char *file, struct file *ret)
{
	for (size_t i = 0; i < c->paths->len; i++) {
		const struct source_rule *rule = &c->paths->rules[i];
		size_t len = strlen(rule->from);
		if (!strncmp(file, rule->from, len) && (file[len] == '/' || !file[len]))
			return try_joined(c, rule->to, "", file + len, ret);
	}
	return false;
}

static bool try_folders(const struct source_cache *c, const char *file, struct file *ret)
{
	const char *slash = strrchr(file, '/');

	for (size_t i = 0; i < c->paths->folders.len; i++) {
		const char *folder = c->paths->folders.items[i];
		if (try_joined(c, folder, *file == '/' ? "" : "/", file, ret) ||
		    (slash && try_joined(c, folder, "", slash, ret)))
			return true;
	}
	return false;
}

static bool open_somewhere(const struct source_cache *c, const char *file, struct file *ret)
{
	if (!c->paths)
		return try_open(c, file, ret);
	return try_rules(c, file, ret) || try_open(c, file, ret) || try_folders(c, file, ret);
}

/* Room for what becomes of a file; NULL: out of memory. */
static struct kept *keep(struct source_cache *c, const char *file)
{
	if (c->bytes > KEPT_MAX)
		forget_all(c);
	struct map_item *item = map_add(&c->kept, hash_text(HASH_START, file));
	struct kept *k = item ? item->pointer : NULL;
	if (!item || (k && !strcmp(k->file, file)))
		return k;
	kept_free(k);
	item->pointer = k = calloc(1, sizeof(*k));
	if (k && !(k->file = strdup(file))) {
		kept_free(k);
		item->pointer = k = NULL;
	}
	return k;
}

/* Asks for the file, and reads it if it is another one than before. */
static void ask(struct source_cache *c, struct kept *k)
{
	AUTO_FILE f = FILE_CLOSED;
	bool opened = open_somewhere(c, k->file, &f);

	k->asked = c->now;
	if (opened == k->there && (!opened || is_same(&k->st, &f.st)))
		return;
	c->changes++;
	buf_clear(&k->text);
	k->there = opened && read_text(f.fd, &k->text);
	k->st = f.st;
	c->bytes += k->text.len;
}

unsigned long source_cache_changes(const struct source_cache *c)
{
	return c->changes;
}

const struct buf *source_cache_get(struct source_cache *c, const char *file)
{
	struct kept *k = keep(c, file);

	if (k && k->asked != c->now)
		ask(c, k);
	return k && k->there ? &k->text : NULL;
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
