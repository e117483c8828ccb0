/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/space.h"

#include <stdio.h>

#include "ompd/gomp/getter.h"
#include "ompd/gomp/image.h"

/* Thread-local storage of the initial-exec kind lies below the thread pointer, and is small. */
enum { MAX_TPOFF = 1 << 24 };

/* An accessor's code; near the end of a mapping there may be less of it. */
static size_t read_code(ompd_address_space_context_t *context, uint64_t from, uint8_t *ret)
{
	for (size_t len = GOMP_GETTER_CODE; len >= 16; len /= 2)
		if (gomp_client_read(context, from, ret, len) == ompd_rc_ok)
			return len;
	return 0;
}

static void read_facts(ompd_address_space_handle_t *space, int release)
{
	uint8_t code[GOMP_GETTER_CODE];
	const char *name;
	int since;

	gomp_facts_init(&space->facts);
	for (size_t n = 0; (name = gomp_facts_accessor(n, &since)); n++) {
		uint64_t at;

		if (since > release ||
		    gomp_client_symbol(space->context, NULL, name, &at) != ompd_rc_ok)
			continue;
		gomp_facts_add(&space->facts, n, code, read_code(space->context, at, code), at);
	}
}

/* Variables are in the image that the accessors are in; others have been misunderstood. */
static void drop_foreign_variables(struct gomp_facts *f, const struct gomp_image *image)
{
	for (int i = 0; i < GOMP_NUM_STATICS; i++) {
		struct gomp_variable *v = &f->variables[i];

		if (v->address < image->start || v->address >= image->end)
			*v = (struct gomp_variable){ 0 };
	}
}

static void note(ompd_address_space_handle_t *space, const char *format, const char *detail)
{
	snprintf(space->release.note, sizeof(space->release.note), format, detail);
}

static bool has_symbol(const ompd_address_space_handle_t *space, const char *name)
{
	uint64_t at;

	return gomp_client_symbol(space->context, NULL, name, &at) == ompd_rc_ok;
}

static void set_release(ompd_address_space_handle_t *space, int least, int most, bool exact)
{
	char versions[32];

	space->release = (struct gomp_release){ least, most, exact, "" };
	if (least == most)
		snprintf(versions, sizeof(versions), "%d", least);
	else
		snprintf(versions, sizeof(versions), "%d to %d", least, most);
	note(space, exact ? "layout of GCC %s" : "layout of GCC %s, by its code alone", versions);
}

/* A shared library: its version nodes and its code must name the same layout. */
static void choose_by_nodes(ompd_address_space_handle_t *space, const struct gomp_version *version)
{
	const struct gomp_layout *l;

	for (size_t n = 0; (l = gomp_layout_get(n)); n++) {
		if (version->least > l->most || version->most < l->least)
			continue;
		if (!gomp_facts_agree(&space->facts, l))
			break;
		space->layout = l;
		set_release(space, version->least, version->most, true);
		return;
	}
	note(space,
	     l ? "unknown libgomp: its version nodes say %s, its code says otherwise"
	       : "unknown libgomp: its newest version node is %s, which is too old",
	     version->newest);
}

/*
 * An executable that libgomp is linked into has no version nodes, and may lack accessors that
 * nothing in it calls: the oldest layout that agrees, which knows least.
 */
static void choose_by_code(ompd_address_space_handle_t *space)
{
	const struct gomp_layout *l;
	int least = 0, most = 0;

	for (size_t n = 0; (l = gomp_layout_get(n)); n++) {
		if (!gomp_facts_agree(&space->facts, l) ||
		    (l->witness && !has_symbol(space, l->witness)))
			continue;
		if (!space->layout || l->witness) {
			space->layout = l;
			least = l->least;
		}
		most = l->most;
	}
	if (space->layout)
		set_release(space, least, most, false);
	else
		note(space, "unknown libgomp: %s", "its code is that of no release known here");
}

/* The offset is in the GOT, where the dynamic linker has put it. */
static ompd_rc_t find_tpoff(ompd_address_space_handle_t *space)
{
	const struct gomp_facts *f = &space->facts;
	uint64_t word = (uint64_t)f->tpoff;
	ompd_rc_t rc = f->slot ? gomp_space_read_word(space, f->slot, &word) : ompd_rc_ok;

	if (rc != ompd_rc_ok)
		return rc;
	if (f->slot && !word)
		return ompd_rc_unavailable;
	space->tpoff = (int64_t)word;
	if (space->tpoff < 0 && space->tpoff > -MAX_TPOFF && !(space->tpoff & 7))
		return ompd_rc_ok;
	space->layout = NULL;
	space->release = (struct gomp_release){ 0 };
	note(space, "unknown libgomp: %s",
	     "its thread-local storage is not below the thread pointer");
	return ompd_rc_ok;
}

