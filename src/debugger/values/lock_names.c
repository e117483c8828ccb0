/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lock_names.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/containers.h"
#include "debugger/values/locks.h"
#include "debugger/values/lookup.h"

enum {
	DEPTH_MAX = 3,    /* pointers on the way to a lock                    */
	NODES_MAX = 256,  /* places that are looked at from one frame         */
	FRAMES_MAX = 16,  /* of the user's, of one thread                     */
	THREADS_MAX = 4,  /* whose frames are searched for one lock           */
	NESTING_MAX = 16, /* structures and arrays within each other          */
	POINTERS_MAX = 8, /* that are followed of one array                   */
	PARTS_MAX = 64,   /* members of one structure that may lead further   */
};

/* How good a name is: the smaller the better, from the first on. */
struct rank {
	unsigned int kind; /* enum below */
	size_t place;      /* of the frame, from the inside out */
	unsigned int depth;
	size_t len;
};
enum { EXACT, INDEXED, BARE }; /* "p->lock", "p[3].lock", "*p" or a reference */

struct lock {
	taddr object;
	char *name; /* owned; NULL: none found yet */
	struct rank rank;
	bool global;
	unsigned int searched; /* threads that were */
};

/* Something that may hold a lock, or lead to it. */
struct node {
	const struct type *type;
	taddr addr;
	uint64_t count; /* of elements of that type there: of a container; 0: it is the thing itself
			 */
	unsigned int depth;
	bool pointed; /* name is that of a pointer to it */
	bool given;   /* it is the caller's, who may have more to say of it */
	char *name;   /* owned */
};

struct naming {
	struct session *session;
	struct picture *picture;
	const struct stacks *stacks;
	VEC(struct lock) locks;
	bool failed; /* memory is out */
};

/* One lock, from one level of one frame. */
struct search {
	struct naming *n;
	struct lock *lock;
	struct scope scope;
	uint64_t registers[SCOPE_REGISTERS_MAX];
	size_t place;
	bool fortran;
	VEC(struct node) nodes;
};

/* ---- the way into a type ------------------------------------------------------------------ */

/* A library's own members are nothing that programmers write. */
static bool is_of_library(const struct type *t)
{
	return t->name && !strncmp(t->name, "std::", 5);
}

/* Its elements lie one behind the other. */
static bool is_sequence(const struct type *t)
{
	const struct type *s = type_strip(t);

	return s->kind == TYPE_STRUCT && (container_is(s, "vector") || container_is(s, "array"));
}

static const struct type_member *member_at(const struct type *t, uint64_t offset)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);

	for (size_t i = 0; i < n; i++) {
		const struct type_member *m = &members[i];
		bool plain = m->kind != MEMBER_STATIC && !m->bit_size && !m->is_virtual &&
			     !m->where && !type_is_dynamic(m->type);
		if (plain && offset >= m->offset && offset - m->offset < type_size(m->type))
			return m;
	}
	return NULL;
}

/* It has elements that one index names: dimensions of Fortran are one in the other. */
static bool is_row_of(const struct type *array, bool fortran)
{
	return array->target && type_stride(array) > 0 &&
	       !(fortran && (array->is_row || type_strip(array->target)->is_row));
}

/*
 * Adds to a name what leads from something of that type to the lock that lies in it: ".node.lock".
 * false: there is none.
 */
static bool add_path(struct buf *out, const struct type *t, uint64_t offset, bool pointed,
		     bool fortran)
{
	for (int i = 0; i < NESTING_MAX; i++) {
		const struct type *s = type_strip(t);
		if (offset == 0 && locks_is_lock(t))
			return true;
		if (s->kind == TYPE_STRUCT && !is_of_library(s)) {
			const struct type_member *m = member_at(s, offset);
			if (!m)
				return false;
			if (m->kind == MEMBER_FIELD && m->name) {
				buf_addf(out, "%s%s",
					 pointed   ? "->"
					 : fortran ? "%"
						   : ".",
					 m->name);
				pointed = false;
			}
			offset -= m->offset;
			t = m->type;
		} else if (s->kind == TYPE_ARRAY && is_row_of(s, fortran)) {
			uint64_t stride = (uint64_t)type_stride(s), index = offset / stride;
			if (index >= s->count || pointed)
				return false;
			buf_addf(out, fortran ? "(%" PRIi64 ")" : "[%" PRIi64 "]",
				 (int64_t)index + s->lower);
			offset %= stride;
			t = s->target;
		} else {
			/* A lock of Fortran is a number. */
			return offset == 0 && fortran && s->kind == TYPE_INT;
		}
	}
	return false;
}

