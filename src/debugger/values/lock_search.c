/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "debugger/values/lock_search.h"

#include <stdlib.h>
#include <string.h>

#include "debugger/values/containers.h"
#include "debugger/values/lock_path.h"
#include "debugger/values/lookup.h"
#include "debugger/values/raw_scope.h"

enum {
	DEPTH_MAX = 3,      /* pointers on the way to a lock                    */
	NODES_MAX = 256,    /* places that are looked at from one frame         */
	FRAMES_MAX = 16,    /* of the user's, of one thread                     */
	POINTERS_MAX = 8,   /* that are followed of one array                   */
	PARTS_MAX = 64,     /* members of one structure that may lead further   */
	UNITS_MAX = 4,      /* whose variables are looked at                    */
	GLOBALS_MAX = 1024, /* of one unit                                    */
};

/* Something that may hold a lock, or lead to it. */
struct node {
	const struct type *type;
	taddr addr;
	uint64_t count; /* of elements of that type there: of a container; 0: it is the thing itself
			 */
	unsigned int depth;
	bool pointed; /* name is that of a pointer to it */
	bool single;  /* nothing follows it as of an array */
	bool given;   /* it is the caller's, who may have more to say of it */
	char *name;   /* owned */
};

/* One lock, from one level of one frame. */
struct search {
	const struct snapshot *from;
	struct lock_name *lock;
	struct scope scope;
	bool failed; /* memory is out */
	uint64_t registers[SCOPE_REGISTERS_MAX];
	size_t place;
	bool fortran;
	VEC(struct node) nodes;
};

static int by_rank(const struct lock_rank *a, const struct lock_rank *b)
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
	struct lock_name *lock = s->lock;
	const struct lock_rank rank = { kind, s->place, depth, name->len };
	int order = lock->name ? by_rank(&rank, &lock->rank) : -1;

	if (name->failed) {
		s->failed = true;
		return;
	}
	if (order > 0 || (order == 0 && strcmp(buf_text((struct buf *)name), lock->name) >= 0))
		return;
	free(lock->name);
	lock->name = strdup(buf_text((struct buf *)name));
	lock->rank = rank;
	s->failed |= !lock->name;
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
		if (lock_path_add(&text, node->type, offset % size, false, false))
			offer(s, &text, LOCK_EXACT, node->depth);
		return;
	}
	if (offset < size) {
		bool whole = offset == 0 && lock_path_is_lock(node->type);
		buf_addf(&text, "%s%s", whole && node->pointed ? "*" : "", node->name);
		size_t len = text.len;
		if (lock_path_add(&text, node->type, offset, node->pointed, s->fortran))
			offer(s, &text, node->given && text.len == len ? LOCK_BARE : LOCK_EXACT,
			      node->depth);
		return;
	}
	if (!node->pointed || node->single || s->fortran || offset >= block_size(s, node->addr))
		return;
	buf_addf(&text, "%s[%" PRIu64 "]", node->name, offset / size);
	if (lock_path_add(&text, node->type, offset % size, false, false))
		offer(s, &text, LOCK_INDEXED, node->depth);
}

static void add_node(struct search *s, const struct node *like, struct buf *name)
{
	struct node node = *like;

	if (s->nodes.len >= NODES_MAX)
		return;
	node.name = name->failed ? NULL : strdup(buf_text(name));
	if (!node.name || !vec_push(&s->nodes, node)) {
		free(node.name);
		s->failed = true;
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
	    (target->kind == TYPE_STRUCT && lock_path_is_library(target) &&
	     !lock_path_is_sequence(target) && !lock_path_is_lock(target)))
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

static bool is_smart_pointer(const struct type *t)
{
	return t->kind == TYPE_STRUCT &&
	       (container_is(t, "unique_ptr") || container_is(t, "shared_ptr"));
}

/* What a pointer of the library keeps. */
static void expand_smart(struct search *s, const struct type *t, taddr at, const char *name,
			 bool pointed, unsigned int depth)
{
	AUTO_CONTAINER container = { 0 };
	AUTO_BUF text = { 0 };
	struct value whole;
	taddr to;

	struct error *err = value_read(&s->scope, t, at, &whole);
	bool read = !err && container_read(&s->scope, &whole, 1, &container);
	error_ignore(err);
	if (!read || container.fault || !container.items.len)
		return;
	const struct value *kept = &container.items.items[0].value;
	buf_addf(&text, pointed ? "(*%s)" : "%s", name);
	if (!buf_ok(&text) || !type_is_pointer(kept->type) ||
	    value_bytes(&s->scope, kept, 0, &to, sizeof(to)))
		return;
	size_t before = s->nodes.len;
	follow(s, kept->type, to, buf_text(&text), depth + 1);
	for (size_t i = before; i < s->nodes.len; i++)
		s->nodes.items[i].single = true;
}

static void expand(struct search *s, const struct type *t, taddr at, const char *name, bool pointed,
		   unsigned int depth, int nesting);

/* Of a container, or of a block of memory that a pointer to pointers leads to. */
static uint64_t count_elements(struct search *s, const struct node *node)
{
	bool table = node->pointed && type_strip(node->type)->kind == TYPE_POINTER;

	return table ? block_size(s, node->addr) / type_size(node->type) : node->count;
}

/* Elements that are no locks themselves, but may lead to one. */
static void expand_elements(struct search *s, const struct node *node, uint64_t count)
{
	uint64_t size = type_size(node->type);

	for (uint64_t i = 0; i < count && i < POINTERS_MAX && !s->failed; i++) {
		AUTO_BUF text = { 0 };
		buf_addf(&text, "%s[%" PRIu64 "]", node->name, i);
		if (buf_ok(&text))
			expand(s, node->type, node->addr + i * size, buf_text(&text), false,
			       node->depth, 0);
	}
}

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
			s->failed = true;
		else
			expand(s, m->type, at + m->offset, buf_text(&text), pointed && !named,
			       depth, nesting + 1);
	}
}

