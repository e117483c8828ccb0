/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/client/sandbox_child.h"

#include <sched.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompd/client/callbacks.h"
#include "ompd/client/jail.h"
#include "ompd/client/loader.h"
#include "ompd/client/wire.h"

enum kind { KIND_REGION, KIND_TASK, NUM_KINDS };

struct child {
	struct library_api api;
	struct memory *memory;
	VEC(void *) handles;    /* number - 1 is the index; NULL: released */
	void *known[NUM_KINDS]; /* trees of struct known, see tsearch(3)   */
	ompd_callbacks_t callbacks;
	struct wire_message in, out;
};

/* The address space context that the library gets is the child. */
static struct child *child_of(struct ompd_address_space_context *space)
{
	return (struct child *)space;
}

/* ---- callbacks -------------------------------------------------------------------------- */

/* Sends what is in c->out, and has the reply in c->in. */
static ompd_rc_t ask(struct child *c, enum wire_kind kind, uint64_t len)
{
	c->out.kind = kind;
	c->out.len = len;
	if (!wire_send(JAIL_FD, &c->out) || !wire_receive(JAIL_FD, &c->in))
		_exit(0);
	return (ompd_rc_t)c->in.value;
}

static size_t read_pages(void *context, taddr from, void *ret, size_t len)
{
	struct child *c = context;
	size_t done = 0;

	while (done < len) {
		c->out.words[0] = from + done;
		c->out.words[1] = (len - done) / MEMORY_PAGE;
		ask(c, WIRE_PAGES, 0);
		if (!c->in.len)
			break;
		memcpy((uint8_t *)ret + done, c->in.bytes, c->in.len);
		done += c->in.len;
	}
	return done;
}

static ompd_rc_t read_memory(struct ompd_address_space_context *space,
			     ompd_thread_context_t *thread, const ompd_address_t *from,
			     ompd_size_t len, void *ret)
{
	(void)thread;
	if (!space || !from || !ret)
		return ompd_rc_bad_input;
	return memory_try_read(child_of(space)->memory, from->address, ret, len) ? ompd_rc_ok
										 : ompd_rc_error;
}

static ompd_rc_t read_string(struct ompd_address_space_context *space,
			     ompd_thread_context_t *thread, const ompd_address_t *from,
			     ompd_size_t len, void *ret)
{
	struct child *c = child_of(space);

	(void)thread;
	if (!space || !from || !ret)
		return ompd_rc_bad_input;
	c->out.words[0] = from->address;
	c->out.words[1] = len;
	ompd_rc_t rc = ask(c, WIRE_STRING, 0);
	memcpy(ret, c->in.bytes, c->in.len < len ? c->in.len : len);
	return rc;
}

static ompd_rc_t symbol_addr_lookup(struct ompd_address_space_context *space,
				    ompd_thread_context_t *thread, const char *name,
				    ompd_address_t *ret, const char *file)
{
	struct child *c = child_of(space);
	size_t len = name ? strlen(name) + 1 : 0;

	(void)file;
	if (!space || !ret || !len || len > WIRE_BYTES)
		return ompd_rc_bad_input;
	c->out.words[0] = (uintptr_t)thread;
	memcpy(c->out.bytes, name, len);
	ompd_rc_t rc = ask(c, WIRE_SYMBOL, len);
	*ret = (ompd_address_t){ OMPD_SEGMENT_UNSPECIFIED, c->in.words[0] };
	return rc;
}

static ompd_rc_t get_thread_context(struct ompd_address_space_context *space, ompd_thread_id_t kind,
				    ompd_size_t size, const void *id, ompd_thread_context_t **ret)
{
	struct child *c = child_of(space);

	if (!space || !id || !ret || size > sizeof(*c->out.words))
		return ompd_rc_bad_input;
	c->out.words[0] = kind;
	c->out.words[1] = size;
	c->out.words[2] = 0;
	memcpy(&c->out.words[2], id, size);
	ompd_rc_t rc = ask(c, WIRE_THREAD, 0);
	if (rc == ompd_rc_ok)
		*ret = (ompd_thread_context_t *)(uintptr_t)c->in.words[0];
	return rc;
}