/* ---- global variables --------------------------------------------------------------------- */

/* *ret_name is the caller's: with its scopes. */
static bool global_at(struct naming *n, taddr object, taddr pc, char **ret_name,
		      struct variable *ret, taddr *ret_at)
{
	const struct location_frame nowhere = { .target = n->session->target };
	struct location where;
	struct symbol symbol;

	if (!symbol_at(n->session->symbols, object, &symbol) || symbol.function)
		return false;
	*ret_name = symbol_demangle(symbol.name);
	n->failed |= !*ret_name;
	if (n->failed ||
	    !variables_find_global(n->session->variables, VARIABLE_DATA, pc, NULL, *ret_name, ret))
		return false;
	variables_locate(n->session->variables, ret, &nowhere, &where);
	*ret_at = symbol.addr;
	/* Files may have variables of their own of that name. */
	return where.n == 1 && where.parts[0].kind == LOCATION_MEMORY &&
	       where.parts[0].addr == symbol.addr && ret->type && !type_is_dynamic(ret->type);
}

static void name_global(struct naming *n, struct lock *lock, taddr pc)
{
	const struct scope scope = { .session = n->session, .pc = pc, .exact = true };
	AUTO_FREE char *name = NULL;
	AUTO_BUF text = { 0 };
	struct variable v;
	taddr at;

	bool fortran = lookup_is_fortran(&scope);
	if (!global_at(n, lock->object, pc, &name, &v, &at))
		return;
	buf_adds(&text, fortran ? v.name : name);
	if (!add_path(&text, v.type, lock->object - at, false, fortran))
		return;
	lock->name = text.failed ? NULL : strdup(buf_text(&text));
	lock->global = true;
	n->failed |= !lock->name;
}

/* ---- from a frame ------------------------------------------------------------------------- */

static int by_rank(const struct rank *a, const struct rank *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->len < b->len ? -1 : a->len > b->len;
}

static void offer(struct search *s, const struct buf *name, unsigned int kind, unsigned int depth)
{
	struct lock *lock = s->lock;
	const struct rank rank = { kind, s->place, depth, name->len };
	int order = lock->name ? by_rank(&rank, &lock->rank) : -1;

	if (name->failed) {
		s->n->failed = true;
		return;
	}
	if (order > 0 || (order == 0 && strcmp(buf_text((struct buf *)name), lock->name) >= 0))
		return;
	free(lock->name);
	lock->name = strdup(buf_text((struct buf *)name));
	lock->rank = rank;
	s->n->failed |= !lock->name;
}

/* Bytes from there on to the end of the block, if it is one of malloc()'s; else 0. */
static uint64_t block_size(struct search *s, taddr p)
{
	enum { HEADER = 8, ALIGNED = 16, FLAGS = 7 };
	uint64_t word;

	if (p % ALIGNED || p < HEADER ||
	    !memory_try_read(s->scope.session->target->memory, p - HEADER, &word, sizeof(word)))
		return 0;
	word &= ~(uint64_t)FLAGS;
	return word % ALIGNED || word <= ALIGNED ? 0 : word - HEADER;
}

/* A lock in what lies there, or in what follows it as of an array. */
static void match(struct search *s, const struct node *node)
{
	uint64_t size = type_size(node->type), offset = s->lock->object - node->addr;
	AUTO_BUF text = { 0 };

	if (!size || s->lock->object < node->addr)
		return;
	if (node->count) {
		if (offset / size >= node->count)
			return;
		buf_addf(&text, "%s[%" PRIu64 "]", node->name, offset / size);
		if (add_path(&text, node->type, offset % size, false, false))
			offer(s, &text, EXACT, node->depth);
		return;
	}
	if (offset < size) {
		bool whole = offset == 0 && locks_is_lock(node->type);
		buf_addf(&text, "%s%s", whole && node->pointed ? "*" : "", node->name);
		size_t len = text.len;
		if (add_path(&text, node->type, offset, node->pointed, s->fortran))
			offer(s, &text, node->given && text.len == len ? BARE : EXACT, node->depth);
		return;
	}
	if (!node->pointed || s->fortran || offset >= block_size(s, node->addr))
		return;
	buf_addf(&text, "%s[%" PRIu64 "]", node->name, offset / size);
	if (add_path(&text, node->type, offset % size, false, false))
		offer(s, &text, INDEXED, node->depth);
}