static ompd_rc_t identify(ompd_address_space_handle_t *space)
{
	struct gomp_version version = { 0 };
	struct gomp_image image;
	uint64_t function;
	bool in_image;
	uint8_t code;
	ompd_rc_t rc = gomp_client_check(space->context);

	if (rc != ompd_rc_ok)
		return rc;
	if (gomp_client_symbol(space->context, NULL, "omp_get_thread_num", &function) !=
		    ompd_rc_ok ||
	    !has_symbol(space, "GOMP_parallel"))
		return ompd_rc_incompatible;
	rc = gomp_client_read(space->context, function, &code, sizeof(code));
	if (rc != ompd_rc_ok)
		return rc;
	in_image = gomp_image_find(space->context, function, &image) == ompd_rc_ok;
	if (in_image)
		gomp_image_version(space->context, &image, &version);
	read_facts(space, version.nodes == GOMP_NODES_KNOWN ? version.most : INT32_MAX);
	if (in_image)
		drop_foreign_variables(&space->facts, &image);
	if (version.nodes == GOMP_NODES_UNKNOWN)
		note(space, "unknown libgomp: version node %s is of no release known here",
		     version.newest[0] ? version.newest : "(unreadable)");
	else if (version.nodes == GOMP_NODES_KNOWN)
		choose_by_nodes(space, &version);
	else
		choose_by_code(space);
	return space->layout ? find_tpoff(space) : ompd_rc_ok;
}

ompd_rc_t gomp_space_new(ompd_address_space_context_t *context, ompd_address_space_handle_t **ret)
{
	ompd_address_space_handle_t *space;
	ompd_rc_t rc;

	if (!gomp_client_ready())
		return ompd_rc_error;
	space = gomp_client_alloc(sizeof(*space));
	if (!space)
		return ompd_rc_nomem;
	space->head = (struct gomp_handle){ GOMP_MAGIC_SPACE, space, 0 };
	space->context = context;
	rc = identify(space);
	if (rc != ompd_rc_ok) {
		gomp_space_release(space);
		return rc;
	}
	if (!space->layout)
		gomp_client_print(space->release.note);
	*ret = space;
	return ompd_rc_ok;
}

void gomp_space_release(ompd_address_space_handle_t *space)
{
	space->released = true;
	if (space->handles)
		return;
	space->head.magic = 0;
	gomp_client_free(space);
}

bool gomp_space_is_handle(const void *handle, uint32_t magic)
{
	const struct gomp_handle *head = handle;

	return gomp_client_ready() && head && head->magic == magic;
}

ompd_rc_t gomp_space_check(const void *handle, uint32_t magic)
{
	const struct gomp_handle *head = handle;

	return gomp_space_is_handle(handle, magic) && !head->space->released ? ompd_rc_ok
									     : ompd_rc_stale_handle;
}

ompd_rc_t gomp_space_check_known(const void *handle, uint32_t magic)
{
	const struct gomp_handle *head = handle;
	ompd_rc_t rc = gomp_space_check(handle, magic);

	return rc == ompd_rc_ok && !head->space->layout ? ompd_rc_incompatible : rc;
}

void *gomp_space_new_handle(ompd_address_space_handle_t *space, uint32_t magic, size_t size,
			    uint64_t address)
{
	struct gomp_handle *head = gomp_client_alloc(size);

	if (!head)
		return NULL;
	*head = (struct gomp_handle){ magic, space, address };
	space->handles++;
	return head;
}

void gomp_space_free_handle(void *handle)
{
	struct gomp_handle *head = handle;
	ompd_address_space_handle_t *space = head->space;

	head->magic = 0;
	gomp_client_free(handle);
	space->handles--;
	if (space->released)
		gomp_space_release(space);
}

/* omp_display_env() of each release */
ompd_word_t gomp_space_omp_version(const ompd_address_space_handle_t *space)
{
	if (space->release.most >= 16)
		return 202111;
	return space->layout->most < 6 ? 201307 : 201511;
}

ompd_rc_t gomp_space_read_word(const ompd_address_space_handle_t *space, uint64_t from,
			       uint64_t *ret)
{
	uint8_t word[8];
	ompd_rc_t rc = gomp_space_read(space, from, word, sizeof(word));

	if (rc == ompd_rc_ok)
		*ret = gomp_u64(word);
	return rc;
}

ompd_rc_t gomp_space_variable(const ompd_address_space_handle_t *space, enum gomp_static which,
			      uint64_t *ret)
{
	const struct gomp_variable *v = &space->facts.variables[which];
	uint8_t bytes[8] = { 0 };
	ompd_rc_t rc;

	if (!v->address || v->size > sizeof(bytes))
		return ompd_rc_unavailable;
	rc = gomp_space_read(space, v->address, bytes, v->size);
	if (rc == ompd_rc_ok)
		*ret = gomp_u64(bytes);
	return rc;
}