static void init_callbacks(ompd_callbacks_t *ret)
{
	*ret = callbacks_table; /* those that know nothing of a target do here, too */
	ret->symbol_addr_lookup = symbol_addr_lookup;
	ret->read_memory = read_memory;
	ret->read_string = read_string;
	ret->get_thread_context_for_thread_id = get_thread_context;
}

/* ---- handles ---------------------------------------------------------------------------- */

/* The first handle that was given for a region or task. */
struct known {
	const struct child *child;
	enum kind kind;
	void *handle;
	uint64_t number;
};

static int compare(const void *a, const void *b)
{
	const struct known *x = a, *y = b;
	int order = 0;
	ompd_rc_t rc =
		x->kind == KIND_TASK
			? x->child->api.task_handle_compare(x->handle, y->handle, &order)
			: x->child->api.parallel_handle_compare(x->handle, y->handle, &order);

	return rc == ompd_rc_ok ? order : x->handle < y->handle ? -1 : x->handle > y->handle;
}

static uint64_t number_of_first(struct child *c, enum kind kind, void *handle, uint64_t number)
{
	struct known *mine = malloc(sizeof(*mine));

	if (!mine)
		_exit(1);
	*mine = (struct known){ c, kind, handle, number };
	struct known **found = tsearch(mine, &c->known[kind], compare);
	if (!found)
		_exit(1);
	if (*found != mine)
		free(mine);
	return (*found)->number;
}

static uint64_t number_of_new(struct child *c, char letter, void *handle)
{
	if (!handle)
		return 0;
	if (!vec_push(&c->handles, handle))
		_exit(1);
	uint64_t number = c->handles.len, first = number;
	if (letter != 'H')
		first = number_of_first(c, letter == 'T' ? KIND_TASK : KIND_REGION, handle, number);
	return first << 32 | number;
}

static void **handle_at(struct child *c, uint64_t number)
{
	static void *none;
	uint64_t index = (uint32_t)number - UINT64_C(1);

	return index < c->handles.len ? &c->handles.items[index] : &none;
}

/* ---- calls ------------------------------------------------------------------------------ */

/*
 * System V ABI of x86-64, 3.2.3: a parameter of class INTEGER, which all of OMPD's are, is in a
 * register of 64 bits, of which a narrower one uses the lower half.
 */