static void add_node(struct search *s, const struct node *like, struct buf *name)
{
	struct node node = *like;

	if (s->nodes.len >= NODES_MAX)
		return;
	node.name = name->failed ? NULL : strdup(buf_text(name));
	if (!node.name || !vec_push(&s->nodes, node)) {
		free(node.name);
		s->n->failed = true;
	}
}

/* What a pointer or reference leads to. */
static void follow(struct search *s, const struct type *pointer, taddr to, const char *name,
		   unsigned int depth)
{
	const struct type *p = type_strip(pointer);
	const struct type *target = p->target ? type_strip(p->target) : NULL;
	AUTO_BUF text = { 0 };

	if (!to || !target || depth > DEPTH_MAX || type_is_dynamic(p->target) ||
	    target->kind == TYPE_FUNCTION ||
	    (target->kind == TYPE_STRUCT && is_of_library(target) && !is_sequence(target)))
		return;
	struct node node = { .type = p->target, .addr = to, .depth = depth, .given = true };
	node.pointed = p->kind == TYPE_POINTER && !s->fortran && target->kind != TYPE_ARRAY;
	if (p->kind == TYPE_POINTER && target->kind == TYPE_ARRAY && !s->fortran)
		buf_addf(&text, "(*%s)", name);
	else
		buf_adds(&text, name);
	add_node(s, &node, &text);
}

static void follow_at(struct search *s, const struct type *pointer, taddr at, const char *name,
		      unsigned int depth)
{
	taddr to = 0;

	if (memory_try_read(s->scope.session->target->memory, at, &to, sizeof(to)))
		follow(s, pointer, to, name, depth);
}

static void expand_sequence(struct search *s, const struct type *t, taddr at, const char *name,
			    bool pointed, unsigned int depth)
{
	AUTO_CONTAINER container = { 0 };
	AUTO_BUF text = { 0 };
	struct value whole;

	struct error *err = value_read(&s->scope, t, at, &whole);
	bool read = !err && container_read(&s->scope, &whole, 1, &container);
	error_ignore(err);
	if (!read || container.fault || !container.sized || !container.items.len)
		return;
	const struct value *first = &container.items.items[0].value;
	const struct node node = { .type = first->type,
				   .addr = first->addr,
				   .count = container.size,
				   .depth = depth + 1 };
	buf_addf(&text, pointed ? "(*%s)" : "%s", name);
	if (first->place == VALUE_MEMORY && !first->missing && !first->bit_size)
		add_node(s, &node, &text);
}

static void expand(struct search *s, const struct type *t, taddr at, const char *name, bool pointed,
		   unsigned int depth, int nesting);

static void expand_members(struct search *s, const struct type *t, taddr at, const char *name,
			   bool pointed, unsigned int depth, int nesting)
{
	size_t n;
	const struct type_member *members = type_members(t, &n);

	for (size_t i = 0; i < n && i < PARTS_MAX; i++) {
		const struct type_member *m = &members[i];
		AUTO_BUF text = { 0 };
		if (m->kind == MEMBER_STATIC || m->bit_size || m->is_virtual || m->where ||
		    m->is_artificial)
			continue;
		bool named = m->kind == MEMBER_FIELD && m->name;
		buf_adds(&text, name);
		if (named)
			buf_addf(&text, "%s%s", pointed ? "->" : s->fortran ? "%" : ".", m->name);
		if (text.failed)
			s->n->failed = true;
		else
			expand(s, m->type, at + m->offset, buf_text(&text), pointed && !named,
			       depth, nesting + 1);
	}
}