/* An array whose shape is known now: a component of Fortran's that is allocatable. */
static void expand_dynamic(struct search *s, const struct type *t, taddr at, const char *name,
			   unsigned int depth)
{
	AUTO_BUF text = { 0 };
	struct value v;
	struct error *err = value_read(&s->scope, t, at, &v);
	bool there = !err && !v.missing && !type_is_dynamic(v.type);

	error_ignore(err);
	if (!there)
		return;
	const struct node node = { .type = v.type, .addr = v.addr, .depth = depth + 1 };
	buf_adds(&text, name);
	add_node(s, &node, &text);
}

/* The pointers in something: what they lead to is looked at later. */
static void expand(struct search *s, const struct type *t, taddr at, const char *name, bool pointed,
		   unsigned int depth, int nesting)
{
	const struct type *stripped = type_strip(t);

	if (nesting > DEPTH_MAX || s->failed || lock_path_is_lock(t))
		return;
	if (type_is_dynamic(t)) {
		expand_dynamic(s, t, at, name, depth);
		return;
	}
	if (type_is_pointer(t)) {
		AUTO_BUF text = { 0 };
		buf_addf(&text, pointed ? "(*%s)" : "%s", name);
		if (buf_ok(&text))
			follow_at(s, t, at, buf_text(&text), depth + 1);
		return;
	}
	if (is_smart_pointer(stripped))
		expand_smart(s, stripped, at, name, pointed, depth);
	else if (lock_path_is_sequence(t))
		expand_sequence(s, stripped, at, name, pointed, depth);
	else if (stripped->kind == TYPE_STRUCT && !lock_path_is_library(stripped))
		expand_members(s, stripped, at, name, pointed, depth, nesting);
	if (stripped->kind != TYPE_ARRAY || !lock_path_is_row(stripped, s->fortran) || pointed ||
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

/* name: as the source has it there. */
static void add_variable(struct search *s, const struct variable *variable, const char *name)
{
	struct value v;
	taddr to;

	if (!variable->name || variable->internal || !variable->type)
		return;
	struct error *err = value_of_variable(&s->scope, variable, &v);
	bool there = !err && !v.missing && !type_is_dynamic(v.type);
	error_ignore(err);
	if (!there)
		return;
	if (type_is_pointer(v.type)) {
		const char *why = value_bytes(&s->scope, &v, 0, &to, sizeof(to));
		if (!why)
			follow(s, v.type, to, name, 1);
		return;
	}
	AUTO_BUF text = { 0 };
	const struct node node = { .type = v.type,
				   .addr = v.addr,
				   .given = s->fortran && variable->argument };
	buf_adds(&text, name);
	if (v.place == VALUE_MEMORY)
		add_node(s, &node, &text);
}

/* Depth by depth, until a name is found that no further one can be better than. */
static void search_nodes(struct search *s)
{
	for (size_t i = 0; i < s->nodes.len && !s->failed; i++) {
		const struct node node = s->nodes.items[i];
		const struct lock_name *lock = s->lock;
		if (lock->name && lock->rank.kind == LOCK_EXACT && lock->rank.place == s->place &&
		    node.depth > lock->rank.depth)
			break;
		match(s, &node);
		uint64_t count = count_elements(s, &node);
		if (node.depth < DEPTH_MAX && count)
			expand_elements(s, &node, count);
		else if (node.depth < DEPTH_MAX)
			expand(s, node.type, node.addr, node.name, node.pointed, node.depth, 0);
	}
}

static void search_added(struct search *s)
{
	search_nodes(s);
	vec_for_each (node, &s->nodes)
		free(node->name);
	vec_fini(&s->nodes);
	s->nodes.len = 0;
}

static void search_level(struct search *s)
{
	struct variable_list variables = { 0 };
	struct error *err =
		variables_in_scope(s->scope.session->variables, scope_lookup_pc(&s->scope),
				   s->scope.level, &variables);

	s->failed |= err != NULL;
	error_ignore(err);
	s->fortran = lookup_is_fortran(&s->scope);
	for (size_t i = 0; i < variables.len && !s->failed; i++)
		add_variable(s, &variables.items[i], variables.items[i].name);
	search_added(s);
	vec_fini(&variables);
}

/* What may lead to a lock: a variable of the program that is one itself has named it already. */
static bool may_lead(const struct variable *v)
{
	return v->type && (type_is_pointer(v->type) || type_is_struct(v->type) ||
			   type_strip(v->type)->kind == TYPE_ARRAY);
}

/* By the variables of the unit that code is of: "locks[3]" over a pointer to all of them. */
static void search_unit(struct search *s, struct session *session, taddr pc)
{
	struct variable_list variables = { 0 };
	struct error *err = variables_of_unit(session->variables, pc, GLOBALS_MAX, &variables);

	s->failed |= err != NULL;
	error_ignore(err);
	s->scope = (struct scope){ .session = session, .pc = pc, .exact = true };
	s->fortran = lookup_is_fortran(&s->scope);
	for (size_t i = 0; i < variables.len && !s->failed; i++) {
		AUTO_BUF name = { 0 };
		if (!may_lead(&variables.items[i]))
			continue;
		variables_add_name(&variables.items[i], &name);
		s->failed |= !buf_ok(&name);
		if (!s->failed)
			add_variable(s, &variables.items[i], buf_text(&name));
	}
	search_added(s);
	s->place++;
	vec_fini(&variables);
}

/* Members and inline functions of the library: what they call a lock no programmer does. */
static bool is_library(const struct source_frame *level)
{
	const char *name = level->function ? level->function : "";

	return !strncmp(name, "_ZNSt", 5) || !strncmp(name, "_ZNKSt", 6) ||
	       !strncmp(name, "_ZSt", 4) || strstr(name, "__gthread");
}

static void search_frame(struct search *s, struct session *session, int thread, size_t frame)
{
	const struct unwind_frame *at = &s->from->stacks->raw[thread].items[frame];
	const struct source_frame *levels;
	size_t len = 0;

	s->scope = raw_scope(session, session->target->threads.items[thread],
			     &s->from->stacks->raw[thread], frame, s->registers);
	struct error *err = symbol_locate(session->symbols, spans_pc(at), &levels, &len);
	s->failed |= err != NULL;
	error_ignore(err);
	AUTO_FREE bool *skipped = calloc(len + 1, sizeof(*skipped));
	s->failed |= !skipped;
	for (size_t i = 0; i < len && !s->failed; i++)
		skipped[i] = is_library(&levels[i]);
	for (size_t level = 0; level < len && !s->failed; level++, s->place++) {
		s->scope.level = level;
		if (!skipped[level])
			search_level(s);
	}
}

bool lock_name_is_found(const struct lock_name *lock)
{
	return lock->global || (lock->name && lock->rank.kind == LOCK_EXACT);
}

struct error *lock_search(struct session *session, const struct snapshot *from, int thread,
			  struct lock_name *lock)
{
	const struct spans *spans = &from->picture.threads.items[thread].spans;
	const struct unwind_stack *raw = &from->stacks->raw[thread];
	struct search s = { .from = from, .lock = lock };
	size_t nframes = 0;

	for (size_t i = 0; i < raw->len && i < spans->len && nframes < FRAMES_MAX; i++) {
		if (spans->hidden[i] || s.failed || lock_name_is_found(lock))
			continue;
		nframes++;
		search_frame(&s, session, thread, i);
	}
	nframes = 0;
	for (size_t i = 0; i < raw->len && i < spans->len && nframes < UNITS_MAX; i++) {
		if (spans->hidden[i] || s.failed || lock_name_is_found(lock))
			continue;
		nframes++;
		search_unit(&s, session, spans_pc(&raw->items[i]));
	}
	return s.failed ? &error_nomem : NULL;
}
