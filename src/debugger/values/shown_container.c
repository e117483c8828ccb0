/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "debugger/values/container_iterators.h"
#include "debugger/values/containers.h"
#include "debugger/values/locks.h"
#include "debugger/values/shown.h"
#include "debugger/values/shown_parts.h"

static const enum shown_part parts[] = {
	[CONTAINER_TEXT] = PART_ELEMENT,    [CONTAINER_LIST] = PART_ELEMENT,
	[CONTAINER_NUMBERED] = PART_NUMBER, [CONTAINER_MAP] = PART_KEY,
	[CONTAINER_PARTS] = PART_MEMBER,    [CONTAINER_EMPTY] = PART_ELEMENT,
};

static struct error *add_items(const struct making *m, const struct container *c, struct shown *ret)
{
	const struct making inner = shown_inside(m);

	ret->items = calloc(c->items.len, sizeof(*ret->items));
	if (!ret->items)
		return &error_nomem;
	for (size_t i = 0; i < c->items.len && *m->left; i++) {
		const struct container_item *item = &c->items.items[i];
		struct value part = item->value;
		struct shown *made = &ret->items[i];
		struct error *err = shown_make_part(&inner, NULL, &part, part.type, made);
		if (err)
			return err;
		made->part = c->form == CONTAINER_MAP && i % 2 ? PART_VALUE : parts[c->form];
		made->name = item->label;
		made->index = item->number;
		made->times = 1;
		ret->nitems++;
	}
	size_t whole = c->form == CONTAINER_MAP ? ret->nitems / 2 : ret->nitems;
	ret->more = !c->fault && (c->sized ? whole < c->size : ret->nitems >= m->limits->elements);
	return NULL;
}

/* Who holds a lock stands before what it consists of. */
static struct error *add_lock(const struct making *m, const struct value *v, struct shown *ret)
{
	AUTO_BUF text = { 0 };

	if (!m->limits->raw)
		locks_describe(m->s, v, &text);
	if (!text.len)
		return NULL;
	ret->apart = true;
	ret->head = strdup(buf_text(&text));
	return ret->head ? NULL : &error_nomem;
}

/* Without a limit: no more elements than can be shown, but more characters than that. */
static bool read_container(const struct making *m, const struct value *v, struct container *ret)
{
	const size_t elements = m->limits->elements,
		     most = elements < *m->left ? elements : *m->left;

	if (!container_read(m->s, v, most, ret))
		return false;
	if (ret->form != CONTAINER_TEXT || ret->text.len / ret->width >= ret->size ||
	    elements == most)
		return true;
	container_fini(ret);
	return container_read(m->s, v, elements, ret);
}

/* An iterator is shown as what it is at, which may be something that has it; a reference to a bit
 * as that. */
static struct error *show_target(const struct making *m, const struct value *v, struct shown *ret,
				 bool *ret_is)
{
	const struct making inner = shown_inside(m);
	struct value target;
	struct error *err = container_iterator_target(m->s, v, &target, ret_is);

	if (err) {
		ret->missing = "no element";
		error_ignore(err);
		return NULL;
	}
	*ret_is = *ret_is || container_bit_target(m->s, v, &target);
	if (!*ret_is)
		return NULL;
	shown_fini(ret);
	return shown_make_part(&inner, NULL, &target, target.type, ret);
}

struct error *shown_container(const struct making *m, const struct value *v, struct shown *ret,
			      bool *ret_is)
{
	AUTO_CONTAINER c = { 0 };
	struct error *err = add_lock(m, v, ret);

	*ret_is = false;
	if (err || ret->head)
		return err;
	*ret_is = !m->limits->raw && read_container(m, v, &c);
	if (!*ret_is)
		return m->limits->raw ? NULL : show_target(m, v, ret, ret_is);
	ret->fault = c.fault;
	if (c.head.len) {
		ret->head = strdup(buf_text(&c.head));
		err = ret->head ? NULL : &error_nomem;
	}
	if (c.form == CONTAINER_TEXT) {
		ret->has_text = true;
		ret->text_more = c.text.len / c.width < c.size;
		ret->text_width = c.width;
		ret->text_prefix = c.prefix;
		ret->text = c.text;
		c.text = (struct buf){ 0 };
	} else if (!err && c.items.len) {
		err = add_items(m, &c, ret);
	}
	return err;
}
