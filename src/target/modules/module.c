/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "target/modules/module.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sorted.h"
#include "base/text.h"
#include "target/elf/elf_header.h"
#include "target/modules/link_map.h"

enum {
	MODULES_MAX = 65536,
	PHDRS_MAX = 64, /* of a file that runs: few need more than 15 */
};

const char *module_name(const struct module *m)
{
	return text_last_part(m->path);
}

struct module *module_at(const struct module_list *l, taddr pc)
{
	size_t at = sorted_count(m, l->items, l->len, (*m)->end <= pc);

	return at < l->len && l->items[at]->start <= pc ? l->items[at] : NULL;
}

/* Build-ids are read through the page cache: they lie in pages that are needed anyway. */
static bool read_memory(void *context, uint64_t from, void *ret, size_t len)
{
	return memory_try_read(context, from, ret, len);
}

static void note_segment(struct module *m, const Elf64_Phdr *ph)
{
	switch (ph->p_type) {
	case PT_DYNAMIC:
		m->dynamic = m->bias + ph->p_vaddr;
		break;
	case PT_GNU_EH_FRAME:
		m->eh_frame_hdr = m->bias + ph->p_vaddr;
		m->eh_frame_hdr_size = ph->p_memsz;
		break;
	case PT_LOAD:
		if (!(ph->p_flags & PF_X))
			break;
		m->spare = m->bias + ph->p_vaddr + ph->p_memsz;
		m->spare_end = (m->spare + MEMORY_PAGE - 1) & ~(taddr)(MEMORY_PAGE - 1);
		break;
	case PT_TLS:
		m->tls_size = ph->p_memsz;
		break;
	default:
		break;
	}
}

/* The page-aligned address that the segment at file offset 0 asks for. */
static bool first_vaddr(const Elf64_Phdr *ph, size_t n, taddr *ret)
{
	for (size_t i = 0; i < n; i++) {
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset < MEMORY_PAGE) {
			*ret = ph[i].p_vaddr - ph[i].p_offset;
			return true;
		}
	}
	return false;
}

/* A file that is mapped only to be read has no code where its program headers want it. */
static bool has_code(const struct map_list *maps, taddr bias, const Elf64_Phdr *ph, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (ph[i].p_type != PT_LOAD || !(ph[i].p_flags & PF_X))
			continue;
		const struct map *map = map_list_find(maps, bias + ph[i].p_vaddr);
		if (!map || !(map->flags & (MAP_EXEC | MAP_NO_FLAGS)))
			return false;
	}
	return true;
}