typedef ompd_rc_t any_entry(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static any_entry *entry_of(const struct child *c, uint64_t number)
{
	any_entry *entry;

	memcpy(&entry, (const char *)&c->api + library_entries[number].offset, sizeof(entry));
	return entry;
}

/* One parameter: as it came, or what the library writes to. */
struct parameter {
	uint64_t words[sizeof(ompd_address_t) / sizeof(uint64_t)];
};

static uint64_t pass(struct child *c, char letter, struct parameter *p)
{
	switch (letter) {
	case 'n':
	case 'w':
		return p->words[0];
	case 'h':
		return (uintptr_t)*handle_at(c, p->words[0]);
	case 'c':
		return (uintptr_t)c;
	case 'f':
		return (uintptr_t)&c->callbacks;
	default:
		return (uintptr_t)p->words;
	}
}

/* Adds a string, and frees it: the length with its NUL; 0: NULL. What is too long is cut. */
static uint64_t add_string(struct wire_message *m, char *text)
{
	size_t room = WIRE_BYTES - m->len;
	size_t len = text && room ? strnlen(text, room - 1) : 0;

	if (!text || !room)
		return 0;
	memcpy(m->bytes + m->len, text, len);
	m->bytes[m->len + len] = '\0';
	m->len += len + 1;
	free(text);
	return len + 1;
}

static void add_result(struct child *c, char letter, const uint64_t *result, size_t *n)
{
	uint64_t *words = &c->out.words[*n];

	switch (letter) {
	case 'N':
	case 'W':
	case 'B':
		words[0] = result[0];
		*n += 1;
		break;
	case 'A':
		memcpy(words, result, sizeof(ompd_address_t));
		*n += 2;
		break;
	case 'S':
		words[0] = add_string(&c->out, (char *)(uintptr_t)result[0]);
		*n += 1;
		break;
	case 'H':
	case 'P':
	case 'T':
		words[0] = number_of_new(c, letter, (void *)(uintptr_t)result[0]);
		*n += 1;
		break;
	default: /* a parameter that goes in */
		break;
	}
}

static void call(struct child *c)
{
	const char *form = library_entries[c->in.value].form;
	any_entry *entry = entry_of(c, (uint64_t)c->in.value);
	struct parameter parameters[ENTRY_PARAMETERS] = { 0 };
	uint64_t p[ENTRY_PARAMETERS] = { 0 };
	size_t n = 0;

	for (size_t i = 0; form[i]; i++) {
		parameters[i].words[0] = c->in.words[i];
		p[i] = pass(c, form[i], &parameters[i]);
	}
	ompd_rc_t rc = entry(p[0], p[1], p[2], p[3], p[4], p[5]);
	c->out.len = 0;
	for (size_t i = 0; rc == ompd_rc_ok && form[i]; i++)
		add_result(c, form[i], parameters[i].words, &n);
	c->out.kind = WIRE_ANSWER;
	c->out.value = rc;
	if (!wire_send(JAIL_FD, &c->out))
		_exit(0);
}

/* What is known of handles lasts as long as they do; the last ones may get their numbers again. */
static void release(struct child *c)
{
	struct wire_release r;

	for (size_t kind = 0; kind < NUM_KINDS; kind++) {
		tdestroy(c->known[kind], free);
		c->known[kind] = NULL;
	}
	for (uint64_t at = 0; at + sizeof(r) <= c->in.len; at += sizeof(r)) {
		memcpy(&r, c->in.bytes + at, sizeof(r));
		void **handle = handle_at(c, r.handle);
		if (*handle)
			entry_of(c, r.entry)((uintptr_t)*handle, 0, 0, 0, 0, 0);
		*handle = NULL;
	}
	while (c->handles.len && !c->handles.items[c->handles.len - 1])
		c->handles.len--;
}

static void serve(struct child *c)
{
	while (wire_receive(JAIL_FD, &c->in)) {
		if (c->in.kind == WIRE_CALL)
			call(c);
		else if (c->in.kind == WIRE_RELEASE)
			release(c);
		else
			memory_flush(c->memory);
	}
}

/*
 * One of the two sleeps whenever the other one works: on one processor, waking up the other one
 * takes a quarter of the time that it takes across two.
 */
static void stay_beside_parent(void)
{
	int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_SET((size_t)cpu, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
}

/* ---- beginning -------------------------------------------------------------------------- */

/* Takes err. */
static void tell(struct child *c, struct error *err)
{
	const char *text = err ? error_message(err) : "";

	c->out.kind = WIRE_READY;
	c->out.value = err ? 1 : 0;
	c->out.len = strnlen(text, WIRE_BYTES);
	memcpy(c->out.bytes, text, c->out.len);
	if (!wire_send(JAIL_FD, &c->out) || err)
		_exit(0);
}

_Noreturn void sandbox_child_run(pid_t parent, int fd, const char *real_path, const struct stat *st)
{
	struct child *c = calloc(1, sizeof(*c));
	bool root = geteuid() == 0;
	void *dl;

	if (!c)
		_exit(1);
	c->memory = memory_new(read_pages, c, MEMORY_PAGE);
	init_callbacks(&c->callbacks);
	stay_beside_parent();
	if (!c->memory || !jail_enter(parent, fd))
		_exit(SANDBOX_NO_JAIL);
	struct error *err = loader_load(real_path, st, &c->api, &dl);
	tell(c, root ? error_add(err, "as user nobody, in a sandbox") : err);
	serve(c);
	_exit(0);
}