/* The pointers in something: what they lead to is looked at later. */
static void expand(struct search *s, const struct type *t, taddr at, const char *name, bool pointed,
		   unsigned int depth, int nesting)
{
	const struct type *stripped = type_strip(t);

	if (nesting > DEPTH_MAX || s->n->failed || type_is_dynamic(t) || locks_is_lock(t))
		return;
	if (type_is_pointer(t)) {
		AUTO_BUF text = { 0 };
		buf_addf(&text, pointed ? "(*%s)" : "%s", name);
		if (buf_ok(&text))
			follow_at(s, t, at, buf_text(&text), depth + 1);
		return;
	}
	if (is_sequence(t))
		expand_sequence(s, stripped, at, name, pointed, depth);
	else if (stripped->kind == TYPE_STRUCT && !is_of_library(stripped))
		expand_members(s, stripped, at, name, pointed, depth, nesting);
	if (stripped->kind != TYPE_ARRAY || !is_row_of(stripped, s->fortran) || pointed ||
	    !(type_is_pointer(stripped->target) || type_is_struct(stripped->target)))
		return;
	for (uint64_t i = 0; i < stripped->count && i < POINTERS_MAX; i++) {
		AUTO_BUF text = { 0 };
		buf_addf(&text, s->fortran ? "%s(%" PRIi64 ")" : "%s[%" PRIi64 "]", name,
			 (int64_t)i + stripped->lower);
		if (buf_ok(&text))
			expand(s, stripped->target, at + i * (uint64_t)type_stride(stripped),
			       buf_text(&text), false, depth, nesting + 1);
	}
}

static void add_variable(struct search *s, const struct variable *variable)
{
	struct value v;
	taddr to;

	if (!variable->name || variable->internal || !variable->type ||
	    type_is_dynamic(variable->type))
		return;
	struct error *err = value_of_variable(&s->scope, variable, &v);
	bool there = !err && !v.missing;
	error_ignore(err);
	if (!there)
		return;
	if (type_is_pointer(v.type)) {
		const char *why = value_bytes(&s->scope, &v, 0, &to, sizeof(to));
		if (!why)
			follow(s, v.type, to, variable->name, 1);
		return;
	}
	AUTO_BUF text = { 0 };
	const struct node node = { .type = v.type,
				   .addr = v.addr,
				   .given = s->fortran && variable->argument };
	buf_adds(&text, variable->name);
	if (v.place == VALUE_MEMORY)
		add_node(s, &node, &text);
}

/* Depth by depth, until a name is found that no further one can be better than. */
static void search_nodes(struct search *s)
{
	for (size_t i = 0; i < s->nodes.len && !s->n->failed; i++) {
		const struct node node = s->nodes.items[i];
		const struct lock *lock = s->lock;
		if (lock->name && lock->rank.kind == EXACT && lock->rank.place == s->place &&
		    node.depth > lock->rank.depth)
			break;
		match(s, &node);
		if (node.depth < DEPTH_MAX && !node.count)
			expand(s, node.type, node.addr, node.name, node.pointed, node.depth, 0);
	}
}

static void search_level(struct search *s)
{
	struct variable_list variables = { 0 };
	struct error *err =
		variables_in_scope(s->scope.session->variables, scope_lookup_pc(&s->scope),
				   s->scope.level, &variables);

	s->n->failed |= err != NULL;
	error_ignore(err);
	s->fortran = lookup_is_fortran(&s->scope);
	for (size_t i = 0; i < variables.len && !s->n->failed; i++)
		add_variable(s, &variables.items[i]);
	search_nodes(s);
	vec_for_each (node, &s->nodes)
		free(node->name);
	vec_fini(&s->nodes);
	s->nodes.len = 0;
	vec_fini(&variables);
}

static void search_frame(struct search *s, int thread, size_t frame)
{
	const struct unwind_frame *at = &s->n->stacks->raw[thread].items[frame];
	struct session *session = s->n->session;
	const struct source_frame *levels;
	size_t len = 0;

	s->scope = (struct scope){ .session = session,
				   .thread = session->target->threads.items[thread],
				   .frame = frame,
				   .pc = at->pc,
				   .cfa = at->cfa,
				   .exact = at->exact,
				   .registers = s->registers };
	unwind_registers(session->unwinder, s->scope.thread, frame, s->registers, &s->scope.known);
	struct error *err = symbol_locate(session->symbols, spans_pc(at), &levels, &len);
	s->n->failed |= err != NULL;
	error_ignore(err);
	for (size_t level = 0; level < len && !s->n->failed; level++, s->place++) {
		s->scope.level = level;
		search_level(s);
	}
}