/* Reads the program headers of the image at m->base. false: not the start of one that runs here. */
static bool read_image(const struct module_list *l, struct module *m)
{
	struct target *t = l->target;
	Elf64_Ehdr eh;
	Elf64_Phdr ph[PHDRS_MAX];
	taddr first;

	if (!memory_try_read(t->memory, m->base, &eh, sizeof(eh)) ||
	    !elf_header_is_elf(&eh, sizeof(eh)) || eh.e_machine != t->arch->elf_machine ||
	    eh.e_ident[EI_CLASS] != t->arch->elf_class || eh.e_phentsize != sizeof(*ph))
		return false;
	size_t n = eh.e_phnum < PHDRS_MAX ? eh.e_phnum : PHDRS_MAX;
	if (!memory_try_read(t->memory, m->base + eh.e_phoff, ph, n * sizeof(*ph)) ||
	    !first_vaddr(ph, n, &first))
		return false;
	m->bias = m->base - first;
	if (!has_code(&l->maps, m->bias, ph, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		note_segment(m, &ph[i]);
		uint64_t end = ph[i].p_vaddr + ph[i].p_memsz - first;
		if (ph[i].p_type == PT_LOAD && end > m->size)
			m->size = end;
	}
	build_id_read(read_memory, t->memory, m->base, true, &m->build_id);
	return true;
}

static bool same_file(const struct map *a, const struct map *b)
{
	return a->inode == b->inode && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor && !strcmp(a->path, b->path);
}

/*
 * The end of the mappings of the image whose first one is maps[at]: those of the same file that
 * lie within the extent of its segments. A file may be mapped several times, as another image.
 */
static taddr mapped_end(const struct map_list *maps, size_t at, uint64_t size)
{
	const struct map *first = &maps->items[at];
	taddr end = first->end, limit = first->start + size;

	for (size_t i = at + 1; i < maps->len && maps->items[i].start < limit; i++) {
		if (same_file(first, &maps->items[i]))
			end = maps->items[i].end;
	}
	return end;
}

static bool may_be_image(const struct map *map)
{
	return (map->path[0] == '/' && map->offset == 0) || !strcmp(map->path, "[vdso]");
}

/* ---- one module ------------------------------------------------------------------------- */

void part_stays(void *data, struct target *t, const struct module *m)
{
	(void)data;
	(void)t;
	(void)m;
}

void module_hang(struct module *m, enum module_part part, void *data, const struct part_ops *ops)
{
	if (m->parts[part].data)
		m->parts[part].ops->free(m->parts[part].data);
	m->parts[part].data = data;
	m->parts[part].ops = ops;
}

static void move_part(struct module *from, enum module_part part, struct target *t,
		      struct module *to)
{
	void *data = from->parts[part].data;
	const struct part_ops *ops = from->parts[part].ops;

	if (!data || !ops->move)
		return;
	from->parts[part].data = NULL;
	module_hang(to, part, data, ops);
	ops->move(data, t, to);
}

/* What the ancestor knows of the same file. */
static void inherit(const struct module_list *l, struct module *m)
{
	vec_for_each (old, l->ancestor) {
		if (!m->build_id.len || !same_file(&(*old)->map, &m->map) ||
		    !build_id_equal(&(*old)->build_id, &m->build_id))
			continue;
		for (size_t part = 0; part < NUM_MODULE_PARTS; part++)
			move_part(*old, (enum module_part)part, l->target, m);
	}
}

/* Nothing of what was found out holds any longer. */
static void forget(struct module_list *l, struct module *m)
{
	for (size_t i = NUM_MODULE_PARTS; i-- > 0;) {
		l->generation += m->parts[i].data != NULL;
		module_hang(m, i, NULL, NULL);
	}
}

static void module_free(struct module_list *l, struct module *m)
{
	if (!m)
		return;
	forget(l, m);
	free(m->path);
	free(m);
}

/* Whether the module is what is mapped at maps[at]. */
static bool is_still(const struct module_list *l, const struct module *m,
		     const struct map_list *maps, size_t at)
{
	const struct map *map = &maps->items[at];
	struct build_id now = { .len = m->build_id.len };

	return m->base == map->start && same_file(&m->map, map) && m->map.flags == map->flags &&
	       m->end == mapped_end(maps, at, m->size) &&
	       (!now.len ||
		(memory_try_read(l->target->memory, m->build_id.at, now.bytes, now.len) &&
		 build_id_equal(&now, &m->build_id)));
}

/* *ret is NULL if no image begins at maps[at] of the list. */
static struct error *module_new(const struct module_list *l, size_t at, struct module **ret)
{
	const struct target *t = l->target;
	const struct map *map = &l->maps.items[at];
	struct module *m = calloc(1, sizeof(*m));

	*ret = NULL;
	if (!m)
		return &error_nomem;
	*m = (struct module){
		.base = map->start,
		.start = map->start,
		.map = *map,
		.deleted = map->flags & MAP_DELETED,
		.is_vdso = map->path[0] == '[',
		.is_exe = t->exe && !strcmp(map->path, t->exe),
	};
	if (!read_image(l, m)) {
		free(m);
		return NULL;
	}
	m->end = mapped_end(&l->maps, at, m->size);
	m->path = m->map.path = strdup(map->path);
	if (!m->path) {
		free(m);
		return &error_nomem;
	}
	log_debug(LOG_MODULE, "%s at 0x%" PRIxTADDR "-0x%" PRIxTADDR " bias 0x%" PRIxTADDR, m->path,
		  m->start, m->end, m->bias);
	*ret = m;
	return NULL;
}

/* ---- the list --------------------------------------------------------------------------- */

struct module_list *module_list_new(struct target *t)
{
	struct module_list *l = calloc(1, sizeof(*l));

	if (l)
		l->target = t;
	return l;
}

void module_list_inherit(struct module_list *l, struct module_list *from)
{
	l->ancestor = from;
	l->budget = from->budget;
}

void module_list_free(struct module_list *l)
{
	if (!l)
		return;
	vec_for_each (m, l)
		module_free(l, *m);
	vec_fini(l);
	map_list_fini(&l->maps);
	free(l);
}

struct module *module_exe(const struct module_list *l)
{
	vec_for_each (m, l) {
		if ((*m)->is_exe)
			return *m;
	}
	return NULL;
}

/* Adds what is mapped at maps[at] of the new list: the module of the old one, or a new one. */
static struct error *add_module(struct module_list *l, size_t at, const struct module_list *old)
{
	struct module *m = module_at(old, l->maps.items[at].start);

	if (!m || !is_still(l, m, &l->maps, at)) {
		struct error *err = module_new(l, at, &m);
		if (err || !m)
			return err;
	}
	m->map.end = l->maps.items[at].end;
	if (vec_push(l, m))
		return NULL;
	if (module_at(old, m->base) != m)
		module_free(l, m);
	return &error_nomem;
}

static struct error *add_modules(struct module_list *l, const struct module_list *old)
{
	taddr covered = 0;

	for (size_t i = 0; i < l->maps.len && l->len < MODULES_MAX; i++) {
		const struct map *map = &l->maps.items[i];
		if (!may_be_image(map) || map->start < covered)
			continue;
		size_t before = l->len;
		struct error *err = add_module(l, i, old);
		if (err)
			return err;
		if (l->len > before)
			covered = l->items[before]->end;
	}
	return NULL;
}

/* Frees the modules of one list that are not in the other. */
static void free_others(struct module_list *l, const struct module_list *other)
{
	vec_for_each (m, l) {
		if (module_at(other, (*m)->base) != *m)
			module_free(l, *m);
	}
	vec_fini(l);
	map_list_fini(&l->maps);
}

/* One entry of the link map belongs to the module whose dynamic section it names. */
static void note_link(void *context, const struct link_map_entry *entry)
{
	struct module_list *l = context;
	struct module *m = module_at(l, entry->dynamic);

	if (!m || m->dynamic != entry->dynamic || m->bias != entry->bias || m->link_order) {
		log_debug(LOG_MODULE,
			  "link map entry %u (dynamic section 0x%" PRIxTADDR
			  ") agrees with no mapping",
			  entry->order, entry->dynamic);
		return;
	}
	m->link_order = entry->order;
	if (m->link_map != entry->address)
		forget(l, m); /* loaded once more at the same place, or known too early */
	m->link_map = entry->address;
}

static void read_link_map(struct module_list *l)
{
	const struct module *exe = module_exe(l);

	for (size_t i = 0; i < l->len; i++) {
		l->items[i]->index = i;
		l->items[i]->link_order = 0;
	}
	if (exe)
		link_map_for_each(l->target, exe->dynamic, note_link, l);
	vec_for_each (m, l) {
		if (!(*m)->link_order)
			(*m)->link_map = 0;
	}
}

/*
 * Which program the process executes: the 16 random bytes that the kernel gives each exec, and
 * their place (getauxval(3), AT_RANDOM). All zero: not known.
 */
static void read_program(const struct module_list *l, uint8_t ret[sizeof(l->program)])
{
	enum { RANDOM = 16 };
	uint64_t at = 0;

	memset(ret, 0, sizeof(l->program));
	error_ignore(target_auxv(l->target, AT_RANDOM, &at));
	if (at && memory_try_read(l->target->memory, at, ret, RANDOM))
		memcpy(ret + RANDOM, &at, sizeof(at));
}

struct error *module_list_update(struct module_list *l)
{
	static const struct module_list none;
	struct module_list next = { .target = l->target, .ancestor = l->ancestor };

	read_program(l, next.program);
	bool same_program = !memcmp(next.program, l->program, sizeof(next.program));
	next.entry = same_program ? l->entry : 0;
	if (!next.entry)
		error_ignore(target_auxv(l->target, AT_ENTRY, &next.entry));
	struct error *err = target_maps(l->target, &next.maps);
	if (!err)
		err = add_modules(&next, same_program ? l : &none);
	if (err) {
		free_others(&next, l);
		return err;
	}
	free_others(l, &next);
	next.generation += l->generation;
	next.budget = l->budget;
	*l = next;
	read_link_map(l);
	for (size_t i = 0; l->ancestor && i < l->len; i++)
		inherit(l, l->items[i]);
	return NULL;
}

struct error *module_list_read(struct target *t, struct module_list **ret)
{
	AUTO_MODULES *l = module_list_new(t);
	struct error *err = l ? module_list_update(l) : &error_nomem;

	if (!err)
		*ret = TAKE(l);
	return err;
}
