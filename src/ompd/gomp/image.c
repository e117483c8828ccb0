/* SPDX-FileCopyrightText: The ompdb developers */
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ompd/gomp/image.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "ompd/gomp/client.h"

/* An executable that libgomp is linked into may be large; libgomp.so has less than 1 MB. */
enum { PAGE = 4096, MAX_PAGES = 16384, MAX_SEGMENTS = 32, MAX_DYNAMIC = 128, MAX_NODES = 128 };

/* libgomp.map of GCC's sources: the node that came with a release, oldest first. */
struct node {
	const char *name;
	int8_t least, most;
};

static const struct node nodes[] = {
	{ "GOMP_1.0", 0, 0 },     { "GOMP_2.0", 0, 0 },     { "GOMP_3.0", 0, 0 },
	{ "GOMP_4.0", 4, 4 },     { "GOMP_4.0.1", 5, 5 },   { "GOMP_4.5", 6, 8 },
	{ "GOMP_5.0", 9, 10 },    { "GOMP_5.0.1", 11, 11 }, { "GOMP_5.1", 12, 12 },
	{ "GOMP_5.1.1", 13, 13 }, { "GOMP_5.1.2", 14, 14 }, { "GOMP_5.1.3", 15, 15 },
	{ "GOMP_6.0", 15, 15 },   { "GOMP_6.0.1", 16, 16 },
};

enum { NUM_NODES = sizeof(nodes) / sizeof(nodes[0]) };

static bool holds(const Elf64_Ehdr *head, const Elf64_Phdr *segments, uint64_t at,
		  uint64_t function, struct gomp_image *ret)
{
	bool found = false, first = true;
	uint64_t lowest = 0, highest = 0;

	*ret = (struct gomp_image){ 0 };
	for (unsigned i = 0; i < head->e_phnum; i++) {
		const Elf64_Phdr *p = &segments[i];

		if (p->p_type == PT_DYNAMIC) {
			ret->dynamic = p->p_vaddr;
			ret->dynamic_size = p->p_memsz;
		}
		if (p->p_type != PT_LOAD)
			continue;
		/* The ELF header is at the start of the first segment. */
		if (first)
			ret->bias = at - (p->p_vaddr - p->p_offset);
		lowest = first || p->p_vaddr < lowest ? p->p_vaddr : lowest;
		highest = p->p_vaddr + p->p_memsz > highest ? p->p_vaddr + p->p_memsz : highest;
		found |= p->p_flags & PF_X && function - ret->bias - p->p_vaddr < p->p_memsz;
		first = false;
	}
	ret->start = lowest + ret->bias;
	ret->end = highest + ret->bias;
	ret->dynamic += ret->dynamic ? ret->bias : 0;
	return found;
}

/* gABI chapter 4 and 5: what a shared library or executable for this machine starts with. */
static bool is_program(const Elf64_Ehdr *head)
{
	return !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_machine == EM_X86_64 &&
	       (head->e_type == ET_DYN || head->e_type == ET_EXEC) &&
	       head->e_phentsize == sizeof(Elf64_Phdr) && head->e_phnum <= MAX_SEGMENTS;
}

ompd_rc_t gomp_image_find(ompd_address_space_context_t *context, uint64_t function,
			  struct gomp_image *ret)
{
	uint64_t at = function & ~(uint64_t)(PAGE - 1);
	Elf64_Phdr segments[MAX_SEGMENTS];
	struct gomp_image image;
	Elf64_Ehdr head;

	for (int i = 0; i < MAX_PAGES && at; i++, at -= PAGE) {
		if (gomp_client_read(context, at, &head, sizeof(head)) != ompd_rc_ok ||
		    !is_program(&head))
			continue;
		if (gomp_client_read(context, at + head.e_phoff, segments,
				     head.e_phnum * sizeof(Elf64_Phdr)) != ompd_rc_ok ||
		    !holds(&head, segments, at, function, &image))
			continue;
		*ret = image;
		return ompd_rc_ok;
	}
	return ompd_rc_unavailable;
}

struct verdefs {
	uint64_t first, strings;
	uint64_t n;
};

/*
 * The addresses of a dynamic section. The dynamic linker has made some of them absolute and left
 * others as they are in the file.
 */
static bool read_dynamic(ompd_address_space_context_t *context, const struct gomp_image *image,
			 struct verdefs *ret)
{
	Elf64_Dyn dynamic[MAX_DYNAMIC];
	uint64_t n = image->dynamic_size / sizeof(Elf64_Dyn);

	*ret = (struct verdefs){ 0 };
	n = n < MAX_DYNAMIC ? n : MAX_DYNAMIC;
	if (!image->dynamic ||
	    gomp_client_read(context, image->dynamic, dynamic, n * sizeof(Elf64_Dyn)) != ompd_rc_ok)
		return false;
	for (uint64_t i = 0; i < n && dynamic[i].d_tag != DT_NULL; i++) {
		uint64_t value = dynamic[i].d_un.d_val;
		uint64_t address = value < image->start ? value + image->bias : value;

		if (dynamic[i].d_tag == DT_VERDEF)
			ret->first = address;
		else if (dynamic[i].d_tag == DT_VERDEFNUM)
			ret->n = value < MAX_NODES ? value : MAX_NODES;
		else if (dynamic[i].d_tag == DT_STRTAB)
			ret->strings = address;
	}
	return ret->first && ret->strings;
}

/* A plug-in's interface has nodes of its own (GOMP_PLUGIN_1.0), which are none of ours. */
static bool is_release_node(const char *name)
{
	return !strncmp(name, "GOMP_", 5) && name[5] >= '0' && name[5] <= '9';
}

static void note_node(const char *name, struct gomp_version *ret, size_t *newest)
{
	size_t i = 0;

	if (!is_release_node(name) || ret->nodes == GOMP_NODES_UNKNOWN)
		return;
	while (i < NUM_NODES && strcmp(nodes[i].name, name))
		i++;
	if (i < *newest)
		return;
	*newest = i;
	*ret = (struct gomp_version){ GOMP_NODES_UNKNOWN, 0, 0, "" };
	if (i < NUM_NODES)
		*ret = (struct gomp_version){ GOMP_NODES_KNOWN, nodes[i].least, nodes[i].most, "" };
	memcpy(ret->newest, name, strlen(name) + 1);
}

void gomp_image_version(ompd_address_space_context_t *context, const struct gomp_image *image,
			struct gomp_version *ret)
{
	struct verdefs defs;
	Elf64_Verdef def;
	Elf64_Verdaux name_at;
	size_t newest = 0;
	uint64_t at;

	*ret = (struct gomp_version){ GOMP_NODES_NONE, 0, 0, "" };
	if (!read_dynamic(context, image, &defs))
		return;
	at = defs.first;
	for (uint64_t i = 0; i < defs.n; i++) {
		char name[sizeof(ret->newest)];

		if (gomp_client_read(context, at, &def, sizeof(def)) != ompd_rc_ok ||
		    gomp_client_read(context, at + def.vd_aux, &name_at, sizeof(name_at)) !=
			    ompd_rc_ok ||
		    gomp_client_read(context, defs.strings + name_at.vda_name, name,
				     sizeof(name)) != ompd_rc_ok) {
			*ret = (struct gomp_version){ GOMP_NODES_UNKNOWN, 0, 0, "" };
			return;
		}
		name[sizeof(name) - 1] = '\0';
		note_node(name, ret, &newest);
		if (!def.vd_next)
			return;
		at += def.vd_next;
	}
}