static bool is_found(const struct lock *lock)
{
	return lock->global || (lock->name && lock->rank.kind == EXACT);
}

static void search_thread(struct naming *n, struct lock *lock, int thread)
{
	const struct spans *spans = &n->picture->threads.items[thread].spans;
	const struct unwind_stack *raw = &n->stacks->raw[thread];
	struct search s = { .n = n, .lock = lock };
	size_t nframes = 0;

	if (is_found(lock) || lock->searched++ >= THREADS_MAX)
		return;
	for (size_t i = 0; i < raw->len && i < spans->len && nframes < FRAMES_MAX; i++) {
		if (spans->hidden[i] || n->failed || is_found(lock))
			continue;
		nframes++;
		search_frame(&s, thread, i);
	}
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool is_asked(enum wait_kind kind, taddr object, const char *name)
{
	return (kind == WAIT_LOCK || kind == WAIT_NEST_LOCK) && object && !name;
}

static struct lock *find_lock(struct naming *n, taddr object)
{
	vec_for_each (lock, &n->locks) {
		if (lock->object == object)
			return lock;
	}
	return NULL;
}

static void add_lock(struct naming *n, taddr object, taddr pc)
{
	struct lock lock = { .object = object };

	if (n->failed || find_lock(n, object))
		return;
	name_global(n, &lock, pc);
	if (n->failed || !vec_push(&n->locks, lock)) {
		n->failed = true;
		free(lock.name);
	}
}

/* Two locks of one name are told apart by where they are. */
static void make_distinct(struct naming *n)
{
	for (size_t i = 0; i < n->locks.len && !n->failed; i++) {
		struct lock *lock = &n->locks.items[i];
		bool shared = false;
		for (size_t k = 0; k < n->locks.len && lock->name; k++) {
			const char *other = n->locks.items[k].name;
			size_t len = strlen(lock->name);
			shared |= k != i && other && !strncmp(other, lock->name, len) &&
				  (!other[len] || !strncmp(other + len, " at 0x", 6));
		}
		if (!shared || lock->global)
			continue;
		AUTO_BUF text = { 0 };
		buf_addf(&text, "%s at 0x%" PRIxTADDR, lock->name, lock->object);
		char *name = text.failed ? NULL : strdup(buf_text(&text));
		n->failed |= !name;
		if (!name)
			continue;
		free(lock->name);
		lock->name = name;
	}
}

static void set_name(struct naming *n, enum wait_kind kind, taddr object, char **ret)
{
	const struct lock *lock = is_asked(kind, object, *ret) ? find_lock(n, object) : NULL;

	if (!lock || !lock->name)
		return;
	*ret = strdup(lock->name);
	n->failed |= !*ret;
}

static void search_all(struct naming *n)
{
	struct picture *p = n->picture;

	for (size_t i = 0; i < p->threads.len && !n->failed; i++) {
		const struct picture_wait *w = &p->threads.items[i].wait;
		if (is_asked(w->kind, w->object, w->name))
			search_thread(n, find_lock(n, w->object), (int)i);
	}
	vec_for_each (hold, &p->holds) {
		if (!n->failed && is_asked(hold->kind, hold->object, hold->name))
			search_thread(n, find_lock(n, hold->object), hold->thread);
	}
	make_distinct(n);
}

struct error *lock_names_find(void *context, struct session *s, struct snapshot *of)
{
	struct naming n = { .session = s, .picture = &of->picture, .stacks = of->stacks };
	struct picture *p = n.picture;

	(void)context;
	vec_for_each (th, &p->threads) {
		if (is_asked(th->wait.kind, th->wait.object, th->wait.name))
			add_lock(&n, th->wait.object, th->wait.place.pc);
	}
	vec_for_each (hold, &p->holds) {
		if (is_asked(hold->kind, hold->object, hold->name))
			add_lock(&n, hold->object, hold->place.pc);
	}
	if (!n.failed)
		search_all(&n);
	vec_for_each (th, &p->threads)
		set_name(&n, th->wait.kind, th->wait.object, &th->wait.name);
	vec_for_each (hold, &p->holds)
		set_name(&n, hold->kind, hold->object, &hold->name);
	vec_for_each (lock, &n.locks)
		free(lock->name);
	vec_fini(&n.locks);
	return n.failed ? &error_nomem : NULL;
}
